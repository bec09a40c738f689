//! Calls and subscriptions of whoever is outside: programs that use the services of a run over a network.
//!
//! Such a call goes where a script's goes: to mocks, to the engine's own services, then to the robot. What comes of it is given to
//! a function, which the engine calls while it is locked: it must neither wait nor ask the engine for anything.

use crate::Engine;
use crate::calls::{Begun, Calls, Subscriber, Then};
use crate::clock::Alarm;
use crate::event_loop::Work;
use crate::protocol::{CallId, SubscriptionId};
pub use crate::services::{AnswerListener, TopicListener};
use crate::services::{ServiceError, Topic};
use crate::trace::{Control, Kind, PathId};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// Is told that a call is over, or (true) that the time for waiting is.
pub type Over = Box<dyn FnOnce(bool) + Send>;

/// Those outside who wait for the end of a call.
#[derive(Default)]
pub(crate) struct WaitingClients {
    made: u32,
    all: BTreeMap<u32, (CallId, Over)>,
}

impl WaitingClients {
    /// Does somebody outside still wait with this number?
    pub(crate) fn waits_outside(&self, id: u32) -> bool {
        self.all.contains_key(&id)
    }

    /// The time for which somebody outside wanted to wait is over.
    pub(crate) fn outside_due(&mut self, id: u32) {
        if let Some((_, then)) = self.all.remove(&id) {
            then(true);
        }
    }

    /// A call is over: tells who waits outside.
    pub(crate) fn tell_outside(&mut self, call: CallId) {
        if self.all.is_empty() {
            return;
        }
        for (_, (_, then)) in self.all.extract_if(.., |_, (of, _)| *of == call) {
            then(false);
        }
    }
}

impl Calls {
    /// The run is over: nobody outside waits any longer.
    pub(crate) fn leave_outside(&mut self, outside: &mut WaitingClients) {
        for (_, (_, then)) in std::mem::take(&mut outside.all) {
            then(false);
        }
        for then in self.left_outside() {
            then(Err("the run is over".to_owned()));
        }
    }
}

impl Engine {
    /// Is there a service of this name: the engine's, a mock's, or the robot's? Modules that scripts have made are for them alone.
    pub fn offers(&self, service: &str) -> bool {
        crate::own_services::answers(service) || self.has_mock(service) || self.services.has_service(service)
    }

    /// Begins a call of a service. Its number is what `wait`, `stop` and the robot's own tasks know it by. `then` is called
    /// once, at once if the call is over already. A run that is over fails every call.
    pub fn call_from_outside(&mut self, service: &str, method: &str, args: &[Value], then: AnswerListener) -> CallId {
        if self.end.is_closed() {
            then(Err("the run is over".to_owned()));
            return self.calls.next_id();
        }
        self.cx.clock.refresh();
        self.cx.cause = 0;
        match self.begin_outside(service, method, args) {
            Begun::Ready(result) => {
                let id = CallId(self.calls.made);
                then(result.map_err(|e| e.message(service, method)));
                id
            }
            Begun::Pending(id) => {
                self.calls.then(id, Then::Outside(then));
                id
            }
        }
    }

    /// The same without an answer, and with the trace of an input, by which a replay does it again.
    pub(crate) fn begin_outside(&mut self, service: &str, method: &str, args: &[Value]) -> Begun {
        if self.cx.tracer.on() {
            let control = Control::Call { service: service.into(), method: method.into(), args: args.to_vec() };
            self.cx.trace(PathId(0), Kind::control(control));
        }
        self.begin_call(PathId(0), 0, &service.into(), &method.into(), args)
    }

    /// Gives a call up. Whoever waits for it is answered null, and the robot stops doing it. False if it is over.
    pub fn cancel_call(&mut self, call: CallId) -> bool {
        self.cx.clock.refresh();
        self.cx.cause = 0;
        self.stop_call(call)
    }

    /// Does this call still run?
    pub fn still_runs(&self, call: CallId) -> bool {
        self.calls.running(call)
    }

    /// Has a function told when a call is over, or so much time has passed without that; at once if there is no such call.
    pub fn when_over(&mut self, call: CallId, within: Option<Time>, then: Over) {
        if !self.calls.running(call) {
            return then(false);
        }
        self.outside.made += 1;
        let id = self.outside.made;
        self.outside.all.insert(id, (call, then));
        if let Some(within) = within {
            let at = self.cx.clock.refresh() + within;
            self.cx.alarm(at, Alarm::Outside(id));
        }
    }

    /// Has a function told of each event of a topic that is raised from now on, until [`Engine::leave_topic`].
    ///
    /// # Errors
    /// There is no such signal.
    pub fn hear_topic(&mut self, topic: Topic, tell: TopicListener) -> Result<SubscriptionId, ServiceError> {
        self.cx.clock.refresh();
        self.cx.cause = 0;
        self.calls.subscriptions += 1;
        let id = SubscriptionId(self.calls.subscriptions);
        // What was raised is told when the run comes to it, and others may come in between.
        let waits = |work: &&Work| matches!(work, Work::Event(event, _) if event.0 == topic);
        let earlier = self.cx.work.iter().filter(waits).count();
        self.add_subscriber(topic, Subscriber::Outside { id, tell, earlier })?;
        Ok(id)
    }

    /// Ends a subscription. False if there is none.
    pub fn leave_topic(&mut self, id: SubscriptionId) -> bool {
        if self.end.is_closed() {
            return false;
        }
        self.cx.clock.refresh();
        self.cx.cause = 0;
        self.remove_subscribers(|_, s| matches!(s, Subscriber::Outside { id: i, .. } if *i == id))
    }
}
