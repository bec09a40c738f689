//! What there is to know of a robot before it is moved, and what would silently not work.
//!
//! A robot that sleeps takes every command and does nothing; one whose Autonomous Life is on moves by itself in between. [`look`] asks
//! the robot and tells each [`Fact`] with a [`Verdict`]; [`prepare`] does so, refuses or changes what it may change ([`Leave`]), and
//! gives the [`Changes`] to put back at the end. What is known of a robot is known over one link: when that is lost, all is asked
//! [`again`](Known). Nothing waits for ever. `docs/preflight.md` has every rule.

mod change;
mod judge;
mod known;
mod needs;
mod observe;

pub use change::{Changes, PutBack, RestoreOutcome};
pub(super) use known::Known;
pub use needs::{NeededCall, Needs};
pub(super) use observe::asks;

use boxstep_qi::{Error, Session};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a fact is about, in the order in which they are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The version of NAOqi.
    Version,
    /// Which robot it is, against what the file was made for.
    Body,
    /// The charge of the battery.
    Battery,
    /// The hottest joint, and what the robot makes of it.
    Temperature,
    /// Whether it is awake.
    Awake,
    /// The stiffness of the joints that the file moves.
    Stiffness,
    /// Autonomous Life.
    Life,
    /// Behaviors that run already.
    Behaviors,
    /// The services and methods that the file's scripts call.
    Services,
    /// The language it speaks.
    Voice,
}

impl Topic {
    /// The word that programs read.
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

    /// The word that people read.
    pub fn label(self) -> &'static str {
        match self {
            Topic::Version => "NAOqi",
            Topic::Life => "Autonomous Life",
            other => other.id(),
        }
    }
}

/// What a fact means for playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// As it should be.
    Fine,
    /// Good to know: unknown, weak, or it will fail with words of its own.
    Told,
    /// Something would silently not work: nothing is played unless the user leaves it.
    Refused,
}

impl Verdict {
    /// The word for it.
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
    /// What it is about.
    pub topic: Topic,
    /// How it is, for people: `87 %`; `unknown` if the robot did not say.
    pub value: String,
    /// What it means.
    pub verdict: Verdict,
    /// Why it is not fine; for unknown ones why it is not known.
    pub why: Option<String>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fact {
    fn fine(topic: Topic, value: impl Into<String>) -> Fact {
        Fact { topic, value: value.into(), verdict: Verdict::Fine, why: None, help: None }
    }

    fn told(topic: Topic, value: impl Into<String>, why: impl Into<String>) -> Fact {
        Fact { topic, value: value.into(), verdict: Verdict::Told, why: Some(why.into()), help: None }
    }

    fn refused(topic: Topic, value: impl Into<String>, why: impl Into<String>, help: &str) -> Fact {
        let help = Some(help.to_owned());
        Fact { topic, value: value.into(), verdict: Verdict::Refused, why: Some(why.into()), help }
    }

    fn unknown(topic: Topic, why: String) -> Fact {
        Fact::told(topic, "unknown", why)
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
    /// In the order of [`Topic`].
    pub facts: Vec<Fact>,
}

impl Report {
    /// The worst of the verdicts.
    pub fn verdict(&self) -> Verdict {
        self.facts.iter().map(|fact| fact.verdict).max().unwrap_or(Verdict::Fine)
    }

    /// The facts for which nothing is played.
    pub fn refused(&self) -> impl Iterator<Item = &Fact> {
        self.facts.iter().filter(|fact| fact.verdict == Verdict::Refused)
    }

    /// The fact about this.
    pub fn fact(&self, topic: Topic) -> Option<&Fact> {
        self.facts.iter().find(|fact| fact.topic == topic)
    }
}

/// What is to become of Autonomous Life while the behavior plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// `--life disabled`: it is switched off, and on again at the end.
    Disabled,
    /// `--life keep`: it goes on.
    Keep,
}

/// What the user leaves to us, or takes upon himself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Leave {
    /// `--wake`: wake the robot up; it rests again at the end.
    pub wake: bool,
    /// `--life`
    pub life: Option<Life>,
    /// `--anyway`: refuse nothing.
    pub anyway: bool,
}

/// How long a robot may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// For each of the two rounds of questions. 3 s.
    pub asking: Duration,
    /// For each change: waking up takes a NAO some seconds, and Life may have to end something first. 20 s.
    pub changing: Duration,
    /// For a link that was lost to come back. 10 s.
    pub coming_back: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let asking = Duration::from_secs(3);
        Patience { asking, changing: Duration::from_secs(20), coming_back: Duration::from_secs(10) }
    }
}

/// The link to a robot as it is now: the one that there is, or, when that is lost, another one, waited for so long.
pub type Reach = Arc<dyn Fn(Duration) -> Result<Session, Error> + Send + Sync>;

/// Asks the robot, and changes nothing.
pub fn look(reach: &Reach, needs: &Needs, leave: &Leave, patience: &Patience) -> Report {
    let (seen, _) = observe::observe(reach, needs, patience);
    judge::judge(&seen, needs, leave, &[])
}

/// What came of preparing a robot.
#[derive(Debug)]
pub enum Prepared {
    /// It may be played on, and these changes are to be put back afterwards.
    Ready(Report, Changes),
    /// It may not: see the facts that are refused. What had been changed was put back, as it says.
    Refused(Report, Vec<PutBack>),
}

/// What preparing a robot comes to on its way.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// The robot has been asked.
    Seen(&'a Report),
    /// This is about to be done, and may take seconds.
    Doing(&'a str),
}

/// Asks the robot, and makes it ready as far as the user leaves that to us: nothing is changed if anything is refused, and a robot that
/// was changed is asked once more.
///
/// `tell` hears of every step. `give_up` is asked again and again while something is waited
/// for; if it says so, the robot is left as it was found.
pub fn prepare(
    reach: &Reach,
    needs: &Needs,
    leave: &Leave,
    patience: &Patience,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> Prepared {
    prepared(reach, needs, leave, patience, tell, give_up).0
}

/// [`prepare`], and over which link what is known.
pub(super) fn prepared(
    reach: &Reach,
    needs: &Needs,
    leave: &Leave,
    patience: &Patience,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> (Prepared, Option<(Known, Session)>) {
    let (seen, session) = observe::observe(reach, needs, patience);
    let report = judge::judge(&seen, needs, leave, &[]);
    tell(Step::Seen(&report));
    if report.verdict() == Verdict::Refused && !leave.anyway {
        return (Prepared::Refused(report, Vec::new()), None);
    }
    let known = Known::new(needs, leave, patience, seen.running().unwrap_or_default());
    let Some(session) = session else {
        // Nothing that could refuse it: there is nothing to change, either.
        return (Prepared::Ready(report, Changes::default()), None);
    };
    let change = change::Change { reach, session, leave, known: &known, tell, give_up };
    let (prepared, session) = change.make(seen.state(needs), report);
    (prepared, session.map(|session| (known, session)))
}
