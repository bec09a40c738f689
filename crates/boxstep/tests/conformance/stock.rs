//! Boxes in the style of Choregraphe's library: what their scripts rely on.

use super::harness::play;

#[test]
fn say_text_overlap() {
    let Some(run) = play("say_text_overlap", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    // The second start runs while the first one waits; only the last task ends the box.
    assert_eq!(
        run.story("act log"),
        [
            "0.000 - say: one two three",
            "1.000 - say: four five",
            "1.000 root/Say Text 1 left",
            "1.714 root/Say Text 0 left"
        ]
    );
    let ended: Vec<_> = run.story("output").into_iter().filter(|o| o.contains("Say Text")).collect();
    assert_eq!(ended, ["1.714 root/Say Text onStopped"]);
}

#[test]
fn say_text_ends_the_root() {
    let Some(run) = play("say_text_ends_the_root", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    // onStopped unloads the behavior; onUnload polls a flag that is cleared only after onStopped has returned.
    assert_eq!(run.told("abandoned"), [""; 0]);
    assert_eq!(run.last["t"], 1_000_000_000);
    assert!(run.at("returned", "root/Say Text onInput_onStart") < run.at("call", "root/Say Text onUnload"));
}

#[test]
fn say_text_stopped() {
    let Some(run) = play("say_text_stopped", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    // onInput_onStop runs while onInput_onStart waits for the task that it stops.
    let begins = run.at("call", "root/Say Text onInput_onStop");
    assert!(begins < run.at("returned", "root/Say Text onInput_onStart"));
    assert_eq!(run.last["t"], 500_000_000);
}

#[test]
fn move_to_stop() {
    let Some(run) = play("move_to_stop", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(
        run.story("service act log")[1..6],
        [
            "0.000 root/Move To ALMotion.moveTo [5.0,0.0,0.0]",
            "0.000 - move: 5.00 m ahead, 0.00 m to the left, turn 0°, 52.52 s",
            "1.000 root/Move To ALMotion.moveToward [0.0,0.0,0.0]",
            "1.000 - move: comes to stand",
            "1.681 - move: stops",
        ]
    );
    assert_eq!(run.logs(), ["root/Move To moveTo is over"]);
    // The move is over when both feet are down: the third step ends and the other foot comes beside.
    let seconds = run.last["t"].as_f64().unwrap() / 1e9;
    assert!((seconds - 4.0 / 2.38).abs() < 1e-6, "{seconds}");
}

/// Within the time an onUnload that hangs is given up after two seconds; without it the stop is forced.
#[test]
fn stop_within() {
    let Some(run) = play("stop_within", 0, &["--must-end"]) else { return };
    assert_eq!(run.last["t"], 3_000_000_000_u64);
    assert_eq!(run.told("abandoned"), ["root/Hangs onUnload"]);
    assert!(run.last.get("forced").is_none());

    let Some(run) = play("stop_within", 4, &["--stop-within", "0.5"]) else { return };
    assert_eq!((&run.last["reason"], &run.last["forced"]), (&"ended".into(), &1.into()));
    assert_eq!(run.logs(), ["root/Hangs hangs", "root/After is unloaded all the same"]);
    let busy = &run.events[run.at("forced", "root forced")]["busy"];
    assert_eq!((&busy[0]["path"], &busy[0]["does"]), (&"root/Hangs".into(), &"onUnload".into()));
    assert_eq!((&busy[0]["waits_for"], &busy[0]["since"]), (&"a lock".into(), &1_000_000_000_u64.into()));
    let out = &run.said.out;
    assert!(out.contains("still busy: root/Hangs onUnload (since 1.000, waits for a lock)"), "{out}");
    assert!(out.contains("\nit was stopped by force: not everything ended in time\n"), "{out}");
    assert!(run.events.iter().filter(|e| e["phase"] == "destroyed").count() == 3, "{:#?}", run.told("box"));
}

#[test]
fn bare_on_unload() {
    let Some(run) = play("bare_on_unload", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(run.told("raised"), ["root/Careless onInput_onStop NameError: name 'onUnload' is not defined"]);
    assert_eq!(run.errors()[0]["line"], 12);
    // The box is stopped all the same, the behavior goes on, and the real onUnload runs when it ends.
    assert!(run.at("raised", &run.told("raised")[0]) < run.at("box", "root/Careless stopped"));
    assert_eq!(run.story("log"), ["1.000 root/Careless onUnload"]);
}

#[test]
fn get_parameter() {
    let Some(run) = play("get_parameter", 0, &[]) else { return };
    assert_eq!(
        run.ends("waiting").logs(),
        [
            "root/Inner/Get none nobody has it: no parameter named Nobody",
            "root/Inner/Log 'Good day'",
            "root/Inner/Log 'Ada'",
            "root/Inner/Log 'nothing'"
        ]
    );
}

#[test]
fn attached_file_path() {
    let Some(run) = play("attached_file_path", 0, &["--must-end"]) else { return };
    let expected = ["/x.ogg", "{behavior}/x.ogg", "/x.ogg", "True"];
    assert_eq!(run.ends("ended").logs(), expected.map(|text| format!("root/Get File Path {text}")));
}

#[test]
fn switch_case() {
    let Some(run) = play("switch_case", 0, &[]) else { return };
    assert_eq!(
        run.ends("waiting").logs(),
        [
            "root/One 1",
            "root/One 1.0",
            "root/One '1'",
            "root/Yes 'yes'",
            "root/Half '2.5'",
            "root/Half 2.5",
            "root/Other None",
            "root/Other None"
        ]
    );
}

#[test]
fn wait() {
    let Some(run) = play("wait", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    let waits: Vec<_> = run.story("output").into_iter().filter(|o| o.contains("timerOutput")).collect();
    // Silent was cancelled; Again counts from its second start.
    assert_eq!(
        waits,
        ["0.500 root/Told timerOutput", "2.000 root/To the end timerOutput", "2.500 root/Again timerOutput"]
    );
}

#[test]
fn timer() {
    let Some(run) = play("timer", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    let ticks: Vec<_> = run.story("output").into_iter().filter(|o| o.contains("root/Timer")).collect();
    assert_eq!(
        ticks,
        [
            "0.000 root/Timer timerOutput",
            "0.500 root/Timer timerOutput",
            "1.000 root/Timer timerOutput",
            "1.100 root/Timer onStopped"
        ]
    );
}

#[test]
fn threading_timer() {
    let Some(run) = play("threading_timer", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    let waits: Vec<_> = run.story("output").into_iter().filter(|o| o.contains("timerOutput")).collect();
    assert_eq!(waits, ["0.750 root/Wait timerOutput"]);
}

#[test]
fn only_once() {
    let Some(run) = play("only_once", 0, &[]) else { return };
    assert_eq!(run.ends("waiting").story("log"), ["1.000 root/Outer/Log 'a'", "4.000 root/Outer/Log 'c'"]);
}

#[test]
fn counter() {
    let Some(run) = play("counter", 0, &["--must-end"]) else { return };
    let run = run.ends("ended");
    assert_eq!(run.logs(), ["root/Log 0", "root/Log 2", "root/Log 4"]);
    assert!(run.at("output", "root/Counter onReinitialized") < run.at("output", "root onStopped"));
}

#[test]
fn wait_for_signals() {
    let Some(run) = play("wait_for_signals", 0, &[]) else { return };
    let run = run.ends("waiting");
    let received: Vec<_> = run.story("output").into_iter().filter(|o| o.contains("signalsReceived")).collect();
    let both = "root/Wait For Signals signalsReceived";
    assert_eq!(received, [format!("1.000 {both}"), format!("3.000 {both}")]);
}
