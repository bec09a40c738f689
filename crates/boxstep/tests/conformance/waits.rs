//! Scripts that wait for each other, that never wait, and that go wrong where nobody waits for them.

use super::harness::{HOSTS, play, play_on};

#[test]
fn deadlock() {
    let Some(run) = play("deadlock", 4, &[]) else { return };
    let run = run.ends("deadlock");
    let warning = &run.story("warning")[0];
    for named in ["1.000", "root/First onInput_onStart blocked on Lock", "root/Second onInput_onStart blocked on Lock"]
    {
        assert!(warning.contains(named), "{warning}");
    }
    // What can be unloaded is.
    assert_eq!(run.told("log"), ["root/First onUnload"]);
}

#[test]
fn busy_flag() {
    for host in HOSTS {
        let Some(run) = play_on("busy_flag", host, 0, &["--must-end"]) else { return };
        let mut told = run.told("log");
        // Both run at the same time by then.
        told.sort();
        assert_eq!(told, ["root/Spins goes on", "root/Spins waits"], "{host}");
        assert_eq!(run.last["reason"], "ended");
        assert_eq!(run.last["deterministic"], false);
        assert_eq!(run.last["why"], "watchdog: root/Spins onInput_onStart");
    }
}

#[test]
fn endless_loop() {
    for host in HOSTS {
        let Some(run) = play_on("endless_loop", host, 4, &["--patience", "1"]) else { return };
        assert_eq!(run.last["reason"], "deadlock");
        assert_eq!(run.last["why"], "watchdog: root/Spins onInput_onStart");
        assert_eq!(
            run.told("warning"),
            [
                "root/Spins onInput_onStart runs without letting anything else run; the rest goes on without it",
                "root/Spins onInput_onStart runs on without end, and nothing else can happen",
            ],
            "{host}"
        );
        assert_eq!(
            run.story("log"),
            ["2.000 root/Rest goes on", "2.000 root/Spins is unloaded", "2.000 root/Rest is unloaded"],
            "{host}"
        );
    }
}

#[test]
fn a_loop_without_end_ends_at_the_limit() {
    for host in HOSTS {
        let Some(run) = play_on("endless_loop", host, 0, &["--for", "5", "--patience", "1"]) else { return };
        assert_eq!(run.last["reason"], "limit");
        assert_eq!(
            run.story("log"),
            ["2.000 root/Rest goes on", "5.000 root/Spins is unloaded", "5.000 root/Rest is unloaded"],
            "{host}"
        );
    }
}

#[test]
fn endless_in_c() {
    for (host, how) in [("native", ""), ("process", "the process for scripts was ended by force: ")] {
        let Some(run) = play_on("endless_in_c", host, 4, &["--patience", "1"]) else { return };
        assert_eq!(run.last["reason"], "failed");
        let why = format!("{how}a script kept Python to itself while root/Spins onInput_onStart");
        let failed = &run.told("behavior_failed")[0];
        assert!(failed.starts_with(&format!("root {why}")), "{failed}");
        // What is native is unloaded all the same.
        assert!(run.at("behavior", "root unloaded") > run.at("box", "root/Rest unloaded"));
    }
}

#[test]
fn thread_errors() {
    let Some(run) = play("thread_errors", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    let places: Vec<_> = run.story("raised").iter().map(|line| line.split(':').next().unwrap().to_owned()).collect();
    // A thread, a timer of Python's, a delayed call, and a callback.
    assert_eq!(
        places,
        [
            "0.000 root/Threads thread ValueError",
            "1.000 root/Threads thread ValueError",
            "2.000 root/Threads thread ValueError",
            "3.000 root/Threads callback ValueError"
        ]
    );
    assert!(run.errors().iter().all(|e| e["line"] == 8), "{:?}", run.errors());
}
