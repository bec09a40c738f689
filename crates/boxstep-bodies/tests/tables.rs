//! The resource tree is a tree; services and methods are named once.

#![allow(clippy::unwrap_used)]

use boxstep_bodies::{ANY, BodyKind, COMMON_METHODS, JointKind, ResourceKind, resource, resources, service, services};
use std::collections::HashSet;

#[test]
fn the_resource_tree_has_no_cycle() {
    let mut seen = HashSet::new();
    for entry in resources() {
        // Parents come first, so no way leads back.
        assert!(entry.parent.is_none_or(|parent| seen.contains(parent)), "{}", entry.name);
        assert!(seen.insert(entry.name), "{} twice", entry.name);
    }
}

#[test]
fn every_joint_is_one_of_all_motors() {
    for body in BodyKind::ALL.map(BodyKind::body) {
        for joint in body.joints.iter().filter(|joint| joint.kind != JointKind::Wheel) {
            let mut at = resource(joint.name).unwrap();
            while let Some(parent) = at.parent {
                at = resource(parent).unwrap();
            }
            assert_eq!(at.name, "All motors", "{}", joint.name);
        }
    }
}

#[test]
fn states_stand_alone() {
    let states: Vec<_> = resources().iter().filter(|entry| entry.kind == ResourceKind::State).collect();
    assert!(states.iter().any(|entry| entry.name == "Standing"));
    assert!(states.iter().all(|entry| entry.parent.is_none()));
    assert_eq!(resource("Audio player").unwrap().parent, Some("Speakers"));
    assert_eq!(resource("Moon"), None);
}

#[test]
fn services_and_methods_are_named_once() {
    let mut seen = HashSet::new();
    for service in services() {
        assert!(seen.insert(service.name), "{} twice", service.name);
        let mut methods = HashSet::new();
        for method in service.methods {
            assert!(methods.insert(method.name), "{}.{} twice", service.name, method.name);
            assert!(method.min_args <= method.max_args, "{}.{}", service.name, method.name);
            assert!(!method.doc.is_empty() && !service.doc.is_empty());
        }
    }
    let mut common = HashSet::new();
    assert!(COMMON_METHODS.iter().all(|method| common.insert(method.name)));
}

#[test]
fn methods_are_found_and_count_arguments() {
    let motion = service("ALMotion").unwrap();
    let bezier = motion.method("angleInterpolationBezier").unwrap();
    assert!(bezier.takes(3) && !bezier.takes(2) && !bezier.takes(4) && bezier.simulated);
    assert!(motion.method("wait").is_some(), "every service has the common methods");
    assert!(motion.method("subscribe").is_none());
    assert!(service("ALFaceDetection").unwrap().method("subscribe").is_some());
    let any = service("ALMemory").unwrap().method("pCall").unwrap();
    assert!(any.max_args == ANY && any.takes(400) && !any.takes(0));
    // ALDialog takes one argument where sensing services take up to three.
    assert_eq!(service("ALDialog").unwrap().method("subscribe").unwrap().max_args, 1);
    assert!(service("ALNobody").is_none());
    assert!(service("ALTabletService").unwrap().signals.contains(&"onTouchDown"));
    assert!(!service("ALVolumeSlider").unwrap().simulated());
}
