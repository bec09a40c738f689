//! Leaves: actions of the world, actions in Rust, and waiting.

use super::renew::Renewal;
use super::{Conduct, Desk};
use crate::model::{Do, Kind};
use crate::world::{Blackboard, Handle};
use boxstep_engine::runner::{Action, Control, End, Progress};
use boxstep_types::{Time, Value};

fn take(desk: &mut Desk<'_, '_>, step: Progress) {
    match step {
        Progress::Running => {}
        Progress::Done(value) => desk.done(value),
        Progress::Failed(why) => desk.fail(why),
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

impl Conduct for Leaf {
    fn enter(&mut self, cx: &mut Control<'_>, blackboard: &Blackboard) {
        self.handle = Some(blackboard.open().world.enter(cx.id(), &self.what));
    }

    fn wants(&self, _: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        self.handle.is_some_and(|handle| blackboard.open().world.wants(handle))
    }

    fn begin(&mut self, desk: &mut Desk<'_, '_>, value: &Value) {
        let Some(handle) = self.handle else { return desk.fail("it is not in scope") };
        if let Do::Say(texts, animated) = &self.what
            && texts.len() > 1
        {
            let drawn = (desk.cx.random() * texts.len() as f64) as usize;
            let one = Do::Say(vec![texts[drawn.min(texts.len() - 1)].clone()], *animated);
            return desk.blackboard.open().world.start(handle, &one, value);
        }
        desk.blackboard.open().world.start(handle, &self.what, value);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        let Some(handle) = self.handle else { return };
        let step = desk.blackboard.open().world.poll(handle);
        take(desk, step);
    }

    fn over(&mut self, _: &mut Control<'_>, blackboard: &Blackboard, end: &End) {
        if let (Some(handle), End::Cancelled(_)) = (self.handle, end) {
            blackboard.open().world.stop(handle);
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
            blackboard.open().world.leave(handle);
        }
    }

    fn settled(&mut self, _: &mut Control<'_>, blackboard: &Blackboard) -> bool {
        self.handle.is_none_or(|handle| blackboard.open().world.settled(handle))
    }

    fn forced(&mut self, blackboard: &Blackboard) {
        if let Some(handle) = self.handle {
            blackboard.open().world.forced(handle);
        }
    }
}

/// An action in Rust.
pub(crate) struct NativeLeaf(pub(crate) Box<dyn Action>);

impl Conduct for NativeLeaf {
    fn wants(&self, cx: &mut Control<'_>, _: &Blackboard) -> bool {
        self.0.ready(cx)
    }

    fn begin(&mut self, desk: &mut Desk<'_, '_>, value: &Value) {
        self.0.start(desk.cx, value);
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        let step = self.0.poll(desk.cx);
        take(desk, step);
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

impl Conduct for Wait {
    fn begin(&mut self, desk: &mut Desk<'_, '_>, _: &Value) {
        let more = match self.jitter {
            0.0 => 0.0,
            jitter => jitter * (2.0 * desk.cx.random() - 1.0),
        };
        self.until = Time(desk.cx.now().0.saturating_add(Time::from_secs_f64((self.seconds + more).max(0.0)).0));
    }

    fn turn(&mut self, desk: &mut Desk<'_, '_>) {
        if desk.cx.now() < self.until {
            return;
        }
        match self.fails {
            true => desk.fail("it fails by what the character says"),
            false => desk.done(Value::Null),
        }
    }

    /// A wait that has started keeps its length.
    fn renew(&mut self, _: &mut Control<'_>, _: &Blackboard, with: &Renewal) {
        if let Kind::Wait { seconds, jitter, fails } = &with.new.kind {
            (self.seconds, self.jitter, self.fails) = (*seconds, *jitter, *fails);
        }
    }
}
