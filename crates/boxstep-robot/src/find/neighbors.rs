//! The robots of the network, from what is announced.

use super::record::{Kind, Record, in_order};
use boxstep_qi::{Endpoint, PORT};
use boxstep_types::printable_line;
use std::net::SocketAddr;

/// The most robots that are listed. A network with more of them is not one of robots.
pub const MOST: usize = 128;
/// The most characters of a name.
const LONGEST: usize = 64;
/// The most addresses of a robot.
const ADDRESSES: usize = 16;

/// A robot that announces itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Neighbor {
    /// The name under which it is announced, printable.
    pub name: String,
    /// The host, printable: `nao.local`.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether the port needs TLS.
    pub tls: bool,
    /// Whether it says that it is a robot of metal and plastic.
    pub real: bool,
    /// The version of the Boxstep that simulates it, printable.
    pub boxstep: Option<String>,
    /// It is announced as `_naoqi._tcp`, and not only as `_nao._tcp`.
    naoqi: bool,
    /// Without the port.
    addresses: Vec<SocketAddr>,
}

impl Neighbor {
    /// Returns where it is reached, the likeliest first.
    pub fn endpoints(&self) -> Vec<Endpoint> {
        let host = |address: SocketAddr| match address {
            SocketAddr::V6(v6) if v6.scope_id() != 0 => format!("{}%{}", v6.ip(), v6.scope_id()),
            other => other.ip().to_string(),
        };
        let endpoint = |address| Endpoint { tls: self.tls, host: host(address), port: self.port };
        in_order(&self.addresses).into_iter().map(endpoint).collect()
    }

    fn merge(&mut self, record: &Record) {
        if record.kind == Kind::Naoqi && !self.naoqi {
            (self.port, self.naoqi, self.name) = (port_of(record), true, clean(&record.instance));
        }
        self.real |= record.kind == Kind::Nao;
        self.tls |= record.tls;
        self.boxstep = self.boxstep.take().or_else(|| record.boxstep.as_deref().map(clean));
        for mut address in record.addresses.iter().copied() {
            // Two types of one host may have different ports.
            address.set_port(0);
            if self.addresses.len() < ADDRESSES && !self.addresses.contains(&address) {
                self.addresses.push(address);
            }
        }
    }
}

/// The robots that are found, in the order in which they were first heard of.
#[derive(Debug, Default)]
pub struct Neighbors {
    /// The robots.
    pub robots: Vec<Neighbor>,
    /// Whether more robots are announced than are listed.
    pub more: bool,
}

impl Neighbors {
    /// Takes an announcement. A host may announce several robots, at several ports; `_nao._tcp` only says that the
    /// host is a robot itself.
    pub fn add(&mut self, record: Record) {
        if record.kind == Kind::Host {
            return;
        }
        let (host, port) = (clean(&record.host).to_ascii_lowercase(), port_of(&record));
        let same = |robot: &&mut Neighbor| {
            robot.host == host && (robot.port == port || record.kind == Kind::Nao || !robot.naoqi)
        };
        let is_full = self.robots.len() >= MOST;
        match self.robots.iter_mut().find(same) {
            Some(robot) => robot.merge(&record),
            None if !is_full => {
                let (name, tls) = (clean(&record.instance), record.tls);
                let (naoqi, real) = (record.kind == Kind::Naoqi, record.kind == Kind::Nao);
                let addresses = Vec::new();
                let mut robot = Neighbor { name, host, port, tls, real, boxstep: None, naoqi, addresses };
                robot.merge(&record);
                self.robots.push(robot);
            }
            None => self.more = true,
        }
    }
}

fn port_of(record: &Record) -> u16 {
    if record.port == 0 { PORT } else { record.port }
}

/// Makes a foreign name short and printable.
fn clean(text: &str) -> String {
    let short: String = text.chars().take(LONGEST).collect();
    printable_line(&short).trim().chars().take(LONGEST).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::find::{Browser, browse};
    use std::time::Instant;

    fn record(kind: Kind, instance: &str, host: &str, port: u16, addresses: &[&str]) -> Record {
        let addresses = addresses.iter().map(|ip| SocketAddr::new(ip.parse().unwrap(), port)).collect();
        Record { kind, instance: instance.into(), host: host.into(), port, addresses, boxstep: None, tls: false }
    }

    /// Says what it is given.
    struct Fake(std::vec::IntoIter<Record>);

    impl Browser for Fake {
        fn next(&mut self, _: Instant) -> Option<Record> {
            self.0.next()
        }
    }

    fn found(records: Vec<Record>) -> Neighbors {
        browse(&mut Fake(records.into_iter()), Instant::now())
    }

    fn shown(robot: &Neighbor) -> (&str, Vec<String>) {
        (&robot.name, robot.endpoints().iter().map(Endpoint::to_string).collect())
    }

    #[test]
    fn a_host_with_two_types_and_interfaces_is_one_robot() {
        for order in [[0, 1, 2], [1, 2, 0], [2, 0, 1]] {
            let records = [
                record(Kind::Naoqi, "nao", "nao.local", 9559, &["fe80::1", "10.0.0.7"]),
                record(Kind::Nao, "nao", "NAO.local", 22, &["10.0.0.7"]),
                record(Kind::Naoqi, "nao", "nao.local", 9559, &["192.168.1.7"]),
            ];
            let found = found(order.iter().map(|at| records[*at].clone()).collect());
            assert_eq!(found.robots.len(), 1, "{order:?}");
            let robot = &found.robots[0];
            assert_eq!(shown(robot), ("nao", vec!["tcp://10.0.0.7:9559".into(), "tcp://192.168.1.7:9559".into()]));
            assert!(robot.real && robot.boxstep.is_none());
        }
    }

    #[test]
    fn a_host_may_have_several_robots_at_several_ports() {
        let boxstep = Some("0.1.0".to_owned());
        let records = vec![
            Record { boxstep, ..record(Kind::Naoqi, "alto", "lab.local", 9560, &["10.0.0.2"]) },
            record(Kind::Naoqi, "tenor", "lab.local", 9561, &["10.0.0.2"]),
            record(Kind::Nao, "Ann", "ann.local", 0, &["169.254.3.4"]),
            record(Kind::Host, "", "other.local", 0, &["10.0.0.9"]),
        ];
        let found = found(records);
        let all: Vec<_> = found.robots.iter().map(shown).collect();
        let at = |text: &str| vec![text.to_owned()];
        let expected = vec![
            ("alto", at("tcp://10.0.0.2:9560")),
            ("tenor", at("tcp://10.0.0.2:9561")),
            ("Ann", at("tcp://169.254.3.4:9559")),
        ];
        assert_eq!(all, expected);
        assert_eq!(found.robots[0].boxstep.as_deref(), Some("0.1.0"));
    }

    #[test]
    fn link_local_addresses_count_only_if_there_are_no_others() {
        let local = SocketAddr::V6(std::net::SocketAddrV6::new("fe80::7".parse().unwrap(), 9559, 0, 3));
        let alone = Record { addresses: vec![local], ..record(Kind::Naoqi, "nao", "nao.local", 9559, &[]) };
        assert_eq!(shown(&found(vec![alone.clone()]).robots[0]).1, ["tcp://[fe80::7%3]:9559"]);
        let others = ["fd00::7", "0.0.0.0", "224.0.0.1", "127.0.0.1", "::1", "::ffff:127.0.0.1"];
        let global = record(Kind::Naoqi, "nao", "nao.local", 9559, &others);
        assert_eq!(shown(&found(vec![alone, global]).robots[0]).1, ["tcp://[fd00::7]:9559"]);
    }

    #[test]
    fn what_strangers_announce_stays_small_and_printable() {
        let wild = format!("\u{1b}[2J\n{}", "x".repeat(100_000));
        let records = (0..5_000_u16).map(|n| {
            let host = if n < 2 { format!("{wild}{n}") } else { format!("h{n}.local") };
            let addresses: Vec<String> = (0..200).map(|i| format!("10.0.1.{i}")).collect();
            let addresses: Vec<&str> = addresses.iter().map(String::as_str).collect();
            Record { boxstep: Some(wild.clone()), ..record(Kind::Naoqi, &wild, &host, 9559, &addresses) }
        });
        let found = found(records.collect());
        assert!(found.more);
        assert_eq!(found.robots.len(), MOST);
        for robot in &found.robots {
            for text in [&robot.name, &robot.host, robot.boxstep.as_ref().unwrap()] {
                assert!(text.chars().count() <= LONGEST && !text.contains(char::is_control), "{text}");
            }
            assert!(robot.endpoints().len() <= ADDRESSES);
        }
    }
}
