//! What a client of the server gets, as `docs/view-protocol.md` says.
#![allow(clippy::unwrap_used)]

use boxstep_bodies::BodyKind;
use boxstep_engine::pace::Pace;
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{EndReason, Event, Footer, Header, Kind, PathId, Paths, Sink};
use boxstep_format::{Limits, read_xar};
use boxstep_record::Normal;
use boxstep_types::{Time, Value};
use boxstep_view::{Command, Controls, Feed, Model, Models, Robot, Server, Shelf, Show, Story};
use serde_json::{Value as Json, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tungstenite::{Message, WebSocket, client};

const XAR: &str = r#"<?xml version="1.0" encoding="UTF-8" ?>
<ChoregrapheProject xmlns="http://www.aldebaran-robotics.com/schema/choregraphe/project.xsd" xar_version="3">
  <Box name="root" id="-1" localization="8" tooltip="" x="0" y="0">
    <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
    <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
    <Timeline enable="0">
      <BehaviorLayer name="behavior_layer1">
        <BehaviorKeyframe name="keyframe1" index="1">
          <Diagram>
            <Box name="Say &lt;b&gt;" id="1" localization="8" tooltip="" x="100" y="60">
              <Input name="onStart" type="1" type_size="1" nature="2" inner="0" tooltip="" id="2" />
              <Output name="onStopped" type="1" type_size="1" nature="1" inner="0" tooltip="" id="4" />
            </Box>
            <Link inputowner="1" indexofinput="2" outputowner="0" indexofoutput="2" />
          </Diagram>
        </BehaviorKeyframe>
      </BehaviorLayer>
    </Timeline>
  </Box>
</ChoregrapheProject>
"#;

const TRACE: &str = r#"{"schema":1,"product":"test"}
{"n":1,"t":10,"cause":0,"path":"root/Say","kind":"box","phase":"started"}
{"n":2,"t":20,"cause":1,"path":"root/Say","kind":"output","port":"p","value":1}
{"n":3,"t":20,"cause":1,"path":"root/Say","kind":"print","text":"hello"}
{"n":4,"t":30,"cause":1,"path":"root/Say","kind":"output","port":"p","value":2}
{"reason":"ended","t":40,"events":4}
"#;

fn show(story: Story) -> Server {
    serve(Shelf::new(story), None)
}

fn serve(shelf: Shelf, controls: Option<Arc<dyn Controls>>) -> Server {
    draw(shelf, controls, [model("hello")].into_iter().collect())
}

fn model(name: &str) -> Model {
    let file = read_xar("behavior.xar", XAR.as_bytes(), &Limits::default()).unwrap();
    Model { name: name.to_owned(), file: Arc::new(file), body: BodyKind::Nao.body() }
}

fn draw(shelf: Shelf, controls: Option<Arc<dyn Controls>>, models: Models) -> Server {
    let robot = Robot::of(BodyKind::Nao.body());
    let show = Show { title: "a run".to_owned(), shelf, models, controls, robot };
    Server::start("127.0.0.1:0".parse().unwrap(), show).unwrap()
}

/// Is a message one of those that `docs/schemas/view.schema.json` has?
fn is_one(of: &str, message: &Json) {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    let schema =
        SCHEMA.get_or_init(|| serde_json::from_str(include_str!("../../../docs/schemas/view.schema.json")).unwrap());
    let mut schema = schema.clone();
    schema["anyOf"] = json!([{ "$ref": format!("#/$defs/{of}") }]);
    let wrong: Vec<_> =
        jsonschema::validator_for(&schema).unwrap().iter_errors(message).map(|e| e.to_string()).collect();
    assert!(wrong.is_empty(), "{message:#}: {wrong:#?}");
}

struct Client(WebSocket<TcpStream>);

impl Client {
    fn new(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address()).unwrap();
        // What never comes is a failure, and no test that never ends.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(client(format!("ws://{}/ws", server.address()), stream).unwrap().0)
    }

    fn next(&mut self) -> Json {
        let told = serde_json::from_str(self.0.read().unwrap().to_text().unwrap()).unwrap();
        is_one("server", &told);
        told
    }

    fn next_of(&mut self, kind: &str) -> Json {
        std::iter::repeat_with(|| self.next()).find(|told| told["type"] == kind).unwrap()
    }

    fn ask(&mut self, wish: &Json) {
        is_one("client", wish);
        self.ask_wrongly(wish);
    }

    /// What no client may ask.
    fn ask_wrongly(&mut self, wish: &Json) {
        self.0.send(Message::text(wish.to_string())).unwrap();
    }
}

fn get(server: &Server, path: &str, headers: &str) -> (u16, String) {
    http(server, "GET", path, headers, "")
}

fn http(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", server.address()) };
    write!(stream, "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n{body}").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
}

/// What items say, by what they are about.
fn values(picture: &Json, about: &str) -> Vec<Json> {
    let items = picture["items"].as_array().unwrap();
    items.iter().filter(|item| item[0] == about).map(|item| item[6].clone()).collect()
}

#[test]
fn a_recording_is_shown_at_any_time() {
    let server = show(Story::read(TRACE).unwrap());
    let mut client = Client::new(&server);
    let hello = client.next();
    assert_eq!((&hello["protocol"], &hello["live"]), (&json!(1), &json!(false)));
    assert_eq!((&hello["title"], &hello["models"]), (&json!("a run"), &json!(["hello"])));
    let first = client.next();
    assert_eq!((&first["t"], &first["end"], &first["items"]), (&json!(0), &json!(30), &json!([])));
    for (t, outputs, over) in [(20, json!([1]), false), (30, json!([2]), true), (15, json!([]), false)] {
        client.ask(&json!({"do": "seek", "t": t}));
        let picture = client.next_of("picture");
        assert_eq!(Json::from(values(&picture, "output")), outputs, "{t}");
        assert_eq!(values(&picture, "box"), [json!("started")]);
        assert_eq!(!values(&picture, "run").is_empty(), over);
        assert_eq!((&picture["whole"], &picture["over"]["reason"]), (&json!(true), &json!("ended")));
    }
    client.ask(&json!({"do": "log", "from": 0, "most": 9}));
    assert_eq!(client.next_of("log")["lines"][0]["text"], "hello");
    client.ask(&json!({"do": "stop"}));
    assert_eq!(client.next_of("refused")["why"], "nothing plays: this is a recording");
    client.ask_wrongly(&json!({"do": "fly"}));
    assert_eq!(client.next_of("refused")["wish"], r#"{"do":"fly"}"#);
}

fn header() -> Header {
    Header {
        product: "test".to_owned(),
        files: Vec::new(),
        body: "nao".to_owned(),
        clock: "real",
        seed: 0,
        epoch: 0,
        parameters: Vec::new(),
        options: Vec::new(),
        started: None,
    }
}

struct Hand(Mutex<Sender<Command>>);

impl Controls for Hand {
    fn command(&self, what: Command) -> Result<(), String> {
        if matches!(&what, Command::Set { .. }) {
            return Err("there is no such parameter".to_owned());
        }
        self.0.lock().unwrap().send(what).map_err(|e| e.to_string())
    }

    fn alone(&self, behavior: &str, path: &str) -> Result<String, String> {
        assert_eq!(behavior, "b");
        if path == "root/Say" { Ok("http://127.0.0.1:1/".to_owned()) } else { Err(format!("there is no {path}")) }
    }
}

#[test]
fn a_box_is_run_alone_by_pages_of_the_server_only() {
    let (sender, _commands) = channel();
    let live = serve(Shelf::new(Story::new()), Some(Arc::new(Hand(Mutex::new(sender)))));
    let ask = |server: &Server, body: &str, more: &str| {
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n{more}", body.len());
        http(server, "POST", "/alone", &headers, body)
    };
    let (code, answer) = ask(&live, r#"{"behavior":"b","path":"root/Say"}"#, "");
    assert_eq!(code, 200);
    assert!(answer.ends_with(r#"{"url":"http://127.0.0.1:1/"}"#), "{answer}");
    let (code, answer) = ask(&live, r#"{"behavior":"b","path":"root/Sing"}"#, "");
    assert_eq!(code, 409);
    assert!(answer.ends_with("there is no root/Sing"), "{answer}");
    assert_eq!(ask(&live, r#"{"behavior":"b","path":"root/Say","file":"/etc/passwd"}"#, "").0, 422);
    assert_eq!(ask(&live, r#"{"behavior":"b","path":"root/Say"}"#, "Origin: http://evil.example\r\n").0, 403);
    assert_eq!(http(&live, "POST", "/alone", "Content-Type: text/plain\r\nContent-Length: 2\r\n", "{}").0, 415);
    assert_eq!(get(&live, "/alone", "").0, 405);
    let recording = show(Story::read(TRACE).unwrap());
    let (code, answer) = ask(&recording, r#"{"behavior":"b","path":"root/Say"}"#, "");
    assert_eq!(code, 409);
    assert!(answer.ends_with("nothing plays: this is a recording"), "{answer}");
}

#[test]
fn a_run_is_followed_and_changed() {
    let (sender, commands) = channel();
    let (mut feed, shelf) = Feed::start(Normal::new()).unwrap();
    let server = serve(shelf, Some(Arc::new(Hand(Mutex::new(sender)))));
    let mut client = Client::new(&server);
    assert_eq!(client.next()["live"], true);
    assert_eq!(client.next()["whole"], true);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Say".parse().unwrap());
    let port = paths.add_port(&"p".into());
    feed.begin(&header());
    let event = |n, kind| Event { n, t: Time(n as i64), cause: 0, path, kind };
    let output = |n, value| event(n, Kind::Output(port, Value::Int(value)));
    feed.events(&[output(1, 7), output(2, 8)], &paths);
    let picture = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 2).unwrap();
    assert_eq!(picture["items"], json!([["output", "root/Say", "p", 2, 2, 2, 8]]));
    // Only what is new.
    let warned = Event { path: PathId(0), ..event(3, Kind::Warning("careful".into())) };
    feed.events(&[warned, output(4, 9)], &paths);
    let picture = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 4).unwrap();
    assert_eq!((&picture["whole"], &picture["told"]), (&json!(false), &json!(1)));
    assert_eq!(values(&picture, "output"), [json!(9)]);
    // An earlier time, and back.
    client.ask(&json!({"do": "seek", "t": 1}));
    let then = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["live"] == false).unwrap();
    assert_eq!((&then["t"], values(&then, "output")), (&json!(1), vec![json!(7)]));
    client.ask(&json!({"do": "live"}));
    let now = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["live"] == true).unwrap();
    assert_eq!((&now["whole"], values(&now, "output")), (&json!(true), vec![json!(9)]));
    client.ask(&json!({"do": "stimulate", "path": "root/Say", "port": "onStart", "value": [1.5]}));
    let wanted =
        Command::Stimulate { path: "root/Say".into(), port: "onStart".into(), value: Value::list([Value::Float(1.5)]) };
    assert_eq!(commands.recv().unwrap(), wanted);
    client.ask(&json!({"do": "set", "path": "root/Say", "parameter": "x", "value": 1}));
    assert_eq!(client.next_of("refused")["why"], "there is no such parameter");
}

#[test]
fn each_page_looks_at_a_time_of_its_own() {
    let server = show(Story::read(TRACE).unwrap());
    let (mut one, mut other) = (Client::new(&server), Client::new(&server));
    one.ask(&json!({"do": "seek", "t": 20}));
    other.ask(&json!({"do": "seek", "t": 30}));
    let at = |client: &mut Client, t: i64| std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == t);
    assert_eq!(values(&at(&mut one, 20).unwrap(), "output"), [json!(1)]);
    assert_eq!(values(&at(&mut other, 30).unwrap(), "output"), [json!(2)]);
}

#[test]
fn a_level_is_drawn_with_the_names_of_its_signals() {
    let server = show(Story::new());
    let (code, text) = get(&server, "/level/0?path=root", "");
    assert_eq!(code, 200);
    assert!(text.contains("data-from=\"input\tonStart\troot\""), "{text}");
    assert!(text.contains("data-box=\"root/Say &lt;b&gt;\""), "{text}");
    assert!(!text.contains("<b>"), "{text}");
    // Where a character plays it, its boxes have other paths.
    let (code, text) = get(&server, "/level/0?path=main/hello/root&root=main/hello/root", "");
    assert_eq!(code, 200);
    assert!(text.contains("data-from=\"input\tonStart\tmain/hello/root\""), "{text}");
    assert!(text.contains("data-box=\"main/hello/root/Say &lt;b&gt;\""), "{text}");
    assert_eq!(get(&server, "/level/0?path=main/hello/rooted&root=main/hello/root", "").0, 404);
    assert_eq!(get(&server, "/level/0", "").0, 200);
    assert_eq!(get(&server, "/level/0?path=root/Nobody", "").0, 404);
    assert_eq!(get(&server, "/level/1", "").0, 404);
    let (code, text) = get(&server, "/model/0", "");
    assert_eq!(code, 200);
    let json: Json = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(json["root"]["name"], "root");
}

#[test]
fn nobody_else_is_served() {
    let server = show(Story::new());
    assert_eq!(get(&server, "/", "").0, 200);
    for path in ["/../Cargo.toml", "/etc/passwd", "/..%2fCargo.toml", "/model/x", "/nothing.js"] {
        assert!(matches!(get(&server, path, "").0, 400 | 404), "{path}");
    }
    assert_eq!(get(&server, "/", "Host: evil.example\r\n").0, 403);
    assert_eq!(get(&server, "/ws", "Origin: http://evil.example\r\n").0, 403);
    let stream = TcpStream::connect(server.address()).unwrap();
    let request = tungstenite::handshake::client::generate_key();
    let request = tungstenite::http::Request::get(format!("ws://{}/ws", server.address()))
        .header("Host", server.address().to_string())
        .header("Origin", "http://evil.example")
        .header("Connection", "Upgrade")
        .header("Upgrade", "websocket")
        .header("Sec-WebSocket-Version", "13")
        .header("Sec-WebSocket-Key", request)
        .body(())
        .unwrap();
    assert!(client(request, stream).is_err());
    drop(server);
}

#[test]
fn a_server_ends_although_pages_are_open() {
    let server = show(Story::read(TRACE).unwrap());
    let mut client = Client::new(&server);
    client.next();
    drop(server);
    while client.0.read().is_ok() {}
}

const CHARACTER: &str = r#"{"schema":1,"product":"test"}
{"n":1,"t":0,"cause":0,"path":"main","kind":"delegation","what":"activated","ticket":1}
{"n":2,"t":10,"cause":0,"kind":"event","dir":"in","key":"Touched","value":0.5}
{"n":3,"t":20,"cause":0,"path":"root/A","kind":"service","service":"ALMotion","method":"moveTo","args":[1],"line":4}
{"n":4,"t":30,"cause":0,"kind":"event","dir":"in","key":"Touched","value":1}
{"n":5,"t":40,"cause":0,"path":"root/A","kind":"raised","method":"onInput_onStart","error":{"kind":"E","message":"x"}}
{"n":6,"t":50,"cause":3,"path":"root/A","kind":"service_done","dir":"in","service":"ALMotion","method":"moveTo","value":true}
"#;

#[test]
fn what_panels_ask_for_is_looked_up_at_the_time_that_the_page_looks_at() {
    let server = show(Story::read(CHARACTER).unwrap());
    let mut client = Client::new(&server);
    let mut ask = |wish: Json, kind: &str| {
        if kind == "refused" {
            client.ask_wrongly(&wish)
        } else {
            client.ask(&wish)
        }
        client.next_of(kind)
    };
    assert_eq!(ask(json!({"do": "find", "what": "error", "t": 0}), "found")["t"], 40);
    let change = json!({"do": "find", "what": "change", "about": "memory", "name": "Touched", "t": 30, "way": "back"});
    assert_eq!(ask(change, "found")["t"], 10);
    let series = json!({"do": "series", "about": "memory", "name": "Touched", "from": 0, "to": 99, "most": 9});
    assert_eq!(ask(series, "series")["points"], json!([[10, 1, 0.5, 0.5, 0.5], [30, 1, 1.0, 1.0, 1.0]]));
    let log = ask(json!({"do": "log", "from": 0, "most": 9, "least": "error"}), "log");
    assert_eq!((&log["levels"], &log["lines"][0]["n"], &log["next"]), (&json!(["error"]), &json!(5), &json!(6)));
    // At the beginning nobody has called anything; a call without an answer is pending.
    assert_eq!(ask(json!({"do": "calls", "most": 9}), "calls")["calls"], json!([]));
    ask(json!({"do": "seek", "t": 45}), "picture");
    assert_eq!(ask(json!({"do": "calls", "most": 0}), "calls")["calls"][0]["answered"], Json::Null);
    ask(json!({"do": "seek", "t": 50}), "picture");
    assert_eq!(ask(json!({"do": "calls", "most": 9}), "calls")["calls"][0]["answered"]["value"], true);
    assert_eq!(ask(json!({"do": "behaviors"}), "behaviors")["behaviors"][0]["active"], 0);
    assert_eq!(ask(json!({"do": "why", "name": "main"}), "why")["why"]["runs"], true);
    let bars = ask(json!({"do": "bars", "from": 0, "to": 50, "most": 100}), "bars");
    assert_eq!(bars["rows"][0]["spans"], json!([["runs", 0, null, false, 1]]));
    // What is no wish is refused, and nothing else.
    assert_eq!(
        ask(json!({"do": "series", "about": "memory"}), "refused")["wish"],
        r#"{"about":"memory","do":"series"}"#
    );
    assert_eq!(
        ask(json!({"do": "series", "about": "x", "from": 0, "to": 9, "most": 9}), "series")["points"],
        json!([])
    );
}

#[test]
fn changes_are_a_table_and_timelines_a_drawing() {
    let server = show(Story::read(CHARACTER).unwrap());
    let items = "%5B%7B%22about%22%3A%22memory%22%2C%22path%22%3A%22%22%2C%22name%22%3A%22Touched%22%7D%5D";
    let (code, text) = get(&server, &format!("/series.csv?items={items}"), "");
    assert_eq!(code, 200);
    let table = text.split_once("\r\n\r\n").unwrap().1;
    assert!(table.contains("0.000000010,memory,,Touched,0.5\r\n0.000000030,memory,,Touched,1\r\n"), "{table}");
    assert_eq!(get(&server, "/series.csv?items=x", "").0, 400);
    assert_eq!(get(&server, "/timeline/0?path=root", "").0, 404, "a flow diagram has none");
    assert_eq!(get(&server, "/timeline/7", "").0, 404);
}

fn json_at(server: &Server, path: &str) -> Json {
    let (code, text) = get(server, path, "");
    assert_eq!(code, 200, "{path}");
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_body_is_told_with_links_solids_leds_and_touch_sensors() {
    let server = show(Story::new());
    let body = json_at(&server, "/body");
    assert_eq!((&body["name"], &body["tablet"], &body["sounds"]), (&json!("nao"), &Json::Null, &json!(false)));
    let named = |list: &str, key: &str, name: &str| {
        body[list].as_array().unwrap().iter().find(|one| one[key] == name).unwrap().clone()
    };
    let head = named("links", "name", "Head");
    assert_eq!(
        (&head["parent"], &head["joint"], &head["axis"]),
        (&json!("Neck"), &json!("HeadPitch"), &json!([0.0, 1.0, 0.0]))
    );
    assert!(head["solids"][0]["capsule"]["radius"].is_number() && head["mesh"].is_null());
    assert_eq!(named("joints", "name", "RHipYawPitch")["follows"], "LHipYawPitch");
    assert_eq!(named("touch", "event", "FrontTactilTouched")["link"], "Head");
    assert_eq!(named("leds", "name", "ChestLed")["channels"], json!(["red", "green", "blue"]));
    assert_eq!(named("groups", "name", "AllLedsRed")["channels"], json!(["red"]));
    assert_eq!(body["stands"]["LKneePitch"], 0.7);
}

#[test]
fn who_says_when_it_is_ready_gets_no_picture_before_and_then_all_that_has_changed() {
    let (mut feed, shelf) = Feed::start(Normal::new()).unwrap();
    let server = serve(shelf, None);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Say".parse().unwrap());
    let port = paths.add_port(&"p".into());
    feed.begin(&header());
    let mut outputs = |n: u64| {
        let event = Event { n, t: Time(n as i64), cause: 0, path, kind: Kind::Output(port, Value::Int(n as i64)) };
        feed.events(&[event], &paths);
    };
    outputs(1);
    let mut client = Client::new(&server);
    client.ask(&json!({"do": "live"}));
    client.ask(&json!({"do": "ready"}));
    let mut pictures = 0;
    let mut last = json!(null);
    for n in 2..50 {
        outputs(n);
        // It answers what is asked meanwhile.
        client.ask(&json!({"do": "behaviors"}));
        loop {
            let told = client.next();
            if told["type"] == "behaviors" {
                break;
            }
            pictures += usize::from(told["type"] == "picture");
            last = told;
        }
    }
    assert!(pictures <= 3, "{pictures} pictures: one at first, one of what happens, and one for which it was ready");
    client.ask(&json!({"do": "ready"}));
    while last["t"] != 49 {
        last = client.next_of("picture");
        client.ask(&json!({"do": "ready"}));
    }
    assert_eq!(last["items"], json!([["output", "root/Say", "p", 49, 49, 49, 49]]));
}

#[test]
fn who_looks_back_hears_of_pauses_and_of_the_end_and_sees_what_was() {
    let (mut feed, shelf) = Feed::start(Normal::new()).unwrap();
    let server = serve(shelf.clone(), None);
    feed.begin(&header());
    let (paths, warned) = (Paths::default(), Kind::Warning("careful".into()));
    feed.events(&[Event { n: 1, t: Time(9), cause: 0, path: PathId(0), kind: warned }], &paths);
    let mut client = Client::new(&server);
    client.ask(&json!({"do": "seek", "t": 5}));
    let then = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 5 && p["end"] == 9).unwrap();
    assert_eq!(then["live"], false);
    shelf.set_pace(&Pace { paused: true, ..Pace::default() });
    let told = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["pace"]["paused"] == true).unwrap();
    assert_eq!((&told["whole"], &told["t"], &told["items"]), (&json!(false), &json!(5), &json!([])));
    feed.end(&Footer {
        reason: EndReason::Ended,
        t: Time(9),
        events: 1,
        errors: 0,
        not_compiled: 0,
        unsupported: 0,
        dropped: 0,
        warnings: 1,
        forced: 0,
        deterministic: Ok(()),
    });
    let told = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["over"].is_object()).unwrap();
    assert_eq!((&told["whole"], &told["t"], &told["live"]), (&json!(false), &json!(5), &json!(false)));
}

#[test]
fn behaviors_that_come_while_somebody_looks_are_drawn() {
    let (_feed, shelf) = Feed::start(Normal::new()).unwrap();
    let models = Models::default();
    let server = draw(shelf, None, models.clone());
    let mut client = Client::new(&server);
    assert_eq!(client.next()["models"], json!([]));
    assert_eq!(get(&server, "/model/0", "").0, 404);
    for (gone, come, wanted) in [
        (vec![], vec!["a/b"], json!(["a/b"])),
        (vec![], vec!["c"], json!(["a/b", "c"])),
        (vec!["a/b".to_owned()], vec!["a/b"], json!(["a/b", "c"])),
        (vec!["a/b".to_owned()], vec!["d"], json!(["c", "d"])),
    ] {
        models.exchange(&gone, come.into_iter().map(model).collect());
        assert_eq!(client.next_of("models")["models"], wanted);
    }
    assert_eq!(get(&server, "/model/1", "").0, 200);
}

#[test]
fn how_the_robot_stands_is_seen_and_is_no_line_of_the_log() {
    let (mut feed, shelf) = Feed::start(Normal::new()).unwrap();
    let server = serve(shelf, None);
    feed.begin(&header());
    let joint =
        |angle, command| Pose { angles: vec![("HeadYaw".into(), angle)], commands: vec![("HeadYaw".into(), command)] };
    feed.pose(Time(5), &joint(0.123_456, Some(0.5)));
    feed.pose(Time(9), &joint(0.5, None));
    let mut client = Client::new(&server);
    let mut at = |t: i64| loop {
        client.ask(&json!({"do": "seek", "t": t}));
        let picture = client.next_of("picture");
        if picture["end"] == 9 && picture["t"] == t {
            break (values(&picture, "joint"), values(&picture, "command"), picture["lines"].clone());
        }
    };
    assert_eq!(at(5), (vec![json!(0.1235)], vec![json!(0.5)], json!(0)));
    assert_eq!(at(9), (vec![json!(0.5)], vec![Json::Null], json!(0)));
}

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("boxstep-view-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("html/js")).unwrap();
        Self(folder)
    }

    fn put(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn served(folder: &Folder) -> Server {
    let robot = Robot {
        meshes: Some(folder.0.clone()),
        folder: Some(folder.0.clone()),
        tablet: Some(folder.0.join("html")),
        ..Robot::of(BodyKind::Pepper.body())
    };
    let show = Show {
        title: String::new(),
        shelf: Shelf::new(Story::new()),
        models: Models::default(),
        controls: None,
        robot,
    };
    Server::start("127.0.0.1:0".parse().unwrap(), show).unwrap()
}

#[test]
fn meshes_and_sounds_are_served_from_their_folders_alone() {
    let folder = Folder::new("files");
    for name in ["Head.stl", "hello.wav", "behavior.xar", "html/index.html"] {
        folder.put(name, name);
    }
    let server = served(&folder);
    let body = json_at(&server, "/body");
    let links = body["links"].as_array().unwrap();
    assert_eq!(links.iter().filter_map(|link| link["mesh"].as_str()).collect::<Vec<_>>(), ["Head.stl"]);
    assert!(get(&server, "/mesh/Head.stl", "").1.ends_with("\r\n\r\nHead.stl"));
    assert!(get(&server, "/sound/hello.wav", "").1.contains("content-type: audio/wav"));
    let name = folder.0.file_name().unwrap().to_str().unwrap();
    for path in [
        "/mesh/Neck.stl".to_owned(),
        "/mesh/hello.wav".to_owned(),
        "/sound/Head.stl".to_owned(),
        "/sound/behavior.xar".to_owned(),
        "/sound/html".to_owned(),
        format!("/sound/..%2f{name}%2fhello.wav"),
        format!("/sound/../{name}/hello.wav"),
        format!("/mesh/..%2f{name}%2fHead.stl"),
        format!("/sound/%2f{}", folder.0.join("hello.wav").display()),
        "/sound/.%2fhello.wav".to_owned(),
        "/sound/html%5c..%5chello.wav".to_owned(),
    ] {
        assert_eq!(get(&server, &path, "").0, 404, "{path}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_out_of_the_folder_is_not_followed() {
    let (folder, elsewhere) = (Folder::new("links"), Folder::new("elsewhere"));
    elsewhere.put("secret.wav", "secret");
    std::os::unix::fs::symlink(elsewhere.0.join("secret.wav"), folder.0.join("out.wav")).unwrap();
    folder.put("in.wav", "in");
    std::os::unix::fs::symlink(folder.0.join("in.wav"), folder.0.join("same.wav")).unwrap();
    let server = served(&folder);
    assert_eq!(get(&server, "/sound/out.wav", "").0, 404);
    assert_eq!(get(&server, "/sound/same.wav", "").0, 200);
}

#[test]
fn the_tablet_is_another_origin_that_has_its_pages_alone() {
    let folder = Folder::new("tablet");
    folder.put("html/index.html", "<p>tablet");
    folder.put("html/js/app.js", "1");
    folder.put("hello.wav", "");
    let server = served(&folder);
    let body = json_at(&server, "/body");
    let (port, key) = (body["tablet"]["port"].as_u64().unwrap(), body["tablet"]["key"].as_str().unwrap().to_owned());
    assert_ne!(port, u64::from(server.address().port()));
    let ask = |path: &str, host: &str| {
        let mut stream = TcpStream::connect(("127.0.0.1", port as u16)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        (text.split(' ').nth(1).unwrap().parse::<u16>().unwrap(), text)
    };
    let host = format!("127.0.0.1:{port}");
    let (code, text) = ask(&format!("/{key}/index.html"), &host);
    assert_eq!(code, 200);
    assert!(text.ends_with("<p>tablet"));
    let policy = text.lines().find_map(|line| line.strip_prefix("content-security-policy: ")).unwrap();
    assert!(
        policy.contains("sandbox allow-scripts") && policy.contains(&format!("default-src http://{host} ")),
        "{policy}"
    );
    assert!(policy.contains(&format!("frame-ancestors http://127.0.0.1:{};", server.address().port())), "{policy}");
    assert_eq!(ask(&format!("/{key}/js/app.js"), &host).0, 200);
    for path in ["/index.html".to_owned(), "/0123/index.html".to_owned(), "/".to_owned()] {
        assert!(matches!(ask(&path, &host).0, 403 | 404), "{path}");
    }
    assert_eq!(ask(&format!("/{key}/index.html"), "evil.example").0, 403);
    for path in ["..%2fhello.wav", "../hello.wav", "nothing.html", "js", "%2fetc%2fpasswd"] {
        assert_eq!(ask(&format!("/{key}/{path}"), &host).0, 404, "{path}");
    }
    // And the page may show that in a frame, and nothing else.
    let (_, page) = get(&server, "/", "");
    assert!(page.contains(&format!("frame-src http://127.0.0.1:{port}\r\n")), "{page}");
    let server = show(Story::new());
    assert!(get(&server, "/", "").1.contains("frame-src 'none'"));
}
