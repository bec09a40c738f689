//! Texts that pages edit as a whole, over HTTP: topics, characters, tests.

use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxstep_edit::EditFinding;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Edits the texts of a folder. Only files of the [list](Texts::list) can be named.
pub trait Texts: Send + Sync {
    /// Returns the texts that can be edited.
    fn list(&self) -> Vec<TextEntry>;

    /// Returns a text as it is now.
    ///
    /// # Errors
    /// Why it cannot be edited.
    fn state(&self, file: &str) -> Result<TextState, String>;

    /// Does what a page wants.
    ///
    /// # Errors
    /// Why it cannot be done; nothing has changed then.
    fn perform(&self, file: &str, request: TextRequest) -> Result<TextState, String>;

    /// Returns what is wrong with a text that need not be saved.
    ///
    /// # Errors
    /// Why it cannot be checked.
    fn findings(&self, file: &str, text: &str) -> Result<Vec<EditFinding>, String>;
}

/// A text that can be edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TextEntry {
    /// Its file, by which it is named.
    pub file: String,
    /// `topic`, `dialog`, `character` or `test`.
    pub kind: &'static str,
}

/// A text as it is now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TextState {
    /// Its file.
    pub file: String,
    /// The text; lines end with `\n`.
    pub text: String,
    /// Counts the changes.
    pub version: u64,
    /// Whether it differs from the file.
    pub changed: bool,
    /// Whether it is there again when the page is loaded again.
    pub kept: bool,
    /// Whether it was found in a draft.
    pub recovered: bool,
    /// The difference of what another program has written to this text: saving was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub conflict: Option<String>,
}

/// What a page wants to do to a text. `version` is the one that it has changed.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum TextRequest {
    /// Keep it in a draft.
    Keep {
        /// The version.
        version: u64,
        /// The text.
        text: String,
    },
    /// Write the file, if nobody else has.
    Save {
        /// The version.
        version: u64,
        /// The text.
        text: String,
    },
    /// Write the file, whatever another program has written.
    Overwrite {
        /// The version.
        version: u64,
        /// The text.
        text: String,
    },
    /// Forget what was not saved, and read the file again.
    Discard,
}

type Shared = Option<Arc<dyn Texts>>;

/// The routes of texts; without any, pages change none.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(texts: Shared) -> Router<S> {
    Router::new()
        .route("/texts", get(list))
        .route("/text", get(state).post(perform))
        .route("/text/findings", post(findings))
        .with_state(texts)
}

/// Runs a function on another thread: it reads and writes files, and other pages must not wait.
async fn with<T: Serialize + Send + 'static>(
    texts: Shared,
    act: impl FnOnce(&dyn Texts) -> Result<T, String> + Send + 'static,
) -> Response {
    let Some(texts) = texts else {
        return (StatusCode::FORBIDDEN, "this page changes no files: start it with --edit\n").into_response();
    };
    let done = tokio::task::spawn_blocking(move || act(&*texts)).await;
    match done.unwrap_or_else(|e| Err(e.to_string())) {
        Ok(done) => Json(done).into_response(),
        // An answer like any other: browsers report other codes as errors of the page.
        Err(why) => Json(serde_json::json!({ "refused": why })).into_response(),
    }
}

async fn list(State(texts): State<Shared>) -> Response {
    match texts {
        Some(texts) => with(Some(texts), |texts| Ok(texts.list())).await,
        None => Json(Vec::<TextEntry>::new()).into_response(),
    }
}

#[derive(Deserialize)]
struct Named {
    file: String,
}

async fn state(State(texts): State<Shared>, Query(of): Query<Named>) -> Response {
    with(texts, move |texts| texts.state(&of.file)).await
}

/// Only JSON is accepted, as everywhere: a form of another page cannot send it.
async fn perform(State(texts): State<Shared>, Query(of): Query<Named>, Json(request): Json<TextRequest>) -> Response {
    with(texts, move |texts| texts.perform(&of.file, request)).await
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Unsaved {
    text: String,
}

async fn findings(State(texts): State<Shared>, Query(of): Query<Named>, Json(unsaved): Json<Unsaved>) -> Response {
    with(texts, move |texts| texts.findings(&of.file, &unsaved.text)).await
}
