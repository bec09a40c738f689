//! What was taken, and what was not: the file `manifest.jsonl`, a line for each file, which grows while files come.

use boxstep_types::digest::Digest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

/// The name of the file.
pub const FILE: &str = "manifest.jsonl";
/// The longest line that is read, in bytes.
const LONGEST: u64 = 1 << 16;

/// A line of a manifest: what became of a path of the robot's disk. A later line of the same path is the one that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The path on the robot, with bytes that are not UTF-8 as `%XX`.
    pub path: String,
    /// What became of it.
    #[serde(flatten)]
    pub state: State,
}

/// What became of a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// A file that is being taken.
    Begun(Begun),
    /// A file that was taken.
    Taken(Taken),
    /// A link, and where it leads; links are not made here.
    Link(String),
    /// Something that was not taken, and why.
    Left(String),
}

/// A file that is being taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Where it is, in the folder of the rescue.
    pub file: String,
    /// Its size in bytes, as the robot says.
    pub size: u64,
    /// When it was changed last on the robot: seconds since 1970.
    pub modified: i64,
}

/// A file that was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// Where it is, in the folder of the rescue.
    pub file: String,
    /// Its size in bytes.
    pub size: u64,
    /// When it was changed last on the robot: seconds since 1970.
    pub modified: i64,
    /// Its permissions on the robot.
    pub mode: u32,
    /// Of its bytes.
    pub sha256: Digest,
    /// What is remarkable about it: that it changed while it was read, that it was shorter than the robot said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

/// A manifest that grows.
#[derive(Debug)]
pub struct Manifest {
    file: File,
    items: BTreeMap<String, State>,
}

impl Manifest {
    /// Opens the manifest of a folder, or begins it.
    ///
    /// # Errors
    /// Why it cannot be read or written. A last line that was cut is dropped.
    pub fn open(folder: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(folder.join(FILE))?;
        let mut items = BTreeMap::new();
        let whole = read(&file, |item| drop(items.insert(item.path, item.state)))?;
        if whole != file.metadata()?.len() {
            file.set_len(whole)?;
        }
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, items })
    }

    /// Returns what became of each path.
    pub fn items(&self) -> &BTreeMap<String, State> {
        &self.items
    }

    /// Adds a line.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn add(&mut self, path: String, state: State) -> io::Result<()> {
        if self.items.get(&path) == Some(&state) {
            return Ok(());
        }
        let item = Item { path, state };
        let mut line = serde_json::to_vec(&item)?;
        if line.len() as u64 >= LONGEST {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a path is too long"));
        }
        line.push(b'\n');
        let end = self.file.metadata()?.len();
        if let Err(error) = self.file.write_all(&line) {
            // A disk that is full has taken a part of the line.
            let _ = self.file.set_len(end);
            return Err(error);
        }
        self.items.insert(item.path, item.state);
        Ok(())
    }
}

/// Reads what became of each path of a folder's rescue. A file that was taken, and could not be taken again later, is here
/// as it was: it counts as taken, with a remark.
///
/// # Errors
/// Why the manifest cannot be read.
pub fn of_folder(folder: &Path) -> io::Result<BTreeMap<String, State>> {
    let mut items = BTreeMap::new();
    let add = |Item { path, state }| {
        let state = match (items.remove(&path), state) {
            (Some(State::Taken(taken)), State::Left(why)) => {
                State::Taken(Taken { remark: Some(format!("it could not be taken again later: {why}")), ..taken })
            }
            (Some(State::Taken(taken)), State::Begun(_)) => {
                State::Taken(Taken { remark: Some("a later rescue was cut while it came again".to_owned()), ..taken })
            }
            (_, state) => state,
        };
        items.insert(path, state);
    };
    read(&File::open(folder.join(FILE))?, add)?;
    Ok(items)
}

/// Reads the items, and returns how many bytes are whole lines.
fn read(file: &File, mut add: impl FnMut(Item)) -> io::Result<u64> {
    let (mut reader, mut whole) = (BufReader::new(file), 0);
    for number in 1.. {
        let mut line = Vec::new();
        reader.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if !line.ends_with(b"\n") {
            if line.len() as u64 == LONGEST {
                return Err(bad(number, "it is too long"));
            }
            break;
        }
        add(serde_json::from_slice(&line).map_err(|error| bad(number, &error.to_string()))?);
        whole += line.len() as u64;
    }
    Ok(whole)
}

fn bad(line: u64, why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("{FILE}:{line}: not a line of a rescue: {why}"))
}
