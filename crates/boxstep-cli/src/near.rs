//! What a person may have meant by a path that does not lead to a behavior: a path with another spelling, or one of the
//! behaviors in a folder.

use crate::character;
use crate::robot_word;
use crate::walk::stands;
use boxstep_format::{FormatError, Problem};
use boxstep_types::{Diagnostic, nearest};
use std::fs;
use std::path::{Component, Path, PathBuf};
use walkdir::WalkDir;

/// How many names of a folder are compared.
const NAMES: usize = 2_000;
/// How many files and folders are looked at in the search for behaviors.
const LOOKED_AT: usize = 20_000;
/// How deep the search for behaviors goes.
const DEEPEST: usize = 6;
/// How many behaviors are listed.
const LISTED: usize = 20;

/// The extensions of files that a command takes.
const ENDINGS: [&str; 12] = ["xar", "pml", "crg", "pkg", "cbl", "zip", "yaml", "yml", "json", "xml", "jsonl", "mcap"];

/// Returns the error of a file or folder that cannot be opened, with advice about what the user may have meant.
pub(crate) fn diagnostic(error: &FormatError) -> Diagnostic {
    let mut found = error.diagnostic();
    match error.problem() {
        Problem::Unreadable(path, _) => {
            if let Some(help) = meant(path) {
                found.help = Some(help);
            }
        }
        Problem::NotAProject(path, _) if path.is_dir() => {
            if let Some((message, help)) = folder(path) {
                (found.message, found.help) = (message, Some(help));
            }
        }
        _ => {}
    }
    found
}

/// Returns ``did you mean `…`?`` for a path that does not exist, if there is one that looks like it.
pub(crate) fn meant(path: &Path) -> Option<String> {
    let robot = || path.to_str().filter(|_| path.symlink_metadata().is_err()).and_then(robot_word::advice);
    near(path).map(|near| format!("did you mean `{}`?", near.display())).or_else(robot)
}

/// Returns a path that exists and looks like one that does not.
fn near(path: &Path) -> Option<PathBuf> {
    if path.as_os_str().is_empty() || path.symlink_metadata().is_ok() {
        return None;
    }
    spelled(path).or_else(|| shorter(path)).or_else(|| deeper(path)).or_else(|| example(path))
}

/// Follows a path, and takes the nearest name where a name does not exist.
fn spelled(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let next = found.join(part);
        if next.exists() || !matches!(part, Component::Normal(_)) {
            found = next;
            continue;
        }
        let name = part.as_os_str().to_string_lossy();
        match alike(&found, &name) {
            Some(other) => found.push(other),
            // The folder itself may be the behavior.
            None if parts.peek().is_none() && is_behavior(&found) => return Some(found),
            None => return None,
        }
    }
    Some(found)
}

/// Returns the name in a folder that looks most like one that is not there: one or two other letters, or another
/// extension.
fn alike(folder: &Path, name: &str) -> Option<String> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let names = fs::read_dir(here).ok()?.flatten().take(NAMES);
    let names = names.filter_map(|item| item.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|other| other.starts_with('.') == name.starts_with('.')).collect();
    names.sort();
    let stem = |name: &str| Path::new(name).file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let usable = |other: &&String| match Path::new(other.as_str()).extension() {
        Some(ending) => ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)),
        None => true,
    };
    let other_ending = || names.iter().filter(usable).find(|other| stem(other) == stem(name));
    nearest(name, names.iter().map(String::as_str)).map(str::to_owned).or_else(|| other_ending().cloned())
}

/// Returns the end of a path, if it exists from here: the user may already be in the folder that the path begins with.
fn shorter(path: &Path) -> Option<PathBuf> {
    let mut parts = path.components();
    let first = parts.next()?;
    let rest = parts.as_path();
    (matches!(first, Component::Normal(_)) && !rest.as_os_str().is_empty() && rest.exists()).then(|| rest.to_owned())
}

/// Returns the name of an example that looks like a name.
fn example(path: &Path) -> Option<PathBuf> {
    let mut parts = path.components();
    let name = parts.next().filter(|part| matches!(part, Component::Normal(_)) && parts.next().is_none())?;
    alike(crate::examples::folder()?, &name.as_os_str().to_string_lossy()).map(PathBuf::from)
}

/// Returns a path of this name in a folder here, if there is only one.
fn deeper(path: &Path) -> Option<PathBuf> {
    if !matches!(path.components().next()?, Component::Normal(_)) {
        return None;
    }
    let folders = fs::read_dir(".").ok()?.flatten().take(NAMES).filter(|item| item.path().is_dir());
    let folders = folders.filter(|item| !item.file_name().to_string_lossy().starts_with('.'));
    let mut found = folders.map(|item| PathBuf::from(item.file_name()).join(path)).filter(|inside| inside.exists());
    found.next().filter(|_| found.next().is_none())
}

/// Returns what to say of a folder that is no behavior but has some: a message, and how to name one of them.
fn folder(path: &Path) -> Option<(String, String)> {
    let (found, all) = below(path);
    let first = found.first()?;
    let shown = path.display();
    let count = match (found.len(), all) {
        (1, true) => "one in it".to_owned(),
        (count, true) => format!("{count} in it"),
        (count, false) => format!("more than {count} in it"),
    };
    let message = format!("{shown} is not a behavior, but a folder with {count}");
    let mut help = format!(
        "name one, as in `boxstep play {}`; `boxstep open {shown}` shows all of them in a browser",
        first.display()
    );
    for one in found.iter().take(LISTED) {
        help.push_str(&format!("\n  {}", one.display()));
    }
    match found.len().saturating_sub(LISTED) {
        0 => {}
        more => help.push_str(&format!("\n  … and {more} more")),
    }
    Some((message, help))
}

/// Returns the behaviors, projects, archives and characters below a folder, in order, and whether these are all: a
/// large folder is not searched to its end.
fn below(folder: &Path) -> (Vec<PathBuf>, bool) {
    let mut found = Vec::new();
    let mut walk = WalkDir::new(folder).min_depth(1).max_depth(DEEPEST).sort_by_file_name().into_iter();
    for _ in 0..LOOKED_AT {
        let item = match walk.next() {
            None => return (found, true),
            Some(Ok(item)) => item,
            Some(Err(_)) => continue,
        };
        let is_folder = item.file_type().is_dir();
        if item.file_name().to_string_lossy().starts_with('.') {
            if is_folder {
                walk.skip_current_dir();
            }
            continue;
        }
        // A project is named by its folder. What is inside a behavior or project belongs to it.
        if stands(&item).is_some() || is_folder && character::file_of(item.path()).is_some() {
            found.push(item.path().to_owned());
            if is_folder {
                walk.skip_current_dir();
            }
        }
    }
    (found, false)
}

/// Returns whether a folder has a behavior, project or character of its own.
fn is_behavior(folder: &Path) -> bool {
    let item = WalkDir::new(folder).max_depth(0).into_iter().flatten().next();
    let stands = item.is_some_and(|item| item.file_type().is_dir() && stands(&item).is_some());
    !folder.as_os_str().is_empty() && (stands || character::file_of(folder).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of the examples, from the folder of this crate, where its tests run.
    fn example(name: &str) -> PathBuf {
        Path::new("../../examples").join(name)
    }

    #[test]
    fn a_path_with_a_mistake_leads_to_its_neighbour() {
        let near = |name: &str| near(&example(name));
        assert_eq!(near("helo"), Some(example("hello")));
        assert_eq!(near("Hello/behaviour.xar"), Some(example("hello/behavior.xar")), "two mistakes");
        assert_eq!(near("hello.xar"), Some(example("hello")), "an extension too many");
        assert_eq!(near("hello/behavior.pml"), Some(example("hello/behavior.xar")), "another extension");
        assert_eq!(near("hello/dance.crg"), Some(example("hello")), "the folder is the behavior");
        assert_eq!(near("hello"), None, "it exists");
        assert_eq!(near("nothing-like-it"), None);
        assert_eq!(super::near(Path::new("examples/src/near.rs")), Some("src/near.rs".into()), "already inside");
        assert_eq!(super::near(Path::new("near.rs")), Some("src/near.rs".into()), "one folder below");
        assert_eq!(super::near(Path::new("")), None);
    }

    #[test]
    fn what_a_folder_has_is_listed_in_bounds() {
        let (found, all) = below(Path::new("../../examples"));
        assert!(all && found.contains(&example("hello")) && found.contains(&example("companion")), "{found:?}");
        assert!(!found.contains(&example("hello/behavior.xar")), "{found:?}");

        let place = tempfile::tempdir().unwrap();
        for n in 10..35 {
            fs::write(place.path().join(format!("{n}.xar")), "").unwrap();
        }
        fs::create_dir(place.path().join(".hidden")).unwrap();
        fs::write(place.path().join(".hidden/1.xar"), "").unwrap();
        let (message, help) = folder(place.path()).unwrap();
        assert!(message.ends_with(" is not a behavior, but a folder with 25 in it"), "{message}");
        let (shown, first) = (place.path().display(), place.path().join("10.xar"));
        let begin = format!("name one, as in `boxstep play {}`; `boxstep open {shown}`", first.display());
        assert!(help.starts_with(&begin), "{help}");
        assert_eq!(help.lines().count(), 1 + LISTED + 1, "{help}");
        assert!(help.ends_with("29.xar\n  … and 5 more"), "{help}");
        assert_eq!(folder(Path::new("src/args")), None);
    }
}
