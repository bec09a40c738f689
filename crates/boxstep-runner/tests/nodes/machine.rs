//! State machines.

use crate::support::Show;

fn machine(transitions: &str) -> String {
    format!(
        "
main:
  states:
    Idle: {{ say: long idle }}
    Talk: {{ say: talk }}
    Dance: {{ say: long dance }}
    Over:
  transitions:
{transitions}
"
    )
}

#[test]
fn a_transition_once_interrupts_in_the_tick_in_which_its_condition_is_true() {
    let text = machine("    - { from: Idle, to: Talk, when: { event: Face } }\n    - { from: Talk, to: [Dance] }")
        .replace("[Dance]", "Dance");
    let text = text
        .replace("Over:", "Over: { wait: 1 }")
        .replace("    - { from: Talk", "    - { from: Dance, to: Over, when: { event: Stop } }\n    - { from: Talk");
    let mut show = Show::new(&text);
    assert_eq!(show.run(0.5), ["0.0 long idle"]);
    show.raise("Face", 1);
    assert_eq!(show.tick(), ["stop long idle", "talk"]);
    // Without a condition it fires in the next tick.
    assert_eq!(show.tick(), ["stop talk", "long dance"]);
    show.raise("Stop", 1);
    assert_eq!(show.tick(), ["stop long dance"]);
    show.run(1.2);
    assert!(show.is_over(), "the child of a state that none leads out of has ended");
}

#[test]
fn a_transition_at_the_end_waits_for_the_child_and_remembers_that_it_was_true() {
    let text = "
main:
  states: { Talk: { say: talk }, Dance: { say: long dance } }
  transitions: [{ from: Talk, to: Dance, when: { event: Music }, at: end }]
";
    let mut show = Show::new(text);
    show.run(0.3);
    show.raise("Music", 1);
    assert_eq!(show.run(1.0), ["1.0 long dance"]);
}

#[test]
fn a_transition_at_the_end_fires_later_if_it_was_not_true_before() {
    let text = "
main:
  states: { Talk: { say: talk }, Dance: { say: long dance } }
  transitions: [{ from: Talk, to: Dance, when: { event: Music }, at: end }]
";
    let mut show = Show::new(text);
    assert_eq!(show.run(2.0), ["0.0 talk"]);
    show.raise("Music", 1);
    assert_eq!(show.tick(), ["long dance"]);
}

#[test]
fn a_transition_on_exit_counts_only_in_the_tick_in_which_the_child_ends() {
    let text = "
main:
  states: { Talk: { say: talk }, Dance: { say: long dance }, Rest: { say: long rest } }
  transitions:
    - { from: Talk, to: Dance, when: { event: Music }, at: exit }
    - { from: Talk, to: Rest, when: { elapsed: 3 } }
    - { from: Dance, to: Rest, when: { event: Stop } }
";
    let mut early = Show::new(text);
    early.run(0.3);
    early.raise("Music", 1);
    assert_eq!(early.run(4.0), ["3.0 long rest"], "what was true before the end does not count");
    let mut now = Show::new(text);
    now.run(1.0);
    now.raise("Music", 1);
    assert_eq!(now.tick(), ["long dance"]);
}

#[test]
fn a_transition_can_lead_from_a_list_of_states_or_from_any() {
    let text = "
main:
  start: A
  states: { A: { say: long a }, B: { say: long b }, C: { say: long c }, D: { say: long d } }
  transitions:
    - { from: [A, B], to: C, when: { event: go } }
    - { from: any, to: B, when: { event: b } }
    - { from: any, to: D, when: { event: d } }
";
    let mut show = Show::new(text);
    show.tick();
    for (event, line) in [("b", "long b"), ("b", ""), ("go", "long c"), ("go", ""), ("d", "long d"), ("b", "long b")] {
        show.raise(event, 1);
        assert_eq!(show.tick().last().map_or("", |line| line), line, "{event}");
    }
}

#[test]
fn transitions_that_stand_first_go_first() {
    let text = "
main:
  states: { A: { say: long a }, B: { say: long b }, C: { say: long c } }
  transitions:
    - { from: A, to: C, when: { event: go } }
    - { from: any, to: B, when: { event: go } }
";
    let mut show = Show::new(text);
    show.tick();
    show.raise("go", 1);
    assert_eq!(show.tick().last().unwrap(), "long c");
}

#[test]
fn a_states_timer_begins_when_it_is_entered() {
    let text = "
main:
  states: { A: { say: long a }, B: { say: long b } }
  transitions:
    - { from: A, to: B, when: { elapsed: 1 } }
    - { from: B, to: A, when: { elapsed: 2 } }
";
    let lines: Vec<String> = Show::new(text).run(4.0).into_iter().filter(|line| !line.contains("stop")).collect();
    assert_eq!(lines, ["0.0 long a", "1.0 long b", "3.0 long a"]);
}

#[test]
fn a_state_without_a_behavior_is_passed_on_from_at_once() {
    let text = "
main:
  states: { A: null, B: { say: b }, C: null }
  transitions:
    - { from: A, to: B, at: exit }
    - { from: B, to: C, at: exit }
";
    let mut show = Show::new(text);
    assert_eq!(show.run(1.1), ["0.0 b"]);
    assert!(show.is_over());
}

#[test]
fn a_state_is_entered_once_in_a_tick_and_the_transition_waits_for_the_next() {
    let text = "
main:
  states: { A: { say: quick a }, B: { say: quick b } }
  transitions: [{ from: A, to: B, at: exit }, { from: B, to: A, at: exit }]
";
    let mut show = Show::new(text);
    assert_eq!(show.tick(), ["quick a", "quick b"]);
    assert_eq!(show.tick(), ["quick a", "quick b"]);
    assert_eq!(show.built.runner.livelock_pair(), None);
}

#[test]
fn a_states_behavior_that_does_not_want_to_run_is_asked_again() {
    let text = "
main:
  states: { A: { say: a, when: { memory: Ready } }, B: { say: long b } }
  transitions: [{ from: A, to: B, at: end }]
";
    let mut show = Show::new(text);
    assert_eq!(show.run(1.0), Vec::<String>::new());
    show.raise("Ready", 1);
    assert_eq!(show.run(2.0), ["1.0 a", "2.0 long b"]);
}

#[test]
fn a_machine_starts_where_it_is_told_and_ends_as_its_last_child() {
    let text = "
main:
  fallback:
    - start: B
      states: { A: { say: long a }, B: { say: b }, C: { say: fail } }
      transitions: [{ from: [A, B], to: C, at: end }, { from: B, to: A, when: { event: never } }]
    - say: then
";
    assert_eq!(Show::new(text).run(1.1), ["0.0 b", "1.0 fail", "1.0 then"]);
}

#[test]
fn a_transition_once_does_not_fire_in_the_tick_in_which_the_state_was_entered() {
    let text = "main: { states: { A: { say: long a }, B: { say: long b } }, transitions: [{ from: A, to: B }] }";
    let mut show = Show::new(text);
    assert_eq!(show.tick(), ["long a"]);
    assert_eq!(show.tick(), ["stop long a", "long b"]);
}
