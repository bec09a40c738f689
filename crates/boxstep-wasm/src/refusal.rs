//! Why something cannot be done.

use boxstep_draw::LevelError;
use boxstep_edit::EditError;
use boxstep_format::FormatError;
use std::fmt;

/// Why a request is refused. Nothing has changed then.
#[derive(Debug)]
pub enum Refusal {
    /// No file has been opened.
    NothingOpen,
    /// It is no request: where and why.
    Request(serde_json::Error),
    /// The file is no behavior.
    Format(FormatError),
    /// There is no such box.
    Level(LevelError),
    /// The timeline moves no joint of the robot, or there is none.
    Motionless,
    /// An operation cannot be done.
    Edit(EditError),
    /// There is nothing to undo, or to redo.
    Nothing(&'static str),
    /// There is no other program that could have written the file.
    NoOther,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingOpen => f.write_str("no behavior is open"),
            Self::Request(e) => write!(f, "it is no request: {e}"),
            Self::Format(e) => e.fmt(f),
            Self::Level(e) => e.fmt(f),
            Self::Motionless => f.write_str("it moves no joint of this robot"),
            Self::Edit(e) => e.fmt(f),
            Self::Nothing(what) => write!(f, "there is nothing to {what}"),
            Self::NoOther => f.write_str("no other program writes a file that is open in a page"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<FormatError> for Refusal {
    fn from(e: FormatError) -> Self {
        Self::Format(e)
    }
}

impl From<LevelError> for Refusal {
    fn from(e: LevelError) -> Self {
        Self::Level(e)
    }
}

impl From<EditError> for Refusal {
    fn from(e: EditError) -> Self {
        Self::Edit(e)
    }
}
