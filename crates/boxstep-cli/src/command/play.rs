//! `boxstep play`

mod attachment;
mod page;
mod ready;
mod recordings;
mod robot;
mod server;
mod terminal;

use crate::args::{PlayArgs, Scripts};
use crate::character::{self, Cast};
use crate::console::played;
use crate::failure::Failure;
use crate::playable::Read;
use crate::remote::{Remote, Waiting, end_with_input, watch};
use crate::run_setup::{RunSetup, Staged};
use crate::scenario::{self, Scenario};
use crate::settings::Settings;
use crate::{Program, PythonWish, exit, helper, member, open, output, page_lines, supervisor, trust, view};
use attachment::{Attachment, Run, WatchedFiles};
use boxstep_engine::Engine;
use boxstep_engine::config::Config;
use boxstep_engine::services::Services;
use boxstep_engine::shared::{Host, NoScripts, Shared};
use boxstep_engine::trace::EndReason;
use boxstep_robot::ScriptedRobot;
use boxstep_services::SimRobot;
use page::Page;
use recordings::Recordings;
use server::QiServer;
use std::cell::Cell;
use std::io::Write as _;
use std::time::Instant;
use terminal::{DIM, Terminal, tell_end};

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
    let host = host_of(args.spec.how(), asked, program, host, &mut helper)?;

    // The robot.
    let mut robot = robot::of_play(args, piece)?;
    let language = scenario.given.language.as_deref();
    let plan = ready::Plan { args, piece, settings: &settings, language, program };
    let mut ready = robot.as_mut().map(|robot| ready::make(robot, &plan)).transpose()?;
    let mut setup = RunSetup::new(piece, &args.spec, &scenario.given, &settings)?;
    scenario.is_of(setup.body)?;
    let mut config = Config { pose_hz: args.view.as_ref().map(|_| view::POSES), ..args.spec.config() };
    if let Some(robot) = &robot {
        setup = setup.on(&robot.shown, &robot.services);
        config.interrupt_within = robot::INTERRUPT_WITHIN;
    }
    if let Some(file) = args.own_robot() {
        setup = setup.played_by(file)?;
    }
    if args.serve.is_some() {
        setup = setup.receiving();
    }
    if args.view.is_some() {
        setup = setup.drawn();
    }
    let held = robot::held(args, &setup)?;
    let address = robot.as_ref().map(|robot| robot.address.as_str());
    let own = args.own_robot().map(|file| file.display().to_string());
    let shown = robot.as_ref().map(|robot| &robot.shown).or(held.as_ref().map(|(_, name)| name)).cloned().or(own);
    let real = robot.as_ref().map(|robot| robot.handle.clone());

    // Recordings first: what somebody has been told of is in them, whatever they do next.
    let (remote, commands) = Remote::new();
    let mut recordings = Recordings::new(args, piece, address.zip(real.clone()))?;
    let mut terminal = Terminal::new(args, piece, &remote)?;
    let mut page = Page::new(args, piece)?;
    let (mut server, mut files) = (QiServer::default(), WatchedFiles::default());
    let outlet = terminal.outlet();
    let last_words = recordings.last_words();
    let mut attachments: [&mut dyn Attachment; 5] =
        [&mut recordings, &mut terminal, &mut server, &mut page, &mut files];
    let sinks = attachments.iter_mut().flat_map(|attached| attached.sinks()).collect();

    let services: Box<dyn Services> = match (robot, held, args.own_robot()) {
        (Some(robot), ..) => Box::new(robot.services),
        // It is a simulated one: traces do not say where it was.
        (None, Some((held, _)), _) => Box::new(held),
        (None, None, Some(_)) => Box::new(ScriptedRobot::new(SimRobot::new(setup.simulated()?))),
        (None, None, None) => Box::new(SimRobot::new(setup.simulated()?)),
    };
    let Staged { engine, untranslated, performance } = setup.engine_with(services, config, sinks, scenario.begin())?;
    let engine = Shared::of_run(engine);
    let watching = watch(engine.clone(), remote.clone(), commands, last_words)?;
    if args.ends_with_input {
        end_with_input()?;
    }
    if let Some(ready) = &mut ready {
        ready.hand_over(&remote);
    }
    let run = Run {
        args,
        program,
        scenario: &scenario,
        read: &read,
        setup: &setup,
        engine: engine.clone(),
        outlet,
        robot: shown.as_deref(),
        simulated: real.is_none() && args.own_robot().is_none(),
        untranslated,
        performance: Cell::new(performance),
    };
    attachments.iter_mut().try_for_each(|attached| attached.attach(&run))?;
    drop(run);
    if args.member.is_some() {
        member::wait_for_start(&remote);
    }

    let began = Instant::now();
    let driven = host.drive(&engine);
    let took = began.elapsed();
    let interrupted = engine.lock().outcome().is_some_and(|footer| footer.reason == EndReason::Interrupted);
    let mut back = (true, Vec::new());
    let give_back = || back = ready.map(|ready| ready.give_back(interrupted)).unwrap_or((true, Vec::new()));
    let unsettled = real.map(|real| robot::leave(&real, interrupted, give_back)).unwrap_or_default();
    // From here on a signal is for the page that stays.
    let stays = !interrupted && attachments.iter().any(|attached| attached.stays());
    let stays = stays.then(Waiting::new).transpose()?;
    drop(watching);
    attachments.iter_mut().for_each(|attached| attached.detach());
    let state = engine.lock();
    let footer = state.outcome().cloned();
    let (waiting_for, waits) = (state.waiting_for(), state.waits());
    drop(state);
    // Each is finished, whatever comes of the others.
    attachments
        .iter_mut()
        .map(|attached| attached.finish())
        .collect::<Vec<_>>()
        .into_iter()
        .collect::<Result<(), _>>()?;
    driven.map_err(|why| Failure::Usage(format!("the scripts cannot be run: {why}")))?;
    let footer = footer.ok_or_else(|| Failure::Run("the run was left before its end".to_owned()))?;
    if args.recordings.kept.is_some() {
        return Ok(exit::of_run(&footer, args.must_end));
    }
    let played = played(footer.t, took, args.spec.virtual_time);
    tell_end(&footer, (&waiting_for, &waits), &unsettled, &back.1, &played)?;
    if let Some(stays) = stays {
        let mut out = output::stdout();
        writeln!(out, "{DIM}{}{DIM:#}", page_lines::STAYS)?;
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
            if scenario.args.spec.alone.is_some() {
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
        let chosen = open::behavior_or_box(
            &args.file,
            scenario.args.spec.behavior.as_deref(),
            scenario.args.spec.alone.as_ref(),
        )?;
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
