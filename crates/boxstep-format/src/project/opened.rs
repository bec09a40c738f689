//! What an input has: its behaviors, its manifest, its translations.

use super::inside::inside;
use super::one_box;
use super::open::{ending, folder_name, is_split_root, read_file, shown};
use super::stream::too_large;
use super::unpacked::Unpacked;
use super::{Manifest, Pml, Translations, language_code, read_translations};
use crate::error::FormatError;
use crate::{Limits, XarFile, read_xar, split};
use boxstep_types::Diagnostic;
use std::path::{Path, PathBuf};

/// The kind of input that a path refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedKind {
    /// A `.xar`, or a folder with `behavior.xar`, that no project file lists.
    Behavior,
    /// A project, or one behavior of it.
    Project,
    /// An installed package: a manifest without a project file.
    Package,
    /// Boxes that were saved one by one, as in a `.cbl`.
    Library,
}

/// An opened input, with a list of its behaviors. The behaviors themselves are not read yet.
///
/// An archive is unpacked into a private folder, which is removed when the last clone of this value is dropped.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The kind of input.
    pub kind: OpenedKind,
    /// The name of the project or behavior.
    pub name: String,
    /// The project's folder. No path in the project's files may lead out of it.
    pub folder: PathBuf,
    /// The behaviors, in file order. If the path was that of one `.xar`, only that one.
    pub behaviors: Vec<Behavior>,
    /// The names of all behaviors of the input, including those that [`open_named`](super::open_named) did not look for.
    pub names: Vec<String>,
    /// The project file, if there is one.
    pub pml: Option<Pml>,
    /// The manifest, if there is one and it can be read.
    pub manifest: Option<Manifest>,
    /// The paths of the project file and the manifest, if they were read.
    pub read: Vec<PathBuf>,
    /// The problems that were recovered from. Their spans refer to the project file.
    pub findings: Vec<Diagnostic>,
    /// Why an existing manifest is not used.
    pub manifest_error: Option<FormatError>,
    pub(super) unpacked: Option<Unpacked>,
}

/// A behavior that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// The path of its folder in the project, by which robots name it; `.` for the project's own folder.
    pub name: String,
    /// The folder of the behavior, to which paths of attached files are relative.
    pub folder: PathBuf,
    /// The `.xar`, or the `l0_root.xml` of a split folder, see [`split::root`].
    pub xar: PathBuf,
    /// The path of the `.xar` in the project, with `/`, which is the key for translations. For a split folder it is the
    /// path that its `behavior.xar` would have.
    pub relative: String,
    /// The name of the `.xar` in messages.
    pub shown: String,
    /// The arguments of a program of its own; `None` for those of the run, and for other behaviors.
    pub(super) args: Option<Vec<String>>,
}

impl Behavior {
    /// Returns true if the behavior is a split folder.
    pub fn is_split(&self) -> bool {
        is_split_root(&self.xar)
    }

    /// Returns true if the behavior is a Python program.
    pub fn is_program(&self) -> bool {
        ending(&self.xar) == "py"
    }

    /// Reads the behavior.
    pub fn read(&self, limits: &Limits) -> Result<XarFile, FormatError> {
        if self.is_split() {
            let folder = self.xar.parent().unwrap_or(Path::new(""));
            let shown = Path::new(&self.shown).parent().unwrap_or(Path::new(""));
            let dir = split::Dir(folder);
            let root = self.xar.file_stem().unwrap_or_default().to_string_lossy();
            let mut file = split::read_from(&shown.to_string_lossy(), &root, &dir, limits)?;
            file.findings.extend(dir.strays(&file));
            return Ok(file);
        }
        let name = self.xar.file_stem().unwrap_or_default().to_string_lossy();
        if matches!(ending(&self.xar).as_str(), "top" | "dlg") {
            return read_xar(&self.shown, one_box::of_dialog(&name, &self.relative).as_bytes(), limits);
        }
        let bytes = read_file(&self.xar, limits).map_err(|e| e.in_file(&self.xar, &self.shown))?;
        if !self.is_program() {
            return read_xar(&self.shown, &bytes, limits);
        }
        if bytes.len() > limits.bytes {
            return Err(too_large(&self.shown, limits.bytes));
        }
        one_box::of_program(&name, &self.shown, &bytes, self.args.as_deref(), limits)
    }
}

impl Opened {
    /// Finds a behavior by its name, by the path of its `.xar`, or by the last part of its name.
    pub fn behavior(&self, name: &str) -> Option<&Behavior> {
        let by = |fits: &dyn Fn(&Behavior) -> bool| self.behaviors.iter().find(|b| fits(b));
        by(&|b| b.name == name)
            .or_else(|| by(&|b| b.relative == name))
            .or_else(|| by(&|b| b.name.rsplit('/').next() == Some(name)))
    }

    /// Returns the behavior to use if the user names none: the only one, the one in the project's own folder, or the
    /// only one that a person may request. `None` if there is no such behavior.
    pub fn default_behavior(&self) -> Option<&Behavior> {
        if let [only] = self.behaviors.as_slice() {
            return Some(only);
        }
        if let Some(own) = self.behaviors.iter().find(|b| b.name == ".") {
            return Some(own);
        }
        let offered = self.manifest.as_ref()?.behaviors.iter().filter(|b| b.user_requestable);
        let mut named = offered.filter_map(|b| self.behavior(&folder_name(&b.path)));
        named.next().filter(|_| named.next().is_none())
    }

    /// The topic files of the collaborative dialogs, which a robot activates without any box, in all languages. Paths
    /// that lead out of the project are left out.
    pub fn collaborative_topics(&self) -> Vec<PathBuf> {
        let dialogs = self.manifest.iter().flat_map(|manifest| &manifest.dialogs);
        let paths = dialogs.flat_map(|dialog| &dialog.topics).map(|topic| inside(&self.folder, "", &topic.text));
        paths.filter_map(Result::ok).collect()
    }

    /// The Python programs of the services that a robot with the package starts by itself, each with the name of its
    /// service. A service whose command starts no Python program of the package is left out, and so is one without a
    /// name, or with that of one before it.
    pub fn service_programs(&self) -> Vec<Behavior> {
        let mut programs: Vec<Behavior> = Vec::new();
        for service in self.manifest.iter().flat_map(|manifest| &manifest.services).filter(|service| service.autorun) {
            let Some((file, args)) = service.python_program() else { continue };
            let Some(xar) = inside(&self.folder, "", file).ok().filter(|path| path.is_file()) else { continue };
            let folder = xar.parent().unwrap_or(&self.folder).to_path_buf();
            let (relative, shown) = (file.trim_start_matches("./").to_owned(), self.shown(&xar));
            if !service.name.is_empty() && programs.iter().all(|other| other.name != service.name) {
                let (name, args) = (service.name.clone(), Some(args));
                programs.push(Behavior { name, folder, xar, relative, shown, args });
            }
        }
        programs
    }

    /// The id of the package on the robot.
    pub fn uuid(&self) -> Option<&str> {
        self.manifest.as_ref()?.uuid.as_deref()
    }

    /// Reads the translations into a language (`en_US` or `English`); `None` if the project has none.
    pub fn translations(&self, language: &str, limits: &Limits) -> Result<Option<Translations>, FormatError> {
        let code = language_code(language);
        for (src, listed, _) in self.translation_files() {
            // A file that is not listed under a language may declare the language itself.
            if !listed.is_empty() && !language_code(&listed).eq_ignore_ascii_case(code) {
                continue;
            }
            let path = inside(&self.folder, "", &src).map_err(FormatError::new)?;
            let shown = self.shown(&path);
            let bytes = read_file(&path, limits).map_err(|e| e.in_file(&path, &shown))?;
            let read = read_translations(&shown, &bytes, limits)?;
            if !listed.is_empty() || language_code(&read.language).eq_ignore_ascii_case(code) {
                return Ok(Some(read));
            }
        }
        Ok(None)
    }

    /// Returns the name of a file in messages. For an unpacked file this is the path of the archive and the entry.
    pub fn shown(&self, path: &Path) -> String {
        shown(self.unpacked.as_ref(), path)
    }

    /// Returns a clone that does not keep the unpacked files: they are removed when the last other clone is dropped. It
    /// is for owners that may live as long as the process.
    pub fn without_keeping(&self) -> Opened {
        let mut copy = self.clone();
        copy.unpacked.iter_mut().for_each(|u| u.keeps = None);
        copy
    }

    /// The path of the archive that the files were unpacked from.
    pub fn archive(&self) -> Option<&Path> {
        self.unpacked.as_ref().map(|u| u.archive.as_path())
    }

    /// Resolves the path of an attached-file parameter or a `dialogFile`. Both are relative to the behavior's folder; a
    /// parameter's text usually begins with `/`.
    pub fn attached(&self, behavior: &Behavior, path: &str) -> Result<PathBuf, FormatError> {
        let base = behavior.relative.rsplit_once('/').map_or("", |(folder, _)| folder);
        inside(&self.folder, base, path.trim_start_matches('/')).map_err(FormatError::new)
    }
}
