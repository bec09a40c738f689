//! Who waits for what, for whoever is told that a run waits.

use crate::Engine;
use crate::calls::Subscriber;
use crate::context::Context;
use crate::graph::Graph;
use crate::runner::host::Runners;
use crate::services::Topic;
use crate::trace::PathId;

/// Somebody who hears of a topic, and so may go on when it is raised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait {
    /// The path of the box, or of the behavior of a character; empty if it belongs to none.
    pub path: String,
    /// What would wake it.
    pub topic: Topic,
    /// Is it a dialog box, which waits for words?
    pub is_dialog: bool,
}

impl Runners {
    fn waiter_path(&self, cx: &Context, graph: &Graph, subscriber: &Subscriber) -> Option<PathId> {
        match subscriber {
            Subscriber::Input { diagram, .. } => Some(graph.path_of(graph.diagrams[diagram.index()].owner)),
            Subscriber::Dialog { of, .. } => Some(graph.path_of(*of)),
            Subscriber::Callback { place, .. } => Some(graph.place_path(*place)),
            Subscriber::Method { module, .. } => Some(graph.place_path(graph.by_full_name(&cx.paths, module))),
            Subscriber::Module { .. } => Some(PathId(0)),
            Subscriber::Runner { index } => Some(self.path_of_behavior(*index, 0)),
            Subscriber::Outside { .. } => None,
        }
    }
}

impl Engine {
    /// Everybody who waits for an event or a signal, topic by topic; after a run that ended as
    /// [`crate::trace::EndReason::Waiting`], those who waited then. Programs outside are no part of it.
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
