//! The surroundings of the dialog: the robot's memory, voice and clock, and the ports of dialog boxes.

use crate::alarm::Alarm;
use crate::memory::Kind;
use crate::speech;
use crate::world::World;
use boxstep_dialog::files::{self, TopicFiles};
use boxstep_dialog::{Dialog, DialogEvent, ServiceCall, World as Surroundings};
use boxstep_engine::services::{Ask, DialogBox, Effect, ServiceCx, ServiceError, dialog_output};
use boxstep_types::{Time, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The first number of a call that the dialog makes; other numbers are those of a robot in Python.
const FIRST_NUMBER: u64 = 1 << 32;

/// The event of a sentence that was heard, for those who listen without a topic.
const LISTENED: &str = "Dialog/LastInput";

/// The number of calls whose results no answer waits for.
const UNAWAITED: u64 = u64::MAX - FIRST_NUMBER;

/// The dialog, and what connects it with the robot.
pub(crate) struct Talk {
    /// `None` while the dialog works: what happens then is its own doing.
    dialog: Option<Box<Dialog>>,
    /// The ports of dialog boxes, by topic.
    ports: BTreeMap<Arc<str>, Ports>,
    /// The memory keys of variables, by topic and variable ("setVariablePath").
    paths: BTreeMap<(Arc<str>, Arc<str>), Arc<str>>,
    /// The topics of files.
    files: BTreeMap<PathBuf, Arc<str>>,
    /// What has happened since the dialog worked last.
    events: Vec<Arc<str>>,
    said: Vec<u64>,
    /// When the dialog has to be told that nobody speaks.
    deadline: Option<Time>,
}

/// The ports of a dialog box: their names are not keys of the memory in its topic.
#[derive(Default)]
struct Ports {
    inputs: BTreeSet<Arc<str>>,
    outputs: BTreeSet<Arc<str>>,
    values: BTreeMap<Arc<str>, Value>,
}

impl Ports {
    fn has(&self, key: &str) -> bool {
        self.inputs.contains(key) || self.outputs.contains(key)
    }
}

impl Talk {
    pub(crate) fn new(language: &str) -> Self {
        Self {
            dialog: Some(Box::new(Dialog::new(language))),
            ports: BTreeMap::new(),
            paths: BTreeMap::new(),
            files: BTreeMap::new(),
            events: Vec::new(),
            said: Vec::new(),
            deadline: None,
        }
    }

    /// The dialog, which does not work now.
    pub(crate) fn dialog(&mut self) -> &mut Dialog {
        self.dialog.get_or_insert_default()
    }

    /// Notes that an event was raised, if a rule waits for it.
    pub(crate) fn raised(&mut self, key: &str) {
        if self.waits_for(key) {
            self.events.push(key.into());
        }
    }

    /// Whether a rule waits for an event.
    pub(crate) fn waits_for(&self, key: &str) -> bool {
        self.dialog.as_ref().is_some_and(|dialog| dialog.waits_for(key))
    }

    /// Notes that a sentence of the dialog was said or cut off.
    pub(crate) fn said(&mut self, number: u64) {
        self.said.push(number);
    }

    /// Whether the dialog is to be told of silence at this time.
    pub(crate) fn is_due(&self, at: Time) -> bool {
        self.deadline == Some(at)
    }

    pub(super) fn set_path(&mut self, topic: &str, variable: &str, key: &str) {
        self.paths.insert((topic.into(), variable.into()), key.into());
    }

    /// Forgets a topic that was unloaded.
    pub(super) fn forget(&mut self, topic: &str) {
        self.ports.remove(topic);
        self.files.retain(|_, of| **of != *topic);
        self.paths.retain(|(of, _), _| **of != *topic);
    }

    fn path<'a>(&'a self, topic: &str, key: &'a str) -> &'a str {
        if self.paths.is_empty() {
            return key;
        }
        self.paths.get(&(topic.into(), key.into())).map_or(key, |path| path)
    }
}

/// The robot as the dialog sees it.
struct Robot<'a, 'b> {
    w: RefCell<&'a mut World>,
    cx: &'a mut ServiceCx<'b>,
}

/// Lets the dialog work.
pub(super) fn with<R>(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    work: impl FnOnce(&mut Dialog, &mut dyn Surroundings) -> R,
) -> R {
    let mut dialog = w.talk.dialog.take().unwrap_or_default();
    let result = work(&mut dialog, &mut Robot { w: RefCell::new(w), cx });
    let deadline = dialog.deadline().map(|at| at.max(cx.now()));
    w.talk.dialog = Some(dialog);
    if deadline != w.talk.deadline {
        w.talk.deadline = deadline;
        if let Some(at) = deadline {
            w.alarm(cx, at, Alarm::Silence(at));
        }
    }
    result
}

/// Tells the dialog what has happened.
pub(crate) fn deliver(w: &mut World, cx: &mut ServiceCx<'_>) {
    while !w.talk.said.is_empty() || !w.talk.events.is_empty() {
        for number in std::mem::take(&mut w.talk.said) {
            with(w, cx, |dialog, world| dialog.said(world, number));
        }
        for key in std::mem::take(&mut w.talk.events) {
            with(w, cx, |dialog, world| dialog.event(world, &key));
        }
    }
}

/// The robot hears a sentence. Returns whether anybody listens: a topic, or a subscriber of the event.
pub(crate) fn hear(w: &mut World, cx: &mut ServiceCx<'_>, text: &str) -> bool {
    let listens = !w.talk.dialog().active_topics().is_empty() || w.has_subscriber(LISTENED);
    if listens {
        with(w, cx, |dialog, world| dialog.hear(world, text));
    }
    listens
}

/// Tells the dialog that nobody speaks.
pub(crate) fn tick(w: &mut World, cx: &mut ServiceCx<'_>) {
    w.talk.deadline = None;
    with(w, cx, |dialog, world| dialog.tick(world));
}

/// Passes on the result of a call; returns whether the dialog has made it.
pub(crate) fn answered(
    w: &mut World,
    cx: &mut ServiceCx<'_>,
    number: u64,
    result: Result<Value, ServiceError>,
) -> bool {
    let Some(number) = number.checked_sub(FIRST_NUMBER) else { return false };
    let result = result.map_err(|error| match error {
        ServiceError::Failed(why) | ServiceError::BadArguments(why) => why,
        ServiceError::NoService => "there is no such service".to_owned(),
        ServiceError::NoMethod => "there is no such method".to_owned(),
    });
    if let (UNAWAITED, Err(why)) = (number, &result) {
        cx.effect(Effect::Warn(format!("a call of a topic failed: {why}")));
    }
    with(w, cx, |dialog, world| dialog.returned(world, number, result));
    true
}

/// Ends what is being said, when the robot is halted.
pub(crate) fn stop(w: &mut World, cx: &mut ServiceCx<'_>) {
    if w.talk.dialog().is_busy() {
        with(w, cx, |dialog, world| dialog.stop(world));
    }
}

/// Forgets what the dialog was to be told, when the robot was halted.
pub(crate) fn forget(w: &mut World) {
    w.talk.said.clear();
    w.talk.events.clear();
}

/// Loads the topics of a dialog box and remembers its ports; returns the name of its topic.
pub(crate) fn open(w: &mut World, cx: &mut ServiceCx<'_>, dialog: &DialogBox) -> Result<Arc<str>, String> {
    let name = match loaded_before(w, &dialog.file) {
        Some(name) => name,
        None => load_file(w, cx, &dialog.file)?,
    };
    let ports = w.talk.ports.entry(name.clone()).or_default();
    ports.inputs.extend(dialog.inputs.iter().cloned());
    ports.outputs.extend(dialog.outputs.iter().cloned());
    Ok(name)
}

/// The name of the topic of a dialog file, if another box has loaded it: what was said so far counts.
fn loaded_before(w: &mut World, file: &Path) -> Option<Arc<str>> {
    let name = w.talk.files.get(file)?.clone();
    w.talk.dialog().loaded_topic(&name).map(|_| name)
}

/// Raises an event for one topic, whose dialog box has an input of this name.
pub(crate) fn input(w: &mut World, cx: &mut ServiceCx<'_>, topic: &str, input: &str, value: Value) {
    if let Some(ports) = w.talk.ports.get_mut(topic) {
        ports.values.insert(input.into(), value);
    }
    with(w, cx, |dialog, world| dialog.event_of_topic(world, topic, input));
}

/// Activates the topics that are active from the beginning, when the dialog is needed first.
pub(crate) fn start_collaborative(w: &mut World, cx: &mut ServiceCx<'_>) {
    for path in std::mem::take(&mut w.options.topics) {
        let topic = files::open_topic(&path).map_err(|why| why.to_string());
        let started = topic
            .and_then(|files| load(w, cx, files))
            .and_then(|name| with(w, cx, |dialog, world| dialog.activate(world, &name)).map_err(|why| why.to_string()));
        if let Err(why) = started {
            cx.effect(Effect::Warn(why));
        }
    }
}

/// Loads the topic of a file, in all its languages; returns its name.
pub(super) fn load_file(w: &mut World, cx: &mut ServiceCx<'_>, path: &Path) -> Result<Arc<str>, String> {
    let code = boxstep_types::languages::topic_code(w.talk.dialog().language());
    let dialog = files::open_dialog(path, code).map_err(|why| why.to_string())?;
    let mut name: Option<Arc<str>> = None;
    for (n, mut files) in dialog.into_iter().enumerate() {
        // Decision: a dialog is one topic in several languages, whatever each of its files calls it.
        if let (Some(first), Some(own)) = (&name, &mut files.topic.name) {
            own.text = (&**first).into();
        }
        match load(w, cx, files) {
            Ok(loaded) => {
                name.get_or_insert(loaded);
            }
            Err(why) if n == 0 => return Err(why),
            Err(why) => cx.effect(Effect::Warn(why)),
        }
    }
    let name = name.ok_or_else(|| format!("{} names no topic file", path.display()))?;
    w.talk.files.insert(path.to_owned(), name.clone());
    Ok(name)
}

/// Loads a topic that comes as text; returns its name.
pub(super) fn load_text(w: &mut World, cx: &mut ServiceCx<'_>, text: &str) -> Result<Arc<str>, String> {
    load(w, cx, files::topic_of_text("topic", text))
}

fn load(w: &mut World, cx: &mut ServiceCx<'_>, files: TopicFiles) -> Result<Arc<str>, String> {
    let TopicFiles { topic, includes, .. } = files;
    for problem in topic.problems.iter().filter(|p| p.code == boxstep_dialog::codes::NO_INCLUDE) {
        let place = problem.span.map_or_else(String::new, |span| topic.sources.place(span));
        cx.effect(Effect::Warn(format!("{place}: {}", problem.message)));
    }
    // Loading says and does nothing: only the index changes.
    w.talk.dialog().load(topic, includes).map_err(|why| why.to_string())
}

impl Surroundings for Robot<'_, '_> {
    fn now(&self) -> Time {
        self.cx.now()
    }

    fn unix_time(&self) -> i64 {
        self.w.borrow().options.epoch + self.cx.now().as_secs_f64() as i64
    }

    fn variable(&self, topic: &str, key: &str) -> Option<Value> {
        let w = self.w.borrow();
        if let Some(ports) = w.talk.ports.get(topic).filter(|ports| ports.has(key)) {
            return ports.values.get(key).cloned();
        }
        let key = w.talk.path(topic, key).to_owned();
        w.data(self.cx.now(), &key)
    }

    fn is_port(&self, topic: &str, key: &str) -> bool {
        self.w.borrow().talk.ports.get(topic).is_some_and(|ports| ports.has(key))
    }

    fn set_variable(&mut self, topic: &str, key: &str, value: Value) {
        let w = self.w.get_mut();
        if let Some(ports) = w.talk.ports.get_mut(topic).filter(|ports| ports.has(key)) {
            ports.values.insert(key.into(), value.clone());
            if ports.outputs.contains(key) {
                self.cx.event(dialog_output(topic, key), value);
            }
            return;
        }
        let key = w.talk.path(topic, key).to_owned();
        w.raise(self.cx, &key, value);
    }

    fn clear_variable(&mut self, topic: &str, key: &str) {
        let w = self.w.get_mut();
        if let Some(ports) = w.talk.ports.get_mut(topic).filter(|ports| ports.has(key)) {
            ports.values.remove(key);
            return;
        }
        let key = w.talk.path(topic, key).to_owned();
        w.store(self.cx, &key, Value::Null, Kind::Data);
    }

    fn notice(&mut self, key: &str, value: Value) {
        self.w.get_mut().notice(self.cx, key, value);
    }

    fn others_listen(&self) -> bool {
        self.w.borrow().has_subscriber(LISTENED)
    }

    fn others_speak(&self) -> bool {
        speech::is_speaking(&self.w.borrow(), self.cx.now())
    }

    fn random(&mut self, below: usize) -> usize {
        (self.cx.random().next_u64() % below.max(1) as u64) as usize
    }

    fn say(&mut self, number: u64, text: &str) {
        speech::say_of_dialog(self.w.get_mut(), self.cx, number, text);
    }

    fn stop_speaking(&mut self) {
        speech::stop_dialog(self.w.get_mut(), self.cx);
    }

    fn call(&mut self, number: Option<u64>, call: &ServiceCall) {
        let ask = Ask {
            number: FIRST_NUMBER + number.unwrap_or(UNAWAITED),
            service: call.service.as_str().into(),
            method: call.method.as_str().into(),
            args: call.arguments.clone(),
        };
        self.cx.effect(Effect::Call(Box::new(ask)));
    }

    fn run_script(&mut self, number: u64, text: &str) {
        let ask = Ask {
            number: FIRST_NUMBER + number,
            service: Ask::SCRIPT.into(),
            method: "run".into(),
            args: vec![text.into()],
        };
        self.cx.effect(Effect::Ask(Box::new(ask)));
    }

    fn start_behavior(&mut self, name: &str) {
        let call = ServiceCall {
            service: "ALBehaviorManager".into(),
            method: "startBehavior".into(),
            arguments: vec![name.into()],
        };
        self.call(None, &call);
    }

    fn note(&mut self, event: DialogEvent) {
        self.cx.effect(Effect::Dialog(event));
    }

    fn warn(&mut self, text: String) {
        self.cx.effect(Effect::Warn(text));
    }
}
