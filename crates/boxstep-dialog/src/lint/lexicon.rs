//! The names of concepts in the lexicons that come with this crate.

use crate::topic::Topic;
use boxstep_types::languages;

const LEXICONS: [(&str, &str); 6] = [
    ("enu", include_str!("../../lexicon/lexicon_enu.top")),
    ("frf", include_str!("../../lexicon/lexicon_frf.top")),
    ("ged", include_str!("../../lexicon/lexicon_ged.top")),
    ("iti", include_str!("../../lexicon/lexicon_iti.top")),
    ("jpj", include_str!("../../lexicon/lexicon_jpj.top")),
    ("spe", include_str!("../../lexicon/lexicon_spe.top")),
];

/// The code of the topic's language, if it is known.
pub(super) fn code(topic: &Topic) -> Option<&'static str> {
    languages::topic_code(&topic.language.as_ref()?.text)
}

/// The concepts of the lexicon of a language; none if there is no such lexicon.
pub(super) fn names(code: &str) -> impl Iterator<Item = &'static str> {
    let text = LEXICONS.iter().find(|(of, _)| *of == code).map_or("", |(_, text)| text);
    text.lines().filter_map(|line| line.trim_start().strip_prefix("concept:(")?.split_once(')').map(|(name, _)| name))
}
