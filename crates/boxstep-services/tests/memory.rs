//! ALMemory, touch, subscriptions.

use crate::harness::{Harness, list, near, s, strings};
use boxstep_engine::services::{ServiceError, Services, Topic};
use boxstep_types::Value;

#[test]
fn data_events_and_micro_events() {
    let mut h = Harness::nao();
    assert!(h.why("ALMemory.getData", &[s("My/Key")]).contains("no data with the key `My/Key`"));
    h.get("ALMemory.insertData", &[s("My/Key"), 3.into()]);
    assert_eq!(h.get("ALMemory.getData", &[s("My/Key")]), Value::Int(3));
    assert_eq!(h.get("ALMemory.getType", &[s("My/Key")]), s("Data"));
    h.get("ALMemory.raiseEvent", &[s("My/Key"), 4.into()]);
    assert_eq!(h.get("ALMemory.getType", &[s("My/Key")]), s("Event"));
    assert_eq!(h.seen("My/Key"), [Value::Int(4)]);
    h.get("ALMemory.raiseMicroEvent", &[s("Micro"), 5.into()]);
    assert_eq!(h.seen("Micro"), [Value::Int(5)]);
    assert_eq!(h.get("ALMemory.getData", &[s("Micro")]), Value::Null);
    h.get("ALMemory.removeData", &[s("My/Key")]);
    assert!(h.call("ALMemory.getData", &[s("My/Key")]).is_err());
    h.get("ALMemory.insertListData", &[Value::list([list([s("a"), 1.into()]), list([s("b"), 2.into()])])]);
    assert_eq!(h.get("ALMemory.getListData", &[list(["a", "b", "c"])]), list([1.into(), 2.into(), Value::Null]));
    h.get("ALMemory.declareEvent", &[s("Mine")]);
    assert!(strings(&h.get("ALMemory.getEventList", &[])).contains(&"Mine".to_owned()));
    assert_eq!(h.get("ALMemory.getData", &[s("Mine")]), Value::Null);
    assert_eq!(strings(&h.get("ALMemory.getDataList", &[s("Min")])), ["Mine"]);
}

#[test]
fn waiting_for_a_change() {
    let mut h = Harness::nao();
    let id = h.post("ALMemory.getDataOnChange", &[s("k"), Value::Int(0)]);
    h.wait(1.5);
    assert!(!h.done(id));
    h.get("ALMemory.insertData", &[s("k"), 9.into()]);
    assert_eq!(h.answers[&id].1, Ok(Value::Int(9)));
    let stamp = h.get("ALMemory.getTimestamp", &[s("k")]);
    assert_eq!(stamp, list([9, 1, 500_000]));
}

#[test]
fn device_keys_are_the_robot_itself() {
    let mut h = Harness::nao();
    h.get("ALMotion.angleInterpolation", &[s("HeadYaw"), 0.7.into(), 1.0.into(), true.into()]);
    let key = s("Device/SubDeviceList/HeadYaw/Position/Sensor/Value");
    near(h.get("ALMemory.getData", &[key]).as_f64().unwrap(), 0.7);
    h.get("ALLeds.fadeRGB", &[s("FaceLeds"), 0x00ff00.into(), 0.0.into()]);
    let led = s("Device/SubDeviceList/Face/Led/Green/Left/0Deg/Actuator/Value");
    near(h.get("ALMemory.getData", &[led]).as_f64().unwrap(), 1.0);
    assert_eq!(h.get("ALMemory.getData", &[s("Device/SubDeviceList/Battery/Charge/Sensor/Value")]), Value::Float(1.0));
    assert_eq!(h.get("ALMemory.getData", &[s("RobotConfig/Body/Type")]), s("Nao"));
}

#[test]
fn a_touch_reaches_memory_and_subscribers() {
    let mut h = Harness::nao();
    h.listen("TouchChanged");
    h.raise("FrontTactilTouched", 1.0.into());
    assert_eq!(h.seen("FrontTactilTouched"), [Value::Float(1.0)]);
    assert_eq!(h.seen("TouchChanged"), [Value::list([list([s("Head/Touch/Front"), true.into()])])]);
    let key = s("Device/SubDeviceList/Head/Touch/Front/Sensor/Value");
    assert_eq!(h.get("ALMemory.getData", &[key]), Value::Float(1.0));
    for body in boxstep_bodies::BodyKind::ALL {
        let mut h = Harness::new(boxstep_services::SimOptions { body: body.body(), ..Default::default() });
        for sensor in body.body().touch {
            assert_eq!(h.get("ALMemory.getData", &[s(sensor.event)]), Value::Float(0.0), "{}", sensor.event);
        }
    }
}

#[test]
fn own_events_are_recorded_only_with_subscribers() {
    let mut h = Harness::nao();
    h.get("ALTextToSpeech.say", &[s("hi")]);
    assert_eq!(h.events, []);
    assert_eq!(h.get("ALMemory.getData", &[s("ALTextToSpeech/TextDone")]), Value::Int(1));
}

#[test]
fn signals_exist_or_not() {
    let mut h = Harness::pepper();
    h.listen("ALTabletService.onTouchDown");
    h.raise("ALTabletService.onTouchDown", list([10.0, 20.0]));
    assert_eq!(h.seen("ALTabletService.onTouchDown"), [list([10.0, 20.0])]);
    let mut try_on = |service: &str, signal: &str| {
        let topic = Topic::Signal(service.into(), signal.into());
        h.with(|robot, cx| robot.subscribe(cx, &topic, true))
    };
    assert_eq!(try_on("ALTabletService", "onSneeze"), Err(ServiceError::NoMethod));
    assert_eq!(try_on("ALNothing", "x"), Err(ServiceError::NoService));
    // A key with a dot that is no signal is a memory key.
    h.raise("ALTabletService.onSneeze", 1.into());
    assert_eq!(h.get("ALMemory.getData", &[s("ALTabletService.onSneeze")]), Value::Int(1));
}

#[test]
fn a_released_button_clicks() {
    let mut h = Harness::nao();
    h.listen("ALChestButton/SimpleClickOccurred");
    h.raise("ChestButtonPressed", 1.0.into());
    assert_eq!(h.seen("ALChestButton/SimpleClickOccurred"), []);
    h.raise("ChestButtonPressed", 0.0.into());
    assert_eq!(h.seen("ALChestButton/SimpleClickOccurred"), [Value::Int(1)]);
}
