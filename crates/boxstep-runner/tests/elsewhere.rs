//! Leaves on other robots: how they are read, what they claim, and what those robots do.

use boxstep_runner::{Character, Do, Kind, Rule, examine};

const TEXT: &str = "\
character: Host
parameters: { friend: alto }
behaviors:
  main:
    parallel:
      - { name: waves, play: wave.xar, on: $friend, claims: [Arms] }
      - { name: sings, say: [La, Lo], on: bass, when: { event: Sing }, claims: [Arms] }
      - { name: here, say: Hi, claims: [Arms] }
";

fn read() -> Character {
    Character::read(TEXT, "host.yaml", &[]).unwrap()
}

fn names(character: &Character) -> Vec<&str> {
    character.behaviors.iter().map(|node| &*node.name).collect()
}

#[test]
fn a_leaf_on_another_robot_claims_there_and_its_files_are_not_those_of_this_robot() {
    let character = read();
    let elsewhere: Vec<(&str, &str)> = character.elsewhere().map(|(node, on)| (&*node.name, &*on.name)).collect();
    assert_eq!(elsewhere, [("waves", "alto"), ("sings", "bass")]);
    assert_eq!(character.plays().count(), 0);
    let claims: Vec<&str> =
        character.behaviors.iter().flat_map(|node| node.claims.iter().map(|claim| &**claim)).collect();
    assert_eq!(claims, ["alto:Arms", "bass:Arms", "Arms"]);
    let waves = character.behaviors.iter().find(|node| &*node.name == "waves").unwrap();
    assert_eq!((waves.kind.word(), waves.kind.details().as_str()), ("play", "wave.xar, on alto"));
}

#[test]
fn what_a_robot_does_for_a_character_is_its_leaves_side_by_side() {
    let part = read().of_robot("bass");
    assert_eq!(names(&part), ["for Host", "sings"]);
    let sings = &part.behaviors[1];
    assert!(sings.claims.is_empty() && sings.when.is_none(), "that is decided where the character runs");
    assert!(matches!(&sings.kind, Kind::Do(Do::Say(texts, false)) if texts.len() == 2), "{:?}", sings.kind);
    let part = read().of_robot("alto");
    assert_eq!(part.plays().map(|name| &**name).collect::<Vec<_>>(), ["wave.xar"]);
}

#[test]
fn only_leaves_that_act_can_be_on_another_robot() {
    for leaf in ["wait: 1", "queue: [{ say: Hi }]", "hear: hi", "native: blink"] {
        let text = format!("character: A\nbehaviors:\n  main: {{ {leaf}, on: alto }}\n");
        let (character, findings) = examine(&text, "a.yaml", &[]);
        assert!(character.is_none() && findings.iter().any(|finding| finding.rule == Rule::UnknownKey), "{leaf}");
    }
    let text = "character: A\nbehaviors:\n  main: { say: Hi, on: 3 }\n";
    let (_, findings) = examine(text, "a.yaml", &[]);
    assert_eq!(findings[0].rule, Rule::WrongType, "{findings:?}");
    let two = "character: A\nbehaviors:\n  main:\n    parallel:\n      - { say: A, on: b, claims: [x] }\n      \
               - { say: B, on: b, claims: [x] }\n";
    let (_, findings) = examine(two, "a.yaml", &[]);
    assert!(findings.iter().any(|finding| finding.rule == Rule::Contended), "{findings:?}");
}
