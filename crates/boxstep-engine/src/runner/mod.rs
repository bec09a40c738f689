//! Runners of behaviors on an engine's clock. What a runner is, and its rules, is the kernel's ([`boxstep_kernel::runner`]), whose words are
//! here, too; what is added are a clock, a trace, boxes, resources of the robot, and scripts.
//!
//! Files: `hosted.rs` a runner on the engine's clock, `told.rs` its lines of the trace, `deferred.rs` what its behaviors have that engine
//! do, `claims.rs` what they lock there; `scripted.rs`, `hooks.rs` behaviors in Python.

mod claims;
mod deferred;
mod hooks;
pub(crate) mod host;
mod scripted;
mod trace_events;

pub use boxstep_kernel::runner::{
    Action, Behavior, BehaviorId, BehaviorRunner, By, ByName, Control, Delegates, End, Exchange, Happened, Hook, Input,
    Law, News, NotTaken, Plan, Problem, Progress, Refusal, Report, RootPolicy, Runner, Settings, Ticket, Tickets,
    TopicId, View, Visit, Wants, Way, What, WhyNot, Wrong, outline, walk,
};
pub use deferred::{DeferredCall, DeferredCalls, Standing};
pub use hooks::{HOOK_WITHIN, Scripts};
pub use host::{NotHosted, RELOAD_WITHIN, RunnerId};
pub use scripted::{ScriptBehavior, ask_scripts};

pub(crate) use boxstep_kernel::runner::NOBODY;
