//! Private folders where the system keeps what is temporary. The process that made one holds it, by a lock on a file in it, which the
//! system lets go when the process ends, however it ends. So whoever comes later knows the folders of the dead, and removes them.

use crate::temporary::{Temporary, undisturbed};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PREFIX: &str = "boxstep-";
/// The locked file.
const HELD: &str = "held";
/// In which all else is.
const INSIDE: &str = "0";

/// A folder that only this user can look into, and that goes with this.
#[derive(Debug)]
pub(super) struct Private {
    // Let go first: some systems remove no file that is held.
    _held: Option<File>,
    folder: Temporary<TempDir>,
}

impl Private {
    /// In this place, from which the folders of processes that have ended are removed.
    pub(super) fn new(place: &Path) -> io::Result<Self> {
        let folder = Temporary::folder(PREFIX, place)?;
        let held = undisturbed(|| {
            fs::create_dir(folder.path().join(INSIDE))?;
            hold(folder.path())
        })?;
        sweep(place, &fs::symlink_metadata(folder.path())?);
        Ok(Self { _held: held, folder })
    }

    /// What may be written into.
    pub(super) fn inside(&self) -> PathBuf {
        self.folder.path().join(INSIDE)
    }
}

/// Locks the file before it has its name, so that nobody finds it unlocked. Where there are no locks, it gets none.
fn hold(folder: &Path) -> io::Result<Option<File>> {
    let unnamed = folder.join("new");
    let file = File::create_new(&unnamed)?;
    if file.try_lock().is_err() {
        return Ok(None);
    }
    fs::rename(&unnamed, folder.join(HELD))?;
    Ok(Some(file))
}

/// Removes what nobody holds any more; what cannot be removed stays.
fn sweep(place: &Path, mine: &Metadata) {
    for item in fs::read_dir(place).into_iter().flatten().flatten() {
        if item.file_name().to_string_lossy().starts_with(PREFIX) {
            // Somebody else may be removing it, too.
            let _ = remove_if_left(&item.path(), mine);
        }
    }
}

fn remove_if_left(folder: &Path, mine: &Metadata) -> io::Result<()> {
    let held = folder.join(HELD);
    // Not through links, and nothing of another user's.
    let data = fs::symlink_metadata(folder)?;
    if !data.is_dir() || !same_owner(&data, mine) || !fs::symlink_metadata(&held)?.is_file() {
        return Ok(());
    }
    let file = File::options().read(true).write(true).open(&held)?;
    if file.try_lock().is_err() {
        return Ok(());
    }
    // The mark goes last: whoever is killed here leaves something that can be told.
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
    // The place is a user's own.
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
    fn what_the_dead_have_left_is_removed_and_nothing_else() {
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
    fn nobody_else_looks_into_it_and_no_link_leads_away() {
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
