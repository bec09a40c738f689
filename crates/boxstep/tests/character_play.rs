//! What `boxstep play` does for behaviors it does for characters: robots, scenarios, replays, serving, files that change.

#![cfg(unix)]
use crate::common::{Run, Temp, has_python, say, xar};
use crate::support::Robot;
use boxstep_qi::{Session, args};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder of a test's own with a character.
fn character(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("character-play").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("character.yaml");
    write(&file, text);
    file
}

fn write(file: &Path, text: &str) {
    fs::write(file, format!("character: Test\n{text}")).unwrap();
}

/// A behavior of one box with this script, which ends as the box does.
fn behavior(script: &str) -> String {
    let ports = xar::ports() + &xar::input(3, "onStop", 3);
    let script = format!(
        "class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)\n{script}"
    );
    let only = xar::a_box(1, "Only", &script, &ports, "");
    xar::behavior(&ports, &xar::flow(&(only + &xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4)))))
}

// ---- robots ------------------------------------------------------------------------------------

const WALKS: &str =
    "behaviors:\n  main: { queue: [{ call: ALMotion.moveTo, args: [0.1, 0.0, 0.0] }, { say: there }] }\n";

/// Of what the robot was told, what matters here, in order.
fn commands(robot: &Robot) -> Vec<String> {
    let matters = ["ALMotion.wakeUp", "ALMotion.rest", "ALMotion.moveTo", "ALTextToSpeech.say"];
    let name = |c: String| c.split(' ').next().unwrap_or_default().to_owned();
    robot.commands().into_iter().filter(|c| matters.iter().any(|m| c.starts_with(m))).map(name).collect()
}

#[test]
fn a_robot_of_the_network_is_looked_at_woken_up_played_on_and_put_back() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let (file, trace) = (character("robot", WALKS), Temp::new("jsonl"));
    let options = ["--robot", &robot.address(), "--scripts", "off"];
    let said = Run::start(&file, &options).ends().code(4);
    assert!(said.out.contains("refused  awake"), "{}", said.out);
    assert_eq!(commands(&robot), [""; 0]);

    let more = ["--wake", "--must-end", "--trace", trace.arg()];
    let said = Run::start(&file, &[&options[..], &more].concat()).ends().code(0);
    assert!(said.out.contains("put back: the robot rests again"), "{}", said.out);
    assert_eq!(commands(&robot), ["ALMotion.wakeUp", "ALMotion.moveTo", "ALTextToSpeech.say", "ALMotion.rest"]);
    let text = fs::read_to_string(&trace.0).unwrap();
    let first = text.lines().next().unwrap();
    assert!(first.contains("\"character\":\"Test\"") && first.contains("\"robot\":\""), "{first}");
}

#[test]
fn what_leaves_call_and_the_robot_lacks_is_told_before_anything_plays() {
    let robot = Robot::ready();
    let lacks = "behaviors:\n  main: { queue: [go, { fallback: [{ name: sing, call: ALChoir.sing }, { say: a }] }] }\n  go: { sequence: [{ name: fly, call: ALWings.flap }] }\n";
    let file = character("lacks", lacks);
    let args = ["--robot", &robot.address(), "--scripts", "off", "--must-end"];
    let said = Run::start(&file, &args).ends().code(4);
    assert!(said.out.contains("ALWings.flap at fly"), "{}", said.out);
    assert!(!said.out.contains("ALChoir"), "a fallback is ready for it: {}", said.out);
    assert!(!said.out.contains("Test from"), "it was played: {}", said.out);
    Run::start(&file, &[&args[..], &["--anyway"]].concat()).ends().code(5);
    let said = say(&["doctor", file.to_str().unwrap(), "--robot", &robot.address()]);
    assert!(said.out.contains("ALWings.flap at fly"), "{}", said.out);
}

#[test]
fn an_interrupt_stops_the_robot() {
    let robot = Robot::ready();
    robot.hangs("ALTextToSpeech.say");
    let file = character("interrupt", "behaviors:\n  main: { priority: [{ say: a long story }] }\n");
    let run = Run::start(&file, &["--robot", &robot.address(), "--scripts", "off"]);
    robot.wait_for("ALTextToSpeech.say");
    let said = run.interrupt();
    assert!(robot.commands().iter().any(|c| c.starts_with("ALTextToSpeech.stopAll")), "{:?}", robot.commands());
    assert!(robot.commands().iter().any(|c| c.starts_with("ALMotion.stopMove")), "{}", said.out);
}

#[test]
fn a_character_that_is_over_is_played_again_until_it_is_interrupted() {
    let robot = Robot::ready();
    let file = character("restart", "behaviors:\n  main: { queue: [{ say: once more }] }\n");
    let mut run = Run::start(&file, &["--robot", &robot.address(), "--scripts", "off", "--restart", "always"]);
    run.says("says “once more”");
    run.says("again in");
    run.says("says “once more”");
    run.interrupt();
    assert!(commands(&robot).len() >= 2, "{:?}", commands(&robot));
}

#[test]
fn several_robots_play_a_character_together() {
    let [one, two] = [Robot::ready(), Robot::ready()];
    let file = character("several", WALKS);
    let (first, second) = (one.address(), two.address());
    let said =
        Run::start(&file, &["--robot", &first, "--robot", &second, "--scripts", "off", "--must-end"]).ends().code(0);
    assert!(said.out.ends_with(&format!("{first}: ended; {second}: ended\n")), "{}", said.out);
    for robot in [&one, &two] {
        assert_eq!(commands(robot), ["ALMotion.moveTo", "ALTextToSpeech.say"]);
    }
}

#[test]
fn a_character_plays_on_a_robot_that_is_written_in_python() {
    if !has_python() {
        return;
    }
    let file = character(
        "own",
        "behaviors:\n  main:\n    sequence:\n      - { call: Gripper.close, args: [5] }\n      - { pass: { wait: 5 }, until: { memory: GripperClosed, equals: 5 } }\n      - { call: Gripper.thank }\n",
    );
    let robot = file.with_file_name("robot.py");
    fs::write(&robot, "import time\nclass Gripper:\n    def close(self, force):\n        time.sleep(2)\n        self.raiseEvent('GripperClosed', force)\n    def thank(self):\n        self.raiseEvent('Thanked', 1)\n").unwrap();
    let said =
        say(&["play", file.to_str().unwrap(), "--robot", robot.to_str().unwrap(), "--virtual-time", "--must-end"]);
    let said = said.code(0);
    assert!(said.out.contains("event Thanked 1") && said.out.contains("robot: "), "{}", said.out);
}

// ---- what a run is given -------------------------------------------------------------------------

const ANSWERS: &str = "parameters: { text: Hello }\nbehaviors:\n  main:\n    priority:\n      - { say: $text, when: { event: Bell } }\n      \
                       - { say: It is red, when: { became: { memory: Colour, equals: red } } }\n      - { random: [{ say: a }, { say: b }, { say: c }] }\n";

#[test]
fn a_scenario_gives_a_character_its_parameters_memory_events_and_time() {
    let file = character(
        "scenario",
        "parameters: { text: Hello }\nbehaviors:\n  main:\n    queue:\n      - { say: It is red, when: { memory: Colour, equals: red } }\n      - { pass: { wait: 100 }, until: { event: Bell } }\n      - { say: $text }\n      - { wait: 100 }\n",
    );
    let scenario = file.with_file_name("story.toml");
    let given = "behavior = \"other.xar\"\n[given]\nfor = 7\nset = { \"character/text\" = \"Good evening\" }\n[given.memory]\nColour = \"red\"\n[[given.events]]\nname = \"Bell\"\nat = 3\n";
    fs::write(&scenario, given).unwrap();
    let args = [
        "play",
        file.to_str().unwrap(),
        "--virtual-time",
        "--scripts",
        "off",
        "--scenario",
        scenario.to_str().unwrap(),
    ];
    let said = say(&args).code(0);
    assert!(said.out.contains("says “It is red”") && said.out.contains("says “Good evening”"), "{}", said.out);
    assert!(said.out.contains("played 7.0"), "{}", said.out);
    // Options go before it.
    let said = say(&[&args[..], &["--set", "character/text=Hi", "--for", "5"]].concat()).code(0);
    assert!(said.out.contains("says “Hi”") && said.out.contains("played 5.0"), "{}", said.out);
    for wrong in ["set = { \"root/Say/Text\" = 1 }", "set = { \"character/txet\" = 1 }"] {
        fs::write(&scenario, given.replace("set = { \"character/text\" = \"Good evening\" }", wrong)).unwrap();
        let said = say(&args).code(2);
        assert!(
            said.err.contains("write character/NAME=VALUE") || said.err.contains("did you mean `text`?"),
            "{}",
            said.err
        );
    }
}

#[test]
fn a_run_of_a_character_is_played_again_from_its_trace() {
    let file = character("replay", ANSWERS);
    let (first, second) = (Temp::new("jsonl"), Temp::new("jsonl"));
    let file = file.to_str().unwrap();
    let options = ["--virtual-time", "--scripts", "off", "--seed", "7", "--for", "9", "--set", "character/text=Hi"];
    let events = ["--event", "Bell=1@2.5", "--event", "Colour=\"red\"@4"];
    say(&[&["play", file, "--trace", first.arg()], &options[..], &events[..]].concat()).code(0);
    say(&["play", file, "--replay", first.arg(), "--trace", second.arg()]).code(0);
    let [first, second] = [first, second].map(|trace| fs::read_to_string(&trace.0).unwrap());
    assert_eq!(first, second);
    assert!(first.contains("\"text\":\"Hi\"") || first.contains("“Hi”") || first.contains("[\"Hi\"]"), "{first}");
}

#[test]
fn another_seed_draws_otherwise() {
    let file = character("seed", ANSWERS);
    let said = |seed: &str| {
        let args =
            ["play", file.to_str().unwrap(), "--virtual-time", "--scripts", "off", "--for", "30", "--seed", seed];
        let out = say(&args).code(0).out;
        // The last line has the time that it took.
        out.lines().filter(|line| !line.starts_with("played")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(said("1"), said("1"));
    assert_ne!(said("1"), said("2"));
}

#[test]
fn a_character_is_served_and_clients_raise_events_for_it() {
    let file = character("served", "behaviors:\n  main: { priority: [{ say: Come in, when: { event: Bell } }] }\n");
    let mut run = Run::start(&file, &["--serve=127.0.0.1:0", "--scripts", "off"]);
    let address = run.says("served at").split("tcp://").nth(1).unwrap().trim().to_owned();
    let session = Session::connect(&address).unwrap();
    session.service("ALMemory").unwrap().call("raiseEvent", &args!["Bell", 1]).unwrap();
    run.says("says “Come in”");
    let boxes = session.service("Boxstep").unwrap().call("boxes", &[]).unwrap();
    assert_eq!(boxes.as_slice().unwrap().len(), 0, "boxes of its behaviors come and go");
    drop(session);
    run.interrupt();
}

#[test]
fn what_a_character_does_not_have_is_refused_in_words() {
    let file = character("refused", "behaviors:\n  main: { say: a }\n");
    for (options, words) in [
        (&["--stimulate", "root:onStop@1"][..], "a character has no boxes of its own"),
        (&["--watch"][..], "a run in virtual time is over too soon for that"),
    ] {
        let args = [&["play", file.to_str().unwrap(), "--scripts", "off", "--virtual-time"][..], options].concat();
        let said = say(&args).code(2);
        assert!(said.err.contains(words), "{words}: {}", said.err);
        assert_eq!(said.out, "");
    }
}

// ---- files that change ---------------------------------------------------------------------------

#[test]
fn a_character_that_is_saved_is_taken_while_it_plays() {
    let old = "behaviors:\n  main: { priority: [{ name: idle, random: [{ say: one }], cooldown: 0.2 }] }\n";
    let file = character("watched", old);
    let trace = Temp::new("jsonl");
    let mut run = Run::start(&file, &["--watch", "--scripts", "off", "--trace", trace.arg()]);
    run.says("files that change are taken");
    run.says("says “one”");
    write(&file, &old.replace("one", "two"));
    let line = run.says("reload: ");
    assert!(line.contains("changed: idle/1"), "{line}");
    run.says("says “two”");

    write(&file, &old.replace("say: one", "sya: one"));
    let line = run.says("the character goes on as it was");
    assert!(line.contains("character.yaml:3:") && line.contains("did you mean `say`?"), "{line}");
    run.says("says “two”");

    write(&file, &old.replace("say: one", "play: nothing.xar"));
    let line = run.says("the character goes on as it was");
    assert!(line.contains("there is no file `nothing.xar`"), "{line}");

    write(&file, &old.replace("[{ say: one }]", "[{ say: one }], name: idling").replace("name: idle, ", ""));
    let line = run.says("reload: ");
    assert!(line.contains("gone: idle"), "{line}");
    run.says("says “one”");
    run.interrupt();
    let text = fs::read_to_string(&trace.0).unwrap();
    assert!(text.lines().last().unwrap().contains("\"deterministic\":false"), "{text}");
}

#[test]
fn why_knows_the_version_of_a_character_that_plays() {
    let old =
        "behaviors:\n  main: { priority: [{ name: idle, say: one, cooldown: 0.2 }, { name: rest, wait: 100 }] }\n";
    let file = character("watched-why", old);
    let trace = Temp::new("jsonl");
    let mut run = Run::start(&file, &["--watch", "--scripts", "off", "--trace", trace.arg()]);
    run.says("files that change are taken");
    run.says("says “one”");
    write(
        &file,
        &old.replace(
            "{ name: idle, say: one, cooldown: 0.2 }",
            "{ name: other, queue: [{ say: two }, { wait: 100 }] }",
        ),
    );
    run.says("says “two”");
    run.says("main/other/2");
    run.interrupt();
    let why = |name: &str| say(&["why", name, trace.arg()]).code(0).out;
    let idle = why("idle");
    assert!(idle.contains("another version of the character plays, which does not have it"), "{idle}");
    // Of another kind than before: found under a path of its own.
    let second = why("other/2");
    assert!(second.starts_with("other/2 runs at ") && second.contains("main → other → other/2"), "{second}");
    assert_eq!(why("main/other/2"), second, "its path is a name, too");
    let rest = why("rest");
    assert!(rest.contains("main has given control to other, which stands before it"), "{rest}");
}

#[test]
fn a_behavior_that_is_saved_is_taken_when_it_does_not_play() {
    if !has_python() {
        return;
    }
    let script = |word: &str| {
        format!(
            "    def onInput_onStart(self):\n        import helper\n        print('{word} with ' + helper.word)\n        self.onStopped()\n"
        )
    };
    let file = character(
        "watched-behavior",
        "behaviors:\n  main: { repeat: { queue: [{ play: one.xar }, { wait: 0.5 }] } }\n",
    );
    let (one, helper) = (file.with_file_name("one.xar"), file.with_file_name("helper.py"));
    fs::write(&helper, "word = 'this'\n").unwrap();
    fs::write(&one, behavior(&script("old"))).unwrap();
    let mut run = Run::start(&file, &["--watch"]);
    run.says("old with this");
    fs::write(&one, behavior(&script("new"))).unwrap();
    run.says("files: one.xar");
    run.says("new with this");
    fs::write(&helper, "word = 'that and more'\n").unwrap();
    run.says("module helper has changed");
    run.says("new with that and more");
    fs::write(&one, "<ChoregrapheProject").unwrap();
    let line = run.says("the character goes on as it was");
    assert!(line.contains("one.xar"), "{line}");
    run.says("new with that and more");
    run.interrupt();
}

#[test]
fn a_behavior_that_plays_on_is_waited_for() {
    if !has_python() {
        return;
    }
    let script = "    def onInput_onStart(self):\n        print('dances')\n    def onInput_onStop(self):\n        self.onUnload()\n        self.onStopped()\n";
    let text = "behaviors:\n  main:\n    priority:\n      - { say: Enough, when: { event: Enough } }\n      - { play: one.xar }\n";
    let file = character("watched-running", text);
    let one = file.with_file_name("one.xar");
    fs::write(&one, behavior(script)).unwrap();
    let mut run = Run::start(&file, &["--watch", "--serve=127.0.0.1:0"]);
    let address = run.says("served at").split("tcp://").nth(1).unwrap().trim().to_owned();
    run.says("dances");
    fs::write(&one, behavior(&script.replace("dances", "dances otherwise"))).unwrap();
    let line = run.says("the new version waits");
    assert!(line.contains("main/2 runs"), "{line}");
    let session = Session::connect(&address).unwrap();
    session.service("ALMemory").unwrap().call("raiseEvent", &args!["Enough", 1]).unwrap();
    run.says("files: one.xar");
    run.says("dances otherwise");
    drop(session);
    run.interrupt();
}
