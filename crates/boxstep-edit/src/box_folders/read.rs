//! Reading of folders of boxes.

use super::{BoxFolder, BoxFolders, FolderBox, FolderContent, needs};
use boxstep_format::project::{self, Behavior};
use boxstep_format::{Limits, XarFile, read_xar};
use std::fs::{self, DirEntry};
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

/// The most boxes of all folders, the most items that are looked at, and how deep folders are inside each other.
const MOST_BOXES: usize = 500;
const MOST_SEEN: usize = 5000;
const DEEPEST: usize = 4;
/// The longest file of a box, and the longest library, in bytes.
const LONGEST: usize = 1 << 20;
const LONGEST_LIBRARY: u64 = 8 << 20;
/// The most bytes that are read of all folders.
const MOST_BYTES: u64 = 64 << 20;
/// What separates the file of a library and the name of a box in it.
const IN_LIBRARY: char = '\n';

fn limits() -> Limits {
    let mut limits = Limits { bytes: LONGEST, ..Limits::default() };
    limits.archive.bytes = LONGEST_LIBRARY;
    limits
}

/// What is read, and what is left of the limits.
struct Reading<'a> {
    box_folder: &'a BoxFolder,
    number: usize,
    spent: Spent,
    content: FolderContent,
}

/// What the folders have cost so far: items that were looked at, boxes whether they could be read or not, and bytes.
#[derive(Clone, Copy, Default)]
struct Spent {
    seen: usize,
    boxes: usize,
    bytes: u64,
}

impl BoxFolders {
    /// Returns what is in the folders. Folders that do not exist are empty.
    pub fn content(&self) -> FolderContent {
        let mut content = FolderContent::default();
        let mut spent = Spent::default();
        for (number, box_folder) in self.0.iter().enumerate() {
            let mut reading = Reading { box_folder, number, spent, content };
            reading.folder("", DEEPEST);
            (spent, content) = (reading.spent, reading.content);
        }
        content
    }

    /// Returns the box of this name, as [`text`](Self::text) does: of the first folder that has one.
    ///
    /// # Errors
    /// A sentence: its file cannot be read.
    pub fn named(&self, name: &str) -> Option<Result<String, String>> {
        let content = self.content();
        let found = content.boxes.iter().find(|one| one.name == name)?;
        Some(self.text(&found.key))
    }

    /// Returns the text of the box with a key.
    ///
    /// # Errors
    /// A sentence: there is no such box any more, or its file cannot be read.
    pub fn text(&self, key: &str) -> Result<String, String> {
        let gone = || "this box is not in its folder any more".to_owned();
        let (number, path) = key.split_once('/').ok_or_else(gone)?;
        let box_folder = number.parse::<usize>().ok().and_then(|number| self.0.get(number)).ok_or_else(gone)?;
        let (path, inner) = path.split_once(IN_LIBRARY).map_or((path, None), |(path, inner)| (path, Some(inner)));
        let file = inside(&box_folder.folder, path).ok_or_else(gone)?;
        let read = match inner {
            None => read_box(&file, path),
            Some(name) => {
                let opened = project::open(&file, &limits()).map_err(|e| e.to_string())?;
                let found = opened.behaviors.iter().find(|one| one.name == name).ok_or_else(gone)?;
                found.read(&limits()).map_err(|e| e.to_string())
            }
        };
        read.map(|file| file.text().to_owned())
    }
}

/// Returns a file of a folder, unless a link leads to it.
fn inside(folder: &Path, path: &str) -> Option<PathBuf> {
    let relative = Path::new(path);
    if path.contains(['\\', '\0']) || !relative.components().all(|part| matches!(part, Component::Normal(_))) {
        return None;
    }
    let wanted = folder.canonicalize().ok()?.join(relative);
    let file = wanted.canonicalize().ok()?;
    (file == wanted && file.is_file()).then_some(file)
}

fn read_box(file: &Path, shown: &str) -> Result<XarFile, String> {
    let opened = fs::File::open(file).map_err(|e| e.to_string())?;
    let mut bytes = Vec::new();
    opened.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    if bytes.len() > LONGEST {
        return Err(format!("it is longer than {} KiB", LONGEST >> 10));
    }
    read_xar(shown, &bytes, &limits()).map_err(|e| e.to_string())
}

fn has_ending(path: &str, ending: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(stem, known)| !stem.is_empty() && known.eq_ignore_ascii_case(ending))
}

impl Reading<'_> {
    fn folder(&mut self, path: &str, deep: usize) {
        let Ok(entries) = fs::read_dir(self.box_folder.folder.join(path)) else { return };
        let mut entries: Vec<DirEntry> = entries.filter_map(Result::ok).take(MOST_SEEN - self.spent.seen).collect();
        self.spent.seen += entries.len();
        entries.sort_by_key(DirEntry::file_name);
        let mut folders = Vec::new();
        for entry in entries {
            let (Ok(kind), Ok(name)) = (entry.file_type(), entry.file_name().into_string()) else { continue };
            if name.starts_with('.') {
                continue;
            }
            let path = if path.is_empty() { name } else { format!("{path}/{name}") };
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() && has_ending(&path, "xar") {
                self.file(&path);
            } else if kind.is_file() && has_ending(&path, "cbl") {
                self.library(&path);
            }
        }
        for path in folders.into_iter().filter(|_| deep > 0) {
            self.folder(&path, deep - 1);
        }
    }

    /// Whether one more box, or a file of this length, is within the limits.
    fn has_room(&mut self, boxes: usize, file: Option<&Path>) -> bool {
        self.spent.boxes += boxes;
        self.spent.bytes += file.and_then(|file| file.metadata().ok()).map_or(0, |data| data.len());
        if self.spent.boxes <= MOST_BOXES && self.spent.bytes <= MOST_BYTES {
            return true;
        }
        let why = format!("only the first {MOST_BOXES} boxes and {} MiB of these folders are read", MOST_BYTES >> 20);
        if self.content.unread.last() != Some(&why) {
            self.content.unread.push(why);
        }
        false
    }

    fn file(&mut self, path: &str) {
        let file = self.box_folder.folder.join(path);
        if !self.has_room(1, Some(&file)) {
            return;
        }
        match read_box(&file, path) {
            Ok(read) => {
                let stem = path.get(..path.len() - 4).unwrap_or(path);
                let place = match stem.rsplit_once('/') {
                    Some((folder, "behavior" | "box")) => folder,
                    _ => stem,
                };
                self.add(path.to_owned(), place, &read);
            }
            Err(why) => self.content.unread.push(format!("{}: {why}", file.display())),
        }
    }

    fn library(&mut self, path: &str) {
        let file = self.box_folder.folder.join(path);
        // A small one may have much in it.
        self.spent.bytes += LONGEST as u64;
        if !self.has_room(0, Some(&file)) {
            return;
        }
        match project::open(&file, &limits()) {
            Ok(opened) => {
                let of = path.get(..path.len() - 4).unwrap_or(path);
                for one in &opened.behaviors {
                    self.of_library(path, of, one);
                }
            }
            Err(e) => self.content.unread.push(format!("{}: {e}", file.display())),
        }
    }

    fn of_library(&mut self, path: &str, of: &str, one: &Behavior) {
        if !self.has_room(1, None) {
            return;
        }
        match one.read(&limits()) {
            Ok(read) => self.add(format!("{path}{IN_LIBRARY}{}", one.name), &format!("{of}/{}", one.name), &read),
            Err(e) => {
                let file = self.box_folder.folder.join(path);
                self.content.unread.push(format!("{}: {}: {e}", file.display(), one.name));
            }
        }
    }

    /// Adds a box that is at a place of the folder.
    fn add(&mut self, path: String, place: &str, read: &XarFile) {
        let root = &read.project.root;
        let (folder, file) = place.rsplit_once('/').map_or((None, place), |(folder, file)| (Some(folder), file));
        // The root of a behavior has no name of its own.
        let name = if matches!(&*root.name, "" | "root") { file.to_owned() } else { root.name.to_string() };
        let group =
            folder.map_or_else(|| self.box_folder.name.clone(), |folder| format!("{}/{folder}", self.box_folder.name));
        let kind = match &root.timeline {
            Some(timeline) if timeline.enabled => "Timeline",
            Some(_) => "Diagram",
            None => "Script",
        };
        let key = format!("{}/{path}", self.number);
        let about = root.tooltip.clone();
        self.content.boxes.push(FolderBox { key, name, group, about, needs: needs(read), kind });
    }
}
