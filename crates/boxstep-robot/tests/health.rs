//! The health of a robot: what is said of it, by tables of values, and what a robot is asked.

use crate::support::{Robot, Table};
use boxstep_bodies::BodyKind;
use boxstep_qi::Value;
use boxstep_robot::naoqi::health::{Diagnosis, Disk, Finding, Joint, Patience, Seen, Severity, Topic, inspect, judge};
use std::time::Duration;

use Severity::{Broken, Good, Look, Unknown};

/// So long that a busy machine does not matter; joints are looked at twice at once.
const PATIENT: Patience =
    Patience { coming_back: Duration::from_secs(30), asking: Duration::from_secs(30), looking: Duration::ZERO };

/// The services of a robot that says everything.
const SERVICES: Table = &[
    ("ALSystem", &["systemVersion::()->s", "robotName::()->s", "diskFree::(m)->m"]),
    (
        "ALMotion",
        &[
            "getRobotConfig::()->m",
            "getBodyNames::(s)->m",
            "getFallManagerEnabled::()->m",
            "getSmartStiffnessEnabled::()->b",
            "getDiagnosisEffectEnabled::()->b",
        ],
    ),
    ("ALBattery", &["getBatteryCharge::()->m"]),
    ("ALMemory", &["getData::(s)->m", "getListData::(m)->m"]),
    ("ALDiagnosis", &["getActiveDiagnosis::()->m", "getPassiveDiagnosis::()->m"]),
    ("ALTextToSpeech", &["getAvailableLanguages::()->m"]),
    ("ALSpeechRecognition", &["getAvailableLanguages::()->m"]),
    ("ALConnectionManager", &["state::()->m", "services::()->m"]),
    ("PackageManager", &["packages::()->m"]),
];

fn texts(list: &[&str]) -> Value {
    Value::list(list.iter().map(|text| Value::from(*text)))
}

/// A robot that is well and says everything.
fn well() -> Robot {
    let robot = Robot::with(SERVICES);
    robot.says("ALSystem.robotName", "Ada");
    let partition =
        ["/dev/sda3", "/home"].map(Value::from).into_iter().chain([8_000_000_000_i64, 3_000_000_000].map(Value::from));
    robot.says("ALSystem.diskFree", Value::list([Value::tuple(partition.collect())]));
    for flag in ["FallManager", "SmartStiffness", "DiagnosisEffect"] {
        robot.says(&format!("ALMotion.get{flag}Enabled"), true);
    }
    robot.says("ALDiagnosis.getActiveDiagnosis", Value::list([]));
    robot.says("ALDiagnosis.getPassiveDiagnosis", Value::list([]));
    robot.says("ALSpeechRecognition.getAvailableLanguages", texts(&["English", "French"]));
    robot.says("ALConnectionManager.state", "online");
    robot.says("ALConnectionManager.services", Value::list([]));
    let package = [("uuid", "dance"), ("version", "1.2"), ("path", "/apps/dance")];
    robot.says("PackageManager.packages", Value::list([Value::map(package.map(|(k, v)| (k.into(), v.into())))]));
    robot.remembers("BatteryPowerPluggedChanged", true);
    robot.remembers("Device/SubDeviceList/Battery/Charge/Sensor/TotalVoltage", 24.5);
    for joint in ["HeadYaw", "HeadPitch", "LKneePitch"] {
        let key = |of: &str| format!("Device/SubDeviceList/{joint}/{of}/Value");
        robot.remembers(&key("Temperature/Sensor"), 38.0);
        robot.remembers(&format!("Device/SubDeviceList/{joint}/Temperature/Sensor/Status"), 0);
        robot.remembers(&key("Hardness/Actuator"), 1.0);
        robot.remembers(&key("Position/Sensor"), 0.1);
        robot.remembers(&key("Position/Actuator"), 0.1);
        robot.remembers(&key("ElectricCurrent/Sensor"), 0.2);
    }
    robot
}

fn findings(robot: &Robot) -> Vec<Finding> {
    judge(&inspect(&robot.reach(), &PATIENT))
}

#[track_caller]
fn says(findings: &[Finding], topic: Topic, severity: Severity, words: &str) {
    let found = findings.iter().find(|finding| finding.topic == topic && finding.severity == severity);
    let found = found.unwrap_or_else(|| panic!("no {topic:?} is {severity:?}: {findings:#?}"));
    let text = format!("{} ({})", found.value, found.why.as_deref().unwrap_or_default());
    assert!(text.contains(words), "{text}");
    assert_eq!(found.help.is_some(), severity > Unknown, "{found:?}");
}

#[test]
fn a_robot_that_is_well_is_good_in_every_point_and_nothing_is_changed() {
    let robot = well();
    let findings = findings(&robot);
    let values: Vec<String> =
        findings.iter().map(|f| format!("{} {}: {}", f.severity.id(), f.topic.label(), f.value)).collect();
    assert_eq!(
        values,
        [
            "good parts: the robot finds no defect",
            "good motors: 3, the warmest has 38 °C (LKneePitch)",
            "good battery: 87 %, plugged in, 24.5 V",
            "good disk: 62 % full, 3.0 GB free",
            "unknown clock: not known without SSH: --ssh nao@ROBOT asks the robot's files",
            "good languages: speaks and understands English, French",
            "good protection: fall manager, smart stiffness, diagnosis effect on",
            "good network: connected, with the internet",
            "good NAOqi: 2.5.7.1, the generation 2.5, whose services Boxstep simulates",
        ]
    );
    assert_eq!(robot.commands(), [""; 0]);
}

#[test]
fn what_a_robot_does_not_have_is_left_out() {
    let robot = Robot::with(&[("ALSystem", &["systemVersion::()->s"])]);
    let topics: Vec<Topic> = findings(&robot).iter().map(|finding| finding.topic).collect();
    assert_eq!(topics, [Topic::Disk, Topic::Clock, Topic::Version]);
    // Nobody answers at all.
    robot.vanishes();
    assert_eq!(inspect(&robot.reach(), &PATIENT), Seen::default());
}

#[test]
fn a_motor_that_is_hot_or_does_not_follow_is_told() {
    let robot = well();
    robot.remembers("Device/SubDeviceList/LKneePitch/Temperature/Sensor/Value", 71.0);
    robot.remembers("Device/SubDeviceList/HeadYaw/Position/Sensor/Value", -0.4);
    robot.remembers("Device/SubDeviceList/HeadYaw/ElectricCurrent/Sensor/Value", 0.0);
    let found = findings(&robot);
    says(&found, Topic::Motors, Look, "hot: LKneePitch 71 °C");
    says(&found, Topic::Motors, Broken, "do not follow: HeadYaw (29° off, without current)");
}

fn joint(change: impl Fn(&mut Joint)) -> Seen {
    let mut joint = Joint {
        name: "LElbowRoll".to_owned(),
        temperature: Some(40.0),
        heat: Some(0),
        stiffness: Some(1.0),
        angle: Some(0.5),
        command: Some(0.5),
        current: Some(0.2),
        still: true,
    };
    change(&mut joint);
    Seen { joints: vec![joint], ..Seen::default() }
}

/// The findings about motors.
fn motors(change: impl Fn(&mut Joint)) -> Vec<(Severity, String)> {
    let found = judge(&joint(change)).into_iter().filter(|finding| finding.topic == Topic::Motors);
    found.map(|finding| (finding.severity, finding.value)).collect()
}

#[test]
fn motors_are_judged_by_the_robots_own_level_and_by_degrees() {
    for (degrees, heat, expected, words) in [
        (Some(67.9), Some(0), Good, "the warmest has 68 °C"),
        (Some(68.0), Some(0), Look, "hot: LElbowRoll 68 °C"),
        (Some(74.0), Some(0), Look, "very hot: LElbowRoll 74 °C"),
        (Some(95.0), Some(0), Look, "very hot: LElbowRoll 95 °C"),
        (Some(40.0), Some(1), Look, "hot: LElbowRoll"),
        (None, Some(2), Look, "very hot: LElbowRoll"),
        (Some(80.0), Some(3), Broken, "too hot: LElbowRoll 80 °C"),
        (None, None, Good, "1"),
    ] {
        let found = motors(|joint| (joint.temperature, joint.heat) = (degrees, heat));
        assert_eq!(found.len(), 1);
        assert!(found[0].0 == expected && found[0].1.contains(words), "{degrees:?} {heat:?}: {found:?}");
    }
}

#[test]
fn a_motor_has_to_follow_only_if_it_is_stiff_and_stands_still() {
    let off = |angle: f64| motors(|joint| joint.angle = Some(angle));
    assert_eq!(off(0.6)[0].0, Good);
    assert_eq!(off(0.7), [(Look, "follow badly: LElbowRoll (11° off)".to_owned())]);
    assert_eq!(off(1.5), [(Broken, "do not follow: LElbowRoll (57° off)".to_owned())]);
    for excused in [
        |joint: &mut Joint| joint.stiffness = Some(0.1),
        |joint: &mut Joint| joint.stiffness = None,
        |joint: &mut Joint| joint.still = false,
        |joint: &mut Joint| joint.command = None,
        |joint: &mut Joint| joint.name = "LHand".to_owned(),
    ] {
        let found = motors(|joint| {
            joint.angle = Some(1.5);
            excused(joint);
        });
        assert_eq!(found[0].0, Good, "{found:?}");
    }
}

#[test]
fn the_robots_own_diagnosis_is_told_with_its_severity() {
    let of = |severity, parts: &[&str]| {
        Some(Diagnosis { severity, parts: parts.iter().map(|part| (*part).to_owned()).collect() })
    };
    for (active, passive, severity, words) in [
        (of(0, &[]), None, Good, "no defect"),
        (of(0, &["Sonar"]), of(0, &[]), Look, "Sonar (it calls this negligible)"),
        (of(1, &["LElbowRoll"]), of(0, &["Sonar"]), Broken, "LElbowRoll, Sonar (it calls this serious"),
        (None, of(2, &["LElbowRoll"]), Broken, "critical"),
        (None, of(2, &[]), Broken, "a part that it does not name"),
    ] {
        says(&judge(&Seen { active, passive, ..Seen::default() }), Topic::Parts, severity, words);
    }
    assert!(judge(&Seen::default()).iter().all(|finding| finding.topic != Topic::Parts));
}

#[test]
fn the_battery_is_judged_by_heat_voltage_and_charge() {
    let seen = |charge, volts, kind, plugged| Seen {
        charge: Some(charge),
        voltage: volts,
        kind,
        plugged: Some(plugged),
        ..Seen::default()
    };
    let (nao, pepper) = (Some(BodyKind::Nao), Some(BodyKind::Pepper));
    for (seen, severity, words) in [
        (seen(87, Some(24.0), nao, false), Good, "87 %, 24.0 V"),
        (seen(87, Some(21.5), nao, false), Look, "old batteries"),
        (seen(79, Some(21.5), nao, false), Good, "79 %"),
        (seen(87, Some(26.0), pepper, true), Look, "old batteries"),
        (seen(87, Some(21.5), None, false), Good, "87 %"),
        (seen(10, None, nao, false), Look, "nearly empty"),
        (seen(10, None, nao, true), Good, "10 %, plugged in"),
        (Seen { battery_temperature: Some(50.0), ..seen(50, None, nao, false) }, Look, "hot"),
        (Seen { battery_heat: Some(1), ..seen(50, None, nao, false) }, Look, "hot"),
        (Seen { battery_heat: Some(3), ..seen(50, None, nao, false) }, Broken, "critically hot"),
    ] {
        says(&judge(&seen), Topic::Battery, severity, words);
    }
}

#[test]
fn disk_clock_languages_protection_and_network_are_judged() {
    let disk = |free: u64| Seen { disk: Some(Disk { size: 1_000_000_000, free }), ..Seen::default() };
    let clock = |ahead| Seen { clock: Some(ahead), ..Seen::default() };
    let list = |names: &[&str]| Some(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let tongues = |voices, ears| Seen { voices, ears, ..Seen::default() };
    let network = |state: &str| Seen { network: Some(state.to_owned()), ..Seen::default() };
    let version = |version: &str| Seen { version: Some(version.to_owned()), ..Seen::default() };
    for (seen, topic, severity, words) in [
        (disk(101_000_000), Topic::Disk, Good, "89 % full, 101 MB free"),
        (disk(100_000_000), Topic::Disk, Look, "90 % full"),
        (disk(20_000_000), Topic::Disk, Broken, "98 % full"),
        (Seen::default(), Topic::Disk, Unknown, "not known without SSH"),
        (Seen { files: Some("no route".to_owned()), ..Seen::default() }, Topic::Clock, Unknown, "no route"),
        (clock(-300), Topic::Clock, Good, "right"),
        (clock(301), Topic::Clock, Look, "5 minutes ahead"),
        (clock(-7200), Topic::Clock, Look, "2 hours behind"),
        (clock(i64::MIN), Topic::Clock, Look, "days behind"),
        (
            tongues(list(&["English"]), list(&["English", "French"])),
            Topic::Languages,
            Good,
            "understands English, French",
        ),
        (
            tongues(list(&["English", "German"]), list(&["English"])),
            Topic::Languages,
            Look,
            "speaks German and does not",
        ),
        (tongues(list(&[]), None), Topic::Languages, Broken, "speaks nothing"),
        (tongues(list(&["English"]), None), Topic::Languages, Good, "speaks English"),
        (Seen { fall_manager: Some(false), ..Seen::default() }, Topic::Protection, Look, "fall manager off"),
        (Seen { smart_stiffness: Some(true), ..Seen::default() }, Topic::Protection, Good, "smart stiffness on"),
        (network("ready"), Topic::Network, Good, "without the internet"),
        (network("offline"), Topic::Network, Look, "no network"),
        (version("2.8.7.4"), Topic::Version, Good, "the generation 2.8"),
        (version("2.1.4.13"), Topic::Version, Good, "the generation 2.1"),
        (version("2.9.5"), Topic::Version, Good, "tcps://"),
        (version("1.14.5"), Topic::Version, Good, "before there were packages"),
        (version("dev"), Topic::Version, Good, "dev"),
    ] {
        says(&judge(&seen), topic, severity, words);
    }
    let failed = Seen { failed_networks: vec![("school".to_owned(), "invalid-key".to_owned())], ..network("ready") };
    says(&judge(&failed), Topic::Network, Look, "failed: school (the robot could not connect to it: invalid-key)");
}

#[test]
fn hostile_answers_break_nothing() {
    let nan = || Value::from(f64::NAN);
    let long = "x".repeat(100_000);
    let many = Value::list((0..50_000).map(|i| Value::from(format!("Joint{i}\u{1b}[31m"))));
    let strange: Vec<Value> = vec![
        Value::Void,
        nan(),
        Value::from(i64::MAX),
        Value::from(i64::MIN),
        Value::from(f64::INFINITY),
        Value::from(long.as_str()),
        many.clone(),
        Value::list([nan(), nan()]),
        Value::list([Value::from(1), Value::from("LHand")]),
        Value::list([Value::from(7), texts(&["LHand"])]),
        Value::list([Value::tuple(vec![nan(), nan(), nan(), nan()])]),
        Value::list([Value::tuple(
            ["a", "/home"].map(Value::from).into_iter().chain([1, 2].map(Value::from)).collect(),
        )]),
        Value::list([Value::list([Value::list([Value::from("State"), Value::from("failure")])])]),
        Value::map([(Value::from("State"), Value::from("failure"))]),
    ];
    let methods = SERVICES.iter().flat_map(|(service, methods)| {
        methods.iter().map(move |method| format!("{service}.{}", method.split("::").next().unwrap()))
    });
    let methods: Vec<String> =
        methods.filter(|method| !["systemVersion", "robotName"].iter().any(|typed| method.contains(typed))).collect();
    for value in strange {
        let robot = Robot::with(SERVICES);
        for method in &methods {
            robot.says(method, value.clone());
        }
        let seen = inspect(&robot.reach(), &PATIENT);
        assert!(seen.joints.len() <= 200 && seen.joints.iter().all(|joint| joint.name.chars().count() <= 80));
        let text = format!("{:?}", judge(&seen));
        assert!(!text.contains("NaN") && text.len() < 10_000, "{text}");
    }
    // A robot that never answers is not waited for.
    let robot = well();
    robot.hangs("ALDiagnosis.getActiveDiagnosis");
    robot.hangs("ALMemory.getListData");
    let hasty = Patience { asking: Duration::from_millis(1500), ..PATIENT };
    let seen = inspect(&robot.reach(), &hasty);
    assert!(seen.joints.iter().all(|joint| joint.temperature.is_none()), "{seen:?}");
}

#[test]
fn a_full_system_beside_the_home_is_no_full_disk() {
    let robot = well();
    let partition = |path: &str, free: i64| {
        let fields =
            [("filesystem", Value::from("ext3")), ("path", path.into()), ("size", 1000.into()), ("free", free.into())];
        Value::map(fields.map(|(key, value)| (key.into(), value)))
    };
    robot.says("ALSystem.diskFree", Value::list([partition("/", 0), partition("/home", 400)]));
    says(&findings(&robot), Topic::Disk, Good, "60 % full");
    robot.says("ALSystem.diskFree", Value::list([partition("/", 0), partition("/boot", 400)]));
    says(&findings(&robot), Topic::Disk, Unknown, "");
}
