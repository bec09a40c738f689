//! Files that are far larger, or nested far deeper, than real ones. Every command that reads such files reports a
//! result, in time that is linear in the size of the file.

use crate::Outcome;
use crate::tools::TempDir;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The numbers of boxes and links in the larger files: one for each change, and one beyond any real file.
pub(super) const FEW: usize = 20_000;
pub(super) const MANY: usize = 100_000;
/// The longest time that a command may take, on the machine's clock.
const WITHIN: Duration = Duration::from_secs(60);
/// The factor by which the smaller files are smaller.
const SMALLER: usize = 10;
/// The allowed factor of the time. Quadratic time would take a hundred times as long with the larger files, linear
/// time ten times.
const LONGER: u32 = 40;
/// The time that every command takes independent of its file, on a busy machine.
const ANYWAY: Duration = Duration::from_millis(200);

/// Commands, in which `FILE` is the file, and `OUT` the output.
const OF_BEHAVIORS: [&str; 13] = [
    "show FILE",
    "show FILE --format json",
    "show FILE --format svg",
    "show FILE --format html",
    "show FILE --format dot",
    "show FILE --format mermaid",
    "check FILE",
    "diff FILE FILE",
    "fmt --check FILE",
    "plot FILE",
    "migrate FILE",
    "convert FILE OUT --force",
    "play FILE --scripts off --virtual-time --for 1",
];
const OF_CHARACTERS: [&str; 3] = ["show FILE", "check FILE", "play FILE --virtual-time --for 1"];
const OF_RECORDINGS: [&str; 3] = ["why FILE", "replay FILE", "diff FILE FILE"];

/// A file's name, its text for a number of boxes, links or levels, and the commands that read it.
type Case = (&'static str, fn(usize) -> String, &'static [&'static str]);

const CASES: [Case; 10] = [
    ("chain.xar", |n| behavior(&chain(n)), &OF_BEHAVIORS),
    ("one_name.xar", |n| behavior(&boxes(n, |_| "Box".to_owned())), &OF_BEHAVIORS),
    ("links.xar", |n| behavior(&(boxes(2, |i| format!("Box {i}")) + &link((1, 4), (2, 2)).repeat(n))), &OF_BEHAVIORS),
    ("deep.xar", deep, &OF_BEHAVIORS),
    ("name.xar", |n| behavior(&a_box(1, &"N".repeat(100 * n), "")), &OF_BEHAVIORS),
    ("elements.xar", |n| "<a>".repeat(10 * n), &OF_BEHAVIORS),
    ("lists.yaml", |n| "[".repeat(n), &OF_CHARACTERS),
    ("behaviors.yaml", character, &OF_CHARACTERS),
    ("lists.jsonl", |n| "[".repeat(n), &OF_RECORDINGS),
    ("objects.jsonl", |n| "{\"a\":".repeat(n), &OF_RECORDINGS),
];

/// Runs every command with every file of this size.
pub(super) fn read_all(program: &Path, size: usize) -> Outcome {
    let place = TempDir::new("files")?;
    let mut wrong = Vec::new();
    for (name, text, commands) in CASES {
        let [small, large] = [("small", size / SMALLER), ("large", size)].map(|(folder, size)| {
            let folder = place.path().join(folder);
            let file = folder.join(name);
            let written = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, text(size)));
            written.map(|()| file).map_err(|e| format!("{name}: {e}"))
        });
        let (small, large) = (small?, large?);
        let mut slowest = (Duration::ZERO, "");
        for command in commands {
            let read = |file: &Path| read(program, command, file).map_err(|why| format!("{command}: {name}: {why}"));
            let done = read(&small).and_then(|short| {
                let long = read(&large)?;
                slowest = slowest.max((long, command));
                grows_as_the_file(short, long).map_err(|why| format!("{command}: {name}: {why}"))
            });
            wrong.extend(done.err());
        }
        println!(
            "{name}: {} commands, the slowest is {} with {:.1} s",
            commands.len(),
            slowest.1,
            slowest.0.as_secs_f64()
        );
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Checks that a file that is ten times larger takes little more than ten times as long.
fn grows_as_the_file(short: Duration, long: Duration) -> Outcome {
    if long <= (short + ANYWAY) * LONGER {
        return Ok(());
    }
    let [short, long] = [short, long].map(|time| time.as_secs_f64());
    Err(format!("it takes {long:.1} s, and {short:.1} s if the file is {SMALLER} times smaller"))
}

/// Returns the time that a command takes to read a file; an error if it does not end by itself with a message.
fn read(program: &Path, command: &str, file: &Path) -> Result<Duration, String> {
    let failed = |e: std::io::Error| e.to_string();
    let (out, words) = (file.with_extension("crg"), file.with_extension("words"));
    let args = command.split(' ').map(|word| match word {
        "FILE" => file.as_os_str(),
        "OUT" => out.as_os_str(),
        word => word.as_ref(),
    });
    let began = Instant::now();
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&words).map_err(failed)?)
        .spawn()
        .map_err(failed)?;
    let status = loop {
        if let Some(status) = child.try_wait().map_err(failed)? {
            break status;
        }
        if began.elapsed() > WITHIN {
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it still ran after {} s", WITHIN.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let took = began.elapsed();
    let said = std::fs::read(&words).map_err(failed)?;
    let said = String::from_utf8_lossy(&said);
    match status.code() {
        Some(0..=4) if !said.contains("panicked at") => Ok(took),
        _ => Err(format!("it ended with {status}\n{}", said.chars().take(2000).collect::<String>())),
    }
}

const PORTS: &str = r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="0" id="2"/><Input name="onStop" type="1" type_size="1" nature="3" inner="0" id="3"/><Output name="onStopped" type="1" type_size="1" nature="1" inner="0" id="4"/>"#;

fn behavior(inside: &str) -> String {
    let root = a_box(-1, "root", &diagram(inside));
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?><ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
    )
}

fn diagram(inside: &str) -> String {
    format!(
        r#"<Timeline enable="0"><BehaviorLayer name="layer"><BehaviorKeyframe name="keyframe" index="1"><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
    )
}

fn a_box(id: i64, name: &str, inside: &str) -> String {
    format!(r#"<Box name="{name}" id="{id}" x="0" y="0">{PORTS}{inside}</Box>"#)
}

/// A link from a box's output to a box's input; 0 is the surrounding box.
fn link((from, output): (usize, usize), (to, input): (usize, usize)) -> String {
    format!(r#"<Link inputowner="{to}" indexofinput="{input}" outputowner="{from}" indexofoutput="{output}"/>"#)
}

/// Returns `n` boxes with names by their number.
fn boxes(n: usize, name: fn(usize) -> String) -> String {
    (1..=n).map(|i| a_box(i64::try_from(i).unwrap_or_default(), &name(i), "")).collect()
}

/// Returns a chain of boxes, each of which starts the next.
fn chain(n: usize) -> String {
    let links = (1..=n).map(|i| if i == 1 { link((0, 2), (1, 2)) } else { link((i - 1, 4), (i, 2)) });
    boxes(n, |i| format!("Box {i}")) + &links.collect::<String>()
}

/// Returns `n` boxes, each inside the other.
fn deep(n: usize) -> String {
    let level = a_box(1, "Deep", &diagram("|"));
    let (begin, end) = level.split_once('|').unwrap_or_default();
    behavior(&(begin.repeat(n) + &end.repeat(n)))
}

/// Returns a character with a sequence of `n` behaviors.
fn character(n: usize) -> String {
    let mut text = "character: Long\nroot: all\nbehaviors:\n  all:\n    sequence:\n".to_owned();
    for i in 0..n {
        let _ = writeln!(text, "      - b{i}");
    }
    for i in 0..n {
        let _ = writeln!(text, "  b{i}: {{ say: Hello {i} }}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_grows_faster_than_the_file_is_told() {
        let seconds = Duration::from_secs_f64;
        assert_eq!(grows_as_the_file(seconds(0.3), seconds(5.0)), Ok(()));
        let why = grows_as_the_file(seconds(0.3), seconds(30.0)).unwrap_err();
        assert_eq!(why, "it takes 30.0 s, and 0.3 s if the file is 10 times smaller");
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_ends_without_a_code_of_ours_is_told() {
        let place = TempDir::new("files-test").unwrap();
        let file = place.path().join("a.xar");
        let ends = |line: &str| {
            std::fs::write(&file, line).unwrap();
            read(Path::new("/bin/sh"), "FILE", &file).map(drop)
        };
        assert_eq!(ends("exit 2"), Ok(()));
        assert!(ends("echo what panicked at it >&2").unwrap_err().contains("panicked at it"));
        assert!(ends("exit 101").unwrap_err().contains("101"));
        assert!(ends("kill -ABRT $$").unwrap_err().contains("signal"));
    }
}
