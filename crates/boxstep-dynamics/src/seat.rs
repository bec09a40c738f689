//! Whether a robot sits. Its balance over its feet then says nothing: what it sits on carries it.
//!
//! Hips as low as the knees are those of a robot that sits, or of one that squats, which falls if its weight is not over
//! its feet. It sits if a part of its body from the torso to the knees is on the floor. A chair does not show; so a motion
//! that begins with low hips, in a posture in which nobody can stand, begins on one.

use crate::Model;
use crate::balance::{Instant, Stance};
use nalgebra::Isometry3;

/// Hips are low if they are lower than this many times the height of the knees. (Ours: of NAO crouching it is 1.7, on a
/// chair 1.2.)
const LOW: f64 = 1.35;
/// With low hips a part that is not higher than this, in metres, is on the floor: a robot that sits has its feet not flat
/// on the floor, so the height is not exact. (Ours: of NAO that sits on the floor it is 22 mm, of a squat 100 mm.)
pub(crate) const SEAT: f64 = 0.03;
/// The share of a leg's length above its knee, at least.
const THIGH: f64 = 0.3;

/// Whether a motion may begin on a chair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chair {
    Possible,
    None,
}

/// What holds a robot up at an instant, as far as one posture tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Held {
    /// Its feet.
    Upright,
    /// Its feet, or a chair: the hips of one leg are low, or, if true, those of all legs.
    Low(bool),
    /// Another part that is on the floor.
    Otherwise,
}

impl Held {
    /// Returns what low hips say, given the height of the hip and of the knee of each leg.
    pub(crate) fn by_hips(legs: impl Iterator<Item = (f64, f64)>) -> Self {
        let (mut any, mut all) = (false, true);
        for (hip, knee) in legs {
            let low = hip < LOW * knee;
            (any, all) = (any || low, all && low);
        }
        if any { Self::Low(all) } else { Self::Upright }
    }
}

/// Takes those instants out of judgement in which the robot sits, given what holds it up at each: from when its hips are
/// low until they are not, if it comes to sit on the floor or gets up from there, or if it begins on a chair.
pub(crate) fn sit(instants: &mut [Instant], held: &[Held], chair: Chair) {
    let mut from = 0;
    for run in held.chunk_by(|a, b| (*a == Held::Upright) == (*b == Held::Upright)) {
        let to = from + run.len();
        let is_low = run.first() != Some(&Held::Upright);
        let stands = |instant: &Instant| instant.still.is_some_and(|still| still >= 0.0);
        let begins = chair == Chair::Possible && from == 0 && run.first() == Some(&Held::Low(true));
        let on_chair = begins && !instants.first().is_some_and(stands);
        if is_low && (on_chair || run.contains(&Held::Otherwise)) {
            for instant in instants.get_mut(from..to).into_iter().flatten() {
                instant.leave_out();
            }
        }
        from = to;
    }
}

impl Instant {
    /// Does not judge this instant.
    fn leave_out(&mut self) {
        (self.stance, self.margin, self.still, self.load) = (Stance::Off, None, None, None);
    }
}

/// Returns the hip and the knee on the way from the torso to a foot: the leg begins where the ways to other feet part,
/// below a waist. `None` if it has no knee.
pub(crate) fn leg(model: &Model, path: &[usize], all: &[Vec<usize>]) -> Option<(usize, usize)> {
    let shared = |link: &usize| all.iter().any(|other| other.last() != path.last() && other.contains(link));
    let path = path.get(path.iter().skip(1).take_while(|link| shared(link)).count() + 1..)?;
    let straight = model.forward(&vec![0.0; model.joints()]);
    let at = |link: usize| straight.get(link).map(|pose: &Isometry3<f64>| pose.translation.vector);
    let parts = path.windows(2).filter_map(|pair| Some((pair[1], (at(pair[1])? - at(pair[0])?).norm())));
    let parts: Vec<(usize, f64)> = parts.collect();
    let length: f64 = parts.iter().map(|(_, length)| length).sum();
    let mut passed = 0.0;
    let (knee, _) = parts.iter().find(|(_, part)| {
        passed += part;
        passed > THIGH * length
    })?;
    (Some(knee) != path.last()).then_some((*path.first()?, *knee))
}
