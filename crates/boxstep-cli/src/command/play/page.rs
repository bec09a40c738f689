//! The page of a run in the browser.

use super::attachment::{Attachment, Run};
use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::page_lines;
use crate::playable::Playable;
use crate::single_box::SingleBox;
use crate::view::{self, Live, PlayAlone};
use boxstep_engine::Engine;
use boxstep_engine::trace::Sink;
use boxstep_view::{Server, ViewSink};

/// A page, if one is asked for.
#[derive(Default)]
pub(super) struct Page {
    live: Option<Live>,
    sink: Option<ViewSink>,
    server: Option<Server>,
}

impl Page {
    pub(super) fn new(args: &PlayArgs, piece: Playable<'_>) -> Result<Self, Failure> {
        if args.view.is_none() {
            return Ok(Self::default());
        }
        let (live, sink) = Live::new(piece.normal()?)?;
        Ok(Self { live: Some(live), sink: Some(sink), server: None })
    }
}

impl Attachment for Page {
    fn sinks(&mut self) -> Vec<Box<dyn Sink>> {
        self.sink.take().into_iter().map(|sink| Box::new(sink) as Box<dyn Sink>).collect()
    }

    fn attach(&mut self, run: &Run<'_>) -> Result<(), Failure> {
        let (Some(at), Some(live), Some(models)) = (&run.args.view, &self.live, run.setup.models()) else {
            return Ok(());
        };
        let (args, piece) = (run.args, run.piece());
        let robot = view::robot(run.setup.body, Some(piece), args.meshes.as_deref())?;
        let place = view::PageAddress::of(at, args.view_token.as_deref())?;
        let alone = SingleBox::of(args, &run.scenario.given, piece, run.program, place.at.ip());
        let alone =
            alone.map(|alone| Box::new(move |behavior: &str, path: &str| alone.begin(behavior, path)) as PlayAlone);
        let server = live.serve(place, &run.engine, piece.title(), models.clone(), robot, alone)?;
        run.outlet.send(format!("{}\n", page_lines::announced(&server.url())));
        if args.paused {
            run.engine.poke(Engine::pause).map_err(|why| Failure::Usage(format!("--paused: {why}")))?;
        }
        self.server = Some(server);
        Ok(())
    }

    fn stays(&self) -> bool {
        self.server.is_some()
    }
}
