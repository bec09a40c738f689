//! The qi messaging protocol.
#![forbid(unsafe_code)]

mod capabilities;
mod decode;
mod encode;
mod message;
mod meta;
mod object;
mod signature;
#[cfg(feature = "testing")]
pub mod testing;
mod value;

pub use capabilities::{
    AuthState, CLIENT_SERVER_SOCKET, Capabilities, Credentials, MESSAGE_FLAGS, META_OBJECT_CACHE, OBJECT_PTR_UID,
    REMOTE_CANCELABLE_CALLS,
};
pub use decode::{DecodeError, DecodeFault, Decoder, MAX_VALUES, decode};
pub use encode::{EncodeError, EncodeFault, encode};
pub use message::{
    Address, DYNAMIC, FrameError, HEADER, Header, Kind, MAGIC, MAX_PAYLOAD, Message, RETURN_TYPE, read_message,
};
pub use meta::{FIRST_OWN, META_OBJECT, MetaMethod, MetaObject, MetaProperty, MetaSignal};
pub use object::{ObjectLayout, ObjectRef, ObjectValue, Objects};
pub use signature::{Annotation, MAX_DEPTH, Signature, SignatureError, SignatureFault, TupleType};
pub use value::{List, Map, Optional, Tuple, Value};
