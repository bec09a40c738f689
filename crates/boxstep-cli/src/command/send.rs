//! `boxstep send`: sends a behavior to another Boxstep.

#[cfg_attr(not(feature = "ros2"), path = "send/no_controller.rs")]
mod controller;
#[cfg(feature = "ros2")]
mod way;

use super::behaviors::Manager;
use crate::args::SendArgs;
use crate::failure::Failure;
use crate::{exit, files, open, output, robot_link, robot_word};
use anstyle::{AnsiColor, Style};
use boxstep_format::archive::{ArchiveKind, pack};
use boxstep_format::project::Behavior;
use boxstep_format::{Limits, Opened};
use boxstep_qi::{Error, Remote, Session, Value};
use boxstep_robot::serve::receive::{Installed, MOST, PIECE};
use boxstep_types::printable_line;
use std::io::Write as _;
use std::path::Path;

const YELLOW: Style = AnsiColor::Yellow.on_default();

/// Packs a behavior, sends it, and starts it there.
pub(crate) fn run(args: &SendArgs) -> Result<i32, Failure> {
    if let Some(controller) = &args.controller {
        return controller::run(args, controller);
    }
    let parcel = Parcel::pack(args)?;
    if let Some(word) = &args.host {
        robot_word::hint(word);
    }
    let robot = args.robot.as_deref().or(args.host.as_deref()).filter(|text| *text != "-");
    let link = robot_link::connect(robot, &args.access, |options| options)?;
    let host = &link.name;
    let boxstep = link.session.service("Boxstep").map_err(|e| no_boxstep(host, &link.session, &e))?;
    let installed = send(&boxstep, &parcel).map_err(|e| Failure::Run(format!("{host}: {}", printable_line(&e))))?;
    let mut out = output::stdout();
    let names: Vec<&str> = installed.behaviors.iter().map(|(_, name)| name.as_str()).collect();
    writeln!(out, "sent {} to {host}: {}", parcel.name, printable_line(&names.join(", ")))?;
    for finding in &installed.findings {
        writeln!(out, "{YELLOW}{}{YELLOW:#}", printable_line(finding))?;
    }
    let Some(folder) = parcel.start else {
        out.flush()?;
        return Ok(exit::OK);
    };
    // If only one behavior was sent, it is the one to start, whatever its folder.
    let wanted = match installed.behaviors.as_slice() {
        [only] => Some(only),
        several => several.iter().find(|(at, _)| *at == folder),
    };
    let (_, name) = wanted.ok_or_else(|| Failure::Run(format!("{host} has no behavior of {folder}")))?;
    let manager = Manager::with(host.clone(), link.session.clone())?;
    let shown_name = printable_line(name);
    if !args.wait {
        manager.call("startBehavior", &[name.as_str().into()])?;
        writeln!(out, "{shown_name} is started")?;
        out.flush()?;
        return Ok(exit::OK);
    }
    out.flush()?;
    drop(out);
    manager.call("runBehavior", &[name.as_str().into()])?;
    let mut out = output::stdout();
    writeln!(out, "{shown_name} has ended")?;
    out.flush()?;
    Ok(exit::OK)
}

/// The archive to send.
struct Parcel {
    name: String,
    archive: Vec<u8>,
    /// The folder in the project of the behavior to start.
    start: Option<String>,
}

impl Parcel {
    fn pack(args: &SendArgs) -> Result<Parcel, Failure> {
        let (file, opened) = (&args.file, open::project(&args.file)?);
        let start = if args.no_start { None } else { Some(open::choose(&opened, file, args.behavior.as_deref())?) };
        if opened.behaviors.is_empty() {
            return Err(Failure::File(file.clone(), "there is no behavior in it".to_owned()));
        }
        let start = start.map(|behavior| behavior.name.clone());
        let (name, archive) = match opened.archive() {
            Some(archive) if !open::is_stdin(file) => {
                (file_name(archive), std::fs::read(archive).map_err(|e| Failure::io(archive, &e))?)
            }
            _ => pack_project(file, opened)?,
        };
        if archive.len() as u64 > MOST {
            let why = format!("packed, it has {} bytes; {MOST} are the most that can be sent", archive.len());
            return Err(Failure::File(file.clone(), why));
        }
        Ok(Parcel { name, archive, start })
    }
}

/// Packs the project as `boxstep pack` does. A behavior of a project comes with the whole project, because it may use
/// its modules and files.
pub(crate) fn pack_project(file: &Path, opened: Opened) -> Result<(String, Vec<u8>), Failure> {
    let lists = |whole: &Opened, behavior: &Behavior| whole.behaviors.iter().any(|b| b.name == behavior.name);
    let whole = match opened.behaviors.as_slice() {
        [behavior] if opened.pml.is_some() || opened.manifest.is_some() => {
            let whole = boxstep_format::open(&opened.folder, &Limits::default()).ok();
            whole.filter(|whole| lists(whole, behavior))
        }
        _ => None,
    };
    let (file, opened) = match &whole {
        Some(whole) => (whole.folder.as_path(), whole),
        None => (file, &opened),
    };
    let entries = files::list(file, opened)?;
    let bytes = pack(ArchiveKind::Crg, &opened.name, &entries).map_err(|e| open::unreadable(&e))?;
    // The name must be a valid file name, whatever the project is called.
    let odd = |c: char| c.is_control() || matches!(c, '/' | '\\' | ':');
    let stem = opened.name.replace(odd, "-");
    let stem = stem.trim_start_matches('.');
    Ok((format!("{}.crg", if stem.is_empty() { "behavior" } else { stem }), bytes))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Sends the archive and returns what was installed.
///
/// # Errors
/// Why it was not installed.
fn send(boxstep: &Remote, parcel: &Parcel) -> Result<Installed, String> {
    let size = parcel.archive.len() as u64;
    let words = |e: Error| e.to_string();
    let object = boxstep.call("receive", &[parcel.name.as_str().into(), size.into()]).map_err(words)?;
    let object = object.as_object().and_then(|o| o.remote().cloned()).ok_or("it does not answer like a Boxstep")?;
    for piece in parcel.archive.chunks(PIECE) {
        object.call("write", &[Value::Raw(piece.to_vec())]).map_err(words)?;
    }
    let answer = object.call("install", &[]).map_err(words)?;
    let part = |at: usize| answer.as_slice().and_then(|parts| parts.get(at)?.as_slice()).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pair = |pair: &Value| Some((text(pair.as_slice()?.first()?), text(pair.as_slice()?.get(1)?)));
    let behaviors = part(0).iter().filter_map(pair).collect();
    Ok(Installed { behaviors, findings: part(1).iter().map(text).collect() })
}

/// Explains that the host has no `Boxstep` service, and how to play on a real robot instead.
fn no_boxstep(host: &str, session: &Session, error: &Error) -> Failure {
    match error {
        Error::NoService { .. } if session.service("ALBehaviorManager").is_ok() => Failure::NotThere(format!(
            "{host} is a robot and not a Boxstep, and accepts no behaviors this way: `boxstep play FILE --robot {host}` plays on it from this \
             machine. Into the robot a package is installed (`boxstep pack FOLDER NAME.pkg`, then Choregraphe, or the robot's own \
             PackageManager.install)"
        )),
        Error::NoService { .. } => Failure::NotThere(format!("{host} is not a Boxstep: it has no service `Boxstep`")),
        e => Failure::Run(format!("{host}: {e}")),
    }
}
