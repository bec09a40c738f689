//! Drawing of boxes, ports and links.

use super::icons;
use crate::faces::Face;
use crate::level::Anchors;
use crate::scene::{Form, ICON, Mark, Port, Scene, SceneNode, Wire};
use crate::xml::{Xml, number};
use boxstep_format::model::{BoxDef, Timeline};
use boxstep_format::resolve::{End, PortRef};

/// Half the size of a port in pixels.
const R: f64 = 5.5;

impl Mark {
    pub(super) fn class(self) -> &'static str {
        match self {
            Mark::Added => "added",
            Mark::Removed => "removed",
            Mark::Changed => "changed",
        }
    }
}

/// Returns the height of the text below a diagram, in pixels.
pub(super) fn footer(scene: &Scene<'_>) -> f64 {
    if scene.broken.is_empty() { 0.0 } else { 20.0 }
}

/// Describes the diagram in words.
pub(super) fn description(scene: &Scene<'_>) -> String {
    let names: Vec<&str> = scene.nodes.iter().take(40).map(|n| &*n.def.name).collect();
    let links: Vec<&str> = scene.wires.iter().take(60).map(|w| w.about.as_str()).collect();
    let more = if scene.nodes.len() > names.len() || scene.wires.len() > links.len() { " …" } else { "" };
    match (names.as_slice(), links.as_slice()) {
        ([], _) => "An empty diagram.".to_owned(),
        (_, []) => format!("Boxes: {}{more}.", names.join(", ")),
        _ => format!("Boxes: {}. Links: {}{more}.", names.join(", "), links.join("; ")),
    }
}

/// Draws a scene with its top left corner at the origin.
pub(super) fn draw(xml: &mut Xml, scene: &Scene<'_>, anchors: Option<&Anchors>) {
    let (left, right) = scene.canvas;
    let w = right - left;
    xml.tag("rect")
        .attr("class", "canvas")
        .num("x", left)
        .num("width", w)
        .num("height", scene.height)
        .num("rx", 6.0)
        .empty();
    grid(xml, scene);
    // All halos come first; otherwise the halo of a link would cover other links to the same port.
    let live = anchors.filter(|anchors| anchors.live);
    for wire in &scene.wires {
        part(xml, live, |xml| xml.tag("path").attr("class", "halo").attr("d", &wire.d).empty());
    }
    for wire in &scene.wires {
        let end = |end| live.and_then(|anchors| signal(anchors, scene, end));
        part(xml, live, |xml| link(xml, wire, end(wire.from), end(wire.to)));
    }
    for port in &scene.owner {
        let outer = if port.x <= left { (port.x - 10.0, "label end") } else { (port.x + 10.0, "label") };
        draw_port(xml, port, outer, live.and_then(|anchors| signal(anchors, scene, End::Parent(port.at))));
    }
    xml.line();
    for node in &scene.nodes {
        part(xml, live, |xml| draw_node(xml, node, anchors));
        xml.line();
    }
    if !scene.broken.is_empty() {
        let n = scene.broken.len();
        let words = format!("{n} broken link{}: {}", if n == 1 { "" } else { "s" }, scene.broken.join("; "));
        let shown = crate::text::fit(&words, 11.0, scene.width - 8.0);
        xml.tag("text").attr("class", "warn").num("x", left.min(8.0)).num("y", scene.height + 15.0).open();
        xml.leaf("title", &words);
        xml.text(&shown);
        xml.close();
    }
}

/// Draws what a page keeps as long as its text is the same: between two comments, which no text of a file contains.
fn part(xml: &mut Xml, live: Option<&Anchors>, draw: impl FnOnce(&mut Xml)) {
    if live.is_none() {
        return draw(xml);
    }
    xml.raw(PART.0);
    draw(xml);
    xml.raw(PART.1);
}

/// What is before and after such a part.
const PART: (&str, &str) = ("<!--+-->", "<!--/-->");

/// Draws a faint grid as a single path.
fn grid(xml: &mut Xml, scene: &Scene<'_>) {
    const STEP: f64 = 30.0;
    let (left, right) = scene.canvas;
    let (w, h) = (right - left, scene.height);
    // For larger diagrams, the grid would be a gray surface and a large file.
    if w * h > 6e6 {
        return;
    }
    let lines = |n: f64| (1..).map(|i| f64::from(i) * STEP).take_while(move |at| *at < n);
    let mut d: String = lines(w).map(|x| format!("M{} 1V{}", number(left + x), number(h - 1.0))).collect();
    d.extend(lines(h).map(|y| format!("M{} {}H{}", number(left + 1.0), number(y), number(right - 1.0))));
    xml.tag("path").attr("class", "grid").attr("d", &d).empty();
    xml.line();
}

/// Returns the name of a link's end in a trace: `output`, `onStopped` and `root/Say`, separated by tabs.
fn signal(anchors: &Anchors, scene: &Scene<'_>, end: End) -> Option<String> {
    let (def, port) = match end {
        End::Parent(port) => (scene.def, port),
        End::Box(i, port) => (scene.nodes.get(i)?.def, port),
    };
    named(anchors, def, port)
}

fn named(anchors: &Anchors, def: &BoxDef, port: PortRef) -> Option<String> {
    let (what, name) = port.describe(def);
    Some(format!("{what}\t{name}\t{}", anchors.name_of(def)?))
}

fn link(xml: &mut Xml, wire: &Wire, from: Option<String>, to: Option<String>) {
    let class = match wire.mark {
        Some(mark) => format!("link {} {}", wire.class, mark.class()),
        None => format!("link {}", wire.class),
    };
    let tag = xml.tag("path").attr("class", &class).attr("d", &wire.d);
    tag.maybe("data-from", from.as_deref()).maybe("data-to", to.as_deref()).open();
    xml.leaf("title", &wire.about);
    xml.close();
}

fn draw_node(xml: &mut Xml, node: &SceneNode<'_>, anchors: Option<&Anchors>) {
    let r = node.rect;
    let live = anchors.filter(|anchors| anchors.live);
    let anchor = anchors.filter(|anchors| !anchors.live).and_then(|a| a.name_of(node.def));
    if let Some(anchor) = anchor {
        xml.tag("a").attr("href", &format!("#{anchor}")).open();
    }
    let mut class = String::from("node");
    if node.inside {
        class.push_str(" inside");
    }
    if let Some(mark) = node.mark {
        class.push(' ');
        class.push_str(mark.class());
    }
    let path = live.and_then(|anchors| anchors.name_of(node.def));
    xml.tag("g").attr("class", &class).maybe("data-box", path).maybe("tabindex", path.and(Some("0"))).open();
    xml.leaf("title", &node.about);
    let head = node.title.len() as f64 * 16.0 + 8.0;
    xml.tag("rect")
        .attr("class", "box")
        .num("x", r.x)
        .num("y", r.y)
        .num("width", r.w)
        .num("height", r.h)
        .num("rx", 7.0)
        .empty();
    let (x, y, w) = (r.x + 1.0, r.y + 1.0, r.w - 2.0);
    let d = format!(
        "M{} {}v{}a6 6 0 0 1 6 -6h{}a6 6 0 0 1 6 6v{}z",
        number(x),
        number(y + head),
        number(6.0 - head),
        number(w - 12.0),
        number(head - 6.0)
    );
    xml.tag("path").attr("class", "head").attr("d", &d).empty();
    icon(xml, node, r.x + 8.0, r.y + head / 2.0 + 1.0);
    if live.is_some() {
        progress(xml, node, head);
    }
    if let Some(shown) = &node.face {
        face(xml, node, shown, head);
    }
    for (i, line) in node.title.iter().enumerate() {
        let y = r.y + 16.5 + i as f64 * 16.0;
        xml.tag("text").attr("class", "title").num("x", r.x + ICON + 8.0).num("y", y).text(line);
    }
    for port in &node.ports {
        let inner = if port.x <= r.x { (port.x + 10.0, "label") } else { (port.x - 10.0, "label end") };
        draw_port(xml, port, inner, live.and_then(|anchors| named(anchors, node.def, port.at)));
    }
    if live.is_some() && !node.def.parameters.is_empty() {
        wrench(xml, node);
    }
    xml.close();
    if anchor.is_some() {
        xml.close();
    }
}

/// Draws the icon of a box, 14 pixels wide.
fn icon(xml: &mut Xml, node: &SceneNode<'_>, x: f64, y: f64) {
    let to = format!("translate({} {})", number(x), number(y));
    xml.tag("path").attr("class", "icon").attr("d", icons::of(node.def, node.kind)).attr("transform", &to).empty();
}

/// Draws the sign that opens the parameters of a box, on its lower edge.
fn wrench(xml: &mut Xml, node: &SceneNode<'_>) {
    let r = node.rect;
    let to = format!("translate({} {})", number(r.x + r.w / 2.0), number(r.bottom()));
    xml.tag("g").attr("class", "wrench").attr("transform", &to).open();
    xml.leaf("title", "parameters");
    xml.tag("circle").num("r", 9.0).empty();
    xml.tag("path").attr("class", "icon").attr("d", WRENCH).empty();
    xml.close();
}

/// A wrench around the origin.
const WRENCH: &str =
    "M3.6 -4.6a3.1 3.1 0 0 0 -4 3.9L-4.6 3.3a1 1 0 0 0 1.4 1.4L.8 .7a3.1 3.1 0 0 0 3.9 -4L2.9 -1.5L1.5 -2.9z";

/// Draws the value that the face of a box shows: a color as a field, everything else as text.
fn face(xml: &mut Xml, node: &SceneNode<'_>, face: &Face, head: f64) {
    let r = node.rect;
    let (x, y) = (r.x + 9.0, r.y + 1.0 + head);
    xml.tag("g").attr("class", "face").maybe("data-parameter", face.parameter.as_deref()).open();
    xml.leaf("title", &face.about);
    let mut x = x;
    if let Some([red, green, blue]) = face.color {
        // A number cannot carry markup.
        let fill = format!("#{red:02x}{green:02x}{blue:02x}");
        let field = xml.tag("rect").attr("class", "swatch").attr("fill", &fill).num("x", x).num("y", y + 4.0);
        field.num("width", 11.0).num("height", 11.0).num("rx", 2.0).empty();
        x += 16.0;
    }
    xml.tag("text").attr("class", "value").num("x", x).num("y", y + 13.0).text(&face.shown);
    xml.close();
}

/// Draws how far a timeline is, for a page: a bar from the left to the right edge of the box.
fn progress(xml: &mut Xml, node: &SceneNode<'_>, head: f64) {
    let Some(timeline) = node.def.timeline.as_ref().filter(|timeline| timeline.enabled) else { return };
    let first = timeline.start_frame.unwrap_or(1);
    let Some(last) = timeline.end_frame.filter(|last| *last > first).or_else(|| last_frame(timeline)) else { return };
    let frames = format!("{} {first} {last}", timeline.fps.unwrap_or(25));
    let r = node.rect;
    let bar = xml.tag("rect").attr("class", "progress").attr("data-frames", &frames);
    bar.num("x", r.x + 1.0).num("y", r.y + head - 1.0).num("width", r.w - 2.0).num("height", 3.0).empty();
}

fn last_frame(timeline: &Timeline) -> Option<i32> {
    let curves = timeline.actuators.iter().flat_map(|list| &list.curves).filter(|curve| !curve.mute);
    curves.flat_map(|curve| &curve.keys).map(|key| key.frame).max()
}

/// Draws a port with its name beside it.
pub(super) fn draw_port(xml: &mut Xml, port: &Port, (label_x, label_class): (f64, &str), signal: Option<String>) {
    let mut class = String::from(if port.linked { "slot" } else { "slot unlinked" });
    if let Some(mark) = port.mark {
        class.push(' ');
        class.push_str(mark.class());
    }
    xml.tag("g").attr("class", &class).maybe("data-port", signal.as_deref()).open();
    xml.leaf("title", &port.about);
    shape(xml, port.form, port.class, port.x, port.y);
    xml.tag("text").attr("class", label_class).num("x", label_x).num("y", port.y + 3.6).text(&port.label);
    xml.close();
}

/// Draws a port's symbol: its shape shows the effect of a stimulation, its color the type.
pub(super) fn shape(xml: &mut Xml, form: Form, class: &str, x: f64, y: f64) {
    let n = number;
    let solid = format!("port {class}");
    let hollow = format!("port hollow {class}");
    let path = |xml: &mut Xml, class: &str, d: &str| xml.tag("path").attr("class", class).attr("d", d).empty();
    let circle = |xml: &mut Xml, class: &str, r: f64| {
        xml.tag("circle").attr("class", class).num("cx", x).num("cy", y).num("r", r).empty();
    };
    let square = |xml: &mut Xml, r: f64| {
        xml.tag("rect")
            .attr("class", &solid)
            .num("x", x - r)
            .num("y", y - r)
            .num("width", 2.0 * r)
            .num("height", 2.0 * r)
            .num("rx", 1.0)
            .empty();
    };
    match form {
        Form::Start => {
            let d = format!("M{} {}L{} {}L{} {}z", n(x - R + 1.0), n(y - R), n(x + R), n(y), n(x - R + 1.0), n(y + R));
            path(xml, &solid, &d);
        }
        Form::Stop => {
            square(xml, 5.0);
            let d = format!("M{} {}l5 5m0 -5l-5 5", n(x - 2.5), n(y - 2.5));
            path(xml, "cross", &d);
        }
        Form::Stopped => square(xml, 4.6),
        Form::Event => circle(xml, &solid, 4.8),
        Form::Punctual => circle(xml, &hollow, 4.6),
        Form::Recurrent => {
            circle(xml, &hollow, 5.4);
            circle(xml, &solid, 2.2);
        }
        Form::Load => {
            let d = format!("M{} {}L{} {}L{} {}z", n(x - R), n(y - R + 1.5), n(x + R), n(y - R + 1.5), n(x), n(y + R));
            path(xml, &hollow, &d);
        }
        Form::Memory => {
            let d = format!("M{} {}l4.8 -2.8l4.8 2.8v5.6l-4.8 2.8l-4.8 -2.8z", n(x - 4.8), n(y - 2.8));
            path(xml, &solid, &d);
        }
        Form::Undefined | Form::Parameter => {
            let d = format!("M{} {}l5.5 5.5l-5.5 5.5l-5.5 -5.5z", n(x), n(y - 5.5));
            path(xml, if form == Form::Parameter { &solid } else { &hollow }, &d);
        }
    }
}
