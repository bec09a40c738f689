//! The pages of a robot's tablet, on an origin of their own: only the files of an application's `html` folder. Pages
//! of applications are untrusted programs. They are shown in a sandboxed frame, cannot read what the view serves, and
//! can access nothing but their own folder.

use crate::guard::{Token, name_of};
use crate::robot;
use crate::seats::Seat;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use std::path::PathBuf;
use std::sync::Arc;

/// The address of the pages: `http://HOST:port/key/…`. A client needs the key.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) port: u16,
    pub(crate) key: Token,
}

#[derive(Clone)]
struct TabletServer {
    folder: Arc<PathBuf>,
    place: Place,
    /// The port of the page that shows the tablet.
    page: u16,
}

const KINDS: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("htm", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("mjs", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("txt", "text/plain; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("ico", "image/x-icon"),
    ("woff", "font/woff"),
    ("woff2", "font/woff2"),
    ("ttf", "font/ttf"),
    ("otf", "font/otf"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
    ("wav", "audio/wav"),
    ("mp4", "video/mp4"),
    ("webm", "video/webm"),
];

const ELSEWHERE: &str = "This is a part of boxstep's page, and is only shown there.\n";

pub(crate) fn router(folder: PathBuf, place: Place, page: u16) -> Router {
    Router::new().route("/{key}/{*path}", get(file)).with_state(TabletServer { folder: Arc::new(folder), place, page })
}

async fn file(
    State(tablet): State<TabletServer>,
    Path((key, path)): Path<(String, String)>,
    Extension(seat): Extension<Arc<Seat>>,
    headers: HeaderMap,
) -> Response {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let Some(name) = name_of(host).filter(|_| tablet.place.key.is(&key)) else {
        return (StatusCode::FORBIDDEN, ELSEWHERE).into_response();
    };
    seat.is_known();
    let mut response = robot::file(Some(&tablet.folder), &path, KINDS).await;
    let own = format!("http://{host}");
    // A sandboxed frame has no origin, so `'self'` would match nothing.
    let content = format!(
        "default-src {own} 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors http://{name}:{}; base-uri 'none'; \
         form-action 'none'; sandbox allow-scripts",
        tablet.page
    );
    let policy: [(HeaderName, &str); 5] = [
        (header::CONTENT_SECURITY_POLICY, &content),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-cache"),
        // Requests for scripts and fonts from a page without an origin are cross-origin. The key in the address
        // authorizes them.
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "null"),
    ];
    for (name, value) in policy {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}
