//! Reading of `StateMachine` inside a `Timeline`. This element is an extension of Boxstep, for state machines that
//! layers cannot express.

use super::context::Context;
use crate::codes;
use crate::model::{BehaviorLayer, Diagram, Link, MachineState, StateMachine, Transition};
use crate::raw::{RawAttribute, RawNode};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The indices of a diagram's links by their ends. Links with equal ends cannot be distinguished, so a state that
/// contains some of them gets the first ones.
pub(crate) struct LinkIndex(HashMap<[i32; 4], Vec<usize>>);

impl LinkIndex {
    /// Indexes links given in order.
    pub(crate) fn new(links: impl Iterator<Item = [i32; 4]>) -> Self {
        let mut all: HashMap<[i32; 4], Vec<usize>> = HashMap::new();
        links.zip(0..).for_each(|(link, n)| all.entry(link).or_default().push(n));
        Self(all)
    }

    /// Returns the index of the next link with these ends that the state does not contain yet. `taken` counts those
    /// that it contains.
    pub(crate) fn next_place(&self, link: [i32; 4], taken: &mut HashMap<[i32; 4], usize>) -> Option<usize> {
        let used = taken.entry(link).or_default();
        let place = self.0.get(&link)?.get(*used).copied();
        *used += 1;
        place
    }
}

impl Link {
    /// The link's four numbers, in the order of the file's attributes.
    pub(crate) fn ends(&self) -> [i32; 4] {
        [self.to_box, self.to_port, self.from_box, self.from_port]
    }
}

/// Reads a state machine; `None` if the timeline has no single diagram for the states to share.
pub(super) fn read_machine<'a>(
    cx: &mut Context<'a>,
    node: RawNode<'a>,
    layers: &[BehaviorLayer],
) -> Option<StateMachine> {
    let diagram = match layers {
        [BehaviorLayer { keyframes, mute: false, .. }] if keyframes.len() == 1 => &keyframes[0].diagram,
        _ => {
            bad(
                cx,
                node,
                "a state machine needs a timeline with one keyframe, whose boxes belong to its states".into(),
            );
            return None;
        }
    };
    let mut machine = StateMachine {
        states: Vec::new(),
        initial: 0,
        finals: Vec::new(),
        transitions: Vec::new(),
        span: cx.node_span(node),
    };
    let local = |child: &RawNode<'a>| cx.local(*child);
    let (states, others): (Vec<_>, Vec<_>) = node.elements().partition(|c| local(c) == "State");
    let link_index = LinkIndex::new(diagram.links.iter().map(Link::ends));
    let mut names = HashSet::new();
    for child in states {
        let state = read_state(cx, child, diagram, &link_index);
        if !names.insert(state.name.clone()) {
            bad(cx, child, format!("there is a state `{}` already; this one is left out", state.name));
        } else {
            machine.states.push(state);
        }
    }
    if machine.states.is_empty() {
        bad(cx, node, "a state machine without states".into());
        return None;
    }
    for child in others {
        match cx.local(child) {
            "InitialState" => machine.initial = named(cx, child, "Name", &machine.states).unwrap_or(0),
            "FinalState" => machine.finals.extend(named(cx, child, "Name", &machine.states)),
            "Transition" => machine.transitions.extend(read_transition(cx, child, &machine.states)),
            _ => cx.unknown_element(child),
        }
    }
    Some(machine)
}

fn bad<'a>(cx: &mut Context<'a>, node: RawNode<'a>, message: String) {
    let at = cx.tag_span(node);
    cx.error(codes::BAD_STATE_MACHINE, at, message);
}

fn read_state<'a>(cx: &mut Context<'a>, node: RawNode<'a>, diagram: &Diagram, link_index: &LinkIndex) -> MachineState {
    let mut name: Arc<str> = Arc::default();
    let (mut begin, mut end) = (None, None);
    for a in node.attributes() {
        match a.name() {
            "Name" => name = cx.intern(a.value()),
            "begin" => begin = cx.int(a),
            "end" => end = cx.int(a),
            _ => cx.unknown_attribute(node, a),
        }
    }
    let (mut labels, mut boxes, mut links) = (Vec::new(), Vec::new(), Vec::new());
    let (mut met, mut taken) = (HashSet::new(), HashMap::new());
    for child in node.elements() {
        let attribute = |name: &str| child.attributes().find(|a| a.name() == name);
        match cx.local(child) {
            "Label" => labels.extend(attribute("Name").map(|a| cx.intern(a.value()))),
            "Object" => {
                let place = place(cx, child, attribute("number"), diagram.boxes.len());
                boxes.extend(place.filter(|n| met.insert(*n)));
            }
            "Link" => {
                let place = place(cx, child, attribute("number"), diagram.links.len());
                links.extend(place.and_then(|n| link_index.next_place(diagram.links[n].ends(), &mut taken)));
            }
            _ => cx.unknown_element(child),
        }
    }
    let (begin, end) = begin.zip(end).unzip();
    MachineState { name, begin, end, labels, boxes, links, span: cx.node_span(node) }
}

/// Returns the index of a box or link in the keyframe's diagram; reports one that is not below `most`.
fn place<'a>(cx: &mut Context<'a>, node: RawNode<'a>, number: Option<RawAttribute<'a>>, most: usize) -> Option<usize> {
    let Some(number) = number else {
        cx.missing(node, "number");
        return None;
    };
    let place = usize::try_from(cx.int(number)?).ok().filter(|n| *n < most);
    if place.is_none() {
        bad(cx, node, format!("the keyframe has {most} of these, counted from 0"));
    }
    place
}

fn read_transition<'a>(cx: &mut Context<'a>, node: RawNode<'a>, states: &[MachineState]) -> Option<Transition> {
    let (from, to) = (named(cx, node, "From", states), named(cx, node, "To", states));
    let timeout = node.attributes().find(|a| a.name() == "TimeOut").and_then(|a| cx.int(a)).filter(|ms| *ms >= 0);
    Some(Transition { from: from?, to: to?, timeout, span: cx.node_span(node) })
}

fn named<'a>(cx: &mut Context<'a>, node: RawNode<'a>, attribute: &str, states: &[MachineState]) -> Option<usize> {
    let Some(name) = node.attribute(attribute) else {
        cx.missing(node, attribute);
        return None;
    };
    let found = states.iter().position(|s| *s.name == *name);
    if found.is_none() {
        bad(cx, node, format!("there is no state `{name}`"));
    }
    found
}
