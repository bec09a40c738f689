//! All that a rescue has taken home, put on another robot: packages, behaviors without one, files of the home, preferences,
//! and what starts with the robot. Each of them arrives whole or is put back by itself, and the others go on.

mod identity;
mod plan;
mod settings;

use super::is_agreed;
use super::kept::exchange;
use super::package::LocalPackage;
use super::robot::{ASK_WITHIN, Robot, verify};
use crate::args::InstallArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{exit, output, terminal};
use boxstep_bodies::BodyKind;
use boxstep_qi::Error;
use boxstep_rescue::name;
use boxstep_robot::naoqi::packages::Package;
use boxstep_robot::naoqi::preferences::Key;
use boxstep_robot::naoqi::preflight::overview;
use boxstep_types::{Value, printable_line};
use plan::{Plan, Todo, todo};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// What the robot is, and has.
struct There {
    naoqi: Option<String>,
    body: Option<BodyKind>,
    /// `None` for a robot that has no packages: they came with NAOqi 2.0.
    packages: Option<Vec<Package>>,
    /// `None` if it does not tell them.
    preferences: Option<BTreeMap<Key, Value>>,
}

/// A package of the plan, and what becomes of it. Its files are read again when it is its turn.
struct Step {
    folder: PathBuf,
    uuid: String,
    version: Option<String>,
    /// The size of its files.
    bytes: u64,
    todo: Todo,
}

/// Puts back all that a rescue has taken home.
pub(super) fn install(args: &InstallArgs) -> Result<i32, Failure> {
    if !args.default.is_empty() {
        let why = "--default is for one package: a rescue knows what started with its robot".to_owned();
        return Err(Failure::Usage(why));
    }
    let mut plan = Plan::read(&args.package)?;
    let interrupt = Interrupt::new()?;
    let robot = Robot::connect(&args.of, &interrupt)?;
    let there = ask(&robot)?;
    let mut steps = Vec::new();
    for folder in plan.packages.iter().chain(&plan.loose) {
        let Some(step) = step(folder, &there, args, &mut plan.left)? else { continue };
        match steps.iter().any(|other: &Step| other.uuid == step.uuid) {
            true => plan.left.push((shown(folder, args), format!("another package has its id, {}", step.uuid))),
            false => steps.push(step),
        }
    }
    match &there.preferences {
        Some(has) => plan.compare(has),
        None if plan.preferences.is_empty() => {}
        None => {
            plan.left
                .push((format!("{} preferences", plan.preferences.len()), "the robot does not tell its own".into()));
            plan.preferences.clear();
        }
    }
    let will_be = |name: &String| {
        let owner = name.split('/').next().unwrap_or(name);
        steps.iter().any(|step| step.uuid == owner)
            || there.packages.iter().flatten().any(|package| package.uuid == owner)
    };
    let (defaults, missing): (Vec<String>, Vec<String>) = plan.defaults.drain(..).partition(will_be);
    plan.defaults = defaults;
    plan.left
        .extend(missing.into_iter().map(|name| (format!("{name} starts with the robot"), "it is not there".into())));
    // What a person may decide otherwise is told at the end again.
    let undecided = steps.iter().filter(|step| matches!(step.todo, Todo::Leave(_))).count();
    let from = crate::command::rescue::report::facts(&args.package);
    let from = is_a(from.get("robot").map(String::as_str), from.get("naoqi").map(String::as_str));
    let to = is_a(there.body.map(|body| body.to_string()).as_deref(), there.naoqi.as_deref());
    say(&format!("from {from}, to {to}\n{}", told(&robot.link.name, &plan, &steps)))?;
    steps.retain(|step| !matches!(step.todo, Todo::Leave(_)));
    if steps.is_empty() && plan.files.is_empty() && plan.preferences.is_empty() && plan.defaults.is_empty() {
        say(&format!("{}: there is nothing to put back\n", robot.link.name))?;
        return Ok(if undecided > 0 { exit::FINDINGS } else { exit::OK });
    }
    let name = &robot.link.name;
    if !args.yes && !is_agreed(Some(&interrupt), &format!("Put this on {name}?"), &format!("--yes puts it on {name}"))?
    {
        return Ok(exit::FINDINGS);
    }
    // A package is there packed for as long as it is unpacked.
    let new = || steps.iter().filter(|step| !matches!(step.todo, Todo::Compare(_))).map(|step| step.bytes);
    robot.has_room(plan.bytes + new().sum::<u64>() + new().max().unwrap_or_default())?;
    let failed = carry_out(&robot, &plan, &steps, &there, args.replace)?;
    if failed > 0 {
        let words = format!("{failed} of it failed, and is as it was; give the same command again to try it again");
        return Err(robot.failed(&words));
    }
    Ok(if undecided > 0 { exit::FINDINGS } else { exit::OK })
}

/// Names a robot by its kind and its version of NAOqi, as far as they are known.
fn is_a(kind: Option<&str>, naoqi: Option<&str>) -> String {
    let naoqi = naoqi.map_or_else(|| "an unknown NAOqi".to_owned(), |naoqi| format!("NAOqi {naoqi}"));
    format!("a {} with {naoqi}", kind.unwrap_or("robot"))
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::stdout();
    for line in text.lines() {
        writeln!(out, "{}", printable_line(line))?;
    }
    out.flush()?;
    Ok(())
}

/// Asks the robot what it is, and has.
fn ask(robot: &Robot<'_>) -> Result<There, Failure> {
    let session = robot.session()?;
    let seen = overview(&session, ASK_WITHIN);
    let packages = match robot.list() {
        Ok(packages) => Some(packages),
        Err(Failure::NotThere(_)) => None,
        Err(failure) => return Err(failure),
    };
    let preferences = match settings::preferences(&session) {
        Ok(preferences) => Some(preferences),
        Err(Error::NoService { .. } | Error::NoMember { .. }) => None,
        Err(error) => return Err(robot.failed(&format!("its preferences: {error}"))),
    };
    Ok(There { naoqi: seen.version, body: seen.body, packages, preferences })
}

/// Names a folder of the rescue.
fn shown(folder: &Path, args: &InstallArgs) -> String {
    folder.strip_prefix(&args.package).unwrap_or(folder).display().to_string()
}

/// Decides what becomes of the folder of a package or of a behavior.
fn step(
    folder: &Path,
    there: &There,
    args: &InstallArgs,
    left: &mut Vec<(String, String)>,
) -> Result<Option<Step>, Failure> {
    let shown = shown(folder, args);
    let Some(packages) = &there.packages else {
        left.push((
            shown,
            "the robot has no packages: that came with NAOqi 2.0; send behaviors with Choregraphe".into(),
        ));
        return Ok(None);
    };
    match LocalPackage::read(folder) {
        Ok(package) => {
            let is = (there.naoqi.as_deref(), there.body);
            let todo = todo(&package, packages, is, (args.replace, args.anyway));
            let bytes = package.files.entries.iter().map(|entry| entry.bytes.len() as u64).sum();
            let (uuid, version) = (package.uuid, package.version);
            Ok(Some(Step { folder: folder.to_owned(), uuid, version, bytes, todo }))
        }
        Err(failure @ (Failure::File(..) | Failure::Rendered(_))) => {
            left.push((shown, failure.to_string()));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}

/// Says what is put on the robot, and what is left.
fn told(robot: &str, plan: &Plan, steps: &[Step]) -> String {
    let mut text = format!("{robot} gets:\n");
    let shown = |step: &Step| match &step.version {
        Some(version) => format!("{} {version}", step.uuid),
        None => step.uuid.clone(),
    };
    let mut line = |what: &str, value: String| text.push_str(&format!("  {what:<12} {value}\n"));
    for step in steps {
        match &step.todo {
            Todo::Install => line("package", shown(step)),
            Todo::Compare(_) => {
                line("package", format!("{}, which is compared with the one that is there", shown(step)))
            }
            Todo::Replace(is) => {
                let is = is.version.as_deref().unwrap_or("another version");
                line("package", format!("{}, in the place of {is}", shown(step)));
            }
            Todo::Leave(_) => {}
        }
    }
    if !plan.files.is_empty() {
        let size = indicatif::HumanBytes(plan.bytes);
        line("home", format!("{} files and links, {size}, where nothing is yet", plan.files.len()));
    }
    if !plan.preferences.is_empty() || plan.same > 0 {
        let domains: BTreeSet<&str> = plan.preferences.iter().map(|((domain, _), _)| domain.as_str()).collect();
        let domains = domains.into_iter().collect::<Vec<_>>().join(", ");
        line("preferences", format!("{} of {domains}; {} are the same already", plan.preferences.len(), plan.same));
    }
    for name in &plan.defaults {
        line("starts with it", name.clone());
    }
    text.push_str("it does not get:\n");
    for step in steps {
        if let Todo::Leave(why) = &step.todo {
            text.push_str(&format!("  {}: {why}\n", shown(step)));
        }
    }
    for (what, why) in &plan.left {
        text.push_str(&format!("  {what}: {why}\n"));
    }
    text
}

/// Puts everything there, one after the other. Returns how much of it failed.
fn carry_out(robot: &Robot<'_>, plan: &Plan, steps: &[Step], there: &There, replace: bool) -> Result<usize, Failure> {
    let mut failed = 0;
    let mut done = |what: &str, result: Result<String, Failure>| -> Result<(), Failure> {
        match result {
            Ok(words) => say(&format!("{what}: {words}\n")),
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            Err(failure) => {
                failed += 1;
                let words = printable_line(&failure.to_string()).into_owned();
                Ok(writeln!(terminal::stderr(), "{what}: {words}")?)
            }
        }
    };
    for step in steps {
        if robot.interrupt.has_come() {
            return Err(Failure::Interrupted);
        }
        done(&step.uuid, one(robot, step, replace))?;
    }
    robot.interrupt.says("what is there stays; the same command goes on; Ctrl-C again ends at once");
    if !plan.files.is_empty() {
        let home = robot.home()?;
        let restored = robot.restore(&home, &plan.files);
        done(
            "home",
            restored.map(|restored| {
                let mut words = format!("{} put there, {} were there", restored.put, restored.before);
                for (path, why) in &restored.left {
                    words.push_str(&format!("\n  {}: {why}", name::text(path.bytes())));
                }
                words
            }),
        )?;
    }
    if !plan.preferences.is_empty() {
        let before = there.preferences.clone().unwrap_or_default();
        let set = settings::set_preferences(robot, &plan.preferences, &before);
        done("preferences", set.map(|()| format!("{} set", plan.preferences.len())))?;
    }
    if !plan.defaults.is_empty() {
        let added = settings::add_defaults(robot, &plan.defaults);
        done(
            "starts with it",
            added.map(|names| match names.is_empty() {
                true => "all of it did already".to_owned(),
                false => names.join(", "),
            }),
        )?;
    }
    Ok(failed)
}

/// Installs a package.
fn one(robot: &Robot<'_>, step: &Step, replace: bool) -> Result<String, Failure> {
    let package = LocalPackage::read(&step.folder)?;
    let before = match &step.todo {
        Todo::Install | Todo::Leave(_) => None,
        Todo::Replace(there) => Some(there),
        Todo::Compare(there) => match verify(robot, &package.uuid, None, &package.files) {
            Ok(()) => return Ok("it is there as it was".to_owned()),
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(_) if replace => Some(there),
            Err(why) => {
                let words = format!("{why}: this version is there, with other files; --replace replaces it");
                return Err(Failure::Run(words));
            }
        },
    };
    exchange(robot, &package, before)?;
    let count = package.files.entries.len() + package.files.others.len();
    Ok(format!("{} installed, {count} files", package.version.as_deref().unwrap_or("without a version")))
}
