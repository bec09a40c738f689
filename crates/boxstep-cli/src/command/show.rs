//! `boxstep show`

use crate::args::ShowArgs;
use crate::failure::Failure;
use crate::{exit, open};

/// Shows a behavior as a tree.
pub(crate) fn run(args: &ShowArgs) -> Result<i32, Failure> {
    let opened = open::behavior(&args.file, args.behavior.as_deref())?;
    let _ = opened;
    Ok(exit::OK)
}
