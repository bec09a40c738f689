//! The tables are consistent in themselves and with each other.

use boxstep_bodies::{BodyKind, Channel, JointKind, PostureFamily, body_of_actuators};
use std::collections::HashSet;

fn bodies() -> impl Iterator<Item = &'static boxstep_bodies::Body> {
    BodyKind::ALL.into_iter().map(BodyKind::body)
}

fn assert_unique<'a>(names: impl IntoIterator<Item = &'a str>) {
    let mut seen = HashSet::new();
    for name in names {
        assert!(seen.insert(name), "{name} twice");
    }
}

#[test]
fn joints_are_named_once_and_have_ordered_limits() {
    for body in bodies() {
        assert_unique(body.joints.iter().map(|joint| joint.name));
        for joint in body.joints {
            assert!(joint.min < joint.max && joint.max_speed > 0.0, "{}", joint.name);
            assert_eq!(joint.kind == JointKind::Wheel, joint.min.is_infinite(), "{}", joint.name);
            assert_eq!(joint.kind == JointKind::Hand, joint.name.ends_with("Hand"), "{}", joint.name);
        }
    }
    assert_eq!(BodyKind::Nao.body().joints.len(), 26);
    assert_eq!(BodyKind::Pepper.body().joints.len(), 20);
}

#[test]
fn left_and_right_are_mirrored() {
    for body in bodies() {
        for left in body.joints.iter().filter(|joint| joint.name.starts_with('L')) {
            let right = body.joint(&left.name.replacen('L', "R", 1)).unwrap();
            assert_eq!(left.max_speed, right.max_speed, "{}", left.name);
            let mirrored = left.name.ends_with("Roll") || left.name.ends_with("Yaw");
            let (min, max) = if mirrored { (-right.max, -right.min) } else { (right.min, right.max) };
            // The legs' published limits differ by up to a degree.
            assert!((left.min - min).abs() < 0.02 && (left.max - max).abs() < 0.02, "{}", left.name);
        }
    }
}

/// What versions of NAO have in common, and what not.
#[test]
fn nao_v3_3_has_other_masses_and_cameras() {
    let [new, old] = [BodyKind::Nao, BodyKind::NaoV33].map(BodyKind::body);
    assert!(new.joints == old.joints && new.geometry.links == old.geometry.links && new.leds == old.leds);
    let weight = |body: &boxstep_bodies::Body| body.geometry.masses.iter().map(|mass| mass.mass).sum::<f64>();
    assert!((weight(new) - 5.305).abs() < 0.001 && (weight(old) - 5.006).abs() < 0.001);
    let differ: Vec<_> = (new.geometry.sensors.iter().zip(old.geometry.sensors))
        .filter(|(a, b)| a != b)
        .map(|(a, b)| (a.name == b.name).then_some(a.name))
        .collect();
    assert_eq!(differ, [Some("CameraBottom"), Some("CameraTop")]);
    assert_ne!(new, old, "they are two bodies");
}

#[test]
fn chains_and_collections_hold_known_joints_in_order() {
    for body in bodies() {
        assert_unique(body.chains.iter().chain(body.collections).map(|chain| chain.name));
        for chain in body.chains.iter().chain(body.collections) {
            let places: Vec<_> = chain.joints.iter().map(|joint| body.joint_index(joint).unwrap()).collect();
            assert_unique(chain.joints.iter().copied());
            if chain.name != "Actuators" {
                assert!(places.is_sorted(), "{}", chain.name);
            }
        }
        // Every joint except wheels belongs to exactly one chain.
        let in_chains: Vec<_> = body.chains.iter().flat_map(|chain| chain.joints).copied().collect();
        assert_unique(in_chains.iter().copied());
        let motors = body.joints.iter().filter(|joint| joint.kind != JointKind::Wheel);
        assert_eq!(in_chains, motors.map(|joint| joint.name).collect::<Vec<_>>());
    }
}

#[test]
fn names_expand_as_the_robot_does_it() {
    let nao = BodyKind::Nao.body();
    assert_eq!(nao.body_names("Chains"), ["Head", "LArm", "LLeg", "RLeg", "RArm"]);
    assert_eq!(nao.joints_of("LHand"), ["LHand"]);
    assert_eq!(nao.joints_of("Legs").len(), 12);
    assert_eq!(nao.joints_of("Body").len(), 26);
    assert!(nao.joints_of("Leg").is_empty());
    let pepper = BodyKind::Pepper.body();
    assert_eq!(pepper.joints_of("Leg"), ["HipRoll", "HipPitch", "KneePitch"]);
    assert_eq!(pepper.joints_of("Body").len(), 20);
    assert_eq!(pepper.joints_of("JointActuators").len(), 17);
}

#[test]
fn couplings_and_shell_limits_name_joints() {
    for body in bodies() {
        for coupling in body.couplings {
            assert!(body.joint(coupling.joint).is_some() && body.joint(coupling.follows).is_some());
        }
        for limit in body.shell_limits {
            let (joint, by) = (body.joint(limit.joint).unwrap(), body.joint(limit.by).unwrap());
            assert!(limit.rows.is_sorted_by(|a, b| a.0 < b.0), "{}", limit.joint);
            for &(angle, min, max) in limit.rows {
                assert!(min < max && joint.min - 0.02 <= max && min <= joint.max + 0.02, "{}", limit.joint);
                assert!((by.min - 0.01..=by.max + 0.01).contains(&angle), "{} by {angle}", limit.joint);
            }
        }
    }
}

#[test]
fn shell_limits_narrow_a_joint() {
    let nao = BodyKind::Nao.body();
    let at = |yaw: f64| nao.limits("HeadPitch", |_| yaw).unwrap();
    assert_eq!(at(0.0), (-0.671951, 0.5149));
    assert_eq!(at(1.526988), (-0.330041, 0.200015));
    assert_eq!(at(-1.526988), at(1.526988));
    let (_, between) = at(0.6210755);
    assert!((between - 0.3960155).abs() < 1e-9, "halfway between two rows");
    assert_eq!(nao.limits("HeadYaw", |_| 0.0), Some((-2.0857, 2.0857)));
    assert_eq!(nao.limits("Nose", |_| 0.0), None);
}

#[test]
fn postures_have_every_joint_within_its_limits() {
    for body in bodies() {
        assert_unique(body.postures.iter().map(|posture| posture.name));
        for posture in body.postures {
            for joint in body.joints.iter().filter(|joint| joint.kind != JointKind::Wheel) {
                let angle = posture.angle(joint.name).unwrap();
                assert!((joint.min..=joint.max).contains(&angle), "{} {}: {angle}", posture.name, joint.name);
            }
            assert_unique(posture.angles.iter().map(|(joint, _)| *joint));
            assert!(posture.angles.iter().all(|(joint, _)| body.joint(joint).is_some()));
        }
        assert_eq!(body.posture("Stand").unwrap().family, PostureFamily::Standing);
    }
}

#[test]
fn led_groups_hold_known_leds() {
    for body in bodies() {
        assert_unique(body.leds.iter().map(|led| led.name));
        assert_unique(body.led_groups.iter().map(|group| group.name));
        let mut devices = HashSet::new();
        for led in body.leds {
            for &channel in led.channels {
                assert!(devices.insert(led.device(channel)), "{} twice", led.device(channel));
            }
        }
        for group in body.led_groups {
            assert_unique(group.leds.iter().copied());
            for name in group.leds {
                let led = body.led(name).unwrap_or_else(|| panic!("{} of {}", name, group.name));
                assert!(led.channels.iter().any(|channel| group.channels.contains(channel)), "{name}");
            }
            // If an LED and a group have the same name, they are the same.
            assert!(body.led(group.name).is_none() || group.leds == [group.name], "{}", group.name);
        }
        let eyes = body.led_group("FaceLeds").unwrap();
        assert_eq!(eyes.leds.len(), 16);
        assert_eq!(body.led_group("AllLeds").unwrap().leds.len(), body.leds.len());
    }
    let led = BodyKind::Nao.body().led("FaceLedLeft1").unwrap();
    assert_eq!(led.device(Channel::Red), "Face/Led/Red/Left/45Deg/Actuator/Value");
    assert!(BodyKind::Pepper.body().led_group("FeetLeds").is_none());
}

#[test]
fn touch_events_are_named_once() {
    for body in bodies() {
        assert_unique(body.touch.iter().map(|sensor| sensor.event));
        assert!(body.touch.iter().any(|sensor| sensor.event == "ChestButtonPressed" && !sensor.clicks.is_empty()));
    }
    let has = |kind: BodyKind, event: &str| kind.body().touch.iter().any(|sensor| sensor.event == event);
    assert!(has(BodyKind::Pepper, "BackBumperPressed") && !has(BodyKind::Nao, "BackBumperPressed"));
}

#[test]
fn actuators_identify_the_robot() {
    assert_eq!(body_of_actuators(["HeadYaw", "KneePitch"]), Some(BodyKind::Pepper));
    assert_eq!(body_of_actuators(["LHand", "LHipYawPitch"]), Some(BodyKind::Nao));
    assert_eq!(body_of_actuators(["HeadYaw", "LHand", "Tail"]), None);
    assert_eq!(body_of_actuators([]), None);
}

#[test]
fn robots_by_name() {
    for kind in BodyKind::ALL {
        assert_eq!(BodyKind::from_name(&kind.to_string()), Some(kind));
    }
    assert_eq!(BodyKind::from_name("JULIETTE_Y20"), Some(BodyKind::Pepper));
    assert_eq!(BodyKind::from_name("NAOH25V40"), Some(BodyKind::Nao));
    assert_eq!(BodyKind::from_name("NAOH25V33"), Some(BodyKind::NaoV33));
    assert_eq!(BodyKind::from_name("é"), None);
}
