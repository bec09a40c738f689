//! Finds the tests to play.

use crate::args::TestArgs;
use crate::character::{self, LoadedCharacter};
use crate::failure::{Failure, system_message};
use crate::open::{self, Chosen};
use crate::scenario;
use boxstep_test::{ENDING, Suite, Tested, find};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A test to play.
pub(super) struct Job {
    pub(super) suite: Arc<Suite>,
    /// The index of the test in its suite.
    pub(super) index: usize,
}

impl Job {
    pub(super) fn file(&self) -> String {
        self.suite.path.display().to_string()
    }

    pub(super) fn name(&self) -> &str {
        self.suite.tests.get(self.index).map_or("", |t| &t.name)
    }

    /// Returns `FILE: NAME`.
    pub(super) fn title(&self) -> String {
        format!("{}: {}", self.suite.path.display(), self.name())
    }
}

/// The tests to play.
pub(super) struct Found {
    pub(super) jobs: Vec<Job>,
    /// Files that cannot be used.
    pub(super) wrong: Vec<Failure>,
}

/// Finds and reads the test files, and checks them against their behaviors.
pub(super) fn gather(args: &TestArgs) -> Result<Found, Failure> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut seen = BTreeSet::new();
    for path in &args.paths {
        for file in of_path(path)? {
            if seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())) {
                files.push(file);
            }
        }
    }
    let mut found = Found { jobs: Vec::new(), wrong: Vec::new() };
    let mut behaviors = BTreeMap::new();
    for file in &files {
        match suite(file, &mut behaviors) {
            Err(failure) => found.wrong.push(failure),
            Ok(suite) => {
                let suite = Arc::new(suite);
                found.jobs.extend((0..suite.tests.len()).map(|index| Job { suite: suite.clone(), index }));
            }
        }
    }
    if let Some(text) = &args.filter {
        found.jobs.retain(|job| job.title().contains(text.as_str()));
    }
    if found.jobs.is_empty() && found.wrong.is_empty() {
        let paths = args.paths.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
        return Err(Failure::Usage(match &args.filter {
            Some(text) if !files.is_empty() => format!("no test has `{text}` in its name or file"),
            _ => format!("there are no tests in {paths}: they stand in files named NAME{ENDING} (docs/guides/test.md)"),
        }));
    }
    Ok(found)
}

/// Returns the test files that a path stands for.
fn of_path(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let unreadable = |folder: &Path, e: std::io::Error| Failure::io(folder, &e);
    if path.to_string_lossy().ends_with(ENDING) && !path.is_dir() {
        std::fs::metadata(path).map_err(|e| unreadable(path, e))?;
        return Ok(vec![path.to_owned()]);
    }
    let real = path.canonicalize().map_err(|e| unreadable(path, e))?;
    let mut files = if path.is_dir() { find(path, true).map_err(|e| unreadable(path, e))? } else { Vec::new() };
    // The tests of a behavior may also be beside it; other tests of that folder are not included.
    let parent = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    if let Some(parent) = parent.filter(|_| path != Path::new(".")) {
        let beside = find(parent, false).unwrap_or_default();
        files.extend(beside.into_iter().filter(|file| tests_it(file, &real)));
    }
    Ok(files)
}

/// Returns whether a test file tests the behavior at a canonical path.
fn tests_it(file: &Path, real: &Path) -> bool {
    let Ok(suite) = Suite::open(file) else { return false };
    let Ok((tested, _)) = suite.behavior() else { return false };
    let Ok(tested) = tested.canonicalize() else { return false };
    // A folder is also named by its behavior.xar or project file.
    tested == real || (tested.is_dir() && real.is_file() && real.parent() == Some(&tested))
}

type Behaviors = BTreeMap<(PathBuf, Option<String>), Result<Chosen, String>>;

/// Reads a test file and checks that everything it names exists.
fn suite(file: &Path, behaviors: &mut Behaviors) -> Result<Suite, Failure> {
    let suite = Suite::open(file).map_err(|wrong| scenario::failure(&wrong))?;
    if suite.tests.is_empty() {
        let why = "there is no test in it: a test begins with `[[test]]` and a `name`".to_owned();
        return Err(Failure::File(file.to_owned(), why));
    }
    let (path, name) = suite.behavior().map_err(|wrong| scenario::failure(&wrong))?;
    if let Some(of) = character::file_of(&path).filter(|_| name.is_none()) {
        return of_character(suite, &of);
    }
    let open = || open::behavior(&path, name.as_deref()).map_err(|e| e.to_string());
    let chosen = behaviors.entry((path.clone(), name.clone())).or_insert_with(open);
    let of = |why: &String| {
        Failure::Rendered(format!("{}: what it tests cannot be opened\n{}", file.display(), why.trim_end()))
    };
    let chosen = chosen.as_ref().map_err(of)?;
    let mut missing = suite.missing((&chosen.file.project).into());
    if !missing.is_empty() && chosen.all.len() > 1 {
        // Scripts may start the project's other behaviors.
        for (name, other) in chosen.others(|_| true) {
            let lacks = suite.missing(Tested { project: &other.project, beside: Some(&name) });
            missing.retain(|finding| lacks.iter().any(|l| l.span == finding.span));
        }
    }
    if missing.is_empty() { Ok(suite) } else { Err(scenario::failure(&suite.wrong(missing))) }
}

/// Checks the tests of a character, which is read with the parameters that each test sets.
fn of_character(suite: Suite, path: &Path) -> Result<Suite, Failure> {
    let read = |set: &[_]| {
        let of = |why: Failure| format!("{}: what it tests cannot be opened\n{why}", suite.path.display());
        LoadedCharacter::read(path, set).map_err(|why| Failure::Rendered(of(why).trim_end().to_owned()))
    };
    let loaded = read(&[])?;
    let names: Vec<&str> = loaded.character.behaviors.iter().map(|node| &*node.name).collect();
    let missing = suite.missing_of_character(&|path| loaded.has(path), &names);
    if !missing.is_empty() {
        return Err(scenario::failure(&suite.wrong(missing)));
    }
    for test in suite.tests.iter().filter(|test| !test.given.set.is_empty()) {
        read(&character::parameters(&test.given)?)?;
    }
    Ok(suite)
}

/// Explains why the process of a test could not be started.
pub(super) fn not_started(error: &std::io::Error) -> Failure {
    Failure::Run(format!("a test cannot be started: {}", system_message(error)))
}
