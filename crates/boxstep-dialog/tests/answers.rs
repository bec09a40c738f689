//! A conversation for each sentence of the language's description about answers and events that `cases.rs` does not have.

use crate::chat::{chat, play, play_with};
use boxstep_dialog::{Conversation, DialogEvent, read_topic};
use boxstep_types::Value;

/// The variables of the world, as text.
fn variable(chat: &Conversation, key: &str) -> String {
    chat.world
        .variables
        .get(key)
        .map_or_else(String::new, |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
}

fn warned(chat: &Conversation, part: &str) -> bool {
    chat.world.warnings.iter().any(|text| text.contains(part))
}

// Answers.

#[test]
fn choices_have_a_cycle_each() {
    play(&["u:(a) [1 2] [x y z]\nu:(b) [1 2]"], "a → 1 x; a → 2 y; b → 1; a → 1 z");
}
#[test]
fn random_answers_are_valid_ones() {
    for seed in 0..20 {
        let mut chat = Conversation::new("English", seed);
        let text = "topic: ~t()\nlanguage: enu\nu:(a) ^rand[\"$unset x\" y \"$1 z\"]\nu:(b) {p q}\n";
        chat.add(read_topic("t.top", text), Vec::new()).unwrap();
        assert_eq!(chat.hear("a"), "y");
        assert!(["", "p", "q"].contains(&&*chat.hear("b")));
    }
}
#[test]
fn the_first_valid_one() {
    play(&["u:(a) x ^first[\"$no y\" \"%t z\" w]"], "a → x z");
    play(
        &["u:(a) x ^firstOptional[\"$no y\"] z\nu:(b) x ^first[\"$no y\"]\nu:(e:Dialog/SpeakFailure) hm"],
        "a → x z; b → hm",
    );
}
#[test]
fn empty_is_said_and_an_empty_phrase_is_not() {
    play(&["u:(a) [\"\" x ^empty]\nu:(b) {^empty} ok"], "b → ok");
}
#[test]
fn invalid_alternatives_are_passed_over() {
    for guard in [
        "$v",
        "$v==1",
        "%off",
        "^exist(v)",
        "^notExist(w)",
        "$user/v",
        "^hasUserInfo(v)",
        "^isInConcept(~d, x)",
        "^containsKnowledge(a, b, c)",
    ] {
        let topic = format!("dynamic:d\nu:(w) ok $w=1\nu:(off) ok ^deactivate(off)\nu:(t) ^first[\"{guard} yes\" no]");
        let mut chat = chat(&[&topic]);
        play_with(&mut chat, "w → ok; off → ok");
        assert_eq!(chat.hear("t"), "no", "{guard}");
    }
}
#[test]
fn a_variable_is_set_when_the_sentence_was_said() {
    let mut chat = chat(&["u:(a) one $x=1"]);
    chat.dialog.hear(&mut chat.world, "a");
    assert_eq!(variable(&chat, "x"), "");
    chat.settle();
    assert_eq!(variable(&chat, "x"), "1");
}
#[test]
fn a_cleared_variable_is_not_set() {
    play(
        &["u:(a) ok $x=1\nu:(b) ok ^clear(x)\nu:(c) ^first[\"^exist(x) yes\" no]"],
        "c → no; a → ok; c → yes; b → ok; c → no",
    );
}
#[test]
fn user_variables_belong_to_a_user() {
    let mut chat = chat(&["u:(my color is _*) ok $user/color=$1\nu:(which) ^first[\"$user/color\" none]"]);
    chat.dialog.set_user(Some(1));
    play_with(&mut chat, "my color is red → ok; which → red");
    chat.dialog.set_user(Some(2));
    play_with(&mut chat, "which → none");
    chat.dialog.set_user(Some(1));
    play_with(&mut chat, "which → red");
    assert_eq!(chat.dialog.users(), [1]);
}
#[test]
fn user_data_by_function() {
    let topic = "u:(set) ok ^setUserInfo(food, fish)\nu:(get) ^first[\"^getUserInfo(food)\" none]\nu:(has) ^first[\"^hasUserInfo(food) yes\" no]\nu:(drop) ok ^removeUserInfo(food)";
    play(&[topic], "get → none; has → no; set → ok; get → fish; has → yes; drop → ok; get → none");
}
#[test]
fn a_break_begins_a_new_sentence() {
    let mut chat = chat(&["u:(a) one $x=1 ^break two"]);
    chat.dialog.hear(&mut chat.world, "a");
    assert_eq!(chat.world.notes.iter().filter(|note| matches!(note, DialogEvent::Answer { .. })).count(), 1);
    assert_eq!(chat.settle(), "one two");
}
#[test]
fn annotations_are_for_the_voice() {
    let topic = "u:(a) \\vct=80\\ Hi \\pau=300\\ there ^start(animations/Hey) friend ^wait(animations/Hey) ^runSound(beep, 50) ^mode(disabled)";
    play(&[topic], "a → Hi there friend");
}
#[test]
fn a_behavior_can_take_over() {
    let mut chat = chat(&["u:(a) bye ^switchFocus(app/behavior)"]);
    play_with(&mut chat, "a → bye");
    assert!(warned(&chat, "app/behavior"));
}
#[test]
fn the_focus_can_be_released_and_kept() {
    let topics = ["~a\nu:(a) one ^releaseFocus\nu:(b) two", "~b\nu:(c) x"];
    let mut released = chat(&topics);
    play_with(&mut released, "b → two");
    assert_eq!(released.dialog.focus(), Some("a"));
    play_with(&mut released, "a → one");
    assert_eq!(released.dialog.focus(), None);
    let topics = ["~a ^keepFocus\nu:(a) one\nu:(e:Dialog/Fallback) back to me", "~b\nu:(b) two"];
    let mut kept = chat(&topics);
    play_with(&mut kept, "a → one; b → two back to me");
    assert_eq!(kept.dialog.focus(), Some("a"));
}
#[test]
fn proposals_of_other_topics() {
    let topics = [
        "~a\nu:(go) ^topic(~b)\nu:(tag) ^topicTag(b, q)\nu:(again) ^topicTagReactivate(b, q)\nu:(any) ^topicRandom",
        "~b\nproposal: b1\nproposal: %q b2",
        "~c ^noPick\nproposal: c1",
    ];
    play(&topics, "go → b1; tag → b2; again → b2");
    play(&topics, "any → b1");
}
#[test]
fn a_random_proposal_is_said_once() {
    let mut chat = chat(&["proposal: x\nproposal: x\nu:(go) ^gotoRandom\nu:(e:Dialog/NothingToSay) nothing"]);
    play_with(&mut chat, "go → x; go → x; go → nothing");
}
#[test]
fn a_proposal_by_its_tag_is_said_once() {
    play(&["proposal: %p one\nu:(go) ^first[^goto(p) \"said already\"]"], "go → one; go → said already");
}
#[test]
fn concepts_are_changed_and_asked() {
    let topic = "dynamic:d\nu:(add _*) ok ^addToConcept(~d, $1)\nu:(drop _*) ok ^removeFromConcept(~d, $1)\nu:(clear) ok ^clearConcept(~d)\nu:(has _*) ^first[\"^isInConcept(~d, $1) yes\" no]\nu:(size) ^size(~d)\nu:(some) ^enumerate(~d, 2)";
    play(
        &[topic],
        "size → 0; add a → ok; add b → ok; add c → ok; size → 3; has b → yes; some → a b; some → c; some → a b; drop b → ok; has b → no; size → 2; clear → ok; size → 0",
    );
}
#[test]
fn a_size_counts_every_expansion() {
    play(&["concept:(c) [one \"[a b] [c d]\" ~d]\nconcept:(d) [\"x {y}\" z]\nu:(a) ^size(~c)"], "a → 8");
}
#[test]
fn concatenate_joins() {
    play(&["u:(a _*) ^concatenate(x, $1, y)"], "a b → xby");
}
#[test]
fn dates_and_times() {
    let topic = "u:(d) ^currentDate\nu:(t) ^currentTime\nu:(both) ^currentDateTime\nu:(w) ^endOfWeek";
    play(&[topic], "d → 2020-01-01; t → 00:00; both → 2020-01-01 00:00; w → 2020-01-05");
}
#[test]
fn knowledge_is_kept_and_asked() {
    let topic = "u:(learn _* likes _*) ok ^addKnowledge($1, likes, $2)\nu:(what likes _*) ^first[\"^queryKnowledge($1, likes, ?)\" \"I forgot\"]\nu:(only _* _*) ok ^updateKnowledge($1, likes, $2)\nu:(forget _*) ok ^removeKnowledge($1, likes, ?)\nu:(not _*) ^first[\"^notContainsKnowledge($1, likes, tea) right\" wrong]";
    play(
        &[topic],
        "what likes ann → I forgot; not ann → right; learn ann likes tea → ok; learn ann likes milk → ok; what likes ann → milk tea; not ann → wrong; only ann fish → ok; what likes ann → fish; forget ann → ok; what likes ann → I forgot",
    );
}
#[test]
fn scripts_are_said() {
    let mut chat = chat(&["u:(a) one %script\nprint 'two' # u:(x)\n%script three"]);
    play_with(&mut chat, "a → one three");
    assert!(warned(&chat, "script"));
}
#[test]
fn several_tags_must_all_be_on() {
    let topic = "u:(a %s %t) ok\nu:(off _*) off ^deactivate($1)\nu:(on _*) on ^activate($1)";
    play(&[topic], "a → ok; off s → off; a → –; off t → off; on s → on; a → –; on t → on; a → ok");
}
#[test]
fn tags_of_rules_can_be_gone_to_from_outside() {
    let mut chat = chat(&["proposal: %p one\nu:(a) %q two\nu1:(b) three"]);
    chat.dialog.goto_tag(&mut chat.world, "q", "t").unwrap();
    assert_eq!(chat.settle(), "two");
    play_with(&mut chat, "b → three");
    chat.dialog.goto_topic(&mut chat.world, "t").unwrap();
    assert_eq!(chat.settle(), "one");
    chat.dialog.say_tag(&mut chat.world, "t", "q").unwrap();
    assert_eq!(chat.settle(), "two");
    play_with(&mut chat, "b → –");
    assert!(chat.dialog.goto_tag(&mut chat.world, "z", "t").is_err());
}
#[test]
fn a_proposal_after_each_answer() {
    let mut chat = chat(&["u:(a) ok\nproposal: one\nproposal: two"]);
    chat.dialog.set_push(true);
    play_with(&mut chat, "a → ok one two");
}
#[test]
fn a_proposal_can_be_asked_for_from_outside() {
    let mut chat = chat(&["proposal: one\nproposal: two"]);
    for answer in ["one", "two", ""] {
        chat.dialog.force_output(&mut chat.world);
        assert_eq!(chat.settle(), answer);
    }
}

// Events of the engine.

#[test]
fn memory_has_what_was_said() {
    let mut chat = chat(&["u:(hello _*) hi $1\nu:(b) ^first[\"$Dialog/LastAnswer\" none]"]);
    play_with(&mut chat, "Hello Ann! → hi Ann");
    for (key, value) in [
        ("LastInput", "Hello Ann!"),
        ("LastAnswer", "hi Ann"),
        ("Answered", "hi Ann"),
        ("MatchedTopic", "t"),
        ("MatchedLine", "3"),
        ("MatchedInput", "Hello Ann!"),
        ("Focus", "t"),
        ("ActivateTopic", "t"),
        ("CurrentString", "Hello Ann!"),
    ] {
        assert_eq!(variable(&chat, &format!("Dialog/{key}")), value, "{key}");
    }
    play_with(&mut chat, "what → –; b → hi Ann");
    assert_eq!(variable(&chat, "Dialog/NotUnderstoodEvent"), "what");
}
#[test]
fn clocks_are_variables() {
    play(&["u:(a) $Dialog/Year $Dialog/Hour $Dialog/Minute $Dialog/DateCode"], "a → 2020 0 0 0101");
}
#[test]
fn what_is_not_understood_is_told() {
    let topic = "u:(a) ok\nu:(e:Dialog/NotUnderstood) once\nu:(e:Dialog/NotUnderstood2) twice\nu:(e:Dialog/NotUnderstood3) thrice";
    play(&[topic], "x → once; x → twice; x → thrice; a → ok; x → once");
    play(&["u:(e:Dialog/Failure) sorry"], "x → –; x → –; x → sorry; x → –");
}
#[test]
fn the_same_rule_twice() {
    play(&["u:(a) ok\nu:(b) fine\nu:(e:Dialog/SameRule) again"], "a → ok; a → ok again; b → fine; a → ok");
}
#[test]
fn nothing_to_say() {
    play(&["u:(a) ^nextProposal\nu:(e:Dialog/NothingToSay) no more"], "a → no more");
}
#[test]
fn silence_is_told_of_in_steps() {
    let topic = "u:(a) ok\nu:(e:Dialog/NotSpeaking5) five\nu:(e:Dialog/NotSpeaking15) fifteen\nu:(e:Dialog/NotSpeaking20) twenty";
    play(
        &[topic],
        "wait:30 → –; a → ok; wait:4.9 → –; wait:0.2 → five; wait:30 → fifteen twenty; a → ok; wait:6 → five",
    );
}
#[test]
fn what_the_dialog_tells_the_memory_is_an_event_for_rules() {
    play(&["u:(a) one\nu:(e:Dialog/Answered) that is all"], "a → one that is all; b → –; a → one that is all");
    play(&["u:(a) one\nu:(e:Dialog/NotUnderstoodEvent) pardon"], "b → pardon; a → one");
    // Answers to events are not told to rules.
    play(
        &["u:(a) one\nu:(e:Dialog/MatchedTopic) found\nu:(e:Dialog/Focus) looks\nu:(e:Dialog/MatchedLine) line"],
        "a → one found line looks; a → one found line",
    );
}
#[test]
fn a_fallback_service_answers_what_no_rule_does() {
    let mut chat = chat(&["u:(a) one\nu:(e:Dialog/NotUnderstood) pardon"]);
    chat.dialog.add_fallback("enu", "Silent");
    chat.dialog.add_fallback("English", "Search");
    chat.dialog.add_fallback("frf", "Cherche");
    chat.world.results.insert("Silent.findOutput".to_owned(), Ok(Value::from("")));
    chat.world.results.insert("Search.findOutput".to_owned(), Ok(Value::from("an answer")));
    assert_eq!(chat.hear("a"), "one");
    assert_eq!(chat.hear("Who?"), "an answer");
    assert_eq!(chat.world.calls[1].arguments, [Value::from("enu"), Value::from("Who?")]);
    chat.dialog.remove_fallback("English", "Search");
    assert_eq!(chat.hear("who"), "pardon");
    chat.dialog.remove_fallback("English", "Silent");
    chat.dialog.add_fallback("English", "Missing");
    assert_eq!(chat.hear("who"), "pardon");
    assert!(warned(&chat, "the fallback service failed"));
}
