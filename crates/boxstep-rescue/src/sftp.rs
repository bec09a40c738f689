//! A robot's disk through SFTP, version 3, on any pair of streams.
//!
//! Names are bytes here, as they are in the protocol and on robots; libraries want UTF-8. As a [`Disk`] it sends only
//! messages that read; what writes is a [`WritableDisk`](crate::disk::WritableDisk) (`write.rs`), for what is put on a robot.
//! Source: the draft draft-ietf-secsh-filexfer-02, which OpenSSH's servers speak, and its file PROTOCOL for
//! `statvfs@openssh.com` and the order of the arguments of SYMLINK.

mod write;

use crate::disk::{Disk, DiskError, DiskPath, Entry, Kind, Sink, too_long, too_many};
use std::collections::{HashMap, VecDeque};
use std::io::{self, Read, Write};

/// The version of the protocol.
pub(crate) const VERSION: u32 = 3;
/// The longest message that is taken, in bytes; servers send at most 256 KiB.
pub(crate) const LONGEST: usize = 1 << 19;
/// How many bytes the names of a folder have at most.
const NAMES: usize = 1 << 26;
/// The bytes of one request, and how many requests are on their way at a time.
const CHUNK: u32 = 1 << 15;
const WINDOW: usize = 32;

/// The types of messages, and the codes of a status.
pub(crate) mod code {
    pub(crate) const INIT: u8 = 1;
    pub(crate) const VERSION: u8 = 2;
    pub(crate) const OPEN: u8 = 3;
    pub(crate) const CLOSE: u8 = 4;
    pub(crate) const READ: u8 = 5;
    pub(crate) const WRITE: u8 = 6;
    pub(crate) const LSTAT: u8 = 7;
    pub(crate) const SETSTAT: u8 = 9;
    pub(crate) const OPENDIR: u8 = 11;
    pub(crate) const READDIR: u8 = 12;
    pub(crate) const REMOVE: u8 = 13;
    pub(crate) const MKDIR: u8 = 14;
    pub(crate) const RMDIR: u8 = 15;
    pub(crate) const REALPATH: u8 = 16;
    pub(crate) const STAT: u8 = 17;
    pub(crate) const RENAME: u8 = 18;
    pub(crate) const READLINK: u8 = 19;
    pub(crate) const SYMLINK: u8 = 20;
    pub(crate) const EXTENDED: u8 = 200;
    pub(crate) const EXTENDED_REPLY: u8 = 201;
    pub(crate) const STATUS: u8 = 101;
    pub(crate) const HANDLE: u8 = 102;
    pub(crate) const DATA: u8 = 103;
    pub(crate) const NAME: u8 = 104;
    pub(crate) const ATTRS: u8 = 105;

    pub(crate) const OK: u32 = 0;
    pub(crate) const END: u32 = 1;
    pub(crate) const NO_FILE: u32 = 2;
    pub(crate) const DENIED: u32 = 3;
    pub(crate) const FAILURE: u32 = 4;
    pub(crate) const UNSUPPORTED: u32 = 8;
    pub(crate) const NO_CONNECTION: u32 = 6;
    pub(crate) const CONNECTION_LOST: u32 = 7;
}

/// A client of an SFTP server.
#[derive(Debug)]
pub struct Sftp<R, W> {
    from: R,
    to: W,
    id: u32,
}

/// An answer: its type and what follows the number of the request.
struct Reply {
    kind: u8,
    body: Vec<u8>,
}

impl<R: Read, W: Write> Sftp<R, W> {
    /// Begins a session.
    ///
    /// # Errors
    /// Why it cannot be begun.
    pub fn open(from: R, to: W) -> Result<Self, DiskError> {
        let mut sftp = Self { from, to, id: 0 };
        sftp.send(code::INIT, &VERSION.to_be_bytes())?;
        let (kind, body) = sftp.message()?;
        let version = Fields(&body).number();
        match (kind, version) {
            (code::VERSION, Some(version)) if version >= VERSION => Ok(sftp),
            (code::VERSION, Some(version)) => Err(DiskError::Refused(format!("SFTP {version} is too old"))),
            _ => Err(garbled()),
        }
    }

    fn send(&mut self, kind: u8, body: &[u8]) -> Result<(), DiskError> {
        let length = u32::try_from(body.len() + 1).unwrap_or(u32::MAX);
        let message = [&length.to_be_bytes()[..], &[kind], body].concat();
        self.to.write_all(&message).and_then(|()| self.to.flush()).map_err(|error| lost(&error))
    }

    /// Sends a request and returns its number.
    fn request(&mut self, kind: u8, fields: &[&[u8]]) -> Result<u32, DiskError> {
        self.id = self.id.wrapping_add(1);
        let body = [&self.id.to_be_bytes()[..], &fields.concat()].concat();
        self.send(kind, &body)?;
        Ok(self.id)
    }

    fn message(&mut self) -> Result<(u8, Vec<u8>), DiskError> {
        let mut length = [0; 4];
        self.from.read_exact(&mut length).map_err(|error| lost(&error))?;
        let length = u32::from_be_bytes(length) as usize;
        if length == 0 || length > LONGEST {
            return Err(garbled());
        }
        let mut message = vec![0; length];
        self.from.read_exact(&mut message).map_err(|error| lost(&error))?;
        Ok((message[0], message.split_off(1)))
    }

    fn reply(&mut self) -> Result<(u32, Reply), DiskError> {
        let (kind, mut body) = self.message()?;
        let id = Fields(&body).number().ok_or_else(garbled)?;
        body.drain(..4);
        Ok((id, Reply { kind, body }))
    }

    fn ask(&mut self, kind: u8, fields: &[&[u8]]) -> Result<Reply, DiskError> {
        let asked = self.request(kind, fields)?;
        let (id, reply) = self.reply()?;
        if id == asked { Ok(reply) } else { Err(garbled()) }
    }

    fn handle(&mut self, kind: u8, path: &DiskPath, more: &[u8]) -> Result<Vec<u8>, DiskError> {
        let reply = self.ask(kind, &[&string(path.bytes()), more])?;
        match reply.kind {
            code::HANDLE => Ok(Fields(&reply.body).string().ok_or_else(garbled)?.to_vec()),
            _ => Err(reply.refusal()),
        }
    }

    fn close(&mut self, handle: &[u8]) -> Result<(), DiskError> {
        self.ask(code::CLOSE, &[&string(handle)]).map(drop)
    }

    /// Returns the first name of an answer.
    fn name(&mut self, kind: u8, path: &DiskPath) -> Result<Vec<u8>, DiskError> {
        let reply = self.ask(kind, &[&string(path.bytes())])?;
        if reply.kind != code::NAME {
            return Err(reply.refusal());
        }
        let mut fields = Fields(&reply.body);
        match fields.number() {
            Some(1..) => Ok(fields.string().ok_or_else(garbled)?.to_vec()),
            _ => Err(garbled()),
        }
    }

    fn entries(&mut self, handle: &[u8], most: usize) -> Result<Vec<Entry>, DiskError> {
        let (mut entries, mut told, mut bytes) = (Vec::new(), 0_usize, 0);
        loop {
            let reply = self.ask(code::READDIR, &[&string(handle)])?;
            match reply.kind {
                code::NAME => {}
                code::STATUS if reply.status() == Some(code::END) => return Ok(entries),
                _ => return Err(reply.refusal()),
            }
            let mut fields = Fields(&reply.body);
            let count = fields.number().ok_or_else(garbled)?;
            if count == 0 {
                // It would be asked without an end.
                return Err(garbled());
            }
            for _ in 0..count {
                let name = fields.string().ok_or_else(garbled)?.to_vec();
                fields.string().ok_or_else(garbled)?;
                let attributes = fields.attributes().ok_or_else(garbled)?;
                (told, bytes) = (told + 1, bytes + name.len());
                if told > most.saturating_add(2) || bytes > NAMES {
                    return Err(too_many(most));
                }
                if name == b"." || name == b".." {
                    continue;
                }
                if entries.len() == most {
                    return Err(too_many(most));
                }
                entries.push(attributes.entry(name));
            }
        }
    }

    /// Returns the time of the robot's clock, in seconds since 1970: Linux gives the files of a process the time at
    /// which it is first looked at, and the server looks at itself.
    ///
    /// # Errors
    /// Why it cannot be told.
    pub fn clock(&mut self) -> Result<i64, DiskError> {
        let reply = self.ask(code::STAT, &[&string(b"/proc/self")])?;
        if reply.kind != code::ATTRS {
            return Err(reply.refusal());
        }
        let modified = Fields(&reply.body).attributes().ok_or_else(garbled)?.modified;
        if modified > 0 { Ok(modified) } else { Err(DiskError::Refused("the server does not say the time".to_owned())) }
    }

    fn bytes(&mut self, handle: &[u8], mut at: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError> {
        // Requests in the order of the file, and answers, which may come in another.
        let (mut waiting, mut answers) = (VecDeque::new(), HashMap::new());
        let (mut passed, mut end, mut failed) = (0, false, None);
        while !end || !waiting.is_empty() {
            while !end && failed.is_none() && waiting.len() < WINDOW {
                let id = self.request(code::READ, &[&string(handle), &at.to_be_bytes(), &CHUNK.to_be_bytes()])?;
                waiting.push_back((id, at, CHUNK));
                at = at.saturating_add(u64::from(CHUNK));
            }
            let (id, reply) = self.reply()?;
            if answers.len() >= WINDOW || !waiting.iter().any(|(asked, ..)| *asked == id) {
                return Err(garbled());
            }
            answers.insert(id, reply);
            while let Some((id, offset, length)) = waiting.front().copied() {
                let Some(reply) = answers.remove(&id) else { break };
                waiting.pop_front();
                if end || failed.is_some() {
                    continue;
                }
                match reply.kind {
                    code::DATA => {
                        let data = Fields(&reply.body).string().ok_or_else(garbled)?;
                        let got = u32::try_from(data.len()).ok().filter(|got| (1..=length).contains(got));
                        let got = got.ok_or_else(garbled)?;
                        passed += u64::from(got);
                        if passed > most {
                            failed = Some(too_long(most));
                        } else if let Err(error) = to(data) {
                            failed = Some(DiskError::Here(error));
                        } else if got < length {
                            // The rest of it is asked for before what follows.
                            let (offset, rest) = (offset + u64::from(got), length - got);
                            let fields = [&string(handle)[..], &offset.to_be_bytes(), &rest.to_be_bytes()];
                            let id = self.request(code::READ, &fields)?;
                            waiting.push_front((id, offset, rest));
                        }
                    }
                    code::STATUS if reply.status() == Some(code::END) => end = true,
                    _ => failed = Some(reply.refusal()),
                }
            }
            if let (Some(_), true) = (&failed, waiting.is_empty()) {
                break;
            }
        }
        failed.map_or(Ok(()), Err)
    }
}

impl<R: Read, W: Write> Disk for Sftp<R, W> {
    fn list(&mut self, folder: &DiskPath, most: usize) -> Result<Vec<Entry>, DiskError> {
        let handle = self.handle(code::OPENDIR, folder, &[])?;
        let entries = self.entries(&handle, most);
        self.close(&handle)?;
        let mut entries = entries?;
        for entry in entries.iter_mut().filter(|entry| entry.mode == NO_MODE) {
            // The server did not say what it is.
            let reply = self.ask(code::LSTAT, &[&string(folder.join(&entry.name).bytes())])?;
            let found = (reply.kind == code::ATTRS).then(|| Fields(&reply.body).attributes()).flatten();
            *entry = found.map_or_else(|| entry.clone(), |found| found.entry(entry.name.clone()));
        }
        for entry in &mut entries {
            entry.mode &= 0o7777;
        }
        Ok(entries)
    }

    fn stat(&mut self, path: &DiskPath) -> Result<Entry, DiskError> {
        let reply = self.ask(code::LSTAT, &[&string(path.bytes())])?;
        if reply.kind != code::ATTRS {
            return Err(reply.refusal());
        }
        let mut entry = Fields(&reply.body).attributes().ok_or_else(garbled)?.entry(Vec::new());
        entry.mode &= 0o7777;
        Ok(entry)
    }

    fn read(&mut self, file: &DiskPath, from: u64, most: u64, to: &mut Sink<'_>) -> Result<(), DiskError> {
        // To be read; no attributes.
        let handle = self.handle(code::OPEN, file, &[0, 0, 0, 1, 0, 0, 0, 0])?;
        let read = self.bytes(&handle, from, most, to);
        if let Err(DiskError::Lost(_)) = read {
            return read;
        }
        self.close(&handle)?;
        read
    }

    fn link(&mut self, link: &DiskPath) -> Result<Vec<u8>, DiskError> {
        self.name(code::READLINK, link)
    }

    fn follows_links(&self) -> bool {
        true
    }

    fn homes(&mut self) -> Result<Vec<DiskPath>, DiskError> {
        // A session begins in the home of the user.
        let reply = self.ask(code::REALPATH, &[&string(b".")])?;
        if reply.kind != code::NAME {
            return Err(reply.refusal());
        }
        let mut fields = Fields(&reply.body);
        let home = fields.number().filter(|count| *count > 0).and_then(|_| fields.string());
        let home = DiskPath::new(home.filter(|home| home.starts_with(b"/")).ok_or_else(garbled)?);
        // Whoever logs in as somebody else wants the files of people all the same.
        let nao = DiskPath::new(b"/home/nao");
        let others = (home != nao).then_some(nao);
        // A home that is the whole disk has no files of people: it has the system, too.
        let home = (home != DiskPath::new(b"/")).then_some(home);
        Ok(home.into_iter().chain(others).collect())
    }
}

impl Reply {
    /// Returns whether it says that all is well.
    fn done(self) -> Result<(), DiskError> {
        match (self.kind, self.status()) {
            (code::STATUS, Some(code::OK)) => Ok(()),
            _ => Err(self.refusal()),
        }
    }

    fn status(&self) -> Option<u32> {
        Fields(&self.body).number()
    }

    fn refusal(&self) -> DiskError {
        if self.kind != code::STATUS {
            return garbled();
        }
        let mut fields = Fields(&self.body);
        let status = fields.number();
        let words = fields.string().map(crate::name::text).filter(|words| !words.is_empty());
        match status {
            Some(code::NO_FILE) => DiskError::Missing,
            Some(code::NO_CONNECTION | code::CONNECTION_LOST) => {
                DiskError::Lost(words.unwrap_or_else(|| "the robot has lost its disk".to_owned()))
            }
            Some(code::OK) | None => garbled(),
            Some(code::DENIED) => DiskError::Denied(words.unwrap_or_else(|| "permission denied".to_owned())),
            Some(code) => DiskError::Refused(words.unwrap_or_else(|| format!("SFTP error {code}"))),
        }
    }
}

fn lost(error: &io::Error) -> DiskError {
    DiskError::Lost(match error.kind() {
        io::ErrorKind::UnexpectedEof | io::ErrorKind::BrokenPipe => "the connection has ended".to_owned(),
        _ => error.to_string(),
    })
}

fn garbled() -> DiskError {
    DiskError::Lost("the robot's answer is not SFTP".to_owned())
}

pub(crate) fn string(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes(), bytes].concat()
}

/// The permissions of an entry of which the server did not say them.
const NO_MODE: u32 = u32::MAX;

/// The attributes of a file.
struct Attributes {
    size: u64,
    mode: u32,
    modified: i64,
}

impl Attributes {
    fn entry(self, name: Vec<u8>) -> Entry {
        let Self { size, mode, modified } = self;
        let kind = if mode == NO_MODE { Kind::Other } else { Kind::of_mode(mode) };
        Entry { name, kind, size, modified, mode }
    }
}

/// The rest of a message.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    pub(crate) fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    pub(crate) fn long(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_be_bytes)
    }

    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        self.take(length)
    }

    fn attributes(&mut self) -> Option<Attributes> {
        let flags = self.number()?;
        let mut attributes = Attributes { size: 0, mode: NO_MODE, modified: 0 };
        if flags & 1 != 0 {
            attributes.size = self.long()?;
        }
        if flags & 2 != 0 {
            self.take(8)?;
        }
        if flags & 4 != 0 {
            attributes.mode = self.number()?;
        }
        if flags & 8 != 0 {
            self.number()?;
            attributes.modified = i64::from(self.number()?);
        }
        if flags & 0x8000_0000 != 0 {
            for _ in 0..self.number()? {
                self.string()?;
                self.string()?;
            }
        }
        Some(attributes)
    }
}
