//! No robot is commanded before it is known to be ready.
//!
//! The preflight checks are valid for one link only. While the link was down, somebody may have put the robot to rest,
//! or switched its Autonomous Life on. So after a reconnect calls are refused until the checks have passed again over
//! the new link, and the run ends if they fail. Stop commands are sent at any time.

use super::NaoqiHandle;
use super::connection::{Connection, ConnectionState};
use super::preflight::{self, Patience, Permissions, Prepared, Reach, ReadyState, Requirements, Step};
use boxstep_engine::services::{Act, Effect};
use boxstep_qi::{Error, Gone, Session};
use boxstep_types::Value;
use std::sync::Arc;
use std::time::Duration;

/// When the robot may be commanded.
#[derive(Default)]
pub(super) enum Gate {
    /// Always: no preflight was requested, or the user waived it.
    #[default]
    Open,
    /// Not at all: the preflight is in progress.
    Shut,
    /// Over the session in which the checks have passed.
    Guarded(Arc<ReadyState>, Option<Session>),
}

impl ConnectionState {
    /// Returns whether the robot may be commanded over the current link.
    pub(super) fn may_act(&self) -> bool {
        match (&self.gate, &self.session) {
            (Gate::Open, _) => true,
            (Gate::Guarded(_, Some(known)), Some(now)) => known.connection().is_same(now.connection()),
            (Gate::Shut | Gate::Guarded(..), _) => false,
        }
    }

    /// Returns the robot's own behaviors that this run has started.
    fn begun_behaviors(&self) -> Vec<String> {
        let endings = self.open.values().filter_map(|open| open.command.as_ref());
        let endings = endings.chain(self.stops.ongoing.iter().map(|begun| &begun.command));
        let names =
            endings.filter(|command| command.method == "stopBehavior").filter_map(|command| command.args.first());
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

impl Connection {
    /// Returns the current session, or waits for the next one.
    fn reach(&self, most: Duration) -> Result<Session, Error> {
        let live =
            |state: &ConnectionState| state.session.clone().filter(|session| session.connection().gone().is_none());
        self.wait_until(most, |state| live(state).is_some() || state.is_over());
        let slow = || Error::Slow { what: "another connection".to_owned(), after: most };
        live(&self.state()).ok_or_else(slow)
    }

    /// Marks the robot's state as unknown, because the link is new or a service has restarted, and repeats the checks
    /// if they are required.
    pub(super) fn doubt(self: &Arc<Self>) {
        let mut state = self.state();
        let Gate::Guarded(known, over) = &mut state.gate else { return };
        *over = None;
        let known = known.clone();
        let Some(session) = state.session.clone() else { return };
        let begun = state.begun_behaviors();
        drop(state);
        let connection = Arc::downgrade(self);
        let ask = move || {
            // If this link is lost, too, the checks are repeated over the next one.
            let Some(report) = known.recheck(&session, &begun) else { return };
            if let Some(connection) = connection.upgrade() {
                connection.is_known(&known, session, &report);
            }
        };
        // Without a thread there are no checks, and nothing is commanded.
        let _ = std::thread::Builder::new().name("naoqi-ready".to_owned()).spawn(ask);
    }

    /// Handles the result of the repeated checks over this link.
    fn is_known(&self, known: &Arc<ReadyState>, session: Session, report: &preflight::Report) {
        let name = &self.options.name;
        let mut state = self.state();
        if !state.session.as_ref().is_some_and(|now| now.connection().is_same(session.connection())) {
            return;
        }
        if known.is_ready(report) {
            state.gate = Gate::Guarded(known.clone(), Some(session));
            drop(state);
            let text = format!("{name} is still ready, and is commanded again");
            self.mailbox.put(Effect::Act(Act { kind: "robot".into(), text, data: Value::Null }));
        } else if state.is_lost_now() {
            drop(state);
            let facts: Vec<String> = report.refused().map(ToString::to_string).collect();
            let why = format!("{name} is not ready any more, and nothing more is commanded: {}", facts.join("; "));
            self.mailbox.put(Effect::Lost(why));
        }
        self.changed.notify_all();
    }
}

impl NaoqiHandle {
    /// Checks the robot, and makes it ready as far as the user permits ([`preflight::prepare`]). From then on nothing
    /// is commanded over a link on which the robot is not known to be ready.
    pub fn make_ready(
        &self,
        needs: &Requirements,
        permissions: &Permissions,
        patience: &Patience,
        tell: &mut dyn FnMut(Step<'_>),
        give_up: &dyn Fn() -> bool,
    ) -> Prepared {
        if !permissions.anyway {
            self.0.state().gate = Gate::Shut;
        }
        let (prepared, known) = preflight::prepared(&self.link(), needs, permissions, patience, tell, give_up);
        if let (Prepared::Ready(..), Some((known, session)), false) = (&prepared, known, permissions.anyway) {
            let mut state = self.0.state();
            state.gate = Gate::Guarded(Arc::new(known), Some(session));
            let doubtful = !state.may_act();
            drop(state);
            if doubtful {
                self.0.doubt();
            }
        }
        prepared
    }

    /// Returns the current session, and whether the robot is known to be in the state in which the run left it. Over a
    /// session that began later this is not known.
    ///
    /// # Errors
    /// [`Error::Gone`] if there is no link now.
    pub fn session_known(&self) -> Result<(Session, bool), Error> {
        let state = self.0.state();
        let session = state.session.clone().ok_or(Error::Gone(Gone::Closed))?;
        Ok((session, state.may_act()))
    }

    fn link(&self) -> Reach {
        let connection = self.0.clone();
        Arc::new(move |most| connection.reach(most))
    }
}
