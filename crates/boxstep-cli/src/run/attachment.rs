//! What is attached to a run.

use crate::failure::Failure;
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_engine::trace::Sink;
use boxstep_format::FormatError;
use boxstep_runner::RunningCharacter;
use std::cell::Cell;

/// What is still done when the process ends at once.
pub(crate) type LastWords = Box<dyn FnOnce() + Send>;

/// Whatever else a run has than what decides it. The methods are called in the order in which they stand here; of several
/// attachments each time in the order in which the run was given them.
pub(crate) trait Attachment {
    /// What hears of each event.
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        Vec::new()
    }

    /// What is done when the process ends before the run.
    fn last_words(&mut self) -> Option<LastWords> {
        None
    }

    /// The engine is there and has not been driven.
    ///
    /// # Errors
    /// Why the run cannot have this attachment; it does not begin then.
    fn attach(&mut self, _: &Begun) -> Result<(), Failure> {
        Ok(())
    }

    /// The engine has come to its end, by an interrupt or otherwise, and all attachments are there.
    fn driven(&mut self, _interrupted: bool) {}

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

/// An attachment that is not asked for does nothing.
impl<A: Attachment> Attachment for Option<A> {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.as_mut().map(A::sinks).unwrap_or_default()
    }

    fn last_words(&mut self) -> Option<LastWords> {
        self.as_mut().and_then(A::last_words)
    }

    fn attach(&mut self, begun: &Begun) -> Result<(), Failure> {
        self.as_mut().map_or(Ok(()), |attached| attached.attach(begun))
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

/// Only hears.
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

/// What attachments get of a run whose engine is there and has not been driven.
pub(crate) struct Begun {
    pub(crate) engine: Shared<Engine>,
    /// Why texts are not translated, if there are translations that cannot be read.
    pub(crate) untranslated: Option<FormatError>,
    /// The character that plays, for one of the attachments.
    pub(crate) performance: Cell<Option<RunningCharacter>>,
    /// All that is to be done if the process ends at once, for one of the attachments.
    pub(crate) last_words: Cell<Option<LastWords>>,
}
