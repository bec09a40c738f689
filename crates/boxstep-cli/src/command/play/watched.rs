//! `play --watch`

use crate::failure::Failure;
use crate::playable::Read;
use crate::run::{Attachment, StartedRun};
use crate::run_setup::RunSetup;
use crate::watch::Watcher;
use std::path::Path;

/// Reloads files that change.
pub(super) struct WatchedFiles<'a> {
    read: &'a Read,
    /// The path as the user named it.
    file: &'a Path,
    setup: &'a RunSetup<'a>,
    watcher: Option<Watcher>,
}

impl<'a> WatchedFiles<'a> {
    pub(super) fn new(read: &'a Read, file: &'a Path, setup: &'a RunSetup<'a>) -> Self {
        Self { read, file, setup, watcher: None }
    }
}

impl Attachment for WatchedFiles<'_> {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let (engine, setup) = (started.engine.clone(), self.setup);
        let models = setup.models().cloned();
        self.watcher = match (self.read, started.performance.take()) {
            (Read::Behavior(chosen), _) => Some(Watcher::of_behavior(engine, self.file, setup, chosen, models)?),
            (Read::Character(loaded), Some(performance)) => {
                Some(Watcher::of_character(engine, loaded, performance, setup.language(), setup.body, models)?)
            }
            (Read::Character(_), None) => None,
        };
        Ok(())
    }

    fn detach(&mut self) {
        self.watcher = None;
    }
}
