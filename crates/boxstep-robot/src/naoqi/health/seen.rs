//! What a robot has said of its health. What it has not said, or said in another form than expected, is missing.

use boxstep_bodies::BodyKind;
use std::collections::BTreeMap;

/// What is known of a robot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seen {
    /// Its own name.
    pub name: Option<String>,
    /// The version of its NAOqi.
    pub version: Option<String>,
    /// The kind of its body.
    pub kind: Option<BodyKind>,
    /// The charge of its battery in percent.
    pub charge: Option<i64>,
    /// Whether it is plugged in. NAOqi infers this for some batteries, and may be wrong.
    pub plugged: Option<bool>,
    /// The voltage of its battery in V.
    pub voltage: Option<f64>,
    /// The temperature of its battery in °C.
    pub battery_temperature: Option<f64>,
    /// How hot the battery is: 0 (regular) to 3 (critical).
    pub battery_heat: Option<i64>,
    /// Its joints.
    pub joints: Vec<Joint>,
    /// The result of the tests when it was last woken up.
    pub active: Option<Diagnosis>,
    /// The result of the tests that run all the time.
    pub passive: Option<Diagnosis>,
    /// The space for the files of its user.
    pub disk: Option<Disk>,
    /// How far its clock is ahead of this computer's, in seconds.
    pub clock: Option<i64>,
    /// Why its files could not be asked, if that was tried.
    pub files: Option<String>,
    /// The languages that it speaks.
    pub voices: Option<Vec<String>>,
    /// The languages that it understands.
    pub ears: Option<Vec<String>>,
    /// Whether it protects itself when it falls.
    pub fall_manager: Option<bool>,
    /// Whether it lowers the force of motors that stand still.
    pub smart_stiffness: Option<bool>,
    /// Whether it reacts to defective parts.
    pub diagnosis_effect: Option<bool>,
    /// The state of its network: `online`, `ready`, `offline`.
    pub network: Option<String>,
    /// Networks that it could not connect to, and why.
    pub failed_networks: Vec<(String, String)>,
    /// Its packages and their versions.
    pub packages: Option<BTreeMap<String, String>>,
}

/// A joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joint {
    /// Its name.
    pub name: String,
    /// Its temperature in °C, which the robot calculates from its current.
    pub temperature: Option<f64>,
    /// How hot it is: 0 (regular), 1 (at its limit), 2 (very hot), 3 (critical: switched off).
    pub heat: Option<i64>,
    /// Its stiffness, from 0 to 1.
    pub stiffness: Option<f64>,
    /// Its angle, in rad.
    pub angle: Option<f64>,
    /// The angle that it was commanded, in rad.
    pub command: Option<f64>,
    /// Its current in A.
    pub current: Option<f64>,
    /// It has not moved and was not commanded between two looks at it.
    pub still: bool,
}

/// A result of the robot's own diagnosis: only the highest severity is told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagnosis {
    /// 0 negligible, 1 serious, 2 critical.
    pub severity: i64,
    /// The parts that have failed.
    pub parts: Vec<String>,
}

/// Space on a disk, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disk {
    /// All of it.
    pub size: u64,
    /// What is free.
    pub free: u64,
}

impl Disk {
    /// Returns how full it is in percent.
    #[allow(clippy::cast_precision_loss, reason = "a percentage")]
    pub fn percent_full(&self) -> f64 {
        let used = self.size.saturating_sub(self.free);
        if self.size == 0 { 0.0 } else { used as f64 * 100.0 / self.size as f64 }
    }
}

impl Seen {
    /// Returns the warmest joint.
    pub fn warmest(&self) -> Option<(&str, f64)> {
        let warm = self.joints.iter().filter_map(|joint| Some((joint.name.as_str(), joint.temperature?)));
        warm.max_by(|a, b| a.1.total_cmp(&b.1))
    }
}
