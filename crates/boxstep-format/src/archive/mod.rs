//! Archives as lists of files: `.crg` and `.cbl` (an ar with `data.tar.gz`), `.pkg` and `.zip` (a zip).
//!
//! Every entry of a foreign archive that could harm the reader is refused, and the error names the archive and the
//! entry; the rules are in `docs/guides/archives.md`. Only [`read_folder`] and [`is_zip_of_behaviors`] access the disk.

pub mod ar;
mod fault;
mod folder;
mod gather;
mod oddity;
mod pack;
mod tarball;
mod trusted;
#[cfg_attr(target_arch = "wasm32", path = "no_zip.rs")]
mod zipped;

pub use fault::ArchiveFault;
pub use folder::{read_folder, read_folder_with_left_out};
pub use oddity::Oddity;
pub use pack::pack;
pub use zipped::is_zip_of_behaviors;

use crate::error::{FormatError, Problem};
use crate::{ArchiveLimits, Limits, codes};
use boxstep_types::Diagnostic;
use gather::Gather;
use std::path::Path;

/// A file in an archive or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The path, separated by `/`, without `.` and `..`.
    pub name: String,
    /// The content.
    pub bytes: Vec<u8>,
    /// True if the file may be executed.
    pub executable: bool,
}

/// The kind of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// `.crg`: a project.
    Crg,
    /// `.cbl`: a box library; otherwise like a `.crg`.
    Cbl,
    /// `.pkg`: a package that robots install.
    Pkg,
    /// `.zip`: a project, packed by any program.
    Zip,
}

impl ArchiveKind {
    /// Returns the kind that belongs to a file name's extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Some(match ending.as_str() {
            "crg" => ArchiveKind::Crg,
            "cbl" => ArchiveKind::Cbl,
            "pkg" => ArchiveKind::Pkg,
            "zip" => ArchiveKind::Zip,
            _ => return None,
        })
    }
}

/// Returns a warning if the bytes are an archive of another kind than the file's name says. Boxstep reads such a file,
/// but other programs do not.
pub fn other_kind(path: &Path, bytes: &[u8]) -> Option<Diagnostic> {
    let (named, zip) = (ArchiveKind::of_path(path)?, !bytes.starts_with(ar::MAGIC));
    if zip == matches!(named, ArchiveKind::Pkg | ArchiveKind::Zip) {
        return None;
    }
    let (is, wanted) = if zip { ("a zip", "an ar") } else { ("an ar", "a zip") };
    let message = format!("{}: this is {is}, and a file of this name is {wanted}", path.display());
    let help =
        "Boxstep reads it nevertheless, but other programs do not; `boxstep unpack` and `boxstep pack` correct it";
    Some(Diagnostic::warning(codes::ARCHIVE_OTHER_KIND, message).help(help))
}

/// Returns true if the bytes begin like an archive, whatever the file's name is.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(ar::MAGIC) || bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// The contents of an archive.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// The files, in the archive's order, except those that programs on a reader's computer would obey:
    /// [`Oddity::LeftOut`].
    pub entries: Vec<Entry>,
    /// Unusual properties of the archive.
    pub oddities: Vec<Oddity>,
}

/// Returns the files of an archive, as in [`Contents::entries`]. `name` is what messages print; the first bytes decide
/// the kind of archive.
pub fn unpack(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    read(name, bytes, limits).map(|contents| contents.entries)
}

/// Like [`unpack`], but also returns the files that programs on a reader's computer would obey. They are for a robot, and
/// are not written to a folder of the reader.
///
/// # Errors
/// Why the archive is refused.
pub fn unpack_whole(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    gathered(name, bytes, limits, true).map(|contents| contents.entries)
}

/// Like [`unpack`], but also returns the archive's unusual properties.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Contents, FormatError> {
    gathered(name, bytes, limits, false)
}

fn gathered(name: &str, bytes: &[u8], limits: &Limits, whole: bool) -> Result<Contents, FormatError> {
    let limits = &limits.archive;
    let mut gather = Gather::new(limits, bytes.len());
    gather.whole = whole;
    let read = if bytes.starts_with(ar::MAGIC) {
        unpack_ar(bytes, limits, &mut gather)
    } else if is_archive(bytes) {
        zipped::read(bytes, &mut gather)
    } else {
        Err((None, ArchiveFault::NotAnArchive))
    };
    read.map_err(|(entry, fault)| FormatError::new(Problem::Archive { archive: name.to_owned(), entry, fault }))?;
    if gather.entries.is_empty() {
        gather.odd(Oddity::Empty);
    }
    // This oddity comes first, so that the limit on oddities cannot hide it.
    if !gather.left_out.is_empty() {
        gather.oddities.insert(0, Oddity::LeftOut(gather.left_out.into_iter().collect()));
    }
    Ok(Contents { entries: gather.entries, oddities: gather.oddities })
}

/// Why an archive is refused, with the name of the entry that causes it, if one does.
type Refusal = (Option<String>, ArchiveFault);

/// Reads an ar: the project is in the member `data.tar.gz`, and the other members are the envelope.
fn unpack_ar(bytes: &[u8], limits: &ArchiveLimits, gather: &mut Gather<'_>) -> Result<(), Refusal> {
    let members = ar::members(bytes).map_err(|(name, fault)| (name, ArchiveFault::Damaged(fault.to_string())))?;
    let mut seen = std::collections::HashSet::new();
    if members.len() > limits.entries {
        return Err((None, ArchiveFault::TooMany(limits.entries)));
    }
    if let Some(again) = members.iter().find(|m| !seen.insert(&m.name)) {
        return Err((Some(again.name.clone()), ArchiveFault::Duplicate));
    }
    let data = members.iter().find(|m| matches!(m.name.as_str(), "data.tar.gz" | "data.tar"));
    let Some(data) = data else { return Err((None, ArchiveFault::NoData)) };
    // An unknown member may mean that this is a Debian package, or that there is a second project that would stay
    // unnoticed.
    let ours = |name: &str| name == data.name || name == "debian-binary" || name.starts_with("control.tar");
    members.iter().filter(|m| !ours(&m.name)).for_each(|m| gather.odd(Oddity::Unread(m.name.clone())));
    tarball::read(data.data, data.name.ends_with(".gz"), gather)
}
