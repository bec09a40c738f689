//! The boxes of a playing behavior, and `ALBehaviorManager` for it.

use super::services::{Robot, SOON, until, words};
use boxstep_engine::config::BehaviorSource;
use boxstep_format::{Limits, paths, read_xar};
use boxstep_qi::{Remote, Value, args};
use boxstep_robot::serve::receive::Closed;
use std::sync::Arc;
use std::sync::mpsc::channel;

const PORTS: &str = r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="3"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;

fn boxed(name: &str, id: i32, more: &str) -> String {
    format!(r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="0" y="0">{PORTS}{more}</Box>"#)
}

/// A behavior with a box that passes its input `in` on to its output `out`, and has a parameter.
fn behavior() -> BehaviorSource {
    let flow = |content: &str| {
        format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        )
    };
    let ports = r#"<Input name="in" type="0" type_size="1" nature="1" inner="0" tooltip="" id="5"/>
<Output name="out" type="0" type_size="1" nature="2" inner="0" tooltip="" id="6"/>
<Parameter name="Colour" inherits_from_parent="0" content_type="3" value="red" default_value="red" custom_choice="0" tooltip="" id="7"/>"#;
    let pass = flow(r#"<Link inputowner="0" indexofinput="6" outputowner="0" indexofoutput="5"/>"#);
    let inner = boxed("Echo", 1, &format!("{ports}{pass}"));
    let start = r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2"/>"#;
    let root = boxed("root", -1, &flow(&format!("{inner}{start}")));
    let xml = format!(
        r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
    );
    let file = read_xar("test.xar", xml.as_bytes(), &Limits::default()).unwrap();
    BehaviorSource {
        name: "app/echo".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/behavior".into(),
        relative_folder: "echo".to_owned(),
        package_uid: "app".to_owned(),
    }
}

pub fn playing() -> Robot {
    let robot = Robot::new(boxstep_bodies::BodyKind::Nao);
    let behavior = behavior();
    let paths = paths::boxes(&behavior.project).map(|at| at.path).collect();
    robot.serving.offer_boxes(paths, Arc::new(Closed("nothing is taken here".to_owned()))).unwrap();
    robot.engine.poke(|engine| engine.play(behavior)).unwrap();
    robot
}

fn echo(boxes: &Remote) -> Remote {
    boxes.call("box", &args!["root/Echo"]).unwrap().as_object().unwrap().remote().unwrap().clone()
}

#[test]
fn an_input_is_a_method_and_an_output_a_signal() {
    let robot = playing();
    let session = robot.session();
    let boxes = session.service("Boxstep").unwrap();
    let names = boxes.call("boxes", &[]).unwrap();
    let names: Vec<&str> = names.as_slice().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(names, ["root", "root/Echo"]);
    let (echo, other) = (echo(&boxes), echo(&boxes));
    until(|| echo.call("onStart", &[]).is_ok());
    let (tell, told) = channel();
    let again = tell.clone();
    let one = echo.subscribe("out", move |args| tell.send(("one", args[0].plain().clone())).unwrap()).unwrap();
    let two = other.subscribe("out", move |args| again.send(("two", args[0].plain().clone())).unwrap()).unwrap();
    echo.call("in", &args![Value::list([Value::from(7), "x".into()])]).unwrap();
    let mut heard = [told.recv_timeout(SOON).unwrap(), told.recv_timeout(SOON).unwrap()];
    heard.sort_by_key(|(who, _)| *who);
    assert_eq!(heard[0].0, "one");
    assert_eq!(heard[1].0, "two");
    assert_eq!(heard[0].1.as_slice().map(<[Value]>::len), Some(2), "a list is one value");
    drop(one);
    echo.call("in", &args!["alone"]).unwrap();
    let last = told.recv_timeout(SOON).unwrap();
    assert_eq!((last.0, last.1.as_str()), ("two", Some("alone")));
    drop(two);
    until(|| robot.engine.lock().sizes()[9] == 0);
}

#[test]
fn a_parameter_is_a_property() {
    let robot = playing();
    let session = robot.session();
    let echo = echo(&session.service("Boxstep").unwrap());
    assert_eq!(echo.property("Colour").unwrap().plain().as_str(), Some("red"));
    let (tell, told) = channel();
    let listening = echo.subscribe("Colour", move |args| tell.send(args[0].plain().clone()).unwrap()).unwrap();
    echo.set_property("Colour", "blue").unwrap();
    assert_eq!(echo.property("Colour").unwrap().plain().as_str(), Some("blue"));
    assert_eq!(told.recv_timeout(SOON).unwrap().as_str(), Some("blue"));
    drop(listening);
}

#[test]
fn missing_and_unloaded_boxes_are_reported() {
    let robot = playing();
    let session = robot.session();
    let boxes = session.service("Boxstep").unwrap();
    let nobody = words(boxes.call("box", &args!["root/Nobody"]));
    assert!(nobody.contains("there is no box root/Nobody"), "{nobody}");
    let echo = echo(&boxes);
    until(|| echo.call("in", &args![1]).is_ok());
    session.service("ALBehaviorManager").unwrap().call("stopBehavior", &args!["app/echo"]).unwrap();
    until(|| echo.call("in", &args![1]).is_err());
    let gone = words(echo.call("in", &args![1]));
    assert!(gone.contains("not loaded") || gone.contains("the run is over"), "{gone}");
}

#[test]
fn the_behavior_manager_lists_the_behavior_and_emits_its_lifecycle() {
    let robot = playing();
    let session = robot.session();
    let manager = session.service("ALBehaviorManager").unwrap();
    let names = |method: &str| {
        let names = manager.call(method, &[]).unwrap();
        names.as_slice().unwrap().iter().filter_map(|n| n.as_str().map(str::to_owned)).collect::<Vec<_>>()
    };
    assert_eq!(names("getInstalledBehaviors"), ["app/echo"]);
    until(|| names("getRunningBehaviors") == ["app/echo"]);
    let (tell, told) = channel();
    let listening = manager
        .subscribe("behaviorStopped", move |args| tell.send(args[0].as_str().map(str::to_owned)).unwrap())
        .unwrap();
    manager.call("stopBehavior", &args!["app/echo"]).unwrap();
    assert_eq!(told.recv_timeout(SOON).unwrap().as_deref(), Some("app/echo"));
    drop(listening);
}
