//! `boxstep fleet ls` and `boxstep fleet watch`: what the robots of the fleet are doing.

use super::live::{self, LivePage};
use super::report;
use crate::args::{FleetLsArgs, FleetWatchArgs};
use crate::failure::Failure;
use crate::fleet::Peer;
use crate::{exit, output};
use boxstep_fleet::message::{MemberState, Message, Status};
use boxstep_fleet::network::PeerId;
use boxstep_types::printable_line;
use boxstep_view::ShowState;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// How long robots have to answer.
const ANSWERS: Duration = Duration::from_millis(1500);
/// How often they are asked.
const ASK_EACH: Duration = Duration::from_millis(500);
/// After how long a robot that does not answer is gone.
const GONE: Duration = Duration::from_secs(2);

/// Lists the robots of the fleet.
pub(crate) fn ls(args: &FleetLsArgs) -> Result<i32, Failure> {
    let peer = Peer::open(&args.network)?;
    let mut robots: BTreeMap<PeerId, Status> = BTreeMap::new();
    let end = Instant::now() + ANSWERS;
    while Instant::now() < end {
        peer.send(None, &Message::Ask);
        let until = end.min(Instant::now() + ASK_EACH);
        while let Some((from, message)) = peer.next(until) {
            if let Message::Status(status) = message {
                robots.insert(from, *status);
            }
        }
    }
    let mut robots: Vec<Status> = robots.into_values().collect();
    robots.sort_by(|a, b| a.card.name.cmp(&b.card.name));
    let mut out = output::stdout();
    if args.json {
        let text = serde_json::to_string_pretty(&robots).map_err(|e| Failure::Run(e.to_string()))?;
        writeln!(out, "{text}")?;
    } else if robots.is_empty() {
        writeln!(out, "no robot of the fleet answers")?;
    }
    for status in robots.iter().filter(|_| !args.json) {
        let card = &status.card;
        let line = format!("{} ({} on {}, Boxstep {})", report::state(status), card.body, card.robot, card.version);
        writeln!(out, "{}", printable_line(&line))?;
    }
    out.flush()?;
    Ok(exit::OK)
}

/// Prints what changes, until a signal comes.
pub(crate) fn watch(args: &FleetWatchArgs) -> Result<i32, Failure> {
    let peer = Peer::open(&args.network)?;
    let empty = ShowState { title: "Fleet".to_owned(), says: heard(0), ..ShowState::default() };
    let page = LivePage::open(&args.page, empty, false)?;
    let began = Instant::now();
    let mut robots: BTreeMap<PeerId, Watched> = BTreeMap::new();
    let mut asked: Option<Instant> = None;
    // Who had each lane of the page last.
    let mut lanes: Vec<(String, PeerId)> = Vec::new();
    loop {
        if asked.is_none_or(|asked| asked.elapsed() >= ASK_EACH) {
            peer.send(None, &Message::Ask);
            asked = Some(Instant::now());
        }
        let came = peer.next(Instant::now() + ASK_EACH);
        let now = began.elapsed().as_secs_f64();
        let mut lines = Vec::new();
        if let Some((from, Message::Status(status))) = came {
            let line = report::state(&status);
            // Its progress changes all the time.
            let is_new = robots.get(&from).is_none_or(|last| {
                let both = (&last.status.state, &status.state);
                last.said != line && !matches!(both, (MemberState::Fetching { .. }, MemberState::Fetching { .. }))
            });
            if is_new {
                lines.push(line.clone());
            }
            if let Some(page) = &page {
                let lane = lane_of(&mut lanes, &robots, from, &status.card.name);
                let before = robots.get(&from).map(|last| &last.status);
                page.update(|state| live::watched(state, lane, now, before, &status));
            }
            robots.insert(from, Watched { heard: Instant::now(), status: *status, said: line });
        }
        robots.retain(|from, Watched { heard, status, .. }| {
            let is_gone = heard.elapsed() > GONE;
            if is_gone {
                lines.push(format!("{}: is gone", status.card.name));
                let lane = lanes.iter().position(|(_, peer)| peer == from);
                if let (Some(page), Some(lane)) = (&page, lane) {
                    page.update(|state| live::gone(state, lane, now));
                }
            }
            !is_gone
        });
        if let Some(page) = &page {
            page.update(|state| (state.now, state.says) = (now, heard(robots.len())));
        }
        let mut out = output::stdout();
        for line in lines {
            writeln!(out, "{now:8.1} s  {}", printable_line(&line))?;
        }
        out.flush()?;
    }
}

/// A robot that is watched.
struct Watched {
    heard: Instant,
    status: Status,
    /// The line that was printed of it.
    said: String,
}

/// Returns how many robots there are, in words.
fn heard(robots: usize) -> String {
    match robots {
        0 => "no robot is heard".to_owned(),
        1 => "1 robot is heard".to_owned(),
        robots => format!("{robots} robots are heard"),
    }
}

/// Returns the lane of a robot: its own, or that of a robot with its name that is gone, or a new one.
fn lane_of(lanes: &mut Vec<(String, PeerId)>, robots: &BTreeMap<PeerId, Watched>, from: PeerId, name: &str) -> usize {
    if let Some(own) = lanes.iter().position(|(_, peer)| *peer == from) {
        return own;
    }
    let left = lanes.iter().position(|(known, peer)| known == name && !robots.contains_key(peer));
    match left {
        Some(lane) => lanes[lane].1 = from,
        None => lanes.push((name.to_owned(), from)),
    }
    left.unwrap_or(lanes.len() - 1)
}
