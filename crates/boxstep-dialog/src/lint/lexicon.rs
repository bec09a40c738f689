//! The names of concepts in the lexicons that come with this crate.

use crate::topic::Topic;
use boxstep_types::languages;
use smol_str::SmolStr;
use std::collections::BTreeSet;

/// The code of the topic's language, if it is known.
pub(super) fn code(topic: &Topic) -> Option<&'static str> {
    languages::topic_code(&topic.language.as_ref()?.text)
}

/// The concepts of the lexicon of a language; none if there is no such lexicon.
pub(super) fn names(code: &str) -> BTreeSet<SmolStr> {
    let lexicon = crate::lexicon::lexicon(&format!("lexicon_{code}.top"));
    lexicon.iter().flat_map(|lexicon| &lexicon.concepts).map(|concept| concept.name.text.clone()).collect()
}
