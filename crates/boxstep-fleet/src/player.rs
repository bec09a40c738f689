//! What plays a robot's part of a show.

use crate::elsewhere::{GuestDesk, LeadDesk};
use crate::network::PeerId;
use crate::sample::Sample;
use crate::show::Show;
use boxstep_types::{Time, Value};

/// A robot's part in a performance, as its recording names it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartId {
    /// The performance, a random number.
    pub performance: u64,
    /// The process of the robot.
    pub process: u64,
}

/// A signal, as recordings name it: the process that gave it, which counts them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalId {
    /// The process.
    pub by: PeerId,
    /// The number.
    pub number: u64,
}

/// Plays the part of one robot in one performance: an engine with a robot, or a model of one.
///
/// No method waits: what they begin is told by [`Player::poll`]. Times are those of the run's clock, which the member
/// keeps in step with the leader's.
pub trait Player {
    /// Connects to the robot, checks everything that the show wants of it, and gets ready. Its files are all there.
    /// [`PlayerEvent::Prepared`] or [`PlayerEvent::Refused`] follows.
    fn prepare(&mut self, show: &Show, robot: usize, part: PartId);

    /// Tells which time of the show a time of the run is. Called about every [`crate::member::STEP`], for the recording.
    fn clock(&mut self, sample: Sample);

    /// Loads a scene without starting it. [`PlayerEvent::Loaded`] or [`PlayerEvent::Refused`] follows.
    fn load(&mut self, scene: usize);

    /// Starts a scene that is loaded, at a time of the run. Whatever an earlier scene still plays ends then; until then
    /// signals and ends belong to that. [`PlayerEvent::Ended`] follows when all of it has ended.
    fn start(&mut self, scene: usize, at: Time);

    /// Ends what plays in the ordinary way; [`PlayerEvent::Ended`] follows.
    fn end(&mut self);

    /// Gives the signal of a cue, which came from another robot, at a time of the run.
    fn cue(&mut self, cue: usize, signal: SignalId, value: &Value, at: Time);

    /// Tells that the signal of a cue goes to the others under a number; `event` is that of [`PlayerEvent::Signal`].
    fn gave(&mut self, cue: usize, number: u64, event: u64);

    /// Ends what plays, and brings the robot into the posture in which it waits, if there is one.
    fn hold(&mut self, posture: Option<&str>);

    /// Stops the robot at once, and with it everything that plays.
    fn stop(&mut self);

    /// Ends the run: the performance is over.
    fn close(&mut self);

    /// Returns the scene whose character plays, or has ended last, and what it wants of other robots.
    fn lead(&self) -> Option<(usize, LeadDesk)> {
        None
    }

    /// Returns the scene in which this robot acts for the character of another one, and where it is told what that wants.
    fn guest(&self) -> Option<(usize, GuestDesk)> {
        None
    }

    /// Returns the performance of a run that has not ended, or whose trace was not taken; of the first if there are several.
    fn records(&self) -> Option<u64>;

    /// Takes the trace of a run that has ended, with its performance.
    fn take_recording(&mut self) -> Option<(u64, Vec<u8>)>;

    /// Returns what has happened up to a time of the run.
    fn poll(&mut self, run: Time) -> Vec<PlayerEvent>;
}

/// What has happened to a player.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerEvent {
    /// Robot and files are ready.
    Prepared,
    /// The robot cannot take part.
    Refused(Vec<String>),
    /// A scene is loaded.
    Loaded(usize),
    /// A scene has ended, for the reason if something has failed.
    Ended(usize, Option<String>),
    /// The robot has given the signal of a cue, at this time of the run. The last is the number of the event in its
    /// recording that gave it; 0 if there is none.
    Signal(usize, Value, Time, u64),
    /// The run has failed: the robot is lost. It is connected again after a while.
    Lost(String),
    /// Somebody has stopped the run here. The robot takes no further part.
    Stopped(String),
}
