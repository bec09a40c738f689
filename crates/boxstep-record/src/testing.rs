//! The law of recordings, for fuzzers: whatever the bytes, reading them ends without a panic, and what is read is the same as itself.

use crate::why::{stopped, why};
use crate::{Replay, compare, recording};
use boxstep_trace::Recording;
use std::io::Read as _;

/// Reads bytes as a recording, and asks everything of it that can be asked.
///
/// # Panics
/// If the law is broken.
pub fn law(bytes: &[u8]) {
    let mut read = Vec::new();
    let Ok(mut lines) = recording(bytes) else { return };
    // What comes before a damage counts.
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
