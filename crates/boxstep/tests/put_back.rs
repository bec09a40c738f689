//! `boxstep robot --disk`: what one of them has is taken home, and put on another.

use crate::common::{Said, boxstep, root};
use crate::generations::Served;
use boxstep_qi::{Generation, Value, args};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const APPS: &str = "home/nao/.local/share/PackageManager/apps";

/// Two robots of a generation with disks, and a folder to work in.
struct Lab {
    folder: TempDir,
    old: Served,
    new: Served,
}

impl Lab {
    /// `fill` puts files on the disk of the old one, before it starts.
    fn new(generation: Generation, fill: impl FnOnce(&Path)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let disk = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs::create_dir_all(Path::new(&disk("old")).join(APPS)).unwrap();
        fill(Path::new(&disk("old")));
        let start = |name: &str| Served::start(generation, &["--disk", &disk(name)]);
        let (old, new) = (start("old"), start("new"));
        Self { folder, old, new }
    }

    fn at(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn run(&self, robot: &Served, args: &[&str]) -> Command {
        let mut command = boxstep(args);
        command.args(robot.login()).current_dir(self.folder.path()).env_remove("BOXSTEP_PASSWORD");
        command
    }

    fn says(&self, robot: &Served, args: &[&str], code: i32) -> Said {
        Said::from(self.run(robot, args).output().unwrap()).code(code)
    }
}

/// What a folder has: files with their bytes and whether they can be run, links with where they lead.
fn tree(folder: &Path) -> BTreeMap<Vec<u8>, (Vec<u8>, bool)> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().as_bytes().to_vec();
        let metadata = fs::symlink_metadata(&path).unwrap();
        if metadata.is_dir() {
            all.extend(tree(&path).into_iter().map(|(inner, what)| ([&name[..], b"/", &inner].concat(), what)));
        } else if metadata.is_symlink() {
            all.insert(name, (fs::read_link(&path).unwrap().into_os_string().into_vec(), false));
        } else {
            all.insert(name, (fs::read(&path).unwrap(), metadata.permissions().mode() & 0o100 != 0));
        }
    }
    all
}

fn latin() -> &'static std::ffi::OsStr {
    std::ffi::OsStr::from_bytes(b"caf\xe9.txt")
}

fn texts(value: &Value) -> Vec<String> {
    value.as_slice().unwrap().iter().map(|one| one.plain().as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_a_robot_of_every_generation_has_is_taken_home_and_put_on_another() {
    for generation in [Generation::Naoqi21, Generation::Naoqi25, Generation::Naoqi29] {
        let lab = Lab::new(generation, |disk| {
            let put = |path: &str, text: &str| {
                let file = disk.join(path);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            };
            put("home/nao/mine.py", "print('mine')\n");
            put("home/nao/.ssh/authorized_keys", "key");
            put("home/nao/naoqi/preferences/autoload.ini", "[python]\n/home/nao/mine.py\n");
            put("home/nao/recordings/song.wav", "la");
            put("home/nao/behaviors/wave/sound.wav", "wave");
            fs::copy(root().join("examples/hello/behavior.xar"), disk.join("home/nao/behaviors/wave/behavior.xar"))
                .unwrap();
        });
        let hello = root().join("examples/hello");
        lab.says(&lab.old, &["install", hello.to_str().unwrap(), "--default", "."], 0);
        let app = lab.at("old").join(APPS).join("hello");
        fs::write(app.join(latin()), "latin").unwrap();
        symlink("behavior.xar", app.join("latest")).unwrap();
        let old = lab.old.session();
        let preferences = old.service("ALPreferenceManager").unwrap();
        for (domain, name, value) in
            [("my.app", "volume", "70"), ("my.app", "wifi_ssid", "lab"), ("com.x", "RobotName", "old")]
        {
            preferences.call("setValue", &args![domain, name, value]).unwrap();
        }
        lab.says(&lab.old, &["rescue", "taken"], 0);
        // Nothing is done without a yes.
        let asked = lab.says(&lab.new, &["install", "taken"], 1);
        for part in [
            "package      hello",
            "package      wave 0.0.1",
            "home         2 files and links",
            "preferences  1; 0 are the same already\n               my.app volume",
            "starts with it hello",
            "~/.ssh: hidden files",
            "preference com.x RobotName: the name of the robot",
            "preference my.app wifi_ssid: its network",
            "autoload.ini: /home/nao/mine.py: what starts with NAOqi",
        ] {
            assert!(asked.out.contains(part), "{part}: {}", asked.out);
        }
        assert!(asked.err.contains("--yes puts it on"), "{}", asked.err);
        assert_eq!(tree(&lab.at("new/home")).len(), 0);
        let told = lab.says(&lab.new, &["install", "taken", "--yes"], 0);
        assert!(told.out.contains("preferences: 1 set"), "{}", told.out);
        assert!(tree(&app) == tree(&lab.at("new").join(APPS).join("hello")));
        let home = tree(&lab.at("new/home/nao"));
        for (file, is_there) in [
            ("mine.py", true),
            ("recordings/song.wav", true),
            (".ssh/authorized_keys", false),
            ("naoqi/preferences/autoload.ini", false),
        ] {
            assert_eq!(home.contains_key(file.as_bytes()), is_there, "{file}");
        }
        let new = lab.new.session();
        let preferences = new.service("ALPreferenceManager").unwrap();
        let domains = preferences.call("getDomainList", &[]).unwrap();
        assert_eq!(texts(&domains), ["my.app"]);
        assert_eq!(preferences.call("getValue", &args!["my.app", "volume"]).unwrap().plain().as_str(), Some("70"));
        let behaviors = new.service("ALBehaviorManager").unwrap();
        assert_eq!(texts(&behaviors.call("getDefaultBehaviors", &[]).unwrap()), ["hello/."]);
        assert_eq!(texts(&behaviors.call("getInstalledBehaviors", &[]).unwrap()), ["hello", "wave"]);
        // Done again, nothing is to be done.
        let before = tree(&lab.at("new"));
        let again = lab.says(&lab.new, &["install", "taken", "--yes"], 0);
        assert!(again.out.contains("hello: it is there as it was"), "{}", again.out);
        assert!(again.out.contains("home: 0 put there, 2 were there"), "{}", again.out);
        assert!(again.out.contains("preferences  0; 1 are the same already"), "{}", again.out);
        assert!(tree(&lab.at("new")) == before);
        // What is removed does not start with the robot any more.
        lab.says(&lab.new, &["uninstall", "hello"], 1);
        lab.says(&lab.new, &["uninstall", "hello", "--yes"], 0);
        assert_eq!(texts(&behaviors.call("getDefaultBehaviors", &[]).unwrap()).len(), 0);
        assert_eq!(texts(&behaviors.call("getInstalledBehaviors", &[]).unwrap()), ["wave"]);
    }
}

#[test]
fn a_robot_remembers_what_it_has_when_it_is_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let disk = folder.path().join("disk");
    let start = || Served::start(Generation::Naoqi28, &["--disk", disk.to_str().unwrap()]);
    let served = start();
    let hello = root().join("examples/hello");
    let mut install = boxstep(&["install", hello.to_str().unwrap(), "--default", "."]);
    Said::from(install.args(served.login()).current_dir(folder.path()).output().unwrap()).code(0);
    served.session().service("ALPreferenceManager").unwrap().call("setValue", &args!["d", "n", 7]).unwrap();
    drop(served);
    let served = start();
    let session = served.session();
    let manager = session.service("PackageManager").unwrap();
    assert_eq!(manager.call("hasPackage", &args!["hello"]).unwrap().as_bool(), Some(true));
    let package = manager.call("package2", &args!["hello"]).unwrap();
    assert_eq!(package.as_slice().unwrap()[8].as_str(), Some("/home/nao/.local/share/PackageManager/apps/hello"));
    for method in ["package", "getPackage"] {
        let package = manager.call(method, &args!["hello"]).unwrap();
        assert_eq!(
            package.plain().get("uuid").and_then(|uuid| uuid.plain().as_str().map(str::to_owned)).as_deref(),
            Some("hello")
        );
    }
    manager.call("package", &args!["nothing"]).unwrap_err();
    let behaviors = session.service("ALBehaviorManager").unwrap();
    assert_eq!(texts(&behaviors.call("getDefaultBehaviors", &[]).unwrap()), ["hello/."]);
    // An installed behavior plays.
    behaviors.call("startBehavior", &args!["hello"]).unwrap();
    let value = session.service("ALPreferenceManager").unwrap().call("getValue", &args!["d", "n"]).unwrap();
    assert_eq!(value.plain().as_i64(), Some(7));
    // A folder with other files is nobody's disk.
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("letter.txt"), "Dear Sir").unwrap();
    let refused = crate::common::say(&["robot", "--disk", other.path().to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    assert!(refused.code(2).err.contains("is no robot's disk"));
}

#[test]
fn hundreds_of_packages_go_from_one_robot_to_another_to_the_byte() {
    const PACKAGES: usize = 200;
    let lab = Lab::new(Generation::Naoqi28, |disk| {
        for number in 0..PACKAGES {
            let app = disk.join(APPS).join(format!("app-{number}"));
            fs::create_dir_all(app.join("sounds")).unwrap();
            let manifest = format!(
                "<?xml version='1.0' encoding='UTF-8'?>\n<package version=\"1.{number}\" uuid=\"app-{number}\"/>\n"
            );
            fs::write(app.join("manifest.xml"), manifest).unwrap();
            fs::write(app.join("sounds/1.wav"), vec![number as u8; number * 97]).unwrap();
            match number % 5 {
                0 => fs::write(app.join("sounds").join(latin()), "latin").unwrap(),
                1 => symlink("../manifest.xml", app.join("sounds/link")).unwrap(),
                2 => fs::write(app.join("a:b"), "colon").unwrap(),
                3 => {
                    fs::write(app.join("run.sh"), "#!/bin/sh\n").unwrap();
                    fs::set_permissions(app.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
                }
                _ => fs::write(app.join("日本語.top"), "topic: ~t()\n").unwrap(),
            }
        }
    });
    lab.says(&lab.old, &["rescue", "taken"], 0);
    lab.says(&lab.new, &["install", "taken", "--yes"], 0);
    let [old, new] = ["old", "new"].map(|disk| tree(&lab.at(disk).join(APPS)));
    assert_eq!(old.len(), PACKAGES * 3);
    assert!(old == new);
}

/// Puts a file on a disk.
fn put(disk: &Path, path: &str, text: &str) {
    let file = disk.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn manifest(uuid: &str, version: &str) -> String {
    format!("<?xml version='1.0' encoding='UTF-8'?>\n<package version=\"{version}\" uuid=\"{uuid}\"/>\n")
}

#[test]
fn hidden_files_of_a_package_go_with_it_and_come_back_when_it_is_replaced() {
    let lab = Lab::new(Generation::Naoqi28, |disk| {
        let app = disk.join(APPS).join("tour");
        put(&app, "manifest.xml", &manifest("tour", "1.0"));
        for hidden in [".DS_Store", ".svn/entries", ".env", "mise.toml", "sounds/.git/config"] {
            put(&app, hidden, hidden);
        }
        put(&app, "repository/HEAD", "ref: refs/heads/main\n");
    });
    let [old, new] = ["old", "new"].map(|disk| lab.at(disk).join(APPS).join("tour"));
    lab.says(&lab.old, &["rescue", "taken"], 0);
    lab.says(&lab.new, &["install", "taken", "--yes"], 0);
    assert_eq!(tree(&new).len(), 7);
    assert!(tree(&old) == tree(&new));
    // A package that was pulled has them, too.
    lab.says(&lab.old, &["pull", "tour", "-o", "tour.pkg"], 0);
    lab.says(&lab.new, &["uninstall", "tour", "--yes"], 0);
    lab.says(&lab.new, &["install", "tour.pkg", "--anyway"], 0);
    assert!(tree(&old) == tree(&new));
    put(&new, "manifest.xml", &manifest("tour", "0.9"));
    lab.says(&lab.new, &["install", "tour.pkg", "--replace", "--anyway"], 0);
    assert!(tree(&old) == tree(&new));
}

#[test]
fn the_disk_of_a_robot_leads_nowhere_else_and_what_was_cut_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let apps = at("disk").join(APPS);
    put(&apps, ".tour.old/manifest.xml", &manifest("tour", "1.0"));
    put(&apps, ".tour.new/half", "half");
    put(&apps, ".walk.old/manifest.xml", &manifest("walk", "1.0"));
    put(&apps, "walk/manifest.xml", &manifest("walk", "2.0"));
    put(&at("outside"), "hello/precious", "mine");
    symlink(at("outside/hello"), apps.join("linked")).unwrap();
    let disk = at("disk");
    let start = || Served::start(Generation::Naoqi28, &["--disk", disk.to_str().unwrap()]);
    let served = start();
    let manager = served.session().service("PackageManager").unwrap();
    for (id, is_there) in [("tour", true), ("walk", true), ("linked", false), ("hello", false)] {
        assert_eq!(manager.call("hasPackage", &args![id]).unwrap().as_bool(), Some(is_there), "{id}");
    }
    let there: Vec<Vec<u8>> = tree(&apps).into_keys().collect();
    assert_eq!(there, [&b"linked"[..], b"tour/manifest.xml", b"walk/manifest.xml"]);
    assert_eq!(fs::read_to_string(apps.join("walk/manifest.xml")).unwrap(), manifest("walk", "2.0"));
    // What a client may do to the disk.
    fs::rename(&apps, apps.with_file_name("apps-before")).unwrap();
    symlink(at("outside"), &apps).unwrap();
    let hello = root().join("examples/hello");
    let install = |code| {
        let mut install = boxstep(&["install", hello.to_str().unwrap()]);
        Said::from(install.args(served.login()).current_dir(folder.path()).output().unwrap()).code(code)
    };
    install(4);
    manager.call("removePkg", &args!["tour"]).unwrap_err();
    assert_eq!(tree(&at("outside")).len(), 1);
    // A link within the disk is followed there.
    fs::remove_file(&apps).unwrap();
    fs::create_dir_all(at("disk/media/apps")).unwrap();
    symlink("/media/apps", &apps).unwrap();
    install(0);
    assert!(at("disk/media/apps/hello/manifest.xml").is_file());
    drop(served);
    fs::rename(at("disk/media"), at("disk/gone")).unwrap();
    let refused = crate::common::say(&["robot", "--disk", disk.to_str().unwrap(), "--listen", "127.0.0.1:0"]);
    assert!(refused.code(2).err.contains("a link on the way leads to nothing on this disk"));
}

#[test]
fn each_part_of_a_rescue_is_put_back_or_named() {
    let lab = Lab::new(Generation::Naoqi28, |_| {});
    let disk = lab.at("dead");
    for (path, text) in [
        ("home/nao/mine.py", "first"),
        ("home/nao/.bashrc", "hidden"),
        ("home/nao/behaviors/Wave Hello/sound.wav", "wave"),
        ("home/nao/behaviors/waveLeft/sound.wav", "wave"),
        ("home/nao/behaviors/lone.xar", "lone"),
        ("data/home/nao/mine.py", "second"),
        ("data/home/nao/only.py", "second"),
    ] {
        put(&disk, path, text);
    }
    for wave in ["Wave Hello", "waveLeft"] {
        let folder = disk.join("home/nao/behaviors").join(wave);
        fs::copy(root().join("examples/hello/behavior.xar"), folder.join("behavior.xar")).unwrap();
    }
    let apps = disk.join(APPS);
    put(&apps, "loosefile.pkg", "loose");
    put(&apps, "broken/manifest.xml", "<package");
    put(&apps, "tour/manifest.xml", &manifest("tour", "1.0"));
    put(&disk.join("data").join(APPS), "tour/manifest.xml", &manifest("tour", "2.0"));
    for (link, to) in [
        ("home/nao/behaviors/link", "waveLeft"),
        ("home/nao/.hidden", "mine.py"),
        ("home/nao/latest", "mine.py"),
        ("data/home/nao/there", "only.py"),
    ] {
        symlink(to, disk.join(link)).unwrap();
    }
    let rescue = boxstep(&["rescue", "taken", "--from", "dead"]).current_dir(lab.folder.path()).output().unwrap();
    Said::from(rescue).code(0);
    fs::write(lab.at("taken/home/mine.py"), "changed").unwrap();
    fs::create_dir(lab.at("taken/robot")).unwrap();
    fs::write(lab.at("taken/robot/preferences.json"), "{\"ALPref").unwrap();
    let told = lab.says(&lab.new, &["install", "taken", "--yes"], 1);
    for part in [
        "package      tour 1.0\n",
        "package      Wave-Hello 0.0.1",
        "package      waveLeft 0.0.1",
        "home         4 files and links",
        "Wave Hello becomes Wave-Hello",
        "/home/nao/mine.py: it was changed here since the rescue",
        "/home/nao/behaviors/lone.xar: it is a file beside the folders",
        "/home/nao/.local/share/PackageManager/apps/loosefile.pkg: it is a file beside the folders",
        "/home/nao/behaviors/link: it is a link to waveLeft, beside the folders",
        "~/.bashrc: hidden files",
        "~/.hidden: hidden files",
        "/data/home/nao/mine.py: /home/nao/mine.py gets its place",
        "another package has its id, tour",
        "packages/broken: ",
        "robot/preferences.json: it cannot be read",
    ] {
        assert!(told.out.contains(part), "{part}: {}", told.out);
    }
    assert!(!told.out.contains('\u{1b}') && !told.out.contains("\\n"), "{}", told.out);
    let home = tree(&lab.at("new/home/nao"));
    for (file, text) in [("mine.py", "changed"), ("only.py", "second"), ("latest", "mine.py"), ("there", "only.py")] {
        assert_eq!(home[file.as_bytes()].0, text.as_bytes(), "{file}");
    }
    assert_eq!(
        home[format!("{APPS}/tour/manifest.xml").strip_prefix("home/nao/").unwrap().as_bytes()].0,
        manifest("tour", "1.0").as_bytes()
    );
    // The same version with other files is for a person to decide.
    put(&lab.at("new").join(APPS), "tour/manifest.xml", &(manifest("tour", "1.0") + " "));
    let told = lab.says(&lab.new, &["install", "taken", "--yes"], 1);
    assert!(told.out.contains("tour: ") && told.out.contains("--replace replaces it"), "{}", told.out);
    // What was cut is no whole rescue.
    let note = fs::read_to_string(lab.at("taken/rescue.json")).unwrap();
    fs::write(lab.at("taken/rescue.json"), note.replace("\"whole\": true", "\"whole\": false")).unwrap();
    let told = lab.says(&lab.new, &["install", "taken"], 1);
    assert!(told.out.contains("the rescue: it was cut, and is not whole"), "{}", told.out);
}
