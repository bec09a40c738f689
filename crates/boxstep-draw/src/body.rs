//! A robot's body as JSON, for pages that draw it.

use boxstep_bodies::{Body, Channel, Form, JointKind, Link};
use boxstep_dynamics::{Balance, Model};
use serde_json::{Value as Json, json};

/// Returns what is drawn of a robot, and what its balance depends on, as in `docs/reference/view-protocol.md` (`/body`).
/// `mesh` gives the file of a link, if there is one.
pub fn body(body: &'static Body, mesh: &dyn Fn(&str) -> Option<String>) -> Json {
    let links: Vec<Json> = body.geometry.links.iter().map(|one| link(one, mesh)).collect();
    let joints: Vec<Json> = body
        .joints
        .iter()
        .map(|joint| {
            let kind = match joint.kind {
                JointKind::Angle => "angle",
                JointKind::Hand => "hand",
                JointKind::Wheel => "wheel",
            };
            // JSON has no infinite numbers: a wheel's limits become null.
            let follows = body.couplings.iter().find(|c| c.joint == joint.name).map(|c| c.follows);
            json!({"name": joint.name, "kind": kind, "min": joint.min, "max": joint.max, "follows": follows})
        })
        .collect();
    let leds: Vec<Json> = body
        .leds
        .iter()
        .map(|led| {
            let place = body.geometry.lights().find(|(name, ..)| *name == led.name);
            let (link, at) = place.map_or((None, None), |(_, link, at)| (Some(link), Some(at)));
            json!({"name": led.name, "channels": channels(led.channels), "link": link, "at": at})
        })
        .collect();
    let groups: Vec<Json> = body
        .led_groups
        .iter()
        .map(|group| json!({"name": group.name, "leds": group.leds, "channels": channels(group.channels)}))
        .collect();
    let touch: Vec<Json> = body
        .touch
        .iter()
        .map(|touch| {
            let spot = body.geometry.spots.iter().find(|spot| spot.event == touch.event);
            let (link, at) = spot.map_or((None, None), |spot| (Some(spot.link), Some(spot.at)));
            json!({"event": touch.event, "place": touch.place, "link": link, "at": at})
        })
        .collect();
    let stands = body.posture(body.awake).map_or(&[][..], |posture| posture.angles);
    let stands: serde_json::Map<String, Json> =
        stands.iter().map(|(joint, angle)| ((*joint).to_owned(), json!(angle))).collect();
    json!({
        "name": body.name, "links": links, "joints": joints, "leds": leds, "groups": groups, "touch": touch,
        "stands": stands, "balance": balance(body),
    })
}

fn link(link: &Link, mesh: &dyn Fn(&str) -> Option<String>) -> Json {
    let solids: Vec<Json> = link
        .solids
        .iter()
        .map(|solid| match solid.form {
            Form::Box(middle, size) => json!({"box": {"middle": middle, "size": size}, "dark": solid.dark}),
            Form::Capsule(from, to, radius) => {
                json!({"capsule": {"from": from, "to": to, "radius": radius}, "dark": solid.dark})
            }
        })
        .collect();
    json!({
        "name": link.name, "parent": link.parent, "at": link.at, "turned": link.turned, "joint": link.joint,
        "axis": link.axis, "scale": link.scale, "solids": solids, "mesh": mesh(link.name),
    })
}

/// Returns what the balance depends on: masses, soles, legs as pairs of hip and knee, and what else could touch the floor.
/// Null if it is not known.
fn balance(body: &'static Body) -> Json {
    let model = Model::new(body);
    let Some(balance) = Balance::new(&model) else { return Json::Null };
    let masses = body
        .geometry
        .masses
        .iter()
        .map(|mass| json!({"link": mass.link, "mass": mass.mass, "center": mass.center, "inertia": mass.inertia}));
    let masses: Vec<Json> = masses.collect();
    let soles: Vec<Json> = balance
        .soles()
        .map(|(link, floor, corners)| {
            let corners: Vec<[f64; 3]> = corners.iter().map(|corner| (*corner).into()).collect();
            json!({"link": link, "floor": floor.to_homogeneous().as_slice(), "corners": corners})
        })
        .collect();
    // One sits on what is between the torso and the knees.
    let parent = |name: &str| body.geometry.links.iter().find(|link| link.name == name).map(|link| link.parent);
    let over = |knee: &'static str| std::iter::successors(parent(knee), |name| parent(name));
    let seats: Vec<&str> = balance.legs().flat_map(|(_, knee)| over(knee)).collect();
    let touching: Vec<Json> = balance
        .touching()
        .map(|(link, points)| {
            let points: Vec<Json> = points.iter().map(|(at, radius)| json!([at.x, at.y, at.z, radius])).collect();
            json!({"link": link, "seat": seats.contains(&link), "points": points})
        })
        .collect();
    let legs: Vec<Json> = balance.legs().map(|(hip, knee)| json!([hip, knee])).collect();
    json!({"masses": masses, "soles": soles, "legs": legs, "touching": touching})
}

fn channels(channels: &[Channel]) -> Vec<String> {
    channels.iter().map(|channel| channel.name().to_lowercase()).collect()
}
