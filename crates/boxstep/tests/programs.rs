//! Programs for robots, played as they are.

use crate::common::{Run, Said, Temp, boxstep, has_python, in_order, root, say};
use std::fs;
use std::io::{BufRead as _, BufReader, Lines};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

const GUARD: &str = r#"# -*- coding: utf-8 -*-
import argparse, sys, time
from naoqi import ALProxy, ALBroker, ALModule
import steps

memory = None

class GuardModule(ALModule):
    def __init__(self, name):
        ALModule.__init__(self, name)
        global memory
        memory = ALProxy("ALMemory")
        memory.subscribeToEvent("FrontTactilTouched", "Guard", "onTouched")

    def onTouched(self, key, value, message):
        memory.unsubscribeToEvent("FrontTactilTouched", "Guard")
        print "touched", key
        ALProxy("ALTextToSpeech").say("Ouch")
        memory.subscribeToEvent("FrontTactilTouched", "Guard", "onTouched")

def main(ip, port):
    broker = ALBroker("myBroker", "0.0.0.0", 0, ip, port)
    global Guard
    Guard = GuardModule("Guard")
    steps.ahead(ALProxy("ALMotion", ip, port))
    try:
        while True:
            time.sleep(1)
    except KeyboardInterrupt:
        print "bye"
        broker.shutdown()
        sys.exit(0)

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--ip", default="192.168.1.5")
    parser.add_argument("--port", type=int, default=9559)
    given = parser.parse_args()
    print "at", given.ip, 3 / 2, __file__.endswith("guard.py")
    main(given.ip, given.port)
"#;
const STEPS: &str = "def ahead(motion):\n    print 'steps', 1 / 2\n    motion.moveTo(0.3, 0, 0)\n";

const GREET: &str = r#"import qi, sys, threading, time
import words

def later(tts):
    time.sleep(2)
    tts.say("and later")

app = qi.Application(sys.argv)
app.start()
session = app.session
name = sys.argv[1] if len(sys.argv) > 1 else "you"
tts = session.service("ALTextToSpeech")
tts.say(f"{words.HELLO} {name} {1 / 2}")
threading.Thread(target=later, args=(tts,)).start()
print(sys.argv, __name__)
"#;

fn programs(files: &[(&str, &str)]) -> Temp {
    let folder = Temp::new("d");
    fs::create_dir_all(&folder.0).unwrap();
    for (name, text) in files {
        fs::create_dir_all(folder.0.join(name).parent().unwrap()).unwrap();
        fs::write(folder.0.join(name), text).unwrap();
    }
    folder
}

/// Runs a program in both hosts, in virtual time; what they say must be the same.
#[track_caller]
fn run(folder: &Temp, program: &str, options: &[&str], code: i32) -> Said {
    let file = folder.0.join(program);
    let [native, process] = ["native", "process"].map(|host| {
        let how = ["run", file.to_str().unwrap(), "--virtual-time", "--scripts", host];
        let mut said = say(&[&how[..], options].concat()).code(code);
        // How long it took is not the same.
        said.out = said.out.lines().filter(|line| !line.starts_with("played ")).collect::<Vec<_>>().join("\n");
        said
    });
    assert_eq!(native.out, process.out);
    native
}

const WATCH: &str = r#"import qi, sys, time

app = qi.Application(sys.argv)
app.start()
listener = app.session.service("LogManager").getListener()
listener.addFilter("app.*", qi.logging.DEBUG)
listener.setLevel(qi.logging.WARNING)
listener.onLogMessage.connect(lambda line: print("line", line["category"], line["message"], line["level"]))
held = app.session.service("ALExpressionWatcher").add("!'LeftBumperPressed' && ('LeftBumperPressed' ~ 5 @ 0.1)", 2)
number = held.signal.connect(lambda value: print("held", value))
logger = app.session.service("ALLogger")
logger.debug("app.talk", "one")
logger.info("core", "two")
qi.Logger("mine").error("three")
time.sleep(9)
print("ends", held.signal.disconnect(number))
"#;

const LEAN: &str = r#"import qi, sys

app = qi.Application(sys.argv)
app.start()
motion = app.session.service("ALMotion")
motion.wakeUp()
lean = float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
motion.angleInterpolation(["LAnklePitch", "RAnklePitch"], [[-lean, 0.0]] * 2, [[1.0, 2.0]] * 2, False)
"#;
const LEANS: &str = r#"behavior = "lean.py"
[[test]]
name = "leans a little"
[test.expect]
balanced = true
[[test]]
name = "leans too far"
[test.given]
args = ["0.5"]
[test.expect]
balanced = true
"#;

#[test]
fn a_test_judges_the_balance_of_the_whole_run() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("lean.py", LEAN), ("lean.test.toml", LEANS)]);
    let said = say(&["test", folder.0.to_str().unwrap()]).code(4);
    in_order(&said.out, &["leans a little", "expected: the robot keeps its balance", "s, forward, root/lean, by "]);
    assert!(said.out.ends_with("1 passed, 1 failed\n"), "{}", said.out);
}

#[test]
fn a_program_listens_to_the_log_and_watches_conditions() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("watch.py", WATCH)]);
    let bumper = ["--event", "LeftBumperPressed=1@1", "--event", "LeftBumperPressed=0@7"];
    let said = run(&folder, "watch.py", &bumper, 0);
    let lines =
        ["line app.talk one 6", "line root/watch mine: three 2", "7.000  root/watch  prints held True", "ends True"];
    in_order(&said.out, &lines);
    assert!(!said.out.contains("line core"), "{}", said.out);
}

#[test]
fn a_program_of_python_2_runs_with_its_modules_arguments_and_callbacks_until_it_is_stopped() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("guard.py", GUARD), ("steps.py", STEPS)]);
    let options = ["--for", "8", "--event", "FrontTactilTouched=1@6", "--", "--ip", "10.0.0.1"];
    let said = run(&folder, "guard.py", &options, 0);
    in_order(
        &said.out,
        &[
            "root/guard  prints at 10.0.0.1 1 True (line 39)",
            "root/guard  prints steps 0",
            "move: 0.30 m ahead",
            "6.000  root/guard  prints touched FrontTactilTouched (line 17)",
            "says “Ouch”",
            "8.000",
            "behavior guard unloaded",
        ],
    );
    assert!(!said.out.contains("warning"), "{}", said.out);
}

#[test]
fn a_program_of_python_3_is_run_as_such_and_its_threads_are_waited_for() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("greet.py", GREET), ("words.py", "HELLO = f'Hello,' + str(3 / 2)[:0]\n")]);
    let said = run(&folder, "greet.py", &["--must-end", "Ann", "--", "-x"], 0);
    in_order(&said.out, &["says “Hello, Ann 0.5”", "'Ann', '-x'] __main__", "says “and later”", "stops"]);
}

const PICTURE: &str = r#"from naoqi import ALProxy, ALBroker, ALModule
import qi, struct, time
video = ALProxy("ALVideoDevice", "nao.local", 9559)
client = video.subscribe("c", 0, 11, 5)
image = video.getImageRemote(client)
data = image[6]
print type(data) is str, isinstance(data, str), len(data) == image[0] * image[1] * 3, len(data[:5])
values = map(ord, list(data))
print max(values) > 127, values[:3] == [ord(c) for c in data[:3]], ord(data[0]) == values[0]
print str(bytearray(data)) == data, data == "".join(chr(v) for v in values), bytearray(data)[1] == values[1]
print len(data.encode("base64").decode("base64")) == len(data), struct.unpack("3B", data[:3]) == tuple(values[:3])
ALProxy("ALTextToSpeech").say("caf" + struct.pack("2B", 0xc3, 0xa9))
print hasattr(video, "getImageRemote"), hasattr(video, "getPictures"), hasattr(video, "post"), hasattr(video, "wait")
print video.setCameraParameter(client, 0, 60), video.getCameraParameter(client, 0), video.unsubscribe(client), video.getImageRemote(client)
other = qi.Session().service("ALVideoDevice")
again = other.subscribeCamera("d", 0, 0, 11, 5)
print type(other.getImageRemote(again)[6]).__name__
class Ears(ALModule):
    def processRemote(self, channels, samples, stamp, buffer):
        global heard
        heard = len(str(buffer)) == 2 * channels * samples and ord(buffer[0]) + 256 * ord(buffer[1]) >= 0 and type(buffer) is str
broker = ALBroker("b", "0.0.0.0", 0, "nao.local", 9559)
Listener = Ears("Listener")
audio = ALProxy("ALAudioDevice")
audio.setClientPreferences("Listener", 16000, 3, 0)
audio.subscribe("Listener")
time.sleep(0.5)
audio.unsubscribe("Listener")
print heard
"#;

const PICTURE_3: &str = r#"from naoqi import ALProxy
import qi
video: object = qi.Session().service("ALVideoDevice")
image = video.getImageRemote(video.subscribeCamera("c", 0, 0, 11, 5))
print(type(image[6]).__name__, isinstance(image[6][0], int))
old = ALProxy("ALVideoDevice")
print(type(old.getImageRemote(old.subscribe("d", 0, 11, 5))[6]).__name__, end="!\n")
memory = ALProxy("ALMemory")
memory.insertData("raw", bytearray(b"\xff\x00"))
print(memory.getData("raw"))
"#;

#[test]
fn pictures_and_sound_are_what_each_python_expects() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("two.py", PICTURE), ("three.py", PICTURE_3)]);
    let two = run(&folder, "two.py", &["--must-end"], 0);
    in_order(
        &two.out,
        &[
            "prints True True True 5",
            "prints True True True",
            "prints True True True",
            "prints True True",
            "says “café”",
            "prints True False True True",
            "prints True 60 True None",
            "prints bytearray",
            "prints True",
        ],
    );
    let three = run(&folder, "three.py", &["--must-end"], 0);
    in_order(&three.out, &["prints bytearray True", "prints bytearray!", r"prints bytearray(b'\xff\x00')"]);
}

/// Which Python a program and its modules are written in, and which of two modules of a name it gets.
#[test]
fn a_program_and_each_of_its_modules_are_read_as_they_are_written() {
    if !has_python() {
        return;
    }
    let old = "from naoqi import ALProxy\ndef half(x):\n    print 'half of', x\n    return x / 2\n";
    let folder = programs(&[
        ("mixed.py", "import sys\nfrom lib.old import half\nfrom new import whole\nprint(half(3), whole(3), 3 / 2)\n"),
        ("lib/__init__.py", ""),
        ("lib/old.py", old),
        ("new.py", "def whole(x: int):\n    return f'{x / 2}'\n"),
        ("modern.py", "from naoqi import ALProxy\nfor i in 1, 2:\n    print(i / 2, end=';')\nprint()\n"),
        ("named.py", "import qi, urllib2\nprint(3 / 2)\nprint(raw_input.__name__)\n"),
        ("several.py", "import sys, naoqi\nprint(3 / 2)\n"),
        (
            "shadow.py",
            "from naoqi import *\nimport statistics, cgi\nprint statistics.OWN, sys.path[0] == os.path.dirname(os.path.abspath(__file__))\n\
             print cgi.escape('<'), motion.FRAME_ROBOT\nimport signal, inaoqi\nprint signal.signal(signal.SIGINT, lambda *a: None)\n",
        ),
        ("statistics.py", "OWN = 7 / 2\n"),
        ("queue.py", "OWN = 'own'\n"),
        (
            "three.py",
            "import queue, concurrent.futures, sys\nx: int = 1\nprint(queue.OWN, hasattr(concurrent.futures, 'Future'))\n",
        ),
    ]);
    in_order(&run(&folder, "mixed.py", &["--must-end"], 0).out, &["prints half of 3", "prints 1 1.5 1.5"]);
    in_order(&run(&folder, "modern.py", &["--must-end"], 0).out, &["prints 0.5;1.0;"]);
    in_order(&run(&folder, "named.py", &["--must-end"], 0).out, &["prints 1 ("]);
    in_order(&run(&folder, "several.py", &["--must-end"], 0).out, &["prints 1 ("]);
    in_order(&run(&folder, "three.py", &["--must-end"], 0).out, &["prints own True"]);
    let shadow = run(&folder, "shadow.py", &["--must-end"], 0);
    in_order(&shadow.out, &["prints 3 True", "prints &lt; 2", "warning: signal.signal(2): the handler is not called"]);
}

#[test]
fn a_program_that_polls_a_service_sees_what_happens() {
    if !has_python() {
        return;
    }
    let text = "from naoqi import ALProxy\nimport qi\nmemory = ALProxy('ALMemory')\n\
                while not memory.getData('FrontTactilTouched'): pass\nprint 'touched'\n\
                motion = ALProxy('ALMotion')\nmotion.wakeUp()\nmotion.post.moveTo(0.3, 0, 0)\nwhile motion.moveIsActive(): pass\n\
                print 'there'\ntts = ALProxy('ALTextToSpeech')\nid = tts.post.say('hello')\nwhile tts.isRunning(id): pass\nprint 'said'\n\
                f = qi.Session().service('ALTextToSpeech').say('again', _async=True)\nwhile f.isRunning(): pass\nprint 'said it'\n";
    let folder = programs(&[("poll.py", text)]);
    let said = run(&folder, "poll.py", &["--must-end", "--for", "60", "--event", "FrontTactilTouched=1@6"], 0);
    in_order(
        &said.out,
        &[
            "6.000",
            "prints touched",
            "move: 0.30 m ahead",
            "prints there",
            "says “hello”",
            "prints said",
            "says “again”",
            "prints said it",
        ],
    );
}

#[test]
fn how_a_program_ends_is_how_the_run_ends() {
    if !has_python() {
        return;
    }
    let folder = programs(&[
        ("fails.py", "import naoqi\n\ndef deep():\n    raise ValueError('why')\n\ndeep()\n"),
        ("broken.py", "from naoqi import ALProxy\nx = (\nprint 'a'\n"),
        ("refuses.py", "import sys\nsys.exit('no robot')\n"),
        ("leaves.py", "import sys\nsys.exit(0)\nprint('never')\n"),
    ]);
    let fails = run(&folder, "fails.py", &[], 4);
    in_order(
        &fails.out,
        &["raised ValueError: why (line 4)", "line 6, in <module>", "deep()", "line 4, in deep", "1 script error"],
    );
    assert!(!fails.out.contains("boxstep_runtime"), "{}", fails.out);
    let broken = run(&folder, "broken.py", &[], 4);
    in_order(&broken.out, &["raised SyntaxError", "broken.py\", line 2"]);
    in_order(&run(&folder, "refuses.py", &[], 4).out, &["SystemExit: no robot (line 2)"]);
    let leaves = run(&folder, "leaves.py", &["--must-end"], 0);
    assert!(!leaves.out.contains("never"), "{}", leaves.out);
}

#[test]
fn a_program_is_read_by_its_coding_line() {
    if !has_python() {
        return;
    }
    let folder = programs(&[]);
    for (name, line, byte) in [
        ("named.py", "# -*- coding: iso-8859-15 -*-\n", &b"\xa4"[..]),
        ("unnamed.py", "# by hand\n", b"\xe9"),
        ("marked.py", "", "é".as_bytes()),
    ] {
        let mark: &[u8] = if name == "marked.py" { b"\xef\xbb\xbf" } else { b"" };
        let text = [mark, line.as_bytes(), b"print 'caf", byte, b"'\r\n"].concat();
        fs::write(folder.0.join(name), text).unwrap();
        let wanted = if name == "named.py" { "prints caf€" } else { "prints café" };
        in_order(&run(&folder, name, &["--must-end"], 0).out, &[wanted]);
    }
}

#[test]
fn a_program_is_tested_checked_and_recorded_like_a_behavior() {
    if !has_python() {
        return;
    }
    let folder = programs(&[
        ("greet.py", GREET),
        ("words.py", "HELLO = 'Hello'\n"),
        ("bad.py", "import qi\nx = (\n"),
        (
            "greet.test.toml",
            "behavior = \"greet.py\"\n[[test]]\nname = \"by name\"\ngiven.args = [\"Ann\"]\nexpect.ended = true\n\
             expect.said = [\"Hello Ann 0.5\", \"and later\"]\n",
        ),
    ]);
    say(&["test", folder.0.join("greet.test.toml").to_str().unwrap()]).code(0);
    let said = say(&["check", folder.0.join("bad.py").to_str().unwrap()]).code(1);
    assert!((said.out + &said.err).contains("bad.py:2:1"));
    let trace = Temp::new("jsonl");
    let program = folder.0.join("greet.py");
    let program = program.to_str().unwrap();
    run(&folder, "greet.py", &["--trace", trace.arg(), "Ann"], 0);
    let said = say(&["play", program, "--replay", trace.arg()]).code(0);
    assert!(said.out.contains("says “Hello Ann 0.5”"), "{}", said.out);
}

const CLOCK: &str = r#"import qi, sys, time

class Clock(object):
    struck = qi.Signal()
    def part(self):
        return "noon"
    def findOutput(self, language, text):
        return "you said %s in %s" % (text, language)
    def fails(self):
        raise RuntimeError("no battery")

app = qi.Application(sys.argv)
app.start()
clock = Clock()
app.session.registerService("Clock", clock)
dialog = app.session.service("ALDialog")
name = dialog.loadTopicContent("""topic: ~t()
language: enu
u:(what now) it is ^call(Clock.part())
    c1:(_*) $1
u:(again) so ^call(Clock.fails())
    e1: it fails
u:(hidden) hm ^call(Clock._part())
    e1: no method
u:(lost) hm ^call(Watch.part())
    e1: no watch
u:(e:Clock.struck) ding
""")
dialog.activateTopic(name)
dialog.addFallback("enu", "Clock")
for text in ["what now", "again", "hidden", "lost", "who are you"]:
    dialog.forceInput(text)
    time.sleep(3)
clock.struck(12)
time.sleep(3)
"#;

/// `^call`, `addFallback` and `e:Service.signal` reach services that scripts have registered.
#[test]
fn a_dialog_calls_services_of_scripts_and_hears_their_signals() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("clock.py", CLOCK)]);
    let said = run(&folder, "clock.py", &[], 5);
    in_order(
        &said.out,
        &[
            "says “it is noon”",
            "warning: topic:5: Clock.fails() failed: Clock.fails: no battery",
            "says “so it fails”",
            "says “hm no method”",
            "unsupported: Watch.part",
            "says “hm no watch”",
            "says “you said who are you in enu”",
            "says “ding”",
        ],
    );
}

/// An installed package puts its modules of the same names on Python's path. In a run they are the run's own.
#[test]
fn modules_of_an_installed_package_leave_a_run_alone() {
    if !has_python() {
        return;
    }
    let text = "#!/usr/bin/env python3\nimport almath, allog, motion, vision_definitions\nimport boxstep.compat\nboxstep.compat.use()\n\
                import qi\nfrom naoqi import ALProxy\nallog.info('a', 'b')\n\
                ALProxy('ALTextToSpeech', '10.0.0.9').say('still here')\n\
                print(almath.Pose2D(1, 2, 3).y, motion.FRAME_ROBOT, vision_definitions.kVGA, qi.clockNow() >= 0)\n";
    let folder = programs(&[("own.py", text)]);
    for host in ["native", "process"] {
        let said = boxstep(&["run", folder.0.join("own.py").to_str().unwrap(), "--virtual-time", "--scripts", host])
            .env("PYTHONPATH", root().join("python/boxstep/sdk"))
            .output()
            .unwrap();
        let out = String::from_utf8_lossy(&said.stdout);
        assert!(out.contains("says “still here”") && out.contains("prints 2.0 2 2 True"), "{host}: {out}");
    }
}

/// Two robots, and a module that one of them calls back.
const TWO: &str = r#"#!/usr/bin/env python3
import sys
from naoqi import ALProxy, ALBroker, ALModule
import qi, threading

one, two = [address.split(":") for address in sys.argv[1:3]]
broker = ALBroker("broker", "0.0.0.0", 0, one[0], int(one[1]))
raised = threading.Event()

class Hears(ALModule):
    def on(self, key, value):
        print("hears", key, value)
        raised.set()

Hears = Hears("Hears")
memory = ALProxy("ALMemory")
memory.subscribeToEvent("mine", "Hears", "on")
memory.raiseEvent("mine", 3)
raised.wait()
other = qi.Session()
other.connect("tcp://" + ":".join(two))
other.service("ALTextToSpeech").say("second")
future = ALProxy("ALTextToSpeech", one[0], int(one[1])).call("say", "first", _async=True)
future.then(lambda done: ALProxy("ALTextToSpeech").say("third")).wait()
try:
    ALProxy("ALMotion").noSuchMethod()
except (AttributeError, RuntimeError) as error:
    print("refused", error)
print("names", ALProxy("ALSystem", one[0], int(one[1])).robotName(), other.service("ALSystem").robotName())
ALProxy("ALMotion").setAngles("HeadYaw", 0.1, 0.1)
if "--waits" in sys.argv:
    print("waits")
    ALProxy("ALMemory").getDataOnChange("never", 0)
broker.shutdown()
"#;

/// A simulated robot of another process.
struct Other(Child, Lines<BufReader<ChildStdout>>, String);

impl Other {
    fn start(name: &str) -> Self {
        let mut command = boxstep(&["robot", "--listen", "127.0.0.1:0", "--name", name, "--scripts", "off"]);
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.next().unwrap().unwrap().split("tcp://").nth(1).unwrap().trim().to_owned();
        Self(child, lines, address)
    }

    fn tells(&mut self, wanted: &str) {
        assert!(self.1.by_ref().map_while(Result::ok).any(|line| line.contains(wanted)), "{wanted}");
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_program_as_written_connects_to_the_robots_that_it_names() {
    if !has_python() {
        return;
    }
    let folder = programs(&[("two.py", TWO)]);
    let (mut one, mut two) = (Other::start("anna"), Other::start("berta"));
    let program = folder.0.join("two.py");
    let program = program.to_str().unwrap();
    let said = say(&["run", program, "--as-written", "--must-end", &one.2, &two.2]).code(0);
    in_order(&said.out, &["prints hears mine 3", "prints refused", "noSuchMethod", "prints names anna berta"]);
    assert!(!said.out.contains("says"), "the run's own robot does nothing:\n{}", said.out);
    one.tells("first");
    one.tells("third");
    two.tells("second");
    // What it waits for is ended by a stop.
    let mut waits = Run::start(Path::new(program), &["--as-written", &one.2, &two.2, "--", "--waits"]);
    waits.says("prints waits");
    waits.interrupt();
}

#[test]
fn as_written_is_for_programs_in_real_time_that_name_their_robots() {
    let folder = programs(&[("two.py", TWO)]);
    let program = folder.0.join("two.py");
    let program = program.to_str().unwrap();
    for (options, why) in [
        (&[program, "--virtual-time"][..], "their time is real"),
        (&[program, "--robot", "127.0.0.1:1"], "leaves the choice of the robot to the program"),
        (&[program, "--scripts", "process"], "needs --scripts native"),
        (&["examples/hello"], "is for Python programs, and examples/hello is none"),
    ] {
        let said = say(&[&["run", "--as-written"], options].concat()).code(2);
        assert!(said.err.contains(why), "{options:?}: {}", said.err);
    }
}
