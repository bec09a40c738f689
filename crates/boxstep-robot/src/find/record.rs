//! An announcement, as the network says it.

use std::net::{IpAddr, SocketAddr};

/// The key of the TXT record that has the version of the Boxstep that announces a simulated robot.
pub(super) const BOXSTEP: &str = "boxstep";
/// The key of the TXT record of a robot of ours that is reached by TLS.
pub(super) const TLS: &str = "tls";

/// What is announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `_naoqi._tcp`: any NAOqi, also of a virtual robot.
    Naoqi,
    /// `_nao._tcp`: a robot of metal and plastic.
    Nao,
    /// Only the addresses of a host.
    Host,
}

impl Kind {
    /// The types that are browsed.
    pub(super) const BROWSED: [Kind; 2] = [Kind::Naoqi, Kind::Nao];

    /// Returns the name of the type; empty for a host.
    pub(super) fn service_type(self) -> &'static str {
        match self {
            Kind::Naoqi => "_naoqi._tcp.local.",
            Kind::Nao => "_nao._tcp.local.",
            Kind::Host => "",
        }
    }
}

/// One announcement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// What is announced.
    pub kind: Kind,
    /// The name of the instance: the robot's name, in the words of whoever announces it.
    pub instance: String,
    /// The name of the host: `nao.local`.
    pub host: String,
    /// The port; 0 if it is not known.
    pub port: u16,
    /// The addresses, with the port.
    pub addresses: Vec<SocketAddr>,
    /// The version of the Boxstep that simulates the robot.
    pub boxstep: Option<String>,
    /// Whether the port needs TLS.
    pub tls: bool,
}

/// Returns whether an address reaches only the machines of one cable or Wi-Fi, and needs the interface to be named.
fn is_local_v6(address: &SocketAddr) -> bool {
    matches!(address, SocketAddr::V6(v6) if v6.ip().is_unicast_link_local())
}

/// Puts the addresses into the order in which they are tried: IPv4 first. Link-local addresses of IPv6 count only if
/// there are no others. Loopback leads to this machine, whoever announces it, and never counts.
pub(super) fn in_order(addresses: &[SocketAddr]) -> Vec<SocketAddr> {
    let rank = |address: &SocketAddr| match address.ip() {
        IpAddr::V4(ip) if !ip.is_link_local() => 0,
        IpAddr::V6(_) if !is_local_v6(address) => 1,
        IpAddr::V4(_) => 2,
        IpAddr::V6(_) => 3,
    };
    let usable = |address: &&SocketAddr| {
        let ip = address.ip().to_canonical();
        !ip.is_unspecified() && !ip.is_multicast() && !ip.is_loopback()
    };
    let mut sorted: Vec<SocketAddr> = addresses.iter().filter(usable).copied().collect();
    sorted.sort_by_key(|address| (rank(address), *address));
    sorted.dedup();
    if sorted.iter().any(|address| !is_local_v6(address)) {
        sorted.retain(|address| !is_local_v6(address));
    }
    sorted
}
