//! What is wrong with the balance of a motion, and what would mend it.

use crate::balance::{Balance, Instant, Load, Stance};
use crate::forces::GRAVITY;
use crate::timeline::Postures;
use std::cmp::Ordering;
use std::ops::Range;

/// A motor may be overloaded for so long, in seconds, and feet may slide so far, in metres.
const OVERLOAD: f64 = 0.5;
const SLIDE: f64 = 0.01;
/// The margin that a remedy should leave, in metres.
const SAFE: f64 = 0.005;
/// More times slower than this is no remedy, in tenths.
const SLOWEST: u32 = 60;
/// How many postures around a fall are looked at.
const AROUND: usize = 10;

/// Postures in which a robot tips over.
#[derive(Clone, Debug, PartialEq)]
pub struct Fall {
    /// Their numbers.
    pub postures: Range<usize>,
    /// The one with the smallest margin; if the robot would tip over even if it stood still, that of standing still.
    pub deepest: usize,
    /// Whether it would tip over even if it stood still there.
    pub still: bool,
}

/// What is wrong with the balance of a motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Where the robot tips over.
    pub falls: Vec<Fall>,
    /// The posture with the smallest margin, if the balance of any is judged.
    pub worst: Option<usize>,
    /// How many postures are judged.
    pub judged: usize,
    /// The motor that needs more than its largest torque for longer than half a second, and the posture.
    pub overload: Option<(usize, Load)>,
    /// How far feet on the floor slide apart or together at once, in metres, if more than 10 mm; and the first posture.
    pub slide: Option<(usize, f64)>,
}

/// What would mend a fall.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// To move slower by this factor, a whole number of tenths.
    Slower(f64),
    /// To turn this joint, or these of both sides, towards the angles that they have when the robot stands.
    Turn(Vec<&'static str>),
    /// To bring the weight over the one foot on which it stands: the link of the foot, and the joints that change most,
    /// with the angles with which it stands there, in radians.
    Shift(&'static str, Vec<(&'static str, f64)>),
}

impl Summary {
    /// Sums up instants that are `step` seconds apart. A robot tips over when its center of mass, or for longer than it
    /// takes to fall (√(h/g) with the height h of the torso), its zero moment point is outside of the area under its
    /// feet.
    pub fn of(instants: &[Instant], step: f64) -> Self {
        let judged = || instants.iter().enumerate().filter_map(|(at, instant)| Some((at, instant.margin?)));
        let falls = runs(instants, |instant| instant.margin.is_some_and(|margin| margin < 0.0)).filter_map(|range| {
            let within = instants.get(range.clone())?;
            let height = within.first()?.torso.translation.z;
            let still = within.iter().any(|instant| instant.still.is_some_and(|still| still < 0.0));
            let long = range.len() as f64 * step >= (height / GRAVITY).sqrt();
            let margin = |at: &usize| instants.get(*at).and_then(|i| if still { i.still } else { i.margin });
            let deepest = range.clone().min_by(|a, b| margin(a).partial_cmp(&margin(b)).unwrap_or(Ordering::Equal))?;
            (long || still).then_some(Fall { postures: range, deepest, still })
        });
        let loaded = |instant: &Instant| instant.load.filter(|load| load.share > 1.0);
        let overload = runs(instants, |instant| loaded(instant).is_some())
            .filter(|range| range.len() as f64 * step > OVERLOAD)
            .flatten()
            .filter_map(|at| Some((at, loaded(instants.get(at)?)?)))
            .max_by(|a, b| a.1.share.total_cmp(&b.1.share));
        let slide = runs(instants, |instant| instant.margin.is_some() && instant.slide > 0.0).filter_map(|range| {
            let way: f64 = instants.get(range.clone())?.iter().map(|instant| instant.slide * step).sum();
            (way > SLIDE).then_some((range.start, way))
        });
        Self {
            falls: falls.collect(),
            worst: judged().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at),
            judged: judged().count(),
            overload,
            slide: slide.max_by(|a, b| a.1.total_cmp(&b.1)),
        }
    }
}

/// Returns whether a motor needs more than its largest torque for longer than half a second. `torques` has its torque at
/// postures that are `step` seconds apart, NaN where it is not known.
pub fn is_overloaded(torques: &[f64], most: f64, step: f64) -> bool {
    runs(torques, |torque| torque.abs() > most).any(|range| range.len() as f64 * step > OVERLOAD)
}

/// Returns the ranges over which something holds.
fn runs<'a, T>(instants: &'a [T], holds: impl Fn(&T) -> bool + 'a) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut at = 0;
    std::iter::from_fn(move || {
        let from = at + instants.get(at..)?.iter().position(&holds)?;
        let rest = instants.get(from..)?;
        at = from + rest.iter().position(|instant| !holds(instant)).unwrap_or(rest.len());
        Some(from..at)
    })
}

impl Balance<'_> {
    /// Returns what would keep the robot on its feet: to move slower, if it could stand still where it tips over,
    /// otherwise to turn the joint that matters most. `None` if neither would.
    pub fn remedy(&self, postures: &Postures, instants: &[Instant], fall: &Fall) -> Option<Remedy> {
        if fall.still {
            let posture = postures.angles.get(fall.deepest)?;
            let stance = instants.get(fall.deepest).map(|instant| &instant.stance);
            if let Some(Stance::On(feet)) = stance
                && let [foot] = feet[..]
                && let Some(joints) = self.shift(posture, foot)
            {
                return Some(Remedy::Shift(foot, joints));
            }
            return self.turn(posture).map(Remedy::Turn);
        }
        let slower = self.slower(postures, fall).map(Remedy::Slower);
        slower.or_else(|| self.turn(postures.angles.get(fall.deepest)?).map(Remedy::Turn))
    }

    /// Returns how much slower the motion has to be, in tenths, so that the robot does not tip over there.
    fn slower(&self, postures: &Postures, fall: &Fall) -> Option<f64> {
        let range = &fall.postures;
        let around = range.start.saturating_sub(AROUND)..(range.end + AROUND).min(postures.angles.len());
        let inner = range.start - around.start..range.end - around.start;
        let angles = postures.angles.get(around)?;
        // The smallest margin where it tips over now. What acceleration adds shrinks with the square of the time that the
        // motion takes, but how the robot stands changes with it, so each time is tried.
        let least = |slower: f64| {
            let step = postures.step() * slower;
            let instants = self.on_feet(angles, step);
            let mut margins = instants.get(inner.clone())?.iter().map(|instant| instant.margin);
            let least = margins.try_fold(f64::INFINITY, |least, margin| Some(least.min(margin?)))?;
            Summary::of(&instants, step).falls.is_empty().then_some(least)
        };
        let all: Vec<(f64, f64)> = (11..=SLOWEST)
            .map(|tenths| f64::from(tenths) / 10.0)
            .filter_map(|slower| Some((slower, least(slower)?)))
            .collect();
        let first = |margin: f64| all.iter().find(|(_, least)| *least >= margin).map(|(slower, _)| *slower);
        first(SAFE).or_else(|| first(0.0))
    }

    /// Returns the joints that change most when the weight comes over one foot, if the robot stands then: all feet stay
    /// where they are.
    fn shift(&self, posture: &[f64], foot: &'static str) -> Option<Vec<(&'static str, f64)>> {
        /// The joints that are named, at most, and the changes that count, in radians.
        const NAMED: usize = 4;
        const CHANGED: f64 = 0.02;
        if self.model().soles.len() < 2 {
            return None;
        }
        let shifted = self.model().shift_weight(posture, &[foot])?;
        let stands = self.still_on_feet(&shifted)?;
        if stands.stance != Stance::On(vec![foot]) || stands.still.is_none_or(|still| still < SAFE) {
            return None;
        }
        let joints = self.model().body().joints.iter().zip(posture.iter().zip(&shifted));
        let mut changed: Vec<(&'static str, f64, f64)> =
            joints.map(|(joint, (before, after))| (joint.name, *after, (after - before).abs())).collect();
        changed.retain(|(_, _, change)| *change > CHANGED);
        changed.sort_by(|a, b| b.2.total_cmp(&a.2));
        changed.truncate(NAMED);
        (!changed.is_empty()).then(|| changed.into_iter().map(|(joint, angle, _)| (joint, angle)).collect())
    }

    /// Returns the joint whose turn towards standing moves the center of mass most to the inside.
    fn turn(&self, posture: &[f64]) -> Option<Vec<&'static str>> {
        /// The part of the way to standing that is tried, and the gain that counts, in metres.
        const PART: f64 = 0.2;
        const GAIN: f64 = 0.001;
        /// Angles that differ by more than this count as different, in radians.
        const MOVED: f64 = 0.02;
        let model = self.model();
        let now = self.still_on_feet(posture)?.still?;
        let awake = model.awake();
        let body = model.body();
        // A joint that is where it is when the robot stands cannot be what tips it over.
        let moved = |name: &str| {
            let off = body.joint_index(name).and_then(|at| Some(posture.get(at)? - awake.get(at)?));
            off.is_some_and(|off| off.abs() > MOVED)
        };
        let joints = body.joints.iter().filter(|joint| moved(joint.name)).map(|joint| vec![joint.name]);
        let pairs = body.joints.iter().filter_map(|joint| {
            let right = format!("R{}", joint.name.strip_prefix('L')?);
            let right = body.joint(&right)?.name;
            (moved(joint.name) && moved(right)).then(|| vec![joint.name, right])
        });
        let gain = |joints: &Vec<&'static str>| {
            let mut other = posture.to_vec();
            for at in joints.iter().filter_map(|joint| body.joint_index(joint)) {
                let (angle, awake) = (other.get_mut(at)?, awake.get(at)?);
                *angle += PART * (awake - *angle);
            }
            Some(self.still_on_feet(&other)?.still? - now)
        };
        let best = |all: &mut dyn Iterator<Item = Vec<&'static str>>| {
            let gains = all.filter_map(|joints| Some((gain(&joints)?, joints)));
            let (_, joints) = gains.max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(gain, _)| *gain > GAIN)?;
            Some(joints)
        };
        // To turn one leg alone lifts the other foot, so both come first.
        best(&mut pairs.into_iter()).or_else(|| best(&mut joints.into_iter()))
    }
}
