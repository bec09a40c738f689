//! The results of calls.

use crate::chat::{chat, play_with};
use boxstep_types::Value;

#[test]
fn results_belong_to_the_last_call_of_the_answer() {
    let mut chat = chat(&[
        "u:(x) ^call(S.one()) ^call(S.two())\n    c1:(_*) res $1\n    e1: none\nu:(y) ^call(S.two())\n    c1:(_*) res $1",
    ]);
    let returns = |name: &str, value: &str| (format!("S.{name}"), Ok(Value::from(value)));
    chat.world.results = [returns("one", "1"), returns("two", "English")].into();
    play_with(&mut chat, "x → res English; y → res English");
    chat.world.results.insert("S.one".into(), Err("broken".into()));
    play_with(&mut chat, "x → res English");
    assert!(chat.world.warnings.iter().any(|warning| warning.contains("S.one() failed")), "{:?}", chat.world.warnings);
    chat.world.results = [returns("one", "1")].into();
    play_with(&mut chat, "x → none");
}

#[test]
fn each_rule_has_a_last_call_of_its_own() {
    let rules = "u:(x) ^call(S.one()) and ^goto(t)\n    c1:(_*) first $1\n\
                 u:(y) %t ^sCall(S.one()) ^break ^call(S.two())\n    c1:(_*) second $1";
    let mut chat = chat(&[rules]);
    let returns = |name: &str, value: i64| (format!("S.{name}"), Ok(Value::Int(value)));
    chat.world.results = [returns("one", 1), returns("two", 2)].into();
    play_with(&mut chat, "y → second 2; x → and first 1 second 2");
}
