//! The door: a `.xar`, a behavior's folder, a `.pml` or a project's folder.

use super::inside::{inside, normal};
use super::{Manifest, Pml, Translations, language_code, read_manifest, read_pml, read_translations};
use crate::error::{FormatError, Problem};
use crate::{Limits, XarFile, codes, read_xar, split};
use boxstep_types::Diagnostic;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// What a path turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenedKind {
    /// A `.xar` or a folder with `behavior.xar` that no project file lists.
    Behavior,
    /// A project, or one behavior of it.
    Project,
    /// An installed package: a manifest without a project file.
    Package,
}

/// Something that has behaviors. They are listed, not read.
#[derive(Clone, Debug)]
pub struct Opened {
    /// What it is.
    pub kind: OpenedKind,
    /// The project's name, or the behavior's.
    pub name: String,
    /// The folder that nothing leads out of.
    pub folder: PathBuf,
    /// Its behaviors, in file order. If the path named one `.xar`, that one alone.
    pub behaviors: Vec<Behavior>,
    /// The project file.
    pub pml: Option<Pml>,
    /// The manifest.
    pub manifest: Option<Manifest>,
    /// What could be read around.
    pub findings: Vec<Diagnostic>,
}

/// A behavior that can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behavior {
    /// Its folder's path in the project, as robots name it; `.` for the project's own folder.
    pub name: String,
    /// Its folder: attached files are relative to it.
    pub folder: PathBuf,
    /// Its `.xar`, or the `l0_root.xml` of a split folder.
    pub xar: PathBuf,
    /// The path of its `.xar` in the project, with `/`; translations are keyed by it. A split folder has the
    /// one that its `behavior.xar` would have.
    pub relative: String,
}

impl Behavior {
    /// Whether it is a split folder.
    pub fn is_split(&self) -> bool {
        is_split_root(&self.xar)
    }

    /// Reads it.
    pub fn read(&self, limits: &Limits) -> Result<XarFile, FormatError> {
        if self.is_split() {
            let folder = self.xar.parent().unwrap_or(Path::new(""));
            let dir = split::Dir(folder);
            let mut file = split::read(&folder.to_string_lossy(), &dir, limits)?;
            file.findings.extend(dir.strays(&file));
            return Ok(file);
        }
        read_xar(&self.xar.to_string_lossy(), &read_file(&self.xar, limits)?, limits)
    }
}

impl Opened {
    /// A behavior by its name, the last part of it, or the path of its `.xar`.
    pub fn behavior(&self, name: &str) -> Option<&Behavior> {
        let by = |fits: &dyn Fn(&Behavior) -> bool| self.behaviors.iter().find(|b| fits(b));
        by(&|b| b.name == name)
            .or_else(|| by(&|b| b.relative == name))
            .or_else(|| by(&|b| b.name.rsplit('/').next() == Some(name)))
    }

    /// The behavior that is meant when none is named: the only one, the one of the project's own folder,
    /// or the only one that a person may ask for. `None` if that is not clear.
    pub fn default_behavior(&self) -> Option<&Behavior> {
        if let [only] = self.behaviors.as_slice() {
            return Some(only);
        }
        if let Some(own) = self.behaviors.iter().find(|b| b.name == ".") {
            return Some(own);
        }
        let offered = self.manifest.as_ref()?.behaviors.iter().filter(|b| b.user_requestable);
        let mut named = offered.filter_map(|b| self.behavior(&plain(&b.path)));
        named.next().filter(|_| named.next().is_none())
    }

    /// The package's id on the robot.
    pub fn uuid(&self) -> Option<&str> {
        self.manifest.as_ref()?.uuid.as_deref()
    }

    /// The translations into a language (`en_US` or `English`), if the project has any.
    pub fn translations(&self, language: &str, limits: &Limits) -> Result<Option<Translations>, FormatError> {
        let code = language_code(language);
        let entries = self.pml.iter().flat_map(|p| &p.translations);
        let Some(entry) = entries.into_iter().find(|t| t.language.eq_ignore_ascii_case(code)) else { return Ok(None) };
        let path = inside(&self.folder, "", &entry.src).map_err(FormatError::new)?;
        read_translations(&path.to_string_lossy(), &read_file(&path, limits)?, limits).map(Some)
    }

    /// The file that an attached-file parameter or a `dialogFile` of a behavior means. Both are relative
    /// to the behavior's folder; a parameter's text usually begins with `/`.
    pub fn attached(&self, behavior: &Behavior, path: &str) -> Result<PathBuf, FormatError> {
        let base = behavior.relative.rsplit_once('/').map_or("", |(folder, _)| folder);
        inside(&self.folder, base, path.trim_start_matches('/')).map_err(FormatError::new)
    }
}

/// Opens a `.xar`, a `.pml`, or the folder of a behavior or project; a split folder counts as a behavior. A `.xar` that a project file of its
/// folder or of one up to four levels up lists is opened as part of that project; one that none lists stands
/// for itself, with the manifest of such a folder if there is one.
pub fn open(path: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    let data = fs::metadata(path).map_err(|e| unreadable(path, &e))?;
    if data.is_dir() {
        return open_folder(path, limits);
    }
    match ending(path).as_str() {
        "pml" => open_pml(path, limits),
        "xar" => open_xar(path, limits),
        "xml" if is_split_root(path) => open_xar(path, limits),
        _ => Err(FormatError::new(Problem::NotAProject(path.to_owned(), "neither a .xar nor a .pml"))),
    }
}

fn open_folder(path: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    let projects = project_files(path).map_err(|e| unreadable(path, &e))?;
    match projects.as_slice() {
        [] => {}
        [only] => return open_pml(only, limits),
        many => {
            // Choregraphe names the file after the folder.
            let own = many.iter().find(|p| p.file_stem() == path.file_name());
            let several = Problem::NotAProject(path.to_owned(), "a folder with several .pml; name one");
            return open_pml(own.ok_or_else(|| FormatError::new(several))?, limits);
        }
    }
    for behavior in [path.join("behavior.xar"), split_root(path)] {
        if behavior.is_file() {
            return open_xar(&behavior, limits);
        }
    }
    if path.join("manifest.xml").is_file() {
        return open_package(path, limits);
    }
    let nothing =
        Problem::NotAProject(path.to_owned(), "a folder without .pml, behavior.xar, l0_root.xml and manifest.xml");
    Err(FormatError::new(nothing))
}

fn open_xar(path: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    // Where it really is decides what belongs to it.
    let real = path.canonicalize().map_err(|e| unreadable(path, &e))?;
    for folder in real.ancestors().skip(1).take(5) {
        for project in project_files(folder).unwrap_or_default() {
            let Ok(mut opened) = open_pml(&project, limits) else { continue };
            let is_it = |b: &Behavior| b.xar.canonicalize().is_ok_and(|x| x == real);
            if opened.behaviors.iter().any(is_it) {
                opened.behaviors.retain(is_it);
                opened.behaviors.truncate(1);
                return Ok(opened);
            }
        }
    }
    let folder = real.parent().unwrap_or(&real);
    let root = project_root(folder);
    let inside_root = |p: &Path| p.strip_prefix(&root).unwrap_or(p).to_string_lossy().replace('\\', "/");
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let parent = folder.file_name().map(|n| n.to_string_lossy().into_owned());
    let mut opened = Opened {
        kind: OpenedKind::Behavior,
        name: parent.filter(|_| stem == "behavior" || is_split_root(path)).unwrap_or(stem),
        behaviors: vec![Behavior {
            name: plain(&inside_root(folder)),
            folder: folder.to_owned(),
            xar: path.to_owned(),
            relative: inside_root(&if is_split_root(path) { folder.join("behavior.xar") } else { real.clone() }),
        }],
        folder: root,
        pml: None,
        manifest: None,
        findings: Vec::new(),
    };
    opened.take_manifest(&opened.folder.join("manifest.xml"), limits);
    Ok(opened)
}

fn open_pml(path: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    let pml = read_pml(&path.to_string_lossy(), &read_file(path, limits)?, limits)?;
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned();
    let mut opened = Opened {
        kind: OpenedKind::Project,
        name: pml.name.clone(),
        folder,
        behaviors: Vec::new(),
        manifest: None,
        findings: pml.findings.clone(),
        pml: None,
    };
    for entry in &pml.behaviors {
        // A project that names a file of its neighbours is not one to go on with.
        let behavior = behavior(&opened.folder, &entry.src, &entry.xar);
        let behavior = behavior.map_err(|problem| FormatError::at(problem, entry.span, pml.sources.clone()))?;
        if !behavior.xar.is_file() {
            let message = format!("there is no {}", behavior.xar.display());
            opened.findings.push(Diagnostic::error(codes::MISSING_FILE, message).at(entry.span));
        }
        opened.behaviors.push(behavior);
    }
    opened.tell_if_empty();
    let manifest = pml.manifest.as_deref().unwrap_or("manifest.xml");
    let manifest = inside(&opened.folder, "", manifest).map_err(FormatError::new)?;
    opened.take_manifest(&manifest, limits);
    opened.pml = Some(pml);
    Ok(opened)
}

fn open_package(folder: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    let path = folder.join("manifest.xml");
    let manifest = read_manifest(&path.to_string_lossy(), &read_file(&path, limits)?, limits)?;
    let mut behaviors = Vec::new();
    for entry in &manifest.behaviors {
        let behavior = behavior(folder, &entry.path, "behavior.xar");
        behaviors.push(behavior.map_err(|problem| FormatError::at(problem, entry.span, manifest.sources.clone()))?);
    }
    let name = manifest.names.first().map(|n| n.text.clone()).or_else(|| manifest.uuid.clone());
    let mut opened = Opened {
        kind: OpenedKind::Package,
        name: name.unwrap_or_default(),
        folder: folder.to_owned(),
        behaviors,
        pml: None,
        manifest: Some(manifest),
        findings: Vec::new(),
    };
    opened.tell_if_empty();
    Ok(opened)
}

impl Opened {
    /// A project of dialogs or files alone is a project too.
    fn tell_if_empty(&mut self) {
        if self.behaviors.is_empty() {
            let message = format!("the project \"{}\" has no behavior", self.name);
            self.findings.push(Diagnostic::warning(codes::NO_BEHAVIOR, message));
        }
    }

    /// A manifest that is absent or broken does not keep a behavior from being read.
    fn take_manifest(&mut self, path: &Path, limits: &Limits) {
        if !path.is_file() {
            return;
        }
        let name = path.to_string_lossy();
        match read_file(path, limits).and_then(|bytes| read_manifest(&name, &bytes, limits)) {
            Ok(manifest) => self.manifest = Some(manifest),
            // Its span points into another file than the project's: the place goes into the words.
            Err(e) => {
                let message = format!("the manifest is not used: {e}");
                self.findings.push(Diagnostic::warning(codes::BAD_PROJECT_ENTRY, message));
            }
        }
    }
}

fn behavior(root: &Path, src: &str, xar: &str) -> Result<Behavior, Problem> {
    let folder = inside(root, "", src)?;
    let mut path = inside(root, src, xar)?;
    if !path.is_file() && split_root(&folder).is_file() {
        path = split_root(&folder);
    }
    let relative = normal(src, xar).unwrap_or_default();
    Ok(Behavior { name: plain(src), folder, xar: path, relative })
}

/// Where reading a split folder begins.
fn split_root(folder: &Path) -> PathBuf {
    folder.join(format!("{}.xml", split::ROOT))
}

fn is_split_root(path: &Path) -> bool {
    path.extension().is_some_and(|e| e == "xml") && path.file_stem().is_some_and(|s| s == split::ROOT)
}

fn plain(src: &str) -> String {
    normal("", src).filter(|s| !s.is_empty()).unwrap_or_else(|| ".".into())
}

/// The folder that paths of a behavior's file may not leave, when only the behavior's folder is known: the
/// nearest one up to four levels up with a `.pml` or a `manifest.xml`, or else the behavior's own.
pub fn project_root(folder: &Path) -> PathBuf {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let marked = |p: &&Path| p.join("manifest.xml").is_file() || project_files(p).is_ok_and(|f| !f.is_empty());
    let root = real.ancestors().take(5).find(marked);
    root.unwrap_or(&real).to_owned()
}

fn project_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if ending(&path) == "pml" && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// At most one byte more than the limit is read; the reader of the text refuses it then.
fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, FormatError> {
    let read = || {
        // Looked at before it is opened: opening a pipe would wait for its other end.
        if !fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take((limits.bytes as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|e| unreadable(path, &e))
}

fn unreadable(path: &Path, error: &std::io::Error) -> FormatError {
    FormatError::new(Problem::Unreadable(path.to_owned(), error.to_string()))
}
