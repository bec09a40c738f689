//! Files of strangers: each is opened or refused.

use crate::{asked, behaviors, root};
use boxstep_wasm::Session;
use proptest::prelude::*;
use serde_json::json;
use std::path::PathBuf;

/// Asks everything that needs nothing but a file.
fn everything(session: &mut Session) {
    for ask in ["model", "level", "state", "findings", "library", "legend", "text"] {
        session.ask(&json!({ "ask": ask }).to_string()).unwrap();
    }
}

#[test]
fn what_is_no_request_is_refused_with_the_place() {
    let bytes = std::fs::read(root().join("examples/hello/behavior.xar")).unwrap();
    let mut session = Session::open("behavior.xar", &bytes).unwrap();
    for wrong in ["", "{", "[]", r#"{"ask":"nothing"}"#, r#"{"ask":"model","more":1}"#, r#"{"ask":"edit"}"#] {
        let why = session.ask(wrong).unwrap_err().to_string();
        assert!(why.starts_with("it is no request: "), "{wrong}: {why}");
    }
    assert_eq!(session.bytes(), bytes);
}

#[test]
fn every_behavior_of_a_folder_gives_itself_back() {
    let corpus = std::env::var_os("BOXSTEP_CORPUS").map(PathBuf::from);
    let folders = [Some(root().join("examples")), Some(root().join("library")), corpus];
    let all: Vec<PathBuf> = folders.into_iter().flatten().flat_map(behaviors).collect();
    let mut opened = 0;
    for path in &all {
        let bytes = std::fs::read(path).unwrap();
        let Ok(mut session) = Session::open("behavior.xar", &bytes) else { continue };
        opened += 1;
        everything(&mut session);
        assert!(session.bytes() == bytes, "{}", path.display());
    }
    println!("{opened} of {} behaviors were opened", all.len());
    assert!(opened > 80, "{opened}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_damaged_file_is_opened_or_refused(at in any::<prop::sample::Index>(), bits in 1u8.., cut in any::<bool>()) {
        let mut bytes = std::fs::read(root().join("examples/hello/behavior.xar")).unwrap();
        let at = at.index(bytes.len());
        bytes[at] ^= bits;
        if cut {
            bytes.truncate(at);
        }
        if let Ok(mut session) = Session::open("behavior.xar", &bytes) {
            everything(&mut session);
            let state = asked(&mut session, &json!({ "ask": "state" })).unwrap();
            prop_assert_eq!(&state["changed"], false);
        }
    }
}
