//! How methods of a script are called, and what becomes of their exceptions.

use super::harness::{Run, fixture, passes, play};
use crate::common::{Said, Temp, boxstep, has_python};

#[test]
fn arguments() {
    let Some(run) = play("arguments", 0, &[]) else { return };
    let expected = [
        "one 'v'",
        "default 'v'",
        "none",
        "all ()",
        "defaults ('a', 'b')",
        "bang None", // a value into a bang
        "one None",  // a bang into anything
        "bang None",
    ];
    let run = run.ends("waiting");
    assert_eq!(run.logs(), expected.map(|text| format!("root/Takes {text}")));
    // An input without a method is no error.
    assert!(run.at("input", "root/Takes missing \"v\"") > 0);
}

#[test]
fn two_arguments() {
    let Some(run) = play("two_arguments", 4, &[]) else { return };
    let run = run.ends("failed");
    let raised = &run.told("raised")[0];
    assert!(raised.starts_with("root/Takes two onInput_onStart TypeError: "), "{raised}");
    assert!(raised.ends_with("missing 2 required positional arguments: 'a' and 'b'"), "{raised}");
}

#[test]
fn system_exit() {
    let Some(run) = play("system_exit", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!(
        run.told("raised behavior_failed log"),
        [
            "root/Exits onInput_onStart SystemExit: 3",
            "root/Interrupts onInput_onStart KeyboardInterrupt: from the script",
            "root/Interrupts from the script",
            "root/Log '_Behavior__1__root__Exits_1:3'"
        ]
    );
}

#[test]
fn on_error_output() {
    let Some(run) = play("on_error_output", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(run.told("raised"), ["root/Fails onInput_onStart ValueError: no such word"]);
    assert_eq!(run.logs(), ["root/Log '_Behavior__1__root__Fails_1:no such word'"]);
    // Its resources are given back, its inside is not loaded, and the rest plays on.
    assert_eq!(run.told("resource"), ["root/Fails taken", "root/Fails released"]);
    assert_eq!(run.told("behavior_failed"), [""; 0]);
    assert_eq!(run.last["t"], 1_000_000_000);
}

#[test]
fn on_error_at_stop() {
    let Some(run) = play("on_error_at_stop", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(run.told("raised"), ["root/Fails onInput_onStop ValueError: no such word"]);
    let mut logs = run.logs();
    logs.sort();
    assert_eq!(logs, ["root/Fails/Inside onUnload", "root/Log '_Behavior__1__root__Fails_1:no such word'"]);
    assert_eq!(run.told("resource"), ["root/Fails taken", "root/Fails released"]);
    assert_eq!(run.told("behavior_failed"), [""; 0]);
    assert_eq!(run.last["t"], 2_000_000_000_u64);
}

#[test]
fn error_without_output() {
    let Some(run) = play("error_without_output", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!(run.told("behavior_failed"), ["root/Fails no such word"]);
    assert_eq!(run.logs(), ["root/Goes on onUnload"]);
}

#[test]
fn error_in_on_load() {
    let Some(run) = play("error_in_on_load", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!(run.logs(), ["root/Second onLoad", "root/Second onUnload"]);
    assert_eq!(run.told("input"), [""; 0]);
}

#[test]
fn set_parameter() {
    let Some(run) = play("set_parameter", 0, &[]) else { return };
    assert_eq!(
        run.ends("waiting").told("log parameter"),
        [
            "root/Sets Count 5",
            "root/Sets 5 of ['Count']",
            "root/Told Text \"new\"",
            "root/Told Text becomes 'new'",
            "root/Told stored: 'new'"
        ]
    );
}

#[test]
fn modules_without_import() {
    let Some(run) = play("modules_without_import", 0, &["--must-end"]) else { return };
    assert_eq!(run.ends("ended").story("log"), ["0.250 root/Names a/b 1.0 qi", "0.250 root/Names 7"]);
}

#[test]
fn traceback() {
    let Some(run) = play("traceback", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!(run.logs(), ["root/Outer/Fails stdout: about to fail", "root/Outer/Fails stderr: to the other stream"]);
    let error = run.errors()[0];
    assert_eq!(error["line"], 6);
    let file = "{behavior}/traceback.xar: root/Outer/Fails";
    let expected = format!(
        "Traceback (most recent call last):\n  \
           File \"{file}\", line 11, in onInput_onStart\n    return self.deeper(0)\n  \
           File \"{file}\", line 6, in deeper\n    return 1 / divisor\n\
         ZeroDivisionError: integer division or modulo by zero\n"
    );
    assert_eq!(error["traceback"], expected);
}

#[test]
fn syntax_error() {
    let Some(run) = play("syntax_error", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!((&run.errors()[0]["kind"], &run.errors()[0]["line"]), (&"SyntaxError".into(), &6.into()));
    // The rest plays to its end.
    assert_eq!(run.told("log"), ["root/Whole plays"]);
    assert!(run.at("output", "root onStopped") > 0);
}

#[test]
fn python_2_source() {
    let Some(run) = play("python_2_source", 0, &["--must-end"]) else { return };
    let expected = [
        "stdout: seven halves: 3 1 511 10",
        "stderr: text True ['0', '1', '2'] 1",
        "stdout: caught an old way to raise",
        "stdout: ('a', 1) [3, 1] 61",
        "stdout: True",
    ];
    assert_eq!(run.ends("ended").logs(), expected.map(|text| format!("root/Old {text}")));
}

#[test]
fn late_output() {
    let Some(run) = play("late_output", 0, &["--must-end"]) else { return };
    // The start is neither waited for nor interrupted by the unload; what it puts out has no effect.
    assert_eq!(
        run.ends("ended").story("log dropped"),
        [
            "1.000 root/Outer/Slow onUnload",
            "2.000 root/Outer/Slow still running",
            "2.000 root/Outer/Slow onStopped: the box is not loaded"
        ]
    );
}

#[test]
fn legacy_links() {
    let Some(run) = play("legacy_links", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(
        run.story("log"),
        [
            "0.000 root/Linked connectInput(): this box has no input named nothing",
            "0.000 root/Linked connectInput(): there is no box of root/Nobody.value",
            "0.000 root/Linked True ['onStart', 'value', 'extra']",
            "0.000 root/Linked more 7, size 7",
            "0.000 root/Linked value 7",
            "0.000 root/Source told 7",
            "1.000 root/Linked more 5, size 7",
            "2.000 root/Linked value 8",
            "2.000 root/Source told 8",
        ]
    );
    // The service behind it is nothing that an author knows.
    assert!(
        !run.said.out.contains("ALBoxstep") && run.said.out.contains("event root/Source.value"),
        "{}",
        run.said.out
    );
}

#[test]
fn script_objects() {
    let Some(run) = play("script_objects", 4, &[]) else { return };
    let run = run.ends("failed");
    assert_eq!(
        run.story("log"),
        [
            "0.000 root/Maker now green",
            "2.000 root/Maker now red",
            "4.000 root/Maker done True after 10",
            "4.000 root/Maker light: there is no state named blue",
            "5.000 root/Maker over",
        ]
    );
    // The error says where it is in the script, and shows nothing of ours.
    let raised = run.events.iter().find(|e| e["kind"] == "raised").map(|e| &e["error"]).unwrap();
    assert_eq!((&raised["kind"], &raised["line"]), (&"Error".into(), &36.into()));
    assert_eq!(raised["traceback"].as_str().unwrap().matches("File ").count(), 1, "{raised}");
    passes("script_objects");
}

/// Plays with `--qi installed` and this text as the installed package.
fn with_qi(name: &str, text: &str) -> (Said, Temp, Temp) {
    let (folder, trace) = (Temp::new("qi"), Temp::new("jsonl"));
    std::fs::create_dir_all(&folder.0).unwrap();
    std::fs::write(folder.0.join("qi.py"), text).unwrap();
    let args = ["play", &fixture(name), "--virtual-time", "--qi", "installed", "--trace", trace.arg()];
    let output = boxstep(&args).env("PYTHONPATH", &folder.0).output().unwrap();
    (Said::from(output), folder, trace)
}

#[test]
fn the_installed_qi_is_the_scripts_and_its_run_is_not_repeatable() {
    if !has_python() {
        return;
    }
    let text = "class Session(object):\n    pass\nprint('the package itself')\n";
    let (said, _folder, trace) = with_qi("get_parameter", text);
    let run = Run::new(said.code(0), &trace);
    assert_eq!(run.last["deterministic"], false);
    assert!(run.last.to_string().contains("installed package `qi`"), "{}", run.last);
    assert!(run.said.out.contains("the package itself"), "{}", run.said.out);
}

#[test]
fn an_installed_qi_that_is_missing_is_said_in_a_sentence() {
    if !has_python() {
        return;
    }
    let (said, _folder, _trace) = with_qi("get_parameter", "raise ImportError('no such package')\n");
    assert_ne!(said.code, Some(0));
    for words in ["the installed package `qi` is asked for", "no such package", "--qi own"] {
        assert!(said.err.contains(words), "{}", said.err);
    }
    assert!(!said.err.contains("Traceback"), "{}", said.err);
}
