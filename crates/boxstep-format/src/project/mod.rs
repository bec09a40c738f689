//! Projects: `.pml`, `manifest.xml`, translations, and functions that open any kind of input.

mod apple;
mod contents;
mod dialogs;
mod inside;
mod languages;
mod manifest;
mod one_box;
mod open;
mod opened;
mod pml;
mod private;
mod stream;
mod translations;
mod unpacked;

pub use apple::is_apple_double;
pub use contents::{Listed, Part, PartFault, ProjectContents};
pub use dialogs::{DialogFile, DialogTopic, TopicFile, Word, read_dialog, read_topic, read_trajectory};
pub use inside::inside;
pub(crate) use inside::normal;
pub use languages::{known_language, language_code, language_names};
pub use manifest::{BehaviorContent, DialogContent, LocalText, Manifest, PackageService, read_manifest};
pub use open::{open, open_bytes, open_named, project_root};
pub use opened::{Behavior, Opened, OpenedKind};
pub use pml::{BehaviorDescription, FileEntry, Pml, TopicEntry, TranslationEntry, read_pml};
pub use stream::open_stream;
pub use translations::{Translations, read_translations, translation_contexts};
