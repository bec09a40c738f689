//! Addresses of robots and services.

use crate::error::Error;
use std::fmt;
use std::net::IpAddr;

/// The port on which robots listen.
pub const PORT: u16 = 9559;
/// The port of robots that require TLS and a password.
pub const TLS_PORT: u16 = 9503;

/// The address at which a process is reachable.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Endpoint {
    /// Whether the connection begins with TLS (`tcps`).
    pub tls: bool,
    /// A host name or an IP address.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl Endpoint {
    /// Parses `tcp://host:port`, `tcps://host:port`, `host:port`, or a host alone. IPv6 addresses are written in
    /// brackets where a port follows. The default port is 9559, or 9503 with `tcps`.
    ///
    /// # Errors
    /// [`Error::Address`].
    pub fn parse(text: &str) -> Result<Endpoint, Error> {
        let wrong = |why| Error::Address { text: text.to_owned(), why };
        let (tls, rest) = match text.split_once("://") {
            Some(("tcp", rest)) => (false, rest),
            Some(("tcps", rest)) => (true, rest),
            Some(_) => return Err(wrong("it begins neither with tcp:// nor with tcps://")),
            None => (false, text),
        };
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        let default = if tls { TLS_PORT } else { PORT };
        let (host, port) = if let Some(bracketed) = rest.strip_prefix('[') {
            let (host, behind) = bracketed.split_once(']').ok_or_else(|| wrong("a bracket is not closed"))?;
            (host, behind.strip_prefix(':').or_else(|| (!behind.is_empty()).then_some(behind)))
        } else if rest.matches(':').count() > 1 {
            (rest, None)
        } else {
            rest.split_once(':').map_or((rest, None), |(host, port)| (host, Some(port)))
        };
        let strange = |c: char| c.is_whitespace() || "/\\@?#\"'".contains(c);
        if host.is_empty() || host.contains(strange) {
            return Err(wrong("it contains no host name"));
        }
        let port = port.map_or(Ok(default), str::parse).map_err(|_| wrong("the port is not a number up to 65535"))?;
        Ok(Endpoint { tls, host: host.to_owned(), port })
    }

    /// Returns whether the address is of this same machine.
    pub fn is_loopback(&self) -> bool {
        self.host == "localhost" || self.host.parse().is_ok_and(|ip: IpAddr| ip.is_loopback())
    }
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls { "tcps" } else { "tcp" };
        if self.host.contains(':') {
            write!(f, "{scheme}://[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{scheme}://{}:{}", self.host, self.port)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let shown = |text: &str| Endpoint::parse(text).map(|e| e.to_string());
        assert_eq!(shown("nao.local").unwrap(), "tcp://nao.local:9559");
        assert_eq!(shown("10.0.0.2:80").unwrap(), "tcp://10.0.0.2:80");
        assert_eq!(shown("tcps://10.0.0.2").unwrap(), "tcps://10.0.0.2:9503");
        assert_eq!(shown("tcp://[::1]:5/").unwrap(), "tcp://[::1]:5");
        assert_eq!(shown("fe80::1").unwrap(), "tcp://[fe80::1]:9559");
        for wrong in ["", "http://x", "tcp://", "a:b", "a:70000", "[::1", "[::1]x", "a b", "tcp://u@h"] {
            assert!(matches!(shown(wrong), Err(Error::Address { .. })), "{wrong}");
        }
    }

    #[test]
    fn loopback_addresses_are_recognized() {
        for (text, here) in [("localhost", true), ("127.0.0.3:1", true), ("::1", true), ("192.168.1.2", false)] {
            assert_eq!(Endpoint::parse(text).unwrap().is_loopback(), here, "{text}");
        }
    }
}
