//! `boxstep rescue`: with a program that stands for ssh and a server of ours that stands for a robot.

use crate::common::{self, Said, boxstep};
use crate::support::Robot;
use boxstep_qi::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A robot's disk, a program in the place of ssh, and the folder that gets everything.
struct Lab {
    folder: TempDir,
}

impl Lab {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let apps = folder.path().join("disk/home/nao/.local/share/PackageManager/apps");
        for example in ["hello", "chorus"] {
            copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(example), &apps.join(example));
        }
        common::fake_ssh(folder.path());
        Self { folder }
    }

    fn disk(&self) -> PathBuf {
        self.folder.path().join("disk")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("rescued")
    }

    fn rescue(&self, more: &[&str]) -> Command {
        let mut command = boxstep(&["rescue"]);
        command.arg(self.home()).arg("--ssh-program").arg(self.folder.path().join("ssh")).args(more);
        command.env("ROBOT_DISK", self.disk()).env_remove("BOXSTEP_PASSWORD").env_remove("BOXSTEP_ROBOT");
        command
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let (name, path) = {
            let entry = entry.unwrap();
            (PathBuf::from(entry.file_name()), entry.path())
        };
        if path.is_dir() {
            files.extend(self::files(&path).into_iter().map(|(inner, bytes)| (name.join(inner), bytes)));
        } else {
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files
}

fn said(command: &mut Command) -> Said {
    Said::from(command.output().unwrap())
}

#[cfg(unix)]
#[test]
fn what_a_robot_holds_comes_home_and_is_tried() {
    let (lab, robot) = (Lab::new(), Robot::ready());
    robot.says("ALMemory.getDataListName", Value::list(["Face", "Device/Temperature"].map(Value::from)));
    robot.says("ALMemory.getListData", Value::list([Value::from("smiles"), Value::from(41.5)]));
    let address = robot.address();
    let asked = ["--robot", &address, "--ssh", "nao@robot"];
    let told = said(&mut lab.rescue(&asked)).code(0);
    assert!(told.out.contains("packages"), "{}", told.out);
    assert!(told.out.contains("behaviors and dialogs play without their scripts in simulation"), "{}", told.out);
    let packages = "home/nao/.local/share/PackageManager/apps";
    assert!(files(&lab.home().join("packages")) == files(&lab.disk().join(packages)));
    let page = fs::read_to_string(lab.home().join("index.html")).unwrap();
    for part in ["hello", "plays", "drawings/0.svg", "What you should try"] {
        assert!(page.contains(part), "{part}");
    }
    let memory = fs::read_to_string(lab.home().join("robot/memory.json")).unwrap();
    assert!(memory.contains("\"Face\": \"smiles\"") && memory.contains("41.5"), "{memory}");
    assert_eq!(robot.commands(), [""; 0]);
    // Once more: nothing is read again.
    let again = said(&mut lab.rescue(&asked)).code(0);
    assert!(again.out.contains("of them before"), "{}", again.out);
    // A report has nothing private.
    let report = said(boxstep(&["rescue", "--report"]).arg(lab.home())).code(0);
    for part in ["\"xar\"", "2.5.7.1", "\"robot\": \"nao\""] {
        assert!(report.out.contains(part), "{part}: {}", report.out);
    }
    for private in ["hello", "smiles", "robot@", &address, "/home"] {
        assert!(!report.out.contains(private), "{private}: {}", report.out);
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_breaks_again_and_again_is_connected_again() {
    let lab = Lab::new();
    let dead = ["--robot", "127.0.0.1:1", "--ssh", "nao@robot"];
    // Each connection brings one file or two; a robot without NAOqi still has its files.
    let told = said(lab.rescue(&dead).env("ROBOT_CUT", "60")).code(0);
    assert!(told.out.contains("not taken: what the robot says of itself"), "{}", told.out);
    assert_eq!(files(&lab.home().join("packages")).len(), files(&lab.disk()).len());
}

#[cfg(unix)]
#[test]
fn the_password_is_given_to_ssh_and_shown_to_nobody() {
    let lab = Lab::new();
    let log = lab.folder.path().join("log");
    let dead = ["--robot", "127.0.0.1:1", "--ssh", "pepper@robot:2222"];
    let mut with = lab.rescue(&dead);
    let secret = "it's \"secret\" $HOME %s \\n";
    with.env("BOXSTEP_PASSWORD", secret).env("ROBOT_PASSWORD", secret).env("ROBOT_LOG", &log);
    said(&mut with).code(0);
    let arguments = fs::read_to_string(&log).unwrap();
    assert!(arguments.contains("-p 2222 -s -- pepper@robot sftp") && !arguments.contains("secret"), "{arguments}");
    let mut wrong = lab.rescue(&dead);
    let refused = said(wrong.env("BOXSTEP_PASSWORD", "guess").env("ROBOT_PASSWORD", secret)).code(4);
    assert!(refused.err.contains("Permission denied (publickey,password)"), "{}", refused.err);
}

#[cfg(unix)]
#[test]
fn a_robot_older_than_qi_still_has_its_files() {
    let lab = Lab::new();
    let web = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = web.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in web.incoming() {
            let _ = std::io::Write::write_all(&mut stream.unwrap(), b"HTTP/1.1 200 OK\r\n\r\n<html>");
        }
    });
    let too_old = "the server does not speak qi: its answer begins with \"HTTP\", as of a web server, or of a robot with NAOqi 1.14";
    let told = said(&mut lab.rescue(&["--robot", &address, "--ssh", "nao@robot"])).code(0);
    assert!(
        told.out.contains("not taken: what the robot says of itself") && told.out.contains(too_old),
        "{}",
        told.out
    );
    assert_eq!(files(&lab.home().join("packages")).len(), files(&lab.disk()).len());
    let refused = said(&mut boxstep(&["qi", "info", &address])).code(4);
    assert!(refused.err.contains(too_old), "{}", refused.err);
    let refused = said(&mut boxstep(&["doctor", "--robot", &address]));
    assert!(refused.err.contains(too_old) && refused.err.contains("boxstep rescue"), "{}", refused.err);
}

#[test]
fn the_folder_of_a_dead_robots_disk_comes_home() {
    let lab = Lab::new();
    let told = said(boxstep(&["rescue"]).arg(lab.home()).arg("--from").arg(lab.disk())).code(0);
    assert!(told.out.contains("index.html"), "{}", told.out);
    assert_eq!(files(&lab.home().join("packages")).len(), files(&lab.disk()).len());
    let empty = tempfile::tempdir().unwrap();
    let rescue = |into: &str, from: &Path| {
        said(boxstep(&["rescue", into, "--from"]).arg(from).current_dir(lab.folder.path())).code(2).err
    };
    let refused = rescue("nothing", empty.path());
    assert!(refused.contains("none of the folders"), "{refused}");
    // What is written would be read again.
    let refused = rescue("inner", lab.folder.path());
    assert!(refused.contains("it is inside of the disk"), "{refused}");
}

#[test]
fn bad_usage_is_told() {
    let empty = tempfile::tempdir().unwrap();
    let ask = |args: &[&str]| {
        let mut command = boxstep(&["rescue"]);
        said(command.args(args).current_dir(empty.path()).env_remove("BOXSTEP_ROBOT")).code(2).err
    };
    assert!(ask(&["x"]).contains("no robot is named"));
    assert!(ask(&["x", "--from", "missing.img"]).contains("missing.img"));
    assert!(ask(&["x", "--report"]).contains("rescue.json"));
    assert!(ask(&["x", "--robot", "127.0.0.1:1", "--ssh=-oProxyCommand=x@y"]).contains("USER@HOST"));
    assert!(ask(&["x", "--robot", "127.0.0.1:1", "--ssh=nao@robot:high"]).contains("not a port"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_rescue_whose_robot_says_nothing_and_it_goes_on_later() {
    use std::io::Read as _;
    let lab = Lab::new();
    let dead = ["--robot", "127.0.0.1:1", "--ssh", "nao@robot"];
    let hangs = lab.folder.path().join("hangs");
    let mut waiting = lab.rescue(&dead);
    waiting.env("ROBOT_HANGS", &hangs).stderr(std::process::Stdio::piped());
    let mut waiting = waiting.spawn().unwrap();
    while !hangs.exists() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").arg("-INT").arg(waiting.id().to_string()).status().unwrap().success());
    let mut words = String::new();
    waiting.stderr.take().unwrap().read_to_string(&mut words).unwrap();
    assert_eq!(waiting.wait().unwrap().code(), Some(130), "{words}");
    assert!(words.contains("give the same command again"), "{words}");
    said(&mut lab.rescue(&dead)).code(0);
    assert_eq!(files(&lab.home().join("packages")).len(), files(&lab.disk()).len());
}

#[cfg(unix)]
#[test]
fn robots_are_not_mixed_with_each_other_or_with_what_is_there() {
    use std::os::unix::fs::PermissionsExt as _;
    let lab = Lab::new();
    said(&mut lab.rescue(&["--robot", "127.0.0.1:1", "--ssh", "nao@robot"])).code(0);
    assert_eq!(fs::metadata(lab.home()).unwrap().permissions().mode() & 0o777, 0o700);
    let other = said(&mut lab.rescue(&["--robot", "127.0.0.2:1", "--ssh", "nao@robot"])).code(2);
    assert!(other.err.contains("it has what came from 127.0.0.1:1"), "{}", other.err);
    // The environment may name the robot in each of its rescues.
    fs::remove_dir_all(lab.home()).unwrap();
    for _ in 0..2 {
        said(lab.rescue(&["--ssh", "nao@robot"]).env("BOXSTEP_ROBOT", "127.0.0.1:1")).code(0);
    }
    let letters = tempfile::tempdir().unwrap();
    fs::write(letters.path().join("letter.txt"), "Dear Sir").unwrap();
    let refused = said(boxstep(&["rescue"]).arg(letters.path()).arg("--from").arg(lab.disk())).code(2);
    assert!(refused.err.contains("it has files that no rescue has put there"), "{}", refused.err);
}

/// The figures of docs/inside/performance.md. Set `BOXSTEP_CORPUS` to a folder of real files.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "it writes 4 GiB and takes a minute"]
fn a_corpus_and_a_sound_of_two_gigabytes_come_home_in_little_memory() {
    use std::time::Instant;
    let lab = Lab::new();
    let apps = lab.disk().join("home/nao/.local/share/PackageManager/apps");
    if let Some(corpus) = std::env::var_os("BOXSTEP_CORPUS") {
        copy(Path::new(&corpus), &apps.join("corpus"));
    }
    let latin: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(b"caf\xe9.txt");
    fs::write(apps.join(latin), "latin").unwrap();
    std::os::unix::fs::symlink("hello", apps.join("link")).unwrap();
    let sound = apps.join("long.wav");
    fs::File::create(&sound).unwrap().set_len(2 << 30).unwrap();
    let begun = Instant::now();
    let mut child = lab.rescue(&["--robot", "127.0.0.1:1", "--ssh", "nao@robot"]).spawn().unwrap();
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak =
            status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(peak.unwrap_or(0_u64));
        std::thread::yield_now();
    }
    let took = begun.elapsed();
    assert!(child.wait().unwrap().success());
    let home = lab.home().join("packages");
    let same = |a: &Path, b: &Path| Command::new("diff").arg("-rq").args([a, b]).status().unwrap().success();
    assert!(same(&apps.join("hello"), &home.join("hello")) && same(&sound, &home.join("long.wav")));
    if apps.join("corpus").exists() {
        assert!(same(&apps.join("corpus"), &home.join("corpus")));
    }
    assert_eq!(fs::read(home.join("caf%E9.txt")).unwrap(), b"latin");
    let begun = Instant::now();
    fs::copy(&sound, lab.folder.path().join("floor.wav")).unwrap();
    let floor = begun.elapsed();
    println!(
        "at most {} MB of memory; {took:.1?}, of it what is tried too; a copy of the sound alone {floor:.1?}",
        most / 1024
    );
}
