//! Patterns outside of topics: the input of a rule alone, for a program that listens.

use crate::codes;
use crate::lexicon::{self, lexicon};
use crate::matching::{Book, NoFacts, Program, Scratch};
use crate::parse::input;
use crate::topic::{Item, ItemKind, walk};
use boxstep_types::{Diagnostic, meant};
use std::fmt;
use std::sync::Arc;

/// What a sentence must look like, in the words of a rule's input: `my name is _*`.
///
/// It may have words, phrases, choices, options, `*`, `_`, `!`, `^exact`, `^repeat`, and concepts of the
/// [lexicons](fn@crate::lexicon). What refers to a topic or to the robot's memory has no meaning in it.
///
/// ```
/// use boxstep_dialog::Pattern;
///
/// let pattern = Pattern::read("{oh} my name is _*").expect("it is right");
/// let listener = pattern.listener("English");
/// assert_eq!(listener.hear("My name is Ann Lee.").expect("it fits"), ["Ann Lee".into()]);
/// assert_eq!(listener.hear("Who are you?"), None);
/// assert_eq!(Pattern::read("[yes no").expect_err("it is wrong")[0].message, "`[` is not closed");
/// ```
#[derive(Clone)]
pub struct Pattern {
    text: Arc<str>,
    items: Arc<[Item]>,
}

impl Pattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// What is wrong with it, at least one finding; their places count in the text.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let (items, mut wrong) = input(text);
        wrong.retain(|problem| problem.severity == boxstep_types::Severity::Error);
        walk(&items, &mut |item| wrong.extend(meaningless(item, text)));
        let mut takes_words = false;
        for item in &items {
            takes_words |= may_take_words(item);
        }
        if wrong.is_empty() && !takes_words {
            wrong.push(Diagnostic::error(codes::NOT_A_RULE, "no sentence fits: it has no word and no `*`"));
        }
        if wrong.is_empty() && Book::of_input(&items, None).1.is_none() {
            wrong.push(Diagnostic::error(codes::NOT_A_RULE, "it is too long"));
        }
        wrong.sort_by_key(|finding| finding.span.map_or(0, |span| span.start));
        if wrong.is_empty() { Ok(Self { text: text.into(), items: items.into() }) } else { Err(wrong) }
    }

    /// Returns the text that it was read from.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Makes it ready to be compared with sentences of a language, whose lexicon has its concepts.
    pub fn listener(&self, language: &str) -> Listener {
        let mut concepts = false;
        walk(&self.items, &mut |item| concepts |= matches!(item.kind, ItemKind::Concept(_)));
        let code = boxstep_types::languages::topic_code(language).filter(|_| concepts);
        let words = code.and_then(|code| lexicon(&format!("lexicon_{code}.top")));
        let (book, program) = Book::of_input(&self.items, words.as_ref());
        Listener { book, program }
    }
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pattern({:?})", self.text)
    }
}

/// The pattern as it was written.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A [`Pattern`] that listens in a language.
pub struct Listener {
    book: Book,
    program: Option<Program>,
}

impl Listener {
    /// Returns what the pattern captures of a sentence, as it was said; `None` if the sentence does not fit.
    pub fn hear(&self, sentence: &str) -> Option<Vec<Arc<str>>> {
        let sentence = self.book.vocabulary.sentence(sentence);
        let found = self.book.find(&mut Scratch::default(), self.program.as_ref()?, &sentence, &NoFacts)?;
        let captured = found.captures.iter().map(|(from, to)| sentence.said(*from, *to).into());
        // As in a topic, a sentence is answered by what takes words.
        (found.words.0 < found.words.1).then(|| captured.collect())
    }
}

/// Returns what is wrong with an item that has a meaning only in a topic.
fn meaningless(item: &Item, text: &str) -> Option<Diagnostic> {
    let written = || text.get(item.span.start as usize..item.span.end as usize).unwrap_or_default();
    let wrong = |message: String| Some(Diagnostic::error(codes::NOT_A_RULE, message).at(item.span));
    match &item.kind {
        ItemKind::Event(_)
        | ItemKind::Condition(_)
        | ItemKind::Assign(..)
        | ItemKind::Variable(_)
        | ItemKind::Captured(_)
        | ItemKind::Tag(_)
        | ItemKind::Voice(_)
        | ItemKind::Script(_) => wrong(format!("`{}` has a meaning only in a topic", written())),
        ItemKind::Call(call) if !matches!(call.lower().as_str(), "exact" | "repeat") => {
            wrong(format!("`^{}` has no meaning here", call.name))
        }
        ItemKind::Concept(name) => {
            let known = lexicon::concepts();
            if known.iter().any(|known| *known == **name) {
                return None;
            }
            let finding = Diagnostic::error(codes::NOT_A_RULE, format!("no lexicon has the concept `~{name}`"));
            let help = meant(name, known.iter().map(String::as_str));
            Some(help.into_iter().fold(finding, Diagnostic::help).at(item.span))
        }
        _ => None,
    }
}

fn may_take_words(item: &Item) -> bool {
    match &item.kind {
        ItemKind::Text(text) => !crate::words::words(text).is_empty(),
        ItemKind::Any | ItemKind::Concept(_) => true,
        ItemKind::Not(_) => false,
        _ => item.inner().iter().any(may_take_words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(pattern: &str, language: &str, sentence: &str) -> Option<Vec<String>> {
        let captured = Pattern::read(pattern).unwrap().listener(language).hear(sentence)?;
        Some(captured.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_sentence_fits_as_it_would_fit_a_rule() {
        for (pattern, sentence, captured) in [
            ("[hi hello] robot", "Oh, hello robot!", Some(vec![])),
            ("[hi hello] robot", "hello", None),
            ("my name is _*", "My name is Ann Lee.", Some(vec!["Ann Lee"])),
            ("_[red green] and _[red green]", "green and red", Some(vec!["green", "red"])),
            ("*", "whatever you say", Some(vec![])),
            ("*", "…", None),
            ("^exact yes", "oh yes", None),
            ("dance !not", "do not dance", None),
            ("{very} good", "very good", Some(vec![])),
            ("~yes", "okay", Some(vec![])),
            ("~yes", "oui", None),
            ("été", "ete", Some(vec![])),
        ] {
            let captured = captured.map(|all| all.into_iter().map(str::to_owned).collect());
            assert_eq!(hear(pattern, "English", sentence), captured, "{pattern}: {sentence}");
        }
        assert_eq!(hear("~yes", "French", "oui"), Some(vec![]));
        assert_eq!(hear("~yes", "Klingon", "yes"), None, "there is no lexicon");
        assert_eq!(hear("hello", "Klingon", "hello"), Some(vec![]));
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (pattern, start, message) in [
            ("[hi hello", 0, "`[` is not closed"),
            ("hi) there", 2, "`)` has no meaning here"),
            ("hi ]", 3, "`]` closes nothing"),
            ("say $name", 4, "`$name` has a meaning only in a topic"),
            ("a $b==1", 2, "`$b==1` has a meaning only in a topic"),
            ("hi e:Touch", 3, "`e:Touch` has a meaning only in a topic"),
            ("hi ^rand[a b]", 3, "`^rand` has no meaning here"),
            ("well ~yess", 5, "no lexicon has the concept `~yess`"),
            ("", 0, "no sentence fits: it has no word and no `*`"),
            ("!no", 0, "no sentence fits: it has no word and no `*`"),
        ] {
            let wrong = Pattern::read(pattern).unwrap_err();
            let first = &wrong[0];
            assert_eq!((first.span.map_or(0, |span| span.start), &*first.message), (start, message), "{pattern}");
        }
        assert_eq!(Pattern::read("~yess").unwrap_err()[0].help.as_deref(), Some("did you mean `yes`?"));
        assert!(Pattern::read(&"a ".repeat(5000)).unwrap_err()[0].message.contains("too long"));
    }
}
