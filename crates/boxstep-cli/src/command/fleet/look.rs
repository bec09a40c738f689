//! `boxstep fleet ls` and `boxstep fleet watch`: what the robots of the fleet are doing.

use super::report;
use crate::args::{FleetLsArgs, FleetWatchArgs};
use crate::failure::Failure;
use crate::fleet::Peer;
use crate::{exit, output};
use boxstep_fleet::message::{MemberState, Message, Status};
use boxstep_fleet::network::PeerId;
use boxstep_types::printable_line;
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
    let began = Instant::now();
    let mut robots: BTreeMap<PeerId, (Instant, Status, String)> = BTreeMap::new();
    let mut asked: Option<Instant> = None;
    loop {
        if asked.is_none_or(|asked| asked.elapsed() >= ASK_EACH) {
            peer.send(None, &Message::Ask);
            asked = Some(Instant::now());
        }
        let came = peer.next(Instant::now() + ASK_EACH);
        let mut lines = Vec::new();
        if let Some((from, Message::Status(status))) = came {
            let line = report::state(&status);
            // Its progress changes all the time.
            let is_new = robots.get(&from).is_none_or(|(_, last, said)| {
                *said != line && !matches!((&last.state, &status.state), (MemberState::Fetching { .. }, MemberState::Fetching { .. }))
            });
            if is_new {
                lines.push(line.clone());
            }
            robots.insert(from, (Instant::now(), *status, line));
        }
        robots.retain(|_, (heard, status, _)| {
            let is_gone = heard.elapsed() > GONE;
            if is_gone {
                lines.push(format!("{}: is gone", status.card.name));
            }
            !is_gone
        });
        let mut out = output::stdout();
        for line in lines {
            writeln!(out, "{:8.1} s  {}", began.elapsed().as_secs_f64(), printable_line(&line))?;
        }
        out.flush()?;
    }
}
