//! Runners of behaviors on an engine's clock. The kernel ([`boxstep_kernel::runner`]) has the runner and its rules, and its words are
//! exported here, too; the engine adds a clock, a trace, boxes, resources of the robot, and scripts.
//!
//! Files: `host.rs` a runner on the engine's clock, `trace_events.rs` its lines of the trace, `paths.rs` where these are, `deferred.rs` the calls that its behaviors
//! leave to the engine, `causes.rs` which lines these follow from, `claims.rs` the resources that they lock; `scripted.rs`, `hooks.rs`
//! behaviors in Python.

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
pub use deferred::{DeferredCall, DeferredCalls, Standing};
pub use hooks::{HOOK_WITHIN, Scripts};
pub use host::{NotHosted, RELOAD_WITHIN, RunnerId};
pub use scripted::{ScriptBehavior, ask_scripts};

pub(crate) use boxstep_kernel::runner::NOBODY;
