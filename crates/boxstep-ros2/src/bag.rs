//! Recordings of ROS 2: MCAP files in the form of rosbag2, which `ros2 bag play` and Foxglove read.
//!
//! Every channel has messages in CDR with their definition (`ros2msg`), and the quality of service that its publisher
//! would have offered. Times are those of the run, from its beginning on the clock of the wall.

use crate::cdr::{self, CdrError};
use crate::frames::{self, Frame, Turn};
use crate::messages::builtin_interfaces::Time as Stamp;
use crate::messages::sensor_msgs::JointState;
use crate::messages::std_msgs::{Header, Text};
use crate::messages::tf2_msgs::TfMessage;
use crate::messages::{Message, definition};
use crate::posture::{Posture, Postures};
use crate::said::{self, Said};
use crate::tf::{placed, transforms};
use crate::urdf;
use boxstep_bodies::Body;
use boxstep_dynamics::Model;
use boxstep_trace::{PathTexts, Recording};
use boxstep_types::{Time, calendar};
use mcap::records::{MessageHeader, Metadata};
use mcap::{McapError, WriteOptions, Writer};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{self, Seek, Write};

/// How many postures a recording has a second, as `naoqi_driver2` publishes them.
pub const HZ: i64 = 50;

/// The longest recording.
const LONGEST: Time = Time(24 * 3600 * 1_000_000_000);

/// The size of a chunk, in bytes.
const CHUNK: u64 = 512 << 10;

/// Why a recording cannot be written.
#[derive(Debug)]
pub enum BagError {
    /// The file cannot be written.
    Io(io::Error),
    /// A message has no bytes: its topic, and why.
    Message(&'static str, CdrError),
    /// The run is longer than a day: the line of its trace that first is, counted from 1, and the time of that line.
    Long(usize, Time),
}

impl fmt::Display for BagError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BagError::Io(error) => error.fmt(f),
            BagError::Message(topic, why) => write!(f, "{topic}: {why}"),
            BagError::Long(line, at) => {
                write!(f, "line {line}: its time is {at} s, and a recording for ROS 2 has 24 hours at most")
            }
        }
    }
}

impl std::error::Error for BagError {}

impl From<io::Error> for BagError {
    fn from(error: io::Error) -> Self {
        BagError::Io(error)
    }
}

impl From<McapError> for BagError {
    fn from(error: McapError) -> Self {
        BagError::Io(match error {
            McapError::Io(error) => error,
            other => io::Error::other(other.to_string()),
        })
    }
}

/// The times of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Times {
    /// What a clock on the wall said at the beginning of the run, in nanoseconds since 1970.
    pub epoch: i64,
    /// The time of the first posture, on the run's clock.
    pub from: Time,
    /// The last time of the recording.
    pub to: Time,
}

impl Times {
    /// Returns those of a run: from its first event, which in a recording of bounded size is not its beginning, to its
    /// end, or to its last event if it was cut off.
    pub fn of(run: &Recording) -> Self {
        let header = run.header.as_ref();
        let started = header.and_then(|header| calendar::parse_epoch(header.started.as_deref()?).ok());
        let seconds = started.or(header.map(|header| header.epoch)).unwrap_or_default();
        let from = run.events.first().map_or(Time::ZERO, |event| event.t);
        let last = run.events.last().map_or(from, |event| event.t);
        Self { epoch: seconds.saturating_mul(1_000_000_000), from, to: run.end().max(last) }
    }

    /// Returns what a clock on the wall said at a time of the run, in nanoseconds since 1970.
    fn nanos(&self, at: Time) -> i64 {
        self.epoch.saturating_add(at.0)
    }
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// How many postures: joint states, and transforms with them.
    pub postures: u64,
    /// How many messages each topic has, by its name.
    pub topics: BTreeMap<&'static str, u64>,
}

/// Refuses a run of more than a day: its postures would fill the disk. A run that is not known from its beginning counts
/// from there.
fn check_length(run: &Recording, times: &Times) -> Result<(), BagError> {
    let is_whole = run.events.first().is_none_or(|event| event.n == 1);
    let begin = if is_whole { times.from.min(Time::ZERO) } else { times.from };
    let is_late = |at: Time| at.0.checked_sub(begin.0).is_none_or(|since| since > LONGEST.0);
    if !is_late(times.to) {
        return Ok(());
    }
    let late = run.events.iter().position(|event| is_late(event.t));
    // The first line is the header, the last one the footer.
    let line = late.unwrap_or(run.events.len()) + 2;
    Err(BagError::Long(line, late.and_then(|at| run.events.get(at)).map_or(times.to, |event| event.t)))
}

/// Writes a run. Events between two postures are written between them.
///
/// # Errors
/// The file cannot be written, or the run is longer than a day.
pub fn write<W: Write + Seek>(
    out: W,
    run: &Recording,
    body: &'static Body,
    postures: &mut dyn Postures,
    times: &Times,
) -> Result<Written, BagError> {
    check_length(run, times)?;
    let mut bag = Bag::create(out, body, *times)?;
    bag.about(run)?;
    bag.latched()?;
    let mut texts = PathTexts::default();
    let mut events = run.events.iter().peekable();
    let mut tick = times.from;
    loop {
        let due = |at: Time| at <= tick || tick > times.to;
        while let Some(event) = events.next_if(|event| due(event.t)) {
            let path = texts.get(event, &run.paths).map(|path| path.to_string()).unwrap_or_default();
            let stamp = Stamp::from_nanos(times.nanos(event.t));
            if let Some(said) = said::of(event, &path, stamp) {
                bag.say(event.t, &said)?;
            }
        }
        if tick > times.to {
            break;
        }
        if let Some(posture) = postures.at(tick) {
            bag.posture(tick, &posture)?;
        }
        let Some(next) = tick.0.checked_add(1_000_000_000 / HZ) else { break };
        tick = Time(next);
    }
    bag.finish()
}

/// A recording that is being written.
struct Bag<W: Write + Seek> {
    out: Writer<W>,
    body: &'static Body,
    model: Model,
    frames: Vec<Frame>,
    names: Vec<String>,
    times: Times,
    channels: HashMap<&'static str, (u16, u32)>,
    written: Written,
}

impl<W: Write + Seek> Bag<W> {
    fn create(out: W, body: &'static Body, times: Times) -> Result<Self, BagError> {
        let library = concat!("boxstep ", env!("CARGO_PKG_VERSION"));
        let options = WriteOptions::new()
            .compression(None)
            .chunk_size(Some(CHUNK))
            .profile("ros2")
            .library(library)
            .create(out)?;
        Ok(Self {
            out: options,
            body,
            model: Model::new(body),
            frames: frames::of(body),
            names: body.joints.iter().map(|joint| joint.name.to_owned()).collect(),
            times,
            channels: HashMap::new(),
            written: Written::default(),
        })
    }

    /// Writes what the recording is of.
    fn about(&mut self, run: &Recording) -> Result<(), BagError> {
        let header = run.header.as_ref();
        let files = header.map(|h| h.files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", "));
        let metadata = BTreeMap::from([
            ("product".to_owned(), header.map(|header| header.product.clone()).unwrap_or_default()),
            ("body".to_owned(), self.body.name.to_owned()),
            ("files".to_owned(), files.unwrap_or_default()),
        ]);
        Ok(self.out.write_metadata(&Metadata { name: "boxstep".to_owned(), metadata })?)
    }

    /// Writes what holds for the whole run: the description, and the frames that do not move.
    fn latched(&mut self) -> Result<(), BagError> {
        let (at, description) = (self.times.from, Text { data: urdf::of(self.body) });
        self.put(at, "/robot_description", &description)?;
        let stamp = self.stamp(at);
        let still = self.frames.iter().filter(|frame| frame.turn == Turn::Fixed);
        let transforms: Vec<_> =
            still.map(|frame| placed(stamp, &frame.parent, &frame.name, &frame.pose(&[]))).collect();
        if transforms.is_empty() { Ok(()) } else { self.put(at, "/tf_static", &TfMessage { transforms }) }
    }

    fn posture(&mut self, at: Time, posture: &Posture) -> Result<(), BagError> {
        let stamp = self.stamp(at);
        let header = Header { stamp, frame_id: String::new() };
        let state =
            JointState { header, name: self.names.clone(), position: posture.angles.clone(), ..JointState::default() };
        self.put(at, "/joint_states", &state)?;
        self.put(at, "/tf", &TfMessage { transforms: transforms(&self.model, &self.frames, posture, stamp) })?;
        self.written.postures += 1;
        Ok(())
    }

    fn say(&mut self, at: Time, said: &Said) -> Result<(), BagError> {
        match said {
            Said::Speech(text) => self.put(at, "/speech", text),
            Said::Bumper(touch) => self.put(at, "/bumper", touch),
            Said::HeadTouch(touch) => self.put(at, "/head_touch", touch),
            Said::HandTouch(touch) => self.put(at, "/hand_touch", touch),
            Said::Log(line) => self.put(at, "/rosout", line),
        }
    }

    fn stamp(&self, at: Time) -> Stamp {
        Stamp::from_nanos(self.times.nanos(at))
    }

    fn put<M: Message>(&mut self, at: Time, topic: &'static str, message: &M) -> Result<(), BagError> {
        let (channel_id, sequence) = match self.channels.get_mut(topic) {
            Some((channel, sequence)) => {
                *sequence = sequence.wrapping_add(1);
                (*channel, *sequence)
            }
            None => {
                let schema = self.out.add_schema(M::TYPE, "ros2msg", definition::<M>().as_bytes())?;
                let metadata = BTreeMap::from([("offered_qos_profiles".to_owned(), quality(topic))]);
                let channel = self.out.add_channel(schema, topic, "cdr", &metadata)?;
                self.channels.insert(topic, (channel, 0));
                (channel, 0)
            }
        };
        let bytes = cdr::encode(message).map_err(|why| BagError::Message(topic, why))?;
        // MCAP counts nanoseconds since 1970 without a sign.
        let log_time = u64::try_from(self.times.nanos(at)).unwrap_or(0);
        let header = MessageHeader { channel_id, sequence, log_time, publish_time: log_time };
        self.out.write_to_known_channel(&header, &bytes)?;
        *self.written.topics.entry(topic).or_default() += 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Written, BagError> {
        self.out.finish()?;
        // Finished data may still be in a buffer.
        self.out.into_inner().flush().map_err(BagError::Io)?;
        Ok(self.written)
    }
}

/// Returns the quality of service of a topic in the form of rosbag2: reliable; the description and the fixed frames also
/// for who subscribes later. Numbers, not words, because every version of rosbag2 reads them in a file by itself.
fn quality(topic: &str) -> String {
    let (depth, durability) = match topic {
        "/robot_description" | "/tf_static" => (1, 1),
        "/tf" => (100, 2),
        "/rosout" => (1000, 1),
        _ => (10, 2),
    };
    let endless = "\n    sec: 9223372036\n    nsec: 854775807";
    format!(
        "- history: 1\n  depth: {depth}\n  reliability: 1\n  durability: {durability}\n  deadline:{endless}\n  lifespan:{endless}\n  \
         liveliness: 1\n  liveliness_lease_duration:{endless}\n  avoid_ros_namespace_conventions: false"
    )
}
