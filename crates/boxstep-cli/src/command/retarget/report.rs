//! What `boxstep retarget` says about its result.

use super::Done;
use crate::output;
use crate::terminal::Reader;
use boxstep_bodies::Body;
use boxstep_dynamics::retarget::{Quantity, Row};
use boxstep_format::XarFile;
use boxstep_types::Diagnostic;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

pub(super) struct Report<'a> {
    pub(super) from: &'static Body,
    /// How it is known that the timelines were drawn for that body.
    pub(super) why: &'a str,
    pub(super) to: &'static Body,
    pub(super) done: &'a [Done],
    pub(super) new: &'a XarFile,
    pub(super) findings: &'a [Diagnostic],
    pub(super) output: &'a Path,
}

impl Report<'_> {
    pub(super) fn text(&self) -> io::Result<()> {
        let mut out = output::stdout();
        writeln!(out, "from {} ({}) to {}", self.from.name, self.why, self.to.name)?;
        for done in self.done {
            self.timeline(&mut out, done)?;
        }
        writeln!(out)?;
        let shown = self.output.to_string_lossy();
        for finding in self.findings {
            writeln!(out, "{}\n", boxstep_check::render_in(finding, &self.new.sources, &shown, true))?;
        }
        writeln!(out, "wrote {shown}")?;
        out.flush()
    }

    fn timeline(&self, out: &mut impl Write, done: &Done) -> io::Result<()> {
        let result = &done.result;
        writeln!(out, "\n{}", done.path)?;
        let width = result.rows.iter().map(|row| row.what.len()).max().unwrap_or(0).max("joint".len());
        if !result.rows.is_empty() {
            writeln!(out, "  {:width$}  {:>5}  {:>13}  {:>6}", "joint", "keys", "largest error", "slower")?;
        }
        for row in &result.rows {
            let slower = if row.slower > 1.0 { format!("{:.2} ×", row.slower) } else { String::new() };
            let line =
                format!("  {:width$}  {:>5}  {:>13}  {slower:>6}{}", row.what, row.keys.len(), error(row), from(row));
            writeln!(out, "{}", line.trim_end())?;
        }
        for stretch in &result.stretches {
            let ((a, b), (new_a, new_b)) = (stretch.old, stretch.new);
            let factor = stretch.factor();
            writeln!(
                out,
                "  frames {a} to {b} are {new_a} to {new_b}, {factor:.2} times slower: {} turns no faster",
                stretch.joint
            )?;
        }
        if !result.left_out.is_empty() {
            writeln!(out, "  left out, nothing corresponds: {}", result.left_out.join(", "))?;
        }
        if !result.upright.is_empty() {
            let curves = result.upright.join(", ");
            writeln!(out, "  the torso stays upright, as {} stands anyway, without {curves}", self.to.name)?;
        }
        if let Some(frame) = result.seated {
            writeln!(
                out,
                "  at frame {frame} {} does not stand on its feet; {} stays upright there",
                self.from.name, self.to.name
            )?;
        }
        if !done.goes.is_empty() {
            writeln!(out, "  frames have moved, and scripts may go to them by number: {}", done.goes.join(", "))?;
        }
        Ok(())
    }

    pub(super) fn json(&self) -> io::Result<()> {
        let mut out = output::stdout_for(Reader::Json);
        let shown = self.output.to_string_lossy();
        let findings = self.findings.iter().map(|f| boxstep_check::to_json(f, &self.new.sources, &shown));
        let object = json!({
            "from": self.from.name,
            "from_because": self.why,
            "to": self.to.name,
            "output": shown,
            "timelines": self.done.iter().map(timeline).collect::<Vec<_>>(),
            "findings": findings.collect::<Vec<_>>(),
        });
        writeln!(out, "{object}")?;
        out.flush()
    }
}

/// Returns the largest error of a row in the units that people use.
fn error(row: &Row) -> String {
    match row.quantity {
        Quantity::Angle => format!("{:.1}°", row.error().to_degrees()),
        Quantity::Hand => format!("{:.0} %", 100.0 * row.error()),
        Quantity::Distance => format!("{:.0} mm", 1000.0 * row.error()),
    }
}

/// Returns the curves from which a row comes, if they have other names.
fn from(row: &Row) -> String {
    let others: Vec<&str> = row.from.iter().map(String::as_str).filter(|name| *name != row.what).collect();
    if others.is_empty() { String::new() } else { format!("  from {}", others.join(", ")) }
}

fn timeline(done: &Done) -> Value {
    let result = &done.result;
    let rows = result.rows.iter().map(|row| {
        let (unit, scale) = match row.quantity {
            Quantity::Angle => ("degree", 1.0_f64.to_degrees()),
            Quantity::Hand => ("opening", 1.0),
            Quantity::Distance => ("metre", 1.0),
        };
        let rounded = |value: f64| (value * scale * 1e6).round() / 1e6;
        let keys = row.keys.iter().map(|key| {
            json!({ "frame": key.old, "new_frame": key.new, "wanted": rounded(key.wanted), "given": rounded(key.given) })
        });
        json!({
            "joint": row.what,
            "from": row.from,
            "unit": unit,
            "largest_error": rounded(row.error()),
            "slower": row.slower,
            "keys": keys.collect::<Vec<_>>(),
        })
    });
    let stretched = result.stretches.iter().map(|stretch| {
        json!({
            "frames": [stretch.old.0, stretch.old.1],
            "new_frames": [stretch.new.0, stretch.new.1],
            "slower": stretch.factor(),
            "joint": stretch.joint,
        })
    });
    json!({
        "box": done.path,
        "fps": done.fps,
        "joints": rows.collect::<Vec<_>>(),
        "stretched": stretched.collect::<Vec<_>>(),
        "left_out": result.left_out.iter().map(|name| &**name).collect::<Vec<_>>(),
        "upright": result.upright.iter().map(|name| &**name).collect::<Vec<_>>(),
        "not_standing_at": result.seated,
        "scripts_that_go_to_frames": done.goes,
    })
}
