//! `boxstep doctor`

use crate::args::DoctorArgs;
use crate::character::{self, LoadedCharacter};
use crate::failure::Failure;
use crate::settings::Settings;
use crate::terminal::Reader;
use crate::{Program, exit, open, output, requirements, robot_facts, robot_link};
use boxstep_robot::naoqi::preflight::{Patience, Requirements, Verdict, inspect};
use std::io::Write as _;

/// Inspects a robot as `play` does before the first motion, and prints the result. Nothing is changed.
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
    let report = inspect(&link.reach(), &needs, &args.leave.leave(), &Patience::default());
    let refused = report.verdict() == Verdict::Refused && !args.leave.anyway;
    let mut out = output::stdout_for(Reader::json_if(args.json));
    if args.json {
        writeln!(out, "{}", robot_facts::to_json(&link.name, &report))?;
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
    }
    out.flush()?;
    Ok(if refused { exit::FINDINGS } else { exit::OK })
}
