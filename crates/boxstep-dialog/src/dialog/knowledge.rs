//! What topics know: triples of subject, predicate and object.

use std::collections::BTreeSet;

/// The triples of `^addKnowledge` and its kin. `?` in a question stands for anything.
#[derive(Default)]
pub(super) struct Knowledge(BTreeSet<[String; 3]>);

impl Knowledge {
    pub(super) fn add(&mut self, triple: [String; 3]) {
        self.0.insert(triple);
    }

    /// Replaces what is known of a subject and predicate.
    pub(super) fn update(&mut self, triple: [String; 3]) {
        self.0.retain(|known| known[..2] != triple[..2]);
        self.0.insert(triple);
    }

    pub(super) fn remove(&mut self, question: &[String; 3]) {
        self.0.retain(|known| !fits(known, question));
    }

    pub(super) fn contains(&self, question: &[String; 3]) -> bool {
        self.0.iter().any(|known| fits(known, question))
    }

    /// What stands for the `?` of a question, in alphabetical order.
    pub(super) fn query(&self, question: &[String; 3]) -> Vec<&str> {
        let Some(at) = question.iter().position(|part| part == "?") else { return Vec::new() };
        self.0.iter().filter(|known| fits(known, question)).map(|known| known[at].as_str()).collect()
    }
}

fn fits(known: &[String; 3], question: &[String; 3]) -> bool {
    known.iter().zip(question).all(|(known, asked)| asked == "?" || known == asked)
}
