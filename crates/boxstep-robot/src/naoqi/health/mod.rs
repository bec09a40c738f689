//! The health of a robot: what it needs to be useful again, in words for people who use robots and do not repair them.
//!
//! [`inspect`] queries the robot and returns what it said ([`Seen`]); [`judge()`] returns a [`Finding`] for each subject
//! of which something is known. Nothing is changed, all waiting is bounded, and what a robot does not say is left out.
//! `docs/reference/health.md` has every key, every threshold and its source.

mod judge;
mod motors;
mod observe;
mod read;
mod seen;

pub use judge::judge;
pub use observe::{Patience, inspect};
pub use seen::{Diagnosis, Disk, Joint, Seen};

/// The subject of a finding, in the order of reporting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// What the robot's own diagnosis says of its parts.
    Parts,
    /// Motors: heat, and whether they follow.
    Motors,
    /// The battery.
    Battery,
    /// The space on its disk.
    Disk,
    /// Its clock.
    Clock,
    /// The languages that it speaks and understands.
    Languages,
    /// What protects it when it falls or a part fails.
    Protection,
    /// Its networks.
    Network,
    /// Its NAOqi.
    Version,
}

impl Topic {
    /// Returns the machine-readable name.
    pub fn id(self) -> &'static str {
        match self {
            Topic::Parts => "parts",
            Topic::Motors => "motors",
            Topic::Battery => "battery",
            Topic::Disk => "disk",
            Topic::Clock => "clock",
            Topic::Languages => "languages",
            Topic::Protection => "protection",
            Topic::Network => "network",
            Topic::Version => "version",
        }
    }

    /// Returns the name for users.
    pub fn label(self) -> &'static str {
        match self {
            Topic::Version => "NAOqi",
            other => other.id(),
        }
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// As it should be.
    Good,
    /// It is not known, and could be.
    Unknown,
    /// It works, and somebody should look at it.
    Look,
    /// Something does not work.
    Broken,
}

impl Severity {
    /// Returns the machine-readable name, which is also the word for users.
    pub fn id(self) -> &'static str {
        match self {
            Severity::Good => "good",
            Severity::Unknown => "unknown",
            Severity::Look => "look",
            Severity::Broken => "broken",
        }
    }
}

/// What is found about one subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The subject.
    pub topic: Topic,
    /// How bad it is.
    pub severity: Severity,
    /// What is found: `87 %, 24.1 V`.
    pub value: String,
    /// Why it is not good.
    pub why: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Finding {
    fn good(topic: Topic, value: impl Into<String>) -> Finding {
        Finding { topic, severity: Severity::Good, value: value.into(), why: None, help: None }
    }

    fn bad(topic: Topic, severity: Severity, value: impl Into<String>, why: impl Into<String>, help: &str) -> Finding {
        Finding { topic, severity, value: value.into(), why: Some(why.into()), help: Some(help.to_owned()) }
    }
}
