//! HTTP: the page, the models, and what pages ask for once.

mod websocket;

use crate::assets::{asset, page, style};
use crate::editing::{self, Editor};
use crate::files;
use crate::fleet::{self, ShowPage};
use crate::gallery::{self, Gallery};
use crate::guard::{Access, Guard, Token, guard};
use crate::library;
use crate::limits::answer;
use crate::models::Models;
use crate::protocol::Command;
use crate::queries::ItemRef;
use crate::robot::Robot;
use crate::shared::SharedStore;
use crate::table::Table;
use crate::tablet::{self, Place, Tablet};
use crate::texts::{self, Texts};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxstep_draw::Level;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use tokio::sync::watch;

/// The reply to commands for a recording.
const RECORDING: &str = "nothing plays: this is a recording";

/// Controls the run that is shown.
pub trait Controls: Send + Sync {
    /// Executes a command of a page.
    ///
    /// # Errors
    /// A sentence, if the command fails.
    fn command(&self, what: Command) -> Result<(), String>;

    /// Plays a single box of a behavior, beside the run, and returns the address of its page. Blocks until the page
    /// exists.
    ///
    /// # Errors
    /// A sentence, if the box cannot be played.
    fn alone(&self, behavior: &str, path: &str) -> Result<String, String>;

    /// Whether [`Command::Restart`] begins another run.
    fn restarts(&self) -> bool {
        false
    }
}

/// The contents of a page.
pub struct Show {
    /// The title of the page.
    pub title: String,
    /// The run.
    pub shared: SharedStore,
    /// The behaviors that are drawn.
    pub models: Models,
    /// The controls of a live run; `None` for a recording.
    pub controls: Option<Arc<dyn Controls>>,
    /// What is drawn of the robot.
    pub robot: Robot,
    /// Changes files; `None` if pages may not.
    pub editor: Option<Arc<dyn Editor>>,
    /// Changes texts; `None` if pages may not.
    pub texts: Option<Arc<dyn Texts>>,
}

/// A server on a thread of its own. It stops when dropped.
pub struct Server {
    address: SocketAddr,
    token: Token,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server for a run. Clients need the token, which is part of the [`url`](Server::url).
    ///
    /// # Errors
    /// The address cannot be bound.
    pub fn start(listen: SocketAddr, show: Show, access: Access) -> io::Result<Self> {
        let tablet = show.robot.tablet.clone().map(|tablet| (tablet, show.shared.clone()));
        Self::serve(listen, tablet, access, |ended| router(Arc::new(show), ended))
    }

    /// Starts a server for a gallery of everything that can be played.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub fn open(listen: SocketAddr, gallery: Arc<dyn Gallery>, access: Access) -> io::Result<Self> {
        Self::serve(listen, None, access, |ended| gallery::router(gallery, &ended))
    }

    /// Starts a server for the page of a show.
    ///
    /// # Errors
    /// The address cannot be bound.
    pub fn of_show(listen: SocketAddr, show: ShowPage, access: Access) -> io::Result<Self> {
        Self::serve(listen, None, access, |ended| fleet::router(show, &ended))
    }

    /// Starts a server for these routes, and one for the pages of a tablet if they have a folder.
    fn serve(
        listen: SocketAddr,
        tablet: Option<(Tablet, SharedStore)>,
        access: Access,
        routes: impl FnOnce(Ended) -> Router,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(listen)?;
        listener.set_nonblocking(true)?;
        let (address, limits) = (listener.local_addr()?, access.limits);
        let token = access.token.map_or_else(Token::random, Ok)?;
        let (end, ended) = watch::channel(false);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let (screen, place) = match tablet {
            Some((tablet, shared)) => {
                let listener = TcpListener::bind((address.ip(), 0))?;
                listener.set_nonblocking(true)?;
                let place = Place { port: listener.local_addr()?.port(), key: Token::random()? };
                let router = tablet::router(tablet, shared, place.clone(), address.port(), ended.clone());
                (Some((listener, router)), Some(place))
            }
            None => (None, None),
        };
        let frames = place.as_ref().map(|place| place.port);
        let guard = Guard { token: token.clone(), cookie: Token::random()?, port: address.port(), frames, limits };
        let router = routes(Ended { guard, tablet: place, over: ended.clone() });
        let serve = async move {
            let others = screen.map(|(listener, router)| tokio::spawn(answer(listener, router, limits, ended.clone())));
            answer(listener, router, limits, ended).await;
            if let Some(others) = others {
                let _ = others.await;
            }
        };
        let thread = std::thread::Builder::new().name("view: server".to_owned());
        let thread = thread.spawn(move || {
            runtime.block_on(serve);
            // Blocking queries are not waited for.
            runtime.shutdown_background();
        })?;
        Ok(Self { address, token, end, thread: Some(thread) })
    }

    /// Returns the address that the server listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address to open in a browser on this computer. If the server listens on all interfaces, other
    /// computers have to use another host name.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        format!("http://{}/?token={}", SocketAddr::new(ip, self.address.port()), self.token.text())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end.send_replace(true);
        if let Some(thread) = self.thread.take() {
            // A panic of the server's thread must not panic here.
            let _ = thread.join();
        }
    }
}

/// What the routes need to know of the server.
#[derive(Clone)]
pub(crate) struct Ended {
    pub(crate) guard: Guard,
    tablet: Option<Place>,
    over: watch::Receiver<bool>,
}

#[derive(Clone)]
pub(crate) struct AppState {
    pub(crate) show: Arc<Show>,
    tablet: Option<Place>,
    ended: watch::Receiver<bool>,
}

fn router(show: Arc<Show>, ended: Ended) -> Router {
    Router::new()
        .route("/", get(|| async { page("run") }))
        .route("/{name}", get(|Path(name): Path<String>| async move { asset(&name) }))
        .route("/drawing.css", get(|| async { style() }))
        .route("/legend", get(legend))
        .route("/model/{number}", get(model))
        .route("/level/{number}", get(level))
        .route("/postures/{number}", get(postures))
        .route("/character", get(character))
        .route("/series.csv", get(table))
        .route("/body", get(body))
        .route("/mesh/{name}", get(mesh))
        .route("/sound/{*path}", get(sound))
        .route("/picture/{*path}", get(picture))
        .route("/files", get(folder))
        .route("/script-help", get(script_help))
        .route("/alone", post(alone))
        .route("/ws", get(websocket::connect))
        .merge(editing::routes())
        .merge(library::routes())
        .merge(texts::routes(show.texts.clone()))
        .layer(axum::middleware::from_fn_with_state(ended.guard, guard))
        .with_state(AppState { show, tablet: ended.tablet, ended: ended.over })
}

/// Returns the character that plays, as the file has it.
async fn character(State(app): State<AppState>) -> Response {
    match app.show.models.character() {
        Some(chart) => ([(header::CONTENT_TYPE, "application/json")], chart.to_string()).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}

/// Returns a drawing of what the signs of drawings mean.
async fn legend() -> Response {
    ([(header::CONTENT_TYPE, "image/svg+xml")], boxstep_draw::legend()).into_response()
}

/// Returns a behavior as JSON (`docs/schemas/behavior.json`).
async fn model(State(app): State<AppState>, Path(number): Path<usize>) -> Response {
    let Some(model) = app.show.models.get(number) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Large behaviors take a moment, and other requests must not wait.
    match tokio::task::spawn_blocking(move || boxstep_draw::live_json(&model.name, &model.file)).await {
        Ok(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

#[derive(serde::Deserialize)]
struct Where {
    #[serde(default)]
    path: String,
    /// The path of the root box in the run, if it differs from the path in the file.
    root: Option<String>,
}

/// Returns a drawing of the inside of a box; without a path that of the behavior.
async fn level(State(app): State<AppState>, Path(number): Path<usize>, Query(at): Query<Where>) -> Response {
    let Some(model) = app.show.models.get(number) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let edits = app.show.editor.is_some();
    let draw = move || {
        let project = &model.file.project;
        let level = Level::shown(project, &at.path, at.root.as_deref()).map_err(|why| why.to_string())?;
        Ok::<_, String>(boxstep_draw::live(project, &level, model.body, at.root.as_deref(), edits))
    };
    match tokio::task::spawn_blocking(draw).await {
        Ok(Ok(drawing)) => ([(header::CONTENT_TYPE, "image/svg+xml")], drawing).into_response(),
        // Somebody may have removed the box. Browsers report other codes as errors of the page.
        Ok(Err(_)) => StatusCode::NO_CONTENT.into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// Returns the postures that a box's timeline moves the robot through, as JSON.
async fn postures(State(app): State<AppState>, Path(number): Path<usize>, Query(at): Query<Where>) -> Response {
    let Some(model) = app.show.models.get(number) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Long curves take a moment, and other pages must not wait.
    let found = tokio::task::spawn_blocking(move || {
        let level = Level::shown(&model.file.project, &at.path, at.root.as_deref()).ok()?;
        boxstep_draw::postures(&level, model.body)
    });
    match found.await.ok().flatten() {
        Some(json) => ([(header::CONTENT_TYPE, "application/json")], json).into_response(),
        None => (StatusCode::NOT_FOUND, "it moves no joint of this robot\n").into_response(),
    }
}

#[derive(serde::Deserialize)]
struct Items {
    /// A JSON list of `{"about", "path", "name"}`.
    items: String,
}

/// Returns all changes of some items as CSV.
async fn table(State(app): State<AppState>, Query(items): Query<Items>) -> Response {
    let Ok(items) = serde_json::from_str::<Vec<ItemRef>>(&items.items) else {
        return (StatusCode::BAD_REQUEST, "items: a JSON list of objects with about, path and name\n").into_response();
    };
    let table = Table::new(&app.show.shared.lock(), items);
    let csv = tokio::task::spawn_blocking(move || table.csv()).await.unwrap_or_default();
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"boxstep.csv\""),
    ];
    (headers, csv).into_response()
}

/// The box to play.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    behavior: String,
    path: String,
}

/// Plays a single box. Only JSON is accepted, for the same reason as in the gallery.
async fn alone(State(app): State<AppState>, Json(wish): Json<Wanted>) -> Response {
    let Some(controls) = app.show.controls.clone() else {
        return (StatusCode::CONFLICT, RECORDING).into_response();
    };
    let begun = tokio::task::spawn_blocking(move || controls.alone(&wish.behavior, &wish.path)).await;
    match begun.unwrap_or_else(|e| Err(e.to_string())) {
        Ok(url) => Json(serde_json::json!({ "url": url })).into_response(),
        Err(why) => (StatusCode::CONFLICT, why).into_response(),
    }
}

/// Returns what is drawn of the robot.
async fn body(State(app): State<AppState>) -> Response {
    let json = app.show.robot.json(app.tablet.as_ref());
    ([(header::CONTENT_TYPE, "application/json")], json).into_response()
}

/// Returns a mesh from the user's folder.
async fn mesh(State(app): State<AppState>, Path(name): Path<String>) -> Response {
    files::file(app.show.robot.meshes.as_deref(), &name, &files::MESHES).await
}

/// Returns a sound from the behavior's folder.
async fn sound(State(app): State<AppState>, Path(path): Path<String>) -> Response {
    files::file(app.show.robot.folder.as_deref(), &path, &files::SOUNDS).await
}

/// Returns a picture from the behavior's folder.
async fn picture(State(app): State<AppState>, Path(path): Path<String>) -> Response {
    files::file(app.show.robot.folder.as_deref(), &path, &files::PICTURES).await
}

/// Returns the files of the behavior's folder, as JSON.
async fn folder(State(app): State<AppState>) -> Response {
    let listed = move || app.show.robot.folder.as_deref().map(files::list).unwrap_or_default();
    Json(tokio::task::spawn_blocking(listed).await.unwrap_or_default()).into_response()
}

/// Returns what scripts can use, for the page's editor of scripts. It is the same as long as the program is.
async fn script_help(headers: HeaderMap) -> Response {
    static HELP: LazyLock<(String, String)> = LazyLock::new(|| {
        let help = boxstep_services::scripts::help();
        let hash = ring::digest::digest(&ring::digest::SHA256, help.as_bytes());
        let tag = hash.as_ref().iter().take(8).map(|byte| format!("{byte:02x}")).collect::<String>();
        (help, format!("\"{tag}\""))
    });
    let (help, tag) = &*HELP;
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
    let tag = (header::ETAG, tag.as_str());
    if known {
        return (StatusCode::NOT_MODIFIED, [tag]).into_response();
    }
    ([tag, (header::CONTENT_TYPE, "application/json")], help.as_str()).into_response()
}
