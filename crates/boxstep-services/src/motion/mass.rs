//! Mass and the center of mass.
//!
//! Source: the page "Masses" of the NAOqi documentation; `boxstep-bodies` has its figures.

use super::ends::Frame;
use super::joints;
use crate::senses::{float, floats};
use crate::table::{Call, Reply, bad, failed, ok};
use crate::world::World;
use boxstep_dynamics::Point3;
use boxstep_engine::services::ServiceCx;

/// Returns whether a link belongs to a joint, chain or the body.
fn belongs<'w>(w: &'w World, name: &'w str) -> impl Fn(&str, &str) -> bool + 'w {
    let joints = w.body.joint_names(name);
    move |link, joint| match name {
        "Body" | "Com" => true,
        "Torso" => link == "Torso",
        _ => joints.iter().any(|known| **known == *joint),
    }
}

pub(super) fn get_mass(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let model = w.body.model();
    if model.mass() == 0.0 {
        return failed("the masses of this robot's parts are not known");
    }
    let links = model.forward(&joints::angles(w, cx.now(), false));
    match model.center_of(&links, belongs(w, name)) {
        Some((mass, _)) => ok(float(mass)),
        None => bad(w.body.no_joint(name)),
    }
}

pub(super) fn get_com(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (name, frame) = (call.args.text(0, "name")?, Frame::of(call.args.int(1, "frame")?)?);
    let angles = joints::angles(w, cx.now(), call.args.flag(2, "use sensors")?);
    let model = w.body.model();
    let Some((_, center)) = model.center_of(&model.forward(&angles), belongs(w, name)) else {
        return failed(format!("the center of mass of `{name}` is not known of this robot"));
    };
    let place: [f64; 3] = (frame.torso(w, cx.now(), &angles) * Point3::from(center)).into();
    ok(floats(place))
}
