//! A robot's disk as a folder of this computer: mounted, or copied from it.

use super::{Disk, DiskError, DiskPath, Entry, Kind, Sink, pass_on, too_many};
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// A folder that holds a robot's disk, or its home.
#[derive(Debug)]
pub struct FolderDisk {
    root: PathBuf,
}

impl FolderDisk {
    /// Creates a disk of a folder.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Returns where a path is here. Links on the way are not followed: they lead out of the folder.
    fn find(&self, path: &DiskPath) -> Result<(PathBuf, Metadata), DiskError> {
        let mut found = self.root.clone();
        // A disk that was unplugged.
        let mut metadata = fs::metadata(&found).map_err(|error| DiskError::Lost(error.to_string()))?;
        for name in path.names() {
            if !metadata.is_dir() || name == b".." || name == b"." {
                return Err(DiskError::Missing);
            }
            found.push(os(name).ok_or(DiskError::Missing)?);
            metadata = fs::symlink_metadata(&found).map_err(of)?;
        }
        Ok((found, metadata))
    }
}

fn of(error: io::Error) -> DiskError {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => DiskError::Missing,
        _ => DiskError::Refused(error.to_string()),
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn os(name: &[u8]) -> Option<&OsStr> {
    Some(std::os::unix::ffi::OsStrExt::from_bytes(name))
}

#[cfg(not(unix))]
pub(crate) fn os(name: &[u8]) -> Option<&OsStr> {
    // Those characters lead to other folders on this system.
    std::str::from_utf8(name).ok().filter(|name| !name.contains(['\\', ':'])).map(OsStr::new)
}

pub(crate) fn bytes(name: &OsStr) -> Vec<u8> {
    // What this system cannot name as bytes it has as UTF-8.
    name.as_encoded_bytes().to_vec()
}

#[cfg(unix)]
pub(crate) fn mode(metadata: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(metadata)
}

#[cfg(not(unix))]
pub(crate) fn mode(_: &Metadata) -> u32 {
    0o644
}

fn entry(name: Vec<u8>, metadata: &Metadata) -> Entry {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
    };
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(0));
    Entry { name, kind, size: metadata.len(), modified, mode: mode(metadata) & 0o7777 }
}

impl Disk for FolderDisk {
    fn list(&mut self, folder: &DiskPath, most: usize) -> Result<Vec<Entry>, DiskError> {
        let (folder, metadata) = self.find(folder)?;
        if !metadata.is_dir() {
            return Err(DiskError::Missing);
        }
        let mut entries = Vec::new();
        for one in fs::read_dir(folder).map_err(of)? {
            let one = one.map_err(of)?;
            if entries.len() == most {
                return Err(too_many(most));
            }
            match one.metadata() {
                Ok(metadata) => entries.push(entry(bytes(&one.file_name()), &metadata)),
                // It went away meanwhile.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // One that is damaged does not take the others with it.
                Err(_) => entries.push(Entry::unknown(bytes(&one.file_name()))),
            }
        }
        Ok(entries)
    }

    fn stat(&mut self, path: &DiskPath) -> Result<Entry, DiskError> {
        self.find(path).map(|(_, metadata)| entry(Vec::new(), &metadata))
    }

    fn read(&mut self, file: &DiskPath, from: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError> {
        let (path, metadata) = self.find(file)?;
        if !metadata.is_file() {
            return Err(DiskError::Refused("it is not a file".to_owned()));
        }
        let mut file = File::open(path).map_err(of)?;
        file.seek(SeekFrom::Start(from)).map_err(of)?;
        pass_on(most, to, |buffer| file.read(buffer).map_err(of))
    }

    fn link(&mut self, link: &DiskPath) -> Result<Vec<u8>, DiskError> {
        let (path, _) = self.find(link)?;
        Ok(bytes(fs::read_link(path).map_err(of)?.as_os_str()))
    }

    fn homes(&mut self) -> Result<Vec<DiskPath>, DiskError> {
        super::image::homes(|path| self.find(path).is_ok_and(|(_, metadata)| metadata.is_dir()))
    }
}
