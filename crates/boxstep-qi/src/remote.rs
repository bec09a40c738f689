//! Objects of peers.

use crate::connection::{Connection, Draft, Traffic};
use crate::encode::EncodeError;
use crate::error::Error;
use crate::message::{Address, Kind};
use crate::meta::{MetaMethod, MetaObject};
use crate::object::SignalListener;
use crate::pending::Pending;
use crate::signature::Signature;
use crate::subscriptions::Subscription;
use crate::value::Value;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub(crate) const META: u32 = 2;
pub(crate) const TERMINATE: u32 = 3;
pub(crate) const PROPERTY: u32 = 5;
pub(crate) const SET_PROPERTY: u32 = 6;

/// An object of a peer: a service, or an object that the peer passed to us. Clones are the same object; when the last
/// clone is dropped, the peer may release a passed object.
#[derive(Clone)]
pub struct Remote(Arc<RemoteInner>);

struct RemoteInner {
    connection: Connection,
    service: u32,
    object: u32,
    meta: Arc<MetaObject>,
}

impl Drop for RemoteInner {
    fn drop(&mut self) {
        // The main object of a service is not released.
        if self.object > 1 {
            let address = Address { service: self.service, object: self.object, action: TERMINATE };
            let wire = self.connection.inner();
            let _ = wire.send(wire.next_id(), Kind::Post, 0, address, Draft::with(&self.service.to_le_bytes()));
        }
    }
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Remote({}.{} at {})", self.0.service, self.0.object, self.0.connection.peer())
    }
}

impl Remote {
    pub(crate) fn new(connection: Connection, service: u32, object: u32, meta: Arc<MetaObject>) -> Remote {
        Remote(Arc::new(RemoteInner { connection, service, object, meta }))
    }

    /// Requests the description of a service, and returns its main object.
    pub(crate) fn fetch_service(connection: Connection, service: u32) -> Result<Remote, Error> {
        let address = Address { service, object: 1, action: META };
        let wire = connection.inner();
        let returns = Signature::parse(crate::meta::META_OBJECT).unwrap_or(Signature::Unknown);
        let pending = wire.call_known(address, &[Value::U32(0)], "I", returns)?;
        let payload = pending.wait_raw(wire.options.answer_within)?;
        let meta = MetaObject::decode(&payload)
            .map_err(|source| Error::Decode { what: "the description of a service".to_owned(), source })?;
        Ok(Remote::new(connection, service, 1, Arc::new(meta)))
    }

    /// Makes a call that every object answers, and waits for the answer. Posts that were sent before have arrived by
    /// then.
    ///
    /// # Errors
    /// The reason why no answer arrived.
    pub fn ping(&self) -> Result<(), Error> {
        let wire = self.0.connection.inner();
        let pending = wire.call_known(self.address(META), &[Value::U32(0)], "I", Signature::Unknown)?;
        pending.wait_raw(wire.options.answer_within).map(drop)
    }

    /// Returns the description of the object's members.
    pub fn meta(&self) -> &Arc<MetaObject> {
        &self.0.meta
    }

    /// Returns the connection over which the object is reached.
    pub fn connection(&self) -> &Connection {
        &self.0.connection
    }

    /// Returns the number of the service that the object belongs to.
    pub fn service_id(&self) -> u32 {
        self.0.service
    }

    /// Returns whether two handles refer to the same object.
    pub fn is_same(&self, other: &Remote) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.0.connection.is_same(&other.0.connection)
                && (self.0.service, self.0.object) == (other.0.service, other.0.object))
    }

    fn address(&self, action: u32) -> Address {
        Address { service: self.0.service, object: self.0.object, action }
    }

    fn traffic(&self) -> Traffic<'_> {
        Traffic::theirs(self.0.connection.inner(), self.0.service)
    }

    /// Calls a method and waits for its answer, for any time.
    ///
    /// # Errors
    /// [`Error::NoMember`], [`Error::Arguments`], [`Error::Remote`] with the peer's message, or the reason why no
    /// answer arrived.
    pub fn call(&self, method: &str, args: &[Value]) -> Result<Value, Error> {
        self.start(method, args)?.wait()
    }

    /// Calls a method and waits for its answer at most for the time `most`; then the call is canceled.
    ///
    /// # Errors
    /// As [`Remote::call`], and [`Error::Slow`].
    pub fn call_within(&self, method: &str, args: &[Value], most: Duration) -> Result<Value, Error> {
        self.start(method, args)?.wait_for(most)
    }

    /// Calls a method; the returned [`Pending`] waits for the answer.
    ///
    /// # Errors
    /// If the call cannot be sent.
    pub fn start(&self, method: &str, args: &[Value]) -> Result<Pending, Error> {
        let (action, found, flags, draft) = self.prepare(method, args)?;
        self.begin(action, found, flags, draft)
    }

    /// Calls the method of this number.
    pub(crate) fn start_by_id(&self, id: u32, args: &[Value]) -> Result<Pending, Error> {
        let found = self.0.meta.methods.get(&id).ok_or_else(|| missing("method", &id.to_string()))?;
        let (flags, draft) = self.payload(&found.parameters, args)?;
        self.begin(id, found, flags, draft)
    }

    fn begin(&self, action: u32, found: &MetaMethod, flags: u8, draft: Draft) -> Result<Pending, Error> {
        let (id, slot) = self.0.connection.inner().call(self.address(action), flags, draft)?;
        Ok(Pending {
            connection: self.0.connection.clone(),
            slot,
            id,
            service: self.0.service,
            object: self.0.object,
            returns: found.returns.clone(),
            what: found.name.clone(),
        })
    }

    /// Calls a method without an answer.
    ///
    /// # Errors
    /// If the call cannot be sent.
    pub fn post(&self, method: &str, args: &[Value]) -> Result<(), Error> {
        let (action, _, flags, draft) = self.prepare(method, args)?;
        self.send_post(action, flags, draft)
    }

    /// Emits a signal of the object.
    ///
    /// # Errors
    /// [`Error::NoMember`], or if the message cannot be sent.
    pub fn emit(&self, signal: &str, args: &[Value]) -> Result<(), Error> {
        let (action, _) = self.0.meta.signal(signal).ok_or_else(|| missing("signal", signal))?;
        self.emit_by_id(action, args)
    }

    pub(crate) fn emit_by_id(&self, id: u32, args: &[Value]) -> Result<(), Error> {
        let found = self.0.meta.signals.get(&id).ok_or_else(|| missing("signal", &id.to_string()))?;
        let (flags, draft) = self.payload(&found.signature, args)?;
        self.send_post(id, flags, draft)
    }

    fn send_post(&self, action: u32, flags: u8, draft: Draft) -> Result<(), Error> {
        let wire = self.0.connection.inner();
        wire.send(wire.next_id(), Kind::Post, flags, self.address(action), draft)
    }

    /// Returns the value of a property.
    ///
    /// # Errors
    /// [`Error::NoMember`], or the peer's error.
    pub fn property(&self, name: &str) -> Result<Value, Error> {
        let (id, _) = self.0.meta.property(name).ok_or_else(|| missing("property", name))?;
        self.property_by_id(id)
    }

    pub(crate) fn property_by_id(&self, id: u32) -> Result<Value, Error> {
        let wire = self.0.connection.inner();
        let pending = wire.call_known(self.address(PROPERTY), &[Value::U32(id)], "m", Signature::Dynamic)?;
        pending.wait_for(wire.options.answer_within).map(Value::into_plain)
    }

    /// Sets a property.
    ///
    /// # Errors
    /// [`Error::NoMember`], [`Error::Encode`] for a value of another type, or the peer's error.
    pub fn set_property(&self, name: &str, value: impl Into<Value>) -> Result<(), Error> {
        let (id, _) = self.0.meta.property(name).ok_or_else(|| missing("property", name))?;
        self.set_property_by_id(id, value.into())
    }

    pub(crate) fn set_property_by_id(&self, id: u32, value: Value) -> Result<(), Error> {
        let found = self.0.meta.properties.get(&id).ok_or_else(|| missing("property", &id.to_string()))?;
        let value = match found.signature {
            Signature::Unknown => value,
            ref signature => value.convert(signature)?,
        };
        let wire = self.0.connection.inner();
        let pending = wire.call_known(self.address(SET_PROPERTY), &[Value::U32(id), value], "mm", Signature::Void)?;
        pending.wait_for(wire.options.answer_within).map(|_| ())
    }

    /// Calls a function each time the object emits a signal, or a property changes, until the returned [`Subscription`]
    /// is dropped. For each connection, functions are called one at a time in the order of the events; they may call
    /// the peer.
    ///
    /// # Errors
    /// [`Error::NoMember`], or the peer's error.
    pub fn subscribe(
        &self,
        signal: &str,
        listener: impl Fn(&[Value]) + Send + Sync + 'static,
    ) -> Result<Subscription, Error> {
        let (action, _) = self.0.meta.signal(signal).ok_or_else(|| missing("signal", signal))?;
        self.subscribe_by_id(action, Arc::new(listener))
    }

    pub(crate) fn subscribe_by_id(&self, id: u32, listener: SignalListener) -> Result<Subscription, Error> {
        let found = self.0.meta.signals.get(&id).ok_or_else(|| missing("signal", &id.to_string()))?;
        Subscription::new(&self.0.connection, self.address(id), &found.signature, listener)
    }

    /// Selects the method of this name for these arguments, and encodes them. Of several methods, the first whose types
    /// the arguments have is taken; else one with as many parameters, whose owner may be able to convert the arguments.
    fn prepare(&self, name: &str, args: &[Value]) -> Result<(u32, &MetaMethod, u8, Draft), Error> {
        let mut first = None;
        let mut wrong = None;
        let mut any = false;
        for (id, method) in self.0.meta.methods_named(name) {
            any = true;
            if method.parameters.members().is_some_and(|types| types.len() != args.len()) {
                continue;
            }
            match self.typed(&method.parameters, args) {
                Ok(draft) => return Ok((id, method, 0, draft)),
                Err(e) => {
                    wrong.get_or_insert(e);
                    first.get_or_insert((id, method));
                }
            }
        }
        if !any {
            return Err(missing("method", name));
        }
        if let Some((id, method)) = first
            && let Some((flags, draft)) = self.untyped(args)
        {
            return Ok((id, method, flags, draft));
        }
        let takes = self.0.meta.methods_named(name).map(|(_, m)| m.parameters.to_string()).collect();
        Err(self.refused(Error::Arguments { method: name.to_owned(), takes, source: wrong }))
    }

    /// Replaces an error on a connection that has ended by the reason for the end: objects cannot be encoded then.
    fn refused(&self, error: Error) -> Error {
        self.0.connection.gone().map_or(error, Error::from)
    }

    fn payload(&self, signature: &Signature, args: &[Value]) -> Result<(u8, Draft), Error> {
        match self.typed(signature, args) {
            Ok(draft) => Ok((0, draft)),
            Err(e) => self.untyped(args).ok_or_else(|| self.refused(Error::Encode(e))),
        }
    }

    fn typed(&self, signature: &Signature, args: &[Value]) -> Result<Draft, EncodeError> {
        let traffic = self.traffic();
        let written = self.written(signature, args, &traffic);
        if written.is_err() {
            traffic.take_back();
        }
        written
    }

    fn written(&self, signature: &Signature, args: &[Value], traffic: &Traffic<'_>) -> Result<Draft, EncodeError> {
        let mut draft = Draft::new();
        match signature.members() {
            Some(types) if types.len() == args.len() => {
                for (i, (arg, signature)) in args.iter().zip(types).enumerate() {
                    draft.push(arg, signature, traffic).map_err(|mut e| {
                        e.path.insert(0, i);
                        e
                    })?;
                }
            }
            _ => draft.push(&Value::tuple(args.to_vec()), signature, traffic)?,
        }
        Ok(draft)
    }

    fn untyped(&self, args: &[Value]) -> Option<(u8, Draft)> {
        self.0.connection.inner().as_dynamic(&Value::tuple(args.to_vec()), &self.traffic())
    }
}

fn missing(kind: &'static str, name: &str) -> Error {
    Error::NoMember { kind, name: name.to_owned() }
}
