//! Leaves: actions of the world, actions in Rust, and waiting, for a time or a sentence.

use super::renew::{self, Renewal};
use super::{ActiveNode, NodeLogic};
use crate::conditions::LiveCondition;
use crate::ears::HeardSentence;
use crate::model::{Condition, Do, Kind};
use crate::world::{Blackboard, Handle, SharedState};
use boxstep_dialog::Pattern;
use boxstep_engine::runner::{Action, Control, End, Progress};
use boxstep_engine::trace::ConditionResult;
use boxstep_types::{Time, Value};

fn apply_progress(node: &mut ActiveNode<'_, '_>, step: Progress) {
    match step {
        Progress::Running => {}
        Progress::Done(value) => node.done(value),
        Progress::Failed(why) => node.fail(why),
    }
}

/// An action of the world.
pub(crate) struct Leaf {
    what: Do,
    handle: Option<Handle>,
}

impl Leaf {
    pub(crate) fn new(what: Do) -> Self {
        Self { what, handle: None }
    }
}

impl NodeLogic for Leaf {
    fn enter(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard) {
        self.handle = Some(blackboard.lock().world.enter(cx.id(), &self.what));
    }

    fn wants(&self, _: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        self.handle.is_some_and(|handle| blackboard.lock().world.wants(handle))
    }

    fn absence(&self, shared: &mut SharedState) -> Option<ConditionResult> {
        let robot = self.what.robot()?;
        let found = shared.world.absence(self.handle?);
        let (what, holds) = (format!("{} is there", robot.name), found.is_none());
        Some(ConditionResult { what, found: found.unwrap_or_default(), holds, parts: Vec::new() })
    }

    fn watched(&self, _: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        let wished = self.handle.and_then(|handle| shared.world.wished(handle));
        let one = |holds| ConditionResult {
            what: "wanted by another robot".to_owned(),
            found: String::new(),
            holds,
            parts: Vec::new(),
        };
        wished.map(one).into_iter().collect()
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, value: &Value) {
        let Some(handle) = self.handle else { return node.fail("it is not in scope") };
        if let Do::Say(texts, animated) = self.what.here()
            && texts.len() > 1
        {
            let drawn = (node.cx.random() * texts.len() as f64) as usize;
            let mut one = Do::Say(vec![texts[drawn.min(texts.len() - 1)].clone()], *animated);
            if let Some(robot) = self.what.robot() {
                one = Do::On(robot.clone(), Box::new(one));
            }
            return node.blackboard.lock().world.start(handle, &one, value);
        }
        node.blackboard.lock().world.start(handle, &self.what, value);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let Some(handle) = self.handle else { return };
        let step = node.blackboard.lock().world.poll(handle);
        apply_progress(node, step);
    }

    fn over(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, end: &End) {
        if let (Some(handle), End::Cancelled(_)) = (self.handle, end) {
            blackboard.lock().world.stop(handle);
        }
    }

    /// An action that has started continues unchanged.
    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Do(what) = &with.new.kind {
            self.what = what.clone();
        }
    }

    fn leave(&mut self, _: &mut Control<'_>, blackboard: &Blackboard) {
        if let Some(handle) = self.handle {
            blackboard.lock().world.leave(handle);
        }
    }

    fn settled(&mut self, _: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        self.handle.is_none_or(|handle| blackboard.lock().world.settled(handle))
    }

    fn forced(&mut self, blackboard: &Blackboard) {
        if let Some(handle) = self.handle {
            blackboard.lock().world.forced(handle);
        }
    }
}

/// Waits for a sentence. One that came in the tick in which it begins counts, unless it was for a leaf before it.
pub(crate) struct Hear {
    heard: LiveCondition,
    since: u64,
}

impl Hear {
    pub(crate) fn new(pattern: &Pattern, shared: &mut SharedState) -> Self {
        Self { heard: LiveCondition::new(&Condition::Heard(pattern.clone()), shared), since: 0 }
    }
}

impl NodeLogic for Hear {
    fn init(&mut self, cx: &mut Control<'_>) {
        self.heard.init(cx);
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        self.since = node.cx.tick();
        self.heard.switch_on(node.cx, &mut node.blackboard.lock());
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let mut shared = node.blackboard.lock();
        let tick = node.cx.tick();
        let after = if self.since == tick { shared.ears.taken_in(tick) } else { 0 };
        let Some(HeardSentence { value, count }) = self.heard.heard(node.cx, &mut shared, after) else { return };
        shared.ears.taken = shared.ears.taken.max(count);
        drop(shared);
        node.done(value);
    }

    fn watched(&self, cx: &Control<'_>, shared: &mut SharedState) -> Vec<ConditionResult> {
        vec![self.heard.result(cx, shared)]
    }

    fn over(&mut self, _: &mut Control<'_>, _: &Blackboard, _: &End) {
        self.heard.switch_off();
    }

    fn renew(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard, with: &Renewal) {
        if let (Kind::Hear(old), Kind::Hear(new)) = (&with.old.kind, &with.new.kind) {
            let (old, new) = (Condition::Heard(old.clone()), Condition::Heard(new.clone()));
            renew::condition(&mut self.heard, (&old, &new), cx.is_active(), cx, blackboard);
        }
    }
}

/// An action in Rust.
pub(crate) struct NativeLeaf(pub(crate) Box<dyn Action>);

impl NodeLogic for NativeLeaf {
    fn wants(&self, cx: &mut Control<'_>, _: &Blackboard) -> bool {
        self.0.ready(cx)
    }

    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, value: &Value) {
        self.0.start(node.cx, value);
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        let step = self.0.poll(node.cx);
        apply_progress(node, step);
    }

    fn over(&mut self, cx: &mut Control<'_>, _: &Blackboard, end: &End) {
        if matches!(end, End::Cancelled(_)) {
            self.0.stop(cx);
        }
    }
}

/// Waits for a time.
pub(crate) struct Wait {
    seconds: f64,
    jitter: f64,
    fails: bool,
    until: Time,
}

impl Wait {
    pub(crate) fn new(seconds: f64, jitter: f64, fails: bool) -> Self {
        Self { seconds, jitter, fails, until: Time::ZERO }
    }
}

impl NodeLogic for Wait {
    fn begin(&mut self, node: &mut ActiveNode<'_, '_>, _: &Value) {
        let more = match self.jitter {
            0.0 => 0.0,
            jitter => jitter * (2.0 * node.cx.random() - 1.0),
        };
        self.until = Time(node.cx.now().0.saturating_add(Time::from_secs_f64((self.seconds + more).max(0.0)).0));
    }

    fn update(&mut self, node: &mut ActiveNode<'_, '_>) {
        if node.cx.now() < self.until {
            return;
        }
        match self.fails {
            true => node.fail("the character defines it to fail"),
            false => node.done(Value::Null),
        }
    }

    /// A wait that has started keeps its length.
    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Wait { seconds, jitter, fails } = &with.new.kind {
            (self.seconds, self.jitter, self.fails) = (*seconds, *jitter, *fails);
        }
    }
}
