//! `cargo xtask ci`: all checks that must pass before a change is merged. CONTRIBUTING.md says what each step proves.

use crate::steps::Step;
use crate::tools::{TempDir, beside, cargo, root, run, target};
use crate::{Outcome, book, deps, documents, interop, interrupts, offline, readme, torture, view, wheel};
use std::path::Path;
use std::process::Command;

/// The steps, those that fail most often first.
pub(crate) const STEPS: [Step; 11] = [
    Step { name: "style", run: style },
    Step { name: "lints", run: lints },
    Step { name: "docs", run: docs },
    Step { name: "build", run: build },
    Step { name: "tests", run: tests },
    Step { name: "benches", run: benches },
    Step { name: "page", run: || view::run_all(&view::Options::default(), Some(&beside()?)) },
    Step { name: "offline", run: || offline::run_all(&offline::Options::default(), Some(&beside()?)) },
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
        .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private-intra-doc-links"))?;
    book::build()
}

/// Builds everything that later steps run at once, so that nothing is built twice with different features.
fn build() -> Outcome {
    run(&mut cargo(&["build", "--workspace", "--all-targets"]))
}

fn tests() -> Outcome {
    let (tests, _) = commands()?;
    let libqi = interop::python()?;
    tests.iter().try_for_each(|command| run(words(command, &root()).env(interop::PYTHON, &libqi)))
}

/// As tests, benchmarks run once with small sizes and measure no time, to detect benchmarks that do not work any more.
fn benches() -> Outcome {
    run(&mut cargo(&["test", "--workspace", "--bench", "*"]))
}

/// Runs the README's commands and tests the package as a new user would: in a clone, with an empty home folder.
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
    // The project's own files have no findings.
    at_home(&mut words("cargo run --quiet --release -- check examples/*/behavior.xar", &clone))?;
    wheel::run_all(&wheel::Options::of_profile("release"), &clone)
}

/// Returns the README's first commands: those that test, and the others.
fn commands() -> Result<(Vec<String>, Vec<String>), String> {
    let commands = readme::first_commands()?;
    let (tests, others): (Vec<_>, Vec<_>) = commands.into_iter().partition(|c| c.starts_with("cargo test"));
    if tests.is_empty() || others.is_empty() {
        return Err("README.md must begin with the command that plays and the command that tests".to_owned());
    }
    Ok((tests, others))
}

/// Returns a command line in a shell, as the README assumes.
fn words(command: &str, place: &Path) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(place);
    shell
}
