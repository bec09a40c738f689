//! The view: a page in the browser that shows a run, live or from a recording. `docs/guides/view.md` is its manual,
//! `docs/reference/view-protocol.md` describes the messages between server and page.
//!
//! A run is a list of events ([`TraceStore`]), read from a recording or received from an engine. All events up to a
//! time determine a snapshot, which consists of items: which boxes run, the last value of each port, where timelines
//! are (`snapshot.rs`). Whenever a page is ready for a snapshot, it gets the items that have changed since the last
//! one. So a slow page gets fewer snapshots, and delays nothing else. An event is formatted as a line only when a page
//! requests it.
//!
//! Files: `store.rs` has the events of a run, and the snapshot at any time; `entry.rs` an event or a pose of the
//! robot, and its form as a line; `snapshot.rs` and `fold.rs` how it changes a snapshot; `index.rs` when each item was
//! set, which calls are open, and where errors are; `spans.rs` what ran when; `severity.rs` how serious a line is;
//! `queries.rs` the queries of panels: log, series, calls, spans, behaviors; `table.rs` values as a table; `models.rs` the behaviors that are drawn;
//! `sink.rs` receives an engine's events, on a thread of its own; `server.rs` HTTP and WebSocket; `assets.rs` the files of the page; `guard.rs` who may
//! send requests, `limits.rs` how much and for how long, `seats.rs` how many at a time; `files.rs` files of the
//! behavior's folder; `editing.rs` how pages change files, `library.rs` which boxes they can add; `robot.rs` what is drawn of a robot; `tablet.rs` the pages of its tablet, on an origin of their own; `fleet.rs` the page of a show, with a lane for each robot.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod assets;
mod editing;
mod entry;
mod files;
mod fleet;
mod fold;
mod gallery;
mod guard;
mod index;
mod library;
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
mod table;
mod tablet;
mod texts;
mod trial;

pub use editing::Editor;
pub use fleet::{Lane, LaneState, SharedShow, ShowControls, ShowEntry, ShowEvent, ShowPage, ShowState};
pub use gallery::{
    ChangedFile, Entry, Findings, Gallery, Listing, NewEntry, Outcome, ProjectChange, ProjectWish, RobotAnswer,
    RobotList, RobotWish, Run, RunState,
};
pub use guard::{Access, NoToken, Token};
pub use limits::Limits;
pub use models::{Model, Models};
pub use protocol::{Command, LinkEnd, PROTOCOL, Stop};
pub use robot::Robot;
pub use server::{Controls, Server, Show};
pub use shared::SharedStore;
pub use sink::ViewSink;
pub use store::{BadLine, TraceStore};
pub use tablet::{OtherServices, Tablet, TabletEngine, TabletRun};
pub use texts::{TextEntry, TextRequest, TextState, Texts};
