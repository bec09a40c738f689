//! A ring of 1,000 native boxes, and a signal that goes round it. Shared by the benchmarks that measure a hop.

#![allow(dead_code, unreachable_pub, reason = "each benchmark uses a part")]

use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, ClockKind, Config, Control, NoLibrary};
use boxstep_engine::native::{NativeBox, NativeCx, NativeFactory};
use boxstep_engine::protocol::{Next, Scheduler as _};
use boxstep_engine::services::NoRobot;
use boxstep_engine::trace::{Event, Footer, Header, Paths, Sink};
use boxstep_format::model::BoxDef;
use boxstep_format::{Limits, read_xar};
use boxstep_types::{BoxPath, Time, Value};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

const BOXES: usize = 1_000;
/// Hops of [`Ring::turn`]: it is gone round ten times. Short, so that most turns are not interrupted by other programs.
pub const HOPS: u64 = 10_000;

/// Counts down and passes it on.
struct Down;

impl NativeBox for Down {
    fn input(&mut self, cx: &mut NativeCx<'_>, _: usize, value: &Value) {
        if let Value::Float(left) = *value
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
#[derive(Default)]
pub struct Count(u64);

impl Sink for Count {
    fn begin(&mut self, _: &Header) {}
    fn events(&mut self, events: &[Event], _: &Paths) {
        self.0 += black_box(events).len() as u64;
    }
    fn end(&mut self, _: &Footer) {}
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

/// The ring, loaded.
pub struct Ring {
    engine: Engine,
    first: BoxPath,
}

impl Ring {
    pub fn new(sinks: Vec<Box<dyn Sink>>) -> Self {
        let file = read_xar("hop.xar", xml().as_bytes(), &Limits::default()).unwrap();
        let header = Header::new(ClockKind::Real);
        // Real time, so that the run does not end when nothing is left to do.
        let config = Config { clock: ClockKind::Real, ..Config::default() };
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
        while !matches!(engine.next(), Next::Wait(None)) {}
        Self { engine, first: BoxPath::root("root").child("b1", None) }
    }

    /// Sends a signal through [`HOPS`] boxes. What it takes to find the first box by its path is not counted.
    pub fn turn(&mut self) -> Duration {
        let value = Value::Float(HOPS as f64);
        let go = Control::Stimulate { path: self.first.clone(), port: "in".to_owned(), value };
        self.engine.control(Time::ZERO, go).unwrap();
        let began = Instant::now();
        black_box(self.engine.next());
        began.elapsed()
    }
}
