//! Services and memory events as scripts use them.

use crate::harness::play;

const EVENTS: [&str; 8] = [
    "--event",
    "MyApplication/MyEvent=1@1",
    "--event",
    "MyApplication/MyEvent=1@2",
    "--event",
    "MyApplication/MyEvent=2@3",
    "--event",
    "MyApplication/MyEvent=3@4",
];

#[test]
fn subscribe_to_event() {
    let Some(run) = play("subscribe_to_event", 0, &EVENTS) else { return };
    // Every raise, also with the same value; after 2 the box has unsubscribed.
    let heard = [(1, 1), (2, 1), (3, 2)].map(|(t, v)| format!("{t}.000 root/Subscribe MyApplication/MyEvent is {v}"));
    assert_eq!(run.ends("waiting").story("log"), heard);
}

#[test]
fn subscriber_signal() {
    let Some(run) = play("subscriber_signal", 0, &EVENTS) else { return };
    let mut heard = [(1, 1), (2, 1), (3, 2)].map(|(t, v)| format!("{t}.000 root/Listen heard {v}")).to_vec();
    heard.push("4.000 root/Listen onUnload".into());
    assert_eq!(run.ends("waiting").story("log"), heard);
}

#[test]
fn tasks() {
    let Some(run) = play("tasks", 0, &["--must-end"]) else { return };
    let expected = [
        "0.000 one object each: True",
        "0.000 running: True",
        "0.500 timed out: True",
        "1.000 timed out: False", // stopped by the other proxy
        "1.000 running: False",
        "1.300 timed out: False",
        "1.300 call: 'English'",
    ];
    let logs: Vec<_> = run.ends("ended").story("log").iter().map(|l| l.replace(" root/Tasks", "")).collect();
    assert_eq!(logs, expected);
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
    let Some(run) = play("exit_behavior", 0, &["--must-end"]) else { return };
    assert_eq!(run.ends("ended").told("log"), ["root/Exit onUnload"]);
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
            "1.000 root/Script ALResourceManager.acquireResourcesTree: Arms, Legs could not be had",
            "1.000 root/Script free: True",
            "5.000 root/Script Speech wanted, True",
            "5.000 root/Holder takes it again: True",
        ]
    );
}
