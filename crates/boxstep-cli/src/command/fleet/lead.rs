//! `boxstep fleet play`: leads a show.

use super::live::LivePage;
use super::{lanes, merged, report};
use crate::args::FleetPlayArgs;
use crate::failure::Failure;
use crate::fleet::{Bundle, Peer, RealRunClock};
use crate::{exit, output, page_lines, remote};
use boxstep_fleet::leader::{Entry, Leader};
use boxstep_fleet::member::STEP;
use boxstep_fleet::message::Message;
use boxstep_fleet::show::Show;
use boxstep_fleet::store::FolderStore;
use boxstep_types::printable_line;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long, and how often, a stop is repeated: a message may be lost.
const STOPS: u32 = 10;
/// How many steps robots have to answer a stop, before it is said that they have not.
const ANSWER: u32 = 20;

/// Leads a show to its end.
pub(crate) fn run(args: &FleetPlayArgs) -> Result<i32, Failure> {
    let bundle = Bundle::open(&args.show)?;
    let parts = tempfile::tempdir()?;
    if let Some(folder) = &args.record {
        fs::create_dir_all(folder).map_err(|e| Failure::io(folder, &e))?;
        report::may_record(folder, &bundle.show)?;
    }
    // The first one stops the show, the second one ends the wait for robots that do not confirm that.
    let noted = remote::note_signals(2).map_err(|e| Failure::Run(format!("signals cannot be handled: {e}")))?;
    let peer = Peer::open(&args.network)?;
    let page = LivePage::open(&args.page, lanes::of_show(&bundle.show), true)?;
    let clock = RealRunClock::new();
    let show = bundle.show.clone();
    // The number of a process of the network is random, and a process leads one performance.
    let mut leader = Leader::new(show, bundle, peer.id().0, args.within.as_secs_f64(), clock.local());
    let store = FolderStore::open(parts.path(), "leader")?;
    if args.record.is_some() {
        leader = leader.collecting(store.clone());
    }
    let (mut told, mut stops, mut cleared) = (0, 0, false);
    let mut waits = Waits::default();
    // Ctrl-C when everything has been stopped already: nobody is waited for.
    let (mut signals, mut hurries) = (0, false);
    while !(leader.is_finished(clock.local()) || hurries) || (1..STOPS).contains(&stops) {
        let until = Instant::now() + STEP;
        while let Some((from, message)) = peer.next(until) {
            leader.receive(clock.local(), from, message);
            peer.send_all(leader.take_messages());
        }
        leader.tick(clock.local());
        if noted.times() > signals {
            (signals, hurries) = (noted.times(), leader.phase().is_over());
        }
        let on_page = page.as_ref().is_some_and(LivePage::wants_stop);
        if (noted.is_set() || on_page) && stops < STOPS {
            stops += 1;
            let by = if on_page { "a person at the page of the show" } else { "a person at the leader's computer" };
            leader.stop(clock.local(), by);
        }
        peer.send_all(leader.take_messages());
        let new = &leader.account()[told..];
        if let Some(page) = &page {
            page.lead(&leader, new, clock.local().0 as f64 / 1e9);
        }
        tell(leader.show(), new);
        told = leader.account().len();
        waits.tell(&leader);
        if let Some(folder) = args.record.as_ref().filter(|_| leader.phase().is_over() && !cleared) {
            // Whatever becomes of the traces, what has happened is written; and a full disk delays no stop.
            let written =
                report::clear(folder).and_then(|()| report::write_account(folder, leader.show(), leader.account()));
            if let Err(why) = written {
                let _ = writeln!(crate::terminal::stderr(), "{why}");
            }
            cleared = true;
        }
    }
    tell_unconfirmed(&leader);
    if let Some(folder) = &args.record {
        record(folder, &leader, &store)?;
    }
    let interrupted = noted.is_set();
    if page.is_some() && !interrupted {
        let mut out = output::stdout();
        let _ = writeln!(out, "{}", page_lines::STAYS).and_then(|()| out.flush());
        drop(out);
        while !noted.is_set() {
            drop(peer.next(Instant::now() + STEP));
        }
    }
    match report::failure(leader.phase()) {
        _ if interrupted => Ok(exit::INTERRUPTED),
        None => Ok(exit::OK),
        Some(why) => Err(Failure::Run(why)),
    }
}

/// Prints what has happened. If it cannot be printed, for example on a full disk, the show goes on.
fn tell(show: &Show, new: &[Entry]) {
    let mut out = output::stdout();
    let told = new.iter().try_for_each(|entry| writeln!(out, "{}", report::line(show, entry)));
    let _ = told.and_then(|()| out.flush());
}

/// Writes the traces that were collected, and the account. What cannot be written is said, and the others are.
fn record(folder: &Path, leader: &Leader<Bundle>, store: &FolderStore) -> Result<(), Failure> {
    let show = leader.show();
    for (name, recordings) in report::file_names(show).iter().zip(leader.recordings()) {
        for (number, digest) in (1..).zip(recordings) {
            let path = report::trace_file(folder, name, number);
            if let Err(why) = fs::copy(store.path(digest), &path) {
                let _ = writeln!(crate::terminal::stderr(), "{}", Failure::io(&path, &why));
            }
        }
    }
    report::write_account(folder, show, leader.account())?;
    merged::write(folder)
}

/// Says for which robots a show that was stopped waits.
#[derive(Default)]
struct Waits {
    looks: u32,
    told: Vec<usize>,
}

impl Waits {
    fn tell(&mut self, leader: &Leader<Bundle>) {
        let waits = leader.unconfirmed();
        self.looks = if waits.is_empty() { 0 } else { self.looks.saturating_add(1) };
        // Robots need a moment to answer.
        if self.looks > ANSWER && self.told != waits {
            let (names, most) = (names(leader.show(), &waits), leader.holds_after());
            let text =
                format!("not confirmed yet by {names}: the stop is told for {most:.0} s at most, or until Ctrl-C");
            let _ = writeln!(crate::terminal::stderr(), "{}", printable_line(&text));
            self.told = waits;
        }
    }
}

/// Names the robots that have not said that they stopped.
fn tell_unconfirmed(leader: &Leader<Bundle>) {
    let left = leader.unconfirmed();
    if !left.is_empty() {
        let text = format!("the stop was not confirmed by {}: look after the robot", names(leader.show(), &left));
        let _ = writeln!(crate::terminal::stderr(), "{}", printable_line(&text));
    }
}

fn names(show: &Show, robots: &[usize]) -> String {
    let names = robots.iter().filter_map(|robot| show.robots.get(*robot)).map(|role| role.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Stops everything that the robots of a fleet do.
pub(crate) fn stop(args: &crate::args::FleetStopArgs) -> Result<i32, Failure> {
    let peer = Peer::open(&args.network)?;
    let number = peer.id().0;
    let mut robots = std::collections::BTreeMap::new();
    for _ in 0..STOPS {
        peer.send(None, &Message::Stop { number, performance: None, by: "boxstep fleet stop".to_owned() });
        peer.send(None, &Message::Ask);
        let until = Instant::now() + Duration::from_millis(200);
        while let Some((from, message)) = peer.next(until) {
            if let Message::Status(status) = message {
                robots.insert(from, status);
            }
        }
    }
    let mut out = output::stdout();
    for status in robots.values() {
        writeln!(out, "{}", printable_line(&report::state(status)))?;
    }
    out.flush()?;
    let plays = |status: &boxstep_fleet::message::Status| {
        use boxstep_fleet::message::MemberState::{Fetching, Free, Refused, Stopped};
        !matches!(status.state, Stopped { .. } | Free | Refused { .. } | Fetching { .. })
    };
    match robots.values().filter(|status| plays(status)).count() {
        _ if robots.is_empty() => Err(Failure::NotThere("no robot of the fleet answers".to_owned())),
        0 => Ok(exit::OK),
        _ => Err(Failure::Run("not every robot says that it has stopped".to_owned())),
    }
}

/// Passes on the messages of others until a signal comes.
pub(crate) fn router(args: &crate::args::RouterArgs) -> Result<i32, Failure> {
    let network = crate::args::NetworkArgs { listen: Some(args.listen.clone()), ..Default::default() };
    let peer = Peer::router(&network)?;
    let mut out = output::stdout();
    writeln!(out, "passes on the messages of the fleet at {}; Ctrl-C ends it", args.listen)?;
    out.flush()?;
    drop(out);
    loop {
        drop(peer.next(Instant::now() + Duration::from_secs(1)));
    }
}
