//! Dialog boxes: the robot's dialog engine conducts the dialog, and the box connects its ports to the topic.
//!
//! Rules and tests: `docs/reference/semantics/dialogs.md`.

use crate::behaviors::Behaviors;
use crate::calls::{CallStart, Calls, Then};
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::{Body, Graph};
use crate::ids::{BehaviorId, BoxId};
use boxstep_dialog::files::{self, TopicFiles};
use boxstep_types::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

/// The subscriber's name in calls to the robot's dialog engine.
const LISTENER: &str = "Boxstep";

/// A dialog box that is loaded.
pub(crate) struct Talk {
    /// Distinguishes one load of the box from the next.
    serial: u32,
    /// The robot's names of the topics of the box, in the order in which they are sent: those that its topic includes,
    /// then its own. `None` for one that is not loaded yet.
    topics: Vec<Option<Arc<str>>>,
    /// Whether the robot connects ports and topic by itself.
    connected: bool,
    active: bool,
    /// Whether the topics wait for the start of the behavior, which a character has only prepared.
    held: bool,
    /// Whether the box was started before its topics were loaded.
    wants_focus: bool,
    /// Events of inputs that came before the topics were loaded.
    early: Vec<(Arc<str>, Value)>,
}

/// The dialog boxes that are loaded.
#[derive(Default)]
pub(crate) struct Dialogs {
    loaded: BTreeMap<BoxId, Talk>,
    serials: u32,
    /// The boxes whose topics could not be loaded.
    broken: BTreeSet<BoxId>,
}

/// The call of a method of the robot's dialog engine for a box.
fn calls_dialog(of: BoxId, method: &'static str, arg: impl Into<Arc<str>>) -> FollowUp {
    FollowUp::CallDialog(of, method, arg.into())
}

impl Talk {
    /// The box's own topic, once all its topics are loaded.
    fn topic(&self) -> Option<Arc<str>> {
        self.topics.iter().all(Option::is_some).then(|| self.topics.last().cloned().flatten()).flatten()
    }
}

/// The path of the dialog file of a box.
pub(crate) fn dialog_file(graph: &Graph, behaviors: &Behaviors, id: BoxId, file: &str) -> PathBuf {
    let node = &graph.boxes[id.index()];
    let folder = &behaviors.all[node.behavior.index()].source.folder;
    // Choregraphe writes slashes on every system; some files come from Windows.
    folder.join(file.replace('\\', "/"))
}

/// The texts that a robot needs of a dialog file: those of the topics that its topic includes, then its own, in which
/// the lines that include them are comments. Lexicons are left to the robot, which has its own.
pub(crate) fn texts_for_robot(file: &std::path::Path, code: Option<&str>) -> Result<Vec<String>, String> {
    let mut dialog = files::open_dialog(file, code).map_err(|why| why.to_string())?;
    let TopicFiles { topic, includes, .. } = dialog.swap_remove(0);
    let is_lexicon = |topic: &boxstep_dialog::Topic| topic.name().starts_with("lexicon_");
    let texts = includes.iter().filter(|topic| !is_lexicon(topic)).chain([&topic]).map(|topic| {
        let mut text = topic.text().to_owned();
        // From the last to the first, so that places before stay as they are.
        for include in topic.includes.iter().rev().filter(|include| !include.text.contains("lexicon_")) {
            let line = text[..include.span.start as usize].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            text.insert(line, '#');
        }
        text
    });
    Ok(texts.collect())
}

impl Dialogs {
    /// Begins the dialog of a box, whose topics are that many. `held`: they are activated only by [`Dialogs::release`].
    pub(crate) fn begin(&mut self, id: BoxId, topics: usize, connected: bool, held: bool) {
        self.serials += 1;
        let talk = Talk {
            serial: self.serials,
            topics: vec![None; topics],
            connected,
            active: false,
            held,
            wants_focus: false,
            early: Vec::new(),
        };
        self.loaded.insert(id, talk);
    }

    /// Handles that the robot loads a topic of a box. Returns what follows.
    pub(crate) fn topic_loads(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        calls: &mut Calls,
        (id, n): (BoxId, usize),
        load: CallStart,
    ) -> Vec<FollowUp> {
        match load {
            CallStart::Pending(call) => {
                calls.then(call, Then::Topic(id, self.serials, n));
                Vec::new()
            }
            CallStart::Ready(said) => {
                let said = said.map_err(|error| error.message("ALDialog", "loadTopicContent"));
                self.topic_loaded(cx, graph, (id, self.serials, n), said)
            }
        }
    }

    /// Handles the result of loading a topic. Returns the calls that follow.
    pub(crate) fn topic_loaded(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        (id, serial, n): (BoxId, u32, usize),
        said: Result<Value, String>,
    ) -> Vec<FollowUp> {
        let why = match said {
            Ok(Value::Str(topic)) => {
                let Some(talk) = self.loaded.get_mut(&id).filter(|talk| talk.serial == serial) else {
                    // The box was unloaded in the meantime.
                    return vec![calls_dialog(id, "unloadTopic", topic)];
                };
                if let Some(place) = talk.topics.get_mut(n) {
                    *place = Some(topic);
                }
                return self.activate(id);
            }
            Ok(other) => format!("ALDialog.loadTopicContent returned {other}, not a name"),
            Err(why) => why,
        };
        self.fail(cx, graph, id, why);
        Vec::new()
    }

    /// The topics of a box cannot be loaded: it takes no part.
    pub(crate) fn fail(&mut self, cx: &mut Context, graph: &Graph, id: BoxId, why: String) {
        self.broken.insert(id);
        cx.warn(graph.path_of(id), why);
    }

    /// The number of boxes whose topics could not be loaded.
    pub(crate) fn broken(&self) -> u64 {
        self.broken.len() as u64
    }

    /// Activates the topics of a box, if all of them are loaded.
    fn activate(&mut self, id: BoxId) -> Vec<FollowUp> {
        let Some(talk) = self.loaded.get_mut(&id) else { return Vec::new() };
        let Some(own) = talk.topic().filter(|_| !talk.active && !talk.held) else { return Vec::new() };
        talk.active = true;
        let topics = talk.topics.iter().flatten().map(|topic| calls_dialog(id, "activateTopic", topic.clone()));
        let mut next: Vec<FollowUp> = topics.collect();
        next.push(calls_dialog(id, "subscribe", LISTENER));
        if std::mem::take(&mut talk.wants_focus) {
            next.push(calls_dialog(id, "setFocus", own));
        }
        next.extend(
            std::mem::take(&mut talk.early).into_iter().map(|(key, value)| FollowUp::DialogInput(id, key, value)),
        );
        next
    }

    /// Whether the topics of a box wait for the start of its behavior.
    pub(crate) fn is_held(&self, id: BoxId) -> bool {
        self.loaded.get(&id).is_some_and(|talk| talk.held)
    }

    /// A behavior has started: its topics are activated. Returns the calls that follow.
    pub(crate) fn release(&mut self, graph: &Graph, behavior: BehaviorId) -> Vec<FollowUp> {
        let held = |(id, talk): &(&BoxId, &Talk)| talk.held && graph.boxes[id.index()].behavior == behavior;
        let ids: Vec<BoxId> = self.loaded.iter().filter(held).map(|(id, _)| *id).collect();
        let release = |id: BoxId| {
            self.loaded.get_mut(&id).into_iter().for_each(|talk| talk.held = false);
            self.activate(id)
        };
        ids.into_iter().flat_map(release).collect()
    }

    /// The box was started: its topic gets the focus, and an event of the input's name.
    pub(crate) fn start(&mut self, graph: &Graph, id: BoxId, input: u16, value: &Value) -> Vec<FollowUp> {
        let Some(talk) = self.loaded.get_mut(&id) else { return Vec::new() };
        talk.wants_focus = true;
        let mut next = match talk.topic() {
            Some(topic) if talk.active => {
                talk.wants_focus = false;
                vec![calls_dialog(id, "setFocus", topic)]
            }
            _ => self.activate(id),
        };
        next.extend(self.event(graph, id, input, value));
        next
    }

    /// The box was stopped: nothing is said about its topic any more.
    pub(crate) fn stop(&mut self, id: BoxId) -> Vec<FollowUp> {
        let Some(talk) = self.loaded.get_mut(&id) else { return Vec::new() };
        talk.wants_focus = false;
        talk.early.clear();
        if !std::mem::take(&mut talk.active) {
            return Vec::new();
        }
        let topics: Vec<Arc<str>> = talk.topics.iter().flatten().cloned().collect();
        let mut next: Vec<FollowUp> = Vec::new();
        if !self.loaded.values().any(|talk| talk.active) {
            next.push(calls_dialog(id, "unsubscribe", LISTENER));
        }
        let others = |topic: &Arc<str>| self.loaded.values().any(|talk| talk.active && talk.has(topic));
        next.extend(topics.iter().filter(|t| !others(t)).map(|t| calls_dialog(id, "deactivateTopic", t.clone())));
        next
    }

    /// The box is unloaded. Returns the calls that follow; `None` if it has no dialog.
    pub(crate) fn leave(&mut self, id: BoxId) -> Option<Vec<FollowUp>> {
        let mut next = self.stop(id);
        let talk = self.loaded.remove(&id)?;
        let others = |topic: &Arc<str>| self.loaded.values().any(|talk| talk.has(topic));
        // The topic before those that it includes.
        let topics = talk.topics.iter().rev().flatten().filter(|topic| !others(topic));
        next.extend(topics.map(|topic| calls_dialog(id, "unloadTopic", topic.clone())));
        Some(next)
    }

    /// Passes a stimulated input of a dialog box to its topic, as an event of that name.
    pub(crate) fn event(&mut self, graph: &Graph, id: BoxId, input: u16, value: &Value) -> Option<FollowUp> {
        let Body::Dialog(_) = graph.boxes[id.index()].body else { return None };
        let talk = self.loaded.get_mut(&id)?;
        let key = graph.boxes[id.index()].kind.inputs[usize::from(input)].name.clone();
        // A bang has no value, but an event needs one.
        let value = if *value == Value::Null { Value::Int(1) } else { value.clone() };
        if talk.topic().is_none() {
            talk.early.push((key, value));
            return None;
        }
        Some(FollowUp::DialogInput(id, key, value))
    }

    /// The box's topic, and whether the robot connects its ports by itself.
    pub(crate) fn connection(&self, id: BoxId) -> Option<(Arc<str>, bool)> {
        let talk = self.loaded.get(&id)?;
        Some((talk.topic()?, talk.connected))
    }

    /// The box that has a topic.
    pub(crate) fn box_of(&self, topic: &str) -> Option<BoxId> {
        let has = |talk: &Talk| talk.topics.iter().flatten().any(|of| **of == *topic);
        self.loaded.iter().find(|(_, talk)| has(talk)).map(|(id, _)| *id)
    }
}

impl Talk {
    fn has(&self, topic: &Arc<str>) -> bool {
        self.topics.iter().flatten().any(|of| of == topic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(next: Vec<FollowUp>) -> Vec<&'static str> {
        let method = |next| match next {
            FollowUp::CallDialog(_, method, _) => method,
            _ => panic!("an end only calls the dialog engine"),
        };
        next.into_iter().map(method).collect()
    }

    #[test]
    fn only_the_last_dialog_to_end_unsubscribes_and_a_topic_that_another_box_has_stays() {
        let mut dialogs = Dialogs::default();
        for (n, topic) in [(1, Some("greeting")), (2, None), (3, Some("quiz")), (4, Some("quiz"))] {
            dialogs.begin(BoxId(n), 1, false, false);
            dialogs.loaded.get_mut(&BoxId(n)).unwrap().topics[0] = topic.map(Arc::from);
            dialogs.activate(BoxId(n));
        }
        assert_eq!(methods(dialogs.stop(BoxId(1))), ["deactivateTopic"]);
        assert_eq!(methods(dialogs.leave(BoxId(1)).unwrap()), ["unloadTopic"]);
        assert!(dialogs.leave(BoxId(1)).is_none(), "it has ended");
        assert!(dialogs.leave(BoxId(2)).unwrap().is_empty());
        assert!(dialogs.leave(BoxId(3)).unwrap().is_empty(), "another box has its topic");
        assert_eq!(methods(dialogs.leave(BoxId(4)).unwrap()), ["unsubscribe", "deactivateTopic", "unloadTopic"]);
    }
}
