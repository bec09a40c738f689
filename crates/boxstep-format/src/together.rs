//! Several files of a folder are written together: all of them, or none.
//!
//! New contents are written beside first; then each old file makes room and the new one takes its place. A journal has
//! what was moved, so that the next program puts everything back if this one is killed in between.

use crate::output::make_executable;
use crate::temporary::{Temporary, undisturbed};
use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The prefix of the folder in which the files wait.
const PREFIX: &str = ".boxstep-together-";
const JOURNAL: &str = "journal";

/// What becomes of a file. Its name is relative to the folder, with `/`, as [`crate::project::inside`] takes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The name of the file.
    pub name: String,
    /// What it contains; `None` if it does not exist.
    pub before: Option<Contents>,
    /// What it will contain; `None` if it is removed.
    pub after: Option<Contents>,
}

/// What a file contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it is a program, where the system knows that.
    pub executable: bool,
}

impl Contents {
    /// A file that is no program.
    pub fn plain(bytes: Vec<u8>) -> Self {
        Self { bytes, executable: false }
    }
}

/// Why files were not written. None of them has changed then.
#[derive(Debug)]
pub enum TogetherError {
    /// A file is another one than it was, or was not there.
    Changed(String),
    /// The name leads out of the folder, or over a link.
    Outside(String),
    /// A file cannot be read or written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for TogetherError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TogetherError::Changed(name) => write!(f, "another program has changed {name}"),
            TogetherError::Outside(name) => write!(f, "{name} leads out of the folder, or over a link"),
            TogetherError::Io(path, e) => write!(f, "{}: {e}", path.display()),
        }
    }
}

impl std::error::Error for TogetherError {}

/// Returns where a file of a folder is. No part of its path may be a link.
///
/// # Errors
/// [`TogetherError::Outside`].
pub fn plain_path(root: &Path, name: &str) -> Result<PathBuf, TogetherError> {
    let outside = || TogetherError::Outside(name.to_owned());
    let is_name = |name: &String| !name.is_empty() && !name.contains(char::is_control);
    let name = crate::project::normal("", name).filter(is_name).ok_or_else(outside)?;
    let mut path = root.to_owned();
    for part in name.split('/') {
        path.push(part);
        if path.symlink_metadata().is_ok_and(|data| data.is_symlink()) {
            return Err(outside());
        }
    }
    Ok(path)
}

/// Reads a file of a folder; `None` if there is none.
///
/// # Errors
/// It cannot be read, or is no file.
pub fn contents(root: &Path, name: &str) -> Result<Option<Contents>, TogetherError> {
    let path = plain_path(root, name)?;
    let data = match path.symlink_metadata() {
        Ok(data) => data,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(None),
        Err(e) => return Err(TogetherError::Io(path, e)),
    };
    if !data.is_file() {
        return Err(TogetherError::Io(path, io::Error::other("it is no file")));
    }
    let bytes = fs::read(&path).map_err(|e| TogetherError::Io(path, e))?;
    Ok(Some(Contents { bytes, executable: is_executable(&data) }))
}

/// What is moved, in the order in which it is moved.
struct Journal {
    files: Vec<Move>,
}

struct Move {
    name: String,
    was: bool,
    will: bool,
}

/// The last line of a journal: one without it was not finished, and nothing has been moved.
const END: &str = "end";

impl Journal {
    /// A line for each file: whether it was there and will be, and its name.
    fn written(&self) -> String {
        let line = |of: &Move| format!("{}{} {}\n", u8::from(of.was), u8::from(of.will), of.name);
        self.files.iter().map(line).collect::<String>() + END
    }

    fn read(text: &str) -> Option<Self> {
        let lines = text.strip_suffix(END)?.lines();
        let read = |line: &str| {
            let (signs, name) = line.split_once(' ')?;
            let (was, will) = (signs.get(..1)? == "1", signs.get(1..)? == "1");
            Some(Move { name: name.to_owned(), was, will })
        };
        Some(Self { files: lines.map(read).collect::<Option<_>>()? })
    }
}

/// Writes files of a folder, all or none.
///
/// # Errors
/// A file is not what it was, or cannot be written; then all are as they were.
pub fn write_together(root: &Path, changes: &[FileChange]) -> Result<(), TogetherError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |e| TogetherError::Io(path, e)
    };
    let beside = Temporary::folder(PREFIX, root).map_err(failed(root))?;
    let stage = beside.path();
    let mut files = Vec::new();
    for (n, change) in changes.iter().enumerate() {
        let there = contents(root, &change.name)?;
        if there != change.before {
            return Err(TogetherError::Changed(change.name.clone()));
        }
        if let Some(after) = &change.after {
            let new = stage.join(format!("new-{n}"));
            write_new(&new, after, &plain_path(root, &change.name)?).map_err(failed(&new))?;
        }
        let (was, will) = (change.before.is_some(), change.after.is_some());
        files.push(Move { name: change.name.clone(), was, will });
    }
    let journal = Journal { files };
    let path = stage.join(JOURNAL);
    let lock = write_journal(&path, &journal).map_err(failed(&path))?;
    let mut is_back = true;
    let done = undisturbed(|| {
        for (n, change) in journal.files.iter().enumerate() {
            if let Err(e) = put(root, stage, n, change) {
                is_back = put_back(root, stage, &journal);
                return Err(TogetherError::Io(root.join(&change.name), e));
            }
        }
        // From here on it counts.
        fs::remove_file(&path).map_err(|e| {
            is_back = put_back(root, stage, &journal);
            TogetherError::Io(path.clone(), e)
        })
    });
    drop(lock);
    if let Err(e) = done {
        if !is_back {
            // The files that could not be put back are in there, for the next time.
            beside.keep();
        }
        return Err(e);
    }
    for change in changes.iter().filter(|change| change.after.is_none()) {
        remove_empty(root, &root.join(&change.name));
    }
    Ok(())
}

/// Puts back what a program that was killed has left half done.
pub fn recover(root: &Path) {
    for item in fs::read_dir(root).into_iter().flatten().flatten() {
        let stage = item.path();
        let is_one = item.file_name().to_string_lossy().starts_with(PREFIX);
        if !is_one || !item.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        let Ok(file) = File::open(stage.join(JOURNAL)) else { continue };
        // One that is locked is just being done.
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            continue;
        }
        let Ok(text) = fs::read_to_string(stage.join(JOURNAL)) else { continue };
        let Some(journal) = Journal::read(&text) else { continue };
        // A stranger's journal must not name what is elsewhere.
        let is_inside = journal.files.iter().all(|change| plain_path(root, &change.name).is_ok());
        if is_inside && put_back(root, &stage, &journal) {
            // What is left of it has no journal, and is not looked at again.
            let _ = fs::remove_dir_all(&stage);
        }
    }
}

fn write_new(new: &Path, contents: &Contents, like: &Path) -> io::Result<()> {
    let mut file = File::create_new(new)?;
    file.write_all(&contents.bytes)?;
    match like.metadata() {
        Ok(old) => fs::set_permissions(new, old.permissions())?,
        Err(_) if contents.executable => make_executable(new)?,
        Err(_) => {}
    }
    file.sync_all()
}

fn write_journal(path: &Path, journal: &Journal) -> io::Result<File> {
    let mut file = File::create_new(path)?;
    // Some file systems have no locks.
    let _ = file.try_lock();
    file.write_all(journal.written().as_bytes())?;
    file.sync_all()?;
    Ok(file)
}

fn put(root: &Path, stage: &Path, n: usize, change: &Move) -> io::Result<()> {
    let path = root.join(&change.name);
    if change.was {
        fs::rename(&path, stage.join(format!("old-{n}")))?;
    }
    if change.will {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::rename(stage.join(format!("new-{n}")), &path)?;
    }
    Ok(())
}

/// Puts back what was moved; false if a file could not be.
fn put_back(root: &Path, stage: &Path, journal: &Journal) -> bool {
    let mut is_back = true;
    for (n, change) in journal.files.iter().enumerate().rev() {
        let path = root.join(&change.name);
        let (old, new) = (stage.join(format!("old-{n}")), stage.join(format!("new-{n}")));
        if change.will && path.exists() && !new.exists() && (!change.was || old.exists()) {
            is_back &= fs::rename(&path, &new).is_ok();
        }
        if change.was && old.exists() {
            let _ = path.parent().map(fs::create_dir_all);
            is_back &= fs::rename(&old, &path).is_ok();
        }
        if !change.was {
            remove_empty(root, &path);
        }
    }
    is_back
}

/// Removes the folders of a file that is gone, if nothing else is in them.
fn remove_empty(root: &Path, path: &Path) {
    for folder in path.ancestors().skip(1).take_while(|folder| *folder != root && folder.starts_with(root)) {
        if fs::remove_dir(folder).is_err() {
            break;
        }
    }
}

#[cfg(unix)]
fn is_executable(data: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    data.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(name: &str, before: Option<&str>, after: Option<&str>) -> FileChange {
        let contents = |text: &str| Contents::plain(text.as_bytes().to_vec());
        FileChange { name: name.to_owned(), before: before.map(contents), after: after.map(contents) }
    }

    fn tree(root: &Path) -> Vec<(String, String)> {
        let files = walk(root).into_iter().map(|path| {
            let name = path.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        });
        files.collect()
    }

    fn walk(folder: &Path) -> Vec<PathBuf> {
        let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|item| item.unwrap().path()).collect();
        found.sort();
        found.into_iter().flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
    }

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/one"), "1").unwrap();
        fs::write(folder.path().join("two"), "2").unwrap();
        folder
    }

    #[test]
    fn all_files_are_written() {
        let folder = folder();
        let changes =
            [change("a/one", Some("1"), None), change("two", Some("2"), Some("22")), change("b/c", None, Some("3"))];
        write_together(folder.path(), &changes).unwrap();
        assert_eq!(tree(folder.path()), [("b/c".into(), "3".into()), ("two".into(), "22".into())]);
        assert!(!folder.path().join("a").exists());
    }

    #[test]
    fn none_is_written_if_one_cannot_be() {
        let folder = folder();
        let before = tree(folder.path());
        // A file is in the way of a folder.
        let changes = [change("a/one", Some("1"), Some("x")), change("two/c", None, Some("3"))];
        assert!(matches!(write_together(folder.path(), &changes), Err(TogetherError::Io(..))));
        assert_eq!(tree(folder.path()), before);
        let changes = [change("new", None, Some("x")), change("two", Some("another"), Some("3"))];
        assert!(matches!(write_together(folder.path(), &changes), Err(TogetherError::Changed(name)) if name == "two"));
        assert_eq!(tree(folder.path()), before);
    }

    #[test]
    fn names_that_lead_out_are_refused() {
        let folder = folder();
        for name in ["../x", "/x", "a/../../x", ""] {
            let refused = write_together(folder.path(), &[change(name, None, Some("x"))]);
            assert!(matches!(refused, Err(TogetherError::Outside(_))), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_over_a_link() {
        let (folder, other) = (folder(), tempfile::tempdir().unwrap());
        std::os::unix::fs::symlink(other.path(), folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink(folder.path().join("two"), folder.path().join("too")).unwrap();
        for name in ["link/x", "too"] {
            let refused = write_together(folder.path(), &[change(name, None, Some("x"))]);
            assert!(matches!(refused, Err(TogetherError::Outside(_))), "{name}");
        }
        assert_eq!(fs::read_dir(other.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_was_left_half_done_is_put_back() {
        for done in 0..=3 {
            let folder = folder();
            let before = tree(folder.path());
            let stage = folder.path().join(format!("{PREFIX}x"));
            fs::create_dir(&stage).unwrap();
            let files = vec![
                Move { name: "a/one".into(), was: true, will: false },
                Move { name: "two".into(), was: true, will: true },
                Move { name: "b/c".into(), was: false, will: true },
            ];
            fs::write(stage.join("new-1"), "22").unwrap();
            fs::write(stage.join("new-2"), "3").unwrap();
            let journal = Journal { files };
            drop(write_journal(&stage.join(JOURNAL), &journal).unwrap());
            for (n, change) in journal.files.iter().enumerate().take(done) {
                put(folder.path(), &stage, n, change).unwrap();
            }
            recover(folder.path());
            assert_eq!(tree(folder.path()), before, "{done} of them");
            assert!(!folder.path().join("b").exists());
        }
    }
}
