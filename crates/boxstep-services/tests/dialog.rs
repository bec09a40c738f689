//! The robot's dialog, as scripts and people use it.

use crate::harness::{Harness, s};
use boxstep_engine::services::{Services as _, Topic};
use boxstep_types::Value;

fn hear(h: &mut Harness, text: &str) {
    h.with(|robot, cx| assert!(robot.hear(cx, text)));
}

fn load(h: &mut Harness, rules: &str) {
    h.get("ALDialog.loadTopicContent", &[s(&format!("topic: ~t()\nlanguage: enu\n{rules}\n"))]);
    h.get("ALDialog.activateTopic", &[s("t")]);
}

#[test]
fn what_is_said_reaches_topics_and_vocabularies_and_somebody_is_told_if_nobody_listens() {
    let mut h = Harness::nao();
    hear(&mut h, "yes");
    assert!(h.warnings[0].contains("nobody listens to “yes”"), "{:?}", h.warnings);
    h.get("ALSpeechRecognition.setVocabulary", &[Value::list([s("yes"), s("yes please")]), true.into()]);
    h.get("ALSpeechRecognition.subscribe", &[s("me")]);
    hear(&mut h, "Oh yes please!");
    let word = h.get("ALMemory.getData", &[s("WordRecognized")]);
    assert_eq!(word, Value::list([s("<...> yes please <...>"), Value::Float(1.0)]));
    load(&mut h, "u:(yes) good");
    hear(&mut h, "yes");
    assert_eq!(h.texts("say"), ["good"]);
    assert_eq!(h.warnings.len(), 1, "{:?}", h.warnings);
}

#[test]
fn who_subscribes_to_sentences_hears_them_in_turn_and_in_silence_without_a_topic() {
    let mut h = Harness::nao();
    let listened = Topic::Memory("Dialog/LastInput".into());
    h.with(|robot, cx| robot.subscribe(cx, &listened, true).unwrap());
    let last = |h: &mut Harness| h.get("ALMemory.getData", &[s("Dialog/LastInput")]);
    hear(&mut h, "one");
    hear(&mut h, "two");
    assert_eq!(last(&mut h), s("one"));
    h.wait(0.2);
    assert_eq!(last(&mut h), s("two"));
    h.post("ALTextToSpeech.say", &[s("a sentence of some length")]);
    hear(&mut h, "three");
    h.wait(0.5);
    assert_eq!(last(&mut h), s("two"), "the robot speaks");
    h.wait(5.0);
    assert_eq!(last(&mut h), s("three"));
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
}

#[test]
fn variables_are_keys_of_the_memory_and_change_when_the_sentence_was_said() {
    let mut h = Harness::nao();
    load(&mut h, "u:(count _[one two]) as you say $n=$1\nu:(e:n) I noted $n");
    hear(&mut h, "count two");
    assert!(h.why("ALMemory.getData", &[s("n")]).contains("no data"));
    h.wait(5.0);
    assert_eq!(h.get("ALMemory.getData", &[s("n")]), s("two"));
    assert_eq!(h.texts("say"), ["as you say", "I noted two"]);
}

#[test]
fn a_memory_event_and_a_touch_are_answered() {
    let mut h = Harness::nao();
    load(&mut h, "u:(e:FrontTactilTouched $FrontTactilTouched==1) hey\nu:(e:mine) yours $mine");
    h.with(|robot, cx| robot.raise(cx, "FrontTactilTouched", Value::Float(1.0)));
    h.wait(5.0);
    h.get("ALMemory.raiseEvent", &[s("mine"), s("too")]);
    h.wait(5.0);
    assert_eq!(h.texts("say"), ["hey", "yours too"]);
}

#[test]
fn users_tags_concepts_and_focus_are_those_of_the_calls() {
    let mut h = Harness::nao();
    load(
        &mut h,
        "dynamic:song\nu:(play _~song) $1 it is\nu:(secret %x) hush\nu:(who) $user/name\nproposal: %p shall we\n",
    );
    let words = |words: &[&str]| Value::list(words.iter().map(|word| s(word)));
    h.get("ALDialog.setConcept", &[s("song"), s("English"), words(&["blue sky"])]);
    assert_eq!(h.get("ALDialog.getConcept", &[s("song"), s("English")]), words(&["blue sky"]));
    h.get("ALDialog.deactivateTag", &[s("x"), s("t")]);
    h.get("ALDialog.openSession", &[3.into()]);
    h.get("ALDialog.insertUserData", &[s("name"), s("Ann"), 3.into()]);
    assert_eq!(h.get("ALDialog.getUserData", &[s("name"), 3.into()]), s("Ann"));
    for text in ["play blue sky", "secret", "who"] {
        hear(&mut h, text);
        h.wait(5.0);
    }
    h.get("ALDialog.gotoTopic", &[s("t")]);
    h.wait(5.0);
    assert_eq!(h.texts("say"), ["blue sky it is", "Ann", "shall we"]);
    assert_eq!(h.get("ALDialog.getFocus", &[]), s("t"));
    assert!(h.why("ALDialog.setFocus", &[s("nobody")]).contains("no topic `nobody`"));
    let broken = "topic: ~b()\nlanguage: enu\nu:(a [b) c";
    assert!(h.why("ALDialog.loadTopicContent", &[s(broken)]).contains("topic:3:"));
}

#[test]
fn thresholds_and_gestures_are_those_that_were_set() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALDialog.getAllConfidenceThresholds", &[]), Value::map([("", Value::Null); 0]));
    h.get("ALDialog.setConfidenceThreshold", &[s("BNF"), 0.3.into()]);
    h.get("ALDialog.setConfidenceThreshold", &[s("BNF"), 0.7.into(), s("French")]);
    let of = |h: &mut Harness, language: &str| h.get("ALDialog.getConfidenceThreshold", &[s("BNF"), s(language)]);
    assert_eq!((of(&mut h, "French"), of(&mut h, "English")), (0.7.into(), 0.3.into()));
    let set = |value: f64| Value::map([("BNF", Value::Float(value))]);
    assert_eq!(h.get("ALDialog.getAllConfidenceThresholds", &[]), Value::map([("", set(0.3)), ("French", set(0.7))]));
    h.get("ALDialog.removeAllLanguageThresholds", &[]);
    assert_eq!(of(&mut h, "French"), 0.3.into());
    let gestures = Value::map([("bodyLanguageMode", s("random"))]);
    h.get("ALDialog.setAnimatedSpeechConfiguration", &[gestures.clone()]);
    assert_eq!(h.get("ALDialog.getAnimatedSpeechConfiguration", &[]), gestures);
}

#[test]
fn what_does_not_exist_is_told() {
    let mut h = Harness::nao();
    load(&mut h, "dynamic:d\nu:(a %x) ^call(Nobody) b");
    let words = Value::list([s("w")]);
    assert!(h.why("ALDialog.setConcept", &[s("d"), s("Klingon"), words]).contains("`Klingon` is no language"));
    h.get("ALDialog.deactivateTag", &[s("%x"), s("t")]);
    h.get("ALDialog.activateTag", &[s("x"), s("t")]);
    assert!(h.warnings.is_empty(), "{:?}", h.warnings);
    h.get("ALDialog.deactivateTag", &[s("y"), s("t")]);
    assert_eq!(h.warnings, ["the topic `t` has no tag `y`"]);
    hear(&mut h, "a");
    assert_eq!(h.warnings[1], "topic:4: `^call` needs Service.method(arguments), not `Nobody`");
}

#[test]
fn the_robot_and_the_time_of_day_are_variables() {
    let mut h = Harness::pepper();
    // The robot's day begins at midnight.
    load(&mut h, "u:(who) $Dialog/RobotModel $Dialog/Night $Dialog/Morning %who\nu:(e:Dialog/Tag) tag $Dialog/Tag");
    hear(&mut h, "who");
    h.wait(9.0);
    assert_eq!(h.texts("say"), ["juliette 1 0", "tag who"]);
}

#[test]
fn a_dialog_in_another_language_stands_in_with_what_it_includes() {
    let folder = std::env::temp_dir().join(format!("boxstep-robot-{}-stands-in", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    put("d.dlg", "multilanguage:d\nfrf:d_frf.top\n");
    put("d_frf.top", "topic: ~d()\nlanguage: frf\ninclude: more.top\nu:(~salut) bonjour\nu:(~yes) d'accord\n");
    put(
        "more.top",
        "topic: ~more()\nlanguage: frf\ninclude: lexicon_frf.top\nconcept:(salut) [salut]\nu:(encore) plus\n",
    );
    let mut h = Harness::nao();
    // A topic in the robot's language keeps its concepts.
    load(&mut h, "include: lexicon_enu.top\nu:(really ~yes) good");
    h.get("ALDialog.loadTopic", &[s(folder.join("d.dlg").to_str().unwrap())]);
    h.get("ALDialog.activateTopic", &[s("d")]);
    for text in ["salut", "encore", "really yes"] {
        hear(&mut h, text);
        h.wait(5.0);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(h.texts("say"), ["bonjour", "plus", "good"]);
}
