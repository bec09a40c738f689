//! The lines of a recording, one after the other, with all their fields as they are written.

use boxstep_trace::{Busy, Kind};
use boxstep_types::Time;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Read as _};
use std::sync::Arc;

/// The longest line that is read, in bytes: pictures of cameras are lines, too.
const MOST: u64 = 64 << 20;

/// Reads lines.
pub(super) struct Lines {
    from: Box<dyn BufRead>,
    /// The number of the last line, from 1.
    pub(super) number: u64,
    bytes: Vec<u8>,
}

/// What comes next in a file.
pub(super) enum Next {
    /// A line, without its end.
    Line(String),
    /// A line that is not text.
    NotText,
    /// The file ends in the middle of a line.
    Half,
    /// A line that is longer than any: nothing is read after it.
    TooLong,
    /// The file ends.
    End,
}

impl Lines {
    pub(super) fn new(from: Box<dyn BufRead>) -> Self {
        Self { from, number: 0, bytes: Vec::new() }
    }

    pub(super) fn next(&mut self) -> io::Result<Next> {
        self.bytes.clear();
        (&mut self.from).take(MOST).read_until(b'\n', &mut self.bytes)?;
        if self.bytes.is_empty() {
            return Ok(Next::End);
        }
        self.number += 1;
        let Some(line) = self.bytes.strip_suffix(b"\n") else {
            return Ok(if self.bytes.len() as u64 == MOST { Next::TooLong } else { Next::Half });
        };
        Ok(std::str::from_utf8(line).map_or(Next::NotText, |line| Next::Line(line.to_owned())))
    }
}

/// The fields of a line, as they are written.
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// A name whose text is borrowed where it can be.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Fields<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
                let mut fields = Vec::new();
                while let Some((Key(name), value)) = map.next_entry()? {
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }
        d.deserialize_map(All)
    }
}

/// What every event has.
#[derive(Deserialize)]
pub(super) struct Head<'a> {
    /// Absent in the last line of a recording.
    pub(super) n: Option<u64>,
    #[serde(default)]
    pub(super) t: Time,
    #[serde(default)]
    pub(super) cause: u64,
    #[serde(borrow, default)]
    pub(super) kind: Cow<'a, str>,
}

impl<'a> Head<'a> {
    /// Reads what every event has. An event is an object: of an array the same fields could be read, in their order.
    ///
    /// # Errors
    /// Why the line is none.
    pub(super) fn read(line: &'a str) -> Result<Self, String> {
        match line.trim_start().starts_with('{') {
            true => serde_json::from_str(line).map_err(|why| why.to_string()),
            false => Err("it is not an object".to_owned()),
        }
    }
}

/// The number, the time and the cause of an event in another recording, and the robot of which it is.
pub(super) struct Place<'a> {
    pub(super) n: u64,
    pub(super) t: Time,
    pub(super) cause: u64,
    pub(super) robot: &'a str,
}

/// Writes an event at another place, with all else unchanged. `time` maps the times that stand in it.
pub(super) fn moved(line: &str, place: &Place<'_>, time: impl Fn(Time) -> Time) -> serde_json::Result<String> {
    let Fields(fields) = serde_json::from_str(line)?;
    let Place { n, t, cause, robot } = place;
    let robot = serde_json::to_string(robot)?;
    let mut text = format!("{{\"n\":{n},\"t\":{},\"cause\":{cause},\"robot\":{robot}", t.0);
    for (name, value) in &fields {
        match &**name {
            "n" | "t" | "cause" | "robot" => continue,
            "busy" => text += &format!(",\"busy\":{}", busy(line, value.get(), &time)?),
            name => text += &format!(",{}:{}", serde_json::to_string(name)?, value.get()),
        }
    }
    text.push('}');
    Ok(text)
}

/// Writes who was busy at a forced stop, whose times are those of the run.
fn busy(line: &str, as_it_is: &str, time: impl Fn(Time) -> Time) -> serde_json::Result<String> {
    match serde_json::from_str::<Kind>(line) {
        Ok(Kind::Forced { busy }) => {
            let moved = |busy: &Busy| Busy { since: time(busy.since), ..busy.clone() };
            serde_json::to_string(&busy.iter().map(moved).collect::<Arc<[Busy]>>())
        }
        _ => Ok(as_it_is.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_moved_and_keeps_what_nobody_knows() {
        let place = Place { n: 70, t: Time(12), cause: 60, robot: "al\"to" };
        let line = r#"{"n":7,"t":2,"cause":6,"path":"root/A","kind":"later","x":{"y":[1.50,"é"]},"z":-0.0}"#;
        let moved_line = moved(line, &place, |time| time).unwrap();
        assert_eq!(
            moved_line,
            r#"{"n":70,"t":12,"cause":60,"robot":"al\"to","path":"root/A","kind":"later","x":{"y":[1.50,"é"]},"z":-0.0}"#
        );
        let line = r#"{"n":7,"t":2,"cause":6,"kind":"forced","busy":[{"behavior":"a","does":"onUnload","since":5}]}"#;
        let moved_line = moved(line, &place, |time| Time(time.0 + 100)).unwrap();
        assert!(moved_line.contains(r#""since":105"#), "{moved_line}");
        assert!(moved("[1]", &place, |time| time).is_err());
    }
}
