//! The codes of this crate's diagnostics. A number is never used again for something else.

use boxstep_types::Code;

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $id:ident = $number:literal, $name:literal;)*) => {
        $($(#[doc = $doc])+ pub const $id: Code = Code::new($number, $name);)*

        /// Every code of this crate with one line of explanation.
        pub const CODES: &[(Code, &str)] = &[$(($id, concat!($($doc),+))),*];
    };
}

codes! {
    /// A link names a box or port that is not there.
    DANGLING_LINK = 600, "dangling-link";
    /// A link begins where signals only arrive, or ends where they only come from.
    WRONG_WAY_LINK = 601, "wrong-way-link";
    /// A link joins ports whose types do not fit; the value is passed on as it is.
    TYPE_MISMATCH = 602, "type-mismatch";
    /// Two links join the same two ports, so every signal arrives twice.
    DOUBLE_LINK = 603, "double-link";
    /// A link begins or ends at a port that can carry no signal there.
    SILENT_LINK = 604, "silent-link";
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
    /// An attached file is not in the behavior's folder.
    MISSING_ATTACHMENT = 640, "missing-attachment";
    /// A dialog box's file is not there.
    MISSING_DIALOG = 641, "missing-dialog";
    /// A path leads out of the project.
    PATH_ESCAPES = 642, "path-leaves-project";
    /// A script in a language that is not run.
    SCRIPT_LANGUAGE = 650, "script-language";
    /// Keys of a curve do not follow each other in time.
    KEY_ORDER = 660, "key-order";
    /// A timeline that never ends by itself.
    ENDLESS_TIMELINE = 661, "endless-timeline";
    /// Two curves of a timeline move one joint.
    SHARED_JOINT = 662, "shared-joint";
    /// A keyframe or key that the timeline never reaches.
    NEVER_REACHED = 663, "never-reached";
    /// Two keyframes of a layer begin at one frame.
    SHARED_FRAME = 664, "shared-frame";
    /// A number of frames per second at which nothing moves.
    BAD_FPS = 665, "bad-fps";
    /// A flow diagram with curves or several keyframes: without a clock they do not play.
    IDLE_TIMELINE = 666, "idle-timeline";
    /// A memory input without the name of a memory key.
    NO_MEMORY_KEY = 670, "no-memory-key";
    /// A box asks for one resource twice.
    SHARED_RESOURCE = 671, "shared-resource";
    /// The resources of a box have different modes or timeouts, although they are taken as one.
    MIXED_RESOURCES = 672, "mixed-resources";
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
