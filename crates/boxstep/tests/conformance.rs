//! What scripts of real behaviors rely on, one small behavior for each rule: `tests/conformance/NAME.xar`, played by
//! the test of that name. `docs/reference/semantics/README.md` says which rule each holds. What can be told from outside stands in
//! `NAME.test.toml` beside it, for `boxstep test crates/boxstep/tests/conformance`.

use crate::common;
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
    let index = std::fs::read_to_string(common::root().join("docs/reference/semantics/README.md")).unwrap();
    for file in ending("xar") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(tests.contains(&format!("(\"{name}\"")), "{name} is not played");
        assert!(index.contains(&format!("`{name}")), "docs/reference/semantics/README.md does not name {name}");
        let told = folder.join(format!("{name}.test.toml")).is_file();
        assert!(told || NOT_TOLD.contains(&&*name), "{name} has no test file, and nothing says why");
        assert!(
            !told || index.contains(&format!("/{name}.test.toml)")),
            "docs/reference/semantics/README.md has no link to {name}"
        );
    }
}

/// What no test file can tell: what the outside world does, and runs that would not go the same way again.
const NOT_TOLD: [&str; 4] = ["interrupt", "busy_flag", "endless_loop", "endless_in_c"];

/// The conformance suite as anybody can run it.
#[test]
fn boxstep_test_passes_the_whole_folder() {
    if !common::has_python() {
        return;
    }
    let folder = "crates/boxstep/tests/conformance";
    let files = std::fs::read_dir(common::root().join(folder)).unwrap().map(|file| file.unwrap().path());
    let texts =
        files.filter(|f| f.extension().is_some_and(|e| e == "toml")).map(|f| std::fs::read_to_string(f).unwrap());
    let tests: usize = texts.map(|text| text.matches("[[test]]").count()).sum();
    assert!(tests >= 40, "{tests}");
    let said = common::say(&["test", folder, "-q"]).code(0);
    assert!(said.out.ends_with(&format!("{tests} passed, 0 failed\n")), "{}", said.out);
}
