//! `cargo xtask ci`: all that must hold before a change is merged.

use crate::tools::{TempDir, cargo, root, run, target};
use crate::{Outcome, deps, documents, interop, interrupts, readme, torture, view, wheel};
use std::path::Path;
use std::process::Command;

/// Runs every check; the first that fails ends it.
pub(crate) fn all() -> Outcome {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    deps::run()?;
    documents::run()?;
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    run(cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links"))?;
    let commands = readme::first_commands()?;
    let (tests, others): (Vec<_>, Vec<_>) = commands.iter().partition(|c| c.starts_with("cargo test"));
    if tests.is_empty() || others.is_empty() {
        return Err("README.md must begin with the command that plays and the command that tests".to_owned());
    }
    for command in tests {
        run(&mut words(command, &root()))?;
    }
    // As tests, they run once and small, and judge no time: a benchmark that no longer works is noticed here.
    run(&mut cargo(&["test", "--workspace", "--bench", "*"]))?;
    view::run_all(&view::Options::default())?;
    interop::all()?;
    interrupts::few()?;
    torture::few()?;
    in_a_clone(&others)?;
    wheel::run_all(&wheel::Options::all())
}

/// The README's commands as somebody new meets them: a clone, and a home folder with nothing in it.
fn in_a_clone(commands: &[&String]) -> Outcome {
    let place = TempDir::new("clone")?;
    let clone = place.path().join("boxstep");
    let home = place.path().join("home");
    std::fs::create_dir_all(&home).map_err(|e| format!("{}: {e}", home.display()))?;
    run(Command::new("git").args(["clone", "--quiet"]).arg(root()).arg(&clone))?;
    let old_home = std::env::var_os("HOME").unwrap_or_default();
    let or_in_old_home = |name: &str, folder: &str| {
        std::env::var_os(name).unwrap_or_else(|| Path::new(&old_home).join(folder).into_os_string())
    };
    let at_home = |command: &mut Command| {
        command
            .env("CARGO_HOME", or_in_old_home("CARGO_HOME", ".cargo"))
            .env("RUSTUP_HOME", or_in_old_home("RUSTUP_HOME", ".rustup"))
            .env("HOME", &home)
            .env("CARGO_TARGET_DIR", target());
        run(command)
    };
    for command in commands {
        at_home(&mut words(command, &clone))?;
    }
    // Our own files have no findings.
    at_home(&mut words("cargo run --quiet --release -- check examples/*/behavior.xar", &clone))
}

/// A command line by a shell, as the README means it.
fn words(command: &str, place: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place);
    shell
}
