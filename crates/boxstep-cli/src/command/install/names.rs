//! What no archive can hold, in one that Boxstep has made: links, and files whose names are not UTF-8 or have `:` or `\`.
//! Such a file is there under its name with `%XX`, and the file [`FILE`] says its own name. When the package is installed,
//! they get their names, and the file is left out. Other programs see one file more.

use crate::failure::Failure;
use crate::open;
use boxstep_format::archive::{ArchiveKind, Entry, pack};
use boxstep_rescue::name;
use boxstep_rescue::restore::{Content, Item};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// The name of the file.
const FILE: &str = "boxstep-names.json";

/// Bytes that are not UTF-8 are written `%XX` in each text.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Names {
    /// The names of files on the robot, by those that they have here.
    files: BTreeMap<String, String>,
    /// Links, and where they lead.
    links: BTreeMap<String, String>,
}

/// The files of a package: what an archive can hold, and what none can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PackageFiles {
    pub(super) entries: Vec<Entry>,
    /// Files and links, in memory.
    pub(super) others: Vec<Item>,
}

impl PackageFiles {
    /// Reads the files of an archive or of a folder that one was unpacked to.
    pub(super) fn read(mut entries: Vec<Entry>) -> Result<Self, Failure> {
        let Some(place) = entries.iter().position(|entry| entry.name == FILE) else {
            return Ok(Self { entries, others: Vec::new() });
        };
        let file = entries.remove(place);
        let names: Names =
            serde_json::from_slice(&file.bytes).map_err(|e| Failure::File(FILE.into(), e.to_string()))?;
        let mut others = Vec::new();
        entries.retain_mut(|entry| {
            let Some(there) = names.files.get(&entry.name) else { return true };
            let mode = if entry.executable { 0o755 } else { 0o644 };
            let bytes = std::mem::take(&mut entry.bytes);
            others.push(Item { path: name::bytes(there), content: Content::Bytes(bytes, mode) });
            false
        });
        let link =
            |(path, to): (&String, &String)| Item { path: name::bytes(path), content: Content::Link(name::bytes(to)) };
        others.extend(names.links.iter().map(link));
        Ok(Self { entries, others })
    }

    /// Returns them as an archive can hold all of them.
    pub(super) fn to_entries(&self) -> Result<Vec<Entry>, Failure> {
        let (mut entries, mut names) = (self.entries.clone(), Names::default());
        for Item { path, content } in &self.others {
            match content {
                Content::Link(to) => drop(names.links.insert(name::text(path), name::text(to))),
                Content::Bytes(bytes, mode) => {
                    let parts: Vec<String> = path.split(|byte| *byte == b'/').map(name::local).collect();
                    let mut here = parts.join("/");
                    if entries.iter().any(|entry| entry.name == here) {
                        here = name::another(&here, path);
                    }
                    names.files.insert(here.clone(), name::text(path));
                    entries.push(Entry { name: here, bytes: bytes.clone(), executable: mode & 0o111 != 0 });
                }
                // Packages are in memory.
                Content::Here(..) => {}
            }
        }
        if !names.files.is_empty() || !names.links.is_empty() {
            let bytes = serde_json::to_vec_pretty(&names).map_err(|e| Failure::Run(e.to_string()))?;
            entries.push(Entry { name: FILE.to_owned(), bytes, executable: false });
        }
        Ok(entries)
    }

    /// Returns a package with all of them.
    pub(super) fn pack(&self, kind: ArchiveKind, uuid: &str) -> Result<Vec<u8>, Failure> {
        pack(kind, uuid, &self.to_entries()?).map_err(|e| open::unreadable(&e))
    }

    /// Returns the package that a robot installs: what no package can hold is put there afterwards.
    pub(super) fn for_robot(&self, uuid: &str) -> Result<Vec<u8>, Failure> {
        pack(ArchiveKind::Pkg, uuid, &self.entries).map_err(|e| open::unreadable(&e))
    }

    /// Returns the first of them that others do not have, or have otherwise.
    pub(super) fn lacks(&self, others: &Self) -> Option<String> {
        let there: HashMap<&str, &[u8]> = others.entries.iter().map(|e| (e.name.as_str(), &*e.bytes)).collect();
        let lost = self.entries.iter().find(|entry| there.get(entry.name.as_str()) != Some(&&*entry.bytes));
        if let Some(entry) = lost {
            return Some(entry.name.clone());
        }
        let same = |one: &Item, other: &Item| match (&one.content, &other.content) {
            // Permissions are those that the robot gives.
            (Content::Bytes(one, _), Content::Bytes(other, _)) => one == other,
            (one, other) => one == other,
        };
        let has = |item: &&Item| !others.others.iter().any(|there| there.path == item.path && same(there, item));
        self.others.iter().find(has).map(|item| name::text(&item.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_archive_can_hold_comes_out_of_one_as_it_went_in() {
        let entry = |name: &str| Entry { name: name.to_owned(), bytes: name.into(), executable: false };
        let file = |path: &[u8]| Item { path: path.to_vec(), content: Content::Bytes(path.to_vec(), 0o644) };
        let others = [
            file(b"a/caf\xe9.txt"),
            file(b"caf\xe9%.txt"),
            file(b"c:d"),
            Item { path: b"l\xff".to_vec(), content: Content::Link(b"../\xfe".to_vec()) },
        ];
        // One that is called as another would be.
        let files =
            PackageFiles { entries: vec![entry("behavior.xar"), entry("a/caf%E9.txt")], others: others.to_vec() };
        let packed = files.to_entries().unwrap();
        assert_eq!(packed.len(), 6);
        let back = PackageFiles::read(packed).unwrap();
        assert_eq!((back.lacks(&files), files.lacks(&back)), (None, None));
        let plain = PackageFiles { others: Vec::new(), ..files.clone() };
        assert_eq!(plain.to_entries().unwrap(), plain.entries);
        assert_eq!(PackageFiles::read(plain.entries.clone()).unwrap(), plain);
        assert_eq!(files.lacks(&plain).as_deref(), Some("a/caf%E9.txt"));
    }
}
