//! `boxstep play --robot`: a robot is made ready before it is moved, and is given back as it was found, however the run ends.

#![cfg(unix)]
use crate::common::{Said, Temp, boxstep};
use crate::support::Robot;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A behavior whose one box walks and speaks, then ends.
pub(crate) fn behavior(script: &str) -> Temp {
    let file = Temp::new("xar");
    let start = r#"<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />"#;
    let stopped = r#"<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />"#;
    let links = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />
                   <Link inputowner="0" indexofinput="4" outputowner="1" indexofoutput="4" />"#;
    let xar = format!(
        "<ChoregrapheProject xar_version=\"3\"><Box name=\"root\" id=\"-1\">{start}{stopped}<Timeline enable=\"0\">\
         <BehaviorLayer name=\"l\"><BehaviorKeyframe name=\"k\" index=\"1\"><Diagram><Box name=\"Walk\" id=\"1\">\n\
         <script language=\"4\"><content><![CDATA[{script}]]></content></script>{start}{stopped}</Box>{links}</Diagram>\
         </BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"
    );
    std::fs::write(&file.0, xar).unwrap();
    file
}

pub(crate) const WALK: &str = "class MyClass(GeneratedClass):
    def __init__(self):
        GeneratedClass.__init__(self)
    def onInput_onStart(self):
        ALProxy('ALMotion').moveTo(0.1, 0, 0)
        ALProxy('ALTextToSpeech').say('there')
        self.onStopped()
";

fn play(robot: &Robot, file: &Temp, args: &[&str]) -> Child {
    play_at(&robot.address(), file, args)
}

/// Plays on the robot that is there.
pub(crate) fn play_at(address: &str, file: &Temp, args: &[&str]) -> Child {
    let mut command = boxstep(&["play", file.arg(), "--robot", address, "--for", "60"]);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn played(robot: &Robot, file: &Temp, args: &[&str]) -> Said {
    play(robot, file, args).wait_with_output().unwrap().into()
}

/// Of what the robot was told, what matters here, in order.
fn commands(robot: &Robot) -> Vec<String> {
    let matters = ["ALMotion.wakeUp", "ALMotion.rest", "ALMotion.moveTo", "ALAutonomousLife.setState"];
    robot.commands().into_iter().filter(|c| matters.iter().any(|m| c.starts_with(m))).collect()
}

#[test]
fn a_robot_that_rests_is_not_played_on() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    let said = played(&robot, &behavior(WALK), &[]).code(4);
    assert!(said.out.contains("refused  awake"), "{}", said.out);
    assert!(said.err.contains("is not ready, and nothing was played: awake"), "{}", said.err);
    assert_eq!(commands(&robot), [""; 0]);
    // Quiet tells what is wrong all the same.
    assert!(played(&robot, &behavior(WALK), &["--quiet"]).code(4).out.contains("refused  awake"));
    // It is the user's to decide.
    played(&robot, &behavior(WALK), &["--anyway"]).code(0);
    assert_eq!(commands(&robot), ["ALMotion.moveTo 0.10000000149011612 0 0"]);
}

#[test]
fn a_robot_is_woken_up_and_rests_again() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.says("ALAutonomousLife.getState", "solitary");
    let said = played(&robot, &behavior(WALK), &["--wake", "--life", "keep"]).code(0);
    assert!(said.out.contains("waking the robot up"), "{}", said.out);
    assert!(said.out.contains("put back: the robot rests again"), "{}", said.out);
    let names: Vec<_> = commands(&robot).iter().map(|c| c.split(' ').next().unwrap().to_owned()).collect();
    assert_eq!(names, ["ALMotion.wakeUp", "ALMotion.moveTo", "ALMotion.rest"]);
}

#[test]
fn autonomous_life_is_off_while_it_plays() {
    let robot = Robot::ready();
    robot.says("ALAutonomousLife.getState", "interactive");
    played(&robot, &behavior(WALK), &["--life", "disabled"]).code(0);
    let names = commands(&robot);
    assert_eq!((names[0].as_str(), names.len()), ("ALAutonomousLife.setState disabled", 3), "{names:?}");
    assert_eq!(names[2], "ALAutonomousLife.setState solitary");
}

fn interrupt(child: &Child) {
    assert!(Command::new("kill").arg("-INT").arg(child.id().to_string()).status().unwrap().success());
}

#[test]
fn after_an_interrupt_the_robot_is_put_back_and_the_program_is_gone_in_time() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.hangs("ALTextToSpeech.say");
    let file = behavior(WALK);
    let child = play(&robot, &file, &["--wake"]);
    robot.wait_for("ALTextToSpeech.say");
    // It takes its time to lie down.
    robot.hangs("ALMotion.rest");
    interrupt(&child);
    let began = Instant::now();
    let said = Said::from(child.wait_with_output().unwrap()).code(130);
    // The rule is 2 s; the rest is for a busy machine.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(said.out.contains("requested, and not yet confirmed: the robot rests again"), "{}", said.out);
    assert_eq!(commands(&robot).last().unwrap(), "ALMotion.rest");
}

#[test]
fn an_interrupt_while_the_robot_wakes_up_plays_nothing_and_puts_it_back() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.hangs("ALMotion.wakeUp");
    let file = behavior(WALK);
    let child = play(&robot, &file, &["--wake"]);
    robot.wait_for("ALMotion.wakeUp");
    interrupt(&child);
    let said = Said::from(child.wait_with_output().unwrap()).code(130);
    assert!(said.out.contains("put back: the robot rests again"), "{}", said.out);
    assert_eq!(commands(&robot), ["ALMotion.wakeUp", "ALMotion.rest"]);
}

#[test]
fn a_robot_whose_behavior_fails_is_put_back() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.fails("ALMotion.moveTo", "the robot stands on its charger");
    let said = played(&robot, &behavior(WALK), &["--wake"]).code(4);
    assert!(said.out.contains("put back: the robot rests again"), "{}", said.out);
}

#[test]
fn a_robot_that_cannot_be_put_back_is_told_and_fails_the_run() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.fails("ALMotion.rest", "a motor is broken");
    let said = played(&robot, &behavior(WALK), &["--wake"]).code(4);
    assert!(said.out.contains("NOT put back: the robot rests again: a motor is broken"), "{}", said.out);
}

#[test]
fn somebody_who_stops_the_robot_from_outside_ends_the_run_and_nothing_moves_any_more() {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot.hangs("ALTextToSpeech.say");
    let file = behavior(WALK);
    // Nor is it played again.
    let child = play(&robot, &file, &["--wake", "--restart", "always"]);
    robot.wait_for("ALMemory.subscriber Boxstep/Stop");
    robot.wait_for("ALTextToSpeech.say");
    let stop: Said = boxstep(&["stop", "--robot", &robot.address()]).output().unwrap().into();
    assert!(stop.code(0).out.contains("Boxstep: told to stop"));
    let said = Said::from(child.wait_with_output().unwrap()).code(130);
    assert!(
        said.out.contains("NOT put back, for the robot was stopped from outside: the robot rests again"),
        "{}",
        said.out
    );
    assert!(!commands(&robot).contains(&"ALMotion.rest".to_owned()));
}

/// The script of a box that imports `helper` and has it work.
const HELPED: &str = "import helper
class MyClass(GeneratedClass):
    def onInput_onStart(self):
        helper.walk()
        self.onStopped()
";

/// A robot that rests, and is to be left its Life.
fn asleep() -> Robot {
    let robot = Robot::ready();
    robot.says("ALMotion.robotIsWakeUp", false);
    robot
}

/// A project with a behavior, and files.
fn project(name: &str, script: &str, files: &[(&str, &str)]) -> Temp {
    let folder = Temp::new(name);
    let at = std::path::Path::new(folder.arg()).to_owned();
    std::fs::create_dir_all(at.join("dance")).unwrap();
    std::fs::copy(behavior(script).arg(), at.join("dance/behavior.xar")).unwrap();
    let pml = r#"<Package name="helped" format_version="4"><BehaviorDescriptions>
        <BehaviorDescription name="behavior" src="dance" xar="behavior.xar"/></BehaviorDescriptions></Package>"#;
    std::fs::write(at.join("helped.pml"), pml).unwrap();
    for (file, text) in files {
        std::fs::create_dir_all(at.join(file).parent().unwrap()).unwrap();
        std::fs::write(at.join(file), text).unwrap();
    }
    folder
}

#[test]
fn what_a_module_of_the_behaviors_own_calls_is_called_by_the_behavior() {
    let robot = asleep();
    let walk = "def walk():\n    ALProxy('ALMotion').moveTo(0.1, 0, 0)\n    ALProxy('ALFooBar')\n";
    let far = [("lib/helper.py", "from tools import deep\ndef walk(): deep.walk()\n"), ("lib/tools/deep.py", walk)];
    for files in [&[("dance/helper.py", walk)][..], &far] {
        let file = project("helped", HELPED, files);
        let said = played(&robot, &file, &["--life", "keep"]).code(4);
        assert!(said.out.contains("refused  awake            no"), "{}", said.out);
        let place = format!("ALFooBar at {}, line 3", files.last().unwrap().0);
        assert!(said.out.contains(&place), "{}", said.out);
    }
    assert_eq!(commands(&robot), [""; 0]);
    // A module that nothing imports says nothing about the behavior.
    let alone = project("helped", HELPED, &[("dance/helper.py", "def walk(): pass\n"), ("dance/other.py", walk)]);
    let said = played(&robot, &alone, &[]).code(0);
    assert!(said.out.contains("ok       awake            no, and nothing is moved"), "{}", said.out);
}

#[test]
fn what_nobody_can_see_in_scripts_may_move_the_robot() {
    let robot = asleep();
    for (line, told) in [
        ("ALProxy('ALMo' + 'tion').moveTo(1, 0, 0)", "line 3 asks for a service by a name that shows only at run time"),
        ("self.session().service(self.name)", "line 3 asks for a service by a name"),
        ("f = ALProxy", "line 3 hands `ALProxy` on"),
        ("getattr(helper, 'wa' + 'lk')()", "line 3 looks for a name"),
        ("exec(self.getParameter('code'))", "line 3 runs a text with `exec`"),
        ("__import__(self.name)", "line 3 imports a module by a name"),
        ("__import__('broken')", "dance/broken.py, line 1, cannot be read"),
        ("import compiled", "line 3 imports dance/compiled.pyc"),
        ("import os; os.system('qicli call ALMotion.wakeUp')", "line 3 starts another program"),
        ("import sys, elsewhere; sys.path.append('/x')", "line 3 imports `elsewhere`, which is in a folder"),
    ] {
        let script = format!("class MyClass(GeneratedClass):\n  def onInput_onStart(self):\n    {line}\n");
        let files = [("dance/broken.py", "def ("), ("dance/compiled.pyc", "")];
        let said = played(&robot, &project("unseen", &script, &files), &["--life", "keep"]).code(4);
        assert!(said.out.contains("refused  awake            no"), "{line}: {}", said.out);
        assert!(said.out.contains(told), "{line}: {}", said.out);
    }
    assert_eq!(commands(&robot), [""; 0]);
    // The standard library is not read, and is nothing that nobody knows.
    let plain =
        HELPED.replace("helper.walk()", "import json, sys; sys.path.append('x')").replace("import helper\n", "");
    let said = played(&robot, &project("plain", &plain, &[]), &[]).code(0);
    assert!(said.out.contains("no, and nothing is moved"), "{}", said.out);
}

#[test]
fn scripts_that_no_python_has_looked_at_may_move_the_robot() {
    let silent = WALK.replace("ALProxy('ALMotion').moveTo(0.1, 0, 0)", "pass").replace("ALTextToSpeech", "ALMemory");
    let file = behavior(&silent);
    let doctor = |robot: &Robot| {
        let address = robot.address();
        crate::common::say(&["doctor", file.arg(), "--robot", &address, "--python", "/no/such/python"])
    };
    let said = doctor(&asleep()).code(1);
    assert!(said.out.contains("the scripts may move it: the script was not parsed: /no/such/python"), "{}", said.out);
    let said = doctor(&Robot::ready()).code(0);
    assert!(said.out.contains("note     services"), "{}", said.out);
}

#[test]
fn behaviors_in_python_and_what_they_import_are_read_as_scripts_are() {
    let robot = asleep();
    let folder = Temp::new("character");
    let at = std::path::Path::new(folder.arg());
    std::fs::create_dir_all(at).unwrap();
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    write("character.yaml", "character: Walker\nscripts: walker.py\nbehaviors:\n  main: { script: Walk }\n");
    write("helper.py", "GO = 'ALMotion.moveTo'\n");
    let plain = "import boxstep\nclass Walk(boxstep.Behavior):\n    def activated(self):\n        ";
    let address = robot.address();
    for (code, line) in [
        (1, "self.call('ALMotion.moveTo', 1, 0, 0)"),
        (1, "import helper"),
        (1, "self.call(self.what)"),
        (0, "self.complete()"),
    ] {
        write("walker.py", &format!("{plain}{line}\n"));
        let said = crate::common::say(&["doctor", folder.arg(), "--robot", &address]).code(code);
        assert_eq!(said.out.contains("no, and nothing is moved"), code == 0, "{line}: {}", said.out);
    }
}
