//! What packing leaves out, what unpacking does not write, and what a killed run leaves.

use crate::common;
use crate::common::{Said, Temp, boxstep, say};
use boxstep_format::Limits;
use boxstep_format::archive::{ArchiveKind, Entry, pack, unpack};
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;

fn put(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn hello() -> String {
    fs::read_to_string(common::root().join("examples/hello/behavior.xar")).unwrap()
}

fn names(archive: &Temp) -> Vec<String> {
    let entries = unpack("x", &fs::read(&archive.0).unwrap(), &Limits::default()).unwrap();
    entries.into_iter().map(|entry| entry.name).collect()
}

#[test]
fn a_package_leaves_out_just_what_is_ignored() {
    let (place, archive) = (Temp::new("app"), Temp::new("pkg"));
    put(&place.0, "talk/behavior.xar", &hello());
    for name in [".metadata", "metadata/x", ".secret/x", "secret/x", "README.md", "talk/README.md"] {
        put(&place.0, name, "x");
    }
    let pml = "<Package name=\"app\" format_version=\"4\"><Manifest src=\"manifest.xml\" /><BehaviorDescriptions>\
               <BehaviorDescription name=\"behavior\" src=\"talk\" xar=\"behavior.xar\" /></BehaviorDescriptions>\
               <IgnoredPaths><Path src=\".metadata\" /><Path src=\"./.secret/\" /><Path src=\"README.md\" /></IgnoredPaths></Package>";
    put(&place.0, "app.pml", pml);
    let kept = ["app.pml", "manifest.xml", "metadata/x", "secret/x", "talk/README.md", "talk/behavior.xar"];
    say(&["pack", place.arg(), archive.arg()]).code(0);
    assert_eq!(names(&archive), kept);
    say(&["convert", place.arg(), archive.arg(), "--force"]).code(0);
    assert_eq!(names(&archive), kept);
}

#[test]
fn a_new_project_is_packed_without_what_is_for_its_makers() {
    let (place, archive) = (Temp::new("new"), Temp::new("pkg"));
    fs::create_dir(&place.0).unwrap();
    let folder = place.0.join("greeter");
    say(&["new", folder.to_str().unwrap()]).code(0);
    say(&["pack", folder.to_str().unwrap(), archive.arg()]).code(0);
    assert_eq!(names(&archive), ["behavior_1/behavior.xar", "greeter.pml", "manifest.xml"]);
}

/// A `.crg` that brings what a `git status` or an editor would run.
fn hostile() -> Temp {
    let archive = Temp::new("crg");
    let entry = |name: &str, text: &str| Entry { name: name.to_owned(), bytes: text.into(), executable: false };
    let entries = [
        entry("behavior.xar", &hello()),
        entry(".git/config", "[core]\nfsmonitor = touch /tmp/x\n"),
        entry(".git/HEAD", "ref: refs/heads/main\n"),
        entry("sub/.VSCode/tasks.json", "{}"),
        entry(".github/workflows/x.yml", "on: push\n"),
    ];
    fs::write(&archive.0, pack(ArchiveKind::Crg, "x", &entries).unwrap()).unwrap();
    archive
}

fn all_files(folder: &Path) -> Vec<String> {
    let files = walkdir(folder, "");
    let mut files: Vec<String> = files.into_iter().collect();
    files.sort();
    files
}

fn walkdir(folder: &Path, inside: &str) -> Vec<String> {
    let items = fs::read_dir(folder).unwrap().map(|item| item.unwrap());
    items
        .flat_map(|item| {
            let name = format!("{inside}{}", item.file_name().into_string().unwrap());
            if item.path().is_dir() { walkdir(&item.path(), &format!("{name}/")) } else { vec![name] }
        })
        .collect()
}

#[test]
fn what_this_computer_would_obey_is_not_written_and_told() {
    let archive = hostile();
    let told = |text: &str| assert!(text.contains("not unpacked: `.git`, `sub/.VSCode`"), "{text}");
    let out = Temp::new("unpacked");
    told(&say(&["unpack", archive.arg(), out.arg()]).code(0).err);
    assert_eq!(all_files(&out.0), [".github/workflows/x.yml", "behavior.xar"]);
    let out = Temp::new("project");
    let said = say(&["convert", archive.arg(), out.arg(), "--to", "folder"]).code(0);
    told(&said.err);
    assert_eq!(all_files(&out.0), [".github/workflows/x.yml", "behavior.xar"]);
    let said = say(&["check", archive.arg()]);
    told(&said.out);
    assert!(said.out.contains("BS0076"), "{}", said.out);
    told(&say(&["play", archive.arg(), "--virtual-time"]).code(0).out);
}

#[test]
fn what_is_not_packed_is_told() {
    let (place, archive) = (Temp::new("place"), Temp::new("crg"));
    fs::create_dir_all(place.0.join("behavior/.ssh")).unwrap();
    fs::copy(common::root().join("examples/hello/behavior.xar"), place.0.join("behavior/behavior.xar")).unwrap();
    fs::write(place.0.join("behavior/.ssh/config"), "x").unwrap();
    fs::write(place.0.join(".pre-commit-config.yaml"), "x").unwrap();
    let said = say(&["pack", place.arg(), archive.arg()]).code(0);
    assert!(said.err.contains("not packed: `.pre-commit-config.yaml`, `behavior/.ssh`"), "{}", said.err);
    assert!(said.out.starts_with("packed 1 files"), "{}", said.out);
}

#[test]
fn an_output_without_an_ending_is_a_folder() {
    let place = Temp::new("place");
    fs::create_dir(&place.0).unwrap();
    let out = place.0.join("out");
    say(&["convert", "examples/hello/behavior.xar", out.to_str().unwrap()]).code(0);
    assert!(out.join("l0_root.xml").is_file());
    let odd = place.0.join("out.odd");
    let said = say(&["convert", "examples/hello/behavior.xar", odd.to_str().unwrap()]).code(2);
    assert!(said.err.contains("does not say what to write"), "{}", said.err);
}

/// A project that is called as the folder above is written into a folder all the same.
#[test]
fn a_projects_name_leads_nowhere() {
    let place = Temp::new("named");
    put(&place.0, "in/behavior.xar", &hello());
    put(&place.0, "in/manifest.xml", "<package uuid=\"app\" version=\"0.0.1\"><contents/></package>");
    let pml = "<Package name=\"..\" format_version=\"4\"><Manifest src=\"manifest.xml\" /><BehaviorDescriptions>\
               <BehaviorDescription name=\"behavior\" src=\".\" xar=\"behavior.xar\" /></BehaviorDescriptions></Package>";
    put(&place.0, "in/app.pml", pml);
    let (folder, archive, out) = (place.0.join("in"), place.0.join("in.crg"), place.0.join("out"));
    say(&["pack", folder.to_str().unwrap(), archive.to_str().unwrap()]).code(0);
    fs::create_dir(&out).unwrap();
    for to in ["folder", "split", "xar", "pml", "crg"] {
        say(&["convert", "-r", archive.to_str().unwrap(), out.to_str().unwrap(), "--to", to, "--force"]).code(0);
        let mut beside: Vec<_> = fs::read_dir(&place.0).unwrap().map(|item| item.unwrap().file_name()).collect();
        beside.sort();
        assert_eq!(beside, ["in", "in.crg", "out"], "{to}");
    }
    assert!(out.join("project/behavior.xar").is_file());
}

#[test]
fn what_macos_leaves_beside_files_is_not_read() {
    let place = Temp::new("apples");
    put(&place.0, "a/behavior.xar", &hello());
    for name in ["a/._behavior.xar", "._b.xar", "__MACOSX/a/c.xar", "._d.crg"] {
        put(&place.0, name, "\u{0}\u{5}\u{16}\u{7}");
    }
    say(&["check", "-r", place.arg()]).code(0);
    let out = Temp::new("out");
    let said = say(&["convert", "-r", place.arg(), out.arg(), "--to", "xar"]).code(0);
    assert!(said.out.contains("wrote 1 to"), "{}", said.out);
}

/// A folder has the files of a project of which one behavior is read, and more that nobody may read.
#[cfg(unix)]
#[test]
fn a_behavior_named_alone_asks_for_none_of_its_neighbours() {
    use std::os::unix::fs::symlink;
    let place = Temp::new("large");
    put(&place.0, "talk/behavior.xar", &hello());
    put(&place.0, "manifest.xml", "<package uuid=\"app\" version=\"0.0.1\"><contents/></package>");
    // Whoever looks for these finds links without an end, or one that leads out of the project.
    for n in 0..50 {
        symlink(format!("b{n}"), place.0.join(format!("b{n}"))).unwrap();
        symlink("/", place.0.join(format!("out{n}"))).unwrap();
    }
    let entry = |name: &str| format!("<BehaviorDescription name=\"behavior\" src=\"{name}\" xar=\"behavior.xar\" />");
    let entries: String = (0..50).map(|n| entry(&format!("b{n}")) + &entry(&format!("out{n}"))).collect();
    let files: String = (0..50).map(|n| format!("<File name=\"x\" src=\"b{n}/x.png\" />")).collect();
    let pml = format!(
        "<Package name=\"app\" format_version=\"4\"><Manifest src=\"manifest.xml\" /><BehaviorDescriptions>{entries}{}\
         </BehaviorDescriptions><Resources>{files}</Resources></Package>",
        entry("talk")
    );
    put(&place.0, "app.pml", &pml);
    // By its file, by its folder, and by its name in the project.
    let (file, folder) = (place.0.join("talk/behavior.xar"), place.0.join("talk"));
    for named in [&[file.to_str().unwrap()][..], &[folder.to_str().unwrap()], &[place.arg(), "--behavior", "talk"]] {
        let all = |command, more: &[&str]| say(&[&[command], named, more].concat()).code(0);
        if named.len() == 1 {
            let checked = all("check", &[]);
            assert!(!checked.out.contains("BS0061") && !checked.out.contains("BS0062"), "{}", checked.out);
        }
        let shown = all("show", &[]).out;
        assert!(shown.starts_with("app/talk\n"), "{shown}");
        assert_eq!(shown.contains("x.png"), named.len() > 1, "the project's files are shown with the project: {shown}");
        all("play", &["--virtual-time"]);
        let out = Temp::new("xar");
        all("convert", &[out.arg()]);
    }
    // The project itself is none to go on with.
    say(&["check", place.arg()]).code(2);
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_has_unpacked_is_removed_by_the_next() {
    use std::os::unix::fs::PermissionsExt as _;
    let (place, archive) = (Temp::new("place"), Temp::new("crg"));
    // More than a pipe holds: the program is there until it is killed.
    let long = "tooltip=\"".to_owned() + &"long ".repeat(100_000);
    put(&place.0, "behavior/behavior.xar", &hello().replacen("tooltip=\"", &long, 1));
    fs::create_dir(place.0.join("tmp")).unwrap();
    say(&["pack", place.0.join("behavior").to_str().unwrap(), archive.arg()]).code(0);
    let unpacked =
        || -> Vec<_> { fs::read_dir(place.0.join("tmp")).unwrap().map(|item| item.unwrap().path()).collect() };
    let show = || {
        let mut shown = boxstep(&["show", archive.arg(), "--format", "json"]);
        shown.env("TMPDIR", place.0.join("tmp")).stdout(Stdio::piped());
        shown
    };
    let start = || {
        let mut child = show().spawn().unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        child
    };
    let mut killed = start();
    let left = unpacked();
    assert_eq!(left.len(), 1);
    assert_eq!(fs::metadata(&left[0]).unwrap().permissions().mode() & 0o777, 0o700);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(unpacked(), left, "nobody could clear it away");
    // Another run removes it, and not that of a third.
    let mut alive = start();
    let now = unpacked();
    assert!(now.len() == 1 && now != left, "{now:?}");
    Said::from(show().output().unwrap()).code(0);
    assert_eq!(unpacked(), now);
    drop(alive.stdout.take());
    alive.wait().unwrap();
    assert!(unpacked().is_empty());
}
