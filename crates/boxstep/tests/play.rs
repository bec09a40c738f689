//! What playing with scripts tells: the account, the trace and the exit code.

use crate::common;
use crate::common::{Temp, fixture, say, xar};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;

#[test]
fn hello_plays_in_real_time_and_ends_by_itself() {
    let said = say(&["play", "examples/hello", "--must-end"]).code(0);
    assert!(said.out.contains("says “Hello, I am a robot.”"), "{}", said.out);
    assert!(said.out.contains("root/Say      info: 5 words to say (line "), "{}", said.out);
    assert!(said.out.contains("motion: 6 joints over 3.76 s"), "{}", said.out);
    let last = said.out.lines().last().unwrap();
    assert!(last.starts_with("played ") && last.ends_with(" s in real time"), "{last}");
    let seconds: f64 = last.split(' ').nth(1).unwrap().parse().unwrap();
    assert!(seconds < 10.0, "{last}");
}

#[test]
fn values_travel_on_links_and_are_told() {
    let said = say(&["play", "examples/loop-counter", "--virtual"]).code(0);
    for line in ["sends currentValue 1", "says “3”", "sends currentValue 5", "says “Done counting.”"] {
        assert!(said.out.contains(line), "{line}\n{}", said.out);
    }
    assert!(!said.out.contains("sends currentValue 6"), "{}", said.out);
}

#[test]
fn parameters_set_from_outside_reach_scripts() {
    let set = ["--set", "root/Counter/Last=2", "--set", "root/Say done/Text=Over."];
    let said = say(&[&["play", "examples/loop-counter", "--virtual"], &set[..]].concat()).code(0);
    assert!(said.out.contains("says “2”") && !said.out.contains("says “3”"), "{}", said.out);
    assert!(said.out.contains("says “Over.”"), "{}", said.out);
}

#[test]
fn inherited_parameters_come_from_the_nearest_parent() {
    let said = say(&["play", "examples/nested-parameters", "--virtual"]).code(0);
    assert!(said.out.contains("says “Good morning, Ada!”"), "{}", said.out);
    assert!(said.out.contains("says “Good morning, Grace!”"), "{}", said.out);
}

#[test]
fn events_wake_a_behavior_that_waits() {
    let touch = |more: &[&str]| say(&[&["play", "examples/touch", "--virtual"], more].concat());
    let waits = touch(&[]).code(0);
    assert!(
        waits.out.contains(
            "\nnothing can happen any more until one of these: FrontTactilTouched\n  root waits for a touch: --event 'FrontTactilTouched=1@"
        ),
        "{}",
        waits.out
    );
    let touched = touch(&["--event", "FrontTactilTouched=1.0@4", "--must-end"]).code(0);
    assert!(touched.out.contains("    4.000  root/If touched  sends touched 1\n"), "{}", touched.out);
}

#[test]
fn python_2_scripts_print_as_they_did() {
    let said = say(&["play", "examples/python2", "--virtual"]).code(0);
    for line in ["seven halves are 3", "caught: an old way to raise", "10 text True", "a%20b"] {
        assert!(said.out.contains(&format!("prints {line}")), "{line}\n{}", said.out);
    }
}

#[test]
fn translations_are_said() {
    let project = fixture("two");
    let first =
        |more: &[&str]| say(&[&["play", &project, "--behavior", "first", "--virtual"], more].concat()).code(0).out;
    assert!(first(&[]).contains("says “Good day”"));
    assert!(first(&["--language", "French"]).contains("says “Bonjour”"));
}

#[test]
fn a_package_without_a_project_file_knows_its_other_behaviors() {
    let one = fixture("package/first/behavior.xar");
    let said = say(&["play", &one, "--virtual"]).code(0);
    assert!(said.out.contains("says “Here is the second.”"), "{}", said.out);
}

#[test]
fn an_exception_is_told_with_box_line_and_code_4() {
    let said = say(&["play", &fixture("raises.xar"), "--virtual"]).code(4);
    assert!(said.out.contains("root/Broken  onInput_onStart raised ZeroDivisionError: "), "{}", said.out);
    assert!(said.out.contains("(line 8)"), "{}", said.out);
    assert!(said.out.contains("\nthe behavior failed\n"), "{}", said.out);
}

#[test]
fn a_script_that_does_not_compile_is_told_with_its_line_and_code_4() {
    let said = say(&["play", "crates/boxstep/tests/conformance/syntax_error.xar", "--virtual", "--quiet"]).code(4);
    let told = "root/Broken  the script does not compile: SyntaxError: ";
    assert!(said.out.contains(told) && said.out.contains("(line 6); the box is loaded without it"), "{}", said.out);
    assert!(said.out.contains("if True\n"), "{}", said.out);
    assert!(said.out.contains("\nthe behavior failed\n1 script error\n"), "{}", said.out);
}

#[test]
fn a_script_that_does_not_compile_is_code_4_also_when_the_rest_waits() {
    let said = say(&["play", &fixture("broken_waits.xar"), "--virtual", "--quiet"]).code(4);
    assert!(said.out.contains("\nnothing can happen any more: "), "{}", said.out);
    let later = ["--event", "Later=1@5", "--for", "1"];
    let said = say(&[&["play", &fixture("broken_waits.xar"), "--virtual", "--quiet"], &later[..]].concat()).code(4);
    assert!(said.out.contains("\nthe time limit was reached\n"), "{}", said.out);
}

#[test]
fn a_call_that_no_service_offers_is_code_5() {
    let said = say(&["play", &fixture("unsupported.xar"), "--virtual"]).code(5);
    assert!(said.out.contains("unsupported: ALTextToSpeech.sayBackwards (line 6)"), "{}", said.out);
    assert!(said.out.contains("1 unsupported call"), "{}", said.out);
}

#[test]
fn the_network_is_refused_in_virtual_time() {
    // A port of our own, so that nobody else is asked should the refusal be gone.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("root/Ask/Port={}", listener.local_addr().unwrap().port());
    let trace = Temp::new("jsonl");
    let said = say(&["play", &fixture("network.xar"), "--virtual", "--set", &port, "--trace", trace.arg()]).code(4);
    assert!(said.out.contains("the network is refused in virtual time"), "{}", said.out);
    assert!(said.out.contains("Allow it with --network"), "{}", said.out);
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "somebody connected");
    let trace = std::fs::read_to_string(&trace.0).unwrap();
    assert!(trace.lines().last().unwrap().contains("\"deterministic\":true"), "{trace}");
}

#[test]
fn the_option_network_lets_scripts_out_and_the_run_is_not_repeatable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = format!("root/Ask/Port={}", listener.local_addr().unwrap().port());
    let answers = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut asked = String::new();
        BufReader::new(stream.try_clone().unwrap()).read_line(&mut asked).unwrap();
        writeln!(stream, "yes, {}", asked.trim()).unwrap();
    });
    let trace = Temp::new("jsonl");
    let file = fixture("network.xar");
    let said = say(&["play", &file, "--virtual", "--network", "--set", &port, "--trace", trace.arg()]).code(0);
    assert!(said.out.contains("heard yes, is anybody there"), "{}", said.out);
    answers.join().unwrap();
    let trace = std::fs::read_to_string(&trace.0).unwrap();
    let last = trace.lines().last().unwrap();
    assert!(last.contains("\"deterministic\":false") && last.contains("the network was used"), "{last}");
}

#[test]
fn a_timeline_drawn_for_another_body_moves_the_joints_that_are_there() {
    let nao = say(&["play", &fixture("legs.xar"), "--virtual", "--body", "nao", "--must-end"]).code(0);
    assert!(nao.out.contains("motion: 3 joints over 3 s"), "{}", nao.out);
    assert!(!nao.out.contains("this robot has no"), "{}", nao.out);
    // Once, in one sentence; a muted curve misses nothing; the end stays where the file has it.
    let pepper = say(&["play", &fixture("legs.xar"), "--virtual", "--body", "pepper", "--must-end"]).code(0);
    assert!(pepper.out.contains("motion: HeadYaw over 2 s"), "{}", pepper.out);
    let said = "warning: this robot has no LAnklePitch, RKneePitch: the timeline moves its other joints";
    assert_eq!(pepper.out.matches(said).count(), 1, "{}", pepper.out);
    assert!(pepper.out.contains("played 3.0 s"), "{}", pepper.out);
}

#[test]
fn a_trace_replaces_nothing_but_a_trace() {
    let (xar, trace) = (Temp::new("xar"), Temp::new("jsonl"));
    std::fs::copy(common::root().join("examples/hello/behavior.xar"), &xar.0).unwrap();
    let before = std::fs::read(&xar.0).unwrap();
    let said = say(&["play", xar.arg(), "--virtual-time", "--scripts", "off", "--trace", xar.arg()]).code(2);
    assert!(said.err.contains("it already exists and is not a trace; it is not replaced"), "{}", said.err);
    assert_eq!(std::fs::read(&xar.0).unwrap(), before);
    for _ in 0..2 {
        say(&["play", xar.arg(), "--virtual-time", "--scripts", "off", "--trace", trace.arg()]).code(0);
    }
    let nowhere = ["play", xar.arg(), "--virtual-time", "--scripts", "off", "--trace", "/nowhere/x.jsonl"];
    assert!(say(&nowhere).code(4).err.contains("cannot write /nowhere/x.jsonl: no such file or directory"));
}

#[test]
fn a_behavior_is_chosen_by_the_name_that_is_told() {
    let said = say(&["play", "examples/hello", "--virtual-time", "--scripts", "off", "--behavior", "hello"]).code(0);
    assert!(said.out.contains("behavior hello loaded"), "{}", said.out);
    let other = say(&["play", "examples/hello", "--virtual-time", "--behavior", "other"]).code(2);
    assert!(other.err.contains("has no behavior `other`, but\n  hello"), "{}", other.err);
}

#[test]
fn what_an_archive_was_unpacked_to_is_told_by_the_archives_name() {
    let xar = fixture("places.xar");
    let (folder, packed) = (Temp::new("places"), Temp::new("crg"));
    std::fs::create_dir(&folder.0).unwrap();
    std::fs::copy(common::root().join(xar), folder.0.join("behavior.xar")).unwrap();
    say(&["pack", folder.arg(), packed.arg()]).code(0);
    let said = say(&["play", packed.arg(), "--virtual-time"]).code(0);
    let name = packed.0.file_name().unwrap().to_str().unwrap();
    assert!(said.out.contains(&format!("prints {{{name}}}/sound.ogg")), "{}", said.out);
}

#[test]
fn the_last_line_of_a_trace_is_the_last_though_a_script_still_prints() {
    let script = "import threading\nclass MyClass(GeneratedClass):\n    def talk(self):\n        while True:\n            try:\n                \
                  print('still')\n            except BaseException:\n                pass\n    def onInput_onStart(self):\n        \
                  for i in range(4):\n            threading.Thread(target=self.talk, daemon=True).start()\n        self.onStopped()\n";
    let (file, trace) = (Temp::new("xar"), Temp::new("jsonl"));
    let inside =
        xar::a_box(1, "Talks", script, &xar::ports(), "") + &xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    std::fs::write(&file.0, xar::behavior(&xar::ports(), &xar::flow(&inside))).unwrap();
    for host in ["native", "process"] {
        say(&["play", file.arg(), "--for", "5", "--quiet", "--scripts", host, "--trace", trace.arg()]);
        let text = std::fs::read_to_string(&trace.0).unwrap();
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let last = lines.last().unwrap();
        assert_eq!(last["events"].as_u64(), Some(lines.len() as u64 - 2), "{host}: {last}");
        assert!(last["reason"].is_string(), "{host}: {last}");
    }
}
