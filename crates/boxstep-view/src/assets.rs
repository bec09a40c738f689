//! The files of the page itself.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

const CSS: &str = "text/css; charset=utf-8";

/// The files of the page: name, type, content.
const ASSETS: &[(&str, &str, &[u8])] = &[
    ("view.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/view.js")),
    ("robot.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/robot.js")),
    ("editor.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/editor.js")),
    ("Lanes.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/Lanes.js")),
    ("Library.js", "text/javascript; charset=utf-8", include_bytes!("../web/dist/Library.js")),
    ("view.css", CSS, include_bytes!("../web/dist/view.css")),
    ("licenses.txt", "text/plain; charset=utf-8", include_bytes!("../web/dist/licenses.txt")),
];

/// Returns the page; `what` tells its script what to show.
pub(crate) fn page(what: &str) -> Response {
    let page = include_str!("../web/dist/index.html").replace("<body>", &format!("<body data-page=\"{what}\">"));
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], page).into_response()
}

/// Returns the style of drawings.
pub(crate) fn style() -> Response {
    ([(header::CONTENT_TYPE, CSS)], boxstep_draw::live_style()).into_response()
}

pub(crate) fn asset(name: &str) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, content)) => ([(header::CONTENT_TYPE, *kind)], *content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
