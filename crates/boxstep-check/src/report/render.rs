//! Diagnostics as text for users, with the line of the file and the place underlined.

use annotate_snippets::{AnnotationKind, Element, Level, Origin, Renderer, Snippet};
use boxstep_types::{Diagnostic, Severity, Sources, Span};

/// The width of the output in columns; the renderer cuts wider lines around the place.
const WIDTH: usize = 160;

/// The maximum length in bytes of a line that is given to the renderer. Some files are one line of several megabytes.
const LONGEST: usize = 4_000;

/// Formats a diagnostic as several lines, without a final line end. `color` adds terminal styles.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    render_in(diagnostic, sources, "", color)
}

/// Like [`render()`]; a diagnostic without a span also shows `file`, unless its message contains it.
pub fn render_in(diagnostic: &Diagnostic, sources: &Sources, file: &str, color: bool) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let code = diagnostic.code.to_string();
    let mut elements: Vec<Element<'_>> = Vec::new();
    if let Some(span) = diagnostic.span {
        place(&mut elements, span, sources, None);
    } else if !file.is_empty() && !diagnostic.message.contains(file) {
        elements.push(Origin::path(file).into());
    }
    for note in &diagnostic.notes {
        match note.span {
            Some(span) => place(&mut elements, span, sources, Some(&note.message)),
            None => elements.push(Level::NOTE.message(note.message.as_str()).into()),
        }
    }
    if let Some(path) = &diagnostic.path {
        elements.push(Level::INFO.with_name("box").message(path.to_string()).into());
    }
    if let Some(help) = &diagnostic.help {
        elements.push(Level::HELP.message(help.as_str()).into());
    }
    let title = level.primary_title(diagnostic.message.as_str()).id(code.as_str());
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(WIDTH).render(&[title.elements(elements)])
}

/// Adds the first line of a span. With a label, it is shown as context of another place.
fn place<'a>(elements: &mut Vec<Element<'a>>, span: Span, sources: &'a Sources, label: Option<&'a str>) {
    let text = sources.text(span.file);
    let at = sources.line_col(span.file, span.start);
    let range = sources.line_range(span.file, span.start);
    let line = text.get(range.clone()).unwrap_or("");
    // Only the first line of the place is marked.
    let start = (span.start as usize).min(text.len()).saturating_sub(range.start);
    let end = (span.end as usize).saturating_sub(range.start).clamp(start, line.len().max(start));
    let kind = if label.is_some() { AnnotationKind::Context } else { AnnotationKind::Primary };
    if line.len() <= LONGEST {
        let line = line.split('\r').next().unwrap_or("");
        let (start, end) = (start.min(line.len()), end.min(line.len()));
        let snippet = Snippet::source(line).line_start(at.line as usize).path(sources.name(span.file));
        elements.push(snippet.annotation(kind.span(start..end).label(label)).into());
        return;
    }
    // The renderer would show the column within the part, so the real position is added separately.
    let start = start.min(line.len());
    let from = line.floor_char_boundary(start.saturating_sub(WIDTH / 4));
    let to = line.ceil_char_boundary(end.clamp(from + WIDTH / 2, from + WIDTH).min(line.len()));
    // If carriage returns alone end lines, only the line with the place is shown.
    let start = line.floor_char_boundary(start);
    let before = line.get(from..start).and_then(|text| text.rfind('\r'));
    let behind = line.get(start..to).and_then(|text| text.find('\r'));
    let (from, to) = (before.map_or(from, |at| from + at + 1), behind.map_or(to, |at| start + at));
    let part = line.get(from..to).unwrap_or("");
    let marked = start.saturating_sub(from).min(part.len())..end.saturating_sub(from).min(part.len());
    let origin = Origin::path(sources.name(span.file)).line(at.line as usize).char_column(at.col as usize);
    elements.push(origin.into());
    let snippet = Snippet::source(part).line_start(at.line as usize).path(None::<&str>);
    elements.push(snippet.annotation(kind.span(marked).label(label)).into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_types::{BoxPath, Code};

    const CODE: Code = Code::new(600, "dangling-link");

    fn at(sources: &mut Sources, text: &str, what: &str) -> Span {
        let file = sources.add("a.xar", text);
        let start = text.find(what).unwrap() as u32;
        Span { file, start, end: start + what.len() as u32 }
    }

    #[test]
    fn the_line_the_place_the_box_and_the_help() {
        let mut sources = Sources::new();
        let span = at(&mut sources, "<a>\n  <Link x='é'/>\n</a>\n", "<Link x='é'/>");
        let d =
            Diagnostic::error(CODE, "the link ends nowhere").at(span).in_box(BoxPath::root("root")).help("remove it");
        let want = "\
error[BS0600]: the link ends nowhere
 --> a.xar:2:3
  |
2 |   <Link x='é'/>
  |   ^^^^^^^^^^^^^
  |
  = box: root
  = help: remove it";
        assert_eq!(render(&d, &sources, false), want);
        assert!(render(&d, &sources, true).contains("\u{1b}["));
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let mut sources = Sources::new();
        let text = format!("{}<Link/>{}", "é".repeat(5_000), "x".repeat(100_000));
        let span = at(&mut sources, &text, "<Link/>");
        let shown = render(&Diagnostic::error(CODE, "no"), &sources, false);
        assert_eq!(shown, "error[BS0600]: no");
        let shown = render(&Diagnostic::error(CODE, "no").at(span), &sources, false);
        assert!(shown.contains("a.xar:1:5001") && shown.contains("<Link/>") && shown.len() < 900, "{shown}");
    }

    #[test]
    fn a_finding_without_a_place_names_its_file_once() {
        let sources = Sources::new();
        let d = Diagnostic::error(CODE, "nothing in it").help("add something");
        let want = "error[BS0600]: nothing in it\n--> a.pml\n = help: add something";
        assert_eq!(render_in(&d, &sources, "a.pml", false), want);
        let d = Diagnostic::error(CODE, "a.crg: cut off");
        assert_eq!(render_in(&d, &sources, "a.crg", false), "error[BS0600]: a.crg: cut off");
    }

    #[test]
    fn places_outside_the_text_are_shown_as_well_as_can_be() {
        let mut sources = Sources::new();
        let span = at(&mut sources, "ab\ncd", "d");
        for (start, end) in [(0, 5), (5, 5), (4, 900), (900, 901), (2, 2), (3, 1)] {
            let shown = render(&Diagnostic::error(CODE, "no").at(Span { start, end, ..span }), &sources, false);
            assert!(shown.starts_with("error[BS0600]: no\n"), "{shown}");
        }
        let other = Span { file: boxstep_types::FileId(7), start: 1, end: 2 };
        render(&Diagnostic::error(CODE, "no").at(other), &sources, false);
    }
}
