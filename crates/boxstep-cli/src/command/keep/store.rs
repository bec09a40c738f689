//! The lines that are kept of a robot: a file of its own, with a line for each day.

use super::day::Day;
use crate::failure::Failure;
use boxstep_rescue::name;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// The ending of the files.
const ENDING: &str = "jsonl";

/// The lines of a robot.
pub(super) struct Kept {
    path: PathBuf,
    /// The lines of the file, with their ends, and the day of each that has one; what is no day stays as it is.
    lines: Vec<(Vec<u8>, Option<Day>)>,
}

/// Waits until no other `keep` writes to the folder, and returns what keeps others waiting: two that run at the same time
/// would each replace the other's page.
pub(super) fn alone(folder: &Path) -> Result<Option<File>, Failure> {
    let path = folder.join(".lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| Failure::unwritten(&path, &error))?;
    // Some file systems of networks have no locks.
    Ok(file.lock().is_ok().then_some(file))
}

impl Kept {
    /// Reads what is kept of a robot, which may be nothing.
    pub(super) fn read(folder: &Path, robot: &str) -> Result<Kept, Failure> {
        Self::of(folder.join(format!("{}.{ENDING}", name::local(robot.as_bytes()))))
    }

    fn of(path: PathBuf) -> Result<Kept, Failure> {
        let bytes = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            read => read.map_err(|error| Failure::io(&path, &error))?,
        };
        let day = |line: &[u8]| serde_json::from_slice(line).ok().filter(|day: &Day| day.number().is_some());
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| (line.to_vec(), day(line)));
        Ok(Kept { path, lines: lines.collect() })
    }

    /// Reads what is kept of all robots, in the order of their names; without the files that cannot be read.
    pub(super) fn all(folder: &Path) -> Result<Vec<Kept>, Failure> {
        let failed = |error: io::Error| Failure::io(folder, &error);
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
        paths.sort();
        Ok(paths.into_iter().filter_map(|path| Kept::of(path).ok()).collect())
    }

    /// Returns all days, from the first to the last.
    pub(super) fn days(&self) -> Vec<Day> {
        let mut days: Vec<Day> = self.lines.iter().filter_map(|(_, day)| day.clone()).collect();
        days.sort_by_key(Day::number);
        days
    }

    /// Returns the days before this one.
    pub(super) fn before(&self, now: &Day) -> Vec<Day> {
        let mut days = self.days();
        days.retain(|day| day.number() < now.number());
        days
    }

    /// Adds a day, or what is new of it; returns whether anything is. A robot that was there today and is off now, or says
    /// less, keeps what it said.
    pub(super) fn add(&mut self, mut now: Day) -> Result<bool, Failure> {
        let same = |(_, day): &&mut (Vec<u8>, Option<Day>)| day.as_ref().is_some_and(|day| day.day == now.day);
        let known = match self.lines.iter_mut().find(same) {
            Some((_, Some(before))) if before.off.is_none() && now.off.is_some() => return Ok(false),
            Some(known) => known,
            None => {
                if let Some((line, _)) = self.lines.last_mut().filter(|(line, _)| !line.ends_with(b"\n")) {
                    line.push(b'\n');
                }
                self.lines.push((Vec::new(), None));
                let last = self.lines.len() - 1;
                &mut self.lines[last]
            }
        };
        if let Some(before) = known.1.take() {
            now.keep(before);
        }
        let mut line = serde_json::to_vec(&now).map_err(|error| Failure::Run(error.to_string()))?;
        line.push(b'\n');
        *known = (line, Some(now));
        Ok(true)
    }

    /// Writes the file.
    pub(super) fn write(&self) -> Result<(), Failure> {
        put(&self.path, &self.lines.iter().flat_map(|(line, _)| line).copied().collect::<Vec<u8>>())
    }
}

/// Replaces a file, whole.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    boxstep_format::output::write_file(path, bytes, true).map_err(|error| Failure::unwritten(path, &error))
}
