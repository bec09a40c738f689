//! One signal through 1,000 native boxes in a ring: queue, active-window check, livelock count, an f64.
//!
//! `cargo bench -p boxstep-engine --bench hop` prints nanoseconds per hop, with the trace off and on.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use boxstep_engine::CallId;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Config, Control, NoLibrary};
use boxstep_engine::door::{Next, Scheduler};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::services::{Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_format::model::BoxDef;
use boxstep_format::{Limits, read_xar};
use boxstep_types::{BoxPath, Time, Value};
use criterion::{Criterion, Throughput};
use std::hint::black_box;
use std::sync::Arc;

const BOXES: usize = 1_000;
/// Hops per measurement: the ring is gone round a hundred times.
const HOPS: u64 = 100_000;

/// Counts down and passes it on.
struct Down;

impl NativeBox for Down {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, value: Value) {
        if let Value::Float(left) = value
            && left > 0.0
        {
            cx.output(0, Value::Float(left - 1.0));
        }
    }
}

struct Factory;

impl NativeFactory for Factory {
    fn make(&mut self, definition: &BoxDef) -> Option<Box<dyn NativeBox>> {
        (&*definition.name != "root").then(|| Box::new(Down) as Box<dyn NativeBox>)
    }
}

/// Looks at every event and keeps none.
struct Count(u64);

impl Sink for Count {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        self.0 += black_box(events).len() as u64;
    }
    fn end(&mut self, _: &Footer) {}
}

struct NoRobot;

impl Services for NoRobot {
    fn has_service(&self, _: &str) -> bool {
        false
    }
    fn call(&mut self, _: &mut ServiceCx<'_>, _: &ServiceCall<'_>) -> Outcome {
        Outcome::Ready(Err(ServiceError::NoService))
    }
    fn cancel(&mut self, _: &mut ServiceCx<'_>, _: CallId) {}
    fn timer(&mut self, _: &mut ServiceCx<'_>, _: u64) {}
    fn subscribe(&mut self, _: &mut ServiceCx<'_>, _: &Topic, _: bool) -> Result<(), ServiceError> {
        Ok(())
    }
    fn raise(&mut self, _: &mut ServiceCx<'_>, _: &str, _: Value) {}
    fn halt(&mut self, _: &mut ServiceCx<'_>) {}
    fn language(&self) -> String {
        "English".to_owned()
    }
}

fn xml() -> String {
    let mut content = String::new();
    for id in 1..=BOXES {
        content.push_str(&format!(
            r#"<Box name="b{id}" id="{id}"><Input name="in" type="2" type_size="1" nature="1" inner="0" id="2"/><Output name="out" type="2" type_size="1" nature="2" inner="0" id="3"/></Box>"#
        ));
    }
    for id in 1..=BOXES {
        let next = id % BOXES + 1;
        content
            .push_str(&format!(r#"<Link outputowner="{id}" indexofoutput="3" inputowner="{next}" indexofinput="2"/>"#));
    }
    format!(
        r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1"><Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{content}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline></Box></ChoregrapheProject>"#
    )
}

fn engine(sinks: Vec<Box<dyn Sink>>) -> Engine {
    let file = read_xar("hop.xar", xml().as_bytes(), &Limits::default()).unwrap();
    let header = Header {
        product: String::new(),
        files: Vec::new(),
        body: String::new(),
        clock: "virtual",
        seed: 0,
        epoch: 0,
        parameters: Vec::new(),
        options: Vec::new(),
        started: None,
    };
    // Real time, so that the run does not end when nothing is left to do.
    let config = Config { clock: boxstep_engine::config::ClockKind::Real, ..Config::default() };
    let mut engine = Engine::new(config, Box::new(NoRobot), Box::new(NoLibrary), &header, sinks);
    engine.set_natives(Box::new(Factory));
    engine
        .play(BehaviorSource {
            name: "hop".into(),
            project: Arc::new(file.project),
            sources: Arc::new(file.sources),
            folder: "/".into(),
            relative_folder: ".".to_owned(),
            package_uid: String::new(),
        })
        .unwrap();
    while !matches!(engine.next(), Next::Wait(_)) {}
    engine
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("hop");
    group.throughput(Throughput::Elements(HOPS));
    type Sinks = fn() -> Vec<Box<dyn Sink>>;
    let traces: [(&str, Sinks); 2] = [("trace off", Vec::new), ("trace on", || vec![Box::new(Count(0))])];
    for (name, sinks) in traces {
        let mut engine = engine(sinks());
        let path = BoxPath::root("root").child("b1", None);
        group.bench_function(name, |b| {
            b.iter(|| {
                let value = Value::Float(HOPS as f64);
                let go = Control::Stimulate { path: path.clone(), port: "in".to_owned(), value };
                engine.control(Time::ZERO, go).unwrap();
                black_box(engine.next())
            });
        });
    }
    group.finish();
    criterion.final_summary();
}
