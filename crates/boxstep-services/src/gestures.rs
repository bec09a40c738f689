//! `ALTactileGesture`: gestures on the head's three sensors, on the run's clock.
//!
//! A sequence lists what is touched, front, middle and rear, such as `000 100 000`: it begins and ends with `000`. Source:
//! the page ALTactileGesture of the NAOqi documentation. Decisions: the times below, the sequences of caresses and of
//! TheClaw, and the names of gestures that are created.

use super::alarm::Alarm;
use super::world::World;
use crate::table::{Call, Reply, Service, failed, ok, runs, service, signal, unknown};
use boxstep_engine::services::{ServiceCx, ServiceError, Topic};
use boxstep_types::{Time, Value};

pub(crate) static SERVICES: &[Service] = &[service(
    NAME,
    "Gestures on the head's sensors",
    &[
        runs("getGestures", "Sequences of all gestures, by name", unknown("()m"), get_gestures),
        runs("getGesture", "Name of the gesture of a sequence", unknown("(m)m"), get_gesture),
        runs("getSequence", "Sequence of a gesture", unknown("(m)m"), get_sequence),
        runs("createGesture", "Adds a sequence; its name", unknown("(m)m"), create_gesture),
    ],
)
.signals(&[signal("onGesture", "m"), signal("onRelease", "()")])
.events(&[GESTURE, RELEASE])];

const NAME: &str = "ALTactileGesture";
const GESTURE: &str = "ALTactileGesture/Gesture";
const RELEASE: &str = "ALTactileGesture/Release";

/// The events of the sensors, in the order of the digits.
const SENSORS: [&str; 3] = ["FrontTactilTouched", "MiddleTactilTouched", "RearTactilTouched"];
/// A gesture is over when nothing has been touched for this long.
const PAUSE: Time = Time::from_millis(500);
/// Sensors that are touched, or released, within this time are so together.
const TOGETHER: Time = Time::from_millis(100);
/// A gesture is a hold when its sensors are held for this long; it repeats at this period.
const HOLD: Time = Time::from_millis(1000);
/// A hold no longer repeats after this time, because the sensor stops reporting it.
const LONGEST_HOLD: Time = Time::from_millis(40_000);

const GESTURES: [(&str, &str); 13] = [
    ("SingleFront", "000 100 000"),
    ("SingleMiddle", "000 010 000"),
    ("SingleRear", "000 001 000"),
    ("DoubleFront", "000 100 000 100 000"),
    ("DoubleMiddle", "000 010 000 010 000"),
    ("DoubleRear", "000 001 000 001 000"),
    ("SingleTap", "000 111 000"),
    ("DoubleTap", "000 111 000 111 000"),
    ("CaressFtoR", "000 100 010 001 000"),
    ("CaressRtoF", "000 001 010 100 000"),
    ("ZoomIn", "000 101 010 000"),
    ("ZoomOut", "000 010 101 000"),
    ("TheClaw", "000 101 000"),
];
/// Those that can be held.
const HELD: [&str; 5] = ["SingleFront", "SingleMiddle", "SingleRear", "SingleTap", "TheClaw"];

/// The gesture that is being made.
#[derive(Debug, Default)]
pub(crate) struct Gestures {
    /// What has been touched since nothing was, and when: bits of sensors.
    states: Vec<(u8, Time)>,
    /// The number of changes so far.
    changes: u64,
    is_held: bool,
    /// The sequences that were created.
    created: Vec<String>,
}

impl Gestures {
    /// Returns the gestures: names and sequences.
    fn all(&self) -> impl Iterator<Item = (String, &str)> {
        let own = GESTURES.iter().map(|(name, sequence)| ((*name).to_owned(), *sequence));
        own.chain(self.created.iter().map(|sequence| (sequence.replace(' ', "_"), sequence.as_str())))
    }

    fn name_of(&self, sequence: &str) -> Option<String> {
        self.all().find(|(_, its)| *its == sequence).map(|(name, _)| name)
    }

    fn now(&self) -> u8 {
        self.states.last().map_or(0, |(touched, _)| *touched)
    }

    /// Adds what is touched now. What is touched or released at about the same time as the last one is part of it.
    fn change(&mut self, touched: u8, at: Time) {
        self.changes += 1;
        let before = self.states.len().checked_sub(2).map_or(0, |i| self.states[i].0);
        if let Some((last, since)) = self.states.last_mut() {
            let same_way = (touched & *last == *last) == (*last & before == before);
            if at - *since <= (if same_way { TOGETHER } else { Time::ZERO }) && touched != before {
                *last = touched;
                return;
            }
        }
        self.states.push((touched, at));
    }

    /// Returns the sequence so far.
    fn sequence(&self) -> String {
        self.states.iter().fold("000".to_owned(), |text, (touched, _)| format!("{text} {touched:03b}"))
    }
}

/// Handles an event of a sensor, before it is raised.
pub(crate) fn touched(w: &mut World, cx: &mut ServiceCx<'_>, event: &str, level: f64) {
    let Some(sensor) = SENSORS.iter().position(|name| *name == event) else { return };
    let (bit, before) = (4 >> sensor, w.gestures.now());
    let now = if level > 0.5 { before | bit } else { before & !bit };
    if now == before {
        return;
    }
    w.gestures.change(now, cx.now());
    if w.gestures.is_held && now == 0 {
        (w.gestures.is_held, w.gestures.states) = (false, Vec::new());
        w.notice(cx, RELEASE, Value::Null);
        w.signal(cx, NAME, "onRelease", Value::list([]));
    } else if is_wanted(w) {
        let alarm = Alarm::Gesture(w.gestures.changes);
        w.alarm(cx, cx.now() + if now == 0 { PAUSE } else { HOLD }, alarm);
    } else if now == 0 {
        w.gestures.states.clear();
    }
}

/// Returns whether anybody wants to know.
fn is_wanted(w: &World) -> bool {
    let signals = ["onGesture", "onRelease"].map(|signal| Topic::Signal(NAME.into(), signal.into()));
    [GESTURE, RELEASE].iter().any(|key| w.has_subscriber(key) || w.talk.waits_for(key))
        || signals.iter().any(|topic| w.heard.contains(topic))
}

/// Whether nothing has changed since an alarm was set.
pub(crate) fn is_current(w: &World, changes: u64) -> bool {
    w.gestures.changes == changes && !w.gestures.states.is_empty()
}

/// Handles the end of a pause or of the time after which a gesture is a hold.
pub(crate) fn due(w: &mut World, cx: &mut ServiceCx<'_>, changes: u64) {
    if !is_current(w, changes) {
        return;
    }
    let gestures = &mut w.gestures;
    if gestures.now() == 0 {
        let name = gestures.name_of(&gestures.sequence());
        gestures.states.clear();
        return name.into_iter().for_each(|name| tell(w, cx, &name));
    }
    let name = gestures.name_of(&format!("{} 000", gestures.sequence()));
    let Some(name) = name.filter(|name| HELD.contains(&name.as_str())) else { return };
    gestures.is_held = true;
    let since = gestures.states.last().map_or(Time::ZERO, |(_, at)| *at);
    tell(w, cx, &format!("{name}Hold"));
    if cx.now() - since < LONGEST_HOLD {
        w.alarm(cx, cx.now() + HOLD, Alarm::Gesture(changes));
    }
}

fn tell(w: &mut World, cx: &mut ServiceCx<'_>, name: &str) {
    w.notice(cx, GESTURE, name);
    w.signal(cx, NAME, "onGesture", name.into());
}

fn list(sequence: &str) -> Value {
    Value::list(sequence.split(' ').map(Value::from))
}

fn get_gestures(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::map(w.gestures.all().map(|(name, sequence)| (name, list(sequence)))))
}

/// Returns the sequence in the first argument.
fn sequence(call: &Call<'_>) -> Result<String, ServiceError> {
    let words = call.args.texts(0, "sequence")?;
    let triplets = words.iter().all(|word| word.len() == 3 && word.bytes().all(|b| matches!(b, b'0' | b'1')));
    let ends = words.len() > 2 && [words.first(), words.last()].iter().all(|word| word.is_some_and(|w| *w == "000"));
    if !triplets || !ends || words.windows(2).any(|pair| pair[0] == pair[1]) {
        return failed(
            "a sequence is a list such as 000, 100, 000: it begins and ends with 000, and each differs from the last",
        );
    }
    Ok(words.join(" "))
}

/// Decision: an unknown sequence has an empty name.
fn get_gesture(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.gestures.name_of(&sequence(call)?).unwrap_or_default())
}

/// Decision: a gesture that does not exist has an empty sequence.
fn get_sequence(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "gesture")?;
    let found = w.gestures.all().find(|(its, _)| its == name).map(|(_, sequence)| list(sequence));
    ok(found.unwrap_or_else(|| Value::list([])))
}

fn create_gesture(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let sequence = sequence(call)?;
    if let Some(name) = w.gestures.name_of(&sequence) {
        return failed(format!("this sequence is the gesture {name} already"));
    }
    w.gestures.created.push(sequence.clone());
    ok(sequence.replace(' ', "_"))
}
