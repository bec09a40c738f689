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
    /// A bracket or quotation mark of a topic is not closed, closes nothing, or stands beside a letter.
    UNBALANCED = 900, "topic-unbalanced";
    /// A line of a topic that is no header and no rule, or has something else than belongs there; or a name that is given
    /// twice.
    NOT_A_RULE = 901, "topic-syntax";
    /// A sub-rule (`u1:`, `c1:` …) without a rule that it belongs to.
    NO_PARENT = 902, "sub-rule-without-parent";
    /// A function that QiChat does not have, or that means nothing at this place or with these brackets.
    UNKNOWN_FUNCTION = 903, "unknown-function";
    /// A concept that nothing defines: a rule with it never matches, an answer with it is not said. Or one that an answer
    /// changes, and that is not dynamic.
    UNKNOWN_CONCEPT = 904, "unknown-concept";
    /// A tag that is used and never set, or not where `^goto` finds it; or a topic that is named and not there.
    UNKNOWN_TAG = 905, "unknown-tag";
    /// A rule that never answers, because an earlier one matches all that it matches.
    SHADOWED = 906, "shadowed-rule";
    /// A rule or item that can never match, a condition that is never true, or an answer or concept that leads back to
    /// itself.
    NEVER_MATCHES = 907, "never-matches";
    /// Only optional items where words are needed, as in `[{x}]`: on a robot such an input always matches.
    ALWAYS_MATCHES = 908, "always-matches";
    /// A proposal that nothing asks for.
    UNUSED_PROPOSAL = 909, "unused-proposal";
    /// A topic sets or awaits a misspelled port of its dialog box, or leaves one of its outputs unset.
    NO_SUCH_OUTPUT = 910, "no-such-output";
    /// Typographic, full-width or invisible signs, which the robot's dialog engine does not accept.
    TYPOGRAPHIC = 911, "typographic-signs";
    /// A function or header that is not documented, or that only other systems have.
    UNDOCUMENTED = 912, "undocumented-qichat";
    /// A topic that is included and is not there.
    NO_INCLUDE = 913, "missing-include";
    /// `$1` in an answer whose rule does not capture so often: the answer is not said.
    NO_CAPTURE = 914, "no-capture";
}
