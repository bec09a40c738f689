//! Results that are there whole or not at all: written beside their place, then renamed.

use crate::archive::Entry;
use crate::temporary::{Temporary, undisturbed};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub use crate::temporary::clear;

/// How what is not finished is called.
const PREFIX: &str = ".boxstep-";

/// Writes a file. One that is there is replaced with `force` only; what a link leads to, not the link. A device or
/// a pipe cannot be replaced: it gets the bytes.
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    let there = fs::metadata(path);
    let rights = match &there {
        Ok(data) if data.is_dir() => return Err(exists("it is a folder")),
        Ok(data) if !data.is_file() => return fs::OpenOptions::new().write(true).open(path)?.write_all(bytes),
        Ok(data) => Some(data.permissions()),
        Err(_) => None,
    };
    refuse_to_replace(path, force)?;
    let real = if there.is_ok() { path.canonicalize()? } else { path.to_owned() };
    let folder = folder_of(&real);
    make_folder(folder)?;
    let mut beside = Temporary::file(PREFIX, folder)?;
    let file = beside.as_mut();
    file.write_all(bytes)?;
    // A private file would be a surprise: it gets the rights of the one it replaces, or a new file's.
    if let Some(rights) = rights.map_or_else(|| new_file_rights(folder), |rights| Ok(Some(rights)))? {
        fs::set_permissions(file.path(), rights)?;
    }
    file.as_file().sync_all()?;
    beside.persist(&real, force)
}

/// A folder that is being written. Dropped before [`OutputFolder::finish`], it leaves nothing.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    force: bool,
    beside: Temporary<TempDir>,
}

impl OutputFolder {
    /// For a folder at this path, which may be an empty one. One with something in it is replaced with `force` only.
    pub fn new(target: &Path, force: bool) -> io::Result<Self> {
        // What a link leads to, not the link.
        let target = &target.canonicalize().unwrap_or_else(|_| target.to_owned());
        if !is_empty_folder(target) {
            refuse_to_replace(target, force)?;
            refuse_to_replace_ground(target)?;
            refuse_to_replace_strangers(target)?;
        }
        let folder = folder_of(target);
        make_folder(folder)?;
        let beside = Temporary::folder(PREFIX, folder)?;
        undisturbed(|| fs::create_dir(beside.path().join("new")))?;
        Ok(Self { target: target.to_owned(), force, beside })
    }

    /// Adds a file; the folders around it come with it. Its name is one of [`Entry`]: with `/`, and not leading out.
    pub fn add(&mut self, entry: &Entry) -> io::Result<()> {
        write_entries(&self.new_folder(), std::slice::from_ref(entry))
    }

    /// Puts the folder in its place.
    pub fn finish(self) -> io::Result<()> {
        // What was there must not be cleared away with what is not finished.
        undisturbed(|| self.put())
    }

    fn put(&self) -> io::Result<()> {
        let old = self.beside.path().join("old");
        let replaces = self.target.symlink_metadata().is_ok();
        if replaces {
            if !is_empty_folder(&self.target) {
                refuse_to_replace(&self.target, self.force)?;
            }
            // Old and new change places in one step where the system can do that: then there is no moment without one.
            if exchange(&self.new_folder(), &self.target).is_ok() {
                return Ok(());
            }
            fs::rename(&self.target, &old)?;
        }
        match fs::rename(self.new_folder(), &self.target) {
            Ok(()) => Ok(()),
            Err(e) => {
                if replaces {
                    fs::rename(&old, &self.target)?;
                }
                Err(e)
            }
        }
    }

    fn new_folder(&self) -> PathBuf {
        self.beside.path().join("new")
    }
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(new: &Path, target: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, new, CWD, target, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes files into a folder that is there.
pub(crate) fn write_entries(folder: &Path, entries: &[Entry]) -> io::Result<()> {
    // Between two files, so that nothing is made in a folder that is being cleared away.
    entries.iter().try_for_each(|entry| undisturbed(|| write_entry(folder, entry)))
}

fn write_entry(folder: &Path, entry: &Entry) -> io::Result<()> {
    let name = crate::project::normal("", &entry.name).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| io::Error::other(format!("`{}` is no name of a file", entry.name)))?;
    let path = folder.join(name);
    fs::create_dir_all(folder_of(&path))?;
    // On a file system that does not tell `A` from `a`, one must not replace the other.
    let mut file = fs::File::create_new(&path)?;
    file.write_all(&entry.bytes)?;
    if entry.executable {
        make_executable(&path)?;
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// With the folders around it. A file in the way has a better name than "file exists".
fn make_folder(folder: &Path) -> io::Result<()> {
    if let Some(file) = folder.ancestors().find(|p| p.is_file()) {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is no folder", file.display())));
    }
    fs::create_dir_all(folder)
}

fn is_empty_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|data| data.is_dir())
        && fs::read_dir(path).is_ok_and(|mut items| items.next().is_none())
}

fn refuse_to_replace(path: &Path, force: bool) -> io::Result<()> {
    if !force && path.symlink_metadata().is_ok() {
        return Err(exists("it is there already; replace it with --force"));
    }
    Ok(())
}

/// Not even with force: the folder that this program runs in, or one around it.
fn refuse_to_replace_ground(target: &Path) -> io::Result<()> {
    let here = std::env::current_dir()?;
    if target.canonicalize().is_ok_and(|target| here.starts_with(target)) {
        return Err(exists("it is the current folder or around it, and is not replaced"));
    }
    Ok(())
}

/// Nor a folder with other things in it: one that was meant to be new, or a level too far up.
fn refuse_to_replace_strangers(target: &Path) -> io::Result<()> {
    if target.is_dir() && !holds_behavior(target, LEVELS) {
        return Err(exists("nothing in it is a behavior's; it is not replaced"));
    }
    Ok(())
}

/// How far below a folder a behavior may be for the folder to be one of behaviors.
const LEVELS: usize = 4;

fn holds_behavior(folder: &Path, levels: usize) -> bool {
    let items = || fs::read_dir(folder).into_iter().flatten().flatten();
    let ours = |name: &str| {
        name == "manifest.xml"
            || name.starts_with("l0_") && name.ends_with(".xml")
            || name.ends_with(".xar")
            || name.ends_with(".pml")
    };
    items().any(|item| ours(&item.file_name().to_string_lossy()))
        || levels > 0
            && items()
                .any(|item| item.file_type().is_ok_and(|t| t.is_dir()) && holds_behavior(&item.path(), levels - 1))
}

fn exists(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::AlreadyExists, why)
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The rights that a new file gets here, learned from one.
#[cfg(unix)]
fn new_file_rights(folder: &Path) -> io::Result<Option<fs::Permissions>> {
    let place = Temporary::folder(PREFIX, folder)?;
    let file = undisturbed(|| fs::File::create_new(place.path().join("new")))?;
    Ok(Some(file.metadata()?.permissions()))
}

#[cfg(not(unix))]
fn new_file_rights(_: &Path) -> io::Result<Option<fs::Permissions>> {
    Ok(None)
}
