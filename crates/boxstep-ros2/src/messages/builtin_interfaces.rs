//! `builtin_interfaces`: time.

use serde::{Deserialize, Serialize};

/// `builtin_interfaces/msg/Time`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Time {
    /// Seconds since 1970.
    pub sec: i32,
    /// The nanoseconds after them.
    pub nanosec: u32,
}

/// The fields of [`Time`] and [`Duration`].
pub(super) const TIME: (&str, &str) = ("builtin_interfaces/Time", "int32 sec\nuint32 nanosec\n");

impl Time {
    /// Returns the time that is this many nanoseconds after the beginning of 1970. A time that does not fit into the
    /// message, before 1901 or after 2038, becomes the nearest one that does.
    pub fn from_nanos(nanos: i64) -> Self {
        let (seconds, nanosec) = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000) as u32);
        match i32::try_from(seconds) {
            Ok(sec) => Self { sec, nanosec },
            Err(_) if nanos < 0 => Self { sec: i32::MIN, nanosec: 0 },
            Err(_) => Self { sec: i32::MAX, nanosec: 999_999_999 },
        }
    }

    /// Returns the nanoseconds since the beginning of 1970.
    pub fn nanos(self) -> i64 {
        i64::from(self.sec) * 1_000_000_000 + i64::from(self.nanosec)
    }
}

/// `builtin_interfaces/msg/Duration`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Duration {
    /// Seconds.
    pub sec: i32,
    /// The nanoseconds after them.
    pub nanosec: u32,
}

impl Duration {
    /// Returns the duration of this many nanoseconds. One that does not fit into the message, of more than 68 years,
    /// becomes the nearest one that does.
    pub fn from_nanos(nanos: i64) -> Self {
        let Time { sec, nanosec } = Time::from_nanos(nanos);
        Self { sec, nanosec }
    }
}
