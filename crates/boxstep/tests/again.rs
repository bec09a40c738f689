//! A run again from its trace.

use crate::common::{Temp, say, xar};
use std::fs;

/// A script that asks, waits, listens, draws and looks at the clock.
const SCRIPT: &str = r#"import random, time
class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)

    def onLoad(self):
        self.BIND_PYTHON(self.getName(), "heard")
        ALMemory.subscribeToEvent("RearTactilTouched", self.getName(), "heard")

    def onInput_onStart(self):
        sonar = ALProxy("ALSonar")
        for n in range(3):
            self.log("near %r" % sonar.near("left", n))
            try:
                self.log("far %r" % sonar.far())
            except RuntimeError as e:
                self.log("no: %s" % e)
            self.log("%s %d %f" % (self.getParameter("Word"), random.randint(0, 1000000), time.time()))
            self.log("kept %r" % ALMemory.getData("Kept"))
            ALProxy("ALMotion").angleInterpolation("HeadYaw", 0.1 * n, 0.7, True)
            time.sleep(1.0)

    def heard(self, key, value, message):
        self.log("%s is %r at %f" % (key, value, time.time()))
        ALProxy("ALTextToSpeech").say("touched")

    def onInput_poke(self, p):
        self.log("poked with %r" % p)"#;

const SCENARIO: &str = r#"
[given]
seed = 11
epoch = 1000000000
for = 20
memory = { Kept = [1, 2.5, "three"] }
set = { "root/Ask/Word" = "hello" }
events = [{ name = "FrontTactilTouched", value = 1.0, at = 0.75 }]
stimulate = [{ box = "root/Ask", input = "poke", value = { a = 1 }, at = 1.2345 }]

[[given.mocks]]
call = "ALSonar.near"
args = ["left", 1]
returns = 0.25
takes = 0.4

[[given.mocks]]
call = "ALSonar.near"
returns = "any"
times = 2

[[given.mocks]]
call = "ALSonar.far"
raises = "too far"
"#;

/// A behavior with one box in the root.
fn behavior(inside: &str) -> String {
    let touch = r#"<Input name="touch" type="0" type_size="1" nature="4" stm_value_name="FrontTactilTouched" inner="1" tooltip="" id="5"/>"#;
    xar::behavior(&(xar::ports() + touch), inside)
}

fn asking() -> String {
    let word = r#"<Parameter name="Word" inherits_from_parent="0" content_type="3" value="-" default_value="" custom_choice="0" tooltip="" id="4"/>"#;
    let poke = r#"<Input name="poke" type="0" type_size="1" nature="1" inner="0" tooltip="" id="3"/>"#;
    let ask = xar::a_box(1, "Ask", SCRIPT, &(xar::input(2, "onStart", 2) + poke), word);
    behavior(&xar::flow(&(ask + &xar::link((0, 2), (1, 2)) + &xar::link((0, 5), (1, 3)))))
}

fn written(ending: &str, text: &str) -> Temp {
    let file = Temp::new(ending);
    fs::write(&file.0, text).unwrap();
    file
}

#[test]
fn a_run_with_scripts_comes_again_from_its_trace_byte_for_byte() {
    let (file, scenario) = (written("xar", &asking()), written("test.toml", SCENARIO));
    let (first, second) = (Temp::new("jsonl"), Temp::new("jsonl"));
    let more = ["--event", "RearTactilTouched=1@2.000000001", "--event", "RearTactilTouched=0@2.5", "--joints", "4"];
    let play = ["play", file.arg(), "--virtual", "--scenario", scenario.arg(), "--trace", first.arg()];
    say(&[&play[..], &more[..]].concat()).code(0);
    say(&["play", file.arg(), "--replay", first.arg(), "--trace", second.arg()]).code(0);
    let (first, second) = (fs::read_to_string(&first.0).unwrap(), fs::read_to_string(&second.0).unwrap());
    // The run has what it was made for.
    for sign in [
        "near 'any'",
        "near 0.25",
        "no: ALSonar.far: too far",
        "hello ",
        "kept [1, 2.5, 'three']",
        "poked with {'a': 1}",
        "RearTactilTouched is 1 at",
        "\"kind\":\"joints\"",
        "\"deterministic\":true",
    ] {
        assert!(first.contains(sign), "{sign}\n{first}");
    }
    let differs = first.lines().zip(second.lines()).find(|(a, b)| a != b);
    assert_eq!(differs, None);
    assert_eq!(first, second);
}

#[test]
fn what_is_asked_for_besides_goes_before_the_trace() {
    let (file, first, second) = (written("xar", &asking()), Temp::new("jsonl"), Temp::new("jsonl"));
    say(&["play", file.arg(), "--virtual", "--for", "9", "--event", "Kept=1@0", "--trace", first.arg()]).code(5);
    let more = ["--set", "root/Ask/Word=other", "--seed", "5"];
    let replay = ["play", file.arg(), "--replay", first.arg(), "--trace", second.arg()];
    say(&[&replay[..], &more[..]].concat()).code(5);
    let second = fs::read_to_string(&second.0).unwrap();
    assert!(second.contains("\"seed\":5") && second.contains("\"root/Ask/Word\":\"other\""), "{second}");
    assert!(second.contains("\"for\":9.0") && second.contains("\"key\":\"Kept\""), "{second}");
}

#[test]
fn a_replay_says_that_its_files_are_others_and_what_is_no_trace() {
    let (file, first) = (written("xar", &asking()), Temp::new("jsonl"));
    say(&["play", file.arg(), "--virtual", "--scripts", "off", "--for", "1", "--trace", first.arg()]).code(0);
    let said = say(&["play", "examples/hello", "--replay", first.arg(), "--behavior", "hello"]).code(0);
    assert!(said.out.contains("the trace is of other files"), "{}", said.out);
    let said = say(&["play", "examples/hello", "--replay", "README.md"]).code(2);
    assert!(said.err.contains("line 1: not the begin of a trace"), "{}", said.err);
}
