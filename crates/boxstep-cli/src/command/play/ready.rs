//! Makes a robot ready before the first motion, and restores it afterwards (`docs/guides/preflight.md`).

use super::robot::{Robot, release};
use crate::args::{PlayArgs, Scripts};
use crate::failure::{Failure, system_message};
use crate::playable::Playable;
use crate::remote::{self, Noted, Remote};
use crate::run::{Attachment, StartedRun};
use crate::settings::Settings;
use crate::{Program, output, requirements, robot_facts};
use anstyle::{AnsiColor, Style};
use boxstep_engine::config::Control;
use boxstep_qi::{Kept, Options, Session};
use boxstep_robot::naoqi::NaoqiHandle;
use boxstep_robot::naoqi::preflight::{Changes, Patience, Prepared, PutBack, Report, RestoreOutcome, Step, Verdict};
use std::cell::RefCell;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const YELLOW: Style = AnsiColor::Yellow.on_default();

/// How long restoring the robot may take: first after an interrupt, where the process must exit within 2 s; then in all
/// other cases.
const PUT_BACK_WITHIN: [Duration; 2] = [Duration::from_millis(250), Duration::from_secs(10)];

/// A robot that may be played on. It is restored to the state in which it was found, however the run ends.
pub(super) struct PreparedRobot {
    changes: Changes,
    robot: NaoqiHandle,
    /// The address for a new connection, if that of the run is lost.
    address: String,
    options: Options,
    /// Notes signals until the run handles them.
    noted: Option<Noted>,
    /// The robot was stopped from outside.
    stopped: Arc<AtomicBool>,
    /// Keeps the subscription to stops from outside.
    stop_subscription: Option<Kept>,
}

/// What the run is about to play, and how.
pub(super) struct Plan<'a> {
    pub(super) args: &'a PlayArgs,
    pub(super) playable: Playable<'a>,
    pub(super) settings: &'a Settings,
    pub(super) language: Option<&'a str>,
    pub(super) program: &'a Program,
}

/// Inspects the robot, prints the result, and makes the robot ready as far as the user allows it.
pub(super) fn prepare(robot: &mut Robot, plan: &Plan<'_>) -> Result<PreparedRobot, Failure> {
    let args = plan.args;
    // A signal ends the process until something is changed; after that it is only noted.
    let (mut ends, noted) = (robot.ends.take(), RefCell::new(None));
    let name = &robot.shown;
    let scripts = args.spec.how() != Scripts::Off;
    let python = scripts.then_some(args.spec.python.as_deref());
    let needs = requirements::find(plan.playable, plan.settings, plan.language, python, plan.program);
    let mut seen = Report::default();
    let mut report_step = |step: Step<'_>| {
        let text = match step {
            Step::Seen(report) => {
                seen = report.clone();
                *noted.borrow_mut() = Some(remote::note_signals(1));
                ends = None;
                robot_facts::text(report.facts.iter().filter(|fact| !args.quiet || fact.verdict != Verdict::Fine))
            }
            Step::Doing(_) if args.quiet => return,
            Step::Doing(what) => format!("{what}\n"),
        };
        // The run detects that standard output is closed.
        let _ = output::stdout().write_all(text.as_bytes());
    };
    let interrupted = || matches!(&*noted.borrow(), Some(Ok(noted)) if noted.is_set());
    let leave = args.leave.leave();
    let prepared = robot.handle.make_ready(&needs, &leave, &Patience::default(), &mut report_step, &interrupted);
    match prepared {
        Prepared::Ready(_, changes) => {
            let noted = noted.into_inner().transpose();
            let noted =
                noted.map_err(|e| Failure::Run(format!("signals cannot be handled: {}", system_message(&e))))?;
            let options = args.access.options()?;
            let (address, robot) = (robot.address.clone(), robot.handle.clone());
            Ok(PreparedRobot {
                changes,
                robot,
                address,
                options,
                noted,
                stopped: Arc::default(),
                stop_subscription: None,
            })
        }
        Prepared::Refused(report, back) => {
            let refused = robot_facts::refused(&report);
            let mut out = output::stdout();
            // Facts that only showed while the robot was being changed.
            let new = report.facts.iter().filter(|fact| !seen.facts.contains(fact));
            out.write_all(robot_facts::text(new).as_bytes())?;
            back.iter().try_for_each(|back| writeln!(out, "{back}"))?;
            out.flush()?;
            if interrupted() {
                return Err(Failure::Interrupted);
            }
            Err(Failure::Run(format!("{name} is not ready, and nothing was played: {refused}")))
        }
    }
}

impl PreparedRobot {
    /// Passes signals, and stops of the robot from outside, to the run from now on. A signal that came before is passed
    /// on, too.
    pub(super) fn hand_over(&mut self, remote: &Remote) {
        let (stopped, run) = (self.stopped.clone(), remote.clone());
        self.stop_subscription = self.robot.when_stopped(move || {
            if !stopped.swap(true, Ordering::AcqRel) {
                run.send(Control::Interrupt);
            }
        });
        if self.noted.take().is_some_and(|noted| noted.is_set()) {
            remote.send(Control::Interrupt);
        }
    }

    /// Restores the robot. Returns whether everything was restored, and the lines to print.
    pub(super) fn give_back(mut self, interrupted: bool) -> (bool, Vec<String>) {
        self.stop_subscription = None;
        // Whoever stops a robot wants it to stand still: it must neither lie down nor return to Autonomous Life.
        if self.stopped.load(Ordering::Acquire) {
            let whats = std::mem::take(&mut self.changes);
            let left =
                whats.whats().map(|what| format!("NOT put back, for the robot was stopped from outside: {what}"));
            return (true, left.collect());
        }
        let back = self.put_back(PUT_BACK_WITHIN[usize::from(!interrupted)]);
        let sound = back.iter().all(|back| !matches!(back.outcome, RestoreOutcome::Failed(_)));
        (sound, back.iter().map(ToString::to_string).collect())
    }

    fn put_back(&mut self, within: Duration) -> Vec<PutBack> {
        let changes = std::mem::take(&mut self.changes);
        let (robot, address, options) = (self.robot.clone(), self.address.clone(), self.options.clone());
        let anew = move || Session::connect_with(&address, options).map(|session| (session, false));
        let connect = move || robot.session_known().or_else(|_| anew());
        changes.put_back(connect, within)
    }
}

impl Drop for PreparedRobot {
    /// The run did not reach its end.
    fn drop(&mut self) {
        for back in self.put_back(PUT_BACK_WITHIN[1]) {
            // A closed standard error is ignored.
            let _ = writeln!(
                crate::terminal::stderr(),
                "{YELLOW}{}{YELLOW:#}",
                boxstep_types::printable_line(&back.to_string())
            );
        }
    }
}

/// The attachment that leaves the robot stopped and restored after the run.
pub(super) struct RobotGuard {
    ready: Option<PreparedRobot>,
    robot: NaoqiHandle,
    remote: Remote,
    /// The commands to stop that the robot has not confirmed.
    unsettled: Vec<String>,
    /// Whether everything was restored, and the lines to print about it.
    back: (bool, Vec<String>),
}

impl RobotGuard {
    pub(super) fn new(ready: PreparedRobot, robot: NaoqiHandle, remote: Remote) -> Self {
        Self { ready: Some(ready), robot, remote, unsettled: Vec::new(), back: (true, Vec::new()) }
    }

    /// Returns what the robot has not confirmed, and the lines about restoring it.
    pub(super) fn report(&self) -> (&[String], &[String]) {
        (&self.unsettled, &self.back.1)
    }

    /// Returns whether the robot has stopped and was restored.
    pub(super) fn is_sound(&self) -> bool {
        self.unsettled.is_empty() && self.back.0
    }
}

impl Attachment for RobotGuard {
    fn attach(&mut self, _: &StartedRun) -> Result<(), Failure> {
        if let Some(ready) = &mut self.ready {
            ready.hand_over(&self.remote);
        }
        Ok(())
    }

    fn driven(&mut self, interrupted: bool) {
        let (ready, back) = (self.ready.take(), &mut self.back);
        let give_back = || {
            if let Some(ready) = ready {
                *back = ready.give_back(interrupted);
            }
        };
        self.unsettled = release(&self.robot, interrupted, give_back);
    }
}
