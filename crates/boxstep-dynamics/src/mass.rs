//! Mass and the center of mass.

use crate::Model;
use nalgebra::{Isometry3, Vector3};

impl Model {
    /// Returns the mass of the robot; 0 if it is not known.
    pub fn mass(&self) -> f64 {
        self.links.iter().map(|link| link.mass).sum()
    }

    /// Returns the mass of the links for which `counts` holds, given a link's name and the joint that turns it (empty
    /// for a fixed one), and their center of mass in the torso's frame; `poses` is what [`Model::forward`] returned.
    /// `None` if the masses are not known, or there are no such links.
    pub fn center_of(
        &self,
        poses: &[Isometry3<f64>],
        counts: impl Fn(&str, &str) -> bool,
    ) -> Option<(f64, Vector3<f64>)> {
        let joints = self.body.geometry.links.iter().map(|link| link.joint);
        let links = self.links.iter().zip(joints).zip(poses).filter(|((link, joint), _)| counts(link.name, joint));
        let (mass, sum) = links.fold((0.0, Vector3::zeros()), |(mass, sum), ((link, _), pose)| {
            (mass + link.mass, sum + link.mass * link.center_in(pose))
        });
        (mass > 0.0).then(|| (mass, sum / mass))
    }

    /// Returns the center of mass of the robot in the torso's frame; `None` if the masses are not known.
    pub fn center_of_mass(&self, poses: &[Isometry3<f64>]) -> Option<Vector3<f64>> {
        self.center_of(poses, |_, _| true).map(|(_, center)| center)
    }
}

impl crate::model::Link {
    /// Returns the center of mass of a link at this pose.
    pub(crate) fn center_in(&self, pose: &Isometry3<f64>) -> Vector3<f64> {
        pose.translation.vector + pose.rotation * self.center
    }
}
