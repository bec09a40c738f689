//! The Python process that parses scripts: requests, responses, timeouts and crashes.

use super::facts::{Answer, Greeting};
use super::{FoundRemnant, Reading, Remnant, Rewritten, lines};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

const READER: &str = include_str!("reader.py");
/// The main loop that is appended to every program; it calls `answer` for each request.
const LOOP: &str = include_str!("loop.py");

/// The maximum number of times Python is started, if scripts make it crash.
const STARTS: usize = 8;

/// The maximum number of bytes of all output; the Python program itself limits its output far below this.
const LONGEST_ANSWER: u64 = 64 << 20;

/// The interpreter that parses scripts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Python {
    /// The program, a path or a name on `PATH`.
    pub program: PathBuf,
    /// Where the program was named, for messages.
    pub from: String,
    /// The time limit for one script.
    pub patience: Duration,
}

impl Python {
    /// Creates an interpreter with the default time limit of 20 seconds.
    pub fn new(program: impl Into<PathBuf>, from: impl Into<String>) -> Self {
        Self { program: program.into(), from: from.into(), patience: Duration::from_secs(20) }
    }

    fn describe(&self) -> String {
        format!("{} ({})", self.program.display(), self.from)
    }
}

/// Why Python could not parse scripts.
enum Trouble {
    /// The problem affects all remaining scripts.
    Python(String),
    /// The problem affects only the current script.
    Script(&'static str),
}

/// Parses scripts and returns a result for each, or the reason why Python could parse none.
pub(super) fn read(python: &Python, texts: &[Arc<str>], rewritten: &[Rewritten]) -> Result<Vec<Reading>, String> {
    let questions = texts.iter().zip(rewritten).map(|(own, two)| {
        let three = (own.as_ref() != two.text).then_some(own.as_ref());
        json!({"two": two.text, "three": three, "remnants": !two.is_python_3}).to_string()
    });
    let answers = query_python(python, READER, &questions.collect::<Vec<_>>())?;
    let readings = answers.into_iter().zip(texts.iter().zip(rewritten)).map(|(answer, (own, two))| match answer {
        Ok(line) => reading(own, two, &line),
        Err(why) => Reading::NotChecked(why.into()),
    });
    Ok(readings.collect())
}

/// Runs a Python program, given as text, and returns one response per request, or the reason why there is none.
/// Requests and responses are lines of JSON. The program runs isolated. It defines a function `answer`, which converts
/// a request to a response. If the interpreter is too old for it, the program prints `{"old": "3.6"}` as its first line
/// and exits.
///
/// # Errors
/// The reason why this interpreter responds to no request at all, with its name.
///
/// # Errors
/// Why that Python answers nothing at all, with its name.
pub fn query_python(
    python: &Python,
    program: &str,
    questions: &[String],
) -> Result<Vec<Result<String, &'static str>>, String> {
    let mut answers = Vec::with_capacity(questions.len());
    for _ in 0..STARTS {
        let done = answers.len();
        let Some(rest) = questions.get(done..).filter(|rest| !rest.is_empty()) else { return Ok(answers) };
        let trouble = Session::start(python, program).and_then(|session| session.query(python, rest, &mut answers));
        match trouble {
            Ok(()) => {}
            Err(Trouble::Script(why)) => answers.push(Err(why)),
            Err(Trouble::Python(why)) if done == 0 => return Err(format!("{}: {why}", python.describe())),
            Err(Trouble::Python(_)) => break,
        }
    }
    answers.resize(questions.len(), Err("Python crashed on earlier scripts"));
    Ok(answers)
}

/// A running Python process, which is killed when this value is dropped.
struct Session {
    child: Child,
    answers: Receiver<String>,
}

impl Session {
    /// Starts Python isolated: environment variables, the user's site folder and the behavior's folder have no effect.
    fn start(python: &Python, program: &str) -> Result<Self, Trouble> {
        let mut command = Command::new(&python.program);
        command.args(["-I", "-S", "-B", "-W", "ignore", "-c", &format!("{program}\n\n{LOOP}")]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|e| {
            Trouble::Python(match e.kind() {
                std::io::ErrorKind::NotFound => "there is no such program".to_owned(),
                _ => e.to_string(),
            })
        })?;
        let (sender, answers) = mpsc::sync_channel(64);
        if let Some(out) = child.stdout.take() {
            let reader = std::thread::Builder::new().name("answers".to_owned()).spawn(move || {
                for line in BufReader::new(out.take(LONGEST_ANSWER)).lines() {
                    let Ok(line) = line else { break };
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
            reader.map_err(|e| Trouble::Python(e.to_string()))?;
        }
        Ok(Self { child, answers })
    }

    fn query(
        mut self,
        python: &Python,
        questions: &[String],
        answers: &mut Vec<Result<String, &'static str>>,
    ) -> Result<(), Trouble> {
        let greeting = self.answers.recv_timeout(python.patience).map_err(|e| match e {
            RecvTimeoutError::Timeout => Trouble::Python("did not answer in time".to_owned()),
            RecvTimeoutError::Disconnected => Trouble::Python(match version(python) {
                Some(old) => too_old(&old),
                None => "cannot parse scripts".to_owned(),
            }),
        })?;
        match serde_json::from_str(&greeting) {
            Ok(Greeting::Ready { .. }) => {}
            Ok(Greeting::Old { old }) => {
                return Err(Trouble::Python(too_old(&old)));
            }
            Err(_) => return Err(Trouble::Python("is not a Python interpreter".to_owned())),
        }
        if let Some(mut input) = self.child.stdin.take() {
            let input_lines = questions.iter().flat_map(|question| question.bytes().chain([b'\n'])).collect::<Vec<_>>();
            // A separate thread writes, so that the two processes cannot block each other with full pipes. It ends with
            // the Python process.
            let write = move || {
                let _ = input.write_all(&input_lines);
            };
            let writer = std::thread::Builder::new().name("questions".to_owned()).spawn(write);
            writer.map_err(|e| Trouble::Python(e.to_string()))?;
        }
        for _ in questions {
            let line = self.answers.recv_timeout(python.patience).map_err(|e| match e {
                RecvTimeoutError::Timeout => Trouble::Script("Python took too long"),
                RecvTimeoutError::Disconnected => Trouble::Script("Python crashed on it"),
            })?;
            answers.push(Ok(line));
        }
        Ok(())
    }
}

fn too_old(version: &str) -> String {
    format!("is Python {version}, but 3.8 or later is required")
}

/// Returns the version of an interpreter that exited without output, if it is Python 2, which does not know the option
/// for isolation.
fn version(python: &Python) -> Option<String> {
    let output = Command::new(&python.program).arg("-V").stdin(Stdio::null()).output().ok()?;
    // Python 2 prints it to standard error.
    let text = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let version = text.strip_prefix("Python ").filter(|version| version.starts_with("2."))?;
    Some(version.rsplit_once('.').map_or(version, |(version, _)| version).to_owned())
}

impl Drop for Session {
    fn drop(&mut self) {
        // Killing fails if the process has ended already, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn reading(own: &str, two: &Rewritten, line: &str) -> Reading {
    match serde_json::from_str(line) {
        Ok(Answer::Facts(facts)) => {
            let remnants = remnants(own, two, &facts.remnants);
            Reading::Read { facts, remnants }
        }
        Ok(Answer::Error { error: (line, column, why) }) => {
            // The columns are those of the author's text only if nothing was rewritten.
            let column = if two.edits.is_empty() { column } else { 0 };
            Reading::Broken { line, column, why, is_python_3: two.is_python_3 }
        }
        Err(_) => Reading::NotChecked("Python gave no valid response".into()),
    }
}

/// Combines the remnants that the rewriter found with those in the syntax tree.
fn remnants(own: &str, two: &Rewritten, shown: &[(String, u32, u32)]) -> Vec<FoundRemnant> {
    let lines = lines(own);
    let mut found: BTreeMap<Remnant, (u32, u32)> = BTreeMap::new();
    let mut last = BTreeMap::new();
    for (at, remnant) in &two.edits {
        let line = lines.partition_point(|l| l.start <= *at) as u32;
        // One statement may need several edits, all on its line.
        if last.insert(*remnant, line) != Some(line) {
            found.entry(*remnant).or_insert((line, 0)).1 += 1;
        }
    }
    for (word, line, count) in shown {
        if let Some(remnant) = Remnant::from_word(word) {
            found.insert(remnant, (*line, *count));
        }
    }
    found.into_iter().map(|(remnant, (line, count))| (remnant, line, count)).collect()
}
