//! The one Python process that looks at scripts: what it is told, what it answers, and what if it does not.

use super::facts::{Answer, Greeting};
use super::{Found, Reading, Remnant, Rewritten, lines};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

const READER: &str = include_str!("reader.py");
/// Ends every program: `answer` for each question.
const LOOP: &str = include_str!("loop.py");

/// How often Python is started again after a script that it did not survive.
const STARTS: usize = 8;

/// Bytes of an answer that are taken; the reader itself stops far before.
const LONGEST_ANSWER: u64 = 64 << 20;

/// The interpreter that looks at scripts.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Python {
    /// Program, a path or a name on `PATH`.
    pub program: PathBuf,
    /// Who named it, for messages.
    pub from: String,
    /// How long one script may take.
    pub patience: Duration,
}

impl Python {
    /// An interpreter with the usual patience.
    pub fn new(program: impl Into<PathBuf>, from: impl Into<String>) -> Self {
        Self { program: program.into(), from: from.into(), patience: Duration::from_secs(20) }
    }

    fn describe(&self) -> String {
        format!("{} ({})", self.program.display(), self.from)
    }
}

/// Why no Python looked at the scripts.
enum Trouble {
    /// For all that are left.
    Python(String),
    /// For the script it was at.
    Script(&'static str),
}

/// What came of each script, or why Python looked at none.
pub(super) fn read(python: &Python, texts: &[Arc<str>], rewritten: &[Rewritten]) -> Result<Vec<Reading>, String> {
    let questions = texts.iter().zip(rewritten).map(|(own, two)| {
        let three = (own.as_ref() != two.text).then_some(own.as_ref());
        json!({"two": two.text, "three": three, "remnants": !two.is_python_3}).to_string()
    });
    let answers = ask(python, READER, &questions.collect::<Vec<_>>())?;
    let readings = answers.into_iter().zip(texts.iter().zip(rewritten)).map(|(answer, (own, two))| match answer {
        Ok(line) => reading(own, two, &line),
        Err(why) => Reading::NotChecked(why.into()),
    });
    Ok(readings.collect())
}

/// Asks a Python program, given as text, and gets an answer for each question: a line of JSON for a line of JSON, or why
/// there is none. The program runs isolated. It defines `answer`, which makes one of the other; a Python that is too old
/// for it says so on its first line, `{"old": "3.6"}`, and leaves.
///
/// # Errors
/// Why that Python answers nothing at all, with its name.
pub fn ask(python: &Python, program: &str, questions: &[String]) -> Result<Vec<Result<String, &'static str>>, String> {
    let mut answers = Vec::with_capacity(questions.len());
    for _ in 0..STARTS {
        let done = answers.len();
        let Some(rest) = questions.get(done..).filter(|rest| !rest.is_empty()) else { return Ok(answers) };
        let trouble = Session::start(python, program).and_then(|session| session.ask(python, rest, &mut answers));
        match trouble {
            Ok(()) => {}
            Err(Trouble::Script(why)) => answers.push(Err(why)),
            Err(Trouble::Python(why)) if done == 0 => return Err(format!("{}: {why}", python.describe())),
            Err(Trouble::Python(_)) => break,
        }
    }
    answers.resize(questions.len(), Err("Python did not survive the scripts before it"));
    Ok(answers)
}

/// A running reader. Its end is the end of the process, whatever happened.
struct Session {
    child: Child,
    answers: Receiver<String>,
}

impl Session {
    /// Isolated: no variable of the environment, no user's folder and no folder of the behavior has a say.
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
        let (tell, answers) = mpsc::sync_channel(64);
        if let Some(out) = child.stdout.take() {
            let reader = std::thread::Builder::new().name("answers".to_owned()).spawn(move || {
                for line in BufReader::new(out.take(LONGEST_ANSWER)).lines() {
                    let Ok(line) = line else { break };
                    if tell.send(line).is_err() {
                        break;
                    }
                }
            });
            reader.map_err(|e| Trouble::Python(e.to_string()))?;
        }
        Ok(Self { child, answers })
    }

    fn ask(
        mut self,
        python: &Python,
        questions: &[String],
        answers: &mut Vec<Result<String, &'static str>>,
    ) -> Result<(), Trouble> {
        let greeting = self.answers.recv_timeout(python.patience).map_err(|e| match e {
            RecvTimeoutError::Timeout => Trouble::Python("did not answer in time".to_owned()),
            RecvTimeoutError::Disconnected => Trouble::Python(match version(python) {
                Some(old) => too_old(&old),
                None => "cannot look at scripts".to_owned(),
            }),
        })?;
        match serde_json::from_str(&greeting) {
            Ok(Greeting::Ready { .. }) => {}
            Ok(Greeting::Old { old }) => {
                return Err(Trouble::Python(too_old(&old)));
            }
            Err(_) => return Err(Trouble::Python("is no Python".to_owned())),
        }
        if let Some(mut input) = self.child.stdin.take() {
            let told = questions.iter().flat_map(|question| question.bytes().chain([b'\n'])).collect::<Vec<_>>();
            // On a thread of its own, so that neither side waits for the other with full pipes. It ends with
            // the process.
            let write = move || {
                let _ = input.write_all(&told);
            };
            let writer = std::thread::Builder::new().name("questions".to_owned()).spawn(write);
            writer.map_err(|e| Trouble::Python(e.to_string()))?;
        }
        for _ in questions {
            let line = self.answers.recv_timeout(python.patience).map_err(|e| match e {
                RecvTimeoutError::Timeout => Trouble::Script("Python took too long over it"),
                RecvTimeoutError::Disconnected => Trouble::Script("Python did not survive it"),
            })?;
            answers.push(Ok(line));
        }
        Ok(())
    }
}

fn too_old(version: &str) -> String {
    format!("is Python {version}, and 3.8 or later is wanted")
}

/// Which Python 2 it is that has left without a word, by its own word; `None` if it is none. It does not know isolation.
fn version(python: &Python) -> Option<String> {
    let said = Command::new(&python.program).arg("-V").stdin(Stdio::null()).output().ok()?;
    // Python 2 says it on standard error.
    let said = String::from_utf8_lossy(&said.stderr).trim().to_owned();
    let version = said.strip_prefix("Python ").filter(|version| version.starts_with("2."))?;
    Some(version.rsplit_once('.').map_or(version, |(version, _)| version).to_owned())
}

impl Drop for Session {
    fn drop(&mut self) {
        // One that has ended already cannot be killed, and that is fine.
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
            // Columns are those of the author only where nothing was rewritten.
            let column = if two.edits.is_empty() { column } else { 0 };
            Reading::Broken { line, column, why, is_python_3: two.is_python_3 }
        }
        Err(_) => Reading::NotChecked("Python gave no answer".into()),
    }
}

/// Those that the rewrite met, and those that the tree shows.
fn remnants(own: &str, two: &Rewritten, shown: &[(String, u32, u32)]) -> Vec<Found> {
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
