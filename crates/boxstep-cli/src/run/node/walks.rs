//! Walks at a speed that the network tells. They stop when nobody tells it any more.

use super::call;
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_ros2::messages::geometry_msgs::Twist;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the robot walks at a speed without being told again: who told it may be gone.
const WALKS: Duration = Duration::from_secs(1);
/// How often that is looked at.
const TICK: Duration = Duration::from_millis(20);

#[derive(Clone)]
pub(super) struct Walks {
    engine: Shared<Engine>,
    /// When the robot was last told to walk. It changes only together with the robot, with the engine's lock held, so that
    /// a late stop never ends a walk that has just been told.
    told: Arc<Mutex<Option<Instant>>>,
}

impl Walks {
    pub(super) fn new(engine: Shared<Engine>) -> Self {
        Self { engine, told: Arc::default() }
    }

    /// Walks at this speed, or stops if it is zero.
    pub(super) fn walk(&self, speed: &Twist) {
        let (x, y, turn) = (speed.linear.x, speed.linear.y, speed.angular.z);
        let stands = x == 0.0 && y == 0.0 && turn == 0.0;
        self.engine.poke(|engine| {
            *self.told() = (!stands).then(Instant::now);
            match stands {
                true => call(engine, "ALMotion", "stopMove", &[]),
                false => call(engine, "ALMotion", "move", &[x.into(), y.into(), turn.into()]),
            }
        });
    }

    /// Stops walks that nobody tells any more, until the other side of `ended` is dropped. It waits for nothing else, not
    /// for a robot that does not answer either.
    pub(super) fn watch(&self, ended: &Receiver<()>) {
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(TICK) {
            self.stop_if_late(Instant::now());
        }
    }

    fn stop_if_late(&self, now: Instant) {
        let is_late = |told: &Option<Instant>| told.is_some_and(|told| now.saturating_duration_since(told) > WALKS);
        if !is_late(&self.told()) {
            return;
        }
        self.engine.poke(|engine| {
            let mut told = self.told();
            // It may have been told again before the engine was free.
            if is_late(&told) {
                *told = None;
                call(engine, "ALMotion", "stopMove", &[]);
            }
        });
    }

    fn told(&self) -> MutexGuard<'_, Option<Instant>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_api::simulated_engine;
    use boxstep_engine::config::{Config, NoLibrary};
    use boxstep_engine::trace::Kind;
    use boxstep_ros2::messages::geometry_msgs::Vector3;
    use boxstep_services::SimOptions;

    #[test]
    fn a_walk_that_nobody_tells_any_more_is_stopped_once() {
        let config = Config { scripts: false, ..Config::default() };
        let (mut engine, recorded) = simulated_engine(config, SimOptions::default(), Box::new(NoLibrary));
        engine.keep_open(true);
        let walks = Walks::new(Shared::of_run(engine));
        let new_calls = || {
            walks.engine.lock().flush_trace();
            let new = recorded.take().events.into_iter();
            let method = |kind| match kind {
                Kind::Service(call) => Some(call.method.to_string()),
                _ => None,
            };
            new.filter_map(|event| method(event.kind)).collect::<Vec<_>>()
        };
        let ahead = Twist { linear: Vector3 { x: 0.1, ..Vector3::default() }, ..Twist::default() };
        walks.walk(&ahead);
        let (soon, late) = (Instant::now() + WALKS / 2, Instant::now() + 2 * WALKS);
        walks.stop_if_late(soon);
        assert_eq!(new_calls(), ["move"]);
        walks.stop_if_late(late);
        walks.stop_if_late(late);
        assert_eq!(new_calls(), ["stopMove"]);
        // What was late for the walk before is not late for the one that has just been told.
        walks.walk(&ahead);
        walks.stop_if_late(soon);
        assert_eq!(new_calls(), ["move"]);
        walks.walk(&Twist::default());
        walks.stop_if_late(late + 2 * WALKS);
        assert_eq!(new_calls(), ["stopMove"]);
    }
}
