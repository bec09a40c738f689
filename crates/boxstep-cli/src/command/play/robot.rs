//! `boxstep play --robot`: the robot that is played on (`docs/robots.md`).

use crate::args::{PlayArgs, Restart};
use crate::failure::Failure;
use crate::open::Chosen;
use crate::playable::Playable;
use crate::remote;
use crate::run_setup::RunSetup;
use anstyle::{AnsiColor, Style};
use boxstep_engine::services::Services;
use boxstep_format::model::ParameterType;
use boxstep_format::paths;
use boxstep_qi::{Error, Session};
use boxstep_robot::naoqi::{NaoqiHandle, NaoqiOptions};
use boxstep_robot::serve::clock::HeldRobot;
use boxstep_robot::{NaoqiRobot, ScriptedRobot};
use boxstep_services::SimRobot;
use boxstep_types::printable_line;
use std::io::{self, Write as _};
use std::time::Duration;

const YELLOW: Style = AnsiColor::Yellow.on_default();

/// How long scripts and robot have for an interrupt: with what follows it the process is gone after 2 s.
pub(super) const INTERRUPT_WITHIN: Duration = Duration::from_millis(1300);
/// How long a robot is waited for that has not confirmed to have stopped: after an interrupt, and otherwise.
const SETTLE: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// A robot that is there.
pub(super) struct Robot {
    pub(super) services: NaoqiRobot,
    pub(super) handle: NaoqiHandle,
    /// As messages and traces name it.
    pub(super) shown: String,
    /// Where it is.
    pub(super) address: String,
    /// A signal ends the process as long as nothing has been begun.
    pub(super) ends: Option<remote::SignalWatch>,
}

/// The robot that is asked for, if one is; connected, and what will not work on it is told. In virtual time it is another
/// kind: see [`held`].
pub(super) fn of_play(args: &PlayArgs, piece: Playable<'_>) -> Result<Option<Robot>, Failure> {
    if args.spec.virtual_time {
        return Ok(None);
    }
    let Some(address) = args.robots()?.into_iter().next() else { return Ok(None) };
    let signals = |e: io::Error| Failure::Run(format!("signals cannot be heard: {e}"));
    // Nothing has been begun that would have to be wound down.
    let ends = remote::end_at_signal().map_err(signals)?;
    let mut qi = args.access.options()?;
    // An answer that does not come holds up a start, never a stop.
    qi.answer_within = Duration::from_secs(5);
    let options = NaoqiOptions {
        qi,
        wait: args.restart != Restart::Never,
        waiting: |name, error| {
            // Standard error may be gone; then there is nobody to tell.
            let _ = writeln!(
                crate::terminal::stderr(),
                "{YELLOW}waiting for {}: {}{YELLOW:#}",
                printable_line(name),
                printable_line(&error.to_string())
            );
        },
        folder: Some(piece.project_folder().to_owned()),
        package: piece.package().to_owned(),
        ..NaoqiOptions::new(&address)
    };
    let services = NaoqiRobot::connect(options).map_err(|e| Failure::Run(e.to_string()))?;
    let (handle, facts) = (services.handle(), services.facts());
    let version = if facts.version.is_empty() { String::new() } else { format!(" (NAOqi {})", facts.version) };
    for missing in handle.missing_features(piece.behaviors().into_iter().any(has_sounds)) {
        writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&missing))?;
    }
    Ok(Some(Robot { services, handle, shown: format!("{address}{version}"), address, ends: Some(ends) }))
}

/// The robot that is asked for in virtual time, if one is, and its name: it must go by the clock of this engine.
fn held(args: &PlayArgs, stage: &RunSetup<'_>) -> Result<Option<(HeldRobot, String)>, Failure> {
    let Some(name) = args.robots()?.into_iter().next().filter(|_| args.spec.virtual_time) else { return Ok(None) };
    const HELP: &str = "leave out --virtual-time, or play on the simulation (without --robot and BOXSTEP_ROBOT), or on a robot of \
                        `boxstep robot --clock client`";
    // The robot gets its options by name, and a body of one's own is a file here.
    if !stage.body.is_known() {
        let body = stage.body;
        return Err(Failure::Usage(format!(
            "in virtual time {name} is a NAO or a Pepper, and not {body}, a body of one's own: play it without --robot"
        )));
    }
    let mut qi = args.access.options()?;
    qi.answer_within = Duration::from_secs(5);
    let session = Session::connect_with(&name, qi)
        .map_err(|e| Failure::Run(format!("{name}: {e}; most robots move in real time: {HELP}")))?;
    match HeldRobot::begin(&session, &stage.simulated()?) {
        Ok(robot) => Ok(Some((robot, name))),
        Err(Error::NoService { .. }) => Err(Failure::Usage(format!("BS0301: {name} moves in real time: {HELP}"))),
        Err(e) => Err(Failure::Run(format!("{name}: {e}"))),
    }
}

/// The robot of a run, whatever kind it is of.
pub(super) enum PlayedOn {
    Real(Robot),
    /// A simulated one that goes by the clock of this engine, and its name.
    Held(HeldRobot, String),
    /// One that is written in Python, by its file.
    Own(String),
    Simulated,
}

/// A real robot while it is played on.
#[derive(Clone, Copy)]
pub(super) struct Real<'a> {
    pub(super) address: &'a str,
    pub(super) handle: &'a NaoqiHandle,
}

impl PlayedOn {
    pub(super) fn of(robot: Option<Robot>, args: &PlayArgs, setup: &RunSetup<'_>) -> Result<Self, Failure> {
        if let Some(robot) = robot {
            return Ok(Self::Real(robot));
        }
        Ok(match (held(args, setup)?, args.own_robot()) {
            (Some((robot, name)), _) => Self::Held(robot, name),
            (None, Some(file)) => Self::Own(file.display().to_string()),
            (None, None) => Self::Simulated,
        })
    }

    /// As messages name it, if it is not the simulated one of this process.
    pub(super) fn shown(&self) -> Option<String> {
        match self {
            Self::Real(robot) => Some(robot.shown.clone()),
            Self::Held(_, name) | Self::Own(name) => Some(name.clone()),
            Self::Simulated => None,
        }
    }

    pub(super) fn real(&self) -> Option<Real<'_>> {
        match self {
            Self::Real(robot) => Some(Real { address: &robot.address, handle: &robot.handle }),
            _ => None,
        }
    }

    /// Its services are those of the simulation, wherever that is.
    pub(super) fn is_simulated(&self) -> bool {
        matches!(self, Self::Held(..) | Self::Simulated)
    }

    pub(super) fn services(self, setup: &RunSetup<'_>) -> Result<Box<dyn Services>, Failure> {
        Ok(match self {
            Self::Real(robot) => Box::new(robot.services),
            // It is a simulated one: traces do not say where it was.
            Self::Held(robot, _) => Box::new(robot),
            Self::Own(_) => Box::new(ScriptedRobot::new(SimRobot::new(setup.simulated()?))),
            Self::Simulated => Box::new(SimRobot::new(setup.simulated()?)),
        })
    }
}

/// Does it play sounds of its own?
fn has_sounds(chosen: &Chosen) -> bool {
    let sound = |value: &str| [".wav", ".mp3", ".ogg"].iter().any(|end| value.to_lowercase().ends_with(end));
    paths::boxes(&chosen.file.project).any(|at| {
        at.def.parameters.iter().any(|p| p.content_type == ParameterType::File && sound(&p.value))
            || at.def.script.as_ref().is_some_and(|script| script.text.contains("ALAudioPlayer"))
    })
}

/// The run is over: what the robot has not confirmed of what it was told to stop. `give_back` is done once it has stopped.
pub(super) fn leave(robot: &NaoqiHandle, interrupted: bool, give_back: impl FnOnce()) -> Vec<String> {
    let unsettled = robot.settle(SETTLE[usize::from(!interrupted)]);
    for line in robot.unstoppable_actions() {
        let _ = writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&line));
    }
    give_back();
    robot.close();
    unsettled
}
