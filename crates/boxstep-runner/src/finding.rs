//! What is wrong with a character: what, where, and what to do.

use crate::tree::Place;
use boxstep_types::{Code, Diagnostic, FileId, Severity, Span};
use std::fmt;
use std::sync::Arc;

macro_rules! rules {
    ($($(#[doc = $doc:literal])+ $rule:ident = $number:literal $name:literal $severity:ident;)*) => {
        /// What a finding is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Rule {
            $($(#[doc = $doc])+ $rule,)*
        }

        impl Rule {
            /// Its stable code.
            pub fn code(self) -> Code {
                match self {
                    $(Rule::$rule => Code::new($number, $name),)*
                }
            }

            /// How bad it is.
            pub fn severity(self) -> Severity {
                match self {
                    $(Rule::$rule => Severity::$severity,)*
                }
            }
        }

        /// Every code of this crate, with what it is about.
        pub const CODES: &[(Code, &str)] = &[$((Code::new($number, $name), concat!($($doc),+))),*];
    };
}

rules! {
    /// The text is not YAML or JSON, or has a construct of YAML that means nothing here.
    NotYaml = 750 "character-not-yaml" Error;
    /// The text is larger, deeper or has more parts than is read.
    TooMuch = 751 "character-too-large" Error;
    /// There is no such key here.
    UnknownKey = 752 "character-unknown-key" Error;
    /// A key that is needed is missing.
    Missing = 753 "character-missing-key" Error;
    /// A value is of the wrong type, or not one of those that are allowed.
    WrongType = 754 "character-wrong-value" Error;
    /// No behavior, state, parameter, native action or custom condition has this name.
    UnknownName = 755 "character-unknown-name" Error;
    /// Two behaviors have one name, or a map has a key twice.
    Duplicate = 756 "character-duplicate-name" Error;
    /// A behavior is its own descendant.
    Ring = 757 "character-ring" Error;
    /// No way leads to a behavior from the root.
    Unreachable = 758 "character-unreachable-behavior" Error;
    /// Two behaviors that run side by side claim one resource.
    Contended = 759 "character-contended-resource" Error;
    /// No transition leads to a state.
    DeadState = 760 "character-unreachable-state" Error;
    /// A state cannot be left: its transitions wait for the end of a behavior that never ends.
    StuckState = 761 "character-stuck-state" Warning;
    /// A behavior never gets its turn: one before it in its list never ends, or always wants to run.
    NeverRuns = 762 "character-never-runs" Warning;
    /// A transition never fires: another one that stands before it always does.
    ShadowedTransition = 763 "character-shadowed-transition" Warning;
    /// A behavior silences another one that is never silent by it: itself, or one on the way to it.
    SilencesItself = 764 "character-silences-itself" Error;
    /// Something of a behavior tree has no equivalent in the character that was made of it.
    NotCarried = 765 "import-not-carried" Warning;
    /// A leaf or a condition of a behavior tree that the character still has to say something of.
    Slot = 766 "import-slot" Note;
    /// A file is no behavior tree that a character could be made of.
    NotTree = 767 "import-not-behavior-tree" Error;
    /// A behavior that a leaf plays has errors itself.
    FaultyBehavior = 780 "character-faulty-behavior" Error;
    /// The simulated robot has no such animation.
    UnknownAnimation = 781 "character-unknown-animation" Warning;
    /// A name that only a program can bind that runs the character: of a Python class, a native action, a condition.
    NotBound = 782 "character-not-bound" Warning;
}

/// Something that is wrong with a character.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What it is about.
    pub rule: Rule,
    /// The file's name.
    pub file: Arc<str>,
    /// Where it stands in the file.
    pub at: Place,
    /// The way there: the names from the root behavior, or the keys from the file's beginning.
    pub way: Vec<Arc<str>>,
    /// One sentence.
    pub message: String,
    /// What to do.
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

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.rule.severity()
    }

    /// As every other room tells what it has found.
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

/// A way that is longer than anybody reads without its middle.
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
