//! Objects as values.

use crate::meta::MetaObject;
use std::sync::Arc;

/// What stands for an object in a [`Value`](crate::Value).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ObjectValue {
    /// An object as it lies on the wire: an address that means something on one socket alone.
    Ref(Box<ObjectRef>),
}

/// The address of an object, and what it can do.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectRef {
    /// What it can do. Missing only where [`ObjectLayout::cache`] is on and the peer has sent it before.
    pub meta: Option<Arc<MetaObject>>,
    /// Under which number the peer remembers the meta object, where [`ObjectLayout::cache`] is on.
    pub cache: u32,
    /// The service it belongs to.
    pub service: u32,
    /// Its number there; 0 is no object.
    pub object: u32,
    /// What makes it known everywhere; zeros where [`ObjectLayout::uid`] is off.
    pub uid: [u8; 20],
}

/// How objects are laid out on a socket; both sides' capabilities decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectLayout {
    /// `ObjectPtrUID`: 20 bytes of identity at the end.
    pub uid: bool,
    /// `MetaObjectCache`: meta objects are sent once and then by number.
    pub cache: bool,
}

/// What the codec asks when it meets an object.
pub trait Objects {
    /// How objects are laid out.
    fn layout(&self) -> ObjectLayout;

    /// An object was read.
    fn arrived(&self, reference: ObjectRef) -> ObjectValue {
        ObjectValue::Ref(Box::new(reference))
    }

    /// An object is about to be written. `None`: it cannot travel on this socket.
    fn leaving(&self, object: &ObjectValue) -> Option<ObjectRef>;
}

/// Objects as plain addresses, outside of any connection.
impl Objects for ObjectLayout {
    fn layout(&self) -> ObjectLayout {
        *self
    }

    fn leaving(&self, object: &ObjectValue) -> Option<ObjectRef> {
        match object {
            ObjectValue::Ref(reference) => Some((**reference).clone()),
        }
    }
}
