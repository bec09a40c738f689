//! What a signal does to a run.

#![cfg(unix)]
use crate::common;
use crate::common::{Said, Temp, boxstep};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

/// Sends a signal to one process.
fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").arg(name).arg(child.id().to_string()).status().unwrap().success());
}

/// Starts a run and sends it signals as soon as it has said so much.
fn signalled(args: &[&str], after: &str, names: &[&str]) -> Said {
    // If a signal is missed the run ends all the same, and the test fails.
    let mut child = boxstep(args).args(["--for", "60"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut out = String::new();
    while !out.contains(after) {
        assert_ne!(reader.read_line(&mut out).unwrap(), 0, "it never said {after:?}:\n{out}");
    }
    names.iter().for_each(|name| signal(&child, name));
    reader.read_to_string(&mut out).unwrap();
    let mut said = Said::from(child.wait_with_output().unwrap());
    said.out = out;
    said
}

#[test]
fn the_first_signal_ends_the_behavior_and_then_the_program() {
    for name in ["-INT", "-TERM"] {
        let trace = Temp::new("jsonl");
        let args = ["play", "examples/touch", "--scripts", "off", "--trace", trace.arg()];
        let said = signalled(&args, "behavior touch started", &[name]).code(130);
        let unloaded = said.out.find("behavior touch unloaded").unwrap();
        assert!(said.out.find("from outside: interrupt").unwrap() < unloaded, "{}", said.out);
        let last: Vec<&str> = said.out.lines().rev().take(2).collect();
        assert!(last[1] == "interrupted" && last[0].starts_with("played "), "{}", said.out);
        let text = std::fs::read_to_string(&trace.0).unwrap();
        assert!(text.lines().last().unwrap().starts_with("{\"reason\":\"interrupted\""), "{text}");
    }
}

#[test]
fn an_interrupt_while_python_starts_is_no_traceback() {
    use std::os::unix::fs::PermissionsExt as _;
    let Some(python) = common::python3() else { return };
    let started = Temp::new("py");
    // A Python that is interrupted before its first line of ours.
    let text = format!(
        "#!{0}\nimport os, signal, sys\nos.kill(os.getpid(), signal.SIGINT)\nos.execv('{0}', ['{0}'] + sys.argv[1:])\n",
        python.display()
    );
    std::fs::write(&started.0, text).unwrap();
    std::fs::set_permissions(&started.0, std::fs::Permissions::from_mode(0o755)).unwrap();
    let said = common::say(&["play", "examples/hello", "--virtual", "--python", started.arg()]).code(130);
    assert_eq!((said.out, said.err), (String::new(), String::new()));
}

/// In a terminal a command and the Python that it has started are interrupted together; the helper of `--scripts process` has a group of its own.
#[test]
fn an_interrupt_ends_every_command_that_starts_python() {
    use std::os::unix::fs::PermissionsExt as _;
    use std::os::unix::process::CommandExt as _;
    let Some(python) = common::python3() else { return };
    let started = Temp::new("py");
    // What becomes this Python has an interrupt wait until it can be taken.
    let text = format!(
        "#!{0}\nimport os, signal, sys\nos.killpg(0, signal.SIGINT)\nos.execv('{0}', ['{0}'] + sys.argv[1:])\n",
        python.display()
    );
    std::fs::write(&started.0, text).unwrap();
    std::fs::set_permissions(&started.0, std::fs::Permissions::from_mode(0o755)).unwrap();
    let old = Temp::new("xar");
    let xar = std::fs::read_to_string(common::root().join("examples/hello/behavior.xar")).unwrap();
    std::fs::write(&old.0, xar).unwrap();
    let test = common::root().join("crates/boxstep/tests/conformance/arguments.test.toml");
    for args in [
        &["play", "examples/hello", "--virtual"][..],
        &["check", "examples/hello"],
        &["migrate", old.arg()],
        &["test", test.to_str().unwrap()],
    ] {
        // Twenty times, because the ends of the two are in a race.
        for _ in 0..20 {
            let mut command = boxstep(args);
            let command = command.env("BOXSTEP_PYTHON", &started.0).process_group(0);
            let said = Said::from(command.output().unwrap()).code(130);
            assert!(!said.err.contains("Traceback"), "{args:?}: {}", said.err);
        }
    }
}

#[test]
fn a_script_that_ignores_everything_cannot_keep_the_program() {
    let said = signalled(&["play", &common::fixture("stubborn.xar")], "prints never mind", &["-INT"]).code(130);
    assert!(said.out.contains("\ninterrupted\n"), "{}", said.out);
}

#[test]
fn a_script_that_never_ends_cannot_outlive_its_behavior() {
    let said = common::say(&["play", &common::fixture("endless.xar"), "--verbose", "--for", "3"]).code(0);
    assert!(said.out.contains("Endless  onInput_onStart called"), "{}", said.out);
}

#[test]
fn scripts_hear_of_the_interrupt() {
    let said = signalled(&["play", &common::fixture("told.xar")], "prints waiting", &["-INT"]).code(130);
    for heard in ["prints onStop", "prints onUnload"] {
        assert!(said.out.contains(heard), "{heard}\n{}", said.out);
    }
}

#[test]
fn the_second_signal_ends_the_program_at_once() {
    let trace = Temp::new("jsonl");
    let args = ["play", &common::fixture("stubborn.xar"), "--trace", trace.arg()];
    let said = signalled(&args, "prints never mind", &["-INT", "-TERM"]).code(130);
    // What had happened by then is in the trace, and every line but the last is whole.
    let text = std::fs::read_to_string(&trace.0).unwrap();
    assert!(text.contains("\"kind\":\"print\""), "{}{text}", said.out);
}

#[test]
fn a_signal_clears_away_what_a_command_has_unpacked() {
    let (place, archive) = (Temp::new("place"), Temp::new("crg"));
    std::fs::create_dir_all(place.0.join("behavior")).unwrap();
    std::fs::create_dir_all(place.0.join("tmp")).unwrap();
    // More than a pipe holds: the program cannot get rid of it before the signal.
    let xar = std::fs::read_to_string(common::root().join("examples/hello/behavior.xar")).unwrap();
    let long = "tooltip=\"".to_owned() + &"long ".repeat(100_000);
    let file = place.0.join("behavior/behavior.xar");
    std::fs::write(&file, xar.replacen("tooltip=\"", &long, 1)).unwrap();
    common::say(&["pack", place.0.join("behavior").to_str().unwrap(), archive.arg()]).code(0);

    let unpacked = || std::fs::read_dir(place.0.join("tmp")).unwrap().count();
    let mut shown = boxstep(&["show", archive.arg(), "--format", "json"]);
    let mut child = shown.env("TMPDIR", place.0.join("tmp")).stdout(Stdio::piped()).spawn().unwrap();
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(unpacked(), 1);
    signal(&child, "-INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(unpacked(), 0);
}
