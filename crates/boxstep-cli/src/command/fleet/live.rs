//! The page of a show while it goes on: `fleet play --view` and `fleet watch --view`.

use super::{lanes, report};
use crate::args::ShowPageArgs;
use crate::failure::Failure;
use crate::view::PageAddress;
use crate::{output, page_lines};
use boxstep_fleet::leader::{Entry, Files, Leader, Robot};
use boxstep_fleet::message::{MemberState, Phase, Status};
use boxstep_fleet::show::Show;
use boxstep_view::{Lane, LaneState, Server, SharedShow, ShowControls, ShowEntry, ShowEvent, ShowPage, ShowState};
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most lines of an account that a page of a fleet keeps. Somebody may watch for days.
const MOST_ENTRIES: usize = 20_000;

/// A page that is served while the show goes on.
pub(super) struct LivePage {
    shared: SharedShow,
    stop: Arc<AtomicBool>,
    _server: Server,
}

/// What the page of a show that is led can do: stop it.
struct Stops {
    shared: SharedShow,
    stop: Arc<AtomicBool>,
}

impl ShowControls for Stops {
    fn stops(&self) -> bool {
        true
    }

    fn stop(&self) -> Result<(), String> {
        if self.shared.update(|state| state.over) {
            return Err("the show is over".to_owned());
        }
        self.stop.store(true, Ordering::Release);
        Ok(())
    }
}

/// What the page of a fleet that is watched can do: nothing.
struct Watches;

impl ShowControls for Watches {}

impl LivePage {
    /// Serves a page, if the arguments want one, and prints its address. A page that `stops` can stop everything.
    pub(super) fn open(args: &ShowPageArgs, state: ShowState, stops: bool) -> Result<Option<Self>, Failure> {
        let Some(view) = &args.view else { return Ok(None) };
        let PageAddress { at, access } = PageAddress::parse(view, args.view_token.as_deref())?;
        let (shared, stop) = (SharedShow::new(state), Arc::<AtomicBool>::default());
        let controls: Arc<dyn ShowControls> = match stops {
            true => Arc::new(Stops { shared: shared.clone(), stop: stop.clone() }),
            false => Arc::new(Watches),
        };
        let page = ShowPage { shared: shared.clone(), live: true, controls };
        let server = Server::of_show(at, page, access).map_err(PageAddress::unheard(at))?;
        let mut out = output::stdout();
        writeln!(out, "{}", page_lines::announcement(&server.url()))?;
        out.flush()?;
        Ok(Some(Self { shared, stop, _server: server }))
    }

    /// Returns whether somebody has stopped everything on the page.
    pub(super) fn wants_stop(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Shows what a leader knows: what has just happened, and the states of the robots.
    pub(super) fn lead<F: Files>(&self, leader: &Leader<F>, new: &[Entry], now: f64) {
        self.shared.update(|state| {
            for entry in new {
                lanes::add(state, leader.show(), entry);
            }
            if state.over {
                return;
            }
            state.now = state.now.max(now);
            state.says = phase(leader);
            for (lane, robot) in state.lanes.iter_mut().zip(leader.robots()) {
                of_robot(lane, robot, leader.show());
            }
        });
    }

    /// Changes what a page shows.
    pub(super) fn update(&self, change: impl FnOnce(&mut ShowState)) {
        self.shared.update(change);
    }
}

/// Returns what is going on, in words.
fn phase<F: Files>(leader: &Leader<F>) -> String {
    let scene = leader.scene().map(|start| report::scene_name(leader.show(), start.scene));
    match (leader.phase(), scene) {
        (Phase::Holding { why }, _) => lanes::shown(&format!("the show holds: it {why}")),
        (Phase::Playing, Some(scene)) => lanes::shown(&format!("plays “{scene}”")),
        _ => "waits for its robots".to_owned(),
    }
}

/// Fills the lane of a robot by what the leader knows of it.
fn of_robot(lane: &mut Lane, robot: &Robot, show: &Show) {
    let Some(status) = &robot.status else { return };
    of_status(lane, status, Some(show));
    if robot.lost {
        (lane.state, lane.says) = (LaneState::Lost, "is lost".to_owned());
    }
}

/// Fills the lane of a robot by what it says of itself.
fn of_status(lane: &mut Lane, status: &Status, show: Option<&Show>) {
    lane.body = lanes::shown(&status.info.body);
    lane.clock = status.clock.map(|clock| clock.error * 1e3).filter(|error| error.is_finite());
    lane.says = lanes::shown(&report::doing(status, show));
    lane.state = match &status.state {
        MemberState::Free => LaneState::Free,
        MemberState::Fetching { .. } | MemberState::Preparing => LaneState::Preparing,
        MemberState::Armed => LaneState::Armed,
        MemberState::Playing => LaneState::Playing,
        MemberState::Waiting => LaneState::Waiting,
        MemberState::Holding { .. } => LaneState::Holding,
        MemberState::Stopped { .. } => LaneState::Stopped,
        MemberState::Refused { .. } => LaneState::Refused,
    };
}

/// Shows a robot of a fleet that is watched: what it says of itself, and what is new in that. `lane` is its number
/// among the lanes; a new one is added at the end.
pub(super) fn watched(state: &mut ShowState, lane: usize, now: f64, before: Option<&Status>, status: &Status) {
    let is_known = lane < state.lanes.len();
    if lane == state.lanes.len() {
        state.lanes.push(Lane { name: lanes::shown(&status.info.name), ..Lane::default() });
    }
    let Some(shown) = state.lanes.get_mut(lane) else { return };
    of_status(shown, status, None);
    for (event, text) in changes(before, status) {
        match event {
            ShowEvent::Joined if is_known => note(state, now, lane, ShowEvent::Back, "is back"),
            event => note(state, now, lane, event, &text),
        }
    }
}

/// Shows that a robot is not heard any more.
pub(super) fn gone(state: &mut ShowState, lane: usize, now: f64) {
    if let Some(shown) = state.lanes.get_mut(lane) {
        (shown.state, shown.says) = (LaneState::Lost, "is gone".to_owned());
        note(state, now, lane, ShowEvent::Lost, "is gone");
    }
}

/// Adds a line to the account of a fleet that is watched.
fn note(state: &mut ShowState, now: f64, lane: usize, event: ShowEvent, text: &str) {
    let entry = ShowEntry { at: now, robot: Some(lane), event, text: lanes::shown(text) };
    match state.entries.len() {
        MOST_ENTRIES => state.entries.push(ShowEntry {
            robot: None,
            event: ShowEvent::Trouble,
            text: "the account is full: begin to watch again".to_owned(),
            ..entry
        }),
        len if len < MOST_ENTRIES => state.entries.push(entry),
        _ => {}
    }
}

/// Returns what is new in the state of a robot.
fn changes(before: Option<&Status>, status: &Status) -> Vec<(ShowEvent, String)> {
    let is_new = |differs: &dyn Fn(&Status) -> bool| before.is_none_or(differs);
    let mut new = Vec::new();
    if before.is_none() {
        new.push((ShowEvent::Joined, "is there".to_owned()));
    }
    if is_new(&|before| before.state != status.state) {
        let event = match &status.state {
            MemberState::Armed => Some(ShowEvent::Armed),
            MemberState::Refused { .. } => Some(ShowEvent::Refused),
            MemberState::Holding { .. } => Some(ShowEvent::Held),
            MemberState::Stopped { .. } => Some(ShowEvent::Stopped),
            _ => before
                .is_some_and(|before| matches!(before.state, MemberState::Holding { .. }))
                .then_some(ShowEvent::GoesOn),
        };
        new.extend(event.map(|event| (event, report::doing(status, None))));
    }
    let scene = |scene: u32| format!("scene {}", scene.saturating_add(1));
    if let Some(started) = status.started.filter(|_| is_new(&|before| before.started != status.started)) {
        new.push((ShowEvent::Started { scene: scene(started) }, format!("plays {}", scene(started))));
    }
    if let Some(done) = status.done.filter(|_| is_new(&|before| before.done != status.done)) {
        new.push((ShowEvent::Ended { scene: scene(done) }, format!("has ended {}", scene(done))));
    }
    let known = before.and_then(|before| before.fired.last()).map_or(0, |fired| fired.number);
    for _ in status.fired.iter().filter(|fired| fired.number > known) {
        new.push((ShowEvent::Cue { to: Vec::new(), after: 0.0 }, "gives a signal".to_owned()));
    }
    if let Some(text) = status.trouble.as_ref().filter(|_| is_new(&|before| before.trouble != status.trouble)) {
        new.push((ShowEvent::Trouble, text.clone()));
    }
    new
}
