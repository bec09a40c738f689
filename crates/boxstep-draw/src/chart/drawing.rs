//! A chart as a drawing. It runs from left to right: children are drawn to the right of their parent, one below
//! another.

use super::{Chart, Step, steps};
use crate::style;
use crate::text::{bold_width, fit, one_line, width};
use crate::xml::{Xml, number};

const PAD: f64 = 16.0;
const CAPTION: f64 = 28.0;
/// Horizontal gap between a box and its children.
const ACROSS: f64 = 44.0;
/// Vertical gap between boxes.
const DOWN: f64 = 10.0;
/// Height of a line of text, and of the label above a box that says when its behavior gets control.
const LINE: f64 = 15.0;
const LABEL: f64 = 15.0;
/// Maximum width of a text. A longer one is cut, and the `title` element has all of it.
const WIDEST: f64 = 320.0;
const SIZE: f64 = 11.5;

/// A behavior with its place in the drawing.
struct Placed {
    x: f64,
    /// The top of the box, without the label above it.
    y: f64,
    width: f64,
    height: f64,
    lines: Vec<String>,
    label: String,
    /// The full text for the `title` element.
    about: String,
    /// Index of the parent in the list; `None` for a root.
    parent: Option<usize>,
    again: bool,
}

/// Draws a chart as an SVG file.
pub fn svg(chart: &Chart) -> String {
    let mut xml = Xml::new();
    sheet(&mut xml, chart, true, true);
    xml.finish() + "\n"
}

/// Draws a chart as [`svg`] does, without a heading: for a card that has the name beside it.
pub fn picture(chart: &Chart) -> String {
    let mut xml = Xml::new();
    sheet(&mut xml, chart, true, false);
    xml.finish() + "\n"
}

/// Draws a chart as one `svg` element. With `standalone` it has its own style sheet; otherwise it is for a page that has
/// one. With `captioned` its name is its heading.
pub(super) fn sheet(xml: &mut Xml, chart: &Chart, standalone: bool, captioned: bool) {
    let placed = places(chart);
    let pad = if standalone { PAD } else { 1.0 };
    let top = if captioned { pad + CAPTION } else { pad };
    let right = placed.iter().map(|p| p.x + p.width.max(width(&p.label, 10.5))).fold(0.0, f64::max);
    let bottom = placed.iter().map(|p| p.y + p.height).fold(0.0, f64::max);
    let (wide, high) = (right.max(if standalone { 260.0 } else { 1.0 }) + 2.0 * pad, bottom + top + pad);
    let name = one_line(&chart.name);
    let view = format!("0 0 {} {}", number(wide), number(high));
    let tag = xml.tag("svg").attr("class", "bx").attr("role", "img");
    let tag = tag.maybe("xmlns", standalone.then_some("http://www.w3.org/2000/svg"));
    tag.num("width", wide).num("height", high).attr("viewBox", &view).attr("aria-label", &name).open();
    xml.leaf("title", &name);
    xml.leaf("desc", &super::tree(chart));
    if standalone {
        xml.tag("style").open();
        xml.raw(&style::drawing());
        xml.close();
        xml.line();
        xml.tag("rect").attr("class", "page").num("width", wide).num("height", high).empty();
    }
    if captioned {
        let title = fit(&name, 14.0, wide - 2.0 * pad);
        xml.tag("text").attr("class", "caption").num("x", pad).num("y", PAD + 12.0).text(&title);
        xml.line();
    }
    let to = format!("translate({} {})", number(pad), number(top));
    xml.tag("g").attr("transform", &to).open();
    for one in &placed {
        if let Some(parent) = one.parent.map(|parent| &placed[parent]) {
            let (from, to) = (parent.x + parent.width, one.x);
            let (above, at) = (parent.y + LINE * 0.8, one.y + LINE * 0.8);
            let middle = number(to - ACROSS / 2.0);
            let d = format!("M{} {}H{middle}V{}H{}", number(from), number(above), number(at), number(to));
            xml.tag("path").attr("class", "icon").attr("d", &d).empty();
        }
    }
    xml.line();
    for one in &placed {
        draw(xml, one);
    }
    xml.close();
    xml.close();
}

fn draw(xml: &mut Xml, one: &Placed) {
    xml.tag("g").open();
    xml.leaf("title", &one.about);
    if !one.label.is_empty() {
        xml.tag("text").attr("class", "label").num("x", one.x).num("y", one.y - 4.0).text(&one.label);
    }
    let tag = xml.tag("rect").attr("class", if one.again { "track" } else { "box" }).num("x", one.x).num("y", one.y);
    tag.num("width", one.width).num("height", one.height).num("rx", 5.0).empty();
    for (row, line) in one.lines.iter().enumerate() {
        let y = one.y + LINE * (row as f64 + 1.0) - 1.0;
        let class = if row == 0 && !one.again { "title" } else { "sub" };
        xml.tag("text").attr("class", class).num("x", one.x + 8.0).num("y", y).text(line);
    }
    xml.close();
    xml.line();
}

/// Returns the places of all boxes. A parent is not below its first child, and no boxes overlap.
fn places(chart: &Chart) -> Vec<Placed> {
    let steps = steps(chart);
    let mut placed: Vec<Placed> = steps.iter().map(|step| boxed(chart, step)).collect();
    let deepest = steps.iter().map(|step| step.depth).max().unwrap_or(0);
    let mut columns = vec![0.0_f64; deepest + 2];
    for (step, one) in steps.iter().zip(&placed) {
        columns[step.depth + 1] = columns[step.depth + 1].max(one.width + ACROSS);
    }
    for depth in 1..columns.len() {
        columns[depth] += columns[depth - 1];
    }
    // The last box on each level: the parent of the next box one level deeper.
    let mut last: Vec<Option<usize>> = vec![None; deepest + 1];
    let mut low = vec![0.0_f64; deepest + 1];
    for (at, step) in steps.iter().enumerate() {
        let parent = step.depth.checked_sub(1).and_then(|depth| last[depth]);
        let label = if placed[at].label.is_empty() { 0.0 } else { LABEL };
        // The box must be below all boxes in its column and in deeper ones, which belong to earlier boxes, and not
        // above its parent.
        let below = low[step.depth..].iter().copied().fold(0.0, f64::max);
        let y = below + label;
        let y = parent.map_or(y, |parent| y.max(placed[parent].y));
        let one = &mut placed[at];
        (one.x, one.y, one.parent) = (columns[step.depth], y, parent);
        low[step.depth] = y + one.height + DOWN;
        last[step.depth] = Some(at);
    }
    placed
}

fn boxed(chart: &Chart, step: &Step) -> Placed {
    let node = &chart.nodes[step.node];
    let label = step.edge.map(|edge| one_line(&chart.edges[edge].label)).unwrap_or_default();
    let root = chart.roots.iter().find(|(root, _)| *root == step.node && step.depth == 0);
    let label = root.map_or(label, |(_, what)| what.clone());
    let name = one_line(&node.name);
    let what = one_line(&format!("{} {}", node.kind, node.details));
    let rest = node.notes.iter().map(|note| one_line(note));
    let all: Vec<String> = match step.again {
        true => vec![format!("→ {name}")],
        false => [name, what].into_iter().chain(rest).collect(),
    };
    let about = std::iter::once(label.clone()).chain(all.iter().cloned()).filter(|line| !line.is_empty());
    let about = about.collect::<Vec<_>>().join("\n");
    let lines: Vec<String> = all.iter().map(|line| fit(line, SIZE, WIDEST)).collect();
    let wide = lines.iter().enumerate().map(|(row, line)| {
        let width = if row == 0 { bold_width(line, 12.5) } else { width(line, SIZE) };
        width + 16.0
    });
    Placed {
        x: 0.0,
        y: 0.0,
        width: wide.fold(60.0, f64::max),
        height: LINE * lines.len() as f64 + 7.0,
        lines,
        label: fit(&label, 10.5, WIDEST),
        about,
        parent: None,
        again: step.again,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Edge, EdgeKind, Node};
    use super::*;

    #[test]
    fn no_box_stands_on_another() {
        let node = |n: usize| Node { name: format!("n{n}"), notes: vec!["a note".into(); n % 4], ..Node::default() };
        let edge = |(from, to)| Edge { from, to, kind: EdgeKind::Child, label: "1".repeat(to) };
        let chart = Chart {
            nodes: (0..14).map(node).collect(),
            edges: (1..14).map(|n| edge(((n - 1) / 3, n))).chain([edge((2, 13)), edge((4, 1))]).collect(),
            roots: vec![(0, "root".into())],
            ..Chart::default()
        };
        let placed = places(&chart);
        assert!(placed.len() > 14);
        for (at, one) in placed.iter().enumerate() {
            for other in &placed[..at] {
                let apart = one.x >= other.x + other.width
                    || other.x >= one.x + one.width
                    || one.y >= other.y + other.height
                    || other.y >= one.y + one.height;
                assert!(apart, "{} and {}", one.about, other.about);
            }
        }
    }
}
