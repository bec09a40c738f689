//! Where a robot has what people made, and the folder that each of them gets here.
//!
//! Source: the pages on files and folders of the NAOqi documentation 1.14 to 2.8, and programs that people published.

use crate::disk::{DiskPath, HOMES};

/// A place on a robot's disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The folder that it gets here.
    pub folder: &'static str,
    /// What it has, in a few words.
    pub what: &'static str,
    /// The path on the disk: a folder.
    pub path: DiskPath,
}

/// Places in a home, from what people made to what can be done without: a disk may die while it is read.
const IN_HOME: [(&str, &str, &str); 7] = [
    ("packages", "applications, with behaviors, dialogs, sounds and services", ".local/share/PackageManager/apps"),
    ("behaviors", "behaviors of NAOqi before 2.0", "behaviors"),
    ("behaviors-naoqi", "behaviors of NAOqi before 2.0", "naoqi/behaviors"),
    ("preferences", "preferences and the list of modules that start with NAOqi", "naoqi/preferences"),
    ("config", "settings of NAOqi and of applications", ".config"),
    ("home", "everything else of the home: programs, knowledge, files of people", ""),
    ("recordings", "sounds and pictures that the robot recorded", "recordings"),
];

/// Places beside the homes.
const BESIDE: [(&str, &str, &str); 3] = [
    ("logs", "what NAOqi and services wrote down", "/var/log/naoqi"),
    ("logs-persistent", "what NAOqi and services wrote down", "/var/persistent/var/log/naoqi"),
    ("system-settings", "settings of the system for NAOqi", "/etc/naoqi"),
];

/// What a home has that is made again: caches of programs.
const LEFT: [&str; 4] = [".cache", ".local/share/Trash", ".dbus", ".pulse"];

/// Returns the places of a disk whose homes are known; those that are taken first come first.
pub fn places(homes: &[DiskPath], roots: &[DiskPath]) -> Vec<Place> {
    let mut places = Vec::new();
    for (folder, what, path) in IN_HOME {
        places.extend(homes.iter().map(|home| Place { folder, what, path: below(home, path) }));
    }
    for (folder, what, path) in BESIDE {
        places.extend(roots.iter().map(|root| Place { folder, what, path: below(root, path) }));
    }
    places
}

/// Returns what a folder here has, and where that is on a robot; a path in the home begins with `~`.
pub fn known(folder: &str) -> Option<(&'static str, String)> {
    let in_home = IN_HOME.iter().map(|(folder, what, path)| (folder, what, format!("~/{path}")));
    let beside = BESIDE.iter().map(|(folder, what, path)| (folder, what, (*path).to_owned()));
    let found = in_home.chain(beside).find(|(name, ..)| **name == folder);
    found.map(|(_, what, path)| (*what, path.trim_end_matches('/').to_owned()))
}

/// Returns the folders here of what is in a home, and where in the home that is.
pub fn in_home() -> impl Iterator<Item = (&'static str, &'static str)> {
    IN_HOME.iter().map(|(folder, _, path)| (*folder, *path))
}

/// Returns the place of a home among those of a disk, as they are taken: the partition, if there are several, and its number
/// in the list of homes.
pub fn order(home: &str) -> (usize, usize) {
    let found = HOMES.iter().enumerate().find_map(|(number, known)| {
        let before = home.trim_end_matches('/').strip_suffix(known)?;
        let partition = if before.is_empty() { 0 } else { before.strip_prefix('/')?.parse().ok()? };
        Some((partition, number))
    });
    found.unwrap_or((usize::MAX, usize::MAX))
}

/// Returns the folders that are not taken.
pub fn left(homes: &[DiskPath]) -> Vec<DiskPath> {
    homes.iter().flat_map(|home| LEFT.iter().map(|path| below(home, path))).collect()
}

fn below(home: &DiskPath, path: &str) -> DiskPath {
    path.split('/').filter(|name| !name.is_empty()).fold(home.clone(), |path, name| path.join(name.as_bytes()))
}
