//! Holds kinematics and dynamics against independent programs: Pinocchio, and physics against MuJoCo.

use crate::Outcome;
use crate::tools::{python_with, root, run, target};
use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::{Forces, Model, Motion, RootMotion};
use boxstep_types::Random;
use serde_json::json;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// How many random postures are compared.
const POSTURES: usize = 10_000;

/// Compares every body.
pub(crate) fn run_all() -> Outcome {
    let python = python_with(OsStr::new("python3"), "judge", "pin==4.1.0", "pinocchio")?;
    for kind in BodyKind::ALL {
        let folder = target().join("judge").join(kind.to_string());
        write(&folder, kind.body()).map_err(|e| format!("{}: {e}", folder.display()))?;
        run(Command::new(&python).arg(root().join("xtask/judge/kinematics.py")).arg(&folder))?;
    }
    physics()
}

/// Compares how robots fall, tip over and come to rest.
fn physics() -> Outcome {
    let python = python_with(OsStr::new("python3"), "judge", "mujoco==4.0.0", "mujoco")?;
    let file = target().join("judge").join("scenarios.json");
    let example = ["run", "--quiet", "--release", "--package", "boxstep-physics", "--example", "scenarios", "--"];
    run(Command::new("cargo").args(example).arg(&file))?;
    run(Command::new(&python).arg(root().join("xtask/judge/physics.py")).arg(&file))
}

/// Writes random motions, with poses, centers of mass and torques as Boxstep calculates them.
fn write(folder: &Path, body: &'static Body) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let model = Model::new(body);
    let mut random = Random::new(1);
    let links = body.geometry.links;
    // The number of the joint that moves a link, through couplings.
    let joint = |name: &str| {
        let coupling = body.couplings.iter().find(|coupling| coupling.joint == name);
        body.joint_index(coupling.map_or(name, |coupling| coupling.follows))
    };
    let [mut values, mut poses, mut centers, mut torques] = [const { Vec::<f64>::new() }; 4];
    let mut forces = Forces::default();
    for _ in 0..POSTURES {
        let angles: Vec<f64> = body.joints.iter().map(|joint| within(&mut random, joint.min, joint.max)).collect();
        let [velocities, accelerations] = [5.0, 20.0]
            .map(|most| -> Vec<f64> { body.joints.iter().map(|_| within(&mut random, -most, most)).collect() });
        for of in [&angles, &velocities, &accelerations] {
            values.extend(links.iter().map(|link| joint(link.joint).map_or(0.0, |at| link.scale * of[at])));
        }
        let at = model.forward(&angles);
        for pose in &at {
            let matrix = pose.to_homogeneous();
            poses.extend((0..3).flat_map(|row| (0..4).map(move |column| matrix[(row, column)])));
        }
        centers.extend(model.center_of_mass(&at).unwrap_or_default().iter());
        let motion =
            Motion { links: &at, velocities: &velocities, accelerations: &accelerations, torso: RootMotion::default() };
        model.forces(&motion, &mut forces);
        torques.extend(model.torques(&forces));
    }
    for (name, all) in [("values", values), ("poses", poses), ("centers", centers), ("torques", torques)] {
        let bytes: Vec<u8> = all.into_iter().flat_map(f64::to_ne_bytes).collect();
        std::fs::write(folder.join(name).with_extension("f64"), bytes)?;
    }
    let numbered = links.iter().map(
        |link| json!({"name": link.name, "joint": joint(link.joint).map_or(-1, |at| at as i64), "scale": link.scale}),
    );
    let about = json!({
        "body": body.name,
        "postures": POSTURES,
        "joints": body.joints.len(),
        "links": numbered.collect::<Vec<_>>(),
    });
    std::fs::write(folder.join("about.json"), about.to_string())?;
    std::fs::write(folder.join("robot.urdf"), description(body).unwrap_or_default())
}

fn within(random: &mut Random, min: f64, max: f64) -> f64 {
    if min.is_finite() && max.is_finite() { min + random.unit() * (max - min) } else { 0.0 }
}

/// Returns the body as a robot description (URDF). Each link has a joint of its own name.
fn description(body: &Body) -> Result<String, std::fmt::Error> {
    let three = |[x, y, z]: [f64; 3]| format!("{x:?} {y:?} {z:?}");
    let mut text = format!("<robot name=\"{}\">\n", body.name);
    for link in body.geometry.links {
        writeln!(text, "<link name=\"{}\">", link.name)?;
        if let Some(mass) = body.geometry.masses.iter().find(|mass| mass.link == link.name) {
            let [xx, xy, xz, yy, yz, zz] = mass.inertia;
            writeln!(
                text,
                "<inertial><origin xyz=\"{}\"/><mass value=\"{:?}\"/><inertia ixx=\"{xx:?}\" ixy=\"{xy:?}\" ixz=\"{xz:?}\" iyy=\"{yy:?}\" iyz=\"{yz:?}\" izz=\"{zz:?}\"/></inertial>",
                three(mass.center),
                mass.mass,
            )?;
        }
        writeln!(text, "</link>")?;
        if link.parent.is_empty() {
            continue;
        }
        let kind = if link.joint.is_empty() { "fixed" } else { "revolute" };
        writeln!(
            text,
            "<joint name=\"{0}\" type=\"{kind}\"><parent link=\"{1}\"/><child link=\"{0}\"/><origin xyz=\"{2}\" rpy=\"{3}\"/>\
             <axis xyz=\"{4}\"/><limit lower=\"-10\" upper=\"10\" velocity=\"100\" effort=\"100\"/></joint>",
            link.name,
            link.parent,
            three(link.at),
            three(link.turned),
            three(link.axis),
        )?;
    }
    Ok(text + "</robot>\n")
}
