//! A process that offers services, with a service directory of its own.

use crate::capabilities::Credentials;
use crate::connection::{Connection, Setup};
use crate::directory::Directory;
use crate::error::{Error, Failure, Gone};
use crate::hosting::{Check, Door, Hosted, ServiceTable};
use crate::object::Object;
use crate::options::Options;
use crate::pool::{Pool, lock};
use crate::remote::Remote;
use crate::service_info::ServiceInfo;
use crate::session::{machine_id, unique};
use crate::transport::Secret;
use std::fmt;
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

type Secrets = Box<dyn Fn() -> Result<Secret, Error> + Send + Sync>;

/// Offers objects as services to whoever connects, as a robot does. Dropped, it closes.
pub struct Server {
    inner: Arc<Inner>,
}

struct Inner {
    address: SocketAddr,
    options: Arc<Options>,
    pool: Arc<Pool>,
    services: Arc<ServiceTable>,
    directory: Arc<Directory>,
    machine: String,
    session: String,
    clients: Mutex<Vec<(u64, Connection)>>,
    count: AtomicU64,
    closed: AtomicBool,
    check: Option<Check>,
    /// What encrypts for each client, if this is TLS.
    secrets: Option<Secrets>,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.inner.address)
    }
}

impl Server {
    /// Listens at an address, to everybody who can reach it: port 0 is any that is free.
    ///
    /// # Errors
    /// [`Error::System`] if the address cannot be listened at.
    pub fn listen(address: impl ToSocketAddrs) -> Result<Server, Error> {
        Server::listen_with(address, Options::default())
    }

    /// Listens with options.
    ///
    /// # Errors
    /// As [`Server::listen`].
    pub fn listen_with(address: impl ToSocketAddrs, options: Options) -> Result<Server, Error> {
        Server::start(address, options, None, None)
    }

    /// Listens to those whose credentials this function accepts; to others its words are sent.
    ///
    /// # Errors
    /// As [`Server::listen`].
    pub fn listen_guarded(
        address: impl ToSocketAddrs,
        options: Options,
        check: impl Fn(Option<&Credentials>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Result<Server, Error> {
        Server::start(address, options, Some(Arc::new(check)), None)
    }

    /// Listens with TLS (`tcps`), to those whose credentials this function accepts.
    ///
    /// # Errors
    /// As [`Server::listen`].
    #[cfg(feature = "tls")]
    pub fn listen_tls(
        address: impl ToSocketAddrs,
        options: Options,
        identity: crate::Identity,
        check: impl Fn(Option<&Credentials>) -> Result<(), Failure> + Send + Sync + 'static,
    ) -> Result<Server, Error> {
        let secrets: Secrets = Box::new(move || identity.accept());
        Server::start(address, options, Some(Arc::new(check)), Some(secrets))
    }

    fn start(
        address: impl ToSocketAddrs,
        options: Options,
        check: Option<Check>,
        secrets: Option<Secrets>,
    ) -> Result<Server, Error> {
        let system = |e| Error::System(Arc::new(e));
        let listener = TcpListener::bind(address).map_err(system)?;
        let address = listener.local_addr().map_err(system)?;
        let (pool, machine) = (Pool::new(options.threads), machine_id());
        let wrong = |e| Error::System(Arc::new(std::io::Error::other(e)));
        let (directory, object) = Directory::new(&machine).map_err(wrong)?;
        let inner = Arc::new(Inner {
            address,
            options: Arc::new(options),
            services: Arc::default(),
            directory,
            machine,
            session: unique(),
            clients: Mutex::default(),
            count: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            check,
            secrets,
            accepting: Mutex::default(),
            pool,
        });
        let server = Server { inner };
        server.register("ServiceDirectory", object)?;
        let accepting = Arc::clone(&server.inner);
        let thread = std::thread::Builder::new().name("qi-accept".to_owned());
        let accepting = thread.spawn(move || accepting.accept(&listener)).map_err(system)?;
        *lock(&server.inner.accepting) = Some(accepting);
        Ok(server)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.inner.address
    }

    /// Offers an object under a name; its number is returned.
    ///
    /// # Errors
    /// [`Error::Remote`] with the directory's words if the name is taken.
    pub fn register(&self, name: &str, object: Arc<dyn Object>) -> Result<u32, Error> {
        let inner = &self.inner;
        let info = ServiceInfo {
            name: name.to_owned(),
            id: 0,
            machine: inner.machine.clone(),
            process: std::process::id(),
            endpoints: vec![format!("{}://{}", if inner.secrets.is_some() { "tcps" } else { "tcp" }, inner.address)],
            session: inner.session.clone(),
            uid: Vec::new(),
        };
        let no = |text| Error::Remote { text };
        let id = inner.directory.register(info, None).map_err(no)?;
        inner.services.insert(id, Hosted::new(object, &inner.pool));
        inner.directory.ready(id, None).map_err(no)?;
        Ok(id)
    }

    /// Offers a service no longer.
    ///
    /// # Errors
    /// [`Error::NoService`] if there is none of ours with this number.
    pub fn unregister(&self, id: u32) -> Result<(), Error> {
        self.inner.services.remove(id);
        let no = |text| Error::NoService { name: format!("#{id}"), text };
        self.inner.directory.unregister(id, None).map_err(no)
    }

    /// A service that one of the clients offers, over that client's own socket.
    ///
    /// # Errors
    /// [`Error::NoService`], or why the client does not answer.
    pub fn service(&self, name: &str) -> Result<Remote, Error> {
        let found = self.inner.directory.owner(name);
        let found = found.and_then(|(wire, id)| wire.both_ways().then(|| wire.handle()).flatten().map(|c| (c, id)));
        let no = || Error::NoService { name: name.to_owned(), text: "no client offers it".to_owned() };
        let (connection, id) = found.ok_or_else(no)?;
        Remote::of_service(connection, id)
    }

    /// How many clients are connected.
    pub fn clients(&self) -> usize {
        lock(&self.inner.clients).len()
    }

    /// Listens no more, and closes all connections. The address is free when this returns.
    pub fn close(&self) {
        self.inner.close();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl Inner {
    fn accept(self: Arc<Self>, listener: &TcpListener) {
        while !self.closed.load(Ordering::Acquire) {
            match listener.accept() {
                Ok((stream, _)) if !self.closed.load(Ordering::Acquire) => self.take(stream),
                Ok(_) => {}
                // Out of file descriptors, most likely: others must close theirs first.
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    fn take(self: &Arc<Self>, stream: TcpStream) {
        if lock(&self.clients).len() >= self.options.clients {
            return; // the socket closes as it is dropped
        }
        let Ok(secret) = self.secrets.as_ref().map(|make| make()).transpose() else { return };
        let setup = Setup {
            secret,
            options: Arc::clone(&self.options),
            pool: Arc::clone(&self.pool),
            services: Arc::clone(&self.services),
            door: Door::Server(self.check.clone()),
        };
        let Ok(connection) = Connection::start(stream, setup) else { return };
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.clients).push((id, connection.clone()));
        let (server, wire) = (Arc::downgrade(self), Arc::downgrade(connection.inner()));
        connection.on_close(move |_: &Gone| {
            let Some(server) = server.upgrade() else { return };
            if let Some(wire) = wire.upgrade() {
                server.directory.forget(&wire);
            }
            let mut clients = lock(&server.clients);
            let at = clients.iter().position(|(i, _)| *i == id);
            let gone = at.map(|at| clients.swap_remove(at));
            drop(clients);
            drop(gone);
        });
        if self.closed.load(Ordering::Acquire) {
            connection.close();
        }
    }

    fn close(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        // Wakes the thread that accepts. An address that means "all" is reached at this machine's own.
        let mut wake = self.address;
        if wake.ip().is_unspecified() {
            wake.set_ip(if wake.is_ipv4() { [127, 0, 0, 1].into() } else { std::net::Ipv6Addr::LOCALHOST.into() });
        }
        let woken = TcpStream::connect_timeout(&wake, Duration::from_secs(1));
        let accepting = lock(&self.accepting).take();
        if let (Ok(_), Some(accepting)) = (woken, accepting) {
            // So that the address is free when this returns.
            let _ = accepting.join();
        }
        let clients = std::mem::take(&mut *lock(&self.clients));
        for (_, connection) in clients {
            connection.close();
        }
    }
}
