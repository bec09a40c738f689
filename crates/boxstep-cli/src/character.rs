//! Characters: YAML files that say which behaviors a robot has and who of them has control when.

use crate::failure::Failure;
use crate::open::{self, Chosen, Whole, rendered, sha256};
use crate::tree::{Tree, is_tree};
use boxstep_bodies::Body;
use boxstep_engine::Engine;
use boxstep_engine::config::{BehaviorSource, Library, NoLibrary};
use boxstep_format::{FormatError, Limits, Opened, paths};
use boxstep_runner::{Character, Do, Finding, Kind, Natives, Node, NotPlayed, RunningCharacter};
use boxstep_test::Given;
use boxstep_types::{BoxPath, FileId, Segment, Sources, Time, Value};
use boxstep_view::Models;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the file of a character is called in its folder.
const NAMES: [&str; 3] = ["character.yaml", "character.yml", "character.json"];

/// The file of the character that is meant by a path, if one is: a YAML or JSON file, a behavior tree, or a folder that has a character
/// of the usual name.
pub(crate) fn file_of(path: &Path) -> Option<PathBuf> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "yaml" | "yml" | "json") && !path.is_dir() || is_tree(path) {
        return Some(path.to_owned());
    }
    NAMES.iter().map(|name| path.join(name)).find(|file| file.is_file())
}

/// Is this the file of a character by its name?
pub(crate) fn is_named_so(item: &walkdir::DirEntry) -> bool {
    item.file_type().is_file() && NAMES.iter().any(|name| item.file_name() == *name)
}

/// That a leaf plays something that is not there.
pub(crate) fn not_there(name: &str) -> String {
    format!("there is no file `{name}` beside the character, and no installed behavior of this name")
}

/// Why a character cannot be read.
pub(crate) enum Unread {
    /// What is wrong with it, and the text that it is wrong in.
    Found(Vec<Finding>, Box<(Sources, FileId)>),
    Failure(Failure),
}

impl From<Failure> for Unread {
    fn from(failure: Failure) -> Self {
        Unread::Failure(failure)
    }
}

/// A character's file, read, with the behaviors that it plays.
pub(crate) struct Cast {
    pub(crate) character: Character,
    /// The file as messages name it, and its text.
    sources: Sources,
    shown: FileId,
    path: PathBuf,
    /// The behavior tree that it was made of.
    tree: Option<Tree>,
    /// The values of its parameters that were given.
    set: Vec<(Arc<str>, Value)>,
    /// The folder that files are relative to, absolute.
    folder: PathBuf,
    /// What that folder is, if it is a project's.
    project: Option<Opened>,
    /// By the names that leaves say; a sentence for what cannot be played.
    plays: HashMap<Arc<str>, Result<Chosen, String>>,
}

impl Cast {
    /// Reads a character, with values for its parameters, and all behaviors that it plays.
    pub(crate) fn read(path: &Path, set: &[(Arc<str>, Value)]) -> Result<Self, Failure> {
        Self::look(path, set).map_err(|why| match why {
            Unread::Found(findings, text) => told(&findings, text.1, &text.0),
            Unread::Failure(why) => why,
        })
    }

    /// The same, with what is wrong as it was found.
    pub(crate) fn look(path: &Path, set: &[(Arc<str>, Value)]) -> Result<Self, Unread> {
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
        for name in character.plays() {
            plays.entry(name.clone()).or_insert_with(|| played(name, &folder, project.as_ref()));
        }
        let (path, set) = (path.to_owned(), set.to_vec());
        Ok(Self { character, sources, shown, path, tree, set, folder, project, plays })
    }

    /// What is wrong, with the lines.
    pub(crate) fn wrong(&self, findings: &[Finding]) -> Failure {
        told(findings, self.shown, &self.sources)
    }

    /// A finding of the character, with its file.
    pub(crate) fn placed(&self, mut finding: Finding) -> Finding {
        finding.file = self.sources.name(self.shown).into();
        finding
    }

    /// The character's own file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What a behavior tree lacks of itself as a character; nothing if it was none.
    pub(crate) fn told(&self) -> String {
        let Some(tree) = &self.tree else { return String::new() };
        let open = match tree.slots() {
            0 => String::new(),
            open => format!(
                "leaves are done after 1 s and conditions are true until they are bound ({open}): `boxstep convert {} character.yaml`\n",
                self.path.display()
            ),
        };
        tree.told(false) + &open
    }

    /// Is this a behavior's name, or the path of one, or of a box of what it plays?
    pub(crate) fn has(&self, path: &BoxPath) -> bool {
        let find = |name: &str| self.character.behaviors.iter().find(|node| &*node.name == name);
        if find(&path.to_string()).is_some() {
            return true;
        }
        let mut at: Option<&Node> = None;
        for (done, segment) in path.segments().iter().enumerate() {
            let Segment::Box { name, .. } = segment else { return false };
            if let Some(Kind::Do(Do::Play(plays, _))) = at.map(|node| &node.kind) {
                let Some(Ok(chosen)) = self.plays.get(plays) else { return false };
                let inside = BoxPath::of(&path.segments()[done..]);
                return inside.is_some_and(|inside| paths::find(&chosen.file.project, &inside).is_ok());
            }
            // Who has no parent is the root, or stands in for it.
            let is_next = at.is_none_or(|node| node.kind.children().iter().any(|child| child.to.name == *name));
            at = find(name).filter(|_| is_next);
            if at.is_none() {
                return false;
            }
        }
        at.is_some()
    }

    /// The values of its parameters that it was read with.
    pub(crate) fn set(&self) -> &[(Arc<str>, Value)] {
        &self.set
    }

    /// The folder that files are relative to, absolute.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Is its folder that of a project or of a package?
    pub(crate) fn is_in_project(&self) -> bool {
        self.project.is_some()
    }

    /// The uuid of the package that it lies in; empty if it lies in none.
    pub(crate) fn package(&self) -> &str {
        self.project.as_ref().and_then(Opened::uuid).unwrap_or_default()
    }

    /// The behaviors that it plays, in the order of the file.
    pub(crate) fn behaviors(&self) -> impl Iterator<Item = &Chosen> {
        let mut names: Vec<&Arc<str>> = Vec::new();
        for name in self.character.plays() {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().filter_map(|name| self.plays.get(name)?.as_ref().ok())
    }

    /// The character's own file and those that it plays, each with its SHA-256, by their names in the folder.
    pub(crate) fn files(&self) -> Result<Vec<(String, String)>, Failure> {
        let own = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = self.tree.as_ref().map_or_else(|| self.sources.text(self.shown), Tree::text);
        let mut files = vec![(own, sha256(text.as_bytes()))];
        for named in &self.character.scripts {
            // One that cannot be read is told of when it is to be run.
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
                    // An installed one, by its name in the project.
                    false => file,
                };
                if !files.iter().any(|(known, _)| *known == file) {
                    files.push((file, hash));
                }
            }
        }
        Ok(files)
    }

    /// The behaviors of the project that its folder is; none if it is none. A page draws those that are run.
    pub(crate) fn library(&self, language: &str, body: &'static Body, drawn: Option<&Models>) -> Box<dyn Library> {
        match &self.project {
            // Scripts may hold the engine, and with it the library, to the end of the process.
            Some(opened) => {
                let opened = opened.clone().without_keeping();
                Box::new(Whole::new(move || opened, language.to_owned(), body, drawn.cloned()))
            }
            None => Box::new(NoLibrary),
        }
    }

    /// What an engine plays for a name that a leaf says; and why texts are not translated, if there are translations that cannot be read.
    pub(crate) fn source(
        &self,
        name: &str,
        language: &str,
        body: &'static Body,
    ) -> Result<(BehaviorSource, Option<FormatError>), String> {
        let chosen = self.plays.get(name).ok_or_else(|| format!("`{name}` was not read"))?.as_ref();
        Ok(chosen.map_err(String::clone)?.source(language, body))
    }

    /// Has an engine play it; and why texts are not translated, if there are translations that cannot be read.
    pub(crate) fn perform(
        &self,
        engine: &mut Engine,
        language: &str,
        body: &'static Body,
        stop_within: Time,
    ) -> Result<(RunningCharacter, Option<FormatError>), Failure> {
        let mut untranslated = None;
        let mut open = |name: &str| {
            let (source, why) = self.source(name, language, body)?;
            untranslated = untranslated.take().or(why);
            Ok(source)
        };
        let natives = Natives::new().scripts_in(&self.folder);
        let played = self.character.run_on(engine, &mut open, &natives, stop_within);
        let played = played.map_err(|why| match why {
            NotPlayed::Found(findings) => self.wrong(&findings),
            NotPlayed::Refused(why) => Failure::Usage(why.to_string()),
        })?;
        Ok((played, untranslated))
    }
}

fn told(findings: &[Finding], file: FileId, sources: &Sources) -> Failure {
    let all: Vec<_> = findings.iter().map(|finding| finding.diagnostic(file)).collect();
    Failure::Rendered(rendered(&all, sources))
}

/// The behavior of a name: a file in the folder of the character, or one of the project by its name.
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

/// What is set of a character, `character/NAME`, is its parameters.
pub(crate) fn parameters(given: &Given) -> Result<Vec<(Arc<str>, Value)>, Failure> {
    let one = |(name, value): (String, Value)| match name.strip_prefix("character/") {
        Some(name) => Ok((Arc::from(name), value)),
        None => Err(Failure::Usage(format!(
            "--set {name}: of a character its parameters can be set: write character/NAME=VALUE"
        ))),
    };
    given.parameters().into_iter().map(one).collect()
}

/// Fails if something is given that only a behavior has: boxes.
pub(crate) fn takes(given: &Given) -> Result<(), Failure> {
    match given.stimulate.first() {
        Some(stimulus) => Err(Failure::Usage(format!(
            "--stimulate {}: a character has no boxes of its own, and those of its behaviors come and go: raise an event instead (--event)",
            stimulus.get_ref().path.0
        ))),
        None => Ok(()),
    }
}
