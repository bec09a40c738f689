//! Limits of the new body.

use super::track::{EXCESS, Track};
use crate::Model;
use boxstep_bodies::JointKind;
use boxstep_motion::Curve;

/// Scales what the joints of a body cannot do, round the posture in which it wakes up. Limits that depend on another
/// joint stop single keys, as they stop the robot: they are near for a moment, and a whole gesture is not smaller.
pub(super) fn within_limits(tracks: &mut [Track], to: &Model) {
    let awake = to.awake();
    for track in tracks.iter_mut() {
        // The fingers stop slightly before 0 and 1, and that does no harm.
        let joint = to.body.joints.get(track.joint).filter(|joint| joint.kind != JointKind::Hand);
        if let Some((joint, neutral)) = joint.zip(awake.get(track.joint)) {
            track.fit(*neutral, joint.min, joint.max);
        }
    }
    let curves = tracks.iter().filter(|track| !track.muted);
    let curves: Vec<(usize, Curve)> =
        curves.filter_map(|track| Some((track.joint, Curve::new(&track.keys).ok()?))).collect();
    let depends = |joint: usize| {
        let name = to.body.joints.get(joint).map(|joint| joint.name);
        to.body.shell_limits.iter().any(|limit| Some(limit.joint) == name)
    };
    for track in tracks.iter_mut().filter(|track| depends(track.joint)) {
        for key in &mut track.keys {
            let mut angles = awake.clone();
            for (joint, curve) in &curves {
                if let Some(angle) = angles.get_mut(*joint) {
                    *angle = curve.sample(key.time);
                }
            }
            let (min, max) = to.range(track.joint, &angles);
            if key.value > max + EXCESS || key.value < min - EXCESS {
                key.value = key.value.max(min).min(max);
            }
        }
    }
}
