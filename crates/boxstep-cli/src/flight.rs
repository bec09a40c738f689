//! The flight recorder of runs on real robots: its folders, and the warnings if it cannot write.

use crate::args::wall_clock;
use crate::failure::{Failure, system_message};
use anstyle::{AnsiColor, Style};
use boxstep_record::Normal;
use boxstep_record::flight::{Flight, FlightOptions, FlightRecorder, newest};
use boxstep_types::{calendar, printable_line};
use std::env;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

const YELLOW: Style = AnsiColor::Yellow.on_default();

/// How long the end of a run waits for the disk.
const SETTLE: Duration = Duration::from_millis(500);

/// The value of `--flight-recorder`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum FlightOption {
    /// Do not record.
    Off,
    /// Record in this folder.
    In(PathBuf),
}

impl From<std::ffi::OsString> for FlightOption {
    fn from(text: std::ffi::OsString) -> Self {
        if text == "off" { FlightOption::Off } else { FlightOption::In(text.into()) }
    }
}

/// Returns the folder for Boxstep's state of the user; `None` if the system has no such place.
pub(crate) fn state() -> Option<PathBuf> {
    let absolute = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = if cfg!(windows) {
        absolute("LOCALAPPDATA")
    } else {
        absolute("XDG_STATE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/state")))
    };
    Some(state?.join("boxstep"))
}

/// Returns the folder of the user's flight recordings.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(state()?.join("flight"))
}

/// Returns the newest recording.
pub(crate) fn last() -> Result<PathBuf, Failure> {
    let none = |at: String| {
        Failure::Usage(format!(
            "no run on a robot has been recorded{at}: name a recording, which boxstep play --trace writes of any run"
        ))
    };
    let folder = folder().ok_or_else(|| none(String::new()))?;
    newest(&folder).ok_or_else(|| none(format!(" in {}", folder.display())))
}

/// Starts the recording of a run on a robot. If it cannot start, a warning is printed and the behavior plays without
/// it.
pub(crate) fn start(
    wish: Option<&FlightOption>,
    robot: &str,
    normal: Normal,
) -> Option<(FlightRecorder, ActiveRecording)> {
    let folder = match wish {
        Some(FlightOption::Off) => return None,
        Some(FlightOption::In(folder)) => folder.clone(),
        None => folder()?,
    };
    let options = FlightOptions::new(folder.join(file_name(robot)), run_name());
    let place = folder.join(file_name(robot));
    match FlightRecorder::start(options, normal) {
        Ok((recorder, flight)) => Some((recorder, ActiveRecording { flight, place })),
        Err(error) => {
            say(&format!("there is no flight recorder: {}: {}", place.display(), system_message(&error)));
            None
        }
    }
}

/// A recording in progress.
pub(crate) struct ActiveRecording {
    flight: Flight,
    place: PathBuf,
}

impl ActiveRecording {
    /// Returns the work to do in a process that is about to exit.
    pub(crate) fn last_words(&self) -> impl FnOnce() + Send + 'static {
        self.flight.last_words(SETTLE / 5)
    }

    /// Ends the recording after the run.
    pub(crate) fn finish(self) {
        let done = self.flight.finish(SETTLE);
        let what = match (done.failed, done.left_out) {
            (Some(error), _) => system_message(&error),
            (None, 0) => return,
            (None, lines) => format!("the disk was too slow for {lines} lines"),
        };
        say(&format!("the flight recording is not complete: {}: {what}", self.place.display()));
    }
}

/// Prints a warning; the behavior plays even without a recording.
fn say(text: &str) {
    // A closed standard error is ignored.
    let _ = writeln!(crate::terminal::stderr(), "{YELLOW}warning: {}{YELLOW:#}", printable_line(text));
}

/// Returns a robot's address as a folder name.
fn file_name(robot: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '-' };
    let name: String = robot.trim_start_matches("tcp://").chars().map(plain).collect();
    match name.trim_matches('.') {
        "" => "robot".to_owned(),
        name => name.to_owned(),
    }
}

/// Returns a name such as `2026-11-22T14-05-09Z-4711`. Names sort by time, and two simultaneous runs have different
/// names.
fn run_name() -> String {
    let now = wall_clock();
    format!("{}-{}", calendar::rfc3339(now).replace(':', "-"), std::process::id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn robots_have_folders_by_their_addresses() {
        for (robot, name) in [
            ("nao.local", "nao.local"),
            ("tcp://10.0.0.2:9559", "10.0.0.2-9559"),
            ("tcps://pepper", "tcps---pepper"),
            ("../../etc", "-..-etc"),
            ("..", "robot"),
        ] {
            assert_eq!(file_name(robot), name);
        }
    }

    #[test]
    fn off_is_a_word_and_all_else_a_folder() {
        assert_eq!(FlightOption::from(std::ffi::OsString::from("off")), FlightOption::Off);
        assert_eq!(FlightOption::from(std::ffi::OsString::from("./off")), FlightOption::In("./off".into()));
    }
}
