//! An answer, in pieces: what is said, done and set, in order.

use super::Dialog;
use crate::matching::RuleRef;
use crate::world::ServiceCall;
use boxstep_types::Value;
use smol_str::SmolStr;
use std::collections::{BTreeMap, BTreeSet};

/// A piece of an answer.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    /// Words. `spaced` tells whether a blank stands before them, `plain` whether they stand in the topic as they are.
    Text { text: String, spaced: bool, plain: bool },
    /// An annotation for voice or gestures: `\pau=500\`, `^start(…)`.
    Annotation { text: String, spaced: bool },
    /// What a script prints.
    Script { number: u64, text: SmolStr, spaced: bool },
    /// What a fallback service (its place in their order) answers to the sentence.
    Ask { number: u64, fallback: usize, call: ServiceCall },
    /// `^call`: made before the sentence is said, which its result may change.
    Call { number: u64, call: ServiceCall, caller: Caller },
    /// `^sCall`: made at its place, between sentences.
    SpokenCall { number: u64, call: ServiceCall, caller: Caller },
    /// A variable to set when the sentence was said.
    Set { topic: u32, key: SmolStr, value: Value },
    /// Something to do when the sentence begins.
    Do(Effect),
    /// Something to do when the sentence was said.
    Finally(Finally),
    /// What a skin does to the text.
    Skin(SkinStep),
    /// A new sentence begins.
    Break,
}

/// The rule whose answer makes a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Caller {
    pub(super) rule: RuleRef,
    /// Whether its `c1:` and `e1:` rules are about this call: they belong to the last one of the answer.
    pub(super) has_results: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Effect {
    Call(ServiceCall),
    Tag { topic: u32, tag: SmolStr, on: bool },
    AddToConcept(SmolStr, SmolStr),
    RemoveFromConcept(SmolStr, SmolStr),
    ClearConcept(SmolStr),
    Clear { topic: u32, key: SmolStr },
    SetUserData(SmolStr, Value),
    RemoveUserData(SmolStr),
    AddKnowledge([String; 3]),
    UpdateKnowledge([String; 3]),
    RemoveKnowledge([String; 3]),
}

#[derive(Clone, Debug)]
pub(super) enum Finally {
    ReleaseFocus,
    StartBehavior(String),
}

#[derive(Clone, Debug)]
pub(super) enum SkinStep {
    Replace { from: String, to: String, probability: f64 },
    AddWord { word: String, place: WordPlace, probability: f64 },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum WordPlace {
    Start,
    End,
    Before(usize),
}

/// Why an answer is given: this decides whether focus and open rules change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A rule matched, or was asked for by its tag.
    Asked,
    /// Beside the conversation.
    Aside,
}

/// An answer that is being put together.
#[derive(Default)]
pub(super) struct Output {
    pub(super) pieces: Vec<Piece>,
    /// The rule at which a `^goto` and its kin ended.
    pub(super) landing: Option<RuleRef>,
    /// The topic of the rule that answers, if it takes the focus.
    pub(super) takes: Option<u32>,
    /// `^stayInScope`.
    pub(super) stay: bool,
    /// A topic that is to get the focus.
    pub(super) focus: Option<u32>,
    /// How deep rules, functions and concepts are nested.
    pub(super) depth: u32,
    /// Whether a proposal was asked for in vain.
    pub(super) nothing_to_say: bool,
    /// How much work the answer was so far, also for alternatives that were taken back.
    work: usize,
}

/// The most work of an answer: items, and what they look through.
const MOST_WORK: usize = 200_000;

/// The longest text of a value, or of what skins make of a sentence, in bytes.
pub(super) const LONGEST_TEXT: usize = 100_000;

/// An alternative cannot be said: a variable is not set, a condition is false, a tag is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Invalid;

/// Whether something can be said.
pub(super) type Valid = Result<(), Invalid>;

/// A point to go back to.
pub(super) struct Mark {
    pieces: usize,
    landing: Option<RuleRef>,
    stay: bool,
    focus: Option<u32>,
    progress: usize,
}

impl Dialog {
    pub(super) fn mark(&self, out: &Output) -> Mark {
        let Output { landing, stay, focus, .. } = *out;
        Mark { pieces: out.pieces.len(), landing, stay, focus, progress: self.progress.mark() }
    }

    pub(super) fn back_to(&mut self, out: &mut Output, mark: &Mark) {
        out.pieces.truncate(mark.pieces);
        (out.landing, out.stay, out.focus) = (mark.landing, mark.stay, mark.focus);
        self.progress.back_to(mark.progress);
    }
}

impl Output {
    /// Adds to the work; false if it is too much.
    pub(super) fn works(&mut self, work: usize) -> bool {
        self.work = self.work.saturating_add(work);
        self.work <= MOST_WORK
    }

    /// Ends the answer: of the calls of each rule, only the last one has results.
    pub(super) fn end(&mut self) {
        let mut seen = BTreeSet::new();
        for piece in self.pieces.iter_mut().rev() {
            if let Piece::Call { caller, .. } | Piece::SpokenCall { caller, .. } = piece {
                caller.has_results = seen.insert(caller.rule);
            }
        }
    }

    /// The value that this answer is about to give a variable.
    pub(super) fn pending(&self, key: &str) -> Option<&Value> {
        self.pieces.iter().rev().find_map(|piece| match piece {
            Piece::Set { key: of, value, .. } if &**of == key => Some(value),
            Piece::Do(Effect::Clear { key: of, .. }) if &**of == key => Some(&Value::Null),
            _ => None,
        })
    }
}

/// A sentence as it is handed to the voice, and as people read it.
#[derive(Default)]
pub(super) struct Composed {
    pub(super) annotated: String,
    pub(super) plain: String,
}

/// Puts the text of pieces together. `scripts` has what scripts have printed.
pub(super) fn compose(pieces: &[Piece], scripts: &BTreeMap<u64, String>) -> Composed {
    let mut composed = Composed::default();
    // Whether the last words were not in the topic as they are: then a mark behind them moves up to them.
    let mut inserted = false;
    for piece in pieces {
        match piece {
            Piece::Text { text, spaced, plain } => {
                let closes = inserted && text.starts_with(['.', ',', '!', '?', ';', ':', '…']);
                composed.add(text, *spaced && !closes);
                inserted = !plain;
            }
            Piece::Script { number, spaced, .. } => {
                let text = scripts.get(number).map_or("", |text| text.trim());
                composed.add(text, *spaced);
                inserted = true;
            }
            Piece::Ask { number, .. } => composed.add(scripts.get(number).map_or("", |text| text.trim()), true),
            Piece::Annotation { text, spaced } => composed.annotate(text, *spaced),
            _ => {}
        }
    }
    composed
}

impl Composed {
    fn add(&mut self, text: &str, spaced: bool) {
        if text.is_empty() {
            return;
        }
        for into in [&mut self.annotated, &mut self.plain] {
            space(into, spaced);
            into.push_str(text);
        }
    }

    fn annotate(&mut self, text: &str, spaced: bool) {
        space(&mut self.annotated, spaced);
        self.annotated.push_str(text);
        // The words around an annotation stay apart if a blank stands before or behind it.
        if spaced && !self.plain.is_empty() && !self.plain.ends_with(' ') {
            self.plain.push(' ');
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.annotated.trim().is_empty()
    }
}

fn space(text: &mut String, spaced: bool) {
    if spaced && !text.is_empty() && !text.ends_with(' ') {
        text.push(' ');
    }
}
