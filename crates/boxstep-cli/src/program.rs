//! The program that runs [`main`](crate::main): the binary, or the Python package.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program that runs the command line, its arguments, and how to start it again.
#[derive(Clone, Debug)]
pub struct Program {
    /// The command line; the first argument is the program's name.
    pub args: Vec<OsString>,
    /// The executable, and the arguments that come before those of the command line.
    start: (PathBuf, Vec<OsString>),
    /// The Python that has the program as a package.
    python: Option<PathBuf>,
}

impl Program {
    /// Describes the binary of this process.
    pub fn binary(args: Vec<OsString>) -> Self {
        // If the system does not tell the path, use the name by which the shell found it.
        let named = || args.first().map(PathBuf::from).unwrap_or_default();
        let file = std::env::current_exe().unwrap_or_else(|_| named());
        crate::examples::look_beside(&file);
        Self { args, start: (file, Vec::new()), python: None }
    }

    /// Describes a package of `python` with the native module `module`, which Python starts with the arguments `start`.
    pub fn package(args: Vec<OsString>, python: PathBuf, module: &Path, start: Vec<OsString>) -> Self {
        crate::examples::look_beside(module);
        Self { args, start: (python.clone(), start), python: Some(python) }
    }

    /// Returns a command that starts the program again in a new process; the arguments of its command line are added to
    /// it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.start.0);
        command.args(&self.start.1);
        // The new run is independent: it does not end with the scripts of this process.
        command.env(boxstep_script::keeper::MARK, "apart");
        command
    }

    /// Returns the Python that has the program as a package. Box scripts run in it, unless the user names another one.
    pub fn python(&self) -> Option<&Path> {
        self.python.as_deref()
    }
}
