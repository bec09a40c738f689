//! The hidden command `__bench`: measurements inside of Python, printed as plain numbers for the benchmarks.
//!
//! - `__bench hop [--virtual-time] ROUNDS BOXES`: see [`hop`]
//! - `__bench objects`: see [`objects`]
//! - `__bench lateness ROUNDS SECONDS`: see [`lateness`]
//!
//! It prints lines `name number number …`, with one number for each round. The package's `benches/performance.rs` says
//! what they mean.

mod hop;
#[cfg(target_os = "linux")]
mod lateness;
mod objects;
mod rig;

use pyo3::prelude::*;
use std::ffi::OsString;
use std::fmt::Write as _;

pub(crate) fn main(args: &[OsString]) -> i32 {
    let words: Vec<_> = args.iter().skip(2).map(|a| a.to_string_lossy()).collect();
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let number = |word: &str| word.parse::<u32>().map_err(|e| format!("{word}: {e}"));
    let done = match words[..] {
        ["hop", rounds, boxes] => number(rounds).and_then(|rounds| hop::run(false, rounds, number(boxes)? as usize)),
        ["hop", "--virtual-time", rounds, boxes] => {
            number(rounds).and_then(|rounds| hop::run(true, rounds, number(boxes)? as usize))
        }
        ["objects"] => objects::run(),
        #[cfg(target_os = "linux")]
        ["lateness", rounds, seconds] => number(rounds).and_then(|r| lateness::run(r, number(seconds)?)),
        _ => Err("no such measurement on this system".to_owned()),
    };
    match done {
        Ok(series) => {
            for (name, numbers) in series {
                let mut line = name.to_owned();
                for number in numbers {
                    // Writing to a string cannot fail.
                    let _ = write!(line, " {number:.1}");
                }
                println!("{line}");
            }
            0
        }
        Err(why) => {
            eprintln!("__bench: {why}");
            2
        }
    }
}

/// Numbers by name, one for each round; times in nanoseconds.
type Series = Vec<(&'static str, Vec<f64>)>;

/// Returns the native module, to which a measurement adds the functions that its scripts call. The package around it is
/// not loaded yet.
fn module(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    Ok(py.import("sys")?.getattr("modules")?.get_item("boxstep.boxstep_native")?.cast_into::<PyModule>()?)
}
