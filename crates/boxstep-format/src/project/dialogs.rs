//! Reading of `.dlg` and `.top`, the files of dialogs, and of `.pmt`, drawn trajectories of Pepper's base. The rules of
//! a dialog are not interpreted; files are parsed only as far as listing and checking them requires.
//!
//! A `.dlg` begins with `multilanguage:NAME`. Each further line is a language code, `:` and the path of the `.top` with
//! the topic in that language, relative to the `.dlg`. A `.top` is QiChat: `topic: ~NAME()`, `language: CODE`, then
//! rules.

use crate::error::{FormatError, Problem};
use crate::{Limits, decode};
use boxstep_types::{FileId, Sources, Span};

/// A word of a file, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// The place of the word.
    pub span: Span,
}

/// The contents of a `.dlg` file.
#[derive(Clone, Debug)]
pub struct DialogFile {
    /// The text of the file, for messages.
    pub sources: Sources,
    /// The span of the whole text.
    pub span: Span,
    /// The dialog's name, if the file has one.
    pub name: Option<Word>,
    /// The topic file of each language.
    pub topics: Vec<DialogTopic>,
    /// Lines that were not understood.
    pub strange: Vec<Word>,
}

/// A line of a `.dlg` that gives the topic file of a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogTopic {
    /// The language code, e.g. `enu`.
    pub language: Word,
    /// The path of the `.top`, relative to the `.dlg`.
    pub path: Word,
}

/// The head of a `.top` file.
#[derive(Clone, Debug)]
pub struct TopicFile {
    /// The text of the file, for messages.
    pub sources: Sources,
    /// The span of the whole text.
    pub span: Span,
    /// The name by which the dialog engine refers to the topic, without `~` and `()`.
    pub name: Option<Word>,
    /// The language as the file has it: `enu`, `English`.
    pub language: Option<Word>,
}

/// Reads a `.dlg`. `name` is the file name that messages print.
pub fn read_dialog(name: &str, bytes: &[u8], limits: &Limits) -> Result<DialogFile, FormatError> {
    let (sources, span) = decoded(name, bytes, limits)?;
    let mut dialog = DialogFile { sources: Sources::new(), span, name: None, topics: Vec::new(), strange: Vec::new() };
    for line in lines(sources.text(span.file), span.file) {
        match line.split() {
            Some((key, value)) if key.text == "multilanguage" && dialog.name.is_none() => dialog.name = Some(value),
            Some((language, path)) if !path.text.is_empty() => dialog.topics.push(DialogTopic { language, path }),
            _ => dialog.strange.push(line),
        }
    }
    Ok(DialogFile { sources, ..dialog })
}

/// Reads the head of a `.top`. `name` is the file name that messages print.
pub fn read_topic(name: &str, bytes: &[u8], limits: &Limits) -> Result<TopicFile, FormatError> {
    let (sources, span) = decoded(name, bytes, limits)?;
    let (mut topic, mut language) = (None, None);
    for line in lines(sources.text(span.file), span.file) {
        match line.split() {
            Some((key, value)) if key.text == "topic" && topic.is_none() => topic = Some(value.topic_name()),
            Some((key, value)) if key.text == "language" && language.is_none() => language = Some(value),
            _ => {}
        }
        if topic.is_some() && language.is_some() {
            break;
        }
    }
    Ok(TopicFile { sources, span, name: topic, language })
}

/// Reads a `.pmt`, which consists of nested lists in Python syntax, and returns the number of movements; `None` if the
/// file is not a trajectory. `name` is the file name that messages print.
pub fn read_trajectory(name: &str, bytes: &[u8], limits: &Limits) -> Result<Option<usize>, FormatError> {
    let (sources, span) = decoded(name, bytes, limits)?;
    Ok(movements(sources.text(span.file).trim()))
}

/// Returns the number of movements, which are the lists that begin with a name; `None` if brackets do not match.
fn movements(text: &str) -> Option<usize> {
    const NAMES: [&str; 4] = ["Holonomic", "Line", "Circle", "Composed"];
    let mut open: Vec<char> = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '[' | '(' => open.push(c),
            ']' if open.pop() != Some('[') => return None,
            ')' if open.pop() != Some('(') => return None,
            ']' | ')' if open.is_empty() && at + 1 < text.len() => return None,
            _ => {}
        }
    }
    let named = |name: &str| text.matches(&format!("\"{name}\"")).count() + text.matches(&format!("'{name}'")).count();
    (open.is_empty() && text.starts_with(['[', '('])).then(|| NAMES.iter().map(|name| named(name)).sum())
}

fn decoded(name: &str, bytes: &[u8], limits: &Limits) -> Result<(Sources, Span), FormatError> {
    let at_most = limits.bytes.min(u32::MAX as usize - 1);
    let text = if bytes.len() > at_most { Err(Problem::Limit("bytes", at_most)) } else { decode::decode(bytes) };
    let mut sources = Sources::new();
    match text {
        Ok((text, _)) if text.len() <= at_most => {
            let end = text.len() as u32;
            let file = sources.add(name, text);
            Ok((sources, Span { file, start: 0, end }))
        }
        Ok(_) => Err(FormatError::nowhere(Problem::Limit("bytes", at_most), sources)),
        Err(problem) => {
            sources.add(name, "");
            Err(FormatError::nowhere(problem, sources))
        }
    }
}

/// Returns the lines that are neither empty nor comments, trimmed.
fn lines(text: &str, file: FileId) -> impl Iterator<Item = Word> + '_ {
    let mut start = 0;
    let all = text.split_inclusive(['\n', '\r']).map(move |line| {
        let at = start;
        start += line.len();
        Word::new(line, file, at)
    });
    all.filter(|line| !line.text.is_empty() && !line.text.starts_with('#'))
}

impl Word {
    fn new(text: &str, file: FileId, at: usize) -> Self {
        let start = (at + text.len() - text.trim_start().len()) as u32;
        let text = text.trim().to_owned();
        let end = start + text.len() as u32;
        Self { text, span: Span { file, start, end } }
    }

    /// Splits at the first `:` into the parts before and after it.
    fn split(&self) -> Option<(Word, Word)> {
        let (key, value) = self.text.split_once(':')?;
        let (file, at) = (self.span.file, self.span.start as usize);
        Some((Word::new(key, file, at), Word::new(value, file, at + key.len() + 1)))
    }

    /// Returns `name` for a topic written as `~name()`.
    fn topic_name(self) -> Word {
        let name = self.text.trim_start_matches('~');
        let name = name.split(['(', ' ', '\t', '#']).next().unwrap_or(name);
        Word { text: name.to_owned(), span: self.span }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[Word]) -> Vec<&str> {
        words.iter().map(|w| w.text.as_str()).collect()
    }

    #[test]
    fn a_dialog_names_the_topic_of_each_language() {
        let text =
            "\u{feff}multilanguage:talk\r\n  enu:talk_enu.top\r\n\r\n# more to come\r\n jpj : sub/日本.top\r\nwhat\r\n";
        let dialog = read_dialog("talk.dlg", text.as_bytes(), &Limits::default()).unwrap();
        assert_eq!(dialog.name.unwrap().text, "talk");
        let topics: Vec<_> = dialog.topics.iter().map(|t| (&*t.language.text, &*t.path.text)).collect();
        assert_eq!(topics, [("enu", "talk_enu.top"), ("jpj", "sub/日本.top")]);
        assert_eq!(texts(&dialog.strange), ["what"]);
        let path = &dialog.topics[1].path;
        assert_eq!(dialog.sources.slice(path.span), path.text);
        assert_eq!(dialog.sources.place(path.span), "talk.dlg:5:8");
    }

    #[test]
    fn a_topic_says_its_name_and_language() {
        for head in [
            "topic: ~talk()\nlanguage: enu\nu:(hi) hello",
            "# c\nlanguage:enu\n\ntopic:~talk ( )\r\n",
            "topic: ~talk() # x\rlanguage: enu",
        ] {
            let topic = read_topic("t.top", head.as_bytes(), &Limits::default()).unwrap();
            assert_eq!((&*topic.name.unwrap().text, &*topic.language.unwrap().text), ("talk", "enu"), "{head}");
        }
        let none = read_topic("t.top", b"u:(hi) hello\n", &Limits::default()).unwrap();
        assert!(none.name.is_none() && none.language.is_none());
        assert!(read_topic("t.top", b"topic: \xff", &Limits::default()).is_err());
    }

    #[test]
    fn a_trajectory_is_nested_lists() {
        assert_eq!(movements(r#"[["Composed", ["Holonomic", ["Line", [0.9, -0.1]], 0.7, 4.4]], 1.5]"#), Some(3));
        assert_eq!(movements("[]"), Some(0));
        for broken in ["", "[", "[]]", "[)", "<xml/>", "[] import os"] {
            assert_eq!(movements(broken), None, "{broken}");
        }
    }
}
