//! How signals and the end of standard input end a run.

use super::attachment::{Attachment, StartedRun};
use crate::failure::Failure;
use crate::remote::{Remote, end_with_input, watch};
use crate::signals::SignalWatch;
use boxstep_engine::config::Control;
use std::sync::mpsc::Receiver;

/// Ends the run at SIGINT, SIGTERM or a command that another part of the program sends by a [`Remote`].
pub(crate) struct Signals {
    remote: Remote,
    commands: Option<Receiver<Control>>,
    /// The end of standard input ends the run, too.
    input: bool,
    watching: Option<SignalWatch>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        let (remote, commands) = Remote::new();
        Self { remote, commands: Some(commands), input: false, watching: None }
    }

    /// Also ends the run, as by Ctrl-C, when standard input is closed, if `input` is set.
    pub(crate) fn and_input(self, input: bool) -> Self {
        Self { input, ..self }
    }

    pub(crate) fn remote(&self) -> Remote {
        self.remote.clone()
    }
}

impl Attachment for Signals {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        if let Some(commands) = self.commands.take() {
            let last_words = started.last_words.take().unwrap_or_else(|| Box::new(|| ()));
            self.watching = Some(watch(started.engine.clone(), self.remote.clone(), commands, last_words)?);
        }
        if self.input {
            end_with_input()?;
        }
        Ok(())
    }

    fn detach(&mut self) {
        self.watching = None;
    }
}
