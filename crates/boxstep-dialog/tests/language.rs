//! A conversation for each sentence of the language's description that `cases.rs` does not have.

use crate::chat::{chat, play, play_with};
use boxstep_dialog::{Conversation, read_topic};
use boxstep_types::Value;

/// The variables of the world, as text.
fn variable(chat: &Conversation, key: &str) -> String {
    chat.world
        .variables
        .get(key)
        .map_or_else(String::new, |value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
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
    const SAYS: &str = "^first[\"$Dialog/FocusDescription\" none]";
    let mut chat = chat(&[
        &format!(
            "~a\ndescription: about cars\nu:(cars) yes {SAYS}\nu:(b) ^releaseFocus ok\nu:(boats) ^topicTag(c, at)"
        ),
        &format!("~c\nu:(planes) $Dialog/Focus {SAYS}\nu:(ships) %at $Dialog/Focus"),
        &format!("~d ^noStay\nu:(sea) still {SAYS}"),
    ]);
    // The answer that brings the focus has it already, also by a jump; one that does not bring it does not.
    play_with(&mut chat, "sea → still none; cars → yes about cars; sea → still about cars");
    play_with(&mut chat, "planes → c none; cars → yes about cars; boats → c; sea → still none; cars → yes about cars");
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
