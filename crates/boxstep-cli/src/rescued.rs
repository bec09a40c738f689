//! Folders that lie in a rescue: their files have other names here than on the robot where a name needs it, and their
//! permissions are in the manifest.

use crate::failure::Failure;
use crate::terminal;
use boxstep_format::archive::Entry;
use boxstep_rescue::manifest::{self, State, Taken};
use boxstep_rescue::{copy, name};
use boxstep_types::printable_line;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::Path;

/// The manifest of the rescue that a folder lies in.
struct Rescued {
    items: BTreeMap<String, State>,
    /// The folder within the rescue, with `/` at its end.
    folder: String,
}

impl Rescued {
    fn find(folder: &Path) -> Option<Result<Rescued, Failure>> {
        let folder = folder.canonicalize().ok()?;
        let is_root =
            |root: &&Path| root.join(manifest::FILE).is_file() && root.join(crate::command::rescue::FILE).is_file();
        let root = folder.ancestors().skip(1).find(is_root)?;
        let within = folder.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/");
        let items = manifest::of_folder(root).map_err(|e| Failure::io(&root.join(manifest::FILE), &e));
        Some(items.map(|items| Rescued { items, folder: format!("{within}/") }))
    }

    /// Returns the files of the folder by their names in it, with their paths on the robot.
    fn files(&self) -> HashMap<&str, (&str, &Taken)> {
        let taken = self.items.iter().filter_map(|(there, state)| match state {
            State::Taken(taken) => Some((taken.file.strip_prefix(&self.folder)?, (there.as_str(), taken))),
            State::Begun(_) | State::Link(_) | State::Left(_) => None,
        });
        taken.collect()
    }
}

/// Gives the files of a folder the names and permissions that they had on the robot, if the folder lies in a rescue. What
/// a rescue has set aside is left out; what somebody has added stays as it is. What no archive can hold is said.
pub(crate) fn as_on_the_robot(folder: &Path, entries: Vec<Entry>) -> Result<Vec<Entry>, Failure> {
    let Some(rescued) = Rescued::find(folder).transpose()? else { return Ok(entries) };
    let files = rescued.files();
    let (mut kept, mut lost, mut home) = (Vec::new(), Vec::new(), None);
    for entry in entries {
        let Some((there, taken)) = files.get(entry.name.as_str()) else {
            if !copy::is_set_aside(&entry.name) {
                kept.push(entry);
            }
            continue;
        };
        // As many folders as here: those before them are the robot's own.
        let depth = entry.name.matches('/').count();
        let at = there.rmatch_indices('/').nth(depth).map_or(0, |(at, _)| at + 1);
        home.get_or_insert(&there[..at]);
        match String::from_utf8(name::bytes(&there[at..])) {
            Ok(name) if name.contains([':', '\\']) => {
                lost.push(format!("{there} is left out: no package takes a name with `:` or `\\`"));
            }
            Ok(name) => kept.push(Entry { name, bytes: entry.bytes, executable: taken.mode & 0o111 != 0 }),
            Err(_) => lost.push(format!("{there} is left out: no package takes a name that is not UTF-8")),
        }
    }
    let links =
        home.into_iter().flat_map(|home| rescued.items.iter().filter(move |(there, _)| there.starts_with(home)));
    for (there, state) in links {
        match state {
            State::Link(to) => lost.push(format!("{there} leads to {to}, and is left out: no package has links")),
            State::Left(why) => lost.push(format!("{there} is missing: it was not taken from the robot ({why})")),
            State::Begun(_) => lost.push(format!("{there} is missing: the rescue was cut while it came")),
            State::Taken(_) => {}
        }
    }
    for words in lost {
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
    }
    kept.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(kept)
}
