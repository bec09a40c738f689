//! The resource tree is a tree.

use boxstep_bodies::{BodyKind, JointKind, ResourceKind, resource, resources};
use std::collections::HashSet;

#[test]
fn the_resource_tree_has_no_cycle() {
    let mut seen = HashSet::new();
    for entry in resources() {
        // Parents come first, so there is no cycle.
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
