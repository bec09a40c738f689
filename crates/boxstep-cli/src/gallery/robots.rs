//! The robots of the page. What is asked of them, other commands of this program do: `robots`, `ls`, `start`, `stop`, `pull`,
//! `install`.

use crate::Program;
use crate::failure::system_message;
use boxstep_view::{RobotAnswer, RobotList};
use serde_json::Value as Json;
use std::ffi::OsString;
use std::process::{Command, Stdio};
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
        let list = self.list();
        let found = list.robots.iter().filter(|robot| !self.has_named(robot)).filter_map(address);
        self.named.iter().map(String::as_str).chain(found).map(str::to_owned).collect()
    }

    /// Returns whether a robot was named at the start: anybody can announce one that is found.
    pub(super) fn is_named(&self, robot: &str) -> bool {
        let listed = |one: &&Json| address(one) == Some(robot) && self.has_named(one);
        self.named.iter().any(|named| named == robot) || self.list().robots.iter().any(|one| listed(&one))
    }

    /// Returns whether a robot of the list is one that was named at the start; its address may be in other words.
    fn has_named(&self, robot: &Json) -> bool {
        let word = robot.get("named").and_then(Json::as_str);
        word.or_else(|| address(robot)).is_some_and(|word| self.named.iter().any(|named| named == word))
    }

    /// Returns whether nobody looks already.
    pub(super) fn begins_to_look(&self) -> bool {
        !std::mem::replace(&mut self.list().looking, true)
    }

    /// Looks for robots, and ends the looking.
    pub(super) fn look(&self) {
        let mut command = self.program.command();
        command.args(["robots", "--json"]);
        for named in self.named.iter().filter(|named| !crate::robot_address::is_file(named)) {
            command.args(["--robot", named]);
        }
        let found = run(command).map(|(_, out, err)| (serde_json::from_str(&out).ok(), err));
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
        if !self.is_named(robot) && !self.names().iter().any(|name| name == robot) {
            return Err(format!("{robot} is not one of the robots of this page"));
        }
        let (code, out, err) = run(self.command_for(robot, args))?;
        let (done, conflict) = (code == Some(0), code == Some(1) && err.contains("--replace"));
        let said = match (done, err.is_empty()) {
            (true, _) | (false, true) => out,
            (false, false) => err,
        };
        Ok(RobotAnswer { done, said, conflict })
    }

    fn command_for(&self, robot: &str, args: &[OsString]) -> Command {
        // The name of a behavior may begin with a hyphen: it stands behind all options.
        let (name, rest) = args.split_at(args.len().min(1));
        let mut command = self.program.command();
        command.args(name).arg("--robot").arg(robot).args(rest);
        if !self.is_named(robot) {
            command.env_remove(crate::robot_address::PASSWORD);
        }
        command
    }
}

fn address(robot: &Json) -> Option<&str> {
    robot.get("address").and_then(Json::as_str)
}

/// Runs a command; returns its exit code and what it says.
fn run(mut command: Command) -> Result<(Option<i32>, String, String), String> {
    let output = command.stdin(Stdio::null()).output().map_err(|e| system_message(&e))?;
    let text = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(&bytes[..bytes.len().min(SAID)]).into_owned();
        anstream::adapter::strip_str(&text).to_string().trim().trim_start_matches("error: ").to_owned()
    };
    Ok((output.status.code(), text(&output.stdout), text(&output.stderr)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    #[test]
    fn only_a_robot_that_was_named_gets_the_password() {
        let robots = PageRobots::new(&Program::binary(Vec::new()), vec!["nao.local".to_owned()]);
        // Anybody can announce a robot, also one that is called like another.
        robots.list().robots = vec![
            serde_json::json!({ "name": "nao", "address": "10.0.0.9", "named": null }),
            serde_json::json!({ "name": "nao", "address": "tcps://nao.local", "named": "nao.local" }),
        ];
        assert_eq!(robots.names(), ["nao.local", "10.0.0.9"]);
        let keeps_password = |robot: &str| {
            let command = robots.command_for(robot, &["start".into(), "--help".into()]);
            let args: Vec<_> = command.get_args().map(OsStr::to_owned).collect();
            assert_eq!(args, ["start", "--robot", robot, "--help"]);
            command.get_envs().all(|(name, value)| name != crate::robot_address::PASSWORD || value.is_some())
        };
        assert!(keeps_password("nao.local") && keeps_password("tcps://nao.local"));
        assert!(!keeps_password("10.0.0.9"));
        assert!(robots.run_for("10.0.0.8", &["stop".into()]).is_err());
    }
}
