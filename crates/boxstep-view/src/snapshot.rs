//! The state of a run at one time, as a set of items.

use crate::entry::{PoseAt, StoreEntry, Texts};
use crate::fold::{self, FoldState};
use boxstep_engine::trace::{BoxPhase, DialogEvent, Event, Kind, TimelinePhase};
use indexmap::{Equivalent, IndexMap};
use serde::ser::{Serialize, SerializeTuple, Serializer};
use serde_json::value::RawValue;
use std::sync::Arc;

/// The kind of an item. Its name is part of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum About {
    /// A behavior: its phase.
    Behavior,
    /// A box: its phase.
    Box,
    /// A diagram inside a box: its phase, layer and keyframe.
    Inside,
    /// The last value of an input.
    Input,
    /// The last value of an output.
    Output,
    /// A parameter's value.
    Parameter,
    /// The last exception of a box.
    Error,
    /// Where a timeline is, and whether it plays.
    Timeline,
    /// Frames per second of a timeline.
    Rate,
    /// A value of the robot's memory.
    Memory,
    /// A joint's angle in radians.
    Joint,
    /// The commanded angle of a joint that has not reached it; null if it has.
    Command,
    /// Where the torso is, if physics moves the robot.
    Torso,
    /// The last act of the robot, of each kind: `say`, `leds`, …
    Act,
    /// The last command to a group of LEDs.
    Leds,
    /// What the tablet shows.
    Tablet,
    /// The holders of a resource, and those who wait for it.
    Resource,
    /// A behavior of a character.
    Delegate,
    /// Of the dialog: the `focus`, a topic, and the `scope`, the rule whose sub-rules are open.
    Dialog,
    /// The value that a topic has given a variable.
    Variable,
    /// What became of the last change of a box that came while it played.
    Reload,
    /// The clock of the run: when it ended, and why.
    Run,
}

impl About {
    /// All kinds.
    const ALL: [About; 22] = [
        About::Behavior,
        About::Box,
        About::Inside,
        About::Input,
        About::Output,
        About::Parameter,
        About::Error,
        About::Timeline,
        About::Rate,
        About::Memory,
        About::Joint,
        About::Command,
        About::Torso,
        About::Act,
        About::Leds,
        About::Tablet,
        About::Resource,
        About::Delegate,
        About::Dialog,
        About::Variable,
        About::Reload,
        About::Run,
    ];

    /// Returns the kind with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|about| about.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            About::Behavior => "behavior",
            About::Box => "box",
            About::Inside => "inside",
            About::Input => "input",
            About::Output => "output",
            About::Parameter => "parameter",
            About::Error => "error",
            About::Timeline => "timeline",
            About::Rate => "rate",
            About::Memory => "memory",
            About::Joint => "joint",
            About::Command => "command",
            About::Torso => "torso",
            About::Act => "act",
            About::Leds => "leds",
            About::Tablet => "tablet",
            About::Resource => "resource",
            About::Delegate => "delegate",
            About::Dialog => "dialog",
            About::Variable => "variable",
            About::Reload => "reload",
            About::Run => "run",
        }
    }
}

/// The key of an item: its kind, the path of its box, and a name there.
type Key = (About, Arc<str>, Arc<str>);

/// A borrowed key, for lookups.
#[derive(Hash)]
struct KeyRef<'a>(About, &'a str, &'a str);

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        (self.0, self.1, self.2) == (key.0, &*key.1, &*key.2)
    }
}

/// The index that means "no item".
const NONE: usize = usize::MAX;

/// One item of a snapshot.
#[derive(Clone, Debug)]
struct Item {
    /// The number of the event that set it.
    n: u64,
    /// When it was set, in nanoseconds.
    t: i64,
    /// How often it has been set.
    times: u64,
    /// The value as JSON.
    value: Arc<str>,
    /// The structured value, if the next value depends on it.
    state: Option<Arc<FoldState>>,
    /// Whether the last change gave it a different value.
    other: bool,
    version: u64,
    /// The items that have changed before it and after it.
    older: usize,
    newer: usize,
}

impl Item {
    /// Creates an item that has not been set.
    fn new() -> Self {
        let (value, state) = (Arc::default(), None);
        Self { n: 0, t: 0, times: 0, value, state, other: true, version: 0, older: NONE, newer: NONE }
    }
}

/// An item with its key, serialized for a page.
pub(crate) struct KeyedItem<'a>(&'a Key, &'a Item);

impl Serialize for KeyedItem<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let KeyedItem((about, path, name), item) = self;
        // Items change more often than pages read them, so the JSON is parsed here, and not converted to a value.
        let value: &RawValue = serde_json::from_str(&item.value).map_err(serde::ser::Error::custom)?;
        let mut all = s.serialize_tuple(7)?;
        all.serialize_element(about.name())?;
        all.serialize_element(&**path)?;
        all.serialize_element(&**name)?;
        all.serialize_element(&item.n)?;
        all.serialize_element(&item.t)?;
        all.serialize_element(&item.times)?;
        all.serialize_element(value)?;
        all.end()
    }
}

/// A change of an item, which is identified by its number.
pub(crate) struct ItemChange<'a> {
    pub(crate) item: usize,
    /// The new value as JSON.
    pub(crate) value: &'a str,
    /// Whether the value differs from the one before.
    pub(crate) other: bool,
}

/// The state of a run after some of its entries.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    /// The number of the last event.
    pub(crate) n: u64,
    /// The time of the last entry, in nanoseconds.
    pub(crate) t: i64,
    /// Counts changes.
    pub(crate) version: u64,
    items: IndexMap<Key, Item>,
    /// The item that has changed last; each item links to the one that changed before it.
    last: usize,
}

impl Default for Snapshot {
    fn default() -> Self {
        Self { n: 0, t: 0, version: 0, items: IndexMap::new(), last: NONE }
    }
}

/// Formats a JSON object from fields whose values are JSON.
fn object<'a>(fields: impl IntoIterator<Item = (&'a str, String)>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

impl Snapshot {
    /// Applies an entry. `path` is the path of its box; empty without one.
    pub(crate) fn apply(&mut self, entry: &StoreEntry, path: &str, texts: &Texts) {
        match entry {
            StoreEntry::Event(event) => self.event(event, path, texts),
            StoreEntry::Pose(pose) => self.pose(pose),
        }
    }

    fn pose(&mut self, pose: &PoseAt) {
        let (n, t) = (pose.n, pose.t.0);
        (self.n, self.t) = (n, t);
        for (joint, angle) in &pose.angles {
            self.put(&KeyRef(About::Joint, "", joint), n, t, &angle.to_string());
        }
        for (joint, wanted) in &pose.commands {
            let wanted = wanted.map_or("null".to_owned(), |angle| angle.to_string());
            self.put(&KeyRef(About::Command, "", joint), n, t, &wanted);
        }
        if let Some(torso) = &pose.torso {
            self.put(&KeyRef(About::Torso, "", ""), n, t, &format!("{torso:?}"));
        }
    }

    fn event(&mut self, event: &Event, path: &str, texts: &Texts) {
        self.pass(event);
        let quoted = |text: &str| texts.json(&text);
        let named = |name| texts.name(name);
        match &event.kind {
            Kind::Input { port, value } => self.set(event, KeyRef(About::Input, path, port), &texts.value(value)),
            Kind::Output { port, value } => self.set(event, KeyRef(About::Output, path, port), &texts.value(value)),
            Kind::Behavior { phase, name } => {
                self.set(event, KeyRef(About::Behavior, path, &named(name)), &quoted(phase.name()));
            }
            Kind::Box { phase } => {
                if matches!(phase, BoxPhase::Started | BoxPhase::Loaded | BoxPhase::Constructed) {
                    self.forget_error(event, path);
                }
                self.set(event, KeyRef(About::Box, path, ""), &format!("\"{phase}\""));
            }
            Kind::Diagram { phase, place } => {
                let place = place.as_ref().map(|at| [("layer", quoted(&at.layer)), ("keyframe", quoted(&at.keyframe))]);
                let inside = object(place.into_iter().flatten());
                self.set(event, KeyRef(About::Inside, path, &inside), &quoted(phase.name()));
            }
            Kind::Parameter { name, value } => {
                self.set(event, KeyRef(About::Parameter, path, name), &texts.value(value))
            }
            Kind::Raised { error, .. } | Kind::BehaviorFailed { error, .. } => {
                self.set(event, KeyRef(About::Error, path, ""), &texts.json(error));
            }
            Kind::Timeline { command, frame } => {
                if *command == TimelinePhase::Fps {
                    self.set(event, KeyRef(About::Rate, path, ""), &frame.to_string());
                }
                let name = KeyRef(About::Timeline, path, "");
                if let Some(state) = fold::timeline(self.state(&name), *command, *frame, event.t.0) {
                    self.set_state(event, name, state, texts);
                }
            }
            Kind::Event { key, value, .. } => {
                self.set(event, KeyRef(About::Memory, "", &named(key)), &texts.value(value))
            }
            Kind::Memory { key, value } => {
                let value = value.as_ref().map_or("null".into(), |value| texts.value(value));
                self.set(event, KeyRef(About::Memory, "", &named(key)), &value);
            }
            Kind::Joints { angles, torso } => {
                let mut angles: Vec<_> = angles.iter().filter(|(_, angle)| angle.is_finite()).collect();
                angles.sort_by(|one, other| one.0.cmp(&other.0));
                for (joint, angle) in angles {
                    self.set(event, KeyRef(About::Joint, "", joint), &angle.to_string());
                }
                if let Some(torso) = torso.as_deref().filter(|torso| torso.iter().all(|number| number.is_finite())) {
                    self.set(event, KeyRef(About::Torso, "", ""), &format!("{torso:?}"));
                }
            }
            Kind::Act(act) => {
                let shown = object([("text", texts.json(&act.text)), ("data", texts.json(&act.data))]);
                match &*act.kind {
                    "leds" => self.set(event, KeyRef(About::Leds, "", &named(fold::group(&act.data))), &shown),
                    "tablet" => {
                        let name = KeyRef(About::Tablet, "", "");
                        if let Some(state) = fold::tablet(self.state(&name), &act.data) {
                            self.set_state(event, name, state, texts);
                        }
                    }
                    _ => {}
                }
                self.set(event, KeyRef(About::Act, path, &act.kind), &shown);
            }
            Kind::Resource(claim) => {
                let name = named(&claim.name);
                let name = KeyRef(About::Resource, "", &name);
                let state = fold::resource(self.state(&name), claim, path, event.t.0);
                self.set_state(event, name, state, texts);
            }
            Kind::Delegation(delegation) => {
                self.set(event, KeyRef(About::Delegate, path, ""), &texts.json(delegation));
            }
            Kind::Reload(reload) => self.set(event, KeyRef(About::Reload, path, ""), &texts.json(reload)),
            Kind::Dialog(dialog) => match &**dialog {
                DialogEvent::Focus { topic } => self.set(event, KeyRef(About::Dialog, "", "focus"), &texts.json(topic)),
                DialogEvent::Scope { rule } => self.set(event, KeyRef(About::Dialog, "", "scope"), &texts.json(rule)),
                DialogEvent::Variable { key, value } => {
                    self.set(event, KeyRef(About::Variable, "", &named(key)), &texts.value(value));
                }
                _ => {}
            },
            _ => {}
        }
    }

    /// Takes the footer: the run is over.
    pub(crate) fn end(&mut self, footer: &str) {
        let (n, t) = (self.n, self.t);
        self.put(&KeyRef(About::Run, "", ""), n, t, footer);
    }

    fn set(&mut self, event: &Event, name: KeyRef<'_>, value: &str) {
        self.put(&name, event.n, event.t.0, value);
    }

    /// Sets an item whose next value depends on this one.
    fn set_state(&mut self, event: &Event, name: KeyRef<'_>, state: FoldState, texts: &Texts) {
        let at = self.put(&name, event.n, event.t.0, &texts.json(&state));
        self.items[at].state = Some(Arc::new(state));
    }

    /// Advances the time to an event that changes no item.
    pub(crate) fn pass(&mut self, event: &Event) {
        (self.n, self.t) = (event.n, event.t.0);
    }

    /// Applies a signal at a port, and returns the number of its item.
    pub(crate) fn signal(&mut self, (about, path, port): (About, &str, &str), event: &Event, value: &str) -> usize {
        self.pass(event);
        self.put(&KeyRef(about, path, port), event.n, event.t.0, value)
    }

    /// Applies a signal at a port whose item number is known.
    pub(crate) fn signal_at(&mut self, at: usize, event: &Event, value: &str) {
        self.pass(event);
        self.put_at(at, event.n, event.t.0, value);
    }

    fn put(&mut self, name: &KeyRef<'_>, n: u64, t: i64, value: &str) -> usize {
        let at = self.items.get_index_of(name).unwrap_or_else(|| {
            let key = (name.0, Arc::from(name.1), Arc::from(name.2));
            self.items.insert_full(key, Item::new()).0
        });
        self.put_at(at, n, t, value);
        at
    }

    /// Sets an item by its number.
    fn put_at(&mut self, at: usize, n: u64, t: i64, value: &str) {
        self.version += 1;
        if self.last != at {
            self.unlink(at);
            let last = std::mem::replace(&mut self.last, at);
            if let Some((_, item)) = self.items.get_index_mut(last) {
                item.newer = at;
            }
            (self.items[at].older, self.items[at].newer) = (last, NONE);
        }
        let item = &mut self.items[at];
        (item.n, item.t, item.version) = (n, t, self.version);
        item.times += 1;
        item.other = item.times == 1 || *item.value != *value;
        if item.other {
            item.value = value.into();
        }
    }

    /// Removes an item from the list of changes.
    fn unlink(&mut self, at: usize) {
        let (older, newer) = (self.items[at].older, self.items[at].newer);
        if let Some((_, item)) = self.items.get_index_mut(older) {
            item.newer = newer;
        }
        if let Some((_, item)) = self.items.get_index_mut(newer) {
            item.older = older;
        }
    }

    /// Clears the error of a box that starts again.
    fn forget_error(&mut self, event: &Event, path: &str) {
        let error = KeyRef(About::Error, path, "");
        if self.items.contains_key(&error) {
            self.set(event, error, "null");
        }
    }

    fn state(&self, name: &KeyRef<'_>) -> Option<&FoldState> {
        self.items.get(name)?.state.as_deref()
    }

    /// Returns the number of an item, which is the same in all snapshots of a run.
    pub(crate) fn find(&self, about: About, path: &str, name: &str) -> Option<usize> {
        self.items.get_index_of(&KeyRef(about, path, name))
    }

    /// Returns the names of all items of a kind.
    pub(crate) fn names(&self, about: About) -> impl Iterator<Item = &str> {
        self.items.keys().filter(move |key| key.0 == about).map(|key| &*key.2)
    }

    /// Returns the items that have changed after a version, the latest change first.
    fn back_to(&self, version: u64) -> impl Iterator<Item = (usize, &Key, &Item)> {
        let get = |at: usize| self.items.get_index(at).map(|(key, item)| (at, key, item));
        let changed = std::iter::successors(get(self.last), move |(_, _, item)| get(item.older));
        changed.take_while(move |(_, _, item)| item.version > version)
    }

    /// Returns the changes after a version, the latest first.
    pub(crate) fn changed(&self, version: u64) -> impl Iterator<Item = ItemChange<'_>> {
        self.back_to(version).map(|(at, ..)| self.change_of(at))
    }

    /// Returns the last change of an item.
    pub(crate) fn change_of(&self, at: usize) -> ItemChange<'_> {
        let item = &self.items[at];
        ItemChange { item: at, value: &item.value, other: item.other }
    }

    /// Returns the items that have changed after a version, the earliest change first.
    pub(crate) fn since(&self, version: u64) -> Vec<KeyedItem<'_>> {
        let mut all: Vec<KeyedItem<'_>> = self.back_to(version).map(|(_, key, item)| KeyedItem(key, item)).collect();
        all.reverse();
        all
    }
}
