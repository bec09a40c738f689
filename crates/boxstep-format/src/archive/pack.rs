//! Writing of archives. The same files always give the same bytes: they are sorted and written without times, owners
//! and machine names.

use super::{ArchiveKind, Entry, ar, zipped};
use crate::error::{FormatError, Problem};
use flate2::{Compression, GzBuilder};
use std::io;

/// Packs these files. `name` is the project's name, for the envelope of a `.crg`.
pub fn pack(kind: ArchiveKind, name: &str, entries: &[Entry]) -> Result<Vec<u8>, FormatError> {
    let mut sorted: Vec<&Entry> = entries.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let packed = match kind {
        ArchiveKind::Crg | ArchiveKind::Cbl => crg(name, &sorted),
        ArchiveKind::Pkg | ArchiveKind::Zip => zipped::write(&sorted),
    };
    packed.map_err(|e| FormatError::new(Problem::Unpackable(name.to_owned(), e.to_string())))
}

fn crg(name: &str, entries: &[&Entry]) -> io::Result<Vec<u8>> {
    let data = tar_gz(entries.iter().map(|e| (e.name.as_str(), e.bytes.as_slice(), e.executable)))?;
    // The content of the envelope that Choregraphe writes is not documented, and no program that reads a .crg looks at
    // it.
    let word: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
    let control = format!("Package: {}\nVersion: 0\nArchitecture: all\n", word.trim_matches('-'));
    let control = tar_gz([("control", control.as_bytes(), false)])?;
    Ok(ar::write(&[("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)]))
}

fn tar_gz<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8], bool)>) -> io::Result<Vec<u8>> {
    let gzip = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for (name, bytes, executable) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(mode(executable));
        header.set_mtime(0);
        tar.append_data(&mut header, name, bytes)?;
    }
    tar.into_inner()?.finish()
}

pub(super) fn mode(executable: bool) -> u32 {
    if executable { 0o755 } else { 0o644 }
}
