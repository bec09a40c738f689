//! Boxes that no signal can reach, and names and ids inside a diagram.

use super::{Here, repeats};
use crate::codes;
use boxstep_format::model::{BoxDef, InputNature};
use boxstep_format::paths::{DiagramAt, segments};
use boxstep_format::resolve::{End, resolve};
use boxstep_types::Diagnostic;

pub(super) fn check(here: &mut Here<'_>, at: &DiagramAt<'_>) {
    let diagram = at.diagram;
    for (first, again) in repeats(&diagram.boxes, |b| &b.name) {
        let message = format!("a second box called \"{}\"; paths tell them apart by id", again.name);
        let finding = Diagnostic::note(codes::SHARED_NAME, message);
        let first = here.tag(first.span);
        here.tell(finding.with_note(Some(first), "the first one"), again.span);
    }
    for b in diagram.boxes.iter().filter(|b| b.id == 0) {
        let message = format!("the box \"{}\" has the id 0, so no link can reach it", b.name);
        here.tell(Diagnostic::error(codes::ZERO_ID, message), b.span);
    }
    let reached = reached(here.at.def, at);
    for ((b, segment), reached) in diagram.boxes.iter().zip(segments(diagram)).zip(reached) {
        if !reached {
            let finding =
                Diagnostic::warning(codes::UNREACHABLE_BOX, format!("no signal reaches the box \"{}\"", b.name));
            let finding = finding.help("it is loaded with its diagram, but nothing starts it");
            let span = here.tag(b.span);
            here.found.push(finding.at(span).in_box(at.path.join(segment)));
        }
    }
}

/// Signals come in through the parent's inputs, and from boxes that wait for nobody.
fn reached(parent: &BoxDef, at: &DiagramAt<'_>) -> Vec<bool> {
    let boxes = &at.diagram.boxes;
    let mut reached: Vec<bool> = boxes.iter().map(starts_itself).collect();
    let mut leads_to: Vec<Vec<usize>> = vec![Vec::new(); boxes.len()];
    for route in resolve(parent, at.diagram).into_iter().flatten() {
        match (route.from, route.to) {
            (End::Parent(_), End::Box(to, _)) => reached[to] = true,
            (End::Box(from, _), End::Box(to, _)) => leads_to[from].push(to),
            _ => {}
        }
    }
    let mut waiting: Vec<usize> = (0..boxes.len()).filter(|&i| reached[i]).collect();
    while let Some(from) = waiting.pop() {
        for &to in &leads_to[from] {
            if !std::mem::replace(&mut reached[to], true) {
                waiting.push(to);
            }
        }
    }
    reached
}

/// A box without an input to link to is a source of signals: its script works from `onLoad`.
fn starts_itself(def: &BoxDef) -> bool {
    !def.inputs.iter().any(|i| !i.inner && matches!(i.nature, InputNature::OnStart | InputNature::OnEvent))
}
