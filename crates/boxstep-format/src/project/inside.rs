//! Paths that files name never lead out of their project's folder.

use crate::error::Problem;
use std::path::{Path, PathBuf};

/// The place of `path`, a text from a file, seen from `base`, a folder of the project `root`.
///
/// `base` is relative to `root` and may be empty. Both `/` and `\` separate. An absolute path, one that
/// climbs out of `root`, and one that leaves it through a symbolic link are refused; whether the file
/// exists is not looked at.
pub fn inside(root: &Path, base: &str, path: &str) -> Result<PathBuf, Problem> {
    let relative = normal(base, path).ok_or_else(|| Problem::Escapes(path.to_owned()))?;
    let full = root.join(&relative);
    // The longest part that exists decides: links further down do not exist either.
    let real_root = root.canonicalize().map_err(|e| Problem::Unreadable(root.to_owned(), e.to_string()))?;
    let real = full.ancestors().find_map(|p| p.canonicalize().ok());
    match real {
        Some(real) if real.starts_with(&real_root) => Ok(full),
        _ => Err(Problem::Escapes(path.to_owned())),
    }
}

/// `base/path` without `.` and `..`, with `/` only; `None` if it is absolute or climbs out.
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
