//! `boxstep diff`

use crate::args::DiffArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &DiffArgs) -> Result<i32, Failure> {
    let _ = args;
    Ok(0)
}
