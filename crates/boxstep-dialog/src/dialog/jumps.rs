//! Other rules that an answer leads to: by tags, proposals, topics.

use super::Dialog;
use super::answer::Place;
use super::output::{Invalid, Output, Piece, Valid};
use super::progress::Cursor;
use crate::matching::RuleRef;
use crate::topic::RuleKind;
use crate::world::World;
use smol_str::SmolStr;

impl Dialog {
    /// The first proposal of a topic that was not said, and none of whose tags is off.
    pub(super) fn next_proposal(&self, topic: u32) -> Option<RuleRef> {
        self.proposals(topic).into_iter().find(|rule| self.is_sayable(*rule))
    }

    fn proposals(&self, topic: u32) -> Vec<RuleRef> {
        let Some(loaded) = self.loaded(topic) else { return Vec::new() };
        let rules = loaded.topic.rules.iter().enumerate().filter(|(_, rule)| rule.kind == RuleKind::Proposal);
        rules.map(|(n, _)| RuleRef { topic, rule: n as u32 }).collect()
    }

    fn is_sayable(&self, rule: RuleRef) -> bool {
        self.progress.get(&Cursor::Used(rule)) == 0
            && self.tags_of(rule).iter().all(|tag| !self.is_off(rule.topic, tag))
    }

    /// The tags in the answer of a rule.
    pub(super) fn tags_of(&self, rule: RuleRef) -> Vec<SmolStr> {
        let Some(loaded) = self.loaded(rule.topic) else { return Vec::new() };
        let Some(rule) = loaded.topic.rules.get(rule.rule as usize) else { return Vec::new() };
        rule.tags().cloned().collect()
    }

    /// The rule whose answer has a tag; a proposal that was not said comes before one that was.
    pub(super) fn rule_with_tag(&self, topic: u32, tag: &str) -> Option<RuleRef> {
        let tag = tag.trim_start_matches('%');
        let count = self.loaded(topic)?.topic.rules.len();
        let all = (0..count as u32).map(|rule| RuleRef { topic, rule });
        let tagged: Vec<_> = all.filter(|rule| self.tags_of(*rule).iter().any(|name| &**name == tag)).collect();
        tagged.iter().find(|rule| self.progress.get(&Cursor::Used(**rule)) == 0).or(tagged.first()).copied()
    }

    /// Counts the work of looking through the rules of a topic.
    fn look_through(&self, world: &mut dyn World, topic: u32, out: &mut Output) -> Valid {
        let rules = self.loaded(topic).map_or(0, |loaded| loaded.topic.rules.len());
        self.work(world, out, rules / 16)
    }

    pub(super) fn goto(
        &mut self,
        world: &mut dyn World,
        topic: u32,
        tag: &str,
        again: bool,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        self.look_through(world, topic, out)?;
        let Some(rule) = self.rule_with_tag(topic, tag) else {
            let name = self.name_of(topic);
            self.warn(world, format!("the topic `{name}` has no tag `{tag}`"));
            return Err(Invalid);
        };
        if again {
            self.progress.set(Cursor::Used(rule), 0);
            out.pieces.push(Piece::Break);
        } else if self.progress.get(&Cursor::Used(rule)) > 0 {
            // A proposal that was said already.
            return Err(Invalid);
        }
        self.inline(world, rule, spaced, out)
    }

    /// Says the answer of another rule at this place; its sub-rules are open then.
    pub(super) fn inline(&mut self, world: &mut dyn World, rule: RuleRef, spaced: bool, out: &mut Output) -> Valid {
        self.look_through(world, rule.topic, out)?;
        let Some(topic) = self.topic(rule.topic) else { return Err(Invalid) };
        let Some(of) = topic.rules.get(rule.rule as usize) else { return Err(Invalid) };
        if of.kind == RuleKind::Proposal {
            self.progress.set(Cursor::Used(rule), 1);
            let place = self.proposals(rule.topic).iter().position(|other| *other == rule).unwrap_or(0);
            self.progress.set(Cursor::LastProposal(rule.topic), place as u32 + 1);
        }
        out.landing = Some(rule);
        let at = Place::of(rule, &[]);
        self.answering(rule, |dialog| {
            dialog.deeper(world, out, |dialog, world, out| dialog.sequence(world, &at, &of.output, spaced, out))
        })
    }

    pub(super) fn say_next_proposal(
        &mut self,
        world: &mut dyn World,
        topic: u32,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        self.look_through(world, topic, out)?;
        for rule in self.proposals(topic) {
            if self.is_sayable(rule) {
                let mark = self.mark(out);
                if self.inline(world, rule, spaced, out).is_ok() {
                    return Ok(());
                }
                self.back_to(out, &mark);
            }
        }
        out.nothing_to_say = true;
        Ok(())
    }

    /// Says the last proposal again, or one before it.
    pub(super) fn say_proposal_again(
        &mut self,
        world: &mut dyn World,
        topic: u32,
        back: u32,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let last = self.progress.get(&Cursor::LastProposal(topic)).checked_sub(1 + back);
        let rule = last.and_then(|last| self.proposals(topic).get(last as usize).copied());
        match rule {
            Some(rule) => self.inline(world, rule, spaced, out),
            None => Err(Invalid),
        }
    }

    pub(super) fn say_random_proposal(
        &mut self,
        world: &mut dyn World,
        topics: &[u32],
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let mut left: Vec<RuleRef> = topics.iter().flat_map(|topic| self.proposals(*topic)).collect();
        left.retain(|rule| self.is_sayable(*rule));
        while !left.is_empty() {
            let rule = left.remove(world.random(left.len()));
            let mark = self.mark(out);
            if self.inline(world, rule, spaced, out).is_ok() {
                return Ok(());
            }
            self.back_to(out, &mark);
        }
        out.nothing_to_say = true;
        Ok(())
    }

    /// `^topicRandom`: the first proposal of another active topic that may be picked.
    pub(super) fn say_topic_at_random(
        &mut self,
        world: &mut dyn World,
        from: u32,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let may_be_picked = |number: &u32| {
            let nopick = self.loaded(*number).is_some_and(|loaded| loaded.topic.has("nopick"));
            *number != from && !nopick && self.next_proposal(*number).is_some()
        };
        let topics: Vec<u32> = self.active.iter().copied().filter(may_be_picked).collect();
        if topics.is_empty() {
            out.nothing_to_say = true;
            return Ok(());
        }
        let topic = topics[world.random(topics.len())];
        out.focus = Some(topic);
        self.say_next_proposal(world, topic, spaced, out)
    }
}
