//! The qi messaging protocol of NAO and Pepper robots (NAOqi, libqi): a client, a service host, and the wire format.
//!
//! ```
//! use boxstep_qi::{ObjectBuilder, Server, Session, args};
//! use std::sync::mpsc::channel;
//!
//! // One process offers a service, as a robot does.
//! let lamp = ObjectBuilder::new("A lamp.")
//!     .method("dim::(f)->s", |args| Ok(format!("at {}", args[0].as_f64().unwrap_or(0.0)).into()))
//!     .signal("switched", "(b)")
//!     .property("colour", "s", "white")
//!     .build()?;
//! let server = Server::listen("127.0.0.1:0")?;
//! server.register("Lamp", lamp.clone())?;
//!
//! // Another process, or this one, uses it.
//! let session = Session::connect(&server.address().to_string())?;
//! let remote = session.service("Lamp")?;
//! assert_eq!(remote.call("dim", &args![0.5])?.as_str(), Some("at 0.5"));
//! remote.set_property("colour", "red")?;
//! assert_eq!(lamp.get("colour").unwrap().as_str(), Some("red"));
//!
//! let (sender, receiver) = channel();
//! let subscription = remote.subscribe("switched", move |args| sender.send(args[0].as_bool()).unwrap())?;
//! lamp.emit("switched", &args![true])?;
//! assert_eq!(receiver.recv()?, Some(true));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - [`Session`] is a client. [`Remote`] is a peer's object, [`Pending`] a call in progress, and [`Subscription`] a
//!   connected signal listener.
//! - [`Lasting`] is a session that reconnects after the robot has gone, and restores its subscriptions.
//! - [`Server`] listens and has its own service directory. [`Object`] is the trait of objects that peers may call, and
//!   [`ObjectBuilder`] makes one from closures. A client may offer services too ([`Session::register`]), pass objects
//!   as arguments, and receive objects in return.
//! - [`Value`] and [`Signature`] are the protocol's values and types, [`decode()`] and [`encode()`] their wire format.
//!   [`MetaObject`] describes the members of an object, and [`Message`] is what travels on the socket.
//! - [`Error`] distinguishes a refusal, a timeout and a lost connection, and each error has a readable message.
//!
//! # Threads
//!
//! The library needs no async runtime. One thread reads each socket, or the thread that waits for an answer reads it.
//! The sending thread writes. Calls of local objects and signal listeners run on a thread pool, so they may block and
//! call the peer. Functions given to [`Pending::then`], [`Reply::on_cancel`] and [`Connection::on_close`], and objects
//! with [`Turns::AtOnce`], run on the thread that reads the socket, and must not block.
//!
//! # Limits
//!
//! Memory use is bounded whatever a peer sends: [`Options`] bounds messages and queues, [`MAX_DEPTH`] and
//! [`MAX_VALUES`] bound values. A peer that does not read, or that sends faster than its messages are handled, is
//! disconnected.
//!
//! With the feature `tls` connections may be encrypted (`tcps`); [`Trust`] says which certificates are accepted.
#![forbid(unsafe_code)]

mod budget;
mod builder;
mod capabilities;
mod connection;
mod decode;
mod directory;
mod encode;
mod endpoint;
mod error;
mod hosting;
mod lasting;
mod listener;
mod machine;
mod message;
mod meta;
mod object;
mod options;
mod os;
mod outbox;
mod pending;
mod pool;
mod reading;
mod refusal;
mod relay;
mod remote;
mod server;
mod service_info;
mod session;
mod signature;
mod subscriptions;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "tls")]
mod tls;
mod transport;
mod trust;
mod value;
mod watched;

pub use builder::{BuildError, BuildFault, BuiltObject, ObjectBuilder};
pub use capabilities::{
    AuthState, CLIENT_SERVER_SOCKET, Capabilities, Credentials, MESSAGE_FLAGS, META_OBJECT_CACHE, OBJECT_PTR_UID,
    REMOTE_CANCELABLE_CALLS,
};
pub use connection::Connection;
pub use decode::{DecodeError, DecodeFault, Decoder, MAX_VALUES, decode};
pub use encode::{EncodeError, EncodeFault, encode};
pub use endpoint::{Endpoint, PORT, TLS_PORT};
pub use error::{Error, Failure, Gone};
pub use lasting::{Kept, Lasting, Link, Pauses};
pub use message::{
    Address, DYNAMIC, FrameError, HEADER, Header, Kind, MAGIC, MAX_FIRST_PAYLOAD, MAX_PAYLOAD, Message, RETURN_TYPE,
    read_message,
};
pub use meta::{FIRST_OWN, META_OBJECT, MetaMethod, MetaObject, MetaProperty, MetaSignal};
pub use object::{
    Answer, Call, Listening, Object, ObjectLayout, ObjectRef, ObjectValue, Objects, Reply, Signals, Turns,
};
pub use options::{FindHost, Options};
pub use pending::Pending;
pub use remote::Remote;
pub use server::Server;
pub use service_info::ServiceInfo;
pub use session::{Registered, Session};
pub use signature::{Annotation, MAX_DEPTH, Signature, SignatureError, SignatureFault, TupleType};
pub use subscriptions::Subscription;
#[cfg(feature = "tls")]
pub use tls::Identity;
pub use trust::{Fingerprint, Trust};
pub use value::{List, Map, Optional, Tuple, Value};
