//! The service directory of a local server.

use crate::builder::{BuildError, BuiltObject, ObjectBuilder};
use crate::connection::{Connection, ConnectionInner as Wire};
use crate::object::{Call, Turns};
use crate::pool::lock;
use crate::service_info::{SERVICE_INFO, SIX_FIELDS, ServiceInfo};
use crate::value::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, Weak};

/// The most services, so that no client can fill the memory with names.
const MOST: usize = 10_000;

/// The endpoint of the process that has the directory, relative to the connection with it.
const RELATIVE: &str = "qi:ServiceDirectory";

/// The names and numbers of all services.
pub(crate) struct Directory {
    /// The number of fields of a description.
    fields: usize,
    state: Mutex<DirectoryState>,
    object: OnceLock<Weak<BuiltObject>>,
}

#[derive(Default)]
struct DirectoryState {
    services: BTreeMap<u32, Entry>,
    last: u32,
}

struct Entry {
    info: ServiceInfo,
    ready: bool,
    /// The client that offers the service, or `None` for one of this process.
    owner: Option<Weak<Wire>>,
}

impl Entry {
    fn is_of(&self, who: Option<&Connection>) -> bool {
        match (&self.owner, who) {
            (Some(owner), Some(who)) => std::ptr::eq(owner.as_ptr(), Arc::as_ptr(who.inner())),
            (None, None) => true,
            _ => false,
        }
    }
}

impl Directory {
    /// Makes a directory, and the object through which clients use it. Clients rely on the numbers of its methods,
    /// which follow from their order.
    pub(crate) fn new(machine: &str, fields: usize) -> Result<(Arc<Directory>, Arc<BuiltObject>), BuildError> {
        let info = if fields == 6 { SIX_FIELDS } else { SERVICE_INFO };
        let directory = Arc::new(Directory { fields, state: Mutex::default(), object: OnceLock::new() });
        let with = |run: fn(&Directory, &Call) -> Result<Value, String>| {
            let directory = Arc::clone(&directory);
            move |call: Call| {
                let result = run(&directory, &call);
                call.reply.finish(result);
            }
        };
        let machine = machine.to_owned();
        let object = ObjectBuilder::new("The services of this process and of its clients.")
            .turns(Turns::AtOnce)
            .method_later(&format!("service::(s)->{info}"), with(Directory::service))
            .method_later(&format!("services::()->[{info}]"), with(Directory::services))
            .method_later(&format!("registerService::({info})->I"), with(Directory::register_of))
            .method_later("unregisterService::(I)->v", with(Directory::unregister_of))
            .method_later("serviceReady::(I)->v", with(Directory::ready_of))
            .method_later(&format!("updateServiceInfo::({info})->v"), with(Directory::update_of))
            .signal("serviceAdded", "(Is)")
            .signal("serviceRemoved", "(Is)")
            .method("machineId::()->s", move |_| Ok(Value::from(machine.as_str())))
            .build()?;
        let _ = directory.object.set(Arc::downgrade(&object));
        Ok((directory, object))
    }

    /// Returns the description of a service for a caller. Services of this process have the endpoint at which the
    /// caller reached it.
    fn shown(&self, entry: &Entry, caller: Option<&Connection>) -> Value {
        let mut info = entry.info.clone();
        if let (None, Some(caller)) = (&entry.owner, caller) {
            let relative = caller.inner().relative().then(|| RELATIVE.to_owned());
            info.endpoints = relative.into_iter().chain([caller.local().to_owned()]).collect();
        }
        info.to_value(self.fields)
    }

    fn service(&self, call: &Call) -> Result<Value, String> {
        let name = call.args.first().and_then(Value::as_str).unwrap_or_default();
        let state = lock(&self.state);
        let found = state.services.values().find(|e| e.ready && e.info.name == name);
        found
            .map(|e| self.shown(e, call.caller.as_ref()))
            .ok_or_else(|| format!("Cannot find service '{name}' in index"))
    }

    fn services(&self, call: &Call) -> Result<Value, String> {
        let state = lock(&self.state);
        let ready = state.services.values().filter(|e| e.ready);
        Ok(Value::list(ready.map(|e| self.shown(e, call.caller.as_ref()))))
    }

    fn register_of(&self, call: &Call) -> Result<Value, String> {
        let info = call.args.first().and_then(ServiceInfo::from_value).ok_or("this is not a ServiceInfo")?;
        self.register(info, call.caller.as_ref()).map(Value::U32)
    }

    fn ready_of(&self, call: &Call) -> Result<Value, String> {
        self.ready(number(call)?, call.caller.as_ref()).map(|()| Value::Void)
    }

    fn unregister_of(&self, call: &Call) -> Result<Value, String> {
        self.unregister(number(call)?, call.caller.as_ref()).map(|()| Value::Void)
    }

    fn update_of(&self, call: &Call) -> Result<Value, String> {
        let info = call.args.first().and_then(ServiceInfo::from_value).ok_or("this is not a ServiceInfo")?;
        let mut state = lock(&self.state);
        let entry = owned(&mut state, info.id, call.caller.as_ref())?;
        entry.info = ServiceInfo { name: entry.info.name.clone(), ..info };
        Ok(Value::Void)
    }

    /// Registers a service; clients find it only after [`Directory::ready`].
    pub(crate) fn register(&self, info: ServiceInfo, owner: Option<&Connection>) -> Result<u32, String> {
        let mut state = lock(&self.state);
        if info.name.is_empty() {
            return Err("a service needs a name".to_owned());
        }
        if let Some(other) = state.services.values().find(|e| e.info.name == info.name) {
            return Err(format!("Service \"{}\" (#{}) is already registered", info.name, other.info.id));
        }
        if state.services.len() >= MOST {
            return Err(format!("there are {MOST} services already"));
        }
        state.last += 1;
        let id = state.last;
        let owner = owner.map(|o| Arc::downgrade(o.inner()));
        state.services.insert(id, Entry { info: ServiceInfo { id, ..info }, ready: false, owner });
        Ok(id)
    }

    pub(crate) fn ready(&self, id: u32, who: Option<&Connection>) -> Result<(), String> {
        let mut state = lock(&self.state);
        let entry = owned(&mut state, id, who)?;
        let first = !std::mem::replace(&mut entry.ready, true);
        let name = entry.info.name.clone();
        drop(state);
        if first {
            self.emit("serviceAdded", id, &name);
        }
        Ok(())
    }

    pub(crate) fn unregister(&self, id: u32, who: Option<&Connection>) -> Result<(), String> {
        let mut state = lock(&self.state);
        owned(&mut state, id, who)?;
        let removed = state.services.remove(&id);
        drop(state);
        if let Some(entry) = removed.filter(|e| e.ready) {
            self.emit("serviceRemoved", id, &entry.info.name);
        }
        Ok(())
    }

    /// Removes the services of a client that is gone.
    pub(crate) fn forget(&self, who: &Wire) {
        let mut state = lock(&self.state);
        let is_of = |e: &Entry| e.owner.as_ref().is_some_and(|o| std::ptr::eq(o.as_ptr(), who));
        let ids: Vec<u32> = state.services.iter().filter(|(_, e)| is_of(e)).map(|(id, _)| *id).collect();
        let removed: Vec<Entry> = ids.iter().filter_map(|id| state.services.remove(id)).collect();
        drop(state);
        for entry in removed.iter().filter(|e| e.ready) {
            self.emit("serviceRemoved", entry.info.id, &entry.info.name);
        }
    }

    /// Returns the client that offers a service, and the service's number.
    pub(crate) fn owner(&self, name: &str) -> Option<(Arc<Wire>, u32)> {
        let state = lock(&self.state);
        let entry = state.services.values().find(|e| e.ready && e.info.name == name)?;
        Some((entry.owner.as_ref()?.upgrade()?, entry.info.id))
    }

    fn emit(&self, signal: &str, id: u32, name: &str) {
        if let Some(object) = self.object.get().and_then(Weak::upgrade) {
            // The signal belongs to this directory, and the arguments have its types.
            let _ = object.emit(signal, &[Value::U32(id), Value::from(name)]);
        }
    }
}

fn number(call: &Call) -> Result<u32, String> {
    call.args.first().and_then(Value::as_u32).ok_or_else(|| "a number is missing".to_owned())
}

/// Returns the entry of a service, if `who` offers it.
fn owned<'a>(state: &'a mut DirectoryState, id: u32, who: Option<&Connection>) -> Result<&'a mut Entry, String> {
    let entry = state.services.get_mut(&id).filter(|e| e.is_of(who));
    entry.ok_or_else(|| format!("Can't find service #{id}"))
}
