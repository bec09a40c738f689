//! A conversation for each sentence of the language's description that `cases.rs` does not have.

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

// Lexing and grammar.

#[test]
fn comments_blank_lines_and_indentation_mean_nothing() {
    play(
        &["# before\n\n    u:(a) # in it: u:(b) x\n   one # behind\n\n\tu1:(b)   two\n#u:(c) three"],
        "a → one; b → two; c → –",
    );
}
#[test]
fn an_answer_may_stand_on_the_lines_behind_the_input() {
    play(&["u:(a)\n  one\n  two\nu: (b) three"], "a → one two; b → three");
}
#[test]
fn quotes_nest_in_brackets() {
    play(
        &["u:(\"good [\"early morning\" day] {\"to you\"}\") ok"],
        "good early morning to you → ok; good day → ok; good morning → –",
    );
    play(&["u:(a) \"one [\"two three\" four]\""], "a → one two three; a → one four");
}
#[test]
fn single_quotes_do_not_group() {
    play(&["u:(['a b' c]) ok"], "a → ok; b → ok; c → ok");
    play(&["u:(it's) ok"], "it's → ok; its → –");
}
#[test]
fn a_phrase_is_words_in_order_without_others_between() {
    play(&["u:(\"good day\") ok"], "good day → ok; day good → –; good sunny day → –; a good day to you → ok");
}
#[test]
fn an_option_in_a_choice_stands_in_a_phrase() {
    play(&["u:([\"a {b}\" c] d) ok"], "a d → ok; a b d → ok; c d → ok; c b d → –");
}
#[test]
fn a_choice_of_an_option_always_matches() {
    play(&["u:([{a}] b) ok"], "b → ok; a b → ok");
}
#[test]
fn punctuation_is_no_part_of_words() {
    play(&["u:(hello, friend!) hi."], "Hello friend → hi.; hello... friend?! → hi.");
    play(&["concept:(c) [\"well, yes!\"]\nu:(~c) ok"], "well yes → ok");
}
#[test]
fn apostrophes_are_equal_and_full_width_digits_too() {
    play(&["u:(what's 10) ok"], "what\u{2019}s 10 → ok; what's １０ → ok");
    let topic = read_topic("t.top", "topic: ~t()\nu:(what\u{2019}s １０) ok\n");
    assert!(topic.problems.iter().all(|problem| problem.code.name == "typographic-signs") && topic.problems.len() == 2);
}
#[test]
fn a_value_may_be_a_phrase() {
    play(&["u:(a) $x=\"one two\" ok\nu:(b) ^first[\"$x==\"one two\" yes\" no]"], "b → no; a → ok; b → yes");
}
#[test]
fn names_of_functions_have_no_case() {
    play(
        &["proposal: %p one\nu:(a) ^GoToReactivate(p)\nu:(b ^EXACT) two\nu:(c) ^Rand[x]"],
        "a → one; b b → –; b → two; c → x",
    );
}
#[test]
fn a_topic_is_named_in_four_ways() {
    for line in ["~n()", "~n ^noPick()", "~n ^noPick ()", "~n ()", "~n"] {
        let topic = read_topic("t.top", &format!("topic: {line}\nlanguage: English\n"));
        assert_eq!((topic.name(), topic.problems.len()), ("n", 0), "{line}");
        assert_eq!(topic.has("nopick"), line.contains("noPick"));
    }
}

// Headers.

#[test]
fn a_language_is_a_name_or_a_code() {
    for (language, answer) in [("English", "hi"), ("enu", "hi"), ("French", ""), ("frf", "")] {
        let mut chat = Conversation::new("English", 0);
        let text = format!("topic: ~t()\nlanguage: {language}\nu:(a) hi\n");
        chat.add(read_topic("t.top", &text), Vec::new()).unwrap();
        assert_eq!(chat.hear("a"), answer);
        chat.dialog.set_language("French");
        assert_eq!(chat.hear("a").is_empty(), !answer.is_empty());
    }
}
#[test]
fn a_topic_has_one_text_for_each_language() {
    let mut chat = Conversation::new("English", 0);
    for (language, answer) in [("enu", "hi"), ("frf", "salut")] {
        let text = format!("topic: ~t()\nlanguage: {language}\nu:(a) {answer}\n");
        chat.add(read_topic("t.top", &text), Vec::new()).unwrap();
    }
    play_with(&mut chat, "a → hi");
    chat.dialog.set_language("French");
    play_with(&mut chat, "a → salut");
}
#[test]
fn an_included_topic_comes_and_goes_with_its_includer() {
    let mut chat = Conversation::new("English", 0);
    let inner = read_topic("i.top", "topic: ~i()\nlanguage: enu\nconcept:(c) [x y]\nu:(b) inner\n");
    let outer = read_topic("o.top", "topic: ~o()\nlanguage: enu\ninclude: i.top\nu:(_~c) $1\n");
    assert_eq!(&*outer.includes[0].text, "i.top");
    chat.add(outer, vec![inner]).unwrap();
    play_with(&mut chat, "b → inner; y → y");
    assert!(chat.dialog.unload(&mut chat.world, "i").is_err());
    chat.dialog.unload(&mut chat.world, "o").unwrap();
    assert!(chat.dialog.unload(&mut chat.world, "nobody").is_err());
    play_with(&mut chat, "b → –; y → –");
}
#[test]
fn a_description_is_told_while_the_topic_has_the_focus() {
    let mut chat = chat(&[
        "~a\ndescription: about cars\nu:(cars) yes ^first[\"$Dialog/FocusDescription\" none]\nu:(b) ^releaseFocus ok",
    ]);
    play_with(&mut chat, "cars → yes none; cars → yes about cars");
    assert_eq!(variable(&chat, "Dialog/Focus"), "a");
    play_with(&mut chat, "b → ok");
    assert_eq!(variable(&chat, "Dialog/FocusDescription"), "");
}
#[test]
fn an_overloaded_topic_is_never_active() {
    let mut chat = Conversation::new("English", 0);
    for text in [
        "topic: ~new()\nlanguage: enu\noverload: ~old\nu:(a) new\n",
        "topic: ~old()\nlanguage: enu\nu:(a) old\nu:(b) old\n",
    ] {
        chat.dialog.load(read_topic("t.top", text), Vec::new()).unwrap();
    }
    for name in ["new", "old"] {
        chat.dialog.activate(&mut chat.world, name).unwrap();
    }
    play_with(&mut chat, "a → new; b → –");
}
#[test]
fn concepts_are_global_and_hold_everything() {
    let concepts = "~a\nconcept:(c) [\"one {more} [cup glass]\" ~d ^rand[p q]]\nconcept:(d) [d1 d2]\nu:(x) x";
    play(
        &[concepts, "~b\nu:(want _~c) $1"],
        "want one more glass → one more glass; want one cup → one cup; want d2 → d2; want q → q; want glass → –",
    );
}
#[test]
fn a_dynamic_concept_is_one_list_for_all_topics() {
    let topics = ["~a\ndynamic:list\nu:(add _*) ok ^addToConcept(~list, $1)", "~b\ndynamic:list\nu:(have _~list) $1"];
    play(&topics, "have tea → –; add green tea → ok; have green tea → green tea");
}
#[test]
fn pronunciations_are_ignored() {
    play(&["pronunciation:(nao) now\nu:(nao) yes"], "nao → yes; now → –");
}
#[test]
fn parameters_of_a_definition_hide_variables() {
    play(
        &["def:f($a,$b) $a and $b\nu:(set) ok $a=zero\nu:(say) ^f(one, \"two three\") $a"],
        "set → ok; say → one and two three zero",
    );
}

// Rules and scopes.

#[test]
fn a_topic_answers_while_it_is_active() {
    let mut chat = chat(&["u:(a) b"]);
    chat.dialog.deactivate(&mut chat.world, "t").unwrap();
    play_with(&mut chat, "a → –");
    chat.dialog.activate(&mut chat.world, "t").unwrap();
    play_with(&mut chat, "a → b");
}
#[test]
fn other_rules_stay_open_beside_sub_rules() {
    play(&["u:(a) one\nu1:(b) two\nu:(c) three\nu1:(b) four"], "a → one; c → three; b → four; b → –");
}
#[test]
fn sub_rules_of_a_proposal_open_when_it_is_said() {
    play(
        &["proposal: tea or coffee\nu1:(tea) green\nu:(go) ^nextProposal"],
        "tea → –; go → tea or coffee; tea → green",
    );
}
#[test]
fn used_up_proposals_come_again_with_the_focus() {
    let topics = ["~a ^resetOnFocus\nproposal: one\nu:(go) ^nextProposal", "~b\nu:(other) two"];
    play(&topics, "go → one; go → –; other → two; go → one; go → –");
}
#[test]
fn a_reset_makes_proposals_sayable_again() {
    let mut chat = chat(&["proposal: one\nu:(go) ^nextProposal"]);
    play_with(&mut chat, "go → one; go → –");
    chat.dialog.reset(&mut chat.world);
    play_with(&mut chat, "go → one");
}
#[test]
fn deeper_rules_below_a_result_go_on_as_u2() {
    let topic = "u:(a) x ^call(S.m())\nc1:(yes) right\nu2:(b) deep";
    let mut chat = chat(&[topic]);
    chat.world.results.insert("S.m".into(), Ok("yes".into()));
    play_with(&mut chat, "b → –; a → x right; b → deep");
}
#[test]
fn an_empty_result_is_a_failure() {
    let mut chat = chat(&["u:(a) x ^call(S.m())\nc1:(*) right\ne1: failed"]);
    chat.world.results.insert("S.m".into(), Ok("".into()));
    play_with(&mut chat, "a → x failed");
}
#[test]
fn results_are_numbers_and_arguments_have_types() {
    let mut chat = chat(&["u:(a _*) ^call(S.m($1, \"x y\", 3, true))\nc1:(_*) got $1"]);
    chat.world.results.insert("S.m".into(), Ok(Value::Int(5)));
    play_with(&mut chat, "a b c → got 5");
    assert_eq!(chat.world.calls[0].arguments, ["b c".into(), "x y".into(), Value::Int(3), Value::Bool(true)]);
}
#[test]
fn a_call_for_its_effect_waits_for_nothing() {
    let mut chat = chat(&["u:(a) one ^pCall(S.m()) two\ne1: failed"]);
    play_with(&mut chat, "a → one two");
    assert_eq!(chat.world.calls.len(), 1);
}
#[test]
fn a_call_at_its_place_divides_the_sentence() {
    let mut chat = chat(&["u:(a) one ^sCall(S.m()) two\nc1:(x) mid"]);
    chat.world.results.insert("S.m".into(), Ok("x".into()));
    play_with(&mut chat, "a → one mid two");
}
#[test]
fn skins_add_words() {
    for (place, answer) in [("start", "Sir good day"), ("end", "good day Sir"), ("1", "good Sir day")] {
        play(
            &["~t\nu:(a) good day\ns:(day) ^addword(Sir, PLACE, 1)".replace("PLACE", place).as_str()],
            &format!("a → {answer}"),
        );
    }
    play(&["u:(a) good day\ns:(day) ^addword(Sir, end, 0)"], "a → good day");
}

// Matching.

#[test]
fn a_sentence_may_have_more_words_than_the_rule() {
    play(&["u:(b) ok"], "a b c → ok");
    play(&["u:(a ^exact) ok\nu:(^exact b c) fine"], "a → ok; a b → –; b a → –; b c → fine; b c d → –");
}
#[test]
fn wildcards_take_a_word_at_least() {
    play(&["u:(a * b) ok"], "a b → –; a x b → ok; a x y b → ok");
    play(&["u:(a {*} b) ok"], "a b → ok; a x y b → ok; b a → –");
    play(&["u:(a *) ok"], "a → –; a x → ok");
}
#[test]
fn a_word_that_must_not_be_said() {
    play(&["u:(tea !no) ok"], "tea → ok; no tea → –; tea no → –");
    play(
        &["u:(tea !\"not now\") ok\nu:(milk ![no never]) fine"],
        "tea now → ok; tea not now → –; never milk → –; milk → fine",
    );
}
#[test]
fn accents_count_if_a_rule_has_them() {
    play(&["u:(a été) un\nu:(a ete) deux"], "a été → un; a ete → deux");
    play(&["u:(a été) un"], "a ete → un; A ÉTÉ → un");
}
#[test]
fn japanese_is_compared_by_characters() {
    play(&["u:(行く) はい\nu:(_*が好き) $1ですね"], "東京へ行くよ → はい; いく → –; 猫が好きです → 猫ですね");
}
#[test]
fn a_literal_rule_beats_a_wildcard_that_stands_before_it() {
    play(&["u:(go *) wild\nu:(go home) literal"], "go home → literal; go away → wild");
    play(&["u:(*) all\nu:(home) literal"], "go home → literal; go → all");
}
#[test]
fn less_priority_loses() {
    play(&["u:(go home ^lessPriority) less\nu:(go) more"], "go home → more");
    play(&["u:(a ^lessPriority) less"], "a → less");
}
#[test]
fn the_first_of_two_equal_rules_answers() {
    play(&["u:(a) one\nu:(a) two"], "a → one");
}
#[test]
fn repeat_takes_up_to_ten_in_any_order() {
    let topic = "u:(^repeat[a b \"c d\"] end) ok";
    play(&[topic], "a end → ok; b a c d a end → ok; end → –; c end → –");
    play(&["u:(^exact ^repeat[a] end) ok"], &format!("{0} end → ok; a {0} end → –", "a ".repeat(10).trim()));
}
#[test]
fn captures_are_as_they_were_said() {
    play(&["u:(I am _*) hi $1"], "I am Ann-Marie O'Neil! → hi Ann-Marie O'Neil");
    play(
        &["concept:(c) [\"Big apple\"]\nu:(_~c) $1\nu:(from _[a b] _\"x y\") $2 $1"],
        "the BIG Apple → BIG Apple; from B X y → X y B",
    );
}
#[test]
fn there_is_no_limit_to_captures() {
    play(&["u:(_a _b _c _d _e _f _g _h _i _j _k) $11 $10 $1"], "a b c d e f g h i j k → k j a");
}
#[test]
fn captures_live_for_one_answer() {
    play(&["u:(a _*) $1 $x=$1\nu:(b) ^first[\"$1 there\" \"none, $x\"]"], "a one → one; b → none, one");
}
#[test]
fn a_condition_stands_beside_words() {
    play(
        &["u:(set _*) ok $v=$1\nu:(go $v==one) first\nu:($v==two go) second"],
        "go → –; set one → ok; go → first; set two → ok; go → second",
    );
}
#[test]
fn conditions_compare_numbers_and_text() {
    let topic = "u:(n _*) ok $n=$1\nu:(t) [\"^first[\"$n==5 same\" \"$n<5 less\" \"$n>5 more\" \"$n<>5 other\"]\"]";
    play(&[topic], "n 5 → ok; t → same; n 4 → ok; t → less; n 10 → ok; t → more; n five → ok; t → other");
    play(
        &["u:(n _*) ok $n=$1\nu:(t) ^first[\"$n==\"big Cat\" yes\" no]"],
        "n Big cat! → ok; t → yes; n cat → ok; t → no",
    );
}
#[test]
fn a_condition_on_nothing_is_false() {
    play(&["u:(t) ^first[\"$n==5 a\" \"$n<>5 b\" c]"], "t → c");
}
#[test]
fn a_variable_in_an_input_is_its_value() {
    play(
        &["u:(call me _*) ok $name=$1\nu:(I am $name) hi"],
        "I am ann → –; call me Ann Lee → ok; I am ann lee → hi; I am bob → –",
    );
}
#[test]
fn an_event_or_words() {
    play(&["u:([e:Touched hello]) hi"], "raise:Touched → hi; hello → hi");
    play(&["u:([$x==1 e:Touched]) hi"], "raise:Touched → hi; raise:x=1 → –; raise:Touched → hi");
}
#[test]
fn an_event_and_then_words() {
    play(&["u:(\"e:Touched hello\") hi"], "hello → –; raise:Touched → –; hello → hi; hello → –");
    play(
        &["u:(e:Service.signal) hi\nu:(e:Device/Key-x_1) there"],
        "raise:Service.signal → hi; raise:Device/Key-x_1 → there",
    );
}
#[test]
fn events_wait_while_the_robot_speaks() {
    let mut chat = chat(&["u:(a) long answer\nu:(e:k) event\nu:(e:j) other"]);
    chat.dialog.hear(&mut chat.world, "a");
    assert!(chat.dialog.is_speaking());
    // The second of the same name is dropped.
    for key in ["k", "k", "j"] {
        chat.dialog.event(&mut chat.world, key);
    }
    assert_eq!(chat.settle(), "long answer event other");
}
#[test]
fn rules_are_looked_for_in_four_sections() {
    let topics = [
        "~a\nu:(talk) a\nu:(x) a\nrecover:\nu:(y) a",
        "~b\nu:(speak) b\nu:(x) b\nu:(y *) b",
        "~f ^fallback\nu:(x) f\nu:(z) f\nu:(*) f",
    ];
    play(&topics, "x → a; speak → b; x → b; talk → a; x → a; y → a; y y → b; z → f; q → f");
}
#[test]
fn a_fallback_topic_has_the_last_word_even_if_it_fits_better() {
    play(&["~f ^fallback\nu:(one two three) f", "~a\nu:(* three) a"], "one two three → a");
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
