//! Folders that lie in a rescue: their files have other names here than on the robot where a name needs it, and their
//! permissions are in the manifest.

use crate::failure::Failure;
use crate::terminal;
use boxstep_format::archive::Entry;
use boxstep_rescue::manifest::{self, State, Taken};
use boxstep_rescue::restore::{Content, Item};
use boxstep_rescue::{copy, name};
use boxstep_types::printable_line;
use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The manifest of the rescue that a folder lies in.
struct Rescued {
    items: BTreeMap<String, State>,
    /// The folder within the rescue, with `/` at its end.
    folder: String,
}

/// Returns the folder of the rescue that a folder lies in.
fn root_of(folder: &Path) -> Option<PathBuf> {
    folder.ancestors().skip(1).find(|root| is_rescue(root)).map(Path::to_owned)
}

/// Returns whether a folder is one that a rescue has made.
pub(crate) fn is_rescue(folder: &Path) -> bool {
    folder.join(manifest::FILE).is_file() && folder.join(crate::command::rescue::FILE).is_file()
}

impl Rescued {
    fn find(folder: &Path) -> Option<Result<Rescued, Failure>> {
        let folder = folder.canonicalize().ok()?;
        let root = root_of(&folder)?;
        let within = folder.strip_prefix(&root).ok()?.to_string_lossy().replace('\\', "/");
        let items = manifest::of_folder(&root).map_err(|e| Failure::io(&root.join(manifest::FILE), &e));
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

/// Returns where the path of a file begins that is relative to the folder that it is in here: as many folders as here, and
/// those before them are the robot's own.
pub(crate) fn relative<'a>(there: &'a str, within: &str) -> &'a str {
    let depth = within.matches('/').count();
    let at = there.rmatch_indices('/').nth(depth).map_or(0, |(at, _)| at + 1);
    &there[at..]
}

/// Gives the files of a folder the names and permissions that they had on the robot, if the folder lies in a rescue. What
/// a rescue has set aside is left out; what somebody has added stays as it is. Also returns what no archive can hold, links
/// and names that are not UTF-8 among it. What the rescue has not taken is said.
pub(crate) fn as_on_the_robot(folder: &Path, entries: Vec<Entry>) -> Result<(Vec<Entry>, Vec<Item>), Failure> {
    let Some(rescued) = Rescued::find(folder).transpose()? else { return Ok((entries, Vec::new())) };
    let files = rescued.files();
    let (mut kept, mut others, mut lost, mut home) = (Vec::new(), Vec::new(), Vec::new(), None);
    for entry in entries {
        let Some((there, taken)) = files.get(entry.name.as_str()) else {
            if !copy::is_set_aside(&entry.name) {
                kept.push(entry);
            }
            continue;
        };
        let path = relative(there, &entry.name);
        home.get_or_insert(&there[..there.len() - path.len()]);
        match String::from_utf8(name::bytes(path)) {
            Ok(name) if !name.contains([':', '\\']) => {
                kept.push(Entry { name, bytes: entry.bytes, executable: taken.mode & 0o111 != 0 });
            }
            _ => {
                others.push(Item { path: name::bytes(path), content: Content::Bytes(entry.bytes, taken.mode & 0o777) })
            }
        }
    }
    let rest = home.into_iter().flat_map(|home| {
        rescued.items.iter().filter_map(move |(there, state)| Some((there, there.strip_prefix(home)?, state)))
    });
    for (there, path, state) in rest {
        match state {
            State::Link(to) => {
                others.push(Item { path: name::bytes(path), content: Content::Link(name::bytes(to)) });
            }
            State::Left(why) => lost.push(format!("{there} is missing: it was not taken from the robot ({why})")),
            State::Begun(_) => lost.push(format!("{there} is missing: the rescue was cut while it came")),
            State::Taken(_) => {}
        }
    }
    for words in lost {
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
    }
    kept.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((kept, others))
}

/// Says what no archive can hold.
pub(crate) fn say_left_out(others: &[Item]) -> Result<(), Failure> {
    for Item { path, content } in others {
        let path = name::text(path);
        let words = match content {
            Content::Link(to) => format!("{path} leads to {}, and is left out: no package has links", name::text(to)),
            _ => format!("{path} is left out: no package takes a name that is not UTF-8, or has `:` or `\\`"),
        };
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
    }
    Ok(())
}
