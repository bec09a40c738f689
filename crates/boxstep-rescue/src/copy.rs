//! The copying of a disk into a folder, which goes on where it was cut.

mod links;

use crate::disk::{Disk, DiskError, DiskPath, Entry, Kind, too_long};
use crate::manifest::{Begun, Manifest, State, Taken};
use crate::name;
use crate::places::{self, Place};
use crate::temporary::is_temporary;
use boxstep_types::digest::{Digest, Digester};
use std::collections::{HashMap, HashSet};
use std::error::Error;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// What is taken at most: a robot that says more is broken, or not a robot.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Entries of one folder.
    pub folder: usize,
    /// Files, folders and links in total.
    pub entries: usize,
    /// Folders in each other.
    pub depth: usize,
    /// Bytes of one file.
    pub file: u64,
    /// Bytes in total.
    pub bytes: u64,
}

impl Default for Limits {
    /// The largest disk of a robot has 32 GB.
    fn default() -> Self {
        Self { folder: 200_000, entries: 1_000_000, depth: 64, file: 16 << 30, bytes: 64 << 30 }
    }
}

/// Who watches a rescue, and can end it.
pub trait Watch {
    /// So many files with so many bytes are to be taken. Those that are there already count, too.
    fn found(&mut self, files: usize, bytes: u64);
    /// A file is worked on.
    fn file(&mut self, path: &DiskPath);
    /// So many bytes of it are here from before.
    fn known(&mut self, bytes: u64);
    /// So many bytes of it have come.
    fn bytes(&mut self, bytes: u64);
    /// The file is here; it had been taken before, or came now.
    fn done(&mut self, before: bool);
    /// Returns whether the rescue is to end.
    fn is_over(&mut self) -> bool;
}

/// Why a rescue has ended before its end. It goes on from there if it is begun again.
#[derive(Debug)]
pub enum CopyError {
    /// The robot, or the disk, is out of reach.
    Lost(String),
    /// Something here cannot be written or read.
    Here(PathBuf, io::Error),
    /// There is no place on the disk that is known.
    NoPlaces,
    /// The one who watches has ended it.
    Ended,
}

impl fmt::Display for CopyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(why) => f.write_str(why),
            Self::Here(path, error) => write!(f, "{}: {error}", path.display()),
            Self::NoPlaces => f.write_str("it has none of the folders in which robots keep what people made"),
            Self::Ended => f.write_str("interrupted"),
        }
    }
}

impl Error for CopyError {}

/// What a rescue has done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Files that were taken, now or before.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files that had been taken before and have not changed.
    pub before: usize,
    /// Links.
    pub links: usize,
    /// What was not taken.
    pub left: usize,
    /// Where files were found, in the order in which they were taken.
    pub places: Vec<Place>,
}

/// A file that is to be taken.
struct Wanted {
    path: DiskPath,
    entry: Entry,
    /// Where it goes, in the folder of the rescue.
    file: String,
}

/// How much of the end of a file that was cut is read again, in bytes: what a computer that lost its power had not written.
pub const AGAIN: u64 = 1 << 20;
/// How often the link may break at a file before others come first; after twice as often it is left.
const PATIENCE: u32 = 3;
/// How many characters of a reason are kept.
const WORDS: usize = 500;
/// The longest path that is taken, in bytes.
const PATH: usize = 4096;
/// The suffix of a file that is not complete.
const PART: &str = ".part%";
/// The suffix of the beginning of a file whose end cannot be read.
const DAMAGED: &str = ".damaged%";
/// The ending of what was here before, with a number behind it.
const BEFORE: &str = ".before%";

/// Returns whether a file of a rescue is one that was set aside: an earlier version, or a beginning.
pub fn is_set_aside(file: &str) -> bool {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.ends_with(DAMAGED)
        || name.ends_with(PART)
        || name.rsplit_once(BEFORE).is_some_and(|(_, n)| n.parse::<u32>().is_ok())
}

/// What was listed of a disk. Whoever connects again after a cut keeps it, so that listing goes on, too.
#[derive(Debug, Default)]
pub struct Listed {
    folders: HashMap<DiskPath, Vec<Entry>>,
    links: HashMap<DiskPath, Vec<u8>>,
    /// How often the disk was lost while a file was read.
    cuts: HashMap<DiskPath, u32>,
}

impl Listed {
    /// Returns how many folders and links are known.
    pub fn count(&self) -> usize {
        self.folders.len() + self.links.len()
    }
}

/// Copies what is in the places of a disk into a folder. What is there from before, whole, is not taken again.
///
/// # Errors
/// Why it has ended before its end.
pub fn copy(
    disk: &mut dyn Disk,
    into: &Path,
    limits: Limits,
    listed: &mut Listed,
    watch: &mut dyn Watch,
) -> Result<Summary, CopyError> {
    let homes = match disk.homes() {
        Ok(homes) => homes,
        Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
        Err(_) => Vec::new(),
    };
    let places = places::places(&homes, &disk.roots());
    copy_places(disk, (places, places::left(&homes)), into, limits, listed, watch)
}

/// Copies one folder of a disk into a folder of that name; like [`copy`].
///
/// # Errors
/// Why it has ended before its end.
pub fn copy_folder(
    disk: &mut dyn Disk,
    path: &DiskPath,
    folder: &'static str,
    into: &Path,
    watch: &mut dyn Watch,
) -> Result<Summary, CopyError> {
    let place = Place { folder, what: "", path: path.clone() };
    // What an archive can hold.
    let limits = Limits { bytes: 512 << 20, ..Limits::default() };
    copy_places(disk, (vec![place], Vec::new()), into, limits, &mut Listed::default(), watch)
}

fn copy_places(
    disk: &mut dyn Disk,
    (places, left): (Vec<Place>, Vec<DiskPath>),
    into: &Path,
    limits: Limits,
    listed: &mut Listed,
    watch: &mut dyn Watch,
) -> Result<Summary, CopyError> {
    private(into).map_err(|error| CopyError::Here(into.to_owned(), error))?;
    let manifest = Manifest::open(into).map_err(|error| CopyError::Here(into.join(crate::manifest::FILE), error))?;
    let mut copy = Copy {
        disk,
        into,
        limits,
        listed,
        watch,
        manifest,
        summary: Summary::default(),
        entries: 0,
        names: HashSet::new(),
        left: HashSet::new(),
    };
    let mut wanted = copy.list(places, left)?;
    // What breaks the link each time must not keep the others there.
    wanted.sort_by_key(|one| copy.listed.cuts.get(&one.path).is_some_and(|cuts| *cuts >= PATIENCE));
    copy.watch.found(wanted.len(), wanted.iter().fold(0, |sum: u64, one| sum.saturating_add(one.entry.size)));
    for one in wanted {
        copy.take(&one)?;
    }
    Ok(copy.summary)
}

struct Copy<'a> {
    disk: &'a mut dyn Disk,
    into: &'a Path,
    limits: Limits,
    listed: &'a mut Listed,
    watch: &'a mut dyn Watch,
    manifest: Manifest,
    summary: Summary,
    entries: usize,
    /// The names of files here, as [`name::key`] has them.
    names: HashSet<String>,
    /// What is listed as not taken, once for a path.
    left: HashSet<DiskPath>,
}

impl Copy<'_> {
    /// Lists all places.
    fn list(&mut self, places: Vec<Place>, left: Vec<DiskPath>) -> Result<Vec<Wanted>, CopyError> {
        let mut apart: HashSet<DiskPath> = places.iter().map(|place| place.path.clone()).chain(left).collect();
        let mut wanted = Vec::new();
        for place in places {
            let before = wanted.len() + self.summary.links + self.summary.left;
            let mut place = place;
            let entries = match self.entries_of(&place.path, true)? {
                Some(entries) => entries,
                None if self.disk.follows_links() => continue,
                None => match self.led_to(&place.path)? {
                    // What is a place itself is taken as that.
                    Some((path, entries)) if apart.insert(path.clone()) => {
                        place.path = path;
                        entries
                    }
                    Some(_) | None => continue,
                },
            };
            let folder = name::local(place.folder.as_bytes());
            self.walk(&place.path, entries, (&folder, 0), &apart, &mut wanted)?;
            if wanted.len() + self.summary.links + self.summary.left > before {
                self.summary.places.push(place);
            }
        }
        if self.summary.places.is_empty() { Err(CopyError::NoPlaces) } else { Ok(wanted) }
    }

    /// Returns what a folder has, in the order of the names; a folder that cannot be listed is left.
    fn entries_of(&mut self, path: &DiskPath, may_be_missing: bool) -> Result<Option<Vec<Entry>>, CopyError> {
        if self.watch.is_over() {
            return Err(CopyError::Ended);
        }
        if let Some(entries) = self.listed.folders.get(path) {
            return Ok(Some(entries.clone()));
        }
        match self.disk.list(path, self.limits.folder) {
            Ok(mut entries) => {
                entries.sort_by(|a, b| a.name.cmp(&b.name));
                self.listed.folders.insert(path.clone(), entries.clone());
                Ok(Some(entries))
            }
            Err(DiskError::Lost(why)) => Err(CopyError::Lost(why)),
            Err(DiskError::Missing) if may_be_missing => Ok(None),
            Err(why) => self.leave(path, why.to_string()).map(|()| None),
        }
    }

    fn link(&mut self, path: &DiskPath) -> Result<Vec<u8>, DiskError> {
        if let Some(target) = self.listed.links.get(path) {
            return Ok(target.clone());
        }
        let target = self.disk.link(path)?;
        self.listed.links.insert(path.clone(), target.clone());
        Ok(target)
    }

    fn walk(
        &mut self,
        folder: &DiskPath,
        entries: Vec<Entry>,
        (local, depth): (&str, usize),
        apart: &HashSet<DiskPath>,
        wanted: &mut Vec<Wanted>,
    ) -> Result<(), CopyError> {
        let mut last: Option<Vec<u8>> = None;
        for entry in entries {
            let path = folder.join(&entry.name);
            self.entries += 1;
            if self.entries > self.limits.entries {
                return self.leave(&path, format!("the disk has more than {} files and folders", self.limits.entries));
            }
            let refused = match &entry.name[..] {
                b"" | b"." | b".." => Some("it is not the name of a file"),
                name if name.contains(&b'/') || name.contains(&0) => Some("it is not the name of a file"),
                name if last.as_deref() == Some(name) => Some("it is listed twice"),
                _ if path.bytes().len() > PATH => Some("its path is too long"),
                _ => None,
            };
            last = Some(entry.name.clone());
            if let Some(why) = refused {
                // The manifest has lines of a limited length.
                let path = if path.bytes().len() > PATH { folder.clone() } else { path };
                self.leave(&path, why.to_owned())?;
                continue;
            }
            match entry.kind {
                // Somebody was sending it to the robot.
                Kind::File if is_temporary(&entry.name) => {}
                // It is a place of its own, or nobody's work.
                Kind::Folder if apart.contains(&path) => {}
                Kind::Folder if depth == self.limits.depth => {
                    self.leave(&path, format!("there are more than {depth} folders in each other"))?;
                }
                Kind::Folder => {
                    let Some(inner) = self.entries_of(&path, false)? else { continue };
                    let local = self.local(local, &entry.name, &path);
                    self.walk(&path, inner, (&local, depth + 1), apart, wanted)?;
                }
                Kind::File => {
                    let file = self.local(local, &entry.name, &path);
                    wanted.push(Wanted { path, entry, file });
                }
                Kind::Link => match self.link(&path) {
                    Ok(target) if target.len() > PATH => self.leave(&path, "it leads too far".to_owned())?,
                    Ok(target) => {
                        self.summary.links += 1;
                        self.write(path.text(), State::Link(name::text(&target)))?;
                    }
                    Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
                    Err(why) => self.leave(&path, why.to_string())?,
                },
                Kind::Other => self.leave(&path, "it is a socket, a pipe or a device".to_owned())?,
            }
        }
        Ok(())
    }

    /// Returns the path here of a file or a folder. It is the same in each rescue of the same disk, and no other file has
    /// it, also where upper and lower case are the same.
    fn local(&mut self, folder: &str, name: &[u8], path: &DiskPath) -> String {
        let mut local = name::local(name);
        if !self.names.insert(name::key(&format!("{folder}/{local}"))) {
            local = name::another(&local, path.bytes());
        }
        format!("{folder}/{local}")
    }

    fn leave(&mut self, path: &DiskPath, why: String) -> Result<(), CopyError> {
        let why = why.chars().take(WORDS).collect();
        if self.left.insert(path.clone()) {
            self.summary.left += 1;
        }
        self.write(path.text(), State::Left(why))
    }

    fn write(&mut self, path: String, state: State) -> Result<(), CopyError> {
        let to = || self.into.join(crate::manifest::FILE);
        self.manifest.add(path, state).map_err(|error| CopyError::Here(to(), error))
    }

    /// Takes a file, unless it is there already.
    fn take(&mut self, wanted: &Wanted) -> Result<(), CopyError> {
        if self.watch.is_over() {
            return Err(CopyError::Ended);
        }
        self.watch.file(&wanted.path);
        let here = self.into.join(&wanted.file);
        let text = wanted.path.text();
        if let Some(State::Taken(taken)) = self.manifest.items().get(&text)
            && taken.file == wanted.file
            && taken.modified == wanted.entry.modified
            && (taken.size == wanted.entry.size || taken.remark.is_some())
            && fs::metadata(&here).is_ok_and(|metadata| metadata.len() == taken.size)
            && Digest::of_file(&here).is_ok_and(|digest| digest == taken.sha256)
        {
            self.summary.files += 1;
            self.summary.before += 1;
            self.summary.bytes += taken.size;
            self.watch.known(taken.size);
            self.watch.done(true);
            return Ok(());
        }
        if self.summary.bytes.saturating_add(wanted.entry.size) > self.limits.bytes {
            return self.leave(&wanted.path, format!("more than {} bytes would be taken", self.limits.bytes));
        }
        if wanted.entry.size > self.limits.file {
            return self.leave(&wanted.path, too_long(self.limits.file).to_string());
        }
        if self.listed.cuts.get(&wanted.path).is_some_and(|cuts| *cuts >= 2 * PATIENCE) {
            return self.leave(&wanted.path, "the connection breaks each time that it is read".to_owned());
        }
        let fetched = match here.parent().map_or(Ok(()), fs::create_dir_all) {
            Ok(()) => self.fetch(wanted, &here, text),
            Err(error) => Err(CopyError::Here(here.clone(), error)),
        };
        match fetched {
            Ok(Some(taken)) => {
                self.summary.files += 1;
                self.summary.bytes += taken.size;
                self.write(wanted.path.text(), State::Taken(taken))?;
                self.watch.done(false);
                Ok(())
            }
            Ok(None) => Ok(()),
            // This file cannot be here; others can.
            Err(CopyError::Here(_, error)) if is_about_one(&error) => {
                self.leave(&wanted.path, format!("it cannot be written here: {error}"))
            }
            Err(CopyError::Lost(why)) => {
                *self.listed.cuts.entry(wanted.path.clone()).or_default() += 1;
                Err(CopyError::Lost(why))
            }
            Err(error) => Err(error),
        }
    }

    /// Brings a file. Returns `None` if it was left.
    fn fetch(&mut self, wanted: &Wanted, here: &Path, text: String) -> Result<Option<Taken>, CopyError> {
        let Entry { mut size, mut modified, mut mode, .. } = wanted.entry;
        let part = with_ending(here, PART);
        let failed = |error| CopyError::Here(part.clone(), error);
        let known = self.manifest.items().get(&text).cloned();
        let begun = |size, modified| Begun { file: wanted.file.clone(), size, modified };
        let held = fs::metadata(&part).map_or(0, |metadata| metadata.len());
        let mut from = if known == Some(State::Begun(begun(size, modified))) { held.saturating_sub(AGAIN) } else { 0 };
        if from > 0 {
            // It was listed before the cut; a beginning of before does not belong to an end of now.
            match self.disk.stat(&wanted.path) {
                Ok(now) if (now.size, now.modified) == (size, modified) => {}
                Ok(now) => (from, size, modified, mode) = (0, now.size, now.modified, now.mode),
                Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
                Err(why) => return self.leave(&wanted.path, why.to_string()).map(|()| None),
            }
        }
        self.write(text, State::Begun(begun(size, modified)))?;
        let mut digester = Digester::default();
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part).map_err(failed)?;
        file.set_len(from).map_err(failed)?;
        digest_of(&mut file, &mut digester).map_err(failed)?;
        self.watch.known(from);
        let (mut written, watch) = (from, &mut *self.watch);
        let mut ended = false;
        let read = self.disk.read(&wanted.path, from, self.limits.file.saturating_sub(from), &mut |bytes: &[u8]| {
            ended = watch.is_over();
            if ended {
                return Err(io::ErrorKind::Interrupted.into());
            }
            file.write_all(bytes)?;
            digester.add(bytes);
            written += bytes.len() as u64;
            watch.bytes(bytes.len() as u64);
            Ok(())
        });
        match read {
            Ok(()) => {}
            Err(DiskError::Here(_)) if ended => return Err(CopyError::Ended),
            Err(DiskError::Here(error)) => return Err(failed(error)),
            Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
            Err(why @ (DiskError::Missing | DiskError::Refused(_) | DiskError::Denied(_))) => {
                drop(file);
                // A part of it is more than nothing.
                let (kept, why) = match written {
                    0 => (fs::remove_file(&part), why.to_string()),
                    _ => (fs::rename(&part, with_ending(here, DAMAGED)), format!("{why}; its beginning is here")),
                };
                kept.map_err(failed)?;
                return self.leave(&wanted.path, why).map(|()| None);
            }
        }
        drop(file);
        let now = match self.disk.stat(&wanted.path) {
            Ok(now) => Some((now.size, now.modified)),
            Err(DiskError::Lost(why)) => return Err(CopyError::Lost(why)),
            Err(_) => None,
        };
        let remark = if now != Some((size, modified)) {
            Some("it changed while it was read".to_owned())
        } else {
            (written != size).then(|| format!("the robot said that it has {size} bytes"))
        };
        set_aside(here, &known, written).map_err(failed)?;
        // What a computer that loses its power now has not written is seen by its digest, the next time.
        fs::rename(&part, here).map_err(failed)?;
        Ok(Some(Taken { file: wanted.file.clone(), size: written, modified, mode, sha256: digester.end(), remark }))
    }
}

/// Returns the path with an ending, which no name of a file here has: after its `%` stand no digits.
fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(ending);
    path.into()
}

/// Gives the file another name that is to be replaced, if somebody has changed it here, or if the new one is shorter.
fn set_aside(here: &Path, known: &Option<State>, size: u64) -> io::Result<()> {
    let Ok(metadata) = fs::symlink_metadata(here) else { return Ok(()) };
    let is_ours = match known {
        Some(State::Taken(taken)) => Digest::of_file(here).is_ok_and(|digest| digest == taken.sha256),
        _ => false,
    };
    if !metadata.is_file() || (is_ours && metadata.len() <= size) {
        return Ok(());
    }
    for number in 1.. {
        let aside = with_ending(here, &format!("{BEFORE}{number}"));
        if fs::symlink_metadata(&aside).is_err() {
            return fs::rename(here, aside);
        }
    }
    Ok(())
}

/// Returns whether an error of writing is about one file: its name, its place, its size.
fn is_about_one(error: &io::Error) -> bool {
    use io::ErrorKind::{AlreadyExists, FileTooLarge, InvalidFilename, IsADirectory, NotADirectory, PermissionDenied};
    matches!(
        error.kind(),
        AlreadyExists | FileTooLarge | InvalidFilename | IsADirectory | NotADirectory | PermissionDenied
    )
}

/// Creates a folder; a new one only its owner may look into, as it gets what is private on the robot.
///
/// # Errors
/// Why it cannot be created.
pub fn private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    #[cfg(unix)]
    fs::set_permissions(folder, std::os::unix::fs::PermissionsExt::from_mode(0o700))?;
    Ok(())
}

/// Reads a file from its beginning to its end.
fn digest_of(file: &mut File, digester: &mut Digester) -> io::Result<()> {
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            n => digester.add(&buffer[..n]),
        }
    }
}
