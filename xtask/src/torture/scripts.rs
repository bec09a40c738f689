//! Runs each script of `xtask/torture/scripts` as the only box of a behavior, with both hosts and both clocks.
//! Whatever the script does, the engine must report how the run ended, in time, and no process that the script has
//! started may remain.

use crate::Outcome;
use crate::tools::{TempDir, root};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The longest time that a run may take on the machine's clock: its own limit, the time for a stop, and an allowance
/// for a busy machine.
const WITHIN: Duration = Duration::from_secs(60);
/// The limit on the run's clock, in seconds.
const LIMIT: &str = "0.5";
/// The time on the machine's clock after which a run in virtual time is interrupted. A script that calls the engine
/// without end makes a thousand calls in a virtual millisecond, so that its limit would only be reached after minutes.
const INTERRUPTED: Duration = Duration::from_secs(5);
/// The time on the machine's clock after which no process of a finished run may remain.
const SETTLED: Duration = Duration::from_secs(2);
/// The number of concurrent runs, which wait for most of the time.
const AT_A_TIME: usize = 8;
/// The marks of runs start here, beyond those that the engine gives its own scripts in the same limit.
const MARK_FROM: u64 = 1 << 63;

/// A script, and how its runs may end.
struct Script {
    name: String,
    text: String,
    codes: Vec<i32>,
    hosts: Vec<&'static str>,
}

/// Plays all scripts with a program.
pub(super) fn play_all(program: &Path) -> Outcome {
    let place = TempDir::new("torture")?;
    let folder = root().join("xtask/torture/scripts");
    let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .map_err(failed)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    files.sort();
    let page = std::fs::read_to_string(root().join("docs/inside/torture.md"))
        .map_err(|e| format!("docs/inside/torture.md: {e}"))?;
    let mut runs = Vec::new();
    for file in &files {
        let script = Arc::new(read(file)?);
        if !page.contains(&format!("| `{}` |", script.name)) {
            return Err(format!("docs/inside/torture.md does not list {}", script.name));
        }
        let behavior = place.path().join(format!("{}.xar", script.name));
        std::fs::write(&behavior, xar(&script.text)).map_err(|e| format!("{}: {e}", behavior.display()))?;
        for &host in &script.hosts {
            for clock in ["virtual", "real"] {
                runs.push(Run { script: script.clone(), behavior: behavior.clone(), host, clock });
            }
        }
    }
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(run) = runs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let began = Instant::now();
                    let done = run.play(program);
                    println!(
                        "{} {:.1} s{}",
                        run.name(),
                        began.elapsed().as_secs_f64(),
                        if done.is_ok() { "" } else { ": wrong" }
                    );
                    if let Err(why) = done {
                        wrong.lock().unwrap_or_else(PoisonError::into_inner).push(format!("{}: {why}", run.name()));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap_or_else(PoisonError::into_inner);
    println!("torture: {} scripts, {} runs, {} not as they should be", files.len(), runs.len(), wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Reads a script. After the first line, which names the Python version, a line describes the script, `# ends: 0 4`
/// lists the allowed exit codes, and `# hosts: process` marks a script that would damage this process in the other
/// host.
fn read(file: &Path) -> Result<Script, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let said = |what: &str| text.lines().find_map(|line| line.strip_prefix(what));
    let codes = said("# ends: ").unwrap_or_default().split(' ').filter_map(|code| code.parse().ok()).collect();
    let only = said("# hosts: ");
    let hosts = ["native", "process"].into_iter().filter(|host| only.is_none_or(|only| only == *host)).collect();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Script { name, text, codes, hosts })
}

/// A run of one script with one host and one clock.
struct Run {
    script: Arc<Script>,
    behavior: PathBuf,
    host: &'static str,
    clock: &'static str,
}

impl Run {
    fn name(&self) -> String {
        format!("{}-{}-{}", self.script.name, self.host, self.clock)
    }

    fn play(&self, program: &Path) -> Outcome {
        let failed = |e: std::io::Error| e.to_string();
        let mark = new_mark();
        let [out, err] = ["out", "err"].map(|ending| self.behavior.with_file_name(format!("{}.{ending}", self.name())));
        let file = |path: &Path| std::fs::File::create(path).map_err(failed);
        let began = Instant::now();
        let is_virtual = self.clock == "virtual";
        let mut child = marked(program, mark)
            .arg("play")
            .arg(&self.behavior)
            .args(["--for", LIMIT, "--patience", "2", "--scripts", self.host])
            .args(is_virtual.then_some("--virtual-time"))
            .stdin(Stdio::null())
            .stdout(file(&out)?)
            .stderr(file(&err)?)
            .spawn()
            .map_err(failed)?;
        let mut interrupted = false;
        let status: ExitStatus = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if began.elapsed() > WITHIN {
                let _ = child.kill();
                let _ = child.wait();
                end(&left(mark));
                return Err(format!("it still ran after {} s", WITHIN.as_secs()));
            }
            if is_virtual && !interrupted && began.elapsed() > INTERRUPTED {
                send("-INT", child.id());
                interrupted = true;
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = std::fs::read(&err).map_err(failed)?;
        let said = String::from_utf8_lossy(&said);
        // The keeper, which ends the processes, ends last.
        let ended = Instant::now();
        let mut remains = left(mark);
        while !remains.is_empty() && ended.elapsed() < SETTLED {
            std::thread::sleep(Duration::from_millis(20));
            remains = left(mark);
        }
        let named: Vec<_> = remains.iter().map(|process| named(*process)).collect();
        end(&remains);
        if said.contains("panicked at") {
            return Err(format!("the engine panicked\n{said}"));
        }
        let may_be = |code| self.script.codes.contains(&code) || (interrupted && code == 130);
        if !status.code().is_some_and(may_be) {
            return Err(format!("it ended with {status}\n{said}"));
        }
        if remains.is_empty() { Ok(()) } else { Err(format!("it left processes: {}", named.join(", "))) }
    }
}

/// Returns a number that no other run has.
fn new_mark() -> u64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    MARK_FROM | u64::from(std::process::id()) << 20 | COUNT.fetch_add(1, Ordering::Relaxed)
}

/// Returns a command whose process and descendants have this mark: they can empty the environment and leave the
/// session, but the hard limit of real-time processes, which is not restrictive here, stays unless it is lowered.
/// Linux only.
fn marked(program: &Path, mark: u64) -> Command {
    if !cfg!(target_os = "linux") {
        return Command::new(program);
    }
    let mut command = Command::new("prlimit");
    command.arg(format!("--rttime={mark}:{mark}")).arg("--").arg(program);
    command
}

/// Returns the processes that have the run's mark, where the system shows it.
fn left(mark: u64) -> Vec<u32> {
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mark = mark.to_string();
    let has_mark = |pid: &u32| {
        let limits = std::fs::read_to_string(format!("/proc/{pid}/limits")).unwrap_or_default();
        let limit = limits.lines().find(|line| line.starts_with("Max realtime timeout"));
        // A zombie does nothing any more.
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let has_ended = stat.rsplit_once(") ").is_none_or(|(_, state)| state.starts_with(['Z', 'X']));
        !has_ended && limit.is_some_and(|line| line.split_whitespace().any(|word| word == mark))
    };
    all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(has_mark).collect()
}

/// Describes a process for people.
fn named(process: u32) -> String {
    let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    format!("{process} ({})", command.replace('\0', " ").trim_end())
}

fn end(processes: &[u32]) {
    for process in processes {
        send("-KILL", *process);
    }
}

fn send(signal: &str, process: u32) {
    let _ = Command::new("kill").args([signal, &process.to_string()]).status();
}

/// Returns a behavior with one box, which is started with it and ends it.
fn xar(script: &str) -> String {
    let ports = |inner: u8| {
        format!(
            r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="{inner}" id="2"/><Input name="onStop" type="1" type_size="1" nature="3" inner="{inner}" id="3"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="{inner}" id="4"/>"#
        )
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3"><Box name="root" id="-1" x="0" y="0">{ports}<Timeline enable="0"><BehaviorLayer name="layer"><BehaviorKeyframe name="keyframe" index="1"><Diagram><Box name="Hostile" id="1" x="0" y="0"><script language="4"><content><![CDATA[{script}]]></content></script>{ports}</Box><Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2"/><Link inputowner="0" indexofinput="4" outputowner="1" indexofoutput="4"/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>
"#,
        ports = ports(0)
    )
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_empties_its_environment_and_leaves_its_session_is_found() {
        let mark = new_mark();
        let told = marked(Path::new("setsid"), mark)
            .args(["env", "-i", "/bin/sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!"])
            .output()
            .unwrap();
        let child: u32 = String::from_utf8(told.stdout).unwrap().trim().parse().unwrap();
        let found = left(mark);
        send("-KILL", child);
        assert_eq!(found, [child]);
        assert_eq!(left(new_mark()), [0; 0]);
    }
}
