//! `boxstep play --robot`: the robot of a run (`docs/guides/robots.md`).

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

/// How long scripts and robot have to stop after an interrupt; with the work that follows, the process exits within 2
/// s.
pub(super) const INTERRUPT_WITHIN: Duration = Duration::from_millis(1300);
/// How long to wait for a robot to confirm that it has stopped: first after an interrupt, then in all other cases.
const SETTLE: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(2)];

/// A connected robot.
pub(super) struct Robot {
    pub(super) services: NaoqiRobot,
    pub(super) handle: NaoqiHandle,
    /// The name in messages and traces.
    pub(super) shown: String,
    /// The address of the robot.
    pub(super) address: String,
    /// Lets a signal end the process until something has been changed.
    pub(super) ends: Option<crate::signals::SignalWatch>,
}

/// Connects to the robot that the arguments name, if any, and prints what will not work on it. In virtual time the
/// robot is of another kind: see [`held`].
pub(super) fn connect(args: &PlayArgs, playable: Playable<'_>) -> Result<Option<Robot>, Failure> {
    if args.spec.virtual_time {
        return Ok(None);
    }
    let Some(address) = args.robots()?.into_iter().next() else { return Ok(None) };
    let signals = |e: io::Error| Failure::Run(format!("signals cannot be handled: {e}"));
    // Nothing has been changed that must be undone.
    let ends = remote::end_at_signal().map_err(signals)?;
    let mut qi = args.access.options()?;
    // A missing reply may delay the start, but never a stop.
    qi.answer_within = Duration::from_secs(5);
    let options = NaoqiOptions {
        qi,
        wait: args.restart != Restart::Never,
        waiting: |name, error| {
            // A closed standard error is ignored.
            let _ = writeln!(
                crate::terminal::stderr(),
                "{YELLOW}waiting for {}: {}{YELLOW:#}",
                printable_line(name),
                printable_line(&error.to_string())
            );
        },
        folder: Some(playable.project_folder().to_owned()),
        package: playable.package().to_owned(),
        ..NaoqiOptions::new(&address)
    };
    let services = NaoqiRobot::connect(options).map_err(|e| Failure::Run(e.to_string()))?;
    let (handle, facts) = (services.handle(), services.facts());
    let version = if facts.version.is_empty() { String::new() } else { format!(" (NAOqi {})", facts.version) };
    for missing in handle.missing_features(playable.behaviors().into_iter().any(has_sounds)) {
        writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&missing))?;
    }
    Ok(Some(Robot { services, handle, shown: format!("{address}{version}"), address, ends: Some(ends) }))
}

/// Connects to the robot that the arguments name, if any, in virtual time: it must follow the clock of this engine.
/// Returns it with its name.
fn held(args: &PlayArgs, setup: &RunSetup<'_>) -> Result<Option<(HeldRobot, String)>, Failure> {
    let Some(name) = args.robots()?.into_iter().next().filter(|_| args.spec.virtual_time) else { return Ok(None) };
    const HELP: &str = "leave out --virtual-time, or play on the simulation (without --robot and BOXSTEP_ROBOT), or on a robot of \
                        `boxstep robot --clock client`";
    // The remote robot is configured by the name of a body, and the file of an own body is on this machine.
    if !setup.body.is_known() {
        let body = setup.body;
        return Err(Failure::Usage(format!(
            "in virtual time {name} is a NAO or a Pepper, and not {body}, a body of one's own: play it without --robot"
        )));
    }
    let mut qi = args.access.options()?;
    qi.answer_within = Duration::from_secs(5);
    let session = Session::connect_with(&name, qi)
        .map_err(|e| Failure::Run(format!("{name}: {e}; most robots move in real time: {HELP}")))?;
    match HeldRobot::begin(&session, &setup.simulated()?) {
        Ok(robot) => Ok(Some((robot, name))),
        Err(Error::NoService { .. }) => Err(Failure::Usage(format!("BS0301: {name} moves in real time: {HELP}"))),
        Err(e) => Err(Failure::Run(format!("{name}: {e}"))),
    }
}

/// The robot of a run, of any kind.
pub(super) enum PlayedOn {
    Real(Robot),
    /// A simulated robot in another process that follows the clock of this engine, and its name.
    Held(HeldRobot, String),
    /// A robot that is written in Python, by its file.
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
    pub(super) fn choose(robot: Option<Robot>, args: &PlayArgs, setup: &RunSetup<'_>) -> Result<Self, Failure> {
        if let Some(robot) = robot {
            return Ok(Self::Real(robot));
        }
        Ok(match (held(args, setup)?, args.own_robot()) {
            (Some((robot, name)), _) => Self::Held(robot, name),
            (None, Some(file)) => Self::Own(file.display().to_string()),
            (None, None) => Self::Simulated,
        })
    }

    /// Returns the name in messages, unless the robot is the simulated one of this process.
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

    /// Returns whether the services are those of the simulation, in this process or another.
    pub(super) fn is_simulated(&self) -> bool {
        matches!(self, Self::Held(..) | Self::Simulated)
    }

    pub(super) fn services(self, setup: &RunSetup<'_>) -> Result<Box<dyn Services>, Failure> {
        Ok(match self {
            Self::Real(robot) => Box::new(robot.services),
            // Traces do not say where a simulated robot ran.
            Self::Held(robot, _) => Box::new(robot),
            Self::Own(_) => Box::new(ScriptedRobot::new(SimRobot::new(setup.simulated()?))),
            Self::Simulated => Box::new(SimRobot::new(setup.simulated()?)),
        })
    }
}

/// Returns whether a behavior plays sound files.
fn has_sounds(chosen: &Chosen) -> bool {
    let sound = |value: &str| [".wav", ".mp3", ".ogg"].iter().any(|end| value.to_lowercase().ends_with(end));
    paths::boxes(&chosen.file.project).any(|at| {
        at.def.parameters.iter().any(|p| p.content_type == ParameterType::File && sound(&p.value))
            || at.def.script.as_ref().is_some_and(|script| script.text.contains("ALAudioPlayer"))
    })
}

/// Ends the use of a robot after the run. `give_back` runs once the robot has stopped. Returns the commands to stop
/// that the robot has not confirmed.
pub(super) fn release(robot: &NaoqiHandle, interrupted: bool, give_back: impl FnOnce()) -> Vec<String> {
    let unsettled = robot.settle(SETTLE[usize::from(!interrupted)]);
    for line in robot.unstoppable_actions() {
        let _ = writeln!(crate::terminal::stderr(), "{YELLOW}{}{YELLOW:#}", printable_line(&line));
    }
    give_back();
    robot.close();
    unsettled
}
