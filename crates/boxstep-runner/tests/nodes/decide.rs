//! Outcome, once, if, check, retry, and what fails by what the character says.

use crate::support::Show;

#[test]
fn an_outcome_counts_as_another_one() {
    for (inner, counts, then) in [
        ("{ say: quick }", "opposite", "failed"),
        ("{ say: fail }", "opposite", "done"),
        ("{ say: fail }", "done", "done"),
        ("{ say: quick }", "failed", "failed"),
        ("{ say: no, when: false }", "opposite", "done"),
        ("{ say: no, when: false }", "failed", "failed"),
    ] {
        let outcome = format!("{{ outcome: {inner}, as: {counts} }}");
        let text = format!("main: {{ fallback: [{{ sequence: [{outcome}, {{ say: done }}] }}, {{ say: failed }}] }}");
        let lines = Show::new(&text).run(0.1);
        assert_eq!(lines.last().unwrap(), &format!("0.0 {then}"), "{inner} as {counts}");
    }
}

#[test]
fn a_retry_is_done_when_its_child_is_and_fails_after_so_many_times() {
    let mut show = Show::new("main: { fallback: [{ retry: { say: fail }, times: 2 }, { say: then }] }");
    assert_eq!(show.run(1.0), ["0.0 fail", "0.1 fail", "0.1 then"]);
    let mut show = Show::new("main: { retry: { say: a }, times: 2 }");
    assert_eq!(show.run(2.0), ["0.0 a"]);
    assert!(show.is_over());
    let mut show = Show::new("main: { retry: { say: a, when: { elapsed: 0.2 } } }");
    assert_eq!(show.run(2.0), ["0.2 a"]);
    assert!(show.is_over());
}

#[test]
fn once_runs_once_and_then_ends_as_it_says() {
    for (again, b) in [("same", true), ("done", true), ("failed", false)] {
        let text = format!(
            "main: {{ repeat: {{ queue: [{{ sequence: [{{ once: {{ say: quick }}, again: {again} }}, {{ say: quick b }}] }}] }}, times: 2 }}"
        );
        let mut lines = vec!["0.0 quick", "0.0 quick b"];
        lines.extend(b.then_some("0.1 quick b"));
        assert_eq!(Show::new(&text).run(1.0), lines, "{again}");
    }
    let text = "main: { repeat: { fallback: [{ once: { say: fail } }, { say: quick }] }, times: 2 }";
    assert_eq!(Show::new(text).run(1.0), ["0.0 fail", "0.0 quick", "0.1 quick"]);
}

#[test]
fn an_if_takes_one_child_and_with_watch_changes_sides() {
    for watch in [true, false] {
        let text =
            format!("main: {{ if: {{ elapsed: 0.2 }}, then: {{ say: a }}, else: {{ say: b }}, watch: {watch} }}");
        let lines = Show::new(&text).run(2.0);
        let expected: &[&str] = if watch { &["0.0 b", "0.2 stop b", "0.2 a"] } else { &["0.0 b"] };
        assert_eq!(lines, expected);
    }
}

#[test]
fn an_if_without_else_fails() {
    let mut show = Show::new("main: { fallback: [{ if: false, then: { say: a } }, { say: b }] }");
    assert_eq!(show.run(0.1), ["0.0 b"]);
    let text = "main: { fallback: [{ if: { elapsed: 0, to: 0.2 }, then: { say: a }, watch: true }, { say: b }] }";
    assert_eq!(Show::new(text).run(0.3), ["0.0 a", "0.2 stop a", "0.2 b"]);
}

#[test]
fn a_check_is_done_or_fails_at_once() {
    let mut show = Show::new("main: { sequence: [{ check: true }, { say: a }, { check: false }, { say: b }] }");
    assert_eq!(show.run(2.0), ["0.0 a"]);
    assert!(show.is_over());
}

#[test]
fn a_pass_and_a_wait_may_fail() {
    let text = "main: { fallback: [{ pass: { say: a }, until: { elapsed: 0.3 }, fails: true }, { wait: 0.2, fails: true }, { say: b }] }";
    assert_eq!(Show::new(text).run(1.0), ["0.0 a", "0.3 stop a", "0.5 b"]);
}

#[test]
fn a_sequence_that_resumes_begins_where_it_failed_and_anew_after_that() {
    let text = "main: { repeat: { queue: [{ sequence: [{ say: quick a }, { check: { elapsed: 5 } }], resume: true }] }, times: 3 }";
    assert_eq!(Show::new(text).run(1.0), ["0.0 quick a"]);
    let text =
        "main: { repeat: { queue: [{ sequence: [{ say: quick a }, { say: quick b }], resume: true }] }, times: 2 }";
    assert_eq!(Show::new(text).run(1.0), ["0.0 quick a", "0.0 quick b", "0.1 quick a", "0.1 quick b"]);
}

#[test]
fn a_sequence_that_resumes_after_a_stop_goes_on_with_the_child_that_ran() {
    let of = |more: &str| {
        let alarm = "{ say: alarm, when: { any: [{ elapsed: 0.3, to: 0.35 }, { elapsed: 1.5, to: 1.55 }] } }";
        let round = format!("sequence: [{{ say: quick a }}, {{ say: b }}, {{ say: quick c }}]{more}");
        Show::new(&format!("main: {{ priority: [{alarm}, {{ {round} }}] }}")).run(2.6)
    };
    let common = ["0.0 quick a", "0.0 b", "0.3 stop b", "0.3 alarm"].map(str::to_owned);
    // Stopped with `b`, it goes on with `b`; once it is done it begins anew.
    let kept = of(", resume_stopped: true");
    assert_eq!(kept[..4], common);
    assert_eq!(kept[4..], ["1.3 b", "1.5 stop b", "1.5 alarm", "2.5 b"]);
    let anew = of(", resume: true");
    assert_eq!(anew[4..], ["1.3 quick a", "1.3 b", "1.5 stop b", "1.5 alarm", "2.5 quick a", "2.5 b"]);
}

#[test]
fn more_children_than_a_livelock_has_ends_are_done_in_one_tick() {
    let list = |many: usize| "{ check: true }, ".repeat(many);
    let mut show = Show::new(&format!("main: {{ sequence: [{}{{ say: quick a }}] }}", list(500)));
    assert_eq!(show.run(0.1), ["0.0 quick a"]);
    assert!(show.is_over());
}

#[test]
fn a_whole_parallel_ends_only_when_all_have() {
    let text = "main: { fallback: [{ parallel: [{ say: fail }, { say: a }], whole: true }, { say: b }] }";
    assert_eq!(Show::new(text).run(2.0), ["0.0 fail", "0.0 a", "1.0 b"]);
}
