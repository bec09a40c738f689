//! Output is written completely or not at all, and nothing is replaced without being requested.

use boxstep_format::Limits;
use boxstep_format::archive::{Entry, read_folder};
use boxstep_format::output::{OutputFolder, write_file};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use tempfile::TempDir;

fn entry(name: &str, text: &str) -> Entry {
    Entry { name: name.to_owned(), bytes: text.as_bytes().to_owned(), executable: name.ends_with(".sh") }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_file_is_replaced_with_force_only() {
    let place = TempDir::new().unwrap();
    let path = place.path().join("new/a.xar");
    write_file(&path, b"one", false).unwrap();
    let error = write_file(&path, b"two", false).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
    assert!(error.to_string().contains("it is there already; replace it with --force"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"one");
    write_file(&path, b"two", true).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"two");
    assert_eq!(names(path.parent().unwrap()), ["a.xar"], "nothing is left beside it");
    assert!(write_file(path.parent().unwrap(), b"x", true).unwrap_err().to_string().contains("it is a folder"));
    assert!(write_file(&path.join("b"), b"x", true).is_err(), "a file is no folder");
}

#[test]
#[cfg(unix)]
fn a_file_keeps_the_rights_of_the_one_it_replaces() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = TempDir::new().unwrap();
    let (plain, new, kept) = (place.path().join("plain"), place.path().join("new"), place.path().join("kept"));
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    fs::write(&plain, "").unwrap();
    write_file(&new, b"", false).unwrap();
    assert_eq!(mode(&new), mode(&plain));
    fs::write(&kept, "").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).unwrap();
    write_file(&kept, b"", true).unwrap();
    assert_eq!(mode(&kept), 0o640);
}

#[test]
#[cfg(unix)]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let place = TempDir::new().unwrap();
    let (real, link) = (place.path().join("real"), place.path().join("link"));
    fs::write(&real, "one").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    assert_eq!(write_file(&link, b"two", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    write_file(&link, b"two", true).unwrap();
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(fs::read(&real).unwrap(), b"two");
}

#[test]
#[cfg(unix)]
fn a_device_or_pipe_gets_the_bytes_and_stays() {
    use std::os::unix::fs::FileTypeExt as _;
    let place = TempDir::new().unwrap();
    let pipe = place.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for force in [false, true] {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || fs::read(pipe).unwrap()
        });
        write_file(&pipe, b"one", force).unwrap();
        assert_eq!(reader.join().unwrap(), b"one");
        assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }
}

#[test]
fn a_folder_appears_when_it_is_finished() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    let mut out = OutputFolder::new(&target, false).unwrap();
    out.add(&entry("a/b.txt", "x")).unwrap();
    out.add(&entry("run.sh", "#!")).unwrap();
    assert!(!target.exists());
    out.finish().unwrap();
    assert_eq!(read_folder(&target, &Limits::default()).unwrap(), [entry("a/b.txt", "x"), entry("run.sh", "#!")]);
    assert_eq!(names(place.path()), ["out"]);
}

#[test]
fn a_folder_that_is_left_unfinished_leaves_nothing() {
    let place = TempDir::new().unwrap();
    let mut out = OutputFolder::new(&place.path().join("out"), false).unwrap();
    out.add(&entry("a", "x")).unwrap();
    assert!(out.add(&entry("a", "y")).is_err(), "one file may not replace another");
    assert!(out.add(&entry("../b", "y")).is_err() && out.add(&entry("", "y")).is_err());
    drop(out);
    assert!(names(place.path()).is_empty());
}

#[test]
fn a_folder_is_replaced_with_force_only_unless_it_is_empty() {
    let place = TempDir::new().unwrap();
    let target = place.path().join("out");
    fs::create_dir(&target).unwrap();
    let write = |text: &str, force: bool| {
        let mut out = OutputFolder::new(&target, force)?;
        out.add(&entry(text, text))?;
        out.finish()
    };
    write("one", false).unwrap();
    assert_eq!(write("two", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(names(&target), ["one"]);
    let error = write("two", true).unwrap_err();
    assert!(error.to_string().contains("it contains no file of a behavior"), "{error}");
    assert_eq!(names(&target), ["one"]);
    fs::create_dir_all(target.join("dance")).unwrap();
    fs::write(target.join("dance/behavior.xar"), "").unwrap();
    write("two", true).unwrap();
    assert_eq!(names(&target), ["two"]);
    assert_eq!(names(place.path()), ["out"]);
    fs::create_dir_all(target.join("dance")).unwrap();
    fs::write(target.join("dance/behavior.xar"), "").unwrap();
    fs::create_dir(target.join(".git")).unwrap();
    let error = write("three", true).unwrap_err();
    assert!(error.to_string().contains("it is a git repository"), "{error}");
    assert_eq!(names(&target), [".git", "dance", "two"]);
    fs::remove_dir(target.join(".git")).unwrap();
    let here = std::env::current_dir().unwrap();
    let error = OutputFolder::new(here.parent().unwrap(), true).unwrap_err();
    assert!(error.to_string().contains("it is the current folder or contains it"), "{error}");
}

/// A folder that is read-only while this value exists. `None` for a user who may write anywhere.
#[cfg(unix)]
fn closed(folder: &Path) -> Option<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o555)).unwrap();
    let open = fs::write(folder.join("probe"), "").is_ok();
    if open {
        fs::remove_file(folder.join("probe")).unwrap();
        println!("skipped: this user may write everywhere");
    }
    (!open).then_some(())
}

#[test]
#[cfg(unix)]
fn what_cannot_be_written_leaves_the_old_and_nothing_beside_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = TempDir::new().unwrap();
    fs::write(place.path().join("a.xar"), "old").unwrap();
    fs::create_dir(place.path().join("out")).unwrap();
    fs::write(place.path().join("out/old.xar"), "old").unwrap();
    if closed(place.path()).is_some() {
        assert!(write_file(&place.path().join("a.xar"), b"new", true).is_err());
        assert!(OutputFolder::new(&place.path().join("out"), true).is_err());
    }
    fs::set_permissions(place.path(), fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(names(place.path()), ["a.xar", "out"]);
    assert_eq!(fs::read(place.path().join("a.xar")).unwrap(), b"old");
    // No file name can be this long, so writing fails in the middle of the folder, as on a full disk.
    let mut out = OutputFolder::new(&place.path().join("out"), true).unwrap();
    out.add(&entry("new", "new")).unwrap();
    assert!(out.add(&entry(&"x".repeat(3000), "y")).is_err());
    assert_eq!(names(&place.path().join("out")), ["old.xar"]);
    drop(out);
    assert_eq!(names(place.path()), ["a.xar", "out"]);
    assert_eq!(names(&place.path().join("out")), ["old.xar"]);
}
