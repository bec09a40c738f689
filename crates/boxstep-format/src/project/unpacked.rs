//! The unpacked files of an archive, on the disk so that scripts and sounds can be opened by their paths.

use super::apple::is_apple_double;
use super::private::Private;
use crate::archive::Entry;
use crate::error::FormatError;
use crate::temporary::undisturbed;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The location of an archive's unpacked files.
#[derive(Clone, Debug)]
pub(super) struct Unpacked {
    /// The path of the archive.
    pub(super) archive: PathBuf,
    /// The folder with the unpacked files.
    pub(super) root: PathBuf,
    /// The only file has the archive's name in messages, because it did not come in an archive.
    pub(super) is_lone: bool,
    /// Removes the private folder when the last clone is dropped.
    pub(super) keeps: Option<Arc<Private>>,
}

/// Subfolders between the private folder and the unpacked files. A behavior's project is searched up to four levels up;
/// with these levels, the search stays inside the private folder and cannot find a foreign project.
const LEVELS: &str = "0/0/0";

/// Writes the files of an archive into a folder that only this user can access.
pub(super) fn unpack(archive: &Path, entries: &[Entry]) -> Result<Unpacked, FormatError> {
    let to = std::env::temp_dir();
    let write = || {
        let folder = Private::new(&to)?;
        // The path is resolved, so that it can be compared with other resolved paths.
        let stem = archive.file_stem().unwrap_or(archive.as_os_str()).to_string_lossy();
        // Not every system takes the `<` and `>` of a stream's name.
        let stem = stem.trim_matches(['<', '>']);
        let root = folder.inside().canonicalize()?.join(LEVELS).join(stem);
        undisturbed(|| fs::create_dir_all(&root))?;
        crate::output::write_entries(&root, entries)?;
        Ok(Unpacked { archive: archive.to_owned(), root, is_lone: false, keeps: Some(Arc::new(folder)) })
    };
    // A full disk is not the archive's fault, so the error names the folder.
    let blamed = |e: io::Error| io::Error::other(format!("its files cannot be put into {}: {e}", to.display()));
    write().map_err(|e| FormatError::unreadable(archive, &blamed(e)))
}

/// Returns the only item of a folder, if it is a folder.
pub(super) fn only_folder(folder: &Path) -> Option<PathBuf> {
    let items = fs::read_dir(folder).ok()?.flatten();
    let mut items = items.filter(|item| !is_apple_double(&item.file_name().to_string_lossy()));
    let only = items.next()?.path();
    (items.next().is_none() && only.is_dir()).then_some(only)
}

/// Returns the paths of all `.xar` files in a folder, with `/`, in order.
pub(super) fn boxes(root: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![String::new()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(root.join(&folder))? {
            let item = item?;
            let name = item.file_name().to_string_lossy().into_owned();
            if is_apple_double(&name) {
                continue;
            }
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            if item.file_type()?.is_dir() {
                folders.push(path);
            } else if path.to_ascii_lowercase().ends_with(".xar") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Returns the name of a box in a library: its path without `.xar`, and without the file's name if that is the same for
/// every box. Libraries write characters that file names cannot have as `%3a`.
pub(super) fn box_name(relative: &str) -> String {
    let path = relative.get(..relative.len().saturating_sub(4)).unwrap_or(relative);
    let path = match path.rsplit_once('/') {
        Some((folder, "behavior" | "box")) => folder,
        _ => path,
    };
    decoded(path)
}

/// Replaces each `%xx` by the byte it represents; returns the text unchanged if the result is not UTF-8.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let hex = after.get(..2).filter(|_| first == b'%').and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_are_named_by_their_place() {
        assert_eq!(box_name("Motions/Wave%3a left/behavior.xar"), "Motions/Wave: left");
        assert_eq!(box_name("Motions/Wave.xar"), "Motions/Wave");
        assert_eq!(box_name("Wave.xar"), "Wave");
        assert_eq!(decoded("100%"), "100%");
        assert_eq!(decoded("%zz%ff"), "%zz%ff");
    }
}
