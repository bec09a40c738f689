//! A proptest strategy for models that covers everything a file can express, and nothing that no file can.

use crate::model::*;
use crate::read::LinkIndex;
use boxstep_types::{FileId, Sources, Span};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The source from which plugin contents are taken.
const PLUGINS: &str = "<pluginContent><text><![CDATA[Hello ]]></text></pluginContent>\
    <pluginContent><color>#00ff00</color></pluginContent>\
    <pluginContent />\
    <pluginContent><english> a &amp; b </english><!-- kept --><Box name=\"no box\" id=\"x\" /></pluginContent>";

/// Generates a project, with the texts that its plugin contents refer to.
pub fn project() -> impl Strategy<Value = (Project, Sources)> {
    of_depth(3)
}

/// Generates a project with one level of boxes inside the root, for tests that need many cases more than large ones.
pub fn small_project() -> impl Strategy<Value = (Project, Sources)> {
    of_depth(2)
}

fn of_depth(depth: u32) -> impl Strategy<Value = (Project, Sources)> {
    let kind = prop_oneof![Just(ProjectKind::Project), Just(ProjectKind::LibraryBox)];
    let parts = (kind, option::weighted(0.9, Just(3)), a_box(depth), vec(resource(), 0..2));
    parts.prop_map(|(kind, version, root, resources)| {
        let mut sources = Sources::new();
        sources.add("plugins.xml", PLUGINS);
        (Project { kind, version, root, resources, span: Span::default() }, sources)
    })
}

/// Generates any text that XML can express, often one that needs care.
fn text() -> BoxedStrategy<String> {
    let odd = prop_oneof![
        Just("]]>".to_owned()),
        Just("<&>\"'".to_owned()),
        Just("\r\n\t".to_owned()),
        Just("&#x0A;".to_owned()),
        Just("é文😀\u{85}\u{A0}".to_owned()),
        "[ -~]{0,12}".prop_map(|s| s),
    ];
    vec(odd, 0..4).prop_map(|parts| parts.concat()).boxed()
}

/// Generates a text without outer white space, as the reader returns paths.
fn path() -> impl Strategy<Value = String> {
    text().prop_map(|s| s.trim().to_owned())
}

/// Names that are equal on some system, not allowed on some system, or those of another file of a split folder.
const NAMES: [&str; 16] = [
    "",
    " ",
    "foo",
    "Foo",
    "FOO",
    "foo_1",
    "foo timeline",
    "foo_state_0",
    "foo state machine",
    "foo_unplayed_0",
    "CON",
    "nul.txt",
    "../a\\b/c:d",
    "日本",
    "e\u{301}",
    "\u{e9}",
];

fn name() -> impl Strategy<Value = Arc<str>> {
    let odd = proptest::sample::select(NAMES.as_slice()).prop_map(str::to_owned);
    prop_oneof![3 => "[A-Za-z]{1,8}", 1 => text(), 1 => odd].prop_map(Arc::from)
}

fn number() -> impl Strategy<Value = f64> {
    let float = any::<f64>().prop_filter("no file says it", |x| x.is_finite());
    prop_oneof![(-1000i32..1000).prop_map(f64::from), (-9e3..9e3f64), float]
}

/// Generates an id as files have them, or a missing one.
fn id() -> impl Strategy<Value = i32> {
    prop_oneof![8 => 0..40i32, 1 => Just(-1), 1 => Just(NO_ID)]
}

fn span() -> Just<Span> {
    Just(Span::default())
}

fn plugin() -> impl Strategy<Value = Option<Span>> {
    let starts: Vec<usize> = PLUGINS.match_indices("<pluginContent").map(|(at, _)| at).collect();
    let spans: Vec<Span> = starts
        .iter()
        .enumerate()
        .map(|(i, &start)| {
            let end = starts.get(i + 1).copied().unwrap_or(PLUGINS.len());
            Span { file: FileId(0), start: start as u32, end: end as u32 }
        })
        .collect();
    option::weighted(0.3, proptest::sample::select(spans))
}

fn a_box(depth: u32) -> BoxedStrategy<BoxDef> {
    let drawn = (name(), id(), text(), number(), number(), option::of(any::<i32>()));
    let old = (text(), option::of(text()), option::of(any::<bool>()), vec(path(), 0..3));
    let ports = (vec(input(), 0..4), vec(output(), 0..4), vec(parameter(), 0..3), vec(resource(), 0..3));
    let inside = (option::of(script()), option::of(timeline(depth)), option::of(path()), plugin());
    (drawn, old, ports, inside)
        .prop_map(|(drawn, old, ports, inside)| {
            let (name, id, tooltip, x, y, localization) = drawn;
            let (plugin, robot, bitmap_expanded, bitmaps) = old;
            let (inputs, outputs, parameters, resources) = ports;
            let (script, timeline, dialog_file, plugin_content) = inside;
            BoxDef {
                name,
                id,
                tooltip,
                x,
                y,
                localization,
                plugin,
                robot,
                bitmap_expanded,
                bitmaps,
                script,
                inputs,
                outputs,
                parameters,
                resources,
                timeline,
                dialog_file,
                plugin_content,
                span: Span::default(),
            }
        })
        .boxed()
}

fn script() -> impl Strategy<Value = Script> {
    let language = prop_oneof![
        8 => Just(ScriptLanguage::Python),
        1 => Just(ScriptLanguage::QiChat),
        1 => Just(ScriptLanguage::None),
        1 => (7..99i32).prop_map(ScriptLanguage::Unknown),
    ];
    let source = prop_oneof![Just("class MyClass(GeneratedClass):\n\tpass\r\n".to_owned()), text()];
    (language, source).prop_map(|(language, text)| Script {
        is_program: false,
        args: None,
        language,
        text: text.into(),
        text_span: Span::default(),
        span: Span::default(),
    })
}

fn port_type() -> impl Strategy<Value = PortType> {
    prop_oneof![
        Just(PortType::Dynamic),
        Just(PortType::Bang),
        Just(PortType::Number),
        Just(PortType::String),
        Just(PortType::Bitmap),
        Just(PortType::Sound),
        (6..99i32).prop_map(PortType::Unknown),
    ]
}

prop_compose! {
    fn input()(
        name in name(), id in id(), port_type in port_type(), type_size in 0..9i32,
        nature in prop_oneof![
            Just(InputNature::OnLoad), Just(InputNature::OnEvent), Just(InputNature::OnStart),
            Just(InputNature::OnStop), Just(InputNature::Memory), (5..99i32).prop_map(InputNature::Unknown),
        ],
        inner in any::<bool>(), memory_key in option::of(text()), tooltip in text(), span in span(),
    ) -> Input {
        Input { name, id, port_type, type_size, nature, inner, memory_key, tooltip, span }
    }
}

prop_compose! {
    fn output()(
        name in name(), id in id(), port_type in port_type(), type_size in 0..9i32,
        nature in prop_oneof![
            Just(OutputNature::Undefined), Just(OutputNature::OnStopped), Just(OutputNature::Punctual),
            Just(OutputNature::Recurrent), (4..99i32).prop_map(OutputNature::Unknown),
        ],
        inner in any::<bool>(), tooltip in text(), span in span(),
    ) -> Output {
        Output { name, id, port_type, type_size, nature, inner, tooltip, span }
    }
}

prop_compose! {
    fn parameter()(
        name in name(), id in id(),
        content_type in prop_oneof![
            Just(ParameterType::Bool), Just(ParameterType::Int), Just(ParameterType::Float),
            Just(ParameterType::String), Just(ParameterType::File), Just(ParameterType::Localized),
            (6..99i32).prop_map(ParameterType::Unknown),
        ],
        value in text(), default_value in text(),
        min in option::of(number()), max in option::of(number()),
        flags in any::<[bool; 3]>(), choices in vec(text(), 0..3), tooltip in text(), span in span(),
    ) -> Parameter {
        let [inherits_from_parent, custom_choice, password] = flags;
        Parameter {
            name, id, content_type, value: value.into(), default_value: default_value.into(), min, max,
            inherits_from_parent, custom_choice, password, choices, tooltip, value_span: span, span,
        }
    }
}

prop_compose! {
    fn resource()(
        name in name(),
        (mode, mode_text) in prop_oneof![
            Just((Some(ResourceMode::Lock), "Lock")),
            Just((Some(ResourceMode::StopOnDemand), "Stop on demand")),
            Just((Some(ResourceMode::PauseOnDemand), "Pause on demand (beta)")),
            Just((Some(ResourceMode::CallbackOnDemand), "3")),
            Just((None, "ask \"nicely\"")),
        ],
        timeout in number(), span in span(),
    ) -> Resource {
        Resource { name, mode, mode_text: mode_text.to_owned(), timeout, span }
    }
}

fn timeline(depth: u32) -> BoxedStrategy<Timeline> {
    let frame = || option::of(0..500i32);
    let acquisition = prop_oneof![
        Just(ResourceAcquisition::Passive),
        Just(ResourceAcquisition::Waiting),
        Just(ResourceAcquisition::Aggressive),
    ];
    let layers = if depth == 0 { vec(layer(0), 0..1).boxed() } else { vec(layer(depth - 1), 0..3).boxed() };
    let layers = layers.prop_map(|layers| (layers, None));
    let inside = if depth == 0 { layers.boxed() } else { prop_oneof![5 => layers, 1 => machine(depth)].boxed() };
    let parts = (any::<bool>(), frame(), frame(), frame(), frame(), acquisition, frame());
    (parts, option::of(actuators()), inside)
        .prop_map(|((enabled, fps, start_frame, end_frame, size, acquisition, scale), actuators, inside)| Timeline {
            enabled,
            fps,
            start_frame,
            end_frame,
            size,
            acquisition,
            scale,
            actuators,
            layers: inside.0,
            machine: inside.1,
            span: Span::default(),
        })
        .boxed()
}

/// Generates a state machine, and the one layer whose boxes it uses.
fn machine(depth: u32) -> impl Strategy<Value = (Vec<BehaviorLayer>, Option<StateMachine>)> {
    let places = || vec(0..9usize, 0..4);
    let state = (name(), option::of((any::<i32>(), any::<i32>())), vec(name(), 0..3), places(), places());
    let transition = (0..3usize, 0..3usize, option::of(0..9000i32));
    let machine = (vec(state, 1..4), 0..3usize, vec(0..3usize, 0..2), vec(transition, 0..3));
    (name(), keyframe(depth - 1), machine).prop_map(|(name, keyframe, (states, initial, finals, transitions))| {
        let diagram = &keyframe.diagram;
        let link_index = LinkIndex::new(diagram.links.iter().map(Link::ends));
        let mut used = HashSet::new();
        let states = states.into_iter().filter(|s| used.insert(s.0.clone()));
        let states = states.map(|(name, frames, labels, boxes, links)| {
            let (mut met, mut taken) = (HashSet::new(), HashMap::new());
            let (begin, end) = frames.unzip();
            let boxes = boxes.into_iter().filter(|n| *n < diagram.boxes.len() && met.insert(*n)).collect();
            let links =
                links.into_iter().filter_map(|n| link_index.next_place(diagram.links.get(n)?.ends(), &mut taken));
            let links = links.collect();
            MachineState { name, begin, end, labels, boxes, links, span: Span::default() }
        });
        let states: Vec<MachineState> = states.collect();
        let count = states.len();
        let machine = StateMachine {
            states,
            initial: initial % count,
            finals: finals.into_iter().map(|n| n % count).collect(),
            transitions: transitions
                .into_iter()
                .map(|(from, to, timeout)| Transition {
                    from: from % count,
                    to: to % count,
                    timeout,
                    span: Span::default(),
                })
                .collect(),
            span: Span::default(),
        };
        let layer = BehaviorLayer { name, mute: false, keyframes: vec![keyframe], span: Span::default() };
        (vec![layer], Some(machine))
    })
}

fn layer(depth: u32) -> BoxedStrategy<BehaviorLayer> {
    (name(), any::<bool>(), vec(keyframe(depth), 0..3))
        .prop_map(|(name, mute, keyframes)| BehaviorLayer { name, mute, keyframes, span: Span::default() })
        .boxed()
}

fn keyframe(depth: u32) -> BoxedStrategy<BehaviorKeyframe> {
    // The last level has no boxes, so that the recursion ends.
    let boxes = if depth == 0 { Just(Vec::new()).boxed() } else { vec(a_box(depth - 1), 0..3).boxed() };
    let diagram = (option::of(number()), boxes, vec(link(), 0..4)).prop_map(|(scale, boxes, links)| Diagram {
        scale,
        boxes,
        links,
        span: Span::default(),
    });
    (name(), -5..500i32, option::of(text()), diagram)
        .prop_map(|(name, index, bitmap, diagram)| BehaviorKeyframe {
            name,
            index,
            bitmap,
            diagram,
            span: Span::default(),
        })
        .boxed()
}

prop_compose! {
    fn link()(from_box in id(), from_port in id(), to_box in id(), to_port in id(), span in span()) -> Link {
        Link { from_box, from_port, to_box, to_port, span }
    }
}

prop_compose! {
    fn actuators()(model in text(), curves in vec(curve(), 0..3), span in span()) -> ActuatorList {
        ActuatorList { model, curves, span }
    }
}

prop_compose! {
    fn curve()(
        name in text(), actuator in name(), recordable in option::of(any::<bool>()), mute in any::<bool>(),
        always_visible in option::of(any::<bool>()),
        unit in prop_oneof![
            Just(CurveUnit::Unspecified), Just(CurveUnit::Degree), Just(CurveUnit::Percent),
            (2..99i32).prop_map(CurveUnit::Unknown),
        ],
        keys in vec(key(), 0..4), span in span(),
    ) -> ActuatorCurve {
        ActuatorCurve { name, actuator, recordable, mute, always_visible, unit, keys, span }
    }
}

prop_compose! {
    fn key()(
        frame in -5..900i32, value in number(), smooth in option::of(any::<bool>()),
        symmetrical in option::of(any::<bool>()), left in option::of(tangent()), right in option::of(tangent()),
        span in span(),
    ) -> Key {
        Key { frame, value, smooth, symmetrical, left, right, span }
    }
}

prop_compose! {
    fn tangent()(
        interpolation in prop_oneof![
            Just(Interpolation::Constant), Just(Interpolation::Linear),
            Just(Interpolation::Bezier), Just(Interpolation::BezierAuto),
        ],
        abscissa in number(), ordinate in number(), span in span(),
    ) -> Tangent {
        Tangent { interpolation, abscissa, ordinate, span }
    }
}
