//! Announces a robot of our own.

use super::mdns::{FAREWELL, MdnsError, Network, daemon};
use super::record::{BOXSTEP, Kind, TLS};
use mdns_sd::{IfKind, ServiceDaemon, ServiceInfo};
use std::net::{IpAddr, SocketAddr};

/// The most bytes of a name in DNS, with a few left for the number that it gets if another robot has it, too.
const LONGEST: usize = 56;

/// A robot to announce.
#[derive(Clone, Debug)]
pub struct Announced<'a> {
    /// Its name.
    pub name: &'a str,
    /// The name of this machine.
    pub host: &'a str,
    /// Where it listens. The unspecified address stands for all of this machine.
    pub at: SocketAddr,
    /// Whether it is reached by TLS.
    pub tls: bool,
    /// The version of the Boxstep that simulates it.
    pub boxstep: &'a str,
}

/// A robot that is announced until this is dropped.
pub struct Announcement {
    daemon: ServiceDaemon,
    name: String,
}

impl Announcement {
    /// Announces a robot, unless it listens where no other machine reaches it.
    ///
    /// # Errors
    /// If mDNS cannot be used here.
    pub fn start(robot: &Announced<'_>) -> Result<Option<Announcement>, MdnsError> {
        if robot.at.ip().is_loopback() {
            return Ok(None);
        }
        Announcement::within(Network::Everywhere, robot).map(Some)
    }

    pub(super) fn within(network: Network, robot: &Announced<'_>) -> Result<Announcement, MdnsError> {
        let (ip, port) = (robot.at.ip(), robot.at.port());
        let given: &[IpAddr] = if ip.is_unspecified() { &[] } else { &[ip] };
        let mut properties = vec![(BOXSTEP, robot.boxstep)];
        properties.extend(robot.tls.then_some((TLS, "1")));
        let (name, host) = (instance(robot.name), format!("{}.local.", label(robot.host)));
        let mut info = ServiceInfo::new(Kind::Naoqi.service_type(), &name, &host, given, port, &properties[..])?;
        if ip.is_unspecified() {
            info = info.enable_addr_auto();
        }
        match ip {
            IpAddr::V4(ip) if ip.is_unspecified() => info.set_interfaces(vec![IfKind::IPv4]),
            ip if !ip.is_unspecified() => info.set_interfaces(vec![IfKind::Addr(ip)]),
            _ => {}
        }
        let name = info.get_fullname().to_owned();
        let daemon = daemon(network)?;
        daemon.register(info)?;
        Ok(Announcement { daemon, name })
    }
}

impl Drop for Announcement {
    fn drop(&mut self) {
        // Whoever has heard of the robot forgets it soon anyway.
        if let Ok(gone) = self.daemon.unregister(&self.name) {
            let _ = gone.recv_timeout(FAREWELL);
        }
        let _ = self.daemon.shutdown();
    }
}

/// Returns the name of the robot as DNS can have it.
fn instance(name: &str) -> String {
    let printable = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    let within = printable.scan(0, |bytes, c| {
        *bytes += c.len_utf8();
        (*bytes <= LONGEST).then_some(c)
    });
    let name: String = within.collect();
    if name.trim().is_empty() { "boxstep".to_owned() } else { name }
}

/// Returns a name of the machine as a part of a name in DNS: letters, digits and hyphens. It is not the machine's own,
/// which is the system's to announce: two that differ make systems choose another name.
fn label(host: &str) -> String {
    let first = host.split('.').next().unwrap_or_default();
    let plain: String = first.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').take(LONGEST - 8).collect();
    match plain.trim_matches('-') {
        "" | "localhost" => "boxstep".to_owned(),
        plain => format!("{plain}-boxstep"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::find::{Browser as _, Mdns};
    use std::time::{Duration, Instant};

    #[test]
    fn a_robot_is_silent_on_the_loopback_interface() {
        let at = "127.0.0.1:9559".parse().unwrap();
        let robot = Announced { name: "nao", host: "lab", at, tls: false, boxstep: "0.1.0" };
        assert!(Announcement::start(&robot).unwrap().is_none());
    }

    #[test]
    fn names_fit_into_dns() {
        assert_eq!(instance("Ann\n2"), "Ann 2");
        assert_eq!(instance(" "), "boxstep");
        assert_eq!(instance(&"ä".repeat(100)), "ä".repeat(28));
        for (host, part) in [
            ("lab.example.org", "lab-boxstep"),
            ("my lab_1", "mylab1-boxstep"),
            ("localhost", "boxstep"),
            ("-", "boxstep"),
        ] {
            assert_eq!(label(host), part);
        }
    }

    #[test]
    fn a_robot_that_is_announced_is_found() {
        // A port of our own: other tests and programs of this machine are not heard.
        let free = std::net::UdpSocket::bind("127.0.0.1:0").and_then(|socket| socket.local_addr()).unwrap().port();
        let network = Network::Loopback(free);
        let at = "127.0.0.1:9560".parse().unwrap();
        let robot = Announced { name: "Ann. 2", host: "lab", at, tls: true, boxstep: "0.1.0" };
        let _announcement = Announcement::within(network, &robot).unwrap();
        let mut mdns = Mdns::with(network, None).unwrap();
        let Some(found) = mdns.next(Instant::now() + Duration::from_secs(20)) else {
            // Multicast is not possible everywhere.
            return eprintln!("skipped: no multicast on the loopback interface ({:?})", mdns.trouble());
        };
        assert_eq!((found.instance.as_str(), found.host.as_str(), found.port), ("Ann. 2", "lab-boxstep.local", 9560));
        assert_eq!((found.addresses, found.boxstep.as_deref(), found.tls), (vec![at], Some("0.1.0"), true));
    }
}
