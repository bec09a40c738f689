//! Any file survives a round trip through a folder, and no folder makes the reader panic.

use super::round::trip;
use super::{files, repository, write, xar};
use boxstep_format::Limits;
use boxstep_format::split::{self, Folder};
use boxstep_format::testing::laws;
use proptest::collection::vec;
use proptest::prelude::*;

/// Generates attribute values and texts that are easily mishandled.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec!["", "1", "2", "3", "0", "-1", "foo", "Foo", "foo timeline", "foo_state_0", "None", "onStart"])
            .prop_map(str::to_owned),
        1 => "[ -~]{0,6}",
        1 => "[\\n\\t é日<&>\"']{0,3}",
    ]
}

fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\t' => out.push_str(&format!("&#{};", c as u32)),
            c => out.push(c),
        }
    }
    out
}

fn element(
    name: &'static str,
    attributes: &'static [&'static str],
    inside: BoxedStrategy<String>,
) -> BoxedStrategy<String> {
    let values = vec(proptest::option::of(word()), attributes.len());
    (values, inside)
        .prop_map(move |(values, inside)| {
            let mut tag = format!("<{name}");
            for (a, v) in attributes.iter().zip(values) {
                if let Some(v) = v {
                    tag += &format!(" {a}=\"{}\"", escape(&v));
                }
            }
            if inside.is_empty() { tag + "/>" } else { format!("{tag}>{inside}</{name}>") }
        })
        .boxed()
}

fn some(of: Vec<BoxedStrategy<String>>, most: usize) -> BoxedStrategy<String> {
    vec(proptest::strategy::Union::new(of), 0..=most).prop_map(|v| v.join("\n")).boxed()
}

fn nothing() -> BoxedStrategy<String> {
    Just(String::new()).boxed()
}

fn comment() -> BoxedStrategy<String> {
    "[a-z ]{0,5}".prop_map(|c| format!("<!--{c}-->")).boxed()
}

fn script() -> BoxedStrategy<String> {
    let text =
        "[ -~\\n\\t\u{FEFF}é]{0,12}".prop_map(|t| format!("<![CDATA[{}]]>", t.replace("]]>", "]]]]><![CDATA[>")));
    let plain = word().prop_map(|w| escape(&w));
    let inside = some(vec![text.boxed(), plain.boxed(), comment()], 3);
    let content = element("content", &[], inside);
    element("script", &["language"], some(vec![content, comment()], 2))
}

/// Generates a box with boxes inside, in any order, with anything between them.
fn a_box(depth: u32) -> BoxedStrategy<String> {
    let port = &["name", "type", "type_size", "nature", "inner", "tooltip", "id"];
    let mut inside = vec![
        element("Input", port, nothing()),
        element("Output", port, nothing()),
        element(
            "Parameter",
            &["name", "content_type", "value", "id"],
            some(vec![element("Choice", &["value"], nothing())], 2),
        ),
        element("Resource", &["name", "type", "timeout"], nothing()),
        element("bitmap", &[], word().prop_map(|w| escape(&w)).boxed()),
        element("pluginContent", &[], word().prop_map(|w| escape(&w)).boxed()),
        element("strange", &["name"], nothing()),
        comment(),
        script(),
    ];
    if depth > 0 {
        inside.push(timeline(depth));
        inside.push(timeline(depth));
    }
    element("Box", &["name", "id", "tooltip", "x", "content", "bitmap"], some(inside, 6))
}

fn timeline(depth: u32) -> BoxedStrategy<String> {
    let link = element("Link", &["inputowner", "indexofinput", "outputowner", "indexofoutput"], nothing());
    let strange = element("Object", &["Name"], nothing());
    let diagram = element(
        "Diagram",
        &["scale", "State"],
        some(vec![a_box(depth - 1), a_box(depth - 1), link, strange, comment()], 5),
    );
    let keyframe = element("BehaviorKeyframe", &["name", "index", "bitmap"], some(vec![diagram, comment()], 2));
    let layer = element("BehaviorLayer", &["name", "mute"], some(vec![keyframe, comment()], 3));
    let key = element("Key", &["frame", "value"], nothing());
    let list =
        element("ActuatorList", &["model"], some(vec![element("ActuatorCurve", &["actuator"], some(vec![key], 2))], 2));
    let flag = element("Flag", &["begin_frame"], nothing());
    element("Timeline", &["enable", "fps", "start_frame", "end_frame"], some(vec![layer, list, flag, comment()], 3))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_file_comes_back(root in a_box(2), around in some(vec![comment()], 1)) {
        let text = format!("<ChoregrapheProject xar_version=\"3\">{around}{root}</ChoregrapheProject>");
        prop_assert!(xar(text.as_bytes()).is_some(), "{}", text);
        prop_assert_eq!(trip(text.as_bytes()), None, "{}", text);
    }

    #[test]
    fn any_model_comes_back_through_a_folder((model, sources) in boxstep_format::testing::small_project()) {
        let text = boxstep_format::write::write_xar(&model, &sources).unwrap();
        let back = super::read(&write(&xar(text.as_bytes()).unwrap()));
        boxstep_format::testing::assert_same((&model, &sources), (&back.project, &back.sources));
    }

    #[test]
    fn what_is_read_of_a_damaged_folder_can_be_written(
        which in any::<prop::sample::Index>(), file in any::<prop::sample::Index>(), at in any::<prop::sample::Index>(),
        with in "[<>&\"/ a-z0-9\\n\\x00é]{0,8}", remove in 0usize..40,
    ) {
        let folders = folders();
        let mut folder: Folder = which.get(&folders).clone();
        let names: Vec<String> = folder.keys().cloned().collect();
        let bytes = folder.get_mut(file.get(&names)).unwrap();
        if !bytes.is_empty() {
            let at = at.index(bytes.len());
            let end = (at + remove).min(bytes.len());
            bytes.splice(at..end, with.bytes());
        }
        laws::split_folder(&folder);
    }
}

/// Returns the folders of the examples and fixtures.
fn folders() -> Vec<Folder> {
    static FOLDERS: std::sync::OnceLock<Vec<Folder>> = std::sync::OnceLock::new();
    let all = || {
        let mut found: Vec<Folder> = Vec::new();
        for path in files(&repository().join("examples"), "xar") {
            found.push(write(&xar(&std::fs::read(path).unwrap()).unwrap()));
        }
        for path in files(&repository().join("crates/boxstep-format/tests/fixtures"), "xar") {
            found.extend(xar(&std::fs::read(path).unwrap()).map(|f| write(&f)));
        }
        found
    };
    FOLDERS.get_or_init(all).clone()
}

#[test]
fn a_folder_that_leads_round_or_very_deep_ends() {
    let mut folder = Folder::new();
    let put = |folder: &mut Folder, name: String, text: String| folder.insert(name, text.into_bytes());
    for n in 0..300 {
        let name = if n == 0 { "l0_root".to_owned() } else { format!("l{n}_x") };
        put(&mut folder, format!("{name}.xml"), format!("<Box name=\"x\" id=\"{n}\"/>"));
        put(
            &mut folder,
            format!("{name}_state_machine.xml"),
            format!("<StateMachine><State Name=\"{name}_s\"/></StateMachine>"),
        );
        let state = format!("<State><Object Name=\"l{}_x\"/><Interval begin=\"1\" end=\"2\"/></State>", n + 1);
        put(&mut folder, format!("{name}_s.xml"), state);
    }
    let error = split::read("folder", &folder, &Limits::default()).unwrap_err();
    assert!(error.to_string().contains("elements inside each other"), "{error}");
    // A box that contains itself.
    let mut round = Folder::new();
    put(&mut round, "l0_root.xml".into(), "<Box name=\"x\" id=\"1\"/>".into());
    put(&mut round, "l0_root_state_machine.xml".into(), "<StateMachine><State Name=\"s\"/></StateMachine>".into());
    put(&mut round, "s.xml".into(), "<State><Object Name=\"l0_root\"/></State>".into());
    let file = split::read("folder", &round, &Limits::default()).unwrap();
    assert!(file.findings.iter().any(|f| f.code.name == "split-box-twice"));
}
