//! Topics as files: a topic with those that it includes, and the topics of a `.dlg`.

use crate::codes;
use crate::encoding::{NotText, not_text};
use crate::lexicon::lexicon;
use crate::parse::read_topic;
use crate::topic::Topic;
use boxstep_types::{Diagnostic, languages};
use smol_str::SmolStr;
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// The largest topic that is read, in bytes.
const LARGEST: u64 = 4 << 20;

/// How deep topics may include each other, and how many in all.
const DEEPEST: usize = 8;
const MOST_INCLUDES: usize = 100;

/// A topic with the topics that it includes.
#[derive(Clone, Debug)]
pub struct TopicFiles {
    /// The topic.
    pub topic: Topic,
    /// The topics that it includes, and those that they include; each before the one that includes it.
    pub includes: Vec<Topic>,
    /// The paths of the files that were read, without our own lexicons.
    pub paths: Vec<PathBuf>,
    /// The language that the topic is written in, if it stands in for a missing one in the robot's language.
    pub stands_in: Option<SmolStr>,
    /// Why topics in other languages, which its dialog names, cannot be read. Only the first topic has them.
    pub unread: Vec<FileError>,
}

impl TopicFiles {
    /// The code of the topic's language, if the topic names one that is known.
    pub fn code(&self) -> Option<&'static str> {
        code_of(&self.topic)
    }

    /// Removes the language, so that the topics speak whatever the robot's language is, unless it is this one.
    fn stand_in_for(&mut self, code: Option<&str>) {
        let own = self.code();
        if own == code {
            return;
        }
        self.stands_in = self.topic.language.as_ref().map(|language| language.text.clone());
        for topic in self.includes.iter_mut().chain([&mut self.topic]).filter(|topic| code_of(topic) == own) {
            topic.language = None;
        }
    }
}

fn code_of(topic: &Topic) -> Option<&'static str> {
    topic.language.as_ref().and_then(|language| languages::topic_code(&language.text))
}

/// Why a file is not a topic or dialog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// It cannot be read.
    Unreadable(PathBuf, String),
    /// It is too large.
    TooLarge(PathBuf),
    /// It is not text in UTF-8.
    NotText(PathBuf, NotText),
    /// It is neither a `.top` nor a `.dlg`.
    NeitherKind(PathBuf),
    /// A `.dlg` that names no topic.
    NoTopic(PathBuf),
    /// A `.dlg` names a file outside its folder.
    Outside(PathBuf, String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Unreadable(path, why) => write!(f, "cannot read the topic file {}: {why}", path.display()),
            FileError::TooLarge(path) => write!(f, "the topic file {} is too large", path.display()),
            FileError::NotText(path, why) => write!(f, "cannot read the topic file {}: {why}", path.display()),
            FileError::NeitherKind(path) => {
                write!(f, "{} is neither a dialog (.dlg) nor a topic (.top)", path.display())
            }
            FileError::NoTopic(path) => write!(f, "{} names no topic file", path.display()),
            FileError::Outside(path, topic) => {
                write!(f, "{} names `{topic}`, which is not in its folder", path.display())
            }
        }
    }
}

impl std::error::Error for FileError {}

/// Reads a topic, and the topics that it includes: files beside it, or our own lexicons. A file that is included and
/// not there is a problem of the topic, a warning.
///
/// # Errors
/// If the topic itself cannot be read.
pub fn open_topic(path: &Path) -> Result<TopicFiles, FileError> {
    Ok(topic_at(path, &read(path)?))
}

/// Reads a topic whose file will have this text, with what it includes.
pub fn topic_at(path: &Path, text: &str) -> TopicFiles {
    let name = path.file_name().map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let mut topic = read_topic(&name, text);
    let mut files = Files { includes: Vec::new(), paths: vec![path.to_owned()] };
    files.include(&mut topic, path.parent().unwrap_or(Path::new("")), 0);
    TopicFiles { topic, includes: files.includes, paths: files.paths, stands_in: None, unread: Vec::new() }
}

/// Reads a topic that came as text. It can include our own lexicons; other files stay out of its reach.
pub fn topic_of_text(name: &str, text: &str) -> TopicFiles {
    let mut topic = read_topic(name, text);
    let mut includes = Vec::new();
    for include in &topic.includes {
        match lexicon(&include.text) {
            Some(found) => includes.push(found),
            None => {
                let message = format!("the included `{}` is not read: this topic came as text", include.text);
                topic.problems.push(Diagnostic::warning(codes::NO_INCLUDE, message).at(include.span));
            }
        }
    }
    TopicFiles { topic, includes, paths: Vec::new(), stands_in: None, unread: Vec::new() }
}

/// Reads all topics of a dialog file: of a `.dlg` one for each language, of a `.top` itself. The topic of the language
/// that is given by its code comes first. If there is none, the first of the file stands in for it, with the topics that
/// it includes: their languages are removed.
///
/// # Errors
/// If the dialog file cannot be read, or the topic that comes first cannot. Topics of other languages that cannot be
/// read are left out: [`TopicFiles::unread`].
pub fn open_dialog(path: &Path, code: Option<&str>) -> Result<Vec<TopicFiles>, FileError> {
    let mut found = all_topics(path, code)?;
    if let (Some(first), Some(_)) = (found.first_mut(), code) {
        first.stand_in_for(code);
    }
    Ok(found)
}

fn all_topics(path: &Path, code: Option<&str>) -> Result<Vec<TopicFiles>, FileError> {
    if has_extension(path, "top") {
        return Ok(vec![open_topic(path)?]);
    }
    if !has_extension(path, "dlg") {
        return Err(FileError::NeitherKind(path.to_owned()));
    }
    let mut topics = topics_of_dialog(&read(path)?);
    let first = topics.iter().position(|(of, _)| code.is_some() && languages::topic_code(of) == code).unwrap_or(0);
    if topics.is_empty() {
        return Err(FileError::NoTopic(path.to_owned()));
    }
    topics[..=first].rotate_right(1);
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut found: Vec<TopicFiles> = Vec::new();
    for (n, (_, name)) in topics.iter().enumerate() {
        let opened = match inside(folder, name) {
            Some(full) => open_topic(&full),
            None => Err(FileError::Outside(path.to_owned(), name.clone())),
        };
        match opened {
            Ok(opened) => found.push(opened),
            Err(why) if n == 0 => return Err(why),
            Err(why) => found.iter_mut().take(1).for_each(|first| first.unread.push(why.clone())),
        }
    }
    Ok(found)
}

/// The lines of a `.dlg`: the code of a language, and the path of its topic.
fn topics_of_dialog(text: &str) -> Vec<(String, String)> {
    let lines = text.trim_start_matches('\u{feff}').lines().filter_map(|line| line.trim().split_once(':'));
    let topics = lines.map(|(code, name)| (code.trim().to_owned(), name.trim().to_owned()));
    topics.filter(|(_, name)| has_extension(Path::new(name), "top")).collect()
}

struct Files {
    includes: Vec<Topic>,
    paths: Vec<PathBuf>,
}

impl Files {
    /// Returns what is wrong with an included topic that is called as one that is there: a name is unique in a language.
    fn same_name(&self, topic: &Topic, included: &Topic) -> Option<Diagnostic> {
        let same = |other: &Topic| other.name() == included.name() && code_of(other) == code_of(included);
        let is_taken = included.name.is_some() && (same(topic) || self.includes.iter().any(same));
        let message = format!("another topic is called `{}`, too, and only one of them is used", included.name());
        is_taken.then(|| Diagnostic::warning(codes::NO_INCLUDE, message).help("give each topic a name of its own"))
    }

    fn include(&mut self, topic: &mut Topic, folder: &Path, depth: usize) {
        for include in topic.includes.clone() {
            if depth >= DEEPEST || self.includes.len() >= MOST_INCLUDES {
                let message = "topics include each other too deep, or too many";
                topic.problems.push(Diagnostic::warning(codes::NO_INCLUDE, message).at(include.span));
                return;
            }
            let full = inside(folder, &include.text).filter(|full| full.is_file());
            if let Some(full) = full {
                if self.paths.contains(&full) {
                    continue;
                }
                self.paths.push(full.clone());
                match read(&full) {
                    Ok(text) => {
                        let name = full.file_name().unwrap_or_default().to_string_lossy().into_owned();
                        let mut included = read_topic(&name, &text);
                        if let Some(finding) = self.same_name(topic, &included) {
                            topic.problems.push(finding.at(include.span));
                            continue;
                        }
                        self.include(&mut included, full.parent().unwrap_or(Path::new("")), depth + 1);
                        self.includes.push(included);
                    }
                    Err(why) => {
                        let finding = Diagnostic::warning(codes::NO_INCLUDE, why.to_string());
                        topic.problems.push(finding.at(include.span));
                    }
                }
                continue;
            }
            match lexicon(&include.text) {
                Some(found) => {
                    let same = |other: &Topic| other.name() == found.name();
                    if !self.includes.iter().any(same) {
                        self.includes.push(found);
                    }
                }
                None => {
                    let message = format!("the topic includes `{}`, which is not there", include.text);
                    let finding = Diagnostic::warning(codes::NO_INCLUDE, message);
                    let help = "its rules and concepts are missing";
                    topic.problems.push(finding.help(help).at(include.span));
                }
            }
        }
    }
}

/// Returns the full path of a file in a folder or below it; `None` for any other path.
fn inside(folder: &Path, name: &str) -> Option<PathBuf> {
    // Choregraphe writes slashes on every system; some files come from Windows.
    let name = name.replace('\\', "/");
    let path = Path::new(&name);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    (plain && !name.is_empty()).then(|| folder.join(path))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(extension))
}

/// Reads a text file, without the byte order mark.
fn read(path: &Path) -> Result<String, FileError> {
    let unreadable = |why: &dyn fmt::Display| FileError::Unreadable(path.to_owned(), why.to_string());
    let size = std::fs::metadata(path).map_err(|why| unreadable(&why))?;
    if !size.is_file() {
        return Err(unreadable(&"it is not a file"));
    }
    if size.len() > LARGEST {
        return Err(FileError::TooLarge(path.to_owned()));
    }
    let bytes = std::fs::read(path).map_err(|why| unreadable(&why))?;
    match not_text(&bytes) {
        Some(why) => Err(FileError::NotText(path.to_owned(), why)),
        None => Ok(String::from_utf8_lossy(&bytes).into_owned()),
    }
}
