//! A case for each part of the language.

use crate::chat::{chat, play, play_with};

#[test]
fn c01_words() {
    play(&["u:(good day) welcome"], "good day → welcome");
}
#[test]
fn c02_more_words() {
    play(&["u:(ball) I like balls"], "do you have a ball today → I like balls");
}
#[test]
fn c03_exact() {
    play(&["u:(ball ^exact) just a ball"], "a ball → –; ball → just a ball");
}
#[test]
fn c04_case_and_punctuation() {
    play(&["u:(what's up) fine"], "What's up? → fine");
}
#[test]
fn c05_cycle() {
    play(&["u:([red blue]) [one two]"], "red → one; blue → two; red → one");
}
#[test]
fn c06_phrases() {
    play(&["u:([\"good night\" bye]) sleep well"], "bye → sleep well; good night → sleep well; good → –");
}
#[test]
fn c07_options() {
    play(&["u:(come {over} here) yes"], "come here → yes; come over here → yes; come right here → –");
}
#[test]
fn c08_wildcard() {
    play(&["u:(paint it * please) ok"], "paint it dark green please → ok; paint it please → –");
}
#[test]
fn c09_capture() {
    play(&["u:(I drink _[tea coffee]) $1 it is"], "I drink coffee → coffee it is");
}
#[test]
fn c10_two_captures() {
    play(&["u:(from _[paris rome] to _[london oslo]) $1 then $2"], "from rome to oslo → rome then oslo");
}
#[test]
fn c11_concept() {
    let topic = "concept:(fruit) [apple \"passion fruit\"]\nu:(give me a _~fruit) one $1";
    play(&[topic], "give me a passion fruit → one passion fruit");
}
#[test]
fn c12_nested_concept() {
    let topic = "concept:(citrus) [lime lemon]\nconcept:(fruit) [plum ~citrus]\nu:(suggest) ~fruit";
    play(&[topic], "suggest → plum; suggest → lime; suggest → lemon; suggest → plum");
}
const WHO: &str = "u:(call me _[ann bob]) hi $1 $who=$1\nu:(who am I) ^first[\"you are $who\" \"no idea\"]\n";
#[test]
fn c13_variable() {
    play(&[WHO], "who am I → no idea; call me ann → hi ann; who am I → you are ann");
}
#[test]
fn c14_clear() {
    let topic = format!("{WHO}u:(forget me) done ^clear(who)");
    play(&[&topic], "call me ann → hi ann; who am I → you are ann; forget me → done; who am I → no idea");
}
#[test]
fn c15_condition() {
    play(&["u:(ten) ok $n=10\nu:(check) ^first[\"$n>5 big\" \"small\"]"], "check → small; ten → ok; check → big");
}
const CHESS: &str = "u:(play) chess or go\nu1:(chess) which side\nu2:(white) you start\nu1:(go) big board\n";
#[test]
fn c16_scopes() {
    play(&[CHESS], "white → –; play → chess or go; chess → which side; go → –; white → you start");
}
#[test]
fn c17_scope_closes() {
    play(&[&format!("{CHESS}u:(stop) fine")], "play → chess or go; stop → fine; chess → –");
}
#[test]
fn c18_stay_in_scope() {
    let topic = "u:(play) chess or go\nu1:(chess) which side ^stayInScope\nu2:(white) you start\nu1:(go) big board ^stayInScope\n";
    play(&[topic], "play → chess or go; chess → which side; go → big board");
}
#[test]
fn c19_proposals() {
    play(&["proposal: a\nproposal: b\nu:(next) ^nextProposal"], "next → a; next → b; next → –");
}
#[test]
fn c20_goto_reactivate() {
    let topic = "proposal: %p hear this\nu:(again) so, ^gotoReactivate(p)";
    play(&[topic], "again → so, hear this; again → so, hear this");
}
#[test]
fn c21_goto() {
    play(&["u:(how are things) %h all good\nu:(hello) hi ^goto(h)"], "hello → hi all good");
}
#[test]
fn c22_proposals_again() {
    let topic = "proposal: one\nproposal: two\nu:(next) ^nextProposal\nu:(repeat) again ^sameProposal\nu:(back) ^previousProposal";
    play(&[topic], "next → one; repeat → again one; next → two; back → one");
}
#[test]
fn c23_tags_in_answers() {
    let topic = "u:(say it) %x secret\nu:(hide) ok ^deactivate(x)\nu:(show) ok ^activate(x)\nu:(e:Dialog/SpeakFailure) no words";
    play(&[topic], "say it → secret; hide → ok; say it → no words; show → ok; say it → secret");
}
#[test]
fn c24_tags_in_inputs() {
    let mut chat = chat(&["u:(say it %x) secret\nu:(e:Dialog/NotUnderstood) pardon"]);
    play_with(&mut chat, "say it → secret");
    chat.dialog.set_tag("x", "t", false).unwrap();
    play_with(&mut chat, "say it → pardon");
}
#[test]
fn c25_private() {
    let topics = [
        "~a\nu:(talk cars) cars\nu:^private(fast ones) red ones",
        "~b\nu:(talk boats) boats\nu:^private(fast ones) with sails",
    ];
    let talk = "fast ones → –; talk cars → cars; fast ones → red ones; talk boats → boats; fast ones → with sails";
    play(&topics, talk);
}
#[test]
fn c26_no_stay() {
    let topics = ["~a\nu:(cars) yes\nu:(more) more cars", "~b ^noStay\nu:(time) noon\nu:(more) more time"];
    play(&topics, "cars → yes; time → noon; more → more cars");
}
#[test]
fn c27_recover() {
    play(&["u:(robot) I am one\nrecover:\nu:(hello) hi"], "hello robot → I am one; hello → hi");
}
#[test]
fn c28_fallback() {
    play(&["~a\nu:(cat) meow", "~f ^fallback\nu:(*) I do not know"], "cat → meow; dog → I do not know");
}
#[test]
fn c29_event_with_condition() {
    let topic = "u:(e:FrontTactilTouched $FrontTactilTouched==1) touched";
    play(&[topic], "raise:FrontTactilTouched=0 → –; raise:FrontTactilTouched=1 → touched");
}
#[test]
fn c30_event_of_a_variable() {
    play(&["u:(go) going $step=1\nu:(e:step) stepped"], "go → going stepped");
}
#[test]
fn c31_dynamic_concept() {
    let mut chat = chat(&["dynamic:song\nu:(play _~song) playing $1"]);
    play_with(&mut chat, "play blue sky → –");
    chat.dialog.set_concept("song", "English", vec!["blue sky".into()]);
    play_with(&mut chat, "play blue sky → playing blue sky");
}
#[test]
fn c32_growing_concept() {
    let topic = "concept:(toy) [car doll]\ndynamic:box\nu:(put the _~toy in) ok ^addToConcept(~box, $1)\nu:(how many) ^size(~box)\nu:(what is in) ^enumerate(~box)";
    play(&[topic], "put the car in → ok; put the doll in → ok; how many → 2; what is in → car doll");
}
#[test]
fn c33_call() {
    let topic = "u:(what now) look ^call(Clock.part())\nc1:(_*) it is $1\nc1:(night) sleep well\ne1: no clock";
    let mut chat = chat(&[topic]);
    play_with(&mut chat, "what now → look no clock");
    for (part, answer) in [("noon", "look it is noon"), ("night", "look sleep well")] {
        chat.world.results.insert("Clock.part".into(), Ok(part.into()));
        play_with(&mut chat, &format!("what now → {answer}"));
    }
}
#[test]
fn c35_skin() {
    play(&["u:(hi) hello friend\ns:(hello friend) ^replace(friend, Ann, 1)"], "hi → hello Ann");
}
#[test]
fn c36_definition() {
    let topic = "def:age($a) ^first[\"$a>17 adult\" \"child\"]\nu:(I am _[10 40]) you are ^age($1)";
    play(&[topic], "I am 40 → you are adult; I am 10 → you are child");
}
#[test]
fn c37_empty() {
    play(&["u:(knock) [^empty \"who is there\"]"], "knock → –; knock → who is there");
}
#[test]
fn c38_beside() {
    let topic = "u:(I like trains) me too\nl:(I like _*) $liked=$1\nu:(what do I like) you like $liked";
    play(&[topic], "I like trains → me too; what do I like → you like trains");
}
#[test]
fn c39_properties() {
    let hello = "~a\nu:(hello) hi";
    for (property, answer) in
        [("postProcess", "hi and welcome"), ("preProcess", "and welcome hi"), ("preProcessReplace", "and welcome")]
    {
        play(&[hello, &format!("~b ^{property}\nu:(hello) and welcome")], &format!("hello → {answer}"));
    }
}
#[test]
fn c40_silence() {
    let topic = "u:(hi) hello\nu:(e:Dialog/NotSpeaking10) still there";
    play(&[topic], "hi → hello; wait:9.9 → –; wait:0.2 → still there; wait:60 → –");
}
