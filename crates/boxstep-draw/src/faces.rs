//! The values that boxes show on their faces: what they say, how long they wait, their text or color.

use crate::scene::LABEL;
use crate::text::{fit, one_line};
use boxstep_format::model::{BoxDef, Parameter, ParameterType};

/// The value that a box shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Face {
    /// The parameter that has it, if it is one.
    pub(crate) parameter: Option<String>,
    pub(crate) shown: String,
    pub(crate) color: Option<[u8; 3]>,
    /// The whole value.
    pub(crate) about: String,
}

/// The parameters of the editor's boxes that say what a box is for, the most telling first.
const TELLING: &[&str] = &[
    "Text",
    "File path",
    "File name",
    "Timeout (s)",
    "timeout",
    "Duration (s)",
    "Language",
    "Name",
    "key",
    "Key",
    "Side",
    "LEDs group",
    "Color",
];

/// How deep a box is searched for the text that it says.
const DEEP: usize = 3;

impl Face {
    /// Returns the value that a box shows in so many pixels: what a plugin of the editor has written into it, or into a
    /// box inside; else the parameter that says what the box is for.
    pub(crate) fn of(def: &BoxDef, room: f64) -> Option<Self> {
        if let Some(sent) = sent(def) {
            let color = color(&sent);
            let shown = fit(&sent, LABEL, if color.is_some() { room - 16.0 } else { room });
            return Some(Self { parameter: None, shown, color, about: sent });
        }
        if let Some(text) = text_inside(def, DEEP) {
            return Some(Self { parameter: None, shown: fit(&text, LABEL, room), color: None, about: text });
        }
        let parameter = telling(def)?;
        let value = one_line(&parameter.value);
        let is_text =
            matches!(parameter.content_type, ParameterType::String | ParameterType::Localized | ParameterType::File);
        let words = if is_text { value } else { format!("{}: {value}", parameter.name) };
        let about = format!("{}: {}", parameter.name, parameter.value);
        Some(Self { parameter: Some(parameter.name.to_string()), shown: fit(&words, LABEL, room), color: None, about })
    }
}

/// Returns the parameter that says what a box is for: one of a known name, or the only one.
fn telling(def: &BoxDef) -> Option<&Parameter> {
    let shown = |parameter: &&Parameter| {
        !parameter.password && !parameter.inherits_from_parent && !parameter.value.trim().is_empty()
    };
    let named = TELLING.iter().find_map(|name| def.parameters.iter().find(|parameter| &*parameter.name == *name));
    let only = || if let [only] = def.parameters.as_slice() { Some(only) } else { None };
    named.or_else(only).filter(shown)
}

/// Returns what the script of an editor's plugin sends: the argument of `self.onStopped(…)`, or, if that depends on the
/// language, the English text or else the first one.
fn sent(def: &BoxDef) -> Option<String> {
    let script = def.script.as_ref().filter(|_| !def.plugin.is_empty())?;
    if script.text.contains("self.sentences") {
        let texts = script.text.lines().filter_map(|line| {
            let (language, text) = line.trim().trim_end_matches(',').split_once(':')?;
            let text = plain(text.trim().strip_prefix('"')?.strip_suffix('"')?);
            (!text.is_empty()).then_some((language.contains("English"), text))
        });
        // The first of those that are equally good.
        return texts.reduce(|best, next| if next.0 && !best.0 { next } else { best }).map(|(_, text)| text);
    }
    let line = script.text.lines().find_map(|line| line.trim().strip_prefix("self.onStopped("))?;
    let sent = line.trim_end().strip_suffix(')')?.trim();
    let text = sent.trim_matches(['"', '\'']);
    (!text.is_empty()).then(|| if text.len() < sent.len() { plain(text) } else { sent.to_owned() })
}

/// Returns a text without the commands of animated speech, such as `^start(…)`.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('^') {
        out.push_str(before);
        match after.split_once(')') {
            Some((command, next)) if is_command(command) => rest = next,
            _ => {
                out.push('^');
                rest = after;
            }
        }
    }
    out.push_str(rest);
    one_line(&out).trim().to_owned()
}

/// Whether this is the name of a command, with its arguments: `start(Hey_1`.
fn is_command(text: &str) -> bool {
    text.split_once('(').is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphabetic()))
}

/// Returns the text that a box inside a flow diagram sends.
fn text_inside(def: &BoxDef, deep: usize) -> Option<String> {
    let timeline = def.timeline.as_ref().filter(|timeline| !timeline.enabled && deep > 0)?;
    let diagrams = timeline.layers.iter().flat_map(|layer| &layer.keyframes).map(|keyframe| &keyframe.diagram);
    let mut boxes = diagrams.flat_map(|diagram| &diagram.boxes);
    // Of a diagram with many boxes one text says little.
    let few: Vec<&BoxDef> = boxes.by_ref().take(FEW).collect();
    if boxes.next().is_some() {
        return None;
    }
    few.iter().find_map(|def| sent(def).filter(|text| color(text).is_none()).or_else(|| text_inside(def, deep - 1)))
}

/// The boxes that the diagram of a box that says something has at most.
const FEW: usize = 3;

/// Returns the color that a list of three numbers is.
fn color(text: &str) -> Option<[u8; 3]> {
    let mut parts = text.strip_prefix('[')?.strip_suffix(']')?.split(',').map(|part| part.trim().parse::<u8>().ok());
    let color = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_of_speech_are_left_out() {
        assert_eq!(plain(" ^start(animations/Hey_1) Hello ^wait(animations/Hey_1) "), "Hello");
        assert_eq!(plain("2^3 is 8"), "2^3 is 8");
        assert_eq!(plain("a ^ b (c)"), "a ^ b (c)");
    }

    #[test]
    fn only_three_bytes_are_a_color() {
        assert_eq!(color("[0, 255, 7]"), Some([0, 255, 7]));
        for text in ["[0, 256, 7]", "[0, 1]", "[0, 1, 2, 3]", "0, 1, 2", "[red]"] {
            assert_eq!(color(text), None, "{text}");
        }
    }
}
