//! The traits that users implement, and the requests that behaviors can make.

use super::{BehaviorId, End, Hook, Refusal, Runner, Ticket, Tickets, Wants};
use boxstep_types::Value;
use std::any::Any;
use std::sync::Arc;

/// A behavior: hooks that the runner calls. Most hooks have an empty default, which implementations need not call.
///
/// Hooks come in this order: `init` once; then, any number of times, `entered_scope`, any number of activations
/// (`activated`, `deactivated`), and `left_scope`. `update` comes once in each tick from `entered_scope` to
/// `left_scope`. The table in `docs/reference/runner.md` says which requests are allowed in which hook.
pub trait Behavior: Send {
    /// Called when the runner is built: look up delegates ([`Control::find`]), subscribe to topics.
    fn init(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// Called when an engine that hosts the runner is about to run its first tick: from now on the behavior can use the
    /// engine. Called in the order of the plan, before any behavior is in scope; not called for a runner that is ticked
    /// by hand.
    fn hosted(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// The behavior has become a possible delegate of an active behavior. If several declare it, only the first one
    /// causes this call.
    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// The behavior is given control, with a value from the delegating behavior. Its delegates are in scope: it may ask
    /// and delegate at once.
    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        let _ = (cx, value);
    }

    /// The behavior has lost control, by its own doing or that of a behavior nearer the root. Not called when it
    /// delegates.
    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        let _ = (cx, end);
    }

    /// No active behavior can delegate to it any more: stop what `entered_scope` has begun.
    fn left_scope(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// Returns whether the behavior wants to take over control. Every request made here is refused, and a yes does not
    /// guarantee an activation.
    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Called once in each tick while the behavior is in scope, active or not, unless it needs no updates
    /// ([`Delegates::no_updates`]). [`Control::events`] has the events since the last tick.
    fn update(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// One of its delegations has ended by itself; it is in control again unless others of the same request still run.
    /// Called in the tick in which that happened, unless [`super::Settings::hand_over_next_tick`] is set. Does not
    /// count as an update.
    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, ticket: Ticket, end: &End) {
        let _ = (cx, ticket, end);
    }

    /// Declares every behavior to which it may ever delegate. Called once, when the plan is checked.
    fn all_delegates(&self, all: &mut Delegates) {
        let _ = all;
    }

    /// For behaviors that take time to enter scope, to wind down or to leave scope: returns whether the work begun by
    /// the last of `entered_scope`, `deactivated` and `left_scope` is over. Called after each of these, and then at the
    /// start of each tick until it is.
    fn settled(&mut self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Returns whether the behavior would continue under a new plan that changes it ([`super::Exchange::renew`]).
    /// Called only while it is active; `lost` are its active delegates that the new plan takes from it, and that would
    /// be cancelled. Must not change anything yet.
    fn may_renew(&self, news: &(dyn Any + Send), lost: &[BehaviorId]) -> bool {
        let _ = news;
        lost.is_empty()
    }

    /// The runner has got another plan, and the behavior continues: with changes (`news`), or as it was. Its delegates
    /// may be other instances of the same name, so it must look them up again ([`Control::find`]). It can make no
    /// requests here.
    fn replanned(&mut self, cx: &mut Control<'_>, news: Option<super::News>) {
        let _ = (cx, news);
    }

    /// Its time to wind down or to leave scope is over ([`super::Settings::settle_within`]): it is regarded as settled,
    /// whatever it still does.
    fn forced(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }
}

/// The progress of an [`Action`].
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It is still running.
    Running,
    /// It has completed, with this value.
    Done(Value),
    /// It has failed, for this reason.
    Failed(Arc<str>),
}

/// A simple behavior without delegates, such as an animation: it starts, is polled once in each tick, and is stopped if
/// it has not ended by itself.
pub trait Action: Send {
    /// Returns whether the action could be started now.
    fn ready(&self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Starts the action.
    fn start(&mut self, cx: &mut Control<'_>, value: &Value);

    /// Returns the progress of the action. Also called in the tick in which it was started.
    fn poll(&mut self, cx: &mut Control<'_>) -> Progress;

    /// Stops the action, because control was taken from it before it had ended.
    fn stop(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }
}

/// Adapts an action to the runner: a behavior without delegates.
pub(super) struct ActionBehavior<A>(pub(super) A);

impl<A: Action> Behavior for ActionBehavior<A> {
    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        self.0.start(cx, value);
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        if !cx.is_active() {
            return;
        }
        // Neither request can be refused: the behavior is active, and this is its update.
        let _ = match self.0.poll(cx) {
            Progress::Running => Ok(()),
            Progress::Done(value) => cx.complete(value),
            Progress::Failed(why) => cx.fail(why),
        };
    }

    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        if matches!(end, End::Cancelled(_)) {
            self.0.stop(cx);
        }
    }

    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        self.0.ready(cx)
    }
}

/// The declarations of a behavior for the check of the plan: its delegates, which of them it runs side by side, and the
/// resources that it locks while it is active.
#[derive(Clone, Debug, Default)]
pub struct Delegates {
    pub(super) names: Vec<Arc<str>>,
    pub(super) together: Vec<Vec<Arc<str>>>,
    pub(super) locks: Vec<Arc<str>>,
    pub(super) quiet: bool,
}

impl Delegates {
    /// Declares that it may delegate to the behavior of this name. Further declarations of the same name have no
    /// effect.
    pub fn add(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.names.push(name.into());
        self
    }

    /// Declares that it may run these delegates, each of them [added](Delegates::add), side by side: no two may lock
    /// the same resource.
    pub fn together<N: Into<Arc<str>>>(&mut self, names: impl IntoIterator<Item = N>) -> &mut Self {
        self.together.push(names.into_iter().map(Into::into).collect());
        self
    }

    /// Declares that, while it is active, only it, its delegates and theirs may hold this resource.
    pub fn lock(&mut self, resource: impl Into<Arc<str>>) -> &mut Self {
        self.locks.push(resource.into());
        self
    }

    /// Declares that it needs no [`Behavior::update`], in scope or active, and gets none: it acts when it is activated
    /// or asked, and when a delegate has ended. A tick does not visit it.
    pub fn no_updates(&mut self) -> &mut Self {
        self.quiet = true;
        self
    }
}

/// The requests of a behavior to its runner. [`Control`] is the implementation.
pub trait BehaviorRunner {
    /// Asks a delegate whether it wants to be activated. A delegate must be asked in the tick in which it is delegated
    /// to, once for each delegation.
    ///
    /// # Errors
    /// [`Refusal::NotDeclared`], [`Refusal::NotActive`] (only delegates of an active behavior are in scope),
    /// [`Refusal::Deactivating`], [`Refusal::Asking`].
    fn ask(&mut self, delegate: BehaviorId) -> Result<Wants, Refusal>;

    /// Gives control to one delegate, or to several side by side: to all or to none. They are activated at once, in the
    /// order in which they were declared; while others wind down, they are activated after those.
    ///
    /// # Errors
    /// Any [`Refusal`] except [`Refusal::Nobody`] for a single delegate; the first that applies, in the order in which
    /// `docs/reference/runner.md` lists the kinds.
    fn delegate(&mut self, to: &[BehaviorId], value: Value) -> Result<Tickets, Refusal>;

    /// Takes control back from all delegates, and returns how many there were. The behavior gets no notice of them
    /// afterwards, even if one had ended before.
    ///
    /// # Errors
    /// [`Refusal::NotActive`], [`Refusal::Deactivating`], [`Refusal::Asking`].
    fn cancel_delegates(&mut self) -> Result<usize, Refusal>;

    /// Gives control up: the behavior and all its delegates are deactivated as soon as the requesting hook has
    /// returned. Until then every further request is refused.
    ///
    /// # Errors
    /// As [`BehaviorRunner::cancel_delegates`].
    fn cancel_self(&mut self) -> Result<(), Refusal>;

    /// Returns whether the behavior has delegated control.
    fn is_control_delegated(&self) -> bool;

    /// Returns whether the behavior is in control, so that it may delegate.
    fn can_delegate(&self) -> bool;

    /// Gives control to one delegate.
    ///
    /// # Errors
    /// As [`BehaviorRunner::delegate`].
    fn delegate_to(&mut self, to: BehaviorId) -> Result<Ticket, Refusal> {
        Ok(self.delegate(&[to], Value::Null)?.first())
    }

    /// Asks a delegate, and gives control to it if it wants to run.
    ///
    /// # Errors
    /// As [`BehaviorRunner::delegate`]; [`Refusal::SaidNo`] if it does not want to run.
    fn offer(&mut self, to: BehaviorId) -> Result<Ticket, Refusal> {
        self.ask(to)?;
        self.delegate_to(to)
    }
}

/// The runner, as a behavior sees it while one of its hooks is called.
pub struct Control<'r> {
    pub(super) runner: &'r mut Runner,
    pub(super) me: u32,
    pub(super) hook: Hook,
    /// Whether the behavior is active. That does not change while one of its hooks is called.
    pub(super) active: bool,
}
