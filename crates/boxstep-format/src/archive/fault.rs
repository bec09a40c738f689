//! The reasons for refusing an archive.

use crate::codes;
use boxstep_types::Code;
use std::fmt;

/// Why an archive or one of its entries is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFault {
    /// The bytes are neither an ar nor a zip.
    NotAnArchive,
    /// The archive is cut off or violates its format; the text says how.
    Damaged(String),
    /// An ar has no member `data.tar.gz`.
    NoData,
    /// An entry's name is empty, absolute, not UTF-8, or contains `..`, `:` or NUL.
    BadName,
    /// An entry is neither a file nor a folder; the text says what it is.
    NotAFile(&'static str),
    /// An entry is encrypted.
    Encrypted,
    /// An earlier entry has the same name.
    Duplicate,
    /// A name belongs to a file, and to a folder elsewhere in the archive.
    FileAndFolder,
    /// There are more entries than this limit.
    TooMany(usize),
    /// The archive unpacks to more bytes than this limit.
    TooLarge(u64),
    /// The archive unpacks to more than this many times its size.
    TooDense(u64),
    /// Folders are nested more deeply than this limit.
    TooDeep(usize),
    /// A name has more bytes than this limit.
    LongName(usize),
    /// Entries share bytes of the archive.
    Overlap,
}

impl ArchiveFault {
    /// The stable code.
    pub fn code(&self) -> Code {
        match self {
            ArchiveFault::NotAnArchive | ArchiveFault::Damaged(_) | ArchiveFault::NoData => codes::ARCHIVE_DAMAGED,
            ArchiveFault::TooMany(_) | ArchiveFault::TooLarge(_) | ArchiveFault::TooDense(_) => codes::ARCHIVE_LIMIT,
            ArchiveFault::TooDeep(_) | ArchiveFault::LongName(_) => codes::ARCHIVE_LIMIT,
            ArchiveFault::BadName | ArchiveFault::NotAFile(_) | ArchiveFault::Encrypted => codes::ARCHIVE_ENTRY,
            ArchiveFault::Duplicate | ArchiveFault::FileAndFolder | ArchiveFault::Overlap => codes::ARCHIVE_ENTRY,
        }
    }
}

impl fmt::Display for ArchiveFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveFault::NotAnArchive => f.write_str("this is neither an ar nor a zip archive"),
            ArchiveFault::Damaged(why) => write!(f, "the archive is damaged: {why}"),
            ArchiveFault::NoData => f.write_str("there is no data.tar.gz in it"),
            ArchiveFault::BadName => f.write_str("the name is not that of a file inside the archive"),
            ArchiveFault::NotAFile(what) => write!(f, "it is {what}, and only files and folders are unpacked"),
            ArchiveFault::Encrypted => f.write_str("it is encrypted"),
            ArchiveFault::Duplicate => f.write_str("the name occurs twice"),
            ArchiveFault::FileAndFolder => f.write_str("the name is that of a file and of a folder"),
            ArchiveFault::TooMany(most) => write!(f, "there are more than {most} entries"),
            ArchiveFault::TooLarge(most) => write!(f, "it unpacks to more than {most} bytes"),
            ArchiveFault::TooDense(most) => write!(f, "it unpacks to more than {most} times its size"),
            ArchiveFault::TooDeep(most) => write!(f, "there are more than {most} folders inside each other"),
            ArchiveFault::LongName(most) => write!(f, "the name is longer than {most} bytes"),
            ArchiveFault::Overlap => f.write_str("entries of the archive share their bytes"),
        }
    }
}
