//! The recording of a whole show: `show.jsonl` beside those of its robots.

use super::{recorded, report};
use crate::failure::Failure;
use boxstep_engine::trace::{EndReason, ShowEvent};
use boxstep_fleet::leader::{Entry, Event};
use boxstep_fleet::show::Show;
use boxstep_format::output::write_file_with;
use boxstep_record::show::{Account, AccountEntry, Merged, MergedPart, PartFile, ShowError, merge};
use boxstep_types::{Time, Value, printable_line};
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// The name of the recording of a whole show, in the folder with those of its robots.
pub(crate) const SHOW: &str = "show.jsonl";

/// Puts the recordings in a folder together, once they are all there, and says what is missing. What cannot be put
/// together stays as it is.
pub(super) fn write(folder: &Path) -> Result<(), Failure> {
    match put_together(folder, &folder.join(SHOW), true) {
        Ok(merged) => tell(&merged),
        Err(failure @ Failure::Run(_)) => return Err(failure),
        Err(failure) => {
            // A closed standard error is ignored.
            let _ = writeln!(crate::terminal::stderr(), "no {SHOW} is written: {failure}");
        }
    }
    Ok(())
}

/// Puts the recordings in the folder of a show together.
pub(crate) fn put_together(folder: &Path, output: &Path, force: bool) -> Result<Merged, Failure> {
    let account = recorded::account_of(folder)?;
    let paths = match &account {
        Some((show, ..)) => of_account(folder, show),
        None => all(folder, output).map_err(|why| Failure::io(folder, &why))?,
    };
    let file = |path: PathBuf| PartFile {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        open: Box::new(move || boxstep_record::open(&path)),
    };
    let files: Vec<PartFile> = paths.into_iter().map(file).collect();
    let account = account.map(|(show, entries, _)| of_leader(&show, &entries)).transpose()?;
    let written = write_file_with(output, force, |out| merge(&files, account.as_ref(), BufWriter::new(out)));
    written.map_err(|why| match why {
        ShowError::Write(why) => Failure::unwritten(output, &why),
        other => Failure::File(folder.to_owned(), printable_lines(&other.to_string())),
    })
}

/// Returns the recordings that an account names and that are there.
fn of_account(folder: &Path, show: &Show) -> Vec<PathBuf> {
    let of = |name: &String| {
        let files = (1..).map(|number| report::trace_file(folder, name, number));
        files.take_while(|path| path.is_file()).collect::<Vec<_>>()
    };
    report::file_names(show).iter().flat_map(of).collect()
}

/// Returns all recordings in a folder.
fn all(folder: &Path, output: &Path) -> std::io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<Result<Vec<_>, _>>()?;
    let is_one = |path: &PathBuf| path.is_file() && path != output && boxstep_record::is_recording(path);
    paths.retain(|path| is_one(path) && path.file_name().is_none_or(|name| name != SHOW));
    paths.sort();
    Ok(paths)
}

/// Returns the account as recordings have it.
fn of_leader(show: &Show, entries: &[Entry]) -> Result<Account, Failure> {
    let failed = |why: serde_json::Error| Failure::Run(why.to_string());
    let value = |text: String| serde_json::from_str::<Value>(&text).map_err(failed);
    let entry = |entry: &Entry| {
        let scene = match entry.event {
            Event::Scene { scene, .. } => Some(report::scene_name(show, scene).into()),
            _ => None,
        };
        let text = report::what(show, entry).into();
        let of = value(serde_json::to_string(entry).map_err(failed)?)?;
        let event = ShowEvent::Account { scene, text, entry: of };
        Ok(AccountEntry { at: Time::from_secs_f64(entry.at), robot: entry.robot, event })
    };
    let end = |entry: &Entry| match entry.event {
        Event::Over => Some(EndReason::Ended),
        Event::Stopped { .. } if entry.robot.is_none() => Some(EndReason::Interrupted),
        Event::CalledOff { .. } => Some(EndReason::Failed),
        _ => None,
    };
    Ok(Account {
        name: show.name.clone(),
        robots: show.robots.iter().map(|role| role.name.clone()).collect(),
        show: value(serde_json::to_string(show).map_err(failed)?)?,
        entries: entries.iter().map(entry).collect::<Result<_, Failure>>()?,
        end: entries.iter().find_map(end),
    })
}

/// Says which recordings are missing, left out, or not whole.
pub(crate) fn tell(merged: &Merged) {
    let missing = merged.missing.iter().map(|robot| format!("{robot}: its recording is missing"));
    let left_out = merged.left_out.iter().map(|(file, why)| format!("{file} is left out: {why}"));
    let of = |part: &MergedPart| part.faults.iter().map(|fault| format!("{}: {fault}", part.file)).collect::<Vec<_>>();
    for line in missing.chain(left_out).chain(merged.parts.iter().flat_map(of)) {
        let _ = writeln!(crate::terminal::stderr(), "{}", printable_line(&line));
    }
}

/// Returns what was put together, in words.
pub(crate) fn listed(merged: &Merged) -> String {
    let mut robots: Vec<_> = merged.parts.iter().map(|part| &part.robot).collect();
    robots.dedup();
    let error = merged.parts.iter().map(|part| part.error).max().unwrap_or_default();
    format!("{} events of {} robots, times ± {:.1} ms", merged.events, robots.len(), error.0 as f64 / 1e6)
}

/// Returns the recording that a path means: of the folder of a recorded show, that of the whole show.
pub(crate) fn recording(path: &Path) -> PathBuf {
    let of_show = path.join(SHOW);
    if path.is_dir() && of_show.is_file() { of_show } else { path.to_owned() }
}

fn printable_lines(text: &str) -> String {
    text.lines().map(|line| printable_line(line).into_owned()).collect::<Vec<_>>().join("\n")
}
