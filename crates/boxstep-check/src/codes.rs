//! The codes of this crate's diagnostics. A retired number is never reused for another diagnostic.

use boxstep_types::Code;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $id:ident = $number:literal, $name:literal;)*) => {
        $($(#[doc = $doc])+ pub const $id: Code = Code::new($number, $name);)*

        /// Every code of this crate with a one-line explanation.
        pub const CODES: &[(Code, &str)] = &[$(($id, concat!($($doc),+))),*];
    };
}

codes! {
    /// A link names a box or port that does not exist.
    DANGLING_LINK = 600, "dangling-link";
    /// A link begins at a port where signals only arrive, or ends at one where they only originate.
    WRONG_WAY_LINK = 601, "wrong-way-link";
    /// A link joins ports whose types do not fit; the value is passed on as it is.
    TYPE_MISMATCH = 602, "type-mismatch";
    /// Two links join the same two ports, so every signal arrives twice.
    DOUBLE_LINK = 603, "double-link";
    /// A link begins or ends at a port that can carry no signal there.
    SILENT_LINK = 604, "silent-link";
    /// A box is stopped by a link, and nothing ever stimulates its linked onStopped.
    SILENT_STOP = 605, "silent-stop";
    /// Sibling boxes share a name; their paths need `#id`.
    SHARED_NAME = 610, "shared-name";
    /// A box has two inputs, outputs or parameters of one name.
    SHARED_PORT_NAME = 611, "shared-port-name";
    /// A box in a diagram has the id 0, which links take for the containing box.
    ZERO_ID = 612, "zero-id";
    /// A timeline has two keyframes of one name, so that a goto by name cannot tell them apart.
    SHARED_KEYFRAME_NAME = 613, "shared-keyframe-name";
    /// No signal can reach the box.
    UNREACHABLE_BOX = 620, "unreachable-box";
    /// A parameter's value is not of its type.
    BAD_PARAMETER = 630, "bad-parameter";
    /// A parameter's value is outside its range.
    OUT_OF_RANGE = 631, "out-of-range";
    /// A parameter's value is not one of its choices.
    NOT_A_CHOICE = 632, "not-a-choice";
    /// An attached file is not there.
    MISSING_ATTACHMENT = 640, "missing-attachment";
    /// A dialog box's file is not there.
    MISSING_DIALOG = 641, "missing-dialog";
    /// A path leads out of the project.
    PATH_ESCAPES = 642, "path-leaves-project";
    /// A dialog (`.dlg`) names a topic (`.top`) that is not there.
    MISSING_TOPIC = 643, "missing-topic";
    /// A dialog, topic or trajectory without the content of such a file.
    BAD_CONTENT = 644, "bad-content-file";
    /// A topic or translation file has another language or name than the one it is listed under.
    CONTENT_MISMATCH = 645, "content-mismatch";
    /// A language of the project into which its texts are not translated.
    MISSING_TRANSLATION = 647, "missing-translation";
    /// A topic includes one with an error, so that neither can be loaded.
    BROKEN_INCLUDE = 648, "broken-include";
    /// A script in a language that Boxstep does not run.
    SCRIPT_LANGUAGE = 650, "script-language";
    /// A script that neither Python 2 nor Python 3 can parse.
    SCRIPT_SYNTAX = 651, "script-syntax";
    /// A remnant of Python 2 in a script, and its replacement.
    PYTHON_2 = 652, "python-2";
    /// Scripts that were not checked, because there is no Python to parse them or it failed.
    SCRIPTS_NOT_CHECKED = 653, "scripts-not-checked";
    /// A script calls `self.name(…)`, and the box has neither an output nor a method of that name.
    UNDECLARED_OUTPUT = 654, "undeclared-output";
    /// A script calls an output with more or fewer values than it takes.
    OUTPUT_ARGUMENTS = 655, "output-arguments";
    /// A script has `onInput_name`, and the box has no input of that name.
    HANDLER_WITHOUT_INPUT = 656, "handler-without-input";
    /// A method that the engine calls needs more arguments than it is given.
    HANDLER_ARGUMENTS = 657, "handler-arguments";
    /// A script requests a parameter that neither the box nor an enclosing box has.
    UNKNOWN_PARAMETER = 658, "unknown-parameter";
    /// Keys of a curve do not follow each other in time.
    KEY_ORDER = 660, "key-order";
    /// A timeline that never ends by itself.
    ENDLESS_TIMELINE = 661, "endless-timeline";
    /// Two curves of a timeline move one joint.
    SHARED_JOINT = 662, "shared-joint";
    /// A keyframe or key that the timeline never reaches.
    NEVER_REACHED = 663, "never-reached";
    /// A layer that is muted: its boxes are neither loaded nor run.
    MUTED_LAYER = 667, "muted-layer";
    /// Two keyframes of a layer begin at one frame.
    SHARED_FRAME = 664, "shared-frame";
    /// A number of frames per second at which nothing moves.
    BAD_FPS = 665, "bad-fps";
    /// A flow diagram with curves or several keyframes: without a clock they do not play.
    IDLE_TIMELINE = 666, "idle-timeline";
    /// A memory input without the name of a memory key.
    NO_MEMORY_KEY = 670, "no-memory-key";
    /// A box requests one resource twice.
    SHARED_RESOURCE = 671, "shared-resource";
    /// The resources of a box have different modes or timeouts, although they are taken as one.
    MIXED_RESOURCES = 672, "mixed-resources";
    /// A box requests a resource that no robot has.
    UNKNOWN_RESOURCE = 673, "unknown-resource";
    /// A box requests states that exclude each other, such as Standing and Sitting.
    CONFLICTING_STATES = 674, "conflicting-states";
    /// A script requests a service that no robot and no part of the project offers.
    UNKNOWN_SERVICE = 680, "unknown-service";
    /// A script requests a service that this robot does not offer.
    SERVICE_NOT_ON_BODY = 681, "service-not-on-body";
    /// A script calls a method that the service is not known to have.
    UNKNOWN_METHOD = 682, "unknown-method";
    /// A script calls a method of a service with more or fewer arguments than it takes.
    METHOD_ARGUMENTS = 683, "method-arguments";
    /// A curve moves a joint that this robot does not have.
    UNKNOWN_JOINT = 690, "unknown-joint";
    /// A curve goes past the limits of its joint.
    PAST_LIMIT = 691, "past-joint-limit";
    /// A curve is faster than its joint can move.
    TOO_FAST = 692, "too-fast";
    /// A timeline moves the robot so that it tips over.
    TIPS_OVER = 693, "tips-over";
    /// A timeline brings the robot close to tipping over.
    NEAR_TIPPING = 694, "near-tipping";
    /// A posture needs more than the largest torque of a motor.
    OVERLOADED_MOTOR = 695, "overloaded-motor";
    /// Both feet are on the floor and move apart or together, or turn.
    SLIDING_FEET = 696, "sliding-feet";
    /// The balance of a timeline is not checked, because the file has too many frames.
    BALANCE_NOT_CHECKED = 697, "balance-not-checked";
    /// Parts of the robot run into each other.
    SELF_COLLISION = 698, "self-collision";
    /// A behavior's file in the project's folder that the project does not list.
    UNLISTED_FILE = 700, "unlisted-file";
    /// A `boxstep.toml` or baseline that cannot be used.
    BAD_CONFIG = 710, "bad-config";
}

#[cfg(test)]
mod tests {
    use super::CODES;
    use std::collections::HashSet;

    #[test]
    fn numbers_and_names_are_used_once_and_in_range() {
        let mut numbers = HashSet::new();
        let mut names: HashSet<&str> = boxstep_format::CODES.iter().map(|(c, _)| c.name).collect();
        for (code, doc) in CODES {
            assert!((600..800).contains(&code.number), "{code}");
            assert!(numbers.insert(code.number) && names.insert(code.name), "{code} {}", code.name);
            assert!(doc.trim().ends_with('.'), "{code}");
        }
    }
}
