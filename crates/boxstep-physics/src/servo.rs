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

/// The dry friction of a gear as a share of the motor's torque, and the torque of a brake: with it NAO stays in its
/// resting posture without stiffness, and sinks from every other one. (Ours.)
const FRICTION: f64 = 0.1;
const BRAKE: f64 = 2.0;
/// How far a gear or a brake yields before it slips, in radians.
const YIELD: f64 = 0.01;

/// The motor of a joint with its gear and its control. Units are radians, N·m and seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Servo {
    torque: f64,
    /// The torque of the gear and of the shorted windings against a speed, per rad/s.
    drag: f64,
    has_brake: bool,
    /// The angle at which the gear's friction holds the joint.
    held_at: Option<f64>,
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
    /// Makes the servo of a joint with this largest torque and speed; not finite or positive numbers are not known. A
    /// brake holds the joint while it has no stiffness.
    pub(crate) fn new(torque: f64, speed: f64, has_brake: bool) -> Self {
        let known = |value: f64, otherwise: f64| if value.is_finite() && value > 0.0 { value } else { otherwise };
        let torque = known(torque, TORQUE);
        Self { torque, drag: torque / known(speed, SPEED), has_brake, held_at: None }
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
    pub(crate) fn pull(&mut self, angle: f64, speed: f64, target: f64, target_speed: f64, stiffness: f64) -> Pull {
        let spring = self.torque / SAG * stiffness;
        let gain = spring * LAG;
        let damper = gain + self.drag;
        let most = self.torque * stiffness;
        let wanted = spring * (target - angle) + gain * (target_speed - speed);
        let motor = wanted.clamp(-most, most) + gain * speed;
        let (hold, held_at) = self.friction(angle, stiffness);
        let spring = spring + hold;
        Pull { spring, rest: angle + (motor + hold * (held_at - angle)) / spring, damper }
    }

    /// Returns the spring by which friction holds a joint, in N·m/rad, and where. A joint that pulls at it with more
    /// than the friction takes it along.
    fn friction(&mut self, angle: f64, stiffness: f64) -> (f64, f64) {
        let brakes = self.has_brake && stiffness == 0.0;
        let hold = self.torque * if brakes { BRAKE } else { FRICTION } / YIELD;
        let at = self.held_at.unwrap_or(angle).clamp(angle - YIELD, angle + YIELD);
        self.held_at = Some(at);
        (hold, at)
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
        for stiffness in [0.0, 0.25, 1.0] {
            for (angle, speed) in [(0.0, 0.0), (0.5, 0.0), (-0.3, 2.0), (1.0, -4.0)] {
                let mut servo = Servo::new(1.5, 6.0, false);
                let pull = servo.pull(angle, speed, 2.0, 0.0, stiffness);
                let of_motor = torque(pull, angle, speed) + servo.drag * speed;
                assert!((of_motor - 1.5 * stiffness).abs() < 1e-12, "{stiffness} {angle} {speed}: {of_motor}");
            }
        }
        let near = Servo::new(1.5, 6.0, false).pull(0.99, 0.0, 1.0, 0.0, 1.0);
        assert!((torque(near, 0.99, 0.0) - 0.5).abs() < 1e-12, "a third of the sag takes a third of the torque");
    }

    #[test]
    fn friction_holds_a_joint_until_it_slips() {
        for (has_brake, most) in [(false, 0.15), (true, 3.0)] {
            let mut servo = Servo::new(1.5, 6.0, has_brake);
            let mut at = |angle: f64| torque(servo.pull(angle, 0.0, 0.0, 0.0, 0.0), angle, 0.0);
            assert_eq!(at(0.5), 0.0);
            assert!((at(0.505) + most / 2.0).abs() < 1e-9, "half of the friction");
            assert!((at(0.6) + most).abs() < 1e-9, "all of it, while it slips");
            assert!((at(0.59)).abs() < 1e-9, "it holds at the new place");
        }
    }

    #[test]
    fn a_brake_is_open_while_the_joint_is_stiff() {
        let mut servo = Servo::new(1.5, 6.0, true);
        servo.pull(0.0, 0.0, 0.0, 0.0, 0.5);
        let pull = servo.pull(0.5, 0.0, 0.5, 0.0, 0.5);
        assert!((torque(pull, 0.5, 0.0) + 0.15).abs() < 1e-9, "{pull:?}");
    }

    #[test]
    fn unknown_motors_are_strong() {
        let servo = Servo::new(f64::INFINITY, f64::NAN, false);
        assert_eq!((servo.torque, servo.drag), (20.0, 4.0));
    }
}
