//! Writing: byte for byte, from the model, in canonical layout, and edits that change only the lines they concern.

use boxstep_format::raw::RawNode;
use boxstep_format::testing::{assert_same, project, small_project};
use boxstep_format::write::{At, Copies, Edits, WriteError, write_xar};
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::Span;
use proptest::prelude::*;
use std::path::Path;

fn read(bytes: &[u8]) -> XarFile {
    read_xar("x.xar", bytes, &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn fixtures() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut all: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "xar"))
        .map(|p| (p.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&p).unwrap()))
        .collect();
    all.sort();
    assert!(all.len() > 50);
    all
}

fn find<'a>(file: &'a XarFile, name: &str, nth: usize) -> RawNode<'a> {
    file.raw().all().filter(|n| n.name() == name).nth(nth).unwrap()
}

/// Returns the file after an edit, as text.
fn edited<'a>(file: &'a XarFile, edit: impl FnOnce(&mut Edits<'a>)) -> String {
    let mut edits = file.edits();
    edit(&mut edits);
    let new = file.edited(edits, &Limits::default()).unwrap();
    String::from_utf8(new.to_bytes()).unwrap()
}

#[test]
fn every_fixture_that_reads_is_written_back_to_the_byte() {
    let mut read = 0;
    for (name, bytes) in fixtures() {
        let Ok(file) = read_xar(&name, &bytes, &Limits::default()) else { continue };
        assert_eq!(file.to_bytes(), bytes, "{name}");
        read += 1;
    }
    assert!(read > 40, "{read}");
}

#[test]
fn every_fixture_survives_the_model() {
    for (name, bytes) in fixtures() {
        let Ok(file) = read_xar(&name, &bytes, &Limits::default()) else { continue };
        let text = write_xar(&file.project, &file.sources).unwrap_or_else(|e| panic!("{name}: {e}"));
        let again = read_xar(&name, text.as_bytes(), &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        assert_same((&file.project, &file.sources), (&again.project, &again.sources));
        assert_eq!(write_xar(&again.project, &again.sources).unwrap(), text, "{name}");
    }
}

#[test]
fn the_canonical_layout_of_every_fixture_says_the_same_and_stays() {
    for (name, bytes) in fixtures() {
        let Ok(file) = read_xar(&name, &bytes, &Limits::default()) else { continue };
        let laid_out = file.formatted(&Limits::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_same((&file.project, &file.sources), (&laid_out.project, &laid_out.sources));
        let again = laid_out.formatted(&Limits::default()).unwrap();
        assert_eq!(again.text(), laid_out.text(), "{name}");
        let kinds = |f: &XarFile| {
            let all = f.raw().all();
            all.map(|n| (n.kind(), n.name().to_owned(), n.attributes().count())).collect::<Vec<_>>()
        };
        let (before, mut after) = (kinds(&file), kinds(&laid_out));
        if !file.text().starts_with("<?xml") {
            after.remove(0);
        }
        assert_eq!(before, after, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_model_reads_back_equal((model, sources) in project()) {
        let text = write_xar(&model, &sources).unwrap();
        let file = read(text.as_bytes());
        assert_same((&model, &sources), (&file.project, &file.sources));
    }

    /// So each model has exactly one canonical text.
    #[test]
    fn what_the_model_writes_is_in_canonical_layout((model, sources) in small_project()) {
        let text = write_xar(&model, &sources).unwrap();
        let file = read(text.as_bytes());
        let laid_out = file.formatted(&Limits::default()).unwrap();
        prop_assert_eq!(laid_out.text(), text.as_str());
    }

    #[test]
    fn any_text_can_be_set_as_attribute_and_as_script(value in "\\PC*", script in "[\\PC\n\r\t]*") {
        let file = read(FLOW.as_bytes());
        let mut edits = file.edits();
        edits.set_attribute(find(&file, "Box", 1), "name", &value);
        edits.set_text(find(&file, "content", 0), &script);
        let new = file.edited(edits, &Limits::default()).unwrap();
        let inner = &new.project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram.boxes[0];
        prop_assert_eq!(&*inner.name, value.as_str());
        prop_assert_eq!(&*new.project.root.script.as_ref().unwrap().text, script.as_str());
    }
}

const FLOW: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xar_version="3">
    <Box name="root" id="-1" tooltip="" x="0" y="0">
        <bitmap>media/images/box/root.png</bitmap>
        <script language="4">
            <content>
                <![CDATA[pass]]>
</content>
        </script>
        <Timeline enable="0">
            <BehaviorLayer name="behavior_layer1">
                <BehaviorKeyframe name="keyframe1" index="1">
                    <Diagram>
                        <Box name="Say" id="1" tooltip="" x="1" y="2" />
                        <Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />
                    </Diagram>
                </BehaviorKeyframe>
            </BehaviorLayer>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#;

/// Returns the lines that only one of two texts has.
fn changed(before: &str, after: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (lines(before), lines(after));
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let tail = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    (a[..a.len() - tail].to_vec(), b[..b.len() - tail].to_vec())
}

#[test]
fn a_changed_attribute_changes_its_own_line() {
    let file = read(FLOW.as_bytes());
    let new = edited(&file, |e| e.set_attribute(find(&file, "Box", 1), "tooltip", "a \"b\" & <c>\n"));
    let (old, new) = changed(FLOW, &new);
    assert_eq!(old, ["                        <Box name=\"Say\" id=\"1\" tooltip=\"\" x=\"1\" y=\"2\" />\n"]);
    let tooltip = "a &quot;b&quot; &amp; &lt;c&gt;&#x0A;";
    assert_eq!(
        new,
        [format!("                        <Box name=\"Say\" id=\"1\" tooltip=\"{tooltip}\" x=\"1\" y=\"2\" />\n")]
    );
}

#[test]
fn a_new_attribute_stands_where_the_editor_writes_it() {
    let file = read(FLOW.as_bytes());
    let new = edited(&file, |e| {
        e.set_attribute(find(&file, "Box", 1), "localization", "8");
        e.set_attribute(find(&file, "Diagram", 0), "scale", "100");
        e.set_attribute(find(&file, "Timeline", 0), "own", "1");
    });
    assert!(new.contains(r#"<Box name="Say" id="1" localization="8" tooltip="" x="1" y="2" />"#), "{new}");
    assert!(new.contains(r#"<Diagram scale="100">"#) && new.contains(r#"<Timeline enable="0" own="1">"#), "{new}");
    let file = read(new.as_bytes());
    let back = edited(&file, |e| {
        e.remove_attribute(find(&file, "Box", 1), "localization");
        e.remove_attribute(find(&file, "Diagram", 0), "scale");
        e.remove_attribute(find(&file, "Timeline", 0), "own");
        e.remove_attribute(find(&file, "Timeline", 0), "absent");
    });
    assert_eq!(back, FLOW);
}

#[test]
fn a_changed_script_changes_its_own_lines() {
    let file = read(FLOW.as_bytes());
    let new = edited(&file, |e| e.set_text(find(&file, "content", 0), "a = '<'\nb = a[a[0]]>1\n"));
    let (old, new) = changed(FLOW, &new);
    assert_eq!(old, ["                <![CDATA[pass]]>\n"]);
    assert_eq!(new, ["                <![CDATA[a = '<'\n", "b = a[a[0]]]]><![CDATA[>1\n", "]]>\n"]);
}

#[test]
fn inserted_and_removed_elements_are_lines_of_their_own() {
    let file = read(FLOW.as_bytes());
    let link = |p: &mut boxstep_format::write::Printer| {
        p.start("Link");
        p.number("inputowner", 0);
        p.end();
    };
    let line = "                        <Link inputowner=\"0\" />\n";
    let places: [(At<'_>, &str); 4] = [
        (At::Start(find(&file, "Diagram", 0)), "                        <Box name=\"Say\""),
        (At::End(find(&file, "Diagram", 0)), "                    </Diagram>"),
        (At::Before(find(&file, "Link", 0)), "                        <Link inputowner=\"1\""),
        (At::After(find(&file, "Box", 1)), "                        <Link inputowner=\"1\""),
    ];
    for (at, before) in places {
        let new = edited(&file, |e| e.insert(at, link));
        assert_eq!(new, FLOW.replace(before, &format!("{line}{before}")), "{at:?}");
        let file = read(new.as_bytes());
        let added = file.raw().all().find(|n| n.name() == "Link" && n.attributes().count() == 1).unwrap();
        assert_eq!(edited(&file, |e| e.remove(added)), FLOW, "{at:?}");
    }
}

#[test]
fn an_element_without_inside_gets_one() {
    let file = read(FLOW.as_bytes());
    let new = edited(&file, |e| {
        e.insert(At::End(find(&file, "Box", 1)), |p| {
            p.start("script");
            p.number("language", 4);
            p.start("content");
            p.section("x");
            p.end();
            p.end();
        });
    });
    let (_, new) = changed(FLOW, &new);
    let indent = " ".repeat(24);
    assert_eq!(
        new.concat(),
        format!(
            "{indent}<Box name=\"Say\" id=\"1\" tooltip=\"\" x=\"1\" y=\"2\">\n{indent}    <script language=\"4\">\n\
             {indent}        <content>\n{indent}            <![CDATA[x]]>\n</content>\n{indent}    </script>\n{indent}</Box>\n"
        )
    );
    let file = read(FLOW.replace("<![CDATA[pass]]>", "").as_bytes());
    let new = edited(&file, |e| e.set_text(find(&file, "content", 0), "y"));
    assert_eq!(&*read(new.as_bytes()).project.root.script.unwrap().text, "y");
}

#[test]
fn line_ends_and_indentation_are_the_neighbours() {
    let crlf = FLOW.replace('\n', "\r\n").replace("    ", "\t");
    let file = read(crlf.as_bytes());
    let new = edited(&file, |e| {
        e.insert(At::End(find(&file, "Box", 1)), |p| p.text_element("bitmap", "a.png"));
    });
    let tabs = "\t".repeat(6);
    let (_, new) = changed(&crlf, &new);
    let tag = "<Box name=\"Say\" id=\"1\" tooltip=\"\" x=\"1\" y=\"2\">";
    assert_eq!(new.concat(), format!("{tabs}{tag}\r\n{tabs}\t<bitmap>a.png</bitmap>\r\n{tabs}</Box>\r\n"));
}

#[test]
fn a_file_on_one_line_stays_on_one_line() {
    let one =
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><bitmap>a</bitmap></Box></ChoregrapheProject>"#;
    let file = read(one.as_bytes());
    let new = edited(&file, |e| {
        e.insert(At::End(find(&file, "Box", 0)), |p| {
            p.start("script");
            p.start("content");
            p.section("x");
            p.end();
            p.end();
        });
    });
    let script = "<script><content><![CDATA[x]]></content></script></Box>";
    assert_eq!(new, one.replace("</Box>", script));
}

#[test]
fn a_timeline_gets_other_frames_and_curves() {
    let text = r#"<ChoregrapheProject xar_version="3">
    <Box name="root" id="-1">
        <Timeline enable="1" fps="25" end_frame="50">
            <BehaviorLayer name="l"><BehaviorKeyframe name="k" index="20" own="1"><Diagram/></BehaviorKeyframe></BehaviorLayer>
            <StateMachine><State Name="s" begin="20" end="50"/></StateMachine>
            <ActuatorList model="">
                <ActuatorCurve name="value" actuator="A" mute="0"><Key frame="20" value="1.50"/></ActuatorCurve>
                <ActuatorCurve name="value" actuator="B" mute="0" unit="0"><Key frame="20" value="2"/><!-- kept --></ActuatorCurve>
            </ActuatorList>
        </Timeline>
    </Box>
</ChoregrapheProject>
"#;
    let file = read(text.as_bytes());
    let old = file.project.root.timeline.as_ref().unwrap();
    let mut new = old.clone();
    new.end_frame = Some(60);
    new.layers[0].keyframes[0].index = 25;
    let state = &mut new.machine.as_mut().unwrap().states[0];
    (state.begin, state.end) = (Some(25), Some(60));
    let list = new.actuators.as_mut().unwrap();
    list.model = "other".to_owned();
    list.curves.remove(0);
    list.curves[0].actuator = "C".into();
    list.curves[0].keys[0].frame = 25;
    let mut added = list.curves[0].clone();
    added.actuator = "D".into();
    added.span = Span::default();
    list.curves.push(added);
    let copies = Copies::new(&file, &[]);
    let written = edited(&file, |edits| edits.set_timeline(old, &new, &copies));
    assert!(written.contains(r#"index="25" own="1""#), "{written}");
    assert!(written.contains(r#"<Key frame="25" value="2"/><!-- kept -->"#), "{written}");
    let read = read(written.as_bytes()).project.root.timeline.unwrap();
    let joints: Vec<_> = read.actuators.unwrap().curves.iter().map(|curve| curve.actuator.to_string()).collect();
    assert_eq!(joints, ["C", "D"]);
    assert_eq!((read.end_frame, read.layers[0].keyframes[0].index), (Some(60), 25));
    assert_eq!(read.machine.unwrap().states[0].begin, Some(25));
    let mut nowhere = old.clone();
    nowhere.actuators.as_mut().unwrap().curves[0].keys[0].value = f64::NAN;
    let mut edits = file.edits();
    edits.set_timeline(old, &nowhere, &copies);
    assert!(matches!(file.edited(edits, &Limits::default()), Err(WriteError::NotFinite(_))));
}

#[test]
fn two_changes_of_one_place_are_refused() {
    let file = read(FLOW.as_bytes());
    let mut edits = file.edits();
    edits.remove(find(&file, "Diagram", 0));
    edits.set_attribute(find(&file, "Box", 1), "name", "x");
    assert!(matches!(file.edited(edits, &Limits::default()), Err(WriteError::Overlap(_))));
}

#[test]
fn what_no_file_can_say_is_refused() {
    let file = read(FLOW.as_bytes());
    let mut edits = file.edits();
    edits.set_attribute(find(&file, "Box", 1), "name", "\u{1}");
    assert!(matches!(file.edited(edits, &Limits::default()), Err(WriteError::Character('\u{1}', _))));
    let mut project = file.project.clone();
    project.root.x = f64::NAN;
    assert!(matches!(write_xar(&project, &file.sources), Err(WriteError::NotFinite(_))));
    project = file.project.clone();
    project.root.tooltip = "\u{FFFE}".into();
    assert!(matches!(write_xar(&project, &file.sources), Err(WriteError::Character('\u{FFFE}', _))));
    let mut edits = file.edits();
    edits.insert(At::End(find(&file, "Diagram", 0)), |p| p.comment("a -- b"));
    assert!(matches!(file.edited(edits, &Limits::default()), Err(WriteError::Comment)));
    let mut edits = file.edits();
    edits.remove(find(&file, "Box", 0));
    assert!(matches!(file.edited(edits, &Limits::default()), Err(WriteError::Unreadable(_))));
}

fn in_encoding(label: &str) -> String {
    FLOW.replace("UTF-8", label).replace("Say", "Sé")
}

#[test]
fn an_edit_is_written_in_the_declared_encoding() {
    let text = in_encoding("ISO-8859-1");
    let (bytes, ..) = encoding_rs::WINDOWS_1252.encode(&text);
    let file = read(&bytes);
    assert_eq!(file.to_bytes(), *bytes);
    let mut edits = file.edits();
    edits.set_attribute(find(&file, "Box", 1), "tooltip", "ü ☃");
    let new = file.edited(edits, &Limits::default()).unwrap().to_bytes();
    let tooltip = text.replace("id=\"1\" tooltip=\"\"", "id=\"1\" tooltip=\"ü &#x2603;\"");
    assert_eq!(new, *encoding_rs::WINDOWS_1252.encode(&tooltip).0);
    assert_eq!(read(&new).project.root.timeline.unwrap().layers[0].keyframes[0].diagram.boxes[0].tooltip, "ü ☃");
    let mut edits = file.edits();
    edits.set_text(find(&file, "content", 0), "print('☃')");
    let Err(WriteError::Unencodable { character, encoding, at }) = file.edited(edits, &Limits::default()) else {
        panic!("a CDATA section knows no references")
    };
    assert_eq!((character, encoding, at.end - at.start), ('☃', "windows-1252", 3));
}

#[test]
fn marks_and_utf16_come_back() {
    let mut marked = b"\xEF\xBB\xBF".to_vec();
    marked.extend(FLOW.as_bytes());
    let file = read(&marked);
    let new = edited(&file, |e| e.set_attribute(find(&file, "Box", 1), "x", "7"));
    assert_eq!(new.as_bytes()[3..], *FLOW.replace(" x=\"1\"", " x=\"7\"").as_bytes());
    for mark in ["\u{FEFF}", ""] {
        let text = format!("{mark}{}", in_encoding("UTF-16"));
        for bytes in [
            text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>(),
            text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
        ] {
            let file = read(&bytes);
            assert_eq!(file.to_bytes(), bytes);
            assert_eq!(file.edited(file.edits(), &Limits::default()).unwrap().to_bytes(), bytes);
        }
    }
}
