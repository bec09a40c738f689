//! What every service that watches the world has in common: subscriptions by name with a period.
//!
//! The simulation sees and hears nothing by itself; the events of these services come from outside.

use super::table::{Call, Const, Method, Reply, code, done, get, ok, put, say};
use super::world::World;
use boxstep_engine::services::ServiceError;
use boxstep_types::Value;

/// Who subscribed to which service: service, subscriber, period (ms), precision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extractors(Vec<(&'static str, String, i64, f64)>);

impl Extractors {
    fn find(&mut self, service: &str, name: &str) -> Option<&mut (&'static str, String, i64, f64)> {
        self.0.iter_mut().find(|s| s.0 == service && s.1 == name)
    }
}

/// Period of a subscription that names none, in milliseconds.
const PERIOD_MS: i64 = 30;

/// Methods that every extractor has besides its own.
pub(crate) const METHODS: &[Method] = &[
    code("getCurrentPeriod", 0, 0),
    code("getCurrentPrecision", 0, 0),
    code("getMyPeriod", 1, 1),
    code("getMyPrecision", 1, 1),
    code("getEventList", 0, 0),
    code("getOutputNames", 0, 0),
    code("getSubscribersInfo", 0, 0),
    code("subscribe", 1, 3),
    code("unsubscribe", 1, 1),
    code("updatePeriod", 2, 2),
    code("updatePrecision", 2, 2),
    get("getParameter", "parameter", 1, Const::Null),
    get("isPaused", "pause", 0, Const::Bool(false)),
    put("pause", "pause", 1),
    put("setParameter", "parameter", 2),
    say("getMemoryKeyList", 0, 0, Const::Empty),
    say("isProcessing", 0, 0, Const::Bool(false)),
];

pub(crate) fn call(w: &mut World, call: &Call<'_>) -> Reply {
    let (service, args) = (call.service, call.args);
    let subscriptions = &mut w.extractors;
    match call.method {
        "subscribe" => {
            let name = args.text(0, "name")?;
            let period = if args.len() > 1 { args.int(1, "period")? } else { PERIOD_MS };
            let precision = args.number_or(2, "precision", 0.0)?;
            match subscriptions.find(service.name, name) {
                Some(s) => (s.2, s.3) = (period, precision),
                None => subscriptions.0.push((service.name, name.to_owned(), period, precision)),
            }
            done()
        }
        "unsubscribe" => {
            let name = args.text(0, "name")?;
            subscriptions.0.retain(|s| s.0 != service.name || s.1 != name);
            done()
        }
        "updatePeriod" | "updatePrecision" | "getMyPeriod" | "getMyPrecision" => {
            let name = args.text(0, "name")?;
            let Some(s) = subscriptions.find(service.name, name) else {
                return super::table::failed(format!("`{name}` has not subscribed"));
            };
            match call.method {
                "updatePeriod" => s.2 = args.int(1, "period")?,
                "updatePrecision" => s.3 = args.number(1, "precision")?,
                "getMyPeriod" => return ok(s.2),
                _ => return ok(s.3),
            }
            done()
        }
        "getCurrentPeriod" => {
            ok(subscriptions.0.iter().filter(|s| s.0 == service.name).map(|s| s.2).min().unwrap_or(PERIOD_MS))
        }
        "getCurrentPrecision" => {
            ok(subscriptions.0.iter().filter(|s| s.0 == service.name).map(|s| s.3).fold(0.0, f64::max))
        }
        "getSubscribersInfo" => ok(Value::list(
            subscriptions
                .0
                .iter()
                .filter(|s| s.0 == service.name)
                .map(|s| Value::list([s.1.as_str().into(), s.2.into(), s.3.into()])),
        )),
        "getEventList" | "getOutputNames" => ok(Value::list(service.events.iter().map(|e| Value::from(*e)))),
        _ => Err(ServiceError::NoMethod),
    }
}
