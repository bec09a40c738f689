//! Everything that was brought home, checked and played in simulation.

use crate::Program;
use crate::failure::Failure;
use crate::gallery::{self, GalleryItem};
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use boxstep_types::printable_line;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long each plays: virtual seconds, and on the clock.
const PLAYS: &str = "60";
const PATIENCE: Duration = Duration::from_secs(60);
/// The folder of the drawings.
pub(super) const DRAWINGS: &str = "drawings";

/// Something that plays, or does not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Tried {
    /// Its name.
    pub(super) name: String,
    /// Its file, in the folder of the rescue.
    pub(super) file: String,
    /// What it is: a behavior, a dialog, a character, or unreadable.
    pub(super) kind: String,
    /// How many boxes it has.
    pub(super) boxes: usize,
    /// Its drawing, in the folder of the rescue.
    pub(super) drawing: Option<String>,
    /// Errors and warnings that `check` finds.
    pub(super) errors: usize,
    pub(super) warnings: usize,
    /// The first of them.
    pub(super) findings: Vec<String>,
    /// The exit code of its play; none if it did not end in time.
    pub(super) code: Option<i32>,
    /// Why it does not play.
    pub(super) why: Option<String>,
}

impl Tried {
    pub(super) fn works(&self) -> bool {
        self.code == Some(0)
    }
}

/// Draws, checks and plays all that is in the folder.
pub(super) fn all(
    folder: &Path,
    scripts: bool,
    program: &Program,
    interrupt: &Interrupt,
) -> Result<Vec<Tried>, Failure> {
    let findings = gallery::findings(folder, program)?;
    let items = gallery::below(folder);
    let progress = Progress::new(items.len());
    let drawings = folder.join(DRAWINGS);
    fs::create_dir_all(&drawings).map_err(|e| Failure::unwritten(&drawings, &e))?;
    let (next, tried) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let one = |item: &GalleryItem, number: usize| {
        let entry = &item.entry;
        let found = findings.get(&item.path);
        let mut tried = Tried {
            name: entry.name.clone(),
            file: entry.file.clone(),
            kind: entry.kind.to_owned(),
            boxes: entry.boxes,
            drawing: None,
            errors: found.map_or(0, |found| found.errors),
            warnings: found.map_or(0, |found| found.warnings),
            findings: found.map(|found| found.first.clone()).unwrap_or_default(),
            code: None,
            why: entry.why.clone(),
        };
        if let Some(svg) = item.svg() {
            let name = format!("{number}.svg");
            if super::put(&drawings.join(&name), svg.as_bytes()).is_ok() {
                tried.drawing = Some(format!("{DRAWINGS}/{name}"));
            }
        }
        if tried.why.is_none() {
            (tried.code, tried.why) = play(item, scripts, program, interrupt);
        }
        tried
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(number).filter(|_| !interrupt.has_come()) else { return };
                    progress.doing(&item.entry.file);
                    let done = one(item, number);
                    tried.lock().unwrap_or_else(PoisonError::into_inner).push((number, done));
                    progress.done();
                }
            });
        }
    });
    let mut tried = tried.into_inner().unwrap_or_else(PoisonError::into_inner);
    tried.sort_by_key(|(number, _)| *number);
    Ok(tried.into_iter().map(|(_, tried)| tried).collect())
}

/// Plays one in a process of its own. Returns its exit code, and why it has failed.
fn play(item: &GalleryItem, scripts: bool, program: &Program, interrupt: &Interrupt) -> (Option<i32>, Option<String>) {
    const GLANCE: Duration = Duration::from_millis(20);
    /// How much of what it says is read, in bytes.
    const SAID: u64 = 1 << 16;
    let mut command = program.command();
    command.arg("play").args(&item.asked).args(["--virtual-time", "--for", PLAYS, "--quiet"]);
    command.args(if scripts { ["--scripts", "process"] } else { ["--scripts", "off"] });
    command.env_remove(crate::robot_address::VARIABLE).env_remove(crate::robot_address::PASSWORD);
    let said = match tempfile::tempfile().and_then(|said| Ok((said.try_clone()?, said))) {
        Ok((writes, reads)) => {
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(writes);
            reads
        }
        Err(error) => return (None, Some(error.to_string())),
    };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return (None, Some(error.to_string())),
    };
    let began = Instant::now();
    let code = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status.code()),
            Ok(None) if began.elapsed() < PATIENCE && !interrupt.has_come() => interrupt.wait(GLANCE),
            Ok(None) => break Err("it did not come to an end".to_owned()),
            Err(error) => break Err(error.to_string()),
        }
    };
    if code.is_err() {
        let _ = child.kill();
        let _ = child.wait();
    }
    let mut text = Vec::new();
    let mut reader = said;
    let _ = std::io::Seek::rewind(&mut reader);
    let _ = reader.take(SAID).read_to_end(&mut text);
    let text = anstream::adapter::strip_str(&String::from_utf8_lossy(&text)).to_string();
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    match code {
        Ok(Some(0)) => (Some(0), None),
        Ok(code) => (
            code,
            Some(line.map_or_else(
                || "it cannot be played: its findings say why".to_owned(),
                |l| printable_line(l).into_owned(),
            )),
        ),
        Err(why) => (None, Some(why)),
    }
}
