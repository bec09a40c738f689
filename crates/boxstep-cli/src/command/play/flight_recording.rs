//! The flight recorder of a run on a real robot.

use super::robot::Real;
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::flight::{self, ActiveRecording};
use crate::playable::Playable;
use crate::run::{Attachment, LastWords, StartedRun};
use boxstep_engine::trace::Sink;
use boxstep_robot::naoqi::{NaoqiHandle, Watch};

/// The flight recording of a run on a real robot, with what the robot reports about itself.
pub(super) struct FlightRecording {
    robot: NaoqiHandle,
    /// The flight recorder samples the joints, because no option does.
    joints: bool,
    sink: Option<Box<dyn Sink>>,
    running: Option<ActiveRecording>,
    watched: Option<Watch>,
}

impl FlightRecording {
    /// Starts the flight recorder, unless it is switched off. If it cannot start, a warning is printed and the behavior
    /// plays without it.
    pub(super) fn new(robot: Real<'_>, args: &PlayArgs, playable: Playable<'_>) -> Result<Option<Self>, Failure> {
        let wish = args.recordings.flight_recorder.as_ref();
        Ok(flight::start(wish, robot.address, playable.normal()?).map(|(sink, running)| Self {
            robot: robot.handle.clone(),
            joints: args.spec.joints.is_none(),
            sink: Some(Box::new(sink)),
            running: Some(running),
            watched: None,
        }))
    }
}

impl Attachment for FlightRecording {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.sink.take().into_iter().collect()
    }

    fn last_words(&mut self) -> Option<LastWords> {
        self.running.as_ref().map(|running| Box::new(running.last_words()) as LastWords)
    }

    /// If the robot's own reports cannot be subscribed to, the behavior plays and less is recorded.
    fn attach(&mut self, _: &StartedRun) -> Result<(), Failure> {
        self.watched = self.robot.watch(self.joints).ok();
        Ok(())
    }

    fn detach(&mut self) {
        self.watched = None;
    }

    fn finish(&mut self) -> Result<(), Failure> {
        if let Some(running) = self.running.take() {
            running.finish();
        }
        Ok(())
    }
}
