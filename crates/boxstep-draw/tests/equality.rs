//! `diff` reports two behaviors as equal only if their models are equal.

use crate::common::read;
use boxstep_draw::diff::{Diff, What};
use boxstep_format::model::{BoxDef, MachineState, Project, StateMachine, Transition};
use boxstep_format::testing::{plugin_contents, project, without_spans};
use boxstep_format::write::write_xar;
use boxstep_format::{Limits, XarFile, read_xar};
use boxstep_types::{Sources, Span};
use proptest::prelude::*;
use proptest::sample::Index;

fn file(project: &Project, sources: &Sources) -> XarFile {
    let text = write_xar(project, sources).unwrap();
    read_xar("x.xar", text.as_bytes(), &Limits::default()).unwrap()
}

/// Returns true if the models are equal. `-0` and `0` are different texts, and reported.
fn equal(a: &XarFile, b: &XarFile) -> bool {
    let all = |f: &XarFile| (without_spans(&f.project), plugin_contents(&f.project, &f.sources));
    all(a) == all(b)
}

/// Calls a function for all boxes, to change them.
fn each(def: &mut BoxDef, act: &mut dyn FnMut(&mut BoxDef)) {
    act(def);
    let layers = def.timeline.iter_mut().flat_map(|t| &mut t.layers);
    layers.flat_map(|l| &mut l.keyframes).flat_map(|k| &mut k.diagram.boxes).for_each(|b| each(b, act));
}

/// Reverses one of the lists of a model, selected by `which`.
fn turn(def: &mut BoxDef, which: usize) {
    let Some(t) = &mut def.timeline else {
        return match which % 4 {
            0 => def.inputs.reverse(),
            1 => def.outputs.reverse(),
            2 => def.parameters.reverse(),
            _ => def.resources.reverse(),
        };
    };
    let curves = t.actuators.iter_mut().flat_map(|a| &mut a.curves);
    let keyframes = t.layers.iter_mut().flat_map(|l| &mut l.keyframes);
    match which % 8 {
        0 => t.layers.reverse(),
        1 => t.layers.iter_mut().for_each(|l| l.keyframes.reverse()),
        2 => keyframes.for_each(|k| k.diagram.boxes.reverse()),
        3 => keyframes.for_each(|k| k.diagram.links.reverse()),
        4 => keyframes.filter(|k| !k.diagram.links.is_empty()).for_each(|k| k.diagram.links.rotate_left(1)),
        5 => t.actuators.iter_mut().for_each(|a| a.curves.reverse()),
        6 => curves.for_each(|c| c.keys.reverse()),
        _ => def.bitmaps.reverse(),
    }
}

/// Returns a file in which one attribute's value is changed: to one with an additional space or line end, to another
/// number, to an empty one, or to the value of another attribute.
fn edited(text: &str, at: Index, how: usize, other: Index) -> String {
    let begins: Vec<usize> = text.match_indices("=\"").map(|(i, _)| i + 2).collect();
    let value = |i: usize| &text[i..i + text[i..].find('"').unwrap()];
    let (from, donor) = (begins[at.index(begins.len())], begins[other.index(begins.len())]);
    let old = value(from);
    let new = match how % 6 {
        0 => format!("{old} "),
        1 => format!("{old}&#10;"),
        2 => String::new(),
        3 => old.parse::<i64>().map_or_else(|_| format!(" {old}"), |n| (n + 1).to_string()),
        4 => old.parse::<i64>().map_or_else(|_| old.to_uppercase(), |n| (n + 60).to_string()),
        _ => value(donor).to_owned(),
    };
    format!("{}{new}{}", &text[..from], &text[from + old.len()..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_edit_that_the_model_keeps_is_told(
        (project, sources) in project(),
        at in any::<Index>(), how in 0..6_usize, other in any::<Index>(),
    ) {
        let before = file(&project, &sources);
        let text = edited(before.text(), at, how, other);
        if let Ok(after) = read_xar("x.xar", text.as_bytes(), &Limits::default()) {
            prop_assert!(equal(&before, &after) || !Diff::new(&before, &after).is_same(), "{}", text);
        }
    }

    #[test]
    fn any_other_order_is_told((project, sources) in project(), which in 0..8_usize) {
        let before = file(&project, &sources);
        let mut turned = project;
        each(&mut turned.root, &mut |def| turn(def, which));
        let after = file(&turned, &sources);
        prop_assert_eq!(equal(&before, &after), Diff::new(&before, &after).is_same());
        prop_assert!(Diff::new(&before, &before).is_same());
    }
}

const BOX: &str = r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><bitmap>a</bitmap>
<script language="4"><content><![CDATA[]]></content></script>
<Input name="in" type="1" type_size="1" nature="2" inner="0" tooltip="" id="1"/>
<Input name="on" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2"/>
<Parameter name="P" inherits_from_parent="0" content_type="3" value="v" default_value="" custom_choice="0" password="0" tooltip="" id="3"><Choice value="a"/></Parameter>
<Timeline enable="1"><BehaviorLayer name="a" mute="0"/><BehaviorLayer name="b" mute="0"/></Timeline></Box></ChoregrapheProject>"#;

/// Returns the old and new value of the only change between two versions of a box.
#[track_caller]
fn only_change(old: (&str, &str), new: (&str, &str)) -> (What, Option<String>, Option<String>) {
    let edition = |(from, to): (&str, &str)| {
        assert!(BOX.contains(from), "{from}");
        read(&BOX.replacen(from, to, 1))
    };
    let (a, b) = (edition(old), edition(new));
    let diff = Diff::new(&a, &b);
    let [change] = diff.changes() else { panic!("{:?}", diff.changes()) };
    let text = diff.text("a", "b", false);
    assert!(!text.contains("\u{1b}"));
    if let (Some(before), Some(after)) = (&change.before, &change.after) {
        assert_ne!(before, after);
        // The displayed texts differ too.
        let line = text.lines().find(|l| l.contains(" → ")).unwrap();
        let (left, right) = line.rsplit_once(": ").unwrap().1.split_once(" → ").unwrap();
        assert_ne!(left, right, "{line}");
    }
    (change.what, change.before.clone(), change.after.clone())
}

#[test]
fn what_reads_the_same_is_told_apart() {
    let some = |a: &str, b: &str| (Some(a.to_owned()), Some(b.to_owned()));
    let values = |old: (&str, &str), new: (&str, &str)| {
        let (_, before, after) = only_change(old, new);
        (before, after)
    };
    let name = "name=\"root\"";
    assert_eq!(values((name, "name=\"root \""), (name, name)), some("root ", "root"));
    assert_eq!(values((name, "name=\"r&#9;t\""), (name, "name=\"r t\"")), some("r\tt", "r t"));
    let nature = "nature=\"2\"";
    assert_eq!(values((nature, "nature=\"7\""), (nature, "nature=\"9\"")), some("unknown 7, bang", "unknown 9, bang"));
    let kind = "type=\"1\"";
    assert_eq!(values((kind, "type=\"70\""), (kind, "type=\"90\"")), some("start, unknown 70", "start, unknown 90"));
    let content = "content_type=\"3\"";
    assert_eq!(
        values((content, "content_type=\"40\""), (content, "content_type=\"41\"")),
        some("unknown 40", "unknown 41")
    );
    let language = "language=\"4\"";
    assert_eq!(values((language, "language=\"40\""), (language, "language=\"41\"")), some("unknown 40", "unknown 41"));
    let choice = "<Choice value=\"a\"/>";
    assert_eq!(
        values((choice, "<Choice value=\"a, b\"/>"), (choice, "<Choice value=\"a\"/><Choice value=\"b\"/>")),
        some("[\"a, b\"]", "[\"a\", \"b\"]")
    );
    let image = "<bitmap>a</bitmap>";
    assert_eq!(
        values((image, "<bitmap>a, b</bitmap>"), (image, "<bitmap>a</bitmap><bitmap>b</bitmap>")),
        some("[\"a, b\"]", "[\"a\", \"b\"]")
    );
    let tooltip = "tooltip=\"\" id=\"1\"";
    assert_eq!(values((tooltip, "tooltip=\"x\" id=\"1\""), (tooltip, "tooltip=\"x&#10;\" id=\"1\"")), some("x", "x\n"));
    // An empty script differs from a missing one.
    let script = "<script language=\"4\"><content><![CDATA[]]></content></script>";
    assert_eq!(values((script, script), (script, "")), some("Python", "none"));
}

#[test]
fn layers_and_ports_in_another_order_are_told() {
    let layers = "<BehaviorLayer name=\"a\" mute=\"0\"/><BehaviorLayer name=\"b\" mute=\"0\"/>";
    let turned = "<BehaviorLayer name=\"b\" mute=\"0\"/><BehaviorLayer name=\"a\" mute=\"0\"/>";
    assert_eq!(only_change((layers, layers), (layers, turned)), (What::Order, None, None));
    let ports = "name=\"in\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"1\"/>\n<Input name=\"on\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"2\"";
    let turned = "name=\"on\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"2\"/>\n<Input name=\"in\" type=\"1\" type_size=\"1\" nature=\"2\" inner=\"0\" tooltip=\"\" id=\"1\"";
    assert_eq!(only_change((ports, ports), (ports, turned)), (What::Order, None, None));
}

/// Only split folders contain a state machine, so edits of a `.xar` do not cover it.
#[test]
fn another_state_machine_is_told() {
    let with = |timeout: Option<i32>| {
        let mut file = read(BOX);
        let span = Span::default();
        let state = |name: &str| MachineState {
            name: name.into(),
            begin: None,
            end: None,
            labels: vec![],
            boxes: vec![],
            links: vec![],
            span,
        };
        let transitions = vec![Transition { from: 0, to: 1, timeout, span }];
        let machine =
            StateMachine { states: vec![state("a"), state("b")], initial: 0, finals: vec![1], transitions, span };
        file.project.root.timeline.as_mut().unwrap().machine = Some(machine);
        file
    };
    let (a, b) = (with(None), with(Some(5)));
    assert!(Diff::new(&a, &a).is_same());
    assert_eq!(Diff::new(&a, &b).changes()[0].name, "state machine");
}
