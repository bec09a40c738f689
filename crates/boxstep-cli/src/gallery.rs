//! The gallery of `boxstep open`: what can be played below a folder, and what plays, each in a process of its own like
//! `boxstep play --view`.

mod found;
mod robots;

use crate::Program;
use crate::box_folders;
use crate::children::ChildRuns;
use crate::command::edit::project::{diff, what};
use crate::failure::{Failure, system_message};
use crate::texts::FolderTexts;
use boxstep_edit::project::{Mention, ProjectContents, ProjectError, ProjectFolder, ProjectOp};
use boxstep_edit::templates::{Begun, begin, begin_test};
use boxstep_format::together::FileChange;
use boxstep_view::{
    ChangedFile, Entry, Findings, Gallery, Listing, NewEntry, Outcome, ProjectChange, ProjectWish, RobotAnswer,
    RobotList, RobotWish, Texts,
};
pub(crate) use found::{GalleryItem, below, findings};
use robots::PageRobots;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::ffi::OsString;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The gallery of a folder.
pub(crate) struct FolderGallery {
    folder: PathBuf,
    /// The robots that can be played on, besides the simulated one.
    robots: PageRobots,
    /// Whether pages may change files, and begin new ones.
    edit: bool,
    program: Program,
    contents: Mutex<Contents>,
    runs: ChildRuns,
    /// Changes the tests, if pages may.
    texts: Option<Arc<FolderTexts>>,
    /// The projects that pages have changed, with what can be undone.
    projects: Mutex<HashMap<String, ProjectFolder>>,
}

/// What has been found in the folder.
#[derive(Default)]
struct Contents {
    reading: bool,
    /// Everything that was ever found; its index is the number of the entry.
    items: Vec<GalleryItem>,
    /// The entries that exist now, in order.
    now: Vec<usize>,
    /// The findings of `check`, by file.
    findings: HashMap<PathBuf, Findings>,
    checked: bool,
}

impl FolderGallery {
    /// Opens the gallery of a folder and starts to search it.
    pub(crate) fn open(
        folder: &Path,
        at: IpAddr,
        robots: Vec<String>,
        (edit, boxes): (bool, &[PathBuf]),
        program: &Program,
    ) -> Result<Arc<Self>, Failure> {
        let folder = folder.canonicalize().map_err(|e| Failure::io(folder, &e))?;
        if !folder.is_dir() {
            return Err(Failure::File(
                folder,
                "it is not a folder; to view one behavior, run boxstep play FILE --view".to_owned(),
            ));
        }
        // Beside the projects there may be boxes for all of them.
        let here = Some(folder.join(box_folders::FOLDER)).filter(|folder| folder.is_dir());
        let boxes = boxes.iter().cloned().chain(here).collect();
        let runs = ChildRuns::new(program.clone(), at).editing(edit, boxes);
        let texts = edit.then(|| Arc::new(FolderTexts::of_tests(&folder)));
        let gallery = Arc::new(Self {
            texts,
            folder,
            robots: PageRobots::new(program, robots),
            edit,
            program: program.clone(),
            contents: Mutex::default(),
            runs,
            projects: Mutex::default(),
        });
        gallery.clone().search();
        Ok(gallery)
    }

    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Searches the folder on a separate thread, unless a search is already going on.
    fn search(self: Arc<Self>) {
        if std::mem::replace(&mut self.contents().reading, true) {
            return;
        }
        let gallery = self.clone();
        let search = move || {
            let found = found::below(&gallery.folder);
            let mut contents = gallery.contents();
            contents.update(found);
            contents.reading = false;
            drop(contents);
            // Findings take longer, because a Python parses the scripts.
            if let Ok(findings) = found::findings(&gallery.folder, &gallery.program) {
                let mut contents = gallery.contents();
                contents.findings = findings;
                contents.checked = true;
            }
        };
        if std::thread::Builder::new().name("gallery".to_owned()).spawn(search).is_err() {
            self.contents().reading = false;
        }
    }

    /// Does something with a project that is listed.
    fn with_project<T>(
        &self,
        project: &str,
        act: impl FnOnce(&mut ProjectFolder) -> Result<T, ProjectError>,
    ) -> Result<T, String> {
        let contents = self.contents();
        let is_listed = contents.now.iter().any(|n| contents.items[*n].entry.project.as_deref() == Some(project));
        drop(contents);
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        let known = match projects.entry(project.to_owned()) {
            // One whose last behavior was removed is listed no more, and can still be undone.
            Slot::Occupied(known) => known.into_mut(),
            Slot::Vacant(free) if is_listed => {
                free.insert(ProjectFolder::open(&self.folder.join(project)).map_err(|e| e.to_string())?)
            }
            Slot::Vacant(_) => return Err(format!("{project} is no project of this folder")),
        };
        act(known).map_err(|e| e.to_string())
    }

    /// Ends everything that plays.
    pub(crate) fn end(&self) {
        self.runs.end();
    }
}

/// Returns the lines of scripts that name what is renamed or removed.
fn mentions(project: &ProjectFolder, ops: &[ProjectOp]) -> Vec<Mention> {
    let of = |op: &ProjectOp| match op {
        ProjectOp::RenameBehavior { behavior, .. } | ProjectOp::RemoveBehavior { behavior } => {
            project.mentions(behavior)
        }
        _ => Vec::new(),
    };
    ops.iter().flat_map(of).collect()
}

impl Contents {
    fn update(&mut self, found: Vec<GalleryItem>) {
        self.now.clear();
        for item in found {
            let known = self.items.iter().position(|known| known.is(&item));
            let number = match known {
                Some(number) => {
                    self.items[number] = item;
                    number
                }
                None => {
                    self.items.push(item);
                    self.items.len() - 1
                }
            };
            self.now.push(number);
        }
    }

    /// Returns an entry; `last` says how it ended when it was played last.
    fn entry(&self, number: usize, last: Option<Outcome>) -> Entry {
        let item = &self.items[number];
        let findings = self.findings.get(&item.path).cloned();
        Entry {
            entry: number,
            findings: findings.or_else(|| self.checked.then(Findings::default)),
            last: last.or_else(|| item.entry.last.clone()),
            ..item.entry.clone()
        }
    }
}

impl Gallery for FolderGallery {
    fn listing(&self) -> Listing {
        let contents = self.contents();
        let entries = contents.now.iter().map(|number| contents.entry(*number, self.runs.last(*number))).collect();
        let reading = contents.reading;
        drop(contents);
        let title = self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned();
        let robots = self.robots.names();
        let robot = robots.first().cloned();
        Listing { title, robot, robots, reading, entries, runs: self.runs.all(), edits: self.edit }
    }

    fn picture(&self, entry: usize) -> Option<String> {
        let drawn = self.contents().items.get(entry)?.drawing.clone()?;
        Some(drawn.picture())
    }

    fn play(&self, entry: usize, robot: Option<&str>, paused: bool) -> Result<u64, String> {
        let what = self.contents().items.get(entry).map(|item| (item.asked.clone(), item.entry.why.clone()));
        let (asked, unreadable) = what.ok_or("there is nothing of this number")?;
        if let Some(why) = unreadable {
            return Err(why);
        }
        self.runs
            .begin(entry, &asked, (robot, robot.is_some_and(|robot| self.robots.is_named(robot))), paused)
            .map_err(|e| format!("it cannot be played: {}", system_message(&e)))
    }

    fn stop(&self, run: u64) -> Result<(), String> {
        self.runs.stop(run)
    }

    fn begin(&self, wish: NewEntry) -> Result<String, String> {
        let begun = match wish {
            NewEntry::Behavior { name } => begin(&self.folder, Begun::Behavior, &name),
            NewEntry::Dialog { name } => begin(&self.folder, Begun::Dialog, &name),
            NewEntry::Character { name } => begin(&self.folder, Begun::Character, &name),
            NewEntry::Test { name, of } => {
                let contents = self.contents();
                let of = contents.items.get(of).ok_or("there is nothing of this number")?.entry.file.clone();
                drop(contents);
                if !self.folder.join(&of).is_file() {
                    return Err(format!("{of} is no file"));
                }
                begin_test(&self.folder, &of, &name)
            }
        };
        let path = begun.map_err(|e| e.to_string())?;
        Ok(path.strip_prefix(&self.folder).unwrap_or(&path).to_string_lossy().into_owned())
    }

    fn texts(self: Arc<Self>) -> Option<Arc<dyn Texts>> {
        self.texts.clone().map(|texts| texts as Arc<dyn Texts>)
    }

    fn test(&self, file: &str) -> Result<String, String> {
        let contents = self.contents();
        let is_listed = contents.now.iter().any(|n| contents.items[*n].entry.tests.iter().any(|test| test == file));
        drop(contents);
        if !is_listed {
            return Err(format!("{file} is no test of this folder"));
        }
        let mut test = self.program.command();
        test.arg("test").arg("--").arg(self.folder.join(file)).current_dir(&self.folder).stdin(Stdio::null());
        let output = test.output().map_err(|e| system_message(&e))?;
        let said = [output.stdout, output.stderr].concat();
        Ok(anstream::adapter::strip_str(&String::from_utf8_lossy(&said)).to_string())
    }

    fn project(&self, project: &str) -> Result<ProjectContents, String> {
        self.with_project(project, |known| known.contents())
    }

    fn change_project(&self, project: &str, wish: ProjectWish) -> Result<ProjectChange, String> {
        self.with_project(project, |known| {
            let (files, mentions) = match wish {
                ProjectWish::Preview { ops } => (known.preview(&ops)?, mentions(known, &ops)),
                ProjectWish::Apply { ops } => (known.apply(&ops)?.to_vec(), mentions(known, &ops)),
                ProjectWish::Undo => {
                    known.undo()?;
                    (Vec::new(), Vec::new())
                }
            };
            let shown = |file: &FileChange| ChangedFile { name: file.name.clone(), what: what(file), diff: diff(file) };
            let files = files.iter().map(shown).collect();
            Ok(ProjectChange { files, mentions, undo: known.can_undo() })
        })
    }

    fn robots(&self) -> RobotList {
        self.robots.listing()
    }

    fn find_robots(self: Arc<Self>) {
        if !self.robots.begins_to_look() {
            return;
        }
        let gallery = self.clone();
        if std::thread::Builder::new().name("robots".to_owned()).spawn(move || gallery.robots.look()).is_err() {
            self.robots.look();
        }
    }

    fn of_robot(&self, robot: &str, wish: RobotWish) -> Result<RobotAnswer, String> {
        let words = |words: &[&str]| words.iter().map(OsString::from).collect::<Vec<_>>();
        let args = match wish {
            RobotWish::Behaviors => words(&["ls", "--long", "--json"]),
            RobotWish::Start { name } => words(&["start", "--", &name]),
            RobotWish::Stop { name } => words(&["stop", "--", &name]),
            RobotWish::Halt => words(&["stop"]),
            RobotWish::Pull { name } => {
                let folder = self.folder.join(boxstep_rescue::name::local(name.as_bytes()));
                [words(&["pull", "-o"]), vec![folder.into()], words(&["--", &name])].concat()
            }
            RobotWish::Install { entry, replace } => {
                let package = self.contents().items.get(entry).and_then(|item| match &item.asked[..] {
                    // One of an archive.
                    [archive, _, _] => Some(PathBuf::from(archive)),
                    _ => item.entry.project.as_ref().map(|project| self.folder.join(project)),
                });
                let package = package.ok_or("only projects and archives are installed")?;
                let replace: &[&str] = if replace { &["--replace"] } else { &[] };
                [words(&["install"]), words(replace), vec![package.into()]].concat()
            }
        };
        self.robots.run_for(robot, &args)
    }

    fn again(self: Arc<Self>) {
        self.search();
    }
}
