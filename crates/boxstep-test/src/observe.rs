//! What a run did, in the form of expectations: for `boxstep test --bless`.

mod write;

use crate::Test;
use crate::judge::{speech, target};
use boxstep_trace::{EndReason, Kind, Recording};
use boxstep_types::{PORTS, Time, Value};
use serde::{Deserialize, Serialize};
use toml::Spanned;

pub use write::{Blessed, bless};

/// What a run did. The process that plays sends it as JSON to the process that writes the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// How it ended, as traces print it.
    pub reason: String,
    /// When it ended, in nanoseconds.
    pub t: i64,
    /// What the robot said.
    pub said: Vec<String>,
    /// The calls as `SERVICE.METHOD`, in order.
    pub calls: Vec<String>,
    /// The outputs of the root: name, JSON of the value, and time in nanoseconds.
    pub outputs: Vec<(String, String, i64)>,
    /// The path of the root.
    pub root: String,
    /// The angle of each expected joint, in the unit of the expectation; `None` if it is near enough or not known.
    pub joints: Vec<Option<f64>>,
    /// The JSON of each expected memory value; `None` if there is no value.
    pub memory: Vec<Option<String>>,
}

impl Observed {
    /// Collects what the run of a test did.
    pub fn new(test: &Test, root: &str, run: &Recording) -> Self {
        let footer = run.footer.as_ref();
        let of_root = run.events.iter().filter(|e| run.path(e) == root);
        let outputs = of_root.filter_map(|e| match &e.kind {
            Kind::Output { port, value } => Some((port.to_string(), value.to_string(), e.t.0)),
            _ => None,
        });
        let calls = run.events.iter().filter_map(|e| match &e.kind {
            // Calls of the script runtime itself are not part of an expectation.
            Kind::Service(asked) if *asked.service != *PORTS => Some(format!("{}.{}", asked.service, asked.method)),
            _ => None,
        });
        Self {
            reason: footer.map_or(EndReason::Interrupted, |f| f.reason).name().to_owned(),
            t: footer.map_or(Time::ZERO, |f| f.t).0,
            said: run.events.iter().filter_map(speech).map(str::to_owned).collect(),
            calls: calls.collect(),
            outputs: outputs.collect(),
            root: root.to_owned(),
            joints: joints(test, run),
            memory: memory(test, run),
        }
    }
}

fn joints(test: &Test, run: &Recording) -> Vec<Option<f64>> {
    let joints = test.expect.iter().flat_map(|e| &e.joints).map(Spanned::get_ref);
    let seen = |joint: &crate::expect::Joint| {
        let before = run.events.iter().rev().filter(|e| joint.at.is_none_or(|at| e.t <= at.0));
        let angles = before
            .filter_map(|e| if let Kind::Joints { angles, .. } = &e.kind { Some(angles) } else { None })
            .next()?;
        let angle = angles.iter().find(|(name, _)| **name == *joint.name)?.1;
        Some(if joint.degrees.is_some() { angle.to_degrees() } else { angle })
    };
    // An angle within the tolerance stays as it is written.
    let moved = |joint: &crate::expect::Joint| {
        let (wanted, tolerance, _) = target(joint);
        seen(joint).filter(|angle| (angle - wanted).abs() > tolerance)
    };
    joints.map(moved).collect()
}

fn memory(test: &Test, run: &Recording) -> Vec<Option<String>> {
    let memory = test.expect.iter().flat_map(|e| &e.memory).map(Spanned::get_ref);
    let seen = |m: &crate::expect::Memory| {
        let before = run.events.iter().rev().filter(|e| m.at.is_none_or(|at| e.t <= at.0));
        let mut values = before.filter_map(|e| match &e.kind {
            Kind::Memory { key, value } if **key == *m.key => Some(value.clone()),
            _ => None,
        });
        values.next().flatten()
    };
    memory.map(|m| seen(m).as_ref().map(Value::to_string)).collect()
}
