//! A show as its page has it: a lane for each robot, and the account.

use super::report;
use boxstep_fleet::leader::{Entry, Event};
use boxstep_fleet::show::Show;
use boxstep_types::printable_line;
use boxstep_view::{Lane, LaneState, ShowEntry, ShowEvent, ShowState};

/// At most how many seconds before its beginning a scene is announced.
const SOON: f64 = 1e5;

/// Returns the page of a show of which nothing has happened yet.
pub(super) fn of_show(show: &Show) -> ShowState {
    let lane = |role: &boxstep_fleet::show::Role| Lane {
        name: shown(&role.name),
        body: shown(role.body.as_deref().unwrap_or_default()),
        says: "is not there yet".to_owned(),
        ..Lane::default()
    };
    ShowState {
        title: shown(&show.name),
        says: "waits for its robots".to_owned(),
        lanes: show.robots.iter().map(lane).collect(),
        ..ShowState::default()
    }
}

/// Adds what has happened to a page.
pub(super) fn add(state: &mut ShowState, show: &Show, entry: &Entry) {
    let text = shown(&report::what(show, entry));
    let added = ShowEntry { at: entry.at, robot: entry.robot, event: event(show, entry), text };
    state.now = state.now.max(entry.at);
    match entry.robot {
        Some(robot) => {
            if let Some(lane) = state.lanes.get_mut(robot) {
                follow(lane, &added);
            }
        }
        None => follow_all(state, &added),
    }
    state.entries.push(added);
}

/// Returns a text as it can be shown without changing what is around it.
pub(super) fn shown(text: &str) -> String {
    printable_line(text).into_owned()
}

fn event(show: &Show, entry: &Entry) -> ShowEvent {
    let scene = |scene: u32| shown(report::scene_name(show, scene));
    match &entry.event {
        Event::Joined => ShowEvent::Joined,
        Event::Armed => ShowEvent::Armed,
        Event::Refused { .. } => ShowEvent::Refused,
        Event::Lost => ShowEvent::Lost,
        Event::Back => ShowEvent::Back,
        // The leader's clock begins with the performance. A scene begins after it is announced, and not days later.
        Event::Scene { scene: of, at } => {
            ShowEvent::Scene { scene: scene(*of), begins: (at.0 as f64 / 1e9).max(entry.at).min(entry.at + SOON) }
        }
        Event::Started { scene: of } => ShowEvent::Started { scene: scene(*of) },
        Event::Ended { scene: of } => ShowEvent::Ended { scene: scene(*of) },
        Event::Cue { cue } => {
            let cue = show.cues.get(*cue as usize);
            ShowEvent::Cue {
                to: cue.map(|cue| cue.to.clone()).unwrap_or_default(),
                after: cue.map_or(0.0, |cue| cue.after),
            }
        }
        Event::Trouble { .. } => ShowEvent::Trouble,
        Event::Held { .. } => ShowEvent::Held,
        Event::Stopped { .. } => ShowEvent::Stopped,
        Event::CalledOff { .. } => ShowEvent::CalledOff,
        Event::Over => ShowEvent::Over,
    }
}

/// Changes the state of a robot by what has happened to it.
fn follow(lane: &mut Lane, entry: &ShowEntry) {
    let state = match entry.event {
        ShowEvent::Joined | ShowEvent::Back => LaneState::Preparing,
        ShowEvent::Armed => LaneState::Armed,
        ShowEvent::Refused => LaneState::Refused,
        ShowEvent::Lost => LaneState::Lost,
        ShowEvent::Started { .. } => LaneState::Playing,
        ShowEvent::Ended { .. } | ShowEvent::GoesOn => LaneState::Waiting,
        ShowEvent::Held => LaneState::Holding,
        ShowEvent::Stopped => LaneState::Stopped,
        _ => return,
    };
    (lane.state, lane.says) = (state, entry.text.clone());
}

/// Changes the states of all by what has happened to the show.
fn follow_all(state: &mut ShowState, entry: &ShowEntry) {
    state.says.clone_from(&entry.text);
    let (to, says) = match entry.event {
        ShowEvent::Over => (LaneState::Over, "the show is over"),
        ShowEvent::Stopped => (LaneState::Stopped, "was stopped"),
        ShowEvent::CalledOff => {
            state.over = true;
            return;
        }
        _ => return,
    };
    state.over = true;
    let gone = |lane: &&mut Lane| {
        matches!(lane.state, LaneState::Absent | LaneState::Lost | LaneState::Stopped | LaneState::Refused)
    };
    for lane in state.lanes.iter_mut().filter(|lane| !gone(lane)) {
        (lane.state, lane.says) = (to, says.to_owned());
    }
}
