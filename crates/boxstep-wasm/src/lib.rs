//! A behavior in a web page without a server: the page asks a [`Session`] what it would ask a program over HTTP.
//!
//! Compiled for WebAssembly this crate is a module without imports: it reaches no file, no network and no clock. `abi.rs`
//! is what a page calls; everything behind it is plain Rust, which programs and tests can use as well.
//!
//! ```
//! use boxstep_wasm::Session;
//!
//! let xar = br#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1" tooltip="old"/></ChoregrapheProject>"#;
//! let mut session = Session::open("behavior.xar", xar)?;
//! let op = r#"{"op":"set_tooltip","box":"root","tooltip":"new"}"#;
//! session.ask(&format!(r#"{{"ask":"edit","request":{{"do":"apply","label":"hint","ops":[{op}]}}}}"#))?;
//! assert!(session.ask(r#"{"ask":"text"}"#)?.contains(r#"tooltip="new""#));
//! # Ok::<(), boxstep_wasm::Refusal>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod abi;
mod refusal;
mod session;

pub use refusal::Refusal;
pub use session::{Request, Session};
