//! The page of `boxstep open`: all behaviors below a folder, with drawings. Each can be played, and each run has a
//! page of its own.

mod robots;

pub use robots::{RobotAnswer, RobotList, RobotWish};

use crate::assets::{asset, page, style};
use crate::guard::guard;
use crate::server::Ended;
use crate::texts::{self, Texts};
use axum::Json;
use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use boxstep_edit::project::{Mention, ProjectContents, ProjectOp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A behavior or character of the gallery.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its number, which stays the same as long as the server runs, also after a refresh.
    pub entry: usize,
    /// Its name.
    pub name: String,
    /// Its file, relative to the folder that is shown.
    pub file: String,
    /// `behavior`, `dialog`, `character`, or `unreadable`.
    pub kind: &'static str,
    /// The languages of its project; empty if it does not state any.
    pub languages: Vec<String>,
    /// The robots that it was made for, as far as that is known.
    pub robots: Vec<String>,
    /// The number of its boxes.
    pub boxes: usize,
    /// Whether it has a drawing.
    pub drawn: bool,
    /// Why it cannot be read.
    pub why: Option<String>,
    /// The findings of `check`; `None` if it has not been checked yet.
    pub findings: Option<Findings>,
    /// How it ended when it was played last, as far as that is known.
    pub last: Option<Outcome>,
    /// The files of its tests, relative to the folder that is shown.
    pub tests: Vec<String>,
    /// The folder of its project, relative to the folder that is shown, if pages may change the project.
    pub project: Option<String>,
}

/// How a run has ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// The reason in the footer of its trace: `ended`, `failed`, …
    pub reason: String,
    /// Its length in nanoseconds.
    pub t: i64,
    /// The number of scripts that raised.
    pub errors: u64,
    /// When, in seconds since 1970; of a recording the time of its file.
    pub at: u64,
    /// The recording that says so, relative to the folder that is shown; `None` if the gallery has played it.
    pub recording: Option<String>,
}

/// The findings of `check` for a behavior.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
    /// The first findings, a sentence each, with their location.
    pub first: Vec<String>,
}

/// What a run that was started from the gallery does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunState {
    /// It has no page yet.
    Starting,
    /// Its page is open and began with a pause: whether it plays by now is seen there.
    Open,
    /// It plays.
    Playing,
    /// It has ended, but its page still exists.
    Over,
    /// It has ended.
    Ended,
    /// It has ended with an error before it had a page.
    Failed,
}

impl RunState {
    /// Returns whether there is nothing left of it.
    pub fn is_gone(self) -> bool {
        matches!(self, Self::Ended | Self::Failed)
    }
}

/// A run that was started from the gallery.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Its number.
    pub run: u64,
    /// The number of the entry that it plays.
    pub entry: usize,
    /// The robot; `None` for the simulated one.
    pub robot: Option<String>,
    /// What it does.
    pub state: RunState,
    /// The address of its page, once it has one.
    pub url: Option<String>,
    /// The last lines of its output.
    pub said: Vec<String>,
}

/// The content of the gallery.
#[derive(Clone, Debug, Serialize)]
pub struct Listing {
    /// The name of the folder, for display.
    pub title: String,
    /// The robot that is preselected; `None` for the simulated one.
    pub robot: Option<String>,
    /// The robots that can be chosen besides the simulated one.
    pub robots: Vec<String>,
    /// Whether more entries will follow.
    pub reading: bool,
    /// The entries found so far.
    pub entries: Vec<Entry>,
    /// The runs, the latest first.
    pub runs: Vec<Run>,
    /// Whether pages may begin new files.
    pub edits: bool,
}

/// What a page wants to begin.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum NewEntry {
    /// A behavior without boxes.
    Behavior {
        /// Its name, which is that of its folder.
        name: String,
    },
    /// A dialog with one rule.
    Dialog {
        /// Its name.
        name: String,
    },
    /// A character with one behavior.
    Character {
        /// Its name.
        name: String,
    },
    /// A test.
    Test {
        /// Its name.
        name: String,
        /// The number of the entry that it tests.
        of: usize,
    },
}

/// What a page wants of a project.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum ProjectWish {
    /// To see what operations would change; nothing changes.
    Preview {
        /// The operations.
        ops: Vec<ProjectOp>,
    },
    /// To do operations, all or none.
    Apply {
        /// The operations.
        ops: Vec<ProjectOp>,
    },
    /// To undo the last change that a page has made.
    Undo,
}

/// What has changed in a project, or would.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProjectChange {
    /// The files.
    pub files: Vec<ChangedFile>,
    /// The lines of scripts that name a behavior that is renamed or removed; they stay as they are.
    pub mentions: Vec<Mention>,
    /// Whether a change can be undone.
    pub undo: bool,
}

/// A file that changes.
#[derive(Clone, Debug, Serialize)]
pub struct ChangedFile {
    /// Its name, relative to the project's folder.
    pub name: String,
    /// `added`, `removed` or `changed`.
    pub what: &'static str,
    /// The difference, as a patch; of what is no text only that it differs.
    pub diff: String,
}

/// Finds behaviors and plays them.
pub trait Gallery: Send + Sync {
    /// Returns the current content.
    fn listing(&self) -> Listing;

    /// Returns the drawing of an entry as SVG.
    fn picture(&self, entry: usize) -> Option<String>;

    /// Plays an entry on one of the robots of the [listing](Gallery::listing); `None` for the simulated one. A `paused`
    /// run waits at its beginning. Returns the number of the run.
    ///
    /// # Errors
    /// A sentence, if the run cannot be started or the robot is unknown.
    fn play(&self, entry: usize, robot: Option<&str>, paused: bool) -> Result<u64, String>;

    /// Stops a run.
    ///
    /// # Errors
    /// A sentence, if there is no run with this number.
    fn stop(&self, run: u64) -> Result<(), String>;

    /// Begins a new file in the folder, and returns its path there.
    ///
    /// # Errors
    /// Why it is not begun; nothing was written then.
    fn begin(&self, wish: NewEntry) -> Result<String, String>;

    /// Returns what edits the tests in the folder, if pages may.
    fn texts(self: Arc<Self>) -> Option<Arc<dyn Texts>> {
        None
    }

    /// Tests a file of the texts, and returns what `boxstep test` says.
    ///
    /// # Errors
    /// A sentence, if it cannot be tested.
    fn test(&self, file: &str) -> Result<String, String>;

    /// Returns what a project has; it is named as [`Entry::project`] does.
    ///
    /// # Errors
    /// A sentence, if there is no such project, or it cannot be read.
    fn project(&self, project: &str) -> Result<ProjectContents, String> {
        Err(format!("{project} is not changed here"))
    }

    /// Changes a project, or says what would change.
    ///
    /// # Errors
    /// Why it is not changed.
    fn change_project(&self, project: &str, _: ProjectWish) -> Result<ProjectChange, String> {
        Err(format!("{project} is not changed here"))
    }

    /// Returns the robots of the page, and what is known of them.
    fn robots(&self) -> RobotList {
        RobotList::default()
    }

    /// Looks for robots in the network.
    fn find_robots(self: Arc<Self>) {}

    /// Does something with one of the [robots](Gallery::robots).
    ///
    /// # Errors
    /// A sentence, if there is no such robot or entry.
    fn of_robot(&self, robot: &str, wish: RobotWish) -> Result<RobotAnswer, String> {
        let _ = wish;
        Err(format!("{robot} is not one of the robots of this page"))
    }

    /// Searches the folder again.
    fn again(self: Arc<Self>);
}

#[derive(Clone)]
struct GalleryState {
    gallery: Arc<dyn Gallery>,
}

pub(crate) fn router(gallery: Arc<dyn Gallery>, ended: &Ended) -> Router {
    Router::new()
        .route("/", get(|| async { page("open") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { asset(&name) }))
        .route("/drawing.css", get(|| async { style() }))
        .route("/gallery", get(listing))
        .route("/picture/{number}", get(picture))
        .route("/play", post(play))
        .route("/stop", post(stop))
        .route("/again", post(again))
        .route("/new", post(begin))
        .route("/test", post(test))
        .route("/project", get(project).post(change_project))
        .merge(robots::routes())
        .merge(texts::routes(gallery.clone().texts()))
        .layer(axum::middleware::from_fn_with_state(ended.guard.clone(), guard))
        .with_state(GalleryState { gallery })
}

/// Runs a function that may take a moment on a separate thread, so that other pages do not wait.
async fn aside<T: Send + 'static>(
    app: GalleryState,
    what: impl FnOnce(&dyn Gallery) -> T + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(move || what(&*app.gallery)).await;
    done.map_err(|e| (StatusCode::INTERNAL_SERVER_ERROR, e.to_string()).into_response())
}

async fn listing(State(app): State<GalleryState>) -> Result<Json<Listing>, Response> {
    aside(app, |gallery| Json(gallery.listing())).await
}

async fn picture(State(app): State<GalleryState>, Path(number): Path<usize>) -> Result<Response, Response> {
    let drawn = aside(app, move |gallery| gallery.picture(number)).await?;
    Ok(match drawn {
        Some(drawn) => ([(header::CONTENT_TYPE, "image/svg+xml")], drawn).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Play {
    entry: usize,
    #[serde(default)]
    robot: Option<String>,
    #[serde(default)]
    paused: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StopRun {
    run: u64,
}

// Only JSON is accepted: pages of other sites cannot send it without a CORS preflight request; and the guard checks
// the origin.
async fn play(State(app): State<GalleryState>, Json(wish): Json<Play>) -> Result<Response, Response> {
    let robot = wish.robot.filter(|robot| !robot.trim().is_empty());
    let begin = move |gallery: &dyn Gallery| {
        // A robot can be a Python file, so a page must not be able to name an arbitrary one.
        let unknown = robot.as_ref().filter(|robot| !gallery.listing().robots.contains(robot));
        match unknown {
            Some(robot) => Err(format!(
                "{robot} is not one of the robots of this page: name it at the start, boxstep open --robot"
            )),
            None => gallery.play(wish.entry, robot.as_deref(), wish.paused),
        }
    };
    let begun = aside(app, begin).await?;
    Ok(match begun {
        Ok(run) => Json(serde_json::json!({ "run": run })).into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    })
}

async fn stop(State(app): State<GalleryState>, Json(wish): Json<StopRun>) -> Result<Response, Response> {
    let stopped = aside(app, move |gallery| gallery.stop(wish.run)).await?;
    Ok(match stopped {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    })
}

async fn begin(State(app): State<GalleryState>, Json(wish): Json<NewEntry>) -> Result<Response, Response> {
    let gallery = app.gallery.clone();
    let begun = aside(app, move |gallery| match gallery.listing().edits {
        true => Some(gallery.begin(wish)),
        false => None,
    });
    Ok(match begun.await? {
        Some(Ok(file)) => {
            gallery.again();
            Json(serde_json::json!({ "file": file })).into_response()
        }
        // An answer like any other: browsers report other codes as errors of the page.
        Some(Err(why)) => Json(serde_json::json!({ "refused": why })).into_response(),
        None => only_with_edit(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfProject {
    of: String,
}

/// The answer to what only pages that change files may ask.
fn only_with_edit() -> Response {
    (StatusCode::FORBIDDEN, "this page changes no files: start it with --edit\n").into_response()
}

async fn project(State(app): State<GalleryState>, Query(wish): Query<OfProject>) -> Result<Response, Response> {
    let has = aside(app, move |gallery| gallery.listing().edits.then(|| gallery.project(&wish.of))).await?;
    Ok(match has {
        Some(Ok(has)) => Json(has).into_response(),
        Some(Err(why)) => Json(serde_json::json!({ "refused": why })).into_response(),
        None => only_with_edit(),
    })
}

async fn change_project(
    State(app): State<GalleryState>,
    Query(at): Query<OfProject>,
    Json(wish): Json<ProjectWish>,
) -> Result<Response, Response> {
    let (gallery, writes) = (app.gallery.clone(), !matches!(wish, ProjectWish::Preview { .. }));
    let done = aside(app, move |gallery| gallery.listing().edits.then(|| gallery.change_project(&at.of, wish))).await?;
    Ok(match done {
        Some(Ok(change)) => {
            if writes {
                gallery.again();
            }
            Json(change).into_response()
        }
        Some(Err(why)) => Json(serde_json::json!({ "refused": why })).into_response(),
        None => only_with_edit(),
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tested {
    file: String,
}

async fn test(State(app): State<GalleryState>, Json(wish): Json<Tested>) -> Result<Response, Response> {
    let said = aside(app, move |gallery| gallery.test(&wish.file)).await?;
    Ok(match said {
        Ok(said) => Json(serde_json::json!({ "said": said })).into_response(),
        Err(why) => Json(serde_json::json!({ "refused": why })).into_response(),
    })
}

async fn again(State(app): State<GalleryState>) -> StatusCode {
    app.gallery.again();
    StatusCode::NO_CONTENT
}
