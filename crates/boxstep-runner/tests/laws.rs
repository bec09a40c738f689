//! What a character must keep, rule by rule, with the way from the root and the place.

use boxstep_runner::{Rule, check};
use boxstep_types::Severity;

fn found(behaviors: &str) -> Vec<String> {
    let text = format!("character: A\nbehaviors:\n{behaviors}\n");
    let one = |f: &boxstep_runner::Finding| {
        format!("{}:{} {:?} {}: {}", f.at.line, f.at.col, f.rule, f.way.join(" → "), f.message)
    };
    check(&text, "a.yaml").iter().map(one).collect()
}

#[test]
fn an_unknown_behavior_is_told_with_the_way_from_the_root() {
    let told = found("  main: { queue: [talk] }\n  talk: { priority: [{ say: a }, gret] }\n  greet: { say: b }");
    assert_eq!(told[0], "4:34 UnknownName main → talk: there is no behavior `gret`");
    assert_eq!(told[1], "5:10 Unreachable : no way leads to `greet` from `main`");
}

#[test]
fn an_unknown_root_safe_or_idle_behavior_is_told() {
    let told = check(
        "character: A\nroot: mian\nsafe: nobody\nat_end: { idle: ever }\nbehaviors: { main: { say: a } }",
        "a.yaml",
    );
    let names: Vec<String> = told.iter().map(|f| format!("{} {:?} {:?}", f.at.line, f.rule, f.help)).collect();
    assert_eq!(
        names[..3],
        ["2 UnknownName Some(\"did you mean `main`?\")", "3 UnknownName None", "4 UnknownName None"]
    );
}

#[test]
fn a_behavior_that_is_its_own_descendant_is_told() {
    let told = found("  main: { queue: [a] }\n  a: { queue: [b] }\n  b: { queue: [{ say: x }, a] }");
    assert_eq!(told, ["5:28 Ring main → a → b → a: `a` is its own descendant"]);
}

#[test]
fn a_behavior_that_nobody_leads_to_is_told_once() {
    let told = found("  main: { say: a }\n  lost: { queue: [{ say: b }, other] }\n  other: { say: c }");
    assert_eq!(told, ["4:9 Unreachable : no way leads to `lost` from `main`"]);
}

#[test]
fn children_side_by_side_that_claim_one_resource_are_told() {
    let told = found(
        "  main: { queue: [both] }\n  both: { parallel: [{ say: a, claims: [Legs, Arms] }, { say: b, claims: Legs }] }",
    );
    assert_eq!(told, ["4:9 Contended main → both: `both/1` and `both/2` run side by side, and both claim `Legs`"]);
}

#[test]
fn a_child_beside_itself_is_told() {
    let told = found("  main: { parallel: [a, a] }\n  a: { say: a }");
    assert_eq!(told, ["3:25 Contended main: `a` cannot run beside itself"]);
}

#[test]
fn a_chain_that_is_too_long_is_told() {
    let mut text = String::from("  main: { pass: b0 }\n");
    for n in 0..300 {
        text += &format!("  b{n}: {{ pass: b{} }}\n", n + 1);
    }
    text += "  b300: { say: a }";
    let told = found(&text);
    assert!(told.len() == 1 && told[0].contains("TooMuch main → b0 → b1"), "{told:?}");
    // All of the way is in the finding; shown is what somebody reads.
    let shown = boxstep_runner::check(&format!("character: A\nbehaviors:\n{text}"), "a.yaml")[0].to_string();
    assert!(shown.contains("main → b0 → b1 → b2 → b3 → … ") && shown.len() < 250, "{shown}");
}

#[test]
fn a_state_that_no_transition_leads_to_is_told() {
    let told = found(
        "  main:\n    states: { A: { wait: 1 }, B: { wait: 1 }, C: }\n    transitions:\n      - { from: A, to: B, when: false }\n      - { from: B, to: C }",
    );
    let expected = [
        "4:31 DeadState main: no transition leads to the state `B` from `A`",
        "4:47 DeadState main: no transition leads to the state `C` from `A`",
    ];
    assert_eq!(told, expected);
}

#[test]
fn a_state_that_is_named_as_all_are_is_told() {
    let told = found("  main: { states: { A: { wait: 1 }, any: }, transitions: [{ from: A, to: any }] }");
    assert_eq!(told, ["3:37 WrongType main: no state is named `any`: as `from` that means all states"]);
}

#[test]
fn an_unknown_state_is_told() {
    let told = found(
        "  main:\n    states: { Idle: { wait: 1 } }\n    start: Idl\n    transitions: [{ from: Idel, to: Idle }]",
    );
    assert!(told.iter().all(|line| line.contains("UnknownName")), "{told:?}");
}

#[test]
fn a_state_whose_behavior_never_ends_and_that_waits_for_that_is_told() {
    let machine = |at: &str| {
        format!(
            "  main:\n    states: {{ A: {{ pass: {{ priority: [{{ say: a }}] }} }}, B: }}\n    transitions: [{{ from: A, to: B, at: {at} }}]"
        )
    };
    let told = found(&machine("end"));
    assert!(told.len() == 1 && told[0].starts_with("4:15 StuckState main: the state `A` is never left"), "{told:?}");
    assert_eq!(found(&machine("exit")).len(), 1);
    assert_eq!(found(&machine("once")), Vec::<String>::new());
}

#[test]
fn a_transition_behind_one_that_always_fires_is_told() {
    let told = found(
        "  main:\n    states: { A: { wait: 1 }, B: }\n    transitions:\n      - { from: A, to: B, at: end }\n      - { from: A, to: B, when: { event: x }, at: exit }\n      - { from: any, to: B, when: { event: x } }",
    );
    assert_eq!(told, ["7:9 ShadowedTransition main: this transition never fires: another one before it always does"]);
}

#[test]
fn a_child_behind_one_that_never_ends_is_told() {
    let told = found("  main: { sequence: [{ priority: [{ say: a }] }, { say: b }] }");
    assert_eq!(
        told,
        [
            "3:50 NeverRuns main: `main/2` never runs: `main/1`, which stands before it, always wants to run, and never ends"
        ]
    );
    let told = found("  main: { priority: [{ priority: [{ say: a }] }, { say: b }] }");
    assert!(told.len() == 1 && told[0].contains("NeverRuns"), "{told:?}");
    for fine in [
        "  main: { priority: [{ priority: [{ say: a }], when: { memory: K } }, { say: b }] }",
        "  main: { priority: [{ priority: [{ say: a }], cooldown: 5 }, { say: b }] }",
        "  main: { priority: [{ pass: { priority: [{ say: a }] }, until: { elapsed: 1 } }, { say: b }] }",
        "  main: { priority: [{ sequence: [{ say: a }] }, { say: b }] }",
    ] {
        assert_eq!(found(fine), Vec::<String>::new(), "{fine}");
    }
}

#[test]
fn a_child_behind_one_that_a_selector_always_takes_is_told() {
    let told = found("  main: { selector: [{ sequence: [{ say: a }] }, { say: b }] }");
    assert!(told.len() == 1 && told[0].contains("NeverRuns main: `main/2` never runs"), "{told:?}");
}

#[test]
fn what_never_runs_is_a_warning_and_the_character_is_read() {
    let text = "character: A\nbehaviors: { main: { sequence: [{ priority: [{ say: a }] }, { say: b }] } }";
    assert_eq!(check(text, "a.yaml")[0].severity(), Severity::Warning);
    assert!(boxstep_runner::Character::read(text, "a.yaml", &[]).is_ok());
}

#[test]
fn who_silences_what_has_to_run_is_told() {
    let told = found(
        "  main: { queue: [a] }\n  a: { queue: [{ say: x, silences: [a, b, nobody] }, b] }\n  b: { say: b, silences: b }",
    );
    let rules: Vec<&str> = told.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(rules, ["SilencesItself", "UnknownName", "SilencesItself"], "{told:?}");
}

#[test]
fn every_code_is_used_once_and_is_of_a_rule() {
    let rules = [
        Rule::NotYaml,
        Rule::TooMuch,
        Rule::UnknownKey,
        Rule::Missing,
        Rule::WrongType,
        Rule::UnknownName,
        Rule::Duplicate,
        Rule::Ring,
        Rule::Unreachable,
        Rule::Contended,
        Rule::DeadState,
        Rule::StuckState,
        Rule::NeverRuns,
        Rule::ShadowedTransition,
        Rule::SilencesItself,
        Rule::NotCarried,
        Rule::Slot,
        Rule::NotTree,
        Rule::FaultyBehavior,
        Rule::UnknownAnimation,
        Rule::NotBound,
    ];
    let codes: Vec<_> = rules.iter().map(|rule| rule.code()).collect();
    assert_eq!(codes, boxstep_runner::CODES.iter().map(|(code, _)| *code).collect::<Vec<_>>());
}

#[test]
fn a_law_that_a_behavior_breaks_deep_inside_is_told_with_the_way_from_the_root() {
    let told = found(
        "  main: { queue: [tour] }\n  tour: { pass: walk }\n  walk:\n    states: { A: { wait: 1 }, B: { wait: 1 } }\n    transitions: [{ from: B, to: A }]",
    );
    assert_eq!(told, ["6:31 DeadState main → tour → walk: no transition leads to the state `B` from `A`"]);
}
