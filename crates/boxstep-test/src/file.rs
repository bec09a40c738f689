//! Reads test files, and checks them against their behaviors.

use crate::expect::{Exchange, Expect};
use crate::given::{Given, Hears};
use crate::words::{Parameter, PathWord};
use crate::{BAD_FILE, NOT_THERE};
use boxstep_format::model::{BoxDef, Project};
use boxstep_format::paths;
use boxstep_types::{BoxPath, Diagnostic, FileId, Sources, Span, meant};
use schemars::JsonSchema;
use serde::Deserialize;
use std::io::Read as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The maximum length of a test file, in bytes.
const MOST: u64 = 4 << 20;

/// A test file.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(title = "Boxstep behavior test")]
pub(crate) struct File {
    /// The file to test, relative to the folder of this file: anything that `boxstep play` takes. `app.pml#dance` is
    /// the behavior `dance` of a project or archive. By default the file with the name of this file, or else the
    /// behavior of its folder.
    #[schemars(with = "Option<String>")]
    behavior: Option<Spanned<String>>,
    /// The inputs of every test in this file.
    #[serde(default)]
    given: Given,
    /// The tests.
    #[serde(default, rename = "test")]
    #[schemars(with = "Vec<One>")]
    tests: Vec<Spanned<One>>,
}

/// A test.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct One {
    /// The name of the test, unique in the file.
    #[schemars(with = "String")]
    name: Spanned<String>,
    /// The inputs of the test; they override those of the file.
    #[serde(default)]
    given: Given,
    /// A conversation: what is said to the robot, and what it answers.
    #[serde(default)]
    #[schemars(with = "Vec<Exchange>")]
    talk: Vec<Spanned<Exchange>>,
    /// What the run is expected to do. By default: no script error, no unsupported call, and no failed run.
    expect: Option<Expect>,
}

/// A behavior whose boxes a test file names.
#[derive(Clone, Copy, Debug)]
pub struct Tested<'a> {
    /// The contents of the behavior.
    pub project: &'a Project,
    /// The name of the behavior if it is another one than the tested one: its boxes are then below its name, as in
    /// `my/dance/root/Say`.
    pub beside: Option<&'a str>,
}

impl<'a> From<&'a Project> for Tested<'a> {
    fn from(project: &'a Project) -> Self {
        Self { project, beside: None }
    }
}

/// A test file that has been read.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The path of the file.
    pub path: PathBuf,
    /// The text of the file.
    pub sources: Sources,
    /// The inputs of every test in the file.
    pub given: Given,
    /// The tests, in order.
    pub tests: Vec<Test>,
    file: FileId,
    behavior: Option<Spanned<String>>,
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// The name, unique in the file.
    pub name: String,
    /// The position of the name.
    pub span: Span,
    /// All inputs of the test, including those of the file.
    pub given: Given,
    /// The conversation: what the robot hears, and what it answers.
    pub talk: Vec<Spanned<Exchange>>,
    /// What the run is expected to do.
    pub expect: Option<Expect>,
}

/// The errors of a test file, and the text that they point into.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The errors.
    pub found: Vec<Diagnostic>,
    /// The text.
    pub sources: Sources,
}

impl Suite {
    /// Reads a test file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, Box<Wrong>> {
        let read = || {
            let mut text = String::new();
            std::fs::File::open(path)?.take(MOST).read_to_string(&mut text)?;
            Ok(text)
        };
        read()
            .map_err(|e: std::io::Error| {
                let message = format!("{} cannot be read: {e}", path.display());
                Box::new(Wrong { found: vec![Diagnostic::error(BAD_FILE, message)], sources: Sources::new() })
            })
            .and_then(|text| Self::read(path, &text))
    }

    /// Parses the text of a test file.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn read(path: &Path, text: &str) -> Result<Self, Box<Wrong>> {
        let mut sources = Sources::new();
        let file = sources.add(path.to_string_lossy(), text);
        let wrong = |message: String, range: Option<Range<usize>>| {
            let mut finding = Diagnostic::error(BAD_FILE, message);
            finding.span = range.map(|range| span(file, &range));
            Box::new(Wrong { found: vec![finding], sources: sources.clone() })
        };
        let mut read: File = toml::from_str(text).map_err(|e| wrong(e.message().to_owned(), e.span()))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        read.given.in_folder(folder);
        let mut tests: Vec<Test> = Vec::new();
        for one in read.tests {
            let mut one = one.into_inner();
            one.given.in_folder(folder);
            let (name, range) = (one.name.get_ref().clone(), one.name.span());
            if name.is_empty() || name.contains('\n') {
                return Err(wrong("the name of a test is one line".to_owned(), Some(range)));
            }
            if tests.iter().any(|t| t.name == name) {
                return Err(wrong(format!("there is another test named `{name}` in this file"), Some(range)));
            }
            if let Some((message, range)) = one.expect.as_ref().and_then(contradiction) {
                return Err(wrong(message.to_owned(), Some(range)));
            }
            let said = one.talk.iter().map(Spanned::get_ref);
            one.given.hears.extend(said.map(|said| Hears { text: said.hears.clone(), at: said.at }));
            let given = one.given.with_defaults(&read.given);
            if given.mocks.iter().any(|m| m.returns.is_some() && m.raises.is_some()) {
                return Err(wrong("a mock either `returns` or `raises`".to_owned(), Some(range)));
            }
            tests.push(Test { name, span: span(file, &range), given, talk: one.talk, expect: one.expect });
        }
        Ok(Self { path: path.to_owned(), given: read.given, tests, file, behavior: read.behavior, sources })
    }

    /// Returns what is tested: a path, and the name of a behavior in a project or archive.
    ///
    /// # Errors
    /// The file names something that does not exist.
    pub fn behavior(&self) -> Result<(PathBuf, Option<String>), Box<Wrong>> {
        let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let Some(named) = &self.behavior else { return Ok((self.nearest(folder), None)) };
        let path = folder.join(named.get_ref());
        if path.exists() {
            return Ok((path, None));
        }
        if let Some((file, behavior)) = named.get_ref().rsplit_once('#')
            && folder.join(file).exists()
        {
            return Ok((folder.join(file), Some(behavior.to_owned())));
        }
        let message = format!("there is no {}", path.display());
        Err(self.wrong(vec![self.finding(BAD_FILE, message, &named.span())]))
    }

    /// Returns what a test file tests by default: the file or folder of the same name beside it, else its folder.
    fn nearest(&self, folder: &Path) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let name = name.strip_suffix(crate::ENDING).unwrap_or(&name);
        let beside = |endings: &[&str]| {
            endings.iter().map(|ending| folder.join(format!("{name}.{ending}"))).find(|path| path.is_file())
        };
        let inside = || Some(folder.join(name)).filter(|p| p.is_dir() && p.file_name().is_some());
        let behavior = beside(&["xar", "pml", "crg", "pkg", "cbl", "zip", "dlg", "top"]).or_else(inside);
        // Characters and behavior trees.
        behavior.or_else(|| beside(&["yaml", "yml", "json", "xml"])).unwrap_or_else(|| folder.to_owned())
    }

    /// Returns findings for inputs that the behavior does not have.
    pub fn missing_given(&self, given: &Given, of: Tested<'_>) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for key in given.set.keys() {
            let Parameter { path, name } = key.get_ref();
            self.has(of, path, &key.span(), &mut found, |def| {
                let all: Vec<&str> = def.parameters.iter().map(|p| &*p.name).collect();
                missing("parameter", name, path, &all)
            });
        }
        for stimulus in &given.stimulate {
            let (PathWord(path), input) = (&stimulus.get_ref().path, &stimulus.get_ref().input);
            self.has(of, path, &stimulus.span(), &mut found, |def| {
                let ports = def.inputs.iter().map(|p| &*p.name).chain(def.outputs.iter().map(|p| &*p.name));
                missing("input", input, path, &ports.collect::<Vec<_>>())
            });
        }
        found
    }

    /// Returns findings for everything that the file names and the behavior does not have.
    pub fn missing(&self, of: Tested<'_>) -> Vec<Diagnostic> {
        let mut found = self.missing_given(&self.given, of);
        for test in &self.tests {
            // The inputs of the file are part of every test.
            let own = self.missing_given(&test.given, of);
            found.extend(own.into_iter().filter(|f| !found.contains(f)).collect::<Vec<_>>());
        }
        for expect in self.tests.iter().filter_map(|t| t.expect.as_ref()) {
            for (PathWord(path), range) in expect.paths() {
                self.has(of, path, &range, &mut found, |_| None);
            }
            for output in &expect.outputs {
                let (PathWord(path), name) = (&output.get_ref().path, &output.get_ref().output);
                self.has(of, path, &output.span(), &mut found, |def| {
                    missing("output", name, path, &def.outputs.iter().map(|p| &*p.name).collect::<Vec<_>>())
                });
            }
            for start in &expect.order {
                let (PathWord(path), Some(input)) = (&start.get_ref().path, &start.get_ref().input) else { continue };
                self.has(of, path, &start.span(), &mut found, |def| {
                    missing("input", input, path, &def.inputs.iter().map(|p| &*p.name).collect::<Vec<_>>())
                });
            }
        }
        found
    }

    /// Returns findings for everything that the file names and a character does not have. `has` tells whether there is
    /// a behavior or box at a path. `names` are the names of its behaviors, for suggestions.
    pub fn missing_of_character(&self, has: &dyn Fn(&BoxPath) -> bool, names: &[&str]) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        for given in std::iter::once(&self.given).chain(self.tests.iter().map(|test| &test.given)) {
            for key in given.set.keys().filter(|key| key.get_ref().path.to_string() != "character") {
                let message = "of a character its parameters can be set: `character/NAME`".to_owned();
                found.push(self.finding(NOT_THERE, message, &key.span()));
            }
            for stimulus in &given.stimulate {
                let message = "a character has no boxes of its own to stimulate: let an event come instead".to_owned();
                found.push(self.finding(NOT_THERE, message, &stimulus.span()));
            }
        }
        for expect in self.tests.iter().filter_map(|t| t.expect.as_ref()) {
            for (PathWord(path), range) in expect.paths().into_iter().filter(|(path, _)| !has(&path.0)) {
                let mut finding = self.finding(NOT_THERE, format!("the character has no behavior `{path}`"), &range);
                finding.help = meant(&path.to_string(), names.iter().copied());
                found.push(finding);
            }
        }
        // The inputs of the file are part of every test.
        let mut told: Vec<Diagnostic> = Vec::new();
        found.retain(|finding| {
            let new = !told.contains(finding);
            told.extend(new.then(|| finding.clone()));
            new
        });
        found
    }

    fn has(
        &self,
        of: Tested<'_>,
        path: &BoxPath,
        range: &Range<usize>,
        found: &mut Vec<Diagnostic>,
        lacks: impl FnOnce(&BoxDef) -> Option<(String, Option<String>)>,
    ) {
        let inside = match of.beside {
            None => Ok(path.clone()),
            Some(name) => path.within(name).ok_or_else(|| format!("the boxes of {name} are below its name")),
        };
        let at = inside.and_then(|path| paths::find(of.project, &path).map_err(|error| error.to_string()));
        let (message, help) = match at {
            Ok(at) => match lacks(at.def) {
                Some(lacking) => lacking,
                None => return,
            },
            Err(error) => {
                let all: Vec<String> = paths::boxes(of.project).map(|at| at.path.to_string()).collect();
                (error, meant(&path.to_string(), all.iter().map(String::as_str)))
            }
        };
        let mut finding = self.finding(NOT_THERE, message, range);
        finding.help = help;
        found.push(finding);
    }

    fn finding(&self, code: boxstep_types::Code, message: String, range: &Range<usize>) -> Diagnostic {
        Diagnostic::error(code, message).at(span(self.file, range))
    }

    /// Adds the text that findings point into.
    pub fn wrong(&self, found: Vec<Diagnostic>) -> Box<Wrong> {
        Box::new(Wrong { found, sources: self.sources.clone() })
    }

    /// Returns the span of an expectation.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        span(self.file, range)
    }
}

fn span(file: FileId, range: &Range<usize>) -> Span {
    Span { file, start: range.start as u32, end: range.end as u32 }
}

fn missing(what: &str, name: &str, path: &BoxPath, all: &[&str]) -> Option<(String, Option<String>)> {
    if all.contains(&name) {
        return None;
    }
    let list = if all.is_empty() { "none".to_owned() } else { all.join(", ") };
    let help = meant(name, all.iter().copied()).unwrap_or_else(|| format!("it has {list}"));
    Some((format!("{path} has no {what} `{name}`"), Some(help)))
}

/// Returns an expectation that is empty or contradicts another one.
fn contradiction(expect: &Expect) -> Option<(&'static str, Range<usize>)> {
    for joint in &expect.joints {
        let j = joint.get_ref();
        if [j.degrees, j.radians, j.value].iter().flatten().count() != 1 {
            return Some(("a joint has one of `degrees`, `radians` and `value`", joint.span()));
        }
        if j.tolerance.is_some_and(|t| t.is_nan() || t < 0.0) {
            return Some(("`tolerance` is a number from 0", joint.span()));
        }
    }
    for memory in &expect.memory {
        if memory.get_ref().absent == memory.get_ref().value.is_some() {
            return Some(("a memory key has a `value`, or is `absent`", memory.span()));
        }
    }
    for output in &expect.outputs {
        if output.get_ref().bang && output.get_ref().value.is_some() {
            return Some(("an output is a `bang`, or has a `value`", output.span()));
        }
    }
    match (&expect.ended, &expect.ends_by, &expect.reason) {
        (Some(ended), Some(_), _) if !ended.get_ref() => {
            Some(("`ended = false` and `ends_by` exclude each other", ended.span()))
        }
        (Some(_), _, Some(reason)) => Some(("`reason` says what `ended` says", reason.span())),
        (_, Some(_), Some(reason)) if *reason.get_ref() != crate::expect::Reason::Ended => {
            Some(("`ends_by` is of a run that ended by itself", reason.span()))
        }
        _ => None,
    }
}
