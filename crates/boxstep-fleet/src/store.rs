//! Where a member keeps the files of shows.

use crate::digest::Digest;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Files by their digest, complete ones and the beginnings of others.
pub trait Store {
    /// Returns whether a file is there, whole.
    fn has(&self, digest: Digest) -> bool;

    /// Returns how many bytes of a file are there from its beginning.
    fn held(&self, digest: Digest) -> u64;

    /// Adds bytes to the beginning of a file.
    ///
    /// # Errors
    /// Why they cannot be written.
    fn append(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<()>;

    /// Completes a file. Returns whether it is what its digest says; otherwise it is removed.
    ///
    /// # Errors
    /// Why it cannot be read or moved.
    fn complete(&mut self, digest: Digest) -> io::Result<bool>;

    /// Reads a complete file of at most this many bytes.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, digest: Digest, most: u64) -> io::Result<Vec<u8>>;
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    complete: BTreeMap<Digest, Vec<u8>>,
    begun: BTreeMap<Digest, Vec<u8>>,
}

impl Store for MemoryStore {
    fn has(&self, digest: Digest) -> bool {
        self.complete.contains_key(&digest)
    }

    fn held(&self, digest: Digest) -> u64 {
        self.begun.get(&digest).map_or(0, |bytes| bytes.len() as u64)
    }

    fn append(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<()> {
        self.begun.entry(digest).or_default().extend_from_slice(bytes);
        Ok(())
    }

    fn complete(&mut self, digest: Digest) -> io::Result<bool> {
        let bytes = self.begun.remove(&digest).unwrap_or_default();
        let right = Digest::of(&bytes) == digest;
        if right {
            self.complete.insert(digest, bytes);
        }
        Ok(right)
    }

    fn read(&self, digest: Digest, _: u64) -> io::Result<Vec<u8>> {
        self.complete.get(&digest).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Files in a folder, named by their digest. What comes is checked before it gets its name, so a file with a name is
/// whole.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
}

impl FolderStore {
    /// Uses a folder, and creates it if there is none.
    ///
    /// # Errors
    /// Why it cannot be created.
    pub fn open(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Returns where a complete file is.
    pub fn path(&self, digest: Digest) -> PathBuf {
        self.folder.join(digest.to_string())
    }

    fn begun(&self, digest: Digest) -> PathBuf {
        self.folder.join(format!("{digest}.part"))
    }
}

impl Store for FolderStore {
    fn has(&self, digest: Digest) -> bool {
        self.path(digest).is_file()
    }

    fn held(&self, digest: Digest) -> u64 {
        fs::metadata(self.begun(digest)).map_or(0, |file| file.len())
    }

    fn append(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<()> {
        OpenOptions::new().append(true).create(true).open(self.begun(digest))?.write_all(bytes)
    }

    fn complete(&mut self, digest: Digest) -> io::Result<bool> {
        let begun = self.begun(digest);
        // An empty file has no first piece.
        OpenOptions::new().append(true).create(true).open(&begun)?;
        if Digest::of_file(&begun)? != digest {
            fs::remove_file(&begun)?;
            return Ok(false);
        }
        fs::rename(&begun, self.path(digest))?;
        Ok(true)
    }

    fn read(&self, digest: Digest, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(self.path(digest))?.take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
