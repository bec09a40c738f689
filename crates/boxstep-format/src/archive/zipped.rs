//! Reading and writing of zip archives.

use super::gather::Gather;
use super::pack::mode;
use super::{ArchiveFault, Entry, Oddity, Refusal};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Write as _};
use std::path::Path;
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// The bits of a Unix mode that give the type of file.
const TYPE: u32 = 0o170_000;

pub(super) fn read(bytes: &[u8], gather: &mut Gather<'_>) -> Result<(), Refusal> {
    let damaged = |e: ZipError| (None, ArchiveFault::Damaged(e.to_string()));
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(damaged)?;
    if archive.metadata().has_duplicate_names() {
        return Err((duplicate(bytes), ArchiveFault::Duplicate));
    }
    if archive.has_overlapping_entries().map_err(damaged)? {
        return Err((None, ArchiveFault::Overlap));
    }
    let after = after_end(bytes, archive.comment());
    if after > 0 {
        gather.odd(Oddity::Surplus(after, "zip"));
    }
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let raw = entry.name().map_err(damaged)?.into_owned();
        let name = gather.name(raw.as_bytes())?;
        let mode = entry.unix_mode().unwrap_or(0o644);
        let refuse = |fault: ArchiveFault| Err((Some(raw.clone()), fault));
        if entry.encrypted() {
            return refuse(ArchiveFault::Encrypted);
        }
        match mode & TYPE {
            0 | 0o100_000 | 0o040_000 => {}
            0o120_000 => return refuse(ArchiveFault::NotAFile("a symbolic link")),
            0o020_000 | 0o060_000 => return refuse(ArchiveFault::NotAFile("a device")),
            0o010_000 => return refuse(ArchiveFault::NotAFile("a pipe")),
            _ => return refuse(ArchiveFault::NotAFile("of an unknown kind")),
        }
        let is_folder = entry.is_dir() || raw.ends_with('/') || mode & TYPE == 0o040_000;
        drop(entry);
        match name {
            Some(name) if is_folder => gather.folder(name)?,
            Some(name) => {
                let entry = archive.by_index(index);
                let entry = entry.map_err(|e| (Some(raw), ArchiveFault::Damaged(e.to_string())))?;
                gather.file(name, mode & 0o111 != 0, entry)?;
            }
            None if is_folder => {}
            None => return refuse(ArchiveFault::BadName),
        }
    }
    Ok(())
}

pub(super) fn write(entries: &[&Entry]) -> io::Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Deflated)
            .last_modified_time(zip::DateTime::default())
            .unix_permissions(mode(entry.executable))
            .large_file(entry.bytes.len() > u32::MAX as usize);
        zip.start_file(entry.name.as_str(), options)?;
        zip.write_all(&entry.bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Returns whether a file is a zip that names a behavior or a project. It reads only the list of entries, so that a
/// search in folders can pass over all the other zips that there are.
pub fn is_zip_of_behaviors(path: &Path) -> bool {
    let archive = File::open(path).ok().and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
    let Some(archive) = archive else { return false };
    let known = |name: &str| {
        let file = name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        file.ends_with(".xar") || file.ends_with(".pml") || file.starts_with("l0_") && file.ends_with(".xml")
    };
    archive.file_names().any(|name| name.is_ok_and(|name| known(&name)))
}

/// Returns the number of bytes after the record that ends a zip: 22 bytes from its magic number on, then the comment.
fn after_end(bytes: &[u8], comment: &[u8]) -> u64 {
    let record = bytes.windows(4).rposition(|w| w == b"PK\x05\x06").unwrap_or(bytes.len());
    bytes.len().saturating_sub(record + 22 + comment.len()) as u64
}

/// Returns the first name that occurs twice. The zip reader keeps only one entry of a name, so this searches the
/// headers of the central directory: each begins with a magic number and has the length of its name at offset 28.
fn duplicate(bytes: &[u8]) -> Option<String> {
    let mut seen = std::collections::HashSet::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(4).position(|w| w == b"PK\x01\x02") {
        let header = rest.get(at..)?;
        let length = usize::from(u16::from_le_bytes([*header.get(28)?, *header.get(29)?]));
        let name = header.get(46..46 + length)?;
        if !seen.insert(name) {
            return Some(String::from_utf8_lossy(name).into_owned());
        }
        rest = header.get(46 + length..)?;
    }
    None
}
