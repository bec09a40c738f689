//! Resources besides the messages: drawings, tables, the body, and files of the behavior.

use super::*;
use boxstep_engine::Engine;
use boxstep_engine::config::{Config, Control};
use boxstep_engine::protocol::Scheduler as _;
use boxstep_engine::services::{AnswerListener, Topic, TopicListener};
use boxstep_engine::shared::{Host as _, NoScripts, Shared};
use boxstep_engine::trace::Act;
use boxstep_view::{OtherServices, Tablet, TabletEngine, TabletRun};
use std::any::Any;

#[test]
fn a_level_is_drawn_with_the_names_of_its_signals() {
    let server = show(TraceStore::new());
    let (code, text) = get(&server, "/level/0?path=root", "");
    assert_eq!(code, 200);
    assert!(text.contains("data-from=\"input\tonStart\troot\""), "{text}");
    assert!(text.contains("data-box=\"root/Say &lt;b&gt;\""), "{text}");
    assert!(!text.contains("<b>"), "{text}");
    // In a character, the behavior's boxes have other paths.
    let (code, text) = get(&server, "/level/0?path=main/hello/root&root=main/hello/root", "");
    assert_eq!(code, 200);
    assert!(text.contains("data-from=\"input\tonStart\tmain/hello/root\""), "{text}");
    assert!(text.contains("data-box=\"main/hello/root/Say &lt;b&gt;\""), "{text}");
    assert_eq!(get(&server, "/level/0?path=main/hello/rooted&root=main/hello/root", "").0, 204);
    assert_eq!(get(&server, "/level/0", "").0, 200);
    assert_eq!(get(&server, "/level/0?path=root/Nobody", "").0, 204);
    assert_eq!(get(&server, "/level/1", "").0, 404);
    let (code, text) = get(&server, "/model/0", "");
    assert_eq!(code, 200);
    let json: Json = serde_json::from_str(text.split("\r\n\r\n").nth(1).unwrap()).unwrap();
    assert_eq!(json["root"]["name"], "root");
}

#[test]
fn what_scripts_can_use_is_told_once() {
    let server = show(TraceStore::new());
    let help = json_at(&server, "/script-help");
    assert_eq!(help["kinds"]["ALTextToSpeech"]["members"][0]["name"], "say");
    assert_eq!(help["kinds"]["Box"]["members"][0]["name"], "BIND_PYTHON");
    let (code, text) = get(&server, "/script-help", "");
    assert_eq!(code, 200);
    let tag = text.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().trim();
    let (code, text) = get(&server, "/script-help", &format!("if-none-match: {tag}\r\n"));
    assert_eq!(code, 304);
    assert_eq!(text.split_once("\r\n\r\n").unwrap().1, "");
    assert_eq!(get(&server, "/script-help", "if-none-match: \"other\"\r\n").0, 200);
}

#[test]
fn changes_are_a_table_and_timelines_postures() {
    let server = show(TraceStore::read(CHARACTER).unwrap());
    let items = "%5B%7B%22about%22%3A%22memory%22%2C%22path%22%3A%22%22%2C%22name%22%3A%22Touched%22%7D%5D";
    let (code, text) = get(&server, &format!("/series.csv?items={items}"), "");
    assert_eq!(code, 200);
    let table = text.split_once("\r\n\r\n").unwrap().1;
    assert!(table.contains("0.000000010,memory,,Touched,0.5\r\n0.000000030,memory,,Touched,1\r\n"), "{table}");
    assert_eq!(get(&server, "/series.csv?items=x", "").0, 400);
    assert_eq!(get(&server, "/postures/0?path=root", "").0, 404, "a flow diagram has none");
    assert_eq!(get(&server, "/postures/7", "").0, 404);
}

pub(super) fn json_at(server: &Server, path: &str) -> Json {
    let (code, text) = get(server, path, "");
    assert_eq!(code, 200, "{path}");
    serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap()
}

#[test]
fn a_body_is_told_with_links_solids_leds_and_touch_sensors() {
    let server = show(TraceStore::new());
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
    served_with(folder, None)
}

fn served_with(folder: &Folder, engine: Option<Shared<Engine>>) -> Server {
    let run = engine.map(|engine| TabletRun { engine, others: Arc::default() });
    with_tablet(folder, tablet_of(folder, run), SharedStore::new(TraceStore::new()))
}

fn tablet_of(folder: &Folder, run: Option<TabletRun>) -> Tablet {
    let engine = TabletEngine::default();
    engine.set(run);
    Tablet { folder: folder.0.join("html"), engine }
}

fn with_tablet(folder: &Folder, tablet: Tablet, shared: SharedStore) -> Server {
    let robot = Robot {
        meshes: Some(folder.0.clone()),
        folder: Some(folder.0.clone()),
        tablet: Some(tablet),
        ..Robot::of(BodyKind::Pepper.body())
    };
    let show = Show {
        title: String::new(),
        shared,
        models: Models::default(),
        controls: None,
        robot,
        editor: None,
        texts: None,
    };
    Server::start("127.0.0.1:0".parse().unwrap(), show, Access::default()).unwrap()
}

/// Returns the address of a connection of the tablet's pages.
fn tablet_url(server: &Server, what: &str) -> String {
    let tablet = json_at(server, "/body")["tablet"].clone();
    format!("ws://127.0.0.1:{}/{}/{what}", tablet["port"], tablet["key"].as_str().unwrap())
}

#[test]
fn pictures_of_the_folder_are_served_and_its_files_listed() {
    let folder = Folder::new("pictures");
    let outside = Folder::new("pictures-outside");
    outside.put("secret.png", "secret");
    for name in ["face.PNG", "html/index.html", ".hidden", "drawing.svg", "notes.txt"] {
        folder.put(name, name);
    }
    folder.put("large.png", &" ".repeat((4 << 20) + 1));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.0.join("secret.png"), folder.0.join("link.png")).unwrap();
        std::os::unix::fs::symlink(&outside.0, folder.0.join("linked")).unwrap();
    }
    let server = served(&folder);
    let (code, text) = get(&server, "/picture/face.PNG", "");
    assert!(code == 200 && text.contains("content-type: image/png") && text.ends_with("face.PNG"), "{text}");
    let outer = outside.0.file_name().unwrap().to_string_lossy().into_owned();
    for path in [
        "drawing.svg",
        "notes.txt",
        "large.png",
        "gone.png",
        "link.png",
        "linked/secret.png",
        &format!("../{outer}/secret.png"),
        &format!("%2e%2e/{outer}/secret.png"),
        &format!("..%2f{outer}%2fsecret.png"),
        &outside.0.join("secret.png").to_string_lossy(),
    ] {
        assert_eq!(get(&server, &format!("/picture/{path}"), "").0, 404, "{path}");
    }
    assert_eq!(
        json_at(&server, "/files"),
        json!(["drawing.svg", "face.PNG", "html/index.html", "large.png", "notes.txt"])
    );
    assert_eq!(json_at(&show(TraceStore::new()), "/files"), json!([]), "without a folder");
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
    assert!(text.ends_with("<p>tablet<script src=\"/libs/boxstep/page.js\"></script>"), "{text}");
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
    // The scripts that pages load from the robot are here, also without the key, and instead of an application's own.
    for path in ["libs/qimessaging/1.0/qimessaging.js", "libs/qimessaging/2/qimessaging.js"] {
        assert!(ask(&format!("/{path}"), &host).1.contains("QiSession"), "{path}");
        assert!(ask(&format!("/{key}/js/{path}"), &host).1.contains("QiSession"), "{path}");
    }
    // The services of the robot need the key, and a run.
    let socket = |path: String| tungstenite::connect(format!("ws://{host}/{path}")).err().unwrap().to_string();
    assert!(socket("0123/services".to_owned()).contains("403"));
    assert!(socket(format!("{key}/services")).contains("404"));
    // The page may show only the tablet in a frame.
    let (_, page) = get(&server, "/", "");
    assert!(page.contains(&format!("frame-src http://127.0.0.1:{port}\r\n")), "{page}");
    let server = show(TraceStore::new());
    assert!(get(&server, "/", "").1.contains("frame-src 'none'"));
}

/// A page may send anything.
#[test]
fn a_page_of_the_tablet_is_answered_whatever_it_asks() {
    let folder = Folder::new("services");
    folder.put("html/index.html", "");
    let server = served_with(&folder, Some(Shared::of_run(Engine::without_robot(Config::default()))));
    let tablet = json_at(&server, "/body")["tablet"].clone();
    let url = format!("ws://127.0.0.1:{}/{}/services", tablet["port"], tablet["key"].as_str().unwrap());
    let (mut socket, _) = tungstenite::connect(&url).unwrap();
    let mut ask = |text: &str| {
        socket.send(tungstenite::Message::text(text)).unwrap();
        socket.read().unwrap().into_text().unwrap().to_string()
    };
    assert_eq!(ask(r#"{"id":1,"service":"ALBehaviorManager"}"#), r#"{"id":1,"value":null}"#);
    assert_eq!(ask(r#"{"id":2,"service":"Nobody"}"#), r#"{"id":2,"error":"Cannot find service 'Nobody' in index"}"#);
    // The engine's own are for its scripts.
    for call in [r#""ALBoxstep","robotFails",["x"]"#, r#""ALBoxstep","registerService",["Z",0]"#] {
        let answer = ask(&format!(r#"{{"id":3,"call":[{call}]}}"#));
        assert_eq!(answer, r#"{"id":3,"error":"Cannot find service 'ALBoxstep' in index"}"#);
    }
    let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
    for wrong in [
        r#"{"id":4}"#.to_owned(),
        r#"{"id":4,"call":["ALMemory"]}"#.to_owned(),
        r#"{"id":4,"call":["ALMemory","getData",[{"$float":1}]]}"#.to_owned(),
        r#"{"id":4,"call":["ALMemory","getData",["\ud83d"]]}"#.to_owned(),
        format!(r#"{{"id":4,"call":["ALMemory","getData",[{deep}]]}}"#),
        r#"{"id":4,"disconnect":7}"#.to_owned(),
    ] {
        let answer = ask(&wrong);
        assert!(answer.starts_with(r#"{"id":4,"error":"#), "{wrong}: {answer}");
    }
    // A link of an event, up to the most.
    assert_eq!(ask(r#"{"id":5,"connect":{"event":"Key"}}"#), r#"{"id":5,"value":null}"#);
    assert_eq!(ask(r#"{"id":6,"disconnect":5}"#), r#"{"id":6,"value":true}"#);
    for id in 10..1010 {
        assert!(ask(&format!(r#"{{"id":{id},"connect":{{"event":"Key"}}}}"#)).ends_with("null}"));
    }
    assert!(ask(r#"{"id":7,"connect":{"event":"Key"}}"#).contains("too many signals"));
    // What is no request ends the connection.
    socket.send(tungstenite::Message::text("hello")).unwrap();
    assert!(socket.read().is_err() || socket.read().is_err());
}

/// Services of another program: `Greeter.greet(name)`, and its signal `greeted`.
struct Greeter;

impl OtherServices for Greeter {
    fn has(&self, service: &str) -> bool {
        service == "Greeter"
    }

    fn call(&self, _: &str, method: &str, args: &[Value], then: AnswerListener) {
        then(match (method, args) {
            ("greet", [Value::Str(name)]) => Ok(format!("hello {name}").into()),
            _ => Err(format!("no method {method}")),
        });
    }

    fn connect(&self, _: &str, signal: &str, listener: TopicListener) -> Result<Box<dyn Any + Send>, String> {
        if signal != "greeted" {
            return Err(format!("no signal {signal}"));
        }
        listener(&Value::list(["all".into()]));
        Ok(Box::new(()))
    }
}

#[test]
fn a_page_of_the_tablet_uses_services_of_other_programs_once_there_are_any() {
    let folder = Folder::new("others");
    folder.put("html/index.html", "");
    let others: Arc<OnceLock<Box<dyn OtherServices>>> = Arc::default();
    let engine = Some(Shared::of_run(Engine::without_robot(Config::default())));
    let run = engine.map(|engine| TabletRun { engine, others: others.clone() });
    let server = with_tablet(&folder, tablet_of(&folder, run), SharedStore::new(TraceStore::new()));
    let mut socket = tungstenite::connect(tablet_url(&server, "services")).unwrap().0;
    let mut ask = |text: &str| {
        socket.send(tungstenite::Message::text(text)).unwrap();
        socket.read().unwrap().into_text().unwrap().to_string()
    };
    let missing = r#"{"id":1,"error":"Cannot find service 'Greeter' in index"}"#;
    assert_eq!(ask(r#"{"id":1,"service":"Greeter"}"#), missing);
    assert!(others.set(Box::new(Greeter)).is_ok());
    assert_eq!(ask(r#"{"id":2,"service":"Greeter"}"#), r#"{"id":2,"value":null}"#);
    assert!(ask(r#"{"id":3,"service":"Nobody"}"#).contains("Cannot find service 'Nobody'"));
    assert_eq!(ask(r#"{"id":4,"call":["Greeter","greet",["you"]]}"#), r#"{"id":4,"value":"hello you"}"#);
    assert_eq!(ask(r#"{"id":5,"call":["Greeter","sing",[]]}"#), r#"{"id":5,"error":"no method sing"}"#);
    // The signal comes before the answer, because it is emitted at once.
    assert_eq!(ask(r#"{"id":6,"connect":{"signal":["Greeter","greeted"]}}"#), r#"{"link":6,"args":["all"]}"#);
    assert_eq!(ask(r#"{"id":7,"disconnect":6}"#), r#"{"id":6,"value":null}"#);
    assert_eq!(ask(r#"{"id":8,"connect":{"signal":["Greeter","sung"]}}"#), r#"{"id":7,"value":true}"#);
    // Services of the run come first.
    assert_eq!(ask(r#"{"id":9,"call":["ALBehaviorManager","greet",["you"]]}"#), r#"{"id":8,"error":"no signal sung"}"#);
    let last = socket.read().unwrap().into_text().unwrap();
    assert!(last.contains("Cannot find service: ALBehaviorManager"), "{last}");
}

#[test]
fn pages_of_the_tablet_run_the_behaviors_scripts_and_raise_events() {
    let folder = Folder::new("scripts");
    folder.put("html/index.html", "");
    let mut engine = Engine::without_robot(Config::default());
    engine.keep_open(true);
    let engine = Shared::of_run(engine);
    let (tell, told) = channel();
    let heard = Arc::new(move |value: &Value| tell.send(value.clone()).unwrap());
    // Without a robot the signal is an event of the memory.
    let topic = Topic::Memory("ALTabletService.onJSEvent".into());
    engine.poke(|engine| engine.subscribe(topic, heard)).unwrap();
    let driven = engine.clone();
    let driver = std::thread::spawn(move || NoScripts.drive(&driven).unwrap());
    let (mut sink, shared) = ViewSink::start(Normal::default()).unwrap();
    let run = TabletRun { engine: engine.clone(), others: Arc::default() };
    let server = with_tablet(&folder, tablet_of(&folder, Some(run)), shared);
    let mut pages = [(); 2].map(|()| tungstenite::connect(tablet_url(&server, "scripts")).unwrap().0);
    let act = |method: &str, script: &str| {
        let data = Value::map([("method", method.into()), ("arguments", Value::list([script.into()]))]);
        let kind = Kind::Act(Box::new(Act { kind: "tablet".into(), text: String::new(), data }));
        Event { n: 1, t: Time::ZERO, cause: 0, path: PathId(0), kind }
    };
    sink.events(
        &[act("showWebview", "page.html"), act("executeJS", "one()"), act("executeJS", "two()")],
        &Paths::default(),
    );
    for page in &mut pages {
        let texts = [(); 2].map(|()| page.read().unwrap().into_text().unwrap().to_string());
        assert_eq!(texts, ["one()", "two()"]);
    }
    pages[0].send(tungstenite::Message::text("pressed")).unwrap();
    assert_eq!(told.recv_timeout(Duration::from_secs(20)).unwrap(), Value::from("pressed"));
    engine.poke(|engine| {
        let now = engine.now();
        engine.control(now, Control::Stop).unwrap();
    });
    driver.join().unwrap();
}
