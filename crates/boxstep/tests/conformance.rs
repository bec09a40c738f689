//! What scripts of real behaviors rely on, one small behavior for each rule: `tests/conformance/NAME.xar`, played by
//! the test of that name. `docs/semantics/README.md` says which rule each holds.
#![allow(clippy::unwrap_used)] // in the helpers of tests too

mod common;
#[path = "conformance/harness.rs"]
mod harness;
#[cfg(unix)]
#[path = "conformance/interrupt.rs"]
mod interrupt;
#[path = "conformance/scripts.rs"]
mod scripts;
#[path = "conformance/services.rs"]
mod services;
#[path = "conformance/stock.rs"]
mod stock;
#[path = "conformance/timelines.rs"]
mod timelines;
#[path = "conformance/waits.rs"]
mod waits;

#[test]
fn every_fixture_is_played_and_indexed() {
    let folder = common::root().join("crates/boxstep/tests/conformance");
    let files = || std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let ending = |end: &'static str| files().filter(move |file| file.extension().is_some_and(|e| e == end));
    let tests: String = ending("rs").map(|file| std::fs::read_to_string(file).unwrap()).collect();
    let index = std::fs::read_to_string(common::root().join("docs/semantics/README.md")).unwrap();
    for file in ending("xar") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(tests.contains(&format!("(\"{name}\"")), "{name} is not played");
        assert!(index.contains(&format!("`{name}")), "docs/semantics/README.md does not name {name}");
    }
}
