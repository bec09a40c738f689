//! Touch sensors, bumpers and buttons: the consequences when their events are raised from outside.

use super::body::DEVICES;
use super::gestures;
use super::memory::Kind;
use super::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

/// Handles a touch event that is about to be raised: stores the device's value, raises `TouchChanged` with the sensor,
/// and raises the click events when a button is released.
pub(crate) fn touched(w: &mut World, cx: &mut ServiceCx<'_>, event: &str, value: &Value) {
    let Some(sensor) = w.body.touch().iter().find(|s| s.event == event) else { return };
    let level = value.as_f64().unwrap_or(if value.truthy() { 1.0 } else { 0.0 });
    gestures::touched(w, cx, event, level);
    let pressed = w.memory.get(event).is_some_and(Value::truthy);
    if pressed && level == 0.0 {
        sensor.clicks.iter().for_each(|click| w.notice(cx, click, 1));
    }
    let device = sensor.device;
    if device.is_empty() {
        return;
    }
    w.store(cx, &format!("{DEVICES}{device}/Sensor/Value"), level.into(), Kind::Data);
    let changed = Value::list([Value::list([device.into(), (level > 0.5).into()])]);
    w.notice(cx, "TouchChanged", changed);
}
