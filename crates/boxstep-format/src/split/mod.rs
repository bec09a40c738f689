//! The split folder: a behavior as small files, one `.xml` and one `.py` per box.
//!
//! [`write()`] converts a [`XarFile`] to the files of a folder, and [`read()`] converts them back. Neither accesses a
//! disk, and nothing is lost in either direction. `docs/reference/split-format.md` has the grammar, and the differences from the
//! files of the original converter.
//!
//! ```
//! use boxstep_format::{Limits, read_xar, split};
//!
//! let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
//!     <script language="4"><content><![CDATA[class MyClass(GeneratedClass): pass]]></content></script>
//! </Box></ChoregrapheProject>"#;
//! let file = read_xar("behavior.xar", xar, &Limits::default())?;
//! let folder = split::write(&file, &Limits::default())?;
//! assert_eq!(folder["l0_root.py"], b"class MyClass(GeneratedClass): pass");
//! let back = split::read("behavior", &folder, &Limits::default())?;
//! assert_eq!(back.project.root.script.unwrap().text, file.project.root.script.unwrap().text);
//! # Ok::<(), boxstep_format::FormatError>(())
//! ```

mod assemble;
mod converted;
mod files;
mod links;
mod machine;
mod names;
mod places;
mod read;
mod scripts;
mod stale;
mod states;
mod write;
mod xml;

pub use files::{Dir, Files, root};
pub use names::ROOT;
pub use read::{read, read_from};
pub use write::write;

use crate::XarFile;
use std::collections::BTreeMap;

/// A split folder in memory: contents by file name.
pub type Folder = BTreeMap<String, Vec<u8>>;

/// The script in every split folder that plays the behavior: `python3 main.py`.
pub const MAIN: &str = include_str!("main.py");

/// Returns a file's text as a `.xar`: for a `.xar` its own text, for a split folder the text assembled from its files.
pub fn as_xar(file: &XarFile) -> &str {
    file.sources.text(file.file)
}
