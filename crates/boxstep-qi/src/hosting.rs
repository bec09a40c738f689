//! Requests from peers: calls, signals and properties of local objects.

use crate::budget::Held;
use crate::capabilities::{AuthState, Capabilities, Credentials, STATE};
use crate::connection::{ConnectionInner, Draft, Traffic};
use crate::decode::decode;
use crate::error::{Failure, Gone};
use crate::machine::object_uid;
use crate::message::{Address, DYNAMIC, Header, Kind, Message, RETURN_TYPE};
use crate::meta::{META_OBJECT, MetaMethod, MetaObject, MetaSignal};
use crate::object::{Answer, Call, Listening, Object, Reply, Running, Turns};
use crate::pool::{Job, JobQueue, Pool, do_safely, lock};
use crate::relay::Relay;
use crate::remote::{META, PROPERTY, SET_PROPERTY, TERMINATE};
use crate::signature::Signature;
use crate::subscriptions::{REGISTER, UNREGISTER};
use crate::value::Value;
use crate::watched::{self, ENABLE_TRACE, IS_STATS_ENABLED, Watched};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;

const PROPERTIES: u32 = 7;
const REGISTER_AS: u32 = 8;

/// The methods that every local object has besides its own.
const GENERIC: &[(u32, &str, &str, &str)] = &[
    (REGISTER, "registerEvent", "(IIL)", "L"),
    (UNREGISTER, "unregisterEvent", "(IIL)", "v"),
    (META, "metaObject", "(I)", META_OBJECT),
    (TERMINATE, "terminate", "(I)", "v"),
    (PROPERTY, "property", "(m)", "m"),
    (SET_PROPERTY, "setProperty", "(mm)", "v"),
    (PROPERTIES, "properties", "()", "[s]"),
    (REGISTER_AS, "registerEventWithSignature", "(IILs)", "L"),
];

/// The number of the method `authenticate` at address 0.0.
pub(crate) const AUTHENTICATE: u32 = 8;
pub(crate) const AUTHENTICATION: Address = Address { service: 0, object: 0, action: AUTHENTICATE };
const NOT_HANDLED: &str = "The call request could not be handled.";

/// Decides whether a client with these credentials is accepted; an error is the message for the client.
pub(crate) type CredentialCheck = Arc<dyn Fn(Option<&Credentials>) -> Result<(), Failure> + Send + Sync>;

/// How the connection came about.
pub(crate) enum Role {
    /// This side connected to the peer.
    Client,
    /// The peer connected to us; with a check it must authenticate.
    Server(Option<CredentialCheck>),
    /// The peer connected to us, and there is no room: its first call is answered with the reason.
    Full(String),
}

/// The time that a peer for which there is no room has to send its first call.
pub(crate) const REFUSED_CLIENT_TIMEOUT: Duration = Duration::from_secs(1);

/// An object as it is offered to peers.
pub(crate) struct Hosted {
    object: Arc<dyn Object>,
    pub(crate) meta: Arc<MetaObject>,
    /// Its identity, where objects carry one.
    pub(crate) uid: [u8; 20],
    queue: Arc<JobQueue>,
    pool: Arc<Pool>,
    turns: Turns,
    /// The object relays to another peer, so a registration for its signals may take time.
    is_relay: bool,
    watched: Arc<Watched>,
}

impl Hosted {
    pub(crate) fn new(object: Arc<dyn Object>, pool: &Arc<Pool>) -> Arc<Hosted> {
        Hosted::build(object, pool, false)
    }

    /// Offers an object of another peer.
    pub(crate) fn relay(object: Arc<Relay>, pool: &Arc<Pool>) -> Arc<Hosted> {
        Hosted::build(object, pool, true)
    }

    fn build(object: Arc<dyn Object>, pool: &Arc<Pool>, is_relay: bool) -> Arc<Hosted> {
        let mut meta = MetaObject::clone(&object.meta());
        for (id, name, parameters, returns) in GENERIC.iter().chain(watched::METHODS) {
            let parse = |text| Signature::parse(text).unwrap_or(Signature::Unknown);
            let method = MetaMethod {
                name: (*name).to_owned(),
                parameters: parse(parameters),
                returns: parse(returns),
                description: String::new(),
                parameter_names: Vec::new(),
                return_description: String::new(),
            };
            meta.methods.insert(*id, method);
        }
        let (name, signature) = watched::TRACE_OBJECT;
        let signature = Signature::parse(signature).unwrap_or(Signature::Unknown);
        meta.signals.insert(watched::TRACE, MetaSignal { name: name.to_owned(), signature });
        let turns = object.turns();
        let (meta, queue, pool) = (Arc::new(meta), JobQueue::new(pool), Arc::clone(pool));
        Arc::new(Hosted { object, meta, uid: object_uid(), queue, pool, turns, is_relay, watched: Arc::default() })
    }

    fn run(&self, job: Job) {
        match self.turns {
            Turns::AtOnce => do_safely(job),
            Turns::OneByOne => self.queue.run(job),
            Turns::SideBySide => self.pool.run(job),
        }
    }
}

/// The services of this process, by number.
#[derive(Default)]
pub(crate) struct ServiceTable(Mutex<HashMap<u32, Arc<Hosted>>>);

impl ServiceTable {
    pub(crate) fn insert(&self, id: u32, hosted: Arc<Hosted>) {
        lock(&self.0).insert(id, hosted);
    }

    pub(crate) fn remove(&self, id: u32) -> bool {
        lock(&self.0).remove(&id).is_some()
    }

    fn get(&self, id: u32) -> Option<Arc<Hosted>> {
        lock(&self.0).get(&id).cloned()
    }
}

/// What this side offers to one peer, and what the peer uses of it.
pub(crate) struct Hosting {
    services: Arc<ServiceTable>,
    role: Role,
    open: AtomicBool,
    greeted: AtomicBool,
    lent: Mutex<Lent>,
    listening: Mutex<HashMap<(Address, u64), Listening>>,
    running: Mutex<HashMap<u32, Weak<Running>>>,
}

#[derive(Default)]
struct Lent {
    objects: HashMap<(u32, u32), Arc<Hosted>>,
    count: u32,
}

/// Objects that the client of a service hosts are numbered from here.
const CLIENTS_OWN: u32 = 1 << 31;

impl Hosting {
    pub(crate) fn new(services: Arc<ServiceTable>, role: Role) -> Hosting {
        let open = AtomicBool::new(matches!(role, Role::Client));
        let (lent, listening, running) = Default::default();
        Hosting { services, role, open, greeted: AtomicBool::new(false), lent, listening, running }
    }

    /// Returns why there is no room for the peer, if so.
    pub(crate) fn no_room(&self) -> Option<&str> {
        match &self.role {
            Role::Full(why) => Some(why),
            Role::Client | Role::Server(_) => None,
        }
    }

    /// Lends an object to the peer, and returns the number it gets.
    pub(crate) fn lend(&self, service: u32, ours: bool, hosted: Arc<Hosted>) -> u32 {
        let mut lent = lock(&self.lent);
        let number = loop {
            let number = lent.count % (CLIENTS_OWN - 2) + if ours { 2 } else { CLIENTS_OWN };
            lent.count = lent.count.wrapping_add(1);
            if !lent.objects.contains_key(&(service, number)) {
                break number;
            }
        };
        lent.objects.insert((service, number), hosted);
        number
    }

    /// Drops a lent object that the peer has released.
    pub(crate) fn take_back(&self, service: u32, number: u32) {
        let taken = lock(&self.lent).objects.remove(&(service, number));
        drop(taken); // Outside the lock: the destructor of an object may be slow.
    }

    /// Returns the number of objects that are lent to the peer.
    pub(crate) fn lent(&self) -> usize {
        lock(&self.lent).objects.len()
    }

    fn find(&self, address: Address) -> Option<Arc<Hosted>> {
        let lent = lock(&self.lent).objects.get(&(address.service, address.object)).cloned();
        lent.or_else(|| if address.object == 1 { self.services.get(address.service) } else { None })
    }

    pub(crate) fn cancel(&self, id: u32) {
        let found = lock(&self.running).get(&id).and_then(Reply::upgrade);
        if let Some(reply) = found {
            reply.ask_to_cancel();
        }
    }

    /// Drops everything that belongs to a peer that is gone, and cancels its calls.
    pub(crate) fn clear(&self) {
        let listening = std::mem::take(&mut *lock(&self.listening));
        let lent = std::mem::take(&mut lock(&self.lent).objects);
        drop((listening, lent));
        // Nobody waits for the calls that are still running.
        let running = std::mem::take(&mut *lock(&self.running));
        for reply in running.values().filter_map(Reply::upgrade) {
            reply.ask_to_cancel();
        }
    }
}

impl ConnectionInner {
    /// Announces our capabilities, once, to a client that did not begin by authenticating.
    pub(crate) fn greet(&self, header: &Header) {
        let server = matches!(self.hosting.role, Role::Server(_));
        if server && header.kind != Kind::Call && !self.hosting.greeted.swap(true, Ordering::AcqRel) {
            self.send_capabilities();
        }
    }

    /// Announces our capabilities before anything else, where the protocol has no authentication.
    pub(crate) fn greet_first(&self) {
        let first = self.options.generation.is_some_and(|generation| !generation.authenticates());
        if first && !matches!(self.hosting.role, Role::Full(_)) {
            self.hosting.greeted.store(true, Ordering::Release);
            self.send_capabilities();
        }
    }

    pub(crate) fn send_capabilities(&self) {
        if let Ok(payload) = self.our_capabilities().encode() {
            let _ = self.send(self.next_id(), Kind::Capability, 0, Address::default(), Draft::with(&payload));
        }
    }

    /// Handles a call or post.
    pub(crate) fn serve(self: &Arc<Self>, message: Message, held: Held) -> Result<(), Gone> {
        let header = message.header;
        let address = header.address;
        if let Some(why) = self.hosting.no_room() {
            let failed = if address == AUTHENTICATION { "Authentication failed: " } else { "" };
            self.send_error(&header, &format!("{failed}{why}"));
            return Err(Gone::Here);
        }
        if header.version != 0 {
            let words =
                format!("Cannot negotiate QiMessaging connection: there is no protocol v{} here", header.version);
            self.send_error(&header, &words);
            return Ok(());
        }
        if (address.service, address.object) == (0, 0) {
            return self.serve_socket(&message);
        }
        if !self.hosting.open.load(Ordering::Acquire) {
            if matches!(self.hosting.role, Role::Server(Some(_))) {
                self.send_error(&header, NOT_HANDLED);
                return Ok(());
            }
            // Old clients begin without authentication.
            self.open();
            if !self.hosting.greeted.swap(true, Ordering::AcqRel) {
                self.send_capabilities();
            }
        }
        let Some(hosted) = self.hosting.find(address) else {
            self.send_error(&header, NOT_HANDLED);
            return Ok(());
        };
        let Some(ticket) = self.gate.enter(message.payload.len(), self.options.patience) else {
            return Err(Gone::Overrun);
        };
        // Requests that concern the connection only are handled here; everything that runs code of the object, or asks
        // another peer, is dispatched.
        let listens = matches!(address.action, REGISTER | REGISTER_AS | UNREGISTER);
        if listens && hosted.is_relay {
            let (inner, at) = (Arc::clone(self), Arc::clone(&hosted));
            at.run(Box::new(move || {
                inner.finish(&header, &inner.generic(&hosted, &message));
                drop((ticket, held));
            }));
            return Ok(());
        }
        if listens || matches!(address.action, META | TERMINATE | PROPERTIES | IS_STATS_ENABLED..=ENABLE_TRACE) {
            self.finish(&header, &self.generic(&hosted, &message));
            return Ok(());
        }
        // A call may be canceled before its method begins.
        let reply = self.expect_answer(&header, &hosted);
        let (inner, at) = (Arc::clone(self), Arc::clone(&hosted));
        at.run(Box::new(move || {
            if reply.begin() {
                inner.dispatch(&hosted, &message, reply);
            }
            drop((ticket, held));
        }));
        Ok(())
    }

    /// Returns the reply of a call; that of a post discards the answer.
    fn expect_answer(self: &Arc<Self>, header: &Header, hosted: &Arc<Hosted>) -> Reply {
        if header.kind != Kind::Call {
            let reply = Reply::new(drop);
            reply.is_never_canceled();
            return reply;
        }
        let (inner, hosted, header) = (Arc::clone(self), Arc::clone(hosted), *header);
        let reply = Reply::new(move |answer| inner.answer(&header, &hosted, answer));
        let mut running = lock(&self.hosting.running);
        if running.len() >= self.options.most_jobs {
            drop(running);
            reply.failed("too many calls are running on this connection");
            reply.ask_to_cancel();
        } else {
            running.insert(header.id, reply.running());
            drop(running);
            reply.on_cancel(|reply| reply.canceled());
            if self.is_closed() {
                // A thread that closed the connection meanwhile may not have seen this call.
                self.hosting.clear();
            }
        }
        reply
    }

    fn open(&self) {
        self.hosting.open.store(true, Ordering::Release);
        self.is_known_now();
    }

    /// Handles a request to the socket's end itself (address 0.0).
    fn serve_socket(&self, message: &Message) -> Result<(), Gone> {
        let header = message.header;
        self.greet(&header);
        if header.kind != Kind::Call {
            return Ok(());
        }
        let Role::Server(check) = &self.hosting.role else {
            self.send_error(&header, NOT_HANDLED);
            return Ok(());
        };
        if header.address.action != AUTHENTICATE {
            self.send_error(&header, NOT_HANDLED);
            return Ok(());
        }
        if self.options.generation.is_some_and(|generation| !generation.authenticates()) {
            // There is no such service for it. The client is none that says nothing.
            self.send_error(&header, &format!("can't find service, address: {{{}, id:{}}}", header.address, header.id));
            self.open();
            return Ok(());
        }
        let said = match Capabilities::decode(&message.payload) {
            Ok(said) => said,
            Err(e) => {
                self.send_error(&header, &format!("the capabilities cannot be read: {e}"));
                return Ok(());
            }
        };
        let mut answer = Capabilities::default();
        answer.set(STATE, AuthState::Done.code());
        if !self.hosting.open.load(Ordering::Acquire) {
            if let Some(check) = check
                && let Err(reason) = check(Credentials::out_of(&said).as_ref())
            {
                self.send_error(&header, &format!("Authentication failed: {reason}"));
                return Err(Gone::Here);
            }
            self.merge(&said);
            self.open();
            self.hosting.greeted.store(true, Ordering::Release);
            let mut all = self.our_capabilities();
            all.merge(&answer);
            answer = all;
        }
        if let Ok(payload) = answer.encode() {
            let _ = self.send(header.id, Kind::Reply, 0, header.address, Draft::with(&payload));
        }
        Ok(())
    }

    /// Answers the methods that every object has and that run no code of the object.
    fn generic(self: &Arc<Self>, hosted: &Arc<Hosted>, message: &Message) -> Result<(Signature, Value), Failure> {
        let address = message.header.address;
        let method = hosted.meta.methods.get(&address.action).ok_or(NOT_HANDLED)?;
        let args = self.arguments(message, &method.parameters)?;
        let number = |i: usize| args.get(i).and_then(Value::as_u64).unwrap_or_default();
        let value = match address.action {
            META => {
                // This goes through the encoding, because no `Value` is a meta object.
                let bytes = hosted.meta.encode().map_err(|e| e.to_string())?;
                let ids = Traffic::ours(self, address.service);
                decode(&bytes, &method.returns, &ids).map_err(|e| e.to_string())?
            }
            TERMINATE => {
                let ended = lock(&self.hosting.lent).objects.remove(&(address.service, address.object));
                if ended.is_some() {
                    let of_it = |signal: &Address| (signal.service, signal.object) == (address.service, address.object);
                    lock(&self.hosting.listening).retain(|(signal, _), _| !of_it(signal));
                }
                Value::Void
            }
            PROPERTIES => {
                let names = hosted.meta.properties.values().map(|p| Value::from(p.name.as_str())).collect();
                Value::list_of(Signature::Str, names)
            }
            IS_STATS_ENABLED..=ENABLE_TRACE => hosted.watched.answer(address.action, &args)?,
            UNREGISTER => {
                let signal = Address { action: u32::try_from(number(1)).unwrap_or(u32::MAX), ..address };
                let found = lock(&self.hosting.listening).remove(&(signal, number(2)));
                match found {
                    Some(_) => Value::Void,
                    None => return Err(format!("Unregister request failed for {} {}", number(2), address.object)),
                }
            }
            _ => {
                let id = u32::try_from(number(1)).unwrap_or(u32::MAX);
                let signal = hosted.meta.signals.get(&id).ok_or_else(|| format!("there is no signal {id}"))?;
                if self.options.generation.is_some_and(|g| !g.tells_changes())
                    && hosted.meta.properties.contains_key(&id)
                {
                    return Err("No such signal".to_owned());
                }
                let wanted = match args.get(3).and_then(Value::as_str) {
                    Some(text) => Some(Signature::parse(text).map_err(|e| e.to_string())?),
                    None => None,
                };
                self.listen(hosted, Address { action: id, ..address }, number(2), signal.signature.clone(), wanted)?;
                Value::U64(number(2))
            }
        };
        Ok((method.returns.clone(), value))
    }

    /// Subscribes the peer to a signal.
    fn listen(
        self: &Arc<Self>,
        hosted: &Hosted,
        signal: Address,
        link: u64,
        signature: Signature,
        wanted: Option<Signature>,
    ) -> Result<(), Failure> {
        if lock(&self.hosting.listening).len() >= self.options.most_jobs {
            return Err("there are too many registrations on this connection".to_owned());
        }
        let peer = Arc::downgrade(self);
        let guard = hosted.object.signals().listen(signal.action, move |args| {
            if let Some(inner) = peer.upgrade() {
                inner.emit_to_peer(signal, &signature, wanted.as_ref(), args);
            }
        });
        let before = lock(&self.hosting.listening).insert((signal, link), guard);
        drop(before);
        if self.is_closed() {
            // A thread that closed the connection meanwhile may not have seen this listener.
            self.hosting.clear();
        }
        Ok(())
    }

    fn emit_to_peer(
        self: &Arc<Self>,
        signal: Address,
        signature: &Signature,
        wanted: Option<&Signature>,
        args: &[Value],
    ) {
        let traffic = Traffic::ours(self, signal.service);
        let mut draft = Draft::new();
        let typed = match (wanted, signature.members()) {
            (None, Some(types)) if types.len() == args.len() => {
                args.iter().zip(types).try_for_each(|(arg, to)| draft.push(arg, to, &traffic))
            }
            (None, _) => draft.push(&Value::tuple(args.to_vec()), signature, &traffic),
            (Some(wanted), _) => match Value::tuple(args.to_vec()).convert(wanted) {
                Ok(value) => {
                    if let Some((flags, draft)) = self.as_dynamic(&value, &traffic) {
                        let _ = self.send(self.next_id(), Kind::Event, flags, signal, draft);
                    }
                    return;
                }
                Err(e) => Err(e),
            },
        };
        if typed.is_ok() {
            let _ = self.send(self.next_id(), Kind::Event, 0, signal, draft);
        } else if let Some((flags, draft)) = self.as_dynamic(&Value::tuple(args.to_vec()), &traffic) {
            let _ = self.send(self.next_id(), Kind::Event, flags, signal, draft);
        }
    }

    /// Decodes the arguments of a message to these types.
    fn arguments(self: &Arc<Self>, message: &Message, types: &Signature) -> Result<Vec<Value>, Failure> {
        let traffic = Traffic::ours(self, message.header.address.service);
        let flags = message.header.flags;
        let untyped = flags & DYNAMIC != 0 || *types == Signature::Dynamic;
        let signature = if untyped { &Signature::Dynamic } else { types };
        let read = decode(&message.payload, signature, &traffic);
        let mut value = read.map_err(|e| format!("the arguments cannot be read: {e}"))?.into_plain();
        if flags & (DYNAMIC | RETURN_TYPE) == DYNAMIC | RETURN_TYPE
            && let Some([args, Value::Str(_)]) = value.as_slice()
        {
            value = args.clone().into_plain();
        }
        if untyped && *types != Signature::Dynamic {
            value = value.convert(types).map_err(|e| format!("the arguments are not {types}: {e}"))?;
        }
        Ok(match value {
            Value::Tuple(tuple) => tuple.members,
            other => vec![other],
        })
    }

    /// Dispatches a call or post to the object.
    fn dispatch(self: &Arc<Self>, hosted: &Arc<Hosted>, message: &Message, reply: Reply) {
        let header = message.header;
        let id = header.address.action;
        if matches!(id, PROPERTY | SET_PROPERTY) {
            return reply.finish(self.property(hosted, message));
        }
        let Some(method) = hosted.meta.methods.get(&id) else {
            return match hosted.meta.signals.get(&id) {
                Some(signal) if header.kind == Kind::Post => {
                    if let Ok(args) = self.arguments(message, &signal.signature) {
                        hosted.object.emit(id, &args);
                    }
                }
                _ => reply.failed(format!("No such method {{{}, id:{}}}", header.address, header.id)),
            };
        };
        match self.arguments(message, &method.parameters) {
            Ok(args) => {
                let reply = hosted.watched.watch(&hosted.object, id, &args, reply);
                hosted.object.call(Call { method: id, args, caller: self.handle(), reply });
            }
            Err(words) => reply.failed(words),
        }
    }

    fn property(self: &Arc<Self>, hosted: &Hosted, message: &Message) -> Result<Value, Failure> {
        let setting = message.header.address.action == SET_PROPERTY;
        let types = vec![Signature::Dynamic; if setting { 2 } else { 1 }];
        let args = self.arguments(message, &Signature::tuple(types))?;
        let key = args.first().map(Value::plain).unwrap_or(&Value::Void);
        let found = match key.as_str() {
            Some(name) => hosted.meta.property(name),
            None => key.as_u32().and_then(|id| hosted.meta.properties.get(&id).map(|p| (id, p))),
        };
        let told = || key.as_str().map_or_else(|| format!("{key:?}"), str::to_owned);
        let (id, property) = found.ok_or_else(|| format!("there is no property {}", told()))?;
        match args.get(1) {
            None => hosted.object.property(id),
            Some(value) => {
                let value = value.convert(&property.signature).map_err(|e| e.to_string())?;
                hosted.object.set_property(id, value)?;
                Ok(Value::Void)
            }
        }
    }

    fn answer(self: &Arc<Self>, header: &Header, hosted: &Hosted, answer: Answer) {
        lock(&self.hosting.running).remove(&header.id);
        let returns = hosted.meta.methods.get(&header.address.action).map_or(Signature::Void, |m| m.returns.clone());
        match answer {
            Answer::Value(value) => self.finish(header, &Ok((returns, value))),
            Answer::Failed(words) => self.send_error(header, &words),
            Answer::Canceled if self.cancelable() => {
                let _ = self.send(header.id, Kind::Canceled, 0, header.address, Draft::new());
            }
            Answer::Canceled => self.send_error(header, "Call has been canceled."),
        }
    }

    /// Sends the answer to a call.
    fn finish(self: &Arc<Self>, header: &Header, result: &Result<(Signature, Value), Failure>) {
        if header.kind != Kind::Call {
            return;
        }
        let (returns, value) = match result {
            Ok(both) => both,
            Err(words) => return self.send_error(header, words),
        };
        let traffic = Traffic::ours(self, header.address.service);
        let (flags, draft) = match self.written(header, returns, value, &traffic) {
            Ok(both) => both,
            Err(words) => {
                traffic.take_back();
                return self.send_error(header, &words);
            }
        };
        let _ = self.send(header.id, Kind::Reply, flags, header.address, draft);
    }

    fn written(
        &self,
        header: &Header,
        returns: &Signature,
        value: &Value,
        objects: &Traffic<'_>,
    ) -> Result<(u8, Draft), Failure> {
        let mut draft = Draft::new();
        if *returns == Signature::Void {
            return Ok((0, draft));
        }
        // A caller that requests another type than the method's gets a dynamic, and can convert it.
        if header.flags & RETURN_TYPE != 0
            && let Some(found) = self.as_dynamic(value, objects)
        {
            return Ok(found);
        }
        match draft.push(value, returns, objects) {
            Ok(()) => Ok((0, draft)),
            Err(e) => self
                .as_dynamic(value, objects)
                .ok_or_else(|| format!("the method returned a value of a wrong type: {e}")),
        }
    }
}
