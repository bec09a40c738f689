//! The page that shows a run, for `play --view` and `view`.

use crate::failure::{Failure, plain};
use crate::open::Chosen;
use crate::playable::Playable;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::debugger::NotPaused;
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::Shared;
use boxstep_record::Normal;
use boxstep_types::BoxPath;
use boxstep_view::{
    Access, Command, Controls, Model, Models, NoToken, Robot, Server, SharedStore, Show, Stop, Token, ViewSink,
};
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufRead as _, BufReader, Read as _};
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;
use std::sync::Arc;

/// How often a second the page sees how the robot stands.
pub(crate) const POSES: f64 = 25.0;

/// What is drawn of a robot that plays a piece: without one, its body alone.
pub(crate) fn robot(body: &'static Body, piece: Option<Playable<'_>>, meshes: Option<&Path>) -> Result<Robot, Failure> {
    if let Some(folder) = meshes.filter(|folder| !folder.is_dir()) {
        return Err(Failure::Usage(format!("--meshes {}: there is no such folder", folder.display())));
    }
    let folder = piece.map(Playable::folder).transpose()?;
    let html = piece.map(|piece| piece.project_folder().join("html")).filter(|html| html.is_dir());
    Ok(Robot { meshes: meshes.map(Path::to_path_buf), folder, tablet: html, ..Robot::of(body) })
}

/// Where a page is, and who sees it.
pub(crate) struct PageAddress {
    pub(crate) at: SocketAddr,
    pub(crate) access: Access,
}

impl PageAddress {
    /// At an address, for whoever has the token of a file; without one the server makes one.
    pub(crate) fn of(text: &str, token: Option<&Path>) -> Result<Self, Failure> {
        let wrong =
            || Failure::Usage(format!("`{text}` is no address to listen at: write IP:PORT, such as 127.0.0.1:8080"));
        let at = text.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
        Ok(Self { at, access: Access { token: token.map(token_of).transpose()?, ..Access::default() } })
    }

    /// That nobody can listen there.
    pub(crate) fn unheard(at: SocketAddr) -> impl Fn(io::Error) -> Failure {
        move |why| Failure::Run(format!("{at} cannot be listened at: {}", plain(&why)))
    }
}

/// The token in a file. As with a password, it is no argument itself, which every account of the computer could read.
fn token_of(file: &Path) -> Result<Token, Failure> {
    // The argument is not told: it may be a token that was given in the place of a file.
    let failed = |why: &dyn fmt::Display| Failure::Usage(format!("the file that --view-token names: {why}"));
    let file = File::open(file).map_err(|e| failed(&plain(&e)))?;
    if file.metadata().is_ok_and(|known| others_read(&known)) {
        return Err(failed(&"other accounts can read it: chmod 600"));
    }
    let mut line = String::new();
    BufReader::new(file.take(LONGEST)).read_line(&mut line).map_err(|e| failed(&plain(&e)))?;
    line.trim().parse().map_err(|e: NoToken| failed(&e))
}

/// No line with a token is longer.
const LONGEST: u64 = 4096;

#[cfg(unix)]
fn others_read(file: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.is_file() && file.permissions().mode() & 0o077 != 0
}

// Whether others can read a file there is a matter of its folder, which is one's own unless somebody has changed that.
#[cfg(not(unix))]
fn others_read(_: &Metadata) -> bool {
    false
}

/// Serves a page.
pub(crate) fn serve(place: PageAddress, show: Show) -> Result<Server, Failure> {
    Server::start(place.at, show, place.access).map_err(PageAddress::unheard(place.at))
}

/// A behavior, to be drawn.
pub(crate) fn model(chosen: &Chosen, body: &'static Body) -> Model {
    Model { name: chosen.name.clone(), file: Arc::new(chosen.file.clone()), body }
}

/// Plays a box of a behavior alone, both by their names: where its page is, or why it is not played.
pub(crate) type PlayAlone = Box<dyn Fn(&str, &str) -> Result<String, String> + Send + Sync>;

/// A run that is shown while it goes on.
pub(crate) struct Live(SharedStore);

impl Live {
    /// The place where it is told, and who tells it there.
    pub(crate) fn new(normal: Normal) -> Result<(Self, ViewSink), Failure> {
        let (feed, shared) = ViewSink::start(normal)?;
        Ok((Self(shared), feed))
    }

    /// Serves its page.
    pub(crate) fn serve(
        &self,
        place: PageAddress,
        engine: &Shared<Engine>,
        title: String,
        models: Models,
        robot: Robot,
        alone: Result<PlayAlone, String>,
    ) -> Result<Server, Failure> {
        let shared = self.0.clone();
        engine.lock().on_debugger_change(move |pace, flow| shared.set_pace(pace, flow));
        let controls: Option<Arc<dyn Controls>> = Some(Arc::new(Hand { engine: engine.clone(), alone }));
        serve(place, Show { title, shared: self.0.clone(), models, controls, robot })
    }
}

/// Changes the run for whoever looks at its page.
struct Hand {
    engine: Shared<Engine>,
    /// Plays its boxes alone; or why it does not.
    alone: Result<PlayAlone, String>,
}

impl Hand {
    fn set(&self, change: impl FnOnce(&mut Engine) -> Result<(), NotPaused>) -> Result<(), String> {
        self.engine.poke(|engine| change(engine).map_err(|why| why.to_string()))
    }
}

impl Controls for Hand {
    fn command(&self, what: Command) -> Result<(), String> {
        let path = |path: String| path.parse::<BoxPath>().map_err(|e| e.to_string());
        let control = match what {
            Command::Stimulate { path: of, port, value } => Control::Stimulate { path: path(of)?, port, value },
            Command::Set { path: of, parameter, value } => Control::SetParameter { path: path(of)?, parameter, value },
            Command::Event { key, value } => Control::Event { key, value },
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
