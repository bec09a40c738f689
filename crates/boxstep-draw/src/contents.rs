//! The files of a project other than behaviors: dialogs, topics, translations and others.

use crate::tree::{Item, print};
use boxstep_format::project::{DialogFile, Part, PartFault, ProjectContents, TopicFile, Translations};
use schemars::JsonSchema;
use serde::Serialize;

/// Formats the files of a project other than behaviors as a tree; empty if there are none. The tree is at most 100
/// columns wide, except where a single word is longer.
pub fn contents_tree(contents: &ProjectContents) -> String {
    let listed = Listed::new(contents);
    if listed.is_empty() {
        return String::new();
    }
    let mut top = Item::new("project");
    let mut group = |name: &str, lines: Vec<String>| {
        if !lines.is_empty() {
            let mut item = Item::new(name);
            item.children.extend(lines.into_iter().map(Item::new));
            top.children.push(item);
        }
    };
    let marked = |text: String, state: &Option<&str>| match state {
        Some(state) => format!("{text}  ({state})"),
        None => text,
    };
    let dialogs = listed.dialogs.iter().map(|d| {
        let topics = d.topics.iter().map(|t| t.language.as_str()).collect::<Vec<_>>().join(", ");
        marked(format!("{}: {topics}", d.path).trim_end_matches([':', ' ']).to_owned(), &d.state)
    });
    group("dialogs", dialogs.collect());
    let topics = listed.topics.iter().map(|t| {
        let own = [t.name.as_deref(), t.language.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(", ");
        marked(format!("{}: {own}", t.path).trim_end_matches([':', ' ']).to_owned(), &t.state)
    });
    group("topics", topics.collect());
    let translations = listed.translations.iter().map(|t| {
        let texts = t.texts.map(|n| format!(", {n} text{}", if n == 1 { "" } else { "s" })).unwrap_or_default();
        let language = t.language.as_deref().unwrap_or("no language");
        marked(format!("{}: {language}{texts}", t.path), &t.state)
    });
    group("translations", translations.collect());
    group("files", listed.files.iter().map(|f| marked(f.path.clone(), &f.state)).collect());
    print(&top)
}

/// The files of a project other than behaviors.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Listed {
    /// Dialogs (`.dlg`).
    dialogs: Vec<Dialog>,
    /// Topics (`.top`).
    topics: Vec<Topic>,
    /// Translations of localized texts (`.ts`).
    translations: Vec<Translation>,
    /// Other files.
    files: Vec<File>,
}

#[derive(Serialize, JsonSchema)]
struct Dialog {
    /// Path in the project.
    path: String,
    /// Its topic files.
    topics: Vec<DialogTopic>,
    /// `missing`, `outside the project` or `unreadable`; left out if it is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct DialogTopic {
    /// The code of a language, e.g. `enu`.
    language: String,
    /// Path of the `.top`, relative to the dialog.
    path: String,
}

#[derive(Serialize, JsonSchema)]
struct Topic {
    /// Path in the project.
    path: String,
    /// The name by which the dialog engine refers to it: as in the file, else as it is listed.
    name: Option<String>,
    /// The language as in the file, else as it is listed.
    language: Option<String>,
    /// As for dialogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct Translation {
    /// Path in the project.
    path: String,
    /// Locale.
    language: Option<String>,
    /// Number of translated texts.
    texts: Option<usize>,
    /// As for dialogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

#[derive(Serialize, JsonSchema)]
struct File {
    /// Path in the project.
    path: String,
    /// As for dialogs.
    #[serde(skip_serializing_if = "Option::is_none")]
    state: Option<&'static str>,
}

impl Listed {
    pub(crate) fn new(contents: &ProjectContents) -> Self {
        let trajectories = contents.trajectories.iter().map(file);
        Self {
            dialogs: contents.dialogs.iter().map(dialog).collect(),
            topics: contents.topics.iter().map(topic).collect(),
            translations: contents.translations.iter().map(translation).collect(),
            files: contents.files.iter().map(file).chain(trajectories).collect(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.dialogs.is_empty() && self.topics.is_empty() && self.translations.is_empty() && self.files.is_empty()
    }
}

fn state<T>(part: &Part<T>) -> Option<&'static str> {
    part.content.as_ref().err().map(|fault| match fault {
        PartFault::Missing => "missing",
        PartFault::Outside => "outside the project",
        PartFault::Unreadable(_) => "unreadable",
    })
}

/// Returns the first text that is not empty.
fn first_non_empty<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    words.into_iter().find(|w| !w.is_empty()).map(str::to_owned)
}

fn dialog(part: &Part<DialogFile>) -> Dialog {
    let topics = part.content.iter().flat_map(|d| &d.topics);
    let topics = topics.map(|t| DialogTopic { language: t.language.text.clone(), path: t.path.text.clone() });
    Dialog { path: part.path.clone(), topics: topics.collect(), state: state(part) }
}

fn topic(part: &Part<TopicFile>) -> Topic {
    let own = part.content.as_ref().ok();
    let name = own.and_then(|t| t.name.as_ref()).map_or("", |w| &w.text);
    let language = own.and_then(|t| t.language.as_ref()).map_or("", |w| &w.text);
    Topic {
        path: part.path.clone(),
        name: first_non_empty([name, &part.topic]),
        language: first_non_empty([language, &part.language]),
        state: state(part),
    }
}

fn translation(part: &Part<Translations>) -> Translation {
    let own = part.content.as_ref().ok();
    let language = first_non_empty([part.language.as_str(), own.map_or("", |t| &t.language)]);
    Translation { path: part.path.clone(), language, texts: own.map(Translations::len), state: state(part) }
}

fn file<T>(part: &Part<T>) -> File {
    File { path: part.path.clone(), state: state(part) }
}
