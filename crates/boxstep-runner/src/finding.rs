//! Findings: what is wrong with a character, where, and what to do.

use crate::tree::Place;
use boxstep_types::{Code, Diagnostic, FileId, Severity, Span};
use std::fmt;
use std::sync::Arc;

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident = $number:literal $name:literal $severity:ident;)*) => {
        /// The rule that a finding is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
        }

        impl Rule {
            /// Returns the rule's stable code.
            pub fn code(self) -> Code {
                match self {
                    $(Rule::$rule => Code::new($number, $name),)*
                }
            }

            /// Returns the severity of the rule's findings.
            pub fn severity(self) -> Severity {
                match self {
                    $(Rule::$rule => Severity::$severity,)*
                }
            }
        }

        /// The codes of this crate, each with its description.
        pub const CODES: &[(Code, &str)] = &[$((Code::new($number, $name), concat!($($doc),+))),*];
    };
}

rules! {
    /// The text is not YAML or JSON, or has a construct of YAML that means nothing here.
    NotYaml = 750 "character-not-yaml" Error;
    /// The text is too large, too deeply nested, or has too many parts.
    TooMuch = 751 "character-too-large" Error;
    /// A map has an unknown key.
    UnknownKey = 752 "character-unknown-key" Error;
    /// A required key is missing.
    Missing = 753 "character-missing-key" Error;
    /// A value has the wrong type, or is not an allowed one.
    WrongType = 754 "character-wrong-value" Error;
    /// No behavior, state, parameter, native action or custom condition has this name.
    UnknownName = 755 "character-unknown-name" Error;
    /// Two behaviors have the same name, or a map has a key twice.
    Duplicate = 756 "character-duplicate-name" Error;
    /// A behavior is its own descendant.
    Ring = 757 "character-ring" Error;
    /// No chain of children leads from the root to a behavior.
    Unreachable = 758 "character-unreachable-behavior" Error;
    /// Two behaviors that run side by side claim the same resource.
    Contended = 759 "character-contended-resource" Error;
    /// No transition leads to a state.
    DeadState = 760 "character-unreachable-state" Error;
    /// A state cannot be left: its transitions wait for the end of a behavior that never ends.
    StuckState = 761 "character-stuck-state" Warning;
    /// A behavior never runs: one before it in its list never ends, or always wants to run.
    NeverRuns = 762 "character-never-runs" Warning;
    /// A transition never fires: one before it always does.
    ShadowedTransition = 763 "character-shadowed-transition" Warning;
    /// A behavior silences itself, or a behavior that must run for it to run.
    SilencesItself = 764 "character-silences-itself" Error;
    /// A part of a behavior tree has no equivalent in the imported character.
    NotCarried = 765 "import-not-carried" Warning;
    /// A leaf or a condition of a behavior tree that the character has yet to define.
    Slot = 766 "import-slot" Note;
    /// A file is not a behavior tree that can be imported.
    NotTree = 767 "import-not-behavior-tree" Error;
    /// A behavior that a leaf plays has errors of its own.
    FaultyBehavior = 780 "character-faulty-behavior" Error;
    /// The simulated robot has no such animation.
    UnknownAnimation = 781 "character-unknown-animation" Warning;
    /// Only a program that runs the character can bind this name: of a Python class, a native action, or a condition.
    NotBound = 782 "character-not-bound" Warning;
}

/// A problem of a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The rule that it is about.
    pub rule: Rule,
    /// The file's name.
    pub file: Arc<str>,
    /// The position in the file.
    pub at: Place,
    /// The path to it: the names of behaviors from the root, or the keys from the file's beginning.
    pub way: Vec<Arc<str>>,
    /// The message: one sentence.
    pub message: String,
    /// A hint what to do.
    pub help: Option<String>,
}

impl Finding {
    pub(crate) fn new(rule: Rule, at: Place, message: impl Into<String>) -> Self {
        Self { rule, file: "".into(), at, way: Vec::new(), message: message.into(), help: None }
    }

    pub(crate) fn way(mut self, way: &[Arc<str>]) -> Self {
        self.way = way.to_vec();
        self
    }

    pub(crate) fn help(mut self, help: Option<String>) -> Self {
        self.help = help;
        self
    }

    /// Returns the severity of the finding.
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// Converts the finding to the diagnostic that all crates share.
    pub fn diagnostic(&self, file: FileId) -> Diagnostic {
        let message = match self.way.is_empty() {
            true => self.message.clone(),
            false => format!("{}: {}", shown(&self.way), self.message),
        };
        let new = match self.severity() {
            Severity::Error => Diagnostic::error,
            Severity::Warning => Diagnostic::warning,
            Severity::Note => Diagnostic::note,
        };
        let told = new(self.rule.code(), message).at(Span { file, start: self.at.start, end: self.at.end });
        match &self.help {
            Some(help) => told.help(help.clone()),
            None => told,
        }
    }
}

/// Formats a path, and leaves out the middle of a long one.
fn shown(way: &[Arc<str>]) -> String {
    const ENDS: usize = 5;
    const MOST: usize = 16;
    if way.len() <= MOST {
        return way.join(" → ");
    }
    let (first, last) = (&way[..ENDS], &way[way.len() - ENDS..]);
    format!("{} → … {} more … → {}", first.join(" → "), way.len() - 2 * ENDS, last.join(" → "))
}

/// `file:line:col: error BS0752 …: way: message; help`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, Place { line, col, .. }) = (self.rule.code(), self.at);
        write!(f, "{}:{line}:{col}: ", self.file)?;
        write!(f, "{} {code} {}: ", self.severity(), code.name)?;
        if !self.way.is_empty() {
            write!(f, "{}: ", shown(&self.way))?;
        }
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Finding {}
