//! Reading of tar archives, gzipped or not.

use super::gather::Gather;
use super::{ArchiveFault, Oddity, Refusal};
use flate2::bufread::GzDecoder;
use std::cell::Cell;
use std::io::Read;
use std::rc::Rc;
use tar::EntryType;

pub(super) fn read(bytes: &[u8], gzip: bool, gather: &mut Gather<'_>) -> Result<(), Refusal> {
    let after = Rc::new(Cell::new(0));
    let source: Box<dyn Read + '_> =
        if gzip { Box::new(Gzip { member: GzDecoder::new(bytes), after: after.clone() }) } else { Box::new(bytes) };
    // Long names and padding do not count as bytes of entries, so the limits on entries do not bound them.
    let (source, over) = gather.capped(source);
    let read = entries(tar::Archive::new(source), gather);
    if over.get() {
        return Err((None, gather.too_much()));
    }
    if after.get() > 0 {
        gather.odd(Oddity::Surplus(after.get(), "gzip"));
    }
    read
}

/// A reader of all members of a gzip file, one after another. Bytes after the last member are counted in `after`,
/// unless they are zero padding.
struct Gzip<'a> {
    member: GzDecoder<&'a [u8]>,
    after: Rc<Cell<u64>>,
}

impl Read for Gzip<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let read = self.member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let rest: &[u8] = self.member.get_ref();
            if !rest.starts_with(&[0x1f, 0x8b]) {
                let padding = rest.iter().all(|b| *b == 0);
                self.after.set(if padding { 0 } else { rest.len() as u64 });
                return Ok(0);
            }
            self.member = GzDecoder::new(rest);
        }
    }
}

fn entries(mut archive: tar::Archive<impl Read>, gather: &mut Gather<'_>) -> Result<(), Refusal> {
    let damaged = |e: std::io::Error| (None, ArchiveFault::Damaged(e.to_string()));
    for entry in archive.entries().map_err(damaged)? {
        let entry = entry.map_err(damaged)?;
        let kind = entry.header().entry_type();
        if kind == EntryType::XGlobalHeader {
            continue;
        }
        let raw = entry.path_bytes().into_owned();
        let name = gather.name(&raw)?;
        let executable = entry.header().mode().is_ok_and(|mode| mode & 0o111 != 0);
        match (kind, name) {
            (EntryType::Directory, Some(name)) => gather.folder(name)?,
            (EntryType::Directory, None) => {}
            (EntryType::Regular | EntryType::Continuous, Some(name)) => gather.file(name, executable, entry)?,
            (other, _) => {
                let shown = String::from_utf8_lossy(&raw).into_owned();
                return Err((Some(shown), ArchiveFault::NotAFile(describe(other))));
            }
        }
    }
    // Read to the end: only there does a gzip reveal whether its checksum is right.
    let mut rest = archive.into_inner();
    let mut surplus = 0;
    let mut buffer = [0; 8192];
    loop {
        let read = match rest.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(damaged(e)),
        };
        // Zeros are padding as long as no other byte follows.
        let part = buffer.get(..read).unwrap_or_default();
        let from = if surplus > 0 { Some(0) } else { part.iter().position(|b| *b != 0) };
        surplus += from.map_or(0, |from| (read - from) as u64);
    }
    if surplus > 0 {
        gather.odd(Oddity::Surplus(surplus, "tar"));
    }
    Ok(())
}

fn describe(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink => "a symbolic link",
        EntryType::Link => "a hard link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        EntryType::GNUSparse => "a sparse file",
        _ => "of an unknown kind",
    }
}
