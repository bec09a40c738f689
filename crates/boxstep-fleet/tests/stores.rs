//! The folder in which members keep files.

use boxstep_fleet::digest::Digest;
use boxstep_fleet::store::{FolderStore, Store as _};
use std::time::Duration;

#[test]
fn a_file_has_its_name_once_it_is_what_its_digest_says() {
    let folder = tempfile::tempdir().unwrap();
    let digest = Digest::of(b"one two three");
    let mut store = FolderStore::open(folder.path(), "alto").unwrap();
    store.append(digest, b"one ").unwrap();
    // A program that is started again for the same robot goes on with it.
    let mut store = FolderStore::open(folder.path(), "alto").unwrap();
    assert_eq!((store.has(digest), store.held(digest)), (false, 4));
    store.append(digest, b"two four!").unwrap();
    assert!(!store.complete(digest).unwrap(), "it is another file");
    assert_eq!(store.held(digest), 0);
    store.append(digest, b"one two three").unwrap();
    assert!(store.complete(digest).unwrap());
    assert_eq!(store.read(digest, 4, 3).unwrap(), b"two");
    assert_eq!(store.read(digest, 100, 3).unwrap(), b"");
    assert_eq!(std::fs::read(store.path(digest)).unwrap(), b"one two three");
    store.prune(Duration::from_secs(60));
    assert!(store.has(digest), "it is new");
    store.remove(digest);
    assert!(!store.has(digest) && store.read(digest, 0, 3).is_err());
}

#[test]
fn programs_of_one_computer_do_not_mix_their_beginnings() {
    let folder = tempfile::tempdir().unwrap();
    let digest = Digest::of(b"abcd");
    let mut alto = FolderStore::open(folder.path(), "alto").unwrap();
    let mut bass = FolderStore::open(folder.path(), "../bass").unwrap();
    for bytes in [b"ab", b"cd"] {
        alto.append(digest, bytes).unwrap();
        bass.append(digest, bytes).unwrap();
    }
    assert!(alto.complete(digest).unwrap() && bass.complete(digest).unwrap());
    assert_eq!(alto.read(digest, 0, 9).unwrap(), b"abcd");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it, nor outside");
}

#[test]
fn names_of_sounds_are_removed_with_their_files_and_when_they_are_old() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = FolderStore::open(folder.path(), "alto").unwrap();
    let named = |digest: Digest| store.sounds().join(digest.to_string()).join("song.ogg");
    let (kept, old, gone) = (Digest::of(b"kept"), Digest::of(b"old"), Digest::of(b"gone"));
    for digest in [kept, old, gone] {
        std::fs::create_dir_all(named(digest).parent().unwrap()).unwrap();
        std::fs::write(named(digest), "a sound").unwrap();
    }
    let names = [kept, old, gone].map(named);
    for bytes in [&b"kept"[..], b"old"] {
        store.append(Digest::of(bytes), bytes).unwrap();
        assert!(store.complete(Digest::of(bytes)).unwrap());
    }
    let long_ago = std::time::SystemTime::now() - Duration::from_secs(1000);
    std::fs::File::open(names[1].parent().unwrap()).unwrap().set_modified(long_ago).unwrap();
    store.prune(Duration::from_secs(60));
    assert_eq!(names.map(|name| name.exists()), [true, false, false]);
    assert!(store.has(kept) && store.has(old), "their files are new");
}
