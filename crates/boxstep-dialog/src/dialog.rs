//! A dialog: loaded topics, what has happened so far, and what is being said.

mod answer;
mod call;
mod explain;
mod facts;
mod jumps;
mod knowledge;
mod output;
mod progress;
mod queue;
mod react;
mod search;
mod speak;
mod timers;
mod topics;
mod values;

pub use explain::{Near, Why};
pub use topics::LoadError;

use crate::matching::{Book, RuleRef, Scratch, Sentence};
use crate::topic::{Definition, Item, Topic};
use crate::world::World;
use boxstep_trace::{DialogEvent, RulePlace};
use boxstep_types::{Time, Value};
use knowledge::Knowledge;
use progress::Progress;
use queue::Queue;
use smol_str::SmolStr;
use speak::Speaking;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use timers::Silence;

/// A dialog in one language at a time.
///
/// Sentences come in by [`Dialog::hear`], events by [`Dialog::event`]; what the robot says and does goes out through
/// the [`World`].
#[derive(Default)]
pub struct Dialog {
    /// The name of the language, such as `English`; topics of other languages are silent.
    language: Option<String>,
    topics: Vec<Option<Loaded>>,
    /// The numbers of the active topics, in the order in which they were activated.
    active: Vec<u32>,
    focus: Option<u32>,
    /// The rule whose sub-rules are open.
    scope: Option<RuleRef>,
    /// The rule that answered last.
    last_rule: Option<RuleRef>,
    /// The rule whose answer is being evaluated.
    answering: Option<RuleRef>,
    /// Tags that are off, by topic.
    tags_off: BTreeSet<(u32, SmolStr)>,
    /// The items of dynamic concepts, by language code and name.
    dynamic: BTreeMap<(&'static str, SmolStr), Vec<Arc<str>>>,
    /// The services that answer what no rule does, with the codes of their languages, in the order in which they are asked.
    fallbacks: Vec<(&'static str, SmolStr)>,
    progress: Progress,
    users: Users,
    knowledge: Knowledge,
    queue: Queue,
    speaking: Option<Speaking>,
    silence: Silence,
    /// When [`Dialog::tick`] goes on with what waited for the end of an answer.
    rests_until: Option<Time>,
    /// How many sentences in a row were not understood, or answered by a fallback topic.
    misses: u32,
    /// Events raised since the last sentence.
    recent: BTreeSet<SmolStr>,
    /// Whether the answer that is being given, or was given last, is one to an event.
    answers_event: bool,
    /// Whether a proposal follows each answer.
    push: bool,
    last_number: u64,
    last_input: SmolStr,
    index: Index,
}

/// The compiled topics; made anew when topics or languages change.
#[derive(Default)]
struct Index {
    book: Book,
    scratch: Scratch,
    stale: bool,
    /// Whether every rule is tried, as if there were no index.
    #[cfg(feature = "testing")]
    try_all: bool,
    /// The items of each concept, and the topic in which they stand.
    concepts: HashMap<SmolStr, (u32, Arc<[Item]>)>,
    /// The functions of `def:`, by their names in lower case, and the topic in which each stands.
    definitions: HashMap<String, (u32, Arc<Definition>)>,
}

/// A loaded topic.
struct Loaded {
    topic: Arc<Topic>,
    name: Arc<str>,
    /// The language's code; `None` for any language.
    code: Option<&'static str>,
    /// The topics that it includes.
    includes: Vec<u32>,
    /// Whether a topic includes it: then it comes and goes with that one.
    included: bool,
}

impl Loaded {
    /// The text of `description:`; empty without one.
    fn description(&self) -> Value {
        self.topic.description.as_ref().map_or("", |text| text.text.as_str()).into()
    }
}

/// The variable with the name of the topic that has the focus.
const FOCUS: &str = "Dialog/Focus";

/// The variable with the `description:` of the topic that has the focus.
const FOCUS_DESCRIPTION: &str = "Dialog/FocusDescription";

/// What is known of users.
#[derive(Default)]
struct Users {
    /// The user whose session is open.
    present: Option<i64>,
    data: BTreeMap<(i64, SmolStr), Value>,
}

impl Dialog {
    /// Makes a dialog without topics, in a language given by its name or code.
    pub fn new(language: &str) -> Self {
        let mut dialog = Self::default();
        dialog.set_language(language);
        dialog
    }

    /// The name of the language.
    pub fn language(&self) -> &str {
        self.language.as_deref().unwrap_or("English")
    }

    /// Changes the language; topics of other languages are silent from now on.
    pub fn set_language(&mut self, language: &str) {
        let name = boxstep_types::languages::language_name(language).unwrap_or(language);
        if self.language.as_deref() != Some(name) {
            self.language = Some(name.to_owned());
            self.scope = None;
            self.index.stale = true;
        }
    }

    fn code(&self) -> Option<&'static str> {
        boxstep_types::languages::topic_code(self.language())
    }

    /// The topic that has the focus.
    pub fn focus(&self) -> Option<&str> {
        self.focus.and_then(|number| self.loaded(number)).map(|loaded| &*loaded.name)
    }

    /// The rule whose sub-rules are open.
    pub fn scope(&self) -> Option<RulePlace> {
        self.scope.filter(|rule| self.has_children(*rule)).and_then(|rule| self.place(rule))
    }

    /// Whether something is being said or computed.
    pub fn is_speaking(&self) -> bool {
        self.speaking.is_some()
    }

    /// Whether a sentence or event waits for its turn.
    pub fn is_busy(&self) -> bool {
        self.speaking.is_some() || !self.queue.is_empty()
    }

    fn loaded(&self, number: u32) -> Option<&Loaded> {
        self.topics.get(number as usize)?.as_ref()
    }

    fn topic(&self, number: u32) -> Option<Arc<Topic>> {
        Some(self.loaded(number)?.topic.clone())
    }

    fn name_of(&self, number: u32) -> Arc<str> {
        self.loaded(number).map_or_else(|| "".into(), |loaded| loaded.name.clone())
    }

    fn has_children(&self, rule: RuleRef) -> bool {
        let topic = self.loaded(rule.topic).map(|loaded| &loaded.topic);
        topic.and_then(|topic| topic.rules.get(rule.rule as usize)).is_some_and(|rule| !rule.children.is_empty())
    }

    /// Describes a rule for people.
    fn place(&self, rule: RuleRef) -> Option<RulePlace> {
        let loaded = self.loaded(rule.topic)?;
        let topic = &loaded.topic;
        Some(RulePlace {
            topic: loaded.name.clone(),
            file: topic.sources.name(topic.file).into(),
            line: topic.line(rule.rule as usize),
            head: topic.head(rule.rule as usize).into(),
        })
    }

    /// Gives the focus to a topic, which is told if it changes.
    fn set_focus_to(&mut self, world: &mut dyn World, number: Option<u32>) {
        if self.focus == number {
            return;
        }
        self.focus = number;
        let topic = number.and_then(|number| self.loaded(number));
        let name = topic.map(|topic| topic.name.clone());
        let description = topic.map_or("".into(), Loaded::description);
        self.tell(world, FOCUS, name.as_deref().unwrap_or_default().into());
        self.tell(world, FOCUS_DESCRIPTION, description);
        world.note(DialogEvent::Focus { topic: name });
    }

    /// Makes the proposals of a topic sayable again (`^resetOnFocus`), if it is about to get the focus and all are used
    /// up. The answer that brings the focus has them already, so this comes before it.
    fn reset_for_focus(&mut self, number: u32) {
        let resets = self.loaded(number).is_some_and(|loaded| loaded.topic.has("resetonfocus"));
        if resets && self.focus != Some(number) && self.next_proposal(number).is_none() {
            self.progress.reset_proposals(number);
        }
    }

    /// Opens the sub-rules of a rule, and closes those that were open.
    fn set_scope(&mut self, world: &mut dyn World, rule: Option<RuleRef>) {
        if self.scope == rule {
            return;
        }
        let before = self.scope();
        self.scope = rule;
        let after = self.scope();
        if before != after {
            self.tell(world, "Dialog/Scope", Value::Int(i64::from(after.is_some())));
            world.note(DialogEvent::Scope { rule: after });
        }
    }

    /// The rules that may match a sentence.
    fn candidates(&self, sentence: &Sentence) -> Vec<RuleRef> {
        #[cfg(feature = "testing")]
        if self.index.try_all {
            return self.index.book.all_rules();
        }
        self.index.book.candidates(sentence)
    }

    /// Tries every rule with every sentence from now on, as if there were no index.
    #[cfg(feature = "testing")]
    pub fn try_all_rules(&mut self) {
        self.index.try_all = true;
    }

    /// How many steps of patterns were taken so far.
    #[cfg(feature = "testing")]
    pub fn steps(&self) -> u64 {
        self.index.scratch.steps
    }

    fn new_number(&mut self) -> u64 {
        self.last_number += 1;
        self.last_number
    }

    /// The compiled topics, after making them anew if something has changed.
    fn refresh(&mut self) {
        if !self.index.stale {
            return;
        }
        self.index.stale = false;
        let code = self.code();
        let spoken = |loaded: &Loaded| loaded.code.is_none() || code.is_none() || loaded.code == code;
        let topics = self.topics.iter().enumerate().filter_map(|(n, loaded)| Some((n as u32, loaded.as_ref()?)));
        let topics = topics.filter(|(_, loaded)| spoken(loaded)).map(|(n, loaded)| (n, &*loaded.topic));
        // Concepts of topics in the language count before those of topics in none.
        let mut topics: Vec<(u32, &Topic)> = topics.collect();
        topics.sort_by_key(|(n, _)| self.loaded(*n).is_some_and(|loaded| loaded.code.is_some()));
        let is_dynamic = |name: &str| code.is_some_and(|code| self.dynamic.contains_key(&(code, name.into())));
        self.index.book = Book::new(topics.iter().copied(), &is_dynamic);
        self.index.concepts.clear();
        self.index.definitions.clear();
        for (n, topic) in topics {
            for concept in &topic.concepts {
                let items = crate::concepts::alternatives(&concept.items);
                self.index.concepts.insert(concept.name.text.clone(), (n, items.into()));
            }
            for definition in &topic.definitions {
                let name = definition.name.text.to_lowercase();
                self.index.definitions.insert(name, (n, Arc::new(definition.clone())));
            }
        }
        for ((of, name), words) in &self.dynamic {
            if Some(*of) == code {
                self.index.book.set_concept(name, &as_items(words));
            }
        }
    }
}

/// Words and phrases given as text, as the items of a concept.
fn as_items(words: &[Arc<str>]) -> Vec<Item> {
    let item = |text: &Arc<str>| Item {
        kind: crate::topic::ItemKind::Text((&**text).into()),
        span: boxstep_types::Span::default(),
        spaced: true,
    };
    words.iter().map(item).collect()
}
