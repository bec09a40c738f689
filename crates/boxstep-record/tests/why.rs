//! Why a behavior runs or not, from lines of a trace.

use boxstep_record::why::{Because, NoAnswer, Why, why};
use boxstep_trace::Recording;
use boxstep_types::Time;

/// Makes a trace with a line for each: milliseconds, path (empty: the runner), and the rest.
fn trace(lines: &[(i64, &str, &str)]) -> String {
    let mut text = String::from("{\"schema\":1,\"product\":\"x\",\"files\":{}}\n");
    for (n, (t, path, rest)) in lines.iter().enumerate() {
        let path = path.replace('\\', "\\\\");
        let path = if path.is_empty() { path } else { format!("\"path\":\"{path}\",") };
        let t = t * 1_000_000;
        text += &format!("{{\"n\":{},\"t\":{t},\"cause\":0,{path}\"kind\":\"delegation\",{rest}}}\n", n + 1);
    }
    text
}

fn recording(text: &str) -> Recording {
    Recording::read(text.as_bytes()).unwrap()
}

const BEGIN: &[(i64, &str, &str)] = &[
    (
        0,
        "main",
        r#""what":"plan","value":{"main":{"is":"priority","children":["hello","dance","idle"]},"hello":{"is":"say"},"dance":{"is":"play","claims":["legs"]},"idle":{"is":"queue","children":["idle/1"]},"idle/1":{"is":"wait"}}"#,
    ),
    (0, "main", r#""what":"entered""#),
    (0, "main/hello", r#""what":"entered""#),
    (0, "main/dance", r#""what":"entered""#),
    (0, "main/idle", r#""what":"entered""#),
    (0, "main", r#""what":"activated","ticket":1"#),
    (0, "main", r#""what":"asked","to":["hello"],"how":"no","why":"it says no""#),
    (0, "main", r#""what":"delegated","to":["idle"],"ticket":2"#),
    (0, "main/idle/idle\\/1", r#""what":"entered""#),
    (0, "main/idle", r#""what":"activated","ticket":2"#),
    (0, "main/idle", r#""what":"delegated","to":["idle/1"],"ticket":3"#),
    (0, "main/idle/idle\\/1", r#""what":"activated","ticket":3"#),
    (
        0,
        "main/hello",
        r#""what":"wants","how":"no","value":{"what":"all","holds":false,"parts":[{"what":"memory Face","found":"is 0","holds":false},{"what":"free arms","holds":true}]}"#,
    ),
    (0, "main/dance", r#""what":"wants","how":"yes","value":{"what":"true","holds":true}"#),
];

fn asked(name: &str, more: &[(i64, &str, &str)], at: Option<i64>) -> Result<Why, NoAnswer> {
    why(name, &recording(&trace(&[BEGIN, more].concat())), at.map(Time::from_millis))
}

fn because(name: &str, more: &[(i64, &str, &str)], at: i64) -> Because {
    asked(name, more, Some(at)).unwrap().because
}

const S: fn(i64) -> Time = Time::from_millis;

#[test]
fn a_leaf_that_acts_for_another_robot_runs_while_that_wants_it() {
    let watches = |t: i64, holds: &'static str| (t, "main/idle", holds);
    let more = [
        watches(100, r#""what":"watches","value":[{"what":"wanted by another robot","holds":false}]"#),
        watches(300, r#""what":"watches","value":[{"what":"wanted by another robot","holds":true}]"#),
    ];
    assert_eq!(because("idle", &more, 200), Because::Unwanted(S(100)));
    assert!(matches!(because("idle", &more, 400), Because::Runs(..)));
    let answer = asked("idle", &more, Some(200)).unwrap().to_string();
    assert!(answer.starts_with("idle does not run at 0.200 s: no other robot has wanted it since 0.100 s"), "{answer}");
}

#[test]
fn one_that_runs_has_who_gave_it_control_and_since_when() {
    assert_eq!(because("idle", &[], 500), Because::Runs(S(0), Some("main".into())));
    assert_eq!(because("main", &[], 500), Because::Runs(S(0), None));
    assert_eq!(because("idle/1", &[], 500), Because::Runs(S(0), Some("idle".into())));
    let why = asked("hello", &[], Some(500)).unwrap();
    assert_eq!(why.control, [(vec!["main".to_owned(), "idle".to_owned(), "idle/1".to_owned()], S(0))]);
}

#[test]
fn a_condition_that_is_not_true_is_told_with_its_factors() {
    let why = asked("hello", &[], Some(500)).unwrap();
    assert_eq!(why.because, Because::SaysNo);
    let text = why.to_string();
    assert!(text.starts_with("hello does not run at 0.500 s: its condition is not true\n"), "{text}");
    for line in
        ["wants       no, since 0.000 s", "memory Face: no (is 0)", "free arms: yes", "in scope    since 0.000 s"]
    {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn a_value_that_has_changed_since_though_nothing_followed_is_the_newest() {
    let event =
        "{\"n\":99,\"t\":1000000000,\"cause\":0,\"kind\":\"event\",\"dir\":\"in\",\"key\":\"Face\",\"value\":0.5}\n";
    let other = event.replace("Face", "Fac");
    let text = trace(BEGIN) + event + &other;
    let said = |at| why("hello", &recording(&text), Some(Time::from_millis(at))).unwrap().to_string();
    assert!(said(999).contains("memory Face: no (is 0)"), "{}", said(999));
    assert!(said(1000).contains("memory Face: no (is 0.5 since 1.000 s)"), "{}", said(1000));
}

#[test]
fn who_is_silenced_is_told_by_whom() {
    let more = [(200, "main/hello", r#""what":"wants","how":"no","why":"silenced by dance""#)];
    assert_eq!(because("hello", &more, 300), Because::Silenced("silenced by dance".into()));
    assert_eq!(because("hello", &more, 100), Because::SaysNo, "not before it was");
}

#[test]
fn a_parent_that_has_given_control_to_others_is_told_and_whether_they_stand_before() {
    let to = vec!["idle".to_owned()];
    let elsewhere = Because::Elsewhere { parent: "main".into(), to, before: false };
    assert_eq!(because("dance", &[], 100), elsewhere);
    let more = [
        (200, "main/dance", r#""what":"activated","ticket":4"#),
        (200, "main/idle", r#""what":"ended","ticket":2,"how":"cancelled","why":"by main""#),
        (200, "main/idle/idle\\/1", r#""what":"ended","ticket":3,"how":"cancelled","why":"by main""#),
    ];
    let delegated = (200, "main", r#""what":"delegated","to":["dance"],"ticket":4"#);
    let more = [&[delegated], &more[..]].concat();
    let to = vec!["dance".to_owned()];
    assert_eq!(because("idle", &more, 300), Because::Elsewhere { parent: "main".into(), to, before: true });
}

#[test]
fn one_out_of_scope_is_told_with_who_would_have_to_be_active() {
    let more = [
        (200, "main/idle/idle\\/1", r#""what":"left""#),
        (200, "main/idle", r#""what":"ended","ticket":2,"how":"done""#),
    ];
    assert_eq!(because("idle/1", &more[..1], 300), Because::Runs(S(0), Some("idle".into())), "it has not ended");
    let ended = (200, "main/idle/idle\\/1", r#""what":"ended","ticket":3,"how":"done","value":null"#);
    let why = asked("idle/1", &[ended, more[0], more[1]], Some(300)).unwrap();
    assert_eq!(why.because, Because::OutOfScope(vec!["idle".into()]));
    assert_eq!((why.runs, why.ended.map(|(at, how, _)| (at, how))), (1, Some((S(200), "done".into()))));
}

#[test]
fn a_cooldown_is_told_with_what_is_left_also_of_a_named_timer_that_others_begin() {
    let cools = r#""what":"cools","to":["dance"],"value":{"seconds":5.0,"timer":"talk"}"#;
    let ended = (1000, "main/idle", r#""what":"ended","ticket":2,"how":"done""#);
    let more = [(1000, "main", cools), ended];
    assert_eq!(because("dance", &more, 3000), Because::Cools);
    assert_eq!(because("dance", &more, 6100), Because::NotChosen);
    let again = (4000, "main/hello", r#""what":"timer","to":["talk"]"#);
    let why = asked("dance", &[more[0], more[1], again], Some(6100)).unwrap();
    assert_eq!(why.because, Because::Cools);
    assert_eq!((why.cooling[0].until, why.cooling[0].parent.as_str()), (S(9000), "main"));
    assert!(
        why.to_string().contains("cools       for main: 2.900 s of 5 s are left, until 9.000 s, by the timer talk")
    );
}

#[test]
fn a_cooldown_that_is_forgotten_with_its_parent_is_over_when_that_begins_anew() {
    let cools = (1000, "main", r#""what":"cools","to":["dance"],"value":{"seconds":50.0,"reset":true}"#);
    let ended = (1000, "main/idle", r#""what":"ended","ticket":2,"how":"done""#);
    let begins = (2000, "main", r#""what":"activated","ticket":9"#);
    assert_eq!(because("dance", &[cools, ended], 3000), Because::Cools);
    assert_eq!(because("dance", &[cools, ended, begins], 3000), Because::NotChosen);
}

#[test]
fn a_resource_that_another_one_has_is_told_with_who() {
    let plan = r#""what":"plan","value":{"all":{"is":"parallel","children":["one","two"]},"one":{"is":"priority","children":["walk"]},"two":{"is":"priority","children":["dance"]},"walk":{"is":"play","claims":["legs"]},"dance":{"is":"play","claims":["legs"]}}"#;
    let lines = [
        (0, "all", plan),
        (0, "all", r#""what":"entered""#),
        (0, "all", r#""what":"activated","ticket":1"#),
        (0, "all", r#""what":"delegated","to":["one","two"],"ticket":2"#),
        (0, "all/one", r#""what":"entered""#),
        (0, "all/two", r#""what":"entered""#),
        (0, "all/two/dance", r#""what":"entered""#),
        (0, "all/one", r#""what":"activated","ticket":2"#),
        (0, "all/two", r#""what":"activated","ticket":3"#),
        (0, "all/one", r#""what":"delegated","to":["walk"],"ticket":4"#),
        (0, "all/one/walk", r#""what":"activated","ticket":4"#),
        (0, "all/two", r#""what":"asked","to":["dance"],"how":"no","why":"walk has legs""#),
    ];
    let why = why("dance", &recording(&trace(&lines)), None).unwrap();
    assert_eq!(why.because, Because::Taken("legs".into(), "walk".into()));
    let text = why.to_string();
    assert!(text.contains("claims      legs, which walk has"), "{text}");
    assert!(text.contains("asked       by two: no, since 0.000 s: walk has legs"), "{text}");
    assert!(text.contains("control     all → one → walk") && text.contains("control     all → two"), "{text}");
}

#[test]
fn who_waits_loads_or_winds_down_is_told_so() {
    let delegated = (100, "main", r#""what":"delegated","to":["dance"],"ticket":7"#);
    let waits = (100, "main/dance", r#""what":"waits","ticket":7"#);
    assert_eq!(because("dance", &[delegated, waits], 200), Because::Waits(S(100)));
    let failed = (150, "main/dance", r#""what":"ended","ticket":7,"how":"failed","why":"it no longer wants to""#);
    let why = asked("dance", &[delegated, waits, failed], Some(200)).unwrap();
    assert_eq!((why.runs, why.ended.unwrap().0), (0, S(150)));
    let entering = (100, "main/dance", r#""what":"entering""#);
    assert_eq!(because("dance", &[entering], 200), Because::Loads(S(100)));
    let ended = (100, "main/idle", r#""what":"ended","ticket":2,"how":"cancelled","why":"by main""#);
    let stopping = (100, "main/idle", r#""what":"stopping""#);
    assert_eq!(because("idle", &[ended, stopping], 200), Because::WindsDown(S(100)));
}

#[test]
fn a_run_that_was_stopped_is_looked_at_as_it_was_before() {
    let more = [
        (900, "main/idle/idle\\/1", r#""what":"ended","ticket":3,"how":"cancelled","why":"the runner was stopped""#),
        (900, "main/idle", r#""what":"ended","ticket":2,"how":"cancelled","why":"the runner was stopped""#),
        (900, "", r#""what":"stopped""#),
    ];
    assert_eq!(asked("idle", &more, None).unwrap().because, Because::Runs(S(0), Some("main".into())));
    assert_eq!(because("idle", &more, 1000), Because::Over(S(900)));
}

#[test]
fn a_trace_that_is_still_written_is_read_as_far_as_it_goes() {
    let whole = trace(BEGIN);
    for end in whole.len() - 60..whole.len() {
        let why = why("idle", &recording(&whole[..end]), None).unwrap();
        assert_eq!(why.because, Because::Runs(S(0), Some("main".into())));
    }
    // The longest beginning without an event of the character.
    let header = whole.find('\n').unwrap();
    assert!(matches!(why("idle", &recording(&whole[..=header]), None), Err(NoAnswer::NoCharacter)));
}

#[test]
fn a_name_that_is_not_the_last_step_of_the_path_is_told_with_the_line() {
    let more = [
        (100, "main/idle/2", r#""what":"entered","name":"idle/2""#),
        (200, "main/idle/2", r#""what":"activated","ticket":9,"name":"idle/2""#),
    ];
    assert_eq!(because("idle/2", &more, 300), Because::Runs(S(200), None));
    assert_eq!(asked("main/idle/2", &more, Some(300)).unwrap().name, "idle/2");
    // Without a plan, the parent is found by the path.
    let out = (400, "main/idle/2", r#""what":"left","name":"idle/2""#);
    let ended = (350, "main/idle/2", r#""what":"ended","ticket":9,"how":"done","name":"idle/2""#);
    assert_eq!(because("idle/2", &[more[0], more[1], ended, out], 500), Because::OutOfScope(vec!["idle".into()]));
}

/// Another version: `hello` is another instance, `dance` is gone, `wave` is new.
const RELOAD: &[(i64, &str, &str)] = &[
    (1000, "main/hello", r#""what":"leaving","earlier":1"#),
    (1000, "main/hello", r#""what":"entered""#),
    (1000, "main/dance", r#""what":"left","earlier":2"#),
    (1000, "main/wave", r#""what":"entered""#),
    (
        1000,
        "main",
        r#""what":"plan","value":{"main":{"is":"priority","children":["wave","hello","idle"]},"hello":{"is":"play"},"wave":{"is":"say"},"idle":{"is":"queue","children":["idle/1"]},"idle/1":{"is":"wait"}}"#,
    ),
    (1200, "main/hello", r#""what":"left","earlier":1"#),
];

#[test]
fn another_version_of_a_character_is_told_apart_from_the_one_before() {
    assert_eq!(
        because("dance", RELOAD, 900),
        Because::Elsewhere { parent: "main".into(), to: vec!["idle".into()], before: false }
    );
    assert_eq!(because("dance", RELOAD, 1100), Because::Gone(S(1000)));
    // The old instance leaves scope, the new one is in scope.
    let hello = asked("hello", RELOAD, Some(1300)).unwrap();
    assert_eq!((hello.in_scope, hello.is.as_str(), hello.runs), (Some(S(1000)), "play", 0));
    assert!(hello.wants.is_none() && hello.asked.is_empty(), "nothing is known of the new one yet: {hello:?}");
    let wave = asked("wave", RELOAD, Some(1100)).unwrap();
    let before = Because::Elsewhere { parent: "main".into(), to: vec!["idle".into()], before: false };
    assert_eq!((wave.because, wave.in_scope), (before, Some(S(1000))));
    // A behavior that is unchanged continues.
    assert_eq!(because("idle/1", RELOAD, 1300), Because::Runs(S(0), Some("idle".into())));
    let earlier = asked("hello, of an earlier version", RELOAD, Some(1300)).unwrap();
    assert_eq!(earlier.in_scope, None);
}

#[test]
fn one_that_begins_anew_has_its_control_from_the_same_parent() {
    let more = [
        (1000, "main/idle/1", r#""what":"ended","ticket":3,"how":"cancelled","why":"by idle","name":"idle/1""#),
        (1000, "main/idle", r#""what":"restarts","ticket":2"#),
        (1000, "main/idle", r#""what":"activated","ticket":2"#),
    ];
    let why = asked("idle", &more, Some(1100)).unwrap();
    assert_eq!((why.because, why.runs), (Because::Runs(S(1000), Some("main".into())), 2));
    assert_eq!(why.ended.unwrap().2.as_deref(), Some("another version was taken"));
    let between = because("idle", &more[..2], 1100);
    assert!(!matches!(between, Because::Runs(..)), "{between:?}");
}

#[test]
fn an_unknown_name_gets_a_suggestion_and_a_path_is_a_name() {
    let Err(NoAnswer::NoBehavior(_, help)) = asked("helo", &[], None) else { panic!() };
    assert_eq!(help.unwrap(), "did you mean `hello`?");
    assert_eq!(asked("main/idle/idle\\/1", &[], None).unwrap().name, "idle/1");
}

#[test]
fn nothing_is_named_that_the_trace_has_not() {
    for name in ["main", "hello", "dance", "idle", "idle/1"] {
        let why = asked(name, &[], Some(500)).unwrap();
        let known = |name: &String| trace(BEGIN).contains(name.as_str());
        assert!(why.control.iter().flat_map(|(way, _)| way).all(known), "{why}");
        assert!(why.asked.iter().all(|(by, ..)| known(by)) && why.claims.iter().all(|(claim, _)| known(claim)));
        // The JSON has the same content.
        let json = why.json();
        assert_eq!(json["name"], name);
        assert_eq!(json["because"], why.because.to_string());
    }
}

#[test]
fn sentences_that_were_not_answered_are_named_with_the_nearest_rule() {
    let lines = r#"{"schema":1,"product":"x","files":{}}
{"n":1,"t":0,"cause":0,"kind":"behavior","phase":"started","name":"greet"}
{"n":2,"t":1000000000,"cause":0,"kind":"dialog","what":"heard","text":"hallo"}
{"n":3,"t":1000000000,"cause":0,"kind":"dialog","what":"not_understood","text":"hallo","near":[{"topic":"greet","file":"greet.top","line":4,"head":"u:(hello)","why":"it needs `hello`"}]}
{"n":4,"t":2000000000,"cause":0,"kind":"behavior","phase":"stopping","name":"greet"}
{"n":5,"t":2000000000,"cause":4,"kind":"behavior","phase":"unloaded","name":"greet"}
"#;
    let answer = boxstep_record::why::stopped(&recording(lines), None).unwrap();
    let wanted = "at 1.000 s no rule answered “hallo”; the nearest, greet.top:4, u:(hello): it needs `hello`";
    assert_eq!(answer.besides, [wanted], "{answer}");
}
