//! LEDs and their groups, as `ALLeds` names them.

/// A colour channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue; also the single channel of ear and head LEDs.
    Blue,
}

impl Channel {
    /// Every channel.
    pub const ALL: &'static [Self] = &[Self::Red, Self::Green, Self::Blue];

    /// Returns the channel's word in device names.
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
    /// The short name, such as `FaceLedLeft0`. If a group has the same name, it consists of this LED.
    pub name: &'static str,
    /// The device, with `*` for the channel's word if the LED has several channels.
    pub(crate) device: &'static str,
    /// The channels of the LED.
    pub channels: &'static [Channel],
}

impl Led {
    /// Returns the device of one channel, such as `Face/Led/Red/Left/0Deg/Actuator/Value`.
    pub fn device(&self, channel: Channel) -> String {
        format!("{}/Actuator/Value", self.device.replace('*', channel.name()))
    }
}

/// A named group of LEDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LedGroup {
    /// The name.
    pub name: &'static str,
    /// The short names of the LEDs.
    pub leds: &'static [&'static str],
    /// The channels that the group controls.
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
