//! Pepper's LEDs.

use super::shared::{EARS, FACE, SHARED_GROUPS, SHARED_LEDS};
use super::{Channel, Led, LedGroup, group, part};
use crate::parts::joined;

/// All LEDs with three colors.
const COLOURED: [&str; 17] = joined(&[&FACE, &["ChestLed"]]);
const ALL: [&str; 37] = joined(&[&COLOURED, &EARS]);

pub(crate) static PEPPER_LEDS: &[Led] = &SHARED_LEDS;

const ALL_GROUPS: [LedGroup; 4] = [
    group("AllLeds", &ALL),
    part("AllLedsBlue", &ALL, &[Channel::Blue]),
    part("AllLedsGreen", &COLOURED, &[Channel::Green]),
    part("AllLedsRed", &COLOURED, &[Channel::Red]),
];
const GROUPS: [LedGroup; 107] = joined(&[&ALL_GROUPS, &SHARED_GROUPS]);
pub(crate) static PEPPER_GROUPS: &[LedGroup] = &GROUPS;
