//! Watches the files of a character that plays: its own, and those of the behaviors that its leaves play.

use super::{FileStates, Watched, Watcher, file_states, module_folders, parts, send};
use crate::character::{LoadedCharacter, Unread};
use crate::failure::Failure;
use crate::view;
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::Control;
use boxstep_engine::shared::Shared;
use boxstep_runner::{NotPlayed, RunningCharacter};
use boxstep_types::Value;
use boxstep_view::Models;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

struct CharacterWatch {
    engine: Shared<Engine>,
    performance: RunningCharacter,
    path: PathBuf,
    set: Vec<(Arc<str>, Value)>,
    language: String,
    body: &'static Body,
    /// The character's own file and all files that it plays, including missing ones.
    parts: Vec<PathBuf>,
    folders: Vec<PathBuf>,
    /// The models of the page, and the names of the character's behaviors among them.
    shown: Option<(Models, Vec<String>)>,
}

impl Watcher {
    /// Starts polling the files of a character that plays.
    pub(crate) fn of_character(
        engine: Shared<Engine>,
        loaded: &LoadedCharacter,
        performance: RunningCharacter,
        language: &str,
        body: &'static Body,
        shown: Option<Models>,
    ) -> Result<Self, Failure> {
        Self::start(CharacterWatch {
            engine,
            performance,
            path: loaded.path().to_owned(),
            set: loaded.set().to_vec(),
            language: language.to_owned(),
            body,
            parts: all_parts(loaded),
            folders: all_folders(loaded),
            shown: shown.map(|shown| (shown, names(loaded))),
        })
    }
}

fn names(loaded: &LoadedCharacter) -> Vec<String> {
    loaded.behaviors().map(|chosen| chosen.name.clone()).collect()
}

/// Returns the files of a character.
fn all_parts(loaded: &LoadedCharacter) -> Vec<PathBuf> {
    let mut all = vec![loaded.path().to_owned()];
    // A missing file may be created, and an unreadable one may be repaired.
    all.extend(loaded.character.plays().map(|name| loaded.folder().join(&**name)));
    all.extend(loaded.behaviors().flat_map(parts));
    all.sort();
    all.dedup();
    all
}

/// Returns the folders where the scripts of the behaviors find modules.
fn all_folders(loaded: &LoadedCharacter) -> Vec<PathBuf> {
    let of =
        |chosen: &crate::open::Chosen| chosen.folder().ok().map(|folder| (folder, chosen.relative_folder().to_owned()));
    let found = loaded.behaviors().filter_map(of);
    let mut all: Vec<PathBuf> = found.flat_map(|(folder, relative)| module_folders(&folder, &relative)).collect();
    all.sort();
    all.dedup();
    all
}

impl Watched for CharacterWatch {
    fn poll(&self) -> FileStates {
        file_states(&self.parts, &self.folders)
    }

    fn take(&mut self, files: &BTreeSet<PathBuf>, unread: bool) {
        let (own, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| self.parts.contains(*file));
        // Modules come first, because a changed script may need a change of a module.
        let modules: Vec<String> = others.iter().map(|file| file.to_string_lossy().into_owned()).collect();
        if !modules.is_empty() {
            let _ = send(&self.engine, Control::Modules { files: modules });
        }
        if own.is_empty() && !unread {
            return;
        }
        match LoadedCharacter::read_with_findings(&self.path, &self.set) {
            Ok(loaded) => self.reload(&loaded),
            Err(Unread::Found(findings, _)) => {
                for finding in findings {
                    self.report_not_taken(&finding.to_string());
                }
            }
            Err(Unread::Failure(why)) => self.report_not_taken(&why.to_string()),
        }
    }
}

impl CharacterWatch {
    fn reload(&mut self, loaded: &LoadedCharacter) {
        (self.parts, self.folders) = (all_parts(loaded), all_folders(loaded));
        let done = self.engine.poke(|engine| match engine.outcome() {
            Some(_) => Ok(()),
            None => {
                let mut open = |name: &str| loaded.source(name, &self.language, self.body).map(|(source, _)| source);
                self.performance.reload(engine, &loaded.character, &mut open).map(|_| ())
            }
        });
        match done {
            Ok(()) => self.show(loaded),
            Err(NotPlayed::Found(findings)) => {
                for finding in findings {
                    self.report_not_taken(&loaded.placed(finding).to_string());
                }
            }
            Err(NotPlayed::Refused(why)) => self.report_not_taken(&why.to_string()),
        }
    }

    /// Updates the models of the page to the behaviors as they play from their next start on.
    fn show(&mut self, loaded: &LoadedCharacter) {
        let Some((shown, known)) = &mut self.shown else { return };
        let come = loaded.behaviors().map(|chosen| view::model(chosen, self.body)).collect();
        shown.exchange(&std::mem::replace(known, names(loaded)), come);
    }

    /// Makes the run report a change that cannot be reloaded.
    fn report_not_taken(&self, why: &str) {
        let why = format!("{}; the character goes on as it was", why.trim_end());
        // The engine never refuses this control.
        let _ = send(&self.engine, Control::NotTaken { path: None, why });
    }
}
