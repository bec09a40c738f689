//! What a run plays: a behavior, or a character with the behaviors of its leaves. All commands use this interface,
//! which is the same for both.

use crate::body;
use crate::character::LoadedCharacter;
use crate::failure::Failure;
use crate::open::Chosen;
use crate::plot_data;
use crate::settings::Settings;
use boxstep_api::play::{fit_curves, known_body};
use boxstep_bodies::Body;
use boxstep_check::config;
use boxstep_engine::config::Library;
use boxstep_format::model::Project;
use boxstep_format::paths;
use boxstep_record::Normal;
use boxstep_types::BoxPath;
use boxstep_view::Models;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A borrowed behavior or character.
#[derive(Clone, Copy)]
pub(crate) enum Playable<'a> {
    Behavior(&'a Chosen),
    Character(&'a LoadedCharacter),
}

/// A behavior or character that has been read.
pub(crate) enum Read {
    Behavior(Box<Chosen>),
    Character(Box<LoadedCharacter>),
}

impl Read {
    pub(crate) fn playable(&self) -> Playable<'_> {
        match self {
            Read::Behavior(chosen) => Playable::Behavior(chosen),
            Read::Character(loaded) => Playable::Character(loaded),
        }
    }

    /// Returns the project of a behavior; `None` for a character.
    pub(crate) fn project(&self) -> Option<&Project> {
        match self {
            Read::Behavior(chosen) => Some(&chosen.file.project),
            Read::Character(_) => None,
        }
    }
}

impl<'a> From<&'a Chosen> for Playable<'a> {
    fn from(chosen: &'a Chosen) -> Self {
        Playable::Behavior(chosen)
    }
}

impl<'a> From<&'a LoadedCharacter> for Playable<'a> {
    fn from(loaded: &'a LoadedCharacter) -> Self {
        Playable::Character(loaded)
    }
}

impl<'a> Playable<'a> {
    /// Returns `behavior` or `character`.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Playable::Behavior(_) => "behavior",
            Playable::Character(_) => "character",
        }
    }

    pub(crate) fn name(self) -> &'a str {
        match self {
            Playable::Behavior(chosen) => &chosen.name,
            Playable::Character(loaded) => &loaded.character.name,
        }
    }

    /// Returns the box that is played alone, if one is.
    pub(crate) fn is_alone(self) -> Option<&'a BoxPath> {
        match self {
            Playable::Behavior(chosen) => chosen.is_alone(),
            Playable::Character(_) => None,
        }
    }

    /// Returns the name for people, with the box that is played alone, if one is.
    pub(crate) fn title(self) -> String {
        let alone = self.is_alone().map(|path| format!(": {path} alone")).unwrap_or_default();
        format!("{}{alone}", self.name())
    }

    /// Returns the names of all behaviors of the file.
    pub(crate) fn all(self) -> &'a [String] {
        match self {
            Playable::Behavior(chosen) => &chosen.all,
            Playable::Character(_) => &[],
        }
    }

    /// Returns the behaviors that are read from files.
    pub(crate) fn behaviors(self) -> Vec<&'a Chosen> {
        match self {
            Playable::Behavior(chosen) => vec![chosen],
            Playable::Character(loaded) => loaded.behaviors().collect(),
        }
    }

    /// Returns the simulated body and why it was chosen: `asked`, else that of the settings, else the one that the
    /// files were made for.
    pub(crate) fn body(
        self,
        asked: Option<&'static Body>,
        settings: &Settings,
    ) -> Result<(&'static Body, String), Failure> {
        let loaded = match self {
            Playable::Behavior(chosen) => {
                return body::choose(asked, settings, chosen.robots(), chosen.whole());
            }
            Playable::Character(loaded) => loaded,
        };
        if let Some(body) = asked {
            return Ok((body, "--body".to_owned()));
        }
        if let Some(body) = body::of_settings(settings)? {
            return Ok((body, config::FILE_NAME.to_owned()));
        }
        let known = |chosen: &Chosen| {
            let (kind, why) = known_body(chosen.robots(), &chosen.file.project)?;
            Some((kind.body(), format!("{}: {why}", chosen.name)))
        };
        let none = || (boxstep_bodies::BodyKind::Nao.body(), "the default; no behavior names a robot".to_owned());
        Ok(loaded.behaviors().find_map(known).unwrap_or_else(none))
    }

    /// Returns a note about curves that move nothing on an own body, if there are any.
    pub(crate) fn unnamed_curves(self, body: &Body) -> Option<String> {
        let mut unnamed = BTreeSet::new();
        for chosen in self.behaviors() {
            unnamed.append(&mut fit_curves(&mut chosen.file.project.clone(), body));
        }
        plot_data::unnamed_note(&unnamed, body)
    }

    /// Returns the folder as an absolute path.
    pub(crate) fn folder(self) -> Result<PathBuf, Failure> {
        match self {
            Playable::Behavior(chosen) => chosen.folder(),
            Playable::Character(loaded) => Ok(loaded.folder().to_owned()),
        }
    }

    /// Returns the topics that a robot with the project's package activates by itself.
    pub(crate) fn collaborative_topics(self) -> Vec<PathBuf> {
        match self {
            Playable::Behavior(chosen) => chosen.collaborative_topics(),
            Playable::Character(_) => Vec::new(),
        }
    }

    /// Returns the folder that holds everything that belongs to the project.
    pub(crate) fn project_folder(self) -> &'a Path {
        match self {
            Playable::Behavior(chosen) => chosen.project_folder(),
            Playable::Character(loaded) => loaded.folder(),
        }
    }

    /// Returns the absolute project folder, if it is the folder of a project: other files beside a single file need not
    /// belong to it.
    pub(crate) fn whole_folder(self) -> Option<PathBuf> {
        let is_project = match self {
            Playable::Behavior(chosen) => chosen.is_in_project(),
            Playable::Character(loaded) => loaded.is_in_project(),
        };
        self.project_folder().canonicalize().ok().filter(|_| is_project)
    }

    /// Returns the UUID of the package; empty if there is no package.
    pub(crate) fn package(self) -> &'a str {
        match self {
            Playable::Behavior(chosen) => chosen.package(),
            Playable::Character(loaded) => loaded.package(),
        }
    }

    /// Returns the files that were read: the name in its folder, and the SHA-256 in hex.
    pub(crate) fn files(self) -> Result<Vec<(String, String)>, Failure> {
        match self {
            Playable::Behavior(chosen) => chosen.files(),
            Playable::Character(loaded) => loaded.files(),
        }
    }

    /// Returns the number of findings that are more severe than notes.
    pub(crate) fn findings(self) -> usize {
        self.behaviors().into_iter().map(Chosen::findings).sum()
    }

    /// Returns the replacements of machine-specific paths in traces.
    pub(crate) fn normal(self) -> Result<Normal, Failure> {
        let loaded = match self {
            Playable::Behavior(chosen) => return chosen.normal(),
            Playable::Character(loaded) => loaded,
        };
        let normal = self.named_archives(Normal::new().folder(loaded.folder(), "character"));
        let normal = normal.folder(&std::env::temp_dir(), "temp");
        Ok(match std::env::current_dir() {
            Ok(here) => normal.folder(&here, "cwd"),
            Err(_) => normal,
        })
    }

    /// Returns the replacements of the folders of unpacked archives by the archives' names.
    pub(crate) fn folders_of_archives(self) -> Normal {
        self.named_archives(Normal::new())
    }

    fn named_archives(self, normal: Normal) -> Normal {
        let archives = self.behaviors().into_iter().filter_map(Chosen::archive);
        archives.fold(normal, |normal, (folder, name)| normal.folder(folder, &name))
    }

    /// Returns the paths of all boxes.
    pub(crate) fn boxes(self) -> impl Iterator<Item = BoxPath> {
        self.behaviors().into_iter().flat_map(|chosen| paths::boxes(&chosen.file.project).map(|at| at.path))
    }

    /// Returns the behaviors that scripts may start by name. A page draws those that are started.
    pub(crate) fn library(self, language: &str, body: &'static Body, drawn: Option<&Models>) -> Box<dyn Library> {
        match self {
            Playable::Behavior(chosen) => chosen.library(language, body, drawn),
            Playable::Character(loaded) => loaded.library(language, body, drawn),
        }
    }
}
