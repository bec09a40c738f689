//! `boxstep replay`

use crate::args::{DiffFormat, ReplayArgs};
use crate::command::{diff, play};
use crate::failure::Failure;
use crate::{Program, exit, output, scenario};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;

/// Plays a run again and says whether the same comes of it.
pub(crate) fn run(args: &ReplayArgs, program: &Program, host: Option<&dyn Host<Engine>>) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, diff::ENDINGS, DiffFormat::Text)?;
    let was = scenario::recording(&args.recording)?;
    let play = args.play().map_err(Failure::Usage)?;
    // However it ends: it ended so the first time, or the end is the difference.
    play::run(&play, program, host)?;
    let is = play.recordings.kept.map(|kept| kept.text()).unwrap_or_default();
    let again = "the run played again".as_ref();
    let found = diff::recorded(&was, &is, &args.recording, again)?;
    let code = if found.parting.is_none() { exit::OK } else { exit::DIFFERENT };
    if !args.quiet {
        output::write(&args.output, &diff::told(&found, format)?, format.reader())?;
    }
    Ok(code)
}
