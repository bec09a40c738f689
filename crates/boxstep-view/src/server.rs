//! HTTP and WebSocket: the page, the models, and snapshots for each page as often as it is ready for one.

use crate::assets::{asset, page, style};
use crate::editing::{self, Editor};
use crate::files;
use crate::fleet::{self, ShowPage};
use crate::gallery::{self, Gallery};
use crate::guard::{Access, Guard, Token, guard};
use crate::library;
use crate::limits::{self, answer};
use crate::models::Models;
use crate::protocol::{Command, PROTOCOL, PageRequest, ServerMessage};
use crate::queries::ItemRef;
use crate::robot::Robot;
use crate::seats::Seat;
use crate::shared::SharedStore;
use crate::store::PastSnapshot;
use crate::table::Table;
use crate::tablet::{self, Place, Tablet};
use crate::texts::{self, Texts};
use crate::trial::{Sight, Trial, TrialWish};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use boxstep_draw::Level;
use serde_json::value::RawValue;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::sync::{Arc, LazyLock};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

/// The minimum time between two snapshots, the refresh period of a display.
const FRAME: Duration = Duration::from_millis(33);
/// The same for a page that shows an earlier time of a live run, and only gets updates of the run's length.
const SLOW: Duration = Duration::from_secs(1);
/// The reply to commands for a recording.
const RECORDING: &str = "nothing plays: this is a recording";
/// The maximum length of a page's message, in bytes.
const MOST_BYTES: usize = 1 << 20;

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
        .route("/series.csv", get(table))
        .route("/body", get(body))
        .route("/mesh/{name}", get(mesh))
        .route("/sound/{*path}", get(sound))
        .route("/picture/{*path}", get(picture))
        .route("/files", get(folder))
        .route("/script-help", get(script_help))
        .route("/alone", post(alone))
        .route("/ws", get(websocket))
        .merge(editing::routes())
        .merge(library::routes())
        .merge(texts::routes(show.texts.clone()))
        .layer(axum::middleware::from_fn_with_state(ended.guard, guard))
        .with_state(AppState { show, tablet: ended.tablet, ended: ended.over })
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
    let draw = move || {
        let project = &model.file.project;
        let level = Level::shown(project, &at.path, at.root.as_deref()).map_err(|why| why.to_string())?;
        Ok::<_, String>(boxstep_draw::live(project, &level, model.body, at.root.as_deref()))
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

#[derive(serde::Deserialize)]
struct SocketParams {
    /// Whether the page announces when it is ready for each snapshot after the first.
    #[serde(default)]
    ready: bool,
}

async fn websocket(
    State(app): State<AppState>,
    Query(params): Query<SocketParams>,
    Extension(seat): Extension<Arc<Seat>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.max_message_size(MOST_BYTES).on_upgrade(move |socket| async move {
        // Errors are ignored: they mean that the page has disconnected.
        let _ = serve_page(app, socket, params.ready).await;
        drop(seat);
    })
}

/// The message that a request is refused.
fn refused(wish: &str, why: &str) -> Option<Message> {
    Some(text(&ServerMessage::Refused { wish, why }))
}

/// Executes a command on a separate thread: the engine may be busy, and other pages must not wait.
async fn execute(show: &Arc<Show>, wish: &str, command: Command) -> Option<Message> {
    let Some(controls) = show.controls.clone() else {
        return refused(wish, RECORDING);
    };
    let done = tokio::task::spawn_blocking(move || controls.command(command)).await;
    done.unwrap_or_else(|e| Err(e.to_string())).err().and_then(|why| refused(wish, &why))
}

/// Returns the trial run of a behavior.
async fn trial(show: &Arc<Show>, model: usize) -> Result<SharedStore, String> {
    let editor = show.editor.clone().ok_or("this page changes no files: start it with --edit")?;
    let model = show.models.get(model).ok_or("there is no such behavior")?;
    // It reads files.
    let begun = tokio::task::spawn_blocking(move || editor.trial(&model.name)).await;
    begun.unwrap_or_else(|e| Err(e.to_string()))
}

/// The state of one page's connection.
struct PageView {
    /// The time that the page shows; `None` if it follows the run.
    at: Option<i64>,
    /// The run that it shows.
    run: u64,
    /// The version of the snapshot that the page has; `None` if it has none.
    seen: Option<u64>,
    /// What the page has of an earlier time, and whether it waits for a later one.
    past: Option<PastSnapshot>,
    further: bool,
    /// Whether the page announces when it is ready for a snapshot, and whether it is ready.
    paced_by_page: bool,
    ready: bool,
    /// When the last snapshot was sent, and, for a page that shows an earlier time, what it knows of the run: how
    /// often the debugger's state was set, the time of the last entry, and whether the run is over.
    sent: Option<Instant>,
    pace: u64,
    end: i64,
    over: bool,
    /// The trial run that it shows in place of the run.
    trial: Option<Trial>,
}

async fn serve_page(app: AppState, mut socket: WebSocket, paced_by_page: bool) -> Result<(), axum::Error> {
    let AppState { show, mut ended, .. } = app;
    let mut changed = show.shared.subscribe();
    let mut models = show.models.subscribe();
    let hello = ServerMessage::Hello {
        protocol: PROTOCOL,
        product: concat!("boxstep ", env!("CARGO_PKG_VERSION")),
        title: &show.title,
        live: show.controls.is_some(),
        restarts: show.controls.as_ref().is_some_and(|controls| controls.restarts()),
        edits: show.editor.is_some(),
        trials: show.editor.as_ref().is_some_and(|editor| editor.has_trials()),
        models: show.models.names(),
    };
    socket.send(text(&hello)).await?;
    let live = show.controls.is_some();
    let mut view = PageView {
        at: if live { None } else { Some(0) },
        run: 0,
        seen: None,
        past: None,
        further: false,
        paced_by_page,
        ready: true,
        sent: None,
        pace: 0,
        end: 0,
        over: false,
        trial: None,
    };
    loop {
        changed.mark_unchanged();
        view.look_at_trial();
        let shared = view.trial.as_ref().map_or(&show.shared, |trial| &trial.store).clone();
        let due = view.due(&shared);
        if due.is_some_and(|due| Instant::now() >= due) {
            socket.send(view.snapshot(&shared)).await?;
            continue;
        }
        let next = async {
            if let Some(due) = due {
                sleep_until(due).await;
            // Without a sender, nothing changes any more.
            } else if changed.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = next => {}
            () = limits::stopped(&mut ended) => return Ok(()),
            Ok(()) = models.changed() => socket.send(text(&ServerMessage::Models { models: show.models.names() })).await?,
            message = socket.recv() => match message {
                Some(Ok(Message::Text(wish))) => {
                    let answer = match serde_json::from_str::<PageRequest>(&wish) {
                        Err(why) => refused(&wish, &why.to_string()),
                        Ok(PageRequest::Command(command)) => execute(&show, &wish, command).await,
                        Ok(PageRequest::Trial(asked)) => match trial(&show, asked.model).await {
                            Ok(store) => {
                                changed = store.subscribe();
                                view.show_trial(store, asked);
                                None
                            }
                            Err(why) => refused(&wish, &why),
                        },
                        Ok(PageRequest::Live) => {
                            changed = show.shared.subscribe();
                            view.handle(&show.shared, PageRequest::Live)
                        }
                        Ok(asked) => view.handle(&shared, asked),
                    };
                    if let Some(answer) = answer {
                        socket.send(answer).await?;
                    }
                }
                Some(Ok(Message::Close(_))) | None => return Ok(()),
                Some(Ok(_)) => {}
                Some(Err(e)) => return Err(e),
            },
        }
    }
}

fn text(told: &ServerMessage<'_>) -> Message {
    // The message contains only text, numbers and parsed JSON, so this cannot fail.
    Message::Text(Utf8Bytes::from(serde_json::to_string(told).unwrap_or_default()))
}

impl PageView {
    /// Returns when the next snapshot may be sent; `None` if nothing has changed or the page is not ready.
    fn due(&self, shared: &SharedStore) -> Option<Instant> {
        if !self.ready {
            return None;
        }
        let Some(sent) = self.sent else { return Some(Instant::now()) };
        let pace = shared.debugger().revision != self.pace;
        let store = shared.lock();
        let other = (store.run != self.run && self.trial.is_none())
            || match self.at {
                None => self.seen != Some(store.now.version),
                Some(_) => self.seen.is_none() || self.further || store.footer().is_some() != self.over,
            };
        let further = self.at.is_some() && store.end() != self.end;
        match (pace || other, further) {
            (true, _) => Some(sent + FRAME),
            (false, true) => Some(sent + SLOW),
            (false, false) => None,
        }
    }

    /// Returns the next snapshot.
    fn snapshot(&mut self, shared: &SharedStore) -> Message {
        let debugger = shared.debugger();
        let pace = debugger.status.as_deref();
        let store = shared.lock();
        if store.run != self.run && self.trial.is_none() {
            (self.run, self.at, self.seen, self.past) = (store.run, None, None, None);
        }
        (self.ready, self.sent) = (!self.paced_by_page, Some(Instant::now()));
        (self.pace, self.end, self.over) = (debugger.revision, store.end(), store.footer().is_some());
        let (begin, end) = (store.begin(), store.end());
        let over = store.footer().and_then(|line| serde_json::from_str::<&RawValue>(line).ok());
        let lines = store.log_len();
        let (run, notice) = (self.run, debugger.notice.as_deref());
        let trial = self.trial.as_ref().map(|trial| trial.sight.word());
        let Some(t) = self.at else {
            let since = self.seen.replace(store.now.version);
            let items = store.now.since(since.unwrap_or_default());
            let (whole, told) = (since.is_none(), lines);
            let t = if over.is_some() { end } else { end.max(debugger.now()) };
            let live = true;
            return text(&ServerMessage::Picture {
                run,
                whole,
                t,
                begin,
                end,
                live,
                over,
                pace,
                notice,
                trial,
                items,
                told,
                lines,
            });
        };
        let mut whole = self.seen.replace(0).is_none();
        let (further, told) = (std::mem::take(&mut self.further), store.log_len_at(t));
        // The snapshot at an earlier time does not change by itself.
        let mut since = None;
        if whole || further {
            let advanced = self.past.as_mut().filter(|_| !whole).and_then(|past| store.advance(past, t));
            if advanced.is_none() {
                (whole, self.past) = (true, Some(store.past(t)));
            }
            since = Some(advanced.unwrap_or_default());
        }
        let past = self.past.as_ref();
        let items = since.zip(past).map(|(since, past)| past.snapshot.since(since)).unwrap_or_default();
        let live = false;
        text(&ServerMessage::Picture { run, whole, t, begin, end, live, over, pace, notice, trial, items, told, lines })
    }

    /// Shows a time.
    fn go_to(&mut self, t: i64) {
        // A page that plays on gets only what has changed.
        let on = self.past.is_some() && self.seen.is_some() && self.at.is_some_and(|at| at <= t);
        (self.at, self.further) = (Some(t), on);
        if !on {
            self.seen = None;
        }
    }

    /// Shows a trial run in place of the run.
    fn show_trial(&mut self, store: SharedStore, wish: TrialWish) {
        if self.trial.as_ref().is_none_or(|trial| !trial.store.is(&store)) {
            (self.at, self.seen, self.past) = (Some(0), None, None);
        }
        self.trial = Some(Trial::new(store, wish));
    }

    /// Shows what is wanted of a trial run once that is there.
    fn look_at_trial(&mut self) {
        let Some(trial) = &mut self.trial else { return };
        let before = trial.sight;
        let to = trial.look(self.at);
        let told = before == trial.sight;
        match to {
            Some(to) => self.go_to(to),
            // It is told what has become of the search.
            None if !told => self.further = true,
            None => {}
        }
    }

    /// Handles a request about what the page shows, and returns the reply if there is one.
    fn handle(&mut self, shared: &SharedStore, wish: PageRequest) -> Option<Message> {
        match wish {
            PageRequest::Live => {
                (self.at, self.seen, self.past, self.trial) = (None, None, None, None);
                None
            }
            PageRequest::Seek { t } => {
                if let Some(trial) = &mut self.trial {
                    (trial.wish, trial.sight) = (None, Sight::Shows);
                }
                self.go_to(t);
                None
            }
            PageRequest::Ready => {
                (self.paced_by_page, self.ready) = (true, true);
                None
            }
            PageRequest::Query(query) => {
                let store = shared.lock();
                let at = self.at.unwrap_or(i64::MAX);
                Some(Message::Text(Utf8Bytes::from(query.answer(&store, at.min(store.end())))))
            }
            PageRequest::Command(_) | PageRequest::Trial(_) => None,
        }
    }
}
