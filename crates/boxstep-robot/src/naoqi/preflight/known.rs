//! What was found out about a robot, to be found out again when the link to it was lost.

use super::judge::judge;
use super::observe::{observe, over};
use super::{Leave, Life, Needs, Patience, Reach, Report, Verdict};
use boxstep_qi::Session;

/// What a robot is to be like from now on: as it was when the run began.
#[derive(Clone, Debug)]
pub(in super::super) struct Known {
    pub(super) needs: Needs,
    /// Without what was to be changed: it has been.
    leave: Leave,
    pub(super) patience: Patience,
    /// Behaviors that ran already, which were told of.
    running: Vec<String>,
}

impl Known {
    pub(super) fn new(needs: &Needs, leave: &Leave, patience: &Patience, running: Vec<String>) -> Known {
        let leave = Leave { wake: false, life: leave.life.filter(|life| *life == Life::Keep), ..*leave };
        Known { needs: needs.clone(), leave, patience: *patience, running }
    }

    /// Asks a robot that was changed whether it is as it should be, and over which link.
    pub(super) fn look(&self, reach: &Reach) -> (Report, Option<Session>) {
        let (seen, session) = observe(reach, &self.needs, &self.patience);
        (judge(&seen, &self.needs, &self.leave, &self.running), session)
    }

    /// Asks over a new link whether the robot is still as it should be; `begun` are the behaviors that the run itself has started.
    /// `None`: that link is lost, too.
    pub(in super::super) fn look_over(&self, session: &Session, begun: &[String]) -> Option<Report> {
        // A script may have chosen another language meanwhile.
        let needs = Needs { language: None, ..self.needs.clone() };
        let seen = over(session, &needs, self.patience.asking);
        let known: Vec<String> = self.running.iter().chain(begun).cloned().collect();
        seen.is_lost().is_none().then(|| judge(&seen, &needs, &self.leave, &known))
    }

    /// Whether this is a robot to go on with.
    pub(in super::super) fn is_ready(&self, report: &Report) -> bool {
        self.leave.anyway || report.verdict() < Verdict::Refused
    }
}
