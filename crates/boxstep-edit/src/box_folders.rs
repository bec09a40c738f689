//! Users' own folders of boxes: what is in them, and boxes that are kept there.
//!
//! A box is a `.xar`: `Wave.xar`, or `Wave/box.xar` and `Wave/behavior.xar`, as Choregraphe saves boxes; or it is in a
//! `.cbl`, Choregraphe's library of boxes. Folders may be from strangers: links are not followed, and there are limits.

mod keep;
mod read;

pub use keep::{KeepError, Kept};

use keep::needs;

use std::path::PathBuf;

/// A folder of boxes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxFolder {
    /// How users know it.
    pub name: String,
    /// The folder, which need not exist yet.
    pub folder: PathBuf,
}

/// The folders of boxes, the first one first.
#[derive(Clone, Debug, Default)]
pub struct BoxFolders(pub Vec<BoxFolder>);

/// A box of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderBox {
    /// Names it among all boxes of the folders.
    pub key: String,
    /// Its name.
    pub name: String,
    /// The folder's name, and those of folders in it, with `/`.
    pub group: String,
    /// Its hint.
    pub about: String,
    /// The files that it refers to, of the behavior that it is from.
    pub needs: Vec<String>,
    /// What is in it: `Script`, `Diagram` or `Timeline`.
    pub kind: &'static str,
}

/// What is in the folders.
#[derive(Clone, Debug, Default)]
pub struct FolderContent {
    /// The boxes, those of a group after each other.
    pub boxes: Vec<FolderBox>,
    /// What could not be read, and why: a sentence each.
    pub unread: Vec<String>,
}
