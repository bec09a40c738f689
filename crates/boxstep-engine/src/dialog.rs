//! Dialog boxes on a robot that has a dialog engine: the robot conducts the dialog, and the box connects its ports to
//! it.
//!
//! Rules and tests: `docs/reference/robots.md`, "Dialog boxes".

use crate::behaviors::Behaviors;
use crate::calls::{CallStart, Calls, Then};
use crate::context::Context;
use crate::follow_up::FollowUp;
use crate::graph::{Body, Graph};
use crate::ids::BoxId;
use boxstep_types::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest topic file that is read, in bytes.
const LONGEST_TOPIC: u64 = 4 << 20;

/// The subscriber's name in calls to the robot's dialog engine.
const LISTENER: &str = "Boxstep";

/// A dialog box that has been started.
pub(crate) struct Talk {
    /// Distinguishes one start of the box from the next.
    serial: u32,
    /// The robot's name for the topic, once it is loaded.
    topic: Option<Arc<str>>,
}

/// The dialog boxes that are running.
#[derive(Default)]
pub(crate) struct Dialogs {
    running: BTreeMap<BoxId, Talk>,
    started: u32,
}

/// The call of a method of the robot's dialog engine for a box.
fn calls_dialog(of: BoxId, method: &'static str, arg: impl Into<Arc<str>>) -> FollowUp {
    FollowUp::CallDialog(of, method, arg.into())
}

impl Dialogs {
    /// Begins the dialog of a box, unless it is running. Returns the topic that is to be loaded.
    pub(crate) fn begin(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        behaviors: &Behaviors,
        code: Option<&str>,
        id: BoxId,
        file: &str,
    ) -> Option<String> {
        if self.running.contains_key(&id) {
            return None;
        }
        let node = &graph.boxes[id.index()];
        let folder = behaviors.all[node.behavior.index()].source.folder.clone();
        match topic(&folder.join(file), code) {
            Ok(content) => {
                self.started += 1;
                self.running.insert(id, Talk { serial: self.started, topic: None });
                Some(content)
            }
            Err(why) => {
                cx.warn(node.path, format!("the dialog {file} does not run: {why}"));
                None
            }
        }
    }

    /// Handles that the robot loads the topic of a dialog that has just begun.
    pub(crate) fn topic_loads(&self, cx: &mut Context, graph: &Graph, calls: &mut Calls, id: BoxId, load: CallStart) {
        match load {
            CallStart::Pending(call) => calls.then(call, Then::Topic(id, self.started)),
            CallStart::Ready(Ok(_)) => {}
            CallStart::Ready(Err(error)) => cx.warn(graph.path_of(id), error.message("ALDialog", "loadTopicContent")),
        }
    }

    /// Handles the result of loading a topic. Returns the calls that follow.
    pub(crate) fn topic_loaded(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        id: BoxId,
        serial: u32,
        said: Result<Value, String>,
    ) -> Vec<FollowUp> {
        let path = graph.path_of(id);
        let why = match said {
            Ok(Value::Str(topic)) => {
                let Some(talk) = self.running.get_mut(&id).filter(|talk| talk.serial == serial) else {
                    // The box was stopped in the meantime.
                    return vec![calls_dialog(id, "unloadTopic", topic)];
                };
                talk.topic = Some(topic.clone());
                return vec![calls_dialog(id, "activateTopic", topic), calls_dialog(id, "subscribe", LISTENER)];
            }
            Ok(other) => format!("ALDialog.loadTopicContent returned {other}, not a name"),
            Err(why) => why,
        };
        cx.warn(path, why);
        Vec::new()
    }

    /// Ends the dialog of a box. Returns the calls that follow; `None` if the box has no dialog.
    pub(crate) fn end(&mut self, id: BoxId) -> Option<Vec<FollowUp>> {
        let Some(topic) = self.running.remove(&id)?.topic else { return Some(Vec::new()) };
        let last = self.running.is_empty().then(|| calls_dialog(id, "unsubscribe", LISTENER));
        let ends = [calls_dialog(id, "deactivateTopic", topic.clone()), calls_dialog(id, "unloadTopic", topic)];
        Some(last.into_iter().chain(ends).collect())
    }

    /// Returns the memory event of an input of a dialog box, which is to be raised for its topic.
    pub(crate) fn event(&self, graph: &Graph, id: BoxId, input: u16, value: &Value) -> Option<(Arc<str>, Value)> {
        if !self.running.contains_key(&id) || !matches!(graph.boxes[id.index()].body, Body::Dialog(_)) {
            return None;
        }
        let key = graph.boxes[id.index()].kind.inputs[usize::from(input)].name.clone();
        // A bang has no value, but an event needs one.
        Some((key, if *value == Value::Null { Value::Int(1) } else { value.clone() }))
    }
}

/// The text of the topic that a dialog file names for a language. The lines of a `.dlg` file are `code:file`; a `.top`
/// file is itself a topic.
fn topic(file: &Path, code: Option<&str>) -> Result<String, String> {
    if file.extension().is_some_and(|e| e == "top") {
        return read(file);
    }
    if file.extension().is_none_or(|e| e != "dlg") {
        return Err(format!("{} is neither a dialog (.dlg) nor a topic (.top)", file.display()));
    }
    let text = read(file)?;
    let lines = text.lines().filter_map(|line| line.trim().split_once(':'));
    let topics: Vec<(&str, &str)> =
        lines.map(|(code, name)| (code.trim(), name.trim())).filter(|(_, name)| name.ends_with(".top")).collect();
    let wanted = topics.iter().find(|(of, _)| Some(*of) == code).or(topics.first());
    let (_, name) = wanted.ok_or_else(|| format!("{} names no topic file", file.display()))?;
    let folder: PathBuf = file.parent().map(Path::to_owned).unwrap_or_default();
    read(&folder.join(name))
}

fn read(file: &Path) -> Result<String, String> {
    let why = |e: &dyn std::fmt::Display| format!("{}: {e}", file.display());
    match std::fs::metadata(file) {
        Ok(found) if found.len() > LONGEST_TOPIC => Err(why(&"it is too large")),
        Ok(_) => std::fs::read_to_string(file).map_err(|e| why(&e)),
        Err(e) => Err(why(&e)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn methods(next: Option<Vec<FollowUp>>) -> Vec<&'static str> {
        let method = |next| match next {
            FollowUp::CallDialog(_, method, _) => method,
            _ => panic!("an end only calls the dialog engine"),
        };
        next.into_iter().flatten().map(method).collect()
    }

    #[test]
    fn only_the_last_dialog_to_end_unsubscribes_and_one_that_has_no_topic_yet_calls_nothing() {
        let mut dialogs = Dialogs::default();
        for (n, topic) in [(1, Some("greeting".into())), (2, None), (3, Some("quiz".into()))] {
            dialogs.running.insert(BoxId(n), Talk { serial: n, topic });
        }
        assert_eq!(methods(dialogs.end(BoxId(1))), ["deactivateTopic", "unloadTopic"]);
        assert!(dialogs.end(BoxId(1)).is_none(), "it has ended");
        assert_eq!(dialogs.end(BoxId(2)).map(|calls| calls.len()), Some(0));
        assert_eq!(methods(dialogs.end(BoxId(3))), ["unsubscribe", "deactivateTopic", "unloadTopic"]);
    }
}
