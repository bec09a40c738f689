//! A straight way of an end: postures that follow each other so closely that joints which move evenly between them keep
//! the end on the line.

use crate::{Goal, Model, Reached};
use nalgebra::Isometry3;

/// A straight way of an end to a place.
#[derive(Clone, Debug, PartialEq)]
pub struct Straight {
    /// The angles of all joints at equal parts of the way, from its start to its end.
    pub postures: Vec<Vec<f64>>,
    /// How far the end is beside the line at most, at any of them, in metres.
    pub beside: f64,
    /// Where the end comes to: whether that is the place.
    pub reached: Reached,
}

impl Straight {
    /// Returns whether the end comes to its place, and is on the line all the way, to 1 mm.
    pub fn is_there(&self) -> bool {
        self.reached.is_there() && self.beside <= 1e-3
    }
}

impl Model {
    /// Moves an end from where it is with the angles `start` to the place of a goal, on a straight line and turning evenly,
    /// in so many parts, at least one. The torso stays where it is. The joints do not jump to another solution; where the
    /// end cannot be on the line it is as near to it as they come. A motion in which a part takes 20 ms to 40 ms is straight
    /// to the eye.
    pub fn straight(&self, goal: &Goal<'_>, start: &[f64], parts: usize) -> Straight {
        let parts = parts.max(1);
        let from = goal.torso * goal.end.pose(&self.forward(start));
        let mut postures = Vec::with_capacity(parts + 1);
        postures.push(start.to_vec());
        let (mut beside, mut last) = (0.0, None);
        for part in 1..=parts {
            let place = between(&from, &goal.place, part as f64 / parts as f64);
            let angles = postures.last().map_or(start, Vec::as_slice);
            let reached = self.approach(&Goal { place, ..goal.clone() }, angles);
            beside = f64::max(beside, reached.distance);
            postures.push(reached.angles.clone());
            last = Some(reached);
        }
        let reached = last.unwrap_or_else(|| self.approach(goal, start));
        Straight { postures, beside, reached }
    }
}

/// Returns the pose at a share of the way between two.
fn between(from: &Isometry3<f64>, to: &Isometry3<f64>, share: f64) -> Isometry3<f64> {
    let at = from.translation.vector.lerp(&to.translation.vector, share);
    let turned = from.rotation.try_slerp(&to.rotation, share, 1e-9);
    // Half a turn has no shorter side: it is made at the end.
    Isometry3::from_parts(at.into(), turned.unwrap_or(if share < 1.0 { from.rotation } else { to.rotation }))
}
