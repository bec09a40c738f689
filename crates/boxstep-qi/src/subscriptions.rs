//! Subscriptions to a peer's signals. There is one registration with the peer for each signal, however many listeners
//! there are.

use crate::budget::Held;
use crate::connection::{Connection, ConnectionInner, Traffic};
use crate::decode::decode;
use crate::error::{Error, Gone};
use crate::message::{Address, DYNAMIC, Message};
use crate::object::SignalListener;
use crate::pool::lock;
use crate::signature::Signature;
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

/// The numbers of the peer's generic methods.
pub(crate) const REGISTER: u32 = 0;
pub(crate) const UNREGISTER: u32 = 1;

#[derive(Default)]
pub(crate) struct Subscriptions {
    state: Mutex<SubscriptionState>,
    /// Locked while a registration is in progress, so that a second listener of the same signal does not return before
    /// it is complete.
    registering: Mutex<()>,
}

#[derive(Default)]
struct SubscriptionState {
    signals: HashMap<Address, Registration>,
    next: u64,
}

struct Registration {
    link: u64,
    signature: Signature,
    listeners: Vec<(u64, SignalListener)>,
}

/// A subscription to a peer's signal; it ends when this is dropped.
#[must_use = "dropping this ends the subscription"]
pub struct Subscription {
    connection: Connection,
    signal: Address,
    id: u64,
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Subscription({})", self.signal)
    }
}

impl Subscription {
    /// Subscribes to a signal of this signature.
    pub(crate) fn new(
        connection: &Connection,
        signal: Address,
        signature: &Signature,
        listener: SignalListener,
    ) -> Result<Subscription, Error> {
        let inner = connection.inner();
        let subscriptions = &inner.subscriptions;
        let _one_by_one = lock(&subscriptions.registering);
        let mut state = lock(&subscriptions.state);
        state.next += 1;
        let id = state.next;
        let subscription = || Subscription { connection: connection.clone(), signal, id };
        if let Some(registration) = state.signals.get_mut(&signal) {
            registration.listeners.push((id, listener));
            return Ok(subscription());
        }
        // The number is formed as libqi forms it, which makes it recognizable in packet captures. Events may arrive
        // before the answer, so the listener is added first.
        let link = u64::from(signal.action) << 32 | (id & 0xffff_ffff);
        let registration = Registration { link, signature: signature.clone(), listeners: vec![(id, listener)] };
        state.signals.insert(signal, registration);
        drop(state);
        let args = [Value::U32(signal.service), Value::U32(signal.action), Value::U64(link)];
        let register = Address { action: REGISTER, ..signal };
        let answer = inner
            .call_known(register, &args, "IIL", Signature::U64)
            .and_then(|pending| pending.wait_for(inner.options.answer_within));
        match answer {
            Ok(_) => Ok(subscription()),
            Err(e) => {
                lock(&subscriptions.state).signals.remove(&signal);
                Err(e)
            }
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let inner = self.connection.inner();
        let link = {
            let mut state = lock(&inner.subscriptions.state);
            let Some(registration) = state.signals.get_mut(&self.signal) else { return };
            registration.listeners.retain(|(id, _)| *id != self.id);
            if !registration.listeners.is_empty() {
                return;
            }
            let link = registration.link;
            state.signals.remove(&self.signal);
            link
        };
        let args = [Value::U32(self.signal.service), Value::U32(self.signal.action), Value::U64(link)];
        let unregister = Address { action: UNREGISTER, ..self.signal };
        // Nobody waits for the answer: events that still arrive are ignored.
        if let Ok(pending) = inner.call_known(unregister, &args, "IIL", Signature::Void) {
            drop(pending);
        }
    }
}

impl ConnectionInner {
    /// Handles an emission of a peer's signal. Listeners are called in order, but not on the thread that reads.
    pub(crate) fn event(self: &Arc<Self>, message: Message, held: Held) -> Result<(), Gone> {
        if !lock(&self.subscriptions.state).signals.contains_key(&message.header.address) {
            return Ok(());
        }
        let size = message.payload.len();
        let Some(ticket) = self.gate.enter(size, self.options.patience) else { return Err(Gone::Overrun) };
        let inner = Arc::clone(self);
        self.events.run(Box::new(move || {
            inner.deliver(&message);
            drop((ticket, held));
        }));
        Ok(())
    }

    fn deliver(self: &Arc<Self>, message: &Message) {
        let address = message.header.address;
        let Some((signature, listeners)) = ({
            let state = lock(&self.subscriptions.state);
            let found = state.signals.get(&address);
            found.map(|r| (r.signature.clone(), r.listeners.iter().map(|(_, l)| Arc::clone(l)).collect::<Vec<_>>()))
        }) else {
            return;
        };
        let dynamic = message.header.flags & DYNAMIC != 0;
        let traffic = Traffic::theirs(self, address.service);
        let signature = if dynamic { Signature::Dynamic } else { signature };
        // An invalid event is the peer's fault. Nobody can be notified, and the next one may be valid.
        let Ok(value) = decode(&message.payload, &signature, &traffic) else { return };
        for listener in listeners {
            match value.as_slice() {
                Some(args) => listener(args),
                None => listener(std::slice::from_ref(value.plain())),
            }
        }
    }
}
