//! Boxes for NAO and Pepper, ready to be added to behaviors: they speak, move, see, wait, decide.
//!
//! The boxes are the files of the folder `library`, each a `.xar` with one box, its script and its texts; this crate has
//! them in the program. `docs/reference/library.md` shows their ports and parameters.
//!
//! ```
//! let say = boxstep_library::named("Say").unwrap();
//! assert_eq!((say.group, say.about), ("Speech", "Says a text and waits until it is said."));
//! assert!(say.xar.contains("<ChoregrapheBox") && say.icon.starts_with("<svg"));
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod boxes;
mod stock;

pub use stock::{parameter_of_ours, replacement};

/// A box of the library.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LibraryBox {
    /// Its name, which no other box of the library has.
    pub name: &'static str,
    /// The group in which it is found.
    pub group: &'static str,
    /// What it does, in a sentence: its hint.
    pub about: &'static str,
    /// The file: a `.xar` whose root is `ChoregrapheBox`.
    pub xar: &'static str,
    /// Its icon: an SVG of lines in the color of the text around it.
    pub icon: &'static str,
}

impl LibraryBox {
    /// The path of its picture, as its file names it: of Choregraphe, or like one.
    pub fn picture(&self) -> &'static str {
        let (begin, end) = ("<bitmap>", "</bitmap>");
        let inside = self.xar.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
        inside.map(|(path, _)| path.trim()).unwrap_or_default()
    }
}

/// Returns every box, those of a group after each other.
pub fn boxes() -> &'static [LibraryBox] {
    boxes::BOXES
}

/// Returns the box of this name.
pub fn named(name: &str) -> Option<&'static LibraryBox> {
    boxes().iter().find(|one| one.name == name)
}
