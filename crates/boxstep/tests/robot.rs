//! `boxstep robot`, used by a qi client of ours.

use crate::common;
use crate::common::{boxstep, say};
use boxstep_qi::{Session, args};
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdout, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

const SOON: Duration = Duration::from_secs(20);

struct Robot {
    child: Child,
    out: Lines<BufReader<ChildStdout>>,
    address: String,
}

impl Robot {
    fn start(more: &[&str]) -> Robot {
        let mut child = boxstep(&["robot", "--listen", "127.0.0.1:0", "--type"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
        let first = out.next().unwrap().unwrap();
        let address = first.split("://").nth(1).unwrap().trim().to_owned();
        Robot { child, out, address }
    }

    fn session(&self) -> Session {
        Session::connect(&self.address).unwrap()
    }

    fn types(&mut self, line: &str) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next line that has this in it.
    fn tells(&mut self, wanted: &str) -> String {
        self.out.by_ref().map(Result::unwrap).find(|line| line.contains(wanted)).unwrap()
    }

    fn ends(mut self) -> (Option<i32>, String) {
        let mut said = String::new();
        std::io::Read::read_to_string(&mut self.child.stderr.take().unwrap(), &mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

#[test]
fn clients_use_the_robot_and_a_person_touches_it() {
    let mut robot = Robot::start(&["--body", "pepper", "--name", "anna"]);
    let session = robot.session();
    let name = session.service("ALSystem").unwrap().call("robotName", &[]).unwrap();
    assert_eq!(name.as_str(), Some("anna"));
    session.service("ALTextToSpeech").unwrap().call("say", &args!["hi"]).unwrap();
    robot.tells("hi");

    let memory = session.service("ALMemory").unwrap();
    let subscriber = memory.call("subscriber", &args!["FrontTactilTouched"]).unwrap();
    let subscriber = subscriber.as_object().unwrap().remote().unwrap().clone();
    let (tell, told) = channel();
    let _listening = subscriber.subscribe("signal", move |args| tell.send(args[0].plain().as_f64()).unwrap()).unwrap();
    robot.types("touch FrontTactilTouched");
    assert_eq!(told.recv_timeout(SOON).unwrap(), Some(1.0));
    assert_eq!(told.recv_timeout(SOON).unwrap(), Some(0.0));

    robot.types("battery 20");
    robot.tells("BatteryChargeChanged");
    let charge = session.service("ALBattery").unwrap().call("getBatteryCharge", &[]).unwrap();
    assert_eq!(charge.as_i64(), Some(20));

    robot.types("dance");
    robot.types("quit");
    let (code, said) = robot.ends();
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("nothing is called dance"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_said_in_plain_words() {
    let mut robot = Robot::start(&[]);
    let refused = say(&["robot", "--listen", &robot.address]).code(4);
    assert!(
        refused.err.contains("another program already listens on") && refused.err.contains("--listen"),
        "{}",
        refused.err
    );
    let odd = say(&["robot", "--listen", "nowhere"]).code(2);
    assert!(odd.err.contains("IP:PORT"), "{}", odd.err);
    robot.types("quit");
    assert_eq!(robot.ends().0, Some(0));
}

#[test]
fn what_clients_do_is_recorded() {
    let folder = common::Temp::new("recorded");
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = |name: &str| folder.0.join(name).to_str().unwrap().to_owned();
    let (trace, record) = (file("trace.jsonl"), file("run.mcap"));
    let mut robot = Robot::start(&["--trace", &trace, "--record", &record]);
    let session = robot.session();
    session.service("ALTextToSpeech").unwrap().call("say", &args!["for the record"]).unwrap();
    robot.types("touch FrontTactilTouched");
    robot.tells("FrontTactilTouched");
    robot.types("quit");
    assert_eq!(robot.ends().0, Some(0));
    let text = std::fs::read_to_string(&trace).unwrap();
    for part in ["for the record", "FrontTactilTouched", "\n{\"reason\":"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(std::fs::read(&record).unwrap().ends_with(b"\x89MCAP0\r\n"));
    let again = say(&["replay", &trace]);
    assert!(again.code == Some(2) && again.err.contains("of a robot on which no file was played"), "{}", again.err);
    let refused = say(&["robot", "--clock", "client", "--listen", "127.0.0.1:0", "--trace", &trace]).code(2);
    assert!(refused.err.contains("recorded by the client"), "{}", refused.err);
}

/// Who reads the trace has to know that calls alone do not move this robot.
#[test]
fn the_trace_says_when_and_how_the_robot_was_simulated() {
    let (trace, room) = (common::Temp::new("jsonl"), common::root().join("examples/programs/room.toml"));
    let mut robot = Robot::start(&["--trace", trace.arg(), "--physics", "--world", room.to_str().unwrap()]);
    robot.types("quit");
    assert_eq!(robot.ends().0, Some(0));
    let run = boxstep_trace::Recording::read(std::fs::read(&trace.0).unwrap().as_slice()).unwrap();
    let header = run.header.unwrap();
    assert_eq!(header.option("physics"), Some(&true.into()));
    assert_eq!(header.option("world"), Some(&room.to_str().unwrap().into()));
    assert!(boxstep_types::calendar::parse_epoch(header.started.as_deref().unwrap()).unwrap() > 1_700_000_000);
}

#[test]
fn a_password_lets_in_those_who_know_it() {
    let folder = common::Temp::new("password");
    std::fs::create_dir_all(&folder.0).unwrap();
    let file = |name: &str, text: &str| {
        std::fs::write(folder.0.join(name), text).unwrap();
        folder.0.join(name).to_str().unwrap().to_owned()
    };
    let (right, wrong, empty) = (file("right", "secret\r\n"), file("wrong", "guess\n"), file("empty", "\n"));
    let mut robot = Robot::start(&["--password", &right]);
    let tcps = format!("tcps://{}", robot.address);
    let fingerprint = robot.tells("--fingerprint").trim().rsplit(' ').next().unwrap().to_owned();
    let ask = |more: &[&str]| say(&[&["qi", "call", "ALTextToSpeech.getLanguage", "--robot", &tcps], more].concat());
    let refused =
        |said: common::Said, why: &str| assert!(said.code != Some(0) && said.err.contains(why), "{}", said.err);
    refused(ask(&["--password", &right]), "a certificate that is not accepted");
    refused(ask(&["--fingerprint", &fingerprint]), "requires a user and a password");
    refused(ask(&["--fingerprint", &fingerprint, "--password", &wrong]), "the user or the password is wrong");
    refused(ask(&["--fingerprint", &fingerprint, "--password", &right, "--user", "ann"]), "is wrong");
    let let_in = ask(&["--fingerprint", &fingerprint, "--password", &right]).code(0);
    assert!(let_in.out.contains("English"), "{}", let_in.out);
    // Without TLS nothing answers.
    assert_ne!(say(&["qi", "info", "--robot", &format!("tcp://{}", robot.address)]).code, Some(0));
    robot.types("quit");
    let (code, said) = robot.ends();
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("secret"), "{said}");
    assert!(say(&["robot", "--password", &empty]).code(2).err.contains("is empty"));
    assert!(say(&["robot", "--user", "ann"]).code(2).err.contains("--password"));
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_in_order() {
    let robot = Robot::start(&[]);
    let session = robot.session();
    let speech = session.service("ALTextToSpeech").unwrap();
    let says =
        speech.start("say", &args!["a sentence that is said for quite a long time and is not finished"]).unwrap();
    // The call has arrived when another one has been answered.
    speech.call("getLanguage", &[]).unwrap();
    let ended = std::process::Command::new("kill").args(["-INT", &robot.child.id().to_string()]).status().unwrap();
    assert!(ended.success());
    assert_eq!(robot.ends().0, Some(130));
    drop(says.wait_for(SOON));
}

#[test]
fn a_scenario_gives_memory_and_events() {
    let file = common::Temp::new(".toml");
    let text = "behavior = \"x.xar\"\n[given.memory]\nColour = \"red\"\n[[given.events]]\nname = \"Bell\"\nvalue = 3\nat = 0.1\n";
    std::fs::write(&file.0, text).unwrap();
    let mut robot = Robot::start(&["--scenario", file.0.to_str().unwrap()]);
    let memory = robot.session().service("ALMemory").unwrap();
    assert_eq!(memory.call("getData", &args!["Colour"]).unwrap().plain().as_str(), Some("red"));
    robot.tells("Bell");
    robot.types("quit");
    assert_eq!(robot.ends().0, Some(0));
}

const ENDLESS: &str = r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">
<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/><Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="3"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>
<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram/></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#;

#[test]
fn a_behavior_that_plays_is_served_listed_and_ended() {
    let file = common::Temp::new(".xar");
    std::fs::write(&file.0, ENDLESS).unwrap();
    let mut playing = boxstep(&["play", file.0.to_str().unwrap(), "--scripts", "off", "--serve=127.0.0.1:0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(playing.stdout.take().unwrap()).lines();
    let served = out.by_ref().map(Result::unwrap).find(|line| line.contains("served at")).unwrap();
    let address = served.split("tcp://").nth(1).unwrap().trim().to_owned();
    out.by_ref().map(Result::unwrap).find(|line| line.contains("starts") || line.contains("started")).unwrap();

    let boxes = Session::connect(&address).unwrap().service("Boxstep").unwrap().call("boxes", &[]).unwrap();
    assert_eq!(boxes.as_slice().unwrap().len(), 1);
    let listed = say(&["ls", "--robot", &address]).code(0).out;
    let runs = say(&["ps", "--robot", &address]).code(0).out;
    assert_eq!(runs, listed);
    let name = runs.trim();
    let again = say(&["start", name, "--robot", &address]).code(4);
    assert!(again.err.contains("is running already"), "{}", again.err);
    let nobody = say(&["stop", "nobody", "--robot", &address]).code(4);
    assert!(nobody.err.contains("nobody does not run"), "{}", nobody.err);
    say(&["stop", name, "--robot", &address]).code(0);
    assert_eq!(playing.wait().unwrap().code(), Some(0));
}

#[test]
fn serving_is_of_real_time_and_a_robot_that_is_not_there_is_said() {
    let odd = say(&["play", "x.xar", "--serve", "--virtual-time"]).code(2);
    assert!(odd.err.contains("--virtual-time"), "{}", odd.err);
    let gone = say(&["ls", "--robot", "127.0.0.1:1"]).code(4);
    assert!(gone.err.contains("127.0.0.1:1"), "{}", gone.err);
}

/// A timeline of 0.4 s that turns the head by 57.3 degrees evenly, to its last frame.
fn turns() -> String {
    let key = |frame: i32, value: f64| {
        let tangent =
            |side| format!(r#"<Tangent side="{side}" interpType="linear" abscissaParam="0" ordinateParam="0"/>"#);
        format!(r#"<Key frame="{frame}" value="{value}">{}{}</Key>"#, tangent("left"), tangent("right"))
    };
    let keys = key(1, 0.0) + &key(11, 57.3);
    let curve = format!(
        r#"<ActuatorList model=""><ActuatorCurve name="value" actuator="HeadYaw" mute="0" unit="0">{keys}</ActuatorCurve></ActuatorList>"#
    );
    let timeline = format!(r#"<Timeline enable="1" fps="25" start_frame="1" end_frame="11">{curve}</Timeline>"#);
    let turn = common::xar::a_box(1, "Turn", "", &common::xar::ports(), &timeline);
    let links = common::xar::link((0, 2), (1, 2)) + &common::xar::link((1, 4), (0, 4));
    common::xar::behavior(&common::xar::ports(), &common::xar::flow(&(turn + &links)))
}

#[test]
fn a_motion_comes_to_its_last_key_on_a_robot_of_the_network() {
    let file = common::Temp::new("xar");
    std::fs::write(&file.0, turns()).unwrap();
    let mut robot = Robot::start(&[]);
    for _ in 0..3 {
        say(&["play", file.arg(), "--scripts", "off", "--anyway", "--robot", &robot.address]).code(0);
        let motion = robot.session().service("ALMotion").unwrap();
        let angles = motion.call("getAngles", &args!["HeadYaw", false]).unwrap();
        let angle = angles.plain().as_slice().unwrap()[0].plain().as_f64().unwrap();
        assert!((angle - 57.3_f64.to_radians()).abs() < 1e-6, "{angle}");
        motion.call("setAngles", &args!["HeadYaw", 0.0, 1.0]).unwrap();
    }
    robot.types("quit");
    assert_eq!(robot.ends().0, Some(0));
}
