//! Topics come, are activated, and go; and what `ALDialog` asks and sets from outside.

use super::output::Origin;
use super::queue::Stimulus;
use super::{Dialog, Loaded};
use crate::matching::RuleRef;
use crate::topic::Topic;
use crate::world::World;
use boxstep_types::{Diagnostic, Severity, Value, languages};
use smol_str::SmolStr;
use std::fmt;
use std::sync::Arc;

/// Why a topic cannot be loaded, or something cannot be done with it.
#[derive(Clone, Debug, PartialEq)]
pub enum LoadError {
    /// The text has errors; these, and where in the file each stands (`file:line:column`).
    Syntax(Vec<(String, Diagnostic)>),
    /// No topic of this name is loaded.
    NoTopic(String),
    /// The topic came with another one that includes it, and goes with it.
    Included(String),
    /// The topic has no proposal or rule with this tag.
    NoTag(String, String),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Syntax(problems) => {
                for (n, (place, problem)) in problems.iter().enumerate() {
                    let separator = if n == 0 { "" } else { "; " };
                    write!(f, "{separator}{place}: {}", problem.message)?;
                }
                Ok(())
            }
            LoadError::NoTopic(name) => write!(f, "no topic `{name}` is loaded"),
            LoadError::Included(name) => write!(f, "the topic `{name}` is included by another one, and goes with it"),
            LoadError::NoTag(tag, topic) => write!(f, "the topic `{topic}` has no tag `{tag}`"),
        }
    }
}

impl std::error::Error for LoadError {}

/// How many errors of a topic are told.
const MOST_ERRORS: usize = 3;

impl Dialog {
    /// Loads a topic, with the topics that it includes. Returns its name.
    ///
    /// A topic of the same name and language that is loaded is replaced.
    ///
    /// # Errors
    /// [`LoadError::Syntax`] if one of the texts has errors; nothing is loaded then.
    pub fn load(&mut self, topic: Topic, includes: Vec<Topic>) -> Result<Arc<str>, LoadError> {
        let mut problems = Vec::new();
        for topic in std::iter::once(&topic).chain(&includes) {
            problems.extend(errors(topic));
        }
        problems.truncate(MOST_ERRORS);
        if !problems.is_empty() {
            return Err(LoadError::Syntax(problems));
        }
        let includes = includes.into_iter().map(|topic| self.add(topic, true)).collect();
        let number = self.add(topic, false);
        if let Some(Some(loaded)) = self.topics.get_mut(number as usize) {
            loaded.includes = includes;
        }
        Ok(self.name_of(number))
    }

    fn add(&mut self, topic: Topic, included: bool) -> u32 {
        let name: Arc<str> = topic.name().into();
        let code = topic.language.as_ref().and_then(|language| languages::topic_code(&language.text));
        let same = |loaded: &Option<Loaded>| loaded.as_ref().is_some_and(|l| l.name == name && l.code == code);
        if let Some(old) = self.topics.iter().position(same) {
            if included {
                return old as u32;
            }
            self.remove(old as u32);
        }
        for dynamic in &topic.dynamics {
            if let Some(code) = code.or(self.code()) {
                self.dynamic.entry((code, dynamic.text.clone())).or_default();
            }
        }
        let loaded = Loaded { topic: topic.into(), name, code, includes: Vec::new(), included };
        self.topics.push(Some(loaded));
        self.index.stale = true;
        self.topics.len() as u32 - 1
    }

    fn remove(&mut self, number: u32) {
        self.deactivate_number(number);
        self.tags_off.retain(|(topic, _)| *topic != number);
        self.progress.forget(number);
        if self.last_rule.is_some_and(|rule| rule.topic == number) {
            self.last_rule = None;
        }
        if let Some(place) = self.topics.get_mut(number as usize) {
            *place = None;
        }
        self.index.stale = true;
    }

    /// The numbers of the topics of a name, in any language.
    fn numbers(&self, name: &str) -> Vec<u32> {
        let name = name.trim_start_matches('~');
        let named =
            |(n, loaded): (usize, &Option<Loaded>)| loaded.as_ref().filter(|l| &*l.name == name).map(|_| n as u32);
        self.topics.iter().enumerate().filter_map(named).collect()
    }

    fn known(&self, name: &str) -> Result<Vec<u32>, LoadError> {
        let numbers = self.numbers(name);
        if numbers.is_empty() { Err(LoadError::NoTopic(name.to_owned())) } else { Ok(numbers) }
    }

    /// The number of the topic of a name in the present language; any other of that name if there is none.
    pub(super) fn number_of(&self, name: &str) -> Option<u32> {
        let numbers = self.numbers(name);
        let code = self.code();
        let speaks = |number: &&u32| self.loaded(**number).is_some_and(|l| l.code.is_none() || l.code == code);
        numbers.iter().find(speaks).or(numbers.first()).copied()
    }

    /// Removes a topic, in all its languages.
    ///
    /// # Errors
    /// If no such topic is loaded, or another one includes it.
    pub fn unload(&mut self, world: &mut dyn World, name: &str) -> Result<(), LoadError> {
        let numbers = self.known(name)?;
        if numbers.iter().all(|number| self.loaded(*number).is_some_and(|l| l.included)) {
            return Err(LoadError::Included(name.to_owned()));
        }
        for number in numbers {
            let includes = self.loaded(number).map(|l| l.includes.clone()).unwrap_or_default();
            self.release(world, number);
            self.remove(number);
            for included in includes {
                let used = |loaded: &Option<Loaded>| loaded.as_ref().is_some_and(|l| l.includes.contains(&included));
                if !self.topics.iter().any(used) {
                    self.release(world, included);
                    self.remove(included);
                }
            }
        }
        Ok(())
    }

    /// Takes the focus and the open sub-rules from a topic.
    fn release(&mut self, world: &mut dyn World, number: u32) {
        if self.focus == Some(number) {
            self.set_focus_to(world, None);
        }
        if self.scope.is_some_and(|rule| rule.topic == number) {
            self.set_scope(world, None);
        }
    }

    /// Uses a topic, in all its languages, and the topics that it includes.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn activate(&mut self, world: &mut dyn World, name: &str) -> Result<(), LoadError> {
        let overloaded = self.overloaded();
        for number in self.known(name)? {
            let includes = self.loaded(number).map(|l| l.includes.clone()).unwrap_or_default();
            for number in includes.into_iter().chain([number]) {
                let name = self.name_of(number);
                if !self.active.contains(&number) && !overloaded.iter().any(|other| *other == *name) {
                    self.active.push(number);
                }
            }
        }
        self.refresh();
        self.tell(world, "Dialog/ActivateTopic", name.into());
        self.pump(world);
        Ok(())
    }

    /// The names of topics that others replace (`overload:`).
    fn overloaded(&self) -> Vec<SmolStr> {
        let loaded = self.topics.iter().flatten();
        loaded.flat_map(|l| l.topic.overloads.iter().map(|word| word.text.clone())).collect()
    }

    /// No longer uses a topic.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn deactivate(&mut self, world: &mut dyn World, name: &str) -> Result<(), LoadError> {
        for number in self.known(name)? {
            let includes = self.loaded(number).map(|l| l.includes.clone()).unwrap_or_default();
            self.release(world, number);
            self.deactivate_number(number);
            for included in includes {
                let used = |n: &u32| self.loaded(*n).is_some_and(|l| l.includes.contains(&included));
                if !self.active.iter().any(used) {
                    self.release(world, included);
                    self.deactivate_number(included);
                }
            }
        }
        self.tell(world, "Dialog/DeactivateTopic", name.into());
        self.pump(world);
        Ok(())
    }

    fn deactivate_number(&mut self, number: u32) {
        self.active.retain(|active| *active != number);
        if self.focus == Some(number) {
            self.focus = None;
        }
        if self.scope.is_some_and(|rule| rule.topic == number) {
            self.scope = None;
        }
    }

    /// The names of the loaded topics, in order; of one language if a name or code is given.
    pub fn loaded_topics(&self, language: Option<&str>) -> Vec<Arc<str>> {
        let code = language.map(|language| languages::topic_code(language).unwrap_or("?"));
        let of = |l: &&Loaded| code.is_none_or(|code| l.code == Some(code));
        let mut names: Vec<Arc<str>> = self.topics.iter().flatten().filter(of).map(|l| l.name.clone()).collect();
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// The names of the active topics, in the order of activation.
    pub fn active_topics(&self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self.active.iter().map(|number| self.name_of(*number)).collect();
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// The name of the language of a topic, or the code if it has no name.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn topic_language(&self, name: &str) -> Result<Option<&'static str>, LoadError> {
        let numbers = self.known(name)?;
        Ok(numbers.first().and_then(|n| self.loaded(*n)?.code).and_then(languages::language_name))
    }

    /// The text of a loaded topic in the present language, for pages that show it.
    pub fn loaded_topic(&self, name: &str) -> Option<Arc<Topic>> {
        self.topic(self.number_of(name)?)
    }

    /// Gives a topic the focus.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn set_focus(&mut self, world: &mut dyn World, name: &str) -> Result<(), LoadError> {
        let number = self.number_of(name).ok_or_else(|| LoadError::NoTopic(name.to_owned()))?;
        self.reset_for_focus(number);
        self.set_focus_to(world, Some(number));
        Ok(())
    }

    /// Gives a topic the focus, and says its first proposal that was not said.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn goto_topic(&mut self, world: &mut dyn World, name: &str) -> Result<(), LoadError> {
        self.set_focus(world, name)?;
        self.queue.add(Stimulus::Proposal);
        self.pump(world);
        Ok(())
    }

    /// Says the proposal or answer with a tag.
    ///
    /// # Errors
    /// If there is no such topic or tag.
    pub fn goto_tag(&mut self, world: &mut dyn World, tag: &str, name: &str) -> Result<(), LoadError> {
        let rule = self.tagged(name, tag)?;
        self.progress.keep();
        self.say_rule(world, rule, Origin::Asked);
        self.pump(world);
        Ok(())
    }

    /// Says the answer with a tag; focus and open rules stay as they are.
    ///
    /// # Errors
    /// If there is no such topic or tag.
    pub fn say_tag(&mut self, world: &mut dyn World, name: &str, tag: &str) -> Result<(), LoadError> {
        let rule = self.tagged(name, tag)?;
        self.progress.keep();
        self.say_rule(world, rule, Origin::Aside);
        self.pump(world);
        Ok(())
    }

    fn tagged(&mut self, name: &str, tag: &str) -> Result<RuleRef, LoadError> {
        let number = self.number_of(name).ok_or_else(|| LoadError::NoTopic(name.to_owned()))?;
        self.refresh();
        self.rule_with_tag(number, tag).ok_or_else(|| LoadError::NoTag(tag.to_owned(), name.to_owned()))
    }

    /// Whether a topic has a tag, in an input or an answer.
    pub fn has_tag(&self, tag: &str, name: &str) -> bool {
        let tag = tag.trim_start_matches('%');
        let mut found = false;
        for rule in self.numbers(name).into_iter().filter_map(|n| self.loaded(n)).flat_map(|l| &l.topic.rules) {
            for items in [rule.input.as_deref().unwrap_or_default(), &rule.output] {
                crate::topic::walk(items, &mut |item| {
                    found |= matches!(&item.kind, crate::topic::ItemKind::Tag(name) if **name == *tag);
                });
            }
        }
        found
    }

    /// Turns a tag of a topic on or off.
    ///
    /// # Errors
    /// If no such topic is loaded.
    pub fn set_tag(&mut self, tag: &str, name: &str, on: bool) -> Result<(), LoadError> {
        for number in self.known(name)? {
            self.set_tag_of(number, tag, on);
        }
        Ok(())
    }

    pub(super) fn set_tag_of(&mut self, number: u32, tag: &str, on: bool) {
        let key = (number, SmolStr::from(tag.trim_start_matches('%')));
        if on {
            self.tags_off.remove(&key);
        } else {
            self.tags_off.insert(key);
        }
    }

    /// Sets the items of a dynamic concept in a language.
    pub fn set_concept(&mut self, name: &str, language: &str, words: Vec<Arc<str>>) {
        let Some(code) = languages::topic_code(language).or(self.code()) else { return };
        let name: SmolStr = name.trim_start_matches('~').into();
        if Some(code) == self.code() && !self.index.stale {
            self.index.stale = !self.index.book.set_concept(&name, &super::as_items(&words));
        }
        self.dynamic.insert((code, name), words);
    }

    /// The items of a dynamic concept in a language.
    pub fn concept(&self, name: &str, language: &str) -> Vec<Arc<str>> {
        let code = languages::topic_code(language).or(self.code());
        let found = code.and_then(|code| self.dynamic.get(&(code, name.trim_start_matches('~').into())));
        found.cloned().unwrap_or_default()
    }

    /// Empties all dynamic concepts.
    pub fn clear_concepts(&mut self) {
        self.dynamic.values_mut().for_each(Vec::clear);
        self.index.stale = true;
    }

    /// Begins all cycles anew and makes all proposals sayable again.
    pub fn reset(&mut self, world: &mut dyn World) {
        self.progress.reset();
        self.set_scope(world, None);
        self.misses = 0;
    }

    /// Whether a proposal follows each answer.
    pub fn set_push(&mut self, on: bool) {
        self.push = on;
    }

    /// How long events of a key wait while the robot speaks, in milliseconds; a negative number stands for any time.
    pub fn set_delay(&mut self, key: &str, milliseconds: i64) {
        self.queue.set_delay(key, milliseconds);
    }

    /// Lets a service answer what no rule does in a language: its method `findOutput(language, sentence)` returns the
    /// answer, or an empty text ("ALDialog API", `addFallback`). Decision: several are asked in the order in which they
    /// were added, and `language` is the code, such as `enu`.
    pub fn add_fallback(&mut self, language: &str, service: &str) {
        self.remove_fallback(language, service);
        self.fallbacks.extend(languages::topic_code(language).map(|code| (code, service.into())));
    }

    /// No longer asks a service.
    pub fn remove_fallback(&mut self, language: &str, service: &str) {
        let code = languages::topic_code(language);
        self.fallbacks.retain(|(of, name)| Some(*of) != code || *name != service);
    }

    /// Whether an event cuts the speech.
    pub fn set_blocking(&mut self, key: &str, on: bool) {
        if on {
            self.queue.blocking.insert(key.into());
        } else {
            self.queue.blocking.remove(key);
        }
    }

    /// Opens the session of a user, whose data `$user/…` are then; `None` closes it.
    pub fn set_user(&mut self, user: Option<i64>) {
        self.users.present = user;
    }

    /// The user whose session is open.
    pub fn user(&self) -> Option<i64> {
        self.users.present
    }

    /// What is known of a user, by name.
    pub fn data_of(&self, user: i64) -> impl Iterator<Item = (&str, &Value)> {
        self.users.data.iter().filter(move |((of, _), _)| *of == user).map(|((_, key), value)| (key.as_str(), value))
    }

    /// Stores something about a user.
    pub fn set_data_of(&mut self, user: i64, key: &str, value: Value) {
        self.users.data.insert((user, key.into()), value);
    }

    /// Forgets a user.
    pub fn forget_user(&mut self, user: i64) {
        self.users.data.retain(|(of, _), _| *of != user);
    }

    /// The users of whom something is known.
    pub fn users(&self) -> Vec<i64> {
        let mut users: Vec<i64> = self.users.data.keys().map(|(user, _)| *user).collect();
        users.dedup();
        users
    }

    /// The keys of the events that active topics wait for.
    pub fn events(&mut self) -> Vec<Arc<str>> {
        self.refresh();
        let active = |rules: &[RuleRef]| rules.iter().any(|rule| self.active.contains(&rule.topic));
        let keys = self.index.book.event_keys();
        let mut keys: Vec<Arc<str>> =
            keys.filter(|(_, rules)| active(rules)).map(|(key, _)| key.as_str().into()).collect();
        keys.sort();
        keys
    }

    /// Stops speaking, and forgets what waits.
    pub fn stop(&mut self, world: &mut dyn World) {
        if self.speaking.take().is_some() {
            world.stop_speaking();
        }
        self.queue.clear();
        self.silence.ends();
        self.set_scope(world, None);
    }

    /// Tells of something that a topic does in vain; in an answer, with the file and line of its rule.
    pub(super) fn warn(&self, world: &mut dyn World, text: impl fmt::Display) {
        world.warn(match self.answering.and_then(|rule| self.place(rule)) {
            Some(rule) => format!("{}:{}: {text}", rule.file, rule.line),
            None => text.to_string(),
        });
    }

    /// Evaluates something of a rule, which warnings name meanwhile.
    pub(super) fn answering<R>(&mut self, rule: RuleRef, evaluate: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.answering.replace(rule);
        let result = evaluate(self);
        self.answering = before;
        result
    }
}

fn errors(topic: &Topic) -> Vec<(String, Diagnostic)> {
    let place = |problem: &Diagnostic| match problem.span {
        Some(span) => topic.sources.place(span),
        None => topic.sources.name(topic.file).to_owned(),
    };
    let errors = topic.problems.iter().filter(|problem| problem.severity == Severity::Error).take(MOST_ERRORS);
    let mut found: Vec<_> = errors.map(|problem| (place(problem), problem.clone())).collect();
    if topic.name.is_none() && found.is_empty() {
        let message = "this is not a topic: it has no line `topic: ~name()`";
        found.push((topic.sources.name(topic.file).to_owned(), Diagnostic::error(crate::codes::NOT_A_RULE, message)));
    }
    found
}
