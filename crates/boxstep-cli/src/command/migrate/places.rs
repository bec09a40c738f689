//! Finds the scripts to migrate, and puts the new scripts into their files.

use super::beside::Beside;
use super::text::Outcome;
use crate::args::MigrateArgs;
use crate::failure::Failure;
use crate::files::LIBRARIES;
use crate::open;
use crate::progress::Progress;
use crate::settings::{Finder, folder_of};
use crate::walk::{Walked, is_file, walk};
use boxstep_format::model::ScriptLanguage;
use boxstep_format::project::Behavior;
use boxstep_format::raw::{RawKind, RawNode};
use boxstep_format::{Limits, XarFile, paths, split};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file with scripts.
pub(super) struct Target {
    pub(super) path: PathBuf,
    /// The path in messages.
    pub(super) shown: String,
    pub(super) scripts: Vec<Script>,
    kind: FileKind,
    pub(super) beside: Beside,
    /// The Python version, 2 or 3, of scripts whose first line does not name one.
    pub(super) dialect: u8,
    /// The interpreter that the project names.
    pub(super) python: Option<String>,
}

enum FileKind {
    Xar(Box<XarFile>),
    /// The whole file is one script.
    Python,
}

/// A script in a file.
pub(super) struct Script {
    /// The path of the box; `None` for a module.
    pub(super) path: Option<String>,
    pub(super) text: Arc<str>,
    /// The byte position of its element in a `.xar`.
    at: u32,
}

/// All files to migrate.
#[derive(Default)]
pub(super) struct MigrateTargets {
    pub(super) targets: Vec<Target>,
    /// Files that could not be read. The others are migrated.
    pub(super) failures: Vec<Failure>,
    seen: BTreeSet<PathBuf>,
    finder: Finder,
}

pub(super) fn gather(args: &MigrateArgs, progress: &Progress) -> Result<MigrateTargets, Failure> {
    let mut gathered = MigrateTargets::default();
    for path in &args.files {
        if args.recursive && path.is_dir() {
            let walked = walk(path);
            let before = gathered.targets.len() + gathered.failures.len();
            let xars: Vec<&Path> = walked.items.iter().filter(|i| is_file(i, "xar")).map(|i| i.path()).collect();
            progress.more(xars.len());
            for xar in xars {
                progress.file(xar);
                gathered.xar(xar, &xar.to_string_lossy());
                progress.done();
            }
            let folders = walked.items.iter().filter(|e| e.file_type().is_dir()).map(|e| e.path());
            for folder in folders.filter(|folder| split::root(&split::Dir(folder)).is_some()) {
                gathered.project(folder)?;
            }
            gathered.modules(walked);
            if gathered.targets.len() + gathered.failures.len() == before && gathered.seen.is_empty() {
                return Err(Failure::File(path.clone(), "there is no behavior in it".to_owned()));
            }
        } else {
            gathered.project(path)?;
        }
    }
    Ok(gathered)
}

impl MigrateTargets {
    /// Adds the scripts of a `.xar`, a folder or a project.
    fn project(&mut self, path: &Path) -> Result<(), Failure> {
        let opened = open::changeable(path)?;
        if opened.behaviors.is_empty() {
            return Err(Failure::File(path.to_owned(), "it has no behavior".to_owned()));
        }
        for behavior in &opened.behaviors {
            if behavior.is_split() {
                self.split(behavior);
            } else if behavior.xar.is_file() || opened.behaviors.len() == 1 {
                self.xar(&behavior.xar, &behavior.shown);
            }
        }
        let lone = path.is_file() && path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("pml"));
        if !lone {
            let root = if path.is_dir() { path } else { &opened.folder };
            self.modules(walk(root));
            return Ok(());
        }
        // The folder of a lone file may hold anything: only modules that the file imports are its own.
        let mut folders: Vec<PathBuf> = opened.behaviors.iter().map(|b| b.folder.clone()).collect();
        folders.push(opened.folder.clone());
        folders.extend(LIBRARIES.iter().map(|lib| opened.folder.join(lib)));
        self.imported(&folders);
        Ok(())
    }

    fn xar(&mut self, path: &Path, shown: &str) {
        if self.is_known(path) {
            return;
        }
        let read = std::fs::read(path).map_err(|e| Failure::io(path, &e));
        let file = read.and_then(|bytes| {
            boxstep_format::read_xar(shown, &bytes, &Limits::default()).map_err(|e| open::unreadable(&e))
        });
        let file = match file {
            Ok(file) => file,
            Err(failure) => return self.failures.push(failure),
        };
        let scripts = scripts_of(&file).map(|(path, text, at, _)| Script { path: Some(path), text, at }).collect();
        self.add(path, shown.to_owned(), scripts, FileKind::Xar(Box::new(file)));
    }

    /// Adds the scripts of a split folder, which are files of their own.
    fn split(&mut self, behavior: &Behavior) {
        let file = match behavior.read(&Limits::default()) {
            Ok(file) => file,
            Err(e) => return self.failures.push(open::unreadable(&e)),
        };
        // `main.py` comes from `convert` and is Python 3 already.
        self.is_known(&behavior.folder.join("main.py"));
        for (path, _, _, name) in scripts_of(&file) {
            let name = Path::new(&name).file_name().unwrap_or_default();
            let place = behavior.folder.join(name);
            if place.extension().is_some_and(|e| e == "py") {
                self.module(&place, Some(path));
            } else {
                let why = format!("the script of {path} is not in a file of its own; it is left");
                self.failures.push(Failure::File(place, why));
            }
        }
    }

    fn modules(&mut self, walked: Walked) {
        for closed in walked.closed {
            self.failures.push(closed.failure());
        }
        for item in walked.items.iter().filter(|item| is_file(item, "py")) {
            self.module(item.path(), None);
        }
    }

    /// Adds a file that is one script.
    fn module(&mut self, path: &Path, of_box: Option<String>) {
        if self.is_known(path) {
            return;
        }
        let text = std::fs::read(path).map_err(|e| Failure::io(path, &e)).and_then(|bytes| {
            let text = String::from_utf8(bytes);
            text.map_err(|_| Failure::File(path.to_owned(), "it is not UTF-8; save it as that first".to_owned()))
        });
        match text {
            Ok(text) => {
                let script = Script { path: of_box, text: text.into(), at: 0 };
                self.add(path, path.to_string_lossy().into_owned(), vec![script], FileKind::Python);
            }
            Err(failure) => self.failures.push(failure),
        }
    }

    /// Adds the modules in these folders that scripts import, and the modules that those import.
    fn imported(&mut self, folders: &[PathBuf]) {
        let mut next = 0;
        while let Some(target) = self.targets.get(next) {
            next += 1;
            let names: BTreeSet<String> = target.scripts.iter().flat_map(|s| imports(&s.text)).collect();
            let beside = target.path.parent().map(Path::to_owned);
            for name in names {
                for folder in folders.iter().chain(&beside) {
                    let (plain, package) = (folder.join(format!("{name}.py")), folder.join(&name));
                    if package.join("__init__.py").is_file() {
                        self.modules(walk(&package));
                    } else if plain.is_file() {
                        self.module(&plain, None);
                    }
                }
            }
        }
    }

    fn is_known(&mut self, path: &Path) -> bool {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        !self.seen.insert(real)
    }

    fn add(&mut self, path: &Path, shown: String, scripts: Vec<Script>, kind: FileKind) {
        let settings = match self.finder.for_folder(folder_of(path)) {
            Ok(settings) => settings,
            Err(failure) => return self.failures.push(failure),
        };
        let (dialect, python) = (settings.config.dialect, settings.config.python.clone());
        let beside = if matches!(kind, FileKind::Python) { Beside::find(path) } else { Beside::default() };
        self.targets.push(Target { path: path.to_owned(), shown, scripts, kind, beside, dialect, python });
    }
}

/// Returns the Python scripts of boxes: path, text, position of the element, and file name.
fn scripts_of(file: &XarFile) -> impl Iterator<Item = (String, Arc<str>, u32, String)> {
    paths::boxes(&file.project).filter_map(|at| {
        let script = at.def.script.as_ref()?;
        let python = script.language == ScriptLanguage::Python && !script.language.is_lost(&script.text);
        let wanted = python && !script.text.trim().is_empty();
        let name = file.sources.name(script.text_span.file).to_owned();
        wanted.then(|| (at.path.to_string(), script.text.clone(), script.span.start, name))
    })
}

/// Returns the first parts of the names that a script imports. Words in string literals may be among them; that is
/// harmless, because only existing files of that name are used.
fn imports(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let first = |name: &str| name.trim_start_matches('.').split(['.', ' ', '\t']).next().unwrap_or_default().to_owned();
    for statement in text.split(['\n', '\r', ';', ':']).map(str::trim) {
        if let Some(rest) = statement.strip_prefix("import ") {
            names.extend(rest.split('#').next().unwrap_or_default().split(',').map(|name| first(name.trim())));
        } else if let Some((module, given)) = statement.strip_prefix("from ").and_then(|r| r.split_once(" import ")) {
            names.push(first(module.trim()));
            // `from . import name` imports modules of the package itself.
            if module.trim().chars().all(|c| c == '.') {
                names.extend(given.split(',').map(|name| first(name.trim_matches([' ', '(', ')']))));
            }
        }
    }
    names.retain(|name| !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric()));
    names
}

impl Target {
    /// Returns the file with its new scripts; `None` if nothing changes.
    pub(super) fn changed(&self, outcomes: &[Outcome]) -> Result<Option<Vec<u8>>, Failure> {
        let new = self.scripts.iter().zip(outcomes).filter_map(|(script, outcome)| match outcome {
            Outcome::Done { text, .. } if **text != *script.text => Some((script, text)),
            _ => None,
        });
        let new: Vec<_> = new.collect();
        if new.is_empty() {
            return Ok(None);
        }
        let FileKind::Xar(file) = &self.kind else {
            return Ok(new.first().map(|(_, text)| text.as_bytes().to_vec()));
        };
        let mut edits = file.edits();
        for (script, text) in new {
            match content(file, script.at) {
                Some(content) => edits.set_text(content, text),
                None => {
                    let path = script.path.as_deref().unwrap_or_default();
                    let why = format!("the script of {path} has text beside it; nothing is changed");
                    return Err(Failure::File(self.path.clone(), why));
                }
            }
        }
        let edited = file.edited(edits, &Limits::default());
        Ok(Some(edited.map_err(|e| Failure::File(self.path.clone(), e.to_string()))?.to_bytes()))
    }
}

/// Returns the element that holds the text of a script; `None` if there is other text beside its CDATA section, which
/// would be lost.
fn content(file: &XarFile, script: u32) -> Option<RawNode<'_>> {
    let node = file.raw().starting_at(script)?;
    let local = |n: &RawNode<'_>| n.name().rsplit(':').next().is_some_and(|name| name.eq_ignore_ascii_case("content"));
    let content = node.elements().find(local)?;
    let has = |kind| content.children().any(|n| n.kind() == kind);
    let mixed = has(RawKind::Text) && has(RawKind::CData) || has(RawKind::Comment) || has(RawKind::Instruction);
    (!mixed).then_some(content)
}

/// The new contents of files, by path.
pub(super) type Files = BTreeMap<PathBuf, Vec<u8>>;

#[cfg(test)]
mod tests {
    use super::imports;

    #[test]
    fn what_a_script_imports() {
        let text = "import a, b.c as d  # e\nif x: import f\nfrom g.h import i\nfrom . import j, (k)\nx = 'import'\n";
        assert_eq!(imports(text), ["a", "b", "f", "g", "j", "k"]);
    }
}
