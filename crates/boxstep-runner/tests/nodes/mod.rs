//! What each kind of behavior and condition does, rule by rule, in virtual time.
#![allow(clippy::unwrap_used, unreachable_pub, reason = "a test may fail; its modules are its own")]

mod choose;
mod conditions;
mod decide;
mod hearing;
mod leaves;
mod machine;
mod order;
mod reload;
mod silence;
mod telling;
