//! The disk of `boxstep robot --disk FOLDER`: a folder with what a robot's disk has, its packages, which the robot's
//! behaviors are, and what it remembers. Clients reach its files through the service [`SERVICE`].

use crate::failure::Failure;
use boxstep_api::play::{ProjectLibrary, full_name};
use boxstep_bodies::Body;
use boxstep_engine::config::{BehaviorSource, Library};
use boxstep_format::Limits;
use boxstep_format::archive::{Entry, unpack};
use boxstep_format::output::write_file;
use boxstep_qi::{BuildError, BuiltObject, ObjectBuilder, Value as Wire};
use boxstep_rescue::served::{Server, file_here};
use boxstep_services::{InstalledPackage, RobotDisk};
use boxstep_types::{Value, printable_line};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The name of the service that has the files: its method `sftp` takes a message of an SFTP client and answers that of the
/// server, both without their lengths.
pub(crate) const SERVICE: &str = "BoxstepDisk";

/// Where packages are, on the disk.
const APPS: &str = "home/nao/.local/share/PackageManager/apps";
/// What the robot remembers.
const KEPT: &str = "boxstep-robot.json";
/// The longest id of a package, in bytes.
const LONGEST: usize = 200;

/// The disk of a simulated robot. Clones are the same disk.
#[derive(Clone)]
pub(crate) struct FolderOfRobot(Arc<Inner>);

/// The installed packages, by their ids, with their behaviors if they can be read.
type Packages = BTreeMap<String, (InstalledPackage, Option<ProjectLibrary>)>;

struct Inner {
    root: PathBuf,
    language: String,
    body: &'static Body,
    /// Why clients may not install packages, whose programs would run here.
    refusal: Option<String>,
    packages: Mutex<Packages>,
}

impl fmt::Debug for FolderOfRobot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.root.fmt(f)
    }
}

impl FolderOfRobot {
    /// Opens the disk, or begins one in a folder that is new or empty.
    pub(crate) fn open(
        root: &Path,
        language: &str,
        body: &'static Body,
        refusal: Option<String>,
    ) -> Result<Self, Failure> {
        let is_disk = || root.join(KEPT).is_file() || root.join("home/nao").is_dir();
        let has_files = fs::read_dir(root).is_ok_and(|mut entries| entries.next().is_some());
        if has_files && !is_disk() {
            let why = "it has files, and is no robot's disk: it has no home/nao".to_owned();
            return Err(Failure::File(root.to_owned(), why));
        }
        fs::create_dir_all(root.join(APPS)).map_err(|e| Failure::unwritten(root, &e))?;
        let root = root.canonicalize().map_err(|e| Failure::io(root, &e))?;
        let inner = Inner { root, language: language.to_owned(), body, refusal, packages: Mutex::default() };
        let disk = Self(Arc::new(inner));
        let apps = disk.0.root.join(APPS);
        for entry in fs::read_dir(&apps).map_err(|e| Failure::io(&apps, &e))? {
            let entry = entry.map_err(|e| Failure::io(&apps, &e))?;
            // What has no name of a package was not installed to its end.
            if let Some(uuid) = entry.file_name().to_str().filter(|name| is_id(name))
                && entry.path().is_dir()
            {
                disk.0.add(uuid);
            }
        }
        Ok(disk)
    }

    /// Returns the behaviors of the installed packages, before those of another library.
    pub(crate) fn library(&self, other: Box<dyn Library>) -> Box<dyn Library> {
        Box::new(WithDisk { disk: self.clone(), other })
    }

    /// Returns the service with the files of the disk, unless clients may not install packages, either.
    pub(crate) fn service(&self) -> Result<Option<Arc<BuiltObject>>, BuildError> {
        if self.0.refusal.is_some() {
            return Ok(None);
        }
        let server = Mutex::new(Server::new(&self.0.root));
        let object = ObjectBuilder::new("The files of the robot's disk").method("sftp::(r)->r", move |args| {
            let message = args.first().and_then(Wire::as_bytes).unwrap_or_default();
            let mut server = server.lock().unwrap_or_else(PoisonError::into_inner);
            Ok(Wire::Raw(server.answer(message)))
        });
        object.build().map(Some)
    }
}

/// Returns whether a text is the id of a package, which is also the name of its folder.
fn is_id(uuid: &str) -> bool {
    !uuid.is_empty()
        && uuid.len() <= LONGEST
        && !uuid.starts_with('.')
        && !uuid.contains(|c: char| c.is_control() || matches!(c, '/' | '\\' | ':'))
}

impl Inner {
    fn packages(&self) -> MutexGuard<'_, Packages> {
        self.packages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self, uuid: &str) -> PathBuf {
        self.root.join(APPS).join(uuid)
    }

    /// Takes a package that is on the disk for installed. One that cannot be read has no behaviors.
    fn add(&self, uuid: &str) -> InstalledPackage {
        let folder = self.folder(uuid);
        let opened = boxstep_format::open(&folder, &Limits::default()).ok();
        let manifest = opened.as_ref().and_then(|opened| opened.manifest.clone()).unwrap_or_default();
        let behaviors = opened.iter().flat_map(|opened| opened.behaviors.iter().map(|b| full_name(opened, b)));
        let package = InstalledPackage {
            uuid: uuid.to_owned(),
            version: manifest.version.unwrap_or_default(),
            author: String::new(),
            path: format!("/{APPS}/{uuid}"),
            behaviors: behaviors.collect(),
        };
        let library: Option<ProjectLibrary> =
            opened.map(|opened| ProjectLibrary::new(move || opened, self.language.clone(), self.body));
        self.packages().insert(uuid.to_owned(), (package.clone(), library));
        package
    }
}

impl RobotDisk for FolderOfRobot {
    fn packages(&self) -> Vec<InstalledPackage> {
        self.0.packages().values().map(|(package, _)| package.clone()).collect()
    }

    fn install(&self, file: &str) -> Result<InstalledPackage, String> {
        if let Some(why) = &self.0.refusal {
            return Err(why.clone());
        }
        let failed = |e: io::Error| format!("{file}: {e}");
        let bytes = file_here(&self.0.root, file).and_then(fs::read).map_err(failed)?;
        let limits = Limits::default();
        let entries =
            unpack(file, &bytes, &limits).map_err(|e| printable_line(&e.diagnostic().to_string()).into_owned())?;
        let opened = boxstep_format::open_bytes(Path::new("package.pkg"), &bytes, &limits);
        let opened = opened.map_err(|e| printable_line(&e.diagnostic().to_string()).into_owned())?;
        let uuid = opened.manifest.and_then(|manifest| manifest.uuid).filter(|uuid| is_id(uuid));
        let uuid = uuid.ok_or_else(|| format!("{file}: its manifest.xml has no uuid"))?;
        let (folder, new, old) =
            (self.0.folder(&uuid), self.0.folder(&format!(".{uuid}.new")), self.0.folder(&format!(".{uuid}.old")));
        for left in [&new, &old] {
            remove_all(left).map_err(failed)?;
        }
        let written = write(&new, &entries).and_then(|()| match fs::rename(&folder, &old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::rename(&new, &folder),
        });
        if let Err(error) = written {
            // As it was: what was moved away comes back.
            let _ = remove_all(&new);
            if !folder.exists() {
                let _ = fs::rename(&old, &folder);
            }
            return Err(failed(error));
        }
        let _ = remove_all(&old);
        Ok(self.0.add(&uuid))
    }

    fn remove(&self, uuid: &str) -> Result<(), String> {
        if let Some(why) = &self.0.refusal {
            return Err(why.clone());
        }
        let taken = self.0.packages().remove(uuid).ok_or_else(|| format!("there is no package {uuid}"))?;
        remove_all(&self.0.folder(uuid)).map_err(|e| {
            self.0.packages().insert(uuid.to_owned(), taken);
            format!("{uuid}: {e}")
        })
    }

    fn kept(&self) -> Value {
        let text = fs::read_to_string(self.0.root.join(KEPT)).unwrap_or_default();
        boxstep_types::value_from_json(&text).unwrap_or_default()
    }

    fn keep(&self, value: &Value) -> Result<(), String> {
        let text = serde_json::to_vec_pretty(value).map_err(|e| e.to_string())?;
        write_file(&self.0.root.join(KEPT), &text, true).map_err(|e| e.to_string())
    }
}

fn remove_all(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn write(folder: &Path, entries: &[Entry]) -> io::Result<()> {
    fs::create_dir(folder)?;
    for entry in entries {
        let file = folder.join(&entry.name);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&file, &entry.bytes)?;
        #[cfg(unix)]
        {
            let mode = if entry.executable { 0o755 } else { 0o644 };
            fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(mode))?;
        }
    }
    Ok(())
}

/// The behaviors of a disk, and others.
struct WithDisk {
    disk: FolderOfRobot,
    other: Box<dyn Library>,
}

impl Library for WithDisk {
    fn names(&self) -> Vec<String> {
        let packages = self.disk.0.packages();
        let mut names: Vec<String> =
            packages.values().flat_map(|(package, _)| package.behaviors.iter().cloned()).collect();
        names.extend(self.other.names());
        names
    }

    fn open(&mut self, name: &str) -> Option<Result<BehaviorSource, String>> {
        let mut packages = self.disk.0.packages();
        let of = packages.values_mut().find(|(package, _)| package.behaviors.iter().any(|known| known == name));
        if let Some((_, Some(library))) = of {
            return library.open(name);
        }
        drop(packages);
        self.other.open(name)
    }
}
