//! What a dialog needs of its surroundings, and what it tells them.

use boxstep_trace::DialogEvent;
use boxstep_types::{Time, Value};

/// The surroundings of a dialog: memory, voice and time.
///
/// What takes time comes back later: [`crate::Dialog::said`] for a sentence, [`crate::Dialog::returned`] for a call.
pub trait World {
    /// The time of the run.
    fn now(&self) -> Time;

    /// The time of day on the robot, in seconds since 1970.
    fn unix_time(&self) -> i64;

    /// The value of a variable (a key of the robot's memory), as a topic sees it.
    fn variable(&self, topic: &str, key: &str) -> Option<Value>;

    /// Whether a variable is a port of the dialog box of a topic: then an event of that name is for the topic only if
    /// [`crate::Dialog::event_of_topic`] says so.
    fn is_port(&self, topic: &str, key: &str) -> bool {
        let _ = (topic, key);
        false
    }

    /// Stores a variable that a topic has set, and raises its event. The dialog knows of the event already: it need
    /// not be told.
    fn set_variable(&mut self, topic: &str, key: &str, value: Value);

    /// Removes a variable.
    fn clear_variable(&mut self, topic: &str, key: &str);

    /// Stores what the dialog tells the robot's memory of itself, such as `Dialog/LastInput`.
    fn notice(&mut self, key: &str, value: Value);

    /// Whether somebody else listens to `Dialog/LastInput`: then sentences are heard also while no topic is active.
    fn others_listen(&self) -> bool {
        false
    }

    /// Whether the robot speaks, or has spoken just now, on behalf of others than the dialog.
    fn others_speak(&self) -> bool {
        false
    }

    /// Returns a random number below `below`, which is at least 1.
    fn random(&mut self, below: usize) -> usize;

    /// Says a text with annotations for voice and gestures. [`crate::Dialog::said`] with this number follows.
    fn say(&mut self, number: u64, text: &str);

    /// Stops what is being said; its [`crate::Dialog::said`] follows nevertheless, or not.
    fn stop_speaking(&mut self);

    /// Calls a method. If a number is given, [`crate::Dialog::returned`] with it follows.
    fn call(&mut self, number: Option<u64>, call: &ServiceCall);

    /// Runs Python; [`crate::Dialog::returned`] with this number and what it has printed follows.
    fn run_script(&mut self, number: u64, text: &str);

    /// Starts a behavior, which takes over from the dialog (`^switchFocus`).
    fn start_behavior(&mut self, name: &str);

    /// Receives what happens in the dialog, for a trace.
    fn note(&mut self, event: DialogEvent);

    /// Receives what a topic does in vain, in words for people.
    fn warn(&mut self, text: String);
}

/// A call of a method of a service, as a topic writes it: `Service.method(arguments)`.
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceCall {
    /// The service.
    pub service: String,
    /// The method.
    pub method: String,
    /// The arguments.
    pub arguments: Vec<Value>,
}

impl std::fmt::Display for ServiceCall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let arguments: Vec<String> = self.arguments.iter().map(ToString::to_string).collect();
        write!(f, "{}.{}({})", self.service, self.method, arguments.join(", "))
    }
}
