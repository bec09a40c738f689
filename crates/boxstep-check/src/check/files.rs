//! Files that a behavior names. They are looked for, not read.

use super::Here;
use crate::codes;
use boxstep_format::Problem;
use boxstep_format::model::ParameterType;
use boxstep_format::project::{inside, project_root};
use boxstep_types::{Diagnostic, Span};
use std::path::{Path, PathBuf};

/// A behavior's folder seen from its project's.
pub(super) struct Project {
    root: PathBuf,
    base: String,
}

pub(super) fn project_of(folder: &Path) -> Project {
    let root = project_root(folder);
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let base = real.strip_prefix(&root).unwrap_or(Path::new("")).to_string_lossy().into_owned();
    Project { root, base }
}

pub(super) fn check(here: &mut Here<'_>, project: &Project) {
    let def = here.at.def;
    for p in &def.parameters {
        let path = p.value.trim();
        // An inherited value is the parent's; an empty one is a file not chosen yet.
        if p.content_type == ParameterType::File && !p.inherits_from_parent && !path.is_empty() {
            let code = codes::MISSING_ATTACHMENT;
            look(here, project, path.trim_start_matches('/'), p.value_span, &|| {
                Diagnostic::warning(code, format!("the attached file `{path}` is not in the behavior's folder"))
            });
        }
    }
    if let Some(path) = def.dialog_file.as_deref().filter(|p| !p.is_empty()) {
        look(here, project, path, def.span, &|| {
            Diagnostic::error(codes::MISSING_DIALOG, format!("the dialog file `{path}` is not there"))
        });
    }
}

fn look(here: &mut Here<'_>, project: &Project, path: &str, span: Span, missing: &dyn Fn() -> Diagnostic) {
    match inside(&project.root, &project.base, path) {
        Ok(full) if full.is_file() => {}
        Ok(_) | Err(Problem::Unreadable(..)) => here.tell(missing(), span),
        Err(_) => {
            let message = format!("the path `{path}` leads out of the project");
            let help = "a project is the nearest folder with a .pml or manifest.xml, or else the behavior's own";
            here.tell(Diagnostic::error(codes::PATH_ESCAPES, message).help(help), span);
        }
    }
}
