//! Runs in real time, which tests follow line by line.

use super::{Said, boxstep};
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A run in real time.
pub struct Run {
    pub child: Child,
    reader: BufReader<ChildStdout>,
    out: String,
    /// What has been waited for already.
    seen: usize,
}

impl Run {
    pub fn start(file: &Path, more: &[&str]) -> Self {
        // If what is waited for does not come the run ends all the same, and the test fails.
        let args = ["play", file.to_str().unwrap(), "--for", "120"];
        let mut command = boxstep(&[&args[..], more].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let reader = BufReader::new(child.stdout.take().unwrap());
        Self { child, reader, out: String::new(), seen: 0 }
    }

    /// Waits until it says this, after what it has been waited for before; gives that line.
    pub fn says(&mut self, what: &str) -> String {
        loop {
            if let Some(at) = self.out[self.seen..].find(what) {
                let from = self.out[..self.seen + at].rfind('\n').map_or(0, |n| n + 1);
                self.seen += at + what.len();
                return self.out[from..].lines().next().unwrap_or_default().to_owned();
            }
            assert_ne!(self.reader.read_line(&mut self.out).unwrap(), 0, "it never said {what:?}:\n{}", self.out);
        }
    }

    /// Waits for its end.
    pub fn ends(mut self) -> Said {
        self.reader.read_to_string(&mut self.out).unwrap();
        let mut said = Said::from(self.child.wait_with_output().unwrap());
        said.out = self.out;
        said
    }

    /// Interrupts it, as Ctrl+C does.
    pub fn interrupt(self) -> Said {
        assert!(Command::new("kill").arg("-INT").arg(self.child.id().to_string()).status().unwrap().success());
        self.ends().code(130)
    }
}
