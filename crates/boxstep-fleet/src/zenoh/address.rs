//! Addresses of machines, as users write them.

use std::fmt;
use std::str::FromStr;

/// The port of a router, and of an address without one.
pub const DEFAULT_PORT: u16 = 7447;

/// The address of a machine: a host name or an IPv4 address, with a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// The reason why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AddressError {
    /// It asks for another transport than QUIC.
    Transport(String),
    /// It is an IPv6 address.
    Ipv6,
    /// It has no host, or one with characters that no host has.
    Host(String),
    /// What follows the colon is no port.
    Port(String),
}

impl fmt::Display for AddressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AddressError::Transport(name) => write!(f, "a fleet speaks quic only, not {name}"),
            AddressError::Ipv6 => f.write_str("a fleet cannot use IPv6 addresses: name the host, or its IPv4 address"),
            AddressError::Host(host) => write!(f, "{host:?} is no name of a host and no IPv4 address"),
            AddressError::Port(port) => write!(f, "{port:?} is no port: it must be a number up to 65535"),
        }
    }
}

impl std::error::Error for AddressError {}

impl Address {
    /// Returns the address of a host that is known to be one.
    pub(super) fn of(host: &str, port: u16) -> Address {
        Address(format!("{host}:{port}"))
    }

    /// Returns the address with its port, as `host:port`.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Address {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Address, AddressError> {
        let rest = match text.trim().split_once('/') {
            None => text.trim(),
            Some(("quic", rest)) => rest,
            Some((other, _)) => return Err(AddressError::Transport(other.to_owned())),
        };
        if rest.starts_with('[') || rest.matches(':').count() > 1 {
            return Err(AddressError::Ipv6);
        }
        let (host, port) = match rest.split_once(':') {
            None => (rest, DEFAULT_PORT),
            Some((host, port)) => (host, port.parse().map_err(|_| AddressError::Port(port.to_owned()))?),
        };
        // Other characters could be settings of Zenoh.
        if host.is_empty() || !host.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)) {
            return Err(AddressError::Host(host.to_owned()));
        }
        Ok(Address::of(host, port))
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Address, AddressError};

    #[test]
    fn addresses_are_read_as_users_write_them() {
        let read = |text: &str| text.parse::<Address>().map(|address| address.to_string());
        assert_eq!(read("192.168.1.20"), Ok("192.168.1.20:7447".to_owned()));
        assert_eq!(read(" nao.local:80 "), Ok("nao.local:80".to_owned()));
        assert_eq!(read("quic/nao_2:9"), Ok("nao_2:9".to_owned()));
        assert_eq!(read("tcp/1.2.3.4:9"), Err(AddressError::Transport("tcp".to_owned())));
        assert_eq!(read("::1"), Err(AddressError::Ipv6));
        assert_eq!(read("[::1]:80"), Err(AddressError::Ipv6));
        assert_eq!(read("nao:65536"), Err(AddressError::Port("65536".to_owned())));
        assert_eq!(read(":80"), Err(AddressError::Host(String::new())));
        assert_eq!(read("nao#enable_mtls=false"), Err(AddressError::Host("nao#enable_mtls=false".to_owned())));
        assert_eq!(read("nao?x=1"), Err(AddressError::Host("nao?x=1".to_owned())));
    }
}
