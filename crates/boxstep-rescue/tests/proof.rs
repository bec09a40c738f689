//! Hundreds of packages, taken home, and put on another disk: to the byte, whatever is cut.

use crate::lab::{APPS, Cut, Silent, counted, disk, empty, full_of, tree};
use boxstep_rescue::copy::{CopyError, Limits, Listed, Summary, copy};
use boxstep_rescue::disk::DiskPath;
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::name;
use boxstep_rescue::restore::{Content, Item, RestoreError, Restored, restore};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

fn rescued(root: &Path, cut: Cut, into: &Path) -> Result<Summary, CopyError> {
    let mut disk = disk(root, cut).map_err(|error| CopyError::Lost(error.to_string()))?;
    copy(&mut disk, into, Limits::default(), &mut Listed::default(), &mut Silent)
}

/// What a rescue has taken, as it was on the robot.
fn taken(home: &Path) -> Vec<Item> {
    let items = manifest::of_folder(home).unwrap();
    let item = |(there, state): (&String, &State)| {
        let path = name::bytes(there);
        let path = path.strip_prefix(b"/home/nao/").unwrap().to_vec();
        let content = match state {
            State::Taken(taken) => Content::Here(home.join(&taken.file), taken.mode & 0o777),
            State::Link(to) => Content::Link(name::bytes(to)),
            other => panic!("{there}: {other:?}"),
        };
        Item { path, content }
    };
    items.iter().map(item).collect()
}

/// The same as [`tree`], read from a rescue.
fn read(home: &Path) -> BTreeMap<Vec<u8>, (Vec<u8>, u32)> {
    let what = |item: Item| match item.content {
        Content::Here(file, mode) => (item.path, (fs::read(file).unwrap(), mode)),
        Content::Link(to) => (item.path, (to, 0o777)),
        Content::Bytes(..) => unreachable!(),
    };
    taken(home).into_iter().map(what).collect()
}

fn put(root: &Path, cut: Cut, items: &[Item]) -> (Result<(), RestoreError>, Restored) {
    let mut restored = Restored::default();
    let done = match disk(root, cut) {
        Ok(mut disk) => restore(&mut disk, &DiskPath::new(b"/home/nao"), items, &mut restored, &mut Silent),
        Err(why) => Err(RestoreError::Lost(why.to_string())),
    };
    (done, restored)
}

/// The numbers of answers after which the connection is cut: all with `BOXSTEP_ALL_CUTS`, else some.
fn cuts(answers: usize) -> Vec<usize> {
    match std::env::var_os("BOXSTEP_ALL_CUTS") {
        Some(_) => (0..answers).collect(),
        None => (0..12).map(|part| part * answers / 12 + part).collect(),
    }
}

/// Takes all of a disk home. Returns the folder, and how many answers that took.
fn whole(root: &Path) -> (tempfile::TempDir, usize) {
    let home = tempfile::tempdir().unwrap();
    let (connected, answers) = counted(root, Cut::Never);
    copy(&mut connected.unwrap(), home.path(), Limits::default(), &mut Listed::default(), &mut Silent).unwrap();
    (home, answers.get())
}

#[test]
fn hundreds_of_packages_come_home_to_the_byte_and_go_to_another_disk() {
    let robot = full_of(300, 28);
    let there = tree(&robot.path().join("home/nao"));
    assert!(there.len() > 600, "{}", there.len());
    let (home, _) = whole(robot.path());
    assert!(read(home.path()) == there);
    let (items, new) = (taken(home.path()), empty());
    // Full here and there, and then not: all of it is there in the end.
    let total: usize = there.values().map(|(bytes, _)| bytes.len()).sum();
    for room in [total / 100, total / 3] {
        assert!(matches!(put(new.path(), Cut::Full(room), &items).0, Err(RestoreError::Refused(..))));
    }
    let (done, restored) = put(new.path(), Cut::Never, &items);
    done.unwrap();
    assert_eq!((restored.put + restored.before, restored.left.len()), (there.len(), 0));
    assert!(restored.before > 0 && restored.put > 0);
    assert!(tree(&new.path().join("home/nao")) == there);
    assert!(new.path().join(APPS).is_dir());
}

#[test]
fn whatever_is_cut_on_the_way_home_or_back_goes_on_and_is_the_same_in_the_end() {
    let robot = full_of(25, 7);
    let there = tree(&robot.path().join("home/nao"));
    let (home, answers) = whole(robot.path());
    for cut in cuts(answers) {
        let home = tempfile::tempdir().unwrap();
        assert!(matches!(rescued(robot.path(), Cut::After(cut), home.path()), Err(CopyError::Lost(_))), "{cut}");
        rescued(robot.path(), Cut::Never, home.path()).unwrap();
        assert!(read(home.path()) == there, "cut after {cut} answers");
    }
    let items = taken(home.path());
    let new = empty();
    let (connected, answers) = counted(new.path(), Cut::Never);
    let below = DiskPath::new(b"/home/nao");
    restore(&mut connected.unwrap(), &below, &items, &mut Restored::default(), &mut Silent).unwrap();
    for cut in cuts(answers.get()) {
        let new = empty();
        assert!(matches!(put(new.path(), Cut::After(cut), &items).0, Err(RestoreError::Lost(_))), "{cut}");
        put(new.path(), Cut::Never, &items).0.unwrap();
        assert!(tree(&new.path().join("home/nao")) == there, "cut after {cut} answers");
    }
}
