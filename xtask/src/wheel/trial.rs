//! Tests what a user does with the installed package, in one Python.

use super::away::Away;
use super::pythons::{self, Python};
use crate::Outcome;
use crate::tools::{root, run};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An environment with only the wheel, and the examples beside it.
struct Trial<'a> {
    away: &'a Away,
    /// The working folder.
    place: PathBuf,
    /// The Python without the package.
    base: &'a Python,
    python: PathBuf,
}

/// The exit code and the output of a command.
struct Said {
    shown: String,
    code: Option<i32>,
    out: String,
    err: String,
}

/// The steps, in order.
const STEPS: &[fn(&Trial<'_>) -> Outcome] = &[
    it_is_installed,
    naoqi_and_qi_are_modules,
    nothing_comes_from_the_sources,
    both_ways_start_the_command,
    examples_play_in_both_hosts,
    tests_pass_in_both_hosts,
    scripts_are_checked,
    programs_drive_behaviors,
    pytest_plays_tests,
    main_plays_on_the_simulated_robot,
    main_asks_for_a_robot,
    main_tells_its_usage,
    main_says_what_it_needs,
];

/// Runs all steps, and returns their number.
pub(super) fn of(base: &Python, wheel: &Path, away: &Away, place: &Path) -> Result<usize, String> {
    let examples = place.join("examples");
    copy(&root().join("examples"), &examples)?;
    let environment = place.join("environment");
    let trial = Trial { away, place: place.to_owned(), base, python: pythons::program(&environment) };
    trial.command(&base.program, &[OsStr::new("-m"), OsStr::new("venv"), environment.as_os_str()]).done()?.code(0)?;
    let install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-cache-dir"].map(OsStr::new);
    trial.command(&trial.python, &[&install[..], &[wheel.as_os_str()]].concat()).done()?.code(0)?;
    STEPS.iter().try_for_each(|step| step(&trial))?;
    Ok(STEPS.len())
}

/// A command that has not been run.
struct Ready(Command);

impl Ready {
    fn done(mut self) -> Result<Said, String> {
        let args: Vec<_> = self.0.get_args().map(|a| a.to_string_lossy().into_owned()).collect();
        // Without the words that hide folders.
        let own = args.iter().rposition(|arg| arg == "--").map_or(0, |at| at + 1);
        let shown = args.get(own..).unwrap_or_default().join(" ");
        let output = self.0.output().map_err(|e| format!("{shown}: {e}"))?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Said { shown, code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) })
    }
}

impl Said {
    fn wrong(&self, what: &str) -> String {
        format!("{}: {what}\nexit code: {:?}\n--- out\n{}--- err\n{}", self.shown, self.code, self.out, self.err)
    }

    fn code(self, code: i32) -> Result<Self, String> {
        self.that(&format!("not exit code {code}"), |said| said.code == Some(code))
    }

    fn that(self, wrong: &str, is_so: impl Fn(&Self) -> bool) -> Result<Self, String> {
        if is_so(&self) { Ok(self) } else { Err(self.wrong(wrong)) }
    }

    fn says(self, what: &str) -> Result<Self, String> {
        self.that(&format!("does not say `{what}`"), |said| said.out.contains(what))
    }
}

impl Trial<'_> {
    /// Returns a command with a clean environment.
    fn command(&self, program: &Path, args: &[&OsStr]) -> Ready {
        let mut command = self.away.command(program.as_os_str());
        command.args(args).current_dir(&self.place).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", &self.place).env("LANG", "C.UTF-8");
        Ready(command)
    }

    fn python(&self, args: &[&str]) -> Result<Said, String> {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        self.command(&self.python, &args).done()
    }

    fn boxstep(&self, args: &[&str]) -> Result<Said, String> {
        let program = self.python.with_file_name(format!("boxstep{}", std::env::consts::EXE_SUFFIX));
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        self.command(&program, &args).done()
    }

    /// Converts an example to a split folder.
    fn converted(&self, example: &str, name: &str) -> Result<PathBuf, String> {
        self.boxstep(&["convert", &format!("examples/{example}"), &format!("{name}/")])?.code(0)?;
        Ok(self.place.join(name))
    }
}

fn it_is_installed(trial: &Trial<'_>) -> Outcome {
    const ASKS: &str = "
import boxstep, importlib.metadata, os, sys
import qicore, qicore.timeline, qicore.statemachine, qicore_legacy, object_factory
from boxstep import boxstep_native
assert issubclass(qicore.timeline.Timeline, boxstep.Timeline) and qicore_legacy.BehaviorLegacy and object_factory.ObjectFactory
assert qicore.__file__.startswith(sys.prefix), qicore.__file__
folder = os.path.dirname(boxstep.__file__)
assert folder.startswith(sys.prefix), folder
assert os.path.dirname(boxstep_native.__file__) == folder, boxstep_native.__file__
assert all(os.path.isfile(os.path.join(folder, name)) for name in ('py.typed', 'boxstep_native.pyi')), folder
assert importlib.metadata.version('boxstep') == boxstep.__version__, boxstep.__version__
print('boxstep', boxstep.__version__)
";
    let version = env!("CARGO_PKG_VERSION");
    let is_this = |said: &Said| said.out.trim_end() == format!("boxstep {version}");
    trial.python(&["-c", ASKS])?.code(0)?.that("another version", is_this).map(|_| ())
}

/// Checks that they come with the package, as the last modules of all, and that they work.
fn naoqi_and_qi_are_modules(trial: &Trial<'_>) -> Outcome {
    const ASKS: &str = "
import sys
import almath, allog, motion, naoqi, qi, vision_definitions
for module in (almath, allog, motion, naoqi, qi, vision_definitions):
    assert module.__file__.startswith(sys.prefix), module.__file__
assert sys.path[-1].endswith('sdk'), sys.path
home, other = qi.Session(), qi.Session()
home.listenStandalone('tcp://127.0.0.1:0')
class Adder:
    def add(self, a, b):
        return a + b
home.registerService('Adder', Adder())
other.connect(home.url())
print('sum', other.service('Adder').add(1, 2), almath.Pose2D(1, 2, 3).y)
";
    trial.python(&["-c", ASKS])?.code(0)?.says("sum 3 2.0").map(|_| ())
}

/// Checks this during a run as well, and includes the system's mapped files besides Python's modules.
fn nothing_comes_from_the_sources(trial: &Trial<'_>) -> Outcome {
    let folder = trial.converted("say-and-wait", "asks")?;
    let hidden: Vec<String> = trial.away.hidden().iter().map(|f| f.display().to_string()).collect();
    let asks = format!(
        "import boxstep, os, sys
hidden = {hidden:?}
used = sys.path + [str(getattr(module, '__file__', '')) for module in list(sys.modules.values())]
if os.path.exists('/proc/self/maps'):
    used += [line.split(None, 5)[-1] for line in open('/proc/self/maps').read().splitlines()]
print('%s in %s, of the sources: %s' % (boxstep.__version__, sys.prefix, [f for f in used if f.startswith(tuple(h + os.sep for h in hidden))]))
"
    );
    let script = script(&folder)?;
    let text = std::fs::read_to_string(&script).map_err(|e| e.to_string())?;
    std::fs::write(&script, asks + &text).map_err(|e| e.to_string())?;
    let prefix = trial.place.join("environment");
    let expected = format!("{} in {}, of the sources: []", env!("CARGO_PKG_VERSION"), prefix.display());
    for scripts in ["native", "process"] {
        trial.boxstep(&["play", "asks", "--virtual-time", "--scripts", scripts])?.code(0)?.says(&expected)?;
    }
    Ok(())
}

fn both_ways_start_the_command(trial: &Trial<'_>) -> Outcome {
    let version = concat!("boxstep ", env!("CARGO_PKG_VERSION"));
    trial.boxstep(&["--version"])?.code(0)?.says(version)?;
    trial.python(&["-m", "boxstep", "--version"])?.code(0)?.says(version)?;
    trial.boxstep(&["play", "no-such-file.xar"])?.code(2)?;
    trial.boxstep(&["show", "examples/hello"])?.code(0)?.says("Say bye").map(|_| ())
}

/// The golden traces are from the binary in one Python; the events are the same here. Characters do not end by
/// themselves.
fn examples_play_in_both_hosts(trial: &Trial<'_>) -> Outcome {
    for example in examples(trial)? {
        if trial.place.join(&example).join("character.yaml").is_file() {
            trial.boxstep(&["play", &example, "--virtual-time", "--for", "5"])?.code(0)?.says("has control")?;
            continue;
        }
        let golden = trial.place.join(&example).join("golden.jsonl");
        let golden = std::fs::read_to_string(&golden).map_err(|e| format!("{}: {e}", golden.display()))?;
        for scripts in ["native", "process"] {
            let args = ["play", &example, "--virtual-time", "--must-end", "--for", "60", "--scripts", scripts];
            // As in the tests that the golden traces are from.
            let outside: &[&str] = match example.rsplit('/').next() {
                Some("touch") => &["--event", "FrontTactilTouched=1.0@4", "--event", "FrontTactilTouched=0.0@4.2"],
                Some("museum-talk") => &[
                    "--hear=hello@6",
                    "--hear=Ann",
                    "--hear=where is the mask",
                    "--hear=can you dance",
                    "--hear=bye@40",
                ],
                _ => &[],
            };
            let trace = ["-q", "--trace", "trace.jsonl"];
            trial.boxstep(&[&args[..], outside, &trace[..]].concat())?.code(0)?;
            let trace = std::fs::read_to_string(trial.place.join("trace.jsonl")).map_err(|e| e.to_string())?;
            let parts = (golden.split_once('\n'), trace.split_once('\n'));
            let (Some((header, _)), Some((_, events))) = parts else {
                return Err(format!("{example} with --scripts {scripts}: there is no trace"));
            };
            // The header names the host.
            if let Some(difference) = boxstep_record::diff(&golden, &format!("{header}\n{events}")) {
                return Err(format!("{example} with --scripts {scripts}: - golden, + now: {difference}"));
            }
        }
    }
    Ok(())
}

fn tests_pass_in_both_hosts(trial: &Trial<'_>) -> Outcome {
    for scripts in ["native", "process"] {
        trial.boxstep(&["test", "examples", "--scripts", scripts])?.code(0)?.says(" passed, 0 failed")?;
    }
    Ok(())
}

fn scripts_are_checked(trial: &Trial<'_>) -> Outcome {
    let examples = examples(trial)?;
    let examples = examples.iter().map(String::as_str);
    trial.boxstep(&std::iter::once("check").chain(examples).collect::<Vec<_>>())?.code(0)?.says("0 errors")?;
    let folder = trial.converted("say-and-wait", "broken")?;
    let script = script(&folder)?;
    std::fs::write(&script, "def (:\n").map_err(|e| e.to_string())?;
    trial.boxstep(&["check", "broken"])?.code(1)?.says("BS0651").map(|_| ())
}

/// Without arguments, in real time.
fn main_plays_on_the_simulated_robot(trial: &Trial<'_>) -> Outcome {
    trial.converted("python2", "out")?;
    trial.python(&["out/main.py"])?.code(0)?.says("in real time")?;
    trial.python(&["out/main.py", "--virtual-time", "--must-end"])?.code(0)?.says("of virtual time").map(|_| ())
}

/// No robot listens at this port: the error is one line, as with `--robot`.
fn main_asks_for_a_robot(trial: &Trial<'_>) -> Outcome {
    let said = trial.python(&["out/main.py", "127.0.0.1", "9"])?.code(4)?;
    let is_told = |said: &Said| {
        let expected = "error: nothing listens at tcp://127.0.0.1:9";
        said.out.is_empty() && said.err.trim_end().lines().count() == 1 && said.err.starts_with(expected)
    };
    said.that("not told in one line", is_told).map(|_| ())
}

fn main_tells_its_usage(trial: &Trial<'_>) -> Outcome {
    let wrong: &[&[&str]] =
        &[&["192.0.2.7"], &["192.0.2.7", "x"], &["192.0.2.7", "70000"], &["192.0.2.7", "9559", "x"]];
    for wrong in wrong {
        let said = trial.python(&[&["out/main.py"], *wrong].concat())?.code(2)?;
        let is_usage = |said: &Said| said.out.is_empty() && said.err.starts_with("usage: python3 main.py [IP PORT]");
        said.that("no usage", is_usage)?;
    }
    Ok(())
}

/// The same Python without the package.
fn main_says_what_it_needs(trial: &Trial<'_>) -> Outcome {
    let main = trial.place.join("out").join("main.py");
    let mut alone = trial.command(&trial.base.program, &[OsStr::new("-I"), OsStr::new("-S"), main.as_os_str()]);
    alone.0.env("PATH", trial.place.join("out"));
    let says_how = |said: &Said| {
        let lines = said.err.lines().count();
        said.out.is_empty() && lines == 1 && said.err.contains("has no package `boxstep`: get it with `")
    };
    alone.done()?.code(2)?.that("does not say in one line how to get it", says_how).map(|_| ())
}

/// Returns a script of a split folder.
fn script(folder: &Path) -> Result<PathBuf, String> {
    let is_script = |path: &PathBuf| path.extension().is_some_and(|e| e == "py") && !path.ends_with("main.py");
    files(folder)?.into_iter().find(is_script).ok_or_else(|| "a split folder without scripts".to_owned())
}

/// A program that a user might write.
const PROGRAM: &str = "
import boxstep
from boxstep.testing import play_tests, said
with boxstep.load('examples/say-and-wait') as run:
    run.start()
    run.run_for(1)
    assert run.time == 1.0 and run.wait() == 'ended'
    line = boxstep.Timeline(fps=10, end=5)
    line.registerOnStoppedCallback(lambda: print('played'))
    line.play()
    assert line.waitForTimelineCompletion()
assert all(result.passed for result in play_tests('examples/say-and-wait/behavior.test.toml'))
print(said(run))
";

fn programs_drive_behaviors(trial: &Trial<'_>) -> Outcome {
    let said = trial.python(&["-W", "error", "-c", PROGRAM])?.code(0)?;
    said.says("played")?.says("Here I am again.").map(|_| ())
}

/// The version of pytest for the test; it is not part of the wheel, and is installed from the index.
const PYTEST: &str = "pytest==8.4.2";

/// With only the wheel and pytest: test files are found and played, and tests can use the fixture `behavior`.
fn pytest_plays_tests(trial: &Trial<'_>) -> Outcome {
    const TEST: &str = "
from boxstep.testing import said

def test_it_talks(behavior):
    run = behavior('say-and-wait')
    run.start()
    assert run.wait() == 'ended'
    assert said(run)[-1] == 'Here I am again.'
";
    run(Command::new(&trial.python).args(["-m", "pip", "install", "--quiet", PYTEST]))?;
    let file = trial.place.join("examples").join("test_talk.py");
    std::fs::write(&file, TEST).map_err(|e| format!("{}: {e}", file.display()))?;
    let said = trial.python(&["-m", "pytest", "-v", "-p", "no:cacheprovider", "examples"])?.code(0)?;
    said.says("test_talk.py::test_it_talks PASSED")?.says(".test.toml::").map(|_| ())
}

/// Returns the folders of the examples that have a golden trace, relative to the working folder. Those without one
/// are Python programs, which `boxstep test` plays.
fn examples(trial: &Trial<'_>) -> Result<Vec<String>, String> {
    let all = files(&trial.place.join("examples"))?.into_iter().filter(|path| path.join("golden.jsonl").is_file());
    let names = all.filter_map(|path| Some(format!("examples/{}", path.file_name()?.to_str()?)));
    let names: Vec<String> = names.collect();
    if names.is_empty() { Err("there are no examples".to_owned()) } else { Ok(names) }
}

/// Returns the contents of a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let wrong = |e: std::io::Error| format!("{}: {e}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(wrong)?;
    let mut files = entries.map(|entry| Ok(entry.map_err(wrong)?.path())).collect::<Result<Vec<_>, String>>()?;
    files.sort();
    Ok(files)
}

fn copy(from: &Path, to: &Path) -> Outcome {
    std::fs::create_dir_all(to).map_err(|e| format!("{}: {e}", to.display()))?;
    for path in files(from)? {
        let new = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &new)?;
        } else {
            std::fs::copy(&path, &new).map_err(|e| format!("{}: {e}", path.display()))?;
        }
    }
    Ok(())
}
