//! What a robot tells of itself, for whoever records a run: falls, its chest button, Autonomous Life, battery, heat, joints.
//!
//! It is told as memory lines that have no effect on the behavior; what that listens to itself it hears besides. A thread asks and
//! listens, so that a slow robot holds up nothing but what is recorded of it. The names are NAOqi's (`docs/flight-recorder.md`).

use super::NaoqiHandle;
use super::connection::{Line, object};
use crate::wire::from_wire;
use boxstep_engine::services::Effect;
use boxstep_qi::{Remote, Session, Subscription, Value as Wire};
use boxstep_types::Value;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The key under which the state of the link is told: `up`, `down`, `lost`.
pub const LINK: &str = "Boxstep/Link";

/// Events that are listened to.
const EVENTS: &[&str] = &[
    "robotHasFallen",
    "ALMotion/RobotIsFalling",
    "ALMotion/MoveFailed",
    "ChestButtonPressed",
    "ALChestButton/SimpleClickOccurred",
    "ALChestButton/DoubleClickOccurred",
    "ALChestButton/TripleClickOccurred",
    "AutonomousLife/State",
    "BatteryChargeChanged",
    "BatteryPowerPluggedChanged",
    "HotDeviceDetected",
    "HotJointDetected",
    "robotIsWakeUp",
    super::panic::EVENT,
];

/// Those of which the state at the beginning is of interest, too.
const STATES: &[&str] =
    &["AutonomousLife/State", "BatteryChargeChanged", "BatteryPowerPluggedChanged", "robotHasFallen", "robotIsWakeUp"];

/// How often joints are looked at.
const JOINTS: Duration = Duration::from_millis(500);
/// How often temperatures and the battery are looked at.
const SLOW: Duration = Duration::from_secs(10);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(2);
/// Angles that change less have not moved, in radians.
const STILL: f64 = 0.002;

/// As long as it lives, the robot is watched.
pub struct Watch(Arc<Over>);

#[derive(Default)]
struct Over {
    over: Mutex<bool>,
    changed: Condvar,
}

impl Over {
    /// Waits that long, or until it is over; says whether it is.
    fn wait(&self, most: Duration) -> bool {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        *self.changed.wait_timeout_while(over, most, |over| !*over).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for Watch {
    /// The thread is not waited for: it may be waiting for the robot.
    fn drop(&mut self) {
        *self.0.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

impl NaoqiHandle {
    /// Begins to tell what the robot says of itself; joints as well, unless the run samples them already.
    ///
    /// # Errors
    /// There is no thread.
    pub fn watch(&self, joints: bool) -> io::Result<Watch> {
        let over = Arc::<Over>::default();
        let (line, until) = (Arc::downgrade(&self.0), over.clone());
        let thread = std::thread::Builder::new().name("robot-watch".to_owned());
        thread.spawn(move || {
            let mut eye = Eye { line, heard: None, told: HashMap::new(), slow: Instant::now(), joints };
            while eye.look() && !until.wait(JOINTS) {}
        })?;
        Ok(Watch(over))
    }
}

/// A session, and what is heard over it.
struct Heard {
    session: Session,
    memory: Remote,
    _ears: Vec<(Remote, Subscription)>,
}

struct Eye {
    line: Weak<Line>,
    heard: Option<Heard>,
    /// Numbers as they were told last.
    told: HashMap<String, f64>,
    /// When to look at what changes slowly.
    slow: Instant,
    joints: bool,
}

impl Eye {
    /// Looks once; false if there is no robot any more. What it does not answer is not told.
    fn look(&mut self) -> bool {
        let Some(line) = self.line.upgrade() else { return false };
        let Some(session) = line.session() else {
            self.heard = None;
            return true;
        };
        if self.heard.as_ref().is_none_or(|heard| !heard.session.connection().is_same(session.connection())) {
            self.heard = listen(&line, &session);
            self.slow = Instant::now();
        }
        let Some(heard) = &self.heard else { return true };
        if Instant::now() >= self.slow {
            self.slow = Instant::now() + SLOW;
            for (key, value) in slow(&line, &heard.memory) {
                // A degree, or a hundredth of the battery.
                let step = if key.contains("/Temperature/") { 1.0 } else { 0.01 };
                if self.told.get(&key).is_none_or(|last| (last - value).abs() >= step) {
                    tell(&line, &key, Value::Float(value));
                    self.told.insert(key, value);
                }
            }
        }
        if self.joints {
            self.angles(&line);
        }
        true
    }

    fn angles(&mut self, line: &Line) {
        let names = line.facts().joints;
        let answer = line
            .find("ALMotion")
            .and_then(|motion| motion.call_within("getAngles", &["Body".into(), true.into()], ANSWER));
        let Ok(answer) = answer else { return };
        let angles: Vec<f64> = answer.plain().as_slice().unwrap_or_default().iter().filter_map(number).collect();
        if names.is_empty() || angles.len() != names.len() {
            return;
        }
        let moved =
            |(name, angle): (&Arc<str>, &f64)| self.told.get(&**name).is_none_or(|last| (last - angle).abs() >= STILL);
        if names.iter().zip(&angles).any(moved) {
            self.told.extend(names.iter().map(|name| name.to_string()).zip(angles.iter().copied()));
            line.mailbox.put(Effect::Joints(names.into_iter().zip(angles).collect()));
        }
    }
}

fn number(value: &Wire) -> Option<f64> {
    let plain = value.plain();
    plain.as_f64().or_else(|| plain.as_i64().map(|n| n as f64))
}

fn tell(line: &Line, key: &str, value: Value) {
    line.mailbox.put(Effect::Memory(key.into(), value));
}

/// Listens to the events, and tells what is the case already.
fn listen(line: &Arc<Line>, session: &Session) -> Option<Heard> {
    let memory = session.service("ALMemory").ok()?;
    let ear = |key: &&'static str| {
        let given = memory.call_within("subscriber", &[(*key).into()], ANSWER).ok()?;
        let subscriber = object(&given)?;
        let (line, key) = (Arc::downgrade(line), *key);
        let hear = move |args: &[Wire]| {
            if let (Some(line), Some(value)) = (line.upgrade(), args.first()) {
                let value = from_wire(value, &mut super::objects::Passing(&line));
                tell(&line, key, value);
            }
        };
        let listening = subscriber.subscribe("signal", hear).ok()?;
        Some((subscriber, listening))
    };
    let ears = EVENTS.iter().filter_map(ear).collect();
    for (key, value) in list(&memory, STATES.iter().map(|key| (*key).to_owned()).collect()) {
        let value = from_wire(&value, &mut super::objects::Passing(line));
        if value != Value::Null {
            tell(line, &key, value);
        }
    }
    Some(Heard { session: session.clone(), memory, _ears: ears })
}

/// Temperatures of joints and of the head, and the charge of the battery.
fn slow(line: &Line, memory: &Remote) -> Vec<(String, f64)> {
    let joints = line.facts().joints;
    let parts = joints.iter().map(|joint| &**joint).chain(["Head"]);
    let mut keys: Vec<String> =
        parts.map(|part| format!("Device/SubDeviceList/{part}/Temperature/Sensor/Value")).collect();
    keys.push("Device/SubDeviceList/Battery/Charge/Sensor/Value".to_owned());
    list(memory, keys).into_iter().filter_map(|(key, value)| Some((key, number(&value)?))).collect()
}

/// Values of keys; of those that there are none of, nothing.
fn list(memory: &Remote, keys: Vec<String>) -> Vec<(String, Wire)> {
    let asked = Wire::list(keys.iter().map(|key| Wire::from(key.as_str())));
    let answer = memory.call_within("getListData", &[asked], ANSWER);
    let values: Vec<Wire> = answer.ok().and_then(|a| a.plain().as_slice().map(<[_]>::to_vec)).unwrap_or_default();
    if values.len() == keys.len() { keys.into_iter().zip(values).collect() } else { Vec::new() }
}
