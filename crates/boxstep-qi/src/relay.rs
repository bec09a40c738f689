//! An object of one peer that is passed on to another: requests are forwarded to the owner.

use crate::error::{Error, Failure};
use crate::meta::{FIRST_OWN, MetaObject};
use crate::object::{Answer, Call, Object, Signals};
use crate::pool::{Pool, lock};
use crate::remote::Remote;
use crate::subscriptions::Subscription;
use crate::value::Value;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, Weak};

/// A relayed object. It lives until the peer that received it releases it, and keeps the owner's object alive.
pub(crate) struct Relay {
    remote: Remote,
    pool: Arc<Pool>,
    signals: Signals,
    /// One registration with the owner for each signal that has listeners here.
    open: Mutex<HashMap<u32, Subscription>>,
}

impl Relay {
    pub(crate) fn new(remote: Remote, pool: &Arc<Pool>) -> Arc<Relay> {
        Arc::new_cyclic(|me: &Weak<Relay>| {
            let me = me.clone();
            let signals = Signals::watched(move |signal, is_first| {
                let Some(relay) = me.upgrade() else { return };
                if is_first {
                    // Registrations with relayed objects may block. So the listener receives everything emitted after
                    // the answer.
                    relay.adjust(signal);
                } else {
                    let pool = Arc::clone(&relay.pool);
                    pool.run(Box::new(move || relay.adjust(signal)));
                }
            });
            Relay { remote, pool: Arc::clone(pool), signals, open: Mutex::default() }
        })
    }

    /// Registers with the owner exactly while the signal has listeners here.
    fn adjust(&self, signal: u32) {
        if signal < FIRST_OWN {
            return;
        }
        let mut open = lock(&self.open);
        if self.signals.listeners(signal) == 0 {
            open.remove(&signal);
        } else if let Entry::Vacant(entry) = open.entry(signal) {
            let signals = self.signals.clone();
            // An owner that is gone emits nothing any more; failing calls tell the peer so.
            if let Ok(heard) = self.remote.subscribe_by_id(signal, Arc::new(move |args| signals.emit(signal, args))) {
                entry.insert(heard);
            }
        }
    }
}

impl Object for Relay {
    fn meta(&self) -> Arc<MetaObject> {
        Arc::clone(self.remote.meta())
    }

    fn call(&self, call: Call) {
        let Call { method, args, reply, .. } = call;
        let pending = match self.remote.start_by_id(method, &args) {
            Ok(pending) => pending,
            Err(e) => return reply.failed(e.to_string()),
        };
        let cancel = pending.canceler();
        reply.on_cancel(move |_| cancel());
        let pool = Arc::clone(&self.pool);
        pending.then(move |result| {
            let answer = match result {
                Ok(value) => Answer::Value(value),
                Err(Error::Remote { text }) => Answer::Failed(text),
                Err(Error::Canceled) => Answer::Canceled,
                Err(e) => Answer::Failed(e.to_string()),
            };
            // Sending may block on the other peer, and this thread reads from the owner.
            pool.run(Box::new(move || reply.answer(answer)));
        });
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }

    fn emit(&self, signal: u32, args: &[Value]) {
        // Listeners here receive the signal from the owner, like all others.
        let _ = self.remote.emit_by_id(signal, args);
    }

    fn property(&self, id: u32) -> Result<Value, Failure> {
        self.remote.property_by_id(id).map_err(failure)
    }

    fn set_property(&self, id: u32, value: Value) -> Result<(), Failure> {
        self.remote.set_property_by_id(id, value).map_err(failure)
    }
}

fn failure(error: Error) -> Failure {
    error.to_string()
}
