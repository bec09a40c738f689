//! `cargo xtask wheel`: builds the Python package as `pip install .` does, and tests it in every Python of the
//! machine, with its sources hidden.

mod away;
mod pythons;
mod trial;

use crate::Outcome;
use crate::tools::{TempDir, root, run, target};
use away::Away;
use pythons::Python;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options of `cargo xtask wheel`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The Pythons [default: every CPython of the machine from 3.9 on]
    pythons: Vec<PathBuf>,
    /// Cargo's profile; `dev` is built faster
    #[arg(long, value_name = "NAME", default_value = "dist")]
    profile: String,
}

impl Options {
    /// For every Python of the machine.
    pub(crate) fn of_profile(profile: &str) -> Self {
        Self { pythons: Vec::new(), profile: profile.to_owned() }
    }
}

/// Builds one wheel from a checkout, then tests it in each Python, two at a time; the first failure ends it.
pub(crate) fn run_all(options: &Options, checkout: &Path) -> Outcome {
    let pythons = if options.pythons.is_empty() {
        pythons::of_the_machine()
    } else {
        options.pythons.iter().map(|p| pythons::named(p)).collect::<Result<_, _>>()?
    };
    let newest = pythons.last().ok_or("there is no CPython from 3.9 on: a wheel cannot be tried out")?;
    let place = TempDir::new("wheel")?;
    let wheel = make(newest, checkout, &options.profile, place.path())?;
    let away = Away::new(&[root(), checkout.to_owned(), target()]);
    println!("{}", away.words());
    let tried = |python: &Python| {
        let steps = trial::of(python, &wheel, &away, &place.path().join(python.name()));
        let steps = steps.map_err(|why| format!("in {python}: {why}"))?;
        println!("{python}: {steps} steps as they should be");
        Ok(())
    };
    pythons.chunks(2).try_for_each(|pair| {
        std::thread::scope(|threads| {
            let trials: Vec<_> = pair.iter().map(|python| threads.spawn(|| tried(python))).collect();
            let ends =
                trials.into_iter().map(|trial| trial.join().unwrap_or_else(|_| Err("a trial panicked".to_owned())));
            ends.collect::<Vec<Outcome>>().into_iter().collect()
        })
    })
}

/// Builds the wheel with `pip` and the build back end that `pyproject.toml` names, in an environment of its own.
fn make(python: &Python, checkout: &Path, profile: &str, place: &Path) -> Result<PathBuf, String> {
    let back_end = back_end()?;
    let environment = target().join("wheel").join(back_end.replace("==", "-")).join(python.name());
    let bin = pythons::bin(&environment);
    let pip = pythons::program(&environment);
    // An incomplete environment is created again.
    let is_there = Command::new(bin.join("maturin")).arg("--version").output().is_ok_and(|o| o.status.success());
    if !is_there {
        run(Command::new(&python.program).args(["-m", "venv", "--clear"]).arg(&environment))?;
        run(Command::new(&pip).args(["-m", "pip", "install", "--quiet", &back_end]))?;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(bin).chain(std::env::split_paths(&path)));
    let made = place.join("made");
    run(Command::new(&pip)
        .args(["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir"])
        .arg(&made)
        .arg(checkout)
        .env("PATH", path.map_err(|e| e.to_string())?)
        .env("CARGO_TARGET_DIR", target())
        .env("MATURIN_PEP517_ARGS", format!("--profile {profile}"))
        .env_remove("RUSTFLAGS"))?;
    let wheels: Vec<PathBuf> = std::fs::read_dir(&made)
        .map_err(|e| format!("{}: {e}", made.display()))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "whl"))
        .collect();
    match &wheels[..] {
        [one] => {
            let size = std::fs::metadata(one).map_or(0, |m| m.len());
            let name = one.file_name().unwrap_or_default().to_string_lossy();
            println!("{name}: {:.1} MB", size as f64 / 1e6);
            if name.contains("-cp39-abi3-") { Ok(one.clone()) } else { Err(format!("{name} is not for every Python")) }
        }
        others => Err(format!("pip has made {} wheels", others.len())),
    }
}

/// Returns the build back end with its version, as in `pyproject.toml`.
fn back_end() -> Result<String, String> {
    let file = root().join("pyproject.toml");
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let line = text.lines().find_map(|l| l.strip_prefix("requires = [\"")?.strip_suffix("\"]"));
    let pinned = line.filter(|line| line.starts_with("maturin=="));
    pinned.map(str::to_owned).ok_or_else(|| "pyproject.toml does not require one version of maturin".to_owned())
}
