//! Characters: YAML files that say which behaviors a robot has, and which of them has control when.

use crate::failure::Failure;
use crate::open::{self, Chosen, rendered, sha256};
use crate::tree::{Tree, is_tree};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Library, NoLibrary};
use boxstep_format::{FormatError, Limits, Opened, paths};
use boxstep_runner::{Character, Finding, Natives, Node, NotPlayed, Role, RunningCharacter, Staging};
use boxstep_test::Given;
use boxstep_types::{BoxPath, FileId, Segment, Sources, Time, Value};
use boxstep_view::Models;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file names by which a character is found in a folder.
const NAMES: [&str; 3] = ["character.yaml", "character.yml", "character.json"];

/// Returns the file of the character that a path stands for, if it does: a YAML or JSON file, a behavior tree, or a
/// folder with a character of one of the usual names.
pub(crate) fn file_of(path: &Path) -> Option<PathBuf> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "yaml" | "yml" | "json") && !path.is_dir() || is_tree(path) {
        return Some(path.to_owned());
    }
    NAMES.iter().map(|name| path.join(name)).find(|file| file.is_file())
}

/// Returns whether a file has the usual name of a character.
pub(crate) fn is_named_so(item: &walkdir::DirEntry) -> bool {
    item.file_type().is_file() && NAMES.iter().any(|name| item.file_name() == *name)
}

/// Says that a leaf plays a behavior that does not exist.
pub(crate) fn not_there(name: &str) -> String {
    format!("there is no file `{name}` beside the character, and no installed behavior of this name")
}

/// Why a character cannot be read.
pub(crate) enum Unread {
    /// The findings, and the text that they are about.
    Found(Vec<Finding>, Box<(Sources, FileId)>),
    Failure(Failure),
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        Unread::Failure(failure)
    }
}

/// A character that has been read, with the behaviors that it plays.
pub(crate) struct LoadedCharacter {
    pub(crate) character: Character,
    /// The text of the file, under its name in messages.
    sources: Sources,
    shown: FileId,
    path: PathBuf,
    /// The behavior tree that the character was made from.
    tree: Option<Tree>,
    /// The values of parameters that were set.
    set: Vec<(Arc<str>, Value)>,
    /// The absolute folder that file names are relative to.
    folder: PathBuf,
    /// The project in that folder, if there is one.
    project: Option<Opened>,
    /// The behaviors, by the names in the leaves, or a sentence why a behavior cannot be played.
    plays: HashMap<Arc<str>, Result<Chosen, String>>,
}

impl LoadedCharacter {
    /// Reads a character, with values of its parameters, and all behaviors that it plays. Findings become one rendered
    /// failure.
    pub(crate) fn read(path: &Path, set: &[(Arc<str>, Value)]) -> Result<Self, Failure> {
        Self::read_with_findings(path, set).map_err(|why| match why {
            Unread::Found(findings, text) => rendered_findings(&findings, text.1, &text.0),
            Unread::Failure(why) => why,
        })
    }

    /// Reads a character as [`LoadedCharacter::read`] does, but returns the findings themselves.
    pub(crate) fn read_with_findings(path: &Path, set: &[(Arc<str>, Value)]) -> Result<Self, Unread> {
        let tree = is_tree(path).then(|| Tree::read(path, None)).transpose()?;
        let (text, name) = match &tree {
            Some(tree) => (tree.character.clone(), format!("{}, as a character", path.display())),
            None => (open::text(path)?, path.display().to_string()),
        };
        let read = Character::read(&text, &name, set);
        let mut sources = Sources::new();
        let shown = sources.add(name, text);
        let character = match read {
            Ok(character) => character,
            Err(findings) => return Err(Unread::Found(findings, Box::new((sources, shown)))),
        };
        let folder = crate::settings::folder_of(path);
        let folder = folder.canonicalize().map_err(|e| Failure::io(folder, &e))?;
        let project = boxstep_format::open(&folder, &Limits::default()).ok();
        let project = project.filter(|opened| opened.pml.is_some() || opened.manifest.is_some());
        let mut plays = HashMap::new();
        for name in character.plays().chain(character.plays_elsewhere(None)) {
            plays.entry(name.clone()).or_insert_with(|| played(name, &folder, project.as_ref()));
        }
        let (path, set) = (path.to_owned(), set.to_vec());
        Ok(Self { character, sources, shown, path, tree, set, folder, project, plays })
    }

    /// Renders findings with their lines.
    pub(crate) fn wrong(&self, findings: &[Finding]) -> Failure {
        rendered_findings(findings, self.shown, &self.sources)
    }

    /// Adds the name of the character's file to a finding.
    pub(crate) fn placed(&self, mut finding: Finding) -> Finding {
        finding.file = self.sources.name(self.shown).into();
        finding
    }

    /// Returns the path of the character's own file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns notes on what a behavior tree lacks as a character; empty if the character was not made from one.
    pub(crate) fn import_notes(&self) -> String {
        let Some(tree) = &self.tree else { return String::new() };
        let open = match tree.slots() {
            0 => String::new(),
            open => format!(
                "leaves are done after 1 s and conditions are true until they are bound ({open}): `boxstep convert {} character.yaml`\n",
                self.path.display()
            ),
        };
        tree.rendered(false) + &open
    }

    /// Returns whether a path names a behavior of the character, or a box in a behavior that it plays.
    pub(crate) fn has(&self, path: &BoxPath) -> bool {
        let find = |name: &str| self.character.behaviors.iter().find(|node| &*node.name == name);
        if find(&path.to_string()).is_some() {
            return true;
        }
        let mut at: Option<&Node> = None;
        for (done, segment) in path.segments().iter().enumerate() {
            let Segment::Box { name, .. } = segment else { return false };
            if let Some(plays) = at.and_then(|node| node.kind.plays()) {
                let Some(Ok(chosen)) = self.plays.get(plays) else { return false };
                let inside = BoxPath::of(&path.segments()[done..]);
                return inside.is_some_and(|inside| paths::find(&chosen.file.project, &inside).is_ok());
            }
            // The first segment is the root, or a behavior that replaces it.
            let is_next = at.is_none_or(|node| node.kind.children().iter().any(|child| child.to.name == *name));
            at = find(name).filter(|_| is_next);
            if at.is_none() {
                return false;
            }
        }
        at.is_some()
    }

    /// Returns the parameter values that the character was read with.
    pub(crate) fn set(&self) -> &[(Arc<str>, Value)] {
        &self.set
    }

    /// Returns the absolute folder that file names are relative to.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns whether the character is in the folder of a project or package.
    pub(crate) fn is_in_project(&self) -> bool {
        self.project.is_some()
    }

    /// Returns the UUID of the package that contains the character; empty if there is none.
    pub(crate) fn package(&self) -> &str {
        self.project.as_ref().and_then(Opened::uuid).unwrap_or_default()
    }

    /// Returns the behaviors that it plays, in the order of the file.
    pub(crate) fn behaviors(&self) -> impl Iterator<Item = &Chosen> {
        let mut names: Vec<&Arc<str>> = Vec::new();
        for name in self.character.plays() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().filter_map(|name| self.plays.get(name)?.as_ref().ok())
    }

    /// Returns all behaviors that it plays, on whatever robot, by the names in leaves; or why one cannot be played.
    pub(crate) fn all_plays(&self) -> impl Iterator<Item = (&str, Result<&Chosen, &str>)> {
        self.plays.iter().map(|(name, chosen)| (&**name, chosen.as_ref().map_err(String::as_str)))
    }

    /// Returns the behaviors that it plays on its own robot, or on another one, as [`LoadedCharacter::all_plays`] does.
    pub(crate) fn plays_on<'a>(
        &'a self,
        robot: Option<&'a str>,
    ) -> impl Iterator<Item = (&'a str, Result<&'a Chosen, &'a str>)> {
        let own = self.character.plays().filter(move |_| robot.is_none());
        let others = self.character.plays_elsewhere(robot).filter(move |_| robot.is_some());
        own.chain(others).filter_map(|name| Some((&**name, self.plays.get(name)?.as_ref().map_err(String::as_str))))
    }

    /// Returns the character's own file and the files that it plays, by their names in the folder, each with its
    /// SHA-256.
    pub(crate) fn files(&self) -> Result<Vec<(String, String)>, Failure> {
        let own = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = self.tree.as_ref().map_or_else(|| self.sources.text(self.shown), Tree::text);
        let mut files = vec![(own, sha256(text.as_bytes()))];
        for named in &self.character.scripts {
            // A script that cannot be read is reported when it is to be run.
            if let Ok(bytes) = std::fs::read(self.folder.join(&*named.name)) {
                files.push((named.name.to_string(), sha256(&bytes)));
            }
        }
        for name in self.character.plays() {
            let Some(Ok(chosen)) = self.plays.get(name) else { continue };
            let path = self.folder.join(&**name);
            for (file, hash) in chosen.files()? {
                let file = match path.is_dir() {
                    true => format!("{name}/{file}"),
                    false if path.exists() => name.to_string(),
                    // An installed behavior is listed by its name in the project.
                    false => file,
                };
                if !files.iter().any(|(known, _)| *known == file) {
                    files.push((file, hash));
                }
            }
        }
        Ok(files)
    }

    /// Returns the behaviors of the project in the character's folder; none if there is no project. A page draws those
    /// that are started.
    pub(crate) fn library(&self, language: &str, body: &'static Body, drawn: Option<&Models>) -> Box<dyn Library> {
        match &self.project {
            // Scripts may keep the engine, and with it the library, until the end of the process.
            Some(opened) => {
                let opened = opened.clone().without_keeping();
                open::library(move || opened, language, body, drawn)
            }
            None => Box::new(NoLibrary),
        }
    }

    /// Returns what the engine plays for the name in a leaf, and the error of translations that cannot be read.
    pub(crate) fn source(
        &self,
        name: &str,
        language: &str,
        body: &'static Body,
    ) -> Result<(BehaviorSource, Option<FormatError>), String> {
        let chosen = self.plays.get(name).ok_or_else(|| format!("`{name}` was not read"))?.as_ref();
        Ok(chosen.map_err(String::clone)?.source(language, body))
    }

    /// Makes the engine play the character. Also returns the error of translations that cannot be read.
    pub(crate) fn perform(
        &self,
        engine: &mut Engine,
        language: &str,
        body: &'static Body,
        stop_within: Time,
    ) -> Result<(RunningCharacter, Option<FormatError>), Failure> {
        let staging = Staging { stop_within, begins: Time::ZERO, role: Role::Alone };
        self.perform_staged(engine, language, body, staging)
    }

    /// Makes the engine play the character, or what its robot does for one that plays on another robot.
    pub(crate) fn perform_staged(
        &self,
        engine: &mut Engine,
        language: &str,
        body: &'static Body,
        staging: Staging,
    ) -> Result<(RunningCharacter, Option<FormatError>), Failure> {
        let mut untranslated = None;
        let mut open = |name: &str| {
            let (source, why) = self.source(name, language, body)?;
            untranslated = untranslated.take().or(why);
            Ok(source)
        };
        let natives = Natives::new().scripts_in(&self.folder);
        let played = self.character.run_staged(engine, &mut open, &natives, staging);
        let played = played.map_err(|why| match why {
            NotPlayed::Found(findings) => self.wrong(&findings),
            NotPlayed::Refused(why) => Failure::Usage(why.to_string()),
        })?;
        Ok((played, untranslated))
    }
}

fn rendered_findings(findings: &[Finding], file: FileId, sources: &Sources) -> Failure {
    let all: Vec<_> = findings.iter().map(|finding| finding.diagnostic(file)).collect();
    Failure::Rendered(rendered(&all, sources))
}

/// Reads the behavior that a leaf names: a file in the character's folder, or a behavior of the project.
fn played(name: &str, folder: &Path, project: Option<&Opened>) -> Result<Chosen, String> {
    let path = folder.join(name);
    let chosen = if path.exists() {
        let opened = boxstep_format::open(&path, &Limits::default()).map_err(|e| open::in_words(&e));
        opened.and_then(|opened| open::in_a_line(opened, &path, None))
    } else {
        let installed = name.trim_matches('/');
        let none = || not_there(name);
        let project =
            project.filter(|project| open::choose(project, folder, Some(installed)).is_ok()).ok_or_else(none)?;
        open::in_a_line(project.clone(), folder, Some(installed))
    };
    chosen.map_err(|why| format!("`{name}` cannot be played: {why}"))
}

/// Returns the values for the parameters of a character, which are set as `character/NAME`.
pub(crate) fn parameters(given: &Given) -> Result<Vec<(Arc<str>, Value)>, Failure> {
    let one = |(name, value): (String, Value)| match name.strip_prefix("character/") {
        Some(name) => Ok((Arc::from(name), value)),
        None => Err(Failure::Usage(format!(
            "--set {name}: of a character its parameters can be set: write character/NAME=VALUE"
        ))),
    };
    given.parameters().into_iter().map(one).collect()
}

/// Fails if the inputs stimulate a box: a character has no boxes of its own.
pub(crate) fn takes(given: &Given) -> Result<(), Failure> {
    match given.stimulate.first() {
        Some(stimulus) => Err(Failure::Usage(format!(
            "--stimulate {}: a character has no boxes of its own, and those of its behaviors come and go: raise an event instead (--event)",
            stimulus.get_ref().path.0
        ))),
        None => Ok(()),
    }
}
