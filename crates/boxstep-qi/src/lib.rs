//! The qi messaging protocol.
#![forbid(unsafe_code)]

mod builder;
mod capabilities;
mod connection;
mod decode;
mod directory;
mod encode;
mod endpoint;
mod error;
mod hosting;
mod message;
mod meta;
mod object;
mod options;
mod outbox;
mod pending;
mod pool;
mod remote;
mod server;
mod service_info;
mod session;
mod signature;
mod subscriptions;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

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
pub use message::{
    Address, DYNAMIC, FrameError, HEADER, Header, Kind, MAGIC, MAX_PAYLOAD, Message, RETURN_TYPE, read_message,
};
pub use meta::{FIRST_OWN, META_OBJECT, MetaMethod, MetaObject, MetaProperty, MetaSignal};
pub use object::{
    Answer, Call, Listening, Object, ObjectLayout, ObjectRef, ObjectValue, Objects, Reply, Signals, Turns,
};
pub use options::Options;
pub use pending::Pending;
pub use remote::Remote;
pub use server::Server;
pub use service_info::ServiceInfo;
pub use session::{Registered, Session};
pub use signature::{Annotation, MAX_DEPTH, Signature, SignatureError, SignatureFault, TupleType};
pub use subscriptions::Subscription;
pub use value::{List, Map, Optional, Tuple, Value};
