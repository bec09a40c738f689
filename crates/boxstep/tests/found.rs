//! `boxstep robots`, without listening to the network, and what shells complete of it.

use crate::common::{Said, Temp, boxstep};
use crate::support::Robot;
use boxstep_qi::{Identity, Options, Server, Value};
use serde_json::{Value as Json, json};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

/// Asks these robots. Another robot may be at the usual port of this machine.
fn robots(addresses: &[&str], more: &[&str], cache: &Temp) -> Said {
    let named = addresses.iter().flat_map(|address| ["--robot", address]).collect::<Vec<_>>();
    let args = [&["robots", "--within", "0"], named.as_slice(), more].concat();
    boxstep(&args).env("XDG_CACHE_HOME", &cache.0).output().unwrap().into()
}

/// What is said of one robot.
fn one(address: &str, code: i32, more: &[&str]) -> Json {
    let said = robots(&[address], &[&["--json"], more].concat(), &Temp::new("cache")).code(code);
    let all: Vec<Json> = serde_json::from_str(&said.out).unwrap();
    let short = address.trim_start_matches("tcp://");
    all.into_iter().find(|robot| robot["address"] == short).unwrap()
}

fn listed(names: &[&str]) -> Value {
    Value::list(names.iter().map(|name| Value::from(*name)))
}

#[test]
fn a_robot_says_what_it_is() {
    let robot = Robot::ready();
    let said = one(&robot.address(), 0, &[]);
    let url = format!("tcp://{}", robot.address());
    let expected = json!({
        "name": "nao", "named": &robot.address(), "address": robot.address(), "addresses": [url], "announced": null, "host": null,
        "body": "nao", "model": "naoH25", "naoqi": "2.5.7.1", "battery": 87, "state": "ready", "why": null,
        "running": [], "simulated": false, "boxstep": null,
    });
    assert_eq!(said, expected);
    assert_eq!(robot.commands(), [""; 0]);
    let table = robots(&[&robot.address()], &[], &Temp::new("cache")).code(0).out;
    let line = table.lines().find(|line| line.contains(&robot.address())).unwrap();
    let cells: Vec<&str> = line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect();
    assert_eq!(cells, ["nao", &robot.address(), "nao", "2.5.7.1", "87 %", "ready", "nothing"]);
}

#[test]
fn the_robot_of_the_environment_is_asked_too_unless_others_are_named() {
    let (robot, other, cache) = (Robot::ready(), Robot::ready(), Temp::new("cache"));
    let said = |named: &[&str]| {
        let mut command = boxstep(&[&["robots", "--within", "0"], named].concat());
        let command = command.env("XDG_CACHE_HOME", &cache.0).env("BOXSTEP_ROBOT", robot.address());
        Said::from(command.output().unwrap()).code(0).out
    };
    assert!(said(&[]).contains(&robot.address()));
    let others = said(&["--robot", &other.address()]);
    assert!(others.contains(&other.address()) && !others.contains(&robot.address()), "{others}");
}

#[test]
fn why_a_robot_is_not_ready_is_said_in_a_word() {
    for (method, value, state, words) in [
        ("ALMotion.robotIsWakeUp", Value::from(false), "rests", "rests"),
        ("ALAutonomousLife.getState", "solitary".into(), "life", "Autonomous Life on"),
        ("ALBehaviorManager.getRunningBehaviors", listed(&["boot/always", "a/dance"]), "busy", "busy"),
    ] {
        let robot = Robot::ready();
        robot.says(method, value);
        let said = one(&robot.address(), 0, &[]);
        assert_eq!(said["state"], state, "{said}");
        let table = robots(&[&robot.address()], &[], &Temp::new("cache")).code(0).out;
        assert!(
            table.contains(words) && table.contains(&format!("`boxstep doctor --robot {}`", robot.address())),
            "{table}"
        );
        if state == "busy" {
            assert_eq!(said["running"], json!(["a/dance"]));
        }
    }
}

#[test]
fn what_a_robot_does_not_say_is_left_out() {
    let robot = Robot::ready();
    robot.fails("ALSystem.robotName", "no name");
    robot.fails("ALBattery.getBatteryCharge", "no battery");
    robot.says("ALSystem.systemVersion", Value::from(7));
    let said = one(&robot.address(), 0, &[]);
    assert_eq!((&said["name"], &said["battery"], &said["naoqi"]), (&Json::Null, &Json::Null, &Json::Null));
    // A directory of services that are none of a robot.
    let server = Server::listen("127.0.0.1:0").unwrap();
    assert_eq!(one(&server.address().to_string(), 0, &[])["state"], "no-robot");
}

#[test]
fn a_robot_that_lets_nobody_in_is_listed_and_fails_the_command_if_it_is_named() {
    let guarded = Server::listen_guarded("127.0.0.1:0", Options::default(), |who| match who {
        Some(who) if who.token == "hunter2" => Ok(()),
        _ => Err("who are you?".to_owned()),
    });
    let server = guarded.unwrap();
    let guarded = server.address().to_string();
    let said = one(&guarded, 4, &[]);
    assert_eq!(said["state"], "password");
    assert!(said["why"].as_str().unwrap().contains("who are you?"), "{said}");
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    assert_eq!(one(&gone, 4, &[])["state"], "unreachable");
    let both = robots(&[&guarded, &gone], &[], &Temp::new("cache")).code(4).out;
    assert!(both.contains("needs a password") && both.contains("connection refused"), "{both}");
    let wrong = robots(&["http://x"], &[], &Temp::new("cache")).code(2).err;
    assert!(wrong.contains("--robot: \"http://x\" is not the address of a robot"), "{wrong}");
}

#[test]
fn a_robot_that_is_named_gets_the_password_and_its_certificate_is_checked() {
    let made = rcgen::generate_simple_self_signed(["pepper.local".to_owned()]).unwrap();
    let identity = Identity::from_pem(made.cert.pem().as_bytes(), made.signing_key.serialize_pem().as_bytes()).unwrap();
    let fingerprint = identity.fingerprint().to_string();
    let check = |who: Option<&boxstep_qi::Credentials>| match who {
        Some(who) if who.token == "hunter2" => Ok(()),
        _ => Err("who are you?".to_owned()),
    };
    let server = Server::listen_tls("127.0.0.1:0", Options::default(), identity, check).unwrap();
    let url = format!("tcps://{}", server.address());
    assert_eq!(one(&url, 4, &[])["state"], "certificate");
    assert_eq!(one(&url, 4, &["--fingerprint", &fingerprint])["state"], "password");
    let file = Temp::new("password");
    std::fs::write(&file.0, "hunter2\n").unwrap();
    let said = one(&url, 0, &["--fingerprint", &fingerprint, "--password", file.arg()]);
    assert_eq!(said["state"], "no-robot");
}

#[test]
fn robots_with_wild_names_break_neither_the_list_nor_the_shell() {
    let robot = Robot::ready();
    robot.says("ALSystem.robotName", format!("\u{1b}[2J\n$(touch x) {}", "x".repeat(10_000)).as_str());
    robot.says("ALBehaviorManager.getRunningBehaviors", listed(&["\u{1b}]0;x\u{7}"; 5_000]));
    let cache = Temp::new("cache");
    let table = robots(&[&robot.address()], &[], &cache).code(0).out;
    assert!(!table.contains('\u{1b}') && table.lines().all(|line| line.chars().count() < 250), "{table}");
    let kept = std::fs::read_to_string(cache.0.join("boxstep/robots")).unwrap();
    assert!(kept.lines().any(|line| line == robot.address()) && !kept.contains('$'), "{kept}");
}

/// What a shell says of a script, if the system has the shell.
fn shell(program: &str, script: &str, cache: &Path) -> Option<String> {
    let output = Command::new(program).args(["-c", script]).env("XDG_CACHE_HOME", cache).output().ok()?;
    let said = Said::from(output);
    assert_eq!(said.err, "", "{program}");
    Some(said.out)
}

#[test]
fn shells_complete_the_robots_that_were_found_last() {
    let cache = Temp::new("cache");
    std::fs::create_dir_all(cache.0.join("boxstep")).unwrap();
    std::fs::write(cache.0.join("boxstep/robots"), "nao\n10.0.0.7\nalto\n").unwrap();
    let script = |shell: &str| Said::from(boxstep(&["completions", shell]).output().unwrap()).code(0).out;
    let completed = |line: &str, at: usize| {
        let words: Vec<&str> = line.split(' ').collect();
        let (cur, prev) = (words[at], words[at - 1]);
        let ask = format!(
            "{}\nCOMP_WORDS=({}); COMP_CWORD={at}; _boxstep boxstep '{cur}' {prev}; echo \"${{COMPREPLY[@]}}\"",
            script("bash"),
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        );
        shell("bash", &ask, &cache.0)
    };
    for line in
        ["boxstep play x --robot ", "boxstep qi call --robot ", "boxstep ls --robot ", "boxstep robots --robot "]
    {
        let at = line.split(' ').count() - 1;
        if let Some(said) = completed(line, at) {
            assert_eq!(said, "nao 10.0.0.7 alto\n", "{line}");
        }
    }
    if let Some(said) = completed("boxstep doctor --robot al", 3) {
        assert_eq!(said, "alto\n");
    }
    // Other options go on as before.
    if let Some(said) = completed("boxstep doctor --life k", 3) {
        assert_eq!(said, "keep\n");
    }
    let complete = format!("{}\ncomplete -C 'boxstep doctor --robot '", script("fish"));
    if let Some(said) = shell("fish", &complete, &cache.0) {
        let is_there = |name: &&str| said.lines().any(|line| line.split('\t').next() == Some(name));
        assert!(["nao", "alto", "10.0.0.7"].iter().all(is_there), "{said}");
    }
    let define = format!("compdef() {{ }}\n{}\n_boxstep_robots", script("zsh").replace("autoload -U is-at-least", ""));
    let define = format!("compadd() {{ print -l -- ${{(P)2}} }}\n{define}");
    if let Some(said) = shell("zsh", &define, &cache.0) {
        assert_eq!(said, "nao\n10.0.0.7\nalto\n");
    }
}

#[test]
fn a_robot_of_boxstep_is_simulated() {
    let mut child = boxstep(&["robot", "--listen", "127.0.0.1:0", "--type", "--name", "Ann", "--body", "pepper"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    // It is kept: a robot whose output nobody reads any more ends.
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut first).unwrap();
    let said = one(first.split("tcp://").nth(1).unwrap().trim(), 0, &[]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((&said["name"], &said["body"], &said["state"]), (&json!("Ann"), &json!("pepper"), &json!("ready")));
    assert_eq!((&said["simulated"], &said["running"]), (&json!(true), &json!([])));
}

#[test]
fn a_robot_that_is_a_word_leads_to_the_option() {
    let folder = tempfile::tempdir().unwrap();
    for (args, word) in [
        (&["doctor", "10.0.0.5"][..], "10.0.0.5"),
        (&["ls", "nao.local"], "nao.local"),
        (&["rescue", "nao.local", "here"], "nao.local"),
        (&["play", "fd00::7"], "fd00::7"),
    ] {
        let mut command = boxstep(args);
        let said = Said::from(command.current_dir(folder.path()).output().unwrap()).code(2);
        assert!(said.err.contains(&format!("a robot is named with `--robot {word}`")), "{}", said.err);
    }
}
