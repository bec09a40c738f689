//! The legacy API: what the base class of old scripts lets them query and change, namely the properties of a box and
//! the listeners of its ports.
//!
//! A script names a box by its full name (`getName()`) or by its path. `docs/reference/python.md` describes the functions.

use crate::behaviors::Behaviors;
use crate::callbacks::{CallbackEvent, On};
use crate::calls::Calls;
use crate::context::Context;
use crate::fast_path::FastPath;
use crate::graph::{Body, BoxNode, Graph, InsideState};
use crate::ids::BoxId;
use crate::objects::calls::Listeners;
use crate::services::{ServiceError, Topic};
use boxstep_format::model::{InputNature, OutputNature, ResourceMode};
use boxstep_types::{PORTS, Value};
use std::sync::Arc;

impl Behaviors {
    /// The box with this full name or path; of several runs of a behavior, that of the last.
    fn named(&self, cx: &Context, graph: &Graph, name: &str) -> Option<BoxId> {
        let open = |b: &BoxNode| !self.all[b.behavior.index()].closed();
        let by_name = graph.by_full_name(&cx.paths, name).filter(|id| open(&graph.boxes[id.index()]));
        by_name.or_else(|| {
            // The boxes that a leaf of a character plays are placed under the leaf's path, and those of a behavior that
            // plays beside another one under its name. The scripts of such boxes do not know these paths.
            let moved = |b: &BoxNode| {
                let behavior = &self.all[b.behavior.index()];
                behavior.leaf.is_some() || !behavior.object
            };
            let origin =
                |b: &BoxNode| b.made.as_deref().is_some_and(|(by, path)| *by == b.behavior && path.to_string() == name);
            let here = |b: &BoxNode| open(b) && (cx.paths.text(b.path) == name || moved(b) && origin(b));
            graph.boxes.iter().rposition(here).map(|index| BoxId(index as u32))
        })
    }

    /// Describes a box: its ports with their natures numbered as in files, its states over frames, and its lifecycle
    /// state.
    pub(crate) fn describe_box(&self, cx: &Context, graph: &Graph, name: &str) -> Result<Value, ServiceError> {
        let id = self.named(cx, graph, name).ok_or_else(|| ServiceError::Failed(format!("there is no box {name}")))?;
        let node = &graph.boxes[id.index()];
        let ports = |pairs: Vec<(&Arc<str>, i32)>| {
            Value::list(pairs.into_iter().map(|(name, nature)| Value::list([Value::Str(name.clone()), nature.into()])))
        };
        let inputs = node.kind.inputs.iter().map(|i| (&i.name, input_number(i.nature))).collect();
        let outputs = node.kind.outputs.iter().map(|o| (&o.name, output_number(o.nature))).collect();
        let states = node
            .inside
            .iter()
            .flat_map(|i| i.states.states())
            .map(|s| Value::list([s.begin.into(), Value::list(s.labels.iter().cloned().map(Value::Str))]));
        let mode = node.kind.resources.first().map_or(-1, |r| match r.mode {
            ResourceMode::Lock => 0,
            ResourceMode::StopOnDemand => 1,
            ResourceMode::PauseOnDemand => 2,
            ResourceMode::CallbackOnDemand => 3,
        });
        let cursor = node.inside.as_ref().map_or(-1, |i| i.timeline.reached());
        let end = node.inside.as_ref().filter(|i| i.timeline.clocked).and_then(|i| i.timeline.extent().1);
        Ok(Value::map([
            ("name", Value::Str(graph.full_name(&cx.paths, id))),
            ("loaded", node.life.in_scope().into()),
            ("inputs", ports(inputs)),
            ("outputs", ports(outputs)),
            ("states", Value::list(states)),
            ("inside", node.inside.as_ref().is_some_and(|i| i.state == InsideState::Loaded).into()),
            ("frame", cursor.into()),
            ("end", end.map_or(Value::Null, Value::Int)),
            ("mode", mode.into()),
        ]))
    }
}

impl Calls {
    /// Removes the listener of a port whose topic has no subscribers left. Returns false if the topic is no port.
    pub(crate) fn stop_port_listener(&mut self, callbacks: &mut Listeners, topic: &Topic) -> bool {
        let listener = self.ports.remove(topic);
        if let Some(index) = listener {
            callbacks.remove(index);
        }
        listener.is_some()
    }

    /// Forwards the signals of a port to the subscribers of its topic. `None` if the topic is no port.
    pub(crate) fn listen_to_port(
        &mut self,
        cx: &Context,
        graph: &Graph,
        behaviors: &Behaviors,
        callbacks: &mut Listeners,
        fast_path: &mut FastPath,
        topic: &Topic,
    ) -> Option<Result<(), ServiceError>> {
        let Topic::Signal(service, signal) = topic else { return None };
        if **service != *PORTS {
            return None;
        }
        let refused = |why: String| Some(Err(ServiceError::Failed(why)));
        // The names of both the box and the port may contain dots.
        let found = signal
            .match_indices('.')
            .find_map(|(at, _)| Some((behaviors.named(cx, graph, &signal[..at])?, &signal[at + 1..])));
        let Some((id, port)) = found else { return refused(format!("there is no box of {signal}")) };
        let node = &graph.boxes[id.index()];
        let on = match (node.input(port), node.output(port)) {
            (Some(input), _) if !matches!(node.body, Body::Native) => On::Input(id, input as u16),
            (Some(_), _) => return refused(format!("inputs of native boxes cannot be subscribed to: {port}")),
            (None, Some(output)) => On::Output(id, output as u16),
            (None, None) => return refused(format!("no input or output named {port}")),
        };
        let own = topic.clone();
        let listener = callbacks.listen_to(
            fast_path,
            graph,
            on,
            Box::new(move |cx, happened| {
                if let CallbackEvent::Port(value) = happened {
                    // The value of a signal topic is the list of its arguments.
                    cx.engine.notify_subscribers(&own, &Value::list([value.clone()]));
                }
            }),
        );
        self.ports.insert(topic.clone(), listener.index);
        Some(Ok(()))
    }
}

fn input_number(nature: InputNature) -> i32 {
    match nature {
        InputNature::OnLoad => 0,
        InputNature::OnEvent => 1,
        InputNature::OnStart => 2,
        InputNature::OnStop => 3,
        InputNature::Memory => 4,
        InputNature::Unknown(n) => n,
    }
}

fn output_number(nature: OutputNature) -> i32 {
    match nature {
        OutputNature::Undefined => 0,
        OutputNature::OnStopped => 1,
        OutputNature::Punctual => 2,
        OutputNature::Recurrent => 3,
        OutputNature::Unknown(n) => n,
    }
}
