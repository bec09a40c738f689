//! What a character tells in the account, and how much.

use crate::support::Show;
use boxstep_engine::runner::What;
use boxstep_runner::MAX_BURST_EVENTS;
use serde_json::{Value as Json, json};

/// A character whose account is kept.
fn kept(text: &str) -> Show {
    let mut show = Show::new(text);
    show.built.runner.keep_account(true);
    show
}

/// What was told of this kind: the behavior, and the fields that a trace has.
fn told(show: &mut Show, what: &str) -> Vec<(String, Json)> {
    let all = show.built.runner.take_account();
    let own = all.into_iter().filter_map(|happened| match happened.what {
        What::Told(told) => {
            Some((show.built.runner.name(happened.of?).to_owned(), serde_json::to_value(told).unwrap()))
        }
        _ => None,
    });
    own.filter(|(_, told)| told["what"] == what).collect()
}

fn lines(show: &mut Show, what: &str) -> Vec<String> {
    let one = |(of, told): (String, Json)| {
        let to: Vec<&str> = told["to"].as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        let [how, why] = ["how", "why"].map(|name| told[name].as_str().unwrap_or_default());
        let parts = [&of, &to.join(","), how, why];
        parts.into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    told(show, what).into_iter().map(one).collect()
}

const TWO: &str = "
main:
  priority:
    - { name: hello, say: Hello, when: { all: [{ memory: Face, more: 1 }, { not: { memory: Muted } }] } }
    - { name: rest, say: long rest }
";

#[test]
fn what_a_condition_finds_is_told_when_it_begins_and_when_a_part_of_it_changes() {
    let mut show = kept(TWO);
    show.tick();
    let all = told(&mut show, "wants");
    assert_eq!((all.len(), all[0].0.as_str(), &all[0].1["how"]), (1, "hello", &json!("no")));
    let value = all[0].1["value"].to_string();
    assert!(value.contains("memory Face more 1") && value.contains("is not there"), "{value}");
    show.run(2.0);
    assert_eq!(lines(&mut show, "wants"), [""; 0], "nothing has changed");
    show.raise("Muted", 1);
    show.tick();
    assert_eq!(lines(&mut show, "wants"), ["hello no"], "a part has changed, and not the answer");
    show.raise("Face", 1);
    show.tick();
    assert_eq!(lines(&mut show, "wants"), [""; 0], "another value of which nothing follows");
}

#[test]
fn what_gave_control_is_told_and_then_nothing_while_it_runs() {
    let mut show = kept(TWO);
    show.tick();
    assert_eq!(lines(&mut show, "wants"), ["hello no"]);
    show.raise("Face", 2);
    show.tick();
    assert_eq!(show.active(), ["main", "hello"]);
    assert_eq!(lines(&mut show, "wants"), ["hello yes"]);
    show.raise("Face", 0);
    show.run(0.5);
    assert_eq!(show.active(), ["main", "hello"]);
    assert_eq!(lines(&mut show, "wants"), [""; 0]);
    show.run(1.0);
    assert_eq!(lines(&mut show, "wants"), ["hello no"]);
}

#[test]
fn who_silences_is_told() {
    let mut show = kept(
        "
main: { parallel: [a, b], failure: all }
a: { priority: [{ name: loud, say: loud, when: { event: Music }, silences: quiet }] }
b: { priority: [{ name: quiet, say: long quiet }] }
",
    );
    show.tick();
    assert_eq!(lines(&mut show, "wants"), ["loud no"]);
    show.raise("Music", 1);
    show.tick();
    show.tick();
    assert!(lines(&mut show, "wants").contains(&"quiet no silenced by loud".to_owned()));
    show.run(1.5);
    assert!(lines(&mut show, "wants").contains(&"quiet yes".to_owned()));
}

#[test]
fn how_a_child_answers_is_told_when_it_answers_otherwise_than_before() {
    let mut show = kept(TWO);
    show.tick();
    assert_eq!(lines(&mut show, "asked"), ["main hello no it says no", "main rest yes"]);
    show.run(1.0);
    assert_eq!(lines(&mut show, "asked"), [""; 0]);
    show.raise("Face", 2);
    show.tick();
    assert_eq!(lines(&mut show, "asked"), ["main hello yes"]);
}

#[test]
fn a_resource_that_another_one_has_is_told_with_who() {
    let mut show = kept(
        "
main: { parallel: [a, b], failure: all }
a: { sequence: [{ name: one, say: long a, claims: Legs }] }
b: { selector: [{ name: two, say: long b, claims: [Arms, Legs] }, { say: long quiet }] }
",
    );
    show.tick();
    assert!(lines(&mut show, "asked").contains(&"b two no one has Legs".to_owned()));
}

#[test]
fn cooldowns_and_named_timers_are_told() {
    let mut show = kept(
        "
main:
  priority:
    - { name: a, say: quick, cooldown: { seconds: 3, timer: talk } }
    - { name: b, say: quick, cooldown: { seconds: 5, reset: true }, timer_at_end: other }
    - { say: long c }
",
    );
    show.tick();
    let all = show.built.runner.take_account();
    let told = |what: &str| -> Vec<Json> {
        let own = all.iter().filter_map(|happened| match &happened.what {
            What::Told(told) => Some(serde_json::to_value(told).unwrap()),
            _ => None,
        });
        own.filter(|told| told["what"] == what).collect()
    };
    let cools = told("cools");
    assert_eq!(cools[0]["to"], json!(["a"]));
    assert_eq!(cools[0]["value"], json!({ "seconds": 3.0, "timer": "talk" }));
    assert_eq!(cools[1]["value"], json!({ "seconds": 5.0, "reset": true }));
    assert_eq!(told("timer")[0]["to"], json!(["other"]));
}

#[test]
fn what_a_running_behavior_watches_is_told() {
    let mut show = kept("main: { pass: { say: long a }, until: { memory: Enough } }");
    show.run(1.0);
    let all = told(&mut show, "watches");
    assert_eq!((all.len(), all[0].0.as_str()), (1, "main"));
    assert!(all[0].1["value"].to_string().contains("memory Enough"));
}

#[test]
fn who_is_in_the_character_is_told_once() {
    let mut show = kept(TWO);
    show.run(1.0);
    let all = told(&mut show, "plan");
    assert_eq!(all.len(), 1);
    let value = all[0].1["value"].to_string();
    assert!(value.contains("priority") && value.contains("hello") && value.contains("rest"), "{value}");
}

#[test]
fn a_condition_that_changes_all_the_time_is_told_so_often_and_no_oftener() {
    let mut show = kept(
        "
main:
  priority:
    - { name: a, say: long a, when: { all: [{ chance: 0.5 }, { memory: Never }] } }
    - { say: long b }
",
    );
    let seconds = 30;
    show.run(f64::from(seconds));
    let told = lines(&mut show, "wants").len() as u64;
    let most = MAX_BURST_EVENTS + u64::from(seconds as u32);
    assert!(told <= most && told > MAX_BURST_EVENTS, "{told} of {most}");
}

#[test]
fn nothing_is_told_to_nobody() {
    let mut show = Show::new(TWO);
    show.run(1.0);
    show.built.runner.keep_account(true);
    assert_eq!(lines(&mut show, "plan"), [""; 0]);
}
