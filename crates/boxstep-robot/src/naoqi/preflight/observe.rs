//! The queries of the preflight, and the robot's raw answers.

use super::requirements::{Requirements, common};
use super::{Patience, Reach};
use crate::naoqi::ask::{self, Answer, Job};
use boxstep_bodies::BodyKind;
use boxstep_qi::{Error, Session, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Over how many links the robot is queried before its state counts as unknown.
const LINKS: usize = 3;

/// The robot's answers.
pub(super) struct Observation {
    /// The time for each round of queries.
    pub(super) within: Duration,
    answers: BTreeMap<(&'static str, &'static str), Answer>,
    /// Why the link ended before everything was answered, if it did: the answers are not usable then.
    lost: Option<String>,
    /// The names of its services, or why they are not known.
    pub(super) services: Result<BTreeSet<String>, String>,
    /// For each available service that scripts call, the called methods that it lacks, or why that is not known.
    pub(super) missing: BTreeMap<String, Result<BTreeSet<String>, String>>,
    /// The temperatures of joints in °C, as far as the robot reports them.
    pub(super) temperatures: Vec<(String, f64)>,
}

/// The part of the state that the preparation may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ObservedState {
    /// Whether it is awake; `None` if unknown.
    pub(super) awake: Option<bool>,
    /// The state of Autonomous Life; `None` if unknown or if there is none.
    pub(super) life: Option<String>,
    /// A joint that the file moves has no stiffness.
    pub(super) limp: bool,
    /// The joints without stiffness that may lose it again at the end. None of them is in a leg, because a standing
    /// robot would fall.
    pub(super) limp_put_back: Vec<(String, f64)>,
}

/// A method, and its text argument if it takes one.
type Question = (&'static str, Option<&'static str>);

/// The first round: all queries that do not depend on other answers.
const QUESTIONS: &[(&str, &[Question])] = &[
    ("ALSystem", &[("systemVersion", None)]),
    (
        "ALMotion",
        &[
            ("robotIsWakeUp", None),
            ("getRobotConfig", None),
            ("getBodyNames", Some("Body")),
            ("getStiffnesses", Some("Body")),
        ],
    ),
    ("ALRobotModel", &[("getRobotType", None)]),
    ("ALBattery", &[("getBatteryCharge", None)]),
    ("ALMemory", &[("getData", Some("BatteryPowerPluggedChanged"))]),
    ("ALBodyTemperature", &[("getTemperatureDiagnosis", None)]),
    ("ALAutonomousLife", &[("getState", None)]),
    ("ALBehaviorManager", &[("getRunningBehaviors", None), ("getDefaultBehaviors", None)]),
    ("ALTextToSpeech", &[("getLanguage", None), ("getAvailableLanguages", None)]),
];

/// A part of an observation; each is queried on a separate thread.
enum ObservationPart {
    Answers(Vec<((&'static str, &'static str), Answer)>),
    Services(Result<BTreeSet<String>, Error>),
    Temperatures(Vec<(String, f64)>),
    Missing(String, Result<BTreeSet<String>, Error>),
}

/// Returns whether the preflight queries this service.
pub(crate) fn is_queried(service: &str) -> bool {
    QUESTIONS.iter().any(|(asked, _)| *asked == service)
}

/// Queries the robot over one link. If the link is lost meanwhile, all answers are discarded: what was true before may
/// have changed, and a missing answer is no answer. Everything is then queried again over the next link, whose session
/// is returned with the answers.
pub(super) fn observe(reach: &Reach, needs: &Requirements, patience: &Patience) -> (Observation, Option<Session>) {
    let mut why = String::new();
    for _ in 0..LINKS {
        let session = match reach(patience.coming_back) {
            Ok(session) => session,
            Err(e) => {
                why = e.to_string();
                break;
            }
        };
        let seen = observe_session(&session, needs, patience.asking);
        match seen.lost {
            None => return (seen, Some(session)),
            Some(lost) => why = lost,
        }
    }
    (Observation::lost(why, patience.asking), None)
}

/// Queries the robot over this session, in two rounds.
pub(super) fn observe_session(session: &Session, needs: &Requirements, within: Duration) -> Observation {
    let slow = || Err::<BTreeSet<String>, _>(format!("the robot did not answer within {} s", within.as_secs_f64()));
    let mut seen = Observation { services: slow(), ..Observation::nothing(within) };
    // Each service gets a little less than the whole time. Otherwise one missing answer would make the other answers of
    // its service too late.
    let each = within.mul_f64(0.9);
    let mut jobs: Vec<Job<ObservationPart>> = Vec::new();
    let here = session.clone();
    jobs.push(Box::new(move || {
        ObservationPart::Services(here.services().map(|list| list.into_iter().map(|info| info.name).collect()))
    }));
    for (service, questions) in QUESTIONS {
        let here = session.clone();
        jobs.push(Box::new(move || {
            let call = |(method, text): &Question| (*method, text.map(Value::from).into_iter().collect());
            let answers = ask::service(&here, service, questions.iter().map(call).collect(), each);
            ObservationPart::Answers(questions.iter().map(|(method, _)| (*service, *method)).zip(answers).collect())
        }));
    }
    seen.take(ask::together(jobs, within));
    let mut jobs: Vec<Job<ObservationPart>> = Vec::new();
    if let Some(joints) = seen.joints() {
        let here = session.clone();
        jobs.push(Box::new(move || ObservationPart::Temperatures(temperatures(&here, joints, each))));
    }
    let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for call in needs.wanted() {
        let methods = wanted.entry(call.service.clone()).or_default();
        methods.extend(call.method.iter().filter(|method| !common(method)).cloned());
    }
    for (service, methods) in wanted {
        if seen.services.as_ref().is_ok_and(|known| known.contains(&service)) {
            seen.missing.insert(service.clone(), slow());
            let here = session.clone();
            jobs.push(Box::new(move || {
                let missing = missing(&here, &service, methods);
                ObservationPart::Missing(service, missing)
            }));
        }
    }
    seen.take(ask::together(jobs, within));
    // A link may end after the last answer, before anything else is received over it.
    seen.lost = seen.lost.or_else(|| session.connection().gone().map(|gone| gone.to_string()));
    seen
}

/// Returns the names for which the service has no method, signal or property.
fn missing(session: &Session, service: &str, mut names: BTreeSet<String>) -> Result<BTreeSet<String>, Error> {
    let service = session.service(service)?;
    let meta = service.meta();
    names.retain(|name| {
        let method = meta.methods_named(name).next().is_some();
        !method && meta.signal(name).is_none() && meta.property(name).is_none()
    });
    Ok(names)
}

fn temperatures(session: &Session, joints: Vec<String>, within: Duration) -> Vec<(String, f64)> {
    let key = |joint: &String| Value::from(format!("Device/SubDeviceList/{joint}/Temperature/Sensor/Value"));
    let keys = Value::list(joints.iter().map(key));
    let answer = ask::service(session, "ALMemory", vec![("getListData", vec![keys])], within);
    let values = answer.first().and_then(Answer::value).and_then(Value::as_slice).unwrap_or_default();
    joints.into_iter().zip(values).filter_map(|(joint, value)| Some((joint, value.as_f64()?))).collect()
}

impl Observation {
    fn nothing(within: Duration) -> Observation {
        Observation {
            within,
            answers: BTreeMap::new(),
            lost: None,
            services: Err(String::new()),
            missing: BTreeMap::new(),
            temperatures: Vec::new(),
        }
    }

    /// The observation of a robot that could not be reached.
    fn lost(why: String, within: Duration) -> Observation {
        let services = Err(format!("the connection was lost ({why})"));
        Observation { services, lost: Some(why), ..Observation::nothing(within) }
    }

    fn take(&mut self, parts: Vec<Option<ObservationPart>>) {
        for part in parts.into_iter().flatten() {
            match part {
                ObservationPart::Answers(answers) => {
                    for (_, answer) in &answers {
                        if let Answer::Lost(why) = answer {
                            self.lost.get_or_insert_with(|| why.clone());
                        }
                    }
                    self.answers.extend(answers);
                }
                ObservationPart::Services(services) => self.services = self.heard(services),
                ObservationPart::Temperatures(found) => self.temperatures = found,
                ObservationPart::Missing(service, missing) => {
                    let missing = self.heard(missing);
                    self.missing.insert(service, missing);
                }
            }
        }
    }

    /// Converts an error to its message, and notes a lost link.
    fn heard<T>(&mut self, heard: Result<T, Error>) -> Result<T, String> {
        heard.map_err(|e| {
            let why = e.to_string();
            if matches!(e, Error::Gone(_) | Error::NotQi { .. }) {
                self.lost.get_or_insert_with(|| why.clone());
            }
            why
        })
    }

    /// Returns why nothing is known, if the link was lost.
    pub(super) fn is_lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Returns the answer of a method.
    pub(super) fn answer(&self, service: &'static str, method: &'static str) -> Option<&Value> {
        self.answers.get(&(service, method)).and_then(Answer::value)
    }

    /// Returns why there is no usable answer.
    pub(super) fn why(&self, service: &'static str, method: &'static str) -> String {
        match (&self.lost, self.answers.get(&(service, method))) {
            (Some(why), None) => format!("the connection was lost ({why})"),
            (_, answer) => answer.unwrap_or(&Answer::Nothing).why(service, method, self.within),
        }
    }

    /// Returns whether the robot lacks the service or method.
    pub(super) fn lacks(&self, service: &'static str, method: &'static str) -> bool {
        self.answers.get(&(service, method)).is_some_and(Answer::lacks)
    }

    /// Returns the names of the robot's joints.
    pub(super) fn joints(&self) -> Option<Vec<String>> {
        texts(self.answer("ALMotion", "getBodyNames")?)
    }

    /// Returns the robot's own name for its model, and the body kind that it means.
    pub(super) fn model(&self) -> Option<(String, Option<BodyKind>)> {
        kind_of(self.answer("ALMotion", "getRobotConfig"), self.answer("ALRobotModel", "getRobotType"))
    }

    /// Returns the state that the preparation may change.
    pub(super) fn state(&self, needs: &Requirements) -> ObservedState {
        let limp = self.stiffness().unwrap_or_default();
        let limp: Vec<_> = limp.into_iter().filter(|(_, stiffness)| *stiffness <= 0.0).collect();
        const LEGS: &[&str] = &["Hip", "Knee", "Ankle", "Wheel"];
        ObservedState {
            limp: limp.iter().any(|(joint, _)| needs.joints.contains(joint)),
            limp_put_back: limp.into_iter().filter(|(joint, _)| !LEGS.iter().any(|leg| joint.contains(leg))).collect(),
            awake: self.awake(),
            life: self.life(),
        }
    }

    /// Returns the stiffness of each joint, from 0 to 1.
    pub(super) fn stiffness(&self) -> Option<Vec<(String, f64)>> {
        let values = self.answer("ALMotion", "getStiffnesses")?.as_slice()?;
        let joints = self.joints()?;
        // With another number of values nobody knows which joint each is of.
        if joints.len() != values.len() {
            return None;
        }
        joints.into_iter().zip(values).map(|(joint, value)| Some((joint, value.as_f64()?))).collect()
    }

    /// Returns whether the robot is awake, if it answers.
    pub(super) fn awake(&self) -> Option<bool> {
        self.answer("ALMotion", "robotIsWakeUp").and_then(Value::as_bool)
    }

    /// Returns the running behaviors except those that always run, if the robot answers.
    pub(super) fn running(&self) -> Option<Vec<String>> {
        let mut running = self.answer("ALBehaviorManager", "getRunningBehaviors").and_then(texts)?;
        let always = self.answer("ALBehaviorManager", "getDefaultBehaviors").and_then(texts).unwrap_or_default();
        running.retain(|name| !always.contains(name));
        Some(running)
    }

    /// Returns the state of Autonomous Life, if the robot answers.
    pub(super) fn life(&self) -> Option<String> {
        self.answer("ALAutonomousLife", "getState").and_then(Value::as_str).map(str::to_owned)
    }
}

/// Returns the texts of a list.
pub(super) fn texts(list: &Value) -> Option<Vec<String>> {
    list.as_slice()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Returns the robot's own name for its model, and the body kind that it means, from the answers of
/// `ALMotion.getRobotConfig` and `ALRobotModel.getRobotType`.
pub(in crate::naoqi) fn kind_of(config: Option<&Value>, own: Option<&Value>) -> Option<(String, Option<BodyKind>)> {
    let config = || {
        let config = config?.as_slice()?;
        let names = texts(config.first()?.plain())?;
        let at = names.iter().position(|name| name == "Model Type")?;
        config.get(1)?.plain().as_slice()?.get(at)?.as_str()
    };
    let name = config().or_else(|| own?.as_str())?;
    Some((name.to_owned(), BodyKind::from_name(name)))
}
