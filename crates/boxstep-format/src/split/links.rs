//! Conversion between links by name and links by number: the file of a state has `l1_Say` and `onStart` where a `.xar`
//! has 3 and 2.
//!
//! A link is written by name only if reading the names back gives the same numbers. Links between ports with equal
//! names, and links to missing ports, are written by number, so that they survive.

use super::converted::{is_converted, stands_for_nothing};
use super::names::Names;
use super::xml::Tag;
use crate::model::{BoxDef, Diagram, Link, NO_ID};
use crate::raw::{RawKind, RawNode};
use crate::read::whole_number;
use std::collections::{HashMap, HashSet};

/// An end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkEnd {
    /// The source of the signal.
    From,
    /// The target of the signal.
    To,
}

/// The ports of one box, by name and number.
#[derive(Clone, Debug, Default)]
pub(super) struct Owner {
    /// The name of the box's file.
    pub(super) name: String,
    /// The box's id in links; 0 for the box that contains the diagram.
    pub(super) id: i32,
    pub(super) inputs: Vec<(String, i32)>,
    pub(super) outputs: Vec<(String, i32)>,
    pub(super) parameters: Vec<(String, i32)>,
}

impl Owner {
    pub(super) fn of_model(name: &str, id: i32, def: &BoxDef) -> Self {
        Self {
            name: name.to_owned(),
            id,
            inputs: def.inputs.iter().map(|p| (p.name.to_string(), p.id)).collect(),
            outputs: def.outputs.iter().map(|p| (p.name.to_string(), p.id)).collect(),
            parameters: def.parameters.iter().map(|p| (p.name.to_string(), p.id)).collect(),
        }
    }

    /// Creates the owner from the root element of a box's file.
    pub(super) fn of_file(name: &str, node: RawNode<'_>) -> Self {
        let given = given_numbers(node);
        let ports = |kind: &str| {
            let nodes = node.elements().filter(|n| super::write::local_name(*n) == kind);
            let id = |n: RawNode<'_>| given.get(&n.range().0).copied().unwrap_or_else(|| number(n, "id"));
            nodes.map(|n| (n.attribute("name").unwrap_or_default().into_owned(), id(n))).collect()
        };
        let (inputs, outputs, parameters) = (ports("Input"), ports("Output"), ports("Parameter"));
        Self { name: name.to_owned(), id: number(node, "id"), inputs, outputs, parameters }
    }

    /// Returns the ports that a link can have at this end, in the order in which names are looked up. Inputs and
    /// outputs of the box that contains the diagram are swapped, because it is seen from inside.
    fn ports(&self, side: LinkEnd) -> impl Iterator<Item = &(String, i32)> {
        let outputs = (side == LinkEnd::From) != (self.id == 0);
        let first = if outputs { &self.outputs } else { &self.inputs };
        first.iter().chain(self.parameters.iter().filter(move |_| side == LinkEnd::To))
    }
}

fn number(node: RawNode<'_>, attribute: &str) -> i32 {
    node.attribute(attribute).and_then(|v| whole_number(&v)).unwrap_or(NO_ID)
}

/// Returns ids for the ports and parameters of a box's file that have none, by the offset at which they begin. These
/// are the lowest free ids, for inputs first, then outputs, then parameters, as Choregraphe numbers those of a new box.
pub(super) fn given_numbers(node: RawNode<'_>) -> HashMap<u32, i32> {
    let of_kind = |kind: &'static str| node.elements().filter(move |n| super::write::local_name(*n) == kind);
    let all = || ["Input", "Output", "Parameter"].into_iter().flat_map(of_kind);
    let converted = is_converted(node);
    let nothing = |name, value: &str| converted && stands_for_nothing(name, value);
    let has = |n: &RawNode<'_>, name| n.attribute(name).is_some_and(|v| !nothing(name, &v));
    let (numbered, without): (Vec<_>, Vec<_>) = all().partition(|n| has(n, "id") || has(n, "numbered"));
    let used: HashSet<i32> = numbered.into_iter().map(|n| number(n, "id")).collect();
    let free = (1..).filter(|id| !used.contains(id));
    without.into_iter().map(|n| n.range().0).zip(free).collect()
}

/// The boxes that the links of a diagram can connect.
#[derive(Clone, Debug, Default)]
pub(super) struct Ports {
    owners: Vec<Owner>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<i32, usize>,
}

impl Ports {
    pub(super) fn new(parent: &BoxDef, of: &str, diagram: &Diagram, names: &[Names]) -> Self {
        let mut ports = Self::around(Owner::of_model(of, 0, parent));
        for (def, names) in diagram.boxes.iter().zip(names) {
            ports.add(Owner::of_model(&names.name, def.id, def));
        }
        ports
    }

    /// Creates an instance with only the box that contains the diagram.
    pub(super) fn around(parent: Owner) -> Self {
        let mut ports = Self::default();
        ports.add(parent);
        ports
    }

    /// Adds a box. If two boxes have the same id, the first one keeps it.
    pub(super) fn add(&mut self, owner: Owner) {
        let index = self.owners.len();
        self.by_name.entry(owner.name.clone()).or_insert(index);
        self.by_id.entry(owner.id).or_insert(index);
        self.owners.push(owner);
    }

    /// Returns the ids of a box and port given by name.
    pub(super) fn numbers(&self, side: LinkEnd, object: &str, port: &str) -> Option<(i32, i32)> {
        let owner = &self.owners[*self.by_name.get(object)?];
        let (_, id) = owner.ports(side).find(|(name, _)| name == port)?;
        (owner.id != NO_ID && *id != NO_ID).then_some((owner.id, *id))
    }

    /// Returns the names of a box and port given by id, if these names lead back to the same ids.
    fn names(&self, side: LinkEnd, owner: i32, port: i32) -> Option<(&str, &str)> {
        let found = &self.owners[*self.by_id.get(&owner)?];
        let (name, _) = found.ports(side).find(|(_, id)| *id == port)?;
        (self.numbers(side, &found.name, name) == Some((owner, port))).then_some((&*found.name, &**name))
    }
}

/// Returns the link by names; `None` if names cannot express everything in it.
pub(super) fn written(node: RawNode<'_>, link: &Link, ports: &Ports) -> Option<Tag> {
    let usual = |(name, value): (&str, &str)| {
        let mut numbers = NUMBERS.iter().zip(link.ends());
        numbers.any(|(own, n)| name == *own && value == n.to_string())
    };
    let plain = node.children().next().is_none() && node.attributes().len() == 4;
    if !plain || !node.attributes().all(|a| usual((a.name(), &a.value()))) {
        return None;
    }
    let (to, input) = ports.names(LinkEnd::To, link.to_box, link.to_port)?;
    let (from, output) = ports.names(LinkEnd::From, link.from_box, link.from_port)?;
    let tag = Tag::new("Link").with("InputObject", to).with("InputName", input);
    Some(tag.with("OutputObject", from).with("OutputName", output))
}

/// Returns the numbers of a link in the form of a `.xar`, in the order of its attributes.
pub(super) fn numbers(node: RawNode<'_>) -> [i32; 4] {
    let from_box = if node.attribute("outputowner").is_some() { "outputowner" } else { "outputower" };
    ["inputowner", "indexofinput", from_box, "indexofoutput"].map(|name| number(node, name))
}

/// Returns the link by numbers.
pub(super) fn numbered(link: &Link) -> Tag {
    NUMBERS.iter().zip(link.ends()).fold(Tag::new("Link"), |tag, (name, n)| tag.with(name, &n.to_string()))
}

/// The attributes of a link in a `.xar`.
pub(super) const NUMBERS: [&str; 4] = ["inputowner", "indexofinput", "outputowner", "indexofoutput"];

/// The ends of a `Link` in the file of a state: names of box and port.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Named {
    pub(super) to: (String, String),
    pub(super) from: (String, String),
}

/// Parses a link in the spelling that Boxstep writes, or in that of the published description.
pub(super) fn named(node: RawNode<'_>) -> Option<Named> {
    let get = |names: &[&str]| names.iter().find_map(|n| node.attribute(n)).map(|v| v.trim().to_owned());
    // Port names may begin with a space, so they are not trimmed; box names are file names.
    let port = |names: &[&str]| names.iter().find_map(|n| node.attribute(n)).map(|v| v.into_owned());
    (node.kind() == RawKind::Element).then_some(())?;
    Some(Named {
        to: (get(&["InputObject", "inputowner"])?, port(&["InputName", "indexofinput"])?),
        from: (get(&["OutputObject", "outputowner", "outputower"])?, port(&["OutputName", "indexofoutput"])?),
    })
}

impl Ports {
    /// Returns the numbers of a link, in the order of a `.xar`. Each end may be given by names or by the numbers of the
    /// `.xar`.
    ///
    /// # Errors
    /// The end that does not exist.
    pub(super) fn resolve<'l>(&self, link: &'l Named) -> Result<[i32; 4], &'l (String, String)> {
        let end = |side, end: &'l (String, String)| {
            let by_number = || Some((whole_number(&end.0)?, whole_number(&end.1)?));
            self.numbers(side, &end.0, &end.1).or_else(by_number).ok_or(end)
        };
        let (to_box, to_port) = end(LinkEnd::To, &link.to)?;
        let (from_box, from_port) = end(LinkEnd::From, &link.from)?;
        Ok([to_box, to_port, from_box, from_port])
    }
}
