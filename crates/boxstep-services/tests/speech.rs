//! ALTextToSpeech, ALAnimatedSpeech, ALSpeechRecognition, ALDialog.

use crate::harness::{Harness, list, near, s, strings};
use boxstep_types::Value;

#[test]
fn sentences_are_spoken_one_after_another() {
    let mut h = Harness::nao();
    h.listen("ALTextToSpeech/TextDone");
    let first = h.post("ALTextToSpeech.say", &[s("\\RSPD=100\\ \\VCT=100\\ Hello my friend! \\RST\\ ")]);
    let second = h.post("ALAnimatedSpeech.say", &[s("^start(animations/Stand/Gestures/Hey_1) Bye bye")]);
    assert_eq!(h.texts("say"), ["Hello my friend!"]);
    h.wait(20.0);
    assert_eq!(h.texts("say"), ["Hello my friend!", "Bye bye"]);
    let (a, b) = (h.answers[&first].0, h.answers[&second].0);
    assert!(a.as_secs_f64() > 0.5 && b > a, "{a} {b}");
    assert_eq!(h.acts.iter().find(|a| a.1.text == "Bye bye").unwrap().0, a);
    assert_eq!(h.seen("ALTextToSpeech/TextDone"), [0, 1, 0, 1].map(Value::from));
    let data = &h.acts.last().unwrap().1.data;
    assert_eq!(strings(data.get("animations").unwrap()), ["^start(animations/Stand/Gestures/Hey_1)"]);
}

#[test]
fn speed_changes_the_time() {
    let mut h = Harness::nao();
    let text = [s("a sentence that is long enough to be measured")];
    let normal = h.takes("ALTextToSpeech.say", &text);
    h.get("ALTextToSpeech.setParameter", &[s("speed"), 50.into()]);
    near(h.takes("ALTextToSpeech.say", &text), (2.0 * normal * 1e9).round() / 1e9);
    h.get("ALTextToSpeech.resetSpeed", &[]);
    let paused = h.takes("ALTextToSpeech.say", &[s("a sentence that is long \\PAU=1500\\ enough to be measured")]);
    near(paused, normal + 1.5);
    near(h.takes("ALTextToSpeech.say", &[s("")]), 0.0);
}

#[test]
fn stop_all_ends_every_sentence() {
    let mut h = Harness::nao();
    h.listen("ALTextToSpeech/Status");
    let a = h.post("ALTextToSpeech.say", &[s("one long sentence that will not be finished")]);
    let b = h.post("ALTextToSpeech.say", &[s("two")]);
    h.wait(0.5);
    h.get("ALTextToSpeech.stopAll", &[]);
    assert!(h.done(a) && h.done(b));
    let how: Vec<_> = h.seen("ALTextToSpeech/Status").iter().map(|v| v.as_list().unwrap()[1].clone()).collect();
    assert_eq!(how, ["enqueued", "started", "enqueued", "stopped", "thrown"].map(s));
    // A stopped call ends its own sentence only.
    let c = h.post("ALTextToSpeech.say", &[s("three is long enough")]);
    let d = h.post("ALTextToSpeech.say", &[s("four")]);
    h.wait(0.1);
    h.cancel(c);
    assert_eq!(h.texts("say").last().map(String::as_str), Some("four"));
    h.wait(5.0);
    assert!(h.done(d));
}

#[test]
fn words_and_marks_reach_subscribers() {
    let mut h = Harness::nao();
    h.listen("ALTextToSpeech/CurrentWord");
    h.listen("ALTextToSpeech/CurrentBookMark");
    h.get("ALTextToSpeech.say", &[s("one \\MRK=7\\ two")]);
    assert_eq!(h.seen("ALTextToSpeech/CurrentWord"), [s("one"), s("two")]);
    assert_eq!(h.seen("ALTextToSpeech/CurrentBookMark"), [Value::Int(7)]);
}

#[test]
fn languages_and_voices() {
    let mut h = Harness::nao();
    h.get("ALTextToSpeech.setLanguage", &[s("French")]);
    assert_eq!(h.get("ALTextToSpeech.getLanguage", &[]), s("French"));
    assert_eq!(h.get("ALTextToSpeech.locale", &[]), s("fr_FR"));
    assert_eq!(boxstep_engine::services::Services::language(&h.robot), "French");
    assert!(h.why("ALTextToSpeech.setLanguage", &[s("Klingon")]).contains("`Klingon` is not installed"));
    assert_eq!(h.get("ALSpeechRecognition.getLanguage", &[]), s("English"));
    assert!(strings(&h.get("ALTextToSpeech.getAvailableLanguages", &[])).contains(&"Japanese".to_owned()));
    h.get("ALAnimatedSpeech.setBodyLanguageModeFromStr", &[s("random")]);
    assert_eq!(h.get("ALAnimatedSpeech.getBodyLanguageMode", &[]), Value::Int(1));
    assert!(h.why("ALAnimatedSpeech.setBodyLanguageMode", &[Value::Int(9)]).contains("must be 0"));
}

#[test]
fn recognition_listens_and_words_come_from_outside() {
    let mut h = Harness::nao();
    h.get("ALSpeechRecognition.pushContexts", &[]);
    h.get("ALSpeechRecognition.setVocabulary", &[list(["yes", "no"]), false.into()]);
    assert_eq!(h.texts("listen"), ["yes, no"]);
    h.listen("WordRecognized");
    h.raise("WordRecognized", list([s("yes"), 0.6.into()]));
    assert_eq!(h.seen("WordRecognized"), [list([s("yes"), 0.6.into()])]);
    assert_eq!(h.get("ALMemory.getData", &[s("WordRecognized")]), list([s("yes"), 0.6.into()]));
    h.get("ALSpeechRecognition.popContexts", &[]);
    h.get("ALSpeechRecognition.subscribe", &[s("me")]);
    assert_eq!(h.texts("listen").len(), 1, "nothing is left to listen for");
    assert!(h.why("ALSpeechRecognition.setVocabulary", &[list([""]), false.into()]).contains("empty"));
}

#[test]
fn a_dialog_file_gives_the_topic_of_the_language() {
    let folder = std::env::temp_dir().join(format!("boxstep-robot-{}-dialog", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("two.dlg", "multilanguage:two\n  enu:two_enu.top\n  frf:two_frf.top\n");
    write("two_enu.top", "topic: ~two()\nlanguage: enu\n");
    write("two_frf.top", "topic: ~deux()\nlanguage: frf\n");
    let file = s(&folder.join("two.dlg").to_string_lossy());
    let mut h = Harness::nao();
    assert_eq!(h.get("ALDialog._addDialogFromTopicBox", &[file.clone(), s("folder")]), s("two"));
    h.get("ALDialog.setLanguage", &[s("French")]);
    assert_eq!(h.get("ALDialog._addDialogFromTopicBox", &[file.clone(), s("folder")]), s("deux"));
    h.get("ALDialog.setLanguage", &[s("Spanish")]);
    assert_eq!(
        h.get("ALDialog._addDialogFromTopicBox", &[file, s("folder")]),
        s("two"),
        "the first for want of a Spanish one"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn memory_has_the_state_of_the_dialog() {
    let mut h = Harness::nao();
    let mut started = |method: &str| {
        h.get(method, &[]);
        h.get("ALMemory.getData", &[s("Dialog/IsStarted")])
    };
    assert_eq!(started("ALDialog.stopDialog"), 0.into());
    assert_eq!(started("ALDialog.runDialog"), 1.into());
    assert_eq!(started("ALDialog._stopMain"), 0.into());
}

#[test]
fn dialog_loads_topics_and_answers() {
    let mut h = Harness::nao();
    let topic = "topic: ~greetings()\nlanguage: enu\nu:(hello) hi there\n";
    assert_eq!(h.get("ALDialog.loadTopicContent", &[s(topic)]), s("greetings"));
    h.get("ALDialog.activateTopic", &[s("greetings")]);
    assert_eq!(strings(&h.get("ALDialog.getActivatedTopics", &[])), ["greetings"]);
    h.get("ALDialog.forceInput", &[s("Hello!")]);
    assert_eq!(h.texts("say"), ["hi there"]);
    assert_eq!(h.get("ALDialog.getFocus", &[]), s("greetings"));
    h.get("ALDialog.deactivateTopic", &[s("greetings")]);
    h.get("ALDialog.unloadTopic", &[s("greetings")]);
    assert!(h.why("ALDialog.activateTopic", &[s("greetings")]).contains("no topic `greetings`"));
    assert!(h.why("ALDialog.loadTopic", &[s("/no/such/topic.top")]).contains("/no/such/topic.top"));
    assert!(h.why("ALDialog.loadTopicContent", &[s("u:(hello) hi")]).contains("not a topic"));
}
