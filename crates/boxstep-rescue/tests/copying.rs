//! What comes home, and what happens when it is cut.

use crate::peer::{Faults, Node, Silent, Tree, disk, files, long, put, rescued, robot};
use boxstep_rescue::copy::{CopyError, Limits, Listed, copy};
use boxstep_rescue::manifest::{self, State};
use std::rc::Rc;

#[test]
fn everything_comes_home_to_the_byte_under_names_that_every_system_takes() {
    let (tree, home) = (Rc::new(robot()), tempfile::tempdir().unwrap());
    let summary = rescued(&tree, Faults::default(), home.path()).unwrap();
    let mut files = files(home.path());
    files.remove(manifest::FILE).unwrap();
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    let readme = names.iter().find(|name| name.contains("readme%~")).unwrap();
    assert_eq!(
        names,
        [
            "home/mine.py",
            "logs/head-naoqi.log",
            "packages/dance/README",
            "packages/dance/a%3Ab",
            "packages/dance/behavior.xar",
            "packages/dance/caf%E9.txt",
            "packages/dance/café.txt",
            "packages/dance/manifest.xml",
            "packages/dance/music.wav",
            readme,
            "preferences/autoload.ini",
        ]
    );
    assert_eq!(files["packages/dance/music.wav"], (0..300_000).map(long).collect::<Vec<_>>());
    assert_eq!(files["packages/dance/caf%E9.txt"], b"latin");
    // The robot said 4 bytes, and there were more.
    assert_eq!(files["logs/head-naoqi.log"], b"three lines");
    assert_eq!((summary.files, summary.before, summary.links, summary.left), (11, 0, 1, 2));
    let items = manifest::of_folder(home.path()).unwrap();
    let link = &items["/home/nao/.local/share/PackageManager/apps/dance/latest"];
    assert_eq!(*link, State::Link("behavior.xar".to_owned()));
    assert_eq!(items["/home/nao/secret"], State::Left("Permission denied".to_owned()));
    assert!(!items.keys().any(|path| path.contains(".cache")));
}

#[test]
fn a_rescue_that_is_cut_after_any_answer_goes_on_and_ends_with_the_same() {
    let mut tree = robot();
    // Longer than what is read again after a cut.
    put(&mut tree, b"/home/nao/recordings/long.wav", Node::Long(1_300_000));
    let (tree, whole) = (Rc::new(tree), tempfile::tempdir().unwrap());
    rescued(&tree, Faults::default(), whole.path()).unwrap();
    let mut whole = files(whole.path());
    whole.remove(manifest::FILE);
    for faults in [Faults::default, || Faults { halves: true, turned: true, bare: true, ..Faults::default() }] {
        let home = tempfile::tempdir().unwrap();
        let mut cuts = 0;
        for cut in 0.. {
            match rescued(&tree, Faults { cut: Some(cut), ..faults() }, home.path()) {
                Err(CopyError::Lost(_)) => cuts += 1,
                done => {
                    done.unwrap();
                    break;
                }
            }
            assert!(cut < 10_000, "it comes to an end");
        }
        assert!(cuts > 50, "{cuts} cuts");
        let mut rest = files(home.path());
        rest.remove(manifest::FILE);
        assert_eq!(rest.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
        assert!(rest == whole);
    }
}

#[test]
fn what_is_there_is_not_taken_again_unless_it_or_the_robots_file_has_changed() {
    let (mut tree, home) = (robot(), tempfile::tempdir().unwrap());
    rescued(&Rc::new(tree.clone()), Faults::default(), home.path()).unwrap();
    let again = |tree: &Tree| rescued(&Rc::new(tree.clone()), Faults::default(), home.path()).unwrap();
    assert_eq!(again(&tree).before, 11);
    // A file here is damaged, and one there is another.
    let damaged = home.path().join("packages/dance/behavior.xar");
    std::fs::write(&damaged, "<ChoregrapheProject?>").unwrap();
    put(&mut tree, b"/home/nao/mine.py", Node::File(b"print('ours')".to_vec()));
    assert_eq!(again(&tree).before, 9);
    assert_eq!(std::fs::read(damaged).unwrap(), b"<ChoregrapheProject/>");
    assert_eq!(std::fs::read(home.path().join("home/mine.py")).unwrap(), b"print('ours')");
    // What the robot does not have any more stays.
    tree.remove(&b"/home/nao/mine.py"[..]);
    again(&tree);
    assert!(home.path().join("home/mine.py").exists());
}

#[test]
fn whoever_watches_can_end_it_and_it_goes_on_later() {
    let (tree, home) = (Rc::new(robot()), tempfile::tempdir().unwrap());
    for over_at in [0, 1, 100_000] {
        let mut watch = Silent { over_at: Some(over_at), ..Silent::default() };
        let ended = copy(
            &mut *disk(&tree, Faults::default()).unwrap(),
            home.path(),
            Limits::default(),
            &mut Listed::default(),
            &mut watch,
        );
        assert!(matches!(ended, Err(CopyError::Ended)));
    }
    assert_eq!(rescued(&tree, Faults::default(), home.path()).unwrap().files, 11);
}

#[test]
fn a_manifest_whose_last_line_was_cut_goes_on_and_one_of_somebody_else_is_refused() {
    let (tree, home) = (Rc::new(robot()), tempfile::tempdir().unwrap());
    rescued(&tree, Faults::default(), home.path()).unwrap();
    let file = home.path().join(manifest::FILE);
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, &text[..text.len() - 20]).unwrap();
    let summary = rescued(&tree, Faults::default(), home.path()).unwrap();
    assert_eq!((summary.files, summary.before), (11, 10));
    std::fs::write(&file, "my notes\n").unwrap();
    let refused = rescued(&tree, Faults::default(), home.path()).unwrap_err().to_string();
    assert!(refused.contains("manifest.jsonl:1: not a line of a rescue"), "{refused}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "my notes\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_ends_it_and_loses_nothing() {
    // Every write to this device fails with "no space left".
    let (tree, home) = (Rc::new(robot()), tempfile::tempdir().unwrap());
    let part = home.path().join("packages/dance/music.wav.part%");
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink("/dev/full", &part).unwrap();
    let full = rescued(&tree, Faults::default(), home.path()).unwrap_err();
    assert!(matches!(&full, CopyError::Here(..)), "{full}");
    std::fs::remove_file(&part).unwrap();
    assert_eq!(rescued(&tree, Faults::default(), home.path()).unwrap().files, 11);
}

#[test]
fn what_somebody_has_changed_here_is_set_aside() {
    let (mut tree, home) = (robot(), tempfile::tempdir().unwrap());
    rescued(&Rc::new(tree.clone()), Faults::default(), home.path()).unwrap();
    std::fs::write(home.path().join("home/mine.py"), "my changes").unwrap();
    rescued(&Rc::new(tree.clone()), Faults::default(), home.path()).unwrap();
    let file = |name: &str| std::fs::read_to_string(home.path().join(name)).unwrap();
    assert_eq!((file("home/mine.py"), file("home/mine.py.before%1")), ("print('mine')\n".into(), "my changes".into()));
    // A file that has become shorter may be damaged.
    put(&mut tree, b"/home/nao/mine.py", Node::File(b"pr".to_vec()));
    rescued(&Rc::new(tree), Faults::default(), home.path()).unwrap();
    assert_eq!((file("home/mine.py"), file("home/mine.py.before%2")), ("pr".into(), "print('mine')\n".into()));
}

#[test]
fn a_later_rescue_that_fails_does_not_hide_what_was_taken_before() {
    let (mut tree, home) = (robot(), tempfile::tempdir().unwrap());
    // Somebody was sending a package to the robot.
    put(&mut tree, b"/home/nao/boxstep-0123456789abcdef.pkg", Node::File(b"half".to_vec()));
    rescued(&Rc::new(tree.clone()), Faults::default(), home.path()).unwrap();
    put(&mut tree, b"/home/nao/mine.py", Node::Secret);
    rescued(&Rc::new(tree), Faults::default(), home.path()).unwrap();
    let items = manifest::of_folder(home.path()).unwrap();
    assert!(!items.keys().any(|path| path.contains("boxstep-")));
    let State::Taken(taken) = &items["/home/nao/mine.py"] else { panic!("{:?}", items["/home/nao/mine.py"]) };
    assert_eq!(taken.remark.as_deref(), Some("it could not be taken again later: Permission denied"));
    assert_eq!(std::fs::read(home.path().join(&taken.file)).unwrap(), b"print('mine')\n");
}

#[test]
fn files_whose_names_are_one_on_some_systems_all_come() {
    let (mut tree, home) = (robot(), tempfile::tempdir().unwrap());
    for name in ["Noël", "noël", "音A", "音a", "É", "é", "e\u{301}", "01"] {
        put(&mut tree, format!("/home/nao/names/{name}").as_bytes(), Node::File(name.as_bytes().to_vec()));
    }
    rescued(&Rc::new(tree), Faults::default(), home.path()).unwrap();
    let files = files(&home.path().join("home/names"));
    assert_eq!(files.len(), 8);
    let keys: std::collections::HashSet<String> = files.keys().map(|name| boxstep_rescue::name::key(name)).collect();
    assert_eq!(keys.len(), 8);
}

#[cfg(unix)]
#[test]
fn links_on_the_way_to_a_place_are_followed_within_the_disk() {
    use std::fs;
    use std::os::unix::fs::symlink;
    let (disk, home, outside) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::create_dir(outside.path().join("logs")).unwrap();
    fs::write(outside.path().join("logs/secret"), "mine").unwrap();
    let at = |path: &str| disk.path().join(path);
    for folder in ["home/nao/.local/share/PackageManager", "home/nao/naoqi", "media/usb/apps/dance", "var/log", "etc"] {
        fs::create_dir_all(at(folder)).unwrap();
    }
    fs::write(at("media/usb/apps/dance/behavior.xar"), "dance").unwrap();
    fs::write(at("home/nao/mine.py"), "mine").unwrap();
    symlink("/media/usb/apps", at("home/nao/.local/share/PackageManager/apps")).unwrap();
    // Out of the disk: what is meant there is not what is here.
    symlink(outside.path().join("logs"), at("var/log/naoqi")).unwrap();
    symlink("../../../../../../../..", at("home/nao/naoqi/preferences")).unwrap();
    symlink("circle", at("etc/circle")).unwrap();
    symlink("circle", at("etc/naoqi")).unwrap();
    let mut folder = boxstep_rescue::disk::FolderDisk::new(disk.path());
    let summary = copy(&mut folder, home.path(), Limits::default(), &mut Listed::default(), &mut Silent::default());
    let files = files(home.path());
    let mut names: Vec<&str> =
        files.keys().map(String::as_str).filter(|name| !name.starts_with("preferences/")).collect();
    names.sort_unstable();
    assert_eq!(names, ["home/mine.py", manifest::FILE, "packages/dance/behavior.xar"]);
    assert!(!files.keys().any(|name| name.contains("secret")));
    let items = manifest::of_folder(home.path()).unwrap();
    assert!(matches!(&items["/var/log/naoqi"], State::Left(why) if why.contains("leads to nothing on this disk")));
    assert!(summary.unwrap().places.iter().any(|place| place.path.text() == "/media/usb/apps"));
}
