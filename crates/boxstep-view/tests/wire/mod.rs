//! The server's replies to a client, as `docs/reference/view-protocol.md` describes them.

mod access;
mod files;
mod lanes;
mod library;
mod live;
mod standing;
mod trials;

use boxstep_bodies::BodyKind;
use boxstep_engine::debugger::{DebuggerState, Flow};
use boxstep_engine::pose::Pose;
use boxstep_engine::trace::{ClockKind, DialogEvent, EndReason, Event, Footer, Header, Kind, PathId, Paths, Sink};
use boxstep_format::{Limits, read_xar};
use boxstep_record::Normal;
use boxstep_types::{Time, Value};
use boxstep_view::{Access, Command, Controls, Model, Models, Robot, Server, SharedStore, Show, TraceStore, ViewSink};
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
              <script language="4"><content><![CDATA[old]]></content></script>
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

fn show(store: TraceStore) -> Server {
    serve(SharedStore::new(store), None)
}

fn serve(shared: SharedStore, controls: Option<Arc<dyn Controls>>) -> Server {
    draw(shared, controls, [model("hello")].into_iter().collect())
}

fn model(name: &str) -> Model {
    let file = read_xar("behavior.xar", XAR.as_bytes(), &Limits::default()).unwrap();
    Model { name: name.to_owned(), file: Arc::new(file), body: BodyKind::Nao.body() }
}

fn draw(shared: SharedStore, controls: Option<Arc<dyn Controls>>, models: Models) -> Server {
    let robot = Robot::of(BodyKind::Nao.body());
    let show = Show { title: "a run".to_owned(), shared, models, controls, robot, editor: None, texts: None };
    Server::start("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}

/// Returns `token=…`, as it is part of the printed address.
fn token(server: &Server) -> String {
    server.url().split_once('?').unwrap().1.to_owned()
}

/// Returns an address of the server with the token.
fn known(server: &Server, path: &str) -> String {
    format!("{path}{}{}", if path.contains('?') { '&' } else { '?' }, token(server))
}

/// Checks a message against `docs/schemas/view.schema.json`.
fn is_one(of: &str, message: &Json) {
    static SCHEMA: OnceLock<Json> = OnceLock::new();
    let schema =
        SCHEMA.get_or_init(|| serde_json::from_str(include_str!("../../../../docs/schemas/view.schema.json")).unwrap());
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
        // A timeout, so that a missing message fails the test and does not block it.
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        Self(client(format!("ws://{}{}", server.address(), known(server, "/ws")), stream).unwrap().0)
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

    /// Sends an invalid request.
    fn ask_wrongly(&mut self, wish: &Json) {
        self.0.send(Message::text(wish.to_string())).unwrap();
    }
}

fn get(server: &Server, path: &str, headers: &str) -> (u16, String) {
    http(server, "GET", path, headers, "")
}

/// Sends a request with the token in a header, as a script does.
fn http(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    let bearer = token(server).replace("token=", "Authorization: Bearer ");
    unknown(server, method, path, &format!("{bearer}\r\n{headers}"), body)
}

/// The same without the token.
fn unknown(server: &Server, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let host = if headers.contains("Host:") { String::new() } else { format!("Host: {}\r\n", server.address()) };
    // A server that refuses a request need not read it to its end.
    let _ = write!(stream, "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\n\r\n{body}");
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    (text.split(' ').nth(1).unwrap().parse().unwrap(), text)
}

/// Returns the values of items, by their kind.
fn values(picture: &Json, about: &str) -> Vec<Json> {
    let items = picture["items"].as_array().unwrap();
    items.iter().filter(|item| item[0] == about).map(|item| item[6].clone()).collect()
}

#[test]
fn a_recording_is_shown_at_any_time() {
    let server = show(TraceStore::read(TRACE).unwrap());
    let mut client = Client::new(&server);
    let hello = client.next();
    assert_eq!((&hello["protocol"], &hello["live"], &hello["restarts"]), (&json!(1), &json!(false), &json!(false)));
    assert_eq!((&hello["title"], &hello["models"]), (&json!("a run"), &json!(["hello"])));
    let first = client.next();
    assert_eq!((&first["t"], &first["end"], &first["items"]), (&json!(0), &json!(30), &json!([])));
    // On the way on only what has changed comes, so that a recording can be played; on the way back everything.
    let started = json!(["started"]);
    for (t, outputs, boxes, whole) in
        [(20, json!([1]), &started, false), (30, json!([2]), &json!([]), false), (15, json!([]), &started, true)]
    {
        client.ask(&json!({"do": "seek", "t": t}));
        let picture = client.next_of("picture");
        assert_eq!(Json::from(values(&picture, "output")), outputs, "{t}");
        assert_eq!(&Json::from(values(&picture, "box")), boxes, "{t}");
        assert_eq!(!values(&picture, "run").is_empty(), t == 30);
        assert_eq!((&picture["whole"], &picture["over"]["reason"]), (&json!(whole), &json!("ended")));
    }
    client.ask(&json!({"do": "log", "from": 0, "most": 9}));
    assert_eq!(client.next_of("log")["lines"][0]["text"], "hello");
    client.ask(&json!({"do": "stop"}));
    assert_eq!(client.next_of("refused")["why"], "nothing plays: this is a recording");
    client.ask_wrongly(&json!({"do": "fly"}));
    assert_eq!(client.next_of("refused")["wish"], r#"{"do":"fly"}"#);
}

fn header() -> Header {
    Header { product: "test".to_owned(), body: "nao".to_owned(), ..Header::new(ClockKind::Real) }
}

struct TestControls(Mutex<Sender<Command>>);

impl Controls for TestControls {
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
    let live = serve(SharedStore::new(TraceStore::new()), Some(Arc::new(TestControls(Mutex::new(sender)))));
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
    let recording = show(TraceStore::read(TRACE).unwrap());
    let (code, answer) = ask(&recording, r#"{"behavior":"b","path":"root/Say"}"#, "");
    assert_eq!(code, 409);
    assert!(answer.ends_with("nothing plays: this is a recording"), "{answer}");
}

#[test]
fn each_page_looks_at_a_time_of_its_own() {
    let server = show(TraceStore::read(TRACE).unwrap());
    let (mut one, mut other) = (Client::new(&server), Client::new(&server));
    one.ask(&json!({"do": "seek", "t": 20}));
    other.ask(&json!({"do": "seek", "t": 30}));
    let at = |client: &mut Client, t: i64| std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == t);
    assert_eq!(values(&at(&mut one, 20).unwrap(), "output"), [json!(1)]);
    assert_eq!(values(&at(&mut other, 30).unwrap(), "output"), [json!(2)]);
}

#[test]
fn nobody_else_is_served() {
    let server = show(TraceStore::new());
    assert_eq!(get(&server, "/", "").0, 200);
    for path in ["/../Cargo.toml", "/etc/passwd", "/..%2fCargo.toml", "/model/x", "/nothing.js"] {
        assert!(matches!(get(&server, path, "").0, 400 | 404), "{path}");
    }
    assert_eq!(get(&server, "/", "Host: evil.example\r\n").0, 403);
    assert_eq!(get(&server, "/ws", "Origin: http://evil.example\r\n").0, 403);
    let stream = TcpStream::connect(server.address()).unwrap();
    let request = tungstenite::handshake::client::generate_key();
    let request = tungstenite::http::Request::get(format!("ws://{}{}", server.address(), known(&server, "/ws")))
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
    let server = show(TraceStore::read(TRACE).unwrap());
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
    let server = show(TraceStore::read(CHARACTER).unwrap());
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
    // At the beginning no call has been made; a call without a reply is pending.
    assert_eq!(ask(json!({"do": "calls", "most": 9}), "calls")["calls"], json!([]));
    ask(json!({"do": "seek", "t": 45}), "picture");
    assert_eq!(ask(json!({"do": "calls", "most": 0}), "calls")["calls"][0]["answered"], Json::Null);
    ask(json!({"do": "seek", "t": 50}), "picture");
    assert_eq!(ask(json!({"do": "calls", "most": 9}), "calls")["calls"][0]["answered"]["value"], true);
    assert_eq!(ask(json!({"do": "behaviors"}), "behaviors")["behaviors"][0]["active"], 0);
    assert_eq!(ask(json!({"do": "why", "name": "main"}), "why")["why"]["runs"], true);
    let spans = ask(json!({"do": "spans", "from": 0, "to": 50, "most": 100}), "spans");
    assert_eq!(spans["rows"][0]["spans"], json!([["runs", 0, null, false, 1]]));
    // An invalid request is refused, without further effects.
    assert_eq!(
        ask(json!({"do": "series", "about": "memory"}), "refused")["wish"],
        r#"{"about":"memory","do":"series"}"#
    );
    assert_eq!(
        ask(json!({"do": "series", "about": "x", "from": 0, "to": 9, "most": 9}), "series")["points"],
        json!([])
    );
}
