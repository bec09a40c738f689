//! A robot whose answers and events come from outside, as a real one's do.

use crate::support::*;
use boxstep_engine::config::{ClockKind, Config, NoLibrary};
use boxstep_engine::mailbox::Mailbox;
use boxstep_engine::protocol::{Next, Scheduler};
use boxstep_engine::services::{Act, Effect, Topic};
use boxstep_engine::shared::{Host as _, NoScripts, Shared};
use boxstep_engine::trace::EndReason;
use boxstep_engine::{CallId, Engine};
use boxstep_types::{Time, Value};

#[allow(clippy::field_reassign_with_default, reason = "the other fields are its own")]
fn real(mailbox: &Mailbox) -> Robot {
    let mut robot = Robot::default();
    robot.real = Some(mailbox.clone());
    robot
}

/// A box whose start calls the robot and then hears a key.
fn asks() -> (String, Scripts) {
    let start = vec![Call("ALTest", "later", vec![]), Log("answered"), Hear("Key", "heard")];
    let scripts = Scripts::from([(("A", "onInput_onStart"), start), (("A", "heard"), vec![LogValue])]);
    (root(&(boxed("A", 1, "", "") + &link(0, 2, 1, 2))), scripts)
}

/// Goes on until the engine waits.
fn settle(run: &mut Run) -> Option<Time> {
    loop {
        match run.engine.next() {
            Next::Wait(until) => return until,
            next => run.does(next),
        }
    }
}

#[test]
fn answers_and_events_come_from_outside() {
    let mailbox = Mailbox::default();
    let (xml, scripts) = asks();
    let mut run = Run::in_real_time(&xml, scripts, real(&mailbox), Config::default());
    assert_eq!(settle(&mut run), None, "the call is open, and there is nothing to wait for but the robot");
    mailbox.put(Effect::Complete(CallId(1), Ok(Value::Int(7))));
    settle(&mut run);
    mailbox.put(Effect::Event(Topic::Memory("Key".into()), Value::Int(5)));
    mailbox.put(Effect::Act(Act { kind: "say".into(), text: "hello".to_owned(), data: Value::Null }));
    mailbox.put(Effect::Warn("the link is slow".to_owned()));
    settle(&mut run);
    let engine = &mut run.engine;
    let now = engine.now();
    engine.control(now, boxstep_engine::config::Control::Stop).unwrap();
    let (lines, footer) = run.run_on();
    assert_eq!(
        only(&lines, &["log"]),
        ["0.000 root/A log answered", "0.000 root/A log [\"Key\",5,\"_Behavior__1__root__A_1\"]"],
        "{lines:#?}"
    );
    assert!(lines.iter().any(|l| l.contains("the link is slow")), "{lines:#?}");
    assert_eq!((footer.reason, footer.warnings), (EndReason::Ended, 1));
}

#[test]
fn whoever_is_refused_a_resource_hears_that_its_owner_waits_for_a_call_that_is_not_answered() {
    let mailbox = Mailbox::default();
    let speech = r#"<Resource name="Speech" type="Lock" timeout="0"/>"#;
    let xml = root(
        &(boxed("A", 1, speech, "")
            + &boxed("B", 2, speech, "")
            + &boxed("Later", 3, "", "")
            + &link(0, 2, 1, 2)
            + &link(0, 2, 3, 2)
            + &link(3, 4, 2, 2)),
    );
    let scripts = Scripts::from([
        (("A", "onInput_onStart"), vec![Call("ALTest", "later", vec![])]),
        (("Later", "onInput_onStart"), vec![Call("ALTest", "later", vec![]), Out("onStopped", Value::Null)]),
        (("B", "onInput_onStart"), vec![Log("B runs")]),
    ]);
    let mut run = Run::in_real_time(&xml, scripts, real(&mailbox), Config::default());
    settle(&mut run);
    mailbox.put(Effect::Complete(CallId(2), Ok(Value::Null)));
    settle(&mut run);
    let engine = &mut run.engine;
    let now = engine.now();
    engine.control(now, boxstep_engine::config::Control::Stop).unwrap();
    let (lines, _) = run.run_on();
    assert!(lines.iter().any(|l| l.contains("resource Speech refused (root/A)")), "{lines:#?}");
    let words = "Speech: root/A waits for ALTest.later, which the robot has not answered";
    assert!(lines.iter().any(|l| l.contains("root/B") && l.contains(words)), "{lines:#?}");
}

#[test]
fn a_robot_that_is_lost_ends_the_run_as_failed_and_everything_is_unloaded() {
    let mailbox = Mailbox::default();
    let (xml, mut scripts) = asks();
    scripts.insert(("A", "onUnload"), vec![Log("unloaded")]);
    let mut run = Run::in_real_time(&xml, scripts, real(&mailbox), Config::default());
    settle(&mut run);
    mailbox.put(Effect::Complete(CallId(1), Ok(Value::Null)));
    mailbox.put(Effect::Lost("nao.local is gone".to_owned()));
    mailbox.put(Effect::Lost("nao.local is gone again".to_owned()));
    let (lines, footer) = run.run_on();
    assert_eq!(footer.reason, EndReason::Failed);
    assert_eq!(only(&lines, &["log"]).last().unwrap(), "0.000 root/A log unloaded");
    assert_eq!(footer.warnings, 1, "it is told once: {lines:#?}");
}

#[test]
fn virtual_time_is_refused() {
    let header = header(ClockKind::Virtual);
    let robot = Box::new(real(&Mailbox::default()));
    let mut engine = Engine::new(Config::default(), robot, Box::new(NoLibrary), &header, Vec::new());
    let refused = engine.play(source("test", &asks().0)).unwrap_err();
    assert_eq!(refused[0].code.name, "real-robot-in-virtual-time");
    assert!(refused[0].message.contains("real time"), "{}", refused[0].message);
}

#[test]
fn the_bell_wakes_whoever_drives_and_waits_for_no_lock() {
    let mailbox = Mailbox::default();
    let header = header(ClockKind::Real);
    let config = Config { clock: ClockKind::Real, scripts: false, ..Config::default() };
    let mut engine = Engine::new(config, Box::new(real(&mailbox)), Box::new(NoLibrary), &header, Vec::new());
    engine.play(source("test", &asks().0)).unwrap();
    let engine = Shared::of_run(engine);
    let driven = engine.clone();
    let driver = std::thread::spawn(move || NoScripts.drive(&driven));
    // With the engine's lock held the robot's thread still gets rid of what it has.
    let guard = engine.lock();
    mailbox.put(Effect::Lost("gone".to_owned()));
    drop(guard);
    driver.join().unwrap().unwrap();
    assert_eq!(engine.lock().outcome().unwrap().reason, EndReason::Failed);
}
