//! `boxstep replay`

use crate::args::{Cli, Command, DiffFormat, PlayArgs, ReplayArgs, TraceBuffer};
use crate::command::{diff, play};
use crate::failure::Failure;
use crate::{Program, exit, output, scenario};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use clap::Parser as _;
use std::ffi::OsString;
use std::path::PathBuf;

/// Replays a run and reports whether the result is the same.
pub(crate) fn run(args: &ReplayArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, diff::ENDINGS, DiffFormat::Text)?;
    let was = scenario::recording(&args.recording)?;
    let play = args.play().map_err(Failure::Usage)?;
    // The exit code of the run does not matter: either the first run ended the same way, or the comparison shows the
    // difference.
    play::run(&play, program, host)?;
    let is = play.recordings.kept.map(|kept| kept.text()).unwrap_or_default();
    let again = "the run played again".as_ref();
    let found = diff::recorded(&was, &is, &args.recording, again)?;
    let code = if found.parting.is_none() { exit::OK } else { exit::DIFFERENT };
    if !args.quiet {
        output::write(&args.output, &diff::rendered(&found, format)?, format.reader())?;
    }
    Ok(code)
}

impl ReplayArgs {
    /// Returns the equivalent `play` command, which keeps its trace in memory and prints nothing.
    pub(crate) fn play(&self) -> Result<PlayArgs, String> {
        let mut args: Vec<OsString> = ["boxstep", "play", "--quiet", "--replay"].map(Into::into).into();
        args.push(self.recording.clone().into());
        let scripts = self.scripts.map(|scripts| PathBuf::from(scripts.name()));
        let options =
            [("--scripts", &scripts), ("--python", &self.python), ("--robot", &self.robot), ("--body", &self.body)];
        for (name, value) in options {
            if let Some(value) = value {
                args.extend([name.into(), value.clone().into()]);
            }
        }
        let file = self.file.clone().map_or_else(|| crate::played::file(&self.recording), Ok)?;
        args.extend(["--".into(), file.into()]);
        match Cli::try_parse_from(args).map(|cli| cli.command) {
            Ok(Command::Play(mut play)) => {
                play.recordings.kept = Some(TraceBuffer::default());
                Ok(*play)
            }
            Ok(_) => Err("it cannot be played".to_owned()),
            Err(why) => Err(why.to_string()),
        }
    }
}
