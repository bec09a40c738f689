//! Characters: YAML files that say which behaviors a robot has and who of them has control when.

use crate::args::PlayArgs;
use crate::failure::Failure;
use crate::open::{self, Whole, rendered, sha256};
use boxstep_bodies::Body;
use boxstep_engine::config::{BehaviorSource, Library, NoLibrary};
use boxstep_format::Limits;
use boxstep_runner::{Character, Finding};
use boxstep_types::{FileId, Sources, Value};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the file of a character is called in its folder.
const NAMES: [&str; 3] = ["character.yaml", "character.yml", "character.json"];

/// The file of the character that is meant by a path, if one is: a YAML or JSON file, or a folder that has one of the usual name.
pub(crate) fn file_of(path: &Path) -> Option<PathBuf> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_ascii_lowercase();
    if matches!(ending.as_str(), "yaml" | "yml" | "json") && !path.is_dir() {
        return Some(path.to_owned());
    }
    NAMES.iter().map(|name| path.join(name)).find(|file| file.is_file())
}

/// A character's file, read.
pub(crate) struct Cast {
    pub(crate) character: Character,
    /// The file as messages name it, and its text.
    sources: Sources,
    shown: FileId,
    path: PathBuf,
}

impl Cast {
    /// Reads a character, with values for its parameters.
    pub(crate) fn read(path: &Path, set: &[(Arc<str>, Value)]) -> Result<Self, Failure> {
        let bytes = std::fs::read(path).map_err(|e| Failure::io(path, &e))?;
        let text = String::from_utf8(bytes).map_err(|e| {
            Failure::File(path.to_owned(), format!("byte {} is not UTF-8", e.utf8_error().valid_up_to()))
        })?;
        let name = path.display().to_string();
        let read = Character::read(&text, &name, set);
        let mut sources = Sources::new();
        let shown = sources.add(name, text);
        match read {
            Ok(character) => Ok(Self { character, sources, shown, path: path.to_owned() }),
            Err(findings) => Err(told(&findings, shown, &sources)),
        }
    }

    /// What is wrong, with the lines.
    pub(crate) fn wrong(&self, findings: &[Finding]) -> Failure {
        told(findings, self.shown, &self.sources)
    }

    /// The folder that files are relative to, absolute.
    pub(crate) fn folder(&self) -> Result<PathBuf, Failure> {
        let folder = crate::settings::folder_of(&self.path);
        folder.canonicalize().map_err(|e| Failure::io(folder, &e))
    }

    /// The character's own file, with its SHA-256.
    pub(crate) fn file(&self) -> (String, String) {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        (name, sha256(self.sources.text(self.shown).as_bytes()))
    }
}

fn told(findings: &[Finding], file: FileId, sources: &Sources) -> Failure {
    let all: Vec<_> = findings.iter().map(|finding| finding.diagnostic(file)).collect();
    Failure::Rendered(rendered(&all, sources))
}

/// `--set character/NAME=VALUE`: what is set of a character is its parameters.
pub(crate) fn set(args: &PlayArgs) -> Result<Vec<(Arc<str>, Value)>, Failure> {
    let one = |s: &crate::grammar::Setting| match s.path.to_string().as_str() {
        "character" => Ok((Arc::from(s.parameter.as_str()), s.value.clone())),
        path => Err(Failure::Usage(format!(
            "--set {path}/{}: of a character its parameters can be set: write character/NAME=VALUE",
            s.parameter
        ))),
    };
    args.set.iter().map(one).collect()
}

/// The behaviors that a character plays: files in its folder, or the project's by their names.
pub(crate) struct Files {
    folder: PathBuf,
    library: Box<dyn Library>,
    language: String,
    body: &'static Body,
    /// The files that were read, with their SHA-256, by name in the folder.
    pub(crate) read: Vec<(String, String)>,
}

impl Files {
    pub(crate) fn new(folder: PathBuf, language: &str, body: &'static Body) -> Self {
        let library = installed(&folder, language, body);
        Self { folder, library, language: language.to_owned(), body, read: Vec::new() }
    }

    /// What the engine plays for a name.
    pub(crate) fn open(&mut self, name: &str) -> Result<BehaviorSource, String> {
        let path = self.folder.join(name);
        if !path.exists() {
            return self.library.open(name).unwrap_or_else(|| {
                Err(format!("there is no file `{name}` beside the character, and no installed behavior of this name"))
            });
        }
        let chosen = open::behavior(&path, None).map_err(|why| format!("`{name}` cannot be played: {why}"))?;
        let files = chosen.files().map_err(|why| format!("`{name}` cannot be played: {why}"))?;
        let inside = |file: String| if path.is_dir() { format!("{name}/{file}") } else { name.to_owned() };
        for (file, hash) in files {
            let file = (inside(file), hash);
            if !self.read.contains(&file) {
                self.read.push(file);
            }
        }
        Ok(chosen.source(&self.language, self.body).0)
    }
}

/// The behaviors of the project that a folder is; none if it is none.
pub(crate) fn installed(folder: &Path, language: &str, body: &'static Body) -> Box<dyn Library> {
    match boxstep_format::open(folder, &Limits::default()) {
        Ok(opened) if opened.pml.is_some() || opened.manifest.is_some() => {
            Box::new(Whole::new(opened, language.to_owned(), body))
        }
        _ => Box::new(NoLibrary),
    }
}
