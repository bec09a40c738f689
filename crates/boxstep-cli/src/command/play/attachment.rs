//! What is attached to a run: recordings, the terminal, a page, a qi server, files that are watched. An attachment hears of events, gets the
//! engine before it is driven, and is told when the run is over; the run knows nothing else of it.

use crate::Program;
use crate::args::PlayArgs;
use crate::console::Outlet;
use crate::failure::Failure;
use crate::playable::{Playable, Read};
use crate::run_setup::RunSetup;
use crate::scenario::Scenario;
use crate::watch::Watcher;
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::Sink;
use boxstep_format::FormatError;
use boxstep_runner::Performance;
use std::cell::Cell;

/// A run whose engine is there and has not been driven.
pub(super) struct Run<'a> {
    pub(super) args: &'a PlayArgs,
    pub(super) program: &'a Program,
    pub(super) scenario: &'a Scenario,
    pub(super) read: &'a Read,
    pub(super) setup: &'a RunSetup<'a>,
    pub(super) engine: Shared<Engine>,
    pub(super) outlet: Outlet,
    /// The robot as messages name it, if it is not the simulated one of this process.
    pub(super) robot: Option<&'a str>,
    /// The robot is the simulated one.
    pub(super) simulated: bool,
    /// Why texts are not translated, if there are translations that cannot be read.
    pub(super) untranslated: Option<FormatError>,
    /// The character that plays, for one of the attachments.
    pub(super) performance: Cell<Option<Performance>>,
}

impl<'a> Run<'a> {
    /// What plays.
    pub(super) fn piece(&self) -> Playable<'a> {
        self.read.piece()
    }
}

/// One of them.
pub(super) trait Attachment {
    /// What hears of each event, in the order of the attachments.
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        Vec::new()
    }

    /// The engine is there and has not been driven.
    ///
    /// # Errors
    /// Why the run cannot have this attachment; it does not begin then.
    fn attach(&mut self, _: &Run<'_>) -> Result<(), Failure> {
        Ok(())
    }

    /// Is it there when the run is over, until a signal comes?
    fn stays(&self) -> bool {
        false
    }

    /// The run is over.
    fn detach(&mut self) {}

    /// Everybody has been told; what is to be written is written.
    ///
    /// # Errors
    /// What could not be written.
    fn finish(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// Takes files that change.
#[derive(Default)]
pub(super) struct WatchedFiles(Option<Watcher>);

impl Attachment for WatchedFiles {
    fn attach(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        if !run.args.watch {
            return Ok(());
        }
        let (engine, models) = (run.engine.clone(), run.setup.models().cloned());
        self.0 = match (run.read, run.performance.take()) {
            (Read::Behavior(chosen), _) => Some(Watcher::of_behavior(engine, run.args, chosen, models)?),
            (Read::Character(cast), Some(performance)) => {
                let (language, body) = (run.setup.language(), run.setup.body);
                Some(Watcher::of_character(engine, cast, performance, language, body, models)?)
            }
            (Read::Character(_), None) => None,
        };
        Ok(())
    }

    fn detach(&mut self) {
        self.0 = None;
    }
}
