//! Finds and reads the behaviors and characters to check.

use crate::failure::{Failure, system_message};
use crate::progress::Progress;
use crate::settings::{Finder, Shared, folder_of};
use crate::tree::{Tree, is_tree};
use crate::walk::{Closed, is_archive, is_file, walk};
use crate::{character, files, near, open};
use boxstep_api::play::installed;
use boxstep_check::{Found, TopicCheck, dialogs_of};
use boxstep_format::codes::UNREADABLE_FILE;
use boxstep_format::project::{Behavior, OpenedKind};
use boxstep_format::{FormatError, Limits, Opened, XarFile, split};
use boxstep_runner::{Character, Finding, examine};
use boxstep_types::{Diagnostic, Sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use walkdir::DirEntry;

/// The extensions that are searched for in folders: projects first, so that a behavior is opened as part of its
/// project.
const ENDINGS: [&str; 6] = ["pml", "xar", "crg", "pkg", "cbl", "zip"];

/// A behavior that could be read.
pub(crate) struct Checked {
    pub(crate) behavior: Behavior,
    pub(crate) file: XarFile,
    pub(crate) settings: Shared,
    /// The folder of the behavior's project.
    pub(crate) project: PathBuf,
    /// The opened project. It keeps the folder that an archive was unpacked to.
    pub(crate) opened: Rc<Opened>,
}

impl Checked {
    /// Returns the robots that the manifest names.
    pub(crate) fn robots(&self) -> &[String] {
        self.opened.manifest.as_ref().map_or(&[], |m| m.robot_models.as_slice())
    }

    /// Returns the services that the manifest names.
    pub(crate) fn services(&self) -> Vec<String> {
        let services = self.opened.manifest.iter().flat_map(|m| &m.services);
        services.map(|s| s.name.clone()).collect()
    }

    /// Returns the name of the file in baselines; for an archive, the archive and the entry.
    pub(crate) fn known_as(&self) -> PathBuf {
        if self.opened.archive().is_some() { PathBuf::from(&self.behavior.shown) } else { self.behavior.xar.clone() }
    }
}

/// A character whose file could be read.
pub(crate) struct CheckedCharacter {
    pub(crate) path: PathBuf,
    /// The name in messages; for a behavior tree, that of the character made from it.
    pub(crate) shown: String,
    pub(crate) text: String,
    /// The character, if it has no errors, and its findings.
    pub(crate) character: Option<Character>,
    pub(crate) found: Vec<Finding>,
    pub(crate) settings: Shared,
    /// The behaviors that the leaves play, by the name in the leaf: the index in [`Gathered::played`], or why there is
    /// none.
    pub(crate) plays: BTreeMap<Arc<str>, Result<usize, String>>,
}

/// All files to check.
#[derive(Default)]
pub(crate) struct Gathered {
    pub(crate) behaviors: Vec<Checked>,
    pub(crate) characters: Vec<CheckedCharacter>,
    /// Behaviors that characters play; only their number of errors is reported.
    pub(crate) played: Vec<Checked>,
    /// Findings of projects, and the files that they are about.
    pub(crate) findings: Vec<(Found, PathBuf, Shared)>,
    /// Files that cannot be read at all, with their names.
    pub(crate) unreadable: Vec<(Diagnostic, Sources, String)>,
    /// How many topics were checked by themselves; their findings are in `findings`.
    pub(crate) topics: usize,
    /// Dialogs and topics whose findings are reported with their projects, or by themselves.
    pub(crate) dialogs: Vec<PathBuf>,
    /// Dialogs and topics in the folders that were searched that nothing refers to; without the topics of such dialogs.
    pub(crate) alone: Vec<PathBuf>,
    /// Dialogs and topics that the user named. They are checked after the projects that may list them.
    named: Vec<PathBuf>,
    /// Dialogs and topics in the folders that were searched. Those that nothing refers to are checked by themselves.
    found: Vec<PathBuf>,
    /// More than one file may be checked, so it pays to remember the other behaviors of a project.
    several: bool,
    seen: BTreeSet<PathBuf>,
    /// The folders of projects that have been reported.
    projects: BTreeSet<PathBuf>,
    /// Behaviors of opened projects, by their canonical paths.
    known: BTreeMap<PathBuf, (Rc<Opened>, Behavior)>,
}

/// What the checks of topics by themselves share.
struct Alone<'a> {
    /// The dialogs and topics that are checked with their projects.
    listed: BTreeSet<PathBuf>,
    check: TopicCheck,
    finder: &'a mut Finder,
}

/// Opens and reads everything.
pub(crate) fn gather(files: &[PathBuf], recursive: bool, progress: &Progress) -> Result<Gathered, Failure> {
    let mut gathered = Gathered { several: recursive || files.len() > 1, ..Gathered::default() };
    let mut finder = Finder::default();
    for path in files {
        if recursive && path.is_dir() {
            let count =
                |gathered: &Gathered| gathered.behaviors.len() + gathered.unreadable.len() + gathered.characters.len();
            let before = count(&gathered);
            let walked = walk(path);
            for item in walked.items.iter().filter(|item| character::is_named_so(item)) {
                gathered.character(item.path(), &mut finder)?;
            }
            for closed in walked.closed {
                gathered.closed(&closed);
            }
            let of_endings = ENDINGS.iter().flat_map(|ending| within(&walked.items, ending));
            let files: Vec<PathBuf> = of_endings.chain(split_roots(&walked.items)).collect();
            let topics = ["dlg", "top"].iter().flat_map(|ending| within(&walked.items, ending)).collect::<Vec<_>>();
            progress.more(files.len());
            for file in files {
                progress.file(&file);
                // Most of these files belong to a project that has been opened.
                if !file.canonicalize().is_ok_and(|real| gathered.seen.contains(&real)) {
                    gathered.path(&file, &mut finder)?;
                }
                progress.done();
            }
            // A folder without behaviors must not look like one without errors.
            if count(&gathered) == before && gathered.seen.is_empty() && topics.is_empty() {
                let why = "there is no behavior in it, no character and no topic";
                return Err(Failure::File(path.clone(), why.to_owned()));
            }
            gathered.found.extend(topics);
        } else {
            gathered.path(path, &mut finder)?;
        }
    }
    gathered.topics(&mut finder)?;
    Ok(gathered)
}

fn within(items: &[DirEntry], ending: &str) -> Vec<PathBuf> {
    let is_one = |item: &&DirEntry| is_file(item, ending) && (ending != "zip" || is_archive(item));
    items.iter().filter(is_one).map(|item| item.path().to_owned()).collect()
}

/// Returns the main files of split folders.
fn split_roots(items: &[DirEntry]) -> Vec<PathBuf> {
    let folders = items.iter().filter(|e| e.file_type().is_dir()).map(DirEntry::path);
    folders.filter_map(|f| Some(f.join(format!("{}.xml", split::root(&split::Dir(f))?)))).collect()
}

/// Returns whether a folder has the files of a behavior or project, even if they are invalid.
fn has_project(folder: &Path) -> bool {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    files.into_iter().any(|file| {
        let is = |name: &str| file.file_name().is_some_and(|own| own == name);
        is("behavior.xar") || is("manifest.xml") || file.extension().is_some_and(|e| e.eq_ignore_ascii_case("pml"))
    })
}

/// Returns whether only one behavior of a project was named.
fn is_one_of(path: &Path, opened: &Opened) -> bool {
    opened.kind == OpenedKind::Project && files::is_one(path, opened)
}

fn is_topic(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("top")) && !path.is_dir()
}

fn is_dialog(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("dlg")) && !path.is_dir()
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn is_xar(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xar"))
}

impl Gathered {
    fn path(&mut self, path: &Path, finder: &mut Finder) -> Result<(), Failure> {
        if let Some((opened, behavior)) = path.canonicalize().ok().and_then(|real| self.known.get(&real)).cloned() {
            let settings = finder.for_folder(behavior.xar.parent().unwrap_or(Path::new(".")))?;
            self.behavior(&behavior, &opened, &settings);
            return Ok(());
        }
        if (is_topic(path) || is_dialog(path)) && path.exists() {
            self.named.push(path.to_owned());
            return Ok(());
        }
        let character = character::file_of(path);
        if let Some(file) = &character {
            self.character(file, finder)?;
            if !path.is_dir() {
                return Ok(());
            }
        }
        let opened = match open::anything(path) {
            Ok(opened) => opened,
            // The folder of a character may have no behavior of its own.
            Err(_) if character.is_some() && !has_project(path) => return Ok(()),
            Err(e) => {
                self.cannot_read(&e, open::shown(path));
                return Ok(());
            }
        };
        let settings = finder.for_folder(folder_of(path))?;
        self.project(path, &opened, &settings);
        let opened = Rc::new(opened);
        if self.several && is_xar(path) && opened.pml.is_some() {
            self.remember(&opened.folder);
        }
        let services = if is_one_of(path, &opened) { Vec::new() } else { opened.service_programs() };
        for behavior in opened.behaviors.iter().chain(&services) {
            self.behavior(behavior, &opened, &settings);
        }
        Ok(())
    }

    /// Checks the dialogs and topics that are not checked with a project: those that the user named, and those that
    /// were found and that no behavior refers to.
    fn topics(&mut self, finder: &mut Finder) -> Result<(), Failure> {
        let mut alone = Alone { listed: self.dialogs.iter().cloned().collect(), check: TopicCheck::default(), finder };
        let shown = |path: &Path| path.strip_prefix(".").unwrap_or(path).to_string_lossy().into_owned();
        for path in std::mem::take(&mut self.named) {
            self.topic(&path, &shown(&path), &mut alone)?;
        }
        let of_behaviors = self.behaviors.iter().flat_map(|of| dialogs_of(&of.file, &of.behavior.folder));
        let of_behaviors: BTreeSet<PathBuf> = of_behaviors.collect();
        for path in std::mem::take(&mut self.found) {
            let real = real(&path);
            if !of_behaviors.contains(&real) && !alone.listed.contains(&real) {
                if !self.seen.contains(&real) {
                    self.alone.push(path.clone());
                }
                self.topic(&path, &shown(&path), &mut alone)?;
            }
        }
        Ok(())
    }

    /// Checks a topic, or a dialog and its topics. What a project lists is only counted.
    fn topic(&mut self, path: &Path, shown: &str, alone: &mut Alone<'_>) -> Result<(), Failure> {
        let real = real(path);
        if !self.seen.insert(real.clone()) {
            return Ok(());
        }
        let is_listed = alone.listed.contains(&real);
        self.dialogs.push(real);
        let checked = match is_dialog(path) {
            true => boxstep_check::dialog_file(path, shown).map(|dialog| (dialog.findings, dialog.topics)),
            false => alone.check.file(path, shown).map(|found| (found, Vec::new())),
        };
        let (found, topics) = match checked {
            Ok(checked) => checked,
            Err(_) if is_listed => return Ok(()),
            Err(found) => {
                self.unreadable.push((found.finding, found.sources, found.file));
                return Ok(());
            }
        };
        self.topics += usize::from(!is_dialog(path));
        if !is_listed {
            let settings = alone.finder.for_folder(folder_of(path))?;
            self.findings.extend(found.into_iter().map(|f| (f, path.to_owned(), settings.clone())));
        }
        topics.into_iter().try_for_each(|(path, shown)| self.topic(&path, &shown, alone))
    }

    /// Reads a character and the behaviors that it plays.
    fn character(&mut self, path: &Path, finder: &mut Finder) -> Result<(), Failure> {
        if !self.seen.insert(real(path)) {
            return Ok(());
        }
        let shown = path.to_string_lossy().into_owned();
        let (text, shown) = if is_tree(path) {
            (Ok(Tree::read(path, None)?.character), format!("{shown}, as a character"))
        } else {
            (std::fs::read(path).map_err(|e| system_message(&e)).and_then(open::decoded), shown)
        };
        let text = match text {
            Ok(text) => text,
            Err(why) => {
                let name = path.to_string_lossy().into_owned();
                let found = Diagnostic::error(UNREADABLE_FILE, format!("cannot read {name}: {why}"));
                self.unreadable.push((found, Sources::new(), name));
                return Ok(());
            }
        };
        let folder = folder_of(path);
        let settings = finder.for_folder(folder)?;
        let mut plays = BTreeMap::new();
        let (character, found) = examine(&text, &shown, &[]);
        let all = |character: &Character| -> Vec<Arc<str>> {
            character.plays().chain(character.plays_elsewhere(None)).cloned().collect()
        };
        for name in character.iter().flat_map(all) {
            if !plays.contains_key(&name) {
                let found = self.play(&name, folder, finder)?;
                plays.insert(name.clone(), found);
            }
        }
        self.characters.push(CheckedCharacter {
            path: path.to_owned(),
            shown,
            text,
            character,
            found,
            settings,
            plays,
        });
        Ok(())
    }

    /// Reads the behavior that a leaf plays: a file in the character's folder, or a behavior of the project in that
    /// folder.
    fn play(&mut self, name: &str, folder: &Path, finder: &mut Finder) -> Result<Result<usize, String>, Failure> {
        let path = folder.join(name);
        let cannot = |why: String| format!("`{name}` cannot be played: {why}");
        let (opened, behavior) = if path.exists() {
            let opened = match boxstep_format::open(&path, &Limits::default()) {
                Ok(opened) => opened,
                Err(e) => return Ok(Err(cannot(e.to_string()))),
            };
            match open::choose(&opened, &path, None).cloned() {
                Ok(behavior) => (opened, behavior),
                Err(why) => return Ok(Err(cannot(why.to_string()))),
            }
        } else {
            let opened = boxstep_format::open(folder, &Limits::default()).ok();
            let opened = opened.filter(|opened| opened.pml.is_some() || opened.manifest.is_some());
            let found = opened.and_then(|opened| Some((installed(&opened, name)?.clone(), opened)));
            let Some((behavior, opened)) = found else { return Ok(Err(character::not_there(name))) };
            (opened, behavior)
        };
        let file = match behavior.read(&Limits::default()) {
            Ok(file) => file,
            Err(e) => return Ok(Err(cannot(e.to_string()))),
        };
        let settings = finder.for_folder(behavior.xar.parent().unwrap_or(Path::new(".")))?;
        let project = opened.folder.canonicalize().unwrap_or_else(|_| opened.folder.clone());
        self.played.push(Checked { behavior, file, settings, project, opened: Rc::new(opened) });
        Ok(Ok(self.played.len() - 1))
    }

    /// Remembers the project of a behavior, so that it is not opened again for its other behaviors.
    fn remember(&mut self, folder: &Path) {
        let Ok(opened) = boxstep_format::open(folder, &Limits::default()) else { return };
        let opened = Rc::new(opened);
        for behavior in &opened.behaviors {
            if let Ok(real) = behavior.xar.canonicalize() {
                self.known.insert(real, (opened.clone(), behavior.clone()));
            }
        }
    }

    /// Checks a project itself, once. If only one of its behaviors was named, the others are not checked.
    fn project(&mut self, path: &Path, opened: &Opened, settings: &Shared) {
        let language = settings.config.language.as_deref();
        let folder = opened.folder.canonicalize().unwrap_or_else(|_| opened.folder.clone());
        let found = if is_one_of(path, opened) || !self.projects.insert(folder) {
            boxstep_check::project_of_behavior(opened, path, language)
        } else {
            self.dialogs.extend(boxstep_check::listed_dialogs(opened));
            boxstep_check::project(opened, path, language)
        };
        self.findings.extend(found.into_iter().map(|f| (f, path.to_owned(), settings.clone())));
    }

    fn behavior(&mut self, behavior: &Behavior, opened: &Rc<Opened>, settings: &Shared) {
        if !self.seen.insert(real(&behavior.xar)) {
            return;
        }
        // The project's findings report files that are missing.
        if !behavior.xar.is_file() && (opened.pml.is_some() || opened.kind == OpenedKind::Package) {
            return;
        }
        let file = match behavior.read(&Limits::default()) {
            Ok(file) => file,
            Err(e) => return self.cannot_read(&e, &behavior.xar),
        };
        self.behaviors.push(Checked {
            behavior: behavior.clone(),
            file,
            settings: settings.clone(),
            project: opened.folder.canonicalize().unwrap_or_else(|_| opened.folder.clone()),
            opened: opened.clone(),
        });
    }

    fn closed(&mut self, closed: &Closed) {
        let name = closed.folder.to_string_lossy().into_owned();
        let found = Diagnostic::error(UNREADABLE_FILE, format!("cannot read the folder {name}: {}", closed.why));
        self.unreadable.push((found, Sources::new(), name));
    }

    fn cannot_read(&mut self, error: &FormatError, path: &Path) {
        let name = path.to_string_lossy().into_owned();
        self.unreadable.push((near::diagnostic(error), error.sources().clone(), name));
    }
}
