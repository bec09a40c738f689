//! Allocation of the names of a split folder's files.
//!
//! A name is `l`, the depth, `_`, and the box's name with each run of characters other than ASCII letters and digits
//! replaced by `_`. If a name is taken, `_1`, `_2`, … is appended. A box also owns the names of its derived files, so
//! that a box "foo timeline" beside a box "foo" cannot take `l1_foo_timeline`. Names that differ only in case count as
//! equal, because they are the same file on Windows and macOS.

use crate::model::{BoxDef, Timeline};
use crate::states::{never_played, size};
use std::collections::{HashMap, HashSet};

/// The maximum length of a box's name in a file name: long enough to distinguish boxes, short enough for every file
/// system.
const LONGEST: usize = 100;

/// The name of the root's file, from which a folder is read.
pub const ROOT: &str = "l0_root";

/// The file names of a box and of the boxes inside it.
#[derive(Clone, Debug)]
pub(super) struct Names {
    pub(super) name: String,
    /// The names of the boxes inside, by layer, keyframe and index in the diagram.
    pub(super) inside: Vec<Vec<Vec<Names>>>,
}

/// Allocates names for a box and all boxes inside it, in document order, each box before the boxes inside it.
pub(super) fn names(root: &BoxDef) -> Names {
    Allocator::default().allocate(root, 0)
}

/// Converts a box's name to a part of a file name.
fn file_name_part(name: &str) -> String {
    if name.is_empty() {
        return "unnamed_object".into();
    }
    let mut out = String::new();
    // ASCII white space is replaced by `_`; other control characters and all non-ASCII characters are removed.
    for c in name.chars().filter(|c| c.is_ascii() && (!c.is_ascii_control() || matches!(c, '\t'..='\r'))) {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !out.ends_with('_') {
            out.push('_');
        }
    }
    out.truncate(LONGEST);
    out
}

#[derive(Default)]
struct Allocator {
    /// All used names, in lower case.
    used: HashSet<String>,
    /// How many numbered forms of a name have been tried, by the wanted name in lower case and its suffixes. Used names
    /// stay used, so the search can continue there; otherwise thousands of boxes with one name would each try all forms
    /// again.
    tried: HashMap<(String, Vec<String>), usize>,
}

impl Allocator {
    fn allocate(&mut self, def: &BoxDef, depth: usize) -> Names {
        let wanted = if depth == 0 { ROOT.to_owned() } else { format!("l{depth}_{}", file_name_part(&def.name)) };
        let name = self.free(&wanted, &suffixes(def.timeline.as_ref()));
        let mut inside = Vec::new();
        for layer in def.timeline.iter().flat_map(|t| &t.layers) {
            let mut of_layer = Vec::new();
            for keyframe in &layer.keyframes {
                let boxes = keyframe.diagram.boxes.iter().map(|b| self.allocate(b, depth + 1)).collect();
                // The original converter also reserves a name for each diagram, though it writes no file of that name.
                self.free(&format!("{name}_diagram"), &[]);
                of_layer.push(boxes);
            }
            inside.push(of_layer);
        }
        Names { name, inside }
    }

    /// Returns the first free form of a name whose derived names are free too, and marks all of them as used.
    fn free(&mut self, wanted: &str, suffixes: &[String]) -> String {
        let next = self.tried.entry((wanted.to_ascii_lowercase(), suffixes.to_vec())).or_default();
        loop {
            let n = *next;
            *next += 1;
            let name = if n == 0 { wanted.to_owned() } else { format!("{wanted}_{n}") };
            let lower = name.to_ascii_lowercase();
            let all: Vec<String> = suffixes.iter().map(|s| format!("{lower}{s}")).collect();
            if !self.used.contains(&lower) && !all.iter().any(|n| self.used.contains(n)) {
                self.used.insert(lower);
                self.used.extend(all);
                return name;
            }
        }
    }
}

/// Returns the suffixes of a box's derived files. A box without contents also owns the names under which the reader
/// would look for them, so that it cannot mistake another box's file for its own.
fn suffixes(timeline: Option<&Timeline>) -> Vec<String> {
    let mut all = vec!["_timeline".to_owned(), "_state_machine".to_owned()];
    let Some(timeline) = timeline else { return all };
    let states = size(timeline).0.max(timeline.machine.as_ref().map_or(0, |m| m.states.len()));
    let kept = never_played(timeline).len().max(usize::from(timeline.machine.is_some()));
    all.extend((0..states).map(|n| format!("_state_{n}")));
    all.extend((0..kept).map(|n| format!("_unplayed_{n}")));
    all
}

/// The name of a state's file, without extension.
pub(super) fn state(of: &str, index: usize) -> String {
    format!("{of}_state_{index}")
}

/// The name of the file of a diagram that is in no state, without extension.
pub(super) fn unplayed(of: &str, index: usize) -> String {
    format!("{of}_unplayed_{index}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, read_xar};

    fn flat(names: &Names, all: &mut Vec<String>) {
        all.push(names.name.clone());
        names.inside.iter().flatten().flatten().for_each(|n| flat(n, all));
    }

    /// Returns the file names of the boxes in one diagram; a box `x*` contains a diagram itself.
    fn of(boxes: &[&str]) -> Vec<String> {
        let diagram = |inside: &str| {
            format!(
                "<Timeline enable='0'><BehaviorLayer name='l'><BehaviorKeyframe name='k' index='1'><Diagram>{inside}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"
            )
        };
        let one = |(id, name): (usize, &&str)| match name.strip_suffix('*') {
            Some(name) => format!("<Box name='{name}' id='{id}'>{}</Box>", diagram("")),
            None => format!("<Box name='{name}' id='{id}'/>"),
        };
        let inside: String = boxes.iter().enumerate().map(one).collect();
        let xar = format!(
            "<ChoregrapheProject xar_version='3'><Box name='x' id='-1'>{}</Box></ChoregrapheProject>",
            diagram(&inside)
        );
        let file = read_xar("x", xar.as_bytes(), &Limits::default()).unwrap();
        let mut all = Vec::new();
        flat(&names(&file.project.root), &mut all);
        assert_eq!(all.remove(0), "l0_root");
        all
    }

    #[test]
    fn names_are_formatted_by_the_rule() {
        let names = ["Say (1)", "a  b-c", "_x_", "été", "日本", "", "9 lives"];
        let expected = ["l1_Say_1_", "l1_a_b_c", "l1__x_", "l1_t", "l1_", "l1_unnamed_object", "l1_9_lives"];
        assert_eq!(of(&names), expected);
        assert_eq!(file_name_part("a\tb\u{7}c"), "a_bc");
        assert_eq!(file_name_part(&"x".repeat(300)).len(), 100);
    }

    #[test]
    fn collisions_count_in_document_order() {
        let names = of(&["foo", "foo", "foo", "foo_1", "foo 1"]);
        assert_eq!(names, ["l1_foo", "l1_foo_1", "l1_foo_2", "l1_foo_1_1", "l1_foo_1_2"]);
    }

    /// Without [`Allocator::tried`], this would take minutes, because each box would try all names before its own.
    #[test]
    fn a_hundred_thousand_boxes_of_one_name_have_names() {
        let names = of(&vec!["foo"; 100_000]);
        assert_eq!(names[..3], ["l1_foo", "l1_foo_1", "l1_foo_2"]);
        assert_eq!(names.last().unwrap(), "l1_foo_99999");
    }

    #[test]
    fn names_that_differ_in_case_alone_are_one_file_on_some_systems() {
        assert_eq!(of(&["foo", "Foo"]), ["l1_foo", "l1_Foo_1"]);
    }

    #[test]
    fn a_box_cannot_take_the_name_of_a_file_that_the_reader_would_look_for() {
        assert_eq!(of(&["foo", "foo timeline"]), ["l1_foo", "l1_foo_timeline_1"]);
        assert_eq!(of(&["foo state machine", "foo"]), ["l1_foo_state_machine", "l1_foo_1"]);
    }

    #[test]
    fn a_box_cannot_take_the_name_of_a_file_derived_from_another() {
        let names = of(&["foo*", "foo timeline", "foo_state_0", "foo state machine", "foo diagram"]);
        let expected =
            ["l1_foo", "l1_foo_timeline_1", "l1_foo_state_0_1", "l1_foo_state_machine_1", "l1_foo_diagram_1"];
        assert_eq!(names, expected);
        assert_eq!(of(&["foo timeline", "foo*"]), ["l1_foo_timeline", "l1_foo_1"]);
        assert_eq!(of(&["foo diagram", "foo*"]), ["l1_foo_diagram", "l1_foo"]);
    }
}
