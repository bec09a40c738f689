//! The functions of answers: `^name(…)`.

use super::Dialog;
use super::answer::{MOST_ITEMS, Place};
use super::output::{Caller, Effect, Finally, Invalid, Output, Piece, SkinStep, Valid, WordPlace};
use super::progress::Cursor;
use super::values::{as_text, as_value};
use crate::concepts;
use crate::functions::{self, Support};
use crate::topic::{Argument, Arguments, Call, Item, ItemKind};
use crate::words;
use crate::world::{ServiceCall, World};
use boxstep_types::{Value, calendar};
use smol_str::SmolStr;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How many concepts inside a concept `^size` counts.
const MOST_SIZES: usize = 200;

/// `true` → valid.
fn valid(is_valid: bool) -> Valid {
    if is_valid { Ok(()) } else { Err(Invalid) }
}

impl Dialog {
    pub(super) fn function(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        let name = call.lower();
        if let Arguments::Items(items) = &call.arguments {
            return self.list_function(world, at, &name, items, spaced, out);
        }
        let say = |out: &mut Output, text: String| {
            out.pieces.push(Piece::Text { text, spaced, plain: false });
            Ok(())
        };
        let topic = at.rule.topic;
        match name.as_str() {
            "empty" => Ok(()),
            "break" => {
                out.pieces.push(Piece::Break);
                Ok(())
            }
            "stayinscope" => {
                out.stay = true;
                Ok(())
            }
            "releasefocus" => self.push(out, Piece::Finally(Finally::ReleaseFocus)),
            "switchfocus" => {
                let behavior = self.argument(world, at, call, 0, out)?;
                self.push(out, Piece::Finally(Finally::StartBehavior(behavior)))
            }
            "runbehavior" => {
                let behavior = self.argument(world, at, call, 0, out)?;
                let call = ServiceCall {
                    service: "ALBehaviorManager".into(),
                    method: "runBehavior".into(),
                    arguments: vec![behavior.into()],
                };
                self.push(out, Piece::Do(Effect::Call(call)))
            }
            "nextproposal" => self.say_next_proposal(world, topic, spaced, out),
            "sameproposal" => self.say_proposal_again(world, topic, 0, spaced, out),
            "previousproposal" => self.say_proposal_again(world, topic, 1, spaced, out),
            "goto" | "gotoreactivate" => {
                let tag = self.tag_argument(world, at, call, 0, out)?;
                self.goto(world, topic, &tag, name == "gotoreactivate", spaced, out)
            }
            "gotorandom" => self.say_random_proposal(world, &[topic], spaced, out),
            "topic" => {
                let of = self.topic_argument(world, at, call, out)?;
                self.reset_for_focus(of);
                valid(self.next_proposal(of).is_some())?;
                out.focus = Some(of);
                self.say_next_proposal(world, of, spaced, out)
            }
            "topicrandom" => self.say_topic_at_random(world, topic, spaced, out),
            "topictag" | "topictagreactivate" => {
                let of = self.topic_argument(world, at, call, out)?;
                let tag = self.tag_argument(world, at, call, 1, out)?;
                out.focus = Some(of);
                self.goto(world, of, &tag, name == "topictagreactivate", spaced, out)
            }
            "activate" | "deactivate" => {
                let tag = self.tag_argument(world, at, call, 0, out)?;
                self.push(out, Piece::Do(Effect::Tag { topic, tag, on: name == "activate" }))
            }
            "clear" => {
                let key = self.key_argument(world, at, call, out)?;
                self.push(out, Piece::Do(Effect::Clear { topic, key }))
            }
            "exist" | "notexist" => {
                let key = self.key_argument(world, at, call, out)?;
                let exists = self.value_of(world, at, &key, out).is_some();
                valid(exists == (name == "exist"))
            }
            "concatenate" => {
                let parts = self.arguments(world, at, call, out)?;
                say(out, parts.concat())
            }
            "addtoconcept" | "removefromconcept" => {
                let concept = concept_argument(call)?;
                let word = self.argument(world, at, call, 1, out)?.into();
                let effect = if name == "addtoconcept" {
                    Effect::AddToConcept(concept, word)
                } else {
                    Effect::RemoveFromConcept(concept, word)
                };
                self.push(out, Piece::Do(effect))
            }
            "clearconcept" => self.push(out, Piece::Do(Effect::ClearConcept(concept_argument(call)?))),
            "isinconcept" => {
                let concept = concept_argument(call)?;
                let word = self.argument(world, at, call, 1, out)?;
                valid(self.concept_has(&concept, &word))
            }
            "size" => {
                let size = self.concept_size(&concept_argument(call)?, &RefCell::default());
                self.work(world, out, 1_000)?;
                say(out, size.to_string())
            }
            "enumerate" => self.enumerate(world, at, call, spaced, out),
            "currentdate" => say(out, date(world)[..10].to_owned()),
            "currenttime" => say(out, date(world)[11..16].to_owned()),
            "currentdatetime" => say(out, date(world)[..16].replace('T', " ")),
            "endofweek" => {
                // The next Sunday; 1970-01-04 was one.
                let day = world.unix_time().div_euclid(86_400);
                let sunday = day + (3 - day).rem_euclid(7);
                say(out, calendar::rfc3339(sunday * 86_400)[..10].to_owned())
            }
            "getuserinfo" => {
                let key = self.argument(world, at, call, 0, out)?;
                let value = self.user_data(&key).ok_or(Invalid)?;
                say(out, as_text(&value))
            }
            "hasuserinfo" => {
                let key = self.argument(world, at, call, 0, out)?;
                valid(self.user_data(&key).is_some())
            }
            "setuserinfo" => {
                let key = self.argument(world, at, call, 0, out)?.into();
                let value = as_value(&self.argument(world, at, call, 1, out)?);
                self.push(out, Piece::Do(Effect::SetUserData(key, value)))
            }
            "removeuserinfo" => {
                let key = self.argument(world, at, call, 0, out)?.into();
                self.push(out, Piece::Do(Effect::RemoveUserData(key)))
            }
            "addknowledge" | "updateknowledge" | "removeknowledge" => {
                let triple = self.triple(world, at, call, out)?;
                let effect = match name.as_str() {
                    "addknowledge" => Effect::AddKnowledge(triple),
                    "updateknowledge" => Effect::UpdateKnowledge(triple),
                    _ => Effect::RemoveKnowledge(triple),
                };
                self.push(out, Piece::Do(effect))
            }
            "containsknowledge" | "notcontainsknowledge" => {
                let triple = self.triple(world, at, call, out)?;
                valid(self.knows(&triple, out) == (name == "containsknowledge"))
            }
            "queryknowledge" => {
                let triple = self.triple(world, at, call, out)?;
                let known = self.knowledge.query(&triple).join(" ");
                valid(!known.is_empty())?;
                say(out, known)
            }
            "call" | "scall" | "pcall" => self.service_call(world, at, call, &name, out),
            "replace" | "addword" => self.skin_step(world, at, call, &name, out),
            _ => self.other_function(world, at, call, &name, spaced, out),
        }
    }

    fn push(&mut self, out: &mut Output, piece: Piece) -> Valid {
        out.pieces.push(piece);
        Ok(())
    }

    fn list_function(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        name: &str,
        items: &[Item],
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        match name {
            "first" | "firstoptional" => {
                for item in items {
                    if self.attempt(world, at, item, spaced, out).is_ok() {
                        return Ok(());
                    }
                }
                valid(name == "firstoptional")
            }
            "rand" => {
                let mut left: Vec<&Item> = items.iter().collect();
                while !left.is_empty() {
                    let item = left.remove(world.random(left.len()));
                    if self.attempt(world, at, item, spaced, out).is_ok() {
                        return Ok(());
                    }
                }
                Err(Invalid)
            }
            _ => {
                self.warn(world, format!("`^{name}[…]` is no function of answers"));
                Ok(())
            }
        }
    }

    /// Functions for the voice, those of `def:`, and those that are not known.
    fn other_function(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        name: &str,
        spaced: bool,
        out: &mut Output,
    ) -> Valid {
        match functions::function_named(name).map(|function| function.support) {
            Some(Support::Voice) => {
                let arguments = self.arguments(world, at, call, out)?.join(", ");
                out.pieces.push(Piece::Annotation { text: format!("^{}({arguments})", call.name), spaced });
                Ok(())
            }
            Some(Support::Foreign) => {
                self.warn(world, format!("`^{}` does nothing here: only Pepper's Android tablet has it", call.name));
                Ok(())
            }
            Some(Support::NoEffect) => {
                self.warn(world, format!("`^{}` has no effect in a simulation", call.name));
                Ok(())
            }
            // Properties of rules and topics say nothing in an answer.
            Some(Support::Works) => Ok(()),
            None => match self.index.definitions.get(name).cloned() {
                Some((source, definition)) => {
                    let mut parameters = BTreeMap::new();
                    for (n, parameter) in definition.parameters.iter().enumerate() {
                        if let Ok(value) = self.argument(world, at, call, n, out) {
                            parameters.insert(parameter.text.clone(), value);
                        }
                    }
                    let inner = Place { source, parameters: parameters.into(), ..at.clone() };
                    self.deeper(world, out, |dialog, world, out| {
                        dialog.sequence(world, &inner, &definition.output, spaced, out)
                    })
                }
                None => {
                    self.warn(world, format!("`^{}` is no function of QiChat", call.name));
                    Ok(())
                }
            },
        }
    }

    /// The text of an argument, with its variables filled in.
    fn argument(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        n: usize,
        out: &mut Output,
    ) -> Result<String, Invalid> {
        let argument = call.argument(n).ok_or(Invalid)?;
        self.argument_text(world, at, argument, out)
    }

    fn argument_text(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        argument: &Argument,
        out: &mut Output,
    ) -> Result<String, Invalid> {
        let is_plain = |item: &Item| matches!(item.kind, ItemKind::Text(_) | ItemKind::Voice(_));
        if argument.items.iter().all(is_plain) {
            return Ok(argument.text.text.to_string());
        }
        self.text_of(world, at, &argument.items, out)
    }

    fn arguments(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        out: &mut Output,
    ) -> Result<Vec<String>, Invalid> {
        let Arguments::List(list) = &call.arguments else { return Ok(Vec::new()) };
        list.iter().map(|argument| self.argument_text(world, at, argument, out)).collect()
    }

    /// The name of a variable: `^exist(name)`, with or without `$`.
    fn key_argument(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        out: &mut Output,
    ) -> Result<SmolStr, Invalid> {
        let argument = call.argument(0).ok_or(Invalid)?;
        match argument.text.text.strip_prefix('$') {
            Some(key) => Ok(key.into()),
            None => Ok(self.argument_text(world, at, argument, out)?.into()),
        }
    }

    /// The name of a tag: `^goto(name)`. Decision: with a `%` before it, it is the same.
    fn tag_argument(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        n: usize,
        out: &mut Output,
    ) -> Result<SmolStr, Invalid> {
        let argument = call.argument(n).ok_or(Invalid)?;
        match argument.items.as_slice() {
            [Item { kind: ItemKind::Tag(name), .. }] => Ok(name.clone()),
            _ => Ok(self.argument_text(world, at, argument, out)?.into()),
        }
    }

    fn topic_argument(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        out: &mut Output,
    ) -> Result<u32, Invalid> {
        let argument = call.argument(0).ok_or(Invalid)?;
        let name = match argument.text.text.strip_prefix('~') {
            Some(name) => name.to_owned(),
            None => self.argument_text(world, at, argument, out)?,
        };
        match self.number_of(&name) {
            Some(number) if self.active.contains(&number) => Ok(number),
            _ => {
                self.warn(world, format!("`{name}` is no active topic"));
                Err(Invalid)
            }
        }
    }

    fn triple(
        &mut self,
        world: &mut dyn World,
        at: &Place,
        call: &Call,
        out: &mut Output,
    ) -> Result<[String; 3], Invalid> {
        let mut parts = self.arguments(world, at, call, out)?;
        parts.resize(3, "?".to_owned());
        parts.try_into().map_err(|_| Invalid)
    }

    /// Whether something is known, or this answer is about to add it.
    fn knows(&self, triple: &[String; 3], out: &Output) -> bool {
        let added = |piece: &Piece| match piece {
            Piece::Do(Effect::AddKnowledge(known) | Effect::UpdateKnowledge(known)) => known == triple,
            _ => false,
        };
        self.knowledge.contains(triple) || out.pieces.iter().any(added)
    }

    fn enumerate(&mut self, world: &mut dyn World, at: &Place, call: &Call, spaced: bool, out: &mut Output) -> Valid {
        let concept = concept_argument(call)?;
        let count = self.argument(world, at, call, 1, out).ok().and_then(|text| text.parse::<usize>().ok());
        let items = self.concept_items(&concept, MOST_ITEMS);
        self.work(world, out, items.len())?;
        let cursor = Cursor::Enumerate(concept);
        let first = if count.is_some() { self.progress.get(&cursor) as usize } else { 0 };
        let first = if first < items.len() { first } else { 0 };
        let last = count.map_or(items.len(), |count| (first + count).min(items.len()));
        for (n, (source, item)) in items[first..last].iter().enumerate() {
            let at = Place { source: *source, ..at.clone() };
            let _ = self.attempt(world, &at, item, spaced || n > 0, out);
        }
        if count.is_some() {
            self.progress.set(cursor, if last < items.len() { last as u32 } else { 0 });
        }
        valid(!items.is_empty())
    }

    /// How many sentences a concept stands for. `known` has the sizes of concepts inside it.
    fn concept_size(&self, name: &SmolStr, known: &RefCell<BTreeMap<SmolStr, usize>>) -> usize {
        if let Some(size) = known.borrow().get(name) {
            return *size;
        }
        // A concept in a circle counts as empty there.
        known.borrow_mut().insert(name.clone(), 0);
        let inner = |name: &str| {
            let seen = known.borrow().len();
            if seen < MOST_SIZES { self.concept_size(&name.into(), known) } else { 0 }
        };
        let sizes = self.concept_items(name, MOST_ITEMS).into_iter().map(|(_, item)| concepts::ways(&item, &inner));
        let size = sizes.fold(0usize, usize::saturating_add);
        known.borrow_mut().insert(name.clone(), size);
        size
    }

    fn concept_has(&self, name: &SmolStr, word: &str) -> bool {
        let compared = |text: &str| words::words(text).into_iter().map(|heard| heard.word).collect::<Vec<_>>();
        let wanted = compared(word);
        self.concept_items(name, MOST_ITEMS).iter().any(|(_, item)| compared(&plain(item)) == wanted)
    }

    /// `^call(Service.method(arguments))`
    fn service_call(&mut self, world: &mut dyn World, at: &Place, call: &Call, name: &str, out: &mut Output) -> Valid {
        let Arguments::List(list) = &call.arguments else { return Err(Invalid) };
        let text = list.iter().map(|argument| &*argument.text.text).collect::<Vec<_>>().join(", ");
        let (path, arguments) = match text.split_once('(') {
            Some((path, rest)) => (path, rest.strip_suffix(')').unwrap_or(rest)),
            None => (text.as_str(), ""),
        };
        let Some((service, method)) = path.trim().rsplit_once('.') else {
            self.warn(world, format!("`^{}` needs Service.method(arguments), not `{text}`", call.name));
            return Err(Invalid);
        };
        let mut values = Vec::new();
        for argument in crate::parse::arguments(arguments) {
            let quoted = matches!(argument.items.as_slice(), [Item { kind: ItemKind::Phrase(_), .. }])
                || argument.text.text.starts_with("\\\"");
            let text = self.argument_text(world, at, &argument, out)?;
            let text = text.trim_matches(['"', '\\', '\'']);
            values.push(if quoted { Value::from(text) } else { typed(text) });
        }
        let call = ServiceCall { service: service.into(), method: method.into(), arguments: values };
        let (number, caller) = (self.new_number(), Caller { rule: at.rule, has_results: true });
        self.push(
            out,
            match name {
                "pcall" => Piece::Do(Effect::Call(call)),
                "scall" => Piece::SpokenCall { number, call, caller },
                _ => Piece::Call { number, call, caller },
            },
        )
    }

    fn skin_step(&mut self, world: &mut dyn World, at: &Place, call: &Call, name: &str, out: &mut Output) -> Valid {
        let arguments = self.arguments(world, at, call, out)?;
        // Behind the two texts a probability may stand.
        let probability = arguments.get(2).and_then(|last| last.parse::<f64>().ok()).unwrap_or(1.0);
        let mut arguments = arguments.into_iter();
        let (Some(first), Some(second)) = (arguments.next(), arguments.next()) else {
            self.warn(world, format!("`^{}` needs two arguments", call.name));
            return Err(Invalid);
        };
        let step = if name == "replace" {
            SkinStep::Replace { from: first, to: second, probability }
        } else {
            let place = match second.as_str() {
                "start" => WordPlace::Start,
                "end" => WordPlace::End,
                number => number.parse().map_or(WordPlace::End, WordPlace::Before),
            };
            SkinStep::AddWord { word: first, place, probability }
        };
        self.push(out, Piece::Skin(step))
    }
}

/// The concept that a function names: `~name`.
fn concept_argument(call: &Call) -> Result<SmolStr, Invalid> {
    let argument = call.argument(0).ok_or(Invalid)?;
    Ok(argument.text.text.trim_start_matches('~').into())
}

/// An argument of a call as a value: numbers and booleans are such, everything else is text.
fn typed(text: &str) -> Value {
    match text {
        "true" | "True" => Value::Bool(true),
        "false" | "False" => Value::Bool(false),
        text => as_value(text),
    }
}

/// The time of the robot: `2020-01-01T00:00:00Z`.
fn date(world: &dyn World) -> String {
    calendar::rfc3339(world.unix_time())
}

/// The words of an item, without choices.
fn plain(item: &Item) -> String {
    match &item.kind {
        ItemKind::Text(text) => text.to_string(),
        ItemKind::Phrase(items) => items.iter().map(plain).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}
