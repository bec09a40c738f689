//! `boxstep robot`: a simulated robot for qi clients.

mod typed;

use crate::args::{Accept, RobotClock, RobotSimArgs, Scripts};
use crate::console::{Console, Detail, Outlet};
use crate::failure::{Failure, plain};
use crate::remote::{Remote, end_at_signal, watch};
use crate::uploads::UploadStore;
use crate::{Program, PythonWish, body, exit, helper, output, page_lines, run_setup, scenario, view};
use anstyle::{AnsiColor, Style};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{ClockKind, Config, Control, NoLibrary};
use boxstep_engine::protocol::Scheduler;
use boxstep_engine::shared::{Host, NoScripts, Shared};
use boxstep_engine::trace::{EndReason, Header, Schema, Sink};
use boxstep_qi::{Error, Server};
use boxstep_record::Normal;
use boxstep_robot::serve::{Serving, ServingError, clock};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_test::Given;
use boxstep_types::printable_line;
use boxstep_view::Models;
use std::io::{self, BufRead as _, ErrorKind, IsTerminal as _, Write as _};
use std::net::{SocketAddr, ToSocketAddrs as _};
use typed::Typed;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Why none of its boxes is played alone.
const NO_BOXES: &str =
    "this is a robot, which plays what others send: boxes are run alone from the page of `boxstep play --view`";

/// Serves a simulated robot until somebody ends it.
pub(crate) fn run(args: &RobotSimArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    let body = body::asked(&args.body)?;
    let name = args.name.clone().unwrap_or_else(|| body.to_string());
    let options = SimOptions { body, language: args.language.clone(), folder: None, name };
    let given = args.scenario.as_deref().map(scenario::given).transpose()?.unwrap_or_default();
    let server = listen(&args.listen)?;
    if args.clock == RobotClock::Client {
        if args.view.is_some() {
            let why = "--view shows a robot that goes by its own clock; a client's run is shown by the client: boxstep play --view";
            return Err(Failure::Usage(why.to_owned()));
        }
        return held(&server, options);
    }
    let receives = args.accept.refusal(server.address()).is_none();
    let helper;
    let host: &dyn Host<Engine> = match (args.scripts, host) {
        _ if !receives => &NoScripts,
        (Scripts::Off, _) => &NoScripts,
        (Scripts::Process, _) => {
            helper = helper::on_demand(&PythonWish::of_robot(args), program)?;
            &*helper
        }
        (Scripts::Native, Some(host)) => host,
        (Scripts::Native, None) => {
            return Err(Failure::Usage(
                "scripts need Python 3, and this program has none: leave them out with --scripts off".to_owned(),
            ));
        }
    };
    let robot = SimRobot::new(options.clone());
    let offers = robot.services().collect::<Vec<_>>();
    let (remote, commands) = Remote::new();
    let broken = remote.clone();
    let (outlet, writer) =
        Outlet::start(crate::terminal::stdout_of_thread(), false, move || broken.send(Control::Stop))?;
    let detail = match (args.quiet, args.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    };
    let account = Console::new(detail, outlet.clone(), Normal::default(), std::iter::empty());
    let config = Config {
        clock: ClockKind::Real,
        seed: args.seed,
        limit: args.limit.or(given.limit.map(|s| s.0)),
        resources: run_setup::resource_tree(),
        mocks: given.mocks(),
        scripts: receives && args.scripts != Scripts::Off,
        pose_hz: args.view.as_ref().map(|_| view::POSES),
        ..Config::default()
    };
    let header = header(args, &options);
    if receives && !server.address().ip().is_loopback() {
        let mut err = crate::terminal::stderr();
        writeln!(err, "{YELLOW}warning: whoever reaches it can also run programs here: it takes behaviors{YELLOW:#}")?;
    }
    let shelf = UploadStore::new(&args.language, body);
    let library = shelf.over(Box::new(NoLibrary));
    let mut sinks: Vec<Box<dyn Sink>> = vec![Box::new(account)];
    let live = args.view.as_ref().map(|_| view::Live::new(Normal::default())).transpose()?;
    let live = live.map(|(live, feed)| {
        sinks.push(Box::new(feed));
        live
    });
    let mut engine = Engine::new(config, Box::new(robot), library, &header, sinks);
    engine.keep_open(true);
    apply(&given, &mut engine)?;
    let engine = Shared::new(engine);
    let failed = |e: ServingError| Failure::Run(format!("the robot cannot be served: {e}"));
    let mut serving = Serving::start(engine.clone(), server, &offers).map_err(failed)?;
    let models = args.view.as_ref().map(|_| Models::default());
    let inbox = shelf.inbox(
        &args.accept,
        serving.address(),
        engine.clone(),
        (!args.quiet).then(|| outlet.clone()),
        models.clone(),
    );
    serving.offer_boxes(Vec::new(), inbox).map_err(failed)?;
    let person = args.typed || (io::stdin().is_terminal() && !args.quiet);
    outlet.send(announcement(&options, serving.address(), person));
    let page = args.view.as_deref().zip(live.as_ref()).zip(models);
    let page = page
        .map(|((at, live), models)| {
            let robot = view::robot(options.body, None, None)?;
            let place = view::PageAddress::of(at, args.view_token.as_deref())?;
            live.serve(place, &engine, options.name.clone(), models, robot, Err(NO_BOXES.to_owned()))
        })
        .transpose()?;
    if let Some(page) = &page {
        outlet.send(format!("{}\n", page_lines::announced(&page.url())));
    }
    let watching = watch(engine.clone(), remote.clone(), commands, || {})?;
    if person {
        listen_to_person(&engine, &remote, options.body)?;
    }
    let driven = host.drive(&engine);
    serving.close();
    drop((watching, page));
    shelf.clear();
    let reason = engine.lock().outcome().map(|footer| footer.reason);
    writer.finish().or_else(output::unless_closed)?;
    driven.map_err(Failure::Run)?;
    Ok(if reason == Some(EndReason::Interrupted) { exit::INTERRUPTED } else { exit::OK })
}

impl RobotSimArgs {
    /// Whether somebody may send behaviors whose scripts are to run.
    pub(crate) fn runs_scripts(&self) -> bool {
        self.clock == RobotClock::Own && self.scripts != Scripts::Off && self.accept.accept_behaviors != Accept::Never
    }
}

/// What a scenario gives to a robot without a behavior.
fn apply(given: &Given, engine: &mut Engine) -> Result<(), Failure> {
    given.apply(engine).map_err(|refused| Failure::Usage(format!("--scenario: {}: {}", refused.what, refused.why)))
}

/// Listens, with clear words where that cannot be; a warning where others than this machine can reach it.
pub(crate) fn listen(address: &str) -> Result<Server, Failure> {
    let wrong =
        || Failure::Usage(format!("`{address}` is no address to listen at: write IP:PORT, such as 127.0.0.1:9559"));
    let at: SocketAddr = address.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
    let server = Server::listen(at).map_err(|e| match &e {
        Error::System(why) if why.kind() == ErrorKind::AddrInUse => Failure::Run(format!(
            "something listens at {at} already: another robot, or NAOqi; choose another port with --listen, or 0 for any"
        )),
        Error::System(why) => Failure::Run(format!("{at} cannot be listened at: {}", plain(why))),
        e => Failure::Run(format!("{at} cannot be listened at: {e}")),
    })?;
    if !at.ip().is_loopback() {
        let mut err = crate::terminal::stderr();
        writeln!(err, "{YELLOW}warning: whoever reaches {at} can use this robot: nothing asks who they are{YELLOW:#}")?;
    }
    Ok(server)
}

/// A robot whose clock is its client's, until a signal ends the process.
fn held(server: &Server, options: SimOptions) -> Result<i32, Failure> {
    let _watching = end_at_signal()?;
    let failed = |why: String| Failure::Run(format!("the robot cannot be served: {why}"));
    let service = clock::service(options).map_err(|e| failed(e.to_string()))?;
    server.register(clock::NAME, service).map_err(|e| failed(e.to_string()))?;
    let mut out = output::stdout();
    writeln!(out, "{BOLD}a robot on its client's clock{BOLD:#} listens at tcp://{}", server.address())?;
    out.flush()?;
    drop(out);
    loop {
        std::thread::park();
    }
}

fn header(args: &RobotSimArgs, options: &SimOptions) -> Header {
    Header {
        schema: Schema,
        product: format!("boxstep {}", env!("CARGO_PKG_VERSION")),
        files: Vec::new(),
        body: options.body.to_string(),
        clock: ClockKind::Real,
        seed: args.seed,
        epoch: 0,
        parameters: Vec::new(),
        options: vec![("language".to_owned(), options.language.as_str().into())],
        started: None,
    }
}

fn announcement(options: &SimOptions, at: SocketAddr, person: bool) -> String {
    let SimOptions { body, language, name, .. } = options;
    let (language, name) = (printable_line(language), printable_line(name));
    let mut text =
        format!("{BOLD}{name}{BOLD:#} listens at tcp://{at}\n{DIM}body: {body}; language: {language}{DIM:#}\n");
    if person {
        text.push_str(&format!(
            "{DIM}type what happens to it: touch, say, face, battery, event, memory, quit{DIM:#}\n"
        ));
    }
    text
}

/// Reads standard input until its end, on a thread of its own: reading cannot be broken off.
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
                        // Refused only for boxes that do not exist; these name none.
                        let _ = engine.control(now + after, control);
                    }
                }),
                // If standard error is gone there is nobody to tell.
                Err(why) => drop(writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&why))),
            }
        }
    };
    std::thread::Builder::new().name("typed".to_owned()).spawn(read)?;
    Ok(())
}
