//! Native boxes: whatever short way their signals take, they arrive in the order of a plain queue, and as
//! ports say; and the trace tells the same story.

use crate::support::{Robot, link, root};
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config, Control, NoLibrary};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::{Next, Scheduler as _};
use boxstep_engine::trace::{ClockKind, EndReason, Event, Footer, Header, Kind, Paths, Sink};
use boxstep_format::model::BoxDef;
use boxstep_format::{Limits, read_xar};
use boxstep_types::{BoxPath, Time, Value};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Port types as files number them: dynamic, bang, number, string.
const TYPES: [u8; 4] = [0, 1, 2, 3];

#[derive(Clone, Debug)]
struct NativeSpec {
    inputs: [u8; 2],
    outputs: [u8; 2],
    /// What each input makes it put out: output, value.
    puts: [Vec<(usize, Value)>; 2],
    /// How often it puts out something at all.
    budget: u32,
}

#[derive(Clone, Debug)]
struct Net {
    boxes: Vec<NativeSpec>,
    /// From box and output to box and input.
    links: Vec<(usize, usize, usize, usize)>,
    first: Vec<(usize, usize, Value)>,
}

/// What arrived, in order: box, input, value.
type Log = Arc<Mutex<Vec<(usize, usize, Value)>>>;

struct Native {
    index: usize,
    spec: NativeSpec,
    log: Log,
}

impl NativeBox for Native {
    fn input(&mut self, cx: &mut NativeCx<'_>, input: usize, value: &Value) {
        self.log.lock().unwrap().push((self.index, input, value.clone()));
        if self.spec.budget > 0 {
            self.spec.budget -= 1;
            for (output, value) in &self.spec.puts[input] {
                cx.output(*output, value.clone());
            }
        }
    }
}

struct Factory(Vec<NativeSpec>, Log);

impl NativeFactory for Factory {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        let index: usize = definition.name.strip_prefix('b')?.parse().ok()?;
        Some(Box::new(Native { index, spec: self.0[index].clone(), log: self.1.clone() }))
    }
}

#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<(Event, String)>>>);

impl Sink for Events {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], paths: &Paths) {
        let path = |e: &Event| paths.text(e.path);
        self.0.lock().unwrap().extend(events.iter().map(|e| (e.clone(), path(e))));
    }
    fn end(&mut self, _: &Footer) {}
}

fn xml(net: &Net) -> String {
    let mut content = String::new();
    for (i, b) in net.boxes.iter().enumerate() {
        content += &format!(r#"<Box name="b{i}" id="{}">"#, i + 1);
        for (port, t) in b.inputs.iter().enumerate() {
            content += &format!(r#"<Input name="i{port}" type="{t}" type_size="1" nature="1" id="{}"/>"#, port + 1);
        }
        for (port, t) in b.outputs.iter().enumerate() {
            content += &format!(r#"<Output name="o{port}" type="{t}" type_size="1" nature="2" id="{}"/>"#, port + 3);
        }
        content += "</Box>";
    }
    for &(from, output, to, input) in &net.links {
        content += &link(from as i32 + 1, output as i32 + 3, to as i32 + 1, input as i32 + 1);
    }
    root(&content)
}

/// What arrives if every signal takes its turn in one queue.
fn queued(net: &Net) -> Vec<(usize, usize, Value)> {
    let through = |port_type: u8, value: &Value| if port_type == 1 { Value::Null } else { value.clone() };
    let mut budgets: Vec<u32> = net.boxes.iter().map(|b| b.budget).collect();
    let mut queue: VecDeque<_> = net.first.iter().cloned().collect();
    let mut log = Vec::new();
    while let Some((to, input, value)) = queue.pop_front() {
        let native = &net.boxes[to];
        log.push((to, input, through(native.inputs[input], &value)));
        if budgets[to] == 0 {
            continue;
        }
        budgets[to] -= 1;
        for (output, value) in &native.puts[input] {
            let value = through(native.outputs[*output], value);
            let links = net.links.iter().filter(|l| (l.0, l.1) == (to, *output));
            queue.extend(links.map(|l| (l.2, l.3, value.clone())));
        }
    }
    log
}

/// Without scripts: only the native boxes count.
fn config(livelock_bound: u64) -> Config {
    Config { livelock_bound, scripts: false, ..Config::default() }
}

fn played(net: &Net, sinks: Vec<Box<dyn Sink>>, config: Config) -> (Vec<(usize, usize, Value)>, Footer) {
    let file = read_xar("net.xar", xml(net).as_bytes(), &Limits::default()).unwrap();
    let header = Header::new(ClockKind::Virtual);
    let log = Log::default();
    let mut engine = Engine::new(config, Box::new(Robot::default()), Box::new(NoLibrary), &header, sinks);
    engine.set_natives(Box::new(Factory(net.boxes.clone(), log.clone())));
    let source = BehaviorSource {
        name: "net".into(),
        project: Arc::new(file.project),
        sources: Arc::new(file.sources),
        folder: "/".into(),
        relative_folder: ".".to_owned(),
        package_uid: String::new(),
    };
    engine.play(source).unwrap();
    for (to, input, value) in &net.first {
        let path = BoxPath::root("root").child(format!("b{to}"), None);
        let go = Control::Stimulate { path, port: format!("i{input}"), value: value.clone() };
        engine.control(Time::from_secs_f64(1.0), go).unwrap();
    }
    assert!(matches!(engine.next(), Next::Ended));
    let log = log.lock().unwrap().clone();
    (log, engine.outcome().unwrap().clone())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        (0..9_i64).prop_map(Value::Int),
        (0..9_i32).prop_map(|x| Value::Float(x.into())),
        "[a-c]".prop_map(|s| Value::Str(s.into())),
        prop::collection::vec((0..9_i64).prop_map(Value::Int), 0..3).prop_map(Value::list),
    ]
}

fn native() -> impl Strategy<Value = NativeSpec> {
    let port = || prop::sample::select(&TYPES[..]);
    let puts = || prop::collection::vec((0..2_usize, value()), 0..4);
    ([port(), port()], [port(), port()], [puts(), puts()], 0..12_u32)
        .prop_map(|(inputs, outputs, puts, budget)| NativeSpec { inputs, outputs, puts, budget })
}

fn net() -> impl Strategy<Value = Net> {
    prop::collection::vec(native(), 1..6).prop_flat_map(|boxes| {
        let n = boxes.len();
        let links = prop::collection::btree_set((0..n, 0..2_usize, 0..n, 0..2_usize), 0..12);
        let first = prop::collection::vec((0..n, 0..2_usize, value()), 1..4);
        // In the document's order, which is the order of delivery.
        (Just(boxes), links, first).prop_map(|(boxes, links, first)| Net {
            boxes,
            links: links.into_iter().collect(),
            first,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn signals_arrive_in_the_order_of_a_queue(net in net()) {
        let expected = queued(&net);
        let (quiet, _) = played(&net, Vec::new(), config(1_000_000));
        prop_assert_eq!(&quiet, &expected);

        let events = Events::default();
        let (told, _) = played(&net, vec![Box::new(events.clone())], config(1_000_000));
        prop_assert_eq!(&told, &expected);

        // The trace tells of the same arrivals, each caused by what its sender put out, which was caused by
        // what its sender got.
        let events = events.0.lock().unwrap();
        let of = |e: &(Event, String)| e.1.strip_prefix("root/b").map(|i| i.parse::<usize>().unwrap());
        let arrivals: Vec<(usize, Value)> = events
            .iter()
            .filter_map(|e| match &e.0.kind { Kind::Input { value: v, .. } => Some((of(e)?, v.clone())), _ => None })
            .collect();
        prop_assert_eq!(arrivals, expected.into_iter().map(|(b, _, v)| (b, v)).collect::<Vec<_>>());
        for e in events.iter().filter(|e| of(e).is_some()) {
            let cause = events.iter().find(|c| c.0.n == e.0.cause);
            let follows = match e.0.kind {
                Kind::Input { .. } => {
                    cause.is_some_and(|c| matches!(c.0.kind, Kind::Output { .. } | Kind::Control { .. }))
                }
                Kind::Output { .. } => cause.is_some_and(|c| matches!(c.0.kind, Kind::Input { .. }) && c.1 == e.1),
                _ => true,
            };
            prop_assert!(follows);
        }
    }
}

/// One call puts out what goes straight on, what waits in the queue, and what is looked into first: a list.
#[test]
fn outputs_of_one_call_arrive_in_order_whatever_way_they_take() {
    let sender = NativeSpec {
        inputs: [2, 2],
        outputs: [2, 2],
        puts: [
            vec![(0, Value::Int(1)), (1, Value::Int(2)), (0, Value::list([Value::Int(3)])), (1, Value::Int(4))],
            Vec::new(),
        ],
        budget: 1,
    };
    let ear = NativeSpec { inputs: [2, 2], outputs: [2, 2], puts: [Vec::new(), Vec::new()], budget: 0 };
    let first = NativeSpec { puts: [vec![(0, Value::Int(0))], Vec::new()], budget: 1, ..ear.clone() };
    let net = Net {
        boxes: vec![first, sender, ear.clone(), ear],
        links: vec![(0, 0, 1, 0), (1, 0, 2, 0), (1, 1, 3, 0)],
        first: vec![(0, 0, Value::Int(0))],
    };
    let (log, _) = played(&net, Vec::new(), config(1_000_000));
    assert_eq!(log, queued(&net));
    assert_eq!(log.len(), 6);
}

/// Two native boxes that send a number to and fro for ever.
fn pair() -> Net {
    let native =
        NativeSpec { inputs: [2, 2], outputs: [2, 2], puts: [vec![(0, Value::Int(1))], Vec::new()], budget: u32::MAX };
    Net {
        boxes: vec![native.clone(), native],
        links: vec![(0, 0, 1, 0), (1, 0, 0, 0)],
        first: vec![(0, 0, Value::Int(1))],
    }
}

#[test]
fn native_boxes_that_go_round_for_ever_are_a_livelock_traced_or_not() {
    let events = Events::default();
    let (quiet, footer) = played(&pair(), Vec::new(), config(1_000));
    let (told, told_footer) = played(&pair(), vec![Box::new(events.clone())], config(1_000));
    assert_eq!((footer.reason, told_footer.reason), (EndReason::Livelock, EndReason::Livelock));
    assert_eq!(quiet, told);
    let warned = events.0.lock().unwrap().iter().any(|(e, _)| match &e.kind {
        Kind::Warning { text } => text.contains("root/b0 → root/b1"),
        _ => false,
    });
    assert!(warned, "the cycle is named");
}

/// `.cargo/config.toml` sets the seed; who wants other cases sets `PROPTEST_RNG_SEED`.
#[test]
fn property_tests_draw_the_same_cases_each_time() {
    use proptest::test_runner::RngSeed;
    assert!(matches!(ProptestConfig::with_cases(1).rng_seed, RngSeed::Fixed(_)));
}
