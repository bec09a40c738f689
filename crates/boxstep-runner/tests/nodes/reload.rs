//! Another version of a character, taken while it plays.

use crate::support::Show;
use boxstep_engine::runner::NotTaken;
use boxstep_runner::NotReloaded;

/// Who keeps a version from being taken.
#[track_caller]
fn waits_for(done: Result<(), NotReloaded>) -> Vec<String> {
    match done {
        Err(NotReloaded::NotTaken(NotTaken::Run(names))) => names.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_new_child_of_a_priority_takes_over_and_what_runs_goes_on_until_then() {
    let mut show = Show::new("main: { priority: [{ name: idle, say: long idle }] }");
    assert_eq!(show.run(1.0), ["0.0 long idle"]);
    let more = "main:\n  priority:\n    - { name: hello, say: quick hello, when: { event: Face }, cooldown: 5 }\n    - { name: idle, say: long idle }";
    show.reload(more).unwrap();
    assert_eq!(show.run(1.0), [""; 0], "idle goes on");
    show.raise("Face", 1);
    assert_eq!(show.run(0.2), ["2.0 stop long idle", "2.0 quick hello", "2.0 long idle"]);
}

#[test]
fn a_child_that_is_gone_from_a_priority_is_let_go_and_another_one_is_chosen() {
    let mut show = Show::new("main: { priority: [{ name: idle, say: long idle }] }");
    show.run(1.0);
    show.reload("main: { priority: [{ name: other, say: long other }] }").unwrap();
    assert_eq!(show.run(0.2), ["1.0 stop long idle", "1.0 long other"]);
    assert_eq!(show.active(), ["main", "other"]);
}

#[test]
fn cooldowns_named_timers_and_spans_of_conditions_go_on() {
    let file = |more: &str| {
        format!(
            "main:\n  priority:\n    - {{ name: hello, say: quick hello, cooldown: 2, timer_at_end: t }}\n    \
             - {{ name: late, say: quick late, when: {{ elapsed: 3 }}, cooldown: 9 }}\n    \
             - {{ name: timed, say: quick timed, when: {{ timer: t, from: 1.5, to: 2 }}, cooldown: 9 }}\n{more}    - {{ name: rest, wait: 9 }}"
        )
    };
    let mut show = Show::new(&file(""));
    let mut same = Show::new(&file(""));
    let (mut seen, mut expected) = (show.run(1.0), same.run(1.0));
    show.reload(&file("    - { say: never, when: false }\n")).unwrap();
    seen.extend(show.run(4.0));
    expected.extend(same.run(4.0));
    assert_eq!(seen, expected);
    let at = |word: &str| seen.iter().find(|line| line.ends_with(word)).cloned();
    assert_eq!(at("late").as_deref(), Some("3.0 quick late"));
    assert_eq!(at("timed").as_deref(), Some("1.5 quick timed"));
}

/// Else nobody could have the resource any more.
#[test]
fn who_winds_down_is_waited_for_if_it_claims_something_else_from_now_on() {
    let file = |claims: &str| {
        format!(
            "main:\n  priority:\n    - {{ name: b, say: b, when: {{ event: B }} }}\n    \
             - {{ name: a, say: long a, when: {{ event: A }}{claims} }}\n    - {{ name: c, say: quick c, claims: R, cooldown: 99 }}"
        )
    };
    let mut show = Show::new(&file(", claims: R").replace("cooldown: 99", "when: { event: C }"));
    show.double.state().slow.insert("long a".to_owned(), [0.0, 1.0, 0.0]);
    show.raise("A", 1);
    show.run(0.2);
    show.raise("B", 1);
    show.run(0.2);
    assert_eq!(waits_for(show.reload(&file(""))), ["a"]);
    show.run(1.0);
    show.reload(&file("")).unwrap();
    assert_eq!(show.run(2.0).last().map(|line| line[4..].to_owned()), Some("quick c".to_owned()));
}

#[test]
fn a_condition_that_has_changed_begins_anew() {
    let file = |from: i32| {
        format!(
            "main:\n  priority:\n    - {{ name: late, say: late, when: {{ elapsed: {from} }}, cooldown: 99 }}\n    - {{ wait: 99 }}"
        )
    };
    let mut show = Show::new(&file(5));
    show.run(4.0);
    show.reload(&file(2)).unwrap();
    assert_eq!(show.run(3.0), ["6.0 late"]);
}

#[test]
fn a_leaf_ends_as_it_has_begun_and_says_something_else_the_next_time() {
    let mut show = Show::new("main: { repeat: { name: talk, say: one } }");
    assert_eq!(show.run(0.5), ["0.0 one"]);
    show.reload("main: { repeat: { name: talk, say: two } }").unwrap();
    assert_eq!(show.run(1.0), ["1.0 two"]);
}

#[test]
fn what_plays_a_behavior_in_another_way_is_waited_for() {
    let mut show = Show::new("main: { repeat: { name: dance, play: dance.xar } }");
    show.run(0.5);
    let slower = "main: { repeat: { name: dance, play: dance.xar, parameters: { Speed: 1 } } }";
    assert_eq!(waits_for(show.reload(slower)), ["dance"]);
    assert_eq!(waits_for(show.reload("main: { repeat: { name: dance, say: no } }")), ["dance"]);
    assert_eq!(show.run(0.4), [""; 0]);
}

#[test]
fn what_has_changed_and_does_not_run_is_a_new_behavior() {
    let file = |what: &str| {
        format!(
            "main:\n  priority:\n    - {{ name: dance, {what}, when: {{ event: Music }} }}\n    - {{ name: idle, say: long idle }}"
        )
    };
    let mut show = Show::new(&file("play: dance.xar"));
    show.double.state().slow.insert("jump.xar".into(), [0.3, 0.0, 0.0]);
    show.run(1.0);
    show.reload(&file("play: jump.xar")).unwrap();
    show.raise("Music", 1);
    assert_eq!(show.run(0.1), [""; 0], "it loads still");
    show.run(0.5);
    show.raise("Music", 1);
    assert_eq!(show.run(0.1), ["1.6 stop long idle", "1.6 jump.xar"]);
}

#[test]
fn a_queue_goes_on_behind_the_child_that_runs() {
    let mut show = Show::new("main: { queue: [{ name: a, say: a }, { name: b, say: b }, { name: c, say: c }] }");
    assert_eq!(show.run(1.2), ["0.0 a", "1.0 b"]);
    show.reload(
        "main: { queue: [{ name: new, say: new }, { name: b, say: b }, { name: d, say: d }, { name: a, say: a }] }",
    )
    .unwrap();
    assert_eq!(show.run(3.0), ["2.0 d", "3.0 a"]);
    assert!(show.is_over());
}

#[test]
fn a_queue_whose_running_child_is_gone_is_waited_for() {
    let mut show = Show::new("main: { queue: [{ name: a, say: a }, { name: b, say: b }] }");
    show.run(0.5);
    assert_eq!(waits_for(show.reload("main: { queue: [{ name: b, say: b }] }")), ["main"]);
    show.run(0.6);
    show.reload("main: { queue: [{ name: b, say: b }] }").unwrap();
}

#[test]
fn a_machine_stays_in_its_state_with_what_its_transitions_know() {
    let file = |more: &str| {
        format!(
            "main:\n  states:\n{more}    Idle: {{ name: idle, say: long idle }}\n    Late: {{ name: late, say: long late }}\n  start: Idle\n  transitions:\n    - {{ from: Idle, to: Late, when: {{ elapsed: 3 }} }}\n{}",
            if more.is_empty() { "" } else { "    - { from: Idle, to: New, when: { event: Go } }\n" }
        )
    };
    let mut show = Show::new(&file(""));
    show.run(2.0);
    show.reload(&file("    New: { name: new, say: quick new }\n")).unwrap();
    assert_eq!(show.run(1.2), ["3.0 stop long idle", "3.0 long late"]);
    let mut show = Show::new(&file(""));
    show.run(2.0);
    show.reload(&file("    New: { name: new, say: long new }\n")).unwrap();
    show.raise("Go", 1);
    assert_eq!(show.run(0.1), ["2.0 stop long idle", "2.0 long new"]);
    assert_eq!(waits_for(show.reload(&file(""))), ["main"], "its state is gone");
}

#[test]
fn side_by_side_one_more_is_waited_for_and_thresholds_are_taken() {
    let file = |more: &str| format!("main:\n  parallel: [{{ name: a, say: long a }}, {{ name: b, say: b }}{more}");
    let mut show = Show::new(&file("]"));
    show.run(0.5);
    assert_eq!(waits_for(show.reload(&file(", { name: c, say: c }]"))), ["main"]);
    show.reload(&file("]\n  success: any")).unwrap();
    show.run(1.0);
    assert!(show.is_over());
}

#[test]
fn until_is_taken_while_its_child_runs() {
    let mut show = Show::new("main: { pass: { name: a, say: long a } }");
    show.run(1.0);
    show.reload("main: { pass: { name: a, say: long a }, until: { elapsed: 2 } }").unwrap();
    assert_eq!(show.run(3.0), ["3.0 stop long a"]);
    assert!(show.is_over());
}

#[test]
fn claims_of_one_that_runs_do_not_change_under_it() {
    let file = |claims: &str| format!("main: {{ repeat: {{ name: a, say: a, claims: [{claims}] }} }}");
    let mut show = Show::new(&file("legs"));
    show.run(0.5);
    assert_eq!(waits_for(show.reload(&file("arms"))), ["a"]);
}

#[test]
fn another_root_is_waited_for() {
    let mut show = Show::new("character: T\nroot: one\nbehaviors:\n  one: { priority: [{ name: a, say: long a }] }\n");
    show.run(0.5);
    let two = "character: T\nroot: two\nbehaviors:\n  two: { priority: [{ name: a, say: long a }] }\n";
    assert_eq!(waits_for(show.reload(two)), ["one"]);
}

#[test]
fn behaviors_that_move_to_another_parent_are_in_scope_there() {
    let mut show = Show::new(
        "main: { priority: [a, idle] }\na: { say: quick a, when: { event: A } }\nidle: { priority: [{ name: long, say: long }] }",
    );
    show.run(0.5);
    show.reload("main: { priority: [idle] }\na: { say: quick a, when: { event: A } }\nidle: { priority: [a, { name: long, say: long }] }").unwrap();
    show.raise("A", 1);
    assert_eq!(show.run(0.1), ["0.5 stop long", "0.5 quick a", "0.5 long"]);
    let runner = &show.built.runner;
    assert_eq!(runner.view(runner.find("a").unwrap()).scopes, 1);
}

/// What is said once a version is taken by force that leaves out what runs. It was refused before.
fn by_force(before: &str, after: &str) -> (Vec<String>, Show) {
    let file = |inside: &str| format!("main: {{ priority: [{{ say: never, when: false }}, inner] }}\n{inside}");
    let mut show = Show::new(&file(before));
    show.run(0.5);
    assert!(!waits_for(show.reload(&file(after))).is_empty());
    show.reload_by_force(&file(after));
    let said = show.run(0.2);
    assert_eq!(show.built.runner.view(show.built.runner.find("main").unwrap()).parent, None);
    (said, show)
}

#[test]
fn by_force_a_queue_whose_running_child_is_gone_begins_anew() {
    let (said, show) = by_force(
        "inner: { queue: [{ name: a, say: long a }, { name: b, say: long b }] }",
        "inner: { queue: [{ name: c, say: long c }, { name: b, say: long b }] }",
    );
    assert_eq!(said, ["0.5 stop long a", "0.5 long c"]);
    assert_eq!(show.active(), ["main", "inner", "c"]);
}

#[test]
fn by_force_a_sequence_whose_running_child_is_gone_begins_anew() {
    let (said, _) = by_force(
        "inner: { sequence: [{ name: a, say: quick a }, { name: b, say: long b }] }",
        "inner: { sequence: [{ name: a, say: quick a }, { name: c, say: long c }] }",
    );
    assert_eq!(said, ["0.5 stop long b", "0.5 quick a", "0.5 long c"]);
}

#[test]
fn by_force_a_random_choice_whose_running_child_is_gone_is_drawn_anew() {
    let (said, _) =
        by_force("inner: { random: [{ name: a, say: long a }] }", "inner: { random: [{ name: b, say: long b }] }");
    assert_eq!(said, ["0.5 stop long a", "0.5 long b"]);
}

#[test]
fn by_force_a_machine_whose_state_is_gone_begins_in_its_first_one() {
    let (said, _) = by_force(
        "inner:\n  states:\n    One: { name: a, say: long a }\n    Two: { name: b, say: long b }\n  start: One\n  transitions: [{ from: One, to: Two, when: { event: X } }]\n",
        "inner:\n  states:\n    Two: { name: b, say: long b }\n    Three: { name: c, say: long c }\n  start: Two\n  transitions: [{ from: Two, to: Three, when: { event: X } }]\n",
    );
    assert_eq!(said, ["0.5 stop long a", "0.5 long b"]);
}

#[test]
fn by_force_all_that_stand_side_by_side_begin_anew_with_one_more() {
    let (said, show) = by_force(
        "inner: { parallel: [{ name: a, say: long a }, { name: b, say: long b }] }",
        "inner: { parallel: [{ name: a, say: long a }, { name: b, say: long b }, { name: c, say: long c }] }",
    );
    assert_eq!(said, ["0.5 stop long a", "0.5 stop long b", "0.5 long a", "0.5 long b", "0.5 long c"]);
    assert_eq!(show.active(), ["main", "inner", "a", "b", "c"]);
}

#[test]
fn by_force_a_repeated_child_that_plays_otherwise_is_stopped_and_its_rounds_begin_anew() {
    let (said, _) = by_force(
        "inner: { repeat: { name: a, play: long.xar }, times: 3 }",
        "inner: { repeat: { name: a, play: longer.xar }, times: 3 }",
    );
    assert_eq!(said, ["0.5 stop long.xar", "0.5 longer.xar"]);
}

#[test]
fn by_force_claims_of_one_that_runs_are_others_from_its_new_beginning_on() {
    let (said, show) = by_force("inner: { say: long a, claims: legs }", "inner: { say: long a, claims: arms }");
    assert_eq!(said, ["0.5 stop long a", "0.5 long a"]);
    assert!(show.built.runner.is_claimed("arms") && !show.built.runner.is_claimed("legs"));
}

#[test]
fn by_force_another_root_takes_over() {
    let root = |name: &str| {
        format!("character: T\nroot: {name}\nbehaviors:\n  {name}: {{ queue: [{{ say: long {name} }}] }}\n")
    };
    let mut show = Show::new(&root("one"));
    show.run(0.5);
    assert_eq!(waits_for(show.reload(&root("two"))), ["one"]);
    show.reload_by_force(&root("two"));
    assert_eq!(show.run(0.2), ["0.5 stop long one", "0.5 long two"]);
    assert_eq!(show.active(), ["two", "two/1"]);
}
