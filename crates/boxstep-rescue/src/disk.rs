//! Where the files are that are brought home.

pub(crate) mod folder;
mod image;

pub use folder::FolderDisk;
pub(crate) use image::HOMES;
pub use image::{ImageDisk, ImageError};

use std::fmt;
use std::io;

/// A path on the robot: absolute, of bytes, as its system has it; UTF-8 or not.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DiskPath(Vec<u8>);

impl DiskPath {
    /// Creates a path from its text, such as `/home/nao`.
    pub fn new(path: &[u8]) -> Self {
        let path = path.strip_suffix(b"/").unwrap_or(path);
        Self(path.to_vec())
    }

    /// Returns the path of a file in this folder.
    #[must_use]
    pub fn join(&self, name: &[u8]) -> Self {
        Self([&self.0, &b"/"[..], name].concat())
    }

    /// Returns the folder that it is in; that of the root is the root.
    #[must_use]
    pub fn parent(&self) -> Self {
        let end = self.0.iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        Self(self.0[..end].to_vec())
    }

    /// Returns its bytes; the root is `/`.
    pub fn bytes(&self) -> &[u8] {
        if self.0.is_empty() { b"/" } else { &self.0 }
    }

    /// Returns the names from the root to this one.
    pub fn names(&self) -> impl Iterator<Item = &[u8]> {
        self.0.split(|byte| *byte == b'/').filter(|name| !name.is_empty())
    }

    /// Returns the path as text, from which its bytes can be read: see [`crate::name::text`].
    pub fn text(&self) -> String {
        crate::name::text(self.bytes())
    }
}

impl fmt::Debug for DiskPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

/// What a folder has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, as it is on the disk. It may be anything, also `..` or one with a slash.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// Its size in bytes.
    pub size: u64,
    /// When it was changed last: seconds since 1970.
    pub modified: i64,
    /// Its permissions.
    pub mode: u32,
}

/// What is in a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A socket, a pipe, a device.
    Other,
}

impl Kind {
    /// Returns what the permissions of a file say that it is.
    pub fn of_mode(mode: u32) -> Self {
        match mode & 0o170_000 {
            0o100_000 => Self::File,
            0o040_000 => Self::Folder,
            0o120_000 => Self::Link,
            _ => Self::Other,
        }
    }
}

/// Why something on a disk was not read.
#[derive(Debug)]
pub enum DiskError {
    /// It is not there.
    Missing,
    /// It is there, and cannot be read.
    Refused(String),
    /// The one who asks has no permission.
    Denied(String),
    /// The disk is out of reach; it may be in reach again.
    Lost(String),
    /// What was read cannot be written here.
    Here(io::Error),
}

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("it is not there"),
            Self::Refused(why) | Self::Denied(why) | Self::Lost(why) => f.write_str(why),
            Self::Here(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DiskError {}

impl Entry {
    /// Returns an entry of which only the name is known: reading it says why.
    pub(crate) fn unknown(name: Vec<u8>) -> Self {
        Self { name, kind: Kind::File, size: 0, modified: 0, mode: 0 }
    }
}

/// Takes the bytes of a file in their order.
pub type Sink<'a> = dyn FnMut(&[u8]) -> io::Result<()> + 'a;

/// A robot's disk. It is only read.
pub trait Disk {
    /// Returns what a folder has, at most `most` entries.
    ///
    /// # Errors
    /// Why it cannot be listed; also, that it has more.
    fn list(&mut self, folder: &DiskPath, most: usize) -> Result<Vec<Entry>, DiskError>;

    /// Returns what is at a path; its name is not told.
    ///
    /// # Errors
    /// Why it cannot be told.
    fn stat(&mut self, path: &DiskPath) -> Result<Entry, DiskError>;

    /// Reads a file from an offset to its end, at most `most` bytes.
    ///
    /// # Errors
    /// Why it cannot be read, or that it has more bytes.
    fn read(&mut self, file: &DiskPath, from: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError>;

    /// Returns where a link leads.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn link(&mut self, link: &DiskPath) -> Result<Vec<u8>, DiskError>;

    /// Returns the folders that people's files are in: `/home/nao` on a robot.
    ///
    /// # Errors
    /// Why it cannot be told.
    fn homes(&mut self) -> Result<Vec<DiskPath>, DiskError>;

    /// Returns whether links on the way to a folder are followed when it is listed, as a system does.
    fn follows_links(&self) -> bool {
        false
    }

    /// Returns where its file systems begin: one, if it has no partitions.
    fn roots(&self) -> Vec<DiskPath> {
        vec![DiskPath::new(b"/")]
    }
}

/// The space of a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// All of it.
    pub size: u64,
    /// What a user may still use.
    pub free: u64,
}

/// A robot's disk that new things are put on. What is there is never written over.
pub trait WritableDisk: Disk {
    /// Writes a new file that only its owner may read, and removes what was written of it if that fails.
    ///
    /// # Errors
    /// Why it cannot be written: also, that there is such a file.
    fn put(&mut self, file: &DiskPath, from: &mut dyn io::Read) -> Result<(), DiskError>;

    /// Removes a file or a link.
    ///
    /// # Errors
    /// Why it cannot be removed.
    fn remove(&mut self, file: &DiskPath) -> Result<(), DiskError>;

    /// Gives a file another name, which nothing has.
    ///
    /// # Errors
    /// Why it cannot have that name.
    fn rename(&mut self, from: &DiskPath, to: &DiskPath) -> Result<(), DiskError>;

    /// Sets the permissions of a file.
    ///
    /// # Errors
    /// Why they cannot be set.
    fn set_mode(&mut self, path: &DiskPath, mode: u32) -> Result<(), DiskError>;

    /// Makes a new folder.
    ///
    /// # Errors
    /// Why it cannot be made: also, that there is such a folder.
    fn make_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError>;

    /// Removes a folder that is empty.
    ///
    /// # Errors
    /// Why it cannot be removed.
    fn remove_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError>;

    /// Makes a new symbolic link.
    ///
    /// # Errors
    /// Why it cannot be made.
    fn make_link(&mut self, link: &DiskPath, target: &[u8]) -> Result<(), DiskError>;

    /// Returns the space of the disk that a folder is on, if it can be told; OpenSSH can since 5.1.
    ///
    /// # Errors
    /// Why it cannot be told.
    fn space(&mut self, folder: &DiskPath) -> Result<Space, DiskError>;
}

/// Returns the space of the disk of this computer that a folder is on; `None` on systems that do not say it.
pub fn space_here(folder: &std::path::Path) -> Option<Space> {
    #[cfg(unix)]
    {
        let told = rustix::fs::statvfs(folder).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(told.f_frsize);
        Some(Space { size: bytes(told.f_blocks), free: bytes(told.f_bavail) })
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        None
    }
}

/// The error of a folder that has too many entries.
pub(crate) fn too_many(most: usize) -> DiskError {
    DiskError::Refused(format!("it has more than {most} entries"))
}

/// The error of a file that is too long.
pub(crate) fn too_long(most: u64) -> DiskError {
    DiskError::Refused(format!("it is longer than {most} bytes"))
}

/// Passes on all that is read, at most `most` bytes.
pub(crate) fn pass_on(
    most: u64,
    to: &mut Sink<'_>,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, DiskError>,
) -> Result<(), DiskError> {
    let (mut buffer, mut passed) = (vec![0; 1 << 18], 0);
    loop {
        let n = read(&mut buffer)?;
        if n == 0 {
            return Ok(());
        }
        passed += n as u64;
        if passed > most {
            return Err(too_long(most));
        }
        to(&buffer[..n]).map_err(DiskError::Here)?;
    }
}
