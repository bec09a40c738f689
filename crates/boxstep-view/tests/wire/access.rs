//! Access: the server answers clients with the token, under its own address, within its limits.

use super::*;
use boxstep_view::{Entry, Gallery, Limits, Listing, NewEntry};
use std::io::ErrorKind;
use std::net::{IpAddr, SocketAddr};

/// A gallery that records what it was to play.
struct Wall(Mutex<Sender<Option<String>>>);

impl Gallery for Wall {
    fn listing(&self) -> Listing {
        let entries: Vec<Entry> = Vec::new();
        let robots = vec!["nao.local".to_owned(), "mine.py".to_owned()];
        Listing { title: String::new(), robot: None, robots, reading: false, entries, runs: Vec::new(), edits: false }
    }

    fn picture(&self, _: usize) -> Option<String> {
        None
    }

    fn play(&self, _: usize, robot: Option<&str>, _: bool) -> Result<u64, String> {
        self.0.lock().unwrap().send(robot.map(str::to_owned)).map_err(|e| e.to_string())?;
        Ok(1)
    }

    fn stop(&self, _: u64) -> Result<(), String> {
        Ok(())
    }

    fn begin(&self, wish: NewEntry) -> Result<String, String> {
        panic!("{wish:?} is begun by a page that may not")
    }

    fn test(&self, file: &str) -> Result<String, String> {
        Err(format!("{file} is not listed"))
    }

    fn again(self: Arc<Self>) {}
}

fn local() -> SocketAddr {
    "127.0.0.1:0".parse().unwrap()
}

fn nothing() -> Show {
    let robot = Robot::of(BodyKind::Nao.body());
    let shared = SharedStore::new(TraceStore::new());
    Show { title: String::new(), shared, models: Models::default(), controls: None, robot, editor: None, texts: None }
}

fn within(limits: Limits) -> Server {
    Server::start(local(), nothing(), Access { limits, ..Access::default() }).unwrap()
}

/// The parts of a page, and a name that does not exist.
const ROUTES: &[&str] = &[
    "/",
    "/view.js",
    "/robot.js",
    "/Lanes.js",
    "/view.css",
    "/licenses.txt",
    "/drawing.css",
    "/model/0",
    "/level/0",
    "/postures/0",
    "/legend",
    "/series.csv?items=%5B%5D",
    "/body",
    "/mesh/Head.stl",
    "/sound/a.wav",
    "/alone",
    "/ws",
    "/gallery",
    "/picture/0",
    "/play",
    "/stop",
    "/again",
    "/new",
    "/test",
    "/texts",
    "/text?file=x",
    "/text/findings?file=x",
    "/show",
    "/trace",
    "/nothing",
    "/a/b/c",
];

#[test]
fn without_the_token_nothing_is_answered_and_nothing_done() {
    let (sender, played) = channel();
    let (wall, run) = (Wall(Mutex::new(sender)), show(TraceStore::read(TRACE).unwrap()));
    let open = Server::open(local(), Arc::new(wall), Access::default()).unwrap();
    let of_another = token(&run).replace("token=", "");
    let json = |body: &str| format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let body = r#"{"entry":0,"robot":"/tmp/evil.py"}"#;
    for server in [&run, &open] {
        let port = server.address().port();
        let with = if server.address() == run.address() { "0".repeat(32) } else { of_another.clone() };
        for path in ROUTES {
            let query = format!("{path}{}token={with}", if path.contains('?') { '&' } else { '?' });
            let own = token(server).replace("token=", "");
            for (path, header) in [
                (*path, String::new()),
                (&*query, String::new()),
                (*path, format!("Authorization: Bearer {with}\r\n")),
                (*path, format!("Cookie: boxstep-{port}={with}\r\n")),
                // The value of the cookie differs from the token.
                (*path, format!("Cookie: boxstep-{port}={own}\r\n")),
            ] {
                for method in ["GET", "POST", "PUT"] {
                    let (code, text) = unknown(server, method, path, &(json(body) + &header), body);
                    assert_eq!(code, 401, "{method} {path} {header}");
                    assert!(text.contains("that boxstep has printed in the terminal"), "{text}");
                    assert!(!text.contains("set-cookie") && text.contains("connection: close"), "{text}");
                    assert!(text.contains("www-authenticate: Bearer") && text.contains("no-referrer"), "{text}");
                }
            }
        }
    }
    assert!(played.try_recv().is_err(), "nothing has played");
    assert_eq!(http(&open, "POST", "/play", &json(r#"{"entry":0}"#), r#"{"entry":0}"#).0, 200);
    assert_eq!(played.recv().unwrap(), None);
}

#[test]
fn a_page_plays_on_robots_that_were_named_at_the_start_and_on_no_file() {
    let (sender, played) = channel();
    let server = Server::open(local(), Arc::new(Wall(Mutex::new(sender))), Access::default()).unwrap();
    let ask = |robot: &str| {
        let body = json!({"entry": 0, "robot": robot}).to_string();
        let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        http(&server, "POST", "/play", &headers, &body)
    };
    for robot in ["/tmp/evil.py", "evil.py", "./mine.py", "mine.py ", "tcp://10.0.0.9:9559", "nao.local.evil.example"] {
        let (code, text) = ask(robot);
        assert_eq!(code, 409, "{robot}");
        assert!(
            text.ends_with("is not one of the robots of this page: name it at the start, boxstep open --robot"),
            "{text}"
        );
    }
    assert!(played.try_recv().is_err(), "nothing has played");
    for robot in ["nao.local", "mine.py"] {
        assert_eq!(ask(robot).0, 200);
        assert_eq!(played.recv().unwrap().as_deref(), Some(robot));
    }
    assert_eq!(ask(" ").0, 200);
    assert_eq!(played.recv().unwrap(), None, "the simulated one");
}

fn shakes_hands(server: &Server, path: &str, headers: &str) -> u16 {
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    let key = tungstenite::handshake::client::generate_key();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let host = server.address();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{upgrade}Sec-WebSocket-Key: {key}\r\n{headers}\r\n")
        .unwrap();
    let mut begins = [0; 12];
    stream.read_exact(&mut begins).unwrap();
    std::str::from_utf8(&begins).unwrap()[9..].parse().unwrap()
}

/// Returns the cookie that a browser gets for the printed address.
fn cookie(server: &Server) -> String {
    let (code, text) = unknown(server, "GET", &known(server, "/"), "", "");
    assert_eq!(code, 200, "{text}");
    // It forwards to an address without the token, and sends no referrer.
    assert!(text.contains("refresh: 0; url=/\r\n") && text.contains("referrer-policy: no-referrer"), "{text}");
    assert!(!text.contains(&token(server)), "{text}");
    assert!(text.contains(r#"rel="icon" href="data:,""#), "browsers ask for an icon: {text}");
    let cookie = text.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let (cookie, manner) = cookie.split_once("; ").unwrap();
    assert_eq!(manner, "HttpOnly; SameSite=Strict; Path=/");
    assert!(cookie.starts_with(&format!("boxstep-{}=", server.address().port())), "{cookie}");
    cookie.to_owned()
}

#[test]
fn a_browser_gets_a_cookie_for_the_address_and_needs_it_no_more() {
    let (one, other) = (show(TraceStore::read(TRACE).unwrap()), show(TraceStore::new()));
    let (of_one, of_other) = (cookie(&one), cookie(&other));
    // Both servers are on one host, so browsers send both cookies.
    let both = format!("Cookie: {of_one}; {of_other}\r\n");
    for path in ["/", "/model/0", "/body", "/view.js"] {
        let (code, text) = unknown(&one, "GET", path, &both, "");
        assert_eq!(code, 200, "{path}");
        assert!(!text.contains("set-cookie") && !text.contains("refresh: "), "{text}");
    }
    assert_eq!(shakes_hands(&one, "/ws", &both), 101);
    assert_eq!(shakes_hands(&other, "/ws", &both), 101);
    assert_eq!(shakes_hands(&other, "/ws", &format!("Cookie: {of_one}\r\n")), 401);
}

#[test]
fn a_script_gives_the_token_in_the_address_or_in_a_header() {
    let server = show(TraceStore::new());
    assert_eq!(unknown(&server, "GET", &known(&server, "/model/0"), "", "").0, 200);
    assert_eq!(get(&server, "/model/0", "").0, 200);
    assert!(get(&server, "/", "").1.contains("data-page=\"run\""), "the page itself");
    assert_eq!(shakes_hands(&server, &known(&server, "/ws?ready=true"), ""), 101);
    assert_eq!(
        shakes_hands(&server, "/ws", &format!("{}\r\n", token(&server).replace("token=", "Authorization: Bearer "))),
        101
    );
    assert_eq!(shakes_hands(&server, "/ws", ""), 401);
    assert_eq!(shakes_hands(&server, "/ws?token=0123456789abcdef0123456789abcdef", ""), 401);
    // A page of another site has no token, and is refused even with one.
    assert_eq!(shakes_hands(&server, &known(&server, "/ws"), "Origin: http://evil.example\r\n"), 403);
    // A token of the user's choice is the same at each start.
    let mine = Access { token: Some("my-own_token-0123456789".parse().unwrap()), ..Access::default() };
    assert!(Server::start(local(), nothing(), mine).unwrap().url().ends_with("/?token=my-own_token-0123456789"));
}

#[test]
fn a_server_is_asked_by_its_address_and_nothing_that_only_looks_like_one() {
    let server = show(TraceStore::new());
    let port = server.address().port();
    let asked = |host: &str| get(&server, "/", &format!("Host: {host}\r\n")).0;
    for host in ["127.0.0.1", "localhost", "[::1]", "10.0.0.7", "[fe80::1]"] {
        assert_eq!((asked(host), asked(&format!("{host}:{port}"))), (200, 200), "{host}");
    }
    for host in [
        "[::1]evil",
        "[::1]evil:80",
        "[::1].evil.example",
        "::1",
        "127.0.0.1.evil.example",
        "evil",
        "127.0.0.1:x",
        "[::1]:",
    ] {
        assert_eq!(asked(host), 403, "{host}");
    }
}

#[test]
fn the_address_can_be_opened_wherever_it_listens() {
    for (listen, opened) in [("0.0.0.0:0", "127.0.0.1"), ("127.0.0.1:0", "127.0.0.1"), ("[::]:0", "[::1]")] {
        let server = match Server::start(listen.parse().unwrap(), nothing(), Access::default()) {
            // Some machines have no IPv6.
            Err(e) if listen.starts_with('[') => return assert_ne!(e.kind(), ErrorKind::AddrInUse),
            server => server.unwrap(),
        };
        let (url, port) = (server.url(), server.address().port());
        assert!(url.starts_with(&format!("http://{opened}:{port}/?token=")), "{url}");
        let ip: IpAddr = opened.trim_matches(['[', ']']).parse().unwrap();
        assert!(TcpStream::connect((ip, port)).is_ok());
    }
}

/// Reads until the server closes the connection.
fn rest(mut stream: TcpStream) -> String {
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut bytes = Vec::new();
    match stream.read_to_end(&mut bytes) {
        Ok(_) => {}
        Err(e) if e.kind() == ErrorKind::ConnectionReset => {}
        Err(e) => panic!("it is not closed: {e}"),
    }
    String::from_utf8(bytes).unwrap()
}

#[test]
fn there_are_no_more_connections_than_there_may_be_and_open_pages_are_among_them() {
    let server = within(Limits { connections: 2, ..Limits::default() });
    let (mut one, other) = (Client::new(&server), Client::new(&server));
    one.next();
    // The connection of an open page counts, although its request has been answered.
    let refused = rest(TcpStream::connect(server.address()).unwrap());
    assert!(refused.starts_with("HTTP/1.1 503 ") && refused.contains("Close other tabs"), "{refused}");
    one.ask(&json!({"do": "behaviors"}));
    one.next_of("behaviors");
    drop(other);
    // A seat is free as soon as the server has noticed the disconnection.
    let again = || {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        let asked =
            write!(stream, "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", known(&server, "/body"));
        asked.is_ok() && rest(stream).starts_with("HTTP/1.1 200")
    };
    while !again() {
        std::thread::yield_now();
    }
}

/// Another account of the same computer has the same address, and no token.
#[test]
fn silent_connections_neither_block_nor_replace_clients_with_the_token() {
    let server = within(Limits { connections: 16, ..Limits::default() });
    let mut page = Client::new(&server);
    page.next();
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..4 {
        // New silent connections arrive continuously.
        silent.extend((0..16).map(|_| TcpStream::connect(server.address()).unwrap()));
        assert_eq!(get(&server, "/body", "").0, 200);
        page.ask(&json!({"do": "behaviors"}));
        page.next_of("behaviors");
    }
    // All but the last ones have been closed.
    silent.drain(..48).for_each(|stream| assert_eq!(rest(stream), ""));
}

#[test]
fn whoever_says_nothing_or_not_enough_is_not_waited_for() {
    let server = within(Limits {
        head_time: Duration::from_millis(50),
        body_time: Duration::from_millis(50),
        ..Limits::default()
    });
    let asks = |text: &str| {
        let mut stream = TcpStream::connect(server.address()).unwrap();
        write!(stream, "{text}").unwrap();
        rest(stream)
    };
    let post =
        format!("POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n", known(&server, "/alone"));
    for head in ["", "G", "GET / HTTP/1.1\r\nHost: local", &post] {
        assert!(!asks(head).starts_with("HTTP/1.1 2"), "{head}");
    }
    for (body, code) in [("Content-Length: 9\r\n\r\n{", "408"), ("Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", "408")]
    {
        let answer = asks(&format!("{post}{body}"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {code} ")), "{answer}");
    }
    // A silent connection whose request has been answered is closed as well.
    let kept = asks(&format!("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", known(&server, "/body")));
    assert!(kept.starts_with("HTTP/1.1 200 "), "{kept}");
}

#[test]
fn what_is_too_long_is_not_taken() {
    let server = within(Limits { head: 8192, body: 100, ..Limits::default() });
    let long = format!("X: {}\r\n", "x".repeat(100_000));
    let (code, _) = get(&server, "/body", &long);
    assert_eq!(code, 431);
    let body = format!(r#"{{"behavior":"b","path":"{}"}}"#, "x".repeat(100));
    let headers = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    assert_eq!(http(&server, "POST", "/alone", &headers, &body).0, 413);
    let (kind, chunk) = ("Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", "x".repeat(150));
    assert_eq!(http(&server, "POST", "/alone", kind, &format!("96\r\n{chunk}\r\n0\r\n\r\n")).0, 413);
}
