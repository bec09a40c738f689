//! A small character: it looks around when it is bored, waves when nothing else is to be done, and a touch interrupts both.
//!
//! `cargo run -p boxstep-engine --example runner`

use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control as FromOutside};
use boxstep_engine::runner::{
    Action, Behavior, BehaviorId, BehaviorRunner, Control, Delegates, End, Plan, Progress, Settings, Ticket, walk,
};
use boxstep_engine::services::Topic;
use boxstep_types::{Time, Value};
use std::error::Error;

/// The first of its delegates that wants to, and nothing is more urgent than the first of all.
struct Character {
    urgent: Option<BehaviorId>,
}

impl Behavior for Character {
    fn all_delegates(&self, all: &mut Delegates) {
        all.add("react to touch").add("look around").add("wave");
    }

    fn init(&mut self, cx: &mut Control<'_>) {
        self.urgent = cx.find("react to touch");
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        first(cx);
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        let Some(urgent) = self.urgent else { return };
        // Ask the new one, release the old one, activate the new one. What is active already says no.
        if cx.ask(urgent).is_ok_and(|wants| wants == boxstep_engine::runner::Wants::Yes)
            && cx.cancel_delegates().is_ok()
            && cx.delegate_to(urgent).is_ok()
        {
            println!("{} something has touched me", cx.now());
        }
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, _: Ticket, _: &End) {
        first(cx);
    }
}

fn first(cx: &mut Control<'_>) {
    for at in 0..cx.delegates().len() {
        let delegate = cx.delegates()[at];
        if cx.offer(delegate).is_ok() {
            println!("{} {}", cx.now(), cx.runner().name(delegate));
            return;
        }
    }
}

/// Wants to run when a touch has come since the last tick.
struct Touched;

impl Behavior for Touched {
    fn all_delegates(&self, all: &mut Delegates) {
        all.add("laugh");
    }

    fn init(&mut self, cx: &mut Control<'_>) {
        cx.subscribe(Topic::Memory("FrontTactilTouched".into()));
    }

    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        cx.events().any(|event| event.value.as_f64() == Some(1.0))
    }

    fn activated(&mut self, cx: &mut Control<'_>, _: &Value) {
        first(cx);
    }

    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, _: Ticket, end: &End) {
        // It is active, so that cannot be refused.
        let _ = match end {
            End::Done(value) => cx.complete(value.clone()),
            _ => cx.fail("could not even laugh"),
        };
    }
}

/// A plain action that takes some time, and some more before it is ready again.
struct Animation {
    lasts: Time,
    rests: Time,
    until: Time,
    ready: Time,
}

fn animation(lasts: i64, rests: i64) -> Animation {
    let [lasts, rests] = [lasts, rests].map(Time::from_millis);
    Animation { lasts, rests, until: Time::ZERO, ready: Time::ZERO }
}

impl Action for Animation {
    fn ready(&self, cx: &mut Control<'_>) -> bool {
        cx.now() >= self.ready
    }

    fn start(&mut self, cx: &mut Control<'_>, _: &Value) {
        self.until = cx.now() + self.lasts;
        self.ready = self.until + self.rests;
    }

    fn poll(&mut self, cx: &mut Control<'_>) -> Progress {
        if cx.now() < self.until { Progress::Running } else { Progress::Done(Value::Null) }
    }
}

fn plan() -> Plan {
    let mut plan = Plan::new();
    plan.add("character", Character { urgent: None });
    plan.add("react to touch", Touched);
    plan.action("look around", animation(800, 3000));
    plan.action("wave", animation(500, 0));
    plan.action("laugh", animation(400, 0));
    plan
}

fn main() -> Result<(), Box<dyn Error>> {
    let broken = |laws: Vec<_>| laws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    // Every way through it, tried out first.
    let report = walk(&mut plan().build(Settings::new("character")).map_err(broken)?, Time::from_millis(100), 100);
    print!("{report}");

    let mut engine = Engine::without_robot(Config::default());
    let runner = plan().build(Settings::new("character")).map_err(broken)?;
    engine.add_runner(runner, Time::from_millis(100))?;
    let touch = FromOutside::Event { key: "FrontTactilTouched".to_owned(), value: Value::Float(1.0) };
    engine.control(Time::from_millis(1050), touch)?;
    engine.run_until(Time::from_millis(5000))?;
    Ok(())
}

#[cfg(test)]
#[test]
fn runs() -> Result<(), Box<dyn Error>> {
    main()
}
