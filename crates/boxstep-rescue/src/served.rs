//! A folder of this computer as the disk of a simulated robot: an SFTP server that answers one message at a time, and the
//! two streams over which a client talks to it.
//!
//! What a client sees is the folder alone: links are followed within it, as on a disk of its own, and `..` ends at it.

use crate::disk::folder::{bytes, mode, os};
use crate::disk::space_here;
use crate::sftp::{Fields, LONGEST, VERSION, code, string};
use std::collections::{BTreeMap, VecDeque};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The home in which a session begins.
pub const HOME: &str = "/home/nao";

/// How many files and folders may be open at a time; the oldest is closed for a new one.
const OPEN: usize = 256;
/// How many links may be on the way to a file.
const LINKS: usize = 16;
/// How many entries of a folder an answer has.
const ENTRIES: usize = 100;
/// The longest piece of a file that is read at once, in bytes.
const PIECE: u32 = 1 << 18;

/// A server of a folder.
#[derive(Debug)]
pub struct Server {
    root: PathBuf,
    handles: BTreeMap<u32, Handle>,
    next: u32,
}

#[derive(Debug)]
enum Handle {
    File(File),
    Folder(VecDeque<(Vec<u8>, Metadata)>),
}

/// Why a request is not met: the code of its status, and words.
struct Refusal(u32, String);

impl From<io::Error> for Refusal {
    fn from(error: io::Error) -> Self {
        let code = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => code::NO_FILE,
            io::ErrorKind::PermissionDenied => code::DENIED,
            _ => code::FAILURE,
        };
        let text = error.to_string();
        Refusal(code, text.split(" (os error").next().unwrap_or_default().to_owned())
    }
}

fn garbled() -> Refusal {
    Refusal(code::FAILURE, "the message is not SFTP".to_owned())
}

fn missing() -> Refusal {
    Refusal(code::NO_FILE, "No such file or directory".to_owned())
}

impl Server {
    /// Serves a folder.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), handles: BTreeMap::new(), next: 0 }
    }

    /// Answers a message; both are without their length.
    pub fn answer(&mut self, message: &[u8]) -> Vec<u8> {
        let Some((kind, rest)) = message.split_first() else { return status(0, 4, "an empty message") };
        if *kind == code::INIT {
            return [&[code::VERSION][..], &VERSION.to_be_bytes()].concat();
        }
        let mut fields = Fields(rest);
        let Some(id) = fields.number() else { return status(0, code::FAILURE, "a message without a number") };
        match self.meet(*kind, id, fields) {
            Ok(answer) => answer,
            Err(Refusal(code, words)) => status(id, code, &words),
        }
    }

    fn meet(&mut self, kind: u8, id: u32, mut fields: Fields<'_>) -> Result<Vec<u8>, Refusal> {
        let first = fields.string().ok_or_else(garbled)?;
        let ok = || status(id, code::OK, "");
        match kind {
            code::OPEN => {
                let flags = fields.number().ok_or_else(garbled)?;
                let mode = fields.number().filter(|flags| flags & 4 != 0).and_then(|_| fields.number());
                let file = self.open(first, flags, mode)?;
                Ok(self.handle(id, Handle::File(file)))
            }
            code::OPENDIR => {
                let mut entries = Vec::new();
                for entry in fs::read_dir(self.find(first, true)?)? {
                    let entry = entry?;
                    // One that went away meanwhile is not listed.
                    entries.extend(entry.metadata().ok().map(|metadata| (bytes(&entry.file_name()), metadata)));
                }
                Ok(self.handle(id, Handle::Folder(entries.into())))
            }
            code::READDIR => match self.handles.get_mut(&number(first)?) {
                Some(Handle::Folder(entries)) if entries.is_empty() => Ok(status(id, code::END, "")),
                Some(Handle::Folder(entries)) => {
                    let some: Vec<_> = entries.drain(..entries.len().min(ENTRIES)).collect();
                    let listed = some.iter().map(|(name, metadata)| (&name[..], attributes(metadata)));
                    Ok(names(id, listed.collect()))
                }
                _ => Err(garbled()),
            },
            code::READ => {
                let (at, most) = (fields.long().ok_or_else(garbled)?, fields.number().ok_or_else(garbled)?);
                let file = self.file(first)?;
                file.seek(SeekFrom::Start(at))?;
                let mut data = Vec::new();
                file.take(u64::from(most.min(PIECE))).read_to_end(&mut data)?;
                if data.is_empty() {
                    return Ok(status(id, code::END, ""));
                }
                Ok([&[code::DATA][..], &id.to_be_bytes(), &string(&data)].concat())
            }
            code::WRITE => {
                let (at, data) = (fields.long().ok_or_else(garbled)?, fields.string().ok_or_else(garbled)?);
                let file = self.file(first)?;
                file.seek(SeekFrom::Start(at))?;
                file.write_all(data)?;
                Ok(ok())
            }
            code::CLOSE => {
                self.handles.remove(&number(first)?);
                Ok(ok())
            }
            code::LSTAT => Ok(told(id, &fs::symlink_metadata(self.find(first, false)?)?)),
            code::STAT => Ok(told(id, &fs::metadata(self.find(first, true)?)?)),
            code::REALPATH => {
                let path = if first == b"." { HOME.as_bytes() } else { first };
                Ok(names(id, vec![(path, 0_u32.to_be_bytes().to_vec())]))
            }
            code::READLINK => {
                let target = fs::read_link(self.find(first, false)?)?;
                Ok(names(id, vec![(&bytes(target.as_os_str()), 0_u32.to_be_bytes().to_vec())]))
            }
            code::REMOVE => fs::remove_file(self.find(first, false)?).map(|()| ok()).map_err(Refusal::from),
            code::MKDIR => fs::create_dir(self.find(first, false)?).map(|()| ok()).map_err(Refusal::from),
            code::RMDIR => fs::remove_dir(self.find(first, false)?).map(|()| ok()).map_err(Refusal::from),
            code::RENAME => {
                let (from, to) = (self.find(first, false)?, self.find(fields.string().ok_or_else(garbled)?, false)?);
                if fs::symlink_metadata(&to).is_ok() {
                    return Err(Refusal(code::FAILURE, "there is such a file".to_owned()));
                }
                fs::rename(from, to)?;
                Ok(ok())
            }
            code::SETSTAT => {
                let (flags, mode) = (fields.number().ok_or_else(garbled)?, fields.number());
                if flags != 4 {
                    return Err(Refusal(code::UNSUPPORTED, "only permissions are set".to_owned()));
                }
                permit(&self.find(first, true)?, mode.ok_or_else(garbled)?)?;
                Ok(ok())
            }
            code::SYMLINK => {
                link(first, &self.find(fields.string().ok_or_else(garbled)?, false)?)?;
                Ok(ok())
            }
            code::EXTENDED if first == b"statvfs@openssh.com" => {
                let folder = self.find(fields.string().ok_or_else(garbled)?, true)?;
                let space = space_here(&folder)
                    .ok_or_else(|| Refusal(code::UNSUPPORTED, "the space is not known".to_owned()))?;
                let told = [1, 1, space.size, space.free, space.free, 0, 0, 0, 0, 0, 255];
                let body: Vec<u8> = told.into_iter().flat_map(u64::to_be_bytes).collect();
                Ok([&[code::EXTENDED_REPLY][..], &id.to_be_bytes(), &body].concat())
            }
            _ => Err(Refusal(code::UNSUPPORTED, "Operation unsupported".to_owned())),
        }
    }

    fn find(&self, path: &[u8], follow: bool) -> Result<PathBuf, Refusal> {
        find(&self.root, path, follow)
    }

    fn open(&self, path: &[u8], flags: u32, mode: Option<u32>) -> Result<File, Refusal> {
        // To be read, or written, created, and not there before.
        match flags {
            0x01 => {
                let path = self.find(path, true)?;
                if !fs::metadata(&path)?.is_file() {
                    return Err(Refusal(code::FAILURE, "it is not a file".to_owned()));
                }
                Ok(File::open(path)?)
            }
            0x2a => {
                let path = self.find(path, false)?;
                let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
                if let Some(mode) = mode {
                    permit(&path, mode)?;
                }
                Ok(file)
            }
            _ => Err(Refusal(code::UNSUPPORTED, "files are read, or new".to_owned())),
        }
    }

    fn handle(&mut self, id: u32, handle: Handle) -> Vec<u8> {
        // A client that was cut has left some open.
        while self.handles.len() >= OPEN {
            self.handles.pop_first();
        }
        self.next = self.next.wrapping_add(1);
        self.handles.insert(self.next, handle);
        [&[code::HANDLE][..], &id.to_be_bytes(), &string(&self.next.to_be_bytes())].concat()
    }

    fn file(&mut self, handle: &[u8]) -> Result<&mut File, Refusal> {
        match self.handles.get_mut(&number(handle)?) {
            Some(Handle::File(file)) => Ok(file),
            _ => Err(Refusal(code::FAILURE, "the file is not open any more".to_owned())),
        }
    }
}

/// Returns where a path of the robot is in the folder that is its disk. Its last name may be missing; a link there is
/// followed if that is asked, within the folder.
fn find(root: &Path, path: &[u8], follow: bool) -> Result<PathBuf, Refusal> {
    let home = if path.starts_with(b"/") { "" } else { HOME };
    let whole = [home.as_bytes(), b"/", path].concat();
    let mut rest: Vec<Vec<u8>> = whole.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec).collect();
    let (mut found, mut depth, mut links) = (root.to_owned(), 0, 0);
    while let Some(name) = rest.pop() {
        match &name[..] {
            b"" | b"." => continue,
            b".." => {
                if depth > 0 {
                    found.pop();
                    depth -= 1;
                }
                continue;
            }
            _ => {}
        }
        let is_last = rest.iter().all(Vec::is_empty);
        let next = found.join(os(&name).ok_or_else(missing)?);
        match fs::symlink_metadata(&next) {
            Ok(metadata) if metadata.is_symlink() && (follow || !is_last) => {
                links += 1;
                if links > LINKS {
                    return Err(missing());
                }
                let target = bytes(fs::read_link(&next)?.as_os_str());
                if target.starts_with(b"/") {
                    (found, depth) = (root.to_owned(), 0);
                }
                rest.extend(target.split(|byte| *byte == b'/').rev().map(<[u8]>::to_vec));
                continue;
            }
            Ok(_) => {}
            Err(error) if is_last && error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        (found, depth) = (next, depth + 1);
    }
    Ok(found)
}

/// Returns where a file of the robot is in the folder that is its disk.
///
/// # Errors
/// Why it is not there.
pub fn file_here(root: &Path, path: &str) -> io::Result<PathBuf> {
    find(root, path.as_bytes(), true).map_err(|Refusal(_, why)| io::Error::new(io::ErrorKind::NotFound, why))
}

fn number(handle: &[u8]) -> Result<u32, Refusal> {
    handle.try_into().map(u32::from_be_bytes).map_err(|_| garbled())
}

fn status(id: u32, code: u32, words: &str) -> Vec<u8> {
    [&[code::STATUS][..], &id.to_be_bytes(), &code.to_be_bytes(), &string(words.as_bytes()), &string(b"")].concat()
}

fn names(id: u32, entries: Vec<(&[u8], Vec<u8>)>) -> Vec<u8> {
    let count = u32::try_from(entries.len()).unwrap_or(0);
    let mut answer = [&[code::NAME][..], &id.to_be_bytes(), &count.to_be_bytes()].concat();
    for (name, attributes) in entries {
        answer.extend([string(name), string(b""), attributes].concat());
    }
    answer
}

fn told(id: u32, metadata: &Metadata) -> Vec<u8> {
    [&[code::ATTRS][..], &id.to_be_bytes(), &attributes(metadata)].concat()
}

/// Size, permissions with the kind of file, and times.
fn attributes(metadata: &Metadata) -> Vec<u8> {
    let kind = match metadata.file_type() {
        kind if kind.is_file() => 0o100_000,
        kind if kind.is_dir() => 0o040_000,
        kind if kind.is_symlink() => 0o120_000,
        _ => 0o140_000,
    };
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let time = since.and_then(|since| u32::try_from(since.as_secs()).ok()).unwrap_or(0).to_be_bytes();
    let mode = (kind | (mode(metadata) & 0o7777)).to_be_bytes();
    [&13_u32.to_be_bytes()[..], &metadata.len().to_be_bytes(), &mode, &time, &time].concat()
}

#[cfg(unix)]
fn permit(path: &Path, mode: u32) -> io::Result<()> {
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode & 0o777))
}

#[cfg(not(unix))]
#[allow(clippy::unnecessary_wraps)]
fn permit(_: &Path, _: u32) -> io::Result<()> {
    Ok(())
}

#[cfg(unix)]
fn link(target: &[u8], at: &Path) -> Result<(), Refusal> {
    Ok(std::os::unix::fs::symlink(os(target).ok_or_else(missing)?, at)?)
}

#[cfg(not(unix))]
fn link(_: &[u8], _: &Path) -> Result<(), Refusal> {
    Err(Refusal(code::UNSUPPORTED, "this system has no such links".to_owned()))
}

/// Passes messages on, one by one, and keeps the answers.
struct Exchange<F> {
    ask: F,
    input: Vec<u8>,
    answers: VecDeque<u8>,
}

/// One of the two streams of a session whose messages are asked one by one.
pub struct Stream<F>(Arc<Mutex<Exchange<F>>>);

/// Returns the two streams of a session, to be read and to be written. `ask` gets each message and returns its answer, both
/// without their lengths.
pub fn streams<F: FnMut(&[u8]) -> io::Result<Vec<u8>>>(ask: F) -> (Stream<F>, Stream<F>) {
    let exchange = Arc::new(Mutex::new(Exchange { ask, input: Vec::new(), answers: VecDeque::new() }));
    (Stream(exchange.clone()), Stream(exchange))
}

impl<F> Stream<F> {
    fn inside(&self) -> MutexGuard<'_, Exchange<F>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<F: FnMut(&[u8]) -> io::Result<Vec<u8>>> Write for Stream<F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut exchange = self.inside();
        exchange.input.extend_from_slice(bytes);
        while let Some(length) = Fields(&exchange.input).number().map(|length| length as usize) {
            if length > LONGEST {
                return Err(io::ErrorKind::InvalidData.into());
            }
            if exchange.input.len() < 4 + length {
                break;
            }
            let message: Vec<u8> = exchange.input.drain(..4 + length).skip(4).collect();
            let answer = (exchange.ask)(&message)?;
            let length = u32::try_from(answer.len()).unwrap_or(u32::MAX);
            exchange.answers.extend(length.to_be_bytes());
            exchange.answers.extend(answer);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<F> Read for Stream<F> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.inside().answers.read(to)
    }
}
