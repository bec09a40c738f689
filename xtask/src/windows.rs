//! `cargo xtask windows`: builds the program for Windows on Linux, and tries it with Wine. Needs Debian's packages
//! `mingw-w64` and `wine`; scripts need a Python for Windows, too (its "embeddable package", unpacked).

use crate::Outcome;
use crate::tools::{TempDir, add_target, cargo, root, run, target};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The options of `cargo xtask windows`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folders with `python.exe`, one for each Python that runs the scripts [default: none, scripts are not tried]
    #[arg(value_name = "FOLDER")]
    pythons: Vec<PathBuf>,
    /// Cargo's profile; `dist` tries what `cargo xtask dist` releases
    #[arg(long, value_name = "NAME", default_value = PROFILE)]
    profile: String,
}

const PROFILE: &str = "dev";

impl Default for Options {
    fn default() -> Self {
        Self { pythons: Vec::new(), profile: PROFILE.to_owned() }
    }
}

const TARGET: &str = "x86_64-pc-windows-gnu";

/// Wine before 9 lacks this library, which Rust takes random numbers from.
const RANDOM: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {
    return SystemFunction036(data, (ULONG)size);
}
";
const RANDOM_LIBRARY: &str = "bcryptprimitives.dll";

/// Examples that end by themselves and whose traces are known.
const EXAMPLES: [&str; 7] =
    ["hello", "say-and-wait", "loop-counter", "timeline-layers", "nested-parameters", "small-arm", "python2"];

pub(crate) fn run_all(options: &Options) -> Outcome {
    add_target(TARGET)?;
    let build = ["build", "--quiet", "--package", "boxstep", "--target", TARGET, "--profile", &options.profile];
    run(&mut cargo(&build))?;
    let profile = if options.profile == PROFILE { "debug" } else { &options.profile };
    let folder = target().join(TARGET).join(profile);
    let place = TempDir::new("windows")?;
    let source = place.path().join("random.c");
    std::fs::write(&source, RANDOM).map_err(|e| format!("{}: {e}", source.display()))?;
    let library = folder.join(RANDOM_LIBRARY);
    run(Command::new("x86_64-w64-mingw32-gcc")
        .args(["-shared", "-O1", "-o"])
        .arg(&library)
        .arg(&source)
        .arg("-ladvapi32"))?;
    let wine = Wine { program: folder.join("boxstep.exe"), place: place.path().to_owned(), python: None };
    wine.says(&["--version"], 0, "boxstep ")?;
    wine.says(&["check", "examples/hello"], 0, "0 errors")?;
    wine.says(&["check", "no-such-file.xar"], 1, "BS0001")?;
    wine.says(&["show", "examples/hello"], 0, "Wave")?;
    wine.says(&["play", "examples/hello", "--virtual-time", "--scripts", "off"], 0, "timeline end, frame 95")?;
    wine.says(&["pack", "examples/hello", &windows_path(&place.path().join("hello.crg"))], 0, "packed")?;
    println!("commands: as they should be");
    for python in &options.pythons {
        let python = python.canonicalize().map_err(|e| format!("{}: {e}", python.display()))?;
        // The interpreter loads the module, which needs the library.
        std::fs::copy(&library, python.join(RANDOM_LIBRARY)).map_err(|e| e.to_string())?;
        let wine = Wine { python: Some(python.join("python.exe")), ..wine.clone() };
        for host in ["native", "process"] {
            for example in EXAMPLES {
                wine.same_trace(example, host)?;
            }
        }
        wine.says(&["test", "examples"], 0, " passed, 0 failed")?;
        println!("{}: both hosts play {} examples with their known traces", python.display(), EXAMPLES.len());
    }
    Ok(())
}

/// A program under Wine, with settings of its own.
#[derive(Clone)]
struct Wine {
    program: PathBuf,
    place: PathBuf,
    python: Option<PathBuf>,
}

impl Wine {
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("wine");
        command.arg(&self.program).args(args).current_dir(root());
        command.env("WINEPREFIX", self.place.join("wine")).env("WINEDEBUG", "-all");
        // Python for Windows refuses a standard input that is no file, pipe or console of Windows.
        command.stdin(Stdio::piped());
        if let Some(python) = &self.python {
            command.env("BOXSTEP_PYTHON", windows_path(python));
        }
        command
    }

    /// Checks the exit code of a command, and that its output contains `part`.
    fn says(&self, args: &[&str], code: i32, part: &str) -> Outcome {
        let done = self.command(args).output().map_err(|e| format!("wine: {e}"))?;
        let text = [done.stdout, done.stderr].concat();
        let text = String::from_utf8_lossy(&text);
        if done.status.code() == Some(code) && text.contains(part) {
            return Ok(());
        }
        Err(format!("boxstep {} ends with {} and says:\n{text}", args.join(" "), done.status))
    }

    /// Checks that an example has its known trace. The first line has the options of the run.
    fn same_trace(&self, example: &str, host: &str) -> Outcome {
        let trace = self.place.join("trace.jsonl");
        let (folder, file) = (format!("examples/{example}"), windows_path(&trace));
        let args = ["play", &folder, "--virtual-time", "--scripts", host, "--trace", &file];
        self.says(&args, 0, "virtual time")?;
        let events = |path: &Path| {
            let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
            Ok::<_, String>(text.split_once('\n').map(|(_, events)| events.to_owned()))
        };
        if events(&trace)? == events(&root().join(&folder).join("golden.jsonl"))? {
            return Ok(());
        }
        Err(format!("{example} has another trace with the host `{host}` on Windows"))
    }
}

/// Returns the path under which a Windows program finds a file of this system.
fn windows_path(path: &Path) -> String {
    format!("Z:{}", path.display()).replace('/', "\\")
}
