//! Items → [`Program`].

use super::index::Concepts;
use super::program::{Assignment, Edge, LONGEST_PROGRAM, Op, Program};
use super::vocabulary::Vocabulary;
use crate::topic::{Arguments, Call, Item, ItemKind};
use crate::words;

/// A choice of more alternatives becomes a concept, whose items are found by their first word.
const LARGE_CHOICE: usize = 6;

/// `^repeat[…]` takes up to this many of its items.
const MOST_REPEATS: usize = 10;

pub(super) struct Compiler<'a> {
    pub(super) vocabulary: &'a mut Vocabulary,
    pub(super) concepts: &'a mut Concepts,
}

impl Compiler<'_> {
    /// Compiles a pattern; `None` if it is too large.
    pub(super) fn pattern(&mut self, items: &[Item]) -> Option<Program> {
        let mut program = Program::default();
        self.sequence(&mut program, items);
        program.ops.push(Op::Match);
        (program.ops.len() <= LONGEST_PROGRAM).then_some(program)
    }

    fn sequence(&mut self, program: &mut Program, items: &[Item]) {
        for item in items {
            // Patterns are compared with a limit at the end: there is no need to go far beyond it.
            if program.ops.len() > LONGEST_PROGRAM {
                return;
            }
            self.item(program, item);
        }
    }

    fn item(&mut self, program: &mut Program, item: &Item) {
        match &item.kind {
            ItemKind::Text(text) => {
                for heard in words::words(text) {
                    program.ops.push(Op::Word(self.vocabulary.add(&heard.word)));
                }
            }
            ItemKind::Phrase(items) => self.sequence(program, items),
            ItemKind::Choice(items) => self.choice(program, items),
            ItemKind::Optional(items) => {
                let split = program.ops.len();
                program.ops.push(Op::Match);
                self.choice(program, items);
                program.ops[split] = Op::Split(split as u32 + 1, program.ops.len() as u32);
            }
            ItemKind::Any => {
                let start = program.ops.len() as u32;
                program.ops.extend([Op::AnyWord, Op::Split(start, start + 2)]);
            }
            ItemKind::Not(item) => {
                let concept = self.concepts.anonymous(self.vocabulary, std::slice::from_ref(&**item));
                program.ops.push(Op::Without(concept));
            }
            ItemKind::Capture(item) => {
                program.ops.push(Op::Capture(Edge::Start));
                self.item(program, item);
                program.ops.push(Op::Capture(Edge::End));
            }
            ItemKind::Concept(name) => program.ops.push(Op::Concept(self.concepts.named(name))),
            ItemKind::Event(key) => program.ops.push(Op::Event(key.clone())),
            ItemKind::Condition(condition) => program.ops.push(Op::If(condition.clone().into())),
            ItemKind::Tag(name) => program.ops.push(Op::Tag(name.clone())),
            ItemKind::Variable(key) => program.ops.push(Op::Variable(key.clone())),
            ItemKind::Call(call) => self.function(program, call),
            ItemKind::Assign(key, value) => {
                let assignment = Assignment { key: key.clone(), value: value.clone() };
                program.ops.push(Op::Set(assignment.into()));
            }
            // Nothing that can be said: `check` tells of it.
            ItemKind::Captured(_) | ItemKind::Voice(_) | ItemKind::Script(_) => {}
        }
    }

    fn function(&mut self, program: &mut Program, call: &Call) {
        match (call.lower().as_str(), &call.arguments) {
            ("exact", _) => program.exact = true,
            ("lesspriority", _) => program.less_priority = true,
            ("repeat", Arguments::Items(items)) => {
                let concept = self.concepts.anonymous(self.vocabulary, items);
                program.ops.push(Op::Concept(concept));
                let mut splits = Vec::new();
                for _ in 1..MOST_REPEATS {
                    splits.push(program.ops.len());
                    program.ops.extend([Op::Match, Op::Concept(concept)]);
                }
                let end = program.ops.len() as u32;
                for split in splits {
                    program.ops[split] = Op::Split(split as u32 + 1, end);
                }
            }
            // `^rand[a b]` and the like in a concept: any of them may be said.
            ("rand" | "first" | "firstoptional", Arguments::Items(items)) => self.choice(program, items),
            _ => {}
        }
    }

    fn choice(&mut self, program: &mut Program, items: &[Item]) {
        if items.len() > LARGE_CHOICE && !items.iter().any(|item| has_effects(item) || may_be_empty(item)) {
            let concept = self.concepts.anonymous(self.vocabulary, items);
            program.ops.push(Op::Concept(concept));
            return;
        }
        let mut jumps = Vec::new();
        for (n, item) in items.iter().enumerate() {
            let split = program.ops.len();
            let last = n + 1 == items.len();
            if !last {
                program.ops.push(Op::Match);
            }
            self.item(program, item);
            if !last {
                jumps.push(program.ops.len());
                program.ops.push(Op::Match);
                program.ops[split] = Op::Split(split as u32 + 1, program.ops.len() as u32);
            }
            if program.ops.len() > LONGEST_PROGRAM {
                break;
            }
        }
        let end = program.ops.len() as u32;
        for jump in jumps {
            program.ops[jump] = Op::Jump(end);
        }
    }
}

/// Returns whether an item may take no words: an item of a concept has to take some.
fn may_be_empty(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Text(text) => words::words(text).is_empty(),
        ItemKind::Phrase(items) => items.iter().all(may_be_empty),
        ItemKind::Choice(items) => items.iter().any(may_be_empty),
        ItemKind::Any | ItemKind::Concept(_) | ItemKind::Variable(_) => false,
        _ => true,
    }
}

/// Returns whether an item does more than take words: then it has to stand in the rule's own program.
fn has_effects(item: &Item) -> bool {
    let mut found = false;
    item.walk(&mut |item| {
        found |= match &item.kind {
            ItemKind::Capture(_) | ItemKind::Event(_) | ItemKind::Condition(_) | ItemKind::Tag(_) => true,
            ItemKind::Call(call) => matches!(call.lower().as_str(), "exact" | "lesspriority"),
            _ => false,
        };
    });
    found
}
