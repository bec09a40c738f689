//! Behaviors that delegate: orders, answers, refusals, ends (`docs/reference/runner.md`).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]
#![allow(unreachable_pub, missing_docs, reason = "a test")]

mod cases;
mod laws;
mod order;
mod puppet;
mod random;
mod refusals;
mod reload;
mod roots;
mod slow;
mod table;
mod walk;
