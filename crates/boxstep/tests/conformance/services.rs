//! Services and memory events as scripts use them.

use super::harness::{passes, play};

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
fn dialog_box() {
    passes("dialog_box");
}

#[test]
fn exit_behavior() {
    passes("exit_behavior");
}

#[test]
fn resources_of_scripts() {
    let Some(run) = play("resources_of_scripts", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(
        run.story("log"),
        [
            "0.000 root/Holder started with it: True",
            "1.000 root/Holder asked for Speech",
            "1.000 root/Script has it: True",
            "1.000 root/Script ALResourceManager.acquireResourcesTree: Arms, Legs could not be acquired",
            "1.000 root/Script free: True",
            "5.000 root/Script Speech wanted, True",
            "5.000 root/Holder takes it again: True",
        ]
    );
}
