//! The invariants of recordings, for fuzzers: reading any bytes ends without a panic, and a recording is equal to
//! itself.

use crate::why::{stopped, why};
use crate::{Replay, compare, recording};
use boxstep_trace::Recording;
use std::io::Read as _;

/// Reads bytes as a recording and runs all queries on it.
///
/// # Panics
/// If an invariant is violated.
pub fn law(bytes: &[u8]) {
    let mut read = Vec::new();
    let Ok(mut lines) = recording(bytes) else { return };
    // Lines before a damaged record are valid.
    let _ = lines.read_to_end(&mut read);
    let text = String::from_utf8_lossy(&read);
    if let Ok(recording) = Recording::read(read.as_slice())
        && let Ok(answer) = stopped(&recording, None)
    {
        assert!(answer.to_string().lines().count() <= 10, "more than ten lines");
        let _ = answer.json();
        let _ = why(&answer.name, &recording, None);
    }
    let _ = Replay::read(&text);
    if let Ok(found) = compare(&text, &text) {
        assert!(found.parting.is_none(), "a recording differs from itself");
    }
}
