//! A run, from its engine's first moment to the last word of what is attached to it: of `play`, `robot`, `test` and Python.
//!
//! What decides a run is said before (`args/run_spec.rs`, `run_setup.rs`). What shows, records, serves or guards it is an
//! [`Attachment`]: it hears of events, gets the engine before that is driven, and is told when the run is over; the run knows nothing
//! else of it.

mod account;
mod attachment;
mod page;
mod signals;

pub(crate) use account::Account;
pub(crate) use attachment::{Attachment, Begun, LastWords, Listener};
pub(crate) use page::{Page, Shown};
pub(crate) use signals::Signals;

use crate::failure::Failure;
use crate::remote::Waiting;
use crate::run_setup::Staged;
use boxstep_engine::shared::{Host, Shared};
use boxstep_engine::trace::{EndReason, Footer, Sink};
use boxstep_engine::{Engine, Wait};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// A run under way.
pub(crate) struct Run<'a> {
    engine: Shared<Engine>,
    attachments: Vec<&'a mut (dyn Attachment + 'a)>,
}

/// How a run has ended.
pub(crate) struct Ended {
    /// Why nothing ran the scripts, if that was so.
    pub(crate) driven: Result<(), String>,
    /// On the machine's clock.
    pub(crate) took: Duration,
    pub(crate) interrupted: bool,
    /// `None`: it was left before its end.
    pub(crate) footer: Option<Footer>,
    /// What would still have come, and what was waited for.
    pub(crate) waiting_for: Vec<String>,
    pub(crate) waits: Vec<Wait>,
    /// Some attachment is still there, until a signal comes.
    pub(crate) stays: Option<Waiting>,
}

impl<'a> Run<'a> {
    /// Makes an engine that tells the attachments all, and attaches them.
    ///
    /// # Errors
    /// Why there is no engine, or what an attachment lacks.
    pub(crate) fn start(
        engine: impl FnOnce(Vec<Box<dyn Sink>>) -> Result<Staged, Failure>,
        mut attachments: Vec<&'a mut (dyn Attachment + 'a)>,
    ) -> Result<Self, Failure> {
        let sinks = attachments.iter_mut().flat_map(|attached| attached.sinks()).collect();
        let last_words: Vec<_> = attachments.iter_mut().filter_map(|attached| attached.last_words()).collect();
        let Staged { engine, untranslated, performance } = engine(sinks)?;
        let begun = Begun {
            engine: Shared::of_run(engine),
            untranslated,
            performance: Cell::new(performance),
            last_words: Cell::new(Some(Box::new(|| last_words.into_iter().for_each(|say| say())))),
        };
        attachments.iter_mut().try_for_each(|attached| attached.attach(&begun))?;
        Ok(Self { engine: begun.engine, attachments })
    }

    /// The engine, for whoever drives it otherwise than [`Run::drive`] does.
    pub(crate) fn engine(self) -> Shared<Engine> {
        self.engine
    }

    /// Lets it play to its end.
    ///
    /// # Errors
    /// What an attachment could not write; each is finished all the same.
    pub(crate) fn drive(mut self, host: &dyn Host<Engine>) -> Result<Ended, Failure> {
        let began = Instant::now();
        let driven = host.drive(&self.engine);
        let took = began.elapsed();
        let interrupted = self.engine.lock().outcome().is_some_and(|footer| footer.reason == EndReason::Interrupted);
        self.each(|attached| attached.driven(interrupted));
        // From here on a signal is for what stays.
        let stays = !interrupted && self.attachments.iter().any(|attached| attached.stays());
        let stays = stays.then(Waiting::new).transpose()?;
        self.each(|attached| attached.detach());
        let state = self.engine.lock();
        let footer = state.outcome().cloned();
        let (waiting_for, waits) = (state.waiting_for(), state.waits());
        drop(state);
        // Each is finished, whatever comes of the others.
        let finished: Vec<_> = self.attachments.iter_mut().map(|attached| attached.finish()).collect();
        finished.into_iter().collect::<Result<(), _>>()?;
        Ok(Ended { driven, took, interrupted, footer, waiting_for, waits, stays })
    }

    fn each(&mut self, each: impl Fn(&mut dyn Attachment)) {
        self.attachments.iter_mut().for_each(|attached| each(&mut **attached));
    }
}
