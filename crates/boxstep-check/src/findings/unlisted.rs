//! Checks for files in a project's folder that are not part of it.

use crate::codes;
use boxstep_format::Opened;
use boxstep_format::project::is_apple_double;
use boxstep_types::Diagnostic;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The limits on the search: nested folders, and files.
const DEPTH: usize = 8;
const FILES: usize = 20_000;

/// Returns a finding for each behavior in a project's folder that the project does not list, and that robots therefore
/// do not receive.
pub(super) fn unlisted(opened: &Opened) -> Vec<Diagnostic> {
    let Some(pml) = opened.pml.as_ref() else { return Vec::new() };
    let file = |src: &str, xar: &str| opened.folder.join(src).join(xar).canonicalize().ok();
    let listed: HashSet<PathBuf> = pml.behaviors.iter().filter_map(|b| file(&b.src, &b.xar)).collect();
    let mut found = Vec::new();
    let mut left = FILES;
    collect_behaviors(&opened.folder, DEPTH, &mut left, &mut found);
    found.sort();
    let strays = found.iter().filter(|path| path.canonicalize().is_ok_and(|real| !listed.contains(&real)));
    let finding = |path: &PathBuf| {
        let path = path.strip_prefix(&opened.folder).unwrap_or(path).display();
        Diagnostic::note(codes::UNLISTED_FILE, format!("the project does not list {path}"))
    };
    strays.map(finding).collect()
}

fn collect_behaviors(folder: &Path, depth: usize, left: &mut usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        if is_apple_double(&entry.file_name().to_string_lossy()) {
            continue;
        }
        let path = entry.path();
        // Links are not followed, because they may lead anywhere.
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth > 0 => {
                let own_project =
                    std::fs::read_dir(&path).is_ok_and(|mut f| f.any(|e| e.is_ok_and(|e| ends(&e.path(), "pml"))));
                if !own_project {
                    collect_behaviors(&path, depth - 1, left, found);
                }
            }
            Ok(kind) if kind.is_file() && ends(&path, "xar") => found.push(path),
            _ => {}
        }
    }
}

fn ends(path: &Path, with: &str) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case(with))
}
