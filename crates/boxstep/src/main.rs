//! The `boxstep` command.
fn main() {}
