//! What was on a robot before, and is put back if what replaces it does not arrive whole.

use super::names::PackageFiles;
use super::package::LocalPackage;
use super::robot::{Robot, put, verify};
use crate::failure::Failure;
use crate::terminal;
use boxstep_format::archive::ArchiveKind;
use boxstep_rescue::name;
use boxstep_robot::naoqi::packages::{self, Package};
use std::io::Write as _;
use std::path::PathBuf;

/// Installs a package in the place of another version, if there is one, and compares what has arrived with what was sent. What
/// was there is put back if that fails.
pub(super) fn exchange(robot: &Robot<'_>, package: &LocalPackage, before: Option<&Package>) -> Result<(), Failure> {
    robot.was_told.set(false);
    let kept = before.map(|there| Kept::of(robot, there)).transpose()?;
    let done = put(robot, &package.uuid, &package.files)
        .and_then(|()| verify(robot, &package.uuid, package.version.as_deref(), &package.files));
    match done {
        Ok(()) => {
            kept.into_iter().for_each(Kept::remove);
            Ok(())
        }
        Err(failure) => Err(put_back(robot, &package.uuid, kept, failure)),
    }
}

/// The version that was installed before, in a file of this folder until the new one has arrived whole: whatever ends this
/// program, it is there.
struct Kept {
    there: Package,
    files: PackageFiles,
    file: PathBuf,
}

impl Kept {
    fn of(robot: &Robot<'_>, there: &Package) -> Result<Self, Failure> {
        let files = robot.pull(there)?;
        let bytes = files.pack(ArchiveKind::Pkg, &there.uuid)?;
        let unsaved = |e: std::io::Error| Failure::Run(format!("the version of before cannot be kept here: {e}"));
        let name = format!("{}.before-", name::local(there.uuid.as_bytes()));
        let file = tempfile::Builder::new().prefix(&name).suffix(".pkg").tempfile_in(".").map_err(unsaved)?;
        file.as_file().write_all(&bytes).and_then(|()| file.as_file().sync_all()).map_err(unsaved)?;
        let (_, file) = file.keep().map_err(|e| unsaved(e.error))?;
        Ok(Self { there: there.clone(), files, file })
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
        let is_there = || verify(robot, uuid, kept.there.version.as_deref(), &kept.files);
        // A robot that has refused the new one has the old one still.
        let back = match is_there() {
            Ok(()) => Ok("the version of before is there"),
            Err(_) => put(robot, uuid, &kept.files)
                .and_then(|()| is_there())
                .map(|()| "the version of before is installed again"),
        };
        match back {
            Ok(words) => {
                kept.remove();
                words.to_owned()
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
