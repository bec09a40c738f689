//! Playing on robots, against stand-ins on the loopback. Nothing here sleeps.

#![cfg(unix)]
use crate::common::{Said, Temp, boxstep, fixture, has_python, xar};
use boxstep_robot::naoqi::testing::StandIn;
use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, ChildStdout, Command, Stdio};

/// A run under way.
struct Playing {
    child: Child,
    reader: BufReader<ChildStdout>,
    out: String,
}

impl Playing {
    fn start(args: &[&str]) -> Self {
        let mut child = boxstep(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let reader = BufReader::new(child.stdout.take().unwrap());
        Self { child, reader, out: String::new() }
    }

    /// Waits until it has said so much.
    fn until(&mut self, text: &str) {
        while !self.out.contains(text) {
            assert_ne!(self.reader.read_line(&mut self.out).unwrap(), 0, "it never said {text:?}:\n{}", self.out);
        }
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").arg(name).arg(self.child.id().to_string()).status().unwrap().success());
    }

    fn end(mut self) -> Said {
        self.reader.read_to_string(&mut self.out).unwrap();
        let mut said = Said::from(self.child.wait_with_output().unwrap());
        said.out = self.out;
        said
    }
}

fn address(stand_in: &StandIn) -> String {
    stand_in.address().to_string()
}

/// Answers what `examples/hello` asks for, to its end.
fn play_along(stand_in: &StandIn) {
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    stand_in.end("ALTextToSpeech.say");
    assert!(stand_in.until_asked("ALTextToSpeech.say", 2));
    stand_in.end("ALTextToSpeech.say");
}

#[test]
fn a_behavior_plays_on_the_robots_own_services() {
    let stand_in = StandIn::start().unwrap();
    let (robot, trace) = (address(&stand_in), Temp::new("jsonl"));
    let playing = Playing::start(&["play", "examples/hello", "--robot", &robot, "--trace", trace.arg()]);
    play_along(&stand_in);
    let said = playing.end().code(0);
    assert!(said.out.contains(&format!("robot: {robot} (NAOqi 2.5.7.1); real time")), "{}", said.out);
    assert!(said.out.contains("says “Hello, I am a robot.”"), "{}", said.out);
    let motions = stand_in.names().iter().filter(|name| **name == "ALMotion.angleInterpolationBezier").count();
    assert_eq!(motions, 1, "one command for a timeline: {:?}", stand_in.names());
    let text = std::fs::read_to_string(&trace.0).unwrap();
    assert!(text.lines().next().unwrap().contains(&format!("\"robot\":\"{robot} (NAOqi 2.5.7.1)\"")), "{text}");
}

#[test]
fn a_robot_that_is_not_there_is_said_and_the_code_is_4() {
    let stand_in = StandIn::start().unwrap();
    let robot = address(&stand_in);
    stand_in.close();
    let said: Said = boxstep(&["play", "examples/hello", "--robot", &robot]).output().unwrap().into();
    let said = said.code(4);
    assert!(said.err.contains("nothing listens at") && said.err.contains("connection refused"), "{}", said.err);
    assert_eq!(said.err.lines().count(), 1, "{}", said.err);
}

#[test]
fn a_link_that_is_cut_amid_a_play_is_an_error_with_the_robots_name() {
    let stand_in = StandIn::start().unwrap();
    let robot = address(&stand_in);
    let playing = Playing::start(&["play", "examples/hello", "--robot", &robot]);
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    stand_in.close();
    let said = playing.end().code(4);
    let words = format!("ALTextToSpeech.say: {robot}: connection lost");
    assert!(said.out.contains(&words), "{}", said.out);
    assert!(said.out.contains("behavior hello unloaded"), "{}", said.out);
}

#[test]
fn ctrl_c_stops_the_robot_also_one_that_never_answers() {
    for silent in [false, true] {
        let stand_in = StandIn::start().unwrap();
        if silent {
            stand_in.silence("ALTextToSpeech.stopAll");
        }
        let robot = address(&stand_in);
        let mut playing = Playing::start(&["play", "examples/hello", "--robot", &robot]);
        playing.until("says “Hello");
        assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
        playing.signal("-INT");
        let said = playing.end().code(130);
        let names = stand_in.names();
        for stop in ["ALMotion.stopMove", "ALTextToSpeech.stopAll", "ALAudioPlayer.stopAll"] {
            assert!(names.iter().any(|name| name == stop), "{stop} in {names:?}");
        }
        let unconfirmed = format!("{robot} has not confirmed ALTextToSpeech.stopAll: the robot may still speak");
        assert_eq!(said.out.contains(&unconfirmed), silent, "{}", said.out);
        assert!(said.out.contains("behavior hello unloaded"), "{}", said.out);
    }
}

/// A thread that never waits keeps neither the robot going nor the program.
#[test]
fn a_program_with_a_thread_that_spins_ends_after_its_robot_was_stopped() {
    if !has_python() {
        return;
    }
    let program = fixture("spins.py");
    for (host, ends) in [("native", false), ("process", false), ("native", true), ("process", true)] {
        let stand_in = StandIn::start().unwrap();
        let robot = address(&stand_in);
        // Long enough for a slow machine to begin.
        let limit = if ends { "8" } else { "120" };
        let options = ["--anyway", "--scripts", host, "--for", limit, "--robot", &robot];
        let mut playing = Playing::start(&[&["run", &program], &options[..]].concat());
        assert!(stand_in.until_asked("ALMotion.moveTo", 1));
        playing.until("prints spins");
        if !ends {
            playing.signal("-INT");
        }
        let said = playing.end().code(if ends { 0 } else { 130 });
        let names = stand_in.names();
        let after = names.iter().skip_while(|name| *name != "ALMotion.moveTo").collect::<Vec<_>>();
        assert!(after.contains(&&"ALMotion.stopMove".to_owned()), "{host}: {names:?}\n{}", said.out);
        assert!(!after.contains(&&"ALMotion.wakeUp".to_owned()), "{host}: the thread goes on\n{}", said.out);
        assert_eq!(stand_in.open(), [""; 0], "{host}: {}", said.out);
    }
}

#[test]
fn several_robots_play_together_and_one_that_is_lost_is_told_while_the_others_go_on() {
    let [one, two] = [StandIn::start().unwrap(), StandIn::start().unwrap()];
    let trace = Temp::new("jsonl");
    let (first, second) = (address(&one), address(&two));
    let args = ["play", "examples/hello", "--robot", &first, "--robot", &second, "--trace", trace.arg()];
    let playing = Playing::start(&args);
    assert!(one.until_asked("ALTextToSpeech.say", 1) && two.until_asked("ALTextToSpeech.say", 1));
    two.close();
    play_along(&one);
    let said = playing.end().code(4);
    let lines = |robot: &str, text: &str| said.out.lines().any(|l| l.starts_with(robot) && l.contains(text));
    assert!(lines(&first, "says “Hello") && lines(&second, "says “Hello"), "{}", said.out);
    assert!(lines(&second, "connection lost") && !lines(&first, "connection lost"), "{}", said.out);
    assert!(said.out.ends_with(&format!("{first}: ended; {second}: failed\n")), "{}", said.out);
    for robot in [&first, &second] {
        let name = trace.0.file_stem().unwrap().to_string_lossy().into_owned();
        let file = trace.0.with_file_name(format!("{name}.{}.jsonl", robot.replace(':', "-")));
        assert!(std::fs::read_to_string(&file).unwrap().lines().count() > 5, "{}", file.display());
        std::fs::remove_file(file).unwrap();
    }
}

#[test]
fn a_robot_is_waited_for_and_a_behavior_that_failed_is_played_again() {
    let stand_in = StandIn::start().unwrap();
    let at = stand_in.address();
    stand_in.close();
    let robot = at.to_string();
    let playing = Playing::start(&["play", "examples/hello", "--robot", &robot, "--restart", "on-failure"]);
    let stand_in = StandIn::start_at(at).unwrap();
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    stand_in.close();
    let stand_in = StandIn::start_at(at).unwrap();
    play_along(&stand_in);
    let said = playing.end().code(0);
    assert!(said.out.contains("failed; again in 1 s"), "{}", said.out);
}

#[test]
fn ctrl_c_ends_all_robots_and_what_would_be_played_again() {
    let stand_in = StandIn::start().unwrap();
    let robot = address(&stand_in);
    let mut playing = Playing::start(&["play", "examples/hello", "--robot", &robot, "--restart", "always"]);
    playing.until("says “Hello");
    playing.signal("-TERM");
    let said = playing.end().code(130);
    assert!(said.out.contains("interrupted") && !said.out.contains("again in"), "{}", said.out);
    assert!(stand_in.names().iter().any(|name| name == "ALMotion.stopMove"));
}

#[test]
fn what_a_script_asks_for_and_the_robot_does_not_have_is_an_unsupported_call() {
    let stand_in = StandIn::start().unwrap();
    let robot = address(&stand_in);
    let said = Playing::start(&["play", &fixture("robot_calls.xar"), "--robot", &robot]).end().code(5);
    assert!(said.out.contains("prints Ann"), "an object of the robot's is a service: {}", said.out);
    assert!(said.out.contains("Cannot find method: ALSystem.selfDestruct"), "{}", said.out);
}

#[test]
fn a_dialog_box_has_its_topic_talked_about_by_the_robot() {
    let stand_in = StandIn::start().unwrap();
    let robot = address(&stand_in);
    let mut playing = Playing::start(&["play", &fixture("robot_dialog"), "--robot", &robot]);
    assert!(stand_in.until_asked("ALDialog.subscribe", 1));
    playing.until("behavior robot_dialog started");
    let asked = stand_in.asked();
    let of = |name: &str| asked.iter().find(|(asked, _)| asked == name).unwrap().1[0].as_str().unwrap().to_owned();
    // The stand-in speaks French.
    assert!(of("ALDialog.loadTopicContent").contains("bonjour"), "{asked:?}");
    assert_eq!(of("ALDialog.activateTopic"), "talk");
    // The topic says $greeted="Ann" and then $onStopped=1.
    stand_in.raise("greeted", "Ann");
    playing.until("sends greeted \"Ann\"");
    stand_in.raise("onStopped", 1);
    let said = playing.end().code(0);
    assert!(!said.out.contains("not interpreted"), "{}", said.out);
    let names = stand_in.names();
    for last in ["ALDialog.unsubscribe", "ALDialog.deactivateTopic", "ALDialog.unloadTopic"] {
        assert!(names.iter().any(|name| name == last), "{last} in {names:?}");
    }
}

#[test]
fn a_character_that_talks_leaves_it_to_the_robot_and_takes_its_topics_back() {
    let folder = Temp::new("d");
    std::fs::create_dir_all(&folder.0).unwrap();
    let files = [
        (
            "character.yaml",
            "character: Doorman\nbehaviors:\n  main:\n    sequence:\n      - { talk: chat.dlg }\n      - { say: Done }\n      \
             - { talk: quiz.top }\n",
        ),
        ("chat.dlg", "multilanguage: chat\nenu: chat.top\nfrf: causerie.top\n"),
        ("chat.top", "topic: ~chat ()\nlanguage: enu\nu:(e:onStart) Let us.\nu:(bye) Goodbye. $onStopped=1\n"),
        ("causerie.top", "topic: ~chat ()\nlanguage: frf\nu:(e:onStart) Parlons.\nu:(adieu) Adieu. $onStopped=1\n"),
        ("quiz.top", "topic: ~quiz ()\nlanguage: frf\nu:(e:onStart) Qui suis-je ?\n"),
    ];
    for (name, text) in files {
        std::fs::write(folder.0.join(name), text).unwrap();
    }
    let stand_in = StandIn::start().unwrap();
    let playing = Playing::start(&["play", folder.arg(), "--robot", &address(&stand_in)]);
    assert!(stand_in.until_asked("ALDialog.subscribe", 1));
    let content = |name: &str| {
        let asked = stand_in.asked().into_iter().filter(|(asked, _)| asked == "ALDialog.loadTopicContent");
        asked.filter(|(_, args)| args[0].as_str().is_some_and(|text| text.contains(name))).count()
    };
    // The stand-in speaks French.
    assert_eq!((content("Parlons"), content("Let us")), (1, 0));
    stand_in.raise("onStopped", 1);
    assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
    stand_in.end("ALTextToSpeech.say");
    assert!(stand_in.until_asked("ALDialog.activateTopic", 2));
    playing.signal("-INT");
    let said = playing.end().code(130);
    let names = stand_in.names();
    let count = |name: &str| names.iter().filter(|asked| *asked == name).count();
    for (begun, ended) in [("subscribe", "unsubscribe"), ("activateTopic", "deactivateTopic")] {
        let [begun, ended] = [begun, ended].map(|name| count(&format!("ALDialog.{name}")));
        assert_eq!(begun, ended, "{names:?}\n{}", said.out);
    }
    assert_eq!(count("ALDialog.unloadTopic"), 2, "{names:?}\n{}", said.out);
}

/// Begins much and ends nothing.
const RESTLESS: &str = "class MyClass(GeneratedClass):
    def onInput_onStart(self):
        ALProxy('ALMotion').moveToward(1.0, 0.0, 0.0)
        ALProxy('ALTracker').track('Face')
        ALProxy('ALTextToSpeech').post.say('a long story')
        self.log('has begun')
";

#[test]
fn at_its_limit_and_when_it_ends_by_itself_a_run_leaves_nothing_that_goes_on() {
    for ends in [false, true].into_iter().filter(|_| has_python()) {
        let more = if ends { "        self.onStopped()\n" } else { "" };
        let inside = xar::a_box(1, "A", &format!("{RESTLESS}{more}"), &xar::ports(), "")
            + &xar::link((0, 2), (1, 2))
            + &xar::link((1, 4), (0, 4));
        let xar = xar::behavior(&xar::ports(), &xar::flow(&inside));
        let file = xar::written("robots", if ends { "ends" } else { "limit" }, &xar);
        let stand_in = StandIn::start().unwrap();
        let robot = address(&stand_in);
        // Long enough for a slow machine to begin.
        let limit = if ends { "60" } else { "8" };
        let playing = Playing::start(&["play", file.to_str().unwrap(), "--anyway", "--for", limit, "--robot", &robot]);
        assert!(stand_in.until_asked("ALTextToSpeech.say", 1));
        let said = playing.end().code(0);
        assert_eq!(said.out.contains("the time limit was reached"), !ends, "{}", said.out);
        let names = stand_in.names();
        for stop in ["ALMotion.stopMove", "ALTracker.stopTracker", "ALTextToSpeech.stopAll"] {
            assert_eq!(names.iter().filter(|name| **name == stop).count(), 1, "{stop} in {names:?}");
        }
        for spared in ["ALAudioPlayer.stopAll", "ALRobotPosture.stopMove", "ALMotion.killTasksUsingResources"] {
            assert!(!names.iter().any(|name| name == spared), "{spared} in {names:?}");
        }
        assert_eq!(stand_in.open(), [""; 0]);
    }
}
