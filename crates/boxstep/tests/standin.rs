//! Playing on a stand-in robot on libqi that has faults: `BOXSTEP_STANDIN` names its program and `BOXSTEP_QI_PYTHON` a Python that can
//! import `qi`. Without them these tests say that they were left out.

#![cfg(unix)]
use crate::common::{Said, Temp, boxstep, has_python};
use crate::libqi::robot;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// The longest that a play may take, whatever the robot does: it plays for 4 s, and `--for` ends it after 8.
const WITHIN: Duration = Duration::from_secs(60);

/// Plays `examples/hello` on a stand-in with these faults: what it says with this exit code, in bounded time. `None` if left out.
fn play(flags: &[&str], code: i32, words: &[&str]) -> Option<String> {
    play_for("8", flags, code, words)
}

fn play_for(limit: &str, flags: &[&str], code: i32, words: &[&str]) -> Option<String> {
    let robot = has_python().then(|| robot(flags))??;
    // The stand-in rests, and its Autonomous Life is on: that is no matter here.
    let args = ["play", "examples/hello", "--anyway", "--for", limit, "--robot", &robot.address];
    let child = boxstep(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (id, (tell, told)) = (child.id().to_string(), channel());
    std::thread::spawn(move || tell.send(child.wait_with_output().unwrap()));
    let Ok(output) = told.recv_timeout(WITHIN) else {
        let _ = Command::new("kill").args(["-KILL", &id]).status();
        panic!("{flags:?}: the play hangs: {}", Said::from(told.recv().unwrap()).out);
    };
    let said = Said::from(output).code(code);
    let all = format!("{}{}", said.out, said.err);
    for word in words {
        assert!(all.contains(word), "{flags:?}: {word:?} in:\n{all}");
    }
    Some(all)
}

/// The last thing that a play on a robot that is well says and does.
const WELL: [&str; 2] = ["says “See you soon!”", "behavior hello unloaded"];

#[test]
fn slow_answers_slow_bytes_and_a_second_process_do_not_matter() {
    for flags in [&["--delay-ms", "200"][..], &["--slow-loris", "1:64"], &["--split", "ALTextToSpeech"]] {
        let Some(said) = play(flags, 0, &WELL) else { return };
        assert!(!said.contains("the time limit was reached"), "{flags:?}: {said}");
    }
}

#[test]
fn a_call_that_fails_is_told_in_the_robots_words() {
    let words = ["RuntimeError: ALTextToSpeech.say: RuntimeError: the voice is gone", "behavior hello unloaded"];
    play(&["--fail", "ALTextToSpeech.say=the voice is gone"], 4, &words);
}

#[test]
fn a_call_that_is_never_answered_ends_with_the_run_and_fails_it() {
    // Its speech is given up with the run; the other box has not come to its turn.
    let words = ["the time limit was reached", "behavior hello unloaded", "has not answered ALTextToSpeech.say"];
    play_for("2", &["--hang", "ALTextToSpeech.say"], 4, &words);
}

#[test]
fn a_stop_that_is_never_answered_is_given_up_and_told() {
    let flags = ["--hang", "ALTextToSpeech.say", "--hang", "ALTextToSpeech.stopAll"];
    let words = [
        "onUnload took too long and was given up",
        "behavior hello unloaded",
        "has not confirmed ALTextToSpeech.stopAll: the robot may still speak",
    ];
    play_for("2", &flags, 4, &words);
}

/// How many calls a play makes until it first speaks: the number of questions before it is nobody's promise.
fn calls_until_it_speaks() -> Option<String> {
    let log = Temp::new("log");
    play(&["--log", log.arg()], 0, &WELL)?;
    let text = std::fs::read_to_string(log.arg()).unwrap();
    let calls = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let is_call = |call: &serde_json::Value| call["ev"] == "call" && call["svc"] != "StandIn";
    let before = calls.filter(is_call).take_while(|c| c["svc"] != "ALTextToSpeech" || c["method"] != "say");
    Some((before.count() + 1).to_string())
}

#[test]
fn a_link_that_is_cut_amid_a_play_is_told_and_one_cut_before_is_made_anew() {
    let Some(speaks) = calls_until_it_speaks() else { return };
    // The first call is one of those before the play.
    play(&["--drop-after", "1"], 0, &WELL);
    let words = ["ALTextToSpeech.say: 127.0.0.1:", "connection lost", "behavior hello unloaded"];
    play(&["--drop-after", &speaks], 4, &words);
}

#[test]
fn a_robot_that_does_not_come_back_or_dies_ends_the_play() {
    let Some(speaks) = calls_until_it_speaks() else { return };
    for flags in
        [&["--drop-after", "1", "--drop-final"][..], &["--drop-after", &speaks, "--drop-final"], &["--die-after", "3"]]
    {
        let Some(said) = play(flags, 4, &["connection"]) else { return };
        // The first is gone before it is known, so there is nothing to lose yet.
        assert!(["lost", "refused", "closed"].iter().any(|word| said.contains(word)), "{flags:?}: {said}");
    }
}
