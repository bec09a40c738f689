//! The command line, as far as it needs no Python: what it takes, what it refuses, how it ends.

use crate::common;
use crate::common::{Temp, boxstep, fixture, say};
use std::process::Stdio;

#[test]
fn a_run_without_scripts_tells_its_timeline_and_its_end() {
    let said = say(&["run", "examples/timeline-layers", "--virtual", "--scripts", "off"]).code(0);
    assert!(said.out.contains("body: nao (the file was made for nao); virtual time\n"), "{}", said.out);
    assert!(
        said.out.contains("    1.000  root/Dance                     keyframe steps:right loaded\n"),
        "{}",
        said.out
    );
    let last = said.out.lines().last().unwrap();
    assert!(last.starts_with("played 3.0 s in ") && last.ends_with(" ms of virtual time"), "{last}");
    assert!(!said.out.contains('\u{1b}'), "colours belong on terminals only");
}

#[test]
fn quiet_tells_only_the_end() {
    let said = say(&["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "-q"]).code(0);
    assert_eq!(said.out.lines().count(), 1, "{}", said.out);
}

#[test]
fn what_is_asked_for_and_not_there_is_refused() {
    let off = ["--scripts", "off"];
    let play = |more: &[&str]| say(&[&["play", "examples/hello"], &off[..], more].concat()).code(2).err;
    assert!(play(&["--robot", "nao", "--robot", "pepper", "--virtual-time"]).contains("leave out --virtual-time"));
    assert!(play(&["--robot", "nao", "--restart", "always", "--virtual-time"]).contains("leave out --virtual-time"));
    assert!(play(&["--robot", "nao", "--replay", "run.jsonl"]).contains("plays on the simulation, and not on nao"));
    assert!(play(&["--robot", "http://nao"]).contains("--robot: \"http://nao\" is not the address of a robot"));
    assert!(play(&["--robot", "nao", "--robot", "nao"]).contains("--robot names nao twice"));
    assert!(play(&["--restart", "always"]).contains("--restart is for robots"));
    assert!(play(&["--body", "spot"]).contains("there is no body `spot`: nao, nao-v3.3, pepper, or your own file"));
    assert!(play(&["--behavior", "x"]).contains("examples/hello has no behavior `x`"));
    assert!(play(&["--event", "Touched=1"]).contains("@SECONDS"));
    assert!(play(&["--set", "root/Sya/Text=1"]).contains("--set: there is no `Sya` in root"));
    assert!(play(&["--set", "root/Say/Txet=1"]).contains("Txet"));
    assert!(play(&["--for", "soon"]).contains("`soon` is not a number of seconds"));
    let robot = boxstep(&["play", "examples/hello", "--replay", "x"]).env("BOXSTEP_ROBOT", "nao.local").output();
    assert_eq!(robot.unwrap().status.code(), Some(2));
}

#[test]
fn files_that_cannot_be_played_are_named() {
    for command in ["play", "show", "check"] {
        let args = |file: &str| {
            let mut args = vec![command.to_owned(), file.to_owned()];
            args.extend((command == "play").then(|| ["--scripts".to_owned(), "off".to_owned()]).into_iter().flatten());
            args
        };
        let told = |file: &str| {
            let args = args(file);
            let said = say(&args.iter().map(String::as_str).collect::<Vec<_>>()).code(2);
            format!("{}{}", said.out, said.err)
        };
        assert!(told("examples/nothing-here").contains("cannot read examples/nothing-here"), "{command}");
        assert!(
            told("README.md").contains("README.md is no .xar, .pml, .dlg, .top or .py, and no archive"),
            "{command}"
        );
        let broken = fixture("broken.xar");
        assert!(told(&broken).contains(&format!("{broken}:3:")), "{command}: {}", told(&broken));
    }
}

#[test]
fn several_behaviors_are_listed() {
    let project = fixture("two");
    let all = |more: &[&str]| say(&[&["play", &project, "--virtual", "--scripts", "off", "--for", "1"], more].concat());
    let unclear = all(&[]).code(2);
    assert!(unclear.err.contains("choose with --behavior:\n  first\n  second"), "{}", unclear.err);
    let second = all(&["--behavior", "second"]).code(0);
    assert!(second.out.contains("two/second from "), "{}", second.out);
    assert!(second.out.contains("behaviors: first, second (choose with --behavior)"), "{}", second.out);
    assert!(second.out.contains("body: pepper (the manifest asks for JULIETTE)"), "{}", second.out);
}

#[test]
fn must_end_tells_an_end_from_a_limit() {
    let play = |more: &[&str]| say(&[&["play", "examples/touch", "--virtual", "--scripts", "off"], more].concat());
    assert!(play(&[]).code(0).out.contains("nothing can happen any more"));
    play(&["--must-end"]).code(3);
    play(&["--must-end", "--for", "5"]).code(3);
    say(&["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "--for", "1", "--must-end"]).code(3);
    let limit = say(&["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "--for", "1"]).code(0);
    assert!(limit.out.contains("\nthe time limit was reached\nplayed 1.0 s in "), "{}", limit.out);
}

#[test]
fn a_trace_that_cannot_be_made_is_refused_before_anything_moves() {
    let said = say(&["play", "examples/hello", "--scripts", "off", "--trace", "examples/nowhere/x.jsonl"]).code(4);
    assert_eq!(said.err, "error: cannot write examples/nowhere/x.jsonl: no such file or directory\n");
    assert_eq!(said.out, "");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_ends_in_words() {
    let args = ["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "--trace", "/dev/full"];
    let said = say(&args).code(4);
    assert_eq!(said.err, "error: the trace is not complete: /dev/full: no space left on device\n");
}

#[test]
fn a_closed_pipe_stops_the_behavior() {
    // In real time this one would wait for ever.
    for args in [
        &["play", "examples/touch", "--scripts", "off"][..],
        &["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "-v"],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let said = boxstep(args).stdout(writer).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        // Whoever reads has read enough: that is no failure, as it is none of any other command.
        assert_eq!(common::Said::from(said).code(0).err, "", "{args:?}");
    }
}

#[test]
fn a_trace_has_a_header_events_and_an_end() {
    let trace = Temp::new("jsonl");
    let args = ["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "-q", "--trace", trace.arg()];
    say(&args).code(0);
    let text = std::fs::read_to_string(&trace.0).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("{\"schema\":1,\"product\":\"boxstep "), "{}", lines[0]);
    assert!(lines[0].contains("\"files\":{\"behavior.xar\":\""), "{}", lines[0]);
    assert!(!lines[0].contains("started"), "{}", lines[0]);
    for (n, line) in lines[1..lines.len() - 1].iter().enumerate() {
        assert!(line.starts_with(&format!("{{\"n\":{},\"t\":", n + 1)), "{line}");
    }
    let last = lines.last().unwrap();
    let events = lines.len() - 2;
    assert!(last.starts_with(&format!("{{\"reason\":\"ended\",\"t\":2960000000,\"events\":{events},")), "{last}");
    assert!(last.ends_with("\"deterministic\":true}"), "{last}");
}

#[test]
fn translations_are_those_of_the_language() {
    let played = |language: &[&str]| {
        let trace = Temp::new("jsonl");
        let project = fixture("two");
        let args = ["play", &project, "--behavior", "first", "--virtual", "--scripts", "off", "--trace", trace.arg()];
        say(&[&args[..], language].concat()).code(0);
        std::fs::read_to_string(&trace.0).unwrap()
    };
    assert!(played(&[]).contains("\"language\":\"English\""));
    assert!(played(&["--language", "French"]).contains("\"language\":\"French\""));
    // What is said needs scripts: see `play.rs`.
}

#[test]
fn show_prints_the_tree() {
    let said = say(&["show", "examples/nested-parameters"]).code(0);
    assert!(said.out.starts_with("nested-parameters\nbehavior, xar 3: "), "{}", said.out);
    assert!(said.out.contains("Visit again"), "{}", said.out);
}

#[test]
fn check_tells_findings_by_its_code() {
    let clean = say(&["check", "examples/hello", "examples/touch"]).code(0);
    assert_eq!(clean.out, "0 errors, 0 warnings in 2 behaviors\n");
    let file = fixture("dangling.xar");
    let text = say(&["check", &file]).code(1).out;
    assert!(text.contains(&format!("--> {file}:")) && text.contains('^'), "{text}");
    let json = say(&["check", "--format", "json", &file, "examples/hello"]).code(1).out;
    assert!(json.lines().all(|l| l.starts_with("{\"") && l.contains("\"code\":\"BS")), "{json}");
    say(&["check", &file, "examples/nothing-here"]).code(2);
}

#[test]
fn a_trace_is_no_mcap_file() {
    let trace = Temp::new("MCAP");
    let said =
        say(&["play", "examples/timeline-layers", "--virtual", "--scripts", "off", "--trace", trace.arg()]).code(2);
    assert!(said.err.contains("MCAP files are written by --record"), "{}", said.err);
    assert!(said.out.is_empty() && !trace.0.exists());
}

#[test]
fn the_first_play_of_an_archive_says_that_it_runs_programs() {
    if !common::has_python() {
        return;
    }
    let (archive, state) = (Temp::new("crg"), Temp::new("state"));
    say(&["pack", "examples/hello", archive.arg()]).code(0);
    let play = |more: &[&str]| {
        let args = [&["play", archive.arg(), "--virtual"], more].concat();
        common::Said::from(boxstep(&args).env("XDG_STATE_HOME", &state.0).output().unwrap()).code(0).err
    };
    assert_eq!(play(&["--scripts", "off"]), "");
    assert_eq!(play(&["--quiet"]), "");
    let first = play(&[]);
    assert!(first.contains("run with your rights") && first.lines().count() == 1, "{first}");
    assert_eq!(play(&[]), "");
    // A place where nothing can be kept keeps nothing from playing.
    std::fs::remove_dir_all(&state.0).unwrap();
    std::fs::write(&state.0, "").unwrap();
    assert!(play(&[]).contains("run with your rights"));
}
