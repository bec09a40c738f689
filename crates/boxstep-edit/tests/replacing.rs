//! What of a box stays when another one takes its place.

use super::operations::{apply, links, refused_in};
use super::{TWO, document, op, path};
use boxstep_edit::{NewBox, Op, said};

/// One of Choregraphe's boxes instead of Count: its name, its insides, and the texts of its form in a box inside.
fn stock(name: &str, inside: &str, texts: &[(&str, &str)]) -> String {
    let form: String = texts.iter().map(|(language, text)| format!("<{language}>{text}</{language}>")).collect();
    let diagram = format!(
        r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>
            <Box name="Localized Text" id="1" plugin="localizationbox_plugin"><script language="4"><content/></script>
            <pluginContent>{form}</pluginContent></Box></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
    );
    let diagram = if texts.is_empty() { "" } else { &diagram };
    TWO.replace(r#"<Box name="Count""#, &format!(r#"<Box name="{name}""#)).replace(
        r#"<Input name="onNumber" type="2" type_size="1" nature="1" inner="0" tooltip="" id="2" />"#,
        &format!(r#"<Input name="onStop" type="1" nature="3" id="2" />{inside}{diagram}"#),
    )
}

fn parameter(name: &str, content_type: u8, value: &str, default: &str) -> String {
    format!(
        r#"<Parameter name="{name}" content_type="{content_type}" value="{value}" default_value="{default}" id="9"/>"#
    )
}

#[test]
fn the_text_in_a_form_is_that_of_the_new_box() {
    let replace = r#"{"op": "replace", "box": "root/Say (2)"}"#;
    let text = stock("Say (2)", "", &[("english", "Good day"), ("french", "Good day"), ("german", "")]);
    let mut document = document(&text);
    apply(&mut document, replace);
    let said = said(document.file(), &path("root/Say (2)")).unwrap();
    assert_eq!(said.texts.iter().map(|sent| &*sent.text).collect::<Vec<_>>(), ["Good day"]);
    let text = stock("Say (2)", "", &[("english", "Good day"), ("french", "Bonjour")]);
    assert!(refused_in(&text, replace).contains("different texts in different languages"));
}

#[test]
fn a_value_that_the_new_box_does_not_have_is_not_lost() {
    let sound = stock("Play Sound", &parameter("File path", 4, "song.ogg", ""), &[]);
    let mut document = super::document(&sound);
    apply(&mut document, r#"{"op": "replace", "box": "Play Sound"}"#);
    assert!(document.file().text().contains(r#"<Parameter name="File name""#));
    assert!(document.file().text().contains(r#"value="song.ogg""#), "{}", document.file().text());

    let record = stock("Record Sound", &parameter("Temporary storage", 0, "1", "0"), &[]);
    let why = refused_in(&record, r#"{"op": "replace", "box": "Record Sound"}"#);
    assert_eq!(
        why,
        "root/Record Sound cannot be replaced: the value of its parameter `Temporary storage` would be lost"
    );
    // Whoever names the new box means it.
    apply(&mut super::document(&record), r#"{"op": "replace", "box": "Record Sound", "with": {"library": "Wait"}}"#);
    let untouched = stock("Record Sound", &parameter("Temporary storage", 0, "0", "0"), &[]);
    apply(&mut super::document(&untouched), r#"{"op": "replace", "box": "Record Sound"}"#);
}

#[test]
fn a_link_follows_to_the_parameter_of_another_name_or_is_not_lost() {
    let linked = |text: String, from: u8, port: u8| {
        let link = format!(
            r#"<Link inputowner="2" indexofinput="{port}" outputowner="1" indexofoutput="{from}" /></Diagram>
                </BehaviorKeyframe>"#
        );
        text.replacen("</Diagram>\n                </BehaviorKeyframe>", &link, 1)
    };
    let wait = stock("Wait", r#"<Output name="timerOutput" type="1" nature="1" id="7"/>"#, &[]).replace(
        "</Box>\n                        <Link",
        &format!("{}</Box>\n                        <Link", parameter("timeout", 2, "1", "1")),
    );
    let mut document = super::document(&linked(wait, 5, 9));
    apply(&mut document, r#"{"op": "replace", "box": "Wait"}"#);
    assert_eq!(links(&document)[2], "Say.said -> Wait.Timeout (s)");
    let extra = linked(stock("Rest", r#"<Input name="more" type="1" nature="1" id="8"/>"#, &[]), 4, 8);
    let why = refused_in(&extra, r#"{"op": "replace", "box": "Rest"}"#);
    assert_eq!(why, "root/Rest cannot be replaced: a link of `more` would be lost");
}

#[test]
fn a_value_of_the_parent_stays_one() {
    let other = r#"<ChoregrapheBox xar_version="3"><Box name="B" id="9">
        <Parameter name="Text" content_type="3" value="" default_value="" id="9"/></Box></ChoregrapheBox>"#;
    let inherits = TWO.replace(r#"name="Text" inherits_from_parent="0""#, r#"name="Text" inherits_from_parent="1""#);
    let mut document = document(&inherits);
    let replace = Op::Replace { r#box: path("root/Say"), with: Some(NewBox::Xar(other.to_owned())) };
    document.apply("", None, &[replace]).unwrap();
    assert!(document.file().text().contains(r#"inherits_from_parent="1""#), "{}", document.file().text());
}

#[test]
fn a_new_box_may_contain_one_of_the_old_ones_name() {
    let other = r#"<ChoregrapheBox xar_version="3"><Box name="B" id="9">
        <Parameter name="Text" content_type="3" value="" default_value="" id="9"/>
        <Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>
        <Box name="Say" id="1"/></Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheBox>"#;
    let mut document = document(TWO);
    let replace = op(r#"{"op": "replace", "box": "Say", "with": {"library": "Wait"}}"#);
    let Op::Replace { r#box, .. } = replace else { panic!() };
    document.apply("", None, &[Op::Replace { r#box, with: Some(NewBox::Xar(other.to_owned())) }]).unwrap();
    assert!(document.file().text().contains(r#"value="Hello""#), "{}", document.file().text());
}
