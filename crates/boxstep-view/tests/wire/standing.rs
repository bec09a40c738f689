//! The page calculates by itself how a robot stands (`web/src/robot/balance.ts`). It is held to the numbers of
//! boxstep-dynamics by `web/e2e/files/standing.json`, which this test compares with them and `web/e2e/balance.test.mjs`
//! with the page: `BOXSTEP_BLESS=1` writes the file.

use super::files::json_at;
use super::*;
use boxstep_bodies::Body;
use boxstep_dynamics::{Balance, Isometry3, Model, Stance, Vector2};

/// What each posture changes of the one in which the robot stands awake, in radians.
type Changes = &'static [(&'static str, f64)];

const NAO: &[(&str, Changes)] = &[
    ("stands", &[]),
    ("raises its arms", &[("LShoulderPitch", -2.5), ("RShoulderPitch", -2.0), ("LShoulderRoll", 0.8)]),
    ("leans forward", &[("LAnklePitch", -0.3), ("RAnklePitch", -0.3)]),
    ("leans to its right", &[("LAnkleRoll", -0.5), ("RAnkleRoll", -0.5), ("LHipRoll", 0.3), ("RHipRoll", 0.3)]),
    ("stands on its right foot", &[("LKneePitch", 0.9), ("LHipPitch", -0.5), ("LShoulderRoll", 0.3)]),
    ("stands on its left foot", &[("RKneePitch", 0.9), ("RHipPitch", -0.6), ("HeadYaw", 1.0)]),
    ("swings its right leg back", &[("RHipPitch", 0.5), ("RKneePitch", -0.3)]),
    ("spreads its legs", &[("LHipRoll", 0.4), ("RHipRoll", -0.25), ("LAnklePitch", 0.1)]),
    ("turns its feet out", &[("LHipYawPitch", -0.6), ("RHipYawPitch", -0.6)]),
    ("squats", &[("LKneePitch", 1.4), ("RKneePitch", 1.4), ("LHipPitch", -1.1), ("RHipPitch", -1.1)]),
    ("sits on a chair", &[("LKneePitch", 1.4), ("RKneePitch", 1.4), ("LHipPitch", -0.2), ("RHipPitch", -0.2)]),
    (
        "sits on the floor",
        &[
            ("LKneePitch", 1.4),
            ("RKneePitch", 1.4),
            ("LHipPitch", -0.3),
            ("RHipPitch", -0.3),
            ("LAnklePitch", 1.0),
            ("RAnklePitch", 1.0),
        ],
    ),
];
const PEPPER: &[(&str, Changes)] = &[
    ("stands", &[]),
    ("bows", &[("HipPitch", -0.8), ("HeadPitch", 0.3)]),
    ("leans to the side", &[("HipRoll", 0.5), ("LShoulderRoll", 1.3)]),
    ("bends its knee", &[("KneePitch", 0.5), ("HipPitch", -0.9), ("RShoulderPitch", -1.5)]),
];

/// How joints swing about a posture: by how much, in radians, and how often a second. The last number is the time, in seconds,
/// at which it is looked at.
type Swings = &'static [(&'static str, f64, f64)];
type Motion = (&'static str, Changes, Swings, f64);

const NAO_MOVES: &[Motion] = &[
    ("waves both arms", &[], &[("LShoulderPitch", 0.9, 1.0), ("RShoulderPitch", 0.7, 1.2)], 0.2),
    ("rocks", &[], &[("LAnklePitch", 0.06, 1.5), ("RAnklePitch", 0.06, 1.5), ("HeadPitch", 0.3, 1.5)], 0.15),
    (
        "swings a leg",
        &[("LKneePitch", 0.9), ("LHipPitch", -0.5), ("LShoulderRoll", 0.3)],
        &[("LHipRoll", 0.15, 1.0), ("LShoulderPitch", 0.8, 1.3), ("RAnkleRoll", 0.03, 0.8)],
        0.2,
    ),
    ("swings from a leg behind it", &[("RHipPitch", 0.5), ("RKneePitch", -0.3)], &[("LShoulderPitch", 0.8, 1.3)], 0.2),
];
const PEPPER_MOVES: &[Motion] = &[(
    "nods with its hip",
    &[],
    &[("HipPitch", 0.2, 0.9), ("KneePitch", 0.1, 0.7), ("RShoulderRoll", 0.4, 1.0)],
    0.25,
)];

/// The seconds from one posture of a motion to the next.
const STEP: f64 = 0.04;

/// Rounds to a hundredth of a micrometre.
fn rounded(x: f64) -> f64 {
    (x * 1e8).round() / 1e8 + 0.0
}

fn pose(of: &Isometry3<f64>) -> Json {
    let (at, turned) = (of.translation.vector, of.rotation.coords);
    json!([at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w].map(rounded))
}

fn point(of: &Vector2<f64>) -> Json {
    json!([rounded(of.x), rounded(of.y)])
}

/// Returns the links of a posture, and how the robot stands then.
fn standing(model: &Model, balance: &Balance<'_>, (name, changes): &(&str, Changes)) -> Json {
    let body: &Body = model.body();
    let mut angles = model.awake();
    for (joint, change) in *changes {
        angles[body.joint_index(joint).unwrap()] += change;
    }
    let links = body.geometry.links.iter().zip(model.forward(&angles));
    let links: serde_json::Map<String, Json> = links.map(|(link, at)| (link.name.to_owned(), pose(&at))).collect();
    let instant = balance.at_rest(&angles).unwrap();
    let stands = match (instant.stance, instant.still) {
        (Stance::On(_), Some(margin)) => json!({
            "torso": pose(&instant.torso), "center": point(&instant.center), "margin": rounded(margin),
            "support": instant.support.corners().iter().map(point).collect::<Vec<_>>(), "side": instant.side.word(),
        }),
        _ => Json::Null,
    };
    json!({"posture": name, "links": links, "standing": stands})
}

/// Returns the links at three moments, and the zero moment point at the middle one.
fn moving(model: &Model, balance: &Balance<'_>, (name, changes, swings, seconds): &Motion) -> Json {
    let body: &Body = model.body();
    let postures = [-STEP, 0.0, STEP].map(|step| {
        let mut angles = model.awake();
        let of = |joint: &str| body.joint_index(joint).unwrap();
        for (joint, change) in *changes {
            angles[of(joint)] += change;
        }
        for (joint, by, hertz) in *swings {
            angles[of(joint)] += by * (std::f64::consts::TAU * hertz * (seconds + step)).sin();
        }
        angles
    });
    let moments = postures.iter().zip([-STEP, 0.0, STEP]).map(|(angles, t)| {
        let links = body.geometry.links.iter().zip(model.forward(angles));
        let links: serde_json::Map<String, Json> = links.map(|(link, at)| (link.name.to_owned(), pose(&at))).collect();
        json!({"t": t, "links": links})
    });
    let moments: Vec<Json> = moments.collect();
    let instant = &balance.over(&postures, STEP)[1];
    json!({
        "motion": name, "moments": moments, "zmp": point(&instant.zmp), "center": point(&instant.center),
        "margin": rounded(instant.margin.unwrap_or_else(|| panic!("{name}: {instant:?}"))), "side": instant.side.word(),
    })
}

/// Returns whether two values are the same, numbers within a tenth of a micrometre.
fn alike(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() < 1e-7,
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| alike(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn the_numbers_that_the_page_is_held_to_are_those_of_the_calculation() {
    let all = [(BodyKind::Nao, NAO, NAO_MOVES), (BodyKind::Pepper, PEPPER, PEPPER_MOVES)];
    let bodies = all.map(|(kind, postures, motions)| {
        let model = Model::new(kind.body());
        let balance = Balance::new(&model).unwrap();
        let server = robot_of(kind);
        let known = json_at(&server, "/body")["balance"].clone();
        let postures: Vec<Json> = postures.iter().map(|posture| standing(&model, &balance, posture)).collect();
        let motions: Vec<Json> = motions.iter().map(|motion| moving(&model, &balance, motion)).collect();
        json!({"name": kind.body().name, "balance": known, "postures": postures, "motions": motions})
    });
    for motion in bodies.iter().flat_map(|body| body["motions"].as_array().unwrap()) {
        let at = |name: &str, axis: usize| motion[name][axis].as_f64().unwrap();
        let way = (at("zmp", 0) - at("center", 0)).hypot(at("zmp", 1) - at("center", 1));
        assert!(way > 0.01, "accelerations matter: {} {way}", motion["motion"]);
    }
    let of = |name: &str| {
        let postures = bodies[0]["postures"].as_array().unwrap().iter();
        postures.filter(|posture| posture["posture"] == name).map(|posture| posture["standing"].clone()).next().unwrap()
    };
    assert!(of("squats")["margin"].as_f64().unwrap() > 0.0, "{}", of("squats"));
    for sits in ["sits on a chair", "sits on the floor"] {
        assert!(of(sits).is_null(), "{sits}: {}", of(sits));
    }
    let margins = |body: usize| -> Vec<f64> {
        let postures = bodies[body]["postures"].as_array().unwrap().iter();
        postures.filter_map(|posture| posture["standing"]["margin"].as_f64()).collect()
    };
    // The numbers hold the page to something: inside and outside of the feet, on both and on one.
    let (nao, pepper) = (margins(0), margins(1));
    assert!(nao.len() > 5 && nao[0] > 0.03 && nao.iter().any(|margin| *margin < 0.0), "{nao:?}");
    assert!(pepper.len() == 4 && pepper[0] > 0.08, "{pepper:?}");
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("web/e2e/files/standing.json");
    let bodies = Json::from(bodies.to_vec());
    if std::env::var_os("BOXSTEP_BLESS").is_some() {
        std::fs::write(&path, format!("{bodies}\n")).unwrap();
    }
    let kept: Json = serde_json::from_str(&std::fs::read_to_string(&path).unwrap_or_default()).unwrap_or_default();
    assert!(alike(&kept, &bodies), "{} is not what is calculated: BOXSTEP_BLESS=1 writes it", path.display());
}

fn robot_of(kind: BodyKind) -> Server {
    let show = Show {
        title: String::new(),
        shared: SharedStore::new(TraceStore::new()),
        models: Models::default(),
        controls: None,
        robot: Robot::of(kind.body()),
        editor: None,
        texts: None,
    };
    Server::start("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}
