//! Disks that are folders of this computer, behind a server with faults, and packages of every kind.

use boxstep_rescue::copy::Watch;
use boxstep_rescue::disk::{DiskError, DiskPath};
use boxstep_rescue::served::{Server, Stream, streams};
use boxstep_rescue::sftp::Sftp;
use boxstep_types::Random;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::rc::Rc;
use tempfile::TempDir;

/// What goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cut {
    Never,
    /// The connection ends after so many answers.
    After(usize),
    /// The disk takes so many bytes.
    Full(usize),
    /// Files with this in their path may not be opened.
    Denied(&'static [u8]),
}

type Ask = Box<dyn FnMut(&[u8]) -> io::Result<Vec<u8>>>;
pub(crate) type Served = Sftp<Stream<Ask>, Stream<Ask>>;

/// Connects to a folder that is a disk.
pub(crate) fn disk(root: &Path, cut: Cut) -> Result<Served, DiskError> {
    counted(root, cut).0
}

/// Also tells how many answers there were.
pub(crate) fn counted(root: &Path, cut: Cut) -> (Result<Served, DiskError>, Rc<Cell<usize>>) {
    let (mut server, answers, mut taken) = (Server::new(root), Rc::new(Cell::new(0)), 0);
    let count = answers.clone();
    let ask: Ask = Box::new(move |message| {
        match cut {
            Cut::After(most) if count.get() >= most => return Err(io::ErrorKind::BrokenPipe.into()),
            Cut::Denied(path) if message[0] == 3 && message.windows(path.len()).any(|some| some == path) => {
                let words = [&17_u32.to_be_bytes()[..], b"Permission denied", &[0; 4]].concat();
                return Ok([&[101][..], &message[1..5], &3_u32.to_be_bytes(), &words].concat());
            }
            // A message that writes has little but its bytes.
            Cut::Full(room) if message[0] == 6 && taken + message.len() > room => {
                let words = b"No space left on device";
                let length = (words.len() as u32).to_be_bytes();
                return Ok([&[101][..], &message[1..5], &4_u32.to_be_bytes(), &length, words, &[0; 4]].concat());
            }
            _ => {}
        }
        taken += if message[0] == 6 { message.len() } else { 0 };
        count.set(count.get() + 1);
        Ok(server.answer(message))
    });
    let (from, to) = streams(ask);
    (Sftp::open(from, to), answers)
}

/// A disk with a home and nothing in it.
pub(crate) fn empty() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("home/nao")).unwrap();
    root
}

/// Where packages are, on a disk.
pub(crate) const APPS: &str = "home/nao/.local/share/PackageManager/apps";

/// A disk with so many packages: names in any encoding, links, empty files and long ones.
pub(crate) fn full_of(packages: usize, seed: u64) -> TempDir {
    let (root, mut random) = (empty(), Random::new(seed));
    let apps = root.path().join(APPS);
    for number in 0..packages {
        let folder = apps.join(format!("app-{number}"));
        fs::create_dir_all(&folder).unwrap();
        let manifest = format!(
            "<?xml version='1.0' encoding='UTF-8'?>\n<package version=\"1.0.{number}\" uuid=\"app-{number}\"/>\n"
        );
        fs::write(folder.join("manifest.xml"), manifest).unwrap();
        for _ in 0..below(&mut random, 4) {
            let within = match below(&mut random, 3) {
                0 => folder.clone(),
                _ => folder.join(OsStr::from_bytes(&name(&mut random))),
            };
            if !within.is_dir() && fs::create_dir_all(&within).is_err() {
                continue;
            }
            let path = within.join(OsStr::from_bytes(&name(&mut random)));
            if fs::symlink_metadata(&path).is_ok() {
                continue;
            }
            match below(&mut random, 8) {
                0 => symlink(["manifest.xml", "..", "/etc/passwd", "nowhere", "."][below(&mut random, 5)], &path)
                    .unwrap(),
                1 => symlink(OsStr::from_bytes(&name(&mut random)), &path).unwrap(),
                kind => {
                    let length = if kind == 2 { 0 } else { below(&mut random, 70_000) };
                    let first = below(&mut random, 256) as u8;
                    let bytes: Vec<u8> = (0..length).map(|at| first.wrapping_add((at * at / 7) as u8)).collect();
                    fs::write(&path, bytes).unwrap();
                    let mode = if below(&mut random, 4) == 0 { 0o755 } else { 0o644 };
                    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
                }
            }
        }
    }
    root
}

fn below(random: &mut Random, end: usize) -> usize {
    (random.unit() * end as f64) as usize
}

/// A name of a file: in UTF-8, Latin-1, Shift JIS or nothing of it, and what other systems or programs obey.
fn name(random: &mut Random) -> Vec<u8> {
    const NAMES: [&[u8]; 24] = [
        b"behavior_1",
        b"sound.wav",
        b"readme",
        b"README",
        "café".as_bytes(),
        "cafe\u{301}".as_bytes(),
        b"caf\xe9",
        b"\x93\xfa\x96{.top",
        "日本語.top".as_bytes(),
        b"\xff\xfe",
        b"a:b",
        b"a\\b",
        b"100%",
        b"100%25",
        b"%E9",
        b"con",
        b"aux.py",
        b".hidden",
        b".git",
        b"dot.",
        b"line\nbreak",
        b"tab\t",
        "\u{202e}gpj".as_bytes(),
        b" space ",
    ];
    let mut name = NAMES[below(random, NAMES.len())].to_vec();
    match below(random, 6) {
        0 => name.extend((0..below(random, 200)).map(|_| 1 + (below(random, 46)) as u8)),
        1 => name.extend((0..below(random, 20)).map(|_| 128 + (below(random, 128)) as u8)),
        2 => name.extend(below(random, 100).to_string().bytes()),
        _ => {}
    }
    name
}

/// What a folder has: files with their bytes and permissions, links with where they lead, by their paths.
pub(crate) fn tree(folder: &Path) -> BTreeMap<Vec<u8>, (Vec<u8>, u32)> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().as_bytes().to_vec();
        let metadata = fs::symlink_metadata(&path).unwrap();
        // What was cut while it was sent.
        if boxstep_rescue::temporary::is_temporary(&name) {
            continue;
        }
        if metadata.is_dir() {
            all.extend(tree(&path).into_iter().map(|(inner, what)| ([&name[..], b"/", &inner].concat(), what)));
        } else if metadata.is_symlink() {
            all.insert(name, (fs::read_link(&path).unwrap().into_os_string().into_vec(), 0o777));
        } else {
            all.insert(name, (fs::read(&path).unwrap(), metadata.permissions().mode() & 0o777));
        }
    }
    all
}

/// One who watches, and says nothing.
#[derive(Default)]
pub(crate) struct Silent;

impl Watch for Silent {
    fn found(&mut self, _: usize, _: u64) {}
    fn file(&mut self, _: &DiskPath) {}
    fn known(&mut self, _: u64) {}
    fn bytes(&mut self, _: u64) {}
    fn done(&mut self, _: bool) {}
    fn is_over(&mut self) -> bool {
        false
    }
}
