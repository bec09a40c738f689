//! `boxstep robot`: a simulated robot for qi clients.

mod typed;

use crate::args::{Accept, RobotClock, RobotSimArgs, RunSpec, Scripts, wall_clock};
use crate::console::{Console, Detail, Outlet};
use crate::failure::Failure;
use crate::qi_listener::{Listening, announce, listen};
use crate::remote::{Remote, end_at_signal};
use crate::robot_disk::{FolderOfRobot, SERVICE};
use crate::run::{Account, Attachment, NODE_HZ, Page, Recordings, RosNode, Run, Shown, Signals, StartedRun};
use crate::run_setup::PreparedRun;
use crate::uploads::UploadStore;
use crate::{Program, PythonWish, body, exit, helper, open, output, scenario, view};
use anstyle::{AnsiColor, Style};
use boxstep_api::play::resource_tree;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{ClockKind, Config, Control, NoLibrary};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, NoScripts, Shared};
use boxstep_engine::trace::{Header, Schema, Sink};
use boxstep_record::Normal;
use boxstep_robot::find::Announcement;
use boxstep_robot::serve::{Serving, ServingError, clock, version};
use boxstep_services::{RobotDisk, SimOptions, SimRobot};
use boxstep_test::Given;
use boxstep_types::{calendar, printable_line};
use boxstep_view::Models;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;
use typed::Typed;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Why boxes of this robot cannot be played alone.
const NO_BOXES: &str =
    "this is a robot, which plays what others send: boxes are run alone from the page of `boxstep play --view`";

/// Serves a simulated robot until it is ended.
pub(crate) fn run(args: &RobotSimArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    let body = body::asked(&args.body)?;
    let name = args.name.clone().unwrap_or_else(|| body.to_string());
    let (language, epoch) = (args.language.clone(), wall_clock());
    let given = args.scenario.as_deref().map(scenario::given).transpose()?.unwrap_or_default();
    let world = body::world(args.world.as_deref().or(given.world.as_deref()))?;
    let physics = body::physics(args.physics || given.physics == Some(true), body)?;
    let mut options = SimOptions { body, language, name, epoch, world, physics, ..SimOptions::default() };
    if let Some(generation) = args.naoqi {
        options.version = version(generation).to_owned();
    }
    if args.clock == RobotClock::Client {
        if args.node.ros2.is_some() {
            let why = "--ros2 is for a robot that goes by its own clock";
            return Err(Failure::Usage(why.to_owned()));
        }
        if args.recordings.trace.is_some() || args.recordings.record.is_some() {
            let why = "a client's run is recorded by the client: boxstep play --trace, --record";
            return Err(Failure::Usage(why.to_owned()));
        }
        if args.disk.is_some() {
            let why = "--disk is for a robot that goes by its own clock";
            return Err(Failure::Usage(why.to_owned()));
        }
        if args.view.is_some() {
            let why = "--view shows a robot that goes by its own clock; a client's run is shown by the client: boxstep play --view";
            return Err(Failure::Usage(why.to_owned()));
        }
    }
    let listening = listen(args.address(), args.login()?, args.naoqi)?;
    if args.clock == RobotClock::Client {
        return held(&listening, options);
    }
    let at = listening.server.address();
    let refusal = args.accept.refusal(at);
    let receives = refusal.is_none();
    let disk = args.disk.as_deref().map(|folder| FolderOfRobot::open(folder, &options.language, body, refusal));
    let disk = disk.transpose()?;
    options.disk = disk.clone().map(|disk| -> Arc<dyn RobotDisk> { Arc::new(disk) });
    let mut helper = None;
    let host = if receives { host_of(args, program, host, &mut helper)? } else { &NoScripts };
    Robot { args, given: &given, options, disk, receives, at }.to_its_end(listening, host)
}

/// Returns the host that runs the scripts of received behaviors. A helper process is kept in `helper`.
fn host_of<'a>(
    args: &RobotSimArgs,
    program: &Program,
    host: Option<&'a dyn Host<Engine>>,
    helper: &'a mut Option<Box<dyn Host<Engine>>>,
) -> Result<&'a dyn Host<Engine>, Failure> {
    match (args.scripts, host) {
        (Scripts::Off, _) => Ok(&NoScripts),
        (Scripts::Process, _) => Ok(&**helper.insert(helper::on_demand(&PythonWish::of_robot(args), program)?)),
        (Scripts::Native, Some(host)) => Ok(host),
        (Scripts::Native, None) => Err(Failure::Usage(
            "scripts need Python 3, and this program has none: leave them out with --scripts off".to_owned(),
        )),
    }
}

/// A robot that follows its own clock.
struct Robot<'a> {
    args: &'a RobotSimArgs,
    given: &'a Given,
    options: SimOptions,
    disk: Option<FolderOfRobot>,
    /// Clients may send behaviors.
    receives: bool,
    at: SocketAddr,
}

impl Robot<'_> {
    fn to_its_end(&self, listening: Listening, host: &dyn Host<Engine>) -> Result<i32, Failure> {
        let args = self.args;
        let mut signals = Signals::new();
        let mut account = Account::new(false, signals.remote())?.with_console(|outlet| {
            Console::new(Detail::from_flags(args.quiet, args.verbose), outlet, Normal::default(), std::iter::empty())
        });
        if self.receives && !self.at.ip().is_loopback() {
            let mut err = crate::terminal::stderr();
            writeln!(
                err,
                "{YELLOW}warning: everyone who can reach it can also run programs here, because it accepts behaviors{YELLOW:#}"
            )?;
        }
        let uploads = UploadStore::new(&args.language, self.options.body);
        let models = args.view.as_ref().map(|_| Models::default());
        let mut recordings = Recordings::new(&args.recordings, None, &Normal::default())?;
        let mut page = models.clone().map(|models| self.page(models, account.outlet())).transpose()?.flatten();
        let is_typed = args.typed || (io::stdin().is_terminal() && !args.quiet);
        let mut served = Served {
            robot: self,
            uploads: uploads.clone(),
            models,
            is_typed,
            outlet: account.outlet(),
            listening: Some(listening),
            serving: None,
            announcement: None,
        };
        let announced = (!args.quiet).then(|| account.outlet());
        let mut node = RosNode::new(&args.node, self.options.body, None, announced)?;
        let mut person = is_typed.then(|| Person { remote: signals.remote(), body: self.options.body });
        let attachments: Vec<&mut dyn Attachment> =
            vec![&mut recordings, &mut account, &mut served, &mut node, &mut page, &mut signals, &mut person];
        let ended = Run::start(|sinks| self.engine(&uploads, sinks), attachments)?.drive(host)?;
        ended.driven.map_err(Failure::Run)?;
        Ok(if ended.interrupted { exit::INTERRUPTED } else { exit::OK })
    }

    /// Creates the page, if `--view` is set.
    fn page(&self, models: Models, outlet: Outlet) -> Result<Option<Page<'_>>, Failure> {
        let Some(at) = self.args.view.as_deref() else { return Ok(None) };
        let shown = Shown {
            restarts: false,
            editor: None,
            texts: None,
            at,
            token: self.args.view_token.as_deref(),
            meshes: None,
            paused: false,
            stays: false,
            title: self.options.name.clone(),
            playable: None,
            models,
            body: self.options.body,
            language: String::new(),
            simulated: true,
            alone: Box::new(|_| Err(NO_BOXES.to_owned())),
            others: Default::default(),
            outlet,
        };
        Page::new(shown, Normal::default()).map(Some)
    }

    fn engine(&self, uploads: &UploadStore, sinks: Vec<Box<dyn Sink>>) -> Result<PreparedRun, Failure> {
        let (args, given) = (self.args, self.given);
        let config = Config {
            clock: ClockKind::Real,
            seed: args.seed,
            limit: args.limit.or(RunSpec::of_file(given).limit),
            resources: resource_tree(),
            mocks: given.mocks(),
            scripts: self.receives && args.scripts != Scripts::Off,
            pose_hz: args.node.ros2.map(|_| NODE_HZ).or(args.view.as_ref().map(|_| view::POSES)),
            ..Config::default()
        };
        let robot = SimRobot::new(self.options.clone());
        let mut library = uploads.library(Box::new(NoLibrary));
        if let Some(disk) = &self.disk {
            library = disk.library(library);
        }
        let mut engine = Engine::new(config, Box::new(robot), library, &self.header()?, sinks);
        engine.keep_open(true);
        apply(given, &mut engine)?;
        Ok(PreparedRun { engine, untranslated: None, performance: None })
    }

    /// Returns the first line of the trace.
    fn header(&self) -> Result<Header, Failure> {
        let (args, SimOptions { body, language, epoch, physics, .. }) = (self.args, &self.options);
        let options = RunSpec {
            language: Some(language.clone()),
            body_file: (!body.is_known()).then(|| open::sha256(body.source.as_bytes())),
            world: args.world.clone().or_else(|| self.given.world.clone()),
            physics: physics.is_some(),
            ..RunSpec::default()
        };
        Ok(Header {
            schema: Schema,
            product: format!("boxstep {}", env!("CARGO_PKG_VERSION")),
            files: Vec::new(),
            body: body.to_string(),
            clock: ClockKind::Real,
            seed: args.seed,
            epoch: 0,
            parameters: Vec::new(),
            options: Header::options_of(&options).map_err(Failure::Run)?,
            started: Some(calendar::rfc3339(*epoch)),
            show: None,
        })
    }
}

/// Serves the robot to qi clients.
struct Served<'a> {
    robot: &'a Robot<'a>,
    uploads: UploadStore,
    /// The models that the page draws.
    models: Option<Models>,
    is_typed: bool,
    outlet: Outlet,
    listening: Option<Listening>,
    serving: Option<Serving>,
    announcement: Option<Announcement>,
}

impl Attachment for Served<'_> {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        let Some(listening) = self.listening.take() else { return Ok(()) };
        let Robot { args, options, .. } = self.robot;
        let failed = |e: ServingError| Failure::Run(format!("the robot cannot be served: {e}"));
        let announced = announcement(options, &listening, self.is_typed);
        let has_tls = listening.certificate.is_some();
        let offers = SimRobot::new(options.clone()).services().collect::<Vec<_>>();
        let files = self.robot.disk.as_ref().map(FolderOfRobot::service).transpose();
        if let Some(files) = files.map_err(ServingError::Object).map_err(failed)?.flatten() {
            listening.server.register(SERVICE, files).map_err(ServingError::Server).map_err(failed)?;
        }
        let serving = Serving::start(started.engine.clone(), listening.server, &offers).map_err(failed)?;
        let announcements = (!args.quiet).then(|| self.outlet.clone());
        let engine = started.engine.clone();
        let inbox = self.uploads.inbox(&args.accept, serving.address(), engine, announcements, self.models.clone());
        serving.offer_boxes(Vec::new(), inbox).map_err(failed)?;
        self.announcement = announce(&options.name, serving.address(), has_tls);
        self.outlet.send(announced);
        self.serving = Some(serving);
        Ok(())
    }

    fn detach(&mut self) {
        self.announcement = None;
        if let Some(mut serving) = self.serving.take() {
            serving.close();
        }
        self.uploads.clear();
    }
}

/// Reads what a person types as happening to the robot.
struct Person {
    remote: Remote,
    body: &'static Body,
}

impl Attachment for Person {
    fn attach(&mut self, started: &StartedRun) -> Result<(), Failure> {
        listen_to_person(&started.engine, &self.remote, self.body)
    }
}

impl RobotSimArgs {
    /// Returns whether clients may send behaviors whose scripts then run.
    pub(crate) fn runs_scripts(&self) -> bool {
        self.clock == RobotClock::Own && self.scripts != Scripts::Off && self.accept.accept_behaviors != Accept::Never
    }
}

/// Applies the inputs of a scenario to a robot without a behavior.
fn apply(given: &Given, engine: &mut Engine) -> Result<(), Failure> {
    given.apply(engine).map_err(|refused| Failure::Usage(format!("--scenario: {}: {}", refused.what, refused.why)))
}

/// Serves a robot that follows its client's clock, until a signal ends the process.
fn held(listening: &Listening, options: SimOptions) -> Result<i32, Failure> {
    let _watching = end_at_signal()?;
    let failed = |why: String| Failure::Run(format!("the robot cannot be served: {why}"));
    let service = clock::service(options).map_err(|e| failed(e.to_string()))?;
    listening.server.register(clock::NAME, service).map_err(|e| failed(e.to_string()))?;
    let mut out = output::stdout();
    writeln!(out, "{BOLD}a robot on its client's clock{BOLD:#} listens at {}", listening.shown())?;
    out.flush()?;
    drop(out);
    loop {
        std::thread::park();
    }
}

fn announcement(options: &SimOptions, listening: &Listening, person: bool) -> String {
    let SimOptions { body, language, name, .. } = options;
    let (language, name) = (printable_line(language), printable_line(name));
    let at = listening.shown();
    let naoqi = listening.server.generation().map(|naoqi| format!("; NAOqi {naoqi}")).unwrap_or_default();
    let mut text =
        format!("{BOLD}{name}{BOLD:#} listens at {at}\n{DIM}body: {body}; language: {language}{naoqi}{DIM:#}\n");
    if person {
        text.push_str(&format!(
            "{DIM}type what happens to it: touch, say, face, battery, event, memory, quit{DIM:#}\n"
        ));
    }
    text
}

/// Reads standard input to its end on a separate thread, because reading cannot be interrupted.
fn listen_to_person(engine: &Shared<Engine>, remote: &Remote, body: &'static Body) -> Result<(), Failure> {
    let (engine, remote) = (engine.clone(), remote.clone());
    let read = move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            match typed::read(&line, body) {
                Ok(Typed::Nothing) => {}
                Ok(Typed::Quit) => return remote.send(Control::Stop),
                Ok(Typed::Do(controls)) => engine.poke(|engine| {
                    let now = engine.now();
                    for (after, control) in controls {
                        // The engine refuses only controls of boxes that do not exist; these name no box.
                        let _ = engine.control(now + after, control);
                    }
                }),
                // A closed standard error is ignored.
                Err(why) => drop(writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&why))),
            }
        }
    };
    std::thread::Builder::new().name("typed".to_owned()).spawn(read)?;
    Ok(())
}
