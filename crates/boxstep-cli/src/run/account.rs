//! The console output of a run on standard output.

use super::attachment::Attachment;
use crate::console::{Console, Outlet, Writer};
use crate::failure::Failure;
use crate::output;
use crate::remote::Remote;
use boxstep_engine::config::Control;
use boxstep_engine::trace::Sink;
use std::io;

/// The queue of lines for standard output, the thread that writes them, and the console that prints events.
pub(crate) struct Account {
    outlet: Outlet,
    writer: Option<Writer>,
    console: Option<Console>,
}

impl Account {
    /// Starts the writer thread. It stops the run when standard output is closed. In virtual time the run waits for a
    /// slow reader.
    pub(crate) fn new(virtual_time: bool, remote: Remote) -> io::Result<Self> {
        let stop = move || remote.send(Control::Stop);
        let (outlet, writer) = Outlet::start(crate::terminal::stdout_of_thread(), virtual_time, stop)?;
        Ok(Self { outlet, writer: Some(writer), console: None })
    }

    /// Adds a console, which prints the events of the run.
    pub(crate) fn with_console(self, console: impl FnOnce(Outlet) -> Console) -> Self {
        Self { console: Some(console(self.outlet())), ..self }
    }

    /// Returns a handle to print further lines.
    pub(crate) fn outlet(&self) -> Outlet {
        self.outlet.clone()
    }

    /// Writes the remaining lines. A closed standard output is not an error.
    ///
    /// # Errors
    /// Why the lines cannot be written.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        self.writer.take().map_or(Ok(()), |writer| writer.finish().or_else(output::unless_closed))
    }
}

impl Attachment for Account {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.console.take().into_iter().map(|console| Box::new(console) as Box<dyn Sink>).collect()
    }

    fn finish(&mut self) -> Result<(), Failure> {
        Ok(self.write()?)
    }
}
