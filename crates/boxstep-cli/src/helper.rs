//! The helper process that runs scripts with `--scripts process`.

use crate::failure::Failure;
use crate::{Program, PythonWish, python};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;

/// Starts the helper. It comes up while files are read, and ends when the calling thread ends.
#[cfg(unix)]
pub(crate) fn start(wish: Option<PythonWish>, program: &Program) -> Result<Box<dyn Host<Engine>>, Failure> {
    // Whatever is in the way of a wish is refused with its reason when it is read for real.
    let Some(wish) = wish else { return Ok(Box::new(boxstep_engine::shared::NoScripts)) };
    let python = python::choose(wish.python.as_deref(), wish.project_python.as_deref(), program.python());
    let args = program.args.clone();
    let started =
        boxstep_script::process::ProcessHost::start(python.program.clone(), args, wish.options(), wish.virtual_time);
    match started {
        Ok(host) => Ok(Box::new(host)),
        Err(error) => Err(Failure::Usage(python::not_started(&python, python::Place::Process, &error))),
    }
}

#[cfg(not(unix))]
pub(crate) fn start(_wish: Option<PythonWish>, _program: &Program) -> Result<Box<dyn Host<Engine>>, Failure> {
    Err(Failure::Usage("`--scripts process` needs Linux or macOS: leave it out".to_owned()))
}
