//! Subscriptions to memory events and signals, which are renewed after each reconnect.

use super::connection::{Connection, object};
use super::objects::Passing;
use crate::wire::from_wire;
use boxstep_engine::services::{Effect, ServiceError, Topic};
use boxstep_qi::{Error, Kept, Remote, Session, Subscription};
use boxstep_types::Value;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A subscription, and the object that emits the signal; the subscription ends when the object is released.
struct TopicSubscription {
    _listening: Option<Subscription>,
    _of: Option<Remote>,
}

impl Connection {
    /// Subscribes to a topic until the returned guard is dropped. Later calls wait until the robot has the
    /// subscription.
    pub(super) fn listen(self: &Arc<Self>, topic: &Topic) -> Result<Kept, ServiceError> {
        if let Topic::Signal(service, signal) = topic {
            if !self.has_service(service) {
                return Err(ServiceError::NoService);
            }
            let state = self.state();
            let known = state.remotes.get(service).or_else(|| state.objects.get(service));
            if known.is_some_and(|remote| remote.meta().signal(signal).is_none()) {
                return Err(ServiceError::NoMethod);
            }
        }
        let Some(lasting) = self.lasting() else { return Err(self.no_link()) };
        let (done, wait) = channel();
        let first = Mutex::new(Some(done));
        let (connection, topic) = (Arc::downgrade(self), topic.clone());
        let kept = lasting.keep(move |session| {
            let subscription =
                connection.upgrade().map_or(Ok(TopicSubscription { _listening: None, _of: None }), |connection| {
                    connection.set_up(session, &topic)
                });
            let first: Option<Sender<()>> = first.lock().unwrap_or_else(PoisonError::into_inner).take();
            // Dropping the sender notifies the waiting thread as well.
            drop(first);
            subscription
        });
        if self.session().is_some() {
            self.queue_set_up(wait);
        }
        Ok(kept)
    }

    fn set_up(self: &Arc<Self>, session: &Session, topic: &Topic) -> Result<TopicSubscription, Error> {
        let (of, signal) = match topic {
            Topic::Memory(key) => {
                let memory = session.service("ALMemory")?;
                let given = memory.call_within("subscriber", &[(&**key).into()], self.options.qi.answer_within)?;
                let Some(of) = object(&given) else {
                    return Err(Error::NoMember { kind: "object", name: format!("ALMemory.subscriber({key})") });
                };
                (of, "signal")
            }
            Topic::Signal(service, signal) => {
                let kept = self.state().objects.get(service).cloned();
                let of = match kept {
                    Some(object) => object,
                    // The object belonged to an earlier session, and is gone with it.
                    None if service.starts_with('#') => return Ok(TopicSubscription { _listening: None, _of: None }),
                    None => session.service(service)?,
                };
                (of, &**signal)
            }
        };
        let (connection, told) = (Arc::downgrade(self), topic.clone());
        let listening = of.subscribe(signal, move |args| handle_event(&connection, &told, args));
        match listening {
            Ok(listening) => Ok(TopicSubscription { _listening: Some(listening), _of: Some(of) }),
            Err(Error::NoMember { .. }) => {
                let text = format!("{} has no {topic} to subscribe to", self.options.name);
                self.mailbox.put(Effect::Warn(text));
                Ok(TopicSubscription { _listening: None, _of: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// Handles an event.
fn handle_event(connection: &Weak<Connection>, topic: &Topic, args: &[boxstep_qi::Value]) {
    let Some(connection) = connection.upgrade() else { return };
    let mut args: Vec<Value> = args.iter().map(|arg| from_wire(arg, &mut Passing(&connection))).collect();
    let value = match topic {
        Topic::Memory(_) if args.len() == 1 => args.remove(0),
        _ => Value::list(args),
    };
    connection.mailbox.put(Effect::Event(topic.clone(), value));
}
