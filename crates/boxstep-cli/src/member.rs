//! The child process of a supervisor: its start protocol, and the names of its files.

use crate::remote::Remote;
use boxstep_engine::config::Control;
use std::io::{self, BufRead as _, Write as _};
use std::path::{Path, PathBuf};

/// The line by which a member reports that it is ready, and the line by which the supervisor starts it.
pub(crate) const READY: &str = "\u{1}ready";
pub(crate) const GO: &str = "go";

/// Returns the path of a trace. With several robots the robot's name comes before the extension.
pub(crate) fn trace_of(path: &Path, one_of_several: Option<&str>) -> PathBuf {
    match one_of_several {
        Some(robot) => {
            let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '-' };
            let name: String = robot.trim_start_matches("tcp://").chars().map(plain).collect();
            let ending = path.extension().map(|e| format!(".{}", e.to_string_lossy())).unwrap_or_default();
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            path.with_file_name(format!("{stem}.{name}{ending}"))
        }
        None => path.to_owned(),
    }
}

/// Reports that this process is ready, and waits until all robots are. Interrupts the run when the supervisor is gone.
pub(crate) fn wait_for_start(remote: &Remote) {
    let mut out = io::stdout();
    let _ = writeln!(out, "{READY}").and_then(|()| out.flush());
    let mut line = String::new();
    let _ = io::stdin().lock().read_line(&mut line);
    let remote = remote.clone();
    let watch = move || {
        let mut rest = String::new();
        while io::stdin().lock().read_line(&mut rest).is_ok_and(|n| n > 0) {}
        remote.send(Control::Interrupt);
    };
    if line.trim() == GO {
        // If the thread cannot be started, the end of the supervisor goes unnoticed and the behavior plays on.
        let _ = std::thread::Builder::new().name("lead".to_owned()).spawn(watch);
    } else {
        watch();
    }
}
