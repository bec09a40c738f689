//! `boxstep why RECORDING`: every way in which a behavior stops has its sentence, from a run that stopped so.

use crate::common;
use crate::common::{Said, Temp, has_python, in_order, say, xar};
use std::fs;

/// A recording of a run in virtual time.
fn recorded(args: &[&str]) -> Temp {
    let trace = Temp::new("jsonl");
    let all = [&["play"], args, &["--virtual-time", "--quiet", "--trace", trace.arg()]].concat();
    let said = say(&all);
    assert!(trace.0.exists(), "{}", said.err);
    trace
}

#[track_caller]
fn why(args: &[&str]) -> String {
    let trace = recorded(args);
    told(&["why", trace.arg()])
}

#[track_caller]
fn told(args: &[&str]) -> String {
    let Said { out, .. } = say(args).code(0);
    assert!(out.lines().count() <= 10, "more than ten lines:\n{out}");
    out
}

/// A file with these boxes in the root's diagram.
fn file(content: &str) -> Temp {
    let file = Temp::new("xar");
    let ports = xar::input(1, "onLoad", 0)
        + &xar::input(2, "onStart", 2)
        + &xar::input(3, "onStop", 3)
        + &xar::output(4, "onStopped", 1);
    fs::write(&file.0, xar::behavior(&ports, &xar::flow(content))).unwrap();
    file
}

fn script(body: &str) -> String {
    format!("import time\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n{body}\n")
}

fn conformance(name: &str) -> String {
    format!("crates/boxstep/tests/conformance/{name}.xar")
}

#[test]
fn it_ended_by_itself() {
    let said = why(&["examples/timeline-layers", "--scripts", "off"]);
    in_order(
        &said,
        &["timeline-layers ended by itself at 2.960 s: root/Dance put out onStopped\n", "timeline end", "started\n"],
    );
}

#[test]
fn the_timeline_of_its_root_came_to_its_end() {
    let root = r#"<Timeline enable="1" fps="10" start_frame="1" end_frame="21"><BehaviorLayer name="l"/></Timeline>"#;
    let file = Temp::new("xar");
    fs::write(&file.0, xar::behavior(&xar::ports(), root)).unwrap();
    let said = why(&[file.arg(), "--scripts", "off"]);
    assert!(said.contains(" ended by itself at 2.000 s: the timeline of root came to its end (frame 21)\n"), "{said}");
}

#[test]
fn its_time_limit_was_reached() {
    let said = why(&["examples/hello", "--scripts", "off", "--for", "0.001"]);
    assert!(said.starts_with("hello was stopped at 0.001 s: its time limit (--for 0.001) was reached\n"), "{said}");
    let said = why(&["examples/companion", "--scripts", "off", "--for", "2"]);
    assert!(said.contains(": its time limit (--for 2) was reached\n"), "{said}");
}

#[test]
fn it_waits() {
    let said = why(&["examples/touch", "--scripts", "off"]);
    let waits = "s: nothing can happen any more without an event from outside\n";
    assert!(said.starts_with("touch waits since ") && said.contains(waits), "{said}");
}

#[test]
fn an_exception_is_followed_back_to_the_event_of_the_robot() {
    if !has_python() {
        return;
    }
    let text = script("        pass")
        .replace("onInput_onStart(self)", "onInput_poke(self, p)")
        .replace("pass", "return 1 / 0");
    let ports = xar::input(2, "onStart", 2) + &xar::input(3, "poke", 1) + &xar::output(4, "onStopped", 1);
    let touch = r#"<Input name="touch" type="0" type_size="1" nature="4" stm_value_name="FrontTactilTouched" inner="1" tooltip="" id="5"/>"#;
    let file = Temp::new("xar");
    let inside = xar::flow(&(xar::a_box(1, "Divide", &text, &ports, "") + &xar::link((0, 5), (1, 3))));
    fs::write(&file.0, xar::behavior(&(xar::ports() + touch), &inside)).unwrap();
    let said = why(&[file.arg(), "--event", "FrontTactilTouched=1@2.5"]);
    let steps = [
        " failed at 2.500 s in root/Divide, line 4 of its script: ZeroDivisionError: ",
        "root/Divide  onInput_poke raised ZeroDivisionError",
        "(line 4)\n",
        "root/Divide  gets poke",
        "root         gets touch 1",
        "event FrontTactilTouched 1",
        "from outside: event FrontTactilTouched 1",
    ];
    in_order(&said, &steps);
}

#[test]
fn a_script_does_not_compile() {
    if !has_python() {
        return;
    }
    let said = why(&[&conformance("syntax_error")]);
    let begin = "syntax_error ended at 0.000 s and counts as failed: the script of root/Broken does not compile (line 6): SyntaxError";
    assert!(said.starts_with(begin), "{said}");
}

#[test]
fn scripts_wait_for_each_other() {
    if !has_python() {
        return;
    }
    let said = why(&[&conformance("deadlock")]);
    let begin = "deadlock was stopped at 1.000 s: scripts wait for each other: root/First onInput_onStart blocked on Lock, root/Second";
    assert!(said.starts_with(begin), "{said}");
}

#[test]
fn a_script_runs_on_without_end() {
    if !has_python() {
        return;
    }
    let said = why(&[&conformance("endless_loop"), "--patience", "1"]);
    assert!(
        said.starts_with("endless_loop was stopped at 2.000 s: root/Spins: onInput_onStart runs on without end"),
        "{said}"
    );
}

#[test]
fn signals_go_round_in_no_time() {
    let ports = |one: &str| xar::input(2, "onStart", 2) + &xar::input(5, one, 1) + &xar::output(4, "out", 2);
    let inner = |id: i32, name: &str| {
        let inside = xar::flow(&xar::link((0, 2), (0, 4)));
        xar::a_box(id, name, "", &ports("again"), &inside)
    };
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (2, 2)) + &xar::link((2, 4), (1, 2));
    let file = file(&(inner(1, "Ping") + &inner(2, "Pong") + &links));
    let said = why(&[file.arg(), "--scripts", "off"]);
    in_order(&said, &[" was stopped at 0.000 s: signals go round in no time, for ever: ", "root/P", " → ", "root/P"]);
}

#[test]
fn its_own_script_stopped_it() {
    if !has_python() {
        return;
    }
    let said = why(&[&conformance("exit_behavior")]);
    let sentence = "exit_behavior was stopped at 0.000 s by its own script: root/Exit called ALFrameManager.exitBehavior(\"_Behavior__1\") (line 6)\n";
    assert!(said.starts_with(sentence), "{said}");
}

#[test]
fn another_behavior_stopped_it() {
    if !has_python() {
        return;
    }
    let folder = Temp::new("two");
    let write = |name: &str, text: &str| {
        let only = xar::a_box(1, "Only", text, &xar::ports(), "") + &xar::link((0, 2), (1, 2));
        fs::create_dir_all(folder.0.join(name)).unwrap();
        fs::write(folder.0.join(name).join("behavior.xar"), xar::behavior(&xar::ports(), &xar::flow(&only))).unwrap();
    };
    write("first", &script("        ALProxy('ALBehaviorManager').startBehavior('two/second')\n        time.sleep(9)"));
    write("second", &script("        time.sleep(1.5)\n        ALProxy('ALBehaviorManager').stopBehavior('two/first')"));
    fs::copy(common::root().join(common::fixture("two/two.pml")), folder.0.join("two.pml")).unwrap();
    fs::write(
        folder.0.join("manifest.xml"),
        fs::read_to_string(common::root().join(common::fixture("two/manifest.xml"))).unwrap(),
    )
    .unwrap();
    let trace = recorded(&[folder.0.join("two.pml").to_str().unwrap(), "--behavior", "first"]);
    let said = told(&["why", trace.arg()]);
    let steps = [
        "first was stopped at 1.500 s by another behavior, ",
        "second: ",
        "called ALBehaviorManager.stopBehavior(\"",
        "first\") (line 5)\n",
        "calls ALBehaviorManager.startBehavior(",
    ];
    in_order(&said, &steps);
}

#[test]
fn a_resource_was_taken_away() {
    if !has_python() {
        return;
    }
    let resource = |how: &str| format!("<Resource name=\"Speech\" type=\"{how}\" timeout=\"0\" />\n");
    let waits = script("        time.sleep(9)");
    let later = script("        time.sleep(1)\n        self.onStopped()");
    let boxes = xar::a_box(1, "Holder", &waits, &xar::ports(), &resource("Stop on demand"))
        + &xar::a_box(2, "Later", &later, &xar::ports(), "")
        + &xar::a_box(3, "Taker", &waits, &xar::ports(), &resource("Lock"));
    let links = xar::link((0, 2), (1, 2))
        + &xar::link((0, 2), (2, 2))
        + &xar::link((2, 4), (3, 2))
        + &xar::link((1, 4), (0, 4));
    let file = file(&(boxes + &links));
    let said = why(&[file.arg()]);
    in_order(
        &said,
        &[
            " ended at 1.000 s: root/Holder lost the resource Speech to root/Taker\n",
            "root/Later",
            "puts out onStopped",
        ],
    );
}

#[test]
fn a_resource_was_not_given() {
    if !has_python() {
        return;
    }
    let resource = "<Resource name=\"Speech\" type=\"Lock\" timeout=\"0\" />\n";
    let waits = script("        time.sleep(9)");
    let boxes = xar::a_box(1, "Holder", &waits, &xar::ports(), resource)
        + &xar::a_box(2, "Taker", &waits, &xar::ports(), resource);
    let links = xar::link((0, 2), (1, 2)) + &xar::link((0, 2), (2, 2)) + &xar::link((2, 4), (0, 4));
    let file = file(&(boxes + &links));
    let said = why(&[file.arg()]);
    in_order(&said, &[" ended at 0.000 s: root/Taker did not get the resource Speech, which root/Holder has\n"]);
}

#[test]
fn who_was_busy_when_a_stop_was_forced() {
    if !has_python() {
        return;
    }
    let text = "import time\nclass MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        time.sleep(5)\n    def onUnload(self):\n        time.sleep(60)\n";
    let file = file(&(xar::a_box(1, "Hangs", text, &xar::ports(), "") + &xar::link((0, 2), (1, 2))));
    let said = why(&[file.arg(), "--for", "1", "--stop-within", "1"]);
    in_order(
        &said,
        &[
            "was stopped at 1.000 s: its time limit",
            "it was stopped by force at 2.000 s; still busy: root/Hangs onUnload",
        ],
    );
}

#[cfg(unix)]
#[test]
fn a_signal_interrupted_it() {
    use std::io::{BufRead as _, BufReader};
    let trace = Temp::new("jsonl");
    let play = ["play", "examples/touch", "--scripts", "off", "--for", "60", "--trace", trace.arg()];
    let mut child = common::boxstep(&play).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    assert!(lines.any(|line| line.contains("behavior touch started")));
    // It still plays.
    let said = told(&["why", trace.arg()]);
    let breaks_off = "touch has no end in this recording, which breaks off at ";
    assert!(said.starts_with(breaks_off) && said.contains("or it still plays"), "{said}");
    assert!(std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    lines.for_each(drop);
    child.wait().unwrap();
    let said = told(&["why", trace.arg()]);
    assert!(
        said.starts_with("touch was interrupted at ") && said.contains("Ctrl-C, another signal, or boxstep stop\n"),
        "{said}"
    );
}

#[test]
fn a_recording_that_breaks_off_amid_a_line_is_read_so_far() {
    let trace = recorded(&["examples/timeline-layers", "--scripts", "off"]);
    let text = fs::read(&trace.0).unwrap();
    let cut = text.windows(7).position(|window| window == b"\"frame\"").unwrap();
    fs::write(&trace.0, &text[..cut]).unwrap();
    let said = told(&["why", trace.arg()]);
    let begin = "timeline-layers has no end in this recording, which breaks off at 0.000 s: the program was killed, or its computer was switched off";
    assert!(said.starts_with(begin), "{said}");
}

#[test]
fn a_program_outside_or_whoever_ran_it_stopped_it() {
    let file = Temp::new("jsonl");
    let text = |cause: &str| {
        format!(
            "{}\n{}\n{cause}\n{}\n{}\n",
            r#"{"schema":1,"product":"x","files":{},"options":{"behavior":"dance"}}"#,
            r#"{"n":1,"t":0,"cause":0,"path":"root","kind":"behavior","phase":"started","name":"dance"}"#,
            r#"{"n":3,"t":2000000000,"cause":2,"path":"root","kind":"behavior","phase":"stopping","name":"dance"}"#,
            r#"{"reason":"ended","t":2000000000,"events":3}"#,
        )
    };
    let call = r#"{"n":2,"t":2000000000,"cause":0,"kind":"control","dir":"in","what":"call","details":{"service":"ALBehaviorManager","method":"stopBehavior","args":["dance"]}}"#;
    fs::write(&file.0, text(call)).unwrap();
    let sentence = "dance was stopped at 2.000 s: a program outside called ALBehaviorManager.stopBehavior\n";
    assert!(told(&["why", file.arg()]).starts_with(sentence));
    let stop = r#"{"n":2,"t":2000000000,"cause":0,"kind":"control","dir":"in","what":"stop","details":null}"#;
    fs::write(&file.0, text(stop)).unwrap();
    assert!(told(&["why", file.arg()]).starts_with("dance was stopped from outside at 2.000 s\n"));
}

#[test]
fn a_plain_behavior_can_be_named() {
    let trace = recorded(&["examples/timeline-layers", "--scripts", "off"]);
    let said = told(&["why", "timeline-layers", trace.arg()]);
    assert!(said.starts_with("timeline-layers ended by itself at 2.960 s"), "{said}");
}

#[test]
fn it_is_told_as_json_with_every_step() {
    let trace = recorded(&["examples/timeline-layers", "--scripts", "off"]);
    let json: serde_json::Value = serde_json::from_str(&told_whole(&["why", trace.arg(), "--format", "json"])).unwrap();
    assert_eq!((&json["how"], &json["name"], &json["at"]), (&"ended".into(), &"timeline-layers".into(), &2.96.into()));
    assert!(
        json["steps"].as_array().unwrap().iter().any(|step| step["path"] == "root/Dance" && step["t"] == 2.96),
        "{json}"
    );
}

fn told_whole(args: &[&str]) -> String {
    say(args).code(0).out
}

#[test]
fn what_is_no_recording_is_refused_in_words() {
    let empty = Temp::new("jsonl");
    fs::write(&empty.0, "").unwrap();
    assert!(say(&["why", empty.arg()]).code(2).err.contains("there is nothing in it"));
    assert!(say(&["why", "README.md"]).code(2).err.contains("line 1 is not of a trace"));
    assert!(say(&["why", "no-such-file"]).code(2).err.contains("no-such-file: no such file"));
    fs::write(&empty.0, "{\"schema\":1,\"product\":\"x\",\"files\":{}}\n{\"n\":1,\"t\":\"x\"}\n").unwrap();
    assert!(say(&["why", empty.arg()]).code(2).err.contains("line 2 is not of a trace"));
    assert!(say(&["why", empty.arg(), "--at", "1"]).code(2).err.contains("--at is for a behavior of a character"));
}
