//! Walks folders recursively.

use crate::failure::{Failure, system_message};
use boxstep_format::project::is_apple_double;
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
