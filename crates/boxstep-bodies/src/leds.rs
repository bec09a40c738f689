//! LEDs and their groups, as `ALLeds` names them.

/// A colour channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue; also the one channel of ear and head LEDs.
    Blue,
}

impl Channel {
    /// Every channel.
    pub const ALL: &'static [Self] = &[Self::Red, Self::Green, Self::Blue];

    /// The word in device names.
    pub const fn name(self) -> &'static str {
        match self {
            Channel::Red => "Red",
            Channel::Green => "Green",
            Channel::Blue => "Blue",
        }
    }
}

/// One LED.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Led {
    /// Short name, e.g. `FaceLedLeft0`; the group of that name, where there is one, has just it.
    pub name: &'static str,
    /// Device, with `*` for the word of the channel if it has several.
    pub(crate) device: &'static str,
    /// What it can shine.
    pub channels: &'static [Channel],
}

impl Led {
    /// The device of one channel, e.g. `Face/Led/Red/Left/0Deg/Actuator/Value`.
    pub fn device(&self, channel: Channel) -> String {
        format!("{}/Actuator/Value", self.device.replace('*', channel.name()))
    }
}

/// LEDs under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedGroup {
    /// Name.
    pub name: &'static str,
    /// Short names of its LEDs.
    pub leds: &'static [&'static str],
    /// Channels it drives.
    pub channels: &'static [Channel],
}

const fn rgb(name: &'static str, device: &'static str) -> Led {
    Led { name, device, channels: Channel::ALL }
}

const fn blue(name: &'static str, device: &'static str) -> Led {
    Led { name, device, channels: &[Channel::Blue] }
}

const fn group(name: &'static str, leds: &'static [&'static str]) -> LedGroup {
    LedGroup { name, leds, channels: Channel::ALL }
}

const fn part(name: &'static str, leds: &'static [&'static str], channels: &'static [Channel]) -> LedGroup {
    LedGroup { name, leds, channels }
}

mod nao;
mod pepper;
mod shared;

pub(crate) use nao::{NAO_GROUPS, NAO_LEDS};
pub(crate) use pepper::{PEPPER_GROUPS, PEPPER_LEDS};
