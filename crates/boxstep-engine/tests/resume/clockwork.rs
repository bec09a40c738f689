//! What makes behaviors without scripts lively: native boxes that can be saved.

use boxstep_engine::door::{Frame, TimelineCommand};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::trace::{ClockKind, Header};
use boxstep_format::model::BoxDef;
use boxstep_types::Value;
use std::collections::BTreeMap;

/// The same behavior with no script in it.
pub fn without_scripts(xml: &str) -> String {
    let mut parts = xml.split("<script");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out += part.split_once("</script>").map_or("", |(_, rest)| rest);
    }
    out
}

/// Every other box that has no inside is native.
pub struct Half;

impl NativeFactory for Half {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        let first = definition.name.bytes().next().unwrap_or_default();
        let leaf = definition.timeline.is_none() && definition.outputs.len() > 1;
        (leaf && (first.is_multiple_of(2) || first == b'Z'))
            .then(|| Box::new(Clockwork(u64::from(first))) as Box<dyn NativeBox>)
    }
}

/// What it does next depends on all that was done to it.
struct Clockwork(u64);

impl NativeBox for Clockwork {
    fn load(&mut self, _: &mut NativeCx<'_>) {
        self.0 = self.0.wrapping_mul(31) + 7;
    }

    fn input(&mut self, cx: &mut NativeCx<'_>, input: usize, value: &Value) {
        let number = value.as_i64().unwrap_or(1) as u64;
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(number + input as u64);
        let draw = self.0 >> 33;
        match draw % 8 {
            0 => cx.output(0, Value::Null),
            1..4 => cx.output(1, Value::Int((draw % 100) as i64)),
            4 => cx.parent_timeline(TimelineCommand::GoTo(Frame::Number((draw % 50) as i64))),
            5 => {
                let commands = [TimelineCommand::Pause, TimelineCommand::Play, TimelineCommand::SetFps(10)];
                cx.parent_timeline(commands[(draw / 8 % 3) as usize].clone());
            }
            6 => {
                cx.output(1, Value::Null);
                cx.output(0, Value::Null);
            }
            _ => {}
        }
    }

    fn save(&self) -> Option<Value> {
        Some(Value::Int(self.0 as i64))
    }

    fn restore(&mut self, state: &Value) -> Result<(), String> {
        self.0 = state.as_i64().ok_or("not a number")? as u64;
        Ok(())
    }
}

pub fn header() -> Header {
    Header { product: "test".to_owned(), body: "nao".to_owned(), ..Header::new(ClockKind::Virtual) }
}

/// What snapshots must hold somewhere, else the cases prove less than they look.
pub const SHOWN: [&str; 12] = [
    "a box is started",
    "a box is loaded",
    "a cursor moves",
    "a cursor rests",
    "a keyframe is loaded",
    "a state machine",
    "a time of a state",
    "a native box",
    "a resource is held",
    "something is still to come from outside",
    "a start waits",
    "a timeline is paused for another",
];

/// How many of them, at the end, come up seldom.
pub const SELDOM: usize = 2;

/// Counts what a snapshot holds.
pub fn tally(json: &str, tally: &mut BTreeMap<&'static str, u64>) {
    let signs = [
        r#""phase":"Active""#,
        r#""phase":"InScope""#,
        r#""since":"#,
        r#""since":null,"reached":0"#,
        r#""current":[1"#,
        r#""machine":{"#,
        r#"{"transition":"#,
        r#""native":{"#,
        r#""asked":"#,
        r#"{"control":"#,
        r#""who":{"start":"#,
        r#""who":{"paused":"#,
    ];
    for (what, sign) in SHOWN.into_iter().zip(signs) {
        let found = match what {
            "a cursor moves" => json.split(sign).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit())),
            "a cursor rests" => json.contains(r#""since":null"#),
            _ => json.contains(sign),
        };
        if found {
            *tally.entry(what).or_default() += 1;
        }
    }
}
