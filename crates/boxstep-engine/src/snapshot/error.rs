//! Why a run cannot be written down, or taken up again.

use super::SCHEMA;
use std::fmt;

/// Somebody who is at work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AtWork {
    /// The box; empty for the run itself.
    pub path: String,
    /// What it is at.
    pub what: String,
}

impl fmt::Display for AtWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.what) } else { write!(f, "{} ({})", self.path, self.what) }
    }
}

/// Why there is no snapshot of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SnapshotError {
    /// The run is over, or ending.
    Over,
    /// These boxes have a script, or are native and do not say how they are saved.
    Scripted(Vec<String>),
    /// These boxes are not as any file has them: made, or given states, boxes or links, by code.
    MadeInCode(Vec<String>),
    /// These are at work.
    NotQuiet(Vec<AtWork>),
    /// The robot cannot be saved: why.
    Robot(String),
    /// A value is an object that only its script host knows: the box, and the parameter.
    Object(String, String),
}

/// The first few, and how many more.
fn some<T: fmt::Display>(all: &[T]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = all.iter().take(SHOWN).map(ToString::to_string).collect();
    match all.len().saturating_sub(SHOWN) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

impl fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SnapshotError::Over => f.write_str("the run is over: there is nothing to go on with"),
            SnapshotError::Scripted(paths) => write!(
                f,
                "what scripts know cannot be written down, and these boxes have one: {}; play the run again from the inputs \
                 in its trace instead (boxstep play FILE --replay TRACE)",
                some(paths)
            ),
            SnapshotError::MadeInCode(paths) => {
                write!(
                    f,
                    "these are not as any file has them, and only the program that made them so could: {}",
                    some(paths)
                )
            }
            SnapshotError::NotQuiet(busy) => write!(f, "not a quiet point; at work: {}", some(busy)),
            SnapshotError::Robot(why) => write!(f, "the robot: {why}"),
            SnapshotError::Object(path, parameter) => {
                write!(f, "the value of {path}/{parameter} is an object that only its script host knows")
            }
        }
    }
}

impl std::error::Error for SnapshotError {}

/// Why a snapshot cannot be resumed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResumeError {
    /// Its form is not [`SCHEMA`]: another version wrote it.
    Schema(u32),
    /// It is no snapshot, or a damaged one: what is wrong.
    Malformed(String),
    /// The behavior it is of was not given, and is not in the library.
    Missing(String),
    /// The behavior it is of cannot be read: name, and why.
    Unreadable(String, String),
    /// The behavior is not the one it was made of: name, and what differs.
    Differs(String, Vec<String>),
    /// An option is not as it was, and it decides what boxes are: which, and how it was.
    Option(&'static str, String),
    /// A native box does not take what was saved: its path, and why.
    Native(String, String),
    /// The robot does not take what was saved: why.
    Robot(String),
}

impl fmt::Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResumeError::Schema(found) => {
                write!(f, "the snapshot has the form number {found}, and this version reads {SCHEMA}")
            }
            ResumeError::Malformed(what) => write!(f, "not a snapshot, or a damaged one: {what}"),
            ResumeError::Missing(name) => write!(f, "the snapshot is of the behavior {name}, which is not there"),
            ResumeError::Unreadable(name, why) => write!(f, "the behavior {name} cannot be read: {why}"),
            ResumeError::Differs(name, what) => {
                write!(f, "the behavior {name} is not the one that the snapshot was made of: {}", some(what))
            }
            ResumeError::Option(option, was) => {
                write!(f, "the snapshot was made with other options: {option} was {was}")
            }
            ResumeError::Native(path, why) => write!(f, "the native box {path} does not take what was saved: {why}"),
            ResumeError::Robot(why) => write!(f, "the robot does not take what was saved: {why}"),
        }
    }
}

impl std::error::Error for ResumeError {}
