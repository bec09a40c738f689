//! Connects to the robot that a command or the environment names.

use crate::failure::Failure;
use crate::robot_address::{self, Access, VARIABLE};
use boxstep_qi::{Endpoint, Error, Options, Session};
use boxstep_robot::naoqi::preflight::Reach;
use std::sync::{Arc, Mutex, PoisonError};

/// A connection to a robot.
pub(crate) struct Link {
    /// The name that the user gave.
    pub(crate) name: String,
    pub(crate) session: Session,
    endpoint: String,
    options: Options,
}

impl Link {
    /// Returns the host of the robot.
    pub(crate) fn host(&self) -> Option<String> {
        robot_address::parse(&self.endpoint).ok().map(|endpoint| endpoint.host)
    }

    /// Returns a function that returns the connection and reconnects if it is lost.
    pub(crate) fn reach(&self) -> Reach {
        let (endpoint, options) = (self.endpoint.clone(), self.options.clone());
        let now = Mutex::new(self.session.clone());
        Arc::new(move |most| {
            let mut now = now.lock().unwrap_or_else(PoisonError::into_inner);
            if now.connection().gone().is_some() {
                let connect_within = options.connect_within.min(most);
                *now = Session::connect_with(&endpoint, Options { connect_within, ..options.clone() })?;
            }
            Ok(now.clone())
        })
    }
}

/// Returns the name and the host of the robot that `--robot` or the environment names, if one is named; the name is that
/// of its [`Link`].
pub(crate) fn named(given: Option<&str>) -> Result<Option<(String, String)>, Failure> {
    let endpoint = match given {
        Some(text) => Some(robot_address::parse(text).map_err(|why| Failure::Usage(format!("--robot: {why}")))?),
        None => robot_address::of_environment()?,
    };
    Ok(endpoint.map(|endpoint| (given.map_or_else(|| endpoint.to_string(), str::to_owned), endpoint.host)))
}

/// Returns the robot that `--robot` or the environment names: its name, as the user gives it, and where it is.
pub(crate) fn endpoint(given: Option<&str>) -> Result<(String, Endpoint), Failure> {
    let endpoint = match given {
        Some(text) => robot_address::parse(text).map_err(|why| Failure::Usage(format!("--robot: {why}")))?,
        None => robot_address::of_environment()?
            .ok_or_else(|| Failure::Usage(format!("no robot is named, neither by --robot nor by {VARIABLE}")))?,
    };
    Ok((given.map_or_else(|| endpoint.to_string(), str::to_owned), endpoint))
}

/// Connects to the robot that `--robot` or the environment names. `options` may change timeouts.
pub(crate) fn connect(
    given: Option<&str>,
    access: &Access,
    options: impl FnOnce(Options) -> Options,
) -> Result<Link, Failure> {
    let (name, endpoint) = endpoint(given)?;
    connect_to(name, &endpoint, options(access.options()?))
}

/// Connects to a robot.
pub(crate) fn connect_to(name: String, endpoint: &Endpoint, options: Options) -> Result<Link, Failure> {
    let endpoint = endpoint.to_string();
    match Session::connect_with(&endpoint, options.clone()) {
        Ok(session) => Ok(Link { name, session, endpoint, options }),
        Err(e @ Error::Address { .. }) => Err(Failure::Usage(format!("{name}: {e}"))),
        Err(e) if e.is_web() => Err(Failure::Run(format!("{name}: {e}; boxstep rescue brings its files home"))),
        Err(e @ Error::Unresolved { .. }) => {
            Err(Failure::Run(format!("{name}: {e}; `boxstep robots` lists the robots that announce themselves")))
        }
        Err(e) => Err(Failure::Run(format!("{name}: {e}"))),
    }
}
