//! A service of a run as a qi object.

use super::meta::Offered;
use super::server_state::{EmitSignal, ServerState, answer};
use super::{memory, posts};
use crate::wire::{NoObjects, from_wire};
use boxstep_engine::CallId;
use boxstep_engine::services::Topic;
use boxstep_qi::{Call, MetaObject, Object, Reply, Signals, Signature, SignatureError};
use boxstep_services::object_of;
use boxstep_types::Value;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Locks a mutex, also after another thread has panicked, which leaves no inconsistent state here.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A served service, or an object that one has answered.
pub(super) struct Served {
    service: Arc<str>,
    meta: Arc<MetaObject>,
    signals: Signals,
    state: Weak<ServerState>,
}

impl Served {
    pub(super) fn new(offered: Offered, state: &Arc<ServerState>) -> Result<Arc<Served>, SignatureError> {
        Served::named(offered.service.name, offered, state)
    }

    /// Offers what the engine knows by this name.
    fn named(name: &str, offered: Offered, state: &Arc<ServerState>) -> Result<Arc<Served>, SignatureError> {
        let meta = Arc::new(offered.meta()?);
        let (service, state): (Arc<str>, _) = (name.into(), Arc::downgrade(state));
        Ok(Arc::new_cyclic(|me: &Weak<Served>| {
            let me = me.clone();
            let signals = Signals::watched(move |id, on| {
                let Some(served) = me.upgrade() else { return };
                let Some((state, signal)) = served.state.upgrade().zip(served.meta.signals.get(&id)) else { return };
                let topic = Topic::Signal(served.service.clone(), signal.name.as_str().into());
                state.demand(topic, me.clone(), id, on);
            });
            Served { service, meta, signals, state }
        }))
    }
}

impl Served {
    /// Returns whether the generation of NAOqi that is served does not have a method.
    fn lacks(&self, name: &str) -> bool {
        let served = self.state.upgrade().and_then(|state| state.generation()).is_some();
        served && self.meta.methods_named(name).next().is_none()
    }
}

impl EmitSignal for Served {
    fn emit_signal(&self, id: u32, value: &Value) {
        let args = super::meta::arguments(value);
        match self.meta.signals.get(&id).map(|signal| &signal.signature) {
            None => {}
            Some(Signature::Dynamic) => self.signals.emit(id, &args),
            // A client could not read arguments of other types.
            Some(types) => {
                if let Ok(args) = boxstep_qi::Value::tuple(args).convert(types) {
                    self.signals.emit(id, args.as_slice().unwrap_or_default());
                }
            }
        }
    }
}

impl Object for Served {
    fn meta(&self) -> Arc<MetaObject> {
        Arc::clone(&self.meta)
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }

    fn call(&self, call: Call) {
        let Some(state) = self.state.upgrade() else { return call.reply.failed("the run is not served any more") };
        let _at_work = state.begin_work();
        state.meet_demand();
        let Some(method) = self.meta.methods.get(&call.method) else {
            return call.reply.failed("there is no such method");
        };
        let args: Vec<Value> = call.args.iter().map(|arg| from_wire(arg, &mut NoObjects)).collect();
        let served_call =
            ServedCall { state: &state, service: &self.service, method: &method.name, returns: &method.returns };
        let names = || self.meta.methods.values().map(|m| Value::from(m.name.as_str()));
        match (&*self.service, &*method.name) {
            (_, "pCall") => match posts::method(&args).filter(|name| self.lacks(name)) {
                Some(name) => call.reply.failed(format!("there is no method {name}")),
                None => posts::begin(&served_call, &args, &call.reply),
            },
            (_, "wait") => posts::wait(&served_call, &args, call.reply),
            (_, "isRunning") if args.len() == 1 => posts::is_running(&served_call, &args, &call.reply),
            (_, "stop") if method.parameters.to_string() == "(i)" => posts::stop(&served_call, &args, &call.reply),
            (_, "getMethodList") => {
                let mut names: Vec<Value> = names().collect();
                names.dedup();
                served_call.give(&call.reply, Ok(Value::list(names)));
            }
            ("ALFrameManager" | "ALResourceManager", "ping") => served_call.give(&call.reply, Ok(true.into())),
            (
                "ALFrameManager" | "ALResourceManager",
                "version" | "getBrokerName" | "getModuleHelp" | "getMethodHelp",
            ) => {
                served_call.give(&call.reply, Ok("".into()));
            }
            ("ALMemory", "subscriber") => memory::subscriber(&state, &args, &call.reply),
            ("ALMemory", name) if memory::by_module(&state, name, &args, &call.reply) => {}
            _ => served_call.begin(&args, call.reply),
        }
    }
}

/// A call of a method.
pub(super) struct ServedCall<'a> {
    pub(super) state: &'a Arc<ServerState>,
    pub(super) service: &'a Arc<str>,
    pub(super) method: &'a str,
    pub(super) returns: &'a Signature,
}

/// The state of a call while this thread is starting it.
enum Early {
    /// The engine has not returned yet.
    Begins,
    /// The call is complete.
    Over(Result<Value, String>),
    /// The call is in progress.
    Pending,
}

impl ServedCall<'_> {
    /// Answers the call.
    pub(super) fn give(&self, reply: &Reply, result: Result<Value, String>) {
        let who = || format!("{}.{}", self.service, self.method);
        if let Ok(Value::Object(object)) = &result
            && let (Some(name), Some(kind)) = (object.robot_service(), object_of(self.service, self.method))
        {
            let offered = Offered { service: kind, generation: self.state.generation() };
            return match Served::named(&name, offered, self.state) {
                Ok(served) => {
                    let object: Arc<dyn Object> = served;
                    reply.value(object);
                }
                Err(why) => reply.failed(format!("{}: {why}", who())),
            };
        }
        reply.finish(result.and_then(|value| answer(&value, self.returns, &who())));
    }

    /// Starts the call in the engine. A call that completes immediately is answered on this thread, others when they
    /// complete.
    fn begin(&self, args: &[Value], reply: Reply) {
        let early = Arc::new(Mutex::new(Early::Begins));
        let state = Arc::downgrade(self.state);
        let (service, method, returns) = (self.service.clone(), self.method.to_owned(), self.returns.clone());
        let (seen, late) = (early.clone(), reply.clone());
        let then = Box::new(move |result: Result<Value, String>| {
            let mut early = lock(&seen);
            if matches!(*early, Early::Begins) {
                *early = Early::Over(result);
                return;
            }
            drop(early);
            let Some(state) = state.upgrade() else { return };
            let below = Arc::clone(&state);
            state.later(move || {
                let served_call = ServedCall { state: &below, service: &service, method: &method, returns: &returns };
                served_call.give(&late, result);
            });
        });
        let call = self.state.engine.poke(|engine| engine.call_from_outside(self.service, self.method, args, then));
        let before = std::mem::replace(&mut *lock(&early), Early::Pending);
        match before {
            Early::Over(result) => self.give(&reply, result),
            Early::Begins | Early::Pending => self.give_up_when_asked(&reply, call),
        }
    }

    fn give_up_when_asked(&self, reply: &Reply, call: CallId) {
        let state = Arc::downgrade(self.state);
        reply.on_cancel(move |reply| {
            let Some(state) = state.upgrade() else { return };
            let engine = state.engine.clone();
            // This function runs on the thread that reads the socket, which must not block.
            state.later(move || {
                engine.poke(|engine| engine.cancel_call(call));
                reply.canceled();
            });
        });
    }
}
