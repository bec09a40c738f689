//! Boxes that pages can add: those of the library, and of the user's own folders.

use crate::editing::{Editor, with_editor};
use crate::server::AppState;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxstep_edit::{FolderBox, KeepError};
use boxstep_types::BoxPath;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub(crate) fn routes() -> Router<AppState> {
    Router::new()
        .route("/library", get(library))
        .route("/boxes", get(boxes))
        .route("/boxes/text", get(text))
        .route("/keep/{number}", post(keep))
}

/// A box of the user's own that can be added; those of the library have no more than the first four.
#[derive(Serialize)]
struct Offered<'a> {
    name: &'a str,
    group: &'a str,
    about: &'a str,
    icon: &'a str,
    key: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    needs: &'a [String],
}

/// Returns the boxes of the library.
async fn library() -> Response {
    Json(boxstep_edit::offered()).into_response()
}

/// Runs a function of the editor on another thread: it reads files, and other pages must not wait.
async fn aside(app: AppState, act: impl FnOnce(&dyn Editor) -> Response + Send + 'static) -> Option<Response> {
    let editor = app.show.editor.clone()?;
    let done = tokio::task::spawn_blocking(move || act(&*editor)).await;
    Some(done.unwrap_or_else(|_| StatusCode::INTERNAL_SERVER_ERROR.into_response()))
}

/// Returns the boxes of the user's own folders; of a page that changes nothing there are none.
async fn boxes(State(app): State<AppState>) -> Response {
    let read = |editor: &dyn Editor| {
        let box_folders = editor.box_folders();
        let content = box_folders.content();
        let folder = |box_folder: &boxstep_edit::BoxFolder| json!({ "name": box_folder.name, "folder": box_folder.folder.display().to_string() });
        let folders: Vec<_> = box_folders.0.iter().map(folder).collect();
        let boxes: Vec<_> = content.boxes.iter().map(own).collect();
        Json(json!({ "boxes": boxes, "folders": folders, "unread": content.unread })).into_response()
    };
    let none = || Json(json!({ "boxes": [], "folders": [], "unread": [] })).into_response();
    aside(app, read).await.unwrap_or_else(none)
}

fn own(one: &FolderBox) -> Offered<'_> {
    let icon = boxstep_library::named(one.kind).map(|like| like.icon).unwrap_or_default();
    Offered { name: &one.name, group: &one.group, about: &one.about, icon, key: &one.key, needs: &one.needs }
}

#[derive(Deserialize)]
struct Wanted {
    key: String,
}

/// Returns the text of a box, as the operation `add` takes it.
async fn text(State(app): State<AppState>, Query(wanted): Query<Wanted>) -> Response {
    let read = move |editor: &dyn Editor| match editor.box_folders().text(&wanted.key) {
        Ok(text) => Json(json!({ "xar": text })).into_response(),
        Err(why) => Json(json!({ "refused": why })).into_response(),
    };
    aside(app, read).await.unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// What is kept, and where.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keep {
    #[serde(rename = "box")]
    path: BoxPath,
    folder: usize,
    name: String,
    /// Whether a box of this name is replaced.
    #[serde(default)]
    replace: bool,
}

/// Keeps a box of a behavior in one of the user's folders. Only JSON is accepted, as everywhere.
async fn keep(State(app): State<AppState>, Path(number): Path<usize>, Json(wish): Json<Keep>) -> Response {
    let kept = with_editor(app, number, move |editor, behavior| {
        let file = editor.file(behavior)?;
        Ok(match editor.box_folders().keep(wish.folder, (&file, &wish.path), &wish.name, wish.replace) {
            Ok(kept) => json!({ "file": kept.file.display().to_string(), "needs": kept.needs }),
            Err(e @ KeepError::Exists(_)) => json!({ "refused": e.to_string(), "exists": true }),
            Err(e) => json!({ "refused": e.to_string() }),
        })
    });
    kept.await.map_or_else(|refused| refused, |answer| Json(answer).into_response())
}
