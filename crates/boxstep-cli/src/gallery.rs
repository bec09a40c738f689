//! What can be played below a folder, and what plays: each in a process of its own, as `boxstep play --view` has it.

mod found;

use crate::Program;
use crate::children::Runs;
use crate::failure::{Failure, plain};
use boxstep_view::{Entry, Findings, Gallery, Listing};
use found::Thing;
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All of it.
pub(crate) struct Wall {
    folder: PathBuf,
    /// What it can be played on beside the simulated one.
    robots: Vec<String>,
    program: Program,
    seen: Mutex<Seen>,
    runs: Runs,
}

/// What has been found.
#[derive(Default)]
struct Seen {
    reading: bool,
    /// Everything that was ever there.
    things: Vec<Thing>,
    /// What is there now, in order.
    now: Vec<usize>,
    /// By file.
    findings: HashMap<PathBuf, Findings>,
    checked: bool,
}

impl Wall {
    /// Begins to look into a folder.
    pub(crate) fn of(folder: &Path, at: IpAddr, robots: Vec<String>, program: &Program) -> Result<Arc<Self>, Failure> {
        let folder = folder.canonicalize().map_err(|e| Failure::io(folder, &e))?;
        if !folder.is_dir() {
            return Err(Failure::File(
                folder,
                "it is no folder; to see one behavior: boxstep play FILE --view".to_owned(),
            ));
        }
        let runs = Runs::new(program.clone(), at);
        let wall = Arc::new(Self { folder, robots, program: program.clone(), seen: Mutex::default(), runs });
        wall.clone().look();
        Ok(wall)
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks into the folder, on a thread of its own; not twice at a time.
    fn look(self: Arc<Self>) {
        if std::mem::replace(&mut self.seen().reading, true) {
            return;
        }
        let wall = self.clone();
        let looks = move || {
            let found = found::below(&wall.folder);
            let mut seen = wall.seen();
            seen.hang(found);
            seen.reading = false;
            drop(seen);
            // What is wrong with them takes longer, because scripts are read by a Python.
            if let Ok(findings) = found::findings(&wall.folder, &wall.program) {
                let mut seen = wall.seen();
                seen.findings = findings;
                seen.checked = true;
            }
        };
        if std::thread::Builder::new().name("gallery".to_owned()).spawn(looks).is_err() {
            self.seen().reading = false;
        }
    }

    /// Ends what plays.
    pub(crate) fn end(&self) {
        self.runs.end();
    }
}

impl Seen {
    fn hang(&mut self, found: Vec<Thing>) {
        self.now.clear();
        for thing in found {
            let known = self.things.iter().position(|known| known.is(&thing));
            let number = match known {
                Some(number) => {
                    self.things[number] = thing;
                    number
                }
                None => {
                    self.things.push(thing);
                    self.things.len() - 1
                }
            };
            self.now.push(number);
        }
    }

    fn entry(&self, number: usize) -> Entry {
        let thing = &self.things[number];
        let findings = self.findings.get(&thing.path).cloned();
        Entry {
            entry: number,
            findings: findings.or_else(|| self.checked.then(Findings::default)),
            ..thing.entry.clone()
        }
    }
}

impl Gallery for Wall {
    fn listing(&self) -> Listing {
        let seen = self.seen();
        let entries = seen.now.iter().map(|number| seen.entry(*number)).collect();
        let reading = seen.reading;
        drop(seen);
        let title = self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy().into_owned();
        let (robot, robots) = (self.robots.first().cloned(), self.robots.clone());
        Listing { title, robot, robots, reading, entries, runs: self.runs.all() }
    }

    fn picture(&self, entry: usize) -> Option<String> {
        let drawn = self.seen().things.get(entry)?.drawing.clone()?;
        Some(drawn.svg())
    }

    fn play(&self, entry: usize, robot: Option<&str>) -> Result<u64, String> {
        let what = self.seen().things.get(entry).map(|thing| (thing.asked.clone(), thing.entry.why.clone()));
        let (asked, unreadable) = what.ok_or("there is nothing of this number")?;
        if let Some(why) = unreadable {
            return Err(why);
        }
        self.runs.begin(entry, &asked, robot).map_err(|e| format!("it cannot be played: {}", plain(&e)))
    }

    fn stop(&self, run: u64) -> Result<(), String> {
        self.runs.stop(run)
    }

    fn again(self: Arc<Self>) {
        self.look();
    }
}
