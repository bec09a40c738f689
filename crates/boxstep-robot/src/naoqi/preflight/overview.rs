//! What a robot is, at a glance.

use super::judge::judge;
use super::observe::observe_session;
use super::{Permissions, Report, Requirements};
use boxstep_bodies::BodyKind;
use boxstep_qi::{Session, Value};
use std::collections::BTreeSet;
use std::time::Duration;

/// What a robot is and does. What it has not said in time is missing.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The version of NAOqi.
    pub version: Option<String>,
    /// The robot's own name for its model.
    pub model: Option<String>,
    /// The body that this means.
    pub body: Option<BodyKind>,
    /// The charge of the battery, in percent.
    pub battery: Option<i64>,
    /// The behaviors that run, except those that always run.
    pub running: Option<Vec<String>>,
    /// The names of its services.
    pub services: Option<BTreeSet<String>>,
    /// The facts, for a behavior that may do anything.
    pub report: Report,
}

/// Queries a robot over one session, in two rounds that take this time at most, and changes nothing.
pub fn overview(session: &Session, within: Duration) -> Overview {
    let needs = Requirements::anything();
    let seen = observe_session(session, &needs, within);
    let (model, body) = seen.model().unzip();
    Overview {
        version: seen.answer("ALSystem", "systemVersion").and_then(Value::as_str).map(str::to_owned),
        model,
        body: body.flatten(),
        battery: seen.answer("ALBattery", "getBatteryCharge").and_then(Value::as_i64),
        running: seen.running(),
        report: judge(&seen, &needs, &Permissions::default(), &[]),
        services: seen.services.ok(),
    }
}
