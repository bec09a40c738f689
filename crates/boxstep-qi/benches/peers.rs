//! Compares this library's client and libqi's own (PyPI `qi`, in the Python that `BOXSTEP_QI_PYTHON` names) on one
//! server on libqi, and this library's client on its own server, with a bare blocking socket that does the least
//! possible. All run in one process, round by round, so that other load on the machine affects all alike. Medians are
//! printed (for single calls: of turns of 100 calls), with the lowest and highest, and whether the targets are reached.
//!
//! Without `--bench`, as a test, it does a hundredth of the work once, and does not check the targets.
//!
//! `cargo bench -p boxstep-qi --bench peers`, or `cargo xtask bench-peers`, which installs libqi first.

mod common;
#[path = "../tests/common/peer.rs"]
mod peer;

use boxstep_qi::{ObjectBuilder, Remote, Server, Session, Value, args};
use common::{Bare, Failure, at, rate, timed};
use peer::Peer;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Instant;

/// The amount of work; the same for all clients, so that none has warmer caches.
struct Amount {
    rounds: usize,
    calls: usize,
    /// The number of calls of this library in one turn; as many of the bare socket follow.
    turn: usize,
    many: i32,
    connects: usize,
}

const MEASURED: Amount = Amount { rounds: 7, calls: 2000, turn: 100, many: 5000, connects: 15 };
const TESTED: Amount = Amount { rounds: 1, calls: 20, turn: 10, many: 50, connects: 1 };

fn main() -> Result<(), Failure> {
    let is_test = std::env::args().all(|word| word != "--bench");
    let amount = if is_test { &TESTED } else { &MEASURED };
    let mut table = Table::default();
    let ours = OurServer::start()?;
    let mut libqi = match std::env::var_os("BOXSTEP_QI_PYTHON") {
        Some(python) => Some(Libqi::start(Path::new(&python))?),
        None => {
            println!("libqi is left out: BOXSTEP_QI_PYTHON names no Python that has it");
            None
        }
    };
    for _ in 0..amount.rounds {
        if let Some(libqi) = &mut libqi {
            measure(&mut table, "libqi's server", &libqi.address, amount)?;
            for (what, count) in amount.work() {
                let figures = ask(&mut libqi.client, what, count)?;
                for (figure, value) in figures_of(what).iter().zip(figures) {
                    table.put("libqi's server", figure, Client::Libqi, value);
                }
            }
        }
        measure(&mut table, "our server", &ours.address, amount)?;
    }
    table.print();
    if is_test {
        return Ok(());
    }
    println!();
    let mut reached = true;
    let mut bar = |what: &str, holds: bool, figure: String| {
        reached &= holds;
        println!("{what:<88} {figure:>22}  {}", if holds { "reached" } else { "NOT REACHED" });
    };
    if libqi.is_some() {
        let value = |client| table.median("libqi's server", "calls one at a time, /s", client);
        let (ours, theirs, bare) = (value(Client::Ours), value(Client::Libqi), value(Client::Bare));
        bar(
            "calls one at a time of libqi's server: 2.5 times PyPI qi's, or 0.9 of a bare socket's",
            ours >= 2.5 * theirs || ours >= 0.9 * bare,
            format!("{:.2} x, {:.2} x", ours / theirs, ours / bare),
        );
    }
    let pipelined = table.median("our server", "calls in flight together, /s", Client::Ours);
    bar("Rust to Rust: 50,000 calls/s in flight together", pipelined >= 50_000.0, format!("{pipelined:.0} /s"));
    for server in ["our server", "libqi's server"] {
        if server == "our server" || libqi.is_some() {
            let connect = table.median(server, "connect and authenticate, us", Client::Ours);
            bar(&format!("connect to {server}: 1 ms"), connect <= 1000.0, format!("{connect:.0} us"));
        }
    }
    drop(libqi);
    if reached { Ok(()) } else { Err("a bar is not reached".into()) }
}

impl Amount {
    /// The work of libqi's client.
    fn work(&self) -> [(&'static str, usize); 5] {
        let many = self.many as usize;
        [("calls", self.calls), ("pipelined", many), ("posts", many), ("events", many), ("connect", self.connects)]
    }
}

fn figures_of(what: &str) -> &'static [&'static str] {
    match what {
        "calls" => &["calls one at a time, /s", "  p50, us", "  p99, us"],
        "pipelined" => &["calls in flight together, /s"],
        "posts" => &["posts done, /s"],
        "events" => &["events heard, /s"],
        _ => &["connect and authenticate, us"],
    }
}

/// Measures this library and the bare socket.
fn measure(table: &mut Table, server: &'static str, address: &str, amount: &Amount) -> Result<(), Failure> {
    let service = Session::connect(address)?.service("Bench")?;
    let mut bare = Bare::connect(address, &service)?;
    let (mut ours, mut least) = (Vec::new(), Vec::new());
    // A busy machine slows down both, and a turn in which another program ran is one of many.
    for _ in 0..amount.calls / amount.turn {
        let turn = timed(amount.turn, || service.call("add", &args![1, 2]).map(drop).map_err(Into::into))?;
        table.put(server, figures_of("calls")[0], Client::Ours, rate(&turn));
        ours.extend(turn);
        let turn = timed(amount.turn, || bare.call().map_err(Into::into))?;
        table.put(server, figures_of("calls")[0], Client::Bare, rate(&turn));
        least.extend(turn);
    }
    for (client, times) in [(Client::Ours, &mut ours), (Client::Bare, &mut least)] {
        times.sort_by(f64::total_cmp);
        for (figure, percent) in figures_of("calls")[1..].iter().zip([50, 99]) {
            table.put(server, figure, client, at(times, percent));
        }
    }
    let begin = Instant::now();
    let pending: Result<Vec<_>, _> = (0..amount.many).map(|i| service.start("add", &args![i, 1])).collect();
    for pending in pending? {
        pending.wait()?;
    }
    table.put(server, figures_of("pipelined")[0], Client::Ours, f64::from(amount.many) / begin.elapsed().as_secs_f64());
    let noted = |service: &Remote| service.call("noted", &[]).map(|n| n.as_i64().unwrap_or_default());
    let (until, begin) = (noted(&service)? + i64::from(amount.many), Instant::now());
    for i in 0..amount.many {
        service.post("note", &args![i])?;
    }
    while noted(&service)? < until {}
    table.put(server, figures_of("posts")[0], Client::Ours, f64::from(amount.many) / begin.elapsed().as_secs_f64());
    let heard = Arc::new(AtomicI64::new(0));
    let count = Arc::clone(&heard);
    let listening = service.subscribe("ping", move |_| {
        count.fetch_add(1, Ordering::Release);
    })?;
    let begin = Instant::now();
    service.call("emit", &args![amount.many])?;
    while heard.load(Ordering::Acquire) < i64::from(amount.many) {
        std::thread::yield_now();
    }
    table.put(server, figures_of("events")[0], Client::Ours, f64::from(amount.many) / begin.elapsed().as_secs_f64());
    drop(listening);
    let mut times = timed(amount.connects, || Session::connect(address).map(drop).map_err(Into::into))?;
    table.put(server, figures_of("connect")[0], Client::Ours, at(&times, 50));
    times = timed(amount.connects, || Bare::connect(address, &service).map(drop))?;
    table.put(server, figures_of("connect")[0], Client::Bare, at(&times, 50));
    Ok(())
}

/// The same service, on this library.
struct OurServer {
    address: String,
    _server: Server,
}

impl OurServer {
    fn start() -> Result<OurServer, Failure> {
        let noted = Arc::new(AtomicI64::new(0));
        let (note, ask) = (Arc::clone(&noted), noted);
        let signals = boxstep_qi::Signals::default();
        let object = Arc::new(Bench {
            built: ObjectBuilder::new("")
                .method("add::(ii)->i", |args| {
                    let sum = args[0].as_i64().unwrap_or_default() + args[1].as_i64().unwrap_or_default();
                    i32::try_from(sum).map(Value::I32).map_err(|e| e.to_string())
                })
                .method("note::(i)->v", move |_| {
                    note.fetch_add(1, Ordering::Relaxed);
                    Ok(Value::Void)
                })
                .method("noted::()->i", move |_| Ok(Value::I64(ask.load(Ordering::Relaxed))))
                .method("emit::(i)->v", |_| Ok(Value::Void))
                .signal("ping", "(i)")
                .build()?,
            signals,
        });
        let server = Server::listen("127.0.0.1:0")?;
        server.register("Bench", object)?;
        Ok(OurServer { address: format!("tcp://{}", server.address()), _server: server })
    }
}

/// An object whose method `emit` emits its own signal.
struct Bench {
    built: Arc<boxstep_qi::BuiltObject>,
    signals: boxstep_qi::Signals,
}

impl boxstep_qi::Object for Bench {
    fn meta(&self) -> Arc<boxstep_qi::MetaObject> {
        self.built.meta()
    }

    fn signals(&self) -> &boxstep_qi::Signals {
        &self.signals
    }

    fn call(&self, call: boxstep_qi::Call) {
        let meta = self.built.meta();
        let ping = meta.signal("ping").map(|(id, _)| id);
        if meta.methods.get(&call.method).is_some_and(|method| method.name == "emit")
            && let Some(ping) = ping
        {
            for i in 0..call.args[0].as_i64().unwrap_or_default() {
                self.signals.emit(ping, &[Value::I64(i)]);
            }
        }
        self.built.call(call);
    }
}

/// Starts a program on libqi, which takes requests of one line each.
fn start(python: &Path, script: &str, args: &[&str]) -> Result<Peer, Failure> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(script);
    Ok(Peer::start(Command::new(python).arg(script).args(args).stderr(Stdio::null()))?)
}

fn ask(peer: &mut Peer, what: &str, count: usize) -> Result<Vec<f64>, Failure> {
    let input = peer.input.as_mut().ok_or("no input")?;
    writeln!(input, "{what} {count}")?;
    input.flush()?;
    peer.line()?.split(' ').map(|word| word.parse::<f64>().map_err(Into::into)).collect()
}

struct Libqi {
    client: Peer,
    address: String,
    _server: Peer,
}

impl Libqi {
    fn start(python: &Path) -> Result<Libqi, Failure> {
        let mut server = start(python, "serve.py", &[])?;
        let address = server.line()?;
        let mut client = start(python, "client.py", &[&address])?;
        client.line()?;
        Ok(Libqi { client, address, _server: server })
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Client {
    Ours,
    Bare,
    Libqi,
}

/// A table with one row for each server and figure.
#[derive(Default)]
struct Table(Vec<(&'static str, &'static str, [Vec<f64>; 3])>);

impl Table {
    fn put(&mut self, server: &'static str, figure: &'static str, client: Client, value: f64) {
        let at = self.0.iter().position(|(s, f, _)| (*s, *f) == (server, figure)).unwrap_or_else(|| {
            self.0.push((server, figure, Default::default()));
            self.0.len() - 1
        });
        let values = &mut self.0[at].2[client as usize];
        values.push(value);
        values.sort_by(f64::total_cmp);
    }

    fn median(&self, server: &str, figure: &str, client: Client) -> f64 {
        let row = self.0.iter().find(|(s, f, _)| (*s, *f) == (server, figure));
        row.and_then(|(.., all)| middle(&all[client as usize])).unwrap_or(f64::NAN)
    }

    fn print(&self) {
        let mut server = "";
        for (of, figure, all) in &self.0 {
            if *of != server {
                server = of;
                println!("\n{server:<32} {:>30} {:>30} {:>30}", "boxstep-qi", "bare socket", "PyPI qi");
            }
            let shown = |values: &Vec<f64>| match (middle(values), values.first(), values.last()) {
                (Some(middle), Some(low), Some(high)) => format!("{middle:.0} ({low:.0}-{high:.0})"),
                _ => "-".to_owned(),
            };
            let ratio = |other: &Vec<f64>| match (middle(&all[0]), middle(other)) {
                (Some(ours), Some(other)) => format!("{:>6.2}", ours / other),
                _ => format!("{:>6}", ""),
            };
            let [ours, bare, libqi] = all;
            println!(
                "{figure:<32} {:>30} {:>30} {:>30}   {} x bare {} x PyPI",
                shown(ours),
                shown(bare),
                shown(libqi),
                ratio(bare),
                ratio(libqi)
            );
        }
    }
}

fn middle(sorted: &[f64]) -> Option<f64> {
    sorted.get(sorted.len() / 2).copied()
}
