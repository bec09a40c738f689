//! What a sentence or event leads to: an answer, or that it is not understood.

use super::Dialog;
use super::answer::Place;
use super::output::{Origin, Output, Piece};
use super::queue::Stimulus;
use super::search::{Hit, Hits};
use crate::matching::RuleRef;
use crate::world::{ServiceCall, World};
use boxstep_trace::DialogEvent;
use boxstep_types::Value;
use smol_str::SmolStr;

impl Dialog {
    pub(super) fn react(&mut self, world: &mut dyn World, stimulus: Stimulus) {
        self.progress.keep();
        self.answers_event = matches!(stimulus, Stimulus::Event(..));
        match &stimulus {
            Stimulus::Sentence(text) => {
                self.silence.ends();
                self.last_input = text.clone();
                world.note(DialogEvent::Heard { text: text.as_str().into() });
                for key in ["Dialog/LastInput", "Dialog/CurrentString"] {
                    self.tell(world, key, text.as_str().into());
                }
                if self.others_hear(world) {
                    self.recent.clear();
                    return self.rest(world);
                }
                let hits = self.search(world, &stimulus);
                self.recent.clear();
                if hits.main.is_none() && hits.beside.is_empty() {
                    self.ask(world, 0);
                } else {
                    self.understood(world, hits);
                }
            }
            Stimulus::Event(..) => {
                let hits = self.search(world, &stimulus);
                if hits.main.is_some() || !hits.beside.is_empty() {
                    self.answer(world, hits);
                }
            }
            Stimulus::Proposal => {
                let Some(topic) = self.focus.or(self.active.first().copied()) else { return };
                let mut out = Output::default();
                let _ = self.say_next_proposal(world, topic, false, &mut out);
                out.focus = Some(topic);
                self.begin(world, out, None, Origin::Asked);
            }
        }
    }

    fn understood(&mut self, world: &mut dyn World, hits: Hits) {
        if hits.fallback {
            self.misses += 1;
            self.raise("Dialog/Fallback");
            self.tell_failure();
        } else {
            self.misses = 0;
        }
        let again = hits.main.as_ref().is_some_and(|hit| self.last_rule == Some(hit.rule));
        self.answer(world, hits);
        if again {
            self.raise("Dialog/SameRule");
        }
    }

    /// Asks a fallback service what to answer to the last sentence; nobody understands it if there is none.
    pub(super) fn ask(&mut self, world: &mut dyn World, fallback: usize) {
        let code = self.code();
        let mut services = self.fallbacks.iter().filter(|(of, _)| Some(*of) == code).map(|(_, service)| service);
        let (Some(service), Some(code)) = (services.nth(fallback), code) else {
            let text = self.last_input.clone();
            return self.not_understood(world, &text);
        };
        let call = ServiceCall {
            service: service.to_string(),
            method: "findOutput".into(),
            arguments: vec![code.into(), self.last_input.as_str().into()],
        };
        let number = self.new_number();
        let mut out = Output::default();
        out.pieces.push(Piece::Ask { number, fallback, call });
        self.begin(world, out, None, Origin::Aside);
    }

    /// Decision: of the events for the first, second and third miss in a row that have a rule, the most special one is
    /// raised; after the third one `Dialog/Failure` comes too, and the count begins anew.
    fn not_understood(&mut self, world: &mut dyn World, text: &SmolStr) {
        self.misses += 1;
        let near = self.near_rules(world, text);
        world.note(DialogEvent::NotUnderstood { text: text.as_str().into(), near });
        self.tell(world, "Dialog/NotUnderstoodEvent", text.as_str().into());
        let keys = ["Dialog/NotUnderstood3", "Dialog/NotUnderstood2", "Dialog/NotUnderstood"];
        let so_far = keys.len() - (self.misses.min(3) as usize);
        if let Some(key) = keys[so_far..].iter().find(|key| self.waits_open(key)) {
            self.raise(key);
        }
        self.tell_failure();
        if self.queue.is_empty() {
            self.silence.begins(world.now());
        }
    }

    fn tell_failure(&mut self) {
        if self.misses >= 3 {
            self.misses = 0;
            self.raise("Dialog/Failure");
        }
    }

    /// Whether an open rule waits for an event.
    fn waits_open(&self, key: &str) -> bool {
        let open = |rule: &RuleRef| {
            let topic = self.loaded(rule.topic).map(|loaded| &loaded.topic);
            topic.and_then(|topic| topic.rules.get(rule.rule as usize)).is_some_and(|of| self.is_open(*rule, of))
        };
        self.index.book.candidates_for_event(key).iter().any(open)
    }

    /// Raises an event of the dialog itself, which is in the robot's memory, too. Decision: answers to events are not told
    /// to rules, or two rules would answer each other for ever.
    pub(super) fn tell(&mut self, world: &mut dyn World, key: &str, value: Value) {
        world.notice(key, value);
        if !self.answers_event {
            self.raise(key);
        }
    }

    /// Raises an event of the dialog itself, which is not in the robot's memory.
    pub(super) fn raise(&mut self, key: &str) {
        if self.waits_for(key) {
            self.queue.add_own(key.into());
        }
    }

    /// Answers with the rules that match.
    fn answer(&mut self, world: &mut dyn World, hits: Hits) {
        let mut out = Output::default();
        for hit in &hits.before {
            self.evaluate_aside(world, hit, &mut out);
        }
        let mut rule = None;
        let mut sayable = true;
        if hits.instead.is_empty() {
            if let Some(hit) = &hits.main {
                rule = Some(hit.rule);
                if self.may_take_focus(hit.rule.topic) {
                    self.reset_for_focus(hit.rule.topic);
                    out.takes = Some(hit.rule.topic);
                }
                sayable = self.evaluate(world, hit, &mut out);
            }
        } else {
            for hit in &hits.instead {
                self.evaluate_aside(world, hit, &mut out);
            }
        }
        for hit in hits.after.iter().chain(&hits.beside) {
            self.evaluate_aside(world, hit, &mut out);
        }
        if !sayable {
            if let Some(rule) = rule.and_then(|rule| self.place(rule)) {
                world.note(DialogEvent::Unsayable { rule });
            }
            self.raise("Dialog/SpeakFailure");
        }
        let origin = if rule.is_some() { Origin::Asked } else { Origin::Aside };
        self.begin(world, out, rule, origin);
    }

    fn note_match(&mut self, world: &mut dyn World, hit: &Hit) {
        let Some(rule) = self.place(hit.rule) else { return };
        self.tell(world, "Dialog/MatchedTopic", Value::Str(rule.topic.clone()));
        self.tell(world, "Dialog/MatchedLine", Value::Int(i64::from(rule.line)));
        self.tell(world, "Dialog/MatchedInput", self.last_input.as_str().into());
        let Hit { found, captures, .. } = hit;
        let (words, wild, captures) =
            (found.literal, found.wild, captures.iter().map(|said| said.as_str().into()).collect());
        world.note(DialogEvent::Matched { rule, words, wild, captures });
    }

    /// Evaluates the answer of a rule; returns whether it can be said.
    pub(super) fn evaluate(&mut self, world: &mut dyn World, hit: &Hit, out: &mut Output) -> bool {
        self.note_match(world, hit);
        let Some(topic) = self.topic(hit.rule.topic) else { return false };
        let Some(rule) = topic.rules.get(hit.rule.rule as usize) else { return false };
        let at = Place::of(hit.rule, &hit.captures);
        for tag in self.tags_of(hit.rule) {
            self.tell(world, "Dialog/Tag", tag.as_str().into());
        }
        self.answering(hit.rule, |dialog| {
            for set in &hit.found.sets {
                if let Ok(text) = dialog.text_of(world, &at, &set.value, out) {
                    let value = super::values::as_value(&text);
                    out.pieces.push(Piece::Set { topic: hit.rule.topic, key: set.key.clone(), value });
                }
            }
            let mark = dialog.mark(out);
            let result = dialog.sequence(world, &at, &rule.output, !out.pieces.is_empty(), out);
            if result.is_err() {
                dialog.back_to(out, &mark);
            }
            result.is_ok()
        })
    }

    /// Evaluates a rule beside the one that answers: focus and open rules stay as they are.
    fn evaluate_aside(&mut self, world: &mut dyn World, hit: &Hit, out: &mut Output) {
        let (landing, stay, focus) = (out.landing, out.stay, out.focus);
        self.evaluate(world, hit, out);
        (out.landing, out.stay, out.focus) = (landing, stay, focus);
    }
}
