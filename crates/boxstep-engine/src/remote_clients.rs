//! Calls and subscriptions of remote clients: programs that use the services of a run over a network.
//!
//! Such a call takes the same way as a script's: to mocks, to the engine's own services, then to the robot. The result
//! goes to a function, which the engine calls under its lock: the function must neither wait nor call the engine.

use crate::Engine;
use crate::calls::{CallStart, Calls, Subscriber, Then};
use crate::clock::Alarm;
use crate::context::{Cause, Context};
use crate::event_loop::Work;
use crate::protocol::{CallId, SubscriptionId};
pub use crate::services::{AnswerListener, TopicListener};
use crate::services::{Ask, ServiceError, Topic};
use crate::trace::{Control, Kind, PathId};
use boxstep_types::{Time, Value};
use std::collections::BTreeMap;

/// Called when a call has ended, or (with true) when the timeout has passed.
pub type DoneListener = Box<dyn FnOnce(bool) + Send>;

/// The remote clients that wait for the end of a call.
#[derive(Default)]
pub(crate) struct WaitingClients {
    made: u32,
    all: BTreeMap<u32, (CallId, DoneListener)>,
}

impl WaitingClients {
    /// Returns whether the client with this number still waits.
    pub(crate) fn client_waits(&self, id: u32) -> bool {
        self.all.contains_key(&id)
    }

    /// Notifies a client that its timeout has passed.
    pub(crate) fn client_timeout(&mut self, id: u32) {
        if let Some((_, then)) = self.all.remove(&id) {
            then(true);
        }
    }

    /// Notifies the clients that wait for this call.
    pub(crate) fn notify_clients(&mut self, call: CallId) {
        if self.all.is_empty() {
            return;
        }
        for (_, (_, then)) in self.all.extract_if(.., |_, (of, _)| *of == call) {
            then(false);
        }
    }
}

impl Calls {
    /// Releases all clients at the end of the run.
    pub(crate) fn release_clients(&mut self, outside: &mut WaitingClients) {
        for (_, (_, then)) in std::mem::take(&mut outside.all) {
            then(false);
        }
        for then in self.take_waiting_listeners() {
            then(Err("the run is over".to_owned()));
        }
    }
}

impl Context {
    /// Traces a call from outside as a control, so that a replay can repeat it.
    pub(crate) fn trace_call(&mut self, service: &str, method: &str, args: &[Value]) {
        if self.tracer.on() {
            let control = Control::Call { service: service.into(), method: method.into(), args: args.to_vec() };
            self.trace(PathId(0), Kind::control(control));
        }
    }
}

impl Engine {
    /// Returns whether there is a service of this name: the engine's, a mock's, or the robot's.
    pub fn offers(&self, service: &str) -> bool {
        crate::own_services::answers(service) || self.config.has_mock(service) || self.services.has_service(service)
    }

    /// Returns whether scripts run.
    pub fn runs_scripts(&self) -> bool {
        self.config.scripts
    }

    /// Returns whether there is a service of this name, also one that a script has registered.
    pub fn has_service(&self, service: &str) -> bool {
        self.offers(service) || self.is_of_script(service)
    }

    /// Begins a call of a service, and returns its id. `then` is called once, immediately if the call has completed
    /// already. A run that is over fails every call.
    pub fn call_from_outside(&mut self, service: &str, method: &str, args: &[Value], then: AnswerListener) -> CallId {
        if self.end.is_closed() {
            then(Err("the run is over".to_owned()));
            return self.calls.next_id();
        }
        self.cx.clock.refresh();
        self.cx.begin(Cause::OUTSIDE);
        match self.begin_outside(service, method, args) {
            CallStart::Ready(result) => {
                let id = self.calls.last_id();
                then(result.map_err(|e| e.message(service, method)));
                id
            }
            CallStart::Pending(id) => {
                self.calls.then(id, Then::Outside(then));
                id
            }
        }
    }

    /// Begins a call from outside, which a replay repeats.
    pub(crate) fn begin_outside(&mut self, service: &str, method: &str, args: &[Value]) -> CallStart {
        self.cx.trace_call(service, method, args);
        if self.is_of_script(service) {
            let ask = Ask { number: 0, service: service.into(), method: method.into(), args: args.to_vec() };
            return CallStart::Pending(self.call_script_service(ask));
        }
        self.begin_call(PathId(0), 0, &service.into(), &method.into(), args)
    }

    /// Cancels a call. Whatever waits for it gets null, and the robot stops what the call began. Returns false if the
    /// call is over.
    pub fn cancel_call(&mut self, call: CallId) -> bool {
        self.cx.clock.refresh();
        self.cx.begin(Cause::OUTSIDE);
        self.stop_call(call)
    }

    /// Returns whether the call is still running.
    pub fn is_call_running(&self, call: CallId) -> bool {
        self.calls.running(call)
    }

    /// Calls `then` when the call has ended or the timeout has passed; immediately if there is no such call.
    pub fn notify_when_done(&mut self, call: CallId, within: Option<Time>, then: DoneListener) {
        if !self.calls.running(call) {
            return then(false);
        }
        self.clients.made += 1;
        let id = self.clients.made;
        self.clients.all.insert(id, (call, then));
        if let Some(within) = within {
            let at = self.cx.clock.refresh() + within;
            self.cx.alarm(at, Alarm::Outside(id));
        }
    }

    /// Subscribes to a topic: `listener` is called for each event raised from now on, until [`Engine::unsubscribe`].
    ///
    /// # Errors
    /// Returns an error if there is no such signal.
    pub fn subscribe(&mut self, topic: Topic, listener: TopicListener) -> Result<SubscriptionId, ServiceError> {
        self.cx.clock.refresh();
        self.cx.begin(Cause::OUTSIDE);
        let id = self.calls.next_subscription();
        // Events that are queued now were raised before the subscription, and must not reach it.
        let waits = |work: &&Work| matches!(work, Work::Event(event, _) if event.0 == topic);
        let earlier = self.cx.work.iter().filter(waits).count();
        self.add_subscriber(topic, Subscriber::Outside { id, listener, earlier })?;
        Ok(id)
    }

    /// Ends a subscription. Returns false if there is none.
    pub fn unsubscribe(&mut self, id: SubscriptionId) -> bool {
        if self.end.is_closed() {
            return false;
        }
        self.cx.clock.refresh();
        self.cx.begin(Cause::OUTSIDE);
        self.remove_subscribers(None, |_, s| matches!(s, Subscriber::Outside { id: i, .. } if *i == id))
    }
}
