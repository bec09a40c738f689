//! The page that shows a run, for `play --view` and `view`.

use crate::failure::{Failure, system_message};
use crate::open::Chosen;
use crate::playable::Playable;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::debugger::NotPaused;
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::services::{AnswerListener, TopicListener};
use boxstep_engine::shared::Shared;
use boxstep_record::Normal;
use boxstep_robot::serve::ClientServices;
use boxstep_types::{BoxPath, Value};
use boxstep_view::{
    Access, Command, Controls, Model, Models, NoToken, OtherServices, Robot, Server, SharedStore, Show, Stop, Tablet,
    Token, ViewSink,
};
use std::any::Any;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::sync::{Arc, OnceLock};

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
    let tablet = html.map(|folder| Tablet { folder, engine: None, others: Arc::default() });
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

/// The page of a run that is going on.
pub(crate) struct LivePage(SharedStore);

impl LivePage {
    /// Creates the store of the run, and the sink that fills it.
    pub(crate) fn new(normal: Normal) -> Result<(Self, ViewSink), Failure> {
        let (sink, shared) = ViewSink::start(normal)?;
        Ok((Self(shared), sink))
    }

    /// Serves the page.
    pub(crate) fn serve(
        &self,
        place: PageAddress,
        engine: &Shared<Engine>,
        title: String,
        models: Models,
        mut robot: Robot,
        alone: Result<PlayAlone, String>,
    ) -> Result<Server, Failure> {
        if let Some(tablet) = robot.tablet.as_mut().filter(|_| engine.lock().runs_scripts()) {
            tablet.engine = Some(engine.clone());
        }
        let shared = self.0.clone();
        engine.lock().on_debugger_change(move |state, flow| shared.set_debugger(state, flow));
        let controls: Option<Arc<dyn Controls>> = Some(Arc::new(PageControls { engine: engine.clone(), alone }));
        serve(place, Show { title, shared: self.0.clone(), models, controls, robot })
    }
}

/// Applies the commands of the page to the run.
struct PageControls {
    engine: Shared<Engine>,
    /// Plays boxes of the run alone, or says why they cannot be played.
    alone: Result<PlayAlone, String>,
}

impl PageControls {
    fn set(&self, change: impl FnOnce(&mut Engine) -> Result<(), NotPaused>) -> Result<(), String> {
        self.engine.poke(|engine| change(engine).map_err(|why| why.to_string()))
    }
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
            Command::Pause => return self.set(Engine::pause),
            Command::Go { step } => return self.set(|engine| engine.unpause(step)),
            Command::Speed { speed } => return self.set(|engine| engine.set_speed(speed)),
            Command::Breaks { breaks } => {
                let places = breaks.into_iter().map(Stop::place).collect::<Result<_, _>>()?;
                return self.set(|engine| engine.set_breaks(places));
            }
        };
        self.engine.poke(|engine| {
            let now = engine.now();
            engine.control(now, control).map_err(|why| why.to_string())
        })
    }

    fn alone(&self, behavior: &str, path: &str) -> Result<String, String> {
        self.alone.as_ref().map_err(Clone::clone)?(behavior, path)
    }
}
