//! The split folder: round trips, in three spellings.

mod canonical;
mod facts;
mod golden;
mod hostile;
mod original;
mod reading;
mod round;

use boxstep_format::split::Folder;
use boxstep_format::{Limits, XarFile, read_xar, split};
use std::path::{Path, PathBuf};

/// Reads a `.xar`; `None` if it cannot be read.
pub(crate) fn xar(bytes: &[u8]) -> Option<XarFile> {
    read_xar("behavior.xar", bytes, &Limits::default()).ok()
}

pub(crate) fn write(file: &XarFile) -> Folder {
    split::write(file, &Limits::default()).unwrap()
}

pub(crate) fn read(folder: &Folder) -> XarFile {
    split::read("folder", folder, &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Creates a folder from file names and texts.
pub(crate) fn folder(files: &[(&str, &str)]) -> Folder {
    files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

pub(crate) fn text<'f>(folder: &'f Folder, name: &str) -> &'f str {
    let bytes = folder.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", folder.keys()));
    std::str::from_utf8(bytes).unwrap()
}

/// Returns the codes and places of the findings that are more than notes.
pub(crate) fn findings(file: &XarFile) -> Vec<String> {
    let more = file.findings.iter().filter(|f| f.severity > boxstep_types::Severity::Note);
    more.map(|f| format!("{} {}", f.code.name, f.span.map(|s| file.sources.place(s)).unwrap_or_default())).collect()
}

/// Returns the available files of this kind: those in the repository, and others if they exist.
pub(crate) fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|e| e == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns a folder of files that are not part of this repository: named by a variable, or beside the repository.
pub(crate) fn shared(variable: &str, beside: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map_or(repository().join("../shared").join(beside), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: there is no folder {}", folder.display());
    None
}
