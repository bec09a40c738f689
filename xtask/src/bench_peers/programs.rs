//! `qi` and `naoqi` in a plain Python, beside PyPI's `qi`: calls a second against the same robot, the time of the import, and
//! what a million calls leave behind.

use crate::tools::{self, TempDir, output, root, target};
use crate::{Outcome, interop};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// A simulated robot, which ends with this value.
struct Robot {
    process: Child,
    url: String,
}

impl Robot {
    fn start(binary: &Path) -> Result<Self, String> {
        let mut process = Command::new(binary)
            .args(["robot", "--listen", "127.0.0.1:0"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", binary.display()))?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            let mut out = BufReader::new(out);
            let _ = out.read_line(&mut line);
            // The robot tells what it does; nobody reads it, and it must not wait for a reader.
            std::thread::spawn(move || out.lines().map_while(Result::ok).for_each(drop));
        }
        match line.split_whitespace().last() {
            Some(url) if url.starts_with("tcp://") => Ok(Self { process, url: url.to_owned() }),
            _ => Err(format!("the robot says {line:?}")),
        }
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub(super) fn run() -> Outcome {
    let binary = tools::release_binary()?;
    let place = TempDir::new("programs")?;
    let package = package(place.path())?;
    let robot = Robot::start(&binary)?;
    let ours = |what: &str| {
        let mut command = Command::new("python3");
        command.env("PYTHONPATH", std::env::join_paths([&package, &package.join("boxstep/sdk")]).unwrap_or_default());
        measure(&mut command, &robot.url, what)
    };
    let mut missed = Vec::new();
    // The first one compiles the modules, as an installation does.
    let mut imports = (0..6).map(|_| ours("import")).collect::<Result<Vec<_>, _>>()?;
    imports.remove(0);
    imports.sort_by(f64::total_cmp);
    let import = imports[imports.len() / 2];
    println!("import naoqi: {import:.1} ms, the median of five (bar: 50)");
    if import > 50.0 {
        missed.push("the import");
    }
    let (session, proxy) = (ours("session")?, ours("proxy")?);
    println!("qi.Session: {session:.0} calls/s; ALProxy: {proxy:.0} calls/s");
    match interop::python() {
        Ok(python) => {
            let peer = measure(&mut Command::new(python), &robot.url, "session")?;
            println!("PyPI's qi: {peer:.0} calls/s, so ALProxy makes {:.2} times as many (bar: 2)", proxy / peer);
            if proxy < 2.0 * peer {
                missed.push("calls");
            }
        }
        Err(why) => println!("PyPI's qi is not measured: {why}"),
    }
    let leak = ours("leak")?;
    println!("a million calls leave {leak:.0} KiB (bar: 1,000)");
    if leak > 1_000.0 {
        missed.push("the leak");
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("bars missed: {}", missed.join(", "))) }
}

fn measure(command: &mut Command, url: &str, what: &str) -> Result<f64, String> {
    let script = root().join("crates/boxstep/benches/proxies.py");
    let said = output(command.arg(script).args([url, what]))?;
    // PyPI's `qi` logs to the same output.
    let last = said.trim().lines().last().unwrap_or_default();
    last.parse().map_err(|_| format!("{what}: {said}"))
}

/// Puts the package together as it would be installed; returns the folder.
fn package(place: &Path) -> Result<PathBuf, String> {
    let folder = place.join("package");
    let from = root().join("python/boxstep");
    for entry in walkdir::WalkDir::new(&from) {
        let entry = entry.map_err(|e| e.to_string())?;
        let to = folder.join("boxstep").join(entry.path().strip_prefix(&from).unwrap_or(entry.path()));
        let done = if entry.file_type().is_dir() {
            std::fs::create_dir_all(&to)
        } else {
            std::fs::copy(entry.path(), &to).map(drop)
        };
        done.map_err(|e| format!("{}: {e}", to.display()))?;
    }
    let native = format!("{}boxstep_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let built = target().join("release").join(native);
    let to = folder.join("boxstep/boxstep_native.abi3.so");
    std::fs::copy(&built, &to).map_err(|e| format!("{}: {e}", built.display()))?;
    Ok(folder)
}
