//! The interpreter that parses scripts, and the Python 2 rewriter that runs before it.

use crate::{Program, python};
use boxstep_check::{Python, Remnant, Rewriter, Rewritten};
use boxstep_script::dialect;
use boxstep_script::rewrite::{self, EditKind};
use std::path::Path;

/// Returns the interpreter that would run the scripts.
pub(crate) fn choose(asked: Option<&Path>, project: Option<&str>, program: &Program) -> Python {
    let chosen = python::choose(asked, project, program.python());
    Python::new(chosen.program, chosen.from)
}

/// Rewrites scripts as the engine does before it runs them.
pub(crate) struct ScriptReader {
    /// The Python version of scripts whose first line names none.
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
        // Other edits, such as that of a byte order mark, are no remnants of Python 2 statements.
        _ => return None,
    })
}
