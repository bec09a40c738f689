//! The motor of a joint with its gear and its control.

/// The angle by which a joint is off its target when its motor pulls with its largest torque, in radians, and the time
/// in which it would reach the target, in seconds. (Ours: NAO's joints sag by a degree or two under load.)
const SAG: f64 = 0.03;
const LAG: f64 = 0.02;
/// The torque in N·m and the speed in rad/s of motors of which they are not known.
const TORQUE: f64 = 20.0;
const SPEED: f64 = 5.0;
/// The inertia that a motor behind its gear adds to a joint, as a share of its torque, in s². (Ours: NAO's gears of
/// 1 : 130 make some 10⁻⁷ kg·m² of a rotor 0.002 kg·m².)
const ROTOR: f64 = 0.001;

/// The motor of a joint with its gear and its control. Units are radians, N·m and seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Servo {
    torque: f64,
    /// The torque of the gear and of the shorted windings against a speed, per rad/s.
    drag: f64,
}

/// What a servo does in a step: it pulls like a spring, and brakes like a damper.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pull {
    /// In N·m/rad.
    pub(crate) spring: f64,
    /// The angle at which the spring does not pull.
    pub(crate) rest: f64,
    /// In N·m·s/rad.
    pub(crate) damper: f64,
}

impl Servo {
    /// Makes the servo of a joint with this largest torque and speed; not finite or positive numbers are not known.
    pub(crate) fn new(torque: f64, speed: f64) -> Self {
        let known = |value: f64, otherwise: f64| if value.is_finite() && value > 0.0 { value } else { otherwise };
        let torque = known(torque, TORQUE);
        Self { torque, drag: torque / known(speed, SPEED) }
    }

    /// Returns the inertia that the motor adds to the joint, in kg·m².
    pub(crate) fn inertia(&self) -> f64 {
        self.torque * ROTOR
    }

    /// Returns what the servo does at an angle and speed of its joint, to reach a target that moves at a speed, with
    /// this share of its torque.
    ///
    /// The spring and the damper are the control's gains, so that the step can be calculated implicitly, which is stable
    /// for any gains; the spring's rest is where the force at the beginning of the step is the motor's.
    pub(crate) fn pull(&self, angle: f64, speed: f64, target: f64, target_speed: f64, stiffness: f64) -> Pull {
        let spring = self.torque / SAG * stiffness;
        let gain = spring * LAG;
        let damper = gain + self.drag;
        let most = self.torque * stiffness;
        let wanted = spring * (target - angle) + gain * (target_speed - speed);
        let force = wanted.clamp(-most, most) + gain * speed;
        let rest = if spring > 0.0 { angle + force / spring } else { angle };
        Pull { spring, rest, damper }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The torque at the beginning of a step.
    fn torque(pull: Pull, angle: f64, speed: f64) -> f64 {
        pull.spring * (pull.rest - angle) - pull.damper * speed
    }

    #[test]
    fn a_servo_pulls_with_no_more_than_its_torque_and_its_share_of_it() {
        let servo = Servo::new(1.5, 6.0);
        for stiffness in [0.0, 0.25, 1.0] {
            for (angle, speed) in [(0.0, 0.0), (0.5, 0.0), (-0.3, 2.0), (1.0, -4.0)] {
                let of_motor = torque(servo.pull(angle, speed, 2.0, 0.0, stiffness), angle, speed) + servo.drag * speed;
                assert!((of_motor - 1.5 * stiffness).abs() < 1e-12, "{stiffness} {angle} {speed}: {of_motor}");
            }
        }
        let near = servo.pull(0.99, 0.0, 1.0, 0.0, 1.0);
        assert!((torque(near, 0.99, 0.0) - 0.5).abs() < 1e-12, "a third of the sag takes a third of the torque");
    }

    #[test]
    fn a_joint_without_stiffness_only_drags() {
        let pull = Servo::new(1.5, 6.0).pull(0.3, 2.0, -1.0, 0.0, 0.0);
        assert_eq!(pull, Pull { spring: 0.0, rest: 0.3, damper: 0.25 });
    }

    #[test]
    fn unknown_motors_are_strong() {
        let servo = Servo::new(f64::INFINITY, f64::NAN);
        assert_eq!((servo.torque, servo.drag), (20.0, 4.0));
    }
}
