//! The pages of a robot's tablet, on an origin of their own: the files of an application's `html` folder, and the
//! script `qimessaging.js`, by which they use the services of the robot (`tablet/link.rs`), and `page.js`, which runs what
//! the behavior runs in them (`tablet/scripts.rs`). Pages of applications are
//! shown in a sandboxed frame, cannot read what the view serves, and can access nothing but their own folder and these
//! services. By the services they can do what the scripts of the application can, and only if those run.

mod link;
mod scripts;

pub use link::OtherServices;
pub(crate) use scripts::script_of;

use crate::files::{self, Served};
use crate::guard::{Token, name_of};
use crate::seats::Seat;
use crate::shared::SharedStore;
use axum::body::{Body, to_bytes};
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use boxstep_engine::Engine;
use boxstep_engine::shared::Shared;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::watch;

/// The tablet of a robot.
#[derive(Clone)]
pub struct Tablet {
    /// The folder with its pages.
    pub folder: PathBuf,
    /// The run whose services the pages use.
    pub engine: TabletEngine,
}

/// What the pages of a tablet use of a run.
#[derive(Clone)]
pub struct TabletRun {
    /// The run.
    pub engine: Shared<Engine>,
    /// Services of other programs, once there are any; the pages use those of names that the run does not have.
    pub others: Arc<OnceLock<Box<dyn OtherServices>>>,
}

/// The run whose services the pages of a tablet use; empty for a recording, and if the run has no scripts. Clones are the
/// same, so that another run can take its place.
#[derive(Clone, Default)]
pub struct TabletEngine(Arc<Mutex<Option<TabletRun>>>);

impl TabletEngine {
    /// Sets the run.
    pub fn set(&self, run: Option<TabletRun>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = run;
    }

    fn get(&self) -> Option<TabletRun> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The address of the pages: `http://HOST:port/key/…`. A client needs the key.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) port: u16,
    pub(crate) key: Token,
}

#[derive(Clone)]
struct TabletServer {
    tablet: Tablet,
    shared: SharedStore,
    place: Place,
    ended: watch::Receiver<bool>,
    /// The port of the page that shows the tablet.
    page: u16,
}

const KINDS: Served = Served {
    kinds: &[
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
    ],
    most: 64 << 20,
};

const ELSEWHERE: &str = "This is a part of boxstep's page, and is only shown there.\n";

/// The scripts that pages load from the robot, by the ends of their addresses. Version 1.0 comes with jQuery; its
/// socket.io is not needed.
const SCRIPTS: &[(&str, &str)] = &[
    ("libs/qimessaging/1.0/qimessaging.js", include_str!("tablet/qimessaging.js")),
    ("libs/qimessaging/2/qimessaging.js", include_str!("tablet/qimessaging.js")),
    ("libs/qimessaging/1.0/jquery.min.js", include_str!("../web/dist/jquery.js")),
    ("libs/qimessaging/1.0/socket.io.min.js", ""),
    (scripts::PAGE_SCRIPT, include_str!("tablet/page.js")),
];

/// The address of the robot on the tablet's network, by which some pages load the script.
const ROBOT: &str = "http://198.18.0.1/libs/";

pub(crate) fn router(
    tablet: Tablet,
    shared: SharedStore,
    place: Place,
    page: u16,
    ended: watch::Receiver<bool>,
) -> Router {
    let router = Router::new()
        .route("/{key}/services", get(services))
        .route("/{key}/scripts", get(run_scripts))
        .route("/{key}/{*path}", get(file));
    // Pages have these addresses without a key.
    let router = SCRIPTS
        .iter()
        .fold(router, |router, (path, text)| router.route(&format!("/{path}"), get(move || async { script(text) })));
    router.with_state(TabletServer { tablet, shared, place, page, ended })
}

fn script(text: &'static str) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (kind, text).into_response()
}

impl TabletServer {
    /// Returns the host and the name by which the browser knows this server, if the request may be answered.
    fn known_as(&self, headers: &HeaderMap, key: &str) -> Option<(String, String)> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        name_of(host).filter(|_| self.place.key.is(key)).map(|name| (host.to_owned(), name.to_owned()))
    }
}

/// The connection of a page to the services of the robot. The key in the address authorizes it, since a page without an
/// origin has nothing else.
async fn services(
    State(server): State<TabletServer>,
    Path(key): Path<String>,
    Extension(seat): Extension<Arc<Seat>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if server.known_as(&headers, &key).is_none() {
        return (StatusCode::FORBIDDEN, ELSEWHERE).into_response();
    }
    let Some(run) = server.tablet.engine.get() else { return StatusCode::NOT_FOUND.into_response() };
    seat.is_known();
    upgrade.max_message_size(link::MOST_BYTES).on_upgrade(move |socket| async move {
        link::serve(run.engine, run.others, socket, server.ended).await;
        drop(seat);
    })
}

/// The connection by which a page gets the scripts that the behavior runs in it.
async fn run_scripts(
    State(server): State<TabletServer>,
    Path(key): Path<String>,
    Extension(seat): Extension<Arc<Seat>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    if server.known_as(&headers, &key).is_none() {
        return (StatusCode::FORBIDDEN, ELSEWHERE).into_response();
    }
    seat.is_known();
    // Before the page knows that it is connected, so that it misses none.
    let scripts = server.shared.scripts();
    upgrade.max_message_size(link::MOST_BYTES).on_upgrade(move |socket| async move {
        scripts::serve(scripts, server.tablet, socket, server.ended).await;
        drop(seat);
    })
}

async fn file(
    State(server): State<TabletServer>,
    Path((key, path)): Path<(String, String)>,
    Extension(seat): Extension<Arc<Seat>>,
    headers: HeaderMap,
) -> Response {
    let Some((host, name)) = server.known_as(&headers, &key) else {
        return (StatusCode::FORBIDDEN, ELSEWHERE).into_response();
    };
    seat.is_known();
    // A copy that the application brings would look for a robot of its own.
    let mut response = match SCRIPTS.iter().find(|(script, _)| path.ends_with(script)) {
        Some((_, text)) => script(text),
        None => page(&server.tablet.folder, &path).await,
    };
    let own = format!("http://{host} ws://{host}");
    // A sandboxed frame has no origin, so `'self'` would match nothing.
    let content = format!(
        "default-src {own} 'unsafe-inline' 'unsafe-eval' data: blob:; frame-ancestors http://{name}:{}; base-uri 'none'; \
         form-action 'none'; sandbox allow-scripts",
        server.page
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

/// Returns a file. Scripts that a page loads from the robot are loaded from this server, and each page gets `page.js`.
async fn page(folder: &std::path::Path, path: &str) -> Response {
    let response = files::file(Some(folder), path, &KINDS).await;
    if !path.ends_with(".html") && !path.ends_with(".htm") {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else { return StatusCode::NOT_FOUND.into_response() };
    // A page in another encoding remains as it is.
    let body = match std::str::from_utf8(&bytes) {
        Ok(text) => Body::from(scripts::with_script(&text.replace(ROBOT, "/libs/"))),
        Err(_) => Body::from(bytes),
    };
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, body)
}
