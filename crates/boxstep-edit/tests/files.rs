//! What edits write into files that are not as Choregraphe writes them.

use super::operations::apply;
use super::{TWO, document, op, path};
use boxstep_edit::{NewBox, Op};
use boxstep_format::paths::find;

/// A timeline box instead of Count.
fn with_timeline(inside: &str) -> String {
    let end = r#"tooltip="" id="4" />
                        </Box>
                        <Link"#;
    let timeline = format!(
        "tooltip=\"\" id=\"4\" />\n<Timeline enable=\"1\" fps=\"25\" size=\"300\">\n{inside}</Timeline>\n</Box>\n                        <Link"
    );
    let text = TWO.replace(end, &timeline);
    assert_ne!(text, TWO);
    text
}

#[test]
fn a_keyframe_without_a_diagram_gets_one() {
    let text =
        with_timeline("<BehaviorLayer name=\"l\">\n<BehaviorKeyframe name=\"k\" index=\"1\"/>\n</BehaviorLayer>\n");
    let mut document = document(&text);
    apply(&mut document, r#"{"op": "set_tooltip", "box": "Count", "tooltip": "x"}"#);
    assert!(document.file().text().contains("<BehaviorKeyframe name=\"k\" index=\"1\"/>"));
    apply(&mut document, r#"{"op": "add", "diagram": "Count", "add": {"empty": "script"}, "name": "New"}"#);
    assert!(find(&document.file().project, &path("root/Count/New")).is_ok(), "{}", document.file().text());
}

#[test]
fn keys_keep_what_is_unknown_when_they_move() {
    let text = with_timeline(
        "<ActuatorList model=\"\">\n<ActuatorCurve name=\"value\" actuator=\"HeadYaw\" mute=\"0\" unit=\"0\">
    <Key frame=\"5\" value=\"1\" mystery=\"yes\">\n        <!-- slow -->\n        <Tangent side=\"left\" interpType=\"linear\" abscissaParam=\"-1\" ordinateParam=\"0\" />\n    </Key>
    <Key frame=\"9\" value=\"2\" />\n</ActuatorCurve>\n</ActuatorList>\n",
    );
    let mut document = document(&text);
    apply(
        &mut document,
        r#"{"op": "move_keys", "box": "Count", "keys": [{"joint": "HeadYaw", "frame": 5}], "frames": 10, "value": 3}"#,
    );
    let after = document.file().text();
    assert!(after.contains("<Key frame=\"15\" value=\"4\" mystery=\"yes\">\n        <!-- slow -->\n"), "{after}");
    assert!(after.find("frame=\"9\"") < after.find("frame=\"15\""), "{after}");
    document.undo().unwrap();
    assert_eq!(document.file().text(), text);
}

#[test]
fn a_tangent_takes_the_place_of_an_invalid_one() {
    let text = with_timeline(
        "<ActuatorList model=\"\">\n<ActuatorCurve name=\"value\" actuator=\"HeadYaw\" mute=\"0\" unit=\"0\">
    <Key frame=\"5\" value=\"1\"><Tangent side=\"left\" interpType=\"odd\" abscissaParam=\"x\" ordinateParam=\"0\" /></Key>\n</ActuatorCurve>\n</ActuatorList>\n",
    );
    let mut document = document(&text);
    apply(
        &mut document,
        r#"{"op": "set_tangent", "box": "Count", "joint": "HeadYaw", "frame": 5, "side": "left",
            "tangent": {"interpolation": "linear", "frames": -2, "value": 1}}"#,
    );
    let after = document.file().text();
    let at = find(&document.file().project, &path("root/Count")).unwrap();
    let key = &at.def.timeline.as_ref().unwrap().actuators.as_ref().unwrap().curves[0].keys[0];
    assert_eq!(key.left.as_ref().map(|left| left.abscissa), Some(-2.0), "{after}");
    assert_eq!(after.matches("<Tangent").count(), 1, "{after}");
}

#[test]
fn a_script_is_a_section_whatever_it_was() {
    let set = r#"{"op": "set_script", "box": "Count", "script": "a = 1\nb = 2"}"#;
    for (content, wanted) in [
        ("<content>old\ntext</content>", "<content><![CDATA[a = 1\nb = 2]]></content>"),
        ("<Content>old</Content>", "<Content><![CDATA[a = 1\nb = 2]]></Content>"),
        ("<content>stray<![CDATA[old]]></content>", "<content><![CDATA[a = 1\nb = 2]]></content>"),
        (
            "<content><![CDATA[o]]><!-- mine --><![CDATA[ld]]></content>",
            "<content><![CDATA[a = 1\nb = 2]]><!-- mine --></content>",
        ),
    ] {
        let input = r#"<Input name="onLoad""#;
        let script = format!(r#"<script language="4">{content}</script>{input}"#);
        let mut document = document(&TWO.replace(input, &script));
        apply(&mut document, set);
        assert!(document.file().text().contains(wanted), "{content}: {}", document.file().text());
        let at = find(&document.file().project, &path("root/Count")).unwrap();
        assert_eq!(&*at.def.script.as_ref().unwrap().text, "a = 1\nb = 2");
    }
}

#[test]
fn what_is_added_has_the_line_ends_of_the_file() {
    let crlf = TWO.replace('\n', "\r\n");
    let mut document = document(&crlf);
    let clip = boxstep_edit::copied(super::document(TWO).file(), &[path("root/Say")]).unwrap();
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}}"#);
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"library": "Wait"}}"#);
    document.apply("", None, &[Op::Paste { diagram: path("root"), clip, x: None, y: None }]).unwrap();
    let text = document.file().text();
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
}

#[test]
fn a_text_that_declares_an_encoding_is_decoded_already() {
    let other = r#"<?xml version="1.0" encoding="ISO-8859-1" ?><ChoregrapheBox xar_version="3"><Box name="Café" id="9"/></ChoregrapheBox>"#;
    let mut document = document(TWO);
    let add = Op::Add { diagram: path("root"), add: NewBox::Xar(other.to_owned()), name: None, x: 0.0, y: 0.0 };
    document.apply("", None, &[add, op(r#"{"op": "set_tooltip", "box": "root/Café", "tooltip": "x"}"#)]).unwrap();
}
