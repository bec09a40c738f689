//! The expected result of reading each fixture. `fixtures/README.md` has a line for every file.

use boxstep_format::model::*;
use boxstep_format::resolve::{End, LinkFault, PortRef, Side, resolve};
use boxstep_format::{Limits, XarFile, codes, param_value, paths, read_xar};
use boxstep_types::{BoxPath, Code, Severity, Value};
use std::path::Path;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

fn read(name: &str) -> XarFile {
    read_xar(name, &bytes(name), &Limits::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Reads a file that must have no findings.
fn clean(name: &str) -> XarFile {
    let file = read(name);
    assert!(file.findings.is_empty(), "{name}: {:#?}", file.findings);
    file
}

/// Reads a file that must have exactly these findings, each with a place in the text.
fn with_findings(name: &str, codes: &[Code]) -> XarFile {
    let file = read(name);
    assert_eq!(file.findings.iter().map(|d| d.code).collect::<Vec<_>>(), codes, "{name}: {:#?}", file.findings);
    for finding in &file.findings {
        assert!(!file.sources.slice(finding.span.unwrap()).is_empty(), "{name}: {finding}");
    }
    file
}

fn root(file: &XarFile) -> &BoxDef {
    &file.project.root
}

fn script(file: &XarFile) -> &Script {
    root(file).script.as_ref().unwrap()
}

fn timeline(file: &XarFile) -> &Timeline {
    root(file).timeline.as_ref().unwrap()
}

fn curve(file: &XarFile) -> &ActuatorCurve {
    &timeline(file).actuators.as_ref().unwrap().curves[0]
}

#[test]
fn every_fixture_has_a_line_in_the_readme() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let readme = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".xar") {
            files += 1;
            assert!(readme.contains(&format!("| `{name}` |")), "{name} has no line");
        }
    }
    assert_eq!(readme.matches(".xar` |").count(), files);
}

#[test]
fn roots() {
    for name in ["root-aldebaran.xar", "root-softbank.xar", "root-no-namespace.xar", "root-prefix.xar"] {
        let file = clean(name);
        assert_eq!((file.project.kind, file.project.version), (ProjectKind::Project, Some(3)), "{name}");
        assert_eq!((&*root(&file).name, root(&file).id), ("root", -1), "{name}");
    }
    assert_eq!(root(&clean("root-prefix.xar")).bitmaps, ["a.png"]);
    assert_eq!(clean("root-library-box.xar").project.kind, ProjectKind::LibraryBox);
    assert_eq!(&*clean("root-resources.xar").project.resources[0].name, "Dialog");
    with_findings("root-other-namespace.xar", &[codes::UNKNOWN_NAMESPACE]);
    assert_eq!(with_findings("root-no-version.xar", &[codes::MISSING_ATTRIBUTE]).project.version, None);
    assert_eq!(&*root(&with_findings("root-second-box.xar", &[codes::REPEATED_ELEMENT])).name, "root");
}

#[test]
fn what_cannot_be_read_is_refused_with_a_place() {
    let cases = [
        ("fatal-version-2.xar", codes::UNSUPPORTED_VERSION, "2"),
        ("fatal-format-4.xar", codes::UNSUPPORTED_VERSION, "4"),
        ("fatal-no-box.xar", codes::NO_ROOT_BOX, "<ChoregrapheProject"),
        ("fatal-animation.xar", codes::WRONG_ROOT, "<Animation"),
        ("fatal-doctype.xar", codes::DOCTYPE, "<!DOCTYPE a [<!ENTITY e \"x\">]>"),
        ("fatal-entity.xar", codes::UNKNOWN_ENTITY, "nbsp;b"),
        ("fatal-unclosed.xar", codes::NOT_XML, "<Box"),
        ("fatal-mismatch.xar", codes::NOT_XML, "<"),
        ("fatal-two-attributes.xar", codes::NOT_XML, "name"),
        ("fatal-two-roots.xar", codes::NOT_XML, "<a/>"),
        ("fatal-text-outside.xar", codes::NOT_XML, "hello "),
        ("fatal-empty.xar", codes::NOT_XML, ""),
        ("fatal-nul.xar", codes::NOT_XML, "\0"),
    ];
    for (name, code, at) in cases {
        let error = read_xar(name, &bytes(name), &Limits::default()).unwrap_err();
        assert_eq!((error.code(), error.sources().slice(error.span().unwrap())), (code, at), "{error}");
        assert!(error.to_string().starts_with(&format!("{name}:")), "{error}");
        assert_eq!(error.diagnostic().severity, Severity::Error);
    }
    let error = read_xar("x.xar", &bytes("fatal-latin1-undeclared.xar"), &Limits::default()).unwrap_err();
    assert_eq!((error.code(), error.span()), (codes::BAD_ENCODING, None));
    assert_eq!(error.to_string(), "x.xar: byte 47 is not UTF-8 text");
}

#[test]
fn encodings() {
    for name in ["encoding-bom.xar", "encoding-latin1.xar", "encoding-utf16.xar"] {
        let file = clean(name);
        assert_eq!(&*root(&file).name, "été", "{name}");
        assert!(file.sources.slice(root(&file).span).starts_with("<Box name=\"été\""), "{name}");
    }
    let file = clean("encoding-crlf.xar");
    assert_eq!(&*script(&file).text, "a = 1\r\nb = 2\r\n");
    assert_eq!(file.sources.line_col(file.file, script(&file).text_span.start).line, 6);
}

#[test]
fn box_attributes_and_content() {
    let file = clean("box-attributes.xar");
    let b = root(&file);
    assert_eq!((b.localization, b.plugin.as_str()), (Some(8), "textedit_plugin"));
    assert_eq!((b.robot.as_deref(), b.bitmap_expanded), (Some("nao"), Some(true)));
    assert_eq!(b.bitmaps, ["media/images/box/root.png", "media/other.png"]);
    let file = clean("box-plugin-content.xar");
    let span = root(&file).plugin_content.unwrap();
    assert_eq!(file.sources.slice(span), "<pluginContent><Box name=\"not a box\"/><text>Hello</text></pluginContent>");
    let raw = file.raw().starting_at(span.start).unwrap();
    assert_eq!(raw.elements().map(|e| e.content().into_owned()).collect::<Vec<_>>(), ["", "Hello"]);
    assert_eq!(root(&clean("box-dialog-file.xar")).dialog_file.as_deref(), Some("../topic/topic.dlg"));
    let file = with_findings("box-unknown.xar", &[codes::UNKNOWN_ATTRIBUTE, codes::UNKNOWN_ELEMENT]);
    assert!(root(&file).inputs.is_empty());
    let seen: Vec<_> = file.raw().all().filter(|n| n.name() == "Extra").collect();
    assert_eq!(seen[0].attribute("thing").as_deref(), Some("1"), "the raw view keeps it");
    let file = with_findings("box-duplicate-ports.xar", &[codes::DUPLICATE_ID]);
    assert_eq!(file.findings[0].notes.len(), 1);
}

#[test]
fn script_languages() {
    let all = [
        ("language-0-cpp.xar", ScriptLanguage::Cpp),
        ("language-1-urbi.xar", ScriptLanguage::Urbi),
        ("language-2-ruby.xar", ScriptLanguage::Ruby),
        ("language-3-dynamic-library.xar", ScriptLanguage::DynamicLibrary),
        ("language-4-python.xar", ScriptLanguage::Python),
        ("language-5-qichat.xar", ScriptLanguage::QiChat),
        ("language-6-none.xar", ScriptLanguage::None),
    ];
    for (name, language) in all {
        assert_eq!(script(&clean(name)).language, language, "{name}");
    }
    let file = with_findings("language-7-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(script(&file).language, ScriptLanguage::Unknown(7));
}

#[test]
fn script_text_is_the_authors_own() {
    let file = clean("script-layout.xar");
    let s = script(&file);
    assert_eq!(&*s.text, "class MyClass(GeneratedClass):\n    pass\n");
    assert_eq!(file.sources.slice(s.text_span), &*s.text);
    assert_eq!(file.sources.line_col(file.file, s.text_span.start).line, 6);
    assert_eq!(&*script(&clean("script-two-sections.xar")).text, "a = \"]]>\"\n");
    let file = clean("script-escaped.xar");
    assert_eq!(&*script(&file).text, "if 1 < 2 && 3:\n    pass");
    assert_eq!(file.sources.line_col(file.file, script(&file).text_span.start).line, 6);
    let file = with_findings("script-stray-text.xar", &[codes::STRAY_TEXT]);
    assert_eq!((&*script(&file).text, file.sources.slice(file.findings[0].span.unwrap())), ("y", "x"));
    assert_eq!(&*script(&clean("script-empty.xar")).text, "");
}

#[test]
fn port_types_and_natures() {
    let types = [
        ("port-type-0-dynamic.xar", PortType::Dynamic),
        ("port-type-1-bang.xar", PortType::Bang),
        ("port-type-2-number.xar", PortType::Number),
        ("port-type-3-string.xar", PortType::String),
        ("port-type-4-bitmap.xar", PortType::Bitmap),
        ("port-type-5-sound.xar", PortType::Sound),
    ];
    for (name, port_type) in types {
        let file = clean(name);
        let (i, o) = (&root(&file).inputs[0], &root(&file).outputs[0]);
        assert_eq!((i.port_type, i.type_size, o.port_type, o.type_size), (port_type, 1, port_type, 3), "{name}");
    }
    let file = with_findings("port-type-6-unknown.xar", &[codes::UNKNOWN_CODE, codes::UNKNOWN_CODE]);
    assert_eq!(root(&file).inputs[0].port_type, PortType::Unknown(6));

    let inputs = [
        ("input-nature-0-onload.xar", InputNature::OnLoad),
        ("input-nature-1-event.xar", InputNature::OnEvent),
        ("input-nature-2-onstart.xar", InputNature::OnStart),
        ("input-nature-3-onstop.xar", InputNature::OnStop),
        ("input-nature-4-memory.xar", InputNature::Memory),
    ];
    for (name, nature) in inputs {
        let file = clean(name);
        let i = &root(&file).inputs[0];
        assert_eq!((i.nature, i.id, i.tooltip.as_str()), (nature, 2, "tip"), "{name}");
        assert_eq!(i.inner, matches!(nature, InputNature::OnLoad | InputNature::Memory), "{name}");
        assert_eq!(i.memory_key.as_deref(), (nature == InputNature::Memory).then_some("FaceDetected"), "{name}");
    }
    let file = with_findings("input-nature-5-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(root(&file).inputs[0].nature, InputNature::Unknown(5));

    let outputs = [
        ("output-nature-0-undefined.xar", OutputNature::Undefined),
        ("output-nature-1-onstopped.xar", OutputNature::OnStopped),
        ("output-nature-2-punctual.xar", OutputNature::Punctual),
        ("output-nature-3-recurrent.xar", OutputNature::Recurrent),
    ];
    for (name, nature) in outputs {
        assert_eq!(root(&clean(name)).outputs[0].nature, nature, "{name}");
    }
    let file = with_findings("output-nature-4-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(root(&file).outputs[0].nature, OutputNature::Unknown(4));
}

#[test]
fn port_names_and_gaps() {
    let file = clean("port-names.xar");
    let names: Vec<&str> = root(&file).inputs.iter().map(|i| &*i.name).collect();
    assert_eq!(names, ["FaceDetection/FaceDetected", "Stop Script(2.3~)_onStart & é"]);
    let file = with_findings("port-missing.xar", &[codes::MISSING_ATTRIBUTE; 15]);
    let b = root(&file);
    assert_eq!((b.inputs[0].id, b.outputs[0].id, b.parameters[0].id), (NO_ID, NO_ID, NO_ID));
}

#[test]
fn parameters() {
    let all = [
        ("parameter-type-0-bool.xar", ParameterType::Bool, Value::Bool(true)),
        ("parameter-type-1-int.xar", ParameterType::Int, Value::Int(-5)),
        ("parameter-type-2-float.xar", ParameterType::Float, Value::Float(0.5)),
        ("parameter-type-3-string.xar", ParameterType::String, Value::from("two words")),
        ("parameter-type-4-file.xar", ParameterType::File, Value::from("/sounds/a.wav")),
        ("parameter-type-5-localized.xar", ParameterType::Localized, Value::from("Hello")),
    ];
    for (name, content_type, value) in all {
        let file = clean(name);
        let p = &root(&file).parameters[0];
        assert_eq!((p.content_type, param_value(p)), (content_type, Ok(value)), "{name}");
        assert_eq!(file.sources.slice(p.value_span), &*p.value, "{name}");
        assert_eq!((&*p.default_value, p.tooltip.as_str(), p.id), ("0", "tip", 4));
    }
    let file = with_findings("parameter-type-6-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(root(&file).parameters[0].content_type, ParameterType::Unknown(6));
    let file = clean("parameter-range.xar");
    let p = &root(&file).parameters[0];
    assert_eq!((p.min, p.max, p.inherits_from_parent), (Some(50.0), Some(200.0), true));
    let file = clean("parameter-choices.xar");
    let p = &root(&file).parameters[0];
    assert_eq!((p.choices.join(","), p.custom_choice, p.password), ("Left,Both".into(), true, true));
    let file = clean("parameter-line-ends.xar");
    assert_eq!(&*root(&file).parameters[0].value, "one\ntwo\tthree four");
}

#[test]
fn resources() {
    let all = [
        ("resource-lock.xar", ResourceMode::Lock),
        ("resource-stop.xar", ResourceMode::StopOnDemand),
        ("resource-pause.xar", ResourceMode::PauseOnDemand),
        ("resource-pause-beta.xar", ResourceMode::PauseOnDemand),
        ("resource-callback.xar", ResourceMode::CallbackOnDemand),
        ("resource-0-lock.xar", ResourceMode::Lock),
        ("resource-1-stop.xar", ResourceMode::StopOnDemand),
        ("resource-2-pause.xar", ResourceMode::PauseOnDemand),
        ("resource-3-callback.xar", ResourceMode::CallbackOnDemand),
        ("resource-lock-underscore.xar", ResourceMode::Lock),
        ("resource-stop-underscore.xar", ResourceMode::StopOnDemand),
        ("resource-pause-underscore.xar", ResourceMode::PauseOnDemand),
        ("resource-callback-underscore.xar", ResourceMode::CallbackOnDemand),
    ];
    for (name, mode) in all {
        let file = clean(name);
        let r = &root(&file).resources[0];
        assert_eq!((&*r.name, r.mode), ("All motors", Some(mode)), "{name}");
    }
    assert_eq!(root(&clean("resource-pause-beta.xar")).resources[0].timeout, 20.0);
    assert_eq!(root(&clean("resource-stop-underscore.xar")).resources[0].timeout, -1.0);
    let file = with_findings("resource-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!((root(&file).resources[0].mode, root(&file).resources[0].mode_text.as_str()), (None, "Borrow"));
}

#[test]
fn timelines() {
    let all = [
        ("acquisition-0-passive.xar", ResourceAcquisition::Passive),
        ("acquisition-1-waiting.xar", ResourceAcquisition::Waiting),
        ("acquisition-2-aggressive.xar", ResourceAcquisition::Aggressive),
    ];
    for (name, acquisition) in all {
        let file = clean(name);
        let t = timeline(&file);
        assert_eq!((t.enabled, t.acquisition), (true, acquisition), "{name}");
        assert_eq!(
            (t.fps, t.start_frame, t.end_frame, t.size, t.scale),
            (Some(25), Some(1), None, Some(300), Some(10))
        );
    }
    let file = with_findings("acquisition-3-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(timeline(&file).acquisition, ResourceAcquisition::Passive);
    let file = clean("timeline-disabled.xar");
    let t = timeline(&file);
    assert_eq!((t.enabled, t.fps, t.layers[0].keyframes[0].diagram.scale), (false, None, Some(100.0)));
    let file = clean("timeline-end-frame.xar");
    assert_eq!((timeline(&file).start_frame, timeline(&file).end_frame), (Some(0), Some(60)));
    let file = clean("layers.xar");
    let layers = &timeline(&file).layers;
    assert_eq!((&*layers[0].name, layers[0].mute, layers[1].mute), ("one", true, false));
    let keyframes: Vec<_> = layers[0].keyframes.iter().map(|k| (&*k.name, k.index, k.bitmap.as_deref())).collect();
    assert_eq!(keyframes, [("a", 1, Some("x.png")), ("b", 50, None)]);
}

#[test]
fn curves() {
    let units = [
        ("unit-minus-1-unspecified.xar", CurveUnit::Unspecified),
        ("unit-0-degree.xar", CurveUnit::Degree),
        ("unit-1-percent.xar", CurveUnit::Percent),
    ];
    for (name, unit) in units {
        let file = clean(name);
        let c = curve(&file);
        assert_eq!((c.unit, &*c.actuator, c.recordable, c.mute), (unit, "LHand", Some(true), false), "{name}");
        assert_eq!((c.keys[0].frame, c.keys[0].value, c.keys[0].left.is_none()), (25, 0.5, true), "{name}");
    }
    let file = clean("unit-absent.xar");
    assert_eq!((curve(&file).unit, curve(&file).mute), (CurveUnit::Unspecified, true));
    assert_eq!((curve(&file).always_visible, curve(&file).keys[0].value), (Some(true), -9.75));
    let file = with_findings("unit-2-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert_eq!(curve(&file).unit, CurveUnit::Unknown(2));

    let tangents = [
        ("tangent-constant.xar", Interpolation::Constant),
        ("tangent-linear.xar", Interpolation::Linear),
        ("tangent-bezier.xar", Interpolation::Bezier),
        ("tangent-bezier-auto.xar", Interpolation::BezierAuto),
        ("tangent-bezier-auto-words.xar", Interpolation::BezierAuto),
    ];
    for (name, interpolation) in tangents {
        let file = clean(name);
        let key = &curve(&file).keys[0];
        let (left, right) = (key.left.as_ref().unwrap(), key.right.as_ref().unwrap());
        assert_eq!((left.interpolation, left.abscissa, left.ordinate), (interpolation, -3.5, 2.0), "{name}");
        assert_eq!((right.interpolation, right.abscissa, right.ordinate), (interpolation, 3.5, -2.0), "{name}");
        assert_eq!((key.smooth, key.symmetrical), (Some(true), Some(false)), "{name}");
    }
    let file = with_findings("tangent-unknown.xar", &[codes::UNKNOWN_CODE]);
    assert!(curve(&file).keys[0].left.is_none() && curve(&file).keys[0].right.is_some());
    let file = with_findings("tangent-lone.xar", &[codes::LONE_TANGENT]);
    assert!(curve(&file).keys[0].left.is_none() && curve(&file).keys[0].right.is_some());
    let bad = [codes::BAD_NUMBER, codes::BAD_NUMBER, codes::MISSING_ATTRIBUTE, codes::BAD_NUMBER];
    let file = with_findings("key-bad-numbers.xar", &bad);
    assert_eq!(curve(&file).keys.iter().map(|k| (k.frame, k.value)).collect::<Vec<_>>(), [(28, 10.0)]);
}

#[test]
fn links_resolve() {
    let file = clean("links.xar");
    let diagram = &timeline(&file).layers[0].keyframes[0].diagram;
    let (a_start, a_stopped) = (End::Box(0, PortRef::Input(0)), End::Box(0, PortRef::Output(0)));
    let (b_start, b_stopped) = (End::Box(1, PortRef::Input(0)), End::Box(1, PortRef::Output(0)));
    let want = [
        (End::Parent(PortRef::Input(1)), a_start),
        (a_stopped, b_start),
        (a_stopped, End::Box(1, PortRef::Parameter(0))),
        (b_stopped, End::Parent(PortRef::Output(0))),
        (a_stopped, a_start),
        (b_stopped, End::Parent(PortRef::Parameter(0))),
    ];
    let routes: Vec<_> = resolve(root(&file), diagram).into_iter().map(|r| r.map(|r| (r.from, r.to))).collect();
    assert_eq!(routes, want.map(Ok));
}

#[test]
fn broken_links_say_why() {
    let file = with_findings("links-broken.xar", &[codes::MISSING_ATTRIBUTE]);
    let diagram = &timeline(&file).layers[0].keyframes[0].diagram;
    let faults: Vec<_> = resolve(root(&file), diagram).into_iter().map(|r| r.map_err(|e| (e.side, e.fault))).collect();
    let want = [
        (Side::To, LinkFault::NoBox(9)),
        (Side::To, LinkFault::NoPort(Some(0), 9)),
        (Side::To, LinkFault::WrongWay(Some(0), PortRef::Output(0))),
        (Side::From, LinkFault::WrongWay(None, PortRef::Output(0))),
        (Side::To, LinkFault::WrongWay(None, PortRef::Input(1))),
        (Side::From, LinkFault::WrongWay(Some(0), PortRef::Input(0))),
        (Side::From, LinkFault::NoNumber),
        (Side::From, LinkFault::WrongWay(Some(0), PortRef::Parameter(0))),
    ];
    assert_eq!(faults, want.map(Err));
    let error = resolve(root(&file), diagram)[2].clone().unwrap_err();
    let message = error.message(root(&file), diagram);
    assert_eq!(message, "the link ends at the output \"onStopped\" of the box \"A\", where no link can");
}

#[test]
fn the_published_descriptions_spellings_are_read() {
    let file = with_findings("other-spellings.xar", &[codes::OTHER_SPELLING; 6]);
    assert!(file.findings.iter().all(|f| f.severity == Severity::Note));
    assert_eq!((root(&file).bitmaps[0].as_str(), &*script(&file).text), ("a.png", "pass"));
    let t = timeline(&file);
    assert_eq!(t.acquisition, ResourceAcquisition::Aggressive);
    assert!(resolve(root(&file), &t.layers[0].keyframes[0].diagram)[0].is_ok());
}

#[test]
fn every_box_path_leads_back() {
    for (name, want) in [
        ("same-names.xar", &["root", "root/Say#1", "root/Say#2", r"root/a\/b", "root/#4"][..]),
        ("keyframe-paths.xar", &["root", "root/@l:k/A", "root/@l:k~2/A", "root/@l:k~2/B"][..]),
        ("links.xar", &["root", "root/A", "root/B"][..]),
    ] {
        let file = clean(name);
        let found: Vec<_> = paths::boxes(&file.project).collect();
        assert_eq!(found.iter().map(|b| b.path.to_string()).collect::<Vec<_>>(), want);
        for b in found {
            let path: BoxPath = b.path.to_string().parse().unwrap();
            let back = paths::find(&file.project, &path).unwrap();
            assert!(std::ptr::eq(back.def, b.def) && back.trail == b.trail, "{path}");
        }
    }
}

#[test]
fn a_path_may_leave_out_what_is_plain_and_errors_say_what_is_there() {
    let file = clean("keyframe-paths.xar");
    let find = |path: &str| {
        paths::find(&file.project, &path.parse().unwrap()).map(|b| b.path.to_string()).map_err(|e| e.to_string())
    };
    assert_eq!(find("root/B"), Ok("root/@l:k~2/B".into()));
    assert_eq!(find("root/@l:k/A#1"), Ok("root/@l:k/A".into()));
    assert_eq!(find("root/A"), Err("more than one box is meant: root/@l:k/A, root/@l:k~2/A".into()));
    assert_eq!(find("root/@l:k/B"), Err("there is no `B` in root, only root/@l:k/A".into()));
    assert_eq!(find("root/@l:x/B"), Err("there is no `@l:x` in root, only root/@l:k, root/@l:k~2".into()));
    assert_eq!(find("root/B/C"), Err("root/@l:k~2/B has no boxes inside, so there is no `C`".into()));
    assert_eq!(find("other"), Err("the root is not called `other` but root".into()));
}
