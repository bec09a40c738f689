//! Checks for boxes that no signal can reach.
//!
//! Signals enter a diagram through stimulated inputs of the containing box (except onStop, which does not pass into the
//! box), and from boxes that start by themselves. Boxes inside an unreachable box are not reported again.

use super::{Here, python_script};
use crate::codes;
use crate::scripts::{Reading, Scripts};
use boxstep_format::XarFile;
use boxstep_format::model::{BoxDef, Diagram, InputNature};
use boxstep_format::paths::{self, DiagramAt, segments};
use boxstep_format::resolve::{End, PortRef, resolve};
use boxstep_types::{BoxPath, Diagnostic};
use std::collections::HashSet;

/// The boxes and inputs of a file that signals reach.
pub(super) struct Reach<'a> {
    scripts: Option<&'a Scripts>,
    /// The boxes that are not reached, including those inside them.
    idle: HashSet<BoxPath>,
    /// The inputs that nothing stimulates, each with its box.
    quiet: HashSet<(BoxPath, usize)>,
}

impl<'a> Reach<'a> {
    pub(super) fn new(file: &XarFile, scripts: Option<&'a Scripts>) -> Self {
        let mut reach = Self { scripts, idle: HashSet::new(), quiet: HashSet::new() };
        for at in paths::boxes(&file.project) {
            let inside_idle = reach.idle.contains(&at.path);
            for d in paths::diagrams(&at.path, at.def) {
                let reached = reach.reached(&at.path, at.def, d.diagram);
                for ((b, segment), (reached, inputs)) in d.diagram.boxes.iter().zip(segments(d.diagram)).zip(reached) {
                    let path = d.path.join(segment);
                    for (i, input) in b.inputs.iter().enumerate() {
                        if !input.inner && !inputs.contains(&i) && b.script.is_none() {
                            reach.quiet.insert((path.clone(), i));
                        }
                    }
                    if inside_idle || !reached {
                        reach.idle.insert(path);
                    }
                }
            }
        }
        reach
    }

    /// Reports the boxes of a diagram that are not reached, unless the containing box is not reached either.
    pub(super) fn check(&self, here: &mut Here<'_>, at: &DiagramAt<'_>) {
        let muted = here.at.def.timeline.as_ref().and_then(|t| t.layers.get(at.layer)).is_some_and(|l| l.mute);
        if muted || self.idle.contains(&here.at.path) {
            return;
        }
        for (b, segment) in at.diagram.boxes.iter().zip(segments(at.diagram)) {
            let path = at.path.join(segment);
            if self.idle.contains(&path) {
                let message = format!("no signal reaches the box \"{}\"", b.name);
                let finding = Diagnostic::warning(codes::UNREACHABLE_BOX, message);
                let finding = finding.help("it is loaded with its diagram, but nothing starts it");
                let span = here.tag(b.span);
                here.found.push(finding.at(span).in_box(path));
            }
        }
    }

    /// Returns for each box of a diagram whether it is reached, and which of its inputs are.
    fn reached(&self, path: &BoxPath, parent: &BoxDef, diagram: &Diagram) -> Vec<(bool, HashSet<usize>)> {
        let boxes = &diagram.boxes;
        let mut reached: Vec<_> = boxes.iter().map(|b| (self.starts_itself(b), HashSet::new())).collect();
        let mut leads_to: Vec<Vec<(usize, PortRef)>> = vec![Vec::new(); boxes.len()];
        let mut arrivals = Vec::new();
        for route in resolve(parent, diagram).into_iter().flatten() {
            match (route.from, route.to) {
                (End::Parent(PortRef::Input(i)), End::Box(to, port)) => {
                    let stop = parent.inputs[i].nature == InputNature::OnStop;
                    if !stop && !self.quiet.contains(&(path.clone(), i)) {
                        arrivals.push((to, port));
                    }
                }
                (End::Box(from, _), End::Box(to, port)) => leads_to[from].push((to, port)),
                _ => {}
            }
        }
        let sources = reached.iter().enumerate().filter(|(_, r)| r.0).map(|(i, _)| i);
        arrivals.extend(sources.flat_map(|i| leads_to[i].iter().copied()));
        while let Some((to, port)) = arrivals.pop() {
            let entry = &mut reached[to];
            if let PortRef::Input(i) = port {
                entry.1.insert(i);
                if !std::mem::replace(&mut entry.0, true) {
                    arrivals.extend(leads_to[to].iter().copied());
                }
            }
        }
        reached
    }

    /// Returns true if a box may stimulate an output. A box whose script was not parsed may.
    pub(super) fn may_work(&self, def: &BoxDef, path: &BoxPath) -> bool {
        let read = |text: &str| matches!(self.scripts.and_then(|s| s.reading(text)), Some(Reading::Read { .. }));
        !self.idle.contains(path) || python_script(def).is_some_and(|s| !read(&s.text))
    }

    /// Returns true for a box without an input that links can start, or one whose script already works in `onLoad`.
    fn starts_itself(&self, def: &BoxDef) -> bool {
        let at_load = || match self.scripts.and_then(|s| s.reading(&def.script.as_ref()?.text)) {
            Some(Reading::Read { facts, .. }) => facts.at_load,
            _ => false,
        };
        let waits = |i: &boxstep_format::model::Input| {
            !i.inner && matches!(i.nature, InputNature::OnStart | InputNature::OnEvent)
        };
        !def.inputs.iter().any(waits) || at_load()
    }
}
