//! Judges the samples of the robot's joints and memory.

use super::{Difference, Focus, JudgedRun, at_time};
use crate::expect::{Expect, Joint};
use boxstep_trace::Kind;
use boxstep_types::meant;

impl JudgedRun<'_> {
    pub(super) fn joints(&self, expect: &Expect, found: &mut Vec<Difference>) {
        for wanted in &expect.joints {
            let joint = wanted.get_ref();
            let seen = self.latest(joint.at, |e| match &e.kind {
                Kind::Joints { angles, .. } => Some(angles.clone()),
                _ => None,
            });
            let when = joint.at.map_or(" at the end".to_owned(), |_| at_time(joint.at));
            let (target, tolerance, unit) = target(joint);
            let expected = format!("{} at {target}{unit}{when} (± {tolerance})", joint.name);
            let Some((angles, n)) = seen else {
                let nothing = "the robot does not tell its joints".to_owned();
                found.push(self.differs(&wanted.span(), expected, nothing, Focus::End));
                continue;
            };
            let Some((_, angle)) = angles.iter().find(|(name, _)| **name == *joint.name) else {
                let near = meant(&joint.name, angles.iter().map(|(name, _)| &**name));
                let near = near.map(|n| format!("; {n}")).unwrap_or_default();
                let nothing = format!("the body has no joint {}{near}", joint.name);
                found.push(self.differs(&wanted.span(), expected, nothing, Focus::Event(n)));
                continue;
            };
            let angle = if joint.degrees.is_some() { angle.to_degrees() } else { *angle };
            // Allows for rounding: a deviation that equals the tolerance is accepted.
            if (angle - target).abs() > tolerance + 1e-9 {
                let came = format!("{angle:.3}{unit}");
                found.push(self.differs(&wanted.span(), expected, came, Focus::Event(n)));
            }
        }
    }

    pub(super) fn memory(&self, expect: &Expect, found: &mut Vec<Difference>) {
        for wanted in &expect.memory {
            let memory = wanted.get_ref();
            let seen = self.latest(memory.at, |e| match &e.kind {
                Kind::Memory { key, value } if **key == *memory.key => Some(value.clone()),
                _ => None,
            });
            let (value, focus) = match seen {
                Some((value, n)) => (value, Focus::Event(n)),
                None => (None, Focus::End),
            };
            let right = match (&memory.value, &value) {
                (Some(wanted), Some(value)) => wanted.0.alike(value),
                (None, None) => true,
                _ => false,
            };
            if !right {
                let when = memory.at.map_or(" at the end".to_owned(), |_| at_time(memory.at));
                let word = |value: Option<String>| value.map_or("no value".to_owned(), |v| v);
                let expected = word(memory.value.as_ref().map(|v| v.0.to_string()));
                let expected = format!("{expected} in the memory under {}{when}", memory.key);
                found.push(self.differs(&wanted.span(), expected, word(value.map(|v| v.to_string())), focus));
            }
        }
    }
}

/// Returns the expected angle, the tolerance, and the unit.
pub(crate) fn target(joint: &Joint) -> (f64, f64, &'static str) {
    match (joint.degrees, joint.radians, joint.value) {
        (Some(degrees), ..) => (degrees, joint.tolerance.unwrap_or(0.5), "°"),
        (_, Some(radians), _) => (radians, joint.tolerance.unwrap_or(0.01), " rad"),
        (_, _, value) => (value.unwrap_or_default(), joint.tolerance.unwrap_or(0.01), ""),
    }
}
