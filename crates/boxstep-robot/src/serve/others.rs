//! Services that other programs have registered at the served robot, for users inside the run.

use super::server_state::ServerState;
use crate::wire::{NoObjects, from_wire, to_wire};
use boxstep_engine::services::{AnswerListener, TopicListener};
use boxstep_qi::{Remote, Subscription};
use boxstep_types::Value;
use std::sync::{Arc, Weak};

/// The services that clients of the served robot offer. After the server has closed there are none.
#[derive(Clone)]
pub struct ClientServices(pub(super) Weak<ServerState>);

impl ClientServices {
    fn service(&self, name: &str) -> Result<Remote, String> {
        let state = self.0.upgrade().ok_or_else(|| "the run is not served any more".to_owned())?;
        state.client_service(name).map_err(|why| why.to_string())
    }

    /// Returns whether a client offers a service of this name. Asks the client, which may take time.
    pub fn has(&self, service: &str) -> bool {
        self.service(service).is_ok()
    }

    /// Calls a method; the listener gets the answer later, on another thread.
    pub fn call(&self, service: &str, method: &str, args: &[Value], then: AnswerListener) {
        let args: Vec<_> = args.iter().map(|arg| to_wire(arg, &mut NoObjects)).collect();
        match self.service(service).and_then(|remote| remote.start(method, &args).map_err(|why| why.to_string())) {
            Ok(pending) => pending.then(move |answer| {
                then(answer.map(|value| from_wire(&value, &mut NoObjects)).map_err(|why| why.to_string()));
            }),
            Err(why) => then(Err(why)),
        }
    }

    /// Passes each emission of a signal on, as a list of its arguments, until the subscription is dropped.
    ///
    /// # Errors
    /// There is no such service or signal.
    pub fn subscribe(&self, service: &str, signal: &str, listener: TopicListener) -> Result<Subscription, String> {
        let remote = self.service(service)?;
        let emitted = move |args: &[boxstep_qi::Value]| {
            listener(&Value::list(args.iter().map(|arg| from_wire(arg, &mut NoObjects))));
        };
        remote.subscribe(signal, emitted).map_err(|why| why.to_string())
    }
}

impl super::Serving {
    /// Returns the services that clients offer.
    pub fn client_services(&self) -> ClientServices {
        ClientServices(Arc::downgrade(self.state()))
    }
}
