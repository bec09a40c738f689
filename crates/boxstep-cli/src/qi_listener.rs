//! Listens for qi clients.

use crate::failure::{Failure, system_message};
use anstyle::{AnsiColor, Style};
use boxstep_qi::{Error, Server};
use std::io::{ErrorKind, Write as _};
use std::net::{SocketAddr, ToSocketAddrs as _};

const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Listens at an address. Prints a warning if other machines can reach it.
pub(crate) fn listen(address: &str) -> Result<Server, Failure> {
    let wrong =
        || Failure::Usage(format!("`{address}` is not an address to listen on: write IP:PORT, such as 127.0.0.1:9559"));
    let at: SocketAddr = address.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
    let server = Server::listen(at).map_err(|e| match &e {
        Error::System(why) if why.kind() == ErrorKind::AddrInUse => Failure::Run(format!(
            "another program already listens on {at}, such as a robot or NAOqi: choose another port with --listen, or 0 for any free one"
        )),
        Error::System(why) => Failure::Run(format!("cannot listen on {at}: {}", system_message(why))),
        e => Failure::Run(format!("cannot listen on {at}: {e}")),
    })?;
    if !at.ip().is_loopback() {
        let mut err = crate::terminal::stderr();
        writeln!(err, "{YELLOW}warning: everyone who can reach {at} can use this robot without logging in{YELLOW:#}")?;
    }
    Ok(server)
}
