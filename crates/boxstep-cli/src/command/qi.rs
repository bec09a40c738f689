//! `boxstep qi`

mod info;
mod watch;

use crate::args::{CallArgs, Member, PostArgs, QiArgs, QiCommand, RobotArgs};
use crate::failure::Failure;
use crate::robot_address::Access;
use crate::robot_word::{Form, Words};
use crate::terminal::Reader;
use crate::value_parsers::json_or_text;
use crate::{exit, output, robot_link};
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
    /// Connects to the robot that `--robot`, a word or the environment names; `-` stands for the environment.
    fn connect(robot: Option<&str>, access: &Access) -> Result<ConnectedRobot, Failure> {
        let link = robot_link::connect(robot.filter(|text| *text != "-"), access, |options| options)?;
        Ok(ConnectedRobot { name: link.name, session: link.session })
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

/// A call of a member, as its words say it.
struct Wanted {
    robot: Option<String>,
    member: Member,
    args: Vec<boxstep_qi::Value>,
}

impl Wanted {
    fn read(robot: &RobotArgs, first: &str, rest: &[String]) -> Result<Wanted, Failure> {
        let words = std::iter::once(first.to_owned()).chain(rest.iter().cloned()).collect();
        let Words { robot, rest } = Words::take(Form::Call, robot.robot.as_deref(), words)?;
        let Some((member, args)) = rest.split_first() else {
            let robot = robot.unwrap_or_default();
            return Err(Failure::Usage(format!(
                "`{robot}` is not SERVICE.METHOD, such as ALTextToSpeech.say, but a robot: what is to be called there?"
            )));
        };
        let args = args.iter().map(|text| wire::to_wire(&json_or_text(text), &mut wire::NoObjects)).collect();
        Ok(Wanted { robot, member: member_of(member)?, args })
    }
}

fn member_of(text: &str) -> Result<Member, Failure> {
    text.parse().map_err(|why| Failure::Usage(format!("`{text}`: {why}")))
}

fn call(args: &CallArgs) -> Result<i32, Failure> {
    let wanted = Wanted::read(&args.robot, &args.method, &args.args)?;
    let robot = ConnectedRobot::connect(wanted.robot.as_deref(), &args.robot.access)?;
    let service = robot.service(&wanted.member.service)?;
    let answer = match args.timeout {
        Some(most) => service.call_within(&wanted.member.name, &wanted.args, most.since(Time::ZERO)),
        None => service.call(&wanted.member.name, &wanted.args),
    };
    let answer = answer.map_err(|e| robot.member_failure(&service, &wanted.member, &e))?;
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
    let wanted = Wanted::read(&args.robot, &args.member, &args.args)?;
    let robot = ConnectedRobot::connect(wanted.robot.as_deref(), &args.robot.access)?;
    let service = robot.service(&wanted.member.service)?;
    let name = &wanted.member.name;
    let is_method = service.meta().methods_named(name).next().is_some();
    let posted = match service.meta().signal(name) {
        Some(_) if !is_method => service.emit(name, &wanted.args),
        _ => service.post(name, &wanted.args),
    };
    // A post has no reply; the reply to a request that is sent after it proves that the post has arrived.
    let arrived = posted.and_then(|()| service.ping());
    arrived.map_err(|e| robot.member_failure(&service, &wanted.member, &e))?;
    Ok(exit::OK)
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
