//! Who looks at scripts, and the Python 2 rewriter that comes first.

use crate::{Program, python};
use boxstep_check::{Python, Remnant, Rewriter, Rewritten};
use boxstep_script::rewrite::{self, EditKind};
use std::path::Path;

/// The interpreter: the one that would run them.
pub(super) fn choose(asked: Option<&Path>, project: Option<&str>, program: &Program) -> Python {
    let chosen = python::choose(asked, project, program.python());
    Python::new(chosen.program, chosen.from)
}

/// The engine's own reading of Python 2.
pub(super) struct Python2;

impl Rewriter for Python2 {
    fn rewrite(&self, source: &str) -> Rewritten {
        let done = rewrite::python2(source);
        let edits = done.edits.iter().filter_map(|edit| Some((edit.span.start, remnant(edit.kind)?)));
        Rewritten { edits: edits.collect(), text: done.text }
    }
}

fn remnant(kind: EditKind) -> Option<Remnant> {
    Some(match kind {
        EditKind::Print => Remnant::Print,
        EditKind::Exec => Remnant::Exec,
        EditKind::Repr => Remnant::Backticks,
        EditKind::Except => Remnant::Except,
        EditKind::Raise => Remnant::Raise,
        EditKind::NotEqual => Remnant::NotEqual,
        EditKind::Number => Remnant::Number,
        EditKind::Literal => Remnant::Literal,
        EditKind::Keyword => Remnant::Keyword,
        EditKind::Indent => Remnant::Tabs,
        EditKind::TupleParameter => Remnant::TupleParameter,
        EditKind::Comprehension => Remnant::Comprehension,
        // A byte order mark is nobody's statement.
        _ => return None,
    })
}
