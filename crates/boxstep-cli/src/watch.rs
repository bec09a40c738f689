//! `play --watch`: polls for files that have changed, and passes the changes to the engine while it plays
//! (`docs/guides/reload.md`).
//!
//! Files are polled instead of watched by the system: checking a few dozen files costs no measurable time, editors that
//! write a temporary file and rename it need no special care, and polling works the same on every system and every kind
//! of disk.

mod character;

use crate::args::RunSpec;
use crate::failure::Failure;
use crate::files::LIBRARIES;
use crate::open::{self, Chosen};
use boxstep_draw::diff::{Change, Diff, Kind, What};
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::protocol::{Scheduler as _, ScriptSource};
use boxstep_engine::shared::Shared;
use boxstep_format::model::{BoxDef, Script, ScriptLanguage};
use boxstep_format::{Limits, XarFile, paths};
use boxstep_types::{BoxPath, Sources};
use boxstep_view::Models;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime};

/// The time between two polls. A file that has not changed between two polls is complete: nobody is still writing it.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// How many levels of packages are searched for modules; a symbolic link may lead back up.
const DEPTH: usize = 8;
/// How many changes of a box are listed.
const NAMED: usize = 3;

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
        spec: &RunSpec,
        chosen: &Chosen,
        shown: Option<Models>,
    ) -> Result<Self, Failure> {
        if let Some(shown) = shown {
            let name = chosen.name.clone();
            engine.lock().on_script(move |path, script| shown.set_script(&name, path, &script.text));
        }
        Self::start(BehaviorWatch {
            engine,
            path: file.to_owned(),
            behavior: spec.behavior.clone(),
            alone: spec.alone.clone(),
            playing: Playing::new(&chosen.file),
            last: chosen.file.clone(),
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

/// The scripts of the boxes that play, by box path.
struct Playing(HashMap<BoxPath, Scripted>);

struct Scripted {
    /// The id of the box: by now another box may have the same path in the files.
    id: i32,
    /// The text of the script, or the text that it gets when the box is at rest; `None` if the script is not run.
    text: Option<Arc<str>>,
}

impl Playing {
    fn new(file: &XarFile) -> Self {
        let boxes = paths::boxes(&file.project);
        let text = |def: &BoxDef| script(def).map(|script| script.text.clone());
        Self(boxes.map(|at| (at.path, Scripted { id: at.def.id, text: text(at.def) })).collect())
    }

    /// Returns the scripts that differ from the playing ones and can be reloaded.
    fn changed(&mut self, file: &XarFile) -> Vec<ScriptSource> {
        let mut changed = Vec::new();
        for at in paths::boxes(&file.project) {
            let (Some(plays), Some(script)) = (self.0.get_mut(&at.path), script(at.def)) else { continue };
            let changes = plays.id == at.def.id && plays.text.as_ref().is_some_and(|text| *text != script.text);
            if changes {
                plays.text = Some(script.text.clone());
                changed.push(source(script, at.path, &file.sources));
            }
        }
        changed
    }
}

/// Returns the script of a box, if it is one that runs.
fn script(def: &BoxDef) -> Option<&Script> {
    def.script.as_ref().filter(|s| s.language == ScriptLanguage::Python && !s.text.trim().is_empty())
}

fn source(script: &Script, path: BoxPath, sources: &Sources) -> ScriptSource {
    let span = script.text_span;
    let (file, first_line) = (sources.name(span.file).into(), sources.line(span.file, span.start));
    let Script { text, is_program, args, .. } = script.clone();
    ScriptSource { text, is_program, args, file, first_line, path }
}

struct BehaviorWatch {
    engine: Shared<Engine>,
    path: PathBuf,
    behavior: Option<String>,
    alone: Option<BoxPath>,
    playing: Playing,
    /// The file as it was read last.
    last: XarFile,
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
            let _ = self.send(Control::Modules { files: modules });
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
        let mut reported = BTreeSet::new();
        for source in self.playing.changed(&chosen.file) {
            let path = source.path.clone();
            if let Err(why) = self.send(Control::Script(Arc::new(source))) {
                self.report_not_taken(Some(&path.to_string()), format!("{why}: {FROM_NEXT}"));
            }
            reported.insert(path.to_string());
        }
        for (path, what) in later(Diff::new(&self.last, &chosen.file).changes(), &reported) {
            self.report_not_taken(Some(&path), format!("{what}: {FROM_NEXT}"));
        }
        self.last = chosen.file.clone();
        self.parts = parts(chosen);
    }

    /// Makes the run report a change that cannot be reloaded.
    fn report_not_taken(&self, path: Option<&str>, why: String) {
        let plays = path.and_then(|path| path.parse().ok()).filter(|path| self.playing.0.contains_key(path));
        let why = match (path, &plays) {
            (Some(path), None) => format!("{path}: {why}"),
            _ => why,
        };
        // The engine never refuses this control.
        let _ = self.send(Control::NotTaken { path: plays, why });
    }

    fn send(&self, what: Control) -> Result<(), String> {
        send(&self.engine, what)
    }
}

/// Nothing may follow the footer of a trace.
fn send(engine: &Shared<Engine>, what: Control) -> Result<(), String> {
    engine.poke(|engine| {
        let now = engine.now();
        if engine.outcome().is_some() { Ok(()) } else { engine.control(now, what) }
    })
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

/// Describes the changes of each box, except for the scripts in `done`. The position of a box in the drawing is
/// ignored.
fn later(changes: &[Change], done: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut boxes: Vec<(String, Vec<String>)> = Vec::new();
    for change in changes {
        let is_done = change.what == What::Script && done.contains(&change.path);
        if is_done || change.what == What::Position {
            continue;
        }
        let words = words(change);
        match boxes.iter_mut().find(|(path, _)| *path == change.path) {
            Some((_, all)) => all.push(words),
            None => boxes.push((change.path.clone(), vec![words])),
        }
    }
    let shown = |all: Vec<String>| match all.len() {
        n if n > NAMED => format!("{} and {} more", all[..NAMED].join(", "), n - NAMED),
        _ => all.join(", "),
    };
    boxes.into_iter().map(|(path, all)| (path, shown(all))).collect()
}

fn words(change: &Change) -> String {
    let way = match change.kind {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
    };
    match change.what {
        What::Box => way.to_owned(),
        What::Script => format!("script {way}"),
        what => format!("{} {} {way}", format!("{what:?}").to_lowercase(), change.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use boxstep_format::read_xar;

    fn read(xml: &str) -> XarFile {
        read_xar("behavior.xar", xml.as_bytes(), &Limits::default()).unwrap()
    }

    /// A root with one box in it.
    fn file(name: &str, id: i32, x: i32, script: &str) -> XarFile {
        let of_box = |name: &str, id: i32, x: i32, script: &str, inside: &str| {
            format!(
                r#"<Box name="{name}" id="{id}" localization="8" tooltip="" x="{x}" y="0"><script language="4"><content><![CDATA[{script}]]></content></script>{inside}</Box>"#
            )
        };
        let talk = of_box(name, id, x, script, "");
        let inside = format!(
            r#"<Timeline enable="0"><BehaviorLayer name="l"><BehaviorKeyframe name="k" index="1"><Diagram>{talk}</Diagram></BehaviorKeyframe></BehaviorLayer></Timeline>"#
        );
        let root = of_box("root", -1, 0, "", &inside);
        read(&format!(
            r#"<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">{root}</ChoregrapheProject>"#
        ))
    }

    #[test]
    fn only_scripts_of_the_same_box_are_taken_and_each_text_once() {
        let mut playing = Playing::new(&file("A", 1, 0, "old"));
        assert_eq!(playing.changed(&file("A", 1, 0, "old")), []);
        let new = playing.changed(&file("A", 1, 0, "new"));
        assert_eq!((new.len(), &*new[0].text, new[0].path.to_string()), (1, "new", "root/A".to_owned()));
        assert_eq!(playing.changed(&file("A", 1, 0, "new")), [], "the engine has it");
        assert_eq!(playing.changed(&file("A", 1, 0, "old")).len(), 1, "back again");
        assert_eq!(playing.changed(&file("A", 2, 0, "new")), [], "another box of that name");
        assert_eq!(playing.changed(&file("B", 1, 0, "new")), [], "another path");
        assert_eq!(playing.changed(&file("A", 1, 0, " ")), [], "a script that is gone");
    }

    #[test]
    fn what_is_left_is_told_by_box_and_positions_are_not() {
        let old = file("A", 1, 0, "old");
        let of = |new: &XarFile, done: &[&str]| {
            let done = done.iter().map(|path| (*path).to_owned()).collect();
            later(Diff::new(&old, new).changes(), &done)
        };
        assert_eq!(of(&file("A", 1, 50, "new"), &["root/A"]), []);
        assert_eq!(of(&file("A", 1, 0, "new"), &[]), [("root/A".to_owned(), "script changed".to_owned())]);
        let renamed = of(&file("B", 1, 0, "old"), &[]);
        assert!(renamed.iter().any(|(path, what)| path == "root/B" && what.contains("name")), "{renamed:?}");
    }

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
