//! `boxstep doctor`

use crate::args::DoctorArgs;
use crate::character::{self, LoadedCharacter};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::terminal::Reader;
use crate::{Program, exit, open, output, requirements, robot_facts, robot_files, robot_health, robot_link};
use boxstep_robot::naoqi::health::{self, Finding};
use boxstep_robot::naoqi::preflight::{Patience, Requirements, Verdict, inspect};
use std::io::Write as _;

/// Inspects a robot as `play` does before the first motion, and its health, and prints the result. Nothing is changed.
pub(crate) fn run(args: &DoctorArgs, program: &Program) -> Result<i32, Failure> {
    // A file that cannot be used is reported before the robot is contacted.
    let needs = match &args.file {
        None => Requirements::anything(),
        Some(file) => {
            let settings = Settings::for_path(file)?;
            let (language, python) = (args.language.as_deref(), Some(args.python.as_deref()));
            match character::file_of(file).filter(|_| args.behavior.is_none()) {
                Some(file) => {
                    requirements::find(&LoadedCharacter::read(&file, &[])?, &settings, language, python, program)
                }
                None => {
                    let chosen = open::behavior(file, args.behavior.as_deref())?;
                    requirements::find(&chosen, &settings, language, python, program)
                }
            }
        }
    };
    let link = robot_link::connect(args.robot.as_deref(), &args.access, |options| options)?;
    let reach = link.reach();
    let (report, mut seen) = std::thread::scope(|scope| {
        let health = scope.spawn(|| health::inspect(&reach, &health::Patience::default()));
        let report = inspect(&reach, &needs, &args.leave.leave(), &Patience::default());
        (report, health.join().unwrap_or_default())
    });
    if let Some(ssh) = args.ssh() {
        robot_files::ask(&ssh.reach(&args.access, link.host().as_deref())?, &mut seen);
    }
    let findings = health::judge(&seen);
    let refused = report.verdict() == Verdict::Refused && !args.leave.anyway;
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        let mut json = robot_facts::to_json(&link.name, &report);
        json["health"] = robot_health::to_json(&findings);
        writeln!(out, "{json}")?;
    } else {
        out.write_all(robot_facts::text(report.facts.iter()).as_bytes())?;
        let (what, which) =
            (args.file.as_ref().map_or("a behavior", |_| "this behavior"), robot_facts::refused(&report));
        if refused {
            writeln!(out, "{}: `play` would refuse {what}: {which}", link.name)?;
        } else if which.is_empty() {
            writeln!(out, "{}: ready for {what}", link.name)?;
        } else {
            writeln!(out, "{}: `play` would play {what} all the same: {which}", link.name)?;
        }
        let care = findings.iter().map(|Finding { severity, topic, .. }| (*severity, topic.label()));
        let care = robot_health::summary(care);
        writeln!(out, "\n{}{}: {care}", robot_health::text(&findings), link.name)?;
    }
    out.flush()?;
    Ok(if refused { exit::FINDINGS } else { exit::OK })
}
