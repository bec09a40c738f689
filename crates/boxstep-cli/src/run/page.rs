//! The page of a run in the browser.

use super::attachment::{Attachment, StartedRun};
use crate::console::Outlet;
use crate::editing::BehaviorEditor;
use crate::failure::Failure;
use crate::page_lines;
use crate::playable::Playable;
use crate::view::{self, LivePage, PageAddress, PlayAlone, ServicesOfClients};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::trace::Sink;
use boxstep_record::Normal;
use boxstep_types::Time;
use boxstep_view::{Editor, Models, Robot, TabletRun, Texts, ViewSink};
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

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
    pub(crate) language: String,
    pub(crate) simulated: bool,
    /// Returns the function that plays single boxes, with pages at the given address, or why boxes cannot be played
    /// alone.
    pub(crate) alone: Box<dyn Fn(IpAddr) -> Result<PlayAlone, String> + 'a>,
    /// The services that other programs register at the run.
    pub(crate) others: ServicesOfClients,
    /// Prints the address of the page.
    pub(crate) outlet: Outlet,
    /// The page can begin another run.
    pub(crate) restarts: bool,
    /// Changes the file of the behavior, if the page may.
    pub(crate) editor: Option<Arc<BehaviorEditor>>,
    /// Changes the texts of what plays, if the page may.
    pub(crate) texts: Option<Arc<dyn Texts>>,
}

/// The page of the run before, and from which time on the next one is watched.
pub(crate) struct NextRun {
    pub(crate) page: LivePage,
    pub(crate) from: Time,
}

/// The page of a run, served until the run's end or longer.
pub(crate) struct Page<'a> {
    shown: Shown<'a>,
    live: LivePage,
    sink: Option<ViewSink>,
    /// The time from which on a run that is played again is watched.
    from: Option<Time>,
}

impl<'a> Page<'a> {
    pub(crate) fn new(shown: Shown<'a>, normal: Normal) -> Result<Self, Failure> {
        let (live, sink) = LivePage::new(normal, shown.restarts)?;
        Ok(Self { shown, live, sink: Some(sink), from: None })
    }

    /// Shows the next run on the page of the one before.
    pub(crate) fn again(shown: Shown<'a>, normal: Normal, next: NextRun) -> Result<Self, Failure> {
        let (live, sink) = next.page.again(normal)?;
        Ok(Self { shown, live, sink: Some(sink), from: Some(next.from) })
    }

    /// Returns the page, for the next run.
    pub(crate) fn into_live(self) -> LivePage {
        self.live
    }
}

impl Attachment for Page<'_> {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.sink.take().into_iter().map(|sink| Box::new(sink) as Box<dyn Sink>).collect()
    }

    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let Shown { title, models, body, playable, .. } = &self.shown;
        let robot = view::robot(body, *playable, self.shown.meshes)?;
        let robot = Robot { simulated: self.shown.simulated, ..robot };
        let place = PageAddress::parse(self.shown.at, self.shown.token)?;
        let alone = (self.shown.alone)(place.at.ip());
        let from = self.from.filter(|from| *from > Time::ZERO);
        let run = TabletRun { engine: started.engine.clone(), others: self.shown.others.clone() };
        let editor = self.shown.editor.clone();
        if let Some(editor) = &editor {
            let localized = match playable {
                Some(Playable::Behavior(chosen)) => chosen.localized(&self.shown.language, body),
                _ => None,
            };
            editor.connect(&started.engine, models.clone(), body, localized);
        }
        self.live.editor = editor.map(|editor| editor as Arc<dyn Editor>);
        self.live.texts = self.shown.texts.clone();
        let url = self.live.serve(place, run, (title.clone(), models.clone()), robot, alone, from)?;
        match url {
            Some(url) => self.shown.outlet.send(format!("{}\n", page_lines::announcement(&url))),
            None => self.shown.outlet.send(format!("{}\n", page_lines::AGAIN)),
        }
        if self.from.is_none() && self.shown.paused {
            started.engine.poke(Engine::pause).map_err(|why| Failure::Usage(format!("--paused: {why}")))?;
        }
        Ok(())
    }

    fn stays(&self) -> bool {
        self.shown.stays && self.live.is_served()
    }
}
