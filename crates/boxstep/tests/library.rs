//! Every box of the library does what its test in `library/tests` says, in a behavior that has nothing else.

use crate::common::{root, say};
use boxstep_edit::{Document, NewBox, Op, PortAt};
use boxstep_format::model::{InputNature, PortType};
use boxstep_library::{LibraryBox, boxes};
use std::path::Path;

const EMPTY: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
    <Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">
        <Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1" />
        <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
        <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="3" />
        <Timeline enable="0">
            <BehaviorLayer name="behavior_layer1">
                <BehaviorKeyframe name="keyframe1" index="1">
                    <Diagram scale="100" />
                </BehaviorKeyframe>
            </BehaviorLayer>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#;

/// A behavior with the box alone.
fn alone(one: &LibraryBox) -> Document {
    let mut document = Document::read("behavior.xar", EMPTY.as_bytes()).unwrap();
    let add = NewBox::Xar(one.xar.to_owned());
    let add = Op::Add { diagram: "root".parse().unwrap(), add, name: None, x: 100.0, y: 60.0 };
    document.apply("add", None, &[add]).unwrap();
    document
}

/// A behavior with the box, which starts with it if a signal without a value starts the box.
fn behavior(one: &LibraryBox) -> String {
    let mut document = alone(one);
    let diagram = &document.file().project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram;
    let start = diagram.boxes[0].inputs.iter().find(|input| {
        &*input.name == "onStart" && input.port_type == PortType::Bang && input.nature != InputNature::OnLoad
    });
    if start.is_some() {
        let at = |path: &str| PortAt { r#box: path.parse().unwrap(), port: "onStart".to_owned() };
        let link = Op::Connect { from: at("root"), to: at(&format!("root/{}", one.name)) };
        document.apply("link", None, &[link]).unwrap();
    }
    document.file().text().to_owned()
}

/// A box's file is named as the box, without blanks.
fn file_name(one: &LibraryBox) -> String {
    let words = one.name.split(' ').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    });
    words.collect()
}

/// Fills a folder with a behavior and its test for each box that is wanted.
fn fill(folder: &Path, wanted: impl Fn(&LibraryBox) -> bool) -> usize {
    let tests = root().join("library/tests");
    let mut count = 0;
    for one in boxes().iter().filter(|one| wanted(one)) {
        let name = file_name(one);
        let group = folder.join(one.group);
        if !group.exists() {
            std::fs::create_dir(&group).unwrap();
            for file in std::fs::read_dir(tests.join("files")).unwrap().map(|entry| entry.unwrap()) {
                std::fs::copy(file.path(), group.join(file.file_name())).unwrap();
            }
        }
        std::fs::write(group.join(format!("{name}.xar")), behavior(one)).unwrap();
        let test = tests.join(one.group).join(format!("{name}.toml"));
        std::fs::copy(&test, group.join(format!("{name}.test.toml")))
            .unwrap_or_else(|e| panic!("{}: {e}", test.display()));
        count += 1;
    }
    count
}

/// Plays the tests of a folder, which are at least so many.
fn played(folder: &Path, count: usize, options: &[&str]) {
    let said = say(&[&["test", folder.to_str().unwrap()], options].concat()).code(0);
    let last = said.out.lines().last().unwrap_or_default();
    let passed: usize = last.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0);
    assert!(count > 0 && passed >= count, "{count} boxes have {last}");
}

fn pass(wanted: impl Fn(&LibraryBox) -> bool, options: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let count = fill(folder.path(), wanted);
    played(folder.path(), count, options);
}

#[test]
fn every_box_does_what_its_test_says() {
    pass(|_| true, &[]);
}

/// Boxes that wait, speak, move, listen and fail, in a process of their own.
#[test]
fn boxes_do_so_in_the_other_host() {
    pass(|one| ["Speech", "Flow", "Memory"].contains(&one.group), &["--scripts", "process"]);
}

#[test]
fn a_box_that_does_not_run_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let stopped: Vec<&LibraryBox> = boxes().iter().filter(|one| one.xar.contains("<Input name=\"onStop\"")).collect();
    for one in &stopped {
        let file = |ending: &str| folder.path().join(format!("{}{ending}", file_name(one)));
        std::fs::write(file(".xar"), alone(one).file().text()).unwrap();
        let path = format!("root/{}", one.name);
        let given = format!("stimulate = [{{ box = \"{path}\", input = \"onStop\", at = 1 }}]\nbody = \"pepper\"");
        let test = format!("[[test]]\nname = \"stop\"\n[test.given]\n{given}\n[test.expect]\nreason = \"waiting\"\n");
        std::fs::write(file(".test.toml"), test).unwrap();
    }
    played(folder.path(), stopped.len(), &[]);
}

#[test]
fn a_posture_is_not_reached_while_another_box_has_the_motors() {
    let folder = tempfile::tempdir().unwrap();
    for one in boxes().iter().filter(|one| ["Posture", "Stand Up", "Sit Down"].contains(&one.name)) {
        let mut document = Document::read("behavior.xar", behavior(one).as_bytes()).unwrap();
        let at = |path: &str| PortAt { r#box: path.parse().unwrap(), port: "onStart".to_owned() };
        let add = NewBox::Xar(one.xar.to_owned());
        let add = Op::Add { diagram: "root".parse().unwrap(), add, name: Some("Second".to_owned()), x: 300.0, y: 60.0 };
        let link = Op::Connect { from: at("root"), to: at("root/Second") };
        document.apply("", None, &[add, link]).unwrap();
        let test = r#"[[test]]
name = "the second gives up after a second"
[test.given]
mocks = [{ call = "ALRobotPosture.goToPosture", returns = true, takes = 5 }]
[test.expect]
outputs = [
    { box = "root/Second", output = "failure", at = 1 },
    { box = "root/Second", output = "success", count = 0 },
    { box = "root/FIRST", output = "success", at = 5 },
]
"#;
        let file = |ending: &str| folder.path().join(format!("{}{ending}", file_name(one)));
        std::fs::write(file(".xar"), document.file().text()).unwrap();
        std::fs::write(file(".test.toml"), test.replace("FIRST", one.name)).unwrap();
    }
    played(folder.path(), 3, &[]);
}

#[test]
fn tests_are_those_of_boxes() {
    let mut expected: Vec<String> =
        boxes().iter().map(|one| format!("{}/{}.toml", one.group, file_name(one))).collect();
    let mut found = Vec::new();
    for group in std::fs::read_dir(root().join("library/tests")).unwrap().map(|entry| entry.unwrap()) {
        let name = group.file_name().into_string().unwrap();
        for file in std::fs::read_dir(group.path()).unwrap().filter(|_| name != "files") {
            found.push(format!("{name}/{}", file.unwrap().file_name().into_string().unwrap()));
        }
    }
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn boxes_have_no_findings() {
    let library = root().join("library");
    for body in ["nao", "pepper"] {
        // The tablet is Pepper's, and the last service that only one of them has.
        let tablet: &[&str] = if body == "nao" { &["--allow", "BS0681"] } else { &[] };
        let args = ["check", "-r", library.to_str().unwrap(), "--notes", "--deny", "warnings", "--body", body];
        let said = say(&[&args, tablet].concat()).code(0);
        assert!(said.out.trim_end().lines().count() <= 1 && !said.out.contains("note"), "{}", said.out);
    }
}
