//! What can be attached to a run.

use crate::failure::Failure;
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::Sink;
use boxstep_format::FormatError;
use boxstep_runner::RunningCharacter;
use std::cell::Cell;

/// Work that must still be done when the process exits before the end of the run.
pub(crate) type LastWords = Box<dyn FnOnce() + Send>;

/// An extension of a run that does not decide what happens in it. The methods are called in the order of their
/// declaration; for several attachments each is called in the order in which the run got the attachments.
pub(crate) trait Attachment {
    /// Returns the sinks that receive the events of the run.
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        Vec::new()
    }

    /// Returns what must be done if the process exits before the end of the run.
    fn last_words(&mut self) -> Option<LastWords> {
        None
    }

    /// Called when the engine exists and has not been driven yet.
    ///
    /// # Errors
    /// Why this attachment is impossible; the run does not begin then.
    fn attach(&mut self, _: &StartedRun) -> Result<(), Failure> {
        Ok(())
    }

    /// Called when the engine has ended, by an interrupt or otherwise. All attachments are still attached.
    fn driven(&mut self, _interrupted: bool) {}

    /// Returns whether the attachment remains after the run, until a signal comes.
    fn stays(&self) -> bool {
        false
    }

    /// Called when the run is over.
    fn detach(&mut self) {}

    /// Called after all attachments have been detached. Completes what the attachment writes.
    ///
    /// # Errors
    /// What could not be written.
    fn finish(&mut self) -> Result<(), Failure> {
        Ok(())
    }
}

/// `None` is an attachment that was not requested; it does nothing.
impl<A: Attachment> Attachment for Option<A> {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.as_mut().map(A::sinks).unwrap_or_default()
    }

    fn last_words(&mut self) -> Option<LastWords> {
        self.as_mut().and_then(A::last_words)
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        self.as_mut().map_or(Ok(()), |attached| attached.attach(started))
    }

    fn driven(&mut self, interrupted: bool) {
        if let Some(attached) = self {
            attached.driven(interrupted);
        }
    }

    fn stays(&self) -> bool {
        self.as_ref().is_some_and(A::stays)
    }

    fn detach(&mut self) {
        if let Some(attached) = self {
            attached.detach();
        }
    }

    fn finish(&mut self) -> Result<(), Failure> {
        self.as_mut().map_or(Ok(()), A::finish)
    }
}

/// An attachment that is only a sink.
pub(crate) struct Listener(Option<Box<dyn Sink>>);

impl Listener {
    pub(crate) fn new(sink: impl Sink + 'static) -> Self {
        Self(Some(Box::new(sink)))
    }
}

impl Attachment for Listener {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.0.take().into_iter().collect()
    }
}

/// What attachments get of a run whose engine exists and has not been driven yet.
pub(crate) struct StartedRun {
    pub(crate) engine: Shared<Engine>,
    /// The error of translations that cannot be read; texts are not translated then.
    pub(crate) untranslated: Option<FormatError>,
    /// The playing character. One of the attachments takes it.
    pub(crate) performance: Cell<Option<RunningCharacter>>,
    /// All work to do if the process exits early. One of the attachments takes it.
    pub(crate) last_words: Cell<Option<LastWords>>,
}
