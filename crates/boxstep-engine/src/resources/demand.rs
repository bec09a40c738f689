//! What a holder does when another asks: nothing, stop, pause, or what its script decides.

use super::{OnDemand, Owner, STARTED, Waiter, Who};
use crate::Engine;
use crate::graph::{BoxNode, Graph};
use crate::ids::BoxId;
use crate::lifecycle::{Phase, Step};
use crate::protocol::Args;
use crate::resources::Resources;
use crate::trace::ResourcePhase;
use boxstep_format::model::ResourceMode;
use boxstep_types::Value;
use std::sync::Arc;

/// What somebody in the way will do if asked.
#[derive(Clone, Debug, PartialEq)]
enum Gives {
    /// Nothing: it keeps what it has.
    Never,
    /// Its script decides; a method is called.
    Perhaps(Arc<str>),
    /// It stops, and gives everything back.
    Stops,
    /// Its timeline pauses; it gives everything back, and waits.
    Pauses,
}

/// Somebody in the way.
struct Holder {
    owner: Owner,
    /// The first thing it has that is wanted.
    name: Arc<str>,
    gives: Gives,
    /// This asker has asked it before.
    asked: bool,
}

impl Graph {
    fn gives(&self, owner: &Owner, on_demand: &OnDemand) -> Gives {
        match (on_demand, owner) {
            (OnDemand::Call(method), _) => Gives::Perhaps(method.clone()),
            (OnDemand::Mode, Owner::Box(id)) => mode(&self.boxes[id.index()]),
            (OnDemand::Keep | OnDemand::Mode, _) => Gives::Never,
        }
    }
}

impl Resources {
    /// Who has these claims, once each. A box inside one that will stop is stopped with it.
    fn holders(&self, graph: &Graph, way: &[usize], serial: u32) -> Vec<Holder> {
        let mut holders: Vec<Holder> = Vec::new();
        for held in way.iter().filter_map(|i| self.held.get(*i)) {
            let gives = graph.gives(&held.owner, &held.how.on_demand);
            if !holders.iter().any(|h| h.owner == held.owner && h.gives == gives) {
                let asked = held.asked.contains(&serial);
                holders.push(Holder { owner: held.owner.clone(), name: held.name.clone(), gives, asked });
            }
        }
        let stops = |b: BoxId| holders.iter().any(|h| h.owner == Owner::Box(b) && h.gives == Gives::Stops);
        let inside: Vec<bool> = holders
            .iter()
            .map(|h| matches!(h.owner, Owner::Box(id) if graph.ancestors(id).skip(1).any(stops)))
            .collect();
        let mut inside = inside.into_iter();
        holders.retain(|_| !inside.next().unwrap_or_default());
        holders
    }
}

impl Engine {
    /// Asks those who are in the way of somebody in the line. Nobody gives in vain: while one of them keeps what it
    /// has, the others are left alone; those whose scripts decide are asked before those that stop or pause.
    pub(super) fn press(&mut self, serial: u32) {
        let Some(waiter) = self.resources.waiter(serial) else { return };
        let asks_nobody = matches!(waiter.who, Who::Free(..) | Who::Paused { .. });
        if asks_nobody || self.resources.tree.bar(&waiter.names).is_some() || self.graph.goes(&waiter.owner) {
            return;
        }
        let asker = self.runners.owner_shown(&self.cx, &self.graph, &waiter.owner);
        let way = self.in_the_way(&waiter.owner, &waiter.names);
        self.ask_holders(&way, serial, &asker);
    }

    /// A state has been turned off: whoever holds it is asked for it.
    pub(super) fn press_state(&mut self, name: &str) {
        let serial = self.resources.serial();
        let held = self.resources.held.iter().enumerate();
        let way: Vec<usize> = held.filter(|(_, h)| *h.name == *name).map(|(i, _)| i).collect();
        let asker: Arc<str> = "the robot".into();
        for holder in self.resources.holders(&self.graph, &way, serial) {
            self.demand(&holder, serial, &asker);
        }
    }

    fn ask_holders(&mut self, way: &[usize], serial: u32, asker: &Arc<str>) {
        let holders = self.resources.holders(&self.graph, way, serial);
        if holders.iter().any(|h| h.gives == Gives::Never) {
            return;
        }
        let undecided = holders.iter().any(|h| matches!(h.gives, Gives::Perhaps(_)));
        let cause = self.cx.cause;
        for holder in holders {
            // What the one before did may have changed everything: an endless round of asking ends the run.
            if self.resources.waiter(serial).is_none_or(|waiter| self.graph.goes(&waiter.owner)) {
                break;
            }
            if !holder.asked && (!undecided || matches!(holder.gives, Gives::Perhaps(_))) {
                self.cx.cause = cause;
                self.demand(&holder, serial, asker);
            }
        }
        self.cx.cause = cause;
    }

    /// Another asks for what this one holds.
    fn demand(&mut self, holder: &Holder, serial: u32, asker: &Arc<str>) {
        for held in self.resources.held.iter_mut().filter(|h| h.owner == holder.owner) {
            held.asked.push(serial);
        }
        let Holder { owner, name, gives, .. } = holder;
        let say = |engine: &mut Self, what| {
            let others = vec![asker.clone()];
            let (path, event) = engine.runners.claim_event(&engine.graph, owner, what, name.clone(), others);
            engine.cx.trace(path, event);
        };
        match (gives, owner) {
            (Gives::Stops, Owner::Box(id)) => {
                let node = &mut self.graph.boxes[id.index()];
                match node.life.phase() {
                    // It gives them back anyway when it has stopped, unless a start waits for that.
                    Phase::Stopping => {
                        node.stops += 1;
                        let _ = node.life.stop();
                    }
                    Phase::Leaving | Phase::Out => {}
                    _ => {
                        say(self, ResourcePhase::Lost);
                        self.spawn_box(*id, Step::Yield, 0, Value::Null);
                    }
                }
            }
            (Gives::Pauses, Owner::Box(id)) => {
                say(self, ResourcePhase::Paused);
                self.pause_on_demand(*id, serial);
            }
            (Gives::Perhaps(method), _) => {
                say(self, ResourcePhase::Asked);
                self.call_holder(owner, method, name);
            }
            _ => {}
        }
    }

    /// The timeline and its motion stop where they are, everything is given back, and the box stands in line for it.
    fn pause_on_demand(&mut self, id: BoxId, after: u32) {
        let owner = Owner::Box(id);
        let mine = |h: &&super::Held| h.owner == owner && h.how == STARTED;
        let names = self.resources.held.iter().filter(mine).map(|h| h.name.clone()).collect();
        let plays = self.suspend_timeline(id);
        let waiter = Waiter {
            serial: self.resources.serial(),
            who: Who::Paused { after, plays },
            owner,
            names,
            optional: Arc::default(),
            how: STARTED,
            cause: self.cx.cause,
        };
        self.resources.line.push(waiter);
        self.let_go(&Owner::Box(id), |h| h.how == STARTED);
    }

    /// Calls the method by which a holder wants to be told.
    fn call_holder(&mut self, owner: &Owner, method: &Arc<str>, name: &Arc<str>) {
        let resource = Value::Str(name.clone());
        // Two that ask each other again and again, in no time, are a livelock like any other.
        if let Owner::Box(id) = owner
            && !self.count_signal(self.graph.path_of(*id), true)
        {
            return;
        }
        match owner {
            Owner::Box(id) if &**method == "onResource" => {
                self.tasks.call_hook(&mut self.cx, &self.graph, *id, method.clone().into(), Args::Hook(resource), None);
            }
            Owner::Box(id) => {
                let me = Value::Str(self.graph.full_name(&self.cx.paths, *id));
                self.tasks.call_method(&mut self.cx, &self.graph, *id, method.clone(), Args::UpTo(vec![resource, me]));
            }
            Owner::Behavior { .. } => {}
            Owner::Other(module) => {
                let Some(&callback) = self.calls.modules.get(module) else { return };
                let args = vec![Value::Str(method.clone()), resource, Value::Str(module.clone())];
                self.deliver(callback, args, None, 0, "callback");
            }
        }
    }
}

/// What a box does for the mode of its resources; the first one's, for they are one group.
fn mode(node: &BoxNode) -> Gives {
    match node.kind.resources.first().map(|need| need.mode) {
        Some(ResourceMode::StopOnDemand) => Gives::Stops,
        // Without a cursor that moves there is nothing to pause.
        Some(ResourceMode::PauseOnDemand) if node.inside.as_ref().is_some_and(|i| i.timeline.clocked) => Gives::Pauses,
        Some(ResourceMode::CallbackOnDemand) if node.hooks.on_resource => Gives::Perhaps("onResource".into()),
        _ => Gives::Never,
    }
}
