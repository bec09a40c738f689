//! `boxstep ls`, `ps`, `start` and `stop NAME`: they call `ALBehaviorManager` of a robot or of a served Boxstep.

use crate::args::{ListArgs, StartArgs};
use crate::failure::Failure;
use crate::robot_address::{self, Access};
use crate::terminal::Reader;
use crate::{exit, output};
use boxstep_qi::{Error, Remote, Session, Value};
use std::io::Write as _;

/// The default robot: a Boxstep on this machine.
const HERE: &str = "tcp://127.0.0.1:9559";

/// Lists the installed behaviors.
pub(crate) fn ls(args: &ListArgs) -> Result<i32, Failure> {
    list(args, "getInstalledBehaviors")
}

/// Lists the running behaviors.
pub(crate) fn ps(args: &ListArgs) -> Result<i32, Failure> {
    list(args, "getRunningBehaviors")
}

/// Starts a behavior.
pub(crate) fn start(args: &StartArgs) -> Result<i32, Failure> {
    let manager = Manager::connect(args.whose.robot.as_deref(), &args.whose.access)?;
    let method = if args.wait { "runBehavior" } else { "startBehavior" };
    manager.call(method, &[args.name.as_str().into()])?;
    say(&format!("{} {}", args.name, if args.wait { "has ended" } else { "is started" }))
}

/// Stops a behavior normally.
pub(crate) fn stop(name: &str, robot: Option<&str>, access: &Access) -> Result<i32, Failure> {
    let manager = Manager::connect(robot, access)?;
    // A robot ignores stops of behaviors that do not run or do not exist, so ask first.
    if manager.call("isBehaviorRunning", &[name.into()])?.as_bool() != Some(true) {
        return Err(Failure::Run(format!("{}: {name} does not run", manager.robot)));
    }
    manager.call("stopBehavior", &[name.into()])?;
    say(&format!("stopping {name}"))
}

fn say(words: &str) -> Result<i32, Failure> {
    let mut out = output::stdout();
    writeln!(out, "{words}")?;
    out.flush()?;
    Ok(exit::OK)
}

fn list(args: &ListArgs, method: &str) -> Result<i32, Failure> {
    let names = Manager::connect(args.whose.robot.as_deref(), &args.whose.access)?.call(method, &[])?;
    let names: Vec<&str> = names.as_slice().unwrap_or_default().iter().filter_map(Value::as_str).collect();
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        writeln!(out, "{}", serde_json::json!(names))?;
    } else {
        for name in names {
            writeln!(out, "{name}")?;
        }
    }
    out.flush()?;
    Ok(exit::OK)
}

/// A connection to the `ALBehaviorManager` service of a robot.
pub(super) struct Manager {
    robot: String,
    remote: Remote,
    /// Keeps the connection open while the service is used.
    _session: Session,
}

impl Manager {
    fn connect(robot: Option<&str>, access: &Access) -> Result<Manager, Failure> {
        let endpoint = match robot {
            Some(text) => robot_address::parse(text).map_err(|why| Failure::Usage(format!("--robot: {why}")))?,
            None => match robot_address::of_environment()? {
                Some(endpoint) => endpoint,
                None => robot_address::parse(HERE).map_err(Failure::Usage)?,
            },
        };
        let robot = robot.map_or_else(|| endpoint.to_string(), str::to_owned);
        let session = Session::connect_with(&endpoint.to_string(), access.options()?);
        let session = session.map_err(|e| failed(&robot, &e))?;
        Self::with(robot, session)
    }

    /// Gets the service from a connected robot.
    pub(super) fn with(robot: String, session: Session) -> Result<Manager, Failure> {
        let remote = session.service("ALBehaviorManager").map_err(|e| failed(&robot, &e))?;
        Ok(Manager { robot, remote, _session: session })
    }

    pub(super) fn call(&self, method: &str, args: &[Value]) -> Result<Value, Failure> {
        self.remote.call(method, args).map_err(|e| failed(&self.robot, &e))
    }
}

fn failed(robot: &str, error: &Error) -> Failure {
    Failure::Run(format!("{robot}: {error}"))
}
