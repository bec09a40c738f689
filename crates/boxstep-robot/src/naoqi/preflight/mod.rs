//! The preflight checks: what to know about a robot before it moves, and which commands would silently do nothing.
//!
//! A robot that rests accepts every command and does nothing; one whose Autonomous Life is on moves by itself in
//! between. [`inspect`] queries the robot and reports each [`Fact`] with a [`Verdict`]; [`prepare`] also refuses to
//! play, or changes what it is permitted to change ([`Permissions`]), and returns the [`Changes`] to restore at the
//! end. The facts are valid for one link: when that is lost, everything is checked [`again`](ReadyState). All waiting
//! is bounded. `docs/reference/preflight.md` has every rule.

mod change;
mod judge;
mod known;
mod observe;
mod overview;
mod requirements;

pub use change::{Changes, PutBack, RestoreOutcome};
pub(super) use known::ReadyState;
pub(super) use observe::{is_queried, kind_of};
pub use overview::{Overview, overview};
pub use requirements::{NeededCall, Requirements};

use boxstep_qi::{Error, Session};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// The subject of a fact, in the order of reporting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The version of NAOqi.
    Version,
    /// The robot's model, compared with the one that the file was made for.
    Body,
    /// The charge of the battery.
    Battery,
    /// The hottest joint, and the robot's own diagnosis.
    Temperature,
    /// Whether the robot is awake.
    Awake,
    /// The stiffness of the joints that the file moves.
    Stiffness,
    /// Autonomous Life.
    Life,
    /// Behaviors of the robot that are running already.
    Behaviors,
    /// The services and methods that the file's scripts call.
    Services,
    /// The language that the robot speaks.
    Voice,
}

impl Topic {
    /// Returns the machine-readable name.
    pub fn id(self) -> &'static str {
        match self {
            Topic::Version => "version",
            Topic::Body => "body",
            Topic::Battery => "battery",
            Topic::Temperature => "temperature",
            Topic::Awake => "awake",
            Topic::Stiffness => "stiffness",
            Topic::Life => "life",
            Topic::Behaviors => "behaviors",
            Topic::Services => "services",
            Topic::Voice => "voice",
        }
    }

    /// Returns the name for users.
    pub fn label(self) -> &'static str {
        match self {
            Topic::Version => "NAOqi",
            Topic::Life => "Autonomous Life",
            other => other.id(),
        }
    }
}

/// The consequence of a fact for playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// A note: unknown, weak, or something that will fail with its own message.
    Told,
    /// Something would silently do nothing: the behavior is not played unless the user insists.
    Refused,
}

impl Verdict {
    /// Returns the machine-readable name.
    pub fn id(self) -> &'static str {
        match self {
            Verdict::Fine => "fine",
            Verdict::Told => "told",
            Verdict::Refused => "refused",
        }
    }
}

/// One fact about the robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The subject.
    pub topic: Topic,
    /// The value, for users: `87 %`; `unknown` if the robot did not answer.
    pub value: String,
    /// The consequence.
    pub verdict: Verdict,
    /// Why it is not fine; if it is unknown, why.
    pub why: Option<String>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Fact {
    fn fine(topic: Topic, value: impl Into<String>) -> Fact {
        Fact { topic, value: value.into(), verdict: Verdict::Fine, why: None, help: None }
    }

    fn note(topic: Topic, value: impl Into<String>, why: impl Into<String>) -> Fact {
        Fact { topic, value: value.into(), verdict: Verdict::Told, why: Some(why.into()), help: None }
    }

    fn refused(topic: Topic, value: impl Into<String>, why: impl Into<String>, help: &str) -> Fact {
        let help = Some(help.to_owned());
        Fact { topic, value: value.into(), verdict: Verdict::Refused, why: Some(why.into()), help }
    }

    fn unknown(topic: Topic, why: String) -> Fact {
        Fact::note(topic, "unknown", why)
    }

    fn help(mut self, help: &str) -> Fact {
        self.help = Some(help.to_owned());
        self
    }
}

impl fmt::Display for Fact {
    /// `battery: 12 % (low: …)`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.topic.label(), self.value)?;
        match &self.why {
            Some(why) => write!(f, " ({why})"),
            None => Ok(()),
        }
    }
}

/// All facts about a robot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The facts, in the order of [`Topic`].
    pub facts: Vec<Fact>,
}

impl Report {
    /// Returns the worst verdict.
    pub fn verdict(&self) -> Verdict {
        self.facts.iter().map(|fact| fact.verdict).max().unwrap_or(Verdict::Fine)
    }

    /// Returns the facts that prevent playing.
    pub fn refused(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.verdict == Verdict::Refused)
    }

    /// Returns the fact about a topic.
    pub fn fact(&self, topic: Topic) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.topic == topic)
    }
}

/// What to do about Autonomous Life while the behavior plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// `--life disabled`: it is switched off, and on again at the end.
    Disabled,
    /// `--life keep`: it stays on.
    Keep,
}

/// The changes that the user permits, and the risks that the user accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Permissions {
    /// `--wake`: wake the robot up; it rests again at the end.
    pub wake: bool,
    /// `--life`
    pub life: Option<Life>,
    /// `--anyway`: refuse nothing.
    pub anyway: bool,
}

/// The timeouts of preflight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For each of the two rounds of queries. 3 s.
    pub asking: Duration,
    /// For each change: waking up takes a NAO some seconds, and Life may have to end something first. 20 s.
    pub changing: Duration,
    /// For a lost link to be restored. 10 s.
    pub coming_back: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let asking = Duration::from_secs(3);
        Patience { asking, changing: Duration::from_secs(20), coming_back: Duration::from_secs(10) }
    }
}

/// Returns the session of the current link, or waits up to this time for a new one.
pub type Reach = Arc<dyn Fn(Duration) -> Result<Session, Error> + Send + Sync>;

/// Queries the robot, and changes nothing.
pub fn inspect(reach: &Reach, needs: &Requirements, permissions: &Permissions, patience: &Patience) -> Report {
    let (seen, _) = observe::observe(reach, needs, patience);
    judge::judge(&seen, needs, permissions, &[])
}

/// The outcome of preparing a robot.
#[derive(Debug)]
pub enum Prepared {
    /// The robot is ready; these changes have to be restored afterwards.
    Ready(Report, Changes),
    /// The robot is not ready: see the refused facts. Changes have been restored, with these outcomes.
    Refused(Report, Vec<PutBack>),
}

/// A step of the preparation.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The robot has been queried.
    Seen(&'a Report),
    /// This is about to be done, and may take seconds.
    Doing(&'a str),
}

/// Queries the robot, and makes it ready as far as the user permits. Nothing is changed if a fact is refused, and a
/// robot that was changed is queried once more.
///
/// `tell` is called at every step. `give_up` is polled while something is waited for; if it returns true, the robot is
/// restored to the state in which it was found.
pub fn prepare(
    reach: &Reach,
    needs: &Requirements,
    permissions: &Permissions,
    patience: &Patience,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> Prepared {
    prepared(reach, needs, permissions, patience, tell, give_up).0
}

/// Like [`prepare`]; also returns the state to check after a reconnect, and the session in which the checks passed.
pub(super) fn prepared(
    reach: &Reach,
    needs: &Requirements,
    permissions: &Permissions,
    patience: &Patience,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> (Prepared, Option<(ReadyState, Session)>) {
    let (seen, session) = observe::observe(reach, needs, patience);
    let report = judge::judge(&seen, needs, permissions, &[]);
    tell(Step::Seen(&report));
    if report.verdict() == Verdict::Refused && !permissions.anyway {
        return (Prepared::Refused(report, Vec::new()), None);
    }
    let known = ReadyState::new(needs, permissions, patience, seen.running().unwrap_or_default());
    let Some(session) = session else {
        // With `--anyway` nothing is refused; without a session nothing can be changed, either.
        return (Prepared::Ready(report, Changes::default()), None);
    };
    let change = change::Change { reach, session, permissions, known: &known, tell, give_up };
    let (prepared, session) = change.make(seen.state(needs), report);
    (prepared, session.map(|session| (known, session)))
}
