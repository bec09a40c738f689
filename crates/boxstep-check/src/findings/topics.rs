//! Checks of topics (`.top`): what [`boxstep_dialog`] finds in each, with what the project's other files define.

use super::dialogs::{self, folder_of};
use super::includes;
use super::projects::Found;
use super::texts::{read_topic, topic_of_text};
use boxstep_dialog::codes::NO_INCLUDE;
use boxstep_dialog::topic::{Item, ItemKind, Rule, RuleKind, Topic, walk};
use boxstep_dialog::{Known, lint, problems};
use boxstep_format::project::{known_language, project_root};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the findings about a topic that was named by itself: see [`TopicCheck::file`].
///
/// # Errors
/// Why the file cannot be read.
pub fn topic_file(path: &Path, shown: &str) -> Result<Vec<Found>, Box<Found>> {
    TopicCheck::default().file(path, shown)
}

/// Checks topics that are named by themselves. It remembers the topics around them.
#[derive(Default)]
pub struct TopicCheck {
    around: BTreeMap<PathBuf, Topics>,
}

impl TopicCheck {
    /// Returns the findings about a topic. The other topics of its project, or else of its folder, may define what it
    /// uses. `shown` is its name in messages.
    ///
    /// # Errors
    /// Why the file cannot be read.
    pub fn file(&mut self, path: &Path, shown: &str) -> Result<Vec<Found>, Box<Found>> {
        let topic = read_topic(path, shown)?;
        Ok(self.around(path).findings(path, &topic, ("", "")))
    }

    /// Returns the findings about a topic whose file will have this text.
    pub fn text(&mut self, path: &Path, shown: &str, text: &str) -> Vec<Found> {
        let topic = topic_of_text(path, shown, text);
        self.around(path).findings(path, &topic, ("", ""))
    }

    /// The topics of the project that a topic belongs to; if there is none, those in its folder.
    pub(super) fn around(&mut self, path: &Path) -> &Topics {
        let root = project_root(folder_of(path));
        self.around.entry(root).or_insert_with_key(|root| Topics::around(root))
    }
}

/// The limits on the search for topics: nested folders, files, and topics.
const DEEPEST: usize = 6;
const MOST_FILES: usize = 20_000;
const MOST_TOPICS: usize = 1_000;
/// Larger files are no scripts of people, in bytes.
const LARGEST_SCRIPT: u64 = 20_000_000;

/// Methods by which scripts ask for proposals and tags.
const ASKING: [&str; 6] = ["forceOutput", "gotoTopic", "gotoTag", "startPush", "runTopics", "setFocus"];

/// The topics of a project.
pub(super) struct Topics {
    topics: Vec<(PathBuf, Topic)>,
    scripts: Vec<PathBuf>,
    asks: OnceCell<bool>,
}

impl Topics {
    /// The topics of the project in a folder; if there is none, those in the folder.
    fn around(root: &Path) -> Self {
        let is_project = std::fs::read_dir(root).into_iter().flatten().flatten().any(|entry| {
            let path = entry.path();
            entry.file_name() == "manifest.xml" || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pml"))
        });
        Self::under(root, if is_project { DEEPEST } else { 0 })
    }

    /// The topics of a project.
    pub(super) fn of_project(folder: &Path) -> Self {
        Self::under(&folder.canonicalize().unwrap_or_else(|_| folder.to_owned()), DEEPEST)
    }

    fn under(root: &Path, deep: usize) -> Self {
        let (mut topics, mut scripts) = (Vec::new(), Vec::new());
        let mut left = MOST_FILES;
        let mut open = vec![(root.to_owned(), deep)];
        while let Some((folder, deep)) = open.pop() {
            for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
                if left == 0 {
                    break;
                }
                left -= 1;
                let path = entry.path();
                let ends = |with: &str| path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with));
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && deep > 0 => open.push((path, deep - 1)),
                    Ok(kind) if kind.is_file() && ends("top") => topics.push(path),
                    Ok(kind) if kind.is_file() && (ends("xar") || ends("py") || ends("js")) => scripts.push(path),
                    _ => {}
                }
            }
        }
        topics.sort();
        topics.truncate(MOST_TOPICS);
        let read = |path: PathBuf| Some((path.clone(), read_topic(&path, &path.to_string_lossy()).ok()?));
        Self { topics: topics.into_iter().filter_map(read).collect(), scripts, asks: OnceCell::new() }
    }

    /// Whether a script of the project asks for proposals.
    fn asks(&self) -> bool {
        *self.asks.get_or_init(|| {
            let small = |path: &&PathBuf| path.metadata().is_ok_and(|data| data.len() < LARGEST_SCRIPT);
            self.scripts.iter().filter(small).filter_map(|path| std::fs::read(path).ok()).any(|bytes| {
                let text = String::from_utf8_lossy(&bytes);
                ASKING.iter().any(|method| text.contains(method))
            })
        })
    }

    /// Returns the findings about a topic, in the order of its text. `listed` are the name and the language that it is
    /// listed under, either of which may be empty.
    pub(super) fn findings(&self, path: &Path, topic: &Topic, listed: (&str, &str)) -> Vec<Found> {
        let (name, language) = listed;
        // The language of resources of Android is that of their folder.
        let mut found = match is_android(path) {
            true => dialogs::named(topic, name).into_iter().collect(),
            false => dialogs::topic(topic, name, language),
        };
        // What the reader says about included topics is told below, with advice.
        found.extend(problems(topic).into_iter().filter(|problem| problem.code != NO_INCLUDE));
        let mut known = self.known(path, topic);
        let (of_includes, sources) = includes::check(path, topic, &mut known);
        found.extend(of_includes);
        found.extend(lint(topic, &known));
        found.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
        let file = topic.sources.name(topic.file);
        let found = found.into_iter();
        found.map(|finding| Found { finding, sources: sources.clone(), file: file.to_owned() }).collect()
    }

    /// What the other topics of the project define, and what its files ask for.
    fn known(&self, path: &Path, topic: &Topic) -> Known {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // Programs for Android ask for proposals in languages of which nothing is known here.
        let is_asked_for = |rule: &Rule| rule.kind == RuleKind::Proposal || has_tag(&rule.output);
        let asks = topic.rules.iter().any(is_asked_for) && (is_android(path) || self.asks());
        let mut known = Known { asks, ..Known::default() };
        for (other, others) in &self.topics {
            if *other != real && same_language(topic, others) {
                known.add(others);
            }
        }
        known
    }
}

fn has_tag(output: &[Item]) -> bool {
    let mut found = false;
    walk(output, &mut |item| found |= matches!(item.kind, ItemKind::Tag(_)));
    found
}

/// Whether a topic is a resource of an application for Pepper's Android tablet: `res/raw/t.top`, `res/raw-fr/t.top`.
fn is_android(path: &Path) -> bool {
    let mut folders = path.ancestors().skip(1).filter_map(|folder| folder.file_name()?.to_str());
    folders.next().is_some_and(|raw| raw == "raw" || raw.starts_with("raw-")) && folders.next() == Some("res")
}

/// Whether two topics may be active at the same time.
fn same_language(one: &Topic, other: &Topic) -> bool {
    let of = |topic: &Topic| known_language(&topic.language.as_ref()?.text);
    of(one).zip(of(other)).is_none_or(|(one, other)| one == other)
}
