//! ALLeds.

use crate::harness::{Harness, list, near, s, strings};
use boxstep_types::Value;

fn level(h: &mut Harness, led: &str) -> f64 {
    h.get("ALLeds.getIntensity", &[s(led)]).as_f64().unwrap()
}

#[test]
fn fades_take_their_time() {
    let mut h = Harness::nao();
    let red = "Face/Led/Red/Left/0Deg/Actuator/Value";
    let blue = "Face/Led/Blue/Left/0Deg/Actuator/Value";
    let id = h.post("ALLeds.fadeRGB", &[s("FaceLeds"), 0xff0000.into(), 2.0.into()]);
    h.wait(1.0);
    near(level(&mut h, blue), 0.5);
    near(level(&mut h, red), 1.0);
    assert!(!h.done(id));
    h.wait(1.0);
    assert!(h.done(id));
    near(level(&mut h, blue), 0.0);
    assert_eq!(h.texts("leds"), ["FaceLeds #ff0000 over 2 s"]);
}

#[test]
fn colours_have_many_forms() {
    let mut h = Harness::nao();
    for (color, hex) in [
        (s("green"), "#00ff00"),
        (0xff.into(), "#0000ff"),
        (Value::Float(65535.0), "#00ffff"),
        (list([1.0, 0.0, 0.0]), "#ff0000"),
    ] {
        h.get("ALLeds.fadeRGB", &[s("ChestLeds"), color, 0.0.into()]);
        assert_eq!(h.texts("leds").last().cloned(), Some(format!("ChestLeds {hex}")));
    }
    h.get("ALLeds.fadeRGB", &[s("ChestLeds"), 0.0.into(), 1.0.into(), 0.0.into(), 0.1.into()]);
    near(level(&mut h, "ChestLeds"), 1.0 / 3.0);
    assert!(h.why("ALLeds.fadeRGB", &[s("ChestLeds"), s("mauve"), 1.0.into()]).contains("`mauve` is not a colour"));
    assert!(h.why("ALLeds.fadeRGB", &[s("TailLeds"), s("red"), 1.0.into()]).contains("neither a LED nor a group"));
    let times = list([0.5, 1.5]);
    near(h.takes("ALLeds.fadeListRGB", &[s("FaceLeds"), list([0xff0000, 0x0000ff]), times]), 1.5);
    assert!(h.why("ALLeds.fadeListRGB", &[s("FaceLeds"), list([1, 2]), list([1.0, 0.5])]).contains("rise"));
}

#[test]
fn groups_and_levels() {
    let mut h = Harness::nao();
    h.get("ALLeds.off", &[s("FaceLeds")]);
    near(level(&mut h, "FaceLeds"), 0.0);
    h.get("ALLeds.createGroup", &[s("Mine"), list(["FaceLedLeft0", "LeftEarLed1"])]);
    near(h.takes("ALLeds.fade", &[s("Mine"), 0.5.into(), 0.25.into()]), 0.25);
    near(level(&mut h, "Mine"), 0.5);
    near(level(&mut h, "RightFaceLeds"), 0.0);
    assert_eq!(strings(&h.get("ALLeds.listGroup", &[s("Mine")])).len(), 4);
    assert!(strings(&h.get("ALLeds.listGroups", &[])).contains(&"Mine".to_owned()));
    h.get("ALLeds.reset", &[s("FaceLeds")]);
    near(level(&mut h, "FaceLeds"), 1.0);
    for (name, args) in [
        ("ALLeds.rasta", vec![1.5.into()]),
        ("ALLeds.randomEyes", vec![1.5.into()]),
        ("ALLeds.rotateEyes", vec![0xff.into(), 0.5.into(), 1.5.into()]),
        ("ALLeds.earLedsSetAngle", vec![90.into(), 1.5.into(), true.into()]),
    ] {
        near(h.takes(name, &args), 1.5);
    }
}

#[test]
fn a_cancelled_fade_is_not_answered() {
    let mut h = Harness::nao();
    let id = h.post("ALLeds.fade", &[s("FaceLeds"), 0.5.into(), 2.0.into()]);
    h.cancel(id);
    h.wait(5.0);
    assert!(h.answers[&id].1.is_err());
}
