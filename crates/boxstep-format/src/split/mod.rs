//! The split folder: a behavior as small files, one `.xml` and one `.py` for each box.
//!
//! [`write()`] makes a folder's files from a [`XarFile`] and [`read()`] a [`XarFile`] from a folder; neither
//! touches a disk, and nothing is lost on the way there and back. The grammar, and where it differs from
//! what the original converter wrote: `docs/split-format.md`.
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

/// A split folder in memory: file names and contents.
pub type Folder = BTreeMap<String, Vec<u8>>;

/// The file that plays a folder: `python3 main.py`.
pub const MAIN: &str = include_str!("main.py");

/// The text of the `.xar` that a file means: of a `.xar` what stands in it, of a split folder what its
/// files amount to.
pub fn as_xar(file: &XarFile) -> &str {
    file.sources.text(file.file)
}
