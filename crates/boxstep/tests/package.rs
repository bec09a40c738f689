//! The Python package: the command through `python -m boxstep` and `main.py`, and `import boxstep`, in scripts too.
//! `cargo xtask wheel` tests the same of the wheel that users install, in every Python there is.

#![cfg(unix)]
use crate::common;
use crate::common::{Said, Temp, boxstep, python3, root};
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The package with the module of this build, as a wheel has them.
struct Package {
    folder: Temp,
    python: PathBuf,
}

impl Package {
    fn new() -> Option<Self> {
        let python = python3()?;
        let folder = Temp::new("package");
        for package in common::PYTHON_PACKAGES {
            fs::create_dir_all(folder.0.join(package)).unwrap();
            for entry in fs::read_dir(root().join("python").join(package)).unwrap() {
                let path = entry.unwrap().path();
                if path.is_file() {
                    fs::copy(&path, folder.0.join(package).join(path.file_name().unwrap())).unwrap();
                }
            }
        }
        let name = format!("libboxstep_native{}", std::env::consts::DLL_SUFFIX);
        let beside = Path::new(env!("CARGO_BIN_EXE_boxstep")).parent().unwrap();
        let module = [beside.join("deps").join(&name), beside.join(&name)].into_iter().find(|m| m.is_file()).unwrap();
        symlink(module, folder.0.join("boxstep/boxstep_native.abi3.so")).unwrap();
        Some(Self { folder, python })
    }

    /// Its Python with these arguments, where nothing else is found: no other Python, no program of ours.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.python);
        command.args(args).current_dir(root()).env("PATH", "").env("PYTHONPATH", &self.folder.0);
        for name in ["BOXSTEP_PYTHON", "BOXSTEP_ROBOT", "VIRTUAL_ENV"] {
            command.env_remove(name);
        }
        command
    }

    fn say(&self, args: &[&str]) -> Said {
        self.command(args).output().unwrap().into()
    }

    fn boxstep(&self, args: &[&str]) -> Said {
        self.say(&[&["-m", "boxstep"], args].concat())
    }
}

/// A split folder of an example, with its `main.py`.
fn converted(example: &str) -> Temp {
    let folder = Temp::new("split");
    let example = format!("examples/{example}");
    Said::from(boxstep(&["convert", &example, &format!("{}/", folder.arg())]).output().unwrap()).code(0);
    folder
}

/// A script of it.
fn script(folder: &Temp) -> PathBuf {
    let mut files = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().path());
    let is_script = |path: &PathBuf| path.extension().is_some_and(|e| e == "py") && !path.ends_with("main.py");
    files.find(is_script).unwrap()
}

#[test]
fn the_package_is_imported_outside_of_the_program() {
    let Some(package) = Package::new() else { return };
    let version = "import boxstep, sys; print(boxstep.__version__, 'boxstep.boxstep_native' in sys.modules)";
    let said = package.say(&["-c", version]).code(0);
    assert_eq!(said.out, format!("{} False\n", env!("CARGO_PKG_VERSION")));
    let said = package.boxstep(&["--version"]).code(0);
    assert_eq!(said.out, concat!("boxstep ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_package_plays_scripts_in_its_own_python() {
    let Some(package) = Package::new() else { return };
    for scripts in ["native", "process"] {
        let trace = Temp::new("jsonl");
        let args = ["play", "examples/hello", "--virtual-time", "--must-end", "--scripts", scripts];
        let said = package.boxstep(&[&args[..], &["--trace", trace.arg()]].concat()).code(0);
        assert!(said.out.contains("says “Hello, I am a robot.”"), "{}", said.out);
        // As the binary does, hash order and clock included.
        let golden = fs::read_to_string(root().join("examples/hello/golden.jsonl")).unwrap();
        let events = |trace: &str| trace.split_once('\n').unwrap().1.to_owned();
        let trace = fs::read_to_string(&trace.0).unwrap();
        assert_eq!(boxstep_record::diff(&events(&golden), &events(&trace)), None, "{scripts}");
    }
}

#[test]
fn the_package_tests_and_checks_with_its_own_python() {
    let Some(package) = Package::new() else { return };
    for scripts in ["native", "process"] {
        let said = package.boxstep(&["test", "examples/python2", "--scripts", scripts]).code(0);
        assert!(said.out.contains("1 passed, 0 failed"), "{}", said.out);
    }
    // What only a Python knows, and there is only one.
    let folder = converted("say-and-wait");
    let script = script(&folder);
    fs::write(&script, fs::read_to_string(&script).unwrap() + "def (:\n").unwrap();
    let checked = package.boxstep(&["check", folder.arg()]).code(1);
    assert!(checked.out.contains("BS0651"), "{}{}", checked.out, checked.err);
}

#[test]
fn the_users_own_choice_of_python_comes_first() {
    let Some(package) = Package::new() else { return };
    let play = ["-m", "boxstep", "play", "examples/hello"];
    let asked = package.say(&[&play[..], &["--python", "/no/python"]].concat()).code(2);
    assert!(asked.err.contains("cannot start /no/python (--python)"), "{}", asked.err);
    let said: Said = package.command(&play).env("BOXSTEP_PYTHON", "/no/other").output().unwrap().into();
    assert!(said.code(2).err.contains("cannot start /no/other (BOXSTEP_PYTHON)"));
}

/// Python's own handler of the interrupt would only take a note.
#[test]
fn an_interrupt_ends_what_the_package_runs() {
    let Some(package) = Package::new() else { return };
    for scripts in ["native", "process", "off"] {
        // If the signal is missed the run ends all the same, and the test fails.
        let args = ["-m", "boxstep", "play", "examples/touch", "--for", "60", "--scripts", scripts];
        let mut child = package.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        let mut out = String::new();
        while !out.contains("behavior touch started") {
            assert_ne!(reader.read_line(&mut out).unwrap(), 0, "{scripts}: {out}");
        }
        assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
        reader.read_to_string(&mut out).unwrap();
        let said = Said::from(child.wait_with_output().unwrap()).code(130);
        assert!(out.contains("behavior touch unloaded") && out.contains("\ninterrupted\n"), "{out}{}", said.err);
    }
}

/// With the module beside the binary, nothing is installed.
#[test]
fn scripts_import_the_package_of_the_program_that_runs_them() {
    if python3().is_none() {
        return;
    }
    let folder = converted("say-and-wait");
    let script = script(&folder);
    let asks = "import boxstep, sys\nprint('it is %s from %s' % (boxstep.__version__, boxstep.__spec__.origin))\n";
    let wrong = Temp::new("wrong");
    fs::create_dir_all(wrong.0.join("boxstep")).unwrap();
    fs::write(wrong.0.join("boxstep/__init__.py"), "raise ImportError('of another version')").unwrap();
    fs::write(&script, asks.to_owned() + &fs::read_to_string(&script).unwrap()).unwrap();
    for scripts in ["native", "process"] {
        let mut command = boxstep(&["play", folder.arg(), "--virtual-time", "--scripts", scripts]);
        let said = Said::from(command.env("PYTHONPATH", &wrong.0).output().unwrap()).code(0);
        let expected = format!("it is {} from boxstep.__init__", env!("CARGO_PKG_VERSION"));
        assert!(said.out.contains(&expected), "{scripts}: {}{}", said.out, said.err);
    }
}

#[test]
fn main_py_plays_its_folder_with_the_package() {
    let Some(package) = Package::new() else { return };
    let folder = converted("say-and-wait");
    let main = format!("{}/main.py", folder.arg());
    let said = package.say(&[&main, "--virtual-time", "--must-end"]).code(0);
    assert!(said.out.contains("says “Here I am again.”"), "{}", said.out);
}

/// A Python that is too old for the package cannot even read it.
#[test]
fn main_py_says_what_it_needs_where_the_package_cannot_be_read() {
    let Some(python) = python3() else { return };
    let (folder, newer) = (converted("say-and-wait"), Temp::new("newer"));
    fs::create_dir_all(newer.0.join("boxstep")).unwrap();
    fs::write(newer.0.join("boxstep/__init__.py"), "from __future__ import nothing_yet\n").unwrap();
    let mut command = Command::new(&python);
    command.arg(folder.0.join("main.py")).env("PATH", "").env("PYTHONPATH", &newer.0);
    let said = Said::from(command.output().unwrap()).code(2);
    let begin = format!("main.py: {} has no package `boxstep`: get it with", python.display());
    assert!(said.err.starts_with(&begin) && said.err.lines().count() == 1, "{}", said.err);
}

#[test]
fn main_py_plays_on_the_robot_at_an_address() {
    let Some(package) = Package::new() else { return };
    let folder = converted("say-and-wait");
    let main = format!("{}/main.py", folder.arg());
    // Nobody listens there: where it looks for the robot is what matters.
    for (ip, shown) in [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]")] {
        let said = package.say(&[&main, ip, "1"]).code(4);
        assert!(said.err.starts_with("error: ") && said.err.contains(&format!("tcp://{shown}:1")), "{}", said.err);
        assert_eq!((said.err.lines().count(), said.out.as_str()), (1, ""), "{}", said.err);
    }
}

#[test]
fn main_py_tells_its_usage_when_arguments_are_wrong() {
    let Some(package) = Package::new() else { return };
    let folder = converted("say-and-wait");
    let main = format!("{}/main.py", folder.arg());
    let wrong: &[&[&str]] = &[
        &["192.0.2.7"],
        &["9559"],
        &["192.0.2.7", "port"],
        &["192.0.2.7", "0"],
        &["192.0.2.7", "65536"],
        &["192.0.2.7", "-1"],
        &["tcp://192.0.2.7", "9559"],
        &["", "9559"],
        &["192.0.2.7", "9559", "9560"],
        &["192.0.2.7", "--quiet"],
    ];
    for wrong in wrong {
        let said = package.say(&[&[main.as_str()], *wrong].concat()).code(2);
        let usage = "usage: python3 main.py [IP PORT] [options of `boxstep play`]\n";
        assert_eq!((said.out.as_str(), said.err.as_str()), ("", usage), "{wrong:?}");
    }
    // Those of `boxstep play` are its own to refuse.
    let said = package.say(&[&main, "--no-such-option"]).code(2);
    assert!(said.err.contains("--no-such-option") && said.err.contains("Usage: boxstep play"), "{}", said.err);
    let said = package.say(&[&main, "--help"]).code(0);
    assert!(said.out.contains("usage: python3 main.py [IP PORT]"), "{}", said.out);
}
