//! The page of a show with several robots: a lane for each of them, and the account of what has happened.
//!
//! What is shown is data of this module, without a show or a network: whoever leads, watches or reads a show fills it.

use crate::assets::{asset, page, style};
use crate::guard::guard;
use crate::server::Ended;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// What a robot of a show is doing, as the sign of its lane says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LaneState {
    /// It has not been heard yet.
    #[default]
    Absent,
    /// It takes no part in a show.
    Free,
    /// It gets files, connects or loads.
    Preparing,
    /// It is ready to start.
    Armed,
    /// It plays a scene.
    Playing,
    /// It waits for the next scene.
    Waiting,
    /// It waits in a safe posture.
    Holding,
    /// It is not heard any more.
    Lost,
    /// It was stopped.
    Stopped,
    /// It cannot take part.
    Refused,
    /// The show is over for it.
    Over,
}

/// A robot of a show.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// The name of its body; empty if it is not known.
    pub body: String,
    /// What it is doing.
    pub state: LaneState,
    /// The same in words.
    pub says: String,
    /// By how many milliseconds its clock may be wrong.
    pub clock: Option<f64>,
    /// The command that shows its trace; [`ShowControls::trace`] opens it.
    pub trace: Option<String>,
}

/// What a line of the account is about.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum ShowEvent {
    /// A robot was heard for the first time.
    Joined,
    /// It is ready to start.
    Armed,
    /// It cannot take part.
    Refused,
    /// It is not heard any more.
    Lost,
    /// It is heard again.
    Back,
    /// A scene was announced.
    Scene {
        /// Its name.
        scene: String,
        /// When it begins, in seconds of the show.
        begins: f64,
    },
    /// A robot has started a scene.
    Started {
        /// Its name.
        scene: String,
    },
    /// A scene has ended for a robot.
    Ended {
        /// Its name.
        scene: String,
    },
    /// A robot has given a signal.
    Cue {
        /// The robots that get it.
        to: Vec<usize>,
        /// After how many seconds they get it.
        after: f64,
    },
    /// Something has failed.
    Trouble,
    /// A robot, or the show, waits.
    Held,
    /// A robot goes on after it has waited.
    GoesOn,
    /// A robot, or all of them, were stopped.
    Stopped,
    /// The show did not begin.
    CalledOff,
    /// The show has come to its end.
    Over,
}

/// A line of the account.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShowEntry {
    /// Seconds since the beginning of the account.
    pub at: f64,
    /// The robot, by its number among the lanes; `None` for the show as a whole.
    pub robot: Option<usize>,
    /// What it is about.
    #[serde(flatten)]
    pub event: ShowEvent,
    /// What has happened, in words, without the robot.
    pub text: String,
}

/// What the page of a show displays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShowState {
    /// The name of the show.
    pub title: String,
    /// What is going on, in words.
    pub says: String,
    /// Whether nothing more will happen.
    pub over: bool,
    /// Seconds since the beginning of the account.
    pub now: f64,
    /// The robots.
    pub lanes: Vec<Lane>,
    /// What has happened. Lines are only added.
    pub entries: Vec<ShowEntry>,
}

/// The state of a show, which one thread updates and pages read.
#[derive(Clone, Debug, Default)]
pub struct SharedShow(Arc<Mutex<ShowState>>);

impl SharedShow {
    /// Shares a state.
    pub fn new(state: ShowState) -> Self {
        Self(Arc::new(Mutex::new(state)))
    }

    /// Reads or changes the state. Pages wait meanwhile.
    pub fn update<T>(&self, change: impl FnOnce(&mut ShowState) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a page of a show can do.
pub trait ShowControls: Send + Sync {
    /// Whether the page can stop the show.
    fn stops(&self) -> bool {
        false
    }

    /// Stops all robots at once.
    ///
    /// # Errors
    /// A sentence, if nothing can be stopped.
    fn stop(&self) -> Result<(), String> {
        Err("nothing plays here".to_owned())
    }

    /// Opens the page of a robot's trace, and returns its address. Blocks until the page exists.
    ///
    /// # Errors
    /// A sentence, if there is no such trace.
    fn trace(&self, robot: usize) -> Result<String, String> {
        Err(format!("there is no trace of the robot {robot}"))
    }
}

/// The contents of the page of a show.
#[derive(Clone)]
pub struct ShowPage {
    /// What is shown.
    pub shared: SharedShow,
    /// Whether the show goes on; otherwise it is a recording.
    pub live: bool,
    /// What the page can do.
    pub controls: Arc<dyn ShowControls>,
}

pub(crate) fn router(show: ShowPage, ended: &Ended) -> Router {
    Router::new()
        .route("/", get(|| async { page("show") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { asset(&name) }))
        .route("/drawing.css", get(|| async { style() }))
        .route("/show", get(state))
        .route("/stop", post(stop))
        .route("/trace", post(trace))
        .layer(axum::middleware::from_fn_with_state(ended.guard.clone(), guard))
        .with_state(show)
}

/// What the page has already.
#[derive(Deserialize)]
struct Known {
    /// How many lines of the account it has.
    #[serde(default)]
    entries: usize,
}

/// The state as the page gets it: all of it, and of the account what is new.
#[derive(Serialize)]
struct Told<'a> {
    title: &'a str,
    live: bool,
    stops: bool,
    says: &'a str,
    over: bool,
    now: f64,
    lanes: &'a [Lane],
    /// The number of the first line that follows.
    first: usize,
    entries: &'a [ShowEntry],
}

async fn state(State(show): State<ShowPage>, Query(known): Query<Known>) -> Response {
    let (live, stops) = (show.live, show.controls.stops());
    let json = show.shared.update(|state| {
        let ShowState { title, says, over, now, lanes, entries } = state;
        // A page that has more lines than there are has them of another show.
        let first = if known.entries > entries.len() { 0 } else { known.entries };
        let entries = &entries[first..];
        serde_json::to_string(&Told { title, live, stops, says, over: *over, now: *now, lanes, first, entries })
    });
    match json {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(why) => (StatusCode::INTERNAL_SERVER_ERROR, why.to_string()).into_response(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

// Only JSON is accepted, for the same reason as in the gallery.
async fn stop(State(show): State<ShowPage>, Json(Nothing {}): Json<Nothing>) -> Response {
    let done = tokio::task::spawn_blocking(move || show.controls.stop()).await;
    match done.unwrap_or_else(|e| Err(e.to_string())) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceOf {
    robot: usize,
}

async fn trace(State(show): State<ShowPage>, Json(wish): Json<TraceOf>) -> Response {
    let opened = tokio::task::spawn_blocking(move || show.controls.trace(wish.robot)).await;
    // An answer like any other: browsers report other codes as errors of the page.
    match opened.unwrap_or_else(|e| Err(e.to_string())) {
        Ok(url) => Json(serde_json::json!({ "url": url })).into_response(),
        Err(why) => Json(serde_json::json!({ "refused": why })).into_response(),
    }
}
