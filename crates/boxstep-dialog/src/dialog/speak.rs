//! Takes what is heard in its order, and speaks one sentence after the other.

use super::Dialog;
use super::answer::Place;
use super::output::{Caller, Effect, Finally, LONGEST_TEXT, Origin, Output, Piece, SkinStep, WordPlace, compose};
use super::queue::Stimulus;
use super::search::Hit;
use super::values::as_text;
use crate::matching::RuleRef;
use crate::topic::RuleKind;
use crate::words;
use crate::world::World;
use boxstep_trace::DialogEvent;
use boxstep_types::Value;
use smol_str::SmolStr;
use std::collections::{BTreeMap, VecDeque};

/// How many sentences and events are answered at one instant. More are a circle: an answer that raises the event that
/// it answers.
const MOST_AT_ONCE: usize = 200;

/// How many results of calls an answer takes in.
const MOST_RESULTS: usize = 1_000;

/// An answer that is being given.
pub(super) struct Speaking {
    pieces: VecDeque<Piece>,
    sentence: Vec<Piece>,
    scripts: BTreeMap<u64, String>,
    stage: Stage,
    said: Vec<String>,
    /// How many calls have returned.
    results: usize,
}

enum Stage {
    /// The next sentence begins.
    Next,
    /// These calls have not returned; the caller is that of a `^call`.
    Calls(BTreeMap<u64, Option<Caller>>),
    /// The sentence of this number is being said.
    Saying(u64),
}

impl Dialog {
    /// Hears a sentence. While the robot speaks it waits until the robot has finished.
    pub fn hear(&mut self, world: &mut dyn World, text: &str) {
        self.queue.add(Stimulus::Sentence(text.trim().into()));
        self.pump(world);
    }

    /// Takes an event, if a rule waits for it. Its value is a variable of the same name.
    pub fn event(&mut self, world: &mut dyn World, key: &str) {
        self.refresh();
        self.recent.insert(key.into());
        if !self.waits_for(key) {
            return;
        }
        if self.queue.blocking.contains(key) && self.speaking.take().is_some() {
            world.stop_speaking();
        }
        self.queue.add_event(world.now(), key.into(), None);
        self.pump(world);
    }

    /// Takes an event that only the rules of one topic can answer: an input of its dialog box was stimulated.
    pub fn event_of_topic(&mut self, world: &mut dyn World, topic: &str, key: &str) {
        self.refresh();
        let Some(number) = self.number_of(topic) else { return };
        self.recent.insert(key.into());
        if self.index.book.candidates_for_event(key).iter().any(|rule| rule.topic == number) {
            self.queue.add_event(world.now(), key.into(), Some(number));
            self.pump(world);
        }
    }

    /// Says the next proposal of the focused topic.
    pub fn force_output(&mut self, world: &mut dyn World) {
        self.queue.add(Stimulus::Proposal);
        self.pump(world);
    }

    /// A sentence was said, or cut off.
    pub fn said(&mut self, world: &mut dyn World, number: u64) {
        let is_said = |speaking: &Speaking| matches!(speaking.stage, Stage::Saying(now) if now == number);
        if self.speaking.as_ref().is_some_and(is_said) {
            self.finish_sentence(world);
            self.pump(world);
        }
    }

    /// A call or script has returned its value, or failed.
    pub fn returned(&mut self, world: &mut dyn World, number: u64, result: Result<Value, String>) {
        let Some(speaking) = &mut self.speaking else { return };
        let Stage::Calls(open) = &mut speaking.stage else { return };
        let Some(caller) = open.remove(&number) else { return };
        match caller {
            None => {
                let text = match &result {
                    Ok(value) => as_text(value),
                    Err(_) => String::new(),
                };
                let silent = text.trim().is_empty();
                speaking.scripts.insert(number, text);
                let asked = speaking.sentence.iter().find_map(|piece| match piece {
                    Piece::Ask { number: of, fallback, .. } if *of == number => Some(*fallback),
                    _ => None,
                });
                if let Err(why) = result {
                    let of = if asked.is_some() { "fallback service" } else { "script of an answer" };
                    self.warn(world, format!("the {of} failed: {why}"));
                }
                if let Some(fallback) = asked.filter(|_| silent) {
                    self.ask(world, fallback + 1);
                }
            }
            Some(caller) => {
                let call = speaking.sentence.iter().find_map(|piece| match piece {
                    Piece::Call { number: of, call, .. } if *of == number => Some(call.to_string()),
                    _ => None,
                });
                self.take_result(world, caller, &call.unwrap_or_default(), result);
            }
        }
        self.pump(world);
    }

    /// Goes on with what waits, until something takes time.
    pub(super) fn pump(&mut self, world: &mut dyn World) {
        for _ in 0..MOST_AT_ONCE {
            while self.speaking.is_some() {
                if !self.advance(world) {
                    return;
                }
            }
            let others = self.others_hear(world);
            if others {
                self.rests_until.take_if(|at| *at <= world.now());
            } else if self.queue.is_empty() {
                self.rests_until = None;
            }
            if others && !self.queue.is_empty() && world.others_speak() {
                self.rest(world);
            }
            if self.rests_until.is_some() && !self.queue.has_event() {
                return;
            }
            let mut missed = Vec::new();
            let next = self.queue.next(world.now(), &mut missed);
            for key in missed {
                world.note(DialogEvent::Missed { key: key.as_str().into() });
            }
            let Some(stimulus) = next else { return };
            self.react(world, stimulus);
        }
        // The answer that was begun last is not said, either: it would lead on.
        if !self.queue.is_empty() || self.speaking.take().is_some() {
            self.queue.clear();
            self.speaking = None;
            self.silence.begins(world.now());
            self.warn(world, "answers lead to each other in a circle: what waited is dropped");
        }
    }

    /// Says the answer of a rule that was asked for from outside.
    pub(super) fn say_rule(&mut self, world: &mut dyn World, rule: RuleRef, origin: Origin) {
        let mut out = Output::default();
        let mark = self.mark(&out);
        if self.inline(world, rule, false, &mut out).is_err() {
            self.back_to(&mut out, &mark);
        }
        out.landing = None;
        self.begin(world, out, Some(rule), origin);
    }

    /// Begins to give an answer: open rules and focus change now.
    pub(super) fn begin(&mut self, world: &mut dyn World, mut out: Output, rule: Option<RuleRef>, origin: Origin) {
        self.progress.keep();
        out.end();
        if origin == Origin::Asked {
            let landing = out.landing.or(rule);
            if let Some(landing) = landing {
                self.last_rule = rule.or(Some(landing));
                if !out.stay {
                    self.set_scope(world, Some(landing));
                }
            }
            if let Some(topic) = out.focus.or(landing.map(|rule| rule.topic)) {
                self.change_focus(world, topic);
            }
        }
        if out.nothing_to_say {
            world.notice("Dialog/NothingToSay", Value::Int(1));
            self.raise("Dialog/NothingToSay");
        }
        let speaking = Speaking {
            pieces: out.pieces.into(),
            sentence: Vec::new(),
            scripts: BTreeMap::new(),
            stage: Stage::Next,
            said: Vec::new(),
            results: 0,
        };
        // An answer that was asked for from outside follows the one that is being given.
        match &mut self.speaking {
            Some(present) => {
                present.pieces.push_back(Piece::Break);
                present.pieces.extend(speaking.pieces);
            }
            None => self.speaking = Some(speaking),
        }
    }

    /// Gives the focus to the topic that answers, unless it or the focused one has a say in that.
    fn change_focus(&mut self, world: &mut dyn World, topic: u32) {
        if self.may_take_focus(topic) {
            self.set_focus_to(world, Some(topic));
        } else if self.stays(topic) {
            self.raise("Dialog/Fallback");
        }
    }

    pub(super) fn stays(&self, topic: u32) -> bool {
        !self.loaded(topic).is_some_and(|loaded| loaded.topic.has("nostay"))
    }

    pub(super) fn may_take_focus(&self, topic: u32) -> bool {
        self.stays(topic) && !self.keeps_focus(topic)
    }

    /// Whether another topic has the focus and keeps it.
    fn keeps_focus(&self, topic: u32) -> bool {
        let other = self.focus.filter(|focus| *focus != topic).and_then(|focus| self.loaded(focus));
        other.is_some_and(|loaded| loaded.topic.has("keepfocus"))
    }

    /// Takes the next step of an answer; returns whether another one can follow at once.
    fn advance(&mut self, world: &mut dyn World) -> bool {
        let Some(mut speaking) = self.speaking.take() else { return false };
        match &speaking.stage {
            Stage::Saying(_) => {
                self.speaking = Some(speaking);
                false
            }
            Stage::Calls(open) if !open.is_empty() => {
                self.speaking = Some(speaking);
                false
            }
            Stage::Calls(_) => {
                self.say_sentence(world, speaking);
                true
            }
            Stage::Next => {
                if speaking.pieces.is_empty() {
                    self.end_answer(world, speaking);
                    return true;
                }
                let mut sentence = Vec::new();
                while let Some(piece) = speaking.pieces.pop_front() {
                    match piece {
                        Piece::Break => break,
                        Piece::SpokenCall { .. } if !sentence.is_empty() => {
                            speaking.pieces.push_front(piece);
                            break;
                        }
                        Piece::SpokenCall { number, call, caller } => {
                            sentence.push(Piece::Call { number, call, caller });
                            break;
                        }
                        piece => sentence.push(piece),
                    }
                }
                let open = self.begin_pieces(world, &sentence);
                speaking.sentence = sentence;
                speaking.stage = Stage::Calls(open);
                self.speaking = Some(speaking);
                true
            }
        }
    }

    /// Does what a sentence begins with, and makes its calls; returns those that will return.
    fn begin_pieces(&mut self, world: &mut dyn World, pieces: &[Piece]) -> BTreeMap<u64, Option<Caller>> {
        let mut open = BTreeMap::new();
        for piece in pieces {
            match piece {
                Piece::Do(effect) => self.carry_out(world, effect),
                Piece::Call { number, call, caller } => {
                    open.insert(*number, Some(*caller));
                    world.call(Some(*number), call);
                }
                Piece::Ask { number, call, .. } => {
                    open.insert(*number, None);
                    world.call(Some(*number), call);
                }
                Piece::Script { number, text, .. } => {
                    open.insert(*number, None);
                    world.run_script(*number, text);
                }
                _ => {}
            }
        }
        open
    }

    /// Adds what a `c1:` or `e1:` rule says of the result of a call.
    fn take_result(&mut self, world: &mut dyn World, caller: Caller, call: &str, result: Result<Value, String>) {
        if let Some(speaking) = &mut self.speaking {
            speaking.results += 1;
            if speaking.results > MOST_RESULTS {
                self.warn(world, "the results of calls lead to calls in a circle");
                return;
            }
        }
        let Caller { rule: caller, has_results } = caller;
        let text = match &result {
            Ok(value) => as_text(value),
            Err(why) => {
                self.answering(caller, |dialog| dialog.warn(world, format!("{call} failed: {why}")));
                String::new()
            }
        };
        if !has_results {
            return;
        }
        let hit = if text.is_empty() { self.failure_rule(caller) } else { self.search_result(world, caller, &text) };
        let Some(hit) = hit else { return };
        let mut out = Output::default();
        self.progress.keep();
        let spaced = Piece::Text { text: String::new(), spaced: true, plain: false };
        out.pieces.push(spaced);
        if self.evaluate(world, &hit, &mut out) && !out.stay {
            self.set_scope(world, Some(out.landing.unwrap_or(hit.rule)));
        }
        self.progress.keep();
        out.end();
        let more = self.begin_pieces(world, &out.pieces);
        if let Some(speaking) = &mut self.speaking {
            speaking.sentence.append(&mut out.pieces);
            if let Stage::Calls(open) = &mut speaking.stage {
                open.extend(more);
            }
        }
    }

    fn failure_rule(&self, caller: RuleRef) -> Option<Hit> {
        let topic = &self.loaded(caller.topic)?.topic;
        let children = &topic.rules.get(caller.rule as usize)?.children;
        let rule = children.iter().find(|child| matches!(topic.rules[**child].kind, RuleKind::Failure(_)))?;
        let found = crate::matching::Found::nothing();
        Some(Hit { rule: RuleRef { topic: caller.topic, rule: *rule as u32 }, found, captures: Vec::new() })
    }

    fn say_sentence(&mut self, world: &mut dyn World, mut speaking: Speaking) {
        let mut composed = compose(&speaking.sentence, &speaking.scripts);
        if !composed.is_empty() {
            self.apply_skins(world, &mut composed.annotated, &mut composed.plain);
        }
        if composed.is_empty() {
            self.speaking = Some(speaking);
            self.finish_sentence(world);
            return;
        }
        let plain = composed.plain.trim().to_owned();
        let number = self.new_number();
        if !plain.is_empty() {
            world.note(DialogEvent::Answer { text: plain.as_str().into() });
            speaking.said.push(plain);
        }
        speaking.stage = Stage::Saying(number);
        self.speaking = Some(speaking);
        world.say(number, composed.annotated.trim());
    }

    /// A sentence was said: what it sets is set now.
    fn finish_sentence(&mut self, world: &mut dyn World) {
        let Some(speaking) = &mut self.speaking else { return };
        speaking.stage = Stage::Next;
        for piece in std::mem::take(&mut speaking.sentence) {
            match piece {
                Piece::Set { topic, key, value } => {
                    world.note(DialogEvent::Variable { key: key.as_str().into(), value: value.clone() });
                    self.set_variable(world, topic, &key, value);
                    self.recent.insert(key.clone());
                    if self.waits_for(&key) {
                        // A port is not a key of the memory: its event stays in the topic.
                        let only = world.is_port(&self.name_of(topic), &key).then_some(topic);
                        self.queue.add_event(world.now(), key, only);
                    }
                }
                Piece::Finally(Finally::ReleaseFocus) => {
                    self.set_scope(world, None);
                    self.set_focus_to(world, None);
                }
                Piece::Finally(Finally::StartBehavior(name)) => {
                    self.queue.clear();
                    world.start_behavior(&name);
                }
                _ => {}
            }
        }
    }

    fn end_answer(&mut self, world: &mut dyn World, speaking: Speaking) {
        let said = speaking.said.join(" ");
        if !said.is_empty() {
            for key in ["Dialog/LastAnswer", "Dialog/Answered"] {
                self.tell(world, key, Value::from(said.as_str()));
            }
        }
        self.silence.begins(world.now());
        self.rest(world);
        if self.push && !said.is_empty() && self.queue.is_empty() {
            let topic = self.focus.or(self.active.first().copied());
            if topic.and_then(|topic| self.next_proposal(topic)).is_some() {
                self.queue.add(Stimulus::Proposal);
            }
        }
    }

    fn carry_out(&mut self, world: &mut dyn World, effect: &Effect) {
        let language = self.language().to_owned();
        match effect {
            Effect::Call(call) => world.call(None, call),
            Effect::Tag { topic, tag, on } => self.set_tag_of(*topic, tag, *on),
            Effect::AddToConcept(name, word) => {
                let mut words = self.concept(name, &language);
                if !words.iter().any(|other| **other == **word) {
                    words.push(word.as_str().into());
                }
                self.set_concept(name, &language, words);
            }
            Effect::RemoveFromConcept(name, word) => {
                let mut words = self.concept(name, &language);
                words.retain(|other| !other.eq_ignore_ascii_case(word));
                self.set_concept(name, &language, words);
            }
            Effect::ClearConcept(name) => self.set_concept(name, &language, Vec::new()),
            Effect::Clear { topic, key } => self.clear_variable(world, *topic, key),
            Effect::SetUserData(key, value) => self.set_user_data(key, value.clone()),
            Effect::RemoveUserData(key) => {
                let user = self.users.present.unwrap_or(0);
                self.users.data.remove(&(user, key.clone()));
            }
            Effect::AddKnowledge(triple) => self.knowledge.add(triple.clone()),
            Effect::UpdateKnowledge(triple) => self.knowledge.update(triple.clone()),
            Effect::RemoveKnowledge(triple) => self.knowledge.remove(triple),
        }
    }

    /// Lets the `s:` rules of active topics change what is said.
    fn apply_skins(&mut self, world: &mut dyn World, annotated: &mut String, plain: &mut String) {
        self.refresh();
        let sentence = self.index.book.vocabulary.sentence(plain);
        let mut scratch = std::mem::take(&mut self.index.scratch);
        scratch.clear();
        let mut skins = Vec::new();
        for at in self.candidates(&sentence) {
            let Some(topic) = self.topic(at.topic) else { continue };
            let is_skin = topic.rules.get(at.rule as usize).is_some_and(|rule| rule.kind == RuleKind::Skin);
            if is_skin
                && self.active.contains(&at.topic)
                && self.try_rule(&mut scratch, world, at, &sentence, None, false).is_some()
            {
                skins.push(at);
            }
        }
        self.index.scratch = scratch;
        for at in skins {
            let Some(topic) = self.topic(at.topic) else { continue };
            let mut out = Output::default();
            let Some(rule) = topic.rules.get(at.rule as usize) else { continue };
            let place = Place::of(at, &[]);
            if self.answering(at, |dialog| dialog.sequence(world, &place, &rule.output, false, &mut out)).is_err() {
                continue;
            }
            for piece in out.pieces {
                if let Piece::Skin(step) = piece {
                    if world.random(1_000_000) as f64 >= probability(&step) * 1_000_000.0 {
                        continue;
                    }
                    for text in [&mut *annotated, &mut *plain] {
                        let changed = change(text, &step);
                        if changed.len() <= LONGEST_TEXT.max(text.len()) {
                            *text = changed;
                        }
                    }
                }
            }
        }
    }
}

fn probability(step: &SkinStep) -> f64 {
    match step {
        SkinStep::Replace { probability, .. } | SkinStep::AddWord { probability, .. } => *probability,
    }
}

/// Changes a text as a skin says.
fn change(text: &str, step: &SkinStep) -> String {
    let heard = words::words(text);
    match step {
        SkinStep::AddWord { word, place, .. } => {
            let at = match place {
                WordPlace::Start => 0,
                WordPlace::End => usize::MAX,
                WordPlace::Before(n) => *n,
            };
            match heard.get(at) {
                Some(before) => format!("{}{word} {}", &text[..before.place.start], &text[before.place.start..]),
                None if text.is_empty() => word.clone(),
                None => format!("{text} {word}"),
            }
        }
        SkinStep::Replace { from, to, .. } => {
            let from: Vec<SmolStr> = words::words(from).into_iter().map(|heard| heard.word).collect();
            let mut changed = String::new();
            let mut copied = 0;
            let mut n = 0;
            while !from.is_empty() && n + from.len() <= heard.len() {
                let same = heard[n..n + from.len()].iter().map(|heard| &heard.word).eq(from.iter());
                if same {
                    changed.push_str(&text[copied..heard[n].place.start]);
                    changed.push_str(to);
                    copied = heard[n + from.len() - 1].place.end;
                    n += from.len();
                } else {
                    n += 1;
                }
            }
            changed.push_str(&text[copied..]);
            changed
        }
    }
}
