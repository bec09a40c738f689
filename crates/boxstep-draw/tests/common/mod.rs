//! What the tests of drawings share.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::expect_used)]

use boxstep_bodies::{Body, BodyKind};
use boxstep_format::{Limits, XarFile, read_xar};
use std::path::{Path, PathBuf};

pub fn nao() -> &'static Body {
    BodyKind::Nao.body()
}

pub fn read(text: &str) -> XarFile {
    read_xar("test.xar", text.as_bytes(), &Limits::default()).unwrap()
}

pub fn fixture(name: &str) -> XarFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/behaviors").join(name);
    read_xar(name, &std::fs::read(path).unwrap(), &Limits::default()).unwrap()
}

/// Fails unless this is XML in which every element is closed and every text can be read.
#[track_caller]
pub fn well_formed(xml: &str) {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut depth = 0_i32;
    loop {
        let event = reader.read_event().unwrap_or_else(|e| panic!("{e} at {}", reader.buffer_position()));
        match &event {
            Event::Eof => break,
            Event::Start(e) | Event::Empty(e) => {
                for a in e.attributes() {
                    let a = a.expect("an attribute");
                    quick_xml::escape::unescape(&a.value).expect("an attribute's text");
                }
                depth += i32::from(matches!(event, Event::Start(_)));
            }
            Event::End(_) => depth -= 1,
            Event::GeneralRef(r) => {
                quick_xml::escape::unescape(&format!("&{};", &**r)).expect("an entity");
            }
            _ => {}
        }
    }
    assert_eq!(depth, 0);
    let bad = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r' | '\u{7f}'..='\u{9f}');
    assert!(!xml.contains(bad), "characters that XML does not have");
    assert!(!xml.contains("NaN") && !xml.contains("=\"inf"), "numbers that are none");
}

/// Compares with a file beside the tests; `BOXSTEP_BLESS=1` writes it anew.
#[track_caller]
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(want == text, "{name} is not as it was (BOXSTEP_BLESS=1 writes it anew; look at it first)\n{text}");
}

/// A folder of real files, if there is one.
pub fn corpus() -> Option<Vec<PathBuf>> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("BOXSTEP_CORPUS").map_or(beside, PathBuf::from);
    let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().flatten().map(|e| e.into_path());
    let files: Vec<_> = files.filter(|p| p.extension().is_some_and(|e| e == "xar")).collect();
    if files.is_empty() {
        eprintln!("skipped: there is no folder of real files at {}", folder.display());
        return None;
    }
    Some(files)
}
