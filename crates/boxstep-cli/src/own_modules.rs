//! The Python files of a behavior's own, which its scripts import: read with them, as what they call is called as well.

use crate::walk;
use boxstep_check::Import;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Modules that Boxstep brings itself.
const OURS: &[&str] =
    &["almath", "boxstep", "motion", "naoqi", "object_factory", "qi", "qicore", "qicore_legacy", "vision_definitions"];

/// What has no text, but is imported all the same.
const COMPILED: &[&str] = &["pyc", "pyo", "so", "pyd"];

/// Where modules of a behavior's own lie.
pub(crate) struct OwnModules {
    /// Folders in which scripts find them without saying so, absolute.
    folders: Vec<PathBuf>,
    /// The folder of the whole project: scripts put folders within it on `sys.path`, and which ones shows only when they run.
    project: Option<PathBuf>,
    /// The project's Python files, once somebody has asked; and what cannot be looked into.
    files: OnceCell<(Vec<PathBuf>, Vec<String>)>,
}

/// What an import may mean.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A module that is not the behavior's: there is no file of that name.
    Library,
    /// No file of that name, and Python's own library has none, either.
    Nothing,
    /// These files.
    Files(Vec<PathBuf>),
    /// A file without a text.
    Compiled(PathBuf),
}

impl OwnModules {
    /// Those in these folders, and anywhere in the project.
    pub(crate) fn new(folders: Vec<PathBuf>, project: Option<PathBuf>) -> Self {
        Self { folders, project, files: OnceCell::new() }
    }

    /// What an import may mean in a file of `beside`. Of several files of one name nobody can say here which one it is: all of them.
    pub(crate) fn find(&self, import: &Import, beside: Option<&Path>) -> Found {
        let parts: Vec<&str> = import.name.split('.').collect();
        let mut files: Vec<PathBuf> = Vec::new();
        let mut compiled = None;
        // A package runs before what is in it.
        for end in 1..=parts.len() {
            let name: PathBuf = parts.iter().take(end).collect();
            let endings = [name.with_extension("py"), name.join("__init__.py")];
            let direct = self.folders.iter().map(PathBuf::as_path).chain(beside);
            let mut found: Vec<PathBuf> = direct
                .flat_map(|folder| endings.iter().map(|file| folder.join(file)))
                .filter(|f| f.is_file())
                .collect();
            let inside = self.files().iter().filter(|file| endings.iter().any(|ending| file.ends_with(ending)));
            found.extend(inside.cloned());
            if found.is_empty() {
                let same =
                    |file: &&PathBuf| is_compiled(file) && module_of(file).is_some_and(|own| own.ends_with(&name));
                let direct = self.folders.iter().map(PathBuf::as_path).chain(beside);
                let beside =
                    direct.flat_map(|folder| COMPILED.iter().map(|ending| folder.join(name.with_extension(ending))));
                let first = self.files().iter().find(same).cloned();
                compiled = compiled.or(first).or_else(|| beside.into_iter().find(|file| file.is_file()));
            }
            files.extend(found);
        }
        files.sort();
        files.dedup();
        let first = parts.first().copied().unwrap_or_default();
        match (files.is_empty(), compiled) {
            (false, _) => Found::Files(files),
            (true, Some(file)) => Found::Compiled(file),
            (true, None) if import.is_library || OURS.contains(&first) => Found::Library,
            (true, None) => Found::Nothing,
        }
    }

    /// What of the project cannot be looked into, if it was looked for.
    pub(crate) fn closed(&self) -> &[String] {
        self.files.get().map_or(&[], |(_, closed)| closed)
    }

    /// Its name for people: in the project if it lies there.
    pub(crate) fn shown(&self, file: &Path) -> String {
        let mut roots = self.project.iter().chain(&self.folders);
        let short = roots.find_map(|root| file.strip_prefix(root).ok()).unwrap_or(file);
        short.display().to_string()
    }

    fn files(&self) -> &[PathBuf] {
        let Some(project) = &self.project else { return &[] };
        let (files, _) = self.files.get_or_init(|| {
            let walked = walk::walk(project);
            let closed = walked.closed.into_iter().map(|closed| closed.failure().to_string()).collect();
            let mut files: Vec<PathBuf> = walked.items.into_iter().map(walkdir::DirEntry::into_path).collect();
            files.retain(|file| {
                let inside = file.strip_prefix(project).unwrap_or(file);
                let is_library = inside.iter().any(|part| part == "site-packages" || part == "__pycache__");
                !is_library && (file.extension().is_some_and(|e| e == "py") || is_compiled(file)) && file.is_file()
            });
            (files, closed)
        });
        files
    }
}

fn is_compiled(file: &Path) -> bool {
    file.extension().is_some_and(|ending| COMPILED.iter().any(|compiled| ending == *compiled))
}

/// `lib/helper` of `lib/helper.cpython-312-x86_64-linux-gnu.so`.
fn module_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    Some(file.with_file_name(name.split('.').next()?))
}
