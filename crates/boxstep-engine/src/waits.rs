//! The subscribers for which a run waits, to be reported.

use crate::Engine;
use crate::calls::Subscriber;
use crate::context::Context;
use crate::graph::Graph;
use crate::runner::host::Runners;
use crate::services::Topic;
use crate::trace::PathId;

/// A subscriber of a topic, which may continue when the topic is raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The path of the box, or of the behavior of a character; empty if the subscriber belongs to none.
    pub path: String,
    /// The topic that would wake the subscriber.
    pub topic: Topic,
    /// Whether the subscriber is a dialog box, which waits for words.
    pub is_dialog: bool,
}

impl Runners {
    fn waiter_path(&self, cx: &Context, graph: &Graph, subscriber: &Subscriber) -> Option<PathId> {
        match subscriber {
            Subscriber::Input { diagram, .. } => Some(graph.path_of(graph.diagrams[diagram.index()].owner)),
            Subscriber::Dialog { of, .. } => Some(graph.path_of(*of)),
            Subscriber::Callback { kept, .. } => Some(graph.place_path(kept.place)),
            Subscriber::Method { module, .. } => Some(graph.place_path(graph.by_full_name(&cx.paths, module))),
            Subscriber::Module { .. } => Some(PathId(0)),
            Subscriber::Runner { index } => Some(self.path_of_behavior(*index, 0)),
            Subscriber::Outside { .. } => None,
        }
    }
}

impl Engine {
    /// The subscribers of events and signals, topic by topic, without remote clients. After a run that ended as
    /// [`crate::trace::EndReason::Waiting`], those that waited at its end.
    pub fn waits(&self) -> Vec<Wait> {
        if let Some(then) = self.end.waiting() {
            return then.waits.clone();
        }
        let mut waits = Vec::new();
        for (topic, subscribers) in &self.calls.topics {
            for subscriber in subscribers {
                let Some(path) = self.runners.waiter_path(&self.cx, &self.graph, subscriber) else { continue };
                let is_dialog = matches!(subscriber, Subscriber::Dialog { .. });
                let wait = Wait { path: self.cx.paths.text(path), topic: topic.clone(), is_dialog };
                if !waits.contains(&wait) {
                    waits.push(wait);
                }
            }
        }
        waits
    }
}
