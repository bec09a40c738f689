//! A program on libqi, which reports in lines that begin with `= `. Benchmarks include this file by its path.
#![allow(dead_code, unreachable_pub)]

use std::io::{self, BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Peer {
    process: Child,
    pub input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Peer {
    pub fn start(command: &mut Command) -> io::Result<Peer> {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let out = process.stdout.take().ok_or_else(|| io::Error::other("it has no output"))?;
        Ok(Peer { input: process.stdin.take(), process, lines: BufReader::new(out).lines() })
    }

    /// Returns the next line that it reports.
    pub fn line(&mut self) -> io::Result<String> {
        loop {
            // libqi logs to the same stream.
            let Some(line) = self.lines.next() else {
                return Err(io::Error::other(format!("libqi's program has ended: {:?}", self.process.wait())));
            };
            if let Some(ours) = line?.strip_prefix("= ") {
                return Ok(ours.to_owned());
            }
        }
    }
}
