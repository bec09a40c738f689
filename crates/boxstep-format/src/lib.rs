//! Reads Choregraphe files (`.xar`, `.pml`, behavior folders, archives, [`split`] folders) into a checked [`model`].
//!
//! A file has two views, both with source positions. The [`raw`] view keeps everything the file contains, known or not.
//! The typed model is what the engine, the checker and the drawings use.
//!
//! ```
//! use boxstep_format::{Limits, read_xar};
//!
//! let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"/></ChoregrapheProject>"#;
//! let file = read_xar("behavior.xar", xar, &Limits::default())?;
//! assert_eq!(&*file.project.root.name, "root");
//! # Ok::<(), boxstep_format::FormatError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod alone;
pub mod archive;
pub mod codes;
mod decode;
mod error;
mod limits;
pub mod model;
mod origin;
pub mod output;
mod params;
pub mod paths;
pub mod project;
pub mod raw;
mod read;
pub mod resolve;
mod spans;
pub mod split;
pub mod states;
mod temporary;
#[cfg(feature = "testing")]
pub mod testing;
pub mod together;
pub mod write;
mod xar;
mod xml;

pub use alone::extract_box;
pub use codes::CODES;
pub use error::{FormatError, Problem};
pub use limits::{ArchiveLimits, Limits};
pub use params::{ParamError, param_value, typed_value};
pub use project::{Opened, open, open_bytes, open_named, open_stream};
pub use xar::{XarFile, read_xar};
pub use xml::XmlFile;
