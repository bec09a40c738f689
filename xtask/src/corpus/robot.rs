//! Plays the same files on a served robot: in virtual time on a robot with its client's clock, where the traces must
//! be identical, and in real time, where the same boxes must run and the robot must stand at the end.

use super::play::{End, How, Played, VIRTUAL, play, play_for};
use super::prepare::prepare;
use super::report::{crashes, share};
use super::tables::is_good;
use super::{File, Options};
use crate::{Outcome, tools};
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The maximum number of differences that are shown.
const SHOWN: usize = 10;
/// The minimum percentage of files without unsupported calls.
const SUPPORTED: f64 = 99.0;
/// The tolerance of the time of a box's first call in real time compared with virtual time, in seconds.
const MARGIN: u64 = 3;
/// The allowance for the start, for stopping the robot, and for a busy machine, in seconds.
const SLACK: u64 = 40;

/// A served robot in a process of its own, which ends when this is dropped.
pub(crate) struct Robot {
    child: Child,
    address: String,
}

impl Robot {
    fn start(binary: &Path, options: &[&str]) -> Result<Self, String> {
        let mut child = Command::new(binary)
            .args(["robot", "--listen", "127.0.0.1:0"])
            .args(options)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("{}: {e}", binary.display()))?;
        let mut out = BufReader::new(child.stdout.take().ok_or("the robot has no output")?).lines();
        let first = out.find_map(|line| line.ok()?.split_once("tcp://").map(|(_, at)| at.trim().to_owned()));
        // The robot continues to write, and must not block because its output is not read.
        std::thread::spawn(move || out.map_while(Result::ok).for_each(drop));
        let mut robot = Self { child, address: String::new() };
        robot.address = first.ok_or("the robot does not say where it is")?;
        Ok(robot)
    }

    fn is_there(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Robot {
    fn drop(&mut self) {
        // Errors are ignored: the process may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a file on a served robot, and how it compares with the local result.
pub(crate) struct Served {
    played: Played,
    same: Same,
}

#[derive(Debug, PartialEq, Eq)]
enum Same {
    /// The traces are identical.
    Equal,
    /// Neither run has a trace: the file cannot be run.
    Neither,
    /// The first difference, and whether both runs claim to be deterministic.
    Different(String, bool),
}

/// Plays a file, which has been played locally, on a robot with its client's clock.
pub(crate) fn play_again(
    robot: &mut Option<Robot>,
    binary: &Path,
    path: &Path,
    options: &[String],
    trace: &Path,
    patience: Duration,
) -> Result<Served, String> {
    // A robot that crashed with an earlier file must not make this one fail.
    if !robot.as_mut().is_some_and(Robot::is_there) {
        *robot = Some(Robot::start(binary, &["--clock", "client"])?);
    }
    let address = robot.as_ref().map(|robot| robot.address.clone()).unwrap_or_default();
    let there = trace.with_extension("robot.jsonl");
    let options = [options, &["--robot".to_owned(), address]].concat();
    let played = play(binary, path, &options, &there, patience)?;
    let read = |path: &Path| std::fs::read(path).unwrap_or_default();
    let same = compare(&read(trace), &read(&there));
    Ok(Served { played, same })
}

fn compare(here: &[u8], there: &[u8]) -> Same {
    if here.is_empty() && there.is_empty() {
        return Same::Neither;
    }
    if here == there {
        return Same::Equal;
    }
    let (here, there) = (String::from_utf8_lossy(here), String::from_utf8_lossy(there));
    let repeatable = [&here, &there].iter().all(|text| text.trim_end().ends_with("\"deterministic\":true}"));
    let words = boxstep_record::diff(&here, &there);
    Same::Different(words.unwrap_or_else(|| "in what is not UTF-8".to_owned()), repeatable)
}

/// Reports the results of all files, and fails if they are insufficient.
pub(crate) fn report(files: &[File]) -> Outcome {
    let served: Vec<(&File, &Served)> = files.iter().filter_map(|f| Some((f, f.served.as_ref()?))).collect();
    let count = |what: &dyn Fn(&Served) -> bool| served.iter().filter(|(_, s)| what(s)).count();
    let differ = |repeatable: bool| move |s: &Served| matches!(&s.same, Same::Different(_, r) if *r == repeatable);
    println!("\non a served robot, its clock held by the play: {} files", served.len());
    println!("  {:>5}  equal to the byte", count(&|s| s.same == Same::Equal));
    println!("  {:>5}  different", count(&differ(true)));
    println!("  {:>5}  different, and not repeatable by their own word", count(&differ(false)));
    println!("  {:>5}  with no trace: cannot be run", count(&|s| s.same == Same::Neither));
    let different = served.iter().filter_map(|(f, s)| match &s.same {
        Same::Different(words, repeatable) => Some((f, s, words, repeatable)),
        _ => None,
    });
    for (file, s, words, repeatable) in different.take(SHOWN) {
        let kind = if *repeatable { "" } else { " (not repeatable)" };
        println!(
            "\n{}{kind}: - here, + at the robot, in {:.1} s\n{}\n{}",
            file.name,
            s.played.took.as_secs_f64(),
            short(words),
            s.played.why
        );
    }
    let supported = count(&|s| s.played.missing.is_empty());
    let part = share(supported, served.len());
    bars(&[
        crashes(count(&|s| s.played.end == End::Crash), "crashes"),
        crashes(count(&|s| s.played.end == End::Hang), "hangs"),
        crashes(count(&differ(true)), "different traces of repeatable runs"),
        (format!("no unsupported call {part:.1}% ({SUPPORTED}%)"), part >= SUPPORTED),
    ])
}

fn bars(lines: &[(String, bool)]) -> Outcome {
    println!();
    for (what, holds) in lines {
        println!("  {} {what}", if *holds { "ok  " } else { "MISS" });
    }
    if lines.iter().all(|(_, holds)| *holds) { Ok(()) } else { Err("the bar is missed".to_owned()) }
}

/// Shortens lines, because those of traces can be very long.
fn short(words: &str) -> String {
    let cut = |line: &str| line.chars().take(400).collect::<String>();
    words.lines().map(cut).collect::<Vec<_>>().join("\n")
}

/// A file to play in real time, and its result in virtual time.
struct Sample {
    path: PathBuf,
    name: String,
    options: Vec<String>,
    reference: Played,
}

/// Plays some files in real time, each on a robot of its own.
pub(crate) fn real_time(binary: &Path, dir: &Path, paths: &[PathBuf], options: &Options) -> Outcome {
    let place = tools::TempDir::new("corpus-robot")?;
    let samples = samples(binary, dir, paths, options, place.path())?;
    let wanted = samples.len();
    println!("{wanted} files × {} s in real time, each on a robot of its own", options.seconds);
    // More jobs than cores, because they wait for most of the time.
    let jobs = options.jobs.unwrap_or_else(|| 2 * std::thread::available_parallelism().map_or(2, usize::from)).max(1);
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(sample) = samples.get(index) else { return };
                    let trace = place.path().join(format!("{index}.jsonl"));
                    let found = in_real_time(binary, sample, options.seconds, &trace);
                    done.lock().unwrap_or_else(|e| e.into_inner()).push((index, found));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|e| e.into_inner());
    done.sort_by_key(|(index, _)| *index);
    let mut wrong = 0;
    for (index, found) in done {
        let (words, faults) = found?;
        wrong += usize::from(!faults.is_empty());
        println!("{}  {}: {words}", if faults.is_empty() { "ok  " } else { "MISS" }, samples[index].name);
        faults.iter().for_each(|fault| println!("        {fault}"));
    }
    println!("{} of {wanted} are as they should be", wanted - wrong);
    match wrong {
        _ if wanted == 0 => Err("no file plays well and calls a script".to_owned()),
        0 => Ok(()),
        n => Err(format!("{n} files are not as they should be in real time")),
    }
}

/// Selects the files with the smallest hashes that play well and deterministically in virtual time, and call a script.
fn samples(
    binary: &Path,
    dir: &Path,
    paths: &[PathBuf],
    options: &Options,
    place: &Path,
) -> Result<Vec<Sample>, String> {
    let seconds = options.seconds as f64;
    let mut all = Vec::new();
    for path in paths {
        if let (hash, Ok(prepared)) = prepare(path, seconds)? {
            all.push((hash, path, prepared));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.dedup_by(|a, b| a.0 == b.0);
    let (mut samples, wanted) = (Vec::new(), options.files.unwrap_or(10));
    let limit = (options.seconds + MARGIN).to_string();
    for (_, path, prepared) in all {
        if samples.len() == wanted {
            break;
        }
        let (trace, patience) = (place.join("reference.jsonl"), Duration::from_secs(options.patience));
        let clock = [VIRTUAL[0], VIRTUAL[1], &limit];
        let reference =
            play_for(binary, path, &How { clock: &clock, input: None, patience }, &prepared.options, &trace)?;
        let well = matches!(&reference.end, End::Reason(reason) if is_good(reason));
        if well
            && reference.errors.is_empty()
            && reference.missing.is_empty()
            && reference.deterministic
            && !reference.called.is_empty()
        {
            let name = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().into_owned();
            samples.push(Sample { path: path.clone(), name, options: prepared.options, reference });
        }
    }
    Ok(samples)
}

/// Plays a sample in real time, and returns a summary and the faults.
fn in_real_time(binary: &Path, sample: &Sample, seconds: u64, trace: &Path) -> Result<(String, Vec<String>), String> {
    let Sample { path, options, reference, .. } = sample;
    let mut robot = Robot::start(binary, &["--body", &reference.body])?;
    let limit = seconds.to_string();
    // Differences between real robots and the simulation are irrelevant here.
    let clock = ["--for", &limit, "--anyway", "--robot", &robot.address];
    let patience = Duration::from_secs(seconds + SLACK);
    let played = play_for(binary, path, &How { clock: &clock, input: None, patience }, options, trace)?;
    let mut faults = Vec::new();
    match &played.end {
        End::Reason(reason) if is_good(reason) => {}
        End::Reason(reason) => faults.push(format!("it has {reason}: {:?} {:?}", played.errors, played.missing)),
        other => faults.push(format!("{other:?}: {}", played.why)),
    }
    let until = seconds.saturating_sub(MARGIN) * 1_000_000_000;
    let must = reference.first.iter().filter(|(_, at)| **at <= until).map(|(path, _)| path);
    let lacks: BTreeSet<_> = must.filter(|path| !played.called.contains(*path)).collect();
    let more: BTreeSet<_> = played.called.difference(&reference.called).collect();
    if !lacks.is_empty() {
        faults.push(format!("boxes that ran in virtual time, and not here: {lacks:?}"));
    }
    if !more.is_empty() {
        faults.push(format!("boxes that ran here, and not in virtual time: {more:?}"));
    }
    if played.said.contains("the robot may still move") {
        faults.push(format!("the robot has not confirmed that it stands: {}", played.said));
    }
    let moves = Command::new(binary)
        .args(["qi", "call", "ALMotion.moveIsActive", "--robot", &robot.address])
        .output()
        .map_err(|e| e.to_string())?;
    let moves = String::from_utf8_lossy(&moves.stdout).trim().to_owned();
    if moves != "false" || !robot.is_there() {
        faults.push(format!("after the play ALMotion.moveIsActive is {moves:?}"));
    }
    let end = match &played.end {
        End::Reason(reason) => reason.clone(),
        other => format!("{other:?}").to_lowercase(),
    };
    let took = played.took.as_secs_f64();
    Ok((format!("{end} after {took:.1} s, {} boxes with scripts ran", played.called.len()), faults))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_are_the_same_to_the_byte_or_told_where_they_part() {
        let end = "{\"reason\":\"ended\",\"deterministic\":true}\n";
        let (a, b) = (format!("{{\"n\":1}}\n{end}"), format!("{{\"n\":2}}\n{end}"));
        assert_eq!(compare(a.as_bytes(), a.as_bytes()), Same::Equal);
        assert_eq!(compare(b"", b""), Same::Neither);
        let Same::Different(words, true) = compare(a.as_bytes(), b.as_bytes()) else { panic!() };
        assert!(words.contains("\"n\":2"), "{words}");
        let unsure = b.replace("true", "false");
        assert!(matches!(compare(a.as_bytes(), unsure.as_bytes()), Same::Different(_, false)));
        assert!(matches!(compare(a.as_bytes(), b""), Same::Different(_, false)));
    }
}
