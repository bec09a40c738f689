//! A run, from the start of its engine to the end of the last attachment: for `play`, `robot`, `test` and Python.
//!
//! The options of a run are decided before (`args/run_spec.rs`, `run_setup.rs`). Everything that shows, records, serves
//! or guards a run is an [`Attachment`]: it receives events, gets the engine before that is driven, and is notified
//! when the run is over. The run knows nothing else of its attachments.

mod account;
mod attachment;
#[cfg_attr(not(feature = "ros2"), path = "run/no_node.rs")]
mod node;
mod page;
mod recordings;
mod signals;

pub(crate) use account::Account;
pub(crate) use attachment::{Attachment, LastWords, Listener, StartedRun};
#[cfg(feature = "ros2")]
pub(crate) use node::ros_domain;
pub(crate) use node::{HZ as NODE_HZ, RosNode};
pub(crate) use page::{NextRun, Page, Shown};
pub(crate) use recordings::Recordings;
pub(crate) use signals::Signals;

use crate::failure::Failure;
use crate::remote::Waiting;
use crate::run_setup::PreparedRun;
use boxstep_engine::shared::{Host, Shared};
use boxstep_engine::trace::{EndReason, Footer, Sink};
use boxstep_engine::{Engine, Wait};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A run that is set up, with its engine and attachments.
pub(crate) struct Run<'a> {
    engine: Shared<Engine>,
    attachments: Vec<&'a mut (dyn Attachment + 'a)>,
}

/// How a run has ended.
pub(crate) struct Ended {
    /// Why the script host stopped early, if it did.
    pub(crate) driven: Result<(), String>,
    /// How long the run took, in wall-clock time.
    pub(crate) took: Duration,
    pub(crate) interrupted: bool,
    /// The footer of the trace; `None` if the run was abandoned before its end.
    pub(crate) footer: Option<Footer>,
    /// What could still have happened in the run, and what its boxes were waiting for.
    pub(crate) waiting_for: Vec<String>,
    pub(crate) waits: Vec<Wait>,
    /// Waits for a signal if an attachment remains after the run, such as a page.
    pub(crate) stays: Option<Waiting>,
}

impl<'a> Run<'a> {
    /// Creates an engine that sends its events to the attachments, and attaches them.
    ///
    /// # Errors
    /// Why the engine cannot be created, or why an attachment cannot be attached.
    pub(crate) fn start(
        engine: impl FnOnce(Vec<Box<dyn Sink>>) -> Result<PreparedRun, Failure>,
        mut attachments: Vec<&'a mut (dyn Attachment + 'a)>,
    ) -> Result<Self, Failure> {
        let sinks = attachments.iter_mut().flat_map(|attached| attached.sinks()).collect();
        let last_words: Vec<_> = attachments.iter_mut().filter_map(|attached| attached.last_words()).collect();
        let PreparedRun { engine, untranslated, performance } = engine(sinks)?;
        let started = StartedRun {
            engine: Shared::of_run(engine),
            untranslated,
            performance: Cell::new(performance),
            last_words: Cell::new(Some(Box::new(|| last_words.into_iter().for_each(|say| say())))),
        };
        attachments.iter_mut().try_for_each(|attached| attached.attach(&started))?;
        Ok(Self { engine: started.engine, attachments })
    }

    /// Returns the engine, for callers that drive it by other means than [`Run::drive`].
    pub(crate) fn engine(self) -> Shared<Engine> {
        self.engine
    }

    /// Drives the engine to its end.
    ///
    /// # Errors
    /// What an attachment could not write. All attachments are finished even then.
    pub(crate) fn drive(mut self, host: &dyn Host<Engine>) -> Result<Ended, Failure> {
        let began = Instant::now();
        let driven = host.drive(&self.engine);
        let took = began.elapsed();
        let interrupted = self.engine.lock().outcome().is_some_and(|footer| footer.reason == EndReason::Interrupted);
        self.each(|attached| attached.driven(interrupted));
        // From here on a signal ends the attachments that remain.
        let stays = !interrupted && self.attachments.iter().any(|attached| attached.stays());
        let stays = stays.then(Waiting::new).transpose()?;
        self.each(|attached| attached.detach());
        let state = self.engine.lock();
        let footer = state.outcome().cloned();
        let (waiting_for, waits) = (state.waiting_for(), state.waits());
        drop(state);
        // An attachment is finished even if another one fails.
        let finished: Vec<_> = self.attachments.iter_mut().map(|attached| attached.finish()).collect();
        finished.into_iter().collect::<Result<(), _>>()?;
        Ok(Ended { driven, took, interrupted, footer, waiting_for, waits, stays })
    }

    fn each(&mut self, each: impl Fn(&mut dyn Attachment)) {
        self.attachments.iter_mut().for_each(|attached| each(&mut **attached));
    }
}
