//! Trial runs of a behavior that is edited: beside the run of its page, in virtual time, always on the simulated robot.

use crate::args::{PlayArgs, Scripts};
use crate::editing::BehaviorEditor;
use crate::failure::Failure;
use crate::playable::Read;
use crate::run::{Attachment, Listener, Run};
use crate::run_setup::{RunSetup, RunStart};
use crate::scenario::{self, Scenario};
use crate::settings::Settings;
use crate::{Program, PythonWish, helper, view};
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::shared::{NoScripts, Shared};
use boxstep_types::Time;
use boxstep_view::{SharedStore, ViewSink};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// How long a trial run is at most, in its own time.
const LONGEST: Time = Time::from_millis(10 * 60 * 1000);

/// Begins trial runs, one at a time. It ends the last one when it is dropped.
pub(crate) struct TrialRuns {
    asked: PlayArgs,
    program: Program,
    now: Mutex<Option<TrialRun>>,
}

/// The trial run of a version of a file.
struct TrialRun {
    version: u64,
    store: SharedStore,
    /// Its engine, once there is one; `None` in it if it is to end before that.
    engine: Arc<Mutex<TrialEngine>>,
}

#[derive(Default)]
struct TrialEngine {
    engine: Option<Shared<Engine>>,
    ends: bool,
}

impl TrialRuns {
    /// Prepares trial runs with the options of a run.
    pub(crate) fn new(asked: &PlayArgs, program: &Program) -> Self {
        let mut asked = asked.clone();
        let spec = &mut asked.spec;
        spec.virtual_time = true;
        // A page that only looks must not reach other machines.
        spec.network = false;
        spec.limit = Some(spec.limit.map_or(LONGEST, |limit| limit.min(LONGEST)));
        if spec.how() != Scripts::Off {
            spec.scripts = Some(Scripts::Process);
        }
        asked.robot.clear();
        Self { asked, program: program.clone(), now: Mutex::default() }
    }

    /// Returns the store of the trial run of a version of a file; begins that run if there is none, in place of the one
    /// before.
    pub(crate) fn of(&self, version: u64, editor: Weak<BehaviorEditor>) -> Result<SharedStore, String> {
        let mut now = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = now.as_ref().filter(|run| run.version == version) {
            return Ok(run.store.clone());
        }
        if let Some(before) = now.take() {
            before.end();
        }
        let run = self.begin(version, editor).map_err(|why| plain(&why))?;
        Ok(now.insert(run).store.clone())
    }

    fn begin(&self, version: u64, editor: Weak<BehaviorEditor>) -> Result<TrialRun, Failure> {
        let scenario = scenario::of_play(&self.asked)?;
        let mut read = Read::open(&self.asked, &scenario)?;
        if let Some(editor) = editor.upgrade() {
            editor.overlay(&mut read);
        }
        let (sink, store) = ViewSink::start(read.playable().normal()?)?;
        let engine = Arc::new(Mutex::new(TrialEngine::default()));
        let (asked, program) = (self.asked.clone(), self.program.clone());
        let (shown, place) = (store.clone(), engine.clone());
        let plays = move || {
            // What went wrong is said on the page.
            if let Err(why) = play(&asked, &program, (&scenario, &read), sink, &place) {
                shown.set_notice(Some(&plain(&why)));
            }
        };
        std::thread::Builder::new().name("trial run".to_owned()).spawn(plays)?;
        Ok(TrialRun { version, store, engine })
    }
}

impl Drop for TrialRuns {
    fn drop(&mut self) {
        let now = self.now.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(run) = now.take() {
            run.end();
        }
    }
}

impl TrialRun {
    /// Ends the run without waiting for it.
    fn end(self) {
        let mut place = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        place.ends = true;
        let Some(engine) = place.engine.take() else { return };
        drop(place);
        stop(&engine);
    }
}

/// A run that is over is not stopped.
fn stop(engine: &Shared<Engine>) {
    let _ = engine.poke(|engine| {
        let now = engine.now();
        engine.control(now, Control::Stop)
    });
}

/// Keeps the engine of a trial run, so that it can be ended.
struct Kept<'a>(&'a Mutex<TrialEngine>);

impl Attachment for Kept<'_> {
    fn attach(&mut self, started: &crate::run::StartedRun) -> Result<(), Failure> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if place.ends {
            stop(&started.engine);
        }
        place.engine = Some(started.engine.clone());
        Ok(())
    }

    fn detach(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).engine = None;
    }
}

fn play(
    asked: &PlayArgs,
    program: &Program,
    (scenario, read): (&Scenario, &Read),
    sink: ViewSink,
    place: &Mutex<TrialEngine>,
) -> Result<(), Failure> {
    let settings = Settings::for_path(&asked.file)?;
    let spec = &scenario.args.spec;
    let setup = RunSetup::new(read.playable(), spec, &scenario.given, &settings)?;
    let config = Config { pose_hz: Some(view::POSES), ..spec.config() };
    let host = match spec.how() {
        Scripts::Off => Box::new(NoScripts),
        // The helper ends with the thread that starts it, which is this one.
        _ => helper::start(PythonWish::of_play(&scenario.args).map(|(_, wish)| wish), program)?,
    };
    let (mut listener, mut kept) = (Listener::new(sink), Kept(place));
    let engine = |sinks| setup.engine(config, sinks, RunStart::Start);
    let run = Run::start(engine, vec![&mut listener, &mut kept])?;
    let ended = run.drive(&*host)?;
    ended.driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))
}

/// Returns a failure as a sentence for a page.
fn plain(why: &Failure) -> String {
    let text = anstream::adapter::strip_str(&why.to_string()).to_string();
    let first: Vec<&str> = text.lines().take(2).map(str::trim).collect();
    format!("the trial run is not possible: {}", first.join(" "))
}
