//! Atomic output: files and folders are written beside their target and then renamed, so that they are complete or
//! absent.

use crate::archive::Entry;
use crate::temporary::{Temporary, undisturbed};
use std::fs::{self, File};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

pub use crate::temporary::clear;

/// The prefix of the names of unfinished files and folders.
const PREFIX: &str = ".boxstep-";

/// Writes a file and creates its folders. An existing file is replaced only with `force`; if it is a symbolic link, the
/// link's target is replaced. A device or pipe cannot be replaced, so the bytes are written to it.
pub fn write_file(path: &Path, bytes: &[u8], force: bool) -> io::Result<()> {
    write_file_with(path, force, |file| file.write_all(bytes))
}

/// Like [`write_file`], with what a function writes.
///
/// # Errors
/// The file cannot be written, or the error of the function.
pub fn write_file_with<T, E: From<io::Error>>(
    path: &Path,
    force: bool,
    write: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    let there = fs::metadata(path);
    let rights = match &there {
        Ok(data) if data.is_dir() => return Err(exists("it is a folder").into()),
        Ok(data) if !data.is_file() => {
            let mut target = fs::OpenOptions::new().write(true).open(path)?;
            let mut file = tempfile::tempfile()?;
            let written = write(&mut file)?;
            file.rewind()?;
            io::copy(&mut file, &mut target)?;
            return Ok(written);
        }
        Ok(data) => Some(data.permissions()),
        Err(_) => None,
    };
    refuse_to_replace(path, force)?;
    let real = if there.is_ok() { path.canonicalize()? } else { path.to_owned() };
    let folder = folder_of(&real);
    make_folder(folder)?;
    let mut beside = Temporary::file(PREFIX, folder)?;
    let file = beside.as_mut();
    let written = write(file.as_file_mut())?;
    // Temporary files are private to the user. This one gets the permissions of the file it replaces, or those of any
    // new file.
    if let Some(rights) = rights.map_or_else(|| new_file_rights(folder), |rights| Ok(Some(rights)))? {
        fs::set_permissions(file.path(), rights)?;
    }
    file.as_file().sync_all()?;
    beside.persist(&real, force)?;
    Ok(written)
}

/// A temporary file for another program of this user. It is removed when this is dropped, or by [`clear`].
#[derive(Debug)]
pub struct PrivateFile(Temporary<NamedTempFile>);

impl PrivateFile {
    /// Writes a file whose name has this ending, such as `.html`. On Unix no other user can read it; elsewhere it is in
    /// a folder of the user.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(ending: &str, bytes: &[u8]) -> io::Result<Self> {
        let mut file = Temporary::with_ending(ending)?;
        file.as_mut().write_all(bytes)?;
        Ok(Self(file))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

/// A folder that is being written. If it is dropped before [`OutputFolder::finish`], nothing remains.
#[derive(Debug)]
pub struct OutputFolder {
    target: PathBuf,
    force: bool,
    beside: Temporary<TempDir>,
}

impl OutputFolder {
    /// Creates an output folder for this path, where an empty folder may exist. A folder with contents is replaced only
    /// with `force`, and never if it contains the current directory or nothing that belongs to a behavior.
    pub fn new(target: &Path, force: bool) -> io::Result<Self> {
        // If the path is a symbolic link, its target is replaced, not the link.
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

    /// Adds a file and creates its folders. Its name is that of an [`Entry`]: separated by `/` and not leading out of
    /// the folder.
    pub fn add(&mut self, entry: &Entry) -> io::Result<()> {
        write_entries(&self.new_folder(), std::slice::from_ref(entry))
    }

    /// Moves the folder to its target path.
    pub fn finish(self) -> io::Result<()> {
        // `clear` must not run in between and remove the old folder together with the unfinished one.
        undisturbed(|| self.put())
    }

    fn put(&self) -> io::Result<()> {
        let old = self.beside.path().join("old");
        let replaces = self.target.symlink_metadata().is_ok();
        if replaces {
            if !is_empty_folder(&self.target) {
                refuse_to_replace(&self.target, self.force)?;
            }
            // Where the system can do so, the old and new folder are exchanged in one step, so that the path always
            // exists.
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

/// Writes files into an existing folder.
pub(crate) fn write_entries(folder: &Path, entries: &[Entry]) -> io::Result<()> {
    // `clear` can run only between two files, so that no file is created in a folder that is being removed.
    entries.iter().try_for_each(|entry| undisturbed(|| write_entry(folder, entry)))
}

fn write_entry(folder: &Path, entry: &Entry) -> io::Result<()> {
    let name = crate::project::normal("", &entry.name).filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| io::Error::other(format!("`{}` is not a valid file name", entry.name)))?;
    let path = folder.join(name);
    fs::create_dir_all(folder_of(&path))?;
    // On a case-insensitive file system, `A` must not replace `a`.
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

/// Creates a folder and those around it. If a file is in the way, the error names it instead of only saying "file
/// exists".
fn make_folder(folder: &Path) -> io::Result<()> {
    if let Some(file) = folder.ancestors().find(|p| p.is_file()) {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, format!("{} is not a folder", file.display())));
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

/// Refuses to replace the current directory, a folder around it, or a repository, even with `force`.
fn refuse_to_replace_ground(target: &Path) -> io::Result<()> {
    let here = std::env::current_dir()?.canonicalize()?;
    if target.join(".git").symlink_metadata().is_ok() {
        return Err(exists("it is a git repository, so it is not replaced: choose a folder in it"));
    }
    if target.canonicalize().is_ok_and(|target| here.starts_with(target)) {
        return Err(exists("it is the current folder or contains it, so it is not replaced"));
    }
    Ok(())
}

/// Refuses to replace a folder without any file of a behavior: the user probably meant a new folder, or one further
/// down.
fn refuse_to_replace_strangers(target: &Path) -> io::Result<()> {
    if target.is_dir() && !holds_behavior(target, LEVELS) {
        return Err(exists("it contains no file of a behavior, so it is not replaced"));
    }
    Ok(())
}

/// How many levels below a folder a behavior's file may be for the folder to be replaceable.
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
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
pub(crate) fn make_executable(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns the permissions that a new file gets in this folder, by creating one.
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
