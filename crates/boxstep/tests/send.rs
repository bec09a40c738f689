//! `boxstep send`: one Boxstep plays what another hands it.

use crate::common::{Said, Temp, boxstep, has_python, say, xar};
use boxstep_format::archive::{ArchiveKind, Entry, pack};
use boxstep_qi::{Error, ObjectBuilder, Remote, Server, Session, Value, args};
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Stdio};

/// A `boxstep robot` or `play --serve`.
struct Host {
    child: Child,
    out: Lines<BufReader<ChildStdout>>,
    address: String,
    /// Where it keeps what it has only for a while.
    temporary: Temp,
}

impl Host {
    fn robot(more: &[&str]) -> Host {
        let temporary = Temp::new("tmp");
        std::fs::create_dir_all(&temporary.0).unwrap();
        Host::start(&[&["robot", "--listen", "127.0.0.1:0", "--type"], more].concat(), "listens at", temporary)
    }

    fn start(args: &[&str], ready: &str, temporary: Temp) -> Host {
        let mut child = boxstep(args)
            .env("TMPDIR", &temporary.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = out.by_ref().map(Result::unwrap).find(|line| line.contains(ready)).unwrap();
        let address = first.split("tcp://").nth(1).unwrap().trim().replace("0.0.0.0", "127.0.0.1");
        Host { child, out, address, temporary }
    }

    fn send(&self, file: &Path, more: &[&str]) -> Said {
        say(&[&["send", file.to_str().unwrap(), "--robot", &self.address], more].concat())
    }

    /// Another command for what it has.
    fn asks(&self, args: &[&str]) -> Said {
        say(&[args, &["--robot", &self.address]].concat())
    }

    fn list(&self) -> String {
        self.asks(&["ls"]).code(0).out
    }

    /// The next line that has this in it.
    fn tells(&mut self, wanted: &str) -> String {
        self.out.by_ref().map(Result::unwrap).find(|line| line.contains(wanted)).unwrap()
    }

    fn boxstep(&self) -> Remote {
        Session::connect(&self.address).unwrap().service("Boxstep").unwrap()
    }

    /// How many files and folders it keeps for a while.
    fn keeps(&self) -> usize {
        std::fs::read_dir(&self.temporary.0).unwrap().count()
    }

    fn ends(&mut self) -> String {
        writeln!(self.child.stdin.as_mut().unwrap(), "quit").unwrap();
        let mut said = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut said).unwrap();
        assert_eq!(self.child.wait().unwrap().code(), Some(0), "{said}");
        said
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A behavior whose only box does this in `onStart`, and then ends it.
fn doing(line: &str) -> String {
    let script = format!(
        "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        {line}\n        self.onStopped()\n"
    );
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    xar::behavior(&xar::ports(), &xar::flow(&(xar::a_box(1, "Does", &script, &xar::ports(), "") + &links)))
}

/// One that waits for ever.
fn endless() -> String {
    xar::behavior(&xar::ports(), &xar::flow(""))
}

fn saying(words: &str) -> String {
    doing(&format!("ALProxy('ALTextToSpeech').say('{words}')"))
}

struct Folder(Temp);

impl Folder {
    fn new() -> Self {
        Self(Temp::new("sent"))
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

#[test]
fn a_behavior_with_scripts_is_sent_played_listed_and_sent_anew() {
    if !has_python() {
        return;
    }
    let (mut robot, folder) = (Host::robot(&[]), Folder::new());
    let dance = folder.put("dance.xar", &saying("first version"));
    folder.put("private.txt", "beside a lone file may lie anything");
    let sent = robot.send(&dance, &["--wait"]).code(0).out;
    assert!(sent.contains("sent dance.crg to") && sent.contains("dance has ended"), "{sent}");
    robot.tells("received dance.crg: dance");
    robot.tells("first version");
    assert_eq!(robot.list(), "dance\n");
    assert_eq!(robot.keeps(), 1);

    folder.put("dance.xar", &saying("second version"));
    robot.send(&dance, &["--no-start"]).code(0);
    robot.tells("in the place of what was sent before");
    assert_eq!((robot.list().as_str(), robot.keeps()), ("dance\n", 1));
    robot.asks(&["start", "dance", "--wait"]).code(0);
    robot.tells("second version");

    let other = folder.put("wave.xar", &saying("another one"));
    robot.send(&other, &["--wait"]).code(0);
    robot.tells("another one");
    robot.asks(&["start", "dance", "--wait"]).code(0);
    robot.tells("second version");
    assert_eq!(robot.list(), "dance\nwave\n");
    robot.ends();
    assert_eq!(robot.keeps(), 0, "what was unpacked is gone");
}

#[test]
fn what_fails_there_is_said_here_and_the_robot_goes_on() {
    if !has_python() {
        return;
    }
    let (mut robot, folder) = (Host::robot(&[]), Folder::new());
    let failed = robot.send(&folder.put("bad.xar", &doing("raise ValueError('no music')")), &["--wait"]).code(4);
    assert!(failed.err.contains("no music"), "{}", failed.err);
    let died = robot.send(&folder.put("dies.xar", &doing("import os; os._exit(3)")), &["--wait"]).code(4);
    assert!(died.err.contains("process for scripts"), "{}", died.err);
    robot.send(&folder.put("good.xar", &saying("still here")), &["--wait"]).code(0);
    robot.tells("still here");
    robot.ends();
}

#[test]
fn what_cannot_be_sent_is_bad_usage_and_nobody_is_asked() {
    let folder = Folder::new();
    // Nothing listens there: if it were asked, that would be 4.
    let send =
        |file: &Path, more: &[&str]| say(&[&["send", file.to_str().unwrap(), "--robot", "127.0.0.1:1"], more].concat());
    let gone = send(&folder.0.0.join("gone.xar"), &["--wait"]).code(2);
    assert!(gone.err.contains("gone.xar"), "{}", gone.err);
    let none = send(&folder.put("none.xar", "<no/>"), &["--wait"]).code(2);
    assert!(none.err.contains("none.xar"), "{}", none.err);
    let other = send(&folder.put("waits.xar", &endless()), &["--behavior", "dances", "--wait"]).code(2);
    assert!(other.err.contains("dances"), "{}", other.err);
    send(&folder.put("waits.xar", &endless()), &["--wait", "--no-start"]).code(2);
}

#[test]
fn a_project_is_sent_whole_and_any_of_its_behaviors_started() {
    if !has_python() {
        return;
    }
    let (mut robot, folder) = (Host::robot(&[]), Folder::new());
    let pml = folder.put(
        "app.pml",
        "<Package name=\"app\" format_version=\"4\"><BehaviorDescriptions>\
         <BehaviorDescription name=\"behavior\" src=\"one\" xar=\"behavior.xar\" />\
         <BehaviorDescription name=\"behavior\" src=\"two\" xar=\"behavior.xar\" /></BehaviorDescriptions></Package>",
    );
    folder.put("lib/steps.py", "WORDS = 'from the module'\n");
    folder.put("one/behavior.xar", &endless());
    let two = folder.put("two/behavior.xar", &doing("import steps; ALProxy('ALTextToSpeech').say(steps.WORDS)"));
    let unclear = robot.send(&pml, &[]).code(2);
    assert!(unclear.err.contains("--behavior"), "{}", unclear.err);
    robot.send(&pml, &["--no-start"]).code(0);
    assert_eq!(robot.list(), "app/one\napp/two\n");
    robot.send(&pml, &["--behavior", "two", "--wait"]).code(0);
    robot.tells("from the module");
    // A file of it is sent with the project.
    let sent = robot.send(&two, &["--wait"]).code(0).out;
    assert!(sent.contains("app.crg") && sent.contains("app/two has ended"), "{sent}");
    robot.tells("from the module");
}

#[test]
fn modules_of_what_was_replaced_are_forgotten() {
    if !has_python() {
        return;
    }
    let (mut robot, folder) = (Host::robot(&[]), Folder::new());
    folder.put("manifest.xml", "<package uuid=\"app\" version=\"1\"><contents/></package>");
    let file = folder.put("behavior.xar", &doing("import steps; ALProxy('ALTextToSpeech').say(steps.WORDS)"));
    for words in ["first words", "second words", "third words"] {
        folder.put("lib/steps.py", &format!("WORDS = '{words}'\n"));
        robot.send(file.parent().unwrap(), &["--wait"]).code(0);
        robot.tells(words);
    }
}

#[test]
fn scripts_may_run_in_the_robots_own_process_or_not_at_all() {
    if !has_python() {
        return;
    }
    let folder = Folder::new();
    let file = folder.put("dance.xar", &saying("in this process"));
    let mut native = Host::robot(&["--scripts", "native"]);
    for _ in 0..2 {
        native.send(&file, &["--wait"]).code(0);
        native.tells("in this process");
    }
    native.ends();
    let off = Host::robot(&["--scripts", "off"]);
    let ended = off.send(&file, &["--no-start"]).code(0).out;
    assert!(ended.contains("dance"), "{ended}");
}

#[cfg(unix)]
#[test]
fn a_robot_needs_no_python_until_a_script_is_sent() {
    let (robot, folder) = (Host::robot(&["--python", "/no/such/python"]), Folder::new());
    let failed = robot.send(&folder.put("dance.xar", &saying("hello")), &["--wait"]).code(4);
    assert!(failed.err.contains("does not start"), "{}", failed.err);
    robot.send(&folder.put("waits.xar", &endless()), &[]).code(0);
    assert_eq!(robot.asks(&["ps"]).code(0).out, "waits\n");
}

#[cfg(unix)]
#[test]
fn a_sender_that_is_interrupted_leaves_the_behavior_as_it_is() {
    let (mut robot, folder) = (Host::robot(&["--scripts", "off"]), Folder::new());
    let file = folder.put("waits.xar", &endless());
    let waiting = ["send", file.to_str().unwrap(), "--robot", &robot.address, "--wait"];
    let mut sender = boxstep(&waiting).stdout(Stdio::null()).spawn().unwrap();
    robot.tells("started");
    let kill = std::process::Command::new("kill").args(["-INT", &sender.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(sender.wait().unwrap().code(), Some(130));
    assert_eq!(robot.asks(&["ps"]).code(0).out, "waits\n");
    robot.asks(&["stop", "waits"]).code(0);
}

#[test]
fn what_runs_is_not_replaced_until_it_has_ended() {
    let (robot, folder) = (Host::robot(&["--scripts", "off"]), Folder::new());
    let file = folder.put("waits.xar", &endless());
    let sent = robot.send(&file, &[]).code(0).out;
    assert!(sent.contains("waits is started"), "{sent}");
    assert_eq!(robot.asks(&["ps"]).code(0).out, "waits\n");
    let refused = robot.send(&file, &[]).code(4);
    assert!(refused.err.contains("waits runs") && refused.err.contains("boxstep stop waits"), "{}", refused.err);
    robot.asks(&["stop", "waits"]).code(0);
    // It stops after what is due already, which is done before the next question is answered.
    robot.send(&file, &[]).code(0);
    assert_eq!(robot.asks(&["ps"]).code(0).out, "waits\n");
}

fn archive(name: &str, entries: &[(&str, &[u8])]) -> Vec<u8> {
    let entry =
        |(name, bytes): &(&str, &[u8])| Entry { name: (*name).to_owned(), bytes: bytes.to_vec(), executable: false };
    pack(ArchiveKind::Crg, name, &entries.iter().map(entry).collect::<Vec<_>>()).unwrap()
}

/// Hands an archive over as a client may that is not ours.
fn hand(boxstep: &Remote, name: &str, bytes: &[u8], said: usize) -> Result<Value, Error> {
    let object = boxstep.call("receive", &[name.into(), (said as u64).into()])?;
    let object = object.as_object().unwrap().remote().unwrap().clone();
    for piece in bytes.chunks(100_000) {
        object.call("write", &[Value::Raw(piece.to_vec())])?;
    }
    object.call("install", &[])
}

#[test]
fn hostile_archives_are_refused_as_everywhere_and_leave_nothing() {
    let robot = Host::robot(&["--scripts", "off"]);
    let boxstep = robot.boxstep();
    let good = archive("good", &[("behavior.xar", endless().as_bytes())]);
    let refused = |name: &str, bytes: &[u8], said: usize, words: &str| {
        let error = hand(&boxstep, name, bytes, said).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
        assert_eq!(robot.keeps(), 0, "{words}");
    };
    // A name that leads out, in an archive that is whole otherwise.
    let mut tar = vec![0u8; 1024];
    tar[..10].copy_from_slice(b"../out.xar");
    tar[100..107].copy_from_slice(b"0000644");
    tar[124..135].copy_from_slice(b"00000000004");
    tar[148..156].copy_from_slice(b"        ");
    tar[156] = b'0';
    let sum: u32 = tar[..512].iter().map(|b| u32::from(*b)).sum();
    tar[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    tar[154] = 0;
    tar[512..516].copy_from_slice(b"evil");
    tar.resize(2048, 0);
    let mut ar = b"!<arch>\n".to_vec();
    writeln!(ar, "{:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`", "data.tar", 0, 0, 0, "100644", tar.len()).unwrap();
    ar.extend_from_slice(&tar);
    refused("evil.crg", &ar, ar.len(), "BS0071");
    refused("cut.crg", &good[..good.len() / 2], good.len(), "cut off");
    refused("half.crg", &good[..good.len() / 2], good.len() / 2, "BS0070");
    refused("none.crg", b"no archive", 10, "BS0070");
    let bomb = archive("bomb", &[("behavior.xar", endless().as_bytes()), ("zeros", &vec![0; 20 << 20])]);
    refused("bomb.crg", &bomb, bomb.len(), "BS0072");
    refused(
        "broken.crg",
        &archive("b", &[("behavior.xar", b"<no")]),
        archive("b", &[("behavior.xar", b"<no")]).len(),
        "behavior.xar",
    );
    refused("../good.crg", &good, good.len(), "plain file name");
    refused("big.crg", &good, 65 << 20, "the most that can be sent");
    refused("more.crg", &good, good.len() - 1, "as announced");
    let odd = "<package uuid=\"a&#x9b;31m\" version=\"1\"><contents/></package>";
    let odd = archive("odd", &[("behavior.xar", endless().as_bytes()), ("manifest.xml", odd.as_bytes())]);
    refused("odd.crg", &odd, odd.len(), "cannot be called");
    assert_eq!(robot.list(), "");

    hand(&boxstep, "good.crg", &good, good.len()).unwrap();
    assert_eq!((robot.list().as_str(), robot.keeps()), ("good\n", 1));
}

#[test]
fn only_a_few_archives_arrive_at_a_time_and_their_room_is_free_again() {
    let robot = Host::robot(&["--scripts", "off"]);
    let boxstep = robot.boxstep();
    let one = || boxstep.call("receive", &args!["a.crg", 10u64]);
    let mut all: Vec<Value> = (0..4).map(|_| one().unwrap()).collect();
    let full = one().unwrap_err().to_string();
    assert!(full.contains("arrive already"), "{full}");
    // What was tried to install has no room any more, whatever came of it.
    let first = all.remove(0).as_object().unwrap().remote().unwrap().clone();
    first.call("install", &[]).unwrap_err();
    all.push(one().unwrap());
    let again = first.call("write", &[Value::Raw(vec![0])]).unwrap_err().to_string();
    assert!(again.contains("send it again"), "{again}");
}

#[test]
fn findings_of_the_other_side_are_told() {
    let (robot, folder) = (Host::robot(&["--scripts", "off"]), Folder::new());
    let bytes = archive("odd", &[("behavior.xar", endless().as_bytes()), ("a\\b", b"x")]);
    let file = folder.put("odd.crg", "");
    std::fs::write(&file, bytes).unwrap();
    let sent = robot.send(&file, &["--no-start"]).code(0).out;
    assert!(sent.contains("BS0073"), "{sent}");
}

#[test]
fn a_folder_that_cannot_be_written_is_said() {
    let temporary = Temp::new("gone");
    let robot =
        Host::start(&["robot", "--listen", "127.0.0.1:0", "--type", "--scripts", "off"], "listens at", temporary);
    let folder = Folder::new();
    let refused = robot.send(&folder.put("a.xar", &endless()), &[]).code(4);
    assert!(refused.err.contains("cannot be put into"), "{}", refused.err);
}

#[test]
fn behaviors_of_others_are_taken_only_where_that_is_asked_for() {
    let folder = Folder::new();
    let file = folder.put("a.xar", &endless());
    let never = Host::robot(&["--accept-behaviors", "never"]);
    let refused = never.send(&file, &[]).code(4);
    assert!(refused.err.contains("takes no behaviors"), "{}", refused.err);
    let everywhere = |more: &[&str]| {
        let args = [&["robot", "--listen", "0.0.0.0:0", "--type", "--scripts", "off"], more].concat();
        let temporary = Temp::new("tmp");
        std::fs::create_dir_all(&temporary.0).unwrap();
        Host::start(&args, "listens at", temporary)
    };
    let refused = everywhere(&[]).send(&file, &[]).code(4);
    assert!(refused.err.contains("--accept-behaviors always"), "{}", refused.err);
    let mut open = everywhere(&["--accept-behaviors", "always"]);
    open.send(&file, &["--no-start"]).code(0);
    let warned = open.ends();
    assert!(warned.contains("run programs here"), "{warned}");
}

#[test]
fn a_behavior_that_is_served_takes_others_and_stays_as_it_is() {
    let folder = Folder::new();
    let own = folder.put("own.xar", &endless());
    let temporary = Temp::new("tmp");
    std::fs::create_dir_all(&temporary.0).unwrap();
    let args = ["play", own.to_str().unwrap(), "--scripts", "off", "--serve=127.0.0.1:0"];
    let mut playing = Host::start(&args, "served at", temporary);
    playing.tells("started");
    let refused = playing.send(&own, &[]).code(4);
    assert!(refused.err.contains("is not replaced"), "{}", refused.err);
    playing.send(&folder.put("more.xar", &endless()), &[]).code(0);
    let both = playing.asks(&["ps"]).code(0).out;
    assert!(both.contains("own") && both.contains("more"), "{both}");
    playing.asks(&["stop", "own"]).code(0);
    assert_eq!(playing.child.wait().unwrap().code(), Some(0));
    assert_eq!(playing.keeps(), 0);
}

#[test]
fn who_waits_for_a_behavior_hears_of_the_end_of_the_run() {
    let folder = Folder::new();
    let own = folder.put("own.xar", &endless());
    let temporary = Temp::new("tmp");
    std::fs::create_dir_all(&temporary.0).unwrap();
    let args = ["play", own.to_str().unwrap(), "--scripts", "off", "--serve=127.0.0.1:0"];
    let mut playing = Host::start(&args, "served at", temporary);
    playing.tells("started");
    let more = folder.put("more.xar", &endless());
    let waiting = ["send", more.to_str().unwrap(), "--robot", &playing.address, "--wait"];
    let sender = boxstep(&waiting).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    playing.tells("received more.crg");
    playing.tells("started");
    playing.asks(&["stop", "own"]).code(0);
    assert_eq!(playing.child.wait().unwrap().code(), Some(0));
    let said = Said::from(sender.wait_with_output().unwrap()).code(0);
    assert!(said.out.contains("more has ended"), "{}", said.out);
}

#[test]
fn a_robot_that_is_no_boxstep_is_told_from_what_is_neither() {
    let folder = Folder::new();
    let file = folder.put("a.xar", &endless());
    let server = Server::listen("127.0.0.1:0").unwrap();
    let address = server.address().to_string();
    let neither = say(&["send", file.to_str().unwrap(), &address]).code(5);
    assert!(neither.err.contains("is not a Boxstep: it has no service"), "{}", neither.err);
    server.register("ALBehaviorManager", ObjectBuilder::new("").build().unwrap()).unwrap();
    let robot = say(&["send", file.to_str().unwrap(), "--robot", &address]).code(5);
    assert!(robot.err.contains("PackageManager.install") && robot.err.contains("--robot"), "{}", robot.err);
    let gone = say(&["send", file.to_str().unwrap(), "127.0.0.1:1"]).code(4);
    assert!(gone.err.contains("127.0.0.1:1"), "{}", gone.err);
}

#[test]
fn what_does_not_end_a_behavior_is_told_there_alone() {
    if !has_python() {
        return;
    }
    let (mut robot, folder) = (Host::robot(&[]), Folder::new());
    let caught =
        "try:\n            ALProxy('ALTextToSpeech').sing()\n        except Exception:\n            print('no song')";
    let file = folder.put("sings.xar", &doing(caught));
    say(&["play", file.to_str().unwrap(), "--virtual-time"]).code(5);
    robot.send(&file, &["--wait"]).code(0);
    robot.tells("sing");
    robot.tells("no song");
    // It ends by a link, beside a box whose script is no Python.
    let broken = xar::a_box(1, "Broken", "class (", &xar::ports(), "") + &xar::link((0, 2), (0, 4));
    let file = folder.put("broken.xar", &xar::behavior(&xar::ports(), &xar::flow(&broken)));
    say(&["play", file.to_str().unwrap(), "--virtual-time"]).code(4);
    robot.send(&file, &["--wait"]).code(0);
    robot.tells("Broken");
    robot.ends();
}
