//! What plays, for the eye: a page in the browser, live or from a recording. `docs/view.md` is its manual, `docs/view-protocol.md`
//! says what goes over the wire.
//!
//! A run is told line by line, as a trace is ([`Story`]); all lines so far make a picture, item by item: which boxes run, the last
//! value of each port, where timelines are (`picture.rs`). A page gets the items that have changed since the last time it was
//! ready for some. So a slow page shows fewer pictures, and nobody waits for it.
//!
//! Files: `story.rs` the lines of a run, and the picture at any time; `picture.rs` what a line changes; `feed.rs` an engine's events
//! become lines, on a thread of their own; `server.rs` HTTP and WebSocket; `guard.rs` who may ask.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod feed;
mod guard;
mod picture;
mod protocol;
mod server;
mod story;

pub use feed::Feed;
pub use protocol::{Command, PROTOCOL, Stop};
pub use server::{Controls, Model, Server, Show};
pub use story::{BadLine, Shelf, Story};
