//! Archives as lists of files: `.crg` and `.cbl` (an ar with `data.tar.gz`) and `.pkg` (a zip).
//!
//! Everything a stranger's archive can do to a reader is refused with the archive's and the entry's name; the
//! rules are in `docs/archives.md`. Nothing here touches the disk but [`read_folder`].

pub mod ar;
mod fault;
mod folder;
mod gather;
mod oddity;
mod pack;
mod tarball;
mod trusted;
mod zipped;

pub use fault::ArchiveFault;
pub use folder::{read_folder, read_folder_with_left_out};
pub use oddity::Oddity;
pub use pack::pack;

use crate::error::{FormatError, Problem};
use crate::{ArchiveLimits, Limits, codes};
use boxstep_types::Diagnostic;
use gather::Gather;
use std::path::Path;

/// A file of an archive or a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its path, with `/`, without `.` and `..`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// It is a program.
    pub executable: bool,
}

/// The kinds of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArchiveKind {
    /// `.crg`: a project.
    Crg,
    /// `.cbl`: a box library; otherwise like a `.crg`.
    Cbl,
    /// `.pkg`: a package as robots install it.
    Pkg,
}

impl ArchiveKind {
    /// The kind that a file name's ending means.
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_string_lossy().to_ascii_lowercase();
        Some(match ending.as_str() {
            "crg" => ArchiveKind::Crg,
            "cbl" => ArchiveKind::Cbl,
            "pkg" => ArchiveKind::Pkg,
            _ => return None,
        })
    }
}

/// That the bytes are of another kind than the file's name says: Boxstep reads both, others do not.
pub fn other_kind(path: &Path, bytes: &[u8]) -> Option<Diagnostic> {
    let (named, zip) = (ArchiveKind::of_path(path)?, !bytes.starts_with(ar::MAGIC));
    if zip == (named == ArchiveKind::Pkg) {
        return None;
    }
    let (is, wanted) = if zip { ("a zip", "an ar") } else { ("an ar", "a zip") };
    let message = format!("{}: this is {is}, and a file of this name is {wanted}", path.display());
    let help = "Boxstep reads it all the same, others do not; `boxstep unpack` and `boxstep pack` make it right";
    Some(Diagnostic::warning(codes::ARCHIVE_OTHER_KIND, message).help(help))
}

/// True for the first bytes of an archive, whatever its file is called.
pub fn is_archive(bytes: &[u8]) -> bool {
    bytes.starts_with(ar::MAGIC) || bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// What is in an archive.
#[derive(Clone, Debug, Default)]
pub struct Contents {
    /// Its files, in its order, without those that programs of a reader's computer would obey: [`Oddity::LeftOut`].
    pub entries: Vec<Entry>,
    /// What is odd about it.
    pub oddities: Vec<Oddity>,
}

/// The files of an archive, in its order, as [`Contents::entries`] are. `name` is what messages print; what the archive is, its first bytes say.
pub fn unpack(name: &str, bytes: &[u8], limits: &Limits) -> Result<Vec<Entry>, FormatError> {
    read(name, bytes, limits).map(|contents| contents.entries)
}

/// As [`unpack`], with what is odd about the archive.
pub fn read(name: &str, bytes: &[u8], limits: &Limits) -> Result<Contents, FormatError> {
    let limits = &limits.archive;
    let mut gather = Gather::new(limits, bytes.len());
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
    // First, so that nothing else hides it.
    if !gather.left_out.is_empty() {
        gather.oddities.insert(0, Oddity::LeftOut(gather.left_out.into_iter().collect()));
    }
    Ok(Contents { entries: gather.entries, oddities: gather.oddities })
}

/// The entry that is at fault, if one is, and the fault.
type Refusal = (Option<String>, ArchiveFault);

/// The project is in the member `data.tar.gz`; the others are the envelope.
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
    // A package of Debian's other programs, or a second project that nobody would see.
    let ours = |name: &str| name == data.name || name == "debian-binary" || name.starts_with("control.tar");
    members.iter().filter(|m| !ours(&m.name)).for_each(|m| gather.odd(Oddity::Unread(m.name.clone())));
    tarball::read(data.data, data.name.ends_with(".gz"), gather)
}
