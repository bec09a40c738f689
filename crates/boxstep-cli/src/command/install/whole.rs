//! All that a rescue has taken home, put on another robot: packages, behaviors without one, files of the home, preferences,
//! and what starts with the robot. Each of them arrives whole or is put back by itself, and the others go on.

mod identity;
mod plan;
mod roots;
mod settings;

use super::kept::exchange;
use super::package::LocalPackage;
use super::robot::{ASK_WITHIN, Robot, verify};
use super::{is_agreed, is_of_system};
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
use std::collections::BTreeMap;
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
    for folder in &std::mem::take(&mut plan.packages) {
        let Some(step) = step(folder, &there, args, &mut plan)? else { continue };
        match steps.iter().any(|other: &Step| other.uuid == step.uuid) {
            true => plan.lost.push((shown(folder, args), format!("another package has its id, {}", step.uuid))),
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
        let owner = owner(name);
        steps.iter().any(|step| step.uuid == owner)
            || there.packages.iter().flatten().any(|package| package.uuid == owner)
    };
    let (defaults, missing): (Vec<String>, Vec<String>) = plan.defaults.drain(..).partition(will_be);
    plan.defaults = defaults;
    plan.left
        .extend(missing.into_iter().map(|name| (format!("{name} starts with the robot"), "it is not there".into())));
    // What a person may decide otherwise, or has to look at.
    let missing = plan.lost.len() + steps.iter().filter(|step| matches!(step.todo, Todo::Leave(_))).count();
    let from = crate::command::rescue::report::facts(&args.package);
    let from = is_a(from.get("robot").map(String::as_str), from.get("naoqi").map(String::as_str));
    let to = is_a(there.body.map(|body| body.to_string()).as_deref(), there.naoqi.as_deref());
    say(&format!("from {from}, to {to}\n{}", told(&robot.link.name, &plan, &steps)))?;
    steps.retain(|step| !matches!(step.todo, Todo::Leave(_)));
    if steps.is_empty() && plan.files.is_empty() && plan.preferences.is_empty() && plan.defaults.is_empty() {
        say(&format!("{}: there is nothing to put back\n", robot.link.name))?;
        return Ok(if missing > 0 { exit::FINDINGS } else { exit::OK });
    }
    let name = &robot.link.name;
    if !args.yes && !is_agreed(Some(&interrupt), &format!("Put this on {name}?"), &format!("--yes puts it on {name}"))?
    {
        return Ok(exit::FINDINGS);
    }
    // A package is there packed for as long as it is unpacked.
    let new = || steps.iter().filter(|step| !matches!(step.todo, Todo::Compare(_))).map(|step| step.bytes);
    let packages = new().sum::<u64>() + new().max().unwrap_or_default();
    if robot.has_room(packages + plan.bytes).is_err() {
        robot.has_room(packages + robot.missing(&plan.files)?)?;
    }
    let Outcome { failed, left } = carry_out(&robot, &plan, &steps, &there, args.replace)?;
    if failed > 0 {
        let words = format!("{failed} of it failed, as it says above; give the same command again to try it again");
        return Err(robot.failed(&words));
    }
    Ok(if missing + left > 0 { exit::FINDINGS } else { exit::OK })
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
fn step(folder: &Path, there: &There, args: &InstallArgs, plan: &mut Plan) -> Result<Option<Step>, Failure> {
    let shown = shown(folder, args);
    let Some(packages) = &there.packages else {
        let why = "the robot has no packages: that came with NAOqi 2.0; send behaviors with Choregraphe";
        plan.lost.push((shown, why.into()));
        return Ok(None);
    };
    let package = match LocalPackage::read(folder) {
        Ok(package) => package,
        Err(Failure::File(file, why)) if file == *folder => {
            plan.lost.push((shown, why));
            return Ok(None);
        }
        Err(failure @ (Failure::File(..) | Failure::Rendered(_))) => {
            plan.lost.push((shown, plain(&failure)));
            return Ok(None);
        }
        Err(failure) => return Err(failure),
    };
    let own = packages.iter().find(|own| own.uuid == package.uuid && is_of_system(own));
    if own.is_some() {
        plan.left.push((shown, "the robot has its own, which came with NAOqi".to_owned()));
        return Ok(None);
    }
    let is = (there.naoqi.as_deref(), there.body);
    let todo = todo(&package, packages, is, (args.replace, args.anyway));
    let bytes = package.files.entries.iter().map(|entry| entry.bytes.len() as u64).sum();
    let (uuid, version) = (package.uuid, package.version);
    plan.lost.extend(package.lost.into_iter().map(|words| (shown.clone(), words)));
    plan.remarks.extend(package.remarks);
    Ok(Some(Step { folder: folder.to_owned(), uuid, version, bytes, todo }))
}

/// Returns why something failed in one line: what is rendered with lines of a file has its first one.
fn plain(failure: &Failure) -> String {
    match failure {
        Failure::Rendered(text) => {
            let text = anstream::adapter::strip_str(text).to_string();
            let mut lines = text.lines().map(str::trim);
            let first = lines.next().unwrap_or_default().to_owned();
            match lines.find_map(|line| line.strip_prefix("--> ")) {
                Some(place) => format!("{place}: {first}"),
                None => first,
            }
        }
        failure => failure.to_string(),
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
        line("preferences", format!("{}; {} are the same already", plan.preferences.len(), plan.same));
        for ((domain, name), _) in &plan.preferences {
            line("", format!("{domain} {name}"));
        }
    }
    for name in &plan.defaults {
        line("starts with it", name.clone());
    }
    if !plan.remarks.is_empty() {
        text.push_str("what it gets is not what the old robot had:\n");
        for remark in &plan.remarks {
            text.push_str(&format!("  {remark}\n"));
        }
    }
    if !plan.lost.is_empty() {
        text.push_str("it should get, and does not:\n");
        for (what, why) in &plan.lost {
            text.push_str(&format!("  {what}: {why}\n"));
        }
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

/// What has become of all of it.
#[derive(Default)]
struct Outcome {
    /// What failed.
    failed: usize,
    /// What a person has to decide about.
    left: usize,
}

/// What has become of one part, in words.
enum Done {
    Put(String),
    /// Some of it is not there, for a person to decide about.
    Left(String, usize),
}

impl Outcome {
    fn add(&mut self, what: &str, done: Result<Done, Failure>) -> Result<(), Failure> {
        let failure = match done {
            Ok(Done::Put(words)) => return say(&format!("{what}: {words}\n")),
            Ok(Done::Left(words, count)) => {
                self.left += count;
                return say(&format!("{what}: {words}\n"));
            }
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(failure) => failure,
        };
        self.failed += 1;
        let mut err = terminal::stderr();
        for (number, line) in plain(&failure).lines().enumerate() {
            let before = if number == 0 { format!("{what}: ") } else { "  ".to_owned() };
            writeln!(err, "{before}{}", printable_line(line))?;
        }
        Ok(())
    }
}

/// Puts everything there, one after the other.
fn carry_out(robot: &Robot<'_>, plan: &Plan, steps: &[Step], there: &There, replace: bool) -> Result<Outcome, Failure> {
    let mut outcome = Outcome::default();
    for step in steps {
        if robot.interrupt.has_come() {
            return Err(Failure::Interrupted);
        }
        outcome.add(&step.uuid, one(robot, step, replace))?;
    }
    robot.interrupt.says("what is there stays; the same command goes on; Ctrl-C again ends at once");
    if !plan.files.is_empty() {
        let restored = robot.home().and_then(|home| robot.restore(&home, &plan.files));
        let done = restored.map(|restored| {
            let mut words = format!("{} put there, {} were there", restored.put, restored.before);
            for (path, why) in &restored.left {
                words.push_str(&format!("\n  {}: {why}", name::text(path.bytes())));
            }
            Done::Left(words, restored.left.len())
        });
        outcome.add("home", done)?;
    }
    if !plan.preferences.is_empty() {
        let before = there.preferences.clone().unwrap_or_default();
        let set = settings::set_preferences(robot, &plan.preferences, &before);
        outcome.add("preferences", set.map(|()| Done::Put(format!("{} set", plan.preferences.len()))))?;
    }
    if !plan.defaults.is_empty() {
        outcome.add("starts with it", start(robot, &plan.defaults))?;
    }
    Ok(outcome)
}

/// Lets behaviors start with the robot whose packages are there.
fn start(robot: &Robot<'_>, wanted: &[String]) -> Result<Done, Failure> {
    let packages = robot.list()?;
    let is_there = |name: &&String| packages.iter().any(|package| package.uuid == owner(name));
    let (there, missing): (Vec<&String>, Vec<&String>) = wanted.iter().partition(is_there);
    let there: Vec<String> = there.into_iter().cloned().collect();
    let added = settings::add_defaults(robot, &there)?;
    let mut words = if added.is_empty() { "nothing new".to_owned() } else { added.join(", ") };
    for name in &missing {
        words.push_str(&format!("\n  {name} does not: it is not there"));
    }
    Ok(Done::Left(words, missing.len()))
}

/// Returns the id of the package that a behavior is in.
fn owner(behavior: &str) -> &str {
    behavior.split('/').next().unwrap_or(behavior)
}

/// Installs a package.
fn one(robot: &Robot<'_>, step: &Step, replace: bool) -> Result<Done, Failure> {
    let package = LocalPackage::read(&step.folder)?;
    let before = match &step.todo {
        Todo::Install | Todo::Leave(_) => None,
        Todo::Replace(there) => Some(there),
        Todo::Compare(there) => match verify(robot, &package.uuid, None, &package.files) {
            Ok(()) => return Ok(Done::Put("it is there as it was".to_owned())),
            Err(Failure::Interrupted) => return Err(Failure::Interrupted),
            Err(_) if replace => Some(there),
            Err(why) => {
                let words = format!("{why}: this version is there, with other files; --replace replaces it");
                return Ok(Done::Left(words, 1));
            }
        },
    };
    exchange(robot, &package, before)?;
    let count = package.files.entries.len() + package.files.others.len();
    let version = package.version.as_deref().unwrap_or("without a version");
    Ok(Done::Put(format!("{version} installed, {count} files")))
}
