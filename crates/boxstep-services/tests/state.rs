//! Services that remember what they are told, maps, steps, masses, and the charging station.

use crate::harness::{Harness, floats, list, near, s, strings};
use crate::video::in_world;
use boxstep_bodies::BodyKind;
use boxstep_types::Value;

#[test]
fn notes_are_kept_until_they_are_removed() {
    let mut h = Harness::pepper();
    h.listen("ALNotificationManager.notificationAdded");
    h.listen("ALNotificationManager.notificationRemoved");
    let note = list([list([s("message"), s("hot")]), list([s("severity"), s("warning")])]);
    let first = h.get("ALNotificationManager.add", &[note.clone()]);
    let second = h.get("ALNotificationManager.add", &[Value::map([("message", s("cold"))])]);
    assert_eq!((first, second), (Value::Int(1), Value::Int(2)));
    let kept = h.get("ALNotificationManager.notification", &[1.into()]);
    assert_eq!(kept.as_list().unwrap()[0], list([s("id"), 1.into()]));
    assert_eq!(h.get("ALNotificationManager.notification", &[2.into()]).get("id"), Some(&Value::Int(2)));
    h.get("ALNotificationManager.remove", &[1.into()]);
    assert_eq!(h.get("ALNotificationManager.notifications", &[]).as_list().unwrap().len(), 1);
    assert!(h.why("ALNotificationManager.remove", &[1.into()]).contains("no note 1"));
    assert_eq!(h.seen("ALNotificationManager.notificationAdded").len(), 2);
    assert_eq!(h.seen("ALNotificationManager.notificationRemoved"), [Value::Int(1)]);
}

#[test]
fn preferences_have_domains() {
    let mut h = Harness::nao();
    for (domain, name, value) in [("a", "x", 1), ("a", "y", 2), ("b", "x", 3)] {
        h.get("ALPreferenceManager.setValue", &[s(domain), s(name), value.into()]);
    }
    assert_eq!(strings(&h.get("ALPreferenceManager.getDomainList", &[])), ["a", "b"]);
    let values = h.get("ALPreferences.getValueList", &[s("a")]);
    assert_eq!(values, list([list([s("x"), 1.into()]), list([s("y"), 2.into()])]), "one store with two names");
    h.get("ALPreferenceManager.removeValue", &[s("b"), s("x")]);
    h.get("ALPreferenceManager.removeDomainValues", &[s("a")]);
    assert_eq!(h.get("ALPreferenceManager.getDomainList", &[]), Value::list([]));
    assert_eq!(h.get("ALPreferenceManager.getValue", &[s("a"), s("x")]), Value::Null);
}

#[test]
fn facts_and_things_are_remembered() {
    let mut h = Harness::nao();
    h.get("ALUserInfo.set", &[s("app"), 3.into(), s("colour"), s("red")]);
    assert_eq!(h.get("ALUserInfo.get", &[s("app"), 3.into(), s("colour")]), s("red"));
    assert_eq!(h.get("ALUserInfo.has", &[3.into(), s("colour")]), Value::Bool(true));
    assert_eq!(h.get("ALUserInfo.has", &[4.into(), s("colour")]), Value::Bool(false));
    assert_eq!(h.get("ALUserInfo.remove", &[s("app"), 3.into(), s("colour")]), Value::Bool(true));
    assert_eq!(h.get("ALUserInfo.get", &[s("app"), 3.into(), s("colour")]), Value::Null);
    for (subject, object) in [("Ada", "tea"), ("Bob", "tea"), ("Ada", "milk")] {
        h.get("ALKnowledge.add", &[s("me"), s(subject), s("likes"), s(object)]);
    }
    assert_eq!(strings(&h.get("ALKnowledge.getObject", &[s("me"), s("Ada"), s("likes")])), ["tea", "milk"]);
    assert_eq!(strings(&h.get("ALKnowledge.getSubject", &[s("me"), s("likes"), s("tea")])), ["Ada", "Bob"]);
    h.get("ALKnowledge.update", &[s("me"), s("Ada"), s("likes"), s("water")]);
    assert_eq!(strings(&h.get("ALKnowledge.getObject", &[s("me"), s("Ada"), s("likes")])), ["water"]);
    assert_eq!(h.get("ALKnowledge.getTriplet", &[s("you")]), Value::list([]));

    let place = list([1.0, 0.0, 0.5, 0.0, 0.0, 0.0]);
    let cup = [s("cup"), s("table"), place.clone(), s("dishes"), Value::list([])];
    assert_eq!(h.get("ALWorldRepresentation.storeObject", &cup), Value::Int(-1), "there is no such category");
    h.get("ALWorldRepresentation.createObjectCategory", &[s("dishes"), Value::list([])]);
    assert_eq!(h.get("ALWorldRepresentation.storeObject", &cup), Value::Int(0));
    let table = [s("table"), s("WorldSpace"), place.clone(), s(""), Value::list([])];
    h.get("ALWorldRepresentation.storeObject", &table);
    assert_eq!(strings(&h.get("ALWorldRepresentation.getChildrenNames", &[s("table")])), ["cup"]);
    assert_eq!(strings(&h.get("ALWorldRepresentation.getRootNames", &[])), ["table"]);
    assert_eq!(strings(&h.get("ALWorldRepresentation.getObjectsInCategory", &[s("dishes")])), ["cup"]);
    assert_eq!(h.get("ALWorldRepresentation.getPosition", &[s("table"), s("cup")]), place);
    assert_eq!(h.get("ALWorldRepresentation.removeObject", &[s("cup")]), Value::Int(0));
    assert_eq!(h.get("ALWorldRepresentation.findObject", &[s("cup")]), Value::Bool(false));
}

#[test]
fn properties_are_those_of_the_table() {
    let mut h = Harness::nao();
    assert!(strings(&h.get("ALMood.properties", &[])).contains(&"valence".to_owned()));
    assert_eq!(h.get("ALMood.property", &[s("ambianceLevel")]), Value::Float(0.0));
    h.listen("ALRobotMood.pleasure");
    h.get("ALRobotMood.setProperty", &[s("pleasure"), s("positive")]);
    assert_eq!(h.get("ALRobotMood.property", &[s("pleasure")]), s("positive"));
    assert_eq!(h.seen("ALRobotMood.pleasure"), [s("positive")]);
    assert!(h.why("ALMotion.property", &[s("x")]).contains("no property `x`"));
    assert!(h.get("ALMotion.getUsage", &[s("moveTo")]).as_str().unwrap().contains("moveTo::(fff)->v"));
    h.get("ALMotion.exit", &[]);
    h.get("ALBehaviorManager.addDefaultBehavior", &[s("a/b")]);
    h.get("ALBehaviorManager.addDefaultBehavior", &[s("a/b")]);
    assert_eq!(strings(&h.get("ALBehaviorManager.getDefaultBehaviors", &[])), ["a/b"]);
    h.get("ALBehaviorManager.removeDefaultBehavior", &[s("a/b")]);
    assert_eq!(h.get("ALBehaviorManager.getDefaultBehaviors", &[]), Value::list([]));
    let modules = strings(&h.get("ALLauncher.getGlobalModuleList", &[]));
    assert!(modules.contains(&"ALMotion".to_owned()) && !modules.contains(&"ALTabletService".to_owned()));
    assert_eq!(h.get("ALLauncher.isModulePresent", &[s("ALTabletService")]), Value::Bool(false));
    assert_eq!(Harness::pepper().get("ALLauncher.isModulePresent", &[s("ALTabletService")]), Value::Bool(true));
    assert_eq!(h.get("ALRobotModel.getConfigMap", &[]).get("Legs"), Some(&Value::Bool(true)));
}

#[test]
fn touched_sensors_are_listed() {
    let mut h = Harness::nao();
    let sensors = strings(&h.get("ALTouch.getSensorList", &[]));
    assert!(sensors.len() > 8, "{sensors:?}");
    h.raise("FrontTactilTouched", 1.0.into());
    let touched = |h: &mut Harness| {
        let status = h.get("ALTouch.getStatus", &[]);
        let rows: Vec<_> = status.as_list().unwrap().iter().map(|row| row.as_list().unwrap().to_vec()).collect();
        rows.iter().filter(|row| row[1] == Value::Bool(true)).count()
    };
    assert_eq!(touched(&mut h), 1);
    h.raise("FrontTactilTouched", 0.0.into());
    assert_eq!(touched(&mut h), 0);
}

#[test]
fn given_steps_are_walked() {
    let mut h = Harness::nao();
    let legs = list([s("LLeg"), s("RLeg")]);
    let steps = list([list([0.06, 0.1, 0.0]), list([0.06, -0.1, 0.0])]);
    near(h.takes("ALMotion.setFootSteps", &[legs.clone(), steps.clone(), list([0.6, 1.2]), true.into()]), 0.0);
    let left = h.get("ALMotion.getFootSteps", &[]);
    assert_eq!(left.as_list().unwrap()[2].as_list().unwrap().len(), 2);
    near(h.takes("ALMotion.waitUntilMoveIsFinished", &[]), 1.2);
    let at = floats(&h.get("ALMotion.getRobotPosition", &[true.into()]));
    // The left foot goes 0.06 m before the right one, and the right one 0.06 m before that.
    assert!((at[0] - 0.09).abs() < 1e-6 && at[1].abs() < 1e-6, "{at:?}");
    let speeds = list([1.0, 0.5]);
    h.get("ALMotion.setFootStepsWithSpeed", &[legs.clone(), steps.clone(), speeds, false.into()]);
    near(h.takes("ALMotion.waitUntilMoveIsFinished", &[]), 3.0 / 2.38);
    let late = [legs.clone(), steps.clone(), list([1.2, 0.6]), true.into()];
    assert!(h.why("ALMotion.setFootSteps", &late).contains("later time"));
    let wheels = [legs, steps, list([0.6, 1.2]), true.into()];
    assert!(Harness::pepper().why("ALMotion.setFootSteps", &wheels).contains("no legs"));
}

#[test]
fn feet_are_where_the_steps_put_them() {
    let mut h = Harness::nao();
    let foot = |h: &mut Harness, foot: &str| floats(&h.get("ALMotion.getPosition", &[s(foot), 1.into(), true.into()]));
    let right = foot(&mut h, "RLeg");
    for (step, wanted) in [
        ([0.06, 0.11, 0.2], [0.06, 0.11, 0.2]),
        // Too large, and across the other foot.
        ([5.0, 0.1, 0.0], [0.0797, 0.0998, 0.0]),
        ([0.0, -0.1, 0.0], [0.0, 0.088, 0.0]),
    ] {
        let args = [list(["LLeg"]), Value::list([list(step)]), list([0.6]), true.into()];
        h.get("ALMotion.setFootSteps", &args);
        h.get("ALMotion.waitUntilMoveIsFinished", &[]);
        let left = foot(&mut h, "LLeg");
        for (axis, at) in [0, 1, 5].iter().zip(wanted) {
            let wanted = at + if *axis == 1 { right[1] } else { right[0] };
            assert!((left[*axis] - wanted).abs() < 1e-3, "{step:?}: {left:?}");
        }
        let still = foot(&mut h, "RLeg");
        assert!((still[0] - right[0]).abs() < 1e-3 && (still[1] - right[1]).abs() < 1e-3, "{still:?} {right:?}");
    }
    assert_eq!(h.texts("move").iter().filter(|text| text.ends_with("; 1 smaller than asked for")).count(), 2);
    // A step takes its time, and a walk brings the feet beside each other again.
    let args = [list(["LLeg"]), Value::list([list([0.04, 0.1, 0.0])]), list([0.01]), true.into()];
    h.get("ALMotion.setFootSteps", &args);
    assert!(h.takes("ALMotion.waitUntilMoveIsFinished", &[]) > 0.4);
    h.get("ALMotion.moveTo", &[0.2.into(), 0.0.into(), 0.0.into()]);
    let (left, right) = (foot(&mut h, "LLeg"), foot(&mut h, "RLeg"));
    assert!((left[0] - right[0]).abs() < 1e-6, "{left:?} {right:?}");
}

#[test]
fn settings_of_steps_are_the_documented_ones() {
    let mut h = Harness::nao();
    let of = |h: &mut Harness, call: &str, which: &str| {
        let all = h.get(call, &[s(which)]);
        all.as_list()
            .unwrap()
            .iter()
            .map(|pair| floats(&Value::list([pair.as_list().unwrap()[1].clone()]))[0])
            .collect()
    };
    let max: Vec<f64> = of(&mut h, "ALMotion.getMoveConfig", "Max");
    assert_eq!(max, [0.08, 0.16, 0.524, 1.0, 0.04, 0.122, 0.122]);
    let gait: Vec<f64> = of(&mut h, "ALMotion.getFootGaitConfig", "Default");
    assert_eq!(gait, [0.04, 0.14, 0.349, 1.0, 0.02, 0.0, 0.0]);
    let mut pepper = Harness::pepper();
    assert!(pepper.why("ALMotion.getFootGaitConfig", &[s("Max")]).contains("no legs"));
    assert_eq!(pepper.get("ALMotion.getFootSteps", &[]), Value::list([]));
}

#[test]
fn the_mass_is_that_of_the_parts() {
    let mut h = Harness::nao();
    let mass = |h: &mut Harness, name: &str| h.get("ALMotion.getMass", &[s(name)]).as_f64().unwrap();
    near(mass(&mut h, "Body"), 5.30535);
    near(mass(&mut h, "HeadPitch"), 0.60533);
    near(mass(&mut h, "LArm"), mass(&mut h, "RArm"));
    let com = |h: &mut Harness| floats(&h.get("ALMotion.getCOM", &[s("Body"), 2.into(), false.into()]));
    let standing = com(&mut h);
    assert!(standing[0].abs() < 0.05 && standing[1].abs() < 0.01 && (0.2..0.32).contains(&standing[2]), "{standing:?}");
    h.get("ALMotion.setAngles", &[list([s("LShoulderPitch"), s("RShoulderPitch")]), list([0.0, 0.0]), 1.0.into()]);
    h.wait(1.0);
    assert!(com(&mut h)[0] > standing[0] + 0.005, "arms ahead move it ahead");
    h.get("ALRobotPosture.goToPosture", &[s("Crouch"), 1.0.into()]);
    assert!(com(&mut h)[2] < standing[2] - 0.05, "a crouching robot is lower");
    assert!(h.why("ALMotion.getMass", &[s("Nose")]).contains("Nose"));
    near(mass(&mut Harness::pepper(), "Body"), 28.68118);
    assert!(strings(&h.get("ALMotion.getSensorNames", &[])).contains(&"US/Left".to_owned()));
}

const ROOM: &str = "[room]\nsize = [6, 4, 2.5]\ncenter = [1, 0]\n[[boxes]]\nat = [1.5, 1.0]\nsize = [0.5, 0.5, 1]\n[station]\nat = [0, -1.2]\nfacing = 90\n";

#[test]
fn a_map_has_the_walls_of_the_world() {
    let mut h = in_world(BodyKind::Pepper, ROOM);
    assert!(h.why("ALNavigation.getMetricalMap", &[]).contains("there is no map"));
    assert!(h.takes("ALNavigation.explore", &[2.0.into()]) > 5.0);
    assert_eq!(h.get("ALNavigation.explore", &[0.1.into()]), Value::Int(0));
    h.get("ALNavigation.explore", &[2.0.into()]);
    assert_eq!(floats(&h.get("ALMotion.getRobotPosition", &[true.into()]))[..2], [0.0, 0.0], "it is back");
    let map = h.get("ALNavigation.getMetricalMap", &[]);
    let map = map.as_list().unwrap();
    assert_eq!((map[0].as_f64(), map[1].as_i64(), map[2].as_i64()), (Some(0.05), Some(80), Some(80)));
    let pixels = floats(&map[4]);
    let pixel = |x: f64, y: f64| {
        let column = ((x + 2.0) / 0.05) as usize;
        let row = ((2.0 - y) / 0.05) as usize;
        pixels[row * 80 + column]
    };
    assert_eq!((pixel(0.0, 0.0), pixel(1.5, 1.0), pixel(-1.98, 1.98)), (0.0, 100.0, 50.0));
    assert_eq!(pixel(0.0, -1.98), 100.0, "the wall");
    let file = h.get("ALNavigation.saveExploration", &[]);
    assert_eq!(h.get("ALNavigation.loadExploration", &[file]), Value::Bool(true));
    assert_eq!(h.get("ALNavigation.loadExploration", &[s("none")]), Value::Bool(false));
    assert_eq!(h.get("ALNavigation.navigateToInMap", &[list([0.5, 0.2, 0.0])]), Value::Bool(true));
    let place = h.get("ALNavigation.getRobotPositionInMap", &[]);
    assert_eq!(floats(&place.as_list().unwrap()[0])[..2], [0.5, 0.2]);
    h.get("ALNavigation.relocalizeInMap", &[list([0.0, 0.0, 0.0])]);
    let place = h.get("ALNavigation.getRobotPositionInMap", &[]);
    assert_eq!(floats(&place.as_list().unwrap()[0])[..2], [0.0, 0.0]);
}

#[test]
fn navigation_stops_before_a_wall() {
    let mut h = in_world(BodyKind::Nao, ROOM);
    h.listen("Navigation/AvoidanceNavigator/ObstacleDetected");
    assert_eq!(h.get("ALNavigation.navigateTo", &[0.5.into(), 0.0.into()]), Value::Bool(true));
    assert_eq!(h.get("ALNavigation.navigateTo", &[0.0.into(), 3.0.into()]), Value::Bool(false));
    let at = floats(&h.get("ALMotion.getRobotPosition", &[true.into()]));
    assert!((at[1] - 1.6).abs() < 1e-6, "{at:?}: 0.4 m before the wall at 2 m");
    assert_eq!(h.seen("Navigation/AvoidanceNavigator/ObstacleDetected").len(), 1);
    // Without a world the floor has no end.
    assert_eq!(Harness::nao().get("ALNavigation.navigateTo", &[9.0.into(), 0.0.into()]), Value::Bool(true));
}

#[test]
fn home_is_where_it_was_learned() {
    let mut h = Harness::nao();
    assert_eq!(h.get("ALLocalization.goToHome", &[]), Value::Int(1));
    h.get("ALMotion.moveTo", &[0.2.into(), 0.0.into(), 1.0.into()]);
    assert_eq!(h.get("ALLocalization.learnHome", &[]), Value::Int(0));
    h.get("ALMotion.moveTo", &[0.4.into(), 0.1.into(), 0.5.into()]);
    assert_eq!(h.get("ALLocalization.isInCurrentHome", &[]), Value::Bool(false));
    assert_eq!(h.get("ALLocalization.goToHome", &[]), Value::Int(0));
    assert_eq!(h.get("ALLocalization.isInCurrentHome", &[]), Value::Bool(true));
    let place = floats(&h.get("ALLocalization.getRobotPosition", &[]));
    assert!(place.iter().all(|x| x.abs() < 1e-6), "{place:?}");
    h.get("ALMotion.moveTo", &[0.4.into(), 0.1.into(), 0.5.into()]);
    let id = h.post("ALLocalization.goToHome", &[]);
    h.wait(1.0);
    h.get("ALLocalization.stopAll", &[]);
    h.wait(3.0);
    assert_eq!(h.answers[&id].1, Ok(Value::Int(1)), "it was stopped");
}

#[test]
fn the_station_is_reached_and_left() {
    let mut h = in_world(BodyKind::Pepper, ROOM);
    h.listen("ALRecharge/StatusChanged");
    h.listen("BatteryPowerPluggedChanged");
    assert_eq!(h.get("ALRecharge.leaveStation", &[]), Value::Int(1), "it is not there");
    assert_eq!(h.get("ALRecharge.goToStation", &[]), Value::Int(0));
    h.wait(0.1);
    let at = floats(&h.get("ALMotion.getRobotPosition", &[true.into()]));
    assert!((at[1] + 1.2).abs() < 1e-6 && (at[2] - std::f64::consts::FRAC_PI_2).abs() < 1e-3, "{at:?}");
    assert_eq!(h.get("ALRecharge.getStatus", &[]), Value::Int(3));
    assert_eq!(h.get("ALRecharge.leaveStation", &[]), Value::Int(0));
    h.wait(0.1);
    assert_eq!(h.seen("ALRecharge/StatusChanged"), [2, 3, 4, 0].map(Value::Int));
    assert_eq!(h.seen("BatteryPowerPluggedChanged"), [Value::Bool(true), Value::Bool(false)]);
    let id = h.post("ALRecharge.goToStation", &[]);
    h.wait(0.5);
    h.get("ALRecharge.stopAll", &[]);
    h.wait(5.0);
    assert_eq!(h.answers[&id].1, Ok(Value::Int(1)));
    assert_eq!(Harness::pepper().get("ALRecharge.goToStation", &[]), Value::Int(1), "there is no station");
}

#[test]
fn moods_are_those_of_the_people_in_view() {
    let world = "[[people]]\nat = [1.2, 0]\nheight = 0.75\nsmile = 0.9\n";
    let mut h = in_world(BodyKind::Nao, world);
    near(h.takes("ALMood.getEmotionalReaction", &[]), 3.0);
    assert_eq!(h.get("ALMood.getEmotionalReaction", &[]), s("positive"));
    let state = h.get("ALMood.currentPersonState", &[]);
    assert_eq!(state.get("smile").and_then(|smile| smile.get("value")), Some(&Value::Float(0.9)));
    assert_eq!(Harness::nao().get("ALMood.getEmotionalReaction", &[]), s("unknown"));
}
