//! The Python installations of this machine.

use crate::tools::output;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A CPython that the package supports.
#[derive(Clone, Debug)]
pub(super) struct Python {
    /// The path that the interpreter itself reports: a program on `PATH` may only be a shim.
    pub(super) program: PathBuf,
    version: (u32, u32, u32),
}

impl Python {
    /// Returns a name for folders.
    pub(super) fn name(&self) -> String {
        let (major, minor, micro) = self.version;
        let place: String = self.program.to_string_lossy().chars().filter(char::is_ascii_alphanumeric).collect();
        format!("{major}.{minor}.{micro}-{place}")
    }
}

impl fmt::Display for Python {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor, micro) = self.version;
        write!(f, "Python {major}.{minor}.{micro} ({})", self.program.display())
    }
}

/// Returns the folder of an environment's programs.
pub(super) fn bin(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// Returns the Python of an environment.
pub(super) fn program(environment: &Path) -> PathBuf {
    bin(environment).join(format!("python{}", std::env::consts::EXE_SUFFIX))
}

/// Returns the Pythons on `PATH` and those of pyenv, from version 3.9 on, each once, the oldest first.
pub(super) fn of_the_machine() -> Vec<Python> {
    let mut folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    folders.extend(["/usr/bin", "/usr/local/bin"].map(PathBuf::from));
    let pyenv = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let pyenv = pyenv.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".pyenv")));
    let versions = pyenv.and_then(|pyenv| std::fs::read_dir(pyenv.join("versions")).ok());
    folders.extend(versions.into_iter().flatten().flatten().map(|entry| entry.path().join("bin")));
    let names = std::iter::once("python3".to_owned()).chain((9..30).map(|minor| format!("python3.{minor}")));
    let files =
        names.flat_map(|name| folders.iter().map(move |f| f.join(format!("{name}{}", std::env::consts::EXE_SUFFIX))));
    let found = files.filter(|file| file.is_file()).filter_map(|file| named(&file).ok());
    // The Python of an environment counts as the one it was created from.
    let each: BTreeMap<PathBuf, Python> =
        found.filter_map(|python| Some((python.program.canonicalize().ok()?, python))).collect();
    let mut all: Vec<Python> = each.into_values().collect();
    all.sort_by_key(|python| python.version);
    all
}

/// Returns the Python with a name or path.
pub(super) fn named(program: &Path) -> Result<Python, String> {
    const WHO: &str = "import platform, sys; print(platform.python_implementation(), '%d %d %d' % sys.version_info[:3], sys.executable)";
    let said = output(Command::new(program).args(["-I", "-c", WHO]))?;
    let mut words = said.trim_end().splitn(5, ' ');
    let implementation = words.next().unwrap_or_default().to_owned();
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or_default();
    let version = (number(), number(), number());
    let python = Python { program: words.next().unwrap_or_default().into(), version };
    if implementation == "CPython" && version >= (3, 9, 0) {
        Ok(python)
    } else {
        Err(format!("{python} is {implementation}; the package is for CPython from 3.9 on"))
    }
}
