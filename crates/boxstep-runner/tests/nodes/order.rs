//! Queue, sequence, fallback, repeat, pass and parallel.

use crate::support::Show;

#[test]
fn a_queue_takes_each_in_order_without_those_that_do_not_want_to() {
    let text = "
main:
  queue: [{ say: a }, { say: no, when: { memory: Never } }, { say: fail }, { say: b }]
";
    let mut show = Show::new(text);
    assert_eq!(show.run(3.0), ["0.0 a", "1.0 fail", "1.0 b"]);
    assert!(show.is_over());
}

#[test]
fn a_queue_asks_when_it_is_the_childs_turn() {
    let mut show = Show::new("main: { queue: [{ say: a }, { say: b, when: { memory: Late } }] }");
    show.tick();
    show.raise("Late", 1);
    assert_eq!(show.run(1.0), ["1.0 b"]);
}

#[test]
fn a_sequence_is_done_when_all_are() {
    let mut show = Show::new("main: { sequence: [{ say: a }, { say: quick b }, { say: c }] }");
    assert_eq!(show.run(3.0), ["0.0 a", "1.0 quick b", "1.0 c"]);
    assert!(show.is_over());
}

#[test]
fn a_sequence_fails_with_the_first_that_fails_or_does_not_want_to() {
    for wrong in ["{ say: fail }", "{ say: no, when: false }"] {
        let text =
            format!("main: {{ fallback: [{{ sequence: [{{ say: a }}, {wrong}, {{ say: c }}] }}, {{ say: then }}] }}");
        let lines = Show::new(&text).run(3.0);
        assert_eq!(lines.first().unwrap(), "0.0 a");
        assert_eq!(lines.last().unwrap(), "1.0 then", "{wrong}");
        assert!(!lines.iter().any(|line| line.ends_with(" c")));
    }
}

#[test]
fn a_fallback_is_done_with_the_first_that_is() {
    let mut show = Show::new("main: { fallback: [{ say: no, when: false }, { say: fail }, { say: b }, { say: c }] }");
    assert_eq!(show.run(3.0), ["0.0 fail", "0.0 b"]);
    assert!(show.is_over());
}

#[test]
fn a_fallback_fails_if_all_do() {
    let mut show = Show::new("main: { queue: [{ fallback: [{ say: fail a }, { say: fail b }] }, { say: then }] }");
    assert_eq!(show.tick(), ["fail a", "fail b", "then"]);
}

#[test]
fn a_repeat_runs_its_child_so_often() {
    let mut show = Show::new("main: { repeat: { say: a }, times: 3 }");
    assert_eq!(show.run(5.0), ["0.0 a", "1.0 a", "2.0 a"]);
    assert!(show.is_over());
}

#[test]
fn a_repeat_without_a_number_goes_on_and_a_round_takes_a_tick() {
    let mut show = Show::new("main: { repeat: { say: quick } }");
    assert_eq!(show.run(0.3), ["0.0 quick", "0.1 quick", "0.2 quick"]);
    assert!(!show.is_over());
}

#[test]
fn a_repeat_fails_with_its_child() {
    let mut show = Show::new("main: { fallback: [{ repeat: { say: fail } }, { say: then }] }");
    assert_eq!(show.tick(), ["fail", "then"]);
    let mut show = Show::new("main: { fallback: [{ repeat: { say: a, when: false } }, { say: then }] }");
    assert_eq!(show.tick(), ["then"]);
}

#[test]
fn a_pass_through_ends_as_its_child_does() {
    let mut show = Show::new("main: { fallback: [{ pass: { say: fail } }, { pass: { say: a } }, { say: b }] }");
    assert_eq!(show.run(2.0), ["0.0 fail", "0.0 a"]);
    assert!(show.is_over());
}

#[test]
fn a_pass_through_that_watches_ends_its_child() {
    let mut show = Show::new("main: { sequence: [{ pass: { say: long }, until: { elapsed: 0.5 } }, { say: then }] }");
    assert_eq!(show.run(1.0), ["0.0 long", "0.5 stop long", "0.5 then"]);
}

#[test]
fn parallel_children_begin_together_and_by_default_all_have_to_be_done() {
    let mut show = Show::new("main: { sequence: [{ parallel: [{ say: a }, { wait: 2 }] }, { say: then }] }");
    assert_eq!(show.run(3.0), ["0.0 a", "2.0 then"]);
}

#[test]
fn one_that_fails_fails_a_parallel_by_default_and_the_others_are_stopped() {
    let text = "main: { fallback: [{ parallel: [{ say: long }, { sequence: [{ wait: 1 }, { say: fail }] }] }, { say: then }] }";
    assert_eq!(Show::new(text).run(2.0), ["0.0 long", "1.0 fail", "1.0 stop long", "1.0 then"]);
}

#[test]
fn a_parallel_can_be_done_with_the_first_or_with_a_number() {
    let text = |success: &str| {
        format!(
            "main: {{ sequence: [{{ parallel: [{{ wait: 1 }}, {{ wait: 2 }}, {{ say: long }}], success: {success} }}, {{ say: then }}] }}"
        )
    };
    assert_eq!(Show::new(&text("any")).run(3.0), ["0.0 long", "1.0 stop long", "1.0 then"]);
    assert_eq!(Show::new(&text("2")).run(3.0), ["0.0 long", "2.0 stop long", "2.0 then"]);
}

#[test]
fn a_child_that_does_not_want_to_has_failed_for_a_parallel() {
    let text = |failure: &str| {
        format!(
            "main: {{ fallback: [{{ parallel: [{{ say: no, when: false }}, {{ say: a }}], success: any{failure} }}, {{ say: then }}] }}"
        )
    };
    assert_eq!(Show::new(&text("")).tick().last().unwrap(), "then");
    assert_eq!(Show::new(&text(", failure: all")).run(2.0), ["0.0 a"]);
}

#[test]
fn a_parallel_that_can_neither_be_done_nor_fail_fails_when_all_have_ended() {
    let text = "main: { fallback: [{ parallel: [{ say: fail }, { say: a }], failure: all }, { say: then }] }";
    assert_eq!(Show::new(text).run(2.0), ["0.0 fail", "0.0 a", "1.0 then"]);
}
