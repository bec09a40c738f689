//! Scripts that change while they run (`docs/guides/reload.md`).

use crate::support::*;
use boxstep_engine::config::{Config, Control, Reloaded};
use boxstep_engine::protocol::ScriptSource;
use boxstep_engine::trace::{EndReason, Footer};
use boxstep_types::{Time, Value};
use std::sync::{Arc, Mutex};

const START: &str = "onInput_onStart";

/// These boxes, and one beside them with a timer, so that virtual time goes on.
fn beside_a_timer(boxes: &str) -> String {
    root(&(boxes.to_owned() + &boxed("Timer", 9, "", "") + &link(0, 2, 9, 2)))
}

/// A box that nothing starts by itself.
fn one() -> String {
    beside_a_timer(&boxed("A", 1, POKE, ""))
}

/// An input that only some scripts handle.
const POKE: &str = r#"<Input name="poke" type="1" type_size="1" nature="3" inner="0" tooltip="" id="5"/>"#;

/// `root/A` has this text from now on; it stands from line 10 of the file.
fn script(path: &str, text: &str) -> Control {
    let file = "behavior.xar".into();
    Control::Script(Arc::new(ScriptSource {
        text: text.into(),
        is_program: false,
        args: None,
        file,
        first_line: 10,
        path: path.parse().unwrap(),
    }))
}

fn poke(path: &str, port: &str) -> Control {
    Control::Stimulate { path: path.parse().unwrap(), port: port.to_owned(), value: Value::Null }
}

/// Says its name wherever it is called.
fn telling(name: &'static str) -> Scripts {
    let words: [(&str, &'static str); 2] = match name {
        "A" => [("onLoad", "A loads"), ("onUnload", "A unloads")],
        _ => [("onLoad", "new loads"), ("onUnload", "new unloads")],
    };
    let start = if name == "A" { "A starts" } else { "new starts" };
    let mut scripts: Scripts = words.into_iter().map(|(method, text)| ((name, method), vec![Log(text)])).collect();
    scripts.insert((name, START), vec![Log(start), Out("onStopped", Value::Null)]);
    scripts
}

/// The old script A, and what is taken in its place.
fn both() -> Scripts {
    let timer = (("Timer", START), vec![Every(1.0, 1.0)]);
    telling("A").into_iter().chain(telling("new")).chain([timer]).collect()
}

/// Until the tenth second, and only what is said of the box and of the reload.
fn told(run: Run) -> (Vec<String>, Footer) {
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    assert_eq!(footer.reason, EndReason::Ended, "{lines:#?}");
    let lines = lines.into_iter().filter(|l| l.contains(" root/A log") || l.contains("reload ")).collect();
    (lines, footer)
}

#[test]
fn a_loaded_box_is_unloaded_and_loaded_with_its_new_script() {
    let run = Run::new(&one(), both()).control(1.0, script("root/A", "new")).control(2.0, poke("root/A", "onStart"));
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    let of_box = lines.iter().filter(|l| l.starts_with("1.000") && !l.contains("call") && !l.contains("returned"));
    let expected = [
        "1.000 root/A log A unloads",
        "1.000 root/A destroyed",
        "1.000 root/A constructed",
        "1.000 root/A log new loads",
        "1.000 root/A reload taken: has its new script",
    ];
    assert_eq!(of_box.collect::<Vec<_>>(), expected);
    assert_eq!(only(&lines, &["log"])[3..], ["2.000 root/A log new starts", "10.000 root/A log new unloads"]);
    assert_eq!(footer.deterministic, Err("the behavior was changed while it ran".to_owned()));
    assert_eq!((footer.errors, footer.warnings), (0, 0));
}

#[test]
fn the_box_stays_loaded_and_its_neighbours_hear_nothing() {
    let xml = beside_a_timer(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "") + &link(1, 4, 2, 2)));
    let mut scripts = both();
    scripts.insert(("A", "onUnload"), vec![Out("onStopped", Value::Null)]);
    scripts.insert(("B", START), vec![Log("B starts")]);
    let (lines, footer) =
        Run::new(&xml, scripts).control(1.0, script("root/A", "new")).control(2.0, Control::Stop).finish();
    assert_eq!(only(&lines, &["B starts"]), [""; 0], "{lines:#?}");
    assert_eq!(only(&lines, &["dropped"]), ["1.000 root/A dropped onStopped null: the box's script is being changed"]);
    assert_eq!(only(&lines, &["root/A unloaded", "root/A loaded"]).len(), 2, "only at both ends: {lines:#?}");
    assert_eq!(footer.dropped, 1);
}

#[test]
fn whoever_wants_to_know_is_told_which_box_has_which_script_and_no_sooner() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("raises", "__init__"), vec![Raise]);
    let mut run = Run::new(&one(), scripts)
        .control(1.0, poke("root/A", "onStart"))
        .control(2.0, script("root/A", "new"))
        .control(5.0, script("root/A", "raises"))
        .control(10.0, Control::Stop);
    let heard = Arc::new(Mutex::new(Vec::new()));
    let keep = heard.clone();
    run.engine.on_reload(move |what| {
        if let Reloaded::Script(path, script) = what {
            keep.lock().unwrap().push((path.to_string(), script.text.to_string()));
        }
    });
    let (lines, _) = run.finish();
    assert_eq!(only(&lines, &["reload taken"]), ["3.000 root/A reload taken: has its new script"]);
    assert_eq!(only(&lines, &["reload refused"]).len(), 1, "{lines:#?}");
    assert_eq!(*heard.lock().unwrap(), [("root/A".to_owned(), "new".to_owned())]);
}

#[test]
fn a_script_that_runs_is_waited_for() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Log("A starts"), Sleep(2.0), Log("A goes on"), Out("onStopped", Value::Null)]);
    let run = Run::new(&one(), scripts).control(1.0, poke("root/A", "onStart")).control(2.0, script("root/A", "new"));
    let (lines, _) = told(run);
    let expected = [
        "0.000 root/A log A loads",
        "1.000 root/A log A starts",
        "2.000 root/A reload waiting: its new script waits until the box is not running, or for its next start",
        "3.000 root/A log A goes on",
        "3.000 root/A log A unloads",
        "3.000 root/A log new loads",
        "3.000 root/A reload taken: has its new script",
        "10.000 root/A log new unloads",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_box_that_stays_started_changes_at_its_next_start() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Log("A starts")]);
    let run = Run::new(&one(), scripts).control(1.0, poke("root/A", "onStart")).control(2.0, script("root/A", "new"));
    let (lines, _) = told(run.control(3.0, poke("root/A", "onStart")));
    let expected = [
        "3.000 root/A log A unloads",
        "3.000 root/A log new loads",
        "3.000 root/A reload taken: has its new script",
        "3.000 root/A log new starts",
    ];
    assert_eq!(lines[3..7], expected, "{lines:#?}");
}

#[test]
fn a_second_start_does_not_change_a_script_that_runs() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Log("A starts"), Sleep(2.0), Log("A ends"), Out("onStopped", Value::Null)]);
    let run = Run::new(&one(), scripts).control(1.0, poke("root/A", "onStart")).control(1.5, script("root/A", "new"));
    let (lines, _) = told(run.control(2.0, poke("root/A", "onStart")));
    let logs = only(&lines, &["log"]);
    let expected = ["1.000 root/A log A starts", "2.000 root/A log A starts", "3.000 root/A log A ends"];
    assert_eq!(logs[1..4], expected, "{lines:#?}");
    assert_eq!(logs[4..6], ["4.000 root/A log A ends", "4.000 root/A log A unloads"], "{lines:#?}");
}

#[test]
fn of_several_new_texts_the_last_is_taken() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    scripts.insert(("between", "onLoad"), vec![Log("never")]);
    let run =
        Run::new(&one(), scripts).control(1.0, poke("root/A", "onStart")).control(1.5, script("root/A", "between"));
    let (lines, _) = told(run.control(2.0, script("root/A", "new")));
    assert_eq!(only(&lines, &["never"]), [""; 0]);
    assert_eq!(only(&lines, &["waiting", "new loads"]).len(), 2, "said once: {lines:#?}");
}

#[test]
fn a_text_that_comes_back_before_it_was_left_is_withdrawn() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Sleep(2.0), Out("onStopped", Value::Null)]);
    let run = Run::new(&one(), scripts).control(1.0, poke("root/A", "onStart")).control(1.5, script("root/A", "new"));
    let (lines, _) = told(run.control(2.0, script("root/A", "A")));
    assert_eq!(only(&lines, &["reload"])[1..], ["2.000 root/A reload withdrawn: its script is again as it was"]);
    assert_eq!(only(&lines, &["log"]), ["0.000 root/A log A loads", "10.000 root/A log A unloads"]);
}

#[test]
fn a_script_that_does_not_compile_is_refused_with_its_line_and_the_old_one_goes_on() {
    let run = Run::new(&one(), both()).control(1.0, script("root/A", BROKEN)).control(2.0, poke("root/A", "onStart"));
    let (lines, footer) = told(run);
    let why = "behavior.xar:12: the new script does not compile; the old one goes on: SyntaxError: invalid syntax";
    let expected = [
        "0.000 root/A log A loads".to_owned(),
        format!("1.000 root/A reload refused: {why}"),
        "2.000 root/A log A starts".to_owned(),
        "10.000 root/A log A unloads".to_owned(),
    ];
    assert_eq!(lines, expected);
    assert_eq!((footer.errors, footer.not_compiled, footer.warnings), (0, 0, 1));
}

#[test]
fn the_same_broken_text_is_refused_again_and_a_mended_one_taken() {
    let run = Run::new(&one(), both()).control(1.0, script("root/A", BROKEN)).control(2.0, script("root/A", BROKEN));
    let (lines, _) = told(run.control(3.0, script("root/A", "new")));
    assert_eq!(only(&lines, &["refused"]).len(), 2);
    assert_eq!(only(&lines, &["taken"]), ["3.000 root/A reload taken: has its new script"]);
}

#[test]
fn a_script_of_which_no_object_can_be_made_gives_way_to_the_old_one() {
    let mut scripts = both();
    scripts.insert(("new", "__init__"), vec![Raise]);
    let run = Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(2.0, poke("root/A", "onStart"));
    let (lines, footer) = told(run);
    let why = "no object can be made of the new script; the old one begins anew: ValueError: x";
    let expected = [
        "0.000 root/A log A loads".to_owned(),
        "1.000 root/A log A unloads".to_owned(),
        format!("1.000 root/A reload refused: behavior.xar:10: {why}"),
        "1.000 root/A log A loads".to_owned(),
        "2.000 root/A log A starts".to_owned(),
        "10.000 root/A log A unloads".to_owned(),
    ];
    assert_eq!(lines, expected);
    assert_eq!((footer.errors, footer.warnings), (0, 1));
}

#[test]
fn an_exception_in_the_new_onload_is_reported_and_fails_nothing() {
    let mut scripts = both();
    scripts.insert(("new", "onLoad"), vec![Raise]);
    let run = Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(2.0, poke("root/A", "onStart"));
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    assert_eq!(only(&lines, &["raised", "starts"]), ["1.000 root/A raised onLoad", "2.000 root/A log new starts"]);
    assert_eq!((footer.reason, footer.errors), (EndReason::Ended, 1));
}

#[test]
fn a_box_whose_script_did_not_compile_at_the_start_gets_one_that_does() {
    let xml = one().replace("<![CDATA[A]]>", &format!("<![CDATA[{BROKEN}]]>"));
    let run = Run::new(&xml, both()).control(1.0, script("root/A", "new")).control(2.0, poke("root/A", "onStart"));
    let (lines, footer) = run.control(10.0, Control::Stop).finish();
    assert_eq!(only(&lines, &["log new"])[..2], ["1.000 root/A log new loads", "2.000 root/A log new starts"]);
    assert_eq!(footer.not_compiled, 1, "the run began without it");
}

#[test]
fn what_the_new_script_handles_is_looked_up_anew() {
    let mut scripts = both();
    scripts.insert(("new", "onInput_poke"), vec![Log("poked")]);
    scripts.insert(("A", "onInput_gone"), vec![]);
    let run = Run::new(&one(), scripts).control(1.0, poke("root/A", "poke")).control(2.0, script("root/A", "new"));
    let (lines, _) = told(run.control(3.0, poke("root/A", "poke")));
    assert_eq!(only(&lines, &["poked"]), ["3.000 root/A log poked"]);
}

#[test]
fn hooks_that_the_new_script_lacks_are_not_called() {
    let mut scripts = both();
    scripts.retain(|(name, method), _| *name != "new" || *method == START);
    let (lines, footer) =
        Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(2.0, Control::Stop).finish();
    let calls = ["0.000 root/A call onLoad", "1.000 root/A call onUnload"];
    assert_eq!(only(&lines, &["root/A call"]), calls);
    assert_eq!(footer.errors, 0);
}

#[test]
fn a_start_that_comes_amid_the_change_waits_for_its_end() {
    let mut scripts = both();
    scripts.insert(("new", "onLoad"), vec![Sleep(1.0), Log("new loaded")]);
    let run = Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(1.5, poke("root/A", "onStart"));
    let (lines, _) = told(run);
    let expected =
        ["2.000 root/A log new loaded", "2.000 root/A reload taken: has its new script", "2.000 root/A log new starts"];
    assert_eq!(lines[2..5], expected, "{lines:#?}");
}

#[test]
fn a_new_script_may_take_its_time() {
    let mut scripts = both();
    scripts.insert(("new", "__init__"), vec![Sleep(3.0)]);
    scripts.insert(("new", "onLoad"), vec![Sleep(3.0), Log("new loaded")]);
    let (lines, _) = told(Run::new(&one(), scripts).control(1.0, script("root/A", "new")));
    let expected = ["7.000 root/A log new loaded", "7.000 root/A reload taken: has its new script"];
    assert_eq!(lines[2..4], expected, "{lines:#?}");
}

#[test]
fn an_old_onunload_that_hangs_is_given_up() {
    let mut scripts = both();
    scripts.insert(("A", "onUnload"), vec![Hang]);
    let (lines, footer) =
        Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(9.0, Control::Stop).finish();
    let seen = only(&lines, &["abandoned", "new loads", "reload"]);
    let expected = [
        "3.000 root/A abandoned onUnload",
        "3.000 root/A log new loads",
        "3.000 root/A reload taken: has its new script",
    ];
    assert_eq!(seen, expected);
    assert_eq!(footer.reason, EndReason::Ended);
}

#[test]
fn a_stop_waits_no_longer_for_a_change_than_for_an_unload() {
    for (how, reason, at) in
        [(Control::Stop, EndReason::Ended, 4000), (Control::Interrupt, EndReason::Interrupted, 3500)]
    {
        let mut scripts = both();
        scripts.insert(("new", "onLoad"), vec![Hang]);
        let run = Run::new(&one(), scripts).control(1.0, script("root/A", "new")).control(2.0, how);
        let (lines, footer) = run.finish();
        assert_eq!(footer.reason, reason, "{lines:#?}");
        assert!(footer.t <= Time::from_millis(at), "{} {lines:#?}", footer.t);
        let end = only(&lines, &["abandoned", "log new unloads", "root/A unloaded", "root/A destroyed"]);
        let what: Vec<&str> = end[1..].iter().filter_map(|l| Some(l.split_once(' ')?.1)).collect();
        let expected = ["root/A abandoned onLoad", "root/A log new unloads", "root/A unloaded", "root/A destroyed"];
        assert_eq!(what, expected);
    }
}

#[test]
fn a_behavior_that_ends_amid_a_change_destroys_every_object_once() {
    // B is never loaded: nobody starts the box around it.
    let xml = beside_a_timer(&boxed("A", 1, "", &flow(&boxed("B", 1, "", ""))));
    let mut scripts = both();
    scripts.insert(("new", "__init__"), vec![Hang]);
    let run = Run::new(&xml, scripts).control(1.0, script("root/A/B", "new")).control(2.0, Control::Stop);
    let (lines, footer) = run.finish();
    assert_eq!((footer.reason, footer.t), (EndReason::Ended, Time::from_millis(4000)), "{lines:#?}");
    // The new one, whose constructor still ran when the stop had waited for it as long as for an unload, as well.
    let seen = only(&lines, &["root/A/B destroyed", "abandoned", "reload", "behavior unloaded"]);
    let expected = [
        "1.000 root/A/B destroyed",
        "4.000 root/A/B abandoned __init__",
        "4.000 root/A/B destroyed",
        "4.000 root behavior unloaded",
    ];
    assert_eq!(seen, expected, "{lines:#?}");
}

#[test]
fn a_box_that_is_not_loaded_is_only_made_anew() {
    let xml = beside_a_timer(&boxed("A", 1, "", &flow(&boxed("B", 1, "", ""))));
    let mut scripts = both();
    scripts.insert(("A", START), vec![]);
    let run = Run::new(&xml, scripts).control(1.0, script("root/A/B", "new"));
    let (lines, _) = run.control(2.0, poke("root/A", "onStart")).control(3.0, Control::Stop).finish();
    let seen = only(&lines, &["root/A/B"]);
    let seen: Vec<_> = seen.iter().filter(|l| !l.contains("call") && !l.contains("returned")).collect();
    let expected = [
        "0.000 root/A/B constructed",
        "1.000 root/A/B destroyed",
        "1.000 root/A/B constructed",
        "1.000 root/A/B reload taken: has its new script",
        "2.000 root/A/B loading",
        "2.000 root/A/B log new loads",
        "2.000 root/A/B loaded",
    ];
    assert_eq!(seen[..7], expected);
}

#[test]
fn boxes_with_the_same_new_text_share_it() {
    let xml = beside_a_timer(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "")));
    let run = Run::new(&xml, both()).control(1.0, script("root/A", "new")).control(1.0, script("root/B", "new"));
    let (lines, _) = run.control(2.0, Control::Stop).finish();
    let taken = ["1.000 root/A reload taken: has its new script", "1.000 root/B reload taken: has its new script"];
    assert_eq!(only(&lines, &["taken"]), taken);
    assert_eq!(only(&lines, &["log new loads"]).len(), 2);
}

#[test]
fn those_who_import_a_module_that_has_changed_are_made_anew() {
    let xml = beside_a_timer(&(boxed("A", 1, "", "") + &boxed("B", 2, "", "")));
    let mut scripts = both();
    scripts.insert(("B", "onLoad"), vec![Log("B loads")]);
    let mut run = Run::new(&xml, scripts);
    run.modules = vec![("/behavior/helper.py", "helper", "A")];
    let run = run.control(1.0, Control::Modules { files: vec!["/behavior/helper.py".to_owned()] });
    let (lines, _) = run.control(2.0, Control::Stop).finish();
    let expected = [
        "1.000  reload modules: module helper has changed: imported anew",
        "1.000 root/A log A unloads",
        "1.000 root/A log A loads",
        "1.000 root/A reload taken: made anew",
    ];
    let seen: Vec<_> = only(&lines, &["log", "reload"]).into_iter().filter(|l| l.starts_with("1.")).collect();
    assert_eq!(seen, expected);
}

#[test]
fn a_module_that_cannot_be_taken_is_refused_and_nothing_changes() {
    let run = Run::new(&one(), both()).control(1.0, Control::Modules { files: vec!["/behavior/broken.py".to_owned()] });
    let (lines, footer) = told(run);
    let refused = "1.000  reload refused: /behavior/broken.py:3: SyntaxError: invalid syntax; the old modules go on";
    assert_eq!(lines[1..], [refused, "10.000 root/A log A unloads"]);
    assert_eq!((footer.errors, footer.warnings), (0, 1));
}

#[test]
fn a_box_that_a_module_has_left_without_a_script_gets_one_when_a_file_changes() {
    let mut scripts = both();
    scripts.insert(("A", "__init__"), vec![Raise]);
    let xml = beside_a_timer(&boxed("A", 1, "", ""));
    let changed = |file: &str| Control::Modules { files: vec![file.to_owned()] };
    let mut run = Run::new(&xml, scripts).control(1.0, changed("/behavior/helper.py"));
    run.modules = vec![("/behavior/helper.py", "helper", "A")];
    run.once = Some(("A", "__init__"));
    run.passes = 1;
    let (lines, footer) = told(run.control(2.0, changed("/behavior/helper.py")));
    let expected = [
        "0.000 root/A log A loads",
        "1.000  reload modules: module helper has changed: imported anew",
        "1.000 root/A log A unloads",
        "1.000 root/A reload refused: test.xar:5: no object can be made of the script; the box goes on without one: ValueError: x",
        "2.000  reload modules: module helper has changed: imported anew",
        "2.000 root/A log A loads",
        "2.000 root/A reload taken: made anew",
        "10.000 root/A log A unloads",
    ];
    assert_eq!(lines, expected);
    assert_eq!(footer.warnings, 1);
}

#[test]
fn files_that_nobody_has_imported_are_not_spoken_of() {
    let run = Run::new(&one(), both()).control(1.0, Control::Modules { files: vec!["/behavior/other.py".to_owned()] });
    let (lines, footer) = told(run);
    assert_eq!(only(&lines, &["reload"]), [""; 0]);
    assert_eq!(footer.warnings, 0);
}

#[test]
fn a_module_and_a_script_of_one_box_are_taken_together() {
    let mut run = Run::new(&one(), both());
    run.modules = vec![("/behavior/helper.py", "helper", "A")];
    let run = run.control(1.0, Control::Modules { files: vec!["/behavior/helper.py".to_owned()] });
    let (lines, _) = told(run.control(1.0, script("root/A", "new")));
    assert_eq!(only(&lines, &["taken"]), ["1.000 root/A reload taken: has its new script"]);
    assert_eq!(only(&lines, &["log A unloads", "log new loads"]).len(), 2, "{lines:#?}");
}

#[test]
fn what_needs_a_new_start_is_told_and_counts_as_a_warning() {
    let path = Some("root/A".parse().unwrap());
    let run = Run::new(&one(), both()).control(1.0, Control::NotTaken { path, why: "from the next start".to_owned() });
    let (lines, footer) = told(run.control(2.0, Control::NotTaken { path: None, why: "unreadable".to_owned() }));
    let expected = ["1.000 root/A reload not_taken: from the next start", "2.000  reload not_taken: unreadable"];
    assert_eq!(only(&lines, &["reload"]), expected);
    assert_eq!(footer.warnings, 2);
}

#[test]
fn scripts_that_cannot_be_taken_are_refused_in_words() {
    let plain = r#"<Box name="P" id="2" localization="8" tooltip="" x="0" y="0"></Box>"#;
    let mut run = Run::new(&root(&(boxed("A", 1, "", "") + plain)), both());
    let mut why = |path: &str, text: &str| run.engine.control(Time::ZERO, script(path, text)).unwrap_err();
    assert_eq!(why("root/P", "new"), "the box had no script that runs");
    assert_eq!(why("root/A", " \n"), "the script is empty now");
    let unknown = why("root/B", "new");
    assert!(unknown.contains("no `B` in root"), "{unknown}");
    let config = Config { scripts: false, ..Config::default() };
    let mut off = Run::with(&one(), both(), Robot::default(), config);
    let why = off.engine.control(Time::ZERO, script("root/A", "new")).unwrap_err();
    assert_eq!(why, "the box had no script that runs");
}

#[test]
fn after_the_end_nothing_is_taken_any_more() {
    let mut scripts = both();
    scripts.insert(("A", "onUnload"), vec![Sleep(1.0)]);
    let run = Run::new(&one(), scripts).control(1.0, Control::Stop).control(1.5, script("root/A", "new"));
    let (lines, footer) = run.finish();
    assert_eq!(only(&lines, &["reload", "new"]), [""; 0], "{lines:#?}");
    assert_eq!(footer.reason, EndReason::Ended);
}

#[test]
fn in_real_time_it_is_the_same() {
    let mut scripts = both();
    scripts.insert(("A", START), vec![Log("A starts"), Sleep(2.0), Log("A goes on"), Out("onStopped", Value::Null)]);
    let story = |run: Run| {
        let run = run.control(1.0, poke("root/A", "onStart")).control(2.0, script("root/A", "new"));
        told(run.control(5.0, poke("root/A", "onStart"))).0
    };
    let real = story(Run::in_real_time(&one(), scripts.clone(), Robot::default(), Config::default()));
    assert_eq!(real, story(Run::new(&one(), scripts)));
    assert!(real.contains(&"5.000 root/A log new starts".to_owned()), "{real:#?}");
}
