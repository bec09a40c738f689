//! The robots of the page. What is asked of them, other commands of this program do: `robots`, `ls`, `start`, `stop`, `pull`,
//! `install`.

use crate::Program;
use crate::failure::system_message;
use boxstep_view::{RobotAnswer, RobotList};
use serde_json::Value as Json;
use std::ffi::{OsStr, OsString};
use std::process::Stdio;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The robots that were named at the start, and those that were found.
pub(super) struct PageRobots {
    program: Program,
    named: Vec<String>,
    list: Mutex<RobotList>,
}

/// How much of what a command says is shown, in bytes; a list of behaviors has a line for each.
const SAID: usize = 1 << 24;

impl PageRobots {
    pub(super) fn new(program: &Program, named: Vec<String>) -> Self {
        Self { program: program.clone(), named, list: Mutex::default() }
    }

    fn list(&self) -> MutexGuard<'_, RobotList> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn listing(&self) -> RobotList {
        self.list().clone()
    }

    /// Returns the robots that can be played on: those that were named first.
    pub(super) fn names(&self) -> Vec<String> {
        let mut names = self.named.clone();
        for robot in &self.list().robots {
            let address = robot.get("address").and_then(Json::as_str);
            names.extend(address.filter(|address| !self.named.iter().any(|named| named == address)).map(str::to_owned));
        }
        names
    }

    /// Returns whether a robot was named at the start: anybody can announce one that is found.
    pub(super) fn is_named(&self, robot: &str) -> bool {
        self.named.iter().any(|named| named == robot)
    }

    /// Returns whether nobody looks already.
    pub(super) fn begins_to_look(&self) -> bool {
        !std::mem::replace(&mut self.list().looking, true)
    }

    /// Looks for robots, and ends the looking.
    pub(super) fn look(&self) {
        let mut args: Vec<OsString> = vec!["robots".into(), "--json".into()];
        for named in self.named.iter().filter(|named| !crate::robot_address::is_file(named)) {
            args.extend(["--robot".into(), named.into()]);
        }
        let found = self.run(&args, true).map(|(_, out, err)| (serde_json::from_str(&out).ok(), err));
        let mut list = self.list();
        list.looking = false;
        match found {
            Ok((Some(robots), err)) => {
                let why = err.lines().last().map(str::to_owned);
                (list.robots, list.why) = (robots, why);
            }
            Ok((None, err)) => list.why = Some(err),
            Err(why) => list.why = Some(why),
        }
    }

    /// Runs a command for a robot of the page; a robot that is not named does not get the password.
    pub(super) fn run_for(&self, robot: &str, args: &[OsString]) -> Result<RobotAnswer, String> {
        if !self.names().iter().any(|name| name == robot) {
            return Err(format!("{robot} is not one of the robots of this page"));
        }
        // The name of a behavior may begin with a hyphen: it stands behind all options.
        let (command, rest) = args.split_at(args.len().min(1));
        let args = [command, &["--robot".into(), robot.into()], rest].concat();
        let (code, out, err) = self.run(&args, self.is_named(robot))?;
        let (done, conflict) = (code == Some(0), code == Some(1) && err.contains("--replace"));
        let said = match (done, err.is_empty()) {
            (true, _) | (false, true) => out,
            (false, false) => err,
        };
        Ok(RobotAnswer { done, said, conflict })
    }

    /// Runs a command; returns its exit code and what it says.
    fn run(&self, args: &[impl AsRef<OsStr>], login: bool) -> Result<(Option<i32>, String, String), String> {
        let mut command = self.program.command();
        command.args(args).stdin(Stdio::null());
        if !login {
            command.env_remove(crate::robot_address::PASSWORD);
        }
        let output = command.output().map_err(|e| system_message(&e))?;
        let text = |bytes: &[u8]| {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SAID)]).into_owned();
            anstream::adapter::strip_str(&text).to_string().trim().trim_start_matches("error: ").to_owned()
        };
        Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
    }
}
