//! Opening of any input: a `.xar`, a behavior's folder, a `.pml`, a project's folder, or an archive of one.

use super::inside::{inside, normal};
use super::opened::{Behavior, Opened, OpenedKind};
use super::stream::too_large;
use super::unpacked::{self, Unpacked};
use super::{BehaviorDescription, Manifest, Pml, is_apple_double, read_manifest, read_pml};
use crate::error::{FormatError, Problem};
use crate::{Limits, archive, codes, split};
use boxstep_types::Diagnostic;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Opens a `.xar`, a `.pml`, a dialog (`.dlg`) or topic (`.top`), the folder of a behavior or project, a split folder, or an archive (`.crg`, `.pkg`,
/// `.cbl`, `.zip`).
///
/// If a project file in the folder of a `.xar`, or up to four levels above, lists it, it is opened as part of that
/// project. Otherwise it is opened by itself, with the manifest of such a folder if there is one.
pub fn open(path: &Path, limits: &Limits) -> Result<Opened, FormatError> {
    Opener { limits, unpacked: None, name: None }.open(path)
}

/// Like [`open`], but looks only for the behaviors of a project that `name` may refer to ([`Opened::behavior`]), so
/// that the cost does not grow with the number of others. If there is none, all behaviors are listed.
///
/// # Errors
/// As [`open`].
pub fn open_named(path: &Path, name: &str, limits: &Limits) -> Result<Opened, FormatError> {
    let opened = Opener { limits, unpacked: None, name: Some(name) }.open(path)?;
    if opened.behaviors.is_empty() { open(path, limits) } else { Ok(opened) }
}

/// Opens an archive in memory. `name` is its name in messages, and its extension says which kind it should be. A
/// behavior or library in the archive that has no name of its own gets the name without the extension.
///
/// # Errors
/// As [`open`].
pub fn open_bytes(name: &Path, bytes: &[u8], limits: &Limits) -> Result<Opened, FormatError> {
    Opener { limits, unpacked: None, name: None }.open_archive_bytes(name, bytes)
}

/// The context of opening: the limits, where the files were unpacked, and the name of the only behavior wanted, if any.
pub(super) struct Opener<'a> {
    pub(super) limits: &'a Limits,
    pub(super) unpacked: Option<Unpacked>,
    pub(super) name: Option<&'a str>,
}

impl Opener<'_> {
    fn open(&self, path: &Path) -> Result<Opened, FormatError> {
        let data = fs::metadata(path).map_err(|e| unreadable(path, &e))?;
        if data.is_dir() {
            return self.open_folder(path);
        }
        match ending(path).as_str() {
            "pml" => self.open_pml(path),
            "xar" => self.open_xar(path),
            "xml" if is_split_root(path) => self.open_xar(path),
            "top" | "dlg" | "py" => self.open_alone(path),
            "crg" | "cbl" | "pkg" | "zip" => self.open_archive(path),
            _ if starts_like_an_archive(path) => self.open_archive(path),
            _ => Err(FormatError::new(Problem::NotAProject(
                path.to_owned(),
                "no .xar, .pml, .dlg, .top or .py, and no archive",
            ))),
        }
    }

    fn open_archive(&self, path: &Path) -> Result<Opened, FormatError> {
        let most = usize::try_from(self.limits.archive.bytes).unwrap_or(usize::MAX);
        let bytes = read_at_most(path, most)?;
        if bytes.len() > most {
            return Err(too_large(&path.to_string_lossy(), most));
        }
        self.open_archive_bytes(path, &bytes)
    }

    pub(super) fn open_archive_bytes(&self, path: &Path, bytes: &[u8]) -> Result<Opened, FormatError> {
        let name = path.to_string_lossy();
        let read = archive::read(&name, bytes, self.limits)?;
        let unpacked = unpacked::unpack(path, &read.entries)?;
        let inside = Opener { limits: self.limits, unpacked: Some(unpacked.clone()), name: None };
        let mut opened = inside.open_unpacked(&unpacked.root, path)?;
        opened.findings.extend(read.oddities.iter().map(|oddity| oddity.diagnostic(&name)));
        opened.findings.extend(archive::other_kind(path, bytes));
        opened.warn_if_not_installable(path, &read.entries);
        Ok(opened)
    }

    /// Opens an unpacked archive. The project may be in a folder of its own. If there is no project, the archive is a
    /// library of boxes.
    fn open_unpacked(&self, root: &Path, archive: &Path) -> Result<Opened, FormatError> {
        let mut folder = root.to_owned();
        loop {
            match self.open_folder(&folder) {
                Err(e) if matches!(e.problem(), Problem::NotAProject(..)) => {}
                other => return other,
            }
            match unpacked::only_folder(&folder) {
                Some(inner) => folder = inner,
                None => return self.open_library(root, archive),
            }
        }
    }

    fn open_library(&self, root: &Path, archive: &Path) -> Result<Opened, FormatError> {
        let mut behaviors = Vec::new();
        for relative in unpacked::boxes(root).map_err(|e| unreadable(archive, &e))? {
            let xar = root.join(&relative);
            behaviors.push(Behavior {
                args: None,
                name: unpacked::box_name(&relative),
                folder: xar.parent().unwrap_or(root).to_owned(),
                shown: self.shown(&xar),
                relative,
                xar,
            });
        }
        if behaviors.is_empty() {
            let nothing = "an archive without .pml, manifest.xml and .xar";
            return Err(FormatError::new(Problem::NotAProject(archive.to_owned(), nothing)));
        }
        let name = archive.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let names = behaviors.iter().map(|b| b.name.clone()).collect();
        Ok(Opened { behaviors, names, ..self.opened(OpenedKind::Library, name, root) })
    }

    pub(super) fn open_folder(&self, path: &Path) -> Result<Opened, FormatError> {
        let projects = project_files(path).map_err(|e| unreadable(path, &e))?;
        match projects.as_slice() {
            [] => {}
            [only] => return self.open_pml(only),
            many => {
                // If there are several, Choregraphe's own has the name of the folder.
                let own = many.iter().find(|p| p.file_stem() == path.file_name());
                let several = Problem::NotAProject(path.to_owned(), "a folder with several .pml; name one");
                return self.open_pml(own.ok_or_else(|| FormatError::new(several))?);
            }
        }
        let xar = Some(path.join("behavior.xar")).filter(|xar| xar.is_file());
        if let Some(behavior) = xar.or_else(|| split_root(path)) {
            return self.open_xar(&behavior);
        }
        if path.join("manifest.xml").is_file() {
            return self.open_package(path);
        }
        let nothing =
            Problem::NotAProject(path.to_owned(), "a folder without .pml, behavior.xar, l0_root.xml and manifest.xml");
        Err(FormatError::new(nothing))
    }

    fn open_xar(&self, path: &Path) -> Result<Opened, FormatError> {
        // The real path decides which project the file belongs to.
        let real = path.canonicalize().map_err(|e| unreadable(path, &e))?;
        for folder in real.ancestors().skip(1).take(5) {
            let places = places_in(folder, path, &real);
            for project in project_files(folder).unwrap_or_default() {
                // Other behaviors of the project are skipped, so that the cost does not grow with their number.
                let beside = |entry: &BehaviorDescription| {
                    let xar = normal(&entry.src, &entry.xar);
                    xar.is_some_and(|xar| places.iter().any(|place| *place == folder_of(&xar)))
                };
                let Ok(mut opened) = self.open_pml_for(&project, beside) else { continue };
                let is_it = |b: &Behavior| b.xar.canonicalize().is_ok_and(|x| x == real);
                if opened.behaviors.iter().any(is_it) {
                    opened.behaviors.retain(is_it);
                    opened.behaviors.truncate(1);
                    opened.names = opened.behaviors.iter().map(|b| b.name.clone()).collect();
                    return Ok(opened);
                }
            }
        }
        let folder = real.parent().unwrap_or(&real);
        let root = project_root(folder);
        let inside_root = |p: &Path| p.strip_prefix(&root).unwrap_or(p).to_string_lossy().replace('\\', "/");
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parent = folder.file_name().map(|n| n.to_string_lossy().into_owned());
        let behavior = Behavior {
            args: None,
            name: folder_name(&inside_root(folder)),
            folder: folder.to_owned(),
            xar: path.to_owned(),
            relative: inside_root(&if is_split_root(path) { folder.join("behavior.xar") } else { real.clone() }),
            shown: self.shown(path),
        };
        let name = parent.filter(|_| stem == "behavior" || is_split_root(path)).unwrap_or(stem);
        let names = vec![behavior.name.clone()];
        let mut opened = Opened { behaviors: vec![behavior], names, ..self.opened(OpenedKind::Behavior, name, &root) };
        self.take_manifest(&mut opened, &root.join("manifest.xml"));
        Ok(opened)
    }

    /// Opens a dialog, a topic or a program as a behavior with one box.
    fn open_alone(&self, path: &Path) -> Result<Opened, FormatError> {
        let real = path.canonicalize().map_err(|e| unreadable(path, &e))?;
        let folder = real.parent().unwrap_or(&real);
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let behavior = Behavior {
            args: None,
            name: ".".to_owned(),
            folder: folder.to_owned(),
            xar: path.to_owned(),
            relative: real.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            shown: self.shown(path),
        };
        let names = vec![behavior.name.clone()];
        Ok(Opened { behaviors: vec![behavior], names, ..self.opened(OpenedKind::Behavior, name, folder) })
    }

    fn open_pml(&self, path: &Path) -> Result<Opened, FormatError> {
        self.open_pml_for(path, |entry| self.wants(&entry.src, &entry.xar))
    }

    /// Returns true if the wanted name may refer to a behavior with these paths.
    fn wants(&self, src: &str, xar: &str) -> bool {
        self.name.is_none_or(|name| {
            let own = folder_name(src);
            own == name || own.rsplit('/').next() == Some(name) || normal(src, xar).is_some_and(|xar| xar == name)
        })
    }

    /// Opens a project file and looks only for the behaviors for which `wanted` is true.
    fn open_pml_for(&self, path: &Path, wanted: impl Fn(&BehaviorDescription) -> bool) -> Result<Opened, FormatError> {
        let pml = read_pml(&self.shown(path), &self.read(path)?, self.limits)?;
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut opened = self.opened(OpenedKind::Project, pml.name.clone(), folder);
        opened.findings = pml.findings.clone();
        opened.read.push(path.to_owned());
        for entry in &pml.behaviors {
            // A project file that names a path outside its folder is refused as a whole.
            let refused = |problem| FormatError::at(problem, entry.span, pml.sources.clone());
            if normal(&entry.src, &entry.xar).is_none() {
                let out = if normal("", &entry.src).is_none() { &entry.src } else { &entry.xar };
                return Err(refused(Problem::Escapes(out.clone())));
            }
            opened.names.push(folder_name(&entry.src));
            if !wanted(entry) {
                continue;
            }
            let behavior = self.behavior(folder, &entry.src, &entry.xar).map_err(refused)?;
            if !behavior.xar.is_file() {
                let message = format!("there is no {}", behavior.shown);
                opened.findings.push(Diagnostic::error(codes::MISSING_FILE, message).at(entry.span));
            }
            opened.behaviors.push(behavior);
        }
        let named = pml.manifest.as_deref().unwrap_or("manifest.xml");
        let span = pml.manifest_span.unwrap_or_default();
        let manifest = inside(folder, "", named);
        let manifest = manifest.map_err(|problem| FormatError::at(problem, span, pml.sources.clone()))?;
        if pml.manifest_span.is_some() && !manifest.is_file() {
            let finding = Diagnostic::warning(codes::MISSING_MANIFEST, format!("the manifest `{named}` is not there"));
            opened.findings.push(finding.help("no robot installs the project without one").at(span));
        }
        self.take_manifest(&mut opened, &manifest);
        opened.pml = Some(pml);
        opened.warn_if_empty();
        Ok(opened)
    }

    fn open_package(&self, folder: &Path) -> Result<Opened, FormatError> {
        let path = folder.join("manifest.xml");
        let manifest = read_manifest(&self.shown(&path), &self.read(&path)?, self.limits)?;
        let name = manifest.names.first().map(|n| n.text.clone()).or_else(|| manifest.uuid.clone());
        let mut opened = self.opened(OpenedKind::Package, name.unwrap_or_default(), folder);
        opened.read.push(path);
        for entry in &manifest.behaviors {
            opened.names.push(folder_name(&entry.path));
            if !self.wants(&entry.path, "behavior.xar") {
                continue;
            }
            let behavior = self.behavior(folder, &entry.path, "behavior.xar");
            let at = |problem| FormatError::at(problem, entry.span, manifest.sources.clone());
            opened.behaviors.push(behavior.map_err(at)?);
        }
        opened.manifest = Some(manifest);
        opened.warn_if_empty();
        Ok(opened)
    }

    /// Reads a manifest. A missing or broken manifest does not prevent reading the behavior.
    fn take_manifest(&self, opened: &mut Opened, path: &Path) {
        if !path.is_file() {
            return;
        }
        match self.read(path).and_then(|bytes| read_manifest(&self.shown(path), &bytes, self.limits)) {
            Ok(manifest) => {
                opened.manifest = Some(manifest);
                opened.read.push(path.to_owned());
            }
            Err(e) => opened.manifest_error = Some(e),
        }
    }

    fn behavior(&self, root: &Path, src: &str, xar: &str) -> Result<Behavior, Problem> {
        let folder = inside(root, "", src)?;
        let mut path = inside(root, src, xar)?;
        if !path.is_file() {
            path = split_root(&folder).unwrap_or(path);
        }
        let relative = normal(src, xar).unwrap_or_default();
        Ok(Behavior { name: folder_name(src), folder, shown: self.shown(&path), xar: path, relative, args: None })
    }

    /// Creates an [`Opened`] without behaviors.
    fn opened(&self, kind: OpenedKind, name: String, folder: &Path) -> Opened {
        Opened {
            kind,
            name,
            folder: folder.to_owned(),
            behaviors: Vec::new(),
            names: Vec::new(),
            pml: None,
            manifest: None,
            read: Vec::new(),
            findings: Vec::new(),
            manifest_error: None,
            unpacked: self.unpacked.clone(),
        }
    }

    fn read(&self, path: &Path) -> Result<Vec<u8>, FormatError> {
        read_file(path, self.limits).map_err(|e| e.in_file(path, &self.shown(path)))
    }

    fn shown(&self, path: &Path) -> String {
        shown(self.unpacked.as_ref(), path)
    }
}

pub(super) fn shown(unpacked: Option<&Unpacked>, path: &Path) -> String {
    let within = |u: &Unpacked| {
        let entry = path.strip_prefix(&u.root).ok()?;
        Some(if u.is_lone { u.archive.clone() } else { u.archive.join(entry) })
    };
    let entry = unpacked.and_then(within);
    let path = entry.as_deref().unwrap_or(path);
    path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned()
}

impl Opened {
    /// Adds a warning if the project has no content. Dialogs, programs or files alone are content.
    fn warn_if_empty(&mut self) {
        let lists = |pml: &Pml| !(pml.dialogs.is_empty() && pml.topics.is_empty() && pml.files.is_empty());
        let brings = |m: &Manifest| !(m.dialogs.is_empty() && m.executables.is_empty() && m.services.is_empty());
        let has = self.pml.as_ref().is_some_and(lists) || self.manifest.as_ref().is_some_and(brings);
        if self.behaviors.is_empty() && !has {
            let message = format!("the project \"{}\" has no behavior, no dialog and no file", self.name);
            self.findings.push(Diagnostic::warning(codes::NO_BEHAVIOR, message));
        }
    }

    /// Adds a warning if a package has no manifest at its top, where robots look for it.
    fn warn_if_not_installable(&mut self, path: &Path, entries: &[archive::Entry]) {
        let is_package = archive::ArchiveKind::of_path(path) == Some(archive::ArchiveKind::Pkg);
        if is_package && !entries.iter().any(|e| e.name == "manifest.xml") {
            let message = format!("{}: there is no manifest.xml at the top of the package", path.display());
            let finding = Diagnostic::warning(codes::MISSING_MANIFEST, message);
            self.findings.push(finding.help("no robot installs it; `boxstep pack` makes one"));
        }
    }
}

/// Returns the folders of a file relative to `folder`: that of the real path, and that of the given path, which may
/// lead there through links.
fn places_in(folder: &Path, given: &Path, real: &Path) -> Vec<String> {
    let seen =
        |from: &Path, to: &Path| Some(to.strip_prefix(from).ok()?.parent()?.to_string_lossy().replace('\\', "/"));
    let mut places: Vec<String> = seen(folder, real).into_iter().collect();
    if let Ok(way) = std::path::absolute(given).map(|way| way.components().collect::<PathBuf>())
        && way != real
    {
        let is_folder = |p: &&Path| p.canonicalize().is_ok_and(|p| p == folder);
        let from = way.ancestors().skip(1).take(6).find(is_folder);
        places.extend(from.and_then(|from| seen(from, &way)).and_then(|place| normal("", &place)));
    }
    places
}

/// Returns the folder part of a path with `/`.
fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Returns the file from which a split folder is read.
fn split_root(folder: &Path) -> Option<PathBuf> {
    let root = folder.join(format!("{}.xml", split::root(&split::Dir(folder))?));
    root.is_file().then_some(root)
}

/// Returns true for a file of the first level of a split folder. Which of these is the root is found by [`split_root`].
pub(super) fn is_split_root(path: &Path) -> bool {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.extension().is_some_and(|e| e == "xml") && stem.starts_with("l0_")
}

pub(super) fn folder_name(src: &str) -> String {
    normal("", src).filter(|s| !s.is_empty()).unwrap_or_else(|| ".".into())
}

/// Returns the folder that the paths in a behavior's file may not leave, when only the behavior's folder is known. This
/// is the nearest folder with a `.pml` or a `manifest.xml`, at most four levels up, or else the behavior's own folder.
pub fn project_root(folder: &Path) -> PathBuf {
    let real = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let marked = |p: &&Path| p.join("manifest.xml").is_file() || project_files(p).is_ok_and(|f| !f.is_empty());
    let root = real.ancestors().take(5).find(marked);
    root.unwrap_or(&real).to_owned()
}

fn project_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if ending(&path) == "pml" && !is_apple_double(&entry.file_name().to_string_lossy()) && path.is_file() {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

pub(super) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

/// Reads a file up to one byte more than the limit, so that the parser can report that it is too large.
pub(super) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, FormatError> {
    read_at_most(path, limits.bytes)
}

fn read_at_most(path: &Path, most: usize) -> Result<Vec<u8>, FormatError> {
    let read = || {
        // The type is checked before opening, because opening a pipe would block until its other end is opened.
        if !fs::metadata(path)?.is_file() {
            return Err(std::io::Error::other("not a regular file"));
        }
        let mut bytes = Vec::new();
        fs::File::open(path)?.take((most as u64).saturating_add(1)).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|e| unreadable(path, &e))
}

/// Returns true if a file of any name has the first bytes of an archive.
fn starts_like_an_archive(path: &Path) -> bool {
    let mut head = Vec::new();
    let is_file = fs::metadata(path).is_ok_and(|data| data.is_file());
    is_file
        && fs::File::open(path).is_ok_and(|file| file.take(8).read_to_end(&mut head).is_ok())
        && archive::is_archive(&head)
}

pub(super) fn unreadable(path: &Path, error: &std::io::Error) -> FormatError {
    FormatError::unreadable(path, error)
}
