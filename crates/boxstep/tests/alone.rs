//! `boxstep play --box`: one box of a behavior alone.

#![cfg(unix)]
use crate::common::xar::{a_box, behavior, flow, input, link, output, ports, written};
use crate::common::{Run, Temp, fixture, has_python, in_order, root, say};
use boxstep_robot::naoqi::testing::StandIn;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

const NESTED: &str = "examples/nested-parameters";
const OFF: [&str; 3] = ["--scripts", "off", "--virtual-time"];

/// A behavior in which `Ear` has neither onStart nor onStopped, and `Deaf` no input at all.
fn listening(of: &str) -> String {
    let ear = a_box(1, "Ear", "", &(input(1, "onLoad", 0) + &input(2, "hear", 1) + &output(3, "heard", 2)), "");
    let deaf = a_box(2, "Deaf", "", &output(3, "onStopped", 1), "");
    let xar = behavior(&ports(), &flow(&(ear + &deaf + &link((0, 2), (1, 2)))));
    written("alone", of, &xar).to_str().unwrap().to_owned()
}

#[test]
fn only_that_box_plays_and_its_end_is_the_end() {
    let trace = Temp::new("jsonl");
    let args = ["play", "examples/timeline-layers", "--must-end", "--trace", trace.arg(), "--box", "root/Dance"];
    let said = say(&[&args[..], &OFF].concat()).code(0);
    in_order(
        &said.out,
        &["timeline-layers: root/Dance alone from", "root", "timeline play", "root", "sends onStopped"],
    );
    let text = fs::read_to_string(&trace.0).unwrap();
    let (header, events) = text.split_once('\n').unwrap();
    assert!(header.contains(r#""box":"root/Dance""#), "{header}");
    // Its path is the root's, and nothing around it is there.
    assert!(events.contains(r#""path":"root/@steps:left/Left""#) && !events.contains("root/Dance"), "{events}");
}

#[test]
fn a_box_has_the_parameters_that_it_inherits() {
    if !has_python() {
        return;
    }
    let said = say(&["play", NESTED, "--virtual-time", "--box", "root/Visit again/Politely/Greet"]).code(0);
    assert!(said.out.contains("says “Good morning, Grace!”"), "{}", said.out);
    assert!(!said.out.contains("Ada"), "{}", said.out);
    // Other options count paths from the box.
    let set = ["--box", "root/Visit/Politely", "--set", "root/Greeting=Hi", "--set", "root/Greet/Name=Bob"];
    let said = say(&[&["play", NESTED, "--virtual-time"], &set[..]].concat()).code(0);
    assert!(said.out.contains("says “Hi, Ada!”"), "{}", said.out);
}

#[test]
fn a_box_plays_on_the_body_of_the_whole_behavior_and_in_its_language() {
    let speaks =
        "class MyClass(GeneratedClass):\n    def onInput_onStart(self):\n        ALProxy('ALTabletService').hide()\n";
    let boxes = a_box(1, "Quiet", "", &ports(), "") + &a_box(2, "Tablet", speaks, &ports(), "");
    let folder = written("alone", "body", &behavior(&ports(), &flow(&boxes)));
    let said =
        say(&[&["play", folder.to_str().unwrap(), "--box", "root/Quiet", "--for", "1"], &OFF[..]].concat()).code(0);
    assert!(said.out.contains("body: pepper ("), "{}", said.out);
    if has_python() {
        let project = fixture("two");
        let args = ["play", &project, "--behavior", "first", "--virtual-time", "--language", "French"];
        let said = say(&[&args[..], &["--box", "root/Say"]].concat()).code(0);
        assert!(said.out.contains("says “Bonjour”"), "{}", said.out);
    }
}

#[test]
fn a_wrong_path_says_what_there_is() {
    for (path, why) in [
        ("root/Vist", "there is no `Vist` in root, only root/Visit, root/Visit again; did you mean `root/Visit`?"),
        ("Vist", "there is no box `Vist`; did you mean `root/Visit`?"),
        ("root/Visit/Politely/Greet/x", "root/Visit/Politely/Greet has no boxes inside, so there is no `x`"),
    ] {
        let said = say(&["play", NESTED, "--box", path]).code(2);
        assert_eq!(said.err, format!("error: --box: {why}\n"));
    }
    let keyframe = say(&["play", "examples/timeline-layers", "--box", "root/Dance/@steps:left"]).code(2);
    assert!(
        keyframe.err.contains("is a keyframe, and only boxes are played alone: root/Dance, or a box in it"),
        "{}",
        keyframe.err
    );
    let character = say(&["play", "examples/guide", "--box", "root/Say"]).code(2);
    assert!(character.err.contains("--box plays a box of a behavior, and this is a character"), "{}", character.err);
}

#[test]
fn a_box_that_nothing_starts_or_ends_says_so_and_takes_its_inputs() {
    let folder = listening("starts");
    let said =
        say(&[&["play", &folder, "--box", "root/Ear", "--stimulate", "root:hear=@1"], &OFF[..]].concat()).code(0);
    in_order(
        &said.out,
        &[
            "nothing starts root/Ear, which has no onStart: stimulate `hear` on the page, or by --stimulate",
            "root/Ear has no onStopped and does not end by itself: Ctrl-C, Stop or --for ends it",
            "started",
        ],
    );
    let deaf = say(&[&["play", &folder, "--box", "root/Deaf"], &OFF[..]].concat()).code(0);
    assert!(
        deaf.out.contains("nothing starts root/Deaf, which has no onStart: it has no other input either"),
        "{}",
        deaf.out
    );
    assert!(!deaf.out.contains("onStopped"), "{}", deaf.out);
    // What goes without saying of whole behaviors is not said.
    assert!(!say(&[&["play", &folder], &OFF[..]].concat()).out.contains("nothing starts"));
}

#[test]
fn a_recording_of_a_box_is_played_again_as_that_box() {
    for ending in ["jsonl", "mcap"] {
        let recording = Temp::new(ending);
        let how = if ending == "mcap" { "--record" } else { "--trace" };
        let args = ["play", "examples/timeline-layers", "--box", "root/Dance", "--quiet", how, recording.arg()];
        say(&[&args[..], &OFF].concat()).code(0);
        let again = say(&["replay", recording.arg(), "examples/timeline-layers"]).code(0);
        assert!(again.out.starts_with("the same: "), "{}", again.out);
        // The whole behavior is another run.
        let whole = Temp::new("jsonl");
        say(&[&["play", "examples/timeline-layers", "--quiet", "--trace", whole.arg()], &OFF[..]].concat()).code(0);
        let differs = say(&["diff", recording.arg(), whole.arg()]).code(1);
        assert!(differs.out.contains("they were made with other options: options.box"), "{}", differs.out);
    }
}

/// Asks the page of a run to run a box alone: the code and the answer.
fn run_alone(page: &str, behavior: &str, path: &str) -> (u16, String) {
    let (at, token) = page.trim_start_matches("http://").split_once("/?token=").unwrap();
    let body = format!("{{\"behavior\":\"{behavior}\",\"path\":\"{path}\"}}");
    let mut stream = TcpStream::connect(at).unwrap();
    let (kind, length) = ("Content-Type: application/json", body.len());
    write!(
        stream,
        "POST /alone HTTP/1.1\r\nHost: {at}\r\nAuthorization: Bearer {token}\r\n{kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn page_of(run: &mut Run) -> String {
    run.says("view: ").trim_start_matches("view: ").to_owned()
}

/// The name of the behavior of examples/timeline-layers.
const LAYERS: &str = "timeline-layers";

/// The same where it can be: the address of its page.
fn begun(page: &str, path: &str) -> String {
    let (code, answer) = run_alone(page, LAYERS, path);
    assert_eq!(code, 200, "{answer}");
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    answer["url"].as_str().unwrap().to_owned()
}

fn is_there(page: &str) -> bool {
    TcpStream::connect(page.trim_start_matches("http://").split('/').next().unwrap()).is_ok()
}

#[test]
fn a_box_that_a_page_runs_alone_ends_with_the_next_one_and_with_the_run() {
    let mut run = Run::start(&root().join("examples/timeline-layers"), &["--view", "--paused", "--scripts", "off"]);
    let page = page_of(&mut run);
    let first = begun(&page, "root/Dance");
    assert!(is_there(&first));
    let second = begun(&page, "root/Dance/@talk:word/Say");
    assert!(!is_there(&first) && is_there(&second));
    // It has a page like any other, whose boxes are run alone, too.
    assert!(is_there(&begun(&second, "root")));
    let (code, why) = run_alone(&page, LAYERS, "root/Sing");
    assert_eq!(code, 409);
    assert!(why.contains("it has no page") && why.contains("there is no `Sing` in root"), "{why}");
    assert!(!is_there(&second));
    let (code, why) = run_alone(&page, "sent", "root/Dance");
    let wanted = "only boxes of timeline-layers are run alone, and this one is of sent: `boxstep play FILE --box PATH`";
    assert_eq!((code, &*why), (409, wanted));
    let third = begun(&page, "root/Dance");
    run.interrupt();
    assert!(!is_there(&third));
}

#[test]
fn a_box_that_a_page_runs_alone_ends_also_with_a_program_that_is_killed() {
    let mut run = Run::start(&root().join("examples/timeline-layers"), &["--view", "--paused", "--scripts", "off"]);
    let alone = begun(&page_of(&mut run), "root/Dance");
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    while is_there(&alone) {
        std::thread::yield_now();
    }
}

#[test]
fn boxes_of_characters_and_of_runs_on_a_robot_are_not_run_alone_from_the_page() {
    let mut run = Run::start(&root().join("examples/guide"), &["--view", "--paused", "--scripts", "off"]);
    let (code, why) = run_alone(&page_of(&mut run), "guide", "root/Say");
    assert_eq!(
        (code, &*why),
        (409, "boxes of a character's behaviors are not run alone: play the behavior's own file")
    );
    run.interrupt();
    let stand_in = StandIn::start().unwrap();
    let robot = stand_in.address().to_string();
    let mut run = Run::start(listening("robot").as_ref(), &["--view", "--robot", &robot, "--scripts", "off"]);
    let (code, why) = run_alone(&page_of(&mut run), "robot", "root/Ear");
    assert_eq!(code, 409);
    assert!(
        why.starts_with(&format!("this run has the robot {robot}, which moves for one at a time: end it")),
        "{why}"
    );
    run.interrupt();
}
