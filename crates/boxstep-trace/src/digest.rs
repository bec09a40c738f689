//! What a trace holds of a large binary value, such as a camera's picture: its size, format and digest.
//!
//! The rule is in `docs/reference/trace.md`: a replay takes its inputs from the trace, so what came from outside the
//! run is kept; all else comes again from the scripts and the simulated robot.

use crate::{ClockKind, Event, Header, Kind};
use boxstep_types::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;

/// The largest binary value that a trace holds whole, in bytes.
pub const WHOLE: usize = 1024;

/// The bytes of the SHA-256 that are kept.
const KEPT: usize = 8;

/// The formats that are recognized by their first bytes.
const FORMATS: [(&[u8], &str); 6] = [
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"RIFF", "riff"),
    (b"OggS", "ogg"),
    (b"PK\x03\x04", "zip"),
    (b"BM", "bmp"),
];

/// Returns whether a run's robot is real, so that its answers and events come from outside the run.
pub fn is_robot_outside(header: &Header) -> bool {
    header.clock == ClockKind::Real && header.option("robot").is_some() && header.option("robot-file").is_none()
}

impl Event {
    /// Replaces the large binary values of the event by their digests, unless a replay needs them: the robot's if it
    /// is outside the run, and those of [`Kind::Control`] always.
    pub fn digest(&mut self, is_robot_outside: bool) {
        let is_input = match &self.kind {
            Kind::Control { .. } => true,
            // The arguments of calls decide which answer belongs to which call.
            Kind::Service(_) | Kind::ServiceDone(_) | Kind::Event { .. } => is_robot_outside,
            _ => false,
        };
        if !is_input {
            self.each_value(&mut |value| {
                if let Some(digest) = digested(value) {
                    *value = digest;
                }
            });
        }
    }
}

/// Returns the value with its large binary parts replaced; `None` if it has none.
fn digested(value: &Value) -> Option<Value> {
    match value {
        Value::Bytes(bytes) if bytes.len() > WHOLE => Some(digest_of(bytes)),
        Value::List(items) if items.iter().any(is_large) => {
            Some(Value::list(items.iter().map(|item| digested(item).unwrap_or_else(|| item.clone()))))
        }
        Value::Map(pairs) if pairs.iter().any(|(_, value)| is_large(value)) => {
            let pairs = pairs.iter().map(|(k, v)| (k.clone(), digested(v).unwrap_or_else(|| v.clone())));
            Some(Value::Map(pairs.collect()))
        }
        _ => None,
    }
}

/// Returns whether a value has a large binary part.
fn is_large(value: &Value) -> bool {
    match value {
        Value::Bytes(bytes) => bytes.len() > WHOLE,
        Value::List(items) => items.iter().any(is_large),
        Value::Map(pairs) => pairs.iter().any(|(_, value)| is_large(value)),
        _ => false,
    }
}

fn digest_of(bytes: &[u8]) -> Value {
    let format = FORMATS.iter().find(|(begin, _)| bytes.starts_with(begin)).map_or("raw", |(_, name)| name);
    let mut hex = String::with_capacity(2 * KEPT);
    for byte in Sha256::digest(bytes).iter().take(KEPT) {
        let _ = write!(hex, "{byte:02x}");
    }
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    Value::digest([("size", size.into()), ("format", format.into()), ("sha256", hex.into())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Control, Incoming, PathId, ReplyEvent};
    use boxstep_types::Time;

    fn event(kind: Kind) -> Event {
        Event { n: 1, t: Time::ZERO, cause: 0, path: PathId(0), kind }
    }

    fn reply(value: Value) -> Kind {
        let (service, method) = ("ALVideoDevice".into(), "getImageRemote".into());
        Kind::ServiceDone(Box::new(ReplyEvent { dir: Incoming::In, service, method, result: Ok(value), mock: false }))
    }

    fn picture() -> Value {
        Value::list([Value::Int(320), Value::Bytes(vec![7; 2000].into())])
    }

    #[test]
    fn a_large_value_becomes_size_format_and_digest() {
        let mut done = event(reply(picture()));
        done.digest(false);
        let Kind::ServiceDone(reply) = &done.kind else { panic!("{done:?}") };
        let text = reply.result.as_ref().unwrap().to_string();
        assert_eq!(text, r#"[320,{"$digest":{"size":2000,"format":"raw","sha256":"d28fe05a27ee9449"}}]"#);
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        png.resize(3000, 0);
        let mut inside = event(Kind::event("Picture", Value::map([("image", Value::Bytes(png.into()))])));
        inside.digest(false);
        let Kind::Event { value, .. } = &inside.kind else { panic!("{inside:?}") };
        assert!(value.to_string().starts_with(r#"{"image":{"$digest":{"size":3000,"format":"png","#), "{value}");
    }

    #[test]
    fn what_a_replay_needs_and_what_is_small_stays_whole() {
        let control = Control::Event { key: "Picture".into(), value: picture() };
        let small = event(reply(Value::Bytes(vec![7; WHOLE].into())));
        for (before, outside) in
            [(event(Kind::control(control)), false), (event(reply(picture())), true), (small, false)]
        {
            let mut after = before.clone();
            after.digest(outside);
            assert_eq!(after, before);
        }
        let mut outputs = event(Kind::Output { port: "onPicture".into(), value: picture() });
        outputs.digest(true);
        let Kind::Output { value, .. } = &outputs.kind else { panic!("{outputs:?}") };
        assert!(value.to_string().contains("$digest"), "a box gives it again: {value}");
    }

    #[test]
    fn only_a_real_robot_is_outside_the_run() {
        let mut header = Header::new(ClockKind::Real);
        assert!(!is_robot_outside(&header));
        header.options.push(("robot".to_owned(), "nao.local".into()));
        assert!(is_robot_outside(&header));
        header.options.push(("robot-file".to_owned(), "ab".into()));
        assert!(!is_robot_outside(&header));
    }
}
