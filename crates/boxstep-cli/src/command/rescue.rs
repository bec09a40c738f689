//! `boxstep rescue`

pub(crate) mod files;
mod page;
pub(crate) mod report;
mod tried;

use crate::args::RescueArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::robot_way::Way;
use crate::{Program, exit, output, robot_link};
use boxstep_rescue::copy::Summary;
use boxstep_robot::naoqi::inventory::{self, Subject};
use boxstep_types::{Value, printable_line};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// What a rescue has learned, beside the manifest of its files: the file `rescue.json`.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Rescue {
    /// The version of Boxstep.
    boxstep: String,
    /// Where it came from, as the user named it.
    from: String,
    /// When it was made last: seconds since 1970.
    at: u64,
    /// What the robot says of itself: how many answers there are about each subject.
    subjects: Vec<(String, usize)>,
    /// What was not taken, and why; files that were left are in the manifest.
    left: Vec<String>,
    /// All files have come.
    whole: bool,
    /// Whether scripts ran when that was tried.
    scripts: bool,
    /// What plays in simulation.
    tried: Vec<tried::Tried>,
}

/// The file of a [`Rescue`].
pub(crate) const FILE: &str = "rescue.json";

/// Brings home what a robot holds, tries it, and writes a page about it.
pub(crate) fn run(args: &RescueArgs, program: &Program) -> Result<i32, Failure> {
    if args.report {
        return report::print(&args.folder);
    }
    let is_new = !args.folder.exists();
    let taken = take(args, program);
    if is_new && taken.is_err() {
        // It stays if something has come.
        let _ = fs::remove_dir(&args.folder);
    }
    taken
}

fn take(args: &RescueArgs, program: &Program) -> Result<i32, Failure> {
    let interrupt = Interrupt::new()?;
    boxstep_rescue::copy::private(&args.folder).map_err(|e| Failure::unwritten(&args.folder, &e))?;
    let mut rescue = Rescue { boxstep: env!("CARGO_PKG_VERSION").to_owned(), at: now(), ..Rescue::default() };
    let taken = match &args.from {
        Some(disk) => {
            let disk = &fs::canonicalize(disk).map_err(|e| Failure::io(disk, &e))?;
            if fs::canonicalize(&args.folder).is_ok_and(|into| into.starts_with(disk)) {
                let why = "it is inside of the disk that is read: name a folder elsewhere".to_owned();
                return Err(Failure::File(args.folder.clone(), why));
            }
            rescue.from = disk.display().to_string();
            is_for(&args.folder, &rescue.from)?;
            files::of_disk(disk, &args.folder, &mut rescue.left, &interrupt)
        }
        None => of_robot(args, &mut rescue, &interrupt),
    };
    let interrupted = || interrupt.has_come().then_some(Failure::Interrupted);
    let (summary, failure) = match taken {
        Ok(summary) => (Some(summary), None),
        Err(_) if interrupt.has_come() => return Err(going_on(args, &Failure::Interrupted)),
        // What has come until then is tried all the same.
        Err(failure @ Failure::Run(_)) if has_come(&args.folder) || !rescue.subjects.is_empty() => {
            rescue.left.push(failure.to_string());
            (None, Some(failure))
        }
        Err(failure) => return Err(with_the_rest(&rescue, failure)),
    };
    rescue.whole = summary.is_some();
    let drawn = tried::all(&args.folder, args.scripts, program, &interrupt)?;
    if let Some(failure) = interrupted() {
        return Err(going_on(args, &failure));
    }
    (rescue.tried, rescue.scripts) = (drawn, args.scripts);
    let json = serde_json::to_vec_pretty(&rescue).map_err(|e| Failure::Run(e.to_string()))?;
    put(&args.folder.join(FILE), &json)?;
    page::write(&args.folder, &rescue)?;
    tell(args, &rescue, summary.as_ref())?;
    match failure {
        Some(failure) => Err(going_on(args, &failure)),
        None => Ok(exit::OK),
    }
}

/// Adds what else has failed: neither may hide the other.
fn with_the_rest(rescue: &Rescue, failure: Failure) -> Failure {
    match failure {
        Failure::Run(why) => Failure::Run(rescue.left.iter().fold(why, |words, left| format!("{words}\n{left}"))),
        other => other,
    }
}

/// Checks that the folder is empty, or has what came from there, and notes it: a robot's files must not mix with others.
fn is_for(folder: &Path, from: &str) -> Result<(), Failure> {
    let note = folder.join(FILE);
    let before = fs::read(&note).ok().and_then(|text| serde_json::from_slice::<Rescue>(&text).ok());
    match before {
        Some(before) if before.from == from || !has_come(folder) => return Ok(()),
        Some(before) => {
            let words = format!(
                "it has what came from {0}; take another folder for {from}. If it is the same robot, write {from} in place of {0} as \"from\" in its {FILE}",
                before.from
            );
            return Err(Failure::File(folder.to_owned(), words));
        }
        None => {}
    }
    if fs::read_dir(folder).map_err(|e| Failure::io(folder, &e))?.next().is_some() {
        let words = "it has files that no rescue has put there; take an empty folder, or a new one";
        return Err(Failure::File(folder.to_owned(), words.to_owned()));
    }
    let begun =
        Rescue { boxstep: env!("CARGO_PKG_VERSION").to_owned(), from: from.to_owned(), at: now(), ..Rescue::default() };
    put(&note, &serde_json::to_vec_pretty(&begun).map_err(|e| Failure::Run(e.to_string()))?)
}

/// Returns whether all files of a rescue have come.
pub(crate) fn is_whole(folder: &Path) -> bool {
    let read = fs::read(folder.join(FILE)).ok().and_then(|text| serde_json::from_slice::<Rescue>(&text).ok());
    read.is_some_and(|rescue| rescue.whole)
}

fn has_come(folder: &Path) -> bool {
    fs::metadata(folder.join(boxstep_rescue::manifest::FILE)).is_ok_and(|metadata| metadata.len() > 0)
}

fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map(|since| since.as_secs()).unwrap_or_default()
}

/// Says how a rescue goes on that did not come to its end.
fn going_on(args: &RescueArgs, failure: &Failure) -> Failure {
    let again = format!("what has come is in {}; give the same command again to go on", args.folder.display());
    match failure {
        Failure::Interrupted => {
            let _ = writeln!(crate::terminal::stderr(), "{again}");
            Failure::Interrupted
        }
        failure => Failure::Run(format!("{failure}\n{again}")),
    }
}

/// Replaces a file, whole.
fn put(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    boxstep_format::output::write_file(path, bytes, true).map_err(|e| Failure::unwritten(path, &e))
}

/// Takes what the robot says of itself, and its files.
fn of_robot(args: &RescueArgs, rescue: &mut Rescue, interrupt: &Interrupt) -> Result<Summary, Failure> {
    let way = match robot_link::connect(args.of.robot.as_deref(), &args.of.access, |options| options) {
        Ok(link) => {
            rescue.from.clone_from(&link.name);
            is_for(&args.folder, &rescue.from)?;
            says(&link, &args.folder, rescue, interrupt)?;
            Way::to(&args.of, &link)?
        }
        Err(failure @ Failure::Usage(_)) if args.of.ssh.ssh.is_none() => return Err(failure),
        // A robot whose NAOqi does not start any more still has its files.
        Err(failure) => {
            rescue.left.push(format!("what the robot says of itself: {failure}"));
            let (name, host) = robot_link::named(args.of.robot.as_deref())?.unzip();
            rescue.from = name.or_else(|| args.of.ssh.ssh.clone()).unwrap_or_default();
            is_for(&args.folder, &rescue.from)?;
            Way::Ssh(args.of.ssh.reach(&args.of.access, host.as_deref())?)
        }
    };
    if interrupt.has_come() {
        return Err(Failure::Interrupted);
    }
    files::of_robot(args, &way, interrupt)
}

/// Writes down what a robot says of itself.
fn says(link: &robot_link::Link, folder: &Path, rescue: &mut Rescue, interrupt: &Interrupt) -> Result<(), Failure> {
    let into = folder.join("robot");
    fs::create_dir_all(&into).map_err(|e| Failure::unwritten(&into, &e))?;
    let progress = Progress::growing(true);
    let mut unwritten = None;
    inventory::inventory(&link.session, &mut |subject: Subject| {
        progress.doing(&format!("{}: {}", link.name, subject.name));
        rescue.left.extend(subject.left.iter().map(|why| printable_line(why).into_owned()));
        if !subject.answers.is_empty() {
            rescue.subjects.push((subject.name.to_owned(), subject.answers.len()));
            let answers = Value::map(subject.answers.iter().map(|(key, value)| (key.as_str(), value.clone())));
            let text = serde_json::to_vec_pretty(&answers).unwrap_or_default();
            unwritten = put(&into.join(format!("{}.json", subject.name)), &text).err();
        }
        unwritten.is_none() && !interrupt.has_come()
    });
    unwritten.map_or(Ok(()), Err)
}

/// Prints what has come, and what works.
fn tell(args: &RescueArgs, rescue: &Rescue, summary: Option<&Summary>) -> Result<(), Failure> {
    let mut out = output::stdout();
    if let Some(summary) = summary {
        let before = if summary.before > 0 { format!(", {} of them before", summary.before) } else { String::new() };
        let size = indicatif::HumanBytes(summary.bytes);
        writeln!(out, "{} files, {size}{before}; {} links; {} left", summary.files, summary.links, summary.left)?;
        for place in &summary.places {
            writeln!(out, "  {:<16} {} ({})", place.folder, place.what, place.path.text())?;
        }
    }
    for why in &rescue.left {
        writeln!(out, "  not taken: {}", printable_line(why))?;
    }
    let works = rescue.tried.iter().filter(|tried| tried.works()).count();
    let how = if args.scripts { "play" } else { "play without their scripts" };
    writeln!(out, "{works} of {} behaviors and dialogs {how} in simulation", rescue.tried.len())?;
    writeln!(out, "{}", args.folder.join(page::FILE).display())?;
    out.flush()?;
    Ok(())
}
