//! Temporary files and folders of this process. Each is removed when its owner is dropped; code that ends the process
//! without dropping owners calls [`clear`].

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

static MADE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn made() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // A panic cannot leave the set inconsistent, so a poisoned lock is usable.
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and folders. Afterwards other threads block when they create or rename one, because the
/// lock stays held: call this only when the process is about to end.
pub fn clear() {
    let made = made();
    for path in made.iter() {
        // Errors mean that the path is already gone.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    std::mem::forget(made);
}

/// Runs `what` so that [`clear`] cannot run in the middle of it.
pub(crate) fn undisturbed<T>(what: impl FnOnce() -> T) -> T {
    let _made = made();
    what()
}

/// A temporary file or folder that [`clear`] removes too.
#[derive(Debug)]
pub(crate) struct Temporary<T> {
    // Dropped first: the path is removed from the disk before it is removed from the set.
    inner: T,
    _known: Registered,
}

#[derive(Debug)]
struct Registered(PathBuf);

impl Drop for Registered {
    fn drop(&mut self) {
        made().remove(&self.0);
    }
}

impl Temporary<TempDir> {
    /// Creates a folder in `within` that only this user can access.
    pub(crate) fn folder(prefix: &str, within: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(prefix);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        Self::make(|| builder.tempdir_in(within), TempDir::path)
    }

    pub(crate) fn path(&self) -> &Path {
        self.inner.path()
    }

    /// Leaves the folder where it is.
    pub(crate) fn keep(self) {
        let _ = self.inner.keep();
    }
}

impl Temporary<NamedTempFile> {
    /// Creates a file in a folder.
    pub(crate) fn file(prefix: &str, within: &Path) -> io::Result<Self> {
        Self::make(|| tempfile::Builder::new().prefix(prefix).tempfile_in(within), NamedTempFile::path)
    }

    /// Creates a file with this extension in the system's folder for temporary files. On Unix only this user can read
    /// it.
    pub(crate) fn with_ending(ending: &str) -> io::Result<Self> {
        Self::make(|| tempfile::Builder::new().prefix("boxstep-").suffix(ending).tempfile(), NamedTempFile::path)
    }

    pub(crate) fn path(&self) -> &Path {
        self.inner.path()
    }

    pub(crate) fn as_mut(&mut self) -> &mut NamedTempFile {
        &mut self.inner
    }

    /// Moves the file to its final path.
    pub(crate) fn persist(self, path: &Path, replace: bool) -> io::Result<()> {
        let done = if replace { self.inner.persist(path) } else { self.inner.persist_noclobber(path) };
        done.map(|_| ()).map_err(|e| e.error)
    }
}

impl<T> Temporary<T> {
    fn make(make: impl FnOnce() -> io::Result<T>, path: impl FnOnce(&T) -> &Path) -> io::Result<Self> {
        let mut made = made();
        let inner = make()?;
        let known = path(&inner).to_owned();
        made.insert(known.clone());
        Ok(Self { inner, _known: Registered(known) })
    }
}
