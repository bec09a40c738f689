//! What each kind of behavior and condition does, rule by rule, in virtual time.
#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod choose;
mod order;
mod support;
