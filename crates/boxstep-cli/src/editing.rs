//! Edits of the behavior that plays, by its page: `play --view --edit`.

use crate::box_folders;
use crate::command::check::interpreter::ScriptReader;
use crate::failure::Failure;
use crate::open::{self, Chosen, Localized};
use crate::playable::Read;
use crate::trial::TrialRuns;
use crate::watch::LiveBehavior;
use boxstep_bodies::Body;
use boxstep_check::{Context, Python, Scripts};
use boxstep_edit::{
    BoxFolders, Change, Document, EditFinding, EditRequest, EditState, OpenError, OpenFile, Recovered, SaveError,
    copied,
};
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use boxstep_format::XarFile;
use boxstep_types::BoxPath;
use boxstep_view::{Editor, Model, Models, SharedStore};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// The file of a behavior that plays, and what shows it.
pub(crate) struct BehaviorEditor {
    /// The behavior's name, by which pages know it.
    name: String,
    shown: String,
    folder: PathBuf,
    /// What parses the scripts, and the Python version of those that name none.
    python: (Python, u8),
    /// The user's own boxes.
    box_folders: BoxFolders,
    /// Runs it as it is edited, once the page may ask for that.
    trials: OnceLock<TrialRuns>,
    /// This editor itself.
    me: Weak<BehaviorEditor>,
    inner: Mutex<Inner>,
}

struct Inner {
    file: OpenFile,
    /// The run, and what it has of the file.
    live: Option<LiveBehavior>,
    page: Option<(Models, &'static Body)>,
}

impl BehaviorEditor {
    /// Opens the file of a behavior, with the changes of its draft.
    pub(crate) fn open(read: &Read, python: (Python, u8), boxes: &[PathBuf]) -> Result<Arc<Self>, Failure> {
        let Read::Behavior(chosen) = read else {
            let why = "--edit changes a behavior: open the behaviors of the character one by one";
            return Err(Failure::Usage(why.to_owned()));
        };
        if let Some(why) = unchangeable(chosen) {
            return Err(Failure::Usage(format!("--edit: {}: {why}", chosen.behavior.shown)));
        }
        let behavior = &chosen.behavior;
        let file = OpenFile::open(&behavior.xar, &behavior.shown).map_err(|e| match e {
            OpenError::Io(path, e) => Failure::io(&path, &e),
            OpenError::Format(e) => open::unreadable(&e),
            e @ OpenError::InUse(_) => Failure::Run(e.to_string()),
        })?;
        let inner = Mutex::new(Inner { file, live: None, page: None });
        let (name, shown, folder) = (chosen.name.clone(), behavior.shown.clone(), behavior.folder.clone());
        let box_folders = box_folders::of(boxes, chosen.project_folder());
        let trials = OnceLock::new();
        Ok(Arc::new_cyclic(|me| Self { name, shown, folder, python, box_folders, trials, me: me.clone(), inner }))
    }

    /// Lets pages see the behavior, as it is edited, in trial runs.
    pub(crate) fn offer(&self, trials: TrialRuns) {
        // They are offered once.
        let _ = self.trials.set(trials);
    }

    /// Makes a behavior that has just been read from the disk what it is here.
    pub(crate) fn overlay(&self, read: &mut Read) {
        if let Read::Behavior(chosen) = read {
            let mut inner = self.inner();
            // It has just been read, so that it can be read again.
            let _ = inner.file.follow();
            chosen.edit(inner.file.document().file().clone());
        }
    }

    /// Passes changes from now on to a run, and shows them on its page.
    pub(crate) fn connect(
        &self,
        engine: &Shared<Engine>,
        models: Models,
        body: &'static Body,
        localized: Option<Localized>,
    ) {
        let mut inner = self.inner();
        let live = LiveBehavior::new(engine.clone(), inner.file.document().file(), localized);
        inner.live = Some(live);
        inner.page = Some((models, body));
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn of(&self, behavior: &str) -> Result<MutexGuard<'_, Inner>, String> {
        if behavior == self.name {
            return Ok(self.inner());
        }
        Err(format!("{behavior} is another behavior: open it to change it"))
    }

    /// Shows the file as it is now, passes it to the run, and returns its state.
    fn taken(&self, inner: &mut Inner, changes: &[Change]) -> EditState {
        let file = inner.file.document().shared();
        let later = inner.live.as_mut().map(|live| live.take(&file)).unwrap_or_default();
        let waits = inner.live.as_ref().map(LiveBehavior::waiting).unwrap_or_default();
        let goes_on = inner.live.as_ref().is_some_and(LiveBehavior::goes_on);
        let later = later.into_iter().filter(|_| goes_on).map(|(path, what)| format!("{path}: {what}"));
        if let Some((models, body)) = &inner.page {
            let model = Model { name: self.name.clone(), file, body };
            models.exchange(&[], vec![model]);
        }
        EditState { counts: later.collect(), waits, ..self.after(inner, changes) }
    }

    fn now(&self, inner: &Inner) -> EditState {
        self.after(inner, &[])
    }

    fn after(&self, inner: &Inner, changes: &[Change]) -> EditState {
        let state = EditState::of(inner.file.document(), &self.shown, changes);
        let unkept = inner.file.no_draft().map(ToString::to_string);
        EditState { recovered: recovered(inner.file.recovered()), unkept, ..state }
    }

    fn save(&self, inner: &mut Inner) -> Result<EditState, String> {
        match inner.file.save() {
            // Other pages are told that it is saved.
            Ok(()) => Ok(self.taken(inner, &[])),
            Err(SaveError::Changed(theirs)) => {
                let ours = inner.file.document().file().text();
                let conflict = match Document::read(&self.shown, &theirs) {
                    Ok(theirs) if theirs.file().text() == ours => {
                        inner.file.overwrite().map_err(|e| e.to_string())?;
                        return Ok(self.taken(inner, &[]));
                    }
                    Ok(theirs) => {
                        let diff = similar::TextDiff::from_lines(theirs.file().text(), ours);
                        diff.unified_diff().context_radius(2).header("on the disk", "here").to_string()
                    }
                    Err(e) => format!("what is on the disk now is no behavior: {e}"),
                };
                Ok(EditState { conflict: Some(conflict), ..self.now(inner) })
            }
            Err(e) => Err(e.to_string()),
        }
    }
}

/// Returns why a behavior cannot be edited.
fn unchangeable(chosen: &Chosen) -> Option<&'static str> {
    if chosen.archive().is_some() {
        return Some("it is in an archive; unpack it first (boxstep unpack)");
    }
    if chosen.is_alone().is_some() {
        return Some("only a box of it plays; leave out --box");
    }
    if chosen.behavior.is_split() {
        return Some("it is a split folder; convert it to a .xar first (boxstep convert)");
    }
    let is_xar = chosen.behavior.xar.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xar"));
    (!is_xar).then_some("it is no .xar; change it with a text editor")
}

fn recovered(found: &Recovered) -> Option<String> {
    match found {
        Recovered::Nothing => None,
        Recovered::Steps(1) => Some("1 change was not saved last time; it is here again".to_owned()),
        Recovered::Steps(n) => Some(format!("{n} changes were not saved last time; they are here again")),
        Recovered::Again(n, kept) => Some(format!(
            "the file has changed since it was edited here, or its draft is damaged; {n} of the changes that were not saved are here again, and all are kept in {}",
            kept.display()
        )),
    }
}

impl Editor for BehaviorEditor {
    fn state(&self, behavior: &str) -> Result<EditState, String> {
        let mut inner = self.of(behavior)?;
        // What cannot be read stays as it was: saving says so.
        Ok(if inner.file.follow().unwrap_or(false) { self.taken(&mut inner, &[]) } else { self.now(&inner) })
    }

    fn perform(&self, behavior: &str, request: EditRequest) -> Result<EditState, String> {
        let mut inner = self.of(behavior)?;
        let file = &mut inner.file;
        let changes = match request {
            EditRequest::Apply { label, gesture, ops } => {
                vec![file.apply(&label, gesture.as_deref(), &ops).map_err(|e| e.to_string())?]
            }
            EditRequest::Undo => vec![file.undo().ok_or("there is nothing to undo")?],
            EditRequest::Redo => vec![file.redo().ok_or("there is nothing to redo")?],
            EditRequest::Save => return self.save(&mut inner),
            EditRequest::Overwrite => {
                file.overwrite().map_err(|e| e.to_string())?;
                Vec::new()
            }
            EditRequest::Merge => {
                file.merge().map_err(|e| format!("the changes do not fit the file on the disk: {e}"))?
            }
            EditRequest::Discard => {
                file.discard().map_err(|e| e.to_string())?;
                Vec::new()
            }
        };
        Ok(self.taken(&mut inner, &changes))
    }

    fn copied(&self, behavior: &str, boxes: &[BoxPath]) -> Result<String, String> {
        copied(self.of(behavior)?.file.document().file(), boxes).map_err(|e| e.to_string())
    }

    fn findings(&self, behavior: &str) -> Result<Vec<EditFinding>, String> {
        let inner = self.of(behavior)?;
        let file = inner.file.document().shared();
        let body = inner.page.as_ref().map(|(_, body)| *body);
        // Parsing takes a while, and others go on in the meantime.
        drop(inner);
        let mut scripts = Scripts::new();
        scripts.add(&file);
        let (python, dialect) = &self.python;
        scripts.read(python, &ScriptReader { dialect: *dialect });
        let context = Context {
            folder: Some(&self.folder),
            body,
            body_asked: false,
            scripts: Some(&scripts),
            services: &[],
            dialogs: &[],
        };
        let found = boxstep_check::check(&file, &context).behavior;
        Ok(found.iter().map(|finding| EditFinding::of(finding, &file)).collect())
    }

    fn file(&self, behavior: &str) -> Result<Arc<XarFile>, String> {
        Ok(self.of(behavior)?.file.document().shared())
    }

    fn box_folders(&self) -> BoxFolders {
        self.box_folders.clone()
    }

    fn has_trials(&self) -> bool {
        self.trials.get().is_some()
    }

    fn trial(&self, behavior: &str) -> Result<SharedStore, String> {
        let trials = self.trials.get().ok_or("this run has a robot of its own: nothing is run beside it")?;
        let version = self.of(behavior)?.file.document().version();
        trials.of(version, self.me.clone())
    }
}
