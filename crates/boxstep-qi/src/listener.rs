//! A socket that accepts clients.

use crate::budget::Budget;
use crate::connection::{Connection, ConnectionInner as Wire, Setup};
use crate::error::{Error, Gone};
use crate::hosting::{CredentialCheck, Role, ServiceTable};
use crate::options::{Options, STRANGERS};
use crate::pool::{Pool, lock};
use crate::transport::TlsState;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Makes the TLS state of each connection.
pub(crate) type MakeTlsState = Box<dyn Fn() -> Result<TlsState, Error> + Send + Sync>;

/// Which clients are accepted, and what they may use.
pub(crate) struct ListenerConfig {
    pub(crate) options: Arc<Options>,
    pub(crate) pool: Arc<Pool>,
    pub(crate) services: Arc<ServiceTable>,
    pub(crate) check: Option<CredentialCheck>,
    pub(crate) make_tls_state: Option<MakeTlsState>,
    /// Called for each client that disconnects.
    pub(crate) on_leave: Box<dyn Fn(&Wire) + Send + Sync>,
}

/// The most clients that wait for the message that there is no room. If there is one more, the oldest gets the message
/// at once.
const TURNED_AWAY: usize = 16;

/// A connected client.
struct Client {
    id: u64,
    from: IpAddr,
    connection: Connection,
    /// There is no room for this client; it stays until it has received the message that says so.
    is_turned_away: bool,
}

/// Accepts clients until it is closed.
pub(crate) struct Listener {
    address: SocketAddr,
    budget: Arc<Budget>,
    config: ListenerConfig,
    clients: Mutex<Vec<Client>>,
    count: AtomicU64,
    closed: AtomicBool,
    accepting: Mutex<Option<JoinHandle<()>>>,
}

fn system(e: std::io::Error) -> Error {
    Error::System(Arc::new(e))
}

/// Opens a socket at the first of these addresses that is free.
pub(crate) fn bind(address: impl ToSocketAddrs) -> Result<(TcpListener, SocketAddr), Error> {
    let socket = TcpListener::bind(address).map_err(system)?;
    let address = socket.local_addr().map_err(system)?;
    Ok((socket, address))
}

impl Listener {
    pub(crate) fn start(
        socket: TcpListener,
        address: SocketAddr,
        config: ListenerConfig,
    ) -> Result<Arc<Listener>, Error> {
        let listener = Arc::new(Listener {
            address,
            budget: Budget::new(config.options.most_in_all),
            config,
            clients: Mutex::default(),
            count: AtomicU64::new(0),
            closed: AtomicBool::new(false),
            accepting: Mutex::default(),
        });
        let accepting = Arc::clone(&listener);
        let thread = std::thread::Builder::new().name("qi-accept".to_owned());
        let accepting = thread.spawn(move || accepting.accept(&socket)).map_err(system)?;
        *lock(&listener.accepting) = Some(accepting);
        Ok(listener)
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    pub(crate) fn clients(&self) -> usize {
        lock(&self.clients).iter().filter(|client| !client.is_turned_away).count()
    }

    fn accept(self: Arc<Self>, socket: &TcpListener) {
        while !self.closed.load(Ordering::Acquire) {
            match socket.accept() {
                Ok((stream, from)) if !self.closed.load(Ordering::Acquire) => self.take(stream, from.ip()),
                Ok(_) => {}
                // Most likely there are no file descriptors left, so wait until other connections close.
                Err(_) => std::thread::sleep(Duration::from_millis(10)),
            }
        }
    }

    /// Returns why there is no room for another client from this address, if so. If too many clients have not
    /// authenticated, the oldest of them is disconnected.
    fn room(&self, from: IpAddr) -> Result<(), String> {
        let most = self.config.options.clients;
        let most_same = most - most / 4;
        let clients = lock(&self.clients);
        let inside = || clients.iter().filter(|client| !client.is_turned_away);
        let room = if inside().count() >= most {
            Err(format!("there is no room: {most} clients are connected"))
        } else if inside().filter(|client| client.from == from).count() >= most_same {
            Err(format!("there is no room: {most_same} clients from {from} are connected"))
        } else {
            Ok(())
        };
        let (waiting, most_waiting): (Vec<&Client>, _) = match room {
            Ok(()) => (inside().filter(|client| !client.connection.inner().is_known()).collect(), STRANGERS),
            Err(_) => (clients.iter().filter(|client| client.is_turned_away).collect(), TURNED_AWAY),
        };
        // A proper client authenticates at once, so the one that has been silent for longest goes.
        let silent = waiting.iter().min_by_key(|client| client.id).filter(|_| waiting.len() >= most_waiting);
        let silent = silent.map(|client| client.connection.clone());
        drop(clients);
        if let Some(silent) = silent {
            silent.inner().leave_room();
        }
        room
    }

    fn take(self: &Arc<Self>, stream: TcpStream, from: IpAddr) {
        let config = &self.config;
        let room = self.room(from);
        let is_turned_away = room.is_err();
        let role = match room {
            Err(why) => Role::Full(why),
            Ok(()) => Role::Server(config.check.clone()),
        };
        let Ok(tls_state) = config.make_tls_state.as_ref().map(|make| make()).transpose() else { return };
        let setup = Setup {
            tls_state,
            options: Arc::clone(&config.options),
            pool: Arc::clone(&config.pool),
            services: Arc::clone(&config.services),
            budget: Arc::clone(&self.budget),
            role,
        };
        let Ok(connection) = Connection::start(stream, setup) else { return };
        let id = self.count.fetch_add(1, Ordering::Relaxed);
        lock(&self.clients).push(Client { id, from, connection: connection.clone(), is_turned_away });
        let (listener, wire) = (Arc::downgrade(self), Arc::downgrade(connection.inner()));
        connection.on_close(move |_: &Gone| {
            let Some(listener) = listener.upgrade() else { return };
            if let Some(wire) = wire.upgrade() {
                (listener.config.on_leave)(&wire);
            }
            let mut clients = lock(&listener.clients);
            let at = clients.iter().position(|client| client.id == id);
            let gone = at.map(|at| clients.swap_remove(at));
            drop(clients);
            drop(gone);
        });
        if self.closed.load(Ordering::Acquire) {
            connection.close();
        }
    }

    /// Stops listening and closes all connections. The address is free when this returns.
    pub(crate) fn close(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        // A connection of our own wakes the accepting thread. An unspecified address is reached at the loopback
        // address.
        let mut wake = self.address;
        if wake.ip().is_unspecified() {
            wake.set_ip(if wake.is_ipv4() { [127, 0, 0, 1].into() } else { IpAddr::from(Ipv6Addr::LOCALHOST) });
        }
        let woken = TcpStream::connect_timeout(&wake, Duration::from_secs(1));
        let accepting = lock(&self.accepting).take();
        if let (Ok(_), Some(accepting)) = (woken, accepting) {
            // The thread holds the socket; the address is free when it has ended.
            let _ = accepting.join();
        }
        let clients = std::mem::take(&mut *lock(&self.clients));
        for client in clients {
            client.connection.close();
        }
    }
}
