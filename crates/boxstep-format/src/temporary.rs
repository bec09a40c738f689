//! Files and folders that this process has made for a while only. They go with their owner; whoever ends the process
//! early, so that no owner is dropped, calls [`clear`].

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{NamedTempFile, TempDir};

static MADE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn made() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    // A set of paths is whole after every step.
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all of them. Nothing further can be made or put in its place by the other threads: the process is to end.
pub fn clear() {
    let made = made();
    for path in made.iter() {
        // What is not there any more is clear.
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    std::mem::forget(made);
}

/// Does something that [`clear`] must find done or not begun.
pub(crate) fn undisturbed<T>(what: impl FnOnce() -> T) -> T {
    let _made = made();
    what()
}

/// A temporary file or folder that [`clear`] knows.
#[derive(Debug)]
pub(crate) struct Temporary<T> {
    // Removed first, forgotten then.
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
    /// A folder in this one, which only this user can look into.
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
}

impl Temporary<NamedTempFile> {
    /// A file in a folder.
    pub(crate) fn file(prefix: &str, within: &Path) -> io::Result<Self> {
        Self::make(|| tempfile::Builder::new().prefix(prefix).tempfile_in(within), NamedTempFile::path)
    }

    pub(crate) fn as_mut(&mut self) -> &mut NamedTempFile {
        &mut self.inner
    }

    /// Gives it a name of its own.
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
