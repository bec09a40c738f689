//! The common methods of services that sense the world: subscriptions by name, with a period.
//!
//! What the simulation senses of a described world is in `senses.rs`; all other events of these services come from
//! outside.

use crate::table::{Call, Const, Method, Reply, answers, done, failed, gets, ok, robot, runs, sets, unknown};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// A subscription: the service, the subscriber, the period (ms), and the precision.
type Subscription = (&'static str, String, i64, f64);

/// The subscriptions of all services.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extractors(Vec<Subscription>);

impl Extractors {
    fn find(&mut self, service: &str, name: &str) -> Option<&mut Subscription> {
        self.0.iter_mut().find(|s| s.0 == service && s.1 == name)
    }

    /// Whether anybody has subscribed to a service.
    pub(crate) fn has_subscribers(&self, service: &str) -> bool {
        self.0.iter().any(|s| s.0 == service)
    }

    /// Returns the shortest period that a subscriber of a service asked for, in milliseconds.
    pub(crate) fn period(&self, service: &str) -> i64 {
        self.0.iter().filter(|s| s.0 == service).map(|s| s.2).min().unwrap_or(PERIOD_MS)
    }

    /// Returns the subscriptions of the called service.
    fn subscriptions_of(&self, call: &Call<'_>) -> impl Iterator<Item = &Subscription> {
        self.0.iter().filter(|s| s.0 == call.service.name)
    }
}

/// The default period of a subscription, in milliseconds.
const PERIOD_MS: i64 = 30;

/// The methods of every sensing service.
pub static EXTRACTOR_METHODS: &[Method] = &[
    runs(
        "subscribe",
        "Starts sensing for a subscriber: name, period, precision",
        robot("(sif)v (s)v (mm)v"),
        subscribe,
    ),
    runs("unsubscribe", "Ends a subscription", robot("(s)v"), unsubscribe),
    runs("getCurrentPeriod", "Period, milliseconds", robot("()i"), get_current_period),
    runs("getCurrentPrecision", "Precision", robot("()f"), get_current_precision),
    runs("getEventList", "Events it raises", robot("()[s]"), get_event_list),
    answers("getMemoryKeyList", "Memory keys it writes", robot("()[s]"), Const::Empty),
    runs("getMyPeriod", "Period a subscriber asked for", robot("(s)i"), get_my_period),
    runs("getMyPrecision", "Precision a subscriber asked for", robot("(s)f"), get_my_precision),
    runs("getOutputNames", "Events and keys", robot("()[s]"), get_event_list),
    runs("getSubscribersInfo", "Subscribers with period and precision", robot("()m"), get_subscribers_info),
    gets("isPaused", "Whether it pauses", robot("()b"), "pause", Const::Bool(false)),
    runs("isProcessing", "Whether it senses now", robot("()b"), is_processing),
    sets("pause", "Pauses or goes on", robot("(b)v ()v"), "pause"),
    runs("updatePeriod", "Changes a subscriber's period", robot("(si)v"), update_period),
    runs("updatePrecision", "Changes a subscriber's precision", robot("(sf)v"), update_precision),
    gets("getParameter", "Value of a parameter", unknown("(m)m"), "parameter", Const::Null),
    sets("setParameter", "Sets a parameter", unknown("(mm)m"), "parameter"),
];

/// The methods of every service that uses a camera, besides [`EXTRACTOR_METHODS`].
pub static CAMERA_METHODS: &[Method] = &[
    gets("getActiveCamera", "Camera it looks through", unknown("()i"), "camera", Const::Int(0)),
    sets("setActiveCamera", "Camera it looks through", unknown("(m)b"), "camera"),
    gets("getFrameRate", "Pictures a second", unknown("()i"), "frameRate", Const::Int(20)),
    sets("setFrameRate", "Pictures a second", unknown("(m)b"), "frameRate"),
    gets("getResolution", "Resolution, 0…", unknown("()i"), "resolution", Const::Int(1)),
    sets("setResolution", "Resolution, 0…", unknown("(m)b"), "resolution"),
];

pub(crate) fn subscribe(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (service, args) = (call.service, call.args);
    let name = args.text(0, "name")?;
    let period = if args.len() > 1 { args.int(1, "period")? } else { PERIOD_MS };
    let precision = args.number_or(2, "precision", 0.0)?;
    match w.extractors.find(service.name, name) {
        Some(s) => (s.2, s.3) = (period, precision),
        None => w.extractors.0.push((service.name, name.to_owned(), period, precision)),
    }
    done()
}

pub(crate) fn unsubscribe(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    w.extractors.0.retain(|s| s.0 != call.service.name || s.1 != name);
    done()
}

/// Returns the subscription that a call names.
fn subscription<'w>(w: &'w mut World, call: &Call<'_>) -> Result<&'w mut Subscription, ServiceError> {
    let name = call.args.text(0, "name")?;
    match w.extractors.find(call.service.name, name) {
        Some(subscription) => Ok(subscription),
        None => failed(format!("`{name}` has not subscribed")),
    }
}

fn update_period(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let subscription = subscription(w, call)?;
    subscription.2 = call.args.int(1, "period")?;
    done()
}

fn update_precision(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let subscription = subscription(w, call)?;
    subscription.3 = call.args.number(1, "precision")?;
    done()
}

fn get_my_period(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(subscription(w, call)?.2)
}

fn get_my_precision(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(subscription(w, call)?.3)
}

fn get_current_period(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.extractors.subscriptions_of(call).map(|s| s.2).min().unwrap_or(PERIOD_MS))
}

fn get_current_precision(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.extractors.subscriptions_of(call).map(|s| s.3).fold(0.0, f64::max))
}

fn get_subscribers_info(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let row = |s: &Subscription| Value::list([s.1.as_str().into(), s.2.into(), s.3.into()]);
    ok(Value::list(w.extractors.subscriptions_of(call).map(row)))
}

fn is_processing(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.extractors.has_subscribers(call.service.name))
}

fn get_event_list(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(Value::list(call.service.events.iter().map(|e| Value::from(*e))))
}
