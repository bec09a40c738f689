//! What the robot hears: the sentences of a tick, and the patterns that listen for them.

use crate::world::SharedState;
use boxstep_dialog::{Listener, Pattern};
use boxstep_engine::runner::{Control, TopicId};
use boxstep_engine::services::Topic;
use boxstep_types::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// The event of a sentence that the robot's dialog has heard, and that of words which its speech recognition has
/// recognized.
const EVENTS: [&str; 2] = ["Dialog/LastInput", "WordRecognized"];
/// The confidence from which recognized words count: the usual threshold of `ALDialog`.
const SURE: f64 = 0.5;

/// A pattern for which a behavior listens.
pub(crate) struct Ear {
    pub(crate) pattern: Pattern,
    number: usize,
    topics: Option<[TopicId; 2]>,
}

/// A sentence that fits a pattern.
pub(crate) struct HeardSentence {
    /// The first capture, or the whole sentence if the pattern captures nothing.
    pub(crate) value: Value,
    /// The number of the tick's sentences up to this one.
    pub(crate) count: usize,
}

/// The sentences of a tick, and all patterns of the character.
#[derive(Default)]
pub(crate) struct Ears {
    numbers: HashMap<Arc<str>, usize>,
    /// Each pattern, once it has listened with the lexicon of the language.
    patterns: Vec<(Pattern, Option<Listener>)>,
    language: String,
    tick: u64,
    pub(crate) sentences: Vec<Arc<str>>,
    /// How many of the sentences a `hear` leaf has waited for: they are not for the next one.
    pub(crate) taken: usize,
}

impl Ears {
    /// Returns how many sentences of this tick are not for the next `hear` leaf.
    pub(crate) fn taken_in(&self, tick: u64) -> usize {
        if self.tick == tick { self.taken } else { 0 }
    }
}

impl Ear {
    pub(crate) fn new(pattern: &Pattern, shared: &mut SharedState) -> Self {
        let Ears { numbers, patterns, .. } = &mut shared.ears;
        let number = *numbers.entry(pattern.text().clone()).or_insert_with(|| {
            patterns.push((pattern.clone(), None));
            patterns.len() - 1
        });
        Self { pattern: pattern.clone(), number, topics: None }
    }

    /// Subscribes to what the robot hears.
    pub(crate) fn init(&mut self, cx: &mut Control<'_>) {
        self.topics = Some(EVENTS.map(|key| cx.subscribe(Topic::Memory(key.into()))));
    }

    /// Returns the first sentence of this tick, after so many of them, that fits the pattern.
    pub(crate) fn hear(&self, cx: &Control<'_>, shared: &mut SharedState, after: usize) -> Option<HeardSentence> {
        self.listen(cx, shared);
        let Ears { patterns, language, sentences, .. } = &mut shared.ears;
        if sentences.is_empty() {
            return None;
        }
        let (pattern, listener) = patterns.get_mut(self.number)?;
        let listener = listener.get_or_insert_with(|| pattern.listener(language));
        sentences.iter().enumerate().skip(after).find_map(|(at, sentence)| {
            let first = listener.hear(sentence)?.into_iter().next();
            Some(HeardSentence { value: Value::Str(first.unwrap_or_else(|| sentence.clone())), count: at + 1 })
        })
    }

    /// Takes the sentences of a new tick. All who listen have the same.
    fn listen(&self, cx: &Control<'_>, shared: &mut SharedState) {
        if std::mem::replace(&mut shared.ears.tick, cx.tick()) == cx.tick() {
            return;
        }
        (shared.ears.taken, shared.ears.sentences) = (0, Vec::new());
        let Some([sentence, words]) = self.topics else { return };
        let values = |topic: TopicId| cx.events().filter(move |event| event.topic == topic).map(|event| &event.value);
        let mut sentences: Vec<Arc<str>> = values(sentence).filter_map(Value::as_str).map(Arc::from).collect();
        // The dialog hears by the speech recognition, whose words are parts of the same sentence.
        if sentences.is_empty() {
            sentences.extend(values(words).filter_map(recognized));
        }
        if sentences.is_empty() {
            return;
        }
        let language = shared.world.language();
        if shared.ears.language != language {
            shared.ears.patterns.iter_mut().for_each(|(_, listener)| *listener = None);
            shared.ears.language = language;
        }
        shared.ears.sentences = sentences;
    }
}

/// Returns the words that were recognized with the most confidence, from `[words, confidence, …]`.
fn recognized(value: &Value) -> Option<Arc<str>> {
    match value.as_list()? {
        [words, confidence, ..] if confidence.as_f64()? >= SURE => words.as_str().map(Arc::from),
        _ => None,
    }
}
