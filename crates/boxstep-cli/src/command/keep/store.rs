//! The lines that are kept of a robot: a file of its own, with a line for each day.

use super::day::Day;
use crate::failure::Failure;
use boxstep_rescue::name;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The ending of the files.
const ENDING: &str = "jsonl";

/// The lines of a robot.
pub(super) struct Kept {
    path: PathBuf,
    /// The lines of the file, and the day of each that has one; what is no day stays as it is.
    lines: Vec<(String, Option<Day>)>,
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
        let text = String::from_utf8_lossy(&bytes);
        let day = |line: &str| serde_json::from_str(line).ok().filter(|day: &Day| day.number().is_some());
        let lines = text.lines().filter(|line| !line.is_empty()).map(|line| (line.to_owned(), day(line)));
        Ok(Kept { path, lines: lines.collect() })
    }

    /// Reads what is kept of all robots, in the order of their names.
    pub(super) fn all(folder: &Path) -> Result<Vec<Kept>, Failure> {
        let failed = |error: io::Error| Failure::io(folder, &error);
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(failed)? {
            paths.push(entry.map_err(failed)?.path());
        }
        paths.retain(|path| path.extension().is_some_and(|ending| ending == ENDING));
        paths.sort();
        paths.into_iter().map(Kept::of).collect()
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

    /// Adds a day, or replaces what is known of it; returns whether anything is new. A robot that was there today and is off
    /// now keeps what it said.
    pub(super) fn add(&mut self, now: Day) -> Result<bool, Failure> {
        let line = serde_json::to_string(&now).map_err(|error| Failure::Run(error.to_string()))?;
        let same = |(_, day): &&mut (String, Option<Day>)| day.as_ref().is_some_and(|day| day.day == now.day);
        match self.lines.iter_mut().find(same) {
            Some((_, Some(before))) if before.off.is_none() && now.off.is_some() => return Ok(false),
            Some(known) => *known = (line, Some(now)),
            None => self.lines.push((line, Some(now))),
        }
        Ok(true)
    }

    /// Writes the file.
    pub(super) fn write(&self) -> Result<(), Failure> {
        let text: String = self.lines.iter().map(|(line, _)| format!("{line}\n")).collect();
        put(&self.path, text.as_bytes())
    }
}

/// Replaces a file, whole.
pub(super) fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    boxstep_format::output::write_file(path, bytes, true).map_err(|error| Failure::unwritten(path, &error))
}
