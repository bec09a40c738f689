//! Properties that hold for any input bytes, one function per kind of file. The fuzzers call them, and `tests/seeds.rs`
//! calls them for the seeds in `fuzz/seeds`. A violated property panics.

use super::assert_same;
use crate::archive::{ArchiveKind, Entry, ar, pack, unpack};
use crate::error::Problem;
use crate::project::{normal, read_manifest, read_pml, read_translations};
use crate::split::{self, Folder};
use crate::write::write_xar;
use crate::{ArchiveLimits, FormatError, Limits, paths, read_xar, resolve};
use std::collections::HashSet;

/// Returns limits that are low enough for many runs per second.
fn limits() -> Limits {
    let archive = ArchiveLimits { entries: 500, bytes: 4 << 20, ..ArchiveLimits::default() };
    Limits { findings: 50, archive, ..Limits::default() }
}

fn explain(error: &FormatError) {
    let _ = (error.to_string(), error.diagnostic());
    if let Some(span) = error.span() {
        assert!(error.sources().text(span.file).get(span.start as usize..span.end as usize).is_some());
    }
}

/// Checks that a readable `.xar` is written back byte for byte, that the model and the canonical layout preserve its
/// content, that the canonical layout is stable, and that the path of every box leads back to it.
pub fn xar(bytes: &[u8]) {
    let limits = limits();
    let file = match read_xar("x.xar", bytes, &limits) {
        Ok(file) => file,
        Err(error) => return explain(&error),
    };
    assert_eq!(file.to_bytes(), bytes);
    for at in paths::boxes(&file.project) {
        for diagram in paths::diagrams(&at.path, at.def) {
            resolve::resolve(at.def, diagram.diagram);
        }
        assert!(paths::find(&file.project, &at.path).is_ok());
    }
    let text = write_xar(&file.project, &file.sources).unwrap_or_else(|e| panic!("{e}"));
    let again = read_xar("x.xar", text.as_bytes(), &limits).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_same((&file.project, &file.sources), (&again.project, &again.sources));
    let laid_out = file.formatted(&limits).unwrap_or_else(|e| panic!("{e}"));
    assert_same((&file.project, &file.sources), (&laid_out.project, &laid_out.sources));
    let twice = laid_out.formatted(&limits).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(twice.text(), laid_out.text());
}

/// Parses a split folder from one text, in which a line `== name` begins a file; the text before the first such line is
/// `l0_root.xml`.
pub fn folder(bytes: &[u8]) -> Folder {
    let mut folder = Folder::new();
    let mut name = String::from("l0_root.xml");
    for line in bytes.split_inclusive(|b| *b == b'\n') {
        match line.strip_prefix(b"== ") {
            Some(next) => {
                name = String::from_utf8_lossy(next).trim().to_owned();
                folder.insert(name.clone(), Vec::new());
            }
            None => folder.entry(name.clone()).or_default().extend_from_slice(line),
        }
    }
    folder
}

/// Checks that a readable split folder is equal to its `.xar`, and that writing it gives a folder with the same model,
/// which is then stable byte for byte. The only permitted error of writing is that the folder is too large.
pub fn split_folder(folder: &Folder) {
    let limits = Limits { bytes: 1 << 20, ..limits() };
    let file = match split::read("folder", folder, &limits) {
        Ok(file) => file,
        Err(error) => return explain(&error),
    };
    for at in paths::boxes(&file.project) {
        assert!(paths::find(&file.project, &at.path).is_ok());
    }
    let xar = read_xar("x.xar", split::as_xar(&file).as_bytes(), &limits).unwrap_or_else(|e| panic!("{e}"));
    assert_same((&file.project, &file.sources), (&xar.project, &xar.sources));
    let written = match split::write(&file, &limits) {
        Ok(written) => written,
        Err(error) if matches!(error.problem(), Problem::Limit(..)) => return explain(&error),
        Err(error) => panic!("{error}"),
    };
    // The names are distinct and valid on every system.
    let lower: HashSet<String> = written.keys().map(|name| name.to_ascii_lowercase()).collect();
    assert_eq!(lower.len(), written.len(), "{:?}", written.keys());
    let plain =
        |name: &String| name.len() < 200 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.".contains(&b));
    assert!(written.keys().all(plain), "{:?}", written.keys());
    let again = split::read("folder", &written, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_same((&file.project, &file.sources), (&again.project, &again.sources));
    let twice = split::write(&again, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(twice.keys().eq(written.keys()), "{:?}\n{:?}", twice.keys(), written.keys());
    for (name, bytes) in &written {
        assert_eq!(twice[name].escape_ascii().to_string(), bytes.escape_ascii().to_string(), "{name}");
    }
}

/// Checks [`split_folder`] for a folder in one text, see [`folder`].
pub fn split(bytes: &[u8]) {
    split_folder(&folder(bytes));
}

/// Checks that a readable ar can be written so that it reads back equal.
pub fn ar(bytes: &[u8]) {
    match ar::members(bytes) {
        Ok(members) => {
            let pairs: Vec<_> = members.iter().map(|m| (m.name.as_str(), m.data)).collect();
            assert_eq!(ar::members(&ar::write(&pairs)), Ok(members));
        }
        Err((_, fault)) => assert!(!fault.to_string().is_empty()),
    }
}

/// Names that programs on a reader's computer would obey, in the spellings that fuzzers find.
const OBEYED: [&str; 6] = [".git", "git~1", ".hg", ".svn", ".vscode", ".envrc"];

/// Checks that unpacking an archive yields no file that programs on a reader's computer would obey, and that packing
/// its entries gives an archive with equal entries.
fn archive(bytes: &[u8], kind: ArchiveKind) {
    let mut entries = match unpack("x", bytes, &limits()) {
        Ok(entries) => entries,
        Err(error) => return explain(&error),
    };
    for Entry { name, .. } in &entries {
        assert!(!name.is_empty() && name.split('/').all(|part| !matches!(part, "" | "." | "..")), "{name:?}");
        let mut parts = name.split('/').map(|part| part.trim_end_matches(['.', ' ']).to_ascii_lowercase());
        assert!(!parts.any(|part| OBEYED.contains(&part.as_str())), "{name:?}");
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    let packed = pack(kind, "x", &entries).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(unpack("x", &packed, &Limits::default()).unwrap_or_else(|e| panic!("{e}")), entries);
}

/// Checks a `.crg`, and also uses the bytes as the tar inside one, because a fuzzer rarely gets past gzip's checksum.
pub fn crg(bytes: &[u8]) {
    archive(bytes, ArchiveKind::Crg);
    archive(&ar::write(&[("data.tar", bytes)]), ArchiveKind::Crg);
}

/// Checks a `.pkg`.
pub fn pkg(bytes: &[u8]) {
    archive(bytes, ArchiveKind::Pkg);
}

/// Checks a `manifest.xml`, and a `.ts`.
pub fn manifest(bytes: &[u8]) {
    let manifest = read_manifest("manifest.xml", bytes, &limits());
    manifest.err().iter().for_each(explain);
    read_translations("x.ts", bytes, &limits()).err().iter().for_each(explain);
}

/// Checks a `.pml`: an ignored path is ignored with everything inside it.
pub fn pml(bytes: &[u8]) {
    let pml = match read_pml("x.pml", bytes, &limits()) {
        Ok(pml) => pml,
        Err(error) => return explain(&error),
    };
    for path in pml.ignored.iter().filter_map(|path| normal("", path)).filter(|path| !path.is_empty()) {
        assert!(pml.ignores(&path) && pml.ignores(&format!("{path}/x")), "{path:?}");
    }
}
