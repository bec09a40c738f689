//! Why an archive is refused.

use crate::codes;
use boxstep_types::Code;
use std::fmt;

/// What is wrong with an archive or one of its entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveFault {
    /// Neither an ar nor a zip.
    NotAnArchive,
    /// Cut off or not as its format says; the text says how.
    Damaged(String),
    /// An ar without `data.tar.gz`.
    NoData,
    /// A name that is empty, absolute, has `..`, `:` or a NUL in it, or is no UTF-8.
    BadName,
    /// A link, device or other thing that is no file and no folder; the text says which.
    NotAFile(&'static str),
    /// Encrypted.
    Encrypted,
    /// A name that an earlier entry has.
    Duplicate,
    /// A name that is a file here and a folder elsewhere in the archive.
    FileAndFolder,
    /// More entries than are allowed.
    TooMany(usize),
    /// More bytes, unpacked, than are allowed.
    TooLarge(u64),
    /// Unpacks to more than this many times its size.
    TooDense(u64),
    /// More folders inside each other than are allowed.
    TooDeep(usize),
    /// A longer name than is allowed.
    LongName(usize),
    /// Entries that share bytes.
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
            ArchiveFault::Duplicate => f.write_str("the name is there twice"),
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
