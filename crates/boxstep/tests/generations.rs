//! `boxstep robot --naoqi`: a client of ours, and behaviors that are played, with robots of each generation.

use crate::common::{Temp, say};
use crate::robot::{Robot, SOON, turns};
use boxstep_qi::{Credentials, Error, Generation, Options, Pending, REMOTE_CANCELABLE_CALLS, Session, Trust, args};
use std::sync::mpsc::channel;

/// A robot of a generation, and how it is reached.
pub(crate) struct Served {
    pub(crate) robot: Robot,
    address: String,
    password: Temp,
    tls: bool,
}

impl Served {
    pub(crate) fn start(generation: Generation, more: &[&str]) -> Served {
        let password = Temp::new("password");
        std::fs::write(&password.0, "secret\n").unwrap();
        let tls = generation == Generation::Naoqi29;
        let login: &[&str] = if tls { &["--password", password.arg()] } else { &[] };
        let robot = Robot::start(&[&["--naoqi", generation.number()], login, more].concat());
        let scheme = if tls { "tcps" } else { "tcp" };
        let address = format!("{scheme}://{}", robot.address);
        Served { robot, address, password, tls }
    }

    pub(crate) fn session(&self) -> Session {
        let login = Credentials { user: "nao".to_owned(), token: "secret".to_owned() };
        let credentials = self.tls.then_some(login);
        Session::connect_with(&self.address, Options { credentials, trust: Trust::Anybody, ..Options::default() })
            .unwrap()
    }

    /// The arguments with which commands reach it.
    pub(crate) fn login(&self) -> Vec<&str> {
        let login = ["--insecure", "--password", self.password.arg()];
        let robot: &[&str] = &["--robot", &self.address];
        [robot, if self.tls { &login } else { &[] }].concat()
    }
}

#[test]
fn a_client_uses_a_robot_of_every_generation() {
    let file = Temp::new("xar");
    std::fs::write(&file.0, turns()).unwrap();
    for generation in Generation::ALL {
        let mut served = Served::start(generation, &[]);
        let session = served.session();
        let system = session.service("ALSystem").unwrap();
        let version = system.call("systemVersion", &[]).unwrap();
        assert!(version.as_str().unwrap().starts_with(generation.number()), "{version:?}");

        let memory = session.service("ALMemory").unwrap();
        let subscriber = memory.call("subscriber", &args!["FrontTactilTouched"]).unwrap();
        let subscriber = subscriber.as_object().unwrap().remote().unwrap().clone();
        let (tell, told) = channel();
        let tell = move |args: &[boxstep_qi::Value]| tell.send(args[0].plain().as_f64()).unwrap_or(());
        let _listening = subscriber.subscribe("signal", tell).unwrap();
        served.robot.types("touch FrontTactilTouched");
        assert_eq!(told.recv_timeout(SOON).unwrap(), Some(1.0), "{generation}");

        // What cannot be cancelled is stopped by another method.
        let speech = session.service("ALTextToSpeech").unwrap();
        let says: Pending =
            speech.start("say", &args!["a sentence that takes a long time to say ".repeat(20)]).unwrap();
        speech.call("getLanguage", &[]).unwrap();
        let cancels = session.connection().capabilities().has(REMOTE_CANCELABLE_CALLS);
        assert_eq!(cancels, generation != Generation::Naoqi21);
        if cancels {
            says.cancel();
            assert!(matches!(says.wait_for(SOON), Err(Error::Canceled)), "{generation}");
        } else {
            speech.call("stopAll", &[]).unwrap();
            says.wait_for(SOON).unwrap();
        }

        let play = [&["play", file.arg(), "--scripts", "off", "--anyway"], &*served.login()].concat();
        say(&play).code(0);
        let motion = session.service("ALMotion").unwrap();
        let angles = motion.call("getAngles", &args!["HeadYaw", false]).unwrap();
        let angle = angles.plain().as_slice().unwrap()[0].plain().as_f64().unwrap();
        assert!((angle - 57.3_f64.to_radians()).abs() < 1e-6, "{generation}: {angle}");
        served.robot.types("quit");
        assert_eq!(served.robot.ends().0, Some(0));
    }
}

#[test]
fn a_robot_has_the_methods_that_its_generation_is_known_to_have() {
    for (generation, new, gone) in [
        (Generation::Naoqi21, false, true),
        (Generation::Naoqi25, false, true),
        (Generation::Naoqi28, true, false),
        (Generation::Naoqi29, true, true),
    ] {
        let served = Served::start(generation, &[]);
        let session = served.session();
        assert_eq!(session.service("ALBackgroundMovement").is_ok(), new, "{generation}");
        let navigation = session.service("ALNavigation").unwrap();
        assert_eq!(has(&navigation, "explore"), new, "{generation}");
        let motion = session.service("ALMotion").unwrap();
        assert_eq!(has(&navigation, "moveTo"), gone, "{generation}");
        let number = |name: &str| motion.meta().methods_named(name).next().unwrap().0;
        assert_eq!(number("isRunning"), if generation == Generation::Naoqi28 { 110 } else { 109 });
        // Nor are they there for those who post.
        let posted = navigation.call("pCall", &args![vec![boxstep_qi::Value::from("stopExploration")]]);
        assert_eq!(posted.is_ok(), new, "{generation}: {posted:?}");
    }
    let served = Served::start(Generation::Naoqi28, &[]);
    let speech = served.session().service("ALTextToSpeech").unwrap();
    let posted = speech.call("pCall", &args![args!["say", "hi"].to_vec()]).unwrap();
    speech.call("wait", &[posted.into_plain()]).unwrap();
}

fn has(service: &boxstep_qi::Remote, method: &str) -> bool {
    service.meta().methods_named(method).next().is_some()
}

#[cfg(unix)]
#[test]
fn a_robot_of_every_generation_goes_by_its_clients_clock() {
    let (file, here) = (Temp::new("xar"), Temp::new("jsonl"));
    std::fs::write(&file.0, turns()).unwrap();
    let play = ["play", file.arg(), "--virtual-time", "--scripts", "off", "--trace"];
    say(&[&play[..], &[here.arg()]].concat()).code(0);
    for generation in Generation::ALL {
        let (served, there) = (Served::start(generation, &["--clock", "client"]), Temp::new("jsonl"));
        say(&[&play[..], &[there.arg()], &*served.login()].concat()).code(0);
        let trace = |file: &Temp| std::fs::read_to_string(&file.0).unwrap();
        assert!(trace(&here) == trace(&there), "{generation}");
    }
}

#[test]
fn a_generation_that_cannot_be_is_refused() {
    let password = Temp::new("password");
    std::fs::write(&password.0, "secret\n").unwrap();
    let refused = |args: &[&str]| say(&[&["robot", "--listen", "127.0.0.1:0"], args].concat()).code(2).err;
    let old = refused(&["--naoqi", "2.1", "--password", password.arg()]);
    assert!(old.contains("NAOqi 2.1 asks nobody for a password"), "{old}");
    let open = refused(&["--naoqi", "2.9"]);
    assert!(open.contains("--naoqi 2.9 needs --password FILE"), "{open}");
    let older = refused(&["--naoqi", "1.14"]);
    assert!(older.contains("write 2.1, 2.4, 2.5, 2.8 or 2.9"), "{older}");
}
