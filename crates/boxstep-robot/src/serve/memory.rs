//! `ALMemory` for clients: subscriber objects, and callbacks to clients' services.

use super::object::lock;
use super::server_state::ServerState;
use crate::wire::{NoObjects, to_wire};
use boxstep_engine::SubscriptionId;
use boxstep_engine::services::Topic;
use boxstep_qi::{Call, MetaObject, MetaSignal, Object, Remote, Reply, Signals, Signature};
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};

/// The number of a subscriber's only signal.
const SIGNAL: u32 = 100;

/// The object that `subscriber` returns: its signal emits an event's values until the client releases it.
struct Subscriber {
    meta: Arc<MetaObject>,
    signals: Signals,
    subscription: SubscriptionId,
    state: Weak<ServerState>,
}

impl Object for Subscriber {
    fn meta(&self) -> Arc<MetaObject> {
        Arc::clone(&self.meta)
    }

    fn call(&self, call: Call) {
        call.reply.failed("there is no such method");
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let Some(state) = self.state.upgrade() else { return };
        // On the event thread, because the thread that reads a socket may be dropping this.
        let (engine, subscription) = (state.engine.clone(), self.subscription);
        state.later(move || {
            engine.poke(|engine| engine.unsubscribe(subscription));
        });
    }
}

/// Answers `subscriber(event)`.
pub(super) fn subscriber(state: &Arc<ServerState>, args: &[Value], reply: &Reply) {
    let Some(Value::Str(key)) = args.first() else {
        return reply.failed("ALMemory.subscriber: argument 1 must be a string");
    };
    let signals = Signals::default();
    let (below, tell) = (Arc::downgrade(state), signals.clone());
    let told = Arc::new(move |value: &Value| {
        let Some(state) = below.upgrade() else { return };
        let (signals, value) = (tell.clone(), to_wire(value, &mut NoObjects).dynamic());
        state.later(move || signals.emit(SIGNAL, &[value]));
    });
    let heard = state.engine.poke(|engine| engine.subscribe(Topic::Memory(key.clone()), told));
    match heard {
        Err(why) => reply.failed(why.message("ALMemory", "subscriber")),
        Ok(subscription) => {
            let mut meta = MetaObject::default();
            let signature = Signature::tuple(vec![Signature::Dynamic]);
            meta.signals.insert(SIGNAL, MetaSignal { name: "signal".to_owned(), signature });
            let state = Arc::downgrade(state);
            let object: Arc<dyn Object> = Arc::new(Subscriber { meta: Arc::new(meta), signals, subscription, state });
            reply.value(object);
        }
    }
}

/// The most lookups of clients' services at a time.
const LOOKING: usize = 32;

/// An event, and the service that is called back for it.
type Callback = (Arc<str>, Arc<str>);

/// The clients' services that are called back, by event.
#[derive(Default)]
pub(super) struct Modules {
    looking: AtomicUsize,
    subscriptions: Mutex<BTreeMap<Callback, SubscriptionId>>,
}

/// Handles the methods that name a module to be called back. Returns false if the engine has to handle the call,
/// because the module is not a client's.
pub(super) fn by_module(state: &Arc<ServerState>, method: &str, args: &[Value], reply: &Reply) -> bool {
    let (key, module, callback) = match (method, args) {
        ("subscribeToEvent", [Value::Str(key), Value::Str(module), Value::Str(callback)])
        | (
            "subscribeToEvent" | "subscribeToMicroEvent",
            [Value::Str(key), Value::Str(module), Value::Str(_), Value::Str(callback)],
        ) => (key.clone(), module.clone(), callback.clone()),
        ("unsubscribeToEvent" | "unsubscribeToMicroEvent", [Value::Str(key), Value::Str(module)]) => {
            let known = state.leave_module(key, module);
            if known {
                reply.value(boxstep_qi::Value::Void);
            }
            return known;
        }
        _ => return false,
    };
    let message = if args.len() == 4 { args[2].clone() } else { "".into() };
    // The lookup queries the client, which may take time, so it runs on a separate thread.
    if state.modules.looking.fetch_add(1, Ordering::AcqRel) >= LOOKING {
        state.modules.looking.fetch_sub(1, Ordering::AcqRel);
        reply.failed("ALMemory: too many modules are being looked for");
        return true;
    }
    let (below, answer) = (Arc::clone(state), reply.clone());
    let look = move || {
        match below.client_service(&module) {
            Err(_) => answer.failed(format!("ALMemory: there is no module {module} to call back")),
            Ok(remote) => match below.call_back(key, module, remote, callback, message) {
                Ok(()) => answer.value(boxstep_qi::Value::Void),
                Err(why) => answer.failed(why),
            },
        }
        below.modules.looking.fetch_sub(1, Ordering::AcqRel);
    };
    if std::thread::Builder::new().name("qi-module".to_owned()).spawn(look).is_err() {
        state.modules.looking.fetch_sub(1, Ordering::AcqRel);
        reply.failed("ALMemory: no thread can be started");
    }
    true
}

impl ServerState {
    /// Calls a client's service at each event, until the client is gone.
    fn call_back(
        self: &Arc<Self>,
        key: Arc<str>,
        module: Arc<str>,
        remote: Remote,
        callback: Arc<str>,
        message: Value,
    ) -> Result<(), String> {
        self.leave_module(&key, &module);
        let below = Arc::downgrade(self);
        let (told, of, owner) = (key.clone(), remote.clone(), module.clone());
        let tell = Arc::new(move |value: &Value| {
            let Some(state) = below.upgrade() else { return };
            let args = [Value::Str(told.clone()), value.clone(), message.clone()];
            let args: Vec<_> = args.iter().map(|arg| to_wire(arg, &mut NoObjects)).collect();
            let (remote, callback) = (remote.clone(), callback.clone());
            // A service without such a method, or one that is gone, gets no event, and nobody is notified.
            state.later(move || drop(remote.post(&callback, &args)));
        });
        let heard = self.engine.poke(|engine| engine.subscribe(Topic::Memory(key.clone()), tell));
        let subscription = heard.map_err(|why| why.message("ALMemory", "subscribeToEvent"))?;
        lock(&self.modules.subscriptions).insert((key.clone(), module), subscription);
        let below = Arc::downgrade(self);
        of.connection().on_close(move |_| {
            let Some(state) = below.upgrade() else { return };
            let under = Arc::clone(&state);
            state.later(move || {
                under.leave_module(&key, &owner);
            });
        });
        Ok(())
    }

    /// Ends such a subscription. Returns false if there is none.
    fn leave_module(&self, key: &Arc<str>, module: &Arc<str>) -> bool {
        let found = lock(&self.modules.subscriptions).remove(&(key.clone(), module.clone()));
        found.is_some_and(|subscription| self.engine.poke(|engine| engine.unsubscribe(subscription)))
    }
}
