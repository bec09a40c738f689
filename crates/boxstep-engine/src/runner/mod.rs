//! Runners of behaviors on an engine's clock. The kernel ([`boxstep_kernel::runner`]) owns the runner and its rules,
//! and this module re-exports its items; the engine adds a clock, a trace, boxes, the robot's resources, and scripts.
//!
//! Files: `host.rs` drives a runner on the engine's clock, `trace_events.rs` writes its trace events, `paths.rs` gives
//! their paths, `deferred.rs` queues the calls that behaviors defer to the engine, `causes.rs` finds the causes of
//! these calls, `claims.rs` claims the resources that behaviors lock; `scripted.rs` and `hooks.rs` run behaviors in
//! Python.

mod causes;
mod claims;
mod deferred;
mod hooks;
pub(crate) mod host;
mod paths;
mod scripted;
mod trace_events;

pub use boxstep_kernel::runner::{
    Action, Behavior, BehaviorId, BehaviorRunner, By, ByName, Control, Delegates, End, Exchange, Happened, Hook, Input,
    Law, News, NotTaken, Plan, Problem, Progress, Refusal, Report, RootPolicy, Runner, Settings, Ticket, Tickets,
    TopicId, View, Visit, Wants, Way, What, WhyNot, Wrong, outline, walk,
};
pub use claims::resource_of;
pub use deferred::{DeferredCall, DeferredCalls, LoadState};
pub(crate) use hooks::hook_result;
pub use hooks::{HOOK_WITHIN, Scripts};
pub use host::{NotHosted, RELOAD_WITHIN, RunnerId};
pub(crate) use scripted::Go;
pub use scripted::{ScriptBehavior, ask_scripts};

pub(crate) use boxstep_kernel::runner::NOBODY;
