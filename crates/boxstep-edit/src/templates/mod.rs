//! What a new file contains, and where it goes. The page, `boxstep new` and the operations on projects begin with these
//! texts.

mod begin;

pub use begin::{Begun, NewError, begin, begin_test, check_name};

/// An empty behavior, as Choregraphe writes one.
pub const BEHAVIOR: &str = include_str!("behavior.xar");

const DIALOG: &str = include_str!("dialog.dlg");
const TOPIC: &str = include_str!("topic.top");
const CHARACTER: &str = include_str!("character.yaml");
const TEST: &str = include_str!("behavior.test.toml");

/// The files of a new project: the path in its folder, and the text with `@WORDS@` to be replaced.
pub const PROJECT: &[(&str, &str)] = &[
    ("@NAME@.pml", include_str!("project/project.pml")),
    ("manifest.xml", include_str!("project/manifest.xml")),
    ("behavior_1/behavior.xar", include_str!("project/behavior.xar")),
    ("behavior_1/behavior.test.toml", include_str!("project/behavior.test.toml")),
    ("README.md", include_str!("project/README.md")),
    (".gitignore", include_str!("project/gitignore")),
    (".github/workflows/behavior.yml", include_str!("project/behavior.yml")),
];

/// Returns a dialog (`.dlg`) with its topic files by language code.
pub(crate) fn dialog(name: &str, topics: &[(String, String)]) -> String {
    let lines: String = topics.iter().map(|(code, file)| format!("{code}:{file}\n")).collect();
    filled(DIALOG, &[("@NAME@", name)]) + &lines
}

/// Returns a topic with one rule.
pub(crate) fn topic(name: &str, code: &str) -> String {
    filled(TOPIC, &[("@NAME@", name), ("@LANGUAGE@", code)])
}

/// Returns a name that the rules of a dialog can use: letters, digits and `_`.
pub(crate) fn topic_name(name: &str) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("topic_{plain}") }
}

/// Replaces words of a template.
pub fn filled(text: &str, words: &[(&str, &str)]) -> String {
    words.iter().fold(text.to_owned(), |text, (word, with)| text.replace(word, with))
}
