//! Foreign files give an error or findings, never a panic, and never exceed the limits.

use boxstep_format::project::{read_manifest, read_pml, read_translations};
use boxstep_format::{Limits, codes, paths, read_xar, resolve};
use boxstep_types::{Sources, Span};
use proptest::prelude::*;
use std::path::Path;

fn fixtures() -> Vec<Vec<u8>> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for folder in ["fixtures", "projects/two", "projects/two/dance", "projects/two/translations"] {
        for entry in std::fs::read_dir(tests.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| matches!(e.to_str(), Some("xar" | "pml" | "xml" | "ts"))) {
                files.push(path);
            }
        }
    }
    files.sort();
    files.iter().map(|f| std::fs::read(f).unwrap()).collect()
}

/// Checks that a span lies in its text and does not cut a character.
fn points_into(sources: &Sources, span: Span) {
    let text = sources.text(span.file);
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} of {}", text.len());
}

/// Reads the bytes as each kind of file, and visits the results.
fn read_all(bytes: &[u8]) {
    let limits = Limits { findings: 20, ..Limits::default() };
    match read_xar("x.xar", bytes, &limits) {
        Ok(file) => {
            assert!(file.findings.len() <= 21);
            for finding in &file.findings {
                points_into(&file.sources, finding.span.unwrap());
            }
            for node in file.raw().all() {
                let _ = (node.text(), node.content(), node.attributes().map(|a| a.value().len()).sum::<usize>());
            }
            for at in paths::boxes(&file.project) {
                points_into(&file.sources, at.def.span);
                if let Some(script) = &at.def.script {
                    points_into(&file.sources, script.text_span);
                }
                for diagram in paths::diagrams(&at.path, at.def) {
                    resolve::resolve(at.def, diagram.diagram);
                }
            }
        }
        Err(error) => {
            let _ = (error.to_string(), error.diagnostic());
            if let Some(span) = error.span() {
                points_into(error.sources(), span);
            }
        }
    }
    let _ = read_pml("p.pml", bytes, &limits);
    let _ = read_manifest("manifest.xml", bytes, &limits);
    let _ = read_translations("t.ts", bytes, &limits);
}

fn limited(text: &str, limits: &Limits) -> boxstep_types::Code {
    read_xar("x.xar", text.as_bytes(), limits).unwrap_err().code()
}

#[test]
fn limits_are_kept() {
    let small = Limits { bytes: 100, depth: 5, nodes: 10, findings: 2, ..Limits::default() };
    assert_eq!(limited(&" ".repeat(101), &small), codes::LIMIT);
    assert_eq!(limited("<a><a><a><a><a><a>", &small), codes::LIMIT);
    assert_eq!(limited(&format!("<a>{}</a>", "<b/>".repeat(10)), &small), codes::LIMIT);
    // Forty characters that take three bytes each once decoded.
    let wide: Vec<u8> = std::iter::once(0xFEFF).chain([0x4E00u16; 40]).flat_map(u16::to_le_bytes).collect();
    assert_eq!(read_xar("x", &wide, &small).unwrap_err().code(), codes::LIMIT);
    let many: String = (0..300).map(|i| format!(" a{i}=''")).collect();
    assert_eq!(limited(&format!("<a{many}/>"), &Limits::default()), codes::LIMIT);
}

#[test]
fn findings_are_counted_when_there_are_too_many() {
    let text = format!(
        "<ChoregrapheProject xar_version='3'><Box name='r' id='-1'>{}</Box></ChoregrapheProject>",
        "<x/>".repeat(9)
    );
    let limits = Limits { findings: 4, ..Limits::default() };
    let file = read_xar("x.xar", text.as_bytes(), &limits).unwrap();
    assert_eq!(file.findings.len(), 5);
    assert_eq!(file.findings[4].message, "there are 5 more findings");
}

#[test]
fn the_deepest_nesting_that_can_be_allowed_is_read_and_dropped() {
    // A level of boxes takes five elements, and a test thread has a quarter of a main thread's stack.
    let levels = Limits::MAX_DEPTH / 5 - 1;
    let open = "<Box name='b' id='1'><Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' index='1'><Diagram>";
    let close = "</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box>";
    let text = format!(
        "<ChoregrapheProject xar_version='3'>{}{}</ChoregrapheProject>",
        open.repeat(levels),
        close.repeat(levels)
    );
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let file = read_xar("x.xar", text.as_bytes(), &limits).unwrap();
    assert_eq!(paths::boxes(&file.project).count(), levels);
    drop(file.project.clone());
    let too_deep = "<a>".repeat(1_000_000);
    assert_eq!(limited(&too_deep, &limits), codes::LIMIT);
}

#[test]
fn entity_expansion_is_refused() {
    let text = "<!DOCTYPE a [<!ENTITY b 'ha'><!ENTITY c '&b;&b;&b;'>]><ChoregrapheProject>&c;</ChoregrapheProject>";
    assert_eq!(limited(text, &Limits::default()), codes::DOCTYPE);
}

#[test]
fn what_xml_forbids_is_refused_where_it_stands() {
    let cases = [
        ("<a>\u{FFFE}</a>", "\u{FFFE}"),
        ("<a>x\u{1}</a>", "\u{1}"),
        ("<a>]]></a>", "]]>"),
        ("<a b='1'c='2'/>", "c"),
        ("<a b='<'/>", "<"),
        ("<1a/>", "1a"),
        ("<a b!='1'/>", "b!"),
        (" <?xml version='1.0'?><a/>", "<?xml version='1.0'?>"),
        ("<?xml encoding='UTF-8'?><a/>", "<?xml encoding='UTF-8'?>"),
    ];
    for (text, at) in cases {
        let error = read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap_err();
        assert_eq!((error.code(), error.sources().slice(error.span().unwrap())), (codes::NOT_XML, at), "{error}");
    }
    for text in ["<a b='&#x1;'/>", "<a>&#xFFFF;</a>", "<a>&#x110000;</a>", "<a>&#+65;</a>", "<a b='&'/>"] {
        assert_eq!(limited(text, &Limits::default()), codes::UNKNOWN_ENTITY, "{text}");
    }
}

/// Returns the configuration; `PROPTEST_CASES` sets a higher number of cases.
fn cases() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: usual.cases.max(400), failure_persistence: None, ..usual }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
    }

    #[test]
    fn random_markup(parts in proptest::collection::vec(prop::sample::select(vec![
        "<Box", " name=\"a\"", " id='1'", ">", "/>", "</Box>", "<![CDATA[", "]]>", "<!--", "-->", "&amp;", "&#10;",
        "&", "<?xml", "?>", "<script language=\"4\"><content>", "</content></script>", "é", "\r\n", " ",
        "<ChoregrapheProject xar_version=\"3\">", "</ChoregrapheProject>", "<Diagram>", "\"", "'", "=", "<", "\u{FEFF}",
    ]), 0..40)) {
        read_all(parts.concat().as_bytes());
    }

    #[test]
    fn broken_fixtures(
        which in any::<prop::sample::Index>(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..4, any::<u8>()), 1..6),
    ) {
        let files = fixtures();
        let mut bytes = which.get(&files).clone();
        for (at, kind, byte) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => { bytes.remove(at); }
                2 => bytes.insert(at, byte),
                _ => bytes.truncate(at),
            }
        }
        read_all(&bytes);
    }
}
