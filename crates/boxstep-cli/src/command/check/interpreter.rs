//! Who looks at scripts, and the Python 2 rewriter that comes first.

use crate::{Program, python};
use boxstep_check::{Python, Remnant, Rewriter, Rewritten};
use boxstep_script::dialect;
use boxstep_script::rewrite::{self, EditKind};
use std::path::Path;

/// The interpreter: the one that would run them.
pub(crate) fn choose(asked: Option<&Path>, project: Option<&str>, program: &Program) -> Python {
    let chosen = python::choose(asked, project, program.python());
    Python::new(chosen.program, chosen.from)
}

/// The engine's own reading of scripts.
pub(crate) struct ScriptReader {
    /// The Python of scripts whose first line names none.
    pub(crate) dialect: u8,
}

impl Rewriter for ScriptReader {
    fn rewrite(&self, source: &str) -> Rewritten {
        if dialect::of(source, self.dialect) == 3 {
            let text = source.strip_prefix('\u{feff}').unwrap_or(source).to_owned();
            return Rewritten { text, is_python_3: true, ..Rewritten::default() };
        }
        let done = rewrite::python2(source);
        let edits = done.edits.iter().filter_map(|edit| Some((edit.span.start, remnant(edit.kind)?)));
        Rewritten { edits: edits.collect(), text: done.text, is_python_3: false }
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
