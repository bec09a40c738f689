//! The queries of the robot's health.

use super::read;
use super::seen::{Joint, Seen};
use crate::naoqi::ask::{self, Answer, Job};
use crate::naoqi::packages::{self, Package};
use crate::naoqi::preflight::{Reach, kind_of};
use boxstep_qi::{Session, Value};
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// The timeouts of the queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For a lost link to be restored. 10 s.
    pub coming_back: Duration,
    /// For each of the four rounds of queries. 3 s.
    pub asking: Duration,
    /// Between two looks at the joints, to see which of them move. 0.4 s.
    pub looking: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            coming_back: Duration::from_secs(10),
            asking: Duration::from_secs(3),
            looking: Duration::from_millis(400),
        }
    }
}

/// A method and its argument, if it takes one.
type Question = (&'static str, Option<Argument>);

/// An argument of a query.
#[derive(Clone, Copy)]
enum Argument {
    Text(&'static str),
    Yes,
}

impl Argument {
    fn value(self) -> Value {
        match self {
            Argument::Text(text) => text.into(),
            Argument::Yes => true.into(),
        }
    }
}

/// The keys of the battery: voltage, temperature, heat.
const BATTERY: [&str; 3] = ["Charge/Sensor/TotalVoltage", "Temperature/Sensor/Value", "Temperature/Sensor/Status"];

/// All queries that do not depend on other answers. A method is queried once.
const QUESTIONS: &[(&str, &[Question])] = &[
    ("ALSystem", &[("robotName", None), ("systemVersion", None), ("diskFree", Some(Argument::Yes))]),
    (
        "ALMotion",
        &[
            ("getRobotConfig", None),
            ("getBodyNames", Some(Argument::Text("Body"))),
            ("getFallManagerEnabled", None),
            ("getSmartStiffnessEnabled", None),
            ("getDiagnosisEffectEnabled", None),
        ],
    ),
    ("ALRobotModel", &[("getRobotType", None)]),
    ("ALBattery", &[("getBatteryCharge", None)]),
    ("ALMemory", &[("getData", Some(Argument::Text("BatteryPowerPluggedChanged")))]),
    ("ALDiagnosis", &[("getActiveDiagnosis", None), ("getPassiveDiagnosis", None)]),
    ("ALTextToSpeech", &[("getAvailableLanguages", None)]),
    ("ALSpeechRecognition", &[("getAvailableLanguages", None)]),
    ("ALConnectionManager", &[("state", None), ("services", None)]),
];

/// The keys of a joint below `Device/SubDeviceList/<joint>`, in the order of [`joint`].
const JOINT: [&str; 6] = [
    "Temperature/Sensor/Value",
    "Temperature/Sensor/Status",
    "Hardness/Actuator/Value",
    "Position/Sensor/Value",
    "Position/Actuator/Value",
    "ElectricCurrent/Sensor/Value",
];
const ANGLE: usize = 3;
const COMMAND: usize = 4;

/// A part of what is seen; each is queried on a separate thread.
enum Part {
    Answers(Vec<((&'static str, &'static str), Answer)>),
    Packages(Option<BTreeMap<String, String>>),
}

/// Queries the robot, and changes nothing. A robot that cannot be reached has said nothing.
pub fn inspect(reach: &Reach, patience: &Patience) -> Seen {
    match reach(patience.coming_back) {
        Ok(session) => inspect_session(&session, patience),
        Err(_) => Seen::default(),
    }
}

/// How many packages are told.
const PACKAGES: usize = 1000;

fn few(packages: BTreeMap<String, String>) -> BTreeMap<String, String> {
    packages.into_iter().take(PACKAGES).collect()
}

fn inspect_session(session: &Session, patience: &Patience) -> Seen {
    // Each service gets a little less than the whole time, so that one missing answer does not make others too late.
    let each = patience.asking.mul_f64(0.9);
    let mut jobs: Vec<Job<Part>> = Vec::new();
    for (service, questions) in QUESTIONS {
        let here = session.clone();
        jobs.push(Box::new(move || {
            let call = |(method, argument): &Question| (*method, argument.map(Argument::value).into_iter().collect());
            let answers = ask::service(&here, service, questions.iter().map(call).collect(), each);
            Part::Answers(questions.iter().map(|(method, _)| (*service, *method)).zip(answers).collect())
        }));
    }
    let here = session.clone();
    jobs.push(Box::new(move || {
        let known = packages::list(&here).ok();
        let short = |p: Package| (read::short(&p.uuid), read::short(&p.version.unwrap_or_default()));
        Part::Packages(known.map(|all| all.into_iter().map(short).collect::<BTreeMap<_, _>>()).map(few))
    }));
    let mut answers = BTreeMap::new();
    let mut seen = Seen::default();
    for part in ask::together(jobs, patience.asking).into_iter().flatten() {
        match part {
            Part::Answers(some) => answers.extend(some),
            Part::Packages(packages) => seen.packages = packages,
        }
    }
    let battery = |key: &&str| vec![format!("Device/SubDeviceList/Battery/{key}")];
    let battery = values(session, BATTERY.iter().map(battery).collect(), patience);
    let of = |at: usize| battery.get(at).and_then(|values: &Vec<Value>| values.first());
    seen.voltage = of(0).and_then(|volts| read::number(volts, 5.0, 35.0));
    seen.battery_temperature = of(1).and_then(degrees);
    seen.battery_heat = of(2).and_then(level);
    let answer = |service, method| answers.get(&(service, method)).and_then(Answer::value);
    take(&mut seen, &answer);
    if let Some(joints) = answer("ALMotion", "getBodyNames").and_then(read::names) {
        seen.joints = look(session, joints, patience);
    }
    seen
}

/// Takes the answers of all queries but those of the joints.
fn take<'a>(seen: &mut Seen, answer: &dyn Fn(&'static str, &'static str) -> Option<&'a Value>) {
    let flag = |method| answer("ALMotion", method).and_then(Value::as_bool);
    seen.name = answer("ALSystem", "robotName").and_then(read::name);
    seen.version = answer("ALSystem", "systemVersion").and_then(read::name);
    seen.disk = answer("ALSystem", "diskFree").and_then(read::disk);
    seen.kind = kind_of(answer("ALMotion", "getRobotConfig"), answer("ALRobotModel", "getRobotType"))
        .and_then(|(_, kind)| kind);
    seen.fall_manager = flag("getFallManagerEnabled");
    seen.smart_stiffness = flag("getSmartStiffnessEnabled");
    seen.diagnosis_effect = flag("getDiagnosisEffectEnabled");
    let charge = answer("ALBattery", "getBatteryCharge").and_then(Value::as_i64);
    seen.charge = charge.filter(|charge| (0..=100).contains(charge));
    seen.plugged = answer("ALMemory", "getData").and_then(Value::as_bool);
    seen.active = answer("ALDiagnosis", "getActiveDiagnosis").and_then(read::diagnosis);
    seen.passive = answer("ALDiagnosis", "getPassiveDiagnosis").and_then(read::diagnosis);
    seen.voices = answer("ALTextToSpeech", "getAvailableLanguages").and_then(read::names);
    seen.ears = answer("ALSpeechRecognition", "getAvailableLanguages").and_then(read::names);
    seen.network = answer("ALConnectionManager", "state").and_then(read::name);
    seen.failed_networks = answer("ALConnectionManager", "services").map(read::failed_networks).unwrap_or_default();
}

fn degrees(value: &Value) -> Option<f64> {
    // A sensor that is not there says 0.
    read::number(value, -30.0, 200.0).filter(|degrees| *degrees != 0.0)
}

fn level(value: &Value) -> Option<i64> {
    value.as_i64().filter(|level| (0..=3).contains(level))
}

/// Looks at the joints twice.
fn look(session: &Session, names: Vec<String>, patience: &Patience) -> Vec<Joint> {
    let keys = |of: &&str| names.iter().map(|name| format!("Device/SubDeviceList/{name}/{of}")).collect();
    let first = values(session, JOINT.iter().map(keys).collect(), patience);
    thread::sleep(patience.looking);
    let second = values(session, [ANGLE, COMMAND].map(|at| keys(&JOINT[at])).into(), patience);
    let of = |values: &[Vec<Value>], list: usize, joint: usize| values.get(list)?.get(joint).cloned();
    let joints = names.iter().enumerate().map(|(i, name)| {
        let of_first = std::array::from_fn(|list| of(&first, list, i).unwrap_or(Value::Void));
        joint(name.clone(), &of_first, [0, 1].map(|list| of(&second, list, i).unwrap_or(Value::Void)))
    });
    joints.collect()
}

/// Returns the values of several lists of keys. A robot answers with nothing for a key that it does not have, or refuses
/// the whole list, which is then empty.
fn values(session: &Session, lists: Vec<Vec<String>>, patience: &Patience) -> Vec<Vec<Value>> {
    let (session, within) = (session.clone(), patience.asking.mul_f64(0.9));
    let counts: Vec<usize> = lists.iter().map(Vec::len).collect();
    let list = |keys: Vec<String>| Value::list(keys.iter().map(|key| Value::from(key.as_str())));
    let calls = lists.into_iter().map(|keys| ("getListData", vec![list(keys)])).collect();
    let job: Job<Vec<Answer>> = Box::new(move || ask::service(&session, "ALMemory", calls, within));
    let answers = ask::together(vec![job], patience.asking).into_iter().flatten().next().unwrap_or_default();
    let value = |(answer, count): (Answer, usize)| {
        let values = answer.value().and_then(Value::as_slice).unwrap_or_default();
        if values.len() == count { values.to_vec() } else { Vec::new() }
    };
    answers.into_iter().zip(counts).map(value).collect()
}

fn joint(name: String, first: &[Value; JOINT.len()], second: [Value; 2]) -> Joint {
    /// So much a joint that stands still may seem to move, in rad: its sensor has a resolution.
    const STILL: f64 = 0.01;
    let [temperature, heat, stiffness, angle, command, current] = first;
    let radians = |value: &Value| read::number(value, -10.0, 10.0);
    let [angle, command] = [angle, command].map(radians);
    let near = |before: Option<f64>, now: &Value| {
        before.zip(radians(now)).is_some_and(|(before, now)| (before - now).abs() <= STILL)
    };
    Joint {
        name,
        temperature: degrees(temperature),
        heat: level(heat),
        stiffness: read::number(stiffness, -1.0, 1.0),
        angle,
        command,
        current: read::number(current, 0.0, 100.0),
        still: near(angle, &second[0]) && near(command, &second[1]),
    }
}
