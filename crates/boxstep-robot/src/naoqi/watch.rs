//! The robot's state for recordings of a run: falls, the chest button, Autonomous Life, battery, temperatures, joints.
//!
//! It is recorded as memory events that have no effect on the behavior, in addition to the behavior's own
//! subscriptions. A separate thread queries and subscribes, so that a slow robot delays nothing but the recording. The
//! names are NAOqi's (`docs/guides/flight-recorder.md`).

use super::NaoqiHandle;
use super::connection::{Connection, object};
use crate::wire::from_wire;
use boxstep_engine::services::Effect;
use boxstep_qi::{Remote, Session, Subscription, Value as Wire};
use boxstep_types::Value;
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

/// The key under which the state of the link is recorded: `up`, `down`, `lost`.
pub const LINK: &str = "Boxstep/Link";

/// The events that are subscribed to.
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

/// The events whose value at the beginning is recorded, too.
const STATES: &[&str] =
    &["AutonomousLife/State", "BatteryChargeChanged", "BatteryPowerPluggedChanged", "robotHasFallen", "robotIsWakeUp"];

/// How often joints are queried.
const JOINTS: Duration = Duration::from_millis(500);
/// How often temperatures and the battery are queried.
const SLOW: Duration = Duration::from_secs(10);
/// The timeout of each query.
const ANSWER: Duration = Duration::from_secs(2);
/// Joints that change by less have not moved, in radians.
const STILL: f64 = 0.002;

/// Records the robot's state until this is dropped.
pub struct Watch(Arc<StopFlag>);

#[derive(Default)]
struct StopFlag {
    over: Mutex<bool>,
    changed: Condvar,
}

impl StopFlag {
    /// Waits for this time, or until the watch ends; returns whether it has ended.
    fn wait(&self, most: Duration) -> bool {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        *self.changed.wait_timeout_while(over, most, |over| !*over).unwrap_or_else(PoisonError::into_inner).0
    }
}

impl Drop for Watch {
    /// Does not wait for the thread, because that may be waiting for the robot.
    fn drop(&mut self) {
        *self.0.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.changed.notify_all();
    }
}

impl NaoqiHandle {
    /// Starts to record the robot's state. `joints`: whether to record joint angles too, which a run that samples them
    /// already does not need.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn watch(&self, joints: bool) -> io::Result<Watch> {
        let over = Arc::<StopFlag>::default();
        let (connection, until) = (Arc::downgrade(&self.0), over.clone());
        let thread = std::thread::Builder::new().name("robot-watch".to_owned());
        thread.spawn(move || {
            let mut watcher =
                Watcher { connection, heard: None, recorded: HashMap::new(), slow: Instant::now(), joints };
            while watcher.poll() && !until.wait(JOINTS) {}
        })?;
        Ok(Watch(over))
    }
}

/// A session, and the subscriptions over it.
struct WatchedSession {
    session: Session,
    memory: Remote,
    _ears: Vec<(Remote, Subscription)>,
}

struct Watcher {
    connection: Weak<Connection>,
    heard: Option<WatchedSession>,
    /// The values that were recorded last.
    recorded: HashMap<String, f64>,
    /// When slowly changing values are queried next.
    slow: Instant,
    joints: bool,
}

impl Watcher {
    /// Queries the robot once; returns false if the connection is dropped. Values that the robot does not answer are
    /// not recorded.
    fn poll(&mut self) -> bool {
        let Some(connection) = self.connection.upgrade() else { return false };
        let Some(session) = connection.session() else {
            self.heard = None;
            return true;
        };
        if self.heard.as_ref().is_none_or(|heard| !heard.session.connection().is_same(session.connection())) {
            self.heard = listen(&connection, &session);
            self.slow = Instant::now();
        }
        let Some(heard) = &self.heard else { return true };
        if Instant::now() >= self.slow {
            self.slow = Instant::now() + SLOW;
            for (key, value) in slow(&connection, &heard.memory) {
                // One degree, or one hundredth of the battery's charge.
                let step = if key.contains("/Temperature/") { 1.0 } else { 0.01 };
                if self.recorded.get(&key).is_none_or(|last| (last - value).abs() >= step) {
                    record(&connection, &key, Value::Float(value));
                    self.recorded.insert(key, value);
                }
            }
        }
        if self.joints {
            self.angles(&connection);
        }
        true
    }

    fn angles(&mut self, connection: &Connection) {
        let names = connection.facts().joints;
        let answer = connection
            .find("ALMotion")
            .and_then(|motion| motion.call_within("getAngles", &["Body".into(), true.into()], ANSWER));
        let Ok(answer) = answer else { return };
        let angles: Vec<f64> = answer.plain().as_slice().unwrap_or_default().iter().filter_map(number).collect();
        if names.is_empty() || angles.len() != names.len() {
            return;
        }
        let moved = |(name, angle): (&Arc<str>, &f64)| {
            self.recorded.get(&**name).is_none_or(|last| (last - angle).abs() >= STILL)
        };
        if names.iter().zip(&angles).any(moved) {
            self.recorded.extend(names.iter().map(|name| name.to_string()).zip(angles.iter().copied()));
            connection.mailbox.put(Effect::Joints(names.into_iter().zip(angles).collect()));
        }
    }
}

fn number(value: &Wire) -> Option<f64> {
    let plain = value.plain();
    plain.as_f64().or_else(|| plain.as_i64().map(|n| n as f64))
}

fn record(connection: &Connection, key: &str, value: Value) {
    connection.mailbox.put(Effect::Memory(key.into(), value));
}

/// Subscribes to the events, and records the current values.
fn listen(connection: &Arc<Connection>, session: &Session) -> Option<WatchedSession> {
    let memory = session.service("ALMemory").ok()?;
    let ear = |key: &&'static str| {
        let given = memory.call_within("subscriber", &[(*key).into()], ANSWER).ok()?;
        let subscriber = object(&given)?;
        let (connection, key) = (Arc::downgrade(connection), *key);
        let hear = move |args: &[Wire]| {
            if let (Some(connection), Some(value)) = (connection.upgrade(), args.first()) {
                let value = from_wire(value, &mut super::objects::Passing(&connection));
                record(&connection, key, value);
            }
        };
        let listening = subscriber.subscribe("signal", hear).ok()?;
        Some((subscriber, listening))
    };
    let ears = EVENTS.iter().filter_map(ear).collect();
    for (key, value) in list(&memory, STATES.iter().map(|key| (*key).to_owned()).collect()) {
        let value = from_wire(&value, &mut super::objects::Passing(connection));
        if value != Value::Null {
            record(connection, &key, value);
        }
    }
    Some(WatchedSession { session: session.clone(), memory, _ears: ears })
}

/// Returns the temperatures of the joints and the head in °C, and the charge of the battery as a fraction.
fn slow(connection: &Connection, memory: &Remote) -> Vec<(String, f64)> {
    let joints = connection.facts().joints;
    let parts = joints.iter().map(|joint| &**joint).chain(["Head"]);
    let mut keys: Vec<String> =
        parts.map(|part| format!("Device/SubDeviceList/{part}/Temperature/Sensor/Value")).collect();
    keys.push("Device/SubDeviceList/Battery/Charge/Sensor/Value".to_owned());
    list(memory, keys).into_iter().filter_map(|(key, value)| Some((key, number(&value)?))).collect()
}

/// Returns the values of keys; empty if the robot does not answer with one for each.
fn list(memory: &Remote, keys: Vec<String>) -> Vec<(String, Wire)> {
    let asked = Wire::list(keys.iter().map(|key| Wire::from(key.as_str())));
    let answer = memory.call_within("getListData", &[asked], ANSWER);
    let values: Vec<Wire> = answer.ok().and_then(|a| a.plain().as_slice().map(<[_]>::to_vec)).unwrap_or_default();
    if values.len() == keys.len() { keys.into_iter().zip(values).collect() } else { Vec::new() }
}
