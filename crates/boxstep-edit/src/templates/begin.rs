//! Begins new files in a folder: names that every file system takes, and nothing that is there is replaced.

use super::{BEHAVIOR, CHARACTER, TEST, dialog, filled, topic, topic_name};
use boxstep_format::archive::Entry;
use boxstep_format::output::{OutputFolder, write_file};
use boxstep_format::project::inside;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What can be begun in a folder of its own.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Begun {
    /// An empty behavior.
    Behavior,
    /// A dialog with a topic that has one rule.
    Dialog,
    /// A character with one behavior.
    Character,
}

/// Why nothing can be begun. Nothing has been written then.
#[derive(Debug)]
pub enum NewError {
    /// The name cannot be that of a file, and why.
    Name(String, &'static str),
    /// Something of this name is there.
    Taken(String),
    /// The place is not in the folder.
    Outside(String),
    /// It cannot be written.
    Io(PathBuf, io::Error),
}

impl fmt::Display for NewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NewError::Name(name, why) => write!(f, "`{name}` cannot be a name: {why}"),
            NewError::Taken(name) => write!(f, "`{name}` is there already; choose another name"),
            NewError::Outside(place) => write!(f, "{place} is not in the folder"),
            NewError::Io(path, e) => write!(f, "{}: {e}", path.display()),
        }
    }
}

impl std::error::Error for NewError {}

const LONGEST: usize = 64;

/// What Windows takes for devices, whatever the ending.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// Accepts names that every file system takes and that are the same on all of them.
///
/// # Errors
/// [`NewError::Name`].
pub fn check_name(name: &str) -> Result<(), NewError> {
    let wrong = |why| Err(NewError::Name(name.chars().take(LONGEST).collect(), why));
    if name.is_empty() {
        return wrong("it is empty");
    }
    if name.len() > LONGEST {
        return wrong("it is longer than 64 bytes");
    }
    if !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ')) {
        return wrong("it may have letters, digits, blanks, `-` and `_`");
    }
    if !name.starts_with(char::is_alphanumeric) || name.ends_with(' ') {
        return wrong("it begins with a letter or digit, and ends without a blank");
    }
    let lower = name.to_lowercase();
    let device = lower.trim_end_matches(|c: char| c.is_ascii_digit());
    if DEVICES.contains(&device) && lower.len() - device.len() <= 1 {
        return wrong("Windows has a device of this name");
    }
    Ok(())
}

/// Begins something in a folder, completely or not at all, and returns its file.
///
/// # Errors
/// The name is none, or taken, or the folder cannot be written.
pub fn begin(folder: &Path, what: Begun, name: &str) -> Result<PathBuf, NewError> {
    check_name(name)?;
    is_free(folder, name)?;
    let files = match what {
        Begun::Behavior => vec![("behavior.xar".to_owned(), BEHAVIOR.to_owned())],
        Begun::Character => vec![("character.yaml".to_owned(), filled(CHARACTER, &[("@NAME@", name)]))],
        Begun::Dialog => {
            let (topic_name, file) = (topic_name(name), format!("{name}_enu.top"));
            let text = topic(&topic_name, "enu");
            vec![(format!("{name}.dlg"), dialog(&topic_name, &[("enu".to_owned(), file.clone())])), (file, text)]
        }
    };
    let target = folder.join(name);
    let failed = |e: io::Error| match e.kind() {
        io::ErrorKind::AlreadyExists => NewError::Taken(name.to_owned()),
        _ => NewError::Io(target.clone(), e),
    };
    let mut made = OutputFolder::new(&target, false).map_err(failed)?;
    for (name, text) in &files {
        let entry = Entry { name: name.clone(), bytes: text.clone().into_bytes(), executable: false };
        made.add(&entry).map_err(failed)?;
    }
    made.finish().map_err(failed)?;
    Ok(target.join(files.into_iter().next().map(|(name, _)| name).unwrap_or_default()))
}

/// Begins a test of a file, beside it. `of` is relative to the folder.
///
/// # Errors
/// As [`begin`]; or the file is not in the folder.
pub fn begin_test(folder: &Path, of: &str, name: &str) -> Result<PathBuf, NewError> {
    check_name(name)?;
    let file = inside(folder, "", of).map_err(|_| NewError::Outside(of.to_owned()))?;
    let (Some(beside), Some(tested)) = (file.parent(), file.file_name().and_then(|name| name.to_str())) else {
        return Err(NewError::Outside(of.to_owned()));
    };
    let own = format!("{name}.test.toml");
    is_free(beside, &own)?;
    // A file's name may have anything but a line end, which TOML writes like JSON.
    let quoted = serde_json::to_string(tested).unwrap_or_default();
    let text = filled(TEST, &[("\"@FILE@\"", &quoted), ("@NAME@", name)]);
    let path = beside.join(own);
    write_file(&path, text.as_bytes(), false).map_err(|e| NewError::Io(path.clone(), e))?;
    Ok(path)
}

/// Whether nothing has this name, in upper or lower case: other file systems do not tell them apart.
fn is_free(folder: &Path, name: &str) -> Result<(), NewError> {
    let failed = |e| NewError::Io(folder.to_owned(), e);
    let lower = name.to_lowercase();
    for item in std::fs::read_dir(folder).map_err(failed)? {
        let there = item.map_err(failed)?.file_name();
        if there.to_string_lossy().to_lowercase() == lower {
            return Err(NewError::Taken(there.to_string_lossy().into_owned()));
        }
    }
    Ok(())
}
