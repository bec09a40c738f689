//! What is kept of a robot for a day: a line of JSON.

use boxstep_robot::naoqi::health::{Disk, Finding, Seen, Severity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A day of a robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Day {
    /// The day, such as `2026-11-27`, in universal time.
    pub(super) day: String,
    /// The time of the report.
    pub(super) at: String,
    /// The robot, as the user names it.
    pub(super) robot: String,
    /// Why it has said nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) off: Option<String>,
    /// Its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) naoqi: Option<String>,
    /// The charge in percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) charge: Option<i64>,
    /// Whether it is plugged in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) plugged: Option<bool>,
    /// The voltage of the battery in V.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) voltage: Option<f64>,
    /// The temperatures of the motors in °C.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) temperatures: BTreeMap<String, f64>,
    /// The size of the disk and what is free, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) disk: Option<(u64, u64)>,
    /// The packages and their versions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) packages: Option<BTreeMap<String, String>>,
    /// The languages that it speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) languages: Option<Vec<String>>,
    /// What `boxstep doctor` says of its health.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) health: Vec<Line>,
}

/// A finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Line {
    pub(super) about: String,
    pub(super) severity: String,
    pub(super) value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) help: Option<String>,
}

impl Line {
    fn new(finding: Finding) -> Line {
        let (about, severity) = (finding.topic.id().to_owned(), finding.severity.id().to_owned());
        Line { about, severity, value: finding.value, why: finding.why, help: finding.help }
    }

    pub(super) fn severity(&self) -> Severity {
        let all = [Severity::Good, Severity::Look, Severity::Broken];
        all.into_iter().find(|severity| severity.id() == self.severity).unwrap_or(Severity::Unknown)
    }
}

impl Day {
    /// The day of a robot that says nothing.
    pub(super) fn off(robot: &str, at: i64, why: String) -> Day {
        let at = boxstep_types::calendar::rfc3339(at);
        let day = at.split('T').next().unwrap_or_default().to_owned();
        Day { day, at, robot: robot.to_owned(), off: Some(why), ..Day::default() }
    }

    /// The day of a robot that has said this.
    pub(super) fn of(robot: &str, at: i64, seen: Seen, findings: Vec<Finding>) -> Day {
        let temperatures = seen.joints.into_iter().filter_map(|joint| Some((joint.name, rounded(joint.temperature?))));
        Day {
            off: None,
            name: seen.name,
            naoqi: seen.version,
            charge: seen.charge,
            plugged: seen.plugged,
            voltage: seen.voltage.map(rounded),
            temperatures: temperatures.collect(),
            disk: seen.disk.map(|disk| (disk.size, disk.free)),
            packages: seen.packages,
            languages: seen.voices,
            // What is not known without SSH is not news every day.
            health: findings.into_iter().filter(|f| f.severity != Severity::Unknown).map(Line::new).collect(),
            ..Day::off(robot, at, String::new())
        }
    }

    /// Takes over what an earlier report of the same day says and this one does not: a robot that is about to go off answers
    /// less.
    pub(super) fn keep(&mut self, before: Day) {
        if self.off.is_some() || before.off.is_some() {
            return;
        }
        self.name = self.name.take().or(before.name);
        self.naoqi = self.naoqi.take().or(before.naoqi);
        self.charge = self.charge.or(before.charge);
        self.plugged = self.plugged.or(before.plugged);
        self.voltage = self.voltage.or(before.voltage);
        self.disk = self.disk.or(before.disk);
        self.packages = self.packages.take().or(before.packages);
        self.languages = self.languages.take().or(before.languages);
        if self.temperatures.is_empty() {
            self.temperatures = before.temperatures;
        }
        let told = |about: &str| self.health.iter().any(|line| line.about == about);
        let untold: Vec<Line> = before.health.into_iter().filter(|line| !told(&line.about)).collect();
        self.health.extend(untold);
    }

    /// Returns the number of the day since 1970; a line of another hand may have none.
    pub(super) fn number(&self) -> Option<i64> {
        boxstep_types::calendar::parse_epoch(&self.day).ok().map(|seconds| seconds.div_euclid(86_400))
    }

    /// Returns how full the disk is in percent.
    pub(super) fn full(&self) -> Option<f64> {
        self.disk.map(|(size, free)| Disk { size, free }.percent_full())
    }

    /// Returns the warmest motor.
    pub(super) fn warmest(&self) -> Option<(&str, f64)> {
        let warm = self.temperatures.iter().map(|(name, degrees)| (name.as_str(), *degrees));
        warm.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Returns the worst severity.
    pub(super) fn worst(&self) -> Severity {
        self.health.iter().map(Line::severity).max().unwrap_or(Severity::Unknown)
    }

    /// Says in a line how the robot is.
    pub(super) fn summary(&self) -> String {
        if let Some(why) = &self.off {
            return format!("off ({why})");
        }
        let plugged = if self.plugged == Some(true) { ", plugged in" } else { "" };
        let parts = [
            self.charge.map(|charge| format!("{charge} %{plugged}")),
            self.warmest().map(|(name, degrees)| format!("warmest motor {degrees:.0} °C ({name})")),
            self.full().map(|full| format!("disk {:.0} % full", full.floor())),
            self.naoqi.as_ref().map(|version| format!("NAOqi {version}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Rounds to a tenth.
fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
