//! The scripts that a behavior runs in the pages of the tablet (`ALTabletService.executeJS`), and the events that the
//! pages raise. The other side is `page.js`.

use super::{Tablet, TabletRun};
use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use boxstep_engine::config::Control;
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::trace::Kind;
use boxstep_types::Value;
use std::sync::Arc;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;

/// The address of the script that each page gets.
pub(super) const PAGE_SCRIPT: &str = "libs/boxstep/page.js";

/// Returns the script that a behavior runs in the pages by this event.
pub(crate) fn script_of(kind: &Kind) -> Option<&str> {
    let Kind::Act(act) = kind else { return None };
    let is_run = act.kind == "tablet" && act.data.get("method").and_then(Value::as_str) == Some("executeJS");
    act.data.get("arguments").filter(|_| is_run)?.as_list()?.first()?.as_str()
}

/// Adds the script to a page. At its end it is a part of the page wherever the page's own tags end.
pub(super) fn with_script(page: &str) -> String {
    format!("{page}<script src=\"/{PAGE_SCRIPT}\"></script>")
}

/// Serves one page until it disconnects or the server is stopped.
pub(super) async fn serve(
    mut scripts: Receiver<Arc<str>>,
    tablet: Tablet,
    mut socket: WebSocket,
    mut ended: watch::Receiver<bool>,
) {
    loop {
        tokio::select! {
            () = crate::limits::stopped(&mut ended) => return,
            script = scripts.recv() => match script {
                Ok(script) => {
                    if socket.send(Message::Text(Utf8Bytes::from(&*script))).await.is_err() {
                        return;
                    }
                }
                // A page that reads too slowly misses some.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return,
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => raise(&tablet, &text).await,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                Some(Ok(_)) => {}
            },
        }
    }
}

/// Emits the signal `onJSEvent`, on a separate thread: the engine may be busy, and other pages must not wait.
async fn raise(tablet: &Tablet, text: &str) {
    let Some(TabletRun { engine, .. }) = tablet.engine.get() else { return };
    let control = Control::Event { key: "ALTabletService.onJSEvent".to_owned(), value: text.into() };
    let done = tokio::task::spawn_blocking(move || {
        engine.poke(|engine| {
            let now = engine.now();
            // After the end of the run nobody hears it.
            let _ = engine.control(now, control);
        });
    });
    let _ = done.await;
}
