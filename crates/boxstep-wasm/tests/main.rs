//! The integration tests of this crate, in one program.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod files;
mod same;

use boxstep_wasm::{Refusal, Session};
use serde_json::{Value as Json, json};
use std::path::PathBuf;

/// Asks what is JSON, and returns what is JSON.
fn asked(session: &mut Session, request: &Json) -> Result<Json, Refusal> {
    session.ask(&request.to_string()).map(|answer| serde_json::from_str(&answer).unwrap())
}

/// Does something to the file.
fn done(session: &mut Session, request: Json) -> Result<Json, Refusal> {
    asked(session, &json!({ "ask": "edit", "request": request }))
}

fn apply(label: &str, op: &Json) -> Json {
    json!({ "do": "apply", "label": label, "ops": [op] })
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The behaviors of a folder, by their paths, sorted.
fn behaviors(folder: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|ending| ending == "xar") => found.push(path),
                false => {}
            }
        }
    }
    found.sort();
    found
}
