//! Touch sensors, bumpers and buttons: the memory events they raise.

/// A touch sensor, bumper or button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchSensor {
    /// The memory event; its value is 1.0 when touched and 0.0 when let go.
    pub event: &'static str,
    /// Where on the robot, e.g. `head, front`.
    pub place: &'static str,
    /// Events raised besides after one short press; older versions spelt theirs with one r.
    pub clicks: &'static [&'static str],
}

static CLICKS: &[&str] = &["ALChestButton/SimpleClickOccurred", "ALChestButton/SimpleClickOccured"];

const fn touch(event: &'static str, place: &'static str) -> TouchSensor {
    TouchSensor { event, place, clicks: &[] }
}

pub(crate) static NAO: &[TouchSensor] = &[
    touch("FrontTactilTouched", "head, front"),
    touch("MiddleTactilTouched", "head, middle"),
    touch("RearTactilTouched", "head, rear"),
    touch("HandLeftBackTouched", "left hand, back"),
    touch("HandLeftLeftTouched", "left hand, left side"),
    touch("HandLeftRightTouched", "left hand, right side"),
    touch("HandRightBackTouched", "right hand, back"),
    touch("HandRightLeftTouched", "right hand, left side"),
    touch("HandRightRightTouched", "right hand, right side"),
    touch("RightBumperPressed", "right foot bumper"),
    touch("LeftBumperPressed", "left foot bumper"),
    TouchSensor { event: "ChestButtonPressed", place: "chest button", clicks: CLICKS },
];

pub(crate) static PEPPER: &[TouchSensor] = &[
    touch("FrontTactilTouched", "head, front"),
    touch("MiddleTactilTouched", "head, middle"),
    touch("RearTactilTouched", "head, rear"),
    touch("HandLeftBackTouched", "left hand, back"),
    touch("HandRightBackTouched", "right hand, back"),
    touch("RightBumperPressed", "base, right bumper"),
    touch("LeftBumperPressed", "base, left bumper"),
    touch("BackBumperPressed", "base, back bumper"),
    TouchSensor { event: "ChestButtonPressed", place: "chest button", clicks: CLICKS },
];
