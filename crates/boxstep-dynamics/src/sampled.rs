//! The postures of a robot whose joint angles were sampled, as those of a run are.

use crate::Model;

/// The shortest time between two postures, in seconds: that of a timeline with 25 frames a second.
const STEP: f64 = 0.04;

/// Postures at equal distances of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    start: f64,
    step: f64,
    /// The angles of all joints at each of them.
    pub angles: Vec<Vec<f64>>,
}

impl Sampled {
    /// Returns the seconds between two postures.
    pub fn step(&self) -> f64 {
        self.step
    }

    /// Returns the time of a posture, in seconds.
    pub fn seconds(&self, posture: usize) -> f64 {
        self.start + posture as f64 * self.step
    }
}

impl Model {
    /// Returns the postures between samples of joint angles, each with its time in seconds, in the order of time. Between
    /// two samples joints move evenly; a joint without a sample stays as it is when the robot is awake. Postures are as
    /// far apart as most samples are, at least 40 ms. `None` if there is no sample of a joint of this body.
    pub fn sampled<'a, N: AsRef<str> + 'a>(
        &self,
        samples: impl IntoIterator<Item = (f64, &'a [(N, f64)])>,
    ) -> Option<Sampled> {
        let mut last = self.awake();
        let mut rows: Vec<(f64, Vec<f64>)> = Vec::new();
        let mut known = false;
        for (seconds, angles) in samples {
            for (name, angle) in angles {
                if let Some(at) = self.body().joint_index(name.as_ref()).and_then(|joint| last.get_mut(joint)) {
                    (*at, known) = (*angle, true);
                }
            }
            match rows.last_mut() {
                // Of samples at one time the last one counts.
                Some((before, row)) if *before >= seconds => row.clone_from(&last),
                _ => rows.push((seconds, last.clone())),
            }
        }
        let (start, end) = (rows.first().filter(|_| known)?.0, rows.last()?.0);
        let mut distances: Vec<f64> = rows.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
        distances.sort_unstable_by(f64::total_cmp);
        let step = distances.get(distances.len() / 2).copied().unwrap_or(STEP).max(STEP);
        // What is missing by rounding alone is not missing.
        let count = ((end - start) / step + 1e-6).floor() as usize + 1;
        let mut from = 0;
        let angles = (0..count).map(|posture| {
            let seconds = start + posture as f64 * step;
            while rows.get(from + 1).is_some_and(|(next, _)| *next <= seconds + 1e-9) {
                from += 1;
            }
            let Some((before, row)) = rows.get(from) else { return last.clone() };
            let Some((after, next)) = rows.get(from + 1) else { return row.clone() };
            let share = ((seconds - before) / (after - before)).clamp(0.0, 1.0);
            row.iter().zip(next).map(|(a, b)| a + (b - a) * share).collect()
        });
        Some(Sampled { start, step, angles: angles.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_bodies::BodyKind;

    #[test]
    fn postures_lie_evenly_between_samples() {
        let model = Model::new(BodyKind::Nao.body());
        let yaw = model.body().joint_index("HeadYaw").unwrap();
        let sample = |seconds: f64, angle: f64| (seconds, [("HeadYaw", angle)]);
        // Two of them are late, and one is of another time in between.
        let samples = [sample(0.0, 0.0), sample(0.043, 0.43), sample(0.08, 0.8), sample(0.1, 1.0), sample(0.121, 1.21)];
        let sampled = model.sampled(samples.iter().map(|(t, angles)| (*t, &angles[..]))).unwrap();
        assert_eq!((sampled.angles.len(), sampled.step()), (4, STEP));
        for (at, angles) in sampled.angles.iter().enumerate() {
            assert!((angles[yaw] - 10.0 * sampled.seconds(at)).abs() < 1e-9, "{at}: {}", angles[yaw]);
        }
        let knee = model.body().joint_index("LKneePitch").unwrap();
        assert_eq!(sampled.angles[2][knee], model.awake()[knee], "it has no sample");
        let nobody = [(0.0, [("Tail", 1.0)])];
        assert_eq!(model.sampled(nobody.iter().map(|(t, angles)| (*t, &angles[..]))), None);
    }
}
