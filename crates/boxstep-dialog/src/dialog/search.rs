//! Which rule answers a sentence or event.
//!
//! Order ("Focus and priority"): the main section of the focused topic, then those of the other active topics, then
//! the sections behind `recover:`, then topics with `^fallback`. Decisions: the other topics come in the order of their
//! activation. Among the rules of a section a rule without `^lessPriority` comes first; then the rule whose own words
//! and concepts cover more of the sentence; then the one whose wildcards cover less; then the one that needs fewer
//! accents to be ignored; then a `^private` one (files have it behind an open rule with the same input, for the second
//! time it is said); then a sub-rule that is open; then the one that stands first.

use super::Dialog;
use super::facts::View;
use super::queue::Stimulus;
use crate::matching::{Found, RuleRef, Sentence};
use crate::topic::{Rule, RuleKind, Topic};
use crate::world::World;
use smol_str::SmolStr;
use std::cmp::Reverse;

/// A rule that matches.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    pub(super) rule: RuleRef,
    pub(super) found: Found,
    /// What was captured, as it was said.
    pub(super) captures: Vec<SmolStr>,
}

/// All rules that answer.
#[derive(Default)]
pub(super) struct Hits {
    /// The rule that answers.
    pub(super) main: Option<Hit>,
    /// Whether it is one of a fallback topic.
    pub(super) fallback: bool,
    /// Rules of topics that speak before it, instead of it, and after it.
    pub(super) before: Vec<Hit>,
    pub(super) instead: Vec<Hit>,
    pub(super) after: Vec<Hit>,
    /// `l:` rules.
    pub(super) beside: Vec<Hit>,
}

/// Where a rule is looked for; smaller numbers come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    Focused,
    Other,
    Recover,
    Fallback,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    section: Section,
    less_priority: bool,
    literal: Reverse<u32>,
    wild: u32,
    plain: u32,
    not_private: bool,
    not_open: bool,
    activation: usize,
    rule: u32,
}

/// How a topic takes part beside the one that answers.
enum Part {
    Main,
    Before,
    Instead,
    After,
}

impl Dialog {
    /// Finds the rules that answer.
    pub(super) fn search(&mut self, world: &dyn World, stimulus: &Stimulus) -> Hits {
        self.refresh();
        let mut scratch = std::mem::take(&mut self.index.scratch);
        scratch.clear();
        let sentence = match stimulus {
            Stimulus::Sentence(text) => self.index.book.vocabulary.sentence(text),
            _ => Sentence::default(),
        };
        let (event, only) = match stimulus {
            Stimulus::Event(key, only) => (Some(&**key), *only),
            _ => (None, None),
        };
        let candidates = match event {
            Some(key) => self.index.book.candidates_for_event(key).to_vec(),
            None => self.candidates(&sentence),
        };
        let mut hits = Hits::default();
        let mut ranked: Vec<(Section, RuleRef)> = Vec::new();
        let mut rest = Vec::new();
        for at in candidates {
            let Some(loaded) = self.loaded(at.topic) else { continue };
            let is_elsewhere = match (only, event) {
                (Some(only), _) => only != at.topic,
                (None, Some(key)) => world.is_port(&loaded.name, key),
                (None, None) => false,
            };
            if is_elsewhere {
                continue;
            }
            let topic = &loaded.topic;
            let Some(rule) = topic.rules.get(at.rule as usize) else { continue };
            if !self.is_open(at, rule) {
                continue;
            }
            match (part_of(topic), rule.kind) {
                (Part::Main, RuleKind::Beside) => rest.push((at, None)),
                (Part::Main, _) => ranked.push((self.section(at.topic, topic, rule), at)),
                (part, _) => rest.push((at, Some(part))),
            }
        }
        ranked.sort_unstable();
        let mut best: Option<(Rank, Hit)> = None;
        for (section, at) in ranked {
            if best.as_ref().is_some_and(|(rank, _)| rank.section < section) {
                break;
            }
            let Some(found) = self.try_rule(&mut scratch, world, at, &sentence, event, false) else { continue };
            let rank = self.rank(section, at, &found);
            if best.as_ref().is_none_or(|(old, _)| rank < *old) {
                best = Some((rank, self.hit(at, found, &sentence)));
            }
        }
        for (at, part) in rest {
            let Some(found) = self.try_rule(&mut scratch, world, at, &sentence, event, false) else { continue };
            let hit = self.hit(at, found, &sentence);
            let group = match part {
                None => &mut hits.beside,
                Some(Part::Before) => &mut hits.before,
                Some(Part::Instead) => &mut hits.instead,
                Some(Part::After | Part::Main) => &mut hits.after,
            };
            // One answer of a topic.
            match group.iter_mut().find(|other| part.is_some() && other.rule.topic == at.topic) {
                Some(other) if hit.found.literal > other.found.literal => *other = hit,
                Some(_) => {}
                None => group.push(hit),
            }
        }
        self.index.scratch = scratch;
        if let Some((rank, hit)) = best {
            hits.fallback = rank.section == Section::Fallback;
            hits.main = Some(hit);
        }
        hits
    }

    /// Matches one rule, whether it is open or not.
    pub(super) fn try_rule(
        &self,
        scratch: &mut crate::matching::Scratch,
        world: &dyn World,
        at: RuleRef,
        sentence: &Sentence,
        event: Option<&str>,
        lenient: bool,
    ) -> Option<Found> {
        let view = View { dialog: self, world, topic: at.topic, event, lenient };
        let program = self.index.book.program(at)?;
        let found = self.index.book.find(scratch, program, sentence, &view)?;
        // An event is answered only by a rule that names it, and a sentence by one that takes words.
        let answers = if event.is_some() { found.event } else { found.words.0 < found.words.1 };
        answers.then_some(found)
    }

    /// Finds the `c1:` rule below another one that answers the result of its call.
    pub(super) fn search_result(&mut self, world: &dyn World, caller: RuleRef, text: &str) -> Option<Hit> {
        self.refresh();
        let topic = self.topic(caller.topic)?;
        let sentence = self.index.book.vocabulary.sentence(text);
        let mut scratch = std::mem::take(&mut self.index.scratch);
        scratch.clear();
        let mut best: Option<(Rank, Hit)> = None;
        for child in &topic.rules.get(caller.rule as usize)?.children {
            let at = RuleRef { topic: caller.topic, rule: *child as u32 };
            if !matches!(topic.rules[*child].kind, RuleKind::Result(_)) {
                continue;
            }
            let Some(found) = self.try_rule(&mut scratch, world, at, &sentence, None, false) else { continue };
            let rank = self.rank(Section::Focused, at, &found);
            if best.as_ref().is_none_or(|(old, _)| rank < *old) {
                best = Some((rank, self.hit(at, found, &sentence)));
            }
        }
        self.index.scratch = scratch;
        best.map(|(_, hit)| hit)
    }

    pub(super) fn section(&self, number: u32, topic: &Topic, rule: &Rule) -> Section {
        if topic.has("fallback") {
            Section::Fallback
        } else if rule.recover {
            Section::Recover
        } else if self.focus == Some(number) {
            Section::Focused
        } else {
            Section::Other
        }
    }

    pub(super) fn rank(&self, section: Section, at: RuleRef, found: &Found) -> Rank {
        let program = self.index.book.program(at);
        let rule = self.loaded(at.topic).and_then(|loaded| loaded.topic.rules.get(at.rule as usize));
        let sub_rule = rule.is_some_and(|rule| rule.parent.is_some());
        Rank {
            section,
            less_priority: program.is_some_and(|program| program.less_priority),
            literal: Reverse(found.literal),
            wild: found.wild,
            plain: found.plain,
            not_private: !rule.is_some_and(|rule| rule.private),
            not_open: !sub_rule,
            activation: self.active.iter().position(|active| *active == at.topic).unwrap_or(usize::MAX),
            rule: at.rule,
        }
    }

    fn hit(&self, rule: RuleRef, found: Found, sentence: &Sentence) -> Hit {
        let said = |(from, to): &(usize, usize)| sentence.said(*from, *to).into();
        Hit { rule, captures: found.captures.iter().map(said).collect(), found }
    }

    /// Whether a rule can answer a sentence now, if its input matches.
    pub(super) fn is_open(&self, at: RuleRef, rule: &Rule) -> bool {
        self.active.contains(&at.topic)
            && !(rule.private && self.focus != Some(at.topic))
            && match rule.kind {
                RuleKind::User | RuleKind::Beside => true,
                RuleKind::Sub(_) => {
                    rule.parent.is_some() && self.scope == rule.parent.map(|parent| parent_ref(at, parent))
                }
                RuleKind::Result(_) | RuleKind::Failure(_) | RuleKind::Skin | RuleKind::Proposal => false,
            }
    }
}

pub(super) fn parent_ref(at: RuleRef, parent: usize) -> RuleRef {
    RuleRef { topic: at.topic, rule: parent as u32 }
}

/// Whether the rules of a topic speak only beside the one that answers.
pub(super) fn speaks_beside(topic: &Topic) -> bool {
    !matches!(part_of(topic), Part::Main)
}

fn part_of(topic: &Topic) -> Part {
    if topic.has("preprocess") {
        Part::Before
    } else if topic.has("preprocessreplace") {
        Part::Instead
    } else if topic.has("postprocess") {
        Part::After
    } else {
        Part::Main
    }
}
