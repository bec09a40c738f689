//! The account of a run on standard output.

use super::attachment::Attachment;
use crate::console::{Console, Outlet, Writer};
use crate::failure::Failure;
use crate::output;
use crate::remote::Remote;
use boxstep_engine::config::Control;
use boxstep_engine::trace::Sink;
use std::io;

/// Where lines for standard output go, the thread that writes them, and who tells of events there.
pub(crate) struct Account {
    outlet: Outlet,
    writer: Option<Writer>,
    console: Option<Console>,
}

impl Account {
    /// When nobody reads any more, the run is stopped. In virtual time it waits for a reader who is slow.
    pub(crate) fn new(virtual_time: bool, remote: Remote) -> io::Result<Self> {
        let stop = move || remote.send(Control::Stop);
        let (outlet, writer) = Outlet::start(crate::terminal::stdout_of_thread(), virtual_time, stop)?;
        Ok(Self { outlet, writer: Some(writer), console: None })
    }

    /// The same, which tells of events.
    pub(crate) fn told_by(self, console: impl FnOnce(Outlet) -> Console) -> Self {
        Self { console: Some(console(self.outlet())), ..self }
    }

    /// For further lines.
    pub(crate) fn outlet(&self) -> Outlet {
        self.outlet.clone()
    }

    /// Writes what is left. A reader who has gone is none who lacks anything.
    ///
    /// # Errors
    /// Why it cannot be written.
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
