//! Folders as people produce them: written by hand, edited, broken.

use super::canonical::boxes;
use super::{findings, folder, read, text, write, xar};
use boxstep_format::model::{BoxDef, Project, StateMachine};
use boxstep_format::split::{self, Folder};
use boxstep_format::{Limits, states};

const PORTS: &str = r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;

fn a_box(name: &str, id: i32) -> String {
    format!(
        r#"<Box name="{name}" robot="" id="{id}" tooltip="" bitmap_expanded="0" plugin="" x="1" y="2" bitmap="a.png">{PORTS}</Box>"#
    )
}

/// Returns a folder as the published description of the format has it.
fn typed(machine: &str, states: &[&str], timeline: Option<&str>) -> Folder {
    let mut files = vec![
        ("l0_root.xml".to_owned(), a_box("root", -1)),
        ("l0_root.py".into(), "class MyClass(GeneratedClass):\n    pass\n".into()),
        ("l0_root_state_machine.xml".into(), format!("<StateMachine>{machine}</StateMachine>")),
    ];
    for (n, state) in states.iter().enumerate() {
        files.push((format!("l0_root_state_{n}.xml"), format!("<State>{state}</State>")));
    }
    files.extend(timeline.map(|t| ("l0_root_timeline.xml".to_owned(), t.to_owned())));
    for name in ["a", "b", "c"] {
        files.push((format!("l1_{name}.xml"), a_box(name, 1)));
        files.push((format!("l1_{name}.py"), format!("# {name}\nclass MyClass(GeneratedClass): pass\n")));
    }
    files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect()
}

fn link(from: (&str, &str), to: (&str, &str)) -> String {
    format!(
        r#"<Link inputowner="{}" indexofinput="{}" outputower="{}" indexofoutput="{}"/>"#,
        to.0, to.1, from.0, from.1
    )
}

fn machine(project: &Project) -> &StateMachine {
    project.root.timeline.as_ref().unwrap().machine.as_ref().unwrap()
}

fn names(def: &BoxDef) -> Vec<&str> {
    boxes(def).into_iter().map(|b| &*b.name).collect()
}

#[test]
fn a_folder_typed_from_the_description_with_transitions_is_a_state_machine() {
    let start = link(("l0_root", "onStart"), ("l1_a", "onStart"));
    let folder = typed(
        r#"<State Name="l0_root_state_0"/><State Name="l0_root_state_1"/><InitialState Name="l0_root_state_0"/>
        <FinalState Name="l0_root_state_1"/><Transition From="l0_root_state_0" To="l0_root_state_1" TimeOut="1500"/>
        <Transition From="l0_root_state_1" To="l0_root_state_0"/>"#,
        &[
            &format!(r#"<Object Name="l1_a"/><Object Name="l1_b"/><Label Name="first"/>{start}"#),
            r#"<Object Name="l1_b"/><Object Name="l1_c"/><Interval begin="20" end="30"/>"#,
        ],
        None,
    );
    let file = read(&folder);
    assert_eq!(findings(&file), Vec::<String>::new());
    assert_eq!(names(&file.project.root), ["root", "a", "b", "c"]);
    let m = machine(&file.project);
    let (first, second) = (&m.states[0], &m.states[1]);
    assert_eq!((first.boxes.as_slice(), second.boxes.as_slice()), ([0, 1].as_slice(), [1, 2].as_slice()));
    assert_eq!((first.links.as_slice(), first.labels[0].as_ref()), ([0].as_slice(), "first"));
    assert_eq!((second.begin, second.end, m.initial, m.finals.as_slice()), (Some(20), Some(30), 0, [1].as_slice()));
    let transitions: Vec<_> = m.transitions.iter().map(|t| (t.from, t.to, t.timeout)).collect();
    assert_eq!(transitions, [(0, 1, Some(1500)), (1, 0, None)]);
    // All three files give their box the id 1. Links are given by name, so each box gets an id of its own.
    let diagram = &file.project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram;
    assert_eq!(diagram.boxes.iter().map(|b| b.id).collect::<Vec<_>>(), [1, 2, 3]);
    let link = &diagram.links[0];
    assert_eq!((link.from_box, link.from_port, link.to_box, link.to_port), (0, 2, 1, 2));
    // It also survives being written by Boxstep.
    let again = read(&write(&file));
    assert_eq!(machine(&again.project).transitions.len(), 2);
    assert_eq!(split::write(&again, &Limits::default()).unwrap(), write(&file));
    // The same holds for a `.xar`, also for one written from the model.
    let printed = boxstep_format::write::write_xar(&file.project, &file.sources).unwrap();
    let printed = xar(printed.as_bytes()).unwrap();
    boxstep_format::testing::assert_same((&file.project, &file.sources), (&printed.project, &printed.sources));
    let as_xar = xar(split::as_xar(&file).as_bytes()).unwrap();
    assert_eq!(machine(&as_xar.project).states.len(), 2);
    assert_eq!(findings(&as_xar), Vec::<String>::new());
}

#[test]
fn a_typed_folder_without_transitions_has_layers_that_give_its_states() {
    let cut = |objects: &[&str], begin: i64, end: i64, labels: &[&str]| {
        let objects: String = objects.iter().map(|o| format!(r#"<Object Name="l1_{o}"/>"#)).collect();
        let labels: String = labels.iter().map(|l| format!(r#"<Label Name="{l}"/>"#)).collect();
        format!(r#"{objects}<Interval begin="{begin}" end="{end}"/>{labels}"#)
    };
    let cuts = [
        cut(&["a"], 1, 5, &["a1"]),
        cut(&["a", "b"], 5, 20, &["b1"]),
        cut(&["c"], 20, 30, &["a2", "b2"]),
        cut(&["c"], 30, 31, &["b3"]),
    ];
    let cuts: Vec<&str> = cuts.iter().map(String::as_str).collect();
    let listed: String = (0..4).map(|n| format!(r#"<State Name="l0_root_state_{n}"/>"#)).collect();
    let timeline = r#"<Timeline enable="1" name="t" fps="10" resource_acquisition="1" size="300" start_frame="1" end_frame="40" scale="1">
        <Flag state_name="l0_root_state_1" begin_frame="5"/>
        <ActuatorList model="nao"><ActuatorCurve name="value" actuator="HeadYaw" unit="0"><Key frame="1" value="2"/></ActuatorCurve></ActuatorList>
        <watches dummy="0"/></Timeline>"#;
    let file = read(&typed(&listed, &cuts, Some(timeline)));
    assert_eq!(findings(&file), Vec::<String>::new());
    let timeline = file.project.root.timeline.as_ref().unwrap();
    assert!(timeline.machine.is_none() && timeline.enabled && timeline.fps == Some(10));
    assert_eq!(timeline.actuators.as_ref().unwrap().curves.len(), 1);
    let seen: Vec<String> = states::states(timeline)
        .iter()
        .map(|s| {
            let boxes = s.active.iter().flat_map(|m| &timeline.layers[m.layer].keyframes[m.keyframe].diagram.boxes);
            let boxes: Vec<&str> = boxes.map(|b| &*b.name).collect();
            format!("[{},{}) {} {}", s.begin, s.end, s.labels.join(";"), boxes.join(" "))
        })
        .collect();
    assert_eq!(seen, ["[1,5) a1 a", "[5,20) b1 a b", "[20,30) a2;b2 c", "[30,31) b3 c"]);
}

#[test]
fn a_box_that_goes_and_comes_again_needs_a_state_machine() {
    let cut = |object: &str, begin: i64| {
        format!(r#"<Object Name="l1_{object}"/><Interval begin="{begin}" end="{}"/>"#, begin + 5)
    };
    let (a, b, c) = (cut("a", 1), cut("b", 6), cut("a", 11));
    let listed: String = (0..3).map(|n| format!(r#"<State Name="l0_root_state_{n}"/>"#)).collect();
    let file = read(&typed(&listed, &[&a, &b, &c], Some(r#"<Timeline enable="1" fps="25"/>"#)));
    assert_eq!(machine(&file.project).states.iter().map(|s| s.boxes.clone()).collect::<Vec<_>>(), [[0], [1], [0]]);
    assert_eq!(findings(&file), Vec::<String>::new());
}

/// Returns a root with one box "Say" that starts with it.
fn ours() -> Folder {
    let inside = format!(
        "{PORTS}<Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' index='1'><Diagram><Box name='Say' id='7'><script language='4'><content><![CDATA[class MyClass(GeneratedClass):\n    pass]]></content></script>{PORTS}</Box><Link inputowner='7' indexofinput='2' outputowner='0' indexofoutput='2'/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"
    );
    let xar =
        format!("<ChoregrapheProject xar_version='3'><Box name='root' id='-1'>{inside}</Box></ChoregrapheProject>");
    write(&super::xar(xar.as_bytes()).unwrap())
}

fn edited(name: &str, from: &str, to: &str) -> Folder {
    let mut files = ours();
    let text = text(&files, name).to_owned();
    assert!(text.contains(from), "{text}");
    files.insert(name.into(), text.replace(from, to).into_bytes());
    files
}

#[test]
fn the_folder_has_one_xml_and_one_py_for_each_box_and_a_main() {
    let files = ours();
    let names: Vec<&str> = files.keys().map(String::as_str).filter(|n| *n != "l0_root_project.xml").collect();
    let expected = [
        "l0_root.py",
        "l0_root.xml",
        "l0_root_state_0.xml",
        "l0_root_state_machine.xml",
        "l0_root_timeline.xml",
        "l1_Say.py",
        "l1_Say.xml",
        "main.py",
    ];
    assert_eq!(names, expected);
    assert_eq!(text(&files, "l1_Say.py"), "class MyClass(GeneratedClass):\n    pass");
    let state = "<?xml version=\"1.0\" encoding=\"UTF-8\" ?>\n<State>\n\t<Interval begin=\"1\" end=\"2\" />\n\t<Label Name=\"k\" />\n\t<Diagram Layer=\"0\" Keyframe=\"0\" />\n\t<Object Name=\"l1_Say\" />\n\t<Link InputObject=\"l1_Say\" InputName=\"onStart\" OutputObject=\"l0_root\" OutputName=\"onStart\" />\n</State>\n";
    assert_eq!(text(&files, "l0_root_state_0.xml"), state);
    assert!(files.values().all(|f| !String::from_utf8_lossy(f).contains("None")));
}

#[test]
fn edits_of_each_file_take_effect() {
    let file = read(&edited("l1_Say.py", "pass", "x = 1 # ]]>\n"));
    assert!(boxes(&file.project.root)[1].script.as_ref().unwrap().text.ends_with("x = 1 # ]]>\n"));
    let file = read(&edited("l1_Say.xml", "name='Say'", "name='Tell'"));
    assert_eq!(names(&file.project.root), ["root", "Tell"]);
    let file =
        read(&edited("l0_root_state_0.xml", "InputName=\"onStart\" OutputObject", "InputName=\"onLoad\" OutputObject"));
    let diagram = &file.project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram;
    assert_eq!((diagram.links[0].to_box, diagram.links[0].to_port), (7, 1));
    let file = read(&edited("l0_root_timeline.xml", "enable='0'", "enable='1'"));
    assert!(file.project.root.timeline.unwrap().enabled);
}

#[test]
fn places_are_those_of_the_folders_files() {
    let file = read(&ours());
    let say = boxes(&file.project.root)[1];
    let script = say.script.as_ref().unwrap();
    assert_eq!(file.sources.place(script.text_span), "folder/l1_Say.py:1:1");
    assert_eq!(file.sources.place(say.span), "folder/l1_Say.xml:2:1");
    assert!(
        file.sources.slice(say.span).starts_with("<Box name='Say'") && file.sources.slice(say.span).ends_with("</Box>")
    );
    assert_eq!(file.sources.slice(say.inputs[0].span).split(' ').next(), Some("<Input"));
    let diagram = &file.project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram;
    assert_eq!(file.sources.place(diagram.links[0].span), "folder/l0_root_state_0.xml:7:2");
}

#[test]
fn files_that_are_missing_or_wrong_are_told_and_read_around() {
    let mut files = ours();
    files.remove("l1_Say.py");
    let file = read(&files);
    assert_eq!(findings(&file), ["split-file-missing folder/l1_Say.xml:2:1"]);
    assert_eq!(names(&file.project.root), ["root", "Say"]);
    let mut files = ours();
    files.remove("l1_Say.xml");
    let file = read(&files);
    assert_eq!(names(&file.project.root), ["root"]);
    assert!(
        findings(&file)[0].starts_with("split-file-missing folder/l0_root_state_0.xml:6:2"),
        "{:?}",
        findings(&file)
    );
    let mut files = ours();
    files.remove("l0_root_state_0.xml");
    assert_eq!(findings(&read(&files)), ["split-file-missing folder/l0_root_timeline.xml:5:4"]);
    let file = read(&edited("l0_root_state_0.xml", "\"l1_Say\" />", "\"../l1_Say\" />"));
    assert!(
        findings(&file).contains(&"split-file-missing folder/l0_root_state_0.xml:6:2".to_owned()),
        "{:?}",
        findings(&file)
    );
    let file = read(&edited("l0_root_state_0.xml", "\"onStart\" />", "\"onSomething\" />"));
    assert_eq!(findings(&file), ["split-link folder/l0_root_state_0.xml:7:2"]);
    let twice = read(&edited(
        "l0_root_state_0.xml",
        "<Object Name=\"l1_Say\" />",
        "<Object Name=\"l1_Say\" /><Object Name=\"l1_Say\" />",
    ));
    assert_eq!(findings(&twice), ["split-box-twice folder/l0_root_state_0.xml:6:26"]);
    let circle = read(&edited(
        "l0_root_state_0.xml",
        "<Object Name=\"l1_Say\" />",
        "<Object Name=\"l1_Say\" /><Object Name=\"l0_root\" />",
    ));
    assert_eq!(findings(&circle), ["split-box-twice folder/l0_root_state_0.xml:6:26"]);
}

#[test]
fn what_follows_from_the_keyframes_is_told_when_it_no_longer_does() {
    let file = read(&edited("l0_root_state_0.xml", "end=\"2\"", "end=\"9\""));
    assert_eq!(findings(&file), ["stale-state folder/l0_root_state_0.xml:2:1"]);
    let file = read(&edited("l0_root_state_machine.xml", "<State Name=\"l0_root_state_0\" />", ""));
    assert_eq!(findings(&file), ["stale-state folder/l0_root_state_machine.xml:2:1"]);
    let transition = "</StateMachine>";
    let with = "<Transition From=\"l0_root_state_0\" To=\"l0_root_state_0\"/></StateMachine>";
    let file = read(&edited("l0_root_state_machine.xml", transition, with));
    assert_eq!(findings(&file), ["stale-state folder/l0_root_state_machine.xml:6:1"]);
}

#[test]
fn a_repetition_that_differs_is_told_and_the_state_where_its_keyframe_begins_counts() {
    let key = |name: &str, index: i32| {
        format!(
            "<BehaviorKeyframe name='{name}' index='{index}'><Diagram><Box name='{name}' id='1'>{PORTS}</Box></Diagram></BehaviorKeyframe>"
        )
    };
    let layers = format!(
        "<BehaviorLayer name='A'>{}</BehaviorLayer><BehaviorLayer name='B'>{}</BehaviorLayer>",
        key("a", 1),
        key("b", 9)
    );
    let xar = format!(
        "<ChoregrapheProject xar_version='3'><Box name='root' id='-1'><Timeline enable='1'>{layers}</Timeline></Box></ChoregrapheProject>"
    );
    let mut files = write(&super::xar(xar.as_bytes()).unwrap());
    assert_eq!(findings(&read(&files)), Vec::<String>::new());
    let repeated = text(&files, "l0_root_state_1.xml").replace("<Object Name=\"l1_a\" />", "");
    files.insert("l0_root_state_1.xml".into(), repeated.into_bytes());
    let file = read(&files);
    assert_eq!(findings(&file), ["stale-state folder/l0_root_state_1.xml:2:1"]);
    assert_eq!(names(&file.project.root), ["root", "a", "b"]);
}

#[test]
fn a_stray_file_changes_nothing_and_a_broken_one_that_is_needed_is_an_error_with_its_place() {
    let mut files = ours();
    files.insert("l1_stray.xml".into(), b"<Box".to_vec());
    files.insert("l1_stray.py".into(), b"\xFF".to_vec());
    assert_eq!(findings(&read(&files)), Vec::<String>::new());
    assert_eq!(split::as_xar(&read(&files)), split::as_xar(&read(&ours())));
    files.insert("l1_Say.xml".into(), b"<Box name='Say'\n<".to_vec());
    let error = split::read("folder", &files, &Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with("folder/l1_Say.xml:"), "{error}");
    let mut files = ours();
    files.insert("l1_Say.py".into(), b"a\n\x0C".to_vec());
    let error = split::read("folder", &files, &Limits::default()).unwrap_err().to_string();
    assert!(error.starts_with("folder/l1_Say.py:2:1: "), "{error}");
    files.insert("l1_Say.py".into(), b"a\xFF".to_vec());
    let error = split::read("folder", &files, &Limits::default()).unwrap_err().to_string();
    assert_eq!(error, "folder/l1_Say.py: byte 1 is not UTF-8 text");
    let error = split::read("folder", &folder(&[("x.xml", "<Box/>")]), &Limits::default()).unwrap_err().to_string();
    assert!(error.contains("l0_root.xml"), "{error}");
}

#[test]
fn limits_hold_for_the_whole_folder() {
    let limits = Limits { bytes: 800, ..Limits::default() };
    let error = split::read("folder", &ours(), &limits).unwrap_err().to_string();
    assert!(error.contains("more than 800 bytes"), "{error}");
    let layers: String = (0..40).map(|l| {
        let keyframes: String = (0..40).map(|k| format!("<BehaviorKeyframe name='k' index='{}'><Diagram><Box name='b' id='1'/></Diagram></BehaviorKeyframe>", l + k * 50)).collect();
        format!("<BehaviorLayer name='l'>{keyframes}</BehaviorLayer>")
    }).collect();
    let xar = format!(
        "<ChoregrapheProject xar_version='3'><Box name='r' id='-1'><Timeline enable='1'>{layers}</Timeline></Box></ChoregrapheProject>"
    );
    let file = super::xar(xar.as_bytes()).unwrap();
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    let error = split::write(&file, &limits).unwrap_err().to_string();
    assert!(error.contains("bytes of a split folder"), "{error}");
}

#[test]
fn a_converted_script_plays_as_the_author_wrote_it() {
    let mut files =
        typed(r#"<State Name="l0_root_state_0"/>"#, &[r#"<Object Name="l1_a"/><Interval begin="1" end="2"/>"#], None);
    let script = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\nimport time\nimport random\n\nfrom naoqi import *\nimport qicore\nimport qicore_legacy\n\nclass l1_a_class(qicore_legacy.BehaviorLegacy):\n    def __init__(self, io_info):\n        qicore_legacy.BehaviorLegacy.__init__(self, \"l1_a\", io_info)\n";
    files.insert("l1_a.py".into(), script.into());
    let file = read(&files);
    let script = boxes(&file.project.root)[1].script.clone().unwrap();
    assert_eq!(
        &*script.text,
        "class MyClass(GeneratedClass):\n    def __init__(self):\n        GeneratedClass.__init__(self)"
    );
    assert_eq!(file.sources.place(script.text_span), "folder/l1_a.py:11:1");
    assert_eq!(findings(&file), Vec::<String>::new());
}

#[test]
fn a_split_folder_opens_as_a_behavior_and_as_one_of_a_project() {
    let root = std::env::temp_dir().join(format!("boxstep-split-{}", std::process::id()));
    let inside = root.join("dance");
    std::fs::create_dir_all(&inside).unwrap();
    for (name, bytes) in ours() {
        std::fs::write(inside.join(name), bytes).unwrap();
    }
    std::fs::write(inside.join("l1_stray.xml"), "<Box").unwrap();
    let limits = Limits::default();
    for path in [inside.clone(), inside.join("l0_root.xml")] {
        let opened = boxstep_format::open(&path, &limits).unwrap();
        assert_eq!((opened.name.as_str(), opened.behaviors.len()), ("dance", 1));
        let file = opened.default_behavior().unwrap().read(&limits).unwrap();
        assert_eq!(names(&file.project.root), ["root", "Say"]);
        let strays: Vec<&str> =
            file.findings.iter().filter(|f| f.code.name == "stray-file").map(|f| &*f.message).collect();
        assert_eq!(strays, ["l1_stray.xml is not read: nothing leads to it from l0_root.xml"]);
    }
    let pml = r#"<Package name="p"><BehaviorDescriptions><BehaviorDescription name="behavior" src="dance" xar="behavior.xar"/></BehaviorDescriptions></Package>"#;
    std::fs::write(root.join("p.pml"), pml).unwrap();
    let opened = boxstep_format::open(&inside, &limits).unwrap();
    let behavior = opened.default_behavior().unwrap();
    assert_eq!(
        (opened.name.as_str(), behavior.name.as_str(), behavior.relative.as_str()),
        ("p", "dance", "dance/behavior.xar")
    );
    assert!(behavior.is_split() && opened.findings.is_empty(), "{:?}", opened.findings);
    std::fs::remove_dir_all(&root).unwrap();
}

#[test]
fn a_folder_whose_root_is_called_otherwise_begins_with_the_name_that_all_others_continue() {
    let renamed = |from: &Folder| -> Folder {
        let own = |text: &str| text.replace("l0_root", "l0_My_Dance");
        from.iter().map(|(n, b)| (own(n), own(std::str::from_utf8(b).unwrap()).into_bytes())).collect()
    };
    let mut files = renamed(&ours());
    assert_eq!(split::root(&files).as_deref(), Some("l0_My_Dance"));
    let file = read(&files);
    assert_eq!((names(&file.project.root), findings(&file)), (vec!["root", "Say"], Vec::new()));
    // It is written as `l0_root`, like every other root.
    assert!(write(&file).contains_key("l0_root.xml"));
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in &files {
        std::fs::write(place.path().join(name), bytes).unwrap();
    }
    std::fs::write(place.path().join("l1_stray.py"), "").unwrap();
    for path in [place.path().to_owned(), place.path().join("l0_My_Dance.xml")] {
        let opened = boxstep_format::open(&path, &Limits::default()).unwrap();
        let file = opened.default_behavior().unwrap().read(&Limits::default()).unwrap();
        assert_eq!(names(&file.project.root), ["root", "Say"]);
        let stray = file.findings.iter().find(|f| f.code.name == "stray-file").unwrap();
        assert_eq!(stray.message, "l1_stray.py is not read: nothing leads to it from l0_My_Dance.xml");
    }
    // With another file of the first level the root is ambiguous, but `l0_root` always is the root.
    files.insert("l0_Other.xml".into(), a_box("Other", -1).into_bytes());
    assert_eq!(split::root(&files), None);
    files.insert("l0_root.xml".into(), a_box("root", -1).into_bytes());
    assert_eq!(split::root(&files).as_deref(), Some("l0_root"));
    assert_eq!(names(&read(&files).project.root), ["root"]);
}

#[test]
fn ports_without_numbers_get_the_lowest_that_are_free_and_links_find_them() {
    let ports = r#"<Input name="onLoad" type="1" nature="0"/><Input name="onStart" type="1" nature="2"/>
        <Parameter name="speed" content_type="1" value="1"/><Output name="onStopped" type="1" nature="1"/>
        <Output name="late" type="1" nature="2" id="2"/>"#;
    let mut files = typed(
        r#"<State Name="l0_root_state_0"/>"#,
        &[&format!(
            r#"<Object Name="l1_a"/><Interval begin="1" end="2"/>{}{}{}"#,
            link(("l0_root", "onStart"), ("l1_a", "onStart")),
            link(("l1_a", "onStopped"), ("l0_root", "onStopped")),
            link(("l0_root", "onLoad"), ("l1_a", "speed")),
        )],
        None,
    );
    for name in ["l0_root", "l1_a"] {
        let id = if name == "l0_root" { "-1" } else { "1" };
        files.insert(format!("{name}.xml"), format!(r#"<Box name="{name}" id="{id}">{ports}</Box>"#).into_bytes());
    }
    let file = read(&files);
    assert_eq!(findings(&file).iter().filter(|f| !f.starts_with("missing")).count(), 0, "{:?}", findings(&file));
    let a = boxes(&file.project.root)[1];
    // The order is inputs, outputs, parameters, as Choregraphe numbers them.
    assert_eq!(a.inputs.iter().map(|p| p.id).collect::<Vec<_>>(), [1, 3]);
    assert_eq!(a.outputs.iter().map(|p| p.id).collect::<Vec<_>>(), [4, 2]);
    assert_eq!(a.parameters[0].id, 5);
    let links = &file.project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram.links;
    let links: Vec<_> = links.iter().map(|l| (l.from_box, l.from_port, l.to_box, l.to_port)).collect();
    assert_eq!(links, [(0, 3, 1, 3), (1, 4, 0, 4), (0, 1, 1, 5)]);
    let again = read(&write(&file));
    boxstep_format::testing::assert_same((&file.project, &file.sources), (&again.project, &again.sources));
}

#[test]
fn a_port_that_has_no_number_in_the_xar_has_none_afterwards() {
    let xar = "<ChoregrapheProject xar_version='3'><Box name='r' id='-1'><Input name='a' numbered='mine' _numbered='x'/><Output name='b' id='1' numbered='y'/><Parameter name='p'><Choice value='1'/></Parameter></Box></ChoregrapheProject>";
    assert_eq!(super::round::trip(xar.as_bytes()), None);
    let file = super::xar(xar.as_bytes()).unwrap();
    assert!(
        text(&write(&file), "l0_root.xml")
            .contains(r#"<Input name='a' _numbered='mine' __numbered='x' numbered="0" />"#)
    );
}

#[test]
fn the_bytes_of_a_script_stay_through_a_xar_and_back() {
    let scripts: [&[u8]; 7] = [
        b"class MyClass(GeneratedClass):\r\n\tpass\r\n",
        b"x = 1",
        b"x = 1\n\n\n",
        b"\tx = 1\r\n y\rz \t",
        "# \u{e9}\u{2028}\u{feff}".as_bytes(),
        b" \n",
        b"x = ']]>'",
    ];
    for script in scripts {
        let mut files = ours();
        files.insert("l1_Say.py".into(), script.to_vec());
        assert_eq!(write(&read(&files))["l1_Say.py"], script, "{}", script.escape_ascii());
        let laid_out = read(&files).formatted(&Limits::default()).unwrap();
        let back = xar(&laid_out.to_bytes()).unwrap();
        assert_eq!(write(&back)["l1_Say.py"], script, "{}", script.escape_ascii());
    }
    // The first byte order mark belongs to the file; the script's own one after it stays.
    let mut files = ours();
    files.insert("l1_Say.py".into(), b"\xEF\xBB\xBFx\r\n".to_vec());
    assert_eq!(write(&read(&files))["l1_Say.py"], b"x\r\n");
}
