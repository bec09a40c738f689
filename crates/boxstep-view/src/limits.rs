//! Limits on the number of connections, the duration of requests and their size: a client that opens many connections,
//! or sends very slowly, does not keep others from the page.

use crate::seats::{Seat, Seats};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{sleep, timeout};

/// The limits of a server.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of connections, including those of open pages. A further connection gets an error message
    /// and is closed at once. At most a quarter may be without the token; for a further one, the one that has been
    /// silent for longest is closed.
    pub connections: u32,
    /// How long a connection may take to send the head of its next request before it is closed.
    pub head_time: Duration,
    /// The maximum length of the head of a request, in bytes; at least 8192.
    pub head: usize,
    /// How long the body of a request may take to arrive.
    pub body_time: Duration,
    /// The maximum length of the body of a request, in bytes. Only who has the token can send one; changes of a behavior
    /// can be as long as its scripts and its keys.
    pub body: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let time = Duration::from_secs(15);
        Self { connections: 128, head_time: time, head: 1 << 16, body_time: time, body: 1 << 21 }
    }
}

impl Limits {
    /// Reads the whole body of a request; otherwise returns the response to send.
    pub(crate) async fn whole(&self, request: Request) -> Result<Request, Response> {
        let (head, body) = request.into_parts();
        match timeout(self.body_time, to_bytes(body, self.body)).await {
            Ok(Ok(body)) => Ok(Request::from_parts(head, Body::from(body))),
            Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "the request is too long\n").into_response()),
            Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive\n").into_response()),
        }
    }
}

/// How long pending responses may take after the server has been stopped.
const LATE: Duration = Duration::from_secs(1);
/// The pause after the system has refused a connection, for example because no file descriptors are left.
const PAUSE: Duration = Duration::from_millis(100);

const FULL: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain; charset=utf-8\r\nretry-after: 15\r\nconnection: close\r\n\r\n\
                    Too many are connected to this page at once. Close other tabs that show it, and load it again.\n";

/// Serves connections until the server is stopped.
pub(crate) async fn answer(listener: TcpListener, router: Router, limits: Limits, mut ended: watch::Receiver<bool>) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head_time).max_buf_size(limits.head);
    let seats = Seats::new(limits.connections);
    loop {
        let (stream, from) = tokio::select! {
            () = stopped(&mut ended) => break,
            accepted = listener.accept() => match accepted {
                Ok((stream, from)) => (stream, from.ip()),
                Err(_) => {
                    sleep(PAUSE).await;
                    continue;
                }
            },
        };
        let Some(seat) = seats.take(from) else {
            reject(stream);
            continue;
        };
        // A connection that outlives its request, as a WebSocket does, keeps the seat.
        let seat: Arc<Seat> = Arc::new(seat);
        let (shown, routes) = (seat.clone(), TowerToHyperService::new(router.clone()));
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(shown.clone());
            routes.call(request)
        });
        let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut ended = ended.clone();
        tokio::spawn(async move {
            let mut connection = pin!(connection);
            // No response is needed after the client has disconnected. Incoming data is handled first: it may contain
            // the token.
            tokio::select! {
                biased;
                _ = connection.as_mut() => return,
                () = seat.must_go() => return,
                () = stopped(&mut ended) => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
        });
        // However many connections arrive, each is read before it has to make room.
        yield_now().await;
    }
    drop(listener);
    let _ = timeout(LATE, seats.are_free()).await;
}

/// Sends the response that there is no seat, without blocking: it reads and writes only what is possible at once.
fn reject(stream: tokio::net::TcpStream) {
    // Errors are ignored: the client may have disconnected. The request is read, because closing the connection with
    // unread data would discard the response.
    let Ok(mut stream) = stream.into_std() else { return };
    let _ = stream.read(&mut [0; 1 << 12]);
    let _ = stream.write(FULL.as_bytes());
}

/// Waits until the server is stopped.
pub(crate) async fn stopped(ended: &mut watch::Receiver<bool>) {
    let _ = ended.wait_for(|over| *over).await;
}
