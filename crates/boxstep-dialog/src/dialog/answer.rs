//! Evaluates what stands behind the input of a rule.

use super::output::{Invalid, LONGEST_TEXT, Output, Piece, Valid};
use super::progress::Cursor;
use super::values::{as_text, as_value, compare};
use super::{Dialog, FOCUS, FOCUS_DESCRIPTION};
use crate::matching::RuleRef;
use crate::topic::{Condition, Item, ItemKind};
use crate::world::World;
use boxstep_types::Value;
use smol_str::SmolStr;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rules, functions and concepts that name each other go this deep.
const DEEPEST: u32 = 24;

/// The most items of a concept that are said.
pub(super) const MOST_ITEMS: usize = 20_000;

/// Where items are evaluated.
#[derive(Clone)]
pub(super) struct Place {
    /// The rule that answers.
    pub(super) rule: RuleRef,
    /// The topic whose text the items are: cycles belong to it.
    pub(super) source: u32,
    pub(super) captures: Arc<[SmolStr]>,
    /// The values of a function's parameters.
    pub(super) parameters: Arc<BTreeMap<SmolStr, String>>,
}

impl Place {
    pub(super) fn of(rule: RuleRef, captures: &[SmolStr]) -> Self {
        Self { rule, source: rule.topic, captures: captures.into(), parameters: Arc::default() }
    }

    /// What was captured as `$1`, `$2` …. Decision: a capture of no words, such as `_{nice}`, has no value.
    fn captured(&self, number: usize) -> Option<&SmolStr> {
        self.captures.get(number.wrapping_sub(1)).filter(|said| !said.is_empty())
    }
}

impl Dialog {
    /// Evaluates items one after the other; `spaced` tells whether a blank stands before the first.
    pub(super) fn sequence(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        items: &[Item],
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        for (n, item) in items.iter().enumerate() {
            let spaced = if n == 0 { spaced } else { item.spaced };
            self.item(world, at, item, spaced, out)?;
        }
        Ok(())
    }

    /// Evaluates one level deeper.
    pub(super) fn deeper(
        &mut self,
        world: &mut dyn World,
        out: &mut Output,
        evaluate: impl FnOnce(&mut Self, &mut dyn World, &mut Output) -> Valid,
    ) -> Valid {
        if out.depth >= DEEPEST {
            self.warn(world, "rules, functions or concepts lead to each other in a circle");
            return Err(Invalid);
        }
        out.depth += 1;
        let result = evaluate(self, world, out);
        out.depth -= 1;
        result
    }

    /// Counts the work of an answer: functions that name each other may lead to an answer without end.
    pub(super) fn work(&self, world: &mut dyn World, out: &mut Output, work: usize) -> Valid {
        let before = out.works(0);
        if out.works(work) {
            return Ok(());
        }
        if before {
            self.warn(world, "the answer is too long, or its functions lead to each other too often");
        }
        Err(Invalid)
    }

    fn item(&mut self, world: &mut dyn World, at: &Place, item: &Item, spaced: bool, out: &mut Output) -> Valid {
        let looks = matches!(item.kind, ItemKind::Variable(_) | ItemKind::Condition(_) | ItemKind::Call(_));
        // What the answer has set so far is looked through.
        let work = if looks { out.pieces.len() / 256 } else { 0 };
        self.work(world, out, 1 + work)?;
        match &item.kind {
            ItemKind::Text(text) => {
                out.pieces.push(Piece::Text { text: text.to_string(), spaced, plain: true });
                Ok(())
            }
            ItemKind::Phrase(items) => self.sequence(world, at, items, spaced, out),
            ItemKind::Choice(items) => {
                let cursor = Cursor::Choice(at.source, item.span.start);
                let alternatives: Vec<_> = items.iter().map(|item| (at.source, item.clone())).collect();
                self.cycle(world, at, cursor, &alternatives, spaced, out)
            }
            ItemKind::Optional(items) => {
                // One of the items or nothing, each as likely as the others.
                let chosen = world.random(items.len() + 1);
                if let Some(item) = items.get(chosen) {
                    let _ = self.attempt(world, at, item, spaced, out);
                }
                Ok(())
            }
            ItemKind::Concept(name) => self.say_concept(world, at, name, spaced, out),
            ItemKind::Captured(number) => match at.captured(*number) {
                Some(said) => {
                    self.work(world, out, said.len() / 16)?;
                    out.pieces.push(Piece::Text { text: said.to_string(), spaced, plain: false });
                    Ok(())
                }
                None => Err(Invalid),
            },
            ItemKind::Variable(key) => {
                let text = as_text(&self.value_of(world, at, key, out).ok_or(Invalid)?);
                self.work(world, out, text.len() / 16)?;
                out.pieces.push(Piece::Text { text, spaced, plain: false });
                Ok(())
            }
            ItemKind::Condition(condition) => self.condition(world, at, condition, out),
            ItemKind::Assign(key, value) => {
                let text = self.text_of(world, at, value, out)?;
                let (topic, key) = (at.rule.topic, key.clone());
                out.pieces.push(Piece::Set { topic, key, value: as_value(&text) });
                Ok(())
            }
            ItemKind::Tag(name) => {
                if self.is_off(at.rule.topic, name) {
                    Err(Invalid)
                } else {
                    Ok(())
                }
            }
            ItemKind::Call(call) => self.function(world, at, call, spaced, out),
            ItemKind::Voice(text) => {
                out.pieces.push(Piece::Annotation { text: format!("\\{text}\\"), spaced });
                Ok(())
            }
            ItemKind::Script(text) => {
                let number = self.new_number();
                out.pieces.push(Piece::Script { number, text: text.clone(), spaced });
                Ok(())
            }
            // The parser reads these as words where something is said.
            ItemKind::Any | ItemKind::Not(_) | ItemKind::Capture(_) | ItemKind::Event(_) => Ok(()),
        }
    }

    /// Evaluates an alternative; takes everything back if it is invalid.
    pub(super) fn attempt(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        item: &Item,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let mark = self.mark(out);
        let result = self.item(world, at, item, spaced, out);
        if result.is_err() {
            self.back_to(out, &mark);
        }
        result
    }

    /// Says the next valid alternative; the cycle goes on behind it.
    fn cycle(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        cursor: Cursor,
        alternatives: &[(u32, Item)],
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let count = alternatives.len();
        let first = self.progress.get(&cursor) as usize;
        for n in 0..count {
            let n = (first + n) % count;
            let (source, item) = &alternatives[n];
            let at = Place { source: *source, ..at.clone() };
            if self.attempt(world, &at, item, spaced, out).is_ok() {
                self.progress.set(cursor, (n as u32 + 1) % count as u32);
                return Ok(());
            }
        }
        Err(Invalid)
    }

    fn say_concept(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        name: &SmolStr,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let items = self.concept_items(name, MOST_ITEMS);
        self.work(world, out, items.len())?;
        self.deeper(world, out, |dialog, world, out| {
            let before = out.pieces.len();
            let result = dialog.cycle(world, at, Cursor::Concept(name.clone()), &items, spaced, out);
            // A concept's words are none of the answer's own.
            for piece in out.pieces.iter_mut().skip(before) {
                if let Piece::Text { plain, .. } = piece {
                    *plain = false;
                }
            }
            result
        })
    }

    /// The items of a concept, those of concepts in it one by one; and the topic in which each stands.
    pub(super) fn concept_items(&self, name: &SmolStr, most: usize) -> Vec<(u32, Item)> {
        let mut found = Vec::new();
        let (mut path, mut left) = (vec![name.clone()], most);
        self.add_concept_items(name, &mut path, &mut left, &mut found);
        found
    }

    /// `path` has the concepts that lead here, `left` how many more items may be looked at.
    fn add_concept_items(
        &self,
        name: &SmolStr,
        path: &mut Vec<SmolStr>,
        left: &mut usize,
        found: &mut Vec<(u32, Item)>,
    ) {
        if path.len() > DEEPEST as usize {
            return;
        }
        if let Some(words) = self.code().and_then(|code| self.dynamic.get(&(code, name.clone()))) {
            let items = super::as_items(&words[..words.len().min(*left)]);
            *left -= items.len();
            found.extend(items.into_iter().map(|item| (u32::MAX, item)));
            return;
        }
        let Some((topic, items)) = self.index.concepts.get(name) else { return };
        for item in items.iter() {
            let Some(rest) = left.checked_sub(1) else { return };
            *left = rest;
            match &item.kind {
                ItemKind::Concept(inner) if path.contains(inner) => {}
                ItemKind::Concept(inner) => {
                    path.push(inner.clone());
                    self.add_concept_items(inner, path, left, found);
                    path.pop();
                }
                _ => found.push((*topic, item.clone())),
            }
        }
    }

    fn condition(&mut self, world: &mut dyn World, at: &Place, condition: &Condition, out: &mut Output) -> Valid {
        let value = self.value_of(world, at, &condition.subject, out);
        let with = self.text_of(world, at, &condition.value, out).ok();
        if compare(value.as_ref(), condition.comparison, with.as_deref()) { Ok(()) } else { Err(Invalid) }
    }

    /// The value of a variable, parameter or capture; one that this answer has set already counts.
    pub(super) fn value_of(&self, world: &dyn World, at: &Place, key: &str, out: &Output) -> Option<Value> {
        if let Some(value) = at.parameters.get(key) {
            return Some(Value::from(value.as_str()));
        }
        if let Ok(number) = key.parse::<usize>() {
            return at.captured(number).map(|said| Value::from(said.as_str()));
        }
        let set = |value: &Value| *value != Value::Null && value.as_str() != Some("");
        match out.pending(key) {
            Some(value) => Some(value.clone()).filter(set),
            None => match self.focus_of_answer(key, out) {
                Some(value) => Some(value).filter(set),
                None => self.variable(world, at.rule.topic, key),
            },
        }
    }

    /// The value that a variable about the focus has once the answer is begun, if the answer takes the focus.
    fn focus_of_answer(&self, key: &str, out: &Output) -> Option<Value> {
        let landing = out.landing.map(|rule| rule.topic).filter(|topic| self.may_take_focus(*topic));
        let topic = self.loaded(out.focus.or(landing).or(out.takes)?)?;
        match key {
            FOCUS => Some(Value::Str(topic.name.clone())),
            FOCUS_DESCRIPTION => Some(topic.description()),
            _ => None,
        }
    }

    /// The words of items, without any effect on the answer but on its cycles.
    pub(super) fn text_of(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        items: &[Item],
        out: &mut Output,
    ) -> Result<String, Invalid> {
        // The answer's own pieces stay visible: values that it sets count.
        let before = out.pieces.len();
        let (landing, stay, focus) = (out.landing, out.stay, out.focus);
        let result = self.deeper(world, out, |dialog, world, out| dialog.sequence(world, at, items, false, out));
        let pieces = out.pieces.split_off(before.min(out.pieces.len()));
        (out.landing, out.stay, out.focus) = (landing, stay, focus);
        result?;
        let text = super::output::compose(&pieces, &BTreeMap::new()).annotated.trim().to_owned();
        if text.len() > LONGEST_TEXT {
            self.warn(world, format!("a value is longer than {LONGEST_TEXT} bytes"));
            return Err(Invalid);
        }
        Ok(text)
    }
}
