//! What boxes send whose scripts Choregraphe generates from a text, a color or a number.

use super::values;
use crate::error::EditError;
use crate::scratch::Scratch;
use boxstep_format::XarFile;
use boxstep_format::model::BoxDef;
use boxstep_format::paths::Place;
use boxstep_format::raw::RawNode;
use boxstep_types::BoxPath;
use serde::Serialize;

/// How deep a box is searched for the one that has its text.
const DEEP: usize = 3;
/// How many boxes the diagram of a box with one text has at most.
const FEW: usize = 3;
/// The parameter with the text of a box without a plugin.
pub(super) const PARAMETER: &str = "Text";

/// What a box says or sends, and where that stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Said {
    /// The box that has it: the one that was asked, or one inside it.
    #[serde(rename = "box")]
    pub path: BoxPath,
    /// What it is.
    pub kind: SaidKind,
    /// One text, or one for each language of the file, in its order.
    pub texts: Vec<Sent>,
}

/// What a box sends, by the form that Choregraphe shows for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SaidKind {
    /// A text for each language.
    Localized,
    /// One text.
    Text,
    /// A color, `#rrggbb`.
    Color,
    /// A number.
    Number,
    /// The parameter `Text` of a box without a form.
    Parameter,
}

/// A text that a box sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sent {
    /// Its language, in English, if the box has several.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The text; a color as `#rrggbb`; a number.
    pub text: String,
}

/// Returns what a box sends, or a box inside it: one text, or one for each language.
///
/// # Errors
/// There is no such box, or it says no text.
pub fn said(file: &XarFile, path: &BoxPath) -> Result<Said, EditError> {
    let scratch = Scratch::new(file);
    let trail = scratch.find(path)?;
    let silent = || EditError::NoText(path.clone());
    let holder = holder(&scratch, &trail, DEEP).ok_or_else(silent)?;
    let (at, kind) = match &holder {
        Holder::Plugin(at) => (at, kind(&scratch.def(at).plugin).ok_or_else(silent)?),
        Holder::Parameter(at) => (at, SaidKind::Parameter),
    };
    Ok(Said { path: scratch.path(at), kind, texts: texts(&scratch, &trail).unwrap_or_default() })
}

/// Returns what a box sends, or a box inside it; `None` if it says no text.
pub(super) fn texts(scratch: &Scratch<'_>, trail: &[Place]) -> Option<Vec<Sent>> {
    match holder(scratch, trail, DEEP)? {
        Holder::Plugin(trail) => {
            let Some(content) = content(scratch.file, scratch.def(&trail)) else { return Some(Vec::new()) };
            let several = scratch.def(&trail).plugin == LOCALIZED;
            let text = |node: RawNode<'_>| Sent {
                language: several.then(|| capital(node.name())),
                text: node.content().trim().to_owned(),
            };
            Some(content.elements().map(text).collect())
        }
        Holder::Parameter(trail) => {
            let parameter = scratch.def(&trail).parameters.iter().find(|parameter| *parameter.name == *PARAMETER);
            let text = parameter.map_or_else(String::new, |parameter| parameter.value.to_string());
            Some(vec![Sent { language: None, text }])
        }
    }
}

const LOCALIZED: &str = "localizationbox_plugin";
const TEXT: &str = "textedit_plugin";
const COLOR: &str = "coloredit_plugin";
const NUMBER: &str = "numberedit_plugin";

/// Returns what the form of a plugin is for.
fn kind(plugin: &str) -> Option<SaidKind> {
    match plugin {
        LOCALIZED => Some(SaidKind::Localized),
        TEXT => Some(SaidKind::Text),
        COLOR => Some(SaidKind::Color),
        NUMBER => Some(SaidKind::Number),
        _ => None,
    }
}

/// The box that has the text.
enum Holder {
    Plugin(Vec<Place>),
    Parameter(Vec<Place>),
}

/// Returns the box that has the text: this one, or one in its flow diagram if that has few boxes.
fn holder(to: &Scratch<'_>, trail: &[Place], deep: usize) -> Option<Holder> {
    let def = to.def(trail);
    if kind(&def.plugin).is_some() && content(to.file, def).is_some() {
        return Some(Holder::Plugin(trail.to_vec()));
    }
    if def.parameters.iter().any(|parameter| *parameter.name == *PARAMETER) {
        return Some(Holder::Parameter(trail.to_vec()));
    }
    let timeline = def.timeline.as_ref().filter(|timeline| !timeline.enabled && deep > 0)?;
    let mut inner = Vec::new();
    for (layer, l) in timeline.layers.iter().enumerate() {
        for (keyframe, k) in l.keyframes.iter().enumerate() {
            inner.extend((0..k.diagram.boxes.len()).map(|index| Place { layer, keyframe, index }));
        }
    }
    if inner.len() > FEW {
        return None;
    }
    inner.into_iter().find_map(|place| holder(to, &[trail, &[place]].concat(), deep - 1))
}

fn content<'a>(file: &'a XarFile, def: &BoxDef) -> Option<RawNode<'a>> {
    let span = def.plugin_content.filter(|span| span.file == file.file)?;
    file.raw().starting_at(span.start).filter(|node| node.elements().next().is_some())
}

pub(super) fn set_text(
    to: &mut Scratch<'_>,
    path: &BoxPath,
    language: Option<&str>,
    text: &str,
) -> Result<(), EditError> {
    let trail = to.find(path)?;
    match holder(to, &trail, DEEP) {
        Some(Holder::Plugin(trail)) => set_plugin(to, &trail, language, text),
        Some(Holder::Parameter(trail)) => {
            let path = to.path(&trail);
            if language.is_some() {
                return Err(EditError::OneText(path));
            }
            values::set_parameter(to, &path, PARAMETER, text)
        }
        None => Err(EditError::NoText(path.clone())),
    }
}

fn set_plugin(to: &mut Scratch<'_>, trail: &[Place], language: Option<&str>, text: &str) -> Result<(), EditError> {
    let path = to.path(trail);
    let (file, def) = (to.file, to.def(trail));
    let Some(content) = content(file, def) else { return Err(EditError::NoText(path)) };
    let elements: Vec<RawNode<'_>> = content.elements().collect();
    let plugin = def.plugin.clone();
    let script = def.script.as_ref().map(|script| script.text.to_string()).unwrap_or_default();
    let (chosen, script) = match plugin.as_str() {
        LOCALIZED => {
            let english = || elements.iter().find(|node| node.name().eq_ignore_ascii_case("english"));
            let old = english().map(|node| node.content().trim().to_owned()).unwrap_or_default();
            let chosen: Vec<RawNode<'_>> = match language {
                Some(language) => {
                    let is = |node: &&RawNode<'_>| node.name().eq_ignore_ascii_case(language);
                    let names: Vec<String> = elements.iter().map(|node| capital(node.name())).collect();
                    let found = elements.iter().find(is).copied();
                    let missing = || super::missing(&path, "language", language, names.iter().map(String::as_str));
                    vec![found.ok_or_else(missing)?]
                }
                // Languages that nobody has translated follow the English text.
                None => elements.iter().filter(|node| node.content().trim() == old).copied().collect(),
            };
            if chosen.is_empty() {
                let names: Vec<String> = elements.iter().map(|node| capital(node.name())).collect();
                return Err(super::missing(&path, "language", "English", names.iter().map(String::as_str)));
            }
            let languages: Vec<String> = chosen.iter().map(|node| capital(node.name())).collect();
            (chosen, with_sentences(&script, &languages, text))
        }
        _ if language.is_some() => return Err(EditError::OneText(path)),
        _ => {
            let literal = match plugin.as_str() {
                COLOR => {
                    color(text).ok_or_else(|| EditError::NotA(path.clone(), text.to_owned(), "a color #rrggbb"))?
                }
                NUMBER => {
                    let number: f64 = text.trim().parse().unwrap_or(f64::NAN);
                    if !number.is_finite() {
                        return Err(EditError::NotA(path, text.to_owned(), "a number"));
                    }
                    text.trim().to_owned()
                }
                _ => format!("\"{}\"", escaped(text)),
            };
            (elements.first().copied().into_iter().collect(), with_argument(&script, &literal))
        }
    };
    let text = if plugin == COLOR || plugin == NUMBER { text.trim() } else { text };
    to.texts.extend(chosen.iter().map(|node| (node.range().0, text.to_owned())));
    if let Some(own) = &mut to.def_mut(trail)?.script {
        own.text = script.into();
    }
    Ok(())
}

/// Returns `[r, g, b]` for `#rrggbb`.
fn color(text: &str) -> Option<String> {
    let is_number = |digits: &&str| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let digits = text.trim().strip_prefix('#').filter(is_number)?;
    let part = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    Some(format!("[{}, {}, {}]", part(0)?, part(2)?, part(4)?))
}

/// Returns a script whose first `self.onStopped(…)` has another argument.
fn with_argument(script: &str, literal: &str) -> String {
    const CALL: &str = "self.onStopped(";
    // One in a comment is not a call.
    let is_call = |at: &usize| !script[..*at].rsplit('\n').next().unwrap_or_default().contains('#');
    let call = script.match_indices(CALL).map(|(at, _)| at).find(is_call);
    let Some(start) = call.map(|at| at + CALL.len()) else { return script.to_owned() };
    let line = script[start..].split('\n').next().unwrap_or_default();
    let end = start + line.rfind(')').unwrap_or(line.trim_end().len());
    format!("{}{literal}{}", &script[..start], &script[end..])
}

/// Returns a script whose dictionary has another text for these languages.
fn with_sentences(script: &str, languages: &[String], text: &str) -> String {
    let line = |line: &str| {
        let (key, value) = line.split_once(':')?;
        let language = key.trim().strip_prefix('"')?.strip_suffix('"')?;
        let value_text = value.trim().trim_end_matches(',');
        let quoted = value_text.len() > 1 && value_text.starts_with('"') && value_text.ends_with('"');
        (quoted && languages.iter().any(|chosen| chosen == language)).then(|| {
            let end = if value.trim_end().ends_with(',') { "," } else { "" };
            let cr = if value.ends_with('\r') { "\r" } else { "" };
            // The editor puts a space on both sides.
            format!("{key}: \" {} \"{end}{cr}", escaped(text))
        })
    };
    let lines: Vec<String> = script.split('\n').map(|one| line(one).unwrap_or_else(|| one.to_owned())).collect();
    lines.join("\n")
}

/// Returns a text as the inside of a string in Python, as the editor writes it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '"' => out.push_str("\\\""),
            '\'' => out.push_str("\\'"),
            '\n' => out.push_str("\\n"),
            '\r' => {}
            other => out.push(other),
        }
    }
    out
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
