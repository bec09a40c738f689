//! Archives: packing and unpacking are inverse, every kind opens, and entries that could do harm are refused.

use boxstep_format::archive::{ArchiveFault, ArchiveKind, Entry, Oddity, ar, pack, read, read_folder, unpack};
use boxstep_format::project::OpenedKind;
use boxstep_format::{ArchiveLimits, Limits, Opened, Problem, codes, open};
use flate2::{Compression, write::GzEncoder};
use proptest::prelude::*;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use tar::{EntryType, Header};
use tempfile::TempDir;

const XAR: &[u8] = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"/></ChoregrapheProject>"#;
const KINDS: [ArchiveKind; 3] = [ArchiveKind::Crg, ArchiveKind::Cbl, ArchiveKind::Pkg];

fn entry(name: &str, bytes: &[u8]) -> Entry {
    Entry { name: name.to_owned(), bytes: bytes.to_owned(), executable: false }
}

fn fault_with(bytes: &[u8], limits: &Limits) -> (Option<String>, ArchiveFault) {
    let error = unpack("x.crg", bytes, limits).expect_err("it should be refused");
    match error.problem() {
        Problem::Archive { archive, entry, fault } => {
            assert_eq!(archive, "x.crg");
            (entry.clone(), fault.clone())
        }
        other => panic!("{other}"),
    }
}

fn fault(bytes: &[u8]) -> (Option<String>, ArchiveFault) {
    fault_with(bytes, &Limits::default())
}

/// Returns a tar header that no sound program would write.
fn raw_header(name: &[u8], kind: EntryType, size: u64) -> Header {
    let mut header = Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(kind);
    header.set_size(size);
    header.set_mode(0o644);
    header.set_cksum();
    header
}

fn crg_of_tar(tar: &[u8]) -> Vec<u8> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(tar).unwrap();
    ar::write(&[("data.tar.gz", &gzip.finish().unwrap())])
}

fn crg(entries: &[(&str, EntryType, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for (name, kind, bytes) in entries {
        tar.append(&raw_header(name.as_bytes(), *kind, bytes.len() as u64), *bytes).unwrap();
    }
    crg_of_tar(&tar.into_inner().unwrap())
}

fn zip(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut bytes = bytes.to_vec();
    let mut at = 0;
    while let Some(i) = bytes[at..].windows(from.len()).position(|w| w == from) {
        bytes[at + i..at + i + to.len()].copy_from_slice(to);
        at += i + to.len();
    }
    bytes
}

#[test]
fn what_is_packed_comes_out_to_the_byte() {
    let long = format!("{}/{}.wav", "folder".repeat(20), "name".repeat(20));
    let mut program = entry("bin/run", b"#!/bin/sh\n");
    program.executable = true;
    let entries = vec![entry("behavior.xar", XAR), program, entry("empty", b""), entry(&long, &[0, 255, 10, 13])];
    for kind in KINDS {
        let bytes = pack(kind, "My Project", &entries).unwrap();
        let mut sorted = entries.clone();
        sorted.sort_by(|a, b| a.name.cmp(&b.name));
        assert_eq!(unpack("x", &bytes, &Limits::default()).unwrap(), sorted, "{kind:?}");
        let mut reversed = entries.clone();
        reversed.reverse();
        assert_eq!(pack(kind, "My Project", &reversed).unwrap(), bytes, "the same files are the same bytes");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_files_come_out_to_the_byte(
        files in proptest::collection::btree_map("[a-zé]{1,4}/[a-z ]{1,120}\\.x", any::<Vec<u8>>(), 0..5)
    ) {
        let entries: Vec<Entry> = files.iter().map(|(name, bytes)| entry(name, bytes)).collect();
        for kind in KINDS {
            let bytes = pack(kind, "p", &entries).unwrap();
            prop_assert_eq!(&unpack("x", &bytes, &Limits::default()).unwrap(), &entries);
        }
    }

    #[test]
    fn no_bytes_make_a_reader_panic(noise in any::<Vec<u8>>(), cut in any::<usize>(), at in any::<usize>()) {
        for kind in KINDS {
            let mut bytes = pack(kind, "p", &[entry("a/b.xar", XAR), entry("c", &noise)]).unwrap();
            let _ = unpack("x", &bytes[..cut % bytes.len()], &Limits::default());
            let at = at % bytes.len();
            bytes[at] ^= 1 << (cut % 8);
            let _ = unpack("x", &bytes, &Limits::default());
        }
        let _ = unpack("x", &[ar::MAGIC, &noise].concat(), &Limits::default());
        let _ = unpack("x", &[b"PK\x03\x04", noise.as_slice()].concat(), &Limits::default());
        let _ = unpack("x", &crg_of_tar(&noise), &Limits::default());
    }
}

#[test]
fn names_that_lead_out_are_refused() {
    for name in ["../a", "a/../../b", "a/..", "/etc/passwd", "C:/x", "a\\..\\..\\b", "\\x"] {
        assert_eq!(fault(&crg(&[(name, EntryType::Regular, b"x")])), (Some(name.into()), ArchiveFault::BadName));
        assert_eq!(fault(&zip(&[(name, b"x")])), (Some(name.into()), ArchiveFault::BadName), "zip");
    }
    let not_text = {
        let mut tar = tar::Builder::new(Vec::new());
        tar.append(&raw_header(b"\xFFa", EntryType::Regular, 0), &b""[..]).unwrap();
        crg_of_tar(&tar.into_inner().unwrap())
    };
    assert_eq!(fault(&not_text).1, ArchiveFault::BadName);
}

#[test]
fn plain_spellings_of_a_name_are_one() {
    let bytes = crg(&[("./", EntryType::Directory, b""), ("./a/b", EntryType::Regular, b"x")]);
    assert_eq!(unpack("x", &bytes, &Limits::default()).unwrap(), [entry("a/b", b"x")]);
    let twice = crg(&[("a", EntryType::Regular, b"x"), ("./a", EntryType::Regular, b"y")]);
    assert_eq!(fault(&twice), (Some("a".into()), ArchiveFault::Duplicate));
}

#[test]
fn links_and_devices_are_refused() {
    for (kind, what) in [
        (EntryType::Symlink, "a symbolic link"),
        (EntryType::Link, "a hard link"),
        (EntryType::Char, "a device"),
        (EntryType::Block, "a device"),
        (EntryType::Fifo, "a pipe"),
    ] {
        assert_eq!(fault(&crg(&[("a", kind, b"")])), (Some("a".into()), ArchiveFault::NotAFile(what)));
    }
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    zip.add_symlink("a", "/etc/passwd", zip::write::SimpleFileOptions::default()).unwrap();
    let zip = zip.finish().unwrap().into_inner();
    assert_eq!(fault(&zip), (Some("a".into()), ArchiveFault::NotAFile("a symbolic link")));
}

#[test]
fn a_name_stands_once_and_for_one_thing() {
    let file = EntryType::Regular;
    assert_eq!(fault(&crg(&[("a", file, b"x"), ("a", file, b"x")])), (Some("a".into()), ArchiveFault::Duplicate));
    let both = ArchiveFault::FileAndFolder;
    assert_eq!(fault(&crg(&[("a", file, b"x"), ("a/b", file, b"x")])), (Some("a".into()), both.clone()));
    assert_eq!(fault(&crg(&[("a/b", file, b"x"), ("a", file, b"x")])), (Some("a".into()), both.clone()));
    assert_eq!(fault(&crg(&[("a", file, b"x"), ("a/", EntryType::Directory, b"")])).1, both);
    let zip = replaced(&zip(&[("first", b"x"), ("other", b"y")]), b"other", b"first");
    assert_eq!(fault(&zip), (Some("first".into()), ArchiveFault::Duplicate));
    let members = ar::write(&[("data.tar.gz", b""), ("data.tar.gz", b"")]);
    assert_eq!(fault(&members), (Some("data.tar.gz".into()), ArchiveFault::Duplicate));
}

#[test]
fn encrypted_entries_are_refused() {
    let bytes = zip(&[("a", b"x")]);
    let mut encrypted = bytes.clone();
    // Bit 0 of the flags is at offset 6 of a local header and at offset 8 of a central one.
    encrypted[6] |= 1;
    let central = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    encrypted[central + 8] |= 1;
    assert_eq!(fault(&encrypted), (Some("a".into()), ArchiveFault::Encrypted));
}

#[test]
fn limits_hold() {
    let small = |archive: ArchiveLimits| Limits { archive, ..Limits::default() };
    let two = [entry("a/b", b"xxxxx"), entry("c", b"yyyyy")];
    let all = ArchiveLimits::default();
    for kind in KINDS {
        let bytes = pack(kind, "p", &two).unwrap();
        let with = |limits| fault_with(&bytes, &small(limits)).1;
        assert_eq!(with(ArchiveLimits { entries: 1, ..all.clone() }), ArchiveFault::TooMany(1));
        assert_eq!(with(ArchiveLimits { bytes: 9, ..all.clone() }), ArchiveFault::TooLarge(9));
        assert_eq!(with(ArchiveLimits { depth: 1, ..all.clone() }), ArchiveFault::TooDeep(1));
        assert_eq!(with(ArchiveLimits { name: 2, ..all.clone() }), ArchiveFault::LongName(2));
        let exact = ArchiveLimits { entries: 3, bytes: 10, depth: 2, name: 3, ..all.clone() };
        assert_eq!(unpack("x", &bytes, &small(exact)).unwrap().len(), 2);
    }
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let zeros = vec![0; 40 << 20];
    for kind in KINDS {
        let bomb = pack(kind, "p", &[entry("bomb", &zeros)]).unwrap();
        assert!(bomb.len() < zeros.len() / 300);
        assert_eq!(fault(&bomb).1, ArchiveFault::TooDense(200), "{kind:?}");
    }
    // The data of a long name does not count as bytes of an entry, so only the limit on the stream bounds it.
    let long_name = crg(&[("././@LongLink", EntryType::GNULongName, &zeros)]);
    let few = Limits { archive: ArchiveLimits { entries: 100, ..ArchiveLimits::default() }, ..Limits::default() };
    assert_eq!(fault_with(&long_name, &few).1, ArchiveFault::TooDense(200));
}

#[test]
fn damage_is_told() {
    assert_eq!(fault(b"nothing"), (None, ArchiveFault::NotAnArchive));
    assert_eq!(fault(&ar::write(&[("debian-binary", b"2.0\n")])), (None, ArchiveFault::NoData));
    let whole = pack(ArchiveKind::Crg, "p", &[entry("a", XAR)]).unwrap();
    let (name, ArchiveFault::Damaged(why)) = fault(&whole[..whole.len() - 20]) else { panic!() };
    assert_eq!(name.as_deref(), Some("data.tar.gz"));
    assert!(why.contains("ends inside"), "{why}");
    let whole = pack(ArchiveKind::Pkg, "p", &[entry("a", XAR)]).unwrap();
    assert!(matches!(fault(&whole[..whole.len() - 5]).1, ArchiveFault::Damaged(_)));
    let error = unpack("x.pkg", b"?", &Limits::default()).unwrap_err();
    assert_eq!(
        (error.code(), error.to_string()),
        (codes::ARCHIVE_DAMAGED, "x.pkg: this is neither an ar nor a zip archive".into())
    );
}

fn opened(folder: &TempDir, name: &str, bytes: &[u8]) -> Opened {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    open(&path, &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn two() -> Vec<Entry> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/projects/two");
    read_folder(&folder, &Limits::default()).unwrap()
}

#[test]
fn every_kind_of_archive_opens() {
    let place = TempDir::new().unwrap();
    for (name, kind) in [("two.crg", ArchiveKind::Crg), ("two.pkg", ArchiveKind::Pkg), ("two.cbl", ArchiveKind::Cbl)] {
        let all = opened(&place, name, &pack(kind, "two", &two()).unwrap());
        assert_eq!((all.kind, all.behaviors.len()), (OpenedKind::Project, 2), "{name}");
        let dance = all.behavior("dance").unwrap();
        assert_eq!(dance.shown, place.path().join(name).join("dance/behavior.xar").to_string_lossy());
        assert_eq!(&*dance.read(&Limits::default()).unwrap().project.root.name, "root");
        assert!(all.translations("German", &Limits::default()).unwrap().is_some());
        // Scripts and sounds open files by their paths.
        let file = all.attached(dance, "/../manifest.xml").unwrap();
        assert_eq!(fs::read(file).unwrap(), two().iter().find(|e| e.name == "manifest.xml").unwrap().bytes);
        let unpacked = all.folder.clone();
        let copy = all.clone();
        drop(all);
        assert!(unpacked.is_dir(), "a copy still needs it");
        drop(copy);
        assert!(!unpacked.exists(), "what was unpacked is gone with the last copy");
    }
}

#[test]
fn the_project_of_an_archive_may_stand_in_a_folder() {
    let place = TempDir::new().unwrap();
    let bytes = pack(ArchiveKind::Crg, "x", &[entry("outer/inner/behavior.xar", XAR)]).unwrap();
    let all = opened(&place, "x.crg", &bytes);
    assert_eq!((all.kind, all.behaviors.len()), (OpenedKind::Behavior, 1));
    assert!(all.behaviors[0].shown.ends_with("x.crg/outer/inner/behavior.xar"));
}

#[test]
fn a_library_lists_its_boxes() {
    let place = TempDir::new().unwrap();
    let library = XAR.to_vec();
    let entries = [entry("Motions/Wave%3a left/box.xar", &library), entry("Sit.xar", &library), entry("x.png", b"")];
    let all = opened(&place, "own.cbl", &pack(ArchiveKind::Cbl, "own", &entries).unwrap());
    let names: Vec<_> = all.behaviors.iter().map(|b| b.name.as_str()).collect();
    assert_eq!((all.kind, names), (OpenedKind::Library, vec!["Motions/Wave: left", "Sit"]));
    assert!(all.behaviors[1].read(&Limits::default()).is_ok());
}

#[test]
fn an_archive_is_known_by_its_first_bytes() {
    let place = TempDir::new().unwrap();
    let bytes = pack(ArchiveKind::Pkg, "two", &two()).unwrap();
    assert_eq!(opened(&place, "two.zip", &bytes).behaviors.len(), 2);
    assert_eq!(opened(&place, "two.crg", &bytes).behaviors.len(), 2);
}

#[test]
fn nobody_elses_project_is_found_around_an_archive() {
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("near.pml"), "<Package name=\"near\" format_version=\"4\"/>").unwrap();
    let all = opened(&place, "x.crg", &pack(ArchiveKind::Crg, "x", &[entry("behavior.xar", XAR)]).unwrap());
    assert_eq!((all.kind, all.behaviors[0].name.as_str()), (OpenedKind::Behavior, "."));
    assert_eq!(all.name, "x");
    let temp = std::env::temp_dir().canonicalize().unwrap();
    let root = boxstep_format::project::project_root(&all.behaviors[0].folder);
    assert!(root.starts_with(&temp) && root != temp, "{}", root.display());
}

#[test]
fn what_an_archive_has_no_behavior_for_is_told_by_its_name() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("x.pkg");
    fs::write(&path, pack(ArchiveKind::Pkg, "x", &[entry("readme", b"")]).unwrap()).unwrap();
    let error = open(&path, &Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("{} is an archive without .pml, manifest.xml and .xar", path.display()));
    let broken = [entry("a.pml", b"<Package name='a' format_version='4'>")];
    fs::write(&path, pack(ArchiveKind::Pkg, "x", &broken).unwrap()).unwrap();
    let error = open(&path, &Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}/a.pml:1:1: ", path.display())), "{error}");
}

#[test]
#[cfg(unix)]
fn a_folder_with_a_link_is_not_packed() {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join(".git")).unwrap();
    fs::write(place.path().join(".git/config"), "").unwrap();
    fs::write(place.path().join("a"), "x").unwrap();
    assert_eq!(read_folder(place.path(), &Limits::default()).unwrap(), [entry("a", b"x")]);
    std::os::unix::fs::symlink("/etc/passwd", place.path().join("b")).unwrap();
    let error = read_folder(place.path(), &Limits::default()).unwrap_err();
    assert_eq!(error.code(), codes::ARCHIVE_ENTRY);
    assert!(error.to_string().contains("/b: it is a symbolic link"), "{error}");
}

fn oddities(bytes: &[u8]) -> Vec<Oddity> {
    let contents = read("x.crg", bytes, &Limits::default()).unwrap();
    for oddity in &contents.oddities {
        assert!(oddity.diagnostic("x.crg").message.starts_with("x.crg: "));
    }
    contents.oddities
}

#[test]
fn names_that_others_take_otherwise_are_told() {
    let files: [(&str, EntryType, &[u8]); 5] = [
        ("a\\b.xar", EntryType::Regular, XAR),
        ("Say.wav", EntryType::Regular, b"1"),
        ("say.wav", EntryType::Regular, b"2"),
        ("what?.txt", EntryType::Regular, b"3"),
        ("behavior.xar", EntryType::Regular, XAR),
    ];
    let [backslash, case, windows] = oddities(&crg(&files)).try_into().unwrap();
    assert_eq!(backslash, Oddity::Backslash("a\\b.xar".into()));
    assert_eq!(case, Oddity::OnlyCase("say.wav".into(), "Say.wav".into()));
    assert!(matches!(&windows, Oddity::NotOnWindows(name, _) if name == "what?.txt"));
    for odd in [backslash, case, windows] {
        assert_eq!(odd.diagnostic("x.crg").code, codes::ARCHIVE_ODD_NAME);
    }
    // A zip gives the same oddity, and normal names give none.
    assert_eq!(oddities(&zip(&[("a\\b.xar", XAR)])), [Oddity::Backslash("a\\b.xar".into())]);
    assert_eq!(oddities(&zip(&[("behavior.xar", XAR), ("html/index.html", b"<p/>")])), []);
}

#[test]
fn what_stands_beside_the_files_is_told_and_not_read() {
    let sound = crg(&[("behavior.xar", EntryType::Regular, XAR)]);
    assert_eq!(oddities(&sound), []);
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&raw_header(b"behavior.xar", EntryType::Regular, XAR.len() as u64), XAR).unwrap();
    let mut tar = tar.into_inner().unwrap();
    tar.extend([0; 512]);
    assert_eq!(oddities(&crg_of_tar(&tar)), [], "zeros are padding");
    tar.extend(b"more");
    assert_eq!(oddities(&crg_of_tar(&tar)), [Oddity::Surplus(4, "tar")]);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&tar[..tar.len() - 4]).unwrap();
    let mut gzip = gzip.finish().unwrap();
    gzip.extend([0; 7]);
    assert_eq!(oddities(&ar::write(&[("data.tar.gz", &gzip)])), [], "zeros are padding here too");
    gzip.extend(b"more");
    assert_eq!(oddities(&ar::write(&[("data.tar.gz", &gzip)])), [Oddity::Surplus(11, "gzip")]);
    let members = [("debian-binary", &b"2.0\n"[..]), ("control.tar.gz", b""), ("data.tar", &tar[..tar.len() - 4])];
    assert_eq!(oddities(&ar::write(&members)), []);
    let with = [members.as_slice(), &[("other.txt", b"x")]].concat();
    assert_eq!(oddities(&ar::write(&with)), [Oddity::Unread("other.txt".into())]);
    let zipped = zip(&[("behavior.xar", XAR)]);
    assert_eq!(oddities(&[zipped.as_slice(), b"after"].concat()), [Oddity::Surplus(5, "zip")]);
    assert_eq!(oddities(&zip(&[])), [Oddity::Empty]);
    for odd in [Oddity::Surplus(1, "tar"), Oddity::Unread("x".into())] {
        assert_eq!(odd.diagnostic("x").code, codes::ARCHIVE_SURPLUS);
    }
}

#[test]
fn a_gzip_whose_sum_is_wrong_is_damaged() {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    let mut tar = tar::Builder::new(Vec::new());
    tar.append(&raw_header(b"behavior.xar", EntryType::Regular, XAR.len() as u64), XAR).unwrap();
    gzip.write_all(&tar.into_inner().unwrap()).unwrap();
    let mut gzip = gzip.finish().unwrap();
    let sum = gzip.len() - 8;
    gzip[sum] ^= 1;
    assert!(matches!(fault(&ar::write(&[("data.tar.gz", &gzip)])), (None, ArchiveFault::Damaged(_))));
}

#[test]
fn an_archive_of_another_kind_than_its_name_says_is_read_and_told() {
    let folder = TempDir::new().unwrap();
    let codes_of = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let opened = open(&path, &Limits::default()).unwrap();
        opened.findings.iter().map(|f| f.code).collect::<Vec<_>>()
    };
    let manifest = b"<package><contents><behaviorContent path='.'/></contents></package>";
    let files = [entry("behavior.xar", XAR), entry("manifest.xml", manifest)];
    let [as_crg, as_pkg] = [ArchiveKind::Crg, ArchiveKind::Pkg].map(|kind| pack(kind, "x", &files).unwrap());
    assert_eq!(codes_of("a.crg", &as_crg), []);
    assert_eq!(codes_of("a.cbl", &as_crg), []);
    assert_eq!(codes_of("a.pkg", &as_pkg), []);
    assert_eq!(codes_of("b.crg", &as_pkg), [codes::ARCHIVE_OTHER_KIND]);
    assert_eq!(codes_of("b.pkg", &as_crg), [codes::ARCHIVE_OTHER_KIND]);
    // Robots look for the manifest at the top of the package.
    let inner = pack(ArchiveKind::Pkg, "x", &[entry("x/behavior.xar", XAR), entry("x/manifest.xml", manifest)]);
    assert_eq!(codes_of("c.pkg", &inner.unwrap()), [codes::MISSING_MANIFEST]);
}

#[test]
fn what_programs_of_a_computer_obey_is_not_unpacked_and_told_first() {
    let regular = EntryType::Regular;
    let kept = [("behavior.xar", regular, XAR), (".gitignore", regular, b"x"), ("a/HEAD", regular, b"a head's name")];
    let left_out: [(&str, EntryType, &[u8]); 9] = [
        (".git/config", regular, b"[core]\nfsmonitor = touch /tmp/x"),
        (".git/HEAD", regular, b"ref: refs/heads/x"),
        ("a/.GIT. /config", regular, b"x"),
        ("b\\.git\\config", regular, b"x"),
        ("GIT~1/config", regular, b"x"),
        (".g\u{200c}it/config", regular, b"x"),
        ("deep/er/.VSCode/tasks.json", regular, b"x"),
        (".envrc", regular, b"x"),
        ("bare/HEAD", regular, b"ref: refs/heads/x\n"),
    ];
    // Oddities beyond the reported number do not hide the files that were left out.
    let odd: Vec<String> = (0..150).map(|n| format!("a{n}?")).collect();
    let odd = odd.iter().map(|name| (name.as_str(), regular, &b"x"[..]));
    let all: Vec<_> = odd.chain(left_out).chain(kept).collect();
    let plain: Vec<_> = all.iter().map(|(name, _, bytes)| (*name, *bytes)).collect();
    for bytes in [crg(&all), zip(&plain)] {
        let contents = read("x", &bytes, &Limits::default()).unwrap();
        let names: Vec<&str> = contents.entries.iter().map(|e| e.name.as_str()).filter(|n| !n.contains('?')).collect();
        assert_eq!(names, ["behavior.xar", ".gitignore", "a/HEAD"]);
        let Oddity::LeftOut(places) = &contents.oddities[0] else { panic!("{:?}", contents.oddities[0]) };
        let expected =
            [".envrc", ".git", ".g\u{200c}it", "GIT~1", "a/.GIT. ", "b/.git", "bare/HEAD", "deep/er/.VSCode"];
        assert_eq!(*places, expected);
        let finding = contents.oddities[0].diagnostic("x");
        assert_eq!(finding.code, codes::ARCHIVE_LEFT_OUT);
        assert!(
            finding.message.contains("`deep/er/.VSCode`") && finding.message.contains("`.g\\u{200c}it`"),
            "{}",
            finding.message
        );
    }
    let folder = TempDir::new().unwrap();
    let opened = opened(&folder, "x.crg", &crg(&all));
    assert!(!opened.folder.join(".git").exists() && opened.folder.join(".gitignore").is_file());
    assert_eq!(opened.findings[0].code, codes::ARCHIVE_LEFT_OUT);
}

#[test]
fn a_folder_is_packed_without_what_would_not_be_unpacked() {
    let place = TempDir::new().unwrap();
    for name in [".git/config", ".vscode/tasks.json", "a/.envrc", "a/b.wav", ".github/workflows/x.yml"] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    let entries = read_folder(place.path(), &Limits::default()).unwrap();
    let names: Vec<&str> = entries.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, [".github/workflows/x.yml", "a/b.wav"]);
    assert_eq!(unpack("x", &pack(ArchiveKind::Pkg, "x", &entries).unwrap(), &Limits::default()).unwrap(), entries);
}

#[test]
fn what_macos_leaves_beside_files_is_not_taken_for_one() {
    let folder = TempDir::new().unwrap();
    let apples: &[u8] = b"\x00\x05\x16\x07";
    let pml = br#"<Package name="app" format_version="4"><BehaviorDescriptions><BehaviorDescription name="b" src="." xar="behavior.xar" /></BehaviorDescriptions></Package>"#;
    let project = zip(&[
        ("app/behavior.xar", XAR),
        ("app/._behavior.xar", apples),
        ("app/app.pml", pml),
        ("app/._app.pml", apples),
        ("__MACOSX/app/._app.pml", apples),
    ]);
    let opened_project = opened(&folder, "p.pkg", &project);
    assert_eq!((opened_project.kind, opened_project.name.as_str()), (OpenedKind::Project, "app"));
    let library = crg(&[
        ("Wave/behavior.xar", EntryType::Regular, XAR),
        ("Wave/._behavior.xar", EntryType::Regular, apples),
        ("Sit.xar", EntryType::Regular, XAR),
        ("__MACOSX/x.xar", EntryType::Regular, apples),
    ]);
    let library = opened(&folder, "l.cbl", &library);
    let names: Vec<&str> = library.behaviors.iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["Sit", "Wave"]);
}
