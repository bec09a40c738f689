//! `boxstep stop`

use super::behaviors;
use crate::args::StopArgs;
use crate::failure::Failure;
use crate::terminal::Reader;
use crate::{exit, output, robot_link};
use anstyle::{AnsiColor, Style};
use boxstep_qi::Options;
use boxstep_robot::naoqi::panic::{Halt, StopOutcome, stop};
use boxstep_types::{Time, printable_line};
use serde_json::{Value as Json, json};
use std::io::Write as _;
use std::time::Duration;

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default();

/// How long connecting may take: the user must soon learn that the robot cannot be reached.
const CONNECT_WITHIN: Duration = Duration::from_secs(3);

/// Stops a behavior, or everything that a robot does, and reports what has stopped and what may not have.
pub(crate) fn run(args: &StopArgs) -> Result<i32, Failure> {
    if let Some(name) = &args.name {
        return behaviors::stop(name, args.robot.as_deref(), &args.access);
    }
    let hasty = |options| Options { connect_within: CONNECT_WITHIN, answer_within: CONNECT_WITHIN, ..options };
    let link = robot_link::connect(args.robot.as_deref(), &args.access, hasty)?;
    let halt = stop(&link.session, args.within.since(Time::ZERO));
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        writeln!(out, "{}", to_json(&link.name, &halt))?;
    } else {
        for stopped in halt.stopped.iter().filter(|stopped| stopped.outcome != StopOutcome::Absent) {
            let style = if stopped.is_sure() { Style::new() } else { RED };
            writeln!(out, "{style}{}{style:#}", printable_line(&stopped.to_string()))?;
        }
        if let Some(state) = &halt.life {
            let why = "it may begin something again";
            writeln!(out, "{YELLOW}Autonomous Life is on ({}): {why}{YELLOW:#}", printable_line(state))?;
        }
        let name = printable_line(&link.name);
        if halt.is_sure() {
            writeln!(out, "{name}: stopped")?;
        } else {
            writeln!(out, "{RED}{name}: NOT everything is sure to have stopped: see to the robot itself{RED:#}")?;
        }
    }
    out.flush()?;
    Ok(if halt.is_sure() { exit::OK } else { exit::FAILED })
}

fn to_json(robot: &str, halt: &Halt) -> Json {
    let stopped: Vec<Json> = halt
        .stopped
        .iter()
        .map(|stopped| {
            let (outcome, why) = match &stopped.outcome {
                StopOutcome::Done => ("stopped", None),
                StopOutcome::Told => ("told", None),
                StopOutcome::Absent => ("absent", None),
                StopOutcome::Asked => ("asked", None),
                StopOutcome::Failed(why) => ("failed", Some(why)),
            };
            json!({"what": stopped.what, "outcome": outcome, "why": why})
        })
        .collect();
    json!({"robot": robot, "sure": halt.is_sure(), "stopped": stopped, "life": halt.life})
}
