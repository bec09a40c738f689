//! The helper process that runs scripts with `--scripts process`.

use crate::failure::Failure;
use crate::{Program, PythonWish, python};
use boxstep_engine::Engine;
use boxstep_engine::shared::Host;
use boxstep_engine::{CallbackId, protocol::ScriptError};
use boxstep_types::Value;

/// Starts the helper. It starts up while files are being read, and ends when the calling thread ends.
pub(crate) fn start(wish: Option<PythonWish>, program: &Program) -> Result<Box<dyn Host<Engine>>, Failure> {
    // If there is no wish, the reading of the files reports why.
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

/// Returns a host that starts its helper with the first script, if there is one.
pub(crate) fn on_demand(wish: &PythonWish, program: &Program) -> Result<Box<dyn Host<Engine>>, Failure> {
    let python = python::choose(wish.python.as_deref(), wish.project_python.as_deref(), program.python());
    let (args, options) = (program.args.clone(), wish.options());
    let nobody = std::sync::Arc::new(Nobody);
    let host =
        boxstep_script::process::ProcessHost::on_demand(python.program, args, options, wish.virtual_time, nobody);
    Ok(Box::new(host))
}

/// Ignores callbacks: this program passes no functions to the helper.
struct Nobody;

impl boxstep_script::process::Functions for Nobody {
    fn call(&self, _: CallbackId, _: &[Value]) -> Result<Value, ScriptError> {
        Ok(Value::Null)
    }
}
