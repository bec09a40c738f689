//! The examples that come with Boxstep: a folder beside the program or in the Python package, whose behaviors every
//! command takes by name.

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

const FOLDER: &str = "examples";
/// How many folders above the program may be its build folder.
const LEVELS: usize = 3;

static EXAMPLES: OnceLock<Option<PathBuf>> = OnceLock::new();

/// Looks for the examples of the program or module at `file`: in its folder, or, if that is Cargo's build folder or
/// the package's source, in the repository. A development build knows its repository, wherever Cargo builds.
pub(crate) fn look_beside(file: &Path) {
    EXAMPLES.get_or_init(|| {
        let beside = file.parent()?;
        let mut above = beside.ancestors().take(LEVELS);
        let built =
            above.find(|folder| folder.ends_with("target") || folder.ends_with("python")).and_then(Path::parent);
        let source = cfg!(debug_assertions).then(|| Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")));
        let places = std::iter::once(beside).chain(built).chain(source).map(|place| place.join(FOLDER));
        places.into_iter().find(|place| place.join("hello").join("behavior.xar").is_file())
    });
}

/// Returns the folder of the examples, if they are installed.
pub(crate) fn folder() -> Option<&'static Path> {
    EXAMPLES.get()?.as_deref()
}

/// Returns the parser of arguments that name a behavior or a folder.
pub(crate) fn or_path() -> impl clap::builder::TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(named)
}

/// Returns the example that a path names, `hello` or `examples/hello`, unless there is a file or folder of that name.
fn named(path: PathBuf) -> PathBuf {
    found(&path, folder()).unwrap_or(path)
}

fn found(path: &Path, folder: Option<&Path>) -> Option<PathBuf> {
    let folder = folder?;
    let is_plain =
        path.components().next().is_some() && path.components().all(|part| matches!(part, Component::Normal(_)));
    if !is_plain || path.symlink_metadata().is_ok() {
        return None;
    }
    let within = path.strip_prefix(FOLDER).unwrap_or(path);
    let is_example = within.components().next().is_none_or(|name| folder.join(name).is_dir());
    let example = folder.join(within);
    (is_example && example.exists()).then_some(example)
}

/// Returns the names of the examples and what each of them shows, as the tables of their README have it.
pub(crate) fn listed(readme: &str) -> Vec<(&str, String)> {
    readme
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| [`")?.split('|');
            let name = cells.next()?.split('`').next()?;
            Some((name, cells.next()?.trim().replace('`', "")))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn examples() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
    }

    #[test]
    fn an_example_has_a_name_unless_a_file_has_it() {
        let examples = examples();
        let found = |path: &str| found(Path::new(path), Some(&examples));
        assert_eq!(found("hello"), Some(examples.join("hello")));
        assert_eq!(found("examples/hello/behavior.xar"), Some(examples.join("hello/behavior.xar")));
        assert_eq!(found("examples"), Some(examples.join("")));
        assert_eq!(found("src"), None, "a folder of that name is there");
        for none in ["", "no-such-example", "README.md", "../boxstep-cli/hello", "/hello", "-"] {
            assert_eq!(found(none), None, "{none}");
        }
        assert_eq!(super::found(Path::new("hello"), None), None);
    }

    #[test]
    fn each_example_is_listed() {
        let readme = std::fs::read_to_string(examples().join("README.md")).unwrap();
        let listed = listed(&readme);
        let mut names: Vec<_> = listed.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.sort();
        let folders = std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap());
        let mut there: Vec<_> = folders
            .filter(|entry| entry.file_type().unwrap().is_dir())
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        there.sort();
        assert_eq!(names, there);
        assert!(listed.iter().all(|(_, shows)| shows.len() > 10), "{listed:?}");
    }
}
