//! `ALDiagnosis`: which devices of the robot are defective. Nothing is, unless a memory key says so.
//!
//! Sources: the page ALDiagnosis of the NAOqi documentation, for the keys and levels of severity; that an answer is
//! empty, or a level and the names of devices, is what public programs for real robots read. Decision: a key holds 0
//! without an error, else 1 more than the severity.

use crate::table::{Call, Const, Reply, Service, gets, ok, runs, service, sets, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

pub(crate) static SERVICES: &[Service] = &[service(
    "ALDiagnosis",
    "Defective devices",
    &[
        runs("getActiveDiagnosis", "Severity and devices that fail the tests of wakeUp", unknown("()m"), get_active),
        runs("getPassiveDiagnosis", "Severity and devices that have errors", unknown("()m"), get_passive),
        sets("setEnableNotification", "Notifies of errors, or not", unknown("(m)m"), "notification"),
        gets("isNotificationEnabled", "Whether it does", unknown("()m"), "notification", Const::Bool(true)),
    ],
)];

/// The highest severity: 0 negligible, 1 serious, 2 critical.
const CRITICAL: i64 = 2;

/// Returns an empty list, or the highest severity and the devices that have errors, by the keys
/// `Diagnosis/…/Device/Error`.
fn summary(w: &World, which: &str) -> Value {
    let prefix = format!("Diagnosis/{which}/");
    let mut severity = 0;
    let mut devices = Vec::new();
    for (key, value) in w.memory.with_prefix(&prefix) {
        let Some(device) = key.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix("/Error")) else { continue };
        let error = value.as_f64().unwrap_or(0.0);
        if error > 0.0 {
            severity = severity.max((error as i64 - 1).clamp(0, CRITICAL));
            devices.push(Value::from(device));
        }
    }
    if devices.is_empty() { Value::list([]) } else { Value::list([severity.into(), Value::list(devices)]) }
}

fn get_active(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(summary(w, "Active"))
}

fn get_passive(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(summary(w, "Passive"))
}
