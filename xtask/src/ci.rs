//! `cargo xtask ci`: all that must hold before a change is merged. CONTRIBUTING.md says what each step proves.

use crate::steps::Step;
use crate::tools::{TempDir, beside, cargo, root, run, target};
use crate::{Outcome, deps, documents, interop, interrupts, readme, torture, view, wheel};
use std::path::Path;
use std::process::Command;

/// What is soonest wrong comes first.
pub(crate) const STEPS: [Step; 10] = [
    Step { name: "style", run: style },
    Step { name: "lints", run: lints },
    Step { name: "docs", run: docs },
    Step { name: "build", run: build },
    Step { name: "tests", run: tests },
    Step { name: "benches", run: benches },
    Step { name: "page", run: || view::run_all(&view::Options::default(), Some(&beside()?)) },
    Step { name: "interrupts", run: || interrupts::few(&beside()?) },
    Step { name: "torture", run: || torture::few(&beside()?) },
    Step { name: "users", run: users },
];

fn style() -> Outcome {
    run(&mut cargo(&["fmt", "--all", "--check"]))?;
    deps::run()?;
    documents::run()
}

fn lints() -> Outcome {
    run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn docs() -> Outcome {
    run(cargo(&["doc", "--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links"))
}

/// All that later steps run: built at once, so that nothing is built twice with other features.
fn build() -> Outcome {
    run(&mut cargo(&["build", "--workspace", "--all-targets"]))
}

fn tests() -> Outcome {
    let (tests, _) = commands()?;
    let libqi = interop::python()?;
    tests.iter().try_for_each(|command| run(words(command, &root()).env(interop::PYTHON, &libqi)))
}

/// As tests, they run once and small, and judge no time: a benchmark that no longer works is noticed here.
fn benches() -> Outcome {
    run(&mut cargo(&["test", "--workspace", "--bench", "*"]))
}

/// The README's commands, and the package, as somebody new meets them: a clone, and a home folder with nothing in it.
fn users() -> Outcome {
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
    let (_, others) = commands()?;
    for command in &others {
        at_home(&mut words(command, &clone))?;
    }
    // Our own files have no findings.
    at_home(&mut words("cargo run --quiet --release -- check examples/*/behavior.xar", &clone))?;
    wheel::run_all(&wheel::Options::of_profile("release"), &clone)
}

/// The README's first commands: those that test, and the others.
fn commands() -> Result<(Vec<String>, Vec<String>), String> {
    let commands = readme::first_commands()?;
    let (tests, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(|c| c.starts_with("cargo test"));
    if tests.is_empty() || others.is_empty() {
        return Err("README.md must begin with the command that plays and the command that tests".to_owned());
    }
    Ok((tests, others))
}

/// A command line by a shell, as the README means it.
fn words(command: &str, place: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place);
    shell
}
