//! Descriptions of the parts of a character, for displays and traces.

use crate::model::{As, Compare, Condition, Cooldown, Do, Kind, Range, Strength};
use boxstep_dialog::Pattern;
use boxstep_types::{Time, Value};
use std::fmt::{self, Write as _};

impl Kind {
    /// Returns the word for this kind of behavior: its key in the file.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Priority { .. } => "priority",
            Kind::Selector(_) => "selector",
            Kind::Queue(_) => "queue",
            Kind::Random(_) => "random",
            Kind::Repeat(..) => "repeat",
            Kind::Retry(..) => "retry",
            Kind::Pass { .. } => "pass",
            Kind::Outcome(..) => "outcome",
            Kind::Once(..) => "once",
            Kind::If { .. } => "if",
            Kind::Check(_) => "check",
            Kind::Machine(_) => "states",
            Kind::Sequence { .. } => "sequence",
            Kind::Fallback(_) => "fallback",
            Kind::Parallel { .. } => "parallel",
            Kind::Wait { .. } => "wait",
            Kind::Hear(_) => "hear",
            Kind::Do(what) => what.word(),
            Kind::Script(..) => "script",
            Kind::Native(..) => "native",
        }
    }

    /// Returns the details besides the word: `dance.xar` for a behavior that plays that file, `3 times` for a
    /// repetition; empty if the word says everything.
    pub fn details(&self) -> String {
        let seconds = |seconds: f64, jitter: f64| match jitter {
            0.0 => format!("{seconds} s"),
            _ => format!("{seconds} s ± {jitter} s"),
        };
        let times = |times: &Option<u32>| times.map_or("without end".to_owned(), |times| format!("{times} times"));
        let counts = |counts: &As| match counts {
            As::Opposite => "counts as the opposite",
            As::Done => "counts as done",
            As::Failed => "counts as failed",
        };
        match self {
            Kind::Priority { interrupt, .. } => if *interrupt { "" } else { "does not interrupt" }.into(),
            Kind::Sequence { resume, resume_stopped, .. } => match (*resume, *resume_stopped) {
                (false, false) => "",
                (true, false) => "goes on where it failed",
                (false, true) => "goes on where it was stopped",
                (true, true) => "goes on where it failed or was stopped",
            }
            .into(),
            Kind::Selector(_) | Kind::Queue(_) | Kind::Random(_) | Kind::Fallback(_) | Kind::Machine(_) => {
                String::new()
            }
            Kind::Repeat(_, n) => times(n),
            Kind::Retry(_, n) => times(n),
            Kind::Pass { until, fails, .. } => {
                let until = until.as_ref().map(|until| format!("until {until}")).unwrap_or_default();
                joined(&[&until, if *fails { "fails then" } else { "" }])
            }
            Kind::Outcome(_, as_what) => counts(as_what).into(),
            Kind::Once(_, again) => {
                again.as_ref().map(counts).map(|again| format!("again {again}")).unwrap_or_default()
            }
            Kind::If { test, watch, .. } => joined(&[&test.to_string(), if *watch { "watched" } else { "" }]),
            Kind::Check(test) => test.to_string(),
            Kind::Parallel { success, failure, whole, .. } => {
                let whole = if *whole { "to the end" } else { "" };
                joined(&[&format!("done with {success}"), &format!("failed with {failure}"), whole])
            }
            Kind::Wait { seconds: s, jitter, fails } => {
                joined(&[&seconds(*s, *jitter), if *fails { "fails then" } else { "" }])
            }
            Kind::Hear(pattern) => format!("“{pattern}”"),
            Kind::Do(what) => what.details(),
            Kind::Script(name, args, _) | Kind::Native(name, args) => called(name, args),
        }
    }
}

fn joined(parts: &[&str]) -> String {
    parts.iter().copied().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ")
}

fn called(name: &str, args: &Value) -> String {
    match args {
        Value::Null => name.to_owned(),
        args => format!("{name}({args})"),
    }
}

impl Do {
    fn word(&self) -> &'static str {
        match self {
            Do::Play(..) => "play",
            Do::Talk(_) => "talk",
            Do::Animation(_) => "animation",
            Do::Say(..) => "say",
            Do::Call(..) => "call",
            Do::Script(..) => "script",
            Do::On(_, what) => what.word(),
        }
    }

    fn details(&self) -> String {
        match self {
            Do::Play(name, parameters) => {
                let parameters = parameters.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>();
                joined(&[name, &parameters.join(", ")])
            }
            Do::Talk(name) | Do::Animation(name) => name.to_string(),
            Do::Say(texts, _) => texts.iter().map(|text| format!("“{text}”")).collect::<Vec<_>>().join(" or "),
            Do::Call(service, method, args) => {
                let args = args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                format!("{service}.{method}({args})")
            }
            Do::Script(name, args) => called(name, args),
            Do::On(robot, what) => joined(&[&what.details(), &format!("on {}", robot.name)]),
        }
    }
}

impl Strength {
    /// Returns when a transition may fire, in words.
    pub fn words(self) -> &'static str {
        match self {
            Strength::Once => "at once",
            Strength::End => "at its end",
            Strength::Exit => "as it ends",
        }
    }
}

/// `cools 20 s ± 5 s from its end by the timer talk`
impl fmt::Display for Cooldown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cools {} s", self.seconds)?;
        if self.jitter != 0.0 {
            write!(f, " ± {} s", self.jitter)?;
        }
        write!(f, " from its {}", if self.from_start { "start" } else { "end" })?;
        if let Some(timer) = &self.timer {
            write!(f, " by the timer {timer}")?;
        }
        if self.reset {
            f.write_str(", forgotten with its parent")?;
        }
        Ok(())
    }
}

/// `(memory Battery less 20 or elapsed from 5 s) and not memory Muted`
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let several = |f: &mut fmt::Formatter<'_>, parts: &[Condition], word: &str, none: &str| {
            if parts.is_empty() {
                return f.write_str(none);
            }
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    write!(f, " {word} ")?;
                }
                match part {
                    Condition::All(inner) | Condition::Any(inner) if inner.len() > 1 => write!(f, "({part})")?,
                    _ => write!(f, "{part}")?,
                }
            }
            Ok(())
        };
        match self {
            Condition::Always(always) => write!(f, "{always}"),
            Condition::All(parts) => several(f, parts, "and", "true"),
            Condition::Any(parts) => several(f, parts, "or", "false"),
            Condition::Not(inner) => match &**inner {
                Condition::All(parts) | Condition::Any(parts) if parts.len() > 1 => write!(f, "not ({inner})"),
                _ => write!(f, "not {inner}"),
            },
            Condition::Elapsed(range) => write!(f, "elapsed{}", range_text(*range)),
            Condition::Timer(name, range, unset) => {
                let unset = if *unset { ", or it never began" } else { "" };
                write!(f, "timer {name}{}{unset}", range_text(*range))
            }
            Condition::Became(inner) => write!(f, "became ({inner})"),
            Condition::Dedup(inner, window) => write!(f, "({inner}) not for {} s", window.as_secs_f64()),
            Condition::Memory(key, compares) => write!(f, "memory {key}{}", compares_text(compares)),
            Condition::Event(key, compares) => write!(f, "event {key}{}", compares_text(compares)),
            Condition::Heard(pattern) => f.write_str(&heard_text(pattern)),
            Condition::Free(resource) => write!(f, "free {resource}"),
            Condition::Chance(p, every) if *every == Time::ZERO => write!(f, "chance {p}"),
            Condition::Chance(p, every) => write!(f, "chance {p} each {} s", every.as_secs_f64()),
            Condition::Custom(name, Value::Null) => write!(f, "custom {name}"),
            Condition::Custom(name, args) => write!(f, "custom {name} {args}"),
        }
    }
}

pub(crate) fn heard_text(pattern: &Pattern) -> String {
    format!("heard “{pattern}”")
}

pub(crate) fn range_text(range: Range) -> String {
    let mut text = format!(" from {} s", range.from.as_secs_f64());
    if range.to != Time::MAX {
        // Writing to a string cannot fail.
        let _ = write!(text, " to {} s", range.to.as_secs_f64());
    }
    text
}

pub(crate) fn compares_text(compares: &[Compare]) -> String {
    let one = |compare: &Compare| match compare {
        Compare::Equals(value) => format!(" equals {value}"),
        Compare::NotEquals(value) => format!(" not_equals {value}"),
        Compare::Less(x) => format!(" less {x}"),
        Compare::More(x) => format!(" more {x}"),
        Compare::AtLeast(x) => format!(" at_least {x}"),
        Compare::AtMost(x) => format!(" at_most {x}"),
        Compare::Exists(exists) => format!(" exists {exists}"),
    };
    compares.iter().map(one).collect()
}
