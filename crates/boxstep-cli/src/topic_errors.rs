//! The errors of topics that commands read.

use crate::open::rendered;
use crate::terminal;
use boxstep_dialog::Topic;
use boxstep_types::Severity;
use std::io::{self, Write as _};

/// Returns the errors of a topic, with their lines; empty if it has none.
pub(crate) fn topic_errors(topic: &Topic) -> String {
    let wrong = topic.problems.iter().filter(|problem| problem.severity == Severity::Error);
    let wrong: Vec<_> = wrong.cloned().collect();
    rendered(&wrong, &topic.sources)
}

/// Tells of the errors of topics that are shown nevertheless.
pub(crate) fn tell_errors<'t>(topics: impl IntoIterator<Item = &'t Topic>) -> io::Result<()> {
    let errors: String = topics.into_iter().map(topic_errors).collect();
    write!(terminal::stderr(), "{errors}")
}
