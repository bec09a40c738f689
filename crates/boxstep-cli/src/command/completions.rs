//! `boxstep completions`

use crate::args::{Cli, CompletionsArgs};
use crate::exit;
use crate::failure::Failure;
use crate::output;
use crate::terminal::Reader;
use clap::CommandFactory as _;
use std::io::Write as _;

/// Writes the completion script of a shell.
pub(crate) fn run(args: &CompletionsArgs) -> Result<i32, Failure> {
    // The generator does not report write errors, so it writes to memory first.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "boxstep", &mut text);
    let mut out = output::stdout_for(Reader::Program);
    out.write_all(&text)?;
    out.flush()?;
    Ok(exit::OK)
}
