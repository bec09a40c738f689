//! What NAO and Pepper have in common, and helpers to build tables.

pub(crate) const HEAD: [&str; 2] = ["HeadYaw", "HeadPitch"];
const LEFT: [&str; 5] = ["LShoulderPitch", "LShoulderRoll", "LElbowYaw", "LElbowRoll", "LWristYaw"];
const RIGHT: [&str; 5] = ["RShoulderPitch", "RShoulderRoll", "RElbowYaw", "RElbowRoll", "RWristYaw"];
pub(crate) const LEFT_ARM: [&str; 6] = joined(&[&LEFT, &["LHand"]]);
pub(crate) const RIGHT_ARM: [&str; 6] = joined(&[&RIGHT, &["RHand"]]);
pub(crate) const ARMS: [&str; 12] = joined(&[&LEFT_ARM, &RIGHT_ARM]);

/// Returns the collection `JointActuators` of a body with these legs.
pub(crate) const fn joint_actuators<const N: usize>(legs: &[&'static str]) -> [&'static str; N] {
    joined(&[&HEAD, &LEFT_ARM, legs, &RIGHT_ARM])
}

/// Returns the collection `Joints` of a body with these legs, which has no hands.
pub(crate) const fn joints<const N: usize>(legs: &[&'static str]) -> [&'static str; N] {
    joined(&[&HEAD, &LEFT, legs, &RIGHT])
}

/// Concatenates tables.
pub(crate) const fn joined<T: Copy, const N: usize>(parts: &[&[T]]) -> [T; N] {
    let mut all = [parts[0][0]; N];
    let (mut to, mut part) = (0, 0);
    while part < parts.len() {
        let mut from = 0;
        while from < parts[part].len() {
            all[to] = parts[part][from];
            (to, from) = (to + 1, from + 1);
        }
        part += 1;
    }
    assert!(to == N, "the length of the whole");
    all
}
