//! Descriptions of bodies, and their frames.

use crate::support::bodies;
use boxstep_bodies::{Body, own};
use boxstep_dynamics::{Isometry3, Model};
use boxstep_ros2::frames::{self, Turn};
use boxstep_ros2::messages::builtin_interfaces::Time as Stamp;
use boxstep_ros2::posture::{Posture, standing};
use boxstep_ros2::{tf, urdf};
use boxstep_types::Random;
use std::collections::BTreeMap;

fn random_angles(body: &Body, random: &mut Random) -> Vec<f64> {
    let within = |min: f64, max: f64, share: f64| if min.is_finite() { min + share * (max - min) } else { 0.0 };
    body.joints.iter().map(|joint| within(joint.min, joint.max, random.unit())).collect()
}

/// Returns the pose of each frame in the first one.
fn placed(body: &Body, angles: &[f64]) -> BTreeMap<String, Isometry3<f64>> {
    let mut poses = BTreeMap::from([(frames::root(body), Isometry3::identity())]);
    for frame in frames::of(body) {
        let pose = poses[&frame.parent] * frame.pose(angles);
        assert!(poses.insert(frame.name.clone(), pose).is_none(), "{} is there twice", frame.name);
    }
    poses
}

#[test]
fn frames_are_where_links_are() {
    let mut random = Random::new(7);
    for body in bodies() {
        let model = Model::new(body);
        for _ in 0..50 {
            let angles = random_angles(body, &mut random);
            let poses = placed(body, &angles);
            for (link, pose) in model.links().iter().zip(model.forward(&angles)) {
                let frame = poses[&frames::link_name(body, link.name)];
                let far = (frame.to_homogeneous() - pose.to_homogeneous()).amax();
                assert!(far < 1e-12, "{body}: {} is {far} from its link", link.name);
            }
        }
    }
}

#[test]
fn joints_have_their_names_once() {
    for body in bodies() {
        let mut names: Vec<String> = frames::of(body).into_iter().map(|frame| frame.joint).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "{body}");
        for frame in frames::of(body) {
            if let Turn::Joint(joint) = frame.turn {
                assert_eq!(frame.joint, body.joints[joint].name);
            }
        }
    }
}

#[test]
fn nao_and_pepper_have_the_frames_of_their_published_descriptions() {
    let nao = frames::of(boxstep_bodies::BodyKind::Nao.body());
    let parent = |name: &str| nao.iter().find(|frame| frame.name == name).map(|frame| frame.parent.clone());
    assert_eq!(parent("torso").as_deref(), Some("base_link"));
    assert_eq!(parent("l_ankle").as_deref(), Some("LAnklePitch"));
    assert_eq!(parent("r_gripper").as_deref(), Some("r_wrist"));
    let pepper = frames::of(boxstep_bodies::BodyKind::Pepper.body());
    assert!(pepper.iter().any(|frame| frame.name == "Tibia" && frame.joint == "KneePitch"));
}

/// Our own reader of descriptions makes a body of it that is moved in the same way.
#[test]
fn a_description_is_read_as_the_same_body() {
    let mut random = Random::new(8);
    for body in bodies().into_iter().filter(|body| !body.geometry.links.is_empty()) {
        let text = urdf::of(body);
        // A body may not have the name of a built-in one.
        let text = text.replacen("<robot name=\"", "<robot name=\"own-", 1);
        let read = own::read("body.urdf", &text, &[], |_| Err("nothing".to_owned()));
        let read = read.unwrap_or_else(|wrong| panic!("{body}: {wrong}\n{text}"));
        let (model, again) = (Model::new(body), Model::new(read));
        assert!((model.mass() - again.mass()).abs() < 1e-9);
        let angles = random_angles(body, &mut random);
        let value = |name: &str| body.joint_index(name).map(|at| angles[at]);
        // What follows another joint has its value times the factor.
        let follows: BTreeMap<String, f64> = frames::of(body)
            .iter()
            .filter_map(|frame| match frame.turn {
                Turn::Follows(joint, factor) => Some((frame.joint.clone(), factor * angles[joint])),
                _ => None,
            })
            .collect();
        let moved: Vec<f64> =
            read.joints.iter().map(|joint| follows.get(joint.name).copied().or(value(joint.name)).unwrap()).collect();
        let ours = placed(body, &angles);
        // Its own reader knows which joint follows which, and takes the leader's value as it is.
        let free = frames::of(body).into_iter().filter(|frame| !matches!(frame.turn, Turn::Follows(_, f) if f != 1.0));
        let poses = again.forward(&moved);
        for frame in free {
            let at = again.links().iter().position(|link| link.name == frame.name).unwrap();
            let far = (ours[&frame.name].to_homogeneous() - poses[at].to_homogeneous()).amax();
            assert!(far < 1e-9, "{body}: {} is {far} away", frame.name);
        }
        for joint in body.joints.iter().filter(|joint| joint.min.is_finite()) {
            if let Some(same) = read.joint(joint.name) {
                assert_eq!(
                    (same.min, same.max, same.max_speed),
                    (joint.min, joint.max, joint.max_speed),
                    "{}",
                    joint.name
                );
            }
        }
    }
}

/// A body may have links with the names that the world and the floor under it have.
#[test]
fn no_frame_has_two_parents() {
    let path = format!("{}/../../examples/bodies/booster-t1.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    for (link, name) in [("H1", "base_footprint"), ("H2", "odom"), ("Trunk", "base_footprint")] {
        let text = text.replace(&format!("\"{link}\""), &format!("\"{name}\"")).replace("booster-t1", "own-t1");
        let body = own::read("body.toml", &text, &["ALTextToSpeech"], |_| Err("nothing".to_owned()));
        let body = body.unwrap_or_else(|wrong| panic!("{wrong}"));
        let (model, frames) = (Model::new(body), frames::of(body));
        let angles = model.awake();
        let posture = Posture { torso: standing(&model, &angles), angles };
        let sent = tf::transforms(&model, &frames, &posture, Stamp::default());
        let fixed = frames.iter().filter(|frame| frame.turn == Turn::Fixed).map(|frame| frame.name.as_str());
        let mut names: Vec<&str> = sent.iter().map(|sent| sent.child_frame_id.as_str()).chain(fixed).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{link}: {names:?}");
        assert!(names.contains(&name), "{names:?}");
    }
}
