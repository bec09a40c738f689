//! What there is to know of a robot before it is moved, and what would silently not work.
//!
//! A robot that sleeps takes every command and does nothing; one whose Autonomous Life is on moves by itself in between. [`look`] asks
//! the robot and tells each [`Fact`] with a [`Verdict`]; [`prepare`] does so, refuses or changes what it may change ([`Leave`]), and
//! gives the [`Changes`] to put back at the end. Nothing waits for ever. `docs/preflight.md` has every rule.

mod change;
mod judge;
mod needs;
mod observe;

pub use change::{Changes, Outcome, PutBack};
pub use needs::{NeededCall, Needs};

use boxstep_qi::Session;
use std::fmt;
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
}

impl Default for Patience {
    fn default() -> Patience {
        Patience { asking: Duration::from_secs(3), changing: Duration::from_secs(20) }
    }
}

/// Asks the robot, and changes nothing.
pub fn look(session: &Session, needs: &Needs, leave: &Leave, patience: &Patience) -> Report {
    let seen = observe::observe(session, needs, patience.asking);
    judge::judge(&seen, needs, leave)
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

/// Asks the robot, and makes it ready as far as the user leaves that to us: nothing is changed if anything is refused.
///
/// `tell` hears of every step. `give_up` is asked again and again while something is waited
/// for; if it says so, the robot is left as it was found.
pub fn prepare(
    session: &Session,
    needs: &Needs,
    leave: &Leave,
    patience: &Patience,
    tell: &mut dyn FnMut(Step<'_>),
    give_up: &dyn Fn() -> bool,
) -> Prepared {
    let seen = observe::observe(session, needs, patience.asking);
    let report = judge::judge(&seen, needs, leave);
    tell(Step::Seen(&report));
    if report.verdict() == Verdict::Refused && !leave.anyway {
        return Prepared::Refused(report, Vec::new());
    }
    change::change(session, needs, leave, patience, seen.state(needs), report, tell, give_up)
}
