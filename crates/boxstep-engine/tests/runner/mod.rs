//! The behavior runner: orders, answers, refusals, ends (`docs/runner.md`).

#![allow(unreachable_pub, missing_docs, reason = "a test")]

mod claims;
mod errands;
mod hosted;
mod laws;
mod order;
mod puppet;
mod random;
mod refusals;
mod reload;
mod roots;
mod scripted;
mod slow;
mod table;
mod told;
mod walk;
