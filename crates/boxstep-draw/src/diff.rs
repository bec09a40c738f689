//! Differences between two behaviors in terms of boxes, ports, parameters, links, resources, timelines, keys and
//! scripts, not lines of XML.

mod boxes;
mod html;
mod links;
mod matching;
mod notes;
mod script;
mod text;
mod timeline;

use crate::json;
use crate::scene::Spot;
use boxstep_format::XarFile;
use boxstep_format::model::BoxDef;
use boxstep_format::paths::{self, BoxAt};
use matching::Matching;
use notes::{Notes, or_none};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{HashMap, HashSet};

pub use script::Line;
pub use text::lines;

/// The number in the JSON form's `schema`: raised when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 1;

/// How something differs between the two behaviors.
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
    /// A box with everything inside it.
    Box,
    /// A box's name.
    Name,
    /// The diagram that contains a box.
    Place,
    /// Where a box is drawn.
    Position,
    /// The order of items in the file: boxes and layers are loaded in this order, links signal in it, and ports and
    /// parameters are shown in it.
    Order,
    /// Another property of the box: tooltip, plugin, image, dialog file.
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
    /// Whether it was added, removed or changed.
    pub kind: Kind,
    /// What it is about.
    pub what: What,
    /// Path of the box in the new behavior; in the old one if it is only there.
    #[serde(rename = "box")]
    pub path: String,
    /// Path of the box in the old behavior, if it differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was: Option<String>,
    /// The thing and its property: `Speed (%)`, `HeadYaw frame 25`, `Say.onStopped → Dance.onStart`.
    pub name: String,
    /// The old value; the file's own text if it is a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    /// The new value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The lines of a script that changed, with some around them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
    /// The indices of the box in [`Diff`]'s lists, for drawings.
    #[serde(skip)]
    at: At,
    /// The affected element in the old and the new drawing of the box.
    #[serde(skip)]
    spots: (Option<Spot>, Option<Spot>),
}

/// Indices of a box in the old and the new list.
type At = (Option<usize>, Option<usize>);

/// The changes between two behaviors.
#[derive(Serialize, JsonSchema)]
#[schemars(title = "Boxstep difference")]
struct Report<'a> {
    /// Number of this schema.
    schema: u32,
    /// Name of the old file.
    old: &'a str,
    /// Name of the new file.
    new: &'a str,
    /// True if there are no changes.
    same: bool,
    /// In the order of the new file's boxes; those of removed boxes last.
    changes: &'a [Change],
}

/// The difference between two behaviors.
///
/// ```
/// use boxstep_draw::diff::Diff;
/// use boxstep_format::{Limits, read_xar};
///
/// let read = |tooltip: &str| {
///     let xar = format!(r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1" tooltip="{tooltip}"/></ChoregrapheProject>"#);
///     read_xar("behavior.xar", xar.as_bytes(), &Limits::default())
/// };
/// let (old, new) = (read("Waves.")?, read("Says hello.")?);
/// assert!(Diff::new(&old, &old).is_same());
/// let diff = Diff::new(&old, &new);
/// assert_eq!(diff.changes().len(), 1);
/// assert!(diff.text("old.xar", "new.xar", false).contains("Says hello."));
/// # Ok::<(), boxstep_format::FormatError>(())
/// ```
pub struct Diff<'a> {
    old: Version<'a>,
    new: Version<'a>,
    matching: Matching,
    changes: Vec<Change>,
}

/// One of the two behaviors.
struct Version<'a> {
    file: &'a XarFile,
    boxes: Vec<BoxAt<'a>>,
    places: HashMap<*const BoxDef, usize>,
    /// Boxes that changed or contain changes.
    touched: HashSet<usize>,
}

impl<'a> Version<'a> {
    fn new(file: &'a XarFile) -> Self {
        let boxes: Vec<BoxAt<'a>> = paths::boxes(&file.project).collect();
        let places = boxes.iter().enumerate().map(|(i, b)| (std::ptr::from_ref(b.def), i)).collect();
        Self { file, boxes, places, touched: HashSet::new() }
    }

    /// Returns the index of a box of this behavior.
    fn place(&self, def: &BoxDef) -> Option<usize> {
        self.places.get(&std::ptr::from_ref(def)).copied()
    }

    /// Marks a box and all boxes around it as touched.
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
        let (old, new) = (Version::new(old), Version::new(new));
        let matching = Matching::new(&old.boxes, &new.boxes);
        let mut diff = Self { old, new, matching, changes: Vec::new() };
        diff.compare();
        diff
    }

    /// Returns true if nothing changed.
    pub fn is_same(&self) -> bool {
        self.changes.is_empty()
    }

    /// All changes, in the order of the new file's boxes; those of removed boxes come last.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// Formats the changes as JSON; the schema is `docs/schemas/diff.json`.
    pub fn json(&self, old: &str, new: &str) -> String {
        json::text(&Report { schema: SCHEMA, old, new, same: self.is_same(), changes: &self.changes })
    }

    /// Formats the changes as text; `color` adds terminal styles. The text is empty if nothing changed.
    pub fn text(&self, old: &str, new: &str, color: bool) -> String {
        text::text(&self.changes, old, new, color)
    }

    fn compare(&mut self) {
        let (a, b) = (&self.old.file.project, &self.new.file.project);
        let mut file = self.notes((Some(0), Some(0)));
        file.field(What::File, "kind", &a.kind, &b.kind, |kind| format!("{kind:?}"));
        file.field(What::File, "version", &a.version, &b.version, or_none);
        file.resources("resources of the file", &a.resources, &b.resources);
        let found = file.found;
        self.changes.extend(found);
        for new in 0..self.new.boxes.len() {
            match self.matching.old_of(new) {
                Some(old) => self.compare_boxes(old, new),
                None => self.unmatched(Kind::Added, (None, Some(new))),
            }
        }
        for old in 0..self.old.boxes.len() {
            if self.matching.new_of(old).is_none() {
                self.unmatched(Kind::Removed, (Some(old), None));
            }
        }
        for change in &self.changes {
            self.old.touch(change.at.0);
            self.new.touch(change.at.1);
        }
    }

    /// Creates the collector of one box's changes.
    fn notes(&self, at: At) -> Notes {
        let path = |side: &Version<'_>, i: Option<usize>| i.and_then(|i| side.boxes.get(i)).map(|b| b.path.to_string());
        let (old, new) = (path(&self.old, at.0), path(&self.new, at.1));
        let (path, was) = match (old, new) {
            (Some(old), Some(new)) if old == new => (new, None),
            (old, Some(new)) => (new, old),
            (old, None) => (old.unwrap_or_default(), None),
        };
        Notes { path, was, at, spots: (None, None), found: Vec::new() }
    }
}

/// The JSON Schema of [`Diff::json`].
pub fn json_schema() -> String {
    json::schema_of::<Report<'static>>()
}
