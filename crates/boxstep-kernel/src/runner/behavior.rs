//! What users write, and what they may ask of the runner.

use super::{BehaviorId, End, Hook, Refusal, Runner, Ticket, Tickets, Wants};
use boxstep_types::Value;
use std::any::Any;
use std::sync::Arc;

/// A behavior: hooks that the runner calls. Each has a body that does nothing, and none has to call it.
///
/// Hooks come in this order: `init` once; then, as often as it happens, `entered_scope`, any number of activations
/// (`activated`, `deactivated`), `left_scope`. `update` comes once in each tick from `entered_scope` to `left_scope`. What may be
/// asked of the runner in which hook is the table of `docs/runner.md`.
pub trait Behavior: Send {
    /// Shortly after it was made: look up delegates ([`Control::find`]), subscribe to topics.
    fn init(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// An engine that has taken the runner is about to have it tick for the first time: what the behavior needs of the engine can be
    /// had from now on. In the order of the plan, before anybody is in scope; not for a runner that is ticked by hand.
    fn hosted(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// It has become a possible delegate of an active behavior. If several declare it, only the first one causes this call.
    fn entered_scope(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// It is given control, and with it whatever the one that delegates gave along. Its delegates are in scope: it may ask
    /// and delegate at once.
    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        let _ = (cx, value);
    }

    /// It has lost control, by itself or by a behavior nearer the root. Not called when it delegates.
    fn deactivated(&mut self, cx: &mut Control<'_>, end: &End) {
        let _ = (cx, end);
    }

    /// No active behavior may delegate to it any more: stop what `entered_scope` has begun.
    fn left_scope(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// Does it want to take over control? Only the answer counts: every request made here is refused, and a yes is no promise that
    /// it will be activated.
    fn wants_to_be_activated(&self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Once in each tick while it is in scope, active or not, unless it needs none ([`Delegates::no_updates`]): [`Control::events`] has what happened since the last tick.
    fn update(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }

    /// A delegation of its has ended without its doing; it is in control again unless others of the same request
    /// still run. In the tick in which that happened, unless [`super::Settings::hand_over_next_tick`]. No update.
    fn on_delegate_ended(&mut self, cx: &mut Control<'_>, ticket: Ticket, end: &End) {
        let _ = (cx, ticket, end);
    }

    /// Every behavior that it may ever delegate to. Asked once, when the plan is checked.
    fn all_delegates(&self, all: &mut Delegates) {
        let _ = all;
    }

    /// For behaviors that take time to come into scope, to wind down or to leave scope: is what the last of `entered_scope`,
    /// `deactivated` and `left_scope` has begun over? Asked after each of these, and then at the start of each tick until it is.
    fn settled(&mut self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Would it go on under a new plan that has news for it ([`super::Exchange::renew`])? Asked only while it is active; `lost` are those of
    /// its active delegates that it has not there, and that are cancelled then. Nothing may be changed yet.
    fn may_renew(&self, news: &(dyn Any + Send), lost: &[BehaviorId]) -> bool {
        let _ = news;
        lost.is_empty()
    }

    /// The runner goes on by another plan, and so does this behavior: with news, or as it was. Its delegates may be other instances of
    /// the same name: they have to be looked up again ([`Control::find`]). It can make no requests here.
    fn replanned(&mut self, cx: &mut Control<'_>, news: Option<super::News>) {
        let _ = (cx, news);
    }

    /// Its time to wind down or to leave scope is over ([`super::Settings::settle_within`]): it is regarded as settled, whatever
    /// it still does.
    fn forced(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }
}

/// How far an [`Action`] has come.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// It goes on.
    Running,
    /// It is over.
    Done(Value),
    /// It could not be done: why.
    Failed(Arc<str>),
}

/// Something plain that a behavior can delegate to, such as an animation: it starts, is looked at once in each tick, and
/// is stopped if it has not ended by itself.
pub trait Action: Send {
    /// Could it be started now?
    fn ready(&self, cx: &mut Control<'_>) -> bool {
        let _ = cx;
        true
    }

    /// Starts it.
    fn start(&mut self, cx: &mut Control<'_>, value: &Value);

    /// How far has it come? Also in the tick in which it was started.
    fn poll(&mut self, cx: &mut Control<'_>) -> Progress;

    /// Control was taken from it before it had ended.
    fn stop(&mut self, cx: &mut Control<'_>) {
        let _ = cx;
    }
}

/// An action as the runner sees it: a behavior without delegates.
pub(super) struct Plain<A>(pub(super) A);

impl<A: Action> Behavior for Plain<A> {
    fn activated(&mut self, cx: &mut Control<'_>, value: &Value) {
        self.0.start(cx, value);
    }

    fn update(&mut self, cx: &mut Control<'_>) {
        if !cx.is_active() {
            return;
        }
        // Neither can be refused: it is active, and this is its update.
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

/// What a behavior says of itself when the plan is checked: its delegates, which of them it runs side by side, and the
/// resources that it locks while it is active.
#[derive(Clone, Debug, Default)]
pub struct Delegates {
    pub(super) names: Vec<Arc<str>>,
    pub(super) together: Vec<Vec<Arc<str>>>,
    pub(super) locks: Vec<Arc<str>>,
    pub(super) quiet: bool,
}

impl Delegates {
    /// It may delegate to the behavior of this name. Named again, that says nothing new.
    pub fn add(&mut self, name: impl Into<Arc<str>>) -> &mut Self {
        self.names.push(name.into());
        self
    }

    /// It may run these, each of them [added](Delegates::add), side by side: no two may lock the same resource.
    pub fn together<N: Into<Arc<str>>>(&mut self, names: impl IntoIterator<Item = N>) -> &mut Self {
        self.together.push(names.into_iter().map(Into::into).collect());
        self
    }

    /// While it is active, only it, its delegates and theirs may have this resource.
    pub fn lock(&mut self, resource: impl Into<Arc<str>>) -> &mut Self {
        self.locks.push(resource.into());
        self
    }

    /// It needs no [`Behavior::update`], in scope or active, and none comes: it acts when it is activated or asked, and when a delegate
    /// has ended. A tick does not visit it then.
    pub fn no_updates(&mut self) -> &mut Self {
        self.quiet = true;
        self
    }
}

/// The requests of a behavior to its runner. [`Control`] is the implementation.
pub trait BehaviorRunner {
    /// Does a delegate want to be activated? It has to be asked in the tick in which it is delegated to, once for each
    /// delegation.
    ///
    /// # Errors
    /// [`Refusal::NotDeclared`], [`Refusal::NotActive`] (only delegates of an active behavior are in scope),
    /// [`Refusal::Deactivating`], [`Refusal::Asking`].
    fn ask(&mut self, delegate: BehaviorId) -> Result<Wants, Refusal>;

    /// Gives control to one delegate, or to several side by side: to all or none. They are activated at once, in the order in which
    /// they were declared; while others wind down, when those have.
    ///
    /// # Errors
    /// Any [`Refusal`] but [`Refusal::Nobody`] for one; the first that applies, in the order in which the kinds are
    /// listed in `docs/runner.md`.
    fn delegate(&mut self, to: &[BehaviorId], value: Value) -> Result<Tickets, Refusal>;

    /// Takes control back from all delegates. Gives how many there were. It is not notified of them afterwards, even if one had ended before.
    ///
    /// # Errors
    /// [`Refusal::NotActive`], [`Refusal::Deactivating`], [`Refusal::Asking`].
    fn cancel_delegates(&mut self) -> Result<usize, Refusal>;

    /// Gives control up: the behavior and all its delegates are deactivated as soon as the hook that asks has
    /// returned. Until then every further request is refused.
    ///
    /// # Errors
    /// As [`BehaviorRunner::cancel_delegates`].
    fn cancel_self(&mut self) -> Result<(), Refusal>;

    /// Has it delegated control?
    fn is_control_delegated(&self) -> bool;

    /// Is it in control, so that it may delegate?
    fn can_delegate(&self) -> bool;

    /// Gives control to one delegate.
    ///
    /// # Errors
    /// As [`BehaviorRunner::delegate`].
    fn delegate_to(&mut self, to: BehaviorId) -> Result<Ticket, Refusal> {
        Ok(self.delegate(&[to], Value::Null)?.first())
    }

    /// Asks a delegate and gives control to it if it wants it.
    ///
    /// # Errors
    /// As [`BehaviorRunner::delegate`]; [`Refusal::SaidNo`] if it does not want it.
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
    /// It is active: that does not change while a hook of it is called.
    pub(super) active: bool,
}
