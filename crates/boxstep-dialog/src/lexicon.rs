//! Short lexicons of our own: what topics mean by `~yes` or `~can_you` when they include `lexicon_enu.top`.
//!
//! They are not the vendor's, which has hundreds of concepts: the names are the same, the words are ours. A file of
//! that name beside the topic comes first.

use crate::parse::read_topic;
use crate::topic::Topic;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

/// The lexicons, by the code of their language.
const LEXICONS: [(&str, &str); 6] = [
    ("enu", include_str!("../lexicon/lexicon_enu.top")),
    ("frf", include_str!("../lexicon/lexicon_frf.top")),
    ("ged", include_str!("../lexicon/lexicon_ged.top")),
    ("iti", include_str!("../lexicon/lexicon_iti.top")),
    ("jpj", include_str!("../lexicon/lexicon_jpj.top")),
    ("spe", include_str!("../lexicon/lexicon_spe.top")),
];

/// Returns the lexicon that an `include:` line names, if there is one of its language.
pub fn lexicon(include: &str) -> Option<Topic> {
    let name = Path::new(include).file_name()?.to_str()?;
    let code = name.strip_prefix("lexicon_")?.strip_suffix(".top")?;
    let (_, text) = LEXICONS.iter().find(|(of, _)| *of == code)?;
    Some(read_topic(name, text))
}

/// Returns the names of the concepts that a lexicon of any language has.
pub(crate) fn concepts() -> &'static BTreeSet<String> {
    static NAMES: OnceLock<BTreeSet<String>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let topics = LEXICONS.iter().map(|(_, text)| read_topic("", text));
        topics.flat_map(|topic| topic.concepts).map(|concept| concept.name.text.to_string()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lexicons_are_topics_of_their_language_and_have_the_same_concepts() {
        let mut common: Option<BTreeSet<String>> = None;
        for (code, _) in LEXICONS {
            let topic = lexicon(&format!("../dialog_lexicon/lexicon_{code}.top")).unwrap();
            assert!(topic.problems.is_empty(), "{code}: {:?}", topic.problems);
            assert_eq!(topic.language.as_ref().map(|word| &*word.text), Some(code));
            let names: BTreeSet<String> = topic.concepts.iter().map(|c| c.name.text.to_string()).collect();
            assert_eq!(names.len(), topic.concepts.len(), "{code}: a concept stands twice");
            common = Some(common.map_or(names.clone(), |common| common.intersection(&names).cloned().collect()));
        }
        assert!(common.unwrap().len() > 45);
        assert!(lexicon("lexicon_kok.top").is_none());
        assert!(lexicon("../../etc/passwd").is_none());
    }
}
