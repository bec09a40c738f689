//! Objects as values, and local objects that peers may call.

use crate::connection::Connection;
use crate::decode::DecodeFault;
use crate::error::Failure;
use crate::meta::MetaObject;
use crate::pool::lock;
use crate::remote::Remote;
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};

/// The object in a [`Value`].
#[derive(Clone)]
#[non_exhaustive]
pub enum ObjectValue {
    /// An object in its wire form: an address that is valid on one socket only. Object 0 is no object.
    Ref(Box<ObjectRef>),
    /// A local object; the peer that receives it may call it until the peer releases it.
    Local(Arc<dyn Object>),
    /// An object of a peer. If it is sent to another peer, this process relays the calls.
    Remote(Remote),
}

impl ObjectValue {
    /// Returns the peer's object, if this is one.
    pub fn remote(&self) -> Option<&Remote> {
        match self {
            ObjectValue::Remote(remote) => Some(remote),
            _ => None,
        }
    }
}

impl From<Arc<dyn Object>> for Value {
    fn from(object: Arc<dyn Object>) -> Value {
        Value::Object(ObjectValue::Local(object))
    }
}

impl PartialEq for ObjectValue {
    fn eq(&self, other: &ObjectValue) -> bool {
        match (self, other) {
            (ObjectValue::Ref(a), ObjectValue::Ref(b)) => a == b,
            (ObjectValue::Local(a), ObjectValue::Local(b)) => Arc::ptr_eq(a, b),
            (ObjectValue::Remote(a), ObjectValue::Remote(b)) => a.is_same(b),
            _ => false,
        }
    }
}

impl fmt::Debug for ObjectValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectValue::Ref(reference) => write!(f, "Ref({reference:?})"),
            ObjectValue::Local(_) => write!(f, "Local(..)"),
            ObjectValue::Remote(remote) => write!(f, "Remote({remote:?})"),
        }
    }
}

/// The address of an object, and its description.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectRef {
    /// The description of its members. Missing only where [`ObjectLayout::cache`] is on and the peer has sent it
    /// before.
    pub meta: Option<Arc<MetaObject>>,
    /// The number under which the peer caches the meta object, where [`ObjectLayout::cache`] is on.
    pub cache: u32,
    /// The service that the object belongs to.
    pub service: u32,
    /// The object's number in the service; 0 is no object.
    pub object: u32,
    /// The object's global identity; zeros where [`ObjectLayout::uid`] is off.
    pub uid: [u8; 20],
}

/// How objects are laid out on a socket; the capabilities of both sides decide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ObjectLayout {
    /// `ObjectPtrUID`: 20 bytes of identity at the end.
    pub uid: bool,
    /// `MetaObjectCache`: a meta object is sent once and afterwards referred to by number.
    pub cache: bool,
}

/// How the codec handles objects in values.
pub trait Objects {
    /// Returns the layout of objects.
    fn layout(&self) -> ObjectLayout;

    /// Converts an object that was read.
    ///
    /// # Errors
    /// Why it cannot be used.
    fn arrived(&self, reference: ObjectRef) -> Result<ObjectValue, DecodeFault> {
        Ok(ObjectValue::Ref(Box::new(reference)))
    }

    /// Returns the wire form of an object that is about to be written, or `None` if it cannot be sent on this socket.
    fn leaving(&self, object: &ObjectValue) -> Option<ObjectRef> {
        match object {
            ObjectValue::Ref(reference) => Some((**reference).clone()),
            _ => None,
        }
    }
}

/// Handles objects as mere addresses, outside of any connection.
impl Objects for ObjectLayout {
    fn layout(&self) -> ObjectLayout {
        *self
    }
}

/// An object that peers may call. [`ObjectBuilder`](crate::ObjectBuilder) makes one from closures.
pub trait Object: Send + Sync {
    /// Returns the object's own members, with numbers from [`FIRST_OWN`](crate::FIRST_OWN). The answer must always be
    /// the same.
    fn meta(&self) -> Arc<MetaObject>;

    /// Handles a call of a method. The answer may be given later and from another thread.
    fn call(&self, call: Call);

    /// Returns the object's signals, through which it notifies subscribers.
    fn signals(&self) -> &Signals;

    /// Emits one of the signals at a peer's request. Every peer that can reach the object may emit its signals.
    fn emit(&self, signal: u32, args: &[Value]) {
        self.signals().emit(signal, args);
    }

    /// Returns the value of a property.
    ///
    /// # Errors
    /// The message for the caller.
    fn property(&self, id: u32) -> Result<Value, Failure> {
        Err(format!("there is no property {id}"))
    }

    /// Sets a property, and emits the signal of the same number. The value already has the property's type.
    ///
    /// # Errors
    /// The message for the caller.
    fn set_property(&self, id: u32, value: Value) -> Result<(), Failure> {
        let _ = value;
        Err(format!("there is no property {id}"))
    }

    /// Returns how calls are dispatched to the object.
    fn turns(&self) -> Turns {
        Turns::OneByOne
    }
}

/// How calls are dispatched to an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// At once, on the thread that reads the socket. Such methods must not block: nothing else is read meanwhile.
    AtOnce,
    /// One after another, in the order of arrival, as libqi does.
    #[default]
    OneByOne,
    /// Concurrently, several at a time.
    SideBySide,
}

/// A call of a method of a local object.
pub struct Call {
    /// The number of the method.
    pub method: u32,
    /// The arguments, already of the method's types.
    pub args: Vec<Value>,
    /// The connection of the caller.
    pub caller: Option<Connection>,
    /// Takes the answer, which is discarded if the call was a post.
    pub reply: Reply,
}

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The method returned this value.
    Value(Value),
    /// The method failed; the message is sent to the caller.
    Failed(Failure),
    /// The call was canceled at the caller's request.
    Canceled,
}

/// Answers a call. Clones belong to the same call, and the first answer counts. If all clones are dropped without an
/// answer, the caller receives an error that says so.
#[derive(Clone)]
pub struct Reply(Arc<Running>);

type Give = Box<dyn FnOnce(Answer) + Send>;
type ReplyThen = Box<dyn FnOnce(Reply) + Send>;

/// A call that has not been answered yet.
pub(crate) struct Running {
    answer: Mutex<Option<Give>>,
    cancel: Mutex<Cancel>,
}

#[derive(Default)]
struct Cancel {
    asked: bool,
    /// No cancel request can come any more.
    never: bool,
    then: Vec<ReplyThen>,
}

impl Running {
    fn give(&self, answer: Answer) {
        let give = lock(&self.answer).take();
        if let Some(give) = give {
            give(answer);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.give(Answer::Failed("the method gave no answer".to_owned()));
    }
}

impl Reply {
    /// Makes a reply that passes the answer to this function.
    pub fn new(answer: impl FnOnce(Answer) + Send + 'static) -> Reply {
        Reply(Arc::new(Running { answer: Mutex::new(Some(Box::new(answer))), cancel: Mutex::default() }))
    }

    pub(crate) fn running(&self) -> Weak<Running> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn upgrade(running: &Weak<Running>) -> Option<Reply> {
        running.upgrade().map(Reply)
    }

    /// Marks that the method begins, and drops the `on_cancel` functions registered before. Returns false if the call
    /// has been canceled already.
    pub(crate) fn begin(&self) -> bool {
        let mut cancel = lock(&self.0.cancel);
        let before = std::mem::take(&mut cancel.then);
        let asked = cancel.asked;
        drop(cancel);
        drop(before);
        !asked
    }

    /// Marks that no cancel request can come any more, because the caller is gone or does not wait. The `on_cancel`
    /// functions are dropped, with what they capture, which is often this very reply.
    pub(crate) fn is_never_canceled(&self) {
        let mut cancel = lock(&self.0.cancel);
        cancel.never = true;
        let before = std::mem::take(&mut cancel.then);
        drop(cancel);
        drop(before);
    }

    /// Handles the caller's request to cancel.
    pub(crate) fn ask_to_cancel(&self) {
        let mut cancel = lock(&self.0.cancel);
        cancel.asked = true;
        let then = std::mem::take(&mut cancel.then);
        drop(cancel);
        for then in then {
            then(self.clone());
        }
    }

    /// Gives the answer.
    pub fn answer(&self, answer: Answer) {
        self.0.give(answer);
    }

    /// Answers with a returned value.
    pub fn value(&self, value: impl Into<Value>) {
        self.answer(Answer::Value(value.into()));
    }

    /// Answers with a failure.
    pub fn failed(&self, words: impl Into<Failure>) {
        self.answer(Answer::Failed(words.into()));
    }

    /// Answers that the call was canceled.
    pub fn canceled(&self) {
        self.answer(Answer::Canceled);
    }

    /// Answers with the result of the method.
    pub fn finish(&self, result: Result<Value, Failure>) {
        self.answer(result.map_or_else(Answer::Failed, Answer::Value));
    }

    /// Returns whether the caller has asked to cancel.
    pub fn is_canceled(&self) -> bool {
        lock(&self.0.cancel).asked
    }

    /// Registers a function that is called when the caller cancels or is gone, or at once if that has happened already.
    /// It runs on the thread that reads the socket, so it must not block. It receives the reply as an argument, so it
    /// need not capture one.
    pub fn on_cancel(&self, then: impl FnOnce(Reply) + Send + 'static) {
        let mut cancel = lock(&self.0.cancel);
        if cancel.asked {
            drop(cancel);
            then(self.clone());
        } else if !cancel.never {
            cancel.then.push(Box::new(then));
        }
    }
}

/// A function that is called when a signal is emitted.
pub(crate) type SignalListener = Arc<dyn Fn(&[Value]) + Send + Sync>;

/// The signals of an object, and their listeners. Clones share the listeners.
#[derive(Clone, Default)]
pub struct Signals(Arc<Mutex<Listeners>>);

#[derive(Default)]
struct Listeners {
    by_signal: HashMap<u32, Vec<(u64, SignalListener)>>,
    next: u64,
    /// Called when a signal gets its first listener (true) or loses its last one (false).
    watch: Option<SubscriberWatch>,
}

type SubscriberWatch = Arc<dyn Fn(u32, bool) + Send + Sync>;

impl Signals {
    /// Makes signals that are forwarded from elsewhere only while somebody listens. `watch` is called when a signal
    /// gets its first listener (true) or loses its last one (false), on the thread that subscribes or unsubscribes. It
    /// must not block.
    pub fn watched(watch: impl Fn(u32, bool) + Send + Sync + 'static) -> Signals {
        Signals(Arc::new(Mutex::new(Listeners { watch: Some(Arc::new(watch)), ..Listeners::default() })))
    }

    /// Emits a signal to all listeners. The arguments should have the signal's types; a peer to which they cannot be
    /// sent gets nothing.
    pub fn emit(&self, signal: u32, args: &[Value]) {
        let listeners = lock(&self.0).by_signal.get(&signal).cloned().unwrap_or_default();
        for (_, listener) in listeners {
            listener(args);
        }
    }

    /// Calls a function at each emission, until the returned [`Listening`] is dropped. It runs on the emitting thread.
    pub fn listen(&self, signal: u32, listener: impl Fn(&[Value]) + Send + Sync + 'static) -> Listening {
        let mut all = lock(&self.0);
        all.next += 1;
        let id = all.next;
        let listeners = all.by_signal.entry(signal).or_default();
        listeners.push((id, Arc::new(listener)));
        let watch = if listeners.len() == 1 { all.watch.clone() } else { None };
        drop(all);
        if let Some(watch) = watch {
            watch(signal, true);
        }
        Listening { signals: self.clone(), signal, id }
    }

    /// Returns the number of listeners of a signal.
    pub fn listeners(&self, signal: u32) -> usize {
        lock(&self.0).by_signal.get(&signal).map_or(0, Vec::len)
    }
}

/// A subscription to a signal of [`Signals`]; it ends when this is dropped.
#[must_use = "dropping this ends the subscription"]
pub struct Listening {
    signals: Signals,
    signal: u32,
    id: u64,
}

impl Drop for Listening {
    fn drop(&mut self) {
        let mut all = lock(&self.signals.0);
        if let Some(listeners) = all.by_signal.get_mut(&self.signal) {
            listeners.retain(|(id, _)| *id != self.id);
            if listeners.is_empty() {
                all.by_signal.remove(&self.signal);
                let watch = all.watch.clone();
                drop(all);
                if let Some(watch) = watch {
                    watch(self.signal, false);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_dropped_reply_reports_an_error() {
        let (tell, told) = channel();
        drop(Reply::new(move |answer| tell.send(answer).unwrap()));
        assert_eq!(told.recv(), Ok(Answer::Failed("the method gave no answer".to_owned())));
    }

    #[test]
    fn the_first_answer_counts() {
        let (tell, told) = channel();
        let reply = Reply::new(move |answer| tell.send(answer).unwrap());
        reply.on_cancel(|reply| reply.canceled());
        reply.ask_to_cancel();
        reply.value(1);
        drop(reply);
        assert_eq!(told.iter().collect::<Vec<_>>(), [Answer::Canceled]);
    }

    #[test]
    fn on_cancel_runs_whether_registered_before_or_after_the_request() {
        let (tell, told) = channel();
        let reply = Reply::new(drop);
        let early = tell.clone();
        reply.on_cancel(move |_| early.send("early").unwrap());
        assert!(!reply.is_canceled());
        reply.ask_to_cancel();
        reply.on_cancel(move |_| tell.send("late").unwrap());
        assert!(reply.is_canceled());
        assert_eq!(told.try_iter().collect::<Vec<_>>(), ["early", "late"]);
    }

    #[test]
    fn a_dropped_listener_is_not_called() {
        let (tell, told) = channel();
        let signals = Signals::default();
        let (one, two) = (tell.clone(), tell);
        let first = signals.listen(100, move |args| one.send(args[0].as_i64().unwrap()).unwrap());
        let second = signals.listen(100, move |args| two.send(-args[0].as_i64().unwrap()).unwrap());
        signals.emit(100, &[Value::I32(1)]);
        drop(first);
        signals.emit(100, &[Value::I32(2)]);
        signals.emit(101, &[Value::I32(3)]);
        assert_eq!(told.try_iter().collect::<Vec<_>>(), [1, -1, -2]);
        drop(second);
        assert_eq!(signals.listeners(100), 0);
    }
}
