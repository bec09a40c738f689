//! Chooses the Python that runs or parses scripts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// An interpreter, and where its name comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Python {
    /// A path, or a name on `PATH`.
    pub program: PathBuf,
    /// Where the name comes from, for messages.
    pub from: &'static str,
}

/// Chooses the interpreter: `--python`, then `BOXSTEP_PYTHON`, the project's `boxstep.toml`, the Python that has this
/// program as a package, the virtual environment, `PATH`.
pub fn choose(asked: Option<&Path>, project: Option<&str>, own: Option<&Path>) -> Python {
    choose_from(asked, project, own, |name| std::env::var_os(name))
}

fn choose_from(
    asked: Option<&Path>,
    project: Option<&str>,
    own: Option<&Path>,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Python {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let python = |program: PathBuf, from| Python { program, from };
    if let Some(program) = asked {
        return python(program.to_owned(), "--python");
    }
    if let Some(program) = set("BOXSTEP_PYTHON") {
        return python(program, "BOXSTEP_PYTHON");
    }
    if let Some(program) = project {
        return python(program.into(), "boxstep.toml");
    }
    if let Some(program) = own {
        return python(program.to_owned(), "it has the package boxstep");
    }
    match set("VIRTUAL_ENV") {
        Some(folder) if cfg!(windows) => python(folder.join("Scripts").join("python.exe"), "VIRTUAL_ENV"),
        Some(folder) => python(folder.join("bin").join("python"), "VIRTUAL_ENV"),
        None => {
            let (program, from) = found();
            python(program, from)
        }
    }
}

/// Returns the Python that a shell would find, and where.
#[cfg(not(windows))]
fn found() -> (PathBuf, &'static str) {
    ("python3".into(), "found on PATH")
}

/// Returns the Python that a shell would find, and where; else the newest that the launcher `py` knows. What Windows
/// itself puts on the path as `python` only opens its store.
#[cfg(windows)]
fn found() -> (PathBuf, &'static str) {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let of_store = |folder: &Path| folder.to_string_lossy().to_lowercase().ends_with("microsoft\\windowsapps");
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute() && !of_store(folder));
    let mut on_path = folders.map(|folder| folder.join("python.exe"));
    if let Some(program) = on_path.find(|program| program.is_file()) {
        return (program, "found on PATH");
    }
    let mut launcher = std::process::Command::new("py");
    let asked = launcher.args(["-3", "-c", "import sys; sys.stdout.write(sys.executable)"]).output();
    match asked.ok().filter(|asked| asked.status.success()).and_then(|asked| String::from_utf8(asked.stdout).ok()) {
        Some(program) if !program.is_empty() => (program.into(), "found by py"),
        _ => ("python".into(), "found on PATH"),
    }
}

/// Where scripts run, which decides which Python versions can run them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the Python that the program becomes.
    Native,
    /// In a separate process.
    Process,
}

/// Returns the message for a Python that cannot be started.
pub fn not_started(python: &Python, place: Place, error: &dyn std::fmt::Display) -> String {
    let wanted = match place {
        Place::Native => "Python 3.9 or newer",
        Place::Process => "Python 3.9 or newer, or 2.7,",
    };
    format!(
        "cannot start {} ({}): {error}\n\
         Name a {wanted} with --python or BOXSTEP_PYTHON,\n\
         or play everything but the scripts with --scripts off.",
        python.program.display(),
        python.from
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_decides() {
        let none = |_: &str| None;
        let program = |p: Python| p.program.to_string_lossy().into_owned();
        assert_eq!(choose_from(None, None, None, none).from, "found on PATH");
        assert_eq!(program(choose_from(None, Some("python3.9"), None, none)), "python3.9");
        let variable = |name: &str| (name == "BOXSTEP_PYTHON").then(|| "/p".into());
        assert_eq!(program(choose_from(None, Some("python3.9"), None, variable)), "/p");
        assert_eq!(program(choose_from(Some(Path::new("/q")), Some("python3.9"), None, variable)), "/q");
        let environment = |name: &str| (name == "VIRTUAL_ENV").then(|| "/env".into());
        assert!(program(choose_from(None, None, None, environment)).starts_with("/env"));
        let own = Some(Path::new("/own"));
        assert_eq!(program(choose_from(None, None, own, environment)), "/own", "the package comes before where it is");
        assert_eq!(program(choose_from(None, Some("python3.9"), own, none)), "python3.9");
        assert_eq!(program(choose_from(None, None, own, variable)), "/p");
        let empty = |_: &str| Some(OsString::new());
        assert_eq!(choose_from(None, None, None, empty).from, "found on PATH");
    }
}
