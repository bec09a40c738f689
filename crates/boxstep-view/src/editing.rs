//! Edits of behaviors by pages, over HTTP: the state of a file, and what is done to it.

use crate::server::AppState;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use boxstep_edit::{Op, Shelves};
use boxstep_format::XarFile;
use boxstep_types::BoxPath;
use serde::{Deserialize, Serialize};
use std::ops::Range;

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

    /// Returns boxes as [`Op::Paste`] takes them.
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
    fn file(&self, behavior: &str) -> Result<XarFile, String>;

    /// Returns the folders of the user's own boxes.
    fn shelves(&self) -> Shelves;
}

/// Something that is wrong with a file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EditFinding {
    /// The box, by its path in the file; empty for the whole file.
    #[serde(rename = "box")]
    pub path: String,
    /// The line of the box's script, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The code, which docs/reference/codes explains.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What can be done about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// What a page wants to do to a file.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum EditRequest {
    /// Do operations, all or none.
    Apply {
        /// What they do together, for the list of changes.
        label: String,
        /// The gesture that they belong to: operations of one gesture are undone together.
        #[serde(default)]
        gesture: Option<String>,
        /// The operations.
        ops: Vec<Op>,
    },
    /// Undo the last change.
    Undo,
    /// Do again what was undone last.
    Redo,
    /// Write the file, if nobody else has.
    Save,
    /// Write the file, whatever another program has written.
    Overwrite,
    /// Read the file again, and do the changes once more.
    Merge,
    /// Forget the changes since the file was saved, and read it again.
    Discard,
}

/// The state of a file that is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct EditState {
    /// The file, as the user named it.
    pub file: String,
    /// Counts the changes.
    pub version: u64,
    /// Whether it has changes that are not saved.
    pub changed: bool,
    /// The changes that can be undone, the oldest first; the last [`LABELS`] of them.
    pub undo: Vec<String>,
    /// The changes that can be redone, the next one last.
    pub redo: Vec<String>,
    /// The lines of the file that the request has changed, from 1.
    pub lines: Vec<Range<u32>>,
    /// What a run that goes on has taken of the change, or when it counts, in words; empty if nothing plays.
    pub counts: Vec<String>,
    /// The boxes whose new inside waits until it is loaded next ([`Command::RestartPart`](crate::Command::RestartPart)).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<String>,
    /// What was found of changes that were not saved, when the file was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recovered: Option<String>,
    /// True if another program has changed the file since it was read: saving was refused, and this is the difference of
    /// its version to this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
}

/// How many changes a page lists.
pub const LABELS: usize = 200;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/edit/{number}", get(state).post(perform))
        .route("/copy/{number}", get(copied))
        .route("/findings/{number}", get(findings))
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
    /// A JSON list of box paths.
    boxes: String,
}

async fn copied(State(app): State<AppState>, Path(number): Path<usize>, Query(wish): Query<Boxes>) -> Response {
    let Ok(boxes) = serde_json::from_str::<Vec<BoxPath>>(&wish.boxes) else {
        return (StatusCode::BAD_REQUEST, "boxes: a JSON list of paths\n").into_response();
    };
    match with_editor(app, number, move |editor, name| editor.copied(name, &boxes)).await {
        Ok(clip) => Json(serde_json::json!({ "clip": clip })).into_response(),
        Err(refused) => refused,
    }
}
