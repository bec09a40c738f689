//! Writing of the files of state machines.

use super::links::{Ports, numbered, written};
use super::names::state;
use super::write::{TimelineWriter, Writer, interval};
use super::xml::{Sheet, Tag};
use crate::model::StateMachine;
use crate::raw::RawNode;
use crate::states::Member;

/// The one diagram that the states of an explicit state machine share.
pub(super) const POOL: Member = Member { layer: 0, keyframe: 0 };

/// Begins a state machine's file with everything before its transitions.
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

/// Completes a state machine's file.
pub(super) fn tail(mut sheet: Sheet) -> Vec<u8> {
    sheet.close("StateMachine");
    sheet.finish()
}

/// Writes the files of a state machine that is not derived from layers.
pub(super) fn write<'a>(writer: &mut Writer<'a>, inside: &TimelineWriter<'a>, machine: &StateMachine) {
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
    // The keyframe may lack a `Diagram` element; the states are written anyway.
    let node = inside.diagrams.get(&POOL).copied();
    if node.is_some() {
        writer.apart(inside, 0, POOL);
    }
    let links: Vec<RawNode<'a>> = node.iter().flat_map(|n| n.elements()).filter(|n| writer.is(*n, "Link")).collect();
    let diagram = inside.diagram(POOL);
    let ports = Ports::new(inside.def, of, diagram, inside.names_of(POOL));
    for (file, s) in names.iter().zip(&machine.states) {
        let mut sheet = Sheet::new();
        let tag = Tag::new("State");
        sheet.open(if **file == *s.name { tag } else { tag.with("Name", &s.name) }, false);
        for name in s.boxes.iter().filter_map(|b| inside.names_of(POOL).get(*b)) {
            sheet.open(Tag::new("Object").with("Name", &name.name), true);
        }
        if let (Some(begin), Some(end)) = (s.begin, s.end) {
            sheet.open(interval(begin.into(), end.into()), true);
        }
        for label in &s.labels {
            sheet.open(Tag::new("Label").with("Name", label), true);
        }
        for n in &s.links {
            let (Some(link), Some(parsed)) = (links.get(*n), diagram.links.get(*n)) else { continue };
            sheet.open(written(*link, parsed, &ports).unwrap_or_else(|| numbered(parsed)), true);
        }
        sheet.close("State");
        writer.put(format!("{file}.xml"), sheet.finish());
    }
}
