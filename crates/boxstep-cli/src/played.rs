//! Finds the file that a recording was made of, by the names and hashes of files in the header.

use crate::open;
use boxstep_engine::trace::Header;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// How many levels of folders are searched.
const DEPTH: usize = 6;

/// Returns the file or project that was played. It searches this folder and the recording's for the names in the
/// header, and below them for a file with the same contents.
///
/// # Errors
/// A sentence that says which file is missing.
pub(crate) fn file(recording: &Path) -> Result<PathBuf, String> {
    let here = PathBuf::from(".");
    // An unreadable recording is reported when it is played.
    let mut first = String::new();
    let read = boxstep_record::open(recording).ok().and_then(|mut lines| lines.read_line(&mut first).ok());
    let Some(header) = read.and_then(|_| serde_json::from_str::<Header>(&first).ok()) else { return Ok(here) };
    if header.files.is_empty() {
        return Err("the recording is of a robot on which no file was played (boxstep robot), so that nothing can be played again".to_owned());
    }
    let of_behavior = |(name, _): &&(String, String)| Path::new(name).extension().is_some_and(|e| e == "xar");
    let Some((name, hash)) = header.files.iter().find(of_behavior).or(header.files.first()) else { return Ok(here) };
    let name = Path::new(name);
    let beside = recording.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folders: Vec<&Path> = std::iter::once(&*here).chain(beside).collect();
    let is_same = |file: &Path| std::fs::read(file).is_ok_and(|bytes| open::sha256(&bytes) == *hash);
    let direct = || folders.iter().map(|folder| folder.join(name));
    let shown = |item: &DirEntry| item.depth() == 0 || !item.file_name().to_string_lossy().starts_with('.');
    let below = || {
        let walks = folders.iter().flat_map(|folder| {
            WalkDir::new(folder).max_depth(DEPTH).sort_by_file_name().into_iter().filter_entry(shown)
        });
        walks.filter_map(Result::ok).map(DirEntry::into_path).filter(|file| file.ends_with(name))
    };
    let found = direct().find(|file| is_same(file)).or_else(|| below().find(|file| is_same(file)));
    // A file that has changed since is the one to compare with.
    match found.or_else(|| direct().find(|file| file.is_file())) {
        Some(file) => Ok(project_of(&file, name)),
        None => Err(format!(
            "FILE is missing: the recording is of {}, which is neither in this folder or its subfolders nor beside the recording. \
             Usage: boxstep replay {} FILE",
            name.display(),
            recording.display()
        )),
    }
}

/// Returns the folder of the project that the file named `name` belongs to, or else the file.
fn project_of(file: &Path, name: &Path) -> PathBuf {
    let Some(folder) = file.ancestors().nth(name.components().count()) else { return file.to_owned() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let is_project = |name: &Path| {
        name.file_name().is_some_and(|name| name == "manifest.xml") || name.extension().is_some_and(|e| e == "pml")
    };
    let mut items = std::fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    if items.any(|item| is_project(&item.path())) { folder.to_owned() } else { file.to_owned() }
}
