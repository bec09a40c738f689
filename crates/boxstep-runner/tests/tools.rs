//! What tools ask of a character: what its leaves name outside of the file, every stack, and its parts in words.

use boxstep_runner::{Character, Environment, Kind, ParameterKind, PlayedBehavior};

fn read(behaviors: &str) -> Character {
    Character::read(&format!("character: A\nbehaviors:\n{behaviors}\n"), "a.yaml", &[]).unwrap()
}

/// Has `dance.xar` with two parameters, `broken.xar` with errors, and the animation `Wave`.
struct Around;

impl Environment for Around {
    fn play(&mut self, name: &str) -> Result<PlayedBehavior, String> {
        let shown_by = "a look".to_owned();
        match name {
            "dance.xar" => {
                let parameters = vec![("Speed".into(), ParameterKind::Float), ("Song".into(), ParameterKind::Text)];
                Ok(PlayedBehavior { parameters, errors: 0, shown_by })
            }
            "broken.xar" => Ok(PlayedBehavior { errors: 2, shown_by, ..PlayedBehavior::default() }),
            _ => Err(format!("there is no `{name}`")),
        }
    }

    fn animation(&mut self, name: &str) -> Result<(), String> {
        if name == "Wave" { Ok(()) } else { Err(format!("no `{name}`")) }
    }

    fn script(&mut self, name: &str) -> Result<(), String> {
        if name == "greeter.py" { Ok(()) } else { Err(format!("there is no file `{name}`")) }
    }
}

fn found(behaviors: &str) -> Vec<String> {
    let one = |f: &boxstep_runner::Finding| {
        let help = f.help.as_ref().map(|help| format!("; {help}")).unwrap_or_default();
        format!("{}:{} {:?} {}: {}{help}", f.at.line, f.at.col, f.rule, f.way.join(" → "), f.message)
    };
    read(behaviors).check_in("a.yaml", &mut Around).iter().map(one).collect()
}

#[test]
fn a_behavior_that_is_not_there_is_told_where_it_is_played_with_the_way_from_the_root() {
    assert_eq!(
        found("  main: { queue: [show] }\n  show: { play: dence.xar }"),
        ["4:17 UnknownName main → show: there is no `dence.xar`"]
    );
}

#[test]
fn a_behavior_with_errors_is_told_once() {
    let told = found("  main: { queue: [{ play: broken.xar }, { play: broken.xar }] }");
    assert_eq!(
        told,
        ["3:27 FaultyBehavior main → main/1: `broken.xar` has 2 errors of its own; a look shows what is wrong"]
    );
}

#[test]
fn parameters_are_those_of_the_behavior_and_of_its_types() {
    let told = found("  main: { play: dance.xar, parameters: { Speed: fast, song: a, Song: 5 } }");
    assert_eq!(
        told,
        [
            "3:49 WrongType main: the parameter `Speed` of `dance.xar` is a number, and this is \"fast\"",
            "3:61 UnknownName main: `dance.xar` has no parameter `song`; did you mean `Song`?",
            "3:70 WrongType main: the parameter `Song` of `dance.xar` is a text, and this is 5",
        ]
    );
    assert_eq!(found("  main: { play: dance.xar, parameters: { Speed: 2, Song: a } }"), [""; 0]);
}

#[test]
fn an_animation_that_the_robot_has_not_is_told() {
    let told = found("  main: { queue: [{ animation: Wave }, { animation: Nod }] }");
    assert_eq!(told, ["3:53 UnknownAnimation main → main/2: no `Nod`"]);
}

#[test]
fn python_files_that_are_not_there_are_told_and_what_stands_in_one_is_not_looked_for() {
    let text = "character: A\nscripts: [greeter.py, none.py]\nbehaviors: { main: { script: Greeter, when: { custom: hungry } } }\n";
    let character = Character::read(text, "a.yaml", &[]).unwrap();
    let told = character.check_in("a.yaml", &mut Around);
    let told: Vec<String> =
        told.iter().map(|f| format!("{}:{} {:?} {}", f.at.line, f.at.col, f.rule, f.message)).collect();
    assert_eq!(told, ["2:23 UnknownName there is no file `none.py`"]);
}

#[test]
fn names_that_nobody_has_are_told() {
    let told = found(
        "  main: { queue: [{ script: Greeter }, { native: blink }, { say: a, when: { not: { custom: hungry } } }] }",
    );
    let rules: Vec<&str> = told.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(rules, ["NotBound"; 3], "{told:?}");
    for name in ["class `Greeter`", "action `blink`", "condition `hungry`"] {
        assert!(told.iter().any(|line| line.contains(name)), "{name}");
    }
}

#[test]
fn what_a_pattern_names_is_told_once() {
    let told = found(
        "  main: { queue: [{ use: p, with: { text: a } }, { use: p, with: { text: b } }] }\n  p: { takes: { text: null }, queue: [{ play: none.xar }, { say: $text }] }",
    );
    assert_eq!(told.len(), 1, "{told:?}");
}

#[test]
fn every_stack_is_tried_and_nothing_is_wrong_with_a_character_that_is_in_order() {
    let character = read(
        "  main: { priority: [talk, { say: a }] }\n  talk: { queue: [{ say: b }, shared] }\n  shared: { wait: 1 }",
    );
    let stacks = character.stacks(100);
    let ways: Vec<String> = stacks.ways.iter().map(|way| way.join(" → ")).collect();
    let expected = ["main", "main → talk", "main → talk → talk/1", "main → talk → shared", "main → main/2"];
    assert_eq!((ways, stacks.problems, stacks.cut), (expected.map(str::to_owned).to_vec(), vec![], false));
    let cut = character.stacks(2);
    assert!(cut.cut && cut.ways.len() == 2);
}

#[test]
fn stacks_begin_with_the_idle_and_the_safe_behavior_too() {
    let text = "character: A\nat_end: { idle: rest }\nsafe: sit\nbehaviors:\n  main: { say: a }\n  rest: { wait: 1 }\n  sit: { wait: 2 }";
    let character = Character::read(text, "a.yaml", &[]).unwrap();
    let ways: Vec<String> = character.stacks(100).ways.iter().map(|way| way.join(" → ")).collect();
    assert_eq!(ways, ["main", "rest", "sit"]);
}

#[test]
fn stacks_of_any_example_of_the_documents_have_no_problems() {
    let documents =
        [include_str!("../../../docs/guides/characters.md"), include_str!("../../../docs/reference/character.md")];
    let mut tried = 0;
    for block in documents.iter().flat_map(|document| document.split("\n```yaml\n").skip(1)) {
        let text = block.split("\n```").next().unwrap();
        let character = Character::read(text, "a.yaml", &[]).unwrap();
        let stacks = character.stacks(10_000);
        assert_eq!(stacks.problems, [""; 0], "{text}");
        assert!(stacks.ways.len() > 1);
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn conditions_and_cooldowns_are_told_in_words() {
    let character = read(
        "  main:\n    priority:\n      - { say: a, cooldown: { seconds: 20, jitter: 5, timer: talk }, when: { any: [{ all: [{ memory: Battery, less: 20 }, { free: arms }] }, { not: { event: Muted } }] } }\n      - { say: b, when: { became: { elapsed: 2, to: 5 } } }",
    );
    let when = |at: usize| character.behaviors[at].when.as_ref().unwrap().to_string();
    assert_eq!(when(1), "(memory Battery less 20 and free arms) or not event Muted");
    assert_eq!(when(2), "became (elapsed from 2 s to 5 s)");
    let Kind::Priority { children, .. } = &character.behaviors[0].kind else { panic!() };
    assert_eq!(children[0].cooldown.as_ref().unwrap().to_string(), "cools 20 s ± 5 s from its end by the timer talk");
}
