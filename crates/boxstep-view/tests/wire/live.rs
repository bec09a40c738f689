//! Live runs: which messages pages get, and when.

use super::*;

#[test]
fn a_run_is_followed_and_changed() {
    let (sender, commands) = channel();
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared, Some(Arc::new(TestControls(Mutex::new(sender)))));
    let mut client = Client::new(&server);
    assert_eq!(client.next()["live"], true);
    assert_eq!(client.next()["whole"], true);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Say".parse().unwrap());
    let port = "p".into();
    feed.begin(&header());
    let event = |n, kind| Event { n, t: Time(n as i64), cause: 0, path, kind };
    let output = |n, value| event(n, Kind::Output { port, value: Value::Int(value) });
    feed.events(&[output(1, 7), output(2, 8)], &paths);
    let picture = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 2).unwrap();
    assert_eq!(picture["items"], json!([["output", "root/Say", "p", 2, 2, 2, 8]]));
    // Only new items.
    let warned = Event { path: PathId(0), ..event(3, Kind::Warning { text: "careful".into() }) };
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
    client.ask(&json!({"do": "hear", "text": "hello"}));
    assert_eq!(commands.recv().unwrap(), Command::Hear { text: "hello".into() });
}

#[test]
fn the_next_run_takes_the_place_of_the_one_before() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared.clone(), Some(Arc::new(TestControls(Mutex::new(channel().0)))));
    let mut client = Client::new(&server);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Say".parse().unwrap());
    let port = "p".into();
    let output = |n, value| Event {
        n,
        t: Time(n as i64),
        cause: 0,
        path,
        kind: Kind::Output { port, value: Value::Int(value) },
    };
    feed.begin(&header());
    feed.events(&[output(1, 7), output(2, 8)], &paths);
    let _ = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 2).unwrap();
    client.ask(&json!({"do": "seek", "t": 1}));
    let past = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["live"] == false).unwrap();
    assert_eq!((&past["run"], values(&past, "output")), (&json!(0), vec![json!(7)]));
    // It is shown from its beginning, also by who looked at the past of the one before.
    let mut next = ViewSink::restart(&shared, Normal::new()).unwrap();
    let begun = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["run"] == 1).unwrap();
    assert_eq!((&begun["whole"], &begun["live"], &begun["items"]), (&json!(true), &json!(true), &json!([])));
    assert_eq!((&past["shown"], &begun["shown"]), (&json!(0), &json!(1)));
    // What comes late of the run before is nothing of this one.
    feed.events(&[output(3, 9)], &paths);
    drop(feed);
    next.begin(&header());
    next.events(&[output(1, 5)], &paths);
    let picture = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 1).unwrap();
    assert_eq!((&picture["run"], values(&picture, "output")), (&json!(1), vec![json!(5)]));
    shared.set_notice(Some("it cannot be played again"));
    let told = std::iter::repeat_with(|| client.next_of("picture")).find(|p| !p["notice"].is_null()).unwrap();
    assert_eq!(told["notice"], "it cannot be played again");
    assert_eq!(values(&told, "output"), Vec::<Json>::new());
}

#[test]
fn no_answer_is_about_a_run_that_the_page_does_not_know() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared.clone(), Some(Arc::new(TestControls(Mutex::new(channel().0)))));
    // This one says when it is ready, and is busy until then.
    let mut client = Client::new(&server);
    client.ask(&json!({"do": "ready"}));
    feed.begin(&header());
    let first = client.next_of("picture");
    for run in 1..30 {
        drop(ViewSink::restart(&shared, Normal::new()).unwrap());
        client.ask(&json!({"do": "talk", "from": 0, "most": 9}));
        let mut known = first["run"].clone();
        loop {
            let told = client.next();
            match told["type"].as_str() {
                Some("picture") => known = told["run"].clone(),
                Some("talk") => break,
                _ => {}
            }
        }
        assert_eq!(known, json!(run));
    }
}

#[test]
fn a_conversation_is_followed() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared, Some(Arc::new(TestControls(Mutex::new(channel().0)))));
    let mut client = Client::new(&server);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Dialog".parse().unwrap());
    feed.begin(&header());
    let dialog = |n, event| Event { n, t: Time(n as i64), cause: 0, path, kind: Kind::Dialog(Box::new(event)) };
    let events = [
        dialog(1, DialogEvent::Heard { text: "hello".into() }),
        dialog(2, DialogEvent::Focus { topic: Some("greet".into()) }),
        dialog(3, DialogEvent::Answer { text: "Hi".into() }),
    ];
    feed.events(&events, &paths);
    let picture = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 3).unwrap();
    assert_eq!((values(&picture, "dialog"), &picture["told"]), (vec![json!("greet")], &json!(3)));
    client.ask(&json!({"do": "talk", "from": 1, "most": 9}));
    let talk = client.next_of("talk");
    assert_eq!((&talk["end"], &talk["lines"][1]["text"]), (&json!(3), &json!("Hi")));
    client.ask(&json!({"do": "log", "from": 0, "most": 1}));
    assert_eq!(client.next_of("log")["words"], json!(["hears “hello”"]));
}

#[test]
fn who_says_when_it_is_ready_gets_no_picture_before_and_then_all_that_has_changed() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared, None);
    let mut paths = Paths::default();
    let path = paths.add(&"root/Say".parse().unwrap());
    let port = "p".into();
    feed.begin(&header());
    let mut outputs = |n: u64| {
        let event =
            Event { n, t: Time(n as i64), cause: 0, path, kind: Kind::Output { port, value: Value::Int(n as i64) } };
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
        // Queries are answered meanwhile.
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
fn a_run_that_waits_is_later_than_its_last_line() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared.clone(), Some(Arc::new(TestControls(Mutex::new(channel().0)))));
    feed.begin(&header());
    let (paths, warned) = (Paths::default(), Kind::Warning { text: "careful".into() });
    feed.events(&[Event { n: 1, t: Time(9), cause: 0, path: PathId(0), kind: warned }], &paths);
    let mut client = Client::new(&server);
    shared.set_debugger(
        &DebuggerState { paused: true, ..DebuggerState::default() },
        Flow { at: Time(1_000_000_000), rate: 0.0 },
    );
    let held = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["pace"]["paused"] == true).unwrap();
    assert_eq!((&held["t"], &held["pace"]["rate"]), (&json!(1_000_000_000), &json!(0.0)));
    // A page that connects later gets the same state.
    shared.set_debugger(&DebuggerState::default(), Flow { at: Time(1_000_000_000), rate: 1.0 });
    let goes = Client::new(&server).next_of("picture");
    assert!(goes["t"].as_i64().unwrap() >= 1_000_000_000 && goes["pace"]["rate"] == 1.0, "{goes}");
}

#[test]
fn who_looks_back_hears_of_pauses_and_of_the_end_and_sees_what_was() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared.clone(), None);
    feed.begin(&header());
    let (paths, warned) = (Paths::default(), Kind::Warning { text: "careful".into() });
    feed.events(&[Event { n: 1, t: Time(9), cause: 0, path: PathId(0), kind: warned }], &paths);
    let mut client = Client::new(&server);
    client.ask(&json!({"do": "seek", "t": 5}));
    let then = std::iter::repeat_with(|| client.next_of("picture")).find(|p| p["t"] == 5 && p["end"] == 9).unwrap();
    assert_eq!(then["live"], false);
    shared.set_debugger(&DebuggerState { paused: true, ..DebuggerState::default() }, Flow { at: Time(11), rate: 0.0 });
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
    let (_feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let models = Models::default();
    let server = draw(shared, None, models.clone());
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
fn a_behavior_that_has_other_boxes_is_shown_with_them_and_no_others() {
    let models: Models = [model("a"), model("b")].into_iter().collect();
    let server = draw(SharedStore::new(TraceStore::new()), None, models.clone());
    let mut client = Client::new(&server);
    let other = || {
        let text = XAR.replace("Say &lt;b&gt;", "Sing").replace("old", "new");
        let file = read_xar("behavior.xar", text.as_bytes(), &Limits::default()).unwrap();
        Model { file: Arc::new(file), ..model("b") }
    };
    let boxes = |number: usize| {
        let (_, drawn) = get(&server, &format!("/level/{number}"), "");
        let (_, model) = get(&server, &format!("/model/{number}"), "");
        let has = |name: &str, script: &str| {
            drawn.contains(&format!("data-box=\"root/{name}\"")) && model.contains(&format!("\"{script}\""))
        };
        (has("Say &lt;b&gt;", "old"), has("Sing", "new"))
    };
    assert_eq!((boxes(0), boxes(1)), ((true, false), (true, false)));
    models.exchange(&["b".to_owned()], vec![other()]);
    assert_eq!(client.next_of("models")["models"], json!(["a", "b"]));
    assert_eq!((boxes(0), boxes(1)), ((true, false), (false, true)));
}

#[test]
fn a_box_that_has_another_script_is_shown_with_it() {
    let models: Models = [model("a"), model("b")].into_iter().collect();
    let server = draw(SharedStore::new(TraceStore::new()), None, models.clone());
    let mut client = Client::new(&server);
    client.next_of("picture");
    let script = |number: usize| {
        let (_, text) = get(&server, &format!("/model/{number}"), "");
        let json: Json = serde_json::from_str(text.split_once("\r\n\r\n").unwrap().1).unwrap();
        json["root"]["timeline"]["layers"][0]["keyframes"][0]["boxes"][0]["script"]["text"].clone()
    };
    let set = |behavior: &str, path: &str| models.set_script(behavior, &path.parse().unwrap(), &"new".into());
    let before = script(1);
    // Changes of missing boxes and behaviors notify no page.
    set("c", "root/Say <b>");
    set("b", "root/Sing");
    set("b", "root");
    set("b", "root/Say <b>");
    assert_eq!(client.next_of("models")["models"], json!(["a", "b"]));
    assert_eq!((script(0), script(1)), (before, json!("new")));
    client.ask(&json!({"do": "behaviors"}));
    assert_eq!(client.next()["type"], "behaviors", "it is told once");
}

#[test]
fn how_the_robot_stands_is_seen_and_is_no_line_of_the_log() {
    let (mut feed, shared) = ViewSink::start(Normal::new()).unwrap();
    let server = serve(shared, None);
    feed.begin(&header());
    let joint = |angle, command| Pose {
        angles: vec![("HeadYaw".into(), angle)],
        commands: vec![("HeadYaw".into(), command)],
        torso: None,
    };
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
