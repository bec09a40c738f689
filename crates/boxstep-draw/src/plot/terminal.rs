//! Charts made of braille characters, as many side by side as the terminal is wide.

use super::Group;
use super::braille::Canvas;
use crate::curves::JointLine;
use crate::text::{fit, format_number};

/// Columns of a chart, of its labels, and between two charts.
const CHART: usize = 36;
const LABEL: usize = 10;
const GAP: usize = 3;
/// Braille dots of a chart; a character has two columns and four rows of them.
const DOTS: (usize, usize) = (CHART * 2, 32);

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

/// Returns the lines of a chart: what it is, the chart, its frames, and those of them that are not judged.
fn block(line: &JointLine, (first, last): (f64, f64)) -> Vec<String> {
    let limits = line.limits.unwrap_or((line.extent.min, line.extent.max));
    let (least, most) = (limits.0.min(line.extent.min), limits.1.max(line.extent.max));
    let (low, high) = (least, most);
    let room = ((high - low) * 0.04).max(0.02);
    let (low, high) = (low - room, high + room);
    let steps = DOTS.0 as u32 * 2;
    let at = |i: u32| first + (last - first) * f64::from(i) / f64::from(steps);
    let mut canvas = Canvas::new(DOTS, (first, last), (low, high));
    // The dots are far apart, so that a limit does not look like a curve.
    let upper = line.has_upper_limit().then_some(limits.1);
    for limit in std::iter::once(limits.0).chain(upper) {
        (0..=steps / 12).for_each(|i| canvas.point(at(i * 12), limit));
    }
    let moments = (0..=steps).map(at).filter(|t| (line.curve.start()..=line.curve.end()).contains(t));
    let moments: Vec<f64> = moments.collect();
    for part in moments.split(|t| line.is_gap(*t, *t)) {
        canvas.line(part.iter().map(|t| (*t, line.curve.sample(*t))));
    }
    line.dots().iter().for_each(|key| canvas.point(key.time, key.value));
    let value = |v: f64| line.shown(v);
    let mut words = format!("{}  {}", line.joint, line.range(" … "));
    if line.muted {
        words.push_str("  muted");
    }
    words.extend(line.missing_joint_note().map(|why| format!("  {why}")));
    words.extend(line.excess().map(|excess| format!("  {}", excess.replace("the limits", "limits"))));
    let mut lines = vec![fit(&words, 1.0, 1e9).chars().take(CHART + LABEL).collect()];
    let rows = DOTS.1 / 4;
    for (i, row) in canvas.rows().enumerate() {
        // Each label is in the row of its value: the ends of the whole range, and limits inside it.
        let row_of = |v: f64| {
            let part = (high - v) / (high - low);
            ((part * DOTS.1 as f64 / 4.0) as usize).min(rows - 1)
        };
        let label = match i {
            0 => value(most),
            _ if i + 1 == rows => value(least),
            _ if row_of(limits.1) == i => value(limits.1),
            _ if row_of(limits.0) == i => value(limits.0),
            _ => String::new(),
        };
        lines.push(format!("{row} {label}").trim_end().to_owned());
    }
    let (from, to) = (format_number(first), format_number(last));
    let between = CHART.saturating_sub(from.chars().count() + to.chars().count());
    lines.push(format!("{from}{}{to}", " ".repeat(between)));
    lines.extend(line.gap());
    lines
}
