//! Runners whose behaviors are Python objects, created by scripts and by programs that drive a run (`boxstep.Runner`).

use super::Error;
use crate::Engine;
use crate::graph::Graph;
use crate::protocol::CallbackId;
use crate::runner::host::Runners;
use crate::runner::{DeferredCalls, Plan, RootPolicy, RunnerId, ScriptBehavior, Scripts, Settings};
use boxstep_types::{Time, Value};
use std::sync::Arc;

fn invalid(why: impl Into<String>) -> Error {
    Error::Invalid(why.into())
}

fn texts(value: &Value) -> Option<Vec<Arc<str>>> {
    value.as_list()?.iter().map(|text| text.as_str().map(Arc::from)).collect()
}

impl Runners {
    /// Returns the runner with this number.
    pub(super) fn runner_number(&self, graph: &Graph, index: u32) -> Result<RunnerId, Error> {
        let id = RunnerId { engine: graph.number, index };
        if self.has_runner(graph, id) { Ok(id) } else { Err(Error::Foreign) }
    }
}

impl Engine {
    /// Creates a runner of behaviors whose hooks run in a script function. The description has `behaviors` (name,
    /// delegates, resources of each), `root`, `at_end` (`stop`, `restart`, `idle`), `idle`, `safe`, `period` in
    /// seconds. Returns the runner's number.
    pub(super) fn new_runner(&mut self, described: &Value, callback: CallbackId) -> Result<Value, Error> {
        let all = described.as_map().ok_or_else(|| invalid("a runner is described by a map"))?;
        let get = |name: &str| all.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value);
        let text = |name: &str| get(name).and_then(Value::as_str).map(Arc::<str>::from);
        let mut plan = Plan::new();
        let behaviors = get("behaviors").and_then(Value::as_list).unwrap_or_default();
        for (number, behavior) in (0..).zip(behaviors) {
            let Some([Value::Str(name), delegates, locks]) = behavior.as_list() else {
                return Err(invalid("a behavior is a name, names of delegates, and resources"));
            };
            let delegates = texts(delegates).ok_or_else(|| invalid("delegates are named by texts"))?;
            let locks = texts(locks).ok_or_else(|| invalid("resources are named by texts"))?;
            plan.add(name.clone(), ScriptBehavior::new(number, delegates).locking(locks));
        }
        let mut settings = Settings::new(text("root").unwrap_or_default());
        settings.at_end = match (text("at_end").as_deref(), text("idle")) {
            (None | Some("stop"), _) => RootPolicy::Stop,
            (Some("restart"), _) => RootPolicy::Restart,
            (Some("idle"), Some(idle)) => RootPolicy::Idle(idle),
            (Some(other), _) => {
                return Err(invalid(format!("at_end is stop, restart or a behavior, not {other}")));
            }
        };
        settings.safe = text("safe");
        settings.settle_within = Time::ZERO + self.config.stop_within;
        let broken = |laws: Vec<crate::runner::Law>| {
            invalid(laws.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
        };
        let runner = plan.build(settings).map_err(broken)?;
        let period = get("period").and_then(Value::as_f64).filter(|period| *period > 0.0 && *period < 1e9);
        let period = period.ok_or_else(|| invalid("the period is a number of seconds"))?;
        let scripts = Scripts { callback, load: None };
        let id = self.add_runner_scripted(runner, Time::from_secs_f64(period), DeferredCalls::default(), scripts);
        let id = id.map_err(|why| invalid(why.to_string()))?;
        Ok(Value::list([Value::Int(id.index.into())]))
    }

    /// Returns the names of a runner's active behaviors, from the root.
    pub(super) fn active_in(&self, id: RunnerId) -> Result<Value, Error> {
        let runner = self.runner(id).ok_or_else(|| invalid("the tick of the runner waits for a script"))?;
        Ok(Value::list(runner.active().into_iter().map(|of| Value::from(runner.name(of)))))
    }
}
