//! The Python files of a behavior's project that its scripts import. They are parsed with the scripts, because the
//! services that they call are used by the behavior, too.

use crate::walk;
use boxstep_check::Import;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Modules that Boxstep provides.
const OURS: &[&str] =
    &["almath", "boxstep", "motion", "naoqi", "object_factory", "qi", "qicore", "qicore_legacy", "vision_definitions"];

/// Extensions of modules that can be imported but have no source text.
const COMPILED: &[&str] = &["pyc", "pyo", "so", "pyd"];

/// The places of a behavior's own modules.
pub(crate) struct OwnModules {
    /// The absolute folders in which scripts find modules by default.
    folders: Vec<PathBuf>,
    /// The folder of the whole project: scripts add its subfolders to `sys.path`, and which ones is only known when
    /// they run.
    project: Option<PathBuf>,
    /// The project's Python files, listed on first use, and the folders that cannot be read.
    files: OnceCell<(Vec<PathBuf>, Vec<String>)>,
}

/// What an import refers to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A module that is not part of the project: there is no file of that name.
    Library,
    /// Neither a file nor a module of Python's standard library has that name.
    Nothing,
    /// These files.
    Files(Vec<PathBuf>),
    /// A file without source text.
    Compiled(PathBuf),
}

impl OwnModules {
    /// Creates the search for modules in these folders and anywhere in the project.
    pub(crate) fn new(folders: Vec<PathBuf>, project: Option<PathBuf>) -> Self {
        Self { folders, project, files: OnceCell::new() }
    }

    /// Returns what an import in a file of the folder `beside` may refer to. If several files have the name, all of
    /// them are returned, because only running the scripts would tell which one is imported.
    pub(crate) fn find(&self, import: &Import, beside: Option<&Path>) -> Found {
        let parts: Vec<&str> = import.name.split('.').collect();
        let mut files: Vec<PathBuf> = Vec::new();
        let mut compiled = None;
        // Importing a module runs its packages first.
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

    /// Returns messages about the folders that cannot be read, if the project was searched.
    pub(crate) fn closed(&self) -> &[String] {
        self.files.get().map_or(&[], |(_, closed)| closed)
    }

    /// Returns the name of a file for people: relative to the project, if it is inside.
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

/// Returns `lib/helper` for `lib/helper.cpython-312-x86_64-linux-gnu.so`.
fn module_of(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    Some(file.with_file_name(name.split('.').next()?))
}
