//! The steps of a box's lifecycle: the kernel decides whether a step is taken, the policy gives the order of its
//! stages, and this file carries them out.

use super::{Proc, ProcId, ProcKind, StepResult, Waits};
use crate::Engine;
use crate::callbacks::On;
use crate::calls::{CallStart, Subscriber};
use crate::config::Config;
use crate::context::Context;
use crate::dialog;
use crate::event_loop::Work;
use crate::graph::{Body, Graph};
use crate::ids::BoxId;
use crate::lifecycle::{Activated, Entered, Left, Phase, Stage, Step, Stopped};
use crate::objects::calls::Listeners;
use crate::procedures::Procs;
use crate::protocol::{Args, TaskId};
use crate::resources::{Claim, Release};
use crate::services::{DialogBox, Topic, dialog_output};
use crate::tasks::{Tasks, What};
use crate::trace::{BoxPhase, Kind};
use boxstep_types::Value;
use std::sync::Arc;

impl Listeners {
    /// Notifies the callbacks of a box's load or unload, after its own script. Returns true if the procedure has to
    /// wait for them.
    fn notify_of_step(&self, cx: &mut Context, me: ProcId, id: BoxId, step: Step) -> bool {
        match step {
            Step::Enter => self.notify_and_wait(cx, On::Load(id), me),
            Step::Leave => self.notify_and_wait(cx, On::Unload(id), me),
            _ => false,
        }
    }
}

impl Graph {
    /// Stimulates the first onStopped output of a stopped box, unless the box is being unloaded.
    fn emit_stopped(&self, cx: &mut Context, config: &Config, id: BoxId) {
        let node = &self.boxes[id.index()];
        if let Some(output) = node.first_stopped().filter(|_| node.life.in_scope()) {
            let (path, port) = (node.path, node.kind.outputs[output].id);
            cx.trace(path, Kind::Output { port, value: Value::Null });
            self.transmit(cx, config, id, output as u16, Value::Null);
        }
    }

    /// Tells the kernel that a stop is over; an activation that waited takes effect.
    fn box_stopped(&mut self, cx: &mut Context, procs: &mut Procs, id: BoxId) {
        let node = &mut self.boxes[id.index()];
        let path = node.path;
        match node.life.stopped() {
            Ok(Stopped::Done) => cx.note(path, Kind::Box { phase: BoxPhase::Stopped }),
            // The procedure of the start has been running all along: it has already called the script, and the inside
            // has waited for this.
            Ok(Stopped::Again) => {
                cx.note(path, Kind::Box { phase: BoxPhase::Stopped });
                cx.note(path, Kind::Box { phase: BoxPhase::Starting });
            }
            Err(_) => {}
        }
        procs.stop_is_over(cx, id);
    }

    fn finish_box(&mut self, cx: &mut Context, procs: &mut Procs, id: BoxId, step: Step) {
        let node = &mut self.boxes[id.index()];
        let path = node.path;
        match step {
            Step::Enter => {
                if node.life.entered().is_ok() {
                    cx.note(path, Kind::Box { phase: BoxPhase::Loaded });
                }
            }
            Step::Activate => {
                if node.life.activated().is_ok() {
                    cx.note(path, Kind::Box { phase: BoxPhase::Started });
                }
            }
            Step::Stop | Step::End | Step::Halt | Step::Yield => self.box_stopped(cx, procs, id),
            Step::Leave => {
                if node.life.left().is_ok() {
                    cx.note(path, Kind::Box { phase: BoxPhase::Unloaded });
                }
            }
        }
    }

    /// Takes the step in the kernel. Returns false if there is nothing to do.
    fn begin_box(&mut self, cx: &mut Context, procs: &mut Procs, id: BoxId, step: Step, life: &mut u32) -> bool {
        let node = &mut self.boxes[id.index()];
        let path = node.path;
        match step {
            Step::Enter => match node.life.enter() {
                Ok(Entered::Begin) => {
                    *life = node.life.generation();
                    cx.trace(path, Kind::Box { phase: BoxPhase::Loading });
                    true
                }
                _ => false,
            },
            Step::Activate => {
                if node.life.generation() != *life || !node.life.in_scope() {
                    return false;
                }
                // Starting a started box again sends the signal in once more. A box that is being stopped counts as
                // starting once the stop is over (`box_stopped`).
                if node.life.activate() == Ok(Activated::Begin) {
                    cx.trace(path, Kind::Box { phase: BoxPhase::Starting });
                }
                true
            }
            Step::Stop | Step::End | Step::Halt | Step::Yield => {
                if node.life.generation() != *life || !node.life.in_scope() {
                    return false;
                }
                if node.life.stop().is_ok() {
                    cx.trace(path, Kind::Box { phase: BoxPhase::Stopping });
                }
                true
            }
            Step::Leave => match node.life.leave() {
                Ok(Left::Begin) => {
                    node.stops += 1;
                    *life = node.life.generation();
                    cx.trace(path, Kind::Box { phase: BoxPhase::Unloading });
                    procs.stop_is_over(cx, id);
                    true
                }
                _ => false,
            },
        }
    }
}

impl Procs {
    /// Resumes starts that have waited for the end of a stop; each checks whether it has been overtaken.
    fn stop_is_over(&mut self, cx: &mut Context, id: BoxId) {
        let work = &mut cx.work;
        self.behind_stops.retain(|&(of, start)| {
            if of == id {
                work.push_back(Work::Proc(start));
            }
            of != id
        });
    }
}

impl Tasks {
    /// Calls the script's hook for a step of a box, if it has one.
    fn call_step_hook(
        &mut self,
        cx: &mut Context,
        graph: &Graph,
        me: ProcId,
        (id, step, port): (BoxId, Step, u16),
        value: &Value,
    ) -> Option<TaskId> {
        let node = &graph.boxes[id.index()];
        let (wanted, method): (bool, What) = match step {
            Step::Enter => (node.hooks.on_load, "onLoad".into()),
            Step::Leave => (node.hooks.on_unload, "onUnload".into()),
            Step::Activate | Step::Stop => {
                let input = &node.kind.inputs[usize::from(port)];
                (input.handled, What::Input(port))
            }
            Step::Yield => (node.hooks.on_resource_lost, "onResourceLost".into()),
            Step::End | Step::Halt => return None,
        };
        if !wanted {
            return None;
        }
        self.call_hook(cx, graph, id, method, Args::Hook(value.clone()), Some(me))
    }
}

impl Engine {
    pub(super) fn step_box(&mut self, proc: &mut Proc) -> StepResult {
        let ProcKind::Box { id, step, ref mut stage, port, ref value, ref mut life, ref mut stops } = proc.kind else {
            return StepResult::Done;
        };
        let policy = self.graph.boxes[id.index()].policy;
        if *stage == 0 && proc.result.is_none() {
            let leaves = !matches!(step, Step::Enter | Step::Activate);
            if self.scripts.wait_for_reload(proc.id, id) {
                if leaves {
                    self.procs.hurry_reload(&mut self.cx, &self.graph, &self.tasks, &self.behaviors);
                }
                return proc.wait(Waits::Reload);
            }
            if step == Step::Activate
                && let Some(first) = self.scripts.reload_before_start(&self.graph, &self.tasks, &self.end, id, *life)
            {
                return StepResult::Child(first);
            }
            if !matches!(step, Step::Enter | Step::Activate) && self.resources.uses(id) {
                let next = self.resources.release(id, Release::Pause);
                self.follow_up(next);
            }
            if !self.graph.begin_box(&mut self.cx, &mut self.procs, id, step, life) {
                return StepResult::Done;
            }
        }
        let stages = policy.stages(step);
        while let Some(&now) = stages.get(*stage) {
            let node = &self.graph.boxes[id.index()];
            if node.life.generation() != *life {
                return StepResult::Done;
            }
            // A start that a stop or the end of the box has overtaken goes no further.
            if step == Step::Activate && (node.stops != *stops || !node.life.in_scope()) {
                return StepResult::Done;
            }
            // Stops and starts take effect in the order in which they came: what a stop unloads, a later start loads
            // again.
            let lasts = node.life.phase() == Phase::Stopping;
            if step == Step::Activate && matches!(now, Stage::Inside | Stage::Forward) && lasts {
                self.procs.behind_stops.push((id, proc.id));
                return proc.wait(Waits::Stopped);
            }
            match now {
                Stage::Claim => {
                    let claim = match proc.result.take() {
                        Some(true) => Claim::Granted,
                        Some(false) => Claim::Refused,
                        None => match self.resources.start_request(&mut self.cx, &self.graph, proc.id, id) {
                            None => Claim::Granted,
                            Some((request, timeout)) => self.request_resources(request, timeout),
                        },
                    };
                    match claim {
                        Claim::Granted => {}
                        Claim::Wait => {
                            return proc.wait(Waits::Resource);
                        }
                        Claim::Refused => {
                            if let Some(output) = self.graph.resource_refused(&mut self.cx, &mut self.tasks, id) {
                                self.output(id, output, Value::Null);
                            }
                            return StepResult::Done;
                        }
                    }
                }
                Stage::Own => {
                    let result = proc.result.take();
                    match result {
                        None if !proc.notified => {
                            let task = match self.graph.boxes[id.index()].body {
                                Body::Native => {
                                    self.fast_path.step(self.cx.now(), id, step);
                                    self.native_done(id);
                                    None
                                }
                                Body::Dialog(index) => {
                                    self.step_dialog(id, index, step, port, &value.clone());
                                    None
                                }
                                Body::Script(_) | Body::Empty => {
                                    let (cx, graph, me) = (&mut self.cx, &self.graph, proc.id);
                                    self.tasks.call_step_hook(cx, graph, me, (id, step, port), value)
                                }
                            };
                            if let Some(task) = task {
                                proc.waits = Waits::Script(task);
                                if proc.wind_down || matches!(step, Step::Leave | Step::Yield) {
                                    self.tasks.limit_wait(&mut self.cx, &self.graph, &self.behaviors, proc.id, task);
                                }
                                return StepResult::Wait;
                            }
                        }
                        Some(false) if step == Step::Activate => {
                            let next = self.resources.release(id, Release::Start);
                            self.follow_up(next);
                            let node = &mut self.graph.boxes[id.index()];
                            if node.life.stop().is_ok() && node.life.stopped().is_ok() {
                                let path = node.path;
                                self.cx.note(path, Kind::Box { phase: BoxPhase::Stopped });
                            }
                            return StepResult::Done;
                        }
                        _ => {}
                    }
                    if !std::mem::replace(&mut proc.notified, true)
                        && self.callbacks.notify_of_step(&mut self.cx, proc.id, id, step)
                    {
                        return proc.wait(Waits::Listeners);
                    }
                }
                Stage::Inside => {
                    if matches!(step, Step::Enter | Step::Activate) && self.scripts.reloads.concern_parts() {
                        if let Some(first) = self.replace_before_load(id) {
                            return StepResult::Child(first);
                        }
                        if self.scripts.wait_for_reload(proc.id, id) {
                            return proc.wait(Waits::Reload);
                        }
                    }
                    *stage += 1;
                    if self.graph.boxes[id.index()].inside.is_none() {
                        continue;
                    }
                    // In an interrupt everything is unloaded once every onStop has returned; until then the timeline
                    // plays no more frames.
                    if proc.wind_down {
                        let motion = self.graph.stop_clock(&self.cx, id);
                        self.follow_up(motion);
                        continue;
                    }
                    return StepResult::Child(match step {
                        Step::Enter | Step::Activate => ProcKind::Load { id, layer: 0 },
                        Step::Stop | Step::End | Step::Halt | Step::Yield | Step::Leave => {
                            ProcKind::Unload { id, layer: 0, begun: false }
                        }
                    });
                }
                Stage::Forward => {
                    let value = value.clone();
                    if self.graph.boxes[id.index()].inside.is_some() {
                        let next = self.graph.play_timeline(&mut self.cx, &mut self.resources, id);
                        self.follow_up(next.into_iter().flatten());
                    }
                    self.graph.forward(&mut self.cx, &self.config, id, port, &value);
                }
                Stage::Release if !self.resources.uses(id) => {}
                // A start that waits behind this stop has already taken the resources again.
                Stage::Release if step != Step::Leave && self.graph.boxes[id.index()].life.again() => {}
                Stage::Release => {
                    let what = if step == Step::Leave { Release::All } else { Release::Start };
                    let next = self.resources.release(id, what);
                    self.follow_up(next);
                }
                Stage::Transmit => {
                    let value = value.clone();
                    self.graph.box_stopped(&mut self.cx, &mut self.procs, id);
                    if step == Step::End {
                        self.graph.transmit(&mut self.cx, &self.config, id, port, value);
                    } else if !self.graph.boxes[id.index()].hooks.on_resource_lost {
                        self.graph.emit_stopped(&mut self.cx, &self.config, id);
                    }
                }
            }
            *stage += 1;
        }
        self.graph.finish_box(&mut self.cx, &mut self.procs, id, step);
        StepResult::Done
    }

    /// Has the robot's dialog engine do what a step of a dialog box needs. The topics of the box are active from its load
    /// to its unload or stop.
    pub(crate) fn step_dialog(&mut self, id: BoxId, index: u32, step: Step, input: u16, value: &Value) {
        match step {
            Step::Enter => {
                let name = self.graph.dialogs.get(index as usize).cloned().unwrap_or_default();
                self.load_dialog(id, &name);
            }
            Step::Activate => {
                let next = self.dialogs.start(&self.graph, id, input, value);
                self.follow_up(next);
            }
            Step::Stop | Step::End | Step::Halt | Step::Yield => {
                let next = self.dialogs.stop(id);
                self.follow_up(next);
            }
            Step::Leave => {
                let Some(next) = self.dialogs.leave(id) else { return };
                self.remove_subscribers(None, |_, s| matches!(s, Subscriber::Dialog { of, .. } if *of == id));
                self.follow_up(next);
            }
        }
    }

    fn load_dialog(&mut self, id: BoxId, name: &str) {
        let file = dialog::dialog_file(&self.graph, &self.behaviors, id, name);
        let kind = &self.graph.boxes[id.index()].kind;
        let inputs = kind.inputs.iter().map(|input| input.name.clone()).collect();
        let outputs: Vec<Arc<str>> = kind.outputs.iter().map(|output| output.name.clone()).collect();
        let dialog = DialogBox { file, inputs, outputs: outputs.clone() };
        let behavior = &self.behaviors.all[self.graph.boxes[id.index()].behavior.index()];
        // A character prepares its behaviors, which have nothing to say before they have control.
        let held = behavior.leaf.is_some() && !behavior.started;
        let opened = self.with_services(|s, cx| s.open_dialog(cx, &dialog));
        // Outputs come before the topic is loaded, so that the first one is not missed.
        let subscribe = |engine: &mut Self, topic: &dyn Fn(&Arc<str>) -> Topic| {
            for (output, name) in (0..).zip(&outputs) {
                // A subscription to a memory key or to an output always succeeds.
                let _ = engine.add_subscriber(topic(name), Subscriber::Dialog { of: id, output });
            }
        };
        match opened {
            Some(Ok(topic)) => {
                subscribe(self, &|output| dialog_output(&topic, output));
                self.dialogs.begin(id, 1, true, held);
                let loaded = CallStart::Ready(Ok(Value::Str(topic)));
                let next = self.dialogs.topic_loads(&mut self.cx, &self.graph, &mut self.calls, (id, 0), loaded);
                self.follow_up(next);
            }
            Some(Err(why)) => self.dialog_fails(id, name, &why),
            None => match dialog::texts_for_robot(&dialog.file, self.services.topic_code()) {
                Ok(texts) => {
                    subscribe(self, &|output| Topic::Memory(output.clone()));
                    self.dialogs.begin(id, texts.len(), false, held);
                    for (n, text) in texts.into_iter().enumerate() {
                        let load = self.call_for(id, "ALDialog", "loadTopicContent", &[text.into()]);
                        let next = self.dialogs.topic_loads(&mut self.cx, &self.graph, &mut self.calls, (id, n), load);
                        self.follow_up(next);
                    }
                }
                Err(why) => self.dialog_fails(id, name, &why),
            },
        }
    }

    /// The topics of a dialog box cannot be loaded.
    fn dialog_fails(&mut self, id: BoxId, name: &str, why: &str) {
        self.dialogs.fail(&mut self.cx, &self.graph, id, format!("the dialog {name} does not run: {why}"));
    }

    pub(super) fn step_event(&mut self, proc: &mut Proc) -> StepResult {
        let ProcKind::Event { id, input, ref value, life, ref mut called } = proc.kind else { return StepResult::Done };
        if !*called {
            if self.scripts.wait_for_reload(proc.id, id) {
                return proc.wait(Waits::Reload);
            }
            *called = true;
            if let Some(task) = self.tasks.call_hook(
                &mut self.cx,
                &self.graph,
                id,
                What::Input(input),
                Args::Hook(value.clone()),
                Some(proc.id),
            ) {
                return proc.wait_for(task);
            }
        }
        if proc.result.take() != Some(false) && self.graph.boxes[id.index()].life.generation() == life {
            let value = value.clone();
            self.graph.forward(&mut self.cx, &self.config, id, input, &value);
        }
        StepResult::Done
    }
}
