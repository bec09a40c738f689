//! What goes over the WebSocket: JSON texts, described in `docs/view-protocol.md`.

use crate::asked::Ask;
use crate::picture::Item;
use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// Version of the protocol. It is raised when a field changes its meaning or goes away.
pub const PROTOCOL: u32 = 1;

/// What a page asks for.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub(crate) enum Wish {
    /// Show what happens now.
    Live,
    /// Show what could be seen at a time.
    Seek {
        /// Nanoseconds since the start of the run.
        t: i64,
    },
    /// Look something up.
    #[serde(untagged)]
    Ask(Ask),
    /// Change the run.
    #[serde(untagged)]
    Command(Command),
}

/// What a page may change of a run.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Stimulate a port of a box.
    Stimulate {
        /// The box.
        path: String,
        /// The input or output.
        port: String,
        /// Its value; null is a bang.
        #[serde(default)]
        value: Value,
    },
    /// Set a parameter of a box.
    Set {
        /// The box.
        path: String,
        /// The parameter.
        parameter: String,
        /// Its value.
        value: Value,
    },
    /// Raise an event of the robot's memory.
    Event {
        /// Its key.
        key: String,
        /// Its value.
        #[serde(default)]
        value: Value,
    },
    /// End the run.
    Stop,
}

/// What a page is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Told<'a> {
    /// First of all.
    Hello {
        protocol: u32,
        product: &'static str,
        title: &'a str,
        /// Something plays, and can be changed.
        live: bool,
        /// Names of the behaviors; each is at `/model/0` and so on, drawn at `/level/0?path=root/Dance`.
        models: Vec<&'a str>,
    },
    /// What can be seen: of a `whole` one all items, else those that have changed since the last one.
    Picture {
        whole: bool,
        /// The time, nanoseconds since the start.
        t: i64,
        /// The last time that there is.
        end: i64,
        /// Follows what happens.
        live: bool,
        /// It is over: the run's last line.
        #[serde(skip_serializing_if = "Option::is_none")]
        over: Option<&'a RawValue>,
        /// `[about, path, name, line, t, times, value]`.
        items: Vec<&'a Item>,
        /// How many lines the log has until then, and in all.
        told: usize,
        lines: usize,
    },
    /// A wish was not granted.
    Refused { wish: &'a str, why: &'a str },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_and_commands_are_told_apart_by_what_they_do() {
        let read = |text: &str| serde_json::from_str::<Wish>(text);
        assert_eq!(read(r#"{"do":"live"}"#).unwrap(), Wish::Live);
        assert_eq!(read(r#"{"do":"seek","t":5}"#).unwrap(), Wish::Seek { t: 5 });
        assert_eq!(read(r#"{"do":"stop"}"#).unwrap(), Wish::Command(Command::Stop));
        let bang = Command::Stimulate { path: "root/A".into(), port: "onStart".into(), value: Value::Null };
        assert_eq!(read(r#"{"do":"stimulate","path":"root/A","port":"onStart"}"#).unwrap(), Wish::Command(bang));
        assert!(read(r#"{"do":"dance"}"#).is_err());
    }
}
