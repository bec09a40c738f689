//! Explains from the recording of a show why a behavior or a box of one of its robots started, and how the show ended:
//! causes lead from one robot to others.

mod delegates;

use super::stopped::{Step, steps_of, stopped, write_steps};
use super::words;
use super::{NoAnswer, why};
use crate::show::STAGE;
use boxstep_trace::{BehaviorPhase, BoxPhase, Chain, Event, Kind, Recording, ShowEvent, ShowHeader};
use boxstep_types::{Time, meant};
use delegates::Guests;
use serde_json::json;
use std::fmt;

/// The maximum number of lines of an answer.
const MOST: usize = 10;

/// Why something in a show is as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Across {
    /// The robot; empty if the answer is about the whole show.
    pub robot: String,
    /// The behavior, or the path of the box; of the whole show its name.
    pub name: String,
    /// When it started; of the whole show, when it ended.
    pub at: Time,
    /// The explanation, in one sentence.
    pub sentence: String,
    /// Further facts: how it ended, and what is missing.
    pub besides: Vec<String>,
    /// The chain of causes, the last one first, across robots.
    pub steps: Vec<Step>,
    /// How many steps of a very long chain are left out before the last of `steps`.
    pub left_out: usize,
}

/// Explains the recording of a show. Without a name it says how the show ended. A name is that of a robot, of a behavior
/// (`answer`), also of a character or of its file, or the path of a box (`answer/root/Say`, or `root/Say` in the behavior
/// that played last), of one robot (`alto:answer`) or of the only one that has it. What acts on another robot is that of
/// the robot whose character wants it. `at` is the last time that counts.
///
/// # Errors
/// [`NoAnswer`].
pub fn across(recording: &Recording, name: Option<&str>, at: Option<Time>) -> Result<Across, NoAnswer> {
    let show = recording.header.as_ref().and_then(|header| header.show.as_deref()).ok_or(NoAnswer::Nothing)?;
    let search = Search { recording, show, guests: Search::guests(recording), until: at.unwrap_or(Time::MAX) };
    match name {
        None => Ok(search.whole()),
        Some(name) => search.part(name),
    }
}

struct Search<'a> {
    recording: &'a Recording,
    show: &'a ShowHeader,
    guests: Guests,
    until: Time,
}

/// Something that a robot does: a behavior or a box, by its full path.
struct Wanted<'a> {
    robot: &'a str,
    name: String,
    /// The event with which it started.
    event: &'a Event,
}

impl<'a> Search<'a> {
    /// Returns the events up to the time in question, starting with the last.
    fn backwards(&self) -> impl Iterator<Item = &'a Event> {
        let (recording, until) = (self.recording, self.until);
        recording.events.iter().rev().filter(move |event| event.t <= until)
    }

    fn robot(&self, event: &Event) -> &'a str {
        self.recording.paths.robot(event.path).map_or("", |robot| &**robot)
    }

    fn account(&self) -> impl Iterator<Item = (&'a Event, &'a str)> {
        self.backwards().filter_map(|event| match &event.kind {
            Kind::Show(told) => match &**told {
                ShowEvent::Account { text, .. } => Some((event, &**text)),
                _ => None,
            },
            _ => None,
        })
    }

    /// Explains how the show ended.
    fn whole(&self) -> Across {
        let name = self.show.name.clone();
        let of_all = self.account().find(|(event, _)| self.robot(event).is_empty());
        let end = self.recording.end().min(self.until);
        let (at, sentence) = match of_all {
            Some((event, text)) => (event.t, format!("{name}, at {} s: {text}", event.t)),
            None => (end, format!("{name} ends at {end} s in this recording, which has no account of the show")),
        };
        let mut besides = self.gaps();
        // The last that the leader knows of each robot, if that is not its ordinary end.
        for robot in &self.show.robots {
            let told = self.account().find(|(event, _)| self.robot(event) == robot.name);
            besides.extend(told.map(|(event, text)| format!("{}, at {} s: {text}", robot.name, event.t)));
        }
        Across { robot: String::new(), name, at, sentence, besides, steps: Vec::new(), left_out: 0 }
    }

    /// Says which recordings are missing or not whole.
    fn gaps(&self) -> Vec<String> {
        let of = |robot: &boxstep_trace::ShowRobot| match robot.runs.as_slice() {
            [] => vec![format!("{}: its recording is missing", robot.name)],
            runs => {
                let faulty = runs.iter().filter(|run| !run.wants.is_empty());
                faulty.map(|run| format!("{}: {}: {}", robot.name, run.file, run.wants)).collect()
            }
        };
        self.show.robots.iter().flat_map(of).collect()
    }

    /// Explains why something of one robot started, and how it ended.
    fn part(&self, name: &str) -> Result<Across, NoAnswer> {
        let found = self.find(name)?;
        let own = self.own(found.robot);
        let chain = self.chain(found.event);
        let mut besides = Vec::new();
        if let Ok(answer) = why(&found.name, &own, Some(self.until).filter(|at| *at != Time::MAX)) {
            let text = answer.to_string();
            let lines = text.lines().filter(|line| !line.is_empty());
            besides.extend(lines.map(|line| format!("{}: {line}", found.robot)));
        } else if let Kind::Behavior { .. } = found.event.kind
            && let Ok(answer) = stopped(&own, Some(&found.name))
        {
            besides.push(format!("{}: {}", found.robot, answer.sentence));
        }
        let sentence =
            format!("{}: {} started at {} s{}", found.robot, found.name, found.event.t, self.because(&chain));
        Ok(Across {
            robot: found.robot.to_owned(),
            name: found.name,
            at: found.event.t,
            sentence,
            besides,
            steps: steps_of(self.recording, &chain.events),
            left_out: chain.left_out,
        })
    }

    /// Returns the recording of one robot alone. Causes in others are not in it.
    fn own(&self, robot: &str) -> Recording {
        let of = |event: &&Event| event.t <= self.until && self.robot(event) == robot;
        Recording {
            header: self.recording.header.clone(),
            events: self.recording.events.iter().filter(of).cloned().collect(),
            paths: self.recording.paths.clone(),
            footer: self.recording.footer.clone().filter(|footer| footer.t <= self.until),
        }
    }

    /// Finds what a name means.
    fn find(&self, name: &str) -> Result<Wanted<'a>, NoAnswer> {
        let robots = || self.show.robots.iter().map(|robot| robot.name.as_str());
        // A robot's name may have a colon itself.
        let of_one =
            robots().find_map(|robot| Some((robot, name.strip_prefix(robot)?.strip_prefix(':')?.trim_start())));
        let mut found: Vec<Wanted<'a>> = match of_one {
            Some((robot, name)) => self.on(robot, Some(name)).into_iter().collect(),
            None if robots().any(|robot| robot == name) => self.on(name, None).into_iter().collect(),
            None => robots().filter_map(|robot| self.on(robot, Some(name))).collect(),
        };
        if found.iter().any(|found| !self.is_guest(found.event)) {
            found.retain(|found| !self.is_guest(found.event));
        }
        match <[Wanted<'a>; 1]>::try_from(found) {
            Ok([one]) => Ok(one),
            Err(none) if none.is_empty() => Err(NoAnswer::NoBehavior(name.to_owned(), self.meant(name))),
            Err(several) => {
                let names = several.iter().map(|one| format!("{}:{name}", one.robot)).collect();
                Err(NoAnswer::Several(name.to_owned(), names))
            }
        }
    }

    /// Suggests a name.
    fn meant(&self, name: &str) -> Option<String> {
        let of = |event: &Event| match &event.kind {
            Kind::Behavior { name, .. } => Some(format!("{}:{name}", self.robot(event))),
            _ => self.delegate(event).map(|name| format!("{}:{name}", self.robot(event))),
        };
        let robots = self.show.robots.iter().map(|robot| robot.name.clone());
        let mut known: Vec<String> = self.backwards().filter_map(of).chain(robots).collect();
        known.sort_unstable();
        known.dedup();
        meant(name, known.iter().map(String::as_str))
    }

    /// Finds the last start of something on a robot; of its last behavior, if there is no name.
    fn on(&self, robot: &str, wanted: Option<&str>) -> Option<Wanted<'a>> {
        let of = || self.backwards().filter(|event| self.robot(event) == robot);
        let path = |event: &Event| self.recording.paths.get(event.path).map(|path| path.to_string());
        let is_at = |event: &Event, wanted: &str| {
            path(event).is_some_and(|path| {
                path.strip_suffix(wanted).is_some_and(|before| before.is_empty() || before.ends_with('/'))
            })
        };
        let started = |event: &'a Event| {
            let (name, counts) = match &event.kind {
                // The stage is an empty behavior beside which those of the show play.
                Kind::Behavior { phase: BehaviorPhase::Started, name } => {
                    (name.to_string(), **name != *STAGE || !self.is_root(event))
                }
                _ => (self.delegate(event)?, self.is_root(event) || self.is_guest(event)),
            };
            let is_wanted = match wanted {
                Some(wanted) => name == wanted || is_at(event, wanted),
                None => counts,
            };
            is_wanted.then(|| Wanted { robot: self.robot(event), name, event })
        };
        if let Some(found) = of().find_map(started) {
            return Some(found);
        }
        let wanted = wanted?;
        if let Some(found) = self.character(robot, wanted) {
            return Some(found);
        }
        let started =
            |event: &&'a Event| matches!(event.kind, Kind::Box { phase: BoxPhase::Starting | BoxPhase::Started });
        let input = |event: &&'a Event| matches!(event.kind, Kind::Input { .. });
        // An input says more than the phase that follows from it.
        let there = || of().filter(|event| is_at(event, wanted));
        let event = there().find(input).or_else(|| there().find(started))?;
        Some(Wanted { robot: self.robot(event), name: path(event).unwrap_or_default(), event })
    }

    /// Says what a chain of causes begins with: the signal of another robot, a scene, or something else.
    fn because(&self, chain: &Chain<'a>) -> String {
        for (index, event) in chain.events.iter().enumerate() {
            if let Some(wanted) = self.wanted_by(event, chain.events.get(index + 1)) {
                return wanted;
            }
            match &event.kind {
                Kind::Show(told) => match &**told {
                    ShowEvent::Got { cue, from, .. } => {
                        let given =
                            chain.events.get(index + 1).map(|given| self.given(given, chain.events.get(index + 2)));
                        let given = given.unwrap_or_else(|| ", whose recording does not have it".to_owned());
                        return format!(" because the signal {cue} came from {from}{given}");
                    }
                    ShowEvent::Scene { scene } => return format!(" because the scene “{scene}” began"),
                    _ => {}
                },
                Kind::Control { .. } if chain.events.len() == index + 1 => {
                    return words::step(&event.kind).map(|text| format!(": {text}")).unwrap_or_default();
                }
                _ => {}
            }
        }
        String::new()
    }

    /// Says when a signal was given, and by what.
    fn given(&self, given: &Event, by: Option<&&Event>) -> String {
        // It is noted a moment after what gave it.
        let at = by.map_or(given.t, |by| by.t);
        let by = by.and_then(|by| {
            let path = self.recording.paths.get(by.path).map(|path| path.to_string());
            match (&by.kind, path) {
                (Kind::Output { port, .. } | Kind::Input { port, .. }, Some(path)) => {
                    Some(format!(" by {path}.{port}"))
                }
                (_, Some(path)) => Some(format!(" by {path}")),
                _ => None,
            }
        });
        format!(", given there at {at} s{}", by.unwrap_or_default())
    }
}

/// Prints at most ten lines: the sentence, further facts, and as much of the chain of causes as there is room for.
impl fmt::Display for Across {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", words::cut(&self.sentence))?;
        let facts = if self.steps.is_empty() { MOST - 1 } else { 3 };
        let many = self.besides.len() > facts;
        let shown = if many { facts - 1 } else { self.besides.len() };
        for line in &self.besides[..shown] {
            writeln!(f, "{}", words::cut(line))?;
        }
        if many {
            writeln!(f, "{} more", self.besides.len() - shown)?;
        }
        let room = MOST - 1 - shown - usize::from(many);
        write_steps(f, &self.steps, self.left_out, room)
    }
}

impl Across {
    /// Returns the explanation as one JSON object with all steps; times are in seconds.
    pub fn json(&self) -> serde_json::Value {
        let steps = self.steps.iter().map(|step| {
            json!({ "n": step.n, "t": step.t.as_secs_f64(), "robot": step.robot, "path": step.path, "line": step.line, "text": step.text })
        });
        json!({
            "schema": 1,
            "robot": self.robot,
            "name": self.name,
            "at": self.at.as_secs_f64(),
            "sentence": self.sentence,
            "besides": self.besides,
            "steps": steps.collect::<Vec<_>>(),
            "left_out": self.left_out,
        })
    }
}
