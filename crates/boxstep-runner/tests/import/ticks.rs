//! The outcomes of trees over ticks, a tick every 100 ms. Slots are bound to what the world's double does: `quick` is done at once,
//! `fail` fails at once, others last a second.

use super::{character, file};
use crate::support::Show;

/// A tree whose leaves say their names, instead of only waiting.
fn show(nodes: &str) -> Show {
    Show::new(&said(&character(&file(nodes))))
}

/// Binds each slot to a word, which is the slot's name.
fn said(character: &str) -> String {
    let mut bindings = false;
    let mut text = String::new();
    for line in character.lines() {
        bindings |= line.starts_with("bindings:");
        match line.trim().split_once(": {") {
            Some((name, _)) if bindings && line.contains("wait: 1") => {
                let takes = line.split_once("takes: ").unwrap().1.split_once(", wait").unwrap().0;
                text += &format!("  {name}: {{ takes: {takes}, say: {name} }}\n");
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text
}

#[test]
fn a_small_tree_runs_as_it_does_there() {
    let nodes = "<Fallback>
        <Sequence><fail_door/><long_never/></Sequence>
        <RetryUntilSuccessful num_attempts=\"3\"><Inverter><quick_pick/></Inverter></RetryUntilSuccessful>
        <Sequence><smash/><ForceSuccess><fail_pass/></ForceSuccess><quick_close/></Sequence>
    </Fallback>";
    let mut show = show(nodes);
    let lines = ["0.0 fail_door", "0.0 quick_pick", "0.1 quick_pick", "0.2 quick_pick", "0.2 smash"];
    let lines: Vec<&str> = lines.into_iter().chain(["1.2 fail_pass", "1.2 quick_close"]).collect();
    assert_eq!(show.run(3.0), lines);
    assert!(show.is_over());
}

#[test]
fn every_tree_runs_at_once_with_scripted_outcomes() {
    let text = character(&file("<Sequence><A/><Condition ID=\"C\"/><B goal=\"1;2\"/></Sequence>"));
    let mut show = Show::new(&text);
    show.run(1.9);
    assert!(!show.is_over());
    show.run(0.3);
    assert!(show.is_over());
    let failed = text.replace("C: true", "C: false");
    let mut show = Show::new(&failed);
    show.run(1.2);
    assert!(show.is_over(), "{failed}");
}

#[test]
fn a_timeout_fails_and_stops_its_child() {
    let mut show = show("<Fallback><Timeout msec=\"500\"><slow/></Timeout><quick_then/></Fallback>");
    assert_eq!(show.run(2.0), ["0.0 slow", "0.5 stop slow", "0.5 quick_then"]);
}

#[test]
fn a_delay_comes_before_its_child() {
    assert_eq!(show("<Delay delay_msec=\"300\"><quick_a/></Delay>").run(1.0), ["0.3 quick_a"]);
}

#[test]
fn a_repeat_and_keep_running_until_failure_go_round() {
    assert_eq!(show("<Repeat num_cycles=\"2\"><quick_a/></Repeat>").run(1.0), ["0.0 quick_a", "0.1 quick_a"]);
    let mut endless = show("<KeepRunningUntilFailure><quick_a/></KeepRunningUntilFailure>");
    assert_eq!(endless.run(0.3), ["0.0 quick_a", "0.1 quick_a", "0.2 quick_a"]);
    let mut failing = show("<KeepRunningUntilFailure><fail_a/></KeepRunningUntilFailure>");
    assert_eq!(failing.run(0.3), ["0.0 fail_a"]);
    assert!(failing.is_over());
}

#[test]
fn run_once_is_passed_over_in_a_sequence_and_in_a_fallback() {
    let nodes = "<Repeat num_cycles=\"2\"><Sequence><RunOnce><quick_a/></RunOnce><quick_b/></Sequence></Repeat>";
    assert_eq!(show(nodes).run(1.0), ["0.0 quick_a", "0.0 quick_b", "0.1 quick_b"]);
    let nodes = "<Repeat num_cycles=\"2\"><Fallback><RunOnce><quick_a/></RunOnce><quick_b/></Fallback></Repeat>";
    assert_eq!(show(nodes).run(1.0), ["0.0 quick_a", "0.1 quick_b"]);
}

#[test]
fn a_sequence_with_memory_goes_on_where_it_failed() {
    let nodes = "<RetryUntilSuccessful num_attempts=\"2\">
        <SequenceWithMemory><quick_a/><fail_b/></SequenceWithMemory></RetryUntilSuccessful>";
    assert_eq!(show(nodes).run(1.0), ["0.0 quick_a", "0.0 fail_b", "0.1 fail_b"]);
}

/// A robot that has been stopped on its way to a place does not go to the one before again.
#[test]
fn a_sequence_with_memory_goes_on_where_it_was_stopped() {
    let nodes = "<KeepRunningUntilFailure><ForceSuccess><ReactiveSequence><C/>
        <SequenceWithMemory><quick_a/><b/></SequenceWithMemory></ReactiveSequence></ForceSuccess></KeepRunningUntilFailure>";
    let mut show = asked(nodes);
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.0 quick_a", "0.0 b"]);
    set(&show, false);
    assert_eq!(show.run(0.2), ["0.3 stop b"]);
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.5 b"]);
}

#[test]
fn a_node_that_is_skipped_is_passed_over_in_a_sequence_and_in_a_fallback() {
    for (nodes, says) in [
        (r#"<Sequence><quick_a _skipIf="C"/><quick_b/></Sequence>"#, &["0.0 quick_b"][..]),
        (r#"<Fallback><quick_a _skipIf="C"/><quick_b/></Fallback>"#, &["0.0 quick_b"]),
        (r#"<Fallback><Inverter><quick_a _skipIf="C"/></Inverter><quick_b/></Fallback>"#, &["0.0 quick_b"]),
        (r#"<Fallback><quick_a _failureIf="C"/><quick_b/></Fallback>"#, &["0.0 quick_b"]),
        (r#"<Fallback><quick_a _successIf="C"/><quick_b/></Fallback>"#, &[]),
    ] {
        let text = said(&character(&file(nodes)));
        assert_eq!(Show::new(&text.replace("C: false", "C: true")).run(0.5), says, "{nodes}");
        assert_eq!(Show::new(&text).run(0.1)[0], "0.0 quick_a", "{nodes}");
    }
    let mut show = Show::new(
        &said(&character(&file(r#"<Sequence><slow _while="C"/><quick_b/></Sequence>"#)))
            .replace("C: true", "C: { custom: c }"),
    );
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.0 slow"]);
    set(&show, false);
    assert_eq!(show.run(0.3), ["0.3 stop slow", "0.3 quick_b"]);
}

#[test]
fn parallel_all_waits_for_all_and_parallel_does_not() {
    let nodes = "<Fallback><ParallelAll><fail_a/><slow/></ParallelAll><quick_b/></Fallback>";
    assert_eq!(show(nodes).run(2.0), ["0.0 fail_a", "0.0 slow", "1.0 quick_b"]);
    let nodes = "<Fallback><Parallel><fail_a/><slow/></Parallel><quick_b/></Fallback>";
    assert_eq!(show(nodes).run(2.0), ["0.0 fail_a", "0.0 slow", "0.0 stop slow", "0.0 quick_b"]);
}

/// A character of nodes, with a condition that is an answer of the world.
fn asked(nodes: &str) -> Show {
    let text = said(&character(&file(nodes)));
    Show::new(&text.replace("C: true", "C: { custom: c }"))
}

fn set(show: &Show, holds: bool) {
    show.double.state().holds.insert("c".to_owned(), holds);
}

#[test]
fn a_reactive_sequence_fails_as_soon_as_a_condition_does() {
    let mut show = asked("<Fallback><ReactiveSequence><C/><slow/></ReactiveSequence><quick_b/></Fallback>");
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.0 slow"]);
    set(&show, false);
    assert_eq!(show.run(0.3), ["0.3 stop slow", "0.3 quick_b"]);
}

#[test]
fn a_reactive_fallback_is_done_as_soon_as_a_condition_is() {
    let mut show = asked("<Sequence><ReactiveFallback><C/><slow/></ReactiveFallback><quick_b/></Sequence>");
    set(&show, false);
    assert_eq!(show.run(0.3), ["0.0 slow"]);
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.3 stop slow", "0.3 quick_b"]);
}

#[test]
fn while_do_else_changes_sides_and_if_then_else_does_not() {
    let mut show = asked("<WhileDoElse><C/><slow/><other/></WhileDoElse>");
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.0 slow"]);
    set(&show, false);
    assert_eq!(show.run(2.0), ["0.3 stop slow", "0.3 other"]);
    assert!(show.is_over());
    let mut show = asked("<IfThenElse><C/><slow/><other/></IfThenElse>");
    set(&show, true);
    assert_eq!(show.run(0.3), ["0.0 slow"]);
    set(&show, false);
    assert_eq!(show.run(2.0), Vec::<String>::new());
    assert!(show.is_over());
}

#[test]
fn a_switch_takes_the_case_that_is_true_or_the_default() {
    let text = said(&character(&file(
        "<Switch2 variable=\"{v}\" case_1=\"1\" case_2=\"2\"><quick_a/><quick_b/><quick_c/></Switch2>",
    )));
    assert_eq!(Show::new(&text).run(0.1), ["0.0 quick_a"]);
    let second = text.replacen("\"v is 1\": true", "\"v is 1\": false", 1);
    assert_eq!(Show::new(&second).run(0.1), ["0.0 quick_b"]);
    let default = second.replacen("\"v is 2\": true", "\"v is 2\": false", 1);
    assert_eq!(Show::new(&default).run(0.1), ["0.0 quick_c"]);
}

#[test]
fn a_subtree_is_given_its_ports_and_each_use_is_one_of_its_own() {
    let xml = "<root BTCPP_format=\"4\" main_tree_to_execute=\"Main\">
        <BehaviorTree ID=\"Main\"><Parallel>
          <SubTree ID=\"Go\" target=\"kitchen\"/><SubTree ID=\"Go\" target=\"hall\"/>
        </Parallel></BehaviorTree>
        <BehaviorTree ID=\"Go\"><MoveBase goal=\"{target}\"/></BehaviorTree></root>";
    let text = said(&character(xml)).replace("say: MoveBase", "say: $goal");
    assert_eq!(Show::new(&text).run(2.0), ["0.0 kitchen", "0.0 hall"]);
}
