//! The order of things when a run in real time is interrupted.

use super::harness::{HOSTS, Run, fixture};
use crate::common::{Said, Temp, boxstep, has_python};
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

/// Plays the fixture in real time and sends a signal when the innermost box has said that it waits.
fn interrupted(signal: &str, host: &str) -> Run {
    let trace = Temp::new("jsonl");
    let mut command = boxstep(&["play", &fixture("interrupt"), "--scripts", host, "--trace", trace.arg()]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    let mut out = String::new();
    while !out.contains("ready for the signal") {
        assert_ne!(reader.read_line(&mut out).unwrap(), 0, "it never was ready:\n{out}");
    }
    assert!(Command::new("kill").arg(signal).arg(child.id().to_string()).status().unwrap().success());
    reader.read_to_string(&mut out).unwrap();
    let mut said = Said::from(child.wait_with_output().unwrap());
    said.out = out;
    Run::new(said.code(130), &trace)
}

fn stops_in_order(signal: &str) {
    if has_python() {
        HOSTS.iter().for_each(|host| stops_in_order_on(host, signal));
    }
}

fn stops_in_order_on(host: &str, signal: &str) {
    let run = interrupted(signal, host);
    assert_eq!(run.last["reason"], "interrupted");
    // First the robot, then onStop of what is started, innermost first.
    let order = [
        run.at("control", "- interrupt"),
        run.at("act", "- move: comes to stand"),
        run.at("input", "root/Outer/Inner onStop"),
        run.at("input", "root/Walk onStop"),
        run.at("input", "root/Outer onStop"),
        run.at("input", "root onStop"),
    ];
    assert!(order.is_sorted(), "{order:?} {:#?}", run.told("control act input"));
    // Nothing is unloaded before every onStop has returned.
    let stopped = ["Outer/Inner", "Walk", "Outer"].map(|b| run.at("returned", &format!("root/{b} onInput_onStop")));
    let unloads = run.events.iter().position(|e| e["phase"] == "unloading").unwrap();
    assert!(order[5] < unloads && stopped.iter().all(|at| *at < unloads), "{stopped:?} {unloads}");
    // A box's own onUnload before its inside's; also of what was not started.
    let unloaded = ["Walk", "Outer", "Outer/Inner", "Idle"].map(|b| run.at("call", &format!("root/{b} onUnload")));
    assert!(unloaded.is_sorted(), "{unloaded:?}");
    assert!(!run.logs().iter().any(|line| line.contains("never")));
}

#[test]
fn interrupt_by_sigint() {
    stops_in_order("-INT");
}

#[test]
fn interrupt_by_sigterm() {
    stops_in_order("-TERM");
}
