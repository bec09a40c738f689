//! The meta objects that a peer has sent with a number, where both sides have `MetaObjectCache`.

use crate::decode::DecodeFault;
use crate::meta::MetaObject;
use crate::object::ObjectRef;
use crate::pool::lock;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// The most members of kept meta objects, so that no peer can fill the memory.
const MOST_MEMBERS: usize = 1 << 16;

#[derive(Default)]
pub(crate) struct CachedMetas {
    received: Mutex<Received>,
    sent: AtomicU32,
}

#[derive(Default)]
struct Received {
    metas: BTreeMap<u32, Arc<MetaObject>>,
    members: usize,
}

/// A meta object without members takes memory, too.
fn members(meta: &MetaObject) -> usize {
    1 + meta.methods.len() + meta.signals.len() + meta.properties.len()
}

impl CachedMetas {
    /// Returns a number for a meta object that is sent. It is sent each time, as libqi does, so nobody has to keep it.
    pub(crate) fn number(&self) -> u32 {
        self.sent.fetch_add(1, Ordering::Relaxed)
    }

    /// Keeps the meta object that came with an object, or finds the one that it refers to.
    pub(crate) fn resolve(&self, mut reference: ObjectRef) -> Result<ObjectRef, DecodeFault> {
        let mut received = lock(&self.received);
        match &reference.meta {
            Some(meta) => {
                let before = received.metas.remove(&reference.cache).map_or(0, |before| members(&before));
                received.members -= before;
                if received.members + members(meta) <= MOST_MEMBERS {
                    received.members += members(meta);
                    received.metas.insert(reference.cache, Arc::clone(meta));
                }
            }
            // No object needs no description.
            None if reference.object == 0 => {}
            None => {
                let unknown = DecodeFault::UnknownMeta { number: reference.cache };
                reference.meta = Some(received.metas.get(&reference.cache).cloned().ok_or(unknown)?);
            }
        }
        Ok(reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::meta::MetaSignal;
    use crate::signature::Signature;

    fn reference(meta: Option<MetaObject>, cache: u32) -> ObjectRef {
        ObjectRef { meta: meta.map(Arc::new), cache, service: 1, object: 2, uid: [0; 20] }
    }

    #[test]
    fn a_meta_object_is_found_by_the_number_that_it_came_with() {
        let cached = CachedMetas::default();
        let meta = MetaObject { description: "a lamp".to_owned(), ..MetaObject::default() };
        assert_eq!(cached.resolve(reference(None, 7)), Err(DecodeFault::UnknownMeta { number: 7 }));
        cached.resolve(reference(Some(meta.clone()), 7)).unwrap();
        assert_eq!(cached.resolve(reference(None, 7)).unwrap().meta.as_deref(), Some(&meta));
        assert_ne!(cached.number(), cached.number());
    }

    #[test]
    fn a_peer_that_sends_many_is_not_kept_in_memory() {
        let cached = CachedMetas::default();
        let mut large = MetaObject::default();
        for id in 0..50_000 {
            large.signals.insert(id, MetaSignal { name: String::new(), signature: Signature::Dynamic });
        }
        for number in 0..2 {
            let arrived = cached.resolve(reference(Some(large.clone()), number)).unwrap();
            assert!(arrived.meta.is_some(), "it can be used");
        }
        assert!(cached.resolve(reference(None, 0)).is_ok());
        assert_eq!(cached.resolve(reference(None, 1)), Err(DecodeFault::UnknownMeta { number: 1 }));
        cached.resolve(reference(Some(MetaObject::default()), 0)).unwrap();
        cached.resolve(reference(Some(large), 1)).unwrap();
        assert!(cached.resolve(reference(None, 1)).is_ok(), "what is replaced makes room");
    }
}
