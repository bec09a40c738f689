//! The page about all robots of a folder: how they are, what changes, and curves of the last weeks.

use super::changes::changes;
use super::day::Day;
use super::store::{Kept, put};
use crate::failure::Failure;
use crate::html::escape as html;
use boxstep_robot::naoqi::health::Severity;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The name of the page.
const FILE: &str = "index.html";
/// What tells the page from one that somebody else has written.
const MARK: &str = "<meta name=\"generator\" content=\"boxstep keep\">";
/// How many days the curves show.
const SHOWN: i64 = 60;

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --look: #9a6700; --broken: #b42318; --quiet: #667085; --card: #f6f8fa }
@media (prefers-color-scheme: dark) { :root { --good: #56d364; --look: #e3b341; --broken: #ff8a7a; --quiet: #98a2b3; --card: #1c2128 } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
h1 { font-size: 1.4rem; margin: .5rem 0 0 } h2 { font-size: 1.15rem; margin: 0 } h3 { font-size: 1rem; margin: 1rem 0 .2rem }
.quiet { color: var(--quiet) } .good { color: var(--good) } .look { color: var(--look) } .broken { color: var(--broken) }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 1rem; align-items: start }
article { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem }
header { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .2rem 1rem; align-items: baseline }
article p { margin: .3rem 0 } ul { margin: .2rem 0; padding-left: 1.2rem }
dl { margin: .6rem 0 0 } dt { font-weight: 600 } dd { margin: 0 0 .5rem }
.curves { display: grid; grid-template-columns: repeat(3, 1fr); gap: .6rem; margin-top: .8rem } figure { margin: 0 }
figcaption { font-size: .8rem; color: var(--quiet) } svg { display: block; width: 100%; height: 3rem; overflow: visible }
";

/// Refuses a folder that has another page of this name, which would be lost.
pub(super) fn check(folder: &Path) -> Result<(), Failure> {
    let path = folder.join(FILE);
    match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Ok(page) if page.windows(MARK.len()).any(|part| part == MARK.as_bytes()) => Ok(()),
        Ok(_) => Err(Failure::Usage(format!("{} is not a page of keep: name another folder", path.display()))),
        Err(error) => Err(Failure::io(&path, &error)),
    }
}

/// Writes the page about all robots of which the folder has reports; returns its path.
pub(super) fn write(folder: &Path) -> Result<PathBuf, Failure> {
    let mut robots: Vec<Vec<Day>> = Kept::all(folder)?.iter().map(Kept::days).filter(|days| !days.is_empty()).collect();
    robots.sort_by_key(|days| days.last().map(place));
    let path = folder.join(FILE);
    put(&path, page(&robots).as_bytes())?;
    Ok(path)
}

/// What needs care comes first, then who is off.
fn place(day: &Day) -> u8 {
    match (&day.off, day.worst()) {
        (Some(_), _) => 2,
        (None, Severity::Broken) => 0,
        (None, Severity::Look) => 1,
        (None, Severity::Good | Severity::Unknown) => 3,
    }
}

fn page(robots: &[Vec<Day>]) -> String {
    let mut page = String::new();
    let last = robots.iter().filter_map(|days| days.last()).map(|day| day.day.as_str()).max().unwrap_or_default();
    let count =
        |wanted: fn(&Day) -> bool| robots.iter().filter_map(|days| days.last()).filter(|day| wanted(day)).count();
    let off = count(|day| day.off.is_some());
    let broken = count(|day| day.off.is_none() && day.worst() == Severity::Broken);
    let look = count(|day| day.off.is_none() && day.worst() == Severity::Look);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         {MARK}<title>Robots</title><style>{STYLE}</style>\n<h1>Robots</h1>\n\
         <p class=\"quiet\">{}: {} robots, {broken} with something broken, {look} to look at, {off} off. No robot has confirmed these \
         reports yet.</p>\n<main>\n",
        html(last),
        robots.len(),
    );
    robots.iter().filter_map(|days| days.split_last()).for_each(|(now, before)| robot(&mut page, before, now));
    page.push_str("</main>\n");
    page
}

fn robot(page: &mut String, before: &[Day], now: &Day) {
    let (class, word) = match (&now.off, now.worst()) {
        (Some(_), _) => ("quiet", "off"),
        (None, Severity::Broken) => ("broken", "broken"),
        (None, Severity::Look) => ("look", "look at it"),
        (None, Severity::Good | Severity::Unknown) => ("good", "good"),
    };
    let name =
        now.name.as_deref().filter(|name| *name != now.robot).map(|name| format!(" ({name})")).unwrap_or_default();
    let _ = write!(
        page,
        "<article><header><h2>{}{}</h2><strong class=\"{class}\">{word}</strong></header>\n<p class=\"quiet\">{}, {}</p>\n",
        html(&now.robot),
        html(&name),
        html(&now.day),
        html(&now.summary()),
    );
    let news = changes(before, now);
    if !news.is_empty() {
        page.push_str("<h3>What has changed</h3>\n<ul>\n");
        for news in news {
            let _ = writeln!(page, "<li>{}", html(&news));
        }
        page.push_str("</ul>\n");
    }
    let (care, good): (Vec<_>, Vec<_>) = now.health.iter().partition(|line| line.severity() >= Severity::Look);
    page.push_str("<dl>\n");
    for line in care.iter().chain(&good) {
        let severity = line.severity().id();
        let _ = write!(
            page,
            "<dt><span class=\"{severity}\">{severity}</span> {}<dd>{}",
            html(&line.about),
            html(&line.value)
        );
        for (text, class) in [(&line.why, severity), (&line.help, "quiet")] {
            if let Some(text) = text {
                let _ = write!(page, "<br><span class=\"{class}\">{}</span>", html(text));
            }
        }
        page.push('\n');
    }
    page.push_str("</dl>\n");
    curves(page, before, now);
    page.push_str("</article>\n");
}

fn curves(page: &mut String, before: &[Day], now: &Day) {
    #[allow(clippy::cast_precision_loss, reason = "percent")]
    let charge = |day: &Day| day.charge.map(|charge| charge as f64);
    let drawn = [
        curve("charge", "%", true, before, now, &charge),
        curve("warmest motor", "°C", false, before, now, &|day| day.warmest().map(|(_, degrees)| degrees)),
        curve("disk", "%", true, before, now, &Day::full),
    ];
    if drawn.iter().any(Option::is_some) {
        let _ = writeln!(page, "<div class=\"curves\">{}</div>", drawn.into_iter().flatten().collect::<String>());
    }
}

/// Draws the values of the last weeks; nothing if there is only one.
fn curve(
    what: &str,
    unit: &str,
    percent: bool,
    before: &[Day],
    now: &Day,
    of: &dyn Fn(&Day) -> Option<f64>,
) -> Option<String> {
    let today = now.number()?;
    let days = before.iter().chain([now]).filter_map(|day| {
        let ago = today.checked_sub(day.number()?).filter(|ago| (0..SHOWN).contains(ago))?;
        Some((ago, of(day)?))
    });
    let days: Vec<(i64, f64)> = days.collect();
    let (first, last) = (days.first()?, days.last()?);
    if days.len() < 2 {
        return None;
    }
    let least = days.iter().map(|(_, value)| value - 5.0).fold(f64::INFINITY, f64::min);
    let most = days.iter().map(|(_, value)| value + 5.0).fold(least + 20.0, f64::max);
    let (least, most) = if percent { (0.0, 100.0) } else { (least, most) };
    let span = first.0.max(1);
    let mut points = String::new();
    for (ago, value) in &days {
        #[allow(clippy::cast_precision_loss, reason = "a few days")]
        let x = 100.0 - *ago as f64 * 100.0 / span as f64;
        let y = 30.0 - (value.clamp(least, most) - least) / (most - least) * 30.0;
        let _ = write!(points, "{x:.1},{y:.1} ");
    }
    let title = format!("{what}: {:.0} {unit} {} days ago, {:.0} {unit} now", first.1, first.0, last.1);
    Some(format!(
        "<figure><svg viewBox=\"0 0 100 30\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\
         <path d=\"M0 30H100\" stroke=\"var(--line)\" vector-effect=\"non-scaling-stroke\"/>\
         <polyline points=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.5\" vector-effect=\"non-scaling-stroke\"/></svg>\
         <figcaption>{what}, {} days<br>{:.0} {unit} now</figcaption></figure>",
        points.trim_end(),
        first.0,
        last.1
    ))
}
