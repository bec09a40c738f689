//! Which of our boxes takes the place of one of Choregraphe's.

use crate::{LibraryBox, named};

/// A box of Choregraphe, by its name and the ports by which it is known, and ours, which has these ports, too.
struct Stock {
    name: &'static str,
    ports: &'static [&'static str],
    ours: &'static str,
}

const fn stock(name: &'static str, ports: &'static [&'static str], ours: &'static str) -> Stock {
    Stock { name, ports, ours }
}

const RUNS: &[&str] = &["onStart", "onStop", "onStopped"];
const TRIES: &[&str] = &["onStart", "onStop", "success", "failure"];
const WAITS: &[&str] = &["onStart", "onStop", "timerOutput"];
const SETS: &[&str] = &["onSet", "onReady"];
const TELLS: &[&str] = &["onStart", "onStopped", "onError"];

/// Left out are those whose settings ours would not take over, such as the cases of Switch Case, and those that do
/// something else under the same names.
const STOCK: &[Stock] = &[
    stock("Animated Say", RUNS, "Animated Say"),
    stock("Animated Say Text", RUNS, "Animated Say Text"),
    stock("Autonomous Abilities", &["onStart", "onDone"], "Autonomous Abilities"),
    stock("Bumpers", &["onStart", "onStop", "onStopped", "onLeft", "onRight"], "Bumpers"),
    stock("Counter", &["onNext", "onInit", "currentValue", "onReinitialized"], "Counter"),
    stock("Delay", WAITS, "Delay"),
    stock("Eyes LEDs", &["color", "onDone"], "Eye Color"),
    stock("Face Detection", &["onStart", "onStop", "onStopped", "numberOfFaces", "onNoFace"], "Face Detection"),
    stock("Face Reco.", &["onStart", "onStop", "onStopped", "onRecognizedFaces"], "Face Recognition"),
    stock("Face Tracker", &["onStart", "onStop", "onStopped", "targetLost", "targetReached"], "Track"),
    stock("Fall Detector", &["onStart", "onStop", "onStopped", "robotHasFallen"], "Fall"),
    stock("Get Data", TELLS, "Get"),
    stock("Goto Posture", TRIES, "Posture"),
    stock("Hands", &["onStart", "onDone"], "Hands"),
    stock("Hide Web View", &["onStart", "onStopped"], "Hide"),
    stock("If", &["onData", "output_then", "output_else"], "If"),
    stock("Insert Data", TELLS, "Set"),
    stock("Learn Face", &["onLearn", "onSuccess", "onFailure"], "Learn Face"),
    stock("Log", &["message", "onDone"], "Log"),
    stock("Look At", RUNS, "Look At"),
    stock("Move Along", TRIES, "Move Along"),
    stock("Move To", &["onStart", "onStop", "onArrivedAtDestination", "onStoppedBeforeArriving"], "Move To"),
    stock("NAOMark", &["onStart", "onStop", "onStopped", "onMarkDetected", "onNoMark"], "Landmark"),
    stock("Only Once", &["onSignal", "firstTime"], "Once"),
    stock("Play Sound", RUNS, "Play Sound"),
    stock("Play Sound File", RUNS, "Play Sound File"),
    stock("Point At", RUNS, "Point At"),
    stock("Raise Event", TELLS, "Raise Event"),
    stock("Random Int.", &["onStart", "output_RandomValue"], "Random"),
    stock("Record Sound", RUNS, "Record Sound"),
    stock("Rest", RUNS, "Rest"),
    stock("Run Behavior", &["onStart", "onStop", "onStopped", "onError"], "Run Behavior"),
    stock("Say", RUNS, "Say"),
    stock("Say Text", RUNS, "Say Text"),
    stock("Set LEDs", SETS, "Set LEDs"),
    stock("Set Language", SETS, "Set Language"),
    stock("Set Reco. Lang.", SETS, "Set Language"),
    stock("Set Speaker Vol.", SETS, "Volume"),
    stock("Set Speech Lang.", SETS, "Set Language"),
    stock("Show Image", RUNS, "Show Image"),
    stock("Sit Down", TRIES, "Sit Down"),
    stock("Speech Reco.", &["onStart", "onStop", "onStopped", "wordRecognized", "onNothing"], "Word Choice"),
    stock("Stand Up", TRIES, "Stand Up"),
    stock("Stop Behavior", &["stopBehavior", "onBehaviorStopped", "onError"], "Stop Behavior"),
    stock("Subscribe to Event", &["onStart", "onStop", "onStopped", "onEvent"], "On Event"),
    stock(
        "Tactile Head",
        &["onStart", "onStop", "onStopped", "frontTouched", "middleTouched", "rearTouched"],
        "Tactile Head",
    ),
    stock(
        "Tactile L.Hand",
        &["onStart", "onStop", "onStopped", "leftTouched", "backTouched", "rightTouched"],
        "Tactile Hand",
    ),
    stock("Take Picture", &["onStart", "onStopped"], "Take Picture"),
    stock("Timer", &["onStart", "onStop", "onStopped", "timerOutput"], "Timer"),
    stock("Twinkle", RUNS, "Twinkle"),
    stock("Wait", WAITS, "Wait"),
    stock("Wait For Signals", &["signal1", "signal2", "signalsReceived"], "All"),
    stock("WakeUp", RUNS, "Wake Up"),
    stock("Walk Toward", &["onStart", "onStop"], "Walk"),
];

/// Parameters of Choregraphe's boxes that have another name in ours: the box, its parameter, and ours.
const RENAMED: &[(&str, &str, &str)] = &[
    ("Animated Say", "Body language mode", "Speaking movement mode"),
    ("Animated Say Text", "Body language mode", "Speaking movement mode"),
    ("Face Tracker", "Width (m)", "Size (m)"),
    ("Play Sound", "File path", "File name"),
    ("Play Sound", "Panorama", "Balance L/R"),
    ("Play Sound File", "Panorama", "Balance L/R"),
    ("Set LEDs", "Duration (s)", "Time to flash on (s)"),
    ("Wait", "timeout", "Timeout (s)"),
];

/// Returns the parameter of our box that has the value of a parameter of one of Choregraphe's, by their names.
///
/// ```
/// use boxstep_library::parameter_of_ours;
///
/// assert_eq!(parameter_of_ours("Wait (2)", "timeout"), "Timeout (s)");
/// assert_eq!(parameter_of_ours("Say", "Speed (%)"), "Speed (%)");
/// ```
pub fn parameter_of_ours<'a>(name: &str, parameter: &'a str) -> &'a str {
    let name = without_number(name);
    let known = RENAMED.iter().find(|(of, theirs, _)| *of == name && *theirs == parameter);
    known.map_or(parameter, |(_, _, ours)| ours)
}

/// Returns the box of ours that replaces a box of Choregraphe's library, by its name and the names of its inputs and
/// outputs. A number that Choregraphe has added to the name does not count; a box without the ports of Choregraphe's is
/// another one that has the same name. Ours has these ports, so that their links can stay.
///
/// ```
/// use boxstep_library::replacement;
///
/// assert_eq!(replacement("Random Int. (2)", &["onStart", "output_RandomValue"]).map(|ours| ours.name), Some("Random"));
/// assert_eq!(replacement("Wait", &["onStart", "onFriendCame"]), None);
/// ```
pub fn replacement(name: &str, ports: &[&str]) -> Option<&'static LibraryBox> {
    let name = without_number(name);
    let known = STOCK.iter().find(|stock| stock.name == name)?;
    known.ports.iter().all(|port| ports.contains(port)).then(|| named(known.ours)).flatten()
}

/// Returns a name without the number of a copy: `Say (2)` is `Say`.
fn without_number(name: &str) -> &str {
    let number =
        |text: &str| text.strip_suffix(')').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    match name.rsplit_once(" (") {
        Some((before, after)) if number(after) => before,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_have_the_ports_of_those_that_they_replace() {
        for stock in STOCK {
            let ours = replacement(stock.name, stock.ports).unwrap_or_else(|| panic!("there is no {}", stock.ours));
            assert_eq!(ours.name, stock.ours);
            for port in stock.ports {
                let (input, output) = (format!("<Input name=\"{port}\""), format!("<Output name=\"{port}\""));
                assert!(ours.xar.contains(&input) || ours.xar.contains(&output), "{}: {port}", ours.name);
            }
        }
    }

    #[test]
    fn ours_have_the_parameters_that_take_others_values() {
        for (of, theirs, own) in RENAMED {
            let stock = STOCK.iter().find(|stock| stock.name == *of).unwrap();
            let ours = replacement(of, stock.ports).unwrap();
            let has = |name: &str| ours.xar.contains(&format!("<Parameter name=\"{name}\""));
            assert!(has(own) && !has(theirs), "{of}: {theirs}");
            assert_eq!(parameter_of_ours(of, theirs), *own);
        }
    }

    #[test]
    fn a_stock_box_is_named_once_and_in_order() {
        assert!(STOCK.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn only_a_number_is_left_out() {
        assert_eq!(replacement("Say (12)", RUNS).map(|ours| ours.name), Some("Say"));
        for other in ["Say (x)", "Say ()", "Say bye", "Say(1)", " Say", ""] {
            assert_eq!(replacement(other, RUNS), None, "{other}");
        }
        assert_eq!(replacement("Say", &["onStart", "onStopped"]), None, "it has no onStop");
    }
}
