//! Each way to wait in Python, in both clocks, with the engine's model behind the bridge: `tests/blocking/*.py`.
//!
//! A file starts with `# main: N` and says at its end what its functions log (`#=`, with the time in virtual time).
//! Runs in `python3`, and in every interpreter of `BOXSTEP_TEST_PYTHONS` (separated as in `PATH`).

use std::path::{Path, PathBuf};
use std::process::Command;

fn pythons() -> Vec<PathBuf> {
    let more = std::env::var_os("BOXSTEP_TEST_PYTHONS").unwrap_or_default();
    let all = std::iter::once(PathBuf::from("python3")).chain(std::env::split_paths(&more));
    let runs = |python: &PathBuf| Command::new(python).args(["-c", "pass"]).status().is_ok_and(|s| s.success());
    all.filter(|python| !python.as_os_str().is_empty() && runs(python)).collect()
}

/// Where the script runs: in the Python that loads the engine, or in a process of its own.
const HOSTS: [&str; 2] = ["--native", "--process"];

fn selftest(python: &Path, script: &Path, host: &str, clock: &str) -> Vec<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_boxstep"))
        .args(["__selftest", host, clock])
        .arg(script)
        .env("BOXSTEP_PYTHON", python)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let what = format!("{} {} {host} {clock}", python.display(), script.display());
    assert!(output.status.success(), "{what}: {}\n{text}{}", output.status, String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{what}");
    text.lines().map(|line| line.replace("info: ", "")).collect()
}

fn check(name: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blocking").join(name).with_extension("py");
    let text = std::fs::read_to_string(&script).unwrap();
    let expected: Vec<_> = text.lines().filter_map(|l| l.strip_prefix("#= ")).map(str::to_owned).collect();
    assert!(!expected.is_empty(), "{name} says nothing");
    let pythons = pythons();
    if pythons.is_empty() {
        println!("skipped: there is no python3");
    }
    for (python, host) in pythons.iter().flat_map(|python| HOSTS.map(|host| (python, host))) {
        let what = format!("{} {host}", python.display());
        let mut got = selftest(python, &script, host, "--virtual-time");
        let mut expected = expected.clone();
        if text.contains("# not repeatable") {
            got.sort();
            expected.sort();
        }
        assert_eq!(got, expected, "{what} in virtual time");
        if !text.contains("# virtual only") {
            // The same things happen; when and in what order is for the machine to say.
            let mut got = selftest(python, &script, host, "--real-time");
            let timeless = |line: &String| match line.split_once(' ') {
                Some((time, rest)) if time.contains('.') => rest.to_owned(),
                _ => line.clone(),
            };
            let mut expected: Vec<_> = expected.iter().map(timeless).collect();
            got.sort();
            expected.sort();
            assert_eq!(got, expected, "{what} in real time");
        }
    }
}

#[test]
fn the_same_script_runs_the_same_way() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/repeatable.py");
    for python in pythons() {
        let first = selftest(&python, &script, "--native", "--virtual-time");
        assert!(first.len() > 100, "{first:?}");
        for (host, length) in HOSTS.iter().flat_map(|host| [1, 100, 1_000, 5_000].map(|length| (host, length))) {
            // The length of the environment moves every address.
            let output = Command::new(env!("CARGO_BIN_EXE_boxstep"))
                .args(["__selftest", host, "--virtual-time"])
                .arg(&script)
                .env("BOXSTEP_PYTHON", &python)
                .env("LONG", "x".repeat(length))
                .output()
                .unwrap();
            let again = String::from_utf8_lossy(&output.stdout).replace("info: ", "");
            let same = again.lines().eq(first.iter().map(String::as_str));
            assert!(same, "{} {host} {length}\n{again}", python.display());
        }
    }
}

macro_rules! waits {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(stringify!($name));
        })*

        #[test]
        fn every_script_is_run() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/blocking");
            for file in std::fs::read_dir(folder).unwrap() {
                let name = file.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned();
                assert!([$(stringify!($name)),*].contains(&&*name), "{name} is not run");
            }
        }
    };
}

waits! {
    asyncio_loop clocks condition deadlock event executor foreign imports lock outside polling queue rlock
    semaphore_barrier sleep thread timer zero_sleep
}
