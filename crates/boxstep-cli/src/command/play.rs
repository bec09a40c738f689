//! `boxstep play`

mod ready;
mod recordings;
mod robot;

pub(crate) use robot::{GO, READY};

use crate::args::{PlayArgs, Scripts};
use crate::character::{self, Cast};
use crate::console::{Console, Detail, Outlet, how_it_ended, played};
use crate::failure::{Failure, plain};
use crate::open::{self, Chosen};
use crate::playable::{Playable, Read};
use crate::remote::{Remote, Waiting, end_with_input, watch};
use crate::run_setup::{RunSetup, Staged};
use crate::scenario::{self, Scenario};
use crate::settings::Settings;
use crate::single_box::{self, SingleBox};
use crate::watch::Watcher;
use crate::{Program, PythonWish, exit, helper, output, supervisor, trust, view};
use anstyle::{AnsiColor, Style};
use boxstep_bodies::Body;
use boxstep_engine::config::{ClockKind, Config, Control};
use boxstep_engine::services::Services;
use boxstep_engine::shared::{Host, NoScripts, Shared};
use boxstep_engine::trace::{EndReason, Footer};
use boxstep_engine::{Engine, Wait};
use boxstep_qi::Server;
use boxstep_robot::ScriptedRobot;
use boxstep_robot::serve::receive::Inbox;
use boxstep_robot::serve::{Serving, ServingError};
use boxstep_services::{SimOptions, SimRobot};
use boxstep_types::{Time, printable, printable_line};
use recordings::Recordings;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

const DIM: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Plays a behavior or a character to its end and says how that was.
pub(crate) fn run(args: &PlayArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    if let Some(why) = args.refused() {
        return Err(Failure::Usage(why));
    }
    if args.leads() {
        return supervisor::lead(args, program);
    }
    let settings = Settings::of(&args.file)?;
    let scenario = scenario::of_play(args)?;
    let (asked, args) = (args, &scenario.args);
    // A replay is in virtual time, whatever was asked for.
    if let Some(why) = args.refused_watch() {
        return Err(Failure::Usage(why));
    }
    let read = Read::of(asked, &scenario)?;
    let piece = read.piece();
    trust::tell(args, piece);
    let mut helper = None;
    let host = host_of(args.scripts, asked, program, host, &mut helper)?;
    let mut robot = robot::of_play(args, piece)?;
    let language = scenario.given.language.as_deref();
    let plan = ready::Plan { args, piece, settings: &settings, language, program };
    let mut ready = robot.as_mut().map(|robot| ready::make(robot, &plan)).transpose()?;
    let mut stage = RunSetup::new(piece, &scenario.given, &settings)?;
    scenario.is_of(stage.body)?;
    let mut config = config(args);
    if let Some(robot) = &robot {
        stage = stage.on(&robot.shown, &robot.services);
        config.interrupt_within = robot::INTERRUPT_WITHIN;
    }
    if let Some(file) = args.own_robot() {
        stage = stage.played_by(file)?;
    }
    let shelf;
    (stage, shelf) = match args.serve {
        Some(_) => {
            let (stage, shelf) = stage.receiving();
            (stage, Some(shelf))
        }
        None => (stage, None),
    };
    let models;
    (stage, models) = match args.view {
        Some(_) => {
            let (stage, models) = stage.drawn();
            (stage, Some(models))
        }
        None => (stage, None),
    };
    let held = robot::held(args, &stage)?;
    let address = robot.as_ref().map(|robot| robot.address.as_str());
    let (mut sinks, recordings) = Recordings::begin(args, piece, address)?;

    let (remote, commands) = Remote::new();
    let broken = remote.clone();
    let remote_of_lead = remote.clone();
    let (outlet, writer) =
        Outlet::start(crate::terminal::stdout_of_thread(), args.virtual_time, move || broken.send(Control::Stop))?;
    let paths = piece.boxes().map(|path| path.to_string());
    let account = Console::new(detail(args), outlet.clone(), piece.folders_of_archives(), paths);
    let account = if args.joints.is_some() { account } else { account.without_joints() };
    // The trace first: what somebody has been told of is in it, whatever they do next.
    let told = args.recordings.kept.is_none();
    if told {
        sinks.push(Box::new(account));
    }
    let live = match args.view {
        Some(_) => {
            let (live, feed) = view::Live::new(piece.normal()?)?;
            sinks.push(Box::new(feed));
            Some(live)
        }
        None => None,
    };
    let on = robot.as_ref().map(|robot| &robot.shown).or(held.as_ref().map(|(_, name)| name)).cloned();
    let own = args.own_robot().map(|file| file.display().to_string());
    let on = on.or(own);
    let real = robot.as_ref().map(|robot| robot.handle.clone());
    let services: Option<Box<dyn Services>> = match (robot, held, args.own_robot()) {
        (Some(robot), ..) => Some(Box::new(robot.services)),
        // It is a simulated one: traces do not say where it was.
        (None, Some((held, _)), _) => Some(Box::new(held)),
        (None, None, Some(_)) => Some(Box::new(ScriptedRobot::new(SimRobot::new(stage.simulated()?)))),
        (None, None, None) => None,
    };
    let (scripts, begin) = (args.scripts.name(), scenario.begin());
    let Staged { engine, untranslated, performance } = match services {
        Some(services) => stage.engine_with(services, config, scripts, sinks, begin)?,
        None => stage.engine(config, scripts, sinks, begin)?,
    };
    if !args.quiet {
        let body = format!("{} ({})", stage.body, stage.reason);
        outlet.send(announcement(args, piece, &body, on.as_deref()));
        if let Some(told) = piece.unnamed_curves(stage.body) {
            outlet.send(format!("{YELLOW}{}{YELLOW:#}\n", printable(&told)));
        }
        if let Some(e) = untranslated {
            let why = e.diagnostic().message;
            outlet.send(format!("{YELLOW}texts stay as they are: {}{YELLOW:#}\n", printable(&why)));
        }
        if let Some(replay) = scenario.replay.as_ref().filter(|r| !same_files(&r.header.files, piece)) {
            let files: Vec<&str> = replay.header.files.iter().map(|(name, _)| &**name).collect();
            let text = format!("the trace is of other files ({}): another run may come of it", files.join(", "));
            outlet.send(format!("{YELLOW}{}{YELLOW:#}\n", printable_line(&text)));
        }
    }

    let engine = Shared::of_run(engine);
    let watching = watch(engine.clone(), remote, commands, recordings.last_words())?;
    if args.ends_with_input {
        end_with_input()?;
    }
    // What the robot tells of itself. Without it the behavior plays, and less is recorded.
    let watched =
        real.as_ref().filter(|_| recordings.is_flight()).and_then(|real| real.watch(args.joints.is_none()).ok());
    if let Some(ready) = &mut ready {
        ready.hand_over(&remote_of_lead);
    }
    let serving = args
        .serve
        .as_deref()
        .zip(shelf.as_ref())
        .map(|(at, shelf)| {
            let server = super::robot::listen(at)?;
            let inbox = shelf.inbox(
                &args.accept,
                server.address(),
                engine.clone(),
                (!args.quiet).then(|| outlet.clone()),
                models.clone(),
            );
            let simulated = real.is_none() && args.own_robot().is_none();
            serve(&engine, server, simulated.then_some(stage.body), piece, inbox)
        })
        .transpose()?;
    if let Some(serving) = serving.as_ref().filter(|_| !args.quiet) {
        outlet.send(format!("{DIM}served at tcp://{}{DIM:#}\n", serving.address()));
    }
    let page = args.view.as_deref().zip(live.as_ref()).zip(models.clone());
    let page = page
        .map(|((at, live), models)| {
            let robot = view::robot(stage.body, Some(piece), args.meshes.as_deref())?;
            let place = view::PageAddress::of(at, args.view_token.as_deref())?;
            let alone = SingleBox::of(args, &scenario.given, piece, program, place.at.ip());
            live.serve(place, &engine, piece.title(), models, robot, alone)
        })
        .transpose()?;
    if let Some(page) = &page {
        outlet.send(format!("{}\n", view::announced(page)));
        if args.paused {
            engine.poke(Engine::pause).map_err(|why| Failure::Usage(format!("--paused: {why}")))?;
        }
    }
    let watcher = match (args.watch, &read, performance) {
        (true, Read::Behavior(chosen), _) => Some(Watcher::of_behavior(engine.clone(), args, chosen, models)?),
        (true, Read::Character(cast), Some(performance)) => {
            Some(Watcher::of_character(engine.clone(), cast, performance, stage.language(), stage.body, models)?)
        }
        (true, Read::Character(_), None) | (false, ..) => None,
    };
    if args.member.is_some() {
        robot::wait_for_start(&remote_of_lead);
    }
    let began = Instant::now();
    let driven = host.drive(&engine);
    let took = began.elapsed();
    let interrupted = engine.lock().outcome().is_some_and(|footer| footer.reason == EndReason::Interrupted);
    let mut back = (true, Vec::new());
    let give_back = || back = ready.map(|ready| ready.give_back(interrupted)).unwrap_or((true, Vec::new()));
    let unsettled = real.map(|real| robot::leave(&real, interrupted, give_back)).unwrap_or_default();
    // From here on a signal is for the page that stays.
    let stays = page.as_ref().filter(|_| !interrupted).map(|_| Waiting::new()).transpose()?;
    drop((watching, watcher, serving, watched));
    if let Some(shelf) = shelf {
        shelf.clear();
    }

    let state = engine.lock();
    let footer = state.outcome().cloned();
    let (awaited, waits) = (state.waiting_for(), state.waits());
    drop(state);
    let written = writer.finish();
    recordings.finish()?;
    if let Err(error) = written.or_else(output::unless_closed) {
        return Err(Failure::Run(format!(
            "cannot write to standard output ({}); the {} was stopped",
            plain(&error),
            piece.kind()
        )));
    }
    driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))?;
    let footer = footer.ok_or_else(|| Failure::Run("the run was left before its end".to_owned()))?;
    if !told {
        return Ok(exit::of_run(&footer, args.must_end));
    }
    tell_end(&footer, (&awaited, &waits), &unsettled, &back.1, &played(footer.t, took, args.virtual_time))?;
    if let Some(stays) = stays {
        let mut out = output::stdout();
        writeln!(out, "{DIM}{}{DIM:#}", view::STAYS)?;
        out.flush()?;
        stays.wait();
    }
    Ok(match exit::of_run(&footer, args.must_end) {
        // The behavior is as it should be, and the robot may not be.
        exit::OK if !unsettled.is_empty() || !back.0 => exit::FAILED,
        code => code,
    })
}

impl Read {
    /// Reads what is to be played, and looks whether it has what it is given.
    fn of(args: &PlayArgs, scenario: &Scenario) -> Result<Self, Failure> {
        if let Some(file) = args.character() {
            if scenario.args.alone.is_some() {
                let why = "--box plays a box of a behavior, and this is a character: name the file of the behavior that has the box";
                return Err(Failure::Usage(why.to_owned()));
            }
            character::takes(&scenario.given)?;
            let cast = Cast::read(&file, &character::parameters(&scenario.given)?)?;
            if !args.quiet {
                // Without standard error there is nobody to tell.
                let _ = write!(crate::terminal::stderr(), "{}", cast.told());
            }
            return Ok(Read::Character(Box::new(cast)));
        }
        let chosen =
            open::behavior_or_box(&args.file, scenario.args.behavior.as_deref(), scenario.args.alone.as_ref())?;
        if args.watch && chosen.archive().is_some() {
            let file = args.file.display();
            return Err(Failure::Usage(format!("--watch does not look into archives: `boxstep unpack {file}` first")));
        }
        scenario.fits(&chosen.file.project)?;
        Ok(Read::Behavior(Box::new(chosen)))
    }
}

/// What runs scripts. A process for them is kept in `helper`.
fn host_of<'a>(
    scripts: Scripts,
    asked: &PlayArgs,
    program: &Program,
    host: Option<&'a dyn Host<Engine>>,
    helper: &'a mut Option<Box<dyn Host<Engine>>>,
) -> Result<&'a dyn Host<Engine>, Failure> {
    match (scripts, host) {
        (Scripts::Off, _) => Ok(&NoScripts),
        (Scripts::Process, _) => {
            let started = helper::start(PythonWish::of_play(asked).map(|(_, wish)| wish), program)?;
            Ok(&**helper.insert(started))
        }
        (Scripts::Native, Some(host)) => Ok(host),
        (Scripts::Native, None) => Err(Failure::Usage(
            "box scripts need Python 3, and this program has none: leave scripts out with --scripts off".to_owned(),
        )),
    }
}

/// Offers the run to qi clients; the services of a real robot are to be had from that robot, and those of a Python file by scripts alone.
fn serve(
    engine: &Shared<Engine>,
    server: Server,
    simulated: Option<&'static Body>,
    piece: Playable<'_>,
    inbox: Arc<dyn Inbox>,
) -> Result<Serving, Failure> {
    let failed = |e: ServingError| Failure::Run(format!("the run cannot be served: {e}"));
    let offers = simulated
        .map(|body| SimRobot::new(SimOptions { body, ..SimOptions::default() }).services().collect::<Vec<_>>());
    let serving = Serving::start(engine.clone(), server, &offers.unwrap_or_default()).map_err(failed)?;
    // Behaviors of a character come and go, and may be there several times: no path is one box's for good.
    let boxes = match piece {
        Playable::Behavior(_) => piece.boxes().collect(),
        Playable::Character(_) => Vec::new(),
    };
    serving.offer_boxes(boxes, inbox).map_err(failed)?;
    Ok(serving)
}

fn detail(args: &PlayArgs) -> Detail {
    match (args.quiet, args.verbose) {
        (true, _) => Detail::Quiet,
        (_, true) => Detail::Verbose,
        _ => Detail::Normal,
    }
}

fn config(args: &PlayArgs) -> Config {
    Config {
        clock: if args.virtual_time { ClockKind::Virtual } else { ClockKind::Real },
        scripts: args.scripts != Scripts::Off,
        stop_within: args.stop_within.since(Time::ZERO),
        joints_hz: args.joints,
        pose_hz: args.view.as_ref().map(|_| view::POSES),
        naoqi_numbers: args.naoqi_numbers,
        ..Config::default()
    }
}

/// Is a trace of these files?
fn same_files(files: &[(String, String)], piece: Playable<'_>) -> bool {
    let (mut was, mut is) = (files.to_vec(), piece.files().unwrap_or_default());
    was.sort();
    is.sort();
    was == is
}

/// What is about to be played.
fn announcement(args: &PlayArgs, piece: Playable<'_>, body: &str, robot: Option<&str>) -> String {
    let file = args.file.display().to_string();
    let file = printable_line(&file);
    let mut text = format!("{BOLD}{}{BOLD:#} from {file}\n", printable_line(&piece.title()));
    if piece.all().len() > 1 {
        let all = piece.all().join(", ");
        text.push_str(&format!("{DIM}behaviors: {} (choose with --behavior){DIM:#}\n", printable_line(&all)));
    }
    let clock = if args.virtual_time { "virtual time" } else { "real time" };
    match robot {
        Some(robot) => text.push_str(&format!("{DIM}robot: {}; {clock}{DIM:#}\n", printable_line(robot))),
        None => text.push_str(&format!("{DIM}body: {}; {clock}{DIM:#}\n", printable_line(body))),
    }
    if args.watch {
        let what = match piece {
            Playable::Behavior(_) => "scripts",
            Playable::Character(_) => "files",
        };
        text.push_str(&format!("{DIM}{what} that change are taken while it plays{DIM:#}\n"));
    }
    for line in single_box::not_as_usual(piece) {
        text.push_str(&format!("{YELLOW}{}{YELLOW:#}\n", printable_line(&line)));
    }
    for line in piece.behaviors().into_iter().flat_map(Chosen::left_out) {
        text.push_str(&format!("{YELLOW}{line}{YELLOW:#}\n"));
    }
    match piece.findings() {
        0 => {}
        1 => text.push_str(&format!("{YELLOW}the file has a finding: see boxstep check {file}{YELLOW:#}\n")),
        n => text.push_str(&format!("{YELLOW}the files have {n} findings: see boxstep check {file}{YELLOW:#}\n")),
    }
    text
}

/// The last lines: what was not as it should be, then how long it took.
fn tell_end(
    footer: &Footer,
    (awaited, waits): (&[String], &[Wait]),
    unsettled: &[String],
    back: &[String],
    played: &str,
) -> Result<(), Failure> {
    let mut out = output::stdout();
    for line in how_it_ended(footer, awaited, waits) {
        writeln!(out, "{YELLOW}{}{YELLOW:#}", printable_line(&line))?;
    }
    for line in unsettled {
        writeln!(out, "{YELLOW}{}: the robot may still move{YELLOW:#}", printable_line(line))?;
    }
    for line in back {
        writeln!(out, "{DIM}{}{DIM:#}", printable_line(line))?;
    }
    writeln!(out, "{BOLD}{played}{BOLD:#}")?;
    out.flush()?;
    Ok(())
}
