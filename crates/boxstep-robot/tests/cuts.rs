//! Cuts the link to a robot after each message of a whole run, once and for good. A robot that is not known to be ready
//! must never be commanded, and every failure must be reported.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may fail")]

use crate::cut::{Cut, Wire as Line};
use crate::support::Robot;
use boxstep_engine::CallId;
use boxstep_engine::services::{Effect, Halt, Outcome, Random, ServiceCall, ServiceCx, Services};
use boxstep_qi::{Pauses, Session, Value as Wire};
use boxstep_robot::NaoqiRobot;
use boxstep_robot::naoqi::NaoqiOptions;
use boxstep_robot::naoqi::preflight::{Life, NeededCall, Patience, Permissions, Prepared, Requirements};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Long enough for any machine.
const LONG: Duration = Duration::from_secs(60);

const PATIENT: Patience = Patience { asking: LONG, changing: LONG, coming_back: LONG };

/// The queries that must be answered before a robot is commanded.
const READINESS: [&str; 6] = [
    "ALMotion.robotIsWakeUp",
    "ALMotion.getStiffnesses Body",
    "ALMotion.getRobotConfig",
    "ALAutonomousLife.getState",
    "ALBehaviorManager.getRunningBehaviors",
    "ALBodyTemperature.getTemperatureDiagnosis",
];

/// The commands that restore a robot, and the queries that must be answered before, over any link.
const BACK: [&str; 2] = ["ALMotion.rest", "ALAutonomousLife.setState solitary"];
const AS_LEFT: [&str; 2] = ["ALMotion.robotIsWakeUp", "ALAutonomousLife.getState"];

/// The commands that move a robot, or make it speak.
const COMMANDS: [&str; 5] =
    ["ALMotion.moveTo", "ALTextToSpeech.say", "ALMotion.wakeUp", "ALMotion.rest", "ALAutonomousLife.setState"];

/// The outcome of a run.
#[derive(Debug, Default)]
struct Account {
    /// The run came to its end.
    played: bool,
    said: Vec<String>,
}

/// A run that is driven by hand, as `play` drives it.
struct Run {
    robot: NaoqiRobot,
    bells: Receiver<()>,
    made: u32,
    account: Account,
    /// Whether it continues after a cut, once that is known.
    goes_on: Option<bool>,
}

impl Run {
    fn with<R>(&mut self, f: impl FnOnce(&mut NaoqiRobot, &mut ServiceCx<'_>) -> R) -> (R, Vec<Effect>) {
        let (mut random, mut effects) = (Random::new(0), Vec::new());
        let result = f(&mut self.robot, &mut ServiceCx::new(Time::ZERO, &mut random, &mut effects));
        (result, effects)
    }

    /// Waits for a wanted effect; all messages are kept.
    fn until<T>(&mut self, wanted: impl Fn(&Effect) -> Option<T>) -> T {
        loop {
            let ((), effects) = self.with(|robot, cx| robot.heard(cx));
            let mut found = None;
            for effect in effects {
                found = found.or_else(|| wanted(&effect));
                match &effect {
                    Effect::Act(act) if act.text.contains("is commanded again") => self.goes_on = Some(true),
                    Effect::Lost(_) => self.goes_on = Some(false),
                    _ => {}
                }
                match effect {
                    Effect::Warn(text) | Effect::Lost(text) => self.account.said.push(text),
                    Effect::Act(act) => self.account.said.push(act.text),
                    _ => {}
                }
            }
            match found {
                Some(found) => return found,
                None => self.bells.recv_timeout(LONG).unwrap(),
            }
        }
    }

    /// Returns whether the robot has done it; if not, the reason is kept.
    fn does(&mut self, service: &str, method: &str, args: &[Value]) -> bool {
        self.made += 1;
        let id = CallId(self.made);
        let (begun, _) = self.with(|robot, cx| robot.call(cx, &ServiceCall { id, service, method, args }));
        let result = match begun {
            Outcome::Ready(result) => result,
            Outcome::Pending => self.until(|effect| match effect {
                Effect::Complete(call, result) if *call == id => Some(result.clone()),
                _ => None,
            }),
        };
        match result {
            Ok(_) => true,
            Err(error) => {
                self.account.said.push(error.message(service, method));
                false
            }
        }
    }

    /// Walks and speaks; once more, if the robot comes back and is ready.
    fn play(&mut self) -> bool {
        for _ in 0..2 {
            let walks = self.does("ALMotion", "moveTo", &[0.1.into(), 0.0.into(), 0.0.into()]);
            if walks && self.does("ALTextToSpeech", "say", &["there".into()]) {
                return true;
            }
            while self.goes_on.is_none() {
                self.until(|_| Some(()));
            }
            if self.goes_on.take() != Some(true) {
                return false;
            }
        }
        false
    }
}

fn needs() -> Requirements {
    let call = |service: &str, method: &str| NeededCall {
        service: service.to_owned(),
        method: Some(method.to_owned()),
        guarded: false,
        place: "root/Say, line 4".to_owned(),
    };
    Requirements {
        body: Some(boxstep_bodies::BodyKind::Nao),
        joints: vec!["HeadYaw".to_owned()],
        calls: vec![call("ALMotion", "moveTo"), call("ALTextToSpeech", "say")],
        ..Requirements::default()
    }
}

/// Makes a whole run over this link.
fn run(line: &Line, leave: Permissions) -> Account {
    let mut options = NaoqiOptions::new(&line.address().to_string());
    options.pauses = Pauses { first: Duration::from_millis(1), longest: Duration::from_millis(1) };
    options.gone_after = if line.comes_back() { LONG } else { Duration::ZERO };
    options.qi.answer_within = LONG;
    options.qi.connect_within = LONG;
    let robot = match NaoqiRobot::connect(options) {
        Ok(robot) => robot,
        Err(error) => return Account { played: false, said: vec![error.to_string()] },
    };
    let handle = robot.handle();
    let (changes, said) = match handle.make_ready(&needs(), &leave, &PATIENT, &mut |_| {}, &|| false) {
        Prepared::Ready(_, changes) => (changes, Vec::new()),
        Prepared::Refused(report, back) => {
            let said = report.refused().map(ToString::to_string).chain(back.iter().map(ToString::to_string)).collect();
            handle.close();
            return Account { played: false, said };
        }
    };
    let (ring, bells) = channel();
    let mut run = Run { robot, bells, made: 0, account: Account { played: false, said }, goes_on: None };
    run.robot.waker(Arc::new(move || {
        let _ = ring.send(());
    }));
    run.account.played = run.play();
    run.with(|robot, cx| robot.halt(cx, Halt::Over));
    let mut account = std::mem::take(&mut run.account);
    account.said.extend(handle.settle(if line.comes_back() { LONG } else { Duration::from_millis(1) }));
    let (here, address) = (handle.clone(), line.address().to_string());
    let anew = move || Session::connect(&address).map(|session| (session, false));
    let back = changes.put_back(move || here.session_known().or_else(|_| anew()), LONG);
    account.said.extend(back.iter().map(ToString::to_string));
    handle.close();
    account
}

/// Asserts that each command comes after the queries over the same connection.
fn assert_asked_first(robot: &Robot, what: &str) {
    let mut asked: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (over, heard) in robot.heard() {
        let known = asked.entry(over).or_default();
        let before: &[&str] = match () {
            () if BACK.contains(&heard.as_str()) => &AS_LEFT,
            () if COMMANDS.iter().any(|command| heard.starts_with(command)) => &READINESS,
            () => &[],
        };
        for question in before {
            assert!(known.iter().any(|k| k == question), "{what}: {heard} before {question}: {:?}", robot.heard());
        }
        known.push(heard);
    }
}

/// A state of a robot, and the user's permissions.
struct Case {
    name: &'static str,
    leave: Permissions,
    be: fn(&Robot),
    /// How the state changes when the link is cut.
    then: fn(&Robot),
}

impl Case {
    fn robot(&self) -> Arc<Robot> {
        let robot = Robot::ready();
        (self.be)(&robot);
        Arc::new(robot)
    }

    /// Runs once without a cut, then with one after each message.
    fn each(&self, mut look: impl FnMut(&Account, &Robot, &str)) {
        let robot = self.robot();
        let whole = Line::start(&robot.address(), Cut::Never, || {});
        let account = run(&whole, self.leave);
        assert_asked_first(&robot, self.name);
        look(&account, &robot, self.name);
        let messages = whole.messages();
        assert!(messages > 20, "{messages}");
        for k in 1..=messages {
            for cut in [Cut::Once(k), Cut::ForGood(k)] {
                let (robot, what) = (self.robot(), format!("{}, {cut:?} of {messages}", self.name));
                let (told, then) = (robot.clone(), self.then);
                let line = Line::start(&robot.address(), cut, move || then(&told));
                let account = run(&line, self.leave);
                assert_asked_first(&robot, &what);
                // The run has ended and says so, or the reason was reported.
                assert!(account.played || !account.said.is_empty(), "{what}");
                look(&account, &robot, &what);
            }
        }
    }
}

fn commands(robot: &Robot) -> Vec<String> {
    robot.commands().into_iter().filter(|c| COMMANDS.iter().any(|command| c.starts_with(command))).collect()
}

#[test]
fn a_ready_robot_is_commanded_only_over_links_on_which_it_was_checked() {
    let case = Case { name: "ready", leave: Permissions::default(), be: |_| {}, then: |_| {} };
    let mut played = 0;
    case.each(|account, robot, what| {
        played += usize::from(account.played);
        if account.played {
            let said = commands(robot).iter().filter(|c| c.starts_with("ALTextToSpeech.say")).count();
            assert!((1..=2).contains(&said), "{what}: {:?}", commands(robot));
        } else {
            let words = ["lost", "refused", "closed", "no connection", "not ready"];
            assert!(account.said.iter().any(|s| words.iter().any(|w| s.contains(w))), "{what}: {account:?}");
        }
    });
    // A cut during the queries, after which the robot comes back, changes nothing.
    assert!(played > 1, "{played}");
}

#[test]
fn a_robot_that_is_not_ready_is_never_commanded_wherever_the_link_is_cut() {
    type Be = fn(&Robot);
    let states: [(&str, Be); 3] = [
        ("asleep", |robot| robot.says("ALMotion.robotIsWakeUp", false)),
        ("alive", |robot| robot.says("ALAutonomousLife.getState", "solitary")),
        ("busy", |robot| robot.says("ALBehaviorManager.getRunningBehaviors", Wire::list(["dance".into()]))),
    ];
    for (name, be) in states {
        let case = Case { name, leave: Permissions::default(), be, then: |_| {} };
        case.each(|account, robot, what| {
            assert!(!account.played, "{what}");
            assert_eq!(commands(robot), [""; 0], "{what}");
        });
    }
}

#[test]
fn a_robot_that_changed_while_the_link_was_down_gets_no_more_commands() {
    let case = Case {
        name: "woken from outside",
        leave: Permissions::default(),
        be: |_| {},
        then: |robot| {
            robot.says("ALAutonomousLife.getState", "interactive");
            robot.says("ALSystem.systemVersion", "cut");
        },
    };
    case.each(|account, robot, what| {
        let heard: Vec<String> = robot.heard().into_iter().map(|(over, _)| over).collect();
        let before = |over: &String| heard.first() == Some(over);
        // The first connection was made before the cut, and all others after it.
        let late = robot.heard().into_iter().filter(|(over, _)| !before(over));
        let late: Vec<_> = late.filter(|(_, h)| COMMANDS.iter().any(|command| h.starts_with(command))).collect();
        assert_eq!(late, [], "{what}: {account:?}");
    });
}

#[test]
fn a_robot_is_restored_only_over_a_link_on_which_its_state_was_checked() {
    let case = Case {
        name: "woken up",
        leave: Permissions { wake: true, life: Some(Life::Disabled), anyway: false },
        be: |robot| {
            robot.says("ALMotion.robotIsWakeUp", false);
            robot.says("ALAutonomousLife.getState", "solitary");
        },
        then: |_| {},
    };
    case.each(|account, robot, what| {
        let changed = commands(robot).iter().any(|c| c == "ALAutonomousLife.setState disabled");
        let told = account.said.iter().any(|s| s.contains("Autonomous Life is on again"));
        assert!(!changed || told, "{what}: {account:?}");
    });
}
