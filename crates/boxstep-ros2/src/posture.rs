//! Where the joints and the body are at the times of a run.

use boxstep_bodies::Body;
use boxstep_dynamics::{Isometry3, Model, Quaternion, Translation3, UnitQuaternion};
use boxstep_trace::{Kind, Recording, TorsoPose};
use boxstep_types::Time;

/// Where a robot and its joints are.
#[derive(Clone, Debug, PartialEq)]
pub struct Posture {
    /// The joint angles in the order of [`Body::joints`]: radians, hands 0…1.
    pub angles: Vec<f64>,
    /// The pose of the torso in the world.
    pub torso: Isometry3<f64>,
}

/// Where the postures of a run come from.
pub trait Postures {
    /// Returns the posture at a time; `None` if it is not known. Each time is later than the one before.
    fn at(&mut self, time: Time) -> Option<Posture>;
}

/// No postures: a run of which no joint angle is known.
pub struct Unknown;

impl Postures for Unknown {
    fn at(&mut self, _: Time) -> Option<Posture> {
        None
    }
}

/// Returns the pose of the torso of a robot that stands where it began: as its lower foot or its base holds it over the
/// floor. A body without feet stays where it is.
pub fn standing(model: &Model, angles: &[f64]) -> Isometry3<f64> {
    model.torso_over_floor(&model.forward(angles)).unwrap_or_else(Isometry3::identity)
}

/// Returns the pose of a torso in a trace.
pub fn torso([x, y, z, qx, qy, qz, qw]: TorsoPose) -> Isometry3<f64> {
    let turned = UnitQuaternion::new_normalize(Quaternion::new(qw, qx, qy, qz));
    Isometry3::from_parts(Translation3::new(x, y, z), turned)
}

/// Postures between the joint angles that a trace has ([`Kind::Joints`]). Between two of them joints move evenly; before
/// the first and after the last they stay. A joint of which the trace says nothing is where it is when the robot is awake.
pub struct Sampled {
    model: Model,
    rows: Vec<Row>,
    /// The last row that is not after the time of the last call.
    from: usize,
}

struct Row {
    at: Time,
    angles: Vec<f64>,
    torso: Option<Isometry3<f64>>,
}

impl Sampled {
    /// Collects the joint angles of a run; `None` if it has none of this body.
    pub fn of(run: &Recording, body: &'static Body) -> Option<Self> {
        let model = Model::new(body);
        let mut angles = model.awake();
        let (mut rows, mut known) = (Vec::<Row>::new(), false);
        for event in &run.events {
            let Kind::Joints { angles: sampled, torso: at } = &event.kind else { continue };
            for (name, angle) in sampled.iter().filter(|(_, angle)| angle.is_finite()) {
                if let Some(joint) = body.joint_index(name).and_then(|joint| angles.get_mut(joint)) {
                    (*joint, known) = (*angle, true);
                }
            }
            let at = at.as_deref().filter(|at| at.iter().all(|number| number.is_finite()));
            let row = Row { at: event.t, angles: angles.clone(), torso: at.map(|at| torso(*at)) };
            match rows.last_mut() {
                // Of samples at one time the last one counts.
                Some(last) if last.at >= row.at => *last = row,
                _ => rows.push(row),
            }
        }
        known.then_some(Self { model, rows, from: 0 })
    }
}

impl Postures for Sampled {
    fn at(&mut self, time: Time) -> Option<Posture> {
        while self.rows.get(self.from + 1).is_some_and(|next| next.at <= time) {
            self.from += 1;
        }
        let before = self.rows.get(self.from)?;
        let after = self.rows.get(self.from + 1).unwrap_or(before);
        let whole = after.at.as_secs_f64() - before.at.as_secs_f64();
        let share = if whole > 0.0 { (time.as_secs_f64() - before.at.as_secs_f64()) / whole } else { 0.0 };
        let share = share.clamp(0.0, 1.0);
        let angles: Vec<f64> = before.angles.iter().zip(&after.angles).map(|(a, b)| a + (b - a) * share).collect();
        let torso = match (before.torso, after.torso) {
            (Some(one), Some(other)) => one.try_lerp_slerp(&other, share, 1e-9).unwrap_or(one),
            (Some(one), None) => one,
            _ => standing(&self.model, &angles),
        };
        Some(Posture { angles, torso })
    }
}
