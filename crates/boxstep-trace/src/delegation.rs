//! What happens to behaviors of a runner (`docs/reference/runner.md`), and what those of characters tell of themselves.

use crate::serial::{is_default, pairs};
use crate::words::{Request, YesNo};
use boxstep_types::Value;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Something that happened to a behavior of a runner; without a box, to the runner itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Delegation {
    /// What.
    #[serde(flatten)]
    pub event: DelegationEvent,
    /// The behavior's name, if the last step of its path is another one: `idle/4` in `companion/idle/4`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<Arc<str>>,
    /// Of a behavior that the version that plays does not have, or has another one in the place of: its number, which no
    /// other one of the runner has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier: Option<u32>,
}

/// What happened to a behavior of a runner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum DelegationEvent {
    /// It comes into scope, which takes time.
    Entering,
    /// It is in scope.
    Entered,
    /// It has control.
    Activated {
        /// By which delegation.
        #[serde(default, skip_serializing_if = "is_default")]
        ticket: u64,
    },
    /// It has given control to others, side by side.
    Delegated {
        /// To whom.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Arc<str>>,
        /// The delegation to the first; those to the others count from there.
        #[serde(default, skip_serializing_if = "is_default")]
        ticket: u64,
    },
    /// It is to have control when others have wound down.
    Waits {
        /// By which delegation.
        #[serde(default, skip_serializing_if = "is_default")]
        ticket: u64,
    },
    /// It has asked for something that it does not get.
    Refused {
        /// What.
        request: Request,
        /// Whom that was about.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Arc<str>>,
        /// Why not.
        why: Arc<str>,
    },
    /// Its delegation has ended.
    Ended {
        /// Which.
        #[serde(default, skip_serializing_if = "is_default")]
        ticket: u64,
        /// How.
        #[serde(flatten)]
        end: DelegationEnd,
    },
    /// It ends, and is activated again by the same delegation.
    Restarts {
        /// Which.
        #[serde(default, skip_serializing_if = "is_default")]
        ticket: u64,
    },
    /// It winds down, which takes time.
    Stopping,
    /// It does not have control any more.
    Deactivated,
    /// It was not settled in time, and counts as settled.
    Forced,
    /// It leaves scope, which takes time.
    Leaving,
    /// It has left scope.
    Left,
    /// Control went round in no time.
    Livelock {
        /// The last two that had it.
        #[serde(default)]
        to: Vec<Arc<str>>,
        /// In words.
        #[serde(default)]
        why: Arc<str>,
    },
    /// The runner has stopped.
    Stopped,
    /// Who is in the character.
    Plan {
        /// By name.
        value: Plan,
    },
    /// Whether it wants to run.
    Wants {
        /// The answer.
        how: YesNo,
        /// By whom it is silenced.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<Arc<str>>,
        /// What its condition has found.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<ConditionResult>,
    },
    /// What it watches while it runs.
    Watches {
        /// What that has found.
        #[serde(default)]
        value: Vec<ConditionResult>,
    },
    /// It has asked a child whether that wants to run.
    Asked {
        /// Which.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Arc<str>>,
        /// The answer.
        how: YesNo,
        /// Why not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<Arc<str>>,
    },
    /// It does not choose a child for some time.
    Cools {
        /// Which.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Arc<str>>,
        /// How long.
        value: CooldownEvent,
    },
    /// A named timer begins.
    Timer {
        /// Which.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<Arc<str>>,
    },
}

/// How a delegation ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum DelegationEnd {
    /// As it was meant.
    Done {
        /// With what.
        #[serde(default)]
        value: Value,
    },
    /// It did not get where it was to get.
    Failed {
        /// Why.
        #[serde(default)]
        why: Arc<str>,
    },
    /// Control was taken away.
    Cancelled {
        /// By whom.
        #[serde(default)]
        why: Arc<str>,
    },
}

/// Who is in a character, by name and in its order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Plan(
    #[serde(with = "pairs")]
    #[cfg_attr(feature = "schema", schemars(with = "std::collections::BTreeMap<String, PlanEntry>"))]
    pub Vec<(Arc<str>, PlanEntry)>,
);

/// A behavior of a character.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanEntry {
    /// The key that it has in the file, e.g. `sequence`.
    #[serde(default)]
    pub is: Arc<str>,
    /// Its children.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<Arc<str>>,
    /// The resources that it claims.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Arc<str>>,
}

/// A part of a condition, with what it has found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConditionResult {
    /// What it is about, e.g. `memory Battery less 20`.
    pub what: String,
    /// What it found, e.g. `is 35`; empty if there is nothing to say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// Is it true?
    pub holds: bool,
    /// What that follows from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<ConditionResult>,
}

/// Writes a line for each part; a part is indented by two more spaces than the part that it belongs to.
impl fmt::Display for ConditionResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines(f, 0)
    }
}

impl ConditionResult {
    fn lines(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let found = if self.found.is_empty() { String::new() } else { format!(" ({})", self.found) };
        writeln!(f, "{:depth$}{}: {}{found}", "", self.what, YesNo::from(self.holds))?;
        self.parts.iter().try_for_each(|part| part.lines(f, depth + 2))
    }
}

/// For how long a child is not chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CooldownEvent {
    /// Seconds.
    #[serde(default)]
    pub seconds: f64,
    /// The named timer that counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<Arc<str>>,
    /// It is forgotten with its parent.
    #[serde(default, skip_serializing_if = "is_default")]
    pub reset: bool,
}

impl From<DelegationEvent> for Delegation {
    fn from(event: DelegationEvent) -> Self {
        Self { event, name: None, earlier: None }
    }
}
