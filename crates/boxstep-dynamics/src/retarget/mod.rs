//! Timelines for another body: each curve moves the joint that means the same, within its limits and at the speed of
//! its motor. `docs/guides/retarget.md` has the rules.
//!
//! ```
//! use boxstep_bodies::BodyKind;
//! use boxstep_dynamics::{Model, retarget::Retarget};
//! let (nao, pepper) = (Model::new(BodyKind::Nao.body()), Model::new(BodyKind::Pepper.body()));
//! let to_pepper = Retarget::new(&nao, &pepper);
//! assert!(to_pepper.joint("HeadYaw").is_some_and(|joint| joint == "HeadYaw"));
//! assert_eq!(to_pepper.joint("LKneePitch"), None, "the legs move the torso, and no joint by itself does");
//! ```

mod arms;
mod fit;
mod matching;
mod roles;
mod rows;
mod time;
mod track;
mod trunk;
mod written;

pub use rows::{KeyError, Quantity, Row};
pub use time::{Frames, Stretch};

use crate::{Model, Trajectory};
use boxstep_bodies::CurveRule;
use boxstep_format::model::{ActuatorCurve, Timeline};
use boxstep_motion::{Key, Tangent, Unit};
use matching::{Match, Matching};
use rows::Calculated;
use std::collections::BTreeSet;
use std::sync::Arc;
use track::{EXCESS, Track};
use trunk::Lean;

/// The most steps between two keys of an arm.
const STEPS: i64 = 30;
/// The frames per second of a timeline that has none.
const DEFAULT_FPS: i32 = 25;

/// What becomes of the curves that carry the torso.
enum Torso {
    /// Those of the new body do what they did.
    Moves,
    /// It stays upright, as the new robot stands anyway.
    Upright,
    /// Nothing: the timeline has curves of the new body for it, or the old robot does not stand.
    Nothing,
}

/// Makes timelines of one body fit another one.
#[derive(Debug)]
pub struct Retarget<'m> {
    matching: Matching<'m>,
}

/// A timeline that fits another body.
#[derive(Clone, Debug, PartialEq)]
pub struct Retargeted {
    /// The new timeline. Elements that were in the old one have the spans that they have there.
    pub timeline: Timeline,
    /// Where the old frames are now.
    pub frames: Frames,
    /// Where time is stretched.
    pub stretches: Vec<Stretch>,
    /// What each joint should do, and does.
    pub rows: Vec<Row>,
    /// The curves to which nothing corresponds.
    pub left_out: Vec<Arc<str>>,
    /// The curves that keep the torso as upright as the new robot has it when it stands: they need no curve there.
    pub upright: Vec<Arc<str>>,
    /// The first frame at which the old robot does not stand; the new one stays upright there.
    pub seated: Option<i32>,
}

impl<'m> Retarget<'m> {
    /// Compares two bodies.
    pub fn new(from: &'m Model, to: &'m Model) -> Self {
        Self { matching: Matching::new(from, to) }
    }

    /// Returns the joint of the new body that a curve of this name moves by itself.
    pub fn joint(&self, actuator: &str) -> Option<&'static str> {
        match self.matching.of(actuator) {
            Match::Joint(rule) => Some(rule.joint),
            _ => None,
        }
    }

    /// Makes a timeline fit. `None` if it has no curves.
    pub fn timeline(&self, timeline: &Timeline) -> Option<Retargeted> {
        let list = timeline.actuators.as_ref().filter(|list| !list.curves.is_empty())?;
        let (from, to) = (self.matching.from, self.matching.to);
        let fps = f64::from(timeline.fps.filter(|fps| *fps > 0).unwrap_or(DEFAULT_FPS));
        let matches: Vec<Match> = list.curves.iter().map(|curve| self.matching.of(&curve.actuator)).collect();
        let mut tracks: Vec<Track> = Vec::new();
        let mut left_out: Vec<Arc<str>> = Vec::new();
        let plays = |curve: &ActuatorCurve| !curve.mute && !curve.keys.is_empty();
        for (at, (curve, found)) in list.curves.iter().zip(&matches).enumerate() {
            let track = match found {
                Match::Joint(rule) => self.track(at, curve, rule),
                Match::Arm(_) | Match::Trunk => continue,
                Match::Nothing => None,
            };
            let other = |one: &Track| {
                let of = one.of.and_then(|of| list.curves.get(of));
                track.as_ref().is_some_and(|track| track.joint == one.joint)
                    && of.is_some_and(|of| of.actuator != curve.actuator)
            };
            match track {
                Some(track) if !tracks.iter().any(other) => tracks.push(track),
                _ if plays(curve) => left_out.push(curve.actuator.clone()),
                _ => {}
            }
        }
        let of_kind = |wanted: fn(&Match) -> bool| {
            let of = list.curves.iter().zip(&matches);
            of.filter(move |(curve, found)| wanted(found) && plays(curve)).map(|(curve, _)| curve)
        };
        let frames_of = |wanted: Match| -> BTreeSet<i32> {
            let of = list.curves.iter().zip(&matches).filter(|(curve, found)| **found == wanted && plays(curve));
            of.flat_map(|(curve, _)| &curve.keys).map(|key| key.frame).collect()
        };
        let mut calculated = Calculated::default();
        let mut upright: Vec<Arc<str>> = Vec::new();
        if let Some(trajectory) = &from.trajectory(timeline) {
            for side in 0..self.matching.arms.len() {
                self.arm(side, &frames_of(Match::Arm(side)), trajectory, &mut tracks, &mut calculated);
            }
            let of_trunk = of_kind(|found| *found == Match::Trunk).map(|curve| curve.actuator.clone());
            match self.trunk(&frames_of(Match::Trunk), trajectory, &mut tracks, &mut calculated) {
                Torso::Moves => {}
                Torso::Upright => upright.extend(of_trunk),
                Torso::Nothing => left_out.extend(of_trunk),
            }
        } else {
            let of = of_kind(|found| matches!(found, Match::Arm(_) | Match::Trunk));
            left_out.extend(of.map(|curve| curve.actuator.clone()));
        }
        fit::within_limits(&mut tracks, to);
        let (frames, stretches) = time::stretch(&tracks, &written::fixed_frames(timeline), fps, to);
        let rows = self.rows(list, &tracks, &calculated, &frames);
        let timeline = written::timeline(timeline, &tracks, &frames, to);
        Some(Retargeted { timeline, frames, stretches, rows, left_out, upright, seated: calculated.seated })
    }

    /// Returns the keys of a curve that moves one joint.
    fn track(&self, at: usize, curve: &ActuatorCurve, rule: &CurveRule) -> Option<Track> {
        let joint = self.matching.to.body.joint_index(rule.joint)?;
        let own = self.matching.from.body.joint(&curve.actuator);
        let scale = Unit::from(curve.unit).scale(&curve.actuator);
        // The old robot stops at its limits.
        let reached = |value: f64| match own {
            Some(own) if value > own.max + EXCESS => own.max,
            Some(own) if value < own.min - EXCESS => own.min,
            _ => value,
        };
        let mut keys: Vec<(usize, Key)> = Vec::new();
        let mut order: Vec<usize> = (0..curve.keys.len()).collect();
        order.sort_by_key(|key| curve.keys.get(*key).map(|key| key.frame));
        for number in order {
            let key = Key::from(curve.keys.get(number)?);
            let turned = |tangent: Tangent| Tangent { dy: tangent.dy * scale * rule.scale, ..tangent };
            let value = rule.value(reached(key.value * scale));
            let key = Key { value, left: turned(key.left), right: turned(key.right), ..key };
            // Of several keys at a frame the last one counts.
            match keys.last_mut() {
                Some(last) if last.1.time == key.time => *last = (number, key),
                _ => keys.push((number, key)),
            }
        }
        let (keys_of, keys): (Vec<usize>, Vec<Key>) = keys.into_iter().unzip();
        let wanted = keys.iter().map(|key| key.value).collect();
        let source_speed = own.map_or(f64::INFINITY, |own| own.max_speed * rule.scale.abs());
        Some(Track { joint, of: Some(at), keys_of, muted: curve.mute, keys, wanted, source_speed })
    }

    /// Calculates the keys of an arm at these frames.
    fn arm(
        &self,
        side: usize,
        frames: &BTreeSet<i32>,
        trajectory: &Trajectory<'_>,
        tracks: &mut Vec<Track>,
        calculated: &mut Calculated,
    ) {
        let Some([arm, other]) = self.matching.arms.get(side).and_then(Option::as_ref) else { return };
        let mut angles = self.matching.to.awake();
        let mut found: Vec<(i32, Vec<f64>)> = Vec::new();
        let mut before: Option<i32> = None;
        for frame in frames {
            // A large way is followed in steps, since a search that starts far away may end beside the place.
            let way = before.map_or(0, |before| i64::from(*frame) - i64::from(before));
            let steps = way.clamp(1, STEPS);
            for step in (0..steps).rev() {
                let at = f64::from(*frame) - (way * step) as f64 / steps as f64;
                let Some(directions) = arm.directions(&trajectory.at(at)) else { continue };
                let off = other.follow(&directions, &mut angles, before.is_none());
                if step == 0 {
                    calculated.hands.push((side, *frame, off));
                    found.push((*frame, angles.clone()));
                }
            }
            before = Some(*frame);
        }
        calculated.add(tracks, &other.joints, &found);
    }

    /// Calculates the keys of what carries the torso.
    fn trunk(
        &self,
        frames: &BTreeSet<i32>,
        trajectory: &Trajectory<'_>,
        tracks: &mut Vec<Track>,
        calculated: &mut Calculated,
    ) -> Torso {
        let Some([old, trunk]) = &self.matching.trunk else { return Torso::Moves };
        // A timeline that was drawn for both robots has the new one's own curves.
        if tracks.iter().any(|track| !track.muted && trunk.joints().contains(&track.joint)) {
            return Torso::Nothing;
        }
        let awake = Lean::of(self.matching.to, &self.matching.to.awake()).unwrap_or_default();
        let leans = frames.iter().map(|frame| {
            let posture = trajectory.at(f64::from(*frame));
            let lean = Lean::of(self.matching.from, &posture).filter(|_| old.stands(&posture));
            if lean.is_none() {
                calculated.seated = calculated.seated.or(Some(*frame));
            }
            (*frame, lean.unwrap_or(awake))
        });
        calculated.leans = leans.collect();
        if trunk::is_upright(&calculated.leans, awake) {
            calculated.leans.clear();
            return if calculated.seated.is_none() { Torso::Upright } else { Torso::Nothing };
        }
        let mut angles = self.matching.to.awake();
        let mut found: Vec<(i32, Vec<f64>)> = Vec::new();
        for (frame, lean) in &calculated.leans {
            trunk.follow(*lean, &mut angles);
            found.push((*frame, angles.clone()));
        }
        calculated.add(tracks, &trunk.joints(), &found);
        Torso::Moves
    }
}
