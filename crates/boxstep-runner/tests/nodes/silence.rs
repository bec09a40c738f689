//! Resource claims, and who is silent while another one runs.

use crate::support::Show;

const TWO: &str = "
main:
  parallel: [talking, moving]
  failure: all
talking:
  priority:
    - { name: idle-talk, say: long chatter }
moving:
  priority:
    - { name: dance, say: long dance, when: { memory: Music }, silences: [idle-talk] }
    - { say: long sway }
";

#[test]
fn who_is_silenced_stops_and_does_not_begin_again_until_the_other_one_has_ended() {
    let mut show = Show::new(&TWO.replace("say: long dance", "say: dance"));
    assert_eq!(show.tick(), ["long chatter", "long sway"]);
    show.raise("Music", 1);
    assert_eq!(show.tick(), ["stop long sway", "dance"]);
    assert_eq!(show.tick(), ["stop long chatter"]);
    show.raise("Music", 0);
    let lines = show.run(1.5);
    let again = lines.iter().find(|line| line.ends_with("long chatter")).unwrap();
    assert!(again.starts_with("1.1") || again.starts_with("1.2"), "{lines:?}");
}

#[test]
fn who_is_silenced_does_not_begin() {
    let text = "
main: { parallel: [a, b], failure: all }
a: { sequence: [{ say: long a }], silences: b-talk }
b: { selector: [{ name: b-talk, say: long talk }, { say: long quiet }] }
";
    assert_eq!(Show::new(text).tick(), ["long a", "long quiet"]);
}

#[test]
fn what_a_region_claims_no_other_can_have() {
    let text = "
main: { parallel: [a, b], failure: all }
a: { sequence: [{ say: long a, claims: Legs }] }
b: { selector: [{ say: long b, claims: [Arms, Legs] }, { say: long quiet }] }
";
    assert_eq!(Show::new(text).tick(), ["long a", "long quiet"]);
}

#[test]
fn what_a_parent_claims_its_children_can_have() {
    let text = "main: { claims: Legs, sequence: [{ say: a, claims: Legs }] }";
    assert_eq!(Show::new(text).tick(), ["a"]);
}
