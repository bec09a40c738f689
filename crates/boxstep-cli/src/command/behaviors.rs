//! `boxstep ls`, `ps`, `start` and `stop NAME`: they call `ALBehaviorManager` of a robot or of a served Boxstep.

use crate::args::{ListArgs, StartArgs};
use crate::failure::Failure;
use crate::robot_address::{self, Access};
use crate::terminal::Reader;
use crate::{exit, output};
use boxstep_qi::{Error, Remote, Session, Value};
use boxstep_robot::naoqi::packages;
use boxstep_types::printable_line;
use serde::Serialize;
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

/// A line of the long list.
#[derive(Serialize)]
struct Line<'a> {
    /// The behavior; none for a package without any.
    behavior: Option<&'a str>,
    package: Option<&'a str>,
    version: Option<&'a str>,
    running: bool,
    /// It starts with the robot.
    default: bool,
}

fn list(args: &ListArgs, method: &str) -> Result<i32, Failure> {
    let manager = Manager::connect(args.whose.robot.as_deref(), &args.whose.access)?;
    let names = texts(&manager.call(method, &[])?);
    if args.long {
        return list_long(&manager, &names, args.json);
    }
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

fn texts(value: &Value) -> Vec<String> {
    value.as_slice().unwrap_or_default().iter().filter_map(Value::as_str).map(str::to_owned).collect()
}

fn list_long(manager: &Manager, names: &[String], json: bool) -> Result<i32, Failure> {
    // What a robot does not know has no answer.
    let known = |method| manager.call(method, &[]).map(|names| texts(&names)).unwrap_or_default();
    let (running, default) = (known("getRunningBehaviors"), known("getDefaultBehaviors"));
    // The only behavior of a package has two names.
    let starts =
        |name: &str| default.iter().any(|one| one.strip_suffix("/.").unwrap_or(one) == name.trim_end_matches("/."));
    let packages = packages::list(&manager.session).unwrap_or_default();
    let mut lines: Vec<Line<'_>> = Vec::new();
    for name in names {
        // The ids of packages have no slash; a behavior is named by its package and its folder there.
        let id = name.split('/').next().unwrap_or_default();
        let package = packages.iter().find(|package| package.uuid == id);
        lines.push(Line {
            behavior: Some(name),
            package: package.map(|package| package.uuid.as_str()),
            version: package.and_then(|package| package.version.as_deref()),
            running: running.contains(name),
            default: starts(name),
        });
    }
    for package in &packages {
        if !lines.iter().any(|line| line.package == Some(&package.uuid)) {
            let (package, version) = (Some(package.uuid.as_str()), package.version.as_deref());
            lines.push(Line { behavior: None, package, version, running: false, default: false });
        }
    }
    let mut out = output::stdout_for(Reader::json_if(json));
    if json {
        writeln!(out, "{}", serde_json::json!(lines))?;
        out.flush()?;
        return Ok(exit::OK);
    }
    let shown = |line: &Line<'_>| printable_line(line.behavior.or(line.package).unwrap_or_default()).into_owned();
    let widest = lines.iter().map(|line| shown(line).chars().count()).max().unwrap_or_default();
    for line in &lines {
        let version = printable_line(line.version.unwrap_or("-")).into_owned();
        let mut state = Vec::new();
        state.extend(line.running.then_some("runs"));
        state.extend(line.default.then_some("starts with the robot"));
        state.extend(line.behavior.is_none().then_some("package without behaviors"));
        let text = format!("{:<widest$}  {version:<10} {}", shown(line), state.join(", "));
        writeln!(out, "{}", text.trim_end())?;
    }
    out.flush()?;
    Ok(exit::OK)
}

/// A connection to the `ALBehaviorManager` service of a robot.
pub(super) struct Manager {
    robot: String,
    remote: Remote,
    /// Keeps the connection open while the service is used.
    session: Session,
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
        Ok(Manager { robot, remote, session })
    }

    pub(super) fn call(&self, method: &str, args: &[Value]) -> Result<Value, Failure> {
        self.remote.call(method, args).map_err(|e| failed(&self.robot, &e))
    }
}

fn failed(robot: &str, error: &Error) -> Failure {
    Failure::Run(format!("{robot}: {error}"))
}
