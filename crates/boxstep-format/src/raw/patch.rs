//! A changed text whose raw view is that of the old text, except for the parts that have changed.

use super::{Doctype, NONE, NodeData, RawKind, RawTree, RawView, parse};
use crate::Limits;
use crate::write::Splice;

/// A run of siblings that has changed, with the layout around it. What surrounds it has the same bytes as before.
struct Part {
    /// The element that contains the siblings.
    parent: u32,
    /// The bytes of the old text.
    old: (u32, u32),
    /// The bytes of the new text.
    new: (u32, u32),
    /// The nodes of the old tree, from the first to the one after the last.
    nodes: (u32, u32),
    /// The new nodes, inside an element of their own.
    tree: RawTree,
}

/// The element around the siblings while they are parsed alone.
const AROUND: (&str, &str) = ("<x>", "</x>");

/// Where the bytes of a new text were in the old one.
#[derive(Debug)]
pub(crate) struct Moved {
    /// The parts that have changed, as bytes of the old and the new text, in their order.
    parts: Vec<((u32, u32), (u32, u32))>,
}

impl Moved {
    /// Whether a range of the old text is also in the new one.
    pub(crate) fn keeps(&self, (start, end): (u32, u32)) -> bool {
        let next = self.parts.partition_point(|(old, _)| old.1 <= start);
        self.parts.get(next).is_none_or(|(old, _)| end <= old.0)
    }

    /// Returns where a range of the new text was, if nothing in it has changed.
    pub(crate) fn before(&self, (start, end): (u32, u32)) -> Option<(u32, u32)> {
        let next = self.parts.partition_point(|(_, new)| new.1 <= start);
        if self.parts.get(next).is_some_and(|(_, new)| new.0 < end) {
            return None;
        }
        let (old, new) = next.checked_sub(1).and_then(|at| self.parts.get(at)).map_or((0, 0), |(o, n)| (o.1, n.1));
        Some((start - new + old, end - new + old))
    }
}

/// Returns the tree of a text that splices have made of another one, and where its bytes were. `None` if only reading
/// the whole text says what it contains, or why it cannot be read.
pub(crate) fn patched(old: RawView<'_>, text: &str, splices: &[Splice], limits: &Limits) -> Option<(RawTree, Moved)> {
    let mut parts: Vec<Part> = Vec::new();
    for splice in splices {
        let mut joined = touched(old, splice)?;
        // Parts that touch are one part, because a text can go on in the next one; of parts inside each other the outer
        // one counts.
        while let Some(last) = parts.pop_if(|last| joined.old.0 <= last.old.1) {
            joined = join(last, joined)?;
        }
        parts.push(joined);
    }
    let mut splices = splices.iter().peekable();
    let mut grown = 0i64;
    for part in &mut parts {
        part.new.0 = u32::try_from(i64::from(part.old.0) + grown).ok()?;
        while let Some(splice) = splices.next_if(|splice| splice.start <= part.old.1 && splice.end <= part.old.1) {
            grown += splice.text.len() as i64 - i64::from(splice.end - splice.start);
        }
        part.new.1 = u32::try_from(i64::from(part.old.1) + grown).ok()?;
        part.tree = alone(old, part, text, limits)?;
    }
    // All splices must be in a part, and the parts must lead to the end of the new text.
    if splices.next().is_some() || old.text.len() as i64 + grown != text.len() as i64 {
        return None;
    }
    let tree = put_together(old.tree, &parts, limits)?;
    let parts = parts.into_iter().map(|part| (part.old, part.new)).collect();
    Some((tree, Moved { parts }))
}

/// Returns the siblings that a splice touches, and their parent: the innermost element with the splice in its content.
fn touched(view: RawView<'_>, splice: &Splice) -> Option<Part> {
    let nodes = &view.tree.nodes;
    let last = nodes.partition_point(|node| node.start <= splice.start).checked_sub(1)?;
    let mut at = super::RawNode { view, id: last as u32 };
    let inside = loop {
        if at.kind() == RawKind::Element && !at.is_self_closing() {
            let inside = at.inside_range();
            if inside.0 <= splice.start && splice.end <= inside.1 {
                break inside;
            }
        }
        at = at.parent()?;
    };
    let (mut start, mut end) = inside;
    for child in at.children() {
        let (child_start, child_end) = child.range();
        if child_end <= splice.start {
            // A text goes on in what follows it.
            if child.kind() != RawKind::Text {
                start = child_end;
            }
        } else if child_start >= splice.end && child.kind() != RawKind::Text {
            end = child_start;
            break;
        }
    }
    let first = nodes.partition_point(|node| node.start < start) as u32;
    let last = nodes.partition_point(|node| node.start < end) as u32;
    let parent = at.id;
    Some(Part { parent, old: (start, end), new: (0, 0), nodes: (first, last), tree: RawTree::default() })
}

/// Makes one part of two that share bytes.
fn join(a: Part, b: Part) -> Option<Part> {
    let (start, end) = (a.old.0.min(b.old.0), a.old.1.max(b.old.1));
    if a.old == (start, end) {
        return Some(a);
    }
    if b.old == (start, end) {
        return Some(b);
    }
    let nodes = (a.nodes.0.min(b.nodes.0), a.nodes.1.max(b.nodes.1));
    (a.parent == b.parent).then_some(Part { old: (start, end), nodes, ..a })
}

/// Parses the new text of a part alone.
fn alone(old: RawView<'_>, part: &Part, text: &str, limits: &Limits) -> Option<RawTree> {
    let content = text.get(part.new.0 as usize..part.new.1 as usize)?;
    let whole = format!("{}{content}{}", AROUND.0, AROUND.1);
    let parent = super::RawNode { view: old, id: part.parent };
    let outer = std::iter::successors(Some(parent), |node| node.parent()).count();
    let depth = limits.depth.min(Limits::MAX_DEPTH).checked_sub(outer)? + 1;
    let limits = Limits { depth, ..limits.clone() };
    let tree = parse(&whole, &limits, Doctype::Refused).ok()?;
    let around = tree.nodes.first()?;
    (around.kind == RawKind::Element && around.end as usize == whole.len()).then_some(tree)
}

/// Returns the old tree with the nodes of parts in place of the old ones.
fn put_together(old: &RawTree, parts: &[Part], limits: &Limits) -> Option<RawTree> {
    // How much later nodes and bytes move.
    let mut node_moves = vec![0i64];
    for part in parts {
        let moved = part.tree.nodes.len() as i64 - 1 - i64::from(part.nodes.1 - part.nodes.0);
        node_moves.push(node_moves.last().copied().unwrap_or_default() + moved);
    }
    let byte_move = |at: usize| {
        let last = at.checked_sub(1).and_then(|at| parts.get(at));
        last.map_or(0, |part| i64::from(part.new.1) - i64::from(part.old.1))
    };
    // The end of a node before an insertion is where that part begins; an element around a part ends after it.
    let moved_end = |end: u32| {
        let before = parts.partition_point(|part| part.old.1 < end);
        (i64::from(end) + byte_move(before)) as u32
    };
    let moved_node = |node: u32| {
        let before = parts.partition_point(|part| part.nodes.1 <= node);
        (i64::from(node) + node_moves.get(before).copied().unwrap_or_default()) as u32
    };
    let count = old.nodes.len() as i64 + node_moves.last().copied().unwrap_or_default();
    if count > limits.nodes as i64 {
        return None;
    }
    let mut tree = RawTree { nodes: Vec::with_capacity(count as usize), attributes: Vec::new() };
    tree.attributes.reserve(old.attributes.len() + parts.iter().map(|p| p.tree.attributes.len()).sum::<usize>());
    let mut done = 0;
    for at in 0..=parts.len() {
        let part = parts.get(at);
        let until = part.map_or(old.nodes.len(), |part| part.nodes.0 as usize);
        let nodes = old.nodes.get(done..until)?;
        let attribute = |id: usize| old.nodes.get(id).map_or(old.attributes.len(), |node| node.attributes as usize);
        let first = attribute(done);
        let (moved, base) = (byte_move(at), tree.attributes.len());
        let shift = |byte: u32| (i64::from(byte) + moved) as u32;
        tree.nodes.extend(nodes.iter().map(|node| NodeData {
            start: shift(node.start),
            end: moved_end(node.end),
            parent: if node.parent == NONE { NONE } else { moved_node(node.parent) },
            next: NONE,
            attributes: (node.attributes as usize - first + base) as u32,
            ..node.clone()
        }));
        tree.attributes.extend(old.attributes.get(first..attribute(until))?.iter().map(|a| super::AttributeData {
            name: shift(a.name),
            value: shift(a.value),
            value_end: shift(a.value_end),
            ..a.clone()
        }));
        let Some(part) = part else { break };
        let (base, attributes) = (tree.nodes.len() as u32, tree.attributes.len() as u32);
        let shift = |byte: u32| byte - AROUND.0.len() as u32 + part.new.0;
        let parent = moved_node(part.parent);
        tree.nodes.extend(part.tree.nodes.iter().skip(1).map(|node| NodeData {
            start: shift(node.start),
            end: shift(node.end),
            parent: if node.parent == 0 { parent } else { node.parent - 1 + base },
            next: NONE,
            attributes: node.attributes + attributes,
            ..node.clone()
        }));
        tree.attributes.extend(part.tree.attributes.iter().map(|a| super::AttributeData {
            name: shift(a.name),
            value: shift(a.value),
            value_end: shift(a.value_end),
            ..a.clone()
        }));
        done = part.nodes.1 as usize;
    }
    link_siblings(&mut tree.nodes);
    Some(tree)
}

/// Sets the next sibling of each node.
fn link_siblings(nodes: &mut [NodeData]) {
    // The last child so far of each node; that of the whole text is beside them.
    let mut last = vec![NONE; nodes.len() + 1];
    for id in 0..nodes.len() {
        let parent = nodes.get(id).map_or(NONE, |node| node.parent);
        let Some(slot) = last.get_mut(if parent == NONE { nodes.len() } else { parent as usize }) else { continue };
        let before = std::mem::replace(slot, id as u32);
        if let Some(node) = nodes.get_mut(before as usize) {
            node.next = id as u32;
        }
    }
}
