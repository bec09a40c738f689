//! A tar, in gzip or plain.

use super::gather::Gather;
use super::{ArchiveFault, Refusal};
use flate2::read::MultiGzDecoder;
use std::io::Read;
use tar::EntryType;

pub(super) fn read(bytes: &[u8], gzip: bool, gather: &mut Gather<'_>) -> Result<(), Refusal> {
    let source: Box<dyn Read + '_> = if gzip { Box::new(MultiGzDecoder::new(bytes)) } else { Box::new(bytes) };
    // Long names and padding are no entry's bytes, and no entry's limit stops them.
    let (source, over) = gather.capped(source);
    let read = entries(tar::Archive::new(source), gather);
    if over.get() { Err((None, gather.too_much())) } else { read }
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
