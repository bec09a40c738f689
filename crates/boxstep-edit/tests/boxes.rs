//! Boxes that go, that are put into one, and that come out of it; files whose numbers are broken.

use super::operations::{apply, links, refused, refused_in};
use super::{TWO, document, op, path};
use boxstep_edit::{Op, copied};

const WRAP: &str = r#"{"op": "wrap", "boxes": ["Say", "Count"], "name": "Greet"}"#;

#[test]
fn a_box_that_is_named_twice_is_removed_once() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "add", "diagram": "root", "add": {"empty": "diagram"}, "name": "A"}"#,
        r#"{"op": "add", "diagram": "root", "add": {"empty": "diagram"}, "name": "B"}"#,
        r#"{"op": "add", "diagram": "root/A", "add": {"empty": "script"}, "name": "x"}"#,
        r#"{"op": "add", "diagram": "root/A", "add": {"empty": "script"}, "name": "keep"}"#,
        r#"{"op": "add", "diagram": "root/B", "add": {"empty": "script"}, "name": "y"}"#,
        r#"{"op": "remove", "boxes": ["root/A/x", "root/B/y", "root/A/x"]}"#,
    ] {
        apply(&mut document, json);
    }
    let text = document.file().text();
    assert!(
        text.contains(r#"name="keep""#) && !text.contains(r#"name="x""#) && !text.contains(r#"name="y""#),
        "{text}"
    );
}

#[test]
fn a_box_that_acts_when_it_is_loaded_stays_one_that_is_loaded() {
    let acts = TWO.replace(
        "class MyClass(GeneratedClass):\n",
        "class MyClass(GeneratedClass):\n    def onLoad(self):\n        self.onStopped()\n",
    );
    apply(&mut document(&acts), WRAP);
    let alone = acts.replace(r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />"#, "");
    let why =
        "root/Say cannot be put into a box of its own: it acts when it is loaded, and no link would load the new box";
    assert_eq!(refused_in(&alone, WRAP), why);
    // One that does nothing then may be.
    apply(
        &mut document(&alone.replace("def onLoad(self):\n        self.onStopped()", "def onLoad(self):\n        pass")),
        WRAP,
    );
}

#[test]
fn what_an_unwrapped_box_does_is_not_lost() {
    let mut wrapped = document(TWO);
    apply(&mut wrapped, WRAP);
    let wrapped = wrapped.file().text().to_owned();
    let memory = wrapped.replace(r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="Stimulated when the inside of the box has been loaded." id="1" />"#,
        r#"<Input name="event" type="1" type_size="1" nature="4" stm_value_name="Touched" inner="1" tooltip="" id="1" />"#)
        .replacen("</Diagram>", r#"<Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="1" /></Diagram>"#, 1);
    let form = wrapped.replacen(r#"<Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="Stimulated"#,
        r#"<pluginContent><x/></pluginContent><Input name="onLoad" type="1" type_size="1" nature="0" inner="1" tooltip="Stimulated"#, 1);
    let mut ends = document(&wrapped);
    apply(&mut ends, r#"{"op": "add_output", "box": "Greet", "output": {"name": "end", "nature": "on_stopped"}}"#);
    apply(
        &mut ends,
        r#"{"op": "connect", "from": {"box": "Greet/Say", "port": "onStopped"}, "to": {"box": "Greet", "port": "end"}}"#,
    );
    let ends = ends.file().text().to_owned();
    for (text, why) in [(memory, "memory"), (form, "form would be lost"), (ends, "its end stops all boxes in it")] {
        assert_ne!(text, wrapped);
        let said = refused_in(&text, r#"{"op": "unwrap", "box": "Greet"}"#);
        assert!(said.contains(why), "{why}: {said}");
    }
}

#[test]
fn links_keep_their_order_when_a_box_is_unwrapped() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "wrap", "boxes": ["Say"], "name": "Greet"}"#,
        r#"{"op": "connect", "from": {"box": "root", "port": "onStart"}, "to": {"box": "Count", "port": "onStart"}}"#,
        r#"{"op": "unwrap", "box": "Greet"}"#,
    ] {
        apply(&mut document, json);
    }
    assert_eq!(links(&document)[..2], ["root.onStart -> Say.onStart", "root.onStart -> Count.onStart"]);
}

#[test]
fn numbers_at_their_end_are_not_given_twice() {
    let mut last =
        document(&TWO.replace("id=\"2\"", "id=\"2147483647\"").replace("owner=\"2\"", "owner=\"2147483647\""));
    apply(&mut last, r#"{"op": "add", "diagram": "root", "add": {"empty": "script"}, "name": "New"}"#);
    apply(&mut last, r#"{"op": "add_output", "box": "Count", "output": {"name": "more"}}"#);
    let text = last.file().text();
    assert!(text.contains(r#"<Box name="New" id="2""#), "{text}");
    assert_eq!(text.matches(r#"tooltip="" id="2147483647""#).count(), 3, "{text}");
    apply(&mut last, WRAP);
    apply(&mut last, r#"{"op": "unwrap", "box": "Greet"}"#);
}

#[test]
fn links_of_a_number_that_is_broken_are_let_alone() {
    let twice = TWO.replace(r#"name="Count" id="2""#, r#"name="Count" id="1""#);
    let mut document = document(&twice);
    apply(&mut document, r#"{"op": "remove", "boxes": ["Count"]}"#);
    assert!(document.file().text().contains(r#"<Link inputowner="1" indexofinput="2" outputowner="0""#));
    let connect =
        r#"{"op": "connect", "from": {"box": "root", "port": "onStart"}, "to": {"box": "Count", "port": "onNumber"}}"#;
    let why = refused_in(
        &twice
            .replace(
                r#"name="onNumber" type="2" type_size="1" nature="1" inner="0" tooltip="" id="2""#,
                r#"name="onNumber" type="1" type_size="1" nature="1" inner="0" tooltip="" id="5""#,
            )
            .replace(
                r#"<Output name="said" type="3" type_size="1" nature="2" inner="0" tooltip="" id="5" />"#,
                r#"<Input name="said" type="1" type_size="1" nature="1" inner="0" tooltip="" id="5" />"#,
            ),
        connect,
    );
    assert!(why.contains("the number of Count in the file is that of another box"), "{why}");
    assert_eq!(
        refused_in(&twice, r#"{"op": "wrap", "boxes": ["root/Count"], "name": "Greet"}"#),
        "root/Count cannot be put into a box of its own: another box has its number in the file"
    );
    let nothing = TWO.replace(r#"name="Say" id="1""#, r#"name="Say" id="0""#);
    let mut document = super::document(&nothing);
    apply(&mut document, r#"{"op": "remove", "boxes": ["Say"]}"#);
    assert!(document.file().text().contains(r#"outputowner="0" indexofoutput="2""#));
}

#[test]
fn places_that_no_file_can_say_are_refused() {
    let far = TWO.replace(r#"x="120""#, r#"x="-1e308""#).replace(r#"x="330""#, r#"x="1e308""#);
    assert!(refused_in(&far, WRAP).contains("cannot be a place"));
}

#[test]
fn a_box_of_a_library_is_pasted_as_a_box() {
    let library = r#"<ChoregrapheBox xar_version="3"><Box name="Both" id="9">
        <Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>
        <Box name="A" id="1"/><Box name="B" id="2"/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheBox>"#;
    let mut document = document(TWO);
    let paste = |clip: String| Op::Paste { diagram: path("root"), clip, x: None, y: None };
    document.apply("", None, &[paste(library.to_owned())]).unwrap();
    apply(&mut document, r#"{"op": "set_tooltip", "box": "root/Both", "tooltip": "as one"}"#);
    let clip = copied(document.file(), &[path("root/Say"), path("root/Count")]).unwrap();
    document.apply("", None, &[paste(clip)]).unwrap();
    apply(&mut document, r#"{"op": "set_tooltip", "box": "root/Say (1)", "tooltip": "copied"}"#);
}

#[test]
fn a_link_that_comes_before_itself_stays() {
    let mut document = document(TWO);
    let order = r#"{"op": "order_link", "from": {"box": "root", "port": "onStart"}, "to": {"box": "Say", "port": "onStart"},
        "before": {"box": "Say", "port": "onStart"}}"#;
    document.apply("", None, &[op(order)]).unwrap();
    assert_eq!(document.file().text(), TWO);
}

#[test]
fn a_text_of_one_language_is_no_other() {
    let say = r#"{"op": "set_text", "box": "Say", "language": "French", "text": "Bonjour"}"#;
    assert_eq!(refused(say), "root/Say has one text for all languages");
    let form = |plugin: &str, script: &str, form: &str| {
        let with = format!(
            r#"<Box name="Count" plugin="{plugin}" id="2"><script language="4"><content><![CDATA[{script}]]></content></script>
            <pluginContent>{form}</pluginContent><x "#
        );
        TWO.replace(r#"<Box name="Count" id="2" "#, &with).replace(r#"x="330" y="60">"#, r#"x="330" y="60"/>"#)
    };
    let one = form("textedit_plugin", "self.onStopped(\"\")", "<text>Hi</text>");
    let text = r#"{"op": "set_text", "box": "Count", "language": "French", "text": "Bonjour"}"#;
    assert_eq!(refused_in(&one, text), "root/Count has one text for all languages");
    let no_english = form("localizationbox_plugin", "", "<french>Salut</french>");
    let text = r#"{"op": "set_text", "box": "Count", "text": "Hi"}"#;
    assert_eq!(refused_in(&no_english, text), "root/Count has no language `English`, only French");
    let color = form("coloredit_plugin", "# self.onStopped(old)\nself.onStopped([0, 0, 0])", "<color>#000000</color>");
    assert!(refused_in(&color, r##"{"op": "set_text", "box": "Count", "text": "#+1+2+3"}"##).contains("not a color"));
    let mut color = document(&color);
    apply(&mut color, r##"{"op": "set_text", "box": "Count", "text": "#010203"}"##);
    assert!(
        color.file().text().contains("# self.onStopped(old)\nself.onStopped([1, 2, 3])"),
        "{}",
        color.file().text()
    );
}
