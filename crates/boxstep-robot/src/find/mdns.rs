//! Announcements of the network, by mDNS.

use super::Browser;
use super::record::{BOXSTEP, Kind, Record, TLS};
use mdns_sd::{
    DaemonEvent, HostnameResolutionEvent, IfKind, MDNS_PORT, Receiver, ResolvedService, ScopedIp, ServiceDaemon,
    ServiceEvent,
};
use std::collections::HashSet;
use std::fmt;
use std::net::{IpAddr, SocketAddr, SocketAddrV6};
use std::sync::mpsc::{self, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How many announcements may wait.
const WAITING: usize = 1024;

/// How many records the network may make the library keep, each of a few hundred bytes; a robot has about eight.
const KEPT: i64 = 16_384;
/// How often that is looked at.
const LOOK: Duration = Duration::from_millis(100);

/// Why mDNS cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MdnsError(pub(super) String);

impl fmt::Display for MdnsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "mDNS cannot be used: {}", self.0)
    }
}

impl std::error::Error for MdnsError {}

impl From<mdns_sd::Error> for MdnsError {
    fn from(error: mdns_sd::Error) -> Self {
        MdnsError(error.to_string())
    }
}

/// The network that a daemon uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Network {
    /// All that this machine has, but not this machine alone.
    Everywhere,
    /// This machine alone, at another port, for tests.
    #[cfg(test)]
    Loopback(u16),
}

/// Starts to take part in mDNS. It has a thread of its own, until it is shut down.
pub(super) fn daemon(network: Network) -> Result<ServiceDaemon, MdnsError> {
    match network {
        Network::Everywhere => {
            let daemon = ServiceDaemon::new_with_port(MDNS_PORT)?;
            daemon.disable_interface(vec![IfKind::LoopbackV4, IfKind::LoopbackV6])?;
            Ok(daemon)
        }
        #[cfg(test)]
        Network::Loopback(port) => {
            let daemon = ServiceDaemon::new_with_port(port)?;
            daemon.disable_interface(IfKind::All)?;
            daemon.enable_interface(IfKind::LoopbackV4)?;
            Ok(daemon)
        }
    }
}

/// Browses the network for robots until it is dropped.
pub struct Mdns {
    daemon: ServiceDaemon,
    heard: mpsc::Receiver<Record>,
    wrong: Arc<Mutex<Option<String>>>,
    /// Is closed when it is over.
    _over: SyncSender<()>,
}

impl Mdns {
    /// Begins to browse.
    ///
    /// # Errors
    /// If mDNS cannot be used here.
    pub fn browse() -> Result<Mdns, MdnsError> {
        Mdns::with(Network::Everywhere, None)
    }

    /// Begins to browse, and to look for a host by name if there is one.
    pub(super) fn with(network: Network, host: Option<&str>) -> Result<Mdns, MdnsError> {
        let daemon = daemon(network)?;
        let (tell, heard) = sync_channel(WAITING);
        let wrong: Arc<Mutex<Option<String>>> = Arc::default();
        let (_over, over) = sync_channel(0);
        let mdns = Mdns { daemon, heard, wrong: Arc::clone(&wrong), _over };
        let (kept, flooded) = (mdns.daemon.clone(), Arc::clone(&wrong));
        started("mdns-kept", move || {
            // Until it is dropped.
            while let Err(mpsc::RecvTimeoutError::Timeout) = over.recv_timeout(LOOK) {
                let metrics = kept.get_metrics().ok().and_then(|metrics| metrics.recv().ok());
                if metrics.is_none_or(|metrics| is_too_much(metrics.iter())) {
                    let words = "more is announced than can be kept: what came later was not heard".to_owned();
                    flooded.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(words);
                    let _ = kept.shutdown();
                    return;
                }
            }
        })?;
        pass_on(mdns.daemon.monitor()?, move |event| {
            if let DaemonEvent::Error(error) = event {
                wrong.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
            }
            true
        })?;
        for kind in Kind::BROWSED {
            let tell = tell.clone();
            pass_on(mdns.daemon.browse(kind.service_type())?, move |event| match event {
                ServiceEvent::ServiceResolved(service) => is_taken(&tell, announced(kind, &service)),
                _ => true,
            })?;
        }
        if let Some(host) = host {
            pass_on(mdns.daemon.resolve_hostname(&format!("{host}."), None)?, move |event| match event {
                HostnameResolutionEvent::AddressesFound(name, found) => is_taken(&tell, host_of(&name, &found)),
                _ => true,
            })?;
        }
        Ok(mdns)
    }

    /// Returns what has gone wrong while it browsed, if anything has.
    pub fn trouble(&self) -> Option<String> {
        self.wrong.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Browser for Mdns {
    fn next(&mut self, until: Instant) -> Option<Record> {
        // Time counts first: announcements may come faster than they are read.
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() { None } else { self.heard.recv_timeout(left).ok() }
    }
}

impl Drop for Mdns {
    fn drop(&mut self) {
        // A daemon that does not end has nobody to tell.
        let _ = self.daemon.shutdown();
    }
}

/// Passes a record on; it is left out if too many wait. Returns whether anybody listens.
fn is_taken(tell: &SyncSender<Record>, record: Record) -> bool {
    !matches!(tell.try_send(record), Err(mpsc::TrySendError::Disconnected(_)))
}

/// Reads events on a separate thread until the daemon ends or `take` returns false.
fn pass_on<T: Send + 'static>(
    events: Receiver<T>,
    mut take: impl FnMut(T) -> bool + Send + 'static,
) -> Result<(), MdnsError> {
    started("mdns", move || while events.recv().is_ok_and(&mut take) {})
}

fn started(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), MdnsError> {
    let started = thread::Builder::new().name(name.to_owned()).spawn(work);
    started.map(drop).map_err(|e| MdnsError(e.to_string()))
}

/// Returns whether the library keeps more records than a network of robots has, by what it counts.
fn is_too_much<'a>(metrics: impl Iterator<Item = (&'a String, &'a i64)>) -> bool {
    let kept = metrics.filter(|(name, _)| name.starts_with("cached-")).map(|(_, count)| *count);
    kept.fold(0, i64::saturating_add) > KEPT
}

fn announced(kind: Kind, service: &ResolvedService) -> Record {
    let txt = |key| service.get_property_val_str(key).map(str::to_owned);
    let instance = service.fullname.strip_suffix(service.ty_domain.as_str()).unwrap_or(&service.fullname);
    Record {
        kind,
        instance: unescaped(instance.strip_suffix('.').unwrap_or(instance)),
        host: service.host.trim_end_matches('.').to_owned(),
        port: service.port,
        addresses: sockets(&service.addresses, service.port),
        boxstep: txt(BOXSTEP),
        tls: txt(TLS).as_deref() == Some("1"),
    }
}

fn host_of(name: &str, found: &HashSet<ScopedIp>) -> Record {
    Record {
        kind: Kind::Host,
        instance: String::new(),
        host: name.trim_end_matches('.').to_owned(),
        port: 0,
        addresses: sockets(found, 0),
        boxstep: None,
        tls: false,
    }
}

fn sockets(addresses: &HashSet<ScopedIp>, port: u16) -> Vec<SocketAddr> {
    let socket = |address: &ScopedIp| match (address.to_ip_addr(), address) {
        (IpAddr::V6(ip), ScopedIp::V6(scoped)) if ip.is_unicast_link_local() => {
            SocketAddr::V6(SocketAddrV6::new(ip, port, 0, scoped.scope_id().index))
        }
        (ip, _) => SocketAddr::new(ip, port),
    };
    addresses.iter().map(socket).collect()
}

/// Returns the name of an instance without the backslashes of its notation in DNS.
fn unescaped(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        plain.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    plain
}

/// How long the farewell of an announcement may take.
pub(super) const FAREWELL: Duration = Duration::from_millis(300);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_makes_too_much_be_kept_is_left() {
        let metrics = |ptr: i64, txt: i64| {
            let counts = [("cached-ptr", ptr), ("cached-txt", txt), ("cache-refresh-ptr", i64::MAX), ("browse", 9)];
            counts.map(|(name, count)| (name.to_owned(), count))
        };
        for (ptr, txt, is) in [(0, 0, false), (KEPT, 0, false), (KEPT, 1, true), (i64::MAX, i64::MAX, true)] {
            let counts = metrics(ptr, txt);
            assert_eq!(is_too_much(counts.iter().map(|(name, count)| (name, count))), is);
        }
        // The library still counts by these names.
        let free = std::net::UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).unwrap().port();
        let daemon = daemon(Network::Loopback(free)).unwrap();
        let counted = daemon.get_metrics().unwrap().recv().unwrap();
        assert!(
            ["cached-ptr", "cached-srv", "cached-txt", "cached-addr"].iter().all(|name| counted.contains_key(*name))
        );
        drop(daemon.shutdown());
    }

    #[test]
    fn names_of_instances_are_read() {
        for (written, plain) in [("nao", "nao"), ("Ann\\.\\\\ 2", "Ann.\\ 2"), ("x\\", "x")] {
            assert_eq!(unescaped(written), plain);
        }
    }
}
