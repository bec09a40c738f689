//! Edits of behaviors by pages, over HTTP: the state of a file, and what is done to it.

use crate::server::AppState;
use crate::shared::SharedStore;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxstep_edit::{BoxFolders, EditError, EditFinding, EditRequest, EditState, said};
use boxstep_format::XarFile;
use boxstep_types::BoxPath;
use serde::Deserialize;
use std::sync::Arc;

/// Edits the behaviors that pages show. Files are changed only by [`EditRequest::Save`] and
/// [`EditRequest::Overwrite`].
pub trait Editor: Send + Sync {
    /// Returns the state of a behavior's file.
    ///
    /// # Errors
    /// Why the behavior cannot be edited.
    fn state(&self, behavior: &str) -> Result<EditState, String>;

    /// Does what a page wants.
    ///
    /// # Errors
    /// Why it cannot be done; nothing has changed then.
    fn perform(&self, behavior: &str, request: EditRequest) -> Result<EditState, String>;

    /// Returns boxes as [`Op::Paste`](boxstep_edit::Op::Paste) takes them.
    ///
    /// # Errors
    /// They are not there, or not in one diagram.
    fn copied(&self, behavior: &str, boxes: &[BoxPath]) -> Result<String, String>;

    /// Returns what is wrong with the file as it is now. It may take as long as parsing all scripts.
    ///
    /// # Errors
    /// Why the behavior cannot be edited.
    fn findings(&self, behavior: &str) -> Result<Vec<EditFinding>, String>;

    /// Returns the file as it is now.
    ///
    /// # Errors
    /// Why the behavior cannot be edited.
    fn file(&self, behavior: &str) -> Result<Arc<XarFile>, String>;

    /// Returns the folders of the user's own boxes.
    fn box_folders(&self) -> BoxFolders;

    /// Whether [`Editor::trial`] runs behaviors.
    fn has_trials(&self) -> bool {
        false
    }

    /// Returns the store of a trial run of a behavior as its file is now: in virtual time, on a simulated robot, beside
    /// the run of the page. Begins it, unless there is one of this version of the file.
    ///
    /// # Errors
    /// Why there is none.
    fn trial(&self, behavior: &str) -> Result<SharedStore, String> {
        Err(format!("{behavior} is not run beside this run"))
    }
}

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/edit/{number}", get(state).post(perform))
        .route("/copy/{number}", post(copied))
        .route("/findings/{number}", get(findings))
        .route("/said/{number}", get(said_by))
}

/// Runs a function of the editor on another thread: it reads and writes files, and other pages must not wait.
pub(crate) async fn with_editor<T: Send + 'static>(
    app: AppState,
    number: usize,
    act: impl FnOnce(&dyn Editor, &str) -> Result<T, String> + Send + 'static,
) -> Result<T, Response> {
    let Some(editor) = app.show.editor.clone() else {
        return Err((StatusCode::FORBIDDEN, "this page changes no files: start it with --edit\n").into_response());
    };
    let Some(model) = app.show.models.get(number) else { return Err(StatusCode::NOT_FOUND.into_response()) };
    let done = tokio::task::spawn_blocking(move || act(&*editor, &model.name)).await;
    // An answer like any other: browsers report other codes as errors of the page.
    let refused = |why: String| Json(serde_json::json!({ "refused": why })).into_response();
    done.unwrap_or_else(|e| Err(e.to_string())).map_err(refused)
}

async fn state(State(app): State<AppState>, Path(number): Path<usize>) -> Response {
    match with_editor(app, number, |editor, name| editor.state(name)).await {
        Ok(state) => Json(state).into_response(),
        Err(refused) => refused,
    }
}

/// Only JSON is accepted, as everywhere: a form of another page cannot send it.
async fn perform(State(app): State<AppState>, Path(number): Path<usize>, Json(request): Json<EditRequest>) -> Response {
    match with_editor(app, number, |editor, name| editor.perform(name, request)).await {
        Ok(state) => Json(state).into_response(),
        Err(refused) => refused,
    }
}

async fn findings(State(app): State<AppState>, Path(number): Path<usize>) -> Response {
    match with_editor(app, number, |editor, name| editor.findings(name)).await {
        Ok(findings) => Json(findings).into_response(),
        Err(refused) => refused,
    }
}

#[derive(Deserialize)]
struct Boxes {
    boxes: Vec<BoxPath>,
}

/// It changes nothing, but an address has no room for the paths of many boxes.
async fn copied(
    State(app): State<AppState>,
    Path(number): Path<usize>,
    Json(Boxes { boxes }): Json<Boxes>,
) -> Response {
    match with_editor(app, number, move |editor, name| editor.copied(name, &boxes)).await {
        Ok(clip) => Json(serde_json::json!({ "clip": clip })).into_response(),
        Err(refused) => refused,
    }
}

#[derive(Deserialize)]
struct Asked {
    #[serde(rename = "box")]
    path: BoxPath,
}

/// Returns what a box says, in each language: `null` if it says nothing.
async fn said_by(State(app): State<AppState>, Path(number): Path<usize>, Query(asked): Query<Asked>) -> Response {
    let read = move |editor: &dyn Editor, name: &str| match said(&*editor.file(name)?, &asked.path) {
        Ok(said) => Ok(Some(said)),
        Err(EditError::NoText(_)) => Ok(None),
        Err(e) => Err(e.to_string()),
    };
    with_editor(app, number, read).await.map_or_else(|refused| refused, |said| Json(said).into_response())
}
