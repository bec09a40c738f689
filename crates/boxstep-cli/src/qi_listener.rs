//! Listens for qi clients.

use crate::computer;
use crate::failure::{Failure, system_message};
use anstyle::{AnsiColor, Style};
use boxstep_qi::{Credentials, Error, Fingerprint, Server};
use boxstep_robot::find::{Announced, Announcement};
use boxstep_types::printable_line;
use std::io::{ErrorKind, Write as _};
use std::net::{SocketAddr, ToSocketAddrs as _};

const DIM: Style = Style::new().dimmed();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// A server, and where clients find it.
pub(crate) struct Listening {
    pub(crate) server: Server,
    /// The certificate that clients must trust; `None` without TLS.
    pub(crate) certificate: Option<Fingerprint>,
}

impl Listening {
    /// Returns the address as clients write it, and with TLS how they trust it.
    pub(crate) fn shown(&self) -> String {
        let at = self.server.address();
        match self.certificate {
            Some(certificate) => format!("tcps://{at}\n{DIM}--fingerprint {certificate}{DIM:#}"),
            None => format!("tcp://{at}"),
        }
    }
}

/// Listens at an address, for everyone, or with TLS for clients with this login. Prints a warning if other machines can
/// reach it and no login is needed.
pub(crate) fn listen(address: &str, login: Option<Credentials>) -> Result<Listening, Failure> {
    let wrong =
        || Failure::Usage(format!("`{address}` is not an address to listen on: write IP:PORT, such as 127.0.0.1:9559"));
    let at: SocketAddr = address.to_socket_addrs().map_err(|_| wrong())?.next().ok_or_else(wrong)?;
    let is_open = login.is_none();
    let started = match login {
        None => Server::listen(at).map(|server| Listening { server, certificate: None }),
        Some(login) => guarded(at, login)?,
    };
    let listening = started.map_err(|e| match &e {
        Error::System(why) if why.kind() == ErrorKind::AddrInUse => Failure::Run(format!(
            "another program already listens on {at}, such as a robot or NAOqi: choose another port with --listen, or 0 for any free one"
        )),
        Error::System(why) => Failure::Run(format!("cannot listen on {at}: {}", system_message(why))),
        e => Failure::Run(format!("cannot listen on {at}: {e}")),
    })?;
    if is_open && !at.ip().is_loopback() {
        let mut err = crate::terminal::stderr();
        writeln!(err, "{YELLOW}warning: everyone who can reach {at} can use this robot without logging in{YELLOW:#}")?;
    }
    Ok(listening)
}

/// Announces a simulated robot in the network, if other machines can reach it, until the announcement is dropped. A
/// robot that cannot be announced is served all the same.
pub(crate) fn announce(name: &str, at: SocketAddr, tls: bool) -> Option<Announcement> {
    let host = computer::name();
    let robot = Announced { name, host: &host, at, tls, boxstep: env!("CARGO_PKG_VERSION") };
    Announcement::start(&robot).unwrap_or_else(|e| {
        let why = printable_line(&e.to_string()).into_owned();
        // A closed standard error is ignored.
        let _ =
            writeln!(crate::terminal::stderr(), "{YELLOW}`boxstep robots` will not find this robot: {why}{YELLOW:#}");
        None
    })
}

/// Listens with TLS, with a certificate of its own, as robots do.
#[cfg(feature = "tls")]
fn guarded(at: SocketAddr, login: Credentials) -> Result<Result<Listening, Error>, Failure> {
    use subtle::ConstantTimeEq as _;

    let failed = |e: &dyn std::fmt::Display| Failure::Run(format!("no certificate can be made: {e}"));
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned(), at.ip().to_string()]);
    let made = made.map_err(|e| failed(&e))?;
    let key = made.signing_key.serialize_pem();
    let identity =
        boxstep_qi::Identity::from_pem(made.cert.pem().as_bytes(), key.as_bytes()).map_err(|e| failed(&e))?;
    let certificate = Some(identity.fingerprint());
    let same = |a: &str, b: &str| bool::from(a.as_bytes().ct_eq(b.as_bytes()));
    let check = move |who: Option<&Credentials>| match who {
        Some(who) if same(&who.user, &login.user) & same(&who.token, &login.token) => Ok(()),
        Some(_) => Err("the user or the password is wrong".to_owned()),
        None => Err("this robot requires a user and a password".to_owned()),
    };
    let server = Server::listen_tls(at, boxstep_qi::Options::default(), identity, check);
    Ok(server.map(|server| Listening { server, certificate }))
}

#[cfg(not(feature = "tls"))]
fn guarded(_: SocketAddr, _: Credentials) -> Result<Result<Listening, Error>, Failure> {
    Err(Failure::Usage("--password: this program was built without TLS".to_owned()))
}
