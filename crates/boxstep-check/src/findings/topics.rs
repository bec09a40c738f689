//! Checks of topics (`.top`): what [`boxstep_dialog`] finds in each, with what the project's other files define.

use super::projects::Found;
use crate::codes;
use boxstep_dialog::topic::{Item, ItemKind, Rule, RuleKind, Topic, walk};
use boxstep_dialog::{Known, lint, problems};
use boxstep_format::Limits;
use boxstep_format::project::{inside, known_language, project_root};
use boxstep_types::{Diagnostic, Sources, Span};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Returns the findings about a topic that was named by itself. The other topics of its project, or else of its folder,
/// may define what it uses. `shown` is its name in messages.
///
/// # Errors
/// Why the file cannot be read.
pub fn topic_file(path: &Path, shown: &str) -> Result<Vec<Found>, Box<Found>> {
    let topic = match read(path, shown) {
        Ok(topic) => topic,
        Err(why) => {
            let finding = Diagnostic::error(boxstep_format::codes::UNREADABLE_FILE, why);
            return Err(Box::new(Found { finding, sources: Sources::new(), file: shown.to_owned() }));
        }
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let around = Topics::around(folder);
    // The language of resources of Android is that of their folder.
    let mut findings = match is_android(path) {
        true => super::dialogs::named(&topic, "").into_iter().collect(),
        false => super::dialogs::topic(&topic, "", ""),
    };
    findings.extend(around.findings(path, &topic));
    let found = findings.into_iter();
    Ok(found.map(|finding| Found { finding, sources: topic.sources.clone(), file: shown.to_owned() }).collect())
}

/// Reads a topic. `shown` is its name in messages.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn read(path: &Path, shown: &str) -> Result<Topic, String> {
    let cannot = |why: String| format!("cannot read {shown}: {why}");
    // Opening a pipe would block until its other end is opened.
    if !path.metadata().map_err(|e| cannot(e.to_string()))?.is_file() {
        return Err(cannot("it is not a regular file".to_owned()));
    }
    let bytes = std::fs::read(path).map_err(|e| cannot(e.to_string()))?;
    let decoded = boxstep_format::project::read_topic(shown, &bytes, &Limits::default());
    let decoded = decoded.map_err(|e| cannot(e.diagnostic().message))?;
    Ok(boxstep_dialog::read_topic(shown, decoded.sources.text(decoded.span.file)))
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
    root: PathBuf,
    topics: Vec<(PathBuf, Topic)>,
    scripts: Vec<PathBuf>,
    asks: OnceCell<bool>,
}

impl Topics {
    /// The topics of the project that a folder belongs to; if there is none, those in the folder.
    pub(super) fn around(folder: &Path) -> Self {
        let root = project_root(folder);
        let is_project = std::fs::read_dir(&root).into_iter().flatten().flatten().any(|entry| {
            let path = entry.path();
            entry.file_name() == "manifest.xml" || path.extension().is_some_and(|e| e.eq_ignore_ascii_case("pml"))
        });
        Self::under(&root, if is_project { DEEPEST } else { 0 })
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
        let read = |path: PathBuf| Some((path.clone(), read(&path, &path.to_string_lossy()).ok()?));
        Self {
            root: root.to_owned(),
            topics: topics.into_iter().filter_map(read).collect(),
            scripts,
            asks: OnceCell::new(),
        }
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

    /// Returns the findings about a topic, in the order of its text.
    pub(super) fn findings(&self, path: &Path, topic: &Topic) -> Vec<Diagnostic> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let mut found = problems(topic);
        // Programs for Android ask for proposals in languages of which nothing is known here.
        let is_asked_for = |rule: &Rule| rule.kind == RuleKind::Proposal || has_tag(&rule.output);
        let asks = topic.rules.iter().any(is_asked_for) && (is_android(path) || self.asks());
        let mut known = Known { asks, ..Known::default() };
        for (other, others) in &self.topics {
            if *other != real && same_language(topic, others) {
                known.add(others);
            }
        }
        let mut seen = BTreeSet::from([real.clone()]);
        self.includes(&real, topic, &mut known, &mut seen, &mut found);
        found.extend(lint(topic, &known));
        found.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
        found
    }

    /// Adds what included topics define.
    fn includes(
        &self,
        path: &Path,
        topic: &Topic,
        known: &mut Known,
        seen: &mut BTreeSet<PathBuf>,
        found: &mut Vec<Diagnostic>,
    ) {
        let folder = path.parent().and_then(|folder| folder.strip_prefix(&self.root).ok()).unwrap_or(Path::new(""));
        for include in &topic.includes {
            let name = include.text.trim().trim_matches('"');
            let full = inside(&self.root, &folder.to_string_lossy(), name).ok().filter(|full| full.is_file());
            let Some(full) = full else {
                known.unread = true;
                // The robot has lexicons and the topics of its own applications.
                let is_robots = name.to_lowercase().starts_with("lexicon") || name.contains(['/', '\\', ':']);
                if !is_robots && !name.is_empty() {
                    let message = format!("the included topic `{name}` is not there");
                    let finding = Diagnostic::warning(boxstep_dialog::codes::NO_INCLUDE, message).at(include.span);
                    found.push(finding.help("included topics are in the folder of the topic that includes them"));
                }
                continue;
            };
            if seen.insert(full.canonicalize().unwrap_or_else(|_| full.clone()))
                && seen.len() <= MOST_TOPICS
                && let Ok(included) = read(&full, name)
            {
                known.add(&included);
                // What is wrong with its own includes is reported for that topic.
                self.includes(&full, &included, known, seen, &mut Vec::new());
            }
        }
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

/// Moves a finding about another file to a place that a reader of this file sees: where it is becomes a note.
pub(super) fn elsewhere(finding: Diagnostic, sources: &Sources) -> Diagnostic {
    let place = finding.span.map(|span| sources.place(span));
    let notes = finding.notes.iter().map(|note| match note.span {
        Some(span) => (None, format!("{}: {}", sources.place(span), note.message)),
        None => (None, note.message.clone()),
    });
    let notes: Vec<(Option<Span>, String)> = notes.collect();
    let mut finding = Diagnostic { span: None, notes: Vec::new(), ..finding };
    for (span, message) in place.map(|place| (None, format!("at {place}"))).into_iter().chain(notes) {
        finding = finding.with_note(span, message);
    }
    finding
}

/// The start of a topic, for findings about what it does not have.
pub(super) fn start(topic: &Topic) -> Span {
    Span { file: topic.file, start: 0, end: 0 }
}

/// Returns a finding about a topic file that cannot be read.
pub(super) fn unreadable(why: String) -> Diagnostic {
    Diagnostic::error(codes::BAD_CONTENT, why)
}
