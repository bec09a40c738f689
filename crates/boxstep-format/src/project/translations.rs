//! Reading of `.ts`, the Qt Linguist files with the translations of a project's localized texts.
//!
//! A context is named after a box: the path of its `.xar` in the project, `:`, and the names of the boxes below the
//! root, each after a `/` (`behavior_1/behavior.xar:/Say`). Inside a timeline, the names of layer and keyframe precede
//! the box (`…:/Dance/behavior_layer1/keyframe1/Say`). A message in a context has the source text, the parameter's name
//! as its comment, and the translation.

use crate::Limits;
use crate::error::{FormatError, Problem};
use crate::model::{BoxDef, Project};
use crate::paths::Place;
use crate::raw::{Doctype, RawNode};
use crate::xar::{Parsed, parse_xml};
use boxstep_types::Span;
use std::collections::{HashMap, HashSet};

/// The translations into one language.
#[derive(Clone, Debug, Default)]
pub struct Translations {
    /// The locale, e.g. `en_US`; empty if the file does not have it.
    pub language: String,
    /// Translations by context.
    messages: HashMap<String, Messages>,
    /// Translations by the part of a context after the `.xar`; `None` if two behaviors translate a text differently.
    by_box: HashMap<String, HashMap<(String, String), Option<String>>>,
    /// The paths of the `.xar` files in the names of contexts.
    files: HashSet<String>,
}

/// Translations by parameter and source text.
type Messages = HashMap<(String, String), String>;

impl Translations {
    /// Returns the translation of a parameter's source text; `None` if there is none, and then the source text is used.
    ///
    /// `xar` is the path of the behavior's `.xar` in its project, and `trail` leads to the box as in
    /// [`crate::paths::BoxAt`].
    ///
    /// If no context mentions this `.xar`, the file was probably written before the behavior was moved, e.g. into a
    /// folder of its own. Then the same text of the same box in any behavior is used, unless two behaviors translate it
    /// differently.
    pub fn text(&self, xar: &str, project: &Project, trail: &[Place], parameter: &str, source: &str) -> Option<&str> {
        let key = (parameter.to_owned(), source.to_owned());
        let moved = !self.files.contains(xar);
        [Keyframes::OfTimelines, Keyframes::Never, Keyframes::Always].into_iter().find_map(|keyframes| {
            let place = context(&project.root, trail, keyframes)?;
            if moved {
                return self.by_box.get(&place)?.get(&key)?.as_deref();
            }
            self.messages.get(&format!("{xar}:{place}"))?.get(&key).map(String::as_str)
        })
    }

    fn add(&mut self, context: &str, key: (String, String), text: String) {
        // Paths of files contain no colon, but names of boxes may, so the first colon separates them.
        if let Some((xar, place)) = context.split_once(':') {
            self.files.insert(xar.to_owned());
            let same = self.by_box.entry(place.to_owned()).or_default().entry(key.clone());
            let same = same.or_insert_with(|| Some(text.clone()));
            same.take_if(|other| *other != text);
        }
        self.messages.entry(context.to_owned()).or_default().insert(key, text);
    }

    /// The number of translations.
    pub fn len(&self) -> usize {
        self.messages.values().map(HashMap::len).sum()
    }

    /// Returns true if there is no translation.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }
}

/// Where a context's name includes layer and keyframe. Editors are known to write the first form.
#[derive(Clone, Copy)]
enum Keyframes {
    OfTimelines,
    Never,
    Always,
}

/// Returns the part of a context's name after the `.xar` and `:`.
fn context(root: &BoxDef, trail: &[Place], keyframes: Keyframes) -> Option<String> {
    let mut name = String::new();
    let mut at = root;
    for place in trail {
        let timeline = at.timeline.as_ref()?;
        let layer = timeline.layers.get(place.layer)?;
        let keyframe = layer.keyframes.get(place.keyframe)?;
        let includes_keyframe = match keyframes {
            Keyframes::OfTimelines => timeline.enabled,
            Keyframes::Never => false,
            Keyframes::Always => true,
        };
        if includes_keyframe {
            name.extend(["/", &*layer.name, "/", &*keyframe.name]);
        }
        at = keyframe.diagram.boxes.get(place.index)?;
        name.extend(["/", &*at.name]);
    }
    if trail.is_empty() {
        name.push('/');
    }
    Some(name)
}

/// Returns the names that contexts can have for the box of a trail in the `.xar` of a path; the first one is the usual one.
pub fn translation_contexts(xar: &str, project: &Project, trail: &[Place]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for keyframes in [Keyframes::OfTimelines, Keyframes::Never, Keyframes::Always] {
        let name = context(&project.root, trail, keyframes).map(|place| format!("{xar}:{place}"));
        names.extend(name.filter(|name| !names.contains(name)));
    }
    names
}

/// Reads a `.ts`. `name` is the file name that messages print. Translations marked obsolete or vanished are ignored,
/// because their texts no longer exist; unfinished ones count once they have text.
pub fn read_translations(name: &str, bytes: &[u8], limits: &Limits) -> Result<Translations, FormatError> {
    let Parsed { sources, file, raw, .. } = parse_xml(name, bytes, limits, Doctype::Bare)?;
    let mut translations = Translations::default();
    let Some(root) = raw.view(sources.text(file)).root() else { return Ok(translations) };
    if root.name() != "TS" {
        let start = root.range().0;
        let span = Span { file, start, end: start + 1 + root.name().len() as u32 };
        let problem = Problem::WrongRoot(root.name().chars().take(40).collect(), "a translation file");
        return Err(FormatError::at(problem, span, sources.clone()));
    }
    translations.language = root.attribute("language").unwrap_or_default().into_owned();
    for context in root.elements().filter(|e| e.name() == "context") {
        let Some(name) = child(context, "name") else { continue };
        for message in context.elements().filter(|e| e.name() == "message") {
            let (Some(source), Some(translation)) = (child(message, "source"), child(message, "translation")) else {
                continue;
            };
            let stale = translation.attribute("type").is_some_and(|t| matches!(&*t, "obsolete" | "vanished"));
            let text = translation.content().into_owned();
            if stale || text.is_empty() {
                continue;
            }
            let parameter = child(message, "comment").map_or_else(String::new, |c| c.content().into_owned());
            translations.add(&name.content(), (parameter, source.content().into_owned()), text);
        }
    }
    Ok(translations)
}

fn child<'a>(node: RawNode<'a>, name: &str) -> Option<RawNode<'a>> {
    node.elements().find(|e| e.name() == name)
}
