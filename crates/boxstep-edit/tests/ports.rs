//! Ports and parameters: their names in scripts, and what boxes inside take from them.

use super::operations::{apply, refused, refused_in};
use super::{TWO, document};

#[test]
fn a_parameter_whose_name_begins_like_another_keeps_its_uses() {
    let two = TWO.replace(
        r#"self.said(self.getParameter("Text"))"#,
        r#"self.said(self.getParameter("Text (long)") + self.getParameter('Text'))"#,
    );
    let mut document = document(&two);
    let rename = r#"{"op": "change_parameter", "box": "Say", "port": "Text", "parameter": {"name": "Words"}}"#;
    apply(&mut document, rename);
    let said = r#"self.said(self.getParameter("Text (long)") + self.getParameter('Words'))"#;
    assert!(document.file().text().contains(said), "{}", document.file().text());
}

#[test]
fn boxes_inside_keep_the_value_that_they_take() {
    let mut document = document(TWO);
    for json in [
        r#"{"op": "wrap", "boxes": ["Say"], "name": "Greet"}"#,
        r#"{"op": "add_parameter", "box": "Greet", "parameter": {"name": "Text", "value": "Hi"}}"#,
        r#"{"op": "change_parameter", "box": "Greet/Say", "port": "Text", "parameter": {"inherits": true}}"#,
        r#"{"op": "change_parameter", "box": "Greet", "port": "Text", "parameter": {"name": "Words"}}"#,
    ] {
        apply(&mut document, json);
    }
    let text = document.file().text().to_owned();
    assert_eq!(text.matches(r#"<Parameter name="Words""#).count(), 2, "{text}");
    assert!(text.contains(r#"self.getParameter("Words")"#), "{text}");
    let why = refused_in(&text, r#"{"op": "remove_port", "box": "Greet", "port": "Words"}"#);
    assert_eq!(why, "Greet cannot lose its parameter `Words`: Greet/Say takes its value from it");
    let taken = r#"{"op": "change_parameter", "box": "Greet", "port": "Words", "parameter": {"name": "Speed"}}"#;
    assert!(refused_in(&text, taken).contains("Greet/Say already has a port `Speed`"));
}

#[test]
fn what_is_left_out_stays() {
    let seen =
        TWO.replace(r#"nature="2" inner="0" tooltip="" id="2" />"#, r#"nature="2" inner="1" tooltip="" id="2" />"#);
    let mut document = document(&seen);
    apply(&mut document, r#"{"op": "set_input", "box": "Say", "port": "onStart", "input": {"tooltip": "go"}}"#);
    assert!(document.file().text().contains(r#"inner="1" tooltip="go""#), "{}", document.file().text());
}

#[test]
fn names_that_cannot_be_are_refused() {
    let why = refused(r#"{"op": "set_output", "box": "Say", "port": "said", "output": {"name": "a b"}}"#);
    assert_eq!(why, "Say: `a b` is not a name that its script can say");
    // The script does not say this one.
    apply(
        &mut document(TWO),
        r#"{"op": "set_output", "box": "Count", "port": "onStopped", "output": {"name": "a b"}}"#,
    );
    assert_eq!(refused(r#"{"op": "add_input", "box": "Say", "input": {}}"#), "Say: an input needs a name");
    let mut resource = document(TWO);
    apply(&mut resource, r#"{"op": "add_resource", "box": "Say", "resource": {"name": "Head"}}"#);
    let why = refused_in(
        resource.file().text(),
        r#"{"op": "set_resource", "box": "Say", "name": "Head", "resource": {"name": ""}}"#,
    );
    assert_eq!(why, "Say: a resource needs a name");
}
