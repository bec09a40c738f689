//! Where a member keeps the files of shows.

use crate::digest::Digest;
use std::collections::BTreeMap;
use std::fs::{self, DirEntry, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

    /// Removes a complete file, if it is there.
    fn remove(&mut self, digest: Digest);

    /// Reads at most this many bytes of a complete file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, digest: Digest, offset: u64, most: usize) -> io::Result<Vec<u8>>;
}

impl<S: Store + ?Sized> Store for Box<S> {
    fn has(&self, digest: Digest) -> bool {
        (**self).has(digest)
    }

    fn held(&self, digest: Digest) -> u64 {
        (**self).held(digest)
    }

    fn append(&mut self, digest: Digest, bytes: &[u8]) -> io::Result<()> {
        (**self).append(digest, bytes)
    }

    fn complete(&mut self, digest: Digest) -> io::Result<bool> {
        (**self).complete(digest)
    }

    fn remove(&mut self, digest: Digest) {
        (**self).remove(digest);
    }

    fn read(&self, digest: Digest, offset: u64, most: usize) -> io::Result<Vec<u8>> {
        (**self).read(digest, offset, most)
    }
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

    fn remove(&mut self, digest: Digest) {
        self.complete.remove(&digest);
    }

    fn read(&self, digest: Digest, offset: u64, most: usize) -> io::Result<Vec<u8>> {
        let bytes = self.complete.get(&digest).ok_or(io::ErrorKind::NotFound)?;
        let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        Ok(bytes[from..bytes.len().min(from.saturating_add(most))].to_vec())
    }
}

/// Files in a folder, named by their digest. What comes is checked before it gets its name, so a file with a name is
/// whole. Several programs of a computer share the folder: each has beginnings of its own.
#[derive(Clone, Debug)]
pub struct FolderStore {
    folder: PathBuf,
    owner: String,
}

impl FolderStore {
    /// Uses a folder, and creates it if there is none. `owner` is the name of the robot: a program that is started again
    /// for it goes on with its files.
    ///
    /// # Errors
    /// Why it cannot be created.
    pub fn open(folder: &Path, owner: &str) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let owner = Digest::of(owner.as_bytes()).to_string().chars().take(16).collect();
        Ok(Self { folder: folder.to_owned(), owner })
    }

    /// Removes what has not been written for this long, and names of sounds that are not there any more. Files of shows
    /// can be fetched again.
    pub fn prune(&self, older: Duration) {
        let is_old = |entry: &DirEntry| {
            let age = entry.metadata().and_then(|file| file.modified()).map(|at| at.elapsed().unwrap_or_default());
            age.is_ok_and(|age| age > older)
        };
        // Another program may have removed it.
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            if is_old(&entry) && entry.path().is_file() {
                let _ = fs::remove_file(entry.path());
            }
        }
        for entry in fs::read_dir(self.sounds()).into_iter().flatten().flatten() {
            if is_old(&entry) || !self.folder.join(entry.file_name()).is_file() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }

    /// Returns where sounds have their names: each in a folder that has the name of its file.
    pub fn sounds(&self) -> PathBuf {
        self.folder.join("sounds")
    }

    /// Returns where a complete file is.
    pub fn path(&self, digest: Digest) -> PathBuf {
        self.folder.join(digest.to_string())
    }

    fn begun(&self, digest: Digest) -> PathBuf {
        self.folder.join(format!("{digest}.{}.part", self.owner))
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

    fn remove(&mut self, digest: Digest) {
        // It is only a file too many.
        let _ = fs::remove_file(self.path(digest));
    }

    fn read(&self, digest: Digest, offset: u64, most: usize) -> io::Result<Vec<u8>> {
        let mut file = File::open(self.path(digest))?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        file.take(most as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}
