//! Shifting the weight: the legs move the torso sideways, and the feet stay where they are.

use crate::model::End;
use crate::{Axes, Goal, Model};
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector2, Vector3};

/// The most steps, where the search ends, and by how much the torso goes down where the legs are too short, in metres.
const STEPS: usize = 30;
const NEAR: f64 = 5e-4;
const LOWER: f64 = 0.004;

impl Model {
    /// Returns angles with which the center of mass is over the middle of these soles, which are given by their links. All
    /// feet are where they were, and the torso is upright. Joints that move several legs, such as NAO's `LHipYawPitch`, stay. `None` if the legs
    /// do not reach so far, or if the masses, the soles or their links are not known.
    pub fn shift_weight(&self, angles: &[f64], onto: &[&str]) -> Option<Vec<f64>> {
        let links = self.forward(angles);
        let mut torso = self.torso_over_floor(&links)?;
        let over_floor: Vec<Isometry3<f64>> = links.iter().map(|link| torso * link).collect();
        let wanted: Vec<usize> = (0..self.soles.len())
            .filter(|sole| self.soles.get(*sole).is_some_and(|sole| onto.contains(&self.links[sole.link].name)))
            .collect();
        let corners: Vec<Vector2<f64>> = wanted
            .iter()
            .flat_map(|sole| self.corners_of(*sole, &over_floor))
            .map(|corner| corner.coords.xy())
            .collect();
        let middle = corners.iter().sum::<Vector2<f64>>() / (!corners.is_empty()).then_some(corners.len() as f64)?;
        let legs: Vec<(End, Vec<usize>)> = self
            .soles
            .iter()
            .map(|sole| {
                let end = End { link: sole.link, tool: Isometry3::identity() };
                (end, self.joints_to(&end))
            })
            .collect();
        // Legs of five joints cannot put their feet flat beside each other under a torso that leans.
        torso.rotation = UnitQuaternion::identity();
        let own = |leg: usize, joint: &usize| {
            legs.iter().enumerate().all(|(other, (_, joints))| other == leg || !joints.contains(joint))
        };
        let mut angles = angles.to_vec();
        // Whether the feet are where they were, with the torso where it is now.
        let mut fits = false;
        for _ in 0..STEPS {
            let center = torso * Point3::from(self.center_of_mass(&self.forward(&angles))?);
            let way = middle - center.coords.xy();
            if fits && way.norm() <= NEAR {
                return Some(angles);
            }
            torso.translation.vector += Vector3::new(way.x, way.y, 0.0);
            let moved = legs.iter().enumerate().try_fold(angles.clone(), |angles, (leg, (end, joints))| {
                let joints: Vec<usize> = joints.iter().copied().filter(|joint| own(leg, joint)).collect();
                let place = *over_floor.get(end.link)?;
                let goal = Goal { end: *end, joints: &joints, torso, place, axes: Axes::ALL };
                let reached = self.reach(&goal, &angles);
                reached.is_there().then_some(reached.angles)
            });
            fits = moved.is_some();
            match moved {
                Some(moved) => angles = moved,
                // Legs that are bent reach farther aside.
                None => torso.translation.z -= LOWER,
            }
        }
        None
    }
}
