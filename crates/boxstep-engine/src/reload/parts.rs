//! Structure that changes while its behavior runs: links, curves, and the insides of boxes.
//!
//! Links change once no signal is under way, curves while the cursor rests, and the inside of a box while it is not
//! loaded; [`Control::RestartPart`](crate::config::Control::RestartPart) unloads it for that. Rules:
//! `docs/guides/reload.md`.

use super::{Reloaded, Reloads};
use crate::Engine;
use crate::behaviors::{BehaviorState, Behaviors};
use crate::config::BehaviorSource;
use crate::context::Cause;
use crate::graph::{Graph, InsideState};
use crate::ids::{BehaviorId, BoxId};
use crate::open::{Opening, check_ports};
use crate::procedures::ProcKind;
use crate::trace::ReloadPhase;
use boxstep_format::model::{Diagram, Timeline};
use boxstep_format::paths::{at_mut, find};
use boxstep_types::{BoxPath, Sources};
use std::collections::{BTreeMap, HashMap};
use std::mem::take;
use std::sync::Arc;

/// What differs inside a box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartChange {
    /// Links of its diagrams, between the same ports.
    pub links: bool,
    /// The curves, the size or the speed of its timeline.
    pub curves: bool,
    /// Boxes, ports, layers, keyframes or transitions: all that is inside is replaced.
    pub boxes: bool,
}

/// All that is inside.
pub(super) const BOXES: PartChange = PartChange { links: false, curves: false, boxes: true };

impl PartChange {
    /// Makes the inside of a box what it is in a new version, as far as this change goes.
    pub fn apply(self, inside: &mut Option<Timeline>, new: &Option<Timeline>) {
        let (Some(is), Some(new), false) = (&mut *inside, new, self.boxes) else {
            inside.clone_from(new);
            return;
        };
        if self.curves {
            let (layers, machine, span) = (take(&mut is.layers), is.machine.take(), is.span);
            *is = Timeline { layers, machine, span, ..new.clone() };
        }
        if self.links {
            let keyframes = is.layers.iter_mut().flat_map(|layer| &mut layer.keyframes);
            for (is, new) in keyframes.map(|keyframe| &mut keyframe.diagram).zip(diagrams(new)) {
                is.links.clone_from(&new.links);
            }
        }
    }

    /// Adds what waits of an earlier version. Whether boxes differ is told of each version anew.
    fn after(self, earlier: Self) -> Self {
        Self { links: self.links || earlier.links, curves: self.curves || earlier.curves, boxes: self.boxes }
    }
}

/// The inside of a box, from another version of its file.
#[derive(Clone, Debug, PartialEq)]
pub struct PartSource {
    /// The box around it.
    pub path: BoxPath,
    /// What differs; nothing if it is again as it was when a change waits.
    pub change: PartChange,
    /// The whole inside as it is now, with localized parameters in the run's language; `None` if the box has none.
    pub inside: Option<Timeline>,
    /// The texts to which its spans refer.
    pub sources: Arc<Sources>,
}

/// The changes of parts that wait.
#[derive(Default)]
pub(crate) struct PendingParts(pub(super) BTreeMap<BoxId, PendingPart>);

pub(super) struct PendingPart {
    pub(super) source: Arc<PartSource>,
    change: PartChange,
    /// Whether the trace has noted that it waits.
    traced: bool,
    /// Whether a restart of the part is asked for.
    pub(super) restart: bool,
}

impl PendingParts {
    pub(super) fn forget_box(&mut self, b: BoxId) {
        self.0.remove(&b);
    }
}

impl Reloads {
    /// Returns whether a part waits to be changed, or something is changed now.
    pub(crate) fn concern_parts(&self) -> bool {
        self.changing.is_some() || !self.parts.0.is_empty()
    }
}

impl Behaviors {
    /// Returns why the inside of a box cannot change while it runs, if there is a reason.
    pub(crate) fn refuses_part(&self, graph: &Graph, b: BoxId, part: &PartSource) -> Option<&'static str> {
        let driven = |b: &BoxId| {
            let inside = graph.boxes[b.index()].inside.as_deref();
            inside.is_some_and(|inside| inside.drives.is_some() || inside.driven_by.is_some())
        };
        if graph.boxes[b.index()].made.is_some() {
            return Some("the box has become a part of another one");
        }
        if part.change.boxes && (driven(&b) || self.inner_boxes(graph, b).iter().any(driven)) {
            return Some("a script drives its states");
        }
        let boxes = part.inside.iter().flat_map(diagrams).flat_map(|diagram| &diagram.boxes);
        check_ports(boxes.collect()).is_err().then_some("a box has too many ports")
    }

    /// Returns the boxes inside a box, in the order of their creation.
    pub(super) fn inner_boxes(&self, graph: &Graph, b: BoxId) -> Vec<BoxId> {
        let all = &self.all[graph.boxes[b.index()].behavior.index()].boxes;
        all.iter().copied().filter(|inner| *inner != b && graph.ancestors(*inner).any(|a| a == b)).collect()
    }
}

fn diagrams(inside: &Timeline) -> impl Iterator<Item = &Diagram> {
    inside.layers.iter().flat_map(|layer| &layer.keyframes).map(|keyframe| &keyframe.diagram)
}

impl Engine {
    /// Takes note of another version of the inside of a box; one without changes withdraws what waits.
    pub(crate) fn new_part(&mut self, b: BoxId, source: Arc<PartSource>) {
        let before = self.scripts.reloads.parts.0.remove(&b);
        if source.change == PartChange::default() {
            if before.is_some() {
                let text = "its inside is again as it was";
                self.cx.trace_reload(self.graph.path_of(b), ReloadPhase::Withdrawn, text.to_owned(), None);
            }
            return;
        }
        let change = before.as_ref().map_or(source.change, |before| source.change.after(before.change));
        let restart = before.is_some_and(|before| before.restart);
        self.scripts.reloads.parts.0.insert(b, PendingPart { source, change, traced: false, restart });
    }

    /// Returns the boxes whose inside is to be replaced, and whether that waits for the end of what is loaded there.
    pub fn pending_parts(&self) -> Vec<(BoxPath, bool)> {
        let pending = self.scripts.reloads.parts.0.iter().filter(|(_, pending)| pending.change.boxes);
        pending.map(|(b, pending)| (pending.source.path.clone(), !self.inside_is_free(*b))).collect()
    }

    /// Has a part that waits restarted.
    pub(crate) fn restart_part(&mut self, b: BoxId) {
        if let Some(pending) = self.scripts.reloads.parts.0.get_mut(&b) {
            pending.restart = true;
        }
    }

    /// Changes what can change now. Returns the procedure that replaces the inside of a box, to be begun. Called when
    /// there is no other work, so that no signal is under way.
    pub(crate) fn next_part(&mut self) -> Option<ProcKind> {
        if self.scripts.reloads.busy || self.end.has_begun() {
            return None;
        }
        let waiting: Vec<BoxId> = self.scripts.reloads.parts.0.keys().copied().collect();
        for b in waiting {
            self.cx.begin(Cause::OUTSIDE);
            if let Some(replacement) = self.change_part(b) {
                return Some(replacement);
            }
        }
        None
    }

    /// Changes of a part what can change now, and traces what waits.
    fn change_part(&mut self, b: BoxId) -> Option<ProcKind> {
        let pending = self.scripts.reloads.parts.0.get(&b)?;
        let (source, mut change, restart) = (pending.source.clone(), pending.change, pending.restart);
        let of = self.graph.boxes[b.index()].behavior;
        let restarts = restart && self.behaviors.all[of.index()].state == BehaviorState::Running;
        if restarts || (change.boxes && self.inside_is_free(b)) {
            return self.replacement(b);
        }
        if !change.boxes {
            if change.links && !self.relink(b, &source) {
                self.scripts.reloads.parts.0.remove(&b);
                let text = "its links are of other boxes than it has".to_owned();
                self.cx.trace_reload(self.graph.path_of(b), ReloadPhase::NotTaken, text, None);
                return None;
            }
            change.links = false;
            let rests = self.graph.boxes[b.index()].inside.as_ref().is_none_or(|inside| inside.timeline.rests());
            if change.curves && rests {
                self.exchange_curves(b, &source);
                change.curves = false;
            }
            if change == PartChange::default() {
                self.scripts.reloads.parts.0.remove(&b);
                let text = match (source.change.links, source.change.curves) {
                    (true, true) => "has its new links and curves",
                    (true, false) => "has its new links",
                    _ => "has its new curves",
                };
                self.part_taken(b, text);
                return None;
            }
        }
        let pending = self.scripts.reloads.parts.0.get_mut(&b)?;
        pending.change = change;
        if !std::mem::replace(&mut pending.traced, true) {
            let text = match change.boxes {
                true => "what is new inside counts when it is loaded next",
                false => "its new curves wait until the timeline rests",
            };
            self.cx.trace_reload(self.graph.path_of(b), ReloadPhase::Waiting, text.to_owned(), None);
        }
        None
    }

    /// Traces that a part has changed, and notifies the listener.
    pub(super) fn part_taken(&mut self, b: BoxId, text: &str) {
        let path = self.graph.path_of(b);
        self.cx.trace_reload(path, ReloadPhase::Taken, text.to_owned(), None);
        if let (Some(listener), Some(path)) = (&self.scripts.reloads.listener, self.cx.paths.get(path)) {
            listener(Reloaded::Part(&path));
        }
    }

    /// Replaces the inside of a box that is about to be loaded, if a new one waits for that.
    pub(crate) fn replace_before_load(&mut self, b: BoxId) -> Option<ProcKind> {
        let waits = self.scripts.reloads.parts.0.get(&b).is_some_and(|pending| pending.change.boxes);
        if !waits || self.scripts.reloads.busy || self.end.has_begun() || !self.inside_is_free(b) {
            return None;
        }
        self.replacement(b)
    }

    /// Returns whether nothing is loaded, loading or running inside a box.
    fn inside_is_free(&self, b: BoxId) -> bool {
        let node = &self.graph.boxes[b.index()];
        let unloaded = node.inside.as_ref().is_none_or(|inside| {
            inside.state == InsideState::Unloaded && inside.owner.is_none() && inside.waiting.is_empty()
        });
        unloaded
            && matches!(self.behaviors.all[node.behavior.index()].state, BehaviorState::Running | BehaviorState::Closed)
            && !self.runs_inside(&self.behaviors.inner_boxes(&self.graph, b))
    }

    /// Returns whether scripts of these boxes run or wait.
    fn runs_inside(&self, inner: &[BoxId]) -> bool {
        let of_them = |b: BoxId| inner.binary_search(&b).is_ok();
        self.tasks.iter().any(|(_, task)| task.place.is_some_and(of_them) && !task.abandoned)
    }

    /// Applies a change to the model that the box's behavior has. Returns the behavior's source with it.
    pub(super) fn graft(&mut self, b: BoxId, part: &PartSource, change: PartChange) -> Option<BehaviorSource> {
        let of = self.graph.boxes[b.index()].behavior;
        let source = &mut self.behaviors.all[of.index()].source;
        let trail = find(&source.project, &part.path).ok()?.trail;
        change.apply(&mut at_mut(Arc::make_mut(&mut source.project), &trail)?.timeline, &part.inside);
        Some(BehaviorSource { sources: part.sources.clone(), ..source.clone() })
    }

    /// Sets the links of the diagrams inside a box. Returns false if they do not fit its boxes.
    fn relink(&mut self, b: BoxId, part: &PartSource) -> bool {
        let links = PartChange { links: true, ..PartChange::default() };
        let Some(source) = self.graft(b, part, links) else { return false };
        let project = source.project.clone();
        let Ok(at) = find(&project, &part.path) else { return false };
        let of = self.graph.boxes[b.index()].behavior;
        self.opening(of, &source, |opening| opening.links_anew(b, at.def))
    }

    fn exchange_curves(&mut self, b: BoxId, part: &PartSource) {
        let curves = PartChange { curves: true, ..PartChange::default() };
        let _ = self.graft(b, part, curves);
        if let (Some(inside), Some(new)) = (&mut self.graph.boxes[b.index()].inside, &part.inside) {
            for problem in inside.timeline.exchange(new) {
                self.cx.warn(self.graph.path_of(b), problem);
            }
        }
    }

    /// Creates boxes and links of a behavior that is open.
    pub(super) fn opening<'a, T>(
        &'a mut self,
        of: BehaviorId,
        source: &'a BehaviorSource,
        make: impl FnOnce(&mut Opening<'a>) -> T,
    ) -> T {
        let own = self.behaviors.all[of.index()].natives.take();
        let (natives, kinds) = (BTreeMap::new(), HashMap::new());
        let mut opening = Opening { engine: self, source, own, behavior: of, natives, kinds };
        let made = make(&mut opening);
        let Opening { engine, own, natives, .. } = opening;
        engine.fast_path.add(&engine.graph.boxes, natives);
        engine.behaviors.all[of.index()].natives = own;
        made
    }
}
