//! `boxstep keep`

mod ask;
mod changes;
mod day;
mod page;
mod store;

use crate::args::KeepArgs;
use crate::failure::Failure;
use crate::{exit, output, robot_files, robot_health, robot_link};
use boxstep_qi::Endpoint;
use boxstep_robot::naoqi::health::Severity;
use boxstep_types::printable_line;
use changes::changes;
use day::Day;
use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// Asks robots for their health, keeps a line for each and the day, and writes a page about what changes.
pub(crate) fn run(args: &KeepArgs) -> Result<i32, Failure> {
    let robots = robots(args)?;
    let options = args.access.options()?;
    fs::create_dir_all(&args.folder).map_err(|e| Failure::unwritten(&args.folder, &e))?;
    page::check(&args.folder)?;
    let at = args.at.unwrap_or_else(robot_files::now);
    let days = ask::all(robots, &options, at);
    // What was heard is kept before anything else can fail, and of each robot whatever becomes of the others.
    let _alone = store::alone(&args.folder)?;
    let kept: Vec<_> = days.into_iter().map(|now| keep(&args.folder, now)).collect();
    let page = page::write(&args.folder);
    let mut out = output::stdout();
    let mut failed = None;
    for kept in kept {
        match kept {
            Ok(text) => out.write_all(text.as_bytes())?,
            Err(failure) => failed = failed.or(Some(failure)),
        }
    }
    writeln!(out, "{}", page?.display())?;
    out.flush()?;
    failed.map_or(Ok(exit::OK), Err)
}

/// Keeps the day of a robot, and returns what is to be said of it.
fn keep(folder: &Path, now: Day) -> Result<String, Failure> {
    let mut kept = store::Kept::read(folder, &now.robot)?;
    let news = changes(&kept.before(&now), &now);
    let text = text(&now, &news);
    if kept.add(now)? {
        kept.write()?;
    }
    Ok(text)
}

/// Returns the robots, each once.
fn robots(args: &KeepArgs) -> Result<Vec<(String, Endpoint)>, Failure> {
    let named = match args.robot.is_empty() {
        true => vec![robot_link::endpoint(None)?],
        false => args.robot.iter().map(|robot| robot_link::endpoint(Some(robot))).collect::<Result<_, _>>()?,
    };
    let mut known = BTreeSet::new();
    // Names of hosts are the same in upper and lower case, and so may be names of files.
    Ok(named.into_iter().filter(|(name, _)| known.insert(name.to_lowercase())).collect())
}

/// Says in a few lines how a robot is, and what has changed.
fn text(now: &Day, news: &[String]) -> String {
    let mut lines = vec![format!("{}: {}", now.robot, now.summary())];
    let care = now.health.iter().filter(|line| line.severity() >= Severity::Look);
    for line in care {
        let why = line.why.as_deref().map(|why| format!(" ({why})")).unwrap_or_default();
        lines.push(format!("  {}: {}: {}{why}", line.severity, line.about, line.value));
    }
    lines.extend(news.iter().map(|news| format!("  changed: {news}")));
    if now.off.is_none() {
        let care = now.health.iter().map(|line| (line.severity(), line.about.as_str()));
        lines.push(format!("  {}", robot_health::summary(care)));
    }
    lines.iter().map(|line| format!("{}\n", printable_line(line))).collect()
}
