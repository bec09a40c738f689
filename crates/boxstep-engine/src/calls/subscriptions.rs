//! Subscriptions to the robot's topics, and what is told to subscribers.

use crate::Engine;
use crate::context::Acts as _;
use crate::event_loop::Work;
use crate::ids::{BoxId, DiagramId, Kept};
use crate::protocol::{Args, CallbackId, ObjectId, SubscriptionId};
use crate::services::{ServiceError, Topic, TopicListener};
use crate::trace::{Kind, PathId};
use boxstep_types::Value;
use std::sync::Arc;

/// A subscriber that is notified of a topic's events.
pub(crate) enum Subscriber {
    /// A memory input of the box around a loaded diagram.
    Input { diagram: DiagramId, input: u16 },
    /// An output of a dialog box.
    Dialog { of: BoxId, output: u16 },
    /// A function the host keeps.
    Callback { id: SubscriptionId, kept: Kept },
    /// A method of a box, by the box's module name.
    Method { module: Arc<str>, object: ObjectId, method: Arc<str> },
    /// A module that a script has made.
    Module { module: Arc<str>, callback: CallbackId, method: Arc<str> },
    /// Behaviors of a runner.
    Runner { index: u32 },
    /// A remote client or an embedder. `earlier` counts queued events that were raised before the subscription.
    Outside { id: SubscriptionId, listener: TopicListener, earlier: usize },
}

impl Engine {
    pub(crate) fn add_subscriber(&mut self, topic: Topic, subscriber: Subscriber) -> Result<(), ServiceError> {
        if !self.calls.topics.contains_key(&topic) {
            match self.calls.listen_to_port(
                &self.cx,
                &self.graph,
                &self.behaviors,
                &mut self.callbacks,
                &mut self.fast_path,
                &topic,
            ) {
                Some(listening) => listening?,
                // Its script emits the signal, if it has one of this name.
                None if matches!(&topic, Topic::Signal(service, _) if self.is_of_script(service)) => {}
                None => self.with_services(|s, cx| s.subscribe(cx, &topic, true))?,
            }
        }
        self.calls.topics.entry(topic).or_default().push(subscriber);
        Ok(())
    }

    /// Removes subscribers of one topic, or of every topic, and unsubscribes from a topic that has none left.
    pub(crate) fn remove_subscribers(
        &mut self,
        topic: Option<&Topic>,
        which: impl Fn(&Topic, &Subscriber) -> bool,
    ) -> bool {
        let topics = topic.map_or_else(|| self.calls.topics.keys().cloned().collect(), |topic| vec![topic.clone()]);
        let mut removed = false;
        for topic in &topics {
            let Some(subscribers) = self.calls.topics.get_mut(topic) else { continue };
            let before = subscribers.len();
            subscribers.retain(|s| !which(topic, s));
            removed |= subscribers.len() < before;
            if subscribers.is_empty() {
                self.calls.topics.remove(topic);
                if !self.calls.stop_port_listener(&mut self.callbacks, topic) {
                    // The robot cannot refuse the end of a subscription.
                    let _ = self.with_services(|s, cx| s.subscribe(cx, topic, false));
                }
            }
        }
        removed
    }

    /// Notifies every subscriber of a topic, in order of subscription.
    pub(crate) fn notify_subscribers(&mut self, topic: &Topic, value: &Value) {
        let key: Arc<str> = topic.to_string().into();
        self.cx.trace(PathId(0), Kind::event(key.clone(), value.clone()));
        let subscribers = self.calls.topics.get_mut(topic).into_iter().flatten();
        let notices: Vec<Notice> = subscribers.filter_map(|s| s.hears().then(|| s.notice())).collect();
        self.side_by_side(notices, |engine, notice| match notice {
            Notice::Input(diagram, input) => {
                let owner = engine.graph.diagrams[diagram.index()].owner;
                let node = &engine.graph.boxes[owner.index()];
                let (path, port) = (node.path, node.kind.inputs[usize::from(input)].id);
                if engine.count_signal(path, false) {
                    engine.cx.trace(path, Kind::Input { port, value: value.clone() });
                    engine.graph.forward_into(&mut engine.cx, &engine.config, diagram, input, value);
                }
            }
            // A box that only waits for its start has another one's topic.
            Notice::Dialog(of, _) if engine.dialogs.is_held(of) => {}
            Notice::Dialog(of, output) => {
                let life = engine.graph.boxes[of.index()].life.generation();
                engine.cx.push(Work::Output { of, output, life, cause: engine.cx.cause(), value: value.clone() });
            }
            Notice::Callback(kept) => {
                // A signal's arguments arrive as a list, a memory event's value as it is.
                let args = match (topic, value) {
                    (Topic::Signal(..), Value::List(items)) => items.to_vec(),
                    _ => vec![value.clone()],
                };
                engine.deliver(kept, args, "callback");
            }
            // As on a robot, a method gets the key, the value and the name of its module.
            Notice::Method(object, method, module) => {
                if let Some(b) = engine.scripts.box_of(object)
                    && engine.count_signal(engine.graph.path_of(b), true)
                {
                    let args = Args::UpTo(vec![Value::Str(key.clone()), value.clone(), Value::Str(module)]);
                    engine.tasks.call_method(&mut engine.cx, &engine.graph, b, method, args);
                }
            }
            Notice::Outside(listener) => listener(value),
            Notice::Runner(index) => engine.runners.raise_in_runner(&engine.cx, &*engine.services, index, topic, value),
            Notice::Module(callback, method, module) => {
                let args = vec![Value::Str(method), Value::Str(key.clone()), value.clone(), Value::Str(module)];
                engine.deliver(Kept::of_no_box(callback), args, "callback");
            }
        });
    }
}

/// A notification for one subscriber, detached from the table, which may change meanwhile.
enum Notice {
    Input(DiagramId, u16),
    Dialog(BoxId, u16),
    Callback(Kept),
    Method(ObjectId, Arc<str>, Arc<str>),
    Module(CallbackId, Arc<str>, Arc<str>),
    Outside(TopicListener),
    Runner(u32),
}

impl Subscriber {
    /// Returns whether this event is for the subscriber. It is not if the event was raised before the subscription.
    fn hears(&mut self) -> bool {
        match self {
            Subscriber::Outside { earlier, .. } if *earlier > 0 => {
                *earlier -= 1;
                false
            }
            _ => true,
        }
    }

    fn notice(&self) -> Notice {
        match self {
            Subscriber::Input { diagram, input } => Notice::Input(*diagram, *input),
            Subscriber::Dialog { of, output } => Notice::Dialog(*of, *output),
            Subscriber::Callback { kept, .. } => Notice::Callback(*kept),
            Subscriber::Method { object, method, module } => Notice::Method(*object, method.clone(), module.clone()),
            Subscriber::Runner { index } => Notice::Runner(*index),
            Subscriber::Outside { listener, .. } => Notice::Outside(listener.clone()),
            Subscriber::Module { callback, method, module } => {
                Notice::Module(*callback, method.clone(), module.clone())
            }
        }
    }
}
