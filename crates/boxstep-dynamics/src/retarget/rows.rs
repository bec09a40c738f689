//! What each joint should do at its keys, and does.

use super::Retarget;
use super::matching::{Match, Matching};
use super::time::Frames;
use super::track::Track;
use super::trunk::Lean;
use boxstep_bodies::JointKind;
use boxstep_format::model::ActuatorList;
use boxstep_motion::Curve;

/// What the values of a row are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// An angle, in radians.
    Angle,
    /// A hand, from 0 to 1.
    Hand,
    /// A distance, in metres.
    Distance,
}

/// A key: what it should do, and does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyError {
    /// The frame in the old timeline.
    pub old: i32,
    /// The frame in the new one.
    pub new: i32,
    /// The value that corresponds to that of the old body.
    pub wanted: f64,
    /// The value that it has.
    pub given: f64,
}

/// What a joint, a hand or the torso should do, and does.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The joint; or `left hand`, `right hand`, `torso forward`, `torso sideways`.
    pub what: &'static str,
    /// What its values are.
    pub quantity: Quantity,
    /// The curves of the old timeline from which it comes.
    pub from: Vec<String>,
    /// Its keys.
    pub keys: Vec<KeyError>,
    /// The largest factor by which the time between two of its keys is longer.
    pub slower: f64,
}

impl Row {
    /// Returns the largest error of its keys.
    pub fn error(&self) -> f64 {
        self.keys.iter().map(|key| (key.given - key.wanted).abs()).fold(0.0, f64::max)
    }
}

/// What is calculated instead of copied.
#[derive(Debug, Default)]
pub(super) struct Calculated {
    /// For the hand of a side and a frame, how far it is from where it should be.
    pub(super) hands: Vec<(usize, i32, f64)>,
    /// How the torso should lean at a frame.
    pub(super) leans: Vec<(i32, Lean)>,
    /// The first frame at which the old robot does not stand.
    pub(super) seated: Option<i32>,
}

impl Calculated {
    /// Adds the tracks of these joints, without those that do not move.
    pub(super) fn add(&self, tracks: &mut Vec<Track>, joints: &[usize], found: &[(i32, Vec<f64>)]) {
        for joint in joints {
            let keys = found.iter().filter_map(|(frame, angles)| Some((*frame, *angles.get(*joint)?)));
            if found.is_empty() || tracks.iter().any(|track| track.joint == *joint && !track.muted) {
                continue;
            }
            tracks.push(Track::calculated(*joint, keys));
        }
    }
}

impl Retarget<'_> {
    pub(super) fn rows(
        &self,
        list: &ActuatorList,
        tracks: &[Track],
        calculated: &Calculated,
        frames: &Frames,
    ) -> Vec<Row> {
        let to = self.matching.to;
        let key = |old: i32, wanted: f64, given: f64| KeyError { old, new: frames.at(old), wanted, given };
        let played = || tracks.iter().filter(|track| !track.muted && !track.keys.is_empty());
        let joints = played().filter_map(|track| {
            let joint = to.body.joints.get(track.joint)?;
            let of = track.of.and_then(|of| list.curves.get(of)).map(|curve| curve.actuator.to_string());
            let keys = track.keys.iter().zip(&track.wanted);
            let keys: Vec<KeyError> =
                keys.map(|(given, wanted)| key(given.time as i32, *wanted, given.value)).collect();
            let quantity = if joint.kind == JointKind::Hand { Quantity::Hand } else { Quantity::Angle };
            let slower = slower(&keys);
            Some(Row { what: joint.name, quantity, from: of.into_iter().collect(), keys, slower })
        });
        let mut rows: Vec<Row> = joints.collect();
        for (side, what) in ["left hand", "right hand"].into_iter().enumerate() {
            let keys = calculated.hands.iter().filter(|hand| hand.0 == side).map(|(_, old, off)| key(*old, 0.0, *off));
            rows.extend(row(what, Quantity::Distance, &self.matching, list, Match::Arm(side), keys.collect()));
        }
        let curves: Vec<(usize, Curve)> =
            played().filter_map(|track| Some((track.joint, Curve::new(&track.keys).ok()?))).collect();
        let leans = calculated.leans.iter().filter_map(|(frame, wanted)| {
            let mut angles = to.awake();
            for (joint, curve) in &curves {
                *angles.get_mut(*joint)? = curve.sample(f64::from(*frame));
            }
            Some((*frame, *wanted, Lean::of(to, &angles)?))
        });
        let leans: Vec<(i32, Lean, Lean)> = leans.collect();
        for (at, what) in ["torso forward", "torso sideways"].into_iter().enumerate() {
            let of = |lean: &Lean| if at == 0 { lean.pitch } else { lean.roll };
            let keys = leans.iter().map(|(old, wanted, given)| key(*old, of(wanted), of(given))).collect();
            rows.extend(row(what, Quantity::Angle, &self.matching, list, Match::Trunk, keys));
        }
        rows
    }
}

fn row(
    what: &'static str,
    quantity: Quantity,
    matching: &Matching<'_>,
    list: &ActuatorList,
    found: Match,
    keys: Vec<KeyError>,
) -> Option<Row> {
    let of = list.curves.iter().filter(|curve| !curve.mute && matching.of(&curve.actuator) == found);
    let from = of.map(|curve| curve.actuator.to_string()).collect();
    let slower = slower(&keys);
    (!keys.is_empty()).then_some(Row { what, quantity, from, keys, slower })
}

fn slower(keys: &[KeyError]) -> f64 {
    let factor = |pair: &[KeyError]| match pair {
        [a, b] if b.old > a.old => (f64::from(b.new) - f64::from(a.new)) / (f64::from(b.old) - f64::from(a.old)),
        _ => 1.0,
    };
    keys.windows(2).map(factor).fold(1.0, f64::max)
}
