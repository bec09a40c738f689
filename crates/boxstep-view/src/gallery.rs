//! All behaviors below a folder, with their pictures, to be played: the page of `boxstep open`. What plays has a page of its own.

use crate::guard::guard;
use crate::server::{Ended, asset, page, style};
use axum::Json;
use axum::Router;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One of the things that can be played.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its number: the same as long as there is a server, also after looking again.
    pub entry: usize,
    /// What it is called.
    pub name: String,
    /// Its file, relative to the folder that is shown.
    pub file: String,
    /// `behavior`, `character`, or `unreadable`.
    pub kind: &'static str,
    /// The languages that its project has; none if it does not say.
    pub languages: Vec<String>,
    /// The robots that it was made for, as far as that is known.
    pub robots: Vec<String>,
    /// How many boxes it has.
    pub boxes: usize,
    /// It has a picture.
    pub drawn: bool,
    /// Why it cannot be read.
    pub why: Option<String>,
    /// What `check` finds; `None`: not checked yet.
    pub findings: Option<Findings>,
}

/// What is wrong with a behavior, counted and in words.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// How many errors.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// The first of them, a sentence each, with its place.
    pub first: Vec<String>,
}

/// Something that plays, or has.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Its number.
    pub run: u64,
    /// What plays: the number of its entry.
    pub entry: usize,
    /// The robot; `None`: the simulated one.
    pub robot: Option<String>,
    /// `starting`, `playing`, `over` (its page is still there), `ended`.
    pub state: &'static str,
    /// Where its page is, once it has one.
    pub url: Option<String>,
    /// What it said last, line by line.
    pub said: Vec<String>,
}

/// What is shown.
#[derive(Clone, Debug, Serialize)]
pub struct Hung {
    /// The folder, as people know it.
    pub title: String,
    /// The robot that is offered first; `None`: the simulated one.
    pub robot: Option<String>,
    /// All that it can be played on beside the simulated one.
    pub robots: Vec<String>,
    /// More will come.
    pub reading: bool,
    /// Everything found so far.
    pub entries: Vec<Entry>,
    /// What plays, the last first.
    pub runs: Vec<Run>,
}

/// Who finds behaviors and plays them.
pub trait Gallery: Send + Sync {
    /// What there is now.
    fn hung(&self) -> Hung;

    /// The picture of an entry: SVG.
    fn picture(&self, entry: usize) -> Option<String>;

    /// Plays an entry on one of the robots that are [hung](Gallery::hung); `None`: the simulated one.
    ///
    /// # Errors
    /// A sentence, if it cannot begin, or there is no such robot.
    fn play(&self, entry: usize, robot: Option<&str>) -> Result<u64, String>;

    /// Stops a run.
    ///
    /// # Errors
    /// A sentence, if there is none of this number.
    fn stop(&self, run: u64) -> Result<(), String>;

    /// Looks again what there is.
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
        .route("/gallery", get(hung))
        .route("/picture/{number}", get(picture))
        .route("/play", post(play))
        .route("/stop", post(stop))
        .route("/again", post(again))
        .layer(axum::middleware::from_fn_with_state(ended.guard.clone(), guard))
        .with_state(GalleryState { gallery })
}

/// Does something that may take a moment: other pages do not wait for that.
async fn aside<T: Send + 'static>(
    house: GalleryState,
    what: impl FnOnce(&dyn Gallery) -> T + Send + 'static,
) -> Result<T, Response> {
    let done = tokio::task::spawn_blocking(move || what(&*house.gallery)).await;
    done.map_err(|e| (StatusCode::INTERNAL_SERVER_ERROR, e.to_string()).into_response())
}

async fn hung(State(house): State<GalleryState>) -> Result<Json<Hung>, Response> {
    aside(house, |gallery| Json(gallery.hung())).await
}

async fn picture(State(house): State<GalleryState>, Path(number): Path<usize>) -> Result<Response, Response> {
    let drawn = aside(house, move |gallery| gallery.picture(number)).await?;
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
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StopRun {
    run: u64,
}

// Only JSON is taken, which pages of other sites cannot send without being asked first; and the guard looks at their origin.
async fn play(State(house): State<GalleryState>, Json(wish): Json<Play>) -> Result<Response, Response> {
    let robot = wish.robot.filter(|robot| !robot.trim().is_empty());
    let begin = move |gallery: &dyn Gallery| {
        // It would be a program of anybody's, if a page could name a file.
        let unknown = robot.as_ref().filter(|robot| !gallery.hung().robots.contains(robot));
        match unknown {
            Some(robot) => {
                Err(format!("{robot} is none of the robots here: name it at the start, boxstep open --robot"))
            }
            None => gallery.play(wish.entry, robot.as_deref()),
        }
    };
    let begun = aside(house, begin).await?;
    Ok(match begun {
        Ok(run) => Json(serde_json::json!({ "run": run })).into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    })
}

async fn stop(State(house): State<GalleryState>, Json(wish): Json<StopRun>) -> Result<Response, Response> {
    let stopped = aside(house, move |gallery| gallery.stop(wish.run)).await?;
    Ok(match stopped {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    })
}

async fn again(State(house): State<GalleryState>) -> StatusCode {
    house.gallery.again();
    StatusCode::NO_CONTENT
}
