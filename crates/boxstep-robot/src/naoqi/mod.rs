//! A real robot behind the qi protocol.

pub mod ask;
pub mod preflight;
pub mod stop;
