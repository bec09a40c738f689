//! Checks for boxes that a link stops, but whose onStopped is never stimulated.
//!
//! An onStop unloads the contents of a flow diagram box and stimulates no output (`docs/reference/semantics/lifecycle.md`). The
//! box's onStopped can be stimulated only by a script, by a box inside, or because a resource is not granted or is
//! lost.

use super::reach::Reach;
use super::{Here, python_script};
use crate::codes;
use boxstep_format::model::{BoxDef, InputNature, OutputNature};
use boxstep_format::paths::{self, DiagramAt, segments};
use boxstep_format::resolve::{End, PortRef, resolve};
use boxstep_types::{BoxPath, Diagnostic};
use std::collections::HashSet;

/// Reports the boxes of a diagram whose onStop and onStopped are linked, although nothing stimulates the onStopped.
pub(super) fn check(here: &mut Here<'_>, at: &DiagramAt<'_>, reach: &Reach<'_>) {
    let boxes = &at.diagram.boxes;
    let (mut stopped, mut linked) = (HashSet::new(), HashSet::new());
    for route in resolve(here.at.def, at.diagram).into_iter().flatten() {
        if let End::Box(to, PortRef::Input(i)) = route.to
            && boxes[to].inputs[i].nature == InputNature::OnStop
        {
            stopped.insert(to);
        }
        if let End::Box(from, PortRef::Output(o)) = route.from
            && boxes[from].outputs[o].nature == OutputNature::OnStopped
        {
            linked.insert((from, o));
        }
    }
    for (index, (def, segment)) in boxes.iter().zip(segments(at.diagram)).enumerate() {
        if !stopped.contains(&index) || !cannot_stimulate_outputs(def) {
            continue;
        }
        let path = at.path.join(segment);
        let stimulated = from_inside(def, &path, reach);
        for (o, output) in def.outputs.iter().enumerate() {
            if !linked.contains(&(index, o)) || stimulated.contains(&o) {
                continue;
            }
            let (name, output) = (&def.name, &output.name);
            let message = format!("\"{name}\" is stopped by a link, and nothing stimulates its output \"{output}\"");
            let help = "an onStop unloads what is inside and puts nothing out: link what follows to whatever stops the box, \
                        or give the box a script that calls the output";
            let span = here.tag(def.span);
            let finding = Diagnostic::note(codes::SILENT_STOP, message).help(help);
            here.found.push(finding.at(span).in_box(path.clone()));
        }
    }
}

/// Returns true for a flow diagram box that cannot stimulate an onStopped itself: it has neither a script, nor a
/// dialog, nor resources.
fn cannot_stimulate_outputs(def: &BoxDef) -> bool {
    let flow = def.timeline.as_ref().is_some_and(|t| !t.enabled || t.fps.is_some_and(|fps| fps <= 0));
    flow && python_script(def).is_none() && def.dialog_file.is_none() && def.resources.is_empty()
}

/// Returns the outputs of a box that something inside it may stimulate, other than its own onStop.
fn from_inside(def: &BoxDef, path: &BoxPath, reach: &Reach<'_>) -> HashSet<usize> {
    let muted: Vec<bool> = def.timeline.iter().flat_map(|t| &t.layers).map(|l| l.mute).collect();
    let mut found = HashSet::new();
    for d in paths::diagrams(path, def).iter().filter(|d| !muted[d.layer]) {
        let names = segments(d.diagram);
        for route in resolve(def, d.diagram).into_iter().flatten() {
            let End::Parent(PortRef::Output(output)) = route.to else { continue };
            let comes = match route.from {
                End::Parent(PortRef::Input(i)) => def.inputs[i].nature != InputNature::OnStop,
                End::Parent(_) => true,
                End::Box(from, _) => reach.may_work(&d.diagram.boxes[from], &d.path.join(names[from].clone())),
            };
            if comes {
                found.insert(output);
            }
        }
    }
    found
}
