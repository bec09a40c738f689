//! The bodies of other robots among the examples.

use boxstep_bodies::own::open;
use boxstep_bodies::{Body, Gait};
use boxstep_dynamics::{Balance, Model, Stance};
use std::path::Path;

fn example(name: &str) -> &'static Body {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bodies").join(format!("{name}.toml"));
    open(&path, &["ALTextToSpeech"]).unwrap()
}

/// A robot as it stands: its mass, its center of mass, and where some of its links are, in the frame of its first link.
struct Standing {
    robot: &'static str,
    mass: f64,
    center: [f64; 3],
    links: [(&'static str, [f64; 3]); 2],
}

/// By MuJoCo 4, from the descriptions that the bodies have their figures from.
const STANDING: &[Standing] = &[
    Standing {
        robot: "booster-t1",
        mass: 31.61436,
        center: [0.0644671, -0.0002143, -0.0834041],
        links: [
            ("right_foot_link", [0.0400086, -0.1062500, -0.6358526]),
            ("left_hand_link", [0.0575697, 0.1885852, 0.0144205]),
        ],
    },
    Standing {
        robot: "robotis-op3",
        mass: 3.14747,
        center: [-0.0105675, 0.0000718, -0.0139020],
        links: [
            ("r_ank_roll_link", [-0.0240000, -0.0350000, -0.2486500]),
            ("l_el_link", [0.0180000, 0.1125855, 0.0138676]),
        ],
    },
    Standing {
        robot: "unitree-g1",
        mass: 33.34114,
        center: [0.0032830, 0.0000823, -0.0981476],
        links: [
            ("right_ankle_roll_link", [-0.0000023, -0.1185065, -0.7568638]),
            ("left_wrist_yaw_link", [-0.0169591, 0.2218013, -0.0690964]),
        ],
    },
];

#[test]
fn links_and_masses_agree_with_mujoco() {
    for Standing { robot, mass, center, links } in STANDING {
        let body = example(robot);
        let model = Model::new(body);
        let poses = model.forward(&model.awake());
        assert!((model.mass() - mass).abs() < 1e-4, "{robot}: {} kg", model.mass());
        let found = model.center_of_mass(&poses).unwrap();
        let near = |found: &[f64], to: &[f64; 3]| found.iter().zip(to).all(|(a, b)| (a - b).abs() < 2e-5);
        assert!(near(found.as_slice(), center), "{robot}: {found}");
        for (link, at) in links {
            let number = body.geometry.links.iter().position(|known| known.name == *link).unwrap();
            assert!(near(poses[number].translation.vector.as_slice(), at), "{robot} {link}: {}", poses[number]);
        }
    }
}

#[test]
fn they_stand_on_both_feet_and_their_motors_hold_them() {
    for Standing { robot, .. } in STANDING {
        let body = example(robot);
        assert_eq!(body.build.gait, Gait::Legs);
        let model = Model::new(body);
        let balance = Balance::new(&model).unwrap();
        let (hips, knees): (Vec<_>, Vec<_>) = balance.legs().unzip();
        assert!(hips.iter().all(|link| link.to_lowercase().contains("hip")), "{robot}: {hips:?}");
        let is_knee = |link: &&str| ["knee", "shank"].iter().any(|word| link.to_lowercase().contains(word));
        assert!(knees.len() == 2 && knees.iter().all(is_knee), "{robot}: {knees:?}");
        let soles: Vec<_> = balance.soles().map(|(link, ..)| link).collect();
        let mut angles = model.awake();
        let standing = balance.at_rest(&angles).unwrap();
        assert_eq!(standing.stance, Stance::On(soles), "{robot}");
        assert!(standing.margin.unwrap() > 0.03, "{robot}: {:?}", standing.margin);
        assert!((standing.torso.translation.z - body.build.torso_height).abs() < 2e-3, "{robot}: {}", standing.torso);
        assert!(standing.load.is_some_and(|load| load.share < 0.5), "{robot}: {:?}", standing.load);
        // Leaning forward by 29° at the ankles it falls.
        for link in body.geometry.links {
            let name = link.joint.to_lowercase();
            if name.contains("ank") && name.contains("pitch") {
                angles[body.joint_index(link.joint).unwrap()] = -0.5 * link.axis[1];
            }
        }
        let leaning = balance.at_rest(&angles).unwrap();
        assert!(leaning.margin.unwrap() < -0.03, "{robot}: {:?}", leaning.margin);
        assert_eq!(leaning.side.word(), "forward", "{robot}");
    }
}
