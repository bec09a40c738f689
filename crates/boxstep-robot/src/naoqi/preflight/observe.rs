//! What the robot is asked, and its answers as they came.

use super::needs::{Needs, common};
use super::{Patience, Reach};
use crate::naoqi::ask::{self, Answer, Job};
use boxstep_bodies::BodyKind;
use boxstep_qi::{Error, Session, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// On how many links the robot is asked before it is taken to be unknown.
const LINKS: usize = 3;

/// The robot's answers.
pub(super) struct Seen {
    /// How long it had for each round.
    pub(super) within: Duration,
    answers: BTreeMap<(&'static str, &'static str), Answer>,
    /// Why the link ended before all was answered, if it did: what was heard over it is of no use then.
    lost: Option<String>,
    /// The names of its services, or why they are not known.
    pub(super) services: Result<BTreeSet<String>, String>,
    /// Of each service that is there and that scripts call: those of the methods that it has not; or why that is not known.
    pub(super) missing: BTreeMap<String, Result<BTreeSet<String>, String>>,
    /// Temperatures of joints in °C, as far as the robot tells them.
    pub(super) temperatures: Vec<(String, f64)>,
}

/// What changes may change.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ObservedState {
    /// Awake; `None` if unknown.
    pub(super) awake: Option<bool>,
    /// The state of Autonomous Life; `None` if unknown or if there is none.
    pub(super) life: Option<String>,
    /// A joint that the file moves has no force.
    pub(super) limp: bool,
    /// The joints without force that may lose it again at the end: none of legs, for a robot that stands would fall.
    pub(super) limp_put_back: Vec<(String, f64)>,
}

/// A method, and a text to give it if it takes one.
type Question = (&'static str, Option<&'static str>);

/// The first round: everything that depends on nothing.
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

/// A part of an observation, each found on a thread of its own.
enum ObservationPart {
    Answers(Vec<((&'static str, &'static str), Answer)>),
    Services(Result<BTreeSet<String>, Error>),
    Temperatures(Vec<(String, f64)>),
    Missing(String, Result<BTreeSet<String>, Error>),
}

/// Whether a fact is asked of this service.
pub(crate) fn asks(service: &str) -> bool {
    QUESTIONS.iter().any(|(asked, _)| *asked == service)
}

/// Asks the robot everything over one link. A link that is lost meanwhile has told nothing: what was true before may not be so any
/// more, and a question without an answer is no answer. So all is asked again on the next one, which is returned with the answers.
pub(super) fn observe(reach: &Reach, needs: &Needs, patience: &Patience) -> (Seen, Option<Session>) {
    let mut why = String::new();
    for _ in 0..LINKS {
        let session = match reach(patience.coming_back) {
            Ok(session) => session,
            Err(e) => {
                why = e.to_string();
                break;
            }
        };
        let seen = over(&session, needs, patience.asking);
        match seen.lost {
            None => return (seen, Some(session)),
            Some(lost) => why = lost,
        }
    }
    (Seen::lost(why, patience.asking), None)
}

/// Asks the robot everything over this link, in two rounds.
pub(super) fn over(session: &Session, needs: &Needs, within: Duration) -> Seen {
    let slow = || Err::<BTreeSet<String>, _>(format!("the robot did not answer within {} s", within.as_secs_f64()));
    let mut seen = Seen { services: slow(), ..Seen::nothing(within) };
    // A service is not waited for to the very end, or its answers that are there would come too late with the one that is not.
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
    // A link may end behind the last answer, and before anything else is said over it.
    seen.lost = seen.lost.or_else(|| session.connection().gone().map(|gone| gone.to_string()));
    seen
}

/// Those of the names that the service has nothing for.
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
    let values = answer.first().and_then(Answer::said).and_then(Value::as_slice).unwrap_or_default();
    joints.into_iter().zip(values).filter_map(|(joint, value)| Some((joint, value.as_f64()?))).collect()
}

impl Seen {
    fn nothing(within: Duration) -> Seen {
        Seen {
            within,
            answers: BTreeMap::new(),
            lost: None,
            services: Err(String::new()),
            missing: BTreeMap::new(),
            temperatures: Vec::new(),
        }
    }

    /// Nothing is known, because there was no link to ask over.
    fn lost(why: String, within: Duration) -> Seen {
        let services = Err(format!("the connection was lost ({why})"));
        Seen { services, lost: Some(why), ..Seen::nothing(within) }
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

    /// What was heard, or why nothing was.
    fn heard<T>(&mut self, heard: Result<T, Error>) -> Result<T, String> {
        heard.map_err(|e| {
            let why = e.to_string();
            if matches!(e, Error::Gone(_) | Error::NotQi { .. }) {
                self.lost.get_or_insert_with(|| why.clone());
            }
            why
        })
    }

    /// Why nothing that was asked is known, if the link was lost.
    pub(super) fn is_lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// The answer of a method.
    pub(super) fn said(&self, service: &'static str, method: &'static str) -> Option<&Value> {
        self.answers.get(&(service, method)).and_then(Answer::said)
    }

    /// Why there is no answer that can be used.
    pub(super) fn why(&self, service: &'static str, method: &'static str) -> String {
        match (&self.lost, self.answers.get(&(service, method))) {
            (Some(why), None) => format!("the connection was lost ({why})"),
            (_, answer) => answer.unwrap_or(&Answer::Nothing).why(service, method, self.within),
        }
    }

    /// The robot has nothing that could answer this.
    pub(super) fn lacks(&self, service: &'static str, method: &'static str) -> bool {
        self.answers.get(&(service, method)).is_some_and(Answer::lacks)
    }

    /// The joints that the robot has.
    pub(super) fn joints(&self) -> Option<Vec<String>> {
        texts(self.said("ALMotion", "getBodyNames")?)
    }

    /// The robot's own word for its model, and which of the bodies that is.
    pub(super) fn model(&self) -> Option<(String, Option<BodyKind>)> {
        let config = || {
            let config = self.said("ALMotion", "getRobotConfig")?.as_slice()?;
            let names = texts(config.first()?.plain())?;
            let at = names.iter().position(|name| name == "Model Type")?;
            config.get(1)?.plain().as_slice()?.get(at)?.as_str()
        };
        let own = || self.said("ALRobotModel", "getRobotType")?.as_str();
        let name = config().or_else(own)?;
        Some((name.to_owned(), BodyKind::from_name(name)))
    }

    /// What changes may change.
    pub(super) fn state(&self, needs: &Needs) -> ObservedState {
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

    /// The stiffness of each joint.
    pub(super) fn stiffness(&self) -> Option<Vec<(String, f64)>> {
        let values = self.said("ALMotion", "getStiffnesses")?.as_slice()?;
        self.joints()?.into_iter().zip(values).map(|(joint, value)| Some((joint, value.as_f64()?))).collect()
    }

    /// Awake, if the robot says.
    pub(super) fn awake(&self) -> Option<bool> {
        self.said("ALMotion", "robotIsWakeUp").and_then(Value::as_bool)
    }

    /// Behaviors that run, but for those that always do; if the robot says.
    pub(super) fn running(&self) -> Option<Vec<String>> {
        let mut running = self.said("ALBehaviorManager", "getRunningBehaviors").and_then(texts)?;
        let always = self.said("ALBehaviorManager", "getDefaultBehaviors").and_then(texts).unwrap_or_default();
        running.retain(|name| !always.contains(name));
        Some(running)
    }

    /// The state of Autonomous Life, if the robot says.
    pub(super) fn life(&self) -> Option<String> {
        self.said("ALAutonomousLife", "getState").and_then(Value::as_str).map(str::to_owned)
    }
}

/// A list of texts.
pub(super) fn texts(list: &Value) -> Option<Vec<String>> {
    list.as_slice()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}
