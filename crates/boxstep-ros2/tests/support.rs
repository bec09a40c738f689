//! What several tests use.

use boxstep_bodies::{Body, BodyKind, own};
use boxstep_ros2::bag::{self, Times, Written};
use boxstep_ros2::cdr;
use boxstep_ros2::posture::{Postures, Sampled, Unknown};
use boxstep_trace::Recording;
use serde::de::DeserializeOwned;
use std::io::Cursor;

/// The built-in bodies, and two that are read from files: one without known places, one with all that a body can have.
pub(crate) fn bodies() -> Vec<&'static Body> {
    let known = BodyKind::ALL.into_iter().map(BodyKind::body);
    known.chain([own_body("small-arm/arm.toml"), own_body("bodies/booster-t1.toml")]).collect()
}

/// Reads a body of the examples.
pub(crate) fn own_body(name: &str) -> &'static Body {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    own::open(path.as_ref(), &["ALTextToSpeech", "ALAnimatedSpeech", "ALAudioPlayer"])
        .unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// Reads a trace of these lines; each gets its line end, so the last one is not cut off.
pub(crate) fn run(lines: &[&str]) -> Recording {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Recording::read(text.as_bytes()).unwrap()
}

/// Writes a run with the joint angles of its trace.
pub(crate) fn written(run: &Recording, body: &'static Body) -> (Vec<u8>, Written) {
    let mut file = Cursor::new(Vec::new());
    let sampled = Sampled::of(run, body);
    let mut postures: Box<dyn Postures> = match sampled {
        Some(sampled) => Box::new(sampled),
        None => Box::new(Unknown),
    };
    let written = bag::write(&mut file, run, body, &mut *postures, &Times::of(run)).unwrap();
    (file.into_inner(), written)
}

/// A message of a recording.
pub(crate) struct Read {
    pub(crate) topic: String,
    pub(crate) at: u64,
    pub(crate) kind: String,
    pub(crate) bytes: Vec<u8>,
}

impl Read {
    /// Returns the message, after it was compared with what its bytes say again.
    pub(crate) fn message<T: DeserializeOwned + serde::Serialize>(&self) -> T {
        let message: T = cdr::decode(&self.bytes).unwrap();
        assert_eq!(cdr::encode(&message).unwrap(), self.bytes, "{}", self.topic);
        message
    }
}

/// Reads a recording with a reader of MCAP.
pub(crate) fn read(bytes: &[u8]) -> Vec<Read> {
    let messages = mcap::MessageStream::new(bytes).unwrap().map(|message| message.unwrap());
    let messages = messages.map(|message| {
        let channel = &message.channel;
        assert_eq!(channel.message_encoding, "cdr");
        let schema = channel.schema.as_ref().unwrap();
        assert_eq!((&*schema.encoding, message.log_time), ("ros2msg", message.publish_time));
        Read {
            topic: channel.topic.clone(),
            at: message.log_time,
            kind: schema.name.clone(),
            bytes: message.data.to_vec(),
        }
    });
    messages.collect()
}

/// Returns the messages of a topic.
pub(crate) fn of_topic<'a>(all: &'a [Read], topic: &str) -> Vec<&'a Read> {
    all.iter().filter(|message| message.topic == topic).collect()
}
