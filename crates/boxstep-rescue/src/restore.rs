//! Files and links that are put on a robot, below one folder of its disk.
//!
//! Nothing that is there is written over, and no link is followed on the way: a file whose place is taken is left, and so is
//! one that cannot be read here or there. A file gets its name when it is whole, and is read back; so what was cut goes on
//! when it is done again.

use crate::copy::Watch;
use crate::disk::{DiskError, DiskPath, Kind, Sink, WritableDisk};
use crate::temporary;
use boxstep_types::digest::{Digest, Digester};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;

/// What is put on a robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Its path below the folder, of bytes.
    pub path: Vec<u8>,
    /// What it is.
    pub content: Content,
}

/// What an [`Item`] is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A file of this computer, and its permissions on the robot.
    Here(PathBuf, u32),
    /// A file, its bytes and permissions.
    Bytes(Vec<u8>, u32),
    /// A link, and where it leads.
    Link(Vec<u8>),
}

/// What has become of items.
#[derive(Debug, Default)]
pub struct Restored {
    /// How many files and links were put there.
    pub put: usize,
    /// How many were there already, the same.
    pub before: usize,
    /// What was left, and why.
    pub left: Vec<(DiskPath, String)>,
    /// What somebody who was ended had left there, which was removed.
    pub removed: Vec<DiskPath>,
    /// What was made, in this order; [`undo`] removes it.
    made: Vec<Made>,
}

#[derive(Debug)]
enum Made {
    File(DiskPath),
    Folder(DiskPath),
}

/// Why items were not put on a robot to the last one.
#[derive(Debug)]
pub enum RestoreError {
    /// The robot is out of reach. What was put there stays, and is found there the next time.
    Lost(String),
    /// The robot has refused something: its path, and why.
    Refused(DiskPath, String),
    /// This computer has no random number.
    Here(io::Error),
    /// The one who watches has ended it.
    Ended,
}

impl std::fmt::Display for RestoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lost(why) => f.write_str(why),
            Self::Refused(path, why) => write!(f, "{}: {why}", path.text()),
            Self::Here(error) => error.fmt(f),
            Self::Ended => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RestoreError {}

/// The longest path of an item, in bytes.
const LONGEST: usize = 4096;

/// Puts items below a folder that is there. `restored` says what has become of them, also if it fails.
///
/// # Errors
/// Why it has ended before the last item.
pub fn restore(
    disk: &mut dyn WritableDisk,
    below: &DiskPath,
    items: &[Item],
    restored: &mut Restored,
    watch: &mut dyn Watch,
) -> Result<(), RestoreError> {
    let part = temporary::part().map_err(RestoreError::Here)?;
    let mut put = Put { disk, below, restored, watch, folders: HashSet::new(), part, swept: HashSet::new() };
    // Links come last, so that no file is written through one of them.
    let (links, files): (Vec<&Item>, _) = items.iter().partition(|item| matches!(item.content, Content::Link(_)));
    for item in files.into_iter().chain(links) {
        if put.watch.is_over() {
            return Err(RestoreError::Ended);
        }
        let path = DiskPath::new(&[put.below.bytes(), b"/", &item.path].concat());
        match put.item(item, &path) {
            Ok(()) => {}
            Err(Stop::Left(why)) => put.restored.left.push((path, why)),
            Err(Stop::All(error)) => return Err(error),
        }
    }
    Ok(())
}

/// Why an item was not put there.
enum Stop {
    /// The others go on.
    Left(String),
    All(RestoreError),
}

impl From<RestoreError> for Stop {
    fn from(error: RestoreError) -> Self {
        Self::All(error)
    }
}

/// What was not read: that is about one item, unless the robot is out of reach.
fn unread(why: DiskError) -> Stop {
    match why {
        DiskError::Lost(why) => Stop::All(RestoreError::Lost(why)),
        why => Stop::Left(why.to_string()),
    }
}

/// What was not written: the disk may be full, or this place is not ours.
fn unwritten(path: &DiskPath, why: DiskError) -> Stop {
    match why {
        DiskError::Denied(why) => Stop::Left(why),
        why => Stop::All(failed(path, why)),
    }
}

fn here(error: &io::Error) -> Stop {
    Stop::Left(format!("it cannot be read here: {error}"))
}

/// Removes what was made, the last first.
///
/// # Errors
/// What could not be removed, and why.
pub fn undo(disk: &mut dyn WritableDisk, restored: Restored) -> Result<(), RestoreError> {
    for made in restored.made.into_iter().rev() {
        let (path, removed) = match made {
            Made::File(path) => (path.clone(), disk.remove(&path)),
            Made::Folder(path) => (path.clone(), disk.remove_folder(&path)),
        };
        match removed {
            Ok(()) | Err(DiskError::Missing) => {}
            Err(why) => return Err(failed(&path, why)),
        }
    }
    Ok(())
}

fn failed(path: &DiskPath, why: DiskError) -> RestoreError {
    match why {
        DiskError::Lost(why) => RestoreError::Lost(why),
        why => RestoreError::Refused(path.clone(), why.to_string()),
    }
}

struct Put<'a> {
    disk: &'a mut dyn WritableDisk,
    below: &'a DiskPath,
    restored: &'a mut Restored,
    watch: &'a mut dyn Watch,
    /// The folders that are known to be folders.
    folders: HashSet<DiskPath>,
    /// The name of the file that is not whole yet, in the folder that it will be in.
    part: String,
    /// The folders in which nothing that others have left is any more.
    swept: HashSet<DiskPath>,
}

impl Put<'_> {
    fn item(&mut self, item: &Item, path: &DiskPath) -> Result<(), Stop> {
        let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
        if item.path.len() > LONGEST || !item.path.split(|byte| *byte == b'/').all(is_name) {
            return Err(Stop::Left("it is not a path below the folder".to_owned()));
        }
        self.watch.file(path);
        self.folder(&path.parent())?;
        let there = match self.disk.stat(path) {
            Ok(entry) => Some((entry.kind, entry.size)),
            Err(DiskError::Missing) => None,
            Err(why) => return Err(unread(why)),
        };
        let is_same = match (&item.content, there) {
            (Content::Link(target), None) => {
                self.disk.make_link(path, target).map_err(|why| unwritten(path, why))?;
                self.restored.made.push(Made::File(path.clone()));
                self.restored.put += 1;
                return Ok(());
            }
            (_, None) => return self.file(path, &item.content),
            (Content::Link(target), Some((Kind::Link, _))) => self.disk.link(path).map_err(unread)? == *target,
            (Content::Here(..) | Content::Bytes(..), Some((Kind::File, size))) => {
                let (length, digest) = item.content.digest().map_err(|error| here(&error))?;
                size == length && self.digest(path, length)? == digest
            }
            _ => false,
        };
        if is_same {
            self.restored.before += 1;
            self.watch.done(true);
            return Ok(());
        }
        Err(Stop::Left("something else is there already, and is not written over".to_owned()))
    }

    /// Makes a folder and those it is in, below the one that is there.
    fn folder(&mut self, folder: &DiskPath) -> Result<(), Stop> {
        if folder == self.below || self.folders.contains(folder) {
            return Ok(());
        }
        self.folder(&folder.parent())?;
        let way = |what: &str| Stop::Left(format!("{what} is on the way to it"));
        match self.disk.stat(folder) {
            Ok(entry) if entry.kind == Kind::Folder => {}
            Ok(entry) if entry.kind == Kind::Link => return Err(way("a link")),
            Ok(_) => return Err(way("something that is not a folder")),
            Err(DiskError::Missing) => {
                self.disk.make_folder(folder).map_err(|why| unwritten(folder, why))?;
                self.restored.made.push(Made::Folder(folder.clone()));
            }
            Err(why) => return Err(unread(why)),
        }
        self.folders.insert(folder.clone());
        Ok(())
    }

    fn file(&mut self, path: &DiskPath, content: &Content) -> Result<(), Stop> {
        let part = path.parent().join(self.part.as_bytes());
        let (written, sent, length) = {
            let (from, digester) = (content.open().map_err(|error| here(&error))?, Digester::default());
            let mut sent = Counted { from, digester, length: 0, watch: &mut *self.watch };
            (self.disk.put(&part, &mut sent), sent.digester.end(), sent.length)
        };
        match written {
            Ok(()) => {}
            Err(DiskError::Here(_)) if self.watch.is_over() => return Err(RestoreError::Ended.into()),
            Err(DiskError::Here(error)) => return Err(here(&error)),
            Err(why) => return Err(unwritten(path, why)),
        }
        let named = self.sweep(&part).and_then(|()| self.named(path, &part, content.mode(), (length, sent)));
        if let Err(Stop::Left(_) | Stop::All(RestoreError::Refused(..))) = named {
            // What stays of it is why it failed already.
            let _ = self.disk.remove(&part);
        }
        named?;
        self.restored.made.push(Made::File(path.clone()));
        self.restored.put += 1;
        self.watch.done(false);
        Ok(())
    }

    /// Removes what somebody who was ended has left in the folder of the file.
    fn sweep(&mut self, part: &DiskPath) -> Result<(), Stop> {
        if self.swept.insert(part.parent()) {
            match temporary::remove_left(self.disk, part) {
                Ok(removed) => self.restored.removed.extend(removed),
                Err(DiskError::Lost(why)) => return Err(RestoreError::Lost(why).into()),
                // It is somebody else's.
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Reads back what was written, and gives it its name.
    fn named(
        &mut self,
        path: &DiskPath,
        part: &DiskPath,
        mode: u32,
        (length, sent): (u64, Digest),
    ) -> Result<(), Stop> {
        if self.digest(part, length)? != sent {
            let why = "it has not arrived as it was sent".to_owned();
            return Err(RestoreError::Refused(path.clone(), why).into());
        }
        self.disk.set_mode(part, mode).map_err(|why| failed(path, why))?;
        Ok(self.disk.rename(part, path).map_err(|why| failed(path, why))?)
    }

    /// Returns the digest of a file there, of at most so many bytes.
    fn digest(&mut self, path: &DiskPath, most: u64) -> Result<Digest, Stop> {
        let mut digester = Digester::default();
        let mut add = |bytes: &[u8]| {
            digester.add(bytes);
            Ok(())
        };
        let add: &mut Sink<'_> = &mut add;
        self.disk.read(path, 0, most, add).map_err(unread)?;
        Ok(digester.end())
    }
}

impl Content {
    fn mode(&self) -> u32 {
        match self {
            Self::Here(_, mode) | Self::Bytes(_, mode) => *mode,
            Self::Link(_) => 0o777,
        }
    }

    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        match self {
            Self::Here(path, _) => Ok(Box::new(File::open(path)?)),
            Self::Bytes(bytes, _) => Ok(Box::new(&bytes[..])),
            Self::Link(_) => Ok(Box::new(io::empty())),
        }
    }

    fn digest(&self) -> io::Result<(u64, Digest)> {
        match self {
            Self::Here(path, _) => Ok((fs::metadata(path)?.len(), Digest::of_file(path)?)),
            Self::Bytes(bytes, _) | Self::Link(bytes) => Ok((bytes.len() as u64, Digest::of(bytes))),
        }
    }

    /// Returns how many bytes it has.
    ///
    /// # Errors
    /// Why a file of this computer cannot be read.
    pub fn size(&self) -> io::Result<u64> {
        match self {
            Self::Here(path, _) => Ok(fs::metadata(path)?.len()),
            Self::Bytes(bytes, _) | Self::Link(bytes) => Ok(bytes.len() as u64),
        }
    }
}

/// What is sent, with its digest.
struct Counted<'a> {
    from: Box<dyn Read + 'a>,
    digester: Digester,
    length: u64,
    watch: &'a mut dyn Watch,
}

impl Read for Counted<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_over() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.from.read(to)?;
        self.digester.add(&to[..n]);
        self.length += n as u64;
        self.watch.bytes(n as u64);
        Ok(n)
    }
}
