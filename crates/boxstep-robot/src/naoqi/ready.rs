//! Nothing is commanded to a robot of which it is not known that it is ready.
//!
//! What was found out before the run is true of one link. While that was away somebody may have put the robot to rest, or switched its
//! Autonomous Life on: so calls wait behind a gate until the same questions are answered over the new link, and the run ends if they are
//! not answered well. Stops go at any time.

use super::NaoqiHandle;
use super::connection::{ConnectionState, Line};
use super::preflight::{self, Known, Leave, Needs, Patience, Prepared, Reach, Step};
use boxstep_engine::services::{Act, Effect};
use boxstep_qi::{Error, Gone, Session};
use boxstep_types::Value;
use std::sync::Arc;
use std::time::Duration;

/// Who may command the robot.
#[derive(Default)]
pub(super) enum Gate {
    /// Whoever has a link: nobody has asked for more, or the user has it so.
    #[default]
    Open,
    /// Nobody: the robot is still being asked.
    Shut,
    /// Whoever has the link over which it is known.
    Guarded(Arc<Known>, Option<Session>),
}

impl ConnectionState {
    /// Whether the robot may be commanded over the link that there is.
    pub(super) fn may_act(&self) -> bool {
        match (&self.gate, &self.session) {
            (Gate::Open, _) => true,
            (Gate::Guarded(_, Some(known)), Some(now)) => known.connection().is_same(now.connection()),
            (Gate::Shut | Gate::Guarded(..), _) => false,
        }
    }

    /// Behaviors of the robot that this run has started.
    fn begun_behaviors(&self) -> Vec<String> {
        let endings = self.open.values().filter_map(|open| open.ending.as_ref());
        let endings = endings.chain(self.stops.begun.iter().map(|begun| &begun.ending));
        let names = endings.filter(|ending| ending.method == "stopBehavior").filter_map(|ending| ending.args.first());
        names.filter_map(Value::as_str).map(str::to_owned).collect()
    }
}

impl Line {
    /// The session of the link that there is, or of the next one.
    fn reach(&self, most: Duration) -> Result<Session, Error> {
        let live =
            |state: &ConnectionState| state.session.clone().filter(|session| session.connection().gone().is_none());
        self.wait_until(most, |state| live(state).is_some() || state.is_over());
        let slow = || Error::Slow { what: "another connection".to_owned(), after: most };
        live(&self.state()).ok_or_else(slow)
    }

    /// What was known of the robot may not be so any more, or is known over another link only: it is asked, if that matters.
    pub(super) fn doubt(self: &Arc<Self>) {
        let mut state = self.state();
        let Gate::Guarded(known, over) = &mut state.gate else { return };
        *over = None;
        let known = known.clone();
        let Some(session) = state.session.clone() else { return };
        let begun = state.begun_behaviors();
        drop(state);
        let line = Arc::downgrade(self);
        let ask = move || {
            // Over a link that is lost again, too, nothing is known; the next one is asked when it is there.
            let Some(report) = known.look_over(&session, &begun) else { return };
            if let Some(line) = line.upgrade() {
                line.is_known(&known, session, &report);
            }
        };
        // Without a thread nobody asks, and nothing is commanded.
        let _ = std::thread::Builder::new().name("naoqi-ready".to_owned()).spawn(ask);
    }

    /// The robot has answered over this link.
    fn is_known(&self, known: &Arc<Known>, session: Session, report: &preflight::Report) {
        let name = &self.options.name;
        let mut state = self.state();
        if !state.session.as_ref().is_some_and(|now| now.connection().is_same(session.connection())) {
            return;
        }
        if known.is_ready(report) {
            state.gate = Gate::Guarded(known.clone(), Some(session));
            drop(state);
            let text = format!("{name} is ready as it was, and is commanded again");
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
    /// Asks the robot, makes it ready as far as the user leaves that to us ([`preflight::prepare`]), and sees to it that from now on
    /// nothing is commanded over any link over which it is not known to be ready.
    pub fn make_ready(
        &self,
        needs: &Needs,
        leave: &Leave,
        patience: &Patience,
        tell: &mut dyn FnMut(Step<'_>),
        give_up: &dyn Fn() -> bool,
    ) -> Prepared {
        if !leave.anyway {
            self.0.state().gate = Gate::Shut;
        }
        let (prepared, known) = preflight::prepared(&self.link(), needs, leave, patience, tell, give_up);
        if let (Prepared::Ready(..), Some((known, session)), false) = (&prepared, known, leave.anyway) {
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

    /// The session now, or the next one, and whether the robot is known to be as it was left: over a link that came later nobody knows.
    ///
    /// # Errors
    /// There is no link now.
    pub fn session_known(&self) -> Result<(Session, bool), Error> {
        let state = self.0.state();
        let session = state.session.clone().ok_or(Error::Gone(Gone::Closed))?;
        Ok((session, state.may_act()))
    }

    fn link(&self) -> Reach {
        let line = self.0.clone();
        Arc::new(move |most| line.reach(most))
    }
}
