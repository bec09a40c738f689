//! `boxstep install`, `uninstall` and `pull`: the packages of a robot.

mod kept;
mod names;
mod package;
mod robot;
mod whole;

use crate::args::{InstallArgs, PullArgs, UninstallArgs};
use crate::command::convert::write_folder;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{Program, exit, open, output, rescued, robot_link, terminal};
use boxstep_format::Limits;
use boxstep_format::archive::{ArchiveKind, Contents, read};
use boxstep_format::output::write_file;
use boxstep_qi::{Error, Session};
use boxstep_rescue::name;
use boxstep_robot::naoqi::packages::{self, Package};
use boxstep_robot::naoqi::preflight::overview;
use boxstep_types::{meant, printable_line};
use kept::exchange;
use package::LocalPackage;
use robot::{ASK_WITHIN, Robot, list};
use std::io::{IsTerminal as _, Write as _};

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

/// Returns whether a package came with NAOqi.
fn is_of_system(package: &Package) -> bool {
    package.installer.as_deref() == Some("system")
}

fn say(words: &str) -> Result<i32, Failure> {
    let mut out = output::stdout();
    writeln!(out, "{}", printable_line(words))?;
    out.flush()?;
    Ok(exit::OK)
}

/// Installs a package on a robot, or puts back all that a rescue has taken home.
pub(crate) fn install(args: &InstallArgs, program: &Program) -> Result<i32, Failure> {
    if rescued::is_rescue(&args.package) {
        return whole::install(args);
    }
    if args.yes {
        let why = "--yes is for the folder of a rescue; --replace replaces another version of a package";
        return Err(Failure::Usage(why.to_owned()));
    }
    let package = LocalPackage::read(&args.package)?;
    for words in package.lost.iter().chain(&package.remarks) {
        writeln!(terminal::stderr(), "{}", printable_line(words))?;
    }
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
    if before.as_ref().is_some_and(is_of_system) {
        return Err(Failure::Usage(format!("{} came with NAOqi: it is not replaced", package.uuid)));
    }
    if let Some(there) = &before
        && !args.replace
        && !is_wanted(&robot, there, &package)?
    {
        return Ok(exit::FINDINGS);
    }
    exchange(&robot, &package, before.as_ref())?;
    for behavior in &args.default {
        let name = package.full_name(behavior);
        let unset =
            |e: &Error| robot.failed(&format!("{} is installed, but {name} does not start with it: {e}", package.uuid));
        let manager = robot.session()?.service("ALBehaviorManager").map_err(|e| unset(&e))?;
        manager.call("addDefaultBehavior", &[name.as_str().into()]).map_err(|e| unset(&e))?;
    }
    let version = package.version.as_deref().unwrap_or("without a version");
    let count = package.files.entries.len() + package.files.others.len();
    say(&format!("{}: installed {} {version}, {count} files", robot.link.name, package.uuid))
}

/// Returns whether a version that is installed is to be replaced.
fn is_wanted(robot: &Robot<'_>, there: &Package, package: &LocalPackage) -> Result<bool, Failure> {
    let version = |version: Option<&String>| version.map_or("without a version".to_owned(), Clone::clone);
    let (old, new) = (version(there.version.as_ref()), version(package.version.as_ref()));
    let same = if old == new { ", the same version" } else { "" };
    let words = format!("{}: {} {old} is installed{same}", robot.link.name, there.uuid);
    let question = format!("{words}. Replace it by {new}?");
    is_agreed(Some(robot.interrupt), &question, &format!("{words}; --replace replaces it by {new}"))
}

/// Asks at the terminal; without one, says what would agree.
fn is_agreed(interrupt: Option<&Interrupt>, question: &str, otherwise: &str) -> Result<bool, Failure> {
    let mut err = terminal::stderr();
    if !std::io::stdin().is_terminal() {
        writeln!(err, "{}", printable_line(otherwise))?;
        return Ok(false);
    }
    write!(err, "{} [y/N] ", printable_line(question))?;
    err.flush()?;
    let mut answer = String::new();
    // Nothing has been done yet that a signal would have to put back.
    let at_once = |at_once| interrupt.into_iter().for_each(|interrupt| interrupt.at_once(at_once));
    at_once(true);
    let read = std::io::stdin().read_line(&mut answer);
    at_once(false);
    read.map_err(|e| Failure::Run(e.to_string()))?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
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
    if is_of_system(there) {
        return Err(Failure::Usage(format!("{} came with NAOqi: it is not removed", there.uuid)));
    }
    let version = there.version.as_deref().unwrap_or("without a version");
    let words = format!("{}: {} {version}", link.name, there.uuid);
    if !args.yes && !is_agreed(None, &format!("{words}: remove it?"), &format!("{words}: --yes removes it"))? {
        return Ok(exit::FINDINGS);
    }
    // What starts with the robot and is not there any more would be missed at each start.
    let defaults = defaults(&link.session, &there.uuid);
    let removed = packages::remove(&link.session, &there.uuid);
    removed.map_err(|error| Failure::Run(format!("{}: {error}", link.name)))?;
    if list(&link.name, &link.session)?.iter().any(|left| left.uuid == there.uuid) {
        return Err(Failure::Run(format!("{}: it still has {}", link.name, there.uuid)));
    }
    for behavior in defaults {
        let unset = |e: &Error| Failure::Run(format!("{words} is removed, and {behavior} still starts with it: {e}"));
        let manager = link.session.service("ALBehaviorManager").map_err(|e| unset(&e))?;
        manager.call("removeDefaultBehavior", &[behavior.as_str().into()]).map_err(|e| unset(&e))?;
    }
    say(&format!("{}: removed {}", link.name, there.uuid))
}

/// Returns the behaviors of a package that start with the robot; none if it does not tell them.
fn defaults(session: &Session, uuid: &str) -> Vec<String> {
    let told = session.service("ALBehaviorManager").and_then(|manager| manager.call("getDefaultBehaviors", &[]));
    let told = told.unwrap_or_default();
    let names = told.plain().as_slice().unwrap_or_default().iter().filter_map(|name| name.plain().as_str());
    names.filter(|name| name.split('/').next() == Some(uuid)).map(str::to_owned).collect()
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
    let files = robot.pull(there)?;
    let bytes = files.pack(kind.unwrap_or(ArchiveKind::Pkg), &there.uuid)?;
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
    let count = files.entries.len() + files.others.len();
    say(&format!("{} {version}: {count} files in {}", there.uuid, out.display()))
}
