//! Resolution of a diagram's links.
//!
//! A link names its ends by box id and port id. Owner 0 is the box that contains the diagram, seen from inside: signals
//! come from its inputs and go to its outputs. For the boxes in the diagram, signals come from outputs and go to inputs
//! and parameters. Inputs, outputs and parameters of a box share one id space, so an id names at most one of them. If a
//! file repeats an id, an input or output has precedence over a parameter, and the first item over later ones.

use crate::model::{BoxDef, Diagram, Link, NO_ID, ParameterType, PortType};
use boxstep_types::Span;
use std::fmt;

/// A port of a box, by its index in the box's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PortRef {
    /// Index into `BoxDef::inputs`.
    Input(usize),
    /// Index into `BoxDef::outputs`.
    Output(usize),
    /// Index into `BoxDef::parameters`.
    Parameter(usize),
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// The box that contains the diagram.
    Parent(PortRef),
    /// A box in the diagram: the index into `Diagram::boxes`, and the port.
    Box(usize, PortRef),
}

/// A link of which both ends exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Route {
    /// Index into `Diagram::links`.
    pub link: usize,
    /// The source of signals: an input of the parent or an output of a box.
    pub from: End,
    /// The target: an output or parameter of the parent, or an input or parameter of a box.
    pub to: End,
}

/// The side of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The source: `outputowner`, `indexofoutput`.
    From,
    /// The target: `inputowner`, `indexofinput`.
    To,
}

/// A link of which an end cannot be resolved.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkError {
    /// Index into `Diagram::links`.
    pub link: usize,
    /// The end that is wrong; if both are, the source.
    pub side: Side,
    /// What is wrong with that end.
    pub fault: LinkFault,
    /// The span of the link.
    pub span: Span,
}

/// What is wrong with an end of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// The diagram has no box with this id.
    NoBox(i32),
    /// The box has no port with this id. The first field is the box's index; `None` is the parent.
    NoPort(Option<usize>, i32),
    /// The port exists, but signals pass it in the other direction. The first field is as in `NoPort`.
    WrongWay(Option<usize>, PortRef),
    /// The file has no valid number for the box or port.
    NoNumber,
}

/// Resolves the links of one diagram. Creating it only sorts the box ids.
#[derive(Clone, Debug)]
pub struct Resolver<'a> {
    parent: &'a BoxDef,
    diagram: &'a Diagram,
    by_id: Vec<(i32, usize)>,
}

impl<'a> Resolver<'a> {
    /// Creates a resolver for a diagram and the box that contains it.
    pub fn new(parent: &'a BoxDef, diagram: &'a Diagram) -> Self {
        let mut by_id: Vec<_> = diagram.boxes.iter().enumerate().map(|(i, b)| (b.id, i)).collect();
        by_id.sort_unstable();
        Self { parent, diagram, by_id }
    }

    /// The index of a box in the diagram; the first one if ids repeat.
    pub fn box_of_id(&self, id: i32) -> Option<usize> {
        let at = self.by_id.partition_point(|(other, _)| *other < id);
        self.by_id.get(at).filter(|(other, _)| *other == id && id != NO_ID).map(|(_, place)| *place)
    }

    /// Resolves both ends of a link. `index` is the link's index in the diagram.
    pub fn route(&self, index: usize, link: &Link) -> Result<Route, LinkError> {
        let fail = |side| move |fault| LinkError { link: index, side, fault, span: link.span };
        Ok(Route {
            link: index,
            from: self.end(link.from_box, link.from_port, Side::From).map_err(fail(Side::From))?,
            to: self.end(link.to_box, link.to_port, Side::To).map_err(fail(Side::To))?,
        })
    }

    fn end(&self, owner: i32, port: i32, side: Side) -> Result<End, LinkFault> {
        if owner == NO_ID || port == NO_ID {
            return Err(LinkFault::NoNumber);
        }
        let (place, def) = match owner {
            0 => (None, self.parent),
            id => {
                let place = self.box_of_id(id).ok_or(LinkFault::NoBox(id))?;
                (Some(place), self.diagram.boxes.get(place).ok_or(LinkFault::NoBox(id))?)
            }
        };
        let input = def.inputs.iter().position(|p| p.id == port).map(PortRef::Input);
        let output = def.outputs.iter().position(|p| p.id == port).map(PortRef::Output);
        // Seen from inside, signals pass the parent's ports in the opposite direction.
        let (wanted, other) = if (side == Side::To) == place.is_some() { (input, output) } else { (output, input) };
        let parameter = || def.parameters.iter().position(|p| p.id == port).map(PortRef::Parameter);
        match (wanted.or_else(|| if side == Side::To { parameter() } else { None }), place) {
            (Some(port), None) => Ok(End::Parent(port)),
            (Some(port), Some(place)) => Ok(End::Box(place, port)),
            (None, _) => Err(match other.or_else(parameter) {
                Some(port) => LinkFault::WrongWay(place, port),
                None => LinkFault::NoPort(place, port),
            }),
        }
    }
}

/// Resolves every link of a diagram, in file order.
pub fn resolve(parent: &BoxDef, diagram: &Diagram) -> Vec<Result<Route, LinkError>> {
    let resolver = Resolver::new(parent, diagram);
    diagram.links.iter().enumerate().map(|(i, link)| resolver.route(i, link)).collect()
}

impl LinkError {
    /// Returns one sentence for the user, with the names of the boxes and ports involved.
    pub fn message(&self, parent: &BoxDef, diagram: &Diagram) -> String {
        let end = match self.side {
            Side::From => "begins",
            Side::To => "ends",
        };
        let owner = |place: Option<usize>| match place.map(|p| diagram.boxes.get(p)) {
            None => format!("the containing box \"{}\"", parent.name),
            Some(b) => format!("the box \"{}\"", b.map_or("", |b| &*b.name)),
        };
        let def = |place: Option<usize>| place.map_or(Some(parent), |p| diagram.boxes.get(p));
        match &self.fault {
            LinkFault::NoBox(id) => format!("the link {end} at box {id}, which is not in the diagram"),
            LinkFault::NoPort(place, id) => {
                format!("the link {end} at port {id}, which {} does not have", owner(*place))
            }
            LinkFault::WrongWay(place, port) => {
                let (kind, name) = def(*place).map_or(("port", ""), |d| port.describe(d));
                format!("the link {end} at the {kind} \"{name}\" of {}, where no link can", owner(*place))
            }
            LinkFault::NoNumber => format!("the link does not say where it {end}"),
        }
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "link {}: {:?} end: {:?}", self.link, self.side, self.fault)
    }
}

impl std::error::Error for LinkError {}

impl PortType {
    /// Returns true if Choregraphe allows a link to a port of this other type: between equal types, from or to a dynamic
    /// port, or to a bang.
    pub fn leads_to(self, to: PortType) -> bool {
        use PortType::{Bang, Dynamic, Unknown};
        self == to || matches!(self, Dynamic | Unknown(_)) || matches!(to, Dynamic | Bang | Unknown(_))
    }

    /// The type as messages print it.
    pub fn words(self) -> &'static str {
        match self {
            PortType::Dynamic => "dynamic",
            PortType::Bang => "bang",
            PortType::Number => "number",
            PortType::String => "string",
            PortType::Bitmap => "bitmap",
            PortType::Sound => "sound",
            PortType::Unknown(_) => "unknown type",
        }
    }
}

impl End {
    /// The port of this end.
    pub fn port(self) -> PortRef {
        match self {
            End::Parent(port) | End::Box(_, port) => port,
        }
    }

    /// Returns the box of this end.
    pub fn def<'a>(self, parent: &'a BoxDef, diagram: &'a Diagram) -> Option<&'a BoxDef> {
        match self {
            End::Parent(_) => Some(parent),
            End::Box(place, _) => diagram.boxes.get(place),
        }
    }
}

impl PortRef {
    /// Returns the type of the values that pass the port of this box; of a parameter, the type that fits its values.
    pub fn port_type(self, def: &BoxDef) -> PortType {
        let known = match self {
            PortRef::Input(i) => def.inputs.get(i).map(|p| p.port_type),
            PortRef::Output(i) => def.outputs.get(i).map(|p| p.port_type),
            PortRef::Parameter(i) => def.parameters.get(i).map(|p| match p.content_type {
                ParameterType::Int | ParameterType::Float => PortType::Number,
                ParameterType::String | ParameterType::File | ParameterType::Localized => PortType::String,
                ParameterType::Bool | ParameterType::Unknown(_) => PortType::Dynamic,
            }),
        };
        known.unwrap_or(PortType::Dynamic)
    }

    /// Returns the kind of port, and its name in this box.
    pub fn describe(self, def: &BoxDef) -> (&'static str, &str) {
        match self {
            PortRef::Input(i) => ("input", def.inputs.get(i).map_or("", |p| &p.name)),
            PortRef::Output(i) => ("output", def.outputs.get(i).map_or("", |p| &p.name)),
            PortRef::Parameter(i) => ("parameter", def.parameters.get(i).map_or("", |p| &p.name)),
        }
    }
}
