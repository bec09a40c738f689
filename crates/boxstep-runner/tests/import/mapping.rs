//! What each node becomes.

use super::{becomes, character, file, told};
use crate::support::Double;
use boxstep_engine::runner::{Action, Control, Progress};
use boxstep_runner::import::behavior_tree;
use boxstep_runner::{Character, Natives, Rule, check};
use boxstep_types::{Time, Value};
use std::path::Path;
use std::sync::{Arc, Mutex};

#[test]
fn sequences_and_fallbacks_keep_their_children_and_names() {
    for (nodes, text) in [
        (
            r#"<Sequence><A/><B x="1"/></Sequence>"#,
            r#"Main: { sequence: [{ use: "A", with: {} }, { use: "B", with: { x: "1" } }] }"#,
        ),
        (
            "<SequenceWithMemory><A/><B/></SequenceWithMemory>",
            r#"Main: { sequence: [{ use: "A", with: {} }, { use: "B", with: {} }], resume: true, resume_stopped: true }"#,
        ),
        (
            r#"<Fallback><A/><Sequence name="s"><B/></Sequence></Fallback>"#,
            r#"Main:
fallback:
- { use: "A", with: {} }
# s
- { sequence: [{ use: "B", with: {} }] }"#,
        ),
        (r#"<Control ID="Sequence"><A/></Control>"#, r#"Main: { sequence: [{ use: "A", with: {} }] }"#),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn thresholds_of_parallels_count_from_the_end_if_they_are_negative() {
    for (nodes, text) in [
        (
            r#"<Parallel success_count="2" failure_count="-1"><A/><B/><C/></Parallel>"#,
            r#"Main:
parallel: [{ use: "A", with: {} }, { use: "B", with: {} }, { use: "C", with: {} }]
success: 2
failure: 2"#,
        ),
        (
            "<Parallel><A/><B/></Parallel>",
            r#"Main: { parallel: [{ use: "A", with: {} }, { use: "B", with: {} }], success: 2, failure: 1 }"#,
        ),
        (
            r#"<ParallelAll max_failures="2"><A/><B/><C/></ParallelAll>"#,
            r#"Main:
parallel: [{ use: "A", with: {} }, { use: "B", with: {} }, { use: "C", with: {} }]
success: 2
failure: 2
whole: true"#,
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn reactive_nodes_watch_their_conditions() {
    for (nodes, text) in [
        (
            r#"<ReactiveSequence><C1/><Inverter><C2 door="x"/></Inverter><A/></ReactiveSequence>"#,
            r#"Main: { if: { all: ["$C1", { not: "$C2 door=x" }] }, then: { use: "A", with: {} }, watch: true }"#,
        ),
        (
            "<ReactiveFallback><C1/><A/></ReactiveFallback>",
            r#"Main: { if: "$C1", then: { wait: 0 }, else: { use: "A", with: {} }, watch: true }"#,
        ),
        (
            r#"<ReactiveSequence><C1/><Condition ID="C2"/></ReactiveSequence>"#,
            r#"Main: { check: { all: ["$C1", "$C2"] } }"#,
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn branches_and_switches_are_ifs() {
    for (nodes, text) in [
        (
            "<IfThenElse><C/><A/><B/></IfThenElse>",
            r#"Main: { if: "$C", then: { use: "A", with: {} }, else: { use: "B", with: {} } }"#,
        ),
        ("<IfThenElse><C/><A/></IfThenElse>", r#"Main: { if: "$C", then: { use: "A", with: {} } }"#),
        (
            "<WhileDoElse><C/><A/><B/></WhileDoElse>",
            r#"Main: { if: "$C", then: { use: "A", with: {} }, else: { use: "B", with: {} }, watch: true }"#,
        ),
        (
            r#"<Switch2 variable="{v}" case_1="1" case_2="2"><A/><B/><C/></Switch2>"#,
            r#"Main:
if: "$v is 1"
then: { use: "A", with: {} }
else: { if: "$v is 2", then: { use: "B", with: {} }, else: { use: "C", with: {} }, watch: true }
watch: true"#,
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn decorators_have_their_equivalents() {
    for (nodes, text) in [
        ("<Inverter><A/></Inverter>", r#"Main: { outcome: { use: "A", with: {} }, as: "opposite" }"#),
        ("<ForceSuccess><A/></ForceSuccess>", r#"Main: { outcome: { use: "A", with: {} }, as: "done" }"#),
        ("<ForceFailure><A/></ForceFailure>", r#"Main: { outcome: { use: "A", with: {} }, as: "failed" }"#),
        (r#"<Repeat num_cycles="3"><A/></Repeat>"#, r#"Main: { repeat: { use: "A", with: {} }, times: 3 }"#),
        (r#"<Repeat num_cycles="-1"><A/></Repeat>"#, r#"Main: { repeat: { use: "A", with: {} } }"#),
        (
            r#"<RetryUntilSuccessful num_attempts="2"><A/></RetryUntilSuccessful>"#,
            r#"Main: { retry: { use: "A", with: {} }, times: 2 }"#,
        ),
        ("<KeepRunningUntilFailure><A/></KeepRunningUntilFailure>", r#"Main: { repeat: { use: "A", with: {} } }"#),
        (
            r#"<Timeout msec="1500"><A/></Timeout>"#,
            r#"Main: { pass: { use: "A", with: {} }, until: { elapsed: 1.5 }, fails: true }"#,
        ),
        (r#"<Delay delay_msec="500"><A/></Delay>"#, r#"Main: { sequence: [{ wait: 0.5 }, { use: "A", with: {} }] }"#),
        (
            r#"<Fallback><RunOnce><A/></RunOnce><RunOnce then_skip="false"><A/></RunOnce></Fallback>"#,
            r#"Main:
fallback: [{ once: { use: "A", with: {} }, again: "failed" }, { once: { use: "A", with: {} }, again: "same" }]"#,
        ),
        (
            "<Sequence><RunOnce><A/></RunOnce></Sequence>",
            r#"Main: { sequence: [{ once: { use: "A", with: {} }, again: "done" }] }"#,
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn numbers_that_allow_nothing_do_what_they_do_there() {
    let a = r#"{ use: "A", with: {} }"#;
    let waits = "Main: { wait: 0 }";
    let fails = "Main: { wait: 0, fails: true }";
    let alone = format!("Main: {a}");
    for (nodes, text) in [
        (r#"<Repeat num_cycles="0"><A/></Repeat>"#, waits),
        (r#"<RetryUntilSuccessful num_attempts="0"><A/></RetryUntilSuccessful>"#, fails),
        (r#"<Timeout msec="0"><A/></Timeout>"#, &alone),
        (r#"<Timeout msec="{t}"><A/></Timeout>"#, &alone),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn conditions_before_a_node_are_ifs_around_it() {
    let a = r#"{ use: "A", with: {} }"#;
    let done = "{ wait: 0 }";
    let fails = "{ wait: 0, fails: true }";
    for (nodes, text) in [
        (r#"<A _failureIf="x &gt; 1"/>"#, format!(r#"Main: {{ if: "$x > 1", then: {fails}, else: {a} }}"#)),
        (r#"<A _successIf="x"/>"#, format!(r#"Main: {{ if: "$x", then: {done}, else: {a} }}"#)),
        (r#"<A _skipIf="x"/>"#, format!(r#"Main: {{ if: "$x", then: {done}, else: {a} }}"#)),
        (r#"<A _while="x"/>"#, format!(r#"Main: {{ if: "$x", then: {a}, else: {done}, watch: true }}"#)),
        // Who is passed over does not end a fallback.
        (
            r#"<Fallback><A _skipIf="x"/><A/></Fallback>"#,
            format!("Main:\nfallback: [{{ if: \"$x\", then: {fails}, else: {a} }}, {a}]"),
        ),
        (
            r#"<Precondition if="x" else="SUCCESS"><A/></Precondition>"#,
            format!(r#"Main: {{ if: "$x", then: {a}, else: {done} }}"#),
        ),
        (r#"<Precondition if="x"><A/></Precondition>"#, format!(r#"Main: {{ if: "$x", then: {a}, else: {fails} }}"#)),
        (
            r#"<ReactiveSequence><Precondition if="ok"><AlwaysSuccess/></Precondition><A/></ReactiveSequence>"#,
            format!(r#"Main: {{ if: {{ all: ["$ok", true] }}, then: {a}, watch: true }}"#),
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
    // Until they are bound nothing is skipped, and nothing is stopped.
    let text = character(&file(r#"<Sequence><A _skipIf="gone"/><A _while="there"/></Sequence>"#));
    assert!(text.contains("  gone: false\n  there: true\n"), "{text}");
}

#[test]
fn a_loop_over_values_of_the_file_is_written_out() {
    let nodes = r#"<LoopDouble queue="1; 2.5;3" value="{wp}"><Go to="{wp}"/></LoopDouble>"#;
    let text = r#"Main:
sequence:
- { use: "Go", with: { to: "1" } }
- { use: "Go", with: { to: "2.5" } }
- { use: "Go", with: { to: "3" } }"#;
    assert_eq!(becomes(nodes), text);
    let empty = r#"<LoopInt queue="" value="{wp}" if_empty="FAILURE"><Go to="{wp}"/></LoopInt>"#;
    assert_eq!(becomes(empty), "Main: { wait: 0, fails: true }");
}

#[test]
fn names_of_version_3_and_variants_are_known() {
    let a = r#"[{ use: "A", with: {} }]"#;
    for (nodes, text) in [
        ("<AsyncSequence><A/></AsyncSequence>", format!("Main: {{ sequence: {a} }}")),
        ("<AsyncFallback><A/></AsyncFallback>", format!("Main: {{ fallback: {a} }}")),
        ("<SequenceStar><A/></SequenceStar>", format!("Main: {{ sequence: {a}, resume: true, resume_stopped: true }}")),
        (
            r#"<Parallel success_threshold="1" failure_threshold="1"><A/></Parallel>"#,
            format!("Main: {{ parallel: {a}, success: 1, failure: 1 }}"),
        ),
        (
            r#"<ParallelAll failure_threshold="1"><A/></ParallelAll>"#,
            format!("Main: {{ parallel: {a}, success: 1, failure: 1, whole: true }}"),
        ),
        (
            r#"<BlackboardCheckInt value_A="{n}" value_B="3" return_on_mismatch="SUCCESS"><A/></BlackboardCheckInt>"#,
            r#"Main: { if: "$n is 3", then: { use: "A", with: {} }, else: { wait: 0 } }"#.to_owned(),
        ),
        (
            r#"<RunOnce then_skip="FALSE"><A/></RunOnce>"#,
            r#"Main: { once: { use: "A", with: {} }, again: "same" }"#.into(),
        ),
    ] {
        assert_eq!(becomes(nodes), text, "{nodes}");
    }
}

#[test]
fn leaves_that_are_known_are_waits_and_checks() {
    let nodes = r#"<Sequence><AlwaysSuccess/><AlwaysFailure/><Sleep msec="20"/><Condition ID="C"/></Sequence>"#;
    let text = r#"Main: { sequence: [{ wait: 0 }, { wait: 0, fails: true }, { wait: 0.02 }, { check: "$C" }] }"#;
    assert_eq!(becomes(nodes), text);
}

#[test]
fn ports_of_models_and_subtrees_are_parameters() {
    let xml = r#"<root BTCPP_format="4" main_tree_to_execute="Main">
        <BehaviorTree ID="Main"><SubTree ID="Go" target="kitchen"/></BehaviorTree>
        <BehaviorTree ID="Go"><Sequence><MoveBase goal="{target}"/><SubTree ID="Say" _autoremap="true"/></Sequence></BehaviorTree>
        <BehaviorTree ID="Say"><Talk text="{target}" loud="{=}"/></BehaviorTree>
        <TreeNodesModel>
            <SubTree ID="Go"><input_port name="speed" default="slow"/></SubTree>
            <Action ID="MoveBase"><input_port name="goal"/><input_port name="tolerance" default="0.1"/></Action>
        </TreeNodesModel>
    </root>"#;
    let text = character(xml);
    assert!(text.contains(r#"Main: { use: "Go", with: { target: "kitchen" } }"#), "{text}");
    assert!(text.contains(r#"takes: { speed: "slow", target: "{target}" }"#), "{text}");
    assert!(text.contains(r#"{ use: "MoveBase", with: { goal: "$target", tolerance: "0.1" } }"#), "{text}");
    assert!(text.contains(r#"{ use: "Say", with: { target: "$target" } }"#), "{text}");
    assert!(text.contains("use: \"Talk\"\n    with: { text: \"$target\", loud: \"$loud\" }"), "{text}");
    assert!(text.contains(r#"MoveBase: { takes: { goal: "", tolerance: "" }, wait: 1 }"#), "{text}");
}

#[test]
fn names_of_nodes_are_comments() {
    let text = character(&file("<Sequence name=\"all of it\"><A name=\"the first\"/></Sequence>"));
    assert!(text.contains("  # all of it\n  Main:\n    sequence:\n      # the first\n      - { use"), "{text}");
}

#[test]
fn what_cannot_be_carried_over_is_listed() {
    for (nodes, says) in [
        (r#"<A _onHalted="x"/>"#, "scripts after a node"),
        (r#"<ReactiveSequence><Inverter><C _skipIf="x"/></Inverter><A/></ReactiveSequence>"#, "around a condition"),
        (r#"<Condition ID="Near" goal="{pose}"/>"#, "is not told what stands in `pose`"),
        (r#"<Precondition if="x" else="RUNNING"><A/></Precondition>"#, "it fails"),
        (r#"<LoopInt queue="{all}" value="{one}"><A/></LoopInt>"#, "its child runs once"),
        ("<Timeout><A/></Timeout>", "says no `msec`"),
        ("<Repeat><A/></Repeat>", "says no `num_cycles`"),
        (r#"<ParallelAll max_failures="0"><A/></ParallelAll>"#, "it does with one"),
        (r#"<Script code="x:=1"/>"#, "done at once"),
        (r#"<A goal="{pose}"/>"#, "an entry of the blackboard"),
        ("<Odd><A/></Odd>", "becomes its child alone"),
        ("<Odd><A/><B/></Odd>", "a sequence of its children"),
        (r#"<Repeat num_cycles="{n}"><A/></Repeat>"#, "known before it runs"),
        (r#"<ReactiveSequence><Action ID="A"/><B/></ReactiveSequence>"#, "not asked anew"),
        (r#"<WhileDoElse><Action ID="A"/><B/></WhileDoElse>"#, "no condition; it is not asked again"),
    ] {
        let all = told(&file(nodes), Rule::NotCarried);
        assert!(all.len() == 1 && all[0].contains(says), "{nodes}: {all:?}");
    }
    assert_eq!(told(&file("<A/>"), Rule::NotCarried), Vec::<String>::new());
    assert_eq!(told(&file("<Sequence><A/><A/><Condition ID=\"C\"/></Sequence>"), Rule::Slot).len(), 2);
}

#[test]
fn the_tree_that_runs_is_named_or_the_first_and_unused_ones_are_told() {
    let xml = "<root BTCPP_format=\"4\"><BehaviorTree ID=\"A\"><X/></BehaviorTree><BehaviorTree ID=\"B\"><Y/></BehaviorTree></root>";
    let all = told(xml, Rule::NotCarried);
    assert!(all[0].contains("which tree is run") && all[1].contains("the tree `B` is not used"), "{all:?}");
    let imported = behavior_tree(xml, "tree.xml", Some("B"));
    assert!(imported.character.unwrap().contains("root: \"B\""));
}

#[test]
fn the_page_shows_what_becomes_of_its_example() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/start/behavior-trees.md");
    let page = std::fs::read_to_string(path).unwrap();
    let blocks = |of: &str| -> Vec<String> {
        let begins = format!("```{of}\n");
        page.split(&begins).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned()).collect()
    };
    assert_eq!(blocks("yaml")[0], character(&blocks("xml")[0]));
    // And the one with bindings is a character.
    assert_eq!(check(&blocks("yaml")[1], "behaviortree.md"), []);
}

#[test]
fn a_leaf_that_is_bound_to_rust_is_told_what_stands_in_its_ports() {
    struct Walk(Arc<Mutex<Vec<String>>>, String);
    impl Action for Walk {
        fn start(&mut self, _: &mut Control<'_>, _: &Value) {
            self.0.lock().unwrap().push(self.1.clone());
        }
        fn poll(&mut self, _: &mut Control<'_>) -> Progress {
            Progress::Done(Value::Null)
        }
    }
    let text = character(&file(r#"<Sequence><Walk to="hall"/><Walk to="door"/></Sequence>"#));
    let bound =
        text.replace(r#"{ takes: { to: "" }, wait: 1 }"#, "{ takes: { to: null }, native: walk, args: { to: $to } }");
    assert_ne!(bound, text);
    let walked = Arc::new(Mutex::new(Vec::new()));
    let all = walked.clone();
    let natives = Natives::new().bind("walk", move |args: &Value| Walk(all.clone(), args.to_string()));
    let mut built = Character::read(&bound, "a.yaml", &[]).unwrap().build(Double::default(), &natives, 0).unwrap();
    built.runner.tick(Time::ZERO);
    assert!(built.runner.is_over());
    let walked = walked.lock().unwrap();
    assert!(walked[0].contains("hall") && walked[1].contains("door"), "{walked:?}");
}
