//! What a robot of a generation of NAOqi has, as far as the table of services knows it.

use boxstep_qi::Generation;
use boxstep_services::{Method, Service, Source};

/// Methods of NAOqi 2.5 that a NAO 6 with NAOqi 2.8 does not report: see `docs/reference/services.md`.
const GONE: &[(&str, &[&str])] = &[
    ("ALBattery", &["enablePowerMonitoring"]),
    ("ALBehaviorManager", &["installBehavior", "removeBehavior"]),
    ("ALDialog", &["deleteSerializationFiles", "wordRecognized"]),
    ("ALMotion", &["updateTrackerTarget"]),
    ("ALNavigation", &["moveTo", "setSecurityDistance", "getSecurityDistance"]),
    ("ALTextToSpeech", &["sayToFileAndPlay", "enableNotifications", "disableNotifications"]),
];

/// Returns a version of NAOqi of this generation.
pub fn version(generation: Generation) -> &'static str {
    match generation {
        Generation::Naoqi21 => "2.1.4.13",
        Generation::Naoqi24 => "2.4.3.28",
        Generation::Naoqi25 => "2.5.7.1",
        Generation::Naoqi28 => "2.8.7.4",
        Generation::Naoqi29 => "2.9.5.1",
    }
}

/// Returns whether a robot has a method, or may have it because nobody knows. Without a generation it has all.
pub(super) fn has_method(generation: Option<Generation>, service: &str, method: &Method) -> bool {
    match generation {
        Some(Generation::Naoqi21 | Generation::Naoqi24 | Generation::Naoqi25) => method.source != Source::Nao6,
        Some(Generation::Naoqi28) => {
            !GONE.iter().any(|(name, methods)| *name == service && methods.contains(&method.name))
        }
        Some(Generation::Naoqi29) | None => true,
    }
}

/// Returns whether a robot has a service: at least one of its own methods.
pub(super) fn has_service(generation: Option<Generation>, service: &Service) -> bool {
    service.methods.is_empty() || service.methods.iter().any(|method| has_method(generation, service.name, method))
}

/// Returns whether a module has `wait` with one argument as well, so that the numbers after it are one higher.
pub(super) fn waits_twice(generation: Option<Generation>) -> bool {
    generation == Some(Generation::Naoqi28)
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_services::service;

    #[test]
    fn the_methods_that_are_gone_are_methods_of_the_table() {
        for (name, methods) in GONE {
            let service = service(name).unwrap();
            for method in *methods {
                assert!(service.all_methods().any(|m| m.name == *method), "{name}.{method}");
            }
        }
    }

    #[test]
    fn a_version_begins_with_its_generation() {
        for generation in Generation::ALL {
            assert!(version(generation).starts_with(generation.number()));
        }
    }
}
