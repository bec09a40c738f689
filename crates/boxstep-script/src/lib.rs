//! Script hosts without an interpreter: the Python 2 rewriter and the runtime that both hosts load.

pub mod rewrite;
