//! Who may end a run from outside.

use super::attachment::{Attachment, Begun};
use crate::failure::Failure;
use crate::remote::{Remote, SignalWatch, end_with_input, watch};
use boxstep_engine::config::Control;
use std::sync::mpsc::Receiver;

/// Lets signals reach a run, and whoever holds its [`Remote`].
pub(crate) struct Signals {
    remote: Remote,
    commands: Option<Receiver<Control>>,
    /// So does the end of standard input.
    input: bool,
    watching: Option<SignalWatch>,
}

impl Signals {
    pub(crate) fn new() -> Self {
        let (remote, commands) = Remote::new();
        Self { remote, commands: Some(commands), input: false, watching: None }
    }

    /// The same, and the run ends as by Ctrl-C once standard input is closed.
    pub(crate) fn and_input(self, input: bool) -> Self {
        Self { input, ..self }
    }

    pub(crate) fn remote(&self) -> Remote {
        self.remote.clone()
    }
}

impl Attachment for Signals {
    fn attach(&mut self, begun: &Begun) -> Result<(), Failure> {
        if let Some(commands) = self.commands.take() {
            let last_words = begun.last_words.take().unwrap_or_else(|| Box::new(|| ()));
            self.watching = Some(watch(begun.engine.clone(), self.remote.clone(), commands, last_words)?);
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
