//! The address of a robot by its name, if the system does not know the name.

use super::mdns::{Mdns, Network};
use super::record::{Kind, in_order};
use super::{Browser, Record};
use boxstep_qi::{Endpoint, PORT};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long a robot is looked for. Whoever has just answered somebody else may wait for a second.
const WITHIN: Duration = Duration::from_secs(2);
/// How long a robot of that name may take longer than a host of that name.
const GRACE: Duration = Duration::from_millis(300);

/// Looks a name up by mDNS: `nao` and `nao.local` are the robot that announces itself as `nao`, or else the host
/// `nao.local`. Returns no address if the name cannot be one of mDNS, or if nobody answers in two seconds.
///
/// The port is that of the announcement, unless the endpoint names another one than the usual.
pub fn lookup(endpoint: &Endpoint) -> Vec<SocketAddr> {
    let Some(wanted) = Wanted::new(endpoint) else { return Vec::new() };
    let Ok(mut mdns) = Mdns::with(Network::Everywhere, Some(&wanted.host)) else { return Vec::new() };
    wanted.search(&mut mdns, Instant::now() + WITHIN)
}

/// The robot that is looked for.
struct Wanted<'a> {
    endpoint: &'a Endpoint,
    name: &'a str,
    host: String,
}

impl<'a> Wanted<'a> {
    /// Returns `None` for a name that is none of mDNS.
    fn new(endpoint: &'a Endpoint) -> Option<Wanted<'a>> {
        let text = endpoint.host.trim_end_matches('.');
        let name = match text.len().checked_sub(".local".len()).and_then(|at| text.split_at_checked(at)) {
            Some((name, end)) if end.eq_ignore_ascii_case(".local") => name,
            _ => text,
        };
        let is_name = !name.is_empty() && name.len() < 64 && !name.contains(['.', ':', '%']);
        (is_name && !name.eq_ignore_ascii_case("localhost")).then(|| Wanted {
            endpoint,
            name,
            host: format!("{name}.local"),
        })
    }

    fn search(&self, browser: &mut dyn Browser, mut until: Instant) -> Vec<SocketAddr> {
        let mut host = Vec::new();
        while let Some(record) = browser.next(until) {
            let found = in_order(&record.addresses);
            if found.is_empty() {
            } else if record.kind == Kind::Naoqi && record.instance.eq_ignore_ascii_case(self.name) {
                return self.sockets(&found, &record);
            } else if host.is_empty() && record.host.eq_ignore_ascii_case(&self.host) {
                host = found;
                until = until.min(Instant::now() + GRACE);
            }
        }
        let port = self.endpoint.port;
        host.into_iter().map(|address| with_port(address, port)).collect()
    }

    /// Returns the addresses of a robot. The port of TLS is announced only by robots of our own.
    fn sockets(&self, found: &[SocketAddr], record: &Record) -> Vec<SocketAddr> {
        let usual = if self.endpoint.tls { boxstep_qi::TLS_PORT } else { PORT };
        let takes = self.endpoint.port == usual && record.port != 0 && record.tls == self.endpoint.tls;
        let port = if takes { record.port } else { self.endpoint.port };
        found.iter().map(|address| with_port(*address, port)).collect()
    }
}

fn with_port(mut address: SocketAddr, port: u16) -> SocketAddr {
    address.set_port(port);
    address
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    struct Fake(std::vec::IntoIter<Record>);

    impl Browser for Fake {
        fn next(&mut self, _: Instant) -> Option<Record> {
            self.0.next()
        }
    }

    fn record(kind: Kind, instance: &str, host: &str, port: u16, address: &str, tls: bool) -> Record {
        let addresses = vec![SocketAddr::new(address.parse().unwrap(), port)];
        Record { kind, instance: instance.into(), host: host.into(), port, addresses, boxstep: None, tls }
    }

    /// Where a robot of this name is found in a network with a robot, two of Boxstep, and a computer.
    fn found(name: &str) -> Option<String> {
        let network = vec![
            record(Kind::Host, "", "lab.local", 0, "10.0.0.2", false),
            record(Kind::Nao, "Ann", "nao.local", 22, "10.0.0.7", false),
            record(Kind::Naoqi, "Ann", "nao.local", 9559, "10.0.0.7", false),
            record(Kind::Naoqi, "alto", "lab.local", 9560, "10.0.0.2", false),
            record(Kind::Naoqi, "bass", "lab.local", 9561, "10.0.0.2", true),
            record(Kind::Naoqi, "nowhere", "lab.local", 9560, "0.0.0.0", false),
            record(Kind::Naoqi, "here", "lab.local", 6379, "127.0.0.1", false),
        ];
        let endpoint = Endpoint::parse(name).unwrap();
        let found = Wanted::new(&endpoint)?.search(&mut Fake(network.into_iter()), Instant::now());
        found.first().map(SocketAddr::to_string)
    }

    #[test]
    fn a_name_is_that_of_a_robot_or_of_its_host() {
        for (name, at) in [
            ("ann", Some("10.0.0.7:9559")),
            ("Ann.local", Some("10.0.0.7:9559")),
            ("nao.local", Some("10.0.0.7:9559")),
            ("nao:80", Some("10.0.0.7:80")),
            ("alto", Some("10.0.0.2:9560")),
            ("alto:9570", Some("10.0.0.2:9570")),
            ("tcps://bass", Some("10.0.0.2:9561")),
            ("tcps://ann", Some("10.0.0.7:9503")),
            ("lab", Some("10.0.0.2:9559")),
            ("nobody", None),
            ("nowhere", None),
            ("here", None),
        ] {
            assert_eq!(found(name).as_deref(), at, "{name}");
        }
    }

    #[test]
    fn other_names_are_not_looked_up() {
        for name in ["10.0.0.7", "[fe80::1]:9559", "nao.example.org", "localhost", ".local"] {
            assert!(Wanted::new(&Endpoint::parse(name).unwrap()).is_none(), "{name}");
        }
    }
}
