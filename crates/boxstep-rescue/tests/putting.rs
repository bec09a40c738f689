//! What is put on a disk, and what happens when that is cut or refused.

use crate::lab::{self, Cut, Silent, disk, tree};
use boxstep_rescue::disk::{Disk as _, DiskPath, Kind, WritableDisk as _};
use boxstep_rescue::restore::{Content, Item, RestoreError, Restored, restore, undo};
use std::fs;
use std::path::Path;

fn file(path: &[u8], bytes: &[u8]) -> Item {
    Item { path: path.to_vec(), content: Content::Bytes(bytes.to_vec(), 0o640) }
}

fn link(path: &[u8], to: &[u8]) -> Item {
    Item { path: path.to_vec(), content: Content::Link(to.to_vec()) }
}

fn home() -> DiskPath {
    DiskPath::new(b"/home/nao")
}

fn put(root: &Path, cut: Cut, items: &[Item]) -> (Result<(), RestoreError>, Restored) {
    let mut restored = Restored::default();
    let done = match disk(root, cut) {
        Ok(mut disk) => restore(&mut disk, &home(), items, &mut restored, &mut Silent),
        Err(why) => Err(RestoreError::Lost(why.to_string())),
    };
    (done, restored)
}

fn items() -> Vec<Item> {
    vec![
        link(b"tools/latest", b"new/run.py"),
        file(b"mine.py", b"print('mine')\n"),
        file(b"tools/new/run.py", &vec![7; 100_000]),
        file(b"tools/caf\xe9.txt", b"latin"),
        file(b"tools/empty", b""),
    ]
}

#[test]
fn what_is_put_there_is_whole_with_its_permissions_and_done_again_nothing_changes() {
    let root = lab::empty();
    let (done, restored) = put(root.path(), Cut::Never, &items());
    done.unwrap();
    assert_eq!((restored.put, restored.before, restored.left.len()), (5, 0, 0));
    let now = tree(&root.path().join("home/nao"));
    let names: Vec<&[u8]> = now.keys().map(|name| &name[..]).collect();
    assert_eq!(names, [&b"mine.py"[..], b"tools/caf\xe9.txt", b"tools/empty", b"tools/latest", b"tools/new/run.py"]);
    assert_eq!(now[&b"tools/latest"[..]], (b"new/run.py".to_vec(), 0o777));
    assert_eq!(now[&b"mine.py"[..]], (b"print('mine')\n".to_vec(), 0o640));
    let (done, restored) = put(root.path(), Cut::Never, &items());
    done.unwrap();
    assert_eq!((restored.put, restored.before), (0, 5));
    assert!(tree(&root.path().join("home/nao")) == now);
}

#[test]
fn what_is_cut_after_any_answer_goes_on_and_ends_with_the_same() {
    let whole = lab::empty();
    put(whole.path(), Cut::Never, &items()).0.unwrap();
    let whole = tree(whole.path());
    for cut in 0.. {
        let root = lab::empty();
        let (cut_off, _) = put(root.path(), Cut::After(cut), &items());
        let ended = cut_off.is_ok();
        put(root.path(), Cut::Never, &items()).0.unwrap();
        assert!(tree(root.path()) == whole, "cut after {cut} answers");
        if ended {
            assert!(cut > 20, "{cut} answers");
            return;
        }
    }
}

#[test]
fn a_disk_that_gets_full_is_as_it_was_after_it() {
    let root = lab::empty();
    fs::write(root.path().join("home/nao/there"), "before").unwrap();
    let before = tree(root.path());
    for room in [0, 10, 5_000, 99_000] {
        let mut restored = Restored::default();
        let mut disk = disk(root.path(), Cut::Full(room)).unwrap();
        let full = restore(&mut disk, &home(), &items(), &mut restored, &mut Silent).unwrap_err();
        assert!(full.to_string().ends_with("No space left on device"), "{full}");
        undo(&mut disk, restored).unwrap();
        assert!(tree(root.path()) == before, "{room}");
        assert!(!root.path().join("home/nao/tools").exists());
    }
}

#[test]
fn nothing_that_is_there_is_written_over_and_no_link_leads_elsewhere() {
    let (root, outside) = (lab::empty(), tempfile::tempdir().unwrap());
    let at = root.path().join("home/nao");
    fs::write(at.join("mine.py"), "theirs").unwrap();
    std::os::unix::fs::symlink(outside.path(), at.join("tools")).unwrap();
    fs::create_dir(at.join("tasks")).unwrap();
    let more = [
        file(b"../escaped", b""),
        file(b"/etc/passwd", b""),
        file(b"a//b", b""),
        file(b"", b""),
        file(b"tasks", b""),
        link(b"mine.py", b"x"),
    ];
    let (done, restored) = put(root.path(), Cut::Never, &[items(), more.to_vec()].concat());
    done.unwrap();
    assert_eq!((restored.put, restored.left.len()), (0, 11));
    assert_eq!(fs::read(at.join("mine.py")).unwrap(), b"theirs");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    assert!(!root.path().join("home/escaped").exists());
}

#[test]
fn what_cannot_be_read_here_or_there_is_left_and_the_others_go_on() {
    let root = lab::empty();
    let gone = Item { path: b"gone".to_vec(), content: Content::Here("/nothing/gone".into(), 0o644) };
    put(root.path(), Cut::Never, &[file(b"mine.py", b"print('mine')\n")]).0.unwrap();
    let (done, restored) = put(root.path(), Cut::Denied(b"nao/mine.py"), &[vec![gone], items()].concat());
    done.unwrap();
    assert_eq!((restored.put, restored.before), (4, 0));
    let left: Vec<String> = restored.left.iter().map(|(path, why)| format!("{}: {why}", path.text())).collect();
    assert_eq!(left.len(), 2);
    assert!(left[0].starts_with("/home/nao/gone: it cannot be read here"), "{left:?}");
    assert_eq!(left[1], "/home/nao/mine.py: Permission denied");
    // A folder that is not ours does not keep the others away, either.
    let root = lab::empty();
    let (done, restored) = put(root.path(), Cut::Denied(b"tools/new/.boxstep"), &items());
    done.unwrap();
    assert_eq!((restored.put, restored.left.len()), (4, 1));
}

#[test]
fn two_who_put_something_there_at_once_do_not_take_it_from_each_other() {
    let root = lab::empty();
    let at = |name: &str| root.path().join("home/nao").join(name);
    let (other, old) = (at(".boxstep-00000000000000aa.part"), at(".boxstep-00000000000000bb.part"));
    fs::write(&other, "half").unwrap();
    fs::write(&old, "half").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7200);
    fs::File::options().write(true).open(&old).unwrap().set_modified(long_ago).unwrap();
    let (done, restored) = put(root.path(), Cut::Never, &items());
    done.unwrap();
    assert_eq!(restored.put, 5);
    // One who was ended long ago does not come back.
    assert_eq!(restored.removed, [home().join(b".boxstep-00000000000000bb.part")]);
    assert!(other.exists() && !old.exists());
}

#[test]
fn a_served_folder_shows_nothing_but_itself() {
    let (root, outside) = (lab::empty(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("secret"), "mine").unwrap();
    let at = |path: &str| root.path().join(path);
    std::os::unix::fs::symlink(outside.path(), at("home/nao/out")).unwrap();
    std::os::unix::fs::symlink("../../../../..", at("home/nao/up")).unwrap();
    std::os::unix::fs::symlink("circle", at("home/nao/circle")).unwrap();
    std::os::unix::fs::symlink("/home", at("home/nao/home")).unwrap();
    fs::write(at("home/nao/mine.py"), "mine").unwrap();
    let mut disk = disk(root.path(), Cut::Never).unwrap();
    let path = |text: &str| DiskPath::new(text.as_bytes());
    let mut read = |text: &str| {
        let mut bytes: Vec<u8> = Vec::new();
        let read = disk.read(&path(text), 0, 100, &mut |some: &[u8]| {
            bytes.extend(some);
            Ok(())
        });
        read.map(|()| bytes)
    };
    // Links are those of the disk: its root is the folder.
    assert_eq!(read("/home/nao/home/nao/mine.py").unwrap(), b"mine");
    assert_eq!(read("/home/nao/up/home/nao/mine.py").unwrap(), b"mine");
    assert_eq!(read("/../../home/nao/mine.py").unwrap(), b"mine");
    for missing in ["/home/nao/out/secret", "/home/nao/circle", "/home/nao/circle/x", "/nothing/x", "/home/nao"] {
        read(missing).unwrap_err();
    }
    disk.put(&path("/home/nao/out"), &mut &b""[..]).unwrap_err();
    disk.put(&path("/home/nao/mine.py"), &mut &b""[..]).unwrap_err();
    disk.rename(&path("/home/nao/up"), &path("/home/nao/mine.py")).unwrap_err();
    assert_eq!(disk.stat(&path("/home/nao/out")).unwrap().kind, Kind::Link);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    let space = disk.space(&path("/home")).unwrap();
    assert!(space.free <= space.size && space.size > 0);
}
