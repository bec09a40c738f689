//! The files of a show, packed to be sent to its robots.

use super::character_package;
use crate::character::LoadedCharacter;
use crate::command::send::pack_project;
use crate::failure::Failure;
use crate::{body, open};
use boxstep_api::play::{fit_curves, full_name};
use boxstep_check::Context;
use boxstep_fleet::digest::Digest;
use boxstep_fleet::leader::Files;
use boxstep_fleet::show::{Package, Role, Show};
use boxstep_fleet::show_file::{Packed, Packer, ShowFile, Wanted};
use boxstep_format::model::Project;
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, paths};
use boxstep_types::{BoxPath, Severity, Sources, meant};
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// How many names are tried for an archive.
const MOST_NAMES: u32 = 10_000;

/// A show and where its files are.
pub(crate) struct Bundle {
    pub(crate) show: Show,
    files: HashMap<Digest, PathBuf>,
    /// Has the archives that were packed.
    _packed: tempfile::TempDir,
}

/// Packs what a show names.
struct FilePacker {
    /// The folder of the show file.
    folder: PathBuf,
    packed: tempfile::TempDir,
    files: HashMap<Digest, PathBuf>,
    /// Where the archive of each file is that was packed already, and its name.
    known: HashMap<PathBuf, (PathBuf, String)>,
    /// The archives under their names, by their file and number.
    archives: HashMap<(PathBuf, u32), Archive>,
    /// The file from which each robot has a behavior, by the robot's name and the behavior's full name.
    owners: HashMap<(String, String), (Digest, PathBuf)>,
    /// What each robot plays, by its name.
    played: HashMap<String, Vec<Project>>,
    /// The characters that were packed, each with its package.
    characters: HashMap<PathBuf, (Package, String, LoadedCharacter)>,
}

/// An archive with behaviors.
#[derive(Clone)]
struct Archive {
    package: Package,
    /// The full names of its behaviors, by their names in it.
    behaviors: Vec<(String, String)>,
}

impl Bundle {
    /// Reads a show file and packs what it names.
    ///
    /// # Errors
    /// Everything that is wrong with it, rendered with its places.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let text = open::text(path)?;
        let mut sources = Sources::new();
        let file = sources.add(path.display().to_string(), text.as_str());
        let rendered = |found: &[_]| Failure::Rendered(open::rendered(found, &sources));
        let written = ShowFile::read(&text, file).map_err(|found| rendered(&found))?;
        let packed = tempfile::tempdir()?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let mut packer = FilePacker {
            folder,
            packed,
            files: HashMap::new(),
            known: HashMap::new(),
            archives: HashMap::new(),
            owners: HashMap::new(),
            played: HashMap::new(),
            characters: HashMap::new(),
        };
        let show = written.resolve(&mut packer).map_err(|found| rendered(&found))?;
        Ok(Self { show, files: packer.files, _packed: packer.packed })
    }

    /// Returns where a file is.
    pub(crate) fn path(&self, digest: Digest) -> Option<&Path> {
        self.files.get(&digest).map(PathBuf::as_path)
    }
}

impl Packer for FilePacker {
    fn pack(&mut self, wanted: &Wanted<'_>) -> Result<Packed, String> {
        match wanted {
            Wanted::Sound { file } => {
                let path = self.folder.join(file);
                let package = self.package(&path, file_name(&path), path.clone())?;
                Ok(Packed { package, behavior: String::new(), character: None })
            }
            Wanted::Behavior { file, behavior, robot } => {
                let path = self.folder.join(file);
                if behavior.is_none()
                    && let Some(packed) = self.character(&path, robot)
                {
                    return packed.map_err(|why| format!("{file}: {why}"));
                }
                let Archive { package, behaviors } = self.archive_for(&path, &robot.name)?;
                let (name, full) = named(&behaviors, *behavior).map_err(|why| format!("{file}: {why}"))?;
                let packed = Packed { package, behavior: full, character: None };
                let project = checked(&path, &name, robot).map_err(|why| format!("{file}: {why}"))?;
                self.played.entry(robot.name.clone()).or_default().push(project);
                Ok(packed)
            }
        }
    }

    fn check_port(&self, robot: &Role, path: &BoxPath, port: &str) -> Result<(), String> {
        let played = self.played.get(&robot.name).map_or(&[][..], Vec::as_slice);
        let boxes = || played.iter().filter_map(|project| paths::find(project, path).ok());
        let has = |at: &boxstep_format::model::BoxDef| {
            at.inputs.iter().any(|input| *input.name == *port) || at.outputs.iter().any(|output| *output.name == *port)
        };
        match boxes().next() {
            None => Err(format!("no behavior that {} plays has a box {path}", robot.name)),
            Some(_) if boxes().any(|at| has(at.def)) => Ok(()),
            Some(_) => Err(format!("{path} has no input or output `{port}`")),
        }
    }

    fn check_guest(&mut self, file: &str, robot: &Role) -> Result<(), String> {
        let Some((.., loaded)) = self.characters.get(&self.folder.join(file)) else { return Ok(()) };
        check_plays(loaded, Some(&robot.name), robot).map_err(|why| format!("{file}: {why}"))
    }

    fn check_posture(&self, robot: &Role, posture: &str) -> Result<(), String> {
        let Some(body) = robot.body.as_deref().map(body::asked).transpose().map_err(words)? else { return Ok(()) };
        if body.postures.iter().any(|known| known.name == posture) {
            return Ok(());
        }
        let near = meant(posture, body.postures.iter().map(|known| known.name));
        let near = near.map(|near| format!("; {near}")).unwrap_or_default();
        Err(format!("{body} has no posture {posture}{near}"))
    }
}

impl FilePacker {
    fn package(&mut self, path: &Path, name: String, from: PathBuf) -> Result<Package, String> {
        let unread = |e: std::io::Error| format!("{}: {e}", path.display());
        let size = std::fs::metadata(&from).map_err(unread)?.len();
        let digest = Digest::of_file(&from).map_err(unread)?;
        // Copies of a file are the same.
        self.files.entry(digest).or_insert(from);
        Ok(Package { name, size, digest })
    }

    /// Packs a character, if a path stands for one, and checks it for the body of the robot that is to play it.
    fn character(&mut self, path: &Path, robot: &Role) -> Option<Result<Packed, String>> {
        if !self.characters.contains_key(path) {
            let packed = match character_package::packed(path)? {
                Ok(packed) => packed,
                Err(why) => return Some(Err(why)),
            };
            let written = self.packed.path().join(format!("character-{}-{}", self.characters.len(), packed.name));
            let package = std::fs::write(&written, packed.bytes)
                .map_err(|e| e.to_string())
                .and_then(|()| self.package(path, packed.name, written));
            match package {
                Ok(package) => drop(self.characters.insert(path.to_owned(), (package, packed.file, packed.loaded))),
                Err(why) => return Some(Err(why)),
            }
        }
        let (package, file, loaded) = self.characters.get(path)?;
        let mut others: Vec<String> = Vec::new();
        for (_, on) in loaded.character.elsewhere() {
            if others.iter().all(|other| **other != *on.name) {
                others.push(on.name.to_string());
            }
        }
        let packed = Packed { package: package.clone(), behavior: file.clone(), character: Some(others) };
        Some(check_plays(loaded, None, robot).map(|()| packed))
    }

    /// Returns the archive of a file for a robot. Two files may have the same name: the second has another one then, so
    /// that the robot knows its behaviors apart.
    fn archive_for(&mut self, path: &Path, robot: &str) -> Result<Archive, String> {
        let mut before: Option<Archive> = None;
        for number in 1..=MOST_NAMES {
            let archive = self.archive(path, number)?;
            let digest = archive.package.digest;
            let key = |full: &String| (robot.to_owned(), full.clone());
            let owners = archive.behaviors.iter().filter_map(|(_, full)| self.owners.get(&key(full)));
            let Some((_, other)) = owners.into_iter().find(|(owner, _)| *owner != digest) else {
                for (_, full) in &archive.behaviors {
                    self.owners.entry(key(full)).or_insert_with(|| (digest, path.to_owned()));
                }
                return Ok(archive);
            };
            // A package that says what it is called keeps its name.
            if before.is_some_and(|before| before.behaviors == archive.behaviors) {
                let (one, other) = (path.display(), other.display());
                return Err(format!(
                    "{robot} cannot play both {one} and {other}: they are one package, with other contents"
                ));
            }
            before = Some(archive);
        }
        Err(format!("{} has no name of its own", path.display()))
    }

    /// Returns the archive of a file under its name, or another one if the number is not 1.
    fn archive(&mut self, path: &Path, number: u32) -> Result<Archive, String> {
        if let Some(known) = self.archives.get(&(path.to_owned(), number)) {
            return Ok(known.clone());
        }
        let (from, name) = self.packed(path)?;
        let name = match (number, name.rsplit_once('.')) {
            (1, _) => name,
            (_, Some((stem, kind))) => format!("{stem}-{number}.{kind}"),
            (_, None) => format!("{name}-{number}"),
        };
        let bytes = std::fs::read(&from).map_err(|e| format!("{}: {e}", from.display()))?;
        let opened = boxstep_format::open_bytes(Path::new(&name), &bytes, &Limits::default());
        let opened = opened.map_err(|e| e.diagnostic().to_string())?;
        let behaviors = opened.behaviors.iter().map(|b| (b.name.clone(), full_name(&opened, b))).collect();
        let archive = Archive { package: self.package(path, name, from)?, behaviors };
        self.archives.insert((path.to_owned(), number), archive.clone());
        Ok(archive)
    }

    /// Packs a behavior or project, unless it is an archive or was packed already. Returns where the archive is, and its
    /// name.
    fn packed(&mut self, path: &Path) -> Result<(PathBuf, String), String> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        let opened = open::project(path).map_err(words)?;
        let archive = opened.archive().map(Path::to_owned);
        let from = match archive {
            Some(archive) => archive,
            None => {
                let (name, bytes) = pack_project(path, opened).map_err(words)?;
                // Two files of a show may have the same name.
                let folder = self.packed.path().join(self.known.len().to_string());
                let packed = folder.join(name);
                std::fs::create_dir_all(&folder)
                    .and_then(|()| std::fs::write(&packed, bytes))
                    .map_err(|e| e.to_string())?;
                packed
            }
        };
        let packed = (from.clone(), file_name(&from));
        self.known.insert(path.to_owned(), packed.clone());
        Ok(packed)
    }
}

/// Reads a behavior and checks it for the body of the robot that is to play it.
fn checked(path: &Path, name: &str, robot: &Role) -> Result<Project, String> {
    let opened = open::project(path).map_err(words)?;
    let found = opened.behaviors.iter().find(|behavior| behavior.name == name).or(opened.behaviors.first());
    let behavior = found.ok_or("there is no behavior in it")?;
    checked_behavior(behavior, robot, path)
}

/// Checks what a character plays on its own robot, or on another one, for that robot's body.
fn check_plays(loaded: &LoadedCharacter, on: Option<&str>, robot: &Role) -> Result<(), String> {
    for (name, chosen) in loaded.plays_on(on) {
        let chosen = chosen.map_err(str::to_owned)?;
        let path = loaded.folder().join(name);
        checked_behavior(&chosen.behavior, robot, &path).map_err(|why| format!("{name}: {why}"))?;
    }
    Ok(())
}

fn checked_behavior(behavior: &Behavior, robot: &Role, path: &Path) -> Result<Project, String> {
    let mut file = behavior.read(&Limits::default()).map_err(|e| e.diagnostic().to_string())?;
    let body = robot.body.as_deref().map(body::asked).transpose().map_err(words)?;
    if let Some(body) = body {
        fit_curves(&mut file.project, body);
    }
    let folder = Some(behavior.folder.as_path());
    let context = Context { folder, body, body_asked: body.is_some(), scripts: None, services: &[], dialogs: &[] };
    let found = boxstep_check::check(&file, &context).behavior;
    let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
    match errors.as_slice() {
        [] => Ok(file.project),
        [one] => Err(one.to_string()),
        [one, rest @ ..] => Err(format!("{one}; and {} more (`boxstep check {}`)", rest.len(), path.display())),
    }
}

pub(super) fn words(failure: Failure) -> String {
    anstream::adapter::strip_str(&failure.to_string()).to_string().trim().to_owned()
}

/// Returns the name in its file, and the full name, of the behavior that a show means.
fn named(behaviors: &[(String, String)], wanted: Option<&str>) -> Result<(String, String), String> {
    let list = || behaviors.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    match (wanted, behaviors) {
        (_, []) => Err("there is no behavior in it".to_owned()),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(format!("it has several behaviors: name one of {}", list())),
        (Some(wanted), _) => {
            let wanted = wanted.trim_matches('/');
            let found = behaviors.iter().find(|(name, full)| name == wanted || full == wanted);
            found.cloned().ok_or_else(|| format!("it has no behavior {wanted}, but {}", list()))
        }
    }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl Files for Bundle {
    fn read(&self, digest: Digest, offset: u64, most: usize) -> Option<Vec<u8>> {
        let mut file = File::open(self.path(digest)?).ok()?;
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = Vec::new();
        file.take(most as u64).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }
}
