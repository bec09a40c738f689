//! The checked state of a robot, which is checked again after a reconnect.

use super::judge::judge;
use super::observe::{observe, observe_session};
use super::{Life, Patience, Permissions, Reach, Report, Requirements, Verdict};
use boxstep_qi::Session;

/// The state that the robot must be in from now on: that at the beginning of the run.
#[derive(Clone, Debug)]
pub(in super::super) struct ReadyState {
    pub(super) needs: Requirements,
    /// The permissions without the changes, which have been made.
    permissions: Permissions,
    pub(super) patience: Patience,
    /// Behaviors that were running already, which have been reported.
    running: Vec<String>,
}

impl ReadyState {
    pub(super) fn new(
        needs: &Requirements,
        permissions: &Permissions,
        patience: &Patience,
        running: Vec<String>,
    ) -> ReadyState {
        let permissions =
            Permissions { wake: false, life: permissions.life.filter(|life| *life == Life::Keep), ..*permissions };
        ReadyState { needs: needs.clone(), permissions, patience: *patience, running }
    }

    /// Checks whether a changed robot is as it should be; returns the session in which it was checked.
    pub(super) fn check_again(&self, reach: &Reach) -> (Report, Option<Session>) {
        let (seen, session) = observe(reach, &self.needs, &self.patience);
        (judge(&seen, &self.needs, &self.permissions, &self.running), session)
    }

    /// Checks over a new session whether the robot is still as it should be. `begun` are the robot's behaviors that the
    /// run itself has started. `None`: that link is lost, too.
    pub(in super::super) fn recheck(&self, session: &Session, begun: &[String]) -> Option<Report> {
        // A script may have set another language meanwhile.
        let needs = Requirements { language: None, ..self.needs.clone() };
        let seen = observe_session(session, &needs, self.patience.asking);
        let known: Vec<String> = self.running.iter().chain(begun).cloned().collect();
        seen.is_lost().is_none().then(|| judge(&seen, &needs, &self.permissions, &known))
    }

    /// Returns whether the run may continue on this robot.
    pub(in super::super) fn is_ready(&self, report: &Report) -> bool {
        self.permissions.anyway || report.verdict() < Verdict::Refused
    }
}
