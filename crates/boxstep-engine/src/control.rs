//! Controls from outside: events, stimulations, parameters, stops.

use crate::Engine;
use crate::behaviors::Behaviors;
use crate::config::{BehaviorSource, Control};
use crate::context::{Acts as _, Cause, Context};
use crate::event_loop::Work;
use crate::follow_up::FollowUp;
use crate::graph::Graph;
use crate::ids::{BehaviorId, BoxId};
use crate::trace::{self, DropReason, EndReason, Kind, PathId, ReloadPhase};
use boxstep_types::{BoxPath, Diagnostic, Value};

impl Graph {
    /// Stimulates an input or output of a box by name. Returns false if the box has none of that name.
    pub(crate) fn stimulate(&self, cx: &mut Context, b: BoxId, port: &str, value: Value) -> bool {
        let node = &self.boxes[b.index()];
        let (life, cause) = (node.life.generation(), cx.cause());
        if let Some(input) = node.input(port) {
            if node.life.in_scope() {
                cx.push(Work::Input { to: b, input: input as u16, life, cause, value });
            } else {
                let (path, port) = (node.path, node.kind.inputs[input].id);
                cx.note(path, Kind::Dropped { port, value, why: DropReason::BoxNotLoaded });
            }
            return true;
        }
        if let Some(output) = node.output(port) {
            cx.push(Work::Output { of: b, output: output as u16, life, cause, value });
            return true;
        }
        false
    }
}

impl Behaviors {
    /// The box with this path: in the behavior that is played, else in the last one that is open, else in the last
    /// closed one.
    pub(crate) fn at(&self, cx: &Context, graph: &Graph, wanted: &BoxPath) -> Option<BoxId> {
        let all = || (0..self.all.len() as u32).rev().map(BehaviorId);
        let (closed, open) = all().partition::<Vec<_>, _>(|id| self.all[id.index()].closed());
        self.played.into_iter().chain(open).chain(closed).find_map(|id| {
            let behavior = &self.all[id.index()];
            let called = |b: &BoxId, path: &BoxPath| {
                let node = &graph.boxes[b.index()];
                node.behavior == id && cx.paths.is(node.path, path)
            };
            let at = boxstep_format::paths::find(&behavior.source.project, wanted).ok();
            let in_file = at.and_then(|at| Some((graph.at(behavior.root, &at.trail)?, at.path)));
            match in_file.filter(|(b, path)| called(b, path)) {
                Some((b, path)) if path == *wanted => Some(b),
                // Boxes that became parts of other boxes are not in the file.
                other => behavior.boxes.iter().copied().find(|b| called(b, wanted)).or(other.map(|(b, _)| b)),
            }
        })
    }

    /// Like [`Self::at`], or the reason why there is no such box.
    fn wanted(&self, cx: &Context, graph: &Graph, path: &BoxPath) -> Result<BoxId, String> {
        self.at(cx, graph, path).ok_or_else(|| {
            let Some(played) = self.played else {
                return format!("no behavior of this run has a box {path}");
            };
            match boxstep_format::paths::find(&self.all[played.index()].source.project, path) {
                Ok(_) => format!("{path} is in a muted layer and never loaded"),
                Err(error) => error.to_string(),
            }
        })
    }

    /// Like [`Self::at`], with a warning if there is no such box.
    fn at_or_warn(&self, cx: &mut Context, graph: &Graph, path: &BoxPath) -> Option<BoxId> {
        self.wanted(cx, graph, path).map_err(|why| cx.trace(PathId(0), Kind::Warning { text: why.into() })).ok()
    }

    /// Returns whether the control concerns a box outside the behavior that is played.
    pub(crate) fn is_of_others(&self, cx: &Context, graph: &Graph, what: &Control) -> bool {
        let (Control::Stimulate { path, .. } | Control::SetParameter { path, .. }) = what else { return false };
        let root = |id: BehaviorId| graph.path_of(self.all[id.index()].root);
        !self.played.and_then(|id| cx.paths.get(root(id))).is_some_and(|root| path.starts_with(&root))
    }

    /// Checks whether the control is possible, as far as is known now.
    pub(crate) fn check_control(&self, cx: &Context, graph: &Graph, what: &Control) -> Result<(), String> {
        match what {
            Control::Stimulate { path, port, .. } => {
                let node = &graph.boxes[self.wanted(cx, graph, path)?.index()];
                let known = node.input(port).is_some() || node.output(port).is_some();
                known.then_some(()).ok_or_else(|| format!("{path} has no input or output `{port}`"))
            }
            Control::SetParameter { path, parameter, .. } => {
                let node = &graph.boxes[self.wanted(cx, graph, path)?.index()];
                let known = node.param(parameter).is_some();
                known.then_some(()).ok_or_else(|| format!("{path} has no parameter `{parameter}`"))
            }
            Control::Script(source) => match graph.refuses_script(self.wanted(cx, graph, &source.path)?, source) {
                Some(why) => Err(why.to_owned()),
                None => Ok(()),
            },
            Control::Part(part) => match self.refuses_part(graph, self.wanted(cx, graph, &part.path)?, part) {
                Some(why) => Err(why.to_owned()),
                None => Ok(()),
            },
            Control::RestartPart(path) => self.wanted(cx, graph, path).map(|_| ()),
            Control::Show { then, .. } => then.iter().try_for_each(|then| self.check_control(cx, graph, then)),
            Control::Event { .. }
            | Control::Hear { .. }
            | Control::Remember { .. }
            | Control::Call { .. }
            | Control::Modules { .. }
            | Control::NotTaken { .. }
            | Control::Stop
            | Control::Interrupt => Ok(()),
        }
    }
}

impl Engine {
    /// Opens the behavior that the run is about without loading it, and returns its root box. The run ends when the
    /// behavior has ended, unless it is driven by goals ([`Engine::go_by_goals`]).
    ///
    /// # Errors
    /// Returns the reasons why the model cannot run at all.
    pub fn stage(&mut self, behavior: BehaviorSource) -> Result<crate::objects::BoxId, Vec<Diagnostic>> {
        let id = self.open(behavior, None)?;
        self.behaviors.played.get_or_insert(id);
        Ok(self.graph.handle(self.behaviors.all[id.index()].root))
    }

    /// Passes all pending events to the trace's sinks.
    pub fn flush_trace(&mut self) {
        self.cx.flush();
    }

    /// The current value of a key of the robot's memory, if the robot can answer without delay.
    pub fn memory(&mut self, key: &str) -> Option<Value> {
        let now = self.cx.clock.refresh();
        self.services.memory(now, key)
    }

    pub(crate) fn do_control(&mut self, what: Control) {
        self.cx.begin(Cause::OUTSIDE);
        self.act_on(what);
    }

    /// Does a control, which the current cause has caused.
    fn act_on(&mut self, what: Control) {
        match what {
            Control::Show { event, cause, then } => {
                self.cx.begin(Cause::event(cause));
                self.cx.trace(PathId(0), Kind::Show(event));
                self.side_by_side(then, Self::act_on);
            }
            Control::Event { key, value } => {
                let control = trace::Control::Event { key: key.as_str().into(), value: value.clone() };
                self.cx.trace(PathId(0), Kind::control(control));
                self.with_services(|s, cx| s.raise(cx, &key, value));
            }
            Control::Hear { text } => {
                self.cx.trace(PathId(0), Kind::control(trace::Control::Hear { text: text.as_str().into() }));
                if self.services.is_real() {
                    let (service, method) = ("ALDialog".into(), "forceInput".into());
                    self.begin_call(PathId(0), 0, &service, &method, &[Value::from(text.as_str())]);
                } else if !self.with_services(|s, cx| s.hear(cx, &text)) {
                    self.cx.warn(PathId(0), format!("the robot has no ears: it does not hear “{text}”"));
                }
            }
            Control::Remember { key, value } => {
                let control = trace::Control::Memory { key: key.as_str().into(), value: value.clone() };
                self.cx.trace(PathId(0), Kind::control(control));
                self.with_services(|s, cx| s.remember(cx, &key, value));
            }
            Control::Stimulate { path, port, value } => {
                let Some(b) = self.behaviors.at_or_warn(&mut self.cx, &self.graph, &path) else { return };
                let control = trace::Control::Stimulate { port: port.as_str().into(), value: value.clone() };
                self.cx.trace(self.graph.path_of(b), Kind::control(control));
                self.graph.stimulate(&mut self.cx, b, &port, value);
            }
            Control::SetParameter { path, parameter, value } => {
                let Some(b) = self.behaviors.at_or_warn(&mut self.cx, &self.graph, &path) else { return };
                let control = trace::Control::Set { parameter: parameter.as_str().into(), value: value.clone() };
                self.cx.trace(self.graph.path_of(b), Kind::control(control));
                if let Some(p) = self.graph.boxes[b.index()].param(&parameter) {
                    self.set_parameter_by_link(b, p as u16, value);
                }
            }
            Control::Call { service, method, args } => {
                self.begin_outside(&service, &method, &args);
            }
            Control::Script(source) => {
                if let Some(b) = self.behaviors.at(&self.cx, &self.graph, &source.path) {
                    self.scripts.new_script(&mut self.graph, b, &source);
                }
            }
            Control::Part(part) => {
                if let Some(b) = self.behaviors.at(&self.cx, &self.graph, &part.path) {
                    self.new_part(b, part);
                }
            }
            Control::RestartPart(path) => {
                if let Some(b) = self.behaviors.at(&self.cx, &self.graph, &path) {
                    self.restart_part(b);
                }
            }
            Control::Modules { files } => self.scripts.new_modules(&self.behaviors, files),
            Control::NotTaken { path, why } => {
                let at = path
                    .as_ref()
                    .and_then(|path| self.behaviors.at(&self.cx, &self.graph, path))
                    .map_or(PathId(0), |b| self.graph.path_of(b));
                self.cx.trace_reload(at, ReloadPhase::NotTaken, why, None);
            }
            Control::Stop => {
                self.debugger.not_paused(&mut self.cx);
                let limit = self.held_controls.limit_is_reached(self.cx.now());
                let control = if limit { trace::Control::Limit(()) } else { trace::Control::Stop(()) };
                self.cx.trace(PathId(0), Kind::control(control));
                self.follow_up([FollowUp::StopAll(if limit { EndReason::Limit } else { EndReason::Ended })]);
            }
            Control::Interrupt => {
                self.debugger.not_paused(&mut self.cx);
                self.interrupt();
            }
        }
    }
}
