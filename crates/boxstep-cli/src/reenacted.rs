//! The postures of a recorded run on the simulated robot, which gets the calls of the trace once more, at their times.
//!
//! The robot has no clock and no chance of its own, so the same calls move it in the same way. Scripts do not run again.

use crate::failure::Failure;
use boxstep_api::simulated_engine;
use boxstep_bodies::Body;
use boxstep_dynamics::{Isometry3, Model, Translation3, UnitQuaternion};
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, NoLibrary};
use boxstep_engine::trace::{Act, Control, Kind, Recording};
use boxstep_ros2::posture::{Posture, Postures, standing};
use boxstep_services::{COMES_TO_STAND, SimOptions, Surroundings};
use boxstep_types::{ENGINE_SERVICES, Time, Value};
use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A simulated robot to which the calls of a run happen again.
pub(crate) struct Reenacted {
    engine: Engine,
    model: Model,
    calls: VecDeque<(Time, Call)>,
}

/// A call of a service.
struct Call {
    service: Arc<str>,
    method: Arc<str>,
    args: Vec<Value>,
}

impl Reenacted {
    /// Prepares the robot of a run.
    ///
    /// # Errors
    /// What is around the robot cannot be read.
    pub(crate) fn new(run: &Recording, body: &'static Body) -> Result<Self, Failure> {
        let header = run.header.as_ref();
        let world = header.and_then(|header| header.option("world")).and_then(Value::as_str).map(Path::new);
        let read = |file: &Path| {
            Surroundings::open(file).map(Arc::new).map_err(|why| Failure::Usage(format!("the run's --world: {why}")))
        };
        let world = world.map(read).transpose()?.unwrap_or_default();
        let config = Config { scripts: false, seed: header.map_or(0, |header| header.seed), ..Config::default() };
        let options = SimOptions { body, name: body.to_string(), world, ..SimOptions::default() };
        let (mut engine, _) = simulated_engine(config, options, Box::new(NoLibrary));
        engine.keep_open(true);
        Ok(Self { engine, model: Model::new(body), calls: calls(run).into() })
    }

    /// Does what is due up to a time.
    fn go_on(&mut self, until: Time) -> Option<()> {
        while let Some((at, call)) = self.calls.pop_front_if(|(at, _)| *at <= until) {
            self.engine.run_until(at).ok()?;
            let Call { service, method, args } = call;
            // Nobody waits for the result; the trace says what came of it.
            self.engine.call_from_outside(&service, &method, &args, Box::new(|_| {}));
            self.engine.try_settle().ok()?;
        }
        self.engine.run_until(until).ok()
    }

    /// Asks the robot for numbers.
    fn ask(&mut self, method: &str, args: &[Value]) -> Option<Vec<f64>> {
        let answer = Arc::new(Mutex::new(None));
        let put = answer.clone();
        let then = move |result| *put.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        self.engine.call_from_outside("ALMotion", method, args, Box::new(then));
        let result = answer.lock().unwrap_or_else(PoisonError::into_inner).take()?.ok()?;
        result.as_list()?.iter().map(Value::as_f64).collect()
    }
}

impl Postures for Reenacted {
    fn at(&mut self, time: Time) -> Option<Posture> {
        self.go_on(time)?;
        let angles = self.ask("getAngles", &["Body".into(), true.into()])?;
        let torso = self.ask("getPosition", &["Torso".into(), Value::Int(1), true.into()]);
        let torso = match torso.as_deref() {
            Some([x, y, z, roll, pitch, yaw]) if !self.model.body().geometry.soles.is_empty() => Isometry3::from_parts(
                Translation3::new(*x, *y, *z),
                UnitQuaternion::from_euler_angles(*roll, *pitch, *yaw),
            ),
            _ => standing(&self.model, &angles),
        };
        Some(Posture { angles, torso })
    }
}

/// Returns the call that ends a motion as this ending says: the trace has no call of its own if the one that had begun the
/// motion was cancelled. A motion that has ended already stays as it is.
fn ending(act: &Act) -> Option<Call> {
    let (method, args) = match &*act.kind {
        "joints" => ("killTasksUsingResources", vec![act.data.get("stopped")?.clone()]),
        "move" if act.text == COMES_TO_STAND => ("stopMove", Vec::new()),
        "move" if act.data.get("at").is_some() => ("killMove", Vec::new()),
        _ => return None,
    };
    Some(Call { service: "ALMotion".into(), method: method.into(), args })
}

/// Returns the calls of a run that reached its robot, in order, and at the end of a motion that was cut short a call that
/// ends it.
fn calls(run: &Recording) -> Vec<(Time, Call)> {
    let mocked = run.events.iter().filter_map(|event| match &event.kind {
        Kind::ServiceDone(reply) if reply.mock => Some(event.cause),
        _ => None,
    });
    let mocked: BTreeSet<u64> = mocked.collect();
    let causes = run.events.iter().filter(|event| matches!(event.kind, Kind::Service(_))).map(|event| event.cause);
    let from_outside: BTreeSet<u64> = causes.collect();
    let mut calls = Vec::new();
    for event in &run.events {
        let call = match &event.kind {
            Kind::Service(call) if !mocked.contains(&event.n) => {
                Some(Call { service: call.service.clone(), method: call.method.clone(), args: call.args.clone() })
            }
            Kind::Control { control, .. } => match &**control {
                // The engine passes it on as a call of its own.
                Control::Call { .. } if from_outside.contains(&event.n) => None,
                Control::Call { service, method, args } => {
                    Some(Call { service: service.clone(), method: method.clone(), args: args.clone() })
                }
                _ => None,
            },
            Kind::Act(act) => ending(act),
            _ => None,
        };
        let of_robot = |call: &Call| !ENGINE_SERVICES.contains(&&*call.service);
        calls.extend(call.filter(of_robot).map(|call| (event.t, call)));
    }
    calls
}
