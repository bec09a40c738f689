//! What leaders, members and those who watch tell each other.
//!
//! Messages may be lost, repeated and overtaken, so none of them is a step that must not be missed: leader and members
//! send their whole state again and again, and who comes later, or back, learns everything from the next one.

use crate::clock::FleetTime;
use crate::digest::Digest;
use crate::elsewhere::{Task, TaskNews};
use crate::network::PeerId;
use boxstep_types::{Time, Value};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The version of the messages. Peers of another version are told apart by it, and not understood.
pub const VERSION: u32 = 1;
/// The largest message, in bytes.
pub const MOST_BYTES: usize = 256 << 10;
/// The largest piece of a file in a message, in bytes.
pub const CHUNK: usize = 64 << 10;
/// The largest value of a signal, in bytes as it is written.
pub const MOST_VALUE: usize = 16 << 10;
/// How many bytes the values of all signals in a message have at most.
pub(crate) const MOST_VALUES: usize = 64 << 10;
/// How many traces of a performance a robot keeps at most: its last ones.
pub(crate) const MOST_RECORDINGS: usize = 32;
/// How many bytes of words are told, and how many reasons.
const MOST_WORDS: usize = 1000;
const MOST_REASONS: usize = 16;

/// A message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Asks all members to tell their state to the sender for the next seconds.
    Ask,
    /// The state of a member.
    Status(Box<Status>),
    /// The state of a performance, from its leader.
    Performance(Box<PerformanceState>),
    /// A member asks for the leader's time.
    Ping {
        /// The member's time.
        sent: Time,
    },
    /// The answer to a ping.
    Pong {
        /// The time in the ping.
        sent: Time,
        /// When the ping came.
        received: FleetTime,
        /// When this answer left.
        answered: FleetTime,
    },
    /// Asks for pieces of a file.
    Want {
        /// The file.
        digest: Digest,
        /// The first byte.
        offset: u64,
        /// How many pieces.
        count: u32,
    },
    /// A piece of a file.
    Chunk {
        /// The file.
        digest: Digest,
        /// The first byte.
        offset: u64,
        /// The bytes; they follow the message on the wire.
        #[serde(skip)]
        bytes: Vec<u8>,
    },
    /// What the character of a robot wants of another one.
    Delegations(Box<Delegations>),
    /// What became of it.
    Answers(Box<Answers>),
    /// Everything stops at once.
    Stop {
        /// A number by which a repetition is recognized.
        number: u64,
        /// The performance that stops; without one, all of them.
        performance: Option<u64>,
        /// Who stops it, for messages.
        by: String,
    },
}

/// Who a member is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberInfo {
    /// Its name in shows.
    pub name: String,
    /// The name of the robot's body.
    pub body: String,
    /// The version of Boxstep.
    pub version: String,
    /// The robot: `simulated`, or the address of a real one.
    pub robot: String,
}

/// The state of a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Status {
    /// Counts the states that this process has told: what was overtaken is old.
    pub serial: u64,
    /// Who it is.
    pub info: MemberInfo,
    /// The performance in which it takes part.
    pub performance: Option<u64>,
    /// What it is doing.
    pub state: MemberState,
    /// The scene that it has loaded and can start.
    pub loaded: Option<u32>,
    /// The last scene that it has started.
    pub started: Option<u32>,
    /// The last scene that has ended for it.
    pub done: Option<u32>,
    /// Seconds since the beginning of the scene that plays.
    pub position: Option<f64>,
    /// How well it knows the leader's time.
    pub clock: Option<ClockQuality>,
    /// The signals that it has given and that the leader has not passed on yet.
    pub fired: Vec<Fired>,
    /// What failed last.
    pub trouble: Option<String>,
    /// The traces of its runs in one performance, the last of which one has ended, in their order.
    pub recordings: Vec<Recording>,
    /// The performance of a run that has not ended, the first if there are several: its trace is still to come.
    pub records: Option<u64>,
}

impl Status {
    /// Shortens words and lists, so that the message is not too large.
    pub(crate) fn shorten(&mut self) {
        self.recordings.truncate(MOST_RECORDINGS);
        match &mut self.state {
            MemberState::Holding { why: words } | MemberState::Stopped { by: words } => shorten(words),
            MemberState::Refused { reasons } => shorten_all(reasons),
            _ => {}
        }
        self.trouble.iter_mut().for_each(shorten);
    }
}

/// The trace of a robot's run, a file that its member hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recording {
    /// The performance.
    pub performance: u64,
    /// The SHA-256 of the file.
    pub digest: Digest,
    /// Its size in bytes.
    pub size: u64,
}

/// How well a member knows the leader's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockQuality {
    /// By how many seconds it may be wrong.
    pub error: f64,
    /// How much faster the leader's clock runs, in millionths.
    pub drift: f64,
    /// The shortest round trip, in seconds.
    pub round_trip: f64,
    /// How many seconds its run is behind where it should be; negative if it is ahead.
    pub behind: f64,
    /// How often it has asked for the time.
    pub exchanges: u32,
}

/// What a member is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberState {
    /// Nothing: it can take part in a show.
    Free,
    /// It gets the files of the show.
    Fetching {
        /// Bytes that it has.
        have: u64,
        /// Bytes that it needs.
        of: u64,
    },
    /// It connects to the robot, checks and loads.
    Preparing,
    /// It is ready to start the scene that is loaded.
    Armed,
    /// It plays a scene.
    Playing,
    /// Its part of the scene has ended; it waits for the next one.
    Waiting,
    /// It has stopped, in a safe posture, and waits.
    Holding {
        /// The reason.
        why: String,
    },
    /// It was stopped, and takes no further part in this performance.
    Stopped {
        /// Who stopped it.
        by: String,
    },
    /// It cannot take part.
    Refused {
        /// The reasons.
        reasons: Vec<String>,
    },
}

/// A signal of a cue that a robot has given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fired {
    /// The number of the signal, counted by the robot's process.
    pub number: u64,
    /// The cue.
    pub cue: u32,
    /// When it was given.
    pub at: FleetTime,
    /// The value that it carries.
    pub value: Value,
}

/// A signal that goes to the robots of its cue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CueSignal {
    /// The process that gave it.
    pub by: PeerId,
    /// The signal.
    pub fired: Fired,
    /// When the robots get it.
    pub due: FleetTime,
}

/// All that the character of a robot wants of another one at the moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Delegations {
    /// The performance.
    pub performance: u64,
    /// The scene in which the character plays.
    pub scene: u32,
    /// The robot that is asked, by its index in the show.
    pub robot: u32,
    /// Counts the messages to this robot: what was overtaken is old.
    pub serial: u64,
    /// The process that is asked. Without it this only looks for one; a process that was started again is another one.
    pub peer: Option<PeerId>,
    /// What it is to do. What is not among it is to stop.
    pub tasks: Vec<Task>,
    /// The character is over.
    pub over: bool,
}

/// The answer to [`Delegations`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// The performance.
    pub performance: u64,
    /// The scene.
    pub scene: u32,
    /// The robot that was asked.
    pub robot: u32,
    /// Counts the answers of this process.
    pub serial: u64,
    /// The last message that it has heard.
    pub heard: u64,
    /// Why it does nothing for the character, if it does not.
    pub refused: Option<String>,
    /// The state of all that it has begun, unless it knows that the other side knows the end.
    pub news: Vec<TaskNews>,
}

/// The state of a performance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PerformanceState {
    /// The performance, a random number.
    pub performance: u64,
    /// Counts the states that the leader has told: what was overtaken is old.
    pub serial: u64,
    /// The show: the SHA-256 of its text.
    pub show: Digest,
    /// The size of that text, in bytes.
    pub show_size: u64,
    /// What is going on.
    pub phase: Phase,
    /// The scene that was announced last.
    pub scene: Option<SceneStart>,
    /// The signals of the last seconds.
    pub signals: Vec<CueSignal>,
    /// Members that have the name of another one, which was there first. They start nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub twins: Vec<PeerId>,
}

/// A scene, and when it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneStart {
    /// The index of the scene.
    pub scene: u32,
    /// When it begins.
    pub at: FleetTime,
}

/// What is going on in a performance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Robots are awaited, get files, and load.
    Preparing,
    /// It plays.
    Playing,
    /// It waits for a robot that is lost.
    Holding {
        /// The reason.
        why: String,
    },
    /// It has come to its end.
    Over,
    /// It was called off before its beginning.
    CalledOff {
        /// The reasons.
        reasons: Vec<String>,
    },
    /// Everything was stopped.
    Stopped {
        /// Who stopped it.
        by: String,
    },
}

impl Phase {
    /// Returns whether the performance is over, for whatever reason.
    pub fn is_over(&self) -> bool {
        matches!(self, Phase::Over | Phase::CalledOff { .. } | Phase::Stopped { .. })
    }

    /// Shortens words, so that the message is not too large.
    pub(crate) fn shorten(&mut self) {
        match self {
            Phase::Holding { why: words } | Phase::Stopped { by: words } => shorten(words),
            Phase::CalledOff { reasons } => shorten_all(reasons),
            Phase::Preparing | Phase::Playing | Phase::Over => {}
        }
    }
}

pub(crate) fn shorten(words: &mut String) {
    if words.len() > MOST_WORDS {
        words.truncate(words.floor_char_boundary(MOST_WORDS));
        words.push('…');
    }
}

fn shorten_all(reasons: &mut Vec<String>) {
    // A list that was shortened already stays as it is.
    if reasons.len() > MOST_REASONS + 1 {
        let more = reasons.len() - MOST_REASONS;
        reasons.truncate(MOST_REASONS);
        reasons.push(format!("{more} more"));
    }
    reasons.iter_mut().for_each(shorten);
}

/// Returns the size of a value as it is written.
pub(crate) fn size(value: &Value) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |bytes| bytes.len())
}

/// A message that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireError {
    /// It is larger than any message.
    TooLarge,
    /// It has another version.
    Version(u32),
    /// It is not a message.
    Malformed(String),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireError::TooLarge => write!(f, "the message has more than {MOST_BYTES} bytes"),
            WireError::Version(v) => write!(f, "the message has version {v}; this is version {VERSION}"),
            WireError::Malformed(why) => write!(f, "not a message of a fleet: {why}"),
        }
    }
}

impl std::error::Error for WireError {}

#[derive(Serialize)]
struct Sent<'a> {
    version: u32,
    message: &'a Message,
}

#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

#[derive(Deserialize)]
struct Came {
    message: Message,
}

impl Message {
    /// Writes the message: a line of JSON, and after it the bytes that it carries.
    pub fn encode(&self) -> Vec<u8> {
        // Every message can be written as JSON: it has text keys only.
        let mut bytes = serde_json::to_vec(&Sent { version: VERSION, message: self }).unwrap_or_default();
        bytes.push(b'\n');
        if let Message::Chunk { bytes: carried, .. } = self {
            bytes.extend_from_slice(carried);
        }
        bytes
    }

    /// Reads a message.
    ///
    /// # Errors
    /// [`WireError`].
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        if bytes.len() > MOST_BYTES {
            return Err(WireError::TooLarge);
        }
        let malformed = |why: serde_json::Error| WireError::Malformed(why.to_string());
        let end = bytes.iter().position(|b| *b == b'\n');
        let end = end.ok_or_else(|| WireError::Malformed("it has no first line".to_owned()))?;
        let Versioned { version } = serde_json::from_slice(&bytes[..end]).map_err(malformed)?;
        if version != VERSION {
            return Err(WireError::Version(version));
        }
        let Came { mut message } = serde_json::from_slice(&bytes[..end]).map_err(malformed)?;
        let rest = &bytes[end + 1..];
        match &mut message {
            Message::Chunk { bytes, .. } if rest.len() <= CHUNK => *bytes = rest.to_vec(),
            _ if rest.is_empty() => {}
            _ => return Err(WireError::Malformed("bytes follow it that do not belong to it".to_owned())),
        }
        Ok(message)
    }
}
