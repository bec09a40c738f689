//! Services that a package brings: their programs run beside the behavior that is played.

use crate::common::xar::{a_box, behavior, flow, input, link, output};
use crate::common::{Said, Temp, boxstep, has_python, in_order, say};
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

/// Registers its service after some time, by another name than the manifest has.
const GREETER: &str = r#"
import sys, time
import qi
import words

class Greeter(object):
    def greet(self, name):
        print "greeting", name
        return words.hello(name)

app = qi.Application(sys.argv)
app.start()
time.sleep(DELAY)
app.session.registerService("ALGreeter", Greeter())
app.run()
"#;

const MANIFEST: &str = r#"<package uuid="greeter" version="0.1.0">
  <services>
    <service name="greeter" autorun="true" execStart="/usr/bin/python2 scripts/main.py --quiet" />
    <service name="other" autorun="false" execStart="/usr/bin/python2 scripts/other.py" />
    <service name="elsewhere" autorun="true" execStart="/usr/bin/python2 ../main.py" />
    <service name="gone" autorun="true" execStart="/usr/bin/python2 scripts/gone.py" />
    <service name="binary" autorun="true" execStart="./bin/binary" />
    <service name="greeter" autorun="true" execStart="/usr/bin/python2 scripts/other.py" />
    <service name="" autorun="true" execStart="/usr/bin/python2 scripts/other.py" />
  </services>
  <contents><behaviorContent path="." /></contents>
</package>
"#;

const ASKS: &str = "class MyClass(GeneratedClass):
    def onInput_onStart(self):
        try:
            text = self.session().service('ALGreeter').greet('Ann')
        except RuntimeError as error:
            text = str(error)
        ALProxy('ALTextToSpeech').say(text)
        self.onStopped()
";

/// A package whose behavior asks the service of this program.
struct Package(Temp);

impl Package {
    fn new(program: &str) -> Self {
        let folder = Temp::new("services");
        let ports = input(1, "onLoad", 0) + &input(2, "onStart", 2) + &output(4, "onStopped", 1);
        let inside = a_box(1, "Ask", ASKS, &ports, "") + &link((0, 2), (1, 2)) + &link((1, 4), (0, 4));
        let files = [
            ("manifest.xml", MANIFEST),
            ("behavior.xar", &behavior(&ports, &flow(&inside))),
            ("scripts/main.py", program),
            ("scripts/words.py", "def hello(name):\n    return 'hello ' + name\n"),
            ("scripts/other.py", "print('this must not run')\n"),
        ];
        fs::create_dir_all(folder.0.join("scripts")).unwrap();
        for (name, text) in files {
            fs::write(folder.0.join(name), text).unwrap();
        }
        Self(folder)
    }

    fn play(&self, options: &[&str]) -> Said {
        say(&[&["play", self.0.0.to_str().unwrap(), "--for", "20"], options].concat())
    }
}

#[test]
fn the_behavior_begins_when_the_service_is_there() {
    if !has_python() {
        return;
    }
    let package = Package::new(&GREETER.replace("DELAY", "2"));
    let mut traces = Vec::new();
    for scripts in ["native", "process"] {
        let trace = package.0.0.join("trace.jsonl");
        let options = ["--virtual", "--must-end", "--scripts", scripts, "--trace", trace.to_str().unwrap()];
        let out = package.play(&options).code(0).out;
        let steps = [
            "    0.000  greeter/main  starts",
            "    2.000  root          starts",
            "prints greeting Ann",
            "says “hello Ann”",
            "  root          behavior greeter unloaded",
            "behavior greeter/greeter unloaded",
        ];
        in_order(&out, &steps);
        assert!(!out.contains("must not run"), "{out}");
        // The header names the host.
        traces.push(fs::read_to_string(&trace).unwrap().split_once('\n').unwrap().1.to_owned());
    }
    assert_eq!(traces[0], traces[1]);
    let package = Package::new(&GREETER.replace("DELAY", "0"));
    in_order(&package.play(&[]).code(0).out, &["greeter/main  starts", "root          starts", "says “hello Ann”"]);
}

#[test]
fn a_behavior_does_not_wait_for_a_service_that_does_not_come() {
    if !has_python() {
        return;
    }
    let late = Package::new(&GREETER.replace("DELAY", "60")).play(&["--virtual"]).code(5).out;
    let warning = "the package's service greeter is not there yet: the behavior starts without it";
    in_order(&late, &["    5.000", warning, "root          starts", "says “Cannot find service: ALGreeter”"]);
    let ended = Package::new("print('once')\n").play(&["--virtual"]).code(5).out;
    in_order(&ended, &["prints once", "    0.000  root          starts", "says “Cannot find service"]);
    let failed = Package::new("import nothing_of_this_name\n").play(&["--virtual"]).code(5).out;
    in_order(&failed, &["greeter/main  onInput_onStart raised ModuleNotFoundError", "says “Cannot find service"]);
}

#[test]
fn a_service_has_its_own_arguments_and_starts_behaviors() {
    if !has_python() {
        return;
    }
    let starts = "import sys, qi
print(sys.argv[1:])
app = qi.Application(sys.argv)
app.start()
manager = app.session.service('ALBehaviorManager')
print(manager.getRunningBehaviors())
manager.startBehavior('greeter')
app.session.registerService('ALGreeter', object())
app.run()
";
    let package = Package::new(starts);
    let trace = package.0.0.join("trace.jsonl").to_str().unwrap().to_owned();
    let out = package.play(&["--virtual", "--trace", &trace]).code(0).out;
    in_order(
        &out,
        &["prints ['--quiet']", "prints []", "root          behavior greeter started", "says “Cannot find method"],
    );
    assert_eq!(out.matches("behavior greeter started").count(), 1, "{out}");
    let folder = package.0.0.to_str().unwrap();
    assert!(say(&["replay", &trace, folder]).code(0).out.contains("same"));
}

#[test]
fn methods_that_a_service_hides_are_not_called_from_outside() {
    if !has_python() {
        return;
    }
    let hides = "import qi, sys
class Greeter(object):
    def __init__(self):
        self.changed = qi.Signal('m')
    @qi.nobind
    def secret(self):
        return 'hidden'
    def greet(self, name):
        return 'hello'
app = qi.Application(sys.argv)
app.start()
app.session.registerService('ALGreeter', Greeter())
app.run()
";
    let package = Package::new(hides);
    let topic = "topic: ~t()\nlanguage: enu\nu:(a) one ^call(ALGreeter.secret())\nu:(b) two ^call(ALGreeter.changed(1))\n\
                 u:(c) ^call(ALGreeter.greet(x)) c1:(_*) $1\n";
    fs::write(package.0.0.join("t.top"), topic).unwrap();
    let box_text = "class MyClass(GeneratedClass):
    def onInput_onStart(self):
        talk = ALProxy('ALDialog')
        talk.activateTopic(talk.loadTopic(self.behaviorAbsolutePath() + '/t.top'))
        talk.subscribe('t')
";
    let ports = input(1, "onLoad", 0) + &input(2, "onStart", 2) + &output(4, "onStopped", 1);
    let inside = a_box(1, "Talk", box_text, &ports, "") + &link((0, 2), (1, 2));
    fs::write(package.0.0.join("behavior.xar"), behavior(&ports, &flow(&inside))).unwrap();
    let out = package.play(&["--virtual", "--hear", "a@2", "--hear", "b@4", "--hear", "c@6"]).out;
    in_order(&out, &["ALGreeter.secret() failed", "ALGreeter.changed(1) failed"]);
    assert!(!out.contains("hidden"), "{out}");
}

/// What a program calls belongs to what a robot is asked for before anything moves.
#[test]
fn programs_of_services_are_checked_before_they_play_on_a_robot() {
    if !has_python() {
        return;
    }
    let mut robot =
        boxstep(&["robot", "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
    let mut first = String::new();
    // A robot whose output nobody reads any more ends.
    let mut output = BufReader::new(robot.stdout.take().unwrap());
    output.read_line(&mut first).unwrap();
    let address = first.trim().rsplit(' ').next().unwrap().to_owned();
    let package = Package::new("import naoqi\nnaoqi.ALProxy('ALMotion', 'nao.local', 9559).dance(1)\n");
    let played = package.play(&["--robot", &address]);
    robot.kill().unwrap();
    robot.wait().unwrap();
    drop(output);
    let all = format!("{}{}", played.err, played.out);
    in_order(&all, &["not there: ALMotion.dance at greeter/main, line 2", "greeter/main  starts"]);
}

#[test]
fn a_box_alone_and_a_run_without_scripts_have_no_services() {
    let package = Package::new("print('this must not run')\n");
    for (options, code) in [(["--box", "Ask"], 5), (["--scripts", "off"], 0)] {
        if code != 0 && !has_python() {
            continue;
        }
        let out = package.play(&[&options[..], &["--virtual"]].concat()).code(code).out;
        assert!(!out.contains("greeter/main") && !out.contains("must not run"), "{out}");
    }
}

#[test]
fn programs_of_services_that_are_not_there_are_found() {
    let package = Package::new("");
    let found = say(&["check", package.0.0.to_str().unwrap()]);
    let all = format!("{}{}", found.out, found.err);
    assert!(all.contains("the service gone starts `scripts/gone.py`, which is not there"), "{all}");
    assert!(all.contains("`../main.py`"), "{all}");
    assert!(all.contains("the service greeter is declared twice") && all.contains("a service has no name"), "{all}");
    assert!(!all.contains("binary"), "{all}");
}

/// A robot runs them like the scripts of boxes, so what is wrong in them is wrong with the package.
#[test]
fn programs_of_services_are_checked_with_their_package() {
    if !has_python() {
        return;
    }
    let package = Package::new("import naoqi\nboxes = naoqi.ALProxy('ALBoxes')\n");
    let folder = package.0.0.to_str().unwrap();
    let said = say(&["check", folder]).code(1);
    in_order(&said.out, &["the service \"ALBoxes\"", "scripts/main.py:2:"]);
    assert!(!said.out.contains("other.py:"), "{}", said.out);
}

/// Its file may even be the same.
#[test]
fn each_service_has_its_own_arguments() {
    if !has_python() {
        return;
    }
    let package = Package::new("import sys\nprint(sys.argv[1:])\n");
    let entry = |name: &str| {
        format!(r#"<service name="{name}" autorun="true" execStart="/usr/bin/python2 scripts/main.py --{name}" />"#)
    };
    let manifest = format!("<package uuid=\"u\"><services>{}{}</services></package>", entry("one"), entry("two"));
    fs::write(package.0.0.join("manifest.xml"), manifest).unwrap();
    for host in ["native", "process"] {
        let out = package.play(&["--virtual", "--scripts", host]).code(5).out;
        in_order(&out, &["one/main  prints ['--one']", "two/main  prints ['--two']"]);
    }
}
