//! `boxstep install`, `uninstall` and `pull`: the packages of a robot.

mod package;

use crate::args::{InstallArgs, PullArgs, RobotFiles, UninstallArgs};
use crate::command::convert::write_folder;
use crate::command::rescue::files::Bar;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::robot_link::{self, Link};
use crate::ssh_access::Reached;
use crate::{Program, exit, open, output, terminal};
use boxstep_format::Limits;
use boxstep_format::archive::{ArchiveKind, Contents, Entry, pack, read};
use boxstep_format::output::write_file;
use boxstep_qi::{Error, Session};
use boxstep_rescue::copy::{CopyError, copy_folder};
use boxstep_rescue::disk::{Disk as _, DiskError, DiskPath};
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::name;
use boxstep_rescue::ssh::SshDisk;
use boxstep_robot::naoqi::packages::{self, Package};
use boxstep_robot::naoqi::preflight::{Reach, overview};
use boxstep_types::{meant, printable_line};
use package::LocalPackage;
use std::cell::Cell;
use std::io::{IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::time::Duration;

/// Where packages are if the robot does not say it.
const APPS: &str = "/home/nao/.local/share/PackageManager/apps";

/// A robot whose packages are changed or read.
struct Robot<'a> {
    link: Link,
    reach: Reach,
    reached: Reached,
    interrupt: &'a Interrupt,
    /// It was told to install something.
    was_told: Cell<bool>,
}

/// How long a robot is asked what it is.
const ASK_WITHIN: Duration = Duration::from_secs(3);
/// How long connecting again may take.
const AGAIN_WITHIN: Duration = Duration::from_secs(10);

impl<'a> Robot<'a> {
    fn connect(of: &RobotFiles, interrupt: &'a Interrupt) -> Result<Self, Failure> {
        let link = robot_link::connect(of.robot.as_deref(), &of.access, |options| options)?;
        let reached = of.ssh.reach(&of.access, link.host().as_deref())?;
        let reach = link.reach();
        Ok(Self { link, reach, reached, interrupt, was_told: Cell::new(false) })
    }

    /// Returns the connection to its services, and a new one if that was lost.
    fn session(&self) -> Result<Session, Failure> {
        (self.reach)(AGAIN_WITHIN).map_err(|error| self.failed(&error))
    }

    fn failed(&self, why: &dyn std::fmt::Display) -> Failure {
        Failure::Run(format!("{}: {}", self.link.name, printable_line(&why.to_string())))
    }

    /// Connects to the robot's files.
    fn files(&self) -> Result<SshDisk, Failure> {
        let connected = SshDisk::connect(self.reached.access(), |stopper| self.interrupt.ends(stopper));
        connected.map_err(|why| self.interrupted(&self.reached.with_help(&why.to_string())))
    }

    fn interrupted(&self, why: &dyn std::fmt::Display) -> Failure {
        if self.interrupt.has_come() { Failure::Interrupted } else { self.failed(&format!("its files: {why}")) }
    }

    fn list(&self) -> Result<Vec<Package>, Failure> {
        list(&self.link.name, &self.session()?)
    }

    /// Brings the files of an installed package.
    fn pull(&self, package: &Package) -> Result<Vec<Entry>, Failure> {
        let folder = package.path.clone().unwrap_or_else(|| format!("{APPS}/{}", package.uuid));
        let here = tempfile::tempdir().map_err(|e| Failure::Run(e.to_string()))?;
        let mut bar = Bar::new(self.interrupt);
        let path = DiskPath::new(folder.as_bytes());
        let copied = copy_folder(&mut self.files()?, &path, "package", here.path(), &mut bar);
        drop(bar);
        copied.map_err(|error| match error {
            CopyError::NoPlaces => self.failed(&format!("there are no files in {folder}")),
            error => self.interrupted(&error),
        })?;
        let mut entries = Vec::new();
        let items = manifest::of_folder(here.path()).map_err(|e| Failure::Run(e.to_string()))?;
        let inside = format!("{}/", path.text());
        for (there, state) in items {
            let name = there.strip_prefix(&inside).unwrap_or(&there);
            match state {
                State::Taken(taken) => {
                    let name = String::from_utf8(name::bytes(name));
                    let name =
                        name.map_err(|_| self.failed(&format!("{there}: no archive takes a name that is not UTF-8")))?;
                    let file = here.path().join(&taken.file);
                    let bytes = std::fs::read(&file).map_err(|e| Failure::io(&file, &e))?;
                    entries.push(Entry { name, bytes, executable: taken.mode & 0o111 != 0 });
                }
                State::Left(why) => return Err(self.failed(&format!("{there}: {why}"))),
                State::Begun(_) => return Err(self.failed(&format!("{there} was not read to its end"))),
                State::Link(to) => {
                    let words = format!("{}: {there} leads to {to}: archives have no links", self.link.name);
                    writeln!(terminal::stderr(), "{}", printable_line(&words))?;
                }
            }
        }
        Ok(entries)
    }
}

fn list(robot: &str, session: &Session) -> Result<Vec<Package>, Failure> {
    packages::list(session).map_err(|error| match error {
        Error::NoService { .. } => Failure::NotThere(format!("{robot}: it has no packages: that came with NAOqi 2.0")),
        error => Failure::Run(format!("{robot}: {error}")),
    })
}

/// Returns the package of this id, or the one that a behavior is in.
fn find<'a>(packages: &'a [Package], name: &str, robot: &str) -> Result<&'a Package, Failure> {
    let owner = name.split('/').next().unwrap_or(name);
    let found = packages.iter().find(|package| package.uuid == name);
    found.or_else(|| packages.iter().find(|package| package.uuid == owner)).ok_or_else(|| {
        let words = meant(name, packages.iter().map(|package| package.uuid.as_str()));
        let words = words.map(|words| format!(": {words}")).unwrap_or_default();
        Failure::NotThere(format!("{robot}: there is no package {name}{words}"))
    })
}

fn say(words: &str) -> Result<i32, Failure> {
    let mut out = output::stdout();
    writeln!(out, "{}", printable_line(words))?;
    out.flush()?;
    Ok(exit::OK)
}

/// Installs a package on a robot. What was there before is put back if the new one does not arrive whole.
pub(crate) fn install(args: &InstallArgs, program: &Program) -> Result<i32, Failure> {
    let package = LocalPackage::read(&args.package)?;
    for behavior in &args.default {
        package.has(behavior)?;
    }
    if !args.anyway && !package.is_sound(&args.package, program)? {
        writeln!(terminal::stderr(), "{} is not installed; --anyway installs it all the same", package.uuid)?;
        return Ok(exit::FINDINGS);
    }
    let interrupt = Interrupt::new()?;
    let robot = Robot::connect(&args.of, &interrupt)?;
    let seen = overview(&robot.session()?, ASK_WITHIN);
    if !args.anyway
        && let Some(why) = package.is_not_for(seen.version.as_deref(), seen.body)
    {
        let words =
            format!("{}: {} is not installed: {why}; --anyway installs it all the same", robot.link.name, package.uuid);
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
        return Ok(exit::FINDINGS);
    }
    let before = robot.list()?.into_iter().find(|there| there.uuid == package.uuid);
    if let Some(there) = &before
        && !args.replace
        && !is_wanted(&robot, there, &package)?
    {
        return Ok(exit::FINDINGS);
    }
    let kept = before.as_ref().map(|there| Kept::of(&robot, there)).transpose()?;
    if let Err(failure) = put(&robot, &package.uuid, &package.bytes)
        .and_then(|()| verify(&robot, &package.uuid, package.version.as_deref(), &package.entries))
    {
        return Err(put_back(&robot, &package.uuid, kept, failure));
    }
    if let Some(kept) = kept {
        kept.remove();
    }
    for behavior in &args.default {
        let name = package.full_name(behavior);
        let unset =
            |e: &Error| robot.failed(&format!("{} is installed, but {name} does not start with it: {e}", package.uuid));
        let manager = robot.session()?.service("ALBehaviorManager").map_err(|e| unset(&e))?;
        manager.call("addDefaultBehavior", &[name.as_str().into()]).map_err(|e| unset(&e))?;
    }
    let version = package.version.as_deref().unwrap_or("without a version");
    say(&format!("{}: installed {} {version}, {} files", robot.link.name, package.uuid, package.entries.len()))
}

/// The version that was installed before, in a file of this folder until the new one has arrived whole: whatever ends this
/// program, it is there.
struct Kept {
    there: Package,
    entries: Vec<Entry>,
    bytes: Vec<u8>,
    file: PathBuf,
}

impl Kept {
    fn of(robot: &Robot<'_>, there: &Package) -> Result<Self, Failure> {
        let entries = robot.pull(there)?;
        let bytes = pack(ArchiveKind::Pkg, &there.uuid, &entries).map_err(|e| open::unreadable(&e))?;
        let unsaved = |e: std::io::Error| Failure::Run(format!("the version of before cannot be kept here: {e}"));
        let name = format!("{}.before-", name::local(there.uuid.as_bytes()));
        let file = tempfile::Builder::new().prefix(&name).suffix(".pkg").tempfile_in(".").map_err(unsaved)?;
        file.as_file().write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(unsaved)?;
        let (_, file) = file.keep().map_err(|e| unsaved(e.error))?;
        Ok(Self { there: there.clone(), entries, bytes, file })
    }

    fn remove(self) {
        // It is one file too many if that fails.
        let _ = std::fs::remove_file(self.file);
    }
}

/// Puts back what was there before something failed, and says whether that was done. A Ctrl-C that has come is what
/// failed; the next one ends this, too.
fn put_back(robot: &Robot<'_>, uuid: &str, kept: Option<Kept>, failure: Failure) -> Failure {
    robot.interrupt.again();
    let words = if !robot.was_told.get() {
        kept.into_iter().for_each(Kept::remove);
        "the robot is as it was".to_owned()
    } else if let Some(kept) = kept {
        let back = put(robot, uuid, &kept.bytes)
            .and_then(|()| verify(robot, uuid, kept.there.version.as_deref(), &kept.entries));
        match back {
            Ok(()) => {
                kept.remove();
                "the version of before is installed again".to_owned()
            }
            Err(why) => format!("putting back what was there has failed: {why}; it is in {}", kept.file.display()),
        }
    } else {
        match robot.list().map(|all| all.iter().any(|there| there.uuid == uuid)) {
            Ok(false) => "nothing was installed".to_owned(),
            Ok(true) => match robot.session().map(|session| packages::remove(&session, uuid)) {
                Ok(Ok(())) => "it was removed again".to_owned(),
                Ok(Err(why)) => format!("it cannot be removed again: {why}"),
                Err(why) => format!("it cannot be removed again: {why}"),
            },
            Err(why) => format!("it is not known whether it is installed: {why}"),
        }
    };
    match failure {
        Failure::Interrupted => {
            // The output may be closed; the exit code says it.
            let _ = writeln!(terminal::stderr(), "{words}");
            Failure::Interrupted
        }
        failure => Failure::Run(format!("{failure}\n{words}")),
    }
}

/// Returns whether a version that is installed is to be replaced.
fn is_wanted(robot: &Robot<'_>, there: &Package, package: &LocalPackage) -> Result<bool, Failure> {
    let version = |version: Option<&String>| version.map_or("without a version".to_owned(), Clone::clone);
    let (old, new) = (version(there.version.as_ref()), version(package.version.as_ref()));
    let same = if old == new { ", the same version" } else { "" };
    let words = format!("{}: {} {old} is installed{same}", robot.link.name, there.uuid);
    if std::io::stdin().is_terminal() {
        let mut err = terminal::stderr();
        write!(err, "{}. Replace it by {new}? [y/N] ", printable_line(&words))?;
        err.flush()?;
        let mut answer = String::new();
        // Nothing has been done yet that a signal would have to put back.
        robot.interrupt.at_once(true);
        let read = std::io::stdin().read_line(&mut answer);
        robot.interrupt.at_once(false);
        read.map_err(|e| Failure::Run(e.to_string()))?;
        return Ok(matches!(answer.trim(), "y" | "Y" | "yes"));
    }
    writeln!(terminal::stderr(), "{}; --replace replaces it by {new}", printable_line(&words))?;
    Ok(false)
}

/// Sends a package and installs it.
fn put(robot: &Robot<'_>, uuid: &str, bytes: &[u8]) -> Result<(), Failure> {
    let mut disk = robot.files()?;
    let home = disk.homes().map_err(|why| robot.interrupted(&why))?.into_iter().next();
    let home = home.unwrap_or_else(|| DiskPath::new(b"/home/nao"));
    let name = format!("boxstep-{:016x}.pkg", random()?);
    let file = home.join(name.as_bytes());
    let sent = disk.put(&file, &mut &*bytes).map_err(|why| match why {
        DiskError::Here(error) => Failure::Run(error.to_string()),
        why => robot.interrupted(&format!("{uuid} cannot be written: {why}")),
    });
    let installed = sent.and_then(|()| {
        let path = String::from_utf8(file.bytes().to_vec());
        let path = path.map_err(|_| robot.failed(&"its home has a name that is not UTF-8"))?;
        let session = robot.session()?;
        robot.was_told.set(true);
        robot.interrupt.says("the robot installs: it is waited for, and then put back; Ctrl-C again ends at once, and leaves there what is there");
        packages::install(&session, &path).map_err(|error| robot.failed(&error))
    });
    // Some versions of NAOqi have removed it by then. A connection that was ended by Ctrl-C, or lost, is made once more.
    let mut removed = disk.remove(&file);
    if let Err(DiskError::Lost(_)) = removed {
        drop(disk);
        let came = robot.interrupt.has_come();
        robot.interrupt.again();
        removed = SshDisk::connect(robot.reached.access(), |stopper| robot.interrupt.ends(stopper))
            .and_then(|mut disk| disk.remove(&file));
        if came {
            robot.interrupt.note();
        }
    }
    match removed {
        Ok(()) | Err(DiskError::Missing) => {}
        Err(why) => {
            let words = format!("{}: {} stays there: {why}", robot.link.name, file.text());
            writeln!(terminal::stderr(), "{}", printable_line(&words))?;
        }
    }
    if installed? { Ok(()) } else { Err(robot.failed(&format!("it has not installed {uuid}, and does not say why"))) }
}

fn random() -> Result<u64, Failure> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|e| Failure::Run(e.to_string()))?;
    Ok(u64::from_le_bytes(bytes))
}

/// Compares what the robot has installed with what was sent.
fn verify(robot: &Robot<'_>, uuid: &str, version: Option<&str>, sent: &[Entry]) -> Result<(), Failure> {
    let all = robot.list()?;
    let there = all.iter().find(|there| there.uuid == uuid);
    let there = there.ok_or_else(|| robot.failed(&format!("it does not list {uuid} after installing it")))?;
    if let (Some(is), Some(was)) = (there.version.as_deref(), version)
        && is != was
    {
        return Err(robot.failed(&format!("it has {uuid} {is} in place of {was}")));
    }
    let entries = robot.pull(there)?;
    let missing = sent.iter().find(|sent| {
        let same = |entry: &&Entry| entry.name == sent.name && entry.bytes == sent.bytes;
        entries.iter().find(same).is_none()
    });
    match missing {
        Some(sent) => Err(robot.failed(&format!("{} has not arrived as it was sent", sent.name))),
        None => Ok(()),
    }
}

/// Removes a package of a robot.
pub(crate) fn uninstall(args: &UninstallArgs) -> Result<i32, Failure> {
    let link = robot_link::connect(args.robot.as_deref(), &args.access, |options| options)?;
    let all = list(&link.name, &link.session)?;
    let there = all.iter().find(|there| there.uuid == args.package);
    let there = match there {
        Some(there) => there,
        None => find(&all, &args.package, &link.name).and_then(|found| {
            Err(Failure::Usage(format!("{} is in the package {}: name that", args.package, found.uuid)))
        })?,
    };
    if there.installer.as_deref() == Some("system") {
        return Err(Failure::Usage(format!("{} came with NAOqi: it is not removed", there.uuid)));
    }
    let removed = packages::remove(&link.session, &there.uuid);
    removed.map_err(|error| Failure::Run(format!("{}: {error}", link.name)))?;
    if list(&link.name, &link.session)?.iter().any(|left| left.uuid == there.uuid) {
        return Err(Failure::Run(format!("{}: it still has {}", link.name, there.uuid)));
    }
    say(&format!("{}: removed {}", link.name, there.uuid))
}

/// Brings a package of a robot.
pub(crate) fn pull(args: &PullArgs) -> Result<i32, Failure> {
    let interrupt = Interrupt::new()?;
    let robot = Robot::connect(&args.of, &interrupt)?;
    let all = robot.list()?;
    let there = find(&all, &args.package, &robot.link.name)?;
    let out = args.output.clone().unwrap_or_else(|| name::local(there.uuid.as_bytes()).into());
    let kind = ArchiveKind::of_path(&out);
    if !args.force && std::fs::exists(&out).unwrap_or(false) {
        return Err(Failure::File(out, "it exists; --force overwrites it".to_owned()));
    }
    let entries = robot.pull(there)?;
    let bytes = pack(kind.unwrap_or(ArchiveKind::Pkg), &there.uuid, &entries).map_err(|e| open::unreadable(&e))?;
    if kind.is_some() {
        write_file(&out, &bytes, args.force).map_err(|e| Failure::unwritten(&out, &e))?;
    } else {
        // As from any archive: nothing outside of the folder, and nothing that programs of this computer would obey.
        let name = format!("{}.pkg", there.uuid);
        let Contents { entries, oddities } =
            read(&name, &bytes, &Limits::default()).map_err(|e| open::unreadable(&e))?;
        write_folder(&out, &entries, args.force)?;
        let left_out: Vec<_> = oddities.iter().map(|oddity| oddity.diagnostic(&name)).collect();
        open::print_left_out(&left_out);
    }
    let version = there.version.as_deref().unwrap_or_default();
    say(&format!("{} {version}: {} files in {}", there.uuid, entries.len(), out.display()))
}
