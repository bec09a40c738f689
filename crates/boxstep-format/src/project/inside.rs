//! Confinement of the paths in a project's files to the project's folder.

use crate::error::Problem;
use std::path::{Path, PathBuf};

/// Resolves `path`, a text from a file, relative to `base`, a folder of the project `root`.
///
/// `base` is relative to `root` and may be empty. Both `/` and `\` separate. Whether the file exists is not checked.
///
/// # Errors
/// [`Problem::Escapes`] if the path is absolute, climbs out of `root`, or leaves it through a symbolic link.
pub fn inside(root: &Path, base: &str, path: &str) -> Result<PathBuf, Problem> {
    let relative = normal(base, path).ok_or_else(|| Problem::Escapes(path.to_owned()))?;
    let full = root.join(&relative);
    // Only a link can lead elsewhere. If there is none on the way, canonicalizing is unnecessary; it would query every
    // folder from the root of the disk, for every file of a project.
    let mut here = root.to_owned();
    for part in relative.split('/').filter(|part| !part.is_empty()) {
        here.push(part);
        match here.symlink_metadata() {
            Ok(data) if data.is_symlink() => return resolved(root, full, path),
            Ok(_) => {}
            // A path that does not exist leads nowhere, but a missing project folder is an error.
            Err(_) => return root.metadata().map(|_| full).map_err(|e| unreadable(root, &e)),
        }
    }
    Ok(full)
}

/// Resolves a path that contains links.
fn resolved(root: &Path, full: PathBuf, path: &str) -> Result<PathBuf, Problem> {
    // The longest existing part decides, because no link can exist below it.
    let real_root = root.canonicalize().map_err(|e| unreadable(root, &e))?;
    let real = full.ancestors().find_map(|p| p.canonicalize().ok());
    match real {
        Some(real) if real.starts_with(&real_root) => Ok(full),
        _ => Err(Problem::Escapes(path.to_owned())),
    }
}

fn unreadable(root: &Path, error: &std::io::Error) -> Problem {
    Problem::Unreadable(root.to_owned(), error.to_string())
}

/// Returns `base/path` without `.` and `..`, with `/` only; `None` if it is absolute or climbs out.
pub(crate) fn normal(base: &str, path: &str) -> Option<String> {
    if path.starts_with(['/', '\\']) || path.contains(['\0', ':']) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in base.split(['/', '\\']).chain(path.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            _ => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_plain() {
        assert_eq!(normal("", "a/./b//c").as_deref(), Some("a/b/c"));
        assert_eq!(normal("behavior_1", "../topic/topic.dlg").as_deref(), Some("topic/topic.dlg"));
        assert_eq!(normal("a\\b", "c").as_deref(), Some("a/b/c"));
        assert_eq!(normal("", ".").as_deref(), Some(""));
    }

    #[test]
    fn ways_out_are_refused() {
        for path in ["..", "a/../../b", "/etc/passwd", "\\x", "C:/x", "c:x", "a/..\\..\\b", "a\0b"] {
            assert_eq!(normal("", path), None, "{path}");
        }
        assert_eq!(normal("a", "../.."), None);
    }
}
