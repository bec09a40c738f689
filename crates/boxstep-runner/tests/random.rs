//! Random characters never panic, keep the runner's invariants, and run the same each time; damaged ones are refused with a place.

use boxstep_runner::{Character, testing};
use proptest::prelude::*;
use std::fmt::Write as _;

fn condition() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("true".to_owned()),
        Just("false".to_owned()),
        (0..3, 1..3).prop_map(|(from, more)| format!("{{ elapsed: {from}, to: {} }}", from + more)),
        (0..2, 0..2).prop_map(|(timer, from)| format!("{{ timer: t{timer}, from: {from} }}")),
        (0..3, 0..3).prop_map(|(key, than)| format!("{{ memory: K{key}, at_least: {than} }}")),
        (0..3).prop_map(|key| format!("{{ event: K{key} }}")),
        Just("{ heard: hello }".to_owned()),
        (0..2).prop_map(|resource| format!("{{ free: R{resource} }}")),
        Just("{ chance: 0.5 }".to_owned()),
        Just("{ custom: c }".to_owned()),
    ];
    leaf.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| format!("{{ all: [{}] }}", all.join(", "))),
            prop::collection::vec(inner.clone(), 0..3).prop_map(|all| format!("{{ any: [{}] }}", all.join(", "))),
            inner.clone().prop_map(|one| format!("{{ not: {one} }}")),
            inner.clone().prop_map(|one| format!("{{ became: {one} }}")),
            inner.prop_map(|one| format!("{{ dedup: {one}, seconds: 1 }}")),
        ]
    })
}

fn common() -> impl Strategy<Value = String> {
    let claims = prop_oneof![4 => Just(String::new()), 1 => (0..2).prop_map(|n| format!(", claims: R{n}"))];
    let silences = prop_oneof![6 => Just(String::new()), 1 => (0..3).prop_map(|n| format!(", silences: s{n}"))];
    let timers = prop_oneof![
        4 => Just(String::new()),
        1 => (0..2).prop_map(|n| format!(", timer_at_start: t{n}")),
        1 => (0..2).prop_map(|n| format!(", timer_at_end: t{n}")),
    ];
    let when = prop_oneof![2 => Just(String::new()), 1 => condition().prop_map(|c| format!(", when: {c}"))];
    (claims, silences, timers, when).prop_map(|(a, b, c, d)| a + &b + &c + &d)
}

/// A behavior, without the braces.
fn node() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("say: [a, b]".to_owned()),
        Just("play: dance.xar".to_owned()),
        Just("talk: greet.top".to_owned()),
        Just("hear: '{oh} _robot'".to_owned()),
        Just("wait: 0.5, jitter: 0.4".to_owned()),
        Just("wait: 0".to_owned()),
        Just("wait: 0.3, fails: true".to_owned()),
        condition().prop_map(|test| format!("check: {test}")),
        Just("call: A.b, args: [1]".to_owned()),
        Just("native: n".to_owned()),
        (0..3).prop_map(|n| format!("use: s{n}")),
    ];
    let leaf = (leaf, common()).prop_map(|(leaf, common)| leaf + &common);
    leaf.prop_recursive(4, 24, 4, |inner| {
        let child = inner.clone().prop_map(|inner| format!("{{ {inner} }}"));
        let many = prop::collection::vec((inner, any::<bool>()), 1..4).prop_map(|all| {
            let cooled = |(inner, cools): (String, bool)| {
                if cools {
                    format!("{{ {inner}, cooldown: {{ seconds: 1, jitter: 1, timer: t0 }} }}")
                } else {
                    format!("{{ {inner} }}")
                }
            };
            all.into_iter().map(cooled).collect::<Vec<_>>().join(", ")
        });
        let plain = prop::collection::vec(child.clone(), 1..4).prop_map(|all| all.join(", "));
        let machine = (
            prop::collection::vec(child.clone(), 2..4),
            prop::collection::vec((0..4usize, 0..4usize, condition(), 0..3usize), 1..5),
        );
        let machine = machine.prop_map(|(states, ways)| {
            let mut text = String::from("states: { ");
            let count = states.len();
            states.iter().enumerate().for_each(|(n, state)| write!(text, "S{n}: {state}, ").unwrap());
            // One after the other, so that all are reached.
            text += "}, transitions: [";
            (1..count).for_each(|n| {
                write!(text, "{{ from: S{}, to: S{n}, at: end, when: {{ chance: 0.9 }} }}, ", n - 1).unwrap()
            });
            for (from, to, when, at) in ways {
                let from = if from == 3 { "any".to_owned() } else { format!("S{}", from % count) };
                let at = ["once", "end", "exit"][at];
                write!(text, "{{ from: {from}, to: S{}, when: {when}, at: {at} }}, ", to % count).unwrap();
            }
            text + "]"
        });
        let kind = prop_oneof![
            (many.clone(), any::<bool>())
                .prop_map(|(all, interrupt)| format!("priority: [{all}], interrupt: {interrupt}")),
            many.clone().prop_map(|all| format!("selector: [{all}]")),
            many.clone().prop_map(|all| format!("queue: [{all}]")),
            many.prop_map(|all| format!("random: [{all}]")),
            (plain.clone(), any::<bool>(), any::<bool>()).prop_map(|(all, resume, stopped)| {
                format!("sequence: [{all}], resume: {resume}, resume_stopped: {stopped}")
            }),
            plain.clone().prop_map(|all| format!("fallback: [{all}]")),
            (plain, any::<bool>()).prop_map(|(all, whole)| format!("parallel: [{all}], failure: all, whole: {whole}")),
            (child.clone(), 1..4).prop_map(|(child, times)| format!("repeat: {child}, times: {times}")),
            child.clone().prop_map(|child| format!("repeat: {child}")),
            (child.clone(), 1..4).prop_map(|(child, times)| format!("retry: {child}, times: {times}")),
            (child.clone(), condition(), any::<bool>())
                .prop_map(|(child, until, fails)| format!("pass: {child}, until: {until}, fails: {fails}")),
            (child.clone(), 0..3usize).prop_map(|(child, counts)| {
                format!("outcome: {child}, as: {}", ["opposite", "done", "failed"][counts])
            }),
            (child.clone(), 0..3usize)
                .prop_map(|(child, again)| format!("once: {child}, again: {}", ["same", "done", "failed"][again])),
            (condition(), child.clone(), prop::option::of(child), any::<bool>()).prop_map(
                |(test, then, otherwise, watch)| {
                    let otherwise = otherwise.map_or(String::new(), |child| format!(", else: {child}"));
                    format!("if: {test}, then: {then}{otherwise}, watch: {watch}")
                }
            ),
            machine,
        ];
        (kind, common()).prop_map(|(kind, common)| kind + &common)
    })
}

fn character() -> impl Strategy<Value = String> {
    let end = prop_oneof![Just("restart"), Just("stop"), Just("{ idle: rest }")];
    (node(), end).prop_map(|(node, end)| {
        let shared = "  s0: { say: s0, when: { chance: 0.7 } }\n  s1: { queue: [s0, { wait: 1 }] }\n  s2: { priority: [s1, s0, { wait: 1 }] }\n";
        let all = "  main: { priority: [first, s0, s1, s2] }\n  rest: { wait: 1 }\n";
        format!("character: A\nat_end: {end}\nsafe: rest\nbehaviors:\n{all}  first: {{ {node} }}\n{shared}")
    })
}

proptest! {
    #[test]
    fn a_random_character_runs_and_leaves_nothing(text in character(), seed in 0u64..1000) {
        testing::law(text.as_bytes());
        if let Ok(character) = Character::read(&text, "a.yaml", &[]) {
            testing::plays(&character, seed);
        }
    }

    #[test]
    fn a_random_character_goes_on_as_itself_and_nobody_notices(text in character(), seed in 0u64..1000) {
        testing::goes_on_as_itself(&text, seed);
    }

    #[test]
    fn a_random_character_goes_on_as_another_one_and_leaves_nothing(one in character(), other in character(), seed in 0u64..1000) {
        let read = |text: &str| Character::read(text, "a.yaml", &[]);
        if let (Ok(one), Ok(other)) = (read(&one), read(&other)) {
            testing::goes_on_as(&one, &other, seed);
        }
    }

    #[test]
    fn a_damaged_character_is_refused_with_a_place_or_runs(text in character(), cut in 0usize..400, from in 0usize..400) {
        let bytes = text.as_bytes();
        let (cut, from) = (cut.min(bytes.len()), from.min(bytes.len()));
        testing::law(&[&bytes[..cut], &bytes[from..]].concat());
    }

    #[test]
    fn random_bytes_are_refused(bytes in prop::collection::vec(prop_oneof![Just(b' '), Just(b'\n'), Just(b':'), Just(b'-'), Just(b'{'), Just(b'['), Just(b'&'), Just(b'*'), any::<u8>()], 0..200)) {
        testing::law(&bytes);
    }
}

/// Every kind of behavior is drawn, but those that need somebody who binds them.
#[test]
fn every_kind_of_behavior_is_drawn() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let drawn: String = (0..300).map(|_| character().new_tree(&mut runner).unwrap().current()).collect();
    let schema: serde_json::Value = serde_json::from_str(&boxstep_runner::json_schema()).unwrap();
    let kinds = kinds_of(&schema);
    assert!(kinds.len() > 20, "{kinds:?}");
    let left_out = ["animation", "script"];
    let missing: Vec<&String> = kinds
        .iter()
        .filter(|kind| !left_out.contains(&kind.as_str()) && !drawn.contains(&format!(" {kind}: ")))
        .collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
}

/// What the published schema knows as kinds of behaviors.
fn kinds_of(schema: &serde_json::Value) -> Vec<String> {
    let forms = schema["$defs"]["form"]["oneOf"].as_array().unwrap();
    forms.iter().map(|form| form["required"][0].as_str().unwrap().to_owned()).collect()
}

/// What is drawn at random would prove nothing if it were hardly ever a character.
#[test]
fn most_random_characters_are_right() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut right = 0;
    for _ in 0..200 {
        let text = character().new_tree(&mut runner).unwrap().current();
        right += usize::from(Character::read(&text, "a.yaml", &[]).is_ok());
    }
    assert!(right > 120, "{right}");
}

/// What is never taken would prove nothing either.
#[test]
fn many_random_characters_are_taken_in_the_place_of_others() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let mut draw = || Character::read(&character().new_tree(&mut runner).unwrap().current(), "a.yaml", &[]);
    let (mut tried, mut taken) = (0, 0);
    for seed in 0..100 {
        if let (Ok(one), Ok(other)) = (draw(), draw()) {
            tried += 1;
            taken += usize::from(testing::goes_on_as(&one, &other, seed));
        }
    }
    assert!(taken * 3 > tried, "{taken} of {tried}");
}

/// The seeds of the fuzzer, whole and cut off or changed anywhere.
#[test]
fn seeds_and_damaged_copies_of_them_keep_the_law() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/character");
    let mut seeds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(Character::read(std::str::from_utf8(&bytes).unwrap(), "a.yaml", &[]).is_ok());
        for at in 0..bytes.len() {
            testing::law(&bytes[..at]);
            for byte in [b'{', b' ', b'\n', b'$', b'*'] {
                let mut changed = bytes.clone();
                changed[at] = byte;
                testing::law(&changed);
            }
        }
        seeds += 1;
    }
    assert!(seeds > 0);
}
