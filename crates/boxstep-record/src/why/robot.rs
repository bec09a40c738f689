//! Signs of trouble that the robot reported shortly before a behavior stopped.

use boxstep_trace::{Event, Kind, Recording};
use boxstep_types::{Time, Value};

/// How long before a stop a sign may be its reason.
const BEFORE: Time = Time::from_millis(30_000);
/// The key of the link's state: `up`, `down`, `lost`.
const LINK: &str = "Boxstep/Link";
/// The battery charge, in percent, at or below which it is reported.
const LOW: f64 = 15.0;
/// The temperature, in degrees Celsius, from which a joint is reported: NAOqi reduces the force of its joints there.
const HOT: f64 = 75.0;

/// A sign of trouble that a robot reported.
#[derive(Clone, Debug, PartialEq)]
pub struct Sign {
    /// The number of its event.
    pub n: u64,
    /// When it was reported.
    pub t: Time,
    /// Its kind: `fall`, `chest_button`, `life`, `battery`, `heat`, `link`, `panic_stop`.
    pub what: &'static str,
    /// A description, with the key.
    pub text: String,
}

impl Sign {
    /// Formats the sign, such as `1.200 s before, the robot fell (robotHasFallen)`.
    pub(super) fn line(&self, stop: Time) -> String {
        format!("{} s before, {}", Time(stop.0 - self.t.0), self.text)
    }
}

/// Returns the signs before a stop, the newest of each kind, the latest first.
pub(super) fn signs(recording: &Recording, stop: Time) -> Vec<Sign> {
    let past = |event: &&Event| event.t <= stop;
    let recent = |event: &&Event| event.t.0.saturating_add(BEFORE.0) >= stop.0;
    let backwards = || recording.events.iter().rev();
    let happened = backwards().skip_while(|event| !past(event)).take_while(recent).filter_map(sign);
    // The last report about the battery stays valid, however old it is.
    let charge = backwards().filter(past).filter_map(sign).find(|sign| sign.what == "battery");
    let mut signs: Vec<Sign> = Vec::new();
    for sign in happened.chain(charge) {
        if !signs.iter().any(|known| known.what == sign.what) {
            signs.push(sign);
        }
    }
    signs.retain(|sign| !sign.text.is_empty());
    signs
}

/// Returns why the robot was lost, and the event that says so, if it was.
pub(super) fn lost(recording: &Recording) -> Option<(String, &Event)> {
    let says_so = |event: &&Event| match &event.kind {
        Kind::Event { key, value, .. } | Kind::Memory { key, value: Some(value) } => {
            &**key == LINK && value.as_str() == Some("lost")
        }
        _ => false,
    };
    let gone = recording.events.iter().rev().find(says_so)?;
    let text = match recording.event(gone.n + 1).map(|event| &event.kind) {
        Some(Kind::Warning { text }) => text.to_string(),
        _ => "the robot is lost".to_owned(),
    };
    Some((text, gone))
}

/// Returns the sign that an event is, if it is one. A sign with an empty text means that all is well, which cancels
/// older ones.
fn sign(event: &Event) -> Option<Sign> {
    let made = |what, text: String| Some(Sign { n: event.n, t: event.t, what, text });
    let (Kind::Event { key, value, .. } | Kind::Memory { key, value: Some(value) }) = &event.kind else { return None };
    let key = &**key;
    let number = value.as_f64();
    let is_on = number.is_some_and(|n| n > 0.0) || *value == Value::Bool(true);
    match key {
        "robotHasFallen" if is_on => made("fall", format!("the robot fell ({key})")),
        "ALMotion/RobotIsFalling" if is_on => made("fall", format!("the robot was falling ({key})")),
        "ChestButtonPressed" if is_on => made("chest_button", format!("the chest button was pressed ({key})")),
        _ if key.starts_with("ALChestButton/") => {
            let clicks = if key.contains("Double") {
                "twice"
            } else if key.contains("Triple") {
                "three times"
            } else {
                "once"
            };
            made("chest_button", format!("the chest button was pressed {clicks} ({key})"))
        }
        "AutonomousLife/State" => {
            made("life", format!("Autonomous Life went to {} ({key})", value.as_str().unwrap_or_default()))
        }
        "BatteryChargeChanged" | "Device/SubDeviceList/Battery/Charge/Sensor/Value" => {
            let percent = number? * if key.starts_with("Device") { 100.0 } else { 1.0 };
            let low = percent <= LOW;
            made("battery", if low { format!("the battery was at {percent:.0} % ({key})") } else { String::new() })
        }
        "HotDeviceDetected" | "HotJointDetected" if value.as_list().is_none_or(|all| !all.is_empty()) => {
            made("heat", format!("too hot: {} ({key})", names(value)))
        }
        LINK => match value.as_str()? {
            "down" => made("link", format!("the link to the robot went down ({key})")),
            "up" => made("link", String::new()),
            _ => None,
        },
        "Boxstep/Stop" => made("panic_stop", format!("boxstep stop was called ({key})")),
        _ => {
            let part = key.strip_prefix("Device/SubDeviceList/")?.strip_suffix("/Temperature/Sensor/Value")?;
            let degrees = number.filter(|degrees| *degrees >= HOT)?;
            made("heat", format!("{part} had {degrees:.0} °C ({key})"))
        }
    }
}

fn names(value: &Value) -> String {
    match value.as_list() {
        Some(all) => all.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
        None => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
    }
}
