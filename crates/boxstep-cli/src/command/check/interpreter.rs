//! Who looks at scripts, and the Python 2 rewriter that comes first.

use boxstep_check::{Python, Remnant, Rewriter, Rewritten};
use boxstep_script::rewrite::{self, EditKind};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The interpreter: `--python`, `BOXSTEP_PYTHON`, the project's, the active virtual environment's, `python3`.
pub(super) fn choose(asked: Option<&Path>, project: Option<&str>) -> Python {
    choose_from(asked, project, |name| std::env::var_os(name))
}

fn choose_from(asked: Option<&Path>, project: Option<&str>, variable: impl Fn(&str) -> Option<OsString>) -> Python {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(program) = asked {
        return Python::new(program, "--python");
    }
    if let Some(program) = set("BOXSTEP_PYTHON") {
        return Python::new(program, "BOXSTEP_PYTHON");
    }
    if let Some(program) = project {
        return Python::new(program, "boxstep.toml");
    }
    match set("VIRTUAL_ENV") {
        Some(folder) if cfg!(windows) => Python::new(folder.join("Scripts").join("python.exe"), "VIRTUAL_ENV"),
        Some(folder) => Python::new(folder.join("bin").join("python3"), "VIRTUAL_ENV"),
        None => Python::new(if cfg!(windows) { "python" } else { "python3" }, "found on PATH"),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_decides() {
        let none = |_: &str| None;
        let program = |p: Python| p.program.to_string_lossy().into_owned();
        assert_eq!(choose_from(None, None, none).from, "found on PATH");
        assert_eq!(program(choose_from(None, Some("python3.9"), none)), "python3.9");
        let variable = |name: &str| (name == "BOXSTEP_PYTHON").then(|| "/p".into());
        assert_eq!(program(choose_from(None, Some("python3.9"), variable)), "/p");
        assert_eq!(program(choose_from(Some(Path::new("/q")), Some("python3.9"), variable)), "/q");
        let environment = |name: &str| (name == "VIRTUAL_ENV").then(|| "/env".into());
        assert!(program(choose_from(None, None, environment)).starts_with("/env"));
        let empty = |_: &str| Some(OsString::new());
        assert_eq!(choose_from(None, None, empty).from, "found on PATH");
    }
}
