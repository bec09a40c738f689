//! The native module: the engine inside the user's own Python, and the only place that knows its interpreter.
//!
//! - [`run`](native::run): orders of the engine as calls of the Python runtime; workers as Python threads
//! - [`engine_handle`](native::engine_handle): what the runtime asks of the engine
//! - [`locks`](native::locks): the locks that the shims put under `threading`
//! - [`values`](native::values): values to Python and back
//! - [`host`](native::host): a run, from the installed shims to its end

// The calls of the stable C API that PyO3 has no safe form of are in `native::threads`.

#![cfg(feature = "native")]

mod launch;
mod native;

use pyo3::prelude::*;

#[pymodule]
fn boxstep_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    native::fill(module)
}
