//! `play --watch`: polls for files that have changed, and passes the changes to the engine while it plays
//! (`docs/guides/reload.md`).
//!
//! Files are polled instead of watched by the system: checking a few dozen files costs no measurable time, editors that
//! write a temporary file and rename it need no special care, and polling works the same on every system and every kind
//! of disk.

mod character;
mod parts;
mod taken;

use crate::failure::Failure;
use crate::files::LIBRARIES;
use crate::open::{self, Chosen};
use crate::run_setup::RunSetup;
use boxstep_engine::Engine;
use boxstep_engine::config::{Control, Reloaded};
use boxstep_engine::shared::Shared;
use boxstep_format::{Limits, XarFile};
use boxstep_types::BoxPath;
use boxstep_view::{Model, Models};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};
pub(crate) use taken::LiveBehavior;
use taken::send;

/// The time between two polls. A file that has not changed between two polls is complete: nobody is still writing it.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// How many levels of packages are searched for modules; a symbolic link may lead back up.
const DEPTH: usize = 8;

/// Polls in a thread until it is dropped.
pub(crate) struct Watcher {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic has been printed already, and the run is over.
            let _ = thread.join();
        }
    }
}

/// The files to poll, and what is done when they have changed.
trait Watched: Send + 'static {
    fn poll(&self) -> FileStates;

    /// Passes changed files to the engine, as far as they can be reloaded. With `unread` there may be changes from
    /// before the first poll that have not been detected.
    fn take(&mut self, files: &BTreeSet<PathBuf>, unread: bool);
}

impl Watcher {
    /// Starts polling the files of a behavior that has been read. The page shows reloaded scripts.
    pub(crate) fn of_behavior(
        engine: Shared<Engine>,
        file: &Path,
        setup: &RunSetup<'_>,
        chosen: &Chosen,
        shown: Option<Models>,
    ) -> Result<Self, Failure> {
        let latest = Arc::new(Mutex::new(chosen.file.clone()));
        if let Some(shown) = shown {
            let (name, latest, body) = (chosen.name.clone(), latest.clone(), setup.body);
            engine.lock().on_reload(move |what| match what {
                Reloaded::Script(path, script) => shown.set_script(&name, path, &script.text),
                Reloaded::Part(_) => {
                    let file = Arc::new(latest.lock().unwrap_or_else(PoisonError::into_inner).clone());
                    shown.exchange(&[], vec![Model { name: name.clone(), file, body }]);
                }
            });
        }
        Self::start(BehaviorWatch {
            path: file.to_owned(),
            behavior: setup.spec().behavior.clone(),
            alone: setup.spec().alone.clone(),
            live: LiveBehavior::new(engine.clone(), &chosen.file, chosen.localized(setup.language(), setup.body)),
            told: Vec::new(),
            latest,
            parts: parts(chosen),
            folders: module_folders(&chosen.folder()?, chosen.relative_folder()),
        })
    }

    fn start(mut watch: impl Watched) -> Result<Self, Failure> {
        let (stop, stopped) = channel();
        let run = move || {
            let mut taken = watch.poll();
            let mut last = taken.clone();
            // Changes between the first read of the files and the first poll have not been detected.
            let mut unread = true;
            while stopped.recv_timeout(POLL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                let now = watch.poll();
                if now == last && (unread || now != taken) {
                    watch.take(&differing(&taken, &now), unread);
                    unread = false;
                    taken.clone_from(&now);
                }
                last = now;
            }
        };
        let thread = std::thread::Builder::new().name("watch".to_owned()).spawn(run)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

/// Size and modification time of files; `None` for a missing file.
type FileStates = BTreeMap<PathBuf, Option<(u64, SystemTime)>>;

/// Returns the files that have changed.
fn differing(before: &FileStates, now: &FileStates) -> BTreeSet<PathBuf> {
    let files = before.keys().chain(now.keys());
    files.filter(|file| before.get(*file) != now.get(*file)).cloned().collect()
}

/// Returns the files that a behavior was read from.
fn parts(chosen: &Chosen) -> Vec<PathBuf> {
    chosen.parts().into_iter().map(|(_, path)| path.canonicalize().unwrap_or(path)).collect()
}

/// Returns the folders where scripts find their own modules; the Python runtime uses the same folders.
fn module_folders(folder: &Path, relative: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let relative = Path::new(relative);
    let mut application = folder;
    if relative != Path::new(".") && folder.ends_with(relative) {
        application = folder.ancestors().nth(relative.components().count()).unwrap_or(folder);
        folders.push(application.to_owned());
    }
    folders.extend(LIBRARIES.map(|library| application.join(library)));
    folders
}

/// Adds the modules of a folder and of the packages in it.
fn add_modules(folder: &Path, depth: usize, states: &mut FileStates) {
    let Ok(entries) = folder.read_dir() else { return };
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|ending| ending == "py") {
            let seen = stat(&path);
            states.insert(path, seen);
        } else if depth > 0 && path.join("__init__.py").is_file() {
            add_modules(&path, depth - 1, states);
        }
    }
}

fn stat(path: &Path) -> Option<(u64, SystemTime)> {
    let data = path.metadata().ok()?;
    Some((data.len(), data.modified().ok()?))
}

struct BehaviorWatch {
    path: PathBuf,
    behavior: Option<String>,
    alone: Option<BoxPath>,
    live: LiveBehavior,
    /// What counts only from the next start, as it was told last.
    told: Vec<(String, String)>,
    /// The file as it was read last, for the page.
    latest: Arc<Mutex<XarFile>>,
    parts: Vec<PathBuf>,
    folders: Vec<PathBuf>,
}

impl Watched for BehaviorWatch {
    fn poll(&self) -> FileStates {
        file_states(&self.parts, &self.folders)
    }

    fn take(&mut self, files: &BTreeSet<PathBuf>, unread: bool) {
        let (parts, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| self.parts.contains(*file));
        // Modules come first, because a changed script may need a change of a module.
        let modules = others.iter().map(|file| file.to_string_lossy().into_owned()).collect::<Vec<_>>();
        if !modules.is_empty() {
            let _ = self.live.send(Control::Modules { files: modules });
        }
        if !parts.is_empty() || unread {
            match self.read() {
                Ok(chosen) => self.compare(&chosen),
                Err(why) => self.report_not_taken(None, format!("{why}; the behavior goes on as it was")),
            }
        }
    }
}

impl BehaviorWatch {
    /// Reads the behavior again.
    ///
    /// # Errors
    /// Why it cannot be read, with its line.
    fn read(&self) -> Result<Chosen, String> {
        let opened = boxstep_format::open(&self.path, &Limits::default()).map_err(|e| open::in_words(&e))?;
        let chosen = open::in_a_line(opened, &self.path, self.behavior.as_deref())?;
        match &self.alone {
            Some(alone) => chosen.alone(alone).map_err(|why| why.to_string()),
            None => Ok(chosen),
        }
    }

    fn compare(&mut self, chosen: &Chosen) {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone_from(&chosen.file);
        let later = self.live.take(&chosen.file);
        for (path, what) in later.iter().filter(|what| !self.told.contains(what)) {
            self.report_not_taken(Some(path), format!("{what}: {FROM_NEXT}"));
        }
        self.told = later;
        self.parts = parts(chosen);
    }

    /// Makes the run report a change that cannot be reloaded.
    fn report_not_taken(&self, path: Option<&str>, why: String) {
        let plays = path.and_then(|path| path.parse().ok()).filter(|path| self.live.plays(path));
        let why = match (path, &plays) {
            (Some(path), None) => format!("{path}: {why}"),
            _ => why,
        };
        // The engine never refuses this control.
        let _ = self.live.send(Control::NotTaken { path: plays, why });
    }
}

/// Polls some files and the modules of some folders.
fn file_states(parts: &[PathBuf], folders: &[PathBuf]) -> FileStates {
    let mut states: FileStates = parts.iter().map(|file| (file.clone(), stat(file))).collect();
    for folder in folders {
        add_modules(folder, DEPTH, &mut states);
    }
    states
}

const FROM_NEXT: &str = "from the next start of boxstep";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_looked_for_where_scripts_find_them() {
        let folders = module_folders(Path::new("/app/dance/slow"), "dance/slow");
        let expected = ["/app/dance/slow", "/app", "/app/lib", "/app/lib/python"];
        assert_eq!(folders, expected.map(PathBuf::from));
        let alone = module_folders(Path::new("/app"), ".");
        assert_eq!(alone, ["/app", "/app/lib", "/app/lib/python"].map(PathBuf::from));

        let root = std::env::temp_dir().join(format!("boxstep-watch-{}", std::process::id()));
        for (file, text) in
            [("a.py", "1"), ("pack/__init__.py", ""), ("pack/b.py", "22"), ("plain/c.py", ""), ("d.txt", "")]
        {
            let path = root.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let seen = || {
            let mut states = FileStates::new();
            add_modules(&root, DEPTH, &mut states);
            states
        };
        let before = seen();
        std::fs::write(root.join("pack/b.py"), "333").unwrap();
        std::fs::remove_file(root.join("a.py")).unwrap();
        let after = seen();
        std::fs::remove_dir_all(&root).unwrap();
        let names: Vec<_> = before.keys().map(|file| file.strip_prefix(&root).unwrap().to_owned()).collect();
        assert_eq!(names, ["a.py", "pack/__init__.py", "pack/b.py"].map(PathBuf::from));
        let changed: Vec<_> = differing(&before, &after).into_iter().collect();
        assert_eq!(changed, ["a.py", "pack/b.py"].map(|file| root.join(file)));
    }
}
