//! `cargo xtask static`: builds the program for the robot's own computer (`docs/guides/on-the-robot.md`). It is statically
//! linked, so that it does not depend on the robot's C library, and pure Rust, so that no C cross-compiler is needed.

use crate::Outcome;
use crate::tools::{add_target, cargo, output, root, run, target};
use std::path::PathBuf;
use std::process::Command;

/// 32 bits, like the system of NAO 4, NAO 5 and Pepper, whatever their processors support.
const TARGET: &str = "i686-unknown-linux-musl";

/// SSE2 and nothing newer, which the Atoms of all these robots have. It is the target's default, and is set here to
/// override flags for the builder's machine in the environment.
const FLAGS: &str = "-C target-cpu=pentium4 -C strip=debuginfo";

/// Builds the program, reports its path and size, and tests it where such programs run.
pub(crate) fn run_all() -> Outcome {
    add_target(TARGET)?;
    let mut build =
        cargo(&["build", "--profile", "dist", "--package", "boxstep", "--bin", "boxstep", "--no-default-features"]);
    run(build.args(["--target", TARGET]).env("RUSTFLAGS", FLAGS).env_remove("CARGO_ENCODED_RUSTFLAGS"))?;
    let program = target().join(TARGET).join("dist").join("boxstep");
    let size = std::fs::metadata(&program).map_err(|e| format!("{}: {e}", program.display()))?.len();
    println!("{}: {:.1} MB", program.display(), size as f64 / 1e6);
    is_static(&program)?;
    try_it(&program)
}

/// Checks that a file is a 32-bit ELF program for Intel processors that needs no dynamic loader.
fn is_static(program: &PathBuf) -> Outcome {
    let bytes = std::fs::read(program).map_err(|e| format!("{}: {e}", program.display()))?;
    static_386(&bytes).map_err(|why| format!("{}: {why}", program.display()))
}

fn static_386(elf: &[u8]) -> Result<(), &'static str> {
    const INTERPRETER: u32 = 3;
    let half = |at: usize| Some(u16::from_le_bytes(elf.get(at..at + 2)?.try_into().ok()?));
    let word = |at: usize| Some(u32::from_le_bytes(elf.get(at..at + 4)?.try_into().ok()?));
    if elf.get(..5) != Some(b"\x7fELF\x01") || half(18) != Some(3) {
        return Err("no program of 32 bits for Intel processors");
    }
    let (Some(table), Some(size), Some(count)) = (word(28), half(42), half(44)) else {
        return Err("its header is cut off");
    };
    let kinds = (0..usize::from(count)).map(|n| word(table as usize + n * usize::from(size)));
    if kinds.into_iter().any(|kind| kind == Some(INTERPRETER)) {
        return Err("it wants libraries of the system it runs on");
    }
    Ok(())
}

/// Plays the first example, if this machine runs 32-bit programs.
fn try_it(program: &PathBuf) -> Outcome {
    match output(Command::new(program).arg("--version")) {
        Ok(version) => print!("it runs here: {version}"),
        Err(why) => {
            println!("not tried, for this machine does not run it: {why}");
            return Ok(());
        }
    }
    let examples = root().join("examples");
    run(Command::new(program).args(["play", "--virtual-time"]).arg(examples.join("hello")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a header and one entry of the table after it.
    fn elf(class: u8, machine: u16, kind: u32) -> Vec<u8> {
        let mut bytes = vec![0; 52 + 32];
        bytes[..5].copy_from_slice(&[0x7f, b'E', b'L', b'F', class]);
        bytes[18..20].copy_from_slice(&machine.to_le_bytes());
        bytes[28..32].copy_from_slice(&52u32.to_le_bytes());
        bytes[42..44].copy_from_slice(&32u16.to_le_bytes());
        bytes[44..46].copy_from_slice(&1u16.to_le_bytes());
        bytes[52..56].copy_from_slice(&kind.to_le_bytes());
        bytes
    }

    #[test]
    fn only_a_program_of_32_bits_that_needs_no_library_will_do() {
        assert_eq!(static_386(&elf(1, 3, 1)), Ok(()));
        assert!(static_386(&elf(1, 3, 3)).is_err(), "it asks for a loader");
        assert!(static_386(&elf(2, 62, 1)).is_err(), "64 bits");
        assert!(static_386(&elf(1, 40, 1)).is_err(), "ARM");
        assert!(static_386(b"#!/bin/sh").is_err());
        assert!(static_386(&elf(1, 3, 1)[..30]).is_err());
    }
}
