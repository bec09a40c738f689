//! The positions of links at given joint angles.

use boxstep_bodies::own::{check, read};
use boxstep_bodies::{Body, BodyKind};
use boxstep_dynamics::{Forces, Isometry3, Model, Motion, Point3, RootMotion};

fn near(found: [f64; 3], expected: [f64; 3]) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}, not {expected:?}");
}

fn pose(body: &'static Body, link: &str, angle: impl Fn(&str) -> f64) -> Isometry3<f64> {
    let angles: Vec<f64> = body.joints.iter().map(|joint| angle(joint.name)).collect();
    let number = body.geometry.links.iter().position(|known| known.name == link).unwrap();
    Model::new(body).forward(&angles)[number]
}

fn point(of: &Isometry3<f64>, at: [f64; 3]) -> [f64; 3] {
    (of * Point3::from(at)).into()
}

fn at(body: &'static Body, link: &str, angles: &[(&str, f64)]) -> [f64; 3] {
    let angle = |joint: &str| angles.iter().find(|(name, _)| *name == joint).map_or(0.0, |(_, angle)| *angle);
    point(&pose(body, link, angle), [0.0; 3])
}

#[test]
fn with_all_joints_at_0_hands_are_ahead_of_the_shoulders_and_feet_below_the_hips() {
    let nao = BodyKind::Nao.body();
    near(at(nao, "LHand", &[]), [0.2187, 0.113, 0.08769]);
    near(at(nao, "RHand", &[]), [0.2187, -0.113, 0.08769]);
    near(at(nao, "LFoot", &[]), [0.0, 0.05, -0.2879]);
    near(at(nao, "Head", &[]), [0.0, 0.0, 0.1265]);
    let pepper = BodyKind::Pepper.body();
    // Its forearm is tilted upwards by 9°.
    let (sin, cos) = 0.157079_f64.sin_cos();
    let [ahead, up] = [0.2195 * cos + 0.0303 * sin, 0.2195 * sin - 0.0303 * cos];
    near(at(pepper, "LHand", &[]), [-0.057 + 0.1812 + ahead, 0.16474, 0.08682 + 0.00013 + up]);
    near(at(pepper, "Base", &[]), [0.00002, 0.0, -0.486]);
}

#[test]
fn feet_and_base_are_on_the_floor_when_the_torso_is_as_high_as_it_stands() {
    let nao = BodyKind::Nao.body();
    let foot = point(&pose(nao, "LFoot", |_| 0.0), [0.0, 0.0, -0.04519]);
    assert!((foot[2] + nao.build.torso_height).abs() < 2e-4, "{foot:?}");
    let pepper = BodyKind::Pepper.body();
    let base = point(&pose(pepper, "Base", |_| 0.0), [0.0, 0.0, -0.334]);
    assert!((base[2] + pepper.build.torso_height).abs() < 1e-9, "{base:?}");
}

#[test]
fn neck_and_shoulders_are_where_the_simulation_looks_and_points_from() {
    for body in BodyKind::ALL.map(BodyKind::body) {
        near(at(body, "LShoulder", &[]), body.build.shoulder);
        assert!((at(body, "Neck", &[])[2] - body.build.neck_height).abs() < 1e-9);
    }
}

#[test]
fn joints_turn_in_naoqis_directions() {
    let nao = BodyKind::Nao.body();
    let quarter = std::f64::consts::FRAC_PI_2;
    // Positive pitch is down, positive yaw and roll of an arm are to the left.
    near(at(nao, "LHand", &[("LShoulderPitch", quarter)]), [-0.01231, 0.113, 0.1 - 0.2187]);
    near(at(nao, "LHand", &[("LShoulderRoll", quarter)]), [-0.015, 0.098 + 0.2187, 0.1 - 0.01231]);
    let head = pose(nao, "Head", |joint| if joint == "HeadYaw" { quarter } else { 0.0 });
    near(point(&head, [0.05, 0.0, 0.0]), [0.0, 0.05, 0.1265]);
    // A bent knee brings the foot back.
    assert!(at(nao, "LFoot", &[("LKneePitch", 1.0)])[0] < -0.05);
    // One motor turns both hips, and the legs move apart symmetrically.
    let (left, right) = (at(nao, "LFoot", &[("LHipYawPitch", -0.6)]), at(nao, "RFoot", &[("LHipYawPitch", -0.6)]));
    near(right, [left[0], -left[1], left[2]]);
    assert!(left[0] > 0.05 && left[1] > 0.05);
    near(at(nao, "RFoot", &[("RHipYawPitch", -0.6)]), [0.0, -0.05, -0.2879]);
}

/// Positions, center of mass and the torques that hold the posture, by Pinocchio 4.1 from the published description of
/// V3.3, `naoV33_generated_urdf`.
#[test]
fn nao_v3_3_agrees_with_its_published_description() {
    let body = BodyKind::NaoV33.body();
    let bent = [
        ("HeadYaw", 0.5),
        ("HeadPitch", 0.2),
        ("LShoulderPitch", 1.1),
        ("LShoulderRoll", 0.4),
        ("LElbowYaw", -0.7),
        ("LElbowRoll", -1.0),
        ("LWristYaw", 0.6),
        ("RShoulderPitch", 0.3),
        ("RShoulderRoll", -0.8),
        ("RElbowYaw", 1.2),
        ("RElbowRoll", 0.5),
        ("RWristYaw", -0.9),
        ("LHipYawPitch", -0.4),
        ("LHipRoll", 0.2),
        ("LHipPitch", -0.6),
        ("LKneePitch", 1.1),
        ("LAnklePitch", -0.5),
        ("LAnkleRoll", -0.15),
        ("RHipRoll", -0.1),
        ("RHipPitch", -0.3),
        ("RKneePitch", 0.7),
        ("RAnklePitch", -0.35),
        ("RAnkleRoll", 0.1),
    ];
    near(at(body, "LWrist", &bent), [0.08723895226763342, 0.13131043773623885, -0.0045380043919467546]);
    near(at(body, "RWrist", &bent), [0.10633749453626151, -0.2122238351487625, 0.09327567457421845]);
    near(at(body, "LFoot", &bent), [0.04375699029998087, 0.09163158879392184, -0.247097362080077]);
    near(at(body, "RFoot", &bent), [0.03722182028370513, -0.07282688099513922, -0.270532562675979]);
    let model = Model::new(body);
    assert!((model.mass() - 5.00591).abs() < 1e-9);
    let angle = |joint: &str| bent.iter().find(|(name, _)| *name == joint).map_or(0.0, |(_, angle)| *angle);
    let angles: Vec<f64> = body.joints.iter().map(|joint| angle(joint.name)).collect();
    let links = model.forward(&angles);
    near(
        model.center_of_mass(&links).unwrap().into(),
        [0.02914039482267204, -0.0015594401177657891, -0.04084591739739781],
    );
    let still = vec![0.0; angles.len()];
    let torso = RootMotion::default();
    let mut forces = Forces::default();
    model.forces(&Motion { links: &links, velocities: &still, accelerations: &still, torso }, &mut forces);
    let torques = model.torques(&forces);
    for (joint, expected) in [
        ("LHipPitch", -0.5762205114933769),
        ("RKneePitch", -0.009623157121840096),
        ("LShoulderPitch", -0.2633044265155231),
        ("RElbowRoll", 0.1315757304927361),
    ] {
        let found = torques[body.joint_index(joint).unwrap()];
        assert!((found - expected).abs() < 1e-9, "{joint}: {found}");
    }
}

/// The page "Masses" of V3.3 gives the inertias about the joints.
#[test]
fn inertias_of_nao_v3_3_are_those_of_its_page() {
    let documented = [
        ("Torso", [0.00496741976, 1.247398e-5, 0.00016446814, 0.00479135246, -2.477669e-5, 0.00159784829]),
        ("LPelvis", [8.99716e-5, -5.00214e-6, 1.27355e-5, 0.000105523, 2.77007e-5, 6.68838e-5]),
        ("LHip", [2.79131e-5, 4.982e-8, -5.30968e-6, 0.000101469, 0.0, 0.000292094]),
        ("LThigh", [0.00166559, 4.3251e-7, 8.25051e-5, 0.001625, 3.17428e-5, 0.000304929]),
        ("LTibia", [0.00115383, 7.7529e-7, 3.23128e-5, 0.00110378, 4.39673e-5, 0.00018861]),
        ("LAnkle", [3.88258e-5, -4.942e-8, 2.21321e-6, 7.21158e-5, 6.74e-9, 5.35199e-5]),
        ("LFoot", [0.000269612, -5.8769e-6, 0.000139244, 0.000643878, 1.8871e-5, 0.000525192]),
    ];
    let masses = BodyKind::NaoV33.body().geometry.masses;
    for (link, about_joint) in documented {
        let mass = masses.iter().find(|mass| mass.link == link).unwrap();
        let ([x, y, z], [xx, xy, xz, yy, yz, zz], m) = (mass.center, mass.inertia, mass.mass);
        let moved = [
            xx + m * (y * y + z * z),
            xy - m * x * y,
            xz - m * x * z,
            yy + m * (x * x + z * z),
            yz - m * y * z,
            zz + m * (x * x + y * y),
        ];
        for (found, expected) in moved.iter().zip(about_joint) {
            assert!((found - expected).abs() < 1e-8, "{link}: {moved:?}, not {about_joint:?}");
        }
    }
}

#[test]
fn left_and_right_are_mirror_images_in_symmetric_postures() {
    for (body, names) in [
        (BodyKind::Nao.body(), ["StandInit", "StandZero", "Crouch", "Sit"].as_slice()),
        (BodyKind::Pepper.body(), &["StandZero"]),
    ] {
        for name in names {
            let Some(posture) = body.posture(name) else { panic!("{name}") };
            // The statement about the left side holds for both sides.
            let mirrored = |joint: &str| match joint.strip_prefix('R') {
                Some(rest) => {
                    let left = posture.angle(&format!("L{rest}")).unwrap();
                    if rest.ends_with("Roll") || (rest.ends_with("Yaw")) { -left } else { left }
                }
                None => {
                    if joint.starts_with('L') {
                        posture.angle(joint).unwrap()
                    } else {
                        0.0
                    }
                }
            };
            for link in body.geometry.links.iter().filter(|link| link.name.starts_with('L')) {
                let left = point(&pose(body, link.name, mirrored), [0.0; 3]);
                let right = point(&pose(body, &format!("R{}", &link.name[1..]), mirrored), [0.0; 3]);
                near(right, [left[0], -left[1], left[2]]);
            }
        }
    }
}

#[test]
fn standing_both_feet_are_equally_high_and_level_from_side_to_side() {
    let nao = BodyKind::Nao.body();
    let posture = nao.posture("StandInit").unwrap();
    let angle = |joint: &str| posture.angle(joint).unwrap();
    let feet = ["LFoot", "RFoot"].map(|foot| pose(nao, foot, angle));
    assert!((feet[0].translation.z - feet[1].translation.z).abs() < 1e-9);
    for foot in feet {
        let (roll, pitch, _) = foot.rotation.euler_angles();
        assert!(roll.abs() < 1e-9, "it does not roll");
        assert!(pitch.abs() < 0.1, "and hardly pitches");
    }
}

#[test]
fn every_joint_except_wheels_moves_a_link_and_leds_and_touch_sensors_are_on_links() {
    for body in BodyKind::ALL.map(BodyKind::body) {
        let geometry = &body.geometry;
        for joint in body.joints.iter().filter(|joint| joint.max.is_finite()) {
            assert!(geometry.links.iter().any(|link| link.joint == joint.name), "{}", joint.name);
        }
        for (at, link) in geometry.links.iter().enumerate() {
            assert!(at == 0 || geometry.links[..at].iter().any(|before| before.name == link.parent), "{}", link.name);
            assert!((link.axis.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
        }
        let mut lights: Vec<_> = geometry.lights().map(|(led, link, _)| (led, geometry.link(link).is_some())).collect();
        lights.sort_unstable();
        let mut leds: Vec<_> = body.leds.iter().map(|led| (led.name, true)).collect();
        leds.sort_unstable();
        assert_eq!(lights, leds);
        for touch in body.touch {
            let spot = geometry.spots.iter().find(|spot| spot.event == touch.event);
            assert!(spot.is_some_and(|spot| geometry.link(spot.link).is_some()), "{}", touch.event);
        }
    }
}

const CRANE: &str = r#"<robot name="crane">
  <joint name="boom" type="revolute"><parent link="tower"/><child link="arm"/><origin xyz="0 0 2" rpy="0 0 1.5707963267948966"/><axis xyz="0 -3 0"/>
    <limit lower="-0.5" upper="1.6" velocity="0.8"/></joint>
  <joint name="weld" type="fixed"><parent link="base"/><child link="tower"/><origin xyz="0 0 1"/></joint>
  <joint name="tip" type="fixed"><parent link="arm"/><child link="hook"/><origin xyz="3 0 0"/></joint>
  <joint name="lost" type="fixed"><parent link="nowhere"/><child link="nobody"/></joint>
</robot>"#;

#[test]
fn a_description_says_where_its_links_are() {
    let crane = read("crane.urdf", CRANE, &[], |_| Err(String::new())).unwrap();
    let names: Vec<_> = crane.geometry.links.iter().map(|link| link.name).collect();
    assert_eq!(names, ["base", "tower", "arm", "hook"]);
    near(at(crane, "hook", &[]), [0.0, 3.0, 3.0]);
    near(at(crane, "hook", &[("boom", std::f64::consts::FRAC_PI_2)]), [0.0, 0.0, 6.0]);
}

#[test]
fn cyclic_and_malformed_links_are_rejected() {
    let round = CRANE.replace("link=\"base\"", "link=\"hook\"");
    let crane = read("crane.urdf", &round, &[], |_| Err(String::new())).unwrap();
    assert!(crane.geometry.links.iter().all(|link| link.name != "tower"));
    let bad = CRANE.replace("0 0 2", "0 0");
    assert_eq!(
        check("crane.urdf", &bad, &[], |_| Err(String::new())).unwrap_err().finding.message,
        "`xyz` is `0 0`, and should be three numbers"
    );
}

#[test]
fn a_description_says_what_its_links_weigh() {
    let heavy = CRANE.replace(
        "<robot name=\"crane\">",
        "<robot name=\"crane\"><link name=\"hook\"><inertial><origin xyz=\"1 0 0\" rpy=\"0 0 1.5707963267948966\"/><mass value=\"2\"/>\
         <inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"2\" iyz=\"0\" izz=\"3\"/></inertial></link>\
         <link name=\"tower\"><inertial><mass value=\"6\"/></inertial></link>",
    );
    let crane = read("heavy.urdf", &heavy, &[], |_| Err(String::new())).unwrap();
    let model = Model::new(crane);
    let links = model.forward(&[0.0]);
    assert!((model.mass() - 8.0).abs() < 1e-12);
    // The hook is 3 m to the left, 3 m up, and its middle a metre further on.
    near(model.center_of_mass(&links).unwrap().into(), [0.0, 1.0, 1.5]);
    let hook = crane.geometry.masses.iter().find(|mass| mass.link == "hook").unwrap();
    assert!(hook.inertia.iter().zip([2.0, 0.0, 0.0, 1.0, 0.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-12), "{hook:?}");
    let wrong = heavy.replace("value=\"2\"", "value=\"-2\"");
    let wrong = check("heavy.urdf", &wrong, &[], |_| Err(String::new())).unwrap_err();
    assert_eq!(wrong.finding.message, "a `mass` is in kilograms, from 0 to 10000");
}

const ARM: &str = r#"
name = "arm"
[[joints]]
name = "Elbow"
min = 0.0
max = 2.0
speed = 1.0
[[links]]
name = "Base"
[[links]]
name = "Rod"
parent = "Base"
joint = "Elbow"
xyz = [0.0, 0.0, 0.5]
axis = [0.0, 2.0, 0.0]
"#;

#[test]
fn a_body_file_says_where_its_links_are() {
    let arm = read("arm.toml", ARM, &[], |_| Err(String::new())).unwrap();
    let rod = pose(arm, "Rod", |_| std::f64::consts::FRAC_PI_2);
    near(point(&rod, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.5]);
    for (from, to, why) in [
        ("parent = \"Base\"", "parent = \"Rod\"", "there is no link `Rod` before this one"),
        ("parent = \"Base\"", "", "the link `Rod` has no `parent`: only the first has none"),
        ("joint = \"Elbow\"", "joint = \"Knee\"", "there is no joint `Knee`"),
        ("[0.0, 2.0, 0.0]", "[0, 0, 0]", "an `axis` must not be zero"),
        ("[0.0, 0.0, 0.5]", "[nan, 0, 0]", "three numbers, none beyond 1000"),
    ] {
        let wrong = check("arm.toml", &ARM.replace(from, to), &[], |_| Err(String::new())).unwrap_err();
        assert_eq!(wrong.finding.message, why);
    }
}

#[test]
fn a_body_of_ones_own_has_a_balance() {
    let text = format!(
        "{}mass = 2.0\n[[soles]]\nlink = \"Base\"\noutline = [[0.1, 0.1, 0], [-0.1, 0.1, 0], [-0.1, -0.1, 0], [0.1, -0.1, 0]]\n",
        ARM.replace("xyz", "center = [0.0, 0.0, 0.3]\nxyz")
    );
    let model = Model::new(read("balanced.toml", &text, &[], |_| Err(String::new())).unwrap());
    let balance = boxstep_dynamics::Balance::new(&model).unwrap();
    let upright = balance.at_rest(&[0.0]).unwrap();
    assert!((upright.margin.unwrap() - 0.1).abs() < 1e-9, "{upright:?}");
    // The rod leans by 90°: its middle is 0.3 m ahead.
    let leaning = balance.at_rest(&[std::f64::consts::FRAC_PI_2]).unwrap();
    assert!((leaning.margin.unwrap() + 0.2).abs() < 1e-9, "{leaning:?}");
    assert_eq!(leaning.side.word(), "forward");
    for (from, to, why) in [
        ("link = \"Base\"", "link = \"Foot\"", "there is no link `Foot`"),
        ("[0.1, -0.1, 0]]", "[0.1, nan, 0]]", "an `outline` has 3 to 16 corners, each of three numbers"),
        ("mass = 2.0", "mass = -2.0", "a `mass` is in kilograms, from 0 to 10000"),
    ] {
        let wrong = check("arm.toml", &text.replace(from, to), &[], |_| Err(String::new())).unwrap_err();
        assert_eq!(wrong.finding.message, why);
    }
}
