//! Checks for repeated names, and for an id with another meaning.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::Diagram;
use boxstep_types::{Diagnostic, Span};

/// Checks the names of a box's ports and parameters.
pub(super) fn check(here: &mut Here<'_>) {
    let def = here.at.def;
    for (_, again) in repeats(&def.inputs, |p| &p.name) {
        shared_port(here, "input", &again.name, again.span);
    }
    for (_, again) in repeats(&def.outputs, |p| &p.name) {
        shared_port(here, "output", &again.name, again.span);
    }
    for (_, again) in repeats(&def.parameters, |p| &p.name) {
        shared_port(here, "parameter", &again.name, again.span);
    }
}

fn shared_port(here: &mut Here<'_>, kind: &str, name: &str, span: Span) {
    let message = format!("a second {kind} called \"{name}\"; scripts reach only one of them by name");
    here.report(Diagnostic::warning(codes::SHARED_PORT_NAME, message), span);
}

/// Checks the boxes of a diagram. Repeated ids are reported by the reader.
pub(super) fn diagram(here: &mut Here<'_>, diagram: &Diagram) {
    for (first, again) in repeats(&diagram.boxes, |b| &b.name) {
        let message = format!("a second box called \"{}\"; paths tell them apart by id", again.name);
        let finding = Diagnostic::note(codes::SHARED_NAME, message);
        let first = here.tag(first.span);
        here.report(finding.with_note(Some(first), "the first one"), again.span);
    }
    for b in diagram.boxes.iter().filter(|b| b.id == 0) {
        let message = format!("the box \"{}\" has the id 0, so no link can reach it", b.name);
        here.report(Diagnostic::error(codes::ZERO_ID, message), b.span);
    }
}
