//! A client of a robot.

use crate::budget::Budget;
use crate::capabilities::{AuthState, Capabilities, NEW_TOKEN, REASON};
use crate::connection::{Connection, Draft, Setup};
use crate::endpoint::Endpoint;
use crate::error::{Error, Gone};
use crate::hosting::{AUTHENTICATE, Hosted, Role, ServiceTable};
use crate::listener::{Listener, ListenerConfig, bind};
use crate::machine::{machine_id, unique};
use crate::message::Address;
use crate::object::Object;
use crate::options::Options;
use crate::pending::Pending;
use crate::pool::{Pool, lock};
use crate::remote::Remote;
use crate::server::info;
use crate::service_info::ServiceInfo;
use crate::signature::Signature;
use crate::value::Value;
use crate::web;
use std::collections::HashMap;
use std::fmt;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A client session: access to a robot's services by name. Clones share the session.
#[derive(Clone)]
pub struct Session(Arc<SessionInner>);

struct SessionInner {
    home: Connection,
    endpoint: Endpoint,
    options: Arc<Options>,
    pool: Arc<Pool>,
    services: Arc<ServiceTable>,
    budget: Arc<Budget>,
    directory: Mutex<Option<Remote>>,
    sockets: Mutex<HashMap<Endpoint, Connection>>,
    listener: Mutex<Option<Arc<Listener>>>,
}

impl Drop for SessionInner {
    fn drop(&mut self) {
        if let Some(listener) = lock(&self.listener).take() {
            listener.close();
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({})", self.0.endpoint)
    }
}

impl Session {
    /// Connects to a robot: `nao.local`, `10.0.0.2:9559`, `tcp://…`.
    ///
    /// # Errors
    /// The reason why the connection failed, or why the robot refuses it.
    pub fn connect(address: &str) -> Result<Session, Error> {
        Session::connect_with(address, Options::default())
    }

    /// Connects with options.
    ///
    /// # Errors
    /// As [`Session::connect`].
    pub fn connect_with(address: &str, options: Options) -> Result<Session, Error> {
        let endpoint = Endpoint::parse(address)?;
        let (pool, options, services) = (Pool::new(options.threads), Arc::new(options), Arc::default());
        let budget = Budget::new(options.most_in_all);
        let home = open(&endpoint, &options, &pool, &services, &budget)?;
        let retires = Arc::clone(&pool);
        home.on_close(move |_| retires.retire());
        let (directory, sockets, listener) = Default::default();
        Ok(Session(Arc::new(SessionInner {
            home,
            endpoint,
            options,
            pool,
            services,
            budget,
            directory,
            sockets,
            listener,
        })))
    }

    /// Returns the address that the session connected to.
    pub fn endpoint(&self) -> &Endpoint {
        &self.0.endpoint
    }

    /// Returns the connection to the service directory.
    pub fn connection(&self) -> &Connection {
        &self.0.home
    }

    /// Returns the service directory itself, whose signals announce services that are added or removed.
    ///
    /// # Errors
    /// The reason why it does not answer.
    pub fn directory(&self) -> Result<Remote, Error> {
        let mut directory = lock(&self.0.directory);
        if let Some(found) = &*directory {
            return Ok(found.clone());
        }
        let found = Remote::fetch_service(self.0.home.clone(), 1)?;
        *directory = Some(found.clone());
        Ok(found)
    }

    /// Returns all services that the directory knows.
    ///
    /// # Errors
    /// The reason why the directory does not answer.
    pub fn services(&self) -> Result<Vec<ServiceInfo>, Error> {
        let list = self.directory()?.call_within("services", &[], self.0.options.answer_within)?;
        Ok(list.as_slice().unwrap_or_default().iter().filter_map(ServiceInfo::from_value).collect())
    }

    /// Returns the directory's description of a service.
    ///
    /// # Errors
    /// [`Error::NoService`], or the reason why the directory does not answer.
    pub fn service_info(&self, name: &str) -> Result<ServiceInfo, Error> {
        let no = |text: String| Error::NoService { name: name.to_owned(), text };
        match self.directory()?.call_within("service", &[Value::from(name)], self.0.options.answer_within) {
            Ok(value) => ServiceInfo::from_value(&value)
                .ok_or_else(|| no("the directory's description of it is not understood".to_owned())),
            Err(Error::Remote { text }) => Err(no(text)),
            Err(e) => Err(e),
        }
    }

    /// Returns the main object of a service.
    ///
    /// # Errors
    /// [`Error::NoService`], [`Error::NoEndpoint`], or the reason why no answer arrived.
    pub fn service(&self, name: &str) -> Result<Remote, Error> {
        let info = self.service_info(name)?;
        Remote::fetch_service(self.reach(&info)?, info.id)
    }

    /// Returns a connection to the process of a service: the one to the directory where that is the same process.
    fn reach(&self, info: &ServiceInfo) -> Result<Connection, Error> {
        let inner = &self.0;
        let usable = info.usable();
        let relative = info.endpoints.iter().any(|e| e.starts_with("qi:ServiceDirectory"));
        if relative || info.id == 1 || usable.iter().any(|e| *e == inner.endpoint) {
            return Ok(inner.home.clone());
        }
        // The directory's own address may differ from the one that we connected to.
        let own = self.service_info("ServiceDirectory")?;
        if info.endpoints.iter().any(|e| own.endpoints.contains(e)) {
            return Ok(inner.home.clone());
        }
        let (mut tried, ours) = (Vec::new(), self.endpoints());
        let until = Instant::now() + inner.options.connect_within + inner.options.answer_within;
        for endpoint in candidates(&inner.endpoint, &usable) {
            // A client that connected with TLS does not send its password, or anything else, unencrypted.
            let is_own = ours.contains(&endpoint.to_string());
            if inner.endpoint.tls && !endpoint.tls && !is_own {
                tried.push(format!("{endpoint}: it has no TLS"));
                continue;
            }
            let known = |sockets: &HashMap<Endpoint, Connection>| {
                sockets.get(&endpoint).filter(|known| known.gone().is_none()).cloned()
            };
            if let Some(known) = known(&lock(&inner.sockets)) {
                return Ok(known);
            }
            if Instant::now() >= until {
                tried.push("it took too long to try the others".to_owned());
                break;
            }
            // The password is for the host that the user named: anybody can register a service with an address of his
            // own at a directory that lets everybody in. The client knows itself without one.
            let login = endpoint.host == inner.endpoint.host && !is_own;
            let without = (!login).then(|| Arc::new(Options { credentials: None, ..(*inner.options).clone() }));
            let options = without.as_ref().unwrap_or(&inner.options);
            match open(&endpoint, options, &inner.pool, &inner.services, &inner.budget) {
                Ok(connection) => {
                    let mut sockets = lock(&inner.sockets);
                    // Somebody else may have been faster.
                    if let Some(known) = known(&sockets) {
                        connection.close();
                        return Ok(known);
                    }
                    sockets.insert(endpoint, connection.clone());
                    return Ok(connection);
                }
                Err(e) => tried.push(format!("{endpoint}: {e}")),
            }
        }
        Err(Error::NoEndpoint { name: info.name.clone(), tried })
    }

    /// Listens for users of local services that are registered from now on, until the session ends. Without this, only
    /// the directory's own process can reach them. Port 0 selects a free port. An unspecified address is announced as
    /// the one over which the robot is connected.
    ///
    /// # Errors
    /// [`Error::System`] if the address is not available.
    pub fn listen(&self, address: impl ToSocketAddrs) -> Result<SocketAddr, Error> {
        let inner = &self.0;
        let (socket, address) = bind(address)?;
        let config = ListenerConfig {
            options: Arc::clone(&inner.options),
            pool: Arc::clone(&inner.pool),
            services: Arc::clone(&inner.services),
            check: None,
            make_tls_state: None,
            on_leave: Box::new(|_| {}),
        };
        let listener = Listener::start(socket, address, config)?;
        let before = lock(&inner.listener).replace(listener);
        if let Some(before) = before {
            before.close();
        }
        Ok(address)
    }

    /// Returns the addresses at which others reach local services, if any.
    fn endpoints(&self) -> Vec<String> {
        let Some(mut address) = lock(&self.0.listener).as_ref().map(|l| l.address()) else { return Vec::new() };
        if address.ip().is_unspecified()
            && let Some(own) = self.0.home.local_ip()
        {
            address.set_ip(own);
        }
        vec![format!("tcp://{address}")]
    }

    /// Offers an object as a service over the session's own socket, until the returned [`Registered`] is dropped. This
    /// needs no listening socket, but only the robot's own processes can reach the service; [`Session::listen`] lets
    /// others reach it, too.
    ///
    /// # Errors
    /// The directory's error, such as a name that is taken.
    pub fn register(&self, name: &str, object: Arc<dyn Object>) -> Result<Registered, Error> {
        let inner = &self.0;
        let directory = self.directory()?;
        let info = ServiceInfo { name: name.to_owned(), ..info(&machine_id(), &unique(), self.endpoints()) };
        // Send as many fields as the directory's own method takes.
        let method = directory.meta().methods_named("registerService").next();
        let fields = method.and_then(|(_, m)| m.parameters.members()?.first()?.members().map(<[Signature]>::len));
        let within = inner.options.answer_within;
        let id = directory.call_within("registerService", &[info.to_value(fields.unwrap_or(7))], within)?;
        let id = id.as_u32().ok_or(Error::NoMember { kind: "method", name: "registerService".to_owned() })?;
        inner.services.insert(id, Hosted::new(object, &inner.pool));
        let registered = Registered { session: self.clone(), id, over: false };
        directory.call_within("serviceReady", &[Value::U32(id)], within)?;
        Ok(registered)
    }

    /// Disconnects from the robot. Waiting calls fail, and local services are withdrawn.
    pub fn close(&self) {
        for (_, socket) in lock(&self.0.sockets).drain() {
            socket.close();
        }
        if let Some(listener) = lock(&self.0.listener).take() {
            listener.close();
        }
        self.0.home.close();
    }
}

/// A local service in a robot's directory; dropping this withdraws it.
#[must_use = "dropping this withdraws the service"]
pub struct Registered {
    session: Session,
    id: u32,
    over: bool,
}

impl fmt::Debug for Registered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Registered({})", self.id)
    }
}

impl Registered {
    /// Returns the number that the directory gave to the service.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// Withdraws the service, and waits until the directory has done so.
    ///
    /// # Errors
    /// The reason why the directory does not answer.
    pub fn unregister(mut self) -> Result<(), Error> {
        self.over = true;
        let within = self.session.0.options.answer_within;
        let directory = self.session.directory()?;
        let done = directory.call_within("unregisterService", &[Value::U32(self.id)], within);
        self.session.0.services.remove(self.id);
        done.map(|_| ())
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        self.session.0.services.remove(self.id);
        if self.over {
            return;
        }
        if let Ok(directory) = self.session.directory()
            && self.session.0.home.gone().is_none()
        {
            // Nobody waits for an answer: a directory that is gone has forgotten the service anyway.
            let _ = directory.post("unregisterService", &[Value::U32(self.id)]);
        }
    }
}

/// Returns the addresses at which a service may be reachable, the likeliest first. The host of the directory is also
/// tried with the service's port, because from outside, or behind a router, a robot's own address may lead nowhere.
fn candidates(home: &Endpoint, usable: &[Endpoint]) -> Vec<Endpoint> {
    let mut all: Vec<Endpoint> = Vec::new();
    let mut add = |endpoint: Endpoint| {
        if !all.contains(&endpoint) {
            all.push(endpoint);
        }
    };
    usable.iter().filter(|e| e.host == home.host).cloned().for_each(&mut add);
    if home.is_loopback() {
        usable.iter().filter(|e| e.is_loopback()).cloned().for_each(&mut add);
    }
    usable.iter().map(|e| Endpoint { host: home.host.clone(), ..e.clone() }).for_each(&mut add);
    usable.iter().filter(|e| !e.is_loopback()).cloned().for_each(&mut add);
    all
}

/// Opens a connection and authenticates.
fn open(
    endpoint: &Endpoint,
    options: &Arc<Options>,
    pool: &Arc<Pool>,
    services: &Arc<ServiceTable>,
    budget: &Arc<Budget>,
) -> Result<Connection, Error> {
    #[cfg(not(feature = "tls"))]
    if endpoint.tls {
        let why = "tcps means TLS, and this program was built without it";
        return Err(Error::Address { text: endpoint.to_string(), why });
    }
    let (stream, told) = dial(endpoint, options)?;
    // Whoever has said where the robot is may be anybody: without TLS he does not get the password.
    let withheld = told == Told::ByNetwork && !endpoint.tls && options.credentials.is_some();
    let options = &match withheld {
        true => Arc::new(Options { credentials: None, ..(**options).clone() }),
        false => Arc::clone(options),
    };
    #[cfg(feature = "tls")]
    let tls_state = endpoint.tls.then(|| crate::tls::connect(&stream, endpoint, options)).transpose()?;
    #[cfg(not(feature = "tls"))]
    let tls_state = None;
    let setup = Setup {
        tls_state,
        options: Arc::clone(options),
        pool: Arc::clone(pool),
        services: Arc::clone(services),
        role: Role::Client,
        budget: Arc::clone(budget),
    };
    let connection = Connection::start(stream, setup)?;
    match authenticate(&connection, options) {
        Ok(()) => Ok(connection),
        Err(e) if is_silent(&connection, &e) && !endpoint.tls => {
            let within = options.answer_within.min(WEB_WITHIN);
            let first = dial(endpoint, options).ok().and_then(|(stream, _)| web::answer(stream, within));
            Err(first.map_or(e, |first| Error::NotQi { first }))
        }
        Err(Error::Authentication { .. }) if withheld => Err(Error::Authentication {
            reason: "its address comes from the network, so it gets no password without TLS: name its IP address, or use tcps"
                .to_owned(),
        }),
        Err(e) => Err(e),
    }
}

/// How long a web server has to answer that did not answer in qi.
const WEB_WITHIN: Duration = Duration::from_secs(1);

/// Returns whether the peer has said nothing at all.
fn is_silent(connection: &Connection, error: &Error) -> bool {
    let nothing = matches!(error, Error::Slow { .. } | Error::Gone(Gone::Closed | Gone::Io(_)));
    nothing && !connection.inner().heard.load(Ordering::Acquire)
}

/// Who has said at which address a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    /// The user, or the system.
    BySystem,
    /// Somebody in the network, through [`Options::find_host`].
    ByNetwork,
}

fn dial(endpoint: &Endpoint, options: &Options) -> Result<(TcpStream, Told), Error> {
    let address = endpoint.to_string();
    let (found, told) = resolve(endpoint, options)?;
    let until = Instant::now() + options.connect_within;
    let mut last = None;
    for socket in found {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(&socket, left) {
            // Where nothing listens, the system may connect the socket to itself, if it chose that very port for it.
            Ok(stream) if stream.local_addr().ok() == stream.peer_addr().ok() => {
                last = Some(std::io::ErrorKind::ConnectionRefused.into());
            }
            Ok(stream) => return Ok((stream, told)),
            Err(e) => last = Some(e),
        }
    }
    Err(match last {
        Some(e) if e.kind() == std::io::ErrorKind::ConnectionRefused => Error::Refused { address },
        Some(e) if e.kind() == std::io::ErrorKind::TimedOut => {
            Error::Slow { what: format!("a connection to {address}"), after: options.connect_within }
        }
        Some(e) => Error::Unreachable { address, source: Arc::new(e) },
        None => Error::Slow { what: format!("a connection to {address}"), after: options.connect_within },
    })
}

fn resolve(endpoint: &Endpoint, options: &Options) -> Result<(Vec<SocketAddr>, Told), Error> {
    let unresolved = |source| Error::Unresolved { host: endpoint.host.clone(), source: Arc::new(source) };
    match (endpoint.host.as_str(), endpoint.port).to_socket_addrs() {
        Ok(found) => Ok((found.collect(), Told::BySystem)),
        Err(e) => match options.find_host.map(|find| find(endpoint)) {
            Some(found) if !found.is_empty() => Ok((found, Told::ByNetwork)),
            _ => Err(unresolved(e)),
        },
    }
}

/// The most rounds of authentication that a server may request.
const ROUNDS: usize = 4;

fn authenticate(connection: &Connection, options: &Options) -> Result<(), Error> {
    let wire = connection.inner();
    if options.generation.is_some_and(|generation| !generation.authenticates()) {
        // The capabilities went ahead of everything.
        wire.is_known_now();
        return Ok(());
    }
    let mut map = wire.our_capabilities();
    if let Some(credentials) = &options.credentials {
        credentials.put_into(&mut map);
    }
    let address = Address { service: 0, object: 0, action: AUTHENTICATE };
    for _ in 0..ROUNDS {
        let (id, slot) = wire.call(address, 0, Draft::with(&map.encode()?))?;
        let pending = Pending {
            connection: connection.clone(),
            slot,
            id,
            service: 0,
            object: 0,
            returns: Signature::Unknown,
            what: "authentication".to_owned(),
        };
        let answer = match pending.wait_raw(options.answer_within) {
            Ok(payload) => Capabilities::decode(&payload)
                .map_err(|source| Error::Decode { what: "the answer to authentication".to_owned(), source })?,
            Err(Error::Remote { text }) => match text.strip_prefix("Authentication failed") {
                Some(reason) => {
                    return Err(Error::Authentication { reason: reason.trim_start_matches([':', ' ']).to_owned() });
                }
                // NAOqi before 2.3 has no authentication: announce the capabilities, and continue.
                None => {
                    wire.is_known_now();
                    wire.send_capabilities();
                    return Ok(());
                }
            },
            Err(e) => return Err(e),
        };
        wire.merge(&answer);
        match AuthState::from_answer(&answer) {
            AuthState::Done => {
                wire.is_known_now();
                return Ok(());
            }
            AuthState::Refused => {
                let reason = answer.text(REASON).unwrap_or_else(|| "it does not say why".to_owned());
                return Err(Error::Authentication { reason });
            }
            AuthState::Continue => {
                let Some(mut credentials) = options.credentials.clone() else {
                    return Err(Error::Authentication { reason: "it requires a user and a password".to_owned() });
                };
                if let Some(token) = answer.text(NEW_TOKEN) {
                    credentials.token = token;
                }
                map = Capabilities::default();
                credentials.put_into(&mut map);
            }
        }
    }
    Err(Error::Authentication { reason: "it does not finish the authentication".to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::FindHost;

    #[test]
    fn the_host_that_answered_is_tried_with_other_ports() {
        let parse = |text: &str| Endpoint::parse(text).unwrap();
        let usable = ["tcp://127.0.0.1:5", "tcp://192.168.1.7:5"].map(parse);
        let shown = |home: &str| candidates(&parse(home), &usable).iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(shown("nao.example"), ["tcp://nao.example:5", "tcp://192.168.1.7:5"]);
        assert_eq!(shown("127.0.0.1"), ["tcp://127.0.0.1:5", "tcp://192.168.1.7:5"]);
        assert_eq!(shown("192.168.1.7"), ["tcp://192.168.1.7:5"]);
    }

    #[test]
    fn a_host_that_the_system_does_not_know_is_asked_for_elsewhere() {
        // No system looks up a name with an empty part.
        let endpoint = Endpoint::parse("robot..here:7").unwrap();
        let unknown = |options: &Options| matches!(resolve(&endpoint, options), Err(Error::Unresolved { .. }));
        assert!(unknown(&Options::default()));
        assert!(unknown(&Options { find_host: Some(|_| Vec::new()), ..Options::default() }));
        let here: FindHost = |endpoint| vec![([127, 0, 0, 1], endpoint.port + 1).into()];
        let found = resolve(&endpoint, &Options { find_host: Some(here), ..Options::default() }).unwrap();
        assert_eq!(found, (vec!["127.0.0.1:8".parse().unwrap()], Told::ByNetwork));
    }
}
