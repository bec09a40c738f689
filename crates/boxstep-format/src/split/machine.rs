//! State machine files.

use super::links::{Ports, written};
use super::names::{state, unplayed};
use super::write::{Inside, Writer, interval};
use super::xml::{Sheet, Tag};
use crate::model::StateMachine;
use crate::raw::RawNode;
use crate::states::Member;
use std::collections::{HashMap, HashSet};

/// The one diagram that the states of a written state machine share.
const POOL: Member = Member { layer: 0, keyframe: 0 };

/// A state machine's file up to its transitions.
pub(super) fn head(names: &[String], initial: usize, finals: &[usize]) -> Sheet {
    let mut sheet = Sheet::new();
    sheet.open(Tag::new("StateMachine"), false);
    for name in names {
        sheet.open(Tag::new("State").with("Name", name), true);
    }
    if let Some(name) = names.get(initial) {
        sheet.open(Tag::new("InitialState").with("Name", name), true);
    }
    for name in finals.iter().filter_map(|n| names.get(*n)) {
        sheet.open(Tag::new("FinalState").with("Name", name), true);
    }
    sheet
}

/// The end of a state machine's file.
pub(super) fn tail(mut sheet: Sheet) -> Vec<u8> {
    sheet.close("StateMachine");
    sheet.finish()
}

/// Finds the diagram of a layer's only keyframe.
pub(super) fn find_diagram<'a>(writer: &Writer<'a>, layer: RawNode<'a>, found: &mut HashMap<Member, RawNode<'a>>) {
    let mut keyframes =
        layer.elements().filter(|n| writer.is(*n, "BehaviorKeyframe") || writer.is(*n, "BehaviorKeyFrame"));
    let diagram = keyframes.find_map(|k| k.elements().find(|n| writer.is(*n, "Diagram")));
    if let Some(diagram) = diagram {
        found.entry(POOL).or_insert(diagram);
    }
}

/// The files of a state machine that is not derived from layers.
pub(super) fn write<'a>(writer: &mut Writer<'a>, inside: &Inside<'a>, machine: &StateMachine) {
    let of = inside.of;
    let names: Vec<String> = (0..machine.states.len()).map(|n| state(of, n)).collect();
    let mut sheet = head(&names, machine.initial, &machine.finals);
    for t in &machine.transitions {
        let (Some(from), Some(to)) = (names.get(t.from), names.get(t.to)) else { continue };
        let tag = Tag::new("Transition").with("From", from).with("To", to);
        sheet.open(
            match t.timeout {
                Some(ms) => tag.with("TimeOut", &ms.to_string()),
                None => tag,
            },
            true,
        );
    }
    writer.put(format!("{of}_state_machine.xml"), tail(sheet));
    let Some(&node) = inside.diagrams.get(&POOL) else { return };
    let links: Vec<RawNode<'a>> = node.elements().filter(|n| writer.is(*n, "Link")).collect();
    let diagram = inside.diagram(POOL);
    let ports = Ports::new(inside.def, of, diagram, inside.names_of(POOL));
    let put_objects = |sheet: &mut Sheet, boxes: &mut dyn Iterator<Item = usize>| {
        for name in boxes.filter_map(|b| inside.names_of(POOL).get(b)) {
            sheet.open(Tag::new("Object").with("Name", &name.name), true);
        }
    };
    for (name, s) in names.iter().zip(&machine.states) {
        let mut sheet = Sheet::new();
        sheet.open(Tag::new("State"), false);
        put_objects(&mut sheet, &mut s.boxes.iter().copied());
        if let (Some(begin), Some(end)) = (s.begin, s.end) {
            sheet.open(interval(begin.into(), end.into()), true);
        }
        for label in &s.labels {
            sheet.open(Tag::new("Label").with("Name", label), true);
        }
        for n in &s.links {
            let (Some(link), Some(parsed)) = (links.get(*n), diagram.links.get(*n)) else { continue };
            match written(*link, parsed, &ports) {
                Some(tag) => sheet.open(tag, true),
                None => sheet.copy(*link, "Link"),
            }
        }
        sheet.close("State");
        writer.put(format!("{name}.xml"), sheet.finish());
    }
    let used: HashSet<usize> = machine.states.iter().flat_map(|s| s.boxes.iter().copied()).collect();
    let mut unused = (0..diagram.boxes.len()).filter(|b| !used.contains(b)).peekable();
    if unused.peek().is_some() {
        let mut sheet = Sheet::new();
        sheet.open(Tag::new("State"), false);
        put_objects(&mut sheet, &mut unused);
        sheet.close("State");
        writer.put(format!("{}.xml", unplayed(of, 0)), sheet.finish());
    }
}
