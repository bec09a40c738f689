//! What a robot says of what it holds: packages, behaviors, preferences, memory. Nothing is changed.
//!
//! Source: the pages of these services in the NAOqi documentation, and docs/reference/services.md.

use super::ask::{self, Answer};
use crate::wire::{self, NoObjects};
use boxstep_qi::Session;
use boxstep_types::Value;
use std::time::{Duration, Instant};

/// What is known of one subject.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Its name, a word: `packages`.
    pub name: &'static str,
    /// The robot's answers, by service and method.
    pub answers: Vec<(String, Value)>,
    /// What the robot did not answer, and why; services and methods that it does not have are not listed.
    pub left: Vec<String>,
}

/// How long a robot has for the answers about one subject.
const WITHIN: Duration = Duration::from_secs(20);
/// How long all answers about preferences, and about the memory, may take.
const ALL_WITHIN: Duration = Duration::from_secs(120);
/// How many keys of the memory are asked for at a time.
const KEYS: usize = 200;
/// How many keys and domains are asked for.
const MOST: usize = 20_000;

/// A subject and what is asked, by services.
type Row = (&'static str, &'static [(&'static str, &'static [&'static str])]);

const ASKED: [Row; 6] = [
    (
        "robot",
        &[
            ("ALSystem", &["robotName", "systemVersion", "timezone", "freeMemory", "totalMemory"]),
            ("ALRobotModel", &["getRobotType", "getConfig"]),
            ("ALMotion", &["getRobotConfig"]),
            ("ALBattery", &["getBatteryCharge"]),
            ("ALTextToSpeech", &["getLanguage", "getAvailableLanguages", "getAvailableVoices", "getVolume"]),
            ("ALSpeechRecognition", &["getLanguage", "getAvailableLanguages"]),
            ("ALAudioDevice", &["getOutputVolume"]),
        ],
    ),
    ("packages", &[("PackageManager", &["packages2", "packages", "getPackages"])]),
    (
        "behaviors",
        &[(
            "ALBehaviorManager",
            &["getInstalledBehaviors", "getDefaultBehaviors", "getRunningBehaviors", "getSystemBehaviorNames"],
        )],
    ),
    ("dialogs", &[("ALDialog", &["getLanguage", "getAllLoadedTopics", "getActivatedTopics", "getUserList"])]),
    (
        "life",
        &[
            (
                "ALAutonomousLife",
                &["getState", "getEnabledLaunchpadPlugins", "getAutonomousAbilitiesStatus", "getFocusHistory"],
            ),
            ("ALFaceDetection", &["getLearnedFacesList"]),
        ],
    ),
    ("services", &[("ALServiceManager", &["services"])]),
];

/// Asks a robot for all that it says of itself, subject by subject; `told` gets each, and ends it if it returns false.
pub fn inventory(session: &Session, told: &mut dyn FnMut(Subject) -> bool) {
    for (name, services) in ASKED {
        let mut subject = Subject { name, answers: Vec::new(), left: Vec::new() };
        for (service, methods) in services {
            let calls = methods.iter().map(|method| (*method, Vec::new())).collect();
            for (method, answer) in methods.iter().zip(ask::service(session, service, calls, WITHIN)) {
                subject.add(service, method, &answer);
            }
        }
        if !told(subject) {
            return;
        }
    }
    if told(preferences(session)) {
        told(memory(session));
    }
}

impl Subject {
    fn add(&mut self, service: &str, method: &str, answer: &Answer) -> Option<&Value> {
        match answer.value() {
            Some(value) => {
                self.answers.push((format!("{service}.{method}"), wire::from_wire(value, &mut NoObjects)));
                self.answers.last().map(|(_, value)| value)
            }
            None => {
                self.left.extend((!answer.lacks()).then(|| answer.why(service, method, WITHIN)));
                None
            }
        }
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    let values = value.and_then(Value::as_list).unwrap_or_default();
    values.iter().filter_map(Value::as_str).take(MOST).map(str::to_owned).collect()
}

fn preferences(session: &Session) -> Subject {
    let mut subject = Subject { name: "preferences", answers: Vec::new(), left: Vec::new() };
    // The second name is that of NAOqi before 2.0.
    for service in ["ALPreferenceManager", "ALPreferences"] {
        let one = |method, args: Vec<boxstep_qi::Value>| {
            ask::service(session, service, vec![(method, args)], WITHIN).pop().unwrap_or(Answer::Nothing)
        };
        let domains = texts(subject.add(service, "getDomainList", &one("getDomainList", Vec::new())));
        let until = Instant::now() + ALL_WITHIN;
        for domain in domains {
            if Instant::now() > until {
                subject.left.push(format!("{service}: not all domains were told within {} s", ALL_WITHIN.as_secs()));
                break;
            }
            let answer = one("getValueList", vec![boxstep_qi::Value::from(domain.as_str())]);
            subject.add(service, &format!("getValueList({domain})"), &answer);
        }
        if !subject.answers.is_empty() {
            break;
        }
    }
    subject
}

fn memory(session: &Session) -> Subject {
    let mut subject = Subject { name: "memory", answers: Vec::new(), left: Vec::new() };
    let one = |method, args: Vec<boxstep_qi::Value>| {
        ask::service(session, "ALMemory", vec![(method, args)], WITHIN).pop().unwrap_or(Answer::Nothing)
    };
    let answer = one("getDataListName", Vec::new());
    let names = texts(answer.value().map(|value| wire::from_wire(value, &mut NoObjects)).as_ref());
    if names.is_empty() {
        subject.add("ALMemory", "getDataListName", &answer);
    }
    let until = Instant::now() + ALL_WITHIN;
    for keys in names.chunks(KEYS) {
        if Instant::now() > until {
            subject.left.push(format!("ALMemory: not all keys were told within {} s", ALL_WITHIN.as_secs()));
            break;
        }
        let list = Value::list(keys.iter().map(|key| key.as_str().into()));
        let answer = one("getListData", vec![wire::to_wire(&list, &mut NoObjects)]);
        let values = answer.value().map(|value| wire::from_wire(value, &mut NoObjects));
        match values.as_ref().and_then(Value::as_list) {
            Some(values) if values.len() == keys.len() => {
                subject.answers.extend(keys.iter().cloned().zip(values.iter().cloned()));
            }
            _ => drop(subject.add("ALMemory", "getListData", &answer)),
        }
        if let Answer::Lost(_) = answer {
            break;
        }
    }
    subject
}
