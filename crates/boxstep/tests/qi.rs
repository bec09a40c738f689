//! `boxstep qi`, with a server of ours in the place of a robot.

use crate::common::{Said, Temp, boxstep};
use boxstep_qi::{BuiltObject, Identity, Object, ObjectBuilder, Options, Server, Value, args};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

struct Robot {
    server: Server,
    memory_key: Arc<BuiltObject>,
    lamp: Arc<BuiltObject>,
    noted: Receiver<i64>,
}

fn robot() -> Robot {
    let (tell, noted) = channel();
    let tell = Mutex::new(tell);
    let lamp = ObjectBuilder::new("A lamp.\nWith two lines.")
        .method("dim::(f)->s", |args| Ok(format!("at {}", args[0].as_f64().unwrap()).into()))
        .method("sum::([i])->i", |args| {
            let items = args[0].as_slice().unwrap();
            Ok(Value::I32(items.iter().map(|i| i.as_i64().unwrap() as i32).sum()))
        })
        .method("state::()->m", |_| Ok(Value::map([("on".into(), true.into()), ("level".into(), 0.5.into())])))
        .method("fail::()->v", |_| Err("the bulb is broken".into()))
        .method("note::(l)->v", move |args| {
            tell.lock().unwrap().send(args[0].as_i64().unwrap()).unwrap();
            Ok(Value::Void)
        })
        .method_later("never::()->v", |call| {
            let kept = call.reply.clone();
            call.reply.on_cancel(move |_| kept.canceled());
        })
        .signal("switched", "(bs)")
        .property("colour", "s", "white")
        .build()
        .unwrap();
    let memory_key = ObjectBuilder::new("").signal("signal", "(m)").build().unwrap();
    let given = memory_key.clone();
    let memory = ObjectBuilder::new("")
        .method("subscriber::(s)->o", move |_| Ok(Value::from(given.clone() as Arc<dyn Object>)))
        .build()
        .unwrap();
    let server = Server::listen("127.0.0.1:0").unwrap();
    server.register("Lamp", lamp.clone()).unwrap();
    server.register("ALMemory", memory).unwrap();
    Robot { server, memory_key, lamp, noted }
}

impl Robot {
    fn address(&self) -> String {
        self.server.address().to_string()
    }

    fn say(&self, command: &str, more: &[&str]) -> Said {
        boxstep(&[&["qi", command, "--robot", &self.address()], more].concat()).output().unwrap().into()
    }
}

fn signal(object: &BuiltObject, name: &str) -> u32 {
    object.meta().signal(name).unwrap().0
}

#[test]
fn services_and_their_members_are_listed() {
    let robot = robot();
    let said = robot.say("info", &[]).code(0);
    let names: Vec<&str> = said.out.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, ["ALMemory", "Lamp", "ServiceDirectory"]);
    assert!(said.out.contains(&format!("tcp://{}", robot.address())), "{}", said.out);
    let json: Json = serde_json::from_str(&robot.say("info", &["--json"]).code(0).out).unwrap();
    assert_eq!(json["services"][1]["name"], "Lamp");

    let said = robot.say("info", &["Lamp"]).code(0);
    for line in ["A lamp.", "  dim(f) -> s", "  switched(bs)", "  colour: s"] {
        assert!(said.out.lines().any(|l| l == line), "{line}:\n{}", said.out);
    }
    assert!(!said.out.contains("registerEvent"), "{}", said.out);
    assert!(robot.say("info", &["Lamp", "--all"]).code(0).out.contains("  registerEvent(IIL) -> L"));
    let json: Json = serde_json::from_str(&robot.say("info", &["Lamp", "--json"]).code(0).out).unwrap();
    assert_eq!(json["methods"][0]["name"], "dim");
    assert_eq!(json["methods"][0]["parameters"], "(f)");
    assert_eq!(json["properties"][0]["signature"], "s");
}

#[test]
fn a_robot_that_is_not_named_is_that_of_the_environment() {
    let robot = robot();
    let said = |args: &[&str]| -> Said {
        boxstep(args).env("BOXSTEP_ROBOT", format!("tcp://{}", robot.address())).output().unwrap().into()
    };
    assert!(said(&["qi", "info"]).code(0).out.contains("Lamp"));
    assert_eq!(said(&["qi", "call", "Lamp.dim", "0.5"]).code(0).out, "at 0.5\n");
    assert_eq!(said(&["qi", "call", "--robot", "-", "Lamp.dim", "0.5"]).code(0).out, "at 0.5\n");
    assert!(said(&["qi", "info", "Lamp"]).code(0).out.contains("A lamp."));
    let nobody: Said = boxstep(&["qi", "info"]).output().unwrap().into();
    assert!(nobody.code(2).err.contains("no robot is named, neither by --robot nor by BOXSTEP_ROBOT"));
    let wrong: Said = boxstep(&["qi", "info"]).env("BOXSTEP_ROBOT", "http://x").output().unwrap().into();
    assert!(wrong.code(2).err.contains("BOXSTEP_ROBOT: \"http://x\" is not the address of a robot"));
}

#[test]
fn a_robot_may_still_be_the_first_word_and_a_note_says_how_it_is_written_now() {
    let robot = robot();
    let address = robot.address();
    let said = |args: &[&str]| -> Said { boxstep(args).output().unwrap().into() };
    let note = format!("note: write --robot {address}, as for every command\n");
    for (args, out) in [
        (vec!["qi", "call", &address, "Lamp.dim", "-0.5"], "at -0.5"),
        (vec!["qi", "call", &address, "Lamp.dim", "--", "0.5"], "at 0.5"),
        (vec!["qi", "post", &address, "Lamp.note", "1"], ""),
        (vec!["qi", "info", &address], "Lamp"),
        (vec!["qi", "info", &address, "Lamp"], "A lamp."),
    ] {
        let said = said(&args).code(0);
        assert!(said.out.contains(out) && said.err == note, "{args:?}: {}{}", said.out, said.err);
    }
    assert_eq!(said(&["qi", "call", "Lamp.dim", "0.5", "--robot", &address]).code(0).err, "");
    let same: Said =
        boxstep(&["qi", "call", "-", "Lamp.dim", "0.5"]).env("BOXSTEP_ROBOT", &address).output().unwrap().into();
    assert!(same.code(0).err.contains("note: leave `-` out"));
    let twice = said(&["qi", "info", &address, "Lamp", "--robot", &address]).code(2).err;
    assert!(twice.contains("`Lamp` is one word too many"), "{twice}");
    let nothing = said(&["qi", "call", "nao"]).code(2).err;
    assert!(nothing.contains("`nao` is not SERVICE.METHOD"), "{nothing}");
}

#[test]
fn a_method_is_called_with_json_or_words_and_its_answer_printed() {
    let robot = robot();
    let call = |more: &[&str]| robot.say("call", more);
    assert_eq!(call(&["Lamp.dim", "-0.5"]).code(0).out, "at -0.5\n");
    assert_eq!(call(&["Lamp.dim", "-0.5", "--json"]).code(0).out, "\"at -0.5\"\n");
    assert_eq!(call(&["Lamp.sum", "[1, 2, 39]"]).code(0).out, "42\n");
    assert_eq!(call(&["Lamp.note", "1"]).code(0).out, "");
    assert_eq!(call(&["Lamp.note", "1", "--json"]).code(0).out, "null\n");
    let state: Json = serde_json::from_str(&call(&["Lamp.state"]).code(0).out).unwrap();
    assert_eq!(state, json!({"on": true, "level": 0.5}));
    // What every object has is called alike.
    assert_eq!(call(&["Lamp.setProperty", "colour", "red"]).code(0).out, "");
    assert_eq!(call(&["Lamp.property", "colour"]).code(0).out, "red\n");
    let object: Json = serde_json::from_str(&call(&["ALMemory.subscriber", "x"]).code(0).out).unwrap();
    assert_eq!(object["object"]["signals"], json!(["signal"]));
}

#[test]
fn what_goes_wrong_is_told_with_a_code_of_its_own() {
    let robot = robot();
    let call = |more: &[&str]| robot.say("call", more);
    assert!(call(&["Lamp.fail"]).code(4).err.contains("the bulb is broken"));
    assert!(call(&["Lamp.dimm", "1"]).code(5).err.contains("Lamp has no method dimm: did you mean `dim`?"));
    assert!(call(&["Lam.dim", "1"]).code(5).err.contains("there is no service Lam: did you mean `Lamp`?"));
    assert!(call(&["Lamp.dim"]).code(2).err.contains("dim takes (f)"));
    assert!(call(&["Lamp"]).code(2).err.contains("write SERVICE.MEMBER"));
    let slow = call(&["Lamp.never", "--timeout", "0.05"]).code(4).err;
    assert!(slow.contains("no answer to never within 0.05 s"), "{slow}");
    let watch = robot.say("watch", &["Lamp.swiched"]).code(5).err;
    assert!(watch.contains("Lamp has no signal swiched: did you mean `switched`?"), "{watch}");
    let address = robot.address();
    drop(robot);
    let said: Said = boxstep(&["qi", "info", "--robot", &address]).output().unwrap().into();
    assert!(said.code(4).err.contains(&format!("nothing listens at tcp://{address}: connection refused")));
}

#[test]
fn a_post_has_arrived_when_the_command_ends_and_may_be_a_signal() {
    let robot = robot();
    robot.say("post", &["Lamp.note", "7"]).code(0);
    assert_eq!(robot.noted.recv().unwrap(), 7);
    let (tell, told) = channel();
    let _listening =
        robot.lamp.signals().listen(signal(&robot.lamp, "switched"), move |args| tell.send(args.to_vec()).unwrap());
    robot.say("post", &["Lamp.switched", "true", "by hand"]).code(0);
    assert_eq!(told.recv().unwrap(), args![true, "by hand"]);
    robot.say("post", &["Lamp.fail"]).code(0);
    robot.say("post", &["Lamp.nope"]).code(5);
}

/// Emits as soon as somebody listens, and gives what the command says of it.
fn watched(object: &BuiltObject, name: &str, mut command: std::process::Command, emit: &[&[Value]]) -> Said {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while object.signals().listeners(signal(object, name)) == 0 {
        std::thread::yield_now();
    }
    for args in emit {
        object.emit(name, args).unwrap();
    }
    child.wait_with_output().unwrap().into()
}

#[test]
fn events_are_printed_as_they_come() {
    let robot = robot();
    let address = robot.address();
    let events: [&[Value]; 3] = [&args![true, "by hand"], &args![false, "by clock"], &args![true, "not seen"]];
    let command = boxstep(&["qi", "watch", "--robot", &address, "Lamp.switched", "--count", "2"]);
    let said = watched(&robot.lamp, "switched", command, &events).code(0);
    let lines: Vec<&str> = said.out.lines().map(|line| line.trim_start().split_once("  ").unwrap().1).collect();
    assert_eq!(lines, ["true, \"by hand\"", "false, \"by clock\""]);

    let command =
        boxstep(&["qi", "watch", "--robot", &address, "--memory", "FrontTactilTouched", "--count", "1", "--json"]);
    let said = watched(&robot.memory_key, "signal", command, &[&args![Value::from(1.0).dynamic()]]).code(0);
    let line: Json = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&line["of"], &line["args"]), (&json!("FrontTactilTouched"), &json!([1.0])));
    assert!(line["t"].is_number());
}

#[test]
fn watching_ends_with_the_robot_and_with_its_reader() {
    let robot = robot();
    let mut command = boxstep(&["qi", "watch", "Lamp.switched", "--robot", &robot.address()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let switched = signal(&robot.lamp, "switched");
    let signals = robot.lamp.signals();
    while signals.listeners(switched) == 0 {
        std::thread::yield_now();
    }
    robot.lamp.emit("switched", &args![true, "x"]).unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.ends_with("true, \"x\"\n"), "{first}");
    // The reader has gone with its pipe; the command notices at the next event.
    while child.try_wait().unwrap().is_none() {
        robot.lamp.emit("switched", &args![true, "x"]).unwrap();
    }
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let mut command = boxstep(&["qi", "watch", "Lamp.switched", "--robot", &robot.address()]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while signals.listeners(switched) == 0 {
        std::thread::yield_now();
    }
    robot.server.close();
    let said: Said = child.wait_with_output().unwrap().into();
    assert!(said.code(4).err.contains("the peer closed the connection"));
}

#[test]
fn a_password_comes_from_a_file_or_the_environment_and_is_never_shown() {
    let guarded = Server::listen_guarded("127.0.0.1:0", Options::default(), |who| match who {
        Some(who) if who.user == "nao" && who.token == "hunter2" => Ok(()),
        Some(_) => Err("wrong password".to_owned()),
        None => Err("who are you?".to_owned()),
    });
    let guarded = guarded.unwrap();
    let address = guarded.address().to_string();
    let info = ["qi", "info", "--robot", &address];
    let said: Said = boxstep(&info).output().unwrap().into();
    assert!(said.code(4).err.contains("the peer rejects the credentials: who are you?"));
    let said: Said = boxstep(&info).env("BOXSTEP_PASSWORD", "hunter2").output().unwrap().into();
    assert!(said.code(0).out.contains("ServiceDirectory"));
    let file = Temp::new("password");
    std::fs::write(&file.0, "hunter2\n").unwrap();
    let with = |more: &[&str]| -> Said { boxstep(&[&info[..], more].concat()).output().unwrap().into() };
    with(&["--password", file.arg()]).code(0);
    assert!(with(&["--password", file.arg(), "--user", "other"]).code(4).err.contains("wrong password"));
    let said = with(&["--password", "hunter2"]).code(2);
    assert!(said.err.contains("belongs into a file") && !said.err.contains("hunter2"), "{}", said.err);
}

#[test]
fn a_certificate_is_accepted_only_when_somebody_says_so() {
    let made = rcgen::generate_simple_self_signed(["pepper.local".to_owned()]).unwrap();
    let (certificate, key) = (made.cert.pem(), made.signing_key.serialize_pem());
    let identity = Identity::from_pem(certificate.as_bytes(), key.as_bytes()).unwrap();
    let fingerprint = identity.fingerprint().to_string();
    let server = Server::listen_tls("127.0.0.1:0", Options::default(), identity, |_| Ok(())).unwrap();
    let url = format!("tcps://{}", server.address());
    let with = |more: &[&str]| -> Said {
        boxstep(&[&["qi", "info", "--robot", &url], more].concat()).output().unwrap().into()
    };
    let refused = with(&[]).code(4).err;
    assert!(refused.contains(&fingerprint), "{refused}");
    assert!(with(&["--fingerprint", &fingerprint]).code(0).out.contains("ServiceDirectory"));
    assert!(with(&["--fingerprint", "12"]).code(2).err.contains("is no SHA-256"));
    assert!(
        with(&["--fingerprint", &fingerprint.replace('A', "B").replace('1', "2")])
            .code(4)
            .err
            .contains("not the one that was accepted")
    );
    with(&["--insecure"]).code(0);
    let file = Temp::new("pem");
    std::fs::write(&file.0, &certificate).unwrap();
    with(&["--certificate", file.arg()]).code(0);
    assert!(with(&["--certificate", "no-such-file.pem"]).code(2).err.contains("no-such-file.pem"));
    let plain = boxstep(&["qi", "info", "--robot", &server.address().to_string()]).output().unwrap();
    assert!(Said::from(plain).code(4).err.contains("requires TLS: use tcps:// instead of tcp://"));
}
