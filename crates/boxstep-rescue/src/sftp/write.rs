//! What SFTP writes: new files, folders and links, and the removal of what was written.

use super::{CHUNK, Fields, Reply, Sftp, WINDOW, code, garbled, string};
use crate::disk::{DiskError, DiskPath, Space, WritableDisk};
use std::collections::VecDeque;
use std::io::{Read, Write};

impl<R: Read, W: Write> Sftp<R, W> {
    fn told(&mut self, kind: u8, fields: &[&[u8]]) -> Result<(), DiskError> {
        self.ask(kind, fields).and_then(Reply::done)
    }

    fn write(&mut self, handle: &[u8], from: &mut dyn Read) -> Result<(), DiskError> {
        let (mut at, mut waiting, mut end, mut failed) = (0, VecDeque::new(), false, None);
        let mut chunk = vec![0; CHUNK as usize];
        while !end || !waiting.is_empty() {
            while !end && failed.is_none() && waiting.len() < WINDOW {
                match from.read(&mut chunk) {
                    Ok(0) => end = true,
                    Ok(n) => {
                        let id =
                            self.request(code::WRITE, &[&string(handle), &u64::to_be_bytes(at), &string(&chunk[..n])])?;
                        waiting.push_back(id);
                        at += n as u64;
                    }
                    Err(error) => failed = Some(DiskError::Here(error)),
                }
            }
            end |= failed.is_some();
            if waiting.is_empty() {
                break;
            }
            let (id, reply) = self.reply()?;
            let place = waiting.iter().position(|asked| *asked == id).ok_or_else(garbled)?;
            waiting.remove(place);
            failed = failed.or_else(|| reply.done().err());
        }
        failed.map_or(Ok(()), Err)
    }
}

impl<R: Read, W: Write> WritableDisk for Sftp<R, W> {
    fn put(&mut self, file: &DiskPath, from: &mut dyn Read) -> Result<(), DiskError> {
        // Written, created, and not there before; with permissions.
        let flags = [&0x2a_u32.to_be_bytes()[..], &4_u32.to_be_bytes(), &0o600_u32.to_be_bytes()].concat();
        let handle = self.handle(code::OPEN, file, &flags)?;
        let written = self.write(&handle, from);
        if let Err(DiskError::Lost(_)) = written {
            return written;
        }
        let closed = self.told(code::CLOSE, &[&string(&handle)]);
        let written = written.and(closed);
        if written.is_err() {
            self.remove(file)?;
        }
        written
    }

    fn remove(&mut self, file: &DiskPath) -> Result<(), DiskError> {
        self.told(code::REMOVE, &[&string(file.bytes())])
    }

    fn rename(&mut self, from: &DiskPath, to: &DiskPath) -> Result<(), DiskError> {
        self.told(code::RENAME, &[&string(from.bytes()), &string(to.bytes())])
    }

    fn set_mode(&mut self, path: &DiskPath, mode: u32) -> Result<(), DiskError> {
        let attributes = [4_u32.to_be_bytes(), (mode & 0o7777).to_be_bytes()].concat();
        self.told(code::SETSTAT, &[&string(path.bytes()), &attributes])
    }

    fn make_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError> {
        self.told(code::MKDIR, &[&string(folder.bytes()), &0_u32.to_be_bytes()])
    }

    fn remove_folder(&mut self, folder: &DiskPath) -> Result<(), DiskError> {
        self.told(code::RMDIR, &[&string(folder.bytes())])
    }

    fn make_link(&mut self, link: &DiskPath, target: &[u8]) -> Result<(), DiskError> {
        // OpenSSH takes the two in the other order than the draft.
        self.told(code::SYMLINK, &[&string(target), &string(link.bytes())])
    }

    fn space(&mut self, folder: &DiskPath) -> Result<Space, DiskError> {
        let reply = self.ask(code::EXTENDED, &[&string(b"statvfs@openssh.com"), &string(folder.bytes())])?;
        if reply.kind != code::EXTENDED_REPLY {
            return Err(reply.refusal());
        }
        let mut fields = Fields(&reply.body);
        let mut next = || fields.long().ok_or_else(garbled);
        let (_, unit, all, _, free) = (next()?, next()?, next()?, next()?, next()?);
        Ok(Space { size: unit.saturating_mul(all), free: unit.saturating_mul(free.min(all)) })
    }
}
