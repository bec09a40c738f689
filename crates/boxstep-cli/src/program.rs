//! What runs [`main`](crate::main): the binary, or the Python package.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

/// What runs the command line, what it was asked, and how it is started once more.
#[derive(Clone, Debug)]
pub struct Program {
    /// The command line; the first is the program's name.
    pub args: Vec<OsString>,
    /// A program, and the arguments that go before those of the command line.
    start: (PathBuf, Vec<OsString>),
    /// The Python that has it as a package.
    python: Option<PathBuf>,
}

impl Program {
    /// The binary of this process.
    pub fn binary(args: Vec<OsString>) -> Self {
        // The system may not say; then it is found as the shell has found it.
        let named = || args.first().map(PathBuf::from).unwrap_or_default();
        let file = std::env::current_exe().unwrap_or_else(|_| named());
        Self { args, start: (file, Vec::new()), python: None }
    }

    /// A package of `python`, which starts it with the arguments `start`.
    pub fn package(args: Vec<OsString>, python: PathBuf, start: Vec<OsString>) -> Self {
        Self { args, start: (python.clone(), start), python: Some(python) }
    }

    /// Starts it once more, in a process of its own; the arguments of the command line go after what is there.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.start.0);
        command.args(&self.start.1);
        // A run of its own: it does not end with scripts of ours.
        command.env(boxstep_script::keeper::MARK, "apart");
        command
    }

    /// The Python that has it as a package: box scripts run in it, unless the user names another one.
    pub fn python(&self) -> Option<&std::path::Path> {
        self.python.as_deref()
    }
}
