//! Plays one file in a process of its own, and evaluates its trace.

use boxstep_trace::{Event, Kind, Line, Paths, Reader, ScriptError};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The result of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Played {
    /// The outcome before errors are excused.
    pub(crate) end: End,
    /// The reason for `Unread`, `Crash` and `Refused`.
    pub(crate) why: String,
    /// Unsupported calls, once per call: the kind is `Unsupported`, the message `Service.method`.
    pub(crate) missing: Vec<Error>,
    pub(crate) errors: Vec<Error>,
    /// Boxes of whose script a method was called.
    pub(crate) called: BTreeSet<String>,
    /// The time of the first call of each box, in nanoseconds of the run.
    pub(crate) first: BTreeMap<String, u64>,
    /// The output of the program.
    pub(crate) said: String,
    pub(crate) deterministic: bool,
    /// The body that was used.
    pub(crate) body: String,
    pub(crate) took: Duration,
}

/// How the process ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum End {
    /// The file cannot be read.
    Unread,
    /// It was killed after a timeout.
    Hang,
    /// There is no footer in the trace, or it panicked, or a signal ended it.
    #[default]
    Crash,
    /// The file was read, but cannot be run (exit code 2).
    Refused,
    /// The reason in the trace's footer.
    Reason(String),
}

/// An uncaught exception, or a call that no service offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Error {
    pub(crate) path: String,
    /// The line of the box's script; 0 if unknown.
    pub(crate) line: u64,
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Played {
    pub(crate) fn unread(why: String) -> Self {
        Self { end: End::Unread, why, ..Self::default() }
    }

    /// Merges the result of the same file on another body: which scripts ran, and whether it crashed or hung.
    pub(crate) fn also(&mut self, other: Played) {
        self.called.extend(other.called);
        self.took += other.took;
        if matches!(other.end, End::Crash | End::Hang) && !matches!(self.end, End::Crash | End::Hang) {
            self.end = other.end;
            self.why = format!("on {}: {}", other.body, other.why);
        }
    }
}

/// The options for two minutes of virtual time.
pub(crate) const VIRTUAL: [&str; 3] = ["--virtual-time", "--for", "120"];

/// How files are played.
pub(crate) struct How<'a> {
    /// Options of the clock.
    pub(crate) clock: &'a [&'a str],
    /// The file that is standard input [default: nothing]
    pub(crate) input: Option<&'a Path>,
    /// Wall-clock time after which a file counts as hanging.
    pub(crate) patience: Duration,
}

/// Plays a file for two minutes of virtual time.
pub(crate) fn play(
    binary: &Path,
    path: &Path,
    options: &[String],
    trace: &Path,
    patience: Duration,
) -> Result<Played, String> {
    play_for(binary, path, &How { clock: &VIRTUAL, input: None, patience }, options, trace)
}

/// Plays a file.
pub(crate) fn play_for(
    binary: &Path,
    path: &Path,
    how: &How<'_>,
    options: &[String],
    trace: &Path,
) -> Result<Played, String> {
    // The trace of an earlier file must not be mistaken for that of this one.
    let _ = std::fs::remove_file(trace);
    let errors = trace.with_extension("stderr");
    let unwritten = |e: std::io::Error| format!("{}: {e}", errors.display());
    let stderr = std::fs::File::create(&errors).map_err(unwritten)?;
    let stdout = stderr.try_clone().map_err(unwritten)?;
    let input = match how.input {
        Some(file) => std::fs::File::open(file).map(Stdio::from).map_err(|e| format!("{}: {e}", file.display()))?,
        None => Stdio::null(),
    };
    let began = Instant::now();
    let mut child = Command::new(binary)
        .arg("play")
        .arg(path)
        .args(how.clock)
        .arg("--quiet")
        .args(options)
        .arg("--trace")
        .arg(trace)
        .stdin(input)
        .env_remove("BOXSTEP_ROBOT")
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .map_err(|e| format!("{}: {e}", binary.display()))?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            break Some(status);
        }
        if began.elapsed() > how.patience {
            child.kill().map_err(|e| e.to_string())?;
            child.wait().map_err(|e| e.to_string())?;
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let took = began.elapsed();
    let said = std::fs::read(&errors).unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let mut played = std::fs::File::open(trace).map(read_trace).unwrap_or_default();
    played.took = took;
    played.said = said.trim().to_owned();
    let panicked = said.contains("panicked at") || said.contains("PanicException");
    match status.map(|s| s.code()) {
        None => played.end = End::Hang,
        Some(Some(2)) if !panicked => played.end = End::Refused,
        Some(Some(_)) if !panicked => {}
        Some(code) => {
            played.end = End::Crash;
            played.why = format!("exit {}", code.map_or("by a signal".to_owned(), |c| c.to_string()));
        }
    }
    if matches!(played.end, End::Crash | End::Refused) {
        played.why = format!("{} {}", played.why, said.trim()).trim().to_owned();
    }
    Ok(played)
}

/// Evaluates a trace; the result is `End::Crash` if it has no footer.
fn read_trace(file: impl std::io::Read) -> Played {
    let (mut played, mut reader) = (Played::default(), Reader::default());
    for line in BufReader::new(file).lines().map_while(Result::ok) {
        match reader.line(&line) {
            Ok(Line::Header(header)) => played.body = header.body,
            Ok(Line::Event(event)) => played.add(&event, &reader.paths),
            Ok(Line::Footer(footer)) => {
                played.end = End::Reason(footer.reason.to_string());
                played.deterministic = footer.deterministic.is_ok();
            }
            // The last line of a truncated trace is incomplete.
            Err(_) => break,
        }
    }
    played
}

impl Played {
    fn add(&mut self, event: &Event, paths: &Paths) {
        let path = || paths.text(event.path);
        match &event.kind {
            Kind::Call { .. } => {
                self.called.insert(path());
                self.first.entry(path()).or_insert(event.t.0.try_into().unwrap_or(0));
            }
            Kind::Unsupported { service, method, line } => self.missing.push(Error {
                path: path(),
                line: (*line).into(),
                kind: "Unsupported".to_owned(),
                message: format!("{service}.{method}").trim_end_matches('.').to_owned(),
            }),
            Kind::Raised { error, .. } => self.errors.push(Error::raised(path(), error)),
            _ => {}
        }
    }
}

impl Error {
    fn raised(path: String, error: &ScriptError) -> Self {
        let ScriptError { kind, message, line, .. } = error;
        Self { path, line: line.unwrap_or(0).into(), kind: kind.to_string(), message: message.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_tells_what_was_called_missed_and_raised() {
        let trace = concat!(
            "{\"schema\":1,\"body\":\"nao\"}\n",
            "{\"n\":1,\"t\":0,\"cause\":0,\"path\":\"root/A\",\"kind\":\"call\",\"method\":\"onLoad\"}\n",
            "{\"n\":2,\"t\":0,\"cause\":1,\"path\":\"root/A\",\"kind\":\"unsupported\",\"service\":\"S\",\"method\":\"m\",\"line\":3}\n",
            "{\"n\":3,\"t\":0,\"cause\":1,\"path\":\"root/A\",\"kind\":\"raised\",\"method\":\"onLoad\",",
            "\"error\":{\"kind\":\"NameError\",\"message\":\"x\",\"line\":4,\"traceback\":\"\"}}\n",
            "{\"reason\":\"failed\",\"deterministic\":true}\n",
        );
        let played = read_trace(trace.as_bytes());
        assert_eq!(played.end, End::Reason("failed".into()));
        assert_eq!((played.missing[0].message.as_str(), played.missing[0].line), ("S.m", 3));
        assert_eq!(played.body, "nao");
        assert_eq!((played.errors[0].kind.as_str(), played.errors[0].line), ("NameError", 4));
        assert_eq!((played.called.len(), played.deterministic), (1, true));
        let cut = trace.split_once("{\"reason\"").unwrap().0;
        assert_eq!(read_trace(cut.as_bytes()).end, End::Crash);
    }

    #[test]
    fn another_body_adds_scripts_and_crashes_only() {
        let played = |end: End, box_path: &str| Played {
            end,
            called: BTreeSet::from([box_path.to_owned()]),
            body: "pepper".to_owned(),
            ..Played::default()
        };
        let mut file = played(End::Reason("ended".into()), "root/A");
        file.also(played(End::Reason("failed".into()), "root/B"));
        assert_eq!((file.end.clone(), file.called.len()), (End::Reason("ended".into()), 2));
        file.also(played(End::Hang, "root/B"));
        assert_eq!(file.end, End::Hang);
    }
}
