//! A socket and the messages in both directions.

use crate::budget::{Account, Budget, Held};
use crate::cached::CachedMetas;
use crate::capabilities::{
    CLIENT_SERVER_SOCKET, Capabilities, MESSAGE_FLAGS, RELATIVE_ENDPOINT_URI, REMOTE_CANCELABLE_CALLS,
};
use crate::decode::DecodeFault;
use crate::encode::{EncodeError, encode};
use crate::error::{Error, Gone};
use crate::generation::Generation;
use crate::hosting::{Hosted, Hosting, REFUSED_CLIENT_TIMEOUT, Role, ServiceTable};
use crate::message::{
    Address, DYNAMIC, HEADER, Header, Kind, MAX_FIRST_PAYLOAD, Message, broken, read_header, read_payload,
};
use crate::object::{ObjectLayout, ObjectRef, ObjectValue, Objects};
use crate::options::Options;
use crate::outbox::Outbox;
use crate::pending::{Pending, Slot};
use crate::pool::{JobQueue, Pool, QueueLimit, QueueSize, lock};
use crate::reading::Reading;
use crate::relay::Relay;
use crate::remote::Remote;
use crate::signature::Signature;
use crate::subscriptions::Subscriptions;
use crate::transport::{Deadline, Incoming, TlsState};
use crate::value::Value;
use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::Instant;

/// A connection to a peer. Clones share the socket, which is closed when the last clone is dropped; every [`Remote`]
/// holds one.
#[derive(Clone)]
pub struct Connection {
    inner: Arc<ConnectionInner>,
    _alive: Arc<Alive>,
}

/// Closes the socket when the last handle is dropped. The reader thread holds no handle, or it would read for ever.
struct Alive(Weak<ConnectionInner>);

impl Drop for Alive {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            inner.close(Gone::Here);
        }
    }
}

type OnClose = Box<dyn FnOnce(&Gone) + Send>;

pub(crate) struct ConnectionInner {
    /// The socket, shared by all readers and writers, so that there is one file descriptor.
    pub(crate) stream: Arc<TcpStream>,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) deadline: Arc<Deadline>,
    /// Whether the peer has authenticated, or has accepted us.
    pub(crate) known: AtomicBool,
    account: Arc<Account>,
    next: AtomicU32,
    pending: Mutex<HashMap<u32, Arc<Slot>>>,
    fewer: Condvar,
    ours: Capabilities,
    cached: CachedMetas,
    theirs: Mutex<Capabilities>,
    gone: Mutex<Option<Gone>>,
    on_close: Mutex<Vec<OnClose>>,
    alive: Mutex<Weak<Alive>>,
    pub(crate) heard: AtomicBool,
    peer: String,
    local: String,
    pub(crate) options: Arc<Options>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) events: Arc<JobQueue>,
    pub(crate) gate: Arc<QueueLimit>,
    pub(crate) subscriptions: Subscriptions,
    pub(crate) hosting: Hosting,
    pub(crate) reading: Reading,
}

/// The parameters of a new connection.
pub(crate) struct Setup {
    pub(crate) options: Arc<Options>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) services: Arc<ServiceTable>,
    pub(crate) role: Role,
    /// The TLS state, if the connection is encrypted.
    pub(crate) tls_state: Option<TlsState>,
    /// The memory budget that it shares with other connections.
    pub(crate) budget: Arc<Budget>,
}

impl Connection {
    /// Configures a socket, and starts the thread that reads it.
    pub(crate) fn start(stream: TcpStream, setup: Setup) -> Result<Connection, Error> {
        let system = |e| Error::System(Arc::new(e));
        let Setup { options, pool, services, role, tls_state, budget } = setup;
        stream.set_nodelay(true).map_err(system)?;
        crate::os::keep_alive(&stream, options.alive_within).map_err(system)?;
        let stream = Arc::new(stream);
        let scheme = if tls_state.is_some() { "tcps" } else { "tcp" };
        let outbox = Outbox::new(Arc::clone(&stream), tls_state.clone(), options.most_waiting, options.patience);
        let outbox = Arc::new(outbox.map_err(system)?);
        let address = stream.peer_addr();
        let account = Account::new(&budget, address.as_ref().map_or(IpAddr::from([0; 4]), SocketAddr::ip));
        let peer = address.map_or_else(|_| "a peer".to_owned(), |a| a.to_string());
        let local = stream.local_addr().map_or_else(|_| String::new(), |a| format!("{scheme}://{a}"));
        // This deadline applies until the peer has authenticated.
        let deadline = match &role {
            Role::Client => Deadline::default(),
            Role::Server(_) => Deadline::until(Instant::now() + options.patience),
            Role::Full(_) => Deadline::until(Instant::now() + options.patience.min(REFUSED_CLIENT_TIMEOUT)),
        };
        let deadline = Arc::new(deadline);
        let reader =
            Incoming::new(Arc::clone(&stream), Arc::clone(&deadline), options.patience, tls_state.as_ref(), &outbox);
        let inner = Arc::new(ConnectionInner {
            reading: Reading::new(reader),
            deadline,
            known: AtomicBool::new(false),
            account,
            outbox,
            next: AtomicU32::new(2),
            pending: Mutex::default(),
            fewer: Condvar::new(),
            ours: options.generation.map_or_else(Capabilities::ours, Generation::capabilities),
            cached: CachedMetas::default(),
            theirs: Mutex::default(),
            gone: Mutex::default(),
            on_close: Mutex::default(),
            alive: Mutex::default(),
            heard: AtomicBool::new(false),
            peer,
            local,
            events: JobQueue::new(&pool),
            pool,
            gate: QueueLimit::new(QueueSize { jobs: options.most_jobs, bytes: options.most_waiting }),
            subscriptions: Subscriptions::default(),
            hosting: Hosting::new(services, role),
            options,
            stream,
        });
        let broken = Arc::downgrade(&inner);
        inner.outbox.on_failure(move |gone| {
            if let Some(inner) = broken.upgrade() {
                inner.close(gone);
            }
        });
        inner.greet_first();
        let alive = Arc::new(Alive(Arc::downgrade(&inner)));
        *lock(&inner.alive) = Arc::downgrade(&alive);
        let reader = Arc::clone(&inner);
        let thread = std::thread::Builder::new().name("qi-read".to_owned());
        thread.spawn(move || reader.read()).map_err(system)?;
        Ok(Connection { inner, _alive: alive })
    }

    pub(crate) fn inner(&self) -> &Arc<ConnectionInner> {
        &self.inner
    }

    /// Returns the address and port of the peer.
    pub fn peer(&self) -> &str {
        &self.inner.peer
    }

    /// Returns the IP address of this end, on the network that leads to the peer.
    pub fn here(&self) -> Option<std::net::IpAddr> {
        self.inner.stream.local_addr().ok().map(|address| address.ip())
    }

    /// Returns the URL at which the peer reaches this side.
    pub(crate) fn local(&self) -> &str {
        &self.inner.local
    }

    /// Returns the IP address of this machine through which the peer is reached.
    pub(crate) fn local_ip(&self) -> Option<std::net::IpAddr> {
        self.inner.stream.local_addr().ok().map(|address| address.ip())
    }

    /// Returns the capabilities that the peer has announced.
    pub fn capabilities(&self) -> Capabilities {
        lock(&self.inner.theirs).clone()
    }

    /// Closes the socket. Calls that wait for an answer fail.
    pub fn close(&self) {
        self.inner.close(Gone::Here);
    }

    /// Returns why the connection has ended, if it has.
    pub fn gone(&self) -> Option<Gone> {
        lock(&self.inner.gone).clone()
    }

    /// Calls a function when the connection ends, on the thread that notices it, or at once if it has ended already.
    pub fn on_close(&self, then: impl FnOnce(&Gone) + Send + 'static) {
        self.inner.on_close(Box::new(then));
    }

    /// Returns whether two handles share the same socket.
    pub fn is_same(&self, other: &Connection) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("peer", &self.inner.peer).finish_non_exhaustive()
    }
}

/// Converts objects on this socket, in messages from or to one service.
pub(crate) struct Traffic<'a> {
    pub(crate) inner: &'a Arc<ConnectionInner>,
    pub(crate) service: u32,
    /// Whether the service is a local one.
    pub(crate) ours: bool,
    lent: RefCell<Vec<u32>>,
}

impl<'a> Traffic<'a> {
    /// For messages from or to a service of the peer.
    pub(crate) fn theirs(inner: &'a Arc<ConnectionInner>, service: u32) -> Traffic<'a> {
        Traffic { inner, service, ours: false, lent: RefCell::default() }
    }

    /// For messages from or to a local service.
    pub(crate) fn ours(inner: &'a Arc<ConnectionInner>, service: u32) -> Traffic<'a> {
        Traffic { inner, service, ours: true, lent: RefCell::default() }
    }

    /// Takes back the objects lent for a message that is not sent.
    pub(crate) fn take_back(&self) {
        for number in self.lent.take() {
            self.inner.hosting.take_back(self.service, number);
        }
    }
}

impl Objects for Traffic<'_> {
    fn layout(&self) -> ObjectLayout {
        self.inner.ours.object_layout(&lock(&self.inner.theirs))
    }

    fn arrived(&self, reference: ObjectRef) -> Result<ObjectValue, DecodeFault> {
        let reference = if self.layout().cache { self.inner.cached.resolve(reference)? } else { reference };
        Ok(match (self.inner.handle(), reference.meta) {
            (Some(connection), Some(meta)) if reference.object != 0 => {
                ObjectValue::Remote(Remote::new(connection, reference.service, reference.object, meta))
            }
            (_, meta) => ObjectValue::Ref(Box::new(ObjectRef { meta, ..reference })),
        })
    }

    fn leaving(&self, object: &ObjectValue) -> Option<ObjectRef> {
        match object {
            ObjectValue::Ref(reference) => Some((**reference).clone()),
            // The limit protects against a peer that requests objects and never releases one.
            _ if self.inner.hosting.lent() >= self.inner.options.most_jobs || self.inner.is_closed() => None,
            ObjectValue::Local(_) | ObjectValue::Remote(_) => {
                let pool = &self.inner.pool;
                let hosted = match object {
                    ObjectValue::Remote(remote) => Hosted::relay(Relay::new(remote.clone(), pool), pool),
                    ObjectValue::Local(object) => Hosted::new(Arc::clone(object), pool),
                    ObjectValue::Ref(_) => return None,
                };
                let meta = Some(Arc::clone(&hosted.meta));
                let (uid, cache) = (hosted.uid, self.inner.cached.number());
                let number = self.inner.hosting.lend(self.service, self.ours, hosted);
                self.lent.borrow_mut().push(number);
                Some(ObjectRef { meta, cache, service: self.service, object: number, uid })
            }
        }
    }
}

/// A message that is being written.
pub(crate) struct Draft {
    bytes: Vec<u8>,
}

impl Draft {
    pub(crate) fn new() -> Draft {
        Draft { bytes: vec![0; HEADER] }
    }

    /// Appends a value to the payload.
    pub(crate) fn push(&mut self, value: &Value, to: &Signature, objects: &dyn Objects) -> Result<(), EncodeError> {
        encode(value, to, objects, &mut self.bytes)
    }

    pub(crate) fn with(payload: &[u8]) -> Draft {
        let mut draft = Draft::new();
        draft.bytes.extend_from_slice(payload);
        draft
    }
}

impl ConnectionInner {
    /// Returns a handle of this connection, as long as there is one.
    pub(crate) fn handle(self: &Arc<Self>) -> Option<Connection> {
        let alive = lock(&self.alive).upgrade()?;
        Some(Connection { inner: Arc::clone(self), _alive: alive })
    }

    fn on_close(&self, then: OnClose) {
        let gone = lock(&self.gone);
        match &*gone {
            Some(reason) => {
                let reason = reason.clone();
                drop(gone);
                then(&reason);
            }
            None => lock(&self.on_close).push(then),
        }
    }

    pub(crate) fn close(&self, reason: Gone) {
        {
            let mut gone = lock(&self.gone);
            if gone.is_some() {
                return;
            }
            *gone = Some(reason.clone());
        }
        self.outbox.close();
        let _ = self.stream.shutdown(Shutdown::Both);
        let waiting = std::mem::take(&mut *lock(&self.pending));
        self.fewer.notify_all();
        for slot in waiting.into_values() {
            slot.put(Err(self.why()));
        }
        self.hosting.clear();
        let told = std::mem::take(&mut *lock(&self.on_close));
        for then in told {
            then(&reason);
        }
    }

    /// Returns why nothing can be sent any more. Invalid bytes in the first message mean another protocol; later they
    /// mean a broken peer.
    fn why(&self) -> Error {
        match lock(&self.gone).clone() {
            Some(Gone::NotQi { first }) if self.heard.load(Ordering::Acquire) => Error::Gone(Gone::NotQi { first }),
            Some(gone) => gone.into(),
            None => Error::Gone(Gone::Closed),
        }
    }

    fn both(&self, capability: &str) -> bool {
        self.ours.has(capability) && lock(&self.theirs).has(capability)
    }

    /// Returns whether the peer supports payloads that are dynamics.
    pub(crate) fn flags(&self) -> bool {
        self.both(MESSAGE_FLAGS)
    }

    /// Returns whether calls can be canceled.
    pub(crate) fn cancelable(&self) -> bool {
        self.both(REMOTE_CANCELABLE_CALLS)
    }

    /// Returns whether endpoints may be relative to this socket.
    pub(crate) fn relative(&self) -> bool {
        self.both(RELATIVE_ENDPOINT_URI)
    }

    /// Returns whether the peer's services may be called on this socket.
    pub(crate) fn both_ways(&self) -> bool {
        self.both(CLIENT_SERVER_SOCKET)
    }

    pub(crate) fn merge(&self, said: &Capabilities) {
        lock(&self.theirs).merge(said);
    }

    pub(crate) fn our_capabilities(&self) -> Capabilities {
        self.ours.clone()
    }

    pub(crate) fn next_id(&self) -> u32 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn send(&self, id: u32, kind: Kind, flags: u8, address: Address, draft: Draft) -> Result<(), Error> {
        let mut bytes = draft.bytes;
        let size = u32::try_from(bytes.len() - HEADER)
            .map_err(|_| EncodeError { path: Vec::new(), fault: crate::encode::EncodeFault::TooBig })?;
        let header = Header { id, size, version: 0, kind, flags, address };
        bytes[..HEADER].copy_from_slice(&header.encode());
        self.outbox.send(&bytes).map_err(|_| self.why())
    }

    /// Sends a call, whose answer goes to the returned slot.
    pub(crate) fn call(self: &Arc<Self>, address: Address, flags: u8, draft: Draft) -> Result<(u32, Arc<Slot>), Error> {
        let slot = Arc::new(Slot::default());
        let id = self.next_id();
        let mut pending = lock(&self.pending);
        let until = Instant::now() + self.options.patience;
        while pending.len() >= self.options.most_jobs {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let what = format!("{} calls", pending.len());
                return Err(Error::Slow { what, after: self.options.patience });
            }
            pending = self.fewer.wait_timeout(pending, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        pending.insert(id, Arc::clone(&slot));
        drop(pending);
        if let Err(e) = self.send(id, Kind::Call, flags, address, draft) {
            self.take_pending(id);
            return Err(e);
        }
        // A thread that closed the connection meanwhile may not have seen this slot.
        if lock(&self.gone).is_some()
            && let Some(slot) = self.take_pending(id)
        {
            slot.put(Err(self.why()));
        }
        Ok((id, slot))
    }

    /// Calls a method that every peer has, with arguments of these types.
    pub(crate) fn call_known(
        self: &Arc<Self>,
        address: Address,
        args: &[Value],
        types: &str,
        returns: Signature,
    ) -> Result<Pending, Error> {
        let connection = self.handle().ok_or(Error::Gone(Gone::Here))?;
        let mut draft = Draft::new();
        let traffic = Traffic::theirs(self, address.service);
        for (arg, letter) in args.iter().zip(types.bytes()) {
            draft.push(arg, &Signature::from_letter(letter).unwrap_or(Signature::Dynamic), &traffic)?;
        }
        let (id, slot) = self.call(address, 0, draft)?;
        let (service, object, what) = (address.service, address.object, format!("call {address}"));
        Ok(Pending { connection, slot, id, service, object, returns, what })
    }

    pub(crate) fn take_pending(&self, id: u32) -> Option<Arc<Slot>> {
        let mut pending = lock(&self.pending);
        let was_full = pending.len() >= self.options.most_jobs;
        let slot = pending.remove(&id);
        drop(pending);
        if was_full {
            self.fewer.notify_all();
        }
        slot
    }

    pub(crate) fn cancel(&self, id: u32, service: u32, object: u32) {
        if self.cancelable() {
            let address = Address { service, object, action: 0 };
            // If the request cannot be sent, the call is over anyway.
            let _ = self.send(self.next_id(), Kind::Cancel, 0, address, Draft::with(&id.to_le_bytes()));
        }
    }

    /// Sends a failure as the answer to a call; a post gets no answer.
    pub(crate) fn send_error(&self, header: &Header, words: &str) {
        if header.kind == Kind::Call {
            let mut draft = Draft::new();
            if draft.push(&Value::from(words), &Signature::Dynamic, &ObjectLayout::default()).is_ok() {
                let _ = self.send(header.id, Kind::Error, 0, header.address, draft);
            }
        }
    }

    /// The loop of the reader thread.
    fn read(self: Arc<Self>) {
        let gone = 'socket: loop {
            let mut socket = lock(&self.reading.socket);
            loop {
                if let Err(gone) = self.read_one(&mut socket) {
                    break 'socket gone;
                }
                if self.reading.is_time_to_leave() {
                    break;
                }
            }
            drop(socket);
            self.reading.stay_away(|| self.has_pending());
        };
        self.close(gone);
    }

    /// Reads one message and handles it.
    pub(crate) fn read_one(self: &Arc<Self>, socket: &mut BufReader<Incoming>) -> Result<(), Gone> {
        self.read_one_unless(socket, &|| false).map(drop)
    }

    /// Reads one message and handles it. Returns false without one if the function says to stop, which is asked as often as
    /// [`Incoming::look`] says, and when a signal of the system interrupts the thread.
    pub(crate) fn read_one_unless(
        self: &Arc<Self>,
        socket: &mut BufReader<Incoming>,
        stops: &dyn Fn() -> bool,
    ) -> Result<bool, Gone> {
        // Between two messages a peer may be silent for any time.
        let begun = loop {
            match socket.fill_buf() {
                Ok(bytes) => break Ok(!bytes.is_empty()),
                Err(e) if matches!(e.kind(), std::io::ErrorKind::Interrupted | std::io::ErrorKind::WouldBlock) => {
                    if stops() {
                        return Ok(false);
                    }
                }
                Err(e) => break Err(broken(e, 0)),
            }
        };
        if !begun.map_err(|e| self.refuse(None, e))? {
            return Err(Gone::Closed);
        }
        socket.get_mut().within(true);
        let header = read_header(socket).map_err(|e| self.refuse(None, e))?;
        let most = match self.known.load(Ordering::Acquire) {
            true => self.options.most_payload,
            false => self.options.most_payload.min(MAX_FIRST_PAYLOAD),
        };
        let mut held = Held::nothing(&self.account);
        let message = read_payload(socket, header, most, |bytes| held.more(bytes, self.options.patience));
        let message = message.map_err(|e| self.refuse(Some(&header), e))?;
        socket.get_mut().within(false);
        self.heard.store(true, Ordering::Release);
        self.take(message, held).map(|()| true)
    }

    pub(crate) fn has_pending(&self) -> bool {
        !lock(&self.pending).is_empty()
    }

    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.gone).is_some()
    }

    /// Handles a message. The kind decides first, because both sides choose their message numbers independently.
    fn take(self: &Arc<Self>, message: Message, held: Held) -> Result<(), Gone> {
        let header = message.header;
        match header.kind {
            Kind::Reply | Kind::Error | Kind::Canceled => {
                if let Some(slot) = self.take_pending(header.id) {
                    if slot.is_slept_for() {
                        self.reading.leave_early(|| self.has_pending());
                    }
                    if slot.put(Ok(message)) {
                        self.reading.was_waited_for();
                    }
                }
                Ok(())
            }
            Kind::Event => self.event(message, held),
            Kind::Call | Kind::Post => {
                self.serve(message, held).inspect_err(|gone| self.send_close_reason(Some(&header), gone))
            }
            Kind::Capability => {
                if let Ok(said) = Capabilities::decode(&message.payload) {
                    self.merge(&said);
                }
                self.greet(&header);
                Ok(())
            }
            Kind::Cancel => {
                // Before it was invented, the message was an unknown one.
                if self.ours.has(REMOTE_CANCELABLE_CALLS)
                    && let Some(id) = message.payload.first_chunk()
                {
                    self.hosting.cancel(u32::from_le_bytes(*id));
                }
                Ok(())
            }
            Kind::Other(_) => Ok(()),
        }
    }

    /// Returns a message whose payload is the value as one dynamic, if the peer supports that.
    pub(crate) fn as_dynamic(&self, value: &Value, objects: &Traffic<'_>) -> Option<(u8, Draft)> {
        if !self.flags() {
            return None;
        }
        let mut draft = Draft::new();
        match draft.push(value, &Signature::Dynamic, objects) {
            Ok(()) => Some((DYNAMIC, draft)),
            Err(_) => {
                objects.take_back();
                None
            }
        }
    }
}
