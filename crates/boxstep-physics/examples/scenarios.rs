//! Writes what robots do in some scenarios, with the bodies that do it, as JSON: for comparison with other physics
//! engines. The argument is the file to write.

use boxstep_bodies::{Body, BodyKind, Form};
use boxstep_dynamics::{Isometry3, Model, Physics as _, STEP, Start, Translation3, UnitQuaternion, Vector3};
use boxstep_physics::Robot;
use serde_json::{Value, json};
use std::f64::consts::FRAC_PI_2;

/// What happens in a scenario: the start, how long it lasts, and the stiffness of the joints.
struct Scenario {
    name: String,
    torso: Isometry3<f64>,
    angles: Vec<f64>,
    seconds: f64,
    stiffness: f64,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("name the file to write")?;
    let robots = BodyKind::ALL.map(|kind| {
        let model = Model::new(kind.body());
        let done: Vec<Value> = scenarios(&model).iter().map(|scenario| play(&model, scenario)).collect();
        json!({ "body": describe(&model), "scenarios": done })
    });
    let begun = std::time::Instant::now();
    let model = Model::new(BodyKind::Nao.body());
    let stand = model.awake();
    let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
    robot.push(0, Vector3::new(2.0, 0.0, 0.0));
    for _ in 0..(20.0 / STEP) as usize {
        robot.step(&stand, &vec![1.0; stand.len()]);
    }
    let speed = 20.0 / begun.elapsed().as_secs_f64();
    std::fs::write(file, json!({ "step": STEP, "speed": speed, "robots": robots }).to_string())?;
    Ok(())
}

fn scenarios(model: &Model) -> Vec<Scenario> {
    let angles = model.awake();
    let standing = Start::standing(model, &angles).torso;
    let above = |torso: Isometry3<f64>, height: f64| Translation3::new(0.0, 0.0, height) * torso;
    let scenario = |name: &str, torso, seconds, stiffness| {
        let (name, angles) = (name.to_owned(), angles.clone());
        Scenario { name, torso, angles, seconds, stiffness }
    };
    let turned = UnitQuaternion::from_euler_angles(0.4, -0.3, 1.0);
    let mut all = vec![
        scenario("free fall", above(standing, 5.0) * turned, 0.8, 0.5),
        scenario("rest", above(standing, 0.02), 4.0, 1.0),
        scenario(
            "lie",
            above(standing, 0.1) * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), FRAC_PI_2),
            4.0,
            1.0,
        ),
    ];
    // Turned about the edge of the feet, by so much that it cannot but fall.
    let soles = model.body().geometry.soles;
    let links = model.forward(&angles);
    let corners = soles.iter().flat_map(|sole| {
        let link = model.links().iter().position(|link| link.name == sole.link);
        let pose = link.and_then(|link| links.get(link)).map_or(standing, |link| standing * link);
        sole.outline.iter().map(move |corner| pose * boxstep_dynamics::Point3::from(*corner))
    });
    let corners: Vec<_> = corners.collect();
    for (side, ahead) in
        [("forward", Vector3::x()), ("backward", -Vector3::x()), ("left", Vector3::y()), ("right", -Vector3::y())]
    {
        let edge = corners.iter().map(|corner| corner.coords.dot(&ahead)).fold(f64::NEG_INFINITY, f64::max);
        let center = standing * boxstep_dynamics::Point3::from(model.center_of_mass(&links).unwrap_or_default());
        let balance = ((edge - center.coords.dot(&ahead)) / center.z).atan();
        let axis = UnitQuaternion::from_scaled_axis(Vector3::z().cross(&ahead) * (balance + 0.1));
        let edge = Translation3::from(ahead * edge);
        let torso = edge * axis * edge.inverse() * standing;
        all.push(scenario(&format!("tip {side}"), torso, 2.0, 1.0));
    }
    all
}

fn play(model: &Model, scenario: &Scenario) -> Value {
    let start = Start { angles: &scenario.angles, torso: scenario.torso, velocity: Vector3::zeros() };
    let mut robot = Robot::new(model, &start);
    let mut all = vec![pose(&robot.torso())];
    let stiffness = vec![scenario.stiffness; scenario.angles.len()];
    for _ in 0..(scenario.seconds / STEP).round() as usize {
        robot.step(&scenario.angles, &stiffness);
        all.push(pose(&robot.torso()));
    }
    let links: Vec<Value> = model.forward(&scenario.angles).iter().map(pose).collect();
    json!({
        "name": scenario.name, "seconds": scenario.seconds, "stiffness": scenario.stiffness, "angles": scenario.angles,
        "torso": all, "links": links,
    })
}

/// Writes a pose as x, y, z and the quaternion's w, x, y, z.
fn pose(of: &Isometry3<f64>) -> Value {
    let (at, turn) = (of.translation.vector, of.rotation.coords);
    json!([at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z])
}

fn describe(model: &Model) -> Value {
    let body: &Body = model.body();
    let links = model.links().iter().zip(body.geometry.links).map(|(link, drawn)| {
        let solids = drawn.solids.iter().map(|solid| match solid.form {
            Form::Capsule(from, to, radius) => json!({ "from": from, "to": to, "radius": radius }),
            Form::Box(middle, size) => json!({ "middle": middle, "size": size }),
        });
        let sole = body.geometry.soles.iter().find(|sole| sole.link == link.name).map(|sole| sole.outline);
        let bumpers = body.geometry.sensors.iter().filter(|s| s.link == link.name && s.name.contains("Bumper"));
        let joint = link.joint.filter(|_| link.mass > 0.0).and_then(|joint| body.joints.get(joint));
        let inertia = link.inertia;
        json!({
            "name": link.name, "parent": link.parent, "origin": pose(&link.origin),
            "axis": link.axis.into_inner().as_slice(), "mass": link.mass, "center": link.center.as_slice(),
            "inertia": [inertia[(0, 0)], inertia[(1, 1)], inertia[(2, 2)], inertia[(0, 1)], inertia[(0, 2)], inertia[(1, 2)]],
            "scale": link.scale, "number": link.joint,
            "joint": joint.map(|joint| json!({
                "min": joint.min, "max": joint.max, "torque": joint.max_torque, "speed": joint.max_speed,
            })),
            "solids": solids.collect::<Vec<_>>(), "sole": sole,
            "bumpers": bumpers.map(|bumper| bumper.at).collect::<Vec<_>>(),
        })
    });
    json!({ "name": body.name, "links": links.collect::<Vec<_>>(), "mass": model.mass() })
}
