//! Why rules did not answer.

use boxstep_dialog::{Conversation, read_topic};

/// What is told of the rules near a sentence, after others were heard; the nearest first.
fn near(rules: &str, before: &[&str], sentence: &str) -> Vec<String> {
    let mut chat = Conversation::new("English", 0);
    let text = format!("topic: ~t()\nlanguage: enu\n{rules}\n");
    chat.add(read_topic("t.top", &text), Vec::new()).unwrap();
    for sentence in before {
        chat.hear(sentence);
    }
    let Conversation { dialog, world } = &mut chat;
    let near = dialog.explain(world, sentence, 9).into_iter();
    near.map(|near| format!("{}: {}", near.rule.head, near.why)).collect()
}

#[test]
fn each_reason_is_the_one_that_keeps_the_rule_from_answering() {
    let cases = [
        ("u:(ball ^exact) x", "a ball", "u:(ball ^exact): it is ^exact, and other words were said"),
        ("u:(I like !red cars) x", "I like cars but not red", "u:(I like !red cars): it must not have `red`"),
        (
            "u:(I like ![red ~warm] cars) x\nconcept:(warm) [pink]",
            "I like cars pink",
            "u:(I like ![red ~warm] cars): it must not have `pink`",
        ),
        ("u:(paint it * please) x", "paint it please", "u:(paint it * please): its `*` needs a word"),
        ("u:([\"good night\" bye]) x", "good", "u:([\"good night\" bye]): it needs `[good night | bye]`"),
        ("u:([\"a {very} [b c]\" d]) x", "a", "u:([\"a {very} [b c]\" d]): it needs `[a {very} [b | c] | d]`"),
        ("u:(a !*) x", "a", "u:(a !*): a `!` in it forbids what was said"),
        ("u:(a ~c) x\nconcept:(c) [\"b c\" d]", "a b", "u:(a ~c): it needs `~c`"),
        ("u:(a b) x", "b a", "u:(a b): the words are not in its order, or others stand between"),
        ("u:(a b) x", "a c", "u:(a b): it needs `b`"),
        ("u:(a $v==1) x", "a", "u:(a $v==1): `$v==1` is false"),
        ("u:(a \"b $v>1 c\") x", "a b c", "u:(a \"b $v>1 c\"): `$v>1` is false"),
        ("u:(a e:Touched) x", "a", "u:(a e:Touched): it needs an event, too"),
    ];
    for (rules, sentence, why) in cases {
        assert_eq!(near(rules, &[], sentence), [why], "{rules}");
    }
    assert_eq!(near("u:(a %t) x\nu:(off) ^deactivate(t) ok", &["off"], "a"), ["u:(a %t): the tag `%t` is off"]);
}

#[test]
fn beside_a_rule_that_answers() {
    let rules = "u:(red cars) x\nu:(cars ^lessPriority) y\nu:(cars) z\nl:(cars) $n=1";
    assert_eq!(
        near(rules, &[], "red cars"),
        [
            "u:(cars ^lessPriority): it is ^lessPriority, and another rule matches",
            "u:(cars): another rule covers more words, or comes first",
        ]
    );
}

#[test]
fn a_rule_of_a_wildcard_alone_comes_last() {
    let rules = "u:(tell me) what\n    u1:(_*) ok $x=$1\nu:(good day) hello";
    assert_eq!(
        near(rules, &[], "good night"),
        ["u:(good day): it needs `day`", "u1:(_*): it is open only after line 3, u:(tell me)"]
    );
}
