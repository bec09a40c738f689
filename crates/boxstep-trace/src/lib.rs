//! The trace of a run: a header, numbered events and a footer, and their form as lines of JSON.
//!
//! An [`Event`] has a number, a time, the number of the event that caused it, the path of its box, and a [`Kind`] with
//! typed fields. The engine emits events and passes them to [`Sink`]s in batches. [`EventLine`] writes them,
//! [`Reader`] reads them, and a [`Recording`] keeps the events of a whole run in memory. `docs/reference/trace.md` describes the
//! lines.
//!
//! ```
//! use boxstep_trace::{Kind, Line, Reader};
//!
//! let mut reader = Reader::default();
//! reader.line(r#"{"schema":1,"product":"boxstep 0.1.0","clock":"virtual"}"#)?;
//! let line = reader.line(r#"{"n":1,"t":500000000,"cause":0,"path":"root/Say","kind":"output","port":"onStopped","value":null}"#)?;
//! let Line::Event(event) = line else { panic!("the line of an event") };
//! assert!(matches!(event.kind, Kind::Output { port, .. } if port == "onStopped"));
//! assert_eq!(reader.paths.text(event.path), "root/Say");
//! # Ok::<(), serde_json::Error>(())
//! ```

mod control;
mod delegation;
mod dialog;
mod digest;
mod event;
mod line;
mod name;
mod paths;
mod recording;
mod run;
#[cfg(feature = "schema")]
mod schema;
mod serial;
mod show;
mod sink;
mod words;

pub use control::Control;
pub use delegation::{ConditionResult, CooldownEvent, Delegation, DelegationEnd, DelegationEvent, Plan, PlanEntry};
pub use dialog::{DialogEvent, NearRule, RulePlace};
pub use digest::{WHOLE, is_robot_outside};
pub use event::{
    Act, Busy, CallEvent, Event, Incoming, Kind, Outgoing, Place, ReloadEvent, ReplyEvent, ResourceEvent, ScriptError,
    Unread,
};
pub use line::{EventLine, Line, Reader};
pub use name::Name;
pub use paths::{PathId, PathTexts, Paths};
pub use recording::{Chain, ReadError, Recorded, Recorder, Recording};
pub use run::{Footer, Header, Schema};
#[cfg(feature = "schema")]
pub use schema::schema;
pub use show::{ShowEvent, ShowHeader, ShowRobot, ShowRun};
pub use sink::{Pose, Sink, TorsoPose};
pub use words::{
    BehaviorPhase, BoxPhase, ClockKind, DiagramPhase, Dir, DropReason, EndReason, LogLevel, ReloadPhase, Request,
    ResourcePhase, TimelinePhase, ValueType, YesNo,
};
