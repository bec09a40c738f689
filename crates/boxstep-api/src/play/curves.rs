//! Fits curves that were made for another body to the joints of this one, by the table `[curves]` of the body file
//! (`docs/reference/body-file.md`).

use boxstep_bodies::{Body, JointKind};
use boxstep_format::model::{ActuatorCurve, CurveUnit, Project, Timeline};
use boxstep_motion::Unit;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Makes the curves of a file move the joints of an own body, and removes those without a joint. Returns the names of
/// the removed curves. Positions and lengths of timelines stay. On the known bodies curves stay as they are.
pub fn fit_curves(project: &mut Project, body: &Body) -> BTreeSet<Arc<str>> {
    let mut unnamed = BTreeSet::new();
    if body.is_known() {
        return unnamed;
    }
    let mut open = vec![&mut project.root];
    while let Some(def) = open.pop() {
        let Some(timeline) = &mut def.timeline else { continue };
        fit_timeline(timeline, body, &mut unnamed);
        let keyframes = timeline.layers.iter_mut().flat_map(|layer| &mut layer.keyframes);
        open.extend(keyframes.flat_map(|keyframe| &mut keyframe.diagram.boxes));
    }
    unnamed
}

fn fit_timeline(timeline: &mut Timeline, body: &Body, unnamed: &mut BTreeSet<Arc<str>>) {
    let Some(list) = &mut timeline.actuators else { return };
    // If the file sets no end, the last key is the end, even that of a curve that moves nothing here.
    let played = list.curves.iter().filter(|c| !c.mute);
    let last = played.flat_map(|c| &c.keys).map(|key| key.frame).max();
    timeline.end_frame = timeline.end_frame.or(last);
    let mut moved = BTreeSet::new();
    list.curves.retain_mut(|curve| {
        let original = curve.actuator.clone();
        if fit_curve(curve, body) && moved.insert(curve.actuator.clone()) {
            return true;
        }
        if !curve.mute && !curve.keys.is_empty() {
            unnamed.insert(original);
        }
        false
    });
}

/// Fits a curve to a joint. Returns `false` if the body has no joint for it.
fn fit_curve(curve: &mut ActuatorCurve, body: &Body) -> bool {
    let Some(rule) = body.curve(&curve.actuator) else { return false };
    let Some(joint) = body.joint(rule.joint) else { return false };
    let drawn = match curve.unit {
        CurveUnit::Unspecified | CurveUnit::Unknown(_) if rule.actuator == rule.joint => own_unit(joint.kind).1,
        stated => Unit::from(stated),
    };
    let (unit, scaled) = own_unit(joint.kind);
    let (from, to) = (drawn.scale(&curve.actuator), scaled.scale(joint.name));
    if !rule.keeps_values() || from != to {
        for key in &mut curve.keys {
            key.value = rule.value(key.value * from) / to;
            for tangent in key.left.iter_mut().chain(&mut key.right) {
                tangent.ordinate *= rule.scale * from / to;
            }
        }
    }
    curve.actuator = joint.name.into();
    curve.unit = unit;
    true
}

/// Returns the unit in which curves of a joint are written.
fn own_unit(kind: JointKind) -> (CurveUnit, Unit) {
    match kind {
        JointKind::Hand => (CurveUnit::Percent, Unit::Percent),
        JointKind::Angle | JointKind::Wheel => (CurveUnit::Degree, Unit::Degree),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::{Limits, read_xar};

    const ARM: &str = r#"
name = "arm"
joints = [
    { name = "Lift", min = -3.0, max = 3.0, speed = 2.0 },
    { name = "Grip", kind = "hand", speed = 4.0 },
    { name = "Turn", min = -3.0, max = 3.0, speed = 2.0 },
]
[curves]
LShoulderPitch = { joint = "Lift", scale = 0.5, offset = 1.0, mirror = true }
LHand = "Grip"
"#;

    fn fitted(curves: &str) -> (Vec<ActuatorCurve>, Option<i32>, Vec<String>) {
        let body = boxstep_bodies::own::read("arm.toml", ARM, &[], |_| Err(String::new())).unwrap();
        let xar = format!(
            r#"<ChoregrapheProject xar_version="3"><Box name="root" id="-1">
            <Timeline enable="1"><ActuatorList model="">{curves}</ActuatorList></Timeline></Box></ChoregrapheProject>"#
        );
        let mut project = read_xar("behavior.xar", xar.as_bytes(), &Limits::default()).unwrap().project;
        let unnamed = fit_curves(&mut project, body).iter().map(|name| name.to_string()).collect();
        let timeline = project.root.timeline.unwrap();
        (timeline.actuators.unwrap().curves, timeline.end_frame, unnamed)
    }

    #[test]
    fn curves_are_renamed_scaled_moved_and_mirrored() {
        let (curves, ..) = fitted(
            r#"<ActuatorCurve name="value" actuator="LShoulderPitch" mute="0" unit="0"><Key frame="10" value="60">
            <Tangent side="left" interpType="bezier" abscissaParam="-3" ordinateParam="-10"/></Key></ActuatorCurve>
            <ActuatorCurve name="value" actuator="LHand" mute="0"><Key frame="5" value="0.25"/></ActuatorCurve>"#,
        );
        assert_eq!([&*curves[0].actuator, &*curves[1].actuator], ["Lift", "Grip"]);
        let expected = (-0.5 * 60_f64.to_radians() + 1.0).to_degrees();
        assert!((curves[0].keys[0].value - expected).abs() < 1e-9, "{}", curves[0].keys[0].value);
        assert_eq!(curves[0].keys[0].left.as_ref().unwrap().ordinate, 5.0);
        assert_eq!((curves[1].unit, curves[1].keys[0].value), (CurveUnit::Percent, 0.25));
    }

    #[test]
    fn curves_of_the_bodys_own_joints_stay_as_they_are_and_others_are_left_out_and_named() {
        let (curves, end, unnamed) = fitted(
            r#"<ActuatorCurve name="value" actuator="Turn" mute="0"><Key frame="5" value="30"/></ActuatorCurve>
            <ActuatorCurve name="value" actuator="Grip" mute="0"><Key frame="5" value="0.5"/></ActuatorCurve>
            <ActuatorCurve name="value" actuator="HeadYaw" mute="0"><Key frame="50" value="1"/></ActuatorCurve>
            <ActuatorCurve name="value" actuator="HeadPitch" mute="1"><Key frame="90" value="1"/></ActuatorCurve>"#,
        );
        let seen: Vec<_> = curves.iter().map(|c| (&*c.actuator, c.keys[0].value, c.unit)).collect();
        assert_eq!(seen, [("Turn", 30.0, CurveUnit::Degree), ("Grip", 0.5, CurveUnit::Percent)]);
        assert_eq!((end, unnamed), (Some(50), vec!["HeadYaw".to_owned()]), "the length stays");
    }

    #[test]
    fn of_two_curves_for_one_joint_the_first_plays() {
        let (curves, _, unnamed) = fitted(
            r#"<ActuatorCurve name="value" actuator="LHand" mute="0"><Key frame="5" value="1"/></ActuatorCurve>
            <ActuatorCurve name="value" actuator="Grip" mute="0"><Key frame="5" value="0"/></ActuatorCurve>"#,
        );
        assert_eq!((curves.len(), curves[0].keys[0].value, unnamed), (1, 1.0, vec!["Grip".to_owned()]));
    }
}
