//! `cargo xtask dist`: makes what a release consists of: for each system a wheel and an archive of the program, the
//! licenses of all that is in them, and checksums. It publishes nothing.

use crate::tools::{TempDir, add_target, cargo, python_with, root, run, target as target_folder};
use crate::{Outcome, licenses};
use sha2::{Digest as _, Sha256};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// The options of `cargo xtask dist`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The systems, as Rust's target triples [default: all that this machine can build for]
    targets: Vec<String>,
    /// The folder for the results
    #[arg(long, value_name = "FOLDER", default_value = RESULTS)]
    out: PathBuf,
}

const RESULTS: &str = "target/dist-files";

impl Default for Options {
    fn default() -> Self {
        Self { targets: Vec::new(), out: RESULTS.into() }
    }
}

/// What builds the wheels, and a C compiler and linker for other systems.
const TOOLS: &str = "maturin==1.16.0 ziglang==0.17.1 cargo-zigbuild==0.24.1";
/// The oldest C library of Linux that programs run with: that of manylinux2014, from 2012.
const GLIBC: &str = "2.17";

/// Returns the systems that this machine can build for. Those of macOS need its SDK.
fn targets_here() -> &'static [&'static str] {
    if cfg!(target_os = "macos") {
        &["aarch64-apple-darwin", "x86_64-apple-darwin"]
    } else if cfg!(windows) {
        &["x86_64-pc-windows-msvc"]
    } else {
        &["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-gnu"]
    }
}

pub(crate) fn run_all(options: &Options) -> Outcome {
    let out = root().join(&options.out);
    std::fs::create_dir_all(&out).map_err(|e| format!("{}: {e}", out.display()))?;
    let base = OsStr::new(if cfg!(windows) { "python" } else { "python3" });
    let python = python_with(base, "dist-python", TOOLS, "maturin")?;
    let chosen = options.targets.iter().map(String::as_str);
    let targets: Vec<&str> = if options.targets.is_empty() { targets_here().to_vec() } else { chosen.collect() };
    for target in targets {
        add_target(target)?;
        licenses::write(target)?;
        timed("wheel", target, || wheel(&python, target, &out))?;
        timed("archive", target, || archive(&python, target, &out))?;
    }
    checksums(&out)
}

/// Tells how long a step took: the first one for a system compiles everything.
fn timed(what: &str, target: &str, step: impl FnOnce() -> Outcome) -> Outcome {
    let start = Instant::now();
    step()?;
    println!("{what} for {target}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Returns a command with the tools first on the path.
fn with_tools(command: &mut Command, python: &Path) -> Result<(), String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let tools = python.parent().map(Path::to_owned);
    let path = std::env::join_paths(tools.into_iter().chain(std::env::split_paths(&path)));
    command.env("PATH", path.map_err(|e| e.to_string())?).env_remove("RUSTFLAGS").current_dir(root());
    Ok(())
}

/// Builds the wheel with the build back end that `pip` calls, too.
fn wheel(python: &Path, target: &str, out: &Path) -> Outcome {
    let zig = if target.contains("linux") { " --zig --compatibility manylinux2014" } else { "" };
    let build =
        "import sys; sys.path.insert(0, 'python'); import build_backend; build_backend.build_wheel(sys.argv[1])";
    let mut command = Command::new(python);
    with_tools(&mut command, python)?;
    command
        .args(["-c", build])
        .arg(out)
        .env("BOXSTEP_LICENSES", licenses::file())
        .env("MATURIN_PEP517_ARGS", format!("--target {target}{zig}"));
    run(&mut command)
}

/// Builds the program with the module that it loads, and packs both with the examples and the licenses.
fn archive(python: &Path, target: &str, out: &Path) -> Outcome {
    let (subcommand, triple) = match target.contains("linux") {
        true => ("zigbuild", format!("{target}.{GLIBC}")),
        false => ("build", target.to_owned()),
    };
    let mut build = cargo(&[subcommand, "--quiet", "--profile", "dist", "--package", "boxstep", "--target", &triple]);
    // As wheels have it.
    build.args(["--features", &licenses::FEATURES.join(",")]);
    with_tools(&mut build, python)?;
    run(&mut build)?;
    let made = target_folder().join(target).join("dist");
    let name = format!("boxstep-{}-{target}", env!("CARGO_PKG_VERSION"));
    let place = TempDir::new("archive")?;
    let folder = place.path().join(&name);
    let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    std::fs::create_dir_all(&folder).map_err(|e| failed(&folder, e))?;
    let (program, module) = match target {
        t if t.contains("windows") => ("boxstep.exe", "boxstep_native.dll"),
        t if t.contains("apple") => ("boxstep", "libboxstep_native.dylib"),
        _ => ("boxstep", "libboxstep_native.so"),
    };
    let mut files: Vec<PathBuf> = [program, module].map(|file| made.join(file)).into();
    files.extend(["README.md", "LICENSE-MIT", "LICENSE-APACHE"].map(|file| root().join(file)));
    for file in files {
        let copy = folder.join(file.file_name().unwrap_or_default());
        std::fs::copy(&file, copy).map_err(|e| failed(&file, e))?;
    }
    let notices = licenses::file();
    std::fs::copy(&notices, folder.join(licenses::NAME)).map_err(|e| failed(&notices, e))?;
    // `git archive` leaves out what is not part of the project.
    let examples = place.path().join("examples.tar");
    run(Command::new("git")
        .args(["archive", "--output"])
        .arg(&examples)
        .args(["HEAD", "examples"])
        .current_dir(root()))?;
    run(Command::new("tar").arg("-xf").arg(&examples).arg("-C").arg(&folder))?;
    let (form, ending) = if target.contains("windows") { ("zip", "zip") } else { ("gztar", "tar.gz") };
    let pack = "import shutil, sys; shutil.make_archive(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4])";
    run(Command::new(python).args(["-c", pack]).arg(out.join(&name)).arg(form).arg(place.path()).arg(&name))?;
    println!("{name}.{ending}");
    Ok(())
}

/// Writes the checksums of all results, as `sha256sum --check` reads them.
fn checksums(out: &Path) -> Outcome {
    let failed = |e: std::io::Error| format!("{}: {e}", out.display());
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(out).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name != SUMS {
            let bytes = std::fs::read(&path).map_err(failed)?;
            let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            println!("{name}: {:.1} MB", bytes.len() as f64 / 1e6);
            lines.push(format!("{sum}  {name}\n"));
        }
    }
    lines.sort_by(|a, b| a[64..].cmp(&b[64..]));
    std::fs::write(out.join(SUMS), lines.concat()).map_err(failed)
}

const SUMS: &str = "SHA256SUMS";
