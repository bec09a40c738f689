//! The native module: the engine inside the user's own Python. No other crate uses PyO3.
//!
//! - [`run`](native::run): turns orders of the engine into calls of the Python runtime; its workers are Python threads
//! - [`engine_handle`](native::engine_handle): the requests of the runtime to the engine
//! - [`locks`](native::locks): the locks under `threading`
//! - [`values`](native::values): converts values to Python and back
//! - [`host`](native::host): a run, from the installation of the shims to its end

// `native::threads` has the calls of the stable C API for which PyO3 has no safe form.

#![cfg(feature = "native")]

mod launch;
mod native;

use pyo3::prelude::*;

#[pymodule]
fn boxstep_native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    native::fill(module)
}
