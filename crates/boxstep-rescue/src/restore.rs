//! Files and links that are put on a robot, below one folder of its disk.
//!
//! Nothing that is there is written over, and no link is followed on the way: a file whose place is taken is left. A file
//! gets its name when it is whole, and is read back; so what was cut goes on when it is done again.

use crate::copy::Watch;
use crate::disk::{DiskError, DiskPath, Kind, Sink, WritableDisk};
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
    /// A file of this computer cannot be read.
    Here(PathBuf, io::Error),
    /// The one who watches has ended it.
    Ended,
}

impl std::fmt::Display for RestoreError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Lost(why) => f.write_str(why),
            Self::Refused(path, why) => write!(f, "{}: {why}", path.text()),
            Self::Here(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Ended => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for RestoreError {}

/// The name of a file that is not whole yet, in the folder that it will be in.
const PART: &[u8] = b".boxstep.part";
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
    let mut put = Put { disk, below, restored, watch, folders: HashSet::new() };
    // Links come last, so that no file is written through one of them.
    let (links, files): (Vec<&Item>, _) = items.iter().partition(|item| matches!(item.content, Content::Link(_)));
    for item in files.into_iter().chain(links) {
        if put.watch.is_over() {
            return Err(RestoreError::Ended);
        }
        put.item(item)?;
    }
    Ok(())
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
}

impl Put<'_> {
    fn item(&mut self, item: &Item) -> Result<(), RestoreError> {
        let path = DiskPath::new(&[self.below.bytes(), b"/", &item.path].concat());
        let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&0);
        if item.path.len() > LONGEST || !item.path.split(|byte| *byte == b'/').all(is_name) {
            return self.leave(path, "it is not a path below the folder");
        }
        self.watch.file(&path);
        if let Err(why) = self.folder(&path.parent())? {
            return self.leave(path, why);
        }
        let there = match self.disk.stat(&path) {
            Ok(entry) => Some((entry.kind, entry.size)),
            Err(DiskError::Missing) => None,
            Err(why) => return Err(failed(&path, why)),
        };
        let is_same = match (&item.content, there) {
            (Content::Link(target), None) => {
                self.disk.make_link(&path, target).map_err(|why| failed(&path, why))?;
                self.restored.made.push(Made::File(path));
                self.restored.put += 1;
                return Ok(());
            }
            (_, None) => return self.file(&path, &item.content),
            (Content::Link(target), Some((Kind::Link, _))) => {
                self.disk.link(&path).map_err(|why| failed(&path, why))? == *target
            }
            (Content::Here(..) | Content::Bytes(..), Some((Kind::File, size))) => {
                let (length, digest) = item.content.digest()?;
                size == length && self.digest(&path, length)? == digest
            }
            _ => false,
        };
        if is_same {
            self.restored.before += 1;
            self.watch.done(true);
            return Ok(());
        }
        self.leave(path, "something else is there already, and is not written over")
    }

    fn leave(&mut self, path: DiskPath, why: &str) -> Result<(), RestoreError> {
        self.restored.left.push((path, why.to_owned()));
        Ok(())
    }

    /// Makes a folder and those it is in, below the one that is there. Returns why nothing can be in it.
    fn folder(&mut self, folder: &DiskPath) -> Result<Result<(), &'static str>, RestoreError> {
        if folder == self.below || self.folders.contains(folder) {
            return Ok(Ok(()));
        }
        if let Err(why) = self.folder(&folder.parent())? {
            return Ok(Err(why));
        }
        match self.disk.stat(folder) {
            Ok(entry) if entry.kind == Kind::Folder => {}
            Ok(entry) if entry.kind == Kind::Link => return Ok(Err("a link is on the way to it")),
            Ok(_) => return Ok(Err("something that is not a folder is on the way to it")),
            Err(DiskError::Missing) => {
                self.disk.make_folder(folder).map_err(|why| failed(folder, why))?;
                self.restored.made.push(Made::Folder(folder.clone()));
            }
            Err(why) => return Err(failed(folder, why)),
        }
        self.folders.insert(folder.clone());
        Ok(Ok(()))
    }

    fn file(&mut self, path: &DiskPath, content: &Content) -> Result<(), RestoreError> {
        let part = path.parent().join(PART);
        match self.disk.remove(&part) {
            Ok(()) | Err(DiskError::Missing) => {}
            Err(why) => return Err(failed(&part, why)),
        }
        let (written, sent, length) = {
            let (from, digester) = (content.open()?, Digester::default());
            let mut sent = Counted { from, digester, length: 0, watch: &mut *self.watch };
            (self.disk.put(&part, &mut sent), sent.digester.end(), sent.length)
        };
        match written {
            Ok(()) => {}
            Err(DiskError::Here(_)) if self.watch.is_over() => return Err(RestoreError::Ended),
            Err(DiskError::Here(error)) => return Err(RestoreError::Here(content.here(), error)),
            Err(why) => return Err(failed(path, why)),
        }
        let named = self.named(path, &part, content.mode(), (length, sent));
        if let Err(RestoreError::Refused(..)) = named {
            // What stays of it is why it failed already.
            let _ = self.disk.remove(&part);
        }
        named?;
        self.restored.made.push(Made::File(path.clone()));
        self.restored.put += 1;
        self.watch.done(false);
        Ok(())
    }

    /// Reads back what was written, and gives it its name.
    fn named(
        &mut self,
        path: &DiskPath,
        part: &DiskPath,
        mode: u32,
        (length, sent): (u64, Digest),
    ) -> Result<(), RestoreError> {
        if self.digest(part, length)? != sent {
            return Err(RestoreError::Refused(path.clone(), "it has not arrived as it was sent".to_owned()));
        }
        self.disk.set_mode(part, mode).map_err(|why| failed(path, why))?;
        self.disk.rename(part, path).map_err(|why| failed(path, why))
    }

    /// Returns the digest of a file there, of at most so many bytes.
    fn digest(&mut self, path: &DiskPath, most: u64) -> Result<Digest, RestoreError> {
        let mut digester = Digester::default();
        let mut add = |bytes: &[u8]| {
            digester.add(bytes);
            Ok(())
        };
        let add: &mut Sink<'_> = &mut add;
        match self.disk.read(path, 0, most, add) {
            Ok(()) => Ok(digester.end()),
            Err(why) => Err(failed(path, why)),
        }
    }
}

impl Content {
    fn mode(&self) -> u32 {
        match self {
            Self::Here(_, mode) | Self::Bytes(_, mode) => *mode,
            Self::Link(_) => 0o777,
        }
    }

    fn here(&self) -> PathBuf {
        match self {
            Self::Here(path, _) => path.clone(),
            Self::Bytes(..) | Self::Link(_) => PathBuf::new(),
        }
    }

    fn open(&self) -> Result<Box<dyn Read + '_>, RestoreError> {
        match self {
            Self::Here(path, _) => {
                let file = File::open(path).map_err(|error| RestoreError::Here(path.clone(), error))?;
                Ok(Box::new(file))
            }
            Self::Bytes(bytes, _) => Ok(Box::new(&bytes[..])),
            Self::Link(_) => Ok(Box::new(io::empty())),
        }
    }

    fn digest(&self) -> Result<(u64, Digest), RestoreError> {
        match self {
            Self::Here(path, _) => {
                let failed = |error| RestoreError::Here(path.clone(), error);
                Ok((fs::metadata(path).map_err(failed)?.len(), Digest::of_file(path).map_err(failed)?))
            }
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
