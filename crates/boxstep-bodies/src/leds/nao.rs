//! NAO's LEDs.

use super::shared::{EARS, FACE, SHARED_GROUPS, SHARED_LEDS};
use super::{Channel, Led, LedGroup, blue, group, part, rgb};
use crate::parts::joined;

/// All LEDs with three colors.
const COLOURED: [&str; 19] = joined(&[&FACE, &["ChestLed", "LeftFootLed", "RightFootLed"]]);
const BRAIN: [&str; 12] = [
    "BrainLedsFrontLeft0",
    "BrainLedsFrontLeft1",
    "BrainLedsFrontRight0",
    "BrainLedsFrontRight1",
    "BrainLedsMiddleLeft0",
    "BrainLedsMiddleRight0",
    "BrainLedsBackLeft0",
    "BrainLedsBackLeft1",
    "BrainLedsBackLeft2",
    "BrainLedsBackRight0",
    "BrainLedsBackRight1",
    "BrainLedsBackRight2",
];
const ALL: [&str; 51] = joined(&[&COLOURED, &EARS, &BRAIN]);

const OWN_LEDS: [Led; 14] = [
    rgb("LeftFootLed", "LFoot/Led/*"),
    rgb("RightFootLed", "RFoot/Led/*"),
    blue("BrainLedsFrontLeft0", "Head/Led/Front/Left/0"),
    blue("BrainLedsFrontLeft1", "Head/Led/Front/Left/1"),
    blue("BrainLedsFrontRight0", "Head/Led/Front/Right/0"),
    blue("BrainLedsFrontRight1", "Head/Led/Front/Right/1"),
    blue("BrainLedsMiddleLeft0", "Head/Led/Middle/Left/0"),
    blue("BrainLedsMiddleRight0", "Head/Led/Middle/Right/0"),
    blue("BrainLedsBackLeft0", "Head/Led/Rear/Left/0"),
    blue("BrainLedsBackLeft1", "Head/Led/Rear/Left/1"),
    blue("BrainLedsBackLeft2", "Head/Led/Rear/Left/2"),
    blue("BrainLedsBackRight0", "Head/Led/Rear/Right/0"),
    blue("BrainLedsBackRight1", "Head/Led/Rear/Right/1"),
    blue("BrainLedsBackRight2", "Head/Led/Rear/Right/2"),
];
const LEDS: [Led; 51] = joined(&[&SHARED_LEDS, &OWN_LEDS]);
pub(crate) static NAO_LEDS: &[Led] = &LEDS;

const OWN_GROUPS: [LedGroup; 13] = [
    group("AllLeds", &ALL),
    part("AllLedsBlue", &ALL, &[Channel::Blue]),
    part("AllLedsGreen", &COLOURED, &[Channel::Green]),
    part("AllLedsRed", &COLOURED, &[Channel::Red]),
    group("BrainLeds", &BRAIN),
    group(
        "BrainLedsBack",
        &[
            "BrainLedsBackLeft0",
            "BrainLedsBackLeft1",
            "BrainLedsBackLeft2",
            "BrainLedsBackRight0",
            "BrainLedsBackRight1",
            "BrainLedsBackRight2",
        ],
    ),
    group(
        "BrainLedsFront",
        &["BrainLedsFrontLeft0", "BrainLedsFrontLeft1", "BrainLedsFrontRight0", "BrainLedsFrontRight1"],
    ),
    group(
        "BrainLedsLeft",
        &[
            "BrainLedsFrontLeft0",
            "BrainLedsFrontLeft1",
            "BrainLedsMiddleLeft0",
            "BrainLedsBackLeft0",
            "BrainLedsBackLeft1",
            "BrainLedsBackLeft2",
        ],
    ),
    group("BrainLedsMiddle", &["BrainLedsMiddleLeft0", "BrainLedsMiddleRight0"]),
    group(
        "BrainLedsRight",
        &[
            "BrainLedsFrontRight0",
            "BrainLedsFrontRight1",
            "BrainLedsMiddleRight0",
            "BrainLedsBackRight0",
            "BrainLedsBackRight1",
            "BrainLedsBackRight2",
        ],
    ),
    group("FeetLeds", &["LeftFootLed", "RightFootLed"]),
    group("LeftFootLeds", &["LeftFootLed"]),
    group("RightFootLeds", &["RightFootLed"]),
];
const GROUPS: [LedGroup; 116] = joined(&[&OWN_GROUPS, &SHARED_GROUPS]);
pub(crate) static NAO_GROUPS: &[LedGroup] = &GROUPS;
