//! What a project has, for a page that changes it; and the scripts that name a behavior, which no operation changes.

use super::overlay::{Overlay, plain};
use super::{ProjectError, ProjectFolder};
use crate::draft::is_draft;
use boxstep_format::project::{Manifest, Pml, read_manifest};
use boxstep_format::{Limits, paths, read_xar};
use boxstep_types::languages::language_name;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// How deep folders are searched for files that are not listed, and how many are found at most.
const DEPTH: usize = 6;
const MOST: usize = 500;

/// What a project has. Paths are relative to its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ProjectContents {
    /// Its name.
    pub name: String,
    /// The folders of its behaviors.
    pub behaviors: Vec<String>,
    /// Its dialogs.
    pub dialogs: Vec<ProjectDialog>,
    /// The files that it lists.
    pub files: Vec<String>,
    /// The files of its folder that it does not list.
    pub unlisted: Vec<String>,
    /// What its manifest says; `None` if it has none.
    pub package: Option<ProjectPackage>,
}

/// A dialog of a project.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectDialog {
    /// The path of its `.dlg`.
    pub name: String,
    /// The languages of its topics, in English.
    pub languages: Vec<String>,
}

/// What a manifest says of its package. Languages are in English.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ProjectPackage {
    /// The version.
    pub version: String,
    /// The names, by language.
    pub names: BTreeMap<String, String>,
    /// The descriptions, by language.
    pub descriptions: BTreeMap<String, String>,
}

/// A line of a script that names a behavior in a call of the service that manages behaviors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mention {
    /// The file, and in a behavior also the box: `first/behavior.xar: root/Say`.
    pub place: String,
    /// The line in the script, from 1.
    pub line: u32,
    /// The text of the line.
    pub text: String,
}

/// The methods whose first argument is the name of a behavior.
const METHODS: [&str; 12] = [
    "runBehavior",
    "startBehavior",
    "stopBehavior",
    "preloadBehavior",
    "isBehaviorRunning",
    "isBehaviorInstalled",
    "isBehaviorPresent",
    "addDefaultBehavior",
    "removeDefaultBehavior",
    "switchFocus",
    "getBehaviorNature",
    "playDefaultProject",
];

impl ProjectFolder {
    /// Returns what the project has now.
    ///
    /// # Errors
    /// Its project file cannot be read.
    pub fn contents(&self) -> Result<ProjectContents, ProjectError> {
        let mut overlay = Overlay::new(self.folder(), &self.pml);
        let pml = overlay.pml()?;
        let manifest = match overlay.manifest()? {
            Some(name) => overlay.get(&name)?.map(|file| read_manifest(&name, &file.bytes, &Limits::default())),
            None => None,
        };
        let package = manifest.transpose()?.map(|manifest| package(&manifest));
        let paths = |all: &[boxstep_format::project::FileEntry]| all.iter().map(|one| plain(&one.src)).collect();
        let files: Vec<String> = paths(&pml.files);
        Ok(ProjectContents {
            name: pml.name.clone(),
            behaviors: pml.behaviors.iter().map(|one| plain(&one.src)).collect(),
            dialogs: dialogs(&pml),
            unlisted: self.unlisted(&pml, &files),
            files,
            package,
        })
    }

    /// Returns the lines of scripts in the project that name a behavior where a method wants one. It reads texts, and does
    /// not know what scripts put together themselves.
    pub fn mentions(&self, behavior: &str) -> Vec<Mention> {
        let (wanted, mut found) = (plain(behavior), Vec::new());
        for file in all_files(self.folder()) {
            let Ok(bytes) = std::fs::read(self.folder().join(&file)) else { continue };
            if file.ends_with(".py") {
                let text = String::from_utf8_lossy(&bytes);
                found.extend(in_script(&file, &text, &wanted));
            } else if file.ends_with(".xar")
                && let Ok(xar) = read_xar(&file, &bytes, &Limits::default())
            {
                for at in paths::boxes(&xar.project) {
                    let text = at.def.script.as_ref().map(|script| script.text.clone()).unwrap_or_default();
                    found.extend(in_script(&format!("{file}: {}", at.path), &text, &wanted));
                }
            }
        }
        found
    }

    fn unlisted(&self, pml: &Pml, files: &[String]) -> Vec<String> {
        let behaviors = pml.behaviors.iter().map(|one| plain(&format!("{}/{}", one.src, one.xar)));
        let others = pml.dialogs.iter().map(|one| plain(&one.src));
        let others = others.chain(pml.topics.iter().map(|one| plain(&one.src)));
        let others = others.chain(pml.translations.iter().map(|one| plain(&one.src)));
        let manifest = plain(pml.manifest.as_deref().unwrap_or("manifest.xml"));
        let known: Vec<String> =
            behaviors.chain(others).chain(files.iter().cloned()).chain([manifest, self.pml.clone()]).collect();
        all_files(self.folder())
            .into_iter()
            .filter(|file| !known.contains(file) && !is_draft(file))
            .take(MOST)
            .collect()
    }
}

fn package(manifest: &Manifest) -> ProjectPackage {
    let texts = |all: &[boxstep_format::project::LocalText]| {
        let named = |locale: &str| language_name(locale).unwrap_or(locale).to_owned();
        all.iter().map(|one| (named(&one.language), one.text.clone())).collect()
    };
    ProjectPackage {
        version: manifest.version.clone().unwrap_or_default(),
        names: texts(&manifest.names),
        descriptions: texts(&manifest.descriptions),
    }
}

/// Returns the dialogs with the languages of the topics beside them.
fn dialogs(pml: &Pml) -> Vec<ProjectDialog> {
    let stem = |path: &str| path.rsplit_once('.').map_or(path.to_owned(), |(stem, _)| stem.to_owned());
    let of = |dialog: &str| {
        let start = format!("{}_", stem(dialog));
        let own = pml.topics.iter().filter(|topic| plain(&topic.src).starts_with(&start));
        own.map(|topic| language_name(&topic.language).unwrap_or(&topic.language).to_owned()).collect()
    };
    let all = pml.dialogs.iter().map(|one| plain(&one.src));
    all.map(|name| ProjectDialog { languages: of(&name), name }).collect()
}

/// Returns the files of a folder in the order of their names, with `/`. Links and hidden files are left out.
fn all_files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut waiting: Vec<(PathBuf, String, usize)> = vec![(folder.to_owned(), String::new(), 0)];
    while let Some((path, name, depth)) = waiting.pop() {
        for item in path.read_dir().into_iter().flatten().flatten() {
            let Ok(own) = item.file_name().into_string() else { continue };
            let (Ok(kind), false) = (item.file_type(), own.starts_with('.')) else { continue };
            let name = if name.is_empty() { own } else { format!("{name}/{own}") };
            if kind.is_dir() && depth < DEPTH {
                waiting.push((item.path(), name, depth + 1));
            } else if kind.is_file() {
                files.push(name);
            }
        }
    }
    files.sort();
    files
}

fn in_script(place: &str, text: &str, wanted: &str) -> Vec<Mention> {
    let names = |line: &str| {
        let calls = METHODS.iter().any(|method| line.contains(method));
        let quoted = line.split(['"', '\'']).skip(1).step_by(2);
        // A name is that of the folder, or has the package before it.
        calls && quoted.map(plain).any(|name| name == wanted || name.ends_with(&format!("/{wanted}")))
    };
    let lines = text.lines().zip(1..).filter(|(line, _)| names(line));
    lines.map(|(line, n)| Mention { place: place.to_owned(), line: n, text: line.trim().to_owned() }).collect()
}
