//! Each rule, with a behavior that breaks it; and one behavior that breaks none.

use boxstep_bodies::BodyKind;
use boxstep_check::{Context, check, codes, render, to_json};
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::{Code, Diagnostic, Severity};
use std::path::{Path, PathBuf};

const PORTS: &str = r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="" id="1"/>
<Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="3"/>
<Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4"/>"#;

fn file(inside: &str) -> XarFile {
    let file = read_with_findings(inside);
    assert!(file.findings.is_empty(), "{:?}", file.findings);
    file
}

/// Reads a file for which the reader has findings.
fn read_with_findings(inside: &str) -> XarFile {
    let text = format!(
        "<ChoregrapheProject xar_version=\"3\">\n<Box name=\"root\" id=\"-1\">\n{PORTS}\n{inside}\n</Box>\n</ChoregrapheProject>\n"
    );
    read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap()
}

fn diagram(inside: &str) -> String {
    format!(
        "<Timeline enable=\"0\"><BehaviorLayer name=\"l\"><BehaviorKeyframe name=\"k\" index=\"1\"><Diagram>\n{inside}\n\
         </Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"
    )
}

fn a_box(name: &str, id: i32, more: &str) -> String {
    format!("<Box name=\"{name}\" id=\"{id}\">{PORTS}{more}</Box>\n")
}

fn link(to: i32, port: i32, from: i32, out: i32) -> String {
    format!("<Link inputowner=\"{to}\" indexofinput=\"{port}\" outputowner=\"{from}\" indexofoutput=\"{out}\"/>\n")
}

fn timeline(attributes: &str, inside: &str) -> String {
    format!("<Timeline enable=\"1\" fps=\"25\" start_frame=\"1\" size=\"300\" {attributes}>\n{inside}\n</Timeline>")
}

fn curve(joint: &str, mute: u8, frames: &[i32]) -> String {
    let keys: String = frames.iter().map(|f| format!("<Key frame=\"{f}\" value=\"1\"/>\n")).collect();
    format!("<ActuatorCurve name=\"value\" actuator=\"{joint}\" mute=\"{mute}\" unit=\"0\">\n{keys}</ActuatorCurve>")
}

/// Checks that the findings are these, each in a box, with a span that covers the right text.
fn expect(inside: &str, want: &[(Code, &str, &str)]) -> Vec<Diagnostic> {
    let file = file(inside);
    let found = check(&file, &Context::default()).behavior;
    let seen: Vec<_> = found
        .iter()
        .map(|d| (d.code, d.path.as_ref().unwrap().to_string(), file.sources.slice(d.span.unwrap()).to_owned()))
        .collect();
    assert_eq!(seen.len(), want.len(), "{found:#?}");
    for (seen, want) in seen.iter().zip(want) {
        assert_eq!((seen.0, seen.1.as_str()), (want.0, want.1), "{found:#?}");
        assert!(seen.2.contains(want.2), "{} does not show {}", seen.2, want.2);
    }
    found
}

#[test]
fn a_sound_behavior_has_no_findings() {
    let boxes = [a_box("A", 1, ""), a_box("B", 2, ""), link(1, 2, 0, 2), link(2, 2, 1, 4), link(0, 4, 2, 4)].concat();
    expect(&diagram(&boxes), &[]);
    let list = format!("<ActuatorList model=\"nao\">{}</ActuatorList>", curve("HeadYaw", 0, &[10, 20]));
    expect(&timeline("end_frame=\"-1\"", &list), &[]);
}

#[test]
fn links() {
    let number = r#"<Output name="count" type="2" type_size="1" nature="2" inner="0" tooltip="" id="5"/>
        <Parameter name="Text" inherits_from_parent="0" content_type="3" value="" default_value="" tooltip="" id="6"/>"#;
    let boxes = [a_box("A", 1, number), link(1, 2, 0, 2)].concat();
    let with = |more: &str| diagram(&format!("{boxes}{more}"));
    expect(&with(&link(7, 2, 1, 4)), &[(codes::DANGLING_LINK, "root", "inputowner=\"7\"")]);
    expect(&with(&link(1, 9, 1, 4)), &[(codes::DANGLING_LINK, "root", "indexofinput=\"9\"")]);
    expect(&with(&link(1, 4, 1, 4)), &[(codes::WRONG_WAY_LINK, "root", "indexofinput=\"4\"")]);
    expect(&with(&link(1, 2, 0, 2)), &[(codes::DOUBLE_LINK, "root", "<Link")]);
    expect(&with(&link(1, 2, 0, 3)), &[(codes::SILENT_LINK, "root", "indexofoutput=\"3\"")]);
    expect(&with(&link(1, 1, 1, 4)), &[(codes::SILENT_LINK, "root", "indexofinput=\"1\"")]);
    let found = expect(&with(&link(1, 6, 1, 5)), &[(codes::TYPE_MISMATCH, "root", "indexofinput=\"6\"")]);
    let want = "the output \"count\" of \"A\" of type number leads to the parameter \"Text\" of \"A\" of type string";
    assert_eq!((found[0].message.as_str(), found[0].severity), (want, Severity::Warning));
    expect(&with(&link(1, 2, 1, 5)), &[]);
}

#[test]
fn boxes_whose_end_is_never_signaled() {
    // D leads to B, and one link stops both.
    let with = |inside: &str, more: &str| {
        let d = a_box("D", 1, &format!("{inside}{more}"));
        let links = [link(1, 2, 0, 2), link(3, 2, 0, 2), link(1, 3, 3, 4), link(2, 3, 3, 4), link(2, 2, 1, 4)];
        diagram(&[d, a_box("B", 2, ""), a_box("Stops", 3, ""), links.concat()].concat())
    };
    let say = a_box("Say", 1, "");
    let says = diagram(&[say.clone(), link(1, 2, 0, 2), link(0, 4, 1, 4)].concat());
    let waits = diagram(&[say.clone(), link(1, 2, 0, 2)].concat());
    let note = (codes::SILENT_STOP, "root/D", "name=\"D\"");
    let found = expect(&with(&waits, ""), &[note]);
    let want = "\"D\" is stopped by a link, and nothing stimulates its output \"onStopped\"";
    assert_eq!((found[0].message.as_str(), found[0].severity), (want, Severity::Note));
    // A box's own onStop is not visible inside it, and starts nothing there.
    let silent = (codes::SILENT_LINK, "root/D", "indexofoutput=\"3\"");
    let through = diagram(&[say.clone(), link(1, 2, 0, 2), link(0, 4, 0, 3)].concat());
    expect(&with(&through, ""), &[note, silent]);
    let goodbye = diagram(&[say.clone(), link(1, 2, 0, 3), link(0, 4, 1, 4)].concat());
    expect(&with(&goodbye, ""), &[note, (codes::UNREACHABLE_BOX, "root/D/Say", "name=\"Say\""), silent]);
    // A muted layer does not count.
    let muted = (codes::MUTED_LAYER, "root/D", "mute");
    expect(&with(&says.replace("name=\"l\"", "name=\"l\" mute=\"1\""), ""), &[note, muted]);
    // There is no finding if the end can come in another way: from a box, an input, a script, or a missing resource.
    expect(&with(&says, ""), &[]);
    expect(&with(&diagram(&[say, link(1, 2, 0, 2), link(0, 4, 0, 1)].concat()), ""), &[]);
    let script =
        "<script language=\"4\"><content><![CDATA[class MyClass(GeneratedClass):\n    pass]]></content></script>";
    expect(&with(&waits, script), &[]);
    expect(&with(&waits, "<Resource name=\"Legs\" type=\"Lock\" timeout=\"0\"/>"), &[]);
    // There is also none if nothing stops the box, nothing is linked to its end, or its end frame ends it.
    expect(&with(&waits, "").replace(&link(1, 3, 3, 4), ""), &[]);
    expect(&with(&waits, "").replace(&link(2, 2, 1, 4), &link(2, 2, 0, 2)), &[]);
    expect(&with(&timeline("end_frame=\"25\"", ""), ""), &[]);
}

#[test]
fn boxes_that_nothing_reaches() {
    let boxes = [a_box("A", 1, ""), a_box("B", 2, ""), a_box("C", 3, ""), link(1, 2, 0, 2), link(3, 2, 2, 4)].concat();
    let want = [(codes::UNREACHABLE_BOX, "root/B", "name=\"B\""), (codes::UNREACHABLE_BOX, "root/C", "name=\"C\"")];
    expect(&diagram(&boxes), &want);
    // A box without an input starts by itself.
    let source = r#"<Box name="Source" id="2"><Output name="out" type="1" type_size="1" nature="2" inner="0" tooltip="" id="4"/></Box>"#;
    expect(&diagram(&[source, &a_box("A", 1, ""), &link(1, 2, 2, 4)].concat()), &[]);
    // An event input of the containing box that nothing stimulates reaches nothing; the containing box's onStart does.
    let event = r#"<Input name="go" type="1" type_size="1" nature="1" inner="0" tooltip="" id="7"/>"#;
    let inside = [a_box("I", 1, ""), link(1, 2, 0, 7)].concat();
    let outer = a_box("O", 1, &format!("{event}{}", diagram(&inside)));
    let want = [(codes::UNREACHABLE_BOX, "root/O/I", "name=\"I\"")];
    expect(&diagram(&[outer.clone(), link(1, 2, 0, 2)].concat()), &want);
    expect(&diagram(&[outer.clone(), link(1, 2, 0, 2), link(1, 7, 0, 2)].concat()), &[]);
    // Boxes inside an unreachable box are not reported again, and a muted layer is reported as such.
    expect(&diagram(&outer), &[(codes::UNREACHABLE_BOX, "root/O", "name=\"O\"")]);
    let muted = diagram(&a_box("M", 1, "")).replace("name=\"l\"", "name=\"l\" mute=\"1\"");
    expect(&muted, &[(codes::MUTED_LAYER, "root", "mute=\"1\"")]);
}

#[test]
fn names_and_ids() {
    let boxes = [a_box("A", 1, ""), a_box("A", 2, ""), link(1, 2, 0, 2), link(2, 2, 0, 2)].concat();
    let found = expect(&diagram(&boxes), &[(codes::SHARED_NAME, "root", "id=\"2\"")]);
    assert_eq!(found[0].notes.len(), 1);
    let zero = expect(
        &diagram(&a_box("Z", 0, "")),
        &[(codes::ZERO_ID, "root", "name=\"Z\""), (codes::UNREACHABLE_BOX, "root/Z", "name=\"Z\"")],
    );
    assert_eq!(zero[0].severity, Severity::Error);
    let ports = r#"<Input name="onStart" type="1" type_size="1" nature="1" inner="0" tooltip="" id="8"/>
        <Output name="onStopped" type="1" type_size="1" nature="2" inner="0" tooltip="" id="9"/>"#;
    expect(ports, &[(codes::SHARED_PORT_NAME, "root", "id=\"8\""), (codes::SHARED_PORT_NAME, "root", "id=\"9\"")]);
    let memory = r#"<Input name="m" type="1" type_size="1" nature="4" inner="1" tooltip="" id="8"/>"#;
    expect(memory, &[(codes::NO_MEMORY_KEY, "root", "name=\"m\"")]);
}

fn parameter(name: &str, kind: i32, value: &str, more: &str) -> String {
    format!(
        "<Parameter name=\"{name}\" inherits_from_parent=\"0\" content_type=\"{kind}\" value=\"{value}\" default_value=\"\" \
         tooltip=\"\" id=\"20\" {more}><Choice value=\"Left\"/></Parameter>"
    )
}

#[test]
fn parameters() {
    expect(&parameter("p", 1, "ten", "custom_choice=\"1\""), &[(codes::BAD_PARAMETER, "root", "ten")]);
    let range = "min=\"0\" max=\"5\" custom_choice=\"1\"";
    expect(&parameter("p", 1, "10", range), &[(codes::OUT_OF_RANGE, "root", "10")]);
    expect(&parameter("p", 2, "5", range), &[]);
    expect(&parameter("p", 3, "Both", "custom_choice=\"0\""), &[(codes::NOT_A_CHOICE, "root", "Both")]);
    expect(&parameter("p", 3, "Left", "custom_choice=\"0\""), &[]);
    let secret = expect(&parameter("p", 3, "hunter2", "password=\"1\""), &[(codes::NOT_A_CHOICE, "root", "hunter2")]);
    assert!(!secret[0].message.contains("hunter2"));
}

#[test]
fn scripts_that_are_not_run() {
    let script =
        |n: i32, text: &str| format!("<script language=\"{n}\"><content><![CDATA[{text}]]></content></script>");
    let languages = [(0, "C++"), (1, "URBI"), (2, "Ruby"), (3, "a dynamic library"), (5, "QiChat")];
    for (number, words) in languages {
        let found =
            expect(&script(number, "echo 1;"), &[(codes::SCRIPT_LANGUAGE, "root", &format!("language=\"{number}\""))]);
        assert_eq!(found[0].message, format!("the script is {words}; only Python is run"));
        assert_eq!(found[0].help.as_deref(), Some("the box plays as one without a script"));
    }
    for number in [0, 1, 2, 5, 6] {
        expect(&script(number, " "), &[]);
    }
    // The code of a dynamic library is not in the text.
    expect(&script(3, ""), &[(codes::SCRIPT_LANGUAGE, "root", "language=\"3\"")]);
    let unknown = check(&read_with_findings(&script(7, "x")), &Context::default());
    let found = unknown.behavior.iter().find(|d| d.code == codes::SCRIPT_LANGUAGE).unwrap();
    assert_eq!(found.message, "the script is of an unknown language; only Python is run");
}

#[test]
fn scripts_and_resources() {
    let resources =
        "<Resource name=\"A\" type=\"Lock\" timeout=\"1\"/><Resource name=\"A\" type=\"Lock\" timeout=\"2\"/>";
    let want = [
        (codes::SHARED_RESOURCE, "root", "timeout=\"2\""),
        (codes::MIXED_RESOURCES, "root", "timeout=\"2\""),
        (codes::UNKNOWN_RESOURCE, "root", "name=\"A\""),
        (codes::UNKNOWN_RESOURCE, "root", "name=\"A\""),
    ];
    let found = check(&file(resources), &Context::default()).behavior;
    let mut seen: Vec<_> = found.iter().map(|d| d.code.number).collect();
    seen.sort_unstable();
    assert_eq!(seen, want.map(|w| w.0.number), "{found:#?}");
    let near = "<Resource name=\"Speach\" type=\"Lock\" timeout=\"-1\"/>";
    let found = expect(near, &[(codes::UNKNOWN_RESOURCE, "root", "Speach")]);
    assert_eq!(found[0].help.as_deref(), Some("did you mean `Speech`?"));
    assert!(found[0].message.contains("waits for it without end"), "{}", found[0].message);
    let states = "<Resource name=\"Standing\" type=\"Lock\" timeout=\"1\"/><Resource name=\"Sitting\" type=\"Lock\" timeout=\"1\"/>";
    assert_eq!(expect(states, &[(codes::CONFLICTING_STATES, "root", "Sitting")])[0].severity, Severity::Error);
    expect(
        "<Resource name=\"Standing\" type=\"Lock\" timeout=\"1\"/><Resource name=\"Head\" type=\"Lock\" timeout=\"1\"/>",
        &[],
    );
}

#[test]
fn timelines() {
    let list = |curves: &[String]| format!("<ActuatorList model=\"\">{}</ActuatorList>", curves.concat());
    let open = "end_frame=\"-1\"";
    expect(&timeline(open, ""), &[(codes::ENDLESS_TIMELINE, "root", "<Timeline")]);
    expect(&timeline(open, &list(&[curve("HeadYaw", 1, &[5])])), &[(codes::ENDLESS_TIMELINE, "root", "<Timeline")]);
    let unordered = list(&[curve("HeadYaw", 0, &[5, 9, 9])]);
    expect(&timeline(open, &unordered), &[(codes::KEY_ORDER, "root", "frame=\"9\"")]);
    let twice = list(&[curve("HeadYaw", 0, &[5]), curve("HeadYaw", 0, &[6]), curve("HeadYaw", 1, &[7])]);
    expect(&timeline(open, &twice), &[(codes::SHARED_JOINT, "root", "HeadYaw")]);
    let late = list(&[curve("HeadYaw", 0, &[50])]);
    expect(&timeline("end_frame=\"20\"", &late), &[(codes::NEVER_REACHED, "root", "<Timeline")]);
    expect(&timeline("end_frame=\"0\"", ""), &[(codes::NEVER_REACHED, "root", "<Timeline")]);
    let still = timeline(open, &late).replace("fps=\"25\"", "fps=\"0\"");
    expect(&still, &[(codes::BAD_FPS, "root", "fps=\"0\"")]);
    let off = timeline(open, &late).replace("enable=\"1\"", "enable=\"0\"");
    expect(&off, &[(codes::IDLE_TIMELINE, "root", "<Timeline")]);
    let keyframes = r#"<BehaviorLayer name="l"><BehaviorKeyframe name="a" index="1"/><BehaviorKeyframe name="a" index="9"/>
        <BehaviorKeyframe name="b" index="9"/><BehaviorKeyframe name="c" index="60"/></BehaviorLayer>"#;
    let want = [
        (codes::SHARED_KEYFRAME_NAME, "root", "index=\"9\""),
        (codes::SHARED_FRAME, "root", "name=\"b\""),
        (codes::NEVER_REACHED, "root", "name=\"c\""),
    ];
    expect(&timeline("end_frame=\"50\"", keyframes), &want);
}

#[test]
fn files_are_looked_for() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check-files");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("project/dance/sounds")).unwrap();
    std::fs::create_dir_all(folder.join("project/topic")).unwrap();
    for path in ["project/p.pml", "project/dance/sounds/a.wav", "project/topic/t.dlg", "other.dlg"] {
        std::fs::write(folder.join(path), "").unwrap();
    }
    let seen = |inside: &str| {
        let context = Context { folder: Some(&folder.join("project/dance")), ..Context::default() };
        let found = check(&file(inside), &context);
        let of_dialogs = found.dialogs.iter().map(|found| found.finding.code);
        found.behavior.iter().map(|d| d.code).chain(of_dialogs).collect::<Vec<_>>()
    };
    assert_eq!(seen(&parameter("f", 4, "/sounds/a.wav", "custom_choice=\"1\"")), []);
    assert_eq!(seen(&parameter("f", 4, "", "custom_choice=\"1\"")), []);
    assert_eq!(seen(&parameter("f", 4, "/sounds/b.wav", "custom_choice=\"1\"")), [codes::MISSING_ATTACHMENT]);
    let help = |inside: &str| {
        let context = Context { folder: Some(&folder.join("project/dance")), ..Context::default() };
        check(&file(inside), &context).behavior[0].help.clone()
    };
    // Robots' file systems are case-sensitive, whatever the file system of this test is.
    let capitals = parameter("f", 4, "/sounds/A.wav", "custom_choice=\"1\"");
    assert_eq!(seen(&capitals), [codes::MISSING_ATTACHMENT]);
    assert_eq!(help(&capitals).as_deref(), Some("there is `sounds/a.wav`"));
    assert_eq!(help(&parameter("f", 4, "/a.WAV", "custom_choice=\"1\"")).as_deref(), Some("there is `sounds/a.wav`"));
    assert_eq!(help(&parameter("f", 4, "/b.wav", "custom_choice=\"1\"")), None);
    assert_eq!(seen("<dialogFile>../topic/u.dlg</dialogFile>"), [codes::MISSING_DIALOG]);
    assert_eq!(seen("<dialogFile>../../other.dlg</dialogFile>"), [codes::PATH_ESCAPES]);
    // The contents of a dialog are reported with the box, unless they are reported with the project.
    let dialog = "<dialogFile>../topic/t.dlg</dialogFile>";
    assert_eq!(seen(dialog), [codes::BAD_CONTENT, codes::BAD_CONTENT]);
    std::fs::write(folder.join("project/topic/t.dlg"), "multilanguage:t\nenu:t_enu.top\n").unwrap();
    assert_eq!(seen(dialog), [codes::MISSING_TOPIC]);
    let listed = [folder.join("project/topic/t.dlg").canonicalize().unwrap()];
    let context = Context { folder: Some(&folder.join("project/dance")), dialogs: &listed, ..Context::default() };
    let found = check(&file(dialog), &context);
    assert!(found.behavior.is_empty() && found.dialogs.is_empty(), "{found:?}");
    std::fs::write(folder.join("project/topic/t_enu.top"), "topic: ~t()\nlanguage: enu\n").unwrap();
    assert_eq!(seen(dialog), []);
}

#[test]
fn people_and_programs_get_the_same() {
    let file = file(&diagram(&link(7, 2, 0, 2)));
    let found = check(&file, &Context::default()).behavior;
    let shown = render(&found[0], &file.sources, false);
    let want = r#"error[BS0600]: the link ends at box 7, which is not in the diagram
 --> test.xar:8:1
  |
8 | <Link inputowner="7" indexofinput="2" outputowner="0" indexofoutput="2"/>
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  |
  = box: root
  = help: the link carries nothing; remove it or draw it again"#;
    assert_eq!(shown, want);
    let json = to_json(&found[0], &file.sources, "");
    assert_eq!((json["code"].as_str(), json["name"].as_str()), (Some("BS0600"), Some("dangling-link")));
    assert_eq!(
        (json["line"].as_u64(), json["column"].as_u64(), json["end_column"].as_u64()),
        (Some(8), Some(1), Some(74))
    );
    assert_eq!((json["file"].as_str(), json["box"].as_str()), (Some("test.xar"), Some("root")));
}

/// Set `BOXSTEP_CORPUS` to a folder of real files, or put it beside the repository as `../shared/corpus`.
#[test]
fn every_real_file_can_be_checked_and_shown() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        return println!("skipped: there is no folder of real files at {}", folder.display());
    }
    let mut waiting = vec![folder];
    let mut counts = std::collections::BTreeMap::<&str, (usize, String)>::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).unwrap().map(|e| e.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "xar") {
            let name = path.to_string_lossy();
            let file = read_xar(&name, &std::fs::read(&path).unwrap(), &Limits::default()).unwrap();
            let context = Context { folder: path.parent(), body: Some(BodyKind::Pepper.body()), ..Context::default() };
            for d in check(&file, &context).behavior {
                let entry = counts.entry(d.code.name).or_default();
                entry.0 += 1;
                entry.1 = render(&d, &file.sources, false);
                assert!(entry.1.contains("-->"), "{}", entry.1);
            }
        }
    }
    for (name, (count, last)) in counts {
        println!("{count} {name}, such as\n{last}\n");
    }
}
