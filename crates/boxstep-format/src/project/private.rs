//! Private folders in the system's folder for temporary files. The process that creates one keeps a file in it locked.
//! The system releases the lock when the process ends, in whatever way, so later processes can recognize abandoned
//! folders and remove them.

use crate::temporary::{Temporary, undisturbed};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = "boxstep-";
/// The name of the locked file.
const HELD: &str = "held";
/// The name of the subfolder for the unpacked files.
const INSIDE: &str = "0";

/// A folder that only this user can access, and that is removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Private {
    // Dropped first, because some systems do not remove a locked file.
    _held: Option<File>,
    folder: Temporary<TempDir>,
}

impl Private {
    /// Creates a private folder in `place`, and removes the folders there whose processes have ended.
    pub(super) fn new(place: &Path) -> io::Result<Self> {
        let folder = Temporary::folder(PREFIX, place)?;
        let held = undisturbed(|| {
            fs::create_dir(folder.path().join(INSIDE))?;
            hold(folder.path())
        })?;
        sweep(place, &fs::symlink_metadata(folder.path())?);
        Ok(Self { _held: held, folder })
    }

    /// The subfolder into which files may be written.
    pub(super) fn inside(&self) -> PathBuf {
        self.folder.path().join(INSIDE)
    }
}

/// Creates and locks the file under a temporary name, so that no other process finds it unlocked. On systems without
/// file locks, the file never gets its final name.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let unnamed = folder.join("new");
    let file = File::create_new(&unnamed)?;
    if file.try_lock().is_err() {
        return Ok(None);
    }
    fs::rename(&unnamed, folder.join(HELD))?;
    Ok(Some(file))
}

/// Removes abandoned folders; those that cannot be removed stay.
fn sweep(place: &Path, mine: &Metadata) {
    for item in fs::read_dir(place).into_iter().flatten().flatten() {
        if item.file_name().to_string_lossy().starts_with(PREFIX) {
            // An error may mean that another process is removing it at the same time.
            let _ = remove_if_left(&item.path(), mine);
        }
    }
}

fn remove_if_left(folder: &Path, mine: &Metadata) -> io::Result<()> {
    let held = folder.join(HELD);
    // Links are not followed, and folders of other users are not touched.
    let data = fs::symlink_metadata(folder)?;
    if !data.is_dir() || !same_owner(&data, mine) || !fs::symlink_metadata(&held)?.is_file() {
        return Ok(());
    }
    let file = File::options().read(true).write(true).open(&held)?;
    if file.try_lock().is_err() {
        return Ok(());
    }
    // The lock file is removed last, so that a later process can still recognize the folder if this one is killed here.
    fs::remove_dir_all(folder.join(INSIDE))?;
    drop(file);
    fs::remove_dir_all(folder)
}

#[cfg(unix)]
fn same_owner(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    a.uid() == b.uid()
}

#[cfg(not(unix))]
fn same_owner(_: &Metadata, _: &Metadata) -> bool {
    // On these systems each user has a separate folder for temporary files.
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(place: &Path, name: &str, files: &[&str]) {
        fs::create_dir_all(place.join(name).join(INSIDE).join("app")).unwrap();
        files.iter().for_each(|file| fs::write(place.join(name).join(file), "x").unwrap());
    }

    fn names(place: &Path) -> Vec<String> {
        let items = fs::read_dir(place).unwrap().map(|item| item.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            items.filter(|name| name.starts_with("boxstep-left") || !name.starts_with(PREFIX)).collect();
        names.sort();
        names
    }

    #[test]
    fn only_folders_of_ended_processes_are_removed() {
        let place = tempfile::tempdir().unwrap();
        let alive = Private::new(place.path()).unwrap();
        fs::write(alive.inside().join("a"), "x").unwrap();
        left(place.path(), "boxstep-left-1", &[HELD, "0/app/behavior.xar"]);
        left(place.path(), "boxstep-left-2", &["0/app/behavior.xar"]);
        left(place.path(), "others-3", &[HELD]);
        fs::write(place.path().join("boxstep-left-4"), "no folder").unwrap();
        let other = Private::new(place.path()).unwrap();
        assert_eq!(names(place.path()), ["boxstep-left-2", "boxstep-left-4", "others-3"]);
        assert!(alive.inside().join("a").is_file() && other.inside().is_dir());
        let (one, two) = (alive.inside(), other.inside());
        drop((alive, other));
        assert!(!one.exists() && !two.exists());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_has_access_and_links_are_not_followed() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let place = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        left(elsewhere.path(), "kept", &[HELD, "0/a"]);
        symlink(elsewhere.path().join("kept"), place.path().join("boxstep-left-link")).unwrap();
        let private = Private::new(place.path()).unwrap();
        let mode = fs::metadata(private.folder.path()).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
        assert!(elsewhere.path().join("kept/0/a").is_file());
    }
}
