//! The layout of a diagram: rectangles, ports and curves with their texts, but without markup.

use crate::faces::Face;
use crate::layout::{self, Overlaps, Rect};
use crate::level::has_inside;
use crate::route::Router;
use crate::text::{self, fit, two_lines};
use crate::tree::content as words;
use boxstep_format::model::{ActuatorCurve, BoxDef, Diagram, Input, InputNature, Output, OutputNature, PortType};
use boxstep_format::resolve::{End, PortRef, Route, resolve};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Font sizes in pixels.
pub(crate) const TITLE: f64 = 12.5;
pub(crate) const LABEL: f64 = 10.5;

/// Heights of the rows in a box, in pixels.
const ROW: f64 = 16.0;
const TITLE_ROW: f64 = 16.0;
/// Minimum and maximum width of a box. Two boxes as close as the editor allows do not touch at [`layout::SCALE`].
const BOX: (f64, f64) = (112.0, 165.0);
/// Width reserved for the icon left of a title.
pub(crate) const ICON: f64 = 20.0;
/// Distance between two ports of the containing box, in pixels.
const OWNER_ROW: f64 = 26.0;

/// The maximum product of boxes and links for which links are routed around boxes.
const MANY: usize = 50_000;

/// How an element changed, in a drawing of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Added,
    Removed,
    Changed,
}

/// The shape of a port, which shows the effect of a stimulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Form {
    Start,
    Stop,
    Event,
    Load,
    Memory,
    Stopped,
    Punctual,
    Recurrent,
    Undefined,
    Parameter,
}

/// The kind of a box, which selects its icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    Script,
    Diagram,
    Timeline,
    Dialog,
    Plain,
}

pub(crate) struct Port {
    pub(crate) at: PortRef,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) label: String,
    pub(crate) form: Form,
    /// The CSS class of the port's type.
    pub(crate) class: &'static str,
    /// The full name, nature and type.
    pub(crate) about: String,
    pub(crate) linked: bool,
    pub(crate) mark: Option<Mark>,
}

pub(crate) struct SceneNode<'a> {
    pub(crate) def: &'a BoxDef,
    pub(crate) rect: Rect,
    pub(crate) title: Vec<String>,
    pub(crate) kind: Icon,
    pub(crate) inside: bool,
    pub(crate) about: String,
    pub(crate) face: Option<Face>,
    pub(crate) ports: Vec<Port>,
    pub(crate) mark: Option<Mark>,
}

pub(crate) struct Wire {
    pub(crate) from: End,
    pub(crate) to: End,
    pub(crate) d: String,
    pub(crate) class: &'static str,
    pub(crate) about: String,
    pub(crate) mark: Option<Mark>,
}

/// The layer and keyframe of a diagram.
pub(crate) type DiagramPlace = (usize, usize);

/// An element in the drawing of a box's contents. Boxes and links are numbered within their diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Spot {
    Box(DiagramPlace, usize),
    Link(DiagramPlace, usize),
    /// A port of the containing box.
    Port(PortRef),
    Layer(usize),
    Keyframe(DiagramPlace),
    Curve(usize),
    /// Indices of the curve and its key.
    Key(usize, usize),
}

/// What a difference adds to the drawing of a box's contents.
#[derive(Default)]
pub(crate) struct Marks<'a> {
    pub(crate) spots: HashMap<Spot, Mark>,
    /// Further rectangles that the drawings of diagrams must have room for, so that two drawings side by side can be
    /// compared.
    pub(crate) rooms: HashMap<DiagramPlace, Rect>,
    /// The range of frames that the timeline must cover, for the same reason.
    pub(crate) frames: Option<(f64, f64)>,
    /// What is done about boxes that lie on each other.
    pub(crate) overlaps: Overlaps,
    /// Whether the curves of a timeline with diagrams are left out.
    pub(crate) curves_apart: bool,
    /// Whether the inside of a box is drawn that has none.
    pub(crate) with_empty: bool,
    /// The old versions of curves, by index.
    pub(crate) was: HashMap<usize, &'a ActuatorCurve>,
}

impl Marks<'_> {
    pub(crate) fn mark_of(&self, spot: Spot) -> Option<Mark> {
        self.spots.get(&spot).copied()
    }
}

pub(crate) struct Scene<'a> {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// The left and right edge of the canvas, which is between the ports of the containing box.
    pub(crate) canvas: (f64, f64),
    /// The box that contains the diagram.
    pub(crate) def: &'a BoxDef,
    pub(crate) owner: Vec<Port>,
    pub(crate) nodes: Vec<SceneNode<'a>>,
    pub(crate) wires: Vec<Wire>,
    /// Descriptions of broken links.
    pub(crate) broken: Vec<String>,
}

/// A port without a position.
struct Plug {
    at: PortRef,
    name: String,
    form: Form,
    class: &'static str,
    about: String,
}

/// A box without a position.
struct Sketch {
    size: (f64, f64),
    title: Vec<String>,
    face: Option<Face>,
    left: Vec<Plug>,
    right: Vec<Plug>,
    label_room: f64,
}

impl<'a> Scene<'a> {
    /// Returns the bounding rectangle of a diagram's boxes before final placement.
    pub(crate) fn room(owner: &BoxDef, diagram: &Diagram) -> Rect {
        let routes: Vec<Route> = resolve(owner, diagram).into_iter().flatten().collect();
        layout::room(&placed(diagram, &routes, Overlaps::Apart).1)
    }

    /// Lays out a diagram of a box.
    pub(crate) fn of_diagram(owner: &'a BoxDef, diagram: &'a Diagram, place: DiagramPlace, marks: &Marks<'_>) -> Self {
        let mut routes = Vec::new();
        let mut broken = Vec::new();
        for route in resolve(owner, diagram) {
            match route {
                Ok(route) => routes.push(route),
                Err(e) => broken.push(e.message(owner, diagram)),
            }
        }
        let linked = linked(&routes);
        let uses = |i: Option<usize>, port: PortRef| linked.contains(&key(at(i, port)));
        let left = plugs(owner, Side::OwnerLeft, |port| uses(None, port));
        let right = plugs(owner, Side::OwnerRight, |port| uses(None, port));
        let (sketches, mut rects) = placed(diagram, &routes, marks.overlaps);
        let mut room = layout::room(&rects);
        if let Some(more) = marks.rooms.get(&place) {
            room = room.around(more);
        }

        let gutter = |plugs: &[Plug]| match plugs.iter().map(|p| text::width(&p.name, LABEL)).fold(-1.0, f64::max) {
            w if w < 0.0 => 14.0,
            w => (w + 26.0).clamp(60.0, 150.0),
        };
        let canvas_left = gutter(&left);
        let inner_w = room.w.max(120.0) + 2.0 * SIDE;
        let inner_h = room.h.max(30.0) + 2.0 * TOP;
        let rows = left.len().max(right.len()) as f64;
        let height = inner_h.max(rows * OWNER_ROW + 24.0);
        let down = (height - inner_h) / 2.0 + TOP;
        for rect in &mut rects {
            rect.x += canvas_left + SIDE - room.x;
            rect.y += down - room.y;
        }
        let canvas = (canvas_left, canvas_left + inner_w);
        let width = canvas.1 + gutter(&right);

        let mut places: BTreeMap<(Option<usize>, usize, usize), (f64, f64)> = BTreeMap::new();
        let mut owner_ports = Vec::new();
        for (plugs, x) in [(left, canvas.0), (right, canvas.1)] {
            let first = (height - plugs.len() as f64 * OWNER_ROW) / 2.0 + OWNER_ROW / 2.0;
            for (row, plug) in plugs.into_iter().enumerate() {
                let here = (x, first + row as f64 * OWNER_ROW);
                places.insert(key(at(None, plug.at)), here);
                let (used, mark) = (uses(None, plug.at), marks.mark_of(Spot::Port(plug.at)));
                owner_ports.push(Port { mark, ..port(plug, here, 118.0, used) });
            }
        }
        let mut nodes = Vec::with_capacity(sketches.len());
        for (i, ((sketch, rect), def)) in sketches.into_iter().zip(rects).zip(&diagram.boxes).enumerate() {
            let node = node(def, sketch, rect, marks.mark_of(Spot::Box(place, i)), |port, here| {
                places.insert(key(at(Some(i), port)), here);
                uses(Some(i), port)
            });
            nodes.push(node);
        }
        let name = |end: End| match end {
            End::Parent(port) => port.describe(owner).1.to_owned(),
            End::Box(i, port) => {
                diagram.boxes.get(i).map(|b| format!("{}.{}", b.name, port.describe(b).1)).unwrap_or_default()
            }
        };
        let mut deepest = height;
        // If there are very many boxes and links, links ignore boxes other than their own.
        let few = nodes.len().saturating_mul(routes.len()) <= MANY;
        let rects: Vec<Rect> = nodes.iter().map(|n| n.rect).collect();
        let mut router = Router::default();
        let wires = routes.iter().filter_map(|r| {
            let (a, b) = (*places.get(&key(r.from))?, *places.get(&key(r.to))?);
            let about = format!("{} → {}", name(r.from), name(r.to));
            let mark = marks.mark_of(Spot::Link(place, r.link));
            let class = port_class(source_type(owner, diagram, r.from));
            let own = [r.from, r.to].into_iter().filter_map(|end| match end {
                End::Box(i, _) => rects.get(i).copied(),
                End::Parent(_) => None,
            });
            let own: Vec<Rect> = own.collect();
            let (d, lowest) = router.way(a, b, if few { &rects } else { &own });
            deepest = deepest.max(lowest + BELOW);
            Some(Wire { from: r.from, to: r.to, d, class, about, mark })
        });
        let wires: Vec<Wire> = wires.collect();
        Self { width, height: deepest, canvas, def: owner, owner: owner_ports, nodes, wires, broken }
    }

    /// Lays out a single box as its parent's diagram shows it.
    pub(crate) fn of_box(def: &'a BoxDef) -> Self {
        let sketch = sketch(def, |_| false);
        let rect = Rect { x: 24.0, y: 18.0, w: sketch.size.0, h: sketch.size.1 };
        let (width, height) = (rect.w + 48.0, rect.h + 36.0);
        let node = node(def, sketch, rect, None, |_, _| true);
        Self {
            width,
            height,
            canvas: (0.0, width),
            def,
            owner: Vec::new(),
            nodes: vec![node],
            wires: Vec::new(),
            broken: Vec::new(),
        }
    }
}

/// Distances between the canvas' edge and the boxes.
const SIDE: f64 = 64.0;
const TOP: f64 = 24.0;
/// Room for links that run backwards.
const BELOW: f64 = 8.0;

/// Returns the boxes of a diagram with their contents and positions.
fn placed(diagram: &Diagram, routes: &[Route], overlaps: Overlaps) -> (Vec<Sketch>, Vec<Rect>) {
    let linked = linked(routes);
    let uses = |i: usize, port: PortRef| linked.contains(&key(End::Box(i, port)));
    let sketches: Vec<Sketch> =
        diagram.boxes.iter().enumerate().map(|(i, b)| sketch(b, |port| uses(i, port))).collect();
    let sizes: Vec<_> = sketches.iter().map(|s| s.size).collect();
    let wanted: Vec<_> = diagram.boxes.iter().map(|b| (b.x, b.y)).collect();
    let between = routes.iter().filter_map(|r| match (r.from, r.to) {
        (End::Box(a, _), End::Box(b, _)) => Some((a, b)),
        _ => None,
    });
    let rects = layout::place(&sizes, &wanted, &between.collect::<Vec<_>>(), overlaps);
    (sketches, rects)
}

/// Returns the ports that have links.
fn linked(routes: &[Route]) -> BTreeSet<(Option<usize>, usize, usize)> {
    routes.iter().flat_map(|r| [r.from, r.to]).map(key).collect()
}

fn at(place: Option<usize>, port: PortRef) -> End {
    place.map_or(End::Parent(port), |i| End::Box(i, port))
}

fn key(end: End) -> (Option<usize>, usize, usize) {
    let (place, port) = match end {
        End::Parent(port) => (None, port),
        End::Box(i, port) => (Some(i), port),
    };
    match port {
        PortRef::Input(i) => (place, 0, i),
        PortRef::Output(i) => (place, 1, i),
        PortRef::Parameter(i) => (place, 2, i),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
    OwnerLeft,
    OwnerRight,
}

/// Returns the ports on one side: of a box as seen from outside, or of the containing box as seen from inside.
fn plugs(def: &BoxDef, side: Side, linked: impl Fn(PortRef) -> bool) -> Vec<Plug> {
    let input = |(i, p): (usize, &Input)| Plug {
        at: PortRef::Input(i),
        name: text::one_line(&p.name),
        form: input_form(p.nature),
        class: port_class(p.port_type),
        about: format!("input {}{}", words::input(p), tooltip(&p.tooltip)),
    };
    let output = |(i, p): (usize, &Output)| Plug {
        at: PortRef::Output(i),
        name: text::one_line(&p.name),
        form: output_form(p.nature),
        class: port_class(p.port_type),
        about: format!("output {}{}", words::output(p), tooltip(&p.tooltip)),
    };
    match side {
        // The editor shows the input that stops a box only from outside.
        Side::OwnerLeft => {
            let seen = |(i, p): &(usize, &Input)| p.nature != InputNature::OnStop || linked(PortRef::Input(*i));
            def.inputs.iter().enumerate().filter(seen).map(input).collect()
        }
        Side::OwnerRight => def.outputs.iter().enumerate().map(output).collect(),
        Side::Right => {
            let seen = |(i, p): &(usize, &Output)| !p.inner || linked(PortRef::Output(*i));
            def.outputs.iter().enumerate().filter(seen).map(output).collect()
        }
        Side::Left => {
            let seen = |(i, p): &(usize, &Input)| !p.inner || linked(PortRef::Input(*i));
            let inputs = def.inputs.iter().enumerate().filter(seen).map(input);
            let reached = def.parameters.iter().enumerate().filter(|(i, _)| linked(PortRef::Parameter(*i)));
            let parameters = reached.map(|(i, p)| Plug {
                at: PortRef::Parameter(i),
                name: text::one_line(&p.name),
                form: Form::Parameter,
                class: "t-parameter",
                about: words::parameter(p),
            });
            inputs.chain(parameters).collect()
        }
    }
}

fn tooltip(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { format!("\n{}", text.trim()) }
}

fn sketch(def: &BoxDef, linked: impl Fn(PortRef) -> bool) -> Sketch {
    let left = plugs(def, Side::Left, &linked);
    let right = plugs(def, Side::Right, &linked);
    let widest = |plugs: &[Plug]| plugs.iter().map(|p| text::width(&p.name, LABEL)).fold(0.0, f64::max);
    let labels = widest(&left) + widest(&right) + 36.0;
    let name = text::bold_width(&text::one_line(&def.name), TITLE) + ICON + 18.0;
    let w = labels.max(name).clamp(BOX.0, BOX.1);
    let title = two_lines(&def.name, TITLE * text::BOLD, w - ICON - 16.0);
    let face = Face::of(def, w - 18.0);
    let rows = left.len().max(right.len()).max(1) as f64;
    let h = title.len() as f64 * TITLE_ROW + 14.0 + face_room(face.as_ref()) + rows * ROW + 6.0;
    // A long name may use the space that the other side does not need.
    let label_room = (w - 34.0) / 2.0;
    Sketch { size: (w, h), title, face, left, right, label_room }
}

/// The height of the row with the value.
fn face_room(face: Option<&Face>) -> f64 {
    if face.is_some() { ROW } else { 0.0 }
}

fn node<'a>(
    def: &'a BoxDef,
    sketch: Sketch,
    rect: Rect,
    mark: Option<Mark>,
    mut placed: impl FnMut(PortRef, (f64, f64)) -> bool,
) -> SceneNode<'a> {
    let first = rect.y + sketch.title.len() as f64 * TITLE_ROW + 14.0 + face_room(sketch.face.as_ref()) + ROW / 2.0;
    let widths = |plugs: &[Plug]| plugs.iter().map(|p| text::width(&p.name, LABEL)).collect::<Vec<_>>();
    let (lefts, rights) = (widths(&sketch.left), widths(&sketch.right));
    let mut ports = Vec::new();
    for (plugs, x, others) in [(sketch.left, rect.x, rights), (sketch.right, rect.right(), lefts)] {
        for (row, plug) in plugs.into_iter().enumerate() {
            let here = (x, first + row as f64 * ROW);
            let used = placed(plug.at, here);
            let taken = others.get(row).copied().unwrap_or(0.0).min(sketch.label_room);
            ports.push(port(plug, here, sketch.label_room * 2.0 - taken, used));
        }
    }
    let kind = kind(def);
    let inside = has_inside(def);
    let (title, face) = (sketch.title, sketch.face);
    SceneNode { def, rect, title, kind, inside, about: about(def, kind), face, ports, mark }
}

fn port(plug: Plug, (x, y): (f64, f64), room: f64, linked: bool) -> Port {
    let label = fit(&plug.name, LABEL, room);
    Port { at: plug.at, x, y, label, form: plug.form, class: plug.class, about: plug.about, linked, mark: None }
}

pub(crate) fn kind(def: &BoxDef) -> Icon {
    let script = def.script.as_ref().is_some_and(|s| !s.text.trim().is_empty());
    match &def.timeline {
        Some(t) if t.enabled => Icon::Timeline,
        Some(_) if has_inside(def) => Icon::Diagram,
        _ if def.dialog_file.is_some() => Icon::Dialog,
        _ if script => Icon::Script,
        _ => Icon::Plain,
    }
}

impl Icon {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Icon::Script => "script",
            Icon::Diagram => "flow diagram",
            Icon::Timeline => "timeline",
            Icon::Dialog => "dialog",
            Icon::Plain => "empty",
        }
    }
}

fn about(def: &BoxDef, kind: Icon) -> String {
    let mut lines = vec![format!("{} ({} box)", def.name, kind.word())];
    if !def.tooltip.trim().is_empty() {
        lines.push(def.tooltip.trim().to_owned());
    }
    lines.extend(def.parameters.iter().map(words::parameter));
    lines.extend(def.resources.iter().map(words::resource));
    lines.join("\n")
}

fn input_form(nature: InputNature) -> Form {
    match nature {
        InputNature::OnLoad => Form::Load,
        InputNature::OnStart => Form::Start,
        InputNature::OnStop => Form::Stop,
        InputNature::Memory => Form::Memory,
        InputNature::OnEvent | InputNature::Unknown(_) => Form::Event,
    }
}

fn output_form(nature: OutputNature) -> Form {
    match nature {
        OutputNature::OnStopped => Form::Stopped,
        OutputNature::Punctual => Form::Punctual,
        OutputNature::Recurrent => Form::Recurrent,
        OutputNature::Undefined | OutputNature::Unknown(_) => Form::Undefined,
    }
}

pub(crate) fn port_class(t: PortType) -> &'static str {
    match t {
        PortType::Dynamic => "t-dynamic",
        PortType::Bang => "t-bang",
        PortType::Number => "t-number",
        PortType::String => "t-string",
        PortType::Bitmap => "t-bitmap",
        PortType::Sound => "t-sound",
        PortType::Unknown(_) => "t-unknown",
    }
}

fn source_type(owner: &BoxDef, diagram: &Diagram, from: End) -> PortType {
    let (def, port) = match from {
        End::Parent(port) => (Some(owner), port),
        End::Box(i, port) => (diagram.boxes.get(i), port),
    };
    let found = def.and_then(|d| match port {
        PortRef::Input(i) => d.inputs.get(i).map(|p| p.port_type),
        PortRef::Output(i) => d.outputs.get(i).map(|p| p.port_type),
        PortRef::Parameter(_) => None,
    });
    found.unwrap_or(PortType::Dynamic)
}
