//! What of a rescue is put on a robot: read from its folder, and compared with what the robot has.

use super::super::package::LocalPackage;
use super::identity;
use crate::failure::Failure;
use crate::rescued::relative;
use boxstep_bodies::BodyKind;
use boxstep_rescue::copy::is_set_aside;
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::name;
use boxstep_rescue::restore::{Content, Item};
use boxstep_robot::naoqi::packages::Package;
use boxstep_robot::naoqi::preferences::{self, Key};
use boxstep_types::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// What is put on a robot, and what is not.
#[derive(Default)]
pub(super) struct Plan {
    /// Folders that become packages, those that are packages already first.
    pub(super) packages: Vec<PathBuf>,
    /// Folders that are behaviors without a package.
    pub(super) loose: Vec<PathBuf>,
    pub(super) preferences: Vec<(Key, Value)>,
    /// Preferences that the robot has already, the same.
    pub(super) same: usize,
    /// Behaviors that start with the robot.
    pub(super) defaults: Vec<String>,
    /// Files of the home, below it.
    pub(super) files: Vec<Item>,
    pub(super) bytes: u64,
    /// What is left, and why.
    pub(super) left: Vec<(String, String)>,
}

/// The parts of a rescue that become packages, and where behaviors without one are.
const PACKAGES: &str = "packages";
const LOOSE: [&str; 2] = ["behaviors", "behaviors-naoqi"];
/// The parts whose files are put in the home, and the folder there.
const FILES: [(&str, &str); 2] = [("home", ""), ("recordings", "recordings/")];

impl Plan {
    /// Reads the folder of a rescue.
    pub(super) fn read(root: &Path) -> Result<Self, Failure> {
        let mut plan = Plan::default();
        let items = manifest::of_folder(root).map_err(|e| Failure::io(&root.join(manifest::FILE), &e))?;
        let system = of_system(root);
        for folder in folders(&root.join(PACKAGES))? {
            let uuid = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if system.contains(&uuid) {
                plan.left.push((format!("{PACKAGES}/{uuid}"), "it came with NAOqi".to_owned()));
            } else {
                plan.packages.push(folder);
            }
        }
        for part in LOOSE {
            plan.loose.extend(folders(&root.join(part))?);
        }
        plan.files_of(root, &items)?;
        plan.settings_of(root);
        plan.left_of(root, &items);
        Ok(plan)
    }

    /// Takes out what the robot has already.
    pub(super) fn compare(&mut self, has: &BTreeMap<Key, Value>) {
        let before = self.preferences.len();
        self.preferences.retain(|(key, value)| has.get(key) != Some(value));
        self.same = before - self.preferences.len();
    }

    fn files_of(&mut self, root: &Path, items: &BTreeMap<String, State>) -> Result<(), Failure> {
        let mut hidden: BTreeMap<String, &'static str> = BTreeMap::new();
        let real = root.canonicalize().map_err(|e| Failure::io(root, &e))?;
        for (there, state) in items {
            let (within, content) = match state {
                State::Taken(taken) => (taken.file.as_str(), taken),
                _ => continue,
            };
            let Some((part, below)) =
                FILES.iter().find(|(part, _)| within.strip_prefix(part).is_some_and(|rest| rest.starts_with('/')))
            else {
                continue;
            };
            let path = relative(there, &within[part.len() + 1..]);
            let path = [below.as_bytes(), &name::bytes(path)].concat();
            if let Some(why) = identity::of_home(&path) {
                let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
                hidden.insert(format!("~/{}", name::text(first)), why);
                continue;
            }
            // A manifest may be anybody's: it names no file elsewhere.
            let plain = Path::new(within).components().all(|part| matches!(part, Component::Normal(_)));
            let file = root.join(within);
            let found = file.canonicalize().ok().filter(|found| plain && found.starts_with(&real) && found.is_file());
            let Some(file) = found.filter(|_| !is_set_aside(within)) else {
                self.left.push((within.to_owned(), "it is not in the folder any more".to_owned()));
                continue;
            };
            self.bytes += std::fs::metadata(&file).map_err(|e| Failure::io(&file, &e))?.len();
            self.files.push(Item { path, content: Content::Here(file, content.mode & 0o777) });
        }
        for (there, state) in items {
            let State::Link(to) = state else { continue };
            // Links of packages are theirs. Where a link of the home is, its neighbors say.
            if let Some(path) = home_of(items).and_then(|home| there.strip_prefix(&home)) {
                let path = name::bytes(path);
                if identity::of_home(&path).is_none() && !path.starts_with(b"behaviors/") {
                    self.files.push(Item { path, content: Content::Link(name::bytes(to)) });
                }
            }
        }
        self.left.extend(hidden.into_iter().map(|(what, why)| (what, why.to_owned())));
        Ok(())
    }

    fn settings_of(&mut self, root: &Path) {
        let told = answers(root, "preferences");
        for (key, values) in &told {
            let Some(domain) = key.split_once(".getValueList(").and_then(|(_, rest)| rest.strip_suffix(')')) else {
                continue;
            };
            for ((domain, name), value) in preferences::pairs(domain, values) {
                match identity::of_preference(&domain, &name) {
                    Some(whose) => {
                        let what = format!("preference {domain} {name}");
                        self.left.push((what, format!("{whose}: the new robot keeps its own")));
                    }
                    None => self.preferences.push(((domain, name), value)),
                }
            }
        }
        let defaults = answers(root, "behaviors").into_iter().find(|(key, _)| key.ends_with(".getDefaultBehaviors"));
        let defaults = defaults.map(|(_, names)| names).unwrap_or_default();
        let names = defaults.as_list().unwrap_or_default().iter().filter_map(Value::as_str);
        self.defaults.extend(names.map(str::to_owned));
    }

    /// Lists what is left by its kind.
    fn left_of(&mut self, root: &Path, items: &BTreeMap<String, State>) {
        let has = |part: &str| root.join(part).exists();
        self.left.extend(
            identity::FOLDERS
                .iter()
                .filter(|(part, _)| has(part))
                .map(|(part, why)| (part.to_string(), why.to_string())),
        );
        let never = identity::NEVER.iter().filter(|(what, _)| !what.contains('/') || has(what));
        self.left.extend(never.map(|(what, why)| (what.to_string(), why.to_string())));
        let autoload = std::fs::read_to_string(root.join("preferences/autoload.ini")).unwrap_or_default();
        let lines = autoload.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with(['#', ';']));
        let lines: Vec<&str> = lines.filter(|line| !line.starts_with('[')).collect();
        if !lines.is_empty() {
            let why = "what starts with NAOqi; add the lines that are wanted with ssh, and start NAOqi again";
            self.left.push((format!("preferences/autoload.ini: {}", lines.join(", ")), why.to_owned()));
        }
        let lost = items.values().filter(|state| matches!(state, State::Left(_) | State::Begun(_))).count();
        if lost > 0 {
            let why = "the rescue did not take them: its index.html says why";
            self.left.push((format!("{lost} files"), why.to_owned()));
        }
    }
}

/// Returns the home on the old robot, with `/` at its end: what the paths of the files there have in common.
fn home_of(items: &BTreeMap<String, State>) -> Option<String> {
    items.iter().find_map(|(there, state)| match state {
        State::Taken(taken) => {
            let within = taken.file.strip_prefix("home/")?;
            let path = relative(there, within);
            Some(there[..there.len() - path.len()].to_owned())
        }
        _ => None,
    })
}

/// Returns the ids of the packages that came with NAOqi.
fn of_system(root: &Path) -> BTreeSet<String> {
    let told = answers(root, "packages");
    let packages = told.into_iter().flat_map(|(_, list)| list.as_list().unwrap_or_default().to_vec());
    let system = packages.filter(|package| package.get("installer").and_then(Value::as_str) == Some("system"));
    system.filter_map(|package| package.get("uuid").and_then(Value::as_str).map(str::to_owned)).collect()
}

/// Returns what the old robot has answered about a subject.
fn answers(root: &Path, subject: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(root.join("robot").join(format!("{subject}.json"))).unwrap_or_default();
    let value = boxstep_types::value_from_json(&text).unwrap_or_default();
    let pairs = value.as_map().unwrap_or_default().iter();
    pairs.filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value.clone()))).collect()
}

/// Returns the folders in a folder that are not hidden, in the order of their names.
fn folders(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(Failure::io(folder, &error)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|e| Failure::io(folder, &e))?;
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// What becomes of a package.
pub(super) enum Todo {
    /// It is installed.
    Install,
    /// The robot has this version: it is compared, and left if it is the same.
    Compare(Package),
    /// It replaces another version.
    Replace(Package),
    /// It is left, and why; a person may decide otherwise.
    Leave(String),
}

/// Decides what becomes of a package.
pub(super) fn todo(
    package: &LocalPackage,
    there: &[Package],
    (naoqi, body): (Option<&str>, Option<BodyKind>),
    (replace, anyway): (bool, bool),
) -> Todo {
    if !anyway && let Some(why) = package.is_not_for(naoqi, body) {
        return Todo::Leave(format!("{why}; --anyway puts it back all the same"));
    }
    let Some(there) = there.iter().find(|there| there.uuid == package.uuid) else { return Todo::Install };
    match (&there.version, &package.version) {
        (is, new) if is == new || is.as_deref() == Some("") && new.is_none() => Todo::Compare(there.clone()),
        _ if replace => Todo::Replace(there.clone()),
        (is, _) => {
            let is = is.as_deref().unwrap_or("a version that it does not tell");
            Todo::Leave(format!("{is} is there; --replace replaces it"))
        }
    }
}
