//! A server that offers services, with its own service directory.

use crate::capabilities::Credentials;
use crate::directory::Directory;
use crate::error::{Error, Failure};
use crate::generation::Generation;
use crate::hosting::{CredentialCheck, Hosted, ServiceTable};
use crate::listener::{Listener, ListenerConfig, MakeTlsState, bind};
use crate::machine::{machine_id, unique};
use crate::object::Object;
use crate::options::Options;
use crate::pool::Pool;
use crate::remote::Remote;
use crate::service_info::ServiceInfo;
use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::Arc;

/// Offers objects as services to clients, as a robot does. Dropping it closes it.
pub struct Server {
    inner: ServerInner,
}

struct ServerInner {
    listener: Arc<Listener>,
    pool: Arc<Pool>,
    services: Arc<ServiceTable>,
    directory: Arc<Directory>,
    machine: String,
    session: String,
    endpoint: String,
    generation: Option<Generation>,
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.address())
    }
}

impl Server {
    /// Listens at an address, for all who can reach it. Port 0 selects a free port.
    ///
    /// # Errors
    /// [`Error::System`] if the address is not available.
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

    /// Listens for clients whose credentials `check` accepts; other clients receive its message.
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

    /// Listens with TLS (`tcps`), for clients whose credentials `check` accepts.
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
        let make_tls_state: MakeTlsState = Box::new(move || identity.accept());
        Server::start(address, options, Some(Arc::new(check)), Some(make_tls_state))
    }

    fn start(
        address: impl ToSocketAddrs,
        options: Options,
        check: Option<CredentialCheck>,
        make_tls_state: Option<MakeTlsState>,
    ) -> Result<Server, Error> {
        let generation = options.generation;
        if check.is_some() && generation.is_some_and(|generation| !generation.authenticates()) {
            let why = "robots with NAOqi 2.1 authenticate nobody, so clients cannot be checked";
            return Err(Error::System(Arc::new(std::io::Error::new(std::io::ErrorKind::InvalidInput, why))));
        }
        let (socket, address) = bind(address)?;
        let (pool, machine) = (Pool::new(options.threads), machine_id());
        let wrong = |e| Error::System(Arc::new(std::io::Error::other(e)));
        let fields = generation.map_or(7, Generation::service_fields);
        let (directory, object) = Directory::new(&machine, fields).map_err(wrong)?;
        let services = Arc::<ServiceTable>::default();
        let scheme = if make_tls_state.is_some() { "tcps" } else { "tcp" };
        let (session, endpoint) = (unique(), format!("{scheme}://{address}"));
        // The directory is a service like all others, and registered before a client can connect.
        let info =
            ServiceInfo { name: "ServiceDirectory".to_owned(), ..info(&machine, &session, vec![endpoint.clone()]) };
        let id = directory.register(info, None).map_err(|text| Error::Remote { text })?;
        services.insert(id, Hosted::new(object, &pool));
        directory.ready(id, None).map_err(|text| Error::Remote { text })?;
        let forgetful = Arc::clone(&directory);
        let config = ListenerConfig {
            options: Arc::new(options),
            pool: Arc::clone(&pool),
            services: Arc::clone(&services),
            check,
            make_tls_state,
            on_leave: Box::new(move |wire| forgetful.forget(wire)),
        };
        let listener = Listener::start(socket, address, config)?;
        let inner = ServerInner { listener, pool, services, directory, machine, session, endpoint, generation };
        Ok(Server { inner })
    }

    /// Returns the address at which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.inner.listener.address()
    }

    /// Returns the generation of NAOqi that it speaks like, if one was chosen.
    pub fn generation(&self) -> Option<Generation> {
        self.inner.generation
    }

    /// Offers an object under a name, and returns the number of the service.
    ///
    /// # Errors
    /// [`Error::Remote`] with the directory's message if the name is taken.
    pub fn register(&self, name: &str, object: Arc<dyn Object>) -> Result<u32, Error> {
        let inner = &self.inner;
        let hosted = Hosted::new(object, &inner.pool);
        let uid = if inner.generation.is_some() { hosted.uid.to_vec() } else { Vec::new() };
        let own = info(&inner.machine, &inner.session, vec![inner.endpoint.clone()]);
        let info = ServiceInfo { name: name.to_owned(), uid, ..own };
        let no = |text| Error::Remote { text };
        let id = inner.directory.register(info, None).map_err(no)?;
        inner.services.insert(id, hosted);
        inner.directory.ready(id, None).map_err(no)?;
        Ok(id)
    }

    /// Withdraws a service.
    ///
    /// # Errors
    /// [`Error::NoService`] if this server offers none with this number.
    pub fn unregister(&self, id: u32) -> Result<(), Error> {
        self.inner.services.remove(id);
        let no = |text| Error::NoService { name: format!("#{id}"), text };
        self.inner.directory.unregister(id, None).map_err(no)
    }

    /// Returns a service that one of the clients offers; it is reached over that client's own socket.
    ///
    /// # Errors
    /// [`Error::NoService`], or the reason why the client does not answer.
    pub fn service(&self, name: &str) -> Result<Remote, Error> {
        let found = self.inner.directory.owner(name);
        let found = found.and_then(|(wire, id)| wire.both_ways().then(|| wire.handle()).flatten().map(|c| (c, id)));
        let no = || Error::NoService { name: name.to_owned(), text: "no client offers it".to_owned() };
        let (connection, id) = found.ok_or_else(no)?;
        Remote::fetch_service(connection, id)
    }

    /// Returns the number of connected clients.
    pub fn clients(&self) -> usize {
        self.inner.listener.clients()
    }

    /// Stops listening and closes all connections. The address is free when this returns.
    pub fn close(&self) {
        self.inner.listener.close();
        self.inner.pool.retire();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns the description that all services of a process share.
pub(crate) fn info(machine: &str, session: &str, endpoints: Vec<String>) -> ServiceInfo {
    ServiceInfo {
        machine: machine.to_owned(),
        process: std::process::id(),
        endpoints,
        session: session.to_owned(),
        ..ServiceInfo::default()
    }
}
