//! What the tests of the program share.
#![allow(dead_code, unreachable_pub, unused_imports, clippy::unwrap_used)]

mod run;
pub mod xar;

pub use run::Run;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// The repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap()
}

/// What a wheel installs, in the folder `python`.
pub const PYTHON_PACKAGES: [&str; 4] = ["boxstep", "qicore", "qicore_legacy", "object_factory"];

/// The program, in the repository and without the user's settings.
pub fn boxstep(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_boxstep"));
    command.args(args).current_dir(root()).env_remove("BOXSTEP_ROBOT").env_remove("BOXSTEP_PYTHON");
    // Runs on robots are recorded, and not among the user's.
    command.env("XDG_STATE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("state"));
    command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
    command.env("PATH", path());
    command
}

/// `PATH` with the folder of the real `python3` first: a version manager's shim takes longer than most tests.
fn path() -> &'static OsStr {
    static PATH: OnceLock<OsString> = OnceLock::new();
    PATH.get_or_init(|| {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let python = python3().and_then(|python| python.parent().map(Path::to_owned));
        std::env::join_paths(python.into_iter().chain(std::env::split_paths(&path))).unwrap_or(path)
    })
}

/// How a run of the program ended and what it said.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Said {
    /// Fails with all that was said unless the code is this one and nothing panicked.
    #[track_caller]
    pub fn code(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n--- out\n{}\n--- err\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }
}

/// Runs the program to its end.
pub fn say(args: &[&str]) -> Said {
    boxstep(args).output().unwrap().into()
}

/// Runs the program with this on its standard input.
pub fn with_input(args: &[&str], input: &[u8]) -> Said {
    let mut command = boxstep(args);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A command that refuses its input closes it early.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap().into()
}

/// At which places of a text these stand: each once at least, in this order.
#[track_caller]
pub fn in_order(text: &str, wanted: &[&str]) {
    let mut rest = text;
    for one in wanted {
        let at = rest.find(one).unwrap_or_else(|| panic!("`{one}` does not stand where it should:\n{text}"));
        rest = &rest[at + one.len()..];
    }
}

/// The real `python3`, by its own word: a shim of a version manager looks elsewhere without its PATH.
pub fn python3() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let output = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().ok()?;
        output.status.success().then(|| PathBuf::from(String::from_utf8(output.stdout).unwrap().trim()))
    });
    if found.is_none() {
        println!("skipped: there is no python3");
    }
    found.clone()
}

/// Box scripts can be run; else it is told that a test is skipped.
pub fn has_python() -> bool {
    python3().is_some()
}

/// A file of `tests/fixtures`, from the repository.
pub fn fixture(name: &str) -> String {
    format!("crates/boxstep/tests/fixtures/{name}")
}

/// A new name of a file or folder, which is removed when dropped.
pub struct Temp(pub PathBuf);

impl Temp {
    pub fn new(ending: &str) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let n = COUNT.fetch_add(1, Ordering::Relaxed);
        Self(std::env::temp_dir().join(format!("boxstep-test-{}-{n}.{ending}", std::process::id())))
    }

    pub fn arg(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0).or_else(|_| std::fs::remove_dir_all(&self.0));
    }
}

/// Writes a program that stands for ssh (`fixtures/ssh.py`) into a folder; returns its path.
pub fn fake_ssh(folder: &Path) -> PathBuf {
    let program = folder.join("ssh");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ssh.py");
    let text = format!("#!/bin/sh\nexec '{}' '{}' \"$@\"\n", python3().unwrap().display(), script.display());
    std::fs::write(&program, text).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    program
}
