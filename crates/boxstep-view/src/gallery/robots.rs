//! The robots of the page: those that were named at the start, and those that are found.

use super::{Gallery, GalleryState, aside, only_with_edit};
use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};

/// The robots of the page.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RobotList {
    /// Whether they are being looked for.
    pub looking: bool,
    /// Why not all may have been found.
    pub why: Option<String>,
    /// What is known of each, as `boxstep robots --json` says it; `address` names it in questions.
    pub robots: Vec<serde_json::Value>,
}

/// What a page wants of a robot.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum RobotWish {
    /// Its behaviors, with their packages.
    Behaviors,
    /// To start one of its behaviors.
    Start {
        /// The behavior.
        name: String,
    },
    /// To stop one of its behaviors.
    Stop {
        /// The behavior.
        name: String,
    },
    /// To stop everything that it does.
    Halt,
    /// To bring a package of it into the folder.
    Pull {
        /// The package.
        name: String,
    },
    /// To install the project of an entry of the gallery.
    Install {
        /// The number of the entry.
        entry: usize,
        /// Whether another version is replaced.
        #[serde(default)]
        replace: bool,
    },
}

impl RobotWish {
    /// Returns whether only pages that change files may ask for it.
    fn changes_files(&self) -> bool {
        matches!(self, Self::Pull { .. } | Self::Install { .. })
    }
}

/// What became of a wish.
#[derive(Clone, Debug, Serialize)]
pub struct RobotAnswer {
    /// Whether it was done.
    pub done: bool,
    /// What was said; for behaviors the list, as `boxstep ls --long --json` prints it.
    pub said: String,
    /// Another version is installed: it is done if that may be replaced.
    pub conflict: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ask {
    robot: String,
    wish: RobotWish,
}

pub(super) fn routes() -> Router<GalleryState> {
    Router::new().route("/robots", get(list)).route("/robots/find", post(find)).route("/robots/ask", post(ask))
}

async fn list(State(app): State<GalleryState>) -> Result<Json<RobotList>, Response> {
    aside(app, |gallery| Json(gallery.robots())).await
}

// Like all that is posted here, only JSON is accepted.
async fn find(State(app): State<GalleryState>, Json(_): Json<serde_json::Value>) -> StatusCode {
    app.gallery.find_robots();
    StatusCode::NO_CONTENT
}

async fn ask(State(app): State<GalleryState>, Json(Ask { robot, wish }): Json<Ask>) -> Result<Response, Response> {
    let gallery = app.gallery.clone();
    let pulls = matches!(wish, RobotWish::Pull { .. });
    let answer = aside(app, move |gallery: &dyn Gallery| {
        if wish.changes_files() && !gallery.listing().edits {
            return None;
        }
        Some(gallery.of_robot(&robot, wish))
    });
    Ok(match answer.await? {
        Some(Ok(answer)) => {
            if pulls && answer.done {
                gallery.again();
            }
            Json(answer).into_response()
        }
        Some(Err(why)) => Json(RobotAnswer { done: false, said: why, conflict: false }).into_response(),
        None => only_with_edit(),
    })
}
