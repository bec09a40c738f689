//! The robot's resource tree: what boxes acquire while they run.
//!
//! A robot shows the whole tree only at run time. The names are those that behaviors use; their parents are our own
//! arrangement.

/// How a resource is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResourceKind {
    /// One owner at a time; acquiring it acquires its children.
    Exclusive,
    /// A condition of the robot (`Standing`); any number of owners while it is true.
    State,
}

/// A resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The name that boxes use.
    pub name: &'static str,
    /// The resource that it is part of.
    pub parent: Option<&'static str>,
    /// How it is owned.
    pub kind: ResourceKind,
}

/// Returns the resource of this name.
pub fn resource(name: &str) -> Option<&'static Resource> {
    RESOURCES.iter().find(|resource| resource.name == name)
}

/// Returns every resource, parents before children. The joints are those of all robots.
pub fn resources() -> &'static [Resource] {
    RESOURCES
}

const fn root(name: &'static str) -> Resource {
    Resource { name, parent: None, kind: ResourceKind::Exclusive }
}

const fn child(name: &'static str, parent: &'static str) -> Resource {
    Resource { name, parent: Some(parent), kind: ResourceKind::Exclusive }
}

const fn state(name: &'static str) -> Resource {
    Resource { name, parent: None, kind: ResourceKind::State }
}

static RESOURCES: &[Resource] = &[
    root("All motors"),
    child("Head", "All motors"),
    child("Arms", "All motors"),
    child("Legs", "All motors"),
    child("Left arm", "Arms"),
    child("Right arm", "Arms"),
    child("Left leg", "Legs"),
    child("Right leg", "Legs"),
    child("HeadYaw", "Head"),
    child("HeadPitch", "Head"),
    child("LShoulderPitch", "Left arm"),
    child("LShoulderRoll", "Left arm"),
    child("LElbowYaw", "Left arm"),
    child("LElbowRoll", "Left arm"),
    child("LWristYaw", "Left arm"),
    child("LHand", "Left arm"),
    child("RShoulderPitch", "Right arm"),
    child("RShoulderRoll", "Right arm"),
    child("RElbowYaw", "Right arm"),
    child("RElbowRoll", "Right arm"),
    child("RWristYaw", "Right arm"),
    child("RHand", "Right arm"),
    child("LHipYawPitch", "Left leg"),
    child("LHipRoll", "Left leg"),
    child("LHipPitch", "Left leg"),
    child("LKneePitch", "Left leg"),
    child("LAnklePitch", "Left leg"),
    child("LAnkleRoll", "Left leg"),
    child("RHipYawPitch", "Right leg"),
    child("RHipRoll", "Right leg"),
    child("RHipPitch", "Right leg"),
    child("RKneePitch", "Right leg"),
    child("RAnklePitch", "Right leg"),
    child("RAnkleRoll", "Right leg"),
    child("HipRoll", "Legs"),
    child("HipPitch", "Legs"),
    child("KneePitch", "Legs"),
    root("Stiffness"),
    root("Audio"),
    child("Speakers", "Audio"),
    child("Audio player", "Speakers"),
    child("Speech", "Speakers"),
    child("TTS", "Speech"),
    child("Audio recorder", "Audio"),
    child("Speech recognition", "Audio"),
    root("Leds"),
    child("Left eye leds", "Leds"),
    child("Right eye leds", "Leds"),
    child("Ear leds", "Leds"),
    child("Chest leds", "Leds"),
    child("Feet leds", "Leds"),
    child("Brain leds", "Leds"),
    root("Camera"),
    child("Camera setting", "Camera"),
    root("Tactile sequences"),
    child("Head-sequence", "Tactile sequences"),
    child("Left arm-sequence", "Tactile sequences"),
    child("Right arm-sequence", "Tactile sequences"),
    state("Standing"),
    state("Sitting"),
    state("Sitting on chair"),
    state("Crouching"),
    state("Lying belly"),
    state("Lying back"),
];
