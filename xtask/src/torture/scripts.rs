//! Each script of `xtask/torture/scripts` as the only box of a behavior, in both hosts and on both clocks. Whatever it does, the engine says how
//! the run ended, in time, and nothing that the script has started is left.

use crate::Outcome;
use crate::tools::{TempDir, root};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// On the machine's clock. The longest that a run may take: its own limit, what a stop is given, and room for a busy machine.
const WITHIN: Duration = Duration::from_secs(60);
/// On the run's clock, in seconds. A script that calls the engine for ever makes a thousand calls in a virtual millisecond, and each call is a
/// round trip between two processes that other scripts keep waiting.
const LIMIT_REAL: &str = "0.5";
const LIMIT_VIRTUAL: &str = "0.02";
/// On the machine's clock: by then nothing is left of a run that has ended.
const SETTLED: Duration = Duration::from_secs(2);
/// Runs at a time: most of them wait.
const AT_A_TIME: usize = 8;
const MARK: &str = "BOXSTEP_TORTURE";

/// A script, and how its runs may end.
struct Script {
    name: String,
    text: String,
    codes: Vec<i32>,
    hosts: Vec<&'static str>,
}

/// Plays all of them with a program.
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
    let page = std::fs::read_to_string(root().join("docs/torture.md")).map_err(|e| format!("docs/torture.md: {e}"))?;
    let mut runs = Vec::new();
    for file in &files {
        let script = Arc::new(read(file)?);
        if !page.contains(&format!("| `{}` |", script.name)) {
            return Err(format!("docs/torture.md does not list {}", script.name));
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

/// After a first line that says which Python it is, one says what it tries, `# ends: 0 4` with which exit codes a run may end,
/// and `# hosts: process` that in the other host it would harm itself.
fn read(file: &Path) -> Result<Script, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let said = |what: &str| text.lines().find_map(|line| line.strip_prefix(what));
    let codes = said("# ends: ").unwrap_or_default().split(' ').filter_map(|code| code.parse().ok()).collect();
    let only = said("# hosts: ");
    let hosts = ["native", "process"].into_iter().filter(|host| only.is_none_or(|only| only == *host)).collect();
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Script { name, text, codes, hosts })
}

/// One script in one host and on one clock.
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
        let mark = format!("{}-{}", std::process::id(), self.name());
        let [out, err] = ["out", "err"].map(|ending| self.behavior.with_file_name(format!("{}.{ending}", self.name())));
        let file = |path: &Path| std::fs::File::create(path).map_err(failed);
        let began = Instant::now();
        let is_virtual = self.clock == "virtual";
        let limit = if is_virtual { LIMIT_VIRTUAL } else { LIMIT_REAL };
        let mut child = Command::new(program)
            .arg("play")
            .arg(&self.behavior)
            .args(["--for", limit, "--patience", "2", "--scripts", self.host])
            .args(is_virtual.then_some("--virtual-time"))
            .env(MARK, &mark)
            .stdin(Stdio::null())
            .stdout(file(&out)?)
            .stderr(file(&err)?)
            .spawn()
            .map_err(failed)?;
        let status: ExitStatus = loop {
            if let Some(status) = child.try_wait().map_err(failed)? {
                break status;
            }
            if began.elapsed() > WITHIN {
                let _ = child.kill();
                let _ = child.wait();
                end(&left(&mark));
                return Err(format!("it still ran after {} s", WITHIN.as_secs()));
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let said = std::fs::read(&err).map_err(failed)?;
        let said = String::from_utf8_lossy(&said);
        // Who ends them ends last.
        let ended = Instant::now();
        let mut remains = left(&mark);
        while !remains.is_empty() && ended.elapsed() < SETTLED {
            std::thread::sleep(Duration::from_millis(20));
            remains = left(&mark);
        }
        let named: Vec<_> = remains.iter().map(|process| named(*process)).collect();
        end(&remains);
        if said.contains("panicked at") {
            return Err(format!("the engine panicked\n{said}"));
        }
        if !status.code().is_some_and(|code| self.script.codes.contains(&code)) {
            return Err(format!("it ended with {status}\n{said}"));
        }
        if remains.is_empty() { Ok(()) } else { Err(format!("it left processes: {}", named.join(", "))) }
    }
}

/// Processes that have the run's mark, where the system tells.
fn left(mark: &str) -> Vec<u32> {
    let Ok(all) = std::fs::read_dir("/proc") else { return Vec::new() };
    let mark = format!("{MARK}={mark}\0");
    let has_mark = |pid: &u32| {
        let own = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        own.windows(mark.len()).any(|part| part == mark.as_bytes())
    };
    all.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(has_mark).collect()
}

/// A process as its user would look for it.
fn named(process: u32) -> String {
    let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
    format!("{process} ({})", command.replace('\0', " ").trim_end())
}

fn end(processes: &[u32]) {
    for process in processes {
        let _ = Command::new("kill").args(["-KILL", &process.to_string()]).status();
    }
}

/// A behavior with one box, which begins with it and ends it.
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
