//! `boxstep show`

use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::{exit, open};
use std::io::Write as _;

/// Shows a behavior as a tree.
pub(crate) fn run(args: &ShowArgs) -> Result<i32, Failure> {
    let chosen = open::behavior(&args.file, args.behavior.as_deref())?;
    let mut out = anstream::stdout().lock();
    writeln!(out, "{}", chosen.name)?;
    out.write_all(boxstep_check::tree(&chosen.file.project).as_bytes())?;
    out.flush()?;
    Ok(exit::OK)
}
