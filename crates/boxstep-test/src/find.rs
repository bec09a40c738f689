//! Finds test files.

use std::io;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// The ending of the names of test files.
pub const ENDING: &str = ".test.toml";

/// Returns the test files in a folder and its subfolders, sorted by path; if `deep` is false, only those directly in
/// the folder. Hidden folders, `target` and `node_modules` are skipped.
///
/// # Errors
/// A folder that cannot be read.
pub fn find(folder: &Path, deep: bool) -> io::Result<Vec<PathBuf>> {
    let wanted = |entry: &DirEntry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0
            || !entry.file_type().is_dir()
            || (!name.starts_with('.') && !matches!(&*name, "target" | "node_modules"))
    };
    let walk = WalkDir::new(folder).sort_by_file_name().max_depth(if deep { usize::MAX } else { 1 });
    let mut files = Vec::new();
    for entry in walk.into_iter().filter_entry(wanted) {
        let entry = entry?;
        if !entry.file_type().is_dir() && entry.file_name().to_string_lossy().ends_with(ENDING) {
            // Omit the leading `./`, which nobody would write.
            files.push(entry.path().strip_prefix(".").unwrap_or(entry.path()).to_owned());
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_files_and_nothing_else_are_found() {
        let folder = std::env::temp_dir().join(format!("boxstep-find-{}", std::process::id()));
        for file in ["b/x.test.toml", "a.test.toml", ".git/y.test.toml", "target/z.test.toml", "b/x.toml"] {
            let path = folder.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let names = |deep| {
            let found = find(&folder, deep).unwrap();
            found
                .iter()
                .map(|p| p.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/"))
                .collect::<Vec<_>>()
        };
        assert_eq!(names(true), ["a.test.toml", "b/x.test.toml"]);
        assert_eq!(names(false), ["a.test.toml"]);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(find(&folder, true).is_err());
    }
}
