//! What of a rescue is put on a robot: read from its folder, and compared with what the robot has.

use super::super::package::LocalPackage;
use super::identity;
use super::roots::{Roots, Was};
use crate::command::rescue;
use crate::failure::{Failure, system_message};
use crate::rescued::{plain_file, remark};
use boxstep_bodies::BodyKind;
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::name;
use boxstep_rescue::restore::{Content, Item};
use boxstep_robot::naoqi::packages::Package;
use boxstep_robot::naoqi::preferences::{self, Key};
use boxstep_types::Value;
use boxstep_types::digest::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What is put on a robot, and what is not.
#[derive(Default)]
pub(super) struct Plan {
    /// Folders that are packages, and then those of behaviors, which become some.
    pub(super) packages: Vec<PathBuf>,
    pub(super) preferences: Vec<(Key, Value)>,
    /// Preferences that the robot has already, the same.
    pub(super) same: usize,
    /// Behaviors that start with the robot.
    pub(super) defaults: Vec<String>,
    /// Files of the home, below it.
    pub(super) files: Vec<Item>,
    pub(super) bytes: u64,
    /// What is put there otherwise than the robot had it, and how.
    pub(super) remarks: Vec<String>,
    /// What another robot does not get, and why.
    pub(super) left: Vec<(String, String)>,
    /// What it would get if nothing were wrong, and what is.
    pub(super) lost: Vec<(String, String)>,
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
        if !rescue::is_whole(root) {
            let why = "it was cut, and is not whole: give `boxstep rescue` again, and what is missing comes";
            plan.lost.push(("the rescue".to_owned(), why.to_owned()));
        }
        let items = manifest::of_folder(root).map_err(|e| Failure::io(&root.join(manifest::FILE), &e))?;
        let roots = Roots::of(&items);
        let (packages, homes) = plan.files_of(root, &items, &roots);
        let system = of_system(&plan.answers(root, "packages"));
        for folder in sorted(root, PACKAGES, &homes)? {
            let uuid = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if system.contains(&uuid) {
                plan.left.push((format!("{PACKAGES}/{uuid}"), "it came with NAOqi".to_owned()));
            } else {
                plan.packages.push(folder);
            }
        }
        for part in LOOSE {
            plan.packages.extend(sorted(root, part, &homes)?);
        }
        plan.settings_of(root);
        plan.left_of(root, &items, &packages);
        Ok(plan)
    }

    /// Takes out what the robot has already.
    pub(super) fn compare(&mut self, has: &BTreeMap<Key, Value>) {
        let before = self.preferences.len();
        self.preferences.retain(|(key, value)| has.get(key) != Some(value));
        self.same = before - self.preferences.len();
    }

    /// Finds out what becomes of each file and link that the rescue lists. Returns the parts that have some, and the homes of
    /// the folders of packages and behaviors.
    fn files_of<'a>(
        &mut self,
        root: &Path,
        items: &'a BTreeMap<String, State>,
        roots: &'a Roots,
    ) -> (BTreeSet<&'a str>, BTreeMap<PathBuf, usize>) {
        let (mut parts, mut homes) = (BTreeSet::new(), BTreeMap::new());
        let (mut hidden, mut found) = (BTreeMap::<String, &str>::new(), Vec::new());
        let no_place = |there: &str| (there.to_owned(), "it is in none of the places that are put back".to_owned());
        // Links of packages go with their files.
        let folders: BTreeSet<&str> = items
            .iter()
            .filter(|(_, state)| matches!(state, State::Taken(_)))
            .filter_map(|(there, _)| folder_of(there, &roots.find(there)?))
            .collect();
        for (there, state) in items {
            if matches!(state, State::Left(_) | State::Begun(_)) {
                continue;
            }
            let Some(was) = roots.find(there) else {
                self.left.push(no_place(there));
                continue;
            };
            parts.insert(was.part);
            if was.part == PACKAGES || LOOSE.contains(&was.part) {
                match (folder_of(there, &was), state) {
                    (Some(_), State::Taken(taken)) => {
                        homes.insert(taken.file.split('/').take(2).collect(), was.home);
                    }
                    (Some(folder), _) if folders.contains(folder) => {}
                    (Some(_), _) => {
                        self.left.push((there.clone(), "a folder that has only links is no package".into()))
                    }
                    (None, State::Link(to)) => {
                        self.left.push((there.clone(), format!("it is a link to {to}, beside the folders")));
                    }
                    (None, _) => self.left.push((there.clone(), "it is a file beside the folders".into())),
                }
                continue;
            }
            let Some((_, into)) = FILES.iter().find(|(part, _)| *part == was.part) else { continue };
            let path = [into.as_bytes(), &name::bytes(was.below)].concat();
            if let Some(why) = identity::of_home(&path) {
                let first = path.split(|byte| *byte == b'/').next().unwrap_or_default();
                hidden.insert(format!("~/{}", name::text(first)), why);
                continue;
            }
            found.push((was.home, path, there, state));
        }
        // What two homes have comes from the one from which packages come, too.
        found.sort_by_key(|(home, ..)| *home);
        let mut places: BTreeMap<Vec<u8>, (&String, &State)> = BTreeMap::new();
        for (_, path, there, state) in found {
            match places.get(&path) {
                Some((first, other)) if !is_same(other, state) => {
                    self.left.push((there.clone(), format!("{first} gets its place")));
                }
                Some(_) => {}
                None => {
                    places.insert(path.clone(), (there, state));
                    self.file(root, path, there, state);
                }
            }
        }
        self.left.extend(hidden.into_iter().map(|(what, why)| (what, why.to_owned())));
        (parts, homes)
    }

    fn file(&mut self, root: &Path, path: Vec<u8>, there: &str, state: &State) {
        let content = match state {
            State::Link(to) => Content::Link(name::bytes(to)),
            State::Taken(taken) => {
                let Some(file) = plain_file(root, &taken.file) else {
                    self.left.push((taken.file.clone(), "it is not in the folder any more".to_owned()));
                    return;
                };
                let digest = match Digest::of_file(&file) {
                    Ok(digest) => digest,
                    Err(why) => {
                        self.lost.push((taken.file.clone(), format!("it cannot be read: {}", system_message(&why))));
                        return;
                    }
                };
                self.remarks.extend(remark(taken, Some(digest)).map(|words| format!("{there}: {words}")));
                self.bytes += std::fs::metadata(&file).map_or(0, |metadata| metadata.len());
                Content::Here(file, taken.mode & 0o777)
            }
            State::Left(_) | State::Begun(_) => return,
        };
        self.files.push(Item { path, content });
    }

    fn settings_of(&mut self, root: &Path) {
        let told = self.answers(root, "preferences");
        for (key, values) in &told {
            let Some(domain) = key.split_once(".getValueList(").and_then(|(_, rest)| rest.strip_suffix(')')) else {
                continue;
            };
            for ((domain, name), value) in preferences::pairs(domain, values) {
                match identity::of_preference(&domain, &name, &value) {
                    Some(whose) => {
                        let what = format!("preference {domain} {name}");
                        self.left.push((what, format!("{whose}: the new robot keeps its own")));
                    }
                    None => self.preferences.push(((domain, name), value)),
                }
            }
        }
        let defaults =
            self.answers(root, "behaviors").into_iter().find(|(key, _)| key.ends_with(".getDefaultBehaviors"));
        let defaults = defaults.map(|(_, names)| names).unwrap_or_default();
        let names = defaults.as_list().unwrap_or_default().iter().filter_map(Value::as_str);
        self.defaults.extend(names.map(str::to_owned));
    }

    /// Lists what is left by its kind.
    fn left_of(&mut self, root: &Path, items: &BTreeMap<String, State>, parts: &BTreeSet<&str>) {
        let has = |part: &str| parts.contains(part) || root.join(part).exists();
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

    /// Returns what the old robot has answered about a subject.
    fn answers(&mut self, root: &Path, subject: &str) -> Vec<(String, Value)> {
        let file = format!("robot/{subject}.json");
        let text = match std::fs::read_to_string(root.join(&file)) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                self.lost.push((file, format!("it cannot be read: {}", system_message(&error))));
                return Vec::new();
            }
        };
        match boxstep_types::value_from_json(&text) {
            Ok(value) => {
                let pairs = value.as_map().unwrap_or_default().iter();
                pairs.filter_map(|(key, value)| Some((key.as_str()?.to_owned(), value.clone()))).collect()
            }
            Err(why) => {
                self.lost.push((file, format!("it cannot be read: {why}")));
                Vec::new()
            }
        }
    }
}

/// Returns the folder on the old robot of what is in a package, or in a behavior without one; `None` for what is beside them.
fn folder_of<'a>(there: &'a str, was: &Was<'_>) -> Option<&'a str> {
    let (folder, _) = was.below.split_once('/')?;
    there.get(..there.len() - was.below.len() + folder.len())
}

fn is_same(one: &State, other: &State) -> bool {
    match (one, other) {
        (State::Taken(one), State::Taken(other)) => one.sha256 == other.sha256,
        (one, other) => one == other,
    }
}

/// Returns the ids of the packages that came with NAOqi. What describes a package is a map or, in some versions, has no names.
fn of_system(told: &[(String, Value)]) -> BTreeSet<String> {
    let packages = told.iter().flat_map(|(_, list)| list.as_list().unwrap_or_default());
    let text = |package: &Value, name: &str| package.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = |package: &Value| match package.as_list() {
        None => text(package, "uuid").filter(|_| text(package, "installer").as_deref() == Some("system")),
        Some(texts) => {
            let mut texts = texts.iter().filter_map(Value::as_str);
            let path = texts.clone().find(|text| text.starts_with('/'))?;
            let uuid = path.trim_end_matches('/').rsplit('/').next()?;
            texts.any(|text| text == "system").then(|| uuid.to_owned())
        }
    };
    packages.filter_map(id).collect()
}

/// Returns the folders of a part, those of the first home first.
fn sorted(root: &Path, part: &str, homes: &BTreeMap<PathBuf, usize>) -> Result<Vec<PathBuf>, Failure> {
    let mut folders = folders(&root.join(part))?;
    let home = |folder: &PathBuf| folder.strip_prefix(root).ok().and_then(|within| homes.get(within)).copied();
    folders.sort_by_key(|folder| home(folder).unwrap_or_default());
    Ok(folders)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_naoqi_are_known_in_each_form_in_which_they_are_told() {
        let told = |text: &str| [("PackageManager.packages".to_owned(), boxstep_types::value_from_json(text).unwrap())];
        let maps = r#"[{"uuid": "dance", "installer": "me"}, {"uuid": "life", "installer": "system"}]"#;
        let lists =
            r#"[["1.0", "me", "/apps/dance", "dance"], ["1.0", "system", "/apps/life/", "life"], ["system"], 1]"#;
        for text in [maps, lists] {
            assert_eq!(of_system(&told(text)), BTreeSet::from(["life".to_owned()]), "{text}");
        }
    }
}
