//! Gestures on the head.

use crate::harness::{Harness, list, s, strings};
use boxstep_types::Value;

const FRONT: &str = "FrontTactilTouched";
const MIDDLE: &str = "MiddleTactilTouched";
const REAR: &str = "RearTactilTouched";

fn robot() -> Harness {
    let mut h = Harness::nao();
    h.listen("ALTactileGesture.onGesture");
    h.listen("ALTactileGesture.onRelease");
    h.listen("ALTactileGesture/Gesture");
    h
}

/// Touches sensors one after another, then releases them, in a tenth of a second.
fn touch(h: &mut Harness, sensors: &[&str]) {
    for level in [1.0, 0.0] {
        for sensor in sensors {
            h.raise(sensor, level.into());
            h.wait(0.02);
        }
        h.wait(0.1);
    }
}

/// Slides over sensors.
fn slide(h: &mut Harness, steps: &[&[&str]]) {
    for pair in steps.windows(2) {
        pair[0].iter().for_each(|sensor| h.raise(sensor, 0.0.into()));
        pair[1].iter().for_each(|sensor| h.raise(sensor, 1.0.into()));
        h.wait(0.2);
    }
}

#[test]
fn what_is_done_on_the_head_is_a_gesture_half_a_second_later() {
    let mut h = robot();
    let all = [FRONT, MIDDLE, REAR];
    for (does, name) in [
        (&[&[FRONT][..]][..], "SingleFront"),
        (&[&[MIDDLE], &[MIDDLE]], "DoubleMiddle"),
        (&[&all], "SingleTap"),
        (&[&all, &all], "DoubleTap"),
        (&[&[REAR, FRONT]], "TheClaw"),
    ] {
        does.iter().for_each(|sensors| touch(&mut h, sensors));
        h.wait(0.1);
        assert_eq!(h.seen("ALTactileGesture/Gesture"), [], "{name}: more may follow");
        h.wait(0.5);
        assert_eq!(h.seen("ALTactileGesture/Gesture"), [s(name)]);
        assert_eq!(h.seen("ALTactileGesture.onGesture"), [s(name)]);
        h.events.clear();
    }
    slide(&mut h, &[&[], &[FRONT], &[MIDDLE], &[REAR], &[]]);
    h.wait(1.0);
    slide(&mut h, &[&[], &[FRONT, REAR], &[MIDDLE], &[]]);
    h.wait(1.0);
    touch(&mut h, &[FRONT]);
    touch(&mut h, &[REAR]);
    h.wait(1.0);
    assert_eq!(h.seen("ALTactileGesture/Gesture"), [s("CaressFtoR"), s("ZoomIn")], "the third is none");
    assert_eq!(h.seen("ALTactileGesture.onRelease"), []);
}

#[test]
fn a_hold_repeats_until_it_is_released_or_the_sensor_gives_up() {
    let mut h = robot();
    h.raise(FRONT, 1.0.into());
    h.wait(2.5);
    h.raise(FRONT, 0.0.into());
    h.wait(1.0);
    assert_eq!(h.seen("ALTactileGesture/Gesture"), [s("SingleFrontHold"), s("SingleFrontHold")]);
    assert_eq!(h.seen("ALTactileGesture.onRelease"), [Value::list([])]);
    h.raise(REAR, 1.0.into());
    h.wait(100.0);
    assert_eq!(h.seen("ALTactileGesture/Gesture").len(), 2 + 40);
}

#[test]
fn gestures_are_created_by_their_sequence() {
    let mut h = robot();
    let sequence = |words: &str| list(words.split(' ').map(str::to_owned));
    let double = sequence("000 111 000 111 000");
    assert_eq!(h.get("ALTactileGesture.getGesture", &[double.clone()]), s("DoubleTap"));
    assert!(h.why("ALTactileGesture.createGesture", &[double]).contains("the gesture DoubleTap already"));
    let triple = sequence("000 111 000 111 000 111 000");
    let name = h.get("ALTactileGesture.createGesture", &[triple.clone()]);
    assert_eq!(h.get("ALTactileGesture.getSequence", &[name.clone()]), triple);
    assert_eq!(h.get("ALTactileGesture.getGestures", &[]).get(name.as_str().unwrap()), Some(&triple));
    for _ in 0..3 {
        touch(&mut h, &[FRONT, MIDDLE, REAR]);
    }
    h.wait(1.0);
    assert_eq!(h.seen("ALTactileGesture/Gesture"), [name]);
    for wrong in ["000 000", "100 000", "000 12 000", "000 111 111 000", "000"] {
        assert!(h.why("ALTactileGesture.createGesture", &[sequence(wrong)]).contains("begins and ends with 000"));
    }
    assert!(strings(&h.get("ALTactileGesture.getSequence", &[s("none")])).is_empty());
}

#[test]
fn without_listeners_nothing_is_awaited() {
    let mut h = Harness::nao();
    h.raise(FRONT, 1.0.into());
    assert_eq!(h.timers_alive(), 0);
}
