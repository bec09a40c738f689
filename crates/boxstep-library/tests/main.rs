//! The table of the library, its files, and the page that is made of it.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test may fail")]

mod page;

use boxstep_format::model::{BoxDef, InputNature};
use boxstep_format::{Limits, read_xar};
use boxstep_library::{LibraryBox, boxes};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../library")
}

fn read(one: &LibraryBox) -> BoxDef {
    let file = read_xar(one.name, one.xar.as_bytes(), &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
    assert!(file.findings.is_empty(), "{}: {:?}", one.name, file.findings);
    file.project.root.clone()
}

/// Every file below a folder of the library, but not those of the tests.
fn files(ending: &str) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    for folder in std::fs::read_dir(library()).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir())
    {
        if folder.ends_with("tests") {
            continue;
        }
        for file in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|found| found == ending) {
                texts.insert(std::fs::read_to_string(file).unwrap());
            }
        }
    }
    texts
}

#[test]
fn every_file_is_in_the_table() {
    assert_eq!(files("xar"), boxes().iter().map(|one| one.xar.to_owned()).collect());
    assert_eq!(files("svg"), boxes().iter().map(|one| one.icon.to_owned()).collect());
}

#[test]
fn the_table_says_what_the_files_say() {
    let mut names = BTreeSet::new();
    for one in boxes() {
        let def = read(one);
        assert!(names.insert(one.name), "two boxes have the name {}", one.name);
        assert_eq!((&*def.name, &*def.tooltip), (one.name, one.about));
    }
    assert!(boxes().is_sorted_by_key(|one| boxes().iter().position(|other| other.group == one.group)), "groups");
}

#[test]
fn all_that_a_user_sees_has_a_hint() {
    for one in boxes() {
        let def = read(one);
        let inputs = def.inputs.iter().map(|port| (&*port.name, &*port.tooltip));
        let outputs = def.outputs.iter().map(|port| (&*port.name, &*port.tooltip));
        let parameters = def.parameters.iter().map(|port| (&*port.name, &*port.tooltip));
        for (name, hint) in inputs.chain(outputs).chain(parameters).chain([(one.name, one.about)]) {
            assert!(hint.ends_with('.') && hint.len() > 10, "{}: {name}: {hint}", one.name);
        }
        assert_eq!(def.inputs.iter().filter(|input| input.nature == InputNature::OnLoad).count(), 1, "{}", one.name);
    }
}

#[test]
fn files_have_the_canonical_layout() {
    for one in boxes() {
        let file = read_xar(one.name, one.xar.as_bytes(), &Limits::default()).unwrap();
        assert!(file.formatted(&Limits::default()).unwrap().text() == one.xar, "{}: boxstep fmt -r library", one.name);
    }
}

#[test]
fn icons_are_one_set() {
    for one in boxes() {
        let (head, rest) = one.icon.split_once("\n  <path d=\"").unwrap_or_else(|| panic!("{}", one.name));
        assert_eq!(head, page::ICON, "{}", one.name);
        assert!(rest.ends_with("\" />\n</svg>\n") && rest.matches('<').count() == 1, "{}", one.name);
    }
}
