//! The page that shows a run, for `play --view` and `view`.

use crate::failure::{Failure, system_message};
use crate::open::Chosen;
use crate::playable::Playable;
use crate::remote::Waiting;
use crate::signals::SignalWatch;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::debugger::{NotPaused, Step};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::services::{AnswerListener, TopicListener};
use boxstep_engine::shared::Shared;
use boxstep_record::Normal;
use boxstep_robot::serve::ClientServices;
use boxstep_types::{BoxPath, Time, Value};
use boxstep_view::{
    Access, Command, Controls, Editor, Model, Models, NoToken, OtherServices, Robot, Server, SharedStore, Show, Stop,
    Tablet, TabletEngine, TabletRun, Texts, Token, ViewSink,
};
use std::any::Any;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// How many times per second the page gets the pose of the robot.
pub(crate) const POSES: f64 = 25.0;

/// Describes the robot for the page. Without a behavior or character only its body is drawn.
pub(crate) fn robot(
    body: &'static Body,
    playable: Option<Playable<'_>>,
    meshes: Option<&Path>,
) -> Result<Robot, Failure> {
    if let Some(folder) = meshes.filter(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(format!("--meshes {}: there is no such folder", folder.display())));
    }
    let folder = playable.map(Playable::folder).transpose()?;
    let html = playable.map(|playable| playable.project_folder().join("html")).filter(|html| html.is_dir());
    let tablet = html.map(|folder| Tablet { folder, engine: TabletEngine::default() });
    Ok(Robot { meshes: meshes.map(Path::to_path_buf), folder, tablet, ..Robot::of(body) })
}

/// The address of a page, and who may see it.
pub(crate) struct PageAddress {
    pub(crate) at: SocketAddr,
    pub(crate) access: Access,
}

impl PageAddress {
    /// Parses the address of a page. The token is read from a file; without one the server generates it.
    pub(crate) fn parse(text: &str, token: Option<&Path>) -> Result<Self, Failure> {
        let wrong = || {
            Failure::Usage(format!("`{text}` is not an address to listen on: write IP:PORT, such as 127.0.0.1:8080"))
        };
        let at = text.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
        Ok(Self { at, access: Access { token: token.map(token_of).transpose()?, ..Access::default() } })
    }

    /// Returns a function that explains why the address cannot be listened on.
    pub(crate) fn unheard(at: SocketAddr) -> impl Fn(io::Error) -> Failure {
        move |why| Failure::Run(format!("cannot listen on {at}: {}", system_message(&why)))
    }
}

/// Reads a token from a file. Like a password, it is not an argument itself, because every account of the computer
/// could read it.
fn token_of(file: &Path) -> Result<Token, Failure> {
    // Do not print the argument: it may be a token that was given instead of a file.
    let failed = |why: &dyn fmt::Display| Failure::Usage(format!("the file that --view-token names: {why}"));
    let file = File::open(file).map_err(|e| failed(&system_message(&e)))?;
    if file.metadata().is_ok_and(|known| others_read(&known)) {
        return Err(failed(&"other accounts can read it: chmod 600"));
    }
    let mut line = String::new();
    BufReader::new(file.take(LONGEST)).read_line(&mut line).map_err(|e| failed(&system_message(&e)))?;
    line.trim().parse().map_err(|e: NoToken| failed(&e))
}

/// The maximum length of a line with a token, in bytes.
const LONGEST: u64 = 4096;

#[cfg(unix)]
fn others_read(file: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.is_file() && file.permissions().mode() & 0o077 != 0
}

// On other systems the permissions of the folder decide, which by default lets only the owner in.
#[cfg(not(unix))]
fn others_read(_: &Metadata) -> bool {
    false
}

/// Serves a page.
pub(crate) fn serve(place: PageAddress, show: Show) -> Result<Server, Failure> {
    Server::start(place.at, show, place.access).map_err(PageAddress::unheard(place.at))
}

/// Returns the model of a behavior, which the page draws.
pub(crate) fn model(chosen: &Chosen, body: &'static Body) -> Model {
    Model { name: chosen.name.clone(), file: Arc::new(chosen.file.clone()), body }
}

/// Plays a box of a behavior alone, both given by name, and returns the URL of its page.
pub(crate) type PlayAlone = Box<dyn Fn(&str, &str) -> Result<String, String> + Send + Sync>;

/// The services that programs register at a served run, for the pages of its tablet. Empty until it is served.
pub(crate) type ServicesOfClients = Arc<OnceLock<Box<dyn OtherServices>>>;

/// Services of clients, as the pages of a tablet use them.
pub(crate) struct ForPages(pub(crate) ClientServices);

impl OtherServices for ForPages {
    fn has(&self, service: &str) -> bool {
        self.0.has(service)
    }

    fn call(&self, service: &str, method: &str, args: &[Value], then: AnswerListener) {
        self.0.call(service, method, args, then);
    }

    fn connect(&self, service: &str, signal: &str, listener: TopicListener) -> Result<Box<dyn Any + Send>, String> {
        self.0.subscribe(service, signal, listener).map(|subscription| Box::new(subscription) as Box<dyn Any + Send>)
    }
}

/// The page of a run that is going on, and of the runs that follow it at the same address.
pub(crate) struct LivePage {
    shared: SharedStore,
    controls: Arc<PageControls>,
    tablet: TabletEngine,
    models: Models,
    /// Changes the file of the behavior, if the page may.
    pub(crate) editor: Option<Arc<dyn Editor>>,
    /// Changes the texts of what plays, if the page may.
    pub(crate) texts: Option<Arc<dyn Texts>>,
    server: Option<Server>,
}

impl LivePage {
    /// Creates the store of the run, and the sink that fills it. `restarts`: the page can begin another run.
    pub(crate) fn new(normal: Normal, restarts: bool) -> Result<(Self, ViewSink), Failure> {
        let (sink, shared) = ViewSink::start(normal)?;
        let controls = Arc::new(PageControls { restarts, ..PageControls::default() });
        Ok((
            Self {
                shared,
                controls,
                tablet: TabletEngine::default(),
                models: Models::default(),
                editor: None,
                texts: None,
                server: None,
            },
            sink,
        ))
    }

    /// Begins the next run on the page.
    pub(crate) fn again(self, normal: Normal) -> Result<(Self, ViewSink), Failure> {
        let sink = ViewSink::restart(&self.shared, normal)?;
        Ok((self, sink))
    }

    /// Connects the run, and serves the page if it is not served yet. A run that is to be seen from a time on goes there
    /// as fast as it can. Returns the URL of a page that is new.
    pub(crate) fn serve(
        &mut self,
        place: PageAddress,
        run: TabletRun,
        (title, models): (String, Models),
        mut robot: Robot,
        alone: Result<PlayAlone, String>,
        from: Option<Time>,
    ) -> Result<Option<String>, Failure> {
        let engine = run.engine.clone();
        self.tablet.set(engine.lock().runs_scripts().then_some(run));
        let (shared, ahead) = (self.shared.clone(), Arc::new(AtomicBool::new(from.is_some())));
        let ((stepped, steps), goes) = (channel(), ahead.clone());
        engine.lock().on_debugger_change(move |state, flow| {
            if !goes.load(Ordering::Acquire) {
                shared.set_debugger(state, flow);
            } else if state.paused {
                // The other end is gone once the time is reached.
                let _ = stepped.send(());
            }
        });
        if let Some(from) = from {
            go_ahead(engine.clone(), from, ahead, steps)?;
        }
        self.controls.connect(&engine, alone);
        if self.server.is_some() {
            return Ok(None);
        }
        if let Some(tablet) = &mut robot.tablet {
            tablet.engine = self.tablet.clone();
        }
        self.models = models.clone();
        let controls: Option<Arc<dyn Controls>> = Some(self.controls.clone());
        let (editor, texts) = (self.editor.clone(), self.texts.clone());
        let server = serve(place, Show { title, shared: self.shared.clone(), models, controls, robot, editor, texts })?;
        let url = server.url();
        self.server = Some(server);
        Ok(Some(url))
    }

    /// Returns the models that the page draws.
    pub(crate) fn models(&self) -> Models {
        self.models.clone()
    }

    /// Whether the page is served.
    pub(crate) fn is_served(&self) -> bool {
        self.server.is_some()
    }

    /// Tells the pages why the next run does not begin.
    pub(crate) fn notify(&self, why: &str) {
        self.shared.set_notice(Some(why));
    }

    /// Waits until a page wants another run, and returns from which time on it is to be watched; `None` if a signal has
    /// come first.
    pub(crate) fn wait_for_restart(&self, waiting: Waiting) -> Option<Time> {
        self.controls.wait(waiting)
    }

    /// Whether a page has asked for another run already, which ended this one.
    pub(crate) fn wants_restart(&self) -> bool {
        self.controls.wishes().wanted.is_some()
    }
}

/// Applies the commands of the page to the run.
#[derive(Default)]
pub(crate) struct PageControls {
    restarts: bool,
    run: Mutex<Option<ConnectedRun>>,
    wishes: Mutex<Wishes>,
}

/// The run that a page controls.
struct ConnectedRun {
    engine: Shared<Engine>,
    /// Plays boxes of the run alone, or says why they cannot be played.
    alone: Arc<Result<PlayAlone, String>>,
}

/// What pages want of the runs.
#[derive(Default)]
struct Wishes {
    /// How many runs have been begun before this one.
    run: u64,
    /// Another run, to be watched from this time on.
    wanted: Option<Time>,
    /// Ends the waiting for a signal, between two runs.
    between: Option<SignalWatch>,
}

impl PageControls {
    fn connect(&self, engine: &Shared<Engine>, alone: Result<PlayAlone, String>) {
        let run = ConnectedRun { engine: engine.clone(), alone: Arc::new(alone) };
        let before = self.run.lock().unwrap_or_else(PoisonError::into_inner).replace(run);
        let mut wishes = self.wishes();
        // What was asked for while this run began is this run.
        wishes.wanted = None;
        wishes.run += u64::from(before.is_some());
    }

    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn engine(&self) -> Result<Shared<Engine>, String> {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        run.as_ref().map(|run| run.engine.clone()).ok_or_else(|| "nothing plays yet".to_owned())
    }

    fn set(&self, change: impl FnOnce(&mut Engine) -> Result<(), NotPaused>) -> Result<(), String> {
        self.engine()?.poke(|engine| change(engine).map_err(|why| why.to_string()))
    }

    fn control(&self, control: Control) -> Result<(), String> {
        self.engine()?.poke(|engine| {
            let now = engine.now();
            engine.control(now, control).map_err(|why| why.to_string())
        })
    }

    /// Ends the run, if it goes on, and has another one begin.
    fn restart(&self, run: u64, from: i64) -> Result<(), String> {
        if !self.restarts {
            return Err("this run cannot be played again from the page".to_owned());
        }
        let mut wishes = self.wishes();
        if run != wishes.run || wishes.wanted.is_some() {
            return Ok(());
        }
        wishes.wanted = Some(Time(from.max(0)));
        // Between two runs; else the run ends first.
        if wishes.between.take().is_some() {
            return Ok(());
        }
        drop(wishes);
        self.control(Control::Stop)
    }

    fn wait(&self, waiting: Waiting) -> Option<Time> {
        let signalled = waiting.wait_or(|watch| {
            let mut wishes = self.wishes();
            // It may have been asked for in the meantime.
            wishes.between = wishes.wanted.is_none().then_some(watch);
        });
        let mut wishes = self.wishes();
        wishes.between = None;
        wishes.wanted.take().filter(|_| !signalled)
    }
}

/// The speed at which a run goes to the time from which it is seen.
const AHEAD: f64 = 100.0;
/// How often a run that goes ahead is looked at if it does not pause: it may be over.
const OFTEN: Duration = Duration::from_millis(500);

/// Lets a run go as fast as it can to a time, and from there on as usual. It goes frame by frame, so that it is not late
/// on a busy machine. `ahead` is true until then, and `steps` tells when it has paused.
fn go_ahead(engine: Shared<Engine>, to: Time, ahead: Arc<AtomicBool>, steps: Receiver<()>) -> Result<(), Failure> {
    let begin = |run: &mut Engine| run.set_speed(AHEAD).and_then(|()| run.pause());
    engine.poke(begin).map_err(|why| Failure::Usage(why.to_string()))?;
    let goes = move || {
        let arrived = |run: &Engine| run.now() >= to || run.outcome().is_some();
        while !arrived(&engine.lock()) {
            // What was told before this step is of those before.
            while steps.try_recv().is_ok() {}
            if engine.poke(|run| run.unpause(Some(Step::Frame))).is_err() {
                break;
            }
            while !arrived(&engine.lock()) && steps.recv_timeout(OFTEN) == Err(RecvTimeoutError::Timeout) {}
        }
        ahead.store(false, Ordering::Release);
        // A run that is over has no speed.
        let _ = engine.poke(|run| run.set_speed(1.0).and_then(|()| run.unpause(None)));
    };
    std::thread::Builder::new().name("page: ahead".to_owned()).spawn(goes)?;
    Ok(())
}

impl Controls for PageControls {
    fn command(&self, what: Command) -> Result<(), String> {
        let path = |path: String| path.parse::<BoxPath>().map_err(|e| e.to_string());
        let control = match what {
            Command::Stimulate { path: of, port, value } => Control::Stimulate { path: path(of)?, port, value },
            Command::Set { path: of, parameter, value } => Control::SetParameter { path: path(of)?, parameter, value },
            Command::Event { key, value } => Control::Event { key, value },
            Command::Hear { text } => Control::Hear { text },
            Command::Stop => Control::Stop,
            Command::RestartPart { path: of } => Control::RestartPart(path(of)?),
            Command::Restart { run, from } => return self.restart(run, from),
            Command::Pause => return self.set(Engine::pause),
            Command::Go { step } => return self.set(|engine| engine.unpause(step)),
            Command::Speed { speed } => return self.set(|engine| engine.set_speed(speed)),
            Command::Breaks { breaks } => {
                let places = breaks.into_iter().map(Stop::place).collect::<Result<_, _>>()?;
                return self.set(|engine| engine.set_breaks(places));
            }
        };
        self.control(control)
    }

    fn alone(&self, behavior: &str, path: &str) -> Result<String, String> {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        let alone = run.as_ref().map(|run| run.alone.clone()).ok_or("nothing plays yet")?;
        drop(run);
        (*alone).as_ref().map_err(Clone::clone)?(behavior, path)
    }

    fn restarts(&self) -> bool {
        self.restarts
    }
}
