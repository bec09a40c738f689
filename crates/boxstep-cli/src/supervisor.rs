//! Plays on several robots, or again and again on one: a child process plays on each robot, and this process supervises
//! them.
//!
//! A process has one Python, so each robot needs its own process. The processes start playing together, and their
//! output is labeled with the robot's name.

use crate::args::{PlayArgs, Restart};
use crate::failure::{Failure, system_message};
use crate::member::{GO, READY};
use crate::process_group;
use crate::signals::Signals;
use crate::{Program, exit, open};
use anstyle::{AnsiColor, Style};
use boxstep_types::printable_line;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const YELLOW: Style = AnsiColor::Yellow.on_default();
const DIM: Style = Style::new().dimmed();

/// The pause before a behavior is played again. It doubles each time, and starts over after a run that lasted.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// The state that the threads of the supervisor share.
#[derive(Default)]
struct Supervisor {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// How many members have reached the start of playing, or ended before.
    ready: usize,
    /// How many SIGINT or SIGTERM have arrived.
    signals: usize,
    children: Vec<u32>,
}

impl Supervisor {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_ready(&self) {
        self.state().ready += 1;
        self.changed.notify_all();
    }

    /// Waits until so many members are ready.
    fn wait_until_ready(&self, all: usize) {
        let mut state = self.state();
        while state.ready < all && state.signals == 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for the given time. Returns true if a signal came.
    fn pause(&self, most: Duration) -> bool {
        let until = Instant::now() + most;
        let mut state = self.state();
        while state.signals == 0 {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    fn interrupt_all(&self) {
        let mut state = self.state();
        state.signals += 1;
        let children = state.children.clone();
        drop(state);
        children.into_iter().for_each(process_group::interrupt);
        self.changed.notify_all();
    }
}

/// A robot and the process that plays on it.
struct SupervisedRobot {
    robot: String,
    /// The prefix of the lines of its output.
    label: String,
    args: Vec<std::ffi::OsString>,
    password: Option<String>,
    restart: Restart,
    /// The number of robots.
    robots: usize,
}

/// Supervises the processes of all robots until they are done. Returns the exit code.
pub(crate) fn supervise(args: &PlayArgs, program: &Program) -> Result<i32, Failure> {
    let robots = args.robots()?;
    if open::is_stdin(&args.file) {
        let why = "standard input can be read only once: name a file to play on several robots, or with --restart";
        return Err(Failure::Usage(why.to_owned()));
    }
    // The password is read once, for all robots.
    let credentials = args.access.options()?.credentials;
    let supervisor = Arc::<Supervisor>::default();
    let failed = |e: &io::Error| Failure::Run(format!("cannot look after several robots: {}", system_message(e)));
    let mut signals = Signals::new().map_err(|e| failed(&e))?;
    let watch = signals.watch();
    let notified = supervisor.clone();
    let pass_on = move || {
        while signals.next() {
            notified.interrupt_all();
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(pass_on).map_err(|e| failed(&e))?;
    let widest = robots.iter().map(|r| r.chars().count()).max().unwrap_or_default();
    let members: Vec<_> = robots
        .iter()
        .map(|robot| {
            let mut rest = program.args.iter().skip(1).cloned();
            // `play`, then the options that this process adds; the user's arguments come last.
            let mut given: Vec<std::ffi::OsString> = rest.next().into_iter().collect();
            given.extend(["--member".into(), robot.into()]);
            if let Some(credentials) = &credentials {
                given.extend(["--user".into(), credentials.user.clone().into()]);
            }
            given.extend(without(rest, &["--user", "--password"]));
            let member = SupervisedRobot {
                robot: robot.clone(),
                label: if robots.len() > 1 { format!("{robot:widest$} │ ") } else { String::new() },
                args: given,
                password: credentials.as_ref().map(|c| c.token.clone()),
                restart: args.restart,
                robots: robots.len(),
            };
            let (supervisor, program) = (supervisor.clone(), program.clone());
            std::thread::Builder::new()
                .name(robot.clone())
                .spawn(move || member.play_with_restarts(&supervisor, &program))
        })
        .collect();
    let mut codes = Vec::new();
    for member in members {
        let code = member.map_err(|e| failed(&e))?.join().map_err(|_| Failure::Run("a thread has ended".to_owned()))?;
        codes.push(code);
    }
    drop(watch);
    if robots.len() > 1 {
        let mut out = crate::terminal::stdout();
        let each =
            robots.iter().zip(&codes).map(|(robot, code)| format!("{}: {}", printable_line(robot), words(*code)));
        writeln!(out, "{DIM}{}{DIM:#}", each.collect::<Vec<_>>().join("; "))?;
    }
    let interrupted = supervisor.state().signals > 0;
    Ok(if interrupted { exit::INTERRUPTED } else { worst(&codes) })
}

/// Removes some options and their values from the arguments.
fn without(
    args: impl Iterator<Item = std::ffi::OsString>,
    options: &[&str],
) -> impl Iterator<Item = std::ffi::OsString> {
    let (mut skip, options): (bool, Vec<String>) = (false, options.iter().map(|o| (*o).to_owned()).collect());
    args.filter(move |arg| {
        if std::mem::take(&mut skip) {
            return false;
        }
        let text = arg.to_string_lossy();
        // Options may be abbreviated if they stay unique. An ambiguous abbreviation has been refused before.
        let (name, value) = text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        let named = name.len() > 2 && name.starts_with("--") && options.iter().any(|option| option.starts_with(name));
        skip = named && value.is_none();
        !named
    })
}

/// Returns the most severe exit code.
fn worst(codes: &[i32]) -> i32 {
    [exit::INTERRUPTED, exit::USAGE, exit::UNSUPPORTED, exit::FAILED, exit::NOT_ENDED]
        .into_iter()
        .find(|code| codes.contains(code))
        .unwrap_or_else(|| codes.iter().copied().max().unwrap_or(exit::OK))
}

fn words(code: i32) -> String {
    match code {
        exit::OK => "ended".to_owned(),
        exit::USAGE => "could not be played".to_owned(),
        exit::NOT_ENDED => "had not ended".to_owned(),
        exit::FAILED => "failed".to_owned(),
        exit::UNSUPPORTED => "made an unsupported call".to_owned(),
        exit::INTERRUPTED => "interrupted".to_owned(),
        other => format!("ended with {other}"),
    }
}

impl SupervisedRobot {
    /// Plays until no restart is due. Returns the last exit code.
    fn play_with_restarts(&self, supervisor: &Arc<Supervisor>, program: &Program) -> i32 {
        let mut pause = FIRST_PAUSE;
        let mut is_ready = false;
        loop {
            let began = Instant::now();
            let code = self.play(supervisor, program, &mut is_ready).unwrap_or_else(|e| {
                self.say(&format!(
                    "{YELLOW}cannot play on {}: {}{YELLOW:#}",
                    printable_line(&self.robot),
                    system_message(&e)
                ));
                exit::FAILED
            });
            if !std::mem::replace(&mut is_ready, true) {
                supervisor.report_ready();
            }
            let again = match self.restart {
                Restart::Never => false,
                Restart::OnFailure => code != exit::OK,
                Restart::Always => true,
            };
            // A file that cannot be used will not work the next time either, and a robot that was interrupted must
            // stand still.
            if !again || code == exit::USAGE || code == exit::INTERRUPTED || supervisor.state().signals > 0 {
                return code;
            }
            if began.elapsed() >= LONGEST_PAUSE || code == exit::OK {
                pause = FIRST_PAUSE;
            }
            self.say(&format!("{DIM}{}; again in {} s{DIM:#}", words(code), pause.as_secs()));
            if supervisor.pause(pause) {
                return code;
            }
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn play(&self, supervisor: &Arc<Supervisor>, program: &Program, is_ready: &mut bool) -> io::Result<i32> {
        let mut command = program.command();
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(password) = &self.password {
            command.env("BOXSTEP_PASSWORD", password);
        }
        // This process passes Ctrl-C on, so that each child gets it once.
        process_group::separate(&mut command);
        let mut child: Child = {
            let mut state = supervisor.state();
            if state.signals > 0 {
                return Ok(exit::INTERRUPTED);
            }
            let child = command.spawn()?;
            state.children.push(child.id());
            child
        };
        let pid = child.id();
        let done = self.relay(supervisor, &mut child, is_ready);
        let status = child.wait();
        supervisor.state().children.retain(|p| *p != pid);
        done?;
        // A process that was ended by a signal has no exit code.
        Ok(status?.code().unwrap_or(exit::FAILED))
    }

    /// Relays the output of the child process until it ends.
    fn relay(&self, supervisor: &Arc<Supervisor>, child: &mut Child, is_ready: &mut bool) -> io::Result<()> {
        let mut input: Option<ChildStdin> = child.stdin.take();
        let errors = child.stderr.take().map(BufReader::new);
        let label = self.label.clone();
        let errors_thread = std::thread::Builder::new().spawn(move || {
            for line in errors.into_iter().flat_map(BufReader::lines).map_while(Result::ok) {
                let _ = writeln!(crate::terminal::stderr(), "{label}{line}");
            }
        })?;
        for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines()).map_while(Result::ok) {
            if line == READY {
                if !std::mem::replace(is_ready, true) {
                    supervisor.report_ready();
                }
                // With restarts a robot may come at any time, so the others do not wait for it.
                if self.restart == Restart::Never {
                    supervisor.wait_until_ready(self.robots);
                }
                if let Some(input) = &mut input {
                    writeln!(input, "{GO}").and_then(|()| input.flush())?;
                }
                continue;
            }
            self.say(&line);
        }
        drop(input);
        let _ = errors_thread.join();
        Ok(())
    }

    fn say(&self, line: &str) {
        // If standard output is closed, the line is lost; the `READY` protocol and signals still work.
        let _ = writeln!(crate::terminal::stdout(), "{}{line}", self.label);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_of_all_counts() {
        assert_eq!(worst(&[0, 0]), 0);
        assert_eq!(worst(&[0, 3]), 3);
        assert_eq!(worst(&[4, 3, 0]), 4);
        assert_eq!(worst(&[4, 5]), 5);
        assert_eq!(worst(&[0, 130, 5]), 130);
    }

    #[test]
    fn who_one_is_is_passed_on_by_other_means() {
        let args = ["x", "--user", "nao", "--password=file", "--passw", "file", "--quiet", "--us=me"];
        let left: Vec<_> = without(args.iter().map(Into::into), &["--user", "--password"]).collect();
        assert_eq!(left, ["x", "--quiet"]);
    }
}
