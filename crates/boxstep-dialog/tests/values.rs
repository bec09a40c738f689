//! Captures, numbers, and what they are when nothing was said.

use crate::chat::{chat, play, play_with};
use boxstep_types::Value;

#[test]
fn a_capture_of_no_words_has_no_value() {
    play(&["u:(a _{x} b) ^first[\"got $1\" \"got nothing\"]"], "a b → got nothing; a x b → got x");
    play(&["u:(_{nice} day) [$1 \"no capture\"]"], "day → no capture; nice day → nice");
    play(&["u:(a _{x} b) ^first[\"$1<>y other\" none]"], "a b → none; a x b → other");
    // It counts, so that the next one keeps its number.
    play(&["u:(a _{x} _[b c]) ^first[\"$1 $2\" $2]"], "a b → b; a x c → x c");
}

#[test]
fn numbers_keep_their_sign() {
    let mut chat = chat(&["u:(set _*) ok $n=$1\nu:(cold _[3 4]) it is $1"]);
    play_with(&mut chat, "set -3 → ok; cold -3 → it is -3; cold 3 → it is 3; cold - 3 → it is 3");
    assert_eq!(chat.world.variables["n"], Value::Int(-3));
    play_with(&mut chat, "set 2-3 → ok");
    assert_eq!(chat.world.variables["n"], Value::from("2-3"), "a hyphen is no sign");
    play(&["u:(a _[\"well known\"]) $1\nu:(-3) minus"], "a well-known → well-known; -3 → minus; 3 → minus");
}

#[test]
fn tags_in_arguments_may_have_their_sign() {
    let rules = "u:(a) ^goto(%t)\nu:(b) %t two\nu:(off) ok ^deactivate(%t)\nu:(on) ok ^activate(%t)";
    play(&[rules], "a → two; off → ok; b → –; on → ok; b → two");
    play(&["~t\nproposal: %p one\nu:(a) ^topicTag(~t, %p)\nu:(b) ^gotoReactivate(%p)"], "a → one; b → one");
}

#[test]
fn concepts_in_a_circle_keep_their_words() {
    let circle = "concept:(a) [x ~b]\nconcept:(b) [y ~a]\nu:(q ~a) ok\nu:(r ~b) ok";
    play(&[circle], "q x → ok; q y → ok; r x → ok; r y → ok; q z → –");
    let long = "concept:(a) [x \"big ~b\"]\nconcept:(b) [y \"small ~a\" ~c]\nconcept:(c) [z ~a ~b]\nu:(~a ^exact) ok";
    play(&[long], "x → ok; big y → ok; big z → ok; big small x → –; big small → –; big x → –; z → –");
    play(&["concept:(a) [\"x ~a\" x y]\nu:(~a ^exact) ok"], "x → ok; y → ok; x y → –");
    // Many that all name each other lead nowhere, but have their own words.
    let all: Vec<String> = (0..30).map(|n| format!("~a{n}")).collect();
    let many: String = (0..30).map(|n| format!("concept:(a{n}) [w{n} {}]\n", all.join(" "))).collect();
    play(&[&format!("{many}u:(~a0) ok")], "w0 → ok; w1 → –");
}
