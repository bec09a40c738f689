//! Services and memory events as scripts use them.

use crate::harness::{passes, play};

#[test]
fn subscribe_to_event() {
    passes("subscribe_to_event");
}

#[test]
fn subscriber_signal() {
    passes("subscriber_signal");
}

#[test]
fn tasks() {
    passes("tasks");
}

#[test]
fn async_calls() {
    let Some(run) = play("async_calls", 0, &["--must-end"]) else { return };
    let mut logs = run.ends("ended").story("log");
    // A callback runs beside whoever waits for the future.
    logs.sort();
    let expected = ["0.000 running: True", "0.929 RuntimeError", "0.929 failed: True", "0.929 finished: True"];
    let lines: Vec<_> = logs.iter().map(|l| l.replace(" root/Async", "")).collect();
    assert_eq!(lines[..4], expected);
    assert_eq!(lines[4..], ["0.929 said: None"]);
}

#[test]
fn exit_behavior() {
    passes("exit_behavior");
}
