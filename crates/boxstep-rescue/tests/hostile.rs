//! Robots that lie.

use crate::peer::{Faults, Node, Silent, Tree, disk, files, put, rescued, robot};
use boxstep_rescue::copy::{Limits, Listed, Summary, copy};
use boxstep_rescue::disk::{DiskPath, WritableDisk as _};
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::sftp::Sftp;
use std::path::Path;
use std::rc::Rc;

fn limited(tree: Tree, limits: Limits, into: &Path) -> Summary {
    copy(
        &mut *disk(&Rc::new(tree), Faults::default()).unwrap(),
        into,
        limits,
        &mut Listed::default(),
        &mut Silent::default(),
    )
    .unwrap()
}

#[test]
fn names_that_lead_elsewhere_are_left_and_nothing_is_written_elsewhere() {
    let outer = tempfile::tempdir().unwrap();
    let into = outer.path().join("home");
    for name in [&b"../../escaped"[..], b"..", b".", b"", b"/etc/passwd", b"a\0b"] {
        // The name of one entry, as a server may tell it in place of the true ones.
        let entry = [
            &(name.len() as u32).to_be_bytes()[..],
            name,
            &[0; 4],
            &0x4_u32.to_be_bytes(),
            &0o100_644_u32.to_be_bytes(),
        ];
        let instead = [&[104][..], &1_u32.to_be_bytes(), &entry.concat()].concat();
        for number in 2..40 {
            let _ = rescued(
                &Rc::new(robot()),
                Faults { instead: Some((number, instead.clone())), ..Faults::default() },
                &into,
            );
        }
    }
    assert_eq!(std::fs::read_dir(outer.path()).unwrap().count(), 1);
    assert!(files(&into).keys().all(|path| !path.contains("escaped") && !path.contains("passwd")));
}

#[test]
fn a_link_that_stands_here_where_a_file_is_to_go_is_not_followed() {
    let outer = tempfile::tempdir().unwrap();
    let (into, other) = (outer.path().join("home"), outer.path().join("other"));
    std::fs::create_dir_all(into.join("home")).unwrap();
    std::fs::write(&other, "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&other, into.join("home/mine.py")).unwrap();
    rescued(&Rc::new(robot()), Faults::default(), &into).unwrap();
    assert_eq!(std::fs::read_to_string(&other).unwrap(), "mine");
    assert_eq!(std::fs::read_to_string(into.join("home/mine.py")).unwrap(), "print('mine')\n");
}

#[test]
fn sizes_lists_and_depths_without_an_end_are_limited_and_the_rest_comes_home() {
    let home = tempfile::tempdir().unwrap();
    let mut tree = robot();
    put(&mut tree, b"/home/nao/endless", Node::Long(u64::MAX));
    put(&mut tree, b"/home/nao/huge", Node::Lying(b"small".to_vec(), u64::MAX - 1));
    let deep: Vec<u8> = b"/home/nao".iter().copied().chain(b"/in".iter().copied().cycle().take(3 * 70)).collect();
    put(&mut tree, &deep, Node::File(b"deep".to_vec()));
    for number in 0..1000 {
        put(&mut tree, format!("/home/nao/many/{number}").as_bytes(), Node::File(Vec::new()));
    }
    let limits = Limits { folder: 500, file: 1 << 20, bytes: 64 << 20, ..Limits::default() };
    let summary = limited(tree.clone(), limits, home.path());
    assert_eq!(summary.files, 11);
    let items = manifest::of_folder(home.path()).unwrap();
    let left = |path: &str| match &items[path] {
        State::Left(why) => why.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(left("/home/nao/many"), "it has more than 500 entries");
    assert!(left("/home/nao/endless").contains("bytes would be taken"));
    // What it says of its size counts for the limit, and not for what is read.
    assert!(left("/home/nao/huge").contains("bytes would be taken"));
    assert!(items.iter().any(|(_, state)| matches!(state, State::Left(why) if why.contains("folders in each other"))));
    put(&mut tree, b"/home/nao/endless", Node::Lying(vec![0; 2 << 20], 10));
    limited(tree, limits, home.path());
    let items = manifest::of_folder(home.path()).unwrap();
    assert_eq!(
        items["/home/nao/endless"],
        State::Left("it is longer than 1048576 bytes; its beginning is here".to_owned())
    );
    assert!(files(home.path())["home/endless.damaged%"].len() <= 1 << 20);
}

#[test]
fn an_answer_of_any_kind_at_any_time_is_survived() {
    // Nothing, garbage, lengths that lie, the wrong kinds, lists without an end.
    let answers: [&[u8]; 7] = [
        &[101, 0, 0, 0, 0],
        &[104, 0, 0, 0, 0],
        &[104, 255, 255, 255, 255],
        &[103, 255, 255, 255, 255, 1],
        &[103, 0, 0, 0, 0],
        &[102, 0, 0, 0, 200],
        &[105, 255, 255, 255, 255],
    ];
    let tree = Rc::new(robot());
    for answer in answers {
        for number in (0..70).step_by(3) {
            let home = tempfile::tempdir().unwrap();
            let _ =
                rescued(&tree, Faults { instead: Some((number, answer.to_vec())), ..Faults::default() }, home.path());
            // Whatever it was: the next time all is well.
            let summary = rescued(&tree, Faults::default(), home.path()).unwrap();
            assert_eq!(summary.files, 11, "{answer:?} as answer {number}");
        }
    }
}

#[test]
fn space_and_time_that_cannot_be_are_refused() {
    let ask = |answer: &[u8], what: fn(&mut Sftp<&[u8], std::io::Sink>) -> String| {
        let message = |bytes: &[u8]| [&(bytes.len() as u32).to_be_bytes()[..], bytes].concat();
        let sent = [message(&[2, 0, 0, 0, 3]), message(&[&answer[..1], &[0, 0, 0, 1], &answer[1..]].concat())].concat();
        what(&mut Sftp::open(&sent[..], std::io::sink()).unwrap())
    };
    let space = |sftp: &mut Sftp<&[u8], std::io::Sink>| format!("{:?}", sftp.space(&DiskPath::new(b"/home")));
    let long = |numbers: [u64; 5]| [vec![201], numbers.map(u64::to_be_bytes).concat()].concat();
    assert_eq!(ask(&long([0, 4096, 10, 5, 4]), space), "Ok(Space { size: 40960, free: 16384 })");
    // More is free than there is, and more than there can be.
    assert_eq!(ask(&long([0, u64::MAX, 10, 5, 400]), space), format!("Ok(Space {{ size: {0}, free: {0} }})", u64::MAX));
    assert!(ask(&[201, 0, 0], space).contains("is not SFTP"));
    assert!(ask(&[101, 0, 0, 0, 8], space).contains("SFTP error 8"));
    let clock = |sftp: &mut Sftp<&[u8], std::io::Sink>| format!("{:?}", sftp.clock());
    assert!(ask(&[105, 0, 0, 0, 0], clock).contains("does not say the time"));
    assert!(ask(&[105, 0, 0, 0, 8, 0], clock).contains("is not SFTP"));
}
