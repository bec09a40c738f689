//! A connection to the robot that a command or the environment names.

use crate::failure::Failure;
use crate::robot_address::{self, Access, VARIABLE};
use boxstep_qi::{Error, Options, Session};

/// A robot under the name that it was given, connected.
pub(crate) struct Link {
    /// As the user names it.
    pub(crate) name: String,
    pub(crate) session: Session,
}

/// Connects to the robot that `--robot` or the environment names; `options` may change how patiently.
pub(crate) fn connect(
    given: Option<&str>,
    access: &Access,
    options: impl FnOnce(Options) -> Options,
) -> Result<Link, Failure> {
    let endpoint = match given {
        Some(text) => robot_address::parse(text).map_err(|why| Failure::Usage(format!("--robot: {why}")))?,
        None => robot_address::of_environment()?
            .ok_or_else(|| Failure::Usage(format!("no robot is named, neither by --robot nor by {VARIABLE}")))?,
    };
    let name = given.map_or_else(|| endpoint.to_string(), str::to_owned);
    match Session::connect_with(&endpoint.to_string(), options(access.options()?)) {
        Ok(session) => Ok(Link { name, session }),
        Err(e @ Error::Address { .. }) => Err(Failure::Usage(format!("{name}: {e}"))),
        Err(e) => Err(Failure::Run(format!("{name}: {e}"))),
    }
}
