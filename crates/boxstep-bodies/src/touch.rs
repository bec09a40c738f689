//! Touch sensors, bumpers and buttons: the memory events they raise.

/// A touch sensor, bumper or button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TouchSensor {
    /// The memory event; its value is 1.0 when touched and 0.0 when released.
    pub event: &'static str,
    /// The place on the robot, such as `head, front`.
    pub place: &'static str,
    /// The device in memory, without prefix and suffix, such as `Head/Touch/Front`; empty if it has none.
    pub device: &'static str,
    /// Events that are also raised after one short press; older versions spell the word with one r.
    pub clicks: &'static [&'static str],
}

static CLICKS: &[&str] = &["ALChestButton/SimpleClickOccurred", "ALChestButton/SimpleClickOccured"];

const fn touch(event: &'static str, place: &'static str, device: &'static str) -> TouchSensor {
    TouchSensor { event, place, device, clicks: &[] }
}

pub(crate) static NAO: &[TouchSensor] = &[
    touch("FrontTactilTouched", "head, front", "Head/Touch/Front"),
    touch("MiddleTactilTouched", "head, middle", "Head/Touch/Middle"),
    touch("RearTactilTouched", "head, rear", "Head/Touch/Rear"),
    touch("HandLeftBackTouched", "left hand, back", "LHand/Touch/Back"),
    touch("HandLeftLeftTouched", "left hand, left side", "LHand/Touch/Left"),
    touch("HandLeftRightTouched", "left hand, right side", "LHand/Touch/Right"),
    touch("HandRightBackTouched", "right hand, back", "RHand/Touch/Back"),
    touch("HandRightLeftTouched", "right hand, left side", "RHand/Touch/Left"),
    touch("HandRightRightTouched", "right hand, right side", "RHand/Touch/Right"),
    touch("RightBumperPressed", "right foot bumper", "RFoot/Bumper/Right"),
    touch("LeftBumperPressed", "left foot bumper", "LFoot/Bumper/Left"),
    TouchSensor { event: "ChestButtonPressed", place: "chest button", device: "ChestBoard/Button", clicks: CLICKS },
];

pub(crate) static PEPPER: &[TouchSensor] = &[
    touch("FrontTactilTouched", "head, front", "Head/Touch/Front"),
    touch("MiddleTactilTouched", "head, middle", "Head/Touch/Middle"),
    touch("RearTactilTouched", "head, rear", "Head/Touch/Rear"),
    touch("HandLeftBackTouched", "left hand, back", "LHand/Touch/Back"),
    touch("HandRightBackTouched", "right hand, back", "RHand/Touch/Back"),
    touch("RightBumperPressed", "base, right bumper", "RFoot/Bumper/Right"),
    touch("LeftBumperPressed", "base, left bumper", "LFoot/Bumper/Left"),
    touch("BackBumperPressed", "base, back bumper", "Platform/Back/Bumper"),
    TouchSensor { event: "ChestButtonPressed", place: "chest button", device: "ChestBoard/Button", clicks: CLICKS },
];
