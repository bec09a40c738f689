//! Checks of the files that a behavior refers to. Only their existence is checked, except for dialogs and their topics.

use super::{Here, dialog_boxes};
use crate::codes;
use boxstep_format::Problem;
use boxstep_format::model::ParameterType;
use boxstep_format::project::{inside, project_root};
use boxstep_types::{Diagnostic, Span};
use std::path::{Path, PathBuf};

/// The folder of a project, and the path of a behavior's or dialog's folder in it.
pub(super) struct Project {
    pub(super) root: PathBuf,
    pub(super) base: String,
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
        // An inherited value is checked at the parent; an empty one is a file that is not chosen yet.
        if p.content_type == ParameterType::File && !p.inherits_from_parent && !path.is_empty() {
            let code = codes::MISSING_ATTACHMENT;
            find_file(here, project, path.trim_start_matches('/'), p.value_span, &|| {
                Diagnostic::warning(code, format!("the attached file `{path}` is not there"))
            });
        }
    }
    if let Some(path) = def.dialog_file.as_deref().filter(|p| !p.is_empty()) {
        let file = find_file(here, project, path, def.span, &|| {
            Diagnostic::error(codes::MISSING_DIALOG, format!("the dialog file `{path}` is not there"))
        });
        if let Some(file) = file {
            dialog_boxes::check(here, path, &file);
        }
    }
}

/// Returns the file if it exists in the project; reports it otherwise.
fn find_file(
    here: &mut Here<'_>,
    project: &Project,
    path: &str,
    span: Span,
    missing: &dyn Fn() -> Diagnostic,
) -> Option<PathBuf> {
    match inside(&project.root, &project.base, path) {
        // A robot's file system is case-sensitive, even if this one is not.
        Ok(full) if full.is_file() && has_exact_name(&full) => return Some(full),
        Ok(_) | Err(Problem::Unreadable(..)) => {
            let mut finding = missing();
            finding.help = similar(project, path).map(|near| format!("there is `{near}`"));
            here.report(finding, span);
        }
        Err(_) => {
            let message = format!("the path `{path}` leads out of the project");
            let help = "a project is the nearest folder with a .pml or manifest.xml, or else the behavior's own";
            here.report(Diagnostic::error(codes::PATH_ESCAPES, message).help(help), span);
        }
    }
    None
}

/// Returns true if the folder has a file with exactly this name, including case.
fn has_exact_name(file: &Path) -> bool {
    let Some((folder, name)) = file.parent().zip(file.file_name()) else { return true };
    std::fs::read_dir(folder).map_or(true, |mut entries| entries.any(|e| e.is_ok_and(|e| e.file_name() == name)))
}

/// Returns a file in the behavior's folder that was probably meant: one with the same path except for case, or else one
/// of the same name elsewhere in it.
fn similar(project: &Project, path: &str) -> Option<String> {
    let folder = project.root.join(&project.base);
    let wanted = path.rsplit('/').next()?.to_lowercase();
    let mut named_so = Vec::new();
    let mut left = MOST_FILES;
    collect(&folder, &wanted, DEEPEST, &mut left, &mut named_so);
    let relative = named_so.iter().filter_map(|f| f.strip_prefix(&folder).ok());
    let mut found: Vec<String> = relative.map(|f| f.to_string_lossy().replace('\\', "/")).collect();
    // A file with the same path comes first, then the one closest to the behavior's folder.
    found.sort_by_key(|f| (f.to_lowercase() != path.to_lowercase(), f.matches('/').count(), f.clone()));
    found.into_iter().next()
}

/// The limits on the search for a file that was probably meant: nested folders, and files.
const DEEPEST: usize = 6;
const MOST_FILES: usize = 5_000;

fn collect(folder: &Path, wanted: &str, deep: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && deep > 0 => collect(&entry.path(), wanted, deep - 1, left, found),
            Ok(kind) if kind.is_file() && entry.file_name().to_string_lossy().to_lowercase() == *wanted => {
                found.push(entry.path());
            }
            _ => {}
        }
    }
}
