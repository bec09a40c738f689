//! The run for qi clients.

use super::attachment::{Attachment, Run};
use super::terminal::DIM;
use crate::failure::Failure;
use crate::playable::Playable;
use crate::uploads::UploadStore;
use boxstep_robot::serve::{Serving, ServingError};
use boxstep_services::{SimOptions, SimRobot};

/// A server, if one is asked for.
#[derive(Default)]
pub(super) struct QiServer {
    serving: Option<Serving>,
    uploads: Option<UploadStore>,
}

impl Attachment for QiServer {
    /// The services of a real robot are to be had from that robot, and those of a Python file by scripts alone.
    fn attach(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        let (Some(at), Some(uploads)) = (&run.args.serve, run.setup.uploads()) else { return Ok(()) };
        let server = crate::command::robot::listen(at)?;
        let told = (!run.args.quiet).then(|| run.outlet.clone());
        let models = run.setup.models().cloned();
        let inbox = uploads.inbox(&run.args.accept, server.address(), run.engine.clone(), told, models);
        self.uploads = Some(uploads.clone());
        let failed = |e: ServingError| Failure::Run(format!("the run cannot be served: {e}"));
        let options = SimOptions { body: run.setup.body, ..SimOptions::default() };
        let offers: Vec<_> = if run.simulated { SimRobot::new(options).services().collect() } else { Vec::new() };
        let serving = Serving::start(run.engine.clone(), server, &offers).map_err(failed)?;
        // Behaviors of a character come and go, and may be there several times: no path is one box's for good.
        let boxes = match run.piece() {
            piece @ Playable::Behavior(_) => piece.boxes().collect(),
            Playable::Character(_) => Vec::new(),
        };
        serving.offer_boxes(boxes, inbox).map_err(failed)?;
        if !run.args.quiet {
            run.outlet.send(format!("{DIM}served at tcp://{}{DIM:#}\n", serving.address()));
        }
        self.serving = Some(serving);
        Ok(())
    }

    fn detach(&mut self) {
        self.serving = None;
        if let Some(uploads) = self.uploads.take() {
            uploads.clear();
        }
    }
}
