//! The child processes of the gallery and of single boxes; each plays one behavior or box.

use crate::outcomes::outcome;
use crate::{Program, page_lines, process_group, robot_address};
use boxstep_view::{Outcome, Run, RunState};
use std::collections::{HashMap, VecDeque};
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

/// How many lines of a child's output are kept.
const KEPT: usize = 30;
/// How many ended children are remembered.
const REMEMBERED: usize = 20;
/// How long children have to stop when this program ends.
const WIND_DOWN: Duration = Duration::from_secs(20);
/// How long to wait for the output of a child that has ended; another program that it started may keep the output open.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long a child has to start.
const WIND_UP: Duration = Duration::from_secs(30);
/// The error for a run that has ended or never existed.
const GONE: &str = "it does not play any more";

/// Starts and stops child processes.
pub(crate) struct ChildRuns {
    program: Program,
    at: IpAddr,
    /// The pages of the children may change what they play.
    edit: bool,
    /// The folders of boxes that these pages get by name.
    boxes: Vec<PathBuf>,
    shared: Arc<SharedChildren>,
}

#[derive(Default)]
struct SharedChildren {
    all: Mutex<ChildList>,
    changed: Condvar,
}

#[derive(Default)]
struct ChildList {
    started: u64,
    /// The latest child first.
    runs: VecDeque<ChildRun>,
    /// How each entry ended last.
    outcomes: HashMap<usize, Outcome>,
}

struct ChildRun {
    shown: Run,
    /// The run ends when this pipe is closed. It also closes when this process ends in any way.
    input: Option<ChildStdin>,
    /// It waits at its beginning.
    paused: bool,
}

impl SharedChildren {
    fn all(&self) -> MutexGuard<'_, ChildList> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, run: u64, change: impl FnOnce(&mut Run)) {
        if let Some(one) = self.all().runs.iter_mut().find(|one| one.shown.run == run) {
            change(&mut one.shown);
        }
        self.changed.notify_all();
    }

    /// Handles a line of a child's output.
    fn handle_line(&self, run: u64, line: String) {
        if let Some(footer) = page_lines::result_of(&line) {
            let mut all = self.all();
            let entry = all.runs.iter().find(|one| one.shown.run == run).map(|one| one.shown.entry);
            if let Some(entry) = entry {
                all.outcomes.insert(entry, outcome(&footer, SystemTime::now(), None));
            }
            return;
        }
        let paused = self.all().runs.iter().any(|one| one.shown.run == run && one.paused);
        self.change(run, |shown| {
            // Only the first such line counts: scripts may print similar ones later.
            if let Some(url) =
                page_lines::announced_url(&line).filter(|url| shown.url.is_none() && url.starts_with("http://"))
            {
                shown.url = Some(url.to_owned());
                shown.state = if paused { RunState::Open } else { RunState::Playing };
                return;
            }
            if line == page_lines::STAYS {
                shown.state = RunState::Over;
                return;
            }
            if line == page_lines::AGAIN {
                shown.state = RunState::Playing;
                return;
            }
            if shown.said.len() >= KEPT {
                shown.said.remove(0);
            }
            shown.said.push(line);
        });
    }

    /// Reads a child's output to its end, and then drops `output_done`.
    fn read_output(
        self: Arc<Self>,
        run: u64,
        said: impl Read + Send + 'static,
        output_done: Sender<()>,
    ) -> io::Result<()> {
        let lines = move || {
            let _heard = output_done;
            let mut said = BufReader::new(said);
            let mut line = Vec::new();
            while said.by_ref().take(1 << 16).read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                self.handle_line(run, String::from_utf8_lossy(&line).trim_end().to_owned());
                line.clear();
            }
        };
        std::thread::Builder::new().name("run: output".to_owned()).spawn(lines).map(drop)
    }
}

impl ChildRuns {
    pub(crate) fn new(program: Program, at: IpAddr) -> Self {
        Self { program, at, edit: false, boxes: Vec::new(), shared: Arc::default() }
    }

    /// Lets the pages of the children change the files that they play, with boxes of these folders.
    pub(crate) fn editing(self, edit: bool, boxes: Vec<PathBuf>) -> Self {
        Self { edit, boxes, ..self }
    }

    pub(crate) fn all(&self) -> Vec<Run> {
        self.shared.all().runs.iter().map(|one| one.shown.clone()).collect()
    }

    /// Returns how an entry ended last.
    pub(crate) fn last(&self, entry: usize) -> Option<Outcome> {
        self.shared.all().outcomes.get(&entry).cloned()
    }

    /// Starts a child that plays what `asked` names; if `paused`, it waits at its beginning.
    /// A robot that was only found gets no password (`logs_in`).
    pub(crate) fn begin(
        &self,
        entry: usize,
        asked: &[OsString],
        (robot, logs_in): (Option<&str>, bool),
        paused: bool,
    ) -> io::Result<u64> {
        let mut command = self.program.command();
        if !logs_in {
            command.env_remove(robot_address::PASSWORD);
        }
        command.arg("play").arg("--ends-with-input").arg(format!("--view={}", SocketAddr::new(self.at, 0)));
        match robot {
            Some(robot) => command.arg(format!("--robot={robot}")),
            // The simulated robot, whatever robot the environment names.
            None => command.env_remove(robot_address::VARIABLE),
        };
        if paused {
            command.arg("--paused");
        }
        if self.edit {
            command.arg("--edit");
            for folder in &self.boxes {
                command.arg("--boxes").arg(folder);
            }
        }
        // After `--` the argument is a file even if its name begins with `-`.
        let (file, rest) = asked.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        command.args(rest).arg("--").arg(file);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        process_group::separate(&mut command);
        let mut child = command.spawn()?;
        let mut all = self.shared.all();
        all.started += 1;
        let run = all.started;
        let robot = robot.map(str::to_owned);
        let shown = Run { run, entry, robot, state: RunState::Starting, url: None, said: Vec::new() };
        all.runs.push_front(ChildRun { shown, input: child.stdin.take(), paused });
        while all.runs.len() > REMEMBERED && all.runs.back().is_some_and(|one| one.shown.state.is_gone()) {
            all.runs.pop_back();
        }
        drop(all);
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (output_done, end) = channel();
        out.map(|out| self.shared.clone().read_output(run, out, output_done.clone())).transpose()?;
        err.map(|err| self.shared.clone().read_output(run, err, output_done)).transpose()?;
        self.await_end(run, child, end)?;
        Ok(run)
    }

    /// Waits until a run has a page and returns its URL.
    ///
    /// # Errors
    /// The output of the run if it ends without a page.
    pub(crate) fn page(&self, run: u64) -> Result<String, String> {
        let of = |all: &ChildList| all.runs.iter().find(|one| one.shown.run == run).map(|one| one.shown.clone());
        let starts = |all: &mut ChildList| of(all).is_some_and(|shown| shown.state == RunState::Starting);
        let waited = self.shared.changed.wait_timeout_while(self.shared.all(), WIND_UP, starts);
        let (all, _) = waited.unwrap_or_else(PoisonError::into_inner);
        let shown = of(&all).ok_or(GONE)?;
        let said = || match shown.state {
            RunState::Starting => format!("it has not started within {} s, and is ended", WIND_UP.as_secs()),
            _ => format!("it has no page; it says: {}", shown.said.join(" ")),
        };
        shown.url.clone().ok_or_else(said)
    }

    fn await_end(&self, run: u64, mut child: Child, output_done: Receiver<()>) -> io::Result<()> {
        let shared = self.shared.clone();
        let waits = move || {
            let ended = child.wait();
            // Nothing is sent here; the channel closes when both readers are done.
            let _ = output_done.recv_timeout(LAST_WORDS);
            shared.change(run, |shown| {
                let code = ended.ok().and_then(|status| status.code()).filter(|code| *code != 0);
                let failed = code.is_some() && shown.url.is_none();
                (shown.state, shown.url) = (if failed { RunState::Failed } else { RunState::Ended }, None);
                if let Some(code) = code {
                    shown.said.push(format!("(ended with exit code {code})"));
                }
            });
        };
        std::thread::Builder::new().name("run: awaits".to_owned()).spawn(waits).map(drop)
    }

    pub(crate) fn stop(&self, run: u64) -> Result<(), String> {
        let mut all = self.shared.all();
        let one = all.runs.iter_mut().find(|one| one.shown.run == run && !one.shown.state.is_gone());
        one.ok_or(GONE)?.input = None;
        Ok(())
    }

    /// Stops all children and waits for them.
    pub(crate) fn end(&self) {
        let mut all = self.shared.all();
        all.runs.iter_mut().for_each(|one| one.input = None);
        let going = |all: &mut ChildList| all.runs.iter().any(|one| !one.shown.state.is_gone());
        drop(self.shared.changed.wait_timeout_while(all, WIND_DOWN, going));
    }
}
