//! A robot of each generation as libqi-vibe simulates it, which shares no code with libqi or with us. `BOXSTEP_NAOQI_SIM`
//! names its program `naoqi-sim`. Without it the test reports that it was skipped.

use crate::common::LONG;
use boxstep_qi::{Credentials, Error, ObjectValue, Options, REMOTE_CANCELABLE_CALLS, Session, Trust, args};
use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;

struct Sim {
    process: Child,
    address: String,
}

impl Drop for Sim {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(version: &str, password: Option<&str>) -> Option<Sim> {
    let Some(program) = std::env::var_os("BOXSTEP_NAOQI_SIM") else {
        eprintln!("left out: BOXSTEP_NAOQI_SIM names no simulated robot of libqi-vibe");
        return None;
    };
    let listen = if password.is_some() { "tcps://127.0.0.1:0" } else { "tcp://127.0.0.1:0" };
    let mut command = Command::new(program);
    command.args(["--version", version, "--listen", listen]);
    command.args(password.into_iter().flat_map(|password| ["--password", password]));
    let mut process = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let told = lines.find_map(|line| line.split("listening on ").nth(1).map(str::to_owned)).unwrap();
    // It keeps writing, and must not block because nobody reads.
    std::thread::spawn(move || lines.for_each(drop));
    Some(Sim { process, address: told.trim().to_owned() })
}

#[test]
fn our_client_uses_a_simulated_robot_of_every_generation() {
    for version in ["2.1.4.13", "2.4.3.28", "2.5.7.1", "2.8.7.4", "2.9.5.1"] {
        let password = version.starts_with("2.9").then_some("secret");
        let Some(sim) = start(version, password) else { return };
        let credentials = password.map(|token| Credentials { user: "nao".to_owned(), token: token.to_owned() });
        let options = Options { credentials, trust: Trust::Anybody, ..Options::default() };
        let session = Session::connect_with(&sim.address, options.clone()).unwrap();
        assert!(session.services().unwrap().len() > 10, "{version}");
        let system = session.service("ALSystem").unwrap();
        assert_eq!(system.call("systemVersion", &[]).unwrap().into_plain().as_str(), Some(version));

        let memory = session.service("ALMemory").unwrap();
        let given = memory.call("subscriber", &args!["Bell"]).unwrap().into_plain();
        let subscriber = given.as_object().and_then(ObjectValue::remote).unwrap().clone();
        let (tell, told) = channel();
        let tell = move |args: &[boxstep_qi::Value]| tell.send(args[0].plain().as_i64()).unwrap_or(());
        let _listening = subscriber.subscribe("signal", tell).unwrap();
        memory.call("raiseEvent", &args!["Bell", 3]).unwrap();
        assert_eq!(told.recv_timeout(LONG).unwrap(), Some(3), "{version}");

        let cancels = session.connection().capabilities().has(REMOTE_CANCELABLE_CALLS);
        assert_eq!(cancels, !version.starts_with("2.1"));
        let speech = session.service("ALTextToSpeech").unwrap();
        let says = speech.start("say", &args!["a sentence that takes a long time to say ".repeat(20)]).unwrap();
        says.cancel();
        if cancels {
            let ended = says.wait_for(LONG);
            assert!(matches!(ended, Err(Error::Canceled)), "{version}: {ended:?}");
        }
        speech.call("getLanguage", &[]).unwrap();

        let (tell, gone) = channel();
        session.connection().on_close(move |_| tell.send(()).unwrap_or(()));
        drop(sim);
        gone.recv_timeout(LONG).unwrap();
        let Some(again) = start(version, password) else { return };
        assert!(Session::connect_with(&again.address, options).is_ok());
    }
}
