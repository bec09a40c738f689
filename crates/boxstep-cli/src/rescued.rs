//! Folders that lie in a rescue: their files have other names here than on the robot where a name needs it, and their
//! permissions are in the manifest.

use crate::failure::{Failure, system_message};
use crate::terminal;
use boxstep_format::archive::Entry;
use boxstep_rescue::manifest::{self, State, Taken};
use boxstep_rescue::restore::{Content, Item};
use boxstep_rescue::{copy, name};
use boxstep_types::digest::Digest;
use boxstep_types::printable_line;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Component, Path, PathBuf};

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
    fn files(&self) -> BTreeMap<&str, (&str, &Taken)> {
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

/// The files of a folder, with the names and permissions that they had on the robot.
#[derive(Default)]
pub(crate) struct OnTheRobot {
    /// The name of the folder there, if that is known.
    pub(crate) name: Option<String>,
    pub(crate) entries: Vec<Entry>,
    /// What no archive can hold, links and names that are not UTF-8 among it.
    pub(crate) others: Vec<Item>,
    /// What the rescue has not taken, or what is not there any more.
    pub(crate) lost: Vec<String>,
    /// What is there otherwise than on the robot.
    pub(crate) remarks: Vec<String>,
}

impl OnTheRobot {
    /// Says what is missing, and what is otherwise.
    pub(crate) fn say(&self) -> Result<(), Failure> {
        for words in self.lost.iter().chain(&self.remarks) {
            writeln!(terminal::stderr(), "{}", printable_line(words))?;
        }
        Ok(())
    }
}

/// Returns what is to be known about a file that was taken: that it is another one by now, or was odd then.
pub(crate) fn remark(taken: &Taken, digest: Option<Digest>) -> Option<String> {
    if digest.is_some_and(|digest| digest != taken.sha256) {
        return Some("it was changed here since the rescue".to_owned());
    }
    taken.remark.clone()
}

/// Gives the files of a folder the names and permissions that they had on the robot, if the folder lies in a rescue. What
/// a rescue has set aside is left out; what somebody has added stays as it is.
pub(crate) fn as_on_the_robot(folder: &Path, entries: Vec<Entry>) -> Result<OnTheRobot, Failure> {
    let Some(rescued) = Rescued::find(folder).transpose()? else {
        return Ok(OnTheRobot { entries, ..OnTheRobot::default() });
    };
    let (mut result, mut home) = (OnTheRobot::default(), None);
    let mut here: BTreeMap<String, Entry> = entries.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
    for (file, (there, taken)) in rescued.files() {
        let path = relative(there, file);
        home.get_or_insert(&there[..there.len() - path.len()]);
        // No archive of this computer has what programs here would obey; a package of the robot may.
        let bytes = match here.remove(file) {
            Some(entry) => entry.bytes,
            None => match plain_file(folder, file).map(std::fs::read) {
                Some(Ok(bytes)) => bytes,
                Some(Err(why)) => {
                    result.lost.push(format!("{there} is missing: {file} cannot be read: {}", system_message(&why)));
                    continue;
                }
                None => {
                    result.lost.push(format!("{there} is missing: it is not in the folder any more"));
                    continue;
                }
            },
        };
        result.remarks.extend(remark(taken, Some(Digest::of(&bytes))).map(|words| format!("{there}: {words}")));
        match String::from_utf8(name::bytes(path)) {
            Ok(name) if !name.contains([':', '\\']) => {
                result.entries.push(Entry { name, bytes, executable: taken.mode & 0o111 != 0 });
            }
            _ => {
                let content = Content::Bytes(bytes, taken.mode & 0o777);
                result.others.push(Item { path: name::bytes(path), content });
            }
        }
    }
    result.name = home.and_then(|home| home.trim_end_matches('/').rsplit('/').next()).map(unescaped);
    let rest = home.into_iter().flat_map(|home| {
        rescued.items.iter().filter_map(move |(there, state)| Some((there, there.strip_prefix(home)?, state)))
    });
    for (there, path, state) in rest {
        match state {
            State::Link(to) => {
                result.others.push(Item { path: name::bytes(path), content: Content::Link(name::bytes(to)) });
            }
            State::Left(why) => {
                result.lost.push(format!("{there} is missing: it was not taken from the robot ({why})"));
            }
            State::Begun(_) => result.lost.push(format!("{there} is missing: the rescue was cut while it came")),
            State::Taken(_) => {}
        }
    }
    result.entries.extend(here.into_values().filter(|entry| !copy::is_set_aside(&entry.name)));
    result.entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(result)
}

/// Returns a name of the robot as text for people.
fn unescaped(name: &str) -> String {
    String::from_utf8_lossy(&name::bytes(name)).into_owned()
}

/// Returns where a file of a manifest is in its folder, if it is a file there. A manifest may be anybody's: it names no
/// file elsewhere, and no link leads to one.
pub(crate) fn plain_file(folder: &Path, file: &str) -> Option<PathBuf> {
    let is_plain = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    let real = folder.canonicalize().ok()?;
    let found = folder.join(file).canonicalize().ok()?;
    (is_plain && !copy::is_set_aside(file) && found.starts_with(real) && found.is_file()).then_some(found)
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
