//! Writing: unedited files byte for byte, edits that change only the lines they concern, models as new files, and the
//! canonical layout. The rules are in `docs/reference/format.md`, "Writing".

mod edit;
mod layout;
mod model;
mod number;
mod order;
mod printer;
mod splice;
mod touched;
mod update;

pub use edit::{At, Edits};
pub use layout::canonical_layout;
pub use model::{print_box, print_link, print_plugin, write_library_box, write_xar};
pub use printer::Printer;
pub use splice::{Splice, inverse, spliced};
pub use touched::Touched;
pub use update::Copies;

use crate::FormatError;
use boxstep_types::Span;
use std::fmt;

/// Why a file cannot be written.
#[derive(Clone, Debug)]
pub enum WriteError {
    /// A character does not exist in XML 1.0; the text names the element or attribute that has it.
    Character(char, String),
    /// A number is not finite; the text names the attribute that has it.
    NotFinite(String),
    /// A comment contains `--` or ends with `-`.
    Comment,
    /// A character does not exist in the file's encoding, at a place where XML allows no references.
    Unencodable {
        /// The character.
        character: char,
        /// The file's encoding.
        encoding: &'static str,
        /// The place of the character in the new text.
        at: Span,
    },
    /// Two edits change the same bytes of the text that was read.
    Overlap(Span),
    /// An edit concerns a node that is not an element.
    NotAnElement(Span),
    /// The changed file can no longer be read.
    Unreadable(FormatError),
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Character(c, place) => {
                write!(f, "the character U+{:04X} in {place} cannot be written to an XML file", *c as u32)
            }
            WriteError::NotFinite(place) => write!(f, "{place} is not a finite number"),
            WriteError::Comment => f.write_str("a comment may not contain `--` or end with `-`"),
            WriteError::Unencodable { character, encoding, .. } => {
                write!(f, "the character `{character}` is not in {encoding}, the encoding that the file declares")
            }
            WriteError::Overlap(at) => write!(f, "two changes of the bytes {} to {}", at.start, at.end),
            WriteError::NotAnElement(at) => write!(f, "there is no element at byte {}", at.start),
            WriteError::Unreadable(e) => write!(f, "the changed file cannot be read: {e}"),
        }
    }
}

impl std::error::Error for WriteError {}
