//! Conditions: each rule; that asking changes nothing; their factors.

use crate::support::Show;

/// Says `yes` in each tick in which the condition is true when its child is asked.
fn asked(condition: &str) -> Show {
    Show::new(&format!("main: {{ priority: [{{ say: quick yes, when: {condition} }}] }}"))
}

/// The ticks in which it was true, of so many.
fn ticks(show: &mut Show, count: i64) -> Vec<i64> {
    (0..count).filter(|_| !show.tick().is_empty()).collect()
}

#[test]
fn always_and_never() {
    assert_eq!(ticks(&mut asked("true"), 3), [0, 1, 2]);
    assert!(ticks(&mut asked("false"), 3).is_empty());
}

#[test]
fn all_any_and_not() {
    for (condition, holds) in [
        ("{ all: [true, true] }", true),
        ("{ all: [true, false] }", false),
        ("{ all: [] }", true),
        ("{ any: [false, true] }", true),
        ("{ any: [false] }", false),
        ("{ any: [] }", false),
        ("{ not: true }", false),
        ("{ not: { any: [false] } }", true),
    ] {
        assert_eq!(ticks(&mut asked(condition), 1).len() == 1, holds, "{condition}");
    }
}

#[test]
fn elapsed_counts_from_when_the_condition_was_switched_on() {
    assert_eq!(ticks(&mut asked("{ elapsed: 0.2, to: 0.4 }"), 6), [2, 3]);
}

#[test]
fn a_condition_is_switched_on_when_its_behavior_comes_into_scope() {
    // The inner priority is active from 0.5 s on, and only then is its child in scope.
    let text = "
main:
  priority:
    - { say: long, when: { not: { elapsed: 0.5 } } }
    - priority: [{ say: quick late, when: { elapsed: 0.3 } }]
      when: { elapsed: 0.5 }
  interrupt: true
";
    let text = text.replace(
        "- { say: long, when: { not: { elapsed: 0.5 } } }",
        "- { wait: 0.5, when: { not: { elapsed: 0.4 } } }",
    );
    let lines = Show::new(&text).run(1.0);
    assert_eq!(lines.first().unwrap(), "0.8 quick late");
}

#[test]
fn a_named_timer_is_shared_and_false_before_it_began() {
    let text = "
main:
  priority:
    - { say: quick late, when: { timer: talk, from: 1, to: 1.2 } }
    - { wait: 10, timer_at_start: talk }
";
    assert_eq!(Show::new(text).run(2.0), ["1.0 quick late"]);
    let text = "main: { priority: [{ say: quick never, when: { timer: talk } }, { say: quick unset, when: { timer: talk, unset: true } }] }";
    assert_eq!(Show::new(text).tick(), ["quick unset"]);
}

#[test]
fn a_timer_can_begin_at_the_end() {
    let text = "main: { priority: [{ say: quick late, when: { timer: talk, from: 0.5, to: 0.6 } }, { say: a, timer_at_end: talk, when: { timer: talk, unset: true, from: 9 } }] }";
    assert_eq!(Show::new(text).run(2.0), ["0.0 a", "1.5 quick late"]);
}

#[test]
fn became_is_true_in_the_tick_in_which_it_came_and_not_for_what_was_true_already() {
    let mut show = asked("{ became: { memory: Face } }");
    assert!(ticks(&mut show, 2).is_empty());
    show.raise("Face", 1);
    assert_eq!(ticks(&mut show, 3), [0]);
    show.raise("Face", 0);
    assert!(ticks(&mut show, 1).is_empty());
    show.raise("Face", 1);
    assert_eq!(ticks(&mut show, 2), [0]);
    assert!(ticks(&mut asked("{ became: true }"), 3).is_empty());
}

#[test]
fn dedup_is_true_once_in_its_window() {
    assert_eq!(ticks(&mut asked("{ dedup: true, seconds: 0.3 }"), 8), [0, 3, 6]);
}

#[test]
fn memory_compares() {
    for (compare, holds) in [
        ("", true),
        (", equals: 5", true),
        (", equals: 5.0", true),
        (", equals: five", false),
        (", not_equals: 6", true),
        (", not_equals: 5", false),
        (", less: 6, more: 4", true),
        (", less: 5", false),
        (", at_least: 5, at_most: 5", true),
        (", more: 5", false),
        (", exists: true", true),
        (", exists: false", false),
    ] {
        let mut show = asked(&format!("{{ memory: Key{compare} }}"));
        show.double.state().memory.insert("Key".into(), 5.into());
        assert_eq!(ticks(&mut show, 1).len() == 1, holds, "{compare}");
    }
    for (compare, holds) in [("", false), (", not_equals: 6", false), (", less: 6", false), (", exists: false", true)] {
        assert_eq!(ticks(&mut asked(&format!("{{ memory: Key{compare} }}")), 1).len() == 1, holds, "{compare}");
    }
}

#[test]
fn memory_follows_events_and_stands_still_in_a_tick() {
    let mut show = asked("{ memory: Battery, less: 20 }");
    show.double.state().memory.insert("Battery".into(), 50.into());
    assert!(ticks(&mut show, 2).is_empty());
    show.raise("Battery", 10);
    assert_eq!(ticks(&mut show, 2), [0, 1]);
    show.raise("Battery", 30);
    assert!(ticks(&mut show, 2).is_empty());
}

#[test]
fn memory_sees_what_no_event_tells_of_from_the_next_tick_on() {
    let mut show = asked("{ memory: Battery, less: 20 }");
    assert!(ticks(&mut show, 2).is_empty());
    // Written while the condition is on, then something else, then taken away.
    for (value, expected) in [(Some(10), vec![0, 1]), (Some(50), vec![]), (Some(5), vec![0, 1]), (None, vec![])] {
        match value {
            Some(value) => show.double.state().memory.insert("Battery".into(), value.into()),
            None => show.double.state().memory.remove("Battery"),
        };
        assert_eq!(ticks(&mut show, 2), expected, "{value:?}");
    }
}

#[test]
fn memory_is_one_for_all_conditions_of_a_tick_and_asked_for_only_if_it_may_have_changed() {
    let text = "main: { priority: [{ say: long a, when: { memory: A } }, { say: long b, when: { memory: A } }, { wait: 99, when: { not: { memory: B } } }] }";
    let mut show = Show::new(text);
    let asked = |show: &Show| std::mem::take(&mut show.double.state().asked);
    show.tick();
    assert_eq!(asked(&show), 2, "two keys, each once");
    show.tick();
    assert_eq!(asked(&show), 2);
    show.double.state().still = true;
    show.run(1.0);
    assert_eq!(asked(&show), 0);
}

#[test]
fn an_event_is_true_in_one_tick_whatever_its_value_unless_that_is_compared() {
    let mut show = asked("{ event: Touch }");
    show.tick();
    show.raise("Touch", 0);
    assert_eq!(ticks(&mut show, 2), [0]);
    let mut show = asked("{ event: Touch, equals: 1 }");
    show.tick();
    show.raise("Touch", 0);
    assert!(ticks(&mut show, 1).is_empty());
    show.raise("Touch", 1);
    show.raise("Touch", 0);
    assert_eq!(ticks(&mut show, 2), [0]);
}

#[test]
fn free_asks_the_world_and_the_behaviors_that_claim() {
    let mut show = asked("{ free: Legs }");
    assert_eq!(ticks(&mut show, 1), [0]);
    show.double.state().taken.insert("Legs".into());
    assert!(ticks(&mut show, 1).is_empty());
    let text =
        "main: { priority: [{ say: quick free, when: { free: Legs } }, { wait: 1, claims: Legs, cooldown: 9 }] }";
    let lines = Show::new(text).run(1.2);
    assert_eq!(lines, ["0.0 quick free", "1.0 quick free", "1.1 quick free"]);
}

#[test]
fn chance_is_drawn_in_each_tick_and_follows_the_seed() {
    let text = "main: { priority: [{ say: quick yes, when: { chance: 0.25 } }] }";
    let count = Show::seeded(text, 5).run(400.0).len();
    assert!((900..1100).contains(&count), "{count}");
    assert_eq!(Show::seeded(text, 6).run(20.0), Show::seeded(text, 6).run(20.0));
    assert_ne!(Show::seeded(text, 6).run(20.0), Show::seeded(text, 7).run(20.0));
}

#[test]
fn chance_can_be_drawn_now_and_then() {
    let mut show = asked("{ chance: 0.5, every: 1 }");
    let yes = ticks(&mut show, 400);
    // What is drawn stays for ten ticks.
    let drawn: Vec<bool> = (0..400).map(|tick| yes.contains(&tick)).collect();
    let changes = drawn.windows(2).filter(|two| two[0] != two[1]).count();
    assert!((5..40).contains(&changes), "{changes}");
}

#[test]
fn custom_conditions_are_the_worlds_by_name() {
    let mut show = asked("{ custom: hungry, args: [1] }");
    assert!(ticks(&mut show, 1).is_empty());
    show.double.state().holds.insert("hungry".into(), true);
    assert_eq!(ticks(&mut show, 1), [0]);
}

#[test]
fn asking_changes_nothing_so_two_parents_get_one_answer() {
    // Both ask the shared child in one tick; its dedup window begins once, with its own turn.
    let text = "
main: { parallel: [one, two], failure: all }
one: { priority: [{ use: child, when: { all: [] } }, talk] }
two: { priority: [{ pass: { say: long two }, when: { event: never } }, { say: long other }] }
talk: { say: quick talk, when: { dedup: { event: Face }, seconds: 1 } }
child: { say: quick child, when: { event: never } }
";
    let mut show = Show::new(text);
    show.tick();
    show.raise("Face", 1);
    assert_eq!(show.tick(), ["quick talk"]);
    show.raise("Face", 1);
    assert_eq!(show.tick(), Vec::<String>::new());
}

#[test]
fn factors_say_why() {
    let text = "main: { priority: [{ name: talk, say: a, when: { all: [{ memory: Battery, more: 20 }, { not: { event: Touch } }, { elapsed: 5 }] } }] }";
    let mut show = Show::new(text);
    show.double.state().memory.insert("Battery".into(), 35.into());
    assert_eq!(show.built.blackboard.factors("talk"), None);
    show.built.blackboard.explain(true);
    show.run(0.3);
    let factor = show.built.blackboard.factors("talk").unwrap();
    assert!(!factor.holds);
    assert_eq!(
        factor.to_string(),
        "all: no\n  memory Battery more 20: yes (is 35)\n  not: yes\n    event Touch: no\n  elapsed from 5 s: no (0.2 s)\n"
    );
}

#[test]
fn factors_go_with_the_scope() {
    let text = "
main:
  states: { A: { priority: [{ name: talk, say: a, when: false }] }, B: { say: long b } }
  transitions: [{ from: A, to: B, when: { event: Go } }]
";
    let mut show = Show::new(text);
    show.built.blackboard.explain(true);
    show.run(0.2);
    assert!(show.built.blackboard.factors("talk").is_some());
    show.raise("Go", 1);
    show.tick();
    assert_eq!(show.built.blackboard.factors("talk"), None);
}

#[test]
fn what_a_running_behavior_watches_says_why() {
    let text = "
main:
  states: { A: { name: watcher, pass: { say: long a }, until: { memory: Stop } }, B: { say: long b } }
  transitions: [{ from: A, to: B, when: { elapsed: 5 }, at: end }]
";
    let mut show = Show::new(text);
    show.built.blackboard.explain(true);
    show.run(0.3);
    let said = |name: &str| show.built.blackboard.watched(name).iter().map(ToString::to_string).collect::<String>();
    assert_eq!(said("main"), "A → B: no (end)\n  elapsed from 5 s: no (0.2 s)\n");
    assert_eq!(said("watcher"), "memory Stop: no (is not there)\n");
    show.raise("Stop", 1);
    show.tick();
    assert!(show.built.blackboard.watched("watcher").is_empty());
}
