//! `boxstep qi`

mod info;
mod watch;

use crate::args::{CallArgs, Member, PostArgs, QiArgs, QiCommand, RobotArgs};
use crate::failure::Failure;
use crate::robot_address::{self, Access, VARIABLE};
use crate::terminal::Reader;
use crate::{exit, output};
use boxstep_qi::{Error, Remote, Session};
use boxstep_robot::wire;
use boxstep_types::{Time, Value, meant};
use std::collections::BTreeSet;
use std::io::Write as _;

pub(crate) fn run(args: &QiArgs) -> Result<i32, Failure> {
    match &args.command {
        QiCommand::Info(args) => info::run(args),
        QiCommand::Call(args) => call(args),
        QiCommand::Post(args) => post(args),
        QiCommand::Watch(args) => watch::run(args),
    }
}

/// A connected robot and its name.
struct ConnectedRobot {
    name: String,
    session: Session,
}

impl ConnectedRobot {
    fn connect(given: Option<&str>, access: &Access) -> Result<ConnectedRobot, Failure> {
        let endpoint = match given {
            None | Some("-") => robot_address::of_environment()?
                .ok_or_else(|| Failure::Usage(format!("no robot is named, neither here nor by {VARIABLE}")))?,
            Some(text) => robot_address::parse(text).map_err(Failure::Usage)?,
        };
        let name = given.filter(|text| *text != "-").map_or_else(|| endpoint.to_string(), str::to_owned);
        match Session::connect_with(&endpoint.to_string(), access.options()?) {
            Ok(session) => Ok(ConnectedRobot { name, session }),
            Err(e) => Err(failure(&name, &e)),
        }
    }

    fn from_args(args: &RobotArgs) -> Result<ConnectedRobot, Failure> {
        ConnectedRobot::connect(Some(&args.robot), &args.access)
    }

    fn failed(&self, error: &Error) -> Failure {
        failure(&self.name, error)
    }

    fn service(&self, name: &str) -> Result<Remote, Failure> {
        self.session.service(name).map_err(|e| match e {
            Error::NoService { text, .. } => {
                let all = self.session.services().unwrap_or_default();
                let words = meant(name, all.iter().map(|info| info.name.as_str())).unwrap_or(text);
                Failure::NotThere(format!("{}: there is no service {name}: {words}", self.name))
            }
            e => self.failed(&e),
        })
    }

    /// Converts the error of a call or subscription of a member of a service.
    fn member_failure(&self, remote: &Remote, member: &Member, error: &Error) -> Failure {
        let Error::NoMember { kind, name } = error else { return self.failed(error) };
        let meta = remote.meta();
        let methods = meta.methods.values().map(|m| m.name.as_str());
        let signals = meta.signals.values().map(|s| s.name.as_str());
        let all: BTreeSet<&str> = if *kind == "method" { methods.collect() } else { signals.collect() };
        let words = meant(name, all).map(|words| format!(": {words}")).unwrap_or_default();
        Failure::NotThere(format!("{}: {} has no {kind} {name}{words}", self.name, member.service))
    }
}

fn failure(robot: &str, error: &Error) -> Failure {
    let words = format!("{robot}: {error}");
    match error {
        Error::Address { .. } | Error::Arguments { .. } | Error::Encode(_) => Failure::Usage(words),
        Error::NoService { .. } | Error::NoMember { .. } => Failure::NotThere(words),
        _ => Failure::Run(words),
    }
}

fn call(args: &CallArgs) -> Result<i32, Failure> {
    let robot = ConnectedRobot::from_args(&args.robot)?;
    let service = robot.service(&args.method.service)?;
    let sent = sent(&args.args);
    let answer = match args.timeout {
        Some(most) => service.call_within(&args.method.name, &sent, most.since(Time::ZERO)),
        None => service.call(&args.method.name, &sent),
    };
    let answer = answer.map_err(|e| robot.member_failure(&service, &args.method, &e))?;
    let answer = received(&answer);
    let mut out = output::stdout_for(Reader::json_if(args.json));
    match &answer {
        Value::Null if !args.json => {}
        Value::Str(text) if !args.json => writeln!(out, "{text}")?,
        other => writeln!(out, "{other}")?,
    }
    out.flush()?;
    Ok(exit::OK)
}

fn post(args: &PostArgs) -> Result<i32, Failure> {
    let robot = ConnectedRobot::from_args(&args.robot)?;
    let service = robot.service(&args.member.service)?;
    let (name, sent) = (&args.member.name, sent(&args.args));
    let is_method = service.meta().methods_named(name).next().is_some();
    let posted = match service.meta().signal(name) {
        Some(_) if !is_method => service.emit(name, &sent),
        _ => service.post(name, &sent),
    };
    // A post has no reply; the reply to a request that is sent after it proves that the post has arrived.
    let arrived = posted.and_then(|()| service.ping());
    arrived.map_err(|e| robot.member_failure(&service, &args.member, &e))?;
    Ok(exit::OK)
}

fn sent(args: &[Value]) -> Vec<boxstep_qi::Value> {
    args.iter().map(|arg| wire::to_wire(arg, &mut wire::NoObjects)).collect()
}

/// Converts a value of the robot. An object becomes a list of its members.
fn received(value: &boxstep_qi::Value) -> Value {
    wire::from_wire(value, &mut Described)
}

struct Described;

impl wire::Objects for Described {
    fn received(&mut self, object: &boxstep_qi::ObjectValue) -> Value {
        let Some(remote) = object.remote() else { return Value::Null };
        let meta = remote.meta();
        let list = |names: BTreeSet<&str>| Value::list(names.into_iter().map(Value::from));
        let own = boxstep_qi::FIRST_OWN;
        let methods = meta.methods.range(own..).map(|(_, m)| m.name.as_str()).collect();
        let signals = meta.signals.range(own..).map(|(_, s)| s.name.as_str()).collect();
        let properties = meta.properties.values().map(|p| p.name.as_str()).collect();
        let what = [("methods", list(methods)), ("signals", list(signals)), ("properties", list(properties))];
        Value::map([("object", Value::map(what))])
    }
}
