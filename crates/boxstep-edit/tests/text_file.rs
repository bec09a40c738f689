//! Texts that are edited: line ends, drafts, and what another program has written.

use boxstep_edit::{TextError, TextFile};
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;

fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("talk_enu.top");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn saved(before: &[u8], text: &str) -> Vec<u8> {
    let (_folder, path) = file(before);
    let mut open = TextFile::open(&path).unwrap();
    open.save(open.version(), text).unwrap();
    drop(open);
    fs::read(path).unwrap()
}

#[test]
fn lines_that_stay_keep_their_bytes() {
    assert_eq!(saved(b"a\r\nb\r\nc", "a\nB\nnew\nc"), b"a\r\nB\r\nnew\r\nc");
    assert_eq!(saved("\u{feff}a\nb\n".as_bytes(), "a\nb\nc\n"), "\u{feff}a\nb\nc\n".as_bytes());
    assert_eq!(saved(b"a\r\nb\nc\r\nd", "a\nb\nx\nd"), b"a\r\nb\nx\r\nd");
    assert_eq!(saved(b"", "a\n"), b"a\n");
    assert_eq!(saved(b"a\rb", "a\nb\n"), b"a\rb\n");
}

#[test]
fn what_was_not_saved_is_there_again_and_what_was_leaves_nothing() {
    let (folder, path) = file(b"one\n");
    let mut open = TextFile::open(&path).unwrap();
    open.keep(open.version(), "two\n").unwrap();
    assert!(open.is_changed() && open.is_kept() && fs::read(&path).unwrap() == b"one\n");
    // Only one program at a time.
    assert!(matches!(TextFile::open(&path), Err(TextError::InUse(_))));
    drop(open);
    let mut open = TextFile::open(&path).unwrap();
    assert!(open.recovered() && open.text() == "two\n");
    open.save(open.version(), open.text().to_owned().as_str()).unwrap();
    drop(open);
    assert_eq!(fs::read(&path).unwrap(), b"two\n");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn another_programs_version_is_not_replaced() {
    let (_folder, path) = file(b"one\n");
    let mut open = TextFile::open(&path).unwrap();
    fs::write(&path, "theirs\n").unwrap();
    let version = open.version();
    assert!(matches!(open.save(version, "mine\n"), Err(TextError::Changed(_, theirs)) if theirs == "theirs\n"));
    // Also after a crash.
    drop(open);
    let mut open = TextFile::open(&path).unwrap();
    assert_eq!(open.text(), "mine\n");
    assert!(matches!(open.save(open.version(), "mine\n"), Err(TextError::Changed(..))));
    open.overwrite(open.version(), "mine\n").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"mine\n");
    fs::write(&path, "again\n").unwrap();
    open.follow();
    assert_eq!(open.text(), "again\n");
    assert!(matches!(open.keep(1, "x"), Err(TextError::Stale(_))));
}

#[test]
fn what_is_no_text_says_where() {
    let (_folder, path) = file(b"one\ntwo \xff\n");
    let why = TextFile::open(&path).unwrap_err();
    assert!(why.to_string().ends_with("talk_enu.top:2: this is not UTF-8; convert the file to UTF-8 first"), "{why}");
    let (_folder, path) = file(&vec![b'a'; (1 << 20) + 1]);
    assert!(matches!(TextFile::open(&path), Err(TextError::TooLarge(_))));
    let (_folder, path) = file(b"");
    let mut open = TextFile::open(&path).unwrap();
    open.keep(open.version(), &"a".repeat(300 << 10)).unwrap();
    assert!(!open.is_kept());
}

proptest! {
    /// Whatever ends the lines of a file, a text that was changed and changed back gives its bytes.
    #[test]
    fn a_text_that_is_as_before_has_its_bytes(text in "(\u{feff})?([ab]{0,2}(\r\n|\n|\r)){0,6}[ab]{0,2}") {
        let (_folder, path) = file(text.as_bytes());
        let mut open = TextFile::open(&path).unwrap();
        let before = open.text().to_owned();
        prop_assert!(!open.is_changed());
        open.keep(open.version(), &format!("{before}x")).unwrap();
        open.save(open.version(), &before).unwrap();
        prop_assert_eq!(fs::read(&path).unwrap(), text.as_bytes());
    }
}
