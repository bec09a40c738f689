//! All that can be seen at one time of a run, item by item.

use crate::fold;
use serde::Deserialize;
use serde::ser::{Serialize, SerializeTuple, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// What kind of thing an item is about. Its name goes over the wire.
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
    /// Where a joint is told to be; null if it is there.
    Command,
    /// What the robot did last, of each kind: `say`, `leds`, …
    Act,
    /// What a group of LEDs was told last.
    Leds,
    /// What the tablet shows.
    Tablet,
    /// Who has a resource, and who waits.
    Resource,
    /// A behavior of a character.
    Delegate,
    /// The clock of the run: when it ended, and why.
    Run,
}

impl About {
    /// All that things are about.
    const ALL: [About; 18] = [
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
        About::Act,
        About::Leds,
        About::Tablet,
        About::Resource,
        About::Delegate,
        About::Run,
    ];

    /// By its name.
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
            About::Act => "act",
            About::Leds => "leds",
            About::Tablet => "tablet",
            About::Resource => "resource",
            About::Delegate => "delegate",
            About::Run => "run",
        }
    }
}

/// What an item is called: what it is about, the path of its box, and a name there.
type Key = (About, Arc<str>, Arc<str>);

/// One thing that can be seen.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    key: Key,
    /// The line that it is from.
    n: u64,
    /// Nanoseconds.
    t: i64,
    /// How often it has been set.
    times: u64,
    /// JSON.
    value: Arc<str>,
    version: u64,
}

impl Serialize for Item {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        let (about, path, name) = &self.key;
        let value: &RawValue = serde_json::from_str(&self.value).map_err(serde::ser::Error::custom)?;
        let mut all = s.serialize_tuple(7)?;
        all.serialize_element(about.name())?;
        all.serialize_element(&**path)?;
        all.serialize_element(&**name)?;
        all.serialize_element(&self.n)?;
        all.serialize_element(&self.t)?;
        all.serialize_element(&self.times)?;
        all.serialize_element(value)?;
        all.end()
    }
}

/// What can be seen after some lines of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    /// The last line.
    pub(crate) n: u64,
    /// Its time, nanoseconds.
    pub(crate) t: i64,
    /// Counts changes.
    pub(crate) version: u64,
    items: Vec<Item>,
    known: HashMap<Key, u32>,
    /// By version: what has changed last is at the end.
    order: BTreeSet<(u64, u32)>,
}

/// What a picture needs of a line. Fields are those of `docs/trace.md`.
#[derive(Deserialize)]
pub(crate) struct Line<'a> {
    pub(crate) n: u64,
    pub(crate) t: i64,
    #[serde(default)]
    pub(crate) cause: u64,
    #[serde(borrow, default)]
    pub(crate) path: Option<Cow<'a, str>>,
    #[serde(borrow)]
    pub(crate) kind: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(crate) phase: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) level: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    layer: Option<&'a RawValue>,
    #[serde(borrow, default)]
    keyframe: Option<&'a RawValue>,
    #[serde(borrow, default)]
    port: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    value: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) command: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) frame: Option<&'a RawValue>,
    #[serde(borrow, default)]
    key: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    angles: Option<HashMap<Cow<'a, str>, f64>>,
    /// Of a run that is shown while it goes on.
    #[serde(borrow, default)]
    commands: Option<HashMap<Cow<'a, str>, Option<f64>>>,
    #[serde(borrow, default)]
    act: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    text: Option<&'a RawValue>,
    #[serde(borrow, default)]
    data: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) what: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    pub(crate) owner: Option<&'a RawValue>,
    #[serde(borrow, default)]
    to: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(crate) how: Option<&'a RawValue>,
    #[serde(borrow, default)]
    why: Option<&'a RawValue>,
}

impl Line<'_> {
    /// Is it something to read, and not only to be shown in the picture?
    pub(crate) fn is_told(&self) -> bool {
        !matches!(
            &*self.kind,
            "input"
                | "output"
                | "box"
                | "diagram"
                | "parameter"
                | "call"
                | "returned"
                | "joints"
                | "timeline"
                | "memory"
        )
    }
}

/// An object of those fields that are there.
fn object(fields: &[(&str, Option<&RawValue>)]) -> String {
    let mut text = String::from("{");
    for (name, value) in fields {
        if let Some(value) = value {
            if text.len() > 1 {
                text.push(',');
            }
            text.push_str(&format!("\"{name}\":{}", value.get()));
        }
    }
    text.push('}');
    text
}

fn quoted(text: &str) -> String {
    // Text is always JSON.
    serde_json::to_string(text).unwrap_or_default()
}

impl Picture {
    /// What a line changes.
    pub(crate) fn apply(&mut self, line: &Line<'_>) {
        (self.n, self.t) = (line.n, line.t);
        let path: &str = line.path.as_deref().unwrap_or_default();
        let value = |raw: Option<&RawValue>| raw.map_or("null", RawValue::get).to_owned();
        match &*line.kind {
            "behavior" => self.set(line, About::Behavior, path, &line.name, quoted(&line.phase_text())),
            "box" => {
                if matches!(line.phase.as_deref(), Some("started" | "loaded")) {
                    self.forget_error(line, path);
                }
                self.set(line, About::Box, path, &None, quoted(&line.phase_text()));
            }
            "diagram" => {
                let phase = quoted(&line.phase_text());
                let inside = object(&[("layer", line.layer), ("keyframe", line.keyframe)]);
                let name = Some(Cow::Owned(inside));
                self.set(line, About::Inside, path, &name, phase);
            }
            "input" => self.set(line, About::Input, path, &line.port, value(line.value)),
            "output" => self.set(line, About::Output, path, &line.port, value(line.value)),
            "parameter" => self.set(line, About::Parameter, path, &line.name, value(line.value)),
            "raised" | "behavior_failed" => self.set(line, About::Error, path, &None, value(line.error)),
            "timeline" => {
                if line.command.as_deref() == Some("fps") {
                    self.set(line, About::Rate, path, &None, value(line.frame));
                }
                if let Some(at) = fold::timeline(self.value(About::Timeline, path, ""), line) {
                    self.set(line, About::Timeline, path, &None, at);
                }
            }
            "event" | "memory" => self.set(line, About::Memory, "", &line.key, value(line.value)),
            "joints" => {
                let mut angles: Vec<_> = line.angles.iter().flatten().collect();
                angles.sort_by(|one, other| one.0.cmp(other.0));
                for (joint, angle) in angles {
                    self.set(line, About::Joint, "", &Some(joint.clone()), angle.to_string());
                }
                let mut commands: Vec<_> = line.commands.iter().flatten().collect();
                commands.sort_by(|one, other| one.0.cmp(other.0));
                for (joint, wanted) in commands {
                    let wanted = wanted.map_or("null".to_owned(), |angle| angle.to_string());
                    self.set(line, About::Command, "", &Some(joint.clone()), wanted);
                }
            }
            "act" => {
                let act = object(&[("text", line.text), ("data", line.data)]);
                match line.act.as_deref() {
                    Some("leds") => {
                        let group = fold::group(line.data.map(RawValue::get).unwrap_or_default());
                        self.set(line, About::Leds, "", &Some(group.into()), act.clone());
                    }
                    Some("tablet") => {
                        let data = line.data.map(RawValue::get).unwrap_or_default();
                        let shown = fold::tablet(self.value(About::Tablet, "", ""), data);
                        if let Some(shown) = shown {
                            self.set(line, About::Tablet, "", &None, shown);
                        }
                    }
                    _ => {}
                }
                self.set(line, About::Act, path, &line.act, act);
            }
            "resource" => {
                let name = line.name.as_deref().unwrap_or_default();
                let who = fold::resource(self.value(About::Resource, "", name), line);
                self.set(line, About::Resource, "", &line.name, who);
            }
            "delegation" => {
                let what = RawValue::from_string(quoted(line.what.as_deref().unwrap_or_default())).ok();
                let fields = [
                    ("what", what.as_deref()),
                    ("to", line.to),
                    ("how", line.how),
                    ("why", line.why),
                    ("value", line.value),
                ];
                self.set(line, About::Delegate, path, &None, object(&fields));
            }
            _ => {}
        }
    }

    /// The run is over: its last line.
    pub(crate) fn end(&mut self, footer: &str) {
        let (n, t) = (self.n, self.t);
        self.put((About::Run, Arc::default(), Arc::default()), n, t, footer.to_owned());
    }

    fn set(&mut self, line: &Line<'_>, about: About, path: &str, name: &Option<Cow<'_, str>>, value: String) {
        let key = (about, Arc::from(path), Arc::from(name.as_deref().unwrap_or_default()));
        self.put(key, line.n, line.t, value);
    }

    fn put(&mut self, key: Key, n: u64, t: i64, value: String) {
        self.version += 1;
        let version = self.version;
        let at = match self.known.get(&key) {
            Some(at) => *at,
            None => {
                let at = self.items.len() as u32;
                self.items.push(Item { key: key.clone(), n, t, times: 0, value: Arc::default(), version });
                self.known.insert(key, at);
                at
            }
        };
        let item = &mut self.items[at as usize];
        self.order.remove(&(item.version, at));
        (item.n, item.t, item.version, item.value) = (n, t, version, value.into());
        item.times += 1;
        self.order.insert((version, at));
    }

    /// A box that begins anew has not failed yet.
    fn forget_error(&mut self, line: &Line<'_>, path: &str) {
        let key = (About::Error, Arc::from(path), Arc::default());
        if self.known.contains_key(&key) {
            self.put(key, line.n, line.t, "null".to_owned());
        }
    }

    fn value(&self, about: About, path: &str, name: &str) -> Option<&str> {
        self.find(about, path, name).map(|at| &*self.items[at].value)
    }

    /// The number of an item. It is the same in all pictures of a run.
    pub(crate) fn find(&self, about: About, path: &str, name: &str) -> Option<usize> {
        self.known.get(&(about, Arc::from(path), Arc::from(name))).map(|at| *at as usize)
    }

    /// The numbers and values of the items that have changed after a version.
    pub(crate) fn changed(&self, version: u64) -> impl Iterator<Item = (usize, &str)> {
        self.order.range((version + 1, 0)..).map(|(_, at)| (*at as usize, &*self.items[*at as usize].value))
    }

    /// The items that have changed after a version, those that changed first before the others.
    pub(crate) fn since(&self, version: u64) -> impl Iterator<Item = &Item> {
        self.order.range((version + 1, 0)..).map(|(_, at)| &self.items[*at as usize])
    }
}

impl Line<'_> {
    fn phase_text(&self) -> String {
        self.phase.as_deref().unwrap_or_default().to_owned()
    }
}
