//! The connection of a page: its requests, and snapshots as often as it is ready for one.

use super::{AppState, RECORDING, Show};
use crate::limits;
use crate::protocol::{Command, PROTOCOL, PageRequest, ServerMessage};
use crate::queries::PanelQuery;
use crate::seats::Seat;
use crate::shared::SharedStore;
use crate::snapshot::KeyedItem;
use crate::store::{PastSnapshot, TraceStore};
use crate::trial::{Sight, Trial, TrialWish};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use serde_json::value::RawValue;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// The minimum time between two snapshots, the refresh period of a display.
const FRAME: Duration = Duration::from_millis(33);
/// The same for a page that shows an earlier time of a live run, and only gets updates of the run's length.
const SLOW: Duration = Duration::from_secs(1);
/// The maximum length of a page's message, in bytes.
const MOST_BYTES: usize = 1 << 20;

#[derive(serde::Deserialize)]
pub(super) struct SocketParams {
    /// Whether the page announces when it is ready for each snapshot after the first.
    #[serde(default)]
    ready: bool,
}

pub(super) async fn connect(
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
    /// Counts the runs and trial runs that it has shown, and which of them it has a snapshot of.
    shown: u64,
    told: u64,
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
        shown: 0,
        told: 0,
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
                            view.handle(PageRequest::Live);
                            None
                        }
                        Ok(PageRequest::Query(query)) => loop {
                            match view.answer(&shared, &query) {
                                None => socket.send(view.snapshot(&shared)).await?,
                                answer => break answer,
                            }
                        },
                        Ok(asked) => {
                            view.handle(asked);
                            None
                        }
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
    /// Whether another run than the one that the page shows is in its store.
    fn is_other(&self, store: &TraceStore) -> bool {
        store.run != self.run && self.trial.is_none()
    }

    /// Returns when the next snapshot may be sent; `None` if nothing has changed or the page is not ready.
    fn due(&self, shared: &SharedStore) -> Option<Instant> {
        if !self.ready {
            return None;
        }
        let Some(sent) = self.sent else { return Some(Instant::now()) };
        let pace = shared.debugger().revision != self.pace;
        let store = shared.lock();
        let other = self.is_other(&store)
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
        if self.is_other(&store) {
            (self.run, self.at, self.seen, self.past) = (store.run, None, None, None);
            self.shown += 1;
        }
        self.told = self.shown;
        (self.ready, self.sent) = (!self.paced_by_page, Some(Instant::now()));
        (self.pace, self.end, self.over) = (debugger.revision, store.end(), store.footer().is_some());
        let (begin, end) = (store.begin(), store.end());
        let over = store.footer().and_then(|line| serde_json::from_str::<&RawValue>(line).ok());
        let lines = store.log_len();
        let (run, shown, notice) = (self.run, self.shown, debugger.notice.as_deref());
        let trial = self.trial.as_ref().map(|trial| trial.sight.word());
        let live = self.at.is_none();
        let (whole, t, told, items) = match self.at {
            None => {
                let since = self.seen.replace(store.now.version);
                let t = if over.is_some() { end } else { end.max(debugger.now()) };
                (since.is_none(), t, lines, store.now.since(since.unwrap_or_default()))
            }
            Some(t) => {
                let (whole, items) = self.past_items(&store, t);
                (whole, t, store.log_len_at(t), items)
            }
        };
        text(&ServerMessage::Picture {
            run,
            shown,
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
        })
    }

    /// Returns the items of an earlier time, which do not change by themselves, and whether they are all that there are.
    fn past_items(&mut self, store: &TraceStore, t: i64) -> (bool, Vec<KeyedItem<'_>>) {
        let mut whole = self.seen.replace(0).is_none();
        let further = std::mem::take(&mut self.further);
        if !whole && !further {
            return (whole, Vec::new());
        }
        let advanced = self.past.as_mut().filter(|_| !whole).and_then(|past| store.advance(past, t));
        if advanced.is_none() {
            (whole, self.past) = (true, Some(store.past(t)));
        }
        let items = self.past.as_ref().map(|past| past.snapshot.since(advanced.unwrap_or_default()));
        (whole, items.unwrap_or_default())
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
            self.shown += 1;
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

    /// Handles a request about what the page shows.
    fn handle(&mut self, wish: PageRequest) {
        match wish {
            PageRequest::Live => {
                self.shown += u64::from(self.trial.is_some());
                (self.at, self.seen, self.past, self.trial) = (None, None, None, None);
            }
            PageRequest::Seek { t } => {
                if let Some(trial) = &mut self.trial {
                    (trial.wish, trial.sight) = (None, Sight::Shows);
                }
                self.go_to(t);
            }
            PageRequest::Ready => (self.paced_by_page, self.ready) = (true, true),
            PageRequest::Query(_) | PageRequest::Command(_) | PageRequest::Trial(_) => {}
        }
    }

    /// Returns the answer to a question; `None` if the page must first get a snapshot of the run that it would be about.
    fn answer(&self, shared: &SharedStore, query: &PanelQuery) -> Option<Message> {
        let store = shared.lock();
        if self.is_other(&store) || self.told != self.shown {
            return None;
        }
        let at = self.at.unwrap_or(i64::MAX);
        Some(Message::Text(Utf8Bytes::from(query.answer(&store, at.min(store.end())))))
    }
}
