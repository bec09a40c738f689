//! Priority, selector, random, and cooldowns.

use crate::support::{Double, Show};
use boxstep_runner::Natives;

const TWO: &str = "
main:
  priority:
    - { say: long alarm, when: { memory: Alarm } }
    - { say: long idle }
";

#[test]
fn a_more_important_child_interrupts_one_that_runs() {
    let mut show = Show::new(TWO);
    assert_eq!(show.tick(), ["long idle"]);
    show.raise("Alarm", 1);
    assert_eq!(show.tick(), ["stop long idle", "long alarm"]);
    // A less important one does not take over again, also when the condition is not true any more.
    show.raise("Alarm", 0);
    assert_eq!(show.run(1.0), Vec::<String>::new());
    assert_eq!(show.active(), ["main", "main/1"]);
}

#[test]
fn without_interrupting_the_next_choice_comes_when_the_child_has_ended() {
    let text = "
main:
  priority: [{ say: alarm, when: { memory: Alarm } }, { say: idle }]
  interrupt: false
";
    let mut show = Show::new(text);
    assert_eq!(show.tick(), ["idle"]);
    show.raise("Alarm", 1);
    assert_eq!(show.run(1.0), ["1.0 alarm"]);
}

#[test]
fn a_priority_waits_while_nobody_wants_to_and_never_ends() {
    let mut show = Show::new("main:\n  priority: [{ say: hello, when: { memory: Face } }]");
    assert_eq!(show.run(1.0), Vec::<String>::new());
    show.raise("Face", true);
    assert_eq!(show.run(0.1), ["1.0 hello"]);
    assert!(!show.is_over());
}

#[test]
fn a_child_that_ends_at_once_has_one_turn_in_a_tick() {
    let mut show = Show::new("main:\n  priority: [{ say: quick }]");
    assert_eq!(show.run(0.3), ["0.0 quick", "0.1 quick", "0.2 quick"]);
    assert_eq!(show.built.runner.livelock_pair(), None);
}

#[test]
fn a_child_that_fails_leaves_its_turn_to_the_next_in_the_same_tick() {
    let mut show = Show::new("main:\n  priority: [{ say: fail }, { say: long idle }]");
    assert_eq!(show.tick(), ["fail", "long idle"]);
    // In the next tick it is more important again.
    assert_eq!(show.tick(), ["stop long idle", "fail", "long idle"]);
}

#[test]
fn a_child_that_needs_what_the_running_one_claims_takes_over() {
    let text = "
main:
  priority:
    - { say: long alarm, when: { memory: Alarm }, claims: speech }
    - { say: long idle, claims: [speech] }
";
    let mut show = Show::new(text);
    show.tick();
    show.raise("Alarm", 1);
    assert_eq!(show.tick(), ["stop long idle", "long alarm"]);
}

#[test]
fn a_child_that_winds_down_is_waited_for() {
    let mut show = Show::new(TWO);
    show.double.state().slow.insert("long idle".into(), [0.0, 0.5, 0.0]);
    show.tick();
    show.raise("Alarm", 1);
    assert_eq!(show.run(1.0), ["0.1 stop long idle", "0.6 long alarm"]);
}

#[test]
fn a_child_that_loads_still_is_chosen_when_it_has_loaded() {
    let double = crate::support::Double::default();
    double.state().slow.insert("long idle".into(), [0.3, 0.0, 0.0]);
    let mut show = Show::world("main: { priority: [{ say: long idle }] }", 0, &Default::default(), double.clone());
    assert_eq!(show.run(0.5), ["0.3 long idle"]);
    let mut show = Show::world("main: { selector: [{ say: long idle }] }", 0, &Default::default(), double.clone());
    assert_eq!(show.run(0.5), ["0.3 long idle"]);
    for kind in ["sequence", "queue", "fallback", "random", "parallel"] {
        let text = format!("main: {{ {kind}: [{{ say: long idle }}] }}");
        let mut show = Show::world(&text, 0, &Default::default(), double.clone());
        assert_eq!(show.run(0.5), ["0.3 long idle"], "{kind}");
    }
}

#[test]
fn a_selector_picks_once_and_ends_with_its_child() {
    let text = "
main:
  sequence:
    - selector: [{ say: alarm, when: { memory: Alarm } }, { say: idle }]
    - { say: then }
";
    let mut show = Show::new(text);
    assert_eq!(show.tick(), ["idle"]);
    show.raise("Alarm", 1);
    assert_eq!(show.run(1.1), ["1.0 then"]);
}

#[test]
fn a_selector_fails_if_nobody_wants_to() {
    let mut show = Show::new("main: { fallback: [{ selector: [{ say: a, when: false }] }, { say: b }] }");
    assert_eq!(show.tick(), ["b"]);
}

const DICE: &str = "
main:
  priority:
    - random: [{ say: quick one, weight: 3 }, { say: quick two }, { say: quick never, weight: 0 }, { say: quick no, when: false }]
";

#[test]
fn random_children_are_drawn_by_weight() {
    let lines = Show::new(DICE).run(400.0);
    let count = |what: &str| lines.iter().filter(|line| line.ends_with(what)).count();
    assert_eq!((lines.len(), count("never"), count("no")), (4000, 0, 0));
    let (one, two) = (count("one"), count("two"));
    assert!((2850..3150).contains(&one) && (850..1150).contains(&two), "{one} {two}");
}

#[test]
fn what_is_drawn_follows_from_the_seed() {
    let lines = |seed| Show::seeded(DICE, seed).run(5.0);
    assert_eq!(lines(1), lines(1));
    assert_ne!(lines(1), lines(2));
}

#[test]
fn a_random_choice_fails_if_nobody_wants_to_or_no_weight_is_left() {
    for child in ["{ say: a, when: false }", "{ say: a, weight: 0 }"] {
        let mut show = Show::new(&format!("main: {{ fallback: [{{ random: [{child}] }}, {{ say: b }}] }}"));
        assert_eq!(show.tick(), ["b"]);
    }
}

#[test]
fn a_cooldown_counts_from_the_end_of_the_child() {
    let mut show = Show::new("main:\n  priority: [{ say: a, cooldown: 2 }]");
    assert_eq!(show.run(7.0), ["0.0 a", "3.0 a", "6.0 a"]);
}

#[test]
fn a_cooldown_can_count_from_the_start() {
    let mut show = Show::new("main:\n  priority: [{ say: a, cooldown: { seconds: 2, from: start } }]");
    assert_eq!(show.run(5.0), ["0.0 a", "2.0 a", "4.0 a"]);
}

#[test]
fn a_cooldown_counts_from_an_interruption_too() {
    let text = "
main:
  priority:
    - { say: alarm, when: { event: Alarm } }
    - { say: long idle, cooldown: 3 }
";
    let mut show = Show::new(text);
    assert_eq!(show.run(1.0), ["0.0 long idle"]);
    show.raise("Alarm", 1);
    assert_eq!(show.run(4.0), ["1.0 stop long idle", "1.0 alarm", "4.0 long idle"]);
}

#[test]
fn a_cooldown_varies_by_its_jitter_and_follows_the_seed() {
    let text = "main:\n  priority: [{ say: quick, cooldown: { seconds: 2, jitter: 1 } }]";
    let lines = |seed| Show::seeded(text, seed).run(300.0);
    let all = lines(3);
    let times: Vec<f64> = all.iter().map(|line| line.split(' ').next().unwrap().parse().unwrap()).collect();
    let gaps: Vec<f64> = times.windows(2).map(|two| two[1] - two[0]).collect();
    assert!(gaps.iter().all(|gap| (0.99..3.11).contains(gap)), "{gaps:?}");
    assert!(gaps.iter().any(|gap| *gap < 1.5) && gaps.iter().any(|gap| *gap > 2.5), "{gaps:?}");
    assert_eq!(all, lines(3));
    assert_ne!(all, lines(4));
}

#[test]
fn a_cooldown_lasts_beyond_its_parent_unless_it_is_reset() {
    let text = |more: &str| {
        format!(
            "main: {{ priority: [{{ fallback: [{{ queue: [{{ selector: [{{ say: quick, cooldown: {{ seconds: 1, jitter: 0{more} }} }}] }}] }}] }}] }}"
        )
    };
    assert_eq!(Show::new(&text("")).run(1.5), ["0.0 quick", "1.0 quick"]);
    assert_eq!(Show::new(&text(", reset: true")).run(0.3), ["0.0 quick", "0.1 quick", "0.2 quick"]);
}

#[test]
fn children_with_one_named_timer_share_a_cooldown() {
    let text = "
main:
  priority:
    - { say: a, cooldown: { seconds: 2, timer: talk } }
    - { say: b, cooldown: { seconds: 4, timer: talk } }
";
    // Each has its own length: `a` is always the first to have cooled down.
    let mut show = Show::new(text);
    assert_eq!(show.run(7.0), ["0.0 a", "3.0 a", "6.0 a"]);
    assert_eq!(show.built.blackboard.timer("talk").unwrap().as_secs_f64(), 4.0);
}

/// What takes two seconds to wind down.
fn winding(name: &str) -> Double {
    let double = Double::default();
    double.state().slow.insert(name.into(), [0.0, 2.0, 0.0]);
    double
}

#[test]
fn an_event_that_one_takes_over_for_counts_although_the_old_one_still_winds_down() {
    for when in ["{ event: Touch }", "{ became: { memory: Touch } }", "{ dedup: { event: Touch }, seconds: 9 }"] {
        let text = format!("main: {{ priority: [{{ say: ouch, when: {when} }}, {{ say: long dance }}] }}");
        let mut show = Show::world(&text, 0, &Natives::new(), winding("long dance"));
        show.run(0.5);
        show.raise("Touch", 1);
        assert_eq!(show.run(4.0), ["0.5 stop long dance", "2.5 ouch", "3.5 long dance"], "{when}");
    }
}

#[test]
fn a_transition_for_an_event_counts_although_the_old_state_still_winds_down() {
    let text = "main: { states: { Dance: { say: long dance }, Ouch: { say: ouch, when: { event: Touch } } }, transitions: [{ from: Dance, to: Ouch, when: { event: Touch } }, { from: Ouch, to: Dance, at: end }] }";
    let mut show = Show::world(text, 0, &Natives::new(), winding("long dance"));
    show.run(0.5);
    show.raise("Touch", 1);
    assert_eq!(show.run(4.0), ["0.5 stop long dance", "2.5 ouch", "3.5 long dance"]);
}

#[test]
fn who_has_waited_is_still_asked_whether_it_is_silent_and_whether_the_world_lets_it() {
    let text = "
main: { parallel: [{ priority: [{ name: ouch, say: ouch, when: { event: Touch } }, { say: long dance }] }, quiet] }
quiet: { sequence: [{ wait: 1 }, { say: long quiet, silences: [ouch] }] }
";
    let mut show = Show::world(text, 0, &Natives::new(), winding("long dance"));
    show.run(0.5);
    show.raise("Touch", 1);
    assert_eq!(show.run(4.0), ["0.5 stop long dance", "1.0 long quiet", "2.5 long dance"]);
    let text = "main: { priority: [{ say: ouch, when: { event: Touch } }, { say: long dance }] }";
    let mut show = Show::world(text, 0, &Natives::new(), winding("long dance"));
    show.run(0.5);
    show.raise("Touch", 1);
    show.run(1.0);
    show.double.state().unwilling.insert("ouch".into());
    assert_eq!(show.run(3.0), ["2.5 long dance"]);
}

#[test]
fn a_more_important_one_takes_the_place_of_who_waits() {
    let text = "main: { priority: [{ say: alarm, when: { event: Alarm } }, { say: ouch, when: { event: Touch } }, { say: long dance }] }";
    let mut show = Show::world(text, 0, &Natives::new(), winding("long dance"));
    show.run(0.5);
    show.raise("Touch", 1);
    show.run(1.0);
    show.raise("Alarm", 1);
    assert_eq!(show.run(3.0), ["2.5 alarm", "3.5 long dance"]);
}
