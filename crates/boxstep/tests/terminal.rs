//! What a hostile file, argument or script says is shown, and never obeyed by a terminal.

use crate::common;
use crate::common::say;
use crate::common::xar::{a_box, behavior, flow, link, output, ports};
use crate::common::{Temp, boxstep, has_python};
use crate::support::Robot;
use boxstep_qi::{BuiltObject, ObjectBuilder, Server, Session, Value, args};
use boxstep_types::is_order;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::Stdio;
use std::sync::Arc;

/// CSI of one character, a return to the line's begin, a turn of the direction.
const XML: &str = "\u{9b}2J&#13;\u{202e}";
const TEXT: &str = "\u{9b}2J\r\u{202e}";
/// What no file system and no XML has to take: all of that, and the begin of most orders.
const ALL: &str = "\u{9b}2J\r\u{202e}\u{1b}[2J";

/// A behavior of which all names are hostile, with findings; its script prints.
fn hostile() -> String {
    let name = |name: &str| format!("{name}{XML}");
    let script = "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        print('a\u{9b}2J\\r\u{202e}\\x1b[2J')\n        \
                  raise ValueError('\\x9b\\u202e')\n";
    let ports = ports() + &output(5, &name("port"), 2);
    let inside = a_box(1, &name("box"), script, &ports, "") + &link((0, 2), (1, 2)) + &link((1, 5), (1, 9));
    behavior(&common::xar::ports(), &flow(&inside))
        .replace("<Box name=\"root\"", &format!("<Box tooltip=\"{XML}\" name=\"root\""))
        .replacen("tooltip=\"\" ", "", 1)
}

/// Everything that a command says, without an order in it.
#[track_caller]
fn harmless(args: &[&str]) -> String {
    let output = boxstep(args).env("CLICOLOR_FORCE", "1").output().unwrap();
    let mut all = String::from_utf8(output.stdout).expect("text on standard output");
    all.push_str(&String::from_utf8(output.stderr).expect("text on standard error"));
    is_harmless(args, &all);
    all
}

/// There is no order in what a command has said.
#[track_caller]
fn is_harmless(args: &[&str], said: &str) {
    assert!(!said.contains("panicked"), "{args:?}: {said}");
    let order = colourless(said).find(is_order);
    assert_eq!(order, None, "{args:?}: {said:?}");
}

/// The text without its colours.
fn colourless(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once('m') {
            Some((colour, rest)) if colour.chars().all(|c| c.is_ascii_digit() || c == ';') => plain.push_str(rest),
            _ => plain.push_str(&format!("\u{1b}[{part}")),
        }
    }
    plain
}

#[test]
fn nothing_foreign_gives_orders_to_a_terminal() {
    let folder = Temp::new("d");
    fs::create_dir(&folder.0).unwrap();
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    // A name that a file system takes.
    let (xar, other) = (path(&format!("a{TEXT}.xar")), path("other.xar"));
    fs::write(&xar, hostile()).unwrap();
    fs::write(&other, hostile().replace("name=\"box", "name=\"crate")).unwrap();

    let seen = harmless(&["show", &xar]);
    assert!(seen.contains("box 2J \\u{202e}"), "{seen}");
    let json = harmless(&["show", &xar, "--format", "json"]);
    assert!(json.contains("box\\u009b2J\\r\\u202e"), "{json}");
    for args in [
        &["check", &xar][..],
        &["check", &xar, "--format", "json"],
        &["check", &xar, "--format", "sarif"],
        &["diff", &xar, &other],
        &["diff", &xar, &other, "--format", "json"],
        &["fmt", "--check", &xar],
        &["plot", &xar],
        &["plot", &xar, "--box", TEXT],
        &["play", &xar, "--virtual-time", "--scripts", "off", "--for", "1"],
        &["play", &xar, "--virtual-time", "--scripts", "off", "--behavior", TEXT],
        &["play", &path(TEXT)],
        &["play", &xar, "--set", TEXT],
        &["convert", &xar, &path("out")],
        &["convert", &xar, &xar],
        &["unpack", &xar, TEXT],
        &["pack", &xar, TEXT],
        &["migrate", &xar],
        &["retarget", &xar, "--to", "pepper", "-o", &path("new.xar")],
        &["retarget", &xar, "--to", TEXT],
        &["migrate", &xar, "--format", "json"],
        &["new", &path(TEXT), "--template", TEXT],
        &["test", &xar],
        &["why", &xar],
        &["replay", &xar],
        &["doctor", &xar, "--robot", TEXT],
        &[TEXT],
        &["play", TEXT, "--no-such\u{9b}2J\r\u{202e}"],
        &["show", "--format", TEXT, "x"],
    ] {
        harmless(args);
    }
    if has_python() {
        let trace = path("run.jsonl");
        for host in ["native", "process"] {
            let said = harmless(&["play", &xar, "--virtual-time", "--scripts", host, "--trace", &trace]);
            assert!(said.contains("a\\u{9b}2J\\r\\u{202e}\\u{1b}[2J"), "{said}");
        }
        harmless(&["why", &trace]);
        harmless(&["why", "box", &trace]);
        harmless(&["diff", &trace, &trace]);
        harmless(&["replay", &trace, &xar]);
    }
}

/// A robot's object of which everything that it says of itself is hostile.
fn hostile_object() -> Arc<BuiltObject> {
    let (name, more) = (format!("hostile{ALL}"), format!("{ALL} a text"));
    ObjectBuilder::new(&more)
        .method(&format!("{name}::()->s"), |_| Ok(ALL.into()))
        .method("answer::()->m", |_| Ok(Value::map([(ALL.into(), Value::list([Value::from(ALL)]))])))
        .method("fail::()->v", |_| Err(ALL.into()))
        .signal(&name, "(s)")
        .property(&name, "s", ALL)
        .property("plain", "s", ALL)
        .build()
        .unwrap()
}

#[test]
fn what_a_robot_says_gives_no_orders_to_a_terminal() {
    let server = Server::listen("127.0.0.1:0").unwrap();
    let service = format!("Hostile{ALL}");
    server.register(&service, hostile_object()).unwrap();
    server.register("Plain", hostile_object()).unwrap();
    let at = server.address().to_string();
    for args in [
        &["qi", "info", &at][..],
        &["qi", "info", &at, "Plain"],
        &["qi", "info", &at, &service],
        &["qi", "info", &at, ALL],
        &["qi", "call", &at, "Plain.answer"],
        &["qi", "call", &at, "Plain.fail"],
        &["qi", "call", &at, &format!("Plain.hostile{ALL}")],
        &["qi", "call", &at, &format!("Plain.{ALL}")],
        &["qi", "call", &at, "Plain.answer", ALL],
        &["qi", "post", &at, &format!("Plain.{ALL}")],
        &["qi", "watch", &at, &format!("Plain.{ALL}")],
        &["qi", "watch", &at, "--memory", ALL],
        &["qi", "info", ALL],
        &["ls", "--robot", &at],
        &["send", "examples/hello", ALL],
        &["send", "examples/hello", &at],
    ] {
        harmless(args);
    }

    let robot = Robot::ready();
    robot.says("ALSystem.systemVersion", ALL);
    robot.says("ALAutonomousLife.getState", ALL);
    robot.says("ALTextToSpeech.getLanguage", ALL);
    robot.says("ALBehaviorManager.getRunningBehaviors", Value::list([Value::from(ALL)]));
    robot.fails("ALBattery.getBatteryCharge", ALL);
    let at = robot.address();
    for args in [
        &["doctor", "--robot", &at][..],
        &["ps", "--robot", &at],
        &["ls", "--robot", &at],
        &["start", ALL, "--robot", &at],
        &["stop", "--robot", &at],
        &["stop", ALL, "--robot", &at],
        &["play", "examples/hello", "--scripts", "off", "--for", "1", "--robot", &at],
    ] {
        harmless(args);
    }
}

/// A command that goes on until it is told to end, and all that it has said until then.
fn served(args: &[&str], use_it: impl FnOnce(&str)) {
    let mut child = boxstep(args)
        .env("CLICOLOR_FORCE", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut said = String::new();
    while !said.contains("://") {
        assert_ne!(out.read_line(&mut said).unwrap(), 0, "{args:?} ended: {said}");
    }
    let address = said.split("://").nth(1).unwrap().split(char::is_whitespace).next().unwrap().to_owned();
    use_it(&address);
    // A robot hears it where it is typed, the others by a signal.
    let _ = writeln!(child.stdin.as_mut().unwrap(), "touch {ALL}\n{ALL}\nquit");
    if args[0] != "robot" {
        std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    }
    out.read_to_string(&mut said).unwrap();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    child.wait().unwrap();
    is_harmless(args, &said);
}

#[cfg(unix)]
#[test]
fn commands_that_go_on_give_no_orders_to_a_terminal() {
    let folder = Temp::new("d");
    fs::create_dir(&folder.0).unwrap();
    let path = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (xar, trace) = (path(&format!("a{TEXT}.xar")), path(&format!("run{TEXT}.jsonl")));
    fs::write(&xar, hostile()).unwrap();

    let robot = ["robot", "--listen", "127.0.0.1:0", "--type", "--verbose", "--name", ALL];
    served(&robot, |address| {
        harmless(&["send", &xar, address]);
        harmless(&["send", &xar, address, "--behavior", ALL]);
        harmless(&["ls", "--robot", address]);
        harmless(&["start", ALL, "--robot", address]);
        let session = Session::connect(address).unwrap();
        let _ = session.service("ALTextToSpeech").unwrap().call("say", &args![ALL]);
        let _ = session.service("ALMemory").unwrap().call("raiseEvent", &args![ALL, ALL]);
        let _ = session.service("ALBehaviorManager").unwrap().call("runBehavior", &args![ALL]);
        let _ = session.service("ALMotion").unwrap().call("setAngles", &args![ALL, 0.5, 0.1]);
    });
    say(&["play", &xar, "--virtual-time", "--scripts", "off", "--for", "1", "--trace", &trace]);
    assert!(fs::exists(&trace).unwrap());
    served(&["view", &trace, &xar, "--listen", "127.0.0.1:0"], |_| {});
    served(&["view", &trace, "--listen", "127.0.0.1:0"], |_| {});
    served(&["open", folder.arg(), "--listen", "127.0.0.1:0"], |_| {});
    for args in [
        &["view", ALL][..],
        &["view", &xar],
        &["view", &trace, ALL],
        &["view", &trace, "--listen", ALL],
        &["view", &trace, "--view-token", TEXT],
        &["open", ALL],
        &["open", &xar],
        &["open", folder.arg(), "--listen", ALL],
        &["robot", "--body", ALL],
        &["robot", "--listen", ALL],
        &["robot", "--scenario", &xar],
    ] {
        harmless(args);
    }
}
