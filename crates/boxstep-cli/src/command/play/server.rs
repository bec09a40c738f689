//! Serves the run to qi clients.

use super::terminal::DIM;
use crate::args::AcceptArgs;
use crate::console::Outlet;
use crate::failure::Failure;
use crate::playable::Playable;
use crate::qi_listener::{announce, listen};
use crate::run::{Attachment, StartedRun};
use crate::run_setup::RunSetup;
use crate::uploads::UploadStore;
use crate::view::{ForPages, ServicesOfClients};
use boxstep_robot::find::Announcement;
use boxstep_robot::serve::{Serving, ServingError};
use boxstep_services::{SimOptions, SimRobot};

/// Serves the boxes of a run, and the services of a simulated robot.
pub(super) struct QiServer<'a> {
    pub(super) at: &'a str,
    pub(super) accept: &'a AcceptArgs,
    pub(super) setup: &'a RunSetup<'a>,
    pub(super) uploads: UploadStore,
    /// The robot is simulated. The services of a real robot are available from that robot itself, and those of a Python
    /// file only to scripts.
    pub(super) simulated: bool,
    /// Where the page finds the services that clients register.
    pub(super) others: ServicesOfClients,
    /// Prints the address, and the behaviors that clients send.
    pub(super) announcements: Option<Outlet>,
    pub(super) serving: Option<Serving>,
    /// Other machines hear of the robot.
    pub(super) announcement: Option<Announcement>,
}

impl Attachment for QiServer<'_> {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let server = listen(self.at, None)?.server;
        let (engine, models) = (&started.engine, self.setup.models().cloned());
        let inbox =
            self.uploads.inbox(self.accept, server.address(), engine.clone(), self.announcements.clone(), models);
        let failed = |e: ServingError| Failure::Run(format!("the run cannot be served: {e}"));
        let options = SimOptions { body: self.setup.body, ..SimOptions::default() };
        let name = options.name.clone();
        let offers: Vec<_> = if self.simulated { SimRobot::new(options).services().collect() } else { Vec::new() };
        let serving = Serving::start(engine.clone(), server, &offers).map_err(failed)?;
        // Behaviors of a character come and go and may run several times at once, so no path stands for one box for
        // good.
        let boxes = match self.setup.playable() {
            playable @ Playable::Behavior(_) => playable.boxes().collect(),
            Playable::Character(_) => Vec::new(),
        };
        serving.offer_boxes(boxes, inbox).map_err(failed)?;
        // A run is served once.
        let _ = self.others.set(Box::new(ForPages(serving.client_services())));
        if let Some(announcements) = &self.announcements {
            announcements.send(format!("{DIM}served at tcp://{}{DIM:#}\n", serving.address()));
        }
        self.announcement = self.simulated.then(|| announce(&name, serving.address(), false)).flatten();
        self.serving = Some(serving);
        Ok(())
    }

    fn detach(&mut self) {
        self.announcement = None;
        self.serving = None;
        self.uploads.clear();
    }
}
