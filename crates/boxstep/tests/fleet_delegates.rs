//! Characters whose leaves act on other robots of a show.

use crate::common::{Said, Temp, in_order, root, say};
use std::fs;

/// A folder with a show in which the robot `one` plays a character, and `two` and `three` are there.
struct Stage(Temp);

/// What a rehearsal printed, and the traces of the robots.
struct Rehearsed {
    out: String,
    folder: std::path::PathBuf,
}

impl Rehearsed {
    fn trace(&self, robot: &str) -> String {
        fs::read_to_string(self.folder.join(format!("{robot}.jsonl"))).unwrap()
    }
}

/// Returns the time of the first line of a trace with these words, in seconds.
fn at(trace: &str, words: &[&str]) -> f64 {
    let has = |line: &&str| words.iter().all(|word| line.contains(word));
    let line = trace.lines().find(has).unwrap_or_else(|| panic!("no {words:?}:\n{trace}"));
    serde_json::from_str::<serde_json::Value>(line).unwrap()["t"].as_i64().unwrap() as f64 / 1e9
}

fn count(trace: &str, words: &[&str]) -> usize {
    trace.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
}

impl Stage {
    fn new(behaviors: &str) -> Self {
        Self::with(behaviors, "posture: Crouch\nscenes:\n  - { name: A, play: { one: host.yaml }, at_most: 60 }\n")
    }

    fn with(behaviors: &str, rest: &str) -> Self {
        let place = Temp::new("stage");
        fs::create_dir_all(&place.0).unwrap();
        fs::write(place.0.join("host.yaml"), format!("character: Host\nbehaviors:\n{behaviors}")).unwrap();
        fs::write(place.0.join("show.yaml"), format!("show: Stage\nrobots: {{ one: , two: , three: }}\n{rest}"))
            .unwrap();
        fs::copy(root().join("examples/chorus/wave.xar"), place.0.join("wave.xar")).unwrap();
        Self(place)
    }

    fn say(&self, more: &[&str]) -> Said {
        let show = self.0.0.join("show.yaml");
        say(&[&["fleet", "rehearse", "--no-scripts", show.to_str().unwrap()], more].concat())
    }

    fn rehearse(&self, more: &[&str]) -> Rehearsed {
        let folder = self.0.0.join("record");
        let out = self.say(&[&["--record", folder.to_str().unwrap()], more].concat()).code(0).out;
        Rehearsed { out, folder }
    }
}

#[test]
fn the_example_is_conducted_across_robots() {
    let traces = Temp::new("traces");
    let concert = "examples/chorus/concert.yaml";
    let said = say(&["fleet", "rehearse", concert, "--no-scripts", "--record", traces.arg()]).code(0);
    in_order(&said.out, &["“Concert” is announced", "soprano: has ended “Concert”", "the show is over"]);
    let trace = |robot: &str| fs::read_to_string(traces.0.join(format!("{robot}.jsonl"))).unwrap();
    let (soprano, alto, bass) = (trace("soprano"), trace("alto"), trace("bass"));
    in_order(&soprano, &["Alto, please", "alto-waves", "Thank you"]);
    assert!(!soprano.contains("Then without the alto\"]"), "{soprano}");
    assert!(alto.contains("angleInterpolationBezier"), "it waves: {alto}");
    let said = |trace: &str, words: &str| count(trace, &["\"service\"", "\"say\"", words]);
    assert_eq!((said(&alto, "La la la"), said(&bass, "Bom bom bom")), (1, 1));
    assert!(!soprano.contains("angleInterpolationBezier"), "another robot does it");
    // The trace of the other robot says when it was wanted.
    let wished = ["\"watches\"", "wanted by another robot", "\"holds\":true"];
    let (wished, moves) = (at(&alto, &wished), at(&alto, &["\"angleInterpolationBezier\""]));
    assert!((moves - wished).abs() < 0.051, "{wished} {moves}");
}

#[test]
fn why_leads_from_a_robot_that_acts_to_the_character_that_wants_it() {
    let folder = Temp::new("traces");
    let concert = "examples/chorus/concert.yaml";
    say(&["fleet", "rehearse", concert, "--no-scripts", "--record", folder.arg()]).code(0);
    let why = |name: &str| say(&["why", name, folder.arg()]).code(0).out;
    // Without a robot it is that of the character.
    for name in ["alto-waves", "soprano:alto-waves"] {
        in_order(&why(name), &["soprano: alto-waves started at", "because the scene “Concert” began", "has control"]);
    }
    let chain =
        ["is wanted by another robot", "soprano: main/2/alto-waves", "has control", "the scene “Concert” is announced"];
    let waved = why("alto:wave");
    in_order(&waved, &["alto: wave started at", "because soprano wanted it: alto-waves had control there from"]);
    in_order(&waved, &chain);
    let acted = why("alto:alto-waves");
    in_order(
        &acted,
        &["alto: alto-waves started at", "because soprano wanted it", "no other robot has wanted it since"],
    );
    in_order(&acted, &chain);
    in_order(&why("alto"), &["alto: alto-sings started at", "because soprano wanted it"]);
    // The robot's last behavior, or the character, by its name or file; not the stage.
    for name in ["soprano", "soprano:main", "soprano:conductor", "conductor.yaml"] {
        in_order(&why(name), &["soprano: main started at", "because the scene “Concert” began"]);
    }
    let said = say(&["why", "alto:alto-wave", folder.arg()]).code(2).err;
    assert!(said.contains("did you mean `alto:alto-waves`?"), "{said}");
}

#[test]
fn a_delegate_elsewhere_ends_with_its_outcome_and_a_failure_says_why_and_where() {
    let stage = Stage::new(
        "  main:\n    queue:\n      - { name: waves, play: wave.xar, on: two }\n      \
         - { name: asks, call: ALMemory.getData, args: [Nothing/There], on: two }\n      \
         - { name: says, say: All asked }\n",
    );
    let rehearsed = stage.rehearse(&[]);
    let one = rehearsed.trace("one");
    // The wave takes 3.8 s, and the messages some ticks.
    let took = at(&one, &["delegation", "\"ended\"", "\"main/waves\""]);
    let began = at(&one, &["delegation", "\"activated\"", "\"main/waves\""]);
    assert!((took - began - 3.9).abs() < 0.4, "{began} {took}");
    in_order(&one, &["two: ", "All asked"]);
}

#[test]
fn a_cancel_reaches_the_delegate_and_frees_what_it_claims_only_then() {
    let stage = Stage::new(
        "  main:\n    queue:\n      \
         - { pass: { name: waves, play: wave.xar, on: two, claims: [Arms] }, until: { elapsed: 1 } }\n      \
         - { name: again, play: wave.xar, on: two, claims: [Left arm] }\n",
    );
    let rehearsed = stage.rehearse(&["--wifi"]);
    let two = rehearsed.trace("two");
    let moves: Vec<&str> = two.lines().filter(|line| line.contains("\"angleInterpolationBezier\"")).collect();
    assert!(moves.len() >= 2, "{two}");
    in_order(&two, &["\"angleInterpolationBezier\"", "6 joints stopped", "\"angleInterpolationBezier\""]);
    assert!(rehearsed.out.contains("the show is over"));
}

#[test]
fn a_robot_that_is_lost_at_any_moment_fails_its_delegate_in_words_and_the_character_goes_on() {
    for (seed, lost) in [0.3, 1.0, 1.7, 2.9, 3.6, 4.4].into_iter().enumerate() {
        let stage = Stage::new(
            "  main:\n    queue:\n      - { name: waves, play: wave.xar, on: two }\n      \
             - { name: more, play: wave.xar, on: two }\n      - { wait: 3 }\n      - { name: says, say: Good bye }\n",
        );
        let lose = format!("two@{lost}");
        let rehearsed = stage.rehearse(&["--wifi", "--lose", &lose, "--seed", &seed.to_string()]);
        let one = rehearsed.trace("one");
        in_order(&rehearsed.out, &["two: is lost", "the show is over"]);
        assert!(one.contains("Good bye"), "lost at {lost}: {one}");
        // Either one failed with the reason, or it was not asked any more.
        let said = one.contains("two: it is not heard any more") || one.contains("\"two: it does not answer\"");
        assert!(said || count(&one, &["delegation", "\"activated\"", "\"main/more\""]) == 0, "{lost}: {one}");
    }
}

#[test]
fn a_lead_that_is_lost_leaves_no_robot_moving() {
    let behaviors = "  main:\n    repeat: { play: wave.xar, on: two }\n";
    let rest = "posture: Crouch\nlost: hold\nscenes:\n  - { name: A, play: { one: host.yaml }, at_most: 30 }\n  \
                - { name: B, play: { one: host.yaml }, at_most: 5 }\n";
    let stage = Stage::with(behaviors, rest);
    let rehearsed = stage.rehearse(&["--lose", "one@2-8"]);
    let two = rehearsed.trace("two");
    in_order(&two, &["\"angleInterpolationBezier\"", "\"goToPosture\"", "\"angleInterpolationBezier\""]);
    let (lost, rests) = (2.0, at(&two, &["\"goToPosture\""]));
    let began = at(&two, &["\"angleInterpolationBezier\""]);
    assert!(rests - began < lost + 2.5, "it waits soon: {rests}");
}

#[test]
fn a_behavior_of_a_scene_ends_by_itself_also_if_a_leaf_has_played_the_same_file() {
    let behaviors = "  main: { repeat: { fallback: [{ play: wave.xar, on: two, claims: [Arms] }, { wait: 0.5 }] } }\n";
    let rest = "scenes:\n  - { name: A, play: { one: host.yaml } }\n  \
                - { name: B, at: 3, play: { two: wave.xar }, at_most: 20 }\n  - { name: C, play: { one: wave.xar } }\n";
    let stage = Stage::with(behaviors, rest);
    let rehearsed = stage.rehearse(&[]);
    let (one, two) = (rehearsed.trace("one"), rehearsed.trace("two"));
    in_order(&rehearsed.out, &["two: plays “B”", "two: has ended “B”", "one: plays “C”"]);
    let began = at(&two, &["\"started\"", "\"wave/root\""]);
    let ended = at(&two, &["\"unloaded\"", "\"wave/root\""]);
    assert!(ended - began > 3.0, "it is not cut short: {began} {ended}");
    // The next scene waits for it. Both runs begin at about the same time.
    assert!(at(&one, &["\"started\"", "\"wave/root\""]) > ended, "{two}");
    assert_eq!(count(&two, &["\"kind\":\"service\"", "\"preloadBehavior\""]), 1, "it is loaded once: {two}");
}

#[test]
fn a_robot_waits_for_a_lead_only_as_long_as_their_scene_lasts() {
    let behaviors = "  main: { say: La, on: two }\n";
    let rest = "posture: Crouch\nscenes:\n  - { name: A, play: { one: host.yaml } }\n  \
                - { name: B, play: { one: other.yaml, two: wave.xar } }\n";
    let stage = Stage::with(behaviors, rest);
    let other = "character: Other\nbehaviors:\n  main: { queue: [{ say: Bom, on: three }, { wait: 5 }] }\n";
    fs::write(stage.0.0.join("other.yaml"), other).unwrap();
    // Its lead tells it nothing any more, or is lost.
    for more in [&[][..], &["--lose", "one@2.5"]] {
        let rehearsed = stage.rehearse(more);
        let two = rehearsed.trace("two");
        in_order(&two, &["La", "angleInterpolationBezier"]);
        assert!(!two.contains("goToPosture"), "{more:?} {two}");
    }
}

#[test]
fn the_same_seed_gives_the_same_traces() {
    let stage = Stage::new(
        "  main:\n    queue:\n      - { say: [A, B, C, D], on: two }\n      - { say: [A, B, C, D], on: three }\n",
    );
    let all = || {
        let rehearsed = stage.rehearse(&["--wifi", "--seed", "9"]);
        ["one", "two", "three"].map(|robot| rehearsed.trace(robot))
    };
    assert_eq!(all(), all());
}

#[test]
fn what_cannot_hold_is_refused_with_its_place() {
    let rest = |play: &str| format!("scenes:\n  - {{ name: A, play: {{ {play} }} }}\n");
    let wrong = |behaviors: &str, play: &str| Stage::with(behaviors, &rest(play)).say(&[]).code(2).err;
    let said = wrong("  main: { say: Hi, on: too }\n", "one: host.yaml");
    in_order(&said, &["BS0931", "no robot called too", "did you mean `two`?", "show.yaml:4:"]);
    let said = wrong("  main: { say: Hi, on: two }\n", "one: host.yaml, two: wave.xar");
    assert!(said.contains("two plays a behavior of its own"), "{said}");
    let said = wrong("  main: { play: no.xar, on: two }\n", "one: host.yaml");
    in_order(&said, &["BS0931", "no.xar"]);
    let said = wrong("  main: { wait: 3, on: two }\n", "one: host.yaml");
    in_order(&said, &["BS0752", "`on`", "host.yaml"]);
    // What the robot has to know is refused before anything begins, also for a later scene.
    let arms = "  main:\n    parallel:\n      - { play: wave.xar, on: two, claims: [Arms] }\n      \
                - { play: wave.xar, on: two, claims: [Left arm] }\n";
    let scenes = "scenes:\n  - { name: A, play: { one: wave.xar } }\n  - { name: B, play: { one: host.yaml } }\n";
    let said = Stage::with(arms, scenes).say(&[]).code(4);
    in_order(&said.err, &["the show was called off", "one: host.yaml:6:", "BS0759", "`two:Left arm`"]);
    // Outside of a show there is no other robot.
    let stage = Stage::new("  main:\n    sequence: [{ say: Hi }, { say: Ho, on: two }]\n");
    let host = stage.0.0.join("host.yaml");
    say(&["check", host.to_str().unwrap()]).code(0);
    let said = say(&["play", "--virtual-time", "--scripts", "off", host.to_str().unwrap()]).code(2).err;
    in_order(&said, &["BS0755", "only a show has other robots", "host.yaml:4:"]);
}
