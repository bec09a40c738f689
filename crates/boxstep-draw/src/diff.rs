//! What changed between two behaviors, in their own terms: boxes, ports, parameters, links, resources,
//! timelines, keys and scripts, not lines of XML.

mod boxes;
mod html;
mod links;
mod matching;
mod script;
mod text;
mod timeline;

use crate::json;
use boxstep_format::XarFile;
use boxstep_format::model::BoxDef;
use boxstep_format::paths::{self, BoxAt};
use matching::Matching;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{HashMap, HashSet, VecDeque};

pub use script::Line;

/// The number in the JSON form's `schema`: raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// Whether something is there that was not, is not there any more, or is otherwise than it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Only the new behavior has it.
    Added,
    /// Only the old behavior has it.
    Removed,
    /// Both have it, and it differs.
    Changed,
}

/// What a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum What {
    /// The file's version or kind.
    File,
    /// A box with all that is in it.
    Box,
    /// A box's name.
    Name,
    /// The diagram a box stands in.
    Place,
    /// Where a box is drawn.
    Position,
    /// In which order the file has boxes or links, which is the order they are loaded and signalled in.
    Order,
    /// Something of the box that no other word fits: tooltip, plugin, image, dialog file.
    Detail,
    /// An input.
    Input,
    /// An output.
    Output,
    /// A parameter.
    Parameter,
    /// A resource.
    Resource,
    /// A link.
    Link,
    /// A script.
    Script,
    /// A setting of a timeline.
    Timeline,
    /// A curve.
    Curve,
    /// A key of a curve.
    Key,
    /// A behavior layer.
    Layer,
    /// A keyframe of a layer.
    Keyframe,
}

/// One change.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Change {
    /// Which way.
    pub kind: Kind,
    /// What it is about.
    pub what: What,
    /// Path of the box in the new behavior; in the old one if it is only there.
    #[serde(rename = "box")]
    pub path: String,
    /// Path of the box in the old behavior, if it is another.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The thing and its property: `Speed (%)`, `HeadYaw frame 25`, `Say.onStopped → Dance.onStart`.
    pub name: String,
    /// How it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// How it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The lines of a script that changed, with some around them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// The box's place in [`Diff`]'s lists, for drawings.
    #[serde(skip)]
    at: (Option<usize>, Option<usize>),
}

/// The JSON form.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Boxstep difference")]
struct Report<'a> {
    /// Number of this schema.
    schema: u32,
    /// Name of the old file.
    old: &'a str,
    /// Name of the new file.
    new: &'a str,
    /// There are no changes.
    same: bool,
    /// In the order of the new file's boxes; those of removed boxes last.
    changes: &'a [Change],
}

/// The difference of two behaviors.
pub struct Diff<'a> {
    old: Side<'a>,
    new: Side<'a>,
    matching: Matching,
    changes: Vec<Change>,
    links: links::Marked,
}

/// One of the two behaviors.
struct Side<'a> {
    file: &'a XarFile,
    boxes: Vec<BoxAt<'a>>,
    places: HashMap<*const BoxDef, usize>,
    /// Boxes that changed or have changes inside.
    touched: HashSet<usize>,
}

impl<'a> Side<'a> {
    fn new(file: &'a XarFile) -> Self {
        let boxes: Vec<BoxAt<'a>> = paths::boxes(&file.project).collect();
        let places = boxes.iter().enumerate().map(|(i, b)| (std::ptr::from_ref(b.def), i)).collect();
        Self { file, boxes, places, touched: HashSet::new() }
    }

    /// The place of a box of this side.
    fn place(&self, def: &BoxDef) -> Option<usize> {
        self.places.get(&std::ptr::from_ref(def)).copied()
    }

    /// Remembers a box and all around it.
    fn touch(&mut self, at: Option<usize>) {
        let mut next = at;
        while let Some(i) = next.filter(|i| !self.touched.contains(i)) {
            self.touched.insert(i);
            next = self.boxes.get(i).and_then(|b| b.parent).and_then(|p| self.place(p));
        }
    }
}

impl<'a> Diff<'a> {
    /// Compares two behaviors.
    pub fn new(old: &'a XarFile, new: &'a XarFile) -> Self {
        let (old, new) = (Side::new(old), Side::new(new));
        let matching = Matching::new(&old.boxes, &new.boxes);
        let mut diff = Self { old, new, matching, changes: Vec::new(), links: links::Marked::default() };
        diff.compare();
        diff
    }

    /// True if nothing changed.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty()
    }

    /// All changes, in the order of the new file's boxes; those of removed boxes last.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// As JSON; its schema is `docs/schemas/diff.json`.
    pub fn json(&self, old: &str, new: &str) -> String {
        json::text(&Report { schema: SCHEMA, old, new, same: self.is_same(), changes: &self.changes })
    }

    /// For people; `color` adds terminal styles. Empty if nothing changed.
    pub fn text(&self, old: &str, new: &str, color: bool) -> String {
        text::text(&self.changes, old, new, color)
    }

    fn compare(&mut self) {
        let (a, b) = (&self.old.file.project, &self.new.file.project);
        let (kinds, versions) = ((format!("{:?}", a.kind), format!("{:?}", b.kind)), (a.version, b.version));
        let version = |v: Option<i32>| v.map_or_else(|| "none".to_owned(), |v| v.to_string());
        let mut file = self.notes((Some(0), Some(0)));
        file.field(What::File, "kind", kinds.0, kinds.1);
        file.field(What::File, "version", version(versions.0), version(versions.1));
        file.resources(&a.resources, &b.resources);
        let found = file.found;
        self.changes.extend(found);
        for new in 0..self.new.boxes.len() {
            match self.matching.old_of(new) {
                Some(old) => self.pair(old, new),
                None => self.alone(Kind::Added, (None, Some(new))),
            }
        }
        for old in 0..self.old.boxes.len() {
            if self.matching.new_of(old).is_none() {
                self.alone(Kind::Removed, (Some(old), None));
            }
        }
        for change in &self.changes {
            self.old.touch(change.at.0);
            self.new.touch(change.at.1);
        }
    }

    /// Collects changes of one box.
    fn notes(&self, at: (Option<usize>, Option<usize>)) -> Notes {
        let path = |side: &Side<'_>, i: Option<usize>| i.and_then(|i| side.boxes.get(i)).map(|b| b.path.to_string());
        let (old, new) = (path(&self.old, at.0), path(&self.new, at.1));
        let (path, was) = match (old, new) {
            (Some(old), Some(new)) if old == new => (new, None),
            (old, Some(new)) => (new, old),
            (old, None) => (old.unwrap_or_default(), None),
        };
        Notes { path, was, at, found: Vec::new() }
    }
}

/// The changes of one box while they are found.
struct Notes {
    path: String,
    was: Option<String>,
    at: (Option<usize>, Option<usize>),
    found: Vec<Change>,
}

impl Notes {
    fn push(&mut self, kind: Kind, what: What, name: impl Into<String>, before: Option<String>, after: Option<String>) {
        self.found.push(Change {
            kind,
            what,
            path: self.path.clone(),
            was: self.was.clone(),
            name: name.into(),
            before,
            after,
            lines: Vec::new(),
            at: self.at,
        });
    }

    /// A property, if it differs.
    fn field(&mut self, what: What, name: &str, before: impl Into<String>, after: impl Into<String>) {
        let (before, after) = (before.into(), after.into());
        if before != after {
            self.push(Kind::Changed, what, name, Some(before), Some(after));
        }
    }

    fn added(&mut self, what: What, name: &str, after: String) {
        self.push(Kind::Added, what, name, None, Some(after));
    }

    fn removed(&mut self, what: What, name: &str, before: String) {
        self.push(Kind::Removed, what, name, Some(before), None);
    }
}

/// The JSON Schema of [`Diff::json`].
pub fn json_schema() -> String {
    json::schema_of::<Report<'static>>()
}

/// More things than this without a pair were not renamed one by one.
const MANY: usize = 500;

/// Pairs things of the same name: the first with the first and so on. Gives both places, in the order
/// of the new list; what has no pair comes with one place.
fn pairs<T>(old: &[T], new: &[T], name: impl Fn(&T) -> String) -> Vec<(Option<usize>, Option<usize>)> {
    let mut waiting: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (i, thing) in old.iter().enumerate() {
        waiting.entry(name(thing)).or_default().push_back(i);
    }
    let mut found: Vec<(Option<usize>, Option<usize>)> = Vec::with_capacity(new.len());
    for (j, thing) in new.iter().enumerate() {
        found.push((waiting.get_mut(&name(thing)).and_then(|w| w.pop_front()), Some(j)));
    }
    let mut left: Vec<usize> = waiting.into_values().flatten().collect();
    left.sort_unstable();
    found.extend(left.into_iter().map(|i| (Some(i), None)));
    found
}

/// Joins those that have no pair but the same second name: they were renamed. Where very many have no
/// pair, nothing was renamed but all is new.
fn rename<T, K: PartialEq>(
    found: &mut Vec<(Option<usize>, Option<usize>)>,
    old: &[T],
    new: &[T],
    other: impl Fn(&T) -> K,
) {
    let lost: Vec<usize> = found.iter().filter(|p| p.1.is_none()).filter_map(|p| p.0).collect();
    if lost.len() > MANY {
        return;
    }
    for i in lost {
        let same = |j: usize| new.get(j).zip(old.get(i)).is_some_and(|(n, o)| other(n) == other(o));
        if let Some(pair) = found.iter_mut().find(|p| p.0.is_none() && p.1.is_some_and(same)) {
            pair.0 = Some(i);
            found.retain(|p| *p != (Some(i), None));
        }
    }
}
