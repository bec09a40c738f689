//! Why an operation is refused.

use crate::fields::PortAt;
use boxstep_format::paths::FindError;
use boxstep_format::write::WriteError;
use boxstep_format::{FormatError, ParamError};
use boxstep_types::{BoxPath, meant};
use std::fmt;

/// Why an operation cannot be done. Nothing has changed then.
#[derive(Clone, Debug)]
pub enum EditError {
    /// There is no such box, or more than one.
    Box(FindError),
    /// The box has no diagram.
    NoDiagram(BoxPath),
    /// The box has several diagrams: their paths.
    WhichDiagram(BoxPath, Vec<BoxPath>),
    /// The box has no timeline.
    NoTimeline(BoxPath),
    /// A box has no item of this name.
    Missing {
        /// The box.
        path: BoxPath,
        /// What it does not have, e.g. `parameter`.
        kind: &'static str,
        /// The name.
        name: String,
        /// The names of those that it has.
        known: Vec<String>,
    },
    /// Another item has the name.
    NameTaken {
        /// The box that has the item, or contains it.
        path: BoxPath,
        /// What has the name, e.g. `box`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// An item would have no name.
    NoName(BoxPath, &'static str),
    /// The name of an item would have a line end, a tab or the like.
    ControlCharacter(BoxPath, &'static str),
    /// The link cannot exist.
    Link {
        /// Where it begins.
        from: PortAt,
        /// Where it ends.
        to: PortAt,
        /// Why it cannot exist.
        why: String,
    },
    /// There is no such link.
    NoLink(PortAt, PortAt),
    /// The outermost box cannot be removed, copied, moved or renamed.
    Root(BoxPath),
    /// The boxes are not in one diagram.
    Apart(BoxPath, BoxPath),
    /// No box is named.
    Nothing,
    /// The timeline's states are listed in the file, and refer to the boxes of their diagram by number.
    StateMachine(BoxPath),
    /// The value is not one of the parameter's type.
    Value(BoxPath, ParamError),
    /// The script is not in Python.
    NotPython(BoxPath, &'static str),
    /// The script is not the one that was to be changed.
    ScriptChanged(BoxPath),
    /// The box says no text.
    NoText(BoxPath),
    /// The text is not one that the box can send, and what it can.
    NotA(BoxPath, String, &'static str),
    /// A number is not one that a file can say.
    Number(BoxPath, &'static str, f64),
    /// Two keys of a curve, or two keyframes of a layer, would be at one frame.
    FrameTaken(BoxPath, String, i32),
    /// The box cannot be replaced by the boxes in it, and why.
    Unwrap(BoxPath, String),
    /// The boxes cannot be put into one, and why.
    Wrap(BoxPath, &'static str),
    /// The box cannot be swapped for another one, and why.
    Replace(BoxPath, String),
    /// A box inside takes its value from the parameter.
    Inherited(BoxPath, String, BoxPath),
    /// The box has one text for all languages.
    OneText(BoxPath),
    /// Something at a frame would come before something that stays: what, and both frames.
    Passes(BoxPath, String, i32, i32),
    /// The name of a joint does not say how it turns on the other side.
    NoMirror(BoxPath, String),
    /// No box of the library replaces this one.
    NoReplacement(BoxPath),
    /// The library has no box of this name.
    NoLibraryBox(String),
    /// What is to be added is no box.
    Foreign(FormatError),
    /// The changed file cannot be written.
    Write(WriteError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EditError::Box(e) => e.fmt(f),
            EditError::NoDiagram(path) => write!(f, "{path} has no diagram"),
            EditError::WhichDiagram(path, known) => {
                write!(f, "{path} has several diagrams: ")?;
                list(f, known)
            }
            EditError::NoTimeline(path) => write!(f, "{path} has no timeline"),
            EditError::Missing { path, kind, name, known } => {
                write!(f, "{path} has no {kind} `{name}`")?;
                match meant(name, known.iter().map(String::as_str)) {
                    Some(meant) => write!(f, "; {meant}"),
                    None if known.is_empty() => Ok(()),
                    None => {
                        f.write_str(", only ")?;
                        list(f, known)
                    }
                }
            }
            EditError::NameTaken { path, kind, name } => write!(f, "{path} already has a {kind} `{name}`"),
            EditError::NoName(path, kind) => {
                let article = if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
                write!(f, "{path}: {article} {kind} needs a name")
            }
            EditError::ControlCharacter(path, kind) => {
                write!(f, "{path}: the name of a {kind} is one line of text, without tabs and control characters")
            }
            EditError::Link { from, to, why } => write!(f, "no link can lead from {from} to {to}: {why}"),
            EditError::NoLink(from, to) => write!(f, "there is no link from {from} to {to}"),
            EditError::Root(path) => write!(f, "{path} is the behavior itself, which stays as it is"),
            EditError::Apart(a, b) => write!(f, "{a} and {b} are not in one diagram"),
            EditError::Nothing => f.write_str("no box is named"),
            EditError::StateMachine(path) => {
                write!(f, "the states of {path} are listed in the file, so boxes and links there cannot be changed")
            }
            EditError::Value(path, e) => write!(f, "{path}: {e}"),
            EditError::ScriptChanged(path) => {
                write!(f, "{path}: its script has been changed by somebody else meanwhile")
            }
            EditError::NotPython(path, language) => write!(f, "{path}: its script is {language}"),
            EditError::NoText(path) => write!(f, "{path} says no text"),
            EditError::NotA(path, text, wanted) => write!(f, "{path}: `{text}` is not {wanted}"),
            EditError::Number(path, what, value) => write!(f, "{path}: {value} cannot be {what}"),
            EditError::FrameTaken(path, what, frame) => {
                write!(f, "{path}: {what} already has something at frame {frame}")
            }
            EditError::Unwrap(path, why) => write!(f, "{path} cannot be replaced by the boxes in it: {why}"),
            EditError::Wrap(path, why) => write!(f, "{path} cannot be put into a box of its own: {why}"),
            EditError::Replace(path, why) => write!(f, "{path} cannot be replaced: {why}"),
            EditError::Inherited(path, name, by) => {
                write!(f, "{path} cannot lose its parameter `{name}`: {by} takes its value from it")
            }
            EditError::OneText(path) => write!(f, "{path} has one text for all languages"),
            EditError::Passes(path, what, frame, other) => {
                write!(f, "{path}: {what} would have something at frame {frame}, before that at frame {other}")
            }
            EditError::NoMirror(path, joint) => {
                write!(f, "{path}: the name `{joint}` does not say how the joint turns on the other side")
            }
            EditError::NoReplacement(path) => write!(f, "no box of the library replaces {path}: name one"),
            EditError::NoLibraryBox(name) => {
                let known = boxstep_library::boxes().iter().map(|one| one.name);
                let meant = meant(name, known).map(|meant| format!("; {meant}")).unwrap_or_default();
                write!(f, "the library has no box `{name}`{meant}")
            }
            EditError::Foreign(e) => write!(f, "this is no box: {e}"),
            EditError::Write(e) => e.fmt(f),
        }
    }
}

fn list<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: &[T]) -> fmt::Result {
    for (at, item) in items.iter().take(8).enumerate() {
        write!(f, "{}{item}", if at > 0 { ", " } else { "" })?;
    }
    if items.len() > 8 { write!(f, " and {} more", items.len() - 8) } else { Ok(()) }
}

impl std::error::Error for EditError {}

impl From<FindError> for EditError {
    fn from(e: FindError) -> Self {
        EditError::Box(e)
    }
}

impl From<WriteError> for EditError {
    fn from(e: WriteError) -> Self {
        EditError::Write(e)
    }
}

impl fmt::Display for PortAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.r#box, self.port)
    }
}
