//! The `boxstep` command line, without an interpreter.

mod account;
mod args;
mod calendar;
mod grammar;
