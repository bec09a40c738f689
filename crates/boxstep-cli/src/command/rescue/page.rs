//! The page about a rescue: what came, what plays, what is missing.

use super::Rescue;
use super::tried::Tried;
use crate::failure::Failure;
use crate::html::escape as html;
use boxstep_rescue::manifest::{self, State};
use boxstep_rescue::places;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// The name of the page.
pub(super) const FILE: &str = "index.html";

const STYLE: &str = "\
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #b42318; --quiet: #667085 }
@media (prefers-color-scheme: dark) { :root { --good: #56d364; --bad: #ff8a7a; --quiet: #98a2b3 } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.15rem; margin-top: 2.2rem } p.quiet, .quiet { color: var(--quiet) }
table { border-collapse: collapse; width: 100% } td, th { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; padding: 0 }
.cards li { list-style: none; border: 1px solid var(--line); border-radius: 8px; padding: .8rem; overflow-wrap: anywhere }
.cards img { display: block; width: 100%; height: 9rem; object-fit: contain; margin-bottom: .5rem }
.good { color: var(--good) } .bad { color: var(--bad) } code { font-size: .9em; overflow-wrap: anywhere }
details > summary { cursor: pointer }
";

/// What an owner should try, as no robot has confirmed it.
const TRY: [&str; 6] = [
    "Compare the size of a folder of the robot with its size here: <code>du -sb</code> on the robot, the manifest here.",
    "Play a behavior that you know, and look whether it is the right one.",
    "Look for what you made yourself and what is not in <code>/home/nao</code>: this rescue does not know of it.",
    "Pull the plug of the network in the middle, and give the command again.",
    "Put all of it on another robot, <code>boxstep install FOLDER --robot NEW</code>, or on a simulated one, <code>boxstep robot --disk NEW</code>, and play it there.",
    "Send the output of <code>boxstep rescue FOLDER --report</code> to those who write Boxstep: it has no names and no texts.",
];

/// Writes the page.
pub(super) fn write(folder: &Path, rescue: &Rescue) -> Result<(), Failure> {
    let items = manifest::of_folder(folder).unwrap_or_default();
    super::put(&folder.join(FILE), page(rescue, &items).as_bytes())
}

fn page(rescue: &Rescue, items: &BTreeMap<String, State>) -> String {
    let mut page = String::new();
    let title = html(&format!("What {} held", rescue.from));
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title><style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
    let (mut files, mut bytes, mut folders) = (0_u64, 0_u64, BTreeMap::<&str, (u64, u64)>::new());
    let mut left: Vec<(&str, &str)> = Vec::new();
    let mut links: Vec<(&str, &str)> = Vec::new();
    let mut odd: Vec<(&str, &str)> = Vec::new();
    for (path, state) in items {
        match state {
            State::Taken(taken) => {
                files += 1;
                bytes += taken.size;
                let of = folders.entry(taken.file.split('/').next().unwrap_or_default()).or_default();
                (of.0, of.1) = (of.0 + 1, of.1 + taken.size);
                odd.extend(taken.remark.as_deref().map(|remark| (path.as_str(), remark)));
            }
            State::Left(why) => left.push((path, why)),
            State::Begun(_) => left.push((path, "it was being read when the rescue was cut")),
            State::Link(to) => links.push((path, to)),
        }
    }
    let time = boxstep_types::calendar::rfc3339(i64::try_from(rescue.at).unwrap_or_default());
    let date = time.split('T').next().unwrap_or_default();
    let _ = writeln!(
        page,
        "<p class=\"quiet\">{files} files, {}, taken on {date} by Boxstep {}. No robot has confirmed this tool yet; \
         <a href=\"#try\">what you should try</a>.</p>",
        indicatif::HumanBytes(bytes),
        html(&rescue.boxstep),
    );
    if !rescue.whole {
        page.push_str("<p class=\"bad\">This rescue is not complete: give the same command again.</p>\n");
    }
    page.push_str("<h2>What came</h2>\n<table><tr><th>folder<th>files<th>size<th>what<th>on the robot</tr>\n");
    for (name, (files, bytes)) in &folders {
        let (what, place) = places::known(name).unwrap_or_default();
        let size = indicatif::HumanBytes(*bytes);
        let name = html(name);
        let _ = writeln!(
            page,
            "<tr><td><a href=\"{name}/\">{name}</a><td>{files}<td>{size}<td>{what}<td><code>{place}</code></tr>"
        );
    }
    for (subject, answers) in &rescue.subjects {
        let subject = html(subject);
        let _ = writeln!(
            page,
            "<tr><td><a href=\"robot/{subject}.json\">robot/{subject}.json</a><td>{answers}<td><td>what the robot says of its {subject}<td></tr>"
        );
    }
    page.push_str("</table>\n");
    let works = rescue.tried.iter().filter(|tried| tried.works()).count();
    let how = if rescue.scripts {
        "play in simulation, with their scripts"
    } else {
        "play in simulation without their scripts, which were not run: they are programs. <code>--scripts</code> runs them, too"
    };
    let _ =
        writeln!(page, "<h2>What plays</h2>\n<p>{works} of {} {how}.</p>\n<ul class=\"cards\">", rescue.tried.len());
    rescue.tried.iter().for_each(|tried| card(&mut page, tried, rescue.scripts));
    page.push_str("</ul>\n");
    if !left.is_empty() || !rescue.left.is_empty() {
        let _ = writeln!(page, "<h2>What was not taken</h2>\n<table>");
        for why in &rescue.left {
            let _ = writeln!(page, "<tr><td colspan=\"2\">{}</tr>", html(why));
        }
        for (path, why) in left {
            let _ = writeln!(page, "<tr><td><code>{}</code><td>{}</tr>", html(path), html(why));
        }
        page.push_str("</table>\n");
    }
    if !odd.is_empty() {
        page.push_str("<h2>What came, and is to be looked at</h2>\n<table>");
        for (path, remark) in odd {
            let _ = writeln!(page, "<tr><td><code>{}</code><td>{}</tr>", html(path), html(remark));
        }
        page.push_str("</table>\n");
    }
    if !links.is_empty() {
        let words = "Links are not made here. What they lead to came if it is in one of the folders above.";
        let _ = writeln!(page, "<h2>Links</h2>\n<details><summary>{}</summary><p>{words}</p>\n<table>", links.len());
        for (path, to) in links {
            let _ = writeln!(page, "<tr><td><code>{}</code><td><code>{}</code></tr>", html(path), html(to));
        }
        page.push_str("</table></details>\n");
    }
    page.push_str("<h2 id=\"try\">What you should try</h2>\n<ol>\n");
    for step in TRY {
        let _ = writeln!(page, "<li>{step}");
    }
    page.push_str("</ol>\n");
    page
}

fn card(page: &mut String, tried: &Tried, scripts: bool) {
    page.push_str("<li>");
    if let Some(drawing) = &tried.drawing {
        let _ = write!(page, "<img loading=\"lazy\" alt=\"\" src=\"{}\">", html(drawing));
    }
    let _ = write!(
        page,
        "<strong>{}</strong> <span class=\"quiet\">{}</span><br><code>{}</code><br>",
        html(&tried.name),
        html(&tried.kind),
        html(&tried.file)
    );
    match (&tried.why, tried.works()) {
        (_, true) if scripts => page.push_str("<span class=\"good\">plays</span>"),
        (_, true) => page.push_str("<span class=\"good\">plays without its scripts</span>"),
        (Some(why), false) => {
            let _ = write!(page, "<span class=\"bad\">{}</span>", html(why));
        }
        (None, false) => page.push_str("<span class=\"bad\">does not play</span>"),
    }
    if tried.errors + tried.warnings > 0 {
        let _ = write!(
            page,
            "<details><summary>{}, {}</summary>",
            counted(tried.errors, "error"),
            counted(tried.warnings, "warning")
        );
        for finding in &tried.findings {
            let _ = write!(page, "<div>{}</div>", html(finding));
        }
        page.push_str("</details>");
    }
    page.push_str("</li>\n");
}

fn counted(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}
