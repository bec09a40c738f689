//! Walks folders recursively.

use crate::failure::{Failure, system_message};
use boxstep_format::archive::{self, ArchiveKind};
use boxstep_format::project::is_apple_double;
use boxstep_format::split;
use std::io;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// Everything in a folder, sorted by name, without the extra files of macOS; and the folders that cannot be read.
pub(crate) struct Walked {
    pub(crate) items: Vec<DirEntry>,
    pub(crate) closed: Vec<Closed>,
}

/// A folder that cannot be read, and why.
pub(crate) struct Closed {
    pub(crate) folder: PathBuf,
    pub(crate) why: String,
}

impl Closed {
    pub(crate) fn failure(self) -> Failure {
        Failure::File(self.folder, self.why)
    }
}

pub(crate) fn walk(folder: &Path) -> Walked {
    let mut walked = Walked { items: Vec::new(), closed: Vec::new() };
    let own = |item: &DirEntry| item.depth() == 0 || !is_apple_double(&item.file_name().to_string_lossy());
    for item in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(own) {
        match item {
            Ok(item) => walked.items.push(item),
            Err(e) => {
                let place = e.path().unwrap_or(folder).to_owned();
                let why = e.io_error().map_or_else(|| e.to_string(), |e: &io::Error| system_message(e));
                walked.closed.push(Closed { folder: place, why });
            }
        }
    }
    walked
}

/// Returns whether an item is a file with the given extension, in upper or lower case.
pub(crate) fn is_file(item: &DirEntry, ending: &str) -> bool {
    item.file_type().is_file() && item.path().extension().is_some_and(|e| e.eq_ignore_ascii_case(ending))
}

/// What an item of a folder stands for, by its name and the names in it.
pub(crate) enum Stands {
    /// A behavior, or an archive.
    Behavior,
    /// A folder with a project file, which is the path. Everything in the folder belongs to it.
    Project(PathBuf),
}

/// Returns what an item stands for, if for anything. A `behavior.xar` does not stand for itself: its folder does.
pub(crate) fn stands(item: &DirEntry) -> Option<Stands> {
    let path = item.path();
    if item.file_type().is_dir() {
        if let Some(project) = project_in(path) {
            return Some(Stands::Project(project));
        }
        let is_behavior = path.join("behavior.xar").is_file() || split::root(&split::Dir(path)).is_some();
        return is_behavior.then_some(Stands::Behavior);
    }
    let is_xar = is_file(item, "xar") && !path.ends_with("behavior.xar");
    (is_xar || is_archive(item)).then_some(Stands::Behavior)
}

/// Returns whether an item is an archive of behaviors by its name. A zip may be anything, so its contents decide.
pub(crate) fn is_archive(item: &DirEntry) -> bool {
    match ArchiveKind::of_path(item.path()).filter(|_| item.file_type().is_file()) {
        Some(ArchiveKind::Zip) => archive::is_zip_of_behaviors(item.path()),
        kind => kind.is_some(),
    }
}

fn project_in(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.flatten().map(|e| e.path());
    files.filter(|p| p.extension().is_some_and(|e| e == "pml") && p.is_file()).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_looked_into_is_told_and_the_rest_is_found() {
        let missing = walk(Path::new("no/such/folder"));
        assert!(missing.items.is_empty());
        let told = missing.closed.into_iter().map(|closed| closed.failure().to_string()).collect::<Vec<_>>();
        assert_eq!(told, ["no/such/folder: no such file or directory"]);

        let here = walk(Path::new(env!("CARGO_MANIFEST_DIR")));
        assert!(here.closed.is_empty());
        let files = |ending: &str| here.items.iter().filter(|item| is_file(item, ending)).count();
        assert!(files("RS") == files("rs") && files("rs") > 20 && files("crg") == 0);
    }
}
