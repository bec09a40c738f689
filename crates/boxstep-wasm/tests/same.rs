//! What a page is told here is what the crates behind it say.

use crate::{apply, asked, behaviors, done, root};
use boxstep_dynamics::body_of_files;
use boxstep_edit::{Document, Op};
use boxstep_format::paths;
use boxstep_wasm::Session;
use serde_json::{Value as Json, json};

/// Operations of every kind that a box can have, most of which can be done.
fn operations(document: &Document) -> Vec<Json> {
    let all: Vec<paths::BoxAt<'_>> = paths::boxes(&document.file().project).collect();
    let mut ops = Vec::new();
    for at in all.iter().take(12) {
        let path = at.path.to_string();
        ops.push(json!({ "op": "set_tooltip", "box": path, "tooltip": "a \"b\" <c> ü☃" }));
        ops.push(json!({ "op": "rename", "box": path, "name": "Another" }));
        ops.push(json!({ "op": "set_script", "box": path, "script": "a = 1\nb = ']]>'\n" }));
        ops.push(
            json!({ "op": "add", "diagram": path, "add": { "library": "Wait" }, "name": "Wait", "x": 10, "y": 20 }),
        );
        ops.push(
            json!({ "op": "add", "diagram": path, "add": { "empty": "timeline" }, "name": "Move", "x": 1, "y": 2 }),
        );
        if at.depth() > 0 {
            ops.push(json!({ "op": "move", "boxes": [{ "box": path, "x": 40.0, "y": -7.0 }] }));
            ops.push(json!({ "op": "duplicate", "boxes": [path], "dx": 30.0, "dy": 30.0 }));
            ops.push(json!({ "op": "wrap", "boxes": [path], "name": "Group" }));
            ops.push(json!({ "op": "remove", "boxes": [path] }));
        }
        for parameter in &at.def.parameters {
            ops.push(json!({ "op": "set_parameter", "box": path, "parameter": parameter.name, "value": "7" }));
        }
        for other in &all {
            for (output, input) in at.def.outputs.iter().zip(&other.def.inputs) {
                let from = json!({ "box": path, "port": output.name });
                let to = json!({ "box": other.path.to_string(), "port": input.name });
                ops.push(json!({ "op": "connect", "from": from, "to": to }));
            }
        }
    }
    ops
}

#[test]
fn every_operation_does_what_it_does_to_a_document_and_is_undone() {
    let (mut tried, mut refused) = (0, 0);
    for path in behaviors(root().join("examples")) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(mut document) = Document::read("behavior.xar", &bytes) else { continue };
        let mut session = Session::open("behavior.xar", &bytes).unwrap();
        for (number, op) in operations(&document).iter().enumerate() {
            tried += 1;
            let native: Op = serde_json::from_value(op.clone()).unwrap_or_else(|e| panic!("{op}: {e}"));
            let label = format!("step {number}");
            let was_done = match (done(&mut session, apply(&label, op)), document.apply(&label, None, &[native])) {
                (Ok(state), Ok(change)) => {
                    assert_eq!(state["version"], document.version(), "{op}");
                    assert_eq!(state["lines"], serde_json::to_value(&change.lines).unwrap(), "{op}");
                    assert_eq!(state["changed"], document.is_changed());
                    true
                }
                (Err(why), Err(same)) => {
                    refused += 1;
                    assert_eq!(why.to_string(), same.to_string(), "{op}");
                    false
                }
                (page, native) => panic!("{path:?}: {op}: {page:?}, but {native:?}"),
            };
            assert_eq!(session.bytes(), document.file().to_bytes(), "{path:?}: {op}");
            // Paths and names stay for the next ones.
            let moves = ["rename", "wrap", "remove", "duplicate"].iter().any(|kind| op["op"] == *kind);
            if was_done && moves && document.undo().is_some() {
                done(&mut session, json!({ "do": "undo" })).unwrap();
                assert_eq!(session.bytes(), document.file().to_bytes(), "{path:?}: {op}");
            }
        }
        let last = session.bytes();
        let steps = document.steps().len();
        for _ in 0..steps {
            done(&mut session, json!({ "do": "undo" })).unwrap();
        }
        assert_eq!(session.bytes(), bytes, "{path:?}");
        for _ in 0..steps {
            done(&mut session, json!({ "do": "redo" })).unwrap();
        }
        assert_eq!(session.bytes(), last, "{path:?}");
        // One that was undone at the end may still be there.
        let why = (0..2).find_map(|_| done(&mut session, json!({ "do": "redo" })).err()).unwrap();
        assert_eq!(why.to_string(), "there is nothing to redo");
    }
    assert!(tried > 500 && refused < tried / 2, "{refused} of {tried} were refused");
}

#[test]
fn what_is_drawn_listed_and_found_is_what_the_program_draws_lists_and_finds() {
    for path in behaviors(root().join("examples")) {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(document) = Document::read("behavior.xar", &bytes) else { continue };
        let file = document.file();
        let body = body_of_files(&[], &file.project).0.body();
        let mut session = Session::open("behavior.xar", &bytes).unwrap();
        assert_eq!(session.ask(r#"{"ask":"model"}"#).unwrap(), boxstep_draw::live_json("behavior.xar", file));
        assert_eq!(session.ask(r#"{"ask":"text"}"#).unwrap(), file.text());
        for level in boxstep_draw::Level::all(&file.project) {
            let of = json!({ "ask": "level", "path": level.path().to_string() });
            let drawn = session.ask(&of.to_string()).unwrap();
            assert_eq!(drawn, boxstep_draw::live(&file.project, &level, body, None, true), "{path:?}: {of}");
            let of = json!({ "ask": "postures", "path": level.path().to_string() });
            assert_eq!(session.ask(&of.to_string()).ok(), boxstep_draw::postures(&level, body), "{path:?}: {of}");
        }
        let context = boxstep_check::Context { body: Some(body), ..Default::default() };
        let found = boxstep_check::check(file, &context).behavior;
        let said = asked(&mut session, &json!({ "ask": "findings" })).unwrap();
        let codes: Vec<String> = found.iter().map(|one| one.code.to_string()).collect();
        let told: Vec<&str> = said.as_array().unwrap().iter().filter_map(|one| one["code"].as_str()).collect();
        assert_eq!(told, codes, "{path:?}");
    }
}

#[test]
fn a_page_whose_root_has_another_path_sees_the_same() {
    let bytes = std::fs::read(root().join("examples/hello/behavior.xar")).unwrap();
    let mut session = Session::open("behavior.xar", &bytes).unwrap();
    let there = r#"{"ask":"level","path":"other/Wave","root":"other"}"#;
    assert!(session.ask(there).unwrap().contains("RShoulderPitch"));
    let missing = session.ask(r#"{"ask":"level","path":"root/Nobody"}"#).unwrap_err().to_string();
    assert!(missing.starts_with("there is no `Nobody` in root"), "{missing}");
    assert_eq!(
        session.ask(r#"{"ask":"postures","path":"root/Say"}"#).unwrap_err().to_string(),
        "it moves no joint of this robot"
    );
}

#[test]
fn what_is_saved_is_no_change_and_what_is_discarded_is_gone() {
    let bytes = std::fs::read(root().join("examples/hello/behavior.xar")).unwrap();
    let mut session = Session::open("behavior.xar", &bytes).unwrap();
    let rename = |from: &str, to: &str| apply("rename", &json!({ "op": "rename", "box": from, "name": to }));
    assert_eq!(done(&mut session, rename("root/Wave", "One")).unwrap()["changed"], true);
    assert_eq!(done(&mut session, json!({ "do": "save" })).unwrap()["changed"], false);
    let saved = session.bytes();
    let state = done(&mut session, rename("root/One", "Two")).unwrap();
    assert_eq!((&state["changed"], &state["undo"]), (&json!(true), &json!(["rename", "rename"])));
    let back = done(&mut session, json!({ "do": "discard" })).unwrap();
    assert!(back["version"].as_u64() > state["version"].as_u64() && back["changed"] == false);
    assert_eq!(session.bytes(), saved);
    assert!(done(&mut session, json!({ "do": "merge" })).is_err());
    let clip = asked(&mut session, &json!({ "ask": "copied", "boxes": ["root/One"] })).unwrap();
    let paste = json!({ "op": "paste", "diagram": "root", "clip": clip["clip"], "x": 5, "y": 6 });
    done(&mut session, apply("paste", &paste)).unwrap();
    assert!(asked(&mut session, &json!({ "ask": "library" })).unwrap().as_array().unwrap().len() > 50);
}
