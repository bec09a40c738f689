//! Any model that a file can express survives a round trip through every format of a behavior.

use boxstep_format::archive::{ArchiveKind, Entry, pack};
use boxstep_format::model::{BoxDef, CurveUnit, ParameterType, Project, ScriptLanguage};
use boxstep_format::output::OutputFolder;
use boxstep_format::testing::{assert_same, laws, small_project};
use boxstep_format::write::write_xar;
use boxstep_format::{Limits, XarFile, read_xar, split};
use boxstep_types::Sources;
use encoding_rs::{Encoding, ISO_8859_2, SHIFT_JIS, WINDOWS_1252};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use std::collections::BTreeSet;
use std::path::Path;

const PML: &[u8] = br#"<Package name="p"><BehaviorDescriptions><BehaviorDescription name="behavior" src="dance" xar="behavior.xar"/></BehaviorDescriptions></Package>"#;

fn entry(name: &str, bytes: &[u8]) -> Entry {
    Entry { name: name.into(), bytes: bytes.to_vec(), executable: false }
}

/// A project with one behavior.
fn project(xar: &str) -> Vec<Entry> {
    vec![entry("p.pml", PML), entry("dance/behavior.xar", xar.as_bytes())]
}

/// Opens a path and reads its only behavior.
fn opened(path: &Path) -> XarFile {
    let limits = Limits::default();
    let opened = boxstep_format::open(path, &limits).unwrap_or_else(|e| panic!("{e}"));
    opened.default_behavior().unwrap().read(&limits).unwrap_or_else(|e| panic!("{e}"))
}

fn same(model: &(Project, Sources), file: &XarFile) {
    assert_same((&model.0, &model.1), (&file.project, &file.sources));
}

fn folder(path: &Path, entries: &[Entry]) {
    let mut out = OutputFolder::new(path, false).unwrap();
    entries.iter().for_each(|e| out.add(e).unwrap());
    out.finish().unwrap();
}

/// Removes characters that an encoding lacks from a text.
fn sayable(text: &str, encoding: &'static Encoding) -> String {
    let says = |c: char| {
        let c = c.to_string();
        let (bytes, _, unmappable) = encoding.encode(&c);
        !unmappable && encoding.decode_without_bom_handling(&bytes).0 == c
    };
    text.chars().map(|c| if says(c) { c } else { '?' }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_model_comes_back_from_archives_and_folders(model in small_project()) {
        let text = write_xar(&model.0, &model.1).unwrap();
        let place = tempfile::tempdir().unwrap();
        for (kind, name) in [(ArchiveKind::Crg, "x.crg"), (ArchiveKind::Pkg, "x.pkg"), (ArchiveKind::Cbl, "x.cbl")] {
            let path = place.path().join(name);
            std::fs::write(&path, pack(kind, "p", &project(&text)).unwrap()).unwrap();
            same(&model, &opened(&path));
        }
        let whole = place.path().join("whole");
        folder(&whole, &project(&text));
        same(&model, &opened(&whole.join("p.pml")));
        same(&model, &opened(&whole.join("dance")));
        let alone = place.path().join("alone.xar");
        std::fs::write(&alone, &text).unwrap();
        same(&model, &opened(&alone));
        let written = split::write(&opened(&alone), &Limits::default()).unwrap();
        let small = place.path().join("split");
        folder(&small, &written.iter().map(|(name, bytes)| entry(name, bytes)).collect::<Vec<_>>());
        same(&model, &opened(&small));
        let mut inside = vec![entry("p.pml", PML)];
        inside.extend(written.iter().map(|(name, bytes)| entry(&format!("dance/{name}"), bytes)));
        let packed = place.path().join("split.crg");
        std::fs::write(&packed, pack(ArchiveKind::Crg, "p", &inside).unwrap()).unwrap();
        same(&model, &opened(&packed));
    }

    #[test]
    fn any_model_keeps_the_law_of_split_folders(model in small_project()) {
        let text = write_xar(&model.0, &model.1).unwrap();
        let file = read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap();
        let written = split::write(&file, &Limits::default()).unwrap();
        let again = split::read("folder", &written, &Limits::default()).unwrap();
        same(&model, &again);
        laws::split_folder(&written);
    }

    #[test]
    fn any_model_comes_back_from_other_encodings(model in small_project()) {
        let text = write_xar(&model.0, &model.1).unwrap();
        let encodings: [(&str, &'static Encoding); 3] =
            [("ISO-8859-1", WINDOWS_1252), ("ISO-8859-2", ISO_8859_2), ("Shift_JIS", SHIFT_JIS)];
        for (name, encoding) in encodings {
            let text = sayable(&text, encoding);
            let declared = text.replacen("UTF-8", name, 1);
            prop_assert!(declared.contains(name));
            let file = read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap();
            let encoded = read_xar("x.xar", &encoding.encode(&declared).0, &Limits::default()).unwrap();
            assert_same((&file.project, &file.sources), (&encoded.project, &encoded.sources));
        }
        for wide in [u16::to_le_bytes, u16::to_be_bytes] {
            let units = "\u{FEFF}".encode_utf16().chain(text.encode_utf16());
            let bytes: Vec<u8> = units.flat_map(wide).collect();
            same(&model, &read_xar("x.xar", &bytes, &Limits::default()).unwrap());
        }
    }
}

/// Collects the features of a box and its contents that are easily lost.
fn features(def: &BoxDef, met: &mut BTreeSet<&'static str>) {
    let mut meet = |feature, has: bool| {
        if has {
            met.insert(feature);
        }
    };
    meet("empty name", def.name.is_empty());
    meet("name of a device", matches!(&*def.name, "CON" | "nul.txt"));
    meet("name with slashes", def.name.contains('/') && def.name.contains('\\'));
    meet("name in other letters", !def.name.is_ascii());
    meet("script with CRLF", def.script.as_ref().is_some_and(|s| s.text.contains("\r\n")));
    meet("script in another language", def.script.as_ref().is_some_and(|s| s.language == ScriptLanguage::QiChat));
    meet("plugin content", def.plugin_content.is_some());
    meet("dialog file", def.dialog_file.is_some());
    meet("resource", !def.resources.is_empty());
    meet("choices", def.parameters.iter().any(|p| !p.choices.is_empty()));
    meet("localized text", def.parameters.iter().any(|p| p.content_type == ParameterType::Localized));
    let Some(timeline) = &def.timeline else { return };
    let curves = || timeline.actuators.iter().flat_map(|a| &a.curves);
    meet("tangents", curves().flat_map(|c| &c.keys).any(|k| k.left.is_some() && k.right.is_some()));
    meet("percent", curves().any(|c| c.unit == CurveUnit::Percent));
    meet("several layers", timeline.layers.iter().filter(|l| !l.mute && !l.keyframes.is_empty()).count() > 1);
    meet("muted layer", timeline.layers.iter().any(|l| l.mute && !l.keyframes.is_empty()));
    if let Some(machine) = &timeline.machine {
        meet("TimeOut", machine.transitions.iter().any(|t| t.timeout.is_some()));
        meet("no TimeOut", machine.transitions.iter().any(|t| t.timeout.is_none()));
        meet("state with boxes and links", machine.states.iter().any(|s| !s.boxes.is_empty() && !s.links.is_empty()));
    }
    for keyframe in timeline.layers.iter().flat_map(|l| &l.keyframes) {
        let boxes = &keyframe.diagram.boxes;
        let names: BTreeSet<String> = boxes.iter().map(|b| b.name.to_lowercase()).collect();
        meet("names that collide", names.len() < boxes.len());
        let inside = |b: &BoxDef| b.timeline.iter().flat_map(|t| &t.layers).any(|l| !l.keyframes.is_empty());
        meet("nested diagrams", boxes.iter().any(inside));
    }
    timeline.layers.iter().flat_map(|l| &l.keyframes).flat_map(|k| &k.diagram.boxes).for_each(|b| features(b, met));
}

#[test]
fn the_models_have_what_is_easy_to_lose() {
    let mut runner = TestRunner::deterministic();
    let mut met = BTreeSet::new();
    for _ in 0..600 {
        features(&boxstep_format::testing::project().new_tree(&mut runner).unwrap().current().0.root, &mut met);
    }
    let all = [
        "TimeOut",
        "choices",
        "dialog file",
        "empty name",
        "localized text",
        "muted layer",
        "name in other letters",
        "name of a device",
        "name with slashes",
        "names that collide",
        "nested diagrams",
        "no TimeOut",
        "percent",
        "plugin content",
        "resource",
        "script in another language",
        "script with CRLF",
        "several layers",
        "state with boxes and links",
        "tangents",
    ];
    assert!(met.iter().eq(&all), "{met:?}");
}
