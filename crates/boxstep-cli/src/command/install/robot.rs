//! A robot whose packages are changed or read.

use super::names::PackageFiles;
use crate::args::RobotFiles;
use crate::command::rescue::files::Bar;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::robot_link::{self, Link};
use crate::robot_way::Way;
use crate::terminal;
use boxstep_format::archive::Entry;
use boxstep_qi::{Error, Session};
use boxstep_rescue::copy::{CopyError, copy_folder};
use boxstep_rescue::disk::{DiskError, DiskPath, WritableDisk};
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::restore::{self, Content, Item, RestoreError, Restored};
use boxstep_rescue::{name, temporary};
use boxstep_robot::naoqi::packages::{self, Package};
use boxstep_robot::naoqi::preflight::Reach;
use boxstep_types::printable_line;
use std::cell::{Cell, RefCell, RefMut};
use std::io::Write as _;
use std::time::Duration;

/// Where packages are if the robot does not say it.
const APPS: &str = "/home/nao/.local/share/PackageManager/apps";

/// A robot whose packages are changed or read.
pub(super) struct Robot<'a> {
    pub(super) link: Link,
    reach: Reach,
    way: Way,
    pub(super) interrupt: &'a Interrupt,
    /// It was told to install something.
    pub(super) was_told: Cell<bool>,
    /// The connection to its files, which is kept: people may have typed a password for it.
    open: RefCell<Option<Box<dyn WritableDisk>>>,
}

/// How long a robot is asked what it is.
pub(super) const ASK_WITHIN: Duration = Duration::from_secs(3);
/// How long connecting again may take.
const AGAIN_WITHIN: Duration = Duration::from_secs(10);

impl<'a> Robot<'a> {
    pub(super) fn connect(of: &RobotFiles, interrupt: &'a Interrupt) -> Result<Self, Failure> {
        let link = robot_link::connect(of.robot.as_deref(), &of.access, |options| options)?;
        let (way, reach) = (Way::to(of, &link)?, link.reach());
        Ok(Self { link, reach, way, interrupt, was_told: Cell::new(false), open: RefCell::default() })
    }

    /// Returns the connection to its services, and a new one if that was lost.
    pub(super) fn session(&self) -> Result<Session, Failure> {
        (self.reach)(AGAIN_WITHIN).map_err(|error| self.failed(&error))
    }

    pub(super) fn failed(&self, why: &dyn std::fmt::Display) -> Failure {
        Failure::Run(format!("{}: {}", self.link.name, printable_line(&why.to_string())))
    }

    /// Returns the connection to the robot's files, and a new one if that was lost. Nobody else may use it meanwhile.
    pub(super) fn files(&self) -> Result<RefMut<'_, Box<dyn WritableDisk>>, Failure> {
        let mut open = self.open.borrow_mut();
        if open.as_mut().is_some_and(|disk| matches!(disk.homes(), Err(DiskError::Lost(_)))) {
            *open = None;
        }
        if open.is_none() {
            let connected = self.way.connect(self.interrupt);
            *open = Some(connected.map_err(|why| self.interrupted(&self.way.with_help(&why.to_string())))?);
        }
        RefMut::filter_map(open, Option::as_mut).map_err(|_| self.failed(&"its files are not reached"))
    }

    pub(super) fn interrupted(&self, why: &dyn std::fmt::Display) -> Failure {
        if self.interrupt.has_come() { Failure::Interrupted } else { self.failed(&format!("its files: {why}")) }
    }

    /// Returns the home that files are put in.
    pub(super) fn home(&self) -> Result<DiskPath, Failure> {
        let homes = self.files()?.homes().map_err(|why| self.interrupted(&why))?;
        Ok(homes.into_iter().next().unwrap_or_else(|| DiskPath::new(b"/home/nao")))
    }

    /// Refuses what is larger than the free space of the robot's disk, if the robot tells it.
    pub(super) fn has_room(&self, needed: u64) -> Result<(), Failure> {
        if needed == 0 {
            return Ok(());
        }
        let home = self.home()?;
        match self.files()?.space(&home) {
            Ok(space) if space.free < needed => {
                let (needed, free) = (indicatif::HumanBytes(needed), indicatif::HumanBytes(space.free));
                Err(self.failed(&format!("its disk has {free} left, and {needed} are needed")))
            }
            Ok(_) | Err(DiskError::Refused(_) | DiskError::Denied(_) | DiskError::Missing) => Ok(()),
            Err(why) => Err(self.interrupted(&why)),
        }
    }

    /// Returns how many bytes the home has not yet of files that it is to have.
    pub(super) fn missing(&self, items: &[Item]) -> Result<u64, Failure> {
        let home = self.home()?;
        let mut disk = self.files()?;
        let mut missing = 0;
        for item in items {
            let path = DiskPath::new(&[home.bytes(), b"/", &item.path].concat());
            match disk.stat(&path) {
                Err(DiskError::Lost(why)) => return Err(self.interrupted(&why)),
                Err(DiskError::Missing) => missing += item.content.size().unwrap_or_default(),
                Ok(_) | Err(_) => {}
            }
        }
        Ok(missing)
    }

    pub(super) fn list(&self) -> Result<Vec<Package>, Failure> {
        list(&self.link.name, &self.session()?)
    }

    /// Brings the files of an installed package.
    pub(super) fn pull(&self, package: &Package) -> Result<PackageFiles, Failure> {
        let folder = folder_of(package);
        let here = tempfile::tempdir().map_err(|e| Failure::Run(e.to_string()))?;
        let mut bar = Bar::new(self.interrupt);
        let copied = copy_folder(&mut **self.files()?, &folder, "package", here.path(), &mut bar);
        drop(bar);
        copied.map_err(|error| match error {
            CopyError::NoPlaces => self.failed(&format!("there are no files in {}", folder.text())),
            error => self.interrupted(&error),
        })?;
        let mut files = PackageFiles::default();
        let items = manifest::of_folder(here.path()).map_err(|e| Failure::Run(e.to_string()))?;
        let inside = format!("{}/", folder.text());
        for (there, state) in items {
            let path = name::bytes(there.strip_prefix(&inside).unwrap_or(&there));
            match state {
                State::Taken(taken) => {
                    let file = here.path().join(&taken.file);
                    let bytes = std::fs::read(&file).map_err(|e| Failure::io(&file, &e))?;
                    match String::from_utf8(path) {
                        Ok(name) if !name.contains([':', '\\']) => {
                            files.entries.push(Entry { name, bytes, executable: taken.mode & 0o111 != 0 });
                        }
                        Ok(name) => files
                            .others
                            .push(Item { path: name.into_bytes(), content: Content::Bytes(bytes, taken.mode & 0o777) }),
                        Err(path) => files
                            .others
                            .push(Item { path: path.into_bytes(), content: Content::Bytes(bytes, taken.mode & 0o777) }),
                    }
                }
                State::Left(why) => return Err(self.failed(&format!("{there}: {why}"))),
                State::Begun(_) => return Err(self.failed(&format!("{there} was not read to its end"))),
                State::Link(to) => files.others.push(Item { path, content: Content::Link(name::bytes(&to)) }),
            }
        }
        Ok(files)
    }

    /// Puts below a folder what no package can hold, or what belongs to none; nothing of it stays if it fails.
    pub(super) fn restore(&self, below: &DiskPath, items: &[Item]) -> Result<Restored, Failure> {
        let (mut bar, mut restored) = (Bar::new(self.interrupt), Restored::default());
        let bytes = items.iter().filter_map(|item| item.content.size().ok()).sum();
        boxstep_rescue::copy::Watch::found(&mut bar, items.len(), bytes);
        let mut disk = self.files()?;
        let done = restore::restore(&mut **disk, below, items, &mut restored, &mut bar);
        drop(bar);
        say_removed(&restored.removed)?;
        match done {
            Ok(()) => Ok(restored),
            // What is there is found there the next time.
            Err(RestoreError::Ended | RestoreError::Lost(_)) if self.interrupt.has_come() => Err(Failure::Interrupted),
            Err(error @ RestoreError::Lost(_)) => Err(self.interrupted(&error)),
            Err(error) => {
                let undone = restore::undo(&mut **disk, restored);
                let rest = undone.err().map(|why| format!("; what was put there cannot all be removed again: {why}"));
                Err(self.failed(&format!("{error}{}", rest.unwrap_or_default())))
            }
        }
    }
}

/// Returns the folder of a package.
fn folder_of(package: &Package) -> DiskPath {
    let folder = package.path.clone().unwrap_or_else(|| format!("{APPS}/{}", package.uuid));
    DiskPath::new(folder.as_bytes())
}

pub(super) fn list(robot: &str, session: &Session) -> Result<Vec<Package>, Failure> {
    packages::list(session).map_err(|error| match error {
        Error::NoService { .. } => Failure::NotThere(format!("{robot}: it has no packages: that came with NAOqi 2.0")),
        error => Failure::Run(format!("{robot}: {error}")),
    })
}

/// Sends a package and installs it, with what no package can hold.
pub(super) fn put(robot: &Robot<'_>, uuid: &str, files: &PackageFiles) -> Result<(), Failure> {
    let bytes = files.for_robot(uuid)?;
    let needed = files.entries.iter().fold(bytes.len() as u64, |sum, entry| sum + entry.bytes.len() as u64);
    robot.has_room(needed)?;
    let name = temporary::package().map_err(|e| Failure::Run(e.to_string()))?;
    let file = robot.home()?.join(name.as_bytes());
    let sent = robot.files()?.put(&file, &mut &*bytes).map_err(|why| match why {
        DiskError::Here(error) => Failure::Run(error.to_string()),
        why => robot.interrupted(&format!("{uuid} cannot be written: {why}")),
    });
    let installed = sent.and_then(|()| {
        // Those that cannot be removed are no reason not to install.
        say_removed(&temporary::remove_left(&mut **robot.files()?, &file).unwrap_or_default())?;
        let path = String::from_utf8(file.bytes().to_vec());
        let path = path.map_err(|_| robot.failed(&"its home has a name that is not UTF-8"))?;
        let session = robot.session()?;
        robot.was_told.set(true);
        robot.interrupt.says("the robot installs: it is waited for, and then put back; Ctrl-C again ends at once, and leaves there what is there");
        packages::install(&session, &path).map_err(|error| robot.failed(&error))
    });
    // Some versions of NAOqi have removed it by then. A connection that was ended by Ctrl-C, or lost, is made once more.
    let came = robot.interrupt.has_come();
    robot.interrupt.again();
    let removed = robot.files().map(|mut disk| disk.remove(&file));
    if came {
        robot.interrupt.note();
    }
    let stays = match removed {
        Ok(Ok(()) | Err(DiskError::Missing)) => None,
        Ok(Err(why)) => Some(why.to_string()),
        Err(why) => Some(why.to_string()),
    };
    if let Some(why) = stays {
        let words = format!("{}: {} stays there: {why}", robot.link.name, file.text());
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
    }
    if !installed? {
        return Err(robot.failed(&format!("it has not installed {uuid}, and does not say why")));
    }
    if files.others.is_empty() {
        return Ok(());
    }
    let all = robot.list()?;
    let there = all.iter().find(|there| there.uuid == uuid);
    let there = there.ok_or_else(|| robot.failed(&format!("it does not list {uuid} after installing it")))?;
    let restored = robot.restore(&folder_of(there), &files.others)?;
    match restored.left.first() {
        Some((path, why)) => Err(robot.failed(&format!("{}: {why}", path.text()))),
        None => Ok(()),
    }
}

/// Says what of those who were ended was removed.
fn say_removed(removed: &[DiskPath]) -> Result<(), Failure> {
    for path in removed {
        let words = format!("{} is removed: whoever was sending it was ended", path.text());
        writeln!(terminal::stderr(), "{}", printable_line(&words))?;
    }
    Ok(())
}

/// Compares what the robot has installed with what was sent.
pub(super) fn verify(robot: &Robot<'_>, uuid: &str, version: Option<&str>, sent: &PackageFiles) -> Result<(), Failure> {
    let all = robot.list()?;
    let there = all.iter().find(|there| there.uuid == uuid);
    let there = there.ok_or_else(|| robot.failed(&format!("it does not list {uuid} after installing it")))?;
    if let (Some(is), Some(was)) = (there.version.as_deref(), version)
        && is != was
    {
        return Err(robot.failed(&format!("it has {uuid} {is} in place of {was}")));
    }
    match sent.lacks(&robot.pull(there)?) {
        Some(name) => Err(robot.failed(&format!("{name} has not arrived as it was sent"))),
        None => Ok(()),
    }
}
