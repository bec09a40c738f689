//! What a robot says of itself.

use crate::naoqi::ask::{self, Answer};
use crate::naoqi::preflight::{Overview, Topic, overview};
use boxstep_bodies::BodyKind;
use boxstep_qi::{Endpoint, Error, Options, Session, TLS_PORT};
use std::time::Duration;

/// How many addresses of a robot are tried.
const TRIED: usize = 3;
/// The most characters of what a robot says.
const LONGEST: usize = 400;
/// The most behaviors that are listed.
const BEHAVIORS: usize = 100;

/// Whether a robot can be played on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// As it should be.
    Ready,
    /// `play` would refuse it because of these facts.
    NotReady(Vec<Topic>),
    /// These facts are not known, because it has not answered in time.
    Unknown,
    /// Something that speaks qi, and moves nothing.
    NoRobot,
    /// It requires a user and a password, or rejects those that it was given.
    Password,
    /// Its certificate is not accepted.
    Certificate,
    /// It cannot be reached.
    Unreachable,
}

/// What distinguishes a robot from all others, whatever its address: the machine, the process and the port.
pub type Identity = (String, u32, u16);

/// What is known of a robot.
#[derive(Clone, Debug)]
pub struct Look {
    /// Where it was reached, or the likeliest of its addresses.
    pub endpoint: Endpoint,
    /// Whether it can be played on.
    pub state: State,
    /// Why not.
    pub why: Option<String>,
    /// What distinguishes it from others.
    pub identity: Option<Identity>,
    /// Its name.
    pub name: Option<String>,
    /// The body that it has.
    pub body: Option<BodyKind>,
    /// Its own name for its model.
    pub model: Option<String>,
    /// The version of NAOqi.
    pub version: Option<String>,
    /// The charge of its battery, in percent.
    pub battery: Option<i64>,
    /// The behaviors that run.
    pub running: Option<Vec<String>>,
    /// It is simulated by a Boxstep.
    pub simulated: bool,
}

impl Look {
    fn new(endpoint: Endpoint, state: State, why: Option<String>) -> Look {
        Look {
            endpoint,
            state,
            why: why.as_deref().map(cut),
            identity: None,
            name: None,
            body: None,
            model: None,
            version: None,
            battery: None,
            running: None,
            simulated: false,
        }
    }

    /// Returns what is known of a robot that has not answered in time.
    pub fn silent(endpoint: Endpoint) -> Look {
        Look::new(endpoint, State::Unreachable, Some("it has not answered in time".to_owned()))
    }

    /// Returns whether it has let us in.
    pub fn is_known(&self) -> bool {
        !matches!(self.state, State::Password | State::Certificate | State::Unreachable)
    }
}

/// Asks a robot at the first of its addresses that answers. `options` has the timeouts; each of the two rounds of
/// questions takes `within` at most. A robot that refuses the usual port is also tried at the one for TLS.
///
/// Returns `None` if there are no addresses.
pub fn look(endpoints: &[Endpoint], options: &Options, within: Duration) -> Option<Look> {
    let mut failed = None;
    for endpoint in endpoints.iter().take(TRIED) {
        match Session::connect_with(&endpoint.to_string(), options.clone()) {
            Ok(session) => return Some(asked(endpoint.clone(), &session, within)),
            Err(e) => match refused(endpoint, &e) {
                refused if refused.state != State::Unreachable => return Some(refused),
                refused => failed = failed.or(Some(refused)),
            },
        }
    }
    let first = endpoints.first()?;
    if !first.tls && first.port == boxstep_qi::PORT {
        let secure = Endpoint { tls: true, port: TLS_PORT, host: first.host.clone() };
        match Session::connect_with(&secure.to_string(), options.clone()) {
            Ok(session) => return Some(asked(secure, &session, within)),
            Err(e) => match refused(&secure, &e) {
                refused if refused.state != State::Unreachable => return Some(refused),
                _ => {}
            },
        }
    }
    failed
}

fn refused(endpoint: &Endpoint, error: &Error) -> Look {
    let state = match error {
        Error::Authentication { .. } => State::Password,
        Error::Certificate { .. } => State::Certificate,
        _ => State::Unreachable,
    };
    Look::new(endpoint.clone(), state, Some(error.to_string()))
}

fn asked(endpoint: Endpoint, session: &Session, within: Duration) -> Look {
    let name = {
        let session = session.clone();
        let ask = move || ask::service(&session, "ALSystem", vec![("robotName", Vec::new())], within);
        ask::start::<Vec<Answer>>(vec![Box::new(ask)])
    };
    let directory = session.service_info("ServiceDirectory").ok();
    let seen = overview(session, within);
    let until = std::time::Instant::now() + within;
    let name = name.until(until).into_iter().flatten().flatten().next();
    let identity = directory.filter(|info| !info.machine.is_empty());
    let identity = identity.map(|info| (cut(&info.machine), info.process, endpoint.port));
    let (state, why) = state(&seen);
    Look {
        identity,
        name: name.as_ref().and_then(Answer::value).and_then(|name| name.as_str()).map(cut),
        body: seen.body,
        model: seen.model.as_deref().map(cut),
        version: seen.version.as_deref().map(cut),
        battery: seen.battery,
        running: seen.running.map(|names| names.iter().take(BEHAVIORS).map(|name| cut(name)).collect()),
        simulated: seen.services.is_some_and(|names| names.contains("Boxstep") || names.contains("BoxstepClock")),
        ..Look::new(endpoint, state, why)
    }
}

/// Judges a robot as `boxstep doctor` does, for any behavior.
fn state(seen: &Overview) -> (State, Option<String>) {
    if seen.services.as_ref().is_some_and(|names| !names.contains("ALMotion")) {
        return (State::NoRobot, Some("it speaks qi, and has no ALMotion".to_owned()));
    }
    let refused: Vec<_> = seen.report.refused().collect();
    let why = refused.first().and_then(|fact| fact.why.clone());
    let known: Vec<Topic> = refused.iter().filter(|fact| fact.value != "unknown").map(|fact| fact.topic).collect();
    match (known.is_empty(), refused.is_empty()) {
        (_, true) => (State::Ready, None),
        (true, false) => (State::Unknown, why),
        (false, _) => (State::NotReady(known), why),
    }
}

/// Returns the beginning of what a robot says.
fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
