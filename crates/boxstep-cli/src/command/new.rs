//! `boxstep new`

use crate::args::NewArgs;
use crate::failure::Failure;

pub(crate) fn run(_: &NewArgs) -> Result<i32, Failure> {
    Err(Failure::Usage("not written".into()))
}
