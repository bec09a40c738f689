//! The page of a run in the browser.

use super::attachment::{Attachment, StartedRun};
use crate::console::Outlet;
use crate::failure::Failure;
use crate::page_lines;
use crate::playable::Playable;
use crate::view::{self, LivePage, PageAddress, PlayAlone, ServicesOfClients};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::trace::Sink;
use boxstep_record::Normal;
use boxstep_view::{Models, Server, ViewSink};
use std::net::IpAddr;
use std::path::Path;

/// What a page shows of a run, and its address.
pub(crate) struct Shown<'a> {
    pub(crate) at: &'a str,
    pub(crate) token: Option<&'a Path>,
    pub(crate) meshes: Option<&'a Path>,
    /// The run begins paused.
    pub(crate) paused: bool,
    /// The page remains after the run.
    pub(crate) stays: bool,
    pub(crate) title: String,
    /// What plays, if anything does; the page draws it.
    pub(crate) playable: Option<Playable<'a>>,
    pub(crate) models: Models,
    pub(crate) body: &'static Body,
    /// Returns the function that plays single boxes, with pages at the given address, or why boxes cannot be played
    /// alone.
    pub(crate) alone: Box<dyn Fn(IpAddr) -> Result<PlayAlone, String> + 'a>,
    /// The services that other programs register at the run.
    pub(crate) others: ServicesOfClients,
    /// Prints the address of the page.
    pub(crate) outlet: Outlet,
}

/// The page of a run, served until the run's end or longer.
pub(crate) struct Page<'a> {
    shown: Shown<'a>,
    live: LivePage,
    sink: Option<ViewSink>,
    server: Option<Server>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(shown: Shown<'a>, normal: Normal) -> Result<Self, Failure> {
        let (live, sink) = LivePage::new(normal)?;
        Ok(Self { shown, live, sink: Some(sink), server: None })
    }
}

impl Attachment for Page<'_> {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.sink.take().into_iter().map(|sink| Box::new(sink) as Box<dyn Sink>).collect()
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let Shown { title, models, body, playable, .. } = &self.shown;
        let mut robot = view::robot(body, *playable, self.shown.meshes)?;
        if let Some(tablet) = &mut robot.tablet {
            tablet.others = self.shown.others.clone();
        }
        let place = PageAddress::parse(self.shown.at, self.shown.token)?;
        let alone = (self.shown.alone)(place.at.ip());
        let server = self.live.serve(place, &started.engine, title.clone(), models.clone(), robot, alone)?;
        self.shown.outlet.send(format!("{}\n", page_lines::announcement(&server.url())));
        if self.shown.paused {
            started.engine.poke(Engine::pause).map_err(|why| Failure::Usage(format!("--paused: {why}")))?;
        }
        self.server = Some(server);
        Ok(())
    }

    fn stays(&self) -> bool {
        self.shown.stays && self.server.is_some()
    }
}
