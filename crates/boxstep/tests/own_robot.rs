//! Robots written in Python: `play --robot FILE.py` (docs/guides/own-robots.md).

#![cfg(unix)]
use crate::pythons;
#[path = "own_robot/stops.rs"]
mod stops;

use crate::common::{Said, Temp, has_python, root, say, xar};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

const HOSTS: [&str; 2] = ["native", "process"];

/// A folder with a robot and a behavior of one box, whose script has `body` in its class.
fn scene(name: &str, robot: &str, body: &str) -> PathBuf {
    let script = format!("import time\nclass MyClass(GeneratedClass):\n{body}");
    let links = xar::link((0, 2), (1, 2)) + &xar::link((1, 4), (0, 4));
    let inside = xar::flow(&(xar::a_box(1, "Does", &script, &xar::ports(), "") + &links));
    let folder = xar::written("own-robot", name, &xar::behavior(&xar::ports(), &inside));
    fs::write(folder.join("robot.py"), robot).unwrap();
    folder
}

/// Plays a scene in virtual time; its trace, and what was said.
fn play(folder: &Path, host: &str, code: i32, more: &[&str]) -> (Vec<Value>, Said) {
    let (trace, robot) = (Temp::new("jsonl"), folder.join("robot.py"));
    let mut args = vec!["play", folder.to_str().unwrap(), "--robot", robot.to_str().unwrap(), "--virtual-time"];
    args.extend(["--scripts", host, "--trace", trace.arg()]);
    args.extend(more);
    let said = say(&args).code(code);
    let text = fs::read_to_string(&trace.0).unwrap();
    (text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), said)
}

/// What was logged and printed, with the milliseconds at which it was.
fn words(trace: &[Value]) -> Vec<(i64, String)> {
    let said = |e: &Value| Some((e["t"].as_i64()? / 1_000_000, e["text"].as_str()?.to_owned()));
    trace.iter().filter(|e| e["kind"] == "log" || e["kind"] == "print").filter_map(said).collect()
}

/// Plays it in both hosts and gives the words of one, which are those of the other.
fn spoken(name: &str, robot: &str, body: &str, code: i32) -> Vec<(i64, String)> {
    let folder = scene(name, robot, body);
    let [first, second] = HOSTS.map(|host| play(&folder, host, code, &[]).0);
    assert_eq!(first[1..], second[1..], "the hosts differ");
    assert_eq!(first.last().unwrap()["deterministic"], true);
    words(&first)
}

fn at(ms: i64, text: &str) -> (i64, String) {
    (ms, text.to_owned())
}

const GRIPPER: &str = "\
import time
import qi

class Gripper:
    closed = qi.Signal()

    def __init__(self):
        self.width = qi.Property()
        self.width.setValue(9)

    def close(self, force):
        begun = time.time()
        time.sleep(2)
        self.width.setValue(0)
        self.raiseEvent('GripperClosed', force)
        self.closed(force, 'firm')
        return {'took': time.time() - begun, 'list': [force, None, 'é']}

    def fail(self):
        helper()

def helper():
    raise ValueError('too hot')
";

#[test]
fn methods_block_on_the_clock_of_the_run_and_answer() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        g = ALProxy('Gripper')\n        found = g.close(5)\n        \
                self.log('%.3f %s' % (found['took'], len(found['list'])))\n        self.onStopped()\n";
    assert_eq!(spoken("answers", GRIPPER, body, 0), [at(2000, "2.000 3")]);
}

#[test]
fn events_signals_and_properties_of_a_class_reach_scripts() {
    if !has_python() {
        return;
    }
    let body = "
    def onLoad(self):
        self.g = self.session().service('Gripper')
        ALProxy('ALMemory').subscriber('GripperClosed').signal.connect(self.event)
        self.g.closed.connect(self.signal)
    def event(self, force):
        self.log('event %s' % force)
    def signal(self, force, how):
        self.log('signal %s %s' % (force, how))
    def onInput_onStart(self):
        self.log('width %s' % self.g.width.value())
        self.g.close(5)
        self.log('width %s' % self.g.width.value())
        self.g.width.setValue(4)
        self.log('width %s' % self.g.width.value())
        time.sleep(1)
        self.onStopped()
";
    let mut said = spoken("events", GRIPPER, body, 0);
    said.sort();
    let expected = ["event 5", "signal 5 firm", "width 0", "width 4"].map(|text| at(2000, text));
    assert_eq!(said[0], at(0, "width 9"));
    assert_eq!(said[1..], expected);
}

#[test]
fn signals_can_be_emitted_from_outside() {
    if !has_python() {
        return;
    }
    let body = "
    def onInput_onStart(self):
        self.session().service('Gripper').closed.connect(self.signal)
    def signal(self, force):
        self.log('signal %s' % force)
        self.onStopped()
";
    let folder = scene("outside", GRIPPER, body);
    for host in HOSTS {
        let (trace, _) = play(&folder, host, 0, &["--event", "Gripper.closed=5@2"]);
        assert_eq!(words(&trace), [at(2000, "signal 5")]);
    }
}

#[test]
fn modules_beside_the_file_are_found_and_scripts_keep_their_own() {
    if !has_python() {
        return;
    }
    let robot = "import servo_bus\nclass Arm:\n    def speed(self):\n        return servo_bus.SPEED / 2\n";
    let body = "
    def onInput_onStart(self):
        import half
        self.log('%s %s' % (ALProxy('Arm').speed(), half.VALUE))
        self.onStopped()
";
    let folder = scene("modules", robot, body);
    fs::write(folder.join("servo_bus.py"), "SPEED = 3\n").unwrap();
    // The robot's folder is the behavior's, too, and a script's module is Python 2 all the same.
    fs::write(folder.join("half.py"), "VALUE = 3 / 2\n").unwrap();
    for host in HOSTS {
        let (trace, _) = play(&folder, host, 0, &[]);
        assert_eq!(words(&trace), [at(0, "1.5 1")]);
    }
}

#[test]
fn a_signal_that_a_class_does_not_have_is_told() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        \
                self.session().service('Gripper').opened.connect(self.log)\n        self.onStopped()\n";
    let folder = scene("no-signal", GRIPPER, body);
    for host in HOSTS {
        let (_, said) = play(&folder, host, 0, &[]);
        assert!(said.out.contains("Gripper has no signal opened: its subscribers get no events"), "{}", said.out);
    }
}

#[test]
fn an_exception_names_the_line_of_the_robots_file() {
    if !has_python() {
        return;
    }
    let robot =
        format!("{GRIPPER}\n    \nclass Exits:\n    def now(self):\n        import sys\n        sys.exit('broken')\n");
    let body = "
    def onInput_onStart(self):
        for call in (ALProxy('Gripper').fail, ALProxy('Gripper').close, ALProxy('Exits').now):
            try:
                call()
            except RuntimeError as error:
                self.log(str(error))
        self.onStopped()
";
    let said = spoken("raises", &robot, body, 0);
    assert_eq!(said[0], at(0, "Gripper.fail: ValueError: too hot (robot.py line 23)"));
    // Python's words differ between versions; the line is that of the method.
    assert!(
        said[1].1.starts_with("Gripper.close: TypeError: ") && said[1].1.ends_with(" (robot.py line 11)"),
        "{said:?}"
    );
    assert_eq!(said[2], at(0, "Exits.now: SystemExit: broken (robot.py line 29)"));
}

#[test]
fn what_the_file_does_not_have_is_not_there() {
    if !has_python() {
        return;
    }
    let body = "
    def onInput_onStart(self):
        for wrong in (lambda: ALProxy('ALLeds'), lambda: ALProxy('Gripper').open(), lambda: ALProxy('Gripper')._init(),
                      lambda: ALProxy('Gripper')._halt()):
            try:
                wrong()
            except RuntimeError as error:
                self.log(str(error))
        self.log(str([s['name'] for s in self.session().services() if s['name'] in ('Gripper', 'ALLeds', 'ALMemory')]))
        self.onStopped()
";
    let robot = "class Gripper:\n    pass\nclass _Hidden:\n    pass\nclass Wrong(Exception):\n    pass\n";
    let folder = scene("missing", robot, body);
    for host in HOSTS {
        let (trace, said) = play(&folder, host, 5, &[]);
        let missing =
            ["Cannot find service: ALLeds", "Cannot find method: Gripper.open", "Cannot find method: Gripper._init"];
        let said_words: Vec<String> = words(&trace).into_iter().map(|w| w.1).collect();
        assert_eq!(said_words[..3], missing);
        assert_eq!(said_words[3..], ["Cannot find method: Gripper._halt", "['ALMemory', 'Gripper']"]);
        assert!(said.out.contains("unsupported: Gripper.open (line 5)"), "{}", said.out);
    }
}

#[test]
fn the_simulation_stands_in_only_where_the_file_asks_for_it() {
    if !has_python() {
        return;
    }
    let body = "
    def onInput_onStart(self):
        for call in (lambda: ALProxy('ALTextToSpeech').say('x'), lambda: ALProxy('ALTextToSpeech').getLanguage(),
                     lambda: ALProxy('ALMotion').robotIsWakeUp(), lambda: ALProxy('ALTextToSpeech').nothing()):
            try:
                self.log(str(call()))
            except RuntimeError as error:
                self.log(str(error))
        self.onStopped()
";
    let class = "class ALTextToSpeech:\n    def say(self, text):\n        return 'own ' + text\n";
    let (language, motion) = ("Cannot find method: ALTextToSpeech.getLanguage", "Cannot find service: ALMotion");
    let nothing = "Cannot find method: ALTextToSpeech.nothing";
    for (name, simulate, expected) in [
        ("alone", "False", ["own x", language, motion, nothing]),
        ("some", "['ALTextToSpeech']", ["own x", "English", motion, nothing]),
        ("all", "True", ["own x", "English", "True", nothing]),
    ] {
        let said = spoken(name, &format!("SIMULATE = {simulate}\n{class}"), body, 5);
        assert_eq!(said, expected.map(|text| at(0, text)), "{name}");
    }
}

#[test]
fn services_can_be_named_and_are_made_once_before_they_answer() {
    if !has_python() {
        return;
    }
    let robot = "\
import time
SERVICES = ['Arm']
class Helper:
    pass
class Arm:
    def __init__(self):
        time.sleep(1)
        print('made')
    def name(self):
        return 'arm'
";
    let body = "
    def onInput_onStart(self):
        self.log(ALProxy('Arm').name() + ALProxy('Arm').name())
        try:
            ALProxy('Helper')
        except RuntimeError as error:
            self.log(str(error))
        self.onStopped()
";
    let said = spoken("named", robot, body, 5);
    assert_eq!(said, ["made", "armarm", "Cannot find service: Helper"].map(|text| at(1000, text)));
}

#[test]
fn threads_of_a_robot_watch_and_raise_events() {
    if !has_python() {
        return;
    }
    let robot = "\
import threading, time
class Sensor:
    def __init__(self):
        threading.Thread(target=self.watch).start()
    def watch(self):
        for n in range(3):
            time.sleep(0.5)
        self.raiseEvent('Touched', n)
        raise KeyError('unplugged')
";
    let body = "    def onInput_onStart(self):\n        \
                ALProxy('ALMemory').subscriber('Touched').signal.connect(self.touched)\n    \
                def touched(self, n):\n        self.log('touched %s' % n)\n        self.onStopped()\n";
    let folder = scene("thread", robot, body);
    for host in HOSTS {
        let (trace, said) = play(&folder, host, 0, &[]);
        assert_eq!(words(&trace), [at(1500, "touched 2")]);
        assert!(said.out.contains("File \"robot.py\", line 9, in watch"), "{}", said.out);
    }
}

#[test]
fn python_2_7_runs_a_robot_written_for_it() {
    let Some(python) = pythons::two() else { return };
    let robot = "\
import qi
class Old:
    moved = qi.Signal()
    def half(self, n):
        print 'half of', n
        self.moved(n)
        return n / 2
    def fail(self):
        raise ValueError, 'no'
class ALMotion(object):
    def halt(self, how):
        print how
";
    let body = "
    def onInput_onStart(self):
        self.session().service('Old').moved.connect(self.log)
        print ALProxy('Old').half(7)
        try:
            ALProxy('Old').fail()
        except RuntimeError, error:
            print error
        self.onStopped()
";
    let folder = scene("two", robot, body);
    let (trace, _) = play(&folder, "process", 0, &["--python", python.to_str().unwrap()]);
    let said: Vec<String> = words(&trace).into_iter().map(|w| w.1).collect();
    for text in ["half of 7", "3", "7", "Old.fail: ValueError: no (robot.py line 9)", "end"] {
        assert!(said.iter().any(|said| said == text), "{text}: {said:?}");
    }
    assert_eq!(trace.last().unwrap()["deterministic"], true);
}

#[test]
fn a_file_that_is_no_robot_is_refused_with_its_line() {
    if !has_python() {
        return;
    }
    let cases = [
        ("class A:\n    def f(self):\n        return 1 +\n", "SyntaxError: invalid syntax (robot.py line 3)"),
        ("import os\nimport no_such_module\nclass A: pass\n", "No module named 'no_such_module' (robot.py line 2)"),
        ("import sys\nclass A: pass\nsys.exit('no arm')\n", "SystemExit: no arm (robot.py line 3)"),
        ("X = 1\nclass _A: pass\n", "robot.py has no service: each public class that it defines is one"),
        ("class ALMemory: pass\n", "robot.py: ALMemory is Boxstep's own on every robot: give the class another name"),
        (
            "SERVICES = ['B']\nclass A: pass\n",
            "robot.py: SERVICES is a list of names of classes of this file, and 'B' is none",
        ),
        ("SIMULATE = 3\nclass A: pass\n", "robot.py: SIMULATE is True, False, or a list of names of services"),
    ];
    for (text, why) in cases {
        let folder = scene("refused", text, "    pass\n");
        for host in HOSTS {
            let robot = folder.join("robot.py");
            let args = ["play", folder.to_str().unwrap(), "--robot", robot.to_str().unwrap(), "--virtual-time"];
            let said = say(&[&args[..], &["--scripts", host]].concat()).code(2);
            assert!(said.err.contains(why), "{}", said.err);
        }
    }
}

#[test]
fn a_service_that_cannot_be_made_fails_the_run() {
    if !has_python() {
        return;
    }
    let robot = "class Arm:\n    def __init__(self):\n        raise IOError('no /dev/ttyUSB0')\n    def move(self):\n        pass\n";
    let body = "    def onInput_onStart(self):\n        time.sleep(60)\n        self.onStopped()\n";
    let folder = scene("unmade", robot, body);
    for host in HOSTS {
        let (trace, said) = play(&folder, host, 4, &[]);
        assert!(said.out.contains("warning: Arm: OSError: no /dev/ttyUSB0 (robot.py line 3)"), "{}", said.out);
        assert_eq!(trace.last().unwrap()["reason"], "failed");
        assert!(trace.last().unwrap()["t"].as_i64().unwrap() < 60_000_000_000);
    }
}

#[test]
fn what_cannot_be_done_with_a_file_is_refused_in_words() {
    let folder = scene("words", "class A: pass\n", "    pass\n");
    let (folder, robot) = (folder.to_str().unwrap(), folder.join("robot.py"));
    let robot = robot.to_str().unwrap();
    let play = ["play", folder, "--robot", robot];
    for (more, why) in [
        (&["--robot", "nao.local"][..], "plays alone: leave the other robots out"),
        (&["--restart", "always"], "is a file, and --restart is for robots on the network"),
        (&["--scripts", "off"], "is Python, and --scripts off runs none"),
    ] {
        let said = say(&[&play[..], more].concat()).code(2);
        assert!(said.err.contains(&format!("--robot {robot} {why}")), "{}", said.err);
    }
    let said = say(&["play", folder, "--robot", "no-such.py"]).code(2);
    assert!(said.err.contains("--robot no-such.py: no such file or directory"), "{}", said.err);
    let said = say(&["play", folder, "--robot", "examples/../examples/.py"]).code(2);
    assert!(said.err.contains("no such file"), "{}", said.err);
    for command in ["doctor", "stop", "ls", "ps"] {
        let said = say(&[command, "--robot", robot]).code(2);
        let why = format!("{robot} is the file of a robot written in Python, not a robot on the network");
        assert!(said.err.contains(&why), "{command}: {}", said.err);
    }
}

#[test]
fn a_trace_is_played_again_with_the_same_robot() {
    if !has_python() {
        return;
    }
    let body = "    def onInput_onStart(self):\n        ALProxy('Gripper').close(1)\n        self.onStopped()\n";
    let folder = scene("again", GRIPPER, body);
    let robot = folder.join("robot.py");
    let (first, second) = (Temp::new("jsonl"), Temp::new("jsonl"));
    let play = ["play", folder.to_str().unwrap(), "--robot", robot.to_str().unwrap()];
    say(&[&play[..], &["--virtual-time", "--trace", first.arg()]].concat()).code(0);
    say(&[&play[..], &["--replay", first.arg(), "--trace", second.arg()]].concat()).code(0);
    assert_eq!(fs::read(&first.0).unwrap(), fs::read(&second.0).unwrap());
    let said = say(&["play", folder.to_str().unwrap(), "--replay", first.arg()]).code(2);
    assert!(said.err.contains("the trace is of the robot robot.py: name its file with --robot"), "{}", said.err);
}

/// The robot of docs/guides/own-robots.md plays the example that its text names, whole, with both hosts.
#[test]
fn the_robot_of_the_docs_plays_the_small_arm() {
    if !has_python() {
        return;
    }
    let page = fs::read_to_string(root().join("docs/guides/own-robots.md")).unwrap();
    let text = page.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let robot = Temp::new("py");
    fs::write(&robot.0, text).unwrap();
    for host in HOSTS {
        let args = ["play", "examples/small-arm", "--robot", robot.arg(), "--virtual-time", "--scripts", host];
        let said = say(&args).code(0);
        for line in
            ["prints Base, Elbow, Gripper, Shoulder, Wrist", "prints hold", "event ArmHolds", "prints stop (end)"]
        {
            assert!(said.out.contains(line), "{line}\n{}", said.out);
        }
    }
}
