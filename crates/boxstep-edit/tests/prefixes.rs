//! Files whose elements have a namespace prefix.

use super::TWO;
use boxstep_edit::{Document, Kind, NewBox, Op, PortAt, copied};
use boxstep_types::BoxPath;

/// The file of these tests, with a prefix before the names of its elements.
fn prefixed() -> String {
    let text = TWO.replace("</", "</c:").replace('<', "<c:").replace("<c:?", "<?").replace("<c:/c:", "</c:");
    text.replace("xmlns=", "xmlns:c=").replace("<c:!", "<!")
}

#[test]
fn new_elements_have_the_prefix_of_the_others() {
    let mut document = Document::read("behavior.xar", prefixed().as_bytes()).unwrap();
    assert!(document.file().findings.is_empty(), "{:?}", document.file().findings);
    let path = |text: &str| -> BoxPath { text.parse().unwrap() };
    let port = |of: &str, port: &str| PortAt { r#box: path(of), port: port.to_owned() };
    let clip = copied(document.file(), &[path("root/Say")]).unwrap();
    let add = NewBox::Empty(Kind::Timeline);
    let ops = [
        Op::Add { diagram: path("root"), add, name: Some("New".into()), x: 1.0, y: 2.0 },
        Op::Connect { from: port("root/Say", "onStopped"), to: port("root/New", "onStart") },
        Op::AddLayer { r#box: path("root/New"), layer: "more".into() },
        Op::SetScript { r#box: path("root/New"), script: "pass".into(), was: None },
        Op::Paste { diagram: path("root"), clip, x: Some(9.0), y: Some(9.0) },
        Op::Wrap { boxes: vec![path("root/New"), path("root/Say")], name: "Both".into() },
    ];
    for op in ops {
        document.apply("", None, std::slice::from_ref(&op)).unwrap_or_else(|e| panic!("{op:?}: {e}"));
        let file = document.file();
        assert!(file.findings.is_empty(), "{op:?}: {:?}\n{}", file.findings, file.text());
        let all = file.raw().all().map(|node| node.name().to_owned()).filter(|name| !name.is_empty());
        let others: Vec<String> = all.filter(|name| !name.starts_with("c:")).collect();
        assert!(others.is_empty(), "{op:?}: {others:?}\n{}", file.text());
    }
}
