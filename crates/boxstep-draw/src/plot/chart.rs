//! Small charts, one per joint, side by side and with the same frames.

use super::Group;
use crate::curves::JointLine;
use crate::svg::nice;
use crate::text::{fit, format_number};
use crate::xml::{Xml, number};

/// Size of a chart, and of the margins for the numbers left of it and below.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 104.0;
const LEFT: f64 = 44.0;
const TITLE: f64 = 18.0;
const BELOW: f64 = 20.0;
const GAP: f64 = 22.0;
/// Half the width of a key or of a frame number, at the right edge.
const EDGE: f64 = 14.0;

/// Returns the width and height of all charts together.
pub(crate) fn size(n: usize) -> (f64, f64) {
    let columns = columns(n) as f64;
    let rows = n.div_ceil(columns as usize) as f64;
    (columns * (LEFT + WIDTH) + (columns - 1.0) * GAP + EDGE, rows * (TITLE + HEIGHT + BELOW + 8.0))
}

fn columns(n: usize) -> usize {
    if n == 4 { 2 } else { n.clamp(1, 3) }
}

/// Draws the charts with their top left corner at the origin.
pub(crate) fn charts(xml: &mut Xml, group: &Group) {
    let columns = columns(group.lines.len());
    let frames = group.frames();
    for (i, line) in group.lines.iter().enumerate() {
        let x = (i % columns) as f64 * (LEFT + WIDTH + GAP) + LEFT;
        let y = (i / columns) as f64 * (TITLE + HEIGHT + BELOW + 8.0) + TITLE;
        let to = format!("translate({} {})", number(x), number(y));
        xml.tag("g").attr("transform", &to).maybe("class", line.muted.then_some("mute")).open();
        xml.leaf("title", &line.words());
        chart(xml, line, frames);
        xml.close();
        xml.line();
    }
}

/// Writes the charts as one `svg` element of a page.
pub(crate) fn element(xml: &mut Xml, group: &Group) {
    let (w, h) = size(group.lines.len());
    let view = format!("0 0 {} {}", number(w), number(h));
    let tag = xml.tag("svg").attr("class", "bx").attr("role", "img").num("width", w).num("height", h);
    tag.attr("viewBox", &view).attr("aria-label", &format!("Joint curves of {}", group.path)).open();
    charts(xml, group);
    xml.close();
}

/// Draws one chart.
fn chart(xml: &mut Xml, line: &JointLine, (first, last): (f64, f64)) {
    let (low, high) = range(line);
    let x = |frame: f64| (frame - first) / (last - first) * WIDTH;
    let y = |value: f64| HEIGHT - (value - low) / (high - low) * HEIGHT;
    let name = if line.muted { format!("{} (muted)", line.joint) } else { line.joint.clone() };
    xml.tag("text").attr("class", "title").num("x", 0.0).num("y", -6.0).text(&fit(&name, 12.5, WIDTH / 2.0));
    if let Some(words) = line.missing_joint_note() {
        xml.tag("text").attr("class", "label end").num("x", WIDTH).num("y", -6.0).text(&words);
    }
    if let Some(excess) = line.excess() {
        let words = line.gap().map_or(excess.clone(), |gap| format!("{excess}; {gap}"));
        xml.tag("text").attr("class", "warn end").num("x", WIDTH).num("y", -6.0).text(&words);
    }
    if let (Some(words), None) = (line.gap(), line.excess()) {
        xml.tag("text").attr("class", "label end").num("x", WIDTH).num("y", -6.0).text(&words);
    }
    xml.tag("rect").attr("class", "track").num("width", WIDTH).num("height", HEIGHT).empty();
    if let Some((min, max)) = line.limits {
        let above = line.has_upper_limit().then(|| (0.0, y(max)));
        for (from, to) in above.into_iter().chain([(y(min), HEIGHT)]) {
            xml.tag("rect")
                .attr("class", "beyond")
                .num("y", from)
                .num("width", WIDTH)
                .num("height", (to - from).max(0.0))
                .empty();
        }
    }
    axes(xml, (first, last), (low, high), line.unit());
    if let Some((min, max)) = line.limits {
        let above = if line.has_upper_limit() { format!("M0 {}h{WIDTH}", number(y(max))) } else { String::new() };
        let d = format!("{above}M0 {}h{WIDTH}", number(y(min)));
        xml.tag("path").attr("class", "limit").attr("d", &d).empty();
    }
    handles(xml, line, x, y);
    xml.tag("path").attr("class", "curve").attr("d", &line.path(x, y)).empty();
    for key in line.dots() {
        let about = format!("frame {}: {}{}", format_number(key.time), format_number(key.value), line.unit());
        xml.tag("circle").attr("class", "key").num("cx", x(key.time)).num("cy", y(key.value)).num("r", 2.6).open();
        xml.leaf("title", &about);
        xml.close();
    }
}

/// Returns the range of the value axis: the limits and the whole curve, with a small margin.
fn range(line: &JointLine) -> (f64, f64) {
    let (low, high) = line
        .limits
        .map_or((line.extent.min, line.extent.max), |(min, max)| (min.min(line.extent.min), max.max(line.extent.max)));
    let room = ((high - low) * 0.08).max(line.unit.room());
    // Both are halved first, because the difference of two huge numbers may overflow.
    if (high / 2.0 - low / 2.0).is_finite() && low.is_finite() { (low - room, high + room) } else { (-1.0, 1.0) }
}

fn axes(xml: &mut Xml, (first, last): (f64, f64), (low, high): (f64, f64), unit: &str) {
    let mut faint = String::new();
    let step = nice((high - low) / 4.0);
    let mut from = (low / step).ceil();
    for _ in 0..8 {
        let value = from * step;
        from += 1.0;
        if value > high {
            break;
        }
        let y = HEIGHT - (value - low) / (high - low) * HEIGHT;
        faint.push_str(&format!("M0 {}h{WIDTH}", number(y)));
        let text = fit(&format!("{}{unit}", format_number(value)), 10.0, LEFT - 6.0);
        xml.tag("text").attr("class", "tick end").num("x", -6.0).num("y", y + 3.5).text(&text);
    }
    let step = nice((last - first) / 5.0).max(1.0);
    let mut from = (first / step).ceil();
    for _ in 0..12 {
        let frame = from * step;
        from += 1.0;
        if frame > last {
            break;
        }
        let x = (frame - first) / (last - first) * WIDTH;
        faint.push_str(&format!("M{} 0v{HEIGHT}", number(x)));
        xml.tag("text").attr("class", "tick mid").num("x", x).num("y", HEIGHT + 13.0).text(&format_number(frame));
    }
    xml.tag("path").attr("class", "faint").attr("d", &faint).attr("fill", "none").empty();
}

/// Draws explicit tangents.
fn handles(xml: &mut Xml, line: &JointLine, x: impl Fn(f64) -> f64, y: impl Fn(f64) -> f64) {
    let mut d = String::new();
    for key in line.dots() {
        for side in [key.left, key.right] {
            if side.interpolation == boxstep_motion::Interpolation::Bezier && side.dx != 0.0 {
                let (tx, ty) = (x(key.time + side.dx), y(key.value + side.dy));
                let at = format!("M{} {}L{} {}", number(x(key.time)), number(y(key.value)), number(tx), number(ty));
                d.push_str(&at);
            }
        }
    }
    if !d.is_empty() {
        xml.tag("path").attr("class", "handle").attr("d", &d).empty();
    }
}
