//! What has happened in a performance, in words.

use super::{merged, recorded};
use crate::failure::Failure;
use boxstep_fleet::leader::{Entry, Event};
use boxstep_fleet::message::Phase;
#[cfg(feature = "fleet")]
use boxstep_fleet::message::{MemberState, Status};
use boxstep_fleet::show::Show;
use boxstep_types::printable_line;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The name of the account in the folder of a recorded show.
pub(super) const ACCOUNT: &str = "account.jsonl";

/// Returns the names of the robots of a show as those of files, without an extension: no two are the same, also where
/// capitals do not count, and none is that of the account or of the recording of the whole show.
pub(super) fn file_names(show: &Show) -> Vec<String> {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let mut taken: HashSet<String> = HashSet::from(["account".to_owned(), "show".to_owned()]);
    let mut unique = |robot: &str| {
        let name: String = robot.chars().map(plain).collect();
        let numbered = (2u32..).map(|number| format!("{name}-{number}"));
        let mut free = std::iter::once(name.clone()).chain(numbered);
        free.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default()
    };
    show.robots.iter().map(|role| unique(&role.name)).collect()
}

/// Returns the file of a trace in the folder of a recorded show. A robot has several if its process was started again, or
/// its connection was lost; the first has the number 1.
pub(super) fn trace_file(folder: &Path, name: &str, number: usize) -> PathBuf {
    // No name has a dot.
    folder.join(if number == 1 { format!("{name}.jsonl") } else { format!("{name}.{number}.jsonl") })
}

/// Checks, before a show begins, that its recording may be in a folder: the recording of another show is kept.
pub(super) fn may_record(folder: &Path, show: &Show) -> Result<(), Failure> {
    match recorded::show_of(folder)? {
        Some(other) if other.name != show.name => Err(Failure::Usage(format!(
            "{} has the recording of another show, “{}”: name another folder, or remove it",
            folder.display(),
            printable_line(&other.name)
        ))),
        _ => Ok(()),
    }
}

/// Makes room for the recording of a show: removes the traces of the recording that it replaces, so that none of them
/// is taken for one of this show.
pub(super) fn clear(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
    let Some(before) = recorded::show_of(folder)? else { return Ok(()) };
    let whole = folder.join(merged::SHOW);
    match fs::remove_file(&whole) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(Failure::io(&whole, &why)),
        _ => {}
    }
    for name in file_names(&before) {
        for number in 1.. {
            let file = trace_file(folder, &name, number);
            match fs::remove_file(&file) {
                Ok(()) => {}
                Err(why) if why.kind() == io::ErrorKind::NotFound => break,
                Err(why) => return Err(Failure::io(&file, &why)),
            }
        }
    }
    Ok(())
}

/// Writes the account of a show into the folder of its recording.
pub(super) fn write_account(folder: &Path, show: &Show, account: &[Entry]) -> Result<(), Failure> {
    let path = folder.join(ACCOUNT);
    fs::write(&path, lines(show, account)?).map_err(|e| Failure::io(&path, &e))
}

/// Returns the account as JSON: a line for the show, and one for each entry.
fn lines(show: &Show, account: &[Entry]) -> Result<String, Failure> {
    let written = |e: serde_json::Error| Failure::Run(e.to_string());
    let mut lines = serde_json::to_string(show).map_err(written)? + "\n";
    for entry in account {
        lines += &serde_json::to_string(entry).map_err(written)?;
        lines.push('\n');
    }
    Ok(lines)
}

/// Returns the name of a scene.
pub(super) fn scene_name(show: &Show, scene: u32) -> &str {
    show.scenes.get(scene as usize).map_or("", |scene| scene.name.as_str())
}

/// Returns a line of the account.
pub(super) fn line(show: &Show, entry: &Entry) -> String {
    let who = entry.robot.and_then(|robot| show.robots.get(robot)).map(|role| format!("{}: ", role.name));
    let what = format!("{}{}", who.unwrap_or_default(), what(show, entry));
    format!("{:8.1} s  {}", entry.at, printable_line(&what))
}

/// Returns what has happened, without the robot.
pub(super) fn what(show: &Show, entry: &Entry) -> String {
    let robot = |robot: usize| show.robots.get(robot).map_or("", |role| role.name.as_str());
    let scene = |scene: u32| scene_name(show, scene);
    match &entry.event {
        Event::Joined => "is there".to_owned(),
        Event::Armed => "is armed".to_owned(),
        Event::Refused { reasons } => format!("cannot take part: {}", reasons.join("; ")),
        Event::Lost => "is lost".to_owned(),
        Event::Back => "is back".to_owned(),
        Event::Scene { scene: of, .. } => format!("the scene “{}” is announced", scene(*of)),
        Event::Started { scene: of } => format!("plays “{}”", scene(*of)),
        Event::Ended { scene: of } => format!("has ended “{}”", scene(*of)),
        Event::Cue { cue } => {
            let to = show.cues.get(*cue as usize).map_or(&[][..], |cue| &cue.to);
            format!("gives a signal to {}", to.iter().map(|to| robot(*to)).collect::<Vec<_>>().join(", "))
        }
        Event::Trouble { text } => text.clone(),
        Event::Held { why } => match entry.robot {
            Some(_) => format!("holds: {why}"),
            None => format!("the show holds: {why}"),
        },
        Event::Stopped { by } => match entry.robot {
            Some(_) => format!("was stopped by {by}"),
            None => format!("everything was stopped by {by}"),
        },
        Event::CalledOff { reasons } => format!("called off: {}", reasons.join("; ")),
        Event::Over => "the show is over".to_owned(),
    }
}

/// Returns how the performance ended, if it did not come to its end.
pub(super) fn failure(phase: &Phase) -> Option<String> {
    match phase {
        Phase::Over => None,
        Phase::CalledOff { reasons } => Some(format!("the show was called off:\n  {}", reasons.join("\n  "))),
        Phase::Stopped { by } => Some(format!("the show was stopped by {by}")),
        Phase::Preparing => Some("the show did not begin".to_owned()),
        Phase::Playing => Some("the show has not come to its end".to_owned()),
        Phase::Holding { why } => Some(format!("the show has not come to its end: it {why}")),
    }
}

/// Returns what a robot is doing, with its name and its clock.
#[cfg(feature = "fleet")]
pub(super) fn state(status: &Status) -> String {
    let clock = status.clock.map(|clock| format!(", clock ± {:.1} ms", clock.error * 1e3)).unwrap_or_default();
    format!("{}: {}{clock}", status.info.name, doing(status, None))
}

/// Returns what a robot is doing. Scenes are named if their show is known.
#[cfg(feature = "fleet")]
pub(super) fn doing(status: &Status, show: Option<&Show>) -> String {
    match &status.state {
        MemberState::Free => "is free".to_owned(),
        MemberState::Fetching { have, of } => format!("has {have} of {of} bytes of its files"),
        MemberState::Preparing => "prepares".to_owned(),
        MemberState::Armed => "is armed".to_owned(),
        MemberState::Playing => match (show, status.started) {
            (Some(show), Some(scene)) => format!("plays “{}”", scene_name(show, scene)),
            (_, started) => format!("plays scene {}", started.map_or(1, |scene| scene.saturating_add(1))),
        },
        MemberState::Waiting => "waits for the next scene".to_owned(),
        MemberState::Holding { why } => format!("holds: {why}"),
        MemberState::Stopped { by } => format!("was stopped by {by}"),
        MemberState::Refused { reasons } => format!("cannot take part: {}", reasons.join("; ")),
    }
}
