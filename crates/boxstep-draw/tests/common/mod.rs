//! Helpers of the tests of drawings.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used)]

use boxstep_bodies::{Body, BodyKind};
use boxstep_format::{Limits, XarFile, read_xar};
use std::path::{Path, PathBuf};

pub fn nao() -> &'static Body {
    BodyKind::Nao.body()
}

pub fn read(text: &str) -> XarFile {
    read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap()
}

pub fn fixture(name: &str) -> XarFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviors").join(name);
    read_xar(name, &std::fs::read(path).unwrap(), &Limits::default()).unwrap()
}

/// Checks that a text is XML in which every element is closed and every text can be decoded.
#[track_caller]
pub fn well_formed(xml: &str) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut depth = 0_i32;
    loop {
        let event = reader.read_event().unwrap_or_else(|e| panic!("{e} at {}", reader.buffer_position()));
        match &event {
            Event::Eof => break,
            Event::Start(e) | Event::Empty(e) => {
                for a in e.attributes() {
                    let a = a.expect("an attribute");
                    quick_xml::escape::unescape(&a.value).expect("an attribute's text");
                }
                depth += i32::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::GeneralRef(r) => {
                quick_xml::escape::unescape(&format!("&{};", &**r)).expect("an entity");
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    let bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{7f}'..='\u{9f}');
    assert!(!xml.contains(bad), "characters that XML does not have");
    assert!(!xml.contains("NaN") && !xml.contains("=\"inf"), "numbers that are none");
}

/// Checks that no drawing or table can make a page wider than the window.
#[track_caller]
pub fn nothing_is_wide(html: &str) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(html);
    let (mut open, mut seen) = (Vec::new(), 0);
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(e) => {
                let class = e.try_get_attribute("class").unwrap().map(|c| c.value.to_string());
                let class = class.unwrap_or_default();
                let is_wide = matches!(e.name().as_ref(), "svg" | "table");
                let scrolls = open.iter().any(|c: &String| c.split(' ').any(|word| word == "scroll"));
                assert!(!is_wide || scrolls, "not in .scroll: {}", &*e);
                seen += i32::from(is_wide);
                open.push(class);
            }
            Event::End(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    assert!(seen > 0);
    for rule in ["minmax(420px", "td{overflow-wrap:anywhere", ".pair .bx{"] {
        assert!(!html.contains(rule), "{rule}");
    }
}

/// Compares a text with a golden file; `BOXSTEP_BLESS=1` rewrites the file.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(want == text, "{name} is not as it was (BOXSTEP_BLESS=1 writes it anew; look at it first)\n{text}");
}

/// Returns the real files of the corpus, if it is available.
pub fn corpus() -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().flatten().map(|e| e.into_path());
    let files: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "xar")).collect();
    if files.is_empty() {
        eprintln!("skipped: there is no folder of real files at {}", folder.display());
        return None;
    }
    Some(files)
}

/// A behavior with every attribute in the model.
pub const EVERYTHING: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1" localization="8" tooltip="t" x="1" y="2" plugin="p" robot="nao" bitmap_expanded="1">
<bitmap>a.png</bitmap><script language="4"><content><![CDATA[pass]]></content></script><pluginContent><a b="c"/></pluginContent><dialogFile>d.dlg</dialogFile>
<Input name="in" type="1" type_size="1" nature="4" inner="0" stm_value_name="K" tooltip="t" id="1"/><Output name="out" type="1" type_size="1" nature="1" inner="0" tooltip="t" id="2"/>
<Parameter name="P" inherits_from_parent="0" content_type="3" value="v" default_value="d" custom_choice="0" password="0" tooltip="t" id="3"><Choice value="c"/></Parameter>
<Parameter name="N" inherits_from_parent="0" content_type="1" value="5" default_value="5" min="0" max="9" tooltip="" id="4"/>
<Resource name="R" type="Lock" timeout="1"/>
<Timeline enable="1" fps="25" start_frame="1" end_frame="9" size="300" resources_acquisition="0" scale="15"><ActuatorList model="nao">
<ActuatorCurve name="value" actuator="HeadYaw" recordable="1" mute="0" alwaysVisible="0" unit="0"><Key frame="3" value="4" smooth="1" symmetrical="0"><Tangent side="left" interpType="bezier" abscissaParam="-1" ordinateParam="2"/></Key></ActuatorCurve></ActuatorList>
<BehaviorLayer name="L" mute="0"><BehaviorKeyframe name="K" index="1" bitmap="k.png"><Diagram scale="100"><Box name="B" id="1" x="0" y="0"/><Link inputowner="1" indexofinput="9" outputowner="1" indexofoutput="9"/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>
<Resource name="Top" type="Lock" timeout="1"/></ChoregrapheProject>"#;

/// Edits of [`EVERYTHING`], one per attribute.
pub const EDITS: &[(&str, &str)] = &[
    ("xar_version=\"3\"", ""),
    ("name=\"root\"", "name=\"boot\""),
    ("id=\"-1\"", "id=\"5\""),
    ("localization=\"8\"", "localization=\"3\""),
    ("tooltip=\"t\" x", "tooltip=\"u\" x"),
    ("x=\"1\"", "x=\"1.0001\""),
    ("y=\"2\"", "y=\"3\""),
    ("plugin=\"p\"", ""),
    ("robot=\"nao\"", "robot=\"\""),
    ("bitmap_expanded=\"1\"", "bitmap_expanded=\"0\""),
    ("a.png", "b.png"),
    ("language=\"4\"", "language=\"6\""),
    ("pass", "pass "),
    ("<a b=\"c\"/>", "<a b=\"d\"/>"),
    ("d.dlg", "e.dlg"),
    ("type_size=\"1\" nature=\"4\"", "type_size=\"2\" nature=\"4\""),
    ("nature=\"4\"", "nature=\"2\""),
    ("inner=\"0\" stm", "inner=\"1\" stm"),
    ("stm_value_name=\"K\"", "stm_value_name=\"J\""),
    ("tooltip=\"t\" id=\"1\"", "tooltip=\"u\" id=\"1\""),
    ("id=\"1\"/><Output", "id=\"8\"/><Output"),
    ("nature=\"1\"", "nature=\"2\""),
    ("tooltip=\"t\" id=\"2\"", "tooltip=\"t\" id=\"7\""),
    ("inherits_from_parent=\"0\"", "inherits_from_parent=\"1\""),
    ("content_type=\"3\"", "content_type=\"5\""),
    ("default_value=\"d\"", "default_value=\"e\""),
    ("custom_choice=\"0\"", "custom_choice=\"1\""),
    ("password=\"0\"", "password=\"1\""),
    ("<Choice value=\"c\"/>", ""),
    ("min=\"0\"", "min=\"-1\""),
    ("max=\"9\"", "max=\"10\""),
    ("name=\"R\" type=\"Lock\"", "name=\"R\" type=\"Stop on demand\""),
    ("enable=\"1\"", "enable=\"0\""),
    ("start_frame=\"1\"", "start_frame=\"2\""),
    ("end_frame=\"9\"", "end_frame=\"-1\""),
    ("size=\"300\"", "size=\"200\""),
    ("resources_acquisition=\"0\"", "resources_acquisition=\"1\""),
    ("scale=\"15\"", "scale=\"16\""),
    ("model=\"nao\"", "model=\"\""),
    ("recordable=\"1\"", "recordable=\"0\""),
    ("mute=\"0\" always", "mute=\"1\" always"),
    ("alwaysVisible=\"0\"", "alwaysVisible=\"1\""),
    ("unit=\"0\"", "unit=\"1\""),
    ("value=\"4\"", "value=\"4.00001\""),
    ("smooth=\"1\"", "smooth=\"0\""),
    ("symmetrical=\"0\"", "symmetrical=\"1\""),
    ("interpType=\"bezier\"", "interpType=\"linear\""),
    ("abscissaParam=\"-1\"", "abscissaParam=\"-2\""),
    ("ordinateParam=\"2\"", "ordinateParam=\"1\""),
    ("name=\"L\" mute=\"0\"", "name=\"L\" mute=\"1\""),
    ("index=\"1\"", "index=\"2\""),
    ("k.png", "l.png"),
    ("Diagram scale=\"100\"", "Diagram scale=\"90\""),
    ("indexofinput=\"9\"", "indexofinput=\"8\""),
    ("name=\"Top\" type=\"Lock\" timeout=\"1\"", "name=\"Top\" type=\"Lock\" timeout=\"2\""),
];
