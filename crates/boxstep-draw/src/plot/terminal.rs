//! Charts made of braille characters, as many side by side as the terminal is wide.

use super::Group;
use crate::curves::JointLine;
use crate::text::{fit, format_number};
use textplots::{Chart, Plot as _, Shape};

/// Columns of a chart, of its labels, and between two charts.
const CHART: usize = 36;
const LABEL: usize = 10;
const GAP: usize = 3;
/// Braille dots of a chart; a character has two columns and four rows of them.
const DOTS: (u32, u32) = (CHART as u32 * 2, 32);

pub(super) fn text(groups: &[Group], columns: usize) -> String {
    let side = ((columns + GAP) / (CHART + LABEL + GAP)).max(1);
    let mut out = String::new();
    for group in groups {
        out.push_str(&format!("{}\n\n", group.heading()));
        for row in group.lines.chunks(side) {
            let blocks: Vec<Vec<String>> = row.iter().map(|line| block(line, group.frames())).collect();
            let tallest = blocks.iter().map(Vec::len).max().unwrap_or(0);
            for i in 0..tallest {
                let cells = blocks.iter().map(|b| padded(b.get(i).map_or("", String::as_str)));
                out.push_str(cells.collect::<Vec<_>>().join(&" ".repeat(GAP)).trim_end());
                out.push('\n');
            }
            out.push('\n');
        }
    }
    out
}

fn padded(text: &str) -> String {
    let missing = (CHART + LABEL).saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

/// Returns the lines of a chart, the first of which describes it.
fn block(line: &JointLine, (first, last): (f64, f64)) -> Vec<String> {
    let limits = line.limits.unwrap_or((line.extent.min, line.extent.max));
    let (least, most) = (limits.0.min(line.extent.min), limits.1.max(line.extent.max));
    let (low, high) = (least, most);
    let room = ((high - low) * 0.04).max(0.02);
    let (low, high) = ((low - room) as f32, (high + room) as f32);
    let steps = DOTS.0 * 2;
    let at = |i: u32| first + (last - first) * f64::from(i) / f64::from(steps);
    let points: Vec<(f32, f32)> = (0..=steps)
        .map(at)
        .filter(|t| (line.curve.start()..=line.curve.end()).contains(t))
        .map(|t| (t as f32, line.curve.sample(t) as f32))
        .collect();
    let keys: Vec<(f32, f32)> = line.keys.iter().map(|k| (k.time as f32, k.value as f32)).collect();
    // The dots are far apart, so that a limit does not look like a curve.
    let dotted = |v: f64| (0..=DOTS.0 / 6).map(|i| (at(i * 12) as f32, v as f32)).collect::<Vec<_>>();
    let (bottom, top) = (dotted(limits.0), dotted(limits.1));
    let mut chart = Chart::new_with_y_range(DOTS.0, DOTS.1, first as f32, last as f32, low, high);
    let shapes = [Shape::Points(&bottom), Shape::Points(&top), Shape::Lines(&points), Shape::Points(&keys)];
    let [a, b, c, d] = &shapes;
    let drawn = chart.lineplot(a).lineplot(b).lineplot(c).lineplot(d);
    drawn.figures();
    let value = |v: f64| line.shown(v);
    let mut words = format!("{}  {} … {}", line.joint, value(line.extent.min), value(line.extent.max));
    if line.muted {
        words.push_str("  muted");
    }
    words.extend(line.missing_joint_note().map(|why| format!("  {why}")));
    if line.is_beyond() {
        words.push_str(&format!("  {} beyond limits", value(line.beyond())));
    }
    let mut lines = vec![fit(&words, 1.0, 1e9).chars().take(CHART + LABEL).collect()];
    let frame = drawn.frame();
    // The frame lacks the rows at the end that have no dot.
    let rows = DOTS.1.div_ceil(4) as usize;
    for (i, row) in frame.lines().chain(std::iter::repeat("")).take(rows).enumerate() {
        // Each label is in the row of its value: the ends of the whole range, and limits inside it.
        let row_of = |v: f64| {
            let part = (f64::from(high) - v) / (f64::from(high) - f64::from(low));
            ((part * f64::from(DOTS.1) / 4.0) as usize).min(rows - 1)
        };
        let label = match i {
            0 => value(most),
            _ if i + 1 == rows => value(least),
            _ if row_of(limits.1) == i => value(limits.1),
            _ if row_of(limits.0) == i => value(limits.0),
            _ => String::new(),
        };
        let row: String = row.chars().take(CHART).collect();
        lines.push(format!("{row:CHART$} {label}").trim_end().to_owned());
    }
    let (from, to) = (format_number(first), format_number(last));
    let between = CHART.saturating_sub(from.chars().count() + to.chars().count());
    lines.push(format!("{from}{}{to}", " ".repeat(between)));
    lines
}
