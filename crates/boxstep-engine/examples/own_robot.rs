//! A robot of one's own: whatever can be told to move and to speak, behind the trait `Services`.
//!
//! `cargo run -p boxstep-engine --example own_robot`

use boxstep_engine::config::{Config, NoLibrary};
use boxstep_engine::objects::Draft;
use boxstep_engine::services::{Halt, Outcome, ServiceCall, ServiceCx, ServiceError, Services, Topic};
use boxstep_engine::trace::{ClockKind, Header};
use boxstep_engine::{CallId, Engine};
use boxstep_format::model::{ActuatorCurve, CurveUnit, Key};
use boxstep_types::{Span, Time, Value};
use std::error::Error;
use std::sync::Arc;

/// A lamp on a joint that turns. It has a motor and nothing else.
struct Lamp {
    /// Stands for its motor.
    tell: Box<dyn FnMut(String) + Send>,
    /// The movement that goes on.
    moves: Option<CallId>,
}

impl Services for Lamp {
    fn has_service(&self, service: &str) -> bool {
        service == "ALMotion"
    }

    fn call(&mut self, cx: &mut ServiceCx<'_>, call: &ServiceCall<'_>) -> Outcome {
        let answer = match (call.service, call.method, call.args) {
            // A timeline sends one of these for all that remains of it: names, times, keys.
            ("ALMotion", "angleInterpolationBezier", [_, Value::List(times), ..]) => {
                let last = times.iter().filter_map(Value::as_list).filter_map(|t| t.last()?.as_f64());
                let seconds = last.fold(0.0, f64::max);
                (self.tell)(format!("{} s: turns for {seconds} s", cx.now().as_secs_f64()));
                // A call never waits: it is answered when the time has come.
                cx.timer(cx.now() + Time::from_secs_f64(seconds), u64::from(call.id.0));
                self.moves = Some(call.id);
                return Outcome::Pending;
            }
            // What is not there is named in the account, and counts as an unsupported call.
            ("ALMotion", ..) => Err(ServiceError::NoMethod),
            _ => Err(ServiceError::NoService),
        };
        Outcome::Ready(answer)
    }

    fn timer(&mut self, cx: &mut ServiceCx<'_>, token: u64) {
        // One that has been cancelled since does nothing.
        if let Some(call) = self.moves.take_if(|call| u64::from(call.0) == token) {
            (self.tell)(format!("{} s: is there", cx.now().as_secs_f64()));
            cx.complete(call, Ok(Value::Null));
        }
    }

    fn cancel(&mut self, _: &mut ServiceCx<'_>, call: CallId) {
        self.moves.take_if(|moving| *moving == call);
    }

    fn subscribe(&mut self, _: &mut ServiceCx<'_>, topic: &Topic, _: bool) -> Result<(), ServiceError> {
        match topic {
            Topic::Memory(_) => Ok(()),
            Topic::Signal(..) => Err(ServiceError::NoMethod),
        }
    }

    fn raise(&mut self, cx: &mut ServiceCx<'_>, key: &str, value: Value) {
        cx.event(Topic::Memory(key.into()), value);
    }

    fn halt(&mut self, cx: &mut ServiceCx<'_>, how: Halt) {
        // A walk would end with its step; there is none.
        if let Some(call) = self.moves.take_if(|_| how != Halt::Walk) {
            cx.complete(call, Ok(Value::Null));
        }
    }

    fn language(&self) -> String {
        "English".to_owned()
    }

    /// Curves of other joints are left out, and that is told.
    fn joint_names(&mut self, _: Time) -> Option<Vec<Arc<str>>> {
        Some(vec!["HeadYaw".into()])
    }
}

/// Plays a timeline that was drawn for a robot with a hand, too.
fn play(tell: impl FnMut(String) + Send + 'static) -> Result<(), Box<dyn Error>> {
    let header = Header { product: "own_robot".to_owned(), body: "lamp".to_owned(), ..Header::new(ClockKind::Virtual) };
    let robot = Box::new(Lamp { tell: Box::new(tell), moves: None });
    let mut engine = Engine::new(Config::default(), robot, Box::new(NoLibrary), &header, Vec::new());
    let turn = Draft::new("turn").timeline(25, 0, Some(50));
    let turn = turn.curve(curve("HeadYaw", &[(25, 40.0), (50, 0.0)])).curve(curve("RHand", &[(50, 1.0)]));
    let turn = engine.objects().new_box(turn)?;
    engine.objects().get_box(turn)?.start()?;
    engine.run_for(5.0)?;
    Ok(())
}

/// A curve as a file has it: frames and degrees.
fn curve(actuator: &str, keys: &[(i32, f64)]) -> ActuatorCurve {
    let span = Span::default();
    let key = |&(frame, value): &(i32, f64)| Key {
        frame,
        value,
        smooth: None,
        symmetrical: None,
        left: None,
        right: None,
        span,
    };
    ActuatorCurve {
        name: "value".to_owned(),
        actuator: actuator.into(),
        recordable: None,
        mute: false,
        always_visible: None,
        unit: CurveUnit::Unspecified,
        keys: keys.iter().map(key).collect(),
        span,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    play(|line| println!("{line}"))
}

#[cfg(test)]
#[test]
fn a_timeline_is_one_movement_that_ends_when_the_robot_says_so() -> Result<(), Box<dyn Error>> {
    let (tell, told) = std::sync::mpsc::channel();
    play(move |line| {
        let _ = tell.send(line);
    })?;
    assert_eq!(told.iter().collect::<Vec<_>>(), ["0 s: turns for 2 s", "2 s: is there"]);
    Ok(())
}
