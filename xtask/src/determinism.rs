//! Checks that the same run gives the same trace, also on a machine that is busy with other things.

use crate::tools::{TempDir, release_binary, root};
use crate::{Outcome, corpus};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;

/// Plays each example `runs` times in virtual time next to one spinning process per core.
pub(crate) fn run(runs: u32, examples: &[PathBuf]) -> Outcome {
    let binary = release_binary()?;
    let place = TempDir::new("determinism")?;
    let examples = if examples.is_empty() { corpus::behaviors(&root().join("examples"))? } else { examples.to_vec() };
    let _busy = Busy::start()?;
    let mut wrong = Vec::new();
    for example in &examples {
        let first = trace(&binary, example, place.path())?;
        let mut different = 0;
        for _ in 1..runs {
            if let Some(difference) = boxstep_record::diff(&first, &trace(&binary, example, place.path())?) {
                different += 1;
                if different == 1 {
                    println!("{}: {difference}", example.display());
                }
            }
        }
        let shown = example.strip_prefix(root()).unwrap_or(example).display();
        println!("{shown}: {} of {runs} traces are the same ({} lines)", runs - different, first.lines().count());
        if different > 0 || !first.trim_end().ends_with("\"deterministic\":true}") {
            wrong.push(shown.to_string());
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("not the same every time: {}", wrong.join(", "))) }
}

fn trace(binary: &Path, example: &Path, place: &Path) -> Result<String, String> {
    let file = place.join("trace.jsonl");
    let status = Command::new(binary)
        .arg("play")
        .arg(example)
        .args(["--virtual-time", "--quiet", "--for", "60", "--trace"])
        .arg(&file)
        .stdout(Stdio::null())
        .status()
        .map_err(|e| format!("{}: {e}", binary.display()))?;
    if !status.success() {
        return Err(format!("{}: {status}", example.display()));
    }
    std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))
}

/// Processes that keep every core busy until dropped.
struct Busy(Vec<Child>);

impl Busy {
    fn start() -> Result<Self, String> {
        let me = std::env::current_exe().map_err(|e| e.to_string())?;
        let mut busy = Self(Vec::new());
        for _ in 0..available_parallelism().map_or(1, usize::from) {
            let child = Command::new(&me).arg("spin").stdin(Stdio::piped()).spawn().map_err(|e| e.to_string())?;
            busy.0.push(child);
        }
        Ok(busy)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Spins until standard input is closed, so that the process ends when its parent dies.
pub(crate) fn spin() -> Outcome {
    std::thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink()).map(drop).map_err(|e| e.to_string())
}
