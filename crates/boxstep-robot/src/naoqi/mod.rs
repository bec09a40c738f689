//! A real robot behind the qi protocol.

pub mod ask;
pub mod panic;
pub mod preflight;
