//! `balanced`: whether the robot stays on its feet in a whole run.

use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::Model;
use boxstep_test::{Difference, Focus, Suite, judge};
use boxstep_trace::{
    Act, CallEvent, ClockKind, Event, Header, Incoming, Kind, Outgoing, PathId, Paths, Recording, ReplyEvent,
};
use boxstep_types::{BoxPath, Time, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A run of a body, in which a box moves joints.
struct Played {
    body: &'static Body,
    run: Recording,
    path: PathId,
}

impl Played {
    fn new(kind: BodyKind, clock: ClockKind) -> Self {
        let mut paths = Paths::default();
        let dance: BoxPath = "root/Dance".parse().unwrap();
        let path = paths.add(&dance);
        let run = Recording { header: Some(Header::new(clock)), events: Vec::new(), paths, footer: None };
        Self { body: kind.body(), run, path }
    }

    fn add(&mut self, seconds: f64, cause: u64, path: PathId, kind: Kind) -> u64 {
        let n = self.run.events.len() as u64 + 1;
        self.run.events.push(Event { n, t: Time::from_secs_f64(seconds), cause, path, kind });
        n
    }

    fn call(&mut self, seconds: f64, service: &str, method: &str) -> u64 {
        let (service, method) = (service.into(), method.into());
        let call = CallEvent { dir: Outgoing::Out, service, method, args: Vec::new(), line: 1 };
        self.add(seconds, 0, self.path, Kind::Service(Box::new(call)))
    }

    fn moves(&mut self, seconds: f64) {
        let call = self.call(seconds, "ALMotion", "angleInterpolation");
        let act = Act { kind: "joints".into(), text: String::new(), data: Value::map([("seconds", 1.0.into())]) };
        self.add(seconds, call, PathId(0), Kind::Act(Box::new(act)));
    }

    /// Samples angles 25 times a second: those of the robot that stands, and this joint at its own. A time can be off.
    fn sample(&mut self, seconds: f64, joints: &[&str], angle: impl Fn(f64) -> f64, off: impl Fn(u32) -> f64) {
        let awake = Model::new(self.body).awake();
        for at in 0..(seconds * 25.0) as u32 {
            let t = f64::from(at) / 25.0 + off(at);
            let of = |(joint, awake): (&boxstep_bodies::Joint, &f64)| {
                let moved = joints.contains(&joint.name);
                (Arc::from(joint.name), if moved { awake + angle(t) } else { *awake })
            };
            let angles = self.body.joints.iter().zip(&awake).map(of).collect();
            self.add(t, 0, PathId(0), Kind::Joints { angles, torso: None });
        }
        self.run.events.sort_by_key(|event| event.t);
        let numbers: HashMap<u64, u64> = self.run.events.iter().zip(1..).map(|(event, n)| (event.n, n)).collect();
        for event in &mut self.run.events {
            (event.n, event.cause) = (numbers[&event.n], numbers.get(&event.cause).copied().unwrap_or(0));
        }
    }

    /// Returns the number of the event that is this call.
    fn number_of(&self, method: &str) -> u64 {
        let is_call = |event: &&Event| matches!(&event.kind, Kind::Service(call) if *call.method == *method);
        self.run.events.iter().find(is_call).unwrap().n
    }

    fn judged(&self, expect: &str) -> Vec<Difference> {
        let text = format!("[[test]]\nname = \"a\"\n[test.expect]\n{expect}\n");
        let suite = Suite::read(Path::new("a.test.toml"), &text).map_err(|wrong| wrong.found).unwrap();
        let mut all = judge(&suite, &suite.tests[0], None, self.body, &self.run);
        // These runs are cut off.
        all.retain(|difference| difference.expected != "a run that ends");
        all
    }
}

/// The ankles of NAO: it leans forward by these degrees from 1 s to 3 s, and comes back.
fn leans(degrees: f64) -> impl Fn(f64) -> f64 {
    move |t| -(degrees.to_radians()) * ((t - 1.0) / 2.0).clamp(0.0, 1.0).min(((5.0 - t) / 2.0).clamp(0.0, 1.0))
}

const ANKLES: &[&str] = &["LAnklePitch", "RAnklePitch"];

#[test]
fn a_run_in_which_the_robot_leans_too_far_says_when_where_and_how_much() {
    for (clock, off) in [(ClockKind::Virtual, 0.0), (ClockKind::Real, 0.004)] {
        let late = move |at: u32| off * f64::from(at * 7 % 5) / 5.0;
        let mut far = Played::new(BodyKind::Nao, clock);
        far.moves(1.0);
        far.sample(6.0, ANKLES, leans(25.0), late);
        let found = far.judged("balanced = true");
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].expected, "the robot keeps its balance");
        let Focus::Time(at) = found[0].focus else { panic!("{found:?}") };
        assert!((2.0..3.0).contains(&at.as_secs_f64()), "{at}");
        let words = format!("it tips over at {at} s, forward, root/Dance, by ");
        let out = found[0].found.strip_prefix(&words).and_then(|rest| rest.strip_suffix(" mm"));
        let out: f64 = out.unwrap_or_else(|| panic!("{found:?}")).parse().unwrap();
        assert!((5.0..40.0).contains(&out), "{out}");
        assert_eq!(far.judged("balanced = false"), []);
        let mut near = Played::new(BodyKind::Nao, clock);
        near.sample(6.0, ANKLES, leans(5.0), late);
        assert_eq!(near.judged("balanced = true"), []);
        let stays = &near.judged("balanced = false")[0];
        assert_eq!(stays.expected, "the robot tips over");
        assert!(
            stays.found.starts_with("it keeps its balance; ") && stays.found.contains(" mm are left at "),
            "{stays:?}"
        );
    }
}

#[test]
fn pepper_bows_slowly_and_not_fast() {
    let bow = |period: f64| {
        let mut played = Played::new(BodyKind::Pepper, ClockKind::Virtual);
        played.moves(0.0);
        let angle = move |t: f64| -0.4 * (1.0 - (std::f64::consts::TAU * t / period).cos());
        played.sample(6.0, &["HipPitch"], angle, |_| 0.0);
        played.judged("balanced = true")
    };
    assert_eq!(bow(5.0), []);
    let fast = bow(0.9);
    assert!(!fast.is_empty() && fast[0].found.contains("root/Dance, by "), "{fast:?}");
    assert!(fast[0].found.ends_with("because it moves so fast"), "{fast:?}");
}

/// The simulation changes postures on straight ways, on which a real robot would fall.
#[test]
fn postures_that_the_robot_changes_by_itself_are_not_judged() {
    let mut played = Played::new(BodyKind::Nao, ClockKind::Virtual);
    played.call(1.0, "ALRobotPosture", "goToPosture");
    played.sample(6.0, ANKLES, leans(25.0), |_| 0.0);
    assert_eq!(played.judged("balanced = true"), [], "it has not ended");
    let (service, method) = ("ALRobotPosture".into(), "goToPosture".into());
    let result = Ok(Value::Bool(true));
    let reply = ReplyEvent { dir: Incoming::In, service, method, result, mock: false };
    let call = played.number_of("goToPosture");
    played.add(1.5, call, played.path, Kind::ServiceDone(Box::new(reply)));
    assert_eq!(played.judged("balanced = true").len(), 1, "it ended before the robot leans");
}

#[test]
fn what_cannot_be_judged_is_not_taken_as_balanced() {
    let blind = Played::new(BodyKind::Nao, ClockKind::Virtual);
    for expect in ["balanced = true", "balanced = false"] {
        let found = blind.judged(expect);
        assert!(found[0].found.contains("joint angles, are not known"), "{found:?}");
    }
    let mut sits = Played::new(BodyKind::Nao, ClockKind::Virtual);
    sits.sample(2.0, &["LHipPitch", "RHipPitch", "LKneePitch", "RKneePitch"], |_| 2.0, |_| 0.0);
    let found = sits.judged("balanced = true");
    assert!(found[0].found.contains("it never stands"), "{found:?}");
}
