//! `boxstep plot`

use super::show::{body_of, level};
use crate::args::{PlotArgs, PlotFormat};
use crate::failure::Failure;
use crate::terminal::Reader;
use crate::{exit, open, output, plot_data};
use boxstep_api::play::fit_curves;
use boxstep_draw::plot::Plot;
use std::io::Write as _;

/// Plots the curves of a behavior.
pub(crate) fn run(args: &PlotArgs) -> Result<i32, Failure> {
    let format = output::format(args.format, &args.output, ENDINGS, PlotFormat::Text)?;
    let mut chosen = open::behavior(&args.file, args.behavior.as_deref())?;
    let body = body_of(&chosen, &args.file, args.body.as_deref())?;
    let unnamed = fit_curves(&mut chosen.file.project, body);
    let level = level(&chosen, args.level.as_deref())?;
    let plot = Plot::new(&chosen.file.project, &level, body, &args.joints);
    let plot = plot.map_err(|e| Failure::Usage(format!("{}: {e}", args.file.display())))?;
    let text = match format {
        PlotFormat::Text => plot.text(columns()),
        PlotFormat::Svg => plot.svg(&chosen.name),
        PlotFormat::Html => plot.html(&chosen.name),
    };
    output::write(&args.output, &text, format.reader())?;
    if let Some(note) = plot_data::unnamed_note(&unnamed, body) {
        writeln!(crate::terminal::stderr(), "note: {note}")?;
    }
    Ok(exit::OK)
}

const ENDINGS: &[(&str, PlotFormat)] =
    &[("txt", PlotFormat::Text), ("svg", PlotFormat::Svg), ("html", PlotFormat::Html), ("htm", PlotFormat::Html)];

/// Returns the width of the terminal in columns, or a default if there is no terminal.
fn columns() -> usize {
    const PLAIN: usize = 100;
    match terminal_size::terminal_size() {
        Some((width, _)) => width.0.into(),
        None => std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(PLAIN),
    }
}

impl PlotFormat {
    /// Returns the kind of reader of this format.
    fn reader(self) -> Reader {
        if self == PlotFormat::Text { Reader::People } else { Reader::Program }
    }
}
