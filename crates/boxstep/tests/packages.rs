//! `boxstep install`, `uninstall`, `pull` and `ls --long`: with a server of ours that has a `PackageManager`, and a program
//! that stands for ssh, on the same disk.
#![cfg(unix)]

use crate::common::{Said, boxstep, python3, root};
use boxstep_format::Limits;
use boxstep_format::archive::{ArchiveKind, pack, read_folder, unpack_whole};
use boxstep_qi::{ObjectBuilder, Server, Turns, Value};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

const APPS: &str = "/home/nao/.local/share/PackageManager/apps";

/// What a robot does wrong when it installs.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// It says no.
    Refuses,
    /// It says yes, and a file is another; only of versions that end with 9.
    Spoils,
    /// It installs a version that ends with 9 only when the file `go` is there, and says by `begun` that it has begun.
    Waits,
}

struct Robot {
    folder: TempDir,
    server: Server,
    fault: Arc<Mutex<Fault>>,
    defaults: Arc<Mutex<Vec<Value>>>,
}

fn version(folder: &Path) -> Option<String> {
    let manifest = fs::read_to_string(folder.join("manifest.xml")).ok()?;
    manifest
        .split("version=\"")
        .nth(if manifest.starts_with("<?xml version=\"") { 2 } else { 1 })?
        .split('"')
        .next()
        .map(str::to_owned)
}

impl Robot {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let disk = folder.path().join("disk");
        let apps = disk.join(&APPS[1..]);
        fs::create_dir_all(&apps).unwrap();
        let program = folder.path().join("ssh");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ssh.py");
        fs::write(
            &program,
            format!("#!/bin/sh\nexec '{}' '{}' \"$@\"\n", python3().unwrap().display(), script.display()),
        )
        .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let server = Server::listen("127.0.0.1:0").unwrap();
        let (fault, defaults) = (Arc::new(Mutex::new(Fault::None)), Arc::<Mutex<Vec<Value>>>::default());
        let robot = Self { folder, server, fault, defaults };
        let listed = apps.clone();
        let packages = move || {
            let mut all = Vec::new();
            for entry in fs::read_dir(&listed).unwrap() {
                let (path, name) = {
                    let entry = entry.unwrap();
                    (entry.path(), entry.file_name().into_string().unwrap())
                };
                let there = format!("{APPS}/{name}");
                let pairs = [("uuid", name), ("version", version(&path).unwrap_or_default()), ("path", there)];
                all.push(Value::map(pairs.map(|(key, value)| (Value::from(key), Value::from(value)))));
            }
            Value::list(all)
        };
        let (of_install, fault) = (apps.clone(), robot.fault.clone());
        let install = move |call: boxstep_qi::Call| {
            let file = disk.join(call.args[0].as_str().unwrap().trim_start_matches('/'));
            if *fault.lock().unwrap() == Fault::Refuses {
                return call.reply.value(Value::from(false));
            }
            let entries = unpack_whole("x.pkg", &fs::read(file).unwrap(), &Limits::default()).unwrap();
            let manifest = entries.iter().find(|entry| entry.name == "manifest.xml").unwrap();
            let text = String::from_utf8(manifest.bytes.clone()).unwrap();
            let uuid = text.split("uuid=\"").nth(1).unwrap().split('"').next().unwrap();
            let into = of_install.join(uuid);
            let _ = fs::remove_dir_all(&into);
            for entry in &entries {
                let file = into.join(&entry.name);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(&file, &entry.bytes).unwrap();
                let mode = if entry.executable { 0o755 } else { 0o644 };
                fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            }
            if *fault.lock().unwrap() == Fault::Waits && version(&into).unwrap().ends_with('9') {
                fs::write(into.join("../../../../../../../begun"), "").unwrap();
                while !into.join("../../../../../../../go").exists() {
                    std::thread::yield_now();
                }
            }
            if *fault.lock().unwrap() == Fault::Spoils && version(&into).unwrap().ends_with('9') {
                fs::write(into.join("behavior.xar"), "spoiled").unwrap();
            }
            call.reply.value(Value::from(true));
        };
        let removed = apps.clone();
        let remove = move |call: boxstep_qi::Call| {
            let _ = fs::remove_dir_all(removed.join(call.args[0].as_str().unwrap()));
            call.reply.value(Value::Void);
        };
        let manager = ObjectBuilder::new("PackageManager").turns(Turns::AtOnce);
        let manager = manager.method_later("packages::()->m", move |call| call.reply.value(packages()));
        let manager = manager.method_later("install::(s)->b", install).method_later("removePkg::(s)->v", remove);
        robot.server.register("PackageManager", manager.build().unwrap()).unwrap();
        let (installed, added, told) = (apps, robot.defaults.clone(), robot.defaults.clone());
        let names = move || {
            let with = |path: &PathBuf| path.join("behavior.xar").exists();
            let folders = fs::read_dir(&installed).unwrap().map(|entry| entry.unwrap().path()).filter(with);
            Value::list(folders.map(|path| Value::from(format!("{}/.", path.file_name().unwrap().to_str().unwrap()))))
        };
        let behaviors = ObjectBuilder::new("ALBehaviorManager").turns(Turns::AtOnce);
        let behaviors = behaviors.method_later("getInstalledBehaviors::()->[s]", move |call| call.reply.value(names()));
        let behaviors = behaviors.method_later("addDefaultBehavior::(s)->v", move |call| {
            added.lock().unwrap().push(call.args[0].clone());
            call.reply.value(Value::Void);
        });
        let behaviors = behaviors.method_later("getDefaultBehaviors::()->[s]", move |call| {
            call.reply.value(Value::list(told.lock().unwrap().clone()));
        });
        robot.server.register("ALBehaviorManager", behaviors.build().unwrap()).unwrap();
        robot
    }

    fn app(&self, name: &str) -> PathBuf {
        self.folder.path().join("disk").join(&APPS[1..]).join(name)
    }

    fn run(&self, args: &[&str]) -> Command {
        let mut command = boxstep(args);
        command
            .args(["--robot", &format!("tcp://{}", self.server.address())])
            .env("ROBOT_DISK", self.folder.path().join("disk"));
        if args[0] == "uninstall" {
            command.arg("--yes");
        } else if args[0] != "ls" {
            command.arg("--ssh-program").arg(self.folder.path().join("ssh"));
        }
        command.env("ROBOT_WRITES", "10000000").env_remove("BOXSTEP_PASSWORD").current_dir(self.folder.path());
        command
    }

    /// No file that was sent stays, and no version of before.
    fn is_clean(&self) -> bool {
        let kept = |name: &std::ffi::OsStr| name.to_string_lossy().contains(".before-");
        fs::read_dir(self.folder.path().join("disk/home/nao")).unwrap().count() == 1
            && !fs::read_dir(self.folder.path()).unwrap().any(|entry| kept(&entry.unwrap().file_name()))
    }

    /// A package of the example hello, of a version.
    fn package(&self, version: &str) -> String {
        let mut entries = read_folder(&root().join("examples/hello"), &Limits::default()).unwrap();
        let manifest =
            format!("<?xml version='1.0' encoding='UTF-8'?>\n<package version=\"{version}\" uuid=\"hello\"/>\n");
        // Names that are others on this computer.
        for name in ["100%.png", "aux.py", "README", "readme", ".hidden"] {
            let (name, bytes) = (name.to_owned(), name.as_bytes().to_vec());
            entries.push(boxstep_format::archive::Entry { name, bytes, executable: false });
        }
        entries.retain(|entry| entry.name != "manifest.xml");
        entries.push(boxstep_format::archive::Entry {
            name: "manifest.xml".into(),
            bytes: manifest.into_bytes(),
            executable: false,
        });
        let file = self.folder.path().join(format!("hello-{version}.pkg"));
        fs::write(&file, pack(ArchiveKind::Pkg, "hello", &entries).unwrap()).unwrap();
        file.to_str().unwrap().to_owned()
    }
}

fn said(command: &mut Command) -> Said {
    Said::from(command.output().unwrap())
}

#[test]
fn a_package_is_installed_listed_pulled_and_removed() {
    let robot = Robot::new();
    let told = said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    assert!(told.out.contains("installed hello 1.0.0"), "{}", told.out);
    assert!(robot.is_clean());
    let listed = said(&mut robot.run(&["ls", "--long"])).code(0);
    assert_eq!(listed.out, "hello/.  1.0.0\n");
    let pulled = said(&mut robot.run(&["pull", "hello/.", "-o", "back.pkg"])).code(0);
    assert!(pulled.out.contains("hello 1.0.0"), "{}", pulled.out);
    let limits = Limits::default();
    let [sent, back] = ["hello-1.0.0.pkg", "back.pkg"].map(|file| {
        let bytes = fs::read(robot.folder.path().join(file)).unwrap();
        let mut entries: Vec<_> =
            unpack_whole("x.pkg", &bytes, &limits).unwrap().into_iter().map(|e| (e.name, e.bytes)).collect();
        entries.sort();
        entries
    });
    assert!(sent == back);
    said(&mut robot.run(&["pull", "hello"])).code(0);
    assert!(robot.folder.path().join("hello/behavior.xar").exists());
    assert!(said(&mut robot.run(&["pull", "hello"])).code(2).err.contains("--force"));
    said(&mut robot.run(&["uninstall", "hello"])).code(0);
    assert!(!robot.app("hello").exists());
    let missing = said(&mut robot.run(&["pull", "helo"])).code(5);
    assert!(missing.err.contains("there is no package helo"), "{}", missing.err);
    said(&mut robot.run(&["uninstall", "hello"])).code(5);
}

#[test]
fn another_version_is_replaced_only_if_that_is_wanted() {
    let robot = Robot::new();
    said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    let asked = said(&mut robot.run(&["install", &robot.package("2.0.0")])).code(1);
    assert!(asked.err.contains("hello 1.0.0 is installed; --replace replaces it by 2.0.0"), "{}", asked.err);
    assert_eq!(version(&robot.app("hello")).as_deref(), Some("1.0.0"));
    let default = ["install", &robot.package("2.0.0"), "--replace", "--default", "hello/."];
    said(&mut robot.run(&default)).code(0);
    let listed = said(&mut robot.run(&["ls", "-l"])).code(0);
    assert_eq!(listed.out, "hello/.  2.0.0      starts with the robot\n");
}

#[test]
fn what_does_not_arrive_whole_is_put_back() {
    let robot = Robot::new();
    said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    let before = fs::read(robot.app("hello").join("behavior.xar")).unwrap();
    *robot.fault.lock().unwrap() = Fault::Spoils;
    let failed = said(&mut robot.run(&["install", &robot.package("1.0.9"), "--replace"])).code(4);
    assert!(failed.err.contains("behavior.xar has not arrived as it was sent"), "{}", failed.err);
    assert!(failed.err.contains("the version of before is installed again"), "{}", failed.err);
    assert_eq!(version(&robot.app("hello")).as_deref(), Some("1.0.0"));
    assert!(fs::read(robot.app("hello").join("behavior.xar")).unwrap() == before);
    // A robot that refuses has what it had: nothing is sent for that.
    *robot.fault.lock().unwrap() = Fault::Refuses;
    let failed = said(&mut robot.run(&["install", &robot.package("2.0.0"), "--replace"])).code(4);
    assert!(failed.err.contains("the version of before is there"), "{}", failed.err);
    assert!(fs::read(robot.app("hello").join("behavior.xar")).unwrap() == before);
    *robot.fault.lock().unwrap() = Fault::Spoils;
    // One that was not there before is not there after it.
    said(&mut robot.run(&["uninstall", "hello"])).code(0);
    let failed = said(&mut robot.run(&["install", &robot.package("1.0.9")])).code(4);
    assert!(failed.err.contains("it was removed again"), "{}", failed.err);
    assert!(!robot.app("hello").exists());
    *robot.fault.lock().unwrap() = Fault::Refuses;
    let failed = said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(4);
    assert!(failed.err.contains("nothing was installed"), "{}", failed.err);
    assert!(robot.is_clean());
}

#[test]
fn a_robot_whose_disk_is_full_keeps_what_it_has() {
    let robot = Robot::new();
    said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    let mut full = robot.run(&["install", &robot.package("2.0.0"), "--replace"]);
    let failed = said(full.env("ROBOT_WRITES", "100")).code(4);
    assert!(failed.err.contains("No space left on device"), "{}", failed.err);
    assert_eq!(version(&robot.app("hello")).as_deref(), Some("1.0.0"));
    assert!(robot.is_clean());
}

#[test]
fn what_cannot_be_installed_is_refused_before_the_robot_is_asked() {
    let robot = Robot::new();
    let text = robot.folder.path().join("letter.txt");
    fs::write(&text, "Dear Sir").unwrap();
    assert!(said(&mut robot.run(&["install", text.to_str().unwrap()])).code(2).err.contains("neither a package"));
    let wrong = ["install", &robot.package("1.0.0"), "--default", "dance"];
    assert!(said(&mut robot.run(&wrong)).code(2).err.contains("hello has no behavior dance"));
    // `check` finds errors.
    let broken = robot.folder.path().join("broken");
    fs::create_dir_all(&broken).unwrap();
    fs::write(broken.join("behavior.xar"), "<ChoregrapheProject").unwrap();
    fs::write(broken.join("broken.pml"), "<Package name=\"broken\" format_version=\"4\"><BehaviorDescriptions><BehaviorDescription name=\"behavior\" src=\".\" xar=\"behavior.xar\"/></BehaviorDescriptions></Package>").unwrap();
    let refused = said(&mut robot.run(&["install", broken.to_str().unwrap()]));
    assert!(refused.code(1).err.contains("--anyway"));
}

#[test]
fn what_one_robot_has_is_installed_on_another() {
    let (one, other) = (Robot::new(), Robot::new());
    said(&mut one.run(&["install", &one.package("1.0.0")])).code(0);
    let package = other.folder.path().join("from-one.pkg");
    said(one.run(&["pull", "hello"]).arg("-o").arg(&package)).code(0);
    said(other.run(&["install"]).arg(&package)).code(0);
    let compared = Command::new("diff").arg("-r").args([one.app("hello"), other.app("hello")]).output().unwrap();
    assert!(compared.status.success(), "{}", String::from_utf8_lossy(&compared.stdout));
}

#[test]
fn a_folder_that_is_pulled_has_nothing_that_programs_obey() {
    let robot = Robot::new();
    said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    fs::create_dir_all(robot.app("hello").join(".git")).unwrap();
    fs::write(robot.app("hello").join(".git/config"), "[core]\n\tfsmonitor = evil\n").unwrap();
    fs::write(robot.app("hello").join("..\\..\\escaped"), "").unwrap();
    let pulled = said(&mut robot.run(&["pull", "hello"]));
    assert!(!robot.folder.path().join("hello/.git").exists(), "{}", pulled.err);
    assert!(!robot.folder.path().join("escaped").exists());
}

#[test]
fn ctrl_c_while_the_robot_installs_puts_back_what_was_there() {
    let robot = Robot::new();
    said(&mut robot.run(&["install", &robot.package("1.0.0")])).code(0);
    *robot.fault.lock().unwrap() = Fault::Waits;
    let mut installing = robot.run(&["install", &robot.package("1.0.9"), "--replace"]);
    let installing = installing.stderr(std::process::Stdio::piped()).spawn().unwrap();
    let (begun, go) = (robot.folder.path().join("disk/begun"), robot.folder.path().join("disk/go"));
    while !begun.exists() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").arg("-INT").arg(installing.id().to_string()).status().unwrap().success());
    // The version of before is in a file of this computer at every moment.
    let kept = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().contains(".before-");
    assert!(fs::read_dir(robot.folder.path()).unwrap().any(kept));
    fs::write(go, "").unwrap();
    let ended = installing.wait_with_output().unwrap();
    let words = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{words}");
    assert!(words.contains("the version of before is installed again"), "{words}");
    assert_eq!(version(&robot.app("hello")).as_deref(), Some("1.0.0"));
    assert!(robot.is_clean());
}

/// The files of a folder by their names, with their bytes and whether they can be run.
fn files(folder: &Path, within: &str) -> std::collections::BTreeMap<String, (Vec<u8>, bool)> {
    let mut all = std::collections::BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{within}{}", path.file_name().unwrap().display());
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            all.extend(files(&path, &format!("{name}/")));
        } else if metadata.is_file() {
            all.insert(name, (fs::read(&path).unwrap(), metadata.permissions().mode() & 0o100 != 0));
        } else {
            all.insert(name, (fs::read_link(&path).unwrap().as_os_str().as_encoded_bytes().to_vec(), false));
        }
    }
    all
}

#[test]
fn what_was_rescued_from_one_robot_is_installed_on_another_as_it_was() {
    let (old, new) = (Robot::new(), Robot::new());
    said(&mut old.run(&["install", &old.package("1.0.0")])).code(0);
    let app = old.app("hello");
    for name in ["a?b.wav", "sub/CON.txt", "sub/inner/end", "Noël", "noël"] {
        let file = app.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, name).unwrap();
    }
    fs::write(app.join("run.sh"), "#!/bin/sh\n").unwrap();
    fs::set_permissions(app.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
    // What no package can hold is put there beside it.
    std::os::unix::fs::symlink("run.sh", app.join("link")).unwrap();
    fs::write(app.join("C:x"), "colon").unwrap();
    fs::write(app.join("sub").join(latin()), "latin").unwrap();
    let before = files(&app, "");
    assert!(before.len() > 13);
    said(&mut old.run(&["rescue", "rescued", "--ssh", "nao@robot"])).code(0);
    let rescued = old.folder.path().join("rescued/packages/hello");
    assert!(rescued.join("a%3Fb.wav").exists());
    said(&mut new.run(&["install", rescued.to_str().unwrap()])).code(0);
    let after = files(&new.app("hello"), "");
    assert!(after == before, "{:?} {:?}", before.keys(), after.keys());
    // What was changed here is installed; what a rescue has set aside is not.
    fs::write(rescued.join("a%3Fb.wav"), "louder").unwrap();
    fs::write(rescued.join("a%3Fb.wav.before%1"), "").unwrap();
    fs::write(rescued.join("my 100%25.txt"), "mine").unwrap();
    let pkg = old.folder.path().join("tour.pkg");
    let told = said(boxstep(&["pack"]).arg(&rescued).arg(&pkg)).code(0);
    assert!(told.err.contains("link leads to run.sh, and is left out"), "{}", told.err);
    assert!(
        told.err.contains("C:x is left out: no package takes a name that is not UTF-8, or has `:`"),
        "{}",
        told.err
    );
    let packed = unpack_whole("x.pkg", &fs::read(pkg).unwrap(), &Limits::default()).unwrap();
    let bytes = |name: &str| packed.iter().find(|entry| entry.name == name).map(|entry| entry.bytes.clone());
    assert_eq!((bytes("a?b.wav").unwrap(), bytes("my 100%25.txt").unwrap()), (b"louder".into(), b"mine".into()));
    assert_eq!(packed.len() + 3, before.len() + 1);
}

fn latin() -> &'static std::ffi::OsStr {
    std::os::unix::ffi::OsStrExt::from_bytes(b"caf\xe9.txt")
}

#[test]
fn what_is_pulled_is_installed_again_with_names_that_are_not_utf_8_and_links() {
    let (one, other) = (Robot::new(), Robot::new());
    said(&mut one.run(&["install", &one.package("1.0.0")])).code(0);
    let app = one.app("hello");
    fs::write(app.join(latin()), "latin").unwrap();
    fs::write(app.join("caf%E9.txt"), "plain").unwrap();
    std::os::unix::fs::symlink(latin(), app.join("link")).unwrap();
    let mut wanted = files(&app, "");
    for out in ["hello.pkg", "hello-folder"] {
        let pulled = said(&mut one.run(&["pull", "hello", "-o", out])).code(0);
        // A folder of this computer gets nothing hidden, which is said.
        if out == "hello-folder" {
            wanted.remove(".hidden").unwrap();
            assert!(pulled.err.contains(".hidden"), "{}", pulled.err);
        }
        said(other.run(&["install", "--replace"]).arg(one.folder.path().join(out))).code(0);
        assert!(files(&other.app("hello"), "") == wanted, "{out}");
    }
    assert!(other.is_clean());
}

#[test]
fn a_rescue_is_put_back_part_by_part_and_what_fails_leaves_the_robot_as_it_was() {
    let (old, new) = (Robot::new(), Robot::new());
    said(&mut old.run(&["install", &old.package("1.0.0")])).code(0);
    let tour = old.app("tour");
    fs::create_dir(&tour).unwrap();
    fs::copy(old.app("hello").join("behavior.xar"), tour.join("behavior.xar")).unwrap();
    fs::write(tour.join("manifest.xml"), "<package version=\"1.0.9\" uuid=\"tour\"/>").unwrap();
    let home = |robot: &Robot, file: &str| robot.folder.path().join("disk/home/nao").join(file);
    fs::create_dir(home(&old, "tools")).unwrap();
    fs::write(home(&old, "tools/run.py"), "print(1)").unwrap();
    said(&mut old.run(&["rescue", "rescued", "--ssh", "nao@robot"])).code(0);
    let rescued = old.folder.path().join("rescued");
    // A folder from somebody else names no other files of this computer.
    fs::write(old.folder.path().join("secret"), "mine").unwrap();
    let line = |path: &str, file: &str| {
        let taken = r#""size":4,"modified":0,"mode":420,"sha256":"SUM"}}"#.replace("SUM", &"0".repeat(64));
        format!(r#"{{"path":"/home/nao/{path}","taken":{{"file":"{file}",{taken}"#) + "\n"
    };
    std::os::unix::fs::symlink("../../secret", rescued.join("home/linked")).unwrap();
    let mut manifest = fs::read_to_string(rescued.join("manifest.jsonl")).unwrap();
    manifest.push_str(&line("one", "home/../../secret"));
    manifest.push_str(&line("other", "home/linked"));
    fs::write(rescued.join("manifest.jsonl"), manifest).unwrap();
    *new.fault.lock().unwrap() = Fault::Spoils;
    let failed = said(new.run(&["install", "--yes"]).arg(&rescued)).code(4);
    assert!(failed.err.contains("tour: ") && failed.err.contains("it was removed again"), "{}", failed.err);
    assert!(failed.err.contains("1 of it failed, as it says above"), "{}", failed.err);
    assert!(failed.out.contains("home/../../secret: it is not in the folder any more"), "{}", failed.out);
    assert!(!home(&new, "one").exists() && !home(&new, "other").exists());
    assert!(
        failed.out.contains("hello: 1.0.0 installed") && failed.out.contains("home: 1 put there"),
        "{}",
        failed.out
    );
    assert!(files(&old.app("hello"), "") == files(&new.app("hello"), "") && !new.app("tour").exists());
    // A disk that is full takes nothing, and what was made is removed.
    fs::remove_dir_all(home(&new, "tools")).unwrap();
    *new.fault.lock().unwrap() = Fault::None;
    let mut full = new.run(&["install", "--yes"]);
    let failed = said(full.arg(&rescued).env("ROBOT_WRITES", "4")).code(4);
    assert!(failed.err.contains("home: ") && failed.err.contains("No space left on device"), "{}", failed.err);
    assert!(!home(&new, "tools").exists());
    let mut room = new.run(&["install", "--yes"]);
    let refused = said(room.arg(&rescued).env("ROBOT_SPACE", "100 0")).code(4);
    assert!(refused.err.contains("its disk has 0 B left"), "{}", refused.err);
    let told = said(new.run(&["install", "--yes"]).arg(&rescued)).code(0);
    assert!(
        told.out.contains("tour: 1.0.9 installed") && told.out.contains("hello: it is there as it was"),
        "{}",
        told.out
    );
    assert!(files(&home(&old, "tools"), "") == files(&home(&new, "tools"), ""));
    fs::remove_dir_all(home(&new, "tools")).unwrap();
    assert!(new.is_clean());
}

#[test]
fn a_package_for_other_robots_is_not_installed() {
    let robot = Robot::new();
    let object = ObjectBuilder::new("ALSystem")
        .method_later("systemVersion::()->s", |call| call.reply.value(Value::from("2.5.7.1")));
    robot.server.register("ALSystem", object.build().unwrap()).unwrap();
    let object = ObjectBuilder::new("ALRobotModel")
        .method_later("getRobotType::()->s", |call| call.reply.value(Value::from("Nao")));
    robot.server.register("ALRobotModel", object.build().unwrap()).unwrap();
    let app = robot.folder.path().join("made");
    fs::create_dir(&app).unwrap();
    for (requirements, why) in [
        ("<naoqiRequirement minVersion=\"2.8\"/>", "it is made for NAOqi 2.8 and later"),
        ("<naoqiRequirement minVersion=\"2.1\" maxVersion=\"2.4\"/>", "it is made for NAOqi up to 2.4"),
        ("<robotRequirement model=\"JULIETTE_Y20\"/>", "it is made for JULIETTE_Y20"),
        ("<naoqiRequirement minVersion=\"2.1\" maxVersion=\"2.5\"/><robotRequirement model=\"NAO\"/>", ""),
    ] {
        let manifest = format!(
            "<?xml version='1.0' encoding='UTF-8'?>\n<package version=\"1.0\" uuid=\"made\"><requirements>{requirements}</requirements></package>\n"
        );
        fs::write(app.join("manifest.xml"), manifest).unwrap();
        let told = said(&mut robot.run(&["install", app.to_str().unwrap(), "--replace"]));
        assert_eq!((told.code, told.err.contains(why)), (Some(i32::from(!why.is_empty())), true), "{why} {}", told.err);
    }
}
