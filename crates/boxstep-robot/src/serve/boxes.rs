//! The boxes of a behavior as qi objects: the service `Boxstep`.
//!
//! | method | |
//! |---|---|
//! | `boxes::()->[s]` | The paths of all boxes, as messages print them. |
//! | `box::(s)->o` | The box with a path: its inputs are methods, its outputs signals, its parameters properties. |
//! | `receive::(sL)->o` | Accepts an upload of a behavior: see [`receive`](super::receive). |
//!
//! An input takes a value or, for a bang, nothing. A box that is not loaded rejects it. The clients' actions are inputs
//! of the trace.

use super::receive::{Inbox, Receiving};
use super::server_state::{EmitSignal, ServerState};
use crate::wire::{NoObjects, from_wire, to_wire};
use boxstep_engine::config::Control;
use boxstep_engine::objects::{Box as EngineBox, Error};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::services::Topic;
use boxstep_qi::{
    BuildError, BuiltObject, Call, FIRST_OWN, Failure, MetaMethod, MetaObject, MetaProperty, MetaSignal, Object,
    ObjectBuilder, Signals, Signature,
};
use boxstep_types::{BoxPath, PORTS, Value};
use std::sync::{Arc, Weak};

/// The name of the service.
pub(super) const NAME: &str = "Boxstep";

/// Makes the service for the boxes with these paths, and for uploads of behaviors.
pub(super) fn service(
    state: &Arc<ServerState>,
    paths: Vec<BoxPath>,
    inbox: Arc<dyn Inbox>,
) -> Result<Arc<BuiltObject>, BuildError> {
    let receiving = Receiving::new(inbox);
    let names: Vec<boxstep_qi::Value> = paths.iter().map(|path| path.to_string().as_str().into()).collect();
    let state = Arc::downgrade(state);
    ObjectBuilder::new("The boxes of the behavior that plays, and behaviors that are sent.")
        .method("boxes::()->[s]", move |_| Ok(boxstep_qi::Value::list_of(Signature::Str, names.clone())))
        .method("box::(s)->o", move |args| {
            let named = args.first().and_then(boxstep_qi::Value::as_str).unwrap_or_default();
            let path: BoxPath = named.parse().map_err(|e| format!("{named}: {e}"))?;
            let state = state.upgrade().ok_or("the run is over")?;
            let object: Arc<dyn Object> = ServedBox::new(&state, path).map_err(|e| e.to_string())?;
            Ok(object.into())
        })
        .method("receive::(sL)->o", move |args| receiving.receive(args))
        .build()
}

/// A box as an object for clients.
struct ServedBox {
    path: BoxPath,
    meta: Arc<MetaObject>,
    signals: Signals,
    state: Weak<ServerState>,
}

impl ServedBox {
    fn new(state: &Arc<ServerState>, path: BoxPath) -> Result<Arc<ServedBox>, Error> {
        let meta = with_box(state, &path, |found| Ok(meta(&found)))?;
        let (meta, below) = (Arc::new(meta), Arc::downgrade(state));
        Ok(Arc::new_cyclic(|me: &Weak<ServedBox>| {
            let me = me.clone();
            let signals = Signals::watched(move |id, on| {
                let Some(served) = me.upgrade() else { return };
                let Some((state, signal)) = served.state.upgrade().zip(served.meta.signals.get(&id)) else { return };
                // The object emits changes of parameters itself, in `set_property`.
                if !served.meta.properties.contains_key(&id) {
                    let port = format!("{}.{}", served.path, signal.name);
                    state.demand(Topic::Signal(PORTS.into(), port.into()), me.clone(), id, on);
                }
            });
            ServedBox { path, meta, signals, state: below }
        }))
    }

    fn state(&self) -> Result<Arc<ServerState>, Failure> {
        self.state.upgrade().ok_or_else(|| "the run is not served any more".to_owned())
    }

    fn failed(&self, error: &Error) -> Failure {
        format!("{}: {error}", self.path)
    }

    /// Controls the box, after checking that this is possible.
    fn control(&self, can: impl FnOnce(&EngineBox<'_>) -> Result<(), Error>, control: Control) -> Result<(), Failure> {
        let state = self.state()?;
        state.meet_demand();
        with_box(&state, &self.path, |found| can(&found)).map_err(|e| self.failed(&e))?;
        state.engine.poke(|engine| {
            let now = engine.now();
            engine.control(now, control)
        })
    }
}

/// Reads a box of the run.
fn with_box<R>(
    state: &ServerState,
    path: &BoxPath,
    read: impl FnOnce(EngineBox<'_>) -> Result<R, Error>,
) -> Result<R, Error> {
    let mut engine = state.engine.lock();
    let id = engine.objects().find(&path.to_string())?;
    read(engine.objects().get_box(id)?)
}

fn meta(of: &EngineBox<'_>) -> MetaObject {
    let mut meta = MetaObject { description: of.path().to_string(), ..MetaObject::default() };
    let mut id = FIRST_OWN;
    let mut next = || {
        id += 1;
        id - 1
    };
    for (name, _) in of.inputs() {
        for parameters in [vec![Signature::Dynamic], Vec::new()] {
            let method = MetaMethod {
                name: name.to_string(),
                parameters: Signature::tuple(parameters),
                returns: Signature::Void,
                description: String::new(),
                parameter_names: Vec::new(),
                return_description: String::new(),
            };
            meta.methods.insert(next(), method);
        }
    }
    let one = || Signature::tuple(vec![Signature::Dynamic]);
    for (name, _) in of.outputs() {
        meta.signals.insert(next(), MetaSignal { name: name.to_string(), signature: one() });
    }
    for name in of.parameters() {
        let id = next();
        meta.properties.insert(id, MetaProperty { name: name.to_string(), signature: Signature::Dynamic });
        meta.signals.insert(id, MetaSignal { name: name.to_string(), signature: one() });
    }
    meta
}

impl EmitSignal for ServedBox {
    fn emit_signal(&self, id: u32, value: &Value) {
        // A port's signal has one argument, which may be any value.
        let value = value.as_list().and_then(<[Value]>::first).cloned().unwrap_or_default();
        self.signals.emit(id, &[to_wire(&value, &mut NoObjects).dynamic()]);
    }
}

impl Object for ServedBox {
    fn meta(&self) -> Arc<MetaObject> {
        Arc::clone(&self.meta)
    }

    fn signals(&self) -> &Signals {
        &self.signals
    }

    fn call(&self, call: Call) {
        let Some(input) = self.meta.methods.get(&call.method) else {
            return call.reply.failed("there is no such input");
        };
        let value = call.args.first().map(|arg| from_wire(arg, &mut NoObjects)).unwrap_or_default();
        let control = Control::Stimulate { path: self.path.clone(), port: input.name.clone(), value };
        let loaded = |of: &EngineBox<'_>| if of.is_loaded() { Ok(()) } else { Err(Error::NotLoaded) };
        call.reply.finish(self.control(loaded, control).map(|()| boxstep_qi::Value::Void));
    }

    fn property(&self, id: u32) -> Result<boxstep_qi::Value, Failure> {
        let name = &self.meta.properties.get(&id).ok_or("there is no such parameter")?.name;
        let found = with_box(&*self.state()?, &self.path, |of| of.parameter(name));
        found.map(|value| to_wire(&value, &mut NoObjects).dynamic()).map_err(|e| self.failed(&e))
    }

    fn set_property(&self, id: u32, value: boxstep_qi::Value) -> Result<(), Failure> {
        let name = &self.meta.properties.get(&id).ok_or("there is no such parameter")?.name;
        let ours = from_wire(&value, &mut NoObjects);
        let control = Control::SetParameter { path: self.path.clone(), parameter: name.clone(), value: ours };
        self.control(|_| Ok(()), control)?;
        self.signals.emit(id, &[value.dynamic()]);
        Ok(())
    }
}
