//! The disk of `boxstep robot --disk FOLDER`: a folder with what a robot's disk has, its packages, which the robot's
//! behaviors are, and what it remembers. Clients reach its files through the service [`SERVICE`].

use crate::failure::Failure;
use boxstep_api::play::{ProjectLibrary, full_name};
use boxstep_bodies::Body;
use boxstep_engine::config::{BehaviorSource, Library};
use boxstep_format::archive::{Entry, unpack_whole};
use boxstep_format::output::write_file;
use boxstep_format::{FormatError, Limits};
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
    /// What serves the files. Whoever holds it knows that no client changes them meanwhile.
    server: Mutex<Server>,
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
        fs::create_dir_all(root).map_err(|e| Failure::unwritten(root, &e))?;
        let root = root.canonicalize().map_err(|e| Failure::io(root, &e))?;
        let apps = begin(&root).map_err(|why| Failure::File(root.clone(), format!("{APPS}: {why}")))?;
        let (language, server) = (language.to_owned(), Mutex::new(Server::new(&root)));
        let disk = Self(Arc::new(Inner { root, language, body, refusal, packages: Mutex::default(), server }));
        let names = || -> io::Result<Vec<String>> {
            let names = fs::read_dir(&apps)?.map(|entry| Ok(entry?.file_name().into_string().unwrap_or_default()));
            names.collect()
        };
        let failed = |e: io::Error| Failure::io(&apps, &e);
        for name in names().map_err(failed)? {
            // What was being installed when the robot ended.
            let begun = name.strip_prefix('.').and_then(|name| name.strip_suffix(OLD).or(name.strip_suffix(NEW)));
            if let Some(uuid) = begun.filter(|uuid| is_id(uuid)) {
                mend(&apps, uuid).map_err(failed)?;
            }
        }
        for uuid in names().map_err(failed)?.iter().filter(|name| is_id(name)) {
            let folder = apps.join(uuid);
            if fs::symlink_metadata(&folder).is_ok_and(|metadata| metadata.is_dir()) {
                disk.0.add(uuid, &folder);
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
        let disk = self.clone();
        let object = ObjectBuilder::new("The files of the robot's disk").method("sftp::(r)->r", move |args| {
            let message = args.first().and_then(Wire::as_bytes).unwrap_or_default();
            Ok(Wire::Raw(disk.0.server().answer(message)))
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

/// Returns the folder of the packages of a disk, and makes it if there is none. Links on the way are those of the disk.
fn begin(root: &Path) -> io::Result<PathBuf> {
    let mut path = String::new();
    for name in APPS.split('/') {
        path = format!("{path}/{name}");
        let nowhere = |_| io::Error::other("a link on the way leads to nothing on this disk");
        let folder = file_here(root, &path).map_err(nowhere)?;
        if !folder.exists() {
            fs::create_dir(&folder)?;
        }
    }
    file_here(root, &path)
}

/// The endings of the folders of a package while it is exchanged, whose names begin with a dot.
const NEW: &str = ".new";
const OLD: &str = ".old";

/// Ends an exchange that was cut: without a package, the one of before comes back.
fn mend(apps: &Path, uuid: &str) -> io::Result<()> {
    let [new, old] = [NEW, OLD].map(|ending| apps.join(format!(".{uuid}{ending}")));
    if fs::symlink_metadata(apps.join(uuid)).is_err() && fs::symlink_metadata(&old).is_ok() {
        fs::rename(&old, apps.join(uuid))?;
    }
    remove_all(&old)?;
    remove_all(&new)
}

impl Inner {
    fn packages(&self) -> MutexGuard<'_, Packages> {
        self.packages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the folder of the packages, wherever on the disk it is now.
    fn apps(&self) -> io::Result<PathBuf> {
        file_here(&self.root, &format!("/{APPS}"))
    }

    fn kept(&self) -> io::Result<PathBuf> {
        file_here(&self.root, &format!("/{KEPT}"))
    }

    /// Takes a package that is on the disk for installed. One that cannot be read has no behaviors.
    fn add(&self, uuid: &str, folder: &Path) -> InstalledPackage {
        let opened = boxstep_format::open(folder, &Limits::default()).ok();
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
        let _no_client = self.0.server();
        let failed = |e: io::Error| format!("{file}: {e}");
        let bytes = file_here(&self.0.root, file).and_then(fs::read).map_err(failed)?;
        let limits = Limits::default();
        let words = |e: FormatError| printable_line(&e.diagnostic().to_string()).into_owned();
        // A robot takes what is in the package, whatever it is called.
        let entries = unpack_whole(file, &bytes, &limits).map_err(words)?;
        let opened = boxstep_format::open_bytes(Path::new("package.pkg"), &bytes, &limits).map_err(words)?;
        let uuid = opened.manifest.and_then(|manifest| manifest.uuid).filter(|uuid| is_id(uuid));
        let uuid = uuid.ok_or_else(|| format!("{file}: its manifest.xml has no uuid"))?;
        let apps = self.0.apps().map_err(failed)?;
        mend(&apps, &uuid).map_err(failed)?;
        let folder = apps.join(&uuid);
        let [new, old] = [NEW, OLD].map(|ending| apps.join(format!(".{uuid}{ending}")));
        let written = write(&new, &entries).and_then(|()| match fs::rename(&folder, &old) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::rename(&new, &folder),
        });
        if let Err(error) = written {
            // As it was; what is not done now is done at the next time.
            let _ = mend(&apps, &uuid);
            return Err(failed(error));
        }
        let _ = remove_all(&old);
        Ok(self.0.add(&uuid, &folder))
    }

    fn remove(&self, uuid: &str) -> Result<(), String> {
        if let Some(why) = &self.0.refusal {
            return Err(why.clone());
        }
        let _no_client = self.0.server();
        let taken = self.0.packages().remove(uuid).ok_or_else(|| format!("there is no package {uuid}"))?;
        self.0.apps().and_then(|apps| remove_all(&apps.join(uuid))).map_err(|e| {
            self.0.packages().insert(uuid.to_owned(), taken);
            format!("{uuid}: {e}")
        })
    }

    fn kept(&self) -> Value {
        let text = self.0.kept().and_then(fs::read_to_string).unwrap_or_default();
        boxstep_types::value_from_json(&text).unwrap_or_default()
    }

    fn keep(&self, value: &Value) -> Result<(), String> {
        let text = serde_json::to_vec_pretty(value).map_err(|e| e.to_string())?;
        self.0.kept().and_then(|file| write_file(&file, &text, true)).map_err(|e| e.to_string())
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
