//! What plays, for the eye: a page in the browser, live or from a recording. `docs/view.md` is its manual, `docs/view-protocol.md`
//! says what goes over the wire.
//!
//! A run is a list of events ([`TraceStore`]), read from a recording or taken from an engine; all events so far make a picture, item by
//! item: which boxes run, the last value of each port, where timelines are (`snapshot.rs`). A page gets the items that have changed
//! since the last time it was ready for some. So a slow page shows fewer pictures, and nobody waits for it. The line of an event is
//! made when a page asks for it.
//!
//! Files: `store.rs` the events of a run, and the picture at any time; `entry.rs` an event, or how the robot stood, and how it is
//! written; `snapshot.rs` and `fold.rs` what it changes; `index.rs` when each item was set, which calls are open, where errors
//! are; `spans.rs` what ran when; `severity.rs` how serious a line is; `queries.rs` what panels ask for: log, series, calls, spans,
//! behaviors; `models.rs` the behaviors that are drawn; `sink.rs` takes an engine's events, on a thread of its own; `server.rs`
//! HTTP and WebSocket; `guard.rs` who may ask, `limits.rs` how much and how long, `seats.rs` how many; `robot.rs` what is drawn of a robot; `tablet.rs`
//! the pages of its tablet, on an origin of their own.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod entry;
mod fold;
mod gallery;
mod guard;
mod index;
mod limits;
mod models;
mod protocol;
mod queries;
mod robot;
mod seats;
mod server;
mod severity;
mod shared;
mod sink;
mod snapshot;
mod spans;
mod store;
mod tablet;

pub use gallery::{Entry, Findings, Gallery, Hung, Run};
pub use guard::{Access, NoToken, Token};
pub use limits::Limits;
pub use models::{Model, Models};
pub use protocol::{Command, LinkEnd, PROTOCOL, Stop};
pub use robot::Robot;
pub use server::{Controls, Server, Show};
pub use shared::SharedStore;
pub use sink::ViewSink;
pub use store::{BadLine, TraceStore};
