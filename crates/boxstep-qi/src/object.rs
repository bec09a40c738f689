//! Objects: as values, and as things of ours that peers may call.

use crate::connection::Connection;
use crate::error::Failure;
use crate::meta::MetaObject;
use crate::pool::lock;
use crate::remote::Remote;
use crate::value::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};

/// What stands for an object in a [`Value`].
#[derive(Clone)]
#[non_exhaustive]
pub enum ObjectValue {
    /// An object as it lies on the wire: an address that means something on one socket alone. Object 0 is no object.
    Ref(Box<ObjectRef>),
    /// An object of ours; the peer to which it is sent may call it until it lets go of it.
    Local(Arc<dyn Object>),
    /// An object of a peer. Passed on to another, it is asked by way of this process.
    Remote(Remote),
}

impl ObjectValue {
    /// The peer's object.
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
    fn leaving(&self, object: &ObjectValue) -> Option<ObjectRef> {
        match object {
            ObjectValue::Ref(reference) => Some((**reference).clone()),
            _ => None,
        }
    }
}

/// Objects as plain addresses, outside of any connection.
impl Objects for ObjectLayout {
    fn layout(&self) -> ObjectLayout {
        *self
    }
}

/// An object that peers may call. [`ObjectBuilder`](crate::ObjectBuilder) makes one of functions.
pub trait Object: Send + Sync {
    /// Its own members, with numbers from [`FIRST_OWN`](crate::FIRST_OWN). It must not change.
    fn meta(&self) -> Arc<MetaObject>;

    /// A method is called. The answer may be given later and from another thread.
    fn call(&self, call: Call);

    /// Its signals, through which it tells whoever listens.
    fn signals(&self) -> &Signals;

    /// A peer emits one of its signals, which whoever can reach an object may do.
    fn emit(&self, signal: u32, args: &[Value]) {
        self.signals().emit(signal, args);
    }

    /// The value of a property.
    ///
    /// # Errors
    /// Words for the caller.
    fn property(&self, id: u32) -> Result<Value, Failure> {
        Err(format!("there is no property {id}"))
    }

    /// Sets a property, and emits the signal of the same number. The value is of the property's type.
    ///
    /// # Errors
    /// Words for the caller.
    fn set_property(&self, id: u32, value: Value) -> Result<(), Failure> {
        let _ = value;
        Err(format!("there is no property {id}"))
    }

    /// How calls are given to it.
    fn turns(&self) -> Turns {
        Turns::OneByOne
    }
}

/// How calls are given to an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Turns {
    /// By the thread that reads the socket, at once. Such methods must not wait for anything: nothing else is read meanwhile.
    AtOnce,
    /// One after another, in the order in which they arrive, as libqi does.
    #[default]
    OneByOne,
    /// As they come, several at a time.
    SideBySide,
}

/// A call of a method of ours.
pub struct Call {
    /// The number of the method.
    pub method: u32,
    /// The arguments, of the method's types.
    pub args: Vec<Value>,
    /// Who calls.
    pub caller: Option<Connection>,
    /// Where the answer goes. It goes nowhere if the call was a post.
    pub reply: Reply,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It returned.
    Value(Value),
    /// It failed, with words for the caller.
    Failed(Failure),
    /// It was given up because the caller asked for that.
    Canceled,
}

/// Gives the answer to a call. A clone is the same call, and the first answer counts. If all are dropped without one, the caller
/// hears that there was none.
#[derive(Clone)]
pub struct Reply(Arc<Running>);

type Give = Box<dyn FnOnce(Answer) + Send>;
type ReplyThen = Box<dyn FnOnce(Reply) + Send>;

/// A call that is not answered yet.
pub(crate) struct Running {
    answer: Mutex<Option<Give>>,
    cancel: Mutex<Cancel>,
}

#[derive(Default)]
struct Cancel {
    asked: bool,
    /// Nobody is there who could ask.
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
    /// Gives the answer to this function.
    pub fn new(answer: impl FnOnce(Answer) + Send + 'static) -> Reply {
        Reply(Arc::new(Running { answer: Mutex::new(Some(Box::new(answer))), cancel: Mutex::default() }))
    }

    pub(crate) fn running(&self) -> Weak<Running> {
        Arc::downgrade(&self.0)
    }

    pub(crate) fn of(running: &Weak<Running>) -> Option<Reply> {
        running.upgrade().map(Reply)
    }

    /// The method begins now, and what was to be done before it if the call is canceled is no more. False: it has been canceled.
    pub(crate) fn begin(&self) -> bool {
        let mut cancel = lock(&self.0.cancel);
        let before = std::mem::take(&mut cancel.then);
        let asked = cancel.asked;
        drop(cancel);
        drop(before);
        !asked
    }

    /// Nobody can ask any more to give the call up, because the caller is gone or does not wait for it. What was to be done then is
    /// forgotten, and with it what it holds, often this very reply.
    pub(crate) fn is_never_canceled(&self) {
        let mut cancel = lock(&self.0.cancel);
        cancel.never = true;
        let before = std::mem::take(&mut cancel.then);
        drop(cancel);
        drop(before);
    }

    /// The caller asks to give the call up.
    pub(crate) fn ask_to_cancel(&self) {
        let mut cancel = lock(&self.0.cancel);
        cancel.asked = true;
        let then = std::mem::take(&mut cancel.then);
        drop(cancel);
        for then in then {
            then(self.clone());
        }
    }

    /// Answers.
    pub fn answer(&self, answer: Answer) {
        self.0.give(answer);
    }

    /// The call returned.
    pub fn value(&self, value: impl Into<Value>) {
        self.answer(Answer::Value(value.into()));
    }

    /// The call failed.
    pub fn failed(&self, words: impl Into<Failure>) {
        self.answer(Answer::Failed(words.into()));
    }

    /// The call was given up, as asked.
    pub fn canceled(&self) {
        self.answer(Answer::Canceled);
    }

    /// The call returned or failed.
    pub fn finish(&self, result: Result<Value, Failure>) {
        self.answer(result.map_or_else(Answer::Failed, Answer::Value));
    }

    /// Whether the caller has asked to give the call up.
    pub fn is_canceled(&self) -> bool {
        lock(&self.0.cancel).asked
    }

    /// Has this done when the caller asks to give the call up or is gone, by whoever reads the socket, so it must not wait; at once if
    /// that has happened already. It is given the call's reply, so as to answer; it need not keep one.
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

/// Who is told when a signal is emitted.
pub(crate) type SignalListener = Arc<dyn Fn(&[Value]) + Send + Sync>;

/// The signals of an object, and who listens to them. A clone is the same signals.
#[derive(Clone, Default)]
pub struct Signals(Arc<Mutex<Listeners>>);

#[derive(Default)]
struct Listeners {
    by_signal: HashMap<u32, Vec<(u64, SignalListener)>>,
    next: u64,
    /// Hears that a signal has its first listener (true), or has lost its last.
    watch: Option<SubscriberWatch>,
}

type SubscriberWatch = Arc<dyn Fn(u32, bool) + Send + Sync>;

impl Signals {
    /// Signals that come from elsewhere, and only if somebody listens: the function is told that a signal has its first listener
    /// (true), or has lost its last, by whoever begins or ends to listen. It must not wait.
    pub fn watched(watch: impl Fn(u32, bool) + Send + Sync + 'static) -> Signals {
        Signals(Arc::new(Mutex::new(Listeners { watch: Some(Arc::new(watch)), ..Listeners::default() })))
    }

    /// Tells all who listen. The arguments must be of the signal's types; what a peer cannot be sent, it does not get.
    pub fn emit(&self, signal: u32, args: &[Value]) {
        let listeners = lock(&self.0).by_signal.get(&signal).cloned().unwrap_or_default();
        for (_, listener) in listeners {
            listener(args);
        }
    }

    /// Has a function called each time, until what is returned is dropped. It is called by who emits.
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

    /// How many listen to a signal.
    pub fn listeners(&self, signal: u32) -> usize {
        lock(&self.0).by_signal.get(&signal).map_or(0, Vec::len)
    }
}

/// Listens as long as it lives.
#[must_use = "whoever drops this stops listening"]
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
    fn a_reply_that_is_forgotten_says_so() {
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
    fn a_cancel_is_heard_before_and_after_it_is_asked_for() {
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
    fn who_stops_listening_hears_no_more() {
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
