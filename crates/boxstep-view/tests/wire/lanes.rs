//! The page of a show with several robots.

use super::*;
use boxstep_view::{Lane, LaneState, SharedShow, ShowControls, ShowEntry, ShowEvent, ShowPage, ShowState};
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Default)]
struct Stops(AtomicBool);

impl ShowControls for Stops {
    fn stops(&self) -> bool {
        true
    }

    fn stop(&self) -> Result<(), String> {
        if self.0.swap(true, Ordering::AcqRel) { Err("the show is over".to_owned()) } else { Ok(()) }
    }
}

/// What a page without rights can do: nothing.
struct Shows;

impl ShowControls for Shows {}

fn page(shared: &SharedShow, controls: Arc<dyn ShowControls>) -> Server {
    let show = ShowPage { shared: shared.clone(), live: true, controls };
    Server::of_show("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}

fn told(server: &Server, path: &str) -> Json {
    let (code, text) = get(server, path, "");
    assert_eq!(code, 200, "{text}");
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1.trim()).unwrap()
}

fn entry(at: f64, event: ShowEvent) -> ShowEntry {
    ShowEntry { at, robot: Some(0), event, text: "</script><b>\u{2028}".to_owned() }
}

const JSON: &str = "Content-Type: application/json\r\nContent-Length: ";

#[test]
fn a_page_gets_the_lanes_and_of_the_account_what_is_new() {
    let lane = Lane { name: "<b>alto</b>".to_owned(), state: LaneState::Holding, clock: Some(0.5), ..Lane::default() };
    let shared = SharedShow::new(ShowState { title: "Duo".to_owned(), lanes: vec![lane], ..ShowState::default() });
    let server = page(&shared, Arc::new(Stops::default()));
    let first = told(&server, "/show");
    assert_eq!((&first["title"], &first["live"], &first["stops"]), (&json!("Duo"), &json!(true), &json!(true)));
    assert_eq!(
        first["lanes"],
        json!([{"name": "<b>alto</b>", "body": "", "state": "holding", "says": "", "clock": 0.5, "trace": null}])
    );
    assert_eq!((&first["first"], &first["entries"]), (&json!(0), &json!([])));
    shared.update(|state| {
        state.now = 2.0;
        state.entries.push(entry(1.0, ShowEvent::Scene { scene: "Song".to_owned(), begins: 1.5 }));
        state.entries.push(entry(2.0, ShowEvent::Cue { to: vec![0], after: 0.2 }));
    });
    let more = told(&server, "/show?entries=1");
    assert_eq!((&more["first"], &more["now"]), (&json!(1), &json!(2.0)));
    assert_eq!(
        more["entries"],
        json!([{"at": 2.0, "robot": 0, "what": "cue", "to": [0], "after": 0.2, "text": "</script><b>\u{2028}"}])
    );
    assert_eq!(told(&server, "/show?entries=2")["entries"], json!([]));
    // A page that has lines of another show gets all lines.
    let all = told(&server, "/show?entries=18446744073709551615");
    assert_eq!((&all["first"], all["entries"].as_array().map(Vec::len)), (&json!(0), Some(2)));
    assert_eq!(all["entries"][0]["what"], "scene");
    assert_eq!(get(&server, "/show?entries=-1", "").0, 400);
}

#[test]
fn the_page_is_that_of_a_show_and_has_no_script_inside() {
    let server = page(&SharedShow::default(), Arc::new(Shows));
    let (code, text) = get(&server, "/", "");
    assert!(code == 200 && text.contains("<body data-page=\"show\">"), "{text}");
    assert!(text.contains("default-src 'self'") && !text.contains("<script>"), "{text}");
    assert_eq!(get(&server, "/Lanes.js", "").0, 200);
    // What the page of a run has is not here.
    for path in ["/ws", "/body", "/files", "/model/0", "/gallery"] {
        assert_eq!(get(&server, path, "").0, 404, "{path}");
    }
}

#[test]
fn a_stop_needs_the_token_and_comes_from_no_other_site() {
    let controls = Arc::new(Stops::default());
    let server = page(&SharedShow::default(), controls.clone());
    let json = format!("{JSON}2\r\n");
    assert_eq!(unknown(&server, "POST", "/stop", &json, "{}").0, 401);
    assert_eq!(http(&server, "POST", "/stop", &format!("{json}Origin: http://evil.example\r\n"), "{}").0, 403);
    assert_eq!(http(&server, "POST", "/stop", &format!("{json}Host: evil.example\r\n"), "{}").0, 403);
    let plain = "Content-Type: text/plain\r\nContent-Length: 2\r\n";
    assert_eq!(http(&server, "POST", "/stop", plain, "{}").0, 415);
    assert_eq!(get(&server, "/stop", "").0, 405);
    assert!(!controls.0.load(Ordering::Acquire), "nothing was stopped");
    assert_eq!(http(&server, "POST", "/stop", &json, "{}").0, 204);
    assert!(controls.0.load(Ordering::Acquire));
    let (code, text) = http(&server, "POST", "/stop", &json, "{}");
    assert!(code == 409 && text.contains("the show is over"), "{text}");
}

#[test]
fn a_page_that_only_shows_stops_and_opens_nothing() {
    let server = page(&SharedShow::default(), Arc::new(Shows));
    assert_eq!(told(&server, "/show")["stops"], false);
    assert_eq!(http(&server, "POST", "/stop", &format!("{JSON}2\r\n"), "{}").0, 409);
    let (code, text) = http(&server, "POST", "/trace", &format!("{JSON}11\r\n"), "{\"robot\":3}");
    assert!(code == 200 && text.contains("there is no trace of the robot 3"), "{text}");
    assert_eq!(http(&server, "POST", "/trace", &format!("{JSON}12\r\n"), "{\"robot\":-3}").0, 422);
}
