//! What operations do to a file, and what they refuse.

use super::{TWO, document, op, path};
use boxstep_edit::{Document, Op, copied, said};
use boxstep_format::resolve::resolve;

pub(super) fn apply(document: &mut Document, json: &str) {
    document.apply("", None, &[op(json)]).unwrap_or_else(|e| panic!("{json}: {e}"));
}

/// Returns the lines that are only in the old text, and those that are only in the new one.
fn difference(old: &str, new: &str) -> (Vec<String>, Vec<String>) {
    let lines = |text: &str| text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let (old, new) = (lines(old), lines(new));
    let only = |a: &[String], b: &[String]| a.iter().filter(|line| !b.contains(line)).cloned().collect();
    (only(&old, &new), only(&new, &old))
}

/// The links of the root's diagram as `from -> to`.
pub(super) fn links(document: &Document) -> Vec<String> {
    let root = &document.file().project.root;
    let diagram = &root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram;
    let name = |end: boxstep_format::resolve::End| {
        let def = end.def(root, diagram).unwrap();
        format!("{}.{}", def.name, end.port().describe(def).1)
    };
    let routes = resolve(root, diagram).into_iter().map(|route| route.unwrap());
    routes.map(|route| format!("{} -> {}", name(route.from), name(route.to))).collect()
}

pub(super) fn refused(json: &str) -> String {
    refused_in(TWO, json)
}

pub(super) fn refused_in(text: &str, json: &str) -> String {
    let mut document = document(text);
    let why = match document.apply("", None, &[op(json)]) {
        Ok(_) => panic!("{json} is done:\n{}", document.file().text()),
        Err(why) => why.to_string(),
    };
    assert_eq!(document.file().text(), text);
    assert_eq!(document.steps().len(), 0);
    why
}

#[test]
fn a_value_changes_its_line_only() {
    let mut document = document(TWO);
    apply(&mut document, r#"{"op": "set_parameter", "box": "root/Say", "parameter": "Speed", "value": "80"}"#);
    let (old, new) = difference(TWO, document.file().text());
    assert_eq!((old.len(), new.len()), (1, 1));
    assert!(new[0].contains(r#"value="80" default_value="100""#), "{new:?}");
    assert!(document.is_changed());
    document.undo().unwrap();
    assert_eq!(document.file().text(), TWO);
    assert!(!document.is_changed() && document.undone().len() == 1);
}

#[test]
fn links_are_drawn_and_removed() {
    let mut document = document(TWO);
    apply(
        &mut document,
        r#"{"op": "connect", "from": {"box": "Count", "port": "onStopped"}, "to": {"box": "root", "port": "onStopped"}}"#,
    );
    apply(
        &mut document,
        r#"{"op": "disconnect", "from": {"box": "Say", "port": "onStopped"}, "to": {"box": "Count", "port": "onStart"}}"#,
    );
    apply(
        &mut document,
        r#"{"op": "connect", "from": {"box": "Say", "port": "said"}, "to": {"box": "Say", "port": "Text"}}"#,
    );
    assert_eq!(
        links(&document),
        ["root.onStart -> Say.onStart", "Count.onStopped -> root.onStopped", "Say.said -> Say.Text"]
    );
    apply(
        &mut document,
        r#"{"op": "connect", "from": {"box": "root", "port": "onStart"}, "to": {"box": "root", "port": "onStopped"}}"#,
    );
    apply(
        &mut document,
        r#"{"op": "order_link", "from": {"box": "root", "port": "onStart"}, "to": {"box": "root", "port": "onStopped"},
            "before": {"box": "Say", "port": "onStart"}}"#,
    );
    assert_eq!(links(&document)[..2], ["root.onStart -> root.onStopped", "root.onStart -> Say.onStart"]);
}

#[test]
fn links_that_carry_nothing_are_refused() {
    let link = |from: (&str, &str), to: (&str, &str)| {
        refused(&format!(
            r#"{{"op": "connect", "from": {{"box": "{}", "port": "{}"}}, "to": {{"box": "{}", "port": "{}"}}}}"#,
            from.0, from.1, to.0, to.1
        ))
    };
    for (why, said) in [
        (link(("Say", "onStopped"), ("Count", "onStart")), "it is there already"),
        (link(("Say", "said"), ("Count", "onNumber")), "of type string does not fit Count.onNumber of type number"),
        (link(("Say", "onStart"), ("Count", "onStart")), "where no link can"),
        (link(("Say", "onStopped"), ("Count", "onLoad")), "can be reached only from inside"),
        (link(("Say", "onStoped"), ("Count", "onStart")), "did you mean `onStopped`?"),
        (link(("Sya", "onStopped"), ("Count", "onStart")), "Sya"),
    ] {
        assert!(why.contains(said), "{why}");
    }
}

#[test]
fn what_cannot_be_done_is_said_by_box() {
    for (json, said) in [
        (r#"{"op": "rename", "box": "Say", "name": "Count"}"#, "root already has a box `Count`"),
        (r#"{"op": "rename", "box": "root", "name": "main"}"#, "root is the behavior itself"),
        (r#"{"op": "rename", "box": "Say", "name": "  "}"#, "a box needs a name"),
        (r#"{"op": "rename", "box": "Say", "name": "a\tb"}"#, "the name of a box is one line of text"),
        (r#"{"op": "rename", "box": "Say", "name": " Count "}"#, "root already has a box `Count`"),
        (r#"{"op": "add_input", "box": "Say", "input": {"name": " \u0000"}}"#, "the name of a input is one line"),
        (r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}, "name": " "}"#, "a box needs a name"),
        (r#"{"op": "move_by", "boxes": ["root"], "dx": 5}"#, "root is the behavior itself"),
        (r#"{"op": "set_parameter", "box": "Say", "parameter": "Speed", "value": "fast"}"#, "`fast` is not an int"),
        (r#"{"op": "set_parameter", "box": "Say", "parameter": "Spead", "value": "1"}"#, "did you mean `Speed`?"),
        (r#"{"op": "remove", "boxes": ["root"]}"#, "root is the behavior itself"),
        (r#"{"op": "remove", "boxes": []}"#, "no box is named"),
        (r#"{"op": "add", "diagram": "Say", "add": {"empty": "script"}}"#, "root/Say has no diagram"),
        (r#"{"op": "add", "diagram": "root", "add": {"xar": "<html/>"}}"#, "this is no box"),
        (r#"{"op": "set_text", "box": "Count", "text": "x"}"#, "says no text"),
        (r#"{"op": "add_curve", "box": "Say", "joint": "HeadYaw"}"#, "Say has no timeline"),
        (r#"{"op": "unwrap", "box": "Say"}"#, "has no diagram"),
        (r#"{"op": "move", "boxes": [{"box": "Say", "x": 1e400, "y": 0}]}"#, "number"),
    ] {
        let Ok(op) = serde_json::from_str::<Op>(json) else { continue };
        let mut document = document(TWO);
        let why = document.apply("", None, &[op]).unwrap_err().to_string();
        assert!(why.contains(said), "{json}: {why}");
        assert_eq!(document.file().text(), TWO);
    }
}

#[test]
fn all_operations_of_a_step_are_done_or_none() {
    let mut document = document(TWO);
    let ops = [op(r#"{"op": "rename", "box": "Say", "name": "Speak"}"#), op(r#"{"op": "remove", "boxes": ["Say"]}"#)];
    assert!(document.apply("", None, &ops).is_err());
    assert_eq!(document.file().text(), TWO);
    document.apply("two", None, &[ops[0].clone(), op(r#"{"op": "remove", "boxes": ["Speak"]}"#)]).unwrap();
    assert_eq!(document.steps().len(), 1);
    document.undo().unwrap();
    assert_eq!(document.file().text(), TWO);
}

#[test]
fn steps_of_a_gesture_are_one() {
    let mut document = document(TWO);
    for x in 1..5 {
        let op = op(&format!(r#"{{"op": "move", "boxes": [{{"box": "Say", "x": {x}, "y": 60}}]}}"#));
        document.apply("move Say", Some("drag 1"), &[op]).unwrap();
    }
    assert_eq!(document.steps().len(), 1);
    document.undo().unwrap();
    assert_eq!(document.file().text(), TWO);
    document.redo().unwrap();
    assert!(document.file().text().contains(r#"x="4" y="60""#));
    // A step that was saved is one that undo leads back to.
    document.set_saved();
    let op = op(r#"{"op": "move", "boxes": [{"box": "Say", "x": 9, "y": 60}]}"#);
    document.apply("move Say", Some("drag 1"), &[op]).unwrap();
    document.undo().unwrap();
    assert!(!document.is_changed());
}

#[test]
fn a_copy_has_a_name_and_links_of_its_own() {
    let mut document = document(TWO);
    apply(&mut document, r#"{"op": "duplicate", "boxes": ["Say", "Count"], "dx": 10, "dy": 100}"#);
    assert_eq!(links(&document)[2..], ["Say (1).onStopped -> Count (1).onStart"]);
    let clip = copied(document.file(), &[path("root/Say"), path("root/Count")]).unwrap();
    let mut other = super::document(TWO);
    let paste = Op::Paste { diagram: path("root"), clip, x: Some(0.0), y: Some(300.0) };
    other.apply("", None, &[paste]).unwrap();
    assert_eq!(links(&other)[2..], ["Say (1).onStopped -> Count (1).onStart"]);
    let pasted = other.file().text().split("Say (1)").nth(1).unwrap();
    assert!(pasted.contains(r#"x="0" y="300""#) && pasted.contains("def onInput_onStart"), "{pasted}");
}

#[test]
fn boxes_in_a_diagram_of_their_own_have_the_same_links() {
    let mut document = document(TWO);
    apply(&mut document, r#"{"op": "wrap", "boxes": ["Say"], "name": "Greet"}"#);
    assert_eq!(links(&document), ["root.onStart -> Greet.onStart", "Greet.onStopped -> Count.onStart"]);
    let text = document.file().text();
    assert_eq!(text.matches("def onInput_onStart").count(), 1);
    apply(&mut document, r#"{"op": "unwrap", "box": "Greet"}"#);
    assert_eq!(links(&document), ["root.onStart -> Say.onStart", "Say.onStopped -> Count.onStart"]);
}

#[test]
fn a_loop_around_a_box_is_one_of_the_boxes_in_it() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "wrap", "boxes": ["Say", "Count"], "name": "Greet"}"#,
        r#"{"op": "add_output", "box": "Greet", "output": {"name": "counted"}}"#,
        r#"{"op": "connect", "from": {"box": "Greet/Count", "port": "onStopped"}, "to": {"box": "Greet", "port": "counted"}}"#,
        r#"{"op": "connect", "from": {"box": "Greet", "port": "counted"}, "to": {"box": "Greet", "port": "onStart"}}"#,
        r#"{"op": "connect", "from": {"box": "Greet", "port": "counted"}, "to": {"box": "root", "port": "onStopped"}}"#,
        r#"{"op": "unwrap", "box": "Greet"}"#,
    ] {
        apply(&mut document, json);
    }
    let mut found = links(&document);
    found.sort();
    let wanted = [
        "Count.onStopped -> Say.onStart",
        "Count.onStopped -> root.onStopped",
        "Say.onStopped -> Count.onStart",
        "root.onStart -> Say.onStart",
    ];
    assert_eq!(found, wanted);
}

#[test]
fn a_box_is_swapped_with_its_links_and_values() {
    let mut document = document(TWO);
    let other = r#"<ChoregrapheBox xar_version="3"><Box name="Better Say" id="9">
        <Input name="onStart" type="1" nature="2" id="7"/><Output name="onStopped" type="1" nature="1" id="8"/>
        <Parameter name="Text" content_type="3" value="" default_value="" id="9"/><mystery/></Box></ChoregrapheBox>"#;
    let replace = Op::Replace { r#box: path("root/Say"), with: Some(boxstep_edit::NewBox::Xar(other.to_owned())) };
    document.apply("", None, &[replace]).unwrap();
    assert_eq!(links(&document), ["root.onStart -> Say.onStart", "Say.onStopped -> Count.onStart"]);
    let text = document.file().text();
    assert!(text.contains("<mystery") && text.contains(r#"value="Hello""#) && !text.contains("self.said"), "{text}");
}

#[test]
fn boxes_of_the_library_are_added_and_replace_those_of_choregraphe() {
    let mut document = document(TWO);
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"library": "Wait"}}"#);
    assert!(document.file().text().contains(r#"<Box name="Wait" id="3""#));
    let why = refused(r#"{"op": "add", "diagram": "root", "add": {"library": "Wiat"}}"#);
    assert_eq!(why, "the library has no box `Wiat`; did you mean `Wait`?");
    assert!(refused(r#"{"op": "replace", "box": "Count"}"#).contains("no box of the library replaces Count"));
    // One of Choregraphe's by its name and ports: its links and values stay.
    let stock = TWO
        .replace(r#"<Output name="said" type="3""#, r#"<Input name="onStop" type="1" type_size="1" nature="3" inner="0" tooltip="" id="8" /><Output name="said" type="3""#);
    let mut document = super::document(&stock);
    apply(&mut document, r#"{"op": "replace", "box": "Say"}"#);
    assert_eq!(links(&document), ["root.onStart -> Say.onStart", "Say.onStopped -> Count.onStart"]);
    assert!(!document.file().text().contains("self.said"), "{}", document.file().text());
}

#[test]
fn a_port_is_renamed_in_the_script() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "set_output", "box": "Say", "port": "said", "output": {"name": "spoken"}}"#,
        r#"{"op": "set_input", "box": "Say", "port": "onStart", "input": {"name": "onGo", "nature": "on_event"}}"#,
        r#"{"op": "change_parameter", "box": "Say", "port": "Text", "parameter": {"name": "Words"}}"#,
    ] {
        apply(&mut document, json);
    }
    let text = document.file().text();
    for wanted in ["def onInput_onGo(self)", "self.spoken(self.getParameter(\"Words\"))", r#"name="onGo" type="1""#] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    apply(&mut document, r#"{"op": "remove_port", "box": "Say", "port": "onGo"}"#);
    assert_eq!(links(&document), ["Say.onStopped -> Count.onStart"]);
}

#[test]
fn text_boxes_say_it_in_their_script_and_their_form() {
    let english = TWO.replace(
        r#"<Box name="Count" id="2" localization="8" tooltip="" x="330" y="60">"#,
        r#"<Box name="Count" id="2" localization="8" plugin="localizationbox_plugin" tooltip="" x="330" y="60">
            <script language="4"><content><![CDATA[self.sentences = {
			"English" : " Hello ",
			"French" : " Bonjour ",
			"Korean" : " Hello "
		}]]></content></script>
            <pluginContent><english><![CDATA[Hello]]></english><french>Bonjour</french><korean>Hello</korean></pluginContent>"#,
    );
    let mut document = document(&english);
    apply(&mut document, r#"{"op": "set_text", "box": "Count", "text": "It's \"me\""}"#);
    let text = document.file().text();
    for wanted in [
        r#""English" : " It\'s \"me\" ","#,
        r#""French" : " Bonjour ","#,
        r#""Korean" : " It\'s \"me\" ""#,
        r#"<english><![CDATA[It's "me"]]></english><french>Bonjour</french>"#,
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    apply(&mut document, r#"{"op": "set_text", "box": "Count", "language": "French", "text": "Salut"}"#);
    let said = said(document.file(), &path("root/Count")).unwrap();
    let said: Vec<_> = said.texts.into_iter().map(|sent| (sent.language.unwrap(), sent.text)).collect();
    let wanted = [("English", "It's \"me\""), ("French", "Salut"), ("Korean", "It's \"me\"")];
    assert_eq!(said, wanted.map(|(language, text)| (language.to_owned(), text.to_owned())));
    let mut color = super::document(&TWO.replace(
        r#"<Box name="Count" id="2""#,
        r#"<Box plugin="coloredit_plugin" name="Count" id="2""#,
    ).replace(
        r#"<Input name="onLoad""#,
        r##"<script language="4"><content><![CDATA[self.onStopped([0, 0, 0])]]></content></script><pluginContent><color>#000000</color></pluginContent><Input name="onLoad""##,
    ));
    apply(&mut color, r##"{"op": "set_text", "box": "Count", "text": "#00ff7F"}"##);
    assert!(color.file().text().contains("self.onStopped([0, 255, 127])") && color.file().text().contains("#00ff7F"));
    let red = op(r#"{"op": "set_text", "box": "Count", "text": "red"}"#);
    assert!(color.apply("", None, &[red]).unwrap_err().to_string().contains("not a color"));
}

#[test]
fn timelines_are_built_from_nothing() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "add", "diagram": "root", "add": {"empty": "timeline"}, "name": "Wave", "x": 5, "y": 5}"#,
        r#"{"op": "set_pose", "box": "Wave", "frame": 10, "joints": {"LShoulderRoll": 20, "RHand": 0.5, "HeadYaw": -5}}"#,
        r#"{"op": "set_keys", "box": "Wave", "joint": "LShoulderRoll", "keys": [{"frame": 30, "value": 8.5,
            "left": {"interpolation": "bezier", "frames": -6, "value": 2}}, {"frame": 10, "value": 21}]}"#,
        r#"{"op": "add_layer", "box": "Wave", "layer": "steps"}"#,
        r#"{"op": "add_keyframe", "box": "Wave", "layer": "steps", "name": "late", "frame": 40}"#,
        r#"{"op": "add_keyframe", "box": "Wave", "layer": "steps", "name": "early", "frame": 1}"#,
        r#"{"op": "stretch", "box": "Wave", "from": 10, "factor": 2, "frames": 5}"#,
        r#"{"op": "mirror", "box": "Wave"}"#,
        r#"{"op": "set_timeline", "box": "Wave", "fps": 30, "end_frame": 90}"#,
        r#"{"op": "add", "diagram": "Wave/@steps:early", "add": {"empty": "script"}}"#,
    ] {
        apply(&mut document, json);
    }
    let project = &document.file().project;
    let at = boxstep_format::paths::find(project, &path("root/Wave")).unwrap();
    let timeline = at.def.timeline.as_ref().unwrap();
    let curves = &timeline.actuators.as_ref().unwrap().curves;
    let keys: Vec<_> = curves
        .iter()
        .map(|c| (c.actuator.to_string(), c.keys.iter().map(|key| (key.frame, key.value)).collect::<Vec<_>>()))
        .collect();
    let wanted =
        [("HeadYaw", vec![(15, 5.0)]), ("RShoulderRoll", vec![(15, -21.0), (55, -8.5)]), ("LHand", vec![(15, 0.5)])];
    assert_eq!(keys, wanted.map(|(joint, keys)| (joint.to_owned(), keys)));
    let tangent = curves[1].keys[1].left.as_ref().unwrap();
    assert_eq!((tangent.abscissa, tangent.ordinate), (-12.0, -2.0));
    let keyframes: Vec<_> = timeline.layers[0].keyframes.iter().map(|k| (k.name.to_string(), k.index)).collect();
    assert_eq!(keyframes, [("early".to_owned(), 1), ("late".to_owned(), 75)]);
    assert_eq!((timeline.fps, timeline.end_frame), (Some(30), Some(90)));
    let clash =
        op(r#"{"op": "move_keys", "box": "Wave", "keys": [{"joint": "RShoulderRoll", "frame": 15}], "frames": 40}"#);
    let why = document.apply("", None, &[clash]).unwrap_err().to_string();
    assert_eq!(why, "Wave: RShoulderRoll already has something at frame 55");
}

/// `BOXSTEP_BLESS=1` writes the schema.
#[test]
fn the_schema_is_that_of_the_operations() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/edit.schema.json");
    let now = format!("{:#}\n", boxstep_edit::schema());
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, &now).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), now);
}

#[test]
fn steps_from_where_a_box_is_add_up() {
    let mut document = document(TWO);
    let place = |document: &Document, name: &str| {
        let boxes = &document.file().project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram.boxes;
        boxes.iter().find(|def| *def.name == *name).map(|def| (def.x, def.y)).unwrap()
    };
    let (x, y) = place(&document, "Say");
    for _ in 0..3 {
        apply(&mut document, r#"{"op": "move_by", "boxes": ["Say"], "dx": 10, "dy": -1}"#);
    }
    assert_eq!(place(&document, "Say"), (x + 30.0, y - 3.0));
}

#[test]
fn copies_lie_on_no_other_box() {
    let mut document = document(TWO);
    for _ in 0..3 {
        apply(&mut document, r#"{"op": "duplicate", "boxes": ["Say"], "dx": 30, "dy": 30}"#);
    }
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}, "x": 5, "y": 5}"#);
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}, "x": 5, "y": 5}"#);
    let boxes = &document.file().project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram.boxes;
    // A drawing has them at most 110 pixels of the file wide, and here at least 57 high.
    for (n, one) in boxes.iter().enumerate() {
        let mut others = boxes.iter().skip(n + 1);
        let covered = others.find(|other| (one.x - other.x).abs() < 110.0 && (one.y - other.y).abs() < 57.0);
        assert!(covered.is_none(), "{} is at {:?}, {:?}", one.name, (one.x, one.y), covered.map(|def| (def.x, def.y)));
    }
    // Where nothing is in the way, a box stands where it was wanted.
    apply(&mut document, r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}, "x": 905, "y": 705}"#);
    let boxes = &document.file().project.root.timeline.as_ref().unwrap().layers[0].keyframes[0].diagram.boxes;
    assert_eq!(boxes.last().map(|def| (def.x, def.y)), Some((905.0, 705.0)));
}

#[test]
fn a_script_that_somebody_else_has_changed_is_not_written_over() {
    let set = |script: &str, was: &str| {
        format!(r#"{{"op": "set_script", "box": "root/Count", "script": "{script}", "was": "{was}"}}"#)
    };
    let mut document = document(TWO);
    apply(&mut document, r#"{"op": "set_script", "box": "root/Count", "script": "a = 1\nb = 2"}"#);
    apply(&mut document, &set("a = 3", r"a = 1\r\nb = 2"));
    let stale = op(&set("a = 4", r"a = 1\nb = 2"));
    let why = document.apply("", None, &[stale]).unwrap_err().to_string();
    assert_eq!(why, "root/Count: its script has been changed by somebody else meanwhile");
    assert!(document.file().text().contains("a = 3"));
}
